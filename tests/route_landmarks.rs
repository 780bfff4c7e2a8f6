//! Landmarks that lead the searches for routes of ways in two levels, and the work of a tick that goes into ways.

use giveway::heuristic::{Heuristic, HeuristicSource, Hierarchy, ROUGH, TrueDistances, Zero};
use giveway::search::Fuel;
use giveway::spaces::{Editable, Grid};
use giveway::words::{WordReader, Words};
use giveway::{Goals, NodeId};

use crate::golden::worlds::nodes;
use crate::living::Random;
use crate::ways::{estimate, walk, walk_by};

/// Ground on which a straight line seldom leads on.
fn noise(side: u32, seed: u64) -> (Grid, Vec<NodeId>) {
    let mut random = Random::new(seed);
    let grid = Grid::from_fn(side, side, |_, _| random.below(100) >= 40).unwrap();
    let places = nodes(&grid);
    let exact = &mut TrueDistances::<Grid, Zero>::tables();
    let largest = places.iter().step_by(places.len() / 40).map(|place| {
        let goals = Goals::one(*place);
        places.iter().copied().filter(|from| estimate(exact, &grid, &goals, *from).is_some()).collect::<Vec<_>>()
    });
    let largest = largest.max_by_key(Vec::len).unwrap();
    (grid, largest)
}

#[test]
fn where_walls_mislead_ways_soon_cost_less() {
    let (grid, places) = noise(200, 1);
    let mut random = Random::new(2);
    let (mut ways, mut exact) = (Hierarchy::new().from_size(0), TrueDistances::<Grid, Zero>::tables());
    let (mut work, mut sums) = (Vec::new(), [0, 0]);
    for _ in 0..120 {
        let (from, goals) = (random.choose(&places), Goals::one(random.choose(&places)));
        let before = ways.reverse_expanded();
        estimate(&mut ways, &grid, &goals, from).unwrap();
        work.push(ways.reverse_expanded() - before);
        sums[0] += walk(&mut ways, &grid, &goals, from).unwrap();
        sums[1] += estimate(&mut exact, &grid, &goals, from).unwrap();
        ways.release(&goals);
        exact.release(&goals);
    }
    let of = |range: std::ops::Range<usize>| work[range].iter().sum::<u64>();
    assert!(2 * of(80..120) < of(0..40), "{work:?}");
    assert!(f64::from(sums[0]) < 1.03 * f64::from(sums[1]), "{sums:?}");
}

/// Some units of work at a time, edits, and at any time words that another source reads.
#[test]
fn ways_that_are_written_and_read_again_go_on_alike() {
    for (seed, edit) in [(1, None), (3, Some(false)), (5, Some(true))] {
        let (mut grid, places) = noise(120, seed);
        let mut random = Random::new(seed);
        let mut ways: Hierarchy<Grid> = Hierarchy::new().from_size(0);
        ways.begin_tick(2000);
        let mut errand = (places[0], Goals::one(places[1]));
        let mut is_known = true;
        for round in 0..600 {
            if is_known {
                errand = (random.choose(&places), Goals::one(random.choose(&places)));
            }
            if let Some(opens) = edit.filter(|_| round % 40 == 39) {
                let node = if opens {
                    NodeId(u32::try_from(random.below(120 * 120)).unwrap())
                } else {
                    random.choose(&places)
                };
                grid.set_open(node, opens);
            }
            let (from, goals) = &errand;
            let ask = |ways: &mut Hierarchy<Grid>| {
                let fuel = &mut Fuel::work(40);
                let found = ways.heuristic(&grid, goals, *from).estimate(&grid, *from, fuel);
                if round % 7 == 0 {
                    ways.end_tick(&grid, &mut std::iter::once((goals, *from)), &mut Fuel::work(30));
                    ways.begin_tick(2000);
                }
                (found, fuel.left(), ways.reverse_expanded())
            };
            let mut words = Words::new();
            ways.write_to(&grid, &mut words);
            let bytes = words.into_bytes();
            let mut copy: Hierarchy<Grid> = Hierarchy::new().from_size(0);
            copy.read_from(&grid, &mut WordReader::new(&bytes)).unwrap();
            let mut again = Words::new();
            copy.write_to(&grid, &mut again);
            assert!(again.into_bytes() == bytes, "round {round}: written alike");
            let answers = [ask(&mut copy), ask(&mut ways)];
            assert_eq!(answers[0], answers[1], "round {round}");
            is_known = answers[0].0.is_ok();
            if round % 2 == 0 {
                ways = copy;
            }
        }
    }
}

#[test]
fn a_door_that_opens_is_used_and_one_that_closes_is_not() {
    let mut grid = Grid::from_fn(160, 160, |x, y| x % 20 != 10 || (y + x / 20 * 61) % 160 == 3).unwrap();
    let mut ways: Hierarchy<Grid> = Hierarchy::new().from_size(0);
    let mut random = Random::new(7);
    walk_by(&mut ways, &grid, 60, &mut random);
    for (x, y) in [(50, 100), (70, 20), (110, 150)] {
        for is_open in [true, false] {
            grid.set_open(grid.node(x, y).unwrap(), is_open);
            let (steps, shortest) = walk_by(&mut ways, &grid, 30, &mut random);
            assert!(f64::from(steps) < 1.02 * f64::from(shortest), "{steps} for {shortest}");
        }
    }
}

#[test]
fn what_a_tick_leaves_over_goes_to_the_ways_that_agents_wait_for() {
    let grid = Grid::from_fn(300, 300, |x, y| x % 40 != 20 || y % 300 > 280).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let goals: Vec<Goals> = (0..40).map(|y| Goals::one(at(299, 7 * y))).collect();
    let rough_after = |left: u64| {
        let mut ways: Hierarchy<Grid> = Hierarchy::new().from_size(0);
        ways.begin_tick(1000);
        for goals in &goals {
            ways.heuristic(&grid, goals, at(0, 0)).estimate(&grid, at(0, 0), &mut Fuel::work(1000)).unwrap();
        }
        ways.end_tick(&grid, &mut goals.iter().map(|goals| (goals, at(0, 0))), &mut Fuel::work(left));
        goals.iter().filter(|goals| ways.epoch(&grid, goals, at(0, 0)) == ROUGH).count()
    };
    let [none, some, many] = [0, 4000, 10_000].map(rough_after);
    assert!(none == 40 && (1..30).contains(&some) && many == 0, "{none}, {some}, {many}");
}
