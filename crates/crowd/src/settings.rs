//! Settings: how a crowd plans.

use std::sync::Arc;

use giveway_core::Ticks;

use giveway_members::chain::Chain;
use giveway_members::clock::Clock;
use giveway_members::depth::Depth;
use giveway_members::manners::{SoftRests, WaitPenalty};
use giveway_strategies::Order;

/// The settings of a crowd: its [planners](Chain), how far ahead and how often agents plan, and the price of giving
/// way.
///
/// By default agents plan by WHCA*, windowed hierarchical cooperative A*: each agent plans a few steps ahead, follows
/// its plan for a while, and plans again. Agents on their goals plan, too. An agent that comes no nearer to its goal
/// falls back to LaCAM, and then to steps: see [`Chain::default`], and for jams see
/// [`Planner::Lacam`](crate::Planner::Lacam).
///
/// Every setting has a default, which suits crowds with room to move. Depths and intervals are in steps. The footprints
/// of the crowd's classes [set](giveway_core::Footprint::ticks_per_step) how many ticks a step lasts.
///
/// Sources: D. Silver, "Cooperative Pathfinding", AIIDE 2005, section 6; and AI Game Programming Wisdom 3, 2006,
/// section "The Game Must Go On".
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
    pub(super) stuck_after: Option<u32>,
    pub(super) rotation: bool,
    pub(super) currents: bool,
    pub(super) lateness: Lateness,
}

/// Windows grow to at most this many times their initial depth.
pub(super) const GROWN: u32 = 4;

/// The default depth.
const OF_PLAIN_STEPS: Depth = Depth::Fixed(16);

/// The default depth of agents that count by [steps of their own](crate::Class::step): on meshes deeper windows make
/// opposite streams wait for each other.
const OF_OWN_STEPS: Depth = Depth::Fixed(8);

/// When agents plan again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Replanning {
    /// About equally many agents plan at every tick. An agent plans again after one interval, or up to a quarter of the
    /// interval earlier: at the tick at which the fewest other agents plan. If far more agents would plan at a tick
    /// than on average, some of them plan up to half of the interval earlier. An agent may take over the turn of an
    /// agent that has left the crowd, up to an interval later, as long as its plan lasts.
    #[default]
    Staggered,
    /// All agents with equal intervals plan at the same ticks.
    AllAtOnce,
}

/// What becomes of the plans that count on a unit that is [late](crate::Crowd::hold).
///
/// With every variant, no units overlap. A unit whose move under way would run into the late unit is held, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Lateness {
    /// [`KeepOrder`](Self::KeepOrder) if a call holds the unit for less than a plain step, and otherwise
    /// [`PlanAnew`](Self::PlanAnew). A short delay is not worth a detour and the work of a new plan. A long delay is.
    #[default]
    ByLength,
    /// Plans stay, and their moves begin later, but no later than needed. Units pass each place in the order that was
    /// planned, so a late unit delays only the units behind it. Planned waits make up for lateness. The order counts
    /// until the units plan again at their next turns.
    ///
    /// In these cases a unit with a delayed plan drops the plan, and plans anew:
    /// * it would have to let a unit pass whose move is under way;
    /// * one of its moves cannot begin at the later tick;
    /// * its plan is by the [step planner](crate::Planner::Step), by PIBT or by local repair, which decide step by
    ///   step.
    ///
    /// Hönig, Kiesel, Tinka, Durham and Ayanian, "Persistent and Robust Execution of MAPF Schedules in Warehouses",
    /// IEEE Robotics and Automation Letters 4(2), 2019: dependencies between actions in place of times.
    KeepOrder,
    /// The late unit drops its plan. So does each unit with a plan through cells that the late unit now occupies. All
    /// these units plan anew at the next tick.
    PlanAnew,
}

impl Default for CrowdSettings {
    fn default() -> Self {
        Self::new()
    }
}

impl CrowdSettings {
    /// The default settings: a window of 16 steps, replanned every 8 steps, [staggered](Replanning::Staggered). On
    /// roads and on waypoints moves are long, and a class counts [steps of its own](crate::Class::step). Agents of
    /// such a class have a window of 8 of these steps, replanned every 4 of these steps.
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
            stuck_after: Some(60),
            rotation: true,
            currents: true,
            lateness: Lateness::default(),
        }
    }

    /// Sets a fixed window of `steps` steps; 0 counts as 1.
    #[must_use]
    pub fn window(self, steps: u32) -> Self {
        self.depth(Depth::Fixed(steps))
    }

    /// Sets how far ahead agents plan. A [depth of the class](crate::Class::depth) or a [depth of the
    /// agent](crate::Crowd::set_depth) takes precedence.
    #[must_use]
    pub fn depth(self, depth: Depth) -> Self {
        Self { depth: Some(depth), ..self }
    }

    /// Sets the interval between two plans of an agent, in steps; 0 counts as 1. The default is half of the depth of
    /// the agent, at least 1. The steps are plain steps. If a class has [steps of its own](crate::Class::step), its
    /// agents count these steps.
    #[must_use]
    pub fn interval(self, steps: u32) -> Self {
        Self { interval: Some(steps), ..self }
    }

    /// Sets when agents plan again; by default [staggered](Replanning::Staggered).
    #[must_use]
    pub fn replanning(self, replanning: Replanning) -> Self {
        Self { replanning, ..self }
    }

    /// Sets the order in which the agents of one tick plan; by default [rotating](Order::Rotating).
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
    /// make way and to come back, so other agents go around it if the detour costs less. The default is 3000. With 0,
    /// agents are pushed aside at no cost. Agents with a [priority](giveway_core::Agent::priority) above 0 never pay.
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
    /// the agent that pushed it, and may push other agents in turn. An agent that finds no plan at its own rank plans
    /// once at a rank above all other agents.
    #[must_use]
    pub fn promotion(self, promotion: bool) -> Self {
        Self { promotion, ..self }
    }

    /// Deepens the window of an agent that comes no nearer to its goal. Every `steps` steps without progress add a
    /// quarter of the depth, up to four times the depth. The default is 8; 0 counts as 1. `None`: windows do not grow.
    /// The windows of an agent never grow if its chain has [steps](crate::Chain::with_steps).
    #[must_use]
    pub fn growth(self, steps: Option<u32>) -> Self {
        Self { growth: steps, ..self }
    }

    /// Sets the maximum number of plans in one cascade. A cascade begins with the plan of one agent. Then the agents
    /// that it pushes aside plan, then the agents that these push aside, and so on. A longer cascade is rolled back.
    /// The default is 64; 0 counts as 1.
    #[must_use]
    pub fn cascade(self, agents: u32) -> Self {
        Self { cascade: agents.max(1), ..self }
    }

    /// With `descent`, agents try a greedy descent before they search. Each step of the descent is a move that leads
    /// nearer to the goal: the move with the least sum of its cost and the estimate at its end. If no other agent has
    /// reserved a part of the descent, the descent is the plan, even if a search would find a cheaper plan. Otherwise
    /// the agent searches. A descent takes one expansion per step.
    ///
    /// Off by default. Without `descent`, an agent uses a descent only to extend a plan, and only if the descent costs
    /// no more than the distance to the goal.
    #[must_use]
    pub fn descent(self, descent: bool) -> Self {
        Self { descent, ..self }
    }

    /// Sets the number of steps without progress after which a report names an agent as [stuck](crate::Report::stuck);
    /// 60 by default. An agent makes progress when it comes nearer to its goals than ever before since its order, and
    /// while it stands on one of its goals. 0 counts as 1. `None`: reports name no stuck agents.
    ///
    /// A crowd looks at each agent once in 16 ticks, so a report may name an agent up to 15 ticks later, and later
    /// still if the budget is used up. For each new stuck agent, the crowd searches for the agents in its way. If several
    /// agents are in the way, there is a further search for each of them. All these searches together look at no more
    /// than 512 places. If no way was found by then, a last search straight ahead looks at no more than 1024 places. The
    /// work of all searches counts towards the budget. Where the budget is used up, an eighth of it is kept for stuck
    /// agents at one tick in 256, and at most 8192 units of work. If half of what is left is too little for a least set,
    /// the report names the agents on the way straight ahead.
    #[must_use]
    pub fn stuck_after(self, steps: Option<u32>) -> Self {
        Self { stuck_after: steps.map(|steps| steps.max(1)), ..self }
    }

    /// Switches rotation on or off; on by default. Rotation concerns the agents that the [step
    /// planner](super::Planner::Step) serves. If these agents fill more than 60 % of the room for units, only some of
    /// them go to their goals at a time: as many as fill 45 % of the room. The agents with the oldest orders go first;
    /// among equally old orders, the agents with the lowest ids. All other agents stay where they are, and make way.
    #[must_use]
    pub fn rotation(self, rotation: bool) -> Self {
        Self { rotation, ..self }
    }

    /// Switches currents on or off; on by default. Where a unit has come no nearer for eight steps, and others that face
    /// it fill a place so narrow that it cannot pass them, such as a bridge, all units are to go through that place in
    /// one direction for 256 steps. After that the current is tried anew, as long as some units want to go along it and
    /// others against it. So two bridges serve one direction each. [`Crowd::currents`](super::Crowd::currents) tells which
    /// currents there are.
    ///
    /// A current begins only if a unit that has to turn round has a way that leads against no current and is at most 256
    /// steps longer. Beside another current, at most 192 steps away, it leads the other way; otherwise it leads where more
    /// units have to go. A way straight against a current counts as 1024 steps longer.
    ///
    /// Currents are for classes with positions, of at most 262,144 nodes. They begin in crowds in which a unit that
    /// occupies more than one cell has taken steps of the [step planner](super::Planner::Step). Units whose ways lead
    /// against a current go by tables of distances at its price, which take at most 128 MiB for each class, and know
    /// nothing of the class's own layer and heuristics. Finding them takes at most a quarter of the work of a tick. With less
    /// than 8,192 units of work for a tick, no current begins.
    #[must_use]
    pub fn currents(self, currents: bool) -> Self {
        Self { currents, ..self }
    }

    /// Sets what becomes of the plans that count on a [late](super::Crowd::hold) unit; by default [by
    /// length](Lateness::ByLength).
    #[must_use]
    pub fn lateness(self, lateness: Lateness) -> Self {
        Self { lateness, ..self }
    }

    /// Sets the chain of planners. A [chain of the class](super::Class::chain) or a [chain of the
    /// agent](super::Crowd::set_chain) takes precedence. The default is [`Chain::default`]: WHCA*, then LaCAM,
    /// then steps.
    #[must_use]
    pub fn chain(self, chain: impl Into<Chain>) -> Self {
        Self { chain: Arc::new(chain.into()), ..self }
    }

    /// The depth of the windows of an agent with the depth `own`, or none; `own_steps`: it counts by steps of its
    /// class.
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
