//! Voxels: cells of three dimensions, for units that fly and for units that walk on blocks.

use giveway_core::{Area, Change, Cost, Editable, Embedding, Facts, Journal, Move, NodeId, SpaceGraph, Surface};

use crate::space_error::{CellAt, SpaceError};
use crate::surfaces::Surfaces;
use crate::terrain::{Terrain, Ways};

/// A box of cells in three dimensions. For [flying](Self::flying) units, free cells are air between walls. For
/// [walking](Self::walking) units, filled cells are blocks on which they walk.
///
/// * Node ids run along x, then row by row along y, then layer by layer along z. Every cell has an id, even a cell
///   where no unit can be.
/// * Cell (x, y, z) is the cube of side 1 around its position (x, y, z); z grows upwards. Seen from above, cells lie as
///   on a [`Grid`](crate::Grid).
/// * A step to a side, up or down costs 1000 and is 1 world unit long. A walking step that climbs or descends by k
///   cells is as long as the straight line between the two positions, and costs 1000 per unit of length, rounded down:
///   1414 for one cell. Costs are multiplied by the [weight](Self::with_terrain) of the cell entered.
/// * The order of moves: north, east, south and west, and in each direction from the lowest end to the highest; then
///   up, then down.
///
/// ```
/// use giveway_core::heuristic::Zero;
/// use giveway_core::{Goals, SpatialSearch};
/// use giveway_spaces::Voxels;
///
/// // A box of air, and a wall with one window.
/// let air = Voxels::flying([5, 3, 3], |x, y, z| x != 2 || (y, z) == (1, 1))?;
/// let at = |x, y, z| air.node([x, y, z]).expect("in the box");
/// let route = SpatialSearch::new().find(&air, at(0, 0, 0), &Goals::one(at(4, 2, 2)), &mut Zero)?;
/// assert_eq!(route.cost, 8000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Voxels {
    size: [u32; 3],
    gait: Gait,
    /// Per cell, whether it is filled.
    solid: Vec<bool>,
    /// Per cell, whether a unit can be there if the node is open.
    places: Vec<bool>,
    terrain: Terrain,
}

/// How units move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gait {
    Flying,
    /// With the cells that a unit is high, and the cells that it climbs or descends in a step.
    Walking {
        height: u32,
        step: u32,
    },
}

/// A step between two cells: the differences of their x, y and z.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VoxelStep {
    /// The differences of x, y and z.
    pub by: [i32; 3],
}

/// North, east, south and west.
const SIDES: [[i32; 2]; 4] = [[0, -1], [1, 0], [0, 1], [-1, 0]];
const STEP: u32 = <u32 as Cost>::STEP;

const EMPTY: SpaceError =
    SpaceError::Empty { needs: "expected at least one cell along each side, and units at least one cell high" };

impl Voxels {
    /// The space of units that fly in a box of `size` cells. A unit can be in cell (x, y, z) if `open(x, y, z)`. Moves
    /// lead to the six neighbours, also up and down.
    ///
    /// # Errors
    /// A side is zero, or there are more than 2^30 - 1 cells.
    pub fn flying(size: [u32; 3], mut open: impl FnMut(u32, u32, u32) -> bool) -> Result<Self, SpaceError> {
        Self::new(size, Gait::Flying, |x, y, z| !open(x, y, z))
    }

    /// The space of units that walk on blocks, in a box of `size` cells. Cell (x, y, z) is filled with a block if
    /// `solid(x, y, z)`.
    ///
    /// * A unit is `height` cells high. A unit can stand where the cell right below its feet is filled, and the
    ///   `height` cells from its feet up are empty. The node of the unit is the cell of its feet. All cells above the
    ///   box are empty. Below the box there is no ground, so a unit cannot stand in the lowest layer.
    /// * A unit walks to the four sides, and climbs or descends by at most `step` cells. To climb, a unit rises first,
    ///   and then goes to the side; to descend, it goes to the side first, and then sinks. So all cells above the lower
    ///   of the two places must be empty, up to the height of the head of a unit on the upper place.
    /// * For the length and cost of a step, see [`Voxels`](Self). Units do not jump over gaps.
    ///
    /// ```
    /// use giveway_core::{NodeId, SpaceGraph};
    /// use giveway_spaces::Voxels;
    ///
    /// // Flat ground, and on it a block and a tower of two, side by side.
    /// let world = Voxels::walking([4, 1, 5], |x, _, z| z == 0 || z <= x && x < 3, 2, 1)?;
    /// let ends = |x, z| world.moves(world.node([x, 0, z]).unwrap()).map(|m| (world.xyz(m.to), m.cost)).collect::<Vec<_>>();
    /// // Up to the block, and from there up to the tower.
    /// assert_eq!(ends(0, 1), [([1, 0, 2], 1414)]);
    /// assert_eq!(ends(1, 2), [([2, 0, 3], 1414), ([0, 0, 1], 1414)]);
    /// // The tower is too high above the ground on its other side.
    /// assert_eq!(ends(3, 1), []);
    /// # Ok::<(), giveway_spaces::SpaceError>(())
    /// ```
    ///
    /// # Errors
    /// A side or the height is zero, or there are more cells than ids: the number of cells, times 3 + 4 `step`, must be
    /// below 2^32. A `step` larger than the height of the box counts as the height of the box.
    pub fn walking(
        size: [u32; 3],
        solid: impl FnMut(u32, u32, u32) -> bool,
        height: u32,
        step: u32,
    ) -> Result<Self, SpaceError> {
        let step = step.min(size[2].saturating_sub(1));
        if height == 0 {
            return Err(EMPTY);
        }
        Self::new(size, Gait::Walking { height, step }, solid)
    }

    fn new(size: [u32; 3], gait: Gait, mut solid: impl FnMut(u32, u32, u32) -> bool) -> Result<Self, SpaceError> {
        if size.contains(&0) {
            return Err(EMPTY);
        }
        let cells = size.iter().fold(1_u128, |cells, side| cells * u128::from(*side));
        // A cell, and the crossings of its own.
        if cells * u128::from(u64::from(gait.crossings_per_cell()) + 1) >= u128::from(u32::MAX) {
            return Err(SpaceError::BoxTooLarge { size });
        }
        let [across, down, layers] = size;
        let rows = (0..layers).flat_map(|z| (0..down).map(move |y| (y, z)));
        let all = rows.flat_map(|(y, z)| (0..across).map(move |x| (x, y, z)));
        let solid: Vec<bool> = all.map(|(x, y, z)| solid(x, y, z)).collect();
        let mut voxels = Self { size, gait, places: vec![false; solid.len()], solid, terrain: Terrain::default() };
        for node in voxels.nodes() {
            voxels.places[node.index()] = voxels.is_place(voxels.xyz(node));
        }
        Ok(voxels)
    }

    /// Sets the weight of cell (x, y, z): a step into the cell costs `weight(x, y, z)` times as much as on plain
    /// ground. Path costs saturate at 2^32 - 1, so searches cannot compare costs above this bound.
    ///
    /// # Errors
    /// The weight of a cell where a unit can be is 0, or larger than 1000.
    pub fn with_terrain(self, mut weight: impl FnMut(u32, u32, u32) -> u32) -> Result<Self, SpaceError> {
        self.with_surfaces(|[x, y, z], surface| {
            let weight = weight(x, y, z);
            Surface::new(weight, surface.slowness())
                .map_err(|_| SpaceError::Weight { at: CellAt::Voxel([x, y, z]), weight })
        })
    }

    /// Makes moves to cell (x, y, z) take `slowness(x, y, z)` times as long as on plain ground, at an unchanged cost.
    /// Bodies and timed points follow the slowness; points that take one tick for every move do not.
    ///
    /// # Errors
    /// The slowness of a cell where a unit can be is not between 0.01 and 100.
    pub fn with_slowness(self, mut slowness: impl FnMut(u32, u32, u32) -> f32) -> Result<Self, SpaceError> {
        self.with_surfaces(|[x, y, z], surface| {
            let slowness = slowness(x, y, z);
            Surface::new(surface.weight(), slowness)
                .map_err(|_| SpaceError::Slowness { at: CellAt::Voxel([x, y, z]), slowness })
        })
    }

    /// Sets the surface of each cell, given the present one. Errors at cells where no unit can be do not matter: such
    /// cells get plain ground.
    fn with_surfaces(
        mut self,
        mut surface: impl FnMut([u32; 3], Surface) -> Result<Surface, SpaceError>,
    ) -> Result<Self, SpaceError> {
        let laid = Surfaces::lay(&self, |node| surface(self.xyz(node), self.surface(node)))?;
        self.terrain.lay(laid);
        Ok(self)
    }

    /// The numbers of cells along x, y and z.
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// The node of cell (x, y, z), whether a unit can be there or not; `None` outside the box.
    #[inline]
    pub fn node(&self, [x, y, z]: [u32; 3]) -> Option<NodeId> {
        let [across, down, layers] = self.size;
        (x < across && y < down && z < layers).then(|| NodeId((z * down + y) * across + x))
    }

    /// The cell of `node`. For a node beyond the bound, the result is a cell outside the box.
    #[inline]
    pub fn xyz(&self, node: NodeId) -> [u32; 3] {
        let [across, down, _] = self.size;
        [node.0 % across, node.0 / across % down, node.0 / across / down]
    }

    /// Whether a cell is filled; `false` outside the box.
    pub fn is_solid(&self, cell: [u32; 3]) -> bool {
        self.node(cell).is_some_and(|node| self.solid[node.index()])
    }

    /// Fills or empties a cell: a block is placed or broken. Returns whether the world changed; a cell outside the box
    /// changes nothing.
    ///
    /// A change can make new places: in the cell, on a new block, or below a removed block. New places are open, even
    /// if they were [closed](Editable::set_open) before. Takes time in proportion to the height of a unit.
    pub fn set_solid(&mut self, cell: [u32; 3], solid: bool) -> bool {
        let Some(node) = self.node(cell).filter(|node| self.solid[node.index()] != solid) else { return false };
        self.solid[node.index()] = solid;
        let [x, y, z] = cell;
        let below = match self.gait {
            Gait::Flying => 0,
            Gait::Walking { height, .. } => height - 1,
        };
        for z in z.saturating_sub(below)..=z.saturating_add(1) {
            let Some(node) = self.node([x, y, z]) else { continue };
            let is_place = self.is_place([x, y, z]);
            if self.places[node.index()] != is_place {
                self.places[node.index()] = is_place;
                self.change_terrain(vec![node], Change::Open);
            }
        }
        self.terrain.note_change();
        true
    }

    /// The surface of `node`; plain ground for a node beyond the bound.
    pub fn surface(&self, node: NodeId) -> Surface {
        self.terrain.surfaces().of(node)
    }

    /// Whether a unit can be in a cell of the box, by the blocks alone.
    fn is_place(&self, [x, y, z]: [u32; 3]) -> bool {
        match self.gait {
            Gait::Flying => !self.is_solid([x, y, z]),
            Gait::Walking { height, .. } => {
                z.checked_sub(1).is_some_and(|below| self.is_solid([x, y, below])) && self.is_clear([x, y, z], height)
            }
        }
    }

    /// Whether `count` cells from this cell on upwards are not solid.
    fn is_clear(&self, [x, y, z]: [u32; 3], count: u32) -> bool {
        (z..z.saturating_add(count).min(self.size[2])).all(|z| !self.is_solid([x, y, z]))
    }

    /// The place from which or to which a step by (dx, dy, climb) leads, if there is that step; `at` is the one end.
    #[inline]
    fn beside(&self, at: [u32; 3], by: [i32; 3]) -> Option<NodeId> {
        let mut to = at;
        for axis in 0..3 {
            to[axis] = at[axis].checked_add_signed(by[axis])?;
        }
        let node = self.node(to).filter(|node| self.places[node.index()])?;
        match self.gait {
            Gait::Walking { height, .. } if by[2] != 0 => {
                let [x, y, z] = if by[2] > 0 { at } else { to };
                // Up to the height of a unit, it is free as one can stand there.
                self.is_clear([x, y, z.saturating_add(height)], by[2].unsigned_abs()).then_some(node)
            }
            _ => Some(node),
        }
    }

    /// All steps that there may be, in order.
    #[inline]
    fn steps(&self) -> impl Iterator<Item = VoxelStep> + use<> {
        let (climb, rises) = match self.gait {
            Gait::Flying => (0, &[1, -1][..]),
            Gait::Walking { step, .. } => (step.cast_signed(), &[][..]),
        };
        let sides = SIDES.into_iter().flat_map(move |[dx, dy]| (-climb..=climb).map(move |dz| [dx, dy, dz]));
        sides.chain(rises.iter().map(|dz| [0, 0, *dz])).map(|by| VoxelStep { by })
    }

    #[inline]
    fn make_move(&self, from: NodeId, to: NodeId, action: VoxelStep) -> Move<VoxelStep, u32> {
        let [dx, dy, dz] = action.by.map(f64::from);
        let length = (dx * dx + dy * dy + dz * dz).sqrt();
        #[allow(clippy::cast_possible_truncation)] // as exact as positions
        Move { from, to, action, cost: u32::floor(length * f64::from(STEP)), length: length as f32 }
    }

    /// The nodes that `area` may cover, each once, in ascending order.
    fn nodes_near(&self, area: &Area) -> Vec<NodeId> {
        let [across, down, layers] = self.size;
        let mut cells = Vec::new();
        for z in 0..layers {
            let layer = z * down;
            area.for_each_square([f64::from(z); 2], [-0.5, -0.5], 1.0, [across, down], |x, y| {
                cells.push(NodeId((layer + y) * across + x));
            });
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

impl Gait {
    /// The number of steps east, south and up that a cell may have: its crossings.
    fn crossings_per_cell(self) -> u32 {
        match self {
            Self::Flying => 3,
            Self::Walking { step, .. } => step.saturating_mul(4).saturating_add(2),
        }
    }

    /// The number of a step east, south or up among the crossings of its cell.
    fn crossing(self, [dx, dy, dz]: [i32; 3]) -> Option<u32> {
        let climb = match self {
            Self::Flying => 0,
            Self::Walking { step, .. } => step.cast_signed(),
        };
        let slope = u32::try_from(dz.checked_add(climb)?).ok()?;
        let slopes = climb.cast_unsigned() * 2 + 1;
        match [dx, dy] {
            [1, 0] if slope < slopes => Some(slope),
            [0, 1] if slope < slopes => Some(slopes + slope),
            [0, 0] if self == Self::Flying && dz == 1 => Some(2),
            _ => None,
        }
    }
}

impl SpaceGraph for Voxels {
    type Action = VoxelStep;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        self.solid.len()
    }

    #[inline]
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<VoxelStep, u32>> {
        let at = self.xyz(from);
        let steps = self.places.get(from.index()).is_some_and(|is_place| *is_place).then(|| self.steps());
        steps.into_iter().flatten().filter_map(move |step| {
            let to = self.beside(at, step.by)?;
            self.terrain.offer(self.make_move(from, to, step))
        })
    }

    #[inline]
    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<VoxelStep, u32>>> {
        let at = self.xyz(to);
        let steps = self.places.get(to.index()).is_some_and(|is_place| *is_place).then(|| self.steps());
        Some(steps.into_iter().flatten().filter_map(move |back| {
            let from = self.beside(at, back.by)?;
            self.terrain.offer(self.make_move(from, to, VoxelStep { by: back.by.map(|side| -side) }))
        }))
    }

    fn contains(&self, node: NodeId) -> bool {
        self.places.get(node.index()).is_some_and(|is_place| *is_place) && self.terrain.is_open(node)
    }

    fn facts(&self) -> Facts<'_, u32> {
        let is_level = matches!(self.gait, Gait::Flying | Gait::Walking { step: 0, .. });
        Facts {
            uniform_cost: (is_level && self.terrain.surfaces().are_unweighted()).then_some(STEP),
            step: 1.0,
            crossing_bound: self.solid.len() * self.gait.crossings_per_cell() as usize,
            ..Facts::NONE
        }
    }

    /// A crossing for each step east, south and up, which the step back shares.
    #[inline]
    fn crossing(&self, m: &Move<VoxelStep, u32>) -> Option<u32> {
        let [dx, dy, dz] = m.action.by;
        let is_forth = dx > 0 || dy > 0 || dx == 0 && dy == 0 && dz > 0;
        let (cell, by) = if is_forth { (m.from, m.action.by) } else { (m.to, m.action.by.map(i32::wrapping_neg)) };
        let kind = self.gait.crossing(by)?;
        // Checked, for moves of other spaces.
        (cell.index() < self.solid.len()).then(|| cell.0 * self.gait.crossings_per_cell() + kind)
    }

    fn journal(&self) -> Option<&Journal> {
        Some(self.terrain.journal())
    }
}

impl Embedding for Voxels {
    #[inline]
    #[allow(clippy::cast_precision_loss)] // exact up to 2^24 cells along a side
    fn position(&self, node: NodeId) -> [f32; 3] {
        self.xyz(node).map(|side| side as f32)
    }
}

/// An area covers a cell if it meets the cell, seen from above, and the middle of the cell lies between the heights of
/// the area. An area gives its surface to the cells whose middle lies in the area.
///
/// In a closed cell no unit may fly, or stand. Blocks stay as they are, but for flying units opening a cell also
/// empties it. [`set_solid`](Voxels::set_solid) changes blocks.
impl Editable for Voxels {
    fn set_open(&mut self, node: NodeId, open: bool) -> bool {
        let change = if open { Change::Open } else { Change::Close };
        node.index() < self.solid.len() && self.change_nodes(vec![node], change)
    }

    fn is_inside(&self, node: NodeId, area: &Area) -> bool {
        let [x, y, z] = self.xyz(node).map(f64::from);
        let mut is_met = false;
        area.for_each_square([z, z], [x - 0.5, y - 0.5], 1.0, [1, 1], |_, _| is_met = true);
        is_met && node.index() < self.solid.len()
    }

    fn change(&mut self, area: &Area, change: Change) -> bool {
        let mut nodes = self.nodes_near(area);
        if let Change::Surface(_) = change {
            nodes.retain(|node| area.contains(self.position(*node)));
        }
        self.change_nodes(nodes, change)
    }
}

impl Ways for Voxels {
    fn bound(&self) -> usize {
        self.places.len()
    }

    fn beside(&self, node: NodeId, into: &mut Vec<NodeId>) {
        let at = self.xyz(node);
        into.extend(self.steps().filter_map(|step| self.beside(at, step.by)));
    }
}

impl Voxels {
    fn change_terrain(&mut self, nodes: Vec<NodeId>, change: Change) -> bool {
        let mut terrain = std::mem::take(&mut self.terrain);
        let changed = terrain.change(nodes.into_iter(), change, self);
        self.terrain = terrain;
        changed
    }

    fn change_nodes(&mut self, mut nodes: Vec<NodeId>, change: Change) -> bool {
        let mut changed = false;
        if change == Change::Open && self.gait == Gait::Flying {
            for node in &nodes {
                changed |= self.set_solid(self.xyz(*node), false);
            }
        }
        // Surfaces stay when blocks come and go.
        nodes.retain(|node| self.places[node.index()] || matches!(change, Change::Surface(_)));
        self.change_terrain(nodes, change) || changed
    }
}
