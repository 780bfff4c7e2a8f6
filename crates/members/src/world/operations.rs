//! Operations: what units of a class can do from a node within a span of time, as shapes. Shapes are kept, within a
//! bound on memory, until the space changes.
//!
//! An operation is a wait, a number of whole moves, and then a rest up to the end of the span. Where moves go by the
//! clock, there are waits between them, too. Operations with *pauses* wait for a plain step once they have left the
//! place where they began.
//! Yukhnevich and Andreychuk, "Enhancing PIBT via Multi-Action Operations", 2025; here for moves of any duration.

mod joined;
mod written;

use std::hash::BuildHasher as _;
use std::ops::Range;
use std::sync::Arc;

use giveway_core::{Entry, NodeId, Tick, Ticks};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use self::joined::Joined;
use super::any_class::AnyClass;
use super::classes::World;
use crate::class_id::ClassId;
use crate::clock::Clock;
use crate::leg::Leg;

/// An operation has at most this many moves.
const MOST_MOVES: usize = 5;

/// There are at most this many operations from a node. Where they would be more, the first to go are pauses, then other
/// waits, then long operations.
const MOST: usize = 320;

/// Shapes take at most about this much memory, in bytes. Half of it is for shapes that were asked for lately, and half
/// for the generation before them, which is dropped as soon as the first half is full.
const MOST_BYTES: usize = 1 << 27;

/// Units are slow if moves take at least this many plain steps.
pub(super) const SLOW: Ticks = 2;

/// The number of entries that are looked at in the time of a unit of work: when places are counted or a list is made, and
/// in the lists of bodies. There the time goes into entries, elsewhere into moves.
const ENTRIES: usize = 6;
const ENTRIES_OF_BODIES: usize = 12;

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

/// Makes a list.
struct Maker<'c> {
    class: &'c dyn AnyClass,
    /// The last tick at which a move may end.
    latest: Tick,
    /// The end of the rests.
    end: Tick,
    /// When the span begins, if moves go by the clock.
    begin: Tick,
    /// Units wait for a plain step at a time.
    step: Ticks,
    /// Whether operations have pauses. Then a unit turns on the spot before it waits, and not afterwards.
    has_pauses: bool,
    /// The duration of the longest move seen.
    longest: Ticks,
    operations: Vec<Operation>,
    nodes: Vec<NodeId>,
    /// One for each operation.
    drafts: Vec<Draft>,
    entries: Vec<Entry>,
    /// By position in `nodes`: the moves from there as if begun at tick 0, from one position in `moves` until another;
    /// `None`: they were not asked for yet.
    moves_from: Vec<Option<Range<usize>>>,
    moves: Vec<Leg>,
}

/// What has to be known of an operation while a list is made.
struct Draft {
    moves: u32,
    /// The ticks that it waits between its moves.
    waits: Ticks,
    /// Whether it has left the place where it began.
    has_left: bool,
    /// Whether it has paused since then.
    has_paused: bool,
    /// What the last wait and the last move occupy: from one position until another. For the first operation, what
    /// standing there at the first tick occupies.
    way: Range<usize>,
    /// What the rest occupies.
    rest: Range<usize>,
}

/// What a maker has made.
struct Made {
    list: OperationList,
    longest: Ticks,
    /// Whether a unit occupies more than one cell where it stands.
    is_wide: bool,
    /// The units of work that it took.
    price: u64,
}

/// A move that may be added to an operation.
struct Candidate {
    /// The position of the operation.
    before: u32,
    leg: Leg,
    /// The ticks of all waits before moves.
    waits: Ticks,
    /// Whether there is a pause.
    has_paused: bool,
    is_on_the_spot: bool,
}

impl Maker<'_> {
    /// The list from `from`.
    fn list(mut self, from: NodeId) -> Made {
        let leg = Leg::resting(from, 0, 0);
        self.add(Candidate { before: 0, leg, waits: 0, has_paused: false, is_on_the_spot: true });
        let mut level = 0..1;
        for _ in 0..MOST_MOVES {
            let mut candidates: Vec<Candidate> = Vec::new();
            for before in level {
                self.go_on(before, &mut candidates);
            }
            candidates.sort_by_key(|candidate| (candidate.has_paused, candidate.waits));
            let known = self.operations.len();
            let room = MOST.saturating_sub(known);
            let at_once = candidates.iter().take_while(|candidate| candidate.waits == 0).count();
            // All ways of a length, or none: a unit that sees a part of them prefers one side.
            if candidates.is_empty() || known > 1 && at_once > room {
                break;
            }
            candidates.truncate(room);
            candidates.into_iter().for_each(|candidate| self.add(candidate));
            level = known..self.operations.len();
        }
        self.trace()
    }

    /// Adds to `candidates` the moves by which the operation at `before` can go on.
    fn go_on(&mut self, before: usize, candidates: &mut Vec<Candidate>) {
        let Operation { leg: last, end, .. } = self.operations[before];
        let Draft { waits, moves, has_left, has_paused, .. } = self.drafts[before];
        for position in self.moves_from(end as usize) {
            let leg = self.moves[position];
            self.longest = self.longest.max(leg.arrive);
            if self.has_been(before, leg.to) {
                continue;
            }
            let is_on_the_spot = self.has_pauses && self.is_on_the_spot(&leg);
            let most_waits = match () {
                () if is_on_the_spot => 0,
                () if self.has_pauses && !has_left => self.latest,
                () if self.has_pauses && !has_paused => self.step,
                () if moves == 0 => self.latest,
                // Once under way, it waits for the clock only.
                () => 0,
            };
            let mut wait = 0;
            while wait <= most_waits {
                let Some(begun) = self.departure(leg, last.arrive.saturating_add(wait)) else { break };
                let waited = begun.depart - last.arrive;
                let has_paused = has_paused || self.has_pauses && has_left && waited > 0;
                #[allow(clippy::cast_possible_truncation)] // there are few
                let before = before as u32;
                candidates.push(Candidate { before, leg: begun, waits: waits + waited, has_paused, is_on_the_spot });
                wait = waited.max(wait).saturating_add(self.step);
            }
        }
    }

    /// Where the moves from the node at `position` are in `moves`.
    #[inline]
    fn moves_from(&mut self, position: usize) -> Range<usize> {
        let Self { class, nodes, moves_from, moves, .. } = self;
        if moves_from.len() <= position {
            moves_from.resize(position + 1, None);
        }
        let known = moves_from[position].get_or_insert_with(|| {
            let begin = moves.len();
            class.for_each_move(nodes[position], 0, &mut |leg, _| moves.push(leg));
            begin..moves.len()
        });
        known.clone()
    }

    /// Whether `leg` is a turn on the spot.
    #[inline]
    fn is_on_the_spot(&self, leg: &Leg) -> bool {
        let position = |node| self.class.position(node);
        position(leg.from).is_some() && position(leg.from) == position(leg.to)
    }

    /// `leg`, begun as soon as it may begin from `from` on. `None`: it does not end in time.
    #[inline]
    fn departure(&self, leg: Leg, from: Tick) -> Option<Leg> {
        let in_time = (from..).map(|depart| leg.begun_at(depart)).take_while(|leg| leg.arrive <= self.latest);
        { in_time }.find(|leg| !self.class.must_wait(&leg.begun_at(self.begin.saturating_add(leg.depart))))
    }

    /// Whether the operation at `position` has been on `node`.
    #[inline]
    fn has_been(&self, position: usize, node: NodeId) -> bool {
        let mut at = position;
        loop {
            let Operation { before, leg, .. } = self.operations[at];
            if leg.to == node {
                return true;
            }
            if at == 0 {
                return false;
            }
            at = before as usize;
        }
    }

    #[allow(clippy::cast_possible_truncation)] // there are few
    fn add(&mut self, candidate: Candidate) {
        let Candidate { before, leg, waits, has_paused, is_on_the_spot } = candidate;
        let Self { class, operations, nodes, drafts, entries, .. } = self;
        let known = nodes.iter().position(|node| *node == leg.to);
        let end = known.unwrap_or_else(|| {
            nodes.push(leg.to);
            nodes.len() - 1
        }) as u32;
        let begin = entries.len();
        let earlier = operations.get(before as usize);
        let (moves, had_left) =
            drafts.get(before as usize).map_or((0, false), |earlier| (earlier.moves + 1, earlier.has_left));
        if let Some(earlier) = earlier.filter(|earlier| earlier.leg.arrive < leg.depart) {
            class.sweep(&Leg::resting(leg.from, earlier.leg.arrive, leg.depart), entries);
        }
        class.sweep(&leg, entries);
        let way = begin..entries.len();
        class.sweep(&Leg::resting(leg.to, leg.arrive, self.end), entries);
        let has_left = had_left || !is_on_the_spot;
        drafts.push(Draft { moves, waits, has_left, has_paused, rest: way.end..entries.len(), way });
        operations.push(Operation { before, leg, end, trace: 0, held: [0, 0] });
    }

    /// Finds out which operations occupy equal cells at equal ticks: for example, operations of one unit that differ
    /// only in the heading at the end.
    #[allow(clippy::cast_possible_truncation)] // there are few operations, and few entries for each
    fn trace(self) -> Made {
        let Self { mut operations, mut nodes, drafts, entries: parts, longest, .. } = self;
        // By a hash of what they occupy, the last trace with it; and by trace, where it is, and the one before it.
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        let mut all: Vec<([u32; 2], Option<u32>)> = Vec::new();
        let (mut entries, mut seen): (Vec<Entry>, _) = (Vec::new(), 0);
        let mut held: Vec<Entry> = Vec::new();
        let mut joined = Joined::new(&parts);
        for position in 0..operations.len() {
            let mut ways = [0; MOST_MOVES];
            let mut moves = 0;
            let mut at = position;
            while at > 0 {
                ways[moves] = at;
                moves += 1;
                at = operations[at].before as usize;
            }
            let ways = ways[..moves].iter().rev().map(|at| drafts[*at].way.clone());
            seen += joined.join(&parts, ways.chain([drafts[position].rest.clone()]), &mut held);
            let hash = FxBuildHasher.hash_one(&held);
            let mut trace = known.get(&hash).copied();
            while let Some(([begin, end], before)) = trace.map(|trace| all[trace as usize])
                && entries[begin as usize..end as usize] != held[..]
            {
                trace = before;
            }
            let trace = trace.unwrap_or_else(|| {
                let begin = entries.len() as u32;
                entries.extend_from_slice(&held);
                let new = all.len() as u32;
                all.push(([begin, entries.len() as u32], known.insert(hash, new)));
                new
            });
            (operations[position].trace, operations[position].held) = (trace, all[trace as usize].0);
        }
        let traces = all.len() as u32;
        operations.shrink_to_fit();
        nodes.shrink_to_fit();
        entries.shrink_to_fit();
        let first = drafts.first().map_or_else(Vec::new, |first| parts[first.way.clone()].to_vec());
        let stands = &entries[..all.first().map_or(0, |([_, end], _)| *end as usize)];
        let is_wide = stands.iter().any(|entry| entry.cell != stands[0].cell);
        let price = (seen / if is_wide { ENTRIES_OF_BODIES } else { ENTRIES }) as u64;
        Made { list: OperationList { operations, nodes, first, entries, traces }, longest, is_wide, price }
    }
}

/// A class, a node, the ticks of a span, its begin if moves go by the clock, and whether there are pauses.
type Key = (ClassId, NodeId, Ticks, Tick, bool);

/// The lists that were asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Operations {
    lists: FxHashMap<Key, Arc<OperationList>>,
    /// The memory of `lists`.
    bytes: usize,
    /// The generation before.
    older: FxHashMap<Key, Arc<OperationList>>,
    /// The revision of each class with lists.
    revisions: FxHashMap<ClassId, u64>,
    /// The duration of the longest move of all classes, as far as is known.
    longest: Ticks,
    /// Whether some unit occupies more than one cell where it rests, as far as is known.
    is_wide: bool,
    /// The revisions of all classes, and the room that units of any of them have there.
    room: Option<(Vec<u64>, usize)>,
}

impl Operations {
    /// Keeps `list` as one that was asked for lately.
    #[inline]
    fn keep(&mut self, key: Key, list: &Arc<OperationList>) {
        if self.bytes + list.bytes() > MOST_BYTES / 2 {
            self.older = std::mem::take(&mut self.lists);
            self.bytes = 0;
        }
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
        let latest = end.saturating_sub(1);
        let maker = Maker {
            class: space,
            latest,
            end,
            begin,
            step,
            has_pauses,
            longest: 0,
            operations: Vec::new(),
            nodes: Vec::new(),
            drafts: Vec::new(),
            entries: Vec::new(),
            moves_from: Vec::new(),
            moves: Vec::new(),
        };
        let Made { list, longest, is_wide, price } = maker.list(from);
        operations.longest = operations.longest.max(longest);
        let known = &mut longest_moves[class.0 as usize];
        *known = (*known).max(longest);
        operations.is_wide |= is_wide;
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
}
