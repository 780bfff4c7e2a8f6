//! Members: all that a crowd knows of one agent, except for its plan, which belongs to the ledger.

mod written;

use std::sync::Arc;

use giveway_core::{Agent, AgentId, Claim, Digest, Tick, Ticks};

use super::approach::Approach;
use super::bits;
use super::itinerary::Itinerary;
use super::journey::Journey;
use super::motion::Motion;
use super::order::{Errand, Order};
use super::patience::Patience;
use super::turn::Turn;
use super::window_memory::WindowMemory;
use crate::chain::{Chain, Kind, Planner};
use crate::class_id::ClassId;
use crate::clock::Clock;
use crate::depth::Depth;
use crate::rank::{self, FIRM, RESTING};

pub use written::Frame;

/// The rules of a class for its members.
pub struct ClassRules {
    pub chain: Arc<Chain>,
    /// How long a step is, in ticks; `None`: a plain step.
    pub step: Option<Ticks>,
    /// How far ahead units plan; `None`: as the crowd does.
    pub depth: Option<Depth>,
}

/// What decides, beside its chain, by which planner a member of a class is served at a tick.
#[derive(Clone, Copy, Debug)]
pub struct TurnTerms {
    /// LaCAM can serve the members.
    pub fits_knots: bool,
    /// The budget is short, or was until lately, and steps serve the members well.
    pub is_short: bool,
    /// What members do that come no nearer by steps.
    pub patience: Patience,
    /// If [`is_short`](Self::is_short): for so many steps the budget has not been short any more; 0: it is short now.
    /// Members change back to their chains one after the other, within [`SPREAD`] steps.
    pub over_for: Ticks,
}

/// The number of steps after a shortage within which all members change back to their chains.
pub const SPREAD: Ticks = 16;

/// One agent of a crowd. Each part says by its methods what may happen to it.
///
/// First, side by side, comes what each tick reads of an agent that moves.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Member {
    pub motion: Motion,
    pub approach: Approach,
    pub order: Order,
    pub turn: Turn,
    chain: Arc<Chain>,
    id: AgentId,
    class: ClassId,
    /// How long a step of its class is, if the class has a step of its own.
    step: Option<Ticks>,
    priority: i32,
    /// Whether it takes steps in place of what its chain says: while the budget is short, or where it is LaCAM's turn,
    /// and no knot can take the agent.
    steps_instead: bool,
    /// Whether the chain is the agent's own, not the chain of its class or of the crowd.
    has_own_chain: bool,
    /// Whether it was reported as stuck, and has not come free since.
    is_stuck: bool,
    /// Whether it goes along a path that it was given, at fixed ticks.
    goes_along: bool,
    /// Whether an agent on a path of its own is about to come to where it is. Of use within a tick.
    hurries: bool,
    /// The depth of its class.
    class_depth: Option<Depth>,
    /// A depth of its own.
    own_depth: Option<Depth>,
    /// The memory of windows.
    pub window: WindowMemory,
    /// The memory of the step planner.
    pub journey: Journey,
    /// The memory of local repair.
    pub itinerary: Itinerary,
}

impl Member {
    /// `agent`, without goals yet, which stands at its start.
    pub fn new(id: AgentId, (class, rules): (ClassId, ClassRules), agent: &Agent, now: Tick) -> Self {
        Self {
            id,
            class,
            step: rules.step,
            class_depth: rules.depth,
            own_depth: None,
            priority: agent.priority,
            chain: rules.chain,
            steps_instead: false,
            has_own_chain: false,
            order: Order::new(Errand::of(agent)),
            motion: Motion::standing(agent.start, now),
            turn: Turn::new(now),
            approach: Approach::setting_out(now),
            window: WindowMemory::default(),
            journey: Journey::setting_out(now),
            itinerary: Itinerary::default(),
            is_stuck: false,
            goes_along: false,
            hurries: false,
        }
    }

    #[inline]
    pub fn id(&self) -> AgentId {
        self.id
    }

    #[inline]
    pub fn class(&self) -> ClassId {
        self.class
    }

    /// The priority that counts at this tick.
    #[inline]
    pub fn priority(&self) -> i32 {
        if self.hurries { i32::MAX } else { self.priority }
    }

    /// Gives the agent another priority, from its next plan on.
    #[inline]
    pub fn set_priority(&mut self, priority: i32) {
        self.priority = priority;
    }

    /// Whether it goes along a path that it was given, at fixed ticks. No planner serves it meanwhile.
    #[inline]
    pub fn goes_along(&self) -> bool {
        self.goes_along
    }

    /// Notes that it goes along a path that it was given, or no longer does.
    #[inline]
    pub fn set_goes_along(&mut self, goes_along: bool) {
        self.goes_along = goes_along;
    }

    /// Makes it go before all others at this tick.
    #[inline]
    pub fn hurry(&mut self) {
        self.hurries = true;
    }

    /// Notes that the tick is over.
    #[inline]
    pub fn calm_down(&mut self) {
        self.hurries = false;
    }

    /// Whether it goes before all others at this tick.
    #[inline]
    pub fn hurries(&self) -> bool {
        self.hurries
    }

    /// Whether it can be told to make way for others.
    #[inline]
    pub fn makes_way(&self) -> bool {
        self.chain.makes_way() && !self.goes_along
    }

    /// Its chain of planners.
    #[inline]
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// Gives the agent a chain of its own.
    #[inline]
    pub fn set_chain(&mut self, chain: Chain) {
        (self.chain, self.has_own_chain) = (Arc::new(chain), true);
    }

    /// Sets out at `now`: what is known of the way so far no longer counts.
    #[inline]
    pub fn set_out(&mut self, now: Tick) {
        self.approach = Approach::setting_out(now);
        self.journey = Journey::setting_out(now);
        self.itinerary = Itinerary::default();
    }

    /// Notes that the space has changed: distances and routes so far no longer count.
    #[inline]
    pub fn note_edit(&mut self, now: Tick) {
        self.approach.lose_sight(now);
        self.itinerary = Itinerary::default();
    }

    /// Drops the route, and resets the agitation.
    #[inline]
    pub fn forget_route(&mut self) {
        self.itinerary = Itinerary::default();
    }

    /// Makes the agent a unit of `class`, under `rules`. A motion under way ends with the former body.
    #[inline]
    pub fn change_class(&mut self, class: ClassId, rules: ClassRules) {
        self.motion.end_as(self.class);
        self.class = class;
        (self.step, self.class_depth) = (rules.step, rules.depth);
        if !self.has_own_chain {
            self.chain = rules.chain;
        }
    }

    /// The class whose body the agent has at `now`.
    #[inline]
    pub fn body_class(&self, now: Tick) -> ClassId {
        self.motion.ends_as(now).unwrap_or(self.class)
    }

    /// The class with whose body the agent made its last move, which may be under way.
    #[inline]
    pub fn class_of_move(&self) -> ClassId {
        self.motion.moves_as().unwrap_or(self.class)
    }

    /// How far ahead the agent plans: its own depth, else the depth of its class. `None`: the depth of the crowd.
    #[inline]
    pub fn depth(&self) -> Option<Depth> {
        self.own_depth.or(self.class_depth)
    }

    /// Gives the agent a depth of its own, or takes it away.
    #[inline]
    pub fn set_depth(&mut self, depth: Option<Depth>) {
        self.own_depth = depth;
    }

    /// Whether the agent counts by steps of its class, not by plain steps.
    #[inline]
    pub fn counts_own_steps(&self) -> bool {
        self.step.is_some()
    }

    /// The crowd's `clock`, in steps of the agent's class.
    #[inline]
    pub fn clock(&self, clock: Clock) -> Clock {
        clock.of(self.step)
    }

    /// The kind of the planner that serves the agent.
    #[inline]
    pub fn kind(&self) -> Kind {
        if self.takes_steps_instead() { Kind::Step } else { self.chain.kind_at(self.approach.position()) }
    }

    /// The planner that serves the agent.
    #[inline]
    pub fn planner(&self) -> Planner {
        if self.takes_steps_instead() { Planner::Step } else { self.chain.at(self.approach.position()) }
    }

    /// Whether it takes steps in place of what its chain says.
    #[inline]
    pub fn takes_steps_instead(&self) -> bool {
        self.steps_instead
    }

    /// Changes to the next planner where it is time.
    #[inline]
    pub fn take_turn(&mut self, clock: Clock, terms: TurnTerms) {
        if self.is_home() {
            self.approach.rests(clock);
        }
        // Of long moves a few steps are too few: the next planner does better then.
        let takes_steps = !self.counts_own_steps();
        self.approach.change_planner(&self.chain, clock, terms.fits_knots || takes_steps);
        let is_jointly = self.chain.kind_at(self.approach.position()) == Kind::Lacam;
        // Who comes no nearer by steps for long has the turns of its chain.
        let steps_on = clock.now.saturating_sub(self.approach.nearer_at());
        let is_stuck = terms.patience.ends_after(steps_on, clock);
        let is_over = terms.over_for > self.id.0 % SPREAD;
        let is_short = terms.is_short && !is_over && self.chain.has_steps_when_short() && !is_stuck;
        self.steps_instead = is_short || is_jointly && !terms.fits_knots;
    }

    /// Adds what is known of the agent to `digest`, but not what its class or the crowd says.
    pub fn feed(&self, digest: &mut Digest) {
        digest.pair(self.id.0, self.class.0);
        let flags = [self.steps_instead, self.has_own_chain, self.is_stuck, self.own_depth.is_some(), self.goes_along];
        digest.pair(self.priority.cast_unsigned(), bits(flags));
        if self.has_own_chain {
            digest.text(&format!("{:?}", self.chain));
        }
        if let Some(depth) = self.own_depth {
            digest.text(&format!("{depth:?}"));
        }
        self.motion.feed(digest);
        self.approach.feed(digest);
        self.order.feed(digest);
        self.turn.feed(digest);
        self.window.feed(digest);
        self.journey.feed(digest);
        self.itinerary.feed(digest);
    }

    /// Whether ticks may skip this member: it rests on its goal, and one later [turn](Self::take_turn) equals all the
    /// turns it missed.
    #[inline]
    pub fn may_sleep(&self) -> bool {
        let has_arrived = self.order.has_arrived() || self.order.stands_by();
        let is_idle = self.turn.due().is_none() && self.motion.swept().is_empty() && self.approach.is_steady();
        self.is_home() && has_arrived && is_idle && !self.goes_along
    }

    /// Whether it was reported as stuck, and has not come free since.
    #[inline]
    pub fn is_stuck(&self) -> bool {
        self.is_stuck
    }

    /// Notes that it is reported as stuck, or as free again.
    #[inline]
    pub fn set_stuck(&mut self, is_stuck: bool) {
        self.is_stuck = is_stuck;
    }

    /// Whether it stands on one of its goals.
    #[inline]
    pub fn is_home(&self) -> bool {
        let is_there = !self.motion.is_moving() || self.motion.stays().is_some();
        is_there && self.order.goals().contains(self.motion.node())
    }

    /// Whether it has an order and does not stand on a goal.
    #[inline]
    pub fn is_under_way(&self) -> bool {
        !self.order.stands_by() && !self.is_home()
    }

    /// Whether it is under way, and has stood in one place for so many steps.
    pub fn stands_for(&self, steps: Ticks, clock: Clock) -> bool {
        let stood = clock.now.saturating_sub(self.motion.rests_since());
        let is_free = self.makes_way() && !self.motion.is_moving();
        self.is_under_way() && is_free && stood >= clock.ticks(steps)
    }

    /// Whether it has been where it is to be: it stands by, or has arrived, and comes back if it was pushed aside.
    #[inline]
    pub fn returns(&self) -> bool {
        self.order.stands_by() || self.order.has_arrived()
    }

    /// Whether the agent is under way and has not tried to plan since it was added. Such an agent plans in any case,
    /// and has no plan to lose.
    #[inline]
    pub fn is_new(&self) -> bool {
        self.is_under_way() && !self.turn.has_tried()
    }

    /// The claim with which it plans.
    #[inline]
    pub fn claim(&self, clock: Clock) -> Claim {
        if (self.hurries || self.is_under_way()) && self.makes_way() {
            Claim { agent: self.id, rank: rank::under_way(self.id, self.priority(), self.approach.as_of(), clock) }
        } else {
            self.claim_at_rest()
        }
    }

    /// The claim with which it stays where others may tell it to make way, if it can.
    #[inline]
    pub fn claim_at_rest(&self) -> Claim {
        Claim { agent: self.id, rank: if self.makes_way() { RESTING } else { FIRM } }
    }
}
