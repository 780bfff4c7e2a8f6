//! Stuck agents: agents that have come no nearer to their goals for long. Each comes with a least set of agents that
//! would have to go so that it can come nearer.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use giveway_core::{AgentId, FOREVER, Fuel, NodeId, Suspended, Tick, Ticks};
use rustc_hash::FxHashMap;

use crate::ledger::Presence;
use crate::report::{Report, Stuck};
use crate::state::State;
use giveway_members::leg::Leg;
use giveway_members::roster::{Member, Slot};

/// Each agent is looked at once in `ROUND` ticks.
const ROUND: Ticks = 16;

/// The search for a way past other agents looks at no more places than this.
const MOST_PLACES: usize = 1024;

/// An agent comes free when it comes `AHEAD` plain steps nearer, or to its goals: agents in its way farther on may be
/// gone by then.
const AHEAD: f64 = 8.0;

/// The units of work after which the other agents wait for the next round.
const MOST_WORK: u64 = 8192;

/// Where some agents may be stuck since lately, one in so many units of the work of a tick is kept for them.
const SHARE: u64 = 8;

/// The price of a look at a place, in units of work.
const PLACE: u64 = 4;

/// Of `work`, the part to keep for [`watch`] at this tick, as planners may take all of it.
pub(super) fn work_for(state: &State<'_>, work: u64) -> u64 {
    // Planners do not take all of what has no limit.
    let is_limited = work < Fuel::unlimited().left() / 2;
    let Some(patience) = patience(state).filter(|_| is_limited) else { return 0 };
    let round = state.roster.of_round(state.clock.now % ROUND, ROUND);
    let is_new = |slot: Slot| !state.roster[slot].is_stuck() && is_stuck(state, slot, patience);
    if round.into_iter().any(is_new) { (work / SHARE).min(MOST_WORK) } else { 0 }
}

/// For how long an agent stands that is stuck, in ticks; `None`: nobody wants to know.
fn patience(state: &State<'_>) -> Option<Ticks> {
    state.settings.stuck_after.map(|steps| state.clock.ticks(steps))
}

fn is_stuck(state: &State<'_>, slot: Slot, patience: Ticks) -> bool {
    let member = &state.roster[slot];
    let stands_for = state.clock.now.saturating_sub(member.approach.no_nearer_since());
    member.is_under_way() && stands_for >= patience && !state.is_outsider(member.id())
}

/// Adds the agents to `report` that are stuck since this tick, or that are free again. Pays from `fuel`; a search for
/// which there is not enough of it comes at a later round.
pub(super) fn watch(state: &mut State<'_>, report: &mut Report, fuel: &mut Fuel) {
    let Some(patience) = patience(state) else { return };
    let all = fuel.left();
    for slot in state.roster.of_round(state.clock.now % ROUND, ROUND) {
        let is_stuck = is_stuck(state, slot, patience);
        let member = &state.roster[slot];
        if member.is_stuck() && !is_stuck {
            report.freed.push(member.id());
            state.roster[slot].set_stuck(false);
        } else if is_stuck && !member.is_stuck() && all - fuel.left() < MOST_WORK {
            let (agent, since) = (member.id(), member.approach.no_nearer_since());
            let found = state.with_presence(|state, presence| in_the_way(state, slot, presence, fuel));
            let Ok(by) = found else { continue };
            report.stuck.push(Stuck { agent, since, by });
            state.roster[slot].set_stuck(true);
        }
    }
}

/// A least set of agents, in ascending order, without which `slot` could come [nearer](AHEAD) to its goals than ever
/// since its order, if all others stayed where they are. Empty: no agent is in its way, or more places would have to be
/// looked at than there may be.
fn in_the_way(
    state: &mut State<'_>,
    slot: Slot,
    presence: &Presence,
    fuel: &mut Fuel,
) -> Result<Vec<AgentId>, Suspended> {
    let mut by = Search::new(state, slot, presence, &[]).past_the_fewest(fuel)?.unwrap_or_default();
    // A search keeps one way to each place. Where bodies meet an agent at several places, another way may do with fewer
    // agents; then at least no agent is named in vain.
    let mut kept = 0;
    while kept < by.len() && by.len() > 1 {
        let others: Vec<AgentId> = by.iter().copied().filter(|other| *other != by[kept]).collect();
        match Search::new(state, slot, presence, &others).past_the_fewest(fuel)? {
            Some(met) if met.is_empty() => by = others,
            _ => kept += 1,
        }
    }
    Ok(by)
}

/// A search for a way past the fewest agents.
struct Search<'s, 'a> {
    state: &'s mut State<'a>,
    slot: Slot,
    presence: &'s Presence,
    /// Agents that count as gone.
    gone: &'s [AgentId],
    /// The places that were reached.
    places: Vec<Place>,
    known: FxHashMap<NodeId, usize>,
    /// The number of agents on the way, the number of moves, and the position in `places`; the least first.
    open: BinaryHeap<Reverse<(usize, usize, usize)>>,
}

/// A place, and the way there.
struct Place {
    node: NodeId,
    moves: usize,
    /// The agents on the way.
    met: Vec<AgentId>,
    is_closed: bool,
}

impl<'s, 'a> Search<'s, 'a> {
    fn new(state: &'s mut State<'a>, slot: Slot, presence: &'s Presence, gone: &'s [AgentId]) -> Self {
        Self { state, slot, presence, gone, places: Vec::new(), known: FxHashMap::default(), open: BinaryHeap::new() }
    }

    /// The fewest agents on a way to a place that is [nearer](AHEAD) to the goals than the agent has ever been. `None`:
    /// there is no way, or more places would have to be looked at than there may be.
    fn past_the_fewest(mut self, fuel: &mut Fuel) -> Result<Option<Vec<AgentId>>, Suspended> {
        let start = self.state.roster[self.slot].motion.free_at(self.state.clock.now).0;
        let nearest = self.state.roster[self.slot].approach.nearest_ever();
        let nearest = self.distance(start).map_or(nearest, |here| here.min(nearest));
        let far_enough = (nearest - AHEAD).max(0.0);
        self.reach(start, 0, Vec::new());
        let mut looked_at = 0;
        while let Some(Reverse((_, moves, position))) = self.open.pop() {
            if std::mem::replace(&mut self.places[position].is_closed, true) {
                continue;
            }
            let (node, met) = (self.places[position].node, self.places[position].met.clone());
            if self.distance(node).is_some_and(|distance| distance <= far_enough) {
                return Ok(Some(met));
            }
            looked_at += 1;
            if looked_at > MOST_PLACES {
                break;
            }
            if fuel.left() < PLACE {
                return Err(Suspended::OutOfFuel);
            }
            *fuel = Fuel::work(fuel.left() - PLACE);
            self.go_on(node, moves, &met);
        }
        Ok(None)
    }

    /// Reaches the places around `node`, to which a way of `moves` moves leads past the agents `met`.
    fn go_on(&mut self, node: NodeId, moves: usize, met: &[AgentId]) {
        let (agent, now) = (self.state.roster[self.slot].id(), self.state.clock.now);
        let mut legs = Vec::new();
        self.state.class(self.slot).for_each_move(node, now, &mut |leg, _| legs.push(leg));
        let mut entries = Vec::new();
        for leg in legs {
            entries.clear();
            let class = self.state.class(self.slot);
            class.sweep(&leg, &mut entries);
            class.sweep(&Leg::resting(leg.to, leg.arrive, FOREVER), &mut entries);
            let mut all: Vec<AgentId> = self.presence.all_met(agent, &entries);
            all.retain(|other| !self.gone.contains(other) && !met.contains(other));
            all.extend_from_slice(met);
            all.sort_unstable();
            self.reach(leg.to, moves + 1, all);
        }
    }

    /// Notes a way to `node`, if none was known that is as good.
    fn reach(&mut self, node: NodeId, moves: usize, met: Vec<AgentId>) {
        let position = *self.known.entry(node).or_insert(self.places.len());
        let cost = (met.len(), moves);
        match self.places.get_mut(position) {
            Some(place) if place.is_closed || (place.met.len(), place.moves) <= cost => return,
            Some(place) => (place.moves, place.met) = (moves, met),
            None => self.places.push(Place { node, moves, met, is_closed: false }),
        }
        self.open.push(Reverse((cost.0, cost.1, position)));
    }

    /// The distance from `node` to the goals; `None`: it is not known by now.
    fn distance(&mut self, node: NodeId) -> Option<f64> {
        let State { world, roster, .. } = &mut *self.state;
        let member = &roster[self.slot];
        world[member.class()].distance(member.order.goals(), node, &mut Fuel::none()).ok()
    }
}

/// The agent under way that has come no nearer for longest, and since when; among equals the first one.
pub(super) fn longest_wait(state: &State<'_>) -> Option<(AgentId, Tick)> {
    let counts = |member: &&Member| member.is_under_way() && !state.is_outsider(member.id());
    let under_way = state.roster.members().filter(counts);
    under_way.map(|member| (member.approach.no_nearer_since(), member.id())).min().map(|(since, agent)| (agent, since))
}
