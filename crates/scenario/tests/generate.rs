//! Generated worlds: what every map and every scenario keeps, and what makes a kind what it is.

use std::collections::HashSet;

use giveway_core::{Instance, Point};
use giveway_scenario::{CannotGenerate, Density, MapFile, MapGenerator, MapKind, Scenario, ScenarioGenerator};
use proptest::prelude::*;

fn map(kind: MapKind, width: u32, height: u32, density: Option<f64>, seed: u64) -> MapFile {
    let generator = MapGenerator::new(kind, width, height).seed(seed);
    let generator = match density {
        Some(share) => generator.density(Density::new(share).unwrap()),
        None => generator,
    };
    generator.generate().unwrap()
}

/// The map of a picture with `.` and `@`.
fn picture(rows: &[&str]) -> MapFile {
    let text = format!("type octile\nheight {}\nwidth {}\nmap\n{}\n", rows.len(), rows[0].len(), rows.join("\n"));
    MapFile::parse(text, "picture").unwrap()
}

fn rows(map: &MapFile) -> Vec<String> {
    map.to_string().lines().skip(4).map(str::to_owned).collect()
}

fn cells(map: &MapFile) -> impl Iterator<Item = (u32, u32)> {
    (0..map.height()).flat_map(|y| (0..map.width()).map(move |x| (x, y)))
}

fn free(map: &MapFile) -> usize {
    cells(map).filter(|(x, y)| map.is_passable(*x, *y)).count()
}

/// By cell, the number of the connected part that it belongs to, or `None` for a wall. Labels spread until nothing changes, and
/// nothing is shared with what the crate does.
fn parts(map: &MapFile) -> Vec<Vec<Option<usize>>> {
    let mut labels = vec![vec![None; map.width() as usize]; map.height() as usize];
    for (number, (x, y)) in cells(map).enumerate() {
        let mut open = vec![(x, y)];
        while let Some((x, y)) = open.pop() {
            let label = &mut labels[y as usize][x as usize];
            if map.is_passable(x, y) && label.is_none() {
                *label = Some(number);
                for (x, y) in [(x + 1, y), (x, y + 1), (x.wrapping_sub(1), y), (x, y.wrapping_sub(1))] {
                    if x < map.width() && y < map.height() {
                        open.push((x, y));
                    }
                }
            }
        }
    }
    labels
}

/// How many cells each part has, the largest first.
fn sizes(map: &MapFile) -> Vec<usize> {
    let labels: Vec<usize> = parts(map).into_iter().flatten().flatten().collect();
    let distinct: HashSet<usize> = labels.iter().copied().collect();
    let mut sizes: Vec<usize> =
        distinct.iter().map(|part| labels.iter().filter(|label| *label == part).count()).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}

/// What every scenario keeps on its map.
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
    // What is written is read again as an instance.
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
            let homes: HashSet<_> =
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

/// What was generated once is generated for ever: benchmarks on it would change.
#[test]
fn worlds_are_what_they_were() {
    let shown = |kind, width, height| rows(&map(kind, width, height, None, 1));
    let random = [
        "...@.@.@.@...@..",
        "@...@@..........",
        "....@....@..@...",
        ".@@.......@.....",
        "..@..@...@....@.",
        "..........@.....",
    ];
    assert_eq!(shown(MapKind::Random, 16, 6), random);
    let room = [
        "................@.......",
        "........@...............",
        "........@.......@.......",
        "........@.......@.......",
        "........@.......@.......",
        "........@.......@.......",
        "........@.......@.......",
        "........@.......@.......",
        "@@@@@@@.@@@@@@@.@@@@@@@@",
        "................@.......",
        "........@.......@.......",
        "........@...............",
    ];
    assert_eq!(shown(MapKind::Room, 24, 12), room);
    let maze = [
        ".....@...@.......@...",
        "@@.@.@.@.@.@@@@@.@@@.",
        "...@...@...@...@.....",
        ".@.@.@@@@@.@@@.@@@@@.",
        "...@...........@...@.",
        ".@@@.@@@@@@@.@.@.@@@.",
        "...@.@.....@.@...@...",
        ".@.@.@@@.@.@.@@@@@.@.",
        ".@.......@.@.........",
    ];
    assert_eq!(shown(MapKind::Maze, 21, 9), maze);
    let caves = [
        "....@...@@@@@@@@@@@@@@@@@@@@@@@@",
        "...@@@...@@@@@@@@@@@@@@@@@@@@@@@",
        "..@@@@.....@@@@@@@@@@@@@@@@@@@@@",
        "..@@@@.......@@...@@@@@@@@@@@@@@",
        "..@@@@..................@@@@@@@@",
        "...@@....................@@@@@@@",
        "..........................@@@@@@",
        "@..........................@@@@@",
        "@@....@@@@@@@...............@@@@",
        "@@@..@@@@@@@@@...............@@@",
        "@@@@@@@@@@@@@@....@@@........@@@",
        "@@@@@@@@@@@@@....@@@@@.......@@@",
    ];
    assert_eq!(shown(MapKind::Caves, 32, 12), caves);
    let generator = ScenarioGenerator::new(&map(MapKind::Maze, 21, 9, None, 1)).unwrap();
    let scenario = "version 1\n\
        0\tmaze.map\t21\t9\t8\t2\t19\t8\t0.00000000\n\
        0\tmaze.map\t21\t9\t8\t8\t20\t7\t0.00000000\n\
        0\tmaze.map\t21\t9\t4\t8\t4\t2\t0.00000000\n";
    assert_eq!(generator.generate("maze.map", 3, 1).unwrap().to_string(), scenario);
}

#[test]
fn usual_densities_are_those_that_are_documented() {
    for (kind, share) in [
        (MapKind::Open, None),
        (MapKind::Random, Some(0.2)),
        (MapKind::Room, Some(0.5)),
        (MapKind::Maze, Some(0.875)),
        (MapKind::Warehouse, None),
        (MapKind::Caves, Some(0.45)),
    ] {
        assert_eq!(kind.usual_density(), share.and_then(Density::new), "{kind}");
        let generator = MapGenerator::new(kind, 3, 3).density(Density::new(0.25).unwrap());
        let error = share.is_none().then_some(CannotGenerate::DensityMeansNothing(kind));
        assert_eq!(generator.generate().err(), error, "{kind}");
    }
}

#[test]
fn random_maps_have_as_many_walls_as_their_density_says() {
    for (density, walls) in [(None, 205), (Some(0.0), 0), (Some(0.1), 102), (Some(0.5), 512), (Some(0.9999), 1023)] {
        for seed in 0..3 {
            assert_eq!(1024 - free(&map(MapKind::Random, 32, 32, density, seed)), walls, "{density:?}");
        }
    }
}

/// Steps between neighbouring free cells. In a connected map without loops there is one less than there are free cells.
fn steps(map: &MapFile) -> usize {
    let step = |(x, y), (to_x, to_y)| map.is_passable(x, y) && map.is_passable(to_x, to_y);
    cells(map).map(|(x, y)| usize::from(step((x, y), (x + 1, y))) + usize::from(step((x, y), (x, y + 1)))).sum()
}

#[test]
fn the_denser_a_maze_the_fewer_its_loops() {
    let loops = |density| {
        let map = map(MapKind::Maze, 41, 31, density, 5);
        steps(&map) + 1 - free(&map)
    };
    // 21 x 16 junctions, 20 x 16 + 21 x 15 walls between them, of which 335 are opened by the maze itself.
    // That leaves 300 inner walls. Of those, 262.5 would stay.
    assert_eq!(loops(Some(0.9999)), 0);
    assert_eq!(loops(None), 300 - 263);
    assert_eq!(loops(Some(0.0)), 300);
}

#[test]
fn rooms_have_doors() {
    // 5 x 4 rooms, 4 x 4 + 5 x 3 walls between them; 19 doors are enough to join all.
    let doors = |density| {
        let map = map(MapKind::Room, 40, 32, density, 5);
        let wall = |line: u32| line > 0 && line.is_multiple_of(8);
        let doors: Vec<_> = cells(&map).filter(|(x, y)| map.is_passable(*x, *y) && (wall(*x) || wall(*y))).collect();
        // None is where two walls meet.
        assert!(doors.iter().all(|(x, y)| wall(*x) != wall(*y)));
        assert_eq!(sizes(&map).len(), 1);
        let of = |(x, y): &(u32, u32)| (x.saturating_sub(1) / 8, y.saturating_sub(1) / 8, wall(*x));
        assert_eq!(doors.iter().map(of).collect::<HashSet<_>>().len(), doors.len(), "two doors in one wall");
        doors.len()
    };
    assert_eq!(doors(Some(0.0)), 31);
    assert_eq!(doors(None), 25);
    assert_eq!(doors(Some(0.9999)), 19);
}

#[test]
fn a_warehouse_has_shelves_and_aisles() {
    assert_eq!(
        rows(&map(MapKind::Warehouse, 32, 10, None, 0)),
        [
            "................................",
            ".....@@@@@@@@@@.@@@@@@@@@@......",
            ".....@@@@@@@@@@.@@@@@@@@@@......",
            "................................",
            ".....@@@@@@@@@@.@@@@@@@@@@......",
            ".....@@@@@@@@@@.@@@@@@@@@@......",
            "................................",
            ".....@@@@@@@@@@.@@@@@@@@@@......",
            ".....@@@@@@@@@@.@@@@@@@@@@......",
            "................................",
        ]
    );
    // Without room for a whole shelf there is a short one.
    assert_eq!(rows(&map(MapKind::Warehouse, 6, 4, None, 0)), ["......", ".@@@@.", ".@@@@.", "......"]);
    // The benchmark's warehouse-10-20-10-2-1 has as many shelves on as many cells, within a frame of walls.
    let shelves = 161 * 63 - free(&map(MapKind::Warehouse, 161, 63, None, 0));
    assert_eq!(shelves, 10 * 20 * 10 * 2);
}

#[test]
fn caves_are_wide_and_hang_together() {
    for seed in 0..3 {
        let map = map(MapKind::Caves, 600, 600, None, seed);
        let generator = ScenarioGenerator::new(&map).unwrap();
        let (free, largest) = (generator.room(), generator.largest_part());
        assert!((180_000..300_000).contains(&free), "seed {seed}: {free}");
        assert!(u64::from(largest) * 100 >= u64::from(free) * 80, "seed {seed}: {largest} of {free}");
        // Cells look like the one to their right, as walls are smooth: about 178,000 would not, were they scattered.
        let edges = cells(&map).filter(|(x, y)| *x < 599 && map.is_passable(*x, *y) != map.is_passable(x + 1, *y));
        assert!(edges.count() < 60_000, "seed {seed}");
        // There are no tiny ones.
        assert!(sizes(&self::map(MapKind::Caves, 90, 90, Some(0.52), seed)).iter().all(|size| *size >= 40));
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
