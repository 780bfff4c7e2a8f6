//! How far ahead units plan: all the same, or farther where others are near. A few dozen meet in the middle of a hall,
//! and a few dozen walk along its wall, which is empty: `cargo run -p giveway --example depth_by_crowding`.

use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings, Depth};
use giveway::{Agent, Point};

/// How many ticks all take to arrive, and how many states are expanded on the way.
fn run(depth: Depth) -> Result<(u32, u64), Box<dyn std::error::Error>> {
    let grid = Grid::open(60, 60)?;
    let at = |x, y| grid.node(x, y).expect("on the grid");
    let mut crowd = Crowd::new(CrowdSettings::new().depth(depth).interval(6));
    let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    for place in 0..16 {
        // Two groups that have to get through each other, and one that walks far from them, one behind the other.
        let (x, y) = (place % 4, 20 + place / 4);
        crowd.add(class, Agent::new(at(20 + x, y), at(36 - x, y)))?;
        crowd.add(class, Agent::new(at(36 + x, y), at(20 - x, y)))?;
        crowd.add(class, Agent::new(at(3 * place, 59), at(3 * place + 12, 59)))?;
    }
    let mut expansions = 0;
    while !crowd.is_at_rest() && crowd.now() < 500 {
        expansions += crowd.tick(Budget::unlimited()).expansions;
    }
    Ok((crowd.now(), expansions))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{:<12} {:>5} {:>11}", "depth", "ticks", "expansions");
    let far = run(Depth::Fixed(24))?;
    let by_crowding = run(Depth::ByCrowding { least: 8, most: 24 })?;
    for (name, (ticks, expansions)) in [("24", far), ("8 to 24", by_crowding)] {
        println!("{name:<12} {ticks:>5} {expansions:>11}");
    }
    assert!(far.0 < 500 && by_crowding.0 < 500, "everybody arrives");
    assert!(by_crowding.1 < far.1, "those who are alone look less far ahead");
    Ok(())
}
