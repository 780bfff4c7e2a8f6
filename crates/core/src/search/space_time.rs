//! Space-time A*: a cheapest path for one agent among everybody's reservations.
//!
//! Silver, "Cooperative Pathfinding", AI Game Programming Wisdom 3, 2006, section "The Third Dimension". Differs from the
//! article: actions take any number of ticks and cover any cells, as the footprint says; and once no reservation
//! changes any more, all times are one, so that the search ends where the article's would wait for ever. With a
//! [horizon](Query::horizon) it is the article's fixed depth search.

use std::ops::ControlFlow;

use super::NoPath;
use super::open_list::OpenList;
use super::seen::Seen;
use crate::cost::Cost;
use crate::footprint::{Footprint, Motion};
use crate::fuel::{Fuel, OutOfFuel};
use crate::goals::Goals;
use crate::heuristic::Heuristic;
use crate::layer::{Asker, CostLayer};
use crate::observer::Observer;
use crate::path::{AtEnd, Path, Step};
use crate::reservation::{Claim, ReservationStore};
use crate::space::{NodeId, SpaceGraph, move_by_action};
use crate::time::{FOREVER, Span, Tick, Ticks};

/// The world in which an agent searches: where it can go, what it occupies, who is in the way, what actions cost.
#[derive(Debug)]
pub struct Scene<'a, S, F, R, L> {
    /// The places and moves.
    pub space: &'a S,
    /// What the agent occupies.
    pub footprint: &'a F,
    /// Who holds which cell when.
    pub reservations: &'a R,
    /// What actions cost beyond the space's own costs.
    pub layer: &'a L,
}

/// What is asked of a search.
#[derive(Clone, Debug)]
pub struct Query<C> {
    /// Who asks, and at which rank.
    pub claim: Claim,
    /// Where the agent is.
    pub start: NodeId,
    /// When it may set out.
    pub depart: Tick,
    /// Where it wants to be.
    pub goals: Goals,
    /// What it does there: whether it must be able to stay for ever.
    pub at_end: AtEnd,
    /// The last tick at which an action may end; [`FOREVER`] if there is no limit.
    pub latest: Tick,
    /// How far to look ahead: the path ends with the first action that ends at this tick or later, wherever that is;
    /// [`FOREVER`], the default: on a goal, whenever that is.
    ///
    /// With a horizon, a path costs what its actions cost and the [estimate](Heuristic::estimate) at its end: as if a
    /// last action, from there to the goals, were part of it (Silver's terminal node). Pausing on a goal costs nothing.
    pub horizon: Tick,
    /// What waiting costs for as long as a plain step takes, which is
    /// [`ticks_per_step`](Footprint::ticks_per_step) ticks. [`Cost::STEP`] by default.
    pub wait_cost: C,
    /// Until when the agent must make way for somebody who comes where it rests; layers are [told](Asker::yields_until). 0 by
    /// default.
    pub yields_until: Tick,
}

impl<C: Cost> Query<C> {
    /// From `start` at tick 0 to `goals`, to stay there, without a limit on time and without a horizon.
    pub fn new(claim: Claim, start: NodeId, goals: Goals) -> Self {
        Self {
            claim,
            start,
            depart: 0,
            goals,
            at_end: AtEnd::Stay,
            latest: FOREVER,
            horizon: FOREVER,
            wait_cost: C::STEP,
            yields_until: 0,
        }
    }

    /// Whether an agent on `node` at `tick` may end its path there, if it is at liberty to stay.
    #[inline]
    fn ends(&self, node: NodeId, tick: Tick) -> bool {
        if self.horizon == FOREVER { self.goals.contains(node) } else { tick >= self.horizon }
    }
}

/// Space-time A* with reused memory: after a few searches it allocates only the paths that it returns.
///
/// [`begin`](Self::begin) states the question, [`advance`](Self::advance) works on it for as long as the fuel lasts.
/// Between the two, and between calls of `advance`, the scene must not change.
///
/// Memory and time grow with the states reached, (node, tick) pairs; from
/// [`settled_from`](ReservationStore::settled_from) on all ticks are one, or else there is a last one, so there are
/// finitely many.
#[derive(Clone, Debug)]
pub struct SpaceTimeSearch<A, C: Cost> {
    query: Query<C>,
    states: Vec<State<A, C>>,
    open: OpenList<C>,
    seen: Seen,
    /// Whether the start has been put on the open list; its estimate may need fuel.
    started: bool,
    /// The state whose expansion the fuel cut short, and how many of its successors it had been offered. It goes on first,
    /// and from there, so that the fuel decides when things happen and not what.
    interrupted: Option<(u32, usize)>,
    limited: bool,
    /// The estimate at the end of the path that was found.
    remaining: Option<C>,
    /// The expanded state with the latest tick, and among those the smallest f.
    latest_expanded: Option<u32>,
    expanded: u64,
    generated: u64,
}

/// Under this tick the table of seen states keeps the earliest settled state of a node. No state has it: to arrive then is
/// never.
const EARLIEST: Tick = FOREVER;

#[derive(Clone, Copy, Debug)]
struct State<A, C> {
    node: NodeId,
    tick: Tick,
    /// The slot it was reached from; its own for the start.
    parent: u32,
    closed: bool,
    /// The move by which it was reached; `None`: by waiting.
    action: Option<A>,
    g: C,
    h: C,
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
    /// As for `advance`.
    pub fn find<S, F, R, L>(
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
        if !self.started {
            if scene.space.contains(self.query.start)
                && let Some(h) = heuristic.estimate(scene.space, self.query.start, fuel)?
            {
                self.push_start(h, settled);
            }
            self.started = true;
        }
        while let Some((slot, offered)) = self.interrupted.take().or_else(|| Some((self.open.pop()?, 0))) {
            let state = self.states[slot as usize];
            if state.closed {
                continue;
            }
            if self.query.ends(state.node, state.tick) && self.may_end(scene, &state, observer) {
                if let Err(out) = fuel.burn() {
                    self.interrupted = Some((slot, 0));
                    return Err(out.into());
                }
                self.expanded += 1;
                observer.expanded(state.node, state.tick);
                self.remaining = Some(state.h);
                return Ok(self.path_to(scene.space, slot));
            }
            let mut offered = offered;
            let expansion = self.expand(scene, slot, settled, &mut offered, heuristic, fuel, observer);
            if let Err(out) = expansion.and_then(|()| fuel.burn()) {
                self.interrupted = Some((slot, offered));
                return Err(out.into());
            }
            self.states[slot as usize].closed = true;
            // States come in order of f: the first of a tick has the smallest.
            if self.latest_expanded.is_none_or(|latest| self.states[latest as usize].tick < state.tick) {
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
    fn told_apart(&self, tick: Tick, settled: Tick) -> Tick {
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
    fn permitted<S, F, R, L>(
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

    /// Puts every legal successor of the state at `slot` on the open list, but for the first `offered`, and counts on.
    #[inline]
    #[allow(clippy::too_many_arguments)] // as for `offer`
    fn expand<S, F, R, L>(
        &mut self,
        scene: &Scene<'_, S, F, R, L>,
        slot: u32,
        settled: Tick,
        offered: &mut usize,
        heuristic: &mut impl Heuristic<S>,
        fuel: &mut Fuel,
        observer: &mut impl Observer,
    ) -> Result<(), OutOfFuel>
    where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        R: ReservationStore,
        L: CostLayer<S>,
    {
        let (space, layer) = (scene.space, scene.layer);
        let state = self.states[slot as usize];
        // It has come to the horizon, and may not stay there.
        if state.tick >= self.query.horizon {
            return Ok(());
        }
        let mut skip = *offered;
        space.moves(state.node).try_for_each(|m| {
            if skip > 0 {
                skip -= 1;
                return Ok(());
            }
            let Some(duration) = scene.footprint.duration(space, &m) else {
                *offered += 1;
                return Ok(());
            };
            let arrive = state.tick.saturating_add(duration);
            let cost = m.cost.plus(layer.surcharge(space, &m, state.tick, &self.asker()));
            let child = State {
                node: m.to,
                tick: arrive,
                parent: slot,
                closed: false,
                action: Some(m.action),
                g: state.g.plus(cost),
                h: state.h,
            };
            self.offer(
                scene,
                &state,
                &Motion::Move(m),
                child,
                settled,
                |node| heuristic.estimate(space, node, fuel),
                observer,
            )?;
            *offered += 1;
            Ok(())
        })?;
        // Once everything is settled, waiting leads to where one is already.
        if state.tick < settled {
            let quantum = scene.footprint.wait_quantum();
            let arrive = state.tick.saturating_add(quantum);
            let per_step = scene.footprint.ticks_per_step().max(1);
            let base = if self.query.horizon < FOREVER && self.query.goals.contains(state.node) {
                C::zero()
            } else {
                self.price_of_waiting(arrive, per_step).minus(self.price_of_waiting(state.tick, per_step))
            };
            let cost = layer.wait(space, state.node, Span::new(state.tick, arrive), base, &self.asker());
            let child =
                State { tick: arrive, parent: slot, closed: false, action: None, g: state.g.plus(cost), ..state };
            let rest = Motion::Rest { node: state.node, ticks: quantum };
            self.offer(scene, &state, &rest, child, settled, |_| Ok(Some(state.h)), observer)?;
        }
        Ok(())
    }

    #[inline]
    fn asker(&self) -> Asker<'_> {
        let Query { claim, ref goals, depart, yields_until, .. } = self.query;
        Asker { claim, goals, depart, yields_until }
    }

    /// What it would cost to wait from the departure until `tick`. Waits are priced as differences of this, so that integers
    /// round once and not at every quantum: waits that add up to a step cost as much as a step.
    #[inline]
    fn price_of_waiting(&self, tick: Tick, per_step: Ticks) -> C {
        let ticks = tick - self.query.depart;
        let step = self.query.wait_cost;
        step.times(ticks / per_step).plus(step.times(ticks % per_step).part(per_step))
    }

    /// Puts `child` on the open list if it is new or better than before, and its motion is permitted.
    #[inline]
    #[allow(clippy::too_many_arguments)] // private, and each is one of the loop's own variables
    fn offer<S, F, R, L>(
        &mut self,
        scene: &Scene<'_, S, F, R, L>,
        from: &State<A, C>,
        motion: &Motion<A, C>,
        mut child: State<A, C>,
        settled: Tick,
        estimate: impl FnOnce(NodeId) -> Result<Option<C>, OutOfFuel>,
        observer: &mut impl Observer,
    ) -> Result<(), OutOfFuel>
    where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        R: ReservationStore,
    {
        if child.tick > self.query.latest || child.tick == FOREVER {
            self.limited = true;
            return Ok(());
        }
        let settles = child.tick >= settled && self.query.latest != FOREVER && self.query.horizon == FOREVER;
        if settles && self.is_dominated(&child) {
            return Ok(());
        }
        match self.seen.find(child.node, self.told_apart(child.tick, settled)) {
            Ok(known) => {
                let State { g, closed, h, .. } = self.states[known as usize];
                if child.g < g && !closed && self.permitted(scene, motion, from, observer) {
                    child.h = h;
                    self.states[known as usize] = child;
                    self.open.push(child.g.plus(h), child.g, known);
                }
            }
            Err(vacancy) => {
                if !self.permitted(scene, motion, from, observer) {
                    return Ok(());
                }
                let Some(h) = estimate(child.node)? else {
                    return Ok(());
                };
                let Ok(slot) = u32::try_from(self.states.len()) else {
                    self.limited = true;
                    return Ok(());
                };
                child.h = h;
                self.seen.insert(vacancy, slot);
                self.states.push(child);
                self.open.push(child.g.plus(h), child.g, slot);
                self.generated += 1;
                if settles {
                    self.note_earliest(&child, slot);
                }
            }
        }
        Ok(())
    }

    /// Whether the node of `child` was reached as cheaply and as early before, when nothing changes any more. With a limit
    /// on ticks this is what ends the search: a detour to where one has been is a state of its own, and of no use.
    fn is_dominated(&mut self, child: &State<A, C>) -> bool {
        let earliest = self.seen.find(child.node, EARLIEST).ok();
        earliest.is_some_and(|slot| {
            let known = &self.states[slot as usize];
            known.g <= child.g && known.tick <= child.tick
        })
    }

    fn note_earliest(&mut self, child: &State<A, C>, slot: u32) {
        match self.seen.find(child.node, EARLIEST) {
            Ok(known) if self.states[known as usize].tick <= child.tick => {}
            Ok(_) => self.seen.replace(child.node, EARLIEST, slot),
            Err(vacancy) => self.seen.insert(vacancy, slot),
        }
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
        for (from, to) in slots.iter().rev().zip(slots.iter().rev().skip(1)) {
            let (from, to) = (&self.states[*from as usize], &self.states[*to as usize]);
            match to.action {
                None => path.push_rest(to.node, from.tick, to.tick - from.tick),
                Some(action) => {
                    if let Some(m) = move_by_action(space, from.node, action) {
                        path.steps.push(Step { motion: Motion::Move(m), depart: from.tick, arrive: to.tick });
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
