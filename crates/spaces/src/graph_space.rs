//! The graph space: any graph of the petgraph crate. Only this module uses petgraph.

use std::fmt::Debug;

use giveway_core::{Cost, Facts, Move, NodeId};
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::{EdgeRef, IntoEdges, IntoNodeIdentifiers, NodeIndexable};

use crate::adjacency::{Adjacency, Positions};
use crate::network::{Network, by_network};
use crate::space_error::SpaceError;

/// A space made from a petgraph graph: `Graph`, `StableGraph`, `GraphMap`, `Csr`, or any other graph that lists its
/// nodes, and the edges out of each node.
///
/// The space is a copy: the graph may change or be dropped afterwards. After a change, make a new space.
/// * The [`NodeId`] of a node is its index in the graph. The index of a removed node does not exist in the space.
/// * An action is the id of an edge; parallel edges have different ids. The moves out of a node come in ascending order
///   of edge id. For `Graph` and `StableGraph`, that is the order in which edges were added, unless edges were removed.
/// * An undirected edge makes two moves, one in each direction. Edges from a node to itself are left out: searches can
///   wait anywhere.
/// * The length of a move is the length given by [`with_lengths`](Self::with_lengths). Without given lengths, it is the
///   straight line between the two [positions](Self::with_positions); without positions, it is 1.
/// * Nodes can [close and open](Self::set_open). With positions, nodes can also close and open by area, while a crowd
///   moves: see [`Editable`](giveway_core::Editable).
///
/// `N` and `E` are the ids of the graph's nodes and edges. The space is an [`Embedding`](giveway_core::Embedding) once
/// it has [positions](Self::with_positions).
///
/// ```
/// use giveway_core::heuristic::Zero;
/// use giveway_core::{Goals, SpatialSearch};
/// use giveway_spaces::GraphSpace;
/// use petgraph::graph::UnGraph;
///
/// // A line of four stations, and a siding at the third.
/// let mut tracks = UnGraph::<&str, u32>::new_undirected();
/// let [a, b, c, d, siding] = ["a", "b", "c", "d", "siding"].map(|name| tracks.add_node(name));
/// tracks.extend_with_edges([(a, b, 1000), (b, c, 1000), (c, d, 1000), (c, siding, 500)]);
///
/// let space = GraphSpace::new(&tracks, |track| *track.weight())?;
/// let [a, siding] = [a, siding].map(|station| space.node_id(station).unwrap());
/// let route = SpatialSearch::new().find(&space, a, &Goals::one(siding), &mut Zero)?;
/// assert_eq!(route.cost, 2500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GraphSpace<C = u32, P = (), N = NodeIndex, E = EdgeIndex> {
    /// By node id; `None` where the graph has no such node.
    nodes: Box<[Option<N>]>,
    /// Ascending in the graph's own order of nodes.
    ids: Box<[(N, NodeId)]>,
    network: Network<E, C, P>,
}

impl<N: Copy + Ord, E: Copy + Ord> GraphSpace<u32, (), N, E> {
    /// The space of `graph`. A move along an edge costs `cost(edge)`.
    ///
    /// For an undirected graph, `cost` is called twice for each edge, with `source` and `target` in the direction of
    /// the move. So a move uphill may cost more than the move back.
    ///
    /// # Errors
    /// A node's index does not fit 32 bits, or there are too many edges.
    pub fn new<G>(graph: G, cost: impl FnMut(G::EdgeRef) -> u32) -> Result<Self, SpaceError>
    where
        G: IntoNodeIdentifiers<NodeId = N> + IntoEdges<NodeId = N, EdgeId = E> + NodeIndexable<NodeId = N>,
    {
        Self::priced(graph, cost)
    }
}

impl<C: Cost, N: Copy + Ord, E: Copy + Ord> GraphSpace<C, (), N, E> {
    /// Like [`new`](GraphSpace::new), with costs of any type.
    ///
    /// ```
    /// use giveway_spaces::GraphSpace;
    /// use ordered_float::OrderedFloat;
    /// use petgraph::graph::DiGraph;
    ///
    /// let roads = DiGraph::<(), f64>::from_edges([(0, 1, 2.5), (1, 2, f64::NAN)]);
    /// let space = GraphSpace::priced(&roads, |road| OrderedFloat(*road.weight()));
    /// assert_eq!(
    ///     space.unwrap_err().to_string(),
    ///     "the move from node 1 to node 2 costs NaN: costs must be finite and not negative"
    /// );
    /// ```
    ///
    /// # Errors
    /// As for `new`; or a cost is negative, infinite or not a number.
    pub fn priced<G>(graph: G, mut cost: impl FnMut(G::EdgeRef) -> C) -> Result<Self, SpaceError>
    where
        G: IntoNodeIdentifiers<NodeId = N> + IntoEdges<NodeId = N, EdgeId = E> + NodeIndexable<NodeId = N>,
    {
        let bound = graph.node_bound();
        if u32::try_from(bound).is_err() {
            return Err(SpaceError::TooManyNodes { bound });
        }
        // An index out of bounds belongs to no node.
        let id_of = |node: N| NodeId(u32::try_from(graph.to_index(node)).unwrap_or(u32::MAX));
        let mut nodes = vec![None; bound].into_boxed_slice();
        let mut ids = Vec::new();
        for node in graph.node_identifiers() {
            let id = id_of(node);
            let place = nodes.get_mut(id.index()).ok_or(SpaceError::TooManyNodes { bound })?;
            *place = Some(node);
            ids.push((node, id));
        }
        ids.sort_unstable();
        let exists = |id: NodeId| nodes.get(id.index()).is_some_and(Option::is_some);
        let adjacency = Adjacency::new(bound, exists, |from| {
            let edges = nodes[from.index()].into_iter().flat_map(|node| graph.edges(node));
            let mut moves: Vec<(NodeId, E, C)> =
                edges.map(|edge| (id_of(edge.target()), edge.id(), cost(edge))).collect();
            sort_by_edge(&mut moves);
            moves
        })?;
        let missing = NodeId::below(bound).filter(|id| !exists(*id)).collect();
        Ok(Self { network: Network::new(adjacency, missing), ids: ids.into_boxed_slice(), nodes })
    }
}

/// Puts moves in order of their edges.
fn sort_by_edge<E: Copy + Ord, C>(moves: &mut [(NodeId, E, C)]) {
    moves.sort_by_key(|(_, edge, _)| *edge);
}

impl<C: Cost, P, N: Copy + Ord, E: Copy> GraphSpace<C, P, N, E> {
    /// Sets the length of each move, in world units.
    ///
    /// Footprints turn lengths into durations. For instance, [`Point::timed`](giveway_core::Point::timed) takes the
    /// number of ticks per unit of length as an argument.
    ///
    /// ```
    /// use giveway_core::{Footprint, Point, SpaceGraph};
    /// use giveway_spaces::GraphSpace;
    /// use petgraph::graph::DiGraph;
    ///
    /// let roads = DiGraph::<(), u32>::from_edges([(0, 1, 7)]);
    /// let space = GraphSpace::new(&roads, |road| 1000 * road.weight())?
    ///     .with_lengths(|road| roads[road.action] as f32)?;
    /// let road = space.moves(space.node_id(0.into()).unwrap()).next().unwrap();
    /// assert_eq!(Point::timed(&space, 2)?.duration(&space, &road), Some(14));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A length is negative, infinite or not a number.
    pub fn with_lengths(self, length: impl FnMut(&Move<E, C>) -> f32) -> Result<Self, SpaceError> {
        Ok(Self { network: self.network.with_lengths(length)?, ..self })
    }

    /// Sets the position of each node, in world units; the space is then an [`Embedding`](giveway_core::Embedding).
    /// Moves get the lengths of the straight lines between positions, unless lengths were
    /// [given](Self::with_lengths).
    ///
    /// # Errors
    /// A position is infinite or not a number.
    pub fn with_positions(
        self,
        mut position: impl FnMut(N) -> [f32; 3],
    ) -> Result<GraphSpace<C, Positions, N, E>, SpaceError> {
        let Self { nodes, ids, network } = self;
        let network = network.with_positions(|id| nodes[id.index()].map_or([0.0; 3], &mut position))?;
        Ok(GraphSpace { nodes, ids, network })
    }

    /// The id of a node of the graph in this space; `None` if the graph had no such node.
    pub fn node_id(&self, node: N) -> Option<NodeId> {
        let place = self.ids.binary_search_by_key(&node, |(node, _)| *node).ok()?;
        Some(self.ids[place].1)
    }

    /// The node of the graph with this `id`; `None` if there is no such node.
    pub fn graph_node(&self, id: NodeId) -> Option<N> {
        *self.nodes.get(id.index())?
    }

    /// Closes or opens a node: no unit can be on a closed node, and no move begins or ends there. Returns whether
    /// anything changed; an id without a node in the graph changes nothing.
    ///
    /// Needs no positions. With positions the space is [`Editable`](giveway_core::Editable): then a crowd can close and
    /// open nodes while units move.
    ///
    /// ```
    /// use giveway_core::{NodeId, SpaceGraph};
    /// use giveway_spaces::GraphSpace;
    /// use petgraph::graph::UnGraph;
    ///
    /// let roads = UnGraph::<(), u32>::from_edges([(0, 1, 1000), (0, 2, 3000)]);
    /// let mut space = GraphSpace::new(&roads, |road| *road.weight())?;
    /// assert!(space.set_open(NodeId(1), false));
    /// assert_eq!(space.moves(NodeId(0)).map(|m| m.to).collect::<Vec<_>>(), [NodeId(2)]);
    /// # Ok::<(), giveway_spaces::SpaceError>(())
    /// ```
    pub fn set_open(&mut self, node: NodeId, open: bool) -> bool {
        self.network.set_open(node, open)
    }
}

by_network!(SpaceGraph for [C: Cost, P, N, E: Copy + Eq + Debug] GraphSpace<C, P, N, E> {
    type Action = E;
    type Cost = C;

    fn facts(&self) -> Facts<'_, C> {
        self.network.facts()
    }
});

by_network!(Embedding for [C: Cost, N, E: Copy + Eq + Debug] GraphSpace<C, Positions, N, E> {});
