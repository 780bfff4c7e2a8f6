//! What do the ways to give way gain where it is crowded, each and together, and what do they cost where it is not?
//! Agents with one goal each on a hundred seeded maps of two kinds: with everything on, with some of it off, with all
//! of it off.
//!
//! Counts, but for the last column of the second table: times, taken in turn.

use std::fmt::Write;

use giveway::plan::fewest_ticks;
use giveway::spaces::Grid;
use giveway::strategies::{Chain, CrowdSettings, CrowdSolver, Planner, Served};
use giveway::{Agent, Instance, Point};
use giveway_benches::worlds::{WorldKind, agents, largest_part};
use giveway_benches::{Contender, Table, interleave};

const SEEDS: u64 = 100;
const MOST_TICKS: u32 = 1000;
const REPETITIONS: usize = 9;

/// Kinds of maps, and how many agents.
const CROWDED: [(WorldKind, usize); 4] =
    [(WorldKind::Scattered, 50), (WorldKind::Scattered, 150), (WorldKind::Maze, 5), (WorldKind::Maze, 10)];
const UNCROWDED: [(WorldKind, usize); 2] = [(WorldKind::Scattered, 20), (WorldKind::Maze, 3)];

/// With the last one, the others are compared.
fn choices() -> Vec<(&'static str, CrowdSettings)> {
    let settings = CrowdSettings::new;
    let windowed = || Chain::new(Planner::Windowed);
    vec![
        ("everything on", settings()),
        ("no promotion", settings().promotion(false)),
        ("no growing windows", settings().growth(None)),
        ("no steps", settings().chain(windowed().fallback(Planner::Lacam, 24))),
        ("no LaCAM", settings().chain(windowed().fallback(Planner::Step, 24))),
        ("PIBT for steps", settings().chain(windowed().fallback(Planner::Lacam, 24).fallback(Planner::Pibt, 24))),
        ("neither of these", settings().chain(windowed())),
        ("all off", settings().promotion(false).growth(None).chain(windowed())),
    ]
}

fn main() {
    let seeds = if std::env::args().any(|argument| argument == "--quick") { 5 } else { SEEDS };
    crowded(seeds);
    uncrowded(seeds);
}

/// How each world ends, by choice.
fn outcomes(worlds: &[World], choices: &[(&str, CrowdSettings)]) -> Vec<Vec<Outcome>> {
    choices.iter().map(|(_, settings)| worlds.iter().map(|world| world.run(settings)).collect()).collect()
}

fn crowded(seeds: u64) {
    let mut raw = "map,agents,choice,seed,solved,cost,lower_bound,ticks,expansions,reverse_expansions,windowed,steps,\
                   pushed,jointly,standing\n"
        .to_owned();
    let mut table = Table::begin(&[
        "map",
        "agents",
        "choice",
        "solved",
        "solved by all",
        "cost / bound of those",
        "ticks of those",
        "steps and PIBT, %",
        "LaCAM, %",
        "expansions/agent-tick",
    ]);
    for (kind, count) in CROWDED {
        let choices = choices();
        let worlds: Vec<World> = (0..seeds).map(|seed| World::new(kind, count, seed)).collect();
        let outcomes = outcomes(&worlds, &choices);
        let common = solved_by_all(&outcomes);
        for ((name, _), runs) in choices.iter().zip(&outcomes) {
            for (run, seed) in runs.iter().zip(0..) {
                run.write(&mut raw, kind, count, name, seed);
            }
            let solved = runs.iter().filter(|run| run.solved).count();
            let sum = |value: &dyn Fn(&Outcome) -> u64| runs.iter().map(value).sum::<u64>();
            let agent_ticks = sum(&|run| run.served.total() as u64);
            let percent = |part: u64| format!("{:.1}", 100.0 * ratio(part, agent_ticks));
            table.row(&[
                &kind.name(),
                &count,
                name,
                &format!("{solved}/{}", runs.len()),
                &common.len(),
                &mean(&common, 3, |index| runs[index].cost_over_bound()),
                &mean(&common, 0, |index| f64::from(runs[index].ticks)),
                &percent(sum(&|run| (run.served.step + run.served.pibt) as u64)),
                &percent(sum(&|run| run.served.lacam as u64)),
                &format!("{:.1}", ratio(sum(&|run| run.expansions), agent_ticks)),
            ]);
        }
    }
    table.write_raw(env!("CARGO_TARGET_TMPDIR"), "giving_way", &raw);
}

fn uncrowded(seeds: u64) {
    let mut table = Table::begin(&[
        "map",
        "agents",
        "choice",
        "solved",
        "solved by all",
        "sum of costs",
        "ticks",
        "expansions",
        "ms",
        "ms / all off",
    ]);
    for (kind, count) in UNCROWDED {
        let choices = choices();
        let worlds: Vec<World> = (0..seeds).map(|seed| World::new(kind, count, seed)).collect();
        let outcomes = outcomes(&worlds, &choices);
        let common = solved_by_all(&outcomes);
        let work = |settings| {
            let (worlds, common) = (&worlds, &common);
            move |piece: usize| {
                std::hint::black_box(worlds[common[piece]].run(settings));
            }
        };
        let mut works: Vec<_> = choices.iter().map(|(_, settings)| work(settings)).collect();
        let mut contenders: Vec<Contender<'_>> =
            choices.iter().zip(&mut works).map(|((name, _), work)| Contender { name, work }).collect();
        let times = interleave(REPETITIONS, common.len(), &mut contenders);
        table.keep(&format!("{} {count}", kind.name()), &times);
        let all_off = times.last().expect("there are choices").least();
        for (((name, _), runs), times) in choices.iter().zip(&outcomes).zip(&times) {
            let sum = |value: &dyn Fn(&Outcome) -> u64| common.iter().map(|index| value(&runs[*index])).sum::<u64>();
            table.row(&[
                &kind.name(),
                &count,
                name,
                &format!("{}/{}", runs.iter().filter(|run| run.solved).count(), runs.len()),
                &common.len(),
                &sum(&|run| run.cost),
                &sum(&|run| u64::from(run.ticks)),
                &sum(&|run| run.expansions),
                &format!("{:.1}", times.least() / 1e6),
                &format!("{:.3}", times.least() / all_off),
            ]);
        }
    }
    table.end(env!("CARGO_TARGET_TMPDIR"), "giving_way_uncrowded");
}

/// A map, and the agents with their goals on it.
struct World {
    grid: Grid,
    agents: Vec<Agent>,
    lower_bound: u64,
}

impl World {
    fn new(kind: WorldKind, count: usize, seed: u64) -> Self {
        let grid = kind.grid(seed);
        let agents = agents(&largest_part(&grid), count, seed);
        let point = Point::swap_rule(&grid);
        let instance = Instance::new(&grid, &point, agents.clone()).expect("starts and goals differ");
        let lower_bound = fewest_ticks(&instance).into_iter().flatten().map(u64::from).sum();
        Self { grid, agents, lower_bound }
    }

    fn run(&self, settings: &CrowdSettings) -> Outcome {
        let point = Point::swap_rule(&self.grid);
        let instance = Instance::new(&self.grid, &point, self.agents.clone()).expect("starts and goals differ");
        let solution = CrowdSolver::new(settings.clone()).latest(MOST_TICKS).solve(&instance);
        Outcome {
            solved: solution.is_complete(),
            cost: solution.plan.sum_of_costs(),
            lower_bound: self.lower_bound,
            ticks: solution.plan.makespan(),
            expansions: solution.expansions,
            reverse_expansions: solution.reverse_expansions,
            served: solution.details.served,
        }
    }
}

/// The results on one map.
struct Outcome {
    solved: bool,
    cost: u64,
    lower_bound: u64,
    ticks: u32,
    expansions: u64,
    reverse_expansions: u64,
    served: Served,
}

impl Outcome {
    #[allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]
    fn cost_over_bound(&self) -> f64 {
        self.cost as f64 / self.lower_bound as f64
    }

    fn write(&self, raw: &mut String, kind: WorldKind, count: usize, choice: &str, seed: u64) {
        let Self { solved, cost, lower_bound, ticks, expansions, reverse_expansions, served } = self;
        let Served { windowed, step, pibt, lacam, standing, .. } = served;
        // Writing to a string does not fail.
        let _ = writeln!(
            raw,
            "{},{count},{choice},{seed},{solved},{cost},{lower_bound},{ticks},{expansions},{reverse_expansions},\
             {windowed},{step},{pibt},{lacam},{standing}",
            kind.name()
        );
    }
}

/// The numbers of the maps that every choice solves.
fn solved_by_all(outcomes: &[Vec<Outcome>]) -> Vec<usize> {
    (0..outcomes[0].len()).filter(|index| outcomes.iter().all(|runs| runs[*index].solved)).collect()
}

/// The mean over `maps`, with the given number of decimals; a dash if there are none.
#[allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn mean(maps: &[usize], decimals: usize, value: impl Fn(usize) -> f64) -> String {
    if maps.is_empty() {
        return "–".to_owned();
    }
    format!("{:.decimals$}", maps.iter().map(|index| value(*index)).sum::<f64>() / maps.len() as f64)
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}
