//! Bodies of all kinds on spaces of all kinds in one crowd, in a world that changes by area: no bodies overlap, by the
//! checker that knows only shapes and positions, and no unit enters a closed area.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small numbers

mod buildings;
mod spaces;
mod speeds;
mod world;

use world::{Kind, World};

/// Runs the worlds of many seeds on two threads; returns how many had overlaps, how many agents, moves and changes
/// there were, and how many worlds had three kinds of space.
fn sum(seeds: std::ops::Range<u64>, kind: Kind) -> [usize; 5] {
    let part = |seeds: std::ops::Range<u64>| {
        let mut sums = [0; 5];
        for seed in seeds {
            let mut world = World::new(seed, kind);
            world.run();
            let (overlaps, in_walls) = (world.overlaps(), world.in_walls());
            assert!(kind.halved || overlaps.is_empty(), "seed {seed}: {overlaps:?}");
            assert!(in_walls.is_empty(), "seed {seed}: {in_walls:?}");
            let moves = usize::try_from(world.simulation.metrics().path_length).expect("few");
            let mixed = usize::from(world.kinds >= 3);
            let counts = [usize::from(!overlaps.is_empty()), world.trace().agents.len(), moves, world.changes, mixed];
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        sums
    };
    let middle = seeds.start.midpoint(seeds.end);
    let (one, two) = std::thread::scope(|scope| {
        let one = scope.spawn(|| part(seeds.start..middle));
        let two = part(middle..seeds.end);
        (one.join(), two)
    });
    let one = one.expect("no seed fails");
    std::array::from_fn(|count| one[count] + two[count])
}

const MIXED: Kind = Kind { halved: false, steps: 12 };
const HALVED: Kind = Kind { halved: true, steps: 20 };

#[test]
fn nobody_overlaps_whatever_the_spaces() {
    let [_, agents, moves, changes, mixed] = sum(0..500, MIXED);
    assert!(agents > 4000 && moves > 15_000 && changes > 500, "{agents} agents, {moves} moves, {changes} changes");
    assert!(mixed > 450, "{mixed} of 500 worlds have three kinds of space");
}

/// More of them, as a test of its own: two tests take turns on two processors.
#[test]
fn nor_in_as_many_worlds_more() {
    let [_, agents, moves, changes, mixed] = sum(500..1000, MIXED);
    assert!(agents > 4000 && moves > 15_000 && changes > 500, "{agents} agents, {moves} moves, {changes} changes");
    assert!(mixed > 450, "{mixed} of 500 worlds have three kinds of space");
}

/// A hundred thousand of them: `cargo test --release -p giveway-sim --test tests mixed_spaces -- --ignored
/// --nocapture`.
#[test]
#[ignore = "takes long"]
fn nobody_overlaps_in_a_hundred_thousand_worlds() {
    let mut sums = [0; 5];
    for thousand in 1000..1100 {
        let more = sum(thousand * 1000..(thousand + 1) * 1000, MIXED);
        sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        println!("{} worlds: {} agents, {} moves, {} changes", (thousand - 999) * 1000, sums[1], sums[2], sums[3]);
    }
    assert!(sums[1] > 800_000 && sums[2] > 3_000_000 && sums[3] > 100_000, "{sums:?}");
}

/// Where room is reserved for a part of the bodies on irregular moves only, the checker says so: it can fail.
#[test]
fn halved_stamps_are_found_out() {
    let [overlapping, ..] = sum(0..100, HALVED);
    assert!(overlapping >= 95, "overlaps in {overlapping} of 100 worlds only");
}
