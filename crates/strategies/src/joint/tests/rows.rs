//! Boards whose outcome is known: pictures in, a number out.

use giveway_core::{Fuel, NoPath};

use super::super::{JointPlan, plan_jointly};
use super::board::{Board, Rule};

const PLENTY: u64 = 1_000_000;

fn plan(board: &mut Board, fuel: u64, improvement: u64) -> Result<JointPlan, NoPath> {
    let plan = plan_jointly(board, &mut Fuel::expansions(fuel), &mut Fuel::expansions(improvement))?;
    board.assert_legal(&plan);
    Ok(plan)
}

/// The optimum, in both orders.
#[track_caller]
fn costs(board: Board, expected: u64) {
    for mut board in [board.clone(), board.reversed()] {
        let plan = plan(&mut board, PLENTY, PLENTY).unwrap();
        assert_eq!((plan.sum_of_costs, plan.is_optimal), (expected, true), "{} expansions", plan.expanded);
    }
}

/// There is no plan, and that is found out.
#[track_caller]
fn exhausted(board: Board) {
    for mut board in [board.clone(), board.reversed()] {
        assert_eq!(plan(&mut board, PLENTY, PLENTY), Err(NoPath::Exhausted));
    }
}

#[test]
fn two_exchange_ends_of_a_corridor_by_way_of_its_bay() {
    let board = || Board::pictures(&["A.....B", "@@@.@@@"], &["b.....a", "@@@.@@@"]);
    costs(board(), 15);
    costs(board().rule(Rule::BothCells), 18);
}

#[test]
fn without_a_bay_they_cannot() {
    exhausted(Board::pictures(&["A.B....."], &[".....b.a"]));
    exhausted(Board::pictures(&["AB"], &["ba"]));
    // A goal behind a wall, and one that is taken for ever.
    exhausted(Board::pictures(&["A@."], &[".@a"]));
    exhausted(Board::pictures(&["A.."], &["..a"]).outsider((1, 0), (0, u32::MAX)));
}
