//! Outward: the places around a goal, nearest first, found on demand.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use giveway_core::NodeId;
use giveway_core::near::{Districts, Ground, Listed, Reach};
use rustc_hash::FxHashSet;

use crate::standing::{Beacons, Cursor};
use giveway_members::class_id::ClassId;
use giveway_members::world::AnyClass;

/// A class as ground for searches of nearest places.
pub(super) struct Footing<'c>(pub(super) &'c dyn AnyClass);

impl Ground for Footing<'_> {
    fn node_bound(&self) -> usize {
        self.0.node_bound()
    }

    fn contains(&self, node: NodeId) -> bool {
        self.0.contains(node)
    }

    fn position(&self, node: NodeId) -> Option<[f32; 3]> {
        self.0.position(node)
    }

    fn for_each_move(&self, from: NodeId, each: &mut dyn FnMut(NodeId, u64)) {
        self.0.for_each_move(from, 0, &mut |leg, steps| each(leg.to, thousandths(steps)));
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it is clamped
fn thousandths(steps: f64) -> u64 {
    (steps * 1000.0).round().clamp(0.0, 1e15) as u64
}

/// The nodes that count as places, whether an agent owns them or not.
#[derive(Clone, Copy)]
pub(crate) enum Counts<'a> {
    /// A place on which units of the class can stand.
    All,
    /// A place that can also be reached.
    Within(&'a Districts, &'a Reach),
}

impl Counts<'_> {
    pub(super) fn has(&self, node: NodeId) -> bool {
        match self {
            Self::All => true,
            Self::Within(districts, reach) => districts.reaches(reach, node),
        }
    }
}

/// The places around goals, in an order that does not depend on their owners. The class and the [`Counts`] must not
/// change between calls.
#[derive(Clone, Debug)]
pub(crate) enum Outward {
    ByCost(ByCost),
    ByLine(ByBeacons),
}

impl Outward {
    /// By the cost of the moves that units of the class can make from the nearest of `goals`. Ties go to the place
    /// found first, by the order of the space's moves.
    pub(crate) fn by_cost(goals: &[NodeId]) -> Self {
        let mut by_cost = ByCost::default();
        goals.iter().for_each(|goal| by_cost.push(0.0, *goal));
        Self::ByCost(by_cost)
    }

    /// By the straight-line distance from `target`; equally near places have equal squares.
    pub(crate) fn by_line(target: NodeId) -> Self {
        Self::ByLine(ByBeacons { target, cursor: None, places: Vec::new() })
    }

    /// The place at `index`, from 0; `None`: there are no more. `class` is the class with this `id`.
    pub(crate) fn get(
        &mut self,
        index: usize,
        (id, class): (ClassId, &dyn AnyClass),
        counts: Counts<'_>,
        beacons: &mut Beacons,
    ) -> Option<Listed> {
        match self {
            Self::ByCost(by_cost) => by_cost.get(index, class, counts).map(|node| Listed { node, square: 0.0 }),
            Self::ByLine(by_line) => by_line.get(index, (id, class), counts, beacons),
        }
    }
}

/// The beacons around a target, listed as far as they were needed: in the order of [`giveway_core::near::ByLine`].
#[derive(Clone, Debug)]
pub(crate) struct ByBeacons {
    target: NodeId,
    /// `None`: nobody has asked yet.
    cursor: Option<Cursor>,
    places: Vec<Listed>,
}

impl ByBeacons {
    fn get(
        &mut self,
        index: usize,
        (id, class): (ClassId, &dyn AnyClass),
        counts: Counts<'_>,
        beacons: &mut Beacons,
    ) -> Option<Listed> {
        if self.cursor.is_none() {
            self.cursor = beacons.around(id, class, class.position(self.target)?);
        }
        while index >= self.places.len() {
            let (square, node) = beacons.next(id, class, self.cursor.as_mut()?)?;
            self.places.extend(counts.has(node).then_some(Listed { node, square }));
        }
        self.places.get(index).copied()
    }
}

/// Dijkstra's algorithm, resumed for each further place.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByCost {
    open: BinaryHeap<Reverse<(u64, u64, NodeId)>>,
    pushed: u64,
    closed: FxHashSet<NodeId>,
    places: Vec<NodeId>,
}

impl ByCost {
    fn get(&mut self, index: usize, class: &dyn AnyClass, counts: Counts<'_>) -> Option<NodeId> {
        while index >= self.places.len() {
            let Reverse((bits, _, node)) = self.open.pop()?;
            if !self.closed.insert(node) {
                continue;
            }
            class.for_each_move(node, 0, &mut |leg, cost| {
                if !self.closed.contains(&leg.to) {
                    self.push(f64::from_bits(bits) + cost, leg.to);
                }
            });
            if class.contains(node) && counts.has(node) {
                self.places.push(node);
            }
        }
        self.places.get(index).copied()
    }

    fn push(&mut self, cost: f64, node: NodeId) {
        self.pushed += 1;
        // Costs are not negative, so their bits sort as they do.
        self.open.push(Reverse((cost.to_bits(), self.pushed, node)));
    }
}
