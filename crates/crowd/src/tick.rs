//! A tick, and what happens in it: planners take over, agents plan, unsafe moves are stopped, moves begin, time goes
//! on. `planners` decides which agents plan, and in which order.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use giveway_core::{AgentId, Entry, FOREVER, Rank, Span, Ticks};

use crate::budget::Budget;
use crate::crowd::Crowd;
use crate::guard::{self, Crowding, Start};
use crate::ledger::Presence;
use crate::leg::Leg;
use crate::planners::{Context, plan_all};
use crate::report::Report;
use crate::roster::Slot;
use crate::state::{State, Unit};
use crate::stuck;

/// Past reservations are forgotten after this many ticks at the latest.
const LONGEST_MEMORY: Ticks = 64;

impl Crowd<'_> {
    /// Lets one tick go by: agents plan if it is their turn, planned moves begin, and time advances by one tick.
    ///
    /// The work of the tick is at most `budget`. An agent that cannot plan within the budget follows its old plan, or
    /// stays, and plans first at the next tick. Reverse searches continue where they stopped. If the whole budget is
    /// not enough for an agent, the agent next plans after all other agents that wait for work, and then asks for less
    /// work: it pushes no agent aside, or its window is half as deep. While some agents with known distances still have
    /// to plan, at most half of the budget goes into distances and routes. At two of three steps, joint plans get at
    /// most half of the budget. Even the smallest search expands two states: with a smaller budget no agent ever plans.
    ///
    /// In a crowd without a class only time goes by. At the end of time, tick 2^32 - 2, the call does nothing.
    pub fn tick(&mut self, budget: Budget) -> Report {
        let mut report = self.state.tick(budget);
        let reverse = self.reverse_expanded();
        report.reverse_expansions = reverse - self.reverse_before;
        self.reverse_before = reverse;
        report
    }
}

impl State<'_> {
    fn tick(&mut self, budget: Budget) -> Report {
        if self.clock.now >= FOREVER - 1 {
            return Report { tick: self.clock.now, ..Report::default() };
        }
        self.seal_vacated();
        for (class, edited) in self.world.edited() {
            self.note_edit(class, &edited);
        }
        self.world.make_room(&self.roster, self.clock);

        let mut context = Context::new(self, budget);
        let State { world, roster, clock, .. } = &mut *context.state;
        let renewed = world.renew_some(roster, *clock, &mut context.work.fuel);
        let plan_together = context.state.take_turns(&mut context.report);
        plan_all(&mut context, renewed, plan_together);
        let State { world, roster, clock, .. } = &mut *context.state;
        world.renew_while_possible(roster, *clock, &mut context.work.fuel);

        let Context { mut report, mut work, .. } = context;
        stuck::watch(self, &mut report, &mut work.fuel);
        let left = work.fuel.left();
        report.work = budget.fuel().left() - left;
        self.stop_unsafe(&mut report);
        self.begin_moves(&mut report);
        self.pass(&mut report);
        report
    }

    /// Changes to the next planner where it is time. Returns whether some agent's planner plans several agents
    /// together. An agent may have been sent to the place where it is: such arrivals are reported.
    fn take_turns(&mut self, report: &mut Report) -> bool {
        self.wake();
        self.roster.take_turns(self.clock);
        let mut together = false;
        for index in 0..self.roster.awake().len() {
            let slot = self.roster.awake()[index];
            let member = &mut self.roster[slot];
            if member.is_home() && member.order.arrives() {
                report.arrived.push(member.id());
            }
            member.take_turn(self.clock);
            together |= member.planner().plans_together();
        }
        together
    }

    /// Stops moves that are not safe.
    fn stop_unsafe(&mut self, report: &mut Report) {
        self.wake();
        let now = self.clock.now;
        if !self.awake().any(|unit| unit.begins_move(now)) {
            return;
        }
        // If every agent has reserved what it does at this tick, and no move outlasts the tick, every move is safe:
        // reservations exclude each other, and by the contract of footprints an arrival holds what a stay needs.
        let is_sure = |unit: Unit<'_>| {
            let is_short = unit.plan.move_at(now).is_none_or(|leg| leg.arrive == now + 1);
            !unit.member.motion.is_moving() && unit.plan.covers(now) && is_short
        };
        let is_soft = self.settings.soft_rests.is_some();
        let unsure: Vec<Slot> = self.awake().filter(|unit| is_soft || !is_sure(*unit)).map(|unit| unit.slot).collect();
        if unsure.is_empty() {
            self.ledger.forget_presence_if_idle(now);
            debug_assert_eq!(
                self.unsafe_starts(&self.survey(), self.roster.awake()),
                [],
                "at tick {now} the guard sees more"
            );
            return;
        }
        self.look_around();
        let Some(presence) = self.ledger.presence() else { return };
        debug_assert!(presence.agrees_with(&self.survey(), now));
        let stopped = self.stopped_near(presence, unsure);
        debug_assert_eq!(
            stopped,
            self.unsafe_starts(presence, self.roster.awake()),
            "at tick {now} the guard sees more"
        );
        for agent in stopped {
            let Some(slot) = self.roster.slot(agent) else { continue };
            // With moves that take several ticks, an overridden agent may take long to get away.
            let is_long = self.ledger.plan(slot).move_at(now).is_some_and(|leg| leg.arrive > now + 1);
            self.roster[slot].window.stop(is_long);
            self.lose_plan(slot, now.saturating_add(1));
            report.stopped.push(agent);
        }
        report.stopped.sort_unstable();
    }

    /// The agents whose moves must not begin, as the guard decides. Two agents that are sure never meet, so the guard
    /// looks only at the agents that are `unsure`, at those that have reserved what these need, and, where it stops one
    /// of them, at those that have reserved what that one needs to stay. `presence`: where each agent is.
    fn stopped_near(&self, presence: &Presence, unsure: Vec<Slot>) -> Vec<AgentId> {
        if unsure.len() * 4 >= self.roster.awake().len() {
            return self.unsafe_starts(presence, self.roster.awake());
        }
        let mut looked_at: BTreeSet<Slot> = unsure.iter().copied().collect();
        for slot in unsure {
            self.wants_what_is_needed_by(slot, &mut looked_at);
        }
        loop {
            let stopped = self.unsafe_starts(presence, &looked_at.iter().copied().collect::<Vec<Slot>>());
            let before = looked_at.len();
            for slot in self.roster.slots_of(stopped.clone()) {
                self.wants_what_is_needed_by(slot, &mut looked_at);
            }
            if looked_at.len() == before {
                return stopped;
            }
        }
    }

    /// Adds to `wanting` the agents that have reserved some of what `slot` occupies from this tick on, whether it stays
    /// or begins its move.
    fn wants_what_is_needed_by(&self, slot: Slot, wanting: &mut BTreeSet<Slot>) {
        let now = self.clock.now;
        let mut needed = self.room_of(&self.roster[slot]);
        needed.extend(self.start(slot).into_iter().flat_map(|start| start.go));
        // Who comes to one of the cells now may be unable to leave before the cell is needed, and holds it already now.
        let left = |entry: Entry| Entry { span: Span::new(now, entry.span.end), ..entry };
        for entry in needed.into_iter().map(left).filter(|entry| !entry.span.is_empty()) {
            wanting.extend(self.roster.slots_of(self.ledger.holders(&entry)));
        }
    }

    /// The agents of `looked_at`, in ascending order, whose moves must not begin, as the guard decides. All other moves
    /// begin. `presence`: where each agent is.
    fn unsafe_starts(&self, presence: &Presence, looked_at: &[Slot]) -> Vec<AgentId> {
        let now = self.clock.now;
        let first = |unit: Unit<'_>| (Reverse(unit.member.claim(self.clock).rank), unit.slot);
        let units = looked_at.iter().map(|slot| self.unit(*slot));
        let mut order: Vec<(Reverse<Rank>, Slot)> = units.filter(|unit| unit.begins_move(now)).map(first).collect();
        order.sort_unstable();
        let starts: Vec<Start> = order.iter().filter_map(|(_, slot)| self.start(*slot)).collect();
        // An agent that others may walk through stops no other agent.
        let is_at_ease = |agent| self.roster.slot(agent).is_some_and(|slot| self.unit(slot).is_at_ease());
        let leaves = |slot: &Slot| looked_at.binary_search(slot).is_err() && self.unit(*slot).begins_move(now);
        let yields = |agent| {
            self.settings.soft_rests.is_some() && is_at_ease(agent)
                || self.roster.slot(agent).is_some_and(|slot| leaves(&slot))
        };
        let stopped = guard::stopped(&starts, &Crowding { presence, now, yields: &yields });
        stopped.into_iter().map(|index| starts[index].agent).collect()
    }

    /// The move that `slot` is about to begin, and the stay at its end; `None`: there is none.
    fn start(&self, slot: Slot) -> Option<Start> {
        let Unit { member, plan, .. } = self.unit(slot);
        let (class, mut go) = (self.class(slot), Vec::new());
        let leg = plan.move_at(self.clock.now)?;
        class.sweep(leg, &mut go);
        class.sweep(&Leg::resting(leg.to, leg.arrive, FOREVER), &mut go);
        Some(Start { agent: member.id(), go })
    }

    /// Begins the planned moves.
    fn begin_moves(&mut self, report: &mut Report) {
        // Some have lost their plans.
        self.wake();
        let now = self.clock.now;
        let mut room = Vec::new();
        report.served = self.roster.sleepers();
        for index in 0..self.roster.awake().len() {
            let slot = self.roster.awake()[index];
            let unit = self.unit(slot);
            if unit.member.motion.is_moving() {
                report.served.note(unit.member.motion.by());
                continue;
            }
            let Some(leg) = unit.plan.move_at(now).copied() else {
                let by = if unit.is_at_ease() { Some(unit.member.chain().at(0)) } else { unit.plan.by };
                report.served.note(by.filter(|_| unit.plan.covers(now)));
                continue;
            };
            let by = unit.plan.by;
            report.served.note(by);
            report.moves += 1;
            let member = &mut self.roster[slot];
            let class = &self.world[member.class()];
            member.motion.begin(leg, by, |swept| class.begin(&leg, swept));
            let swept = member.motion.swept();
            if self.ledger.presence().is_some() {
                room.clear();
                // At the next tick this is all that is left of the motion.
                room.extend(swept.iter().filter(|entry| entry.span.end > now + 1));
                class.sweep(&Leg::resting(leg.to, leg.arrive, FOREVER), &mut room);
                self.ledger.move_presence(slot, &room);
            }
            // From the next tick on the move is under way, and no agent overrides it.
            if leg.arrive > now + 1 {
                self.ledger.begin_motion(slot, swept);
            }
        }
    }

    /// Lets time go on: motions end, agents arrive.
    fn pass(&mut self, report: &mut Report) {
        self.clock.now += 1;
        let now = self.clock.now;
        let mut may_sleep = false;
        for index in 0..self.roster.awake().len() {
            let slot = self.roster.awake()[index];
            self.ledger.pass(slot, now);
            let member = &mut self.roster[slot];
            if let Some(leg) = member.motion.pass(now) {
                self.world[member.class()].moved(&leg);
                let distance = self.world.known_distance(member);
                member.approach.moved(distance, leg.arrive - leg.depart, now);
                if member.is_home() {
                    member.forget_route();
                    if member.order.arrives() {
                        report.arrived.push(member.id());
                    }
                }
            }
            may_sleep |= member.may_sleep();
        }
        let Self { roster, ledger, .. } = self;
        if may_sleep {
            roster.put_to_sleep(|slot| {
                let plan = ledger.plan(slot);
                plan.rest.is_some() && !plan.has_moves()
            });
        }
        if self.settings.soft_rests.is_some() {
            report.overlaps = self.survey().overlaps(now);
        }
        // Once in a while is enough: what has ended holds nothing.
        if now.is_multiple_of(self.settings.period(self.clock).min(LONGEST_MEMORY)) {
            self.ledger.forget_before(now);
        }
    }
}
