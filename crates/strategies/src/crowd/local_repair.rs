//! LRA*: local repair A*, as parameters of a crowd.
//!
//! Silver, "Cooperative Pathfinding", AIIDE 2005, section 3; after Zelinsky, "A Mobile Robot Exploration Algorithm", 1992, and
//! Stout, "Smart Moves: Intelligent Pathfinding", Game Developer, October 1996.

/// Local repair A*.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lra {
    seed: u64,
    noise: u32,
}

impl Lra {
    /// With noise by `seed`, of a step at most for each forced replan.
    pub const fn new(seed: u64) -> Self {
        Self { seed, noise: 1000 }
    }

    /// The same with noise of at most so many thousandths of a plain step for each forced replan.
    #[must_use]
    pub const fn noise(self, thousandths: u32) -> Self {
        Self { noise: thousandths, ..self }
    }
}
