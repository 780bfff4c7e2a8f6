//! Why does it wait? Three units come up behind a post that makes no way, in a corridor. `explain` names
//! the reason and the chain of who waits for whom, and the report of a tick says who is stuck, and who is free again.
//!
//! `cargo run -p giveway --example why_is_it_waiting` prints:
//!
//! ```text
//! tick 20
//!   agent 0 rests
//!   agent 1 waits for agent 0 for ever
//!   agent 2 waits for agent 1 until tick 38, which waits for agent 0
//!   agent 3 waits for agent 2 until tick 38, which waits for agent 1, which waits for agent 0
//! tick 65: agent 1 is stuck since tick 5: agent 0 would have to go
//! tick 66: agent 2 is stuck since tick 5: agent 0 and agent 1 would have to go
//! tick 67: agent 3 is stuck since tick 5: agent 0 and agent 1 and agent 2 would have to go
//! The post goes home.
//! tick 84: 3 units are free again, and all are home: true
//! ```

use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings, Explanation, Lra, Planner, Reason};
use giveway::time::{FOREVER, Tick};
use giveway::{Agent, AgentId, Point};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::open(14, 1)?;
    let at = |x| grid.node(x, 0).expect("on the grid");
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    let post = crowd.add(class, Agent::bystander(at(9)))?;
    crowd.set_chain(post, Planner::LocalRepair(Lra::new(0)))?; // makes no way
    let units = [3, 2, 1].map(|x| crowd.add(class, Agent::new(at(x), at(x + 10))));
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
            let by: Vec<String> = event.by.iter().map(AgentId::to_string).collect();
            println!(
                "tick {}: {} is stuck since tick {}: {} would have to go",
                report.tick,
                event.agent,
                event.since,
                by.join(" and ")
            );
            assert!(event.by.contains(&post));
        }
        stuck += report.stuck.len();
    }
    println!("The post goes home.");
    crowd.remove(post)?;
    let mut freed: Vec<AgentId> = Vec::new();
    while freed.len() < units.len() {
        freed.extend(crowd.tick(Budget::work(5000)).freed);
    }
    println!("tick {}: {} units are free again, and all are home: {}", crowd.now(), freed.len(), crowd.is_at_rest());
    assert!(crowd.is_at_rest());
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
