//! The space of poses.

use super::primitives::{Headings, trajectory_of};
use std::ops::RangeInclusive;
use std::sync::Arc;

use giveway_core::adapter::Adapter;
use giveway_core::{Area, Change, Editable, Facts, Goals, Journal, Move, MoveIn, NodeId, Trajectory};

use crate::fit::{Fit, Way};
use crate::footprint::by_offset::OverGrid;
use giveway_spaces::Grid;

/// A grid for a vehicle, made by `Vehicle::on`. The space has the cells and headings at which the vehicle fits, and the
/// motion primitives along which the vehicle fits.
///
/// A node is a cell and a heading. An action is the number of a primitive. The cost of a move is 1000 per world unit of
/// its primitive's length, times the weight of the cell where the move ends.
///
/// The connectivity and the corner cutting of the grid have no effect: primitives say where a vehicle can go.
#[derive(Clone, PartialEq, Debug)]
pub struct Lattice {
    fit: Fit,
    headings: Headings,
    /// Per way, its cost, the world units for which it counts, and its trajectory.
    drives: Arc<[Drive]>,
    /// Per heading, the ways that end under it.
    into: Arc<[Vec<usize>]>,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Drive {
    /// The number added to a node id, wrapping.
    step: u32,
    cost: u32,
    counts: f32,
    trajectory: Trajectory,
}

impl Lattice {
    pub(super) fn new(fit: Fit, headings: Headings) -> Self {
        let (grid, ways) = (fit.grid(), fit.ways());
        let drive = |way: &Way| {
            let counts = way.counts();
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // lengths are positive and not long
            let (cost, counts) = (((counts * 1000.0).round() as u32).max(1), counts as f32);
            let cells = grid.width().wrapping_mul(way.by[1].cast_unsigned()).wrapping_add_signed(way.by[0]);
            let step = cells.wrapping_mul(headings.count()).wrapping_add(way.to).wrapping_sub(way.from);
            Drive { step, cost, counts, trajectory: trajectory_of(&way.strokes) }
        };
        let drives = ways.list.iter().map(drive).collect();
        let into = |heading: u32| (0..ways.list.len()).filter(|way| ways.list[*way].to == heading).collect();
        let into = (0..headings.count()).map(into).collect();
        Self { fit, headings, drives, into }
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        self.fit.grid()
    }

    /// The headings of the vehicle.
    pub fn headings(&self) -> Headings {
        self.headings
    }

    /// The node of cell (x, y) under heading number `heading`, whether the vehicle fits there or not; `None` if the
    /// cell or the heading does not exist.
    pub fn node(&self, x: u32, y: u32, heading: u32) -> Option<NodeId> {
        let cell = self.grid().node(x, y).filter(|_| heading < self.headings.count())?;
        Some(NodeId(cell.0 * self.headings.count() + heading))
    }

    /// The column, the row and the number of the heading of `node`.
    pub fn pose(&self, node: NodeId) -> (u32, u32, u32) {
        let (x, y) = self.grid().xy(self.fit.cell(node));
        (x, y, self.fit.heading(node))
    }

    /// The nodes of cell (x, y) under all headings at which the vehicle fits there. Empty if it fits under no heading.
    pub fn any_heading(&self, x: u32, y: u32) -> Goals {
        let nodes = (0..self.headings.count()).filter_map(|heading| self.node(x, y, heading));
        nodes.filter(|node| self.fit.fits(*node)).collect()
    }

    /// Closes or opens cell (x, y) of the grid, as [`Grid::set_passable`] does, and finds anew where the vehicle fits
    /// around the cell. Returns whether the grid changed.
    pub fn set_passable(&mut self, x: u32, y: u32, passable: bool) -> bool {
        self.fit.set_passable(x, y, passable)
    }

    /// The move by `way` between its two nodes.
    #[inline]
    fn make_move(&self, from: NodeId, to: NodeId, way: usize) -> Move<u32, u32> {
        let Drive { cost, counts, .. } = &self.drives[way];
        let surface = self.grid().surface(self.fit.cell(to));
        let cost = cost.saturating_mul(surface.weight());
        #[allow(clippy::cast_possible_truncation)] // there are at most 16 x 32
        Move { from, to, action: way as u32, cost, length: *counts * surface.slowness() }
    }

    /// The node from which `way` leads to `to`, if it is on the grid.
    fn beginning(&self, to: NodeId, way: usize) -> Option<NodeId> {
        let Way { from, by: [dx, dy], .. } = &self.fit.ways().list[way];
        let (x, y) = self.grid().xy(self.fit.cell(to));
        self.node(x.checked_add_signed(-dx)?, y.checked_add_signed(-dy)?, *from)
    }
}

impl OverGrid for Lattice {
    #[inline]
    fn fit(&self) -> &Fit {
        &self.fit
    }

    #[inline]
    fn way(&self, m: &Move<u32, u32>) -> usize {
        m.action as usize
    }
}

impl Adapter for Lattice {
    type Base = Grid;
    type Action = u32;
    type Cost = u32;

    fn base(&self) -> &Grid {
        self.fit.grid()
    }

    #[inline]
    fn base_node(&self, node: NodeId) -> NodeId {
        self.fit.cell(node)
    }

    fn base_move(&self, _m: &Move<u32, u32>) -> Option<MoveIn<Grid>> {
        None
    }

    fn node_bound(&self) -> usize {
        self.fit.node_bound()
    }

    #[inline]
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<u32, u32>> {
        // Free nodes are on the grid.
        let mut left = self.fit.exits(from);
        let first = self.fit.ways().out_of(self.fit.heading(from)).start;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (bit < 32).then(|| {
                let way = first + bit;
                self.make_move(from, NodeId(from.0.wrapping_add(self.drives[way].step)), way)
            })
        })
    }

    #[inline]
    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<u32, u32>>> {
        let ways = self.into[self.fit.heading(to) as usize]
            .iter()
            .filter(move |_| self.fit.fits(to) || self.grid().has_vacated());
        Some(ways.filter_map(move |way| {
            let from = self.beginning(to, *way)?;
            let bit = way - self.fit.ways().out_of(self.fit.heading(from)).start;
            (self.fit.exits(from) >> bit & 1 == 1).then(|| self.make_move(from, to, *way))
        }))
    }

    fn contains(&self, node: NodeId) -> bool {
        self.fit.fits(node)
    }

    fn facts<'a>(&'a self, base: Facts<'a, u32>) -> Facts<'a, u32> {
        let Facts { uniform_cost: _, uniform_length: _, step, crossing_bound: _, period, origins: _ } = base;
        Facts { uniform_cost: None, uniform_length: None, step, crossing_bound: 0, period, origins: None }
    }

    fn shortcut(&self, _from: NodeId, _to: NodeId, _lengths: RangeInclusive<f32>) -> Option<u32> {
        None
    }

    fn journal(&self) -> Option<&Journal> {
        Some(self.fit.journal())
    }

    #[allow(clippy::cast_possible_truncation)] // as exact as positions
    fn heading(&self, node: NodeId) -> f32 {
        self.headings.angle(self.fit.heading(node)) as f32
    }

    fn trajectory(&self, m: &Move<u32, u32>) -> Option<&Trajectory> {
        Some(&self.drives.get(m.action as usize)?.trajectory)
    }
}

/// Closes or opens the cell of a node under all headings; the vehicle may still not fit there.
impl Editable for Lattice {
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
