//! Every store keeps the contract; and stores that break it on purpose are caught, with the fault named.

use giveway_core::store::{IntervalTable, SparseTable, WindowTable};
use giveway_core::{
    AgentId, CellId, Cells, Claim, ConflictRule, Entry, FreeIntervals, Mark, Probe, Rank, Refused, ReservationStore,
    Span, StaleMark, Tick,
};

const CELLS: Cells = Cells::new(ConflictRule::Swap, 5, 2);

#[test]
fn the_sparse_table_conforms() {
    giveway_conformance::free_intervals(|| SparseTable::new(CELLS), 7, 1).unwrap_or_else(|breach| panic!("{breach}"));
}

#[test]
fn the_window_table_conforms_with_any_horizon() {
    for horizon in [0, 1, 64, 100, 1000] {
        giveway_conformance::free_intervals(|| WindowTable::new(CELLS, horizon), 7, 2)
            .unwrap_or_else(|breach| panic!("horizon {horizon}: {breach}"));
    }
}

#[test]
fn the_interval_table_conforms() {
    giveway_conformance::free_intervals(|| IntervalTable::new(CELLS), 7, 3).unwrap_or_else(|breach| panic!("{breach}"));
}

#[test]
fn cells_that_are_far_out_are_kept_as_those_near_by_are() {
    // Those below 2^24 have words of their own in the window store and a flat index in the interval store.
    const EDGE: u32 = 1 << 24;
    let cells = Cells::new(ConflictRule::Following, u32::MAX, 0);
    let mut sparse = SparseTable::new(cells);
    let mut window = WindowTable::new(cells, 200);
    let mut interval = IntervalTable::new(cells);
    let some = [0, EDGE - 1, EDGE, EDGE + 1, u32::MAX - 1].map(CellId);
    let spans = [(0, 3), (2, 70), (60, 64), (64, 65), (150, 400), (90, giveway_core::FOREVER)];
    let spans = spans.map(|(start, end)| Span::new(start, end));
    let entries: Vec<Entry> = spans.iter().flat_map(|span| some.map(|cell| Entry { cell, span: *span })).collect();
    let compare = |sparse: &SparseTable, window: &WindowTable, interval: &IntervalTable| {
        let mut blocked = 0;
        for entry in &entries {
            for agent in 0..4 {
                let claim = Claim::plain(AgentId(agent));
                let expected = sparse.probe(entry, claim);
                assert_eq!(window.probe(entry, claim), expected, "{entry:?}");
                assert_eq!(interval.probe(entry, claim), expected, "{entry:?}");
                blocked += u32::from(expected != Probe::Free);
            }
        }
        blocked
    };
    let mut blocked = Vec::new();
    for (step, entry) in entries.iter().enumerate() {
        let claim = Claim::plain(AgentId(u32::try_from(step % 4).unwrap()));
        let expected = sparse.reserve(claim, &[*entry]);
        assert_eq!(window.reserve(claim, &[*entry]), expected, "{entry:?}");
        assert_eq!(interval.reserve(claim, &[*entry]), expected, "{entry:?}");
        blocked.push(compare(&sparse, &window, &interval));
    }
    for (agent, from) in [(0, 61), (1, 0)] {
        sparse.release(AgentId(agent), from);
        window.release(AgentId(agent), from);
        interval.release(AgentId(agent), from);
        blocked.push(compare(&sparse, &window, &interval));
    }
    for now in [10, 65, 500] {
        sparse.forget_before(now);
        window.forget_before(now);
        interval.forget_before(now);
        let later: Vec<Entry> = some.map(|cell| Entry { cell, span: Span::new(now, now + 5) }).to_vec();
        for entry in &later {
            let claim = Claim::plain(AgentId(9));
            assert_eq!(window.probe(entry, claim), sparse.probe(entry, claim), "{now}: {entry:?}");
            assert_eq!(interval.probe(entry, claim), sparse.probe(entry, claim), "{now}: {entry:?}");
        }
    }
    sparse.clear();
    window.clear();
    interval.clear();
    blocked.push(compare(&sparse, &window, &interval));
    assert_eq!(blocked.last(), Some(&0));
    assert!(blocked.iter().max() > Some(&60), "{blocked:?}");
}

#[test]
fn sparse_entries_are_as_many_as_what_is_held_and_go_with_time() {
    let mut table = SparseTable::new(CELLS);
    let entries: Vec<Entry> = (0..10).map(|tick| Entry { cell: CellId(tick % 5), span: Span::tick(tick) }).collect();
    table.reserve(Claim::plain(AgentId(0)), &entries).unwrap();
    assert_eq!(table.entries(), 10);
    table.forget_before(7);
    assert_eq!(table.entries(), 3);
    table.release(AgentId(0), 8);
    assert_eq!(table.entries(), 1);
}

/// One way to get a store wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    PermitsWithoutAsking,
    ClosedSpans,
    BlocksItself,
    IgnoresRanks,
    IgnoresSecondNumbers,
    NamesTheWrongUntil,
    NamesOneBlocker,
    GoesOnToNameBlockers,
    ForgetsEndlessRests,
    CommitsHalfOfWhatItRefuses,
    ReportsEvictionsTwice,
    ReleasesTooMuch,
    ReleasesNothing,
    RollsBackNothing,
    AcceptsStaleMarks,
    SettlesTooEarly,
    ForgetsTooMuch,
    HasMoreCells,
    MissesFreeIntervals,
    LooksAheadForFreeIntervals,
    KeepsFreeIntervalsToItself,
}

/// An interval table that does one thing wrong.
struct Broken {
    table: IntervalTable,
    fault: Fault,
}

impl ReservationStore for Broken {
    fn probe(&self, entry: &Entry, mut claim: Claim) -> Probe {
        let mut entry = *entry;
        match self.fault {
            Fault::ClosedSpans => entry.span.end = entry.span.end.saturating_add(1),
            Fault::BlocksItself => claim.agent = AgentId(claim.agent.0 + 1000),
            Fault::IgnoresRanks => claim.rank = Rank(0, 0),
            Fault::IgnoresSecondNumbers => claim.rank.1 = 0,
            Fault::HasMoreCells if entry.cell == CellId(7) => return Probe::Free,
            _ => {}
        }
        match self.table.probe(&entry, claim) {
            Probe::Blocked { by, until } if self.fault == Fault::NamesTheWrongUntil => {
                Probe::Blocked { by, until: until.min(entry.span.end) }
            }
            answer => answer,
        }
    }

    fn permits(&self, entry: &Entry, claim: Claim) -> bool {
        (self.fault == Fault::PermitsWithoutAsking && entry.cell.0 < 7)
            || matches!(self.probe(entry, claim), Probe::Free | Probe::Overrides(_))
    }

    fn for_each_blocker(&self, entry: &Entry, claim: Claim, each: &mut dyn FnMut(AgentId) -> bool) -> bool {
        let mut named = 0;
        let mut stops = false;
        self.table.for_each_blocker(entry, claim, &mut |agent| {
            named += 1;
            let is_last = self.fault == Fault::NamesOneBlocker && named > 1;
            stops |= !is_last && !each(agent);
            !stops || self.fault == Fault::GoesOnToNameBlockers
        });
        !stops
    }

    fn commit(&mut self, claim: Claim, entries: &[Entry], evicted: &mut Vec<AgentId>) -> Result<(), Refused> {
        let mut entries = entries.to_vec();
        if self.fault == Fault::ForgetsEndlessRests {
            entries.iter_mut().filter(|entry| entry.span.is_endless()).for_each(|entry| entry.span.end = 300);
        }
        let known = evicted.len();
        let result = self.table.commit(claim, &entries, evicted);
        match self.fault {
            Fault::CommitsHalfOfWhatItRefuses if result.is_err() => {
                let _ = self.table.reserve(claim, &entries[..entries.len() / 2]);
            }
            Fault::ReportsEvictionsTwice => evicted.extend_from_within(known..),
            _ => {}
        }
        result
    }

    fn release(&mut self, agent: AgentId, from: Tick) {
        match self.fault {
            Fault::ReleasesNothing => {}
            Fault::ReleasesTooMuch => self.table.release(agent, from.saturating_sub(3)),
            _ => self.table.release(agent, from),
        }
    }

    fn forget_before(&mut self, now: Tick) {
        self.table.forget_before(if self.fault == Fault::ForgetsTooMuch { now + 60 } else { now });
    }

    fn clear(&mut self) {
        self.table.clear();
    }

    fn settled_from(&self) -> Tick {
        if self.fault == Fault::SettlesTooEarly { self.table.settled_from() / 2 } else { self.table.settled_from() }
    }

    fn mark(&mut self) -> Mark {
        self.table.mark()
    }

    fn rollback(&mut self, to: Mark) -> Result<(), StaleMark> {
        match self.fault {
            Fault::RollsBackNothing => self.table.clone().rollback(to),
            Fault::AcceptsStaleMarks => self.table.rollback(to).or(Ok(())),
            _ => self.table.rollback(to),
        }
    }

    fn settle(&mut self) {
        self.table.settle();
    }

    fn free_intervals(&self) -> Option<&dyn FreeIntervals> {
        (self.fault != Fault::KeepsFreeIntervalsToItself).then_some(self)
    }
}

impl FreeIntervals for Broken {
    fn next_free(&self, cell: CellId, from: Tick, claim: Claim) -> Option<Span> {
        let from = if self.fault == Fault::MissesFreeIntervals { from.saturating_add(50) } else { from };
        self.table.next_free(cell, from, claim)
    }

    fn free_from(&self, cell: CellId, from: Tick, claim: Claim) -> Option<Span> {
        let from = if self.fault == Fault::LooksAheadForFreeIntervals { from.saturating_add(1) } else { from };
        self.table.free_from(cell, from, claim)
    }
}

#[test]
fn every_way_to_get_a_store_wrong_is_caught_and_named() {
    let rows = [
        (Fault::PermitsWithoutAsking, "permits answers true"),
        (Fault::ClosedSpans, "probe answers Blocked"),
        (Fault::BlocksItself, "probe answers"),
        (Fault::IgnoresRanks, "should be Overrides"),
        (Fault::IgnoresSecondNumbers, "should be Overrides"),
        (Fault::NamesTheWrongUntil, "until"),
        (Fault::NamesOneBlocker, "for_each_blocker names"),
        (Fault::GoesOnToNameBlockers, "told to stop"),
        (Fault::ForgetsEndlessRests, "until: 4294967295"),
        (Fault::CommitsHalfOfWhatItRefuses, "probe answers"),
        (Fault::ReportsEvictionsTwice, "once each"),
        (Fault::ReleasesTooMuch, "probe answers"),
        (Fault::ReleasesNothing, "should be Free"),
        (Fault::RollsBackNothing, "probe answers"),
        (Fault::AcceptsStaleMarks, "rollback accepted a mark of a transaction that has ended"),
        (Fault::SettlesTooEarly, "settled_from"),
        (Fault::ForgetsTooMuch, "probe answers"),
        (Fault::HasMoreCells, "out of bounds"),
        (Fault::MissesFreeIntervals, "next_free says"),
        (Fault::LooksAheadForFreeIntervals, "free_from says"),
        (Fault::KeepsFreeIntervalsToItself, "free_intervals gives None"),
    ];
    for (fault, named) in rows {
        let result = giveway_conformance::free_intervals(|| Broken { table: IntervalTable::new(CELLS), fault }, 7, 4);
        let breach = result.expect_err(&format!("{fault:?} was not caught"));
        assert!(breach.fault.contains(named), "{fault:?} should name {named:?}: {breach}");
        // The free intervals that a store offers are checked by the general check, too.
        let result =
            giveway_conformance::reservation_store(|| Broken { table: IntervalTable::new(CELLS), fault }, 7, 4);
        assert_eq!(result.is_err(), fault != Fault::KeepsFreeIntervalsToItself, "{fault:?}");
    }
}
