//! The board: the holders of cells from now until a horizon, tick by tick. Changes are tried out on the board, without
//! the reservation store.
//!
//! A row is read from the store when its cell is first asked for. From then on agents give up what they hold, and take
//! something else, on the board alone; an [`Undo`] takes that back. What has changed in the end is to be written to the
//! store.
//!
//! All that an agent has taken at once is one *holding*. To give it up is to mark it; the marks that it has left in
//! rows then count as nothing.

use giveway_core::{CellId, Entry, Span, Tick};
use rustc_hash::FxHashMap;

use giveway_members::roster::{Roster, Slot};
use giveway_members::store::Store;

/// The largest flat index, in cells.
const MOST_FLAT: usize = 1 << 24;

/// There is a flat index if it has at most so many cells for each agent that asks.
const FLAT_FOR_EACH: usize = 4096;

/// Nobody holds it.
const FREE: u32 = u32::MAX;

/// What holds the cell is none of the members' holdings, and stays.
const FOREIGN: u32 = FIXED | (FIXED - 1);

/// Marks what an agent cannot give up: motions under way, and what nobody may override.
const FIXED: u32 = 1 << 31;

/// Who holds what.
#[derive(Default)]
pub(crate) struct Board {
    now: Tick,
    until: Tick,
    /// Per cell below its length, 1 + the number of its row; 0: it was not asked for.
    flat: Vec<u32>,
    /// The same for the cells beyond.
    beyond: FxHashMap<CellId, u32>,
    /// The cells with rows.
    cells: Vec<CellId>,
    /// A holding, or [`FREE`], for each tick of each row.
    marks: Vec<u32>,
    /// By holding, the slot that holds it, with [`FIXED`] or without; [`FREE`]: it was given up. The first ones are
    /// what the store holds for each slot, what it holds for good for each slot, and what it holds for others.
    holders: Vec<u32>,
    /// By slot, its holding.
    holdings: Vec<u32>,
    changes: Vec<Change>,
}

/// A change that may have to be undone.
#[derive(Clone, Copy)]
enum Change {
    /// The mark at a position was another one.
    Mark { at: u32, before: u32 },
    /// A slot has given up its holding.
    Lift(Slot),
    /// A slot had another holding.
    Take { slot: Slot, before: u32 },
}

/// Marks of a cell at some ticks: from one position until another.
#[derive(Clone, Copy)]
pub(crate) struct Marks {
    begin: u32,
    end: u32,
}

/// The mark of a cell at a tick.
#[derive(Clone, Copy)]
pub(crate) struct Mark(u32);

/// A position in the course of changes.
#[derive(Clone, Copy)]
pub(crate) struct Undo(usize);

/// A holder of a cell at a tick.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holder {
    /// The slot could give it up.
    Slot(Slot),
    /// It stays.
    Fixed,
}

/// A board is of use within one tick, so the clone is empty.
impl Clone for Board {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Board {
    /// Begins anew, for cells below `bound` and the slots of `roster`, of which `asking` ask for what they may take,
    /// from one tick until another.
    pub(crate) fn begin(&mut self, bound: usize, asking: usize, roster: &Roster, (now, until): (Tick, Tick)) {
        for cell in self.cells.drain(..) {
            if let Some(row) = self.flat.get_mut(cell.index()) {
                *row = 0;
            }
        }
        let flat = if bound / FLAT_FOR_EACH <= asking { bound.min(MOST_FLAT) } else { 0 };
        self.flat.resize(flat, 0);
        self.beyond.clear();
        self.marks.clear();
        self.changes.clear();
        (self.now, self.until) = (now, until.max(now));
        #[allow(clippy::cast_possible_truncation)] // slots have less than 32 bits
        let slots = roster.bound() as u32;
        self.holders.clear();
        self.holders.extend((0..slots).chain((0..slots).map(|slot| slot | FIXED)).chain([FOREIGN]));
        self.holdings.clear();
        self.holdings.extend(0..slots);
    }

    /// Where the marks of `entry` are.
    #[inline]
    pub(crate) fn marks(&mut self, read: (&Store, &Roster), entry: &Entry) -> Marks {
        let row = match self.flat.get(entry.cell.index()) {
            Some(row) => *row,
            None => self.beyond.get(&entry.cell).copied().unwrap_or(0),
        };
        let row = if row == 0 { self.read_row(read, entry.cell) } else { row - 1 };
        let at = |tick: Tick| row * (self.until - self.now) + (tick.clamp(self.now, self.until) - self.now);
        let Span { start, end } = entry.span;
        Marks { begin: at(start), end: at(end.max(start)) }
    }

    /// Calls `each` for what others than `slot` hold of `marks`, with the first tick of it, as long as that returns
    /// `true`. Returns the mark for which it did not.
    #[inline]
    pub(crate) fn first_without(
        &self,
        marks: Marks,
        slot: Slot,
        mut each: impl FnMut(Holder, Tick) -> bool,
    ) -> Option<Mark> {
        let all = &self.marks[marks.begin as usize..marks.end as usize];
        let (mut last, mut at) = (FREE, 0);
        while let Some(found) = next_other(&all[at..], last) {
            at += found;
            last = all[at];
            #[allow(clippy::cast_possible_truncation)] // positions of marks have 32 bits
            let mark = Mark(marks.begin + at as u32);
            if let Some(holder) = self.holder(mark, slot)
                && !each(holder, self.now + mark.0 % (self.until - self.now))
            {
                return Some(mark);
            }
        }
        None
    }

    /// What another one than `slot` holds at `mark`.
    #[inline]
    pub(crate) fn holder(&self, mark: Mark, slot: Slot) -> Option<Holder> {
        // There is no holding of the number `FREE`.
        let holder = *self.holders.get(self.marks[mark.0 as usize] as usize)?;
        #[allow(clippy::cast_possible_truncation)] // slots have less than 32 bits
        let own = slot.index() as u32;
        if holder == FREE || holder & !FIXED == own {
            return None;
        }
        Some(if holder & FIXED == 0 { Holder::Slot(Slot::at(holder)) } else { Holder::Fixed })
    }

    /// Reads the row of `cell` from the store.
    #[cold]
    fn read_row(&mut self, read: (&Store, &Roster), cell: CellId) -> u32 {
        #[allow(clippy::cast_possible_truncation)] // there are no more rows than cells
        let row = self.cells.len() as u32;
        self.cells.push(cell);
        let one_more = row + 1;
        if let Some(known) = self.flat.get_mut(cell.index()) {
            *known = one_more;
        } else {
            self.beyond.insert(cell, one_more);
        }
        let begin = self.marks.len();
        self.marks.resize(begin + (self.until - self.now) as usize, FREE);
        self.read(read, begin, Entry { cell, span: Span::new(self.now, self.until) });
        row
    }

    /// Reads `entry` from the store into a row whose marks begin at `begin`.
    #[allow(clippy::cast_possible_truncation)] // slots have less than 31 bits
    fn read(&mut self, (store, roster): (&Store, &Roster), begin: usize, entry: Entry) {
        let (now, slots) = (self.now, self.holdings.len());
        store.for_each_holder(&entry, &mut |span, by, yields| {
            let row = &mut self.marks[begin..][(span.start - now) as usize..(span.end - now) as usize];
            let Some(slot) = roster.slot(by) else { return row.fill(2 * slots as u32) };
            let (_, free_at) = roster[slot].motion.free_at(now);
            let free_at = if yields { free_at.clamp(span.start, span.end) } else { span.end };
            let (stays, can_go) = row.split_at_mut((free_at - span.start) as usize);
            stays.fill((slot.index() + slots) as u32);
            can_go.fill(slot.index() as u32);
        });
    }

    /// Whether nobody but `slot` holds any of `entries`.
    pub(crate) fn is_free(&mut self, read: (&Store, &Roster), entries: &[Entry], slot: Slot) -> bool {
        entries.iter().all(|entry| {
            let marks = self.marks(read, entry);
            self.first_without(marks, slot, |_, _| false).is_none()
        })
    }

    /// The present position, to be [undone](Self::undo) to.
    pub(crate) fn position(&self) -> Undo {
        Undo(self.changes.len())
    }

    /// Makes `slot` give up its holding, but for what is fixed.
    pub(crate) fn lift(&mut self, slot: Slot) {
        self.holders[self.holdings[slot.index()] as usize] = FREE;
        self.changes.push(Change::Lift(slot));
    }

    /// Gives `all` to `slot`, which was [lifted](Self::lift). Nobody else may hold any of it.
    #[allow(clippy::cast_possible_truncation)] // slots and holdings have less than 32 bits
    pub(crate) fn take(&mut self, slot: Slot, all: &[Marks]) {
        let holding = self.holders.len() as u32;
        self.holders.push(slot.index() as u32);
        let before = std::mem::replace(&mut self.holdings[slot.index()], holding);
        self.changes.push(Change::Take { slot, before });
        for Marks { begin, end } in all {
            let marks = &mut self.marks[*begin as usize..*end as usize];
            self.changes.extend((*begin..).zip(&*marks).map(|(at, before)| Change::Mark { at, before: *before }));
            marks.fill(holding);
        }
    }

    /// Undoes all changes after `to`.
    pub(crate) fn undo(&mut self, to: Undo) {
        while self.changes.len() > to.0 {
            match self.changes.pop() {
                Some(Change::Mark { at, before }) => self.marks[at as usize] = before,
                Some(Change::Lift(slot)) => {
                    #[allow(clippy::cast_possible_truncation)] // slots have less than 32 bits
                    let own = slot.index() as u32;
                    self.holders[self.holdings[slot.index()] as usize] = own;
                }
                Some(Change::Take { slot, before }) => {
                    self.holders.pop();
                    self.holdings[slot.index()] = before;
                }
                None => return,
            }
        }
    }

    /// Keeps all changes.
    pub(crate) fn settle(&mut self) {
        self.changes.clear();
    }
}

/// The position of the first of `marks` that is neither [`FREE`] nor `last`. Most marks are, so they are compared eight
/// at a time.
#[inline]
fn next_other(marks: &[u32], last: u32) -> Option<usize> {
    let is_other = |mark: u32| mark != FREE && mark != last;
    let (blocks, _) = marks.as_chunks::<8>();
    let passed = blocks.iter().take_while(|block| !block.iter().fold(false, |any, mark| any | is_other(*mark))).count();
    let begin = 8 * passed;
    marks[begin..].iter().position(|mark| is_other(*mark)).map(|found| begin + found)
}
