//! Members: what a crowd knows of one agent.

use giveway_core::{AgentId, CellId, Claim, Course, Entry, Goals, NodeId, Tick};

use super::ClassId;
use super::chain::{Chain, Link};
use super::leg::Leg;
use super::local_repair::Itinerary;
use super::progress::Progress;
use super::rank::{self, Clock, FIRM, RESTING};

/// What an agent has been told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Errand {
    /// Nothing: it stands by, lets others pass and comes back.
    StandBy,
    /// To go somewhere.
    Go,
}

/// One agent of a crowd.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) class: ClassId,
    pub(super) priority: i32,
    pub(super) errand: Errand,
    /// Where it wants to be; for who stands by, where it stood.
    pub(super) goals: Goals,
    /// The cells of its one goal, that nobody else may have as a goal. None if there is a choice of goals.
    pub(super) claimed: Vec<Entry>,
    /// Where it is; while a motion is under way, where that began.
    pub(super) node: NodeId,
    /// The move under way, if it takes longer than the tick in which it began.
    pub(super) motion: Option<Leg>,
    /// What the move that it began last occupies, as far as that is not over: as it was when it began, whatever becomes of the space or
    /// of the agent's class. Footprints may hold more than the ticks of the move.
    pub(super) swept: Vec<Entry>,
    /// How it drives that move; `None`: straight on.
    pub(super) course: Option<Course>,
    /// What it did in the tick that has passed.
    pub(super) last: Leg,
    pub(super) plan: Schedule,
    /// Since when it ought to plan; `None`: its turn will come.
    pub(super) due: Option<Tick>,
    /// How many came before it when its turn came.
    pub(super) turn: usize,
    /// When it last tried to plan.
    pub(super) tried: Option<Tick>,
    /// Since when it is known how far it has to go; `None`: it is not known.
    pub(super) knows_since: Option<Tick>,
    /// How often its window was cut in half because the whole budget of a tick was not enough.
    pub(super) halvings: u32,
    /// Whether it has been on its goal since it was told to go there.
    pub(super) arrived: bool,
    /// By which strategies it plans.
    pub(super) chain: Chain,
    /// Whether that is its own, and not that of its class or the crowd.
    pub(super) own_chain: bool,
    pub(super) progress: Progress,
    /// Whether the guard has stopped a longer move of it since it last planned.
    pub(super) stopped: bool,
    pub(super) itinerary: Itinerary,
    /// Which link planned the move that it began last.
    pub(super) moved_by: Option<Link>,
}

/// What an agent will do, all of it reserved.
#[derive(Clone, Debug, Default)]
pub(super) struct Schedule {
    legs: Vec<Leg>,
    /// The first leg that has not passed.
    next: usize,
    /// The rest without end after the last leg, if the store holds it.
    pub(super) rest: Option<Rest>,
    /// Which link planned it; `None`: it is no plan, the agent stands where it has to.
    pub(super) by: Option<Link>,
}

/// A rest without end.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    /// From when on others may plan through it, if they may.
    pub(super) from: Tick,
    /// Where others may plan through it; empty: nowhere.
    pub(super) cells: Vec<CellId>,
}

impl Rest {
    /// The rest that `entries` reserve, and that others may plan through.
    pub(super) fn of(from: Tick, entries: &[Entry]) -> Self {
        Self { from, cells: entries.iter().map(|entry| entry.cell).collect() }
    }
}

impl Schedule {
    pub(super) fn new(legs: Vec<Leg>, rest: Option<Rest>) -> Self {
        Self { legs, next: 0, rest, by: None }
    }

    /// The same, planned by `link`.
    pub(super) fn by(self, link: Link) -> Self {
        Self { by: Some(link), ..self }
    }

    /// What is left of it.
    pub(super) fn ahead(&self) -> &[Leg] {
        &self.legs[self.next..]
    }

    pub(super) fn has_moves(&self) -> bool {
        self.ahead().iter().any(Leg::is_move)
    }

    /// Lets the legs pass that end by `now`.
    pub(super) fn pass(&mut self, now: Tick) {
        self.next += self.ahead().iter().take_while(|leg| leg.arrive <= now).count();
    }

    /// Whether it says what to do at `now`, be it to stay.
    pub(super) fn covers(&self, now: Tick) -> bool {
        self.ahead().first().map_or(self.rest.is_some(), |leg| leg.depart <= now)
    }

    /// The move that is to begin at `now`.
    pub(super) fn move_at(&self, now: Tick) -> Option<&Leg> {
        self.ahead().first().filter(|leg| leg.is_move() && leg.depart == now)
    }
}

impl Member {
    /// It sets out at `now`: what it knows of its way so far is of no use any more.
    pub(super) fn set_out(&mut self, now: Tick) {
        self.progress = Progress::setting_out(now);
        self.itinerary = Itinerary::default();
    }

    /// Its space has changed: how near it has been says nothing any more, nor where its route led.
    pub(super) fn note_edit(&mut self) {
        self.progress.lose_sight();
        self.itinerary = Itinerary::default();
    }

    /// Where it will be when it can next decide.
    pub(super) fn free_at(&self, now: Tick) -> (NodeId, Tick) {
        self.motion.map_or((self.node, now), |motion| (motion.to, motion.arrive))
    }

    /// Whether it stands where it wants to be.
    pub(super) fn is_home(&self) -> bool {
        self.motion.is_none() && self.goals.contains(self.node)
    }

    /// Whether it has a goal and does not stand on it.
    pub(super) fn is_under_way(&self) -> bool {
        self.errand == Errand::Go && !self.is_home()
    }

    /// Whether it stands where it wants to be, and may stay for as long as nobody of higher rank comes.
    pub(super) fn is_at_ease(&self) -> bool {
        self.is_home() && self.plan.rest.is_some() && !self.plan.has_moves()
    }

    /// Whether it has moves to make that another link than `link` has planned.
    pub(super) fn follows_another(&self, link: Link) -> bool {
        self.plan.by.is_some_and(|by| by != link) && self.plan.has_moves()
    }

    /// Whether it follows a plan that was made for it together with others.
    pub(super) fn is_in_knot(&self) -> bool {
        self.plan.by == Some(Link::Joint) && !self.is_at_ease()
    }

    /// Whether it is under way and has not tried to plan since it came: it looks for a plan anyway, and has none that could be
    /// spoilt.
    pub(super) fn is_new(&self) -> bool {
        self.is_under_way() && self.tried.is_none()
    }

    /// As whom it plans.
    pub(super) fn claim(&self, agent: AgentId, clock: Clock) -> Claim {
        if self.is_under_way() && self.chain.makes_way() {
            Claim { agent, rank: rank::under_way(agent, self.priority, self.progress.as_of, clock) }
        } else {
            self.claim_at_rest(agent)
        }
    }

    /// As whom it stays where others may tell it to make way, if it can.
    pub(super) fn claim_at_rest(&self, agent: AgentId) -> Claim {
        Claim { agent, rank: if self.chain.makes_way() { RESTING } else { FIRM } }
    }
}
