//! Clearance: the part of a grid in which a body fits.

use giveway_core::{Area, Change, Editable, Edits, Embedding, Facts, Move, NodeId, SpaceGraph};

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
    grid: Grid,
    fit: Fit,
}

impl Clearance {
    /// `grid` with the places and [ways](Self::ways) on which the body fits.
    pub(super) fn new(grid: Grid, fit: Fit) -> Self {
        Self { grid, fit }
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

    /// Whether `grid` has a move out of a cell in the direction of this number.
    pub(super) fn offers(grid: &Grid) -> impl Fn(NodeId, usize) -> bool {
        |cell, way| Direction::ALL.get(way).is_some_and(|direction| grid.leads(cell, *direction))
    }

    /// The whole grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Closes or opens cell (x, y) of the grid, as [`Grid::set_passable`] does. Then finds anew where the body fits
    /// around the cell. Takes time in proportion to the square of the area of the body.
    pub fn set_passable(&mut self, x: u32, y: u32, passable: bool) -> bool {
        let changed = self.grid.set_passable(x, y, passable);
        if changed {
            self.fit.repair(&self.grid, [[x, y]; 2], false, Self::offers(&self.grid));
        }
        changed
    }

    #[inline]
    fn leads(&self, from: NodeId, direction: Direction) -> bool {
        self.fit.exits(from) >> direction as u8 & 1 == 1
    }
}

impl OverGrid for Clearance {
    fn grid(&self) -> &Grid {
        &self.grid
    }

    #[inline]
    fn cell(&self, node: NodeId) -> NodeId {
        node
    }

    #[inline]
    fn rest(&self, _node: NodeId) -> usize {
        self.fit.ways().list.len()
    }

    #[inline]
    fn way(&self, m: &Move<Direction, u32>) -> usize {
        m.action as usize
    }
}

impl SpaceGraph for Clearance {
    type Action = Direction;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        self.fit.node_bound()
    }

    #[inline]
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<Direction, u32>> {
        self.grid.moves(from).filter(move |m| self.leads(from, m.action))
    }

    #[inline]
    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<Direction, u32>>> {
        Some(self.grid.moves_into(to)?.filter(|m| self.leads(m.from, m.action)))
    }

    fn contains(&self, node: NodeId) -> bool {
        self.fit.fits(node)
    }

    /// Footprints tell durations, and need no crossings.
    fn facts(&self) -> Facts<'_, u32> {
        let Facts { uniform_cost, uniform_length: _, step, crossing_bound: _, period, origins: _ } = self.grid.facts();
        Facts { uniform_cost, uniform_length: None, step, crossing_bound: 0, period, origins: None }
    }

    fn revision(&self) -> u64 {
        self.fit.journal().revision()
    }

    fn edits_since(&self, revision: u64) -> Edits<'_> {
        self.fit.journal().since(revision)
    }
}

/// Nodes are cells of the grid; the body may still not fit on a cell that is opened.
impl Editable for Clearance {
    fn set_open(&mut self, node: NodeId, open: bool) -> bool {
        let (x, y) = self.grid.xy(node);
        self.set_passable(x, y, open)
    }

    fn needs(&self, node: NodeId, closed: NodeId) -> bool {
        self.fit.needs(&self.grid, node, closed)
    }

    fn is_inside(&self, node: NodeId, area: &Area) -> bool {
        self.fit.is_inside(&self.grid, node, area)
    }

    fn change(&mut self, area: &Area, change: Change) -> bool {
        let changed = self.grid.change_cells(area, change, self.fit.heights());
        if let Some(corners) = changed {
            let resurfaced = matches!(change, Change::Surface(_));
            self.fit.repair(&self.grid, corners, resurfaced, Self::offers(&self.grid));
        }
        changed.is_some()
    }
}

impl Embedding for Clearance {
    #[inline]
    fn position(&self, node: NodeId) -> [f32; 3] {
        self.grid.position(node)
    }

    #[inline]
    fn whole_position(&self, node: NodeId) -> Option<[i32; 3]> {
        self.grid.whole_position(node)
    }
}
