//! Graphs of petgraph as spaces: the same plans as on a grid, petgraph's own distances, every kind of graph.

use std::iter::Empty;

use giveway_core::store::IntervalTable;
use giveway_core::{
    Agent, Embedding, Facts, Footprint, Fuel, Goals, Heuristic, Motion, Move, NodeId, Point, SpaceGraph, Tick,
};
use giveway_distance::{DistanceTable, Predecessors};
use giveway_spaces::{Connectivity, Direction, GraphSpace, Grid, SpaceError};
use giveway_strategies::{Hca, Instance};
use ordered_float::OrderedFloat;
use petgraph::algo::dijkstra;
use petgraph::csr::Csr;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex, UnGraph};
use petgraph::graphmap::{DiGraphMap, UnGraphMap};
use petgraph::matrix_graph::MatrixGraph;
use petgraph::stable_graph::{StableDiGraph, StableGraph, StableUnGraph};
use petgraph::visit::{
    EdgeRef, GraphBase, GraphRef, IntoEdgeReferences, IntoEdges, IntoNeighbors, IntoNodeIdentifiers, NodeFiltered,
    NodeIndexable, Reversed,
};
use petgraph::{Directed, EdgeType, Undirected};
use proptest::prelude::*;

/// The (end, cost) of each move out of `node`, in order.
fn ends<S: SpaceGraph<Cost = u32>>(space: &S, node: u32) -> Vec<(u32, u32)> {
    space.moves(NodeId(node)).map(|m| (m.to.0, m.cost)).collect()
}

// --- Plans equal to plans on a grid. --------------------------------------------------------------------------------

/// A grid as a graph with the same nodes, walls removed, and the same moves in the same order.
fn graph_of(grid: &Grid) -> StableDiGraph<(), u32> {
    let nodes = || (0..u32::try_from(grid.node_bound()).unwrap_or(0)).map(NodeId);
    let mut graph = StableDiGraph::new();
    nodes().for_each(|_| {
        graph.add_node(());
    });
    for m in nodes().flat_map(|node| grid.moves(node)) {
        graph.add_edge(m.from.0.into(), m.to.0.into(), m.cost);
    }
    for wall in nodes().filter(|node| !grid.contains(*node)) {
        graph.remove_node(wall.0.into());
    }
    graph
}

/// A grid that does not tell where its moves cross, as a graph cannot.
struct WithoutCrossings<'a>(&'a Grid);

impl SpaceGraph for WithoutCrossings<'_> {
    type Action = Direction;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        self.0.node_bound()
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<Direction, u32>> {
        self.0.moves(from)
    }

    fn contains(&self, node: NodeId) -> bool {
        self.0.contains(node)
    }

    fn facts(&self) -> Facts<'_, Self::Cost> {
        Facts { uniform_cost: self.0.facts().uniform_cost, ..Facts::NONE }
    }
}

/// Where each agent is when, and how much work it was to find that.
#[derive(PartialEq, Debug)]
struct Planned {
    paths: Vec<Vec<(NodeId, Tick)>>,
    expansions: u64,
}

fn plan<S: SpaceGraph>(space: &S, footprint: &impl Footprint<S>, agents: &[Agent]) -> Planned {
    let instance = Instance::new(space, footprint, agents.to_vec()).unwrap();
    // One store is enough, and each more is one more search to compile for each kind of graph.
    let mut store = IntervalTable::new(footprint.cells(space));
    let solution = Hca::hca_star().solve_on(&instance, &mut store);
    let paths = solution.plan.paths.iter().map(|path| {
        let steps = path.steps.iter().map(|step| match step.motion {
            Motion::Move(m) => (m.to, step.arrive),
            Motion::Rest { node, .. } => (node, step.arrive),
        });
        std::iter::once((path.start, path.depart)).chain(steps).collect()
    });
    Planned { paths: paths.collect(), expansions: solution.expansions }
}

/// A map of up to 9 x 9 cells, about a quarter of them walls, and agents with starts and goals of their own.
fn crowds() -> impl Strategy<Value = (Grid, Vec<Agent>)> {
    let maps = (3_u32..10, 3_u32..10, any::<bool>()).prop_flat_map(|(width, height, diagonals)| {
        let cells = (width * height) as usize;
        (proptest::collection::vec(0..4_u8, cells), Just((width, height, diagonals)))
    });
    maps.prop_map(|(cells, (width, height, diagonals))| {
        let free = |x, y| cells[(y * width + x) as usize] > 0;
        let connectivity = if diagonals { Connectivity::Eight } else { Connectivity::Four };
        Grid::from_fn(width, height, free).unwrap().with_connectivity(connectivity)
    })
    .prop_flat_map(|grid| {
        let free: Vec<NodeId> =
            (0..u32::try_from(grid.node_bound()).unwrap()).map(NodeId).filter(|node| grid.contains(*node)).collect();
        (Just(grid), Just(free.clone()).prop_shuffle(), Just(free).prop_shuffle(), 1_usize..8)
    })
    .prop_map(|(grid, starts, goals, count)| {
        let agents = starts.into_iter().zip(goals).take(count);
        (grid, agents.map(|(start, goal)| Agent::new(start, goal)).collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_grid_as_a_graph_gives_the_plans_of_the_grid((grid, agents) in crowds()) {
        let graph = GraphSpace::new(&graph_of(&grid), |edge| *edge.weight()).unwrap();
        prop_assert_eq!(graph.facts().uniform_cost, match grid.connectivity() {
            _ if graph_of(&grid).edge_count() == 0 => None,
            _ => grid.facts().uniform_cost.or(graph.facts().uniform_cost),
        });
        let bare = WithoutCrossings(&grid);
        let swap = plan(&graph, &Point::swap_rule(&graph), &agents);
        let both = plan(&graph, &Point::following_rule(&graph), &agents);
        if grid.connectivity() == Connectivity::Four {
            prop_assert_eq!(&swap, &plan(&grid, &Point::swap_rule(&grid), &agents));
            prop_assert_eq!(&both, &plan(&grid, &Point::following_rule(&grid), &agents));
        }
        // Where diagonals cross, a grid knows more than a graph.
        prop_assert_eq!(&swap, &plan(&bare, &Point::swap_rule(&bare), &agents));
        prop_assert_eq!(&both, &plan(&bare, &Point::following_rule(&bare), &agents));
    }
}

// --- Petgraph's own distances. ---------------------------------------------------------------------------------------

/// A graph with parallel edges, loops and removed nodes.
fn graphs<Ty: EdgeType>() -> impl Strategy<Value = (StableGraph<(), u32, Ty>, NodeIndex)> {
    let edges = proptest::collection::vec((0..12_u32, 0..12_u32, 0..50_u32), 0..40);
    (edges, proptest::collection::vec(0..12_u32, 0..5), 0..12_u32).prop_map(|(edges, removed, goal)| {
        let mut graph = StableGraph::default();
        (0..12).for_each(|_| {
            graph.add_node(());
        });
        for (from, to, cost) in edges {
            graph.add_edge(from.into(), to.into(), cost);
        }
        for node in removed {
            graph.remove_node(node.into());
        }
        (graph, goal.into())
    })
}

fn distances_agree<N>(space: &GraphSpace<u32, (), NodeIndex>, from_goal: N, goal: NodeIndex)
where
    N: Fn(NodeIndex) -> Option<u32>,
{
    let goals = Goals::from_iter(space.node_id(goal));
    let mut table = DistanceTable::new(space, Predecessors::from_space(space), goals);
    for node in (0..12).map(NodeId).filter(|node| space.contains(*node)) {
        let found = table.estimate(space, node, &mut Fuel::unlimited()).unwrap();
        let expected = space.graph_node(node).and_then(&from_goal);
        assert_eq!(found, expected, "{node:?}");
    }
}

proptest! {
    #[test]
    fn distances_are_those_of_petgraph((graph, goal) in graphs::<Directed>()) {
        let space = GraphSpace::new(&graph, |edge| *edge.weight()).unwrap();
        giveway_conformance::space_graph(&space).unwrap();
        let distances = graph.contains_node(goal).then(|| dijkstra(Reversed(&graph), goal, None, |e| *e.weight()));
        distances_agree(&space, |node| distances.as_ref()?.get(&node).copied(), goal);
    }

    #[test]
    fn distances_of_undirected_graphs_are_those_of_petgraph((graph, goal) in graphs::<Undirected>()) {
        let space = GraphSpace::new(&graph, |edge| *edge.weight()).unwrap();
        giveway_conformance::space_graph(&space).unwrap();
        let distances = graph.contains_node(goal).then(|| dijkstra(&graph, goal, None, |e| *e.weight()));
        distances_agree(&space, |node| distances.as_ref()?.get(&node).copied(), goal);
    }
}

// --- What becomes of nodes and edges. -------------------------------------------------------------------------------

#[test]
fn moves_come_in_order_of_their_edges_and_parallel_ones_are_told_apart() {
    let graph = DiGraph::<(), u32>::from_edges([(0, 2, 30), (0, 1, 10), (0, 1, 20), (2, 0, 5)]);
    let space = GraphSpace::new(&graph, |edge| *edge.weight()).unwrap();
    assert_eq!(ends(&space, 0), [(2, 30), (1, 10), (1, 20)]);
    let actions: Vec<EdgeIndex> = space.moves(NodeId(0)).map(|m| m.action).collect();
    assert_eq!(actions, [0, 1, 2].map(EdgeIndex::new));
    assert_eq!(space.facts().uniform_cost, None);
    giveway_conformance::space_graph(&space).unwrap();
}

#[test]
fn an_undirected_edge_is_a_move_each_way_and_may_cost_more_uphill() {
    let mut hills = UnGraph::<i32, ()>::new_undirected();
    let (low, high) = (hills.add_node(100), hills.add_node(250));
    hills.add_edge(low, high, ());
    let climb = |edge: petgraph::graph::EdgeReference<'_, ()>| {
        let rise = hills[edge.target()] - hills[edge.source()];
        1000 + u32::try_from(rise).unwrap_or(0)
    };
    let space = GraphSpace::new(&hills, climb).unwrap();
    assert_eq!(ends(&space, 0), [(1, 1150)]);
    assert_eq!(ends(&space, 1), [(0, 1000)]);
    giveway_conformance::space_graph(&space).unwrap();
}

#[test]
fn loops_are_left_out() {
    let graph = UnGraph::<(), u32>::from_edges([(0, 0, 7), (0, 1, 1), (1, 1, 9)]);
    let space = GraphSpace::new(&graph, |edge| *edge.weight()).unwrap();
    assert_eq!(ends(&space, 0), [(1, 1)]);
    assert_eq!(ends(&space, 1), [(0, 1)]);
    assert_eq!(space.facts().uniform_cost, Some(1));
}

#[test]
fn removed_nodes_do_not_exist() {
    let mut graph = StableUnGraph::<&str, u32>::default();
    let [a, b, c] = ["a", "b", "c"].map(|name| graph.add_node(name));
    graph.extend_with_edges([(a, b, 1), (b, c, 1), (a, c, 5)]);
    graph.remove_node(b);
    let space = GraphSpace::new(&graph, |edge| *edge.weight()).unwrap();
    assert_eq!((space.node_bound(), space.contains(NodeId(1))), (3, false));
    assert_eq!((space.node_id(b), space.graph_node(NodeId(1))), (None, None));
    assert_eq!((space.node_id(c), space.graph_node(NodeId(2))), (Some(NodeId(2)), Some(c)));
    assert_eq!(space.graph_node(NodeId(3)), None);
    assert_eq!(ends(&space, 0), [(2, 5)]);
    assert_eq!(ends(&space, 1), []);
    giveway_conformance::space_graph(&space).unwrap();
}

#[test]
fn lengths_and_positions_are_those_of_the_graph() {
    let mut graph = StableDiGraph::<f32, f32>::default();
    let [a, b, c] = [0.0, 3.0, 7.5].map(|x| graph.add_node(x));
    graph.extend_with_edges([(a, b, 3.0), (b, c, 4.5)]);
    let space = GraphSpace::new(&graph, |_| 1000)
        .and_then(|space| space.with_lengths(|m| graph[m.action]))
        .and_then(|space| space.with_positions(|node| [graph[node], 0.0, 0.0]))
        .unwrap();
    let lengths: Vec<f32> = (0..3).flat_map(|node| space.moves(NodeId(node))).map(|m| m.length).collect();
    assert_eq!(lengths, [3.0, 4.5]);
    assert_eq!(space.position(NodeId(2)), [7.5, 0.0, 0.0]);
    giveway_conformance::embedding(&space).unwrap();
    graph.remove_node(b);
    let space = GraphSpace::new(&graph, |_| 1000).unwrap();
    let space = space.with_positions(|node| [graph[node], 0.0, 0.0]).unwrap();
    giveway_conformance::embedding(&space).unwrap();
}

#[test]
fn costs_lengths_and_positions_that_make_no_sense_are_refused() {
    let graph = DiGraph::<(), f64>::from_edges([(0, 1, 1.0), (1, 2, 2.0)]);
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let space = GraphSpace::priced(&graph, |edge| OrderedFloat(if *edge.weight() > 1.5 { bad } else { 1.0 }));
        assert!(matches!(space, Err(SpaceError::Cost { from: NodeId(1), to: NodeId(2), .. })), "{space:?}");
        let space = GraphSpace::new(&graph, |_| 1).unwrap();
        #[allow(clippy::cast_possible_truncation)]
        let bad = bad as f32;
        assert!(matches!(space.clone().with_lengths(|_| bad), Err(SpaceError::Length { from: NodeId(0), .. })));
        let position = space.with_positions(|_| [0.0, bad.min(f32::INFINITY) / 0.0, 0.0]);
        assert!(matches!(position, Err(SpaceError::Position { node: NodeId(0), .. })));
    }
}

// --- Every kind of graph. --------------------------------------------------------------------------------------------

#[test]
fn indices_may_have_any_width() {
    fn check<Ix: petgraph::graph::IndexType>() {
        let graph = petgraph::Graph::<(), u32, Undirected, Ix>::from_edges(
            [(0, 1, 4), (1, 2, 6)].map(|(a, b, cost): (usize, usize, u32)| (Ix::new(a), Ix::new(b), cost)),
        );
        let space = GraphSpace::new(&graph, |edge| *edge.weight()).unwrap();
        assert_eq!(ends(&space, 1), [(0, 4), (2, 6)]);
        assert_eq!(space.node_id(NodeIndex::new(2)), Some(NodeId(2)));
        giveway_conformance::space_graph(&space).unwrap();
    }
    check::<u8>();
    check::<u16>();
    check::<u32>();
    check::<usize>();
}

#[test]
fn maps_rows_matrices_and_lists_are_graphs_too() {
    let map = UnGraphMap::<&str, u32>::from_edges([("a", "b", 4), ("b", "c", 6)]);
    let space = GraphSpace::new(&map, |(_, _, cost)| *cost).unwrap();
    let id = |name| space.node_id(name).unwrap();
    let b: Vec<_> = space.moves(id("b")).map(|m| (m.action, m.to, m.cost)).collect();
    assert_eq!(b, [(("b", "a"), id("a"), 4), (("b", "c"), id("c"), 6)]);
    giveway_conformance::space_graph(&space).unwrap();

    let map = DiGraphMap::<u32, u32>::from_edges([(70, 80, 4), (80, 70, 6)]);
    let space = GraphSpace::new(&map, |(_, _, cost)| *cost).unwrap();
    assert_eq!(space.node_bound(), 2);
    giveway_conformance::space_graph(&space).unwrap();

    let rows = Csr::<(), u32, Directed>::from_sorted_edges(&[(0, 1, 4), (1, 0, 5), (1, 2, 6)]).unwrap();
    let space = GraphSpace::new(&rows, |edge| *edge.weight()).unwrap();
    assert_eq!(ends(&space, 1), [(0, 5), (2, 6)]);
    giveway_conformance::space_graph(&space).unwrap();

    let mut rows = Csr::<(), u32, Undirected>::with_nodes(3);
    rows.add_edge(0, 1, 4);
    rows.add_edge(1, 2, 6);
    let space = GraphSpace::new(&rows, |edge| *edge.weight()).unwrap();
    assert_eq!(ends(&space, 1), [(0, 4), (2, 6)]);
    assert_eq!(ends(&space, 2), [(1, 6)]);
    giveway_conformance::space_graph(&space).unwrap();

    let matrix = MatrixGraph::<(), u32, std::hash::RandomState, Undirected>::from_edges([(0, 1, 4), (1, 2, 6)]);
    let space = GraphSpace::new(&matrix, |(_, _, cost)| *cost).unwrap();
    assert_eq!(ends(&space, 1), [(0, 4), (2, 6)]);
    giveway_conformance::space_graph(&space).unwrap();

    let mut list = petgraph::adj::List::<u32>::new();
    let [a, b] = [list.add_node(), list.add_node()];
    list.add_edge(a, b, 4);
    list.add_edge(a, b, 6);
    let space = GraphSpace::new(&list, |edge| *edge.weight()).unwrap();
    assert_eq!(ends(&space, 0), [(1, 4), (1, 6)]);
    giveway_conformance::space_graph(&space).unwrap();
}

#[test]
fn views_of_graphs_are_graphs_too() {
    let graph = DiGraph::<(), u32>::from_edges([(0, 1, 4), (1, 2, 6), (0, 2, 9)]);
    let reversed = GraphSpace::new(Reversed(&graph), |edge| *edge.weight()).unwrap();
    assert_eq!(ends(&reversed, 2), [(1, 6), (0, 9)]);
    let without_1 = NodeFiltered::from_fn(&graph, |node| node.index() != 1);
    let space = GraphSpace::new(&without_1, |edge| *edge.weight()).unwrap();
    assert_eq!(ends(&space, 0), [(2, 9)]);
    assert!(!space.contains(NodeId(1)));
    giveway_conformance::space_graph(&space).unwrap();
}

/// A graph without nodes that says how large their indices may be.
#[derive(Clone, Copy)]
struct Bound(usize);

#[derive(Clone, Copy)]
struct NoEdge;

impl EdgeRef for NoEdge {
    type NodeId = usize;
    type EdgeId = usize;
    type Weight = ();

    fn source(&self) -> usize {
        0
    }

    fn target(&self) -> usize {
        0
    }

    fn weight(&self) -> &() {
        &()
    }

    fn id(&self) -> usize {
        0
    }
}

impl GraphBase for Bound {
    type NodeId = usize;
    type EdgeId = usize;
}

impl GraphRef for Bound {}

impl petgraph::visit::Data for Bound {
    type NodeWeight = ();
    type EdgeWeight = ();
}

impl NodeIndexable for Bound {
    fn node_bound(&self) -> usize {
        self.0
    }

    fn to_index(&self, node: usize) -> usize {
        node
    }

    fn from_index(&self, index: usize) -> usize {
        index
    }
}

impl IntoNeighbors for Bound {
    type Neighbors = Empty<usize>;

    fn neighbors(self, _: usize) -> Empty<usize> {
        std::iter::empty()
    }
}

impl IntoEdgeReferences for Bound {
    type EdgeRef = NoEdge;
    type EdgeReferences = Empty<NoEdge>;

    fn edge_references(self) -> Empty<NoEdge> {
        std::iter::empty()
    }
}

impl IntoEdges for Bound {
    type Edges = Empty<NoEdge>;

    fn edges(self, _: usize) -> Empty<NoEdge> {
        std::iter::empty()
    }
}

impl IntoNodeIdentifiers for Bound {
    type NodeIdentifiers = Empty<usize>;

    fn node_identifiers(self) -> Empty<usize> {
        std::iter::empty()
    }
}

#[test]
fn more_nodes_than_ids_are_refused() {
    let space = GraphSpace::new(Bound(1 << 33), |_| 1000);
    assert_eq!(space.err(), Some(SpaceError::TooManyNodes { bound: 1 << 33 }));
    assert_eq!(GraphSpace::new(Bound(5), |_| 1000).map(|space| space.contains(NodeId(2))).ok(), Some(false));
}
