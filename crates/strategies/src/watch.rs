//! Watching a strategy at work, and stopping it.

/// How far a strategy has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// How often planning was begun again, the present time included.
    pub round: u32,
    /// How many agents have a path in this round.
    pub planned: usize,
    /// How many agents there are.
    pub agents: usize,
    /// How many states have been expanded in all rounds, reverse searches not included.
    pub expansions: u64,
}

/// Is told how far a strategy has come, after each agent and every few thousand expansions, and may stop it.
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
