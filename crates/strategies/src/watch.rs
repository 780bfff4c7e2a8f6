//! Watching work, and stopping it.

/// How far work has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Progress {
    /// Agents plan one after the other.
    Planning {
        /// How often planning was begun, the present time included.
        round: u32,
        /// How many agents have a path in this round.
        planned: usize,
        /// How many agents there are.
        agents: usize,
        /// How many states have been expanded in all rounds, reverse searches not included.
        expansions: u64,
    },
    /// A crowd runs until all agents are at their goals.
    Running {
        /// How many agents are at their goals.
        at_goals: usize,
        /// How many agents there are.
        agents: usize,
        /// How many states have been expanded, reverse searches not included.
        expansions: u64,
    },
}

impl Progress {
    /// How many states have been expanded, reverse searches not included.
    pub fn expansions(&self) -> u64 {
        match *self {
            Self::Planning { expansions, .. } | Self::Running { expansions, .. } => expansions,
        }
    }

    /// How many agents are done, of how many there are.
    pub fn done(&self) -> (u64, u64) {
        match *self {
            Self::Planning { planned: done, agents, .. } | Self::Running { at_goals: done, agents, .. } => {
                (done as u64, agents as u64)
            }
        }
    }
}

/// Is told how far work has come, after each agent and every few thousand expansions, or at each tick, and may stop it.
///
/// Strategies have no clock: a time limit, like a progress bar, is a watch. `()` never stops anything, and any
/// `FnMut(&Progress) -> bool` is a watch.
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
