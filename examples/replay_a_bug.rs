//! A bug report is a list of calls: a crowd records what it is told, and whoever gets the list plays it again, up to
//! the tick of the report, and asks there.

use giveway::spaces::Grid;
use giveway::strategies::{Budget, Call, Class, ClassId, Crowd, CrowdError, CrowdSettings, Lra};
use giveway::{Agent, AgentId, Point};

const MAP: &str = "
    .......
    @@@.@@@
    @@@.@@@
    .......
";

/// The crowd at the beginning of each game.
fn begin(grid: &Grid) -> Result<Crowd<'_>, CrowdError> {
    let mut crowd = Crowd::new(CrowdSettings::new());
    crowd.add_class(Class::new(grid, Point::swap_rule(grid)))?;
    Ok(crowd)
}

/// The player's game: a unit is to get through a passage in which another one stands.
fn play(grid: &Grid) -> Result<(Vec<Call>, u64), Box<dyn std::error::Error>> {
    let at = |x, y| grid.node(x, y).expect("on the grid");
    let mut crowd = begin(grid)?;
    crowd.record_calls(true);
    let scout = crowd.add(ClassId(0), Agent::new(at(0, 0), at(6, 3)))?;
    let guard = crowd.add(ClassId(0), Agent::bystander(at(5, 3)))?;
    for tick in 0..12 {
        if tick == 2 {
            crowd.send(guard, at(3, 2))?;
            // The guard lets nobody through.
            crowd.set_chain(guard, Lra::new(0))?;
            crowd.place(guard, at(3, 1))?;
        }
        crowd.tick(Budget::work(2000));
    }
    assert_eq!(crowd.is_home(scout), Some(false), "the player asks: why does it not go on?");
    let hash = crowd.state_hash();
    Ok((crowd.take_calls(), hash))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_ascii(MAP)?;
    let (report, hash) = play(&grid)?;
    println!("the report: {} calls", report.len());

    // With the feature `serde`, the calls come from a file.
    let mut crowd = begin(&grid)?;
    for call in &report {
        crowd.apply(call)?;
        match call {
            Call::Tick { .. } => {
                let places: Vec<_> = crowd.agents().filter_map(|agent| Some(grid.xy(crowd.node(agent)?))).collect();
                println!("tick {:2}: units at {places:?}", crowd.now() - 1);
            }
            call => println!("         {call:?}"),
        }
    }
    // Equal to the last bit, on whatever computer.
    assert_eq!(crowd.state_hash(), hash);
    for waiting in crowd.explain(AgentId(0)).chain {
        println!("{} waits for {}, which holds {:?}", waiting.agent, waiting.by, grid.xy(waiting.to));
    }
    Ok(())
}
