//! Navigation meshes: convex polygons side by side.

use giveway_core::plane::length;

use super::finder::Finder;
use crate::segments::Segments;
use crate::space_error::SpaceError;

/// A navigation mesh: convex polygons, side by side, on which units can walk. An edge with a polygon on one side only
/// is a wall.
///
/// A mesh lies in the plane. Game engines export meshes with heights: leave the height out, and make a mesh for each
/// floor.
///
/// A mesh is no space yet: [`Waypoints`](crate::Waypoints), made for a mesh and a body, are a space.
///
/// ```
/// use giveway_spaces::NavMesh;
///
/// // Two squares beside each other, and a triangle that touches the second one at a corner.
/// let vertices = vec![[0.0, 0.0], [4.0, 0.0], [8.0, 0.0], [0.0, 4.0], [4.0, 4.0], [8.0, 4.0], [9.0, 9.0], [8.0, 9.0]];
/// let mesh = NavMesh::new(vertices, vec![vec![0, 1, 4, 3], vec![1, 2, 5, 4], vec![5, 6, 7]])?;
/// assert_eq!(mesh.walls().count(), 3 + 3 + 3);
/// assert!(mesh.contains([7.0, 1.0]) && !mesh.contains([1.0, 7.0]));
/// # Ok::<(), giveway_spaces::SpaceError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct NavMesh {
    pub(super) vertices: Vec<[f32; 2]>,
    /// The corners of all polygons, one polygon after the other, each counterclockwise if x grows to the right and y
    /// upwards.
    pub(super) corners: Vec<u32>,
    /// Where the corners of each polygon begin; one more element than polygons.
    pub(super) first: Vec<u32>,
    /// The mesh lies to the left of each.
    walls: Vec<[[f32; 2]; 2]>,
    /// The walls, found by where they are.
    segments: Box<Segments>,
    /// The polygons, found by where they are.
    pub(super) finder: Box<Finder>,
    /// The least and the largest coordinates.
    pub(super) bounds: [[f32; 2]; 2],
}

/// A polygon is flat if it is less wide than this part of its coordinates. A corner may be bent inwards by the same
/// part.
pub(super) const FLAT: f64 = 1e-6;

pub(super) const NO_AREA: SpaceError = SpaceError::Empty { needs: "expected at least one polygon that has an area" };

impl NavMesh {
    /// A mesh without polygons.
    pub(super) fn of_vertices(vertices: Vec<[f32; 2]>) -> Self {
        Self {
            vertices,
            corners: Vec::new(),
            first: vec![0],
            walls: Vec::new(),
            segments: Box::new(Segments::new(Vec::new())),
            finder: Box::new(Finder::blank()),
            bounds: [[0.0; 2]; 2],
        }
    }

    pub(super) fn set_walls(&mut self, walls: Vec<[[f32; 2]; 2]>) {
        *self.segments = Segments::new(walls.iter().map(|wall| wall.map(|at| at.map(f64::from))).collect());
        self.walls = walls;
        *self.finder = Finder::new(self);
    }

    /// Finds the bounds of all polygons, if there are any.
    pub(super) fn measure(&mut self) -> Result<(), SpaceError> {
        let mut positions = self.corners.iter().map(|corner| self.vertices[*corner as usize]);
        let Some(first) = positions.next() else { return Err(NO_AREA) };
        self.bounds = positions.fold([first, first], |[least, most], at| {
            [
                std::array::from_fn(|axis| least[axis].min(at[axis])),
                std::array::from_fn(|axis| most[axis].max(at[axis])),
            ]
        });
        Ok(())
    }

    /// Adds a polygon that is convex and counterclockwise.
    pub(super) fn push(&mut self, ring: Vec<u32>) -> Result<(), SpaceError> {
        self.corners.extend(ring);
        self.first.push(u32::try_from(self.corners.len()).map_err(|_| SpaceError::TooManyCorners)?);
        Ok(())
    }

    /// Adds the polygon numbered `polygon`, if it has an area.
    pub(super) fn add(&mut self, polygon: usize, corners: &[u32]) -> Result<(), SpaceError> {
        if corners.len() < 3 {
            return Err(SpaceError::FewCorners { polygon, corners: corners.len() });
        }
        if let Some(corner) = corners.iter().find(|corner| **corner as usize >= self.vertices.len()) {
            return Err(SpaceError::NoSuchVertex { polygon, vertex: *corner, vertices: self.vertices.len() });
        }
        let at = |corner: u32| self.vertices[corner as usize].map(f64::from);
        let mut ring: Vec<u32> = corners.to_vec();
        ring.dedup_by_key(|corner| self.vertices[*corner as usize].map(|side| side + 0.0));
        while ring.len() > 1 && at(ring[0]) == at(ring[ring.len() - 1]) {
            ring.pop();
        }
        let Some((first, rest)) = ring.split_first().filter(|(_, rest)| rest.len() >= 2) else { return Ok(()) };
        // Relative to the first corner, so that far coordinates do not cost digits.
        let origin = at(*first);
        let from_origin = |corner: &u32| [at(*corner)[0] - origin[0], at(*corner)[1] - origin[1]];
        let doubled: f64 = rest.windows(2).map(|pair| cross(from_origin(&pair[0]), from_origin(&pair[1]))).sum();
        let perimeter: f64 = (0..ring.len()).map(|place| length(self.edge(&ring, place))).sum();
        let slack = FLAT * ring.iter().flat_map(|corner| at(*corner)).fold(1.0, |far: f64, side| far.max(side.abs()));
        if doubled.abs() <= slack * perimeter {
            // A polygon that crosses itself may have no area, either, and is no line.
            let far = rest.iter().map(from_origin).max_by(|one, other| length(*one).total_cmp(&length(*other)));
            let along = far.unwrap_or([0.0; 2]);
            let is_flat = |corner: &u32| cross(along, from_origin(corner)).abs() <= 4.0 * slack * length(along);
            return if rest.iter().all(is_flat) { Ok(()) } else { Err(SpaceError::NotConvex { polygon }) };
        }
        if doubled < 0.0 {
            ring.reverse();
        }
        if !self.is_convex(&ring, slack) {
            return Err(SpaceError::NotConvex { polygon });
        }
        self.push(ring)
    }

    /// The edge of `ring` from its corner number `place` to the next.
    fn edge(&self, ring: &[u32], place: usize) -> [f64; 2] {
        let [from, to] =
            [place, place + 1].map(|place| self.vertices[ring[place % ring.len()] as usize].map(f64::from));
        [to[0] - from[0], to[1] - from[1]]
    }

    /// Whether `ring`, counterclockwise, goes round once and nowhere turns right by more than `slack`.
    fn is_convex(&self, ring: &[u32], slack: f64) -> bool {
        let mut turns = 0.0;
        for place in 0..ring.len() {
            let (edge, next) = (self.edge(ring, place), self.edge(ring, place + 1));
            let sine = cross(edge, next);
            if sine < -slack * length(edge).max(length(next)) {
                return false;
            }
            turns += libm::atan2(sine, edge[0] * next[0] + edge[1] * next[1]);
        }
        (turns - std::f64::consts::TAU).abs() < 1.0
    }

    /// The vertices, as positions in world units. A vertex may belong to no polygon.
    pub fn vertices(&self) -> &[[f32; 2]] {
        &self.vertices
    }

    /// The polygons that have an area. Each polygon is a list of indices of [vertices](Self::vertices),
    /// counterclockwise if x grows to the right and y upwards.
    pub fn polygons(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.first.windows(2).map(|ends| &self.corners[ends[0] as usize..ends[1] as usize])
    }

    /// The corners of each polygon, as positions.
    pub fn outlines(&self) -> impl ExactSizeIterator<Item = Vec<[f32; 2]>> {
        self.polygons().map(|corners| corners.iter().map(|corner| self.vertices[*corner as usize]).collect())
    }

    /// The walls: edges, or parts of edges, with a polygon on one side only. Seen along a wall, the mesh lies to the
    /// left, if x grows to the right and y upwards.
    pub fn walls(&self) -> impl ExactSizeIterator<Item = [[f32; 2]; 2]> {
        self.walls.iter().copied()
    }

    /// The bounding box of all polygons: its least corner and its greatest corner, in world units.
    pub fn bounds(&self) -> [[f32; 2]; 2] {
        self.bounds
    }

    /// Whether `point` is on the mesh, or on its edge. Takes little time: only a few polygons are tested.
    pub fn contains(&self, point: [f32; 2]) -> bool {
        self.is_on(point.map(f64::from))
    }

    pub(crate) fn is_on(&self, point: [f64; 2]) -> bool {
        let corners = |polygon: u32| {
            let polygon = polygon as usize;
            &self.corners[self.first[polygon] as usize..self.first[polygon + 1] as usize]
        };
        self.finder.near(point).iter().any(|polygon| self.is_in(corners(*polygon), point))
    }

    /// The largest of all coordinates without their signs, and 1 at least: positions are rounded in proportion to it.
    pub(super) fn largest_coordinate(&self) -> f64 {
        self.bounds.as_flattened().iter().fold(1.0, |far: f64, side| far.max(f64::from(side.abs())))
    }

    /// The walls, found by where they are.
    pub(crate) fn segments(&self) -> &Segments {
        &self.segments
    }

    /// The area of all polygons together, in square world units.
    pub fn area(&self) -> f64 {
        let area = |corners: &[u32]| -> f64 {
            let edges = (0..corners.len()).map(|place| {
                let from = self.vertices[corners[0] as usize].map(f64::from);
                let at = self.vertices[corners[place] as usize].map(f64::from);
                cross([at[0] - from[0], at[1] - from[1]], self.edge(corners, place)) / 2.0
            });
            edges.sum()
        };
        self.polygons().map(area).sum()
    }

    /// Whether `point` is in the polygon of these `corners`, or on its edge.
    fn is_in(&self, corners: &[u32], point: [f64; 2]) -> bool {
        (0..corners.len()).all(|place| {
            let from = self.vertices[corners[place] as usize].map(f64::from);
            cross(self.edge(corners, place), [point[0] - from[0], point[1] - from[1]]) >= 0.0
        })
    }
}

/// Positive if `b` points to the left of `a`, where y grows upwards.
pub(crate) fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}
