//! The sectors of maps, against floods of the maps themselves.

use giveway_core::{Embedding, Fuel, Goals, Heuristic, NoPath, NodeId, Point, SpaceGraph, SpatialSearch};
use giveway_distance::{DistanceTable, Predecessors};
use giveway_spaces::Connectivity::{Eight, Four};
use giveway_spaces::{CornerCutting, FnSpace, Grid};
use proptest::prelude::*;

use super::sectors::{Position, Sectors};
use super::survey::Survey;
use super::terrain::Terrain;

fn surveyed<S: SpaceGraph>(space: &S, squares: (u32, Position<S>)) -> Sectors {
    let terrain = Terrain { space, footprint: &Point::swap_rule(space), layer: &() };
    let mut survey = Survey::begin(space);
    // Whatever the fuel, the survey goes on where it stopped.
    loop {
        if let Ok(sectors) = survey.go_on(&terrain, squares, &mut Fuel::work(7)) {
            return sectors;
        }
    }
}

fn sectors_of<S: Embedding<Action: 'static>>(space: &S, side: u32) -> Sectors {
    surveyed(space, (side, S::position))
}

#[test]
fn sectors_are_what_hangs_together_in_a_square() {
    // The picture, whether diagonals count, the side, and the sector of each cell.
    let rows: [(&[&str], bool, u32, &[&str]); 11] = [
        (&["....", "...."], false, 2, &["0011", "0011"]),
        (&["....", "...."], false, 3, &["0001", "0001"]),
        (&["....", "....", "...."], false, 2, &["0011", "0011", "2233"]),
        (&["...", "..@"], false, 1, &["012", "34@"]),
        (&["...", "..@"], false, 100, &["000", "00@"]),
        // A wall divides the square, though there is a way round outside of it.
        (&[".@..", ".@..", "...."], false, 2, &["0@11", "0@11", "2233"]),
        (&[".@.", ".@.", ".@."], false, 3, &["0@1", "0@1", "0@1"]),
        (&["...", ".@.", "..."], false, 3, &["000", "0@0", "000"]),
        (&["@@@@", "@@.@"], false, 2, &["@@@@", "@@0@"]),
        (&[".@", "@."], false, 2, &["0@", "@1"]),
        (&[".@", "@."], true, 2, &["0@", "@0"]),
    ];
    for (picture, diagonals, side, expected) in rows {
        let grid = Grid::from_ascii(&picture.join("\n")).unwrap();
        let grid = grid.with_connectivity(if diagonals { Eight } else { Four });
        let grid = grid.with_corner_cutting(CornerCutting::Always);
        let sectors = sectors_of(&grid, side);
        let cell = |x, y| match sectors.at(grid.node(x, y).unwrap()) {
            Some(sector) => char::from_digit(sector.0, 10).unwrap(),
            None => '@',
        };
        let drawn: Vec<String> = (0..grid.height()).map(|y| (0..grid.width()).map(|x| cell(x, y)).collect()).collect();
        assert_eq!(drawn, expected, "{picture:?} by {side}");
    }
}

/// The price of a move over sectors is the octile distance between the means.
#[test]
fn sectors_are_connected_where_a_move_leads_across() {
    type Moves<'a> = &'a [(u32, u32, u64)];
    let rows: [(&[&str], u32, Moves<'_>); 3] = [
        (&["....", "...."], 2, &[(0, 1, 2000), (1, 0, 2000)]),
        (
            &["..@@", ".@@.", "...."],
            2,
            &[(0, 2, 1736), (1, 3, 1_208), (2, 0, 1736), (2, 3, 2000), (3, 1, 1_208), (3, 2, 2000)],
        ),
        (&[".@."], 1, &[]),
    ];
    for (picture, side, expected) in rows {
        let grid = Grid::from_ascii(&picture.join("\n")).unwrap();
        let sectors = sectors_of(&grid, side);
        let nodes = u32::try_from(sectors.node_bound()).unwrap();
        let moves = (0..nodes).flat_map(|node| sectors.moves(NodeId(node))).map(|m| (m.from.0, m.to.0, m.cost));
        assert_eq!(moves.collect::<Vec<_>>(), expected, "{picture:?}");
    }
}

#[test]
fn moves_within_a_square_connect_both_ways_and_moves_across_one_way() {
    // 0 -> 1 in one square, -> 2 in the next.
    let space = FnSpace::new(3, |node| (node < 2).then_some((node + 1, 1000))).unwrap();
    let positions =
        |_: &FnSpace<u32>, node: NodeId| [[0.0, 0.0, 0.0], [-0.0, 9.5, 1.0], [0.0, 10.0, 9.0]][node.index()];
    let sectors = surveyed(&space, (10, positions));
    assert_eq!([0, 1, 2].map(|node| sectors.at(NodeId(node))), [0, 0, 1].map(|sector| Some(NodeId(sector))));
    assert_eq!([0, 1].map(|sector| sectors.moves(NodeId(sector)).count()), [1, 0]);
}

/// A map of up to 12 x 12, whose walls are a quarter of the cells, with diagonals or without.
fn maps() -> impl Strategy<Value = Grid> {
    let cells = proptest::collection::vec(0..4_u8, 144);
    (1..=12_u32, 1..=12_u32, cells, any::<bool>()).prop_map(|(width, height, cells, diagonals)| {
        let grid = Grid::from_fn(width, height, |x, y| cells[(y * 12 + x) as usize] > 0).unwrap();
        grid.with_connectivity(if diagonals { Eight } else { Four })
    })
}

/// Where one can come from `start` by moves of which `within` is true.
fn reached(space: &impl SpaceGraph, start: NodeId, within: impl Fn(NodeId) -> bool) -> Goals {
    let mut seen = vec![start];
    let mut next = 0;
    while let Some(node) = seen.get(next).copied() {
        next += 1;
        for m in space.moves(node) {
            if within(m.to) && !seen.contains(&m.to) {
                seen.push(m.to);
            }
        }
    }
    seen.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sectors_divide_the_map_and_hang_together(grid in maps(), side in 1..=14_u32) {
        let sectors = sectors_of(&grid, side);
        let nodes = || (0..u32::try_from(grid.node_bound()).unwrap()).map(NodeId);
        for node in nodes() {
            prop_assert_eq!(sectors.at(node).is_some(), grid.contains(node));
            let Some(sector) = sectors.at(node) else { continue };
            let square = |node| { let (x, y) = grid.xy(node); (x / side, y / side) };
            let hangs = reached(&grid, node, |other| square(other) == square(node));
            prop_assert_eq!(sectors.nodes(sector), &hangs);
        }
    }

    #[test]
    fn over_sectors_there_is_a_way_exactly_where_there_is_one(grid in maps(), side in 1..=14_u32, start: u32, goal: u32) {
        let sectors = sectors_of(&grid, side);
        let bound = u32::try_from(grid.node_bound()).unwrap();
        let [start, goal] = [start, goal].map(|node| NodeId(node % bound));
        prop_assume!(grid.contains(start));
        let goals = Goals::one(goal);
        let way = sectors.way(&mut SpatialSearch::new(), start, &goals, &mut Fuel::unlimited(), &mut ());
        let reachable = grid.contains(goal) && reached(&grid, start, |_| true).contains(goal);
        prop_assert_eq!(way.is_ok(), reachable);
        let Ok(way) = way else {
            prop_assert_eq!(way, Err(NoPath::Exhausted));
            return Ok(());
        };
        prop_assert_eq!((way.first().copied(), way.last().copied()), (sectors.at(start), sectors.at(goal)));
        for pair in way.windows(2) {
            prop_assert!(sectors.moves(pair[0]).any(|m| m.to == pair[1]));
        }
        // As cheap as by a search without an estimate.
        let to = sectors.at(goal).unwrap();
        let known = DistanceTable::new(&sectors, Predecessors::from_space(&sectors), Goals::one(to));
        let distance = { known }.estimate(&sectors, way[0], &mut Fuel::unlimited()).unwrap().unwrap();
        let cost = |pair: &[NodeId]| sectors.moves(pair[0]).find(|m| m.to == pair[1]).unwrap().cost;
        prop_assert_eq!(way.windows(2).map(cost).sum::<u64>(), distance);
    }

    #[test]
    fn what_is_left_to_a_sector_is_never_overestimated(grid in maps(), side in 1..=14_u32, goal: u32) {
        let sectors = sectors_of(&grid, side);
        let goal = NodeId(goal % u32::try_from(grid.node_bound()).unwrap());
        if let Some(sector) = sectors.at(goal) {
            let towards = || sectors.towards(sector, Grid::position);
            prop_assert_eq!(giveway_conformance::heuristic(&grid, sectors.nodes(sector), towards), Ok(()));
        }
    }
}

/// Beside a box the estimate is what the way there costs, with diagonals too.
#[test]
fn what_is_left_to_a_sector_is_told_exactly_on_an_open_map() {
    let grid = Grid::open(12, 12).unwrap().with_connectivity(Eight);
    let sectors = sectors_of(&grid, 4);
    let at = |x, y| grid.node(x, y).unwrap();
    let sector = sectors.at(at(5, 5)).unwrap();
    let mut towards = sectors.towards(sector, Grid::position);
    let mut left = |x, y| towards.estimate(&grid, at(x, y), &mut Fuel::unlimited()).unwrap().unwrap();
    assert_eq!([left(5, 6), left(0, 5), left(0, 0), left(11, 3), left(8, 11)], [0, 4000, 5656, 4414, 4414]);
}
