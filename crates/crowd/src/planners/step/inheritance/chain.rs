//! A chain: an agent that takes an operation, the agents in its way, which take others, and so on.

use giveway_core::Tick;

use super::{MOST_POINTS, Round};
use crate::ledger::Holder;
use crate::planners::context::Context;
use crate::planners::step::choices::{Score, can_make_way};
use giveway_members::roster::Slot;

/// A chain of agents that make way for each other tries no more agents than this: by rank, and where all scores
/// together have to fall.
const LONGEST_CHAIN: u32 = 300;
const LONGEST_IN_SUM: u32 = 100;

/// The number of operations that are tested in the time of a unit of work.
const TESTED_AT_ONCE: u64 = 4;

/// A chain of agents that make way for each other.
#[derive(Default)]
pub(super) struct Chain {
    /// By slot: the agent is in the chain.
    pub(super) has: Vec<bool>,
    /// The agents with another operation, its position and its score.
    pub(super) taken: Vec<(Slot, u32, Score)>,
    /// The agents that could not make way. They are asked again only if their place is wanted later than before. As in
    /// PIBT, that leaves out little: an agent that can go to and fro finds room for any push that comes in time, or for
    /// none.
    pub(super) stuck: Vec<Slot>,
    /// By slot, the tick by which a place has to be wanted so that the agent is asked again; 0: it was not asked.
    pub(super) asked_from: Vec<Tick>,
    /// How many agents have looked for an operation.
    pub(super) visits: u32,
    /// Whether all scores together have to fall; otherwise agents of higher rank come first.
    pub(super) in_sum: bool,
    /// By how much all scores together have changed, weighted.
    pub(super) change: i64,
    /// The precedence and the priority of the agent that began the chain.
    pub(super) precedence: u32,
    pub(super) priority: i32,
    /// The chain fails as soon as no more work than this is left.
    pub(super) reserve: u64,
}

impl Round {
    /// Finds an operation of `slot`, which holds none, that is better than `worst`, and others for all agents in its
    /// way. If there is none, nothing has changed.
    pub(super) fn find_way(&mut self, context: &mut Context<'_, '_>, slot: Slot, worst: Score, by: Tick) -> bool {
        if self.look_up(context, slot).is_none() {
            return false;
        }
        self.chain.has[slot.index()] = true;
        self.chain.visits += 1;
        let (taken_before, change_before) = (self.chain.taken.len(), self.chain.change);
        let begin = self.board.position();
        let mut met = self.spare.pop().unwrap_or_default();
        let mut has_found = false;
        for place in 0.. {
            let Some((score, operation)) = self.at(slot, place).filter(|(score, _)| *score < worst) else { break };
            let change = self.change(slot, score);
            let longest = if self.chain.in_sum { LONGEST_IN_SUM } else { LONGEST_CHAIN };
            let is_over = self.chain.visits > longest || self.chain.in_sum && change_before + change >= 0;
            if is_over || !self.pays(context) {
                break;
            }
            if !self.in_the_way(context, slot, place, &mut met) {
                continue;
            }
            met.iter().for_each(|(other, _)| self.board.lift(*other));
            self.take(slot, place, context);
            self.chain.taken.push((slot, operation, score));
            self.chain.change = change_before + change;
            has_found = met.iter().all(|(other, by)| {
                *by >= self.chain.asked_from[other.index()] && self.find_way(context, *other, Score::MAX, *by)
            });
            if has_found {
                break;
            }
            self.board.undo(begin);
            for (other, ..) in self.chain.taken.drain(taken_before..) {
                self.chain.has[other.index()] = false;
            }
            self.chain.has[slot.index()] = true;
            self.chain.change = change_before;
        }
        self.spare.push(met);
        self.chain.has[slot.index()] &= has_found;
        // Where the sum has to fall, what an agent can do depends on what the others have done so far.
        let counts = !has_found && !self.chain.in_sum;
        if counts && context.state.plain.pace(context.state.roster[slot].class()).is_some() {
            self.chain.asked_from[slot.index()] = by.saturating_add(1);
            self.chain.stuck.push(slot);
        }
        has_found
    }

    /// Pays for the test of an operation. Returns whether there is work left.
    fn pays(&mut self, context: &mut Context<'_, '_>) -> bool {
        if self.tested.is_multiple_of(TESTED_AT_ONCE) {
            if context.work.fuel.left() <= self.chain.reserve || context.work.fuel.burn().is_err() {
                return false;
            }
            context.report.operations += 1;
        }
        self.tested += 1;
        true
    }

    /// By how much all scores together change if `slot` takes an operation of `score`.
    fn change(&self, slot: Slot, score: Score) -> i64 {
        let held = self.choices[slot.index()].as_ref().map_or(0, |choices| choices.held);
        self.weights[slot.index()].saturating_mul(score - held)
    }

    /// Gives the operation at `place` to `slot` on the board.
    fn take(&mut self, slot: Slot, place: usize, context: &Context<'_, '_>) {
        let Self { board, choices, .. } = self;
        if let Some(choices) = &mut choices[slot.index()] {
            let all = choices.marks(place, context.state, board);
            board.take(slot, all);
        }
    }

    /// Finds the agents whose reservations the operation of `slot` at `place` meets. `false`: they are too many, or one
    /// of them makes no way.
    fn in_the_way(&mut self, context: &Context<'_, '_>, slot: Slot, place: usize, met: &mut Vec<(Slot, Tick)>) -> bool {
        met.clear();
        let Self { board, choices, chain, weights, is_decided, is_idle, makes_way_for, most, horizon, .. } = self;
        let Self { precedence, has_slow, .. } = self;
        let Some(choices) = &mut choices[slot.index()] else { return false };
        // A point can go as another one comes. A body has to be gone before, and finds room later that it does not find
        // now.
        let follows = *most == MOST_POINTS;
        // Agents of the chain make no way, nor agents that have chosen or come before, nor motions under way.
        let may_go = |holder| {
            let Holder::Slot(other) = holder else { return None };
            let index = other.index();
            let is_later = || precedence[index] >= chain.precedence || !*has_slow && !begins_moves(context, other);
            let is_open = if chain.in_sum { weights[index] > 0 } else { !is_decided[index] && is_later() };
            Some(other).filter(|_| is_open && !chain.has[index])
        };
        // What was in the way last time mostly still is.
        if let Some(mark) = choices.obstacle(place)
            && board.holder(mark, slot).is_some_and(|holder| may_go(holder).is_none())
        {
            return false;
        }
        let mut makes_way = |holder, tick: Tick| {
            if let Holder::Slot(other) = holder
                && let Some((_, by)) = met.iter_mut().find(|(met, _)| *met == other)
            {
                *by = tick.min(*by);
                return true;
            }
            let Some(other) = may_go(holder).filter(|_| met.len() < *most) else { return false };
            let index = other.index();
            let least = makes_way_for[index].get_or_init(|| {
                let unit = context.state.unit(other);
                let is_on_its_way = unit.member.is_under_way() && !is_idle[index];
                let least = if is_on_its_way { unit.member.priority() } else { i32::MIN };
                can_make_way(context.state, unit, horizon.until).then_some(least)
            });
            let makes_way = least.is_some_and(|least| chain.priority >= least);
            if makes_way {
                met.push((other, if follows { 0 } else { tick }));
            }
            makes_way
        };
        let all = choices.marks(place, context.state, board);
        let obstacle = all.iter().find_map(|marks| board.first_without(*marks, slot, &mut makes_way));
        if let Some(mark) = obstacle {
            choices.note_obstacle(place, mark);
        }
        obstacle.is_none()
    }
}

/// Whether the plan of `slot`, as it was before this tick, has moves that begin at this tick or later.
pub(super) fn begins_moves(context: &Context<'_, '_>, slot: Slot) -> bool {
    context.state.ledger.plan(slot).has_moves_after(context.now())
}
