//! Places, moves and rests: what an agent does, step by step.

use crate::vocabulary::time::Ticks;

/// The id of a place in a space: a cell, a pose, a road junction. All ids of a space are below
/// [`SpaceGraph::node_bound`](crate::SpaceGraph::node_bound).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeId(pub u32);

impl NodeId {
    /// The id as an index into an array of [`SpaceGraph::node_bound`](crate::SpaceGraph::node_bound) elements.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All ids below `bound`, ascending.
    pub fn below(bound: usize) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..u32::try_from(bound).unwrap_or(u32::MAX)).map(Self)
    }
}

/// A move from one node of a space to another node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Move<A, C> {
    /// The node where the move begins.
    pub from: NodeId,
    /// The node where the move ends.
    pub to: NodeId,
    /// The name of the move among the moves out of `from`: a direction, an edge id, a motion primitive.
    pub action: A,
    /// The cost of the move; not negative.
    pub cost: C,
    /// The length of the move in world units; 1.0 for a plain step. Footprints divide the length by a speed. On ground
    /// that slows units the length is larger than the length of the way, so that the move takes longer.
    pub length: f32,
}

/// What a unit does from one tick to another: it moves, or it rests.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Motion<A, C> {
    /// The unit makes a move.
    Move(Move<A, C>),
    /// The unit stays on a node.
    Rest {
        /// The node.
        node: NodeId,
        /// The number of ticks that the rest takes. [`FOREVER`](crate::FOREVER): without end. 0: the unit is there at a
        /// single tick.
        ticks: Ticks,
    },
}
