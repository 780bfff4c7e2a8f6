//! Settings: how a crowd plans.

use std::sync::Arc;

use giveway_core::Ticks;

use crate::chain::Chain;
use crate::clock::Clock;
use crate::manners::{SoftRests, WaitPenalty};
use giveway_strategies::Order;

/// The settings of a crowd: its [planners](Chain), how far ahead and how often agents plan, and the price of giving
/// way.
///
/// By default agents plan by WHCA*, windowed hierarchical cooperative A*: each agent plans a few steps ahead, follows
/// its plan for a while, and plans again. Agents on their goals plan, too. An agent that comes no nearer to its goal
/// falls back to PIBT, and then to LaCAM.
///
/// Every setting has a default, which suits crowds with room to move. Depths and intervals are in steps. The footprints
/// of the crowd's classes [set](giveway_core::Footprint::ticks_per_step) how many ticks a step lasts.
///
/// Silver, "Cooperative Pathfinding", AIIDE 2005, section 6, and AI Game Programming Wisdom 3, 2006, section "The Game
/// Must Go On".
#[derive(Clone, Debug, PartialEq)]
pub struct CrowdSettings {
    /// `None`: the default.
    pub(super) depth: Option<Depth>,
    pub(super) interval: Option<u32>,
    pub(super) replanning: Replanning,
    pub(super) order: Order,
    pub(super) wait_penalty: Option<WaitPenalty>,
    pub(super) override_price: u32,
    pub(super) soft_rests: Option<SoftRests>,
    pub(super) promotion: bool,
    pub(super) cascade: u32,
    pub(super) growth: Option<u32>,
    pub(super) chain: Arc<Chain>,
    pub(super) descent: bool,
    pub(super) rotation: bool,
}

/// Windows grow to at most this many times their initial depth.
pub(super) const GROWN: u32 = 4;

/// The default depth.
const OF_PLAIN_STEPS: Depth = Depth::Fixed(16);

/// The default depth of agents that count by [steps of their own](crate::Class::step): on meshes deeper windows make
/// opposite streams wait for each other.
const OF_OWN_STEPS: Depth = Depth::Fixed(8);

/// How far ahead agents plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Depth {
    /// A fixed number of steps, for every agent.
    Fixed(u32),
    /// By crowding, the share of the places within three moves that other agents have reserved: `least` steps if the
    /// share is 0, `most` steps from one half on.
    ByCrowding {
        /// The depth in steps if no place within three moves is reserved.
        least: u32,
        /// The depth in steps if half of these places or more are reserved.
        most: u32,
    },
}

impl Depth {
    /// The largest depth, at least 1.
    pub(super) fn most(self) -> u32 {
        match self {
            Self::Fixed(depth) => depth.max(1),
            Self::ByCrowding { least, most } => most.max(least).max(1),
        }
    }
}

/// When agents plan again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Replanning {
    /// About equally many agents at every tick. The turn of an agent comes after an interval, or up to a quarter of the
    /// interval earlier, at the tick at which the fewest others plan. Where far more agents plan than in the mean, some
    /// turns come up to half of the interval earlier.
    #[default]
    Staggered,
    /// All agents of equal intervals at the same ticks.
    AllAtOnce,
}

impl Default for CrowdSettings {
    fn default() -> Self {
        Self::new()
    }
}

impl CrowdSettings {
    /// A window of 16 steps, replanned every 8 steps, staggered. Agents whose class has a [step](crate::Class::step) of
    /// its own, such as bodies on waypoints: a window of 8 of these steps, replanned every 4.
    pub fn new() -> Self {
        Self {
            depth: None,
            interval: None,
            replanning: Replanning::default(),
            order: Order::Rotating,
            wait_penalty: None,
            override_price: 3000,
            soft_rests: None,
            promotion: true,
            cascade: 64,
            growth: Some(8),
            chain: Arc::default(),
            descent: false,
            rotation: true,
        }
    }

    /// Sets a fixed window of `steps` steps; 0 is taken for 1.
    #[must_use]
    pub fn window(self, steps: u32) -> Self {
        self.depth(Depth::Fixed(steps))
    }

    /// Sets how far ahead agents plan, unless their class has a [depth](crate::Class::depth), or they have [their
    /// own](crate::Crowd::set_depth).
    #[must_use]
    pub fn depth(self, depth: Depth) -> Self {
        Self { depth: Some(depth), ..self }
    }

    /// Sets the interval between two plans of an agent, in steps; 0 is taken for 1. The default is half of the agent's
    /// own depth.
    #[must_use]
    pub fn interval(self, steps: u32) -> Self {
        Self { interval: Some(steps), ..self }
    }

    /// Sets when agents plan again.
    #[must_use]
    pub fn replanning(self, replanning: Replanning) -> Self {
        Self { replanning, ..self }
    }

    /// Sets the order of agents that plan at one tick; [rotating](Order::Rotating) by default.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// Sets a penalty that makes agents at rest step aside early; off by default.
    #[must_use]
    pub fn wait_penalty(self, penalty: WaitPenalty) -> Self {
        Self { wait_penalty: Some(penalty), ..self }
    }

    /// Sets the extra cost of a move through an agent at rest, in thousandths of a plain step. The agent at rest has to
    /// make way and to come back, so other agents go around it if the detour costs less. 3000 by default; at 0 pushing
    /// agents aside costs nothing. Agents with a [priority](giveway_core::Agent::priority) above 0 never pay.
    #[must_use]
    pub fn override_price(self, thousandths: u32) -> Self {
        Self { override_price: thousandths, ..self }
    }

    /// The extra cost of a move through an agent at rest for an agent of priority `priority`, in thousandths of a plain
    /// step.
    pub(super) fn price_of_resters(&self, priority: i32) -> u32 {
        let price = if priority > 0 { 0 } else { self.override_price };
        self.soft_rests.map_or(price, |soft| soft.price)
    }

    /// Lets agents walk through agents at rest, at a price. **Agents will overlap.** Off by default.
    #[must_use]
    pub fn soft_rests(self, price: SoftRests) -> Self {
        Self { soft_rests: Some(price), ..self }
    }

    /// Switches promotion on or off; on by default. With promotion, an agent that is pushed aside plans at the rank of
    /// the agent that pushed it, and may push others in turn. An agent that finds no other plan plans once above all
    /// others.
    #[must_use]
    pub fn promotion(self, promotion: bool) -> Self {
        Self { promotion, ..self }
    }

    /// Deepens the window of an agent that comes no nearer to its goal. Every `steps` steps without progress add a
    /// quarter of the depth, up to four times the depth. 8 by default; 0 is taken for 1. `None`: windows do not grow.
    #[must_use]
    pub fn growth(self, steps: Option<u32>) -> Self {
        Self { growth: steps, ..self }
    }

    /// Sets the maximum number of plans in one cascade: an agent, the agents that it pushes aside, and so on. A longer
    /// cascade is rolled back. 64 by default; 0 is taken for 1.
    #[must_use]
    pub fn cascade(self, agents: u32) -> Self {
        Self { cascade: agents.max(1), ..self }
    }

    /// With `descent`, agents try a greedy descent before they search. Each step of the descent is the move that leads
    /// nearer to the goal with the least sum of cost and estimate. If no other agent has reserved a part of the
    /// descent, the descent is the plan, even if a search would find a cheaper one; it takes one expansion per step.
    /// Otherwise the agent searches. Off by default; then a descent only ever extends a plan, and only if it costs no
    /// more than the distance to the goal.
    #[must_use]
    pub fn descent(self, descent: bool) -> Self {
        Self { descent, ..self }
    }

    /// Switches the rotation of [steps](super::Planner::Step) on or off; on by default. Where agents under way fill
    /// more than 60 % of the places, only as many as 45 % of the places are sent on their way at a time: the oldest
    /// orders first, and among equally old ones those of the lowest ids. The others stay where they are, and make way.
    #[must_use]
    pub fn rotation(self, rotation: bool) -> Self {
        Self { rotation, ..self }
    }

    /// Sets the chain of planners, for agents that have no chain from their [class](super::Class::chain) and none of
    /// their [own](super::Crowd::set_chain). By default WHCA*, then PIBT, then LaCAM.
    #[must_use]
    pub fn chain(self, chain: impl Into<Chain>) -> Self {
        Self { chain: Arc::new(chain.into()), ..self }
    }

    /// The depth of the windows of an agent with the depth `own`, or none; `own_steps`: it counts by steps of its class.
    pub(super) fn depth_with(&self, own: Option<Depth>, own_steps: bool) -> Depth {
        own.or(self.depth).unwrap_or(if own_steps { OF_OWN_STEPS } else { OF_PLAIN_STEPS })
    }

    /// The ticks between two plans of an agent whose windows have the depth of the crowd.
    pub(super) fn period(&self, clock: Clock) -> Ticks {
        clock.ticks(self.interval.unwrap_or(self.depth.unwrap_or(OF_PLAIN_STEPS).most() / 2).max(1))
    }

    /// The ticks of the deepest window of the crowd's own depth.
    pub(super) fn longest_window(&self, clock: Clock) -> Ticks {
        let grown = if self.growth.is_some() { GROWN } else { 1 };
        clock.ticks(self.depth.unwrap_or(OF_PLAIN_STEPS).most().saturating_mul(grown))
    }
}
