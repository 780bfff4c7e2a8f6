//! Spaces: places and the moves between them.

use std::fmt::Debug;
use std::iter::Empty;
use std::ops::RangeInclusive;

use crate::graph::facts::Facts;
use crate::vocabulary::{
    Area, Change, Cost, Edits, Journal, Motion, Move, NodeId, Path, Plan, Tick, TooManyCells, Trajectory,
};

/// Places and the moves between them. A space knows nothing of units or time.
///
/// A game implements this trait for its own graph. Every search, store and strategy of giveway then works on that
/// graph. Two methods are required. A space that is made of another one, and lies where that one lies, is an
/// [`Adapter`](crate::adapter::Adapter).
///
/// # Contract
/// * The id of every node is below [`node_bound`](Self::node_bound).
/// * [`moves`](Self::moves) gives equal moves in equal order each time, until the [`revision`](Self::revision) changes:
///   the order breaks ties in the search.
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
    /// The type that names a move among the moves out of one node: a direction, an edge id, a motion primitive.
    type Action: Copy + Eq + Debug;

    /// The type of costs.
    type Cost: Cost;

    /// One more than the largest node id (ids need not all be in use).
    fn node_bound(&self) -> usize;

    /// Every id below [`node_bound`](Self::node_bound), ascending, whether the node exists or not.
    fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + Clone + use<Self> {
        NodeId::below(self.node_bound())
    }

    /// Every move out of `from`, without waiting. Empty for a node that does not exist, unless units have to
    /// [leave](crate::Change::Vacate) it.
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<Self::Action, Self::Cost>>;

    /// Every move that ends in `to`, exactly the inverse of [`moves`](Self::moves).
    ///
    /// `None`, the default: the space cannot tell. Reverse searches then invert `moves` once.
    fn moves_into(&self, _to: NodeId) -> Option<impl Iterator<Item = Move<Self::Action, Self::Cost>>> {
        None::<Empty<_>>
    }

    /// Whether `node` exists, so that a unit may stand on it. A wall does not exist, even if its id is below the bound.
    fn contains(&self, node: NodeId) -> bool {
        node.index() < self.node_bound()
    }

    /// What holds for all moves. [`Facts::NONE`], the default: nothing is known. Takes constant time.
    fn facts(&self) -> Facts<'_, Self::Cost> {
        Facts::NONE
    }

    /// The name of a straight way from `from` to `to` that units may go instead of several [moves](Self::moves). The
    /// length of the way lies in `lengths`. `None`, the default: there is none.
    ///
    /// The way is a move that costs as much, and takes as long, as the moves that it replaces; it is none of
    /// [`moves`](Self::moves). Searches in space and time smooth their paths by such ways, where no other agent has
    /// reserved any of the ground. They replace only moves that are hardly longer: at the speed of these moves, the way
    /// would take at most 1 % and one tick less. A space has such ways only if the footprints of its units tell what
    /// lies on the way, as bodies do and points do not.
    fn shortcut(&self, _from: NodeId, _to: NodeId, _lengths: RangeInclusive<f32>) -> Option<Self::Action> {
        None
    }

    /// The crossing that `m` uses, below its [bound](Facts::crossing_bound). Moves that would meet on their way share a
    /// crossing: a move and its reverse; two diagonals.
    ///
    /// A space numbers the crossings of all its moves or of none. If the bound is 0, points under the swap rule number
    /// the pairs of connected nodes. Otherwise a move with `None` crosses nothing.
    fn crossing(&self, _m: &Move<Self::Action, Self::Cost>) -> Option<u32> {
        None
    }

    /// Whether a unit may set out on `m` at `tick`: a ferry sails by the clock. `true`, the default: at any tick. The
    /// answer repeats after the [period](Facts::period).
    fn departs(&self, _m: &Move<Self::Action, Self::Cost>, _tick: Tick) -> bool {
        true
    }

    /// The journal of a space that notes its changes there. The next two methods then follow from it. `None`, the
    /// default: there is no journal.
    fn journal(&self) -> Option<&Journal> {
        None
    }

    /// A number that grows whenever nodes or moves change, so that earlier results are known to be stale. By default
    /// the revision of the [journal](Self::journal), or else 0.
    fn revision(&self) -> u64 {
        self.journal().map_or(0, Journal::revision)
    }

    /// What may have changed since an earlier [`revision`](Self::revision) of this space. Plans and distances that no
    /// changed node concerns are then kept. By default what the [journal](Self::journal) tells, or else [`Edits::All`]:
    /// anything.
    fn edits_since(&self, revision: u64) -> Edits<'_> {
        self.journal().map_or(Edits::All, |journal| journal.since(revision))
    }
}

/// Where nodes lie, for metric heuristics, shapes and pictures. Not every space has positions.
pub trait Embedding: SpaceGraph {
    /// The position of `node` in world units. For a node that does not exist, any finite point.
    fn position(&self, node: NodeId) -> [f32; 3];

    /// The node nearest to `point`, given as (x, y) or (x, y, z), among the nodes that [exist](SpaceGraph::contains);
    /// in the space of a body, these are the nodes where a unit fits. Among equals the first. `None`: no node exists.
    /// Takes time in proportion to the nodes.
    ///
    /// With (x, y), heights do not count: on several floors, give (x, y, z).
    fn nearest_node<const N: usize>(&self, point: [f32; N]) -> Option<NodeId> {
        let square = |node: NodeId| -> f64 {
            let sides = self.position(node).into_iter().zip(point);
            sides.map(|(at, to)| (f64::from(at) - f64::from(to)).powi(2)).sum()
        };
        let distances = self.nodes().filter(|node| self.contains(*node)).map(|node| (square(node), node));
        distances.min_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, node)| node)
    }

    /// Coordinates in whole numbers. Their differences equal the differences of the [positions](Self::position). Either
    /// all nodes have them or none. `None`, the default: there are none. With whole positions, estimates by metrics are
    /// several times as fast.
    fn whole_position(&self, _node: NodeId) -> Option<[i32; 3]> {
        None
    }

    /// The heading of a unit on `node`, in radians from x towards y. The default is 0, for units that do not turn.
    fn heading(&self, _node: NodeId) -> f32 {
        0.0
    }

    /// The name of the straight way from `from` to `to` if nothing of the space itself is in the way, whether it is a
    /// move or not. `None`, the default: units go along moves only. Spaces of bodies make
    /// [shortcuts](SpaceGraph::shortcut) of straight ways.
    fn straight(&self, _from: NodeId, _to: NodeId) -> Option<Self::Action> {
        None
    }

    /// How `m` is driven, from the position and heading of its first node to the position and heading of its last node.
    /// `None`, the default: straight on, without turning.
    fn trajectory(&self, _m: &Move<Self::Action, Self::Cost>) -> Option<&Trajectory> {
        None
    }
}

/// A space that can change while it is in use: node by node, and by area, together with all other spaces of a world.
///
/// [`set_open`](Self::set_open) alone is required. Three kinds of spaces also implement [`change`](Self::change) and
/// [`is_inside`](Self::is_inside): a space with walls of its own kind, a space whose moves can cross an area without
/// ending in the area, and a space with surfaces.
pub trait Editable: Embedding {
    /// Closes or opens `node`: no unit can be on a closed node. If several nodes are one piece of ground, all these
    /// nodes close or open.
    ///
    /// Returns whether anything changed; a node that does not exist never changes. After a change the
    /// [revision](SpaceGraph::revision) has grown.
    fn set_open(&mut self, node: NodeId, open: bool) -> bool;

    /// Whether a unit on `node` has to leave if `closed` is closed. By default: whether both are one node.
    fn needs(&self, node: NodeId, closed: NodeId) -> bool {
        node == closed
    }

    /// Whether a unit on `node` is inside `area`, so that it would have to leave if the area were closed. By default:
    /// whether the [position](Embedding::position) of the node lies in the area.
    fn is_inside(&self, node: NodeId, area: &Area) -> bool {
        area.contains(self.position(node))
    }

    /// Applies `change` to all that `area` covers. Returns whether anything changed; after a change the
    /// [revision](SpaceGraph::revision) has grown. It never fails: what cannot be changed stays as it is.
    ///
    /// In a closed area no node [exists](SpaceGraph::contains), and no move leads into the area or through it. In an
    /// area that is to be [vacated](Change::Vacate) no node exists either, and moves lead out of closed nodes.
    ///
    /// By default nodes whose position lies in the area close or open by [`set_open`](Self::set_open). A node that is
    /// to be vacated closes when it is sealed, that is, when all units are out, and may be entered until then. Surfaces
    /// change nothing.
    fn change(&mut self, area: &Area, change: Change) -> bool {
        let open = match change {
            Change::Close | Change::Seal => false,
            Change::Open => true,
            Change::Vacate | Change::Surface(_) => return false,
        };
        let mut changed = false;
        for node in self.nodes() {
            changed |= area.contains(self.position(node)) && self.set_open(node, open);
        }
        changed
    }
}

/// A space that threads may share, with its moves. A crowd is [`Send`] and [`Sync`], so the spaces of its classes must
/// be [`Send`] and [`Sync`], too.
///
/// Implemented for every [`SpaceGraph`] that qualifies.
pub trait SyncSpace: SpaceGraph<Action: Send + Sync, Cost: Send + Sync> + Send + Sync {}

impl<S: SpaceGraph<Action: Send + Sync, Cost: Send + Sync> + Send + Sync> SyncSpace for S {}

/// Whether a search may begin at `node`: a unit can stand there, or was there when it was closed, and can leave.
pub(crate) fn may_begin<S: SpaceGraph>(space: &S, node: NodeId) -> bool {
    space.contains(node) || space.moves(node).next().is_some()
}

/// The move out of `from` that `action` names, if there is one.
pub fn move_by_action<S: SpaceGraph>(space: &S, from: NodeId, action: S::Action) -> Option<Move<S::Action, S::Cost>> {
    space.moves(from).find(|m| m.action == action)
}

/// The motion of a unit in space `S`.
pub type MotionIn<S> = Motion<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost>;

/// The move of a unit in space `S`.
pub type MoveIn<S> = Move<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost>;

/// The path of an agent in space `S`.
pub type PathIn<S> = Path<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost>;

/// The plan of agents in space `S`.
pub type PlanIn<S> = Plan<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost>;

impl TooManyCells {
    /// Checks that the bounds of `space` leave a cell id for every node and crossing.
    ///
    /// # Errors
    /// The bounds' sum is 2^32 or more.
    pub fn check<S: SpaceGraph>(space: &S) -> Result<(), Self> {
        let (node_bound, crossing_bound) = (space.node_bound(), space.facts().crossing_bound);
        match node_bound.checked_add(crossing_bound).map(u32::try_from) {
            Some(Ok(_)) => Ok(()),
            _ => Err(Self { node_bound, crossing_bound }),
        }
    }
}
