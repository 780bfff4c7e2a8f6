//! What do a crowd's choices gain or lose? Agents with one goal after the other on twenty seeded maps of two kinds, and
//! each with one goal: how many arrive, at what cost, and how much work that is. Counts, not times.

use std::fmt::Write;

use giveway::plan::fewest_ticks;
use giveway::sim::{Endpoints, Metrics, Simulation, Task};
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings, CrowdSolver, Depth, Replanning, WaitPenalty};
use giveway::{Agent, Instance, Point};
use giveway_benches::Table;
use giveway_benches::worlds::{WorldKind, agents, largest_part};

const SEEDS: u64 = 20;
const TICKS: u32 = 400;
const MOST_TICKS: u32 = 1000;

/// A kind of map, and how many agents.
const WORLDS: [(WorldKind, usize); 4] =
    [(WorldKind::Scattered, 50), (WorldKind::Scattered, 150), (WorldKind::Maze, 10), (WorldKind::Maze, 30)];

fn choices() -> Vec<(&'static str, CrowdSettings)> {
    let settings = CrowdSettings::new;
    vec![
        ("default", settings()),
        ("all at once", settings().replanning(Replanning::AllAtOnce)),
        ("wait penalty", settings().wait_penalty(WaitPenalty::default())),
        ("no price", settings().override_price(0)),
        ("window 8", settings().window(8)),
        ("window 32", settings().window(32)),
        ("every 4", settings().interval(4)),
        ("8 to 24", settings().depth(Depth::ByCrowding { least: 8, most: 24 })),
    ]
}

fn main() {
    let seeds = if std::env::args().any(|argument| argument == "--quick") { 5 } else { SEEDS };
    let mut raw =
        "map,agents,choice,seed,arrivals,moves,waits,searches,failed,stopped,overridden,rolled_back,expansions,\
                   worst_tick,solved,cost,lower_bound,ticks\n"
            .to_owned();
    let mut table = Table::begin(&[
        "map",
        "agents",
        "choice",
        "arrivals",
        "± of mean",
        "searches/tick",
        "expansions/tick",
        "worst tick",
        "failed",
        "stopped",
        "solved",
        "cost / bound",
    ]);
    for (kind, count) in WORLDS {
        for (name, settings) in choices() {
            let runs: Vec<Outcome> = (0..seeds).map(|seed| run(kind, count, seed, &settings)).collect();
            for (run, seed) in runs.iter().zip(0..) {
                run.write(&mut raw, kind, count, name, seed);
            }
            summarise(&mut table, kind, count, name, &runs);
        }
    }
    table.write_raw(env!("CARGO_TARGET_TMPDIR"), "crowd_choices", &raw);
}

/// The results on one map.
#[derive(Default)]
struct Outcome {
    /// Of the agents with one goal after the other.
    metrics: Metrics,
    /// The most expansions in one tick, except in reverse searches.
    worst: u64,
    /// For agents with one goal each: the cost, if all arrived within the time.
    cost: Option<u64>,
    lower_bound: u64,
    ticks: u32,
}

fn run(kind: WorldKind, count: usize, seed: u64, settings: &CrowdSettings) -> Outcome {
    let grid = kind.grid(seed);
    let places = largest_part(&grid);
    let agents = agents(&places, count, seed);
    let mut outcome = Outcome::default();

    let mut crowd = Crowd::new(settings.clone());
    let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid))).expect("the first class");
    let mut simulation = Simulation::new(crowd);
    let places = Endpoints::from(places);
    for agent in &agents {
        let task = Task::Lifelong { places: places.clone(), seed };
        simulation.add(class, Agent::bystander(agent.start), task).expect("starts differ");
    }
    for _ in 0..TICKS {
        outcome.worst = outcome.worst.max(simulation.tick(Budget::unlimited()).expansions);
    }
    outcome.metrics = simulation.metrics();

    let point = Point::swap_rule(&grid);
    let instance = Instance::new(&grid, &point, agents).expect("starts and goals differ");
    let solution = CrowdSolver::new(settings.clone()).latest(MOST_TICKS).solve(&instance);
    outcome.cost = solution.is_complete().then(|| solution.plan.sum_of_costs());
    outcome.lower_bound = fewest_ticks(&instance).into_iter().flatten().map(u64::from).sum();
    outcome.ticks = solution.plan.makespan();
    outcome
}

impl Outcome {
    fn write(&self, raw: &mut String, kind: WorldKind, count: usize, choice: &str, seed: u64) {
        let Metrics { arrivals, path_length, waits, searches, failed, stopped, .. } = self.metrics;
        let Metrics { overridden, rolled_back, expansions, .. } = self.metrics;
        let (name, worst, solved) = (kind.name(), self.worst, self.cost.is_some());
        let cost = self.cost.map_or(String::new(), |cost| cost.to_string());
        let _ = writeln!(
            raw,
            "{name},{count},{choice},{seed},{arrivals},{path_length},{waits},{searches},{failed},{stopped},{overridden},\
             {rolled_back},{expansions},{worst},{solved},{cost},{},{}",
            self.lower_bound, self.ticks
        );
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn summarise(table: &mut Table, kind: WorldKind, count: usize, choice: &str, runs: &[Outcome]) {
    let number = runs.len() as f64;
    let mean = |value: &dyn Fn(&Outcome) -> f64| runs.iter().map(value).sum::<f64>() / number;
    let arrivals = mean(&|run| run.metrics.arrivals as f64);
    let variance = mean(&|run| (run.metrics.arrivals as f64 - arrivals).powi(2));
    let per_tick = |value: &dyn Fn(&Outcome) -> f64| mean(value) / f64::from(TICKS);
    let solved: Vec<f64> = runs.iter().filter_map(|run| Some(run.cost? as f64 / run.lower_bound as f64)).collect();
    let ratio = solved.iter().sum::<f64>() / solved.len() as f64;
    table.row(&[
        &kind.name(),
        &count,
        &choice,
        &format!("{arrivals:.0}"),
        &format!("{:.1}", (variance / number).sqrt()),
        &format!("{:.1}", per_tick(&|run| run.metrics.searches as f64)),
        &format!("{:.0}", per_tick(&|run| run.metrics.expansions as f64)),
        &runs.iter().map(|run| run.worst).max().unwrap_or(0),
        &runs.iter().map(|run| run.metrics.failed).sum::<u64>(),
        &runs.iter().map(|run| run.metrics.stopped).sum::<u64>(),
        &format!("{}/{}", solved.len(), runs.len()),
        &if solved.is_empty() { "–".to_owned() } else { format!("{ratio:.3}") },
    ]);
}
