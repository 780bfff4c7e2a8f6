//! Transactions: an agent plans at the expense of others, and they plan anew, or nothing happens.

use std::collections::VecDeque;

use giveway_core::{AgentId, AtEnd, Claim, Entry, FOREVER, Fuel, Probe, Rank, ReservationStore, Tick, Ticks};

use super::Crowd;
use super::any_class::{Answer, AnyClass, Question};
use super::chain::Link;
use super::leg::Leg;
use super::manners::Manners;
use super::member::{Errand, Member, Rest, Schedule};
use super::rank::{self, RESTING};
use super::report::{NoPlan, Report};
use super::whca::Holds;

/// Why a transaction was rolled back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Undone {
    /// The agent that began it finds no plan.
    NoPlan(NoPlan),
    /// Those whom it pushed aside cannot make way.
    InTheWay,
}

/// On which terms an agent looks for a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// It plans around those who do not rank below this.
    pub(super) asks: Rank,
    /// At what rank it holds what it finds.
    pub(super) holds: Rank,
    /// For how many ticks it plans.
    pub(super) window: Ticks,
    pub(super) at_end: AtEnd,
    pub(super) by: Link,
}

/// What a transaction has changed, to be put back if it fails.
pub(super) struct Before {
    pub(super) agent: AgentId,
    pub(super) plan: Schedule,
}

impl<R: ReservationStore> Crowd<'_, R> {
    /// Plans `agent` around all who do not rank below `asks`, and then everybody whose reservations it overrode, at ranks below
    /// `holds`, which it holds what it finds at. After an error nothing has changed.
    pub(super) fn transact(
        &mut self,
        agent: AgentId,
        asks: Rank,
        holds: Rank,
        fuel: &mut Fuel,
        report: &mut Report,
    ) -> Result<(), Undone> {
        let mark = self.store.mark();
        let mut before: Vec<Before> = Vec::new();
        let mut flagged: Vec<AgentId> = Vec::new();
        let mut queue = VecDeque::from([(agent, 0)]);
        let mut attempts = 0;
        let planned_before = report.planned.len();
        let mut evicted = Vec::new();
        while let Some((next, depth)) = queue.pop_front() {
            evicted.clear();
            let ranks = if depth == 0 { [asks, holds] } else { [self.rank_of_pushed(next, holds, depth); 2] };
            let terms = self.windowed(next, ranks);
            attempts += 1;
            let attempt = if attempts > self.whca.cascade {
                Err(NoPlan::Blocked)
            } else {
                self.attempt(next, terms, fuel, report, &mut evicted)
            };
            match attempt {
                Ok(plan) => {
                    report.planned.push(next);
                    before.push(Before { agent: next, plan });
                }
                Err(why) => {
                    self.put_back(mark, before);
                    report.planned.truncate(planned_before);
                    // Without fuel nobody knows whether they could.
                    return Err(if depth == 0 || why == NoPlan::OutOfBudget {
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
                } else if !queue.iter().any(|(queued, _)| *queued == loser) {
                    queue.push_back((loser, depth + 1));
                }
            }
        }
        // Who has lost part of its plan again, and loses the rest of it below, may have no rest to lower.
        for done in before.iter().filter(|done| !flagged.contains(&done.agent)) {
            self.lower_rest(done.agent);
        }
        self.store.settle();
        for (turn, Before { agent: done, .. }) in before.into_iter().enumerate() {
            self.set_tried(done);
            self.set_due(done, None);
            if turn > 0 && !report.overridden.contains(&done) {
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

    /// Ends the transaction since `mark` as if nothing had happened since.
    pub(super) fn put_back(&mut self, mark: R::Mark, before: Vec<Before>) {
        // Nothing has ended transactions since.
        let _ = self.store.rollback(mark);
        for Before { agent, plan } in before.into_iter().rev() {
            self.change_plan(agent, plan);
        }
        self.store.settle();
    }

    /// From now on others may plan through the rest at the end of the plan of `agent`. Only the tick of arrival keeps the plan's rank, lest two that
    /// want to arrive at one time push each other aside for ever.
    pub(super) fn lower_rest(&mut self, agent: AgentId) {
        let Some(member) = self.members.get(&agent) else { return };
        let Some(rest) = member.plan.rest.as_ref().filter(|rest| !rest.cells.is_empty()) else { return };
        if self.whca.soft_rests.is_some() {
            return;
        }
        let end = member.plan.ahead().last().map_or(member.free_at(self.now).0, |leg| leg.to);
        let mut room = Vec::new();
        self.classes[member.class.0 as usize].sweep(&Leg::resting(end, rest.from, FOREVER), &mut room);
        let lowered = self.store.reserve(Claim { agent, rank: RESTING }, &room);
        debug_assert!(lowered.is_ok(), "{lowered:?}");
    }

    /// How `agent` plans a window ahead, around those who do not rank below the first of `ranks`, to hold it at the second.
    fn windowed(&self, agent: AgentId, [asks, holds]: [Rank; 2]) -> Terms {
        let at_end = if self.whca.holds == Holds::Rest { AtEnd::Stay } else { AtEnd::Disappear };
        Terms { asks, holds, window: self.window_of(agent), at_end, by: Link::Windowed }
    }

    /// As whom `agent` plans that was pushed aside by somebody of rank `initiator`, or by one whom that pushed aside, and so on.
    fn rank_of_pushed(&self, agent: AgentId, initiator: Rank, depth: u32) -> Rank {
        let clock = self.clock();
        if self.whca.promotion {
            rank::pushed_aside(initiator, depth)
        } else {
            self.members.get(&agent).map_or(RESTING, |member| member.claim(agent, clock).rank)
        }
    }

    /// Releases what `agent` holds, searches, and reserves what it finds; returns the plan that it had before. After an error
    /// the store has to be rolled back.
    pub(super) fn attempt(
        &mut self,
        agent: AgentId,
        terms: Terms,
        fuel: &mut Fuel,
        report: &mut Report,
        evicted: &mut Vec<AgentId>,
    ) -> Result<Schedule, NoPlan> {
        let now = self.now;
        let Some(member) = self.members.get(&agent) else {
            return Err(NoPlan::Unreachable);
        };
        let claim = Claim { agent, rank: terms.holds };
        let asks = Claim { agent, rank: terms.asks };
        let (start, depart) = member.free_at(now);
        let class = &mut self.classes[member.class.0 as usize];
        let store = &mut self.store;
        store.release(agent, depart);

        let horizon = depart.saturating_add(terms.window).min(FOREVER - 1);
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
            at_end: terms.at_end,
            yields_until,
            descends: self.whca.descent && terms.by == Link::Windowed,
        };
        // It does not push itself aside.
        member.plan.rest.iter().for_each(|rest| self.resters.forget(agent, rest));
        let manners = Manners {
            wait_penalty: self.whca.wait_penalty,
            price: self.whca.price_of_resters(member.priority),
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
                store.reserve(claim, &room).ok().map(|()| Rest::of(from, &room))
            };
            let lowly = Claim { agent, rank: RESTING };
            rest = hold(lowly, settled, FOREVER);
            if rest.is_some() && last_move.is_some() {
                // All of this is its own by now, so nobody loses anything. Until the transaction ends those whom it pushed aside respect it.
                let soft = self.whca.soft_rests.is_some();
                hold(claim, settled, if soft { from } else { FOREVER });
                rest = hold(if soft { lowly } else { claim }, from, FOREVER);
            }
        }
        if let Some(member) = self.members.get_mut(&agent) {
            member.halvings = 0;
        }
        Ok(self.change_plan(agent, Schedule::new(found.legs, rest).by(terms.by)))
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
