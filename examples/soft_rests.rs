//! A unit stands in a corridor where no unit can pass another, and a second unit has to get through. With soft rests it
//! walks through the standing unit, at a price: `cargo run -p giveway --example soft_rests`.

use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings, SoftRests};
use giveway::{Agent, Point};

/// The ticks that the runner takes, if it arrives within a hundred, and the number of ticks with overlaps.
fn run(settings: CrowdSettings) -> Result<(Option<u32>, usize), Box<dyn std::error::Error>> {
    let grid = Grid::open(5, 1)?;
    let at = |x| grid.node(x, 0).expect("on the grid");
    let mut crowd = Crowd::new(settings);
    let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    let runner = crowd.add(class, Agent::new(at(0), at(4)))?;
    crowd.add(class, Agent::bystander(at(2)))?;
    let mut overlaps = 0;
    while crowd.is_home(runner) != Some(true) && crowd.now() < 100 {
        overlaps += crowd.tick(Budget::unlimited()).overlaps;
    }
    Ok((Some(crowd.now()).filter(|_| crowd.is_home(runner) == Some(true)), overlaps))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let choices =
        [("as usual", CrowdSettings::new()), ("soft rests", CrowdSettings::new().soft_rests(SoftRests::default()))];
    for (name, settings) in choices {
        let (arrival, overlaps) = run(settings)?;
        let arrival = arrival.map_or("never".to_owned(), |ticks| format!("after {ticks} ticks"));
        println!("{name:<11} the runner arrives {arrival}, overlaps: {overlaps}");
    }
    // Nobody ever overlaps unless it is asked for.
    assert_eq!(run(CrowdSettings::new())?, (None, 0));
    assert_eq!(run(CrowdSettings::new().soft_rests(SoftRests::default()))?, (Some(4), 1));
    Ok(())
}
