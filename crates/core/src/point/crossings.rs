//! Crossings of a space that does not number its own: one for each pair of connected nodes.

use crate::graph::rows::Rows;
use crate::space::SpaceGraph;
use crate::vocabulary::NodeId;

/// A number for every unordered pair of nodes with a move between them, in either direction.
///
/// Parallel moves between two nodes share one number: two units cannot pass each other on them.
#[derive(Clone, Debug)]
pub(crate) struct Crossings {
    /// Per lower node up to the last one, the upper nodes, ascending. The index among all upper nodes is the number of
    /// the pair.
    uppers: Rows<NodeId>,
}

impl Crossings {
    /// Numbers the pairs of `space`, ordered by lower node, then upper node.
    pub(crate) fn number<S: SpaceGraph>(space: &S) -> Self {
        let bound = space.node_bound();
        let mut pairs: Vec<(NodeId, NodeId)> = space
            .nodes()
            .flat_map(|node| space.moves(node))
            .filter(|m| m.from != m.to && m.to.index() < bound)
            .map(|m| (m.from.min(m.to), m.from.max(m.to)))
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        // The length follows the last lower node, not the bound that the space claims.
        let nodes = pairs.last().map_or(0, |(lower, _)| lower.index() + 1);
        Self { uppers: Rows::of_sorted(nodes, pairs, |(lower, _)| lower.index()).map(|(_, upper)| upper) }
    }

    /// One more than the largest number.
    pub(crate) fn bound(&self) -> usize {
        self.uppers.items().len()
    }

    /// A number that tells these pairs from other pairs; never 0.
    pub(crate) fn layout(&self) -> u64 {
        fingerprint(self.uppers.first().iter().copied().chain(self.uppers.items().iter().map(|upper| upper.0)))
    }

    /// The number of the pair of `a` and `b`, in either order; `None` if no move connects them.
    pub(crate) fn of(&self, a: NodeId, b: NodeId) -> Option<u32> {
        let (lower, upper) = (a.min(b), a.max(b));
        // Degrees are small: a scan beats a binary search.
        let pairs = self.uppers.range(lower.index());
        let pair = pairs.into_iter().find(|pair| self.uppers.items()[*pair] == upper)?;
        u32::try_from(pair).ok()
    }
}

/// A number that tells these `numbers` from others; never 0. FNV-1a, by whole numbers.
pub(crate) fn fingerprint(numbers: impl Iterator<Item = u32>) -> u64 {
    let mix = |hash: u64, number: u32| (hash ^ u64::from(number)).wrapping_mul(0x0100_0000_01b3);
    numbers.fold(0xcbf2_9ce4_8422_2325, mix).max(1)
}
