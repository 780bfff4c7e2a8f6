//! The function space: a space from a closure that lists the moves out of each node.

use giveway_core::{Cost, Facts, Move, NodeId};

use crate::adjacency::{Adjacency, Positions};
use crate::network::{Network, by_network};
use crate::space_error::SpaceError;

/// A space of nodes `0..n`. A closure is asked once for the moves out of each node.
///
/// * A move is a pair: the node where it ends, and its cost, 1000 for a plain step. A move leads one way.
/// * The closure lists the moves out of a node in order; an action is the index of its move in that list, from 0. Moves
///   from a node to itself are left out: searches can wait anywhere.
/// * The length of a move is the length given by [`with_lengths`](Self::with_lengths). Without given lengths, it is the
///   straight line between the two [positions](Self::with_positions); without positions, it is 1.
/// * Nodes can [close and open](Self::set_open). With positions, nodes can also close and open by area, while a crowd
///   moves: see [`Editable`](giveway_core::Editable).
///
/// The space is an [`Embedding`](giveway_core::Embedding) once it has [positions](Self::with_positions).
///
/// ```
/// use giveway_core::heuristic::Zero;
/// use giveway_core::{Goals, NodeId, SpatialSearch};
/// use giveway_spaces::FnSpace;
///
/// // A corridor of five places, 0 to 4, with a niche, 5, beside 3.
/// let doors = [(0, 1), (1, 2), (2, 3), (3, 4), (3, 5)];
/// let corridor = FnSpace::new(6, |place| {
///     doors.into_iter().filter_map(move |(a, b)| match place {
///         _ if place == a => Some((b, 1000)),
///         _ if place == b => Some((a, 1000)),
///         _ => None,
///     })
/// })?;
///
/// let route = SpatialSearch::new().find(&corridor, NodeId(0), &Goals::one(NodeId(5)), &mut Zero)?;
/// assert_eq!(route.cost, 4000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FnSpace<C = u32, P = ()> {
    pub(crate) network: Network<u32, C, P>,
}

impl FnSpace {
    /// The space of nodes `0..n`. `moves(node)` lists the (end, cost) of each move out of `node`.
    ///
    /// # Errors
    /// A move leads to a node that is not below `n`, or there are more than 2^32 - 1 moves.
    pub fn new<I>(n: u32, moves: impl FnMut(u32) -> I) -> Result<Self, SpaceError>
    where
        I: IntoIterator<Item = (u32, u32)>,
    {
        Self::priced(n, moves)
    }
}

impl<C: Cost> FnSpace<C> {
    /// Like [`new`](FnSpace::new), with costs of any type.
    ///
    /// ```
    /// use giveway_spaces::FnSpace;
    /// use ordered_float::OrderedFloat;
    ///
    /// let ring = FnSpace::priced(6, |node| [((node + 1) % 6, OrderedFloat(0.25))])?;
    /// # Ok::<(), giveway_spaces::SpaceError>(())
    /// ```
    ///
    /// # Errors
    /// As for `new`; or a cost is negative, infinite or not a number.
    pub fn priced<I>(n: u32, mut moves: impl FnMut(u32) -> I) -> Result<Self, SpaceError>
    where
        I: IntoIterator<Item = (u32, C)>,
    {
        let adjacency = Adjacency::new(
            n as usize,
            |to| to.0 < n,
            |from| {
                let listed = (0..).zip(moves(from.0));
                listed.map(|(action, (to, cost))| (NodeId(to), action, cost))
            },
        )?;
        Ok(Self { network: Network::new(adjacency, [].into()) })
    }
}

impl<C: Cost, P> FnSpace<C, P> {
    /// Sets the length of each move, in world units.
    ///
    /// Footprints turn lengths into durations. For instance, [`Point::timed`](giveway_core::Point::timed) takes the
    /// number of ticks per unit of length as an argument.
    ///
    /// # Errors
    /// A length is negative, infinite or not a number.
    pub fn with_lengths(self, length: impl FnMut(&Move<u32, C>) -> f32) -> Result<Self, SpaceError> {
        Ok(Self { network: self.network.with_lengths(length)? })
    }

    /// Sets the position of each node, in world units; the space is then an [`Embedding`](giveway_core::Embedding).
    /// Moves get the lengths of the straight lines between positions, unless lengths were
    /// [given](Self::with_lengths).
    ///
    /// # Errors
    /// A position is infinite or not a number.
    pub fn with_positions(
        self,
        mut position: impl FnMut(u32) -> [f32; 3],
    ) -> Result<FnSpace<C, Positions>, SpaceError> {
        Ok(FnSpace { network: self.network.with_positions(|node| position(node.0))? })
    }

    /// Closes or opens a node: no unit can be on a closed node, and no move begins or ends there. Returns whether
    /// anything changed; an id of `n` or more changes nothing.
    ///
    /// Needs no positions. With positions the space is [`Editable`](giveway_core::Editable): then a crowd can close and
    /// open nodes while units move.
    pub fn set_open(&mut self, node: NodeId, open: bool) -> bool {
        self.network.set_open(node, open)
    }
}

by_network!(SpaceGraph for [C: Cost, P] FnSpace<C, P> {
    type Action = u32;
    type Cost = C;

    fn facts(&self) -> Facts<'_, C> {
        self.network.facts()
    }
});

by_network!(Embedding for [C: Cost] FnSpace<C, Positions> {});
