//! Hashes of the state: whatever a call changes changes them, and questions and caches do not.

use giveway_core::{Agent, AgentId, Area, Goals, NodeId, Point, Surface};
use giveway_crowd::{Budget, Chain, Class, ClassId, Crowd, CrowdSettings, Depth, Margin, Planner};
use giveway_lanes::{DirectionMap, DirectionRules};
use giveway_spaces::Grid;

const ONE: AgentId = AgentId(0);
const CLASS: ClassId = ClassId(0);

fn grid() -> Grid {
    Grid::from_fn(12, 9, |x, y| (x, y) != (5, 2)).unwrap()
}

fn at(x: u32, y: u32) -> NodeId {
    grid().node(x, y).unwrap()
}

/// Two classes of points, and a few units that have been under way for some ticks.
fn crowd(settings: CrowdSettings, grid: &Grid, ticks: u32) -> Crowd<'static> {
    let mut crowd = Crowd::new(settings);
    let map = DirectionMap::blank(grid, DirectionRules::default());
    crowd.add_class(Class::new(grid.clone(), Point::swap_rule(grid)).layer(map).editable()).unwrap();
    crowd.add_class(Class::new(grid.clone(), Point::swap_rule(grid)).editable()).unwrap();
    for (start, goal) in [((0, 4), (11, 4)), ((11, 5), (0, 3)), ((3, 0), (3, 8)), ((9, 8), (2, 1))] {
        crowd.add(CLASS, Agent::new(at(start.0, start.1), at(goal.0, goal.1))).unwrap();
    }
    crowd.add(CLASS, Agent::bystander(at(6, 4))).unwrap();
    crowd.add(CLASS, Agent::bystander(at(10, 0))).unwrap();
    (0..ticks).for_each(|_| done(crowd.tick(Budget::unlimited())));
    crowd
}

/// What a call returns is of no interest.
fn done<T>(_outcome: T) {}

/// What is done to a crowd.
type Call = (&'static str, fn(&mut Crowd<'static>));

#[test]
fn every_call_that_changes_the_crowd_changes_its_hash() {
    let calls: &[Call] = &[
        ("nothing", |_| {}),
        ("a tick", |crowd| done(crowd.tick(Budget::unlimited()))),
        ("an order", |crowd| done(crowd.send(ONE, at(4, 4)).unwrap())),
        ("an order to several places", |crowd| done(crowd.send(ONE, Goals::from_iter([at(4, 4), at(4, 5)])).unwrap())),
        ("a shared order", |crowd| crowd.send_shared(ONE, at(4, 4)).unwrap()),
        ("a stop", |crowd| done(crowd.stop(ONE).unwrap())),
        ("a teleport", |crowd| crowd.place(ONE, at(0, 0)).unwrap()),
        ("a unit less", |crowd| crowd.remove(ONE).unwrap()),
        ("a sleeper less", |crowd| crowd.remove(AgentId(5)).unwrap()),
        ("a unit more", |crowd| done(crowd.add(CLASS, Agent::bystander(at(0, 8))).unwrap())),
        ("a unit of priority", |crowd| {
            done(crowd.add(CLASS, Agent { priority: 1, ..Agent::bystander(at(0, 8)) }).unwrap());
        }),
        ("a unit of the other class", |crowd| done(crowd.add(ClassId(1), Agent::bystander(at(0, 8))).unwrap())),
        ("another class", |crowd| crowd.change_class(ONE, ClassId(1)).unwrap()),
        ("an outsider", |crowd| crowd.predict(ONE, &[], Margin::new(1)).unwrap()),
        ("a wider outsider", |crowd| crowd.predict(ONE, &[], Margin::new(2)).unwrap()),
        ("an outsider that grows", |crowd| crowd.predict(ONE, &[], Margin::new(1).growing(4)).unwrap()),
        ("an outsider that sleeps", |crowd| crowd.predict(AgentId(5), &[], Margin::new(1)).unwrap()),
        ("an outsider on its way", |crowd| {
            crowd.predict(AgentId(5), &[(crowd.now() + 3, at(9, 0))], Margin::new(1)).unwrap();
        }),
        ("a walk", |crowd| crowd.walk(AgentId(5), at(9, 0)).unwrap()),
        ("a depth", |crowd| crowd.set_depth(ONE, Depth::Fixed(5)).unwrap()),
        ("a depth of a sleeper", |crowd| crowd.set_depth(AgentId(5), Depth::Fixed(5)).unwrap()),
        ("a chain", |crowd| crowd.set_chain(ONE, Planner::Windowed).unwrap()),
        ("a chain with a fallback", |crowd| {
            crowd.set_chain(ONE, Chain::new(Planner::Windowed).fallback(Planner::Pibt, 8)).unwrap();
        }),
        ("a wall", |crowd| done(crowd.set_open(CLASS, at(0, 8), false).unwrap())),
        ("a wall elsewhere", |crowd| done(crowd.set_open(CLASS, at(1, 8), false).unwrap())),
        ("a wall to others", |crowd| done(crowd.set_open(ClassId(1), at(0, 8), false).unwrap())),
        ("a wall less", |crowd| done(crowd.set_open(CLASS, at(5, 2), true).unwrap())),
        ("a building", |crowd| done(crowd.close(&Area::cells(0, 7, 1, 2).unwrap()).unwrap())),
        ("a building site", |crowd| done(crowd.vacate(&Area::cells(5, 3, 3, 3).unwrap()).unwrap())),
        ("another building site", |crowd| done(crowd.vacate(&Area::cells(5, 3, 3, 2).unwrap()).unwrap())),
        ("a swamp", |crowd| {
            done(crowd.resurface(&Area::cells(0, 0, 2, 2).unwrap(), Surface::new(2, 1.0).unwrap()).unwrap());
        }),
        ("a class more", |crowd| done(crowd.add_class(Class::new(grid(), Point::swap_rule(&grid()))).unwrap())),
    ];
    for ticks in [0, 1, 5, 40] {
        let mut hashes: Vec<(&str, u64)> = Vec::new();
        // From nothing, and with what is known of the hash before.
        let mut known = crowd(CrowdSettings::new(), &grid(), ticks);
        known.state_hash();
        for (name, call) in calls {
            let mut crowds = [crowd(CrowdSettings::new(), &grid(), ticks), known.clone()];
            crowds.iter_mut().for_each(call);
            let [hash, other] = crowds.each_mut().map(Crowd::state_hash);
            assert_eq!(hash, other, "{name} after {ticks} ticks");
            let equal = hashes.iter().find(|(_, other)| *other == hash);
            assert_eq!(equal, None, "{name} after {ticks} ticks");
            hashes.push((name, hash));
        }
    }
}

#[test]
fn the_map_counts_as_it_is_and_not_how_it_came_about() {
    let corner = Area::cells(0, 7, 1, 2).unwrap();
    let both = [at(0, 7), at(0, 8)];
    let mut crowds = [(); 3].map(|()| crowd(CrowdSettings::new(), &grid(), 5));
    let before = crowds.each_mut().map(Crowd::state_hash);
    let [one, two, three] = &mut crowds;
    one.close(&corner).unwrap();
    for class in [CLASS, ClassId(1)] {
        for node in both {
            two.set_open(class, node, false).unwrap();
        }
    }
    three.close(&Area::cells(0, 6, 1, 3).unwrap()).unwrap();
    three.state_hash();
    three.open(&Area::cells(0, 6, 1, 1).unwrap()).unwrap();
    let after = crowds.each_mut().map(Crowd::state_hash);
    assert_eq!(after, [after[0]; 3]);
    assert_ne!(after, before);
}

#[test]
fn settings_maps_and_what_was_learned_count() {
    let hash = |settings, grid: &Grid| crowd(settings, grid, 0).state_hash();
    let plain = hash(CrowdSettings::new(), &grid());
    assert_ne!(hash(CrowdSettings::new().window(7), &grid()), plain);
    assert_ne!(hash(CrowdSettings::new().rotation(false), &grid()), plain);
    assert_ne!(hash(CrowdSettings::new(), &Grid::open(12, 9).unwrap()), plain);

    let grid = grid();
    let blank = DirectionMap::blank(&grid, DirectionRules::default());
    let [mut ignorant, mut learned] = [false, true].map(|is_learned| {
        let map = blank.clone();
        if is_learned {
            map.learn(&grid, at(0, 0), at(1, 0));
        }
        let mut crowd = Crowd::new(CrowdSettings::new());
        crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).layer(map)).unwrap();
        crowd
    });
    assert_ne!(ignorant.state_hash(), learned.state_hash());
}

#[test]
fn what_is_refused_or_asked_leaves_the_hash() {
    for ticks in [0, 1, 5, 40] {
        let mut crowd = crowd(CrowdSettings::new(), &grid(), ticks);
        let hash = crowd.state_hash();
        let hashes: Vec<_> = crowd.agents().map(|agent| crowd.agent_hash(agent)).collect();
        let wall = at(5, 2);
        let here = crowd.node(ONE).unwrap();
        assert!(crowd.send(ONE, wall).is_err() && crowd.place(ONE, wall).is_err());
        assert!(crowd.add(CLASS, Agent::bystander(here)).is_err());
        assert!(crowd.send(AgentId(99), here).is_err() && crowd.remove(AgentId(99)).is_err());
        assert!(crowd.set_open(CLASS, here, false).is_err() && crowd.send(ONE, Goals::from_iter([])).is_err());
        assert!(!crowd.set_open(CLASS, wall, false).unwrap());
        assert!(crowd.close(&Area::cells(0, 0, 12, 9).unwrap()).is_err());
        for agent in crowd.agents().collect::<Vec<_>>() {
            crowd.explain(agent);
            crowd.distance(agent, Budget::unlimited());
            let _ = (crowd.plan(agent), crowd.last_leg(agent), crowd.goals(agent));
        }
        crowd.waiting();
        let _ = (crowd.poses(0.5).count(), crowd.longest_wait());
        assert_eq!(crowd.state_hash(), hash, "after {ticks} ticks");
        assert!(crowd.agents().map(|agent| crowd.agent_hash(agent)).eq(hashes));
        assert_eq!(crowd.agent_hash(AgentId(99)), None);
    }
}

/// Also the test that hashes are equal on other platforms, in other builds, and that nobody changes them by accident.
#[test]
fn hashes_do_not_depend_on_when_they_are_asked_for() {
    let mut crowds = [1, 3, 50].map(|every| (every, crowd(CrowdSettings::new(), &grid(), 0)));
    for tick in 1..=50 {
        for (every, crowd) in &mut crowds {
            crowd.tick(Budget::work(400));
            if tick % *every == 0 {
                crowd.state_hash();
            }
        }
    }
    let hashes = crowds.map(|(_, mut crowd)| crowd.state_hash());
    assert_eq!(hashes, [10_871_064_916_703_601_925; 3]);
}
