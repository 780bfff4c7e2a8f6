//! Ways: which of several places has the least path cost.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::by_line::Listed;
use super::ground::Ground;
use super::pace::Pace;
use crate::graph::stamped::Stamped;
use crate::vocabulary::NodeId;

/// A\* without time from one node to the cheapest of several places. Takes sixteen bytes for every node of the ground.
///
/// Tries the places one by one, the smallest lower bound on the cost first. A search stops when its place can no longer
/// be the cheapest.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    /// Per node, the least cost known.
    cost: Stamped<u64>,
    open: BinaryHeap<Open>,
}

/// Least total first, then the greatest cost (nearest to the end), then the lowest node.
type Open = Reverse<(u64, Reverse<u64>, NodeId)>;

impl Ways {
    /// The place of `places` with the cheapest way from `from`; among equals the lowest node id. `None`: no place can
    /// be reached. A single place is returned without a search. `pace` must have noted all moves of all ways that begin
    /// at `from`.
    ///
    /// Time: n log n for each place. Here n is the number of nodes that may lie on a way to the place that is as cheap
    /// as the cheapest way found.
    pub fn cheapest(&mut self, ground: &impl Ground, pace: &Pace, from: NodeId, places: &[Listed]) -> Option<NodeId> {
        if let [only] = places {
            return Some(only.node);
        }
        let here = ground.position(from);
        let bound = |place: &Listed| (pace.at_least(here, ground.position(place.node)), place.node);
        let mut bounds: Vec<(u64, NodeId)> = places.iter().map(bound).collect();
        bounds.sort_unstable();
        let mut best: Option<(u64, NodeId)> = None;
        for (_, place) in bounds {
            // Among equals the lower node wins.
            let most =
                best.map_or(Some(u64::MAX), |(cost, node)| if place < node { Some(cost) } else { cost.checked_sub(1) });
            let Some(cost) = most.and_then(|most| self.cost_within(ground, pace, from, place, most)) else {
                continue;
            };
            best = Some((cost, place));
        }
        best.map(|(_, node)| node)
    }

    /// The cost of the cheapest way; `None`: it is more than `most`, or there is no way.
    fn cost_within(&mut self, ground: &impl Ground, pace: &Pace, from: NodeId, to: NodeId, most: u64) -> Option<u64> {
        let end = ground.position(to);
        let bound = ground.node_bound();
        self.cost.reset(bound);
        self.open.clear();
        self.reach(from, 0, pace.at_least(ground.position(from), end), most);
        while let Some(Reverse((_, Reverse(cost), node))) = self.open.pop() {
            if node == to {
                return Some(cost);
            }
            if self.cost.get(node).is_some_and(|known| cost > known) {
                continue;
            }
            ground.for_each_move(node, &mut |next, price| {
                let cost = cost.saturating_add(price);
                if next.index() < bound && self.cost.get(next).is_none_or(|known| cost < known) {
                    self.reach(next, cost, pace.at_least(ground.position(next), end), most);
                }
            });
        }
        None
    }

    fn reach(&mut self, node: NodeId, cost: u64, left: u64, most: u64) {
        let total = cost.saturating_add(left);
        if total <= most {
            self.cost.put(node, cost);
            self.open.push(Reverse((total, Reverse(cost), node)));
        }
    }
}
