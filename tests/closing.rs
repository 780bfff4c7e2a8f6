//! Graphs and closures whose nodes close, open and change their surface; points on roads with one-way and parallel
//! edges.

use giveway_check::{Checker, Violation};
use giveway_core::{
    Agent, Area, Change, ConflictRule, Editable, Footprint, Motion, Move, NodeId, Plan, Point, SpaceGraph, Surface,
};
use giveway_crowd::CrowdSolver;
use giveway_spaces::{FnSpace, GraphSpace, Positions};
use giveway_strategies::{Hca, Instance};
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::stable_graph::StableDiGraph;

use crate::living::{Fate, Random, any_change, is_inverted, nodes, points_live};

type Roads = GraphSpace<u32, Positions, NodeIndex, EdgeIndex>;

/// Junctions on a plane, some removed; one-way and two-way roads, and parallel ones.
fn roads(random: &mut Random) -> Roads {
    let mut graph = StableDiGraph::<[f32; 3], u32>::default();
    let junctions: Vec<NodeIndex> = (0..24_u8)
        .map(|number| {
            let [x, y] = [number % 6, number / 6].map(f32::from);
            graph.add_node([x + random.between(-0.3, 0.3), y + random.between(-0.3, 0.3), 0.0])
        })
        .collect();
    for (number, from) in junctions.iter().enumerate() {
        let east = (number % 6 < 5).then_some(number + 1);
        for to in east.into_iter().chain((number < 18).then_some(number + 6)).map(|to| junctions[to]) {
            for _ in 0..=random.below(2) {
                let cost = 1000 + u32::try_from(random.below(3) * 100).unwrap();
                match random.below(4) {
                    0 => {
                        graph.add_edge(*from, to, cost);
                    }
                    1 => {
                        graph.add_edge(to, *from, cost);
                    }
                    _ => {
                        graph.add_edge(*from, to, cost);
                        graph.add_edge(to, *from, cost);
                    }
                }
            }
        }
    }
    graph.remove_node(junctions[random.below(24)]);
    GraphSpace::new(&graph, |edge| *edge.weight()).unwrap().with_positions(|node| graph[node]).unwrap()
}

/// Whatever changes, what is offered is what the fates of nodes say, of all that there was.
fn follows_fates<S: Editable<Cost = u32> + Clone>(fresh: &S, random: &mut Random, seed: u64) {
    let mut space = fresh.clone();
    let mut fates = vec![Fate::Open; space.node_bound()];
    let mut surfaces = vec![Surface::PLAIN; space.node_bound()];
    for _ in 0..8 {
        let (area, change) = (random.area([-1.0, -1.0], [6.0, 5.0]), any_change(random));
        let before = (fates.clone(), surfaces.clone());
        let existing: Vec<NodeId> = nodes(fresh).filter(|node| fresh.contains(*node)).collect();
        for node in existing.into_iter().filter(|node| area.contains(space.position(*node))) {
            fates[node.index()] = fates[node.index()].after(change);
            if let Change::Surface(surface) = change {
                surfaces[node.index()] = surface;
            }
        }
        let revision = space.revision();
        let changed = space.change(&area, change);
        assert_eq!(changed, before != (fates.clone(), surfaces.clone()), "seed {seed}");
        assert_eq!(changed, space.revision() > revision);
        is_inverted(&space);
        for node in nodes(&space) {
            assert_eq!(space.contains(node), fresh.contains(node) && fates[node.index()] == Fate::Open);
            let expected = fresh.moves(node).filter(|m| fates[m.from.index()].leads(fates[m.to.index()])).map(|m| {
                let surface = surfaces[m.to.index()];
                Move { cost: m.cost * surface.weight(), length: m.length * surface.slowness(), ..m }
            });
            assert_eq!(space.moves(node).collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "seed {seed}");
        }
        if let Some(cost) = space.facts().uniform_cost {
            assert!(nodes(&space).flat_map(|node| space.moves(node)).all(|m| m.cost == cost), "seed {seed}");
        }
    }
    space.change(&Area::rectangle([-9.0, -9.0], [9.0, 9.0]).unwrap(), Change::Seal);
    giveway_conformance::space_graph(&space).unwrap();
    let point = Point::swap_rule(&space);
    giveway_conformance::footprint(&space, &point).unwrap();
}

fn street() -> FnSpace<u32, Positions> {
    let next = |node: u32| [node.wrapping_sub(1), node + 1, node + 1].into_iter().filter(|to| *to < 9);
    let at = |node: u32| [0.7 * f32::from(u8::try_from(node).unwrap()), 1.0, 0.0];
    FnSpace::new(9, |node| next(node).map(|to| (to, 1000)).collect::<Vec<_>>()).unwrap().with_positions(at).unwrap()
}

#[test]
fn what_changes_on_graphs_is_told_node_by_node() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        follows_fates(&roads(&mut random), &mut random, seed);
        follows_fates(&street(), &mut random, seed);
    }
}

#[test]
fn nodes_close_without_positions() {
    let graph = DiGraph::<(), u32>::from_edges([(0, 1, 10), (1, 2, 10), (0, 2, 30)]);
    let mut space = GraphSpace::new(&graph, |edge| *edge.weight()).unwrap();
    assert_eq!((space.facts().crossing_bound, space.revision()), (0, 0));
    assert!(space.set_open(NodeId(1), false) && !space.set_open(NodeId(1), false) && !space.set_open(NodeId(3), false));
    assert_eq!(nodes(&space).map(|node| space.moves(node).count()).collect::<Vec<_>>(), [1, 0, 0]);
    assert_eq!((space.contains(NodeId(1)), space.revision()), (false, 1));
    giveway_conformance::space_graph(&space).unwrap();
    assert!(space.set_open(NodeId(1), true) && space.contains(NodeId(1)));
    let mut ring = FnSpace::new(5, |node| [((node + 1) % 5, 7)]).unwrap();
    assert!(ring.set_open(NodeId(2), false) && !ring.set_open(NodeId(5), false));
    assert_eq!((ring.moves(NodeId(1)).count(), ring.contains(NodeId(2)), ring.contains(NodeId(5))), (0, false, false));
    // A removed node does not come back.
    let mut removed = StableDiGraph::<(), u32>::default();
    let [a, b] = [(); 2].map(|()| removed.add_node(()));
    removed.add_edge(b, a, 1);
    removed.remove_node(a);
    let mut space = GraphSpace::new(&removed, |edge| *edge.weight()).unwrap();
    assert!(!space.set_open(NodeId(0), true) && !space.set_open(NodeId(0), false) && !space.contains(NodeId(0)));
}

/// A point that is made while a road is closed still knows that two units cannot pass each other there when the road is
/// opened.
#[test]
fn a_point_knows_closed_roads() {
    let mut space = street();
    space.set_open(NodeId(4), false);
    let point = Point::swap_rule(&space);
    space.set_open(NodeId(4), true);
    let crossing = |from: u32, to: u32| {
        let m = space.moves(NodeId(from)).find(|m| m.to.0 == to).unwrap();
        let cells = point.entries(&space, &Motion::Move(m), 0).into_iter().map(|entry| entry.cell);
        cells.filter(|cell| cell.0 >= 9).collect::<Vec<_>>()
    };
    assert_eq!((crossing(3, 4).len(), crossing(3, 4)), (1, crossing(4, 3)));
    assert_ne!(crossing(3, 4), crossing(4, 5));
    assert_eq!(space.facts().crossing_bound, 8);
    let agents = vec![Agent::new(NodeId(3), NodeId(5)), Agent::new(NodeId(5), NodeId(3))];
    let instance = Instance::new(&space, &point, agents).unwrap();
    assert!(!Hca::hca_star().solve(&instance).is_complete());
}

#[test]
fn points_live_on_roads_that_close() {
    points_live(0..20, roads, |random| random.area([-1.0, -1.0], [6.0, 4.0]));
    points_live(0..20, |_| street(), |random| random.area([-1.0, 0.0], [6.0, 2.0]));
}

/// Crowds on roads with one-way and parallel edges, planned as a whole and window by window: by both rules, and with
/// durations.
#[test]
fn crowds_on_one_way_and_parallel_roads_have_no_conflict() {
    let (mut arrived, mut parallel) = (0, 0);
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let space = roads(&mut random);
        let free: Vec<NodeId> = nodes(&space).filter(|node| space.contains(*node)).collect();
        let (mut starts, mut goals) = (free.clone(), free);
        let agents: Vec<Agent> = (0..8)
            .map(|_| {
                Agent::new(starts.swap_remove(random.below(starts.len())), goals.swap_remove(random.below(goals.len())))
            })
            .collect();
        for (rule, point) in [
            (ConflictRule::Swap, Point::swap_rule(&space)),
            (ConflictRule::Following, Point::following_rule(&space)),
            (ConflictRule::Following, Point::rounded(&space, 5)),
        ] {
            let instance = Instance::new(&space, &point, agents.clone()).unwrap();
            let whole = Hca::hca_star().solve(&instance);
            let windows = CrowdSolver::whca_star().latest(200).solve(&instance);
            // Agents without a plan stand where they are, in the way of others.
            let check = |plan| Checker::new(&space, rule).check(&agents, plan);
            let conflicts = if whole.is_complete() { check(&whole.plan) } else { Vec::new() };
            assert!(conflicts.is_empty(), "seed {seed}, {rule:?}: {conflicts:?}");
            // In a crowd no agent is in the way, but some do not arrive.
            let mut conflicts = check(&windows.plan);
            conflicts.retain(|violation| windows.is_complete() || !matches!(violation, Violation::WrongGoal { .. }));
            assert!(conflicts.is_empty(), "seed {seed}, {rule:?}: {conflicts:?}");
            arrived += [whole.is_complete(), windows.is_complete()].into_iter().filter(|complete| *complete).count();
            parallel += uses_parallel(&space, &windows.plan);
        }
    }
    assert!(arrived > 50 && parallel > 300, "{arrived} plans, {parallel} moves beside a parallel road");
}

/// The number of moves that have another road beside them.
fn uses_parallel(space: &Roads, plan: &Plan<EdgeIndex, u32>) -> usize {
    let steps = plan.paths.iter().flat_map(|path| &path.steps);
    let moves = steps.filter_map(|step| match step.motion {
        Motion::Move(m) => Some(m),
        Motion::Rest { .. } => None,
    });
    moves.filter(|m| space.moves(m.from).filter(|other| other.to == m.to).count() > 1).count()
}
