//! Polygons of a mesh that overlap.

use giveway_core::plane::length;

use super::mesh::NavMesh;
use super::walls::NEAR;

/// Two polygons of `mesh` that overlap, the lower number first, if there are any. An overlap counts only if it is wider
/// than the gaps that count as none.
///
/// Looks at pairs of polygons that are in one bucket of the finder.
pub(super) fn overlapping(mesh: &NavMesh) -> Option<[usize; 2]> {
    let shapes: Vec<Shape> = mesh.polygons().map(|corners| Shape::of(mesh, corners)).collect();
    let near = mesh.largest_coordinate() * NEAR;
    mesh.finder.groups().find_map(|group| {
        // Along x: what begins beyond the end of a polygon does not overlap it.
        let mut group: Vec<u32> = group.to_vec();
        let shape = |number: &u32| &shapes[*number as usize];
        group.sort_unstable_by(|one, other| shape(one).least[0].total_cmp(&shape(other).least[0]).then(one.cmp(other)));
        group.iter().enumerate().find_map(|(place, one)| {
            let beside =
                group[place + 1..].iter().take_while(|other| shape(other).least[0] < shape(one).most[0] - near);
            let other = { beside }.find(|other| shape(one).overlaps(shape(other), near))?;
            Some([one.min(other), one.max(other)].map(|number| *number as usize))
        })
    })
}

/// A convex polygon, and the least and the largest coordinates of its corners.
struct Shape {
    corners: Vec<[f64; 2]>,
    least: [f64; 2],
    most: [f64; 2],
}

impl Shape {
    fn of(mesh: &NavMesh, corners: &[u32]) -> Self {
        let corners: Vec<[f64; 2]> =
            corners.iter().map(|corner| mesh.vertices[*corner as usize].map(f64::from)).collect();
        let [least, most] = [f64::min as fn(f64, f64) -> f64, f64::max].map(|choose| {
            let first = corners[0];
            corners.iter().fold(first, |[x, y], at| [choose(x, at[0]), choose(y, at[1])])
        });
        Self { corners, least, most }
    }

    /// Whether they overlap by more than `near`, whatever the direction in which this is measured.
    fn overlaps(&self, other: &Self, near: f64) -> bool {
        (0..2).all(|axis| self.least[axis] < other.most[axis] - near && other.least[axis] < self.most[axis] - near)
            && !self.is_beside(other, near)
            && !other.is_beside(self, near)
    }

    /// Whether `other` lies beyond an edge, but for `near`.
    fn is_beside(&self, other: &Self, near: f64) -> bool {
        let ends = self.corners.iter().zip(self.corners.iter().cycle().skip(1));
        { ends }.any(|(from, to)| {
            let along = [to[0] - from[0], to[1] - from[1]];
            let size = length(along);
            // How far a point is beyond the edge, times the length of the edge: polygons are counterclockwise.
            let beyond = |at: &[f64; 2]| (at[0] - from[0]) * along[1] - (at[1] - from[1]) * along[0];
            other.corners.iter().all(|at| beyond(at) >= -near * size)
                // A corner may be bent inwards a little, so that others are beyond the edge, too.
                && self.corners.iter().all(|at| beyond(at) <= near * size)
        })
    }
}
