//! At the limits: the end of time, spaces that answer only for what they have, too many violations, garbage.

use giveway_check::{Checker, Violation};
use giveway_core::ConflictRule::{Following, Swap};
use giveway_core::{Agent, AtEnd, FOREVER, Motion, Move, NodeId, Path, PathIn, Plan, SpaceGraph, Step, Tick};
use giveway_spaces::Connectivity::{Eight, Four};
use giveway_spaces::{Direction, Grid};
use proptest::prelude::*;

use crate::plans::routes::{CORRIDOR, agents_of, map, names, step};

#[test]
fn the_end_of_time_is_a_tick_like_any_other() {
    let map = map(CORRIDOR, Four);
    let resting = |from: NodeId, until: Tick, at_end| Path {
        start: from,
        depart: 0,
        steps: vec![step(from, from, 0, until)],
        cost: 0,
        at_end,
    };
    // Some that rest for ever, and one that comes to the first of them at the end of the last tick but one.
    let mut late = resting(NodeId(3), FOREVER - 2, AtEnd::Stay);
    late.steps.push(step(NodeId(3), NodeId(2), FOREVER - 2, FOREVER - 1));
    late.steps.push(step(NodeId(2), NodeId(1), FOREVER - 1, FOREVER));
    let paths = vec![resting(NodeId(1), FOREVER, AtEnd::Disappear), late, resting(NodeId(5), FOREVER, AtEnd::Stay)];
    let agents = agents_of(&paths);
    for (rule, tick) in [(Swap, FOREVER), (Following, FOREVER - 1)] {
        assert_eq!(
            map.named(rule, &agents, paths.clone()),
            [format!("agent 0 and agent 1 are both on node 1 at tick {tick}")]
        );
    }
    let mut paths = paths;
    paths[0] = Path::standing(NodeId(1), 0, AtEnd::Stay);
    paths[1].steps.pop();
    paths[1].steps.push(step(NodeId(2), NodeId(2), FOREVER - 1, FOREVER));
    paths[1].steps.push(step(NodeId(2), NodeId(1), FOREVER, FOREVER));
    let agents = agents_of(&paths);
    for rule in [Swap, Following] {
        let end = FOREVER;
        assert_eq!(
            map.named(rule, &agents, paths.clone()),
            [
                format!("the step of agent 1 from node 2 at tick {end} ends at tick {end} but must last 1"),
                format!("agent 0 and agent 1 are both on node 1 at tick {end}"),
            ]
        );
    }
}

/// Doors by room, and whether the room is open. Panics when asked of a room that it does not have.
struct Rooms(Vec<(bool, Vec<u32>)>);

impl SpaceGraph for Rooms {
    type Action = u32;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        self.0.len()
    }

    fn contains(&self, node: NodeId) -> bool {
        self.0[node.index()].0
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<u32, u32>> {
        self.0[from.index()].1.iter().map(move |to| Move {
            from,
            to: NodeId(*to),
            action: *to,
            cost: 1000,
            length: 1.0,
        })
    }
}

/// One move, from and to, of each agent, and the violations.
type Moved<'a> = (&'a [(u32, u32)], &'a [&'a str]);

#[test]
fn spaces_are_asked_only_of_what_they_have() {
    // A loop at 0, a door to the closed room 1, and one out of it.
    let rooms = Rooms(vec![(true, vec![0, 1]), (false, vec![0])]);
    let path = |from, to| {
        let m = Move { from: NodeId(from), to: NodeId(to), action: to, cost: 1000, length: 1.0 };
        let mut path = Path::standing(NodeId(from), 0, AtEnd::Disappear);
        path.steps.push(Step { motion: Motion::Move(m), depart: 0, arrive: 1 });
        path
    };
    let rows: &[Moved] = &[
        (&[(0, 0)], &[]),
        // Along a loop nothing is exchanged.
        (&[(0, 0), (0, 0)], &["agent 0 and agent 1 are both on node 0 at tick 0"]),
        (&[(0, 1)], &["agent 0 goes from node 0 to node 1 at tick 0, where no step leads"]),
        (
            &[(1, 0)],
            &[
                "agent 0 is on node 1 at tick 0, where nobody can stand",
                "agent 0 goes from node 1 to node 0 at tick 0, where no step leads",
            ],
        ),
        (
            &[(7, 8)],
            &[
                "agent 0 is on node 7 at tick 0, where nobody can stand",
                "agent 0 goes from node 7 to node 8 at tick 0, where no step leads",
            ],
        ),
    ];
    for (moves, expected) in rows {
        let agents: Vec<Agent> = moves.iter().map(|(from, to)| Agent::new(NodeId(*from), NodeId(*to))).collect();
        let paths = moves.iter().map(|(from, to)| path(*from, *to)).collect();
        let violations = Checker::new(&rooms, Swap).check(&agents, &Plan { paths });
        assert_eq!(names(&violations), *expected, "{moves:?}");
    }
}

#[test]
fn a_bound_keeps_the_earliest_faults() {
    let map = map(CORRIDOR, Four);
    // All pairs would be 5e7 violations.
    let mut paths = vec![map.path("a"); 10_000];
    paths[7] = map.path("ba");
    let agents = agents_of(&paths);
    let violations = Checker::new(&map.grid, Swap).at_most(3).check(&agents, &Plan { paths });
    assert_eq!(violations.len(), 3);
    assert!(violations.iter().all(|violation| violation.tick() == 0));
}

/// A tick of any kind, above all the ticks at both ends of time.
fn tick() -> impl Strategy<Value = Tick> {
    prop_oneof![4 => 0_u32..6, 1 => FOREVER - 2..=FOREVER, 1 => any::<u32>()]
}

/// A node on the grid, a wall, or none at all.
fn node() -> impl Strategy<Value = NodeId> {
    prop_oneof![6 => 0_u32..12, 1 => any::<u32>(), 1 => Just(u32::MAX)].prop_map(NodeId)
}

fn garbage() -> impl Strategy<Value = Vec<PathIn<Grid>>> {
    let motion = prop_oneof![
        (node(), node()).prop_map(|(from, to)| Motion::Move(Move {
            from,
            to,
            action: Direction::West,
            cost: 7,
            length: f32::NAN,
        })),
        (node(), tick()).prop_map(|(node, ticks)| Motion::Rest { node, ticks }),
    ];
    let step = (motion, tick(), tick()).prop_map(|(motion, depart, arrive)| Step { motion, depart, arrive });
    let steps = prop::collection::vec(step, 0..8);
    let path = (node(), tick(), steps, any::<bool>()).prop_map(|(start, depart, steps, stays)| Path {
        start,
        depart,
        steps,
        cost: 0,
        at_end: if stays { AtEnd::Stay } else { AtEnd::Disappear },
    });
    prop::collection::vec(path, 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_plan_makes_the_checker_panic(
        paths in garbage(),
        agents in prop::collection::vec((node(), node()), 0..6),
        rule in prop::sample::select(vec![Swap, Following]),
        most in 0_usize..20,
    ) {
        let grid = Grid::from_ascii("....\n.#..\n....").unwrap().with_connectivity(Eight);
        let agents: Vec<Agent> = agents.into_iter().map(|(start, goal)| Agent::new(start, goal)).collect();
        let count = agents.len().max(paths.len());
        let plan = Plan { paths };
        let violations = Checker::new(&grid, rule).with_crossings().check(&agents, &plan);
        let order = |violation: &Violation| (violation.tick(), *violation);
        prop_assert!(violations.is_sorted_by(|a, b| order(a) < order(b)));
        for violation in &violations {
            prop_assert!(violation.agents().is_sorted_by(|a, b| a < b), "{}", violation);
            prop_assert!(violation.agents().iter().all(|agent| agent.index() < count), "{}", violation);
        }
        let earliest = Checker::new(&grid, rule).with_crossings().at_most(most).check(&agents, &plan);
        let ticks = |violations: &[Violation]| violations.iter().map(Violation::tick).collect::<Vec<_>>();
        prop_assert_eq!(ticks(&earliest), ticks(&violations[..most.min(violations.len())]));
    }
}
