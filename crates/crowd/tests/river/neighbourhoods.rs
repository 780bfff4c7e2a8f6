//! Neighbourhoods: units that stand in each other's way plan windows anew together.

use giveway_core::AgentId;
use giveway_crowd::CrowdSettings;

use super::Life;

/// Over four bridges, carts come to stand in front of each other again and again.
fn life(work: u64) -> Life {
    let mut life = Life::new(&[1, 6, 11, 16], 20, CrowdSettings::new());
    life.work = work;
    life.live(300);
    life
}

#[test]
fn those_that_stand_plan_anew_together_with_those_around_them() {
    let life = life(40_000);
    assert!(life.neighbourhoods.len() >= 10, "{:?}", life.neighbourhoods);
    for agents in &life.neighbourhoods {
        let mut each: Vec<AgentId> = agents.clone();
        each.sort_unstable();
        each.dedup();
        assert_eq!((each.len(), agents.len()), (agents.len(), 10), "{agents:?}");
    }
    life.check();
}

/// With less work than a search takes, there is none.
#[test]
fn with_little_work_everybody_plans_alone() {
    let life = life(10_000);
    assert_eq!(life.neighbourhoods, Vec::<Vec<AgentId>>::new());
    life.check();
}
