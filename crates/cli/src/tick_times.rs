//! The times that the ticks of a crowd took.

use std::time::Duration;

/// What each tick took, without what is done between ticks.
#[derive(Default)]
pub(crate) struct TickTimes(Vec<Duration>);

impl TickTimes {
    pub(crate) fn add(&mut self, took: Duration) {
        self.0.push(took);
    }

    /// In milliseconds; 0 before the first tick.
    pub(crate) fn summary(&self) -> TickSummary {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        // The least time that is enough for this share of the ticks.
        let share = |hundredths: usize| {
            let ticks = (sorted.len() * hundredths).div_ceil(100).max(1);
            milliseconds(sorted.get(ticks - 1).copied().unwrap_or_default())
        };
        TickSummary {
            median: share(50),
            p99: share(99),
            max: share(100),
            first: milliseconds(self.0.first().copied().unwrap_or_default()),
            sum: milliseconds(self.0.iter().sum()),
        }
    }
}

/// Times in milliseconds.
pub(crate) struct TickSummary {
    /// Half of the ticks took at most so long.
    pub(crate) median: f64,
    /// 99 of 100 ticks took at most so long.
    pub(crate) p99: f64,
    /// All ticks took at most so long.
    pub(crate) max: f64,
    /// The first tick.
    pub(crate) first: f64,
    /// All ticks together.
    pub(crate) sum: f64,
}

fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_ticks() {
        for (ticks, [median, p99, max, first, sum]) in [
            (vec![], [0.0; 5]),
            (vec![7], [7.0; 5]),
            (vec![9, 1, 2], [2.0, 9.0, 9.0, 9.0, 12.0]),
            ((1..=200).collect(), [100.0, 198.0, 200.0, 1.0, 20_100.0]),
        ] {
            let mut times = TickTimes::default();
            ticks.iter().for_each(|took| times.add(Duration::from_millis(*took)));
            let summary = times.summary();
            let found = [summary.median, summary.p99, summary.max, summary.first, summary.sum];
            assert_eq!(found, [median, p99, max, first, sum], "{ticks:?}");
        }
    }
}
