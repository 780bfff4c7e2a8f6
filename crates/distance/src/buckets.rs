//! Dijkstra's algorithm with an open list of buckets. The search can pause between expansions, and takes memory only
//! for what it has met.
//!
//! Dial, "Algorithm 360: Shortest-Path Forest with Topological Ordering", Communications of the ACM 1969.
//!
//! Differs from the paper: costs may be of any size and type. A bucket holds the nodes whose costs differ by less than
//! a plain step, and only the first bucket is in order. Mostly moves cost a plain step or more, and lead to other
//! buckets.

mod written;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use giveway_core::paged::Paged;
use giveway_core::{Cost, Fuel, NodeId, Suspended};

use super::credit::Credit;

/// Least costs to a goal, found outwards from the goals.
#[derive(Clone, Debug)]
pub(super) struct Buckets<C: Cost> {
    /// Per node, the least cost found so far; `None`: not met.
    costs: Paged<Option<C>>,
    /// What is to be expanded, by cost in plain steps, rounded down. An entry is stale once its node has a lower cost.
    open: BTreeMap<u64, Vec<Entry<C>>>,
    /// The number of the first bucket.
    first: u64,
    /// What was in the first bucket when it became the first one; the least cost is at the end.
    sorted: Vec<Entry<C>>,
    /// What has come into the first bucket since, by moves that cost less than a plain step; and the goals.
    late: BinaryHeap<Entry<C>>,
    /// A list for the next bucket, so that few are allocated.
    spare: Vec<Entry<C>>,
    /// The number of entries.
    entries: usize,
    /// Costs up to this one are final.
    final_to: C,
    state: State,
    bound: usize,
    expanded: u64,
    credit: Credit,
}

/// A node that is to be expanded, after its cost.
type Entry<C> = Reverse<(C, NodeId)>;

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

impl<C: Cost> Buckets<C> {
    /// A search that has not begun. It takes no memory.
    pub(super) fn new() -> Self {
        Self {
            costs: Paged::new(),
            open: BTreeMap::new(),
            first: 0,
            sorted: Vec::new(),
            late: BinaryHeap::new(),
            spare: Vec::new(),
            entries: 0,
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
        let list = 4 * size_of::<Entry<C>>() + size_of::<(u64, Vec<Entry<C>>)>();
        self.costs.bytes() + self.entries * size_of::<Entry<C>>() + self.open.len() * list
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
            let Some((cost, next)) = self.least() else {
                self.exhaust();
                continue;
            };
            // Nothing that is open costs less, and no move costs less than nothing.
            self.final_to = cost;
            if self.bytes() >= most_bytes {
                return Err(Suspended::OutOfMemory);
            }
            if self.credit.spend(1, PER_UNIT, fuel) == 0 {
                return Err(Suspended::OutOfFuel);
            }
            self.pop();
            self.expanded += 1;
            see_around(self, next, cost);
        }
    }

    /// Notes that nothing is open.
    fn exhaust(&mut self) {
        self.state = State::Exhausted;
        (self.sorted, self.late, self.spare) = (Vec::new(), BinaryHeap::new(), Vec::new());
    }

    /// Meets `node`, from which a move at `cost` leads to a node whose least cost is `onward`.
    #[inline]
    pub(super) fn see(&mut self, node: NodeId, cost: C, onward: C) {
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
        // What is no number comes last.
        let number = cost.to_f64().filter(|cost| !cost.is_nan()).unwrap_or(f64::INFINITY);
        let steps = number / C::STEP.to_f64().unwrap_or(1.0);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
        let bucket = steps as u64;
        self.entries += 1;
        let entry = Reverse((cost, node));
        if bucket <= self.first {
            self.late.push(entry);
        } else {
            self.open.entry(bucket).or_insert_with(|| std::mem::take(&mut self.spare)).push(entry);
        }
    }

    /// The next node to be expanded, after its cost. `None`: all have been.
    #[inline]
    fn least(&mut self) -> Option<(C, NodeId)> {
        loop {
            while let Some(Reverse((cost, node))) = self.sorted.last().max(self.late.peek()).copied() {
                if self.costs.get(node.index()) == Some(cost) {
                    return Some((cost, node));
                }
                self.pop();
            }
            let (bucket, mut next) = self.open.pop_first()?;
            next.sort_by_key(|Reverse((cost, _))| Reverse(*cost));
            self.first = bucket;
            self.spare = std::mem::replace(&mut self.sorted, next);
        }
    }

    /// Removes the first entry.
    #[inline]
    fn pop(&mut self) {
        let is_late = self.late.peek() > self.sorted.last();
        let removed = if is_late { self.late.pop() } else { self.sorted.pop() };
        self.entries -= usize::from(removed.is_some());
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
            proptest::prop_assert!(buckets.expanded() <= 24, "no node is expanded twice");
            let entries = buckets.open.values().map(Vec::len).sum::<usize>() + buckets.sorted.len() + buckets.late.len();
            proptest::prop_assert_eq!(buckets.entries, entries);
        }
    }

    #[test]
    fn costs_that_vary_by_far_are_least() {
        use num_traits::Zero as _;
        use ordered_float::OrderedFloat;
        type Float = OrderedFloat<f32>;
        let costs = [1e-30, 0.0, 3.0, f32::INFINITY, 0.25, f32::NAN, 1e-4, 7.0].map(OrderedFloat);
        let arcs: Vec<(u32, u32, Float)> = (0..60_u32)
            .flat_map(|i| {
                [(i % 20, (i * 7 + 3) % 20, costs[i as usize % 8]), (i % 20, (i * 3) % 20, costs[i as usize % 5])]
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
    fn short_moves_within_a_bucket_are_in_order() {
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
