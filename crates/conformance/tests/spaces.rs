//! Spaces that break their contract on purpose are caught, with the fault named.

use std::cell::Cell;

use giveway_core::{Embedding, Facts, Move, NodeId, Origins, SpaceGraph};
use ordered_float::OrderedFloat;

/// One way to get a space wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    LeadsOutOfBounds,
    LeadsNowhere,
    BeginsElsewhere,
    MovesOutOfNothing,
    ExistsBeyondTheBound,
    PanicsBeyondTheBound,
    OtherOrder,
    OtherMoves,
    SameAction,
    FindsTheNextMove,
    FindsAnotherMove,
    NegativeCost,
    CostIsNotANumber,
    NegativeLength,
    LengthIsNotANumber,
    NeverEnds,
    InverseLacksAMove,
    InverseHasAMoveTooMany,
    InverseHasAMoveTwice,
    InverseAtAnotherCost,
    InverseEndsElsewhere,
    InverseOutOfBounds,
    InverseOfSome,
    OriginsLackAMove,
    NotUniform,
    CrossingOutOfBounds,
    CrossingOfOneWay,
    CrossingOfNeitherWay,
    GrowsRevision,
    TooManyNodes,
    PositionIsNotANumber,
    PositionWanders,
}

/// A street of five houses, 0 to 4, with a second way from 1 to 2; number 5 was torn down.
struct Street {
    fault: Fault,
    asked: Cell<u32>,
}

impl Street {
    fn new(fault: Fault) -> Self {
        let asked = Cell::new(0);
        Self { fault, asked }
    }

    /// Counts how often it was asked.
    fn ask(&self) -> u32 {
        self.asked.replace(self.asked.get() + 1)
    }
}

type Action = char;
type Cost = OrderedFloat<f64>;

const WAYS: [(u32, u32, Action, Action); 5] =
    [(0, 1, '>', '<'), (1, 2, '>', '<'), (1, 2, '/', '/'), (2, 3, '>', '<'), (3, 4, '>', '<')];

fn street() -> impl Iterator<Item = Move<Action, Cost>> {
    WAYS.into_iter().flat_map(|(a, b, there, back)| {
        [(a, b, there), (b, a, back)].map(|(from, to, action)| Move {
            from: NodeId(from),
            to: NodeId(to),
            action,
            cost: OrderedFloat(1.0),
            length: 1.0,
        })
    })
}

impl SpaceGraph for Street {
    type Action = Action;
    type Cost = Cost;

    fn node_bound(&self) -> usize {
        if self.fault == Fault::TooManyNodes { 1 << 40 } else { 6 }
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<Action, Cost>> {
        let mut moves: Vec<_> = street().filter(|m| m.from == from).collect();
        let asked = self.ask();
        let at_2 = from == NodeId(2);
        if let (true, Some(first)) = (at_2, moves.first_mut()) {
            match self.fault {
                Fault::LeadsOutOfBounds => first.to = NodeId(6),
                Fault::LeadsNowhere => first.to = NodeId(5),
                Fault::BeginsElsewhere => first.from = NodeId(0),
                Fault::NegativeCost => first.cost = OrderedFloat(-1.0),
                Fault::CostIsNotANumber => first.cost = OrderedFloat(f64::NAN),
                Fault::NotUniform => first.cost = OrderedFloat(1.5),
                Fault::NegativeLength => first.length = -1.0,
                Fault::LengthIsNotANumber => first.length = f32::NAN,
                _ => {}
            }
        }
        match self.fault {
            Fault::SameAction if at_2 => moves[2].action = moves[0].action,
            Fault::OtherOrder if asked % 2 == 1 => moves.reverse(),
            Fault::OtherMoves if asked > 14 => moves.clear(),
            Fault::MovesOutOfNothing if from == NodeId(5) => moves.extend(street().next().map(|m| Move { from, ..m })),
            _ => {}
        }
        let times = if self.fault == Fault::NeverEnds { usize::MAX } else { 1 };
        let count = moves.len().saturating_mul(times);
        moves.into_iter().cycle().take(count)
    }

    fn find_move(&self, from: NodeId, action: Action) -> Option<(usize, Move<Action, Cost>)> {
        let found = self.moves(from).enumerate().find(|(_, m)| m.action == action);
        let found = found.map(|(index, m)| (index + usize::from(self.fault == Fault::FindsTheNextMove), m));
        found.or_else(|| self.moves(from).enumerate().next().filter(|_| self.fault == Fault::FindsAnotherMove))
    }

    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<Action, Cost>>> {
        let mut moves: Vec<_> = street().filter(|m| m.to == to).collect();
        match (self.fault, to.0) {
            (Fault::InverseLacksAMove, 2) => moves.truncate(1),
            (Fault::InverseHasAMoveTooMany, 2) => moves[0].from = NodeId(0),
            (Fault::InverseHasAMoveTwice, 2) => moves.push(moves[0]),
            (Fault::InverseAtAnotherCost, 2) => moves[0].cost = OrderedFloat(2.0),
            (Fault::InverseEndsElsewhere, 2) => moves[0].to = NodeId(3),
            (Fault::InverseOutOfBounds, 2) => moves[0].from = NodeId(77),
            (Fault::InverseOfSome, 2) => return None,
            (Fault::NotUniform, _) => moves.clear(),
            _ => {}
        }
        Some(moves.into_iter())
    }

    fn facts(&self) -> Facts<'_, Cost> {
        const OFFSETS: [[i16; 4]; 5] = [[1, 0, 0, 0], [-1, 1, 1, 0], [-1, -1, 1, 0], [-1, 1, 0, 0], [-1, 0, 0, 0]];
        const LACKING: [[i16; 4]; 3] = [OFFSETS[0], OFFSETS[1], [-1, 1, 0, 0]];
        let offsets = if self.fault == Fault::OriginsLackAMove { &LACKING[..] } else { &OFFSETS };
        let (uniform_cost, origins) = (Some(OrderedFloat(1.0)), Some(Origins::offsets(offsets)));
        Facts { uniform_cost, crossing_bound: 5, origins, ..Facts::NONE }
    }

    fn contains(&self, node: NodeId) -> bool {
        match self.fault {
            Fault::ExistsBeyondTheBound => node != NodeId(5),
            Fault::PanicsBeyondTheBound => [true, true, true, true, true, false][node.index()],
            _ => node < NodeId(5),
        }
    }

    fn crossing(&self, m: &Move<Action, Cost>) -> Option<u32> {
        let way = WAYS.iter().position(|(a, b, there, back)| {
            m.from.0.min(m.to.0) == *a && m.from.0.max(m.to.0) == *b && [*there, *back].contains(&m.action)
        })?;
        let number = u32::try_from(way).ok()?;
        match (self.fault, number) {
            (Fault::CrossingOutOfBounds, 3) => Some(5),
            (Fault::CrossingOfOneWay, 3) if m.action == '<' => Some(0),
            (Fault::CrossingOfNeitherWay, 3) => None,
            _ => Some(number),
        }
    }

    fn revision(&self) -> u64 {
        match self.fault {
            Fault::GrowsRevision => u64::from(self.ask()),
            _ => 0,
        }
    }
}

impl Embedding for Street {
    #[allow(clippy::cast_precision_loss)]
    fn position(&self, node: NodeId) -> [f32; 3] {
        let y = match self.fault {
            Fault::PositionIsNotANumber if node == NodeId(5) => f32::NAN,
            Fault::PositionWanders => self.ask() as f32,
            _ => 0.0,
        };
        [node.0 as f32, y, 0.0]
    }
}

fn check(fault: Fault) -> Result<(), giveway_conformance::Breach> {
    let street = Street::new(fault);
    giveway_conformance::space_graph(&street)?;
    giveway_conformance::embedding(&street)
}

#[test]
fn a_street_without_a_fault_conforms() {
    check(Fault::None).unwrap_or_else(|breach| panic!("{breach}"));
}

#[test]
fn every_way_to_get_a_space_wrong_is_caught_and_named() {
    let rows = [
        (Fault::LeadsOutOfBounds, "moves(node 2) leads to node 6, which is out of bounds: node_bound is 6"),
        (Fault::LeadsNowhere, "moves(node 2) leads to node 5, but contains(node 5) is false"),
        (Fault::BeginsElsewhere, "moves(node 2) gives a move that begins at node 0"),
        (Fault::MovesOutOfNothing, "moves(node 5) is not empty, but contains(node 5) is false"),
        (Fault::ExistsBeyondTheBound, "contains(node 6) is true, which is out of bounds"),
        (Fault::PanicsBeyondTheBound, "contains(node 6) panics: index out of bounds"),
        (Fault::OtherOrder, "asked again, gives the same moves in another order"),
        (Fault::OtherMoves, "asked again, gives other moves"),
        (Fault::SameAction, "moves(node 2) gives two moves with the same action, '<'"),
        (Fault::FindsTheNextMove, "find_move(node 0, '>') is Some((1, "),
        (Fault::FindsAnotherMove, "but moves(node 0) has no such move"),
        (Fault::NegativeCost, "from node 2 to node 1 by action '<' costs -1.0: costs must not be negative"),
        (Fault::CostIsNotANumber, "costs NaN: costs must not be negative, nor NaN"),
        (Fault::NegativeLength, "has length -1: lengths must be finite and not negative"),
        (Fault::LengthIsNotANumber, "has length NaN"),
        (Fault::NeverEnds, "moves(node 0) gives more than 1048576 moves: does it ever end?"),
        (Fault::InverseLacksAMove, "moves_into(node 2) lacks the move from node 1 to node 2 by action '/'"),
        (
            Fault::InverseHasAMoveTooMany,
            "moves_into(node 2) gives the move from node 0 to node 2 by action '>', which moves(node 0) does not",
        ),
        (
            Fault::InverseHasAMoveTwice,
            "moves_into(node 2) gives the move from node 1 to node 2 by action '>' more than once",
        ),
        (Fault::InverseAtAnotherCost, "cost 2.0 and length 1, moves(node 1) gives it 1.0 and 1"),
        (Fault::InverseEndsElsewhere, "moves_into(node 2) gives a move that ends at node 3"),
        (Fault::InverseOutOfBounds, "moves_into(node 2) gives a move from node 77, which is out of bounds"),
        (Fault::InverseOfSome, "moves_into(node 0) is Some and moves_into(node 2) is None"),
        (
            Fault::OriginsLackAMove,
            "origins().of(node 2) gives the nodes [1, 3], but the moves of moves_into(node 2) begin at [1, 1, 3]",
        ),
        (
            Fault::NotUniform,
            "uniform_cost says that all moves cost 1.0, but the move from node 2 to node 1 by action '<' costs 1.5",
        ),
        (Fault::CrossingOutOfBounds, "has crossing 5, which is out of bounds: crossing_bound is 5"),
        (Fault::CrossingOfOneWay, "has crossing 3, and back 0: a move and its reverse must share one"),
        (Fault::CrossingOfNeitherWay, "has no crossing, so that a unit coming back would pass through it"),
        (Fault::GrowsRevision, "revision changes although nobody changed the space"),
        (Fault::TooManyNodes, "node_bound is 1099511627776, but node ids have 32 bits"),
        (Fault::PositionIsNotANumber, "position(node 5) is [5.0, NaN, 0.0]: positions must be finite"),
        (Fault::PositionWanders, "and asked again"),
    ];
    for (fault, named) in rows {
        let breach = check(fault).expect_err(&format!("{fault:?} was not caught"));
        assert!(breach.fault.contains(named), "{fault:?} should name {named:?}: {breach}");
    }
}

/// A ring of more nodes than are looked at, of which every second has a faulty move.
struct Ring;

impl SpaceGraph for Ring {
    type Action = ();
    type Cost = u32;

    fn node_bound(&self) -> usize {
        1 << 24
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<(), u32>> {
        let to = NodeId((from.0 + 1) % (1 << 24));
        let cost = 1000 + from.0 % 2;
        let (action, length) = ((), 1.0);
        std::iter::once(Move { from, to, action, cost, length })
    }

    fn facts(&self) -> Facts<'_, Self::Cost> {
        Facts { uniform_cost: Some(1000), ..Facts::NONE }
    }
}

#[test]
fn of_large_spaces_a_part_is_looked_at() {
    let breach = giveway_conformance::space_graph(&Ring).unwrap_err();
    assert!(breach.fault.contains("uniform_cost says"), "{breach}");
}
