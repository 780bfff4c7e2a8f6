//! Following: a target that moves, at a distance, until it is reached; and stopping within a range.

use giveway_bodies::{Body, CommonTicks, Ground, Headings, Primitives, Vehicle};
use giveway_core::{Agent, AgentId, ConflictRule::Swap, NodeId, Point, SpaceGraph as _};
use giveway_crowd::{Budget, Class, Crowd, CrowdError, CrowdSettings, Follow, News, Target};
use giveway_spaces::{Connectivity, Grid};
use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_pcg::Pcg64Mcg;

use crate::crowd::run::Run;
use crate::field::Field;

const TARGET: AgentId = AgentId(0);
const FOLLOWER: AgentId = AgentId(1);

/// A target at one place and a follower at another, with what is told to both.
fn pair(grid: &Grid, [target, follower]: [(u32, u32); 2]) -> Run<'_> {
    let mut run = Run::empty(grid, Swap, CrowdSettings::new());
    for (x, y) in [target, follower] {
        run.crowd.add(run.class, Agent::bystander(run.at(x, y))).unwrap();
    }
    run
}

#[test]
fn a_follower_comes_beside_a_target_that_stays_and_does_not_push_it() {
    let grid = Grid::open(20, 9).unwrap();
    let mut run = pair(&grid, [(15, 4), (0, 4)]);
    run.crowd.follow(FOLLOWER, TARGET, Follow::new()).unwrap();
    assert_eq!(run.crowd.follows(FOLLOWER), Some(Target::Agent(TARGET)));
    let mut news = Vec::new();
    let mut arrived = 0;
    for _ in 0..30 {
        let report = run.tick();
        news.extend(report.news.into_iter().map(|news| (news, run.crowd.now())));
        arrived += report.arrived.len();
        assert_eq!(run.xy(0), (15, 4), "nobody pushes the target");
    }
    assert_eq!(news, [((FOLLOWER, News::InReach), 14)]);
    assert_eq!((run.xy(1), arrived), ((14, 4), 0));
    // The target leaves, and is followed again.
    run.crowd.send(TARGET, run.at(0, 0)).unwrap();
    for _ in 0..40 {
        let report = run.tick();
        news.extend(report.news.into_iter().map(|news| (news, run.crowd.now())));
    }
    assert_eq!(news.len(), 2, "{news:?}");
    let (x, y) = run.xy(1);
    assert_eq!((run.xy(0), x + y), ((0, 0), 1));
}

/// The news of so many ticks.
fn news(run: &mut Run<'_>, ticks: u32) -> Vec<News> {
    (0..ticks).flat_map(|_| run.tick().news).map(|(_, news)| news).collect()
}

#[test]
fn a_follower_that_is_there_already_is_told_so() {
    let grid = Grid::open(20, 9).unwrap();
    for follow in [Follow::new(), Follow::new().within(3.0), Follow::new().once(), Follow::new().within(3.0).once()] {
        let mut run = pair(&grid, [(15, 4), (14, 4)]);
        run.crowd.follow(FOLLOWER, TARGET, follow).unwrap();
        assert_eq!(news(&mut run, 5), [News::InReach], "{follow:?}");
        assert_eq!(run.xy(1), (14, 4));
    }
}

#[test]
fn a_follower_that_cannot_come_within_its_distance_is_in_reach_as_near_as_it_can() {
    let grid = Grid::from_ascii(
        "
        .....@@@@@...
        .....@@@@@...
    ",
    )
    .unwrap();
    let mut run = pair(&grid, [(12, 0), (0, 0)]);
    run.crowd.follow(FOLLOWER, TARGET, Follow::new().within(2.0)).unwrap();
    assert_eq!(news(&mut run, 40), [News::InReach]);
    run.crowd.follow(FOLLOWER, TARGET, Follow::new().within(2.0).once()).unwrap();
    assert_eq!(news(&mut run, 40), [News::InReach]);
    assert_eq!((run.xy(1), run.crowd.follows(FOLLOWER)), ((4, 0), None));
}

#[test]
fn a_follower_that_is_put_elsewhere_follows_from_there() {
    let grid = Grid::open(30, 9).unwrap();
    let mut run = pair(&grid, [(25, 4), (15, 4)]);
    run.crowd.follow(FOLLOWER, TARGET, Follow::new().within(3.0)).unwrap();
    assert_eq!(news(&mut run, 20), [News::InReach]);
    assert_eq!(run.xy(1), (22, 4));
    run.check();
    run.crowd.place(FOLLOWER, run.at(2, 4)).unwrap();
    let found: Vec<News> =
        (0..40).flat_map(|_| run.crowd.tick(Budget::unlimited()).news).map(|(_, news)| news).collect();
    assert_eq!((found, run.xy(1)), (vec![News::InReach], (22, 4)));
}

#[test]
fn in_a_corridor_a_follower_stands_behind_its_target() {
    let grid = Grid::open(20, 1).unwrap();
    for within in [0_u32, 1, 4] {
        let mut run = pair(&grid, [(5, 0), (0, 0)]);
        run.crowd.send(TARGET, run.at(16, 0)).unwrap();
        run.crowd.follow(FOLLOWER, TARGET, Follow::new().within(within.into())).unwrap();
        let mut nearest = 20;
        for _ in 0..40 {
            run.tick();
            nearest = nearest.min(run.xy(0).0 - run.xy(1).0);
        }
        let expected = within.max(1);
        assert_eq!((run.xy(0).0, run.xy(0).0 - run.xy(1).0), (16, expected), "within {within}");
        assert!(nearest >= expected, "{nearest}");
    }
}

#[test]
fn a_distance_counts_along_the_way_and_not_through_a_wall() {
    let grid = Grid::from_ascii(
        "
        ..........
        @@@@@@@@@.
        ..........
    ",
    )
    .unwrap();
    let mut run = pair(&grid, [(0, 2), (0, 0)]);
    run.crowd.follow(FOLLOWER, TARGET, Follow::new().within(4.0)).unwrap();
    let mut news = Vec::new();
    while news.is_empty() {
        assert!(run.crowd.now() < 60);
        news = run.tick().news;
    }
    assert_eq!((run.xy(1), run.crowd.now()), ((4, 2), 16));
    // One that is held goes on when its target goes on, and not before.
    run.crowd.send(TARGET, run.at(1, 2)).unwrap();
    (0..8).for_each(|_| drop(run.tick()));
    assert_eq!(run.xy(1), (4, 2));
    run.crowd.send(TARGET, run.at(9, 0)).unwrap();
    (0..40).for_each(|_| drop(run.tick()));
    let ((x, y), (a, b)) = (run.xy(0), run.xy(1));
    assert_eq!((x, y), (9, 0));
    let steps = x.abs_diff(a) + y.abs_diff(b);
    assert!((1..=4).contains(&steps), "{steps}");
}

#[test]
fn an_interceptor_meets_a_target_on_its_way() {
    // The target goes from west to east; the follower comes from the north, and does not run behind.
    let grid = Grid::open(41, 21).unwrap();
    let mut ticks = [0; 2];
    for (ticks, follow) in ticks.iter_mut().zip([Follow::new(), Follow::new().trailing()]) {
        let mut run = pair(&grid, [(0, 20), (20, 0)]);
        run.crowd.send(TARGET, run.at(40, 20)).unwrap();
        run.crowd.follow(FOLLOWER, TARGET, follow.within(2.0).once()).unwrap();
        loop {
            assert!(run.crowd.now() < 100);
            let report = run.tick();
            if report.arrived.contains(&FOLLOWER) {
                assert_eq!(report.news, [(FOLLOWER, News::InReach)]);
                break;
            }
        }
        assert_eq!(run.crowd.follows(FOLLOWER), None, "once");
        assert_eq!(run.crowd.is_bystander(FOLLOWER), Some(true));
        *ticks = run.crowd.now();
    }
    assert!(ticks[0] < ticks[1], "{ticks:?}");
}

#[test]
fn a_follower_stops_when_its_target_is_gone_and_any_order_ends_it() {
    let grid = Grid::open(20, 9).unwrap();
    let mut run = pair(&grid, [(15, 4), (0, 4)]);
    run.crowd.follow(FOLLOWER, TARGET, Follow::new()).unwrap();
    (0..4).for_each(|_| drop(run.tick()));
    run.crowd.remove(TARGET).unwrap();
    assert_eq!(run.tick().news, [(FOLLOWER, News::TargetGone)]);
    let here = run.crowd.node(FOLLOWER);
    assert_eq!((run.crowd.follows(FOLLOWER), run.crowd.is_bystander(FOLLOWER)), (None, Some(true)));
    (0..5).for_each(|_| assert_eq!(run.tick().news, []));
    assert_eq!(run.crowd.node(FOLLOWER), here);

    let other = run.crowd.add(run.class, Agent::bystander(run.at(19, 8))).unwrap();
    let goal = run.at(2, 2);
    let orders: [fn(&mut Crowd<'_>, NodeId); 6] = [
        |crowd, goal| drop(crowd.send(FOLLOWER, goal).unwrap()),
        |crowd, goal| drop(crowd.send_near(FOLLOWER, goal).unwrap()),
        |crowd, goal| crowd.send_shared(FOLLOWER, goal).unwrap(),
        |crowd, goal| crowd.queue(FOLLOWER, goal).unwrap(),
        |crowd, goal| drop(crowd.send_within(FOLLOWER, goal, 2.0).unwrap()),
        |crowd, _| assert!(crowd.stop(FOLLOWER).is_ok()),
    ];
    for order in orders {
        run.crowd.follow(FOLLOWER, other, Follow::new()).unwrap();
        run.tick();
        order(&mut run.crowd, goal);
        assert_eq!(run.crowd.follows(FOLLOWER), None);
    }
    // Refused orders change nothing.
    run.crowd.follow(FOLLOWER, other, Follow::new()).unwrap();
    let before = run.crowd.state_hash();
    let nobody = AgentId(99);
    assert_eq!(run.crowd.follow(FOLLOWER, nobody, Follow::new()), Err(CrowdError::NoSuchAgent(nobody)));
    assert_eq!(run.crowd.follow(FOLLOWER, FOLLOWER, Follow::new()), Err(CrowdError::NoSuchAgent(FOLLOWER)));
    assert_eq!(run.crowd.follow(nobody, other, Follow::new()), Err(CrowdError::NoSuchAgent(nobody)));
    assert_eq!(run.crowd.aim(FOLLOWER, NodeId(180)), Err(CrowdError::NoSuchNode(NodeId(180))));
    assert!(run.crowd.send(FOLLOWER, NodeId(999)).is_err());
    assert_eq!(run.crowd.state_hash(), before);
}

#[test]
fn a_place_that_the_game_moves_is_followed_as_near_as_can_be() {
    let grid = Grid::from_ascii(
        "
        ........
        ...@@@..
        ...@.@..
        ...@@@..
        ........
    ",
    )
    .unwrap();
    let mut run = pair(&grid, [(7, 4), (0, 0)]);
    // The cursor of the player, over a wall and an island, and off to where a bystander stands.
    for (cursor, expected) in [((6, 2), (6, 2)), ((3, 2), (2, 2)), ((0, 4), (0, 4))] {
        run.crowd.aim(FOLLOWER, run.at(cursor.0, cursor.1)).unwrap();
        assert_eq!(run.crowd.follows(FOLLOWER), Some(Target::Place(run.at(cursor.0, cursor.1))));
        (0..20).for_each(|_| drop(run.tick()));
        assert_eq!(run.xy(1), expected, "aimed at {cursor:?}");
    }
    run.crowd.aim(FOLLOWER, run.at(4, 2)).unwrap();
    (0..20).for_each(|_| drop(run.tick()));
    let (x, y) = run.xy(1);
    assert_eq!(x.abs_diff(4) + y.abs_diff(2), 2, "beside the island: {x}, {y}");
}

#[test]
fn many_followers_stand_around_their_target() {
    let grid = Grid::open(21, 21).unwrap();
    let mut run = Run::empty(&grid, Swap, CrowdSettings::new());
    run.crowd.add(run.class, Agent::bystander(run.at(10, 10))).unwrap();
    for x in 0..12 {
        let guard = run.crowd.add(run.class, Agent::bystander(run.at(x, 0))).unwrap();
        run.crowd.follow(guard, TARGET, Follow::new()).unwrap();
    }
    let mut in_reach = 0;
    (0..60).for_each(|_| in_reach += run.tick().news.len());
    assert_eq!(run.xy(0), (10, 10));
    let steps: Vec<u32> = (1..13).map(|unit| run.xy(unit)).map(|(x, y)| x.abs_diff(10) + y.abs_diff(10)).collect();
    assert_eq!((steps.iter().max(), in_reach), (Some(&2), 12), "{steps:?}");
}

#[test]
fn a_target_of_another_class_is_followed_on_foot_and_on_wheels() {
    let grid = Grid::open(30, 20).unwrap().with_connectivity(Connectivity::Eight);
    let disc = Body::disc(0.4).unwrap();
    let primitives = Primitives::straight(Headings::Four, 1).unwrap().arcs(2.0).unwrap();
    let car = Vehicle::new(Body::rectangle(1.8, 0.9).unwrap(), primitives);
    let ticks = CommonTicks::new().of([&disc], &grid).of([&car], &grid).fewest().unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let cars = crowd.add_class(Class::for_body(&car, &grid, Ground::from_grid(&grid), ticks).unwrap()).unwrap();
    let feet = crowd.add_class(Class::for_body(&disc, &grid, Ground::from_grid(&grid), ticks).unwrap()).unwrap();
    let at = |crowd: &Crowd<'_>, class, x: f32, y: f32| {
        let near = |node: &NodeId| crowd.has_node(class, *node) && crowd.position(class, *node) == Some([x, y, 0.0]);
        (0..10_000).map(NodeId).find(near).unwrap()
    };
    for (leads, follows) in [(cars, feet), (feet, cars)] {
        let mut crowd = crowd.clone();
        let (from, to) = (at(&crowd, leads, 4.0, 4.0), at(&crowd, leads, 24.0, 14.0));
        let first = crowd.add(leads, Agent::new(from, to)).unwrap();
        let second = crowd.add(follows, Agent::bystander(at(&crowd, follows, 10.0, 16.0))).unwrap();
        crowd.follow(second, first, Follow::new()).unwrap();
        let mut news = Vec::new();
        for _ in 0..60 * crowd.ticks_per_step() {
            news.extend(crowd.tick(Budget::unlimited()).news);
        }
        let place = |unit| crowd.pose(unit, 1.0).unwrap().position.unwrap();
        let far = |one: [f32; 3], other: [f32; 3]| (one[0] - other[0]).hypot(one[1] - other[1]);
        assert_eq!(place(first)[..2], [24.0, 14.0]);
        assert!(far(place(first), place(second)) < 3.5, "{:?}", place(second));
        assert_eq!(news, [(second, News::InReach)]);
    }
}

#[test]
fn an_archer_goes_until_the_gate_is_within_range() {
    let grid = Grid::open(30, 3).unwrap();
    let mut run = pair(&grid, [(0, 0), (0, 2)]);
    run.crowd.send_within(TARGET, run.at(20, 0), 6.0).unwrap();
    run.crowd.send_within(FOLLOWER, run.at(4, 2), 0.0).unwrap();
    let mut events = Vec::new();
    for _ in 0..40 {
        let report = run.tick();
        events.extend(report.arrived.into_iter().map(|agent| (agent.0, run.crowd.now())));
    }
    assert_eq!(events, [(1, 4), (0, 14)]);
    assert_eq!((run.xy(0), run.xy(1)), ((14, 0), (4, 2)));
    assert_eq!(run.crowd.is_bystander(TARGET), Some(true));
}

/// Nodes expanded for the follower of a target that goes to random places, and its mean distance, with a new order at
/// each step and by [`Crowd::follow`].
fn behind_a_traveller(seed: u64) -> [(u64, u64); 2] {
    let mut outcome = [(0, 0); 2];
    for (follows, outcome) in outcome.iter_mut().enumerate() {
        let field = Field::random(96, 900, 7);
        let places = &field.starts;
        let mut random = Pcg64Mcg::new(u128::from(seed) | 1 << 100);
        let mut run = Run::empty(&field.grid, Swap, CrowdSettings::new());
        // Both are in the largest part of the map, mostly.
        let [start, other] = [places[0], places[1]];
        run.crowd.add(run.class, Agent::bystander(start)).unwrap();
        run.crowd.add(run.class, Agent::bystander(other)).unwrap();
        let mut own = 0;
        for _ in 0..150 {
            if run.crowd.is_home(TARGET) == Some(true) {
                let _ = run.crowd.send_near(TARGET, *places.choose(&mut random).unwrap());
            }
            if follows == 0 {
                let _ = run.crowd.send(FOLLOWER, run.crowd.node(TARGET).unwrap());
            } else if run.crowd.follows(FOLLOWER).is_none() {
                run.crowd.follow(FOLLOWER, TARGET, Follow::new()).unwrap();
            }
            let report = run.tick();
            own += report.expansions + report.reverse_expansions;
            let ((x, y), (a, b)) = (run.xy(0), run.xy(1));
            outcome.1 += u64::from(x.abs_diff(a) + y.abs_diff(b));
        }
        outcome.0 = own;
    }
    outcome
}

#[test]
fn a_follower_searches_seldom_and_is_as_near() {
    let [mut each, mut follow] = [(0, 0); 2];
    for seed in 0..4 {
        let outcome = behind_a_traveller(seed);
        (each.0, each.1) = (each.0 + outcome[0].0, each.1 + outcome[0].1);
        (follow.0, follow.1) = (follow.0 + outcome[1].0, follow.1 + outcome[1].1);
    }
    // The target's own work is in both.
    assert!(follow.0 * 2 < each.0, "{} instead of {}", follow.0, each.0);
    assert!(follow.1 * 10 <= each.1 * 11, "{} instead of {}", follow.1, each.1);
}

#[test]
fn crowds_of_followers_never_collide() {
    let mut random = Pcg64Mcg::new(0xF0110);
    for seed in 0..6 {
        let field = Field::random(16, 50, seed);
        let mut run = Run::empty(&field.grid, Swap, CrowdSettings::new());
        let places: Vec<NodeId> = field.starts.iter().copied().filter(|node| field.grid.contains(*node)).collect();
        for start in &places[..60] {
            run.crowd.add(run.class, Agent::bystander(*start)).unwrap();
        }
        let mut reached = 0;
        for now in 0..120_u32 {
            for unit in (0..60).map(AgentId) {
                match random.random_range(0..400) {
                    0..4 => drop(run.crowd.send_near(unit, *places.choose(&mut random).unwrap())),
                    4..8 => {
                        let other = AgentId(random.random_range(0..60));
                        let within = f64::from(now % 3);
                        let _ = run.crowd.follow(unit, other, Follow::new().within(within));
                    }
                    8 => drop(run.crowd.aim(unit, *places.choose(&mut random).unwrap())),
                    _ => {}
                }
            }
            reached += run.tick_within(Budget::work(4000)).news.len();
        }
        assert!(reached > 20, "{reached}");
    }
}

#[test]
fn a_point_class_without_positions_is_followed_in_its_own_class() {
    let grid = Grid::open(12, 4).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let bare = |grid: &'static Grid| Class::bare(grid, Point::swap_rule(grid));
    let grid: &'static Grid = Box::leak(Box::new(grid));
    let class = crowd.add_class(bare(grid)).unwrap();
    let other = crowd.add_class(Class::new(grid, Point::swap_rule(grid))).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let target = crowd.add(class, Agent::bystander(at(11, 0))).unwrap();
    let follower = crowd.add(class, Agent::bystander(at(0, 0))).unwrap();
    let stranger = crowd.add(other, Agent::bystander(at(0, 3))).unwrap();
    assert_eq!(crowd.follow(stranger, target, Follow::new()), Err(CrowdError::Bare(class)));
    crowd.follow(follower, target, Follow::new()).unwrap();
    (0..20).for_each(|_| drop(crowd.tick(Budget::unlimited())));
    let (x, y) = grid.xy(crowd.node(follower).unwrap());
    assert_eq!((x.abs_diff(11) + y, crowd.node(target)), (1, Some(at(11, 0))));
}
