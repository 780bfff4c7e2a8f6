//! Bodies and layers of every kind, and what waiting costs.

use std::ops::ControlFlow;

use giveway_core::{
    Asker, Cells, ConflictRule, Cost, CostLayer, Entry, EntryVisitor, Footprint, Motion, MotionIn, MoveIn, NodeId,
    SpaceGraph, Span, Tick, Ticks,
};

use crate::oracles::spaces::nodes;
use crate::world::Price;

/// A footprint, and in the oracle's words what it does.
pub(crate) trait Body<S: SpaceGraph>: Footprint<S> {
    fn rule(&self, space: &S) -> ConflictRule {
        self.cells(space).rule()
    }
    /// The most ticks that a move takes.
    fn longest(&self, space: &S) -> Ticks {
        let moves = nodes(space).flat_map(|node| space.moves(node));
        moves.filter_map(|m| self.duration(space, &m)).max().unwrap_or(1)
    }
}

impl<S: SpaceGraph, F: Footprint<S>> Body<S> for F {}

/// A unit that takes one to four ticks for a move, cannot make some moves at all, and waits for two ticks at a time.
pub(crate) struct Lorry;

impl<S: SpaceGraph> Footprint<S> for Lorry {
    fn cells(&self, space: &S) -> Cells {
        let [places, crossings] =
            [space.node_bound(), space.facts().crossing_bound].map(|count| count.try_into().unwrap());
        Cells::new(ConflictRule::Following, places, crossings)
    }

    fn wait_quantum(&self) -> Ticks {
        2
    }

    fn duration(&self, _space: &S, m: &MoveIn<S>) -> Option<Ticks> {
        Some((m.from.0 * 3 + m.to.0 * 7) % 5).filter(|ticks| *ticks > 0)
    }

    fn sweep(&self, space: &S, motion: &MotionIn<S>, depart: Tick, entry: EntryVisitor<'_>) -> ControlFlow<()> {
        let cells = Footprint::<S>::cells(self, space);
        let (ends, ticks) = match motion {
            Motion::Move(m) => ([m.from, m.to], self.duration(space, m).unwrap_or(1)),
            Motion::Rest { node, ticks } => ([*node; 2], (*ticks).max(1)),
        };
        let crossing = match motion {
            Motion::Move(m) => space.crossing(m).map(|crossing| cells.crossing(crossing)),
            Motion::Rest { .. } => None,
        };
        let places = ends.into_iter().map(|node| cells.place(node.0));
        let span = Span::lasting(depart, ticks);
        places.chain(crossing).try_for_each(|cell| entry(Entry { cell, span }))
    }
}

/// Tolls that change from tick to tick, and end changing; pauses that cost less, nothing, or more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tolls {
    pub(crate) seed: u32,
    pub(crate) until: Tick,
}

impl Tolls {
    /// 0..4, by what is asked, the same for all ticks from `until` on.
    fn draw(self, a: u32, b: u32, tick: Tick) -> u32 {
        let mixed = [a, b, tick.min(self.until)]
            .into_iter()
            .fold(self.seed, |mixed, part| (mixed ^ part).wrapping_mul(0x9E37_79B1).rotate_left(13));
        mixed % 4
    }
}

impl<S: SpaceGraph<Cost: Price>> CostLayer<S> for Tolls {
    fn surcharge(&self, _space: &S, m: &MoveIn<S>, depart: Tick, _asker: &Asker<'_>) -> S::Cost {
        S::Cost::thousandths(700 * self.draw(m.from.0, m.to.0, depart))
    }

    fn wait(&self, _space: &S, node: NodeId, span: Span, _base: S::Cost, _asker: &Asker<'_>) -> S::Cost {
        S::Cost::thousandths(400 * self.draw(node.0, u32::MAX, span.start))
    }

    fn settled_from(&self) -> Tick {
        self.until
    }
}

/// Tolls that never change: some moves cost more than others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terrain {
    pub(crate) seed: u32,
}

impl<S: SpaceGraph<Cost: Price>> CostLayer<S> for Terrain {
    fn surcharge(&self, _space: &S, m: &MoveIn<S>, _depart: Tick, _asker: &Asker<'_>) -> S::Cost {
        S::Cost::thousandths(700 * Tolls { seed: self.seed, until: 0 }.draw(m.from.0, m.to.0, 0))
    }

    fn is_timeless(&self) -> bool {
        true
    }
}

/// The cost of a wait of `ticks` that begins `elapsed` ticks after the departure: as many parts of a step's price as
/// pass.
pub(crate) fn price_of_waiting<C: Cost>(step: C, parts: Ticks, elapsed: Ticks, ticks: Ticks) -> C {
    let until = |ticks: Ticks| step.times(ticks).part(parts);
    until(elapsed + ticks).minus(until(elapsed))
}
