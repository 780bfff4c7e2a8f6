//! Units that follow: guards behind a queen on her round, a messenger who cuts her off, and a dog that runs after the
//! cursor of the player. Prints what that takes beside an order at each step, and writes a moving picture.
//!
//! `cargo run -p giveway --example follow`

use giveway::render::{AnimatedPicture, Backdrop};
use giveway::sim::{Simulation, Task};
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings, Follow, News, Round};
use giveway::time::Tick;
use giveway::{Agent, AgentId, Checker, ConflictRule, NodeId, Point};

const PARK: &str = "
    ................................
    ................................
    ...@@@@@@@..........@@@@@@......
    ...@@@@@@@..........@@@@@@......
    ....................@@@@@@......
    ................................
    @@@@@@@.............@@@@@@@@@...
    ..............@@................
    ..............@@................
    ....@@@@@.....@@......@@@@......
    ....@@@@@.....@@......@@@@......
    ................................
    ................................
";
const TICKS: Tick = 160;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_ascii(PARK)?;
    let at = |x, y| grid.node(x, y).expect("in the park");
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    let mut simulation = Simulation::new(crowd).recorded();
    let mut add = |x, y| simulation.add(class, Agent::bystander(at(x, y)), Task::Once);
    let queen = add(1, 1)?;
    let guards = [add(0, 12)?, add(3, 12)?, add(6, 12)?];
    let (messenger, dog) = (add(31, 12)?, add(10, 12)?);

    let crowd = simulation.crowd_mut();
    // She goes round and round. Where she goes next, only she knows.
    crowd.patrol(queen, [at(1, 1), at(30, 1), at(30, 8), at(2, 8)], Round::Around)?;
    // A guard that follows another keeps the line in order.
    crowd.follow(guards[0], queen, Follow::new().within(2.0))?;
    crowd.follow(guards[1], guards[0], Follow::new().within(2.0))?;
    crowd.follow(guards[2], queen, Follow::new().within(5.0))?;
    // The messenger meets her where she is going to be, and then has nothing more to do.
    crowd.follow(messenger, queen, Follow::new().within(1.0).once())?;

    let (mut met, mut steps_behind) = (None, [0; 3]);
    for tick in 0..TICKS {
        // The cursor crosses walls and ponds. The dog waits as near as it can come.
        simulation.crowd_mut().aim(dog, at(tick * 2 / 10 % 32, 9))?;
        let report = simulation.tick(Budget::work(5000));
        for (agent, news) in report.news {
            if agent == messenger && news == News::InReach {
                met = Some(simulation.crowd().now());
            }
        }
        for (sum, guard) in steps_behind.iter_mut().zip(guards) {
            *sum += apart(&grid, simulation.crowd(), [guard, queen]);
        }
    }
    println!("The messenger met the queen at tick {}.", met.ok_or("never")?);
    println!("The guards were {:?} steps from her in the mean.", steps_behind.map(|sum| f64::from(sum / TICKS)));
    let [follows, per_step] = [false, true].map(|per_step| pursue(&grid, at(0, 12), at(1, 1), per_step));
    println!("One guard alone: {follows} nodes expanded; with an order at each step of hers {per_step}.");
    assert!(follows < per_step);

    let trace = simulation.trace().expect("recorded");
    assert_eq!(Checker::new(&grid, ConflictRule::Swap).check_trace(&trace), [], "nobody collides");
    let backdrop = Backdrop::cells(grid.width(), grid.height(), |x, y| grid.is_passable(x, y));
    let file = std::env::temp_dir().join("follow.svg");
    std::fs::write(&file, AnimatedPicture::new(&trace, &backdrop).to_string())?;
    println!("written: {}", file.display());
    Ok(())
}

/// The steps between two agents, if there were no walls.
fn apart(grid: &Grid, crowd: &Crowd<'_>, agents: [AgentId; 2]) -> u32 {
    let [(a, b), (x, y)] = agents.map(|agent| grid.xy(crowd.node(agent).expect("it is there")));
    a.abs_diff(x) + b.abs_diff(y)
}

/// The nodes that a crowd of two expands while a guard goes after the queen, who crosses the park and comes back.
fn pursue(grid: &Grid, guard: NodeId, queen: NodeId, per_step: bool) -> u64 {
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(grid, Point::swap_rule(grid))).expect("one class");
    let mut add = |node| crowd.add(class, Agent::bystander(node)).expect("room");
    let [queen, guard] = [add(queen), add(guard)];
    let far = [grid.node(30, 11), grid.node(1, 1)].map(|node| node.expect("in the park"));
    crowd.patrol(queen, far, Round::Around).expect("places");
    if !per_step {
        crowd.follow(guard, queen, Follow::new()).expect("both are there");
    }
    let mut expanded = 0;
    for _ in 0..TICKS {
        if per_step {
            let here = crowd.node(queen).expect("it is there");
            crowd.send_near(guard, here).expect("a place");
        }
        let report = crowd.tick(Budget::unlimited());
        expanded += report.expansions + report.reverse_expansions;
    }
    expanded
}
