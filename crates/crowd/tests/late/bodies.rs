//! Units that are late, and become units of another class.

use giveway_bodies::{Body, CommonTicks, Ground};
use giveway_core::{Agent, AgentId, NodeId, Point, SpaceGraph as _, Tick, WholeMoves};
use giveway_crowd::{Budget, Class, ClassId, Crowd, CrowdError, CrowdSettings};
use giveway_spaces::Grid;
use ordered_float::OrderedFloat;

/// The radii of the small and of the big discs.
const RADII: [f32; 2] = [0.4, 0.9];

/// An empty crowd of small and big discs on `grid`. Small ones are slow.
fn discs(grid: &Grid) -> (Crowd<'static>, [ClassId; 2]) {
    let [small, big] = RADII.map(|radius| Body::disc(radius).unwrap());
    let bodies = [small.speed(0.1).unwrap(), big];
    let ticks = CommonTicks::new().of(&bodies, grid).fewest().unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let classes = bodies.map(|body| {
        let class = Class::for_body(&body, grid, Ground::from_grid(grid), ticks).unwrap();
        crowd.add_class(class).unwrap()
    });
    (crowd, classes)
}

fn is_big(crowd: &Crowd<'_>, classes: [ClassId; 2], agent: AgentId) -> bool {
    crowd.body_of(agent) == crowd.body(classes[1])
}

/// Lets a tick go by, in which the two do not come closer than their bodies are wide.
fn tick_apart(crowd: &mut Crowd<'_>, classes: [ClassId; 2], [one, two]: [AgentId; 2]) {
    crowd.tick(Budget::unlimited());
    let [[x, y, _], [u, v, _]] = [one, two].map(|agent| crowd.pose(agent, 1.0).unwrap().position.unwrap());
    let distance = ((x - u).powi(2) + (y - v).powi(2)).sqrt();
    let [first, second] = [one, two].map(|agent| RADII[usize::from(is_big(crowd, classes, agent))]);
    let wide = first + second;
    assert!(distance > wide - 1e-4, "{distance} apart at tick {}, of {wide}", crowd.now());
}

/// A crowd that is loaded is equal to the one that was saved.
fn assert_saves(crowd: &mut Crowd<'_>, grid: &Grid) {
    let (mut other, _) = discs(grid);
    other.load(&crowd.save().unwrap()).unwrap();
    assert_eq!(other.state_hash(), crowd.state_hash());
}

#[test]
fn a_former_body_does_not_come_back() {
    let grid = Grid::open(12, 6).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let (mut crowd, classes) = discs(&grid);
    let one = crowd.add(classes[0], Agent::new(at(1, 2), at(9, 2))).unwrap();
    crowd.tick(Budget::unlimited());
    crowd.change_class(one, classes[1]).unwrap();
    crowd.hold(one, 5).unwrap();
    let until = crowd.last_leg(one).unwrap().arrive;
    let mut holds = 0;
    while crowd.node(one) != Some(at(9, 2)) {
        assert_eq!(is_big(&crowd, classes, one), crowd.now() >= until, "tick {}", crowd.now());
        assert_saves(&mut crowd, &grid);
        if crowd.now() > until && holds < 3 {
            holds += 1;
            crowd.hold(one, 30).unwrap();
        }
        crowd.tick(Budget::unlimited());
        assert!(crowd.now() < 1000);
    }
    assert_eq!(holds, 3);
}

/// It is to be big after its stay. Another one on the way out of that room is late: it becomes big later.
#[test]
fn who_is_to_have_another_body_waits_for_those_that_are_late() {
    let grid = Grid::open(12, 6).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let (mut crowd, classes) = discs(&grid);
    let grows = crowd.add(classes[0], Agent::bystander(at(4, 3))).unwrap();
    let leaves = crowd.add(classes[0], Agent::new(at(5, 3), at(10, 3))).unwrap();
    crowd.tick(Budget::unlimited());
    crowd.hold(grows, 40).unwrap();
    crowd.change_class(grows, classes[1]).unwrap();
    assert_saves(&mut crowd, &grid);
    assert_eq!(crowd.hold(leaves, 60).unwrap(), [grows]);
    assert_eq!(crowd.held_until(grows), Some(101));
    assert_saves(&mut crowd, &grid);
    while crowd.now() < 150 {
        tick_apart(&mut crowd, classes, [grows, leaves]);
        assert_saves(&mut crowd, &grid);
        assert_eq!(is_big(&crowd, classes, grows), crowd.now() >= 101);
    }
}

fn points(grid: &Grid) -> (Crowd<'static>, [ClassId; 2]) {
    let mut crowd = Crowd::new(CrowdSettings::new());
    let point = Point::timed(grid, 6).unwrap();
    let hasty = crowd.add_class(Class::new(grid.clone(), point.clone())).unwrap();
    let whole = crowd.add_class(Class::new(grid.clone(), WholeMoves::new(point))).unwrap();
    (crowd, [hasty, whole])
}

#[test]
fn the_body_under_way_must_hold_whole_moves_for_reports() {
    let grid = Grid::open(6, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let (mut crowd, [hasty, whole]) = points(&grid);
    let one = crowd.add(hasty, Agent::new(at(0), at(4))).unwrap();
    crowd.tick(Budget::unlimited());
    crowd.change_class(one, whole).unwrap();
    assert_eq!(crowd.set_reports_moves(one, true), Err(CrowdError::NotWhole(hasty)));
    while crowd.node(one) == Some(at(0)) {
        crowd.tick(Budget::unlimited());
    }
    crowd.set_reports_moves(one, true).unwrap();
}

/// What was told of a move does not count for reports that begin later.
#[test]
fn a_report_does_not_outlast_the_reports() {
    let grid = Grid::open(6, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let (mut crowd, [_, whole]) = points(&grid);
    let one = crowd.add(whole, Agent::new(at(0), at(4))).unwrap();
    crowd.set_reports_moves(one, true).unwrap();
    crowd.tick(Budget::unlimited());
    crowd.done(one).unwrap();
    crowd.set_reports_moves(one, false).unwrap();
    crowd.set_reports_moves(one, true).unwrap();
    for _ in 0..20 {
        crowd.tick(Budget::unlimited());
    }
    assert_eq!(crowd.node(one), Some(at(0)));
    crowd.done(one).unwrap();
    assert_eq!(crowd.node(one), Some(at(1)));
}

/// Every move is saved, and so is the tick at which it has just ended, after a change of class on the way or afterwards.
#[test]
fn who_has_changed_class_is_loaded() {
    let grid = Grid::open(6, 1).unwrap();
    let nodes: Vec<NodeId> = NodeId::below(grid.node_bound()).collect();
    for from in [0, 1] {
        for change_at in 1..9 {
            let (mut crowd, classes) = points(&grid);
            let one = crowd.add(classes[from], Agent::new(nodes[0], nodes[4])).unwrap();
            while crowd.now() < 40 {
                crowd.tick(Budget::unlimited());
                if crowd.now() == change_at {
                    crowd.change_class(one, classes[1 - from]).unwrap();
                }
                let (mut other, _) = points(&grid);
                let loaded = other.load(&crowd.save().unwrap());
                assert_eq!(loaded, Ok(()), "from {from}, changed at {change_at}, tick {}", crowd.now());
                assert_eq!(other.state_hash(), crowd.state_hash());
            }
        }
    }
}

/// At the end of time motions end no later.
#[test]
fn holds_at_the_end_of_time_end_before_it() {
    let grid = Grid::open(9, 1).unwrap();
    let at = |x| grid.node(x, 0).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(grid.clone(), Point::timed(&grid, 6).unwrap())).unwrap();
    let row: Vec<AgentId> = (0..3).rev().map(|x| crowd.add(class, Agent::new(at(x), at(x + 6))).unwrap()).collect();
    crowd.tick(Budget::unlimited());
    for round in 0..9000_usize {
        crowd.hold(row[round / 3000], Tick::MAX).unwrap();
    }
    for agent in row {
        crowd.hold(agent, 100).unwrap();
        assert!(crowd.held_until(agent).is_none_or(|until| until < Tick::MAX));
    }
    crowd.tick(Budget::unlimited());
}

#[test]
fn a_car_that_was_pushed_keeps_the_heading_that_is_nearest() {
    let grid = super::life::open_map(super::life::Kind::Vehicles, 9);
    let mut life = super::life::Life::new(super::life::Kind::Vehicles, &grid, CrowdSettings::new(), 1);
    let class = life.classes[0];
    let heading = |crowd: &Crowd<'_>, node: NodeId| crowd.heading(class, node);
    for start in life.nodes(class) {
        let [x, y, _] = life.crowd.position(class, start).unwrap();
        if [x, y] != [4.0, 4.0] {
            continue;
        }
        let before = heading(&life.crowd, start);
        let car = life.crowd.add(class, Agent::bystander(start)).unwrap();
        let place = life.crowd.place_at(car, [4.6, 3.7, 0.0]).unwrap();
        assert_eq!(life.crowd.position(class, place).map(|[x, y, _]| [x, y]), Some([5.0, 4.0]));
        assert!((heading(&life.crowd, place) - before).abs() < 1e-3, "it is turned");
        life.crowd.remove(car).unwrap();
    }
}

#[test]
fn a_car_that_is_pushed_onto_another_keeps_the_nearest_heading_beside_it() {
    let grid = super::life::open_map(super::life::Kind::Vehicles, 12);
    let mut life = super::life::Life::new(super::life::Kind::Vehicles, &grid, CrowdSettings::new(), 1);
    let class = life.classes[0];
    let nodes = life.nodes(class);
    let on = |crowd: &Crowd<'_>, node: NodeId, x: f32, y: f32| crowd.position(class, node).unwrap()[..2] == [x, y];
    let blocker = nodes.iter().find(|node| on(&life.crowd, **node, 6.0, 6.0)).unwrap();
    life.crowd.add(class, Agent::bystander(*blocker)).unwrap();
    let mut turned = 0;
    let starts: Vec<NodeId> = nodes.iter().copied().filter(|node| on(&life.crowd, *node, 2.0, 2.0)).collect();
    for start in starts {
        let car = life.crowd.add(class, Agent::bystander(start)).unwrap();
        let before = life.crowd.heading(class, start);
        // How far a node is from the place where the car is, its turn from the heading that the car had, and the node.
        let ways = |crowd: &Crowd<'_>, node: NodeId| {
            let [x, y, _] = crowd.position(class, node).unwrap();
            let turn = (crowd.heading(class, node) - before).rem_euclid(std::f32::consts::TAU);
            let turn = turn.min(std::f32::consts::TAU - turn);
            (OrderedFloat((x - 6.0).powi(2) + (y - 6.0).powi(2)), OrderedFloat(turn), node)
        };
        let mut free: Vec<_> = Vec::new();
        for node in &nodes {
            if life.crowd.clone().place(car, *node).is_ok() {
                free.push(ways(&life.crowd, *node));
            }
        }
        let (_, turn, nearest) = free.into_iter().min().unwrap();
        assert_eq!(life.crowd.place_at(car, [6.2, 5.9, 0.0]), Ok(nearest), "from {start:?}");
        turned += usize::from(turn > OrderedFloat(1e-3));
        life.crowd.remove(car).unwrap();
    }
    println!("{turned} cars turned");
}
