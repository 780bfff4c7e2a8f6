//! Stuck agents: agents that have come no nearer to their goals for long. Each comes with a least set of agents that
//! would have to go so that it can come nearer.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use giveway_core::{AgentId, Entry, FOREVER, Fuel, NodeId, Suspended, Tick, Ticks};
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

/// The units of work for a least set. Behind a queue the open ground can be large, and all of it is looked at before a
/// place beyond the first agent is.
const LEAST_WORK: u64 = 512 * PLACE;

/// An agent comes free when it comes `AHEAD` plain steps nearer, or to its goals: agents in its way farther on may be
/// gone by then.
const AHEAD: f64 = 8.0;

/// The units of work after which the other agents wait for the next round.
const MOST_WORK: u64 = 8192;

/// Planners may take all work of a tick. At one tick in `KEPT_EVERY`, one in `SHARE` units of the work is kept for agents
/// that are stuck since lately. Work is kept seldom, as steps that are short of work at one tick go by other rules for a
/// while.
const KEPT_EVERY: Ticks = 256;
const SHARE: u64 = 8;

/// The units of work for a search straight ahead.
const AHEAD_WORK: u64 = 32 * PLACE;

/// The price of a look at a place, in units of work.
const PLACE: u64 = 4;

/// Of `work`, the part to keep for [`watch`] at this tick.
pub(super) fn work_for(state: &State<'_>, work: u64) -> u64 {
    // Planners do not take all of what has no limit.
    let is_limited = work < Fuel::unlimited().left() / 2;
    let is_due = is_limited && state.clock.now.is_multiple_of(KEPT_EVERY);
    let Some(patience) = patience(state).filter(|_| is_due) else { return 0 };
    let is_new = |slot: Slot| !state.roster[slot].is_stuck() && is_stuck(state, slot, patience);
    if state.roster.slots().into_iter().any(is_new) { (work / SHARE).min(MOST_WORK) } else { 0 }
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
/// which there is not enough of it comes at a later round. `has_kept`: work was [kept](work_for), so that all agents are
/// looked at.
pub(super) fn watch(state: &mut State<'_>, report: &mut Report, fuel: &mut Fuel, has_kept: bool) {
    let Some(patience) = patience(state) else { return };
    let all = fuel.left();
    let looked_at = if has_kept { state.roster.slots() } else { state.roster.of_round(state.clock.now % ROUND, ROUND) };
    for slot in looked_at {
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

/// A set of agents, in ascending order, without which `slot` could come [nearer](AHEAD) to its goals than ever since its
/// order, if all others stayed where they are. A least set, if [`LEAST_WORK`] and half of the fuel suffice to look for
/// one. If they suffice only for a way past the fewest agents: the agents on this way; else the agents on the way straight
/// ahead. Empty: no agent is in its way, or more places would have to be looked at than there may be.
fn in_the_way(
    state: &mut State<'_>,
    slot: Slot,
    presence: &Presence,
    fuel: &mut Fuel,
) -> Result<Vec<AgentId>, Suspended> {
    let kept = fuel.left().min(AHEAD_WORK);
    let most = ((fuel.left() - kept) / 2).min(LEAST_WORK);
    let mut part = Fuel::work(most);
    let least = least_in_the_way(state, slot, presence, &mut part);
    *fuel = Fuel::work(fuel.left() - (most - part.left()));
    least.or_else(|_| Search::new(state, slot, presence, &[], First::Nearest).run(fuel).map(Option::unwrap_or_default))
}

/// What [`in_the_way`] finds with enough fuel.
fn least_in_the_way(
    state: &mut State<'_>,
    slot: Slot,
    presence: &Presence,
    fuel: &mut Fuel,
) -> Result<Vec<AgentId>, Suspended> {
    let mut by = Search::new(state, slot, presence, &[], First::Fewest).run(fuel)?.unwrap_or_default();
    // A search keeps one way to each place. Where bodies meet an agent at several places, another way may do with fewer
    // agents; then at least no agent is named in vain.
    let mut kept = 0;
    while kept < by.len() && by.len() > 1 {
        let others: Vec<AgentId> = by.iter().copied().filter(|other| *other != by[kept]).collect();
        match Search::new(state, slot, presence, &others, First::Free).run(fuel) {
            Ok(Some(_)) => by = others,
            Ok(None) => kept += 1,
            Err(_) => break,
        }
    }
    Ok(by)
}

/// Which places a search looks at first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// The places with the fewest agents on the way there, so that the way found is past the fewest agents.
    Fewest,
    /// As `Fewest`, but only places to which a way leads past no agent.
    Free,
    /// The places nearest to the goals, so that few places are looked at.
    Nearest,
}

/// A search for a way past other agents.
struct Search<'s, 'a> {
    state: &'s mut State<'a>,
    slot: Slot,
    presence: &'s Presence,
    /// Agents that count as gone.
    gone: &'s [AgentId],
    first: First,
    /// The places that were reached.
    places: Vec<Place>,
    /// The positions in `places`, by node.
    known: FxHashMap<NodeId, usize>,
    /// The moves from a place, and the entries of one of them: kept for their memory.
    legs: Vec<Leg>,
    entries: Vec<Entry>,
    /// The number of agents on the way, or the distance to the goals in bits; the number of moves; and the position in
    /// `places`. The least comes first.
    open: BinaryHeap<Reverse<(u64, usize, usize)>>,
}

/// A place, and the way there.
struct Place {
    node: NodeId,
    moves: usize,
    /// The agents on the way, in ascending order; shared with the place before it if none is added.
    met: Rc<[AgentId]>,
    is_closed: bool,
}

impl<'s, 'a> Search<'s, 'a> {
    fn new(state: &'s mut State<'a>, slot: Slot, presence: &'s Presence, gone: &'s [AgentId], first: First) -> Self {
        let (places, known, open) = (Vec::new(), FxHashMap::default(), BinaryHeap::new());
        Self { state, slot, presence, gone, first, places, known, legs: Vec::new(), entries: Vec::new(), open }
    }

    /// The agents on a way to a place that is [nearer](AHEAD) to the goals than the agent has ever been. `None`: there
    /// is no way, or more places would have to be looked at than there may be.
    fn run(mut self, fuel: &mut Fuel) -> Result<Option<Vec<AgentId>>, Suspended> {
        let start = self.state.roster[self.slot].motion.free_at(self.state.clock.now).0;
        let nearest = self.state.roster[self.slot].approach.nearest_ever();
        let nearest = self.distance(start).map_or(nearest, |here| here.min(nearest));
        let far_enough = (nearest - AHEAD).max(0.0);
        self.reach(start, 0, Rc::default());
        let mut looked_at = 0;
        while let Some(Reverse((_, moves, position))) = self.open.pop() {
            if std::mem::replace(&mut self.places[position].is_closed, true) {
                continue;
            }
            let (node, met) = (self.places[position].node, self.places[position].met.clone());
            if self.distance(node).is_some_and(|distance| distance <= far_enough) {
                return Ok(Some(met.to_vec()));
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
    fn go_on(&mut self, node: NodeId, moves: usize, met: &Rc<[AgentId]>) {
        let (agent, now) = (self.state.roster[self.slot].id(), self.state.clock.now);
        let (mut legs, mut entries) = (std::mem::take(&mut self.legs), std::mem::take(&mut self.entries));
        legs.clear();
        self.state.class(self.slot).for_each_move(node, now, &mut |leg, _| legs.push(leg));
        for leg in &legs {
            // A way meets no fewer agents for one move more.
            if self.is_known(leg.to, (met.len(), moves + 1)) {
                continue;
            }
            entries.clear();
            let class = self.state.class(self.slot);
            class.sweep(leg, &mut entries);
            class.sweep(&Leg::resting(leg.to, leg.arrive, FOREVER), &mut entries);
            let mut all: Vec<AgentId> = self.presence.all_met(agent, &entries);
            all.retain(|other| !self.gone.contains(other) && met.binary_search(other).is_err());
            if all.is_empty() {
                self.reach(leg.to, moves + 1, Rc::clone(met));
            } else if self.first != First::Free {
                all.extend_from_slice(met);
                all.sort_unstable();
                self.reach(leg.to, moves + 1, all.into());
            }
        }
        (self.legs, self.entries) = (legs, entries);
    }

    /// Whether a way to `node` is known that is as good as one of `cost`: the number of agents on the way, and of moves.
    fn is_known(&self, node: NodeId, cost: (usize, usize)) -> bool {
        let place = self.known.get(&node).map(|position| &self.places[*position]);
        place.is_some_and(|place| place.is_closed || (place.met.len(), place.moves) <= cost)
    }

    /// Notes a way to `node`, if none is known that is as good.
    fn reach(&mut self, node: NodeId, moves: usize, met: Rc<[AgentId]>) {
        let fewest = met.len();
        if self.is_known(node, (fewest, moves)) {
            return;
        }
        let position = *self.known.entry(node).or_insert(self.places.len());
        let place = Place { node, moves, met, is_closed: false };
        match self.places.get_mut(position) {
            Some(known) => *known = place,
            None => self.places.push(place),
        }
        let first = match self.first {
            First::Fewest | First::Free => fewest as u64,
            First::Nearest => self.distance(node).map_or(u64::MAX, f64::to_bits),
        };
        self.open.push(Reverse((first, moves, position)));
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

#[cfg(test)]
mod tests {
    use giveway_core::{Agent, Point};
    use giveway_spaces::Grid;

    use super::*;
    use crate::{Budget, Chain, Class, Crowd, CrowdSettings, Lra, Planner};

    /// A crowd on `rows`: the first agent goes from `start` to `goal`, and the agents on `others` never make way.
    fn crowd(
        rows: &str,
        [start, goal]: [(u32, u32); 2],
        others: &[(u32, u32)],
    ) -> (Crowd<'static>, AgentId, Vec<AgentId>) {
        let grid = Grid::from_ascii(rows).unwrap();
        let at = |(x, y)| grid.node(x, y).unwrap();
        let (start, goal, others) = (at(start), at(goal), others.iter().copied().map(at).collect::<Vec<_>>());
        let mut crowd = Crowd::new(CrowdSettings::new().stuck_after(Some(20)));
        let point = Point::swap_rule(&grid);
        let class = crowd.add_class(Class::new(grid, point)).unwrap();
        let others = others.into_iter().map(|place| {
            let other = crowd.add(class, Agent::bystander(place)).unwrap();
            crowd.set_chain(other, Chain::new(Planner::LocalRepair(Lra::new(1)))).unwrap();
            other
        });
        let others = others.collect();
        let agent = crowd.add(class, Agent::new(start, goal)).unwrap();
        (crowd, agent, others)
    }

    #[test]
    fn work_is_kept_at_one_tick_in_many_and_then_nobody_is_left_out() {
        let (mut crowd, agent, others) = crowd("......", [(0, 0), (5, 0)], &[(2, 0)]);
        for now in 0..KEPT_EVERY {
            assert_eq!(work_for(&crowd.state, 1000), 0, "nobody is stuck yet, or it is not the tick: {now}");
            assert_eq!(crowd.tick(Budget::work(3)).stuck, []);
        }
        assert_eq!([800, 8_000_000].map(|work| work_for(&crowd.state, work)), [100, MOST_WORK]);
        assert_eq!(work_for(&crowd.state, Fuel::unlimited().left()), 0);

        let slot = crowd.state.roster.slot(agent).unwrap();
        assert!(!crowd.state.roster.of_round(crowd.state.clock.now % ROUND, ROUND).contains(&slot));
        let named = |crowd: &mut Crowd<'_>, has_kept| {
            let mut report = Report::default();
            watch(&mut crowd.state, &mut report, &mut Fuel::work(100), has_kept);
            report.stuck.into_iter().map(|stuck| (stuck.agent, stuck.by)).collect::<Vec<_>>()
        };
        assert_eq!(named(&mut crowd, false), []);
        assert_eq!(named(&mut crowd, true), [(agent, others)]);
        assert_eq!(work_for(&crowd.state, 800), 0, "it is known to be stuck");
    }

    #[test]
    fn an_agent_with_much_open_ground_behind_it_knows_its_blocker() {
        let (open, wall) = (".".repeat(40), "@".repeat(20));
        let rows = format!("{open}{wall}\n").repeat(40) + &".".repeat(60);
        let (mut crowd, agent, others) = crowd(&rows, [(0, 0), (59, 40)], &[(42, 40)]);
        let stuck = (0..200).find_map(|_| crowd.tick(Budget::unlimited()).stuck.pop());
        assert_eq!(stuck.map(|stuck| (stuck.agent, stuck.by)), Some((agent, others)));
    }

    #[test]
    fn where_work_is_scarce_the_agents_straight_ahead_are_named() {
        // One agent is in the way to the goal around the wall, and two are in the way straight ahead.
        let (mut crowd, agent, others) = crowd("......\n.@@@@.\n......", [(0, 0), (5, 0)], &[(2, 0), (3, 0), (3, 2)]);
        (0..20).for_each(|_| drop(crowd.tick(Budget::unlimited())));

        let slot = crowd.state.roster.slot(agent).unwrap();
        let mut named = |work| {
            let mut fuel = Fuel::work(work);
            let state = &mut crowd.state;
            let found = state.with_presence(|state, presence| in_the_way(state, slot, presence, &mut fuel));
            assert!(fuel.left() <= work);
            found
        };
        assert_eq!(named(2 * PLACE), Err(Suspended::OutOfFuel));
        assert_eq!(named(6 * PLACE), Ok(others[..2].to_vec()));
        assert_eq!(named(AHEAD_WORK + PLACE), Ok(others[..2].to_vec()));
        assert_eq!(named(AHEAD_WORK + 100 * PLACE), Ok(others[2..].to_vec()));
    }
}
