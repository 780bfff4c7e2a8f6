//! Does a space tell all that an edit has changed?

use super::breach::{Breach, ask, exists, moves, require, sample};
use giveway_core::{Edits, NodeId, SpaceGraph};

/// The number of nodes examined in larger spaces.
const MOST_NODES: u32 = 1 << 16;

/// Checks [`edits_since`](SpaceGraph::edits_since). `before` is a space, and `after` is the same space after edits.
/// Checks two things:
/// * for each node that `edits_since` does not name, nothing has changed: not whether the node exists, not the moves
///   into the node, and not the moves out of the node;
/// * if the space has changed, its [revision](SpaceGraph::revision) has changed.
///
/// Examines at most 65536 nodes.
///
/// ```
/// use giveway_conformance as conformance;
/// use giveway_core::{Edits, Move, NodeId, SpaceGraph};
///
/// /// Four stops in a ring. A closed stop has no moves. All edits are noted.
/// #[derive(Clone, Default)]
/// struct Ring {
///     closed: Vec<NodeId>,
/// }
///
/// impl SpaceGraph for Ring {
///     type Action = ();
///     type Cost = u32;
///
///     fn node_bound(&self) -> usize {
///         4
///     }
///
///     fn contains(&self, node: NodeId) -> bool {
///         node.0 < 4 && !self.closed.contains(&node)
///     }
///
///     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<(), u32>> {
///         let to = NodeId((from.0 + 1) % 4);
///         let is_open = self.contains(from) && self.contains(to);
///         is_open.then_some(Move { from, to, action: (), cost: 1000, length: 1.0 }).into_iter()
///     }
///
///     fn revision(&self) -> u64 {
///         self.closed.len() as u64
///     }
///
///     fn edits_since(&self, revision: u64) -> Edits<'_> {
///         Edits::Nodes(&self.closed[revision as usize..])
///     }
/// }
///
/// let before = Ring::default();
/// let after = Ring { closed: vec![NodeId(2)] };
/// // The move from stop 1 to the closed stop has gone, too.
/// let breach = conformance::edits(&before, &after).unwrap_err();
/// assert!(breach.to_string().contains("node 1 or its moves have changed"));
/// ```
///
/// # Errors
/// The first breach found.
pub fn edits<S: SpaceGraph>(before: &S, after: &S) -> Result<(), Breach> {
    let [old, new] = [before.revision(), after.revision()];
    let mut named: Vec<NodeId> = match after.edits_since(old) {
        Edits::Nodes(nodes) => nodes.to_vec(),
        Edits::All if old != new => return Ok(()),
        Edits::All => Vec::new(),
    };
    named.sort_unstable();
    let into = |space: &S, node: NodeId| {
        let question = || format!("moves_into(node {})", node.0);
        ask(question, || space.moves_into(node).map(Iterator::collect::<Vec<_>>))
    };
    for node in sample(after, MOST_NODES)? {
        if named.binary_search(&node).is_ok() {
            continue;
        }
        let is_same = exists(before, node)? == exists(after, node)?
            && moves(before, node)? == moves(after, node)?
            && into(before, node)? == into(after, node)?;
        require(is_same, || {
            format!(
                "node {} or its moves have changed from revision {old} to {new}, but edits_since({old}) does not name it",
                node.0
            )
        })?;
    }
    Ok(())
}
