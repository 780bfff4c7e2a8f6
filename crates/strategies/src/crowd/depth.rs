//! Depth: how far ahead each agent plans.

use giveway_core::{AgentId, Claim, NodeId, ReservationStore, Ticks};

use super::Crowd;
use super::leg::Leg;
use super::member::Member;
use super::rank::RESTING;
use super::whca::Depth;

/// So many times as deep as they begin windows become at most.
const GROWN: u32 = 4;

/// Where a place has very many neighbours, the first ones are enough to see how crowded it is.
const MOST_LOOKED_AT: usize = 200;

impl<R: ReservationStore> Crowd<'_, R> {
    /// How many ticks pass between two plans of one agent.
    pub(super) fn period(&self) -> Ticks {
        self.whca.steps_between_plans().saturating_mul(self.ticks_per_step)
    }

    /// How many ticks the deepest window lasts.
    pub(super) fn longest_window(&self) -> Ticks {
        self.whca
            .depth
            .most()
            .saturating_mul(if self.whca.growth.is_some() { GROWN } else { 1 })
            .saturating_mul(self.ticks_per_step)
    }

    /// How many ticks ahead `agent` plans now.
    pub(super) fn window_of(&self, agent: AgentId) -> Ticks {
        let steps = match self.whca.depth {
            Depth::Fixed(depth) => depth.max(1),
            Depth::ByCrowding { least, most } => {
                let (least, most) = (least.max(1), most.max(least).max(1));
                let share = self.crowding(agent).min(0.5) * 2.0;
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between the two bounds
                let more = (f64::from(most - least) * share).round() as u32;
                least + more
            }
        };
        let steps = steps.saturating_add(self.growth_of(agent, steps));
        let halvings = self.members.get(&agent).map_or(0, |member| member.halvings);
        (steps.saturating_mul(self.ticks_per_step) >> halvings).max(1)
    }

    /// By how many steps a window of so many steps is deeper for `agent`, because it does not come nearer to its goal.
    fn growth_of(&self, agent: AgentId, steps: u32) -> u32 {
        let kept = |member: &Member| member.progress.steps(self.now, self.ticks_per_step);
        match (self.whca.growth, self.members.get(&agent).map(kept)) {
            (Some(every), Some(kept)) => {
                let more = u64::from(steps) * u64::from(kept) / (4 * u64::from(every.max(1)));
                u32::try_from(more).unwrap_or(u32::MAX).min(steps.saturating_mul(GROWN - 1))
            }
            _ => 0,
        }
    }

    /// The share of the places within three moves of `agent` that others hold at some time of a longest window, from 0 to 1.
    fn crowding(&self, agent: AgentId) -> f64 {
        let Some(member) = self.members.get(&agent) else {
            return 0.0;
        };
        let class = &self.classes[member.class.0 as usize];
        let (start, depart) = member.free_at(self.now);
        let until = depart.saturating_add(self.longest_window());
        let mut near = vec![start];
        let mut begin = 0;
        for _ in 0..3 {
            let end = near.len();
            for index in begin..end.min(MOST_LOOKED_AT) {
                class.for_each_move(near[index], depart, &mut |leg, _| {
                    if !near.contains(&leg.to) {
                        near.push(leg.to);
                    }
                });
            }
            begin = end;
        }
        let claim = Claim { agent, rank: RESTING };
        let mut room = Vec::new();
        let mut held = |node: &NodeId| {
            room.clear();
            class.sweep(&Leg::resting(*node, depart, until), &mut room);
            !room.iter().all(|entry| self.store.permits(entry, claim))
        };
        near.truncate(MOST_LOOKED_AT);
        let reserved = near.iter().skip(1).filter(|node| held(node)).count();
        #[allow(clippy::cast_precision_loss)] // a few dozen
        let share = reserved as f64 / (near.len() - 1).max(1) as f64;
        share
    }
}
