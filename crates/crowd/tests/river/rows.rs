//! Rows: bodies that touch each other set out one after the other, and nobody stands for long where there is room.

use giveway_core::{AgentId, NodeId};
use giveway_crowd::CrowdSettings;

use super::Life;

/// The longest time, in ticks, for which an agent under way stands in one place, in so many ticks.
fn longest_stand(life: &mut Life, ticks: u32) -> u32 {
    let agents: Vec<AgentId> = life.crowd.agents().collect();
    let mut since: Vec<(Option<NodeId>, u32)> = vec![(None, 0); agents.len()];
    let mut longest = 0;
    for tick in 0..ticks {
        life.tick();
        for (agent, (node, from)) in agents.iter().zip(&mut since) {
            let now = life.crowd.node(*agent);
            if *node != now || life.crowd.is_home(*agent) == Some(true) {
                (*node, *from) = (now, tick);
            }
            longest = longest.max(tick - *from);
        }
    }
    longest
}

/// Each cart that comes from one side pushes a row of carts that come from the other side back, where there is room.
#[test]
fn carts_in_rows_push_each_other_back() {
    let mut life = Life::new(&[3, 14], 20, CrowdSettings::new().currents(false));
    life.work = 20_000;
    let longest = longest_stand(&mut life, 600);
    println!("longest {longest}, {} orders", life.arrived);
    assert!(longest <= 100 && life.arrived >= 100, "{longest}, {}", life.arrived);
    life.check();
}
