//! The grid: rows of pictures, and proptests against the plain words of its contract.

use std::collections::BTreeMap;

use giveway_core::heuristic::Heuristic;
use giveway_core::{Area, Change, Editable, Embedding, Fuel, Goals, Move, NodeId, SpaceGraph};
use giveway_distance::{DistanceTable, Predecessors};
use giveway_spaces::{CellAt, Connectivity, CornerCutting, Direction, Floors, Grid, SpaceError};
use proptest::prelude::*;
use proptest::sample::select;

use Connectivity::{Eight, Four};
use CornerCutting::{Always, Never, OneFree};

type MoveOnGrid = Move<Direction, u32>;

/// From `A` a move leads to every `*` and to no other cell.
fn leads<const N: usize>(connectivity: Connectivity, corners: CornerCutting, picture: [&str; N]) {
    let grid = Grid::from_ascii(&picture.join("\n")).unwrap();
    let grid = grid.with_connectivity(connectivity).with_corner_cutting(corners);
    let cells = || {
        let rows = (0_u32..).zip(picture);
        rows.flat_map(|(y, row)| (0_u32..).zip(row.chars()).map(move |(x, cell)| (x, y, cell)))
    };
    let node = |(x, y, _): (u32, u32, char)| grid.node(x, y).unwrap();
    let start = cells().find(|(.., cell)| *cell == 'A').unwrap();
    let mut reached: Vec<NodeId> = grid.moves(node(start)).map(|m| m.to).collect();
    reached.sort_unstable();
    let expected: Vec<NodeId> = cells().filter(|(.., cell)| *cell == '*').map(node).collect();
    assert_eq!(reached, expected, "{corners:?}: {picture:#?}");
}

#[test]
fn four_neighbours_know_no_diagonals() {
    for corners in [Never, OneFree, Always] {
        leads(Four, corners, [".*.", "*A*", ".*."]);
        leads(Four, corners, [".#.", "*A#", ".*."]);
        leads(Four, corners, ["A*", "*."]);
        leads(Four, corners, ["A"]);
    }
}

#[test]
fn a_diagonal_beside_walls_is_a_matter_of_the_rule() {
    for corners in [Never, OneFree, Always] {
        leads(Eight, corners, ["***", "*A*", "***"]);
        leads(Eight, corners, ["###", "#A#", "###"]);
        leads(Eight, corners, ["A*", "**"]);
        // The end of a diagonal must be free under every rule.
        leads(Eight, corners, ["#*#", "*A*", "#*#"]);
    }
    leads(Eight, Never, [".#.", "*A*", "***"]);
    leads(Eight, OneFree, ["*#*", "*A*", "***"]);
    leads(Eight, Always, ["*#*", "*A*", "***"]);

    leads(Eight, Never, [".#.", "#A*", ".**"]);
    leads(Eight, OneFree, [".#*", "#A*", "***"]);
    leads(Eight, Always, ["*#*", "#A*", "***"]);

    leads(Eight, Never, [".#.", "#A#", ".#."]);
    leads(Eight, OneFree, [".#.", "#A#", ".#."]);
    leads(Eight, Always, ["*#*", "#A#", "*#*"]);

    // The edge of the map is no wall, and no way either.
    leads(Eight, Never, ["A#", "*."]);
    leads(Eight, OneFree, ["A#", "**"]);
    leads(Eight, Always, ["A#", "#*"]);
}

#[test]
fn every_letter_of_the_benchmarks_for_a_wall_is_one() {
    for wall in ['#', '@', 'O', 'T', 'W'] {
        assert!(!Grid::from_ascii(&format!(".{wall}")).unwrap().is_passable(1, 0));
    }
    for free in ['.', 'G', 'S', ' ', 'o', '0'] {
        assert!(Grid::from_ascii(&format!(".{free}.")).unwrap().is_passable(1, 0));
    }
    let grid = Grid::from_ascii("\n\n  .#  \r\n\n\t..\n").unwrap();
    assert_eq!((grid.width(), grid.height()), (2, 2));
    let free = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2)].map(|(x, y)| grid.is_passable(x, y));
    assert_eq!(free, [true, false, true, true, false, false]);
}

#[test]
fn moves_cost_by_the_terrain_they_enter() {
    let costs = |grid: &Grid, x: u32, y: u32| -> Vec<(Direction, u32)> {
        grid.moves(grid.node(x, y).unwrap()).map(|m| (m.action, m.cost)).collect()
    };
    use Direction::{East, North, NorthWest, South, SouthEast, West};
    let grid = Grid::open(2, 2).unwrap().with_connectivity(Eight);
    assert_eq!(costs(&grid, 0, 0), [(East, 1000), (South, 1000), (SouthEast, 1414)]);
    let weights = [[1, 2], [3, 4]];
    let swamp = grid.with_terrain(|x, y| weights[y as usize][x as usize]).unwrap();
    assert_eq!(costs(&swamp, 0, 0), [(East, 2000), (South, 3000), (SouthEast, 5656)]);
    assert_eq!(costs(&swamp, 1, 1), [(North, 2000), (West, 3000), (NorthWest, 1414)]);
    // The largest weight there is.
    let most = 1000;
    let steep = swamp.with_terrain(|_, _| most).unwrap();
    assert_eq!(costs(&steep, 0, 0)[2], (SouthEast, 1414 * most));
}

#[test]
fn only_a_plain_four_connected_grid_has_one_cost() {
    let grid = Grid::open(3, 3).unwrap();
    assert_eq!(grid.facts().uniform_cost, Some(1000));
    assert_eq!(grid.clone().with_connectivity(Eight).facts().uniform_cost, None);
    let weighted = grid.with_terrain(|x, _| x + 1).unwrap();
    assert_eq!(weighted.facts().uniform_cost, None);
    assert_eq!(weighted.with_terrain(|_, _| 1).unwrap().facts().uniform_cost, Some(1000));
}

#[test]
fn the_revision_grows_with_every_change() {
    let mut grid = Grid::open(3, 3).unwrap();
    let mut last = grid.revision();
    let mut grown = |grid: &Grid| {
        assert!(grid.revision() > last);
        last = grid.revision();
    };
    grid = grid.with_connectivity(Eight);
    grown(&grid);
    grid = grid.with_corner_cutting(Always);
    grown(&grid);
    grid = grid.with_terrain(|_, _| 2).unwrap();
    grown(&grid);
    grid = grid.with_terrain(|_, _| 1).unwrap();
    grown(&grid);
    grid = grid.with_connectivity(Four);
    grown(&grid);
}

#[test]
fn what_is_no_grid_is_an_error_that_says_why() {
    let row = |result: Result<Grid, SpaceError>, error: SpaceError, message: &str| {
        assert_eq!(result, Err(error));
        assert_eq!(error.to_string(), message);
    };
    let empty = "a grid needs at least one row and one column";
    row(Grid::from_ascii(""), SpaceError::Empty { needs: empty }, empty);
    row(Grid::from_ascii(" \n\n  "), SpaceError::Empty { needs: empty }, empty);
    row(Grid::open(0, 5), SpaceError::Empty { needs: empty }, empty);
    row(Grid::open(5, 0), SpaceError::Empty { needs: empty }, empty);
    // Lines are counted as in the text, empty ones included.
    row(
        Grid::from_ascii("\n..\n\n...\n."),
        SpaceError::Ragged { line: 4, found: 3, expected: 2 },
        "line 4 of the picture has 3 cells, the first row has 2",
    );
    for (width, height) in [(1 << 15, 1 << 15), (u32::MAX, u32::MAX), (u32::MAX, 1)] {
        row(
            Grid::from_fn(width, height, |_, _| unreachable!()),
            SpaceError::GridTooLarge { width, height },
            &format!("a grid of {width} x {height} cells is too large: at most 1073741823 cells fit"),
        );
    }
    let weighted = |weight: u32| {
        let picture = Grid::from_ascii("..\n.#").unwrap();
        picture.with_terrain(|x, y| if (x, y) == (0, 1) { weight } else { 1 })
    };
    let error = |weight| SpaceError::Weight { at: CellAt::Grid([0, 1]), weight };
    row(weighted(0), error(0), "the weight 0 of cell (0, 1) is not between 1 and 1000");
    row(weighted(1001), error(1001), "the weight 1001 of cell (0, 1) is not between 1 and 1000");
    assert!(weighted(1000).is_ok());
    // What a wall weighs does not matter.
    let walls = Grid::from_ascii("..\n.#").unwrap();
    assert!(walls.with_terrain(|x, y| u32::from((x, y) != (1, 1))).is_ok());
}

#[test]
fn cells_and_nodes_tell_each_other_however_long_the_rows() {
    for (width, height) in
        [(1, 1), (2, 1), (1, 2), (3, 5), (255, 7), (65_537, 1), (65_535, 3), (1, 70_000), (3, 50_001), (99_999, 2)]
    {
        let grid = Grid::from_fn(width, height, |_, _| false).unwrap();
        let mut expected = 0;
        for y in 0..height {
            for x in 0..width {
                let node = grid.node(x, y).unwrap();
                assert_eq!((node.0, grid.xy(node)), (expected, (x, y)), "{width} x {height}");
                expected += 1;
            }
        }
        assert_eq!(grid.node_bound(), expected as usize);
        assert_eq!((grid.node(width, 0), grid.node(0, height)), (None, None));
        assert_eq!(grid.node(u32::MAX, u32::MAX), None);
        for beyond in [expected, u32::MAX - 1, u32::MAX] {
            assert_eq!(grid.xy(NodeId(beyond)), (beyond % width, beyond / width));
            assert!(!grid.contains(NodeId(beyond)));
            assert_eq!(grid.moves(NodeId(beyond)).count(), 0);
            assert!(grid.moves_into(NodeId(beyond)).is_some_and(|mut moves| moves.next().is_none()));
        }
    }
}

/// A corridor to and fro, of 401 cells for each pair of rows, and beside its first row a room that nothing leads to.
fn corridor() -> (Grid, Vec<NodeId>) {
    let (width, height) = (403, 400);
    let is_free =
        |x: u32, y: u32| x < 400 && (y.is_multiple_of(2) || x == if y % 4 == 1 { 399 } else { 0 }) || x == 402;
    let grid = Grid::from_fn(width, height, is_free).unwrap();
    let rows = (0..height).flat_map(|y| {
        let row = (0..400).filter(move |x| is_free(*x, y)).map(move |x| (x, y));
        let mut row: Vec<(u32, u32)> = row.collect();
        if y % 4 == 2 {
            row.reverse();
        }
        row
    });
    let cells = rows.map(|(x, y)| grid.node(x, y).unwrap()).collect();
    (grid, cells)
}

#[test]
fn distances_go_on_where_tiles_no_longer_do() {
    let (mut grid, cells) = corridor();
    assert!(cells.len() > 70_000, "more than 16 bits");
    let predecessors = Predecessors::from_space(&grid);
    let mut whole = DistanceTable::new(&grid, predecessors.clone(), Goals::one(cells[0]));
    let mut vacated = whole.clone();
    let check = |table: &mut DistanceTable<Grid>, grid: &Grid, steps: usize| {
        let distance = table.estimate(grid, cells[steps], &mut Fuel::unlimited());
        assert_eq!(distance, Ok(Some(1000 * u32::try_from(steps).unwrap())), "{steps} steps");
    };
    let near = [0, 1, 399, 800, 801, 5000, 9000];
    let far = [9001, 20_000, 65_533, 65_534, 65_535, 65_536, 70_000];
    for steps in near.into_iter().chain(far) {
        check(&mut whole, &grid, steps);
    }
    near.into_iter().for_each(|steps| check(&mut vacated, &grid, steps));
    // From a wall that units leave, moves lead one way: there are no tiles any more.
    assert!(grid.change(&Area::cells(402, 7, 1, 1).unwrap(), Change::Vacate));
    for steps in far.into_iter().chain(near) {
        check(&mut vacated, &grid, steps);
        check(&mut whole, &grid, steps);
    }
}

fn grids() -> impl Strategy<Value = Grid> {
    let cells = proptest::collection::vec(prop::bool::weighted(0.7), 36);
    let weights = proptest::collection::vec(1_u32..4, 36);
    (1_u32..7, 1_u32..7, cells, weights, select(vec![Four, Eight]), select(vec![Never, OneFree, Always])).prop_map(
        |(width, height, free, weights, connectivity, corners)| {
            let at = |x: u32, y: u32| (y * 6 + x) as usize;
            Grid::from_fn(width, height, |x, y| free[at(x, y)])
                .unwrap()
                .with_connectivity(connectivity)
                .with_corner_cutting(corners)
                .with_terrain(|x, y| weights[at(x, y)])
                .unwrap()
        },
    )
}

fn nodes(grid: &Grid) -> impl Iterator<Item = NodeId> {
    (0..).map(NodeId).take(grid.node_bound())
}

fn moves(grid: &Grid) -> Vec<MoveOnGrid> {
    nodes(grid).flat_map(|node| grid.moves(node)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn moves_are_what_directions_say(grid in grids()) {
        for m in moves(&grid) {
            let ((x, y), (u, v)) = (grid.xy(m.from), grid.xy(m.to));
            let (dx, dy) = m.action.offset();
            prop_assert_eq!((x.checked_add_signed(dx), y.checked_add_signed(dy)), (Some(u), Some(v)));
            prop_assert!(grid.contains(m.from) && grid.contains(m.to));
            let straight: f32 = if m.action.is_diagonal() { 2.0_f32.sqrt() } else { 1.0 };
            prop_assert_eq!(m.length, straight);
        }
        for node in nodes(&grid) {
            let actions: Vec<Direction> = grid.moves(node).map(|m| m.action).collect();
            prop_assert!(actions.is_sorted_by(|a, b| a < b), "out of order, or twice: {:?}", actions);
            let (x, y) = grid.xy(node);
            prop_assert_eq!(grid.contains(node), grid.is_passable(x, y));
            #[allow(clippy::cast_precision_loss)] // small
            let position = [x as f32, y as f32, 0.0];
            prop_assert_eq!(grid.position(node), position);
        }
    }

    #[test]
    fn moves_into_is_the_inverse_of_moves(grid in grids()) {
        let key = |m: &MoveOnGrid| (m.to, m.from, m.action);
        let mut forwards = moves(&grid);
        forwards.sort_unstable_by_key(key);
        let mut backwards: Vec<MoveOnGrid> =
            nodes(&grid).flat_map(|node| grid.moves_into(node).into_iter().flatten()).collect();
        prop_assert!(backwards.is_sorted_by_key(|m| m.to));
        backwards.sort_unstable_by_key(key);
        prop_assert_eq!(forwards, backwards);
    }

    #[test]
    fn those_who_meet_share_a_crossing_and_nobody_else(grid in grids()) {
        // Two steps between neighbours meet on their way if their middles are one point.
        let middle = |m: &MoveOnGrid| {
            let ((x, y), (u, v)) = (grid.xy(m.from), grid.xy(m.to));
            (x + u, y + v)
        };
        let mut crossing_at: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        let mut middle_of: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        for m in moves(&grid) {
            let crossing = grid.crossing(&m).unwrap();
            prop_assert!((crossing as usize) < grid.facts().crossing_bound);
            prop_assert_eq!(*crossing_at.entry(middle(&m)).or_insert(crossing), crossing);
            prop_assert_eq!(*middle_of.entry(crossing).or_insert(middle(&m)), middle(&m));
        }
    }
}

#[test]
fn points_have_nearest_nodes_where_units_fit() {
    let grid = Grid::from_ascii("...\n.#.\n...").unwrap();
    let at = |node: Option<NodeId>| node.map(|node| grid.xy(node));
    let rows = [
        ([0.2, 0.4], (0, 0)),
        ([-9.0, 40.0], (0, 2)),
        // Beside the wall; among equals the first.
        ([1.1, 1.0], (2, 1)),
        ([1.0, 1.0], (1, 0)),
        ([0.5, 0.0], (0, 0)),
    ];
    for (point, expected) in rows {
        assert_eq!(at(grid.nearest_node(point)), Some(expected), "{point:?}");
    }
    let closed = Grid::from_ascii("##").unwrap();
    assert_eq!(closed.nearest_node([0.0, 0.0]), None);
    // With a height, the floor counts, too.
    let floors = Floors::new([grid.clone(), grid.clone().at_height(3.0).unwrap()]).unwrap();
    assert_eq!(floors.nearest_node([0.0, 0.0, 2.0]), floors.node(1, 0, 0));
    assert_eq!(floors.nearest_node([0.0, 0.0]), floors.node(0, 0, 0));
}
