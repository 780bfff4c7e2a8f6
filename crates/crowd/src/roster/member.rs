//! Members: what a crowd knows of one agent, except for its plan, which belongs to the ledger.

use giveway_core::{Agent, AgentId, Claim, Entry, Goals, NodeId, Tick, Trajectory};

use super::approach::Approach;
use super::itinerary::Itinerary;
use crate::chain::{Chain, Planner};
use crate::class_id::ClassId;
use crate::clock::Clock;
use crate::leg::Leg;
use crate::rank::{self, FIRM, RESTING};

/// The order of an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Errand {
    /// No order: the agent stands by, lets others pass and comes back.
    StandBy,
    /// An order to go somewhere.
    Go,
}

/// What windows remember of an agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct WindowMemory {
    /// How often the window is halved, because the whole budget of a tick was not enough to search it.
    halvings: u32,
    /// Whether the agent plans around all others, because the whole budget of a tick was not enough for those that it pushed aside.
    is_thrifty: bool,
    /// Whether the guard has stopped a long move of the agent since it last planned.
    pub(crate) stopped: bool,
}

/// After this many halvings a window of 2^32 ticks is one tick.
const MOST_HALVINGS: u32 = 31;

impl WindowMemory {
    /// Notes that the whole budget of a tick was not enough, for the agents that it pushed aside (`in_cascade`) or for itself: next time it asks for
    /// less.
    pub(crate) fn save(&mut self, in_cascade: bool) {
        if in_cascade {
            self.is_thrifty = true;
        } else {
            self.halvings = (self.halvings + 1).min(MOST_HALVINGS);
        }
    }

    /// Notes that a plan was found: the next one may take more work.
    pub(crate) fn spend(&mut self) {
        self.is_thrifty &= self.halvings > 0;
        self.halvings = self.halvings.saturating_sub(1);
    }

    /// Whether the agent plans around all others, so that nobody else plans.
    pub(crate) fn is_thrifty(&self) -> bool {
        self.is_thrifty
    }

    /// How often the window is halved.
    pub(crate) fn halvings(&self) -> u32 {
        self.halvings
    }
}

/// One agent of a crowd.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) id: AgentId,
    pub(crate) class: ClassId,
    pub(crate) priority: i32,
    pub(crate) errand: Errand,
    /// The goals; for a bystander, its place.
    pub(crate) goals: Goals,
    /// The cells of its one goal, which no other agent may have as a goal. None if there are several goals.
    pub(crate) claimed: Vec<Entry>,
    /// Where it is; while a motion is under way, where the motion began.
    pub(crate) node: NodeId,
    /// The move under way, if it takes longer than the tick in which it began.
    pub(crate) motion: Option<Leg>,
    /// What its last move still occupies, as it was when the move began: later changes of the space or of the class do not count. Footprints may hold
    /// more than the ticks of the move.
    pub(crate) swept: Vec<Entry>,
    /// The class with whose body it ends the move under way, and the tick at which that ends; `None`: its own class.
    pub(crate) moves_as: Option<(ClassId, Tick)>,
    /// How it drives that move; `None`: straight on.
    pub(crate) trajectory: Option<Trajectory>,
    /// Its motion in the tick that has passed.
    pub(crate) last: Leg,
    /// The tick since which it has to plan; `None`: its turn will come.
    pub(crate) due: Option<Tick>,
    /// How many agents came before it when its turn came.
    pub(crate) turn: usize,
    /// The tick at which it last tried to plan.
    pub(crate) tried: Option<Tick>,
    /// The tick since which its distance to the goals is known; `None`: the distance is not known.
    pub(crate) knows_since: Option<Tick>,
    /// Whether it has been on its goal since it was sent there.
    pub(crate) arrived: bool,
    /// Its chain of planners.
    pub(crate) chain: Chain,
    /// Whether the chain is its own, not that of its class or the crowd.
    pub(crate) has_own_chain: bool,
    pub(crate) approach: Approach,
    /// What windows remember of it.
    pub(crate) window: WindowMemory,
    /// What local repair remembers of it.
    pub(crate) itinerary: Itinerary,
    /// The planner of the move that it began last.
    pub(crate) moved_by: Option<Planner>,
}

impl Member {
    /// `agent`, without goals yet, which stands at its start.
    pub(crate) fn new(id: AgentId, class: ClassId, agent: &Agent, chain: Chain, now: Tick) -> Self {
        Self {
            id,
            class,
            priority: agent.priority,
            errand: Errand::of(agent),
            goals: Goals::from_iter([]),
            claimed: Vec::new(),
            node: agent.start,
            motion: None,
            swept: Vec::new(),
            moves_as: None,
            trajectory: None,
            last: Leg::resting(agent.start, now, now),
            due: Some(now),
            turn: 0,
            tried: None,
            knows_since: None,
            arrived: false,
            chain,
            has_own_chain: false,
            approach: Approach::setting_out(now),
            window: WindowMemory::default(),
            itinerary: Itinerary::default(),
            moved_by: None,
        }
    }

    /// Sets out at `now`: what is known of the way so far no longer counts.
    pub(crate) fn set_out(&mut self, now: Tick) {
        self.approach = Approach::setting_out(now);
        self.itinerary = Itinerary::default();
    }

    /// Notes that the space has changed: distances and routes so far no longer count.
    pub(crate) fn note_edit(&mut self) {
        self.approach.lose_sight();
        self.itinerary = Itinerary::default();
    }

    /// Drops the route, and resets the agitation.
    pub(crate) fn forget_route(&mut self) {
        self.itinerary = Itinerary::default();
    }

    /// Puts the agent on `node` at `now`.
    pub(crate) fn put(&mut self, node: NodeId, now: Tick) {
        self.node = node;
        self.motion = None;
        self.swept.clear();
        self.moves_as = None;
        self.trajectory = None;
        self.last = Leg::resting(node, now, now);
    }

    /// Makes the agent a unit of `class`. It ends its motion with the body that it has.
    pub(crate) fn change_class(&mut self, class: ClassId, now: Tick) {
        if self.body_class(now) == self.class {
            self.moves_as = self.motion.map(|motion| (self.class, motion.arrive));
        }
        self.class = class;
    }

    /// The class whose body it has at `now`.
    pub(crate) fn body_class(&self, now: Tick) -> ClassId {
        self.moves_as.filter(|(_, until)| now < *until).map_or(self.class, |(class, _)| class)
    }

    /// Makes the agent plan anew at `due`. If it still waits to find its way, it keeps its place in the queue.
    pub(crate) fn put_in_line(&mut self, due: Tick) {
        let waits = self.due.filter(|_| self.knows_since.is_none());
        self.due = waits.or(Some(due));
    }

    /// Makes the agent plan after all others that wait for work at `now`.
    pub(crate) fn queue_up(&mut self, now: Tick) {
        (self.due, self.turn) = (Some(now), usize::MAX);
    }

    /// The planner that serves the agent.
    pub(crate) fn planner(&self) -> Planner {
        self.chain.at(self.approach.position())
    }

    /// Changes to the next planner where it is time.
    pub(crate) fn take_turn(&mut self, clock: Clock) {
        if self.is_home() {
            self.approach.rests(clock);
        }
        self.approach.change_planner(&self.chain, clock);
    }

    /// Whether it rests so that as long as nobody changes it, a [turn](Self::take_turn) has the effect of all turns before it, and nothing else happens
    /// to it.
    pub(super) fn may_sleep(&self) -> bool {
        let has_arrived = self.arrived || self.errand == Errand::StandBy;
        self.is_home() && has_arrived && self.due.is_none() && self.swept.is_empty() && self.approach.is_steady()
    }

    /// Where and when the agent can next decide.
    pub(crate) fn free_at(&self, now: Tick) -> (NodeId, Tick) {
        self.motion.map_or((self.node, now), |motion| (motion.to, motion.arrive))
    }

    /// Whether it stands on one of its goals.
    pub(crate) fn is_home(&self) -> bool {
        self.motion.is_none() && self.goals.contains(self.node)
    }

    /// Notes that it stands on a goal. Returns whether it has just arrived there by order.
    pub(crate) fn arrives(&mut self) -> bool {
        let arrives = self.errand == Errand::Go && !self.arrived;
        self.arrived |= arrives;
        arrives
    }

    /// Whether it has an order and does not stand on a goal.
    pub(crate) fn is_under_way(&self) -> bool {
        self.errand == Errand::Go && !self.is_home()
    }

    /// Whether it is under way and has not tried to plan since it was added. Such an agent looks for a plan anyway, and has none to lose.
    pub(crate) fn is_new(&self) -> bool {
        self.is_under_way() && self.tried.is_none()
    }

    /// The claim with which it plans.
    pub(crate) fn claim(&self, clock: Clock) -> Claim {
        if self.is_under_way() && self.chain.makes_way() {
            Claim { agent: self.id, rank: rank::under_way(self.id, self.priority, self.approach.as_of, clock) }
        } else {
            self.claim_at_rest()
        }
    }

    /// The claim with which it stays where others may tell it to make way, if it can.
    pub(crate) fn claim_at_rest(&self) -> Claim {
        Claim { agent: self.id, rank: if self.chain.makes_way() { RESTING } else { FIRM } }
    }
}

impl Errand {
    /// The order of `agent` when it is added.
    pub(crate) fn of(agent: &Agent) -> Self {
        if agent.goals.nodes().is_empty() { Self::StandBy } else { Self::Go }
    }
}
