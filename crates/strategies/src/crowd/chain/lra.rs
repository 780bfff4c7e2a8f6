//! LRA*: local repair A*, as parameters.
//!
//! Silver, "Cooperative Pathfinding", AIIDE 2005, section 3; after Zelinsky, "A Mobile Robot Exploration Algorithm", 1992, and
//! Stout, "Smart Moves: Intelligent Pathfinding", Game Developer, October 1996.

use crate::routing::Routing;

/// Local repair A*: each agent follows a cheapest route in space alone, as if the others were not there, and looks around before
/// each step.
///
/// If the next step is not to be had, because somebody stands there or has reserved it, a *forced replan* searches for another
/// route, around all places next to the agent that it cannot step to at this tick. Each forced replan since the agent set out makes
/// it more *agitated* by one. Noise, drawn from 0 to [so much](Self::noise) for each unit of agitation, goes on its heuristic, by
/// node: the more often others were in its way, the less straight are its routes. Without any route it stands, and tries again
/// at the next tick. On its goal, and with a new order, it is calm.
///
/// A step is reserved before it begins, with a rest at its end for as long as that is free, and taken from nobody: so agents never
/// collide, and those that plan [by windows](super::Planner::Windowed) plan around where this one will be. But it never sees where others
/// are going. In a narrow passage those in front find no way round each other, and stand there and replan for ever.
///
/// An agent that has no other planner than this in its [chain](super::Chain) cannot be told to make way: under way and at rest, it is a
/// wall for the others. With [`Planner::Windowed`](super::Planner::Windowed) in the chain it makes way by a search in a window, whichever planner serves it.
///
/// A search that takes more than the whole budget of a tick finds nothing, and is begun anew at the next tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lra {
    pub(in crate::crowd) seed: u64,
    pub(in crate::crowd) noise: u32,
    pub(in crate::crowd) routing: Routing,
    pub(in crate::crowd) radius: u32,
}

impl Lra {
    /// With noise of up to one step for each unit of agitation. It depends on `seed`, the agent, the tick and the node.
    pub const fn new(seed: u64) -> Self {
        Self { seed, noise: 1000, routing: Routing::Whole, radius: 0 }
    }

    /// The same with noise of up to so many thousandths of a plain step for each unit of agitation. 0: none.
    #[must_use]
    pub const fn noise(self, thousandths: u32) -> Self {
        Self { noise: thousandths, ..self }
    }

    /// The same with routes that lead as far as `routing` says; from the end of one the agent plans the next. [`Routing::Whole`] by
    /// default. [`Routing::Sectors`] is for [embedded](crate::Class::embedded) classes.
    #[must_use]
    pub const fn routing(self, routing: Routing) -> Self {
        Self { routing, ..self }
    }

    /// The same with a *visibility radius* of so many thousandths of a plain step. 0, the default: none.
    ///
    /// With one, every route leads around those who stand, or end their moves, less than that far away by the cost of moves of the agent's own class (not across walls),
    /// and through all others; its goal does not count as taken. If the next step is not to be had, the route is planned anew in the same way,
    /// and not around the places next to the agent. All places within the radius are looked at for each route, which no budget bounds: keep it to a few steps. Where that gives the same step, or none, the agent stands, and tries again at the next tick.
    ///
    /// Jansen & Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008: their agents avoid those within "a visibility radius".
    #[must_use]
    pub const fn radius(self, thousandths: u32) -> Self {
        Self { radius: thousandths, ..self }
    }
}
