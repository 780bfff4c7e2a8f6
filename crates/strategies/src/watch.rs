//! Watching work, and stopping it.

/// The progress of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Progress {
    /// Agents plan one after the other.
    Planning {
        /// The number of the present round, from 1.
        round: u32,
        /// Agents that have a path in this round.
        planned: usize,
        /// All agents.
        agents: usize,
        /// States expanded in all rounds, reverse searches not included.
        expansions: u64,
    },
    /// A crowd runs until all agents are at their goals.
    Running {
        /// Agents at their goals.
        at_goals: usize,
        /// All agents.
        agents: usize,
        /// States expanded, reverse searches not included.
        expansions: u64,
    },
}

impl Progress {
    /// States expanded, reverse searches not included.
    pub fn expansions(&self) -> u64 {
        match *self {
            Self::Planning { expansions, .. } | Self::Running { expansions, .. } => expansions,
        }
    }

    /// The number of agents that are done, and the number of all agents.
    pub fn done(&self) -> (u64, u64) {
        match *self {
            Self::Planning { planned: done, agents, .. } | Self::Running { at_goals: done, agents, .. } => {
                (done as u64, agents as u64)
            }
        }
    }
}

/// Follows the progress of work, and may stop it. Strategies that plan agent by agent ask a watch after each agent, and
/// after every few thousand expansions. A crowd asks a watch at each tick. With the feature `rayon`, distances may be
/// searched on several threads before the first path or tick: for all agents of a crowd at once, and in other
/// strategies for 64 agents at a time. A watch is not asked during such a search.
///
/// Strategies read no clock: write a time limit, or a progress bar, as a watch. `()` is a watch that never stops the
/// work, and any `FnMut(&Progress) -> bool` is a watch, too.
pub trait Watch {
    /// Whether to go on.
    fn go_on(&mut self, progress: &Progress) -> bool;
}

impl Watch for () {
    fn go_on(&mut self, _progress: &Progress) -> bool {
        true
    }
}

impl<W: FnMut(&Progress) -> bool> Watch for W {
    fn go_on(&mut self, progress: &Progress) -> bool {
        self(progress)
    }
}
