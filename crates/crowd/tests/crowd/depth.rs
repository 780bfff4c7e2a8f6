//! Depth by crowding.

use giveway_core::{Agent, ConflictRule};
use giveway_crowd::{CrowdSettings, Depth};
use giveway_spaces::Grid;

use crate::crowd::run::Run;

#[test]
fn an_agent_looks_the_farther_ahead_the_more_are_around_it() {
    let grid = Grid::open(60, 9).unwrap();
    let depth = |others: u32| {
        let settings = CrowdSettings::new().depth(Depth::ByCrowding { least: 4, most: 20 });
        let mut run = Run::empty(&grid, ConflictRule::Swap, settings);
        // The others first, so that they have planned when it does.
        let places = (0..7).flat_map(|x| (1..8).map(move |y| (x, y))).filter(|place| *place != (3, 4));
        for (x, y) in places.take(others as usize) {
            run.crowd.add(run.class, Agent::bystander(run.at(x, y))).unwrap();
        }
        let agent = run.crowd.add(run.class, Agent::new(run.at(3, 4), run.at(59, 4))).unwrap();
        let now = run.crowd.now();
        run.tick();
        run.crowd.plan(agent).last().map_or(0, |leg| leg.arrive - now)
    };
    assert_eq!(depth(0), 4);
    let depths: Vec<u32> = [0, 6, 12, 24].into_iter().map(depth).collect();
    assert!(depths.is_sorted() && depths[3] == 20, "{depths:?}");
}
