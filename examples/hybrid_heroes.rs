//! Heroes on a busy square, with one reservation table for all units. The heroes plan ahead in time (WHCA*) and go
//! before others; the others follow the directions of traffic (direction-map A*), and make way.
//!
//! `cargo run -p giveway --example hybrid_heroes`

use giveway::direction::{Coherence, DirectionMap, DirectionRules};
use giveway::heuristic::PricedDistances;
use giveway::sim::{Simulation, Task};
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Chain, Class, Crowd, CrowdSettings, Lra, Planner};
use giveway::{Agent, Checker, ConflictRule, Point};

const WIDTH: u32 = 36;
const HEIGHT: u32 = 20;
const TICKS: u32 = 1000;
/// The two places of each hero: two heroes go along the traffic, two across.
const HEROES: [[(u32, u32); 2]; 4] = [[(0, 3), (35, 16)], [(35, 4), (0, 15)], [(12, 0), (12, 19)], [(23, 19), (23, 0)]];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::open(WIDTH, HEIGHT)?;
    let map = |weight| DirectionMap::blank(&grid, DirectionRules::default().weight(weight).neighbours(0.1));
    let repairs = Chain::new(Planner::LocalRepair(Lra::new(2008))).fallback(Planner::Windowed, 8);
    println!("                                    heroes          others");
    println!("{TICKS} ticks, others plan by           arrive   late   arrive   waits   expansions   coherence");
    let windows = run("windows, as heroes do", &grid, &map(0.0), Planner::Windowed.into())?;
    let learning = map(5.0);
    run("a map that they learn", &grid, &learning, repairs.clone())?;
    let learned = run("the learned map", &grid, &learning.snapshot(), repairs)?;
    assert!(learned.coherence > windows.coherence && learned.expansions < windows.expansions);
    Ok(())
}

struct Outcome {
    expansions: u64,
    coherence: f64,
}

/// Lets heroes and others cross the square; the others plan by `chain`, at the price of `map`. Prints the result.
fn run(name: &str, grid: &Grid, map: &DirectionMap, chain: Chain) -> Result<Outcome, Box<dyn std::error::Error>> {
    let at = |(x, y)| grid.node(x, y).expect("on the square");
    // This map charges nothing, and learns where the others go.
    let seen = DirectionMap::blank(grid, map.rules().weight(0.0));
    let mut crowd = Crowd::new(CrowdSettings::new());
    let heroic = crowd.add_class(Class::new(grid, Point::swap_rule(grid)))?;
    let others = Class::new(grid, Point::swap_rule(grid)).chain(chain);
    let others = if map.is_frozen() {
        // A frozen map does not change: distances at its price stay true, and searches short.
        crowd.add_class(others.heuristics(PricedDistances::tables(map.snapshot())).layer((map, &seen)))?
    } else {
        crowd.add_class(others.layer((map, &seen)))?
    };

    let mut simulation = Simulation::new(crowd).recorded();
    let mut heroes = Vec::new();
    for [start, goal] in HEROES {
        let task = Task::Patrol(vec![at(goal), at(start)]);
        let hero = simulation.add(heroic, Agent::bystander(at(start)).priority(9), task)?;
        heroes.push((hero, start.0.abs_diff(goal.0) + start.1.abs_diff(goal.1)));
    }
    for (x, y) in [1, 4].into_iter().flat_map(|x| (0..HEIGHT).map(move |y| (x, y))) {
        for (here, there) in [(x, WIDTH - 2 - x), (WIDTH - 1 - x, x + 1)] {
            let task = Task::Patrol(vec![at((there, y)), at((here, y))]);
            simulation.add(others, Agent::bystander(at((here, y))), task)?;
        }
    }
    simulation.run(TICKS, Budget::unlimited());

    let trace = simulation.trace().expect("recorded");
    assert_eq!(Checker::new(grid, ConflictRule::Swap).check_trace(&trace), [], "nobody collides");
    let [mut arrivals, mut ticks, mut alone, mut waits] = [0; 4];
    for (hero, distance) in heroes {
        let metrics = simulation.agent_metrics(hero).expect("in the crowd");
        arrivals += metrics.arrivals;
        ticks += metrics.flow_time;
        waits += metrics.waits;
        alone += metrics.arrivals * u64::from(distance);
    }
    let all = simulation.metrics();
    let expansions = all.expansions + all.reverse_expansions;
    let coherence = Coherence::default().of(grid, &seen).unwrap_or(0.0);
    println!(
        "  {name:<32} {arrivals:>6} {:>4.1} % {:>8} {:>7} {expansions:>12} {coherence:>11.2}",
        100.0 * (ticks as f64 / alone as f64 - 1.0),
        all.arrivals - arrivals,
        all.waits - waits,
    );
    Ok(Outcome { expansions, coherence })
}
