//! Traces: agents that come, go and are put elsewhere. Where no agent does so, a trace has the violations of the plan.

use giveway_check::Checker;
use giveway_core::ConflictRule::{self, Following, Swap};
use giveway_core::{Plan, Span, Tick, Trace, TracedAgent, TracedMove, TracedPlace};
use giveway_spaces::Connectivity::{Eight, Four};

use crate::plans::routes::{CORRIDOR, Map, SQUARE, agents_of, map, names};

/// The agent that follows `route`. It appears in the first cell, at the tick that the leading spaces count, and is then
/// in the next cells, one tick each. After `!` it vanishes. `*` between two cells: the agent is put from one cell into
/// the other, which takes no time.
fn agent(map: &Map, route: &str) -> TracedAgent {
    let cells = route.trim_start();
    let mut now = Tick::try_from(route.len() - cells.len()).unwrap();
    let place = |name| TracedPlace::new(map.node(name).0, [0.0; 3]);
    let mut names = cells.chars();
    let mut at = names.next().unwrap();
    let mut traced = TracedAgent::new(place(at), vec![], vec![]);
    traced.appears = now;
    let mut takes = 1;
    for name in names {
        match name {
            '!' => traced.vanishes = Some(now),
            '*' => takes = 0,
            _ => {
                if name != at {
                    traced.moves.push(TracedMove::new(now, now + takes, place(name)));
                }
                (at, now, takes) = (name, now + takes, 1);
            }
        }
    }
    traced
}

fn check(picture: &str, rule: ConflictRule, routes: &[&str], expected: &[&str]) {
    let map = map(picture, if picture == SQUARE { Eight } else { Four });
    let trace = Trace::new(1, routes.iter().map(|route| agent(&map, route)).collect());
    let violations = Checker::new(&map.grid, rule).with_crossings().check_trace(&trace);
    assert_eq!(names(&violations), expected, "{routes:?} by {rule:?}");
}

#[test]
fn nobody_is_there_before_it_appears_and_after_it_vanishes() {
    for rule in [Swap, Following] {
        // One leaves the cell by vanishing at the tick at which the other comes into it, or appears there.
        check(CORRIDOR, rule, &["ccc!", if rule == Swap { "abc" } else { "aabc" }], &[]);
        check(CORRIDOR, rule, &["ccc!", "  ccc"], &[]);
        check(CORRIDOR, rule, &["ccc", "  ccc"], &["agent 0 and agent 1 are both on node 2 at tick 2"]);
    }
    check(CORRIDOR, Swap, &["cccc!", "abc"], &["agent 0 and agent 1 are both on node 2 at tick 2"]);
    check(CORRIDOR, Following, &["ccc!", "abc"], &["agent 0 and agent 1 are both on node 2 at tick 1"]);
    check(CORRIDOR, Swap, &["c", " dc"], &["agent 0 and agent 1 are both on node 2 at tick 2"]);
    // What is said to happen after that is not looked at.
    check(CORRIDOR, Swap, &["ab!cd", "  dcb"], &[]);
    // One that vanishes at once was never there.
    check(CORRIDOR, Swap, &["c", "c!"], &[]);
}

#[test]
fn a_leap_is_no_move() {
    for rule in [Swap, Following] {
        check(CORRIDOR, rule, &["aa*ff", "bb"], &[]);
        check(CORRIDOR, rule, &["aa*bb", "bb"], &["agent 0 and agent 1 are both on node 1 at tick 1"]);
        // The place is free as soon as the leap is done.
        check(CORRIDOR, rule, &["ab*f", " bb"], &[]);
        check(CORRIDOR, rule, &["ab*b", "  ccc"], &[]);
    }
    check(CORRIDOR, Swap, &["af"], &["agent 0 goes from node 0 to node 5 at tick 0, where no step leads"]);
}

#[test]
fn exchanges_and_crossings_are_found_while_both_are_there() {
    check(SQUARE, Swap, &["ab", "ba"], &["agent 0 and agent 1 exchange node 0 and node 1 at tick 0"]);
    check(SQUARE, Swap, &["  ab", "  ba"], &["agent 0 and agent 1 exchange node 0 and node 1 at tick 2"]);
    check(SQUARE, Swap, &[" ab", "ba!"], &[]);
    let crossing = "agent 0, from node 0 to node 3, and agent 1, from node 1 to node 2, cross at tick 1";
    check(SQUARE, Swap, &[" ac", "bbd"], &[crossing]);
    check(SQUARE, Swap, &[" ac", "bd!"], &[]);
}

#[test]
fn what_is_ill_formed_is_named() {
    let map = map(CORRIDOR, Four);
    let place = |node| TracedPlace::new(node, [f32::NAN; 3]);
    let step = |depart, arrive, to| TracedMove::new(depart, arrive, place(to));
    let cases: [(ConflictRule, u32, Vec<TracedMove>, &[&str]); 6] = [
        (Swap, 9, vec![], &["agent 0 is on node 9 at tick 0, where nobody can stand"]),
        (Swap, 0, vec![step(2, 2, 9)], &["agent 0 is on node 9 at tick 2, where nobody can stand"]),
        (Swap, 0, vec![step(0, 2, 1)], &["the step of agent 0 from node 0 at tick 0 ends at tick 2 but must last 1"]),
        (Following, 0, vec![step(0, 2, 1)], &[]),
        (
            Following,
            0,
            vec![step(3, 2, 1)],
            &["the step of agent 0 from node 0 at tick 3 ends at tick 2 but must last 1"],
        ),
        (
            Swap,
            0,
            vec![step(4, 5, 1), step(3, 4, 2)],
            &["agent 0 is on node 1 at tick 5 but its next step begins at tick 3"],
        ),
    ];
    for (rule, start, moves, expected) in cases {
        let trace = Trace::new(1, vec![TracedAgent::new(place(start), vec![], moves)]);
        assert_eq!(names(&Checker::new(&map.grid, rule).check_trace(&trace)), expected, "{trace:?}");
    }
}

/// A step lasts one tick beside its pauses, which lie within it.
#[test]
fn a_step_that_is_held_lasts_longer() {
    let map = map(CORRIDOR, Four);
    let place = |node| TracedPlace::new(node, [f32::NAN; 3]);
    let faults = |arrive, pauses: &[(u32, u32)]| {
        let pauses = pauses.iter().map(|(start, end)| Span::new(*start, *end)).collect();
        let moves = vec![TracedMove::new(2, arrive, place(1))];
        let agent = TracedAgent { pauses, ..TracedAgent::new(place(0), vec![], moves) };
        Checker::new(&map.grid, Swap).check_trace(&Trace::new(1, vec![agent])).len()
    };
    assert_eq!(faults(6, &[(3, 6)]), 0);
    assert_eq!(faults(9, &[(3, 6), (6, 8), (8, 9)]), 0);
    assert_eq!(faults(6, &[]), 1);
    assert_eq!(faults(6, &[(3, 5)]), 1, "too short a pause");
    assert_eq!(faults(6, &[(2, 6)]), 1, "nothing but a pause");
    assert_eq!(faults(6, &[(4, 7)]), 1, "a pause that ends afterwards");
    assert_eq!(faults(6, &[(0, 3)]), 1, "a pause that begins before");
    assert_eq!(faults(6, &[(3, 5), (4, 6)]), 1, "pauses at once");
}

#[test]
fn the_trace_of_a_plan_has_the_faults_of_the_plan() {
    let mut found = 0;
    for (picture, routes) in [
        (CORRIDOR, vec!["abcd", "dcba", "bbbb"]),
        (CORRIDOR, vec!["abca", "fffe", "cdef"]),
        (SQUARE, vec!["ac", "bd", "cab"]),
        (SQUARE, vec!["abcda", "badcb"]),
    ] {
        let map = map(picture, Eight);
        let paths = map.paths(&routes);
        let agents = agents_of(&paths);
        for rule in [Swap, Following] {
            let checker = Checker::new(&map.grid, rule).with_crossings();
            let plan = Plan { paths: paths.clone() };
            let violations = checker.check(&agents, &plan);
            assert_eq!(checker.check_trace(&Trace::from_plan(&map.grid, &agents, &plan, 1)), violations);
            found += violations.len();
        }
    }
    assert!(found > 10, "{found}");
}
