//! Calibration: how many units of work this machine does in a millisecond.

use std::time::{Duration, Instant};

use giveway_core::{Agent, Facts, Move, NodeId, Point, SpaceGraph, Tick};
use giveway_crowd::{Budget, Chain, Class, Crowd, CrowdSettings, Planner};

/// The speed of this machine, to choose a [`Budget`] for a number of milliseconds.
///
/// Measure once, when the program starts, or store the number of units and call [`new`](Self::new). Budgets decide what
/// a crowd does, so a replay needs the budgets of the first run: do not measure again for a replay.
///
/// ```
/// use std::time::Duration;
///
/// use giveway_crowd::Budget;
/// use giveway_sim::Calibration;
///
/// let speed = Calibration::measure();
/// let budget = speed.budget(Duration::from_millis(2));
/// assert!(budget.units() > 0);
///
/// // Known from an earlier measurement.
/// let speed = Calibration::new(4000);
/// assert_eq!(speed.budget(Duration::from_micros(2500)), Budget::work(10_000));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Calibration {
    units_per_millisecond: u64,
}

/// Each of `MEASUREMENTS` measurements takes `TICKS` ticks. The result is the speed that a quarter of the measurements
/// exceed: other work of the machine makes many measurements slow.
const TICKS: u32 = 4;
const MEASUREMENTS: usize = 20;

/// The ticks before the first measurement, in which distances become known.
const WARM: u32 = 16;

const AGENTS: u32 = 60;

/// Windows of points are among the cheapest work: others take up to twice as long per unit
/// (`benches/units_of_work.rs`). So a unit counts as this much longer than it takes here, in percent.
const OTHERS: u64 = 125;

impl Calibration {
    /// The speed of a machine that does `units_per_millisecond` units of work in a millisecond; 0 counts as 1.
    pub const fn new(units_per_millisecond: u64) -> Self {
        Self { units_per_millisecond: if units_per_millisecond == 0 { 1 } else { units_per_millisecond } }
    }

    /// Lets a small crowd move on this thread for some 30 ms, and measures how long a unit of work takes, with a
    /// reserve of a quarter for work that takes longer than that of a small crowd. Without compiler optimisation a unit
    /// takes longer, here and in the crowds of the program.
    pub fn measure() -> Self {
        let field = Field;
        let point = Point::swap_rule(&field);
        let mut crowd = Crowd::new(CrowdSettings::new().chain(Chain::new(Planner::Windowed)));
        // The class fits, and each agent has a place of its own: else nothing moves, and the clock alone counts.
        if let Ok(class) = crowd.add_class(Class::bare(field, point)) {
            for index in 0..AGENTS {
                let [start, goal] = [index * 31, index * 17 + 29].map(|place| NodeId(place % (SIDE * SIDE)));
                let _ = crowd.add(class, Agent::new(start, goal));
            }
        }
        let mut tick = |time: Tick| {
            let report = crowd.tick(Budget::unlimited());
            for agent in report.arrived {
                let back = NodeId((agent.0 * 31 + time * 37) % (SIDE * SIDE));
                let _ = crowd.send(agent, back);
            }
            report.work
        };
        let mut now = 0;
        let mut speeds: Vec<u64> = Vec::new();
        while now < WARM {
            tick(now);
            now += 1;
        }
        for _ in 0..MEASUREMENTS {
            let begin = Instant::now();
            let mut units = 0;
            for _ in 0..TICKS {
                units += tick(now);
                now += 1;
            }
            let nanoseconds = begin.elapsed().as_nanos().max(1);
            speeds.push(u64::try_from(u128::from(units) * 1_000_000 / nanoseconds).unwrap_or(u64::MAX));
        }
        speeds.sort_unstable();
        Self::new(speeds[MEASUREMENTS * 3 / 4].saturating_mul(100) / OTHERS)
    }

    /// The units of work that the machine does in a millisecond.
    pub const fn units_per_millisecond(&self) -> u64 {
        self.units_per_millisecond
    }

    /// A budget for work that takes about `time`. Even at budget 0 a tick takes some time, for the execution guard and
    /// for a look at each agent. So a tick takes up to `time` plus this base time. Choose a `time` of at least twice
    /// the base time.
    pub fn budget(&self, time: Duration) -> Budget {
        let units = u128::from(self.units_per_millisecond).saturating_mul(time.as_nanos()) / 1_000_000;
        Budget::work(u64::try_from(units).unwrap_or(u64::MAX))
    }
}

/// The cells on each side of the field.
const SIDE: u32 = 48;

/// A field with blocks of 2 x 2 cells.
#[derive(Clone, Copy, Debug)]
struct Field;

impl SpaceGraph for Field {
    type Action = u8;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        (SIDE * SIDE) as usize
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<u8, u32>> {
        let [x, y] = [from.0 % SIDE, from.0 / SIDE];
        let ends = [(x + 1, y), (x, y + 1), (x.wrapping_sub(1), y), (x, y.wrapping_sub(1))];
        ends.into_iter().zip(0..).filter_map(move |((x, y), action)| {
            let to = NodeId(y.wrapping_mul(SIDE).wrapping_add(x));
            let is_free = x < SIDE && y < SIDE && self.contains(from) && self.contains(to);
            is_free.then_some(Move { from, to, action, cost: 1000, length: 1.0 })
        })
    }

    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<u8, u32>>> {
        Some(self.moves(to).map(|m| Move { from: m.to, to: m.from, action: (m.action + 2) % 4, ..m }))
    }

    fn contains(&self, node: NodeId) -> bool {
        let [x, y] = [node.0 % SIDE, node.0 / SIDE];
        node.0 < SIDE * SIDE && !((3..5).contains(&(x % 8)) && (3..5).contains(&(y % 8)))
    }

    fn facts(&self) -> Facts<'_, u32> {
        Facts { uniform_cost: Some(1000), ..Facts::NONE }
    }
}
