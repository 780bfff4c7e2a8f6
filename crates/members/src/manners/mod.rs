//! Waiting manners: cost layers by which agents step aside early, and walk through agents at rest.
//!
//! A. Granberg, "Cooperative Pathfinding Experiments", 2018.

mod resters;

use std::ops::ControlFlow;

use giveway_core::{Asker, Cost, CostLayer, FOREVER, Footprint, Motion, MoveIn, NodeId, SpaceGraph, Span, Tick, Ticks};
use num_traits::Zero;

use giveway_strategies::thousandth_steps;

pub use resters::Resters;

/// Makes early waits cost more than late waits, so that an agent in the way of another agent steps aside at once, not
/// at the last moment.
///
/// The penalty concerns an agent that rests on its goal while it must let another agent pass over that goal. Until the
/// other agent has passed, each tick of a pause on the goal has a price: [`first`](Self::first) at the beginning of a
/// plan, then less and less, and 0 after [`decay`](Self::decay) ticks. A pause on any other place costs nothing in this
/// time.
///
/// Waits of all other agents cost as much as without the penalty: if all waits cost more, an agent that has to wait
/// would walk to and fro instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaitPenalty {
    /// The cost of a wait at the beginning of a plan, in thousandths of a plain step for every tick. Choose a number
    /// much less than 1000.
    pub first: u32,
    /// The number of ticks after which waits cost nothing extra.
    pub decay: Ticks,
}

impl Default for WaitPenalty {
    /// A tenth of a step, falling to nothing in 16 ticks.
    fn default() -> Self {
        Self { first: 100, decay: 16 }
    }
}

impl WaitPenalty {
    /// The price of a tick that begins `after` ticks after the departure, in thousandths of a step.
    #[inline]
    fn at(self, after: Ticks) -> u32 {
        let left = self.decay.saturating_sub(after);
        u32::try_from(u64::from(self.first) * u64::from(left) / u64::from(self.decay.max(1))).unwrap_or(u32::MAX)
    }
}

/// A wait has prices of its own for at most this many ticks.
const LONGEST_WAIT: Ticks = 1 << 16;

impl<S: SpaceGraph> CostLayer<S> for WaitPenalty {
    #[inline]
    fn wait(&self, _space: &S, node: NodeId, span: Span, base: S::Cost, asker: &Asker<'_>) -> S::Cost {
        if span.start >= asker.yields_until {
            return base;
        }
        if !asker.goals.contains(node) {
            return S::Cost::zero();
        }
        // After the decay there is nothing to add.
        let end = span.end.min(asker.depart.saturating_add(self.decay)).min(span.start.saturating_add(LONGEST_WAIT));
        let thousandths = (span.start..end).map(|tick| u64::from(self.at(tick.saturating_sub(asker.depart)))).sum();
        base.plus(thousandth_steps(thousandths))
    }

    #[inline]
    fn settled_from(&self) -> Tick {
        FOREVER
    }
}

/// Lets agents walk through agents at rest. Each such move costs [`price`](Self::price), and the two agents overlap
/// while the move lasts.
///
/// For games in which overlapping units are better than waiting units. The report of every
/// tick counts the overlaps, and the checker finds them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SoftRests {
    /// The cost of a move through an agent at rest, in thousandths of a plain step.
    pub price: u32,
}

impl Default for SoftRests {
    /// Five steps.
    fn default() -> Self {
        Self { price: 5000 }
    }
}

/// The manners of a crowd at one moment.
pub struct Manners<'a> {
    pub wait_penalty: Option<WaitPenalty>,
    /// The cost of a move through an agent at rest, in thousandths of a plain step.
    pub price: u32,
    pub resters: &'a Resters,
}

impl<'a> Manners<'a> {
    /// The manners of units with `footprint`.
    #[inline]
    pub fn of<F>(&'a self, footprint: &'a F) -> MannersOf<'a, F> {
        MannersOf { manners: self, footprint }
    }
}

/// [`Manners`] as a cost layer.
pub struct MannersOf<'a, F> {
    manners: &'a Manners<'a>,
    footprint: &'a F,
}

impl<F> MannersOf<'_, F> {
    /// Whether `m` leads through an agent at rest.
    #[inline(never)]
    fn meets<S: SpaceGraph>(&self, space: &S, m: &MoveIn<S>, depart: Tick) -> bool
    where
        F: Footprint<S>,
    {
        let meets = self.footprint.sweep(space, &Motion::Move(*m), depart, &mut |entry| {
            if self.manners.resters.meet(&entry) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        meets.is_break()
    }
}

impl<S: SpaceGraph, F: Footprint<S>> CostLayer<S> for MannersOf<'_, F> {
    #[inline(always)] // into searches, of which each asks for every move
    fn surcharge(&self, space: &S, m: &MoveIn<S>, depart: Tick, _asker: &Asker<'_>) -> S::Cost {
        let Manners { price, resters, .. } = self.manners;
        if *price == 0 {
            return S::Cost::zero();
        }
        // Nearly always the cells alone decide, and then the compiler leaves out the spans.
        let may_meet = self.footprint.sweep(space, &Motion::Move(*m), depart, &mut |entry| {
            if resters.are_in(entry.cell) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if may_meet.is_break() && self.meets(space, m, depart) {
            thousandth_steps(u64::from(*price))
        } else {
            S::Cost::zero()
        }
    }

    #[inline]
    fn wait(&self, space: &S, node: NodeId, span: Span, base: S::Cost, asker: &Asker<'_>) -> S::Cost {
        match &self.manners.wait_penalty {
            None => base,
            Some(penalty) => penalty.wait(space, node, span, base, asker),
        }
    }
}
