//! A company marches: out of its camp, through a gate, into a wedge, then into an area. Places are assigned so that ways
//! do not cross; marching together, those ahead wait for those behind. Writes a moving picture.
//!
//! `cargo run -p giveway --example formation_march`

use giveway::area::Area;
use giveway::render::{AnimatedPicture, Backdrop};
use giveway::sim::{Simulation, Task};
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings, Formation, March, Muster};
use giveway::time::Tick;
use giveway::{Agent, AgentId, Checker, ConflictRule, Point};

const WIDTH: u32 = 64;
const HEIGHT: u32 = 23;
const UNITS: u32 = 21;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A wall with two gates.
    let is_open = |x: u32, y: u32| x != 30 || (10..13).contains(&y) || y == 4;
    let grid = Grid::from_fn(WIDTH, HEIGHT, is_open)?;
    for (name, march) in [("each at its own pace", March::apart()), ("together", March::together(6.0))] {
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
        let mut simulation = Simulation::new(crowd).recorded();
        // A column with stragglers.
        let company: Vec<AgentId> = (0..UNITS)
            .map(|unit| {
                let (x, y) = if unit < 15 { (14 - unit % 5, 9 + unit / 5 * 2) } else { (unit - 15, unit % 3 + 10) };
                simulation.add(class, Agent::bystander(grid.node(x, y).expect("on the map")), Task::Once)
            })
            .collect::<Result<_, _>>()?;
        println!("{name}:");
        let wedge = Formation::wedge(1.0).at([58.0, 11.0, 0.0], [1.0, 0.0]);
        let [first, last, widest] = go(&mut simulation, &grid, &company, wedge, march)?;
        println!("  a wedge behind the wall: the first was there at tick {first}, the last at {last};");
        println!("  the company was {widest} columns long when the first came through the gate");
        draw(&grid, simulation.crowd());
        let tip = grid.node(58, 11);
        assert!(company.iter().any(|unit| simulation.crowd().node(*unit) == tip), "somebody leads");
        if name == "together" {
            assert!(widest <= 16 && last - first <= 10, "{widest} columns, {first} to {last}");
        }
        let [_, last, _] = go(&mut simulation, &grid, &company, Area::disc([8.0, 11.0], 4.0)?.into(), march)?;
        println!("  back in the camp at tick {last}\n");

        let trace = simulation.trace().expect("recorded");
        assert_eq!(Checker::new(&grid, ConflictRule::Swap).check_trace(&trace), [], "nobody collides");
        let backdrop = Backdrop::cells(WIDTH, HEIGHT, is_open);
        let file = std::env::temp_dir().join("formation_march.svg");
        std::fs::write(&file, AnimatedPicture::new(&trace, &backdrop).to_string())?;
        println!("written: {}", file.display());
    }
    Ok(())
}

/// Sends the company to `muster`, and lets time go by until all are there. Returns the ticks at which the first and the
/// last agent arrived, and the columns from the first to the last one when the first passed the gate.
fn go(
    simulation: &mut Simulation<'_>,
    grid: &Grid,
    company: &[AgentId],
    muster: Muster,
    march: March,
) -> Result<[Tick; 3], Box<dyn std::error::Error>> {
    let begin = simulation.crowd().now();
    let places = simulation.crowd_mut().send_group(company, muster, march)?;
    assert!(places.iter().all(Option::is_some), "there is a place for each");
    let (mut arrived, mut widest) = (Vec::new(), None);
    while arrived.len() < company.len() {
        assert!(simulation.crowd().now() < begin + 400, "a company comes home");
        let report = simulation.tick(Budget::work(20_000));
        arrived.extend(report.arrived.iter().map(|_| simulation.crowd().now()));
        let columns = company.iter().filter_map(|unit| simulation.crowd().node(*unit)).map(|node| grid.xy(node).0);
        let (least, most) = columns.fold((WIDTH, 0), |(least, most), x| (least.min(x), most.max(x)));
        if most > 30 && widest.is_none() {
            widest = Some(most - least);
        }
    }
    Ok([arrived[0] - begin, arrived[arrived.len() - 1] - begin, widest.unwrap_or(0)])
}

/// Prints where everybody is.
fn draw(grid: &Grid, crowd: &Crowd<'_>) {
    let units: Vec<(u32, u32)> = crowd.agents().filter_map(|unit| crowd.node(unit)).map(|node| grid.xy(node)).collect();
    for y in 0..HEIGHT {
        let cell = |x| {
            if units.contains(&(x, y)) {
                'o'
            } else if grid.is_passable(x, y) {
                '.'
            } else {
                '#'
            }
        };
        println!("    {}", (24..WIDTH).map(cell).collect::<String>());
    }
}
