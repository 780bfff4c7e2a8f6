//! `giveway solve`: from files to a plan.

mod in_world;

use std::fmt::Display;
use std::mem;

use anyhow::{Context as _, Result, bail};
use giveway::plan::fewest_ticks_by;
use giveway::scenario::PlanHeader;
use giveway::strategies::{NoPlan, Unplanned};

use crate::arguments::{Order, SolveArguments, Strategy};
use crate::learning::{FlowRecorder, Learned, LearnedMap, Recorded};
use crate::outputs::Outputs;
use crate::pictures;
use crate::planning::ChosenStrategy;
use crate::site::Site;
use crate::solve_report::SolveReport;
use crate::unarrived::Unarrived;
use crate::verdict::Verdict;
use crate::watch::Overseer;
use crate::world::{OnSite, SiteArguments};

/// Solves the instance that `arguments` name, and writes the files that they ask for.
pub(crate) fn solve(arguments: &SolveArguments) -> Result<Verdict> {
    refuse_idle_arguments(arguments)?;
    // Before the work, which may take hours and must not be lost.
    let SolveArguments { instance, out, trace, learning, pictures, json, .. } = arguments;
    let outputs = Outputs::claim(instance.files(), &[("--out", out)], trace, learning, pictures, *json)?;
    if let Some(path) = &instance.world {
        return in_world::solve(arguments, path, outputs);
    }
    let strategy = arguments.strategy();
    let site = SiteArguments { instance, learning, strategy, once: true, seed: arguments.seed };
    site.run(Solving { arguments, outputs })
}

/// The command, once it has its outputs.
struct Solving<'a> {
    arguments: &'a SolveArguments,
    outputs: Outputs,
}

impl OnSite for Solving<'_> {
    type Output = Verdict;

    fn run(self, site: &impl Site) -> Result<Verdict> {
        if self.arguments.out.is_some() && !site.has_text() {
            bail!("--out is a plan of cells, and {} has none: --trace writes every move, with positions", site.kind());
        }
        solve_on(site, self.arguments, self.outputs)
    }
}

fn solve_on(site: &impl Site, arguments: &SolveArguments, outputs: Outputs) -> Result<Verdict> {
    let SolveArguments { order, seed, restarts, max_ticks, time_limit, .. } = *arguments;
    let strategy = arguments.strategy();
    let instance = site.instance()?;
    outputs.spare_inputs()?;
    let agents = instance.agents().len();
    let mut watch = Recorded {
        watch: Overseer::new(site.begin(), time_limit, agents as u64),
        recorder: site.learning().map(FlowRecorder::new),
    };
    let mut distances = site.distances();
    let crowd = site.crowd(&arguments.crowd);
    let chosen = ChosenStrategy { strategy, order, seed, restarts, crowd, max_ticks };
    let solution = site.plan(&chosen, &instance, &mut distances, &mut watch);
    let planning = site.begin().elapsed();
    let map = site.learning().map(|(_, directions)| LearnedMap::OfGrid(&directions.map));
    let learned = Learned { flow: watch.flow(), map };

    let plan = &solution.plan;
    let violations = site.violations(plan);
    let stopped = solution.unplanned.iter().any(|unplanned| unplanned.why == NoPlan::Stopped);
    // Lower bounds take a search per agent, too: without time there are none.
    let fewest_ticks = if stopped { None } else { fewest_ticks_by(&instance, &mut distances).into_iter().collect() };
    // The program ends soon; to give back the tables page by page takes longer than to leave them.
    mem::forget(distances);
    let unarrived = |unplanned: &Unplanned| Unarrived::new(unplanned, &instance, max_ticks);
    let report = SolveReport {
        solved: solution.is_complete() && violations.named.is_empty(),
        strategy,
        agents,
        sum_of_costs: plan.sum_of_costs(),
        makespan: plan.makespan(),
        fewest_ticks,
        expansions: solution.expansions,
        reverse_expansions: solution.reverse_expansions,
        rounds: solution.details.rounds,
        served: solution.details.served.unwrap_or_default(),
        planning,
        unarrived: solution.unplanned.iter().map(unarrived).collect(),
        violations,
        moved_goals: site.moved_goals(),
        written: outputs.written.clone(),
        places: site.places(),
    };
    let text = |_| {
        let map_file = site
            .map_file()
            .unwrap_or(arguments.instance.map())
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let header = PlanHeader { map_file, solver: strategy.to_string(), solved: report.solved };
        site.text(plan, header).context("the plan is not a plan of cells")
    };
    let mut title = pictures::title(agents, arguments.instance.map(), Some(&strategy.to_string()));
    if !report.solved {
        title += ", not solved";
    }
    let caption = format!("Planned by {strategy}: {}", report.outcome());
    let files =
        outputs.stage(text, || site.backdrop(), || (site.trace(plan), site.labels()), learned, [&title, &caption])?;
    let good = report.solved;
    let text: Box<dyn Display> = if arguments.json { Box::new(report.json()?) } else { Box::new(report) };
    Ok(Verdict { good, text, files })
}

/// Refuses what the strategy would ignore.
fn refuse_idle_arguments(arguments: &SolveArguments) -> Result<()> {
    if arguments.instance.world.is_some() {
        arguments.learning.refuse_in_worlds(arguments.strategy())?;
    }
    let strategy = arguments.strategy();
    let (order, restarts) = (("--order", arguments.order.is_some()), ("--restarts", arguments.restarts.is_some()));
    let crowd = arguments.crowd.given();
    let rotating = ("--order rotating", arguments.order == Some(Order::Rotating));
    let (idle, why) = match strategy {
        Strategy::Independent => ([vec![order, restarts], crowd].concat(), "where no agent plans around another"),
        Strategy::Whca | Strategy::Dm => (vec![restarts], "where each agent plans again and again"),
        Strategy::Lra => ([vec![restarts], crowd].concat(), "where each agent looks one step ahead"),
        Strategy::Hca | Strategy::Ca => ([crowd, vec![rotating]].concat(), "where each agent plans once, to the end"),
    };
    match idle.into_iter().find(|(_, given)| *given) {
        Some((flag, _)) => bail!("{flag} does nothing with --strategy {strategy}, {why}"),
        None => arguments.learning.refuse_idle(strategy),
    }
}
