//! Direction maps over places: a vector for each node of a space with positions.

use std::any::{Any, TypeId};
use std::fmt;

use giveway_core::{Asker, CostLayer, Embedding, Garbled, MoveIn, NodeId, Tick, WordReader, Words};

use crate::directions::{Directions, from_steps};
use crate::fingerprint::of_places;
use crate::rules::{DirectionRules, Ends};
use crate::vector::{Vector, direction, dot, length};

/// A direction vector for each place: the direction in which units have been moving through the place. The length of
/// the vector says how consistently units move in this direction.
///
/// As a [`CostLayer`], the map charges 0.25 `w_max` (2 - `DV_a`.`MV` - `DV_b`.`MV`) for a move from place a to place b.
/// Here `MV` is the direction of the move, as a vector of length 1; `DV_a` and `DV_b` are the vectors of the two
/// places; the dot is the scalar product; and `w_max` is the [weight](DirectionRules::weight) of the rules. So a move
/// along both vectors has no surcharge, and a move against both vectors has the surcharge `w_max`. Units thus follow
/// each other and avoid oncoming units, without knowing where other units are.
///
/// The map [learns](CostLayer::moved) from moves: a move sets `DV <- (1 - r) DV + r MV` at both ends, where `r` is the
/// [rate](DirectionRules::rate) of the rules. A move without a displacement, such as a turn on the spot, has no
/// surcharge, and the map does not learn from it.
///
/// A map can be shared, by reference or in an [`Arc`](std::sync::Arc): methods that change the map take `&self`. The
/// map is a layer of searches, and learns from moves between searches. If one thread makes the map learn while another
/// thread plans, the map is memory-safe, but results are not deterministic: each component of a vector is atomic, but a
/// whole vector is not.
///
/// Vectors are stored as `f32` and computed in `f64`, by operations that round equally on every platform.
///
/// Jansen & Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008, *Direction Vectors and Maps*. Figure
/// 3 of the paper contradicts its text: the figure treats (0.5, 0.5) as longer than 1, and normalises this vector. By
/// the rule in the text, the place in the middle of the example has (0.5, 0.5), then (0.75, 0.25). The figure prints
/// (0.85, 0.35), which follows from the normalised vector. This map normalises only vectors longer than 1. Rates from 0
/// to 1 never make a vector longer than 1.
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
pub type DirectionMap = Directions<Places, 3>;

/// The key of a [`DirectionMap`]: vectors belong to places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Places;

/// Why the vector of a place cannot be set: the vector is not finite, or longer than 1, or the place does not exist.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InvalidDirection {
    /// The node.
    pub node: NodeId,
    /// The rejected vector.
    pub vector: [f32; 3],
}

impl fmt::Display for InvalidDirection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
        Self::new(rules, Places, (space.node_bound(), space.node_bound()), of_places(space))
    }

    /// Whether the map can be used in `space` in its present state: its nodes, positions and moves are equal to the
    /// nodes, positions and moves of the space for which the map was made. Takes time linear in the moves.
    pub fn fits<S: Embedding>(&self, space: &S) -> bool {
        self.fingerprint() == of_places(space)
    }

    /// The direction at `node`: a vector of length 0 (blank) to 1. Blank if the node does not exist.
    #[inline]
    pub fn direction(&self, node: NodeId) -> [f32; 3] {
        self.at(node.index())
    }

    /// The nodes that are not blank, ascending, with their directions.
    pub fn directions(&self) -> impl Iterator<Item = (NodeId, [f32; 3])> {
        (0..).map(NodeId).zip(self.all()).filter(|(_, vector)| *vector != [0.0; 3])
    }

    /// Whether `vector` can be a direction: it is finite, and not longer than 1, apart from rounding.
    pub fn is_direction(vector: [f32; 3]) -> bool {
        // A vector that is not finite has no finite length.
        length(vector.map(f64::from)) <= 1.0 + ROUNDING
    }

    /// Sets the direction at `node` to exactly `vector`, bit for bit, even if the map is frozen.
    ///
    /// # Errors
    /// The node does not exist, or the vector is [no direction](Self::is_direction). Nothing changes.
    pub fn set(&self, node: NodeId, vector: [f32; 3]) -> Result<(), InvalidDirection> {
        let is_set = Self::is_direction(vector) && self.put(node.index(), vector);
        if is_set { Ok(()) } else { Err(InvalidDirection { node, vector }) }
    }

    /// Learns from a move from the place of `from` to the place of `to`. The rules say which vectors change: at the two
    /// places, and at the neighbours of `to`. Does nothing if the map is frozen.
    pub fn learn<S: Embedding>(&self, space: &S, from: NodeId, to: NodeId) {
        let Some(movement) = direction(space, from, to).filter(|_| !self.is_frozen()) else {
            return;
        };
        let rules = self.rules();
        let turn = |node: NodeId, rate| self.turn(node.index(), movement, rate);
        if rules.learning_ends() != Ends::Entered {
            turn(from, rules.learning_rate());
        }
        if rules.learning_ends() != Ends::Left {
            turn(to, rules.learning_rate());
        }
        if rules.neighbour_rate() > 0.0 {
            let mut turned = vec![from, to];
            for m in space.moves(to) {
                if !turned.contains(&m.to) {
                    turned.push(m.to);
                    turn(m.to, rules.neighbour_rate());
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
            self.rules().charge(dot(vector, movement), vector == [0.0; 3])
        };
        end(m.from) + end(m.to)
    }

    #[inline]
    pub(crate) fn vector(&self, node: NodeId) -> Vector {
        self.direction(node).map(f64::from)
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

    fn learns(&self) -> bool {
        !self.is_frozen()
    }

    fn learned(&self) -> u64 {
        self.hash()
    }

    fn write_to(&self, words: &mut Words) {
        self.write(words);
    }

    fn read_from(&self, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        self.read(words)
    }

    fn part(&self, kind: TypeId) -> Option<&dyn Any> {
        (kind == TypeId::of::<Self>()).then_some(self)
    }

    fn moved(&self, space: &S, m: &MoveIn<S>) {
        self.learn(space, m.from, m.to);
    }
}
