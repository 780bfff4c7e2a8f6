//! Inheritance: an agent takes an operation at the expense of other agents, which take other operations in turn. If
//! they cannot, nothing changes.
//!
//! All of it happens on a [board](Board). What the agents hold in the end is written to the store at once.

mod chain;

use std::cell::OnceCell;

use giveway_core::{Entry, Tick};

use self::chain::{Chain, begins_moves};
use super::Horizon;
use super::choices::{Choices, Score};
use super::going_on::goes_on;
use crate::ledger::{Board, Holder, Schedule};
use crate::planners::context::Context;
use crate::state::State;
use giveway_members::chain::Planner;
use giveway_members::clock::Clock;
use giveway_members::leg::Leg;
use giveway_members::rank::JOINT;
use giveway_members::roster::{Member, Slot};
use giveway_members::world::World;

/// One operation makes at most this many agents take another one: where a place holds one agent, and where bodies may
/// overlap several.
const MOST_POINTS: usize = 1;
const MOST_BODIES: usize = 4;

/// A chain takes at most this part of the work, or this many times the work that each agent has on average, whichever
/// is more. Otherwise a chain that fails could spend all work of each tick.
/// Where orders keep coming, a chain in which bodies make way takes no more than `LONGEST_OF_BODIES`: in a jam of
/// hundreds of them each chain would otherwise try all that each of 300 agents can do. Where all are to come to rest,
/// it may be the only one that lets two streams pass each other.
const CHAINS: u64 = 4;
const SHARES: u64 = 8;
const LONGEST_OF_BODIES: u64 = 32_768;

/// The precedence of agents that all others may make step aside.
pub(super) const LAST: u32 = u32::MAX;

/// One in `COUNTED` of the operations that are compared counts in reports.
const COUNTED: u64 = 16;

/// The price of writing to the store what an agent holds, in units of work.
pub(super) const WRITTEN: u64 = 4;

/// What is decided at this tick.
pub(super) struct Round {
    horizon: Horizon,
    /// One operation makes at most this many agents take another one.
    most: usize,
    /// By slot, what was looked up so far.
    choices: Vec<Option<Choices>>,
    /// By slot: the agent makes way for agents of a lower number.
    precedence: Vec<u32>,
    /// Whether some agents are slow. If not, agents that stand make way for all others. Otherwise pushes take several
    /// ticks, and an agent that stands meanwhile is to stay.
    has_slow: bool,
    /// By slot: the agent has chosen, and makes way for nobody any more.
    is_decided: Vec<bool>,
    /// By slot: no operation of the agent is better than its own.
    is_best: Vec<bool>,
    /// By slot: how much the score of the agent counts; 0: the step planner does not serve it.
    pub(super) weights: Vec<i64>,
    /// By slot: the agent is to stay where it is, as far as others let it.
    pub(super) is_idle: Vec<bool>,
    /// By slot, once it was asked: for chains of which priority the agent makes way; `None`: for none.
    makes_way_for: Vec<OnceCell<Option<i32>>>,
    chain: Chain,
    board: Board,
    /// By slot, what the agent has taken at this tick; `None`: it holds what it held before.
    taken: Vec<Option<Taken>>,
    /// The slots that have taken something, each once.
    changed: Vec<Slot>,
    /// The operations tested since a unit of work was paid.
    tested: u64,
    /// A chain takes at most this much work.
    most_work: u64,
    /// The agents in the way of the operations that are tried, one list for each agent of the chain.
    spare: Vec<Vec<(Slot, Tick)>>,
}

/// What an agent has taken.
enum Taken {
    /// One of its choices, by position.
    Operation(u32),
    /// Moves, and a rest.
    Legs(Vec<Leg>),
}

impl Round {
    /// A round for `served` agents; `precedence` is by slot. `has_slow`: some agents are slow.
    pub(super) fn new(
        context: &mut Context<'_, '_>,
        horizon: Horizon,
        served: usize,
        precedence: Vec<u32>,
        has_slow: bool,
    ) -> Self {
        let State { world, roster, ledger, clock, jam, .. } = &mut *context.state;
        let agents = roster.bound();
        let most = if world.has_wide_units() { MOST_BODIES } else { MOST_POINTS };
        let mut board = ledger.lend_board();
        // A rest until a tick holds that tick, too.
        let until = horizon.until.saturating_add(1);
        board.begin(world.cells().map_or(0, |cells| cells.bound()), served, roster, (clock.now, until));
        let left = context.work.fuel.left();
        let most_work = (left / CHAINS).max((left / served.max(1) as u64).saturating_mul(SHARES));
        let is_bounded = world.has_wide_units() && jam.orders_keep_coming(roster.len());
        let most_work = if is_bounded { most_work.min(LONGEST_OF_BODIES) } else { most_work };
        Self {
            horizon,
            most,
            choices: (0..agents).map(|_| None).collect(),
            precedence,
            has_slow,
            is_decided: vec![false; agents],
            is_best: vec![false; agents],
            weights: vec![0; agents],
            is_idle: vec![false; agents],
            makes_way_for: vec![OnceCell::new(); agents],
            chain: Chain { has: vec![false; agents], asked_from: vec![0; agents], ..Chain::default() },
            board,
            taken: (0..agents).map(|_| None).collect(),
            changed: Vec::new(),
            tested: 0,
            most_work,
            spare: Vec::new(),
        }
    }

    /// Lets `slot` take a better operation than its own, at the expense of agents that have not chosen yet and come
    /// after it in precedence. `has_none`: it has no operation so far.
    pub(super) fn decide(&mut self, context: &mut Context<'_, '_>, slot: Slot, has_none: bool) {
        let index = slot.index();
        if self.horizon.is_short && !has_none && self.taken[index].is_none() && begins_moves(context, slot) {
            return;
        }
        if !self.is_decided[index] {
            self.is_best[index] = !has_none && !self.is_idle[index] && goes_on(self, context, slot);
            if !self.is_best[index] {
                self.improve(context, slot, has_none, false);
            }
        }
        self.is_decided[index] = true;
        if context.work.fuel.left() > 0 {
            let now = context.now();
            context.state.roster[slot].journey.serve(now);
        }
    }

    /// Lets `slot` take a better operation than its own if all scores together fall, weighted.
    pub(super) fn decide_in_sum(&mut self, context: &mut Context<'_, '_>, slot: Slot) {
        if !self.is_best[slot.index()] {
            self.improve(context, slot, false, true);
        }
    }

    /// Whether there is too little work to compare operations for all agents.
    pub(super) fn is_short(&self) -> bool {
        self.horizon.is_short
    }

    /// The end of all operations.
    pub(super) fn until(&self) -> Tick {
        self.horizon.until
    }

    /// Whether some agents are slow.
    pub(super) fn has_slow(&self) -> bool {
        self.has_slow
    }

    /// The precedence of `slot`; `None`: all others may make it step aside.
    pub(super) fn precedence(&self, slot: Slot) -> Option<u32> {
        Some(self.precedence[slot.index()]).filter(|precedence| *precedence != LAST)
    }

    /// Whether `slot` holds moves.
    pub(super) fn has_moves(&self, context: &Context<'_, '_>, slot: Slot) -> bool {
        match &self.taken[slot.index()] {
            Some(Taken::Operation(operation)) => *operation > 0,
            Some(Taken::Legs(legs)) => legs.iter().any(Leg::is_move),
            None => context.state.ledger.plan(slot).has_moves(),
        }
    }

    /// The agents whose reservations the best operation of `slot` meets.
    pub(super) fn in_the_best_way(&mut self, context: &mut Context<'_, '_>, slot: Slot) -> Vec<Slot> {
        let mut met = Vec::new();
        if self.look_up(context, slot).is_none() {
            return met;
        }
        if self.at(slot, 0).is_none() {
            return met;
        }
        let Self { board, choices, .. } = self;
        let Some(choices) = &mut choices[slot.index()] else { return met };
        for marks in choices.marks(0, context.state, board) {
            board.first_without(*marks, slot, |holder, _| {
                if let Holder::Slot(other) = holder
                    && !met.contains(&other)
                {
                    met.push(other);
                }
                true
            });
        }
        met
    }

    fn improve(&mut self, context: &mut Context<'_, '_>, slot: Slot, has_none: bool, in_sum: bool) {
        let Some(Choices { held, .. }) = self.look_up(context, slot) else { return };
        let worst = if has_none { Score::MAX } else { *held };
        if self.at(slot, 0).is_none_or(|(score, _)| score >= worst) {
            return;
        }
        let Chain { taken, stuck, asked_from, visits, change, reserve, .. } = &mut self.chain;
        taken.clear();
        stuck.drain(..).for_each(|slot| asked_from[slot.index()] = 0);
        (*visits, *change) = (0, 0);
        let left = context.work.fuel.left();
        // Who has no operation, and has to make way for an agent that makes none, may take half of what is left.
        let is_urgent = has_none && context.state.roster[slot].hurries();
        let most = if is_urgent { self.most_work.max(left / 2) } else { self.most_work };
        *reserve = left.saturating_sub(most);
        self.chain.in_sum = in_sum;
        // Who has no operation is in danger, and has undone nothing.
        self.chain.precedence = if has_none { 0 } else { self.precedence[slot.index()] };
        self.chain.priority = context.state.roster[slot].priority();
        let begin = self.board.position();
        self.board.lift(slot);
        if self.find_way(context, slot, worst, 0) {
            self.keep(context);
        } else {
            self.board.undo(begin);
        }
        self.board.settle();
    }

    /// Notes what the agents of the chain have taken.
    fn keep(&mut self, context: &mut Context<'_, '_>) {
        let taken = std::mem::take(&mut self.chain.taken);
        context.report.inheritances += taken.len() as u64 - 1;
        for (slot, operation, score) in &taken {
            self.chain.has[slot.index()] = false;
            if let Some(choices) = &mut self.choices[slot.index()] {
                choices.held = *score;
            }
            self.note(context, *slot, Taken::Operation(*operation));
            self.is_decided[slot.index()] = true;
            self.is_best[slot.index()] = false;
            if context.state.roster[*slot].planner() == Planner::Step {
                context.set_tried(*slot, None);
            }
        }
        self.chain.taken = taken;
    }

    /// Notes that `slot` has taken something.
    fn note(&mut self, context: &mut Context<'_, '_>, slot: Slot, taken: Taken) {
        if self.taken[slot.index()].replace(taken).is_none() {
            context.work.charge(WRITTEN);
            self.changed.push(slot);
        }
    }

    /// Whether nobody but `slot` holds any of `entries`.
    pub(super) fn is_free(&mut self, context: &Context<'_, '_>, slot: Slot, entries: &[Entry]) -> bool {
        let State { roster, ledger, .. } = &*context.state;
        self.board.is_free((ledger.reservations(), roster), entries, slot)
    }

    /// Makes `slot` give up its operation for `legs`, which occupy `entries`, that are free.
    pub(super) fn take_legs(&mut self, context: &mut Context<'_, '_>, slot: Slot, legs: Vec<Leg>, entries: &[Entry]) {
        let State { roster, ledger, .. } = &*context.state;
        let read = (ledger.reservations(), roster);
        let marks: Vec<_> = entries.iter().map(|entry| self.board.marks(read, entry)).collect();
        self.board.lift(slot);
        self.board.take(slot, &marks);
        self.board.settle();
        self.note(context, slot, Taken::Legs(legs));
    }

    /// Writes all that has changed to the store.
    pub(super) fn end(mut self, context: &mut Context<'_, '_>) {
        let State { world, roster, ledger, clock, .. } = &mut *context.state;
        let mark = ledger.mark();
        for slot in &self.changed {
            let (_, depart) = roster[*slot].motion.free_at(clock.now);
            ledger.release(*slot, depart);
        }
        let (mut entries, mut evicted, mut is_held) = (Vec::new(), Vec::new(), true);
        let mut plans = Vec::with_capacity(self.changed.len());
        for slot in &self.changed {
            entries.clear();
            let legs = match (self.taken[slot.index()].take(), &self.choices[slot.index()]) {
                (Some(Taken::Operation(operation)), Some(choices)) => {
                    entries.extend(choices.entries(operation, clock.now));
                    choices.list.legs(operation, choices.depart, self.horizon.until)
                }
                (Some(Taken::Legs(legs)), _) => {
                    occupied(&*world, &roster[*slot], *clock, &legs, &mut entries);
                    legs
                }
                _ => continue,
            };
            is_held &= ledger.take(*slot, JOINT, &entries, &mut evicted).is_ok();
            plans.push((*slot, legs));
        }
        debug_assert!(is_held, "what the board says is free is free");
        if is_held {
            ledger.settle();
            for (slot, legs) in plans {
                ledger.change_plan(slot, Schedule::new(legs, None).by(Planner::Step));
            }
        } else {
            evicted.clear();
            ledger.take_back(mark);
            ledger.settle();
        }
        ledger.give_back(self.board);
        // Whoever loses something beyond the last tick of the board loses its plan.
        for loser in context.state.roster.slots_of(evicted) {
            context.state.lose_plan(loser, context.state.clock.now);
        }
    }

    fn at(&mut self, slot: Slot, place: usize) -> Option<(Score, u32)> {
        self.choices[slot.index()].as_mut()?.at(place)
    }

    /// The choices of `slot`. `None`: there is not enough work left to compare them.
    fn look_up(&mut self, context: &mut Context<'_, '_>, slot: Slot) -> Option<&mut Choices> {
        let index = slot.index();
        if self.choices[index].is_none() && context.work.fuel.left() > 0 {
            let taken = match &self.taken[index] {
                Some(Taken::Legs(legs)) => Some(&legs[..]),
                _ => None,
            };
            let found = Choices::of(context.state, slot, self.horizon, self.is_idle[index], taken);
            let left = context.work.fuel.left();
            context.work.charge(found.price);
            context.report.operations += (found.list.operations().len() as u64 / COUNTED).min(left);
            self.choices[index] = Some(found).filter(|found| found.price <= left);
        }
        self.choices[index].as_mut()
    }
}

/// Adds what `member` occupies by `legs`, from the end of its motion under way on.
pub(in crate::planners) fn occupied(
    world: &World<'_>,
    member: &Member,
    clock: Clock,
    legs: &[Leg],
    entries: &mut Vec<Entry>,
) {
    let class = &world[member.class()];
    let (from, depart) = member.motion.free_at(clock.now);
    if depart > clock.now {
        class.sweep(&Leg::resting(from, depart, depart), entries);
    }
    legs.iter().for_each(|leg| class.sweep(leg, entries));
}
