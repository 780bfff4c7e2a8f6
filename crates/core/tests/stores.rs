//! Stores: free spans, and equality with a plain map while time goes on.

use std::collections::BTreeMap;

use giveway_core::store::{IntervalTable, Occupancy, ReservationTable, SparseTable, WindowTable};
use giveway_core::{
    AgentId, CellId, Cells, Claim, ConflictRule, Entry, FOREVER, FreeIntervals, Probe, Rank, ReservationStore, Span,
    Tick,
};

const CELLS: u32 = 6;
const AGENTS: u32 = 7;
/// They differ in either number.
const RANKS: [Rank; 3] = [Rank(0, 0), Rank(0, 1), Rank(1, 0)];
/// Finite spans end before this many ticks from now.
const AHEAD: Tick = 70;

/// What is held: per cell and tick, an agent and its rank. The last tick stands for all later ones.
type Held = BTreeMap<(u32, Tick), Claim>;

/// A sequence of numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }
}

/// Plans, releases and tries, as a crowd does, while time goes on: lists, accounts and timelines are used again and
/// again. At each tick the store must be as the map is.
fn go_on<O: Occupancy + Clone>(make: impl Fn() -> ReservationTable<O>, seed: u64) {
    let mut store = make();
    let mut other = make();
    let mut numbers = Numbers(seed);
    let mut held = Held::new();
    let last = 1000 + AHEAD;
    let ticks = |span: Span| span.start..span.end.min(last + 1);
    for now in 0..1000 {
        let mark = (numbers.below(3) == 0).then(|| (store.mark(), held.clone(), store.settled_from()));
        for _ in 0..numbers.below(5) {
            let claim = Claim { agent: AgentId(numbers.below(AGENTS)), rank: RANKS[numbers.below(3) as usize] };
            if numbers.below(2) == 0 {
                let from = if numbers.below(9) == 0 { 0 } else { now + numbers.below(9) };
                store.release(claim.agent, from);
                held.retain(|(_, tick), holder| holder.agent != claim.agent || *tick < from);
            }
            let entries: Vec<Entry> = (0..numbers.below(6))
                .map(|_| {
                    let start = now + numbers.below(AHEAD / 2);
                    let ticks = [1, 2, 2, 3, 30, FOREVER][numbers.below(6) as usize];
                    Entry { cell: CellId(numbers.below(CELLS)), span: Span::lasting(start, ticks) }
                })
                .collect();
            let every = || entries.iter().flat_map(|entry| ticks(entry.span).map(|tick| (entry.cell.0, tick)));
            let yields = |holder: &Claim| holder.agent == claim.agent || holder.rank < claim.rank;
            let expected = every().all(|place| held.get(&place).is_none_or(yields));
            assert_eq!(store.reserve(claim, &entries).is_ok(), expected, "seed {seed}, tick {now}: {entries:?}");
            if expected {
                held.extend(every().map(|place| (place, claim)));
            }
        }
        match mark {
            Some((mark, before, settled)) if numbers.below(2) == 0 => {
                store.rollback(mark).unwrap();
                held = before;
                assert_eq!(store.settled_from(), settled);
            }
            _ => store.settle(),
        }
        if numbers.below(4) == 0 {
            store.forget_before(now);
            held.retain(|(_, tick), _| *tick >= now);
        }
        if now == 500 {
            store = store.clone();
        }
        // Another store takes over, with what it held long ago, or new.
        if numbers.below(16) == 0 {
            other.unpack(&store.pack());
            std::mem::swap(&mut store, &mut other);
            assert_eq!(store.settled_from(), other.settled_from());
        }
        let stranger = Claim::plain(AgentId(AGENTS));
        for (cell, tick) in (0..CELLS).flat_map(|cell| (now..now + AHEAD).chain([last]).map(move |tick| (cell, tick))) {
            let entry = Entry { cell: CellId(cell), span: Span::tick(tick) };
            let holder = held.get(&(cell, tick));
            let found = match store.probe(&entry, stranger) {
                Probe::Blocked { by, .. } => Some(by),
                _ => None,
            };
            assert_eq!(found, holder.map(|claim| claim.agent), "seed {seed}, tick {now}: {entry:?}");
            let above =
                holder.map_or(stranger, |claim| Claim { rank: Rank(claim.rank.0, claim.rank.1 + 1), ..stranger });
            assert!(store.permits(&entry, above) && store.permits(&entry, stranger) == holder.is_none());
        }
    }
    store.clear();
    store.reserve(Claim::plain(AgentId(0)), &[Entry { cell: CellId(0), span: Span::tick(3) }]).unwrap();
    assert_eq!(store.settled_from(), 4);
}

#[test]
fn stores_are_as_a_map_is_while_time_goes_on() {
    let cells = Cells::new(ConflictRule::Swap, CELLS, 0);
    for seed in 0..6 {
        go_on(|| IntervalTable::new(cells), seed);
        go_on(|| SparseTable::new(cells), seed);
        go_on(|| WindowTable::new(cells, 16), seed);
        go_on(|| WindowTable::new(cells, 200), seed);
    }
}

#[test]
fn a_packed_store_is_as_it_was_with_its_transactions_settled() {
    let cells = Cells::new(ConflictRule::Swap, 3, 0);
    let entry = |cell, span| Entry { cell: CellId(cell), span };
    let (low, high) = (Claim::plain(AgentId(0)), Claim { agent: AgentId(1), rank: RANKS[2] });
    let mut store = WindowTable::new(cells, 64);
    store.reserve(low, &[entry(0, Span::new(2, 90)), entry(1, Span::endless(4))]).unwrap();
    store.forget_before(10);
    let before = store.mark();
    // Cuts what the other agent has into parts.
    store.reserve(high, &[entry(0, Span::new(20, 30)), entry(1, Span::new(40, 41))]).unwrap();
    let mut other = WindowTable::new(cells, 64);
    other.reserve(high, &[entry(2, Span::endless(0))]).unwrap();
    other.unpack(&store.pack());
    for agent in [low.agent, high.agent] {
        assert_eq!(other.held_by(agent, 10), store.held_by(agent, 10));
        assert_eq!(other.held_by(agent, 10).len(), [4, 2][agent.index()]);
    }
    assert!(other.rollback(before).is_err() && other.mark() != before);
    // Cells that are not there are left out.
    let mut small = WindowTable::new(Cells::new(ConflictRule::Swap, 1, 0), 64);
    small.unpack(&store.pack());
    assert_eq!(small.held_by(low.agent, 10).len(), 2);
    small.release(low.agent, 0);
}

#[test]
fn free_spans_are_found_from_near_where_they_are_asked_for() {
    fn check(mut table: impl ReservationStore + FreeIntervals) {
        let held = |span| Entry { cell: CellId(0), span };
        let entries = [Span::new(10, 20), Span::new(5000, 5010), Span::new(5010, 5020), Span::endless(9000)].map(held);
        let mine = [held(Span::new(100, 200))];
        let (claim, other) = (Claim::plain(AgentId(0)), Claim::plain(AgentId(1)));
        table.reserve(other, &entries).unwrap();
        table.reserve(claim, &mine).unwrap();
        let rows = [
            (0, Some(Span::new(0, 10))),
            (10, Some(Span::new(20, 5000))),
            (19, Some(Span::new(20, 5000))),
            (20, Some(Span::new(20, 5000))),
            (4999, Some(Span::new(20, 5000))),
            (5000, Some(Span::new(5020, 9000))),
            (5015, Some(Span::new(5020, 9000))),
            (8999, Some(Span::new(5020, 9000))),
            (9000, None),
        ];
        for (from, free) in rows {
            assert_eq!(table.next_free(CellId(0), from, claim), free, "from {from}");
        }
        assert_eq!(table.next_free(CellId(1), 1_000_000, claim), Some(Span::endless(0)));
        assert_eq!(table.next_free(CellId(0), FOREVER - 1, other), Some(Span::endless(200)));
    }
    let cells = Cells::new(ConflictRule::Swap, 2, 0);
    check(SparseTable::new(cells));
    check(WindowTable::new(cells, 64));
    check(IntervalTable::new(cells));
}
