//! The walls of a mesh: edges, or parts of edges, with a polygon on one side only.

use giveway_core::plane::length;

use super::{NavMesh, cross};
use crate::segments::Segments;

/// Edges that lie as near to each other, in parts of coordinates, are along each other.
const NEAR: f64 = 1e-5;

/// The walls of `mesh`, polygon by polygon.
pub(super) fn walls(mesh: &NavMesh) -> Vec<[[f32; 2]; 2]> {
    without_shared_parts(&unshared_edges(mesh))
}

/// The edges that no two polygons have, polygon by polygon: the walls, unless edges of polygons lie along parts of edges.
pub(super) fn unshared_edges(mesh: &NavMesh) -> Vec<[[f32; 2]; 2]> {
    let edges = mesh.polygons().flat_map(|corners| {
        (0..corners.len())
            .map(|place| [place, (place + 1) % corners.len()].map(|place| mesh.vertices[corners[place] as usize]))
    });
    // Bits tell positions apart; zero has one sign.
    let key = |edge: [[f32; 2]; 2]| edge.map(|at| at.map(|side| (side + 0.0).to_bits()));
    let edges: Vec<[[f32; 2]; 2]> = edges.collect();
    let mut keys: Vec<[[u32; 2]; 2]> = edges.iter().map(|edge| key(*edge)).collect();
    keys.sort_unstable();
    edges.into_iter().filter(|[from, to]| keys.binary_search(&key([*to, *from])).is_err()).collect()
}

/// `edges` without the parts that lie along a part of another edge, the other way round.
fn without_shared_parts(edges: &[[[f32; 2]; 2]]) -> Vec<[[f32; 2]; 2]> {
    let exact: Vec<[[f64; 2]; 2]> = edges.iter().map(|edge| edge.map(|at| at.map(f64::from))).collect();
    let far = exact.as_flattened().as_flattened().iter().fold(1.0, |far: f64, side| far.max(side.abs()));
    let near = far * NEAR;
    let segments = Segments::new(exact);
    let mut left = Vec::with_capacity(edges.len());
    for (number, edge) in edges.iter().enumerate() {
        let [from, to] = segments.get(number);
        let along = [to[0] - from[0], to[1] - from[1]];
        let size = length(along);
        let share = |at: [f64; 2]| ((at[0] - from[0]) * along[0] + (at[1] - from[1]) * along[1]) / (size * size);
        let is_on_line = |at: [f64; 2]| cross(along, [at[0] - from[0], at[1] - from[1]]).abs() <= near * size;
        let mut shared: Vec<[f64; 2]> = Vec::new();
        segments.for_each_near([from, to], near, |other, [begin, end]| {
            let by = [end[0] - begin[0], end[1] - begin[1]];
            let is_back = along[0] * by[0] + along[1] * by[1] < 0.0;
            if other != number && is_back && is_on_line(begin) && is_on_line(end) {
                shared.push([share(end).max(0.0), share(begin).min(1.0)]);
            }
        });
        if shared.iter().all(|[begin, end]| end <= begin) || size <= near {
            // As it was given, to the bit.
            left.push(*edge);
            continue;
        }
        shared.sort_unstable_by(|one, other| one[0].total_cmp(&other[0]));
        let mut done = 0.0;
        let mut add = |begin: f64, end: f64| {
            if (end - begin) * size > near {
                #[allow(clippy::cast_possible_truncation)] // the ends of edges were of 32 bits
                let at = |share: f64| [0, 1].map(|axis| (from[axis] + along[axis] * share) as f32);
                left.push([if begin == 0.0 { edge[0] } else { at(begin) }, if end == 1.0 { edge[1] } else { at(end) }]);
            }
        };
        for [begin, end] in shared.into_iter().filter(|[begin, end]| end > begin) {
            add(done, begin);
            done = end.max(done);
        }
        add(done, 1.0);
    }
    left
}
