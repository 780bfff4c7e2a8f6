//! Clearance: the part of a grid in which a body fits.

use std::ops::RangeInclusive;

use giveway_core::adapter::Adapter;
use giveway_core::{Area, Change, Editable, Facts, Journal, Move, NodeId, SpaceGraph as _, Trajectory};

use crate::fit::{Fit, Way, WayTable};
use crate::footprint::by_offset::OverGrid;
use crate::trajectory::Stroke;
use giveway_spaces::{Connectivity, Direction, Grid};

/// A grid for a body that does not turn, made by [`Body::on`](crate::Body::on). The space has only the places where the
/// body fits, and only the moves along which the body fits. So distances are lengths of ways of this body, and searches
/// find out that a goal is unreachable for this body.
///
/// Node ids are the node ids of the grid.
#[derive(Clone, PartialEq, Debug)]
pub struct Clearance {
    fit: Fit,
}

impl Clearance {
    /// The places and [ways](Self::ways) on which the body fits.
    pub(super) fn new(fit: Fit) -> Self {
        Self { fit }
    }

    /// The ways of a body that does not turn: a slide in each direction, by its number.
    pub(super) fn ways(connectivity: Connectivity) -> WayTable {
        let way = |direction: &Direction| {
            let (dx, dy) = direction.offset();
            Way { from: 0, to: 0, by: [dx, dy], strokes: vec![Stroke::Slide([f64::from(dx), f64::from(dy)])] }
        };
        let count = match connectivity {
            Connectivity::Four => 4,
            Connectivity::Eight => 8,
        };
        WayTable::new(vec![0.0], Direction::ALL[..count].iter().map(way).collect())
    }

    /// The whole grid, with the cells where the body does not fit.
    pub fn grid(&self) -> &Grid {
        self.fit.grid()
    }

    /// Closes or opens cell (x, y) of the grid, as [`Grid::set_passable`] does, and finds anew where the body fits
    /// around the cell. Returns whether the grid changed. Takes time in proportion to the square of the area of the
    /// body.
    pub fn set_passable(&mut self, x: u32, y: u32, passable: bool) -> bool {
        self.fit.set_passable(x, y, passable)
    }

    #[inline]
    fn leads(&self, from: NodeId, direction: Direction) -> bool {
        self.fit.exits(from) >> direction as u8 & 1 == 1
    }
}

impl OverGrid for Clearance {
    #[inline]
    fn fit(&self) -> &Fit {
        &self.fit
    }

    #[inline]
    fn way(&self, m: &Move<Direction, u32>) -> usize {
        m.action as usize
    }
}

impl Adapter for Clearance {
    type Base = Grid;
    type Action = Direction;
    type Cost = u32;

    fn base(&self) -> &Grid {
        self.fit.grid()
    }

    #[inline]
    fn base_node(&self, node: NodeId) -> NodeId {
        node
    }

    #[inline]
    fn base_move(&self, m: &Move<Direction, u32>) -> Option<Move<Direction, u32>> {
        Some(*m)
    }

    fn node_bound(&self) -> usize {
        self.fit.node_bound()
    }

    #[inline]
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<Direction, u32>> {
        self.grid().moves(from).filter(move |m| self.leads(from, m.action))
    }

    #[inline]
    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<Direction, u32>>> {
        Some(self.grid().moves_into(to)?.filter(|m| self.leads(m.from, m.action)))
    }

    fn contains(&self, node: NodeId) -> bool {
        self.fit.fits(node)
    }

    /// Footprints tell durations, and need no crossings.
    fn facts<'a>(&'a self, base: Facts<'a, u32>) -> Facts<'a, u32> {
        let Facts { uniform_cost, uniform_length: _, step, crossing_bound: _, period, origins: _ } = base;
        Facts { uniform_cost, uniform_length: None, step, crossing_bound: 0, period, origins: None }
    }

    fn shortcut(&self, _from: NodeId, _to: NodeId, _lengths: RangeInclusive<f32>) -> Option<Direction> {
        None
    }

    fn journal(&self) -> Option<&Journal> {
        Some(self.fit.journal())
    }

    fn heading(&self, _node: NodeId) -> f32 {
        0.0
    }

    fn trajectory(&self, _m: &Move<Direction, u32>) -> Option<&Trajectory> {
        None
    }
}

/// Nodes are cells of the grid; the body may still not fit on a cell that is opened.
impl Editable for Clearance {
    fn set_open(&mut self, node: NodeId, open: bool) -> bool {
        self.fit.set_open(node, open)
    }

    fn needs(&self, node: NodeId, closed: NodeId) -> bool {
        self.fit.needs(node, closed)
    }

    fn is_inside(&self, node: NodeId, area: &Area) -> bool {
        self.fit.is_inside(node, area)
    }

    fn change(&mut self, area: &Area, change: Change) -> bool {
        self.fit.change(area, change)
    }
}
