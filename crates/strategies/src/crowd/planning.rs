//! Planning: whose turn it is, and transactions in which an agent plans at the expense of others.

use std::collections::VecDeque;

use giveway_core::{AgentId, AtEnd, Claim, Entry, FOREVER, Fuel, Probe, ReservationStore, Tick};

use super::Crowd;
use super::chain::Link;
use super::class::{Answer, AnyClass, Question};
use super::leg::Leg;
use super::manners::Manners;
use super::member::{Errand, Member, RESTING, Rest, Schedule};
use super::report::{NoPlan, Report};
use super::whca::Holds;

/// Whether an agent may plan through what those of lower rank hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Respect {
    Rank,
    Everyone,
}

/// Why a transaction was rolled back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Undone {
    /// The agent that began it finds no plan.
    NoPlan(NoPlan),
    /// Those whom it pushed aside cannot make way.
    InTheWay,
}

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

/// What a transaction has changed, to be put back if it fails.
struct Before {
    agent: AgentId,
    plan: Schedule,
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

    /// Lets `agent` plan, at the expense of those of lower rank if they can make way, else around everybody.
    fn plan_one(&mut self, agent: AgentId, fuel: &mut Fuel, report: &mut Report) {
        if fuel.left() == 0 {
            report.postponed.push(agent);
            return;
        }
        if let Some(Link::LocalRepair(lra)) = self.members.get(&agent).map(|member| self.link_of(member)) {
            return self.repair(agent, lra, fuel, report);
        }
        let first = report.searches == 0;
        let mut outcome = self.transact(agent, Respect::Rank, fuel, report);
        if outcome == Err(Undone::InTheWay) {
            report.rolled_back += 1;
            outcome = self.transact(agent, Respect::Everyone, fuel, report);
        }
        let why = match outcome {
            Ok(()) => return,
            Err(Undone::NoPlan(why)) => why,
            Err(Undone::InTheWay) => NoPlan::Blocked,
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

    /// Plans `agent`, and then everybody whose reservations it overrode. After an error nothing has changed.
    fn transact(
        &mut self,
        agent: AgentId,
        respect: Respect,
        fuel: &mut Fuel,
        report: &mut Report,
    ) -> Result<(), Undone> {
        let mark = self.store.mark();
        let mut before: Vec<Before> = Vec::new();
        let mut flagged: Vec<AgentId> = Vec::new();
        let mut queue = VecDeque::from([agent]);
        let planned_before = report.planned.len();
        let mut evicted = Vec::new();
        while let Some(next) = queue.pop_front() {
            evicted.clear();
            // Whoever has planned already and lost it again would go on for ever.
            let again = before.iter().any(|before| before.agent == next);
            let attempt =
                if again { Err(NoPlan::Blocked) } else { self.attempt(next, respect, fuel, report, &mut evicted) };
            match attempt {
                Ok(plan) => {
                    report.planned.push(next);
                    before.push(Before { agent: next, plan });
                }
                Err(why) => {
                    // The mark is ours, and nothing has ended transactions since.
                    let _ = self.store.rollback(mark);
                    report.planned.truncate(planned_before);
                    for Before { agent, plan } in before.into_iter().rev() {
                        self.change_plan(agent, plan);
                    }
                    // Without fuel nobody knows whether they could.
                    let itself = next == agent && !again;
                    return Err(if itself || why == NoPlan::OutOfBudget {
                        Undone::NoPlan(why)
                    } else {
                        Undone::InTheWay
                    });
                }
            }
            for loser in evicted.drain(..) {
                let Some(member) = self.members.get(&loser) else {
                    continue;
                };
                if self.whca.soft_rests.is_some() && member.is_at_ease() {
                    // It stays, and is walked through.
                } else if member.is_new() {
                    flagged.push(loser);
                } else if !queue.contains(&loser) {
                    queue.push_back(loser);
                }
            }
        }
        self.store.settle();
        for Before { agent: done, .. } in before {
            self.set_tried(done);
            self.set_due(done, None);
            if done != agent {
                report.overridden.push(done);
            }
        }
        let now = self.now;
        for loser in flagged {
            self.change_plan(loser, Schedule::default());
            if let Some(member) = self.members.get_mut(&loser) {
                member.due = member.due.or(Some(now));
            }
        }
        Ok(())
    }

    /// Releases what `agent` holds, searches, and reserves what it finds; returns the plan that it had before. After an error
    /// the store has to be rolled back.
    fn attempt(
        &mut self,
        agent: AgentId,
        respect: Respect,
        fuel: &mut Fuel,
        report: &mut Report,
        evicted: &mut Vec<AgentId>,
    ) -> Result<Schedule, NoPlan> {
        let now = self.now;
        let window = self.window_of(agent);
        let Some(member) = self.members.get(&agent) else {
            return Err(NoPlan::Unreachable);
        };
        let claim = member.claim(agent);
        let (start, depart) = member.free_at(now);
        let class = &mut self.classes[member.class.0 as usize];
        let store = &mut self.store;
        store.release(agent, depart);

        let asks = match respect {
            Respect::Rank => claim,
            Respect::Everyone => Claim { rank: RESTING, ..claim },
        };
        let horizon = depart.saturating_add(window).min(FOREVER - 1);
        let yields_until = if self.whca.wait_penalty.is_some() {
            yields_until(&**class, store, member, asks, depart, horizon)
        } else {
            0
        };
        let question = Question {
            claim: asks,
            start,
            depart,
            horizon,
            goals: &member.goals,
            at_end: if self.whca.holds == Holds::Rest { AtEnd::Stay } else { AtEnd::Disappear },
            yields_until,
        };
        // It does not push itself aside.
        member.plan.rest.iter().for_each(|rest| self.resters.forget(agent, rest));
        let manners = Manners {
            wait_penalty: self.whca.wait_penalty,
            price: self.whca.price_of_resters(),
            resters: &self.resters,
        };
        report.searches += 1;
        let Answer { found, expanded } = class.plan(&question, &*store, &manners, fuel);
        report.expansions += expanded;
        // Until it has another plan, it keeps this one.
        member.plan.rest.iter().for_each(|rest| self.resters.note(agent, rest));
        let found = found?;
        // What nobody else needs is had; what is overridden is told.
        store.commit(claim, &found.entries, evicted).map_err(|_| NoPlan::Blocked)?;

        // The end of the plan. On a goal, or without one, it is a rest that others may plan through, as far as it is free.
        let last_move = found.legs.iter().rev().find(|leg| leg.is_move());
        let (end, settled) = last_move.map_or((start, depart), |leg| (leg.to, leg.arrive));
        let mut rest = (self.whca.holds == Holds::Rest).then(|| Rest::of(settled, &[]));
        if member.goals.contains(end) || member.errand == Errand::StandBy {
            let from = if last_move.is_some() { settled.saturating_add(1) } else { settled };
            let mut room = Vec::new();
            let mut hold = |claim, begin, end_of_rest| {
                room.clear();
                class.sweep(&Leg::resting(end, begin, end_of_rest), &mut room);
                store.commit(claim, &room, &mut Vec::new()).ok().map(|()| Rest::of(from, &room))
            };
            let lowly = Claim { agent, rank: RESTING };
            rest = hold(lowly, settled, FOREVER);
            if rest.is_some() && last_move.is_some() {
                // All of this is its own by now, so nobody loses anything: only the tick of arrival keeps the plan's rank, lest
                // two that want to arrive at one time push each other aside for ever.
                hold(claim, settled, from);
                rest = hold(lowly, from, FOREVER);
            }
        }
        if let Some(member) = self.members.get_mut(&agent) {
            member.halvings = 0;
        }
        Ok(self.change_plan(agent, Schedule::new(found.legs, rest).by(Link::Windowed)))
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

/// Until when `member` must make way for somebody who comes where it has been resting, or would be if it had not made way
/// already; 0: for nobody.
fn yields_until<R: ReservationStore>(
    class: &dyn AnyClass<R>,
    store: &R,
    member: &Member,
    claim: Claim,
    depart: Tick,
    horizon: Tick,
) -> Tick {
    let rests = member.arrived || member.is_home() || member.errand == Errand::StandBy;
    let place = match member.goals.nodes() {
        [only] => Some(*only),
        _ => member.is_home().then_some(member.node),
    };
    let Some(place) = place.filter(|_| rests) else {
        return 0;
    };
    let mut room: Vec<Entry> = Vec::new();
    class.sweep(&Leg::resting(place, depart, horizon), &mut room);
    room.into_iter().map(|entry| last_blocked(store, entry, claim)).max().unwrap_or(0)
}

/// The first tick after the last one of `entry` that `claim` may not have; 0: it may have all of it.
fn last_blocked(store: &impl ReservationStore, mut entry: Entry, claim: Claim) -> Tick {
    let mut last = 0;
    while let Probe::Blocked { until, .. } = store.probe(&entry, claim) {
        last = until;
        entry.span.start = until;
    }
    last
}

/// Windows of 2^32 ticks have become one tick by then.
const MOST_HALVINGS: u32 = 31;
