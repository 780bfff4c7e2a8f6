//! Outsiders: agents that the game moves, and whose paths are only predicted. What they do is recorded and checked from
//! the outside; how far they are off is found out here, by distances of the maps.

mod orders;
mod rows;
mod stray;

use giveway_crowd::{Budget, Margin};

use crate::late::life::{KINDS, Kind};
use stray::{Counts, Stray};

/// Lets an outsider stray through crowds of `kind`: `percent` of its moves are not those that were predicted.
fn stray(kind: Kind, percent: u32, seeds: std::ops::Range<u64>, steps: u32) -> Counts {
    let mut counts = Counts::default();
    for seed in seeds {
        // The generator takes odd seeds only.
        let mut stray = Stray::new(kind, 2 * seed + 1);
        stray.go_about(percent, steps, Budget::work(20_000));
        counts.add(&stray.counts);
    }
    println!("{kind:?}, {percent} % of the moves: {counts:?}");
    counts
}

#[test]
fn an_outsider_is_touched_only_outside_of_its_margin() {
    let all = KINDS.map(|kind| (kind, stray(kind, 20, 0..5, 60)));
    for (kind, counts) in all {
        assert!(counts.walks > 60 && counts.off_path > 4, "{kind:?}: {counts:?}");
        // Somebody may have no way out.
        assert!(counts.touched_within * 100 <= counts.walks, "{kind:?}: {counts:?}");
    }
}

#[test]
#[ignore = "takes half an hour: twenty worlds for each kind of unit and each share of unforeseen moves"]
fn an_outsider_is_touched_only_outside_of_its_margin_in_twenty_worlds() {
    for kind in KINDS {
        for percent in [5, 20, 50] {
            let counts = stray(kind, percent, 100..120, 100);
            assert!(counts.touched_within * 100 <= counts.walks, "{kind:?}: {counts:?}");
        }
    }
}

/// The margin of `kind`, where moves take `move_ticks` ticks at most.
fn margin(move_ticks: u32) -> Margin {
    Margin::new(1).growing(4 * move_ticks).at_most(3)
}
