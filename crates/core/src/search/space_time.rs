//! Space-time A*: a cheapest path for one agent among the reservations of all agents.
//!
//! Silver, "Cooperative Pathfinding", AI Game Programming Wisdom 3, 2006, section "The Third Dimension". Differs from
//! the article in two points. Actions take any number of ticks and cover any cells, as the footprint says. Once no
//! reservation changes any more, all times are one, so the search ends where the article's search would wait for ever.
//! With a [horizon](Query::horizon) it is the article's fixed depth search.
//!
//! This file has the loop. `tree.rs` has the states. `quanta.rs` and `safe_intervals.rs` find successors and say which
//! states are one.

use super::no_path::NoPath;
use super::quanta::WAITS;
use super::query::Query;
use super::scene::SceneParts;
use super::smoothing::smooth;
use super::tree::{Cursor, SearchTree, State};
use crate::estimate::Heuristic;
use crate::layer::CostLayer;
use crate::observer::Observer;
use crate::reservation::ReservationStore;
use crate::space::{SpaceGraph, may_begin};
use crate::vocabulary::{AtEnd, Cost, FOREVER, Fuel, Motion, Path, Tick};

/// Space-time A* with reused memory: after a few searches it allocates only the paths that it returns, unless they are
/// [given back](Self::give_back).
///
/// [`begin`](Self::begin) takes the query, and [`advance`](Self::advance) works on it while the fuel lasts. Between
/// `begin` and the last `advance` the scene must not change.
///
/// Memory and time grow with the number of states reached, and with the number of moves from the nodes of these states.
/// With quanta the first search also sets aside 24 bytes for each node id below 2^24. Only the bytes that searches
/// touch take memory.
///
/// States are (node, tick) pairs. The number of states is finite: either the query has a last tick, or all ticks after
/// [`settled_from`](ReservationStore::settled_from) count as one tick. [Safe
/// intervals](crate::TimeModel::SafeIntervals) reach fewer states.
#[derive(Clone, Debug)]
pub struct SpaceTimeSearch<A, C: Cost> {
    tree: SearchTree<A, C>,
    /// Whether the start has been put on the open list: its estimate may need fuel.
    started: bool,
    /// The state whose expansion ran out of fuel, and how far the expansion had come. It is continued first, and from
    /// there: fuel must not change the result.
    interrupted: Option<(u32, Cursor<C>)>,
    /// The estimate at the end of the path that was found.
    remaining: Option<C>,
    /// The expanded state in which the agent can stay longest, after the tick until which it can stay. Among equals,
    /// the state with the smallest f.
    latest_expanded: Option<(Tick, u32)>,
    expanded: u64,
}

impl<A: Copy + Eq, C: Cost> Default for SpaceTimeSearch<A, C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Copy + Eq, C: Cost> SpaceTimeSearch<A, C> {
    /// A new search. Without a query it finds no path.
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

    /// The number of states expanded since [`begin`](Self::begin).
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// The number of states put on the open list since [`begin`](Self::begin).
    pub fn generated(&self) -> u64 {
        self.tree.generated
    }

    /// The estimate at the end of the path found. The estimate is more than zero only if a [horizon](Query::horizon)
    /// has ended the path before a goal. `None`: no path has been found.
    pub fn remaining(&self) -> Option<C> {
        self.remaining
    }

    /// After the answer [`NoPath::Exhausted`]: a cheapest path to the place where the agent can stay longest. The agent
    /// has to leave that place later, but other agents are in the way. `None`: no state has been expanded.
    ///
    /// With [safe intervals](crate::TimeModel::SafeIntervals) the path ends with the last move, and does not show how
    /// long the agent can stay.
    pub fn longest<S>(&self, space: &S) -> Option<Path<A, C>>
    where
        S: SpaceGraph<Action = A, Cost = C>,
    {
        Some(self.tree.path_to(space, self.latest_expanded?.1, Vec::new()))
    }

    /// Uses the memory of `path`, which is not needed any more, for the next path. A caller that gives back all paths
    /// makes searches that allocate nothing.
    pub fn give_back(&mut self, path: Path<A, C>) {
        self.tree.spare = path.steps;
        self.tree.spare.clear();
    }

    /// Takes a new query, and forgets the last one.
    pub fn begin(&mut self, query: Query<C>) {
        self.tree.begin(query);
        self.started = false;
        self.interrupted = None;
        self.remaining = None;
        self.latest_expanded = None;
        self.expanded = 0;
    }

    /// Takes `query` and answers it in one call; see [`advance`](Self::advance).
    ///
    /// # Errors
    /// As for `advance`; fuel never runs out.
    pub fn find<W: SceneParts<Action = A, Cost = C>>(
        &mut self,
        scene: &W,
        query: Query<C>,
        heuristic: &mut impl Heuristic<W::Space>,
    ) -> Result<Path<A, C>, NoPath> {
        self.find_with(scene, query, heuristic, &mut Fuel::unlimited(), &mut ())
    }

    /// [`find`](Self::find) with a bound on work, watched by `observer`. If the fuel runs out, continue with
    /// [`advance`](Self::advance).
    ///
    /// # Errors
    /// As for `advance`.
    pub fn find_with<W: SceneParts<Action = A, Cost = C>>(
        &mut self,
        scene: &W,
        query: Query<C>,
        heuristic: &mut impl Heuristic<W::Space>,
        fuel: &mut Fuel,
        observer: &mut impl Observer,
    ) -> Result<Path<A, C>, NoPath> {
        self.begin(query);
        self.advance(scene, heuristic, fuel, observer)
    }

    /// Works on the query until it is answered or the fuel runs out.
    ///
    /// A path is allowed if the store permits all its entries to the agent. The result is a cheapest allowed path. The
    /// store is not asked about the start, because the agent is already there. Among paths of equal cost, the search
    /// takes the path found first. Which path is found first depends only on the order of the space's moves. Then
    /// [shortcuts](SpaceGraph::shortcut) replace moves of the path where no agent has reservations. A shortcut does not
    /// change the cost and the times of the path.
    ///
    /// `heuristic` must be consistent; layers may only add to costs.
    ///
    /// # Errors
    /// [`NoPath::Suspended`]: call again, with more fuel or memory, to continue. The other errors are final.
    pub fn advance<W: SceneParts<Action = A, Cost = C>>(
        &mut self,
        scene: &W,
        heuristic: &mut impl Heuristic<W::Space>,
        fuel: &mut Fuel,
        observer: &mut impl Observer,
    ) -> Result<Path<A, C>, NoPath> {
        let settled = match self.tree.query.horizon {
            FOREVER => scene.reservations().settled_from().max(scene.layer().settled_from()),
            horizon => horizon,
        };
        self.tree.settle(settled, scene.space().facts().period.max(1));
        let free = self.tree.free_intervals(scene);
        if !self.started {
            if may_begin(scene.space(), self.tree.query.start)
                && let Some(h) = heuristic.estimate(scene.space(), self.tree.query.start, fuel)?
            {
                self.tree.push_start(h);
                match free {
                    Some(free) => self.tree.stay_at_start(scene, free),
                    None => self.tree.reach_start(scene.space().node_bound()),
                }
            }
            self.started = true;
        }
        loop {
            let (slot, mut cursor) = match self.interrupted.take() {
                Some(interrupted) => interrupted,
                None => match self.tree.open.pop() {
                    None => break,
                    Some(note) if free.is_none() && note.1 & WAITS != 0 => {
                        self.tree.wait_at(scene, note, observer);
                        continue;
                    }
                    Some((_, slot)) => (slot, Cursor { due: self.tree.open.f(), moves: 0, depart: None }),
                },
            };
            let state = self.tree.states[slot as usize];
            if state.closed {
                if free.is_none()
                    && state.done < cursor.due
                    && let Err(out) = self.tree.expand_by_quanta(scene, slot, cursor.due, heuristic, fuel, observer)
                {
                    self.interrupted = Some((slot, cursor));
                    return Err(out.into());
                }
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
                let steps = std::mem::take(&mut self.tree.spare);
                return Ok(smooth(scene, &self.tree.query, self.tree.path_to(scene.space(), slot, steps)));
            }
            let expansion = match free {
                None => self.tree.expand_by_quanta(scene, slot, cursor.due, heuristic, fuel, observer),
                Some(free) => self
                    .tree
                    .expand_by_intervals(scene, free, slot, &mut cursor, heuristic, fuel, observer)
                    .and_then(|()| fuel.burn()),
            };
            if let Err(out) = expansion {
                self.interrupted = Some((slot, cursor));
                return Err(out.into());
            }
            self.tree.states[slot as usize].closed = true;
            // States come in order of f: the first one of each tick has the smallest f.
            let until = self.tree.holds_out(slot, state.tick);
            if self.latest_expanded.is_none_or(|(latest, _)| latest < until) {
                self.latest_expanded = Some((until, slot));
            }
            self.expanded += 1;
            observer.expanded(state.node, state.tick);
        }
        Err(if self.tree.limited { NoPath::LimitReached } else { NoPath::Exhausted })
    }

    /// Whether the agent may end its path in `state`.
    fn may_end<W: SceneParts<Action = A, Cost = C>>(
        &mut self,
        scene: &W,
        state: &State<A, C>,
        observer: &mut impl Observer,
    ) -> bool {
        let stay = Motion::Rest { node: state.node, ticks: FOREVER };
        match self.tree.query.at_end {
            AtEnd::Disappear => true,
            AtEnd::Stay => self.tree.permitted(scene, &stay, state, observer),
        }
    }
}
