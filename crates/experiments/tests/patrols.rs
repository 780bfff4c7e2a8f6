//! Patrols: the rules of the direction-map experiments, one by one, and a crowd under the same clock.

use giveway_check::{Checker, Violation};
use giveway_core::{Agent, ConflictRule, NodeId, Point, Trace, TracedMove};
use giveway_crowd::{Class, Crowd, CrowdSettings};
use giveway_experiments::{CrowdPatrols, PatrolError, PatrolMetrics, PatrolRules, Patrols};
use giveway_lanes::{DirectionMap, DirectionRules};
use giveway_spaces::{Connectivity, Grid};
use giveway_strategies::{Routing, SectorRouting};
use proptest::prelude::*;

fn grid(picture: &str) -> Grid {
    Grid::from_ascii(picture).unwrap().with_connectivity(Connectivity::Eight)
}

fn at(grid: &Grid, x: u32, y: u32) -> NodeId {
    grid.node(x, y).unwrap()
}

/// A map that learns, and asks `weight` for moves against it.
fn learning(grid: &Grid, weight: f32) -> DirectionMap {
    DirectionMap::blank(grid, DirectionRules::default().weight(weight))
}

/// So many actions, or all.
fn act(patrols: &mut Patrols<'_, Grid, DirectionMap>, most: usize) -> PatrolMetrics {
    (0..most).take_while(|_| patrols.advance()).count();
    patrols.metrics()
}

#[test]
fn an_agent_alone_goes_there_and_back() {
    let row = grid("......");
    let map = learning(&row, 0.0);
    let mut patrols = Patrols::new(&row, &map, &[[at(&row, 0, 0), at(&row, 5, 0)]], PatrolRules::loops(2)).unwrap();
    // Five steps, four times, at 1.5 units each; each route expands the six cells of the row.
    let expected = PatrolMetrics { loops: 2, nodes: 24, path: 20.0, time: 30.0, ..PatrolMetrics::default() };
    assert_eq!(act(&mut patrols, usize::MAX), expected);
    assert_eq!((expected.per_loop(expected.path), patrols.now()), (10.0, 30.0));
    assert!(!patrols.advance());
}

#[test]
fn a_diagonal_takes_as_long_as_a_straight_step() {
    let open = grid("....\n....\n....\n....");
    let map = learning(&open, 0.0);
    let mut patrols = Patrols::new(&open, &map, &[[at(&open, 0, 0), at(&open, 3, 3)]], PatrolRules::loops(1)).unwrap();
    let metrics = act(&mut patrols, usize::MAX);
    assert!((metrics.path - 6.0 * 2_f64.sqrt()).abs() < 1e-9);
    assert!((metrics.time - 9.0).abs() < 1e-9);
}

#[test]
fn those_within_sight_are_walls() {
    let row = grid("..........");
    let map = learning(&row, 0.0);
    let ends = [[at(&row, 0, 0), at(&row, 8, 0)], [at(&row, 1, 0), at(&row, 9, 0)]];
    let mut patrols = Patrols::new(&row, &map, &ends, PatrolRules::loops(1)).unwrap();
    // The second is on cells 2, 3, 4, 5 from 0, 1.5, 3, 4.5 on: at 5 it is five cells away, and out of sight.
    let mut moved = None;
    while moved.is_none() {
        let before = patrols.now();
        assert!(patrols.advance());
        let metrics = patrols.metrics();
        moved = (map.direction(at(&row, 0, 0)) != [0.0; 3]).then_some((before, metrics.stood));
    }
    assert_eq!(moved, Some((5.0, 5)));
}

#[test]
fn a_failed_move_takes_as_long_as_one_that_succeeds() {
    let row = grid("....");
    let map = learning(&row, 0.0);
    let ends = [[at(&row, 0, 0), at(&row, 3, 0)], [at(&row, 3, 0), at(&row, 0, 0)]];
    // They do not see each other, meet in the middle, and try for ever.
    let mut patrols = Patrols::new(&row, &map, &ends, PatrolRules::loops(1).radius(0.0)).unwrap();
    let metrics = act(&mut patrols, 10);
    assert_eq!((metrics.path, metrics.failed, metrics.time), (2.0, 8, 5.0 * 1.5));
    // Neither pauses nor failed moves teach.
    assert_eq!(map.directions().map(|(node, _)| node.0).collect::<Vec<_>>(), [0, 1, 2, 3]);
    let lengths: Vec<f32> = map.directions().map(|(_, [x, _, _])| x).collect();
    assert_eq!(lengths, [0.4, 0.4, -0.4, -0.4]);
}

#[test]
fn those_who_come_first_act_first() {
    let row = grid("....");
    for (order, failed) in [([0, 1], 1), ([1, 0], 0)] {
        let map = learning(&row, 0.0);
        let ends = order.map(|first| [at(&row, first, 0), at(&row, first + 2, 0)]);
        let mut patrols = Patrols::new(&row, &map, &ends, PatrolRules::loops(1).radius(0.0)).unwrap();
        assert_eq!(act(&mut patrols, 2).failed, failed, "{order:?}");
    }
}

#[test]
fn next_to_a_taken_goal_steps_are_random() {
    let open = grid("...\n...\n...");
    let goal = at(&open, 2, 2);
    // One that has nowhere to go is done, and in the way.
    let ends = [[at(&open, 0, 0), goal], [goal, goal]];
    let run = |seed| {
        let map = learning(&open, 0.0);
        let mut patrols = Patrols::new(&open, &map, &ends, PatrolRules::loops(1).seed(seed)).unwrap();
        let metrics = act(&mut patrols, 100);
        assert!(metrics.random_steps > 10 && metrics.failed == 0 && metrics.loops == 1, "{metrics:?}");
        metrics
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn a_recording_says_where_everybody_wants_to_be() {
    let row = grid("....");
    let map = learning(&row, 0.0);
    let wants = |loops| {
        let patrols = Patrols::new(&row, &map, &[[NodeId(0), NodeId(3)]], PatrolRules::loops(loops));
        let mut patrols = patrols.unwrap().recorded();
        act(&mut patrols, 100);
        let agent = patrols.trace().unwrap().agents[0].clone();
        let orders: Vec<(u32, u32)> = agent.orders.iter().map(|order| (order.tick, order.goals[0].node)).collect();
        (agent.goals[0].node, orders)
    };
    // Three steps of three half units of time; in the end it stays.
    assert_eq!(wants(1), (3, vec![(9, 0), (18, 0)]));
    assert_eq!(wants(2), (3, vec![(9, 0), (18, 3), (27, 0), (36, 0)]));
    assert_eq!(wants(0), (0, Vec::new()));
    // Nowhere to go, however often.
    let nowhere = Patrols::new(&row, &map, &[[NodeId(1); 2]], PatrolRules::loops(u32::MAX)).unwrap();
    assert_eq!(nowhere.metrics().loops, u64::from(u32::MAX));
}

#[test]
fn unfit_patrols_are_refused() {
    let room = grid("..\n.@");
    let map = learning(&room, 0.0);
    let refuse = |ends: &[[u32; 2]]| {
        let ends: Vec<[NodeId; 2]> = ends.iter().map(|ends| ends.map(NodeId)).collect();
        Patrols::new(&room, &map, &ends, PatrolRules::loops(1)).unwrap_err()
    };
    let (wall, outside) = (NodeId(3), NodeId(4));
    assert_eq!(refuse(&[[0, 1], [2, 3]]), PatrolError::NoSuchNode { patrol: 1, node: wall });
    assert_eq!(refuse(&[[4, 1]]), PatrolError::NoSuchNode { patrol: 0, node: outside });
    assert_eq!(refuse(&[[0, 1], [0, 2]]), PatrolError::SameStart { patrol: 1, node: NodeId(0) });
    assert_eq!(refuse(&[[0, 1], [0, 2]]).to_string(), "patrol 1 begins at node 0, where an earlier one does");
}

#[test]
fn without_loops_nothing_happens() {
    let row = grid("....");
    let map = learning(&row, 0.0);
    let mut patrols = Patrols::new(&row, &map, &[[NodeId(0), NodeId(3)]], PatrolRules::loops(0)).unwrap();
    assert!(!patrols.advance());
    assert_eq!(patrols.metrics(), PatrolMetrics::default());
    assert_eq!(patrols.metrics().per_loop(7.0), 0.0);
}

/// A guard on its way along the row, under the clock of the experiment.
#[test]
fn a_crowd_patrols_under_the_same_clock() {
    let row = grid("......");
    let map = learning(&row, 0.0);
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(&row, Point::swap_rule(&row)).layer(&map)).unwrap();
    let ends = [at(&row, 0, 0), at(&row, 5, 0)];
    let guard = crowd.add(class, Agent::bystander(ends[0])).unwrap();
    let refused = CrowdPatrols::new(&mut crowd, &[(guard, [ends[0], NodeId(6)])], 2).unwrap_err();
    assert_eq!(refused, PatrolError::NoSuchNode { patrol: 0, node: NodeId(6) });
    let twice = CrowdPatrols::new(&mut crowd, &[(guard, ends), (guard, ends)], 2).unwrap_err();
    assert_eq!(twice, PatrolError::SameAgent { patrol: 1, agent: guard });
    assert_eq!(crowd.is_bystander(guard), Some(true), "nobody has been sent");
    let mut patrols = CrowdPatrols::new(&mut crowd, &[(guard, ends)], 2).unwrap();
    while patrols.advance().is_some() {}
    let metrics = patrols.metrics();
    assert_eq!((metrics.loops, metrics.path, metrics.time, metrics.failed, metrics.stood), (2, 20.0, 30.0, 0, 0));
    assert!(map.directions().count() == 6, "the layer has learned");
}

/// The trace as if every move took the one tick of a point: the places of agents, with as little time between as can
/// be.
fn in_single_ticks(trace: &Trace) -> Trace {
    let mut single = trace.clone();
    for m in single.agents.iter_mut().flat_map(|agent| &mut agent.moves) {
        m.arrive = m.depart + 1;
    }
    single
}

/// The map that learns from the moves of a trace, in the order of time, then of agents.
fn learned_from(trace: &Trace, grid: &Grid) -> DirectionMap {
    let map = learning(grid, 0.0);
    let mut moves: Vec<(u32, usize, NodeId, NodeId)> = Vec::new();
    for (index, agent) in trace.agents.iter().enumerate() {
        let mut from = agent.start.node;
        for TracedMove { depart, to, .. } in &agent.moves {
            moves.push((*depart, index, NodeId(from), NodeId(to.node)));
            from = to.node;
        }
    }
    moves.sort_unstable();
    moves.into_iter().for_each(|(_, _, from, to)| map.learn(grid, from, to));
    map
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever happens, no agent enters an occupied place; the metrics match the trace, and the map has learned from
    /// all of it and nothing else.
    #[test]
    fn what_is_counted_has_happened(
        walls in prop::collection::vec(prop::bool::weighted(0.2), 42),
        chosen in prop::collection::vec((0..42_usize, 0..42_usize), 1..9),
        weight in 0.0_f32..20.0,
        radius in 0.0..6.0,
        routing in prop_oneof![
            Just(Routing::Whole),
            Just(Routing::Greedy),
            Just(Routing::Sectors(SectorRouting::new(3).refine(50))),
        ],
        eight in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
        let wall = |x: u32, y: u32| walls[(y * 7 + x) as usize];
        let grid = Grid::from_fn(7, 6, |x, y| !wall(x, y)).unwrap().with_connectivity(connectivity);
        let mut ends: Vec<[NodeId; 2]> = Vec::new();
        for (a, b) in chosen {
            let [a, b] = [a, b].map(|index| NodeId(u32::try_from(index).unwrap()));
            if !walls[a.index()] && !walls[b.index()] && ends.iter().all(|other| other[0] != a) {
                ends.push([a, b]);
            }
        }
        let map = learning(&grid, weight);
        let rules = PatrolRules::loops(3).radius(radius).routing(routing).seed(seed);
        let mut patrols = Patrols::new(&grid, &map, &ends, rules).unwrap().recorded();
        let mut now = 0.0;
        for _ in 0..400 {
            prop_assert!(patrols.now() >= now);
            now = patrols.now();
            if !patrols.advance() {
                break;
            }
        }
        let (metrics, trace) = (patrols.metrics(), patrols.trace().unwrap());
        let mut violations = Checker::new(&grid, ConflictRule::Swap).check_trace(&in_single_ticks(trace));
        // Nobody looks at diagonals that cross between four places.
        violations.retain(|violation| !(eight && matches!(violation, Violation::Crossing { .. })));
        prop_assert_eq!(violations, []);
        let mut path = 0.0;
        for agent in &trace.agents {
            let mut from = agent.start.position;
            for TracedMove { to, .. } in &agent.moves {
                path += f64::from((to.position[0] - from[0]).abs()).hypot(f64::from((to.position[1] - from[1]).abs()));
                from = to.position;
            }
        }
        prop_assert!((path - metrics.path).abs() < 1e-6);
        let learned = learned_from(trace, &grid);
        prop_assert!(learned.directions().eq(map.directions()));
    }
}
