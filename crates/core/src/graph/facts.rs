//! Facts: what holds for all moves of a space at one revision.

use crate::graph::origins::Origins;
use crate::vocabulary::Ticks;

/// Facts that hold for all moves of a space at one [revision](crate::SpaceGraph::revision). With facts, searches and
/// crowds reach equal results with less work.
///
/// A space sets the facts that it knows, and takes all other fields from [`NONE`](Self::NONE). An
/// [adapter](crate::adapter::Adapter) should set all fields, so that no fact is lost by mistake.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a, C> {
    /// The cost that all moves share. `None`: costs differ. With a shared cost, reverse searches are breadth-first.
    pub uniform_cost: Option<C>,
    /// The [length](crate::Move::length) that all moves share. `None`: lengths differ. If all moves take equally long,
    /// LaCAM can make joint plans for units that stand in each other's way.
    pub uniform_length: Option<f32>,
    /// The length of a usual move, in world units: windows of crowds are counted in such steps. 1.0 where a usual move
    /// is about a plain step.
    pub step: f32,
    /// One more than the largest number of a [crossing](crate::SpaceGraph::crossing). 0: the space does not number its
    /// crossings.
    pub crossing_bound: usize,
    /// The number of ticks, at least 1, after which the answers of [`departs`](crate::SpaceGraph::departs) repeat. 1:
    /// moves may begin at any tick.
    ///
    /// Work and memory of searches without a horizon grow with the period: for such a search, being at a place is a
    /// different state at each tick of the period.
    pub period: Ticks,
    /// For each node, the nodes where the moves into it begin, as tables, in the order of
    /// [`moves_into`](crate::SpaceGraph::moves_into). `None`: there are no tables. With tables, searches at a uniform
    /// cost take a third of the time.
    pub origins: Option<Origins<'a>>,
}

impl<C> Facts<'_, C> {
    /// Nothing is known: costs and lengths differ, crossings have no numbers, moves may begin at any tick.
    pub const NONE: Self =
        Self { uniform_cost: None, uniform_length: None, step: 1.0, crossing_bound: 0, period: 1, origins: None };
}
