//! Space-time A* where a search keeps no record of a node: beyond 2^24 nodes.

use giveway_core::heuristic::Zero;
use giveway_core::store::SparseTable;
use giveway_core::{
    AgentId, Cells, Claim, ConflictRule, Entry, Fuel, Goals, Move, NoPath, NodeId, Point, Query, ReservationStore,
    Scene, SpaceGraph, SpaceTimeSearch, Span, Suspended,
};

/// A strip of two rows, of which only the last columns are used.
struct Strip {
    columns: u32,
}

const FAR: u32 = 1 << 24;

impl Strip {
    fn node(&self, column: u32, row: u32) -> NodeId {
        NodeId(row * self.columns + column)
    }
}

impl SpaceGraph for Strip {
    type Action = u8;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        2 * self.columns as usize
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<u8, u32>> {
        let (column, row) = (from.0 % self.columns, from.0 / self.columns);
        let first = self.columns - 8;
        let beside = [
            (column + 1 < self.columns).then(|| self.node(column + 1, row)),
            (column > first).then(|| self.node(column - 1, row)),
            Some(self.node(column, 1 - row)),
        ];
        let moves = beside.into_iter().zip(0..);
        moves.filter_map(move |(to, action)| Some(Move { from, to: to?, action, cost: 1000, length: 1.0 }))
    }
}

/// The places and the expansions of a path along the strip, past an agent that stands in the way for a time, with
/// `fuel` at a time.
fn answer(columns: u32, fuel: u64) -> (Vec<u32>, u64) {
    let strip = Strip { columns };
    let cells = Cells::new(ConflictRule::Following, 2 * columns, 0);
    let mut store = SparseTable::new(cells);
    for row in 0..2 {
        let entry = Entry { cell: cells.place(strip.node(columns - 4, row).0), span: Span::new(0, 6 + row) };
        store.reserve(Claim::plain(AgentId(1)), &[entry]).unwrap();
    }
    let point = Point::following_rule(&strip);
    let scene = Scene { space: &strip, footprint: &point, reservations: &store, layer: &() };
    let (start, goal) = (strip.node(columns - 7, 0), strip.node(columns - 1, 0));
    let mut search = SpaceTimeSearch::new();
    search.begin(Query::new(Claim::plain(AgentId(0)), start, Goals::one(goal)));
    let path = loop {
        match search.advance(&scene, &mut Zero, &mut Fuel::work(fuel), &mut ()) {
            Err(NoPath::Suspended(Suspended::OutOfFuel)) => {}
            found => break found.unwrap(),
        }
    };
    // From the end of the strip, so that strips of all lengths compare.
    let places = (0..=path.arrival()).map(|tick| path.node_at(tick).0);
    let from_the_end = |node| 2 * (columns - node % columns) + node / columns;
    (places.map(from_the_end).collect(), search.expanded())
}

#[test]
fn nodes_without_a_record_are_searched_as_others_are() {
    let expected = answer(64, u64::MAX);
    for fuel in [1, 2, 3, 17, u64::MAX] {
        assert_eq!(answer(64, fuel), expected, "with records, {fuel} at a time");
        assert_eq!(answer(FAR + 64, fuel), expected, "without records, {fuel} at a time");
    }
}
