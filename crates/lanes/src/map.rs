//! Direction maps over places: a vector for each node of a space with positions.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::fingerprint::of_places;
use super::rules::{DirectionRules, Ends};
use super::vector::{Vector, direction, dot, length};
use giveway_core::{Asker, Cost, CostLayer, Embedding, MoveIn, NodeId, Tick};

/// A direction vector for each place: the direction in which units have been moving through it; the length says how consistently.
///
/// As a [`CostLayer`], the map charges for a move from `a` to `b` in the direction `MV` 0.25 `w_max` (2 - `DV_a`.`MV` - `DV_b`.`MV`): nothing along
/// the vectors at both ends, and `w_max`, the [weight](DirectionRules::weight), against both. Units thus follow each other and avoid oncoming units,
/// without knowing where other units are. The map [learns](CostLayer::moved) from moves: a move sets `DV <- (1 - a) DV + a MV` at both ends, with the
/// [rate](DirectionRules::rate) `a`. A move without a displacement (turning on the spot) is neither charged nor learned from.
///
/// A map is shared, by reference or in an [`Arc`](std::sync::Arc): it is a layer of searches, and learns from the moves between searches. All its
/// changes take `&self`. If one thread learns while another plans, the map is memory-safe but not deterministic: components are atomic, vectors are
/// not.
///
/// Vectors are stored as `f32` and computed in `f64`, by operations that round equally on every platform.
///
/// Jansen & Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008, *Direction Vectors and Maps*. Figure 3 of the paper contradicts its
/// text: it treats (0.5, 0.5) as longer than 1 and normalises it. By the printed rule the middle of that example is (0.5, 0.5), then (0.75, 0.25);
/// the printed (0.85, 0.35) follows from the normalised vector. This map normalises only vectors longer than 1; rates from 0 to 1 never make a vector
/// longer than 1.
///
/// ```
/// use giveway_core::{CostLayer, Embedding, Move, NodeId, SpaceGraph};
/// use giveway_lanes::{DirectionMap, DirectionRules};
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
/// let map = DirectionMap::blank(&row, DirectionRules::paper().rate(0.5));
/// let east = |x| row.moves(NodeId(x)).next().unwrap();
/// // A unit walks to the middle.
/// map.moved(&row, &east(0));
/// map.moved(&row, &east(1));
/// assert_eq!(map.direction(NodeId(1)), [0.75, 0.0, 0.0]);
/// assert_eq!(map.direction(NodeId(2)), [0.5, 0.0, 0.0]);
/// // The surcharge of the next step: 0.25 * 10 * (2 - 0.5 - 0).
/// assert_eq!(map.charge(&row, &east(2)), 3.75);
/// ```
pub struct DirectionMap {
    rules: DirectionRules,
    /// The components of the vectors, as the bits of `f32`. Atomic, so that a shared map can learn; they impose no memory order.
    vectors: Vec<[AtomicU32; 3]>,
    frozen: AtomicBool,
    space: u64,
}

/// A vector that cannot be a direction (not finite, or longer than 1), or a place that does not exist.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InvalidDirection {
    /// The node.
    pub node: NodeId,
    /// The rejected vector.
    pub vector: [f32; 3],
}

impl std::fmt::Display for InvalidDirection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [x, y, z] = self.vector;
        write!(f, "no direction of a place: ({x}, {y}, {z}) at node {}", self.node.0)
    }
}

impl std::error::Error for InvalidDirection {}

/// By how much a vector from outside may exceed length 1, to allow for rounding.
const ROUNDING: f64 = 1e-6;

impl DirectionMap {
    /// A blank map for the nodes of `space`.
    pub fn blank<S: Embedding>(space: &S, rules: DirectionRules) -> Self {
        let vectors = (0..space.node_bound()).map(|_| Default::default()).collect();
        Self { rules: rules.in_range(), vectors, frozen: AtomicBool::new(false), space: of_places(space) }
    }

    /// Sets the rules; the directions stay.
    #[must_use]
    pub fn with_rules(self, rules: DirectionRules) -> Self {
        Self { rules: rules.in_range(), ..self }
    }

    /// How the map learns and what it charges.
    pub fn rules(&self) -> &DirectionRules {
        &self.rules
    }

    /// A frozen copy, for uses that need a constant map: a heuristic, a picture, a file.
    #[must_use]
    pub fn snapshot(&self) -> Self {
        let copy = self.clone();
        copy.freeze();
        copy
    }

    /// Stops learning.
    pub fn freeze(&self) {
        self.frozen.store(true, Ordering::Relaxed);
    }

    /// Resumes learning.
    pub fn thaw(&self) {
        self.frozen.store(false, Ordering::Relaxed);
    }

    /// Whether the map does not learn.
    pub fn is_frozen(&self) -> bool {
        self.frozen.load(Ordering::Relaxed)
    }

    /// The number of nodes.
    pub fn node_bound(&self) -> usize {
        self.vectors.len()
    }

    /// A number that identifies the space of the map by its nodes, their positions and its moves. Costs do not matter.
    pub fn fingerprint(&self) -> u64 {
        self.space
    }

    /// Whether the map suits `space` as it is now: its nodes, positions and moves are those of the map's space. O(moves).
    pub fn fits<S: Embedding>(&self, space: &S) -> bool {
        self.space == of_places(space)
    }

    /// The direction at `node`, of length 0 (blank) to 1. Blank if the node does not exist.
    pub fn direction(&self, node: NodeId) -> [f32; 3] {
        let read = |vector: &[AtomicU32; 3]| vector.each_ref().map(|part| f32::from_bits(part.load(Ordering::Relaxed)));
        self.vectors.get(node.index()).map_or([0.0; 3], read)
    }

    /// The nodes that are not blank, ascending, with their directions.
    pub fn directions(&self) -> impl Iterator<Item = (NodeId, [f32; 3])> {
        let nodes = (0..).take(self.vectors.len()).map(NodeId);
        nodes.map(|node| (node, self.direction(node))).filter(|(_, vector)| *vector != [0.0; 3])
    }

    /// Whether `vector` can be a direction: finite, and no longer than 1 up to rounding.
    pub fn is_direction(vector: [f32; 3]) -> bool {
        // A vector that is not finite has no finite length.
        length(vector.map(f64::from)) <= 1.0 + ROUNDING
    }

    /// Sets the direction at `node` to exactly `vector`, bit for bit, even when frozen.
    ///
    /// # Errors
    /// The node does not exist, or the vector is [no direction](Self::is_direction). Nothing changes.
    pub fn set(&self, node: NodeId, vector: [f32; 3]) -> Result<(), InvalidDirection> {
        if node.index() >= self.vectors.len() || !Self::is_direction(vector) {
            return Err(InvalidDirection { node, vector });
        }
        self.store(node, vector);
        Ok(())
    }

    /// Forgets all directions, even when frozen.
    pub fn clear(&self) {
        self.vectors.iter().flatten().for_each(|part| part.store(0, Ordering::Relaxed));
    }

    /// Learns from a move between two places: at its ends, and around its end, as the rules say. Does nothing when frozen.
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

    /// The surcharge of a move, in plain steps, before rounding to the cost type.
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
            // Sums of rounded numbers may be slightly longer than 1.
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

/// Equal rules and directions for equal spaces, frozen or not.
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

/// `steps` plain steps as a cost, rounded down.
#[inline]
pub(super) fn from_steps<C: Cost>(steps: f64) -> C {
    C::floor(steps * C::STEP.to_f64().unwrap_or(0.0))
}
