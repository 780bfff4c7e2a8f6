//! Is a heuristic a consistent lower bound on the true distance?

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::breach::{Breach, ask, exists, moves, require, sample, show};
use giveway_core::{Cost, Fuel, Goals, Heuristic, NodeId, SpaceGraph};

/// The number of nodes examined in larger spaces.
const MOST_NODES: u32 = 1 << 16;

/// Checks a heuristic to `goals` against the true distances:
/// * it is consistent, zero on goals, and never above the distance;
/// * every node that can reach a goal has an estimate;
/// * it gives equal answers each time, even if it gets fuel for one expansion at a time.
///
/// `make` makes a new heuristic for `goals` each time. A node that cannot reach a goal may have an estimate, because
/// metrics do not know walls. With floating-point costs, errors of rounding are permitted.
///
/// Examines at most 65536 nodes, and the ends of the moves out of them. But to find the true distances, the check first
/// searches the whole space.
///
/// ```
/// use giveway_core::heuristic::Heuristic;
/// use giveway_conformance as conformance;
/// use giveway_core::{Fuel, Goals, Move, NodeId, SpaceGraph, Suspended};
/// use giveway_distance::{DistanceTable, Predecessors};
/// # struct Ring(u32);
/// # impl SpaceGraph for Ring {
/// #     type Action = ();
/// #     type Cost = u32;
/// #     fn node_bound(&self) -> usize { self.0 as usize }
/// #     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<(), u32>> {
/// #         let to = NodeId((from.0 + 1) % self.0);
/// #         std::iter::once(Move { from, to, action: (), cost: 1000, length: 1.0 })
/// #     }
/// # }
/// /// The difference of ids. That is too much here, as the ring is driven one way.
/// struct Difference(NodeId);
///
/// impl Heuristic<Ring> for Difference {
///     fn estimate(&mut self, _: &Ring, node: NodeId, _: &mut Fuel) -> Result<Option<u32>, Suspended> {
///         Ok(Some(1000 * node.0.abs_diff(self.0.0)))
///     }
/// }
///
/// let (ring, goals) = (Ring(6), Goals::one(NodeId(0)));
/// let breach = conformance::heuristic(&ring, &goals, || Difference(NodeId(0))).unwrap_err();
/// assert_eq!(breach.fault, "the estimate of node 4 is 4000, more than the distance to the goals, 2000");
///
/// conformance::heuristic(&ring, &goals, || DistanceTable::new(&ring, Predecessors::from_space(&ring), goals.clone()))?;
/// # Ok::<(), conformance::Breach>(())
/// ```
///
/// # Errors
/// The first breach found.
pub fn heuristic<S: SpaceGraph, H: Heuristic<S>>(space: &S, goals: &Goals, make: impl Fn() -> H) -> Result<(), Breach> {
    let mut nodes = Vec::new();
    for node in sample(space, MOST_NODES)?.into_iter().chain(goals.nodes().iter().copied()) {
        if exists(space, node)? {
            nodes.push(node);
        }
    }
    let truth = Distances::to(space, goals)?;
    let mut asked = Asked { space, heuristic: make() };
    let mut estimates = Vec::with_capacity(nodes.len());
    for node in &nodes {
        let estimate = asked.estimate(*node)?;
        lower_bound(*node, estimate, truth.of(*node), goals)?;
        estimates.push((*node, estimate));
    }
    for (node, before) in estimates.iter().rev() {
        let after = asked.estimate(*node)?;
        require(after == *before, || {
            format!("the estimate of node {} was {}, and asked again is {}", node.0, name(*before), name(after))
        })?;
    }
    for (node, estimate) in &estimates {
        consistent(&mut asked, *node, *estimate)?;
    }
    // The farthest node and an unreachable one need most of the work.
    let farthest = estimates.iter().max_by_key(|(node, _)| truth.of(*node));
    let unreachable = estimates.iter().find(|(node, _)| truth.of(*node).is_none());
    for (node, expected) in farthest.into_iter().chain(unreachable) {
        in_slices(space, make(), *node, *expected, truth.work)?;
    }
    Ok(())
}

/// A heuristic that is asked with unlimited fuel.
struct Asked<'a, S, H> {
    space: &'a S,
    heuristic: H,
}

impl<S: SpaceGraph, H: Heuristic<S>> Asked<'_, S, H> {
    fn estimate(&mut self, node: NodeId) -> Result<Option<S::Cost>, Breach> {
        let Self { space, heuristic } = self;
        let question = || format!("estimate of node {}", node.0);
        ask(question, || heuristic.estimate(space, node, &mut Fuel::unlimited()))?
            .map_err(|_| Breach::new(format!("{} says that it is out of fuel, but had no limit", question())))
    }
}

fn name<C: Cost>(estimate: Option<C>) -> String {
    estimate.map_or("None (unreachable)".to_owned(), |cost| format!("{cost:?}"))
}

fn lower_bound<C: Cost>(node: NodeId, estimate: Option<C>, distance: Option<C>, goals: &Goals) -> Result<(), Breach> {
    let the_estimate = || format!("the estimate of node {} is {}", node.0, name(estimate));
    require(!goals.contains(node) || estimate == Some(C::zero()), || {
        format!("{}, but it is a goal: there it must be zero", the_estimate())
    })?;
    match (estimate, distance) {
        (Some(estimate), _) if estimate < C::zero() || estimate.to_f64().is_some_and(f64::is_nan) => {
            Err(Breach::new(format!("{}: it must not be negative, nor NaN", the_estimate())))
        }
        (None, Some(distance)) => {
            Err(Breach::new(format!("{}, but a goal can be reached from there at cost {distance:?}", the_estimate())))
        }
        (Some(estimate), Some(distance)) if exceeds(estimate, distance) => {
            Err(Breach::new(format!("{}, more than the distance to the goals, {distance:?}", the_estimate())))
        }
        _ => Ok(()),
    }
}

/// Whether no move out of `node` lowers the estimate by more than its cost.
fn consistent<S: SpaceGraph, H: Heuristic<S>>(
    asked: &mut Asked<'_, S, H>,
    node: NodeId,
    estimate: Option<S::Cost>,
) -> Result<(), Breach> {
    let Some(here) = estimate else {
        return Ok(());
    };
    for m in moves(asked.space, node)? {
        let Some(there) = asked.estimate(m.to)? else {
            continue;
        };
        require(!exceeds(here, m.cost.plus(there)), || {
            format!(
                "inconsistent: {} costs {:?}, but the estimate falls from {here:?} to {there:?}, which is by more",
                show::<S>(&m),
                m.cost
            )
        })?;
    }
    Ok(())
}

/// Whether a heuristic with one expansion of fuel at a time gives the answer that it gave with plenty.
fn in_slices<S: SpaceGraph, H: Heuristic<S>>(
    space: &S,
    mut heuristic: H,
    node: NodeId,
    expected: Option<S::Cost>,
    work: u64,
) -> Result<(), Breach> {
    let question = || format!("estimate of node {}, with fuel for one expansion at a time,", node.0);
    let slices = 4 * work + 1000;
    for _ in 0..slices {
        let mut fuel = Fuel::work(1);
        let answer = ask(question, || heuristic.estimate(space, node, &mut fuel))?;
        require(fuel.left() <= 1, || format!("the {} makes more fuel than it was given", question()))?;
        if let Ok(estimate) = answer {
            return require(estimate == expected, || {
                format!("the {} is {}, with plenty {}", question(), name(estimate), name(expected))
            });
        }
    }
    Err(Breach::new(format!(
        "the {} is not known after {slices} slices, in a space of {work} nodes and moves: what is done before the fuel runs out \
         must be kept",
        question()
    )))
}

/// Whether `estimate` exceeds `limit` by more than the rounding of floating-point sums.
fn exceeds<C: Cost>(estimate: C, limit: C) -> bool {
    let integers = C::floor(0.5).is_zero();
    let single_precision = C::floor(1.0 + 1e-12) == C::floor(1.0);
    let slack = match (integers, single_precision) {
        (true, _) => 0.0,
        (false, true) => 1e-4,
        (false, false) => 1e-9,
    };
    estimate > limit
        && match (estimate.to_f64(), limit.to_f64()) {
            (Some(estimate), Some(limit)) if slack > 0.0 => estimate > limit * (1.0 + slack) + slack,
            _ => true,
        }
}

/// The true distances to goals, by Dijkstra's algorithm over inverted moves. It uses no code that could share a fault
/// with the checked heuristic.
struct Distances<C> {
    /// From each node; `None`: no goal can be reached.
    from: Vec<Option<C>>,
    /// The number of nodes and moves.
    work: u64,
}

impl<C: Cost> Distances<C> {
    fn to<S: SpaceGraph<Cost = C>>(space: &S, goals: &Goals) -> Result<Self, Breach> {
        let bound = space.node_bound();
        let mut backwards: Vec<(NodeId, NodeId, C)> = Vec::new();
        for node in space.nodes() {
            backwards.extend(moves(space, node)?.iter().map(|m| (m.to, m.from, m.cost)));
        }
        backwards.sort_unstable();
        let mut from = vec![None; bound];
        let mut open = BinaryHeap::new();
        for goal in goals.nodes().iter().copied() {
            if exists(space, goal)? && goal.index() < bound {
                open.push(Reverse((C::zero(), goal)));
            }
        }
        while let Some(Reverse((distance, node))) = open.pop() {
            let known = &mut from[node.index()];
            if known.is_some() {
                continue;
            }
            *known = Some(distance);
            let begin = backwards.partition_point(|(to, ..)| *to < node);
            let into = backwards[begin..].iter().take_while(|(to, ..)| *to == node);
            for (_, origin, cost) in into.filter(|(_, origin, _)| origin.index() < bound) {
                open.push(Reverse((distance.plus(*cost), *origin)));
            }
        }
        Ok(Self { from, work: (bound + backwards.len()) as u64 })
    }

    fn of(&self, node: NodeId) -> Option<C> {
        *self.from.get(node.index())?
    }
}
