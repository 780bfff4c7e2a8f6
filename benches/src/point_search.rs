//! Space-time A* for points alone: the yardstick for what the generic footprint costs a point.

use std::collections::HashSet;

use giveway::footprint::{CellId, Entry};
use giveway::heuristic::Heuristic;
use giveway::search::{Cost, Fuel};
use giveway::spaces::{Connectivity, Direction, Grid};
use giveway::store::Claim;
use giveway::time::{Span, Tick};
use giveway::{NodeId, ReservationStore, SpaceGraph};

/// Space-time A* on a square grid for points that take one tick for every move, under the swap rule, to one goal and to
/// stay there. It knows of no footprint, no layer, no horizon, no fuel and no observer; `DIAGONALS`: the grid is
/// eight-connected.
///
/// It expands the states that [`SpaceTimeSearch`](giveway::search::SpaceTimeSearch) expands, in the same order:
/// smallest f, then largest g, then the newest. It expands them in part, too: a state comes back when the f of its next
/// moves is due. Its memory is used again from search to search.
#[derive(Debug)]
pub struct PointSearch<const DIAGONALS: bool> {
    /// The first crossing's cell: there is one place per node.
    places: u32,
    /// By direction, what is to be added to (crossings per node) x (node left) to have the number of the crossing,
    /// wrapping.
    crossings: [u32; 8],
    states: Vec<State>,
    /// The moves from each node that was expanded.
    moves: Vec<Onward>,
    open: Buckets,
    reached: Reached,
    expanded: u64,
}

/// A query to a [`PointSearch`].
#[derive(Clone, Copy, Debug)]
pub struct PointQuery {
    /// Who asks.
    pub claim: Claim,
    /// Where the point is.
    pub start: NodeId,
    /// When it may set out.
    pub depart: Tick,
    /// Where it wants to stay.
    pub goal: NodeId,
}

#[derive(Clone, Copy, Debug)]
struct State {
    node: NodeId,
    tick: Tick,
    /// The slot it was reached from; its own for the start.
    parent: u32,
    g: u32,
    h: u32,
    /// The f up to which its successors are known; [`NEW`] until it has been expanded.
    done: u32,
}

/// A move, and the distance from its end.
#[derive(Clone, Copy, Debug)]
struct Onward {
    to: NodeId,
    crossing: u32,
    cost: u32,
    h: u32,
}

const STEP: u32 = <u32 as Cost>::STEP;
const NEW: u32 = u32::MAX;

/// On the open list, the mark of a state as it is after waiting.
const WAITS: u32 = 1 << 31;

impl<const DIAGONALS: bool> PointSearch<DIAGONALS> {
    /// How many crossings a grid numbers for each of its nodes.
    const KINDS: u32 = if DIAGONALS { 3 } else { 2 };
    /// All costs are multiples of it: of 1000; of 1000 and 1414.
    const UNIT: u32 = if DIAGONALS { 2 } else { STEP };

    /// A search on `grid`.
    ///
    /// # Panics
    /// The grid has other neighbours than the type says.
    pub fn new(grid: &Grid) -> Self {
        assert_eq!(DIAGONALS, grid.connectivity() == Connectivity::Eight, "the type says which neighbours there are");
        let crossing = |direction: Direction| {
            let (back, kind) = match direction {
                Direction::East => (0, 0),
                Direction::South => (0, 1),
                Direction::West => (1, 0),
                Direction::North => (grid.width(), 1),
                Direction::SouthEast => (0, 2),
                Direction::SouthWest => (1, 2),
                Direction::NorthEast => (grid.width(), 2),
                Direction::NorthWest => (grid.width() + 1, 2),
            };
            (back * Self::KINDS).wrapping_neg().wrapping_add(kind)
        };
        Self {
            places: u32::try_from(grid.node_bound()).expect("ids have 32 bits"),
            crossings: Direction::ALL.map(crossing),
            states: Vec::new(),
            moves: Vec::new(),
            open: Buckets::default(),
            reached: Reached::new(grid.node_bound()),
            expanded: 0,
        }
    }

    /// How many states have been expanded for the last question.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Where the point is at each tick of a cheapest path, from the departure until it is on the goal for good. `None`:
    /// there is no path.
    ///
    /// Costs, and so `distances`, belong to the plain grid; waiting for a tick costs a plain step.
    pub fn find<R: ReservationStore>(
        &mut self,
        grid: &Grid,
        store: &R,
        query: PointQuery,
        distances: &mut impl Heuristic<Grid>,
    ) -> Option<Vec<NodeId>> {
        let PointQuery { claim, start, depart, goal } = query;
        let settled = store.settled_from();
        let free = |cell: u32, span: Span| store.permits(&Entry { cell: CellId(cell), span }, claim);
        self.states.clear();
        self.moves.clear();
        self.reached.clear();
        self.expanded = 0;

        let h = distances.estimate(grid, start, &mut Fuel::unlimited()).ok()??;
        self.open.clear(h);
        let first = State { node: start, tick: depart, parent: 0, g: 0, h, done: NEW };
        self.add(first, settled);
        while let Some(slot) = self.open.pop::<DIAGONALS>() {
            let due = self.open.f::<DIAGONALS>();
            let state = self.states[(slot & !WAITS) as usize];
            let arrive = state.tick + 1;
            if slot & WAITS != 0 {
                self.wait(slot & !WAITS, settled, &free);
                continue;
            }
            let is_new = state.done == NEW;
            if is_new {
                self.expanded += 1;
                if state.node == goal && free(goal.0, Span::endless(state.tick)) {
                    return Some(self.path_to(slot));
                }
            } else if state.done >= due {
                continue;
            }
            let mut next = None;
            for index in self.moves_from(grid, state.node, distances)? {
                let Onward { to, crossing, cost, h } = self.moves[index];
                let f = state.g + cost + h;
                if f > due {
                    if next.is_none_or(|(least, _)| f < least) {
                        next = Some((f, state.g + cost));
                    }
                } else if (is_new || f > state.done)
                    && !self.reached.contains(to, arrive.min(settled))
                    && free(to.0, Span::tick(arrive))
                    && free(crossing, Span::tick(state.tick))
                {
                    self.add(State { node: to, tick: arrive, parent: slot, g: state.g + cost, h, done: NEW }, settled);
                }
            }
            if is_new && state.tick < settled && !self.reached.contains(state.node, arrive.min(settled)) {
                // A plain step more than f, which is due.
                self.open.push::<DIAGONALS>(state.g + STEP + state.h, state.g + STEP, slot | WAITS);
            }
            self.states[slot as usize].done = due;
            if let Some((f, g)) = next {
                self.open.push::<DIAGONALS>(f, g, slot);
            }
        }
        None
    }

    /// The places in `moves` of the moves from `node`.
    #[inline]
    fn moves_from(
        &mut self,
        grid: &Grid,
        node: NodeId,
        distances: &mut impl Heuristic<Grid>,
    ) -> Option<std::ops::Range<usize>> {
        let [begin, end] = self.reached.records[node.index()].moves;
        if begin < end {
            return Some(begin as usize..end as usize);
        }
        let begin = self.moves.len();
        let first_crossing = self.places.wrapping_add(node.0.wrapping_mul(Self::KINDS));
        for m in grid.moves(node) {
            let crossing = first_crossing.wrapping_add(self.crossings[m.action as usize]);
            if let Some(h) = distances.estimate(grid, m.to, &mut Fuel::unlimited()).ok()? {
                self.moves.push(Onward { to: m.to, crossing, cost: m.cost, h });
            }
        }
        let place = begin..self.moves.len();
        self.reached.records[node.index()].moves =
            [begin, place.end].map(|place| u32::try_from(place).expect("memory for 2^32 moves"));
        Some(place)
    }

    /// Adds the state at `slot` a tick later. That the point may be there now was asked when it came.
    fn wait(&mut self, slot: u32, settled: Tick, free: &impl Fn(u32, Span) -> bool) {
        let state = self.states[slot as usize];
        let arrive = state.tick + 1;
        if !self.reached.contains(state.node, arrive.min(settled)) && free(state.node.0, Span::tick(arrive)) {
            let child = State { tick: arrive, parent: slot, g: state.g + STEP, done: NEW, ..state };
            self.add(child, settled);
        }
    }

    /// Puts a state that was not reached before on the open list.
    #[inline]
    fn add(&mut self, state: State, settled: Tick) {
        let slot = u32::try_from(self.states.len()).expect("memory for 2^32 states");
        self.reached.insert(state.node, state.tick.min(settled));
        self.states.push(state);
        self.open.push::<DIAGONALS>(state.g + state.h, state.g, slot);
    }

    /// The nodes from the start to the state at `slot`: there is a state per tick.
    fn path_to(&self, slot: u32) -> Vec<NodeId> {
        let begin = self.states[0].tick;
        let mut state = &self.states[slot as usize];
        let mut nodes = vec![state.node; (state.tick - begin) as usize + 1];
        for node in nodes.iter_mut().rev() {
            *node = state.node;
            state = &self.states[state.parent as usize];
        }
        nodes
    }
}

/// The open list: a bucket for each value of f. That of the least one is kept in order, larger g first and then the
/// newer state; the others are put into order when it is their turn.
///
/// Distances are true ones: f never falls.
#[derive(Debug, Default)]
struct Buckets {
    /// The f of the first bucket.
    least: u32,
    /// The present bucket.
    turn: usize,
    /// The entries of the present bucket when its turn came: g and slot in one number, ascending.
    present: Vec<u64>,
    /// The entries added since, ascending.
    fresh: Vec<u64>,
    /// One more than the last link of each other bucket; 0: it is empty.
    last: Vec<u32>,
    /// Which of them are not empty, a bit each.
    occupied: Vec<u64>,
    /// The contents of the buckets: g and slot, and one more than the link before.
    links: Vec<(u64, u32)>,
}

impl Buckets {
    /// Empties all; nothing that is put in from now on has a smaller f than `least`.
    fn clear(&mut self, least: u32) {
        for (word, buckets) in self.occupied.iter_mut().zip(self.last.chunks_exact_mut(64)) {
            if std::mem::take(word) != 0 {
                buckets.fill(0);
            }
        }
        self.least = least;
        self.turn = 0;
        self.present.clear();
        self.fresh.clear();
        self.links.clear();
    }

    #[inline]
    fn push<const DIAGONALS: bool>(&mut self, f: u32, g: u32, slot: u32) {
        let bucket = ((f - self.least) / PointSearch::<DIAGONALS>::UNIT) as usize;
        let key = u64::from(g) << 32 | u64::from(slot);
        if bucket == self.turn {
            match self.fresh.last() {
                Some(last) if *last > key => {
                    let place = self.fresh.partition_point(|before| *before < key);
                    self.fresh.insert(place, key);
                }
                _ => self.fresh.push(key),
            }
            return;
        }
        if bucket >= self.last.len() {
            self.grow(bucket);
        }
        self.links.push((key, self.last[bucket]));
        self.last[bucket] = u32::try_from(self.links.len()).expect("memory for 2^32 links");
        self.occupied[bucket / 64] |= 1 << (bucket % 64);
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the lower half is the slot")]
    fn pop<const DIAGONALS: bool>(&mut self) -> Option<u32> {
        if self.present.is_empty() && self.fresh.is_empty() {
            self.next_bucket();
        }
        let next = if self.fresh.last() > self.present.last() { &mut self.fresh } else { &mut self.present };
        next.pop().map(|key| key as u32)
    }

    /// The f of the state that was popped last.
    #[inline]
    fn f<const DIAGONALS: bool>(&self) -> u32 {
        let turn = u32::try_from(self.turn).expect("f has 32 bits");
        self.least + turn * PointSearch::<DIAGONALS>::UNIT
    }

    #[inline(never)]
    fn next_bucket(&mut self) {
        let from = self.turn / 64;
        let Some(word) = self.occupied.iter().skip(from).position(|word| *word != 0).map(|skipped| from + skipped)
        else {
            return;
        };
        self.turn = word * 64 + self.occupied[word].trailing_zeros() as usize;
        self.occupied[word] &= self.occupied[word] - 1;
        let mut next = std::mem::take(&mut self.last[self.turn]);
        while let Some(link) = next.checked_sub(1) {
            let (key, before) = self.links[link as usize];
            self.present.push(key);
            next = before;
        }
        self.present.sort_unstable();
    }

    #[cold]
    fn grow(&mut self, bucket: usize) {
        let words = (bucket / 64 + 1).next_power_of_two();
        self.occupied.resize(words, 0);
        self.last.resize(words * 64, 0);
    }
}

/// The nodes that were reached, and when.
#[derive(Debug)]
struct Reached {
    records: Vec<Record>,
    /// The nodes whose records are in use.
    used: Vec<NodeId>,
    /// Ticks that do not fit into a record: few.
    others: HashSet<(NodeId, Tick)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Record {
    /// A bit for each of 64 ticks from `first` on; 0: the node was not reached.
    ticks: u64,
    first: Tick,
    /// The begin and the end of its moves; equal: they are not listed.
    moves: [u32; 2],
}

/// The first tick of a record is so long before that at which the node was reached first.
const BEFORE: Tick = 16;

impl Reached {
    fn new(bound: usize) -> Self {
        Self { records: vec![Record::default(); bound], used: Vec::new(), others: HashSet::new() }
    }

    fn clear(&mut self) {
        for node in self.used.drain(..) {
            self.records[node.index()] = Record::default();
        }
        self.others.clear();
    }

    #[inline]
    fn contains(&self, node: NodeId, tick: Tick) -> bool {
        let record = &self.records[node.index()];
        if record.ticks == 0 {
            return false;
        }
        let after = tick.wrapping_sub(record.first);
        if after < u64::BITS { record.ticks >> after & 1 == 1 } else { self.others.contains(&(node, tick)) }
    }

    #[inline]
    fn insert(&mut self, node: NodeId, tick: Tick) {
        let record = &mut self.records[node.index()];
        if record.ticks == 0 {
            record.first = tick.saturating_sub(BEFORE);
            self.used.push(node);
        }
        let after = tick.wrapping_sub(record.first);
        if after < u64::BITS {
            record.ticks |= 1 << after;
        } else {
            self.others.insert((node, tick));
        }
    }
}
