//! Moves: where units of each kind can go, and what that occupies, asked of the field once.

use std::ops::Range;

use giveway_core::{CellId, Entry, NodeId, Span};
use rustc_hash::FxHashMap;

use super::field::{Field, Step};

/// A node on which units of a kind can be, by number.
pub(super) type PlaceId = u32;

/// A step of units of a kind, by number.
pub(super) type ChoiceId = u32;

/// No number.
pub(super) const NONE: u32 = u32::MAX;

/// A cell that a step occupies, by number, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    pub(super) cell: u32,
    pub(super) span: Span,
}

/// A node on which units of a kind can be.
#[derive(Clone, Debug)]
struct Place {
    kind: u32,
    node: NodeId,
    /// The first choice is to stay. Empty until the place is explored.
    choices: Range<ChoiceId>,
}

/// A step of units of a kind.
#[derive(Clone, Debug)]
struct Choice {
    to: PlaceId,
    /// The position of the move among the moves out of its node. `None`: the unit stays.
    action: Option<u32>,
    holds: Range<u32>,
}

/// The places and choices of a field, numbered.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    numbers: FxHashMap<CellId, u32>,
    /// By number.
    cells: Vec<CellId>,
    place_of: FxHashMap<(u32, NodeId), PlaceId>,
    places: Vec<Place>,
    /// How many places are explored.
    explored: usize,
    choices: Vec<Choice>,
    holds: Vec<Hold>,
    /// Scratch.
    found: Vec<(NodeId, u32)>,
    entries: Vec<Entry>,
}

impl Moves {
    /// One more than the largest number of a cell, and of a place.
    #[inline]
    pub(super) fn bounds(&self) -> [usize; 2] {
        [self.cells.len(), self.places.len()]
    }

    /// The number of places whose choices are known.
    #[inline]
    pub(super) fn explored(&self) -> usize {
        self.explored
    }

    /// Forgets all places and choices, but not the memory that they took.
    pub(super) fn forget(&mut self) {
        let Self { numbers, cells, place_of, places, explored, choices, holds, .. } = self;
        *explored = 0;
        numbers.clear();
        cells.clear();
        place_of.clear();
        places.clear();
        choices.clear();
        holds.clear();
    }

    #[inline]
    pub(super) fn place(&mut self, kind: u32, node: NodeId) -> PlaceId {
        *self.place_of.entry((kind, node)).or_insert_with(|| {
            self.places.push(Place { kind, node, choices: 0..0 });
            number(self.places.len() - 1)
        })
    }

    #[inline]
    pub(super) fn node(&self, place: PlaceId) -> NodeId {
        self.places[place as usize].node
    }

    /// The choices at `place`; to stay is the first one.
    #[inline]
    pub(super) fn of<F: Field>(&mut self, field: &F, place: PlaceId) -> Range<ChoiceId> {
        let choices = &self.places[place as usize].choices;
        if choices.is_empty() { self.find(field, place) } else { choices.clone() }
    }

    /// Asks the field for the choices at `place`.
    fn find<F: Field>(&mut self, field: &F, place: PlaceId) -> Range<ChoiceId> {
        let Place { kind, node, .. } = self.places[place as usize];
        self.explored += 1;
        let (mut moves, mut entries) = (std::mem::take(&mut self.found), std::mem::take(&mut self.entries));
        moves.clear();
        field.moves(kind, node, &mut moves);
        let begin = number(self.choices.len());
        let stay = Step::stay(node);
        let steps = moves.iter().map(|(to, action)| Step { from: node, to: *to, action: Some(*action) });
        for step in std::iter::once(stay).chain(steps) {
            entries.clear();
            field.occupies(kind, step, &mut entries);
            if step.action.is_some() && field.is_blocked(&entries) {
                continue;
            }
            let first = number(self.holds.len());
            for entry in &entries {
                let next = number(self.cells.len());
                let cell = *self.numbers.entry(entry.cell).or_insert(next);
                if cell == next {
                    self.cells.push(entry.cell);
                }
                // Two entries of one cell that follow each other are one.
                match self.holds[first as usize..].iter_mut().find(|hold| hold.cell == cell) {
                    Some(hold) if hold.span.end >= entry.span.start && entry.span.end >= hold.span.start => {
                        hold.span = Span::new(hold.span.start.min(entry.span.start), hold.span.end.max(entry.span.end));
                    }
                    _ => self.holds.push(Hold { cell, span: entry.span }),
                }
            }
            let to = self.place(kind, step.to);
            let holds = first..number(self.holds.len());
            self.choices.push(Choice { to, action: step.action, holds });
        }
        (self.found, self.entries) = (moves, entries);
        let choices = begin..number(self.choices.len());
        self.places[place as usize].choices = choices.clone();
        choices
    }

    /// What a choice occupies.
    #[inline]
    pub(super) fn holds(&self, choice: ChoiceId) -> &[Hold] {
        let Range { start, end } = self.choices[choice as usize].holds;
        &self.holds[start as usize..end as usize]
    }

    /// What a choice occupies, as the field says it.
    #[inline]
    pub(super) fn entries(&self, choice: ChoiceId) -> impl Iterator<Item = Entry> {
        self.holds(choice).iter().map(|hold| Entry { cell: self.cells[hold.cell as usize], span: hold.span })
    }

    /// The place where a choice leads.
    #[inline]
    pub(super) fn end(&self, choice: ChoiceId) -> PlaceId {
        self.choices[choice as usize].to
    }

    /// The step of a choice from `place`.
    #[inline]
    pub(super) fn step(&self, place: PlaceId, choice: ChoiceId) -> Step {
        let Choice { to, action, .. } = self.choices[choice as usize];
        Step { from: self.node(place), to: self.node(to), action }
    }

    /// Whether a choice is a move.
    #[inline]
    pub(super) fn is_move(&self, choice: ChoiceId) -> bool {
        self.choices[choice as usize].action.is_some()
    }

    /// Whether two choices of different units exclude each other.
    #[inline]
    pub(super) fn conflict(&self, a: ChoiceId, b: ChoiceId) -> bool {
        let meet = |one: &Hold, other: &Hold| one.cell == other.cell && one.span.overlaps(other.span);
        self.holds(a).iter().any(|one| self.holds(b).iter().any(|other| meet(one, other)))
    }
}

/// All is numbered by 32 bits; memory ends before the numbers do.
#[inline]
pub(super) fn number(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}
