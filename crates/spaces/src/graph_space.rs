//! The graph space: any graph of the petgraph crate. Only this module uses petgraph.

use std::fmt::Debug;

use giveway_core::{Area, Change, Cost, Editable, Edits, Embedding, Facts, Move, NodeId, SpaceGraph};
use petgraph::graph::{EdgeIndex, NodeIndex};
use petgraph::visit::{EdgeRef, IntoEdges, IntoNodeIdentifiers, NodeIndexable};

use crate::adjacency::{Adjacency, Positions, positions};
use crate::network::Network;
use crate::space_error::SpaceError;

/// A space made from a petgraph graph: `Graph`, `StableGraph`, `GraphMap`, `Csr`, or any other graph that lists its
/// nodes and the edges out of each.
///
/// The space is a copy: the graph may change or be dropped afterwards. After a change, make a new space.
/// * The [`NodeId`] of a node is its index in the graph. Indices without a node (removed ones) do not exist.
/// * An action is the id of an edge, which tells parallel edges apart. The moves out of a node come in ascending order
///   of edge id: for `Graph` and `StableGraph` in the order in which edges were added, unless some were removed.
/// * An undirected edge is a move each way. Edges from a node to itself are left out: searches can wait anywhere.
/// * Every move is as long as the straight line between its [positions](Self::with_positions), or 1 if there are none,
///   unless [`with_lengths`](Self::with_lengths) says otherwise.
///
/// * Nodes [close and open](Self::set_open); with positions also by area, while a crowd is about: see [`Editable`].
///
/// `N` and `E` are the ids of the graph's nodes and edges. The space is an [`Embedding`] once it has
/// [positions](Self::with_positions).
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
    network: Network<E, C>,
    positions: P,
}

impl<N: Copy + Ord, E: Copy + Ord> GraphSpace<u32, (), N, E> {
    /// The space of `graph`, where moving along an edge costs `cost(edge)`.
    ///
    /// For an undirected graph `cost` is asked once each way, with `source` and `target` in the direction of the move,
    /// so uphill may cost more than downhill.
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
    /// [`new`](GraphSpace::new), with costs of any type.
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
        Ok(Self { nodes, ids: ids.into_boxed_slice(), network: Network::new(adjacency), positions: () })
    }
}

/// Puts moves in order of their edges.
fn sort_by_edge<E: Copy + Ord, C>(moves: &mut [(NodeId, E, C)]) {
    moves.sort_by_key(|(_, edge, _)| *edge);
}

impl<C: Cost, P, N: Copy + Ord, E: Copy> GraphSpace<C, P, N, E> {
    /// Sets the length of each move, in world units.
    ///
    /// Footprints turn lengths into durations. For instance, you give [`Point::timed`](giveway_core::Point::timed) the
    /// number of ticks per unit of length.
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
    pub fn with_lengths(mut self, length: impl FnMut(&Move<E, C>) -> f32) -> Result<Self, SpaceError> {
        self.network.set_lengths(length)?;
        Ok(self)
    }

    /// Sets the position of each node, in world units; the space is then an [`Embedding`]. Moves get the lengths of the
    /// straight lines between positions, unless they [have](Self::with_lengths) lengths.
    ///
    /// # Errors
    /// A position is infinite or not a number.
    pub fn with_positions(
        self,
        mut position: impl FnMut(N) -> [f32; 3],
    ) -> Result<GraphSpace<C, Positions, N, E>, SpaceError> {
        let Self { nodes, ids, mut network, .. } = self;
        let positions = positions(nodes.len(), |id| nodes[id.index()].map_or([0.0; 3], &mut position))?;
        network.measure(&positions);
        Ok(GraphSpace { nodes, ids, network, positions: Positions(positions) })
    }

    /// The id of a node of the graph in this space; `None` if the graph had no such node.
    pub fn node_id(&self, node: N) -> Option<NodeId> {
        let place = self.ids.binary_search_by_key(&node, |(node, _)| *node).ok()?;
        Some(self.ids[place].1)
    }

    /// The node of the graph with this `id`; `None` if there is none.
    pub fn graph_node(&self, id: NodeId) -> Option<N> {
        *self.nodes.get(id.index())?
    }

    /// Closes or opens a node: no unit can be on a closed node, and no move begins or ends there. Returns whether
    /// anything changed; a node that does not exist never changes.
    ///
    /// Needs no positions. A space with positions is [`Editable`], so that a crowd can do this while units are about.
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
        self.graph_node(node).is_some() && self.network.set_open(node, open)
    }
}

impl<C: Cost, P, N, E: Copy + Eq + Debug> SpaceGraph for GraphSpace<C, P, N, E> {
    type Action = E;
    type Cost = C;

    fn node_bound(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<E, C>> {
        self.network.moves(from)
    }

    #[inline]
    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<E, C>>> {
        Some(self.network.moves_into(to))
    }

    fn facts(&self) -> Facts<'_, C> {
        self.network.facts()
    }

    fn contains(&self, node: NodeId) -> bool {
        self.nodes.get(node.index()).is_some_and(Option::is_some) && self.network.is_open(node)
    }

    /// None until a node closes; then one for each pair of nodes with an edge, closed or not.
    fn crossing(&self, m: &Move<E, C>) -> Option<u32> {
        self.network.crossing(m)
    }

    fn revision(&self) -> u64 {
        self.network.revision()
    }

    fn edits_since(&self, revision: u64) -> Edits<'_> {
        self.network.edits_since(revision)
    }
}

impl<C: Cost, N, E: Copy + Eq + Debug> Embedding for GraphSpace<C, Positions, N, E> {
    #[inline]
    fn position(&self, node: NodeId) -> [f32; 3] {
        self.positions.of(node)
    }
}

/// An area covers the nodes whose position lies in it. Edges that cross an area without a node in it stay as they are:
/// put nodes where roads may be closed, or use `Body::on`, whose spaces know what lies on a way.
impl<C: Cost, N: Copy + Ord, E: Copy + Eq + Debug> Editable for GraphSpace<C, Positions, N, E> {
    fn set_open(&mut self, node: NodeId, open: bool) -> bool {
        self.set_open(node, open)
    }

    fn change(&mut self, area: &Area, change: Change) -> bool {
        let Self { nodes, network, positions, .. } = self;
        network.change(positions, |node| nodes[node.index()].is_some(), area, change)
    }
}
