//! The rules of patrols.

use giveway_strategies::Routing;

/// The rules of patrols, with defaults.
///
/// Jansen & Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008, *Experimental Results*. The authors
/// print the radius only; the rest was chosen to match their figures.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PatrolRules {
    pub(crate) loops: u32,
    pub(crate) radius: f64,
    pub(crate) routing: Routing,
    pub(crate) seed: u64,
}

impl PatrolRules {
    /// The duration of an action in units of time, on the paper's clock.
    pub const ACTION: f64 = 1.5;

    /// Each agent goes there and back `loops` times. Agents see five steps far, plan whole routes, and draw random
    /// steps from seed 0.
    pub fn loops(loops: u32) -> Self {
        Self { loops, radius: 5.0, routing: Routing::Whole, seed: 0 }
    }

    /// Sets how far agents see: an agent sees others less than `steps` world units away, in octile distance. If cells
    /// are one unit wide, these units are steps. Walls do not matter. With NaN or less than 0 an agent sees no other.
    #[must_use]
    pub fn radius(self, steps: f64) -> Self {
        Self { radius: steps, ..self }
    }

    /// Sets how far routes lead.
    #[must_use]
    pub fn routing(self, routing: Routing) -> Self {
        Self { routing, ..self }
    }

    /// Sets the seed of random steps.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }
}
