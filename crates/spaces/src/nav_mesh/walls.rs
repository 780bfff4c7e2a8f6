//! The walls of a mesh: edges, or parts of edges, with a polygon on one side only.

use giveway_core::plane::length;

use super::mesh::{NavMesh, cross};
use crate::segments::Segments;

/// Edges of two polygons that lie as near to each other, in parts of the largest coordinate, are along each other:
/// positions are rounded.
pub(super) const NEAR: f64 = 2e-6;
/// And they are no farther apart than this part of the width of either polygon, so that opposite sides of a narrow
/// polygon are not along each other.
const NEAR_PART: f64 = 0.25;

/// An edge that no other polygon has.
struct Edge {
    ends: [[f32; 2]; 2],
    polygon: usize,
}

/// The walls of `mesh`, polygon by polygon.
pub(super) fn walls(mesh: &NavMesh) -> Vec<[[f32; 2]; 2]> {
    without_shared_parts(mesh, &alone(mesh))
}

/// The edges that no two polygons have, polygon by polygon: the walls, unless edges of polygons lie along parts of
/// edges.
#[cfg(feature = "spade")]
pub(super) fn unshared_edges(mesh: &NavMesh) -> Vec<[[f32; 2]; 2]> {
    alone(mesh).into_iter().map(|edge| edge.ends).collect()
}

fn alone(mesh: &NavMesh) -> Vec<Edge> {
    let edges = mesh.polygons().enumerate().flat_map(|(polygon, corners)| {
        (0..corners.len()).map(move |place| {
            let ends = [place, (place + 1) % corners.len()].map(|place| mesh.vertices[corners[place] as usize]);
            Edge { ends, polygon }
        })
    });
    // Bits tell positions apart; zero has one sign.
    let key = |[from, to]: [[f32; 2]; 2]| [from, to].map(|at| at.map(|side| (side + 0.0).to_bits()));
    let edges: Vec<Edge> = edges.collect();
    let mut keys: Vec<[[u32; 2]; 2]> = edges.iter().map(|edge| key(edge.ends)).collect();
    keys.sort_unstable();
    edges.into_iter().filter(|Edge { ends: [from, to], .. }| keys.binary_search(&key([*to, *from])).is_err()).collect()
}

/// How far the corners of its polygon are from `edge`, at most.
fn width(mesh: &NavMesh, edge: &Edge) -> f64 {
    let [from, to] = edge.ends.map(|at| at.map(f64::from));
    let along = [to[0] - from[0], to[1] - from[1]];
    let corners = &mesh.corners[mesh.first[edge.polygon] as usize..mesh.first[edge.polygon + 1] as usize];
    let far = |corner: &u32| {
        let at = mesh.vertices[*corner as usize].map(f64::from);
        cross(along, [at[0] - from[0], at[1] - from[1]]).abs() / length(along)
    };
    corners.iter().map(far).fold(0.0, f64::max)
}

/// `edges` without the parts that lie along a part of an edge of another polygon, the other way round.
fn without_shared_parts(mesh: &NavMesh, edges: &[Edge]) -> Vec<[[f32; 2]; 2]> {
    let exact: Vec<[[f64; 2]; 2]> = edges.iter().map(|edge| edge.ends.map(|at| at.map(f64::from))).collect();
    let tolerance = mesh.largest_coordinate() * NEAR;
    let nears: Vec<f64> = edges.iter().map(|edge| tolerance.min(width(mesh, edge) * NEAR_PART)).collect();
    let segments = Segments::new(exact);
    let mut left = Vec::with_capacity(edges.len());
    for (number, Edge { ends: edge, polygon }) in edges.iter().enumerate() {
        let [from, to] = segments.get(number);
        let near = nears[number];
        let along = [to[0] - from[0], to[1] - from[1]];
        let size = length(along);
        let share = |at: [f64; 2]| ((at[0] - from[0]) * along[0] + (at[1] - from[1]) * along[1]) / (size * size);
        let off = |at: [f64; 2]| cross(along, [at[0] - from[0], at[1] - from[1]]).abs() / size;
        let mut shared: Vec<[f64; 2]> = Vec::new();
        segments.for_each_near([from, to], near, |other, [begin, end]| {
            let by = [end[0] - begin[0], end[1] - begin[1]];
            let is_back = along[0] * by[0] + along[1] * by[1] < 0.0;
            if !is_back || edges[other].polygon == *polygon {
                return;
            }
            // The parts of both that are beside each other.
            let part = [share(end).max(0.0), share(begin).min(1.0)];
            if part[0] >= part[1] {
                return;
            }
            let back = share(begin) - share(end);
            let opposite = |at: f64| {
                let done = (share(begin) - at) / back;
                [begin[0] + by[0] * done, begin[1] + by[1] * done]
            };
            let near = near.min(nears[other]);
            if part.iter().all(|at| off(opposite(*at)) <= near) {
                shared.push(part);
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
