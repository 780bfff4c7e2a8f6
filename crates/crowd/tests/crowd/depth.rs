//! Depth: by crowding, and of each unit.

use std::collections::{BTreeMap, BTreeSet};

use giveway_core::{Agent, AgentId, ConflictRule};
use giveway_crowd::{Budget, Class, CrowdSettings, Depth};
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
/// reserved until then, unless there was no work for it, or no way.
#[test]
fn each_unit_plans_after_half_of_its_own_depth() {
    let grid = Grid::open(120, 40).unwrap();
    let settings = CrowdSettings::new().growth(None);
    let class = || Class::new(&grid, point(&grid, ConflictRule::Swap)).depth(Depth::Fixed(8));
    for budget in [Budget::unlimited(), Budget::work(120)] {
        let mut run = Run::of_class(&grid, ConflictRule::Swap, settings.clone(), class());
        let mut depths: BTreeMap<AgentId, u32> = BTreeMap::new();
        for index in 0..40 {
            let (from, to) = if index % 4 < 2 { (0, 119) } else { (119, 0) };
            let trip = Agent::new(run.at(from, index), run.at(to, (index * 7 + 3) % 40));
            let agent = run.crowd.add(run.class, trip).unwrap();
            let depth = if index % 2 == 0 { 8 } else { 24 };
            if depth == 24 {
                run.crowd.set_depth(agent, Depth::Fixed(24)).unwrap();
            }
            depths.insert(agent, depth);
        }
        let mut planned_at: BTreeMap<AgentId, u32> = BTreeMap::new();
        let (mut gaps, mut postponed) = ([Vec::new(), Vec::new()], 0);
        for now in 0..100 {
            let report = run.crowd.tick(budget);
            postponed += report.postponed.len();
            let excused: BTreeSet<AgentId> =
                report.postponed.iter().copied().chain(report.failed.iter().map(|(agent, _)| *agent)).collect();
            for agent in &report.planned {
                if let Some(before) = planned_at.insert(*agent, now)
                    && !report.overridden.contains(agent)
                    && budget == Budget::unlimited()
                {
                    gaps[usize::from(depths[agent] == 24)].push(now - before);
                }
            }
            for (agent, depth) in &depths {
                let plan = run.crowd.plan(*agent);
                let ends_at_goal = plan.last().is_some_and(|leg| run.crowd.goals(*agent).unwrap().contains(leg.to));
                if run.crowd.is_home(*agent) == Some(true) || ends_at_goal || excused.contains(agent) {
                    continue;
                }
                let ahead = plan.last().map_or(0, |leg| leg.arrive.saturating_sub(run.crowd.now()));
                assert!(ahead >= depth / 2, "{agent} has {ahead} of {depth} steps at tick {now}");
            }
        }
        if budget == Budget::unlimited() {
            assert_eq!(postponed, 0);
            for (gaps, half) in gaps.iter().zip([4, 12]) {
                assert!(gaps.iter().all(|gap| *gap <= half), "{gaps:?}");
                let sum: u32 = gaps.iter().sum();
                assert!(sum >= u32::try_from(gaps.len()).unwrap() * half * 3 / 4, "{gaps:?}");
            }
        } else {
            assert!(postponed > 0);
        }
    }
}
