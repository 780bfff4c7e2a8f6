//! Fast and slow units on one table. On a road of three lanes each keeps its speed to within 1 %. On a road of one lane
//! no unit can overtake, and the fast unit arrives right behind the slow one.
//!
//! `cargo run -p giveway --example fast_and_slow`

use giveway::spaces::{Body, CommonTicks, Grid, Ground};
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::time::Tick;
use giveway::{Agent, AgentId};

const LENGTH: u32 = 25;
const SPEEDS: [f32; 3] = [0.37, 2.0 / 3.0, 1.0];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("three lanes, all start side by side");
    let (arrivals, ticks) = race(3)?;
    for (speed, arrival) in SPEEDS.iter().zip(&arrivals) {
        let steps = f64::from(*arrival) / f64::from(ticks);
        let realised = f64::from(LENGTH - 1) / steps;
        println!("  speed {speed:.2}: there after {steps:.1} steps, which is a speed of {realised:.3}");
        assert!((realised / f64::from(*speed) - 1.0).abs() < 0.01);
    }

    println!("one lane, the slow one first");
    let (arrivals, ticks) = race(1)?;
    for (speed, arrival) in SPEEDS.iter().zip(&arrivals) {
        println!("  speed {speed:.2}: there after {:.1} steps", f64::from(*arrival) / f64::from(ticks));
    }
    assert!(arrivals.is_sorted(), "nobody overtakes");
    assert!(arrivals[2] - arrivals[0] < 8 * ticks, "nor falls behind");
    Ok(())
}

/// The ticks at which the units arrive at the end of a road with `lanes` lanes, and the ticks of a step.
fn race(lanes: u32) -> Result<(Vec<Tick>, Tick), Box<dyn std::error::Error>> {
    let grid = Grid::open(LENGTH + 2, lanes)?;
    let at = |x, y| grid.node(x, y).expect("on the road");
    let bodies = SPEEDS.map(|speed| Body::disc(0.45)?.speed(speed));
    let bodies: Vec<Body> = bodies.into_iter().collect::<Result<_, _>>()?;
    let ticks = CommonTicks::new().of(&bodies, &grid).fewest()?;

    let mut crowd = Crowd::new(CrowdSettings::new());
    for (body, rank) in bodies.iter().zip(0..) {
        let (space, footprint) = body.on(&grid, Ground::from_grid(&grid), ticks)?;
        let class = crowd.add_class(Class::new(space, footprint))?;
        // On one lane they start one behind the other, and arrive so.
        let (lane, back) = if lanes == 1 { (0, rank) } else { (rank, 0) };
        crowd.add(class, Agent::new(at(2 - back, lane), at(LENGTH + 1 - back, lane)))?;
    }
    let mut arrivals = vec![0; SPEEDS.len()];
    while !crowd.is_at_rest() {
        for AgentId(id) in crowd.tick(Budget::unlimited()).arrived {
            arrivals[id as usize] = crowd.now();
        }
    }
    Ok((arrivals, ticks))
}
