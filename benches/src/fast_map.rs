//! FastMap, an experiment: positions in a space of several dimensions in which no distance exceeds the cost of a way.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use giveway::heuristic::Metric;
use giveway::{NodeId, SpaceGraph};

/// Cohen, Uras, Jahangiri, Arunasalam, Koenig & Kumar, "The FastMap Algorithm for Shortest Path Computations",
/// IJCAI 2018.
///
/// Differs from the paper: costs and coordinates are whole numbers, and halves are rounded down, which keeps the
/// estimates consistent. A one-way road counts as a road both ways, at the lesser cost of the two ways. Only the
/// largest part of the space gets coordinates.
#[derive(Clone, Debug)]
pub struct FastMap {
    dimensions: usize,
    /// The coordinates of each node.
    at: Arc<[u32]>,
}

/// How often the search for two nodes far from each other goes to and fro.
const ROUNDS: usize = 10;

/// The roads out of each node, driven both ways: the other end, and what is left of the cost.
struct Roads {
    first: Vec<usize>,
    roads: Vec<(u32, u32)>,
}

impl Roads {
    fn of<S: SpaceGraph<Cost = u32>>(space: &S) -> Self {
        let bound = u32::try_from(space.node_bound()).expect("ids have 32 bits");
        let moves = (0..bound).flat_map(|node| space.moves(NodeId(node)));
        let mut roads: Vec<(u32, u32, u32)> =
            moves.flat_map(|m| [(m.from.0, m.to.0, m.cost), (m.to.0, m.from.0, m.cost)]).collect();
        roads.sort_unstable();
        roads.dedup_by_key(|(from, to, _)| (*from, *to)); // the cheapest stays
        let mut first = vec![0; bound as usize + 1];
        for (from, ..) in &roads {
            first[*from as usize + 1] += 1;
        }
        for node in 1..first.len() {
            first[node] += first[node - 1];
        }
        Self { first, roads: roads.into_iter().map(|(_, to, cost)| (to, cost)).collect() }
    }

    /// The distance of each node from `start`; `u32::MAX`: there is no way.
    fn flood(&self, start: u32) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.first.len() - 1];
        let mut open = BinaryHeap::from([Reverse((0, start))]);
        distances[start as usize] = 0;
        while let Some(Reverse((distance, node))) = open.pop() {
            if distance > distances[node as usize] {
                continue;
            }
            for (to, cost) in &self.roads[self.first[node as usize]..self.first[node as usize + 1]] {
                let longer = distance + cost;
                if longer < distances[*to as usize] {
                    distances[*to as usize] = longer;
                    open.push(Reverse((longer, *to)));
                }
            }
        }
        distances
    }

    /// The lowest node of the largest part.
    fn largest_part(&self) -> u32 {
        let mut seen = vec![false; self.first.len() - 1];
        let mut largest = (0, 0);
        let mut part = Vec::new();
        for start in 0..seen.len() {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            part.push(start);
            let mut size = 0;
            while let Some(node) = part.pop() {
                size += 1;
                for (to, _) in &self.roads[self.first[node]..self.first[node + 1]] {
                    if !std::mem::replace(&mut seen[*to as usize], true) {
                        part.push(*to as usize);
                    }
                }
            }
            if size > largest.0 {
                largest = (size, start);
            }
        }
        u32::try_from(largest.1).expect("ids have 32 bits")
    }
}

/// The node that can be reached and is farthest away; among equals the lowest.
fn farthest(distances: &[u32]) -> u32 {
    let reached = (0..).zip(distances).filter(|(_, distance)| **distance != u32::MAX);
    reached.max_by_key(|(node, distance)| (**distance, Reverse(*node))).map_or(0, |(node, _)| node)
}

impl FastMap {
    /// At most `dimensions` dimensions; fewer if nothing is left of the costs.
    pub fn new<S: SpaceGraph<Cost = u32>>(space: &S, dimensions: usize) -> Self {
        let mut roads = Roads::of(space);
        let nodes = space.node_bound();
        let begin = roads.largest_part();
        let mut axes: Vec<Vec<u32>> = Vec::new();
        while axes.len() < dimensions {
            let mut ends = (begin, begin);
            for _ in 0..ROUNDS {
                let next = farthest(&roads.flood(ends.1));
                if next == ends.0 {
                    break;
                }
                ends = (ends.1, next);
            }
            let (from_a, from_b) = (roads.flood(ends.0), roads.flood(ends.1));
            let between = from_a[ends.1 as usize];
            if between == 0 {
                break;
            }
            let at = |(a, b): (&u32, &u32)| if *a == u32::MAX { 0 } else { (a + between - b) / 2 };
            let axis: Vec<u32> = from_a.iter().zip(&from_b).map(at).collect();
            for node in 0..nodes {
                for (to, cost) in &mut roads.roads[roads.first[node]..roads.first[node + 1]] {
                    *cost -= axis[node].abs_diff(axis[*to as usize]);
                }
            }
            axes.push(axis);
        }
        let at = (0..nodes).flat_map(|node| axes.iter().map(move |axis| axis[node])).collect();
        Self { dimensions: axes.len(), at }
    }

    /// How many bytes the coordinates take.
    pub fn bytes(&self) -> usize {
        self.at.len() * size_of::<u32>()
    }
}

impl<S: SpaceGraph<Cost = u32>> Metric<S> for FastMap {
    #[inline]
    fn distance(&self, _space: &S, from: NodeId, to: NodeId) -> u32 {
        let [from, to] = [from, to].map(|node| &self.at[node.index() * self.dimensions..][..self.dimensions]);
        from.iter().zip(to).map(|(from, to)| from.abs_diff(*to)).sum()
    }
}
