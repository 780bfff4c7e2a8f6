//! Inheritance: an agent takes an operation at the expense of others, who take another one in turn; or nothing changes.

use std::cell::OnceCell;

use giveway_core::{AgentId, Claim, Entry, ReservationStore as _, Span, Tick};

use super::choices::{Choices, Score, can_make_way};
use super::going_on::goes_on;
use crate::chain::Planner;
use crate::ledger::Schedule;
use crate::planners::context::Context;
use crate::rank::{FIRM, JOINT, RESTING};
use crate::roster::Slot;

/// A chain of agents that make way for each other tries no more agents than this.
const LONGEST_CHAIN: u32 = 100;

/// One operation makes at most this many agents take another one: where a place holds one agent, and where bodies may
/// overlap several.
const MOST_POINTS: usize = 1;
const MOST_BODIES: usize = 4;

/// Of the operations that are compared, one in so many counts in reports.
const COUNTED: u64 = 16;

/// To release what an agent holds, and to reserve an operation or take all back, takes as long as so many units of
/// work.
pub(super) const RELEASE: u64 = 3;

/// What is decided at this tick.
pub(super) struct Round {
    /// The end of all operations.
    until: Tick,
    /// One operation makes at most this many agents take another one.
    most: usize,
    /// By slot, what was looked up so far.
    choices: Vec<Option<Choices>>,
    /// By slot: the agent has chosen, and makes way for nobody any more.
    is_decided: Vec<bool>,
    /// By slot: no operation of the agent is better than its own.
    is_best: Vec<bool>,
    /// By slot: how much the score of the agent counts; 0: the step planner does not serve it.
    pub(super) weights: Vec<i64>,
    /// By slot, once it was asked: for chains of which priority the agent makes way; `None`: for none.
    makes_way_for: Vec<OnceCell<Option<i32>>>,
    chain: Chain,
    /// For use again.
    entries: Vec<Entry>,
}

/// A chain of agents that make way for each other.
#[derive(Default)]
struct Chain {
    /// By slot: the agent is in the chain.
    has: Vec<bool>,
    /// The agents with another operation, its position and its score.
    taken: Vec<(Slot, u32, Score)>,
    /// How many agents have looked for an operation.
    visits: u32,
    /// Whether all scores together have to fall; otherwise agents of higher rank come first.
    in_sum: bool,
    /// By how much all scores together have changed, weighted.
    change: i64,
    /// The priority of the agent that began the chain.
    priority: i32,
}

impl Round {
    pub(super) fn new(context: &Context<'_, '_>, until: Tick) -> Self {
        let agents = context.state.roster.bound();
        let most = if context.state.world.has_wide_units() { MOST_BODIES } else { MOST_POINTS };
        let chain = Chain { has: vec![false; agents], ..Chain::default() };
        let choices = (0..agents).map(|_| None).collect();
        Self {
            until,
            most,
            choices,
            is_decided: vec![false; agents],
            is_best: vec![false; agents],
            weights: vec![0; agents],
            makes_way_for: vec![OnceCell::new(); agents],
            chain,
            entries: Vec::new(),
        }
    }

    /// Lets `slot` take a better operation than its own, at the expense of agents that have not chosen yet.
    /// `has_none`: it has no operation so far.
    pub(super) fn decide(&mut self, context: &mut Context<'_, '_>, slot: Slot, has_none: bool) {
        let index = slot.index();
        if !self.is_decided[index] {
            self.is_best[index] = !has_none && goes_on(context, slot, self.until);
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

    /// The agents whose reservations the best operation of `slot` meets.
    pub(super) fn in_the_best_way(&mut self, context: &mut Context<'_, '_>, slot: Slot) -> Vec<Slot> {
        let mut met = Vec::new();
        if self.look_up(context, slot).is_none() {
            return met;
        }
        let Some((_, operation)) = self.at(slot, 0) else { return met };
        let claim = Claim { agent: context.state.roster[slot].id(), rank: RESTING };
        self.all_entries(context.now(), slot, operation, |entry| {
            context.state.ledger.reservations().for_each_blocker(entry, claim, &mut |by| {
                met.extend(context.state.roster.slot(by).filter(|other| !met.contains(other)));
                true
            })
        });
        met
    }

    fn improve(&mut self, context: &mut Context<'_, '_>, slot: Slot, has_none: bool, in_sum: bool) {
        let Some(Choices { held, .. }) = self.look_up(context, slot) else { return };
        let worst = if has_none { Score::MAX } else { *held };
        if self.at(slot, 0).is_none_or(|(score, _)| score >= worst) {
            return;
        }
        let Chain { taken, visits, change, .. } = &mut self.chain;
        taken.clear();
        (*visits, *change) = (0, 0);
        self.chain.in_sum = in_sum;
        self.chain.priority = context.state.roster[slot].priority();
        let (_, depart) = context.state.roster[slot].motion.free_at(context.now());
        let mark = context.state.ledger.mark();
        context.work.charge(RELEASE);
        context.state.ledger.release(slot, depart);
        if self.find_way(context, slot, worst) {
            context.state.ledger.settle();
            self.keep(context);
        } else {
            context.state.ledger.take_back(mark);
            context.state.ledger.settle();
        }
    }

    /// Makes what the agents of the chain have taken their plans.
    fn keep(&mut self, context: &mut Context<'_, '_>) {
        let taken = std::mem::take(&mut self.chain.taken);
        context.report.inheritances += taken.len() as u64 - 1;
        for (slot, operation, score) in &taken {
            self.chain.has[slot.index()] = false;
            let Some(choices) = &mut self.choices[slot.index()] else { continue };
            let legs = choices.list.legs(*operation, choices.depart, self.until);
            choices.held = *score;
            context.state.ledger.change_plan(*slot, Schedule::new(legs, None).by(Planner::Step));
            self.is_decided[slot.index()] = true;
            self.is_best[slot.index()] = false;
            if context.state.roster[*slot].planner() == Planner::Step {
                context.set_tried(*slot, None);
            }
        }
        self.chain.taken = taken;
    }

    /// Finds an operation of `slot`, which holds none, that is better than `worst`, and others for all agents in its
    /// way. If there is none, nothing has changed.
    fn find_way(&mut self, context: &mut Context<'_, '_>, slot: Slot, worst: Score) -> bool {
        if self.look_up(context, slot).is_none() {
            return false;
        }
        self.chain.has[slot.index()] = true;
        self.chain.visits += 1;
        let (taken_before, change_before) = (self.chain.taken.len(), self.chain.change);
        let mut mark = None;
        for place in 0.. {
            let Some((score, operation)) = self.at(slot, place).filter(|(score, _)| *score < worst) else { break };
            let change = self.change(slot, score);
            let is_over = self.chain.visits > LONGEST_CHAIN || self.chain.in_sum && change_before + change >= 0;
            if is_over || context.work.fuel.burn().is_err() {
                break;
            }
            context.report.operations += 1;
            let Some(met) = self.in_the_way(context, slot, operation) else { continue };
            context.work.charge(RELEASE);
            let to = *mark.get_or_insert_with(|| context.state.ledger.mark());
            for other in &met {
                let (_, depart) = context.state.roster[*other].motion.free_at(context.now());
                context.state.ledger.release(*other, depart);
            }
            if self.take(context, slot, operation) {
                self.chain.taken.push((slot, operation, score));
                self.chain.change = change_before + change;
                if met.iter().all(|other| self.find_way(context, *other, Score::MAX)) {
                    return true;
                }
            }
            context.state.ledger.take_back(to);
            for (other, ..) in self.chain.taken.drain(taken_before..) {
                self.chain.has[other.index()] = false;
            }
            self.chain.has[slot.index()] = true;
            self.chain.change = change_before;
        }
        self.chain.has[slot.index()] = false;
        false
    }

    /// By how much all scores together change if `slot` takes an operation of `score`.
    fn change(&self, slot: Slot, score: Score) -> i64 {
        let held = self.choices[slot.index()].as_ref().map_or(0, |choices| choices.held);
        self.weights[slot.index()].saturating_mul(score - held)
    }

    /// Reserves `operation` for `slot`. Returns whether that is permitted.
    fn take(&mut self, context: &mut Context<'_, '_>, slot: Slot, operation: u32) -> bool {
        let mut entries = std::mem::take(&mut self.entries);
        entries.clear();
        self.all_entries(context.now(), slot, operation, |entry| {
            entries.push(*entry);
            true
        });
        // Nobody else holds any of it, except for motions under way.
        let is_held = context.state.ledger.hold(slot, JOINT, &entries).is_ok();
        self.entries = entries;
        is_held
    }

    /// The agents whose reservations `operation` of `slot` meets. `None`: they are too many, or one of them makes no
    /// way.
    fn in_the_way(&self, context: &Context<'_, '_>, slot: Slot, operation: u32) -> Option<Vec<Slot>> {
        let agent = context.state.roster[slot].id();
        let mut met: Vec<Slot> = Vec::new();
        let store = context.state.ledger.reservations();
        let claim = Claim { agent, rank: RESTING };
        let free = self.all_entries(context.now(), slot, operation, |entry| {
            let mut is_free = true;
            let make_way = store.for_each_blocker(entry, claim, &mut |by| {
                is_free = false;
                self.makes_way(context, by, &mut met)
            });
            // Motions under way make no way.
            make_way && (is_free || store.permits(entry, Claim { agent, rank: FIRM }))
        });
        free.then_some(met)
    }

    /// Whether `by` makes way for the chain; then it is one of `met`.
    fn makes_way(&self, context: &Context<'_, '_>, by: AgentId, met: &mut Vec<Slot>) -> bool {
        let Some(other) = context.state.roster.slot(by) else { return false };
        if met.contains(&other) {
            return true;
        }
        let index = other.index();
        let is_open = if self.chain.in_sum { self.weights[index] > 0 } else { !self.is_decided[index] };
        if !is_open || self.chain.has[index] || met.len() >= self.most {
            return false;
        }
        let least = self.makes_way_for[index].get_or_init(|| {
            let unit = context.state.unit(other);
            let least = if unit.member.is_under_way() { unit.member.priority() } else { i32::MIN };
            can_make_way(context.state, unit, self.until).then_some(least)
        });
        if least.is_none_or(|least| self.chain.priority < least) {
            return false;
        }
        met.push(other);
        true
    }

    /// Calls `each` for everything that `operation` of `slot` occupies, as long as that returns `true`. Returns whether
    /// it always did.
    #[inline]
    fn all_entries(&self, now: Tick, slot: Slot, operation: u32, mut each: impl FnMut(&Entry) -> bool) -> bool {
        let Some(Choices { list, depart, .. }) = &self.choices[slot.index()] else { return false };
        // Where an agent is now, nobody else is.
        let comes = *depart > now;
        let later = |Span { start, end }| Span::new(start.saturating_add(*depart), end.saturating_add(*depart));
        let [first, others] = list.entries(operation, comes);
        let mut all =
            |part: &[Entry]| part.iter().all(|entry| each(&Entry { cell: entry.cell, span: later(entry.span) }));
        all(first) && all(others)
    }

    fn at(&mut self, slot: Slot, place: usize) -> Option<(Score, u32)> {
        self.choices[slot.index()].as_mut()?.at(place)
    }

    /// The choices of `slot`. `None`: there is not enough work left to compare them.
    fn look_up(&mut self, context: &mut Context<'_, '_>, slot: Slot) -> Option<&mut Choices> {
        let choices = &mut self.choices[slot.index()];
        if choices.is_none() && context.work.fuel.left() > 0 {
            let found = Choices::of(context.state, slot, self.until);
            let left = context.work.fuel.left();
            context.work.charge(found.price);
            context.report.operations += (found.list.operations().len() as u64 / COUNTED).min(left);
            *choices = Some(found).filter(|found| found.price <= left);
        }
        choices.as_mut()
    }
}
