//! Navigation meshes from an outline with obstacles: a constrained Delaunay triangulation by the
//! [spade](https://docs.rs/spade) crate, joined to convex polygons.

use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation as _};

use super::convex::convex_polygons;
use super::mesh::{NO_AREA, NavMesh};
use super::snap_rounding::{GridPoint, exact, snap_rounded};
use super::triangles::{Border, inside};
use super::walls::unshared_edges;
use crate::space_error::{FARTHEST, SpaceError};

type Delaunay = ConstrainedDelaunayTriangulation<Point2<f64>>;

impl NavMesh {
    /// The ground inside `outline` and outside all `obstacles`, divided into convex polygons. The number of polygons is
    /// at most four times the least possible number. `outline`, and each obstacle, is a polygon, given by its corners
    /// in order, clockwise or counterclockwise.
    ///
    /// Obstacles may overlap each other, touch each other, lie inside each other, and reach beyond the outline.
    /// Obstacles with fewer than three corners have no effect. If a polygon crosses itself, the even-odd rule says what
    /// is inside: ground around which the polygon goes twice is outside.
    ///
    /// Corners, and points where edges cross, are rounded to multiples of one number. This number is the precision of
    /// an `f32` at the largest coordinate: 2^-24 to 2^-23 of that coordinate. Coordinates of obstacles outside the
    /// outline do not count.
    ///
    /// If edges are short, the time and memory are n log n in the number of corners and crossings.
    ///
    /// # Errors
    /// A coordinate is not finite or beyond 10^6, or no ground with an area is left.
    ///
    /// ```
    /// use giveway_spaces::NavMesh;
    ///
    /// let yard = [[0.0, 0.0], [20.0, 0.0], [20.0, 12.0], [0.0, 12.0]];
    /// let house = vec![[4.0, 4.0], [9.0, 4.0], [9.0, 8.0], [4.0, 8.0]];
    /// let porch = vec![[8.0, 5.0], [12.0, 5.0], [12.0, 7.0], [8.0, 7.0]];
    /// let mesh = NavMesh::from_outline(&yard, &[house, porch])?;
    /// assert!(mesh.contains([2.0, 6.0]) && !mesh.contains([10.0, 6.0]));
    /// assert_eq!(mesh.bounds(), [[0.0, 0.0], [20.0, 12.0]]);
    /// # Ok::<(), giveway_spaces::SpaceError>(())
    /// ```
    pub fn from_outline(outline: &[[f32; 2]], obstacles: &[Vec<[f32; 2]>]) -> Result<Self, SpaceError> {
        let wrong = |corners: &[[f32; 2]]| corners.iter().position(|corner| corner.iter().any(|side| is_wrong(*side)));
        if let Some(corner) = wrong(outline) {
            return Err(SpaceError::OutlineCorner { corner, position: outline[corner] });
        }
        for (obstacle, corners) in obstacles.iter().enumerate() {
            if let Some(corner) = wrong(corners) {
                return Err(SpaceError::ObstacleCorner { obstacle, corner, position: corners[corner] });
            }
        }
        let Some(around) = bounds(outline) else { return Err(NO_AREA) };
        let meets = |[least, most]: [[f32; 2]; 2]| {
            (0..2).all(|axis| least[axis] <= around[1][axis] && most[axis] >= around[0][axis])
        };
        // An obstacle that is far away must not make the grid coarse.
        let obstacles = obstacles.iter().map(Vec::as_slice).filter(|corners| bounds(corners).is_some_and(meets));
        let polygons: Vec<&[[f32; 2]]> = std::iter::once(outline).chain(obstacles).collect();
        let grid = Grid::of(&polygons);
        let edges = polygons.iter().enumerate().flat_map(|(polygon, corners)| {
            let edges = grid.edges(corners);
            edges.map(move |edge| (polygon, edge))
        });
        let Triangulation { points, triangles, borders } = Triangulation::of(&edges.collect::<Vec<_>>())?;
        let ground = inside(&triangles, &borders, polygons.len());
        let mut mesh = Self::of_vertices(points.iter().map(|point| grid.position(*point)).collect());
        for ring in convex_polygons(&points, &ground) {
            mesh.push(ring)?;
        }
        mesh.measure()?;
        let walls = unshared_edges(&mesh);
        mesh.set_walls(walls);
        Ok(mesh)
    }
}

fn is_wrong(side: f32) -> bool {
    !side.is_finite() || side.abs() > FARTHEST
}

/// The least and the largest coordinates; `None` without corners.
fn bounds(corners: &[[f32; 2]]) -> Option<[[f32; 2]; 2]> {
    let (first, rest) = corners.split_first()?;
    let grow = |[least, most]: [[f32; 2]; 2], corner: &[f32; 2]| {
        [[0, 1].map(|axis| least[axis].min(corner[axis])), [0, 1].map(|axis| most[axis].max(corner[axis]))]
    };
    Some(rest.iter().fold([*first, *first], grow))
}

/// A grid whose every point fits numbers of 32 bits.
struct Grid {
    /// The points of one unit: a power of two.
    scale: f64,
}

/// The bits of a coordinate of a grid point, without its sign.
const BITS: i32 = 24;

impl Grid {
    /// The finest grid for `polygons`, but not much finer than a millionth.
    fn of(polygons: &[&[[f32; 2]]]) -> Self {
        let sides = polygons.iter().copied().flatten().flatten();
        let far = sides.fold(0.0, |far: f64, side| far.max(f64::from(side.abs())));
        let (_, exponent) = libm::frexp(far);
        Self { scale: libm::ldexp(1.0, BITS - exponent.max(-4)) }
    }

    #[allow(clippy::cast_possible_truncation)] // of few bits
    fn point(&self, corner: [f32; 2]) -> GridPoint {
        corner.map(|side| libm::round(f64::from(side) * self.scale) as i64)
    }

    /// The edges of a polygon, without edges of length 0.
    fn edges(&self, corners: &[[f32; 2]]) -> impl Iterator<Item = [GridPoint; 2]> {
        let next = corners.iter().cycle().skip(1);
        let edges = corners.iter().zip(next).map(|(from, to)| [self.point(*from), self.point(*to)]);
        edges.filter(|[from, to]| from != to)
    }

    #[allow(clippy::cast_possible_truncation)] // whole numbers of few bits
    fn position(&self, point: GridPoint) -> [f32; 2] {
        exact(point).map(|side| (side / self.scale) as f32)
    }
}

/// A triangulation of all points of the convex hull of some polygons.
struct Triangulation {
    points: Vec<GridPoint>,
    /// Counterclockwise if x grows to the right and y upwards.
    triangles: Vec<[u32; 3]>,
    /// In order.
    borders: Vec<Border>,
}

impl Triangulation {
    /// Triangles of which `edges`, each of a polygon, are edges once they are rounded to chains.
    fn of(edges: &[(usize, [GridPoint; 2])]) -> Result<Self, SpaceError> {
        let segments: Vec<[GridPoint; 2]> = edges.iter().map(|(_, ends)| *ends).collect();
        let chains = snap_rounded(&segments);
        let mut points: Vec<GridPoint> = chains.iter().flatten().copied().collect();
        points.sort_unstable();
        points.dedup();
        let vertices = points.iter().map(|point| exact(*point)).map(|[x, y]| Point2::new(x, y)).collect();
        let mut delaunay = Delaunay::bulk_load(vertices).map_err(|_| SpaceError::TooManyCorners)?;
        // Vertices may be in another order than points.
        let mut vertices = vec![None; points.len()];
        let mut numbers = vec![0; points.len()];
        for vertex in delaunay.vertices() {
            let Point2 { x, y } = vertex.position();
            #[allow(clippy::cast_possible_truncation)] // they were whole numbers
            let Ok(place) = points.binary_search(&[x as i64, y as i64]) else { continue };
            vertices[place] = Some(vertex.fix());
            numbers[vertex.index()] = u32::try_from(place).map_err(|_| SpaceError::TooManyCorners)?;
        }
        let vertex = |point: &GridPoint| points.binary_search(point).ok().and_then(|place| vertices[place]);
        let mut borders = Vec::new();
        for ((polygon, _), chain) in edges.iter().zip(&chains) {
            for ends in chain.windows(2) {
                let (Some(from), Some(to)) = (vertex(&ends[0]), vertex(&ends[1])) else { continue };
                // Chains do not cross, so there is always a way, over the points that lie on it.
                for edge in delaunay.try_add_constraint(from, to) {
                    let mut ends = delaunay.directed_edge(edge).vertices().map(|vertex| numbers[vertex.index()]);
                    ends.sort_unstable();
                    borders.push((ends, *polygon));
                }
            }
        }
        borders.sort_unstable();
        let triangles = delaunay.inner_faces().map(|face| face.vertices().map(|vertex| numbers[vertex.index()]));
        let mut triangles: Vec<[u32; 3]> = triangles.collect();
        triangles.sort_unstable();
        Ok(Self { triangles, points, borders })
    }
}
