//! Orders to follow a target, and to stop within a range.
//!
//! A follower gets another order only when its target is going to be elsewhere than it was: farther from there than a
//! quarter of what is left of the way. So the nearer, the more often. Where the target has a plan, the follower goes to
//! where the target is going to be, and needs no other order until the target has planned anew.

use giveway_core::{AgentId, CellId, FOREVER, Goals, NodeId, Tick};

use crate::calls::Call;
use crate::crowd::Crowd;
use crate::destinations::{Beside, Equals};
use crate::error::CrowdError;
use crate::news::News;
use crate::report::Report;
use crate::standing::{Aim, Approach, Follow, Pursuit, Standing, Target};
use crate::state::{State, Unit};
use giveway_members::class_id::ClassId;
use giveway_members::roster::{Errand, Slot};

/// A follower goes elsewhere once its target is off by more than this part of the way that is left. With a half it
/// expands a third less on large maps, but is 12 % farther behind a target that turns at random on `den312d`; with an
/// eighth it expands two fifths more, and is as near.
const SHARE: f64 = 0.25;

/// That the target stays, so that its follower has to stand beside it, counts as so many steps off: the follower finds
/// out before it plans to push the target aside.
const BESIDE: f64 = 4.0;

/// An agent that found no place tries again after so many steps.
pub(super) const PATIENCE: u32 = 16;

impl Crowd<'_> {
    /// Makes `agent` follow `target`: another agent of the crowd, of any class, or a place that the game
    /// [moves](Self::aim). The agent follows until it gets another order. If the target leaves the crowd, the agent
    /// stops: [`News::TargetGone`]. If no way leads to the target, the agent goes to the reachable place nearest to the
    /// target.
    ///
    /// If the target has a plan, the agent goes to where the target will be when the agent can be there; see
    /// [`Follow::trailing`]. The agent looks at its target at the end of each tick. It changes its way if the place
    /// where it expects the target has moved by more than a quarter of the distance that the agent still has to go. So
    /// a follower seldom searches while it is far away, or while the target keeps to its plan. An example is the
    /// benchmark map `lak303d`, with a target that goes to random places. There the follower expands 6 % of the nodes
    /// that it would expand with a new order at each step, and stays as near to the target. There are two exceptions.
    /// Within 16 steps of the target, the agent also changes its way when the target is about to stay. In a space
    /// without positions, the agent changes its way whenever the expected place changes.
    ///
    /// If the target is an agent that stays where it is, the follower gets a place beside it: the nearest place that is
    /// no other agent's goal. If the target is a place, the follower gets this place, or else the nearest free place,
    /// as with `send_near`. Many agents can therefore follow one target, each on a place of its own. A follower plans
    /// at the same rank as an agent with any other order.
    ///
    /// # Cost
    /// The budget of a tick does not cover the look at the target at the end of the tick. A follower that keeps its way
    /// takes time in proportion to the plan of its target at most. A follower that changes its way gets a new place. If
    /// the target is a place, a new place costs as much as by [`send_near`](Self::send_near). If the target is an
    /// agent, the follower looks at no more than 1,024 places around the target, so at most some 1,000 followers get
    /// places beside one target. A follower without a new place keeps its former goal, and looks again after 16 steps.
    /// The search for the new way is part of the budget of later ticks.
    ///
    /// # Other classes
    /// The target may be of another class. If the space of `agent` has a node with the id, the position and the heading
    /// of the target's node, the target counts as standing on that node. Otherwise the target counts as standing on the
    /// node of that space that is nearest to its position.
    ///
    /// ```
    /// use giveway_core::{Agent, Point};
    /// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings, Follow, News};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(30, 20)?;
    /// let at = |x, y| grid.node(x, y).expect("on the grid");
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    /// let queen = crowd.add(class, Agent::new(at(10, 10), at(29, 0)))?;
    /// let guard = crowd.add(class, Agent::bystander(at(0, 19)))?;
    /// // Two steps behind her.
    /// crowd.follow(guard, queen, Follow::new().within(2.0))?;
    /// let mut news = Vec::new();
    /// while news.is_empty() {
    ///     news = crowd.tick(Budget::unlimited()).news;
    /// }
    /// assert_eq!(news, [(guard, News::InReach)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Nothing has changed if there is an error:
    /// * there is no such agent, or the target is no agent of the crowd;
    /// * the target is `agent` itself;
    /// * the target is a place beyond the bound of the space;
    /// * the target is an agent of another class, and one of the two classes is [bare](crate::Class::bare).
    pub fn follow(&mut self, agent: AgentId, target: impl Into<Target>, follow: Follow) -> Result<(), CrowdError> {
        let target = target.into();
        self.note(|| Call::Follow { agent, target, follow });
        self.pursue(agent, target, follow)
    }

    /// Moves the place that `agent` [follows](Self::follow) to `place`, a node of its class. An agent that does not
    /// follow a place yet begins to follow `place`, as near as it can. Call `aim` whenever the place moves, even at
    /// each tick: only few of the calls lead to a search.
    ///
    /// # Errors
    /// There is no such agent, or `place` is beyond the bound of its space. Nothing has changed.
    pub fn aim(&mut self, agent: AgentId, place: NodeId) -> Result<(), CrowdError> {
        self.note(|| Call::Aim { agent, place });
        let slot = self.slot(agent)?;
        match self.state.standing.get(agent) {
            Some(Standing::Follow(Pursuit { target: Target::Place(_), .. })) => {}
            _ => return self.pursue(agent, place.into(), Follow::new()),
        }
        self.state.check_place(slot, place)?;
        if let Some(Standing::Follow(pursuit)) = self.state.standing.get_mut(agent) {
            pursuit.target = Target::Place(place);
        }
        Ok(())
    }

    /// What `agent` [follows](Self::follow). `None`: the agent follows nothing, or there is no such agent.
    pub fn follows(&self, agent: AgentId) -> Option<Target> {
        match self.state.standing.get(agent)? {
            Standing::Follow(pursuit) => Some(pursuit.target),
            _ => None,
        }
    }

    /// [Sends](Self::send) `agent` to any one of `goals`, and stops it as soon as the way that is left is at most
    /// `range` plain steps long. Then the agent [has arrived](crate::Report::arrived), and stands by: an archer goes
    /// until the gate is within range. To come within range of another agent, [follow](Self::follow) it
    /// [once](Follow::once). Returns the goals, as `send` does.
    ///
    /// The range is measured along the way, and not through walls. If `range` is 0, negative or not finite, the agent
    /// goes to the goals themselves.
    ///
    /// # Errors
    /// As for [`send`](Self::send). The agent goes on as before.
    pub fn send_within(&mut self, agent: AgentId, goals: impl Into<Goals>, range: f64) -> Result<Goals, CrowdError> {
        let goals = goals.into();
        self.note(|| Call::SendWithin { agent, goals: goals.clone(), range });
        let slot = self.slot(agent)?;
        let class = self.state.roster[slot].class();
        let goals = self.state.assign(agent, class, Errand::Go, &goals)?;
        self.state.note_order(slot);
        self.state.set_goals(slot, Errand::Go, goals.clone());
        if range.is_finite() && range > 0.0 {
            self.state.standing.give(agent, Standing::Approach(Approach { range }));
        }
        Ok(goals)
    }

    fn pursue(&mut self, agent: AgentId, target: Target, follow: Follow) -> Result<(), CrowdError> {
        let slot = self.slot(agent)?;
        self.state.check_target(slot, target)?;
        self.state.note_order(slot);
        // What was read from a text may be below 0.
        let mut pursuit = Pursuit::new(target, follow.within(follow.steps()));
        // What comes of it is told at the end of the next tick.
        if let Some((_, aim)) = self.state.sight(slot, &pursuit) {
            self.state.go_after(slot, &mut pursuit, aim);
        }
        self.state.standing.give(agent, Standing::Follow(pursuit));
        Ok(())
    }
}

/// Whether an order that goes on has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Carried {
    /// It goes on.
    On,
    /// It has ended.
    Out,
}

impl State<'_> {
    /// Whether `slot` can follow `target`.
    pub(crate) fn check_target(&self, slot: Slot, target: Target) -> Result<(), CrowdError> {
        let other = match target {
            Target::Place(place) => return self.check_place(slot, place),
            Target::Agent(other) => other,
        };
        let member = &self.roster[slot];
        let target = self.roster.get(other).filter(|_| other != member.id()).ok_or(CrowdError::NoSuchAgent(other))?;
        let bare = [member.class(), target.class()].into_iter().find(|class| self.world[*class].space().is_none());
        match bare.filter(|_| member.class() != target.class()) {
            Some(class) => Err(CrowdError::Bare(class)),
            None => Ok(()),
        }
    }

    fn check_place(&self, slot: Slot, place: NodeId) -> Result<(), CrowdError> {
        let is_below = place.index() < self.class(slot).node_bound();
        if is_below { Ok(()) } else { Err(CrowdError::NoSuchNode(place)) }
    }

    /// Lets `slot` look at its target, and go elsewhere if the target does.
    pub(super) fn chase(&mut self, slot: Slot, pursuit: &mut Pursuit, report: &mut Report) -> Carried {
        let agent = self.roster[slot].id();
        let Some((present, aim)) = self.sight(slot, pursuit) else {
            report.news.push((agent, News::TargetGone));
            // If there is no free place, it goes on to where the target was.
            let _ = self.stop(slot);
            return Carried::Out;
        };
        if pursuit.follow.steps() > 0.0 && self.keeps_distance(slot, pursuit, present, aim) {
            if pursuit.held.is_some() && self.reaches(agent, pursuit, report) == Carried::Out {
                return Carried::Out;
            }
            return Carried::On;
        }
        if self.is_off(slot, pursuit, aim) {
            self.go_after(slot, pursuit, aim);
        }
        let is_there = aim.stays && pursuit.failed.is_none() && pursuit.aim == Some(aim) && self.roster[slot].is_home();
        if is_there {
            // As near as it can.
            return self.reaches(agent, pursuit, report);
        }
        if pursuit.in_reach {
            // The target has got away, and not only by a step.
            let left = self.steps_between(slot, self.roster[slot].motion.node(), aim.node);
            pursuit.in_reach = left.is_some_and(|steps| steps <= pursuit.follow.steps().max(BESIDE));
        }
        Carried::On
    }

    /// Notes that `agent` is within reach.
    fn reaches(&mut self, agent: AgentId, pursuit: &mut Pursuit, report: &mut Report) -> Carried {
        if !std::mem::replace(&mut pursuit.in_reach, true) {
            report.news.push((agent, News::InReach));
        }
        if !pursuit.follow.ends_in_reach() {
            return Carried::On;
        }
        if let Some(slot) = self.roster.slot(agent) {
            // It stays in any case.
            let _ = self.stop(slot);
        }
        report.arrived.push(agent);
        Carried::Out
    }

    /// Where the target of `slot` is, and where it is going to be when `slot` can be there, as nodes of the class of
    /// `slot`. `None`: it has left the crowd, or has become a unit of a class without positions.
    fn sight(&mut self, slot: Slot, pursuit: &Pursuit) -> Option<(NodeId, Aim)> {
        let other = match pursuit.target {
            Target::Place(node) => return Some((node, Aim { node, stays: true })),
            Target::Agent(other) => self.roster.slot(other)?,
        };
        self.check_target(slot, pursuit.target).ok()?;
        let (present, _) = self.roster[other].motion.free_at(self.clock.now);
        let end = self.unit(other).plan.ahead().iter().rev().find(|leg| leg.is_move()).map_or(present, |leg| leg.to);
        let node = if pursuit.follow.intercepts() { self.meeting(slot, other) } else { present };
        // A plan without a rest at its end goes on.
        let stays = node == end && (end == present || self.unit(other).plan.rest.is_some());
        let class = self.roster[other].class();
        let present = self.as_seen_by(slot, class, present)?;
        Some((present, Aim { node: self.as_seen_by(slot, class, node)?, stays }))
    }

    /// Where `other` is going to be, by its plan, when `slot` can be there.
    fn meeting(&self, slot: Slot, other: Slot) -> NodeId {
        let Unit { member, plan, .. } = self.unit(other);
        let (mut node, _) = member.motion.free_at(self.clock.now);
        if !plan.has_moves() {
            return node;
        }
        let (here, _) = self.roster[slot].motion.free_at(self.clock.now);
        let (Some(here), Some(pace)) = (self.class(slot).position(here), self.pace(slot)) else { return node };
        let class = &self.world[member.class()];
        for leg in plan.ahead().iter().filter(|leg| leg.is_move()) {
            let Some(there) = class.position(leg.to) else { break };
            if f64::from(leg.arrive.saturating_sub(self.clock.now)) > length(here, there) * pace {
                break;
            }
            node = leg.to;
        }
        node
    }

    /// `node` of `class` as a node of the class of `slot`.
    fn as_seen_by(&mut self, slot: Slot, class: ClassId, node: NodeId) -> Option<NodeId> {
        let own = self.roster[slot].class();
        if own == class {
            return Some(node);
        }
        let (space, position) = (&self.world[own], self.world[class].position(node)?);
        let is_same = node.index() < space.node_bound() && space.position(node) == Some(position);
        if is_same && space.contains(node) && space.heading(node) == self.world[class].heading(node) {
            return Some(node);
        }
        self.standing.beacons.nearest(own, space, position)
    }

    /// The ticks in which `slot` covers one world unit at its fastest first move. `None`: that is not known.
    fn pace(&self, slot: Slot) -> Option<f64> {
        let class = self.class(slot);
        let (here, from) = self.roster[slot].motion.free_at(self.clock.now);
        let start = class.position(here)?;
        let mut least: Option<f64> = None;
        class.for_each_move(here, from, &mut |leg, _| {
            let Some(end) = class.position(leg.to).filter(|end| *end != start) else { return };
            let pace = f64::from(leg.arrive - leg.depart) / length(start, end);
            least = Some(least.map_or(pace, |least| least.min(pace)));
        });
        least
    }

    /// The straight-line distance between two nodes of the class of `slot`, in its plain steps. In a class without
    /// positions, 0 for equal nodes. `None`: that is not known.
    fn steps_between(&self, slot: Slot, one: NodeId, other: NodeId) -> Option<f64> {
        if one == other {
            return Some(0.0);
        }
        let class = self.class(slot);
        let length = length(class.position(one)?, class.position(other)?);
        Some(length * self.pace(slot)? / f64::from(self.clock.ticks_per_step.max(1)))
    }

    /// Whether `slot`, whose target is at `present`, keeps its distance: stops it, or lets it go on.
    fn keeps_distance(&mut self, slot: Slot, pursuit: &mut Pursuit, present: NodeId, aim: Aim) -> bool {
        let within = pursuit.follow.steps();
        let (here, _) = self.roster[slot].motion.free_at(self.clock.now);
        let line = self.steps_between(slot, here, present);
        if let Some((gap, was)) = pursuit.held {
            let off = line.zip(self.steps_between(slot, was, present));
            // What the target has moved may have been towards the agent.
            if was == present || off.is_some_and(|(line, moved)| line <= within && gap + moved <= 2.0 * within) {
                return true;
            }
            (pursuit.held, pursuit.aim, pursuit.in_reach) = (None, None, false);
            return false;
        }
        // What is left to where the target is going to be, without what is left of the way of the target.
        let Some(sent) = pursuit.aim.filter(|_| !self.roster[slot].order.stands_by()) else { return false };
        let State { world, roster, .. } = self;
        let Some(left) = world.known_distance(&roster[slot]) else { return false };
        let goal = self.roster[slot].order.goals().nodes().first().copied().unwrap_or(here);
        let beside = self.steps_between(slot, goal, present).unwrap_or(0.0);
        let gap = match self.steps_between(slot, present, sent.node) {
            // From the place beside it, where the agent goes.
            Some(_) if aim.stays && sent.node == present => left + beside,
            Some(ahead) => (left - ahead).max(line.unwrap_or(f64::INFINITY)),
            None => return false,
        };
        if gap > within || self.stop(slot).is_err() {
            return false;
        }
        pursuit.held = Some((gap, present));
        true
    }

    /// Whether `slot` has to be sent elsewhere, since its target is at or is going to `aim`.
    fn is_off(&self, slot: Slot, pursuit: &Pursuit, aim: Aim) -> bool {
        let Some(sent) = pursuit.aim else { return true };
        let member = &self.roster[slot];
        // It has lost its order, or there was no place.
        let patience = self.clock.ticks(PATIENCE);
        let is_patient = pursuit.failed.is_some_and(|failed| self.clock.now.saturating_sub(failed) < patience);
        if (member.order.stands_by() || pursuit.failed.is_some()) && sent.node == aim.node {
            return !is_patient;
        }
        let (here, _) = member.motion.free_at(self.clock.now);
        let class = self.class(slot);
        let between = |one, other| Some(length(class.position(one)?, class.position(other)?));
        let Some((moved, left)) = between(sent.node, aim.node).zip(between(sent.node, here)) else {
            // Without positions each move counts.
            return sent != aim;
        };
        let is_beside = aim.stays && !sent.stays;
        moved > left * SHARE
            || is_beside && self.steps_between(slot, sent.node, here).is_some_and(|left| left * SHARE < BESIDE)
    }

    /// Sends `slot` to `aim`, or to the nearest place that it can have.
    fn go_after(&mut self, slot: Slot, pursuit: &mut Pursuit, aim: Aim) {
        pursuit.aim = Some(aim);
        let goals = self.place_at(slot, pursuit.target, aim);
        pursuit.failed = goals.is_none().then_some(self.clock.now);
        if let Some(goal) = goals {
            self.set_goals(slot, Errand::Go, Goals::one(goal));
        }
    }

    /// A place for `slot` at `aim`. `None`: there is none.
    fn place_at(&mut self, slot: Slot, target: Target, aim: Aim) -> Option<NodeId> {
        let kept: Vec<CellId> = match target {
            Target::Agent(other) if aim.stays => {
                let other = self.roster.get(other)?;
                let now: Tick = self.clock.now;
                let class = &self.world[other.class()];
                let plan = self.unit(self.roster.slot(other.id())?).plan;
                let end = plan.ahead().last().map_or(other.motion.free_at(now).0, |leg| leg.to);
                class.room(end, 0, FOREVER).iter().map(|entry| entry.cell).collect()
            }
            _ => Vec::new(),
        };
        let is_place = matches!(target, Target::Place(_));
        let State { world, roster, destinations, standing, clock, .. } = self;
        let member = &roster[slot];
        let (from, _) = member.motion.free_at(clock.now);
        if is_place {
            let beacons = &mut standing.beacons;
            return destinations.assign_near(member, [from, aim.node], Equals::Cheapest, world, roster, beacons).ok();
        }
        destinations.assign_beside(&Beside { member, from, node: aim.node, kept: &kept }, world, &mut standing.beacons)
    }
}

/// The straight-line distance between two positions.
fn length(one: [f32; 3], other: [f32; 3]) -> f64 {
    let square: f64 = one.iter().zip(other).map(|(a, b)| f64::from(*a) - f64::from(b)).map(|axis| axis * axis).sum();
    square.sqrt()
}
