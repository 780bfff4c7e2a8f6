//! Direction maps over moves, for spaces without positions.

use std::any::{Any, TypeId};
use std::fmt;

use giveway_core::rows::Rows;
use giveway_core::{Asker, CostLayer, Garbled, MoveIn, NodeId, SpaceGraph, Tick, WordReader, Words};

use crate::directions::{Directions, from_steps};
use crate::fingerprint::of_moves;
use crate::rules::DirectionRules;

/// A direction map for spaces without positions. Each move has a number from -1 to 1. The number is positive if units
/// mostly make the move, and negative if units mostly make its reverse.
///
/// A [`DirectionMap`](super::DirectionMap) has a vector per place; this map has a number per move. When a unit makes a
/// move from `a` to `b`, the number `v` of the move becomes `(1 - rate) v + rate`, and the number `v` of each move from
/// `b` back to `a` becomes `(1 - rate) v - rate`; `rate` is the [rate](DirectionRules::rate) of the rules. The numbers
/// of all other moves stay as they are, and [`Ends`](super::Ends) make no difference.
///
/// As a [`CostLayer`] the map charges 0.5 `w_max` (1 - `v`), where `w_max` is the [weight](DirectionRules::weight) of
/// the rules. Charges are from 0 to `w_max`, as with a `DirectionMap`; along a straight lane both maps charge equally
/// much.
///
/// Looking up a move takes time linear in the number of moves out of the node where the move begins. The map can be
/// shared like a `DirectionMap`.
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
pub type EdgeDirectionMap = Directions<Moves, 1>;

/// The key of an [`EdgeDirectionMap`]: numbers belong to moves. A move is identified by the node where it begins, and
/// by its position among the moves out of that node.
#[derive(Clone, PartialEq, Debug)]
pub struct Moves(Rows<()>);

/// Why an [`EdgeDirectionMap`] refused a number: the number is not from -1 to 1, or there is no such move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InvalidValue {
    /// The node where the move begins.
    pub node: NodeId,
    /// The position of the move among the moves out of the node.
    pub position: u32,
    /// The rejected number.
    pub value: f32,
}

impl fmt::Display for InvalidValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { node, position, value } = self;
        write!(f, "node {} has no move {position}, or {value} is not from -1 to 1", node.0)
    }
}

impl std::error::Error for InvalidValue {}

impl Moves {
    /// The index of a move among all moves.
    fn index(&self, node: NodeId, position: usize) -> Option<usize> {
        self.0.range(node.index()).nth(position)
    }

    fn index_of<S: SpaceGraph>(&self, space: &S, m: &MoveIn<S>) -> Option<usize> {
        let position = space.moves(m.from).position(|other| other.action == m.action)?;
        self.index(m.from, position)
    }
}

impl EdgeDirectionMap {
    /// A blank map for the present moves of `space`.
    ///
    /// A move is identified by its position among the moves out of its node. If the space changes, these positions may
    /// change, and the map may then give the number of one move to another move. So make a new map after a change.
    pub fn blank<S: SpaceGraph>(space: &S, rules: DirectionRules) -> Self {
        let mut moves = Rows::new();
        for node in space.nodes() {
            moves.push(space.moves(node).map(|_| ()));
        }
        let count = moves.items().len();
        Self::new(rules, Moves(moves), (space.node_bound(), count), of_moves(space))
    }

    /// Whether the map can be used in `space` in its present state: its nodes and moves are equal to the nodes and
    /// moves of the space for which the map was made. Takes time linear in the moves.
    pub fn fits<S: SpaceGraph>(&self, space: &S) -> bool {
        self.fingerprint() == of_moves(space)
    }

    /// All moves with a number other than 0, as (node, position, number): the node where the move begins, the position
    /// of the move among the moves out of that node, and the number. In ascending order of node and position.
    pub fn values(&self) -> impl Iterator<Item = (NodeId, u32, f32)> {
        let of_node = |(node, moves): (NodeId, &[()])| (0..).take(moves.len()).map(move |position| (node, position));
        let moves = (0..).map(NodeId).zip(self.key.0.iter()).flat_map(of_node);
        moves
            .zip(self.all())
            .map(|((node, position), [value])| (node, position, value))
            .filter(|(.., value)| *value != 0.0)
    }

    /// Sets the number of the move at `position` among the moves out of `node`, even if the map is frozen.
    ///
    /// # Errors
    /// There is no such move, or the number is not from -1 to 1. Nothing changes.
    pub fn set(&self, node: NodeId, position: u32, value: f32) -> Result<(), InvalidValue> {
        let index = self.key.index(node, position as usize).filter(|_| (-1.0..=1.0).contains(&value));
        self.put(index.ok_or(InvalidValue { node, position, value })?, [value]);
        Ok(())
    }

    /// The number of `m`: how strongly units prefer `m` to its reverse, from -1 to 1. 0 for an unknown move.
    pub fn value<S: SpaceGraph>(&self, space: &S, m: &MoveIn<S>) -> f32 {
        self.key.index_of(space, m).map_or(0.0, |index| self.at(index)[0])
    }

    /// The surcharge of a move, in plain steps, before rounding to the cost type.
    pub fn charge<S: SpaceGraph>(&self, space: &S, m: &MoveIn<S>) -> f64 {
        let value = f64::from(self.value(space, m));
        2.0 * self.rules().charge(value, value == 0.0)
    }
}

impl<S: SpaceGraph> CostLayer<S> for EdgeDirectionMap {
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
        if self.is_frozen() {
            return;
        }
        let turn = |m: &MoveIn<S>, sign| {
            if let Some(index) = self.key.index_of(space, m) {
                self.turn(index, [sign], self.rules().learning_rate());
            }
        };
        turn(m, 1.0);
        space.moves(m.to).filter(|back| back.to == m.from).for_each(|back| turn(&back, -1.0));
    }
}
