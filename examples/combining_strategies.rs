//! Couriers plan ahead (WHCA*); strollers follow routes of their own (LRA*), and plan ahead only when they get nowhere.
//! All share one reservation table, so that no units collide: `cargo run -p giveway --example combining_strategies`.

use giveway::sim::{Simulation, Task};
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Chain, Class, Crowd, CrowdSettings, Lra, Planner};
use giveway::{Agent, Checker, ConflictRule, NodeId, Point};

/// Two squares, and two gates between them.
const MAP: &str = "
    ..........@..........
    .....................
    ..........@..........
    ..........@..........
    ..........@..........
    .....................
    ..........@..........
";
const COURIERS: u32 = 4;
const STROLLERS: usize = 24;
const TICKS: u32 = 400;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let repair = Planner::LocalRepair(Lra::new(2005));
    println!("{TICKS} ticks, {COURIERS} couriers and {STROLLERS} strollers, who plan   arrivals of both   expansions");
    let arrivals = [
        run("by windows, as the couriers do", Planner::Windowed.into())?,
        run("by repairs, windows after 8 steps", Chain::new(repair).fallback(Planner::Windowed, 8))?,
        run("by repairs alone", repair.into())?,
    ];
    let [_, combined, repairs] = arrivals;
    assert!(combined > repairs, "windows help where repairs lead nowhere: {arrivals:?}");
    Ok(())
}

/// Runs couriers, and strollers with the chain `chain`; prints the result. Returns the number of arrivals.
fn run(name: &str, chain: Chain) -> Result<u64, Box<dyn std::error::Error>> {
    let grid = Grid::from_ascii(MAP)?;
    let free = |x, y| grid.node(x, y).filter(|_| grid.is_passable(x, y));
    let places: Vec<NodeId> =
        (0..grid.height()).flat_map(|y| (0..grid.width()).filter_map(move |x| free(x, y))).collect();

    let mut crowd = Crowd::new(CrowdSettings::new());
    let couriers = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    let strollers = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)).chain(chain))?;
    let mut simulation = Simulation::new(crowd).recorded();
    let mut ids = [Vec::new(), Vec::new()];
    for y in 0..COURIERS {
        let ends: Vec<NodeId> = [free(20, y), free(0, y)].into_iter().flatten().collect();
        ids[0].push(simulation.add(couriers, Agent::bystander(ends[1]), Task::Patrol(ends))?);
    }
    let task = Task::Lifelong { places: places.clone().into(), seed: 7 };
    for start in places.iter().skip(2).step_by(5).take(STROLLERS) {
        ids[1].push(simulation.add(strollers, Agent::bystander(*start), task.clone())?);
    }
    simulation.run(TICKS, Budget::unlimited());

    let trace = simulation.trace().expect("recorded");
    assert_eq!(Checker::new(&grid, ConflictRule::Swap).check_trace(&trace), [], "nobody collides");
    let arrivals =
        ids.map(|ids| ids.iter().filter_map(|id| simulation.agent_metrics(*id)).map(|one| one.arrivals).sum());
    let [of_couriers, of_strollers]: [u64; 2] = arrivals;
    let metrics = simulation.metrics();
    println!("\n  {name:<48} {of_couriers:>6} {of_strollers:>9} {:>12}", metrics.expansions);
    let served = metrics.served;
    for (planner, count) in
        [("windows", served.windowed), ("repairs", served.local_repair), ("no plan", served.standing)]
    {
        println!("    {planner}: {:.1} %", 100.0 * count as f64 / served.total() as f64);
    }
    Ok(of_couriers + of_strollers)
}
