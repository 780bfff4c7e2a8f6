//! The hexagonal grid. Only this module uses hexx, which knows all about hexagons.

use giveway_core::heuristic::Metric;
use giveway_core::{Area, Change, Cost, Editable, Embedding, Facts, Journal, Move, NodeId, SpaceGraph, Surface};
use hexx::{EdgeDirection, Hex, HexLayout, HexOrientation, Vec2, VertexDirection};

use crate::space_error::{CellAt, FARTHEST_HEX, MOST_CELLS, SpaceError};
use crate::stagger::Stagger;
use crate::surfaces::Surfaces;
use crate::terrain::{Terrain, Ways};

/// A space of hexagons, each with up to six neighbours. Coordinates and the layout are types of the
/// [hexx](https://docs.rs/hexx) crate.
///
/// * Node ids run row by row: ascending by [`Hex::y`], and within a row by [`Hex::x`]. The order in which hexes are
///   given does not matter.
/// * A plain step costs 1000, times the weight of the hex entered. The length of a step is the distance between the
///   centres of the two hexes: about 1.732 with [`HexLayout::with_hex_size`]`(1.0)`. With a size of 0.577, hexes are as
///   wide as a cell of a [`Grid`](crate::Grid).
/// * Moves come in the order of [`EdgeDirection::ALL_DIRECTIONS`].
/// * Positions are the centres of the hexes, at height 0.
///
/// ```
/// use giveway_core::heuristic::Zero;
/// use giveway_core::{Goals, SpatialSearch};
/// use giveway_spaces::HexGrid;
/// use hexx::{Hex, HexLayout, shapes};
///
/// // A hexagon of three rings, with a wall through the middle that has one gap.
/// let map = HexGrid::new(shapes::hexagon(Hex::ZERO, 3), HexLayout::pointy())?.with_walls(|hex| hex.y == 0 && hex.x != 1);
/// let at = |x, y| map.node(Hex::new(x, y)).expect("on the map");
///
/// let route = SpatialSearch::new().find(&map, at(0, -2), &Goals::one(at(0, 2)), &mut Zero)?;
/// // Four steps as the crow flies, and one more to go through the gap.
/// assert_eq!(route.cost, 5000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HexGrid {
    layout: HexLayout,
    /// By node.
    hexes: Vec<Hex>,
    /// Per node and direction, the node of the neighbour; [`NOBODY`] if there is none.
    neighbours: Vec<[NodeId; 6]>,
    /// By direction.
    lengths: [f32; 6],
    terrain: Terrain,
}

/// No node has this id.
const NOBODY: NodeId = NodeId(u32::MAX);
const STEP: u32 = <u32 as Cost>::STEP;
/// The scales that a layout may have, and, as the upper bound, how far away its origin may be. All else counts as a
/// mistake.
const SCALES: std::ops::RangeInclusive<f32> = 1e-3..=1e6;
/// All hexes are at this height.
const HEIGHTS: [f64; 2] = [0.0, 0.0];
/// How far around an area its hexes are looked for, in hexes: positions are rounded, and an area may meet a hex beside
/// the centre.
const AROUND: f32 = 3.0;

impl HexGrid {
    /// The grid of `hexes`, in any order; duplicates are ignored. `layout` gives the positions of the hexes.
    ///
    /// Takes time n log n for n hexes.
    ///
    /// # Errors
    /// There is no hex, or there are more than 2^30 - 1 hexes; the absolute value of the scale of the layout is not
    /// between 0.001 and 10^6; the origin of the layout is not finite, or farther than 10^6 from (0, 0); or a hex is
    /// farther from the origin than 262,144 times the scale.
    pub fn new(hexes: impl IntoIterator<Item = Hex>, layout: HexLayout) -> Result<Self, SpaceError> {
        let numbers = [layout.scale.x.abs(), layout.scale.y.abs()];
        let origin = [layout.origin.x.abs(), layout.origin.y.abs()];
        if !numbers.iter().all(|scale| SCALES.contains(scale)) || !origin.iter().all(|side| *side <= *SCALES.end()) {
            let (scale, origin) = (layout.scale.to_array(), layout.origin.to_array());
            return Err(SpaceError::Layout { scale, origin });
        }
        let mut hexes: Vec<Hex> = hexes.into_iter().collect();
        hexes.sort_unstable_by_key(in_rows);
        hexes.dedup();
        if hexes.is_empty() {
            return Err(SpaceError::Empty { needs: "a grid needs at least one hex" });
        }
        if hexes.len() as u64 > MOST_CELLS {
            return Err(SpaceError::TooManyHexes { hexes: hexes.len() });
        }
        let scale = f64::from(numbers[0].min(numbers[1]));
        if let Some(hex) = hexes.iter().find(|hex| !is_near(**hex, &layout, scale)) {
            return Err(SpaceError::FarHex { hex: [hex.x, hex.y] });
        }
        let mut grid = Self {
            lengths: lengths(&layout),
            layout,
            neighbours: Vec::with_capacity(hexes.len()),
            hexes,
            terrain: Terrain::default(),
        };
        for hex in &grid.hexes {
            let neighbours = EdgeDirection::ALL_DIRECTIONS.map(|way| grid.node(hex.neighbor(way)).unwrap_or(NOBODY));
            grid.neighbours.push(neighbours);
        }
        Ok(grid)
    }

    /// The grid of `width` columns and `height` rows of hexes that tile editors make: every other row or column is
    /// shifted. Hex (x, y) is free where `passable(x, y)`. Neighbours are 1 apart, and (0, 0) lies at (0, 0): x grows
    /// to the right, y downwards. [`Stagger::axial`] gives the coordinates of a hex.
    ///
    /// # Errors
    /// A side is zero, or there are more than 2^30 - 1 hexes; or a side is more than 150,000.
    pub fn staggered(
        width: u32,
        height: u32,
        stagger: Stagger,
        mut passable: impl FnMut(u32, u32) -> bool,
    ) -> Result<Self, SpaceError> {
        if u64::from(width) * u64::from(height) > MOST_CELLS {
            return Err(SpaceError::GridTooLarge { width, height });
        }
        let layout = if stagger.is_of_rows() { HexLayout::pointy() } else { HexLayout::flat() };
        let layout = layout.with_hex_size(1.0 / 3.0_f32.sqrt());
        let hex = |x, y| Hex::from(stagger.axial([x, y]));
        let cells = || (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let mut grid = Self::new(cells().map(|(x, y)| hex(x, y)), layout)?;
        let walls: Vec<NodeId> =
            cells().filter(|(x, y)| !passable(*x, *y)).filter_map(|(x, y)| grid.node(hex(x, y))).collect();
        grid.change_nodes(walls, Change::Close);
        Ok(grid)
    }

    /// Closes the hexes for which `is_wall` returns `true`.
    #[must_use]
    pub fn with_walls(mut self, mut is_wall: impl FnMut(Hex) -> bool) -> Self {
        let walls: Vec<NodeId> = self.nodes().filter(|node| is_wall(self.hexes[node.index()])).collect();
        self.change_nodes(walls, Change::Close);
        self
    }

    /// Sets the weight of each hex: a step into the hex costs `weight` times as much as on plain ground.
    ///
    /// Path costs saturate at 2^32 - 1, so searches cannot compare costs above this bound. With weight 100, paths of up
    /// to 40,000 steps stay below the bound.
    ///
    /// # Errors
    /// The weight of a free hex is 0, or larger than 1000.
    pub fn with_terrain(self, mut weight: impl FnMut(Hex) -> u32) -> Result<Self, SpaceError> {
        self.with_surfaces(|hex, surface| {
            let weight = weight(hex);
            Surface::new(weight, surface.slowness())
                .map_err(|_| SpaceError::Weight { at: CellAt::Hex([hex.x, hex.y]), weight })
        })
    }

    /// Makes moves to a hex take `slowness` times as long as on plain ground, at an unchanged cost. Bodies and timed
    /// points follow the slowness; points that take one tick for every move do not.
    ///
    /// # Errors
    /// The slowness of a free hex is not between 0.01 and 100.
    pub fn with_slowness(self, mut slowness: impl FnMut(Hex) -> f32) -> Result<Self, SpaceError> {
        self.with_surfaces(|hex, surface| {
            let slowness = slowness(hex);
            Surface::new(surface.weight(), slowness)
                .map_err(|_| SpaceError::Slowness { at: CellAt::Hex([hex.x, hex.y]), slowness })
        })
    }

    /// Sets the surface of each hex, given the present one. Errors at walls do not matter: walls get plain ground.
    fn with_surfaces(
        mut self,
        mut surface: impl FnMut(Hex, Surface) -> Result<Surface, SpaceError>,
    ) -> Result<Self, SpaceError> {
        let laid = Surfaces::lay(&self, |node| surface(self.hexes[node.index()], self.surface(node)))?;
        self.terrain.lay(laid);
        Ok(self)
    }

    /// The layout, which gives the positions of the hexes.
    pub fn layout(&self) -> &HexLayout {
        &self.layout
    }

    /// The node of `hex`, free or not; `None` if the hex is not on the grid. Takes time in proportion to the logarithm
    /// of the number of hexes.
    pub fn node(&self, hex: Hex) -> Option<NodeId> {
        let place = self.hexes.binary_search_by_key(&in_rows(&hex), in_rows).ok()?;
        u32::try_from(place).ok().map(NodeId)
    }

    /// The hex of `node`; `None` if the node is beyond the bound.
    #[inline]
    pub fn hex(&self, node: NodeId) -> Option<Hex> {
        self.hexes.get(node.index()).copied()
    }

    /// Whether `hex` is on the grid and free.
    pub fn is_passable(&self, hex: Hex) -> bool {
        self.node(hex).is_some_and(|node| self.contains(node))
    }

    /// Closes or opens `hex`. Returns whether the grid changed; a hex off the grid changes nothing. An opened wall has
    /// the [surface](Self::surface) that was set for the hex.
    pub fn set_passable(&mut self, hex: Hex, passable: bool) -> bool {
        self.node(hex).is_some_and(|node| self.set_open(node, passable))
    }

    fn change_nodes(&mut self, nodes: Vec<NodeId>, change: Change) -> bool {
        let mut terrain = std::mem::take(&mut self.terrain);
        let changed = terrain.change(nodes.into_iter(), change, self);
        self.terrain = terrain;
        changed
    }

    /// All closed hexes as one area. Close this area to give the other spaces of a world, or spaces of wide bodies, the
    /// same walls. `None`: no hex is closed.
    pub fn walls(&self) -> Option<Area> {
        let walls = self.nodes().filter(|node| !self.contains(*node));
        walls.filter_map(|node| Area::polygon(&self.corners(node)).ok()).reduce(Area::and)
    }

    /// The surface of `node`; plain ground for a node beyond the bound.
    pub fn surface(&self, node: NodeId) -> Surface {
        self.terrain.surfaces().of(node)
    }

    /// The six corners of the hexagon of `node`, for pictures, in the order of hexx: neighbours in the list are
    /// neighbours on the hexagon. For a node beyond the bound, the corners of the hexagon at the origin of the layout.
    pub fn corners(&self, node: NodeId) -> [[f32; 2]; 6] {
        let center = self.layout.hex_to_world_pos(self.hex(node).unwrap_or(Hex::ZERO));
        VertexDirection::ALL_DIRECTIONS.map(|way| {
            // A corner is a third of the way to the hex behind it. The angles of hexx would differ between platforms.
            let corner = displacement(&self.layout, way.into_hex().as_vec2() / 3.0);
            (center + corner).to_array()
        })
    }

    /// The nodes whose hexagons may meet `area`, each once, in ascending order.
    fn nodes_near(&self, area: &Area) -> Vec<NodeId> {
        let mut near = Vec::new();
        for [low, high] in area.boxes() {
            let corners = [low, [low[0], high[1]], high, [high[0], low[1]]];
            #[allow(clippy::cast_possible_truncation)] // what is farther than single precision tells is off the grid
            let corners =
                corners.map(|corner| self.layout.world_pos_to_fract_hex(Vec2::from(corner.map(|side| side as f32))));
            let range = |pick: fn(&Vec2) -> f32| {
                let least = corners.iter().map(pick).fold(f32::INFINITY, f32::min);
                let most = corners.iter().map(pick).fold(f32::NEG_INFINITY, f32::max);
                #[allow(clippy::cast_possible_truncation)] // casts of floats saturate
                [(least - AROUND) as i32, (most + AROUND) as i32]
            };
            let ([first_x, last_x], [first_y, last_y]) = (range(|corner| corner.x), range(|corner| corner.y));
            let mut row = self.hexes.partition_point(|hex| hex.y < first_y);
            while let Some(first) = self.hexes.get(row).filter(|hex| hex.y <= last_y) {
                let in_row = |key: (i32, i32)| self.hexes[row..].partition_point(|hex| in_rows(hex) < key) + row;
                let (begin, end) = (in_row((first.y, first_x)), in_row((first.y, last_x.saturating_add(1))));
                near.extend((begin..end).filter_map(|place| u32::try_from(place).ok()).map(NodeId));
                row = in_row((first.y + 1, i32::MIN));
            }
        }
        near.sort_unstable();
        near.dedup();
        near
    }

    #[inline]
    fn make_move(&self, from: NodeId, to: NodeId, action: EdgeDirection) -> Move<EdgeDirection, u32> {
        Move { from, to, action, cost: STEP, length: self.lengths[usize::from(action.index())] }
    }
}

/// The order of node ids.
fn in_rows(hex: &Hex) -> (i32, i32) {
    (hex.y, hex.x)
}

/// Whether the position of `hex` is exact enough for a hex of at least `scale`.
fn is_near(hex: Hex, layout: &HexLayout, scale: f64) -> bool {
    // First by coordinates, which hexx adds without checks.
    [hex.x, hex.y].iter().all(|side| f64::from(side.unsigned_abs()) <= FARTHEST_HEX) && {
        let position = layout.hex_to_world_pos(hex).to_array();
        position.iter().all(|side| f64::from(side.abs()) <= FARTHEST_HEX * scale)
    }
}

/// Where `by`, in hexes, leads in the world.
fn displacement(layout: &HexLayout, by: Vec2) -> Vec2 {
    HexLayout { origin: Vec2::ZERO, ..layout.clone() }.fract_hex_to_world_pos(by)
}

/// How far the neighbours are, by direction.
fn lengths(layout: &HexLayout) -> [f32; 6] {
    let length = |way: EdgeDirection| {
        let [x, y] = displacement(layout, way.into_hex().as_vec2()).to_array().map(f64::from);
        #[allow(clippy::cast_possible_truncation)] // as exact as positions
        let length = (x * x + y * y).sqrt() as f32;
        length
    };
    let is_regular = layout.scale.x.abs().to_bits() == layout.scale.y.abs().to_bits();
    // In a regular hexagon all are equal. The way along an axis is the most exact one.
    let along = match layout.orientation {
        HexOrientation::Pointy => EdgeDirection::X,
        HexOrientation::Flat => EdgeDirection::Y,
    };
    EdgeDirection::ALL_DIRECTIONS.map(|way| length(if is_regular { along } else { way }))
}

impl SpaceGraph for HexGrid {
    type Action = EdgeDirection;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        self.hexes.len()
    }

    #[inline]
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<EdgeDirection, u32>> {
        let neighbours = self.neighbours.get(from.index()).into_iter().flatten();
        let ways = EdgeDirection::ALL_DIRECTIONS.into_iter().zip(neighbours).filter(|(_, to)| **to != NOBODY);
        ways.filter_map(move |(way, to)| self.terrain.offer(self.make_move(from, *to, way)))
    }

    #[inline]
    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<EdgeDirection, u32>>> {
        let neighbours = self.neighbours.get(to.index()).into_iter().flatten();
        let ways = EdgeDirection::ALL_DIRECTIONS.into_iter().zip(neighbours).filter(|(_, from)| **from != NOBODY);
        Some(ways.filter_map(move |(back, from)| self.terrain.offer(self.make_move(*from, to, -back))))
    }

    fn contains(&self, node: NodeId) -> bool {
        node.index() < self.hexes.len() && self.terrain.is_open(node)
    }

    fn facts(&self) -> Facts<'_, u32> {
        let ([first, others @ ..], surfaces) = (self.lengths, self.terrain.surfaces());
        Facts {
            uniform_cost: surfaces.are_unweighted().then_some(STEP),
            uniform_length: (others == [first; 5] && surfaces.are_plain()).then_some(first),
            step: 1.0,
            crossing_bound: self.hexes.len() * 3,
            ..Facts::NONE
        }
    }

    /// Three crossings per hex: the first three directions.
    #[inline]
    fn crossing(&self, m: &Move<EdgeDirection, u32>) -> Option<u32> {
        let way = u32::from(m.action.index());
        let (hex, way) = if way < 3 { (m.from, way) } else { (m.to, way - 3) };
        // Checked, for moves of other grids.
        (hex.index() < self.hexes.len()).then(|| hex.0 * 3 + way)
    }

    fn journal(&self) -> Option<&Journal> {
        Some(self.terrain.journal())
    }
}

impl Embedding for HexGrid {
    #[inline]
    fn position(&self, node: NodeId) -> [f32; 3] {
        let [x, y] = self.layout.hex_to_world_pos(self.hex(node).unwrap_or(Hex::ZERO)).to_array();
        [x, y, 0.0]
    }
}

impl Ways for HexGrid {
    fn bound(&self) -> usize {
        self.hexes.len()
    }

    fn beside(&self, node: NodeId, into: &mut Vec<NodeId>) {
        into.extend(self.neighbours[node.index()].iter().filter(|beside| **beside != NOBODY));
    }
}

/// An area covers the hexes whose insides it meets, and gives its surface to the hexes whose centre lies in it.
impl Editable for HexGrid {
    fn set_open(&mut self, node: NodeId, open: bool) -> bool {
        node.index() < self.hexes.len()
            && self.change_nodes(vec![node], if open { Change::Open } else { Change::Close })
    }

    /// Whether the area meets the inside of the hexagon.
    fn is_inside(&self, node: NodeId, area: &Area) -> bool {
        let corners = self.corners(node).map(|corner| corner.map(f64::from));
        node.index() < self.hexes.len() && area.meets_polygon(&corners, HEIGHTS)
    }

    /// Takes time in proportion to the hexes in the bounding boxes of the area's parts.
    fn change(&mut self, area: &Area, change: Change) -> bool {
        let mut nodes = self.nodes_near(area);
        nodes.retain(|node| match change {
            Change::Surface(_) => area.contains(self.position(*node)),
            _ => self.is_inside(*node, area),
        });
        self.change_nodes(nodes, change)
    }
}

/// A metric for [`HexGrid`]: `step` times the number of steps between two hexes, as if there were no walls.
///
/// A lower bound if no step costs less than `step`; 1000 suits any terrain. Without walls, and on plain ground, the
/// distance is exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HexDistance {
    /// The least cost of a step.
    pub step: u32,
}

impl Metric<HexGrid> for HexDistance {
    #[inline]
    fn distance(&self, space: &HexGrid, from: NodeId, to: NodeId) -> u32 {
        let ends = space.hex(from).zip(space.hex(to));
        ends.map_or(0, |(from, to)| self.step.saturating_mul(from.unsigned_distance_to(to)))
    }
}
