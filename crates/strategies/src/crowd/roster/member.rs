//! Members: what a crowd knows of one agent, but for its plan, which is the ledger's.

use giveway_core::{Agent, AgentId, Claim, Entry, Goals, NodeId, Tick, Trajectory};

use super::approach::Approach;
use super::itinerary::Itinerary;
use crate::crowd::ClassId;
use crate::crowd::chain::{Chain, Planner};
use crate::crowd::clock::Clock;
use crate::crowd::leg::Leg;
use crate::crowd::rank::{self, FIRM, RESTING};

/// What an agent has been told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::crowd) enum Errand {
    /// Nothing: it stands by, lets others pass and comes back.
    StandBy,
    /// To go somewhere.
    Go,
}

/// What windows remember of an agent.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct WindowMemory {
    /// How often its window was cut in half because the whole budget of a tick was not enough.
    halvings: u32,
    /// Whether the guard has stopped a longer move of it since it last planned.
    pub(in crate::crowd) stopped: bool,
}

/// Windows of 2^32 ticks have become one tick by then.
const MOST_HALVINGS: u32 = 31;

impl WindowMemory {
    /// The whole budget of a tick was not enough.
    pub(in crate::crowd) fn halve(&mut self) {
        self.halvings = (self.halvings + 1).min(MOST_HALVINGS);
    }

    /// It has found a plan: the next window is as deep as any.
    pub(in crate::crowd) fn forget_halvings(&mut self) {
        self.halvings = 0;
    }

    /// How often its window is cut in half.
    pub(in crate::crowd) fn halvings(&self) -> u32 {
        self.halvings
    }
}

/// One agent of a crowd.
#[derive(Clone, Debug)]
pub(in crate::crowd) struct Member {
    pub(in crate::crowd) id: AgentId,
    pub(in crate::crowd) class: ClassId,
    pub(in crate::crowd) priority: i32,
    pub(in crate::crowd) errand: Errand,
    /// Where it wants to be; for who stands by, where it stood.
    pub(in crate::crowd) goals: Goals,
    /// The cells of its one goal, that nobody else may have as a goal. None if there is a choice of goals.
    pub(in crate::crowd) claimed: Vec<Entry>,
    /// Where it is; while a motion is under way, where that began.
    pub(in crate::crowd) node: NodeId,
    /// The move under way, if it takes longer than the tick in which it began.
    pub(in crate::crowd) motion: Option<Leg>,
    /// What the move that it began last occupies, as far as that is not over: as it was when it began, whatever becomes of the space or
    /// of the agent's class. Footprints may hold more than the ticks of the move.
    pub(in crate::crowd) swept: Vec<Entry>,
    /// How it drives that move; `None`: straight on.
    pub(in crate::crowd) trajectory: Option<Trajectory>,
    /// What it did in the tick that has passed.
    pub(in crate::crowd) last: Leg,
    /// Since when it ought to plan; `None`: its turn will come.
    pub(in crate::crowd) due: Option<Tick>,
    /// How many came before it when its turn came.
    pub(in crate::crowd) turn: usize,
    /// When it last tried to plan.
    pub(in crate::crowd) tried: Option<Tick>,
    /// Since when it is known how far it has to go; `None`: it is not known.
    pub(in crate::crowd) knows_since: Option<Tick>,
    /// Whether it has been on its goal since it was told to go there.
    pub(in crate::crowd) arrived: bool,
    /// By which planners it plans.
    pub(in crate::crowd) chain: Chain,
    /// Whether that is its own, and not that of its class or the crowd.
    pub(in crate::crowd) has_own_chain: bool,
    pub(in crate::crowd) approach: Approach,
    /// What windows remember of it.
    pub(in crate::crowd) window: WindowMemory,
    /// What local repair remembers of it.
    pub(in crate::crowd) itinerary: Itinerary,
    /// Which planner planned the move that it began last.
    pub(in crate::crowd) moved_by: Option<Planner>,
}

impl Member {
    /// `agent`, without goals yet, which stands at its start.
    pub(in crate::crowd) fn new(id: AgentId, class: ClassId, agent: &Agent, chain: Chain, now: Tick) -> Self {
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

    /// It sets out at `now`: what is known of its way so far is of no use any more.
    pub(in crate::crowd) fn set_out(&mut self, now: Tick) {
        self.approach = Approach::setting_out(now);
        self.itinerary = Itinerary::default();
    }

    /// Its space has changed: how near it has been says nothing any more, nor where its route led.
    pub(in crate::crowd) fn note_edit(&mut self) {
        self.approach.lose_sight();
        self.itinerary = Itinerary::default();
    }

    /// It is calm, and has no route.
    pub(in crate::crowd) fn forget_route(&mut self) {
        self.itinerary = Itinerary::default();
    }

    /// It is put on `node` at `now`.
    pub(in crate::crowd) fn put(&mut self, node: NodeId, now: Tick) {
        self.node = node;
        self.motion = None;
        self.swept.clear();
        self.trajectory = None;
        self.last = Leg::resting(node, now, now);
    }

    /// Makes it plan anew at `due`. If it is still waiting to find its way, it keeps its place among those who do.
    pub(in crate::crowd) fn put_in_line(&mut self, due: Tick) {
        let waits = self.due.filter(|_| self.knows_since.is_none());
        self.due = waits.or(Some(due));
    }

    /// Which planner plans it.
    pub(in crate::crowd) fn planner(&self) -> Planner {
        self.chain.at(self.approach.position())
    }

    /// Where it will be when it can next decide, and when.
    pub(in crate::crowd) fn free_at(&self, now: Tick) -> (NodeId, Tick) {
        self.motion.map_or((self.node, now), |motion| (motion.to, motion.arrive))
    }

    /// Whether it stands where it wants to be.
    pub(in crate::crowd) fn is_home(&self) -> bool {
        self.motion.is_none() && self.goals.contains(self.node)
    }

    /// Whether it has a goal and does not stand on it.
    pub(in crate::crowd) fn is_under_way(&self) -> bool {
        self.errand == Errand::Go && !self.is_home()
    }

    /// Whether it is under way and has not tried to plan since it came: it looks for a plan anyway, and has none that could be
    /// spoilt.
    pub(in crate::crowd) fn is_new(&self) -> bool {
        self.is_under_way() && self.tried.is_none()
    }

    /// As whom it plans.
    pub(in crate::crowd) fn claim(&self, clock: Clock) -> Claim {
        if self.is_under_way() && self.chain.makes_way() {
            Claim { agent: self.id, rank: rank::under_way(self.id, self.priority, self.approach.as_of, clock) }
        } else {
            self.claim_at_rest()
        }
    }

    /// As whom it stays where others may tell it to make way, if it can.
    pub(in crate::crowd) fn claim_at_rest(&self) -> Claim {
        Claim { agent: self.id, rank: if self.chain.makes_way() { RESTING } else { FIRM } }
    }
}

impl Errand {
    /// What `agent` is told when it is added.
    pub(in crate::crowd) fn of(agent: &Agent) -> Self {
        if agent.goals.nodes().is_empty() { Self::StandBy } else { Self::Go }
    }
}
