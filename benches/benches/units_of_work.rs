//! What does a unit of work cost, by what it pays for? CPU nanoseconds for each unit, in ticks of crowds and in searches
//! of distances; ticks without a budget are subtracted from ticks of crowds.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use giveway::heuristic::{HeuristicSource, Hierarchy, Manhattan, TrueDistances, Zero};
use giveway::search::Fuel;
use giveway::spaces::{
    Body, CommonTicks, Connectivity, FnSpace, Grid, Ground, Headings, Positions, Primitives, Robot, Robots, Vehicle,
};
use giveway::strategies::{Budget, Chain, Class, ClassId, Crowd, CrowdSettings, Lra, Planner, Routing, SectorRouting};
use giveway::{Agent, AgentId, Goals, Heuristic as _, NodeId, Point, SpaceGraph};
use giveway_benches::worlds::random;
use giveway_benches::{Table, cpu_time};
use rand::Rng as _;

/// One tick in so many has no budget, and tells what a tick costs without work.
const EMPTY: u32 = 8;

/// Ticks before the measurement, in which distances become known.
const WARM: u32 = 16;

/// Ticks of a measurement, and their budget.
const TICKS: u32 = 192;
const BUDGET: u64 = 5000;

fn main() {
    let mut table = Table::begin(&["work", "agents", "units", "ns/unit", "us/tick without budget"]);
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let is_wanted = |part: &str| wanted.as_ref().is_none_or(|wanted| part == wanted);
    let parts =
        [("windows", windows as fn(&mut Table)), ("planners", planners), ("distances", distances), ("ways", ways)];
    for (part, measure) in parts {
        if is_wanted(part) {
            measure(&mut table);
        }
    }
}

/// Open ground with a block of 2 x 2 cells in every square of 8 x 8.
fn town(side: u32) -> Grid {
    Grid::from_fn(side, side, |x, y| !(3..5).contains(&(x % 8)) || !(3..5).contains(&(y % 8))).expect("small")
}

/// Agents that go from one of a few places to another one for ever. The distances to these places are soon known.
struct Rounds<'a> {
    crowd: Crowd<'a>,
    depots: Vec<NodeId>,
    random: rand_pcg::Pcg64Mcg,
}

impl<'a> Rounds<'a> {
    /// As many of `agents` as there is room for, in a class with `bound` nodes.
    fn new(mut crowd: Crowd<'a>, class: ClassId, bound: u32, agents: usize, depots: usize) -> Self {
        let mut random = random(5);
        let mut places: Vec<NodeId> = Vec::new();
        while places.len() < depots {
            let node = NodeId(random.random_range(0..bound));
            if crowd.has_node(class, node) {
                places.push(node);
            }
        }
        let mut ids = Vec::new();
        for _ in 0..agents {
            ids.extend(crowd.add_near(class, Agent::bystander(NodeId(random.random_range(0..bound)))));
        }
        let mut rounds = Self { crowd, depots: places, random };
        ids.into_iter().for_each(|agent| rounds.send(agent));
        rounds
    }

    fn send(&mut self, agent: AgentId) {
        let depot = self.depots[self.random.random_range(0..self.depots.len())];
        self.crowd.send_shared(agent, depot).expect("the agent and the place exist");
    }

    /// A tick: its CPU time and its work.
    fn tick(&mut self, budget: Budget) -> (Duration, u64) {
        let begin = cpu_time();
        let report = black_box(self.crowd.tick(budget));
        let time = cpu_time() - begin;
        report.arrived.iter().for_each(|agent| self.send(*agent));
        (time, report.work)
    }

    #[allow(clippy::cast_precision_loss, reason = "small numbers")]
    fn measure(mut self, table: &mut Table, work: &str) {
        for _ in 0..WARM {
            self.tick(Budget::work(50 * BUDGET));
        }
        let (mut empty, mut all, mut units) = (Vec::new(), Duration::ZERO, 0);
        for tick in 0..TICKS {
            if tick % EMPTY == 0 {
                empty.push(self.tick(Budget::work(0)).0);
                continue;
            }
            let (time, work) = self.tick(Budget::work(BUDGET));
            all += time;
            units += work;
        }
        empty.sort_unstable();
        let empty = empty[empty.len() / 2];
        let worked = all.saturating_sub(empty * (TICKS - TICKS / EMPTY));
        table.row(&[
            &work,
            &self.crowd.agents().count(),
            &units,
            &format_args!("{:.0}", worked.as_nanos() as f64 / units.max(1) as f64),
            &format_args!("{:.1}", empty.as_nanos() as f64 / 1000.0),
        ]);
    }
}

/// Windows of points and bodies on one map.
fn windows(table: &mut Table) {
    let chain = || CrowdSettings::new().chain(Chain::new(Planner::Windowed));
    bodies(table, "windows", &chain);
    for agents in [100, 600] {
        let grid = town(64);
        points(table, &format!("windows, points, 64 x 64, {agents}"), chain(), &grid, agents);
    }
    let grid = town(128);
    points(table, "windows, descents", chain().descent(true), &grid, 300);
    points(table, "windows, 64 deep", chain().window(64), &grid, 300);
}

fn points(table: &mut Table, work: &str, settings: CrowdSettings, grid: &Grid, agents: usize) {
    let mut crowd = Crowd::new(settings);
    let class = crowd.add_class(Class::new(grid, Point::swap_rule(grid))).expect("the first class");
    Rounds::new(crowd, class, bound(grid), agents, 30).measure(table, work);
}

fn bound(space: &impl SpaceGraph) -> u32 {
    u32::try_from(space.node_bound()).expect("small")
}

/// Units of all kinds, on a map of 128 x 128 cells.
fn bodies(table: &mut Table, work: &str, settings: &dyn Fn() -> CrowdSettings) {
    let grid = town(128);
    points(table, &format!("{work}, points"), settings(), &grid, 300);
    let eight = grid.clone().with_connectivity(Connectivity::Eight);
    points(table, &format!("{work}, points, 8 neighbours"), settings(), &eight, 300);
    {
        let mut crowd = Crowd::new(settings());
        let robots = Robots::new(grid.clone());
        let bound = bound(&robots);
        let class = crowd.add_class(Class::new(robots, Robot)).expect("the first class");
        Rounds::new(crowd, class, bound, 200, 30).measure(table, &format!("{work}, robots that turn"));
    }
    let ground = Ground::from_grid(&grid);
    for (name, body, map) in [
        ("disc of 0.4", Body::disc(0.4), &grid),
        ("disc of 0.4, 8 neighbours", Body::disc(0.4), &eight),
        ("3 x 3 cells", Body::square(3), &grid),
        ("3 x 3 cells, 8 neighbours", Body::square(3), &eight),
        ("2 x 2 cells, 8 neighbours, slow", Body::square(2).and_then(|body| body.speed(0.5)), &eight),
    ] {
        let body = body.expect("small");
        let ticks = CommonTicks::new().of([&body], map).fewest().expect("one speed");
        let mut crowd = Crowd::new(settings());
        let class = Class::for_body(&body, map, Ground::from_grid(map), ticks).expect("it fits");
        let class = crowd.add_class(class).expect("the first class");
        Rounds::new(crowd, class, bound(map), 150, 30).measure(table, &format!("{work}, {name}"));
    }
    let straight = || Primitives::straight(Headings::Eight, 1).expect("a step");
    let car = Vehicle::new(
        Body::rectangle(1.8, 0.9).expect("small"),
        straight().arcs(2.0).and_then(|arcs| arcs.reversing(2.0)).expect("they are drivable"),
    );
    let ticks = CommonTicks::new().of([&car], &grid).fewest().expect("one speed");
    let (lattice, footprint) = car.on(&grid, ground, ticks).expect("it fits");
    let nodes = bound(&lattice);
    let mut crowd = Crowd::new(settings());
    let class = crowd.add_class(Class::new(lattice, footprint)).expect("the first class");
    Rounds::new(crowd, class, nodes, 60, 8).measure(table, &format!("{work}, cars on a lattice"));

    let places = Arc::new(scattered(&eight));
    let disc = Body::disc(0.4).expect("small");
    let ticks = CommonTicks::new().of([&disc], &places).fewest().expect("eighths");
    let mut crowd = Crowd::new(settings());
    let class = Class::for_body(&disc, &places, Ground::from_grid(&eight), ticks).expect("it fits");
    let class = crowd.add_class(class).expect("the first class");
    Rounds::new(crowd, class, bound(&*places), 150, 30).measure(table, &format!("{work}, disc on scattered places"));
}

/// The cells of `grid` as places up to 0.3 from their middles; ways are as long as they are, to an eighth.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small numbers"
)]
fn scattered(grid: &Grid) -> FnSpace<u32, Positions> {
    let mut random = random(11);
    let at: Vec<[f32; 2]> = (0..bound(grid))
        .map(|node| [node % grid.width(), node / grid.width()].map(|side| side as f32 + random.random_range(-0.3..0.3)))
        .collect();
    let length = |a: NodeId, b: NodeId| {
        let [a, b] = [a, b].map(|node| at[node.index()]);
        (((a[0] - b[0]).hypot(a[1] - b[1]) * 8.0).round() / 8.0).max(0.5)
    };
    let near =
        |node| grid.moves(NodeId(node)).map(|m| (m.to.0, (length(m.from, m.to) * 1000.0) as u32)).collect::<Vec<_>>();
    let space = FnSpace::new(bound(grid), near).expect("they exist").with_lengths(|m| length(m.from, m.to));
    let place = |node: u32| [at[node as usize][0], at[node as usize][1], 0.0];
    space.expect("finite").with_positions(place).expect("finite")
}

/// The other planners.
fn planners(table: &mut Table) {
    let only = |planner| CrowdSettings::new().chain(Chain::new(planner));
    bodies(table, "steps", &|| only(Planner::Step));
    let grid = town(64);
    for agents in [400, 1200] {
        points(table, &format!("steps, points, 64 x 64, {agents}"), only(Planner::Step), &grid, agents);
    }
    for agents in [100, 800] {
        points(table, &format!("PIBT, {agents}"), only(Planner::Pibt), &grid, agents);
        points(table, &format!("LaCAM, {agents}"), only(Planner::Lacam), &grid, agents);
        points(table, &format!("default chain, {agents}"), CrowdSettings::new(), &grid, agents);
        let repair = Lra::new(1);
        points(table, &format!("local repair, {agents}"), only(Planner::LocalRepair(repair)), &grid, agents);
        let sight = repair.radius(5000);
        points(
            table,
            &format!("local repair, 5 steps far, {agents}"),
            only(Planner::LocalRepair(sight)),
            &grid,
            agents,
        );
        let sectors = repair.routing(Routing::Sectors(SectorRouting::new(8)));
        points(table, &format!("local repair, sectors, {agents}"), only(Planner::LocalRepair(sectors)), &grid, agents);
        let greedy = repair.routing(Routing::Greedy);
        points(table, &format!("local repair, greedy, {agents}"), only(Planner::LocalRepair(greedy)), &grid, agents);
    }
}

/// Searches of distances, to goals all over a map.
fn distances(table: &mut Table) {
    let grid = town(512);
    let eight = grid.clone().with_connectivity(Connectivity::Eight);
    let scattered = scattered(&town(256).with_connectivity(Connectivity::Eight));
    let robots = Robots::new(town(256));
    let places =
        FnSpace::new(bound(&grid), |node| grid.moves(NodeId(node)).map(|m| (m.to.0, 1000_u32)).collect::<Vec<_>>())
            .expect("they exist");
    search(table, "tables of a grid", &grid, &mut tables(), (24, 9));
    search(table, "tables, 8 neighbours", &eight, &mut tables(), (24, 9));
    search(table, "tables of a graph, equal costs", &places, &mut tables(), (24, 9));
    search(table, "tables of robots", &robots, &mut tables(), (24, 9));
    search(table, "tables of scattered places", &scattered, &mut tables(), (24, 9));
    search(table, "aimed searches", &grid, &mut TrueDistances::aimed(Manhattan { step: 1000 }), (24, 9));
}

/// Ways over sectors: the first ones on a map, and later ones, which find nearly all sectors known.
fn ways(table: &mut Table) {
    for side in [512, 1024] {
        let grid = town(side);
        way(table, &format!("points, {side} x {side}"), &grid);
        way(table, &format!("8 neighbours, {side} x {side}"), &grid.clone().with_connectivity(Connectivity::Eight));
        let disc = Body::disc(0.9).expect("it is small");
        let ticks = CommonTicks::new().of([&disc], &grid).fewest().expect("one speed");
        let (space, _) = disc.on(&grid, Ground::from_grid(&grid), ticks).expect("it fits");
        way(table, &format!("discs, {side} x {side}"), &space);
    }
    way(table, "robots, 256 x 256", &Robots::new(town(256)));
    way(table, "scattered places", &scattered(&town(512).with_connectivity(Connectivity::Eight)));
}

fn way<S: SpaceGraph>(table: &mut Table, work: &str, space: &S) {
    let mut distances = Hierarchy::new().from_size(0);
    search(table, &format!("first ways: {work}"), space, &mut distances, (24, 1));
    search(table, &format!("later ways: {work}"), space, &mut distances, (1000, 2));
}

fn tables<S: SpaceGraph>() -> TrueDistances<S, Zero> {
    TrueDistances::tables()
}

/// Distances of `agents`, each from a node drawn with `seed` to a goal of its own.
#[allow(clippy::cast_precision_loss, reason = "small numbers")]
fn search<S: SpaceGraph>(
    table: &mut Table,
    work: &str,
    space: &S,
    distances: &mut impl HeuristicSource<S>,
    (agents, seed): (usize, u64),
) {
    const ALL: u64 = 1 << 40;
    let mut random = random(seed);
    let mut node = || loop {
        let node = NodeId(random.random_range(0..bound(space)));
        if space.contains(node) {
            return node;
        }
    };
    let (mut time, mut units) = (Duration::ZERO, 0);
    for _ in 0..agents {
        let (goals, from) = (Goals::one(node()), node());
        let mut fuel = Fuel::work(ALL);
        let begin = cpu_time();
        let found = distances.heuristic(space, &goals, from).estimate(space, from, &mut fuel);
        time += cpu_time() - begin;
        units += ALL - fuel.left();
        black_box(found).expect("there is memory");
    }
    table.row(&[&work, &"", &units, &format_args!("{:.0}", time.as_nanos() as f64 / units as f64), &""]);
}
