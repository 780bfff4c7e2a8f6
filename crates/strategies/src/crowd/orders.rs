//! Orders: what a crowd is told between ticks.

use giveway_core::{Agent, AgentId, Cells, Entry, FOREVER, Goals, NodeId, ReservationStore, Tick};

use super::destination::{Around, room_at};
use super::error::CrowdError;
use super::leg::Leg;
use super::local_repair::Itinerary;
use super::member::{Errand, Member, Rest, Schedule};
use super::outward::Counts;
use super::progress::Progress;
use super::rank::BEGUN;
use super::{ClassId, Crowd};

impl<R: ReservationStore> Crowd<'_, R> {
    /// Adds an agent of `class` at its start. It plans at the next tick. Priorities beyond 2046, up or down, count as 2046.
    ///
    /// If it has one goal, and somebody else has been sent there, it goes to the nearest free place instead; ask
    /// [`goals`](Self::goals). Whoever was to pass over its start plans anew.
    ///
    /// # Errors
    /// The class, the start or a goal does not exist, somebody is at the start or under way to it, or there is no free
    /// place. Nothing has changed.
    pub fn add(&mut self, class: ClassId, agent: Agent) -> Result<AgentId, CrowdError> {
        let id = AgentId(self.next_id);
        let next_id = self.next_id.checked_add(1).ok_or(CrowdError::TooMany)?;
        if class.0 as usize >= self.classes.len() {
            return Err(CrowdError::NoSuchClass(class));
        }
        self.check_free(id, class, agent.start, self.now)?;
        let errand = if agent.goals.nodes().is_empty() { Errand::StandBy } else { Errand::Go };
        let wanted = if errand == Errand::Go { agent.goals } else { Goals::one(agent.start) };
        let goals = self.assign(id, class, errand, &wanted)?;

        self.next_id = next_id;
        let last = Leg::resting(agent.start, self.now, self.now);
        let member = Member {
            class,
            priority: agent.priority,
            errand,
            goals: Goals::from_iter([]),
            claimed: Vec::new(),
            node: agent.start,
            motion: None,
            swept: Vec::new(),
            course: None,
            last,
            plan: Schedule::default(),
            due: Some(self.now),
            turn: 0,
            tried: None,
            knows_since: None,
            halvings: 0,
            arrived: false,
            chain: self.chain_of(class),
            own_chain: false,
            progress: Progress::setting_out(self.now),
            stopped: false,
            itinerary: Itinerary::default(),
            moved_by: None,
        };
        self.members.insert(id, member);
        self.set_goals(id, errand, goals);
        self.take_place(id);
        Ok(id)
    }

    /// Removes `agent` and all that it has reserved.
    ///
    /// # Errors
    /// There is no such agent.
    pub fn remove(&mut self, agent: AgentId) -> Result<(), CrowdError> {
        let member = self.members.shift_remove(&agent).ok_or(CrowdError::NoSuchAgent(agent))?;
        self.destinations.give_up(agent, &member.claimed);
        member.plan.rest.iter().for_each(|rest| self.resters.forget(agent, rest));
        self.store.release(agent, 0);
        self.presence = None;
        Ok(())
    }

    /// Sends `agent` to `goals`, any of which will do. Returns where it will go: if it is one goal, and somebody else has
    /// been sent there, to the nearest free place, and if it is several, to those that are free.
    ///
    /// A bystander whose place somebody is sent to moves to the nearest free place when that one comes. Of several goals
    /// none is kept for anybody: if more agents share them than there are goals, the last ones never rest.
    ///
    /// Looking for a free place takes time in proportion to the places nearer to the goal that are taken; if others were sent to the same
    /// goals shortly before, to those of them that were taken or given up since.
    ///
    /// # Errors
    /// The agent or a goal does not exist, there is no goal, or no free place that can be reached from the goals. The agent
    /// goes on as before.
    pub fn send(&mut self, agent: AgentId, goals: impl Into<Goals>) -> Result<Goals, CrowdError> {
        let class = self.members.get(&agent).ok_or(CrowdError::NoSuchAgent(agent))?.class;
        let goals = self.assign(agent, class, Errand::Go, &goals.into())?;
        self.set_goals(agent, Errand::Go, goals.clone());
        Ok(goals)
    }

    /// Tells `agent` to stand by: it stops as soon as the move that it is making is done, and from then on lets others
    /// pass and comes back. Returns where that is: if it is somebody else's goal, the nearest place that is not.
    ///
    /// # Errors
    /// There is no such agent, or no free place.
    pub fn stop(&mut self, agent: AgentId) -> Result<NodeId, CrowdError> {
        let member = self.members.get(&agent).ok_or(CrowdError::NoSuchAgent(agent))?;
        let (class, (node, _)) = (member.class, member.free_at(self.now));
        let goals = self.assign(agent, class, Errand::StandBy, &Goals::one(node))?;
        self.set_goals(agent, Errand::StandBy, goals.clone());
        Ok(goals.nodes().first().copied().unwrap_or(node))
    }

    /// Puts `agent` on `node`, because the world moved it there. It loses its plan, and whoever was to pass there loses
    /// theirs; they plan anew at the next tick. A bystander stands by there from now on.
    ///
    /// # Errors
    /// The agent or the node does not exist, or somebody is there or under way to it. Nothing has changed.
    pub fn place(&mut self, agent: AgentId, node: NodeId) -> Result<(), CrowdError> {
        let member = self.members.get(&agent).ok_or(CrowdError::NoSuchAgent(agent))?;
        let (class, errand) = (member.class, member.errand);
        self.check_free(agent, class, node, self.now)?;
        let stands_by = errand == Errand::StandBy;
        let home = stands_by.then(|| self.assign(agent, class, errand, &Goals::one(node))).transpose()?;

        self.store.release(agent, 0);
        self.presence = None;
        let now = self.now;
        if let Some(member) = self.members.get_mut(&agent) {
            member.node = node;
            member.motion = None;
            member.swept.clear();
            member.course = None;
            member.last = Leg::resting(node, now, now);
        }
        self.change_plan(agent, Schedule::default());
        if let Some(home) = home {
            self.set_goals(agent, errand, home);
        }
        self.take_place(agent);
        Ok(())
    }

    /// Makes `agent` a unit of `class`, because it has become faster or slower, say. A move that it is making ends as it began; from
    /// then on it plans as one of that class. Both classes must number their nodes alike.
    ///
    /// # Errors
    /// There is no such agent or class, the classes differ in their [bodies](super::Class::body) or in where the nodes lie on which the agent
    /// is or will be, or to which it was sent; a unit of the class cannot be there, somebody is in its way, or there is no free goal.
    /// Nothing has changed.
    pub fn change_class(&mut self, agent: AgentId, class: ClassId) -> Result<(), CrowdError> {
        let member = self.members.get(&agent).ok_or(CrowdError::NoSuchAgent(agent))?;
        let new = self.classes.get(class.0 as usize).ok_or(CrowdError::NoSuchClass(class))?;
        if new.body() != self.body(member.class) {
            return Err(CrowdError::OtherBody(class));
        }
        let (node, from) = member.free_at(self.now);
        if let Some(goal) = member.goals.nodes().iter().find(|goal| !new.contains(**goal)) {
            return Err(CrowdError::NoSuchNode(*goal));
        }
        let old = &self.classes[member.class.0 as usize];
        let place = |class: &dyn super::any_class::AnyClass<R>, node| (class.position(node), class.heading(node));
        let nodes = member.goals.nodes().iter().copied().chain([member.node, node]);
        if let Some(other) = { nodes }.find(|node| place(&**old, *node) != place(&**new, *node)) {
            return Err(CrowdError::OtherPlace(other));
        }
        let (errand, arrived) = (member.errand, member.arrived);
        let goals = member.goals.clone();
        let goals = self.assign(agent, class, errand, &goals)?;
        self.check_free(agent, class, node, from)?;

        let chain = self.chain_of(class);
        if let Some(member) = self.members.get_mut(&agent) {
            member.class = class;
            if !member.own_chain {
                member.chain = chain;
            }
            self.destinations.give_up(agent, &member.claimed);
            member.claimed.clear();
            // So that they are claimed anew.
            member.goals = Goals::from_iter([]);
        }
        self.set_goals(agent, errand, goals);
        if let Some(member) = self.members.get_mut(&agent) {
            member.arrived = arrived && member.is_home();
        }
        self.presence = None;
        self.lose_plan(agent, self.now);
        Ok(())
    }

    /// Closes or opens `node` in the space of `class`: of this class only. Returns whether that changed anything. If it did, all agents of the class
    /// plan anew; moves under way end as they began, also across what is closed now. An agent whose goal is closed stands by.
    ///
    /// # Errors
    /// There is no such class, it is not [editable](super::Class::editable), or an agent of the class is or will be where it could not
    /// stay. Nothing has changed.
    pub fn set_open(&mut self, class: ClassId, node: NodeId, open: bool) -> Result<bool, CrowdError> {
        let space = self.classes.get_mut(class.0 as usize).ok_or(CrowdError::NoSuchClass(class))?;
        let now = self.now;
        let stands = |member: &Member| member.class == class && space.needs(member.free_at(now).0, node);
        match self.members.iter().find(|(_, member)| !open && stands(member)) {
            Some((by, _)) => Err(CrowdError::Occupied { node, by: *by }),
            None => space.set_open(node, open).ok_or(CrowdError::NotEditable(class)),
        }
    }

    /// Whether an agent may be put on `node`, to be there from `from` on.
    pub(super) fn check_free(
        &mut self,
        agent: AgentId,
        class: ClassId,
        node: NodeId,
        from: Tick,
    ) -> Result<(), CrowdError> {
        if !self.classes[class.0 as usize].contains(node) {
            return Err(CrowdError::NoSuchNode(node));
        }
        if self.presence.is_none() {
            self.presence = Some(self.survey());
        }
        let room = self.room_from(class, node, from);
        let bound = self.cells.map_or(0, Cells::bound);
        if room.iter().any(|entry| entry.cell.index() >= bound) {
            return Err(CrowdError::OutOfCells(node));
        }
        match self.presence.as_ref().and_then(|presence| presence.meets(agent, &room)) {
            Some(by) => Err(CrowdError::Occupied { node, by }),
            None => Ok(()),
        }
    }

    fn room_from(&self, class: ClassId, node: NodeId, from: Tick) -> Vec<Entry> {
        let mut entries = Vec::new();
        self.classes[class.0 as usize].sweep(&Leg::resting(node, from, FOREVER), &mut entries);
        entries
    }

    /// Makes room for an agent that has just been put where it is, at the expense of everybody's plans.
    fn take_place(&mut self, agent: AgentId) {
        let Some(member) = self.members.get(&agent) else {
            return;
        };
        let rests = member.claim_at_rest(agent);
        let room = self.room_from(member.class, member.node, self.now);
        if let Some(presence) = &mut self.presence {
            presence.note(agent, &room);
        }
        let mut evicted = Vec::new();
        let now = self.now;
        let store = &mut self.store;
        // Nobody's motion is in the way: that was looked up. So nobody can refuse.
        let taken = store.commit(giveway_core::Claim { agent, rank: BEGUN }, &room, &mut evicted);
        debug_assert!(taken.is_ok(), "{taken:?}");
        store.release(agent, now);
        let rested = store.reserve(rests, &room);
        let rest = rested.is_ok().then(|| Rest::of(now, &room));
        self.change_plan(agent, Schedule::new(Vec::new(), rest));
        self.set_due(agent, Some(now));
        for other in evicted {
            self.lose_plan(other, now);
        }
    }

    /// Where an agent that is sent to `goals` goes. Changes nothing that can be seen.
    fn assign(&mut self, agent: AgentId, id: ClassId, errand: Errand, goals: &Goals) -> Result<Goals, CrowdError> {
        let class = &*self.classes[id.0 as usize];
        let first = *goals.nodes().first().ok_or(CrowdError::NoGoal)?;
        if let Some(node) = goals.nodes().iter().find(|node| !class.contains(**node)) {
            return Err(CrowdError::NoSuchNode(*node));
        }
        let owners = |node| self.destinations.owners(agent, &room_at(class, node));
        // Whoever stands by makes room for somebody who is sent there.
        let stands_by = |owner: &AgentId| self.members.get(owner).is_none_or(|owner| owner.errand == Errand::StandBy);
        let may_have = |node: NodeId| owners(node).iter().all(|owner| errand == Errand::Go && stands_by(owner));
        let free: Goals = goals.nodes().iter().copied().filter(|node| may_have(*node)).collect();
        if !free.nodes().is_empty() {
            return Ok(free);
        }
        let claimed = self.members.get(&agent).map_or(&[][..], |member| &member.claimed);
        let around = Around { class: id, revision: class.revision(), goals: goals.clone(), part: None, by_line: false };
        let places = self.destinations.nearest(agent, claimed, around, class, Counts::All);
        places.first().map(|place| Goals::one(place.node)).ok_or(CrowdError::NoFreePlace { goal: first })
    }

    /// Gives `agent` what [`assign`](Self::assign) found.
    pub(super) fn set_goals(&mut self, agent: AgentId, errand: Errand, goals: Goals) {
        let now = self.now;
        let Some(member) = self.members.get_mut(&agent) else {
            return;
        };
        if member.errand == errand && member.goals == goals {
            // Told again what it has done, it has done it again.
            member.arrived = false;
            return;
        }
        self.destinations.give_up(agent, &member.claimed);
        let claimed = match goals.nodes() {
            [only] => room_at(&*self.classes[member.class.0 as usize], *only),
            _ => Vec::new(),
        };
        member.errand = errand;
        member.goals = goals;
        member.arrived = false;
        member.set_out(now);
        member.due = Some(now);
        member.knows_since = None;
        member.claimed.clone_from(&claimed);
        // There may be several, if bodies are larger than a place.
        let displaced = self.destinations.owners(agent, &claimed);
        self.destinations.claim(agent, &claimed);
        for other in displaced {
            self.find_another_home(other);
        }
    }

    /// Moves the place where `agent` stands by, because it is somebody's goal now.
    fn find_another_home(&mut self, agent: AgentId) {
        let Some(member) = self.members.get(&agent) else {
            return;
        };
        let (class, goals) = (member.class, member.goals.clone());
        let home = self.assign(agent, class, Errand::StandBy, &goals);
        match home {
            Ok(home) => self.set_goals(agent, Errand::StandBy, home),
            // All is taken: it stays where it likes to be, and does not mind who comes.
            Err(_) => {
                if let Some(member) = self.members.get_mut(&agent) {
                    self.destinations.give_up(agent, &member.claimed);
                    member.claimed.clear();
                }
            }
        }
    }
}
