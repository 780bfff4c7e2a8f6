//! Makes the pictures of the book and the README anew: `cargo run -p giveway-book --example pictures`.

use std::path::Path;
use std::sync::Arc;

use giveway::area::Change;
use giveway::check::{BodyChecker, Enclosure};
use giveway::heuristic::{ByMetric, HeuristicSource, Manhattan, TrueDistances, Zero};
use giveway::plan::Trace;
use giveway::render::{AnimatedPicture, Backdrop, ExpansionPicture, PlanPicture};
use giveway::scenario::{MapFile, Scenario};
use giveway::search::{Fuel, Query, Scene, SpaceTimeSearch};
use giveway::sim::{Simulation, Task};
use giveway::spaces::{
    Body, CommonTicks, Editable, Embedding, Facing, FnSpace, Grid, Ground, Headings, NavMesh, Positions, Primitives,
    Vehicle, WaypointRules, Waypoints,
};
use giveway::store::Claim;
use giveway::store::Unreserved;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings, Hca};
use giveway::{Agent, AgentId, Goals, Instance, NodeId, Plan, Point};
use giveway_experiments::{Chart, Mark};

type Anything = Box<dyn std::error::Error>;

fn main() -> Result<(), Anything> {
    let pictures = [
        ("two_units_meet.svg", two_units_meet()?),
        ("expansions-manhattan.svg", expansions("by Manhattan distance", ByMetric(Manhattan { step: 1000 }))?),
        ("expansions-true.svg", expansions("by true distance", TrueDistances::<Grid, Zero>::tables())?),
        ("plan.svg", plan()?),
        ("crowd.svg", crowd()?),
        ("vehicles.svg", vehicles()?),
        ("one_ground.svg", one_ground()?),
        ("navmesh.svg", navmesh()?),
        ("large_crowds-units.svg", large_crowds_by_units()?),
        ("large_crowds-cells.svg", large_crowds_by_cells()?),
        ("late_units.svg", late_units()?),
    ];
    for (name, picture) in pictures {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/pictures").join(name);
        std::fs::write(&file, picture).map_err(|why| format!("{}: {why}", file.display()))?;
    }
    Ok(())
}

fn backdrop(grid: &Grid) -> Backdrop {
    Backdrop::cells(grid.width(), grid.height(), |x, y| grid.is_passable(x, y))
}

fn node(grid: &Grid, x: u32, y: u32) -> Result<NodeId, Anything> {
    grid.node(x, y).ok_or_else(|| format!("({x}, {y}) is not on the grid").into())
}

fn solved(grid: &Grid, agents: &[Agent]) -> Result<(Trace, Plan<giveway::spaces::Direction, u32>), Anything> {
    let point = Point::swap_rule(grid);
    let instance = Instance::new(grid, &point, agents.to_vec())?;
    let solution = Hca::hca_star().solve(&instance);
    if !solution.is_complete() {
        return Err(format!("not solved: {:?}", solution.unplanned).into());
    }
    Ok((Trace::from_plan(grid, agents, &solution.plan, 1), solution.plan))
}

/// The first example of the book, moving.
fn two_units_meet() -> Result<String, Anything> {
    let grid = Grid::from_ascii(".......\n@@@.@@@")?;
    let at = |x, y| node(&grid, x, y);
    let agents = [Agent::new(at(0, 0)?, at(6, 0)?), Agent::new(at(6, 0)?, at(3, 1)?)];
    let (trace, _) = solved(&grid, &agents)?;
    Ok(AnimatedPicture::new(&trace, &backdrop(&grid)).steps_per_second(2.0).to_string())
}

/// How often each place is expanded on the way around a dead end, after Silver's figure 2.
fn expansions(guided: &str, mut source: impl HeuristicSource<Grid>) -> Result<String, Anything> {
    let grid = Grid::from_ascii(
        "...............
         .@@@@@@@@@@@...
         ...........@...
         ...........@...
         ...........@...
         .@@@@@@@@@@@...
         ...............",
    )?;
    let (start, goals) = (node(&grid, 1, 3)?, Goals::one(node(&grid, 13, 3)?));
    let scene = Scene { space: &grid, footprint: &Point::swap_rule(&grid), reservations: &Unreserved, layer: &() };
    let query = Query::new(Claim::plain(AgentId(0)), start, goals.clone());
    let mut counts = vec![0; (grid.width() * grid.height()) as usize];
    let mut heuristic = source.heuristic(&grid, &goals, start);
    SpaceTimeSearch::new().find_with(&scene, query, &mut heuristic, &mut Fuel::unlimited(), &mut counts)?;
    let sum: u32 = counts.iter().sum();
    let title = format!("{sum} expansions {guided}");
    Ok(ExpansionPicture::new(&counts, &backdrop(&grid)).max(1).title(title).to_string())
}

/// Ten patrols, three that stand by where they must pass, and a guest.
fn crowd() -> Result<String, Anything> {
    let grid = Grid::from_ascii(
        "......@......
         ......@......
         .............
         ......@......
         ......@......
         .............
         ......@......",
    )?;
    let at = |x, y| node(&grid, x, y);
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    let mut simulation = Simulation::new(crowd).recorded();
    for y in [0, 1, 3, 4, 6] {
        for (here, there) in [(at(0, y)?, at(12, y)?), (at(12, y)?, at(0, y)?)] {
            simulation.add(class, Agent::bystander(here), Task::Patrol(vec![there, here]))?;
        }
    }
    for (x, y) in [(6, 2), (6, 5), (8, 2)] {
        simulation.add(class, Agent::bystander(at(x, y)?), Task::Once)?;
    }
    simulation.run(20, Budget::unlimited());
    let guest = simulation.add(class, Agent::new(at(3, 6)?, at(9, 0)?), Task::Once)?;
    simulation.run(40, Budget::unlimited());
    simulation.remove(guest)?;
    simulation.run(20, Budget::unlimited());
    let trace = simulation.trace().ok_or("it is recorded")?;
    Ok(AnimatedPicture::new(&trace, &backdrop(&grid)).to_string())
}

/// Two cars and a tank at a crossing.
fn vehicles() -> Result<String, Anything> {
    let grid = Grid::from_ascii(
        "@@@@@...@@@@@
         @@@@@...@@@@@
         @@@@@...@@@@@
         .............
         .............
         .............
         @@@@@...@@@@@
         @@@@@...@@@@@
         @@@@@...@@@@@",
    )?;
    let straight = || Primitives::straight(Headings::Eight, 1);
    let car = Vehicle::new(Body::rectangle(1.8, 0.9)?, straight()?.arcs(1.5)?.reversing(2.0)?);
    let tank = Vehicle::new(Body::rectangle(1.3, 0.95)?.speed(0.75)?, straight()?.reversing(1.0)?.pivoting(6.0)?);
    let ticks = CommonTicks::new().of([&car, &tank], &grid).fewest()?;
    let mut crowd = Crowd::new(CrowdSettings::new());
    let mut agents = Vec::new();
    let places = [(&car, vec![((1, 5, 0), (6, 1, 6)), ((11, 3, 4), (6, 7, 2))]), (&tank, vec![((5, 1, 2), (1, 4, 4))])];
    for (vehicle, places) in places {
        let (space, footprint) = vehicle.on(&grid, Ground::from_grid(&grid), ticks)?;
        let nodes = places.into_iter().map(|ends| {
            let node = |(x, y, heading)| space.node(x, y, heading).ok_or("on the map");
            Ok((node(ends.0)?, node(ends.1)?))
        });
        let nodes: Vec<(NodeId, NodeId)> = nodes.collect::<Result<_, Anything>>()?;
        let class = crowd.add_class(Class::new(space, footprint).body(vehicle.outline()))?;
        agents.extend(nodes.into_iter().map(|(start, goal)| (class, Agent::new(start, goal))));
    }
    let mut simulation = Simulation::new(crowd).recorded();
    for (class, agent) in agents {
        simulation.add(class, agent, Task::Once)?;
    }
    while !simulation.crowd().is_at_rest() && simulation.crowd().now() < 60 * ticks {
        simulation.tick(Budget::unlimited());
    }
    let trace = simulation.trace().ok_or("it is recorded")?;
    if !simulation.crowd().is_at_rest() || !BodyChecker::new().check(&trace).is_empty() {
        return Err("the vehicles do not arrive".into());
    }
    Ok(AnimatedPicture::new(&trace, &backdrop(&grid)).steps_per_second(2.0).to_string())
}

/// Places and the ways between neighbours in a list, there and back.
fn ways(places: &[[f32; 2]], ways: &[(u32, u32)]) -> Result<FnSpace<u32, Positions>, Anything> {
    let count = u32::try_from(places.len())?;
    let near = |node| ways.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).filter(move |(from, _)| *from == node);
    let space = FnSpace::new(count, |node| near(node).map(|(_, to)| (to, 3000)).collect::<Vec<_>>())?;
    // To halves, so that ticks can be coarse.
    let space = space.with_lengths(|m| {
        let [a, b] = [m.from, m.to].map(|node| places[node.index()]);
        ((a[0] - b[0]).hypot(a[1] - b[1]) * 2.0).round() / 2.0
    })?;
    Ok(space.with_positions(|node| [places[node as usize][0], places[node as usize][1], 0.0])?)
}

/// Soldiers and giants on a grid, vans on roads and walkers on a footpath, around a castle.
fn one_ground() -> Result<String, Anything> {
    let castle = |x, y| (9..15).contains(&x) && (4..10).contains(&y);
    let grid = Grid::from_fn(24, 14, |x, y| !castle(x, y))?;
    let roads = [[2.0, 2.0], [7.0, 2.0], [17.0, 2.0], [17.0, 12.0], [7.0, 12.0], [21.0, 11.5]];
    let roads = ways(&roads, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 1), (3, 5)])?;
    let vans = Arc::new(Facing::new(Arc::new(roads), 1.0)?);
    let path = [[1.0, 12.5], [3.5, 9.5], [5.5, 6.5], [8.0, 3.5], [11.5, 2.5], [15.0, 3.5], [19.0, 5.5], [22.5, 7.5]];
    let path = Arc::new(ways(&path, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7)])?);

    let (soldier, giant) = (Body::disc(0.4)?, Body::square(3)?.speed(0.5)?);
    let (van, walker) = (Body::rectangle(2.2, 1.1)?, Body::disc(0.3)?.speed(0.5)?);
    let common = CommonTicks::new().of([&soldier, &giant], &grid);
    let ticks = common.of([&van], &vans).of([&walker], &path).fewest()?;
    let ground = Ground::new([-0.5, -0.5], [24.0, 14.0], 0.5)?;
    let walls = grid.walls().ok_or("there is a castle")?;

    let mut crowd = Crowd::new(CrowdSettings::new());
    let mut agents = Vec::new();
    let at = |x, y| node(&grid, x, y);
    let (space, footprint) = soldier.on(&grid, ground, ticks)?;
    let soldiers = crowd.add_class(Class::new(space, footprint).body(soldier.outline()))?;
    for y in [0, 3, 10, 13] {
        agents.push((soldiers, Agent::new(at(0, y)?, at(23, 13 - y)?)));
        agents.push((soldiers, Agent::new(at(23, y)?, at(0, 13 - y)?)));
    }
    let (space, footprint) = giant.on(&grid, ground, ticks)?;
    let giants = crowd.add_class(Class::new(space, footprint).body(giant.outline()))?;
    agents.push((giants, Agent::new(at(20, 2)?, at(3, 7)?)));
    let starts = [(0, 5), (5, 4), (3, 0)].map(|(from, to)| {
        let [start, goals] = [from, to].map(|place| vans.any_heading(NodeId(place)));
        Ok((*start.nodes().first().ok_or("a junction")?, goals))
    });
    let (mut space, footprint) = van.on(&vans, ground, ticks)?;
    space.change(&walls, Change::Close);
    let of_vans = crowd.add_class(Class::new(space, footprint).body(van.outline()))?;
    for ends in starts {
        let (start, goals): (NodeId, Goals) = ends.map_err(|why: &str| why)?;
        agents.push((of_vans, Agent::new(start, goals)));
    }
    let (mut space, footprint) = walker.on(&path, ground, ticks)?;
    space.change(&walls, Change::Close);
    let walkers = crowd.add_class(Class::new(space, footprint).body(walker.outline()))?;
    agents.push((walkers, Agent::new(NodeId(0), NodeId(7))));
    agents.push((walkers, Agent::new(NodeId(3), NodeId(6))));

    let mut simulation = Simulation::new(crowd).recorded();
    for (class, agent) in agents {
        simulation.add(class, agent, Task::Once)?;
    }
    while !simulation.crowd().is_at_rest() && simulation.crowd().now() < 150 * ticks {
        simulation.tick(Budget::unlimited());
    }
    let trace = simulation.trace().ok_or("it is recorded")?;
    if !simulation.crowd().is_at_rest() || !BodyChecker::new().check(&trace).is_empty() {
        return Err("not all arrive on the common ground".into());
    }
    Ok(AnimatedPicture::new(&trace, &backdrop(&grid)).steps_per_second(3.0).to_string())
}

/// Discs of three sizes go to and fro on a navigation mesh.
fn navmesh() -> Result<String, Anything> {
    let yard = [[0.0, 0.0], [30.0, 0.0], [30.0, 18.0], [0.0, 18.0]];
    let ring = |[x, y]: [f32; 2], size: f32, corners: u8| -> Vec<[f32; 2]> {
        let angle = |corner: u8| 0.4 + f32::from(corner) / f32::from(corners) * std::f32::consts::TAU;
        (0..corners).map(angle).map(|angle| [x + size * angle.cos(), y + size * angle.sin()]).collect()
    };
    let wall = vec![[14.0, -1.0], [16.0, -1.0], [15.4, 4.0], [14.6, 4.0]];
    let houses = [ring([8.0, 5.0], 2.2, 5), ring([9.0, 13.0], 2.4, 3), ring([15.0, 10.0], 2.6, 6)];
    let others = [ring([21.5, 5.0], 2.2, 4), ring([22.0, 13.0], 2.4, 7), wall];
    let mesh = NavMesh::from_outline(&yard, &[houses, others].concat())?;

    let bodies = [Body::disc(0.9)?.speed(0.5)?, Body::disc(0.6)?.speed(0.75)?, Body::disc(0.4)?];
    let rules = bodies.each_ref().map(|body| WaypointRules::new(&mesh, body));
    let ticks = CommonTicks::new().waypoints(&rules).fewest()?;
    let ground = Ground::of_mesh(&mesh, rules[2].ground_cell())?;
    let starts: [&[[f32; 2]]; 3] = [
        &[[2.0, 9.0], [28.0, 8.0]],
        &[[2.0, 2.0], [28.0, 3.0], [2.0, 16.0], [28.0, 16.0]],
        &[[4.5, 6.0], [4.5, 12.0], [25.5, 6.0], [25.5, 12.0], [5.0, 9.0], [12.0, 9.5], [18.5, 2.0], [25.0, 9.0]],
    ];
    let mut crowd = Crowd::new(CrowdSettings::new());
    let mut agents = Vec::new();
    for ((body, rules), starts) in bodies.iter().zip(rules).zip(starts) {
        let waypoints = Arc::new(Waypoints::new(&mesh, rules, ticks)?);
        let (space, footprint) = body.on(&waypoints, ground, ticks)?;
        let class = crowd.add_class(Class::new(space, footprint).body(body.outline()))?;
        for [x, y] in starts {
            let ends = [[*x, *y], [30.0 - x, 18.0 - y]].map(|at| waypoints.nearest_node(at));
            let (start, goal) = ends[0].zip(ends[1]).ok_or("there are waypoints")?;
            agents.push((class, Agent::new(start, goal)));
        }
    }
    let mut simulation = Simulation::new(crowd).recorded();
    for (class, agent) in agents {
        simulation.add(class, agent, Task::Once)?;
    }
    while !simulation.crowd().is_at_rest() && simulation.crowd().now() < 150 * ticks {
        simulation.tick(Budget::unlimited());
    }
    let trace = simulation.trace().ok_or("it is recorded")?;
    let enclosure = Enclosure::new(mesh.outlines(), mesh.walls());
    let is_sound = BodyChecker::new().check(&trace).is_empty()
        && BodyChecker::new().check_enclosure(&trace, &enclosure).is_empty();
    if !simulation.crowd().is_at_rest() || !is_sound {
        return Err("not all arrive on the mesh".into());
    }
    Ok(AnimatedPicture::new(&trace, &Backdrop::mesh(mesh.walls(), 0.8)).steps_per_second(3.0).to_string())
}

/// Thirty agents on a benchmark map.
fn plan() -> Result<String, Anything> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/movingai");
    let grid = MapFile::read(data.join("maps/random-32-32-20.map"))?.grid()?;
    let agents = Scenario::read(data.join("scens/random-32-32-20-random-1.scen"))?.agents(30, &grid)?;
    let (trace, _) = solved(&grid, &agents)?;
    Ok(PlanPicture::new(&trace, &backdrop(&grid)).title("30 agents on random-32-32-20").to_string())
}

/// A row of the results of the benchmark `large_crowds`. Times are in milliseconds.
struct LargeCrowd {
    side: u32,
    units: u32,
    by_tables: bool,
    first: f64,
    median: f64,
}

/// The crowds with four neighbours.
fn large_crowds() -> Result<Vec<LargeCrowd>, Anything> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/results/large_crowds.csv");
    let text = std::fs::read_to_string(&file).map_err(|why| format!("{}: {why}", file.display()))?;
    let row = |line: &str| -> Result<Option<LargeCrowd>, Anything> {
        let [side, neighbours, units, distances, _, first, median, ..] = line.split(',').collect::<Vec<_>>()[..] else {
            return Err("expected nine cells".into());
        };
        let [side, units] = [side.parse()?, units.parse()?];
        let row = LargeCrowd {
            side,
            units,
            by_tables: distances == "tables",
            first: first.parse()?,
            median: median.parse()?,
        };
        Ok(Some(row).filter(|_| neighbours == "4"))
    };
    let rows = text
        .lines()
        .zip(1..)
        .skip(1)
        .map(|(line, number)| row(line).map_err(|why| format!("{}:{number}: {why}", file.display()).into()));
    rows.filter_map(Result::transpose).collect()
}

/// Marks from left to right.
fn marks(marks: impl Iterator<Item = (f64, f64)>) -> Vec<Mark> {
    let mut marks: Vec<Mark> = marks.map(|(x, y)| Mark::at(x, y)).collect();
    marks.sort_by(|one, other| one.x.total_cmp(&other.x));
    marks
}

/// What a tick takes by the number of units, on one map.
fn large_crowds_by_units() -> Result<String, Anything> {
    let rows = large_crowds()?;
    let series = |by_tables: bool| {
        let rows = rows.iter().filter(|row| row.side == 512 && row.by_tables == by_tables);
        marks(rows.map(|row| (f64::from(row.units), row.median)))
    };
    let chart = Chart::new("units", "milliseconds per tick");
    Ok(chart.series("by default", series(false)).series("by tables", series(true)).to_string())
}

/// What a tick of a thousand units takes by the size of the map.
fn large_crowds_by_cells() -> Result<String, Anything> {
    let rows = large_crowds()?;
    let series = |time: fn(&LargeCrowd) -> f64| {
        let rows = rows.iter().filter(|row| row.units == 1000 && row.side >= 256 && !row.by_tables);
        marks(rows.map(|row| (f64::from(row.side).powi(2) / 1000.0, time(row))))
    };
    let chart = Chart::new("cells of the map, thousands", "milliseconds per tick");
    Ok(chart
        .series("the first tick", series(|row| row.first))
        .series("the median", series(|row| row.median))
        .to_string())
}

/// The arrivals of points, as a share of those without lateness, by how many of their moves are late.
fn late_units() -> Result<String, Anything> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/results/late_units.csv");
    let text = std::fs::read_to_string(&file).map_err(|why| format!("{}: {why}", file.display()))?;
    let mut rows: Vec<(&str, &str, f64, f64)> = Vec::new();
    for (line, number) in text.lines().zip(1..).skip(1) {
        let [case, percent, way, throughput, ..] = line.split(';').collect::<Vec<_>>()[..] else {
            return Err(format!("{}:{number}: expected seven cells", file.display()).into());
        };
        rows.push((case, way, percent.parse()?, throughput.parse()?));
    }
    let mut chart = Chart::new("late moves, %", "arrivals, % of those without lateness");
    for (case, steps) in [("points, 20 % walls", "a step in a tick"), ("points of 12 ticks a step", "in 12 ticks")] {
        let of_case = || rows.iter().filter(|row| row.0 == case);
        let undisturbed = of_case().find(|row| row.2 == 0.0).ok_or("no row without lateness")?.3;
        for way in ["keep order", "plan anew"] {
            let shown = of_case().filter(|row| row.1 == way || row.2 == 0.0);
            let series = marks(shown.map(|row| (row.2, 100.0 * row.3 / undisturbed)));
            chart = chart.series(format!("{way}, {steps}"), series);
        }
    }
    Ok(chart.to_string())
}
