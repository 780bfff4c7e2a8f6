//! The first overlap of each pair.

/// The first overlaps of pairs.
pub(super) struct Firsts {
    found: Vec<(f64, [usize; 2])>,
    /// How many there may be until duplicates are removed.
    room: usize,
    most: usize,
    /// Overlaps at this time or later do not matter.
    pub(super) end: f64,
}

impl Firsts {
    /// Keeps the `most` pairs whose first overlaps are the earliest.
    pub(super) fn new(most: usize) -> Self {
        Self { found: Vec::new(), room: 0, most, end: f64::INFINITY }
    }

    /// The pairs, by their first times.
    pub(super) fn into_sorted(mut self) -> Vec<(f64, [usize; 2])> {
        self.settle();
        self.found.sort_unstable_by(Self::by_tick);
        self.found.truncate(self.most);
        self.found
    }

    pub(super) fn push(&mut self, tick: f64, pair: [usize; 2]) {
        if tick < self.end {
            self.found.push((tick, pair));
            if self.found.len() > self.room {
                self.settle();
                self.room = 1000 + 2 * self.found.len();
            }
        }
    }

    fn by_tick(a: &(f64, [usize; 2]), b: &(f64, [usize; 2])) -> std::cmp::Ordering {
        a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
    }

    /// Keeps each pair once, and no more pairs than matter.
    fn settle(&mut self) {
        self.found.sort_unstable_by(|a, b| a.1.cmp(&b.1).then(a.0.total_cmp(&b.0)));
        self.found.dedup_by_key(|(_, pair)| *pair);
        if self.found.len() >= self.most {
            self.found.sort_unstable_by(Self::by_tick);
            self.found.truncate(self.most);
            self.end = self.found.last().map_or(self.end, |(tick, _)| *tick);
        }
    }
}
