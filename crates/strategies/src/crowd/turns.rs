//! Turns: who plans at a tick, and in which order.

use std::cmp::Reverse;

use giveway_core::{AgentId, Fuel, ReservationStore};
use rand::seq::SliceRandom;

use super::Crowd;
use super::member::Member;
use super::whca::Replanning;
use crate::order::{Order, random};

impl<R: ReservationStore> Crowd<'_, R> {
    /// Who ought to plan at this tick, in order.
    pub(super) fn whose_turn(&mut self, fuel: &mut Fuel) -> Vec<AgentId> {
        let (now, period) = (self.now, self.whca.period());
        let scheduled = |agent: AgentId| match self.whca.replanning {
            Replanning::Staggered => now.wrapping_add(agent.0).is_multiple_of(period),
            Replanning::AllAtOnce => now.is_multiple_of(period),
        };
        let is_due = |agent: AgentId, member: &Member| {
            let regular = scheduled(agent) && !member.is_at_ease();
            member.due.is_some() || regular || !member.plan.covers(member.free_at(now).1)
        };
        let due = self.members.iter().filter(|(agent, member)| is_due(**agent, member));
        // Whoever was postponed comes first, in the order of then: nobody is put off for ever by a small budget.
        let (mut turns, mut fresh): (Vec<_>, Vec<_>) = due
            .map(|(agent, member)| (*agent, member.due.unwrap_or(now), member.turn))
            .partition(|(_, due, _)| *due < now);
        turns.sort_by_key(|(_, due, turn)| (*due, *turn));
        fresh.sort_by_key(|(agent, ..)| *agent);
        let mut turns: Vec<AgentId> = turns.into_iter().map(|(agent, ..)| agent).collect();
        let mut fresh: Vec<AgentId> = fresh.into_iter().map(|(agent, ..)| agent).collect();
        self.arrange(&mut fresh, fuel);
        for (agent, turn) in fresh.iter().zip(0..) {
            if let Some(member) = self.members.get_mut(agent) {
                member.turn = turn;
            }
        }
        turns.append(&mut fresh);
        turns
    }

    /// Sorts those who plan in one tick as the crowd's order says; ties go to lower ids.
    fn arrange(&mut self, turns: &mut [AgentId], fuel: &mut Fuel) {
        match self.whca.order {
            Order::AsGiven => {}
            Order::Rotating if turns.is_empty() => {}
            Order::Rotating => {
                let round = (self.now / self.whca.period()) as usize;
                turns.rotate_left(round % turns.len());
            }
            Order::NearestFirst => turns.sort_by_cached_key(|agent| self.distance_bits(*agent, fuel)),
            Order::FarthestFirst => turns.sort_by_cached_key(|agent| Reverse(self.distance_bits(*agent, fuel))),
            Order::ByPriority => {
                turns.sort_by_key(|agent| Reverse(self.members.get(agent).map_or(0, |member| member.priority)));
            }
            Order::Random { seed } => turns.shuffle(&mut random(seed.wrapping_add(u64::from(self.now)))),
        }
    }

    /// The distance of `agent` to its goals, by bits that are ordered as distances are; without fuel, none.
    fn distance_bits(&mut self, agent: AgentId, fuel: &mut Fuel) -> Option<u64> {
        let member = self.members.get(&agent)?;
        let class = &mut self.classes[member.class.0 as usize];
        class.distance(&member.goals, member.node, fuel).ok().map(f64::to_bits)
    }
}
