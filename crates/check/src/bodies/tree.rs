//! Boxes that stand still, as a tree: which of them are near a point.

use super::shape::{Vector, length};

/// Fewer boxes than this are not divided.
const FEW: usize = 8;

/// A tree of boxes in the plane, divided in the middle of the longer side.
pub(super) struct Tree {
    /// Each node before the nodes below it.
    nodes: Vec<Node>,
    /// The boxes of the leaves, one leaf after the other.
    boxes: Vec<usize>,
}

/// A box around all boxes below.
struct Node {
    bounds: [Vector; 2],
    /// The node after all nodes below.
    next: usize,
    /// The boxes of a leaf; empty for other nodes.
    begin: usize,
    end: usize,
}

impl Tree {
    /// The tree of boxes, each given by its least and its largest coordinates.
    pub(super) fn new(bounds: &[[Vector; 2]]) -> Self {
        let mut tree = Self { nodes: Vec::new(), boxes: Vec::with_capacity(bounds.len()) };
        let mut all: Vec<usize> = (0..bounds.len()).collect();
        if !all.is_empty() {
            tree.add(&mut all, bounds);
        }
        tree
    }

    fn add(&mut self, boxes: &mut [usize], bounds: &[[Vector; 2]]) {
        let none = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        let around = boxes.iter().map(|id| bounds[*id]).fold(none, |[low, high], [least, largest]| {
            [[0, 1].map(|axis| low[axis].min(least[axis])), [0, 1].map(|axis| high[axis].max(largest[axis]))]
        });
        let node = self.nodes.len();
        let begin = self.boxes.len();
        self.nodes.push(Node { bounds: around, next: 0, begin, end: begin });
        if boxes.len() < FEW {
            self.boxes.extend_from_slice(boxes);
            self.nodes[node].end = self.boxes.len();
        } else {
            let axis = usize::from(around[1][1] - around[0][1] > around[1][0] - around[0][0]);
            let middle = |id: &usize| bounds[*id][0][axis] + bounds[*id][1][axis];
            let half = boxes.len() / 2;
            boxes.select_nth_unstable_by(half, |a, b| middle(a).total_cmp(&middle(b)).then(a.cmp(b)));
            let (low, high) = boxes.split_at_mut(half);
            self.add(low, bounds);
            self.add(high, bounds);
        }
        self.nodes[node].next = self.nodes.len();
    }

    /// Visits boxes near `point`: all that are no farther than `reach`, and some others. `visit` returns the reach from
    /// then on. Nearer parts of the tree come first.
    pub(super) fn for_each_near(&self, point: Vector, mut reach: f64, mut visit: impl FnMut(usize) -> f64) {
        let distance = |node: usize| {
            let [low, high] = self.nodes[node].bounds;
            length([0, 1].map(|axis| (low[axis] - point[axis]).max(point[axis] - high[axis]).max(0.0)))
        };
        // There are few, as each node has half as many boxes below it as the node above.
        let mut left = Vec::with_capacity(32);
        left.extend((!self.nodes.is_empty()).then(|| (distance(0), 0)));
        while let Some((beyond, at)) = left.pop() {
            if beyond > reach {
                continue;
            }
            let node = &self.nodes[at];
            if node.begin < node.end {
                for id in &self.boxes[node.begin..node.end] {
                    reach = visit(*id);
                }
            } else {
                let [one, other] = [at + 1, self.nodes[at + 1].next].map(|child| (distance(child), child));
                let (near, far) = if one.0 <= other.0 { (one, other) } else { (other, one) };
                left.extend([far, near]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_near_is_visited_once(
            boxes in prop::collection::vec((prop::array::uniform2(0_u8..50), prop::array::uniform2(0_u8..9)), 0..200),
            point in prop::array::uniform2(0_u8..60),
            reach in 0_u8..20,
        ) {
            let bounds: Vec<[Vector; 2]> = boxes
                .iter()
                .map(|(low, size)| [low.map(f64::from), [0, 1].map(|axis| f64::from(low[axis] + size[axis]))])
                .collect();
            let (point, reach) = (point.map(f64::from), f64::from(reach));
            let mut visited = Vec::new();
            Tree::new(&bounds).for_each_near(point, reach, |id| {
                visited.push(id);
                reach
            });
            visited.sort_unstable();
            prop_assert!(visited.is_sorted_by(|a, b| a < b));
            let distance = |id: usize| {
                let [low, high] = bounds[id];
                length([0, 1].map(|axis| (low[axis] - point[axis]).max(point[axis] - high[axis]).max(0.0)))
            };
            prop_assert!((0..bounds.len()).filter(|id| distance(*id) <= reach).all(|id| visited.contains(&id)));
            // The reach may shrink: the nearest is found.
            let mut nearest = f64::INFINITY;
            Tree::new(&bounds).for_each_near(point, nearest, |id| {
                nearest = nearest.min(distance(id));
                nearest
            });
            prop_assert_eq!(nearest, (0..bounds.len()).map(distance).fold(f64::INFINITY, f64::min));
        }
    }
}
