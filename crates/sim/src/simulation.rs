//! Simulations: a crowd whose agents have tasks.

mod saving;

use giveway_core::{Agent, AgentId, Goals, NodeId, Tick, Trace};
use giveway_crowd::{Budget, ClassId, Crowd, CrowdError, Leg, Report};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::endpoints::Endpoints;
use crate::metrics::{AgentMetrics, Metrics};
use crate::recording::Recording;
use crate::task::{Assignment, Task};

/// A crowd over time: tasks send agents from goal to goal. The simulation keeps metrics of the agents and, on request,
/// a recording of their moves.
///
/// If a goal already belongs to another agent, the nearest free place replaces the goal, as in [`Crowd::send`]. Then an
/// agent has arrived when it reaches the replacement.
#[derive(Debug)]
pub struct Simulation<'a> {
    crowd: Crowd<'a>,
    actors: IndexMap<AgentId, Actor, FxBuildHasher>,
    metrics: Metrics,
    recording: Option<Recording>,
    /// The endpoints, and the class, that were found to be in order last.
    checked: Option<(ClassId, Endpoints)>,
    /// Whether tasks send an agent to the nearest place if it cannot reach the next one.
    nearest: bool,
}

/// An agent with a task.
#[derive(Clone, Debug)]
struct Actor {
    assignment: Assignment,
    metrics: AgentMetrics,
    /// The tick of its last order.
    ordered: Tick,
    /// The plans that the agent has made since its last order.
    plans: u64,
    /// The nodes where the agent has been since its last order.
    visited: FxHashSet<NodeId>,
    /// The node that was visited last, if that is known.
    newest: Option<NodeId>,
    /// Whether the agent needs its next order.
    idle: bool,
    /// Whether the agent was on its goal when the tick began.
    was_home: bool,
    /// Whether its last order was to go somewhere.
    is_sent: bool,
    /// Whether the agent has arrived since its last order.
    has_arrived: bool,
    /// The tick since which the agent has been on its goal without a break.
    home_since: Option<Tick>,
}

impl Actor {
    /// The actor of `agent`, which has just been sent to its goals.
    fn new(assignment: Assignment, crowd: &Crowd<'_>, agent: AgentId) -> Self {
        let is_sent = crowd.is_bystander(agent) == Some(false);
        Self {
            assignment,
            metrics: AgentMetrics::default(),
            ordered: crowd.now(),
            plans: 0,
            visited: FxHashSet::default(),
            newest: None,
            idle: false,
            was_home: false,
            is_sent,
            has_arrived: false,
            home_since: Some(crowd.now()).filter(|_| is_sent && crowd.is_home(agent) == Some(true)),
        }
    }

    /// Notes whether the agent is on its goal at `now`, after `leg`, and since which tick.
    fn note_home(&mut self, home: bool, leg: &Leg, tick: Tick, now: Tick) {
        // An agent that did not move was there before.
        let since = if leg.is_move() { now } else { tick };
        self.home_since = if home { self.home_since.or(Some(since)) } else { None };
    }
}

impl<'a> Simulation<'a> {
    /// A simulation of `crowd`. Agents that are already in `crowd` get [`Task::Once`], and keep their goals.
    pub fn new(crowd: Crowd<'a>) -> Self {
        let actors =
            crowd.agents().map(|agent| (agent, Actor::new(Assignment::begin(Task::Once, agent), &crowd, agent)));
        let actors = actors.collect();
        Self { actors, metrics: Metrics::default(), recording: None, checked: None, nearest: false, crowd }
    }

    /// Records the simulation from now on: see [`trace`](Self::trace) and [`take_trace`](Self::take_trace). Recorded
    /// positions of agents of [bare](giveway_crowd::Class::bare) classes are zero. The recording grows with time;
    /// without a recording, the memory of a simulation stays constant.
    #[must_use]
    pub fn recorded(self) -> Self {
        let mut recording = Recording::default();
        self.crowd.agents().for_each(|agent| recording.appear(&self.crowd, agent));
        Self { recording: Some(recording), ..self }
    }

    /// Makes [tasks](Task) send agents as [`send_near`](Self::send_near) does: an agent that cannot reach the next
    /// place of its task goes to the nearest place that it can reach. Without this setting, an order to such a place
    /// counts as [unreachable](Metrics::unreachable), and the task goes on with its next place.
    ///
    /// With this setting, tasks other than [`Task::Once`] begin one tick after the agent was added.
    #[must_use]
    pub fn nearest(self) -> Self {
        Self { nearest: true, ..self }
    }

    /// The crowd, read-only.
    pub fn crowd(&self) -> &Crowd<'a> {
        &self.crowd
    }

    /// The crowd, for changes and questions that do not concern tasks or the recording: chains of planners, closed
    /// nodes and areas, surfaces, distances, explanations.
    ///
    /// To add, remove, place or send an agent, and to let time go by, use the methods of the simulation. If you call
    /// the methods of the crowd instead, the simulation does not notice: orders are not counted and not recorded, and
    /// tasks go on.
    pub fn crowd_mut(&mut self) -> &mut Crowd<'a> {
        // Spaces may change.
        self.checked = None;
        &mut self.crowd
    }

    /// Ends the simulation, and returns the crowd.
    pub fn into_crowd(self) -> Crowd<'a> {
        self.crowd
    }

    /// Adds an agent with a task. The agent's own goals matter only with [`Task::Once`].
    ///
    /// # Errors
    /// As for [`Crowd::add`], or a place of the task does not exist. After an error nothing has changed.
    pub fn add(&mut self, class: ClassId, agent: Agent, task: Task) -> Result<AgentId, CrowdError> {
        check_places(&self.crowd, &mut self.checked, class, &task)?;
        let mut assignment = Assignment::begin(task, self.crowd.next_id());
        let waits = self.nearest && !assignment.is_once();
        let goals = if waits { Goals::from_iter([]) } else { assignment.first_goals(&agent) };
        let id = self.crowd.add(class, Agent { goals, ..agent })?;
        if !waits {
            assignment.went();
        }
        self.actors.insert(id, Actor { idle: waits, ..Actor::new(assignment, &self.crowd, id) });
        if let Some(recording) = &mut self.recording {
            recording.appear(&self.crowd, id);
        }
        Ok(id)
    }

    /// Removes an agent. The [metrics](Self::metrics) of the crowd still include what the agent did.
    ///
    /// # Errors
    /// There is no such agent.
    pub fn remove(&mut self, agent: AgentId) -> Result<(), CrowdError> {
        self.crowd.remove(agent)?;
        self.actors.shift_remove(&agent);
        if let Some(recording) = &mut self.recording {
            recording.vanish(agent, self.crowd.now());
        }
        Ok(())
    }

    /// Puts an agent on `node`. The task of the agent goes on. See [`Crowd::place`].
    ///
    /// # Errors
    /// As for [`Crowd::place`]. After an error nothing has changed.
    pub fn place(&mut self, agent: AgentId, node: NodeId) -> Result<(), CrowdError> {
        self.crowd.place(agent, node)?;
        self.placed(agent);
        Ok(())
    }

    /// Puts an agent on the free place nearest to `node`, and returns this place. The task of the agent goes on. See
    /// [`Crowd::place_near`].
    ///
    /// # Errors
    /// As for [`Crowd::place_near`]. After an error nothing has changed.
    pub fn place_near(&mut self, agent: AgentId, node: NodeId) -> Result<NodeId, CrowdError> {
        let place = self.crowd.place_near(agent, node)?;
        self.placed(agent);
        Ok(place)
    }

    /// Makes an agent a unit of another class. The task of the agent goes on. See [`Crowd::change_class`].
    ///
    /// # Errors
    /// As for [`Crowd::change_class`], or a place of the task does not exist in the space of the new class. After an
    /// error nothing has changed.
    pub fn change_class(&mut self, agent: AgentId, class: ClassId) -> Result<(), CrowdError> {
        if let Some(actor) = self.actors.get(&agent).filter(|_| self.crowd.has_class(class)) {
            check_places(&self.crowd, &mut self.checked, class, actor.assignment.task())?;
        }
        let before = self.crowd.goals(agent).cloned();
        self.crowd.change_class(agent, class)?;
        if let Some(recording) = &mut self.recording {
            recording.changed_class(&self.crowd, agent);
            // Another body may get another goal.
            let goals = self.crowd.goals(agent).filter(|_| self.crowd.is_bystander(agent) == Some(false));
            if let Some(goals) = goals.filter(|goals| before.as_ref() != Some(goals)) {
                recording.order(&self.crowd, agent, goals);
            }
        }
        Ok(())
    }

    /// Replaces the task of an agent. The new task begins with the next tick. With [`Task::Once`] the agent goes on to
    /// its present goals.
    ///
    /// # Errors
    /// There is no such agent, or a place of the task does not exist. After an error nothing has changed.
    pub fn assign(&mut self, agent: AgentId, task: Task) -> Result<(), CrowdError> {
        let class = self.crowd.class_of(agent).ok_or(CrowdError::NoSuchAgent(agent))?;
        check_places(&self.crowd, &mut self.checked, class, &task)?;
        let actor = self.actors.get_mut(&agent).ok_or(CrowdError::NoSuchAgent(agent))?;
        actor.assignment = Assignment::begin(task, agent);
        actor.idle = true;
        Ok(())
    }

    /// Sends an agent to `goals`. [`Task::Once`] replaces the agent's task. Returns the new goals of the agent; see
    /// [`Crowd::send`].
    ///
    /// # Errors
    /// As for [`Crowd::send`]. After an error nothing has changed.
    pub fn send(&mut self, agent: AgentId, goals: impl Into<Goals>) -> Result<Goals, CrowdError> {
        let before = self.crowd.goals(agent).cloned();
        let goals = self.crowd.send(agent, goals)?;
        self.sent(agent, before.as_ref(), goals)
    }

    /// Sends an agent to `node`, or to the nearest place that the agent can have. [`Task::Once`] replaces the agent's
    /// task. Returns the new goals of the agent; see [`Crowd::send_near`].
    ///
    /// # Errors
    /// As for [`Crowd::send_near`]. After an error nothing has changed.
    pub fn send_near(&mut self, agent: AgentId, node: NodeId) -> Result<Goals, CrowdError> {
        let before = self.crowd.goals(agent).cloned();
        let goals = self.crowd.send_near(agent, node)?;
        self.sent(agent, before.as_ref(), goals)
    }

    /// Tells an agent to stop after its present move, and to stand by. [`Task::Once`] replaces the agent's task.
    /// Returns the place where the agent stands by; see [`Crowd::stop`].
    ///
    /// # Errors
    /// As for [`Crowd::stop`]. After an error nothing has changed.
    pub fn stop(&mut self, agent: AgentId) -> Result<NodeId, CrowdError> {
        let node = self.crowd.stop(agent)?;
        self.assign(agent, Task::Once)?;
        self.ordered(agent, &Goals::from_iter([]));
        Ok(node)
    }

    /// Lets one tick go by. Agents without a goal get the next goal of their task; then [`Crowd::tick`] is called with
    /// `budget`; then the metrics are updated.
    pub fn tick(&mut self, budget: Budget) -> Report {
        self.tick_by(|crowd| crowd.tick(budget))
    }

    /// Like [`tick`](Self::tick), but the closure `tick` has to call [`Crowd::tick`], exactly once, and return its
    /// report. Before and after this call the closure can do other work, such as reading a clock.
    pub fn tick_by(&mut self, tick: impl FnOnce(&mut Crowd<'a>) -> Report) -> Report {
        self.give_orders();
        let agents = self.actors.len();
        for (agent, actor) in &mut self.actors {
            actor.was_home = self.crowd.is_home(*agent) == Some(true);
        }
        let report = tick(&mut self.crowd);
        self.metrics.add_tick(&report, agents);
        self.count(&report);
        report
    }

    /// Lets `ticks` ticks go by, each within `budget`.
    pub fn run(&mut self, ticks: Tick, budget: Budget) {
        for _ in 0..ticks {
            self.tick(budget);
        }
    }

    /// The metrics of the crowd so far.
    pub fn metrics(&self) -> Metrics {
        self.metrics.clone()
    }

    /// The metrics of `agent` so far. `None`: there is no such agent, or the agent was added through
    /// [`crowd_mut`](Self::crowd_mut).
    pub fn agent_metrics(&self, agent: AgentId) -> Option<&AgentMetrics> {
        Some(&self.actors.get(&agent)?.metrics)
    }

    /// The sum of the costs of all agents with [`Task::Once`]. The cost of an agent is the tick at which the agent last
    /// came to its goal. An agent costs 0 if it was never sent to a goal, or if its last order was to stop. `None`: an
    /// agent that was sent to a goal is not on its goal now.
    pub fn sum_of_costs(&self) -> Option<u64> {
        let once = self.actors.values().filter(|actor| actor.assignment.is_once() && actor.is_sent);
        once.map(|actor| actor.home_since.map(u64::from)).sum()
    }

    /// The recording so far; `None` if the simulation is not [recorded](Self::recorded).
    pub fn trace(&self) -> Option<Trace> {
        Some(self.recording.as_ref()?.trace(self.crowd.ticks_per_step(), self.crowd.now()))
    }

    /// Returns the recording since the last call, and starts a new one; `None` if the simulation is not
    /// [recorded](Self::recorded).
    ///
    /// The next trace goes on where this trace ends. For each agent, the next trace begins with the moves that are
    /// under way now or end now, the place of the agent before these moves, and the tick at which the agent came to
    /// that place. So if traces are taken at the ticks 10 and 20, they can be [checked](https://docs.rs/giveway-check)
    /// during the spans 0 to 10 and 10 to 20. Together these two checks find what a check of the whole recording finds.
    ///
    /// Agents keep their numbers in all traces, even after they were removed. Earlier orders are not in the next trace;
    /// it begins with the present goals of each agent.
    pub fn take_trace(&mut self) -> Option<Trace> {
        Some(self.recording.as_mut()?.take(self.crowd.ticks_per_step(), self.crowd.now()))
    }

    /// Sends agents without a goal to their next goal. An agent that cannot be sent anywhere asks again at the next
    /// tick.
    fn give_orders(&mut self) {
        let idle: Vec<AgentId> = self.actors.iter().filter(|(_, actor)| actor.idle).map(|(agent, _)| *agent).collect();
        for agent in idle {
            let Some((here, actor)) = self.crowd.node(agent).zip(self.actors.get_mut(&agent)) else {
                continue;
            };
            let Some(goal) = actor.assignment.next_goal(here) else {
                actor.idle = false;
                continue;
            };
            let sent = if self.nearest { self.crowd.send_near(agent, goal) } else { self.crowd.send(agent, goal) };
            if let Err(CrowdError::NoSuchNode(_)) = sent {
                // The place has been closed: the agent gets the place after it at the next tick.
                actor.assignment.went();
            } else if let Ok(goals) = sent {
                actor.assignment.went();
                // If the nearest free place is where the agent stands, this is no order: the next place of the task may
                // be free.
                if goal == here || !goals.contains(here) || self.crowd.is_home(agent) != Some(true) {
                    self.ordered(agent, &goals);
                }
            }
        }
    }

    /// Notes that `agent`, which had the goals `before`, has been sent to `goals`.
    fn sent(&mut self, agent: AgentId, before: Option<&Goals>, goals: Goals) -> Result<Goals, CrowdError> {
        self.assign(agent, Task::Once)?;
        let is_new = self.actors.get(&agent).is_none_or(|actor| actor.has_arrived || !actor.is_sent);
        if is_new || before != Some(&goals) {
            self.ordered(agent, &goals);
        }
        Ok(goals)
    }

    fn placed(&mut self, agent: AgentId) {
        if let Some(recording) = &mut self.recording {
            recording.placed(&self.crowd, agent);
        }
    }

    fn ordered(&mut self, agent: AgentId, goals: &Goals) {
        if let Some(actor) = self.actors.get_mut(&agent) {
            actor.idle = false;
            actor.is_sent = !goals.nodes().is_empty();
            actor.has_arrived = false;
            actor.ordered = self.crowd.now();
            actor.plans = 0;
            actor.visited.clear();
            actor.newest = None;
        }
        if let Some(recording) = &mut self.recording {
            recording.order(&self.crowd, agent, goals);
        }
    }

    /// Counts what was done in the tick of `report`.
    fn count(&mut self, report: &Report) {
        for agent in &report.planned {
            if let Some(actor) = self.actors.get_mut(agent) {
                actor.plans += 1;
                let again = u64::from(actor.plans > 1);
                actor.metrics.replans += again;
                self.metrics.replans += again;
            }
        }
        for agent in &report.unreachable {
            if let Some(actor) = self.actors.get_mut(agent) {
                actor.metrics.unreachable += 1;
                self.metrics.unreachable += 1;
                actor.idle = !actor.assignment.is_once();
            }
            if let Some(recording) = &mut self.recording {
                recording.order(&self.crowd, *agent, &Goals::from_iter([]));
            }
        }
        let now = self.crowd.now();
        for agent in &report.arrived {
            if let Some(actor) = self.actors.get_mut(agent).filter(|actor| !actor.idle) {
                // An agent may have been sent to the place where it was.
                let at = if actor.was_home { report.tick } else { now };
                actor.has_arrived = true;
                let took = u64::from(at.saturating_sub(actor.ordered));
                actor.metrics.arrivals += 1;
                actor.metrics.flow_time += took;
                self.metrics.arrivals += 1;
                self.metrics.flow_time += took;
                actor.idle = !actor.assignment.is_once();
            }
        }
        for (agent, actor) in &mut self.actors {
            let Some(leg) = self.crowd.last_leg(*agent) else {
                continue;
            };
            if let Some(recording) = &mut self.recording {
                recording.note(&self.crowd, *agent, &leg, report.tick);
            }
            let home = self.crowd.is_home(*agent) == Some(true);
            let stands_by = self.crowd.is_bystander(*agent) == Some(true);
            actor.note_home(home && !stands_by, &leg, report.tick, now);
            if !leg.is_move() {
                let waits = u64::from(!home && !stands_by);
                actor.metrics.waits += waits;
                self.metrics.waits += waits;
                continue;
            }
            if leg.depart == report.tick {
                actor.metrics.path_length += 1;
                // Mostly the agent has come here by its last move.
                if actor.newest != Some(leg.from) {
                    actor.visited.insert(leg.from);
                }
            }
            if leg.arrive == now {
                let again = u64::from(!actor.visited.insert(leg.to));
                actor.newest = Some(leg.to);
                actor.metrics.revisits += again;
                self.metrics.revisits += again;
            }
        }
    }
}

/// Refuses a task of an agent of `class` with a place that does not exist. `checked`: the endpoints, and the class,
/// that were found to be in order last; in a crowd, many agents have the same.
fn check_places(
    crowd: &Crowd<'_>,
    checked: &mut Option<(ClassId, Endpoints)>,
    class: ClassId,
    task: &Task,
) -> Result<(), CrowdError> {
    let is_checked = |places: &Endpoints| checked.as_ref().is_some_and(|(of, known)| *of == class && known.is(places));
    let places: &[NodeId] = match task {
        Task::Once => &[],
        Task::Patrol(places) => places,
        Task::Lifelong { places, .. } if is_checked(places) => &[],
        Task::Lifelong { places, .. } => places.nodes(),
    };
    match places.iter().find(|place| !crowd.has_node(class, **place)) {
        // A missing class is reported when the agent is added.
        Some(place) if crowd.has_class(class) => return Err(CrowdError::NoSuchNode(*place)),
        Some(_) => return Ok(()),
        None => {}
    }
    if let Task::Lifelong { places, .. } = task {
        *checked = Some((class, places.clone()));
    }
    Ok(())
}
