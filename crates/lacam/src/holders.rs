//! Holders: which units hold which cells, and when.

use giveway_core::Span;

use super::moves::{Hold, NONE};

/// Which units hold which cells, and when. What was noted last is taken back first, without looking at anything else.
#[derive(Clone, Debug, Default)]
pub(super) struct Holders {
    /// The last note of each cell, by its position.
    last: Vec<u32>,
    notes: Vec<Note>,
}

#[derive(Clone, Copy, Debug)]
struct Note {
    cell: u32,
    unit: u32,
    span: Span,
    /// The position of the note of the same cell before this one.
    before: u32,
}

impl Holders {
    /// Makes room for cells below `bound`.
    #[inline]
    pub(super) fn grow(&mut self, bound: usize) {
        self.last.resize(bound.max(self.last.len()), NONE);
    }

    /// How many notes there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.notes.len()
    }

    /// Notes that `unit` holds `holds`.
    #[inline]
    pub(super) fn note(&mut self, unit: u32, holds: &[Hold]) {
        for Hold { cell, span } in holds {
            let last = &mut self.last[*cell as usize];
            let before = *last;
            #[allow(clippy::cast_possible_truncation)] // notes are as few as cells
            let position = self.notes.len() as u32;
            *last = position;
            self.notes.push(Note { cell: *cell, unit, span: *span, before });
        }
    }

    /// Takes back all notes but the first `kept`.
    #[inline]
    pub(super) fn keep(&mut self, kept: usize) {
        while self.notes.len() > kept {
            if let Some(note) = self.notes.pop() {
                self.last[note.cell as usize] = note.before;
            }
        }
    }

    /// The units that hold part of `holds`.
    #[inline]
    pub(super) fn of<'h>(&'h self, holds: &'h [Hold]) -> impl Iterator<Item = u32> + 'h {
        holds.iter().flat_map(move |hold| {
            let note = |position: u32| self.notes.get(position as usize);
            let first = self.last.get(hold.cell as usize).and_then(|last| note(*last));
            let notes = std::iter::successors(first, move |later| note(later.before));
            notes.filter(move |note| note.span.overlaps(hold.span)).map(|note| note.unit)
        })
    }
}
