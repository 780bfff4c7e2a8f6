//! Push: one step of priority inheritance for those that do not come on.
//!
//! Okumura, Machida, Défago and Tamura, "Priority Inheritance with Backtracking for Iterative Multi-agent Path Finding", Artificial
//! Intelligence 310, 2022. Here for units of any size: who is in the way is what two motions occupy, not who is on a node.

use giveway_core::{AgentId, Claim, Entry, FOREVER, Fuel, ReservationStore};
use rustc_hash::FxHashSet;

use super::Crowd;
use super::chain::Link;
use super::execution::Presence;
use super::leg::Leg;
use super::member::{Member, Schedule};
use super::rank;
use super::report::Report;

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
    /// Lets those push that do not come on, the highest rank first.
    pub(super) fn push_all(&mut self, report: &mut Report) {
        let (now, clock) = (self.now, self.clock());
        let pushes = |member: &Member| member.link() == Link::Push && member.is_under_way() && member.motion.is_none();
        let mut pushers: Vec<AgentId> =
            self.members.iter().filter(|(_, member)| pushes(member)).map(|(agent, _)| *agent).collect();
        if pushers.is_empty() {
            return;
        }
        // Whoever does not know the way yet has nothing to push for.
        pushers.retain(|agent| self.knows_now(*agent));
        pushers.sort_by_key(|agent| {
            std::cmp::Reverse(
                self.members.get(agent).map(|member| (member.claim(*agent, clock).rank, std::cmp::Reverse(*agent))),
            )
        });
        let mut decisions = Decisions {
            staying: self.survey(),
            taken: Presence::default(),
            decided: FxHashSet::default(),
            moves: Vec::new(),
        };
        for (agent, member) in &self.members {
            if member.motion.is_some()
                || !member.chain.makes_way()
                || member.plan.by == Some(Link::Joint) && member.plan.move_at(now).is_some()
            {
                decisions.decided.insert(*agent);
                decisions.taken.note(*agent, &self.room_of(member));
            }
        }
        for agent in pushers {
            if !decisions.decided.contains(&agent) {
                self.decide(agent, &mut decisions, report);
            }
        }
        let moves = std::mem::take(&mut decisions.moves);
        let mut lost = Vec::new();
        let mut entries = Vec::new();
        for (agent, leg) in moves.iter().copied() {
            entries.clear();
            let Some(member) = self.members.get(&agent) else { continue };
            let class = member.class;
            self.classes[class.0 as usize].sweep(&leg, &mut entries);
            let claim = Claim { agent, rank: rank::PUSH };
            self.store.release(agent, now);
            let mut evicted = Vec::new();
            if self.store.commit(claim, &entries, &mut evicted).is_err() {
                self.lose_plan(agent, now);
                continue;
            }
            lost.extend(evicted);
            // Others may plan through it after that.
            self.hold_while_free(Claim { agent, rank: rank::RESTING }, class, leg.to, leg.arrive);
            self.change_plan(agent, Schedule::new(vec![leg], None).by(Link::Push));
            self.set_tried(agent);
            self.set_due(agent, Some(now + 1));
            report.pushed += 1;
        }
        for agent in lost {
            if !moves.iter().any(|(moved, _)| *moved == agent) {
                self.lose_plan(agent, now);
            }
        }
    }

    /// Finds a move for `agent`, and for all who are in its way; whether there is one. Else it stays.
    fn decide(&mut self, agent: AgentId, decisions: &mut Decisions, report: &mut Report) -> bool {
        let now = self.now;
        let Some(member) = self.members.get(&agent) else { return false };
        decisions.decided.insert(agent);
        let class = &mut self.classes[member.class.0 as usize];
        let mut legs = vec![Leg::resting(member.node, now, now + 1)];
        class.for_each_move(member.node, now, &mut |leg, _| legs.push(leg));
        let planned = member.plan.move_at(now).copied();
        let mut ranked: Vec<(f64, usize, Leg)> = Vec::new();
        let mut entries: Vec<Entry> = Vec::new();
        for leg in legs {
            let distance = class.distance(&member.goals, leg.to, &mut Fuel::expansions(0)).unwrap_or(f64::INFINITY);
            entries.clear();
            class.sweep(&Leg::resting(leg.to, leg.arrive, FOREVER), &mut entries);
            let crowded = decisions.staying.all_met(agent, &entries).len();
            let first = planned == Some(leg) && member.link() == Link::Windowed;
            ranked.push((if first { -1.0 } else { distance }, crowded, leg));
        }
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        'legs: for (_, _, leg) in ranked {
            let Some(member) = self.members.get(&agent) else { return false };
            let class = &self.classes[member.class.0 as usize];
            entries.clear();
            if leg.is_move() {
                class.sweep(&leg, &mut entries);
                class.sweep(&Leg::resting(leg.to, leg.arrive, FOREVER), &mut entries);
            } else {
                class.sweep(&Leg::resting(leg.to, now, FOREVER), &mut entries);
            }
            if decisions.taken.meets(agent, &entries).is_some() {
                continue;
            }
            decisions.taken.note(agent, &entries);
            for other in decisions.staying.all_met(agent, &entries) {
                if !decisions.decided.contains(&other) && !self.decide(other, decisions, report) {
                    decisions.taken.forget(agent, &entries);
                    continue 'legs;
                }
            }
            if decisions.taken.meets(agent, &entries).is_some() {
                decisions.taken.forget(agent, &entries);
                continue;
            }
            if leg.is_move() {
                decisions.moves.push((agent, leg));
            }
            return leg.is_move();
        }
        entries.clear();
        let Some(member) = self.members.get(&agent) else { return false };
        let room = self.room_of(member);
        decisions.taken.note(agent, &room);
        false
    }
}
