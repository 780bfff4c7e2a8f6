//! The properties of each kind of map.

use std::collections::HashSet;

use giveway_scenario::{CannotGenerate, Density, MapFile, MapGenerator, MapKind, ScenarioGenerator};

use crate::generate::{cells, free, map, rows, sizes};

/// Generated maps never change: benchmarks on them would change.
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
    // Where a side is even, there is nothing behind its last line to break through to.
    assert_eq!(rows(&map(MapKind::Maze, 6, 4, Some(0.0), 5)), [".....@", ".@.@.@", ".....@", "@@@@@@"]);
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
