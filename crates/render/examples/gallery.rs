//! Writes every kind of picture into a folder, for a look at them after a change to how they are drawn: `cargo run -p
//! giveway-render --example gallery -- FOLDER`. The pictures of the book come from `docs/pictures.rs`.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use giveway_core::heuristic::{ByMetric, HeuristicSource, Manhattan, Zero};
use giveway_core::store::Unreserved;
use giveway_core::{
    Agent, AgentId, Claim, Fuel, Point, Query, Scene, SpaceTimeSearch, Trace, TracedAgent, TracedMove, TracedPlace,
};
use giveway_distance::TrueDistances;
use giveway_render::{Arrow, Backdrop, ExpansionPicture, Flow, FlowPicture, PlanPicture, Player};
use giveway_scenario::{MapFile, Scenario};
use giveway_spaces::Grid;
use giveway_strategies::{Hca, Instance};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("gallery"), PathBuf::from);
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
    ring_road(&folder)
}

/// Units on a road around a block, half of them each way, and the lanes that they make.
fn ring_road(folder: &Path) -> Result<(), Box<dyn Error>> {
    let (width, height, ticks) = (22_u16, 14_u16, 120_u32);
    let backdrop = Backdrop::cells(width.into(), height.into(), |x, y| !(4..18).contains(&x) || !(4..10).contains(&y));
    let agents = (0_u16..14).map(|id| {
        // Outside clockwise, inside the other way.
        let inset = 1 + id % 2;
        let lane = ring(inset, width - 1 - inset, height - 1 - inset);
        let place = |step: usize| {
            let index = (usize::from(id) * 7 + step) % lane.len();
            let [x, y] = lane[if inset == 1 { index } else { lane.len() - 1 - index }];
            TracedPlace::new(u32::from(y * width + x), [x.into(), y.into(), 0.0])
        };
        let moves = (0..ticks).zip(1..).map(|(tick, step)| TracedMove::new(tick, tick + 1, place(step)));
        TracedAgent::new(place(0), Vec::new(), moves.collect())
    });
    let trace = Trace { until: Some(ticks), ..Trace::new(1, agents.collect()) };
    let mut vectors = vec![[0.0_f32; 2]; usize::from(width) * usize::from(height)];
    let mut flow = Flow::new();
    for tick in 0..=ticks {
        if tick % 4 == 0 {
            flow = flow.at(tick, arrows(&vectors, width));
        }
        for agent in trace.agents.iter().filter(|agent| (tick as usize) < agent.moves.len()) {
            let to = &agent.moves[tick as usize].to;
            let from = if tick == 0 { &agent.start } else { &agent.moves[tick as usize - 1].to };
            for place in [from, to] {
                for (side, vector) in vectors[place.node as usize].iter_mut().enumerate() {
                    *vector += 0.2 * (to.position[side] - from.position[side] - *vector);
                }
            }
        }
    }
    let arrows = arrows(&vectors, width);
    let picture = FlowPicture::new(&arrows, &backdrop).title("A road around a block, one lane each way");
    fs::write(folder.join("lanes.svg"), picture.to_string())?;
    let player = Player::new(&trace, &backdrop).title("A road around a block").caption("One lane each way").flow(flow);
    fs::write(folder.join("lanes.html"), player.to_string())?;
    Ok(())
}

/// The cells of a rectangle's rim from (least, least) to (right, bottom), clockwise.
fn ring(least: u16, right: u16, bottom: u16) -> Vec<[u16; 2]> {
    let above = (least..right).map(|x| [x, least]);
    let beside = (least..bottom).map(|y| [right, y]);
    let below = (least + 1..=right).rev().map(|x| [x, bottom]);
    above.chain(beside).chain(below).chain((least + 1..=bottom).rev().map(|y| [least, y])).collect()
}

fn arrows(vectors: &[[f32; 2]], width: u16) -> Vec<Arrow> {
    let cells = (0_u16..).map(|cell| [f32::from(cell % width), f32::from(cell / width), 0.0]);
    cells.zip(vectors).map(|(at, [x, y])| Arrow::new(at, [*x, *y, 0.0])).collect()
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
        SpaceTimeSearch::new().find_with(&scene, query, &mut heuristic, &mut Fuel::unlimited(), &mut counts)?;
    }
    Ok(counts)
}

fn write(folder: &Path, map: &str, grid: &Grid, agents: Vec<Agent>) -> Result<(), Box<dyn Error>> {
    let points = Point::swap_rule(grid);
    let instance = Instance::new(grid, &points, agents)?;
    let solution = Hca::hca_star().solve(&instance);
    let trace = Trace::from_plan(grid, instance.agents(), &solution.plan, 1);
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
