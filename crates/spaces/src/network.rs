//! A network: the moves of a graph, whose nodes close, open and change their surface.

use giveway_core::{Area, Change, Cost, Facts, Journal, Move, NodeId};

use crate::adjacency::{Adjacency, Positions, positions};
use crate::space_error::SpaceError;
use crate::terrain::{Terrain, Ways};

/// The nodes and moves of a space that is made of a list of moves, and the changes to them. `P` is [`Positions`]
/// once the nodes have positions.
#[derive(Clone, Debug)]
pub(crate) struct Network<A, C, P> {
    /// All moves on plain ground, open or not.
    adjacency: Adjacency<A, C>,
    /// The ids below the bound that are no nodes, ascending.
    missing: Box<[NodeId]>,
    terrain: Terrain,
    /// Per move, its crossing; empty until a node closes. Points number the crossings of a space that does not, and
    /// would miss closed moves.
    crossings: Vec<u32>,
    crossing_bound: u32,
    positions: P,
}

impl<A: Copy, C: Cost> Network<A, C, ()> {
    /// `adjacency`, with a node for each id below its bound that is not `missing`. `missing` is in ascending
    /// order.
    pub(crate) fn new(adjacency: Adjacency<A, C>, missing: Box<[NodeId]>) -> Self {
        let terrain = Terrain::default();
        Self { adjacency, missing, terrain, crossings: Vec::new(), crossing_bound: 0, positions: () }
    }
}

impl<A: Copy, C: Cost, P> Network<A, C, P> {
    /// Sets the length of every move, given the move on plain ground.
    pub(crate) fn with_lengths(mut self, length_of: impl FnMut(&Move<A, C>) -> f32) -> Result<Self, SpaceError> {
        self.adjacency.set_lengths(length_of)?;
        Ok(self)
    }

    /// Sets the position of each node. Makes moves as long as the straight lines between positions, unless they have
    /// lengths of their own.
    pub(crate) fn with_positions(
        self,
        position_of: impl FnMut(NodeId) -> [f32; 3],
    ) -> Result<Network<A, C, Positions>, SpaceError> {
        let Self { mut adjacency, missing, terrain, crossings, crossing_bound, .. } = self;
        let positions = Positions(positions(adjacency.bound(), position_of)?);
        adjacency.measure(&positions.0);
        Ok(Network { adjacency, missing, terrain, crossings, crossing_bound, positions })
    }

    pub(crate) fn bound(&self) -> usize {
        self.adjacency.bound()
    }

    /// Whether there is a node with this id, open or not.
    fn exists(&self, node: NodeId) -> bool {
        node.index() < self.bound() && self.missing.binary_search(&node).is_err()
    }

    pub(crate) fn contains(&self, node: NodeId) -> bool {
        self.exists(node) && self.terrain.is_open(node)
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

    pub(crate) fn journal(&self) -> &Journal {
        self.terrain.journal()
    }

    /// Closes or opens `node`. Returns whether anything changed; an id without a node changes nothing.
    pub(crate) fn set_open(&mut self, node: NodeId, open: bool) -> bool {
        let node = Some(node).filter(|node| self.exists(*node));
        self.change_nodes(node.into_iter(), if open { Change::Open } else { Change::Close })
    }

    fn change_nodes(&mut self, nodes: impl Iterator<Item = NodeId>, change: Change) -> bool {
        let changed = self.terrain.change(nodes, change, &self.adjacency);
        if changed && self.crossings.is_empty() && !matches!(change, Change::Surface(_)) {
            (self.crossings, self.crossing_bound) = self.adjacency.pairs();
        }
        changed
    }

    /// The crossing of the moves between the ends of `m`: none until a node closes; then one for each pair of nodes
    /// with a move, closed or not.
    pub(crate) fn crossing(&self, m: &Move<A, C>) -> Option<u32> {
        let place = self.adjacency.out_of(m.from).iter().position(|other| other.to == m.to)?;
        self.crossings.get(self.adjacency.numbers_out_of(m.from).start + place).copied()
    }
}

impl<A: Copy, C: Cost> Network<A, C, Positions> {
    #[inline]
    pub(crate) fn position(&self, node: NodeId) -> [f32; 3] {
        self.positions.of(node)
    }

    /// Applies `change` to the nodes whose position lies in `area`.
    pub(crate) fn change(&mut self, area: &Area, change: Change) -> bool {
        let nodes = (0..u32::MAX).map(NodeId).zip(&self.positions.0);
        let covered = nodes.filter(|(node, position)| area.contains(**position) && self.exists(*node));
        let covered: Vec<NodeId> = covered.map(|(node, _)| node).collect();
        self.change_nodes(covered.into_iter(), change)
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

/// Implements a trait of spaces for a space that has a field `network`.
macro_rules! by_network {
    (SpaceGraph for [$($generics:tt)*] $space:ty { type Action = $action:ty; type Cost = $cost:ty; $($own:tt)* }) => {
        impl<$($generics)*> giveway_core::SpaceGraph for $space {
            type Action = $action;
            type Cost = $cost;

            fn node_bound(&self) -> usize {
                self.network.bound()
            }

            #[inline]
            fn moves(
                &self,
                from: giveway_core::NodeId,
            ) -> impl Iterator<Item = giveway_core::Move<$action, $cost>> {
                self.network.moves(from)
            }

            #[inline]
            fn moves_into(
                &self,
                to: giveway_core::NodeId,
            ) -> Option<impl Iterator<Item = giveway_core::Move<$action, $cost>>> {
                Some(self.network.moves_into(to))
            }

            fn contains(&self, node: giveway_core::NodeId) -> bool {
                self.network.contains(node)
            }

            /// None until a node closes; then one for each pair of nodes with a move, closed or not.
            fn crossing(&self, m: &giveway_core::Move<$action, $cost>) -> Option<u32> {
                self.network.crossing(m)
            }

            fn journal(&self) -> Option<&giveway_core::Journal> {
                Some(self.network.journal())
            }

            $($own)*
        }
    };
    (Embedding for [$($generics:tt)*] $space:ty { $($own:tt)* }) => {
        impl<$($generics)*> giveway_core::Embedding for $space {
            #[inline]
            fn position(&self, node: giveway_core::NodeId) -> [f32; 3] {
                self.network.position(node)
            }

            $($own)*
        }

        /// An area covers the nodes whose position lies in the area. Moves that cross an area without a node in it stay
        /// as they are: put nodes where ways may be closed, or use `Body::on`, whose spaces know what lies on a way.
        impl<$($generics)*> giveway_core::Editable for $space {
            fn set_open(&mut self, node: giveway_core::NodeId, open: bool) -> bool {
                self.network.set_open(node, open)
            }

            fn change(&mut self, area: &giveway_core::Area, change: giveway_core::Change) -> bool {
                self.network.change(area, change)
            }
        }
    };
}

pub(crate) use by_network;
