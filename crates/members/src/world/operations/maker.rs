//! The maker of a list of operations.

use std::hash::BuildHasher as _;
use std::ops::Range;

use giveway_core::{Entry, NodeId, Tick, Ticks};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::joined::Joined;
use super::{ENTRIES, MOST_MOVES, Operation, OperationList};
use crate::leg::Leg;
use crate::world::any_class::AnyClass;

/// There are at most this many operations from a node. Where they would be more, the first to go are pauses, then other
/// waits, then long operations.
const MOST: usize = 320;

/// The number of entries that are looked at in the time of a unit of work in the lists of bodies: the time goes into
/// entries, and for points into moves.
const ENTRIES_OF_BODIES: usize = 12;

/// Makes a list.
pub(super) struct Maker<'c> {
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
    scratch: &'c mut Scratch,
}

/// The memory in which lists are made, one after the other: new memory for each would take a quarter of the time.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    operations: Vec<Operation>,
    nodes: Vec<NodeId>,
    /// One for each operation.
    drafts: Vec<Draft>,
    /// What moves and rests occupy.
    parts: Vec<Entry>,
    /// By position in `nodes`: the moves from there as if begun at tick 0, from one position in `moves` until another;
    /// `None`: they were not asked for yet.
    moves_from: Vec<Option<Range<usize>>>,
    moves: Vec<Leg>,
    candidates: Vec<Candidate>,
    /// What operations occupy, each once.
    entries: Vec<Entry>,
    /// What one operation occupies.
    held: Vec<Entry>,
    joined: Joined,
    /// By a hash of what they occupy, the last trace with it.
    known: FxHashMap<u64, u32>,
    /// By trace, where it is in `entries`, and the one before it with the same hash.
    traces: Vec<([u32; 2], Option<u32>)>,
}

impl Scratch {
    fn clear(&mut self) {
        self.operations.clear();
        self.nodes.clear();
        self.drafts.clear();
        self.parts.clear();
        self.moves_from.clear();
        self.moves.clear();
        self.candidates.clear();
        self.entries.clear();
        self.known.clear();
        self.traces.clear();
    }
}

/// What has to be known of an operation while a list is made.
#[derive(Debug)]
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
pub(super) struct Made {
    pub(super) list: OperationList,
    pub(super) longest: Ticks,
    /// Whether a unit occupies more than one cell where it stands.
    pub(super) is_wide: bool,
    /// Whether a wide unit occupies a part of the place that it has left, after one move.
    pub(super) has_overlaps: bool,
    /// The units of work that it took.
    pub(super) price: u64,
}

/// A move that may be added to an operation.
#[derive(Debug)]
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

impl<'c> Maker<'c> {
    /// Makes lists of units of `class` for a span that begins at `begin`, if moves go by the clock, and takes `end`
    /// ticks.
    pub(super) fn new(
        class: &'c dyn AnyClass,
        (begin, end): (Tick, Tick),
        step: Ticks,
        has_pauses: bool,
        scratch: &'c mut Scratch,
    ) -> Self {
        Self { class, latest: end.saturating_sub(1), end, begin, step, has_pauses, longest: 0, scratch }
    }

    /// The list from `from`.
    pub(super) fn list(mut self, from: NodeId) -> Made {
        self.scratch.clear();
        let leg = Leg::resting(from, 0, 0);
        self.add(Candidate { before: 0, leg, waits: 0, has_paused: false, is_on_the_spot: true });
        let mut level = 0..1;
        for _ in 0..MOST_MOVES {
            let mut candidates = std::mem::take(&mut self.scratch.candidates);
            for before in level {
                self.go_on(before, &mut candidates);
            }
            candidates.sort_by_key(|candidate| (candidate.has_paused, candidate.waits));
            let known = self.scratch.operations.len();
            let room = MOST.saturating_sub(known);
            let at_once = candidates.iter().take_while(|candidate| candidate.waits == 0).count();
            // All ways of a length, or none: a unit that sees a part of them prefers one side.
            if candidates.is_empty() || known > 1 && at_once > room {
                break;
            }
            candidates.truncate(room);
            candidates.drain(..).for_each(|candidate| self.add(candidate));
            self.scratch.candidates = candidates;
            level = known..self.scratch.operations.len();
        }
        self.trace()
    }

    /// Adds to `candidates` the moves by which the operation at `before` can go on.
    fn go_on(&mut self, before: usize, candidates: &mut Vec<Candidate>) {
        let Operation { leg: last, end, .. } = self.scratch.operations[before];
        let Draft { waits, moves, has_left, has_paused, .. } = self.scratch.drafts[before];
        for position in self.moves_from(end as usize) {
            let leg = self.scratch.moves[position];
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
        let Scratch { nodes, moves_from, moves, .. } = &mut *self.scratch;
        if moves_from.len() <= position {
            moves_from.resize(position + 1, None);
        }
        let known = moves_from[position].get_or_insert_with(|| {
            let begin = moves.len();
            self.class.for_each_move(nodes[position], 0, &mut |leg, _| moves.push(leg));
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
            let Operation { before, leg, .. } = self.scratch.operations[at];
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
        let class = self.class;
        let Scratch { operations, nodes, drafts, parts, .. } = &mut *self.scratch;
        let known = nodes.iter().position(|node| *node == leg.to);
        let end = known.unwrap_or_else(|| {
            nodes.push(leg.to);
            nodes.len() - 1
        }) as u32;
        let begin = parts.len();
        let earlier = operations.get(before as usize);
        let (moves, had_left) =
            drafts.get(before as usize).map_or((0, false), |earlier| (earlier.moves + 1, earlier.has_left));
        if let Some(earlier) = earlier.filter(|earlier| earlier.leg.arrive < leg.depart) {
            class.sweep(&Leg::resting(leg.from, earlier.leg.arrive, leg.depart), parts);
        }
        class.sweep(&leg, parts);
        let way = begin..parts.len();
        class.sweep(&Leg::resting(leg.to, leg.arrive, self.end), parts);
        let has_left = had_left || !is_on_the_spot;
        drafts.push(Draft { moves, waits, has_left, has_paused, rest: way.end..parts.len(), way });
        operations.push(Operation { before, leg, end, trace: 0, held: [0, 0] });
    }

    /// Finds out which operations occupy equal cells at equal ticks: for example, operations of one unit that differ
    /// only in the heading at the end.
    #[allow(clippy::cast_possible_truncation)] // there are few operations, and few entries for each
    fn trace(self) -> Made {
        let longest = self.longest;
        let Scratch { operations, nodes, drafts, parts, entries, held, joined, known, traces, .. } = self.scratch;
        let mut seen = 0;
        joined.begin(parts);
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
            seen += joined.join(parts, ways.chain([drafts[position].rest.clone()]), held);
            let hash = FxBuildHasher.hash_one(&*held);
            let mut trace = known.get(&hash).copied();
            while let Some(([begin, end], before)) = trace.map(|trace| traces[trace as usize])
                && entries[begin as usize..end as usize] != held[..]
            {
                trace = before;
            }
            let trace = trace.unwrap_or_else(|| {
                let begin = entries.len() as u32;
                entries.extend_from_slice(held);
                let new = traces.len() as u32;
                traces.push(([begin, entries.len() as u32], known.insert(hash, new)));
                new
            });
            (operations[position].trace, operations[position].held) = (trace, traces[trace as usize].0);
        }
        let first = drafts.first().map_or_else(Vec::new, |first| parts[first.way.clone()].to_vec());
        let stands = &entries[..traces.first().map_or(0, |([_, end], _)| *end as usize)];
        let is_wide = stands.iter().any(|entry| entry.cell != stands[0].cell);
        let overlaps = |draft: &Draft| {
            let mut rest = parts[draft.rest.clone()].iter();
            draft.moves == 1 && draft.has_left && rest.any(|entry| stands.iter().any(|held| held.cell == entry.cell))
        };
        let has_overlaps = is_wide && drafts.iter().any(overlaps);
        let price = (seen / if is_wide { ENTRIES_OF_BODIES } else { ENTRIES }) as u64;
        let list = OperationList {
            operations: operations.clone(),
            nodes: nodes.clone(),
            first,
            entries: entries.clone(),
            traces: traces.len() as u32,
        };
        Made { list, longest, is_wide, has_overlaps, price }
    }
}
