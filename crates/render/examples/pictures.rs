//! Writes every kind of picture into a folder, to be looked at: `cargo run -p giveway-render --example pictures -- FOLDER`.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use giveway_core::heuristic::{ByMetric, HeuristicSource, Manhattan, TrueDistances, Zero};
use giveway_core::store::Unreserved;
use giveway_core::{Agent, AgentId, Claim, Fuel, Instance, Point, Query, Scene, SpaceTimeSearch, Trace};
use giveway_render::{Backdrop, ExpansionPicture, PlanPicture, Player};
use giveway_scenario::{MapFile, Scenario};
use giveway_spaces::Grid;
use giveway_strategies::Hca;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("pictures"), PathBuf::from);
    fs::create_dir_all(&folder)?;
    let benchmarks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/movingai");
    for (map, scenario, agents) in [
        ("empty-8-8", "empty-8-8-random-1", 4),
        ("random-32-32-20", "random-32-32-20-random-1", 12),
        ("random-32-32-20", "random-32-32-20-random-1", 80),
        ("den312d", "den312d-random-1", 200),
    ] {
        let grid = MapFile::read(benchmarks.join("maps").join(format!("{map}.map")))?.grid()?;
        let scenario = Scenario::read(benchmarks.join("scens").join(format!("{scenario}.scen")))?;
        let agents = scenario.agents(agents, &grid)?;
        write(&folder, map, &grid, agents)?;
    }

    let grid = MapFile::read(benchmarks.join("maps/den312d.map"))?.grid()?;
    let agents = Scenario::read(benchmarks.join("scens/den312d-random-1.scen"))?.agents(20, &grid)?;
    let backdrop = Backdrop::cells(grid.width(), grid.height(), |x, y| grid.is_passable(x, y));
    let manhattan = expansions(&grid, &agents, ByMetric(Manhattan { step: 1000 }))?;
    let true_distance = expansions(&grid, &agents, TrueDistances::<_, Zero>::tables())?;
    let max = manhattan.iter().copied().max().unwrap_or(0);
    for (name, counts) in [("Manhattan distance", manhattan), ("True distance", true_distance)] {
        for (kind, backdrop) in [("", &backdrop), (" graph", &Backdrop::graph(&grid))] {
            let picture = ExpansionPicture::new(&counts, backdrop)
                .title(format!("{name}: expansions of {} agents", agents.len()))
                .max(max);
            fs::write(folder.join(format!("expansions {name}{kind}.svg").replace(' ', "-")), picture.to_string())?;
        }
    }
    Ok(())
}

/// How often each place was expanded while every agent looked for its way through time and space, as if alone.
fn expansions<H: HeuristicSource<Grid>>(
    grid: &Grid,
    agents: &[Agent],
    mut heuristics: H,
) -> Result<Vec<u32>, Box<dyn Error>> {
    let scene = Scene { space: grid, footprint: &Point::swap_rule(grid), reservations: &Unreserved, layer: &() };
    let mut counts = Vec::new();
    for (agent, id) in agents.iter().zip((0..).map(AgentId)) {
        let query = Query::new(Claim::plain(id), agent.start, agent.goals.clone());
        let mut heuristic = heuristics.heuristic(grid, &agent.goals, agent.start);
        SpaceTimeSearch::new().find(&scene, query, &mut heuristic, &mut Fuel::unlimited(), &mut counts)?;
    }
    Ok(counts)
}

fn write(folder: &Path, map: &str, grid: &Grid, agents: Vec<Agent>) -> Result<(), Box<dyn Error>> {
    let points = Point::swap_rule(grid);
    let instance = Instance::new(grid, &points, agents)?;
    let solution = Hca::hca_star().solve(&instance, &mut ());
    let trace = Trace::of_plan(grid, instance.agents(), &solution.plan, 1);
    let backdrop = Backdrop::cells(grid.width(), grid.height(), |x, y| grid.is_passable(x, y));
    let count = trace.agents.len();
    let file = |kind: &str| folder.join(format!("{map}-{count}{kind}"));

    let title = format!("{count} agents on {map}");
    let player = Player::new(&trace, &backdrop).title(&title);
    let caption = format!("HCA*, makespan {}, sum of costs {}", solution.plan.makespan(), solution.plan.sum_of_costs());
    fs::write(file(".html"), player.caption(caption).to_string())?;
    fs::write(file(".svg"), PlanPicture::new(&trace, &backdrop).title(&title).to_string())?;
    let as_graph = Backdrop::graph(grid);
    fs::write(file("-graph.svg"), PlanPicture::new(&trace, &as_graph).to_string())?;
    Ok(())
}
