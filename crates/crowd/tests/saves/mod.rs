//! Saves: a crowd that is loaded goes on as the one that was saved.

mod damaged;
mod life;
mod worlds;

use giveway_core::{Agent, Area, Point, Tick};
use giveway_crowd::{Budget, Class, ClassId, Crowd, CrowdSettings, OtherWorld, Save, SaveError};
use giveway_spaces::Grid;
use life::{Life, assert_equal};
use rand::Rng as _;
use worlds::World;

/// Saves a crowd of `world` at a random tick, loads it, and lets both live for `ticks` more ticks.
fn goes_on(world: &World, seed: u64, ticks: Tick) {
    let name = format!("{}, seed {seed}", world.name);
    let mut life = Life::new(world, seed);
    let until = life.random.random_range(1..160);
    life.live(until);
    // Some orders are given between the last tick and the save.
    life.disturb();
    let save = life.crowd.save().unwrap();
    let bytes = save.to_bytes();
    let mut crowd = (world.build)();
    crowd.load(&Save::from_bytes(&bytes).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(crowd.state_hash(), life.crowd.state_hash(), "{name}, when it was loaded at tick {}", crowd.now());
    let again = crowd.save().unwrap();
    let others = again.to_bytes();
    let at = bytes[36..].iter().zip(&others[36..]).position(|(a, b)| a != b);
    assert!(
        again == save,
        "{name}: the save of what was loaded differs at {at:?} {} {}",
        bytes.len() - 28,
        others.len() - 28
    );
    let mut other = life.with(crowd);
    let expected = life.live(ticks);
    assert_equal(&name, [&expected, &other.live(ticks)]);
}

#[test]
fn what_was_loaded_goes_on_as_what_was_saved() {
    let mut failed = Vec::new();
    for (seed, world) in (0..).zip(worlds::all()) {
        for (seed, ticks) in [(seed, 160), (seed + 1000, 60)] {
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| goes_on(&world, seed, ticks)));
            if outcome.is_err() {
                failed.push((world.name, seed));
            }
        }
    }
    assert_eq!(failed, []);
}

/// `cargo test --release -p giveway-crowd --test tests saves -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn what_was_loaded_goes_on_in_many_cases() {
    for seed in 0..12 {
        for (index, world) in (0..).zip(worlds::all()) {
            goes_on(&world, 10_000 + 100 * index + seed, 500);
        }
    }
}

fn plain(grid: &Grid) -> Crowd<'_> {
    let mut crowd = Crowd::new(CrowdSettings::new());
    crowd.add_class(Class::new(grid, Point::swap_rule(grid))).unwrap();
    crowd
}

#[test]
fn a_save_is_loaded_into_a_crowd_of_the_same_world() {
    let grid = Grid::open(9, 7).unwrap();
    let mut crowd = plain(&grid);
    let at = |x, y| grid.node(x, y).unwrap();
    crowd.add(ClassId(0), Agent::new(at(0, 0), at(8, 6))).unwrap();
    (0..3).for_each(|_| drop(crowd.tick(Budget::unlimited())));
    let save = crowd.save().unwrap();
    let refused = |mut crowd: Crowd<'_>, expected: OtherWorld| {
        let before = crowd.state_hash();
        assert_eq!(crowd.load(&save), Err(SaveError::OtherWorld(expected)));
        assert_eq!(crowd.state_hash(), before, "nothing has changed");
    };
    let wall = Grid::from_fn(9, 7, |x, y| (x, y) != (4, 4)).unwrap();
    refused(plain(&wall), OtherWorld::Space { class: 0 });
    let large = Grid::open(9, 8).unwrap();
    refused(plain(&large), OtherWorld::Nodes { class: 0, expected: 63, found: 72 });
    let mut other = Crowd::new(CrowdSettings::new());
    other.add_class(Class::new(&grid, Point::following_rule(&grid))).unwrap();
    refused(other, OtherWorld::Units { class: 0 });
    let mut other = Crowd::new(CrowdSettings::new().window(9));
    other.add_class(Class::new(&grid, Point::swap_rule(&grid))).unwrap();
    refused(other, OtherWorld::Settings);
    refused(Crowd::new(CrowdSettings::new()), OtherWorld::Classes { expected: 1, found: 0 });

    // Agents that the crowd had are gone.
    let mut other = plain(&grid);
    for x in 0..4 {
        other.add(ClassId(0), Agent::bystander(at(x, 3))).unwrap();
    }
    (0..50).for_each(|_| drop(other.tick(Budget::unlimited())));
    other.load(&save).unwrap();
    assert_eq!((other.now(), other.agents().count(), other.state_hash()), (3, 1, crowd.state_hash()));
}

fn editable(grid: &Grid) -> Crowd<'static> {
    let mut crowd = Crowd::new(CrowdSettings::new());
    crowd.add_class(Class::new(grid.clone(), Point::swap_rule(grid)).editable()).unwrap();
    crowd
}

#[test]
fn edits_are_made_again() {
    let grid = Grid::open(9, 7).unwrap();
    let build = || editable(&grid);
    let mut crowd = build();
    let at = |x, y| grid.node(x, y).unwrap();
    assert!(crowd.set_open(ClassId(0), at(4, 4), false).unwrap());
    let early = crowd.save().unwrap();
    crowd.tick(Budget::unlimited());
    assert!(crowd.set_open(ClassId(0), at(5, 4), false).unwrap());
    let late = crowd.save().unwrap();
    let has = |crowd: &Crowd<'_>| [4, 5].map(|x| crowd.has_node(ClassId(0), at(x, 4)));
    let mut other = build();
    other.load(&early).unwrap();
    assert_eq!(has(&other), [false, true]);
    other.load(&late).unwrap();
    assert_eq!(has(&other), [false, false]);
    assert_eq!(other.state_hash(), crowd.state_hash());
    // What was edited since has no way back.
    let before = crowd.state_hash();
    assert_eq!(crowd.load(&early), Err(SaveError::OtherWorld(OtherWorld::Edits { class: 0 })));
    assert_eq!((crowd.state_hash(), has(&crowd)), (before, [false, false]));
}

#[test]
fn an_area_may_have_to_be_left_by_a_unit_that_is_held() {
    let grid = Grid::open(9, 7).unwrap();
    let build = || editable(&grid);
    let mut crowd = build();
    let at = |x, y| grid.node(x, y).unwrap();
    let agent = crowd.add(ClassId(0), Agent::new(at(4, 4), at(8, 6))).unwrap();
    crowd.hold(agent, 5).unwrap();
    let area = Area::cells(4, 4, 1, 1).unwrap();
    assert_eq!(crowd.vacate(&area).unwrap(), [agent]);
    let mut other = build();
    for _ in 0..9 {
        other.load(&crowd.save().unwrap()).unwrap();
        assert_eq!(other.state_hash(), crowd.state_hash());
        assert_eq!(other.tick(Budget::unlimited()), crowd.tick(Budget::unlimited()));
    }
    assert_ne!(crowd.node(agent), Some(at(4, 4)), "it has left once it was let go");
}

#[test]
fn long_rows_of_equals_are_saved() {
    let grid = Grid::open(50, 50).unwrap();
    let mut crowd = plain(&grid);
    let again = |crowd: &mut Crowd<'_>, what: &str| {
        let mut other = plain(&grid);
        let bytes = crowd.save().unwrap().to_bytes();
        other.load(&Save::from_bytes(&bytes).unwrap()).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(other.state_hash(), crowd.state_hash(), "{what}");
    };
    again(&mut crowd, "nobody");
    let nodes: Vec<giveway_core::NodeId> = (0..1500).map(giveway_core::NodeId).collect();
    let agents: Vec<_> = nodes.iter().map(|node| crowd.add(ClassId(0), Agent::new(*node, *node)).unwrap()).collect();
    again(&mut crowd, "before the first tick");
    (0..3).for_each(|_| drop(crowd.tick(Budget::unlimited())));
    again(&mut crowd, "all at rest");
    for agent in &agents {
        crowd.send_shared(*agent, giveway_core::Goals::one(giveway_core::NodeId(2400))).unwrap();
    }
    again(&mut crowd, "all with another order");
    for agent in &agents[..1495] {
        crowd.remove(*agent).unwrap();
    }
    again(&mut crowd, "hardly anybody left");
    for agent in &agents[1495..] {
        crowd.remove(*agent).unwrap();
    }
    again(&mut crowd, "nobody left");
}
