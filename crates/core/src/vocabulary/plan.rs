//! Plans: a path for every agent.

use crate::vocabulary::agent::Agent;
use crate::vocabulary::path::{AtEnd, Path};
use crate::vocabulary::time::Tick;

/// A path for every agent, in order of their ids.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan<A, C> {
    /// The paths. An agent without a path stands at its start.
    pub paths: Vec<Path<A, C>>,
}

impl<A: Copy, C: crate::Cost> Plan<A, C> {
    /// All agents stand at their starts for ever.
    pub fn standing(agents: &[Agent]) -> Self {
        let standing = |agent: &Agent| Path::standing(agent.start, 0, AtEnd::Stay);
        Self { paths: agents.iter().map(standing).collect() }
    }

    /// The ticks at which the agents finally arrive, added up over all agents.
    pub fn sum_of_costs(&self) -> u64 {
        self.paths.iter().map(|path| u64::from(path.arrival())).sum()
    }

    /// The tick at which the last agent finally arrives.
    pub fn makespan(&self) -> Tick {
        self.paths.iter().map(Path::arrival).max().unwrap_or(0)
    }
}
