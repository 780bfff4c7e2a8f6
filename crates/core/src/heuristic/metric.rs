//! Metrics: lower bounds between any two nodes, and the bounds that positions alone give.

use num_traits::{ToPrimitive, Zero as _};

use crate::estimate::Heuristic;
use crate::space::{Embedding, SpaceGraph};
use crate::vocabulary::{Cost, Fuel, Goals, NodeId, Suspended};

/// A lower bound on the cost of ways from any node to any other node. The bound is consistent in both nodes.
///
/// # Contract
/// * The distance from `from` to `to` is at most the cost of any way from `from` to `to`. Ways back may cost less.
/// * Consistent in `from`: for each move from `u` to `v` and each node `t`, the distance from `u` to `t` is at most the
///   cost of the move plus the distance from `v` to `t`.
/// * Consistent in `to`: for each move from `u` to `v` and each node `s`, the distance from `s` to `v` is at most the
///   distance from `s` to `u` plus the cost of the move.
/// * The distance from a node to itself is zero.
///
/// Searches towards goals need consistency in `from`; reverse searches need consistency in `to`.
pub trait Metric<S: SpaceGraph> {
    /// The lower bound on the cost of any way from `from` to `to`.
    fn distance(&self, space: &S, from: NodeId, to: NodeId) -> S::Cost;

    /// A function that gives the [distance](Self::distance) from a node to `to`. Fast for many nodes: the position of
    /// `to` is found only once.
    #[inline]
    fn distances_to(&self, space: &S, to: NodeId) -> impl Fn(NodeId) -> S::Cost
    where
        Self: Sized,
    {
        move |from| self.distance(space, from, to)
    }
}

/// The distance 0 everywhere. With this metric, A* is Dijkstra's algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Zero;

impl<S: SpaceGraph> Metric<S> for Zero {
    #[inline]
    fn distance(&self, _space: &S, _from: NodeId, _to: NodeId) -> S::Cost {
        S::Cost::zero()
    }
}

impl<S: SpaceGraph> Heuristic<S> for Zero {
    #[inline]
    fn estimate(&mut self, _space: &S, _node: NodeId, _fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        Ok(Some(S::Cost::zero()))
    }
}

/// `step` times the Manhattan distance, which is the sum of the differences of the coordinates. For spaces whose moves
/// run along the axes.
///
/// A lower bound if no move costs less than `step` per unit of Manhattan distance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Manhattan<C> {
    /// The least cost of one unit of distance.
    pub step: C,
}

/// The octile distance: the cost of as few steps as possible along axes and diagonals, in the plane of the first two
/// coordinates. The difference of the third coordinates adds `step` for each unit.
///
/// A lower bound if three things hold: all moves are steps along axes and diagonals; a unit of length along an axis
/// costs at least `step`; and a diagonal (1, 1) costs at least `diagonal`. The arcs of a lattice are shorter than these
/// steps: use [`Euclidean::from_space`] for a lattice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Octile<C> {
    /// The least cost of one unit along an axis.
    pub step: C,
    /// The least cost of one unit diagonal; more than twice `step` counts as twice `step`.
    pub diagonal: C,
}

/// `step` times the length of the straight line between two nodes. For any space with positions.
///
/// A lower bound if no move costs less than `step` per unit of length. Mind rounded costs: a diagonal of 1414 costs
/// 999.8 per unit, so with integer costs on such a grid `step` must be 999. [`Euclidean::from_space`] finds the right
/// value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Euclidean {
    /// The least cost of one unit of length.
    pub step: f64,
}

impl Euclidean {
    /// The metric with the largest `step` that is a lower bound for all moves of `space`. Takes time linear in the
    /// number of moves.
    pub fn from_space<S: Embedding>(space: &S) -> Self {
        let rate = |node: NodeId| {
            let from = space.position(node);
            space.moves(node).fold(f64::INFINITY, |least, m| {
                let length = euclidean(offsets(from, space.position(m.to)));
                let cost = m.cost.to_f64().unwrap_or(0.0);
                if length > 0.0 { least.min(cost / length) } else { least }
            })
        };
        let step = space.nodes().map(rate).fold(f64::INFINITY, f64::min);
        // Slightly smaller, so that rounding in the division and the square root cannot lift an estimate over the cost.
        Self { step: if step.is_finite() { step * (1.0 - 1e-12) } else { 0.0 } }
    }
}

#[inline]
fn offsets(a: [f32; 3], b: [f32; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| (f64::from(a[axis]) - f64::from(b[axis])).abs())
}

/// A distance by the differences of two nodes' coordinates: in real numbers, and with an equal result in whole numbers
/// where costs are whole.
trait Offsets<C> {
    fn real(&self, offsets: [f64; 3]) -> C;

    fn whole(&self, offsets: [u32; 3]) -> C;

    /// The distances to `to`. Whole numbers are much faster, as a search waits for each estimate.
    #[inline]
    fn distances_to<S: Embedding<Cost = C>>(self, space: &S, to: NodeId) -> impl Fn(NodeId) -> C
    where
        Self: Sized,
        C: Cost,
    {
        let position = space.position(to);
        let whole = space.whole_position(to).unwrap_or_default();
        // All nodes have whole positions, or none: the compiler knows which, and leaves out one of the two ways.
        move |from| match space.whole_position(from).filter(|_| C::floor(0.5).is_zero()) {
            Some(from) => self.whole([0, 1, 2].map(|axis| from[axis].abs_diff(whole[axis]))),
            None => self.real(offsets(space.position(from), position)),
        }
    }
}

#[inline]
fn euclidean([x, y, z]: [f64; 3]) -> f64 {
    // Not `hypot`: its results differ between platforms.
    (x * x + y * y + z * z).sqrt()
}

#[inline]
fn price<C: Cost>(cost: C) -> f64 {
    cost.to_f64().unwrap_or(0.0)
}

impl<C: Cost> Offsets<C> for Manhattan<C> {
    #[inline]
    fn real(&self, [x, y, z]: [f64; 3]) -> C {
        C::floor((x + y + z) * price(self.step))
    }

    #[inline]
    fn whole(&self, [x, y, z]: [u32; 3]) -> C {
        self.step.times(x.wrapping_add(y).wrapping_add(z))
    }
}

impl<C: Cost> Offsets<C> for Octile<C> {
    #[inline]
    fn real(&self, [x, y, z]: [f64; 3]) -> C {
        let step = price(self.step);
        let diagonal = price(self.diagonal).min(2.0 * step);
        C::floor(x.min(y) * diagonal + ((x - y).abs() + z) * step)
    }

    #[inline]
    fn whole(&self, [x, y, z]: [u32; 3]) -> C {
        let diagonal = self.diagonal.min(self.step.times(2));
        diagonal.times(x.min(y)).plus(self.step.times(x.abs_diff(y).wrapping_add(z)))
    }
}

macro_rules! metrics_by_offsets {
    ($($metric:ident)*) => {$(
        impl<S: Embedding> Metric<S> for $metric<S::Cost> {
            #[inline]
            fn distance(&self, space: &S, from: NodeId, to: NodeId) -> S::Cost {
                Offsets::distances_to(*self, space, to)(from)
            }

            #[inline]
            fn distances_to(&self, space: &S, to: NodeId) -> impl Fn(NodeId) -> S::Cost {
                Offsets::distances_to(*self, space, to)
            }
        }
    )*};
}

metrics_by_offsets!(Manhattan Octile);

impl<S: Embedding> Metric<S> for Euclidean {
    #[inline]
    fn distance(&self, space: &S, from: NodeId, to: NodeId) -> S::Cost {
        S::Cost::floor(euclidean(offsets(space.position(from), space.position(to))) * self.step)
    }

    #[inline]
    fn distances_to(&self, space: &S, to: NodeId) -> impl Fn(NodeId) -> S::Cost {
        let to = space.position(to);
        move |from| S::Cost::floor(euclidean(offsets(space.position(from), to)) * self.step)
    }
}

/// A metric with goals: the distance to the nearest goal.
#[derive(Clone, PartialEq, Debug)]
pub struct ToGoals<M> {
    /// The metric.
    pub metric: M,
    /// The goals. Without goals, nothing is reachable.
    pub goals: Goals,
}

impl<S: SpaceGraph, M: Metric<S>> Heuristic<S> for ToGoals<M> {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, _fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        Ok(self.goals.nodes().iter().map(|goal| self.metric.distance(space, node, *goal)).min())
    }

    #[inline]
    fn begin(&mut self, space: &S) -> impl Heuristic<S> {
        let mut distances = self.goals.nodes().iter().map(|goal| self.metric.distances_to(space, *goal));
        Distances { first: distances.next(), others: distances.collect() }
    }
}

/// Distances to each of several goals: the least is the estimate.
struct Distances<D> {
    /// By itself, as most searches have one goal.
    first: Option<D>,
    others: Vec<D>,
}

impl<D> Distances<D> {
    /// Not inlined: a search with one goal needs the registers.
    #[inline(never)]
    fn least_of_others<C: Cost>(&self, node: NodeId, least: C) -> C
    where
        D: Fn(NodeId) -> C,
    {
        self.others.iter().fold(least, |least, distance| least.min(distance(node)))
    }
}

impl<S: SpaceGraph, D: Fn(NodeId) -> S::Cost> Heuristic<S> for Distances<D> {
    #[inline]
    fn estimate(&mut self, _space: &S, node: NodeId, _fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        Ok(self.first.as_ref().map(|first| {
            let least = first(node);
            if self.others.is_empty() { least } else { self.least_of_others(node, least) }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<C: Cost>(steps: &[(C, C)]) {
        for &(step, diagonal) in steps {
            for offsets in
                [[0, 0, 0], [5, 3, 0], [3, 5, 2], [7, 7, 1], [1 << 20, 12_345, 9], [1 << 29, 1 << 29, 1 << 29]]
            {
                let real = offsets.map(f64::from);
                let (manhattan, octile) = (Manhattan { step }, Octile { step, diagonal });
                assert_eq!(manhattan.whole(offsets), manhattan.real(real), "{manhattan:?} {offsets:?}");
                assert_eq!(octile.whole(offsets), octile.real(real), "{octile:?} {offsets:?}");
            }
        }
    }

    #[test]
    fn whole_numbers_give_what_real_numbers_give() {
        check::<u32>(&[(1000, 1414), (1000, 3000), (0, 5), (1, 1), (7, 2)]);
        check::<u64>(&[(1000, 1414), (1000, 3000), (0, 5), (1, 1), (7, 2)]);
    }
}
