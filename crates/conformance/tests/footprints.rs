//! Footprints that break their contract on purpose are caught, with the fault named.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;

use giveway_core::{
    CellId, Cells, ConflictRule, Entry, EntryVisitor, FOREVER, Footprint, Motion, Move, NodeId, Point, SpaceGraph,
    Span, Tick, Ticks,
};

use ConflictRule::{Following, Swap};

/// A ring of eight places, driven both ways; every third road is twice as long.
struct Ring;

const PLACES: u32 = 8;

impl SpaceGraph for Ring {
    type Action = i32;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        PLACES as usize
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<i32, u32>> {
        [1, -1].into_iter().map(move |action| {
            let to = NodeId((from.0 + PLACES).wrapping_add_signed(action) % PLACES);
            let length = if from.0.min(to.0).is_multiple_of(3) { 2.0 } else { 1.0 };
            Move { from, to, action, cost: 1000, length }
        })
    }
}

/// One way to get a footprint wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    OutOfBounds,
    TakesNoTime,
    WaitsNoTime,
    MissesTheFirstTick,
    MissesTheLastTick,
    LeavesAGap,
    HoldsTooEarly,
    HoldsTooLate,
    HoldsForEver,
    MovesAbsolutely,
    OverflowsAtTheEndOfTime,
    StandsOnNothing,
    RestsTooShort,
    EndlessRestEnds,
    LetsGoWhileItRests,
    SpreadsWhileItRests,
    NotUniform,
    UniformButNotAllowed,
    GoesOnAfterABreak,
    HidesTheBreak,
    BreaksOffByItself,
    OtherOrder,
    OtherDurations,
    ArrivesUnannounced,
    LeavesTooEarly,
    NeverEnds,
}

/// A unit two places long, under the following rule: it holds the place of its node and the next one.
struct Snake {
    fault: Fault,
    asked: Cell<u32>,
}

impl Snake {
    fn new(fault: Fault) -> Self {
        let asked = Cell::new(0);
        Self { fault, asked }
    }

    fn body(node: NodeId) -> [CellId; 2] {
        [CellId(node.0), CellId((node.0 + 1) % PLACES)]
    }

    fn ticks(&self, m: &Move<i32, u32>) -> Ticks {
        if m.length > 1.5 && self.fault != Fault::UniformButNotAllowed { 6 } else { 3 }
    }

    fn of_move(&self, m: &Move<i32, u32>, depart: Tick) -> Vec<Entry> {
        let span = Span::lasting(depart, self.ticks(m));
        let (left, entered) = (Self::body(m.from), Self::body(m.to));
        let mut cells: Vec<CellId> = left.into_iter().chain(entered).collect();
        match self.fault {
            Fault::ArrivesUnannounced => cells.retain(|cell| left.contains(cell)),
            Fault::LeavesTooEarly => cells.retain(|cell| entered.contains(cell)),
            Fault::OutOfBounds if m.from == NodeId(5) => cells.push(CellId(PLACES)),
            _ => {}
        }
        let spans = match self.fault {
            Fault::MissesTheFirstTick => vec![Span::new(span.start + 1, span.end)],
            Fault::MissesTheLastTick => vec![Span::new(span.start, span.end - 1)],
            Fault::LeavesAGap => vec![Span::tick(span.start), Span::new(span.start + 2, span.end)],
            Fault::HoldsTooEarly => vec![Span::new(span.start.saturating_sub(1), span.end)],
            Fault::HoldsTooLate => vec![Span::new(span.start, span.end + 2)],
            Fault::HoldsForEver => vec![Span::endless(span.start)],
            Fault::MovesAbsolutely => vec![Span::new(span.start, span.end.max(9))],
            _ => vec![span],
        };
        let entries = cells.iter().flat_map(|cell| spans.iter().map(|span| Entry { cell: *cell, span: *span }));
        entries.collect()
    }

    fn of_rest(&self, node: NodeId, ticks: Ticks, depart: Tick) -> Vec<Entry> {
        let span = match (self.fault, ticks) {
            (Fault::OverflowsAtTheEndOfTime, 1..) => Span::new(depart, depart + ticks),
            (Fault::StandsOnNothing, _) => Span::lasting(depart, ticks),
            (Fault::RestsTooShort, _) if (2..FOREVER).contains(&ticks) => Span::lasting(depart, ticks - 1),
            (Fault::EndlessRestEnds, FOREVER) => Span::lasting(depart, 100_000),
            _ => Span::lasting(depart, ticks.max(1)),
        };
        let cells = Self::body(node);
        let held = if self.fault == Fault::LetsGoWhileItRests && ticks > 2 {
            vec![(cells[0], span), (cells[1], Span::new(span.start, span.start + 2))]
        } else {
            cells.map(|cell| (cell, span)).to_vec()
        };
        let spread = (self.fault == Fault::SpreadsWhileItRests && ticks > 3)
            .then(|| (CellId((cells[0].0 + 3) % PLACES), Span::tick(depart + 3)));
        held.into_iter().chain(spread).map(|(cell, span)| Entry { cell, span }).collect()
    }
}

impl Footprint<Ring> for Snake {
    fn cells(&self, _: &Ring) -> Cells {
        Cells::new(Following, PLACES, 0)
    }

    fn wait_quantum(&self) -> Ticks {
        if self.fault == Fault::WaitsNoTime { 0 } else { 2 }
    }

    fn duration(&self, _: &Ring, m: &Move<i32, u32>) -> Option<Ticks> {
        let asked = self.asked.replace(self.asked.get() + 1);
        match self.fault {
            Fault::TakesNoTime if m.from == NodeId(4) => Some(0),
            Fault::UniformButNotAllowed => (m.from != NodeId(4)).then(|| self.ticks(m)),
            Fault::OtherDurations => Some(3 + asked),
            _ => Some(self.ticks(m)),
        }
    }

    fn uniform_duration(&self, _: &Ring) -> Option<Ticks> {
        [Fault::NotUniform, Fault::UniformButNotAllowed].contains(&self.fault).then_some(3)
    }

    fn sweep(&self, _: &Ring, motion: &Motion<i32, u32>, depart: Tick, entry: EntryVisitor<'_>) -> ControlFlow<()> {
        let asked = self.asked.replace(self.asked.get() + 1);
        let mut entries = match motion {
            Motion::Move(m) => self.of_move(m, depart),
            Motion::Rest { node, ticks } => self.of_rest(*node, *ticks, depart),
        };
        match self.fault {
            Fault::GoesOnAfterABreak => {
                let flows: Vec<_> = entries.into_iter().map(entry).collect();
                let broken = flows.into_iter().find(|flow| flow.is_break());
                return broken.unwrap_or(ControlFlow::Continue(()));
            }
            Fault::HidesTheBreak => {
                let _ = entries.into_iter().try_for_each(entry);
                return ControlFlow::Continue(());
            }
            Fault::BreaksOffByItself => {
                let _ = entries.into_iter().try_for_each(entry);
                return ControlFlow::Break(());
            }
            Fault::NeverEnds => loop {
                entry(entries[0])?;
            },
            Fault::OtherOrder if asked.is_multiple_of(2) => entries.reverse(),
            _ => {}
        }
        entries.into_iter().try_for_each(entry)
    }
}

#[test]
fn a_snake_without_a_fault_conforms() {
    giveway_conformance::footprint(&Ring, &Snake::new(Fault::None)).unwrap_or_else(|breach| panic!("{breach}"));
    let stranger: &dyn Footprint<Ring> = &Snake::new(Fault::None);
    giveway_conformance::footprint(&Ring, stranger).unwrap_or_else(|breach| panic!("{breach}"));
}

#[test]
fn every_way_to_get_a_footprint_wrong_is_caught_and_named() {
    let rows = [
        (Fault::OutOfBounds, "holds cell 8, which is out of bounds: cells says that there are 8"),
        (Fault::TakesNoTime, "the duration of the move from node 4 to node 5 by action 1 is 0"),
        (Fault::WaitsNoTime, "wait_quantum is 0"),
        (Fault::MissesTheFirstTick, "takes until tick 6, but holds nothing at tick 0"),
        (Fault::MissesTheLastTick, "takes until tick 6, but holds nothing at tick 5"),
        (Fault::LeavesAGap, "takes until tick 6, but holds nothing at tick 1"),
        (Fault::HoldsTooEarly, "should hold just what it holds when it begins at tick 0, so many ticks later"),
        (Fault::HoldsTooLate, "holds cell 0 at tick 7, but ends at tick 6"),
        (Fault::HoldsForEver, "holds cell 0 for ever, but ends at tick 6"),
        (Fault::MovesAbsolutely, "begun at tick 1, should hold just what it holds when it begins at tick 0"),
        (Fault::OverflowsAtTheEndOfTime, "sweep of an endless rest on node 0, begun at tick 1, panics"),
        (Fault::StandsOnNothing, "a rest of 0 ticks on node 0, begun at tick 0, holds nothing"),
        (Fault::RestsTooShort, "a rest of 2 ticks on node 0, begun at tick 0, does not hold cell 0 at tick 1"),
        (Fault::EndlessRestEnds, "an endless rest on node 0, begun at tick 0, does not hold cell 0 at tick 100000"),
        (
            Fault::SpreadsWhileItRests,
            "a rest of 5 ticks on node 0, begun at tick 0, and 5 rests of one tick there, one after the other, differ in whether they \
             hold cell 3 at tick 3",
        ),
        (Fault::LetsGoWhileItRests, "a rest of 5 ticks on node 0, begun at tick 0, does not hold cell 1 at tick 2"),
        (
            Fault::NotUniform,
            "uniform_duration says that all moves take 3, but the duration of the move from node 0 to node 1",
        ),
        (Fault::UniformButNotAllowed, "is None: it cannot be made"),
        (Fault::GoesOnAfterABreak, "sweep goes on after it was broken off at entry 1"),
        (Fault::HidesTheBreak, "sweep does not return Break although it was broken off at entry 1"),
        (Fault::BreaksOffByItself, "returns Break although nobody broke it off"),
        (Fault::OtherOrder, "sweep, asked again, gives other entries"),
        (Fault::OtherDurations, "and asked again"),
        (Fault::ArrivesUnannounced, "does not hold cell 2 as it arrives at tick 6, though the unit then stands on it"),
        (Fault::LeavesTooEarly, "does not hold cell 0 in its first tick, though the unit still stands on it"),
        (Fault::NeverEnds, "gives more than 1048576 entries: does it ever end?"),
    ];
    for (fault, named) in rows {
        let snake = Snake::new(fault);
        let breach = giveway_conformance::footprint(&Ring, &snake).expect_err(&format!("{fault:?} was not caught"));
        assert!(breach.fault.contains(named), "{fault:?} should name {named:?}: {breach}");
    }
}

#[test]
fn points_conform() {
    for point in [
        Point::swap_rule(&Ring),
        Point::following_rule(&Ring),
        Point::timed(&Ring, 1).unwrap(),
        Point::timed(&Ring, 16).unwrap(),
    ] {
        giveway_conformance::footprint(&Ring, &point).unwrap_or_else(|breach| panic!("{point:?}: {breach}"));
        let shared: Arc<dyn Footprint<Ring>> = Arc::new(point);
        giveway_conformance::footprint(&Ring, &shared).unwrap_or_else(|breach| panic!("shared: {breach}"));
    }
}

/// A point under the swap rule that forgets the crossing, or where it arrives.
struct Ghost {
    announces: bool,
}

impl Footprint<Ring> for Ghost {
    fn cells(&self, _: &Ring) -> Cells {
        Cells::new(Swap, PLACES, PLACES)
    }

    fn duration(&self, _: &Ring, _: &Move<i32, u32>) -> Option<Ticks> {
        Some(2)
    }

    fn sweep(&self, _: &Ring, motion: &Motion<i32, u32>, depart: Tick, entry: EntryVisitor<'_>) -> ControlFlow<()> {
        let (node, span) = match motion {
            Motion::Move(m) if self.announces => (m.to, Span::tick(depart + 2)),
            Motion::Move(m) => (m.from, Span::new(depart, depart + 2)),
            Motion::Rest { node, ticks } => (*node, Span::lasting(depart, ticks.saturating_add(1))),
        };
        entry(Entry { cell: CellId(node.0), span })
    }
}

#[test]
fn under_the_swap_rule_only_the_place_that_is_left_is_held_by_what_came_before() {
    let fault = |announces| giveway_conformance::footprint(&Ring, &Ghost { announces }).unwrap_err().fault;
    assert!(fault(true).contains("takes until tick 2, but holds nothing at tick 1"), "{}", fault(true));
    assert!(fault(false).contains("does not hold cell 1 as it arrives at tick 2"), "{}", fault(false));
}
