//! Orders: what a crowd is told between ticks.

mod along;
mod areas;
mod assignment;
mod carrying_out;
mod following;
mod groups;
mod late;
mod muster;
mod near;
mod predicting;
mod reservations;
mod stages;

use giveway_core::{Agent, AgentId, FOREVER, Goals, NodeId, Tick};

use super::calls::Call;
use super::crowd::Crowd;
use super::error::CrowdError;
use super::settings::CrowdSettings;
use super::standing::Standing;
use super::state::State;
use crate::destinations::Equals;
use crate::outsiders::Prediction;
use giveway_members::chain::{Chain, Planner};
use giveway_members::class_id::ClassId;
use giveway_members::depth::Depth;
use giveway_members::roster::{ClassRules, Errand, Member, Slot};
use giveway_members::world::{AnyClass, World};
pub use groups::March;
pub use muster::{Formation, Muster};
pub use reservations::{Region, Reservation};

impl Crowd<'_> {
    /// Adds `agent`, a unit of `class`, at its start. The agent plans at the next tick. Priorities above 2046 count as
    /// 2046, and priorities below -2046 count as -2046.
    ///
    /// If another agent has been sent to the only goal of the new agent, the new agent gets the nearest free place as
    /// its goal; [`goals`](Self::goals) says which place. Agents that had planned to pass over the start plan anew.
    ///
    /// # Errors
    /// The class, the start or a goal does not exist; the footprint is for another space; another agent is at the start
    /// or under way to the start; there is no free place; or no agent id is left. Nothing has changed.
    pub fn add(&mut self, class: ClassId, agent: Agent) -> Result<AgentId, CrowdError> {
        self.note(|| Call::Add { class, agent: agent.clone() });
        self.enlist(class, agent)
    }

    fn enlist(&mut self, class: ClassId, agent: Agent) -> Result<AgentId, CrowdError> {
        let state = &mut self.state;
        let id = state.roster.next_id().ok_or(CrowdError::TooMany)?;
        state.world.get(class).ok_or(CrowdError::NoSuchClass(class))?;
        state.check_free(id, class, agent.start, state.clock.now)?;
        let errand = Errand::of(&agent);
        let bystander = Goals::one(agent.start);
        let goals = state.assign(id, class, errand, if errand == Errand::Go { &agent.goals } else { &bystander })?;

        let member = Member::new(id, (class, state.rules_of(class)), &agent, state.clock.now);
        let slot = state.enlist(member);
        state.set_goals(slot, errand, goals);
        state.take_place(slot);
        Ok(id)
    }

    /// Removes `agent` and all its reservations.
    ///
    /// # Errors
    /// There is no such agent.
    pub fn remove(&mut self, agent: AgentId) -> Result<(), CrowdError> {
        self.note(|| Call::Remove { agent });
        let slot = self.slot(agent)?;
        let state = &mut self.state;
        state.standing.forget(agent);
        if let Some(member) = state.dismiss(slot) {
            state.world.stop_seeking(member.class(), member.order.goals());
            state.destinations.give_up(agent, member.order.claimed());
        }
        Ok(())
    }

    /// Sends `agent` to any one of `goals`. Returns the new goals of `agent`. These are all of `goals`, except for
    /// places that are the only goal of another agent with an order. If no goal remains, the nearest free place is the
    /// new goal. A place is free if it is not the only goal of any agent, and no bystander stands by there.
    ///
    /// A single goal is kept free for the agent: another agent that is sent there gets another place, unless it
    /// [shares](Self::send_shared) the goal. If a bystander stands by on this place, the bystander goes to the nearest
    /// free place, and stands by there.
    ///
    /// An agent that gets several goals claims none of them. Other agents may be sent to the same set, or to one of its
    /// places alone; the agent then still has its whole set, and makes way on a place that another agent wants. If more
    /// agents are sent to a set than the set has goals, the agents that come last never rest. To send each agent to a
    /// place of its own, use [`send_group`](Self::send_group), or one goal for each.
    ///
    /// The search for a free place takes time in proportion to the number of taken places that are nearer to the goal.
    /// If other agents were sent to the same goals shortly before, the search goes on from the last answer: then only
    /// places that were taken or given up in between count.
    ///
    /// # Errors
    /// The agent or a goal does not exist, there is no goal, or no free place can be reached from the goals. The agent
    /// goes on as before.
    pub fn send(&mut self, agent: AgentId, goals: impl Into<Goals>) -> Result<Goals, CrowdError> {
        let goals = goals.into();
        self.note(|| Call::Send { agent, goals: goals.clone() });
        let slot = self.slot(agent)?;
        let class = self.state.roster[slot].class();
        let goals = self.state.assign(agent, class, Errand::Go, &goals)?;
        self.state.note_order(slot);
        self.state.set_goals(slot, Errand::Go, goals.clone());
        Ok(goals)
    }

    /// Sends `agent` to any one of `goals`, even if other agents have been sent there, too. This suits errands at a
    /// counter, to which several agents go one after the other. The goals are not kept free for the agent. Other agents
    /// keep their goals, and bystanders keep their places.
    ///
    /// An agent that rests on a shared goal makes way for the next agent, and comes back if it gets no other order. So
    /// give an agent another order when it has [arrived](crate::Report::arrived). If several agents stay without
    /// another order, they take turns on the goal for ever.
    ///
    /// ```
    /// use giveway_core::{Agent, Point};
    /// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(7, 3)?;
    /// let at = |x, y| grid.node(x, y).expect("on the grid");
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    /// let [one, two] = [at(0, 1), at(6, 1)].map(|start| crowd.add(class, Agent::bystander(start)));
    /// for agent in [one?, two?] {
    ///     crowd.send_shared(agent, at(3, 1))?;
    /// }
    /// let mut arrived = Vec::new();
    /// while arrived.len() < 2 {
    ///     for agent in crowd.tick(Budget::unlimited()).arrived {
    ///         crowd.send_shared(agent, at(3, 0))?;
    ///         arrived.push(agent);
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The agent or a goal does not exist, or there is no goal. The agent goes on as before.
    pub fn send_shared(&mut self, agent: AgentId, goals: impl Into<Goals>) -> Result<(), CrowdError> {
        let goals = goals.into();
        self.note(|| Call::SendShared { agent, goals: goals.clone() });
        let slot = self.slot(agent)?;
        let class = self.state.roster[slot].class();
        let goals = self.state.assign(agent, class, Errand::Share, &goals)?;
        self.state.note_order(slot);
        self.state.set_goals(slot, Errand::Share, goals);
        Ok(())
    }

    /// Tells `agent` to stand by: the agent stops after its present move. From then on the agent lets other agents
    /// pass, and comes back. Returns the place where the agent stands by: its own place, or the nearest free place if
    /// its own place is closed or is the goal of another agent.
    ///
    /// # Errors
    /// There is no such agent, or no free place. The agent goes on as before.
    pub fn stop(&mut self, agent: AgentId) -> Result<NodeId, CrowdError> {
        self.note(|| Call::Stop { agent });
        let slot = self.slot(agent)?;
        let goals = self.state.stop(slot)?;
        self.state.standing.forget(agent);
        let (node, _) = self.state.roster[slot].motion.free_at(self.state.clock.now);
        Ok(goals.nodes().first().copied().unwrap_or(node))
    }

    /// Puts `agent` on `node` at once, like a teleport. The agent loses its plan, and so do agents that had planned to
    /// pass over `node`; all these agents plan anew at the next tick. If the agent is a bystander, it stands by on
    /// `node` from now on, or, if `node` is the goal of another agent, on the nearest free place.
    ///
    /// # Errors
    /// The agent or the node does not exist; the footprint is for another space; another agent is on the node or under
    /// way to it; or a bystander finds no free place. Nothing has changed.
    pub fn place(&mut self, agent: AgentId, node: NodeId) -> Result<(), CrowdError> {
        self.note(|| Call::Place { agent, node });
        self.put(agent, node)
    }

    fn put(&mut self, agent: AgentId, node: NodeId) -> Result<(), CrowdError> {
        let slot = self.slot(agent)?;
        let state = &mut self.state;
        let (class, errand) = (state.roster[slot].class(), state.roster[slot].order.errand());
        state.check_free(agent, class, node, state.clock.now)?;
        let stands_by = errand == Errand::StandBy;
        let home = stands_by.then(|| state.assign(agent, class, errand, &Goals::one(node))).transpose()?;

        state.ledger.clear(slot);
        state.roster[slot].motion.put(node, state.clock.now);
        if let Some(home) = home {
            state.set_goals(slot, errand, home);
        }
        state.take_place(slot);
        if let Some(Standing::Follow(pursuit)) = state.standing.get_mut(agent) {
            pursuit.look_from_elsewhere();
        }
        Ok(())
    }

    /// Makes `agent` a unit of `class`, for example because its speed has changed, or it has grown. A move under way
    /// ends as planned, with the body that the agent had. From then on the agent has the body of `class`, and moves as
    /// a unit of `class`. Other agents that had planned to pass over its place then plan anew. A node id must mean the
    /// same place in both classes.
    ///
    /// ```
    /// use giveway_core::Agent;
    /// use giveway_bodies::{Body, Ground};
    /// use giveway_spaces::Grid;
    /// use giveway_crowd::{Class, Crowd, CrowdError, CrowdSettings};
    ///
    /// let grid = Grid::open(9, 9)?;
    /// let at = |x, y| grid.node(x, y).expect("on the grid");
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// let mut classes = Vec::new();
    /// for body in [Body::disc(0.4)?, Body::disc(1.4)?] {
    ///     let (space, footprint) = body.on(&grid, Ground::from_grid(&grid), 1)?;
    ///     classes.push(crowd.add_class(Class::new(space, footprint).body(body.outline()))?);
    /// }
    /// let seedling = crowd.add(classes[0], Agent::bystander(at(4, 4)))?;
    /// let beside = crowd.add(classes[0], Agent::bystander(at(5, 4)))?;
    ///
    /// // There is no room yet.
    /// assert_eq!(crowd.change_class(seedling, classes[1]), Err(CrowdError::Occupied { node: at(4, 4), by: beside }));
    /// crowd.place(beside, at(7, 4))?;
    /// crowd.change_class(seedling, classes[1])?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// An [outsider](Self::predict) remains one, with its margin, and is expected to stay where it is.
    ///
    /// # Errors
    /// Nothing has changed if there is an error:
    /// * there is no such agent or class;
    /// * the node, the next node or a goal of the agent has another position in `class`;
    /// * a unit of `class` cannot be on the next node or on a goal;
    /// * the agent [reports its moves](Self::set_reports_moves), which units of `class` cannot;
    /// * another agent is in the way, or is coming to the place;
    /// * there is no free goal.
    pub fn change_class(&mut self, agent: AgentId, class: ClassId) -> Result<(), CrowdError> {
        self.note(|| Call::ChangeClass { agent, class });
        let slot = self.slot(agent)?;
        let state = &mut self.state;
        let member = &state.roster[slot];
        let new = state.world.get(class).ok_or(CrowdError::NoSuchClass(class))?;
        let old = &state.world[member.class()];
        if member.motion.is_reported() && !new.holds_whole_moves() {
            return Err(CrowdError::NotWhole(class));
        }
        let (node, from) = member.motion.free_at(state.clock.now);
        if let Some(goal) = member.order.goals().nodes().iter().find(|goal| !new.contains(**goal)) {
            return Err(CrowdError::NoSuchNode(*goal));
        }
        let place = |class: &dyn AnyClass, node| (class.position(node), class.heading(node));
        let nodes = member.order.goals().nodes().iter().copied().chain([member.motion.node(), node]);
        if let Some(other) = { nodes }.find(|node| place(old, *node) != place(new, *node)) {
            return Err(CrowdError::OtherPlace(other));
        }
        let (errand, arrived, goals) =
            (member.order.errand(), member.order.has_arrived(), member.order.goals().clone());
        let goals = state.assign(agent, class, errand, &goals)?;
        state.check_free(agent, class, node, from)?;

        let (rules, now) = (state.rules_of(class), state.clock.now);
        let member = &mut state.roster[slot];
        state.world.stop_seeking(member.class(), member.order.goals());
        member.change_class(class, rules);
        // Orders end what is expected of an outsider, but it remains one.
        let margin = state.margin_of(agent);
        let member = &mut state.roster[slot];
        state.destinations.give_up(agent, member.order.claimed());
        // The agent claims its goals anew.
        member.order.clear();
        state.set_goals(slot, errand, goals);
        let member = &mut state.roster[slot];
        member.order.set_arrived(arrived && member.is_home());
        state.ledger.forget_presence();
        let room = state.world[class].room(node, from, FOREVER);
        let evicted = state.ledger.evict(slot, &room);
        state.lose_plan(slot, now);
        if let Some(margin) = margin {
            // Nodes mean something else now.
            state.begin_prediction(slot, Prediction::new(agent, node, Vec::new(), margin, now), None);
        }
        for other in state.roster.slots_of(evicted) {
            state.lose_plan(other, now);
        }
        state.standing.change_class(agent, state.world[class].node_bound());
        Ok(())
    }

    /// Lets `agent` plan by `chain` from now on, in any class. The agent loses its plan, and plans anew at the next
    /// tick by the first planner. A move under way ends as planned.
    ///
    /// # Errors
    /// There is no such agent.
    pub fn set_chain(&mut self, agent: AgentId, chain: impl Into<Chain>) -> Result<(), CrowdError> {
        let chain = chain.into();
        self.note(|| Call::SetChain { agent, chain: chain.clone() });
        let slot = self.slot(agent)?;
        let now = self.state.clock.now;
        let member = &mut self.state.roster[slot];
        member.set_chain(chain);
        member.set_out(now);
        self.state.leave_timetable(slot);
        self.state.lose_plan(slot, now);
        Ok(())
    }

    /// Sets how far ahead `agent` plans, from its next plan on, in any class. `None`: the agent has no own depth, so
    /// the depth of its [class](crate::Class::depth) counts; if the class has no depth, the depth of the
    /// [crowd](crate::CrowdSettings::depth) counts.
    ///
    /// # Errors
    /// There is no such agent.
    pub fn set_depth(&mut self, agent: AgentId, depth: impl Into<Option<Depth>>) -> Result<(), CrowdError> {
        let depth = depth.into();
        self.note(|| Call::SetDepth { agent, depth });
        let slot = self.slot(agent)?;
        self.state.roster[slot].set_depth(depth);
        Ok(())
    }

    /// Sets the priority of `agent`, from its next plan on: see [`Agent::priority`]. Until then the agent keeps its
    /// reservations, at its former rank.
    ///
    /// # Errors
    /// There is no such agent.
    pub fn set_priority(&mut self, agent: AgentId, priority: i32) -> Result<(), CrowdError> {
        self.note(|| Call::SetPriority { agent, priority });
        let slot = self.slot(agent)?;
        self.state.roster[slot].set_priority(priority);
        Ok(())
    }

    /// Closes or opens `node` in the space of `class`, and in no other space. Returns whether the space changed. After
    /// a change, some agents under way plan anew: each agent whose plan or goal is on a
    /// [changed](giveway_core::SpaceGraph::edits_since) node. Moves under way end as planned, even across closed nodes.
    /// An agent whose goal is closed stands by.
    ///
    /// # Errors
    /// There is no such class; the class is not [editable](super::Class::editable); or an agent of the class stands on,
    /// or moves to, a node that it would have to leave. Nothing has changed.
    pub fn set_open(&mut self, class: ClassId, node: NodeId, open: bool) -> Result<bool, CrowdError> {
        self.note(|| Call::SetOpen { class, node, open });
        let State { world, roster, clock, .. } = &mut self.state;
        let space = world.get_mut(class).ok_or(CrowdError::NoSuchClass(class))?;
        let stands =
            |member: &&Member| member.class() == class && space.needs(member.motion.free_at(clock.now).0, node);
        if let Some(member) = roster.members().filter(|_| !open).find(stands) {
            return Err(CrowdError::Occupied { node, by: member.id() });
        }
        let before = space.revision();
        let changed = space.set_open(node, open).ok_or(CrowdError::NotEditable(class))?;
        self.state.note_edit_since(class, before);
        Ok(changed)
    }

    fn slot(&self, agent: AgentId) -> Result<Slot, CrowdError> {
        self.state.roster.slot(agent).ok_or(CrowdError::NoSuchAgent(agent))
    }
}

impl State<'_> {
    /// The goals that `agent` of `class` gets if it is sent to `goals`; it need not have been added yet. Changes
    /// nothing observable.
    fn assign(&mut self, agent: AgentId, class: ClassId, errand: Errand, goals: &Goals) -> Result<Goals, CrowdError> {
        let Self { destinations, world, roster, standing, .. } = self;
        destinations.assign((agent, class), errand, goals, world, roster, &mut standing.beacons)
    }

    /// Notes that `slot` gets another order from outside, in place of all others.
    fn note_order(&mut self, slot: Slot) {
        self.standing.forget(self.roster[slot].id());
        self.note_next(slot);
    }

    /// Notes that `slot` gets another order, if it has carried out the one before.
    fn note_next(&mut self, slot: Slot) {
        let member = &self.roster[slot];
        if member.order.has_arrived() {
            self.jam.note_order(member.id());
        }
    }

    /// Gives `slot` the goals that [`assign`](Self::assign) found.
    fn set_goals(&mut self, slot: Slot, errand: Errand, goals: Goals) {
        self.leave_path(slot);
        let member = &mut self.roster[slot];
        if member.order.is_to(errand, &goals) {
            // A repeated order is carried out again: the arrival is reported once more.
            member.order.set_arrived(false);
            return;
        }
        self.destinations.give_up(member.id(), member.order.claimed());
        let claimed = match goals.nodes() {
            [only] if errand != Errand::Share => self.world[member.class()].room(*only, 0, FOREVER),
            _ => Vec::new(),
        };
        self.world.seek(member.class(), &goals);
        self.world.stop_seeking(member.class(), member.order.goals());
        member.order.give(errand, goals, claimed.clone());
        member.set_out(self.clock.now);
        member.turn.begin_anew(self.clock.now);
        // Who takes steps carries out the plan of another planner first, but not one for another order.
        let takes_steps = member.planner() == Planner::Step;
        let unit = self.unit(slot);
        if takes_steps && unit.plan.follows_another(Planner::Step) && !unit.is_in_knot() {
            self.lose_plan(slot, self.clock.now);
        }
        let member = &self.roster[slot];
        // There may be several owners, if bodies are larger than a place.
        let displaced = self.destinations.owners(member.id(), &claimed);
        self.destinations.claim(member.id(), &claimed);
        for other in self.roster.slots_of(displaced) {
            self.find_another_home(other);
        }
    }

    /// Moves the place where `slot` stands by, because that place is now another agent's goal.
    fn find_another_home(&mut self, slot: Slot) {
        let member = &self.roster[slot];
        let (agent, class, goals) = (member.id(), member.class(), member.order.goals().clone());
        match self.assign(agent, class, Errand::StandBy, &goals) {
            Ok(home) => self.set_goals(slot, Errand::StandBy, home),
            // No place is free: the bystander keeps its home, but claims no cell.
            Err(_) => {
                let member = &mut self.roster[slot];
                self.destinations.give_up(member.id(), member.order.claimed());
                member.order.disclaim();
            }
        }
    }

    /// Tells `slot` to stand by where it is, or where its motion under way ends, or nearby. Returns the place.
    pub(super) fn stop(&mut self, slot: Slot) -> Result<Goals, CrowdError> {
        let member = &self.roster[slot];
        let (agent, class, (node, _)) = (member.id(), member.class(), member.motion.free_at(self.clock.now));
        let goals = if self.world[class].contains(node) {
            self.assign(agent, class, Errand::StandBy, &Goals::one(node))?
        } else {
            // The place was closed around the agent.
            let Self { destinations, world, roster, standing, .. } = &mut *self;
            Goals::one(destinations.assign_near(
                &roster[slot],
                [node; 2],
                Equals::Cheapest,
                world,
                roster,
                &mut standing.beacons,
            )?)
        };
        self.set_goals(slot, Errand::StandBy, goals.clone());
        Ok(goals)
    }

    /// Whether `agent`, which need not have been added yet, may be put on `node`, to be there from `from` on.
    fn check_free(&mut self, agent: AgentId, class: ClassId, node: NodeId, from: Tick) -> Result<(), CrowdError> {
        if self.world[class].contains(node) {
            self.look_around();
        }
        self.check_known_free(agent, class, node, from)
    }

    /// [`check_free`](Self::check_free), where it is [known](Self::look_around) who is where.
    fn check_known_free(&self, agent: AgentId, class: ClassId, node: NodeId, from: Tick) -> Result<(), CrowdError> {
        if !self.world[class].contains(node) {
            return Err(CrowdError::NoSuchNode(node));
        }
        let room = self.world[class].room(node, from, FOREVER);
        self.check_cells(&room, node)?;
        match self.ledger.presence().and_then(|presence| presence.meets(agent, &room)) {
            Some(by) => Err(CrowdError::Occupied { node, by }),
            None => Ok(()),
        }
    }

    /// Makes room for an agent that has just been put where it is, at the expense of all other plans.
    fn take_place(&mut self, slot: Slot) {
        let now = self.clock.now;
        self.leave_timetable(slot);
        let member = &self.roster[slot];
        let room = self.world[member.class()].room(member.motion.node(), now, FOREVER);
        let evicted = self.ledger.occupy(slot, member.claim_at_rest().rank, &room, now);
        self.roster[slot].turn.set_due(Some(now));
        for other in self.roster.slots_of(evicted) {
            self.lose_plan(other, now);
        }
    }

    /// The rules of `class` for its members.
    fn rules_of(&self, class: ClassId) -> ClassRules {
        Self::rules_in(&self.settings, &self.world, class)
    }

    /// The rules of `class` in a world with these settings.
    pub(crate) fn rules_in(settings: &CrowdSettings, world: &World<'_>, class: ClassId) -> ClassRules {
        let class = world.get(class);
        let chain = class.and_then(|class| class.chain()).unwrap_or(&settings.chain);
        let (step, depth) = (class.and_then(|class| class.step()), class.and_then(|class| class.depth()));
        ClassRules { chain: chain.clone(), step, depth }
    }
}
