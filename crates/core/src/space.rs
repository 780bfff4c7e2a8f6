//! Spaces: places and the moves between them.

use std::fmt::Debug;
use std::iter::Empty;

use crate::cost::Cost;
use crate::trajectory::Trajectory;

/// A place in a space: a cell, a pose, a road junction. Dense: ids are below [`SpaceGraph::node_bound`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The id as an index into an array of [`SpaceGraph::node_bound`] elements.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One way to get from a node to another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Move<A, C> {
    /// Where it begins.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
    /// Which of the moves out of `from` it is: a direction, an edge id, a motion primitive.
    pub action: A,
    /// What it costs; not negative.
    pub cost: C,
    /// How far it goes, in world units: what a body's speed divides. 1.0 for a plain step.
    pub length: f32,
}

/// Places and the moves between them; knows nothing of units or time.
///
/// A game's own graph implements this and runs under every search, store and strategy of the project.
/// Two methods are required.
///
/// # Contract
/// * Ids of nodes that occur are below [`node_bound`](Self::node_bound).
/// * [`moves`](Self::moves) gives the same moves in the same order each time, until the
///   [`revision`](Self::revision) changes: the order breaks ties in the search.
/// * No two moves out of one node have the same action.
///
/// ```
/// use giveway_core::{Move, NodeId, SpaceGraph};
///
/// /// A ring road of `n` junctions, driven one way.
/// struct Ring(u32);
///
/// impl SpaceGraph for Ring {
///     type Action = ();
///     type Cost = u32;
///
///     fn node_bound(&self) -> usize {
///         self.0 as usize
///     }
///
///     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<(), u32>> {
///         let to = NodeId((from.0 + 1) % self.0);
///         std::iter::once(Move { from, to, action: (), cost: 1000, length: 1.0 })
///     }
/// }
///
/// assert_eq!(Ring(5).moves(NodeId(4)).next().unwrap().to, NodeId(0));
/// ```
pub trait SpaceGraph {
    /// What tells apart the moves out of one node: a direction, an edge id, a motion primitive.
    type Action: Copy + Eq + Debug;

    /// What moves cost.
    type Cost: Cost;

    /// One more than the largest node id (ids need not all be in use).
    fn node_bound(&self) -> usize;

    /// Every move that may be made from `from`; waiting is not among them. None for a node that does not exist.
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<Self::Action, Self::Cost>>;

    /// Every move that ends in `to`, exactly the inverse of [`moves`](Self::moves).
    ///
    /// `None`, the default, says that the space cannot tell; reverse searches then invert `moves` once.
    fn moves_into(&self, _to: NodeId) -> Option<impl Iterator<Item = Move<Self::Action, Self::Cost>>> {
        None::<Empty<_>>
    }

    /// Whether `node` exists, so that a unit may stand there. A wall's id may lie below the bound and not exist.
    fn contains(&self, node: NodeId) -> bool {
        node.index() < self.node_bound()
    }

    /// The cost that all moves share, if they do; reverse searches are then breadth-first.
    fn uniform_cost(&self) -> Option<Self::Cost> {
        None
    }

    /// The crossing that `m` uses, below [`crossing_bound`](Self::crossing_bound): moves that would meet on their
    /// way (a move and its reverse; two diagonals) share one.
    ///
    /// A space numbers the crossings of all its moves or of none: where `crossing_bound` is 0, the default, points under the
    /// swap rule number the pairs of connected nodes; elsewhere a move for which this is `None` crosses nothing.
    fn crossing(&self, _m: &Move<Self::Action, Self::Cost>) -> Option<u32> {
        None
    }

    /// One more than the largest crossing, or 0 if the space does not number its crossings.
    fn crossing_bound(&self) -> usize {
        0
    }

    /// A number that grows whenever nodes or moves change, so that what was computed before is known to be stale.
    fn revision(&self) -> u64 {
        0
    }
}

/// Where a node lies, for metric heuristics, shapes and pictures. Only some spaces know.
pub trait Embedding: SpaceGraph {
    /// The place of `node` in world units. For a node that does not exist, any finite point.
    fn position(&self, node: NodeId) -> [f32; 3];

    /// The heading of a unit on `node`, in radians from x towards y. 0, the default, where units do not turn.
    fn heading(&self, _node: NodeId) -> f32 {
        0.0
    }

    /// How `m` is driven, from the position and the heading of where it begins to those of where it ends. `None`, the default:
    /// straight on, without turning.
    fn trajectory(&self, _m: &Move<Self::Action, Self::Cost>) -> Option<&Trajectory> {
        None
    }
}

/// A space whose nodes can be closed and opened while it is in use.
pub trait Editable: SpaceGraph {
    /// Closes or opens `node`, so that nobody can be there, or that units can be again; where several nodes are one piece of ground, all
    /// of them. Returns whether that changed anything: not for a node that does not exist. If it did, the
    /// [revision](SpaceGraph::revision) has grown.
    fn set_open(&mut self, node: NodeId, open: bool) -> bool;

    /// Whether a unit that stands on `node` could not stay there if `closed` were closed. By default, if they are one.
    fn needs(&self, node: NodeId, closed: NodeId) -> bool {
        node == closed
    }
}

/// A space that threads may share, its moves too: what a crowd, which is [`Send`] and [`Sync`], asks of the spaces of its classes.
///
/// Whatever is a [`SpaceGraph`] and can be one is one.
pub trait SyncSpace: SpaceGraph<Action: Send + Sync, Cost: Send + Sync> + Send + Sync {}

impl<S: SpaceGraph<Action: Send + Sync, Cost: Send + Sync> + Send + Sync> SyncSpace for S {}

/// The move out of `from` that `action` names, if there is one.
pub fn move_by_action<S: SpaceGraph>(space: &S, from: NodeId, action: S::Action) -> Option<Move<S::Action, S::Cost>> {
    space.moves(from).find(|m| m.action == action)
}
