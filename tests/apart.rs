//! Points on graphs whose edges cross: with conflict sets they never meet, without them they do.

use giveway_bodies::{Body, Ground, Headings, Primitives, Vehicle};
use giveway_check::{BodyChecker, Checker};
use giveway_core::{
    Agent, ApartError, Cells, ConflictRule, Embedding, Footprint, Move, NodeId, Point, Site, SpaceGraph, Trace,
    TracedBody, Trajectory,
};
use giveway_crowd::{Budget, Chain, Class, Crowd, CrowdSettings, Lra, Planner};
use giveway_sim::{Endpoints, Simulation, Task};
use giveway_spaces::{Connectivity, FnSpace, Grid, Positions};
use giveway_strategies::{Hca, Instance};
use rand::Rng;
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeSet;

fn seeded(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::new(u128::from(seed) * 2 + 1)
}

/// Scattered places that are no nearer to each other than `least`, each joined to its nearest ones: edges cross, and
/// pass by other places.
fn scattered(count: usize, least: f32, random: &mut Pcg64Mcg) -> FnSpace<u32, Positions> {
    let mut places: Vec<[f32; 2]> = Vec::new();
    while places.len() < count {
        let at = [0, 1].map(|_| random.random_range(0.0_f32..10.0));
        let far = |other: &[f32; 2]| (at[0] - other[0]).hypot(at[1] - other[1]) >= least;
        if places.iter().all(far) {
            places.push(at);
        }
    }
    let distance = |a: u32, b: u32| {
        let (a, b) = (places[a as usize], places[b as usize]);
        (a[0] - b[0]).hypot(a[1] - b[1])
    };
    let nodes = u32::try_from(count).unwrap();
    let near: Vec<Vec<u32>> = (0..nodes)
        .map(|node| {
            let mut others: Vec<u32> = (0..nodes).filter(|other| *other != node).collect();
            others.sort_by(|a, b| distance(node, *a).total_cmp(&distance(node, *b)));
            others.truncate(5);
            others
        })
        .collect();
    let joined = |a: u32, b: u32| near[a as usize].contains(&b) || near[b as usize].contains(&a);
    FnSpace::new(nodes, |node| {
        (0..nodes).filter(|other| joined(node, *other)).map(|other| (other, 1000)).collect::<Vec<_>>()
    })
    .unwrap()
    .with_positions(|node| [places[node as usize][0], places[node as usize][1], 0.0])
    .unwrap()
}

/// Lets units under way at random for a while, by `chain`. Returns the trace, with discs of `radius`, and the number of
/// arrivals.
fn wander<S>(space: &S, point: Point, radius: f32, units: usize, chain: Chain, seed: u64) -> (Trace, u64)
where
    S: Embedding + giveway_core::SyncSpace + 'static,
{
    let mut random = seeded(seed);
    let disc = TracedBody::Disc { center: [0.0; 2], radius };
    let mut crowd = Crowd::new(CrowdSettings::new().chain(chain));
    let class = crowd.add_class(Class::new(space, point).body(disc)).unwrap();
    let mut simulation = Simulation::new(crowd).recorded();
    let mut starts: Vec<NodeId> = (0..u32::try_from(space.node_bound()).unwrap()).map(NodeId).collect();
    let places = Endpoints::from(starts.clone());
    for _ in 0..units {
        while !starts.is_empty() {
            let start = starts.swap_remove(random.random_range(0..starts.len()));
            let task = Task::Lifelong { places: places.clone(), seed };
            if simulation.add(class, Agent::bystander(start), task).is_ok() {
                break;
            }
        }
    }
    simulation.run(120, Budget::unlimited());
    (simulation.trace().unwrap(), simulation.metrics().arrivals)
}

const RADIUS: f32 = 0.3;

#[test]
fn discs_on_a_graph_with_crossing_edges_never_overlap() {
    let (mut arrivals, mut without, mut rules) = (0, 0, BTreeSet::new());
    for seed in 0..40 {
        let mut random = seeded(seed);
        let space = scattered(22, 2.0 * RADIUS + 0.05, &mut random);
        let timed = Point::rounded(&space, 4);
        for (rule, point) in [(0, Point::swap_rule(&space)), (1, Point::following_rule(&space)), (2, timed)] {
            let chain = match seed % 3 {
                0 => Chain::new(Planner::Windowed).fallback(Planner::Pibt, 16).fallback(Planner::Lacam, 48),
                1 => Chain::from(Lra::new(seed)),
                _ => Chain::from(Planner::Windowed),
            };
            let apart = point.clone().keep_apart(&space, RADIUS).unwrap();
            assert!(apart.conflict_sets() > 20);
            let (trace, arrived) = wander(&space, apart, RADIUS, 6, chain.clone(), seed);
            assert_eq!(BodyChecker::new().check(&trace), [], "seed {seed}, rule {rule}");
            arrivals += arrived;
            let (trace, _) = wander(&space, point, RADIUS, 6, chain, seed);
            let overlaps = BodyChecker::new().check(&trace).len();
            without += overlaps;
            if overlaps > 0 {
                rules.insert(rule);
            }
        }
    }
    assert!(arrivals > 2000, "{arrivals} arrivals");
    assert!(without > 200 && rules.len() == 3, "{without} overlaps without conflict sets, under rules {rules:?}");
}

#[test]
fn plans_keep_discs_apart_too() {
    let mut solved = 0;
    for seed in 100..130 {
        let mut random = seeded(seed);
        let space = scattered(22, 2.0 * RADIUS + 0.05, &mut random);
        let point = Point::swap_rule(&space).keep_apart(&space, RADIUS).unwrap();
        giveway_conformance::footprint(&space, &point).unwrap();
        let agents: Vec<Agent> = (0..5).map(|unit| Agent::new(NodeId(unit), NodeId(21 - unit))).collect();
        let instance = Instance::new(&space, &point, agents.clone()).unwrap();
        let solution = Hca::hca_star().solve(&instance);
        if solution.is_complete() {
            solved += 1;
            assert_eq!(Checker::new(&space, ConflictRule::Swap).check(&agents, &solution.plan), []);
            let mut trace = Trace::from_plan(&space, &agents, &solution.plan, 1);
            for agent in &mut trace.agents {
                agent.body = Some(TracedBody::Disc { center: [0.0; 2], radius: RADIUS });
            }
            assert_eq!(BodyChecker::new().check(&trace), [], "seed {seed}");
        }
    }
    assert!(solved > 15, "{solved} of 30 solved");
}

/// Every pair of motions, compared at many moments: an oracle of what comes near.
#[test]
fn motions_exclude_each_other_exactly_if_units_would_overlap() {
    let map = Grid::open(4, 4).unwrap();
    let vehicle =
        Vehicle::new(Body::disc(0.2).unwrap(), Primitives::straight(Headings::Four, 1).unwrap().arcs(1.0).unwrap());
    let (lattice, _) = vehicle.on(&map, Ground::from_grid(&map), 100).unwrap();
    let grid = Grid::open(4, 3).unwrap().with_connectivity(Connectivity::Eight);
    for radius in [0.1, 0.3, 0.34, 0.36, 0.5, 0.6] {
        compare(&lattice, radius);
        compare(&grid, radius);
        compare(&scattered(14, 0.7, &mut seeded(7)), radius);
    }
}

/// Where a motion begins and ends, and its move, if it is one.
type Case<S> = (NodeId, NodeId, Option<Move<<S as SpaceGraph>::Action, <S as SpaceGraph>::Cost>>);

fn compare<S: Embedding>(space: &S, radius: f32) {
    let nodes = u32::try_from(space.node_bound()).unwrap();
    let mut motions: Vec<Case<S>> = Vec::new();
    for node in (0..nodes).map(NodeId) {
        motions.push((node, node, None));
        motions.extend(space.moves(node).map(|m| (node, m.to, Some(m))));
    }
    let at = |(from, to, m): &Case<S>, share: f32| -> [f32; 2] {
        let [a, b] = [*from, *to].map(|node| space.position(node));
        match m.as_ref().and_then(|m| space.trajectory(m)) {
            Some(trajectory) => Trajectory::pose(trajectory, [a[0], a[1]], space.heading(*from), share).0,
            None => [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * share),
        }
    };
    let shares: Vec<f32> = (0..=40_u8).map(|part| f32::from(part) / 40.0).collect();
    let points: Vec<Vec<[f32; 2]>> =
        motions.iter().map(|m| shares.iter().map(|share| at(m, *share)).collect()).collect();
    for together in [true, false] {
        let rule = if together { Point::swap_rule(space) } else { Point::following_rule(space) };
        let point = rule.keep_apart(space, radius).unwrap();
        let cells = |motion: &Case<S>| -> BTreeSet<u32> {
            let motion = match &motion.2 {
                None => giveway_core::Motion::Rest { node: motion.0, ticks: 1 },
                Some(m) => giveway_core::Motion::Move(*m),
            };
            point.entries(space, &motion, 0).into_iter().map(|entry| entry.cell.0).collect()
        };
        let cells: Vec<BTreeSet<u32>> = motions.iter().map(cells).collect();
        for (a, one) in motions.iter().enumerate() {
            for (b, other) in motions.iter().enumerate().skip(a + 1) {
                let shared = [one.0, one.1].iter().any(|node| [other.0, other.1].contains(node));
                let follows =
                    together && (one.1 == other.0 || one.0 == other.1) && one.0 != one.1 && other.0 != other.1;
                if shared && !follows || one.0 == other.1 && one.1 == other.0 {
                    continue;
                }
                let apart = |p: [f32; 2], q: [f32; 2]| (p[0] - q[0]).hypot(p[1] - q[1]);
                let least = if together {
                    points[a].iter().zip(&points[b]).map(|(p, q)| apart(*p, *q)).fold(f32::INFINITY, f32::min)
                } else {
                    let pairs = points[a].iter().flat_map(|p| points[b].iter().map(move |q| apart(*p, *q)));
                    pairs.fold(f32::INFINITY, f32::min)
                };
                let excluded = !cells[a].is_disjoint(&cells[b]);
                // Samples lie up to a fortieth of a move beside the nearest moment.
                if least < 2.0 * radius - 1e-4 {
                    assert!(excluded, "{one:?} and {other:?} come as near as {least}, radius {radius}, {together}");
                }
                if least > 2.0 * radius + 0.12 {
                    assert!(
                        !excluded,
                        "{one:?} and {other:?} come no nearer than {least}, radius {radius}, {together}"
                    );
                }
            }
        }
    }
}

#[test]
fn sites_may_be_given() {
    // Two tracks that cross on one level: 0-1 and 2-3. A barrier at node 4 is down while a train is on the first.
    let tracks = FnSpace::new(6, |node| {
        let to: &[u32] = match node {
            0 => &[1],
            1 => &[0],
            2 => &[3],
            3 => &[2],
            4 => &[5],
            _ => &[4],
        };
        to.iter().map(|to| (*to, 1000)).collect::<Vec<_>>()
    })
    .unwrap();
    let way = |from, to| Site::Way(NodeId(from), NodeId(to));
    let pairs = [[way(0, 1), way(2, 3)], [way(0, 1), Site::Node(NodeId(4))]];
    let point = Point::following_rule(&tracks).with_conflicts(&tracks, pairs).unwrap();
    let agents: Vec<Agent> =
        [(0, 1), (3, 2), (4, 5)].map(|(start, goal)| Agent::new(NodeId(start), NodeId(goal))).to_vec();
    let instance = Instance::new(&tracks, &point, agents.clone()).unwrap();
    let plan = Hca::hca_star().solve(&instance).plan;
    let arrivals: Vec<u32> = plan.paths.iter().map(|path| path.arrival()).collect();
    // The first train waits until the unit is past the barrier; then the second waits for the first, or goes before it.
    assert_eq!(arrivals.iter().filter(|arrival| **arrival == 1).count(), 2, "{arrivals:?}");
    assert_eq!(arrivals[0].max(arrivals[1]), 2, "{arrivals:?}");
    let nowhere = Point::following_rule(&tracks).with_conflicts(&tracks, [[way(0, 1), way(1, 2)]]).unwrap_err();
    assert_eq!(nowhere.to_string(), "there is no move between node 1 and node 2");
    let nobody =
        Point::following_rule(&tracks).with_conflicts(&tracks, [[way(0, 1), Site::Node(NodeId(9))]]).unwrap_err();
    assert_eq!(nobody, ApartError::NoSuchSite { site: Site::Node(NodeId(9)) });
}

#[test]
fn only_clones_of_one_point_share_a_crowd() {
    let space = scattered(12, 1.0, &mut seeded(1));
    let cells = |point: &Point| Footprint::cells(point, &space);
    let plain = Point::following_rule(&space);
    let [thin, fat] = [0.2, 0.4].map(|radius| plain.clone().keep_apart(&space, radius).unwrap());
    assert!(Cells::join(cells(&thin), cells(&thin.clone())).is_ok());
    for (one, other) in [(&thin, &fat), (&thin, &plain), (&plain, &fat)] {
        assert!(Cells::join(cells(one), cells(other)).is_err());
    }
    for radius in [-1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(plain.clone().keep_apart(&space, radius), Err(ApartError::Radius { .. })));
    }
    // As wide as the world: everything excludes everything, and it is still an answer.
    assert!(plain.keep_apart(&space, 100.0).unwrap().conflict_sets() > 0);
}
