//! Orders to a place that is not free: the places where agents go instead.

use giveway_bodies::{Body, Ground};
use giveway_core::{Agent, AgentId, Area, ConflictRule, Goals, NodeId, Point};
use giveway_crowd::{Class, ClassId, Crowd, CrowdError, CrowdSettings};
use giveway_spaces::{FnSpace, Grid};

use crate::crowd::run::Run;
use crate::world::{World, picture};

/// Sends the agents of `world`, one after the other, near the cell that `order` names; they must go to `expected`, and
/// come there.
#[track_caller]
fn go_near(world: &World, order: (u32, u32), expected: &[(u32, u32)]) {
    let mut run = Run::of(world, CrowdSettings::new());
    let node = run.at(order.0, order.1);
    for (agent, (x, y)) in (0..).map(AgentId).zip(expected) {
        let goal = run.crowd.send_near(agent, node).unwrap();
        let cells: Vec<_> = goal.nodes().iter().map(|goal| run.grid.xy(*goal)).collect();
        assert_eq!(cells, [(*x, *y)], "{agent}");
    }
    run.until_rest(60);
    for (agent, cell) in (0..).zip(expected) {
        assert_eq!(run.xy(agent), *cell);
    }
}

#[test]
fn a_place_that_can_be_had_is_had() {
    go_near(&picture(["A....", ".....", "....."]), (3, 1), &[(3, 1)]);
}

#[test]
fn an_island_is_approached_from_the_side_of_the_agent() {
    go_near(&picture(["......", "..@@@.", "A.@.@.", "..@@@."]), (3, 2), &[(1, 2)]);
    go_near(&picture(["......", "..@@@.", "..@.@A", "..@@@."]), (3, 2), &[(5, 2)]);
    // As far from all three: the lowest node id.
    go_near(&picture([".A....", "..@@@.", "..@.@.", "..@@@."]), (3, 2), &[(3, 0)]);
}

#[test]
fn units_that_are_sent_to_the_same_island_fill_up_around_it() {
    let world = picture(["......", "..@@@.", "..@.@.", "..@@@.", "......", "ABCDEF"]);
    // The four places that are two cells away, then the places at the square root of five.
    go_near(&world, (3, 2), &[(1, 2), (3, 4), (5, 2), (3, 0), (4, 4), (5, 3)]);
}

#[test]
fn a_wall_is_a_place_to_be_near() {
    go_near(&picture(["...@@", "A..@@", "...@@"]), (4, 1), &[(2, 1)]);
    go_near(&picture(["A.@..", "..@.."]), (2, 0), &[(1, 0)]);
}

/// Nearest on the map, not by foot: beside the wall, not round it.
#[test]
fn a_goal_that_is_taken_has_its_nearest_by_straight_line() {
    let world = picture(["A.....", ".@@@@.", "B....."]);
    go_near(&world, (2, 2), &[(2, 2), (1, 2)]);
}

#[test]
fn a_bystander_makes_room_and_a_unit_that_was_sent_does_not() {
    let grid = Grid::open(5, 1).unwrap();
    let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new());
    let by = run.crowd.add(run.class, Agent::bystander(run.at(2, 0))).unwrap();
    let sent = run.crowd.add(run.class, Agent::bystander(run.at(0, 0))).unwrap();
    assert_eq!(run.crowd.send_near(sent, run.at(2, 0)), Ok(Goals::one(run.at(2, 0))));
    assert_ne!(run.crowd.goals(by), Some(&Goals::one(run.at(2, 0))));
    assert_eq!(run.crowd.send_near(by, run.at(2, 0)), Ok(Goals::one(run.at(1, 0))));
    // Its own goal is free for it.
    assert_eq!(run.crowd.send_near(sent, run.at(2, 0)), Ok(Goals::one(run.at(2, 0))));
}

/// Places 0 to 4 in a row; one can go down to 2 from both sides, and never up again.
#[test]
fn moves_that_lead_one_way_only_are_not_walked_back() {
    let space = FnSpace::new(5, |node| match node {
        0 => vec![(1, 1000)],
        1 => vec![(0, 1000), (2, 1000)],
        3 => vec![(2, 1000), (4, 1000)],
        4 => vec![(3, 1000)],
        _ => vec![],
    })
    .unwrap();
    let point = Point::swap_rule(&space);
    let plain = Class::bare(space.clone(), point.clone());
    let placed = space.with_positions(|node| [f32::from(u8::try_from(node).unwrap()), 0.0, 0.0]).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let embedded = crowd.add_class(Class::new(placed, point)).unwrap();
    let nowhere = crowd.add_class(plain).unwrap();
    let add = |crowd: &mut Crowd<'_>, class, node| crowd.add(class, Agent::bystander(NodeId(node))).unwrap();
    let (left, low) = (add(&mut crowd, embedded, 0), add(&mut crowd, embedded, 2));
    assert_eq!(crowd.send_near(left, NodeId(4)), Ok(Goals::one(NodeId(1))), "2 is a bystander's");
    assert_eq!(crowd.send_near(low, NodeId(4)), Ok(Goals::one(NodeId(2))));
    crowd.remove(low).unwrap();
    assert_eq!(crowd.send_near(left, NodeId(4)), Ok(Goals::one(NodeId(2))));

    // By moves from 4, the first place within reach is 2, which is taken. From 0, that is 0 itself; from 2, no moves
    // lead anywhere else.
    let blind = add(&mut crowd, nowhere, 1);
    assert_eq!(crowd.send_near(blind, NodeId(4)), Err(CrowdError::NoFreePlace { goal: NodeId(4) }));
    assert_eq!(crowd.send_near(blind, NodeId(0)), Ok(Goals::one(NodeId(0))));
    crowd.remove(left).unwrap();
    assert_eq!(crowd.send_near(blind, NodeId(4)), Ok(Goals::one(NodeId(2))));
}

#[test]
fn without_positions_an_island_is_nowhere() {
    let grid = Grid::from_ascii("..@.\n..@.").unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::bare(&grid, Point::swap_rule(&grid))).unwrap();
    let agent = crowd.add(class, Agent::bystander(NodeId(0))).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let before = format!("{crowd:?}");
    for node in [at(3, 0), at(2, 0)] {
        assert_eq!(crowd.send_near(agent, node), Err(CrowdError::Bare(class)));
    }
    assert_eq!(crowd.place_near(agent, at(2, 0)), Err(CrowdError::Bare(class)));
    assert_eq!(crowd.place_near(agent, NodeId(8)), Err(CrowdError::NoSuchNode(NodeId(8))));
    assert_eq!(format!("{crowd:?}"), before);
    assert_eq!(crowd.place_near(agent, at(3, 0)), Ok(at(3, 0)));
}

/// A body of two cells by two, placed by its upper left cell, does not fit into the alley in which the goal lies.
#[test]
fn a_large_body_goes_where_it_fits() {
    let grid = Grid::from_ascii("....@@@@\n....@@@@\n........\n....@@@@").unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let ground = Ground::from_grid(&grid);
    let (large, small) = (Body::square(2).unwrap(), Body::disc(0.4).unwrap());
    let mut crowd = Crowd::new(CrowdSettings::new());
    let classes = [large, small].map(|body| {
        let (space, footprint) = body.on(&grid, ground, 1).unwrap();
        crowd.add_class(Class::new(space, footprint)).unwrap()
    });
    let large = crowd.add(classes[0], Agent::bystander(at(0, 0))).unwrap();
    let small = crowd.add(classes[1], Agent::bystander(at(0, 3))).unwrap();
    assert_eq!(crowd.send_near(small, at(5, 2)), Ok(Goals::one(at(5, 2))));
    assert_eq!(crowd.send_near(large, at(5, 2)), Ok(Goals::one(at(2, 2))));
    // All cells of units of the other class are taken.
    assert_eq!(crowd.send_near(small, at(3, 3)), Ok(Goals::one(at(4, 2))));
}

/// Ships and walkers on one map: the sea of the ones is the wall of the others.
#[test]
fn every_class_has_its_own_ground() {
    let (land, sea) = (Grid::from_ascii("...@@@").unwrap(), Grid::from_ascii("@@@...").unwrap());
    let mut crowd = Crowd::new(CrowdSettings::new());
    let [walkers, ships] = [&land, &sea].map(|grid| crowd.add_class(Class::new(grid, Point::swap_rule(grid))).unwrap());
    let walker = crowd.add(walkers, Agent::bystander(NodeId(0))).unwrap();
    let ship = crowd.add(ships, Agent::bystander(NodeId(5))).unwrap();
    assert_eq!(crowd.send_near(walker, NodeId(4)), Ok(Goals::one(NodeId(2))));
    assert_eq!(crowd.send_near(ship, NodeId(1)), Ok(Goals::one(NodeId(3))));
}

#[test]
fn a_door_that_closes_makes_an_island() {
    let grid = Grid::from_ascii(".....").unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let point = Point::swap_rule(&grid);
    let class = crowd.add_class(Class::new(grid, point).editable()).unwrap();
    let agent = crowd.add(class, Agent::bystander(NodeId(0))).unwrap();
    for (open, goal) in [(true, 4), (false, 1), (true, 4)] {
        crowd.set_open(class, NodeId(2), open).unwrap();
        assert_eq!(crowd.send_near(agent, NodeId(4)), Ok(Goals::one(NodeId(goal))), "open: {open}");
    }
}

#[test]
fn a_spawn_point_that_is_taken_gives_way_to_the_place_beside_it() {
    let grid = Grid::from_ascii("...\n.@.\n...").unwrap();
    let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new());
    let class = run.class;
    let wall = run.at(1, 1);
    let spawn = |run: &mut Run<'_>| {
        let agent = run.crowd.add_near(class, Agent::bystander(wall)).unwrap();
        run.xy(agent.0)
    };
    let places: Vec<_> = (0..8).map(|_| spawn(&mut run)).collect();
    assert_eq!(places, [(1, 0), (0, 1), (2, 1), (1, 2), (0, 0), (2, 0), (0, 2), (2, 2)]);
    let before = format!("{:?}", run.crowd);
    assert_eq!(run.crowd.add_near(class, Agent::bystander(wall)), Err(CrowdError::NoRoom { near: wall }));
    assert_eq!(run.crowd.add_near(ClassId(7), Agent::bystander(wall)), Err(CrowdError::NoSuchClass(ClassId(7))));
    let nobody = AgentId(8);
    assert_eq!(run.crowd.place_near(nobody, wall), Err(CrowdError::NoSuchAgent(nobody)));
    assert_eq!(run.crowd.send_near(nobody, wall), Err(CrowdError::NoSuchAgent(nobody)));
    let beyond = NodeId(9);
    assert_eq!(run.crowd.send_near(AgentId(0), beyond), Err(CrowdError::NoSuchNode(beyond)));
    assert_eq!(format!("{:?}", run.crowd), before, "a call that fails changes nothing");
    // The place of the agent itself is free for it.
    let corner = run.at(0, 0);
    assert_eq!(run.crowd.place_near(AgentId(4), corner), Ok(corner));
    run.crowd.remove(AgentId(2)).unwrap();
    assert_eq!(run.crowd.place_near(AgentId(7), wall), Ok(run.at(2, 1)));
}

/// All that the agent can reach is the goal of others.
#[test]
fn where_all_is_taken_an_order_is_refused() {
    let grid = Grid::from_ascii(".@.").unwrap();
    let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new());
    let (left, right) = (run.at(0, 0), run.at(2, 0));
    let one = run.crowd.add(run.class, Agent::bystander(left)).unwrap();
    let other = run.crowd.add(run.class, Agent::bystander(right)).unwrap();
    assert_eq!(run.crowd.send_near(one, right), Ok(Goals::one(left)));
    run.crowd.stop(one).unwrap();
    // Nobody knows yet that it cannot come there.
    run.crowd.send(other, left).unwrap();
    let before = format!("{:?}", run.crowd);
    assert_eq!(run.crowd.send_near(one, right), Err(CrowdError::NoFreePlace { goal: right }));
    assert_eq!(format!("{:?}", run.crowd), before, "a call that fails changes nothing");
}

#[test]
fn a_unit_is_put_where_it_is_told_to_be_on_the_nearest_free_place() {
    let grid = Grid::from_ascii("....\n.@..\n....").unwrap();
    let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new());
    let one = run.crowd.add(run.class, Agent::bystander(run.at(0, 0))).unwrap();
    run.crowd.add(run.class, Agent::bystander(run.at(3, 2))).unwrap();
    // Beside the middle of a cell, inside a wall, on somebody, and far outside.
    let rows = [([2.3, 0.4], (2, 0)), ([1.2, 1.0], (2, 1)), ([2.9, 2.1], (3, 1)), ([-90.0, 0.0], (0, 0))];
    for ([x, y], place) in rows {
        let place = run.at(place.0, place.1);
        assert_eq!(run.crowd.place_at(one, [x, y, 0.0]), Ok(place), "{x}, {y}");
        assert_eq!(run.crowd.node(one), Some(place));
        run.check();
    }
    assert_eq!(run.crowd.place_at(one, [f32::NAN, 0.0, 0.0]), Err(CrowdError::NotFinite));
    assert_eq!(run.crowd.place_at(AgentId(7), [0.0; 3]), Err(CrowdError::NoSuchAgent(AgentId(7))));
    let line =
        FnSpace::new(3, |node| [(node.wrapping_sub(1), 1000), (node + 1, 1000)].into_iter().filter(|(to, _)| *to < 3));
    let line = line.unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let bare = crowd.add_class(Class::bare(&line, Point::swap_rule(&line))).unwrap();
    let unit = crowd.add(bare, Agent::bystander(NodeId(0))).unwrap();
    assert_eq!(crowd.place_at(unit, [0.0; 3]), Err(CrowdError::Bare(bare)));
    // Where no node is open, no place is near.
    let mut crowd = Crowd::new(CrowdSettings::new());
    let small = Grid::open(2, 1).unwrap();
    let class = crowd.add_class(Class::new(small.clone(), Point::swap_rule(&small)).editable()).unwrap();
    let unit = crowd.add(class, Agent::bystander(NodeId(1))).unwrap();
    crowd.vacate(&Area::cells(0, 0, 2, 1).unwrap()).unwrap();
    assert_eq!(crowd.place_at(unit, [0.0; 3]), Err(CrowdError::NoRoom { near: NodeId(1) }));
}
