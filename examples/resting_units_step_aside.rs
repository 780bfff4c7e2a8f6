//! A unit rests in a corridor, in front of a bay. Another unit has to pass. The first one steps aside into the bay and
//! comes back: `cargo run -p giveway --example resting_units_step_aside`.

use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::{Agent, AgentId, NodeId, Point};

const MAP: &str = "
    .........
    @@@@.@@@@
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_ascii(MAP)?;
    let at = |x, y| grid.node(x, y).expect("on the grid");

    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    let guard = crowd.add(class, Agent::new(at(2, 0), at(4, 0)))?;
    let mut pictures = vec![draw(&grid, &crowd)];
    let mut waits = Vec::new();
    let mut step = |crowd: &mut Crowd<'_>| {
        let report = crowd.tick(Budget::unlimited());
        assert!(report.stopped.is_empty(), "every move went as it was planned");
        waits.extend(crowd.waiting().iter().map(|waiting| waiting.agent));
        pictures.push(draw(&grid, crowd));
        report
    };

    // The guard walks to its post and rests there.
    while !crowd.is_at_rest() {
        step(&mut crowd);
    }
    assert_eq!(crowd.now(), 2);

    // A runner comes from the right. The guard stands on the only way.
    let runner = crowd.add(class, Agent::new(at(8, 0), at(0, 0)))?;
    let mut posts: Vec<NodeId> = Vec::new();
    let mut overridden = Vec::new();
    while !crowd.is_at_rest() {
        let report = step(&mut crowd);
        overridden.extend(report.overridden);
        posts.extend(crowd.node(guard));
    }

    for pictures in pictures.chunks(6) {
        let rows = pictures[0].len();
        for row in 0..rows {
            println!("{}", pictures.iter().map(|picture| format!("{:<12}", picture[row])).collect::<String>());
        }
        println!();
    }

    println!("the sentry made way {} time, and the runner did not lose a tick", overridden.len());
    assert_eq!(overridden, [guard]);
    assert!(posts.contains(&at(4, 1)), "it steps into the bay");
    assert_eq!(posts.last(), Some(&at(4, 0)), "and comes back to its post");
    assert_eq!(crowd.node(runner), Some(at(0, 0)));
    // Eight steps, after the two ticks of the guard: the runner was not delayed.
    assert_eq!(crowd.now(), 2 + 8);
    assert!(waits.is_empty(), "nobody waited: {waits:?}");
    Ok(())
}

/// The map as lines of text, below the tick.
fn draw(grid: &Grid, crowd: &Crowd<'_>) -> Vec<String> {
    let row = |y| {
        let cell = |x| match crowd.agents().find(|agent| crowd.node(*agent).map(|node| grid.xy(node)) == Some((x, y))) {
            Some(AgentId(0)) => 'G',
            Some(_) => 'r',
            None if grid.is_passable(x, y) => '.',
            None => '@',
        };
        (0..grid.width()).map(cell).collect()
    };
    let title = format!("tick {}", crowd.now());
    std::iter::once(title).chain((0..grid.height()).map(row)).collect()
}
