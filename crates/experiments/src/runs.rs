//! Runs: every method on every scenario, on as many threads as are wanted.

use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context as _, Result};
use giveway_lanes::DirectionMap;

use crate::course::{Conditions, PatrolGround};
use crate::method::Method;
use crate::patrols::PatrolRules;
use crate::row::Row;
use crate::setup::{Experiment, Setup};
use crate::world::{Patrolled, World};

/// A run, and what is not of its line.
pub(crate) struct Run {
    pub(crate) row: Row,
    /// The coherence after each interval, while it went on; for figure 8 only.
    pub(crate) samples: Vec<Option<f64>>,
    pub(crate) map: DirectionMap,
}

/// An event of a run. Events are sent from the thread of the run.
#[derive(Clone, Copy, Debug)]
pub enum RunEvent<'a> {
    /// The run of this name has begun.
    Begun(&'a str),
    /// A run has ended.
    Ended,
}

/// Lets each method run on each scenario: for each method, its runs in the order of the scenarios. The result does not
/// depend on `threads`.
///
/// # Errors
/// A run cannot begin, or has no end.
pub(crate) fn run_all(
    setup: &Setup,
    world: &World,
    threads: NonZeroUsize,
    watch: impl Fn(RunEvent<'_>) + Sync,
) -> Result<Vec<Vec<Run>>> {
    let jobs: Vec<(Method, usize, &Patrolled)> = setup
        .methods
        .iter()
        .flat_map(|method| world.scenarios.iter().enumerate().map(|(place, scenario)| (*method, place, scenario)))
        .collect();
    let done: Vec<OnceLock<Result<Run>>> = jobs.iter().map(|_| OnceLock::new()).collect();
    let (next, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = || {
        // A run that fails makes all others useless. Earlier runs have begun already, so the first error is always the
        // same.
        while !has_failed.load(Ordering::Relaxed) {
            let job = next.fetch_add(1, Ordering::Relaxed);
            let (Some((method, place, scenario)), Some(slot)) = (jobs.get(job), done.get(job)) else {
                return;
            };
            let name = format!("{method} on {}", scenario.name);
            watch(RunEvent::Begun(&name));
            let run = Run::of(setup, world, *method, *place, seed_at(setup.seed, *place)).context(name);
            has_failed.fetch_or(run.is_err(), Ordering::Relaxed);
            // It is the only one with this job.
            let _ = slot.set(run);
            watch(RunEvent::Ended);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get().min(jobs.len()) {
            scope.spawn(work);
        }
        work();
    });
    let mut runs = done.into_iter().filter_map(OnceLock::into_inner);
    let of_method = |_: &Method| runs.by_ref().take(world.scenarios.len()).collect();
    setup.methods.iter().map(of_method).collect()
}

/// The seed of the scenario at this place among the files: the same for all methods.
fn seed_at(seed: u64, place: usize) -> u64 {
    seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(place as u64)
}

/// How many times longer than one agent alone patrols may take before they are taken for endless.
const PATIENCE: f64 = 100.0;

impl Patrolled {
    /// How long a loop takes at least, since one agent takes as long alone: in units of time.
    pub(crate) fn shortest_loop(&self) -> f64 {
        f64::from(self.fewest_actions) * PatrolRules::ACTION
    }
}

impl Run {
    fn of(setup: &Setup, world: &World, method: Method, place: usize, seed: u64) -> Result<Self> {
        let scenario = &world.scenarios[place];
        let conditions = Conditions {
            loops: setup.loops,
            rate: setup.rate,
            weight: setup.weight,
            seed,
            interval: (setup.experiment == Experiment::Figure8).then_some(setup.set.interval),
            latest: PATIENCE * f64::from(setup.loops) * (scenario.shortest_loop() + PatrolRules::ACTION),
        };
        let ground = PatrolGround { grid: &world.grid, ends: &scenario.ends, next: &world.after(place).ends };
        let outcome = method.run(&ground, &conditions)?;
        let metrics = outcome.metrics;
        #[allow(clippy::cast_precision_loss)] // counts of an experiment
        let per_loop = |count: u64| rounded(metrics.per_loop(count as f64));
        let row = Row {
            scenario: scenario.name.clone(),
            method,
            weight: method.weight(setup.weight),
            rate: setup.rate,
            loops: setup.loops,
            agents: scenario.ends.len(),
            nodes: per_loop(metrics.nodes),
            reverse_nodes: per_loop(metrics.reverse_nodes),
            time: metrics.time,
            path: rounded(metrics.per_loop(metrics.path)),
            failed: per_loop(metrics.failed),
            stopped: per_loop(metrics.stopped),
            random_steps: per_loop(metrics.random_steps),
            stood: per_loop(metrics.stood),
            coherence: outcome.coherence.map(rounded),
        };
        Ok(Self { row, samples: outcome.samples, map: outcome.map })
    }
}

/// To six decimals, which say more than there is to know.
pub(crate) fn rounded(figure: f64) -> f64 {
    (figure * 1e6).round() / 1e6
}
