//! Landmarks: lower bounds from distances to and from a few nodes, for spaces without positions.
//!
//! Goldberg & Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory", SODA 2005 (ALT: A*, landmarks,
//! triangle inequality).
//!
//! Differs from the paper: all landmarks count for each pair of nodes. The paper picks a few for each search, and the
//! pick needs to know both ends of the way in advance, which a [`Metric`] does not.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use giveway_core::heuristic::Metric;
use giveway_core::{Cost, NodeId, SpaceGraph};

use super::spread::spread;
use super::whole_costs::{Column, Quantum, WholeCosts};

/// A metric made from the distances to and from a few nodes, the landmarks. By the triangle inequality these distances
/// give a lower bound on the distance between any two nodes.
///
/// If `u` is 50 away from a landmark, and `t` is 20 away from that landmark, then `u` is at least 30 away from `t`.
/// Landmarks need no positions, and know of walls, one-way streets and slow ground. A landmark gives good bounds for
/// ways that lead towards the landmark or away from it. So landmarks belong at the rim of the world: [`new`](Self::new)
/// finds such nodes. Between 4 and 16 landmarks suit most worlds.
///
/// ```
/// use giveway_core::heuristic::{ToGoals, Zero};
/// use giveway_core::{Fuel, Goals, Move, NodeId, SpaceGraph, SpatialSearch};
/// use giveway_distance::Landmarks;
///
/// # struct Ring(u32);
/// # impl SpaceGraph for Ring {
/// #     type Action = i32;
/// #     type Cost = u32;
/// #     fn node_bound(&self) -> usize { self.0 as usize }
/// #     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<i32, u32>> {
/// #         [(1, 1, 1000), (-1, self.0 - 1, 1500)].into_iter().map(move |(action, ahead, cost)| {
/// #             Move { from, to: NodeId((from.0 + ahead) % self.0), action, cost, length: 1.0 }
/// #         })
/// #     }
/// # }
/// let ring = Ring(100); // a ring road; clockwise a step costs 1000, and 1500 against the wind
/// let landmarks = Landmarks::new(&ring, 4);
/// let (start, goals) = (NodeId(10), Goals::one(NodeId(30)));
///
/// let mut search = SpatialSearch::new();
/// let (mut blind, mut guided) = (Vec::new(), Vec::new()); // expansions by node
/// let fuel = &mut Fuel::unlimited();
/// let by_zero = search.find_with(&ring, start, &goals, &mut Zero, fuel, &mut blind)?;
/// let mut to_goals = ToGoals { metric: landmarks, goals: goals.clone() };
/// let by_landmarks = search.find_with(&ring, start, &goals, &mut to_goals, fuel, &mut guided)?;
/// assert_eq!((by_zero.cost, by_landmarks.cost), (20_000, 20_000));
/// assert_eq!([blind, guided].map(|of| of.iter().sum::<u32>()), [34, 21]);
/// # Ok::<(), giveway_core::NoPath>(())
/// ```
///
/// # With searches and crowds
/// Landmarks are a [`Metric`]: [`ToGoals`](giveway_core::heuristic::ToGoals) makes landmarks the heuristic of one
/// agent, and [`ByMetric`](giveway_core::heuristic::ByMetric) makes them the heuristics of all agents.
/// [`TrueDistances::aimed`](super::TrueDistances::aimed) uses landmarks to aim reverse searches. Clones share the
/// distances.
///
/// # Costs of any type
/// Distances are kept as whole numbers of a quantum, which is a power of two, and each cost is rounded down to quanta.
/// Sums and differences of such numbers have no rounding errors. So with floating-point costs, too, the bound is
/// exactly consistent. The quantum is 1 for integers, as long as the largest distance fits 32 bits. Otherwise a quantum
/// is at most 2^-24 of the largest distance (2^-16 for `f32`), and a bound is too low by at most one quantum for each
/// move of the way.
///
/// A landmark that cannot be reached counts as twice as far away as the farthest node. If sums of three such distances
/// do not fit the cost type, they saturate, and searches may find paths that are not cheapest.
///
/// # Memory and time
/// Each landmark takes 8 bytes per node id below the [bound](SpaceGraph::node_bound), or 4 bytes if each move has a
/// move back at an equal cost. Asking for a distance takes time linear in the number of landmarks. Making landmarks
/// takes two Dijkstra searches of the whole space for each landmark, or one search if each move has a move back at an
/// equal cost. If the first quantum does not suit, all searches are made again: usually once, and at most four times.
/// While landmarks are made, 24 bytes per move are in use.
///
/// # Maps that change
/// Landmarks belong to one revision of one space. Where nodes and moves are closed, or moves get dearer, the bound
/// stays a consistent lower bound, and gets looser. Where nodes or moves are opened, or moves get cheaper, the bound
/// may be too high: make new landmarks, or searches may find paths that are not cheapest. If nodes will open later,
/// make the landmarks while these nodes are open.
pub struct Landmarks<C> {
    table: Arc<Table>,
    cost: PhantomData<fn() -> C>,
}

impl<C: Cost> Landmarks<C> {
    /// `count` landmarks of `space` that are far from each other, or one for each node if there are fewer nodes.
    ///
    /// Each landmark is the node farthest from the landmarks before it; among equals the lowest. Strongly connected
    /// parts of the space get landmarks in proportion to their nodes. Equal spaces get equal landmarks. Without
    /// landmarks (`count` 0) all distances are 0.
    pub fn new<S: SpaceGraph<Cost = C>>(space: &S, count: usize) -> Self {
        Self::make(space, |costs| spread(space, costs, count))
    }

    /// The landmarks `nodes`, in the order given. Nodes that do not exist are ignored, and so are duplicates.
    ///
    /// Use this method if you know the rim of the world. Good landmarks are the corners of a map, or the ends of the
    /// streets that lead out of a town.
    pub fn at<S: SpaceGraph<Cost = C>>(space: &S, nodes: impl IntoIterator<Item = NodeId>) -> Self {
        let mut landmarks: Vec<NodeId> = Vec::new();
        for node in nodes {
            if node.index() < space.node_bound() && space.contains(node) && !landmarks.contains(&node) {
                landmarks.push(node);
            }
        }
        Self::make(space, |costs| {
            let columns = columns(costs, &landmarks);
            (landmarks, columns)
        })
    }

    fn make<S: SpaceGraph<Cost = C>>(
        space: &S,
        choose: impl FnOnce(&WholeCosts) -> (Vec<NodeId>, Vec<Column>),
    ) -> Self {
        let mut quantum = Quantum::of_moves(space);
        let (nodes, mut found) = choose(&WholeCosts::new(space, quantum));
        // Costs of very different sizes need a few attempts, all others at most one.
        for _ in 0..4 {
            let farthest = found.iter().map(|column| column.farthest).max();
            let Some(better) = farthest.and_then(|farthest| quantum.better::<C>(farthest)) else {
                break;
            };
            quantum = better;
            found = columns(&WholeCosts::new(space, quantum), &nodes);
        }
        Self { table: Arc::new(Table::new(nodes, &found, quantum, Quantum::most::<C>())), cost: PhantomData }
    }

    /// The landmarks, in the order in which they were chosen.
    pub fn nodes(&self) -> &[NodeId] {
        &self.table.nodes
    }

    /// The memory of the distances, in bytes. Clones share this memory.
    pub fn bytes(&self) -> usize {
        self.table.distances.len() * size_of::<u32>()
    }
}

fn columns(costs: &WholeCosts, landmarks: &[NodeId]) -> Vec<Column> {
    landmarks.iter().map(|node| costs.column(*node)).collect()
}

/// The distances to and from all landmarks.
struct Table {
    nodes: Vec<NodeId>,
    quantum: Quantum,
    /// How many numbers there are for each node.
    width: usize,
    /// How many of these are distances to landmarks; the others are distances from landmarks. All of them, if distances
    /// are equal both ways.
    to: usize,
    distances: Vec<u32>,
}

impl Table {
    fn new(nodes: Vec<NodeId>, columns: &[Column], quantum: Quantum, most: u32) -> Self {
        let to = columns.iter().map(|column| &column.to);
        let from = columns.iter().filter_map(|column| column.from.as_ref());
        let all: Vec<&Vec<u32>> = to.chain(from).collect();
        let farthest = columns.iter().map(|column| column.farthest).max().unwrap_or(0);
        // The minimum of a distance and a constant is as consistent as the distance. So the constant may stand for
        // distances that are too large, and for infinite ones.
        let far = u32::try_from(farthest.saturating_mul(2)).unwrap_or(most).min(most);
        let bound = all.first().map_or(0, |column| column.len());
        let mut distances = Vec::with_capacity(bound * all.len());
        for node in 0..bound {
            distances.extend(all.iter().map(|column| column[node].min(far)));
        }
        Self { nodes, quantum, width: all.len(), to: columns.len(), distances }
    }

    #[inline]
    fn row(&self, node: NodeId) -> &[u32] {
        let begin = node.index().saturating_mul(self.width);
        self.distances.get(begin..begin.saturating_add(self.width)).unwrap_or_default()
    }

    /// The largest bound of all landmarks, in quanta; 0 for nodes that do not exist.
    #[inline]
    fn bound(&self, from: NodeId, to: NodeId) -> u32 {
        let (here, there) = (self.row(from), self.row(to));
        if self.to == self.width {
            return here.iter().zip(there).map(|(here, there)| here.abs_diff(*there)).fold(0, u32::max);
        }
        let (Some((here_to, here_from)), Some((there_to, there_from))) =
            (here.split_at_checked(self.to), there.split_at_checked(self.to))
        else {
            return 0;
        };
        let towards = here_to.iter().zip(there_to).map(|(here, there)| here.saturating_sub(*there));
        let away = there_from.iter().zip(here_from).map(|(there, here)| there.saturating_sub(*here));
        towards.fold(0, u32::max).max(away.fold(0, u32::max))
    }
}

impl<S: SpaceGraph> Metric<S> for Landmarks<S::Cost> {
    #[inline]
    fn distance(&self, _space: &S, from: NodeId, to: NodeId) -> S::Cost {
        self.table.quantum.cost(self.table.bound(from, to))
    }
}

/// Shares the distances.
impl<C> Clone for Landmarks<C> {
    fn clone(&self) -> Self {
        Self { table: Arc::clone(&self.table), cost: PhantomData }
    }
}

impl<C> fmt::Debug for Landmarks<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Landmarks").field("nodes", &self.table.nodes).finish_non_exhaustive()
    }
}
