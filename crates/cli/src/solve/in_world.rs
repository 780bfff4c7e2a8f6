//! Plans for the agents of a world.

use std::fmt::Display;
use std::path::Path;

use anyhow::{Result, bail};

use super::Solving;
use crate::arguments::{CrowdArguments, SolveArguments};
use crate::count::Count;
use crate::learning::Learned;
use crate::node_map::Labels;
use crate::outputs::Outputs;
use crate::planning::crowd as crowd_of;
use crate::solve_report::SolveReport;
use crate::verdict::Verdict;
use crate::worlds::{LoadedWorld, Outcome};

/// Plans for the agents of the world in the file at `path`.
pub(super) fn solve(arguments: &SolveArguments, path: &Path, outputs: Outputs) -> Result<Verdict> {
    let world = LoadedWorld::read(path, arguments.seed, true)?;
    outputs.spare_inputs()?;
    let outputs = outputs.on_floors(world.plan());
    if world.is_of_one_class()? {
        return world.on_site(path, Solving { arguments, outputs });
    }
    if arguments.out.is_some() {
        bail!("--out is a plan of cells, and a world of several classes has none: --trace writes every move");
    }
    let strategy = arguments.crowd_strategy()?;
    let window = arguments.crowd.window.or(world.window());
    let crowd = CrowdArguments { window, ..arguments.crowd.clone() };
    let settings = crowd_of(strategy, arguments.order, &crowd, world.seed);
    let outcome = world.run_to_rest(settings, arguments.max_ticks, arguments.time_limit)?;
    let Outcome { trace, violations, closed, metrics, unarrived, sum_of_costs, makespan, planning } = outcome;
    let agents = world.crew.len();
    let fewest_ticks = world.fewest_ticks()?;
    let report = SolveReport {
        solved: unarrived.is_empty() && violations.named.is_empty(),
        strategy,
        agents,
        sum_of_costs,
        makespan,
        fewest_ticks,
        expansions: metrics.expansions,
        reverse_expansions: metrics.reverse_expansions,
        rounds: 1,
        served: metrics.served,
        planning,
        unarrived,
        violations,
        moved_goals: None,
        written: outputs.written.clone(),
        places: world.places(),
    };
    let unsolved = if report.solved { "" } else { ", not solved" };
    let title = format!("{} in {} by {strategy}{unsolved}", Count(agents as u64, "agent"), world.file.name());
    let caption = format!("Planned by {strategy}: {}", report.outcome());
    let backdrop = world.backdrop(closed)?;
    let learned = Learned::nothing();
    let no_text = |_| -> Result<String> { bail!("the plan is not a plan of cells") };
    let files = outputs.stage(no_text, || backdrop, || (trace, Labels::default()), learned, [&title, &caption])?;
    let good = report.solved;
    let text: Box<dyn Display> = if arguments.json { Box::new(report.json()?) } else { Box::new(report) };
    Ok(Verdict { good, text, files })
}
