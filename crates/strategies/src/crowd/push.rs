//! Push: one step of priority inheritance for those that do not come on.
//!
//! Okumura, Machida, Défago and Tamura, "Priority Inheritance with Backtracking for Iterative Multi-agent Path Finding", Artificial
//! Intelligence 310, 2022. Here for units of any size and speed: who is in the way is told by what motions occupy, not by nodes.

use giveway_core::{AgentId, Claim, Entry, FOREVER, Fuel, ReservationStore};
use rustc_hash::FxHashSet;

use super::Crowd;
use super::chain::Link;
use super::execution::Presence;
use super::leg::Leg;
use super::member::{Member, Schedule};
use super::rank::{PUSH, RESTING};
use super::report::Report;

/// So many may push each other aside in a row.
const LONGEST_CHAIN: usize = 256;

/// What has been decided for this tick.
struct Decisions {
    /// Who is where if it begins no move.
    staying: Presence,
    /// What those occupy for whom it is decided.
    taken: Presence,
    decided: FxHashSet<AgentId>,
    /// Who moves, in the order in which that was decided.
    moves: Vec<(AgentId, Leg)>,
}

impl<R: ReservationStore> Crowd<'_, R> {
    /// Lets those push whose turn it is to, the highest rank first.
    pub(super) fn push_all(&mut self, report: &mut Report) {
        let pushes = |member: &Member| member.link() == Link::Push && member.is_under_way() && member.motion.is_none();
        let pushers = self.by_rank(pushes);
        if pushers.is_empty() {
            return;
        }
        let now = self.now;
        let mut decisions = Decisions {
            staying: self.survey(),
            taken: Presence::default(),
            decided: FxHashSet::default(),
            moves: Vec::new(),
        };
        for (agent, member) in &self.members {
            let jointly = member.is_in_knot() && member.plan.move_at(now).is_some();
            if member.motion.is_some() || !member.chain.makes_way() || jointly {
                decisions.decided.insert(*agent);
                decisions.taken.note(*agent, &self.room_of(member));
            }
        }
        for agent in pushers {
            if !decisions.decided.contains(&agent) {
                self.decide(agent, 1, &mut decisions);
            }
        }
        self.take_moves(&decisions.moves, report);
    }

    /// Finds a move for `agent`, the `place`-th of those that push each other aside, and for all in its way. Whether there is
    /// one; else it stays, and those whom it has pushed go all the same.
    fn decide(&mut self, agent: AgentId, place: usize, decisions: &mut Decisions) -> bool {
        decisions.decided.insert(agent);
        let legs = if place > LONGEST_CHAIN { Vec::new() } else { self.preferred(agent, decisions) };
        'legs: for (leg, entries) in legs {
            if decisions.taken.meets(agent, &entries).is_some() {
                continue;
            }
            decisions.taken.note(agent, &entries);
            for other in decisions.staying.all_met(agent, &entries) {
                if !decisions.decided.contains(&other) && !self.decide(other, place + 1, decisions) {
                    decisions.taken.forget(agent, &entries);
                    continue 'legs;
                }
            }
            // Those who leave may take too long.
            if decisions.taken.meets(agent, &entries).is_some() {
                decisions.taken.forget(agent, &entries);
                continue;
            }
            if leg.is_move() {
                decisions.moves.push((agent, leg));
            }
            return leg.is_move();
        }
        if let Some(member) = self.members.get(&agent) {
            decisions.taken.note(agent, &self.room_of(member));
        }
        false
    }

    /// What `agent` can do now, and what it occupies by that and by staying where it gets to: what it has planned first, then what
    /// leads nearest to its goal, at the expense of the fewest.
    fn preferred(&mut self, agent: AgentId, decisions: &Decisions) -> Vec<(Leg, Vec<Entry>)> {
        let now = self.now;
        let Some(member) = self.members.get(&agent) else {
            return Vec::new();
        };
        let class = &mut self.classes[member.class.0 as usize];
        let mut legs = vec![Leg::resting(member.node, now, now)];
        class.for_each_move(member.node, now, &mut |leg, _| legs.push(leg));
        let planned = member.plan.move_at(now).filter(|_| member.link() == Link::Windowed);
        let mut ranked = Vec::new();
        for leg in legs {
            // What is not known by now is no reason to search.
            let known = class.distance(&member.goals, leg.to, &mut Fuel::expansions(0));
            let distance = if planned == Some(&leg) { -1.0 } else { known.unwrap_or(f64::INFINITY) };
            let mut entries = Vec::new();
            class.sweep(&Leg::resting(leg.to, leg.arrive, FOREVER), &mut entries);
            let crowded = decisions.staying.all_met(agent, &entries).len();
            if leg.is_move() {
                class.sweep(&leg, &mut entries);
            }
            ranked.push((distance, crowded, leg, entries));
        }
        ranked.sort_by(|(a, few, ..), (b, many, ..)| a.total_cmp(b).then(few.cmp(many)));
        ranked.into_iter().map(|(.., leg, entries)| (leg, entries)).collect()
    }

    /// Reserves `moves`, whoever else has reserved what they take.
    fn take_moves(&mut self, moves: &[(AgentId, Leg)], report: &mut Report) {
        let now = self.now;
        let mut evicted = Vec::new();
        let mut entries = Vec::new();
        for (agent, leg) in moves {
            let Some(class) = self.members.get(agent).map(|member| member.class) else {
                continue;
            };
            entries.clear();
            self.classes[class.0 as usize].sweep(leg, &mut entries);
            self.store.release(*agent, now);
            if self.store.commit(Claim { agent: *agent, rank: PUSH }, &entries, &mut evicted).is_err() {
                // Those who would run into it are stopped.
                self.lose_plan(*agent, now);
                continue;
            }
            self.hold_while_free(Claim { agent: *agent, rank: RESTING }, class, leg.to, leg.arrive);
            self.change_plan(*agent, Schedule::new(vec![*leg], None).by(Link::Push));
            self.set_tried(*agent);
            self.put_in_line(*agent, now.saturating_add(1));
            report.pushed.push(*agent);
        }
        let moved: FxHashSet<AgentId> = moves.iter().map(|(agent, _)| *agent).collect();
        for agent in evicted {
            if !moved.contains(&agent) {
                self.lose_plan(agent, now);
            }
        }
    }
}
