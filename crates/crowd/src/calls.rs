//! Calls: what is told to a crowd, as values, so that it can be recorded and told to another crowd.

use giveway_core::{Agent, AgentId, Area, Goals, NodeId, Surface, Tick, Ticks};

use crate::budget::Budget;
use crate::crowd::Crowd;
use crate::error::CrowdError;
use crate::orders::{March, Muster};
use crate::outsiders::Margin;
use crate::standing::{Follow, Round, Stages, Target};
use giveway_members::chain::Chain;
use giveway_members::class_id::ClassId;
use giveway_members::depth::Depth;

/// A call of a method of a [`Crowd`], with its arguments. The method is one that may change what the crowd does. Each
/// variant has the name of its method.
///
/// A crowd can [record](Crowd::record_calls) its calls. Another crowd that begins alike and [gets](Crowd::apply) equal
/// calls does the same: a bug report is a list of calls. Classes are not among the calls, because only the program
/// knows their types.
///
/// ```
/// use giveway_core::{Agent, Point};
/// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
/// use giveway_spaces::Grid;
///
/// let grid = Grid::open(9, 5)?;
/// let begin = || -> Result<Crowd<'_>, Box<dyn std::error::Error>> {
///     let mut crowd = Crowd::new(CrowdSettings::new());
///     crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
///     Ok(crowd)
/// };
/// let at = |x, y| grid.node(x, y).expect("on the grid");
/// let mut crowd = begin()?;
/// crowd.record_calls(true);
/// let agent = crowd.add(giveway_crowd::ClassId(0), Agent::new(at(0, 2), at(8, 2)))?;
/// crowd.tick(Budget::work(1000));
/// crowd.stop(agent)?;
/// crowd.tick(Budget::work(1000));
///
/// let mut other = begin()?;
/// for call in crowd.take_calls() {
///     other.apply(&call)?;
/// }
/// assert_eq!(crowd.state_hash(), other.state_hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
#[allow(missing_docs)] // the arguments are those of the methods
pub enum Call {
    /// [`Crowd::add`].
    Add { class: ClassId, agent: Agent },
    /// [`Crowd::add_near`].
    AddNear { class: ClassId, agent: Agent },
    /// [`Crowd::remove`].
    Remove { agent: AgentId },
    /// [`Crowd::send`].
    Send { agent: AgentId, goals: Goals },
    /// [`Crowd::send_near`].
    SendNear { agent: AgentId, node: NodeId },
    /// [`Crowd::send_shared`].
    SendShared { agent: AgentId, goals: Goals },
    /// [`Crowd::send_along`].
    SendAlong { agent: AgentId, stops: Vec<(Tick, NodeId)> },
    /// [`Crowd::predict`].
    Predict { agent: AgentId, stops: Vec<(Tick, NodeId)>, margin: Margin },
    /// [`Crowd::walk`].
    Walk { agent: AgentId, node: NodeId },
    /// [`Crowd::send_within`].
    SendWithin { agent: AgentId, goals: Goals, range: f64 },
    /// [`Crowd::send_group`].
    SendGroup { agents: Vec<AgentId>, muster: Muster, march: March },
    /// [`Crowd::follow`].
    Follow { agent: AgentId, target: Target, follow: Follow },
    /// [`Crowd::aim`].
    Aim { agent: AgentId, place: NodeId },
    /// [`Crowd::queue`].
    Queue { agent: AgentId, stages: Stages },
    /// [`Crowd::patrol`].
    Patrol { agent: AgentId, stages: Stages, round: Round },
    /// [`Crowd::set_priority`].
    SetPriority { agent: AgentId, priority: i32 },
    /// [`Crowd::stop`].
    Stop { agent: AgentId },
    /// [`Crowd::place`].
    Place { agent: AgentId, node: NodeId },
    /// [`Crowd::place_near`].
    PlaceNear { agent: AgentId, node: NodeId },
    /// [`Crowd::hold`].
    Hold { agent: AgentId, ticks: Ticks },
    /// [`Crowd::set_reports_moves`].
    SetReportsMoves { agent: AgentId, reports: bool },
    /// [`Crowd::done`].
    Done { agent: AgentId },
    /// [`Crowd::change_class`].
    ChangeClass { agent: AgentId, class: ClassId },
    /// [`Crowd::set_chain`].
    SetChain { agent: AgentId, chain: Chain },
    /// [`Crowd::set_depth`].
    SetDepth { agent: AgentId, depth: Option<Depth> },
    /// [`Crowd::set_open`].
    SetOpen { class: ClassId, node: NodeId, open: bool },
    /// [`Crowd::close`].
    Close { area: Area },
    /// [`Crowd::vacate`].
    Vacate { area: Area },
    /// [`Crowd::open`].
    Open { area: Area },
    /// [`Crowd::resurface`].
    Resurface { area: Area, surface: Surface },
    /// [`Crowd::distance`], which may search.
    Distance { agent: AgentId, budget: Budget },
    /// [`Crowd::explain`], which may begin searches.
    Explain { agent: AgentId },
    /// [`Crowd::waiting`], which may begin searches.
    Waiting,
    /// [`Crowd::tick`].
    Tick { budget: Budget },
}

impl Crowd<'_> {
    /// With `record`, the crowd records the calls that it gets from now on. Without `record`, the crowd records no more
    /// calls, and the calls that were not [taken](Self::take_calls) are lost. Calls that fail are recorded, too. A
    /// clone begins with a copy of the recorded calls, and records on its own.
    ///
    /// Recorded calls take memory until they are [taken](Self::take_calls).
    pub fn record_calls(&mut self, record: bool) {
        self.calls = record.then(|| self.calls.take().unwrap_or_default());
    }

    /// The calls since the last call of this method, or since the crowd began to [record](Self::record_calls) them, in
    /// order. Empty if the crowd does not record calls.
    pub fn take_calls(&mut self) -> Vec<Call> {
        self.calls.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Calls the method that `call` names, with the arguments of `call`. The result of the method is dropped, unless it
    /// is an error.
    ///
    /// # Errors
    /// As for the method.
    pub fn apply(&mut self, call: &Call) -> Result<(), CrowdError> {
        match call.clone() {
            Call::Add { class, agent } => self.add(class, agent).map(drop),
            Call::AddNear { class, agent } => self.add_near(class, agent).map(drop),
            Call::Remove { agent } => self.remove(agent),
            Call::Send { agent, goals } => self.send(agent, goals).map(drop),
            Call::SendNear { agent, node } => self.send_near(agent, node).map(drop),
            Call::SendShared { agent, goals } => self.send_shared(agent, goals),
            Call::SendAlong { agent, stops } => self.send_along(agent, &stops),
            Call::Predict { agent, stops, margin } => self.predict(agent, &stops, margin),
            Call::Walk { agent, node } => self.walk(agent, node),
            Call::SendWithin { agent, goals, range } => self.send_within(agent, goals, range).map(drop),
            Call::SendGroup { agents, muster, march } => self.send_group(&agents, muster, march).map(drop),
            Call::Follow { agent, target, follow } => self.follow(agent, target, follow),
            Call::Aim { agent, place } => self.aim(agent, place),
            Call::Queue { agent, stages } => self.queue(agent, stages),
            Call::Patrol { agent, stages, round } => self.patrol(agent, stages, round),
            Call::SetPriority { agent, priority } => self.set_priority(agent, priority),
            Call::Stop { agent } => self.stop(agent).map(drop),
            Call::Place { agent, node } => self.place(agent, node),
            Call::PlaceNear { agent, node } => self.place_near(agent, node).map(drop),
            Call::Hold { agent, ticks } => self.hold(agent, ticks).map(drop),
            Call::SetReportsMoves { agent, reports } => self.set_reports_moves(agent, reports),
            Call::Done { agent } => self.done(agent),
            Call::ChangeClass { agent, class } => self.change_class(agent, class),
            Call::SetChain { agent, chain } => self.set_chain(agent, chain),
            Call::SetDepth { agent, depth } => self.set_depth(agent, depth),
            Call::SetOpen { class, node, open } => self.set_open(class, node, open).map(drop),
            Call::Close { area } => self.close(&area).map(drop),
            Call::Vacate { area } => self.vacate(&area).map(drop),
            Call::Open { area } => self.open(&area).map(drop),
            Call::Resurface { area, surface } => self.resurface(&area, surface).map(drop),
            Call::Distance { agent, budget } => {
                self.distance(agent, budget);
                Ok(())
            }
            Call::Explain { agent } => {
                self.explain(agent);
                Ok(())
            }
            Call::Waiting => {
                self.waiting();
                Ok(())
            }
            Call::Tick { budget } => {
                self.tick(budget);
                Ok(())
            }
        }
    }

    /// The number of ticks among the recorded calls.
    pub(crate) fn recorded_ticks(&self) -> usize {
        self.calls.iter().flatten().filter(|call| matches!(call, Call::Tick { .. })).count()
    }

    /// The number of recorded calls that are not taken yet.
    pub(crate) fn recorded(&self) -> usize {
        self.calls.as_ref().map_or(0, Vec::len)
    }

    /// Notes a call, if calls are recorded.
    #[inline]
    pub(crate) fn note(&mut self, call: impl FnOnce() -> Call) {
        self.called += 1;
        if let Some(calls) = &mut self.calls {
            calls.push(call());
        }
    }
}
