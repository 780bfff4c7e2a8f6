//! Instances that are planned from start to end, by every strategy.

use giveway::direction::{DirectionMap, DirectionRules, EdgeDirectionMap};
use giveway::heuristic::{ByMetric, Manhattan, Octile, PricedDistances, TrueDistances, Zero};
use giveway::scenario::MapKind;
use giveway::search::TimeModel;
use giveway::spaces::{Connectivity, CornerCutting, Grid, SyncSpace};
use giveway::store::{IntervalTable, SparseTable, WindowTable};
use giveway::strategies::{Cooperative, CrowdSettings, CrowdSolver, Hca, Independent, Lra, Order, Planner, Routing};
use giveway::{Agent, Footprint, Instance, NodeId, Point, SpaceGraph};

use crate::golden::settings::{ORDERS, RESTARTS, push, settings};
use crate::golden::table::{Cases, Row};
use crate::golden::worlds::{World, benchmark, generated, nodes};

const LIMIT: u32 = 250;
const MANHATTAN: Manhattan<u32> = Manhattan { step: 1000 };

pub(crate) fn run(cases: &mut Cases) {
    by_strategy(cases);
    in_turns(cases);
    by_settings(cases);
    in_vain(cases);
    by_repairs(cases);
    under_rules(cases);
    under_layers(cases);
}

/// An instance on a grid, whose agents are points.
type OnGrid<'a> = Instance<'a, Grid, Point>;

fn on_grid<'a>(world: &'a World, point: &'a Point) -> OnGrid<'a> {
    Instance::new(&world.grid, point, world.agents.clone()).expect("agents that fit")
}

fn hca(row: &mut Row, instance: &OnGrid<'_>, with: impl Fn(Hca<Grid>) -> Hca<Grid>) {
    row.plan(instance, &with(Hca::hca_star()).solve(instance));
}

fn crowd(row: &mut Row, instance: &OnGrid<'_>, settings: CrowdSettings, limit: Option<u32>) {
    row.plan(instance, &CrowdSolver::new(settings).latest(limit).solve(instance));
}

fn lra(row: &mut Row, instance: &OnGrid<'_>, lra: Lra, limit: Option<u32>) {
    row.plan(instance, &CrowdSolver::lra_star(lra).latest(limit).solve(instance));
}

type Plan = fn(&mut Row, &OnGrid<'_>);

/// All strategies as they are.
const PLAIN: [(&str, Plan); 5] = [
    ("independent", |row, instance| {
        row.plan(instance, &Independent::new(TrueDistances::<Grid, Zero>::tables()).solve(instance));
    }),
    ("ca", |row, instance| {
        let solution = match instance.space().connectivity() {
            Connectivity::Four => Cooperative::new(ByMetric(MANHATTAN)).solve(instance),
            Connectivity::Eight => Cooperative::new(ByMetric(Octile { step: 1000, diagonal: 1414 })).solve(instance),
        };
        row.plan(instance, &solution);
    }),
    ("hca", |row, instance| hca(row, instance, |planner| planner)),
    ("whca", |row, instance| crowd(row, instance, CrowdSettings::new(), Some(LIMIT))),
    ("lra", |row, instance| lra(row, instance, Lra::new(1), Some(LIMIT))),
];

fn all_plain(row: &mut Row, instance: &OnGrid<'_>) {
    PLAIN.iter().for_each(|(_, plan)| plan(row, instance));
}

fn by_strategy(cases: &mut Cases) {
    for (map, number, counts) in
        [("random-32-32-20", 1, [10, 60]), ("maze-32-32-4", 1, [10, 30]), ("den312d", 1, [10, 30])]
    {
        let worlds = counts.map(|count| benchmark(map, number, count));
        for (name, plan) in PLAIN {
            cases.run(format!("plan/{map}-{number}/{name}"), |row| {
                worlds.iter().for_each(|world| plan(row, &on_grid(world, &Point::swap_rule(&world.grid))));
            });
        }
    }
    for (kind, sides, agents) in [
        (MapKind::Open, [9, 7], 30),
        (MapKind::Random, [18, 18], 40),
        (MapKind::Room, [24, 24], 40),
        (MapKind::Maze, [21, 21], 16),
        (MapKind::Warehouse, [30, 16], 40),
        (MapKind::Caves, [24, 24], 30),
    ] {
        let world = generated(kind, sides, agents, 3);
        cases.run(format!("plan/{kind}"), |row| all_plain(row, &on_grid(&world, &Point::swap_rule(&world.grid))));
    }
}

/// CA* and HCA* with every parameter, where it is narrow and where it is dense: most of it begins anew many times.
fn in_turns(cases: &mut Cases) {
    let worlds = [
        generated(MapKind::Maze, [13, 13], 16, 6).prioritised(),
        generated(MapKind::Random, [9, 9], 36, 4).prioritised(),
    ];
    let points = worlds.each_ref().map(|world| Point::swap_rule(&world.grid));
    let both = [0, 1].map(|index| on_grid(&worlds[index], &points[index]));
    let timed = Point::rounded(&worlds[1].grid, 2);
    let timed = on_grid(&worlds[1], &timed);
    for (model, time) in [("quanta", TimeModel::Quanta), ("safe-intervals", TimeModel::SafeIntervals)] {
        let mut case = |name: &str, with: &dyn Fn(Hca<Grid>) -> Hca<Grid>| {
            cases.run(format!("hca/{model}/{name}"), |row| {
                both.iter().for_each(|instance| hca(row, instance, |planner| with(planner.time_model(time))));
            });
        };
        for (name, order) in ORDERS {
            case(&format!("order-{name}"), &|planner| planner.order(order));
        }
        for (name, restart) in RESTARTS {
            case(&format!("restart-{name}"), &|planner| planner.restart(restart));
        }
        case("latest-25", &|planner| planner.latest(25));
        cases.run(format!("hca/{model}/tables"), |row| {
            let (planner, again) = (Hca::<Grid>::hca_star().time_model(time), RESTARTS[1].1);
            let ca = Cooperative::new(ByMetric(MANHATTAN)).time_model(time).restart(again);
            let (as_given, hca) = (planner.clone().order(Order::AsGiven), planner.restart(again));
            macro_rules! on_table {
                ($new:expr) => {
                    for instance in &both {
                        row.plan(instance, &as_given.clone().solve_on(instance, &mut $new(instance)));
                    }
                    row.plan(&timed, &hca.clone().solve_on(&timed, &mut $new(&timed)));
                    row.plan(&timed, &ca.clone().solve_on(&timed, &mut $new(&timed)));
                };
            }
            let cells = |instance: &OnGrid<'_>| instance.footprint().cells(instance.space());
            on_table!(|instance| WindowTable::new(cells(instance), 64));
            on_table!(|instance| IntervalTable::new(cells(instance)));
            on_table!(|instance| SparseTable::new(cells(instance)));
        });
    }
}

/// WHCA* with every setting on its own, where it is narrow and where it is dense.
fn by_settings(cases: &mut Cases) {
    let narrow = generated(MapKind::Maze, [15, 13], 14, 2).prioritised();
    let dense = generated(MapKind::Random, [9, 9], 30, 4).prioritised();
    let points = [Point::swap_rule(&narrow.grid), Point::following_rule(&dense.grid)];
    let both = [on_grid(&narrow, &points[0]), on_grid(&dense, &points[1])];
    for (name, settings) in settings() {
        // To search jointly all the time takes long where it is dense.
        let count = if name == "chain-joint" { 1 } else { 2 };
        cases.run(format!("whca/{name}"), |row| {
            both[..count].iter().for_each(|instance| crowd(row, instance, settings.clone(), Some(60)));
        });
    }
}

/// Two agents that can never pass each other, without a latest tick.
fn in_vain(cases: &mut Cases) {
    let agents = [(0, 5), (5, 0)].map(|(start, goal)| Agent::new(NodeId(start), NodeId(goal))).into();
    let row_of_six = World { grid: Grid::open(6, 1).expect("small"), agents };
    let point = Point::swap_rule(&row_of_six.grid);
    let instance = on_grid(&row_of_six, &point);
    cases.run("whca/in-vain", |row| crowd(row, &instance, CrowdSettings::new(), None));
    cases.run("lra/in-vain", |row| lra(row, &instance, Lra::new(1), None));
}

fn by_repairs(cases: &mut Cases) {
    let world = generated(MapKind::Room, [20, 20], 40, 6);
    let point = Point::swap_rule(&world.grid);
    for (name, repair) in [
        ("seed", Lra::new(77)),
        ("no-noise", Lra::new(1).noise(0)),
        ("noise-3000", Lra::new(1).noise(3000)),
        ("greedy", Lra::new(1).routing(Routing::Greedy)),
        ("radius-2000", Lra::new(1).radius(2000)),
        ("radius-5000", Lra::new(1).radius(5000).noise(0)),
    ] {
        cases.run(format!("lra/{name}"), |row| lra(row, &on_grid(&world, &point), repair, Some(LIMIT)));
    }
}

/// Neighbours, rules of points, and cells that cost more than others.
fn under_rules(cases: &mut Cases) {
    for (name, corners) in [
        ("four", None),
        ("eight-never", Some(CornerCutting::Never)),
        ("eight-one-free", Some(CornerCutting::OneFree)),
        ("eight-always", Some(CornerCutting::Always)),
    ] {
        let world = generated(MapKind::Random, [14, 12], 24, 8);
        let world = corners.into_iter().fold(world, World::eight);
        for (rule, point) in [
            ("swap", Point::swap_rule(&world.grid)),
            ("both-cells", Point::following_rule(&world.grid)),
            ("timed", Point::rounded(&world.grid, 3)),
        ] {
            cases.run(format!("rules/{name}/{rule}"), |row| {
                let instance = on_grid(&world, &point);
                all_plain(row, &instance);
                hca(row, &instance, |planner| planner.time_model(TimeModel::SafeIntervals));
                crowd(row, &instance, CrowdSettings::new().chain(push()), Some(LIMIT));
            });
        }
    }
    for (name, corners) in [("four", None), ("eight", Some(CornerCutting::OneFree))] {
        let World { grid, agents } = generated(MapKind::Random, [14, 12], 24, 10);
        let grid = grid.with_terrain(|x, y| 1 + (x * 5 + y * 3) % 4).expect("weights");
        let world = corners.into_iter().fold(World { grid, agents }, World::eight);
        cases.run(format!("rules/terrain-{name}"), |row| {
            all_plain(row, &on_grid(&world, &Point::swap_rule(&world.grid)));
        });
    }
}

/// A map that has learned to go round clockwise.
fn clockwise(grid: &Grid, weight: f32) -> DirectionMap {
    let map = DirectionMap::blank(grid, DirectionRules::default().weight(weight).neighbours(0.1));
    for m in nodes(grid).into_iter().flat_map(|node| grid.moves(node)) {
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
    let instance = on_grid(&world, &point);
    let tables = TrueDistances::<Grid, Zero>::tables;
    let solver = |settings| CrowdSolver::new(settings).latest(LIMIT);
    for weight in [0.0, 2.5, 12.0] {
        let frozen = clockwise(grid, weight);
        frozen.freeze();
        let priced = || PricedDistances::<_, _, Zero>::tables(frozen.snapshot());
        cases.run(format!("layer/frozen-{weight}/hca"), |row| {
            row.plan(&instance, &Cooperative::new(tables()).layer(&frozen).solve(&instance));
            row.plan(&instance, &Cooperative::new(priced()).layer(&frozen).solve(&instance));
        });
        cases.run(format!("layer/frozen-{weight}/whca"), |row| {
            let repairs = CrowdSettings::new().chain(Planner::LocalRepair(Lra::new(3)));
            for settings in [CrowdSettings::new(), repairs] {
                row.plan(&instance, &solver(settings).solve_under(&instance, priced(), &frozen, &mut ()));
            }
        });
        cases.run(format!("layer/learning-{weight}/whca"), |row| {
            let map = clockwise(grid, weight);
            let solution = solver(CrowdSettings::new()).solve_under(&instance, tables(), &map, &mut ());
            row.plan(&instance, &solution);
            row.directions(&map);
        });
        cases.run(format!("layer/edges-{weight}/whca"), |row| {
            let map = EdgeDirectionMap::blank(grid, DirectionRules::default().weight(weight));
            let solution = solver(CrowdSettings::new()).solve_under(&instance, tables(), &map, &mut ());
            row.plan(&instance, &solution);
            row.edge_directions(&map);
        });
    }
}

/// The strategies that plan in any space, by tick `limit`, in windows of a number of steps.
pub(crate) fn anywhere<S, F>(row: &mut Row, instance: &Instance<'_, S, F>, limit: u32, steps: u32)
where
    S: SyncSpace,
    F: Footprint<S> + Send + Sync,
{
    let hca = Hca::<S>::hca_star;
    let crowd = |settings| CrowdSolver::new(settings).latest(limit).solve(instance);
    row.plan(instance, &Independent::new(TrueDistances::<S, Zero>::tables()).solve(instance));
    row.plan(instance, &in_time(hca(), limit).solve(instance));
    row.plan(instance, &in_time(hca(), limit).time_model(TimeModel::SafeIntervals).solve(instance));
    row.plan(instance, &crowd(CrowdSettings::new().window(steps)));
    row.plan(instance, &crowd(CrowdSettings::new().chain(push())));
    row.plan(instance, &crowd(CrowdSettings::new().chain(Planner::LocalRepair(Lra::new(1)))));
}

/// By tick `limit`, and with few new beginnings.
pub(crate) fn in_time<H>(planner: Cooperative<H>, limit: u32) -> Cooperative<H> {
    planner.latest(limit).restart(RESTARTS[1].1)
}
