//! The search tree of a space-time A*: the states reached, how each was reached, and which of them are open.

use std::ops::ControlFlow;

use super::nodes_reached::NodesReached;
use super::query::Query;
use super::scene::SceneParts;
use crate::footprint::Footprint;
use crate::graph::open_list::{OpenList, Ties};
use crate::graph::seen::Seen;
use crate::layer::Asker;
use crate::observer::Observer;
use crate::reservation::{Claim, ReservationStore};
use crate::space::{SpaceGraph, move_by_action};
use crate::vocabulary::{Cost, FOREVER, Goals, Motion, Move, NodeId, Path, Step, Tick, Ticks};

/// The states reached for one query.
#[derive(Clone, Debug)]
pub(super) struct SearchTree<A, C: Cost> {
    pub(super) query: Query<C>,
    pub(super) states: Vec<State<A, C>>,
    /// With safe intervals, more about each state; else empty.
    pub(super) stays: Vec<Stay>,
    pub(super) open: OpenList<C, (C, u32)>,
    /// With quanta, the moves from each node that was expanded, and the estimates at their ends. Moves to where no goal
    /// can be reached are left out.
    pub(super) moves: Vec<(Move<A, C>, C)>,
    /// With quanta, the nodes and ticks of all states, and where in `moves` the moves of a node are.
    pub(super) reached: NodesReached,
    /// With safe intervals, or under a limit on ticks, a state of each node.
    pub(super) seen: Seen<u32>,
    /// Whether states were left out: later than the query permits, or too many to number.
    pub(super) limited: bool,
    /// How many states have been put on the open list.
    pub(super) generated: u64,
    /// The moves and entries of the store that were looked at, and are not paid for yet.
    pub(super) looked_at: usize,
    /// After how many ticks the departures of moves repeat.
    pub(super) period: Ticks,
    /// From this tick on nothing changes, so arriving later is never better than arriving now. With a horizon, it is
    /// the tick that the path must reach.
    pub(super) settled: Tick,
    /// Until this tick, all ticks are told apart.
    told_apart_until: Tick,
    /// Memory for the steps of the next path.
    pub(super) spare: Vec<Step<A, C>>,
    /// How many searches in a row have used little of the memory.
    small_searches: u32,
}

/// Memory for so many states is kept for the next search. More is kept as long as searches use much of it: after
/// `SMALL_SEARCHES` in a row that use less than an eighth, it is given back.
const KEPT_STATES: usize = 4096;
const SMALL_SEARCHES: u32 = 64;

/// The tick under which the table of seen states keeps one state per node: the earliest settled one, or with safe
/// intervals the last one found. No state arrives at this tick, nor within a period before it.
pub(super) const EARLIEST: Tick = FOREVER;

/// A node, the tick of arrival, and the action that led there.
#[derive(Clone, Copy, Debug)]
pub(super) struct State<A, C> {
    pub(super) node: NodeId,
    pub(super) tick: Tick,
    /// The slot from which it was reached; its own slot for the start.
    pub(super) parent: u32,
    /// It has been expanded, or need not be.
    pub(super) closed: bool,
    /// With quanta: a move from it costs more than the space says.
    pub(super) surcharged: bool,
    /// The move by which it was reached; `None`: a wait.
    pub(super) action: Option<A>,
    pub(super) g: C,
    pub(super) h: C,
    /// With quanta, if it has been expanded: the f up to which its successors are known.
    pub(super) done: C,
}

impl<A, C: Cost> State<A, C> {
    /// A state that has not been expanded.
    #[inline]
    pub(super) fn new(node: NodeId, tick: Tick, parent: u32, action: Option<A>, g: C, h: C) -> Self {
        Self { node, tick, parent, closed: false, surcharged: false, action, g, h, done: C::zero() }
    }
}

/// More about a state, with safe intervals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stay {
    /// When the move to this state began.
    pub(super) departed: Tick,
    /// Until when the agent may rest there.
    pub(super) until: Tick,
    /// Another state of the same node; the state's own slot if there is none.
    pub(super) next: u32,
}

/// How far the expansion of a state has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<C> {
    /// The f with which its turn came.
    pub(super) due: C,
    /// With safe intervals, the number of moves done.
    pub(super) moves: usize,
    /// With safe intervals, the departure from which on the next move continues.
    pub(super) depart: Option<Tick>,
}

impl<A: Copy + Eq, C: Cost> SearchTree<A, C> {
    /// A tree without a query.
    pub(super) fn new() -> Self {
        Self {
            query: Query::new(Claim::plain(crate::AgentId(0)), NodeId(0), Goals::from_iter([])),
            states: Vec::new(),
            stays: Vec::new(),
            open: OpenList::new(Ties::Farthest),
            moves: Vec::new(),
            reached: NodesReached::new(),
            seen: Seen::new(),
            limited: false,
            generated: 0,
            looked_at: 0,
            period: 1,
            settled: 0,
            told_apart_until: 0,
            spare: Vec::new(),
            small_searches: 0,
        }
    }

    /// Forgets all states, and takes a new query.
    pub(super) fn begin(&mut self, query: Query<C>) {
        let is_small = self.states.len() < self.states.capacity() / 8;
        self.query = query;
        self.states.clear();
        self.stays.clear();
        self.open.begin(C::zero());
        self.moves.clear();
        self.reached.clear();
        self.seen.clear();
        self.limited = false;
        (self.generated, self.looked_at) = (0, 0);
        self.small_searches = if is_small { self.small_searches + 1 } else { 0 };
        if self.small_searches == SMALL_SEARCHES {
            self.give_back_memory();
        }
    }

    /// Gives back most of the memory of large searches: what they keep by state.
    #[cold]
    fn give_back_memory(&mut self) {
        self.small_searches = 0;
        self.states.shrink_to(KEPT_STATES);
        self.stays.shrink_to(KEPT_STATES);
        self.moves.shrink_to(KEPT_STATES);
        self.open.give_back_memory(KEPT_STATES);
    }

    /// Puts the start on the open list, with the estimate `h`.
    pub(super) fn push_start(&mut self, h: C) {
        let (node, tick) = (self.query.start, self.query.depart);
        let zero = C::zero();
        self.states.push(State::new(node, tick, 0, None, zero, h));
        self.open.push(h, (zero, 0));
        self.generated += 1;
    }

    /// With quanta: notes that the start was reached, one of `bound` nodes.
    pub(super) fn reach_start(&mut self, bound: usize) {
        self.reached.make_room(bound);
        self.reached.insert(self.query.start, self.told_apart(self.query.depart));
    }

    /// Notes from which tick on nothing changes. From that tick on all ticks are one, or one for each tick of a period.
    /// Under a limit or a horizon all ticks are told apart: the cheaper of two ways to a node may break a limit that
    /// the shorter way keeps, and beyond a horizon other agents still move.
    pub(super) fn settle(&mut self, settled: Tick, period: Ticks) {
        let is_bounded = self.query.latest != FOREVER || self.query.horizon != FOREVER;
        self.told_apart_until = if is_bounded { FOREVER } else { settled };
        (self.settled, self.period) = (settled, period);
    }

    /// The tick that tells a state from others.
    #[inline(always)]
    pub(super) fn told_apart(&self, tick: Tick) -> Tick {
        let until = self.told_apart_until;
        if tick <= until { tick } else { until + (tick - until) % self.period }
    }

    /// Whether the store permits every entry of `motion`, which begins in `state`.
    #[inline(always)]
    pub(super) fn permitted<W: SceneParts<Action = A, Cost = C>>(
        &mut self,
        scene: &W,
        motion: &Motion<A, C>,
        state: &State<A, C>,
        observer: &mut impl Observer,
    ) -> bool {
        let claim = self.query.claim;
        scene
            .footprint()
            .sweep(scene.space(), motion, state.tick, &mut |entry| {
                self.looked_at += 1;
                if scene.reservations().permits(&entry, claim) {
                    ControlFlow::Continue(())
                } else {
                    observer.blocked(state.node, state.tick, &entry);
                    ControlFlow::Break(())
                }
            })
            .is_continue()
    }

    /// The agent that asks, for layers.
    #[inline]
    pub(super) fn asker(&self) -> Asker<'_> {
        let Query { claim, ref goals, depart, yields_until, .. } = self.query;
        Asker { claim, goals, depart, yields_until }
    }

    /// The cost of waiting from the departure until `tick`. Waits are priced as differences of this value, so that
    /// integers round once and not at every quantum: waits that add up to a step cost as much as a step.
    #[inline]
    pub(super) fn price_of_waiting(&self, tick: Tick, per_step: Ticks) -> C {
        let ticks = tick - self.query.depart;
        let step = self.query.wait_cost;
        step.times(ticks / per_step).plus(step.times(ticks % per_step).part(per_step))
    }

    /// How many states come before the one at `slot`.
    fn steps_to(&self, mut slot: u32) -> usize {
        let mut steps = 0;
        while self.states[slot as usize].parent != slot {
            slot = self.states[slot as usize].parent;
            steps += 1;
        }
        steps
    }

    /// The path to the state at `slot`, with the memory of `steps`, which is empty.
    pub(super) fn path_to<S>(&self, space: &S, slot: u32, steps: Vec<Step<A, C>>) -> Path<A, C>
    where
        S: SpaceGraph<Action = A, Cost = C>,
    {
        let mut path = Path { steps, ..Path::standing(self.query.start, self.query.depart, self.query.at_end) };
        path.cost = self.states[slot as usize].g;
        path.steps.reserve(self.steps_to(slot));
        // From the end to the start, so that the parents need no list.
        let steps = &mut path.steps;
        let rest_before = |node, depart: Tick, arrive: Tick, steps: &mut Vec<Step<A, C>>| match steps.last_mut() {
            Some(Step { motion: Motion::Rest { node: at, ticks }, depart: begin, .. })
                if *at == node && *begin == arrive =>
            {
                (*begin, *ticks) = (depart, ticks.saturating_add(arrive - depart));
            }
            _ => steps.push(Step { motion: Motion::Rest { node, ticks: arrive - depart }, depart, arrive }),
        };
        let mut last = slot;
        while self.states[last as usize].parent != last {
            let (to, stay) = (&self.states[last as usize], self.stays.get(last as usize));
            last = to.parent;
            let from = &self.states[last as usize];
            match to.action {
                None => rest_before(to.node, from.tick, to.tick, steps),
                Some(action) => {
                    let depart = stay.map_or(from.tick, |stay| stay.departed);
                    if let Some(m) = move_by_action(space, from.node, action) {
                        steps.push(Step { motion: Motion::Move(m), depart, arrive: to.tick });
                    }
                    if from.tick < depart {
                        rest_before(from.node, from.tick, depart, steps);
                    }
                }
            }
        }
        steps.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::AgentId;

    #[test]
    fn memory_of_a_large_search_is_given_back_after_many_small_ones() {
        let query = || Query::new(Claim::plain(AgentId(0)), NodeId(0), Goals::from_iter([]));
        let mut tree = SearchTree::<u8, u32>::new();
        let mut search = |states: u32| {
            tree.begin(query());
            for slot in 0..states {
                tree.states.push(State::new(NodeId(slot), 0, 0, None, 0, 0));
                tree.open.push(slot % 1000, (0, slot));
            }
            tree.states.capacity()
        };
        let large = search(50_000);
        assert!((0..SMALL_SEARCHES).all(|_| search(10) == large));
        assert!(search(10) <= KEPT_STATES);
        // Searches that use the memory keep it.
        let large = search(50_000);
        for _ in 0..200 {
            assert!((0..20).all(|_| search(10) == large));
            assert_eq!(search(10_000), large);
        }
    }

    #[test]
    fn waits_that_add_up_to_a_step_cost_as_much_as_a_step() {
        let mut tree = SearchTree::<(), u32>::new();
        tree.query = Query { depart: 5, ..Query::new(Claim::plain(AgentId(0)), NodeId(0), Goals::from_iter([])) };
        for per_step in [1, 7, 64, 300, 2000] {
            let price = |tick| tree.price_of_waiting(tick, per_step);
            let waits = |from: Tick| (from..from + per_step).map(|tick| price(tick + 1) - price(tick)).sum::<u32>();
            assert_eq!(waits(5), 1000, "{per_step}");
            assert_eq!(waits(5 + 3 * per_step), 1000, "{per_step}");
        }
    }
}
