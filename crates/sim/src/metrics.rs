//! Metrics: the outcome of a run, in numbers.

use giveway_core::Tick;
use giveway_crowd::{Report, Served};

/// Metrics of one agent.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AgentMetrics {
    /// Arrivals at the goals of orders: at most one for each order.
    pub arrivals: u64,
    /// Flow time: the sum over its arrivals of the ticks from the order to the arrival.
    pub flow_time: u64,
    /// Moves that the agent has begun.
    pub path_length: u64,
    /// Ticks on the way to a goal without a move.
    pub waits: u64,
    /// Plans, or routes, after the first one for each order.
    pub replans: u64,
    /// Moves to a node on which the agent had already been since its order.
    pub revisits: u64,
    /// Orders with goals that cannot be reached, even alone.
    pub unreachable: u64,
}

/// Metrics of a whole crowd, removed agents included.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Metrics {
    /// Ticks that have passed.
    pub ticks: u64,
    /// The sum over ticks of the number of agents.
    pub agent_ticks: u64,
    /// Arrivals at the goals of orders: at most one for each order.
    pub arrivals: u64,
    /// Flow time: the sum over arrivals of the ticks from the order to the arrival.
    pub flow_time: u64,
    /// Moves that have begun.
    pub path_length: u64,
    /// The sum over ticks of the number of agents that were under way to a goal and did not move.
    pub waits: u64,
    /// Plans, or routes, after the first one for each order.
    pub replans: u64,
    /// Moves of an agent to a node on which it had already been since its order.
    pub revisits: u64,
    /// Orders with goals that cannot be reached, even alone.
    pub unreachable: u64,
    /// Searches in space and time, and for routes in space.
    pub searches: u64,
    /// Searches for a plan that found none.
    pub failed: u64,
    /// Turns to plan that were put off because budget or memory was used up.
    pub postponed: u64,
    /// Moves that the execution guard stopped.
    pub stopped: u64,
    /// Agents that had to plan anew because their reservations were overridden.
    pub overridden: u64,
    /// Overrides that were rolled back.
    pub rolled_back: u64,
    /// States, or nodes, that the searches expanded.
    pub expansions: u64,
    /// Nodes that reverse searches expanded.
    pub reverse_expansions: u64,
    /// The most expansions in one tick, reverse searches included.
    pub worst_tick_expansions: u64,
    /// The first tick with [the most expansions](Self::worst_tick_expansions).
    pub worst_tick: Tick,
    /// The sum over ticks of the number of pairs of agents that overlapped. Only soft rests permit overlaps.
    pub overlaps: u64,
    /// Agent-ticks, counted by the planner that made the plan being executed.
    pub served: Served,
    /// Turns to plan that were put off because distances had reached their memory bound. [`postponed`](Self::postponed)
    /// counts them, too.
    pub out_of_memory: u64,
}

impl Metrics {
    /// Arrivals per tick, of all agents together; 0 before the first tick.
    #[allow(clippy::cast_precision_loss)] // a ratio
    pub fn throughput(&self) -> f64 {
        if self.ticks == 0 { 0.0 } else { self.arrivals as f64 / self.ticks as f64 }
    }

    /// Counts a tick of `agents` agents, as far as the crowd has counted it.
    pub(crate) fn add_tick(&mut self, report: &Report, agents: usize) {
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
