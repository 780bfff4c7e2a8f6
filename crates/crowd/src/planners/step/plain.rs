//! Plain steps: where work is short, agents take one move at a time, by PIBT. A plain step takes a tenth of the time in
//! which operations are compared, so that for little work everybody moves.
//!
//! Okumura, Machida, Défago and Tamura, "Priority Inheritance with Backtracking for Iterative Multi-agent Path
//! Finding", Artificial Intelligence 310, 2022; with exchanges and hindrance, see `giveway-lacam`.
//!
//! Agents for which a step is too little to make way compare operations: robots that turn, cars, and agents on one-way
//! roads. See [`leads_to_and_fro`].

use std::cmp::Reverse;
use std::hint::black_box;

use giveway_core::{AgentId, Claim, ConflictRule, Entry, FOREVER, Fuel, NodeId, Span, Suspended, Tick, Ticks};
use giveway_lacam::{Field, Step, Stepper};

use super::beside::{LOOKED_AT_ONCE, join_others, with_those_beside};
use super::is_in_row;
use super::rotation;
use super::standing::rest_at_home;
use crate::ledger::{Ledger, Presence, Schedule};
use crate::planners::ahead;
use crate::planners::context::Context;
use crate::planners::lacam::leg_of;
use crate::shortage::PriceOfStep;
use crate::state::{State, Unit};
use giveway_members::chain::Planner;
use giveway_members::class_id::ClassId;
use giveway_members::leg::Leg;
use giveway_members::rank::JOINT;
use giveway_members::roster::{Roster, Slot};
use giveway_members::world::{AnyClass, World};

/// The price of the choice of an agent, and of an agent that is there, in units of work.
const CHOICE: u64 = 4;
/// The price of the choice of each agent where one that chooses occupies more than one cell, and a map is large: the
/// moves from a place are seldom known from earlier.
const CHOICE_OF_BODIES: u64 = 12;
const PRESENT: u64 = 1;

#[cfg(test)]
mod tests;

/// Memory for plain steps. It is of use within one tick and the ticks after it, so the clone is empty.
#[derive(Debug, Default)]
pub(crate) struct PlainSteps {
    stepper: Stepper,
    steps: Vec<Step>,
    /// By class, as far as that is known: the duration of its moves; `None`: its agents take no plain steps.
    paces: Vec<Option<Ticks>>,
    /// By class, as far as that is known: whether agents occupy more than one cell.
    are_wide: Vec<bool>,
    /// By slot, a tick, and how far the agent's goals were then, in plain steps.
    left: Vec<(Tick, f64)>,
}

impl Clone for PlainSteps {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PlainSteps {
    /// Notes that moves have changed.
    pub(crate) fn forget(&mut self) {
        self.stepper.forget();
        self.paces.clear();
        self.are_wide.clear();
    }

    /// Notes how far the goals of `slot` are at `now`, in plain steps, so that nobody has to look it up again at this
    /// tick.
    pub(super) fn note(&mut self, slot: Slot, left: f64, now: Tick) {
        if self.left.len() <= slot.index() {
            self.left.resize(slot.index() + 1, (FOREVER, 0.0));
        }
        self.left[slot.index()] = (now, left);
    }

    /// What was [noted](Self::note) at `now`.
    fn left(&self, slot: Slot, now: Tick) -> Option<f64> {
        self.left.get(slot.index()).filter(|(tick, _)| *tick == now).map(|(_, left)| *left)
    }

    /// Learns of each class of `world` whether its agents can take plain steps: all moves take equally long, and nearly
    /// all lead to and fro. An agent that has to turn first, or has to go round, cannot be pushed by one step.
    pub(super) fn learn(&mut self, world: &World<'_>) {
        let new = world.ids().skip(self.paces.len()).map(|id| {
            let class = &world[id];
            class.uniform_duration().filter(|_| leads_to_and_fro(class))
        });
        self.paces.extend(new);
        self.are_wide.extend(world.ids().skip(self.are_wide.len()).map(|id| is_wide(&world[id])));
    }

    /// The price of the choice of each agent where agents of `classes` choose, as far as they were
    /// [learned](Self::learn).
    fn price(&self, world: &World<'_>, mut classes: impl Iterator<Item = ClassId>) -> u64 {
        let is_wide = |class: ClassId| self.are_wide.get(class.0 as usize).is_some_and(|wide| *wide);
        if world.is_large() && classes.any(is_wide) { CHOICE_OF_BODIES } else { CHOICE }
    }

    /// The price of a plain step where agents of `classes` choose, and a tick has `work` for `agents` agents. `None`:
    /// some would take no plain steps.
    pub(crate) fn price_for(
        &mut self,
        world: &World<'_>,
        [work, agents]: [u64; 2],
        classes: impl Iterator<Item = ClassId> + Clone,
    ) -> Option<PriceOfStep> {
        if agents <= MANY as u64 && work / agents.max(1) >= WORK_FOR_OTHERS {
            return None;
        }
        self.learn(world);
        let choice = self.price(world, classes.clone());
        classes
            .map(|class| self.pace(class))
            .all(|pace| pace.is_some())
            .then_some(PriceOfStep { choice, presence: PRESENT })
    }

    /// The duration of the moves of agents of `class`, if these can take plain steps, as far as that was
    /// [learned](Self::learn).
    pub(super) fn pace(&self, class: ClassId) -> Option<Ticks> {
        self.paces.get(class.0 as usize).copied().flatten()
    }
}

/// So many nodes of a class are looked at, in so many tries, and so many of a hundred moves from there have to lead to
/// and fro.
const SAMPLES: usize = 64;
const TRIES: u64 = 4096;
const TO_AND_FRO: usize = 90;

/// Nodes of `class`, all over its space.
fn samples<'c>(class: &'c (dyn AnyClass + '_)) -> impl Iterator<Item = NodeId> + 'c {
    let bound = class.node_bound() as u64;
    #[allow(clippy::cast_possible_truncation)] // it is below the bound
    let node = move |number: u64| NodeId((((number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) * bound) >> 32) as u32);
    (0..TRIES).map(node).filter(|node| class.contains(*node)).take(SAMPLES)
}

/// Whether agents of `class` occupy more than one cell on some node.
fn is_wide(class: &(dyn AnyClass + '_)) -> bool {
    samples(class).any(|node| {
        let room = class.room(node, 0, 1);
        room.iter().any(|entry| entry.cell != room[0].cell)
    })
}

/// Whether nearly all moves of `class` can be taken back by another move.
fn leads_to_and_fro(class: &(dyn AnyClass + '_)) -> bool {
    let (mut moves, mut back) = (0, 0);
    for from in samples(class) {
        let mut ends = Vec::new();
        class.for_each_move(from, 0, &mut |leg, _| ends.push(leg.to));
        moves += ends.len();
        for end in ends {
            let mut leads_back = false;
            class.for_each_move(end, 0, &mut |leg, _| leads_back |= leg.to == from);
            back += usize::from(leads_back);
        }
    }
    moves > 0 && back * 100 >= moves * TO_AND_FRO
}

/// An agent that takes a step.
#[derive(Clone, Copy)]
struct Walker {
    slot: Slot,
    class: ClassId,
    /// The duration of its moves.
    ticks: Ticks,
    start: NodeId,
    /// How far its goals are, in plain steps.
    left: f64,
    /// It is to stay, as far as others let it.
    is_idle: bool,
    /// It rests on its goal.
    is_at_ease: bool,
}

/// With less work than this for each agent there are plain steps.
const WORK_FOR_OTHERS: u64 = 12;

/// With this much work for each agent, or more, all compare operations where some can take no plain steps: operations
/// may lead through places that plain steps hold for a shorter time. So do all where bodies [stand in a
/// row](is_in_row): a plain step cannot wait until the next one in the row has gone.
const WORK_FOR_MIXED: u64 = 96;

/// More agents than this that take steps in place of windows take plain steps for a while, whatever the work. In jams
/// of so many, a tick of operations takes ten times as long, and hardly more agents arrive.
const MANY: usize = 512;

/// Whether plain steps serve the agents of `served` better than operations do. Without any work, all go on with what
/// they hold.
pub(super) fn are_due(context: &mut Context<'_, '_>, served: &[Slot]) -> bool {
    let left = context.work.fuel.left();
    let State { world, shortage, plain, clock, .. } = &mut *context.state;
    if left == 0 {
        return false;
    }
    plain.learn(world);
    if shortage.asks_for_plain_steps(clock.now) {
        let is_enough = left / served.len().max(1) as u64 >= WORK_FOR_MIXED;
        let state = &*context.state;
        let are_mixed = || served.iter().any(|slot| state.plain.pace(state.roster[*slot].class()).is_none());
        if !(is_enough && (are_mixed() || is_in_row(state, served))) {
            return true;
        }
    }
    let State { roster, shortage, plain, clock, .. } = &mut *context.state;
    let (mut under_way, mut instead) = (0, 0);
    for member in served.iter().map(|slot| &roster[*slot]) {
        under_way += u64::from(member.is_under_way());
        instead += usize::from(member.takes_steps_instead() && plain.pace(member.class()).is_some());
    }
    if instead > MANY {
        shortage.take_plain_steps(*clock);
    }
    instead > MANY || left / under_way.max(1) < WORK_FOR_OTHERS
}

/// Gives steps to the agents of `served` that can take plain steps. Returns the agents that cannot. Where agents go
/// along paths of their own, whoever is on its way out of theirs goes on.
pub(super) fn step(context: &mut Context<'_, '_>, mut served: Vec<Slot>) -> Vec<Slot> {
    let state = &mut *context.state;
    state.plain.learn(&state.world);
    let clears_paths = state.awake().any(|unit| unit.member.goes_along());
    served.retain(|slot| !goes_on(state, *slot, clears_paths));
    let (mut walking, mut others): (Vec<Slot>, Vec<Slot>) = served.into_iter().partition(|slot| can_step(state, *slot));
    if !others.is_empty() && !walking.is_empty() {
        let work = state.with_presence(|state, presence| join_others(state, &mut others, &mut walking, presence));
        context.work.charge(work.min(context.work.fuel.left() / 2));
    }
    if walking.is_empty() {
        return others;
    }
    let (walking, looked_at) = state.with_presence(|state, presence| with_those_beside(state, walking, presence));
    context.work.charge((looked_at / LOOKED_AT_ONCE).min(context.work.fuel.left() / 2));
    let mut waits = vec![false; context.state.roster.bound()];
    rotation::those_that_wait(context, &walking).iter().for_each(|slot| waits[slot.index()] = true);
    let walkers: Vec<Walker> = walking.iter().map(|slot| walker(context.state, *slot, waits[slot.index()])).collect();
    let order = order(context, &walkers);
    take_steps(context, &walkers, &order);
    others
}

/// Whether `slot` has begun a move of the step planner, and holds the place where the move ends; or, if it
/// `clears_paths`, is going to make such moves.
fn goes_on(state: &State<'_>, slot: Slot, clears_paths: bool) -> bool {
    let Unit { member, plan, .. } = state.unit(slot);
    let now = state.clock.now;
    let goes = member.motion.is_moving() || clears_paths && plan.has_moves_after(now);
    let is_held = || plan.is_by(Planner::Step) && plan.covers(member.motion.free_at(now).1);
    goes && is_held() && state.plain.pace(member.class()).is_some()
}

/// Whether `slot` can begin a plain step now.
pub(super) fn can_step(state: &State<'_>, slot: Slot) -> bool {
    let Unit { member, .. } = state.unit(slot);
    let is_free = !member.motion.is_moving() && member.makes_way() && !state.unit(slot).is_in_knot();
    is_free && !member.hurries() && state.plain.pace(member.class()).is_some()
}

fn walker(state: &mut State<'_>, slot: Slot, waits: bool) -> Walker {
    let is_at_ease = state.unit(slot).is_at_ease();
    let State { world, roster, clock, plain, .. } = state;
    let known = plain.left(slot, clock.now).or_else(|| world.known_distance(&roster[slot]));
    let known = known.filter(|distance| distance.is_finite());
    let member = &mut roster[slot];
    let start = member.motion.node();
    member.journey.pass_by(start, clock.now);
    // Whoever was pushed off its place goes back.
    let is_idle = waits || known.is_none() || member.is_home();
    let left = if is_idle { 0.0 } else { known.unwrap_or(0.0) };
    let ticks = plain.pace(member.class()).unwrap_or(1);
    Walker { slot, class: member.class(), ticks, start, left, is_idle, is_at_ease }
}

/// The walkers that choose, by number, the first one first: by priority; then agents that go where they have not been,
/// before agents that come back; then agents that starve; then the nearest to its goal. Where there is not enough work
/// for all, agents that were served at the last tick leave it to the others.
fn order(context: &mut Context<'_, '_>, walkers: &[Walker]) -> Vec<u32> {
    let State { roster, clock, .. } = &*context.state;
    let mut line: Vec<_> = { walkers.iter().zip(0..).filter(|(walker, _)| !walker.is_idle) }
        .map(|(walker, number)| {
            let member = &roster[walker.slot];
            let kind = (Reverse(member.priority()), member.returns());
            let rank = (!member.journey.starves(*clock), walker.left.to_bits(), walker.slot);
            (kind, member.journey.served_at(), rank, number)
        })
        .collect();
    let half = context.work.fuel.left() / 2;
    context.work.charge((walkers.len() as u64 * PRESENT).min(half));
    let choosing = walkers.iter().filter(|walker| !walker.is_idle).map(|walker| walker.class);
    let choice = context.state.plain.price(&context.state.world, choosing);
    // However little there is, one agent chooses.
    let left = usize::try_from(context.work.fuel.left() / choice).unwrap_or(usize::MAX).max(1);
    if left < line.len() {
        line.sort_unstable();
        line.truncate(left);
    }
    line.sort_unstable_by_key(|(kind, _, rank, _)| (*kind, *rank));
    context.work.charge(line.len() as u64 * choice);
    line.into_iter().map(|(.., number)| number).collect()
}

/// Lets the `walkers` take steps; those in `order` choose.
fn take_steps(context: &mut Context<'_, '_>, walkers: &[Walker], order: &[u32]) {
    let now = context.now();
    // What rests hold yields to steps.
    for (at, walker) in walkers.iter().enumerate() {
        touch_accounts(&context.state.ledger, walkers, at);
        if !walker.is_at_ease {
            context.state.ledger.release(walker.slot, now);
        }
    }
    let longest = walkers.iter().map(|walker| walker.ticks).max().unwrap_or(1);
    let mut plain = std::mem::take(&mut context.state.plain);
    context.state.with_presence(|state, presence| {
        let State { world, roster, ledger, .. } = state;
        let mut walks = vec![false; roster.bound()];
        walkers.iter().for_each(|walker| walks[walker.slot.index()] = true);
        let others = (roster.len() > walkers.len()).then_some(Others { ledger, presence, walks: &walks });
        let PlainSteps { stepper, steps, .. } = &mut plain;
        steps.clear();
        let mut field = Walkers { world, roster, walkers, others, now, longest, known: Vec::new() };
        stepper.step(&mut field, |number| thousandths(walkers[number].left), order, now, steps);
    });
    let until = now.saturating_add(longest).saturating_add(1);
    let (mut entries, mut evicted, mut stay) = (Vec::new(), Vec::new(), Vec::new());
    let State { world, ledger, .. } = &mut *context.state;
    // Who rested on its goal still does.
    for (walker, step) in walkers.iter().zip(&plain.steps) {
        if walker.is_at_ease && step.action.is_some() {
            ledger.release(walker.slot, now);
        }
    }
    for (at, (walker, step)) in walkers.iter().zip(&plain.steps).enumerate() {
        touch_accounts(ledger, walkers, at);
        let leg = leg_of(*step, now, walker.ticks);
        if walker.is_at_ease && !leg.is_move() {
            continue;
        }
        let rest = Leg::resting(leg.to, leg.arrive, until);
        let legs = if leg.is_move() { vec![leg, rest] } else { vec![Leg::resting(leg.to, now, until)] };
        entries.clear();
        legs.iter().for_each(|leg| world[walker.class].sweep(leg, &mut entries));
        match ledger.take(walker.slot, JOINT, &entries, &mut evicted) {
            Ok(()) => {
                ledger.change_plan(walker.slot, Schedule::new(legs, None).by(Planner::Step));
                stay.extend((!leg.is_move()).then_some((walker.slot, true)));
            }
            // What others have reserved for later may be refused to an agent that stays.
            Err(_) => stay.push((walker.slot, false)),
        }
    }
    context.state.plain = plain;
    for (slot, holds) in stay {
        if !holds {
            context.state.stand(slot);
        } else if context.state.roster[slot].is_home() {
            rest_at_home(context.state, slot);
        }
    }
    for loser in context.state.roster.slots_of(evicted) {
        context.state.lose_plan(loser, now);
    }
    for walker in walkers.iter().filter(|walker| !walker.is_at_ease) {
        if context.state.roster[walker.slot].planner() == Planner::Step {
            context.set_tried(walker.slot, None);
        }
    }
    for number in order {
        context.state.roster[walkers[*number as usize].slot].journey.serve(now);
    }
}

/// Reads ahead what walkers need that change what they have reserved. To be called for each in turn.
fn touch_accounts(ledger: &Ledger, walkers: &[Walker], at: usize) {
    ahead::of(walkers, at, |soon| {
        for walker in soon {
            black_box(ledger.touch(walker.slot));
        }
    });
}

/// The agents that take no steps.
struct Others<'w> {
    ledger: &'w Ledger,
    presence: &'w Presence,
    /// By slot: the agent takes a step.
    walks: &'w [bool],
}

/// The walkers, as PIBT sees them.
struct Walkers<'w, 'a> {
    world: &'w mut World<'a>,
    roster: &'w Roster,
    walkers: &'w [Walker],
    /// `None`: there are none.
    others: Option<Others<'w>>,
    now: Tick,
    /// The duration of the longest moves.
    longest: Ticks,
    /// Distances that were asked for, in plain steps.
    known: Vec<Option<f64>>,
}

impl Field for Walkers<'_, '_> {
    fn units(&self) -> usize {
        self.walkers.len()
    }

    fn rule(&self) -> ConflictRule {
        self.world.cells().map_or(ConflictRule::Following, giveway_core::Cells::rule)
    }

    /// The class.
    fn kind(&self, unit: usize) -> u32 {
        self.walkers[unit].class.0
    }

    fn start(&self, unit: usize) -> NodeId {
        self.walkers[unit].start
    }

    fn moves(&self, kind: u32, from: NodeId, found: &mut Vec<(NodeId, u32)>) {
        self.world[ClassId(kind)].for_each_move(from, self.now, &mut |leg, _| {
            if let Some(action) = leg.action().and_then(|action| u32::try_from(action).ok()) {
                found.push((leg.to, action));
            }
        });
    }

    /// As if it were tick 0: what is found is of use at later ticks, too.
    fn occupies(&self, kind: u32, step: Step, entries: &mut Vec<Entry>) {
        let class = &self.world[ClassId(kind)];
        let leg = leg_of(step, 0, class.uniform_duration().unwrap_or(1));
        class.sweep(&leg, entries);
        class.sweep(&Leg::resting(leg.to, leg.arrive, FOREVER), entries);
    }

    fn is_blocked(&self, _entries: &[Entry]) -> bool {
        false
    }

    fn is_taken_now(&self, entry: &Entry) -> bool {
        let Some(Others { ledger, presence, walks }) = &self.others else { return false };
        let Entry { cell, span } = *entry;
        let later = |tick: Tick| tick.saturating_add(self.now);
        let span = Span::new(later(span.start), later(span.end));
        // What others have reserved at a rank as high or higher up to the end of the step counts, and so does where
        // they are.
        let end = later(self.longest).saturating_add(1);
        let soon = Entry { cell, span: Span::new(span.start, span.end.min(end).max(span.start)) };
        let stands = |(other, agent): (Span, AgentId)| {
            other.overlaps(span) && self.roster.slot(agent).is_none_or(|slot| !walks[slot.index()])
        };
        let claim = Claim { agent: NOBODY, rank: JOINT };
        !ledger.permits(&[soon], claim) || presence.in_cell(cell).any(stands)
    }

    fn distances(
        &mut self,
        unit: usize,
        nodes: &[NodeId],
        found: &mut Vec<Option<u32>>,
        _fuel: &mut Fuel,
    ) -> Result<(), Suspended> {
        let Self { world, roster, walkers, known, .. } = self;
        let Walker { slot, class, start, left, is_idle, .. } = walkers[unit];
        if is_idle {
            found.extend(nodes.iter().map(|node| Some(if *node == start { 0 } else { STEP })));
            return Ok(());
        }
        known.clear();
        world[class].distances(roster[slot].order.goals(), nodes, known);
        found.extend(known.iter().map(|known| match known {
            Some(distance) => distance.is_finite().then(|| thousandths(*distance)),
            // Where the distance is not known, it is as far back as a step leads.
            None => Some(thousandths(left).saturating_add(STEP)),
        }));
        Ok(())
    }

    fn touch(&self, units: &[u32]) {
        for unit in units {
            let Walker { slot, start, .. } = self.walkers[*unit as usize];
            black_box(self.world.touch(&self.roster[slot], start));
        }
    }

    fn is_goal(&self, unit: usize, node: NodeId, _distance: u32) -> bool {
        self.roster[self.walkers[unit].slot].order.goals().contains(node)
    }
}

/// A step, in thousandths.
const STEP: u32 = 1000;

/// `steps` plain steps, in thousandths.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // what is too far is as far as can be
fn thousandths(steps: f64) -> u32 {
    (steps.max(0.0) * f64::from(STEP)).round() as u32
}

/// An agent that is nowhere.
const NOBODY: AgentId = AgentId(u32::MAX);
