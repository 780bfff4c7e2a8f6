//! Backdrops: the map behind a picture, as shapes, without the space.

mod layer;
mod rings;

use std::ops::Range;

use giveway_core::{Embedding, MoveIn, NodeId, SpaceGraph, Tick, TracedMove, TracedPlace, Trajectory};

use crate::contour::contours;
use crate::extent::Extent;
use crate::placement::between;
use crate::plane::{plane, point};
pub(crate) use layer::{Layer, LayerKind, Lines};
use rings::rings;

/// The map behind a picture: walls, or places and the ways between them.
///
/// | world | backdrop |
/// |---|---|
/// | a square grid | [`cells`](Self::cells) |
/// | hexes, floors beside each other, any places with a shape | [`tiles`](Self::tiles) |
/// | waypoints, any graph with positions | [`graph`](Self::graph) |
/// | roads on which vehicles drive | [`roads`](Self::roads) |
/// | a navigation mesh | [`mesh`](Self::mesh) |
/// | two backdrops on one ground | [`and`](Self::and) |
///
/// Rough ground, walls and links can be added to any backdrop.
///
/// ```
/// use giveway_render::Backdrop;
/// use giveway_spaces::Grid;
///
/// let grid = Grid::from_ascii("..#\n...")?;
/// let as_cells = Backdrop::cells(3, 2, |x, y| grid.is_passable(x, y));
/// let as_graph = Backdrop::graph(&grid);
/// let both = as_cells.and(as_graph).with_rough([[[0.5, 0.5], [1.5, 0.5], [1.0, 1.5]]]);
/// # Ok::<(), giveway_spaces::SpaceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Backdrop {
    /// The rectangle around the whole map.
    extent: Extent,
    /// The width of the rim shown around the map, in world units.
    margin: f64,
    /// The size of a place, in world units; positive.
    pub(crate) pitch: f64,
    pub(crate) layers: Vec<Layer>,
    places: Places,
}

/// Where nodes lie.
#[derive(Clone, Debug)]
enum Places {
    /// Row by row in unit cells.
    Cells { width: usize, height: usize },
    /// By id; `None` for nodes that do not exist.
    Points(Vec<Option<[f64; 2]>>),
}

impl Backdrop {
    /// A map of `width` x `height` unit cells. Cell (x, y) is a wall unless `passable(x, y)`.
    ///
    /// As in giveway's grids, cell (x, y) lies around position (x, y), and its node is y * width + x. Calls `passable`
    /// once for every cell, row by row.
    pub fn cells(width: u32, height: u32, mut passable: impl FnMut(u32, u32) -> bool) -> Self {
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let walls: Vec<bool> = cells.map(|(x, y)| !passable(x, y)).collect();
        Self {
            extent: Extent { min: [-0.5, -0.5], max: [f64::from(width.max(1)) - 0.5, f64::from(height.max(1)) - 0.5] },
            margin: 0.0,
            pitch: 1.0,
            layers: vec![Layer::new(LayerKind::Walls, contours(width as usize, &walls))],
            places: Places::Cells { width: width as usize, height: height as usize },
        }
    }

    /// Every node of `space` as a tile: free nodes are drawn as outlines, and closed nodes as walls. `corners` gives
    /// the corners of a node's tile in order; a tile with fewer than three corners is not drawn.
    ///
    /// For a hexagonal grid, give the corners of the hexes. To draw floors beside each other, see
    /// [`FloorPlan`](crate::FloorPlan).
    ///
    /// ```
    /// use giveway_render::Backdrop;
    /// use giveway_spaces::Grid;
    ///
    /// // Cells of a grid, drawn as diamonds.
    /// let grid = Grid::from_ascii("..#\n...")?;
    /// let backdrop = Backdrop::tiles(&grid, |node| {
    ///     let (x, y) = grid.xy(node);
    ///     let [x, y] = [x as f32, y as f32];
    ///     [[x - 0.5, y], [x, y - 0.5], [x + 0.5, y], [x, y + 0.5]]
    /// });
    /// # Ok::<(), giveway_spaces::SpaceError>(())
    /// ```
    pub fn tiles<S: SpaceGraph, P: AsRef<[[f32; 2]]>>(space: &S, mut corners: impl FnMut(NodeId) -> P) -> Self {
        let (mut points, mut free, mut closed) = (Vec::new(), Vec::new(), Vec::new());
        for node in space.nodes() {
            let shape = flat(corners(node).as_ref());
            points.push((shape.len() >= 3).then(|| middle(&shape)));
            if shape.len() >= 3 {
                if space.contains(node) { &mut free } else { &mut closed }.push(shape);
            }
        }
        let all = || free.iter().chain(&closed);
        let around = Extent::around(all().flatten().copied()).unwrap_or(Extent { min: [0.0; 2], max: [0.0; 2] });
        let pitch = all().map(|shape| area(shape).sqrt()).fold(0.0, f64::max);
        let pitch = if pitch > 0.0 { pitch } else { 1.0 };
        let layer = |kind, shapes: &[Vec<[f64; 2]>]| Layer::new(kind, Lines::new(pitch).closed(shapes).path());
        Self {
            extent: around,
            margin: pitch * 0.1,
            pitch,
            layers: vec![layer(LayerKind::Tiles, &free), layer(LayerKind::Blocks, &closed)],
            places: Places::Points(points),
        }
    }

    /// The nodes of `space` as dots, and its moves as lines along their trajectories. [Jumps](Trajectory::JUMP) are
    /// dashed lines.
    ///
    /// The space must keep the contract of [`SpaceGraph`](giveway_core::SpaceGraph). Moves to nodes beyond the bound of
    /// the space are not drawn.
    pub fn graph<S: Embedding>(space: &S) -> Self {
        let points = positions(space);
        let ways = Ways::of(space, &points);
        let around =
            Extent::around(points.iter().copied().flatten()).unwrap_or(Extent { min: [0.0; 2], max: [0.0; 2] });
        let pitch = pitch(&ways.straight, around);
        let layers = vec![
            Layer::new(LayerKind::Links, Lines::new(pitch).open(&ways.jumps).path()),
            Layer::new(LayerKind::Edges, ways.path(pitch)),
            Layer::new(LayerKind::Nodes, Lines::new(pitch).dots(points.iter().copied().flatten()).path()),
        ];
        Self { extent: ways.around(around), margin: pitch, pitch, layers, places: Places::Points(points) }
    }

    /// The moves of `space` as lanes that are `width` world units wide, with a line in the middle. Lanes follow the
    /// trajectories of the moves.
    ///
    /// Units and goals without a shape are drawn as wide as a lane. A width that is not positive and finite counts
    /// as 1.
    ///
    /// ```
    /// use giveway_render::Backdrop;
    /// use giveway_spaces::{FnSpace, RoadRules, Roads};
    ///
    /// // A road of 30 world units with a corner, and two lanes 2 units wide.
    /// let at = [[0.0, 0.0], [20.0, 0.0], [20.0, 10.0]];
    /// let map = FnSpace::new(3, |node| [node.wrapping_sub(1), node + 1].into_iter().filter(|to| *to < 3).map(|to| (to, 1000)))?
    ///     .with_positions(|node| [at[node as usize][0], at[node as usize][1], 0.0])?;
    /// let roads = Roads::new(&map, RoadRules::new(4.0, 2.0, 3.0))?;
    /// let backdrop = Backdrop::roads(&roads, 2.0);
    /// # Ok::<(), giveway_spaces::SpaceError>(())
    /// ```
    pub fn roads<S: Embedding>(space: &S, width: f32) -> Self {
        let points = positions(space);
        let ways = Ways::of(space, &points);
        let around =
            Extent::around(points.iter().copied().flatten()).unwrap_or(Extent { min: [0.0; 2], max: [0.0; 2] });
        let pitch = positive(width);
        let lines = ways.path(pitch);
        let layers = vec![
            Layer { width: Some(pitch), ..Layer::new(LayerKind::Lanes, lines.clone()) },
            Layer::new(LayerKind::Links, Lines::new(pitch).open(&ways.jumps).path()),
            Layer::new(LayerKind::Edges, lines),
        ];
        let extent = ways.around(around).grown(pitch / 2.0);
        Self { extent, margin: pitch / 2.0, pitch, layers, places: Places::Points(points) }
    }

    /// The floor of a navigation mesh between its `walls`, each given by its two ends. Seen along a wall from the first
    /// end to the second, the floor must lie on the left for all walls, or on the right for all walls.
    ///
    /// Units and goals without a shape are drawn `width` world units wide. The widths of lines are in proportion to
    /// `width`. A width that is not positive and finite counts as 1.
    ///
    /// ```
    /// use giveway_render::Backdrop;
    /// use giveway_spaces::NavMesh;
    ///
    /// let mesh = NavMesh::new(vec![[0.0, 0.0], [9.0, 0.0], [9.0, 6.0], [0.0, 6.0]], [[0, 1, 2, 3]])?;
    /// let backdrop = Backdrop::mesh(mesh.walls(), 0.8);
    /// # Ok::<(), giveway_spaces::SpaceError>(())
    /// ```
    pub fn mesh(walls: impl IntoIterator<Item = [[f32; 2]; 2]>, width: f32) -> Self {
        let rings = rings(walls.into_iter().map(|ends| ends.map(|[x, y]| point([x, y, 0.0]))));
        let around = Extent::around(rings.iter().flatten().copied()).unwrap_or(Extent { min: [0.0; 2], max: [0.0; 2] });
        let pitch = positive(width);
        let floor = Lines::new(pitch).closed(&rings).path();
        let [[left, top], [right, bottom]] = [around.grown(pitch).min, around.grown(pitch).max];
        let frame = vec![[left, top], [right, top], [right, bottom], [left, bottom]];
        let layers = vec![
            Layer::new(LayerKind::Solid, Lines::new(pitch).closed(&[frame]).path()),
            Layer::new(LayerKind::Floor, floor),
        ];
        Self { extent: around, margin: pitch, pitch, layers, places: Places::Points(Vec::new()) }
    }

    /// Joins `other` to this map: for example, roads or waypoints to a grid. The shapes of both maps are drawn in the
    /// order of their kinds: floors, rough ground, lanes, tiles, walls, links, edges, dots. Lines and dots are drawn in
    /// a size that suits the places of this map. Node ids in a picture mean nodes of this map, not of `other`.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.extent = self.extent.union(other.extent);
        self.layers.extend(other.layers);
        self.in_order()
    }

    /// Adds rough ground, which is slow or costs more, as shaded shapes. Each shape is a polygon, given by its corners
    /// in order.
    #[must_use]
    pub fn with_rough<P: AsRef<[[f32; 2]]>>(self, shapes: impl IntoIterator<Item = P>) -> Self {
        self.with(LayerKind::Rough, shapes, None)
    }

    /// Adds walls. Each wall is a polygon, given by its corners in order.
    #[must_use]
    pub fn with_walls<P: AsRef<[[f32; 2]]>>(self, shapes: impl IntoIterator<Item = P>) -> Self {
        self.with(LayerKind::Blocks, shapes, None)
    }

    /// Adds walls that stand only during `ticks`. A picture without animation shows these walls in a paler colour.
    #[must_use]
    pub fn with_walls_during<P: AsRef<[[f32; 2]]>>(
        self,
        ticks: Range<Tick>,
        shapes: impl IntoIterator<Item = P>,
    ) -> Self {
        self.with(LayerKind::Blocks, shapes, Some([ticks.start, ticks.end]))
    }

    /// Adds dashed lines, each from one position to another: stairs, lifts, portals.
    #[must_use]
    pub fn with_links(mut self, lines: impl IntoIterator<Item = [[f32; 3]; 2]>) -> Self {
        let lines: Vec<Vec<[f64; 2]>> = lines.into_iter().map(|ends| ends.map(point).to_vec()).collect();
        let around = Extent::around(lines.iter().flatten().copied());
        self.extent = around.map_or(self.extent, |around| self.extent.union(around));
        self.layers.push(Layer::new(LayerKind::Links, Lines::new(self.pitch).open(&lines).path()));
        self.in_order()
    }

    fn with<P: AsRef<[[f32; 2]]>>(
        mut self,
        kind: LayerKind,
        shapes: impl IntoIterator<Item = P>,
        shown: Option<[Tick; 2]>,
    ) -> Self {
        let shapes: Vec<Vec<[f64; 2]>> = shapes.into_iter().map(|shape| flat(shape.as_ref())).collect();
        let around = Extent::around(shapes.iter().flatten().copied());
        self.extent = around.map_or(self.extent, |around| self.extent.union(around));
        self.layers.push(Layer { shown, ..Layer::new(kind, Lines::new(self.pitch).closed(&shapes).path()) });
        self.in_order()
    }

    /// Layers by kind, lowest first.
    fn in_order(mut self) -> Self {
        self.layers.sort_by_key(|layer| layer.kind);
        self
    }

    /// The rectangle that a picture of the map shows.
    pub(crate) fn extent(&self) -> Extent {
        self.extent.grown(self.margin)
    }

    /// Where `node` lies; `None` if there is no such node.
    pub(crate) fn place(&self, node: usize) -> Option<[f64; 2]> {
        match &self.places {
            Places::Cells { width, height } => {
                let (x, y) = (node.checked_rem(*width)?, node / *width);
                #[allow(clippy::cast_precision_loss)] // sides are 32-bit
                (y < *height).then_some([x as f64, y as f64])
            }
            Places::Points(points) => points.get(node).copied().flatten(),
        }
    }

    /// Whether places are unit cells, rather than points.
    pub(crate) fn is_cells(&self) -> bool {
        matches!(self.places, Places::Cells { .. })
    }
}

/// The ways between the places of a space.
struct Ways {
    /// From place to place, each pair of places once.
    straight: Vec<Vec<[f64; 2]>>,
    /// Points along trajectories.
    curves: Vec<Vec<[f64; 2]>>,
    /// Moves on which units are nowhere in between.
    jumps: Vec<Vec<[f64; 2]>>,
}

impl Ways {
    fn of<S: Embedding>(space: &S, points: &[Option<[f64; 2]>]) -> Self {
        let place = |node: NodeId| points.get(node.index()).copied().flatten();
        let (mut straight, mut curves, mut jumps) = (Vec::new(), Vec::new(), Vec::new());
        let moves = space.nodes().filter(|node| space.contains(*node)).flat_map(|node| space.moves(node));
        for m in moves.filter(|m| place(m.to).is_some()) {
            let ends = (m.from.min(m.to), m.from.max(m.to));
            match space.trajectory(&m) {
                None => straight.push(ends),
                Some(trajectory) if trajectory.is_jump() => jumps.push(ends),
                Some(trajectory) => curves.push(course(space, &m, trajectory)),
            }
        }
        let lines = |mut ends: Vec<(NodeId, NodeId)>| -> Vec<Vec<[f64; 2]>> {
            ends.sort_unstable();
            ends.dedup();
            let ends = ends.into_iter().filter_map(|(a, b)| Some(vec![place(a)?, place(b)?]));
            ends.filter(|ends| ends[0] != ends[1]).collect()
        };
        Self { straight: lines(straight), curves, jumps: lines(jumps) }
    }

    fn path(&self, pitch: f64) -> String {
        Lines::new(pitch).open(&self.straight).open(&self.curves).path()
    }

    /// `extent`, with all of the curves.
    fn around(&self, extent: Extent) -> Extent {
        Extent::around(self.curves.iter().flatten().copied()).map_or(extent, |curves| curves.union(extent))
    }
}

/// The points through which `trajectory` is drawn, the ends included.
fn course<S: Embedding>(space: &S, m: &MoveIn<S>, trajectory: &Trajectory) -> Vec<[f64; 2]> {
    let [from, to] = [m.from, m.to].map(|node| TracedPlace::from_node(space, node));
    let traced = TracedMove { trajectory: Some(0), ..TracedMove::new(0, 1, to) };
    let way = between(std::slice::from_ref(trajectory), &from, &traced);
    std::iter::once(plane(&from))
        .chain(way.into_iter().map(|(_, placement)| placement.at))
        .chain([plane(&to)])
        .collect()
}

/// Where the nodes of `space` lie; `None` for nodes that do not exist.
fn positions<S: Embedding>(space: &S) -> Vec<Option<[f64; 2]>> {
    space.nodes().map(|node| space.contains(node).then(|| point(space.position(node)))).collect()
}

fn flat(shape: &[[f32; 2]]) -> Vec<[f64; 2]> {
    shape.iter().map(|[x, y]| point([*x, *y, 0.0])).collect()
}

/// `width`, or 1 if it is not positive and finite.
fn positive(width: f32) -> f64 {
    if width.is_finite() && width > 0.0 { f64::from(width) } else { 1.0 }
}

/// The mean of the corners of a shape, which has some.
#[allow(clippy::cast_precision_loss)] // few corners
fn middle(shape: &[[f64; 2]]) -> [f64; 2] {
    let sum = shape.iter().fold([0.0, 0.0], |sum: [f64; 2], corner| [sum[0] + corner[0], sum[1] + corner[1]]);
    sum.map(|side| side / shape.len() as f64)
}

/// The area of a polygon.
fn area(shape: &[[f64; 2]]) -> f64 {
    let next = shape.iter().cycle().skip(1);
    let twice: f64 = shape.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
    twice.abs() / 2.0
}

/// The size of a place among `edges`: all edges but the shortest have room for it.
fn pitch(edges: &[Vec<[f64; 2]>], around: Extent) -> f64 {
    let mut lengths: Vec<f64> = edges
        .iter()
        .map(|ends| ((ends[0][0] - ends[1][0]).powi(2) + (ends[0][1] - ends[1][1]).powi(2)).sqrt())
        .collect();
    lengths.sort_unstable_by(f64::total_cmp);
    let longest_side = around.width().max(around.height());
    let short = lengths.get(lengths.len() / 10).copied().unwrap_or(longest_side / 10.0);
    let pitch = short.max(longest_side / 300.0);
    if pitch > 0.0 { pitch } else { 1.0 }
}
