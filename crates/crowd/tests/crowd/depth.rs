//! Depth: by crowding, and of each unit.

use std::collections::{BTreeMap, BTreeSet};

use giveway_core::{Agent, AgentId, ConflictRule};
use giveway_crowd::{Budget, Chain, Class, CrowdSettings, Depth, Planner};
use giveway_spaces::Grid;

use crate::crowd::run::Run;
use crate::world::point;

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

/// Units of two depths cross a map. Each plans again after half of its own depth at the latest, and has the other half
/// reserved until then, unless there is no work or no way for it.
#[test]
fn each_unit_plans_after_half_of_its_own_depth() {
    let grid = Grid::open(120, 40).unwrap();
    let settings = CrowdSettings::new().growth(None).chain(Chain::new(Planner::Windowed));
    let class = Class::new(&grid, point(&grid, ConflictRule::Swap)).depth(Depth::Fixed(8));
    let mut run = Run::of_class(&grid, ConflictRule::Swap, settings, class);
    for index in 0..40 {
        let (from, to) = if index % 4 < 2 { (0, 119) } else { (119, 0) };
        let trip = Agent::new(run.at(from, index), run.at(to, (index * 7 + 3) % 40));
        let agent = run.crowd.add(run.class, trip).unwrap();
        if index % 2 == 1 {
            run.crowd.set_depth(agent, Depth::Fixed(24)).unwrap();
        }
    }
    let depth_of = |agent: AgentId| if agent.0 % 2 == 1 { 24 } else { 8 };
    let mut planned_at: BTreeMap<AgentId, u32> = BTreeMap::new();
    let mut gaps: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for now in 0..100 {
        let report = run.crowd.tick(Budget::unlimited());
        for agent in &report.planned {
            let before = planned_at.insert(*agent, now).filter(|_| !report.overridden.contains(agent));
            gaps.entry(depth_of(*agent)).or_default().extend(before.map(|before| now - before));
        }
        let has_no_way: BTreeSet<AgentId> =
            report.failed.iter().map(|(agent, _)| *agent).chain(report.postponed).chain(report.stopped).collect();
        for agent in run.crowd.agents().filter(|agent| !has_no_way.contains(agent)) {
            let plan = run.crowd.plan(agent);
            let end = plan.last().map_or(run.crowd.node(agent).unwrap(), |leg| leg.to);
            let ahead = plan.last().map_or(0, |leg| leg.arrive.saturating_sub(run.crowd.now()));
            let is_deep = ahead >= depth_of(agent) / 2 || run.crowd.goals(agent).unwrap().contains(end);
            assert!(is_deep, "{agent} has {ahead} of {} steps at tick {now}", depth_of(agent));
        }
    }
    for (depth, gaps) in gaps {
        assert!(gaps.iter().all(|gap| *gap <= depth / 2), "{depth}: {gaps:?}");
        let sum: u32 = gaps.iter().sum();
        assert!(sum * 8 >= u32::try_from(gaps.len()).unwrap() * depth * 2, "{depth}: {gaps:?}");
    }
}
