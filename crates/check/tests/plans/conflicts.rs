//! Two agents in each other's way: what is legal under which rule, and how each conflict is named.

use giveway_check::Checker;
use giveway_core::ConflictRule::{Following, Swap};
use giveway_core::Plan;
use giveway_spaces::Connectivity::{Eight, Four};

use crate::plans::routes::{CORRIDOR, SQUARE, agents_of, check, check_shared, map};

#[test]
fn followers_are_legal_by_the_swap_rule_only() {
    let routes = ["bcdef", "abcde"];
    check_shared(CORRIDOR, Swap, &routes, &[]);
    check_shared(CORRIDOR, Following, &routes, &[(0, 1, 1, 0), (0, 1, 2, 1), (0, 1, 3, 2), (0, 1, 4, 3)]);
    check_shared(CORRIDOR, Following, &["bcdef", "aabcde"], &[]);
}

#[test]
fn rotation_is_legal_by_the_swap_rule_only() {
    let routes = ["ab", "bc", "cd", "da"];
    check_shared(SQUARE, Swap, &routes, &[]);
    check_shared(SQUARE, Following, &routes, &[(0, 1, 1, 0), (0, 3, 0, 0), (1, 2, 3, 0), (2, 3, 2, 0)]);
}

#[test]
fn exchanges_are_found() {
    let routes = ["ab", "ba"];
    check(SQUARE, Four, Swap, &routes, &["agent 0 and agent 1 exchange node 0 and node 1 at tick 0"]);
    check_shared(SQUARE, Following, &routes, &[(0, 1, 0, 0), (0, 1, 1, 0)]);
    check(CORRIDOR, Four, Swap, &["eeedc", "bbbcd"], &["agent 0 and agent 1 exchange node 3 and node 2 at tick 3"]);
    // One after the other is no exchange.
    check_shared(SQUARE, Swap, &["abc", "dab"], &[]);
    // The way round the square.
    check_shared(SQUARE, Swap, &["ab", "bcda"], &[]);
}

#[test]
fn crossing_diagonals_are_found_by_either_rule() {
    for rule in [Swap, Following] {
        check(
            SQUARE,
            Eight,
            rule,
            &["ac", "bd"],
            &["agent 0, from node 0 to node 3, and agent 1, from node 1 to node 2, cross at tick 0"],
        );
        check(SQUARE, Eight, rule, &["ac!", "bbd"], &[]);
    }
    let row = "abc
               def";
    check(row, Eight, Swap, &["ae", "ec"], &[]);
    check(
        row,
        Eight,
        Swap,
        &["aae", "cbd"],
        &["agent 0, from node 0 to node 4, and agent 1, from node 1 to node 3, cross at tick 1"],
    );
}

#[test]
fn crossings_are_named_only_if_asked_for() {
    let map = map(SQUARE, Eight);
    let paths = map.paths(&["ac", "bd"]);
    let agents = agents_of(&paths);
    let violations = Checker::new(&map.grid, Swap).check(&agents, &Plan { paths });
    assert_eq!(violations, []);
}

#[test]
fn a_shared_node_is_one_fault_for_each_stretch() {
    // Resting in one place, for a while and for ever.
    check_shared(CORRIDOR, Swap, &["abbbc", "cbbba"], &[(0, 1, 1, 1)]);
    check_shared(CORRIDOR, Swap, &["ab", "cbabb"], &[(0, 1, 1, 1), (0, 1, 1, 3)]);
    // Each pair is named.
    check_shared(CORRIDOR, Following, &["b", "ccb", "aaab"], &[(0, 1, 1, 1), (0, 2, 1, 2), (1, 2, 1, 2)]);
}

#[test]
fn agents_at_their_goals_stay_or_disappear() {
    check_shared(CORRIDOR, Swap, &["ab", "eeeedcba"], &[(0, 1, 1, 6)]);
    check_shared(CORRIDOR, Swap, &["ab!", "eeeedcba"], &[]);
    // The tick of arrival is the swap rule's alone.
    check_shared(CORRIDOR, Swap, &["ab!", "cb"], &[(0, 1, 1, 1)]);
    check_shared(CORRIDOR, Following, &["ab!", "ccb"], &[]);
    check_shared(CORRIDOR, Following, &["ab!", "cb"], &[(0, 1, 1, 0)]);
    // Who does nothing is there at tick 0.
    for rule in [Swap, Following] {
        check_shared(CORRIDOR, rule, &["b!", "bb"], &[(0, 1, 1, 0)]);
        check_shared(CORRIDOR, rule, &["b!", "aab"], &[]);
    }
}
