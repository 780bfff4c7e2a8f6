//! Knots: the few units that block each other are planned together, and then go on by themselves.

use std::collections::VecDeque;

use giveway_core::{
    AgentId, AtEnd, Claim, Entry, FOREVER, Fuel, Goals, NodeId, OutOfFuel, ReservationStore, Span, Tick, Ticks,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Crowd;
use super::chain::Link;
use super::class::AnyClass;
use super::execution::Presence;
use super::leg::Leg;
use super::member::Schedule;
use super::rank;
use super::report::Report;
use super::transaction::{Before, Terms};
use crate::joint::{Field, JointPlan, Step, plan_jointly};

/// So many units are planned together at first, and at most.
const FEWEST: usize = 4;
const MOST: usize = 16;

/// After so many steps it is tried again, with twice as many units.
const PAUSE: u64 = 8;

/// Those who are farther from their goals, in plain steps, go only part of the way together.
const NEAR: f64 = 24.0;

/// How much nearer, in plain steps, the one comes to its goal, if that is far, for which a knot is untied.
const GAIN: f64 = 8.0;

/// How far ahead, in steps, a knot is planned one after the other.
const LONGEST: u32 = 128;

/// How many configurations are looked at until there is a plan, and to make it better.
const EFFORT: u64 = 20_000;

impl<R: ReservationStore> Crowd<'_, R> {
    /// Plans those together, with others around them, who do not come on otherwise; the highest rank first.
    pub(super) fn plan_knots(&mut self, fuel: &mut Fuel, report: &mut Report) {
        let (now, clock) = (self.now, self.clock());
        let mut stuck: Vec<(AgentId, usize)> = Vec::new();
        for (agent, member) in &self.members {
            let (link, turn) = member.chain.turn(member.progress.steps(now, self.ticks_per_step));
            let is_time = turn.is_multiple_of(PAUSE) && now.is_multiple_of(self.ticks_per_step);
            let free = member.is_under_way()
                && member.motion.is_none()
                && member.chain.makes_way()
                && member.plan.by != Some(Link::Joint);
            if member.chain.link(link) == Link::Joint && member.link() == Link::Joint && is_time && free {
                let size = FEWEST
                    .checked_shl(u32::try_from(turn / PAUSE).unwrap_or(u32::MAX))
                    .unwrap_or(MOST)
                    .clamp(FEWEST, MOST);
                stuck.push((*agent, size));
            }
        }
        stuck.retain(|(agent, _)| self.knows_now(*agent));
        if stuck.is_empty() {
            return;
        }
        stuck.sort_by_key(|(agent, _)| {
            std::cmp::Reverse(
                self.members.get(agent).map(|member| (member.claim(*agent, clock).rank, std::cmp::Reverse(*agent))),
            )
        });
        let staying = self.survey();
        let mut done: FxHashSet<AgentId> = FxHashSet::default();
        for (agent, size) in stuck {
            if !done.contains(&agent) {
                let knot = self.knot_of(agent, size, &staying, &done);
                if self.one_after_another(&knot, fuel, report) || self.untie(&knot, &staying, fuel, report) {
                    report.knots += 1;
                    done.extend(knot);
                }
            }
        }
    }

    /// Whether `agent` can be planned with others, all of whose moves take `step` ticks.
    fn is_free(&self, agent: AgentId, step: Ticks) -> bool {
        self.members.get(&agent).is_some_and(|member| {
            let class = &self.classes[member.class.0 as usize];
            member.motion.is_none()
                && member.chain.makes_way()
                && member.plan.by != Some(Link::Joint)
                && class.uniform_duration() == Some(step)
        })
    }

    /// `agent`, those who stay on its way, and those around it, at most `size`.
    fn knot_of(&self, agent: AgentId, size: usize, staying: &Presence, done: &FxHashSet<AgentId>) -> Vec<AgentId> {
        let mut knot = vec![agent];
        let Some(member) = self.members.get(&agent) else { return knot };
        let class = &self.classes[member.class.0 as usize];
        let Some(step) = class.uniform_duration() else { return Vec::new() };
        if !self.is_free(agent, step) {
            return Vec::new();
        }
        let mut room = Vec::new();
        let mut seen = FxHashSet::from_iter([member.node]);
        let mut queue = VecDeque::from([member.node]);
        while let Some(node) = queue.pop_front() {
            room.clear();
            class.sweep(&Leg::resting(node, self.now, FOREVER), &mut room);
            for other in staying.all_met(agent, &room) {
                if !knot.contains(&other) && !done.contains(&other) && self.is_free(other, step) {
                    knot.push(other);
                }
            }
            if knot.len() >= size || seen.len() > 40 * size {
                break;
            }
            class.for_each_move(node, self.now, &mut |leg, _| {
                if seen.insert(leg.to) {
                    queue.push_back(leg.to);
                }
            });
        }
        knot.truncate(size);
        knot
    }

    /// Plans those of `knot` one after the other, to the end, in as many orders as it has units; whether there is a plan in one of them.
    fn one_after_another(&mut self, knot: &[AgentId], fuel: &mut Fuel, report: &mut Report) -> bool {
        let mut order: Vec<AgentId> = knot.to_vec();
        for _ in 0..knot.len() {
            if self.in_order(&order, fuel, report) {
                if std::env::var("DBGK").is_ok() {
                    eprintln!("{} in order {order:?}", self.now);
                }
                return true;
            }
            order.rotate_left(1);
        }
        false
    }

    /// Plans those of `order` one after the other; whether all come to their goals, or come on if those are far.
    fn in_order(&mut self, order: &[AgentId], fuel: &mut Fuel, report: &mut Report) -> bool {
        let now = self.now;
        let window = LONGEST.saturating_mul(self.ticks_per_step);
        let terms = Terms { asks: rank::RESTING, holds: rank::JOINT, window, at_end: AtEnd::Stay, by: Link::Joint };
        let mark = self.store.mark();
        for agent in order {
            self.store.release(*agent, now);
        }
        // Where each of them is, others cannot be at once.
        for agent in order {
            let Some(member) = self.members.get(agent) else { continue };
            let mut room = Vec::new();
            self.classes[member.class.0 as usize].sweep(&Leg::resting(member.node, now, FOREVER), &mut room);
            room.retain(|entry| entry.span.contains(now));
            room.iter_mut().for_each(|entry| entry.span = Span::at(now));
            let _ = self.store.commit(Claim { agent: *agent, rank: rank::JOINT }, &room, &mut Vec::new());
        }
        let mut before: Vec<Before> = Vec::new();
        let mut evicted = Vec::new();
        for agent in order {
            let plan = self.attempt(*agent, terms, fuel, report, &mut evicted);
            let planned = plan.is_ok();
            before.extend(plan.map(|plan| Before { agent: *agent, plan }));
            let comes = self.members.get(agent).is_some_and(|member| {
                member.plan.rest.is_some()
                    && member.goals.contains(member.plan.ahead().last().map_or(member.node, |leg| leg.to))
            });
            if !planned || !comes || !evicted.is_empty() {
                let _ = self.store.rollback(mark);
                for Before { agent, plan } in before.into_iter().rev() {
                    self.change_plan(agent, plan);
                }
                self.store.settle();
                return false;
            }
        }
        for agent in order {
            self.lower_rest(*agent);
            self.set_tried(*agent);
            self.set_due(*agent, None);
        }
        self.store.settle();
        true
    }

    /// Plans those of `knot` together; whether there is a plan.
    fn untie(&mut self, knot: &[AgentId], staying: &Presence, fuel: &mut Fuel, report: &mut Report) -> bool {
        let now = self.now;
        let Some(step) = knot
            .first()
            .and_then(|agent| self.members.get(agent))
            .and_then(|member| self.classes[member.class.0 as usize].uniform_duration())
        else {
            return false;
        };
        let mut units = Vec::new();
        for (agent, gain) in knot.iter().zip(std::iter::once(GAIN).chain(std::iter::repeat(0.0))) {
            let Some(member) = self.members.get(agent) else { return false };
            let class = &mut self.classes[member.class.0 as usize];
            let Ok(distance) = class.distance(&member.goals, member.node, &mut Fuel::expansions(0)) else {
                return false;
            };
            let far = if distance > NEAR { distance - gain } else { 0.0 };
            units.push(Unit {
                agent: *agent,
                class: member.class.0 as usize,
                start: member.node,
                goals: member.goals.clone(),
                far,
            });
        }
        let mut others = staying.clone();
        for unit in &units {
            let room = self.members.get(&unit.agent).map(|member| self.room_of(member)).unwrap_or_default();
            others.forget(unit.agent, &room);
        }
        let mut field = Knot {
            classes: &mut self.classes,
            others: &others,
            units: &units,
            now,
            step,
            swept: FxHashMap::default(),
            left: FxHashMap::default(),
        };
        let given = fuel.left();
        let (mut effort, reverse_before) = (Fuel::expansions(EFFORT.min(given)), field.reverse_expanded());
        let found = plan_jointly(&mut field, &mut effort, &mut Fuel::expansions(0));
        let burnt = EFFORT.min(given) - effort.left();
        report.expansions += burnt.saturating_sub(field.reverse_expanded() - reverse_before);
        *fuel = Fuel::expansions(given - burnt);
        if std::env::var("DBGK").is_ok() {
            eprintln!(
                "{now} knot {:?} {:?} far {:?} burnt {burnt}",
                knot,
                found.as_ref().map(|plan| (plan.steps[0].len(), plan.sum_of_costs)),
                units.iter().map(|u| u.far).collect::<Vec<_>>()
            );
        }
        found.is_ok_and(|plan| self.take(&units, &plan, step))
    }

    /// Reserves what was planned jointly; whether it may be had.
    fn take(&mut self, units: &[Unit], plan: &JointPlan, step: Ticks) -> bool {
        let now = self.now;
        let mark = self.store.mark();
        let mut evicted = Vec::new();
        let mut entries = Vec::new();
        for unit in units {
            self.store.release(unit.agent, now);
        }
        let mut plans = Vec::new();
        for (unit, steps) in units.iter().zip(&plan.steps) {
            let mut legs: Vec<Leg> = Vec::new();
            for (step_taken, at) in steps.iter().zip(0..) {
                let leg = leg_of(*step_taken, now + at * step, step);
                match legs.last_mut() {
                    Some(last) if !leg.is_move() && !last.is_move() => {
                        *last = Leg::resting(leg.to, last.depart, leg.arrive)
                    }
                    _ => legs.push(leg),
                }
            }
            entries.clear();
            legs.iter().for_each(|leg| self.classes[unit.class].sweep(leg, &mut entries));
            if self.store.commit(Claim { agent: unit.agent, rank: rank::JOINT }, &entries, &mut evicted).is_err() {
                let _ = self.store.rollback(mark);
                self.store.settle();
                return false;
            }
            plans.push(legs);
        }
        self.store.settle();
        for (unit, legs) in units.iter().zip(plans) {
            self.change_plan(unit.agent, Schedule::new(legs, None).by(Link::Joint));
            self.set_tried(unit.agent);
            self.set_due(unit.agent, None);
        }
        for agent in evicted {
            if !units.iter().any(|unit| unit.agent == agent) {
                self.lose_plan(agent, now);
            }
        }
        true
    }
}

fn leg_of(step: Step, depart: Tick, ticks: Ticks) -> Leg {
    match step.action {
        None => Leg::resting(step.to, depart, depart + ticks),
        Some(action) => Leg::moving(step.from, step.to, depart, depart + ticks, action),
    }
}

/// A unit of a knot.
struct Unit {
    agent: AgentId,
    class: usize,
    start: NodeId,
    goals: Goals,
    /// How near it is to come, in plain steps. 0: to a goal.
    far: f64,
}

/// A knot as what is searched jointly. Those outside it are where they are, and stay there.
struct Knot<'k, 'a, R> {
    classes: &'k mut [Box<dyn AnyClass<R> + 'a>],
    others: &'k Presence,
    units: &'k [Unit],
    now: Tick,
    step: Ticks,
    /// What each step occupies, and staying after it.
    swept: FxHashMap<(usize, Step), Vec<Entry>>,
    /// How many thousandths of a step are left.
    left: FxHashMap<(usize, NodeId), Option<u32>>,
}

impl<R> Knot<'_, '_, R> {
    fn reverse_expanded(&self) -> u64 {
        self.classes.iter().map(|class| class.reverse_expanded()).sum()
    }

    fn sweep(&mut self, unit: usize, step: Step) -> &[Entry] {
        let Self { classes, units, now, step: ticks, swept, .. } = self;
        let class = &classes[units[unit].class];
        swept.entry((units[unit].class, step)).or_insert_with(|| {
            let leg = leg_of(step, *now, *ticks);
            let mut entries = Vec::new();
            if leg.is_move() {
                class.sweep(&leg, &mut entries);
            }
            let from = if leg.is_move() { leg.arrive } else { *now };
            class.sweep(&Leg::resting(leg.to, from, FOREVER), &mut entries);
            entries
        })
    }
}

impl<R> Field for Knot<'_, '_, R> {
    fn units(&self) -> usize {
        self.units.len()
    }

    fn start(&self, unit: usize) -> NodeId {
        self.units[unit].start
    }

    fn moves(&self, unit: usize, from: NodeId, found: &mut Vec<(NodeId, u32)>) {
        self.classes[self.units[unit].class].for_each_move(from, self.now, &mut |leg, _| {
            if let Some(action) = leg.action().and_then(|action| u32::try_from(action).ok()) {
                found.push((leg.to, action));
            }
        });
    }

    fn distance(&mut self, unit: usize, node: NodeId, fuel: &mut Fuel) -> Result<Option<u32>, OutOfFuel> {
        let Unit { class, ref goals, far, .. } = self.units[unit];
        let distance = self.classes[class].distance(goals, node, fuel)?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // what is too far is as far as can be
        let left = distance.is_finite().then(|| ((distance - far).max(0.0) * 1000.0).round() as u32);
        self.left.insert((unit, node), left);
        Ok(left)
    }

    fn is_goal(&self, unit: usize, node: NodeId) -> bool {
        let Unit { ref goals, far, .. } = self.units[unit];
        if far > 0.0 { self.left.get(&(unit, node)) == Some(&Some(0)) } else { goals.contains(node) }
    }

    fn conflict(&mut self, a: (usize, Step), b: (usize, Step)) -> bool {
        let first = self.sweep(a.0, a.1).to_vec();
        let second = self.sweep(b.0, b.1);
        first.iter().any(|one| second.iter().any(|other| one.cell == other.cell && one.span.overlaps(other.span)))
    }

    fn is_blocked(&mut self, unit: usize, step: Step, _at: u32) -> bool {
        let agent = self.units[unit].agent;
        let others = self.others;
        others.meets(agent, self.sweep(unit, step)).is_some()
    }

    fn settled(&self) -> u32 {
        0
    }
}
