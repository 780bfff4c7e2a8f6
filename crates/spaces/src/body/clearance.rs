//! Clearance: the part of a grid in which a body fits.

use std::sync::Arc;

use giveway_core::{Embedding, Move, NodeId, SpaceGraph};

use super::shape::Shape;
use super::stamp::stamp;
use crate::directions::Direction;
use crate::grid::Grid;

/// A grid as a body sees it: only the places where it fits, and the moves on whose way it does. Reverse searches over it know
/// the body's ways, and a goal that the body cannot reach is known to be out of reach.
///
/// Node ids are those of the grid.
#[derive(Clone, PartialEq, Debug)]
pub struct Clearance {
    grid: Arc<Grid>,
    /// By node, whether the body fits there.
    fits: Vec<bool>,
    /// By node, the directions in which it can move, one bit each in the order of [`Direction::ALL`].
    exits: Vec<u8>,
}

impl Clearance {
    pub(super) fn new(grid: Arc<Grid>, shape: &Shape) -> Self {
        let cells = |by: [f64; 2]| -> Vec<(i32, i32)> {
            stamp(shape, by, 1.0, [-0.5, -0.5]).into_iter().map(|print| (print.column, print.row)).collect()
        };
        let at_rest = cells([0.0, 0.0]);
        let on_the_way = Direction::ALL.map(|direction| {
            let (dx, dy) = direction.offset();
            cells([f64::from(dx), f64::from(dy)])
        });
        let is_free = |(x, y): (u32, u32), cells: &[(i32, i32)]| {
            cells.iter().all(|(dx, dy)| {
                let cell = x.checked_add_signed(*dx).zip(y.checked_add_signed(*dy));
                cell.is_some_and(|(x, y)| grid.is_passable(x, y))
            })
        };
        let nodes = || (0..u32::try_from(grid.node_bound()).unwrap_or(u32::MAX)).map(NodeId);
        let fits: Vec<bool> = nodes().map(|node| grid.contains(node) && is_free(grid.xy(node), &at_rest)).collect();
        let exits_of = |node: NodeId| {
            let free = grid
                .moves(node)
                .filter(|m| fits[m.to.index()] && is_free(grid.xy(node), &on_the_way[m.action as usize]));
            free.fold(0, |exits, m| exits | 1 << m.action as u8)
        };
        let exits = nodes().map(|node| if fits[node.index()] { exits_of(node) } else { 0 }).collect();
        Self { grid, fits, exits }
    }

    /// The whole grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    pub(super) fn fits_somewhere(&self) -> bool {
        self.fits.contains(&true)
    }

    #[inline]
    fn leads(&self, from: NodeId, direction: Direction) -> bool {
        self.exits.get(from.index()).is_some_and(|exits| exits >> direction as u8 & 1 == 1)
    }
}

impl SpaceGraph for Clearance {
    type Action = Direction;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        self.grid.node_bound()
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
        self.fits.get(node.index()).copied().unwrap_or(false)
    }

    fn uniform_cost(&self) -> Option<u32> {
        self.grid.uniform_cost()
    }

    fn revision(&self) -> u64 {
        self.grid.revision()
    }
}

impl Embedding for Clearance {
    #[inline]
    fn position(&self, node: NodeId) -> [f32; 3] {
        self.grid.position(node)
    }
}
