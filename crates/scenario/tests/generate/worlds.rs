//! Properties of every world, whatever its kind.

use std::collections::{BTreeSet, HashSet};

use giveway_core::Point;
use giveway_scenario::{CannotGenerate, MapFile, MapGenerator, MapKind, Scenario, ScenarioGenerator};
use giveway_strategies::Instance;
use proptest::prelude::*;

use crate::generate::{free, map, parts, picture, sizes};

/// Properties of every scenario on its map.
fn check(map: &MapFile, scenario: &Scenario, agents: usize) {
    let labels = parts(map);
    let part = |(x, y): (u32, u32)| labels[y as usize][x as usize];
    let size = |label: usize| labels.iter().flatten().filter(|other| **other == Some(label)).count();
    let entries = scenario.entries();
    assert_eq!(entries.len(), agents);
    for entry in entries {
        assert_eq!((entry.width, entry.height), (map.width(), map.height()));
        let home = part(entry.start).unwrap();
        assert_eq!(part(entry.goal), Some(home), "{entry:?}");
        assert!(entry.start != entry.goal || size(home) == 1, "{entry:?}");
    }
    assert_eq!(entries.iter().map(|entry| entry.start).collect::<HashSet<_>>().len(), agents);
    assert_eq!(entries.iter().map(|entry| entry.goal).collect::<HashSet<_>>().len(), agents);
    // A written scenario is read again as an equal instance.
    let read = Scenario::parse(scenario.to_string(), "x.scen").unwrap();
    assert_eq!(read.entries(), entries);
    let grid = map.grid().unwrap();
    let agents = read.agents(agents, &grid).unwrap();
    Instance::new(&grid, &Point::swap_rule(&grid), agents).unwrap();
}

fn kinds() -> impl Strategy<Value = MapKind> {
    (0..MapKind::ALL.len()).prop_map(|kind| MapKind::ALL[kind])
}

proptest! {
    #[test]
    fn every_world_keeps_its_promises(
        kind in kinds(),
        (width, height) in (1..40_u32, 1..40_u32),
        density in proptest::option::of(0.0..1.0),
        seed: u64,
        part in 0..=100_usize,
    ) {
        let density = density.filter(|_| kind.usual_density().is_some());
        let map = map(kind, width, height, density, seed);
        prop_assert_eq!((map.width(), map.height()), (width, height));
        let free = free(&map);
        prop_assert!(free > 0);
        let sizes = sizes(&map);
        if !matches!(kind, MapKind::Random | MapKind::Caves) {
            prop_assert_eq!(sizes.len(), 1);
        }

        let generator = ScenarioGenerator::new(&map).unwrap();
        prop_assert_eq!(generator.room() as usize, free);
        prop_assert_eq!(generator.largest_part() as usize, sizes[0]);
        prop_assert_eq!(generator.parts(), sizes.len());
        let agents = free * part / 100;
        let scenario = generator.generate("x.map", u32::try_from(agents).unwrap(), seed).unwrap();
        check(&map, &scenario, agents);
        // As long as there is room, everyone is in a part of the largest size.
        if agents <= sizes[0] {
            let labels = parts(&map);
            let homes: BTreeSet<_> =
                scenario.entries().iter().map(|entry| labels[entry.start.1 as usize][entry.start.0 as usize]).collect();
            prop_assert!(homes.len() <= 1);
            for home in homes {
                prop_assert_eq!(labels.iter().flatten().filter(|label| **label == home).count(), sizes[0]);
            }
        }
    }
}

#[test]
fn small_and_narrow_worlds_can_be_filled() {
    for kind in MapKind::ALL {
        for (width, height) in
            [(1, 1), (1, 2), (2, 1), (1, 17), (17, 1), (2, 2), (2, 3), (3, 2), (8, 8), (9, 9), (3, 40)]
        {
            for seed in 0..20 {
                let map = map(kind, width, height, None, seed);
                let agents = free(&map);
                assert!(agents > 0, "{kind} {width} x {height}");
                let generator = ScenarioGenerator::new(&map).unwrap();
                let count = u32::try_from(agents).unwrap();
                check(&map, &generator.generate("x.map", count, seed).unwrap(), agents);
                assert_eq!(
                    generator.generate("x.map", count + 1, seed),
                    Err(CannotGenerate::TooManyAgents { agents: count + 1, room: count })
                );
            }
        }
    }
}

#[test]
fn the_seed_decides_and_nothing_else() {
    for kind in MapKind::ALL {
        let make = |seed| {
            let map = map(kind, 40, 30, None, seed);
            let scenario = ScenarioGenerator::new(&map).unwrap().generate("x.map", 30, seed).unwrap();
            (map.to_string(), scenario.to_string())
        };
        let (one, again, other) = (make(7), make(7), make(8));
        assert!(one == again, "{kind}");
        assert!(one.1 != other.1, "{kind}");
        assert_eq!(one.0 != other.0, kind.usual_density().is_some(), "{kind}");
    }
}

#[test]
fn the_largest_part_is_filled_first() {
    let map = picture(&["..@...", "@.@...", "@@@@@@", "....@."]);
    let generator = ScenarioGenerator::new(&map).unwrap();
    assert_eq!((generator.room(), generator.parts(), generator.largest_part()), (14, 4, 6));
    for seed in 0..20 {
        let scenario = generator.generate("x.map", 14, seed).unwrap();
        check(&map, &scenario, 14);
        // Six at the top right, four at the lower left, three at the top left, one at the lower right.
        let homes: Vec<(bool, bool)> =
            scenario.entries().iter().map(|entry| (entry.start.0 > 2, entry.start.1 > 2)).collect();
        assert!(homes[..6].iter().all(|home| *home == (true, false)), "{homes:?}");
        assert!(homes[6..10].iter().all(|(_, lower)| *lower), "{homes:?}");
        assert!(homes[10..13].iter().all(|home| *home == (false, false)), "{homes:?}");
        assert_eq!(scenario.entries()[13].start, (5, 3));
        assert_eq!(scenario.entries()[13].goal, (5, 3));
    }
}

#[test]
fn what_cannot_be_generated_is_said() {
    let generate = |kind, width, height| MapGenerator::new(kind, width, height).generate().map(|map| free(&map));
    for (width, height, message) in [
        (0, 3, "a map needs at least one column and one row"),
        (3, 0, "a map needs at least one column and one row"),
        (10_001, 10_000, "a map of 10001 x 10000 cells is too large: expected at most 100000000 cells"),
        (u32::MAX, u32::MAX, "a map of 4294967295 x 4294967295 cells is too large: expected at most 100000000 cells"),
    ] {
        assert_eq!(generate(MapKind::Open, width, height).unwrap_err().to_string(), message);
    }
    let wall = ScenarioGenerator::new(&picture(&["@"])).unwrap();
    assert_eq!((wall.room(), wall.parts(), wall.largest_part()), (0, 0, 0));
    assert_eq!(wall.generate("x.map", 0, 0).unwrap().entries(), []);
    assert_eq!(
        wall.generate("x.map", 1, 0).unwrap_err().to_string(),
        "1 agent is too many: the map has room for 0, one for each free cell"
    );
}
