//! Metrics: the outcome of a run, in numbers.

use giveway_core::Tick;
use giveway_crowd::{Report, Served};

/// Metrics of one agent, from its addition to now.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AgentMetrics {
    /// The number of arrivals at the goals of orders: at most one arrival for each order.
    pub arrivals: u64,
    /// Flow time: the number of ticks from an order to its arrival, added up over all arrivals of the agent.
    pub flow_time: u64,
    /// The number of moves that the agent has begun.
    pub path_length: u64,
    /// The number of ticks at which the agent was on its way to a goal and did not move.
    pub waits: u64,
    /// Replans: the number of plans or routes, without the first plan or route for each order.
    pub replans: u64,
    /// The number of moves to a node on which the agent had already been since its last order.
    pub revisits: u64,
    /// The number of orders with goals that the agent could not reach even if there were no other agents.
    pub unreachable: u64,
}

/// Metrics of a whole crowd, including removed agents.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Metrics {
    /// The number of ticks that have passed.
    pub ticks: u64,
    /// The number of agents at each tick, added up over all ticks.
    pub agent_ticks: u64,
    /// The number of arrivals at the goals of orders: at most one arrival for each order.
    pub arrivals: u64,
    /// Flow time: the number of ticks from an order to its arrival, added up over all arrivals.
    pub flow_time: u64,
    /// The number of moves that have begun.
    pub path_length: u64,
    /// The number of agents on their way to a goal that did not move, added up over all ticks.
    pub waits: u64,
    /// Replans: the number of plans or routes, without the first plan or route for each order.
    pub replans: u64,
    /// The number of moves to a node on which the moving agent had already been since its last order.
    pub revisits: u64,
    /// The number of orders with goals that the agent could not reach even if there were no other agents.
    pub unreachable: u64,
    /// The number of searches, in space and time or in space alone.
    pub searches: u64,
    /// The number of searches that found no plan.
    pub failed: u64,
    /// How often an agent could not plan at its turn, for want of budget or memory, or for the other reason in
    /// [`Report::postponed`](giveway_crowd::Report::postponed).
    pub postponed: u64,
    /// The number of moves that the execution guard stopped.
    pub stopped: u64,
    /// How often an agent had to plan anew because some of its reservations were overridden.
    pub overridden: u64,
    /// The number of overrides that were rolled back.
    pub rolled_back: u64,
    /// The number of states or nodes that the searches expanded.
    pub expansions: u64,
    /// The number of nodes that reverse searches expanded.
    pub reverse_expansions: u64,
    /// The work of all ticks, in the units of a [`Budget`](giveway_crowd::Budget).
    pub work: u64,
    /// The largest number of expansions in one tick, including reverse searches.
    pub worst_tick_expansions: u64,
    /// The first tick with [the most expansions](Self::worst_tick_expansions).
    pub worst_tick: Tick,
    /// The number of pairs of agents that overlapped, added up over all ticks. Only soft rests permit overlaps.
    pub overlaps: u64,
    /// For each planner, the number of agent-ticks in which an agent executed a plan of that planner.
    pub served: Served,
    /// How often an agent could not plan at its turn because distances had reached their memory bound. These turns are
    /// included in [`postponed`](Self::postponed).
    pub out_of_memory: u64,
}

impl Metrics {
    /// The number of arrivals per tick, of all agents together; 0 before the first tick.
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
        self.work += report.work;
        self.overlaps += count(report.overlaps);
        self.served += report.served;
        let expansions = report.expansions + report.reverse_expansions;
        if expansions > self.worst_tick_expansions {
            (self.worst_tick_expansions, self.worst_tick) = (expansions, report.tick);
        }
    }
}
