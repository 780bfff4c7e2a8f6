//! PIBT: one step of priority inheritance with backtracking for agents that come no nearer to their goals.
//!
//! Okumura, Machida, Défago and Tamura, "Priority Inheritance with Backtracking for Iterative Multi-agent Path
//! Finding", Artificial Intelligence 310, 2022. Here for units of any size and speed: the entries of motions, not
//! nodes, tell which agents are in the way.

use giveway_core::{AgentId, Cells, Entry, FOREVER, Fuel};

use super::context::Context;
use super::plan_agents::PlanAgents;
use crate::ledger::{Presence, Schedule};
use crate::state::{State, Unit};
use giveway_members::chain::Planner;
use giveway_members::leg::Leg;
use giveway_members::rank::{PUSH, RESTING};
use giveway_members::roster::Slot;

/// At most this many agents push each other aside in a row.
const LONGEST_CHAIN: usize = 256;

/// The price of the decision of an agent, in units of work.
const DECISION: u64 = 8;

/// Moves agents that come no nearer by a step, together with the agents in their way.
pub(super) struct Pibt;

impl PlanAgents for Pibt {
    /// Moves the agents that PIBT serves, the highest rank first, each with all agents in its way.
    fn plan_together(&self, context: &mut Context<'_, '_>) {
        let is_followed = context.state.jam.is_followed_at(context.now());
        let pushes = |unit: Unit<'_>| {
            let member = unit.member;
            let is_bound = member.motion.is_moving() || member.goes_along() || is_followed && follows_joint_plan(unit);
            member.planner() == Planner::Pibt && member.is_under_way() && !is_bound
        };
        let pushers = context.by_rank(pushes);
        let left = context.work.fuel.left();
        if pushers.is_empty() || left == 0 {
            return;
        }
        let (moves, paid) = context.state.with_presence(|state, staying| {
            let mut decisions = Decisions::begin(state, staying, left);
            for slot in pushers {
                if !decisions.decided[slot.index()] && !is_fixed(state, state.unit(slot)) {
                    decide(state, slot, 1, &mut decisions);
                }
            }
            (decisions.moves, left - decisions.left)
        });
        context.work.charge(paid);
        take_moves(context, &moves);
    }
}

/// The decisions for this tick.
struct Decisions<'p> {
    /// Where each agent is if it begins no move.
    staying: &'p Presence,
    /// The entries of the decided agents.
    taken: Presence,
    /// Whether an agent is decided, by slot.
    decided: Vec<bool>,
    /// The moves, in the order of the decisions.
    moves: Vec<(Slot, Leg)>,
    /// The units of work that are left. Without any, agents stay.
    left: u64,
}

impl<'p> Decisions<'p> {
    fn begin(state: &State<'_>, staying: &'p Presence, left: u64) -> Self {
        let taken = Presence::new(state.world.cells().map_or(0, Cells::bound));
        Self { staying, taken, decided: vec![false; state.roster.bound()], moves: Vec::new(), left }
    }
}

/// Whether PIBT cannot move `unit` now: it is under way, cannot be told to make way, makes a move that LaCAM has
/// planned, or has such moves before it while all follow a plan that [ends a jam](crate::jam).
fn is_fixed(state: &State<'_>, unit: Unit<'_>) -> bool {
    let now = state.clock.now;
    let moves = unit.is_in_knot() && unit.plan.move_at(now).is_some();
    let jointly = moves || state.jam.is_followed_at(now) && follows_joint_plan(unit);
    unit.member.motion.is_moving() || !unit.member.makes_way() || jointly
}

/// Whether `unit` still has moves that LaCAM has planned.
fn follows_joint_plan(unit: Unit<'_>) -> bool {
    unit.is_in_knot() && unit.plan.has_moves()
}

/// Finds a move for `slot`, the `place`-th agent in a chain of pushes, and for all agents in its way. Returns whether
/// there is one. If not, `slot` stays, and moves decided for pushed agents are kept.
fn decide(state: &mut State<'_>, slot: Slot, place: usize, decisions: &mut Decisions<'_>) -> bool {
    decisions.decided[slot.index()] = true;
    let agent = state.roster[slot].id();
    let stays = place > LONGEST_CHAIN || decisions.left == 0;
    decisions.left = decisions.left.saturating_sub(DECISION);
    let legs = if stays { Vec::new() } else { preferred(state, slot, decisions) };
    'legs: for (leg, entries) in legs {
        if decisions.taken.meets(agent, &entries).is_some() {
            continue;
        }
        let mut met = state.roster.slots_of(decisions.staying.all_met(agent, &entries));
        if met.iter().any(|other| is_fixed(state, state.unit(*other))) {
            continue;
        }
        met.retain(|other| !decisions.decided[other.index()]);
        decisions.taken.note(agent, &entries);
        for other in met {
            let undecided = Some(other).filter(|other| !decisions.decided[other.index()]);
            if undecided.is_some_and(|other| !decide(state, other, place + 1, decisions)) {
                decisions.taken.forget(agent);
                continue 'legs;
            }
        }
        // The pushed agents may take too long to leave.
        if decisions.taken.meets(agent, &entries).is_some() {
            decisions.taken.forget(agent);
            continue;
        }
        if leg.is_move() {
            decisions.moves.push((slot, leg));
        }
        return leg.is_move();
    }
    decisions.taken.note(agent, &state.room_of(&state.roster[slot]));
    false
}

/// The motions of `slot` at this tick, with what each occupies, the stay at its end included. The planned motion comes
/// first; then the others, the nearest to the goal first, and among equals the motion that pushes the fewest agents.
fn preferred(state: &mut State<'_>, slot: Slot, decisions: &Decisions<'_>) -> Vec<(Leg, Vec<Entry>)> {
    let State { world, roster, ledger, clock, .. } = state;
    let (now, member) = (clock.now, &roster[slot]);
    let class = &mut world[member.class()];
    let mut legs = vec![Leg::resting(member.motion.node(), now, now)];
    class.for_each_move(member.motion.node(), now, &mut |leg, _| legs.push(leg));
    legs.retain(|leg| !class.must_wait(leg));
    let planned = ledger.plan(slot).move_at(now).filter(|_| member.planner() == Planner::Windowed);
    let mut ranked = Vec::new();
    for leg in legs {
        // A distance that is not known by now is no reason to search.
        let known = class.distance(member.order.goals(), leg.to, &mut Fuel::none());
        let distance = if planned == Some(&leg) { -1.0 } else { known.unwrap_or(f64::INFINITY) };
        let mut entries = Vec::new();
        class.sweep(&Leg::resting(leg.to, leg.arrive, FOREVER), &mut entries);
        let crowded = decisions.staying.all_met(member.id(), &entries).len();
        if leg.is_move() {
            class.sweep(&leg, &mut entries);
        }
        ranked.push((distance, crowded, leg, entries));
    }
    ranked.sort_by(|(a, few, ..), (b, many, ..)| a.total_cmp(b).then(few.cmp(many)));
    ranked.into_iter().map(|(.., leg, entries)| (leg, entries)).collect()
}

/// Reserves `moves`, at the expense of other reservations. An agent whose move is refused stands where it is; the guard
/// stops agents that would run into it.
fn take_moves(context: &mut Context<'_, '_>, moves: &[(Slot, Leg)]) {
    let now = context.now();
    let mut evicted: Vec<AgentId> = Vec::new();
    let mut entries = Vec::new();
    // The moves that are reserved: nothing overrides them, only the rests at their ends.
    let mut has_move = vec![false; context.state.roster.bound()];
    for (slot, leg) in moves {
        let State { world, roster, ledger, .. } = &mut *context.state;
        let class = &world[roster[*slot].class()];
        entries.clear();
        class.sweep(leg, &mut entries);
        ledger.release(*slot, now);
        if ledger.take(*slot, PUSH, &entries, &mut evicted).is_err() {
            context.state.lose_plan(*slot, now);
            continue;
        }
        has_move[slot.index()] = true;
        ledger.hold_while_free(*slot, RESTING, class, leg.to, leg.arrive);
        ledger.change_plan(*slot, Schedule::new(vec![*leg], None).by(Planner::Pibt));
        let member = &mut roster[*slot];
        member.turn.try_at(now);
        member.turn.put_in_line(now.saturating_add(1));
        context.report.pushed.push(member.id());
    }
    for slot in context.state.roster.slots_of(evicted) {
        if !has_move[slot.index()] {
            context.state.lose_plan(slot, now);
        }
    }
}
