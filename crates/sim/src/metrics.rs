//! Metrics: what came of a run, in numbers.

use giveway_core::Tick;
use giveway_strategies::{Report, Served};

/// What one agent has done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AgentMetrics {
    /// How often it has come to where it was sent: once for each order.
    pub arrivals: u64,
    /// The sum over its arrivals of the ticks from the order to the arrival.
    pub flow_time: u64,
    /// How many moves it has begun.
    pub path_length: u64,
    /// For how many ticks it was under way to a goal and did not move.
    pub waits: u64,
    /// How many plans, or routes, it has made after the first one for each order.
    pub replans: u64,
    /// How often it came to a node on which it had been since its order.
    pub revisits: u64,
    /// How many of its orders could not be fulfilled by anybody: their goals cannot be reached.
    pub unreachable: u64,
}

/// What a whole crowd has done, agents that have been removed included.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Metrics {
    /// How many ticks have passed.
    pub ticks: u64,
    /// The sum over ticks of the agents that there were.
    pub agent_ticks: u64,
    /// How often somebody has come to where it was sent: once for each order.
    pub arrivals: u64,
    /// The sum over arrivals of the ticks from the order to the arrival.
    pub flow_time: u64,
    /// How many moves have begun.
    pub path_length: u64,
    /// The sum over ticks of the agents that were under way to a goal and did not move.
    pub waits: u64,
    /// How many plans, or routes, were made after the first one for each order.
    pub replans: u64,
    /// How often somebody came to a node on which it had been since its order.
    pub revisits: u64,
    /// How many orders could not be fulfilled by anybody.
    pub unreachable: u64,
    /// How many searches there were, in space and time or for routes in space.
    pub searches: u64,
    /// How often somebody looked for a plan and found none.
    pub failed: u64,
    /// How often somebody's turn to plan was put off because the budget was gone, or memory.
    pub postponed: u64,
    /// How often the execution guard stopped somebody.
    pub stopped: u64,
    /// How often somebody had to plan anew because its reservations were overridden.
    pub overridden: u64,
    /// How often an override was taken back.
    pub rolled_back: u64,
    /// How many states, or nodes, they expanded.
    pub expansions: u64,
    /// How many nodes were expanded by reverse searches.
    pub reverse_expansions: u64,
    /// The most expansions in one tick, reverse searches included.
    pub worst_tick_expansions: u64,
    /// The first tick in which there were so many.
    pub worst_tick: Tick,
    /// The sum over ticks of the pairs of agents that overlapped, which only soft rests permit.
    pub overlaps: u64,
    /// The sum over ticks of the agents that did what which planner of their chains had planned.
    pub served: Served,
    /// How often somebody's turn to plan was put off because distances took as much memory as they may. These are among the
    /// [postponed](Self::postponed), too.
    pub out_of_memory: u64,
}

impl Metrics {
    /// Arrivals per tick, of all agents together; 0 before the first tick.
    #[allow(clippy::cast_precision_loss)] // a ratio
    pub fn throughput(&self) -> f64 {
        if self.ticks == 0 { 0.0 } else { self.arrivals as f64 / self.ticks as f64 }
    }

    pub(crate) fn add(&mut self, report: &Report, agents: usize) {
        let count = |list: usize| list as u64;
        self.ticks += 1;
        self.agent_ticks += count(agents);
        self.path_length += count(report.moves);
        self.searches += u64::from(report.searches);
        self.failed += count(report.failed.len());
        self.postponed += count(report.postponed.len());
        self.out_of_memory += count(report.out_of_memory.len());
        self.stopped += count(report.stopped.len());
        self.overridden += count(report.overridden.len());
        self.rolled_back += u64::from(report.rolled_back);
        self.expansions += report.expansions;
        self.reverse_expansions += report.reverse_expansions;
        self.overlaps += count(report.overlaps);
        self.served += report.served;
        let expansions = report.expansions + report.reverse_expansions;
        if expansions > self.worst_tick_expansions {
            (self.worst_tick_expansions, self.worst_tick) = (expansions, report.tick);
        }
    }
}
