//! `giveway solve`: from files to a plan.

use std::fmt::Display;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use giveway::plan::{Trace, fewest_ticks};
use giveway::scenario::{PlanHeader, PlanText, Scenario};
use giveway::strategies::{NoPlan, Unplanned};
use giveway::{Instance, Point};

use crate::arguments::{Order, SolveArguments, Strategy};
use crate::learning::{Directions, FlowRecorder, Learned, Recorded};
use crate::moved_goals;
use crate::outputs::Outputs;
use crate::pictures;
use crate::planning::{ChosenStrategy, read_map, to_grid};
use crate::solve_report::SolveReport;
use crate::unarrived::Unarrived;
use crate::verdict::Verdict;
use crate::violation_text::Violations;
use crate::watch::Overseer;

/// Solves the instance that `arguments` name, and writes the files that they ask for.
pub(crate) fn solve(arguments: &SolveArguments) -> Result<Verdict> {
    refuse_idle_arguments(arguments)?;
    // Before the work, which may take hours and must not be lost.
    let SolveArguments { instance, out, trace, learning, pictures, json, .. } = arguments;
    let outputs = Outputs::claim(instance, ("--out", out), trace, learning, pictures, *json)?;
    let map = read_map(&arguments.instance.map)?;
    let scenario = Scenario::read(&arguments.instance.scen)?;

    let begin = Instant::now();
    let grid = to_grid(&map, &arguments.instance.map, arguments.instance.connectivity)?;
    let (agents, moved_goals) = moved_goals::agents(&scenario, arguments.instance.agents, &grid, arguments.nearest)?;
    let point = Point::swap_rule(&grid);
    let instance =
        Instance::new(&grid, &point, agents).with_context(|| arguments.instance.scen.display().to_string())?;
    let directions = Directions::begin(&arguments.learning, arguments.strategy, &grid)?;
    let chosen = ChosenStrategy {
        strategy: arguments.strategy,
        order: arguments.order,
        seed: arguments.seed,
        restarts: arguments.restarts,
        crowd: arguments.crowd.clone(),
        max_ticks: arguments.max_ticks,
    };
    let mut watch = Recorded {
        watch: Overseer::new(begin, arguments.time_limit, arguments.instance.agents),
        recorder: directions.as_ref().map(|directions| FlowRecorder::new(&grid, directions)),
    };
    let solution = chosen.plan(&instance, directions.as_ref(), &mut watch);
    let planning = begin.elapsed();
    let learned = Learned { flow: watch.flow(), directions: directions.as_ref() };

    let stopped = solution.unplanned.iter().any(|unplanned| unplanned.why == NoPlan::Stopped);
    let violations = Violations::of(&solution.plan, instance.agents(), &grid);
    let solved = solution.is_complete() && violations.named.is_empty();
    let unarrived = |unplanned: &Unplanned| Unarrived::new(unplanned, &instance, arguments.max_ticks);
    let report = SolveReport {
        solved,
        strategy: arguments.strategy,
        agents: instance.agents().len(),
        sum_of_costs: solution.plan.sum_of_costs(),
        makespan: solution.plan.makespan(),
        // Lower bounds take a search per agent, too: without time there are none.
        fewest_ticks: if stopped { None } else { fewest_ticks(&instance).into_iter().collect() },
        expansions: solution.expansions,
        reverse_expansions: solution.reverse_expansions,
        rounds: solution.details.rounds,
        served: solution.details.served.unwrap_or_default(),
        planning,
        unarrived: solution.unplanned.iter().map(unarrived).collect(),
        violations,
        moved_goals,
        written: outputs.written.clone(),
        grid: grid.clone(),
    };
    let agents = instance.agents();
    let text = || {
        let map_file = arguments.instance.map.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let header = PlanHeader { map_file, solver: arguments.strategy.to_string(), solved };
        Ok(PlanText::from_plan(&grid, agents, &solution.plan, header))
    };
    let mut title = pictures::title(agents.len(), &arguments.instance.map, Some(&arguments.strategy.to_string()));
    if !solved {
        title += ", not solved";
    }
    let caption = format!("Planned by {}: {}", arguments.strategy, report.outcome());
    let trace = Trace::from_plan(&grid, agents, &solution.plan, 1);
    let files = outputs.stage(text, &grid, &trace, learned, [&title, &caption])?;
    let text: Box<dyn Display> = if arguments.json { Box::new(report.json()?) } else { Box::new(report) };
    Ok(Verdict { good: solved, text, files })
}

/// Refuses what the strategy would ignore.
fn refuse_idle_arguments(arguments: &SolveArguments) -> Result<()> {
    let strategy = arguments.strategy;
    let (order, restarts) = (("--order", arguments.order.is_some()), ("--restarts", arguments.restarts.is_some()));
    let crowd = arguments.crowd.given();
    let rotating = ("--order rotating", arguments.order == Some(Order::Rotating));
    let (idle, why) = match strategy {
        Strategy::Independent => ([vec![order, restarts], crowd].concat(), "where nobody plans around anybody"),
        Strategy::Whca | Strategy::Dm => (vec![restarts], "where everybody plans again and again"),
        Strategy::Lra => ([vec![restarts], crowd].concat(), "where everybody looks one step ahead"),
        Strategy::Hca | Strategy::Ca => ([crowd, vec![rotating]].concat(), "where everybody plans once, to the end"),
    };
    match idle.into_iter().find(|(_, given)| *given) {
        Some((flag, _)) => bail!("{flag} does nothing with --strategy {strategy}, {why}"),
        None => arguments.learning.refuse_idle(strategy),
    }
}
