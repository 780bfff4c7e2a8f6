//! Space-time A* for points alone: the yardstick for what the generic footprint costs a point.

use giveway::footprint::{CellId, Entry};
use giveway::heuristic::Heuristic;
use giveway::search::{Cost, Fuel};
use giveway::spaces::{Connectivity, Direction, Grid};
use giveway::store::Claim;
use giveway::time::{Span, Tick};
use giveway::{NodeId, ReservationStore, SpaceGraph};

/// Space-time A* on a square grid for points that take one tick for every move, under the swap rule, to one goal and to stay
/// there. It knows of no footprint, no layer, no horizon, no fuel and no observer; `DIAGONALS`: the grid is eight-connected.
///
/// It expands the states that [`SpaceTimeSearch`](giveway::search::SpaceTimeSearch) expands, in the same order: smallest f, then
/// largest g, then the newest. Its memory is used again from search to search.
#[derive(Debug)]
pub struct PointSearch<const DIAGONALS: bool> {
    /// The first crossing's cell: there is one place per node.
    places: u32,
    /// By direction, what is to be added to (crossings per node) x (node left) to have the number of the crossing, wrapping.
    crossings: [u32; 8],
    states: Vec<State>,
    open: Buckets,
    seen: Seen,
    expanded: u64,
}

/// What is asked of a [`PointSearch`].
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
    /// The distance that is left, or [`CLOSED`] once it has been expanded.
    h: u32,
}

const STEP: u32 = <u32 as Cost>::STEP;
const CLOSED: u32 = u32::MAX;

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
            open: Buckets::default(),
            seen: Seen::new(),
            expanded: 0,
        }
    }

    /// How many states have been expanded for the last question.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Where the point is at each tick of a cheapest path, from the departure until it is on the goal for good. `None`: there is
    /// no path.
    ///
    /// Costs, and so `distances`, are those of the plain grid; waiting for a tick costs a plain step.
    pub fn find<R: ReservationStore>(
        &mut self,
        grid: &Grid,
        store: &R,
        query: PointQuery,
        distances: &mut impl Heuristic<Grid>,
    ) -> Option<Vec<NodeId>> {
        let PointQuery { claim, start, depart, goal } = query;
        let fuel = &mut Fuel::unlimited();
        let settled = store.settled_from();
        let free = |cell: u32, span: Span| store.permits(&Entry { cell: CellId(cell), span }, claim);
        self.states.clear();
        self.seen.clear();
        self.expanded = 0;

        let h = distances.estimate(grid, start, fuel).ok()??;
        self.open.clear(h);
        self.states.push(State { node: start, tick: depart, parent: 0, g: 0, h });
        if let Err(vacancy) = self.seen.find(start, depart.min(settled)) {
            self.seen.insert(vacancy, 0);
        }
        self.open.push::<DIAGONALS>(h, 0, 0);
        while let Some(slot) = self.open.pop::<DIAGONALS>() {
            let state = self.states[slot as usize];
            if state.h == CLOSED {
                continue;
            }
            self.expanded += 1;
            if state.node == goal && free(goal.0, Span::endless(state.tick)) {
                return Some(self.path_to(slot));
            }
            self.states[slot as usize].h = CLOSED;
            let arrive = state.tick + 1;
            let first_crossing = self.places.wrapping_add(state.node.0.wrapping_mul(Self::KINDS));
            for m in grid.moves(state.node) {
                let crossing = first_crossing.wrapping_add(self.crossings[m.action as usize]);
                let permitted = || free(m.to.0, Span::tick(arrive)) && free(crossing, Span::tick(state.tick));
                let child = State { node: m.to, tick: arrive, parent: slot, g: state.g + m.cost, h: 0 };
                self.offer(child, settled, permitted, || distances.estimate(grid, m.to, fuel).ok()?);
            }
            if state.tick < settled {
                // That it may be here now was asked when it came.
                let child = State { tick: arrive, parent: slot, g: state.g + STEP, ..state };
                self.offer(child, settled, || free(state.node.0, Span::tick(arrive)), || Some(state.h));
            }
        }
        None
    }

    /// Puts `child` on the open list if it is new or better than before, and permitted.
    #[inline]
    fn offer(
        &mut self,
        mut child: State,
        settled: Tick,
        permitted: impl FnOnce() -> bool,
        distance: impl FnOnce() -> Option<u32>,
    ) {
        match self.seen.find(child.node, child.tick.min(settled)) {
            Ok(known) => {
                // Without diagonals the cost is the time, as long as times are told apart.
                if !DIAGONALS && child.tick < settled {
                    return;
                }
                let State { g, h, .. } = self.states[known as usize];
                if child.g < g && h != CLOSED && permitted() {
                    child.h = h;
                    self.states[known as usize] = child;
                    self.open.push::<DIAGONALS>(child.g + h, child.g, known);
                }
            }
            Err(vacancy) => {
                if !permitted() {
                    return;
                }
                let Some(h) = distance() else {
                    return;
                };
                child.h = h;
                let slot = u32::try_from(self.states.len()).expect("memory for 2^32 states");
                self.seen.insert(vacancy, slot);
                self.states.push(child);
                self.open.push::<DIAGONALS>(child.g + h, child.g, slot);
            }
        }
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

/// The open list: a bucket for each value of f. That of the least one is kept in order, larger g first and then the newer
/// state; the others are put into order when it is their turn.
///
/// Distances are true ones: f never falls.
#[derive(Debug, Default)]
struct Buckets {
    /// The f of the first bucket.
    least: u32,
    /// The bucket whose turn it is.
    turn: usize,
    /// What is in it: g and slot in one number, ascending.
    present: Vec<u64>,
    /// One more than the last link of each other bucket; 0: it is empty.
    last: Vec<u32>,
    /// Which of them are not empty, a bit each.
    occupied: Vec<u64>,
    /// What is in them: g and slot, and one more than the link before.
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
        self.links.clear();
    }

    #[inline]
    fn push<const DIAGONALS: bool>(&mut self, f: u32, g: u32, slot: u32) {
        let bucket = ((f - self.least) / PointSearch::<DIAGONALS>::UNIT) as usize;
        let key = u64::from(g) << 32 | u64::from(slot);
        if bucket == self.turn {
            match self.present.last() {
                Some(last) if *last > key => {
                    let place = self.present.partition_point(|before| *before < key);
                    self.present.insert(place, key);
                }
                _ => self.present.push(key),
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
        if self.present.is_empty() {
            self.next_bucket();
        }
        self.present.pop().map(|key| key as u32)
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

/// The states that have been seen: (node, tick) -> slot. Open addressing; what is of an older generation is vacant.
#[derive(Debug)]
struct Seen {
    buckets: Vec<Bucket>,
    /// Never 0, so that zeroed buckets are vacant.
    generation: u32,
    len: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Bucket {
    node: u32,
    tick: Tick,
    generation: u32,
    slot: u32,
}

/// Where a state that has not been seen would go.
struct Vacancy {
    node: NodeId,
    tick: Tick,
    bucket: usize,
}

impl Seen {
    fn new() -> Self {
        Self { buckets: vec![Bucket::default(); 1024], generation: 1, len: 0 }
    }

    fn clear(&mut self) {
        self.len = 0;
        self.generation = self.generation.checked_add(1).expect("fewer than 2^32 searches");
    }

    /// The slot of the state, or where to put it.
    #[inline]
    fn find(&self, node: NodeId, tick: Tick) -> Result<u32, Vacancy> {
        let mask = self.buckets.len() - 1;
        let key = u64::from(node.0) << 32 | u64::from(tick);
        #[allow(clippy::cast_possible_truncation, reason = "the shift leaves 32 bits")]
        let mut bucket = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
        loop {
            let found = &self.buckets[bucket];
            if found.generation != self.generation {
                return Err(Vacancy { node, tick, bucket });
            }
            if found.node == node.0 && found.tick == tick {
                return Ok(found.slot);
            }
            bucket = (bucket + 1) & mask;
        }
    }

    #[inline]
    fn insert(&mut self, vacancy: Vacancy, slot: u32) {
        let Vacancy { node, tick, bucket } = vacancy;
        self.buckets[bucket] = Bucket { node: node.0, tick, generation: self.generation, slot };
        self.len += 1;
        if self.len * 2 > self.buckets.len() {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![Bucket::default(); self.buckets.len() * 2];
        let old = std::mem::replace(&mut self.buckets, larger);
        for found in old.into_iter().filter(|bucket| bucket.generation == self.generation) {
            if let Err(vacancy) = self.find(NodeId(found.node), found.tick) {
                self.buckets[vacancy.bucket] = found;
            }
        }
    }
}
