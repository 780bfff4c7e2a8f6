//! Floors: grids above each other.

use giveway_core::{Area, Change, Editable, Edits, Embedding, Facts, Journal, Move, NodeId, SpaceGraph};

use crate::directions::Direction;
use crate::grid::Grid;
use crate::space_error::{MOST_CELLS, SpaceError};

/// Several grids above each other, each at its own [height](Grid::at_height): the floors of a house, or a bridge above
/// roads.
///
/// Node ids run through the first floor, then through the second, and so on. Each floor has the moves, costs and
/// crossings of its grid. No move leads from floor to floor; add stairs and lifts with [`Linked`](crate::Linked).
///
/// A bridge is a floor whose only free cells are the cells of the bridge. Units on the bridge and units below it do not
/// hinder each other:
///
/// ```
/// use giveway_core::heuristic::Zero;
/// use giveway_core::{Embedding, Goals, SpatialSearch};
/// use giveway_spaces::{Floors, Grid};
///
/// // A road from west to east, and a bridge across it from north to south, three units higher.
/// let road = Grid::from_fn(9, 7, |_, y| y == 3)?;
/// let bridge = Grid::from_fn(9, 7, |x, _| x == 4)?.at_height(3.0)?;
/// let floors = Floors::new([road, bridge])?;
///
/// let at = |floor, x, y| floors.node(floor, x, y).expect("on the floor");
/// assert_eq!(floors.position(at(1, 4, 3)), [4.0, 3.0, 3.0]);
/// let mut search = SpatialSearch::new();
/// assert_eq!(search.find(&floors, at(0, 0, 3), &Goals::one(at(0, 8, 3)), &mut Zero)?.cost, 8000);
/// // Nothing leads up to the bridge.
/// assert!(search.find(&floors, at(0, 4, 3), &Goals::one(at(1, 4, 3)), &mut Zero).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Floors {
    grids: Vec<Grid>,
    /// Per floor, its first node; one more element than floors.
    nodes: Vec<u32>,
    /// Per floor, its first crossing; one more element than floors.
    crossings: Vec<u32>,
    journal: Journal,
}

impl Floors {
    /// The floors made of `grids`. Floor numbers follow the order of `grids`, from 0; the heights can be in any order.
    ///
    /// # Errors
    /// There is no grid, two grids are at one height, or there are more than 2^30 - 1 cells on all floors together.
    pub fn new(grids: impl IntoIterator<Item = Grid>) -> Result<Self, SpaceError> {
        let grids: Vec<Grid> = grids.into_iter().collect();
        if grids.is_empty() {
            return Err(SpaceError::Empty { needs: "expected at least one floor" });
        }
        for (upper, grid) in grids.iter().enumerate() {
            #[allow(clippy::float_cmp)] // areas tell heights apart that differ at all
            let same = grids[..upper].iter().position(|other| other.altitude() == grid.altitude());
            if let Some(lower) = same {
                return Err(SpaceError::SameHeight { floors: [lower, upper], height: grid.altitude() });
            }
        }
        let cells: u64 = grids.iter().map(|grid| grid.node_bound() as u64).sum();
        if cells > MOST_CELLS {
            return Err(SpaceError::FloorsTooLarge { cells });
        }
        let offsets = |count: fn(&Grid) -> usize| {
            let sums = grids.iter().scan(0, |sum, grid| {
                *sum += u32::try_from(count(grid)).unwrap_or(u32::MAX);
                Some(*sum)
            });
            std::iter::once(0).chain(sums).collect()
        };
        Ok(Self {
            nodes: offsets(Grid::node_bound),
            crossings: offsets(|grid| grid.facts().crossing_bound),
            journal: Journal::default(),
            grids,
        })
    }

    /// The number of floors.
    pub fn count(&self) -> usize {
        self.grids.len()
    }

    /// The grid of a floor; `None` if there is no such floor. Node ids of this grid begin at 0.
    pub fn floor(&self, floor: usize) -> Option<&Grid> {
        self.grids.get(floor)
    }

    /// The node of cell (x, y) of a floor, free or not; `None` if there is no such cell.
    pub fn node(&self, floor: usize, x: u32, y: u32) -> Option<NodeId> {
        let node = self.grids.get(floor)?.node(x, y)?;
        Some(NodeId(self.nodes[floor] + node.0))
    }

    /// The floor of `node`, and its column and row there; `None` if the node is beyond the bound.
    pub fn place(&self, node: NodeId) -> Option<(usize, u32, u32)> {
        let (floor, local) = self.local(node)?;
        let (x, y) = self.grids[floor].xy(local);
        Some((floor, x, y))
    }

    /// Closes or opens cell (x, y) of a floor, as [`Grid::set_passable`] does. If there is no such floor, nothing
    /// changes, and the result is `false`.
    pub fn set_passable(&mut self, floor: usize, x: u32, y: u32, passable: bool) -> bool {
        self.edit(floor, |grid| grid.set_passable(x, y, passable))
    }

    /// Changes a floor by `edit`, which returns whether anything has changed.
    fn edit(&mut self, floor: usize, edit: impl FnOnce(&mut Grid) -> bool) -> bool {
        let Some(grid) = self.grids.get_mut(floor) else { return false };
        let before = grid.revision();
        let changed = edit(grid);
        match grid.edits_since(before) {
            _ if !changed => {}
            Edits::All => self.journal.note_all(),
            Edits::Nodes(nodes) => self.journal.note(nodes.iter().map(|node| NodeId(self.nodes[floor] + node.0))),
        }
        changed
    }

    /// All walls of all floors as one area, each wall at the height of its floor. Close this area to give the other
    /// spaces of a world the same walls. `None`: there is no wall.
    pub fn walls(&self) -> Option<Area> {
        let walls = |grid: &Grid| grid.walls()?.heights(grid.altitude(), grid.altitude()).ok();
        self.grids.iter().filter_map(walls).reduce(Area::and)
    }

    /// The floor of `node`, and the node there.
    #[inline]
    fn local(&self, node: NodeId) -> Option<(usize, NodeId)> {
        let floor = self.nodes[1..].partition_point(|end| *end <= node.0);
        (floor < self.grids.len()).then(|| (floor, NodeId(node.0 - self.nodes[floor])))
    }

    /// A move of the grid of `floor` as a move of all.
    #[inline]
    fn lifted(&self, floor: usize, m: Move<Direction, u32>) -> Move<Direction, u32> {
        let by = self.nodes[floor];
        Move { from: NodeId(m.from.0 + by), to: NodeId(m.to.0 + by), ..m }
    }
}

impl SpaceGraph for Floors {
    type Action = Direction;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        self.nodes[self.grids.len()] as usize
    }

    #[inline]
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<Direction, u32>> {
        let moves =
            move |(floor, local): (usize, NodeId)| self.grids[floor].moves(local).map(move |m| self.lifted(floor, m));
        self.local(from).into_iter().flat_map(moves)
    }

    #[inline]
    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<Direction, u32>>> {
        let moves = move |(floor, local): (usize, NodeId)| {
            let into = self.grids[floor].moves_into(local).into_iter().flatten();
            into.map(move |m| self.lifted(floor, m))
        };
        Some(self.local(to).into_iter().flat_map(moves))
    }

    fn contains(&self, node: NodeId) -> bool {
        self.local(node).is_some_and(|(floor, local)| self.grids[floor].contains(local))
    }

    fn facts(&self) -> Facts<'_, u32> {
        let cost = self.grids[0].facts().uniform_cost;
        Facts {
            uniform_cost: cost.filter(|_| self.grids.iter().all(|grid| grid.facts().uniform_cost == cost)),
            uniform_length: None,
            step: 1.0,
            crossing_bound: self.crossings[self.grids.len()] as usize,
            period: 1,
            origins: None,
        }
    }

    /// The crossings of each grid, floor by floor.
    #[inline]
    fn crossing(&self, m: &Move<Direction, u32>) -> Option<u32> {
        let (floor, from) = self.local(m.from)?;
        let to = NodeId(m.to.0.checked_sub(self.nodes[floor])?);
        let crossing = self.grids[floor].crossing(&Move { from, to, ..*m })?;
        Some(self.crossings[floor] + crossing)
    }

    fn journal(&self) -> Option<&Journal> {
        Some(&self.journal)
    }
}

impl Embedding for Floors {
    #[inline]
    fn position(&self, node: NodeId) -> [f32; 3] {
        self.local(node).map_or([0.0; 3], |(floor, local)| self.grids[floor].position(local))
    }
}

/// An area covers cells as on a [`Grid`], on the floors whose height lies between its [heights](Area::heights).
impl Editable for Floors {
    fn set_open(&mut self, node: NodeId, open: bool) -> bool {
        self.local(node).is_some_and(|(floor, local)| self.edit(floor, |grid| grid.set_open(local, open)))
    }

    fn is_inside(&self, node: NodeId, area: &Area) -> bool {
        self.local(node).is_some_and(|(floor, local)| self.grids[floor].is_inside(local, area))
    }

    fn change(&mut self, area: &Area, change: Change) -> bool {
        let mut changed = false;
        for floor in 0..self.grids.len() {
            changed |= self.edit(floor, |grid| grid.change(area, change));
        }
        changed
    }
}
