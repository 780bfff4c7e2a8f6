//! The point: a unit without extent, under the swap rule or the both-cells rule.

use std::ops::ControlFlow;

use crate::cells::{Cells, ConflictRule};
use crate::crossings::Crossings;
use crate::footprint::{Entry, Footprint, Motion, MotionIn, MoveIn};
use crate::space::{NodeId, SpaceGraph};
use crate::time::{Span, Tick, Ticks};

/// A unit without extent that takes one tick for every move: the agent of the multi-agent pathfinding literature.
///
/// Under the [swap rule](ConflictRule::Swap) a move enters the crossing for its tick and its target for the tick
/// of arrival; under the [both-cells rule](ConflictRule::BothCells) it holds both of its places for its tick, and the
/// crossing where the space numbers them: two diagonals that cross have no place in common.
#[derive(Clone, Debug)]
pub struct Point {
    cells: Cells,
    crossings: Option<Crossings>,
}

impl Point {
    /// A point under the swap rule in `space`.
    ///
    /// Where the space does not number its crossings, the pairs of connected nodes are numbered here, in time
    /// linear in the number of moves.
    pub fn swap_rule<S: SpaceGraph>(space: &S) -> Self {
        let places = clamp(space.node_bound());
        let (crossings, count) = match space.crossing_bound() {
            0 => {
                let crossings = Crossings::number(space);
                let count = crossings.bound();
                (Some(crossings), count)
            }
            count => (None, count),
        };
        Self {
            cells: Cells::new(ConflictRule::Swap, places, clamp(count)),
            crossings,
        }
    }

    /// A point under the both-cells rule in `space`, sharing its places with bodies of every kind.
    pub fn both_cells<S: SpaceGraph>(space: &S) -> Self {
        let (places, crossings) = (clamp(space.node_bound()), clamp(space.crossing_bound()));
        Self {
            cells: Cells::new(ConflictRule::BothCells, places, crossings),
            crossings: None,
        }
    }
}

fn clamp(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl<S: SpaceGraph> Footprint<S> for Point {
    #[inline]
    fn cells(&self, _space: &S) -> Cells {
        self.cells
    }

    #[inline]
    fn duration(&self, _space: &S, _m: &MoveIn<S>) -> Option<Ticks> {
        Some(1)
    }

    #[inline]
    fn uniform_duration(&self) -> Option<Ticks> {
        Some(1)
    }

    #[inline]
    fn sweep(
        &self,
        space: &S,
        motion: &MotionIn<S>,
        depart: Tick,
        entry: &mut dyn FnMut(Entry) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let place = |node: NodeId, span| Entry {
            cell: self.cells.place(node.0),
            span,
        };
        let crossing = |m: &MoveIn<S>| match &self.crossings {
            Some(crossings) => crossings.of(m.from, m.to),
            None if self.cells.crossings() > 0 => space.crossing(m),
            None => None,
        };
        match (self.cells.rule(), motion) {
            (rule, Motion::Move(m)) => {
                match rule {
                    // The place it leaves is held by the motion before, which ended there at this tick.
                    ConflictRule::Swap => entry(place(m.to, Span::at(depart.saturating_add(1))))?,
                    ConflictRule::BothCells => {
                        entry(place(m.to, Span::at(depart)))?;
                        entry(place(m.from, Span::at(depart)))?;
                    }
                }
                match crossing(m) {
                    Some(crossing) => entry(Entry {
                        cell: self.cells.crossing(crossing),
                        span: Span::at(depart),
                    }),
                    None => ControlFlow::Continue(()),
                }
            }
            (ConflictRule::Swap, Motion::Rest { node, ticks }) => {
                // Being there at the first and at the last tick: arrivals at either are conflicts.
                entry(place(*node, Span::lasting(depart, ticks.saturating_add(1))))
            }
            (ConflictRule::BothCells, Motion::Rest { node, ticks }) => {
                entry(place(*node, Span::lasting(depart, (*ticks).max(1))))
            }
        }
    }
}
