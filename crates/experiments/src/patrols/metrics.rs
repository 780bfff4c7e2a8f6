//! The metrics of patrols.

/// Metrics of patrols: sums over all agents.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PatrolMetrics {
    /// Loops: times there and back.
    pub loops: u64,
    /// Nodes, sectors or states that the searches of agents expanded.
    pub nodes: u64,
    /// Nodes that reverse searches expanded.
    pub reverse_nodes: u64,
    /// The length of all paths, in world units along straight lines: a diagonal is the root of 2 long.
    pub path: f64,
    /// Moves that failed because another agent stood at their end. 0 for crowds, by construction.
    pub failed: u64,
    /// Planned moves that a crowd's guard stopped; 0 without a crowd.
    pub stopped: u64,
    /// Random steps made or tried next to an occupied goal.
    pub random_steps: u64,
    /// Times that an agent stood because it found no route; for a crowd, ticks that agents stood under way.
    pub stood: u64,
    /// The time at which the last agent was done, or now, in units of time.
    pub time: f64,
}

impl PatrolMetrics {
    /// `sum`, a sum over all agents, per loop and agent; 0 before the first loop is done.
    #[allow(clippy::cast_precision_loss)] // counts of an experiment
    pub fn per_loop(&self, sum: f64) -> f64 {
        if self.loops == 0 { 0.0 } else { sum / self.loops as f64 }
    }
}
