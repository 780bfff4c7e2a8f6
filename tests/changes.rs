//! Changes while units are about: walls, classes, neighbours. No unit overlaps another, no unit jumps, and refused
//! calls change nothing.

use giveway_bodies::{
    Body, BodyFootprint, Clearance, CommonTicks, Granularity, Ground, Headings, Lattice, Primitives, Vehicle,
};
use giveway_check::BodyChecker;
use giveway_core::{Agent, AgentId, Goals, NodeId, SpaceGraph};
use giveway_crowd::{Budget, Class, ClassId, Crowd, CrowdError, CrowdSettings};
use giveway_sim::{Simulation, Task};
use giveway_spaces::Grid;
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

fn walker(grid: &Grid, body: &Body) -> Class<'static, Clearance, BodyFootprint> {
    let (space, footprint) = body.on(grid, Ground::from_grid(grid), 4).unwrap();
    Class::new(space, footprint).editable().body(body.outline())
}

fn driver(grid: &Grid, vehicle: &Vehicle) -> (Class<'static, Lattice, BodyFootprint>, Lattice) {
    let ticks = CommonTicks::new().of([vehicle], grid).fewest().unwrap();
    let (space, footprint) = vehicle.on(grid, Ground::from_grid(grid), ticks).unwrap();
    (Class::new(space.clone(), footprint).editable().body(vehicle.outline()), space)
}

fn car() -> Vehicle {
    let primitives = Primitives::straight(Headings::Eight, 1).unwrap().arcs(2.0).unwrap();
    Vehicle::new(Body::rectangle(1.2, 0.6).unwrap(), primitives)
}

/// Grounds that are laid out in different ways are not the same, though they have as many cells.
#[test]
fn grounds_of_different_layouts_do_not_mix() {
    let class = |side: u32, granularity| {
        let grid = Grid::open(side, side).unwrap();
        let ground = Ground::from_grid(&grid).granularity(granularity);
        let (space, footprint) = Body::square(1).unwrap().on(&grid, ground, 1).unwrap();
        Class::new(space, footprint)
    };
    for [(side, one), (other_side, other)] in [
        [(5, Granularity::Coarser(3)), (5, Granularity::Coarser(4))],
        [(20, Granularity::Same), (10, Granularity::Finer(2))],
    ] {
        let mut crowd = Crowd::new(CrowdSettings::new());
        crowd.add_class(class(side, one)).unwrap();
        let refused = crowd.add_class(class(other_side, other)).unwrap_err();
        assert!(refused.to_string().contains("laid out in another way"), "{refused}");
        crowd.add_class(class(side, one)).unwrap();
    }
}

/// A body that holds the tick of its arrival holds it against a unit that is put there, too.
#[test]
fn nobody_is_put_where_a_closed_body_has_just_left() {
    let grid = Grid::open(6, 1).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(walker(&grid, &Body::square(1).unwrap().closed())).unwrap();
    let mut simulation = Simulation::new(crowd).recorded();
    simulation.add(class, Agent::new(NodeId(0), NodeId(5)), Task::Once).unwrap();
    for _ in 0..4 {
        simulation.tick(Budget::unlimited());
    }
    assert_eq!(simulation.crowd().node(AgentId(0)), Some(NodeId(1)));
    let behind = |simulation: &mut Simulation<'_>| simulation.add(class, Agent::bystander(NodeId(0)), Task::Once);
    assert_eq!(behind(&mut simulation), Err(CrowdError::Occupied { node: NodeId(0), by: AgentId(0) }));
    simulation.tick(Budget::unlimited());
    behind(&mut simulation).unwrap();
    simulation.run(60, Budget::unlimited());
    assert_eq!(BodyChecker::new().check(&simulation.trace().unwrap()), []);
}

/// Whatever is closed beside a car on its curve, the car stays on the curve; a recording that begins then shows the
/// curve.
#[test]
fn a_move_under_way_stays_on_its_curve() {
    let grid = Grid::open(16, 16).unwrap();
    // All cells near by.
    for closed in 48..144 {
        let (class, space) = driver(&grid, &car());
        let start = space.node(5, 5, 0).unwrap();
        let arc = space.moves(start).find(|m| space.pose(m.to).2 == 1).unwrap();
        let mut crowd = Crowd::new(CrowdSettings::new());
        let cars = crowd.add_class(class).unwrap();
        crowd.add(cars, Agent::new(start, arc.to)).unwrap();
        for _ in 0..12 {
            crowd.tick(Budget::unlimited());
        }
        let before = crowd.poses(1.0).next().unwrap();
        let [x, y] = [5.0, 5.0];
        let expected = giveway_core::Embedding::trajectory(&space, &arc).unwrap().pose([x, y], 0.0, before.progress);
        assert_eq!((before.position.unwrap()[..2].to_vec(), before.heading), (expected.0.to_vec(), expected.1));
        let node = space.node(closed % 16, closed / 16, 0).unwrap();
        let _ = crowd.set_open(cars, node, false);
        assert_eq!(crowd.poses(1.0).next().unwrap(), before, "({}, {}) closed", closed % 16, closed / 16);
        let mut simulation = Simulation::new(crowd).recorded();
        simulation.tick(Budget::unlimited());
        let trace = simulation.trace().unwrap();
        assert_eq!(trace.agents[0].moves[0].trajectory, Some(0));
        assert_eq!(BodyChecker::new().check(&trace), []);
    }
}

/// To ask for a wall where a unit stands changes nothing: not even the memory of searches.
#[test]
fn a_wall_that_is_refused_costs_nothing() {
    let grid = Grid::open(40, 40).unwrap();
    let run = |asks: bool| {
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = crowd.add_class(walker(&grid, &Body::square(2).unwrap())).unwrap();
        let one = crowd.add(class, Agent::new(NodeId(0), NodeId(38 * 40 + 38))).unwrap();
        // Some way, to the end of a step.
        while crowd.now() < 40 || crowd.last_leg(one).unwrap().arrive > crowd.now() {
            crowd.tick(Budget::work(100));
        }
        let here = crowd.node(one).unwrap();
        if asks {
            for node in [here, NodeId(here.0 + 1), NodeId(here.0 + 41)] {
                assert_eq!(crowd.set_open(class, node, false), Err(CrowdError::Occupied { node, by: one }));
            }
        }
        let reports: Vec<_> = (0..60).map(|_| crowd.tick(Budget::work(100))).collect();
        (reports, crowd.node(one))
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn who_changes_its_class_takes_nobodys_place() {
    let grid = Grid::open(20, 20).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let class = |cells: u32| {
        let (space, footprint) = Body::square(cells).unwrap().on(&grid, Ground::from_grid(&grid), 1).unwrap();
        Class::new(space, footprint)
    };
    let mut crowd = Crowd::new(CrowdSettings::new());
    let (small, large) = (crowd.add_class(class(1)).unwrap(), crowd.add_class(class(3)).unwrap());
    let one = crowd.add(small, Agent::new(at(2, 2), at(10, 10))).unwrap();
    let two = crowd.add(small, Agent::new(at(2, 8), at(11, 10))).unwrap();
    crowd.change_class(one, large).unwrap();
    // Its goal does not suit a large one beside the other's: it has been sent to the nearest that does.
    assert_eq!((crowd.goals(two), crowd.is_bystander(two)), (Some(&Goals::one(at(11, 10))), Some(false)));
    while !crowd.is_at_rest() {
        crowd.tick(Budget::unlimited());
        assert!(crowd.now() < 100);
    }
    // Where nodes are numbered in another way, it would be elsewhere.
    let mut crowd = Crowd::new(CrowdSettings::new());
    let body = Body::disc(0.4).unwrap();
    let walkers = crowd.add_class(walker(&grid, &body)).unwrap();
    let wheels = Vehicle::new(body, Primitives::straight(Headings::Four, 1).unwrap().arcs(1.0).unwrap());
    let drivers = crowd.add_class(driver(&grid, &wheels).0).unwrap();
    let one = crowd.add(walkers, Agent::bystander(at(12, 12))).unwrap();
    assert_eq!(crowd.change_class(one, drivers), Err(CrowdError::OtherPlace(at(12, 12))));
    assert_eq!(crowd.change_class(one, ClassId(7)), Err(CrowdError::NoSuchClass(ClassId(7))));
    assert_eq!(crowd.change_class(AgentId(7), walkers), Err(CrowdError::NoSuchAgent(AgentId(7))));
}

/// A villager that becomes a giant half-way ends its step as a villager. It needs room where it is and where others are
/// under way; units that wanted to pass there look for another way.
#[test]
fn a_unit_grows_where_there_is_room() {
    let grid = Grid::open(9, 5).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let bodies = [Body::disc(0.4).unwrap(), Body::disc(1.4).unwrap()];
    let mut crowd = Crowd::new(CrowdSettings::new());
    let [villagers, giants] = bodies.each_ref().map(|body| crowd.add_class(walker(&grid, body)).unwrap());
    let mut simulation = Simulation::new(crowd).recorded();
    let one = simulation.add(villagers, Agent::new(at(3, 2), at(4, 2)), Task::Once).unwrap();
    let passes = simulation.add(villagers, Agent::new(at(8, 1), at(0, 1)), Task::Once).unwrap();
    let beside = simulation.add(villagers, Agent::bystander(at(4, 4)), Task::Once).unwrap();
    let body_of = |simulation: &Simulation<'_>| simulation.crowd().body_of(one).cloned();
    simulation.run(2, Budget::unlimited());

    // Two cells away is not enough for a radius of 1.4 beside one of 0.4, on a ground of whole cells.
    simulation.place(beside, at(4, 3)).unwrap();
    let before = simulation.trace();
    assert_eq!(simulation.change_class(one, giants), Err(CrowdError::Occupied { node: at(4, 2), by: beside }));
    assert_eq!((simulation.crowd().class_of(one), simulation.trace()), (Some(villagers), before));
    simulation.place(beside, at(0, 4)).unwrap();
    simulation.change_class(one, giants).unwrap();
    assert_eq!(simulation.crowd().class_of(one), Some(giants));
    // Half-way it is as large as before, and at its end it is a giant.
    assert_eq!(body_of(&simulation), Some(bodies[0].outline()));
    simulation.run(2, Budget::unlimited());
    assert_eq!(body_of(&simulation), Some(bodies[1].outline()));
    let trace = simulation.trace().unwrap();
    assert_eq!((trace.agents[0].changes.len(), trace.agents[0].changes[0].tick), (1, 4));
    simulation.run(4 * 20, Budget::unlimited());
    assert_eq!(simulation.crowd().node(passes), Some(at(0, 1)));
    assert_eq!(BodyChecker::new().check(&simulation.trace().unwrap()), []);
}

/// Units grow and shrink at random, at rest and on their way, wherever there is room: no units overlap, as far as an
/// independent checker sees.
#[test]
fn nobody_overlaps_however_units_grow_and_shrink() {
    let (mut changes, mut under_way, mut refused, mut overlaps_if_untold) = (0, 0, 0, 0);
    for seed in 0..30 {
        let mut random = Pcg64Mcg::new(seed * 2 + 1);
        let grid = Grid::from_fn(14, 14, |_, _| !random.random_ratio(1, 25)).unwrap();
        let bodies = [Body::disc(0.4).unwrap(), Body::disc(0.9).unwrap(), Body::square(2).unwrap()];
        let mut crowd = Crowd::new(CrowdSettings::new());
        let classes = bodies.map(|body| crowd.add_class(walker(&grid, &body)).unwrap());
        let nodes = (0..14 * 14).map(NodeId);
        let places: Vec<NodeId> =
            nodes.filter(|node| classes.iter().all(|class| crowd.has_node(*class, *node))).collect();
        let mut simulation = Simulation::new(crowd).recorded();
        for _ in 0..24 {
            let (class, start) = (*classes.choose(&mut random).unwrap(), *places.choose(&mut random).unwrap());
            let task = Task::Lifelong { places: places.clone().into(), seed: random.random() };
            // Not all find room.
            let _ = simulation.add(class, Agent::bystander(start), task);
        }
        for _ in 0..200 {
            let agents: Vec<AgentId> = simulation.crowd().agents().collect();
            let (agent, class) = (*agents.choose(&mut random).unwrap(), *classes.choose(&mut random).unwrap());
            let other_body = simulation.crowd().class_of(agent) != Some(class);
            let moves = simulation.crowd().last_leg(agent).is_some_and(|leg| leg.arrive > simulation.crowd().now());
            match simulation.change_class(agent, class) {
                Ok(()) => {
                    changes += usize::from(other_body);
                    under_way += usize::from(other_body && moves);
                }
                Err(_) => refused += 1,
            }
            if random.random_ratio(1, 20) {
                let _ = simulation.place(agent, *places.choose(&mut random).unwrap());
            }
            simulation.tick(Budget::work(2000));
        }
        let mut trace = simulation.trace().unwrap();
        assert_eq!(BodyChecker::new().at_most(3).check(&trace), [], "seed {seed}");
        trace.agents.iter_mut().for_each(|agent| agent.changes.clear());
        overlaps_if_untold += usize::from(!BodyChecker::new().at_most(1).check(&trace).is_empty());
    }
    let counts = (changes, under_way, refused, overlaps_if_untold);
    assert!(changes > 1500 && under_way > 500 && refused > 100 && overlaps_if_untold > 20, "{counts:?}");
}

/// A patrol goes past a place that has been closed.
#[test]
fn patrols_leave_out_what_is_closed() {
    let grid = Grid::open(9, 3).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(walker(&grid, &Body::square(1).unwrap())).unwrap();
    let mut simulation = Simulation::new(crowd);
    let patrol = Task::Patrol(vec![at(8, 1), at(4, 1), at(0, 1)]);
    let one = simulation.add(class, Agent::bystander(at(0, 1)), patrol).unwrap();
    simulation.run(4, Budget::unlimited());
    assert_eq!(simulation.crowd_mut().set_open(class, at(4, 1), false), Ok(true));
    let mut seen = Vec::new();
    for _ in 0..200 {
        simulation.tick(Budget::unlimited());
        seen.extend(simulation.crowd().node(one).filter(|node| seen.last() != Some(node)));
    }
    assert!(seen.contains(&at(8, 1)) && seen.iter().filter(|node| **node == at(0, 1)).count() >= 2, "{seen:?}");
}

/// A footprint that was made for another space is refused where an agent is to stand.
#[test]
fn footprints_of_other_spaces_are_refused() {
    let grid = Grid::open(9, 9).unwrap();
    let (_, space) = driver(&grid, &car());
    let (_, footprint) = Body::square(1).unwrap().on(&grid, Ground::from_grid(&grid), 4).unwrap();
    let start = space.node(4, 4, 0).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(space, footprint)).unwrap();
    assert_eq!(crowd.add(class, Agent::bystander(start)), Err(CrowdError::OutOfCells(start)));
}
