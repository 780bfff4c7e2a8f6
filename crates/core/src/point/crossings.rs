//! Crossings of a space that does not number its own: one for each pair of connected nodes.

use crate::space::SpaceGraph;
use crate::vocabulary::motion::NodeId;

/// A number for every unordered pair of nodes with a move between them, in either direction.
///
/// Parallel moves between two nodes share one number: two units cannot pass each other on them.
#[derive(Clone, Debug)]
pub(crate) struct Crossings {
    /// Per lower node, where its pairs begin in `uppers`; one more element than nodes up to the last lower node.
    first: Vec<u32>,
    /// The upper nodes, sorted within each lower node. The index is the number of the pair.
    uppers: Vec<NodeId>,
}

impl Crossings {
    /// Numbers the pairs of `space`, ordered by lower node, then upper node.
    pub(crate) fn number<S: SpaceGraph>(space: &S) -> Self {
        let nodes = u32::try_from(space.node_bound()).unwrap_or(u32::MAX);
        let mut pairs: Vec<(NodeId, NodeId)> = (0..nodes)
            .flat_map(|node| space.moves(NodeId(node)))
            .filter(|m| m.from != m.to && m.to.0 < nodes)
            .map(|m| (m.from.min(m.to), m.from.max(m.to)))
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        // The length follows the last lower node, not the bound that the space claims.
        let mut first = vec![0_u32; pairs.last().map_or(0, |(lower, _)| lower.index() + 1) + 1];
        for (lower, _) in &pairs {
            first[lower.index() + 1] += 1;
        }
        for node in 1..first.len() {
            first[node] += first[node - 1];
        }
        Self { first, uppers: pairs.into_iter().map(|(_, upper)| upper).collect() }
    }

    /// One more than the largest number.
    pub(crate) fn bound(&self) -> usize {
        self.uppers.len()
    }

    /// A number that differs for other pairs, and is not 0.
    pub(crate) fn layout(&self) -> u64 {
        fingerprint(self.first.iter().copied().chain(self.uppers.iter().map(|upper| upper.0)))
    }

    /// The number of the pair of `a` and `b`, in either order; `None` if no move connects them.
    pub(crate) fn of(&self, a: NodeId, b: NodeId) -> Option<u32> {
        let (lower, upper) = (a.min(b), a.max(b));
        let begin = *self.first.get(lower.index())?;
        let end = *self.first.get(lower.index() + 1)?;
        // Degrees are small: a scan beats a binary search.
        (begin..end).find(|&pair| self.uppers[pair as usize] == upper)
    }
}

/// A number that differs for other `numbers`, and is not 0: FNV-1a, by whole numbers.
pub(crate) fn fingerprint(numbers: impl Iterator<Item = u32>) -> u64 {
    let mix = |hash: u64, number: u32| (hash ^ u64::from(number)).wrapping_mul(0x0100_0000_01b3);
    numbers.fold(0xcbf2_9ce4_8422_2325, mix).max(1)
}
