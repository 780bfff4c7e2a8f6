//! Edits: which nodes of a space have changed, and a journal that remembers them.

use super::motion::NodeId;

/// The nodes that may have changed in a space since an earlier revision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edits<'a> {
    /// All nodes and moves may have changed.
    All,
    /// Only these nodes may have changed: whether they exist, the moves into them and out of them, and the costs and
    /// lengths of these moves. The nodes come in any order; a node may come twice. All other nodes and moves are as
    /// before.
    Nodes(&'a [NodeId]),
}

/// The revision of a space, and the nodes that its last edits have changed. A space returns its journal by
/// [`SpaceGraph::journal`](crate::SpaceGraph::journal).
///
/// Remembers at most the last [`MOST`](Self::MOST) changed nodes.
///
/// ```
/// use giveway_core::{Edits, Journal, NodeId};
///
/// let mut journal = Journal::default();
/// journal.note([NodeId(7), NodeId(8)]);
/// journal.note([NodeId(3)]);
/// assert_eq!(journal.revision(), 2);
/// assert_eq!(journal.since(1), Edits::Nodes(&[NodeId(3)]));
/// journal.note_all();
/// assert_eq!(journal.since(2), Edits::All);
/// assert_eq!(journal.since(3), Edits::Nodes(&[]));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Journal {
    revision: u64,
    /// The first revision since which all changes are known.
    known_since: u64,
    /// The changed nodes, the last edit at the end.
    nodes: Vec<NodeId>,
    /// For each of them, the revision that its edit has made.
    revisions: Vec<u64>,
}

impl Journal {
    /// The largest number of nodes that are remembered.
    pub const MOST: usize = 1024;

    /// The present revision of the space.
    #[inline]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The journal of a space whose first revision is `revision`.
    pub fn at(revision: u64) -> Self {
        Self { revision, known_since: revision, ..Self::default() }
    }

    /// Notes an edit that has changed `nodes`.
    pub fn note(&mut self, nodes: impl IntoIterator<Item = NodeId>) {
        self.note_until(self.revision.saturating_add(1), nodes);
    }

    /// Notes several edits at once, which together have changed `nodes`. The revision is now `revision`, unless it was
    /// already larger.
    pub fn note_until(&mut self, revision: u64, nodes: impl IntoIterator<Item = NodeId>) {
        self.revision = self.revision.max(revision);
        let before = self.nodes.len();
        self.nodes.extend(nodes.into_iter().take(Self::MOST + 1));
        self.revisions.resize(self.nodes.len(), self.revision);
        if self.nodes.len() - before > Self::MOST {
            self.forget();
        } else if self.nodes.len() > Self::MOST {
            // More than needed, so that this happens seldom; edits are forgotten as a whole.
            let last = self.revisions[(self.nodes.len() - Self::MOST / 2).min(before) - 1];
            let gone = self.revisions.partition_point(|revision| *revision <= last);
            self.nodes.drain(..gone);
            self.revisions.drain(..gone);
            self.known_since = last;
        }
    }

    /// Notes an edit that may have changed anything.
    pub fn note_all(&mut self) {
        self.note_all_until(self.revision.saturating_add(1));
    }

    /// Notes several edits at once, which may have changed anything. The revision is now `revision`, unless it was
    /// already larger.
    pub fn note_all_until(&mut self, revision: u64) {
        self.revision = self.revision.max(revision);
        self.forget();
    }

    fn forget(&mut self) {
        self.known_since = self.revision;
        (self.nodes, self.revisions) = (Vec::new(), Vec::new());
    }

    /// The nodes that have changed since `revision`. [`Edits::All`] if the journal no longer remembers all changes
    /// since then.
    pub fn since(&self, revision: u64) -> Edits<'_> {
        if revision < self.known_since {
            return Edits::All;
        }
        let first = self.revisions.partition_point(|other| *other <= revision);
        Edits::Nodes(&self.nodes[first..])
    }
}
