//! Worlds with little room, on seeded starts and goals: a door one body wide, a bridge and a mouth with bodies of unlike
//! size, fields full of discs and of hexes, vans on roads, and points under each rule.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use giveway::spaces::{
    Body, CommonTicks, Connectivity, Embedding, FnSpace, Grid, Ground, NavMesh, RoadRules, Roads, WaypointRules,
    Waypoints,
};
use giveway::strategies::{Budget, Class, ClassId, Crowd, CrowdSettings};
use giveway::{Agent, NodeId, Point, SpaceGraph};
use rand::Rng as _;
use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64Mcg;

use crate::cpu_time::cpu_time;

/// How a run has ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How many units there are.
    pub units: usize,
    /// How many of them are on their goals.
    pub home: usize,
    /// Whether all are, and stay there.
    pub is_at_rest: bool,
    /// How many steps the run took.
    pub steps: u32,
    /// The processor time of the slowest tick.
    pub slowest: Duration,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { units, home, is_at_rest, steps, slowest } = self;
        write!(f, "{units},{home},{is_at_rest},{steps},{:.3}", slowest.as_secs_f64() * 1e3)
    }
}

/// A run ends after so many steps.
const MOST_STEPS: u32 = 2000;

/// Runs `crowd` until all are at rest, with so much `work` for each unit and tick, for so much processor time at most.
/// `None`: there is no limit on the work.
pub fn run(mut crowd: Crowd<'static>, work: Option<u64>, most: Duration) -> Outcome {
    let units = crowd.agents().count() as u64;
    let budget = work.map_or(Budget::unlimited(), |work| Budget::work(work * units));
    let (begin, mut slowest) = (cpu_time(), Duration::ZERO);
    let ticks_per_step = crowd.ticks_per_step();
    while !crowd.is_at_rest() && crowd.now() < MOST_STEPS * ticks_per_step && cpu_time() - begin < most {
        let before = cpu_time();
        crowd.tick(budget);
        slowest = slowest.max(cpu_time() - before);
    }
    Outcome {
        units: crowd.agents().count(),
        home: crowd.agents().filter(|agent| crowd.is_home(*agent) == Some(true)).count(),
        is_at_rest: crowd.is_at_rest(),
        steps: crowd.now() / ticks_per_step,
        slowest,
    }
}

/// Makes a crowd with orders.
pub type World = Box<dyn Fn(&mut Pcg64Mcg) -> Crowd<'static>>;

/// All worlds, with their names.
pub fn worlds() -> Vec<(&'static str, World)> {
    let mut worlds: Vec<(&'static str, World)> = vec![
        ("door", Box::new(door)),
        ("bridge", Box::new(bridge)),
        ("mouth", Box::new(mouth)),
        ("140 discs", Box::new(|random| discs(20, 140, random))),
        ("480 discs", Box::new(|random| discs(40, 480, random))),
        ("hexes", Box::new(hexes)),
        ("vans", Box::new(vans)),
    ];
    for (name, connectivity, rule) in POINTS {
        worlds.push((name, Box::new(move |random| points(connectivity, rule, random))));
    }
    worlds
}

/// Orders `count` units of `class` from some of `places` to others.
fn order(crowd: &mut Crowd<'static>, class: ClassId, places: &[NodeId], count: usize, random: &mut Pcg64Mcg) {
    let (mut starts, mut goals) = (places.to_vec(), places.to_vec());
    starts.shuffle(random);
    goals.shuffle(random);
    for (start, goal) in starts.into_iter().zip(goals).take(count) {
        // Bodies that would overlap others are left out.
        let _ = crowd.add(class, Agent::new(start, goal));
    }
}

/// Twelve discs on each side of a door that is one body wide.
fn door(random: &mut Pcg64Mcg) -> Crowd<'static> {
    const EACH: usize = 12;
    const DOOR: f32 = 1.1;
    let (low, high) = (10.0 - DOOR / 2.0, 10.0 + DOOR / 2.0);
    let corners = [[0.0, 0.0], [20.0, 0.0], [20.0, low], [20.0, high], [20.0, 20.0], [0.0, 20.0]];
    let vertices = corners.into_iter().chain(corners.map(|[x, y]| [41.0 - x, y])).collect();
    let polygons = [vec![0, 1, 2, 3, 4, 5], vec![2, 8, 9, 3], vec![11, 10, 9, 8, 7, 6]];
    let mesh = NavMesh::new(vertices, polygons).expect("two rooms");
    let body = Body::disc(0.5).expect("a disc");
    let rules = WaypointRules::new(&mesh, &body);
    let ticks = CommonTicks::new().waypoints([&rules]).fewest().expect("one speed");
    let waypoints = Arc::new(Waypoints::new(&mesh, rules, ticks).expect("waypoints"));
    let ground = Ground::of_mesh(&mesh, rules.ground_cell()).expect("a ground");
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = Class::for_body(&body, &waypoints, ground, ticks).expect("it fits");
    let class = crowd.add_class(class).expect("the first class");
    for _ in 0..EACH {
        for side in [1.0, -1.0] {
            let mut point = |side: f32| {
                let (x, y) = (random.random_range(3.0..18.0_f32), random.random_range(1.0..19.0_f32));
                waypoints.nearest_node([20.5 - side * x, y]).expect("a place")
            };
            let (start, goal) = (point(side), point(-side));
            if let Ok(agent) = crowd.add_near(class, Agent::bystander(start)) {
                // A unit whose goal has no free place near it stays.
                let _ = crowd.send_near(agent, goal);
            }
        }
    }
    crowd
}

/// Discs, and squares of two and of three cells, on both sides of a bridge that is three cells wide.
fn bridge(random: &mut Pcg64Mcg) -> Crowd<'static> {
    const UNITS: usize = 24;
    const TRIES: usize = 60;
    let grid = Grid::from_fn(41, 15, |x, y| !(17..24).contains(&x) || (6..9).contains(&y)).expect("small");
    let grid = grid.with_connectivity(Connectivity::Eight);
    let bodies = [Body::disc(0.4), Body::square(2), Body::square(3)].map(|body| body.expect("a body"));
    let ticks = CommonTicks::new().of(&bodies, &grid).fewest().expect("one speed");
    let mut crowd = Crowd::new(CrowdSettings::new());
    let classes = bodies.map(|body| {
        let class = Class::for_body(&body, &grid, Ground::from_grid(&grid), ticks).expect("it fits");
        crowd.add_class(class).expect("a few classes")
    });
    for unit in 0..UNITS {
        let class = classes[[0, 0, 1, 0, 1, 2][unit % 6]];
        for _ in 0..TRIES {
            let mut ends = [1, 25].map(|least: u32| {
                let (x, y) = (least + random.random_range(0..15), random.random_range(1..14));
                grid.node(x, y).expect("on the grid")
            });
            if unit % 2 == 1 {
                ends.reverse();
            }
            if crowd.add(class, Agent::new(ends[0], ends[1])).is_ok() {
                break;
            }
        }
    }
    crowd
}

/// Discs that want through a gap that is one cell wide, and slow carts before the gap that want away from it.
fn mouth(random: &mut Pcg64Mcg) -> Crowd<'static> {
    const DISCS: usize = 40;
    const TRIES: usize = 1000;
    const CARTS: [[(u32, u32); 2]; 3] = [[(8, 5), (0, 0)], [(7, 7), (0, 8)], [(8, 2), (1, 4)]];
    let grid = Grid::from_fn(21, 11, |x, y| x != 10 || y == 5).expect("small").with_connectivity(Connectivity::Eight);
    let cart = Body::square(2).and_then(|cart| cart.speed(0.5)).expect("a body");
    let bodies = [Body::disc(0.45).expect("a disc"), cart];
    let ticks = CommonTicks::new().of(&bodies, &grid).fewest().expect("few ticks");
    let mut crowd = Crowd::new(CrowdSettings::new());
    let [discs, carts] = bodies.map(|body| {
        let class = Class::for_body(&body, &grid, Ground::from_grid(&grid), ticks).expect("it fits");
        crowd.add_class(class).expect("a few classes")
    });
    let node = |(x, y)| grid.node(x, y).expect("on the grid");
    for ends in CARTS {
        let [start, goal] = ends.map(node);
        crowd.add(carts, Agent::new(start, goal)).expect("there is room");
    }
    let mut goals: Vec<NodeId> = (11..21).flat_map(|x| (0..11).map(move |y| (x, y))).map(node).collect();
    goals.shuffle(random);
    for _ in 0..TRIES {
        let (Some(goal), true) = (goals.last(), crowd.agents().count() < DISCS + CARTS.len()) else { break };
        let start = node((random.random_range(0..10), random.random_range(0..11)));
        if crowd.add(discs, Agent::new(start, *goal)).is_ok() {
            goals.pop();
        }
    }
    crowd
}

/// `count` discs on an open square.
fn discs(side: u32, count: usize, random: &mut Pcg64Mcg) -> Crowd<'static> {
    let grid = Grid::open(side, side).expect("small").with_connectivity(Connectivity::Eight);
    let body = Body::disc(0.45).expect("a disc");
    let ticks = CommonTicks::new().of([&body], &grid).fewest().expect("one speed");
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = Class::for_body(&body, &grid, Ground::from_grid(&grid), ticks).expect("it fits");
    let class = crowd.add_class(class).expect("the first class");
    let places: Vec<NodeId> = grid.nodes().collect();
    order(&mut crowd, class, &places, count, random);
    crowd
}

/// Points on 205 of 217 hexes: each place of a ring has three neighbours on other rings.
fn hexes(random: &mut Pcg64Mcg) -> Crowd<'static> {
    const RADIUS: i64 = 8;
    const UNITS: usize = 205;
    let all = || (-RADIUS..=RADIUS).flat_map(|q| (-RADIUS..=RADIUS).map(move |r| (q, r)));
    let places: Vec<(i64, i64)> = all().filter(|(q, r)| (q + r).abs() <= RADIUS).collect();
    let place = |of: (i64, i64)| places.iter().zip(0_u32..).find(|(other, _)| **other == of).map(|(_, place)| place);
    let count = u32::try_from(places.len()).expect("few");
    let space = FnSpace::new(count, |from| {
        let (q, r) = places[from as usize];
        let beside = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)].map(|(dq, dr)| place((q + dq, r + dr)));
        beside.into_iter().flatten().map(|to| (to, 1000_u32)).collect::<Vec<_>>()
    });
    let space = space.expect("a graph");
    let mut crowd = Crowd::new(CrowdSettings::new());
    let point = Point::swap_rule(&space);
    let class = crowd.add_class(Class::bare(space, point)).expect("the first class");
    let places: Vec<NodeId> = (0..count).map(NodeId).collect();
    order(&mut crowd, class, &places, UNITS, random);
    crowd
}

/// Vans on the lanes between four by four junctions.
fn vans(random: &mut Pcg64Mcg) -> Crowd<'static> {
    const SIDE: u32 = 4;
    const UNITS: usize = 30;
    let streets = FnSpace::new(SIDE * SIDE, |place| {
        let (x, y) = (place % SIDE, place / SIDE);
        let beside = [
            (x + 1 < SIDE).then_some(place + 1),
            (x > 0).then(|| place - 1),
            (y + 1 < SIDE).then_some(place + SIDE),
            (y > 0).then(|| place - SIDE),
        ];
        beside.into_iter().flatten().map(|to| (to, 20_000_u32)).collect::<Vec<_>>()
    });
    #[allow(clippy::cast_precision_loss, reason = "small numbers")]
    let position = |place: u32| [(place % SIDE) as f32 * 20.0, (place / SIDE) as f32 * 20.0, 0.0];
    let streets = streets.and_then(|streets| streets.with_positions(position)).expect("a graph");
    let roads = Arc::new(Roads::new(&streets, RoadRules::new(5.0, 3.0, 5.0)).expect("lanes"));
    let van = Body::rectangle(4.0, 1.8).expect("a body");
    let ticks = CommonTicks::new().of([&van], &roads).fewest().expect("one speed");
    let ground = Ground::new([-5.0, -5.0], [70.0, 70.0], 0.5).expect("a ground");
    let (space, footprint) = van.on(&roads, ground, ticks).expect("it fits");
    let places: Vec<NodeId> = space.nodes().filter(|node| space.contains(*node)).collect();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(space, footprint)).expect("the first class");
    let (mut starts, mut goals) = (places.clone(), places);
    starts.shuffle(random);
    goals.shuffle(random);
    let mut orders = starts.into_iter().zip(goals);
    while crowd.agents().count() < UNITS
        && let Some((start, goal)) = orders.next()
    {
        let _ = crowd.add(class, Agent::new(start, goal));
    }
    crowd
}

/// By which rule points keep apart.
#[derive(Clone, Copy)]
enum Rule {
    Swap,
    Following,
    Timed,
    Apart,
}

const POINTS: [(&str, Connectivity, Rule); 8] = [
    ("points, 4, swap", Connectivity::Four, Rule::Swap),
    ("points, 8, swap", Connectivity::Eight, Rule::Swap),
    ("points, 4, following", Connectivity::Four, Rule::Following),
    ("points, 8, following", Connectivity::Eight, Rule::Following),
    ("points, 4, timed", Connectivity::Four, Rule::Timed),
    ("points, 8, timed", Connectivity::Eight, Rule::Timed),
    ("points, 4, apart", Connectivity::Four, Rule::Apart),
    ("points, 8, apart", Connectivity::Eight, Rule::Apart),
];

/// 28 points on a square of six by six.
fn points(connectivity: Connectivity, rule: Rule, random: &mut Pcg64Mcg) -> Crowd<'static> {
    const UNITS: usize = 28;
    let grid = Grid::open(6, 6).expect("small").with_connectivity(connectivity);
    let point = match rule {
        Rule::Swap => Point::swap_rule(&grid),
        Rule::Following => Point::following_rule(&grid),
        Rule::Timed => Point::rounded(&grid, 5),
        Rule::Apart => Point::rounded(&grid, 5).keep_apart(&grid, 0.3).expect("small discs"),
    };
    let places: Vec<NodeId> = grid.nodes().collect();
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(grid, point)).expect("the first class");
    order(&mut crowd, class, &places, UNITS, random);
    crowd
}
