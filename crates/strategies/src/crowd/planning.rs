//! Planning: whose turn it is, and transactions in which an agent plans at the expense of others.

use std::cmp::Reverse;
use std::collections::VecDeque;

use giveway_core::{AgentId, AtEnd, Claim, Entry, FOREVER, Fuel, Rank, ReservationStore, Tick, Ticks};
use rand::seq::SliceRandom;

use super::Crowd;
use super::class::{Answer, Question};
use super::leg::Leg;
use super::manners::Manners;
use super::member::{Errand, Member, RESTING, Rest, Schedule};
use super::report::{NoPlan, Report};
use super::whca::{Depth, Holds, Replanning};
use crate::order::{Order, random};

/// Whether an agent may plan through what those of lower rank hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Respect {
    Rank,
    Everyone,
}

/// What a transaction has changed, to be put back if it fails.
struct Before {
    agent: AgentId,
    plan: Schedule,
}

impl<R: ReservationStore> Crowd<'_, R> {
    /// Lets everyone plan whose turn it is, for as long as there is fuel.
    pub(super) fn plan_all(&mut self, fuel: &mut Fuel, report: &mut Report) {
        let now = self.now;
        let turns = self.whose_turn(fuel);
        for agent in turns {
            // It may have planned already, because somebody needed its place.
            let Some(member) = self.members.get(&agent).filter(|member| member.tried != Some(now)) else {
                continue;
            };
            if member.due.is_none() {
                self.set_due(agent, Some(now));
            }
            if fuel.left() == 0 {
                report.postponed.push(agent);
                continue;
            }
            let whole_budget = report.searches == 0;
            self.plan_one(agent, whole_budget, fuel, report);
        }
    }

    /// Who ought to plan at this tick, in order.
    fn whose_turn(&mut self, fuel: &mut Fuel) -> Vec<AgentId> {
        let (now, period) = (self.now, self.whca.period());
        let scheduled = |agent: AgentId| match self.whca.replanning {
            Replanning::Staggered => now.wrapping_add(agent.0).is_multiple_of(period),
            Replanning::AllAtOnce => now.is_multiple_of(period),
        };
        let is_due = |agent: AgentId, member: &Member| {
            let regular = scheduled(agent) && !member.is_at_ease();
            member.due.is_some() || regular || !member.plan.covers(member.free_at(now).1)
        };
        let mut turns: Vec<AgentId> =
            self.members.iter().filter(|(agent, member)| is_due(**agent, member)).map(|(agent, _)| *agent).collect();
        self.arrange(&mut turns, fuel);
        // Whoever has waited longest for a turn comes first: nobody is put off for ever by a small budget.
        turns.sort_by_key(|agent| self.members.get(agent).and_then(|member| member.due).unwrap_or(now));
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
        class.distance(&member.goals, member.node, member.origin, fuel).ok().map(f64::to_bits)
    }

    /// Lets `agent` plan, at the expense of those of lower rank if they can make way, else around everybody.
    fn plan_one(&mut self, agent: AgentId, whole_budget: bool, fuel: &mut Fuel, report: &mut Report) {
        let mut outcome = self.transact(agent, Respect::Rank, fuel, report);
        if let Err((who, NoPlan::Blocked)) = outcome
            && who != agent
        {
            report.rolled_back += 1;
            outcome = self.transact(agent, Respect::Everyone, fuel, report);
        }
        let now = self.now;
        match outcome {
            Ok(()) => {}
            Err((_, NoPlan::OutOfBudget)) => {
                // Not even a whole budget was enough, and reverse searches have gone on for all it was worth: a shorter
                // window needs less.
                if let Some(member) = self.members.get_mut(&agent).filter(|_| whole_budget) {
                    member.halvings = (member.halvings + 1).min(MOST_HALVINGS);
                }
                report.postponed.push(agent);
            }
            Err((who, why)) => {
                self.set_tried(agent);
                self.set_due(agent, Some(now.saturating_add(1)));
                report.failed.push((agent, why));
                if why == NoPlan::Unreachable && who == agent {
                    report.unreachable.push(agent);
                    let _ = self.stop(agent);
                }
                self.hold_on(agent);
            }
        }
    }

    /// Plans `agent`, and then everybody whose reservations it overrode. If one of them finds no plan nothing has changed,
    /// and the error tells who.
    fn transact(
        &mut self,
        agent: AgentId,
        respect: Respect,
        fuel: &mut Fuel,
        report: &mut Report,
    ) -> Result<(), (AgentId, NoPlan)> {
        let mark = self.store.mark();
        let mut before: Vec<Before> = Vec::new();
        let mut flagged: Vec<AgentId> = Vec::new();
        let mut queue = VecDeque::from([agent]);
        let planned_before = report.planned.len();
        let mut evicted = Vec::new();
        while let Some(next) = queue.pop_front() {
            evicted.clear();
            let turns = before.iter().filter(|done| done.agent == next).count();
            let outcome = match turns {
                ..MOST_TURNS => self.attempt(next, respect, fuel, report, &mut evicted),
                _ => Err(NoPlan::Blocked),
            };
            match outcome {
                Ok(plan) => {
                    report.planned.push(next);
                    before.push(Before { agent: next, plan });
                }
                Err(why) => {
                    // The mark is ours, and nothing has ended transactions since.
                    let _ = self.store.rollback(mark);
                    // Whoever has had too many turns has somebody to share the blame: the retry is for overrides that failed.
                    let rival = before.iter().rev().map(|done| done.agent).find(|done| *done != agent).unwrap_or(next);
                    report.planned.truncate(planned_before);
                    for Before { agent, plan } in before.into_iter().rev() {
                        self.change_plan(agent, plan);
                    }
                    return Err((if turns < MOST_TURNS { next } else { rival }, why));
                }
            }
            for loser in evicted.drain(..) {
                let soft = self.whca.soft_rests.is_some();
                if soft && self.members.get(&loser).is_some_and(Member::is_at_ease) {
                    continue;
                }
                let can_wait = self.members.get(&loser).is_none_or(|loser| {
                    // It has no plan that could have been spoilt, and looks for one anyway.
                    loser.errand == Errand::Go && !loser.is_home() && loser.plan.ahead().is_empty()
                });
                if can_wait {
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
        let must_yield = self.whca.wait_penalty.is_some() && member.is_home() && {
            let mut room: Vec<Entry> = Vec::new();
            class.sweep(&Leg::resting(start, depart, horizon), &mut room);
            !room.iter().all(|entry| store.permits(entry, asks))
        };
        let question = Question {
            claim: asks,
            start,
            depart,
            horizon,
            goals: &member.goals,
            origin: member.origin,
            at_end: if self.whca.holds == Holds::Rest { AtEnd::Stay } else { AtEnd::Disappear },
            must_yield,
        };
        // It does not push itself aside.
        member.plan.rest.iter().for_each(|rest| self.resters.forget(rest));
        let manners = Manners {
            wait_penalty: self.whca.wait_penalty,
            price: self.whca.price_of_resters(),
            resters: &self.resters,
        };
        report.searches += 1;
        let Answer { found, expanded } = class.plan(&question, &*store, &manners, fuel);
        report.expansions += expanded;
        // Until it has another plan, it keeps this one.
        member.plan.rest.iter().for_each(|rest| self.resters.note(rest));
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
        Ok(self.change_plan(agent, Schedule::new(found.legs, rest)))
    }

    /// How many ticks ahead `agent` plans now.
    fn window_of(&self, agent: AgentId) -> Ticks {
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
        let halvings = self.members.get(&agent).map_or(0, |member| member.halvings);
        (steps.saturating_mul(self.whca.ticks_per_step) >> halvings).max(1)
    }

    /// The share of the places within three moves of `agent` that others hold at some time of a longest window, from 0 to 1.
    fn crowding(&self, agent: AgentId) -> f64 {
        let Some(member) = self.members.get(&agent) else {
            return 0.0;
        };
        let class = &self.classes[member.class.0 as usize];
        let (start, depart) = member.free_at(self.now);
        let until = depart.saturating_add(self.whca.longest_window());
        let mut near = vec![start];
        let mut begin = 0;
        for _ in 0..3 {
            let end = near.len();
            for index in begin..end {
                class.for_each_move(near[index], depart, &mut |leg, _| {
                    if !near.contains(&leg.to) {
                        near.push(leg.to);
                    }
                });
            }
            begin = end;
        }
        let claim = Claim { agent, rank: Rank(0) };
        let mut room = Vec::new();
        let mut held = |node: &giveway_core::NodeId| {
            room.clear();
            class.sweep(&Leg::resting(*node, depart, until), &mut room);
            !room.iter().all(|entry| self.store.permits(entry, claim))
        };
        let reserved = near.iter().skip(1).filter(|node| held(node)).count();
        #[allow(clippy::cast_precision_loss)] // a few dozen
        let share = reserved as f64 / (near.len() - 1).max(1) as f64;
        share
    }

    /// Makes an agent that found no plan hold the place where it will be when its old plan has run out.
    fn hold_on(&mut self, agent: AgentId) {
        let now = self.now;
        let exhausted = |member: &&Member| !member.plan.covers(member.free_at(now).1);
        if self.members.get(&agent).filter(exhausted).is_some() {
            self.stand(agent);
        }
    }

    /// Makes `agent` give up its plan and stand where it is, or where its motion under way ends; it plans anew at `due`.
    pub(super) fn lose_plan(&mut self, agent: AgentId, due: Tick) {
        self.stand(agent);
        self.set_due(agent, Some(due));
    }

    /// Replaces the plan of `agent` by a rest that others may plan through, as long as the place is free.
    pub(super) fn stand(&mut self, agent: AgentId) {
        let now = self.now;
        let Some(member) = self.members.get(&agent) else {
            return;
        };
        let (node, from) = member.free_at(now);
        let class = &self.classes[member.class.0 as usize];
        let store = &mut self.store;
        store.release(agent, from);
        let claim = Claim { agent, rank: RESTING };
        let mut room = Vec::new();
        let mut until = FOREVER;
        let mut ticks = self.whca.longest_window();
        loop {
            room.clear();
            class.sweep(&Leg::resting(node, from, until), &mut room);
            let had = store.commit(claim, &room, &mut Vec::new()).is_ok();
            if had || ticks == 0 {
                let rest = (had && until == FOREVER).then(|| Rest::of(from, &room));
                self.change_plan(agent, Schedule::new(Vec::new(), rest));
                return;
            }
            until = from.saturating_add(ticks);
            ticks /= 2;
        }
    }

    /// Gives `agent` a plan, whose reservations are made, and returns the one that it had.
    pub(super) fn change_plan(&mut self, agent: AgentId, plan: Schedule) -> Schedule {
        let Some(member) = self.members.get_mut(&agent) else {
            return Schedule::default();
        };
        let before = std::mem::replace(&mut member.plan, plan);
        before.rest.iter().for_each(|rest| self.resters.forget(rest));
        member.plan.rest.iter().for_each(|rest| self.resters.note(rest));
        before
    }

    pub(super) fn set_due(&mut self, agent: AgentId, due: Option<Tick>) {
        if let Some(member) = self.members.get_mut(&agent) {
            member.due = due;
        }
    }

    fn set_tried(&mut self, agent: AgentId) {
        let now = self.now;
        if let Some(member) = self.members.get_mut(&agent) {
            member.tried = Some(now);
        }
    }
}

/// How often one agent may plan in one transaction: two may override the ends of each other's plans in turn, without end.
const MOST_TURNS: usize = 8;

/// Windows of 2^32 ticks have become one tick by then.
const MOST_HALVINGS: u32 = 31;
