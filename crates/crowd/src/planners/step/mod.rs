//! The step planner: whoever could move, moves, whatever the budget.
//!
//! Each agent that it serves holds an *operation* at all times: the remainder of its motion under way, then whole moves
//! with waits between, then a rest up to a horizon that is the same for all. At each tick agents take better operations
//! at the expense of agents that come after them in precedence, or that stand where nobody is slow. These take another
//! operation in turn, as in PIBT. A chain that fails is taken back as a whole.
//!
//! Yukhnevich and Andreychuk, "Enhancing PIBT via Multi-Action Operations", 2025 (EPIBT); Okumura, Machida, Défago and
//! Tamura, "Priority Inheritance with Backtracking for Iterative Multi-agent Path Finding", Artificial Intelligence
//! 310, 2022; Jiang et al., "Scaling Lifelong Multi-Agent Path Finding to More Realistic Settings", SoCS 2024, for the
//! improvement of all operations together. Here for units of any size and speed: entries of motions, not nodes, tell
//! which agents are in the way, and the class of a unit tells its moves.
//!
//! # What holds between any two units of work
//!
//! 1. What agents hold is disjoint: every operation is an ordinary reservation, of the rank
//!    [`JOINT`](giveway_members::rank::JOINT). Within a tick chains are tried on a board, which begins as the store is.
//!    What the board says in the end is written to the store, also where the work has ended early; so chains that fail
//!    never touch the store.
//! 2. Each agent holds an operation up to the horizon, or has had none since before this tick. Agents of the chain that
//!    is being tried are the exception; the changes of the board lead back to before the chain.
//! 3. Operations end with a rest. As two rests that do not meet never meet, all rests can be prolonged to a later
//!    horizon, without work. So a tick may stop after any unit of work.
//! 4. Nothing is promised beyond the horizon. Only an agent on its goal rests for ever, where all others may make it
//!    step aside.
//!
//! Where work is short, agents that can go to and fro take [plain steps](plain) instead, which take a tenth of the
//! work: an operation of one move, or a rest. All of the above holds for them, too, but that they are written to the
//! store without a board. Where some agents take no plain steps, all compare operations, if there is some work for
//! each; with less, those compare operations that are [in the way](beside) of what others hold.
//!
//! An agent has no operation at first, and after its plan was taken from it. Motions that have begun, agents that
//! cannot make way and plans of LaCAM stay as they are. Plans of windows are overridden, as by PIBT; the agents plan
//! anew.

mod beside;
mod choices;
mod going_on;
mod guests;
mod inheritance;
mod plain;
mod rotation;
mod standing;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use giveway_core::{FOREVER, Fuel, Suspended, Tick, Ticks};

use super::ahead;
use super::context::Context;
use super::plan_agents::PlanAgents;
use crate::state::{State, Unit};
use giveway_members::chain::Planner;
use giveway_members::roster::{Member, Slot};
use giveway_members::world::STANDS;
use giveway_strategies::NoPlan;
pub(in crate::planners) use inheritance::occupied;
use inheritance::{LAST, Round};
pub(crate) use plain::PlainSteps;
use standing::{clear_places, stand_by};

/// Operations last for this many plain steps, and for this many of the longest moves, whichever is longer.
const STEPS: u32 = 4;
const MOVES: u32 = 2;

/// Where some agents occupy more than one cell, and one of them that is under way has stood in one place for `PATIENCE`
/// steps, operations last for `STEPS_OF_ROWS` plain steps, if there lately was work for the steps of all. Bodies in a
/// row set out one after the other, as each waits until the one before it has gone. A row that needs more time than an
/// operation has would never begin to move.
const PATIENCE: Ticks = 16;
const STEPS_OF_ROWS: u32 = 8;

/// Where some agents are slow, agents make way for those that set out before them. Where orders keep coming, too, an
/// agent that has stood in one place for `STOOD` steps counts as if it had set out at another time, in every other spell
/// of `SPELL` steps, at each tick at another one. An old agent may be what keeps those from moving that it waits for: a
/// wagon needs room to turn.
const STOOD: Ticks = 48;
const SPELL: Ticks = 16;

/// With this much work for each agent, operations last a step longer, and have pauses. There are three times as many
/// then: with less work more agents are served by shorter ones.
const WORK_FOR_LONG: u64 = 160;

/// With less work than this for each agent, operations last a step less (for bodies that [leave at once](leave_at_once)
/// also where there lately was not enough work for the steps of all), agents with moves keep them until they end,
/// and agents without moves go straight on as far as they can. All of that saves comparisons.
const WORK_FOR_ALL: u64 = 20;

/// The number of times that each agent tries, on average, whether the sum of all scores can fall.
const ATTEMPTS: usize = 2;

/// Once a tick has taken `ENOUGH` units of work, and `ENOUGH_FOR_EACH` units for each agent, there are no more of these
/// attempts.
const ENOUGH: u64 = 32_768;
const ENOUGH_FOR_EACH: u64 = 2048;

/// A tick takes at most `MOST` units of work, and `MOST_FOR_EACH` units for each agent, if all agents can go to and
/// fro. For them more work is of little use.
const MOST: u64 = 8192;
const MOST_FOR_EACH: u64 = 160;

/// How much more the score of the agent that all others make way for counts than the score of the last one, in percent.
const FIRST: i64 = 400;

/// The weight of the score of the agent with this `precedence`, among `agents` agents.
fn weight(precedence: u32, agents: usize) -> i64 {
    let agents = i64::try_from(agents).unwrap_or(i64::MAX).max(1);
    100 + FIRST * (agents - i64::from(precedence)) / agents
}

/// Gives each agent an operation.
pub(super) struct Step;

impl PlanAgents for Step {
    fn plan_together(&self, context: &mut Context<'_, '_>) {
        context.state.wake();
        let state = &*context.state;
        let mut served: Vec<Slot> = state.awake().filter(|unit| is_served(*unit)).map(|unit| unit.slot).collect();
        if served.is_empty() {
            return;
        }
        if state.world.has_wide_units() && state.jam.orders_keep_coming(state.roster.len()) {
            served.extend(state.awake().filter(|unit| is_stranded(state, *unit)).map(|unit| unit.slot));
        }
        let left = context.work.fuel.left();
        let is_fair = !context.may_take_all() && !some_hurry(context, &served);
        let most = if is_fair { share(left, served.len(), context.state.awake().count()) } else { left };
        context.within(most, |context| serve(context, served));
    }

    /// All agents plan together, before any agent plans alone.
    fn is_due(&self, _state: &State<'_>, _unit: Unit<'_>) -> bool {
        false
    }
}

/// Joint planning has half of the work of a tick. On average an agent may take `SHARES` times its share of this half,
/// which is twice its share of the whole.
const SHARES: u64 = 4;

/// The part of `work` that `few` of `all` agents may take. So a few agents that compare many operations do not keep all
/// other agents waiting.
fn share(work: u64, few: usize, all: usize) -> u64 {
    let (few, all) = ((few as u64).saturating_mul(SHARES), all as u64);
    if few < all { (work / all).saturating_mul(few).saturating_add(work % all * few / all) } else { work }
}

/// Serves `served`, to which the work that is left belongs.
fn serve(context: &mut Context<'_, '_>, served: Vec<Slot>) {
    // At most half of the work goes into distances, and what is left at the end. Where some hurry, these go first.
    let half = context.work.fuel.left().div_ceil(2);
    context.work.allot(if some_hurry(context, &served) { 0 } else { half });
    let lost = find_ways(context, &served);
    let served = if plain::are_due(context, &served) { plain::step(context, served) } else { served };
    if !served.is_empty() {
        let is_strained = give_operations(context, served);
        context.state.shortage.note_strain(is_strained, context.state.clock);
    }
    context.work.allot(context.work.fuel.left());
    for slot in find_ways(context, &lost) {
        context.put_off(slot, NoPlan::OutOfBudget);
    }
}

/// Whether some of `slots` go before all others.
fn some_hurry(context: &Context<'_, '_>, slots: &[Slot]) -> bool {
    slots.iter().any(|slot| context.state.roster[*slot].hurries())
}

/// The work that a step takes, about.
const PER_STEP: u64 = 16;

/// The work for the steps of all agents that the step planner serves now, about.
pub(super) fn work_for_served(state: &State<'_>) -> u64 {
    let takes_steps = |unit: &Unit<'_>| unit.member.planner() == Planner::Step && !unit.is_at_ease();
    PER_STEP.saturating_mul(state.awake().filter(takes_steps).count() as u64)
}

/// Keeps work back for agents [with steps](crate::Chain::with_steps) that have no plan of another planner: at most half
/// of what is left. Returns how much.
pub(super) fn work_for_steps(context: &mut Context<'_, '_>) -> u64 {
    let left = context.state.awake().filter(|unit| is_left(context.state, *unit)).count() as u64;
    let kept = left.saturating_mul(PER_STEP).min(context.work.fuel.left() / 2);
    context.work.fuel = Fuel::work(context.work.fuel.left() - kept);
    kept
}

/// Gives steps to the agents [with steps](crate::Chain::with_steps) that all planners have left without a plan.
pub(super) fn plan_left(context: &mut Context<'_, '_>) {
    context.state.wake();
    let left: Vec<Slot> =
        context.state.awake().filter(|unit| is_left(context.state, *unit)).map(|unit| unit.slot).collect();
    for slot in &left {
        let State { world, roster, .. } = &mut *context.state;
        if let Some(distance) = world.known_distance(&roster[*slot]) {
            roster[*slot].journey.note(distance);
        }
    }
    if !left.is_empty() {
        give_operations(context, left);
    }
}

/// Whether all planners have left `unit` without a plan for now, and its chain has steps.
fn is_left(state: &State<'_>, unit: Unit<'_>) -> bool {
    let Unit { member, plan, .. } = unit;
    if !member.chain().has_steps() || member.goes_along() {
        return false;
    }
    let has_plan =
        plan.by.is_some() && !plan.is_by(Planner::Step) && plan.covers(member.motion.free_at(state.clock.now).1);
    !has_plan && member.planner() != Planner::Step && !unit.is_at_ease()
}

/// Gives an operation to each of `served`. Returns whether the budget was too small for all to choose.
fn give_operations(context: &mut Context<'_, '_>, served: Vec<Slot>) -> bool {
    let State { world, roster, plain, .. } = &mut *context.state;
    plain.learn(world);
    let go_to_and_fro = served.iter().all(|slot| plain.pace(roster[*slot].class()).is_some());
    let enough = MOST.saturating_add(MOST_FOR_EACH.saturating_mul(served.len() as u64));
    let most = if go_to_and_fro { enough } else { u64::MAX };
    let is_tight = context.work.fuel.left() <= most;
    let is_enough = context.within(most, |context| {
        let horizon = horizon(context, &served, go_to_and_fro);
        choose_operations(context, served, horizon)
    });
    if !is_enough {
        context.state.shortage.note_steps(context.state.clock);
    }
    is_tight && !is_enough
}

/// Gives an operation up to `horizon` to each of `served`. Returns whether there was enough work for all to choose.
fn choose_operations(context: &mut Context<'_, '_>, mut served: Vec<Slot>, horizon: Horizon) -> bool {
    let before = context.work.fuel.left();
    let until = horizon.until;
    let mut bare = vec![false; context.state.roster.bound()];
    let (mut next, mut losers) = (0, Vec::new());
    loop {
        while let Some(slot) = served.get(next).copied() {
            next += 1;
            bare[slot.index()] = !stand_by(context.state, slot, until, &mut losers);
        }
        if losers.is_empty() && bare.contains(&true) {
            let work = clear_places(context.state, &served, &mut bare, until, &mut losers);
            context.work.charge(work);
        }
        let left = |slot: &Slot| is_left(context.state, context.state.unit(*slot)) && !served.contains(slot);
        let more: Vec<Slot> = losers.drain(..).filter(left).collect();
        if more.is_empty() {
            break;
        }
        served.extend(more);
    }
    let has_slow = guests::are_asked(context.state);
    let Lineup { mut order, mut precedence } = Lineup::of(context.state, &served, &bare, until, has_slow);
    // Who waits for its turn comes last, and everybody may make it step aside.
    let waiting = rotation::those_that_wait(context, &order);
    waiting.iter().for_each(|slot| precedence[slot.index()] = LAST);
    order.sort_by_key(|slot| precedence[slot.index()] == LAST);
    let mut round = Round::new(context, horizon, served.len(), precedence, has_slow);
    for slot in &order {
        let precedence = round.precedence(*slot).filter(|_| !context.state.roster[*slot].returns());
        round.weights[slot.index()] = precedence.map_or(1, |precedence| weight(precedence, order.len()));
    }
    waiting.iter().for_each(|slot| round.is_idle[slot.index()] = true);
    for slot in &order {
        round.decide(context, *slot, bare[slot.index()]);
    }
    let is_enough = context.work.fuel.left() > 0;
    guests::ask(context, &order, &mut round);
    for attempt in 0..ATTEMPTS * order.len() {
        if before - context.work.fuel.left() > ENOUGH + ENOUGH_FOR_EACH * order.len() as u64 {
            break;
        }
        let slot = order[pick(context.now(), attempt, order.len())];
        if !bare[slot.index()] {
            round.decide_in_sum(context, slot);
        }
    }
    round.end(context);
    is_enough
}

/// Whether the step planner is to plan `unit` now. An agent that another planner has made step aside carries that plan
/// out.
fn is_served(unit: Unit<'_>) -> bool {
    let Unit { member, plan, .. } = unit;
    let is_idle = unit.is_at_ease() && member.turn.due().is_none();
    member.planner() == Planner::Step && !member.goes_along() && !is_idle && !plan.follows_another(Planner::Step)
}

/// Whether windows are to serve `unit`, it has no plan of theirs, and it has stood in one place for [`PATIENCE`] steps.
/// Without an operation it would have no place of its own: agents that the step planner serves would set out to go
/// through it, and wait for it tick after tick.
fn is_stranded(state: &State<'_>, unit: Unit<'_>) -> bool {
    let Unit { member, plan, .. } = unit;
    let has_window = plan.covers(member.motion.free_at(state.clock.now).1) && !plan.is_by(Planner::Step);
    let waits = member.planner() == Planner::Windowed && member.chain().has_steps_when_short();
    waits && !has_window && !unit.is_at_ease() && member.stands_for(PATIENCE, state.clock)
}

/// What operations there are at a tick.
#[derive(Clone, Copy)]
struct Horizon {
    /// The end of all operations.
    until: Tick,
    /// Whether agents may pause within operations.
    has_pauses: bool,
    /// Whether there is too little work to compare operations for all agents.
    is_short: bool,
}

/// The operations of this tick, for `served` agents. Where the work falls a lot, operations of the tick before may end
/// later. `go_to_and_fro`: all agents do, for which pauses are of no use.
fn horizon(context: &Context<'_, '_>, served: &[Slot], go_to_and_fro: bool) -> Horizon {
    let state = &*context.state;
    let work = context.work.fuel.left() / served.len().max(1) as u64;
    let is_own = || served.iter().all(|slot| !state.roster[*slot].takes_steps_instead());
    let is_long = !go_to_and_fro && state.clock.ticks_per_step == 1 && work >= WORK_FOR_LONG && is_own();
    let is_short = work < WORK_FOR_ALL;
    let is_pressed = is_short || state.shortage.is_short_of_steps(state.clock.now);
    let is_brief = is_short || is_pressed && leave_at_once(state);
    let steps = if !is_pressed && is_in_row(state, served) {
        STEPS_OF_ROWS
    } else {
        STEPS + u32::from(is_long) - u32::from(is_brief)
    };
    let ticks = state.clock.ticks(steps).max(state.world.longest_move().saturating_mul(MOVES));
    let until = state.clock.now.saturating_add(ticks).saturating_add(1);
    // What would end before moves that are held already could not be prolonged.
    let until = if state.world.has_wide_units() { until.max(end_of_moves(state, served)) } else { until };
    let until = until.min(FOREVER - 1);
    Horizon { until, has_pauses: is_long && state.world.longest_move() <= 1, is_short }
}

/// Whether some bodies occupy several cells, and all such bodies leave all of their place by one move. Then operations
/// that are a step shorter lead out of the way as well, and more agents are served. Where one move does not lead out of
/// the way, that loses more than it gains: discs in reservation cells of twice their size lost two thirds of their
/// arrivals.
fn leave_at_once(state: &State<'_>) -> bool {
    state.world.has_wide_units() && !state.world.has_overlapping_moves()
}

/// The first tick after all moves of operations that `served` hold.
fn end_of_moves(state: &State<'_>, served: &[Slot]) -> Tick {
    let plans = served.iter().map(|slot| state.ledger.plan(*slot)).filter(|plan| plan.is_by(Planner::Step));
    let last = plans.filter_map(|plan| plan.ahead().iter().rfind(|leg| leg.is_move()));
    last.map(|leg| leg.arrive.saturating_add(1)).max().unwrap_or(0)
}

/// Whether one of `served` that is under way has stood in one place for [`PATIENCE`] steps, perhaps in a row of bodies.
fn is_in_row(state: &State<'_>, served: &[Slot]) -> bool {
    state.world.has_wide_units() && served.iter().any(|slot| state.roster[*slot].stands_for(PATIENCE, state.clock))
}

/// The tick at which `member` set out, or, if `is_in_traffic`, counts as having set out: see [`STOOD`].
fn sets_out(state: &State<'_>, member: &Member, is_in_traffic: bool) -> u64 {
    let now = state.clock.now;
    let spell = now / state.clock.ticks(SPELL).max(1);
    if is_in_traffic && spell % 2 == 1 && member.stands_for(STOOD, state.clock) {
        u64::from(picked(spell, member.id().0.into(), now))
    } else {
        member.journey.since().into()
    }
}

/// Finds the distances of the agents of `slots` that do not know their distances yet. Returns the agents for which
/// there is not enough work.
fn find_ways(context: &mut Context<'_, '_>, slots: &[Slot]) -> Vec<Slot> {
    let State { roster, clock, .. } = &*context.state;
    let turn = |slot: &Slot| {
        let member = &roster[*slot];
        let is_lost = member.approach.is_rough() && member.stands_for(STANDS, *clock);
        (member.turn.due(), !is_lost, *slot)
    };
    let mut turns: Vec<_> = slots.iter().map(turn).collect();
    // Who has waited longest comes first; who waits for nothing has known its distance for long. Of these, agents come
    // first that stand where rough estimates have led them.
    turns.sort_unstable_by_key(|(due, is_on_way, slot)| (due.is_none(), *due, *is_on_way, *slot));
    let mut lost = Vec::new();
    for (at, (.., slot)) in turns.iter().enumerate() {
        let slot = *slot;
        ahead::of(&turns, at, |soon| ahead::touch_ways(context.state, soon.iter().map(|(.., slot)| *slot)));
        let State { world, roster, plain, clock, .. } = &mut *context.state;
        match world.find_distance(&mut roster[slot], *clock, &mut context.work) {
            Err(Suspended::OutOfFuel) => lost.push(slot),
            Err(Suspended::OutOfMemory) => context.put_off(slot, NoPlan::OutOfMemory),
            Ok(found) => {
                let distance = if roster[slot].motion.is_moving() {
                    world.known_distance(&roster[slot])
                } else {
                    plain.note(slot, found, clock.now);
                    Some(found)
                };
                context.set_tried(slot, None);
                match distance {
                    Some(f64::INFINITY) => context.fail(slot, NoPlan::Unreachable),
                    Some(distance) => context.state.roster[slot].journey.note(distance),
                    None => {}
                }
            }
        }
    }
    lost
}

/// The agents that choose at a tick, and which agent makes way for which.
struct Lineup {
    /// The agents that choose, the first one first.
    order: Vec<Slot>,
    /// By slot: an agent makes way for agents of a lower number.
    precedence: Vec<u32>,
}

impl Lineup {
    /// The agents of `served` that can choose. The order is by priority; then agents without an operation (`bare`) come
    /// first; then agents that go where they have not been, before agents that come back; then agents that were not
    /// served at the last tick, or for longer; then agents that starve; then the nearest to its goal, or, with
    /// `has_slow`, the one that set out first.
    ///
    /// Precedence goes by the order. Where work is short, everybody has its turn by this order, but precedence leaves
    /// out what depends on turns: an agent that could make others step aside because it has its turn before them would
    /// undo what they have begun, and they in turn what it has begun.
    fn of(state: &mut State<'_>, served: &[Slot], bare: &[bool], until: Tick, has_slow: bool) -> Self {
        let is_in_traffic = state.jam.orders_keep_coming(state.roster.len());
        let mut line = Vec::with_capacity(served.len());
        for slot in served {
            let unit = state.unit(*slot);
            if unit.is_at_ease() || !choices::can_make_way(state, unit, until) {
                continue;
            }
            let served_at = unit.member.journey.served_at().min(state.clock.now.saturating_sub(1));
            let starves = unit.member.journey.starves(state.clock);
            let since = has_slow.then(|| sets_out(state, unit.member, is_in_traffic));
            let State { world, roster, .. } = state;
            let known = world.known_distance(&roster[*slot]);
            if known.is_none() && !bare[slot.index()] {
                continue;
            }
            let left = known.map_or(u64::MAX, f64::to_bits);
            let left = since.unwrap_or(left);
            let kind = (Reverse(roster[*slot].priority()), roster[*slot].returns());
            line.push((kind, !starves, left, *slot, served_at));
        }
        line.sort_unstable();
        let mut precedence = vec![LAST; state.roster.bound()];
        let mut number = |line: &[(_, _, _, Slot, _)]| {
            line.iter().zip(0..).for_each(|((.., slot, _), place)| precedence[slot.index()] = place);
        };
        number(&line);
        line.sort_by_key(|((priority, returns), .., slot, served_at)| {
            (*priority, !bare[slot.index()], *returns, *served_at)
        });
        if !state.shortage.is_short_of_steps(state.clock.now) {
            number(&line);
        }
        Self { order: line.into_iter().map(|(.., slot, _)| slot).collect(), precedence }
    }
}

/// One of `count` positions, for an attempt at a tick.
fn pick(now: Tick, attempt: usize, count: usize) -> usize {
    picked(now, attempt as u64, u32::try_from(count).unwrap_or(u32::MAX)) as usize
}

/// A number below `count` for each pair of `time` and `what`; 0 if `count` is 0.
fn picked(time: Tick, what: u64, count: u32) -> u32 {
    let bits = (u64::from(time) << 32 ^ what).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let bits = (bits ^ bits >> 31).wrapping_mul(0x94D0_49BB_1331_11EB) >> 32;
    #[allow(clippy::cast_possible_truncation)] // it is less than `count`
    let picked = (bits % u64::from(count.max(1))) as u32;
    picked
}
