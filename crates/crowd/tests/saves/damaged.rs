//! Saves that have been cut, or changed: an error, or a crowd that keeps every promise.

use giveway_core::NodeId;
use giveway_crowd::{Budget, ClassId, Crowd, Save, SaveError};
use rand::Rng as _;

use super::life::Life;
use super::worlds::{self, World};

/// Magic bytes, version, two lengths, and checksum.
const HEADER: usize = 36;

fn saved(world: &World, seed: u64) -> Vec<u8> {
    let mut life = Life::new(world, seed);
    let until = life.random.random_range(2..60);
    life.live(until);
    life.disturb();
    life.crowd.save().unwrap().to_bytes()
}

/// The bytes of a save with these `words`, and a checksum that is right.
fn sealed(words: &[u8]) -> Vec<u8> {
    let mut digest = giveway_core::Digest::new();
    digest.word(words.len() as u64);
    for chunk in words.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        digest.word(u64::from_le_bytes(word));
    }
    digest.word(0);
    let mut bytes = b"giveway\x01".to_vec();
    bytes.extend(5_u32.to_le_bytes());
    bytes.extend((words.len() as u64).to_le_bytes());
    bytes.extend(0_u64.to_le_bytes());
    bytes.extend(digest.finish().to_le_bytes());
    bytes.extend(words);
    bytes
}

#[test]
fn bytes_that_are_no_save_are_refused() {
    let world = &worlds::all()[0];
    let bytes = saved(world, 1);
    assert_eq!(sealed(&bytes[HEADER..]), bytes);
    let refused = |bytes: &[u8]| Save::from_bytes(bytes).unwrap_err();
    for length in 0..bytes.len() {
        let error = refused(&bytes[..length]);
        let is_right = matches!(error, SaveError::Cut { .. }) || length < 8 && error == SaveError::NoSave;
        assert!(is_right, "{error} at {length}");
    }
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        let error = refused(&damaged);
        match at {
            ..8 => assert_eq!(error, SaveError::NoSave),
            8..12 => assert!(matches!(error, SaveError::OtherVersion { expected: 5, .. })),
            12..28 => assert!(matches!(error, SaveError::Cut { .. })),
            _ => assert_eq!(error, SaveError::Damaged),
        }
    }
    let longer = [&bytes[..], &[0]].concat();
    let (expected, found) = (bytes.len() as u64, longer.len() as u64);
    assert_eq!(refused(&longer), SaveError::Cut { expected, found });
    let text = refused(&bytes[..100]).to_string();
    assert_eq!(text, format!("expected a save of {expected} bytes, found 100"));
    assert_eq!(refused(b"# a map").to_string(), "expected the save of a crowd");
}

/// Cuts a save of `world` at some bytes: every `step` ones.
fn cut(world: &World, step: impl FnOnce(usize) -> usize) {
    let bytes = saved(world, 2);
    let words = &bytes[HEADER..];
    let mut crowd = (world.build)();
    let before = crowd.state_hash();
    for length in (0..words.len()).step_by(step(words.len())) {
        let save = Save::from_bytes(&sealed(&words[..length])).unwrap();
        assert!(crowd.load(&save).is_err(), "{}: cut at {length}", world.name);
    }
    assert_eq!(crowd.state_hash(), before, "nothing has changed");
}

#[test]
fn what_is_cut_is_refused_even_if_the_checksum_is_right() {
    for world in worlds::all().iter().filter(|world| world.units <= 90) {
        cut(world, |length| (length / 150).max(1));
    }
}

/// `cargo test --release -p giveway-crowd --test tests cut_at_any_byte -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn what_is_cut_at_any_byte_is_refused_even_if_the_checksum_is_right() {
    worlds::all().iter().for_each(|world| cut(world, |_| 1));
}

/// How often mutated saves were loaded, and refused.
#[derive(Default, Debug)]
struct Tally {
    loaded: u64,
    refused: u64,
}

/// Loads `count` mutated saves of `world`.
fn mutate(world: &World, seed: u64, count: u64, tally: &mut Tally) {
    let bytes = saved(world, seed);
    let original = &bytes[HEADER..];
    let mut random = Life::new(world, seed).random;
    let empty = (world.build)();
    for mutation in 0..count {
        let mut words = original.to_vec();
        for _ in 0..[1, 1, 2, 5][random.random_range(0..4)] {
            let at = random.random_range(0..words.len());
            match random.random_range(0..6) {
                0 => words[at] ^= 1 << random.random_range(0..8),
                1 => words[at] = random.random(),
                2 => words[at] = words[at].wrapping_add([1, 255, 2, 254][random.random_range(0..4)]),
                3 => drop(words.remove(at)),
                4 => words.insert(at, random.random()),
                _ => {
                    let from = random.random_range(0..words.len());
                    words[at] = words[from];
                }
            }
        }
        let save = Save::from_bytes(&sealed(&words)).unwrap();
        let mut crowd = empty.clone();
        match crowd.load(&save) {
            Ok(()) => {
                tally.loaded += 1;
                keeps_promises(&mut crowd, world, &format!("{}, seed {seed}, mutation {mutation}", world.name));
            }
            Err(_) => tally.refused += 1,
        }
    }
}

/// Lets the crowd live a little: nobody overlaps, nothing panics, and what it is can be saved and loaded.
fn keeps_promises(crowd: &mut Crowd<'static>, world: &World, name: &str) {
    let is_soft = world.name.contains("walked through");
    for tick in 0..12 {
        let report = crowd.tick(Budget::work(if tick % 3 == 0 { world.work } else { 100_000 }));
        let overlaps = if is_soft { 0 } else { shared_places(crowd) };
        assert_eq!(overlaps, 0, "{name}, tick {}", report.tick);
    }
    for agent in crowd.agents().collect::<Vec<_>>() {
        let class = crowd.class_of(agent).unwrap_or(ClassId(0));
        assert!(crowd.node(agent).is_some_and(|node| node.index() < 1 << 20), "{name}: {class:?}");
        crowd.explain(agent);
    }
    crowd.waiting();
    let save = crowd.save().unwrap();
    let mut other = (world.build)();
    other.load(&save).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(other.state_hash(), crowd.state_hash(), "{name}");
}

/// How many agents end their motions where another agent ends its own. What else their bodies cover, loading checks.
fn shared_places(crowd: &Crowd<'_>) -> usize {
    let place = |agent| (crowd.class_of(agent).unwrap(), crowd.last_leg(agent).unwrap().to);
    let mut places: Vec<(ClassId, NodeId)> = crowd.agents().map(place).collect();
    let all = places.len();
    places.sort_unstable();
    places.dedup();
    all - places.len()
}

#[test]
fn mutated_saves_are_refused_or_keep_every_promise() {
    let mut tally = Tally::default();
    for (seed, world) in (0..).zip(worlds::all()) {
        let count = if world.name == "a large map" { 10 } else { 120 };
        mutate(&world, seed, count, &mut tally);
    }
    assert!(tally.loaded > 20 && tally.refused > 500, "{tally:?}");
}

/// A number that the environment gives, or `otherwise`.
fn given(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|number| number.parse().ok()).unwrap_or(otherwise)
}

/// `cargo test --release -p giveway-crowd --test tests 500_000 -- --ignored`, with `GIVEWAY_MUTATIONS` for another
/// number, and `GIVEWAY_SEED` for another first seed.
#[test]
#[ignore = "takes an hour"]
fn of_500_000_mutated_saves_each_is_refused_or_keeps_every_promise() {
    let (most, mut seed) = (given("GIVEWAY_MUTATIONS", 500_000), given("GIVEWAY_SEED", 1001));
    let (mut tally, mut faults) = (Tally::default(), 0);
    let worlds = worlds::all();
    while tally.loaded + tally.refused < most {
        // A seed has the world that it has in a run from 1001 on.
        let world = &worlds[usize::try_from(seed - 1001).unwrap() % worlds.len()];
        let count = if world.name == "a large map" { 20 } else { 400 };
        // A fault says its seed and its mutation, and the next seed goes on.
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            mutate(world, seed, count, &mut tally);
        }));
        faults += u32::from(outcome.is_err());
        seed += 1;
        if (seed - 1001).is_multiple_of(10 * worlds.len() as u64) {
            println!("{tally:?}, up to seed {seed}");
        }
    }
    println!("{tally:?}, up to seed {seed}");
    assert_eq!(faults, 0);
}
