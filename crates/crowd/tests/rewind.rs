//! Crowds that go back: what was is there again, and what comes then is what would have come.

use std::sync::Arc;

use giveway_bodies::{Body, CommonTicks, Ground};
use giveway_core::{Agent, AgentId, Area, NodeId, Point, Tick};
use giveway_crowd::{Budget, Call, Chain, Class, ClassId, Crowd, CrowdSettings, OutOfReach, Planner, Rewind};
use giveway_distance::Hierarchy;
use giveway_lanes::{DirectionMap, DirectionRules};
use giveway_spaces::Grid;
use rand::Rng as _;
use rand_pcg::Pcg64Mcg;

const CLASS: ClassId = ClassId(0);

/// What the players say before a tick, which depends on the tick and the `version` of the story alone.
fn said(tick: Tick, version: u64, bound: u32) -> Vec<Call> {
    let mut random = Pcg64Mcg::new(u128::from(tick) << 64 | u128::from(version) << 32 | 0xDADA_0001);
    let mut calls = Vec::new();
    while random.random_ratio(1, 2) {
        let (agent, node) = (AgentId(random.random_range(0..30)), NodeId(random.random_range(0..bound)));
        let area = Area::cells(random.random_range(0..14), random.random_range(0..10), 2, 1).unwrap();
        calls.push(match random.random_range(0..20) {
            0 => Call::Stop { agent },
            1 => Call::Close { area },
            2 => Call::Open { area },
            3 => Call::Vacate { area },
            4 => Call::Remove { agent },
            5 => Call::AddNear { class: CLASS, agent: Agent::bystander(node) },
            6 => Call::Distance { agent, budget: Budget::work(50) },
            _ => Call::SendNear { agent, node },
        });
    }
    calls
}

fn points(settings: CrowdSettings) -> Crowd<'static> {
    let grid = Grid::from_fn(16, 12, |x, y| !(x * 7 + y * 3 + x * y).is_multiple_of(9)).unwrap();
    let map = DirectionMap::blank(&grid, DirectionRules::default().weight(3.0));
    let mut crowd = Crowd::new(settings);
    crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).layer(map).editable()).unwrap();
    crowd
}

fn ways() -> Crowd<'static> {
    let grid = Grid::from_fn(64, 64, |x, y| !(x * 7 + y * 3 + x * y).is_multiple_of(9)).unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = Class::new(grid.clone(), Point::swap_rule(&grid)).heuristics(Hierarchy::new().from_size(100));
    crowd.add_class(class.editable()).unwrap();
    crowd
}

fn discs() -> Crowd<'static> {
    let grid = Grid::open(16, 12).unwrap();
    let disc = Body::disc(0.7).unwrap().speed(0.7).unwrap();
    let ticks = CommonTicks::new().of([&disc], &grid).fewest().unwrap();
    let mut crowd = Crowd::new(CrowdSettings::new().chain(Chain::default().with_steps()));
    crowd.add_class(Class::for_body(&disc, &grid, Ground::from_grid(&grid), ticks).unwrap().editable()).unwrap();
    crowd
}

/// Lets `tick` go by after what is said in this version.
fn live(crowd: &mut Rewind<'_>, version: u64, bound: u32, budget: Budget) -> u64 {
    for call in said(crowd.crowd().now(), version, bound) {
        let _ = crowd.crowd_mut().apply(&call);
    }
    crowd.tick(budget);
    crowd.crowd_mut().state_hash()
}

#[test]
fn what_comes_after_going_back_is_what_would_have_come() {
    let worlds: [(&str, Crowd<'_>, u32, u64); 5] = [
        ("points", points(CrowdSettings::new()), 192, 900),
        ("points by the step planner", points(CrowdSettings::new().chain(Planner::Step)), 192, 700),
        ("points by LaCAM", points(CrowdSettings::new().chain(Planner::Lacam)), 192, 3000),
        ("ways", ways(), 4096, 600),
        ("discs", discs(), 192, 1500),
    ];
    for (name, mut crowd, bound, work) in worlds {
        for start in 0..30 {
            let _ = crowd.add_near(CLASS, Agent::bystander(NodeId(start * 5)));
        }
        let budget = Budget::work(work);
        let mut straight = Rewind::new(crowd.clone(), 0);
        let expected: Vec<u64> = (0..160).map(|_| live(&mut straight, 0, bound, budget)).collect();
        let mut random = Pcg64Mcg::new(0xDADA_0000_0000_0000_0000_0000_0000_0002);
        let mut crowd = Rewind::new(crowd, 12);
        let (mut turns, mut wrong) = (0, 0);
        while crowd.crowd().now() < 160 {
            // Guesses come first, and then the truth.
            let begin = crowd.crowd().now();
            let guessed = random.random_range(1..=12).min(160 - begin);
            for _ in 0..guessed {
                let version = random.random_range(0..2);
                wrong += version;
                live(&mut crowd, version, bound, budget);
            }
            crowd.crowd_mut().stop(AgentId(1)).ok();
            let back = crowd.earliest() + random.random_range(0..=begin - crowd.earliest());
            crowd.go_back(back).unwrap();
            let hash = crowd.crowd_mut().state_hash();
            assert_eq!(Some(&hash), expected.get(back.wrapping_sub(1) as usize).or(Some(&hash)), "{name}, {back}");
            for tick in back..begin + random.random_range(0..=guessed) {
                assert_eq!(live(&mut crowd, 0, bound, budget), expected[tick as usize], "{name}, tick {tick}");
            }
            turns += 1;
        }
        assert!(turns > 12 && wrong > 40, "{name}: back {turns} times, {wrong} ticks of guesses");
        let reverse = |crowd: Rewind<'_>| crowd.crowd().reverse_expanded();
        assert_eq!(reverse(crowd), reverse(straight), "{name}: searches went back, too");
    }
}

#[test]
fn only_ticks_within_reach_can_be_gone_back_to() {
    let mut crowd = Rewind::new(points(CrowdSettings::new()), 3);
    assert_eq!((crowd.earliest(), crowd.go_back(0)), (0, Ok(())));
    for now in 1..40 {
        crowd.tick(Budget::unlimited());
        let earliest = crowd.earliest();
        assert_eq!(earliest, Tick::saturating_sub(now, 3));
        for tick in [earliest.wrapping_sub(1), now + 1] {
            let error = crowd.go_back(tick).unwrap_err();
            assert_eq!((error.tick, error.earliest, error.now), (tick, earliest, now));
        }
    }
    let error: OutOfReach = crowd.go_back(5).unwrap_err();
    assert_eq!(error.to_string(), "expected a tick from 36 to 39 to go back to, found 5");
    assert_eq!(crowd.crowd().now(), 39, "nothing has changed");
    // Time that goes by elsewhere counts.
    crowd.crowd_mut().tick(Budget::unlimited());
    crowd.go_back(38).unwrap();
    assert_eq!((crowd.crowd().now(), crowd.earliest()), (38, 35));
}

#[test]
fn whatever_is_done_to_the_crowd_in_between_there_is_no_wrong_way_back() {
    let changes: [fn(&mut Crowd<'static>); 5] = [
        |crowd| drop(crowd.take_calls()),
        |crowd| {
            crowd.record_calls(false);
            crowd.tick(Budget::unlimited());
        },
        |crowd| *crowd = points(CrowdSettings::new()),
        |crowd| {
            crowd.tick(Budget::unlimited());
            crowd.take_calls();
        },
        |crowd| crowd.restore(&crowd.snapshot()),
    ];
    for (index, change) in changes.into_iter().enumerate() {
        let mut crowd = Rewind::new(points(CrowdSettings::new()), 20);
        (0..20).for_each(|_| drop(crowd.tick(Budget::unlimited())));
        let agent = crowd.crowd_mut().add_near(CLASS, Agent::new(NodeId(3), NodeId(92))).unwrap();
        change(crowd.crowd_mut());
        let (now, earliest) = (crowd.crowd().now(), crowd.earliest());
        assert_eq!(earliest, now, "change {index}");
        for _ in 0..9 {
            crowd.tick(Budget::unlimited());
        }
        let back = crowd.earliest();
        crowd.go_back(back).unwrap();
        assert_eq!(crowd.crowd().now(), back);
        assert_eq!(crowd.crowd().node(agent).is_some(), index != 2, "change {index}");
    }
}

#[test]
fn a_class_is_a_new_beginning() {
    let grid = Arc::new(Grid::open(4, 4).unwrap());
    let mut crowd = Rewind::new(Crowd::new(CrowdSettings::new()), 20);
    (0..9).for_each(|_| drop(crowd.tick(Budget::unlimited())));
    let class = Class::new(Arc::clone(&grid), Point::swap_rule(&*grid));
    crowd.crowd_mut().add_class(class).unwrap();
    assert_eq!((crowd.earliest(), crowd.go_back(8).is_err(), crowd.go_back(9)), (9, true, Ok(())));
    crowd.crowd_mut().add(CLASS, Agent::new(NodeId(0), NodeId(15))).unwrap();
    (0..9).for_each(|_| drop(crowd.tick(Budget::unlimited())));
    crowd.go_back(9).unwrap();
    assert!(crowd.crowd().has_class(CLASS) && crowd.crowd().agents().count() == 0);
}
