//! Rewinding: a crowd that can go back some ticks.

use std::collections::VecDeque;
use std::fmt;

use giveway_core::{Tick, Ticks};

use crate::budget::Budget;
use crate::calls::Call;
use crate::crowd::Crowd;
use crate::report::Report;
use crate::snapshot::Snapshot;

/// A crowd that can go back in time, for rollback in games over a network. Such a game shows what it expects the other
/// players to do, and goes back when it was wrong.
///
/// A [snapshot](Crowd::snapshot) is kept once in 7 ticks, with the [calls](Call) since. To go back to a tick, the crowd
/// is restored to the latest snapshot that is not after this tick. Then the crowd gets the recorded calls up to this
/// tick again. The result equals the former crowd bit for bit. Searches for distances are also as far as they were, so
/// [budgets](Budget) pay for equal work. But a [layer](crate::Class::layer) behind a `&` or an `Arc` is one for all
/// snapshots, and does not go back.
///
/// # Cost
/// For 10,000 units on a map of 512 x 512 cells, a snapshot takes 1.5 kB per unit, and 77 % of the time of a tick.
/// There is one snapshot in 7 ticks, so keeping snapshots adds 11 % to the time. To go back up to eight ticks, two or
/// three snapshots are kept: about 400 bytes for each unit and tick. Restoring a snapshot takes as long as one or two
/// ticks. After that, at most 6 ticks are run again. Snapshots share maps, ways, and distances that no search has
/// changed since.
///
/// ```
/// use giveway_core::{Agent, Point};
/// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings, Rewind};
/// use giveway_spaces::Grid;
///
/// let grid = Grid::open(20, 5)?;
/// let at = |x, y| grid.node(x, y).expect("on the grid");
/// let mut crowd = Crowd::new(CrowdSettings::new());
/// let scouts = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
/// let scout = crowd.add(scouts, Agent::new(at(0, 2), at(19, 2)))?;
///
/// let mut crowd = Rewind::new(crowd, 8);
/// (0..10).for_each(|_| drop(crowd.tick(Budget::unlimited())));
/// assert_eq!(crowd.crowd().node(scout), Some(at(10, 2)));
/// // An order for tick 7 comes late.
/// crowd.go_back(7)?;
/// crowd.crowd_mut().send(scout, at(7, 4))?;
/// (7..10).for_each(|_| drop(crowd.tick(Budget::unlimited())));
/// assert_eq!(crowd.crowd().node(scout), Some(at(7, 4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rewind<'a> {
    crowd: Crowd<'a>,
    /// So many ticks can be gone back.
    depth: Ticks,
    /// The crowd between two ticks, the latest at the end. There is at least one.
    snapshots: VecDeque<Snapshot<'a>>,
    /// The calls before and with each tick, from the tick of the first snapshot on.
    told: VecDeque<Vec<Call>>,
    /// The number of calls of the crowd up to the last tick of `told`, and of what was forgotten since.
    seen: u64,
}

/// A snapshot is kept once in so many ticks.
const EVERY: Ticks = 7;

impl<'a> Rewind<'a> {
    /// Lets `crowd` go back up to `ticks` ticks. From now on the crowd [records its calls](Crowd::record_calls). The
    /// rewind takes the recorded calls, so do not take them yourself.
    pub fn new(mut crowd: Crowd<'a>, ticks: Ticks) -> Self {
        crowd.record_calls(false);
        crowd.record_calls(true);
        let snapshots = VecDeque::from([crowd.snapshot()]);
        let seen = crowd.called;
        Self { crowd, depth: ticks, snapshots, told: VecDeque::new(), seen }
    }

    /// The crowd, read-only.
    pub fn crowd(&self) -> &Crowd<'a> {
        &self.crowd
    }

    /// The crowd, for orders, edits and questions. Let time go by with [`tick`](Self::tick): if the crowd's own method
    /// is called, no snapshots are kept meanwhile. If a class is added, or calls are taken, or another crowd takes the
    /// place of this one, there is no way back to a time before.
    pub fn crowd_mut(&mut self) -> &mut Crowd<'a> {
        &mut self.crowd
    }

    /// Ends the rewinding, and returns the crowd, which no longer records its calls.
    pub fn into_crowd(mut self) -> Crowd<'a> {
        self.crowd.record_calls(false);
        self.crowd
    }

    /// Lets one tick go by; see [`Crowd::tick`].
    pub fn tick(&mut self, budget: Budget) -> Report {
        self.begin_anew_if_broken();
        let report = self.crowd.tick(budget);
        self.note();
        let now = self.crowd.now();
        if self.snapshots.back().is_none_or(|last| now - last.now() >= EVERY) {
            self.snapshots.push_back(self.crowd.snapshot());
        }
        // The first one has to be early enough.
        while self.snapshots.get(1).is_some_and(|second| second.now().saturating_add(self.depth) <= now) {
            let first = self.snapshots.pop_front().map_or(now, |first| first.now());
            let over = self.snapshots.front().map_or(0, |next| next.now() - first);
            self.told.drain(..over as usize);
        }
        report
    }

    /// The earliest tick to which the crowd can [go back](Self::go_back).
    pub fn earliest(&self) -> Tick {
        let now = self.crowd.now();
        if self.is_broken() {
            return now;
        }
        let first = self.snapshots.front().map_or(now, Snapshot::now);
        first.max(now.saturating_sub(self.depth))
    }

    /// Goes back to the end of tick `tick - 1`: `tick` is the tick that begins next. All calls after that moment are
    /// forgotten, also orders and edits just before `tick` began. Give those anew that still hold.
    ///
    /// # Errors
    /// `tick` is before the [earliest](Self::earliest) tick, or has not been reached. Nothing has changed.
    pub fn go_back(&mut self, tick: Tick) -> Result<(), OutOfReach> {
        let (earliest, now) = (self.earliest(), self.crowd.now());
        if !(earliest..=now).contains(&tick) {
            return Err(OutOfReach { tick, earliest, now });
        }
        if self.is_broken() {
            // There is no snapshot without what was said since the last tick.
            self.begin_anew_if_broken();
            return Ok(());
        }
        self.note();
        while self.snapshots.len() > 1 && self.snapshots.back().is_some_and(|last| last.now() > tick) {
            self.snapshots.pop_back();
        }
        let Some(last) = self.snapshots.back() else { return Ok(()) };
        let first = self.snapshots.front().map_or(tick, Snapshot::now);
        let taken = last.now();
        self.crowd.restore(last);
        let [from, to] = [taken, tick].map(|tick| (tick - first) as usize);
        for call in self.told.range(from..to).flatten() {
            // What was refused is refused again.
            let _ = self.crowd.apply(call);
        }
        self.told.truncate(to);
        self.crowd.take_calls();
        self.seen = self.crowd.called;
        Ok(())
    }

    /// Notes what the crowd was told since. What was told since the last tick is forgotten with it.
    fn note(&mut self) {
        let mut calls = Vec::new();
        self.seen = self.crowd.called;
        for call in self.crowd.take_calls() {
            let is_tick = matches!(call, Call::Tick { .. });
            calls.push(call);
            if is_tick {
                self.told.push_back(std::mem::take(&mut calls));
            }
        }
    }

    /// Whether the calls since the first snapshot do not lead to the crowd as it is.
    fn is_broken(&self) -> bool {
        let ticks = self.told.len() + self.crowd.recorded_ticks();
        let is_whole = |first: &Snapshot<'_>| {
            let passed = self.crowd.now().checked_sub(first.now());
            first.classes() == self.crowd.classes() && passed.is_some_and(|passed| passed as usize == ticks)
        };
        let recorded = self.seen + self.crowd.recorded() as u64;
        recorded != self.crowd.called || !self.snapshots.front().is_some_and(is_whole)
    }

    fn begin_anew_if_broken(&mut self) {
        if self.is_broken() {
            self.crowd.record_calls(true);
            self.crowd.take_calls();
            self.seen = self.crowd.called;
            self.told.clear();
            self.snapshots.clear();
            self.snapshots.push_back(self.crowd.snapshot());
        }
    }
}

/// The tick is not one to which a crowd can go back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OutOfReach {
    /// The tick that was asked for.
    pub tick: Tick,
    /// The earliest tick that can be gone back to.
    pub earliest: Tick,
    /// The tick that begins next.
    pub now: Tick,
}

impl fmt::Display for OutOfReach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, earliest, now } = self;
        write!(f, "expected a tick from {earliest} to {now} to go back to, found {tick}")
    }
}

impl std::error::Error for OutOfReach {}
