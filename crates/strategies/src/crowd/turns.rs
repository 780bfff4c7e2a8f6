//! Turns: who plans at a tick, and in which order.

use std::cmp::Reverse;

use giveway_core::{AgentId, ReservationStore};
use rand::seq::SliceRandom;

use super::Crowd;
use super::chain::Link;
use super::member::Member;
use super::planning::Share;
use super::whca::Replanning;
use crate::order::{Order, random};

impl<R: ReservationStore> Crowd<'_, R> {
    /// Who ought to plan at this tick: those who were postponed, in the order of then, and the others, by id.
    pub(super) fn whose_turn(&self) -> (Vec<AgentId>, Vec<AgentId>) {
        let (now, period) = (self.now, self.period());
        let scheduled = |agent: AgentId| match self.whca.replanning {
            Replanning::Staggered => now.wrapping_add(agent.0).is_multiple_of(period),
            Replanning::AllAtOnce => now.is_multiple_of(period),
        };
        let is_due = |agent: AgentId, member: &Member| {
            let link = member.link();
            if let Link::LocalRepair(_) = link {
                // It looks around before every step; but who makes way by a window does so to the end.
                let busy = member.is_at_ease() || member.follows_another(link);
                return member.motion.is_none() && (member.due.is_some() || !busy);
            }
            let jointly = member.is_in_knot();
            let regular = scheduled(agent) && !member.is_at_ease() && !jointly;
            let plans = link == Link::Windowed && !jointly && !member.is_at_ease();
            let taken_over = plans && member.plan.by.is_some_and(|by| by != link) && !member.follows_another(link);
            member.due.is_some() || regular || taken_over || !member.plan.covers(member.free_at(now).1)
        };
        let due = self.members.iter().filter(|(agent, member)| is_due(**agent, member));
        let (mut postponed, mut fresh): (Vec<_>, Vec<_>) = due
            .map(|(agent, member)| (*agent, member.due.unwrap_or(now), member.turn))
            .partition(|(_, due, _)| *due < now);
        postponed.sort_by_key(|(_, due, turn)| (*due, *turn));
        fresh.sort_by_key(|(agent, ..)| *agent);
        let ids = |turns: Vec<(AgentId, _, _)>| turns.into_iter().map(|(agent, ..)| agent).collect();
        (ids(postponed), ids(fresh))
    }

    /// Sorts those who plan in one tick as the crowd's order says; ties go to lower ids.
    pub(super) fn arrange(&mut self, turns: &mut [AgentId], share: &mut Share<'_>) {
        match self.whca.order {
            Order::AsGiven => {}
            Order::Rotating if turns.is_empty() => {}
            Order::Rotating => {
                let round = (self.now / self.period()) as usize;
                turns.rotate_left(round % turns.len());
            }
            Order::NearestFirst | Order::NearestElseFarthest => {
                turns.sort_by_cached_key(|agent| self.distance_bits(*agent, share));
            }
            Order::FarthestFirst => turns.sort_by_cached_key(|agent| Reverse(self.distance_bits(*agent, share))),
            Order::ByPriority => {
                turns.sort_by_key(|agent| Reverse(self.members.get(agent).map_or(0, |member| member.priority)));
            }
            Order::Random { seed } => turns.shuffle(&mut random(seed.wrapping_add(u64::from(self.now)))),
        }
        for (agent, turn) in turns.iter().zip(0..) {
            if let Some(member) = self.members.get_mut(agent) {
                member.turn = turn;
            }
        }
    }

    /// The distance of `agent` to its goals, by bits that are ordered as distances are. What there is no fuel to find out is
    /// farther than all else.
    fn distance_bits(&mut self, agent: AgentId, share: &mut Share<'_>) -> u64 {
        let known = self.members.get(&agent).and_then(|member| {
            let class = &mut self.classes[member.class.0 as usize];
            share.spend(|fuel| class.distance(&member.goals, member.node, fuel)).ok()
        });
        known.map_or(u64::MAX, f64::to_bits)
    }
}
