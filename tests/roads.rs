//! Roads: forty vans on a town of six by six junctions never touch, and keep moving.

use std::sync::Arc;

use giveway_bodies::{Body, CommonTicks, Ground};
use giveway_check::BodyChecker;
use giveway_core::{Agent, AgentId, Footprint, Goals, NodeId, Point, SpaceGraph, Tick, Trace, TracedBody};
use giveway_crowd::{Budget, Chain, Class, ClassId, Crowd, CrowdSettings, Planner};
use giveway_sim::{Simulation, Task};
use giveway_spaces::{FnSpace, Positions, RoadRules, Roads, SpaceError};
use rand::Rng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

const BLOCK: f32 = 16.0;

/// A road map of `side` by `side` junctions; every third street from west to east is one-way if `one_way`.
fn town(side: u32, one_way: bool) -> FnSpace<u32, Positions> {
    let moves = |node: u32| {
        let (x, y) = (node % side, node / side);
        let mut to = Vec::new();
        if x + 1 < side {
            to.push(node + 1);
        }
        if x > 0 && !(one_way && y % 3 == 1) {
            to.push(node - 1);
        }
        if y + 1 < side {
            to.push(node + side);
        }
        if y > 0 {
            to.push(node - side);
        }
        to.into_iter().map(|to| (to, 16_000)).collect::<Vec<_>>()
    };
    #[allow(clippy::cast_precision_loss)]
    FnSpace::new(side * side, moves)
        .unwrap()
        .with_positions(|node| [((node % side) as f32 + 1.0) * BLOCK, ((node / side) as f32 + 1.0) * BLOCK, 0.0])
        .unwrap()
}

#[test]
fn roads_keep_the_contract() {
    for side in [2, 3, 5] {
        for one_way in [false, true] {
            let map = town(side, one_way);
            for rules in [
                RoadRules::new(3.2, 1.8, 3.6),
                RoadRules::new(3.2, 1.8, 3.6).keeping_left(),
                RoadRules::new(2.0, 1.0, 3.0).turning_round(),
                RoadRules::new(100.0, 1.0, 1.0),
            ] {
                let roads = Roads::new(&map, rules).unwrap();
                giveway_conformance::space_graph(&roads).unwrap();
                giveway_conformance::embedding(&roads).unwrap();
            }
        }
    }
    let map = town(2, false);
    let refused = Roads::new(&map, RoadRules::new(3.2, 1.8, 8.0)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the road from node 0 to node 1 is 16 long: it must be longer than two setbacks of 8, and hold at most a million places"
    );
    for (spacing, lane, setback) in
        [(0.0, 3.0, 5.0), (5.0, -1.0, 5.0), (5.0, 3.0, 0.0), (f32::NAN, 3.0, 5.0), (5.0, 3.0, f32::INFINITY)]
    {
        assert!(matches!(Roads::new(&map, RoadRules::new(spacing, lane, setback)), Err(SpaceError::Length { .. })));
    }
    let one_each = Roads::with_capacities(&map, RoadRules::new(3.2, 1.8, 3.6), |_, _| 1).unwrap();
    assert_eq!(one_each.capacity(NodeId(0), NodeId(1)), 1);
    assert_eq!(one_each.node_bound(), 8);
}

/// The record of a crowd of vehicles with orders at random.
struct Traffic {
    trace: Trace,
    arrivals: u64,
    /// The longest time, in steps, for which a vehicle under way stood, and its queue did, too.
    longest_stand: u32,
    now: Tick,
}

/// Drives `count` vehicles for `steps` steps; each gets a new order as it arrives.
fn drive(roads: &Roads, ticks: u32, crowd: Crowd<'_>, class: ClassId, count: usize, steps: u32, seed: u64) -> Traffic {
    let mut random = Pcg64Mcg::new(u128::from(seed) * 2 + 1);
    let places = u32::try_from(roads.node_bound()).unwrap();
    let mut simulation = Simulation::new(crowd).recorded();
    let mut vans: Vec<AgentId> = Vec::new();
    while vans.len() < count {
        let start = NodeId(random.random_range(0..places));
        vans.extend(simulation.add(class, Agent::bystander(start), Task::Once).ok());
    }
    let mut goals: Vec<Option<Goals>> = vec![None; count];
    let mut at = vec![(NodeId(u32::MAX), 0_u32); count];
    let (mut longest, mut arrivals) = (0, 0);
    for now in 0..steps * ticks {
        for (number, van) in vans.iter().enumerate() {
            let node = simulation.crowd().node(*van).unwrap();
            if goals[number].as_ref().is_none_or(|goals| goals.contains(node)) {
                arrivals += u64::from(goals[number].is_some());
                let [from, to] = roads.ends(NodeId(random.random_range(0..places))).unwrap();
                goals[number] = simulation.send(*van, roads.lane(from, to)).ok();
                at[number] = (node, now);
            }
        }
        simulation.tick(Budget::unlimited());
        for (number, van) in vans.iter().enumerate() {
            let leg = simulation.crowd().last_leg(*van);
            let node = simulation.crowd().node(*van).unwrap();
            let moves = leg.is_some_and(|leg| leg.is_move() && leg.arrive > now);
            if at[number].0 != node || moves {
                at[number] = (node, now);
            }
        }
        // A van stands in a queue that moves if the next one ahead in its lane has moved of late.
        for (number, _) in vans.iter().enumerate() {
            let mut ahead = number;
            let mut stood = (now - at[number].1) / ticks;
            for _ in 0..places {
                let next: Vec<NodeId> = roads.moves(at[ahead].0).map(|m| m.to).collect();
                let leader = (0..count)
                    .find(|other| next.contains(&at[*other].0) && roads.ends(at[*other].0) == roads.ends(at[ahead].0));
                let Some(leader) = leader else { break };
                stood = stood.min((now - at[leader].1) / ticks);
                ahead = leader;
            }
            longest = longest.max(stood);
        }
    }
    Traffic { trace: simulation.trace().unwrap(), arrivals, longest_stand: longest, now: steps * ticks }
}

/// Drives forty vans through a town of six by six junctions for each of the seeds.
fn forty_vans(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let roads = Arc::new(Roads::new(&town(6, seed == 2), RoadRules::new(3.2, 1.8, 3.6)).unwrap());
        let van = Body::rectangle(2.4, 1.2).unwrap();
        let ticks = CommonTicks::new().of([&van], &roads).fewest().unwrap();
        let side = 7.0 * BLOCK;
        let ground = Ground::new([0.0, 0.0], [side, side], 0.3).unwrap();
        let (space, footprint) = van.on(&roads, ground, ticks).unwrap();
        // Streams of vans may cross without end. A van that comes no nearer for so long goes first.
        let chain = Chain::new(Planner::Windowed).fallback(Planner::Pibt, 14);
        let mut crowd = Crowd::new(CrowdSettings::new().chain(chain));
        let class = crowd.add_class(Class::new(space, footprint).body(van.outline())).unwrap();
        let traffic = drive(&roads, ticks, crowd, class, 40, 600, seed);
        assert_eq!(BodyChecker::new().check(&traffic.trace), [], "seed {seed}");
        assert!(traffic.longest_stand < 25, "seed {seed}: a van stood for {} steps", traffic.longest_stand);
        assert!(traffic.arrivals > 200, "{} arrivals in {} ticks", traffic.arrivals, traffic.now);
    }
}

#[test]
fn forty_vans_keep_moving_in_a_town_of_six_by_six_junctions() {
    forty_vans(0..3);
}

/// In more towns: `cargo test --release -p giveway-sim --test tests roads -- --ignored`.
#[test]
#[ignore = "takes long"]
fn forty_vans_keep_moving_in_twelve_towns() {
    forty_vans(0..12);
}

#[test]
fn a_usual_move_on_roads_is_the_median_of_all() {
    // Lanes are 10 long, and each has as many places as fit.
    for (spacing, step, ticks) in [(1.0, 1.0, None), (2.0, 2.0, Some(40)), (2.5, 2.5, Some(50))] {
        let roads = Roads::new(&town(4, false), RoadRules::new(spacing, 1.8, 3.0)).unwrap();
        assert_eq!(roads.facts().step, step, "{spacing}");
        assert_eq!(Point::timed(&roads, 20).unwrap().ticks_of_step(&roads), ticks, "{spacing}");
    }
}

/// Vans that are home stand in the way of others, and drive round a block for them. For that a window has to last for
/// many moves along a lane.
#[test]
fn thirty_vans_come_home_in_a_town_of_four_by_four_junctions() {
    for seed in 0_u64..3 {
        let roads = Arc::new(Roads::new(&town(4, false), RoadRules::new(4.0, 2.4, 4.0)).unwrap());
        let van = Body::rectangle(3.2, 1.5).unwrap();
        let ticks = CommonTicks::new().of([&van], &roads).fewest().unwrap();
        let ground = Ground::new([0.0, 0.0], [5.0 * BLOCK, 5.0 * BLOCK], 0.4).unwrap();
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = crowd.add_class(Class::for_body(&van, &roads, ground, ticks).unwrap()).unwrap();
        let mut places: Vec<NodeId> = roads.nodes().collect();
        places.shuffle(&mut Pcg64Mcg::new(u128::from(seed) * 2 + 1));
        let mut goals = places.iter().rev();
        let mut count = 0;
        for start in &places {
            count += usize::from(count < 30 && crowd.add(class, Agent::new(*start, *goals.next().unwrap())).is_ok());
        }
        let mut simulation = Simulation::new(crowd).recorded();
        while !simulation.crowd().is_at_rest() && simulation.crowd().now() < 3000 * ticks {
            simulation.tick(Budget::unlimited());
        }
        assert!(simulation.crowd().is_at_rest(), "seed {seed}");
        assert_eq!(BodyChecker::new().check(&simulation.trace().unwrap()), [], "seed {seed}");
        assert_eq!(count, 30, "seed {seed}");
    }
}

#[test]
fn points_on_roads_keep_their_distance_where_lanes_cross() {
    let roads = Roads::new(&town(3, true), RoadRules::new(3.2, 1.8, 3.6)).unwrap();
    let ticks = CommonTicks::new().points(&roads).fewest().unwrap();
    let radius = 0.8;
    let point = Point::timed(&roads, ticks).unwrap();
    for (apart, overlaps) in [(true, false), (false, true)] {
        let point = point.clone();
        let point = if apart { point.keep_apart(&roads, radius).unwrap() } else { point };
        let disc = TracedBody::Disc { center: [0.0; 2], radius };
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = crowd.add_class(Class::new(&roads, point).body(disc)).unwrap();
        let traffic = drive(&roads, ticks, crowd, class, 14, 200, 5);
        assert_eq!(!BodyChecker::new().check(&traffic.trace).is_empty(), overlaps);
        assert!(traffic.arrivals > 20, "{} arrivals", traffic.arrivals);
    }
}

/// A vehicle may pass the junction together with a vehicle whose way it does not cross; otherwise it waits.
#[test]
fn junctions_let_pass_what_does_not_conflict() {
    let map = town(3, false);
    let roads = Arc::new(Roads::new(&map, RoadRules::new(3.2, 1.8, 3.6)).unwrap());
    let van = Body::rectangle(2.4, 1.2).unwrap();
    let ticks = CommonTicks::new().of([&van], &roads).fewest().unwrap();
    let ground = Ground::new([0.0, 0.0], [4.0 * BLOCK, 4.0 * BLOCK], 0.3).unwrap();
    // All come to the junction in the middle, 4, at one time.
    let through = |ways: &[[u32; 2]]| {
        let (space, footprint) = van.on(&roads, ground, ticks).unwrap();
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = crowd.add_class(Class::new(space, footprint).body(van.outline())).unwrap();
        let mut simulation = Simulation::new(crowd).recorded();
        for [from, to] in ways {
            let start = roads.first(NodeId(*from), NodeId(4)).unwrap();
            let agent = Agent::new(start, roads.lane(NodeId(4), NodeId(*to)));
            simulation.add(class, agent, Task::Once).unwrap();
        }
        while !simulation.crowd().is_at_rest() {
            simulation.tick(Budget::unlimited());
        }
        assert_eq!(BodyChecker::new().check(&simulation.trace().unwrap()), []);
        simulation.crowd().now().div_ceil(ticks)
    };
    let alone = through(&[[3, 5]]);
    // The opposite stream.
    assert_eq!(through(&[[3, 5], [5, 3]]), alone);
    // Four that turn right.
    let right = through(&[[3, 7]]);
    assert_eq!(through(&[[3, 7], [7, 5], [5, 1], [1, 3]]), right);
    // One that crosses.
    assert!(through(&[[3, 5], [1, 7]]) > alone);
}

#[test]
fn lanes_without_a_way_on_are_refused() {
    let line = |heights: [f32; 3]| {
        FnSpace::new(3, |node| [node.wrapping_sub(1), node + 1].into_iter().filter(|to| *to < 3).map(|to| (to, 1)))
            .unwrap()
            .with_positions(|node| {
                [[0.0, 0.0], [30.0, 0.0], [30.0, 40.0_f32]].map(|[x, y]| [x, y, heights[node as usize]])[node as usize]
            })
            .unwrap()
    };
    // Both lanes lie in the middle of the road, so no vehicle turns round where it ends.
    let refused = Roads::new(&line([0.0; 3]), RoadRules::new(5.0, 0.0, 2.0)).unwrap_err();
    assert!(matches!(refused, SpaceError::Junction { .. }), "{refused}");
    // On a slope roads are longer than in the plane, and cost as much as the map says, but at least 1 for each place.
    let steep = Roads::new(&line([0.0, 40.0, 40.0]), RoadRules::new(5.0, 2.0, 5.0)).unwrap();
    let up = steep.lane(NodeId(0), NodeId(1));
    let moves = |goals: &Goals| goals.nodes().iter().flat_map(|node| steep.moves(*node).next()).collect::<Vec<_>>();
    assert!(moves(&up).iter().all(|m| m.cost == 1));
    let length: f32 = moves(&up)[..up.nodes().len() - 1].iter().map(|m| m.length).sum();
    approx::assert_abs_diff_eq!(length, 50.0 * 20.0 / 30.0, epsilon = 1e-3);
    // There and back, wherever a unit is.
    let mut search = giveway_core::SpatialSearch::new();
    for node in (0..u32::try_from(steep.node_bound()).unwrap()).map(NodeId) {
        let home = steep.at_junction(NodeId(0));
        assert!(search.find(&steep, node, &home, &mut giveway_core::heuristic::Zero).is_ok());
    }
}
