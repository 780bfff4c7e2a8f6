//! Budgets: with little work per tick a crowd takes longer, and every unit that arrives without a budget arrives with
//! one.

use std::collections::BTreeMap;
use std::sync::Arc;

use giveway_bodies::{Body, CommonTicks, Ground, Headings, Primitives, Vehicle};
use giveway_core::{Agent, AgentId, Footprint, NodeId, Point, SyncSpace, Tick};
use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
use giveway_spaces::{Connectivity, Floors, Grid, Link, Linked, WaypointRules, Waypoints};
use rand::Rng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use crate::navmesh::rooms;

/// The record of a run.
#[derive(Debug, Default)]
struct Outcome {
    ticks: Tick,
    arrived: usize,
    units: usize,
    /// The nodes that a table of distances takes.
    nodes: usize,
    /// The expansions of the dearest window.
    window: u64,
    /// For how many ticks in a row a unit waited for work, at most.
    longest_wait: Tick,
}

/// Sends up to `units` units to places at random, and lets them go until all rest, or `most` ticks have passed.
fn run<S, F>(space: S, footprint: F, units: usize, seed: u64, budget: Budget, most: Tick) -> Outcome
where
    S: SyncSpace + 'static,
    F: Footprint<S> + Send + Sync + 'static,
{
    let random = &mut Pcg64Mcg::new(u128::from(seed) * 2 + 1);
    let mut places: Vec<NodeId> =
        (0..u32::try_from(space.node_bound()).unwrap()).map(NodeId).filter(|node| space.contains(*node)).collect();
    let nodes = places.len();
    let mut goals = places.clone();
    places.shuffle(random);
    goals.shuffle(random);
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::bare(space, footprint)).unwrap();
    let agents = places.into_iter().zip(goals).map(|(start, goal)| Agent::new(start, goal));
    let added: Vec<AgentId> = agents.filter_map(|agent| crowd.add(class, agent).ok()).take(units).collect();
    let mut outcome = Outcome { units: added.len(), nodes, ..Outcome::default() };
    let mut waits: BTreeMap<AgentId, Tick> = BTreeMap::new();
    while !crowd.is_at_rest() && crowd.now() < most {
        let report = crowd.tick(budget);
        if report.searches > 0 {
            outcome.window = outcome.window.max(report.expansions / u64::from(report.searches));
        }
        waits.retain(|agent, _| report.postponed.contains(agent));
        for agent in &report.postponed {
            let wait = waits.entry(*agent).or_default();
            *wait += 1;
            outcome.longest_wait = outcome.longest_wait.max(*wait);
        }
    }
    outcome.ticks = crowd.now();
    outcome.arrived = added.iter().filter(|agent| crowd.is_home(**agent) == Some(true)).count();
    outcome
}

/// A world of one of five kinds.
fn world(seed: u64, budget: Budget, most: Tick) -> Outcome {
    let random = &mut Pcg64Mcg::new(u128::from(seed) * 2 + 1);
    let [width, height] = [0; 2].map(|_| random.random_range(12..20));
    let grid = Grid::from_fn(width, height, |_, _| random.random_ratio(9, 10)).unwrap();
    let units = random.random_range(8..24);
    match seed % 5 {
        0 => run(grid.clone(), Point::swap_rule(&grid), units, seed, budget, most),
        1 => {
            let grid = grid.with_connectivity(Connectivity::Eight);
            let disc = Body::disc(0.4).unwrap();
            let ticks = CommonTicks::new().of([&disc], &grid).fewest().unwrap();
            let (space, footprint) = disc.on(&grid, Ground::from_grid(&grid), ticks).unwrap();
            run(space, footprint, units, seed, budget, most)
        }
        2 => {
            let open = Grid::open(width, height).unwrap();
            let primitives = Primitives::straight(Headings::Four, 1).unwrap().arcs(1.0).unwrap();
            let vehicle = Vehicle::new(Body::rectangle(0.8, 0.4).unwrap(), primitives);
            let ticks = CommonTicks::new().of([&vehicle], &open).fewest().unwrap();
            let (space, footprint) = vehicle.on(&open, Ground::from_grid(&open), ticks).unwrap();
            run(space, footprint, units / 2, seed, budget, most)
        }
        3 => {
            let mesh = rooms(random.random_range(2.0..6.0));
            let disc = Body::disc(0.4).unwrap();
            let rules = WaypointRules::new(&mesh, &disc);
            let ticks = CommonTicks::new().waypoints([&rules]).fewest().unwrap();
            let waypoints = Arc::new(Waypoints::new(&mesh, rules, ticks).unwrap());
            let ground = Ground::of_mesh(&mesh, rules.ground_cell()).unwrap();
            let (space, footprint) = disc.on(&waypoints, ground, ticks).unwrap();
            run(space, footprint, units / 2, seed, budget, most)
        }
        _ => {
            let floor = Grid::open(10, 8).unwrap();
            let floors = Floors::new([floor.clone(), floor.at_height(3.0).unwrap()]).unwrap();
            let at = |floor, x, y| floors.node(floor, x, y).unwrap();
            let stairs = [(2, 2), (7, 5)].map(|(x, y)| Link::new(at(0, x, y), at(1, x, y), 3000, 3.0).both_ways());
            let space = Linked::new(floors, stairs.to_vec()).unwrap();
            let point = Point::timed(&space, 1).unwrap();
            run(space, point, units / 2, seed, budget, most)
        }
    }
}

/// More ticks than any of these worlds needs without a budget.
const MOST: Tick = 6000;

#[test]
fn whoever_arrives_without_a_budget_arrives_with_one() {
    let mut tried = [0; 3];
    for seed in 0..50 {
        let free = world(seed, Budget::unlimited(), MOST);
        assert_eq!(free.arrived, free.units, "seed {seed} without a budget: {free:?}");
        for (index, budget) in [100, 600, 3000].into_iter().enumerate() {
            // Vehicles look at many entries for each move: their expansions cost several units.
            let price = if seed % 5 == 2 { 4 } else { 1 };
            if budget < free.window * price {
                continue;
            }
            tried[index] += 1;
            // The cost of all windows, and the cost of all tables at half of the budget. Units that plan later meet
            // others, so there may be twice as much again, and ten rounds of the queue.
            let rounds = (free.units as u64 * free.window).div_ceil(budget).max(1);
            let tables = (2 * (free.units * free.nodes) as u64).div_ceil(budget);
            let queue = 10 * free.units as u64;
            let limit = Tick::try_from((u64::from(free.ticks) * rounds + tables) * 3 + queue).unwrap();
            let outcome = world(seed, Budget::work(budget), limit);
            assert_eq!(outcome.arrived, free.arrived, "seed {seed}, budget {budget}: {outcome:?}, free {free:?}");
            let round = u64::from(Tick::try_from(free.units).unwrap()) + tables;
            assert!(u64::from(outcome.longest_wait) <= 10 * round, "seed {seed}, budget {budget}: {outcome:?}");
        }
    }
    assert!(tried[0] >= 20 && tried[1] >= 45 && tried[2] == 50, "{tried:?}");
}
