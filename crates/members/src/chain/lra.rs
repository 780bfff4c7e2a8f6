//! LRA*: local repair A*, as parameters.
//!
//! Silver, "Cooperative Pathfinding", AIIDE 2005, section 3; after Zelinsky, "A Mobile Robot Exploration Algorithm",
//! 1992, and Stout, "Smart Moves: Intelligent Pathfinding", Game Developer, October 1996.

use giveway_strategies::Routing;

/// Local repair A*: each agent follows a cheapest route in space alone, as if there were no other agents. Before each
/// step the agent checks whether the next place is free.
///
/// If the next place is occupied or reserved, a *forced replan* searches for another route. The new route leads around
/// all neighbouring places to which the agent cannot step at this tick. Each forced replan raises the agent's
/// *agitation* by one. Agitation returns to 0 on the goal, and after a new order. Noise is added to the heuristic of
/// each node: from 0 to [`noise`](Self::noise) per unit of agitation. So routes become less straight with every forced
/// replan. An agent without any route stands, and tries again at the next tick.
///
/// Before a step begins, the agent reserves the step, and a rest at the end of the step for as long as that place is
/// free. Such a reservation overrides no other reservation. So agents never collide, and agents that plan [by
/// windows](super::Planner::Windowed) plan around the place where the LRA* agent will be. But an LRA* agent does not
/// know where other agents are going: two LRA* agents that face each other in a narrow passage may stand and replan for
/// ever.
///
/// An agent with no other planner in its [chain](super::Chain) cannot be told to make way: other agents treat it as a
/// wall, under way and at rest. With [`Planner::Windowed`](super::Planner::Windowed) in the chain, the agent can be
/// told to make way, and then plans by a search in a window.
///
/// A search that needs more than the whole budget of a tick finds no route, and begins anew at the next tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lra {
    pub(super) seed: u64,
    pub(super) noise: u32,
    pub(super) routing: Routing,
    pub(super) radius: u32,
}

impl Lra {
    /// LRA* with noise of up to one step per unit of agitation. The noise depends on `seed`, the agent, the tick and
    /// the node.
    pub const fn new(seed: u64) -> Self {
        Self { seed, noise: 1000, routing: Routing::Whole, radius: 0 }
    }

    /// Sets the largest noise per unit of agitation, in thousandths of a plain step. 0: no noise.
    #[must_use]
    pub const fn noise(self, thousandths: u32) -> Self {
        Self { noise: thousandths, ..self }
    }

    /// Sets how far a route leads. At the end of a route the agent plans the next route. [`Routing::Whole`] by default.
    /// [`Routing::Sectors`] needs a class that is not bare (`Class::bare`).
    #[must_use]
    pub const fn routing(self, routing: Routing) -> Self {
        Self { routing, ..self }
    }

    /// Sets a *visibility radius*, in thousandths of a plain step. 0, the default: no radius.
    ///
    /// With a radius, every route leads around the *taken* places within the radius. A place is taken if the searching
    /// agent cannot stand there because of another agent. An agent that moves takes the place where its move ends. The
    /// goals of the searching agent are never taken. A place is within the radius if the cheapest way to it costs less
    /// than the radius, by moves of the searching agent's class; other agents do not block this way. So a place behind
    /// a wall may be far away. The route may lead through taken places beyond the radius.
    ///
    /// If the next step is not free, the new route, too, leads only around taken places within the radius. If the first
    /// step of the new route is not free, or there is no route, the agent stands, and tries again at the next tick.
    ///
    /// Each search for a route looks at all places within the radius. The budget does not limit this work, so keep the
    /// radius to a few steps.
    ///
    /// Jansen & Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008: the agents of the article avoid
    /// other agents within "a visibility radius".
    #[must_use]
    pub const fn radius(self, thousandths: u32) -> Self {
        Self { radius: thousandths, ..self }
    }

    /// The seed, the noise, the routing and the radius.
    #[doc(hidden)]
    #[inline]
    pub const fn parts(self) -> (u64, u32, Routing, u32) {
        (self.seed, self.noise, self.routing, self.radius)
    }
}
