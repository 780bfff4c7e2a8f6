//! A large map reduced to a graph of waypoints: the corners of walls (points of visibility), where shortest ways bend,
//! and the starts and goals of the agents. Ways lead from corner to corner in straight lines. The plan looks at far
//! fewer places than a plan on cells, and its ways are shorter, as they need not follow the cells.
//!
//! `cargo run --release -p giveway --example points_of_visibility`: a second, and some more without `--release`.

use giveway::heuristic::{Euclidean, TrueDistances};
use giveway::scenario::{MapGenerator, MapKind, ScenarioGenerator};
use giveway::spaces::{FnSpace, Grid, Positions, SpaceError};
use giveway::strategies::{Cooperative, Hca};
use giveway::{Agent, Checker, ConflictRule, Instance, NodeId, Point, SpaceGraph};

const SIDE: u32 = 256;
const AGENTS: u32 = 40;
/// Corners farther away than this are not joined: other corners lie between.
const FAR: i64 = 12;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = MapGenerator::new(MapKind::Room, SIDE, SIDE).seed(3).generate()?;
    let scenario = ScenarioGenerator::new(&map)?.generate("rooms.map", AGENTS, 3)?;
    let grid = map.grid()?;
    let agents = scenario.agents(AGENTS as usize, &grid)?;

    // On cells.
    let point = Point::swap_rule(&grid);
    let on_cells = Hca::hca_star().solve(&Instance::new(&grid, &point, agents.clone())?);
    assert!(on_cells.is_complete());

    // On waypoints: first the ends of the agents, then the corners.
    let ends = agents.iter().flat_map(|agent| [agent.start, agent.goals.nodes()[0]]);
    let mut places: Vec<(u32, u32)> = ends.map(|node| grid.xy(node)).collect();
    let known: std::collections::BTreeSet<(u32, u32)> = places.iter().copied().collect();
    let corners = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)));
    places.extend(corners.filter(|(x, y)| is_corner(&grid, *x, *y) && !known.contains(&(*x, *y))));
    let waypoints = waypoints(&grid, &places)?;
    let number = |node: NodeId| {
        let at = places.iter().position(|place| *place == grid.xy(node)).unwrap_or_default();
        NodeId(u32::try_from(at).unwrap_or(u32::MAX))
    };
    let agents: Vec<Agent> =
        agents.iter().map(|agent| Agent::new(number(agent.start), number(agent.goals.nodes()[0]))).collect();
    // A way takes as long as it is, rounded to an eighth of a step.
    let timed = Point::rounded(&waypoints, 8);
    let instance = Instance::new(&waypoints, &timed, agents)?;
    let aimed = TrueDistances::aimed(Euclidean::from_space(&waypoints));
    let on_waypoints = Cooperative::new(aimed).solve(&instance);
    assert!(on_waypoints.is_complete());
    let checker = Checker::new(&waypoints, ConflictRule::Following);
    assert!(checker.check(instance.agents(), &on_waypoints.plan).is_empty());

    let free = grid.nodes().filter(|node| grid.contains(*node)).count();
    let ways: usize = waypoints.nodes().map(|node| waypoints.moves(node).count()).sum();
    println!("{free} cells, or {} waypoints with {ways} ways", places.len());
    println!(
        "{AGENTS} agents on cells: {} expansions, and {} cells for distances; {} steps in all",
        on_cells.expansions,
        on_cells.reverse_expansions,
        on_cells.plan.sum_of_costs()
    );
    println!(
        "on waypoints: {} expansions, and {} waypoints for distances; {:.0} steps in all",
        on_waypoints.expansions,
        on_waypoints.reverse_expansions,
        on_waypoints.plan.sum_of_costs() as f64 / 8.0
    );
    Ok(())
}

/// Whether a wall touches the free cell at a corner only: there shortest ways bend.
fn is_corner(grid: &Grid, x: u32, y: u32) -> bool {
    let is_free = |dx: i64, dy: i64| match (u32::try_from(i64::from(x) + dx), u32::try_from(i64::from(y) + dy)) {
        (Ok(x), Ok(y)) => grid.is_passable(x, y),
        _ => false,
    };
    let bends = |(dx, dy): (i64, i64)| is_free(dx, 0) && is_free(0, dy) && !is_free(dx, dy);
    is_free(0, 0) && [(1, 1), (1, -1), (-1, 1), (-1, -1)].into_iter().any(bends)
}

/// The waypoints at `places`, each with ways to those that it sees.
fn waypoints(grid: &Grid, places: &[(u32, u32)]) -> Result<FnSpace<u32, Positions>, SpaceError> {
    let count = u32::try_from(places.len()).unwrap_or(u32::MAX);
    let near = |node: u32| {
        let (x, y) = places[node as usize];
        let sees = move |to: &u32| {
            let (a, b) = places[*to as usize];
            let [dx, dy] = [i64::from(a) - i64::from(x), i64::from(b) - i64::from(y)];
            *to != node && dx.abs() <= FAR && dy.abs() <= FAR && is_clear(grid, (x, y), (a, b))
        };
        (0..count).filter(sees).map(move |to| {
            let (a, b) = places[to as usize];
            let length = (f64::from(a) - f64::from(x)).hypot(f64::from(b) - f64::from(y));
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // positive, and small
            (to, (1000.0 * length) as u32)
        })
    };
    FnSpace::new(count, |node| near(node).collect::<Vec<_>>())?.with_positions(|node| {
        let (x, y) = places[node as usize];
        [x as f32, y as f32, 0.0]
    })
}

/// Whether the straight line between the middles of two cells meets the inside of no wall.
fn is_clear(grid: &Grid, from: (u32, u32), to: (u32, u32)) -> bool {
    let [x0, y0, x1, y1] = [from.0, from.1, to.0, to.1].map(i64::from);
    let [dx, dy] = [x1 - x0, y1 - y0];
    // A cell is met if its corners lie on both sides of the line.
    let is_met = |x: i64, y: i64| {
        let sides =
            [(-1, -1), (1, -1), (1, 1), (-1, 1)].map(|(a, b)| (2 * (x - x0) + a) * dy - (2 * (y - y0) + b) * dx);
        sides.iter().any(|side| *side > 0) && sides.iter().any(|side| *side < 0)
    };
    let is_free =
        |x: i64, y: i64| u32::try_from(x).ok().zip(u32::try_from(y).ok()).is_some_and(|(x, y)| grid.is_passable(x, y));
    (y0.min(y1)..=y0.max(y1)).all(|y| (x0.min(x1)..=x0.max(x1)).all(|x| !is_met(x, y) || is_free(x, y)))
}
