//! Crowds in a world.

use std::path::Path;

use anyhow::Result;
use giveway::direction::WorldDirectionMap;
use giveway::plan::Trace;
use giveway::sim::Simulation;
use giveway::strategies::{Crowd, CrowdSettings};
use giveway::time::{Span, Tick};
use giveway::words::Words;

use super::{Goes, Run, Surroundings, Told};
use crate::arguments::{CrowdArguments, SimulateArguments};
use crate::count::Count;
use crate::learning::{Learned, LearnedMap};
use crate::node_map::Labels;
use crate::outputs::Outputs;
use crate::planning::crowd as crowd_of;
use crate::saved_run::Saving;
use crate::verdict::Verdict;
use crate::violation_text::Violations;
use crate::worlds::{Course, LoadedWorld};

/// Runs the crowd of the world in the file at `path`.
pub(super) fn simulate(
    arguments: &SimulateArguments,
    path: &Path,
    outputs: Outputs,
    saving: &Saving,
) -> Result<Verdict> {
    let world = LoadedWorld::read(path, arguments.seed, false)?;
    if arguments.learning.learned.is_some() {
        world.require_one_side()?;
    }
    outputs.spare_inputs()?;
    let mut course = world.course()?;
    let settings = settings(&world, arguments);
    let simulation = match &saving.saved {
        None => world.simulation(settings, &course, arguments.record.is_some())?,
        Some(saved) => {
            let mut simulation = Simulation::new(world.crowd(settings, &course)?.0).recorded();
            saved.load(|save| simulation.load(save), |words| course.read_from(words))?;
            saved.check(course.fits(simulation.crowd().now()))?;
            saved.check_ticks(arguments.ticks, simulation.crowd().now())?;
            simulation
        }
    };
    let keeps = outputs.need_trace();
    let mut around = InWorld { world: &world, course, learned: None };
    let run = Run::to_the_end(&mut around, arguments, simulation, keeps, None, saving)?;
    let agents = world.crew.len();
    let told = Told {
        agents,
        title: format!("{} in {}", Count(agents as u64, "agent"), world.file.name()),
        goes: Goes::World(world.ticks_per_step),
        lower_bound: None,
        coherence: None,
        moved_goals: None,
        places: world.places(),
        learned: Learned { map: around.learned.as_ref().map(LearnedMap::OfSide), ..Learned::nothing() },
    };
    let outputs = outputs.on_floors(world.plan());
    let closed = around.course.closed();
    told.conclude(
        run,
        arguments,
        outputs,
        || world.backdrop(closed),
        |trace| (Trace { ticks_per_step: world.ticks_per_step, ..trace }, Labels::default()),
    )
}

/// The settings of the crowd of `world`.
pub(crate) fn settings(world: &LoadedWorld, arguments: &SimulateArguments) -> CrowdSettings {
    let SimulateArguments { strategy, order, crowd, .. } = arguments;
    let window = crowd.window.or(world.window());
    crowd_of(*strategy, *order, &CrowdArguments { window, ..crowd.clone() }, world.seed)
}

/// A world, and what happens in it.
struct InWorld<'a> {
    world: &'a LoadedWorld,
    course: Course,
    /// What the one side has learned in the end.
    learned: Option<WorldDirectionMap>,
}

impl Surroundings for InWorld<'_> {
    fn go_on(&mut self, simulation: &mut Simulation<'_>) -> Result<()> {
        self.course.go_on(&self.world.file, simulation)
    }

    fn is_over(&self, simulation: &Simulation<'_>) -> bool {
        let now: Tick = simulation.crowd().now();
        simulation.crowd().is_at_rest() && !self.world.is_endless() && !self.course.goes_on(now)
    }

    fn write_to(&self, words: &mut Words) {
        self.course.write_to(words);
    }

    fn violations(&self, trace: &Trace, span: Span) -> Violations {
        self.world.violations(trace, span)
    }

    fn end(&mut self, crowd: &Crowd<'_>) {
        self.learned = self.world.learned(crowd).cloned();
    }
}
