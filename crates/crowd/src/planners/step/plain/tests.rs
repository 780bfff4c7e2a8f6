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

/// The price of a choice of agents of `class`.
fn price(crowd: &mut Crowd<'_>, class: ClassId) -> u64 {
    let State { plain, world, .. } = &mut crowd.state;
    plain.learn(world);
    plain.price(world, std::iter::once(class))
}

#[test]
fn choices_of_bodies_cost_more_on_large_maps_from_the_first_tick_on() {
    for (side, cells, expected) in [(40, 1, CHOICE), (40, 2, CHOICE), (512, 1, CHOICE), (512, 2, CHOICE_OF_BODIES)] {
        let grid = Grid::open(side, side).unwrap();
        let body = Body::square(cells).unwrap();
        let ticks = CommonTicks::new().of([&body], &grid).fewest().unwrap();
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = crowd.add_class(Class::for_body(&body, &grid, Ground::from_grid(&grid), ticks).unwrap()).unwrap();
        assert_eq!(price(&mut crowd, class), expected, "{cells} x {cells} cells on {side} x {side}");
    }
}

#[test]
fn a_copy_learns_the_price_that_a_crowd_has_after_a_large_space_came() {
    // With eight headings the space of the wagon is large, and the space of the body is not.
    let grid = Grid::open(200, 200).unwrap();
    let body = Body::square(2).unwrap();
    let wagon = Vehicle::new(Body::rectangle(1.8, 0.9).unwrap(), Primitives::straight(Headings::Eight, 1).unwrap());
    let ticks = CommonTicks::new().of([&body], &grid).of([&wagon], &grid).fewest().unwrap();
    let ground = Ground::new([-0.5, -0.5], [200.0, 200.0], 1.0).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let bodies = crowd.add_class(Class::for_body(&body, &grid, ground, ticks).unwrap()).unwrap();
    assert_eq!(price(&mut crowd, bodies), CHOICE);
    crowd.add_class(Class::for_body(&wagon, &grid, ground, ticks).unwrap()).unwrap();
    let mut copy = crowd.clone();
    assert_eq!([&mut crowd, &mut copy].map(|crowd| price(crowd, bodies)), [CHOICE_OF_BODIES; 2]);
}
