//! Heroes on a busy square, all on one table: they plan ahead in time (WHCA*) and go before others, who follow the directions in which
//! everybody has been moving (direction-map A*), for a part of the work.
//!
//! `cargo run -p giveway --example hybrid_heroes`

use giveway::sim::{Simulation, Task};
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Chain, Class, Crowd, Link, Lra, Whca};
use giveway::{Agent, AgentId, Checker, Coherence, ConflictRule, DirectionMap, DirectionRules, Point};

const WIDTH: u32 = 36;
const HEIGHT: u32 = 20;
const TICKS: u32 = 1000;
/// From where to where.
const HEROES: [[(u32, u32); 2]; 4] =
    [[(0, 3), (35, 16)], [(35, 4), (0, 15)], [(12, 0), (12, 19)], [(23, 19), (23, 0)]];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::open(WIDTH, HEIGHT)?;
    let rules = DirectionRules::default().neighbours(0.1);
    let windows = || Chain::from(Link::Windowed);
    let repairs = || Chain::of(Link::LocalRepair(Lra::new(2008).noise(0).radius(5000))).then(Link::Windowed, 16);
    println!("                                           heroes:           others:");
    println!("{TICKS} ticks, in which others plan by          arrive   late     arrive    waits   expansions   coherence");
    run("windows, and learn nothing", &grid, rules.weight(0.0), windows(), false)?;
    run("windows, at the price of the map", &grid, rules, windows(), false)?;
    run("repairs, at the price of the map", &grid, rules, repairs(), false)?;
    run("the same, which heroes pay, too", &grid, rules, repairs(), true)?;
    Ok(())
}

fn run(
    name: &str,
    grid: &Grid,
    rules: DirectionRules,
    chain: Chain,
    heroes_pay: bool,
) -> Result<(), Box<dyn std::error::Error>> {
    let at = |(x, y)| grid.node(x, y).expect("on the square");
    let map = DirectionMap::blank(grid, rules);
    let mut crowd = Crowd::new(Whca::new());
    let kind = || Class::new(grid, Point::swap_rule(grid)).embedded();
    let ambient = crowd.class(kind().layer(&map).chain(chain))?;
    let heroic = if heroes_pay { crowd.class(kind().layer(&map))? } else { crowd.class(kind())? };
    let mut simulation = Simulation::new(crowd).recorded();

    let mut heroes: Vec<(AgentId, u32)> = Vec::new();
    for [start, goal] in HEROES {
        let task = Task::Patrol(vec![at(goal), at(start)]);
        let hero = simulation.add(heroic, Agent::bystander(at(start)).priority(9), task)?;
        let alone = start.0.abs_diff(goal.0) + start.1.abs_diff(goal.1);
        heroes.push((hero, alone));
    }
    for (x, y) in [1, 4].into_iter().flat_map(|x| (0..HEIGHT).map(move |y| (x, y))) {
        for (here, there) in [(x, WIDTH - 2 - x), (WIDTH - 1 - x, x + 1)] {
            let task = Task::Patrol(vec![at((there, y)), at((here, y))]);
            simulation.add(ambient, Agent::bystander(at((here, y))), task)?;
        }
    }
    simulation.run(TICKS, Budget::unlimited(), &mut ());

    let trace = simulation.trace().expect("recorded");
    assert_eq!(Checker::new(grid, ConflictRule::Swap).check_trace(&trace), [], "nobody collides");
    let (mut arrivals, mut taken, mut alone, mut waits) = (0, 0, 0, 0);
    for (hero, distance) in heroes {
        let metrics = simulation.agent_metrics(hero).expect("in the crowd");
        arrivals += metrics.arrivals;
        taken += metrics.flow_time;
        waits += metrics.waits;
        alone += metrics.arrivals * u64::from(distance);
    }
    let late = 100.0 * (taken as f64 / alone as f64 - 1.0);
    let all = simulation.metrics();
    println!(
        "  {name:<38} {arrivals:>7} {late:>6.1} % {:>9} {:>8} {:>12} {:>11.2} {:?} rev {}",
        all.arrivals - arrivals,
        all.waits - waits,
        all.expansions + all.reverse_expansions,
        Coherence::default().of(grid, &map).unwrap_or(0.0),
        all.served, all.reverse_expansions,
    );
    Ok(())
}
