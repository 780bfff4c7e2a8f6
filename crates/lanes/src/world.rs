//! Direction maps over a raster of the plane, for units on any space with positions.

use std::any::{Any, TypeId};
use std::fmt;

use giveway_core::{Asker, CostLayer, Embedding, Garbled, MoveIn, NodeId, Tick, WordReader, Words};

use crate::directions::{Directions, from_steps};
use crate::places::DirectionMap;
use crate::raster::{Place, Raster};
use crate::rules::{DirectionRules, Ends};
use crate::vector::{Vector, between, dot};

/// A direction map for the whole world: a direction vector for each cell of a [`Raster`]. Units on different spaces,
/// such as points on a grid, discs on a navigation mesh and vehicles on a lattice, learn common lanes.
///
/// The map is a [`CostLayer`] of every space with positions. A move is looked up by the positions of its ends. It counts
/// as steps from cell to cell along the straight line between the two cells, and each step charges and teaches as a move
/// between two places of a [`DirectionMap`] does, in the direction of the whole move. So a move over five cells charges
/// and teaches as much as five moves over one cell each: units with long moves and units with short ones have equal
/// shares in a lane. A move within a cell charges and teaches nothing. A move from a cell to one of the eight cells
/// around it is one step: on the raster of a grid the map equals a `DirectionMap`.
///
/// The straight line is also that of an arc, and of a link, such as a lift. Beside the raster there are blank places,
/// and a move that begins or ends there counts as one step.
///
/// The [neighbours](DirectionRules::neighbours) of a place are the eight cells around it on its level, also behind
/// walls.
///
/// Give a [`SharedLayer`](giveway_core::SharedLayer) of the map to all classes that are to learn together: a *side*.
/// Enemies get a map of their own.
///
/// ```
/// use giveway_core::{CostLayer, Embedding, NodeId, SharedLayer, SpaceGraph};
/// use giveway_lanes::{DirectionRules, Raster, WorldDirectionMap};
/// use giveway_spaces::{FnSpace, Grid};
///
/// // A grid, and a graph with a road over four cells of the grid.
/// let grid = Grid::open(6, 3)?;
/// let road = FnSpace::new(2, |at| [(1 - at, 4000)])?.with_positions(|at| [at as f32 * 4.0, 1.0, 0.0])?;
/// let raster = Raster::new([-0.5, -0.5], [6.0, 3.0], 1.0)?;
/// let map = SharedLayer::new(WorldDirectionMap::blank(raster, DirectionRules::paper()));
///
/// // A wagon drives east, and a villager in the middle of the road pays for a step to the west.
/// let east = road.moves(NodeId(0)).next().expect("a road");
/// map.moved(&road, &east);
/// let [here, west] = [2, 1].map(|x| grid.position(grid.node(x, 1).expect("on the grid")));
/// assert!(map.charge(here, west) > 8.0 && map.charge(west, here) < 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type WorldDirectionMap = Directions<Raster, 3>;

/// Why the vector of a cell cannot be set: the vector is not finite, or longer than 1, or the cell does not exist.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InvalidCell {
    /// The number of the cell.
    pub cell: u32,
    /// The rejected vector.
    pub vector: [f32; 3],
}

impl fmt::Display for InvalidCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.vector;
        write!(f, "no direction of a cell: ({x}, {y}, {z}) at cell {}", self.cell)
    }
}

impl std::error::Error for InvalidCell {}

impl WorldDirectionMap {
    /// A blank map of the cells of `raster`. Takes 12 bytes for each cell.
    pub fn blank(raster: Raster, rules: DirectionRules) -> Self {
        let cells = raster.cells() as usize;
        Self::new(rules, raster, (cells, cells), raster.fingerprint())
    }

    /// The raster.
    pub fn raster(&self) -> &Raster {
        &self.key
    }

    /// The direction at `position`: a vector of length 0 (blank) to 1. Blank beside the raster.
    pub fn direction_at(&self, position: [f32; 3]) -> [f32; 3] {
        self.key.cell_at(position).map_or([0.0; 3], |cell| self.at(cell as usize))
    }

    /// The cells that are not blank, ascending, with their directions.
    pub fn cell_directions(&self) -> impl Iterator<Item = (u32, [f32; 3])> {
        (0..).zip(self.all()).filter(|(_, vector)| *vector != [0.0; 3])
    }

    /// Sets the direction of the cell with this number to exactly `vector`, bit for bit, even if the map is frozen.
    ///
    /// # Errors
    /// The cell does not exist, or the vector is [no direction](DirectionMap::is_direction). Nothing changes.
    pub fn set_cell(&self, cell: u32, vector: [f32; 3]) -> Result<(), InvalidCell> {
        let is_set = DirectionMap::is_direction(vector) && self.put(cell as usize, vector);
        if is_set { Ok(()) } else { Err(InvalidCell { cell, vector }) }
    }

    /// A map of the places of `space` with the directions of their cells, as they are now: for
    /// [coherence](crate::Coherence), and for pictures. Units that move by that map pay what they would pay by this one,
    /// if no move leads farther than to the eight cells around.
    pub fn in_space<S: Embedding>(&self, space: &S) -> DirectionMap {
        let map = DirectionMap::blank(space, *self.rules());
        for node in space.nodes().filter(|node| space.contains(*node)) {
            map.put(node.index(), self.direction_at(space.position(node)));
        }
        if self.is_frozen() {
            map.freeze();
        }
        map
    }

    /// Learns from a straight move from one position to another. Does nothing if the map is frozen.
    pub fn learn(&self, from: [f32; 3], to: [f32; 3]) {
        let Some(movement) = between(from, to).filter(|_| !self.is_frozen()) else {
            return;
        };
        let rules = self.rules();
        let turn = |place: Place, rate| {
            if let Some(index) = self.key.index(place) {
                self.turn(index, movement, rate);
            }
        };
        self.key.for_each_step(self.key.place(from), self.key.place(to), |one, other| {
            if rules.learning_ends() != Ends::Entered {
                turn(one, rules.learning_rate());
            }
            if rules.learning_ends() != Ends::Left {
                turn(other, rules.learning_rate());
            }
            if rules.neighbour_rate() > 0.0 {
                let around = around(other).filter(|place| *place != one && *place != other);
                around.for_each(|place| turn(place, rules.neighbour_rate()));
            }
        });
    }

    /// The surcharge of a straight move from one position to another, in plain steps, before rounding to the cost type.
    #[inline]
    pub fn charge(&self, from: [f32; 3], to: [f32; 3]) -> f64 {
        let Some(movement) = between(from, to) else {
            return 0.0;
        };
        let end = |place| {
            let vector: Vector = self.key.index(place).map_or([0.0; 3], |index| self.at(index)).map(f64::from);
            self.rules().charge(dot(vector, movement), vector == [0.0; 3])
        };
        let mut charge = 0.0;
        self.key.for_each_step(self.key.place(from), self.key.place(to), |one, other| charge += end(one) + end(other));
        charge
    }
}

/// A cell, and the eight cells around it.
fn around([column, row, level]: Place) -> impl Iterator<Item = Place> {
    let beside = |at: i64| [-1, 0, 1].map(|by| at.saturating_add(by));
    beside(row).into_iter().flat_map(move |row| beside(column).map(|column| [column, row, level]))
}

/// The positions of two nodes.
#[inline]
fn ends<S: Embedding>(space: &S, from: NodeId, to: NodeId) -> [[f32; 3]; 2] {
    [from, to].map(|node| space.position(node))
}

impl<S: Embedding> CostLayer<S> for WorldDirectionMap {
    #[inline]
    fn surcharge(&self, space: &S, m: &MoveIn<S>, _depart: Tick, _asker: &Asker<'_>) -> S::Cost {
        let [from, to] = ends(space, m.from, m.to);
        from_steps(self.charge(from, to))
    }

    fn is_timeless(&self) -> bool {
        true
    }

    fn learns(&self) -> bool {
        !self.is_frozen()
    }

    fn learned(&self) -> u64 {
        self.hash()
    }

    fn write_to(&self, words: &mut Words) {
        self.write(words);
    }

    fn read_from(&self, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        self.read(words)
    }

    fn part(&self, kind: TypeId) -> Option<&dyn Any> {
        (kind == TypeId::of::<Self>()).then_some(self)
    }

    fn moved(&self, space: &S, m: &MoveIn<S>) {
        let [from, to] = ends(space, m.from, m.to);
        self.learn(from, to);
    }
}
