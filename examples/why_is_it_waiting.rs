//! Why does it wait? Four units stand in a corridor, one behind the other; the first one makes no way. `explain` names
//! the reason and the chain of who waits for whom, and the report of a tick says who is stuck, and who is free again.
//!
//! `cargo run -p giveway --example why_is_it_waiting` prints:
//!
//! ```text
//! tick 20
//!   1 is in the way of nobody it could ask: it rests
//!   2 waits for agent 1 for ever
//!   3 waits for agent 2 for ever, which waits for agent 1
//!   4 waits for agent 3 for ever, which waits for agent 2, which waits for agent 1
//! tick 75: agent 2 is stuck since tick 9: agent 1 would have to go
//! tick 76: agent 3 is stuck since tick 9: agent 1 would have to go
//! tick 77: agent 4 is stuck since tick 9: agent 1 would have to go
//! The post goes home.
//! ```

use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings, Explanation, Lra, Planner, Reason};
use giveway::time::{FOREVER, Tick};
use giveway::{Agent, AgentId, Point};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A corridor with a bay at its west end.
    let grid = Grid::from_ascii(
        "
        @@@@@@@@@@@.@
        .............
        ",
    )?;
    let at = |x, y| grid.node(x, y).expect("on the grid");
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    let post = crowd.add(class, Agent::bystander(at(10, 1)))?;
    crowd.set_chain(post, Planner::LocalRepair(Lra::new(0)))?; // makes no way
    let units = [3, 2, 1].map(|x| crowd.add(class, Agent::new(at(x, 1), at(12, 1))));
    let units = units.into_iter().collect::<Result<Vec<AgentId>, _>>()?;

    while crowd.now() < 20 {
        crowd.tick(Budget::work(5000));
    }
    println!("tick {}", crowd.now());
    for agent in [&[post], &units[..]].concat() {
        println!("  {}", in_words(agent, &crowd.explain(agent)));
    }
    let mut stuck = 0;
    while stuck < units.len() {
        let report = crowd.tick(Budget::work(5000));
        for event in &report.stuck {
            println!("tick {}: {} is stuck since tick {}: {} would have to go", report.tick, event.agent, event.since, event.by[0]);
            assert_eq!(event.by, [post]);
        }
        stuck += report.stuck.len();
    }
    println!("The post goes home.");
    crowd.remove(post)?;
    let mut freed = Vec::new();
    while !crowd.is_at_rest() {
        freed.extend(crowd.tick(Budget::work(5000)).freed);
    }
    assert_eq!(freed.len(), units.len());
    Ok(())
}

/// The answer of [`Crowd::explain`], as a sentence.
fn in_words(agent: AgentId, answer: &Explanation) -> String {
    let until = |tick: Tick| if tick == FOREVER { "for ever".to_owned() } else { format!("until tick {tick}") };
    match answer.reason {
        None => format!("{agent} is gone"),
        Some(Reason::InTheWay) => {
            let links = answer.chain.iter().enumerate().map(|(index, link)| match index {
                0 => format!("waits for {} {}", link.by, until(link.until)),
                _ => format!("which waits for {}", link.by),
            });
            format!("{agent} {}", links.collect::<Vec<_>>().join(", "))
        }
        Some(Reason::Rests) => format!("{agent} rests"),
        Some(reason) => format!("{agent}: {reason:?}"),
    }
}
