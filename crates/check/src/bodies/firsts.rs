//! The first overlap of each pair, or of each agent with a wall.

/// What is named once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Once {
    /// Each pair of owners.
    Pair,
    /// Each owner of the second of a pair.
    Second,
}

/// The earliest overlaps.
pub(super) struct Firsts {
    found: Vec<(f64, [usize; 2])>,
    /// How many there may be until duplicates are removed.
    room: usize,
    most: usize,
    once: Once,
    /// The owner of each occupant.
    owners: Vec<usize>,
    /// The first time so far of each owner, if an owner is named once.
    seconds: Vec<f64>,
    /// Overlaps at this time or later do not matter.
    pub(super) end: f64,
}

impl Firsts {
    /// Keeps no more than `most` overlaps, of pairs of occupants with these `owners`.
    pub(super) fn new(most: usize, owners: Vec<usize>, once: Once) -> Self {
        let seconds = match once {
            Once::Pair => Vec::new(),
            Once::Second => vec![f64::INFINITY; owners.iter().max().map_or(0, |last| last + 1)],
        };
        Self { found: Vec::new(), room: 0, most, once, owners, seconds, end: f64::INFINITY }
    }

    /// Overlaps of a pair with this second do not matter from this time on.
    pub(super) fn end_of(&self, second: usize) -> f64 {
        self.seconds.get(self.owners[second]).map_or(self.end, |first| first.min(self.end))
    }

    pub(super) fn push(&mut self, tick: f64, pair: [usize; 2]) {
        if tick < self.end_of(pair[1]) {
            if let Some(first) = self.seconds.get_mut(self.owners[pair[1]]) {
                *first = tick;
            }
            self.found.push((tick, pair));
            if self.found.len() > self.room {
                self.settle();
                self.room = 1000 + 2 * self.found.len();
            }
        }
    }

    /// The first overlaps, by time.
    pub(super) fn into_sorted(mut self) -> Vec<(f64, [usize; 2])> {
        self.settle();
        self.found.sort_unstable_by(Self::by_tick);
        self.found.truncate(self.most);
        self.found
    }

    fn by_tick(a: &(f64, [usize; 2]), b: &(f64, [usize; 2])) -> std::cmp::Ordering {
        a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
    }

    /// Keeps each overlap once, and no more overlaps than matter.
    fn settle(&mut self) {
        let (once, owners) = (self.once, &self.owners);
        let key = |pair: [usize; 2]| match once {
            Once::Pair => pair.map(|occupant| owners[occupant]),
            Once::Second => [owners[pair[1]]; 2],
        };
        self.found.sort_unstable_by(|a, b| key(a.1).cmp(&key(b.1)).then_with(|| Self::by_tick(a, b)));
        self.found.dedup_by_key(|(_, pair)| key(*pair));
        if self.found.len() >= self.most {
            self.found.sort_unstable_by(Self::by_tick);
            self.found.truncate(self.most);
            self.end = self.found.last().map_or(self.end, |(tick, _)| *tick);
        }
    }
}
