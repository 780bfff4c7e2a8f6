//! What a strategy makes of a case.

use std::fmt;

use giveway::check::BodyChecker;
use giveway::heuristic::{ByMetric, HeuristicSource, Manhattan};
use giveway::plan::{Trace, TracedBody, fewest_ticks};
use giveway::search::Cost;
use giveway::sim::{Simulation, Task};
use giveway::spaces::{Body, CommonTicks, Ground};
use giveway::spaces::{Embedding, SyncSpace};
use giveway::strategies::{Budget, Class, Cooperative, Crowd, CrowdSettings, Hca, Lra, Planner};
use giveway::time::Tick;
use giveway::{Agent, Checker, ConflictRule, Footprint, Instance, Point, SpaceGraph};

use super::Anything;
use super::case::{Case, Kind, Unit};

/// How many ticks everybody has.
pub(crate) const LIMIT: Tick = 500;

/// A strategy, and how it is run.
pub(crate) enum Strategy {
    /// CA*, which plans for everybody from start to end and for units of one kind.
    Ca,
    /// HCA*, as CA*.
    Hca,
    /// A crowd with these settings.
    Crowd(fn() -> CrowdSettings),
}

/// The columns of the table.
pub(crate) const STRATEGIES: [(&str, Strategy); 6] = [
    ("WHCA\\*", Strategy::Crowd(CrowdSettings::new)),
    ("WHCA\\*:32", Strategy::Crowd(|| CrowdSettings::new().window(32))),
    ("windows", Strategy::Crowd(|| CrowdSettings::new().chain(Planner::Windowed).promotion(false).growth(None))),
    ("LRA\\*", Strategy::Crowd(|| CrowdSettings::new().chain(Planner::LocalRepair(Lra::new(1))))),
    ("CA\\*", Strategy::Ca),
    ("HCA\\*", Strategy::Hca),
];

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// Everybody is there, and those who stand by are back.
    Solved {
        /// After so many ticks.
        ticks: Tick,
        /// The sum over units of the tick at which each was there for good.
        sum: u64,
    },
    /// Not everybody is.
    Partly {
        /// How many are; of those who plan from start to end, for how many there is a path.
        there: usize,
        /// How many there are.
        of: usize,
    },
    /// The strategy plans for units of one kind, and these are of several.
    NotTaken,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Solved { ticks, sum } => write!(f, "{ticks} / {sum}"),
            Self::Partly { there, of } => write!(f, "*{there} of {of}*"),
            Self::NotTaken => f.write_str("–"),
        }
    }
}

/// Units of one kind: their space, what they occupy, their shape.
#[derive(Clone)]
pub(crate) struct World<S, F> {
    pub(crate) kind: Kind,
    pub(crate) space: S,
    pub(crate) footprint: F,
    /// `None`: points, under the swap rule.
    pub(crate) outline: Option<TracedBody>,
}

/// What one strategy makes of the units of a case, which are of the kinds of `worlds`.
pub(crate) trait Question {
    type Answer;

    fn ask<S, F>(self, case: &Case, worlds: &[World<S, F>]) -> Result<Self::Answer, Anything>
    where
        S: Embedding<Cost = u32> + SyncSpace + Clone + 'static,
        F: Footprint<S> + Clone + Send + Sync + 'static;
}

/// Units that are all plain are points under the swap rule; otherwise all of them are bodies.
pub(crate) fn ask<Q: Question>(case: &Case, question: Q) -> Result<Q::Answer, Anything> {
    let (grid, kinds) = (&case.grid, case.kinds());
    if kinds == [Kind::PLAIN] {
        let footprint = Point::swap_rule(grid);
        return question.ask(case, &[World { kind: Kind::PLAIN, space: grid.clone(), footprint, outline: None }]);
    }
    let bodies = kinds.iter().map(|kind| Body::square(kind.size)?.speed(kind.speed));
    let bodies: Vec<Body> = bodies.collect::<Result<_, _>>()?;
    let ticks = CommonTicks::new().of(&bodies, grid).fewest()?;
    if ticks != 1 {
        return Err(format!("{}: expected speeds of whole ticks to a step, found {kinds:?}", case.name).into());
    }
    let worlds = kinds.iter().zip(&bodies).map(|(kind, body)| {
        let (space, footprint) = body.on(grid, Ground::from_grid(grid), ticks)?;
        Ok(World { kind: *kind, space, footprint, outline: Some(body.outline()) })
    });
    question.ask(case, &worlds.collect::<Result<Vec<_>, Anything>>()?)
}

/// What `strategy` makes of `case`.
///
/// # Errors
/// The case does not fit its map, or the strategy made a plan that is wrong.
pub(crate) fn run(case: &Case, strategy: &Strategy) -> Result<Outcome, Anything> {
    ask(case, Run(strategy)).map_err(|why| format!("{}: {why}", case.name).into())
}

/// The sum over the units of `case` of the ticks that each would take if it were alone.
pub(crate) fn alone(case: &Case) -> Result<u64, Anything> {
    ask(case, Alone)
}

struct Run<'a>(&'a Strategy);

impl Question for Run<'_> {
    type Answer = Outcome;

    fn ask<S, F>(self, case: &Case, worlds: &[World<S, F>]) -> Result<Outcome, Anything>
    where
        S: Embedding<Cost = u32> + SyncSpace + Clone + 'static,
        F: Footprint<S> + Clone + Send + Sync + 'static,
    {
        match (self.0, worlds) {
            (Strategy::Ca, [world]) => {
                let manhattan = ByMetric(Manhattan { step: u32::STEP });
                from_start_to_end(case, world, Cooperative::new(manhattan))
            }
            (Strategy::Hca, [world]) => from_start_to_end(case, world, Hca::hca_star()),
            (Strategy::Ca | Strategy::Hca, _) => Ok(Outcome::NotTaken),
            (Strategy::Crowd(settings), worlds) => crowd(case, worlds, settings()),
        }
    }
}

struct Alone;

impl Question for Alone {
    type Answer = u64;

    fn ask<S, F>(self, case: &Case, worlds: &[World<S, F>]) -> Result<u64, Anything>
    where
        S: Embedding<Cost = u32> + SyncSpace + Clone + 'static,
        F: Footprint<S> + Clone + Send + Sync + 'static,
    {
        let mut sum = 0;
        for world in worlds {
            let agents = case.units.iter().filter(|unit| unit.kind == world.kind).map(sent).collect();
            let ticks = fewest_ticks(&Instance::new(&world.space, &world.footprint, agents)?);
            let ticks: Option<Vec<Tick>> = ticks.into_iter().collect();
            sum += ticks.ok_or("a goal cannot be reached")?.into_iter().map(u64::from).sum::<u64>();
        }
        Ok(sum)
    }
}

/// The unit for whoever plans from start to end: if it stands by, its goal is where it is.
fn sent(unit: &Unit) -> Agent {
    Agent::new(unit.start, unit.goal.unwrap_or(unit.start))
}

fn from_start_to_end<S, F, H>(case: &Case, world: &World<S, F>, planner: Cooperative<H>) -> Result<Outcome, Anything>
where
    S: SpaceGraph + Embedding,
    F: Footprint<S>,
    H: HeuristicSource<S>,
{
    let agents: Vec<Agent> = case.units.iter().map(sent).collect();
    let instance = Instance::new(&world.space, &world.footprint, agents)?;
    let solution = planner.latest(LIMIT).solve(&instance);
    if !solution.is_complete() {
        let of = case.units.len();
        return Ok(Outcome::Partly { there: of - solution.unplanned.len(), of });
    }
    let mut trace = Trace::from_plan(&world.space, instance.agents(), &solution.plan, 1);
    for agent in &mut trace.agents {
        agent.body.clone_from(&world.outline);
    }
    check(case, std::slice::from_ref(world), &trace)?;
    Ok(outcome(case, &trace))
}

fn crowd<S, F>(case: &Case, worlds: &[World<S, F>], settings: CrowdSettings) -> Result<Outcome, Anything>
where
    S: Embedding<Cost = u32> + SyncSpace + Clone + 'static,
    F: Footprint<S> + Clone + Send + Sync + 'static,
{
    let mut crowd = Crowd::new(settings);
    let mut classes = Vec::new();
    for World { kind, space, footprint, outline } in worlds.iter().cloned() {
        let class = Class::new(space, footprint);
        classes.push((kind, crowd.add_class(outline.into_iter().fold(class, Class::body))?));
    }
    let mut simulation = Simulation::new(crowd).recorded();
    for unit in &case.units {
        let (_, class) = classes.iter().find(|(kind, _)| *kind == unit.kind).ok_or("every kind has its class")?;
        let agent = unit.goal.map_or(Agent::bystander(unit.start), |goal| Agent::new(unit.start, goal));
        simulation.add(*class, agent, Task::Once)?;
    }
    while !simulation.crowd().is_at_rest() && simulation.crowd().now() < LIMIT {
        simulation.tick(Budget::unlimited());
    }
    let trace = simulation.trace().ok_or("it is recorded")?;
    check(case, worlds, &trace)?;
    Ok(outcome(case, &trace))
}

/// Asks the checkers: by the rules about those of one kind, by shapes about bodies of all kinds.
fn check<S: SpaceGraph, F>(case: &Case, worlds: &[World<S, F>], trace: &Trace) -> Result<(), Anything> {
    for world in worlds {
        let rule = if world.outline.is_some() { ConflictRule::Following } else { ConflictRule::Swap };
        let own = case.units.iter().zip(&trace.agents).filter(|(unit, _)| unit.kind == world.kind);
        let own = Trace::new(trace.ticks_per_step, own.map(|(_, agent)| agent.clone()).collect());
        if let Some(violation) = Checker::new(&world.space, rule).check_trace(&own).first() {
            return Err(format!("among those of {:?}: {violation}", world.kind).into());
        }
    }
    match BodyChecker::new().check(trace).first() {
        Some(overlap) => Err(overlap.to_string().into()),
        None => Ok(()),
    }
}

/// Who was where at the end, read from the trace alone.
fn outcome(case: &Case, trace: &Trace) -> Outcome {
    let last = |index: usize| trace.agents[index].moves.iter().rfind(|m| m.arrive <= LIMIT);
    let there = |(index, unit): &(usize, &Unit)| {
        last(*index).map_or(unit.start.0, |m| m.to.node) == unit.goal.unwrap_or(unit.start).0
    };
    let (of, there) = (case.units.len(), case.units.iter().enumerate().filter(there).count());
    if there < of {
        return Outcome::Partly { there, of };
    }
    let arrivals = || (0..of).map(|index| last(index).map_or(0, |m| m.arrive));
    Outcome::Solved { ticks: arrivals().max().unwrap_or(0), sum: arrivals().map(u64::from).sum() }
}
