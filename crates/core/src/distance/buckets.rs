//! Dijkstra's algorithm with an open list of buckets. The search can pause between expansions, and takes memory only for
//! what it has met.
//!
//! Meyer & Sanders, "Δ-stepping: a parallelizable shortest path algorithm", J. Algorithms 2003, on one thread: a bucket
//! holds the nodes whose distances differ by less than its width, in any order.
//!
//! Differs from the paper: buckets become no wider than the least cost of a move that was met, moves at no cost aside.
//! From then on a node is expanded twice only if a move at no cost makes it cheaper.

use std::collections::BTreeMap;

use super::credit::Credit;
use crate::graph::paged::Paged;
use crate::vocabulary::{Cost, Fuel, NodeId, Suspended};

/// Least costs to a goal, found outwards from the goals.
#[derive(Clone, Debug)]
pub(super) struct Buckets<C: Cost> {
    /// Per node, the least cost found so far; `None`: not met.
    costs: Paged<Option<C>>,
    /// What is to be expanded, by cost in widths, rounded down. An entry is stale once its node has a lower cost.
    open: BTreeMap<u64, Vec<(NodeId, C)>>,
    /// The bucket that is being emptied.
    current: Vec<(NodeId, C)>,
    /// A list for the next bucket, so that few are allocated.
    spare: Vec<(NodeId, C)>,
    /// The number of entries in `open` and `current`.
    entries: usize,
    /// A power of two, so that divisions are exact.
    width: f64,
    /// At moves that cost less, buckets become narrower.
    narrowest: C,
    /// Costs up to this one are final.
    final_to: C,
    state: State,
    bound: usize,
    expanded: u64,
    credit: Credit,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// No goal has been met.
    Blank,
    Searching,
    /// All costs are final.
    Exhausted,
}

/// The nodes that a unit of work expands.
const PER_UNIT: u64 = 4;

/// Buckets are at least such a part of a plain step wide, so that one tiny move does not put all costs into the last
/// bucket.
const NARROWEST: f64 = 1.0 / (1 << 20) as f64;

/// The largest power of two that is not above `value`, at least the smallest normal number.
fn power_of_two(value: f64) -> f64 {
    // Without its fraction, a normal number is a power of two.
    f64::from_bits(value.max(f64::MIN_POSITIVE).to_bits() & !((1 << 52) - 1))
}

impl<C: Cost> Buckets<C> {
    /// A search that has not begun. It takes no memory.
    pub(super) fn new() -> Self {
        Self {
            costs: Paged::new(),
            open: BTreeMap::new(),
            current: Vec::new(),
            spare: Vec::new(),
            entries: 0,
            width: power_of_two(C::STEP.to_f64().unwrap_or(1.0)),
            narrowest: C::STEP,
            final_to: C::zero(),
            state: State::Blank,
            bound: 0,
            expanded: 0,
            credit: Credit::default(),
        }
    }

    pub(super) fn is_begun(&self) -> bool {
        self.state != State::Blank
    }

    /// Begins the search at `goals`, with room for the nodes below `bound`.
    pub(super) fn begin(
        &mut self,
        bound: usize,
        goals: impl Iterator<Item = NodeId>,
        fuel: &mut Fuel,
        most_bytes: usize,
    ) -> Result<(), Suspended> {
        Paged::<Option<C>>::pay(bound, fuel, most_bytes)?;
        self.costs.reset(bound);
        (self.bound, self.state) = (bound, State::Searching);
        goals.for_each(|goal| self.offer(goal, C::zero()));
        Ok(())
    }

    pub(super) fn expanded(&self) -> u64 {
        self.expanded
    }

    pub(super) fn bytes(&self) -> usize {
        // A list has room for four entries at least.
        let list = 4 * size_of::<(NodeId, C)>() + size_of::<(u64, Vec<(NodeId, C)>)>();
        self.costs.bytes() + self.entries * size_of::<(NodeId, C)>() + self.open.len() * list
    }

    /// The least cost from `node`, if no search is needed; `None` inside: there is no way.
    #[inline(always)]
    pub(super) fn known(&self, node: NodeId) -> Option<Option<C>> {
        match self.costs.get(node.index()) {
            Some(cost) if cost <= self.final_to => Some(Some(cost)),
            cost => (self.state == State::Exhausted).then_some(cost),
        }
    }

    /// Searches until the least cost from `node` is known. `see_around(buckets, expanded, cost)` is to
    /// [see](Self::see) all nodes with moves to the node expanded, whose own cost is `cost`.
    pub(super) fn reach(
        &mut self,
        node: NodeId,
        mut see_around: impl FnMut(&mut Self, NodeId, C),
        fuel: &mut Fuel,
        most_bytes: usize,
    ) -> Result<Option<C>, Suspended> {
        loop {
            if let Some(known) = self.known(node) {
                return Ok(known);
            }
            let Some((next, cost)) = self.pop() else {
                self.state = State::Exhausted;
                (self.current, self.spare) = (Vec::new(), Vec::new());
                continue;
            };
            let is_full = self.bytes() >= most_bytes;
            if is_full || self.credit.spend(1, PER_UNIT, fuel) == 0 {
                self.current.push((next, cost));
                self.entries += 1;
                return Err(if is_full { Suspended::OutOfMemory } else { Suspended::OutOfFuel });
            }
            self.expanded += 1;
            see_around(self, next, cost);
        }
    }

    /// Meets `node`, from which a move at `cost` leads to a node whose least cost is `onward`.
    #[inline]
    pub(super) fn see(&mut self, node: NodeId, cost: C, onward: C) {
        if cost < self.narrowest && !cost.is_zero() {
            self.narrow(cost);
        }
        if node.index() < self.bound {
            self.offer(node, onward.plus(cost));
        }
    }

    #[inline]
    fn offer(&mut self, node: NodeId, cost: C) {
        let Some(known) = self.costs.get_mut(node.index()) else { return };
        if known.is_none_or(|known| cost < known) {
            *known = Some(cost);
            self.put(node, cost);
        }
    }

    fn put(&mut self, node: NodeId, cost: C) {
        let cost_in_widths =
            cost.to_f64().filter(|cost| !cost.is_nan()).map_or(f64::INFINITY, |cost| cost / self.width);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
        let bucket = cost_in_widths as u64;
        let list = self.open.entry(bucket).or_insert_with(|| std::mem::take(&mut self.spare));
        list.push((node, cost));
        self.entries += 1;
    }

    /// The next node to be expanded, and its cost. `None`: all have been.
    #[inline]
    fn pop(&mut self) -> Option<(NodeId, C)> {
        loop {
            while let Some((node, cost)) = self.current.pop() {
                self.entries -= 1;
                if self.costs.get(node.index()) == Some(cost) {
                    return Some((node, cost));
                }
            }
            let (_, next) = self.open.pop_first()?;
            self.spare = std::mem::replace(&mut self.current, next);
            // Nothing that is open costs less, and moves cost no less than nothing.
            let least = self.current.iter().map(|(_, cost)| *cost).min();
            self.final_to = self.final_to.max(least.unwrap_or(self.final_to));
        }
    }

    /// Makes the buckets no wider than `cost`. Each time their width falls by half at least, so that this is rare.
    #[cold]
    fn narrow(&mut self, cost: C) {
        self.narrowest = cost;
        let least = C::STEP.to_f64().unwrap_or(1.0) * NARROWEST;
        let width = power_of_two(cost.to_f64().unwrap_or(0.0).max(least));
        if width >= self.width {
            return;
        }
        self.width = width;
        let open = std::mem::take(&mut self.open).into_values().flatten().chain(std::mem::take(&mut self.current));
        self.entries = 0;
        open.collect::<Vec<_>>().into_iter().for_each(|(node, cost)| self.put(node, cost));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches a graph given as (from, to, cost) from node 0 outwards, backwards along its moves.
    fn search(nodes: u32, arcs: &[(u32, u32, u32)], fuel: &mut Fuel) -> (Buckets<u32>, Vec<Option<u32>>) {
        let mut buckets = Buckets::new();
        buckets.begin(nodes as usize, [NodeId(0)].into_iter(), fuel, usize::MAX).unwrap();
        let mut costs = Vec::new();
        for node in (0..nodes).map(NodeId) {
            let see_around = |buckets: &mut Buckets<u32>, expanded: NodeId, onward| {
                let into = arcs.iter().filter(|(_, to, _)| *to == expanded.0);
                into.for_each(|(from, _, cost)| buckets.see(NodeId(*from), *cost, onward));
            };
            costs.push(buckets.reach(node, see_around, fuel, usize::MAX).unwrap());
        }
        (buckets, costs)
    }

    /// By relaxing all arcs, again and again.
    fn oracle(nodes: u32, arcs: &[(u32, u32, u32)]) -> Vec<Option<u32>> {
        let mut costs = vec![None; nodes as usize];
        costs[0] = Some(0);
        for _ in 0..nodes {
            for (from, to, cost) in arcs {
                let by = costs[*to as usize].map(|onward: u32| onward.plus(*cost));
                let known: &mut Option<u32> = &mut costs[*from as usize];
                *known = [*known, by].into_iter().flatten().min();
            }
        }
        costs
    }

    proptest::proptest! {
        /// Costs from nothing to the largest, in graphs with parts that cannot be reached.
        #[test]
        fn costs_are_least(
            arcs in proptest::collection::vec(
                (0_u32..24, 0_u32..24, proptest::prop_oneof![0_u32..4, 900_u32..1500, proptest::num::u32::ANY]), 0..80)
        ) {
            let (buckets, costs) = search(24, &arcs, &mut Fuel::unlimited());
            proptest::prop_assert_eq!(costs, oracle(24, &arcs));
            proptest::prop_assert_eq!(buckets.entries, buckets.open.values().map(Vec::len).sum::<usize>() + buckets.current.len());
        }
    }

    #[test]
    fn costs_that_vary_by_far_are_least() {
        use num_traits::Zero as _;
        use ordered_float::OrderedFloat;
        type Float = OrderedFloat<f32>;
        let costs = [1e-30, 0.0, 3.0, f32::INFINITY, 0.25, 1e-4, 7.0].map(OrderedFloat);
        let arcs: Vec<(u32, u32, Float)> = (0..60_u32)
            .flat_map(|i| {
                [(i % 20, (i * 7 + 3) % 20, costs[i as usize % 7]), (i % 20, (i * 3) % 20, costs[i as usize % 5])]
            })
            .collect();
        let mut expected = [None; 20];
        expected[0] = Some(Float::zero());
        for (from, to, cost) in arcs.iter().cycle().take(20 * arcs.len()) {
            let by = expected[*to as usize].map(|onward: Float| onward.plus(*cost));
            let known: &mut Option<Float> = &mut expected[*from as usize];
            *known = [*known, by].into_iter().flatten().min();
        }
        let mut buckets = Buckets::new();
        buckets.begin(20, [NodeId(0)].into_iter(), &mut Fuel::unlimited(), usize::MAX).unwrap();
        for node in (0..20).map(NodeId) {
            let see_around = |buckets: &mut Buckets<Float>, expanded: NodeId, onward| {
                let into = arcs.iter().filter(|(_, to, _)| *to == expanded.0);
                into.for_each(|(from, _, cost)| buckets.see(NodeId(*from), *cost, onward));
            };
            let found = buckets.reach(node, see_around, &mut Fuel::unlimited(), usize::MAX).unwrap();
            assert_eq!(found, expected[node.index()], "{node:?}");
        }
    }

    #[test]
    fn buckets_are_made_anew_only_where_their_width_falls() {
        let mut buckets = Buckets::<u32>::new();
        buckets.begin(4, [NodeId(0)].into_iter(), &mut Fuel::unlimited(), usize::MAX).unwrap();
        let widths = [999, 700, 512, 511, 300, 0, 1].map(|cost| {
            buckets.see(NodeId(1), cost, 0);
            buckets.width
        });
        assert_eq!(widths, [512.0, 512.0, 512.0, 256.0, 256.0, 256.0, 1.0]);
    }

    #[test]
    fn nothing_is_expanded_twice_once_buckets_are_narrow() {
        // A ladder on which the way by many short rungs is the cheapest.
        let rungs = (0..40).flat_map(|rung| [(rung + 1, rung, 7), (rung + 2, rung, 20)]);
        let arcs: Vec<_> = rungs.filter(|(from, ..)| *from < 40).collect();
        let (buckets, costs) = search(40, &arcs, &mut Fuel::unlimited());
        assert_eq!((costs[39], buckets.expanded()), (Some(39 * 7), 40));
    }

    #[test]
    fn without_fuel_or_memory_nothing_is_lost() {
        let arcs: Vec<_> = (0..100).map(|node| (node + 1, node, 1000)).collect();
        let mut buckets = Buckets::<u32>::new();
        let goals = || [NodeId(0)].into_iter();
        assert_eq!(buckets.begin(101, goals(), &mut Fuel::work(0), usize::MAX), Err(Suspended::OutOfFuel));
        assert_eq!(buckets.begin(101, goals(), &mut Fuel::work(9), 1), Err(Suspended::OutOfMemory));
        assert!(!buckets.is_begun());
        buckets.begin(101, goals(), &mut Fuel::work(9), usize::MAX).unwrap();
        let see_around = |buckets: &mut Buckets<u32>, expanded: NodeId, onward| {
            arcs.iter().filter(|(_, to, _)| *to == expanded.0).for_each(|(from, _, cost)| {
                buckets.see(NodeId(*from), *cost, onward);
            });
        };
        let refused = buckets.reach(NodeId(100), see_around, &mut Fuel::unlimited(), 1);
        assert_eq!(refused, Err(Suspended::OutOfMemory));
        for _ in 0..20 {
            let refused = buckets.reach(NodeId(100), see_around, &mut Fuel::work(1), usize::MAX);
            assert_eq!(refused, Err(Suspended::OutOfFuel));
        }
        assert_eq!(buckets.expanded(), 20 * PER_UNIT);
        assert_eq!((buckets.known(NodeId(50)), buckets.known(NodeId(90))), (Some(Some(50_000)), None));
        let found = buckets.reach(NodeId(100), see_around, &mut Fuel::unlimited(), usize::MAX);
        assert_eq!(found, Ok(Some(100_000)));
    }
}
