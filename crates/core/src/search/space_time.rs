//! Space-time A*: a cheapest path for one agent among everybody's reservations.
//!
//! Silver, "Cooperative Pathfinding", AI Game Programming Wisdom 3, 2006, section "The Third Dimension". Differs from the
//! article: actions take any number of ticks and cover any cells, as the footprint says; and once no reservation
//! changes any more, all times are one, so that the search ends where the article's would wait for ever. With a
//! [horizon](Query::horizon) it is the article's fixed depth search.
//!
//! The loop is here. The states are in `tree.rs`; how their successors are found, and which states are one, is in `quanta.rs` and
//! `safe_intervals.rs`.

use super::NoPath;
use super::query::{Query, Scene};
use super::tree::{Cursor, SearchTree, State};
use crate::cost::Cost;
use crate::footprint::{Footprint, Motion};
use crate::fuel::Fuel;
use crate::heuristic::Heuristic;
use crate::layer::CostLayer;
use crate::observer::Observer;
use crate::path::{AtEnd, Path};
use crate::reservation::ReservationStore;
use crate::space::SpaceGraph;
use crate::time::FOREVER;

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
    tree: SearchTree<A, C>,
    /// Whether the start has been put on the open list; its estimate may need fuel.
    started: bool,
    /// The state whose expansion the fuel cut short, and how far that had come. It goes on first, and from there, so that the
    /// fuel decides when things happen and not what.
    interrupted: Option<(u32, Cursor)>,
    /// The estimate at the end of the path that was found.
    remaining: Option<C>,
    /// The expanded state with the latest tick, and among those the smallest f.
    latest_expanded: Option<u32>,
    expanded: u64,
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
            tree: SearchTree::new(),
            started: true,
            interrupted: None,
            remaining: None,
            latest_expanded: None,
            expanded: 0,
        }
    }

    /// How many states have been expanded since the question was asked.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// How many states have been put on the open list since the question was asked.
    pub fn generated(&self) -> u64 {
        self.tree.generated
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
        Some(self.tree.path_to(space, self.latest_expanded?))
    }

    /// Asks a new question, and forgets the last one.
    pub fn begin(&mut self, query: Query<C>) {
        self.tree.begin(query);
        self.started = false;
        self.interrupted = None;
        self.remaining = None;
        self.latest_expanded = None;
        self.expanded = 0;
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
    /// [`Suspended::OutOfFuel`](crate::Suspended::OutOfFuel): call again with more fuel to go on. The other reasons are final.
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
        let settled = match self.tree.query.horizon {
            FOREVER => scene.reservations.settled_from().max(scene.layer.settled_from()),
            horizon => horizon,
        };
        let free = self.tree.free_intervals(scene);
        if !self.started {
            if scene.space.contains(self.tree.query.start)
                && let Some(h) = heuristic.estimate(scene.space, self.tree.query.start, fuel)?
            {
                self.tree.push_start(h, settled);
                if let Some(free) = free {
                    self.tree.stay_at_start(scene, free);
                }
            }
            self.started = true;
        }
        while let Some((slot, mut cursor)) =
            self.interrupted.take().or_else(|| Some((self.tree.open.pop()?, Cursor::default())))
        {
            let state = self.tree.states[slot as usize];
            if state.closed {
                continue;
            }
            if self.tree.query.ends(state.node, state.tick) && self.may_end(scene, &state, observer) {
                if let Err(out) = fuel.burn() {
                    self.interrupted = Some((slot, cursor));
                    return Err(out.into());
                }
                self.expanded += 1;
                observer.expanded(state.node, state.tick);
                self.remaining = Some(state.h);
                return Ok(self.tree.path_to(scene.space, slot));
            }
            let expansion = match free {
                None => self.tree.expand_by_quanta(scene, slot, settled, &mut cursor, heuristic, fuel, observer),
                Some(free) => {
                    self.tree.expand_by_intervals(scene, free, slot, settled, &mut cursor, heuristic, fuel, observer)
                }
            };
            if let Err(out) = expansion.and_then(|()| fuel.burn()) {
                self.interrupted = Some((slot, cursor));
                return Err(out.into());
            }
            self.tree.states[slot as usize].closed = true;
            // States come in order of f: the first of a tick has the smallest.
            if self.latest_expanded.is_none_or(|latest| self.tree.holds_out(latest) < self.tree.holds_out(slot)) {
                self.latest_expanded = Some(slot);
            }
            self.expanded += 1;
            observer.expanded(state.node, state.tick);
        }
        Err(if self.tree.limited { NoPath::LimitReached } else { NoPath::Exhausted })
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
        match self.tree.query.at_end {
            AtEnd::Disappear => true,
            AtEnd::Stay => self.tree.permitted(scene, &stay, state, observer),
        }
    }
}
