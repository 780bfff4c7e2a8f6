//! Strategies side by side in a world.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use giveway::plan::fewest_ticks;
use giveway::time::Tick;

use super::{Comparison, MAX_TICKS, Run, milliseconds};
use crate::arguments::{CompareArguments, Contender, Strategy};
use crate::output_file::{FileList, OutputFile};
use crate::planning::{ChosenStrategy, crowd as crowd_of};
use crate::site::Site;
use crate::watch::Overseer;
use crate::world::OnSite;
use crate::worlds::{LoadedWorld, Outcome};

/// Lets every strategy plan for the agents of the world in the file at `path`. No output may be a file that it names.
pub(super) fn compare<'o>(
    arguments: &CompareArguments,
    path: &Path,
    outputs: impl IntoIterator<Item = &'o OutputFile>,
) -> Result<Comparison> {
    let world = LoadedWorld::read(path, arguments.seed, true)?;
    outputs.into_iter().try_for_each(OutputFile::spare_inputs)?;
    let is_of_crowds = !world.is_of_one_class()?;
    let strategies = arguments.contenders(is_of_crowds);
    for contender in &strategies {
        let strategy = contender.strategy;
        if strategy == Strategy::Dm {
            bail!("direction maps are learned on one map of cells, and not in a world");
        }
        if is_of_crowds && !strategy.is_crowd() {
            bail!(
                "{strategy} plans one class of agents, without a strategy in the file, in a world that does not change: choose whca or lra"
            );
        }
    }
    let latest = arguments.max_ticks.unwrap_or(MAX_TICKS.saturating_mul(world.ticks_per_step));
    let name = world.file.name();
    let runs = if is_of_crowds {
        in_crowds(&world, arguments, &strategies, latest, &name)?
    } else {
        world.on_site(path, Comparing { arguments, strategies: &strategies, latest, name: &name })?
    };
    Ok(Comparison {
        title: name,
        strategies,
        counts: vec![u32::try_from(world.crew.len()).unwrap_or(u32::MAX)],
        runs,
        written: FileList::of_options([&arguments.csv, &arguments.svg]),
    })
}

fn in_crowds(
    world: &LoadedWorld,
    arguments: &CompareArguments,
    strategies: &[Contender],
    latest: Tick,
    name: &str,
) -> Result<Vec<Run>> {
    let bound = world.fewest_ticks()?;
    let mut runs = Vec::new();
    for contender in strategies {
        let mut crowd = contender.crowd();
        crowd.window = crowd.window.or(world.window());
        let settings = crowd_of(contender.strategy, None, &crowd, world.seed);
        let outcome = world.run_to_rest(settings, Some(latest), Some(arguments.time_limit))?;
        let Outcome { violations, metrics, unarrived, sum_of_costs, makespan, planning, .. } = outcome;
        let solved = unarrived.is_empty() && violations.named.is_empty();
        runs.push(Run {
            scenario: name.to_owned(),
            strategy: *contender,
            agents: u32::try_from(world.crew.len()).unwrap_or(u32::MAX),
            solved,
            sum_of_costs: solved.then_some(sum_of_costs),
            sum_of_costs_lower_bound: bound.as_ref().map(|ticks| ticks.iter().map(|ticks| u64::from(*ticks)).sum()),
            makespan: solved.then_some(makespan),
            makespan_lower_bound: bound.as_ref().and_then(|ticks| ticks.iter().copied().max()),
            expansions: metrics.expansions,
            reverse_expansions: metrics.reverse_expansions,
            planning_ms: milliseconds(planning),
            conflicts: violations.named.len(),
            collides: !violations.named.is_empty(),
        });
    }
    Ok(runs)
}

/// The command on the site of a world of one class.
struct Comparing<'a> {
    arguments: &'a CompareArguments,
    strategies: &'a [Contender],
    latest: Tick,
    name: &'a str,
}

impl OnSite for Comparing<'_> {
    type Output = Vec<Run>;

    fn run(self, site: &impl Site) -> Result<Vec<Run>> {
        self.runs(site)
    }
}

impl Comparing<'_> {
    fn runs<T: Site>(self, site: &T) -> Result<Vec<Run>> {
        let Self { arguments, strategies, latest, name } = self;
        let instance = site.instance()?;
        let bound: Option<Vec<Tick>> = fewest_ticks(&instance).into_iter().collect();
        let mut runs = Vec::new();
        for contender in strategies {
            let chosen = ChosenStrategy {
                strategy: contender.strategy,
                order: None,
                seed: arguments.seed,
                restarts: None,
                crowd: site.crowd(&contender.crowd()),
                max_ticks: Some(latest),
            };
            let begin = Instant::now();
            let mut overseer = Overseer::without_bar(begin, Some(arguments.time_limit));
            let solution = site.plan(&chosen, &instance, &mut site.distances(), &mut overseer);
            let planning = begin.elapsed();
            let violations = site.violations(&solution.plan).named;
            runs.push(Run::told::<T::Space>(*contender, name, &solution, &violations, planning, bound.as_deref()));
        }
        Ok(runs)
    }
}
