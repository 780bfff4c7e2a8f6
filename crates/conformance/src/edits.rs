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
/// use giveway_core::{Editable, NodeId};
/// use giveway_spaces::Grid;
///
/// let before = Grid::open(9, 9)?;
/// let mut after = before.clone();
/// after.set_open(NodeId(40), false);
/// assert_eq!(conformance::edits(&before, &after), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
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
