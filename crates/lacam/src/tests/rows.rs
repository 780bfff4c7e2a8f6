//! Boards with a known outcome: pictures in, a number out.

use giveway_core::{Fuel, NoPath, Suspended};

use super::board::{Board, Rule};
use crate::plan_jointly;

const PLENTY: u64 = 1_000_000;

/// The sum of costs of the plan, and the fuel burnt.
fn plan(board: &mut Board, fuel: u64) -> Result<(u64, u64), NoPath> {
    let mut left = Fuel::work(fuel);
    let plan = plan_jointly(board, &mut left)?;
    Ok((board.sum_of_costs(&plan), fuel - left.left()))
}

/// The sums of costs in both orders.
#[track_caller]
fn costs(board: Board, expected: [u64; 2]) {
    let found = [board.clone(), board.reversed()].map(|mut board| plan(&mut board, PLENTY).unwrap().0);
    assert_eq!(found, expected);
}

/// There is no plan, and the search finds that out.
#[track_caller]
fn exhausted(board: Board) {
    for mut board in [board.clone(), board.reversed()] {
        assert_eq!(plan(&mut board, PLENTY), Err(NoPath::Exhausted));
    }
}

#[test]
fn two_exchange_ends_of_a_corridor_by_way_of_its_bay() {
    let board = || Board::pictures(&["A.....B", "@@@.@@@"], &["b.....a", "@@@.@@@"]);
    costs(board(), [17, 17]);
    costs(board().rule(Rule::Following), [18, 18]);
    exhausted(board().outsider((3, 1)));
}

#[test]
fn without_a_bay_they_cannot() {
    exhausted(Board::pictures(&["A.B....."], &[".....b.a"]));
    exhausted(Board::pictures(&["AB"], &["ba"]));
    // A goal behind a wall, one that is taken for ever, and one for two.
    exhausted(Board::pictures(&["A@."], &[".@a"]));
    exhausted(Board::pictures(&["A.."], &["..a"]).outsider((1, 0)));
    let mut board = Board::pictures(&["A.B"], &[".a."]);
    board.units[1].goals = board.units[0].goals.clone();
    exhausted(Board::new(board.grid, Rule::Swap, 1, board.units, Vec::new()));
}

#[test]
fn who_is_behind_in_a_dead_end_gets_out_first() {
    costs(Board::pictures(&["AB..", "@@.@"], &["ba..", "@@.@"]), [10, 10]);
    costs(Board::pictures(&["AB..", "@@.@"], &["..ba", "@@.@"]), [6, 6]);
    costs(
        Board::pictures(&["A..B", "@.@@", "C..D", "@.@@", "...."], &["d..c", "@.@@", "b..a", "@.@@", "...."]),
        [42, 42],
    );
}

#[test]
fn three_and_four_rotate_on_a_square() {
    let three = || Board::pictures(&["AB", "C."], &["ca", ".b"]);
    costs(three(), [3, 3]);
    costs(three().rule(Rule::Following), [6, 6]);
    let four = || Board::pictures(&["AB", "CD"], &["ca", "db"]);
    costs(four(), [4, 4]);
    exhausted(four().rule(Rule::Following));
}

#[test]
fn eight_in_nine_cells() {
    costs(Board::pictures(&["ABC", "D.E", "FGH"], &["dab", "f.c", "ghe"]), [8, 8]);
    costs(Board::pictures(&["ABC", "DEF", "GH."], &["bac", "def", "gh."]), [32, 14]);
}

#[test]
fn wide_units_need_wide_room() {
    costs(Board::pictures(&["A...B.", "@@...@"], &["b...a.", "@@...@"]).wide(2), [13, 13]);
    costs(Board::pictures(&["A.B.", "...."], &["b.a.", "...."]).wide(2), [7, 7]);
    exhausted(Board::pictures(&["A..B.", "@@.@@"], &["b..a.", "@@.@@"]).wide(2));
}

#[test]
fn any_goal_will_do() {
    let mut board = Board::pictures(&["AB..."], &["..a.a"]);
    board.units[1].goals = board.units[0].goals.clone();
    costs(Board::new(board.grid, Rule::Swap, 1, board.units, Vec::new()), [5, 5]);
    costs(Board::pictures(&["A.B"], &["aab"]), [0, 0]);
}

#[test]
fn fuel_is_counted_by_configurations_and_units() {
    let mut board = Board::pictures(&["A.....B", "@@@.@@@"], &["b.....a", "@@@.@@@"]);
    assert_eq!(plan(&mut board, PLENTY), Ok((17, 45)));
    assert_eq!(plan(&mut board, 41), Ok((17, 41)));
    assert_eq!(plan(&mut board, 40), Err(NoPath::Suspended(Suspended::OutOfFuel)));
}

#[test]
fn without_units_or_ways_to_go_nothing_is_done() {
    let mut board = Board::pictures(&["..."], &["..."]);
    assert_eq!(plan_jointly(&mut board, &mut Fuel::none()), Ok(Vec::new()));
    let mut board = Board::pictures(&["A.B"], &["a.b"]);
    assert_eq!(plan_jointly(&mut board, &mut Fuel::none()), Ok(vec![Vec::new(); 2]));
}

#[test]
fn two_may_begin_in_one_place_and_not_end_there() {
    let together = |goals: &[&str]| {
        let mut board = Board::pictures(&["A..", "B.."], goals);
        board.units[1].start = board.units[0].start;
        Board::new(board.grid, Rule::Swap, 1, board.units, Vec::new())
    };
    costs(together(&["a.b", "..."]), [2, 2]);
    costs(together(&["...", "a.b"]), [5, 5]);
    let mut board = together(&["a..", "..."]);
    board.units[1].goals = board.units[0].goals.clone();
    exhausted(Board::new(board.grid, Rule::Swap, 1, board.units, Vec::new()));
}

#[test]
fn first_plans_take_little_fuel() {
    let first = |starts: &[&str], goals: &[&str]| {
        let (sum_of_costs, expanded) = plan(&mut Board::pictures(starts, goals), PLENTY).unwrap();
        (expanded, sum_of_costs)
    };
    let walls = ["@.@@", "...."];
    let tree = |rows: [&'static str; 2]| [rows[0], walls[0], rows[1], walls[0], walls[1]];
    assert_eq!(first(&tree(["A..B", "C..D"]), &tree(["d..c", "b..a"])), (117, 42));
    assert_eq!(first(&["ABC", "DEF", "GH."], &["bac", "def", "gh."]), (102, 32));
    assert_eq!(first(&["A.B...C.D.E", "@@@@@.@@@@@"], &["e.d...c.b.a", "@@@@@.@@@@@"]), (3553, 138));
}
