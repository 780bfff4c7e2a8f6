//! Descent: the way straight down, before any search.

use giveway_core::{Agent, ConflictRule, Point};
use giveway_crowd::{Budget, Class, Crowd, CrowdSettings, Report};
use giveway_lanes::{DirectionMap, DirectionRules};
use giveway_spaces::{Connectivity, Grid};

use crate::crowd::run::Run;
use crate::world::picture;

fn settings(descent: bool) -> CrowdSettings {
    CrowdSettings::new().window(8).interval(4).descent(descent)
}

fn expansions(reports: &[Report]) -> Vec<u64> {
    reports.iter().map(|report| report.expansions).collect()
}

#[test]
fn where_nobody_is_every_step_is_one_expansion() {
    let grid = Grid::open(12, 12).unwrap();
    let mut run = Run::empty(&grid, ConflictRule::Swap, settings(true));
    run.crowd.add(run.class, Agent::new(run.at(1, 1), run.at(6, 6))).unwrap();
    let reports = run.until_rest(10);
    // Eight steps ahead, then the two that are left: the plan goes on.
    assert_eq!(expansions(&reports), [8, 0, 0, 0, 2, 0, 0, 0, 0, 0]);
}

#[test]
fn where_somebody_is_they_search_as_without() {
    let rows = [
        (picture(["A.....a"]), 6, "nobody"),
        (picture([".......", "A..B..a", "......."]), 8, "somebody rests in the way"),
        (picture(["A.....b", "@@@.@@@", "@@@.@@@", "B.....a"]), 13, "somebody comes across"),
        (picture(["AB..ab."]), 4, "a convoy"),
    ];
    for (world, arrival, what) in rows {
        for descent in [false, true] {
            let mut run = Run::of(&world, settings(descent));
            run.until_rest(40);
            assert_eq!(run.crowd.now(), arrival, "{what}, {descent}");
        }
    }
}

/// Of the moves that come nearer the one that costs least with what it leaves, the layer's surcharge counted; none that
/// does not come nearer, however much the others cost.
#[test]
fn a_layer_decides_between_moves_that_come_nearer() {
    let grid = Grid::open(6, 3).unwrap().with_connectivity(Connectivity::Eight);
    let at = |x, y| grid.node(x, y).unwrap();
    let map = DirectionMap::blank(&grid, DirectionRules::default().weight(4.0));
    for x in 0..6 {
        map.set(at(x, 0), [1.0, 0.0, 0.0]).unwrap();
        map.set(at(x, 1), [-1.0, 0.0, 0.0]).unwrap();
    }
    map.freeze();
    let mut crowd = Crowd::new(settings(true));
    let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)).layer(&map)).unwrap();
    let agent = crowd.add(class, Agent::new(at(0, 1), at(5, 1))).unwrap();
    let mut way = Vec::new();
    while !crowd.is_at_rest() {
        let report = crowd.tick(Budget::unlimited());
        assert!([0, 6, 2].contains(&report.expansions), "{report:?}");
        way.push(grid.xy(crowd.node(agent).unwrap()));
    }
    // Up to the row that leads east, along it, since a diagonal against the traffic costs more, and down.
    assert_eq!(way, [(1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (5, 1)]);
}

#[test]
fn who_has_no_fuel_for_it_is_put_off() {
    let grid = Grid::open(12, 1).unwrap();
    let mut run = Run::empty(&grid, ConflictRule::Swap, settings(true));
    let agent = run.crowd.add(run.class, Agent::new(run.at(0, 0), run.at(11, 0))).unwrap();
    assert!(run.crowd.distance(agent, Budget::unlimited()).is_some());
    let report = run.tick_within(Budget::work(5));
    assert_eq!((report.expansions, report.postponed), (5, vec![agent]));
    // Half as deep, that is enough.
    let report = run.tick_within(Budget::work(5));
    assert_eq!((report.expansions, report.planned, report.moves), (4, vec![agent], 1));
}
