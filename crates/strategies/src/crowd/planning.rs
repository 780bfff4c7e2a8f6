//! Planning: whose turn it is, and what is tried for it.

use giveway_core::{AgentId, Fuel, ReservationStore, Tick};

use super::Crowd;
use super::chain::Link;
use super::member::Member;
use super::rank::{self, RESTING};
use super::report::{NoPlan, Report};
use super::transaction::Undone;
use super::whca::Holds;

/// A part of the fuel, for one purpose.
pub(super) struct Share<'a> {
    fuel: &'a mut Fuel,
    left: u64,
}

impl Share<'_> {
    /// Burns some of it, as much as is left at most.
    pub(super) fn spend<T>(&mut self, purpose: impl FnOnce(&mut Fuel) -> T) -> T {
        let given = self.left.min(self.fuel.left());
        let mut part = Fuel::expansions(given);
        let outcome = purpose(&mut part);
        let burnt = given - part.left();
        self.left -= burnt;
        *self.fuel = Fuel::expansions(self.fuel.left() - burnt);
        outcome
    }
}

impl<R: ReservationStore> Crowd<'_, R> {
    /// Lets everyone plan whose turn it is, for as long as there is fuel.
    pub(super) fn plan_all(&mut self, fuel: &mut Fuel, report: &mut Report) {
        let (postponed, mut fresh) = self.whose_turn();
        // Half of the budget at most goes into finding the way, lest an order that leads far away keep everybody waiting; but
        // what is left in the end, too.
        let left = fuel.left().div_ceil(2);
        let mut share = Share { fuel, left };
        let mut lost = Vec::new();
        self.plan_those(&postponed, &mut share, &mut lost, report);
        self.arrange(&mut fresh, &mut share);
        self.plan_those(&fresh, &mut share, &mut lost, report);
        for agent in lost {
            if self.is_to_plan(agent) {
                self.plan_one(agent, share.fuel, report);
            }
        }
    }

    /// Lets those of `turns` plan who know the way to their goals; the others are `lost`.
    fn plan_those(&mut self, turns: &[AgentId], share: &mut Share<'_>, lost: &mut Vec<AgentId>, report: &mut Report) {
        let now = self.now;
        for agent in turns.iter().copied() {
            if !self.is_to_plan(agent) {
                continue;
            }
            if self.members.get(&agent).is_some_and(|member| member.due.is_none()) {
                self.set_due(agent, Some(now));
            }
            if self.knows_the_way(agent, share) {
                self.plan_one(agent, share.fuel, report);
            } else {
                lost.push(agent);
            }
        }
    }

    /// Whether `agent` has not tried yet at this tick: it may have planned because somebody needed its place.
    fn is_to_plan(&self, agent: AgentId) -> bool {
        self.members.get(&agent).is_some_and(|member| member.tried != Some(self.now))
    }

    /// Whether it is known how far `agent` has to go, or whether it can be found out for its share.
    fn knows_the_way(&mut self, agent: AgentId, share: &mut Share<'_>) -> bool {
        let Some(member) = self.members.get(&agent) else {
            return true;
        };
        let class = &mut self.classes[member.class.0 as usize];
        let (start, _) = member.free_at(self.now);
        share.spend(|fuel| class.distance(&member.goals, start, fuel)).is_ok()
    }

    /// Whether it is known by now how far `agent` has to go.
    pub(super) fn knows_now(&mut self, agent: AgentId) -> bool {
        self.knows_the_way(agent, &mut Share { fuel: &mut Fuel::expansions(0), left: 0 })
    }

    /// Those of whom `chosen` is true and of whom it is known how far they have to go, the highest rank first.
    pub(super) fn by_rank(&mut self, chosen: impl Fn(&Member) -> bool) -> Vec<AgentId> {
        let clock = self.clock();
        let all = self.members.iter().filter(|(_, member)| chosen(member));
        let mut ranked: Vec<_> = all.map(|(agent, member)| (member.claim(*agent, clock).rank, *agent)).collect();
        ranked.sort_unstable_by(|(a, first), (b, second)| b.cmp(a).then(first.cmp(second)));
        ranked.into_iter().map(|(_, agent)| agent).filter(|agent| self.knows_now(*agent)).collect()
    }

    /// Lets `agent` plan, at the expense of those of lower rank if they can make way, else around everybody.
    fn plan_one(&mut self, agent: AgentId, fuel: &mut Fuel, report: &mut Report) {
        if fuel.left() == 0 {
            report.postponed.push(agent);
            return;
        }
        if let Some(Link::LocalRepair(lra)) = self.members.get(&agent).map(Member::link) {
            return self.repair(agent, lra, fuel, report);
        }
        let first = report.searches == 0;
        let Err(why) = self.try_all(agent, fuel, report) else {
            return;
        };
        if why == NoPlan::OutOfBudget {
            // Nobody else has planned, and it knows the way: a shorter window needs less.
            let knows = self.knows_the_way(agent, &mut Share { fuel, left: 0 });
            if let Some(member) = self.members.get_mut(&agent).filter(|_| first && knows) {
                member.halvings = (member.halvings + 1).min(MOST_HALVINGS);
            }
            report.postponed.push(agent);
            return;
        }
        self.set_tried(agent);
        self.set_due(agent, Some(self.now.saturating_add(1)));
        report.failed.push((agent, why));
        if why == NoPlan::Unreachable {
            report.unreachable.push(agent);
            // Where there is no place to stand by, it goes on looking for a way.
            let _ = self.stop(agent);
        } else if self.whca.holds == Holds::Nothing {
            self.hold_out(agent);
        }
        self.hold_on(agent);
    }

    /// Lets `agent` plan at the expense of those of lower rank, or else of nobody, or else of all who are not promoted.
    fn try_all(&mut self, agent: AgentId, fuel: &mut Fuel, report: &mut Report) -> Result<(), NoPlan> {
        let clock = self.clock();
        let Some(own) = self.members.get(&agent).map(|member| member.claim(agent, clock).rank) else {
            return Ok(());
        };
        // Whoever was stopped in spite of its rank tries to get round first.
        let stopped = self.members.get_mut(&agent).is_some_and(|member| std::mem::take(&mut member.stopped));
        let first = if stopped { [RESTING, own] } else { [own, RESTING] };
        let promoted = self.whca.promotion.then(|| rank::promoted(own));
        for asks in first.into_iter().chain(promoted) {
            match self.transact(agent, asks, own.max(asks), fuel, report) {
                Ok(()) => {
                    if asks > own {
                        report.promoted.push(agent);
                    }
                    return Ok(());
                }
                Err(Undone::NoPlan(NoPlan::Blocked)) => {}
                Err(Undone::NoPlan(other)) => return Err(other),
                Err(Undone::InTheWay) => report.rolled_back += 1,
            }
        }
        Err(NoPlan::Blocked)
    }

    pub(super) fn set_due(&mut self, agent: AgentId, due: Option<Tick>) {
        if let Some(member) = self.members.get_mut(&agent) {
            member.due = due;
        }
    }

    pub(super) fn set_tried(&mut self, agent: AgentId) {
        let now = self.now;
        if let Some(member) = self.members.get_mut(&agent) {
            member.tried = Some(now);
        }
    }
}

/// Windows of 2^32 ticks have become one tick by then.
const MOST_HALVINGS: u32 = 31;
