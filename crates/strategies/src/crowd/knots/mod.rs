//! Knots: the few units that block each other are planned together, and then go on by themselves.
//!
//! First one after the other, to the end, in as many orders as there are units (HCA*, Silver, "Cooperative Pathfinding", AIIDE 2005,
//! section 5). If no order will do, in all their configurations; see [`joint`](crate::joint).

mod field;

use std::collections::VecDeque;

use giveway_core::{AgentId, AtEnd, Claim, FOREVER, Fuel, ReservationStore, Span, Ticks};
use rustc_hash::FxHashSet;

use super::Crowd;
use super::chain::Link;
use super::execution::Presence;
use super::leg::Leg;
use super::member::{Member, Schedule};
use super::rank::{JOINT, RESTING};
use super::report::Report;
use super::transaction::{Before, Terms};
use crate::joint::plan_jointly;
use field::{Knot, Unit, leg_of};

/// So many units are planned together at first, and at most.
const FEWEST: usize = 4;
const MOST: usize = 16;

/// After so many steps it is tried again, with twice as many units.
const PAUSE: u64 = 8;

/// How far around an agent, in places for each unit of a knot, the others of the knot are looked for.
const AROUND: usize = 40;

/// How far ahead, in steps, units are planned one after the other.
const LONGEST: Ticks = 128;

/// How many configurations are looked at.
const EFFORT: u64 = 20_000;

/// Units that are farther from their goals than this, in plain steps, are planned only a part of the way.
const FAR: f64 = 24.0;

/// How much nearer, in plain steps, a unit that is far comes if the knot is planned for it.
const GAIN: f64 = 8.0;

impl<R: ReservationStore> Crowd<'_, R> {
    /// Plans those whose turn it is to be planned with others, the highest rank first.
    pub(super) fn plan_knots(&mut self, fuel: &mut Fuel, report: &mut Report) {
        let (now, ticks_per_step) = (self.now, self.ticks_per_step);
        let size = |member: &Member| {
            let (_, turn) = member.chain.turn(member.progress.steps(now, ticks_per_step));
            let doublings = u32::try_from(turn / PAUSE).unwrap_or(u32::MAX);
            let is_time = turn.is_multiple_of(PAUSE) && now.is_multiple_of(ticks_per_step);
            is_time.then(|| FEWEST.checked_shl(doublings).unwrap_or(MOST).clamp(FEWEST, MOST))
        };
        let stuck = |member: &Member| {
            member.link() == Link::Joint && member.is_under_way() && is_free(member) && size(member).is_some()
        };
        let stuck = self.by_rank(stuck);
        if stuck.is_empty() {
            return;
        }
        let staying = self.survey();
        let mut done: FxHashSet<AgentId> = FxHashSet::default();
        for agent in stuck {
            let Some(size) = self.members.get(&agent).and_then(size).filter(|_| !done.contains(&agent)) else {
                continue;
            };
            let knot = self.knot_of(agent, size, &staying, &done);
            if self.plan_in_some_order(&knot, fuel, report) || self.plan_together(&knot, &staying, fuel, report) {
                for planned in &knot {
                    self.set_tried(*planned);
                    self.set_due(*planned, None);
                }
                done.extend(knot.iter().copied());
                report.planned.extend_from_slice(&knot);
                report.knots.push(knot);
            }
        }
    }

    /// `agent`, and those nearest to it, `size` together at most. Empty: its moves do not all take the same time.
    fn knot_of(&self, agent: AgentId, size: usize, staying: &Presence, done: &FxHashSet<AgentId>) -> Vec<AgentId> {
        let Some(member) = self.members.get(&agent) else {
            return Vec::new();
        };
        let step = |member: &Member| self.classes[member.class.0 as usize].uniform_duration();
        let Some(ticks) = step(member) else {
            return Vec::new();
        };
        let joins = |other: &AgentId| {
            let fits = |member: &Member| is_free(member) && step(member) == Some(ticks);
            !done.contains(other) && self.members.get(other).is_some_and(fits)
        };
        let class = &self.classes[member.class.0 as usize];
        let mut knot = vec![agent];
        let mut room = Vec::new();
        let mut seen = FxHashSet::from_iter([member.node]);
        let mut queue = VecDeque::from([member.node]);
        while let Some(node) = queue.pop_front().filter(|_| knot.len() < size && seen.len() < AROUND * size) {
            room.clear();
            class.sweep(&Leg::resting(node, self.now, FOREVER), &mut room);
            let here = staying.all_met(agent, &room).into_iter().filter(joins);
            let new: Vec<AgentId> = here.filter(|other| !knot.contains(other)).collect();
            knot.extend(new);
            class.for_each_move(node, self.now, &mut |leg, _| {
                if seen.insert(leg.to) {
                    queue.push_back(leg.to);
                }
            });
        }
        knot.truncate(size);
        knot
    }

    /// Plans those of `knot` one after the other, each of them first once, until all come to their goals; whether they do.
    fn plan_in_some_order(&mut self, knot: &[AgentId], fuel: &mut Fuel, report: &mut Report) -> bool {
        let mut order = knot.to_vec();
        (0..knot.len()).any(|_| {
            let done = self.plan_in_order(&order, fuel, report);
            order.rotate_left(1);
            done
        })
    }

    /// Plans those of `order` one after the other, around everybody; whether all come to their goals. If not, nothing has changed.
    fn plan_in_order(&mut self, order: &[AgentId], fuel: &mut Fuel, report: &mut Report) -> bool {
        let window = LONGEST.saturating_mul(self.ticks_per_step);
        let terms = Terms { asks: RESTING, holds: JOINT, window, at_end: AtEnd::Stay, by: Link::Joint };
        let mark = self.store.mark();
        let mut before: Vec<Before> = Vec::new();
        if !self.hold_starts(order) {
            self.put_back(mark, before);
            return false;
        }
        for agent in order {
            let mut evicted = Vec::new();
            let plan = self.attempt(*agent, terms, fuel, report, &mut evicted);
            before.extend(plan.ok().map(|plan| Before { agent: *agent, plan }));
            let planned = before.last().is_some_and(|last| last.agent == *agent);
            if !planned || !self.comes_home(*agent) || !evicted.is_empty() {
                self.put_back(mark, before);
                return false;
            }
        }
        for agent in order {
            self.lower_rest(*agent);
        }
        self.store.settle();
        true
    }

    /// Gives up what those of `agents` hold, but for where they are at this tick. Whether nobody else has reserved that.
    fn hold_starts(&mut self, agents: &[AgentId]) -> bool {
        let now = self.now;
        for agent in agents {
            self.store.release(*agent, now);
        }
        let (mut room, mut evicted, mut held) = (Vec::new(), Vec::new(), true);
        for agent in agents {
            let Some(member) = self.members.get(agent) else {
                continue;
            };
            room.clear();
            self.classes[member.class.0 as usize].sweep(&Leg::resting(member.node, now, FOREVER), &mut room);
            room.retain(|entry| entry.span.contains(now));
            room.iter_mut().for_each(|entry| entry.span = Span::at(now));
            held &= self.store.commit(Claim { agent: *agent, rank: JOINT }, &room, &mut evicted).is_ok();
        }
        held && evicted.is_empty()
    }

    /// Whether the plan of `agent` ends with a rest on one of its goals.
    fn comes_home(&self, agent: AgentId) -> bool {
        self.members.get(&agent).is_some_and(|member| {
            let end = member.plan.ahead().last().map_or(member.node, |leg| leg.to);
            member.plan.rest.is_some() && member.goals.contains(end)
        })
    }

    /// Plans those of `knot` together, the others standing where they are; whether there is a plan. If not, nothing has changed.
    fn plan_together(&mut self, knot: &[AgentId], staying: &Presence, fuel: &mut Fuel, report: &mut Report) -> bool {
        let Some(units) = self.units_of(knot) else {
            return false;
        };
        let of_first = units.first().and_then(|unit| self.classes[unit.class].uniform_duration());
        let Some(step) = of_first else {
            return false;
        };
        let mut others = staying.clone();
        for unit in &units {
            let room = self.members.get(&unit.agent).map(|member| self.room_of(member));
            others.forget(unit.agent, &room.unwrap_or_default());
        }
        let given = fuel.left().min(EFFORT);
        let (mut effort, reverse_before) = (Fuel::expansions(given), self.reverse_expanded());
        let mut field = Knot::new(&mut self.classes, &others, &units, self.now, step);
        let found = plan_jointly(&mut field, &mut effort, &mut Fuel::expansions(0));
        let burnt = given - effort.left();
        *fuel = Fuel::expansions(fuel.left() - burnt);
        report.expansions += burnt.saturating_sub(self.reverse_expanded() - reverse_before);
        let Ok(plan) = found else {
            return false;
        };
        let legs = |steps: &Vec<_>| {
            let mut depart = self.now;
            let leg = |step_taken| {
                let leg = leg_of(step_taken, depart, step);
                depart = leg.arrive;
                leg
            };
            steps.iter().copied().map(leg).collect()
        };
        let plans: Vec<Vec<Leg>> = plan.steps.iter().map(legs).collect();
        self.take_plans(&units, plans)
    }

    /// What is to be planned of those of `knot`. `None`: somebody's way is not known.
    fn units_of(&mut self, knot: &[AgentId]) -> Option<Vec<Unit>> {
        let mut units = Vec::new();
        for agent in knot {
            let member = self.members.get(agent)?;
            let class = member.class.0 as usize;
            let known = self.classes[class].distance(&member.goals, member.node, &mut Fuel::expansions(0));
            let gain = if units.is_empty() { GAIN } else { 0.0 };
            let left = known.ok().map(|distance| if distance > FAR { distance - gain } else { 0.0 })?;
            units.push(Unit { agent: *agent, class, start: member.node, goals: member.goals.clone(), left });
        }
        Some(units)
    }

    /// Reserves `plans`, whoever else has reserved what they take; whether they may be had.
    fn take_plans(&mut self, units: &[Unit], plans: Vec<Vec<Leg>>) -> bool {
        let now = self.now;
        let mark = self.store.mark();
        for unit in units {
            self.store.release(unit.agent, now);
        }
        let mut evicted = Vec::new();
        let mut entries = Vec::new();
        for (unit, legs) in units.iter().zip(&plans) {
            entries.clear();
            legs.iter().for_each(|leg| self.classes[unit.class].sweep(leg, &mut entries));
            if self.store.commit(Claim { agent: unit.agent, rank: JOINT }, &entries, &mut evicted).is_err() {
                self.put_back(mark, Vec::new());
                return false;
            }
        }
        self.store.settle();
        for (unit, legs) in units.iter().zip(plans) {
            self.change_plan(unit.agent, Schedule::new(legs, None).by(Link::Joint));
        }
        for agent in evicted {
            if !units.iter().any(|unit| unit.agent == agent) {
                self.lose_plan(agent, now);
            }
        }
        true
    }
}

/// Whether `member` can be planned anew with others now.
fn is_free(member: &Member) -> bool {
    member.motion.is_none() && member.chain.makes_way() && !member.is_in_knot()
}
