//! Instances that are planned from start to end, by every strategy.

use giveway::direction::{DirectionMap, DirectionRules, EdgeDirectionMap};
use giveway::heuristic::{Manhattan, Octile, PricedDistances, TrueDistances, Zero};
use giveway::scenario::MapKind;
use giveway::search::TimeModel;
use giveway::spaces::{Connectivity, CornerCutting, Grid};
use giveway::{Agent, Footprint, Instance, NodeId, Point, SpaceGraph};

use crate::golden::api::{self, Details, Lra, ORDERS, Order, RESTARTS, Routing, SolutionIn, Table, Turns};
use crate::golden::digest;
use crate::golden::hashes::{Cases, Hash};
use crate::golden::worlds::{World, benchmark, generated};

const LIMIT: Option<u32> = Some(250);

pub(crate) fn run(cases: &mut Cases) {
    on_benchmarks(cases);
    on_made_maps(cases);
    in_turns(cases);
    by_settings(cases);
    in_vain(cases);
    by_repairs(cases);
    under_rules(cases);
    on_terrain(cases);
    under_layers(cases);
}

/// Plans for the agents of `world`, who are points, and hashes what comes of it.
fn solve(
    hash: &mut Hash,
    world: &World,
    point: &Point,
    plan: impl Fn(&Instance<'_, Grid, Point>) -> SolutionIn<Grid, Details>,
) {
    let instance = Instance::new(&world.grid, point, world.agents.clone()).expect("agents that fit");
    digest::solution(hash, &world.grid, &plan(&instance));
}

type OnGrid = fn(&Instance<'_, Grid, Point>) -> SolutionIn<Grid, Details>;

/// All strategies as they are.
const PLAIN: [(&str, OnGrid); 5] = [
    ("independent", |instance| api::independent(instance)),
    ("ca", |instance| match instance.space().connectivity() {
        Connectivity::Four => api::ca(instance, Manhattan { step: 1000 }, Turns::default()),
        Connectivity::Eight => api::ca(instance, Octile { step: 1000, diagonal: 1414 }, Turns::default()),
    }),
    ("hca", |instance| api::hca(instance, Turns::default())),
    ("whca", |instance| api::windows(instance, &api::plain(), LIMIT)),
    ("lra", |instance| api::repairs(instance, Lra::new(1), LIMIT)),
];

fn on_benchmarks(cases: &mut Cases) {
    let sets = [
        ("empty-8-8", 1, [10, 30]),
        ("random-32-32-20", 1, [10, 60]),
        ("random-32-32-20", 2, [30, 90]),
        ("maze-32-32-4", 1, [10, 30]),
        ("den312d", 1, [10, 30]),
    ];
    for (map, number, counts) in sets {
        let worlds = counts.map(|count| benchmark(map, number, count));
        for (name, plan) in PLAIN {
            cases.run(format!("plan/{map}-{number}/{name}"), |hash| {
                worlds.iter().for_each(|world| solve(hash, world, &Point::swap_rule(&world.grid), plan));
            });
        }
    }
}

fn on_made_maps(cases: &mut Cases) {
    for (kind, sides, agents) in [
        (MapKind::Open, [9, 7], 30),
        (MapKind::Random, [18, 18], 40),
        (MapKind::Room, [24, 24], 40),
        (MapKind::Maze, [21, 21], 16),
        (MapKind::Warehouse, [30, 16], 40),
        (MapKind::Caves, [24, 24], 30),
    ] {
        cases.run(format!("plan/{kind}"), |hash| {
            let world = generated(kind, sides, agents, 3);
            let point = Point::swap_rule(&world.grid);
            PLAIN.iter().for_each(|(_, plan)| solve(hash, &world, &point, plan));
        });
    }
}

/// CA* and HCA* with every parameter, where it is narrow and where it is dense: most of it begins anew many times.
fn in_turns(cases: &mut Cases) {
    let worlds = [
        generated(MapKind::Maze, [13, 13], 16, 6).prioritised(),
        generated(MapKind::Random, [9, 9], 36, 4).prioritised(),
    ];
    for (model, time) in [("quanta", TimeModel::Quanta), ("safe-intervals", TimeModel::SafeIntervals)] {
        let usual = Turns { time, ..Turns::default() };
        let hca = |hash: &mut Hash, turns: Turns| {
            for world in &worlds {
                solve(hash, world, &Point::swap_rule(&world.grid), |instance| api::hca(instance, turns));
            }
        };
        for (name, order) in ORDERS {
            cases.run(format!("hca/{model}/order-{name}"), |hash| hca(hash, Turns { order, ..usual }));
        }
        for (name, restart) in RESTARTS {
            cases.run(format!("hca/{model}/restart-{name}"), |hash| hca(hash, Turns { restart, ..usual }));
        }
        cases.run(format!("hca/{model}/latest-25"), |hash| hca(hash, Turns { latest: 25, ..usual }));
        cases.run(format!("hca/{model}/tables"), |hash| {
            for table in [Table::Window, Table::Interval, Table::Sparse] {
                hca(hash, Turns { table, order: Order::AsGiven, ..usual });
                let turns = Turns { table, restart: RESTARTS[1].1, ..usual };
                let timed = Point::rounded(&worlds[1].grid, 2);
                solve(hash, &worlds[1], &timed, |instance| api::hca(instance, turns));
                solve(hash, &worlds[1], &timed, |instance| api::ca(instance, Manhattan { step: 1000 }, turns));
            }
        });
    }
}

/// WHCA* with every setting on its own, where it is narrow and where it is dense.
fn by_settings(cases: &mut Cases) {
    let narrow = generated(MapKind::Maze, [15, 13], 14, 2).prioritised();
    let dense = generated(MapKind::Random, [9, 9], 30, 4).prioritised();
    let points = [Point::swap_rule(&narrow.grid), Point::following_rule(&dense.grid)];
    for (name, settings) in api::settings() {
        // To search jointly all the time takes long where it is dense.
        let count = if name == "chain-joint" { 1 } else { 2 };
        cases.run(format!("whca/{name}"), |hash| {
            for (world, point) in [&narrow, &dense].into_iter().zip(&points).take(count) {
                solve(hash, world, point, |instance| api::windows(instance, &settings, Some(60)));
            }
        });
    }
}

/// Two who can never pass each other: nobody says when to give up.
fn in_vain(cases: &mut Cases) {
    let row = World {
        grid: Grid::open(6, 1).expect("small"),
        agents: [(0, 5), (5, 0)].map(|(start, goal)| Agent::new(NodeId(start), NodeId(goal))).into(),
    };
    let point = Point::swap_rule(&row.grid);
    cases.run("whca/in-vain", |hash| solve(hash, &row, &point, |instance| api::windows(instance, &api::plain(), None)));
    cases.run("lra/in-vain", |hash| solve(hash, &row, &point, |instance| api::repairs(instance, Lra::new(1), None)));
}

fn by_repairs(cases: &mut Cases) {
    let world = generated(MapKind::Room, [20, 20], 40, 6);
    let point = Point::swap_rule(&world.grid);
    for (name, lra) in [
        ("seed", Lra::new(77)),
        ("no-noise", Lra::new(1).noise(0)),
        ("noise-3000", Lra::new(1).noise(3000)),
        ("greedy", Lra::new(1).routing(Routing::Greedy)),
        ("radius-2000", Lra::new(1).radius(2000)),
        ("radius-5000", Lra::new(1).radius(5000).noise(0)),
    ] {
        cases.run(format!("lra/{name}"), |hash| {
            solve(hash, &world, &point, |instance| api::repairs(instance, lra, LIMIT));
        });
    }
}

fn under_rules(cases: &mut Cases) {
    let neighbours = [
        ("four", None),
        ("eight-never", Some(CornerCutting::Never)),
        ("eight-one-free", Some(CornerCutting::OneFree)),
        ("eight-always", Some(CornerCutting::Always)),
    ];
    for (name, corners) in neighbours {
        let world = generated(MapKind::Random, [14, 12], 24, 8);
        let world = corners.into_iter().fold(world, World::eight);
        let points = [
            ("swap", Point::swap_rule(&world.grid)),
            ("both-cells", Point::following_rule(&world.grid)),
            ("timed", Point::rounded(&world.grid, 3)),
        ];
        for (rule, point) in points {
            cases.run(format!("rules/{name}/{rule}"), |hash| {
                PLAIN.iter().for_each(|(_, plan)| solve(hash, &world, &point, plan));
                let turns = Turns { time: TimeModel::SafeIntervals, ..Turns::default() };
                solve(hash, &world, &point, |instance| api::hca(instance, turns));
                let dense = api::by_chain(api::chain(api::PUSH, &[(api::JOINT, 5)]));
                solve(hash, &world, &point, |instance| api::windows(instance, &dense, LIMIT));
            });
        }
    }
}

/// Where some cells cost more than others.
fn on_terrain(cases: &mut Cases) {
    for corners in [None, Some(CornerCutting::OneFree)] {
        let World { grid, agents } = generated(MapKind::Random, [14, 12], 24, 10);
        let grid = grid.with_terrain(|x, y| 1 + (x * 5 + y * 3) % 4).expect("weights");
        let world = corners.into_iter().fold(World { grid, agents }, World::eight);
        cases.run(format!("rules/terrain-{}", if corners.is_some() { "eight" } else { "four" }), |hash| {
            let point = Point::swap_rule(&world.grid);
            PLAIN.iter().for_each(|(_, plan)| solve(hash, &world, &point, plan));
        });
    }
}

/// A map of directions that somebody has learned: all go round clockwise.
fn learned(grid: &Grid, weight: f32) -> DirectionMap {
    let map = DirectionMap::blank(grid, DirectionRules::default().weight(weight).neighbours(0.1));
    for m in crate::golden::worlds::nodes(grid).into_iter().flat_map(|node| grid.moves(node)) {
        let (x, y) = grid.xy(m.from);
        let (to_x, to_y) = grid.xy(m.to);
        let upper = 2 * y < grid.height();
        if (upper && to_x > x) || (!upper && to_x < x) || (to_x == x && (to_y > y) == (2 * x > grid.width())) {
            map.learn(grid, m.from, m.to);
        }
    }
    map
}

fn under_layers(cases: &mut Cases) {
    let world = generated(MapKind::Random, [16, 14], 24, 9);
    let (grid, point) = (&world.grid, Point::swap_rule(&world.grid));
    let instance = Instance::new(grid, &point, world.agents.clone()).expect("agents that fit");
    for weight in [0.0, 2.5, 12.0] {
        let frozen = learned(grid, weight);
        frozen.freeze();
        cases.run(format!("layer/frozen-{weight}/hca"), |hash| {
            let plain = api::hca_under(&instance, TrueDistances::<_, Zero>::tables(), &frozen);
            let heuristics = PricedDistances::<_, _, Zero>::tables(frozen.snapshot());
            let priced = api::hca_under(&instance, heuristics, &frozen);
            [plain, priced].iter().for_each(|solution| digest::solution(hash, grid, solution));
        });
        cases.run(format!("layer/frozen-{weight}/whca"), |hash| {
            for settings in [api::plain(), api::by_chain(api::repair(Lra::new(3)))] {
                let heuristics = PricedDistances::<_, _, Zero>::tables(frozen.snapshot());
                let solution = api::windows_under(&instance, &settings, heuristics, &frozen, LIMIT);
                digest::solution(hash, grid, &solution);
            }
        });
        cases.run(format!("layer/learning-{weight}/whca"), |hash| {
            let learning = learned(grid, weight);
            let heuristics = TrueDistances::<_, Zero>::tables();
            let solution = api::windows_under(&instance, &api::plain(), heuristics, &learning, LIMIT);
            digest::solution(hash, grid, &solution);
            directions(hash, &learning);
        });
        cases.run(format!("layer/edges-{weight}/whca"), |hash| {
            let learning = EdgeDirectionMap::blank(grid, DirectionRules::default().weight(weight));
            let heuristics = TrueDistances::<_, Zero>::tables();
            let solution = api::windows_under(&instance, &api::plain(), heuristics, &learning, LIMIT);
            digest::solution(hash, grid, &solution);
            for (node, position, value) in learning.values() {
                hash.numbers([node.0, position, value.to_bits()]);
            }
        });
    }
}

/// What a map of directions has learned.
pub(crate) fn directions(hash: &mut Hash, map: &DirectionMap) {
    for (node, vector) in map.directions() {
        hash.number(node.0);
        hash.numbers(vector.map(f32::to_bits));
    }
}

/// The strategies that plan in any space, by tick `limit`; in windows of so many steps.
pub(crate) fn anywhere<S, F>(hash: &mut Hash, instance: &Instance<'_, S, F>, limit: u32, steps: u32)
where
    S: SpaceGraph<Action: Send + Sync, Cost: Send + Sync> + Send + Sync,
    F: Footprint<S> + Send + Sync,
{
    let turns = in_time(limit);
    let push = api::by_chain(api::chain(api::PUSH, &[(api::JOINT, 5)]));
    let solutions = [
        api::independent(instance),
        api::hca(instance, turns),
        api::hca(instance, Turns { time: TimeModel::SafeIntervals, ..turns }),
        api::windows(instance, &api::window(steps), Some(limit)),
        api::windows(instance, &push, Some(limit)),
        api::repairs(instance, Lra::new(1), Some(limit)),
    ];
    solutions.iter().for_each(|solution| digest::solution(hash, instance.space(), solution));
}

/// By tick `limit`, and with few new beginnings.
pub(crate) fn in_time(limit: u32) -> Turns {
    Turns { latest: limit, restart: RESTARTS[1].1, ..Turns::default() }
}
