//! Maps of a raster: on a grid they are direction maps, and units on other spaces learn the lanes of the grid.

use giveway_core::{CostLayer, MoveIn, NodeId, SharedLayer, SpaceGraph, WordReader, Words};
use giveway_lanes::{
    Blank, DirectionMap, DirectionRules, EdgeDirectionMap, Ends, InvalidCell, Raster, WorldDirectionMap,
};
use giveway_spaces::{Connectivity, FnSpace, Grid, Positions};
use proptest::prelude::*;

/// The cells of a grid of this size.
fn raster(width: f32, height: f32) -> Raster {
    Raster::new([-0.5, -0.5], [width, height], 1.0).unwrap()
}

fn blank(width: f32, height: f32) -> WorldDirectionMap {
    WorldDirectionMap::blank(raster(width, height), DirectionRules::paper())
}

/// Places in a row from x = 0 on, `apart` world units apart, at y = `row`.
fn chain(count: u32, apart: f32, row: f32) -> FnSpace<u32, Positions> {
    let beside = move |at: u32| [at.checked_sub(1), Some(at + 1).filter(|to| *to < count)].into_iter().flatten();
    let chain = FnSpace::new(count, move |at| beside(at).map(|to| (to, 1000))).unwrap();
    chain.with_positions(|at| [at as f32 * apart, row, 0.0]).unwrap()
}

/// The move of `space` from one place to another.
fn step<S: SpaceGraph>(space: &S, from: u32, to: u32) -> MoveIn<S> {
    space.moves(NodeId(from)).find(|m| m.to == NodeId(to)).unwrap()
}

/// The east components in a row of a map, times 10,000.
#[allow(clippy::cast_possible_truncation)] // at most 10,000
fn row(map: &WorldDirectionMap, width: u32, y: f32) -> Vec<i32> {
    (0..width).map(|x| (map.direction_at([x as f32, y, 0.0])[0] * 10_000.0).round() as i32).collect()
}

fn rules() -> impl Strategy<Value = DirectionRules> {
    let ends = prop_oneof![Just(Ends::Both), Just(Ends::Entered), Just(Ends::Left)];
    let blank = prop_oneof![Just(Blank::Zero), Just(Blank::Free)];
    (0.0..=1.0_f32, 0.0..=20.0_f32, ends, blank).prop_map(|(rate, weight, ends, blank)| {
        DirectionRules::paper().rate(rate).weight(weight).ends(ends).blank(blank)
    })
}

proptest! {
    /// On the raster of a grid, the map is the direction map of the grid, bit for bit.
    #[test]
    fn on_its_grid_it_is_a_direction_map(
        rules in rules(),
        walls in prop::collection::vec(0..48_u32, 0..20),
        eight: bool,
        neighbours in 0.0..=0.5_f32,
        moves in prop::collection::vec((0..48_u32, 0..8_usize), 0..60),
    ) {
        // Behind walls only the raster has neighbours.
        let is_open = neighbours > 0.25;
        let rules = if is_open { rules.neighbours(neighbours) } else { rules };
        let grid = Grid::from_fn(8, 6, |x, y| is_open || !walls.contains(&(y * 8 + x))).unwrap();
        let grid = if eight || is_open { grid.with_connectivity(Connectivity::Eight) } else { grid };
        let (expected, found) = (DirectionMap::blank(&grid, rules), WorldDirectionMap::blank(raster(8.0, 6.0), rules));
        for (from, number) in moves {
            let Some(m) = grid.moves(NodeId(from)).nth(number) else { continue };
            expected.moved(&grid, &m);
            found.moved(&grid, &m);
        }
        prop_assert!(found.in_space(&grid) == expected);
        for m in grid.nodes().flat_map(|node| grid.moves(node)) {
            let [from, to] = [m.from, m.to].map(|node| giveway_core::Embedding::position(&grid, node));
            prop_assert_eq!(found.charge(from, to).to_bits(), expected.charge(&grid, &m).to_bits());
        }
    }

    /// A long move along a row is as many moves over one cell each.
    #[test]
    fn a_long_move_is_many_steps(
        rules in rules(),
        apart in 2..6_u32,
        moves in prop::collection::vec((0..3_u32, any::<bool>()), 1..20),
    ) {
        let [long, short] = [chain(4, apart as f32, 1.0), chain(3 * apart + 1, 1.0, 1.0)];
        let blank = || WorldDirectionMap::blank(raster(20.0, 3.0), rules);
        let (by_long, by_short) = (blank(), blank());
        for (at, is_east) in moves {
            let [from, to] = if is_east { [at, at + 1] } else { [at + 1, at] };
            let m = step(&long, from, to);
            let steps = (0..apart).map(|by| {
                let [from, to] = if is_east { [by, by + 1] } else { [apart - by, apart - by - 1] };
                step(&short, at * apart + from, at * apart + to)
            });
            let position = |node: NodeId| giveway_core::Embedding::position(&short, node);
            let sum: f64 = steps.clone().map(|m| by_short.charge(position(m.from), position(m.to))).sum();
            let found = by_long.charge([(from * apart) as f32, 1.0, 0.0], [(to * apart) as f32, 1.0, 0.0]);
            prop_assert!((sum - found).abs() < 1e-9, "{sum}, not {found}");
            by_long.moved(&long, &m);
            steps.for_each(|m| by_short.moved(&short, &m));
            prop_assert!(by_long == by_short);
        }
    }

    /// Whatever moves are made, charges are in their range.
    #[test]
    fn charges_stay_in_range(
        moves in prop::collection::vec(any::<([f32; 3], [f32; 3])>(), 0..30),
        near in prop::collection::vec((prop::array::uniform3(-3.0..9.0_f32), prop::array::uniform3(-3.0..9.0_f32)), 0..30),
    ) {
        let map = WorldDirectionMap::blank(raster(6.0, 5.0).levels(0.0, 2.0, 3).unwrap(), DirectionRules::paper());
        for (from, to) in moves.into_iter().chain(near) {
            map.learn(from, to);
            let charge = map.charge(from, to);
            prop_assert!((0.0..=10.0 * 6.0).contains(&charge), "{charge}");
        }
        for (cell, vector) in map.cell_directions() {
            prop_assert!(DirectionMap::is_direction(vector), "{cell}: {vector:?}");
        }
    }
}

/// Points on a grid, wagons with moves over three cells, and points on hexes.
#[test]
fn units_on_different_spaces_learn_one_lane() {
    let map = SharedLayer::new(blank(9.0, 3.0));
    let (villagers, wagons) = (map.clone(), map.clone());
    let (grid, track) = (Grid::open(9, 3).unwrap(), chain(3, 3.0, 1.0));
    // Nodes of the middle row are 9 to 17.
    villagers.moved(&grid, &step(&grid, 9, 10));
    villagers.moved(&grid, &step(&grid, 10, 11));
    assert_eq!(row(&map, 9, 1.0), [4000, 6400, 4000, 0, 0, 0, 0, 0, 0]);
    wagons.moved(&track, &step(&track, 0, 1));
    assert_eq!(row(&map, 9, 1.0), [6400, 8704, 7840, 4000, 0, 0, 0, 0, 0], "cells on its way learn twice");
    // The second row of hexes that are a unit across.
    let hexes = FnSpace::new(4, |at| (at < 3).then_some((at + 1, 1000))).unwrap();
    let hexes = hexes.with_positions(|at| [at as f32 + 0.5, 0.866, 0.0]).unwrap();
    map.moved(&hexes, &step(&hexes, 2, 3));
    assert_eq!(row(&map, 9, 1.0), [6400, 8704, 7840, 6400, 4000, 0, 0, 0, 0]);
    // All of them pay.
    assert!(map.charge([2.0, 1.0, 0.0], [1.0, 1.0, 0.0]) > 8.0);
    assert_eq!(row(&map, 9, 0.0), [0; 9]);
    // Enemies do not learn any of this.
    let enemies = SharedLayer::new(blank(9.0, 3.0));
    enemies.moved(&grid, &step(&grid, 10, 9));
    assert_eq!(row(&enemies, 9, 1.0), [-4000, -4000, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(enemies.charge([7.0, 1.0, 0.0], [8.0, 1.0, 0.0]), 5.0, "a blank for them");
}

#[test]
fn a_move_within_a_cell_is_none() {
    let (map, fine) = (blank(4.0, 1.0), chain(8, 0.4, 0.0));
    // From 0 to 0.4 is within cell 0, and from 0.4 to 0.8 leads to cell 1.
    map.moved(&fine, &step(&fine, 0, 1));
    assert_eq!(map.cell_directions().count(), 0);
    assert_eq!(map.charge([0.0, 0.0, 0.0], [0.4, 0.0, 0.0]), 0.0);
    map.moved(&fine, &step(&fine, 1, 2));
    assert_eq!(row(&map, 4, 0.0), [4000, 4000, 0, 0]);
}

#[test]
fn each_floor_has_lanes_of_its_own() {
    let raster = raster(5.0, 1.0).levels(-1.5, 3.0, 2).unwrap();
    let map = WorldDirectionMap::blank(raster, DirectionRules::paper());
    map.learn([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    map.learn([1.0, 0.0, 3.0], [0.0, 0.0, 3.0]);
    assert_eq!(map.direction_at([0.0, 0.0, 0.3]), [0.4, 0.0, 0.0]);
    assert_eq!(map.direction_at([0.0, 0.0, 2.8]), [-0.4, 0.0, 0.0]);
    // Up a lift.
    map.learn([4.0, 0.0, 0.0], [4.0, 0.0, 3.0]);
    assert_eq!([0.0, 3.0].map(|z| map.direction_at([4.0, 0.0, z])[2]), [0.4, 0.4]);
}

#[test]
fn neighbours_are_the_cells_around() {
    let map = WorldDirectionMap::blank(raster(5.0, 3.0), DirectionRules::paper().neighbours(0.1));
    map.learn([1.0, 1.0, 0.0], [2.0, 1.0, 0.0]);
    assert_eq!(row(&map, 5, 0.0), [0, 1000, 1000, 1000, 0]);
    assert_eq!(row(&map, 5, 1.0), [0, 4000, 4000, 1000, 0]);
    assert_eq!(row(&map, 5, 2.0), row(&map, 5, 0.0));
}

/// A move from beside the raster teaches the cell on it.
#[test]
fn beside_the_raster_all_is_blank() {
    let map = blank(3.0, 1.0);
    map.learn([-40.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    assert_eq!(row(&map, 3, 0.0), [0, 4000, 0]);
    assert_eq!(map.charge([-9.0, 0.0, 0.0], [-8.0, 0.0, 0.0]), 5.0);
    map.freeze();
    map.learn([1.0, 0.0, 0.0], [2.0, 0.0, 0.0]);
    assert_eq!(row(&map, 3, 0.0), [0, 4000, 0]);
    let refused = |cell, vector: [f32; 3]| assert_eq!(map.set_cell(cell, vector), Err(InvalidCell { cell, vector }));
    refused(3, [0.0; 3]);
    refused(0, [0.8, 0.8, 0.0]);
    assert_eq!(map.set_cell(2, [0.0, -1.0, 0.0]), Ok(()));
    assert_eq!(map.direction_at([2.0, 0.0, 0.0]), [0.0, -1.0, 0.0]);
}

/// What two layers share is written once, and read only where it is shared alike.
#[test]
fn a_shared_map_is_written_once() {
    type OnGrid<'a> = &'a dyn CostLayer<Grid>;
    let learned = || {
        let map = blank(8.0, 6.0);
        (0..7).for_each(|x| map.learn([x as f32, 3.0, 0.0], [x as f32 + 1.0, 3.0, 0.0]));
        SharedLayer::new(map)
    };
    let written = |layers: [OnGrid<'_>; 2]| {
        let mut words = Words::new();
        layers.iter().for_each(|layer| layer.write_to(&mut words));
        words.into_bytes()
    };
    let read = |bytes: &[u8], layers: [OnGrid<'_>; 2]| {
        let mut words = WordReader::new(bytes);
        layers.iter().try_for_each(|layer| layer.read_from(&mut words)).map(|()| words.is_at_end())
    };
    let (one, other) = (learned(), learned());
    let (together, apart) = (written([&one, &one]), written([&one, &other]));
    assert_eq!(2 * (together.len() - 1), apart.len());
    let (first, second) = (SharedLayer::new(blank(8.0, 6.0)), SharedLayer::new(blank(8.0, 6.0)));
    assert_eq!(read(&together, [&first, &first]), Ok(true));
    assert!(*first == *one);
    assert!(read(&together, [&first, &second]).is_err());
    assert!(read(&apart, [&first, &first]).is_err());
    assert_eq!(read(&apart, [&first, &second]), Ok(true));
    assert!(*second == *one);
    // Beside another layer, and not where a map of another raster is.
    let grid = Grid::open(2, 1).unwrap();
    let beside = (EdgeDirectionMap::blank(&grid, DirectionRules::paper()), one.clone());
    assert_eq!(read(&written([&beside, &one]), [&beside, &one]), Ok(true));
    let small = SharedLayer::new(blank(8.0, 5.0));
    assert!(read(&together, [&small, &small]).is_err());
}
