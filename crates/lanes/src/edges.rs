//! Direction maps over moves, for spaces without positions.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::fingerprint::of_moves;
use super::map::from_steps;
use super::rules::DirectionRules;
use giveway_core::rows::Rows;
use giveway_core::{Asker, CostLayer, MoveIn, NodeId, SpaceGraph, Tick};

/// A direction map for spaces without positions. Each move has a number from -1 to 1: whether units go that way or the opposite way.
///
/// A [`DirectionMap`](super::DirectionMap) has a vector per place; this map has a number per move. When a unit makes a move from `a` to
/// `b`, the number `v` of the move becomes `(1 - rate) v + rate`, and the number of each move from `b` back to `a` becomes
/// `(1 - rate) v - rate`. As a [`CostLayer`] the map charges 0.5 `w_max` (1 - `v`): the range of `DirectionMap`, and its figures along a
/// straight lane. Other moves do not change; [`Ends`](super::Ends) and neighbours have no effect.
///
/// A question about a move takes time linear in the moves out of its node. The map is shared like a `DirectionMap`.
///
/// ```
/// use giveway_core::{CostLayer, Move, NodeId, SpaceGraph};
/// use giveway_lanes::{DirectionRules, EdgeDirectionMap};
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
/// let row = Row; // five places from west to east
/// let [there, back] = [row.moves(NodeId(0)).next(), row.moves(NodeId(1)).nth(1)].map(Option::unwrap);
/// let map = EdgeDirectionMap::blank(&row, DirectionRules::paper());
/// assert_eq!(map.charge(&row, &there), 5.0);
/// map.moved(&row, &there);
/// assert!((map.charge(&row, &there) - 3.0).abs() < 1e-6);
/// assert!((map.charge(&row, &back) - 7.0).abs() < 1e-6);
/// ```
pub struct EdgeDirectionMap {
    rules: DirectionRules,
    /// By node and by the position of the move, the bits of `f32` numbers.
    values: Rows<AtomicU32>,
    frozen: AtomicBool,
    space: u64,
}

/// A number that a move cannot have: it is not from -1 to 1, or the move does not exist.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InvalidValue {
    /// The node where the move begins.
    pub node: NodeId,
    /// The position of the move among the moves out of the node.
    pub position: u32,
    /// The number.
    pub value: f32,
}

impl std::fmt::Display for InvalidValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { node, position, value } = self;
        write!(f, "node {} has no move {position}, or {value} is not from -1 to 1", node.0)
    }
}

impl std::error::Error for InvalidValue {}

impl EdgeDirectionMap {
    /// A blank map for the present moves of `space`.
    ///
    /// A move is known by its position among the moves out of its node. If the space changes and positions shift, numbers belong to wrong
    /// moves: make a new map.
    pub fn blank<S: SpaceGraph>(space: &S, rules: DirectionRules) -> Self {
        let mut values = Rows::new();
        for node in space.nodes() {
            values.push(space.moves(node).map(|_| AtomicU32::new(0)));
        }
        Self { rules: rules.in_range(), values, frozen: AtomicBool::new(false), space: of_moves(space) }
    }

    /// Sets the rules; the numbers stay.
    #[must_use]
    pub fn with_rules(self, rules: DirectionRules) -> Self {
        Self { rules: rules.in_range(), ..self }
    }

    /// Forgets all numbers, even when frozen.
    pub fn clear(&self) {
        self.values.items().iter().for_each(|value| value.store(0, Ordering::Relaxed));
    }

    /// How the map learns and what it charges.
    pub fn rules(&self) -> &DirectionRules {
        &self.rules
    }

    /// A frozen copy.
    #[must_use]
    pub fn snapshot(&self) -> Self {
        let copy = self.clone();
        copy.freeze();
        copy
    }

    /// The number of nodes.
    pub fn node_bound(&self) -> usize {
        self.values.len()
    }

    /// A number that identifies the space of the map by its nodes and moves. Costs do not matter.
    pub fn fingerprint(&self) -> u64 {
        self.space
    }

    /// Whether the map suits `space` as it is now: its nodes and moves are those of the map's space. O(moves).
    pub fn fits<S: SpaceGraph>(&self, space: &S) -> bool {
        self.space == of_moves(space)
    }

    /// The numbers other than 0, ascending, each with the node where the move begins and its position among the moves out of that node.
    pub fn values(&self) -> impl Iterator<Item = (NodeId, u32, f32)> {
        let of_node = |(node, slots): (NodeId, &[AtomicU32])| {
            let numbers =
                slots.iter().zip(0..).map(|(slot, position)| (position, f32::from_bits(slot.load(Ordering::Relaxed))));
            numbers.map(|(position, value)| (node, position, value)).collect::<Vec<_>>()
        };
        (0..).map(NodeId).zip(self.values.iter()).flat_map(of_node).filter(|(.., value)| *value != 0.0)
    }

    /// Sets the number of the move at `position` among the moves out of `node`, even when frozen.
    ///
    /// # Errors
    /// There is no such move, or the number is not from -1 to 1. Nothing changes.
    pub fn set(&self, node: NodeId, position: u32, value: f32) -> Result<(), InvalidValue> {
        let slot = self.slot_at(node, position as usize).filter(|_| (-1.0..=1.0).contains(&value));
        slot.ok_or(InvalidValue { node, position, value })?.store(value.to_bits(), Ordering::Relaxed);
        Ok(())
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

    /// How strongly units prefer `m` to its reverse, from -1 to 1; 0 for an unknown move.
    pub fn value<S: SpaceGraph>(&self, space: &S, m: &MoveIn<S>) -> f32 {
        self.slot(space, m).map_or(0.0, |slot| f32::from_bits(slot.load(Ordering::Relaxed)))
    }

    /// The surcharge of a move, in plain steps, before rounding to the cost type.
    pub fn charge<S: SpaceGraph>(&self, space: &S, m: &MoveIn<S>) -> f64 {
        let value = f64::from(self.value(space, m));
        2.0 * self.rules.charge(value, value == 0.0)
    }

    fn slot<S: SpaceGraph>(&self, space: &S, m: &MoveIn<S>) -> Option<&AtomicU32> {
        let position = space.moves(m.from).position(|other| other.action == m.action)?;
        self.slot_at(m.from, position)
    }

    fn slot_at(&self, node: NodeId, position: usize) -> Option<&AtomicU32> {
        self.values.get(node.index()).get(position)
    }

    /// Moves the number of `m` towards `sign`.
    #[allow(clippy::cast_possible_truncation)] // rounded to the nearest
    fn turn<S: SpaceGraph>(&self, space: &S, m: &MoveIn<S>, sign: f64) {
        if let Some(slot) = self.slot(space, m) {
            let rate = f64::from(self.rules.learning_rate());
            let value = f64::from(f32::from_bits(slot.load(Ordering::Relaxed)));
            slot.store((((1.0 - rate) * value + rate * sign) as f32).to_bits(), Ordering::Relaxed);
        }
    }
}

impl Clone for EdgeDirectionMap {
    fn clone(&self) -> Self {
        Self {
            rules: self.rules,
            values: self.values.each(|value| AtomicU32::new(value.load(Ordering::Relaxed))),
            frozen: AtomicBool::new(self.is_frozen()),
            space: self.space,
        }
    }
}

/// Equal rules and numbers for equal spaces, frozen or not.
impl PartialEq for EdgeDirectionMap {
    fn eq(&self, other: &Self) -> bool {
        self.rules == other.rules
            && self.space == other.space
            && self.values.first() == other.values.first()
            && self.values().eq(other.values())
    }
}

impl std::fmt::Debug for EdgeDirectionMap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EdgeDirectionMap")
            .field("rules", &self.rules)
            .field("moves", &self.values.items().len())
            .field("values", &self.values().count())
            .field("frozen", &self.is_frozen())
            .finish_non_exhaustive()
    }
}

impl<S: SpaceGraph> CostLayer<S> for EdgeDirectionMap {
    fn surcharge(&self, space: &S, m: &MoveIn<S>, _depart: Tick, _asker: &Asker<'_>) -> S::Cost {
        from_steps(self.charge(space, m))
    }

    fn is_timeless(&self) -> bool {
        true
    }

    fn moved(&self, space: &S, m: &MoveIn<S>) {
        if self.is_frozen() {
            return;
        }
        self.turn(space, m, 1.0);
        for back in space.moves(m.to).filter(|back| back.to == m.from) {
            self.turn(space, &back, -1.0);
        }
    }
}
