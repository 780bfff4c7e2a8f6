//! Paths that are wrong by themselves: illegal moves, gaps, wrong ends.

use giveway_core::ConflictRule::{self, Following, Swap};
use giveway_core::{Agent, AtEnd, FOREVER, Goals, Motion, NodeId, Path, PathIn};
use giveway_spaces::Connectivity::{Eight, Four};
use giveway_spaces::Grid;

use crate::plans::routes::{CORRIDOR, SQUARE, agents_of, check, map, step};

#[test]
fn moves_that_the_space_does_not_offer_are_found() {
    let walls = "ab#
                 c#d";
    let illegal = |from, to| format!("agent 0 goes from node {from} to node {to} at tick 0, where no step leads");
    check(walls, Eight, Swap, &["ab"], &[]);
    check(walls, Eight, Swap, &["ad"], &[&illegal(0, 5)]);
    // Past the corner of a wall.
    check(walls, Eight, Swap, &["cb"], &[&illegal(3, 1)]);
    check(walls, Four, Swap, &["bd"], &[&illegal(1, 5)]);
    check(
        walls,
        Four,
        Swap,
        &["b##b"],
        &[
            &illegal(1, 2),
            "agent 0 is on node 2 at tick 1, where nobody can stand",
            "agent 0 goes from node 2 to node 1 at tick 2, where no step leads",
        ],
    );
    check(walls, Four, Following, &["##"], &["agent 0 is on node 2 at tick 0, where nobody can stand"]);
    // A jump across a diagonal is illegal, and nothing that could cross.
    check(
        SQUARE,
        Four,
        Swap,
        &["bd", "ac"],
        &[
            "agent 0 goes from node 1 to node 2 at tick 0, where no step leads",
            "agent 1 goes from node 0 to node 3 at tick 0, where no step leads",
        ],
    );
}

/// A change to a right plan, the rules by which it becomes wrong, and the violations.
type Planted<'a> = (fn(&mut Vec<PathIn<Grid>>), &'a [ConflictRule], &'a [&'a str]);

#[test]
fn ill_formed_paths_are_found() {
    let map = map(
        "abc
         def",
        Four,
    );
    let right = map.paths(&["aabc", "fed"]);
    let agents = agents_of(&right);
    for rule in [Swap, Following] {
        assert_eq!(map.named(rule, &agents, right.clone()), [""; 0]);
    }
    let both = &[Swap, Following];
    let rows: &[Planted] = &[
        (|paths| paths.truncate(1), both, &["the number of paths, 1, is not that of the agents, 2"]),
        (
            |paths| paths.push(Path::standing(NodeId(9), 0, AtEnd::Stay)),
            both,
            &[
                "the number of paths, 3, is not that of the agents, 2",
                "agent 2 is on node 9 at tick 0, where nobody can stand",
            ],
        ),
        (
            |paths| {
                let goal = paths[1].end();
                paths[1] = Path::standing(goal, 0, AtEnd::Stay);
            },
            both,
            &["agent 1 is on node 3 at tick 0, its start is node 5"],
        ),
        (
            |paths| paths[1].start = NodeId(4),
            both,
            &[
                "agent 1 is on node 4 at tick 0, its start is node 5",
                "agent 1 is on node 4 but its step at tick 0 begins on node 5",
            ],
        ),
        (|paths| paths[1].steps.truncate(1), both, &["agent 1 ends on node 4 at tick 1, which is none of its goals"]),
        (
            |paths| {
                paths[1].depart = 1;
                for step in &mut paths[1].steps {
                    step.depart += 1;
                    step.arrive += 1;
                }
            },
            both,
            &["agent 1 is on node 5 at tick 0 but its next step begins at tick 1"],
        ),
        (
            |paths| {
                paths[0].steps.remove(0);
            },
            both,
            &["agent 0 is on node 0 at tick 0 but its next step begins at tick 1"],
        ),
        (
            |paths| {
                paths[0].steps.remove(1);
            },
            both,
            &[
                "agent 0 is on node 0 at tick 1 but its next step begins at tick 2",
                "agent 0 is on node 0 but its step at tick 2 begins on node 1",
            ],
        ),
        (
            |paths| {
                let last = &mut paths[0].steps[2];
                (last.depart, last.arrive) = (1, 2);
            },
            both,
            &["agent 0 is on node 1 at tick 2 but its next step begins at tick 1"],
        ),
        (
            |paths| paths[0].steps[2].arrive = 4,
            &[Swap],
            &["the step of agent 0 from node 1 at tick 2 ends at tick 4 but must last 1"],
        ),
        (|paths| paths[0].steps[2].arrive = 4, &[Following], &[]),
        (
            |paths| {
                let node = paths[0].end();
                let steps = &mut paths[0].steps;
                steps.push(step(node, node, 3, FOREVER));
                steps[3].motion = Motion::Rest { node, ticks: FOREVER };
            },
            both,
            &[],
        ),
        (
            |paths| {
                let node = paths[0].start;
                paths[0].steps = vec![
                    step(node, node, 0, 9),
                    step(node, node, 1, 2),
                    step(node, NodeId(1), 2, 3),
                    step(NodeId(1), NodeId(2), 3, 4),
                ];
                let node = paths[1].end();
                paths[1].steps.push(step(node, node, 2, 8));
                paths[1].steps.push(step(node, NodeId(0), 8, 9));
                paths[1].steps.push(step(NodeId(0), node, 9, 10));
            },
            &[Following],
            &[
                "agent 0 is on node 0 at tick 9 but its next step begins at tick 1",
                "agent 0 and agent 1 are both on node 0 at tick 8",
            ],
        ),
        (
            |paths| paths[0].steps[2].arrive = 2,
            both,
            &["the step of agent 0 from node 1 at tick 2 ends at tick 2 but must last 1"],
        ),
        (
            |paths| paths[0].steps[2].arrive = 0,
            both,
            &["the step of agent 0 from node 1 at tick 2 ends at tick 0 but must last 1"],
        ),
        (
            |paths| {
                let node = paths[0].start;
                paths[0].steps[0].motion = Motion::Rest { node, ticks: 5 };
            },
            both,
            &["the step of agent 0 from node 0 at tick 0 ends at tick 1 but must last 5"],
        ),
        (
            |paths| {
                let node = paths[0].start;
                paths[0].steps.insert(0, step(node, node, 0, 0));
            },
            both,
            &["the step of agent 0 from node 0 at tick 0 ends at tick 0 but must last 1"],
        ),
    ];
    for (plant, rules, expected) in rows {
        let mut paths = right.clone();
        plant(&mut paths);
        for rule in *rules {
            let named = map.named(*rule, &agents, paths.clone());
            assert_eq!(named, *expected, "{paths:?} by {rule:?}");
        }
    }
}

#[test]
fn an_agent_stays_where_it_was_during_a_gap() {
    let map = map(CORRIDOR, Four);
    for (rule, tick, waiting_from) in [(Swap, 1, 0), (Swap, 1, 3), (Following, 0, 0), (Following, 0, 3)] {
        let mut waiting = map.path("ba");
        let last = waiting.steps.last_mut().unwrap();
        (last.depart, last.arrive) = (3, 4);
        waiting.depart = waiting_from;
        let paths = vec![waiting, map.path("cbc")];
        assert_eq!(
            map.named(rule, &agents_of(&paths), paths),
            [
                "agent 0 is on node 1 at tick 0 but its next step begins at tick 3".to_owned(),
                format!("agent 0 and agent 1 are both on node 1 at tick {tick}"),
            ]
        );
    }
}

#[test]
fn any_goal_of_a_set_will_do() {
    let map = map(CORRIDOR, Four);
    let paths = map.paths(&["abc"]);
    let reached = Agent::new(NodeId(0), [5, 2].into_iter().map(NodeId).collect::<Goals>());
    let missed = Agent::new(NodeId(0), [5, 1].into_iter().map(NodeId).collect::<Goals>());
    assert_eq!(map.named(Swap, &[reached], paths.clone()), [""; 0]);
    assert_eq!(map.named(Swap, &[missed], paths), ["agent 0 ends on node 2 at tick 2, which is none of its goals"]);
}
