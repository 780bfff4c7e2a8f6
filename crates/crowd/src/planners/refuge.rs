//! Refuges: an agent that stands where an agent on a path of its own is about to come goes to the nearest place where
//! it can stay. Others may have to leave such a place for a place of their own, and so on; if that fails, nothing
//! changes.
//!
//! It is a search without distances: it takes as much work for an agent whose way is not known, and little work in any
//! case. So the agents in the way of a train get out of it at the smallest budgets.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use giveway_core::{AgentId, Claim, Entry, NodeId, Rank, Tick};
use rustc_hash::FxHashSet;

use super::context::Context;
use super::step::occupied;
use crate::ledger::Schedule;
use crate::state::State;
use giveway_members::chain::Planner;
use giveway_members::leg::Leg;
use giveway_members::rank::{PUSH, RESTING};
use giveway_members::roster::Slot;

/// A search for a place looks at no more states than this, each a node and a tick: where nobody is to lose anything, and
/// otherwise.
const MOST_FREE: usize = 24;
const MOST_STATES: usize = 256;

/// After the first place that is free for long enough, a search looks at so many more states for one that is free for
/// longer.
const MOST_AFTER: usize = 16;

/// Agents that leave for each other are at most this many, and try so many places in all.
const LONGEST_CHAIN: usize = 16;
const MOST_PLACES: usize = 64;

/// The price of releasing what an agent holds and beginning a search, in units of work; and the number of entries that
/// are reserved in the time of a unit.
const BEGINNING: u64 = 3;
const ENTRIES: u64 = 8;

/// Makes `slot` go where it can stay until `until`: at the expense of nobody, or else of agents that are `stuck` and
/// can go elsewhere, or else of all agents that can. Returns whether there is such a place.
pub(super) fn seek(context: &mut Context<'_, '_>, slot: Slot, stuck: &FxHashSet<Slot>, until: Tick) -> bool {
    [(RESTING, false), (RESTING, true), (PUSH, true)].into_iter().any(|(asks, moves_stuck)| {
        let mark = context.state.ledger.mark();
        let terms = Terms { asks, moves_stuck, stuck, until };
        let mut flight =
            Flight { terms, gone: Vec::new(), tried: Vec::new(), hopeless: FxHashSet::default(), places: 0 };
        let found = flight.leave(context, slot);
        if !found {
            context.state.ledger.take_back(mark);
        }
        context.state.ledger.settle();
        flight.end(context, found);
        found
    })
}

/// The terms on which agents look for places.
#[derive(Clone, Copy)]
struct Terms<'s> {
    /// They go around reservations of this rank and above.
    asks: Rank,
    /// Whether they go where agents stand that are stuck.
    moves_stuck: bool,
    /// The agents that stay where they are, though others may have reserved their places.
    stuck: &'s FxHashSet<Slot>,
    /// A place is free until then at least.
    until: Tick,
}

impl Terms<'_> {
    /// The stuck agents that `agent` would meet in `entries`.
    fn met(&self, state: &State<'_>, agent: AgentId, entries: &[Entry]) -> Vec<Slot> {
        let met = state.ledger.presence().map_or_else(Vec::new, |presence| presence.all_met(agent, entries));
        state.roster.slots_of(met).into_iter().filter(|slot| self.stuck.contains(slot)).collect()
    }

    /// Whether `agent` may have `entries`.
    fn permit(&self, state: &State<'_>, agent: AgentId, entries: &[Entry]) -> bool {
        state.ledger.permits(entries, Claim { agent, rank: self.asks })
            && (self.moves_stuck || self.met(state, agent, entries).is_empty())
    }
}

/// Agents that leave for each other.
struct Flight<'s> {
    terms: Terms<'s>,
    /// Those that have left, and how.
    gone: Vec<(Slot, Vec<Leg>)>,
    /// All that have tried.
    tried: Vec<Slot>,
    /// Agents that have tried all their places. They do not try again, so that work goes into other ways out.
    hopeless: FxHashSet<Slot>,
    /// How many places were tried.
    places: usize,
}

impl Flight<'_> {
    /// Whether `slot` need not try to leave: it has failed to, or too many have left.
    fn is_hopeless(&self, slot: Slot) -> bool {
        self.gone.len() >= LONGEST_CHAIN || self.hopeless.contains(&slot)
    }

    /// Makes `slot` go somewhere else, and all in its way. If it returns `false`, the store has to be taken back.
    fn leave(&mut self, context: &mut Context<'_, '_>, slot: Slot) -> bool {
        if self.is_hopeless(slot) || !context.state.roster[slot].makes_way() {
            return false;
        }
        self.tried.push(slot);
        context.work.charge(BEGINNING);
        let (_, depart) = context.state.roster[slot].motion.free_at(context.now());
        context.state.ledger.release(slot, depart);
        // Whoever leaves for another one goes where nobody loses anything, if there is such a place.
        let free = Terms { asks: RESTING, moves_stuck: false, ..self.terms };
        let first = (!self.gone.is_empty()).then_some(free);
        for terms in first.into_iter().chain([self.terms]) {
            let mut search = Search::begin(context.state, slot);
            while let Some(legs) = search.next(context, &terms) {
                self.places += 1;
                if self.places > MOST_PLACES {
                    return false;
                }
                let mark = context.state.ledger.mark();
                let gone = self.gone.len();
                if self.take(context, slot, legs) {
                    return true;
                }
                context.state.ledger.take_back(mark);
                self.gone.truncate(gone);
            }
        }
        self.hopeless.insert(slot);
        false
    }

    /// Makes `slot` go by `legs`, and all in its way somewhere else.
    fn take(&mut self, context: &mut Context<'_, '_>, slot: Slot, legs: Vec<Leg>) -> bool {
        let State { world, roster, ledger, clock, .. } = &mut *context.state;
        let (mut entries, mut evicted) = (Vec::new(), Vec::new());
        occupied(world, &roster[slot], *clock, &legs, &mut entries);
        context.work.charge(entries.len() as u64 / ENTRIES);
        if ledger.take(slot, PUSH, &entries, &mut evicted).is_err() {
            return false;
        }
        self.gone.push((slot, legs));
        let agent = roster[slot].id();
        let mut losers: Vec<Slot> = roster.slots_of(evicted).into_iter().collect();
        for other in self.terms.met(context.state, agent, &entries) {
            // Those that have gone leave in time.
            if !losers.contains(&other) && self.gone.iter().all(|(gone, _)| *gone != other) {
                losers.push(other);
            }
        }
        if losers.iter().any(|loser| self.is_hopeless(*loser)) || self.gone.len() + losers.len() > LONGEST_CHAIN {
            return false;
        }
        losers.into_iter().all(|loser| {
            let has_gone = self.gone.iter().any(|(gone, _)| *gone == loser);
            !has_gone && self.leave(context, loser)
        })
    }

    /// Gives all that have left their plans, if the way was `found`.
    fn end(self, context: &mut Context<'_, '_>, found: bool) {
        let now = context.now();
        let State { world, roster, ledger, .. } = &mut *context.state;
        self.tried.into_iter().for_each(|slot| ledger.forget_attempt(slot));
        for (slot, legs) in self.gone.into_iter().filter(|_| found) {
            let member = &mut roster[slot];
            if let Some(last) = legs.last() {
                // From then on others may make it step aside.
                ledger.hold_while_free(slot, RESTING, &world[member.class()], last.to, last.arrive);
            }
            ledger.change_plan(slot, Schedule::new(legs, None).by(Planner::Step));
            member.turn.ask(now);
            roster.wake(slot);
        }
    }
}

/// A node where the agent may be from a tick on.
struct Reached {
    node: NodeId,
    at: Tick,
    /// The position of the state before it; the first one names itself.
    before: usize,
    /// The motion that leads there from the state `before`.
    leg: Leg,
}

/// The search for places, by the time that it takes to get there; among equals, the nearest to the goals.
struct Search {
    slot: Slot,
    /// The states to go on from: the tick, the distance to the goals as bits, and the position.
    open: BinaryHeap<Reverse<(Tick, u64, usize)>>,
    states: Vec<Reached>,
    /// The nodes and ticks of all states.
    known: FxHashSet<(NodeId, Tick)>,
    /// The states at places that are not free for longer than they have to be.
    second: Vec<usize>,
    /// How many of these were returned.
    returned: usize,
    /// How many states were looked at.
    looked_at: usize,
}

impl Search {
    fn begin(state: &State<'_>, slot: Slot) -> Self {
        let (node, at) = state.roster[slot].motion.free_at(state.clock.now);
        let states = vec![Reached { node, at, before: 0, leg: Leg::resting(node, at, at) }];
        let open = BinaryHeap::from([Reverse((at, 0, 0))]);
        let known = FxHashSet::from_iter([(node, at)]);
        Self { slot, open, states, known, second: Vec::new(), returned: 0, looked_at: 0 }
    }

    /// The way to the next place on these `terms`; `None`: there is no other, or no work left.
    fn next(&mut self, context: &mut Context<'_, '_>, terms: &Terms<'_>) -> Option<Vec<Leg>> {
        let (agent, until) = (context.state.roster[self.slot].id(), terms.until);
        let far = until.saturating_add(context.state.ledger.longest_window());
        let most = if terms.asks == RESTING { MOST_FREE } else { MOST_STATES };
        let mut most = if self.second.is_empty() { most } else { self.looked_at };
        while self.looked_at < most {
            if self.open.is_empty() || context.work.fuel.burn().is_err() {
                break;
            }
            let Some(Reverse((at, _, index))) = self.open.pop() else { break };
            self.looked_at += 1;
            let node = self.states[index].node;
            let is_free =
                |until| terms.permit(context.state, agent, &context.state.class(self.slot).room(node, at, until));
            let is_place = at < until && is_free(until);
            let is_good = is_place && is_free(far);
            self.go_on(context, index, terms);
            if is_good {
                return Some(self.legs(index, until));
            }
            if is_place {
                if self.second.is_empty() {
                    most = most.min(self.looked_at + MOST_AFTER);
                }
                self.second.push(index);
            }
        }
        let index = *self.second.get(self.returned)?;
        self.returned += 1;
        Some(self.legs(index, until))
    }

    /// Reaches what lies one motion away from the state at `index`.
    fn go_on(&mut self, context: &mut Context<'_, '_>, index: usize, terms: &Terms<'_>) {
        let Reached { node, at, .. } = self.states[index];
        let state = &*context.state;
        let (class, agent) = (state.class(self.slot), state.roster[self.slot].id());
        let mut legs = vec![Leg::resting(node, at, at.saturating_add(state.clock.ticks_per_step))];
        class.for_each_move(node, at, &mut |leg, _| legs.push(leg));
        let mut entries = Vec::new();
        legs.retain(|leg| {
            let is_new = !self.known.contains(&(leg.to, leg.arrive));
            let is_possible = leg.arrive < terms.until && class.allows(leg) && !class.must_wait(leg);
            if !is_new || !is_possible {
                return false;
            }
            entries.clear();
            class.sweep(leg, &mut entries);
            let is_open = terms.permit(state, agent, &entries);
            is_open && self.known.insert((leg.to, leg.arrive))
        });
        let State { world, roster, .. } = &mut *context.state;
        let member = &roster[self.slot];
        let nodes: Vec<NodeId> = legs.iter().map(|leg| leg.to).collect();
        let mut known = Vec::with_capacity(nodes.len());
        world[member.class()].distances(member.order.goals(), &nodes, &mut known);
        for (leg, left) in legs.into_iter().zip(known) {
            self.open.push(Reverse((leg.arrive, left.map_or(0, f64::to_bits), self.states.len())));
            self.states.push(Reached { node: leg.to, at: leg.arrive, before: index, leg });
        }
    }

    /// The legs to the state at `index`, and the rest there until `until`.
    fn legs(&self, index: usize, until: Tick) -> Vec<Leg> {
        let Reached { node, at, .. } = self.states[index];
        let mut legs = vec![Leg::resting(node, at, until)];
        let mut index = index;
        while index > 0 {
            let Reached { before, leg, .. } = self.states[index];
            legs.push(leg);
            index = before;
        }
        legs.reverse();
        legs
    }
}
