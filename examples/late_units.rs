//! Units that are late: walkers stumble, and robots say themselves when a move is done. Those behind them are delayed,
//! and nobody overlaps. Writes a moving picture.
//!
//! `cargo run -p giveway --example late_units`

use giveway::footprint::WholeMoves;
use giveway::render::{AnimatedPicture, Backdrop};
use giveway::sim::{Endpoints, Simulation, Task};
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings, Lateness};
use giveway::{Agent, AgentId, Checker, ConflictRule, Point, SpaceGraph};

const SIDE: u32 = 14;
/// A step takes this many ticks.
const STEP: u32 = 4;
const TICKS: u32 = 100 * STEP;

/// Numbers from 0 to 99 that look like chance: a stand-in for physics.
fn chance(agent: AgentId, tick: u32) -> u32 {
    let bits = (u64::from(agent.0) << 32 | u64::from(tick)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    u32::try_from((bits ^ bits >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40).unwrap_or(0) % 100
}

/// Lets walkers and robots live on `grid`; of a hundred walkers, `clumsy` stumble at a tick.
fn live(grid: &Grid, lateness: Lateness, clumsy: u32) -> Result<Simulation<'_>, Box<dyn std::error::Error>> {
    let mut crowd = Crowd::new(CrowdSettings::new().lateness(lateness));
    let walkers = crowd.add_class(Class::new(grid, Point::timed(grid, STEP)?))?;
    // Nobody knows where on its way a robot is. So it holds all of a move until the move is done.
    let robots = crowd.add_class(Class::new(grid, WholeMoves::new(Point::timed(grid, STEP)?)))?;

    let mut simulation = Simulation::new(crowd).recorded();
    let places: Endpoints = grid.nodes().filter(|node| grid.contains(*node)).collect();
    let mut motors = Vec::new();
    for (number, start) in grid.nodes().filter(|node| grid.contains(*node)).step_by(5).enumerate() {
        let is_robot = number % 4 == 0;
        let task = Task::Lifelong { places: places.clone(), seed: 7 };
        let agent = simulation.add(if is_robot { robots } else { walkers }, Agent::bystander(start), task)?;
        if is_robot {
            simulation.crowd_mut().set_reports_moves(agent, true)?;
            motors.push(agent);
        }
    }
    for tick in 0..TICKS {
        let agents: Vec<AgentId> = simulation.crowd().agents().collect();
        for agent in agents {
            let crowd = simulation.crowd_mut();
            if motors.contains(&agent) {
                // Some motors take longer than others.
                if chance(agent, tick) < 60 {
                    crowd.done(agent)?;
                }
            } else if crowd.held_until(agent).is_none() && chance(agent, tick) < clumsy {
                crowd.hold(agent, 3 * STEP)?;
            }
        }
        simulation.tick(Budget::work(20_000));
    }
    Ok(simulation)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_fn(SIDE, SIDE, |x, y| !(x % 5 == 2 && y % 5 == 2))?;
    let undisturbed = live(&grid, Lateness::default(), 0)?.metrics().arrivals;
    println!("{undisturbed} orders carried out by walkers that do not stumble");
    for (name, lateness) in [("keep their order", Lateness::KeepOrder), ("plan anew", Lateness::PlanAnew)] {
        let simulation = live(&grid, lateness, 2)?;
        let trace = simulation.trace().ok_or("it was recorded")?;
        let pauses: usize = trace.agents.iter().map(|agent| agent.pauses.len()).sum();
        println!("{} orders if those behind {name}; {pauses} pauses on the way", simulation.metrics().arrivals);
        assert!(pauses > 100 && simulation.metrics().arrivals > undisturbed / 2);
        assert_eq!(Checker::new(&grid, ConflictRule::Following).check_trace(&trace), [], "nobody collides");

        let backdrop = Backdrop::cells(SIDE, SIDE, |x, y| grid.is_passable(x, y));
        let file = std::env::temp_dir().join("late_units.svg");
        std::fs::write(&file, AnimatedPicture::new(&trace, &backdrop).to_string())?;
        println!("written: {}", file.display());
    }
    Ok(())
}
