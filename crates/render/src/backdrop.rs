//! Backdrops: the map behind a picture, as shapes, without the space.

use std::fmt::Write as _;

use giveway_core::{Embedding, NodeId};

use crate::contour::contours;
use crate::extent::Extent;
use crate::markup::{Number, decimals_for};
use crate::plane::point;

/// The map behind a picture: walls, or places and the ways between them.
///
/// ```
/// use giveway_render::Backdrop;
/// use giveway_spaces::Grid;
///
/// let grid = Grid::from_ascii("..#\n...")?;
/// let as_cells = Backdrop::cells(3, 2, |x, y| grid.is_passable(x, y));
/// let as_graph = Backdrop::graph(&grid);
/// # Ok::<(), giveway_spaces::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Backdrop {
    pub(crate) extent: Extent,
    /// The size of a place, in world units; positive.
    pub(crate) pitch: f64,
    pub(crate) layers: Vec<Layer>,
    places: Places,
}

/// One kind of shape on the map, as SVG path data in world units.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) kind: LayerKind,
    pub(crate) path: String,
}

/// What the shapes of a layer are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LayerKind {
    /// Filled.
    Walls,
    /// Lines.
    Edges,
    /// Very short lines, to be drawn with round ends.
    Nodes,
}

impl LayerKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Walls => "walls",
            Self::Edges => "edges",
            Self::Nodes => "nodes",
        }
    }
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
    /// A map of `width` x `height` unit cells. A cell (x, y) is a wall unless it is `passable(x, y)`.
    ///
    /// Cell (x, y) lies around position (x, y), and its node is y * width + x: as in giveway's grids. Asks for every
    /// cell once, row by row.
    pub fn cells(width: u32, height: u32, mut passable: impl FnMut(u32, u32) -> bool) -> Self {
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let walls: Vec<bool> = cells.map(|(x, y)| !passable(x, y)).collect();
        Self {
            extent: Extent { min: [-0.5, -0.5], max: [f64::from(width.max(1)) - 0.5, f64::from(height.max(1)) - 0.5] },
            pitch: 1.0,
            layers: vec![Layer { kind: LayerKind::Walls, path: contours(width as usize, &walls) }],
            places: Places::Cells { width: width as usize, height: height as usize },
        }
    }

    /// The nodes of `space` as dots and its moves as lines.
    ///
    /// The space must keep the contract of [`SpaceGraph`](giveway_core::SpaceGraph). Moves to nodes beyond its bound
    /// are not drawn.
    pub fn graph<S: Embedding>(space: &S) -> Self {
        let nodes = || (0..u32::try_from(space.node_bound()).unwrap_or(u32::MAX)).map(NodeId);
        let points: Vec<Option<[f64; 2]>> =
            nodes().map(|node| space.contains(node).then(|| point(space.position(node)))).collect();
        let place = |node: NodeId| points.get(node.index()).copied().flatten();
        let mut edges: Vec<(NodeId, NodeId)> = nodes()
            .filter(|node| space.contains(*node))
            .flat_map(|node| space.moves(node).map(move |m| (node.min(m.to), node.max(m.to))))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let edges: Vec<([f64; 2], [f64; 2])> =
            edges.into_iter().filter_map(|(a, b)| Some((place(a)?, place(b)?))).filter(|(a, b)| a != b).collect();

        let around =
            Extent::around(points.iter().copied().flatten()).unwrap_or(Extent { min: [0.0; 2], max: [0.0; 2] });
        let pitch = pitch(&edges, around);
        let decimals = decimals_for(pitch);
        let mut lines = String::new();
        for ([x, y], [to_x, to_y]) in edges {
            let number = |value: f64| Number(value, decimals);
            let _ = write!(lines, "M{} {}L{} {}", number(x), number(y), number(to_x), number(to_y));
        }
        let mut dots = String::new();
        for [x, y] in points.iter().copied().flatten() {
            // In SVG a line of length 0 has round ends, but on a canvas it has none.
            let short = Number(pitch / 500.0, decimals);
            let _ = write!(dots, "M{} {}h{short}", Number(x, decimals), Number(y, decimals));
        }
        Self {
            extent: around.grown(pitch),
            pitch,
            layers: vec![Layer { kind: LayerKind::Edges, path: lines }, Layer { kind: LayerKind::Nodes, path: dots }],
            places: Places::Points(points),
        }
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

/// The size of a place among `edges`: so that all edges but the shortest have room for it.
fn pitch(edges: &[([f64; 2], [f64; 2])], around: Extent) -> f64 {
    let mut lengths: Vec<f64> =
        edges.iter().map(|(a, b)| ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()).collect();
    lengths.sort_unstable_by(f64::total_cmp);
    let longest_side = around.width().max(around.height());
    let short = lengths.get(lengths.len() / 10).copied().unwrap_or(longest_side / 10.0);
    let pitch = short.max(longest_side / 300.0);
    if pitch > 0.0 { pitch } else { 1.0 }
}
