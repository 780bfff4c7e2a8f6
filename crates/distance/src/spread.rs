//! Where landmarks stand: far from each other, in the large parts of the space.
//!
//! Goldberg & Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory", SODA 2005, section on landmark
//! selection: farthest landmarks.
//!
//! Differs from the paper: a space may have several strongly connected parts. Each part gets landmarks in proportion to
//! its nodes. So small parts do not take the landmarks of large ones.

use giveway_core::near::{Part, Parts, Passable};
use giveway_core::{NodeId, SpaceGraph};

use super::whole_costs::{Column, UNREACHED, WholeCosts};

/// At most `count` landmarks that exist, without duplicates, and the distances to and from each.
pub(super) fn spread<S: SpaceGraph>(space: &S, costs: &WholeCosts, count: usize) -> (Vec<NodeId>, Vec<Column>) {
    let mut regions = Regions::new(space);
    // Per node, the distance between it and the nearest landmark, in the direction in which that is smaller.
    let mut near = vec![UNREACHED; space.node_bound()];
    let (mut landmarks, mut columns) = (Vec::new(), Vec::new());
    while landmarks.len() < count {
        let candidates = regions.candidates();
        let Some(first) = candidates.first().copied() else {
            break;
        };
        // Without a landmark in sight, the first of all is the one that is farthest from some node.
        let chosen = farthest(&candidates, &near).unwrap_or_else(|| {
            let nearer: Vec<u32> = costs.column(first).nearer().collect();
            farthest(&candidates, &nearer).unwrap_or(first)
        });
        let column = costs.column(chosen);
        for (near, nearer) in near.iter_mut().zip(column.nearer()) {
            *near = nearer.min(*near);
        }
        regions.take(chosen);
        landmarks.push(chosen);
        columns.push(column);
    }
    (landmarks, columns)
}

/// Of the `candidates` with a distance, the one with the largest; among equals the lowest.
fn farthest(candidates: &[NodeId], distances: &[u32]) -> Option<NodeId> {
    let distance = |node: &NodeId| distances[node.index()];
    let reached = candidates.iter().copied().filter(|node| distance(node) != UNREACHED);
    reached.rev().max_by_key(distance)
}

/// The strongly connected parts of a space, and how many landmarks are in each.
struct Regions {
    /// The nodes that exist and are no landmarks, ascending, each with the number of its region.
    nodes: Vec<(NodeId, usize)>,
    regions: Vec<Region>,
}

#[derive(Clone, Copy, Default)]
struct Region {
    nodes: u64,
    landmarks: u64,
}

impl Region {
    /// Whether it has more nodes for each of its landmarks, the next one included, than `other`.
    fn is_larger_than(self, other: Self) -> bool {
        self.nodes * (other.landmarks + 1) > other.nodes * (self.landmarks + 1)
    }
}

impl Regions {
    fn new(space: &impl SpaceGraph) -> Self {
        let mut parts = Parts::default();
        let ground = Passable::new(space, |_| true);
        let existing = space.nodes().filter(|node| space.contains(*node));
        let mut placed: Vec<(Part, NodeId)> =
            existing.filter_map(|node| Some((parts.part(&ground, node)?, node))).collect();
        placed.sort_unstable();
        let mut regions: Vec<Region> = Vec::new();
        let mut nodes = Vec::with_capacity(placed.len());
        for group in placed.chunk_by(|(one, _), (other, _)| one == other) {
            nodes.extend(group.iter().map(|(_, node)| (*node, regions.len())));
            regions.push(Region { nodes: group.len() as u64, landmarks: 0 });
        }
        nodes.sort_unstable();
        Self { nodes, regions }
    }

    /// The nodes, ascending, of the regions with the most nodes for each landmark.
    fn candidates(&self) -> Vec<NodeId> {
        let free = self.nodes.iter().map(|(_, region)| self.regions[*region]);
        let Some(largest) = free.reduce(|most, next| if next.is_larger_than(most) { next } else { most }) else {
            return Vec::new();
        };
        let nodes = self.nodes.iter().filter(|(_, region)| !largest.is_larger_than(self.regions[*region]));
        nodes.map(|(node, _)| *node).collect()
    }

    fn take(&mut self, landmark: NodeId) {
        if let Ok(index) = self.nodes.binary_search_by_key(&landmark, |(node, _)| *node) {
            let (_, region) = self.nodes.remove(index);
            self.regions[region].landmarks += 1;
        }
    }
}
