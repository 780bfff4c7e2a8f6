//! The square grid: four or eight neighbours, walls, terrain, one-ways.

mod changes;
mod exits;
mod moves;

use giveway_core::{Cost, Embedding, Facts, Gate, Journal, Move, NodeId, Origins, SpaceGraph, Surface, Tiles};

use crate::directions::Direction;
use crate::space_error::{CellAt, MOST_CELLS, SpaceError};
use crate::surfaces::Surfaces;
use moves::{CROSSINGS, Crossing, Moves};

/// Which neighbours a cell has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Connectivity {
    /// North, east, south and west.
    #[default]
    Four,
    /// The diagonal neighbours too. A diagonal step costs 1414, a straight step 1000.
    Eight,
}

/// The rule for diagonal steps beside walls. The cells at the sides of a diagonal step are the two cells that share an
/// edge with both ends of the step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CornerCutting {
    /// Both cells at the sides of the step must be free, as in the Moving AI benchmarks.
    #[default]
    Never,
    /// At least one cell at the sides of the step must be free.
    OneFree,
    /// Walls at the sides of the step do not matter.
    Always,
}

/// A square grid. Node ids run row by row from the top-left cell, (0, 0). Walls have ids too, but no moves.
///
/// A plain step costs 1000, and a diagonal step costs 1414. Both costs are multiplied by the weight of the cell
/// entered. Cells are 1 unit wide; positions are the integer coordinates of the cells. The height of all positions is
/// 0, or the height that [`at_height`](Self::at_height) sets.
///
/// ```
/// use giveway_spaces::Grid;
/// use giveway_core::SpaceGraph;
///
/// let grid = Grid::from_ascii("
///     ..#
///     ...
/// ")?;
/// let corner = grid.node(1, 0).unwrap();
/// let reached: Vec<_> = grid.moves(corner).map(|m| grid.xy(m.to)).collect();
/// assert_eq!(reached, [(1, 1), (0, 0)]);
/// # Ok::<(), giveway_spaces::SpaceError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Grid {
    width: u32,
    height: u32,
    /// The third coordinate of all positions.
    altitude: f32,
    connectivity: Connectivity,
    corner_cutting: CornerCutting,
    /// Per cell.
    gates: Vec<Gate>,
    /// The number of walls that units inside may leave.
    vacated: usize,
    /// Per cell, the direction of its one-way; empty: there are none.
    one_ways: Vec<Option<Direction>>,
    /// Per cell, the directions of the moves out of it, one bit each in the order of `Direction::ALL`.
    exits: Vec<u8>,
    /// Per cell, the directions towards the cells from which moves lead to it; empty if these are its exits.
    entrances: Vec<u8>,
    surfaces: Surfaces,
    /// By direction, the number added to a node id, wrapping.
    steps: [u32; 8],
    /// By the set of straight entrances, the numbers added to the id of a cell to get the cells from which moves lead
    /// to it; 0 for none.
    origins: Box<[[u32; 4]; 16]>,
    /// The free cells, as [`Tiles::new`] takes them.
    tiles: Vec<u64>,
    /// 2^63 / width, rounded up, to divide by the width with a multiplication.
    width_reciprocal: u64,
    journal: Journal,
}

const DIAGONAL: u32 = 1414;
const STEP: u32 = <u32 as Cost>::STEP;

impl Grid {
    /// A four-connected grid whose cell (x, y) is free where `passable(x, y)`. (0, 0) is at the top left.
    ///
    /// # Errors
    /// A side is zero, or there are more than 2^30 - 1 cells.
    pub fn from_fn(width: u32, height: u32, mut passable: impl FnMut(u32, u32) -> bool) -> Result<Self, SpaceError> {
        if width == 0 || height == 0 {
            return Err(SpaceError::Empty { needs: "a grid needs at least one row and one column" });
        }
        let cells = u64::from(width) * u64::from(height);
        if cells > MOST_CELLS {
            return Err(SpaceError::GridTooLarge { width, height });
        }
        let steps = Direction::ALL.map(|direction| {
            let (dx, dy) = direction.offset();
            width.wrapping_mul(dy.cast_unsigned()).wrapping_add_signed(dx)
        });
        let mut grid = Self {
            width,
            height,
            altitude: 0.0,
            connectivity: Connectivity::default(),
            corner_cutting: CornerCutting::default(),
            gates: (0..height)
                .flat_map(|y| (0..width).map(move |x| (x, y)))
                .map(|(x, y)| if passable(x, y) { Gate::Open } else { Gate::Closed })
                .collect(),
            vacated: 0,
            one_ways: Vec::new(),
            exits: Vec::new(),
            entrances: Vec::new(),
            surfaces: Surfaces::default(),
            steps,
            origins: Box::new(std::array::from_fn(|entrances| {
                std::array::from_fn(|straight| if entrances >> straight & 1 == 1 { steps[straight] } else { 0 })
            })),
            tiles: Vec::new(),
            width_reciprocal: (1_u64 << 63).div_ceil(u64::from(width)),
            journal: Journal::default(),
        };
        grid.survey();
        Ok(grid)
    }

    /// A four-connected grid without walls.
    ///
    /// # Errors
    /// As for [`from_fn`](Self::from_fn).
    pub fn open(width: u32, height: u32) -> Result<Self, SpaceError> {
        Self::from_fn(width, height, |_, _| true)
    }

    /// A four-connected grid from a picture with a line per row: `#`, `@`, `O`, `T` and `W` are walls, all other
    /// characters free cells. Empty lines, and white space around lines, are ignored.
    ///
    /// # Errors
    /// There is no row, rows differ in length, or there are more than 2^30 - 1 cells.
    pub fn from_ascii(picture: &str) -> Result<Self, SpaceError> {
        let rows: Vec<(usize, Vec<char>)> = picture
            .lines()
            .enumerate()
            .map(|(line, row)| (line + 1, row.trim().chars().collect()))
            .filter(|(_, row): &(_, Vec<char>)| !row.is_empty())
            .collect();
        let expected = rows.first().map_or(0, |(_, row)| row.len());
        if let Some((line, row)) = rows.iter().find(|(_, row)| row.len() != expected) {
            return Err(SpaceError::Ragged { line: *line, found: row.len(), expected });
        }
        let side = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        Self::from_fn(side(expected), side(rows.len()), |x, y| {
            !matches!(rows[y as usize].1[x as usize], '#' | '@' | 'O' | 'T' | 'W')
        })
    }

    /// Puts all cells at height `z`, in world units: `z` is the third coordinate of every position. The default is 0.
    ///
    /// An area with [heights](giveway_core::Area::heights) changes the grid only if `z` is one of the heights of the
    /// area. On a ground with several levels, a body on the grid is on the level that contains `z`.
    /// [`Floors`](crate::Floors) are several such grids in one space.
    ///
    /// ```
    /// use giveway_core::{Area, Change, Editable, Embedding};
    /// use giveway_spaces::Grid;
    ///
    /// let mut bridge = Grid::open(8, 1)?.at_height(3.0)?;
    /// assert_eq!(bridge.position(bridge.node(2, 0).unwrap()), [2.0, 0.0, 3.0]);
    /// // What is closed on the road below does not concern the bridge.
    /// assert!(!bridge.change(&Area::cells(2, 0, 1, 1)?.heights(0.0, 2.0)?, Change::Close));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `z` is infinite or not a number.
    pub fn at_height(mut self, z: f32) -> Result<Self, SpaceError> {
        if !z.is_finite() {
            return Err(SpaceError::Height(z));
        }
        self.altitude = z;
        self.journal.note_all();
        Ok(self)
    }

    /// Sets which neighbours a cell has.
    #[must_use]
    pub fn with_connectivity(mut self, connectivity: Connectivity) -> Self {
        self.connectivity = connectivity;
        self.survey();
        self
    }

    /// Sets the rule for diagonal steps beside walls. No effect on a four-connected grid.
    #[must_use]
    pub fn with_corner_cutting(mut self, corner_cutting: CornerCutting) -> Self {
        self.corner_cutting = corner_cutting;
        self.survey();
        self
    }

    /// Sets the weight of cell (x, y): a step into the cell costs `weight(x, y)` times as much as on plain ground.
    ///
    /// Path costs saturate at 2^32 - 1, so searches cannot compare costs above this bound. With weight 100, paths of up
    /// to 30,000 steps stay below the bound.
    ///
    /// # Errors
    /// The weight of a free cell is 0, or larger than 1000.
    pub fn with_terrain(self, mut weight: impl FnMut(u32, u32) -> u32) -> Result<Self, SpaceError> {
        self.with_surfaces(|x, y, surface| {
            let weight = weight(x, y);
            Surface::new(weight, surface.slowness())
                .map_err(|_| SpaceError::Weight { at: CellAt::Grid([x, y]), weight })
        })
    }

    /// Makes moves to cell (x, y) take `slowness(x, y)` times as long as on plain ground, at an unchanged cost. Bodies
    /// and timed points follow the slowness; points that take one tick for every move do not.
    ///
    /// # Errors
    /// The slowness of a free cell is not between 0.01 and 100.
    pub fn with_slowness(self, mut slowness: impl FnMut(u32, u32) -> f32) -> Result<Self, SpaceError> {
        self.with_surfaces(|x, y, surface| {
            let slowness = slowness(x, y);
            Surface::new(surface.weight(), slowness)
                .map_err(|_| SpaceError::Slowness { at: CellAt::Grid([x, y]), slowness })
        })
    }

    /// Sets the surface of each cell, given the present one. Errors at walls do not matter: walls get plain ground.
    fn with_surfaces(
        mut self,
        mut surface: impl FnMut(u32, u32, Surface) -> Result<Surface, SpaceError>,
    ) -> Result<Self, SpaceError> {
        self.surfaces = Surfaces::lay(&self, |node| {
            let (x, y) = self.xy(node);
            surface(x, y, self.surface(node))
        })?;
        self.journal.note_all();
        Ok(self)
    }

    /// The surface of `node`; plain ground for a node off the grid.
    pub fn surface(&self, node: NodeId) -> Surface {
        self.surfaces.of(node)
    }

    /// Whether some moves take more or less time than on plain ground.
    #[doc(hidden)]
    pub fn is_slow(&self) -> bool {
        self.surfaces.are_slow()
    }

    /// All values of the slowness of free cells, each value once.
    #[doc(hidden)]
    pub fn slownesses(&self) -> Vec<f32> {
        let nodes = (0..self.width * self.height).map(NodeId).filter(|node| self.is_slow() && self.contains(*node));
        let mut all: Vec<f32> = nodes.map(|node| self.surface(node).slowness()).collect();
        all.sort_unstable_by(f32::total_cmp);
        all.dedup();
        if all.is_empty() { vec![1.0] } else { all }
    }

    /// The number of columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The [height](Self::at_height) of all cells, in world units.
    pub fn altitude(&self) -> f32 {
        self.altitude
    }

    /// Which neighbours a cell has.
    pub fn connectivity(&self) -> Connectivity {
        self.connectivity
    }

    /// Whether cell (x, y) is on the grid and free.
    pub fn is_passable(&self, x: u32, y: u32) -> bool {
        self.node(x, y).is_some_and(|node| self.contains(node))
    }

    /// The node of cell (x, y), free or not; `None` off the grid.
    #[inline]
    pub fn node(&self, x: u32, y: u32) -> Option<NodeId> {
        (x < self.width && y < self.height).then(|| NodeId(y * self.width + x))
    }

    /// The cell of `node`, as (x, y). For a node off the grid, the result is a cell off the grid.
    #[inline]
    pub fn xy(&self, node: NodeId) -> (u32, u32) {
        #[allow(clippy::cast_possible_truncation)] // the quotient is at most the id
        let y = ((u128::from(node.0) * u128::from(self.width_reciprocal)) >> 63) as u32;
        (node.0 - y * self.width, y)
    }

    /// Whether there is a move in `direction` out of `node`.
    #[doc(hidden)]
    pub fn leads(&self, node: NodeId, direction: Direction) -> bool {
        self.exits(node) >> direction as u8 & 1 == 1
    }

    /// The node one step from `node`; the step must be one of its exits.
    #[inline]
    pub(crate) fn step(&self, node: NodeId, direction: Direction) -> NodeId {
        NodeId(node.0.wrapping_add(self.steps[direction as usize]))
    }

    #[inline]
    pub(crate) fn make_move(&self, from: NodeId, to: NodeId, action: Direction) -> Move<Direction, u32> {
        let (plain, length) = if action.is_diagonal() { (DIAGONAL, std::f32::consts::SQRT_2) } else { (STEP, 1.0) };
        self.surfaces.apply(Move { from, to, action, cost: plain, length })
    }

    /// The directions whose bits are set, in order.
    #[inline]
    fn directions(exits: u8) -> &'static [Direction] {
        let (directions, count) = &DIRECTIONS[exits as usize];
        &directions[..*count]
    }

    #[inline]
    fn exits(&self, node: NodeId) -> u8 {
        self.exits.get(node.index()).copied().unwrap_or(0)
    }
}

/// For each set of exit bits, the directions in order, and their number.
static DIRECTIONS: [([Direction; 8], usize); 256] = {
    let mut table = [([Direction::ALL[0]; 8], 0); 256];
    let mut exits = 0;
    while exits < 256 {
        let mut bit = 0;
        while bit < 8 {
            if exits >> bit & 1 == 1 {
                let (directions, count) = &mut table[exits];
                directions[*count] = Direction::ALL[bit];
                *count += 1;
            }
            bit += 1;
        }
        exits += 1;
    }
    table
};

impl SpaceGraph for Grid {
    type Action = Direction;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        self.gates.len()
    }

    #[inline]
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<Direction, u32>> {
        Moves { grid: self, from, directions: Self::directions(self.exits(from)).iter() }
    }

    #[inline]
    fn find_move(&self, from: NodeId, action: Direction) -> Option<(usize, Move<Direction, u32>)> {
        let (exits, bit) = (self.exits(from), 1 << action as u8);
        let index = (exits & (bit - 1)).count_ones() as usize;
        (exits & bit != 0).then(|| (index, self.make_move(from, self.step(from, action), action)))
    }

    #[inline]
    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<Direction, u32>>> {
        // Every exit is an entrance: walls and corners do not depend on the direction of travel, unless there are
        // one-ways, or units leave a wall.
        let entrances = self.entrances.get(to.index()).copied().unwrap_or_else(|| self.exits(to));
        let back = Self::directions(entrances).iter();
        Some(back.map(move |back| self.make_move(self.step(to, *back), to, back.opposite())))
    }

    #[inline]
    fn facts(&self) -> Facts<'_, u32> {
        let is_four = self.connectivity == Connectivity::Four;
        Facts {
            uniform_cost: (is_four && self.surfaces.are_unweighted()).then_some(STEP),
            uniform_length: (is_four && !self.is_slow()).then_some(1.0),
            step: 1.0,
            crossing_bound: self.gates.len() * self.crossings_per_cell() as usize,
            origins: is_four.then(|| self.origins()),
            ..Facts::NONE
        }
    }

    fn contains(&self, node: NodeId) -> bool {
        self.gates.get(node.index()) == Some(&Gate::Open)
    }

    /// Three crossings per cell: to its east, to its south, and the two diagonals in the square of its eastern,
    /// southern and south-eastern neighbours, which meet in the middle. Two crossings where there are no diagonals.
    #[inline]
    fn crossing(&self, m: &Move<Direction, u32>) -> Option<u32> {
        // By a table: which way a unit goes is hard to predict.
        let Crossing { at_end, left, kind } = CROSSINGS[m.action as usize];
        let corner = NodeId(if at_end { m.to } else { m.from }.0.checked_sub(left)?);
        // Checked, for moves of other grids.
        let kinds = self.crossings_per_cell();
        (kind < kinds && corner.index() < self.gates.len()).then(|| corner.0 * kinds + kind)
    }

    fn journal(&self) -> Option<&Journal> {
        Some(&self.journal)
    }
}

impl Grid {
    /// Where moves begin, if there are four neighbours: the straight directions come first in patterns.
    #[inline]
    fn origins(&self) -> Origins<'_> {
        if self.entrances.is_empty() {
            let tiles = Tiles::new(self.width, self.tiles_per_row(), &self.tiles);
            Origins::patterns(&self.exits, &self.origins[..]).on_tiles(tiles)
        } else {
            // A one-way is passed in one direction, and so is the border of a wall that may be left.
            Origins::patterns(&self.entrances, &self.origins[..])
        }
    }

    #[inline]
    fn crossings_per_cell(&self) -> u32 {
        match self.connectivity {
            Connectivity::Four => 2,
            Connectivity::Eight => 3,
        }
    }
}

impl Embedding for Grid {
    #[inline]
    #[allow(clippy::cast_precision_loss)] // exact up to 2^24 columns or rows
    fn position(&self, node: NodeId) -> [f32; 3] {
        let (x, y) = self.xy(node);
        [x as f32, y as f32, self.altitude]
    }

    #[inline]
    fn whole_position(&self, node: NodeId) -> Option<[i32; 3]> {
        let (x, y) = self.xy(node);
        Some([x.cast_signed(), y.cast_signed(), 0])
    }
}
