//! Planning: whose turn it is, and what is tried for it.

use giveway_core::{AgentId, Fuel, ReservationStore, Suspended, Tick};

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

impl<'a> Share<'a> {
    /// So much of `fuel`.
    pub(super) fn of(fuel: &'a mut Fuel, left: u64) -> Self {
        Self { fuel, left }
    }

    /// Nothing, which is enough to ask for what is known.
    fn none(fuel: &'a mut Fuel) -> Self {
        Self { fuel, left: 0 }
    }

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
    /// So many expansions have gone into finding distances anew at this tick.
    pub(super) fn plan_all(&mut self, renewed: u64, fuel: &mut Fuel, report: &mut Report) {
        let (postponed, mut fresh) = self.whose_turn();
        // Half of the budget at most goes into finding the way, lest an order that leads far away keep everybody waiting; but
        // what is left in the end, too.
        let half = fuel.left().saturating_add(renewed).div_ceil(2).saturating_sub(renewed);
        let mut share = Share::of(fuel, half);
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
            match self.find_distance(agent, share) {
                Ok(()) => self.plan_one(agent, share.fuel, report),
                Err(Suspended::OutOfFuel) => lost.push(agent),
                Err(Suspended::OutOfMemory) => self.put_off(agent, NoPlan::OutOfMemory, report),
            }
        }
    }

    /// Whether `agent` has not tried yet at this tick: it may have planned because somebody needed its place.
    fn is_to_plan(&self, agent: AgentId) -> bool {
        self.members.get(&agent).is_some_and(|member| member.tried != Some(self.now))
    }

    /// Finds out how far `agent` has to go, if that is not known yet, for its share.
    fn find_distance(&mut self, agent: AgentId, share: &mut Share<'_>) -> Result<(), Suspended> {
        let Some(member) = self.members.get(&agent) else {
            return Ok(());
        };
        let class = &mut self.classes[member.class.0 as usize];
        let (start, _) = member.free_at(self.now);
        // Goals that nobody had at the last edit. Where fuel or memory are short the agent goes by what there is, as the class is to be renewed.
        if class.revision_of(&member.goals) != class.revision() && !self.classes_to_renew.contains(&member.class) {
            self.classes_to_renew.insert(member.class);
            let _ = share.spend(|fuel| class.renew(&member.goals, start, fuel));
        }
        let known = share.spend(|fuel| class.distance(&member.goals, start, fuel)).map(drop);
        let now = self.now;
        if let Some(member) = self.members.get_mut(&agent) {
            member.knows_since = known.is_ok().then(|| member.knows_since.unwrap_or(now));
        }
        known
    }

    /// Whether it is known by now how far `agent` has to go.
    pub(super) fn knows_now(&mut self, agent: AgentId) -> bool {
        self.find_distance(agent, &mut Share::none(&mut Fuel::expansions(0))).is_ok()
    }

    /// Notes that `agent` could not plan at this tick, because something was short. It comes first at the next one.
    pub(super) fn put_off(&mut self, agent: AgentId, why: NoPlan, report: &mut Report) {
        report.postponed.push(agent);
        if why == NoPlan::OutOfMemory {
            report.out_of_memory.push(agent);
            if let Some(member) = self.members.get(&agent) {
                self.classes_short_of_memory.insert(member.class);
            }
        }
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
            return self.put_off(agent, NoPlan::OutOfBudget, report);
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
            let knows = first && self.knows_now(agent);
            if let Some(member) = self.members.get_mut(&agent).filter(|_| knows) {
                member.halvings = (member.halvings + 1).min(MOST_HALVINGS);
            }
        }
        if why == NoPlan::OutOfBudget || why == NoPlan::OutOfMemory {
            return self.put_off(agent, why, report);
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

    /// Makes `agent` plan anew at `due`. If it is still waiting to find its way, it keeps its place among those who do.
    pub(super) fn put_in_line(&mut self, agent: AgentId, due: Tick) {
        if let Some(member) = self.members.get_mut(&agent) {
            let waits = member.due.filter(|_| member.knows_since.is_none());
            member.due = waits.or(Some(due));
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
