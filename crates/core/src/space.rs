//! Spaces: places and the moves between them.

use std::fmt::Debug;
use std::iter::Empty;
use std::ops::RangeInclusive;

use crate::graph::facts::Facts;
use crate::vocabulary::{
    Area, Change, Cost, Edits, Journal, Motion, Move, NodeId, Path, Plan, Tick, TooManyCells, Trajectory,
};

/// Places and the moves between them. A space knows nothing of units. It knows of time only where moves begin at
/// certain ticks: see [`departs`](Self::departs).
///
/// A game implements this trait for its own graph. Every search, store and strategy of giveway then works on that
/// graph. Two methods are required. A space that is made of another space with positions can implement
/// [`Adapter`](crate::adapter::Adapter) instead.
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

    /// Whether `node` exists, that is, whether a unit may stand on it. The node of a wall does not exist, even if its
    /// id is below the bound.
    fn contains(&self, node: NodeId) -> bool {
        node.index() < self.node_bound()
    }

    /// Facts that hold for all moves. [`Facts::NONE`], the default: no fact is known. Takes constant time.
    fn facts(&self) -> Facts<'_, Self::Cost> {
        Facts::NONE
    }

    /// The move out of `from` that `action` names, and its index among the [moves](Self::moves); `None`: there is no such
    /// move. The default goes through the moves; override it if there is a faster way.
    #[inline]
    fn find_move(&self, from: NodeId, action: Self::Action) -> Option<(usize, MoveIn<Self>)> {
        self.moves(from).enumerate().find(|(_, m)| m.action == action)
    }

    /// The name of a straight way from `from` to `to` that units may go instead of several [moves](Self::moves). The
    /// length of the way lies in `lengths`. `None`, the default: there is no such way.
    ///
    /// The way costs as much, and takes as long, as the moves that it replaces. [`moves`](Self::moves) does not list
    /// the way. Searches in space and time smooth their paths by such ways, where no other agent has reserved the
    /// ground. A search asks for a way that is at least 1 % shorter than the moves. The way is shorter and takes as
    /// long, so units are slower on the way than on the moves. The search limits this: a unit takes at most 1 % and one
    /// tick longer for the way than it would take at the speed of the moves. A space should have such ways only if the
    /// footprints of its units tell what lies on the way. Footprints of bodies do, and points do not.
    fn shortcut(&self, _from: NodeId, _to: NodeId, _lengths: RangeInclusive<f32>) -> Option<Self::Action> {
        None
    }

    /// The number of the crossing that `m` uses, below the [bound](Facts::crossing_bound). Moves that would meet on
    /// their way share a crossing: a move and its reverse; two diagonals.
    ///
    /// A space numbers the crossings of all its moves or of none. If the bound is 0, points under the swap rule number
    /// the pairs of connected nodes. If the bound is larger, `None` says that `m` uses no crossing.
    fn crossing(&self, _m: &Move<Self::Action, Self::Cost>) -> Option<u32> {
        None
    }

    /// Whether a unit may set out on `m` at `tick`, as a ferry sails only at certain times. The default is `true` at
    /// every tick. The answers repeat after the [period](Facts::period).
    fn departs(&self, _m: &Move<Self::Action, Self::Cost>, _tick: Tick) -> bool {
        true
    }

    /// The journal in which the space notes its changes. With a journal, the defaults of
    /// [`revision`](Self::revision) and [`edits_since`](Self::edits_since) are right. `None`, the default: there is no
    /// journal.
    fn journal(&self) -> Option<&Journal> {
        None
    }

    /// A number that grows whenever nodes or moves change, so that earlier results are known to be stale. The
    /// default is the revision of the [journal](Self::journal), or 0 without a journal.
    fn revision(&self) -> u64 {
        self.journal().map_or(0, Journal::revision)
    }

    /// The nodes that may have changed since an earlier [`revision`](Self::revision) of this space. Crowds then keep
    /// plans and distances that do not depend on these nodes. The default is the answer of the
    /// [journal](Self::journal), or [`Edits::All`] without a journal: any node may have changed.
    fn edits_since(&self, revision: u64) -> Edits<'_> {
        self.journal().map_or(Edits::All, |journal| journal.since(revision))
    }
}

/// Where nodes lie, for metric heuristics, shapes and pictures. Not every space has positions.
pub trait Embedding: SpaceGraph {
    /// The position of `node` in world units. A node that does not exist may have any finite position.
    fn position(&self, node: NodeId) -> [f32; 3];

    /// The node nearest to `point`, given as (x, y) or (x, y, z), among the nodes that [exist](SpaceGraph::contains);
    /// in the space of a body, these are the nodes where a unit fits. Among equals the lowest id. `None`: no node
    /// exists. Takes time in proportion to the nodes.
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

    /// The position of `node` in whole numbers, up to a fixed displacement: differences of whole positions equal
    /// differences of [positions](Self::position). Either all nodes have whole positions, or no node has one. `None`,
    /// the default: no node has one. With whole positions, estimates by metrics are several times as fast.
    fn whole_position(&self, _node: NodeId) -> Option<[i32; 3]> {
        None
    }

    /// The heading of a unit on `node`, in radians from x towards y. The default is 0, for units that do not turn.
    fn heading(&self, _node: NodeId) -> f32 {
        0.0
    }

    /// The name of the straight way from `from` to `to`, whether or not this way is a move. `None` if a wall of the
    /// space is in the way. By default always `None`: units go along moves only. Spaces of bodies make
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

/// A space that can change while it is in use. Changes come node by node, or by area; an area changes all spaces of a
/// world together.
///
/// [`set_open`](Self::set_open) alone is required. Three kinds of spaces should also implement [`change`](Self::change)
/// and [`is_inside`](Self::is_inside): a space whose walls are not nodes, a space whose moves can cross an area without
/// ending in the area, and a space with surfaces.
pub trait Editable: Embedding {
    /// Closes or opens `node`: no unit can be on a closed node. If several nodes are one piece of ground, all these
    /// nodes close or open.
    ///
    /// Returns whether anything changed. An id that names no place of the space changes nothing. After a change the
    /// [revision](SpaceGraph::revision) has grown.
    fn set_open(&mut self, node: NodeId, open: bool) -> bool;

    /// Whether a unit on `node` has to leave if the node `closed` is closed. By default: whether `node` and `closed`
    /// are equal.
    fn needs(&self, node: NodeId, closed: NodeId) -> bool {
        node == closed
    }

    /// Whether a unit on `node` is inside `area`, so that it would have to leave if the area were closed. By default:
    /// whether the [position](Embedding::position) of the node lies in the area.
    fn is_inside(&self, node: NodeId, area: &Area) -> bool {
        area.contains(self.position(node))
    }

    /// Applies `change` to all nodes and moves that `area` covers. Returns whether anything changed; after a change the
    /// [revision](SpaceGraph::revision) has grown. Nodes and moves that cannot be changed stay as they are; that is no
    /// error.
    ///
    /// In a closed area no node [exists](SpaceGraph::contains), and no move leads into the area or through it. After
    /// [`Change::Vacate`] no node of the area exists either, but moves still lead out of the area.
    ///
    /// The default calls [`set_open`](Self::set_open) for each node whose position lies in the area: [`Change::Close`]
    /// and [`Change::Seal`] close the node, [`Change::Open`] opens it. [`Change::Vacate`] then changes nothing, so
    /// units may enter until the area is sealed. [`Change::Surface`] changes nothing.
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

/// A space that threads may share, with actions and costs that threads may share. A crowd is [`Send`] and [`Sync`], so
/// the spaces of its classes must be [`Send`] and [`Sync`], too.
///
/// Implemented for every [`SpaceGraph`] that is [`Send`] and [`Sync`], if its actions and costs are [`Send`] and
/// [`Sync`].
pub trait SyncSpace: SpaceGraph<Action: Send + Sync, Cost: Send + Sync> + Send + Sync {}

impl<S: SpaceGraph<Action: Send + Sync, Cost: Send + Sync> + Send + Sync> SyncSpace for S {}

/// Whether a search may begin at `node`: a unit can stand there, or was there when it was closed, and can leave.
pub fn may_begin<S: SpaceGraph>(space: &S, node: NodeId) -> bool {
    space.contains(node) || space.moves(node).next().is_some()
}

/// The move out of `from` that `action` names, if there is one.
pub fn move_by_action<S: SpaceGraph>(space: &S, from: NodeId, action: S::Action) -> Option<Move<S::Action, S::Cost>> {
    space.find_move(from, action).map(|(_, m)| m)
}

/// A motion in space `S`: a move or a rest.
pub type MotionIn<S> = Motion<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost>;

/// A move in space `S`.
pub type MoveIn<S> = Move<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost>;

/// A path in space `S`.
pub type PathIn<S> = Path<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost>;

/// A plan in space `S`: a path for each agent.
pub type PlanIn<S> = Plan<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost>;

impl TooManyCells {
    /// Checks that there is a cell id for every node and every crossing of `space`.
    ///
    /// # Errors
    /// The sum of the node bound and the crossing bound is 2^32 or more.
    pub fn check<S: SpaceGraph>(space: &S) -> Result<(), Self> {
        let (node_bound, crossing_bound) = (space.node_bound(), space.facts().crossing_bound);
        match node_bound.checked_add(crossing_bound).map(u32::try_from) {
            Some(Ok(_)) => Ok(()),
            _ => Err(Self { node_bound, crossing_bound }),
        }
    }
}
