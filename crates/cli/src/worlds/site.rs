//! A world of one class, as a site: all strategies plan there.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use giveway::check::Violation;
use giveway::heuristic::{Euclidean, TrueDistances};
use giveway::plan::{PlanIn, Trace};
use giveway::render::Backdrop;
use giveway::sim::{Endpoints, Metrics};
use giveway::spaces::{Embedding, SyncSpace};
use giveway::strategies::{Budget, Class, ClassId, Crowd, CrowdSettings, SolutionIn, Watch};
use giveway::time::{Span, Tick, Ticks};
use giveway::{Agent, AgentId, Footprint, Instance, NodeId};

use super::kinds::{KindSpace, OnSpace};
use super::{Course, LoadedWorld};
use crate::arguments::CrowdArguments;
use crate::cells::Cells;
use crate::places::Places;
use crate::planning::{ChosenStrategy, Details};
use crate::site::Site;
use crate::unarrived::Unarrived;
use crate::violation_text::{Conflict, Violations};
use crate::world::OnSite;

impl LoadedWorld {
    /// Whether the world has agents of one class only, which plans as the command says, and does not change: then they
    /// can be planned to their goals at once.
    pub(crate) fn is_of_one_class(&self) -> Result<bool> {
        let first = self.crew.first().map(|member| member.kind);
        let is_of_first = self.crew.iter().all(|member| Some(member.kind) == first);
        let is_free = first.is_none_or(|first| !self.kinds[first].has_strategy());
        Ok(is_of_first && is_free && !self.course()?.goes_on(0))
    }

    /// Runs `command` on the site of the one class of the world, which was read from `path`.
    pub(crate) fn on_site<C: OnSite>(&self, path: &Path, command: C) -> Result<C::Output> {
        let agents: Vec<Agent> = self.crew.iter().map(|member| member.agent.clone()).collect();
        let Some(kind) = self.crew.first().map(|member| &self.kinds[member.kind]) else { bail!("there is no agent") };
        macro_rules! run {
            ($on:expr) => {
                command.run(&OfOneClass { world: self, on: $on, agents, backdrop: self.backdrop([])? })
            };
        }
        match &kind.space {
            KindSpace::Grid(on) => {
                let map_file = match &self.file.document().maps[..] {
                    [map] => map.file.as_ref().map(|file| file.value.clone()),
                    _ => None,
                };
                command.run(&Cells::of_world(path, &on.space, agents, map_file))
            }
            KindSpace::Nodes(on, _) => run!(on),
            KindSpace::Cells(on) => run!(on),
            KindSpace::Vehicles(on) => run!(on),
            KindSpace::Roads(on) => run!(on),
            KindSpace::Mesh(on) => run!(on),
            KindSpace::Joined(on) => run!(on),
        }
    }

    /// Runs a crowd of `settings` until all agents are on their goals, or until the tick `latest`, or for `time`.
    pub(crate) fn run_to_rest(
        &self,
        settings: CrowdSettings,
        latest: Option<Tick>,
        time: Option<Duration>,
    ) -> Result<Outcome> {
        let mut course: Course = self.course()?;
        let begin = Instant::now();
        let mut simulation = self.simulation(settings, &course, false)?;
        let longest = self.fewest_ticks()?.into_iter().flatten().max().unwrap_or(0);
        let patience = longest.saturating_mul(8).saturating_add(PATIENCE.saturating_mul(self.ticks_per_step));
        let latest = latest.unwrap_or_else(|| course.last().saturating_add(patience));
        loop {
            let now = simulation.crowd().now();
            if now >= latest || (simulation.crowd().is_at_rest() && !course.goes_on(now)) {
                break;
            }
            if time.is_some_and(|time| begin.elapsed() >= time) {
                break;
            }
            course.go_on(&self.file, &mut simulation)?;
            simulation.tick(Budget::unlimited());
        }
        let planning = begin.elapsed();
        let now = simulation.crowd().now();
        let ids = (0..).map(AgentId).zip(&self.crew);
        let late = ids.filter(|(id, _)| simulation.crowd().is_home(*id) != Some(true));
        let unarrived = late.map(|(id, member)| Unarrived::late(id, &member.agent, now)).collect();
        let mut trace = simulation.take_trace().unwrap_or_else(|| Trace::new(self.ticks_per_step, Vec::new()));
        trace.ticks_per_step = self.ticks_per_step;
        let arrivals = trace.agents.iter().map(|agent| agent.moves.last().map_or(0, |last| last.arrive));
        Ok(Outcome {
            sum_of_costs: arrivals.clone().map(u64::from).sum(),
            makespan: arrivals.max().unwrap_or(0),
            violations: self.violations(&trace, Span::endless(0)),
            closed: course.closed().collect(),
            metrics: simulation.metrics(),
            unarrived,
            trace,
            planning,
        })
    }
}

/// A crowd has eight times as long as the longest way, and so many steps more.
const PATIENCE: Ticks = 500;

/// What came of a run to rest.
pub(crate) struct Outcome {
    pub(crate) trace: Trace,
    pub(crate) violations: Violations,
    /// The ticks during which areas were closed, with their numbers.
    pub(crate) closed: Vec<(usize, std::ops::Range<Tick>)>,
    pub(crate) metrics: Metrics,
    pub(crate) unarrived: Vec<Unarrived>,
    pub(crate) sum_of_costs: u64,
    pub(crate) makespan: Tick,
    pub(crate) planning: Duration,
}

/// The agents of a world of one class.
struct OfOneClass<'w, S, F> {
    world: &'w LoadedWorld,
    on: &'w OnSpace<S, F>,
    agents: Vec<Agent>,
    backdrop: Backdrop,
}

impl<S, F> Site for OfOneClass<'_, S, F>
where
    S: Embedding + SyncSpace + 'static,
    F: Footprint<S> + Send + Sync + 'static,
{
    type Space = S;
    type Footprint = F;
    type Metric = Euclidean;

    fn begin(&self) -> Instant {
        self.world.begin
    }

    fn instance(&self) -> Result<Instance<'_, S, F>> {
        let why = |error| self.world.file.error_why(self.world.crew.first().map_or(0, |member| member.at), error);
        Ok(Instance::new(&self.on.space, &self.on.footprint, self.agents.clone()).map_err(why)?)
    }

    fn distances(&self) -> TrueDistances<S, Euclidean> {
        TrueDistances::aimed(Euclidean::from_space(&self.on.space))
    }

    fn crowd(&self, arguments: &CrowdArguments) -> CrowdArguments {
        CrowdArguments { window: arguments.window.or(self.world.window()), ..arguments.clone() }
    }

    fn plan(
        &self,
        chosen: &ChosenStrategy,
        instance: &Instance<'_, S, F>,
        distances: &mut TrueDistances<S, Euclidean>,
        watch: &mut impl Watch,
    ) -> SolutionIn<S, Details> {
        chosen.plan_by(distances, Euclidean::from_space(&self.on.space), instance, watch)
    }

    fn add_class<'a>(&'a self, crowd: &mut Crowd<'a>) -> Result<ClassId> {
        Ok(crowd.add_class(Class::new(&self.on.space, &self.on.footprint))?)
    }

    fn goals(&self) -> Endpoints {
        let mut goals: Vec<NodeId> = self.agents.iter().flat_map(|agent| agent.goals.nodes().to_vec()).collect();
        goals.sort_unstable();
        goals.dedup();
        goals.into()
    }

    fn trace(&self, plan: &PlanIn<S>) -> Trace {
        self.traced(Trace::from_plan(&self.on.space, &self.agents, plan, self.world.ticks_per_step))
    }

    fn traced(&self, mut recording: Trace) -> Trace {
        recording.ticks_per_step = self.world.ticks_per_step;
        for (agent, member) in recording.agents.iter_mut().zip(&self.world.crew) {
            agent.body.clone_from(&self.world.kinds[member.kind].outline);
        }
        recording
    }

    /// Also agents that do not end on their goals.
    fn violations(&self, plan: &PlanIn<S>) -> Violations {
        let mut violations = self.violations_of_trace(&self.trace(plan), Span::endless(0));
        for (path, (agent, id)) in plan.paths.iter().zip(self.agents.iter().zip((0..).map(AgentId))) {
            if !agent.goals.contains(path.end()) {
                let wrong = Violation::WrongGoal { agent: id, found: path.end(), tick: path.arrival() };
                violations.named.push(Conflict::Rule(wrong));
            }
        }
        violations
    }

    fn violations_of_trace(&self, trace: &Trace, span: Span) -> Violations {
        self.world.violations(trace, span)
    }

    fn kind(&self) -> &'static str {
        "a world"
    }

    fn backdrop(&self) -> Backdrop {
        self.backdrop.clone()
    }

    fn places(&self) -> Places {
        self.world.places()
    }
}
