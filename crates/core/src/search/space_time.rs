//! Space-time A*: a cheapest path for one agent among everybody's reservations.
//!
//! Silver, "Cooperative Pathfinding", AI Game Programming Wisdom 3, 2006, section "The Third Dimension". Differs from the
//! article: actions take any number of ticks and cover any cells, as the footprint says; and once no reservation
//! changes any more, all times are one, so that the search ends where the article's would wait for ever. With a
//! [horizon](Query::horizon) it is the article's fixed depth search.
//!
//! The loop is here; how a state's successors are found, and which states are one, is in `quanta.rs` and `safe_intervals.rs`.

use std::ops::ControlFlow;

use super::NoPath;
use super::open_list::OpenList;
use super::query::{Query, Scene};
use super::safe_intervals::Stay;
use super::seen::Seen;
use crate::cost::Cost;
use crate::footprint::{Footprint, Motion};
use crate::fuel::Fuel;
use crate::goals::Goals;
use crate::heuristic::Heuristic;
use crate::layer::{Asker, CostLayer};
use crate::observer::Observer;
use crate::path::{AtEnd, Path, Step};
use crate::reservation::{Claim, ReservationStore};
use crate::space::{NodeId, SpaceGraph, move_by_action};
use crate::time::{FOREVER, Tick, Ticks};

/// Space-time A* with reused memory: after a few searches it allocates only the paths that it returns.
///
/// [`begin`](Self::begin) states the question, [`advance`](Self::advance) works on it for as long as the fuel lasts.
/// Between the two, and between calls of `advance`, the scene must not change.
///
/// Memory and time grow with the states reached, (node, tick) pairs; from
/// [`settled_from`](ReservationStore::settled_from) on all ticks are one, or else there is a last one, so there are
/// finitely many. [Safe intervals](crate::TimeModel::SafeIntervals) reach fewer.
#[derive(Clone, Debug)]
pub struct SpaceTimeSearch<A, C: Cost> {
    pub(super) query: Query<C>,
    pub(super) states: Vec<State<A, C>>,
    /// With safe intervals, what else is known of each state; without, empty.
    pub(super) stays: Vec<Stay>,
    pub(super) open: OpenList<C>,
    pub(super) seen: Seen,
    /// Whether the start has been put on the open list; its estimate may need fuel.
    started: bool,
    /// The state whose expansion the fuel cut short, and how far that had come. It goes on first, and from there, so that the
    /// fuel decides when things happen and not what.
    interrupted: Option<(u32, Cursor)>,
    pub(super) limited: bool,
    /// The estimate at the end of the path that was found.
    remaining: Option<C>,
    /// The expanded state with the latest tick, and among those the smallest f.
    latest_expanded: Option<u32>,
    expanded: u64,
    pub(super) generated: u64,
}

/// Under this tick the table of seen states keeps one state for each node: the earliest settled one, or with safe intervals
/// the last to be found. No state has it: to arrive then is never.
pub(super) const EARLIEST: Tick = FOREVER;

#[derive(Clone, Copy, Debug)]
pub(super) struct State<A, C> {
    pub(super) node: NodeId,
    pub(super) tick: Tick,
    /// The slot it was reached from; its own for the start.
    pub(super) parent: u32,
    /// It has been expanded, or need not be.
    pub(super) closed: bool,
    /// The move by which it was reached; `None`: by waiting.
    pub(super) action: Option<A>,
    pub(super) g: C,
    pub(super) h: C,
}

/// How far the expansion of a state has come.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    /// How many moves are done.
    pub(super) moves: usize,
    /// With safe intervals, from which departure on the next one goes on.
    pub(super) depart: Option<Tick>,
}

impl<A: Copy + Eq, C: Cost> Default for SpaceTimeSearch<A, C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Copy + Eq, C: Cost> SpaceTimeSearch<A, C> {
    /// A search that has not been asked anything: it finds that there is no path.
    pub fn new() -> Self {
        Self {
            query: Query::new(Claim::plain(crate::AgentId(0)), NodeId(0), Goals::from_iter([])),
            states: Vec::new(),
            stays: Vec::new(),
            open: OpenList::new(),
            seen: Seen::new(),
            started: true,
            interrupted: None,
            limited: false,
            remaining: None,
            latest_expanded: None,
            expanded: 0,
            generated: 0,
        }
    }

    /// How many states have been expanded since the question was asked.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// How many states have been put on the open list since the question was asked.
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// What is left to go, at least, at the end of the path that was found: zero, unless a [horizon](Query::horizon) cut it
    /// short. `None`: no path has been found.
    pub fn remaining(&self) -> Option<C> {
        self.remaining
    }

    /// A cheapest path to where the agent can hold out longest, after the answer was [`NoPath::Exhausted`]: it ends where
    /// the others leave no way to go on, before the horizon or without a goal. `None`: nothing has been expanded.
    ///
    /// With [safe intervals](crate::TimeModel::SafeIntervals) it ends with the move that leads there, and does not say how long
    /// the agent can stay.
    pub fn longest<S>(&self, space: &S) -> Option<Path<A, C>>
    where
        S: SpaceGraph<Action = A, Cost = C>,
    {
        Some(self.path_to(space, self.latest_expanded?))
    }

    /// Asks a new question, and forgets the last one.
    pub fn begin(&mut self, query: Query<C>) {
        self.query = query;
        self.states.clear();
        self.stays.clear();
        self.open.clear();
        self.seen.clear();
        self.started = false;
        self.interrupted = None;
        self.limited = false;
        self.remaining = None;
        self.latest_expanded = None;
        self.expanded = 0;
        self.generated = 0;
    }

    /// Asks `query` and answers it in one go; see [`advance`](Self::advance).
    ///
    /// # Errors
    /// As for `advance`, but that fuel never runs out.
    pub fn find<S, F, R, L>(
        &mut self,
        scene: &Scene<'_, S, F, R, L>,
        query: Query<C>,
        heuristic: &mut impl Heuristic<S>,
    ) -> Result<Path<A, C>, NoPath>
    where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        R: ReservationStore,
        L: CostLayer<S>,
    {
        self.find_with(scene, query, heuristic, &mut Fuel::unlimited(), &mut ())
    }

    /// [`find`](Self::find) with a bound on work, watched by `observer`. If the fuel is gone, [`advance`](Self::advance) goes on.
    ///
    /// # Errors
    /// As for `advance`.
    pub fn find_with<S, F, R, L>(
        &mut self,
        scene: &Scene<'_, S, F, R, L>,
        query: Query<C>,
        heuristic: &mut impl Heuristic<S>,
        fuel: &mut Fuel,
        observer: &mut impl Observer,
    ) -> Result<Path<A, C>, NoPath>
    where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        R: ReservationStore,
        L: CostLayer<S>,
    {
        self.begin(query);
        self.advance(scene, heuristic, fuel, observer)
    }

    /// Works on the question until it is answered or the fuel is gone.
    ///
    /// The path is a cheapest one among those whose every entry the store permits to the claim. The start itself is
    /// not asked about: the agent is there. Among paths of equal cost the one found first is taken, which
    /// depends on the order of the space's moves and on nothing else.
    ///
    /// `heuristic` must be consistent; layers may only add to costs.
    ///
    /// # Errors
    /// [`NoPath::OutOfFuel`]: call again with more fuel to go on. The other reasons are final.
    pub fn advance<S, F, R, L>(
        &mut self,
        scene: &Scene<'_, S, F, R, L>,
        heuristic: &mut impl Heuristic<S>,
        fuel: &mut Fuel,
        observer: &mut impl Observer,
    ) -> Result<Path<A, C>, NoPath>
    where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        R: ReservationStore,
        L: CostLayer<S>,
    {
        // From here on nothing changes, so that being somewhere later is never better than being there now. With a horizon,
        // it is what the path must reach.
        let settled = match self.query.horizon {
            FOREVER => scene.reservations.settled_from().max(scene.layer.settled_from()),
            horizon => horizon,
        };
        let free = self.free_intervals(scene);
        if !self.started {
            if scene.space.contains(self.query.start)
                && let Some(h) = heuristic.estimate(scene.space, self.query.start, fuel)?
            {
                self.push_start(h, settled);
                if let Some(free) = free {
                    self.stay_at_start(scene, free);
                }
            }
            self.started = true;
        }
        while let Some((slot, mut cursor)) =
            self.interrupted.take().or_else(|| Some((self.open.pop()?, Cursor::default())))
        {
            let state = self.states[slot as usize];
            if state.closed {
                continue;
            }
            if self.query.ends(state.node, state.tick) && self.may_end(scene, &state, observer) {
                if let Err(out) = fuel.burn() {
                    self.interrupted = Some((slot, cursor));
                    return Err(out.into());
                }
                self.expanded += 1;
                observer.expanded(state.node, state.tick);
                self.remaining = Some(state.h);
                return Ok(self.path_to(scene.space, slot));
            }
            let expansion = match free {
                None => self.expand_by_quanta(scene, slot, settled, &mut cursor, heuristic, fuel, observer),
                Some(free) => {
                    self.expand_by_intervals(scene, free, slot, settled, &mut cursor, heuristic, fuel, observer)
                }
            };
            if let Err(out) = expansion.and_then(|()| fuel.burn()) {
                self.interrupted = Some((slot, cursor));
                return Err(out.into());
            }
            self.states[slot as usize].closed = true;
            // States come in order of f: the first of a tick has the smallest.
            if self.latest_expanded.is_none_or(|latest| self.holds_out(latest) < self.holds_out(slot)) {
                self.latest_expanded = Some(slot);
            }
            self.expanded += 1;
            observer.expanded(state.node, state.tick);
        }
        Err(if self.limited { NoPath::LimitReached } else { NoPath::Exhausted })
    }

    fn push_start(&mut self, h: C, settled: Tick) {
        let (node, tick) = (self.query.start, self.query.depart);
        let zero = C::zero();
        self.states.push(State { node, tick, parent: 0, closed: false, action: None, g: zero, h });
        self.open.push(h, zero, 0);
        if let Err(vacancy) = self.seen.find(node, self.told_apart(tick, settled)) {
            self.seen.insert(vacancy, 0);
        }
        self.generated += 1;
    }

    /// The tick by which a state is told apart from others: from `settled` on all ticks are one, unless there is a limit
    /// that the cheaper of two ways to a node may break and the shorter one keep, or a horizon, beyond which others still
    /// move.
    #[inline]
    pub(super) fn told_apart(&self, tick: Tick, settled: Tick) -> Tick {
        if self.query.latest == FOREVER && self.query.horizon == FOREVER { tick.min(settled) } else { tick }
    }

    /// Whether the agent may end its path in `state`.
    fn may_end<S, F, R, L>(
        &self,
        scene: &Scene<'_, S, F, R, L>,
        state: &State<A, C>,
        observer: &mut impl Observer,
    ) -> bool
    where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        R: ReservationStore,
    {
        let stay = Motion::Rest { node: state.node, ticks: FOREVER };
        match self.query.at_end {
            AtEnd::Disappear => true,
            AtEnd::Stay => self.permitted(scene, &stay, state, observer),
        }
    }

    #[inline]
    pub(super) fn permitted<S, F, R, L>(
        &self,
        scene: &Scene<'_, S, F, R, L>,
        motion: &Motion<A, C>,
        state: &State<A, C>,
        observer: &mut impl Observer,
    ) -> bool
    where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        R: ReservationStore,
    {
        let claim = self.query.claim;
        scene
            .footprint
            .sweep(scene.space, motion, state.tick, &mut |entry| {
                if scene.reservations.permits(&entry, claim) {
                    ControlFlow::Continue(())
                } else {
                    observer.blocked(state.node, state.tick, &entry);
                    ControlFlow::Break(())
                }
            })
            .is_continue()
    }

    #[inline]
    pub(super) fn asker(&self) -> Asker<'_> {
        let Query { claim, ref goals, depart, yields_until, .. } = self.query;
        Asker { claim, goals, depart, yields_until }
    }

    /// What it would cost to wait from the departure until `tick`. Waits are priced as differences of this, so that integers
    /// round once and not at every quantum: waits that add up to a step cost as much as a step.
    #[inline]
    pub(super) fn price_of_waiting(&self, tick: Tick, per_step: Ticks) -> C {
        let ticks = tick - self.query.depart;
        let step = self.query.wait_cost;
        step.times(ticks / per_step).plus(step.times(ticks % per_step).part(per_step))
    }

    fn path_to<S>(&self, space: &S, slot: u32) -> Path<A, C>
    where
        S: SpaceGraph<Action = A, Cost = C>,
    {
        let mut slots = vec![slot];
        let mut last = slot;
        while self.states[last as usize].parent != last {
            last = self.states[last as usize].parent;
            slots.push(last);
        }
        let mut path = Path::standing(self.query.start, self.query.depart, self.query.at_end);
        path.cost = self.states[slot as usize].g;
        path.steps.reserve(slots.len() - 1);
        for (from, to) in slots.iter().rev().zip(slots.iter().rev().skip(1)) {
            let stay = self.stays.get(*to as usize);
            let (from, to) = (&self.states[*from as usize], &self.states[*to as usize]);
            match to.action {
                None => path.push_rest(to.node, from.tick, to.tick - from.tick),
                Some(action) => {
                    let depart = stay.map_or(from.tick, |stay| stay.departed);
                    if from.tick < depart {
                        path.push_rest(from.node, from.tick, depart - from.tick);
                    }
                    if let Some(m) = move_by_action(space, from.node, action) {
                        path.steps.push(Step { motion: Motion::Move(m), depart, arrive: to.tick });
                    }
                }
            }
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AgentId;

    #[test]
    fn waits_that_add_up_to_a_step_cost_as_much_as_a_step() {
        let mut search = SpaceTimeSearch::<(), u32>::new();
        search.query = Query { depart: 5, ..Query::new(Claim::plain(AgentId(0)), NodeId(0), Goals::from_iter([])) };
        for per_step in [1, 7, 64, 300, 2000] {
            let price = |tick| search.price_of_waiting(tick, per_step);
            let waits = |from: Tick| (from..from + per_step).map(|tick| price(tick + 1) - price(tick)).sum::<u32>();
            assert_eq!(waits(5), 1000, "{per_step}");
            assert_eq!(waits(5 + 3 * per_step), 1000, "{per_step}");
        }
    }
}
