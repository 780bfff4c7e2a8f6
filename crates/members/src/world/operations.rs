//! Operations: what units of a class can do from a node within a span of time, as shapes. Shapes are kept, within a
//! bound on memory, until the space changes.
//!
//! An operation is a wait, a number of whole moves, and then a rest up to the end of the span. Where moves go by the
//! clock, there are waits between them, too. Operations with *pauses* wait for a plain step once they have left the
//! place where they began.
//! Yukhnevich and Andreychuk, "Enhancing PIBT via Multi-Action Operations", 2025; here for moves of any duration.

mod joined;
mod maker;
mod written;

use std::sync::Arc;

use giveway_core::{Entry, NodeId, Tick, Ticks};
use rustc_hash::{FxHashMap, FxHashSet};

use self::maker::{Made, Maker, Scratch};
use super::classes::World;
use crate::class_id::ClassId;
use crate::clock::Clock;
use crate::leg::Leg;

/// An operation has at most this many moves.
const MOST_MOVES: usize = 5;

/// Shapes take at most about this much memory, in bytes. Half of it is for shapes that were asked for lately, and half
/// for the generation before them. Once the first half is full, the generation before is given back, `GIVEN_BACK`
/// shapes with each new one; until then there may be half as much memory more.
const MOST_BYTES: usize = 1 << 27;
const GIVEN_BACK: usize = 2;

/// Units are slow if moves take at least this many plain steps.
pub(super) const SLOW: Ticks = 2;

/// The number of entries that are looked at in the time of a unit of work.
const ENTRIES: usize = 6;

/// All operations from one node within one span of time, as if the span began at tick 0.
///
/// They are a tree: each operation but the first is another one with one more move.
#[derive(Debug)]
pub struct OperationList {
    operations: Vec<Operation>,
    /// All nodes that operations come to, each once; the first one is the node where they begin.
    nodes: Vec<NodeId>,
    /// What a unit occupies at the first tick if it only then comes to the first node.
    first: Vec<Entry>,
    /// What operations occupy, one trace after the other: by the first tick, and each cell and tick once.
    entries: Vec<Entry>,
    /// How many different things there are to occupy.
    traces: u32,
}

/// An operation: another one without its rest, a wait, a move, and a rest until the end of the span.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// The position of the operation that this one goes on from. The first one of a list has no move, and names itself.
    pub before: u32,
    /// The last move; for the first operation, a rest of no ticks.
    pub leg: Leg,
    /// The position of the node where the operation ends.
    pub end: u32,
    /// Operations with equal traces occupy the same.
    pub trace: u32,
    /// What it occupies: from one position until another.
    held: [u32; 2],
}

impl OperationList {
    /// The operations, each after the one that it goes on from. The first one is to stand.
    #[inline]
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// All nodes that operations come to; the first one is the node where they begin.
    #[inline]
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// One more than the largest trace.
    #[inline]
    pub fn traces(&self) -> usize {
        self.traces as usize
    }

    /// Everything that `operation` occupies, in two parts. `comes`: the unit comes to the first node as the span
    /// begins, so that it occupies that, too.
    #[inline]
    pub fn entries(&self, operation: u32, comes: bool) -> [&[Entry]; 2] {
        let [from, to] = self.operations[operation as usize].held;
        [if comes { &self.first } else { &[] }, &self.entries[from as usize..to as usize]]
    }

    /// The legs of `operation`, begun at `depart`, until `until`: the last one is the rest.
    pub fn legs(&self, operation: u32, depart: Tick, until: Tick) -> Vec<Leg> {
        let mut legs = Vec::with_capacity(MOST_MOVES + 2);
        let mut at = operation;
        while at > 0 {
            let Operation { leg, before, .. } = self.operations[at as usize];
            legs.push(leg.begun_at(depart.saturating_add(leg.depart)));
            let waits_from = self.operations[before as usize].leg.arrive;
            if waits_from < leg.depart {
                let [from, to] = [waits_from, leg.depart].map(|tick| depart.saturating_add(tick));
                legs.push(Leg::resting(leg.from, from, to));
            }
            at = before;
        }
        legs.reverse();
        let end = self.operations[operation as usize].leg;
        legs.push(Leg::resting(end.to, depart.saturating_add(end.arrive), until));
        legs
    }

    #[inline]
    fn bytes(&self) -> usize {
        let Self { operations, nodes, first, entries, .. } = self;
        let of_entries = size_of_val(&first[..]) + size_of_val(&entries[..]);
        size_of_val(&operations[..]) + size_of_val(&nodes[..]) + of_entries
    }
}

/// A class, a node, the ticks of a span, its begin if moves go by the clock, and whether there are pauses.
type Key = (ClassId, NodeId, Ticks, Tick, bool);

/// The lists that were asked for.
#[derive(Debug, Default)]
pub(super) struct Operations {
    lists: FxHashMap<Key, Arc<OperationList>>,
    /// The memory of `lists`.
    bytes: usize,
    /// The generation before.
    older: FxHashMap<Key, Arc<OperationList>>,
    /// What is given back, a few lists at a time: to give back a generation takes some milliseconds.
    gone: Vec<Arc<OperationList>>,
    /// The revision of each class with lists.
    revisions: FxHashMap<ClassId, u64>,
    /// The duration of the longest move of all classes, as far as is known.
    longest: Ticks,
    /// Whether some unit occupies more than one cell where it rests, as far as is known.
    is_wide: bool,
    /// Whether some such unit occupies a part of the place that it has left, after one move, as far as is known.
    has_overlaps: bool,
    /// The revisions of all classes, and the room that units of any of them have there.
    room: Option<(Vec<u64>, usize)>,
    /// The memory in which lists are made.
    scratch: Scratch,
}

/// A clone has no scratch, and nothing to give back.
impl Clone for Operations {
    fn clone(&self) -> Self {
        let Self { lists, bytes, older, revisions, longest, is_wide, has_overlaps, room, gone: _, scratch: _ } = self;
        Self {
            lists: lists.clone(),
            bytes: *bytes,
            older: older.clone(),
            gone: Vec::new(),
            revisions: revisions.clone(),
            longest: *longest,
            is_wide: *is_wide,
            has_overlaps: *has_overlaps,
            room: room.clone(),
            scratch: Scratch::default(),
        }
    }
}

impl Operations {
    /// Keeps `list` as one that was asked for lately.
    #[inline]
    fn keep(&mut self, key: Key, list: &Arc<OperationList>) {
        if self.bytes + list.bytes() > MOST_BYTES / 2 {
            let gone = std::mem::replace(&mut self.older, std::mem::take(&mut self.lists));
            self.gone = gone.into_values().collect();
            self.bytes = 0;
        }
        self.gone.truncate(self.gone.len().saturating_sub(GIVEN_BACK));
        self.bytes += list.bytes();
        self.lists.insert(key, Arc::clone(list));
    }
}

impl World<'_> {
    /// What units of `class` can do from `from` between `depart` and `until`, with pauses or without; and the units of
    /// work that this took.
    pub fn operations(
        &mut self,
        class: ClassId,
        from: NodeId,
        depart: Tick,
        until: Tick,
        has_pauses: bool,
    ) -> (Arc<OperationList>, u64) {
        let step = self.ticks_per_step();
        let Self { classes, operations, longest_moves, .. } = self;
        let space = &*classes[class.0 as usize];
        let revision = space.revision();
        if operations.revisions.insert(class, revision).is_some_and(|known| known != revision) {
            operations.lists.clear();
            operations.older.clear();
            operations.bytes = 0;
        }
        let period = space.period();
        let begin = if period > 1 { depart % period } else { 0 };
        let end = until.saturating_sub(depart);
        let key = (class, from, end, begin, has_pauses);
        if let Some(known) = operations.lists.get(&key) {
            return (Arc::clone(known), 0);
        }
        if let Some(known) = operations.older.remove(&key) {
            operations.keep(key, &known);
            return (known, 0);
        }
        let maker = Maker::new(space, (begin, end), step, has_pauses, &mut operations.scratch);
        let Made { list, longest, is_wide, has_overlaps, price } = maker.list(from);
        operations.longest = operations.longest.max(longest);
        let known = &mut longest_moves[class.0 as usize];
        *known = (*known).max(longest);
        operations.is_wide |= is_wide;
        operations.has_overlaps |= has_overlaps;
        let list = Arc::new(list);
        operations.keep(key, &list);
        (list, price)
    }

    /// The number of units that fit the places of all classes at a time, one beside the other, at most; and the units
    /// of work that it took to count.
    pub fn room(&mut self) -> (usize, u64) {
        let revisions: Vec<u64> = self.classes.iter().map(|class| class.revision()).collect();
        if let Some((known, room)) = &self.operations.room
            && *known == revisions
        {
            return (*room, 0);
        }
        let (mut cells, mut each, mut seen) = (FxHashSet::default(), usize::MAX, 0);
        for class in &self.classes {
            for node in NodeId::below(class.node_bound()).filter(|node| class.contains(*node)) {
                let room = class.room(node, 0, 1);
                seen += room.len();
                each = each.min(room.len().max(1));
                cells.extend(room.iter().map(|entry| entry.cell));
            }
        }
        let room = cells.len() / each;
        self.operations.room = Some((revisions, room));
        (room, (seen / ENTRIES) as u64)
    }

    /// The duration of the longest move of all classes, as far as lists of operations have told.
    #[inline]
    pub fn longest_move(&self) -> Ticks {
        self.operations.longest
    }

    /// Whether some moves take at least twice as long as plain steps, as far as lists of operations have told.
    #[inline]
    pub fn has_slow_units(&self, clock: Clock) -> bool {
        self.longest_move() >= clock.ticks(SLOW)
    }

    /// Whether some unit occupies more than one cell where it rests, as far as lists of operations have told.
    #[inline]
    pub fn has_wide_units(&self) -> bool {
        self.operations.is_wide
    }

    /// Whether some unit that occupies more than one cell has not left all of its place after one move, as far as lists
    /// of operations have told.
    #[inline]
    pub fn has_overlapping_moves(&self) -> bool {
        self.operations.has_overlaps
    }
}
