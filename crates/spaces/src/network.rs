//! A network: the moves of a graph, whose nodes close, open and change their surface.

use giveway_core::{Area, Change, Cost, Edits, Facts, Move, NodeId};

use crate::adjacency::{Adjacency, Positions};
use crate::space_error::SpaceError;
use crate::terrain::{Terrain, Ways};

/// The moves of a [`GraphSpace`](crate::GraphSpace) or an [`FnSpace`](crate::FnSpace), and what becomes of its nodes.
#[derive(Clone, Debug)]
pub(crate) struct Network<A, C> {
    /// All moves on plain ground, open or not.
    adjacency: Adjacency<A, C>,
    terrain: Terrain,
    /// Per move, its crossing; empty until a node closes. Points number the crossings of a space that does not, and
    /// would miss closed moves.
    crossings: Vec<u32>,
    crossing_bound: u32,
}

impl<A: Copy, C: Cost> Network<A, C> {
    pub(crate) fn new(adjacency: Adjacency<A, C>) -> Self {
        Self { adjacency, terrain: Terrain::default(), crossings: Vec::new(), crossing_bound: 0 }
    }

    /// Sets the length of every move, given the move on plain ground.
    pub(crate) fn set_lengths(&mut self, length_of: impl FnMut(&Move<A, C>) -> f32) -> Result<(), SpaceError> {
        self.adjacency.set_lengths(length_of)
    }

    /// Makes moves as long as the straight lines between `positions`, unless they have lengths of their own.
    pub(crate) fn measure(&mut self, positions: &[[f32; 3]]) {
        self.adjacency.measure(positions);
    }

    #[inline]
    pub(crate) fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<A, C>> {
        self.adjacency.moves(from).filter_map(|m| self.terrain.offer(m))
    }

    #[inline]
    pub(crate) fn moves_into(&self, to: NodeId) -> impl Iterator<Item = Move<A, C>> {
        self.adjacency.moves_into(to).filter_map(|m| self.terrain.offer(m))
    }

    /// The facts of a space with these moves. Where some moves are closed, no tables tell where moves begin.
    pub(crate) fn facts(&self) -> Facts<'_, C> {
        let surfaces = self.terrain.surfaces();
        Facts {
            uniform_cost: self.adjacency.uniform_cost().filter(|_| surfaces.are_unweighted()),
            uniform_length: self.adjacency.uniform_length().filter(|_| surfaces.are_plain()),
            step: 1.0,
            crossing_bound: self.crossing_bound as usize,
            period: 1,
            origins: self.terrain.is_all_open().then(|| self.adjacency.origins()),
        }
    }

    /// Whether `node` is open, if it exists.
    #[inline]
    pub(crate) fn is_open(&self, node: NodeId) -> bool {
        self.terrain.is_open(node)
    }

    pub(crate) fn revision(&self) -> u64 {
        self.terrain.revision()
    }

    pub(crate) fn edits_since(&self, revision: u64) -> Edits<'_> {
        self.terrain.edits_since(revision)
    }

    /// Closes or opens `node`, which exists. Returns whether that is a change.
    pub(crate) fn set_open(&mut self, node: NodeId, open: bool) -> bool {
        self.change_nodes(std::iter::once(node), if open { Change::Open } else { Change::Close })
    }

    /// Applies `change` to the nodes that [exist](crate::GraphSpace) by `exists` and whose position lies in `area`.
    pub(crate) fn change(
        &mut self,
        positions: &Positions,
        exists: impl Fn(NodeId) -> bool,
        area: &Area,
        change: Change,
    ) -> bool {
        let nodes = (0..u32::MAX).map(NodeId).zip(&positions.0);
        let covered = nodes.filter(|(node, position)| area.contains(**position) && exists(*node));
        self.change_nodes(covered.map(|(node, _)| node), change)
    }

    fn change_nodes(&mut self, nodes: impl Iterator<Item = NodeId>, change: Change) -> bool {
        let changed = self.terrain.change(nodes, change, &self.adjacency);
        if changed && self.crossings.is_empty() && !matches!(change, Change::Surface(_)) {
            (self.crossings, self.crossing_bound) = self.adjacency.pairs();
        }
        changed
    }

    /// The crossing of the moves between the ends of `m`.
    pub(crate) fn crossing(&self, m: &Move<A, C>) -> Option<u32> {
        let place = self.adjacency.out_of(m.from).iter().position(|other| other.to == m.to)?;
        self.crossings.get(self.adjacency.numbers_out_of(m.from).start + place).copied()
    }
}

impl<A: Copy, C: Cost> Ways for Adjacency<A, C> {
    fn bound(&self) -> usize {
        Adjacency::bound(self)
    }

    fn beside(&self, node: NodeId, into: &mut Vec<NodeId>) {
        into.extend(self.out_of(node).iter().map(|m| m.to).chain(self.moves_into(node).map(|m| m.from)));
    }
}
