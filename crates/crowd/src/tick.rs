//! A tick, and what happens in it: planners take over, agents plan, unsafe moves are stopped, moves begin, time goes
//! on. `planners` decides which agents plan, and in which order.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use giveway_core::{AgentId, Entry, FOREVER, Fuel, Rank, Span, Tick, Ticks};

use crate::budget::Budget;
use crate::calls::Call;
use crate::crowd::Crowd;
use crate::currents;
use crate::guard::{self, Crowding, Start};
use crate::ledger::{Ledger, Presence};
use crate::planners::{Context, Need, ahead, plan_all};
use crate::report::Report;
use crate::shortage::Postponed;
use crate::state::{State, Unit};
use crate::stuck;
use giveway_members::leg::Leg;
use giveway_members::roster::{Member, Patience, SPREAD, Slot, TurnTerms};
use giveway_members::world::World;

/// Past reservations are forgotten after this many ticks at the latest.
const LONGEST_MEMORY: Ticks = 64;

impl Crowd<'_> {
    /// Lets one tick go by: agents plan if it is their turn, planned moves begin, and time advances by one tick.
    ///
    /// The work of the tick is at most `budget`. An agent that cannot plan within the budget follows its old plan, or
    /// stays. At the next tick these agents plan before all other agents, in order of priority, the highest first.
    /// Reverse searches continue where they stopped. If the whole budget is not enough for an agent, the agent next
    /// plans after all other agents that wait for work. It then asks for less work: it pushes no agent aside, or its
    /// window is half as deep. While some agents with known distances still have to plan, at most half of the budget
    /// goes into distances and routes. At two of three steps, joint plans leave a part of the budget to the agents that
    /// plan alone: twice the share of these agents among all agents, but at most half of the budget. Even the smallest
    /// search expands two states, so no agent ever plans with a budget below 2.
    ///
    /// In a crowd without a class only time goes by. At the end of time, tick 2^32 - 2, the call does nothing.
    pub fn tick(&mut self, budget: Budget) -> Report {
        self.note(|| Call::Tick { budget });
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
        let edits = self.world.edited();
        for (class, edited) in &edits {
            self.note_edit(*class, edited);
        }
        let is_known = |presence: &Presence| presence.agrees_with(&self.survey(), self.clock.now);
        debug_assert!(edits.is_empty() || self.ledger.presence().is_none_or(is_known), "a place was edited unnoticed");
        let held = if self.reported.is_empty() { Vec::new() } else { self.hold_overdue() };
        self.resume_paths();
        self.watch_outsiders();
        self.world.begin_tick(budget.fuel().left());
        self.world.make_room(&self.roster, self.clock);

        let work = budget.fuel().left() / self.roster.len().max(1) as u64;
        self.shortage.note_work(work, self.clock.now);
        let mut context = Context::new(self, budget);
        context.report.held = held;
        let State { world, roster, clock, .. } = &mut *context.state;
        let renewed = world.renew_some(roster, *clock, &mut context.work.fuel);
        currents::watch(context.state, &mut context.work.fuel);
        let need = context.state.take_turns(&mut context.report);
        let kept = stuck::work_for(context.state, context.work.fuel.left());
        context.work.fuel = Fuel::work(context.work.fuel.left() - kept);
        plan_all(&mut context, renewed, need);
        let State { world, roster, clock, .. } = &mut *context.state;
        world.renew_while_possible(roster, *clock, &mut context.work.fuel);
        world.end_tick(roster, *clock, &mut context.work.fuel);

        let Context { mut report, mut work, .. } = context;
        self.note_postponed(&report, budget);
        work.fuel = Fuel::work(work.fuel.left().saturating_add(kept));
        stuck::watch(self, &mut report, &mut work.fuel, kept > 0);
        let left = work.fuel.left();
        report.work = budget.fuel().left() - left;
        self.stop_unsafe(&mut report);
        self.move_on(&mut report);
        self.carry_out(&mut report);
        self.last_tick.note(&report);
        report
    }

    /// Notes how many agents the tick of `report` has left without a plan for want of work, which `budget` bounds.
    fn note_postponed(&mut self, report: &Report, budget: Budget) {
        let Self { world, roster, clock, shortage, plain, .. } = self;
        let members = || report.postponed.iter().filter_map(|agent| roster.get(*agent));
        let known = members().filter(|member| member.turn.knows_since().is_some()).count();
        let all = report.postponed.len().saturating_sub(report.out_of_memory.len());
        let of_work = budget.fuel().left();
        let agents = roster.len();
        let step = || plain.price_for(world, [of_work, agents as u64], members().map(|member| member.class()));
        shortage.note(Postponed { known, all, of_work }, || agents, step, *clock);
    }

    /// Changes to the next planner where it is time. Returns what the planners need.
    fn take_turns(&mut self, report: &mut Report) -> Need {
        self.wake();
        let over_for = self.shortage.over_for(self.clock, SPREAD);
        let mut need = Need::default();
        let Self { world, roster, clock, shortage, jam, .. } = self;
        let patience = match (jam.is_in_traffic(roster.len()), world.has_wide_units()) {
            (false, _) => Patience::Long,
            (true, false) if shortage.is_work_modest() => Patience::Rare,
            (true, false) => Patience::Endless,
            (true, true) => Patience::Short,
        };
        let terms = world.turn_terms(over_for.is_some(), shortage.work(), roster, *clock);
        let over_for = over_for.unwrap_or(0);
        let terms = terms.map(|terms| TurnTerms { patience, over_for, ..terms }).collect();
        roster.take_turns(*clock, terms, |member, arrives| {
            if arrives {
                report.arrived.push(member.id());
            }
            need.together |= member.kind().plans_together();
            need.steps |= member.chain().has_steps();
            need.haste |= member.goes_along();
        });
        need
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
        // Of whole moves more is left after the arrival, and a new plan gives that up.
        let is_sure = |unit: Unit<'_>| {
            let motion = &unit.member.motion;
            let is_short = unit.plan.move_at(now).is_none_or(|leg| leg.arrive == now + 1);
            !motion.is_moving() && motion.swept().len() <= 1 && unit.plan.covers(now) && is_short
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

    /// The agents whose moves must not begin, as the guard decides. Two agents that are sure never meet. So the guard
    /// looks at the agents that are `unsure`, and at the agents that have reserved what an unsure agent needs. If the
    /// guard stops an agent, it also looks at the agents that have reserved what the stopped agent needs to stay.
    /// `presence`: where each agent is.
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

    /// Begins the planned moves, and lets time go on by a tick: motions end, agents arrive.
    fn move_on(&mut self, report: &mut Report) {
        // Some have lost their plans.
        self.wake();
        report.served = self.roster.sleepers();
        let (now, next) = (self.clock.now, self.clock.now + 1);
        self.clock.now = next;
        let mut swept = Vec::new();
        let mut may_sleep = false;
        let mut ended = Vec::new();
        for index in 0..self.roster.awake().len() {
            ahead::of(self.roster.awake(), index, |soon| ahead::touch_ends(self, soon, now));
            let Self { world, roster, ledger, stopped_paths, outsiders, .. } = &mut *self;
            let slot = roster.awake()[index];
            let member = &mut roster[slot];
            begin_move((world, ledger), (slot, member), now, &mut swept, report);
            if let Some(leg) = member.motion.pass(next) {
                note_move(world, member, &leg, next);
                if member.is_home() && member.order.arrives() {
                    report.arrived.push(member.id());
                }
            }
            let is_stopped = || stopped_paths.iter().any(|(agent, _)| *agent == member.id());
            if member.goes_along()
                && !is_stopped()
                && outsiders.iter().all(|prediction| !prediction.is_of(member.id()))
                && !member.motion.is_moving()
                && !ledger.plan(slot).has_moves_after(next)
            {
                ended.push(slot);
            }
            member.calm_down();
            may_sleep |= member.may_sleep();
        }
        let Self { roster, ledger, .. } = self;
        ledger.pass(roster.awake(), next);
        // Those at the end of their paths plan as others do.
        for slot in ended {
            self.leave_path(slot);
            self.lose_plan(slot, next);
        }
        let Self { roster, ledger, .. } = self;
        if may_sleep {
            roster.put_to_sleep(|slot| {
                let plan = ledger.plan(slot);
                plan.rest.is_some() && !plan.has_moves()
            });
        }
        if self.settings.soft_rests.is_some() {
            report.overlaps = self.survey().overlaps(next);
        }
        // Once in a while is enough: what has ended holds nothing.
        if next.is_multiple_of(self.settings.period(self.clock).min(LONGEST_MEMORY)) {
            self.ledger.forget_before(next);
        }
    }
}

/// Notes that `member` has ended the move `leg` at `now`.
#[inline]
pub(super) fn note_move(world: &mut World<'_>, member: &mut Member, leg: &Leg, now: Tick) {
    world.note_move(member.class(), leg);
    world[member.class()].moved(leg);
    let distance = member.approach.expected().or_else(|| world.known_distance(member));
    member.approach.moved(distance, leg.arrive - leg.depart, now);
    if member.is_home() {
        member.forget_route();
    }
}

/// Begins the move that `member` at `slot` has planned for `now`, if there is one. `swept` is scratch.
#[inline]
fn begin_move(
    (world, ledger): (&World<'_>, &mut Ledger),
    (slot, member): (Slot, &mut Member),
    now: Tick,
    swept: &mut Vec<Entry>,
    report: &mut Report,
) {
    if member.motion.is_moving() {
        return report.served.note(member.motion.by());
    }
    let plan = ledger.plan(slot);
    let by = plan.by;
    let Some(leg) = plan.move_at(now).copied() else {
        let is_at_ease = Unit { slot, member, plan }.is_at_ease();
        let by = if is_at_ease { Some(member.chain().kind_at(0)) } else { by };
        return report.served.note(by.filter(|_| plan.covers(now)));
    };
    report.served.note(by);
    report.moves += 1;
    swept.clear();
    let class = &world[member.class()];
    let trajectory = class.begin(&leg, swept);
    // From the next tick on the move is under way, and no agent overrides it.
    if leg.arrive > now + 1 {
        ledger.begin_motion(slot, swept);
    }
    member.approach.set_forth(leg.left());
    member.motion.begin(leg, by, swept, trajectory, now + 1);
    if ledger.presence().is_some() {
        // At the next tick this is all that is left of the motion.
        swept.retain(|entry| entry.span.end > now + 1);
        class.sweep(&Leg::resting(leg.to, leg.arrive, FOREVER), swept);
        ledger.move_presence(slot, swept);
    }
}
