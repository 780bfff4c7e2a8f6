//! Origins: the nodes where the moves into each node begin, as tables.

use crate::vocabulary::NodeId;

/// Where the moves into each node of a space begin, in the order of [`moves_into`](crate::SpaceGraph::moves_into). A
/// breadth-first search needs nothing more about the moves, and reads the origins from memory, without a call for each
/// move.
///
/// Origins at or beyond [`node_bound`](crate::SpaceGraph::node_bound) do not exist.
#[derive(Clone, Copy, Debug)]
pub struct Origins<'a>(Tables<'a>);

/// How origins are listed.
#[derive(Clone, Copy, Debug)]
pub enum Tables<'a> {
    /// As [`Origins::patterns`] takes them.
    Patterns {
        /// The number of the pattern of each node.
        patterns: &'a [u8],
        /// Four differences for each pattern.
        offsets: &'a [[u32; 4]],
        /// The tiles of a plain grid.
        tiles: Option<Tiles<'a>>,
    },
    /// As [`Origins::offsets`] takes them.
    Offsets {
        /// Four differences for each node.
        offsets: &'a [[i16; 4]],
    },
    /// As [`Origins::lists`] takes them.
    Lists {
        /// Where the list of each node begins.
        first: &'a [u32],
        /// The lists of all nodes.
        origins: &'a [NodeId],
    },
}

/// The open cells of a grid, in tiles of 8 x 8 cells. A breadth-first search handles all cells of a tile at once. The
/// nodes of the space are the cells, or [poses](Self::poses) on the cells. If the nodes are cells, moves lead between
/// open cells that share a side, in both directions, and there are no other moves.
#[derive(Clone, Copy, Debug)]
pub struct Tiles<'a> {
    width: u32,
    per_row: u32,
    open: &'a [u64],
    order: Order,
}

/// How many nodes there are for each cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Order {
    /// The cell itself.
    #[default]
    Cells,
    /// One for each of four headings.
    Poses,
}

impl Order {
    /// The binary logarithm of the number of nodes for each cell.
    #[inline(always)]
    pub(crate) const fn shift(self) -> u32 {
        match self {
            Self::Cells => 0,
            Self::Poses => HEADING_BITS,
        }
    }
}

/// The bits of a heading: four headings are possible.
pub const HEADING_BITS: u32 = 2;
const HEADINGS: u32 = 1 << HEADING_BITS;

/// How nodes are numbered board by board: 64 numbers for each board. A board is a tile, or a tile under one heading;
/// the four headings of a tile are next to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TileOrder {
    width: u32,
    per_row: u32,
    /// 2^63 / width, rounded up, to divide by the width with a multiplication.
    width_reciprocal: u64,
    places: Places,
    order: Order,
}

impl TileOrder {
    /// The width, the tiles in a row, and whether nodes are poses.
    pub fn parts(self) -> [u32; 3] {
        [self.width, self.per_row, u32::from(self.order == Order::Poses)]
    }

    /// The order of these [parts](Self::parts); `None`: there is no such order.
    pub fn of([width, per_row, poses]: [u32; 3]) -> Option<Self> {
        if [width, per_row, poses] == [0; 3] {
            return Some(Self::default());
        }
        let tiles = Tiles::new(width, per_row, &[]);
        let is_narrow = width > 0 && per_row > width / 8 && per_row - width / 8 <= 8;
        match poses {
            0 if is_narrow => Some(tiles.order()),
            1 if is_narrow => Some(tiles.poses().order()),
            _ => None,
        }
    }

    /// Where the cells lie.
    #[inline]
    pub fn places(self) -> Places {
        self.places
    }

    /// The number of a node: 64 * board + bit.
    #[inline(always)]
    pub fn number(self, node: NodeId) -> usize {
        if self.order == Order::Cells {
            return self.number_of_cell(node.0);
        }
        let (cell, heading) = (node.0 >> HEADING_BITS, node.0 % HEADINGS);
        let number = self.number_of_cell(cell);
        (((number / 64) << HEADING_BITS) + heading as usize) * 64 + number % 64
    }

    /// The number of a cell: 64 * tile + bit.
    #[inline(always)]
    fn number_of_cell(self, cell: u32) -> usize {
        #[allow(clippy::cast_possible_truncation)] // the quotient is at most the id
        let y = ((u128::from(cell) * u128::from(self.width_reciprocal)) >> 63) as u32;
        let x = cell.wrapping_sub(y.wrapping_mul(self.width));
        let tile = y as usize / 8 * self.per_row as usize + x as usize / 8;
        tile * 64 + (y % 8 * 8 + x % 8) as usize
    }

    /// The nodes of `cells` of `board`.
    #[inline]
    pub fn nodes(self, board: u32, cells: u64) -> impl Iterator<Item = NodeId> {
        let shift = self.order.shift();
        let (tile, heading) = (board >> shift, board & ((1 << shift) - 1));
        let (x, y) = (tile % self.per_row.max(1) * 8, tile / self.per_row.max(1) * 8);
        let bits = (0..64).filter(move |bit| cells >> bit & 1 == 1);
        bits.map(move |bit| {
            let cell = (y + bit / 8).wrapping_mul(self.width).wrapping_add(x + bit % 8);
            NodeId((cell << shift) + heading)
        })
    }
}

/// Where the cells of [`Tiles`] lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Places {
    per_row: u32,
    /// 2^63 / per_row, rounded up, to divide by it with a multiplication.
    per_row_reciprocal: u64,
}

impl Places {
    /// The column and the row of the cell given by 64 * tile + bit.
    #[inline]
    pub fn of(self, number: u32) -> [u32; 2] {
        let (tile, bit) = (number / 64, number % 64);
        #[allow(clippy::cast_possible_truncation)] // the quotient is at most the number
        let row = ((u128::from(tile) * u128::from(self.per_row_reciprocal)) >> 63) as u32;
        [(tile - row * self.per_row) * 8 + bit % 8, row * 8 + bit / 8]
    }

    /// The least number of steps between two cells, given by their columns and rows.
    #[inline]
    pub fn steps_between([x, y]: [u32; 2], [to_x, to_y]: [u32; 2]) -> u32 {
        x.abs_diff(to_x) + y.abs_diff(to_y)
    }
}

impl<'a> Tiles<'a> {
    /// The cells of a grid of `width` columns; the cell in column x and row y is the node with the id y * width + x.
    ///
    /// `per_row` is the number of tiles in a row of tiles. `per_row` must be more than width / 8. The last column of
    /// cells in the last tile of a row is then beyond the grid, so no step leads from the end of a row to the beginning
    /// of the next row. `open` has one number for each tile, row by row. Bit 8 y + x of a number is set if the cell in
    /// column x and row y of the tile is open. The bits of cells beyond the grid must not be set.
    pub fn new(width: u32, per_row: u32, open: &'a [u64]) -> Self {
        Self { width, per_row, open, order: Order::Cells }
    }

    /// The poses on the cells of these tiles, for units that go one cell forward, or turn by 90 degrees on an open
    /// cell.
    ///
    /// The id of a pose is 4 times the id of its cell, plus its heading: 0 for east (x + 1), 1 for south (y + 1), 2 for
    /// west, 3 for north. Moves lead one cell forward, between open cells, and from each heading of a cell to the next
    /// heading on either side. There are no other moves.
    #[must_use]
    pub fn poses(self) -> Self {
        Self { order: Order::Poses, ..self }
    }

    /// By tile, the open cells.
    #[inline]
    pub fn open(self) -> &'a [u64] {
        self.open
    }

    /// The number of tiles in a row of tiles.
    #[inline]
    pub fn per_row(self) -> u32 {
        self.per_row
    }

    /// How nodes are numbered board by board.
    #[inline]
    pub fn order(self) -> TileOrder {
        let width = self.width.max(1);
        let per_row = self.per_row.max(1);
        let reciprocal = |divisor: u32| (1_u64 << 63).div_ceil(u64::from(divisor));
        let places = Places { per_row, per_row_reciprocal: reciprocal(per_row) };
        let (width_reciprocal, per_row) = (reciprocal(width), self.per_row);
        TileOrder { width, per_row, width_reciprocal, places, order: self.order }
    }

    /// Whether nodes are poses.
    #[inline]
    pub fn are_poses(self) -> bool {
        self.order == Order::Poses
    }

    /// The binary logarithm of the number of nodes for each cell.
    #[inline]
    pub fn shift(self) -> u32 {
        self.order.shift()
    }

    /// Whether two tiles are one, or touch each other.
    #[inline]
    pub fn are_neighbours(self, tile: u32, other: u32) -> bool {
        let per_row = self.per_row.max(1);
        (tile % per_row).abs_diff(other % per_row) <= 1 && (tile / per_row).abs_diff(other / per_row) <= 1
    }

    /// The map on which only these cells are `open`, by tile.
    #[inline]
    pub fn with_open(self, open: &'a [u64]) -> Self {
        Self { open, ..self }
    }

    /// The number of boards.
    #[inline]
    pub fn boards(self) -> usize {
        self.open.len() << self.order.shift()
    }

    /// The open cells of `board`.
    #[inline]
    pub fn open_on(self, board: u32) -> u64 {
        self.open[(board >> self.order.shift()) as usize]
    }

    /// How many [numbers](TileOrder::number) there are.
    #[inline]
    pub fn count(self) -> usize {
        self.boards() * 64
    }

    /// The nodes where the moves into `node` begin, in no particular order; none for a node on a closed cell.
    #[inline]
    pub fn origins(self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let shift = self.order.shift();
        let (cell, heading) = (node.0 >> shift, node.0 & ((1 << shift) - 1));
        let is_open = move |cell: u32| {
            let number = self.order().number(NodeId(cell << shift));
            self.open.get((number / 64) >> shift).is_some_and(|open| open >> (number % 64) & 1 == 1)
        };
        let x = cell % self.width.max(1);
        // Where a step begins that leads east, south, west or north.
        let behind = [
            (x > 0).then(|| cell - 1),
            cell.checked_sub(self.width),
            (x + 1 < self.width).then(|| cell + 1),
            cell.checked_add(self.width),
        ];
        let steps = behind.into_iter().zip(0..).filter(move |(_, along)| shift == 0 || *along == heading);
        let steps =
            steps.filter_map(|(from, _)| from).filter(move |from| is_open(*from)).map(move |from| from << shift);
        let turns = [1, HEADINGS - 1].into_iter().filter(move |_| shift > 0);
        let turns = turns.map(move |turn| (cell << shift) + (heading + turn) % HEADINGS);
        steps.map(move |from| from + heading).chain(turns).filter(move |_| is_open(cell)).map(NodeId)
    }
}

impl<'a> Origins<'a> {
    /// Origins by patterns, for regular spaces with at most four moves into each node. Nodes share a pattern if the
    /// differences between the id of a node and the ids of its origins are equal.
    ///
    /// `patterns` has the number of the pattern of each node. `offsets` has four differences for each pattern: the sum
    /// of the id of a node and a difference, wrapping, is the id of an origin. A difference of 0 stands for no move.
    pub fn patterns(patterns: &'a [u8], offsets: &'a [[u32; 4]]) -> Self {
        Self(Tables::Patterns { patterns, offsets, tiles: None })
    }

    /// Origins by differences, for spaces in which at most four moves lead into each node, and the ids of both ends of
    /// a move are near each other. `offsets` has four differences for each node: the sum of the id of the node and a
    /// difference is the id of an origin. A difference of 0 stands for no move.
    pub fn offsets(offsets: &'a [[i16; 4]]) -> Self {
        Self(Tables::Offsets { offsets })
    }

    /// Origins by lists, for all other spaces. `origins` holds the lists of all nodes, one after the other. `first` has
    /// for each node the index where its list begins, and as its last element the length of `origins`.
    pub fn lists(first: &'a [u32], origins: &'a [NodeId]) -> Self {
        Self(Tables::Lists { first, origins })
    }

    /// Adds the tiles of a plain grid to origins made by [`patterns`](Self::patterns). Has no effect on origins that
    /// were not made by `patterns`.
    #[must_use]
    pub fn on_tiles(self, cells: Tiles<'a>) -> Self {
        match self.0 {
            Tables::Patterns { patterns, offsets, .. } => {
                Self(Tables::Patterns { patterns, offsets, tiles: Some(cells) })
            }
            _ => self,
        }
    }

    /// The tiles of a plain grid; `None`: the origins were made without tiles.
    #[inline]
    pub fn tiles(self) -> Option<Tiles<'a>> {
        match self.0 {
            Tables::Patterns { tiles, .. } => tiles,
            _ => None,
        }
    }

    /// How origins are listed.
    #[inline]
    pub fn tables(self) -> Tables<'a> {
        self.0
    }

    /// The nodes where the moves into `to` begin.
    #[inline]
    pub fn of(&self, to: NodeId) -> impl Iterator<Item = NodeId> + use<'a> {
        let (beside, list) = match self.0 {
            Tables::Patterns { patterns, offsets, .. } => (by_pattern(patterns, offsets, to), &[][..]),
            Tables::Offsets { offsets } => (by_offsets(offsets, to), &[][..]),
            Tables::Lists { first, origins } => ([to; 4], list(first, origins, to)),
        };
        beside.into_iter().filter(move |origin| *origin != to).chain(list.iter().copied())
    }
}

/// The origins of the moves into `to`. For each missing move, `to` itself.
#[inline(always)]
pub fn by_pattern(patterns: &[u8], offsets: &[[u32; 4]], to: NodeId) -> [NodeId; 4] {
    let pattern = patterns.get(to.index()).and_then(|pattern| offsets.get(usize::from(*pattern)));
    pattern.copied().unwrap_or_default().map(|offset| NodeId(to.0.wrapping_add(offset)))
}

/// The origins of the moves into `to`. For each missing move, `to` itself.
#[inline(always)]
pub fn by_offsets(offsets: &[[i16; 4]], to: NodeId) -> [NodeId; 4] {
    let offsets = offsets.get(to.index()).copied().unwrap_or_default();
    offsets.map(|offset| NodeId(to.0.wrapping_add_signed(offset.into())))
}

/// The origins of the moves into `to`.
#[inline(always)]
pub fn list<'a>(first: &[u32], origins: &'a [NodeId], to: NodeId) -> &'a [NodeId] {
    match first.get(to.index()..) {
        Some([begin, end, ..]) => origins.get(*begin as usize..*end as usize).unwrap_or_default(),
        _ => &[],
    }
}
