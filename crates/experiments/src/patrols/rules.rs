//! The rules of patrols.

use giveway_strategies::Routing;

/// How patrols go.
///
/// Jansen & Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008, *Experimental Results*. They print
/// the radius only; the rest is what their figures were matched with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PatrolRules {
    pub(crate) loops: u32,
    pub(crate) radius: f64,
    pub(crate) routing: Routing,
    pub(crate) seed: u64,
}

impl PatrolRules {
    /// How many units of time an action takes, on the paper's clock.
    pub const ACTION: f64 = 1.5;

    /// So many times there and back, for each agent. Agents see five steps far, plan whole routes, and draw random
    /// steps from seed 0.
    pub fn loops(loops: u32) -> Self {
        Self { loops, radius: 5.0, routing: Routing::Whole, seed: 0 }
    }

    /// The same where an agent sees others that are less than so many world units away, in octile distance: steps,
    /// where cells are one unit wide, and walls do not matter. NaN and below 0: nobody.
    #[must_use]
    pub fn radius(self, steps: f64) -> Self {
        Self { radius: steps, ..self }
    }

    /// The same with routes that lead as far as `routing` says.
    #[must_use]
    pub fn routing(self, routing: Routing) -> Self {
        Self { routing, ..self }
    }

    /// The same with other random steps.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }
}
