//! Ways: which of several places costs least to go to.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Ground, Listed, square};
use crate::space::NodeId;

/// A\* without time from one node to the cheapest of some places, and its memory: twelve bytes for every node of the ground.
///
/// The places lie on a sphere around a target. So the estimate is the straight-line distance to that sphere at the least cost that any
/// move has for its length: never too much, and the same work for one place as for many.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    cost: Vec<u64>,
    /// In which search the cost of each node was found.
    found_in: Vec<u32>,
    search: u32,
    open: BinaryHeap<Reverse<(u64, u64, NodeId)>>,
}

impl Ways {
    /// The place of `places` to which the moves from `from` cost least; among equals, the lower node id. `None`: none can be reached.
    /// A single place is taken at its word. All lie as far from `target` as the first. No move costs less than `least_rate` for every
    /// world unit that it goes; 0 will always do.
    ///
    /// Time: that of the nodes that seem to lie on a way no dearer than the one that is found, and the logarithm of their number for each.
    pub fn cheapest(
        &mut self,
        ground: &impl Ground,
        least_rate: f64,
        from: NodeId,
        target: NodeId,
        places: &[Listed],
    ) -> Option<NodeId> {
        let first = match places {
            [] => return None,
            [only] => return Some(only.node),
            [first, ..] => first,
        };
        let (centre, radius) = (ground.position(target), first.square.sqrt());
        let estimate = |node| -> u64 {
            let away = (square(ground.position(node), centre).sqrt() - radius).abs();
            // A little less, so that rounding never makes it too much.
            let cost = (away * least_rate * (1.0 - 1e-6)).clamp(0.0, 1e15);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it is clamped
            {
                cost as u64
            }
        };
        let mut ends: Vec<NodeId> = places.iter().map(|place| place.node).collect();
        ends.sort_unstable();
        self.begin(ground.node_bound());
        self.reach(from, 0, estimate(from));
        let mut best: Option<(u64, NodeId)> = None;
        while let Some(Reverse((total, cost, node))) = self.open.pop() {
            if best.is_some_and(|(least, _)| total > least) {
                break;
            }
            if cost > self.cost[node.index()] {
                continue;
            }
            if ends.binary_search(&node).is_ok() {
                best = Some(best.map_or((cost, node), |best| best.min((cost, node))));
            }
            ground.for_each_move(node, &mut |to, price| {
                let cost = cost.saturating_add(price);
                let is_better = self.found_in.get(to.index()).is_some_and(|found_in| {
                    *found_in != self.search || self.cost.get(to.index()).is_some_and(|known| cost < *known)
                });
                if is_better {
                    self.reach(to, cost, estimate(to));
                }
            });
        }
        self.open.clear();
        best.map(|(_, node)| node)
    }

    fn begin(&mut self, nodes: usize) {
        if self.cost.len() < nodes {
            self.cost.resize(nodes, 0);
            self.found_in.resize(nodes, 0);
        }
        self.open.clear();
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.found_in.fill(0);
            self.search = 1;
        }
    }

    fn reach(&mut self, node: NodeId, cost: u64, estimate: u64) {
        let slots = self.cost.get_mut(node.index()).zip(self.found_in.get_mut(node.index()));
        if let Some((known, found_in)) = slots {
            (*known, *found_in) = (cost, self.search);
            self.open.push(Reverse((cost.saturating_add(estimate), cost, node)));
        }
    }
}
