//! Groups: places are assigned, formations stand, and those ahead wait.

use std::time::Instant;

use giveway_bodies::{Body, CommonTicks, Ground};
use giveway_core::{Agent, AgentId, Area, ConflictRule::Swap, NodeId, Point, Tick};
use giveway_crowd::{Budget, Class, Crowd, CrowdError, CrowdSettings, Formation, March, Muster};
use giveway_spaces::{Connectivity, Grid};

use crate::crowd::run::Run;

/// A crowd of `units` bystanders in rows of `abreast`, from the north-west on.
fn troop(grid: &Grid, units: u32, abreast: u32) -> Run<'_> {
    let mut run = Run::empty(grid, Swap, CrowdSettings::new());
    for unit in 0..units {
        run.crowd.add(run.class, Agent::bystander(run.at(unit % abreast, unit / abreast))).unwrap();
    }
    run
}

fn all(run: &Run<'_>) -> Vec<AgentId> {
    run.crowd.agents().collect()
}

#[test]
fn each_place_gets_one_agent_and_ways_do_not_cross() {
    let grid = Grid::open(30, 10).unwrap();
    let mut run = troop(&grid, 4, 1);
    // In any order, each goes straight on.
    let places = [3, 0, 2, 1].map(|y| run.at(20, y));
    let sent = run.crowd.send_group(&all(&run), &places[..], March::apart()).unwrap();
    assert_eq!(sent, [0, 1, 2, 3].map(|y| Some(run.at(20, y))));
    let reports = run.until_rest(40);
    assert_eq!((run.crowd.now(), reports.iter().map(|report| report.arrived.len()).sum::<usize>()), (20, 4));
    // They exchange places with nobody: the slots of the others are free for them.
    let sent = run.crowd.send_group(&all(&run), &places[..], March::apart()).unwrap();
    assert_eq!(sent, [0, 1, 2, 3].map(|y| Some(run.at(20, y))));
    assert!(run.crowd.is_at_rest());
}

#[test]
fn with_fewer_places_the_others_go_beside_and_with_more_the_nearest_count() {
    let grid = Grid::open(30, 10).unwrap();
    let mut run = troop(&grid, 6, 2);
    let sent = run.crowd.send_group(&all(&run), vec![run.at(20, 5), run.at(21, 5)], March::apart()).unwrap();
    let mut places: Vec<NodeId> = sent.into_iter().flatten().collect();
    run.until_rest(60);
    assert!(places.iter().map(|place| grid.xy(*place)).all(|(x, y)| x.abs_diff(20) <= 3 && y.abs_diff(5) <= 2));
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 6);
    let many: Vec<NodeId> = (0..30).map(|x| run.at(x, 9)).collect();
    run.crowd.send_group(&all(&run), many, March::apart()).unwrap();
    run.until_rest(100);
    assert!((0..6).all(|unit| run.xy(unit).1 == 9 && run.xy(unit).0.abs_diff(20) < 6));
}

#[test]
fn a_formation_stands_where_it_faces_and_as_near_as_walls_permit() {
    let grid = Grid::open(40, 20).unwrap();
    let mut run = troop(&grid, 9, 3);
    let block = Formation::block(3, 2.0).at([30.0, 10.0, 0.0], [0.0, 1.0]);
    run.crowd.send_group(&all(&run), block, March::apart()).unwrap();
    run.until_rest(100);
    let mut places: Vec<(u32, u32)> = (0..9).map(|unit| run.xy(unit)).collect();
    places.sort_unstable();
    let expected: Vec<(u32, u32)> = [28, 30, 32].into_iter().flat_map(|x| [8, 10, 12].map(|y| (x, y))).collect();
    assert_eq!(places, expected);
    // Beyond the edge of the world.
    let wedge = Formation::wedge(1.0).at([39.0, 19.0, 0.0], [0.0, -1.0]);
    let sent = run.crowd.send_group(&all(&run), wedge, March::apart()).unwrap();
    assert_eq!(sent.iter().flatten().count(), 9);
    run.until_rest(200);
    assert!((0..9).all(|unit| run.xy(unit).0 >= 33 && run.xy(unit).1 >= 14));
}

#[test]
fn units_of_all_sizes_find_room_in_an_area() {
    let grid = Grid::open(40, 30).unwrap().with_connectivity(Connectivity::Eight);
    let bodies = [Body::disc(0.4).unwrap(), Body::disc(1.4).unwrap()];
    let ticks = CommonTicks::new().of(&bodies, &grid).fewest().unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let mut units = Vec::new();
    for (body, row) in bodies.iter().zip([2, 8]) {
        let class = Class::for_body(body, &grid, Ground::from_grid(&grid), ticks).unwrap();
        let class = crowd.add_class(class).unwrap();
        for x in 0..5 {
            units.push(crowd.add(class, Agent::bystander(grid.node(3 + 4 * x, row).unwrap())).unwrap());
        }
    }
    let area = Area::disc([30.0, 20.0], 6.0).unwrap();
    let sent = crowd.send_group(&units, area.clone(), March::apart()).unwrap();
    for (unit, place) in units.iter().zip(&sent) {
        let position = crowd.position(crowd.class_of(*unit).unwrap(), place.unwrap()).unwrap();
        assert!(area.contains(position), "{unit}: {position:?}");
    }
    let mut ticks = 0;
    while !crowd.is_at_rest() {
        crowd.tick(Budget::unlimited());
        ticks += 1;
        assert!(ticks < 200 * crowd.ticks_per_step());
    }
    for unit in units {
        assert!(area.contains(crowd.pose(unit, 1.0).unwrap().position.unwrap()));
    }
}

/// The largest difference of the ways that are left, while a column goes a long way, and the tick at which it is there.
fn column(march: March) -> (u32, Tick) {
    let grid = Grid::open(80, 6).unwrap();
    let mut run = Run::empty(&grid, Swap, CrowdSettings::new());
    for x in [0, 1, 2, 3, 12, 24] {
        run.crowd.add(run.class, Agent::bystander(run.at(x, 2))).unwrap();
    }
    let places: Vec<NodeId> = (0..6).map(|y| run.at(78, y)).collect();
    run.crowd.send_group(&all(&run), places, march).unwrap();
    let mut widest = 0;
    for _ in 0..200 {
        run.tick();
        let columns: Vec<u32> = (0..6).map(|unit| run.xy(unit).0).collect();
        let (first, last) = (columns.iter().max().unwrap(), columns.iter().min().unwrap());
        if run.crowd.now() > 40 && *first < 78 {
            widest = widest.max(first - last);
        }
        if columns.iter().all(|x| *x == 78) {
            return (widest, run.crowd.now());
        }
    }
    panic!("it never came: {columns:?}", columns = (0..6).map(|unit| run.xy(unit)).collect::<Vec<_>>());
}

#[test]
fn a_group_goes_at_the_pace_of_its_last() {
    let (apart, at) = column(March::apart());
    let (together, then) = column(March::together(4.0));
    assert!(apart >= 24 && at <= 82, "{apart}, {at}");
    assert!(together <= 8, "{together}");
    assert!(then <= at + 4, "the last is not held back: {then}");
}

#[test]
fn a_group_of_fast_and_slow_arrives_together() {
    let grid = Grid::open(60, 20).unwrap();
    let bodies = [Body::disc(0.4).unwrap(), Body::disc(0.4).unwrap().speed(0.5).unwrap()];
    let ticks = CommonTicks::new().of(&bodies, &grid).fewest().unwrap();
    let mut arrivals = Vec::new();
    for march in [March::apart(), March::together(6.0)] {
        let mut crowd = Crowd::new(CrowdSettings::new());
        let mut units = Vec::new();
        for (index, body) in (0..).zip(&bodies) {
            let class = Class::for_body(body, &grid, Ground::from_grid(&grid), ticks).unwrap();
            let class = crowd.add_class(class).unwrap();
            for y in 0..4 {
                units.push(crowd.add(class, Agent::bystander(grid.node(index, 2 * y).unwrap())).unwrap());
            }
        }
        let block = Formation::block(4, 2.0).at([50.0, 10.0, 0.0], [1.0, 0.0]);
        crowd.send_group(&units, block, march).unwrap();
        let mut came = Vec::new();
        while came.len() < 8 {
            assert!(crowd.now() < 300 * crowd.ticks_per_step(), "{came:?}");
            let report = crowd.tick(Budget::unlimited());
            came.extend(report.arrived.iter().map(|_| crowd.now() / crowd.ticks_per_step()));
        }
        arrivals.push((came[0], came[7]));
    }
    let [apart, together] = arrivals[..] else { unreachable!() };
    assert!(apart.1 - apart.0 > 30, "{apart:?}");
    assert!(together.1 - together.0 < 20, "{together:?}");
    assert!(together.1 <= apart.1 + 5, "{together:?}, and {apart:?}");
}

#[test]
fn who_gets_another_order_leaves_the_group() {
    let grid = Grid::open(60, 8).unwrap();
    let mut run = troop(&grid, 3, 1);
    run.crowd.place(AgentId(2), run.at(20, 2)).unwrap();
    let places: Vec<NodeId> = (0..3).map(|y| run.at(50, y)).collect();
    run.crowd.send_group(&all(&run), places, March::together(3.0)).unwrap();
    (0..6).for_each(|_| drop(run.tick()));
    assert!(run.xy(2).0 <= 24, "it waits");
    run.crowd.send(AgentId(2), run.at(59, 7)).unwrap();
    (0..45).for_each(|_| drop(run.tick()));
    assert_eq!(run.xy(2), (59, 7));
    // Without the two others nobody is waited for.
    run.crowd.remove(AgentId(1)).unwrap();
    run.until_rest(120);
    assert_eq!(run.xy(0).0, 50);
}

#[test]
fn one_that_waits_goes_on_when_all_others_have_left_the_group() {
    let grid = Grid::open(60, 8).unwrap();
    let (ahead, behind) = (AgentId(0), AgentId(1));
    let orders: [fn(&mut Run<'_>); 4] = [
        |run| drop(run.crowd.send(AgentId(1), run.at(0, 7)).unwrap()),
        |run| assert!(run.crowd.stop(AgentId(1)).is_ok()),
        |run| run.crowd.remove(AgentId(1)).unwrap(),
        |run| run.crowd.queue(AgentId(1), run.at(0, 7)).unwrap(),
    ];
    for order in orders {
        let mut run = troop(&grid, 2, 1);
        run.crowd.place(ahead, run.at(20, 0)).unwrap();
        let places = vec![run.at(50, 0), run.at(50, 1)];
        run.crowd.send_group(&[ahead, behind], places, March::together(3.0)).unwrap();
        (0..6).for_each(|_| drop(run.tick()));
        assert!(run.xy(0).0 <= 24, "it waits");
        assert_eq!(run.crowd.is_bystander(ahead), Some(true));
        order(&mut run);
        // A save with a group of one is read.
        let save = run.crowd.save().unwrap();
        run.crowd.load(&save).unwrap();
        (0..40).for_each(|_| drop(run.tick()));
        assert_eq!(run.xy(0), (50, 0));
    }
}

#[test]
fn one_that_waits_goes_beside_a_place_that_was_closed_meanwhile() {
    let grid = Grid::open(60, 3).unwrap();
    let class = Class::new(grid.clone(), Point::swap_rule(&grid)).editable();
    let mut run = Run::of_class(&grid, Swap, CrowdSettings::new(), class);
    let [ahead, behind] = [20, 0].map(|x| run.crowd.add(run.class, Agent::bystander(run.at(x, x / 20))).unwrap());
    let places = vec![run.at(50, 1), run.at(50, 0)];
    run.crowd.send_group(&[ahead, behind], places, March::together(3.0)).unwrap();
    (0..6).for_each(|_| drop(run.tick()));
    assert_eq!(run.crowd.is_bystander(ahead), Some(true), "it waits");
    run.crowd.set_open(run.class, run.at(50, 1), false).unwrap();
    (0..60).for_each(|_| assert_eq!(run.tick().news, []));
    assert_eq!(run.xy(1), (50, 0));
    let (x, y) = run.xy(0);
    assert_eq!(x.abs_diff(50) + y.abs_diff(1), 1, "{x}, {y}");
}

#[test]
fn positions_far_off_are_nearest_to_the_edge() {
    let grid = Grid::open(40, 20).unwrap();
    let mut run = troop(&grid, 1, 1);
    for far in [1e3, 1e6, 1e9, 1e20, 1e38] {
        for (x, y, nearest) in [(far, 7.0, (39, 7)), (20.0, far, (20, 19)), (-far, 19.0, (0, 19))] {
            let expected = run.at(nearest.0, nearest.1);
            assert_eq!(run.crowd.nearest_node(run.class, [x, y, 0.0]), Some(expected), "{x}, {y}");
        }
    }
}

#[test]
fn a_thousand_units_are_assigned_at_once() {
    let grid = Grid::open(120, 120).unwrap();
    let mut run = troop(&grid, 1000, 40);
    let before = Instant::now();
    let block = Formation::block(40, 2.0).at([60.0, 90.0, 0.0], [0.0, 1.0]);
    let sent = run.crowd.send_group(&all(&run), block, March::apart()).unwrap();
    println!("{:?}", before.elapsed());
    let mut places: Vec<NodeId> = sent.into_iter().flatten().collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 1000);
}

/// A dead end that opens away from the group. Its last places are the nearest by straight line.
#[test]
fn in_a_large_group_equally_near_places_go_by_straight_line() {
    let shaft = ".@@@@.@@@@\n".repeat(5);
    let grid = Grid::from_ascii(&format!("..........\n.@@@@@@@@@\n{shaft}..........")).unwrap();
    let second = |units| {
        let mut run = troop(&grid, units, 10);
        let (group, middle) = (all(&run), run.at(5, 4));
        let sent = run.crowd.send_group(&group, [5.0, 4.0, 0.0], March::apart()).unwrap();
        assert_eq!(sent[0], Some(middle));
        grid.xy(sent[1].unwrap())
    };
    assert_eq!([2, 8, 9, 10].map(second), [(5, 5), (5, 5), (5, 3), (5, 3)]);
}

#[test]
fn groups_that_cannot_be_sent_stay_as_they_are() {
    let grid = Grid::open(10, 10).unwrap();
    let mut run = troop(&grid, 2, 2);
    let units = all(&run);
    let before = run.crowd.state_hash();
    let nobody = AgentId(9);
    let refused = |run: &mut Run<'_>, units: &[AgentId], muster: Muster| {
        run.crowd.send_group(units, muster, March::together(2.0)).unwrap_err()
    };
    let place = run.at(5, 5);
    assert_eq!(refused(&mut run, &[units[0], nobody], vec![place].into()), CrowdError::NoSuchAgent(nobody));
    assert_eq!(refused(&mut run, &[], vec![place].into()), CrowdError::NoAgent);
    assert_eq!(refused(&mut run, &units, Vec::new().into()), CrowdError::NoGoal);
    let beyond = NodeId(100);
    let none = CrowdError::NoPlaceOf { agent: units[0], node: beyond };
    assert_eq!(refused(&mut run, &units, vec![place, beyond].into()), none);
    assert!(none.to_string().starts_with("node 100 is no place for agent 0:"), "{none}");
    let nowhere = Formation::wedge(f32::INFINITY).at([0.0; 3], [1.0, 0.0]);
    assert_eq!(refused(&mut run, &units, nowhere), CrowdError::NotFinite);
    assert_eq!(run.crowd.state_hash(), before);
    let other = Grid::open(5, 20).unwrap();
    let class = run.crowd.add_class(Class::new(other.clone(), Point::swap_rule(&other))).unwrap();
    let third = run.crowd.add(class, Agent::bystander(NodeId(70))).unwrap();
    let group = [units[0], units[1], third];
    let elsewhere = CrowdError::OtherPlaceOf { agent: third, node: place };
    assert_eq!(refused(&mut run, &group, vec![place].into()), elsewhere);
    let mut walled = grid.clone();
    walled.set_passable(5, 5, false);
    let class = run.crowd.add_class(Class::new(walled.clone(), Point::swap_rule(&walled))).unwrap();
    let fourth = run.crowd.add(class, Agent::bystander(NodeId(90))).unwrap();
    let none = CrowdError::NoPlaceOf { agent: fourth, node: place };
    assert_eq!(refused(&mut run, &[units[0], fourth, third], vec![place].into()), none);
}
