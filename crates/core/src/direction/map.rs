//! Direction maps over places: a vector for each node of a space that knows where its nodes lie.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::fingerprint::of_places;
use super::rules::{DirectionRules, Ends};
use super::vector::{Vector, direction, dot, length};
use crate::cost::Cost;
use crate::footprint::MoveIn;
use crate::layer::{Asker, CostLayer};
use crate::space::{Embedding, NodeId};
use crate::time::Tick;

/// A direction vector for each place: in which direction units have been moving through it, and how surely.
///
/// As a [`CostLayer`], it charges for a move from `a` to `b` in the direction `MV` 0.25 `w_max` (2 - `DV_a`.`MV` - `DV_b`.`MV`): nothing
/// along the vectors at both ends, `w_max`, the [weight](DirectionRules::weight), against both. So units follow each other and avoid those who
/// come the other way, without knowing where anybody is. It [learns](CostLayer::moved) from the moves that are made: on a move, `DV <- (1 - a) DV + a MV`
/// at both its ends, with the [rate](DirectionRules::rate) `a`. A move that leads nowhere in space (turning on the spot) is neither
/// charged nor learned from.
///
/// A map is shared: by reference, or in an [`Arc`](std::sync::Arc), it is the layer of searches and learns from the moves between them. All
/// that changes it takes `&self`. Whoever lets one thread learn while another one plans gets some order of the two, no torn vectors'
/// parts, and results that depend on the threads.
///
/// Vectors are kept in `f32`, computed in `f64` by operations that round the same on every platform.
///
/// Jansen & Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008, *Direction Vectors and Maps*. Their figure 3 contradicts
/// itself: it says that (0.5, 0.5) is longer than 1 and normalises it. By the printed rule the middle of that example is (0.5, 0.5), then
/// (0.75, 0.25); the printed (0.85, 0.35) comes out of the normalised vector. Here nothing is normalised that is not longer than 1, and
/// rates from 0 to 1 never make it so.
///
/// ```
/// use giveway_core::{CostLayer, DirectionMap, DirectionRules, Embedding, Move, NodeId, SpaceGraph};
///
/// # struct Row;
/// # impl SpaceGraph for Row {
/// #     type Action = i32;
/// #     type Cost = u32;
/// #     fn node_bound(&self) -> usize { 5 }
/// #     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<i32, u32>> {
/// #         let to = [1, -1].map(|action| (action, from.0.checked_add_signed(action)));
/// #         to.into_iter().filter_map(move |(action, to)| {
/// #             Some(Move { from, to: NodeId(to.filter(|to| *to < 5)?), action, cost: 1000, length: 1.0 })
/// #         })
/// #     }
/// # }
/// # impl Embedding for Row {
/// #     fn position(&self, node: NodeId) -> [f32; 3] { [node.0 as f32, 0.0, 0.0] }
/// # }
/// let row = Row; // five places from west to east
/// let map = DirectionMap::blank(&row, DirectionRules::default().rate(0.5));
/// let east = |x| row.moves(NodeId(x)).next().unwrap();
/// // Somebody walks to the middle.
/// map.moved(&row, &east(0));
/// map.moved(&row, &east(1));
/// assert_eq!(map.direction(NodeId(1)), [0.75, 0.0, 0.0]);
/// assert_eq!(map.direction(NodeId(2)), [0.5, 0.0, 0.0]);
/// // To go on costs, beyond the step: 0.25 * 10 * (2 - 0.5 - 0).
/// assert_eq!(map.charge(&row, &east(2)), 3.75);
/// ```
pub struct DirectionMap {
    rules: DirectionRules,
    /// The parts of the vectors, as the bits of `f32`. Atomic so that maps are shared while they learn; nothing is ordered by them.
    vectors: Vec<[AtomicU32; 3]>,
    frozen: AtomicBool,
    space: u64,
}

/// A vector that is no direction vector: not finite, or longer than 1; or its place does not exist.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InvalidDirection {
    /// Where.
    pub node: NodeId,
    /// What was to be there.
    pub vector: [f32; 3],
}

impl std::fmt::Display for InvalidDirection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [x, y, z] = self.vector;
        write!(f, "no direction of a place: ({x}, {y}, {z}) at node {}", self.node.0)
    }
}

impl std::error::Error for InvalidDirection {}

/// How much longer than 1 a vector may be that is taken from outside, since numbers are rounded.
const ROUNDING: f64 = 1e-6;

impl DirectionMap {
    /// A map without any direction yet, for the nodes of `space`.
    pub fn blank<S: Embedding>(space: &S, rules: DirectionRules) -> Self {
        let vectors = (0..space.node_bound()).map(|_| Default::default()).collect();
        Self { rules: rules.in_range(), vectors, frozen: AtomicBool::new(false), space: of_places(space) }
    }

    /// The same with other rules; what has been learned stays.
    #[must_use]
    pub fn with_rules(self, rules: DirectionRules) -> Self {
        Self { rules: rules.in_range(), ..self }
    }

    /// How it learns and what it charges.
    pub fn rules(&self) -> &DirectionRules {
        &self.rules
    }

    /// A copy that learns no more, for what must not change while it is in use: a heuristic, a picture, a file.
    #[must_use]
    pub fn snapshot(&self) -> Self {
        let copy = self.clone();
        copy.freeze();
        copy
    }

    /// From now on it does not learn.
    pub fn freeze(&self) {
        self.frozen.store(true, Ordering::Relaxed);
    }

    /// From now on it learns again.
    pub fn thaw(&self) {
        self.frozen.store(false, Ordering::Relaxed);
    }

    /// Whether it does not learn.
    pub fn is_frozen(&self) -> bool {
        self.frozen.load(Ordering::Relaxed)
    }

    /// How many nodes it is for.
    pub fn node_bound(&self) -> usize {
        self.vectors.len()
    }

    /// A number by which the space that it was made for is known: of its nodes, where they lie, and which moves there are. Costs do not matter.
    pub fn fingerprint(&self) -> u64 {
        self.space
    }

    /// Whether it was made for `space`, as that is now, or for one with the same nodes in the same places and the same moves. O(moves).
    pub fn fits<S: Embedding>(&self, space: &S) -> bool {
        self.space == of_places(space)
    }

    /// The direction at `node`, of length 0 (blank) to 1. Blank where there is no such node.
    pub fn direction(&self, node: NodeId) -> [f32; 3] {
        let read = |vector: &[AtomicU32; 3]| vector.each_ref().map(|part| f32::from_bits(part.load(Ordering::Relaxed)));
        self.vectors.get(node.index()).map_or([0.0; 3], read)
    }

    /// The nodes that are not blank, ascending, and their directions.
    pub fn directions(&self) -> impl Iterator<Item = (NodeId, [f32; 3])> {
        let nodes = (0..).take(self.vectors.len()).map(NodeId);
        nodes.map(|node| (node, self.direction(node))).filter(|(_, vector)| *vector != [0.0; 3])
    }

    /// Whether `vector` can be the direction of a place: finite, and no longer than 1 (but for what rounding explains).
    pub fn is_direction(vector: [f32; 3]) -> bool {
        // Not finite: neither is the length.
        length(vector.map(f64::from)) <= 1.0 + ROUNDING
    }

    /// Sets the direction at `node`, frozen or not, to `vector` as it is, bit for bit.
    ///
    /// # Errors
    /// There is no such node, or it is [no direction](Self::is_direction); nothing has changed.
    pub fn set(&self, node: NodeId, vector: [f32; 3]) -> Result<(), InvalidDirection> {
        if node.index() >= self.vectors.len() || !Self::is_direction(vector) {
            return Err(InvalidDirection { node, vector });
        }
        self.store(node, vector);
        Ok(())
    }

    /// Forgets all directions, frozen or not.
    pub fn clear(&self) {
        self.vectors.iter().flatten().for_each(|part| part.store(0, Ordering::Relaxed));
    }

    /// Learns from a move from one place to another, unless it is frozen; both ends, and neighbours, as the rules say.
    pub fn learn<S: Embedding>(&self, space: &S, from: NodeId, to: NodeId) {
        let Some(movement) = direction(space, from, to).filter(|_| !self.is_frozen()) else {
            return;
        };
        let (rate, around) = (self.rules.learning_rate(), self.rules.neighbour_rate());
        let ends = self.rules.learning_ends();
        if ends != Ends::Entered {
            self.turn(from, movement, rate);
        }
        if ends != Ends::Left {
            self.turn(to, movement, rate);
        }
        if around > 0.0 {
            let mut turned = vec![from, to];
            for m in space.moves(to) {
                if !turned.contains(&m.to) {
                    turned.push(m.to);
                    self.turn(m.to, movement, around);
                }
            }
        }
    }

    /// What a move costs beyond its own cost, in plain steps, before any rounding to the cost type.
    #[inline]
    pub fn charge<S: Embedding>(&self, space: &S, m: &MoveIn<S>) -> f64 {
        let Some(movement) = direction(space, m.from, m.to) else {
            return 0.0;
        };
        let end = |node| {
            let vector = self.vector(node);
            self.rules.charge(dot(vector, movement), vector == [0.0; 3])
        };
        end(m.from) + end(m.to)
    }

    /// Turns the vector at `node` towards `movement`.
    fn turn(&self, node: NodeId, movement: Vector, rate: f32) {
        let rate = f64::from(rate);
        let vector = self.vector(node);
        let turned = [0, 1, 2].map(|axis| (1.0 - rate) * vector[axis] + rate * movement[axis]);
        if node.index() < self.vectors.len() {
            // Sums of rounded numbers may be a little longer than 1.
            let cut = length(turned).max(1.0);
            #[allow(clippy::cast_possible_truncation)] // rounded to the nearest
            self.store(node, turned.map(|part| (part / cut) as f32));
        }
    }

    #[inline]
    pub(super) fn vector(&self, node: NodeId) -> Vector {
        self.direction(node).map(f64::from)
    }

    fn store(&self, node: NodeId, vector: [f32; 3]) {
        for (part, value) in self.vectors[node.index()].iter().zip(vector) {
            part.store(value.to_bits(), Ordering::Relaxed);
        }
    }
}

impl Clone for DirectionMap {
    fn clone(&self) -> Self {
        let copy = |vector: &[AtomicU32; 3]| vector.each_ref().map(|part| AtomicU32::new(part.load(Ordering::Relaxed)));
        Self {
            rules: self.rules,
            vectors: self.vectors.iter().map(copy).collect(),
            frozen: AtomicBool::new(self.is_frozen()),
            space: self.space,
        }
    }
}

/// The same rules and directions for the same space, frozen or not.
impl PartialEq for DirectionMap {
    fn eq(&self, other: &Self) -> bool {
        self.rules == other.rules
            && self.space == other.space
            && self.vectors.len() == other.vectors.len()
            && self.directions().eq(other.directions())
    }
}

impl std::fmt::Debug for DirectionMap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DirectionMap")
            .field("rules", &self.rules)
            .field("nodes", &self.vectors.len())
            .field("directions", &self.directions().count())
            .field("frozen", &self.is_frozen())
            .finish_non_exhaustive()
    }
}

impl<S: Embedding> CostLayer<S> for DirectionMap {
    #[inline]
    fn surcharge(&self, space: &S, m: &MoveIn<S>, _depart: Tick, _asker: &Asker<'_>) -> S::Cost {
        from_steps(self.charge(space, m))
    }

    fn is_timeless(&self) -> bool {
        true
    }

    fn moved(&self, space: &S, m: &MoveIn<S>) {
        self.learn(space, m.from, m.to);
    }
}

/// So many plain steps as a cost, rounded down.
#[inline]
pub(super) fn from_steps<C: Cost>(steps: f64) -> C {
    C::floor(steps * C::STEP.to_f64().unwrap_or(0.0))
}
