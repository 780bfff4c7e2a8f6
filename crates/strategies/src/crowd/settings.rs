//! Settings: how a crowd plans.

use giveway_core::Ticks;

use super::chain::Chain;
use super::clock::Clock;
use super::manners::{SoftRests, WaitPenalty};
use crate::order::Order;

/// How a crowd plans: by which [planners](Chain), how far ahead, how often, and what giving way costs.
///
/// By default agents plan by WHCA*, windowed hierarchical cooperative A*: everyone plans a few steps ahead, follows its plan for a while, and plans
/// again, also when it has arrived. If that gets an agent nowhere, it falls back to PIBT, and then to LaCAM.
///
/// Every setting has a default, which suits crowds with room to move. Depths and intervals are in steps; a step lasts as many ticks as the footprints of the
/// crowd's classes [say](giveway_core::Footprint::ticks_per_step).
///
/// Silver, "Cooperative Pathfinding", AIIDE 2005, section 6, and AI Game Programming Wisdom 3, 2006, section "The Game
/// Must Go On".
#[derive(Clone, Debug, PartialEq)]
pub struct CrowdSettings {
    pub(super) depth: Depth,
    pub(super) interval: Option<u32>,
    pub(super) replanning: Replanning,
    pub(super) order: Order,
    pub(super) wait_penalty: Option<WaitPenalty>,
    pub(super) override_price: u32,
    pub(super) soft_rests: Option<SoftRests>,
    pub(super) promotion: bool,
    pub(super) cascade: u32,
    pub(super) growth: Option<u32>,
    pub(super) chain: Chain,
    pub(super) descent: bool,
}

/// So many times as deep as they begin windows become at most.
pub(super) const GROWN: u32 = 4;

/// How far ahead agents plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Depth {
    /// So many steps, everyone.
    Fixed(u32),
    /// By how much of the ground within three moves is reserved by others: from `least` steps where none is, to `most`
    /// where half of it is, or more.
    ByCrowding {
        /// Alone.
        least: u32,
        /// In a crowd.
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
    /// An equal share of them at every tick: the work is even, and everyone is the first to plan at a new tick in turn.
    #[default]
    Staggered,
    /// All of them at the same ticks.
    AllAtOnce,
}

impl Default for CrowdSettings {
    fn default() -> Self {
        Self::new()
    }
}

impl CrowdSettings {
    /// With a window of 16 steps, replanned every 8, staggered.
    pub fn new() -> Self {
        Self {
            depth: Depth::Fixed(16),
            interval: None,
            replanning: Replanning::default(),
            order: Order::Rotating,
            wait_penalty: None,
            override_price: 3000,
            soft_rests: None,
            promotion: true,
            cascade: 64,
            growth: Some(8),
            chain: Chain::default(),
            descent: false,
        }
    }

    /// The same with a window of `steps` steps; 0 is taken for 1.
    #[must_use]
    pub fn window(self, steps: u32) -> Self {
        self.depth(Depth::Fixed(steps))
    }

    /// The same with another depth.
    #[must_use]
    pub fn depth(self, depth: Depth) -> Self {
        Self { depth, ..self }
    }

    /// The same where everyone plans again every `steps` steps; 0 is taken for 1. By default half of the (largest) depth.
    #[must_use]
    pub fn interval(self, steps: u32) -> Self {
        Self { interval: Some(steps), ..self }
    }

    /// The same with another choice of when to plan.
    #[must_use]
    pub fn replanning(self, replanning: Replanning) -> Self {
        Self { replanning, ..self }
    }

    /// The same where those who plan in one tick do so in another order; [rotating](Order::Rotating) by default.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// The same where those who must let others pass do so early; off by default.
    #[must_use]
    pub fn wait_penalty(self, penalty: WaitPenalty) -> Self {
        Self { wait_penalty: Some(penalty), ..self }
    }

    /// The same where a move through somebody who rests costs `thousandths` of a plain step extra: it has to make way, and
    /// to come back. So agents go round it if that takes no longer. Three steps by default; 0: it is pushed aside for
    /// nothing. Agents with a [priority](giveway_core::Agent::priority) above 0 do not pay, and go straight on.
    #[must_use]
    pub fn override_price(self, thousandths: u32) -> Self {
        Self { override_price: thousandths, ..self }
    }

    /// What a move through somebody who rests costs an agent of so high a priority, in thousandths of a plain step.
    pub(super) fn price_of_resters(&self, priority: i32) -> u32 {
        let price = if priority > 0 { 0 } else { self.override_price };
        self.soft_rests.map_or(price, |soft| soft.price)
    }

    /// The same where agents may walk through those who rest, at a price. **Agents will overlap**; off by default.
    #[must_use]
    pub fn soft_rests(self, price: SoftRests) -> Self {
        Self { soft_rests: Some(price), ..self }
    }

    /// The same with or without promotion. With it, on by default, agents that are pushed aside plan at the rank of whoever pushed them, at the expense of others in
    /// turn; and an agent that finds no plan otherwise plans once above all others.
    #[must_use]
    pub fn promotion(self, promotion: bool) -> Self {
        Self { promotion, ..self }
    }

    /// The same where a window is deeper by a quarter of its depth for every `steps` steps for which an agent has come no nearer to its
    /// goal, up to four times as deep; 8 by default. `None`: it stays as it is.
    #[must_use]
    pub fn growth(self, steps: Option<u32>) -> Self {
        Self { growth: steps, ..self }
    }

    /// The same where at most `agents` plan anew because one of them pushed others aside; 64 by default, 0 is taken for 1. If these are not enough, all of it is rolled back.
    #[must_use]
    pub fn cascade(self, agents: u32) -> Self {
        Self { cascade: agents.max(1), ..self }
    }

    /// The same where agents look at the way straight down first: step by step by the move that costs least together with the estimate where
    /// it ends, among those that come nearer. If nobody holds any of it that is the plan, for as many expansions as steps; else
    /// they search. Off by default.
    #[must_use]
    pub fn descent(self, descent: bool) -> Self {
        Self { descent, ..self }
    }

    /// The same where agents plan by the planners of `chain`, unless their [class](super::Class::chain) or they
    /// [themselves](super::Crowd::set_chain) have one of their own. By default WHCA*, then PIBT, then LaCAM.
    #[must_use]
    pub fn chain(self, chain: impl Into<Chain>) -> Self {
        Self { chain: chain.into(), ..self }
    }

    /// How many ticks pass between two plans of one agent.
    pub(super) fn period(&self, clock: Clock) -> Ticks {
        clock.ticks(self.interval.unwrap_or(self.depth.most() / 2).max(1))
    }

    /// How many ticks the deepest window lasts.
    pub(super) fn longest_window(&self, clock: Clock) -> Ticks {
        let grown = if self.growth.is_some() { GROWN } else { 1 };
        clock.ticks(self.depth.most().saturating_mul(grown))
    }
}
