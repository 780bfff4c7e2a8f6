use giveway_bodies::{Body, CommonTicks, Ground, Headings, Primitives, Vehicle};
use giveway_core::Agent;
use giveway_spaces::Grid;

use super::*;
use crate::{Budget, Chain, Class, Crowd, CrowdSettings};

/// The cell (x, y) of a grid 24 wide.
const fn cell(x: u32, y: u32) -> u32 {
    y * 24 + x
}

#[test]
fn who_takes_plain_steps_and_who_cannot_make_way_for_each_other() {
    // A body that goes straight north, and a wagon in its way that goes past its place: neither can go on at once.
    let grid = Grid::open(24, 40).unwrap();
    let body = Body::square(3).unwrap();
    let primitives = Primitives::straight(Headings::Eight, 1).unwrap().arcs(2.0).unwrap().reversing(2.0).unwrap();
    let wagon = Vehicle::new(Body::rectangle(1.8, 0.9).unwrap(), primitives);
    let point = Body::square(1).unwrap();
    let ticks = CommonTicks::new().of([&point, &body], &grid).of([&wagon], &grid).fewest().unwrap();
    let ground = Ground::new([-0.5, -0.5], [24.0, 40.0], 0.5).unwrap();
    for work in [60, 90, 120, 400] {
        let mut crowd = Crowd::new(CrowdSettings::new().chain(Chain::new(Planner::Step)));
        let bodies = crowd.add_class(Class::for_body(&body, &grid, ground, ticks).unwrap()).unwrap();
        let wagons = crowd.add_class(Class::for_body(&wagon, &grid, ground, ticks).unwrap()).unwrap();
        let [from, to] = [(cell(10, 24), 0), (cell(12, 25), 1)].map(|(cell, heading)| NodeId(cell * 8 + heading));
        let agents = [
            crowd.add(bodies, Agent::new(NodeId(cell(10, 26)), NodeId(cell(10, 4)))).unwrap(),
            crowd.add(wagons, Agent::new(from, to)).unwrap(),
        ];
        // Others, far away, that go to and fro.
        let points = crowd.add_class(Class::for_body(&point, &grid, ground, ticks).unwrap()).unwrap();
        for x in 0..12 {
            crowd.add(points, Agent::new(NodeId(cell(2 * x, 39)), NodeId(cell(2 * (11 - x), 36)))).unwrap();
        }
        let all = crowd.agents().count() as u64;
        let mut steps = 0;
        while agents.iter().any(|agent| crowd.is_home(*agent) == Some(false)) {
            assert!(
                steps < 100,
                "with {work} units of work for each, they stand at {:?}",
                agents.map(|it| crowd.node(it))
            );
            for _ in 0..crowd.ticks_per_step() {
                let clock = crowd.state.clock;
                crowd.state.shortage.take_plain_steps(clock);
                crowd.tick(Budget::work(all * work));
            }
            steps += 1;
        }
    }
}

#[test]
fn choices_of_bodies_cost_more_on_large_maps_whether_or_not_operations_were_listed_before() {
    let price = |side: u32, cells: u32| {
        let grid = Grid::open(side, side).unwrap();
        let body = Body::square(cells).unwrap();
        let ticks = CommonTicks::new().of([&body], &grid).fewest().unwrap();
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = Class::for_body(&body, &grid, Ground::from_grid(&grid), ticks).unwrap();
        let class = crowd.add_class(class).unwrap();
        let State { plain, world, .. } = &mut crowd.state;
        plain.learn(world);
        plain.price(class)
    };
    let prices = [(40, 1), (40, 2), (512, 1), (512, 2)].map(|(side, cells)| price(side, cells));
    assert_eq!(prices, [CHOICE, CHOICE, CHOICE, CHOICE_OF_BODIES]);
}
