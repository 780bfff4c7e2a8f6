//! The metrics of patrols.

/// What came of patrols: sums over all agents.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PatrolMetrics {
    /// How many times there and back.
    pub loops: u64,
    /// How many nodes, sectors or states were expanded by searches of agents.
    pub nodes: u64,
    /// How many nodes were expanded by reverse searches.
    pub reverse_nodes: u64,
    /// How far they went, in world units along straight lines: a diagonal is the root of 2 long.
    pub path: f64,
    /// How often somebody tried to move to where somebody else stood. 0 for crowds, by construction.
    pub failed: u64,
    /// How often a crowd's guard kept somebody from beginning the move that it had planned; 0 without a crowd.
    pub stopped: u64,
    /// How many random steps were made or tried next to an occupied goal.
    pub random_steps: u64,
    /// How often somebody stood because it found no route; for a crowd, for how many ticks somebody stood under way.
    pub stood: u64,
    /// When the last one was done, or now, in units of time.
    pub time: f64,
}

impl PatrolMetrics {
    /// A sum over all agents per loop, of each agent; 0 before the first loop is done.
    #[allow(clippy::cast_precision_loss)] // counts of an experiment
    pub fn per_loop(&self, sum: f64) -> f64 {
        if self.loops == 0 { 0.0 } else { sum / self.loops as f64 }
    }
}
