//! Terrain: which nodes of a space are closed, which have to be left, and on which surfaces they lie.

use giveway_core::{Change, Cost, Gate, Journal, Move, NodeId};

use crate::surfaces::Surfaces;

/// What happens to the nodes of a space that changes. A space without changes takes no memory for it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Terrain {
    /// Per node; empty if all nodes are open.
    gates: Vec<Gate>,
    /// The number of nodes that are not open.
    shut: usize,
    surfaces: Surfaces,
    /// Whether all nodes are open and on plain ground.
    is_plain: bool,
    journal: Journal,
}

/// A space as it is on plain ground, with all nodes open.
pub(crate) trait Ways {
    /// One more than the largest node id.
    fn bound(&self) -> usize;

    /// Appends the nodes to which moves lead from `node`, or from which moves lead to it. Nodes may come twice.
    fn beside(&self, node: NodeId, into: &mut Vec<NodeId>);
}

impl Default for Terrain {
    fn default() -> Self {
        Self { gates: Vec::new(), shut: 0, surfaces: Surfaces::default(), is_plain: true, journal: Journal::default() }
    }
}

impl Terrain {
    #[inline]
    fn gate(&self, node: NodeId) -> Gate {
        self.gates.get(node.index()).copied().unwrap_or_default()
    }

    /// Whether `node` is open, if it exists.
    #[inline]
    pub(crate) fn is_open(&self, node: NodeId) -> bool {
        self.gate(node) == Gate::Open
    }

    /// Whether all nodes are open.
    pub(crate) fn is_all_open(&self) -> bool {
        self.gates.is_empty()
    }

    /// `m`, given as on plain ground, as it is in this terrain. `None`: the way is closed.
    #[inline]
    pub(crate) fn offer<A, C: Cost>(&self, m: Move<A, C>) -> Option<Move<A, C>> {
        if self.is_plain {
            return Some(m);
        }
        self.gate(m.from).leads_to(self.gate(m.to)).then(|| self.surfaces.apply(m))
    }

    pub(crate) fn surfaces(&self) -> &Surfaces {
        &self.surfaces
    }

    pub(crate) fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Notes that the space has changed in another way.
    pub(crate) fn note_change(&mut self) {
        self.journal.note_all();
    }

    /// Lays surfaces on all nodes.
    pub(crate) fn lay(&mut self, surfaces: Surfaces) {
        self.surfaces = surfaces;
        self.look();
        self.journal.note_all();
    }

    /// Applies `change` to `nodes`, which exist on the plain `ground`. Returns whether anything changed.
    pub(crate) fn change(&mut self, nodes: impl Iterator<Item = NodeId>, change: Change, ground: &impl Ways) -> bool {
        if let Change::Surface(surface) = change {
            let changed = !self.surfaces.cover(nodes, surface, ground.bound()).is_empty();
            if changed {
                self.look();
                // Also what holds for all moves may have changed.
                self.journal.note_all();
            }
            return changed;
        }
        let mut edited: Vec<NodeId> = nodes.filter(|node| self.turn(*node, change, ground.bound())).collect();
        if edited.is_empty() {
            return false;
        }
        self.look();
        for index in 0..edited.len().min(Journal::MOST + 1) {
            ground.beside(edited[index], &mut edited);
        }
        self.journal.note(edited);
        true
    }

    /// Applies `change` to the gate of `node`.
    fn turn(&mut self, node: NodeId, change: Change, bound: usize) -> bool {
        let old = self.gate(node);
        let new = old.after(change);
        if new == old {
            return false;
        }
        self.gates.resize(bound, Gate::Open);
        self.gates[node.index()] = new;
        self.shut += usize::from(old == Gate::Open);
        self.shut -= usize::from(new == Gate::Open);
        if self.shut == 0 {
            self.gates.clear();
        }
        true
    }

    fn look(&mut self) {
        self.is_plain = self.gates.is_empty() && self.surfaces.are_plain();
    }
}
