//! In steady state a space-time search allocates the path that it returns, and nothing else, however much it expands. A
//! store allocates nothing.

use allocation_counter::measure;
use giveway_core::store::WindowTable;
use giveway_core::{
    AgentId, Claim, FOREVER, Facts, Footprint, Fuel, Goals, Heuristic, Motion, Move, NodeId, Point, Query,
    ReservationStore, Scene, SpaceGraph, SpaceTimeSearch, Suspended,
};

const SIDE: u32 = 24;

/// A square of cells, each beside four others.
struct Square;

impl SpaceGraph for Square {
    type Action = u8;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        (SIDE * SIDE) as usize
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<u8, u32>> {
        let (x, y) = (from.0 % SIDE, from.0 / SIDE);
        let beside = [
            (x + 1 < SIDE).then(|| from.0 + 1),
            (x > 0).then(|| from.0 - 1),
            (y + 1 < SIDE).then(|| from.0 + SIDE),
            (y > 0).then(|| from.0 - SIDE),
        ];
        let moves = beside.into_iter().zip(0..);
        moves.filter_map(move |(to, action)| Some(Move { from, to: NodeId(to?), action, cost: 1000, length: 1.0 }))
    }

    fn facts(&self) -> Facts<'_, Self::Cost> {
        Facts { uniform_cost: Some(1000), ..Facts::NONE }
    }
}

/// The distance to the north-eastern corner, without walls.
struct ToCorner;

impl Heuristic<Square> for ToCorner {
    fn estimate(&mut self, _: &Square, node: NodeId, _: &mut Fuel) -> Result<Option<u32>, Suspended> {
        Ok(Some((SIDE - 1 - node.0 % SIDE + node.0 / SIDE) * 1000))
    }
}

#[test]
fn a_search_allocates_the_path_that_it_returns_and_nothing_else() {
    let footprint = Point::swap_rule(&Square);
    let mut store = WindowTable::new(footprint.cells(&Square), 64);
    // A wall of agents that rest across the square, with a gap at its end.
    for (row, id) in (0..SIDE - 1).zip(1..) {
        let rest = Motion::<u8, u32>::Rest { node: NodeId(row * SIDE + SIDE / 2), ticks: 5000 };
        let entries = footprint.entries(&Square, &rest, 0);
        store.reserve(Claim::plain(AgentId(id)), &entries).unwrap();
    }
    let goals = Goals::one(NodeId(SIDE - 1));
    let scene = Scene { space: &Square, footprint: &footprint, reservations: &store, layer: &() };
    let mut search = SpaceTimeSearch::new();
    let mut ask = |start, horizon| {
        let query = Query { horizon, ..Query::new(Claim::plain(AgentId(0)), NodeId(start), goals.clone()) };
        search.begin(query);
        let mut found = None;
        let info = measure(|| {
            found = Some(search.advance(&scene, &mut ToCorner, &mut Fuel::unlimited(), &mut ()));
        });
        let moves = found.and_then(Result::ok).map_or(0, |path| path.steps.len());
        (moves, search.expanded(), info.count_total)
    };
    for round in 0..3 {
        let [near, far, window] = [ask(SIDE - 3, FOREVER), ask(0, FOREVER), ask(0, 16)];
        assert!(near.0 == 2 && far.0 > 40 && window.0 > 0 && far.1 > 20 * near.1, "{near:?} {far:?} {window:?}");
        let allocations = [near, far, window].map(|(_, _, count)| count);
        assert!(round == 0 || allocations == [1; 3], "{allocations:?}");
    }
}

#[test]
fn a_store_whose_agents_plan_again_and_again_allocates_nothing() {
    let footprint = Point::swap_rule(&Square);
    let mut store = WindowTable::new(footprint.cells(&Square), 64);
    let mut entries = Vec::with_capacity(100);
    let mut evicted = Vec::with_capacity(100);
    let mut go_on = |ticks: std::ops::Range<u32>| {
        measure(|| {
            for now in ticks {
                let mark = store.mark();
                for agent in (0..40).filter(|agent| agent % 4 == now % 4).map(AgentId) {
                    store.release(agent, now);
                    // Through places where others have been, and will be.
                    entries.clear();
                    entries.extend((0..16).map(|step| giveway_core::Entry {
                        cell: giveway_core::CellId((agent.0 * 7 + now + step) % 300),
                        span: giveway_core::Span::lasting(now + step, 2),
                    }));
                    let _ = store.commit(Claim::plain(agent), &entries, &mut evicted);
                }
                if now % 3 == 0 {
                    store.rollback(mark).unwrap();
                }
                store.settle();
                if now % 8 == 0 {
                    store.forget_before(now);
                }
            }
        })
    };
    go_on(0..1000);
    assert_eq!(go_on(1000..2000).count_total, 0);
}
