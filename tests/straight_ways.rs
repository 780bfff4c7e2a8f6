//! Straightened ways on navigation meshes: units keep their speed on them, and no unit arrives earlier than along the
//! moves of the waypoints.

use std::path::Path;
use std::sync::Arc;

use giveway::check::{BodyChecker, Enclosure};
use giveway::heuristic::{Euclidean, TrueDistances};
use giveway::plan::{Trace, fewest_ticks_by};
use giveway::scenario::MeshFile;
use giveway::sim::{Simulation, Task};
use giveway::spaces::{
    Body, BodyFootprint, CommonTicks, Embedding, GraphClearance, Ground, NavMesh, WaypointRules, Waypoints,
};
use giveway::strategies::{Budget, Class, Cooperative, Crowd, CrowdSettings, CrowdSolver};
use giveway::time::Ticks;
use giveway::{Agent, Instance, NodeId, SpaceGraph};
use rand::Rng;
use rand_pcg::Pcg64Mcg;

/// Figures of the moves of some traces.
#[derive(Clone, Copy, Default, Debug)]
struct Measured {
    moves: usize,
    straightened: usize,
    /// Straightened ways that take longer or shorter than their length says, by more than 1 % and one tick.
    off_speed: usize,
    /// How much longer than its length says a straightened way takes at most, as a share.
    slowest: f64,
}

impl Measured {
    fn of(trace: &Trace, world: &World) -> Self {
        let mut all = Self::default();
        for agent in &trace.agents {
            let mut from = agent.start;
            for m in &agent.moves {
                all.moves += 1;
                if !world.waypoints.moves(NodeId(from.node)).any(|other| other.to.0 == m.to.node) {
                    let by = [0, 1].map(|axis| f64::from(m.to.position[axis]) - f64::from(from.position[axis]));
                    let nominal = by[0].hypot(by[1]) * f64::from(world.ticks) / f64::from(world.speed);
                    let ticks = f64::from(m.arrive - m.depart);
                    all.straightened += 1;
                    all.off_speed += usize::from((ticks - nominal).abs() > 0.01 * nominal + 1.0 + 1e-3);
                    all.slowest = all.slowest.max(ticks / nominal - 1.0);
                }
                from = m.to;
            }
        }
        all
    }

    fn add(&mut self, other: Self) {
        self.moves += other.moves;
        self.straightened += other.straightened;
        self.off_speed += other.off_speed;
        self.slowest = self.slowest.max(other.slowest);
    }
}

/// Discs on a mesh.
struct World {
    name: String,
    mesh: NavMesh,
    radius: f32,
    speed: f32,
    waypoints: Arc<Waypoints>,
    space: GraphClearance<Waypoints>,
    footprint: BodyFootprint,
    ticks: Ticks,
}

impl World {
    fn new(name: &str, mesh: NavMesh, radius: f32, speed: f32) -> Self {
        let body = Body::disc(radius).and_then(|body| body.speed(speed)).expect("sensible");
        let rules = WaypointRules::new(&mesh, &body);
        let ticks = CommonTicks::new().waypoints([&rules]).fewest().expect("a number");
        let waypoints = Arc::new(Waypoints::new(&mesh, rules, ticks).expect("room"));
        let ground = Ground::of_mesh(&mesh, rules.ground_cell()).expect("small");
        let (space, footprint) = body.on(&waypoints, ground, ticks).expect("room");
        Self { name: name.to_owned(), mesh, radius, speed, waypoints, space, footprint, ticks }
    }

    /// Agents that overlap neither at their starts nor at their goals.
    fn agents(&self, count: usize, seed: u64) -> Vec<Agent> {
        let mut random = Pcg64Mcg::new(seed.into());
        let bound = u32::try_from(self.space.node_bound()).expect("few");
        let mut taken: Vec<[[f32; 3]; 2]> = Vec::new();
        let mut agents = Vec::new();
        while agents.len() < count {
            let ends = [(); 2].map(|()| NodeId(random.random_range(0..bound)));
            let at = ends.map(|node| self.space.position(node));
            let is_far = |a: [f32; 3], b: [f32; 3]| (a[0] - b[0]).hypot(a[1] - b[1]) > 3.5 * self.radius;
            let are_far = taken.iter().all(|other| is_far(at[0], other[0]) && is_far(at[1], other[1]));
            if are_far && ends.iter().all(|node| self.space.contains(*node)) {
                taken.push(at);
                agents.push(Agent::new(ends[0], ends[1]));
            }
        }
        agents
    }

    fn distances(&self) -> TrueDistances<GraphClearance<Waypoints>, Euclidean> {
        TrueDistances::aimed(Euclidean::from_space(&self.space))
    }

    /// Measures a trace without overlaps.
    fn measured(&self, mut trace: Trace) -> Measured {
        let body = Body::disc(self.radius).expect("a radius").outline();
        trace.agents.iter_mut().for_each(|agent| agent.body = Some(body.clone()));
        assert_eq!(BodyChecker::new().check(&trace), [], "{}", self.name);
        assert_eq!(
            BodyChecker::new().check_enclosure(&trace, &Enclosure::new(self.mesh.outlines(), self.mesh.walls())),
            [],
            "{}",
            self.name
        );
        Measured::of(&trace, self)
    }

    /// Solves an instance by plans up to the goals, or by plans in windows.
    fn solved(&self, count: usize, seed: u64, in_windows: bool) -> Measured {
        let agents = self.agents(count, seed);
        let instance = Instance::new(&self.space, &self.footprint, agents.clone()).expect("sensible");
        let plan = if in_windows {
            CrowdSolver::whca_star().solve(&instance).plan
        } else {
            Cooperative::new(self.distances()).solve(&instance).plan
        };
        let bounds = fewest_ticks_by(&instance, &mut self.distances());
        for ((path, bound), agent) in plan.paths.iter().zip(bounds).zip(&agents) {
            let early = agent.goals.contains(path.end()) && Some(path.arrival()) < bound;
            // One alone takes exactly as long as the bound says.
            let late = count == 1 && Some(path.arrival()) != bound;
            assert!(!early && !late, "{}: {} instead of {bound:?}", self.name, path.arrival());
        }
        self.measured(Trace::from_plan(&self.space, &agents, &plan, self.ticks))
    }

    /// A crowd on patrol.
    fn patrolled(&self, count: usize, seed: u64) -> Measured {
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = Class::new(self.space.clone(), self.footprint.clone()).heuristics(self.distances());
        let class = crowd.add_class(class).expect("the first");
        let mut simulation = Simulation::new(crowd).recorded();
        for agent in self.agents(count, seed) {
            let ends = [agent.goals.nodes()[0], agent.start];
            simulation.add(class, agent, Task::Patrol(ends.to_vec())).expect("a free place");
        }
        simulation.run(100 * self.ticks, Budget::unlimited());
        self.measured(simulation.trace().expect("it is recorded"))
    }
}

/// A yard with houses anywhere in it.
fn yard(seed: u64) -> NavMesh {
    let mut random = Pcg64Mcg::new(seed.into());
    let size = [40.0, 30.0_f32];
    let mut house = || {
        let far = random.random_range(1.0..4.0_f32);
        let [x, y] = size.map(|side| random.random_range(0.0..side));
        let (corners, turn) = (random.random_range(3..=6_u8), random.random_range(0.0..std::f32::consts::TAU));
        let angle = |corner: u8| turn + f32::from(corner) / f32::from(corners) * std::f32::consts::TAU;
        (0..corners).map(angle).map(|angle| [x + far * angle.cos(), y + far * angle.sin()]).collect()
    };
    let houses: Vec<Vec<[f32; 2]>> = (0..10).map(|_| house()).collect();
    NavMesh::from_outline(&[[0.0, 0.0], [size[0], 0.0], size, [0.0, size[1]]], &houses).expect("ground is left")
}

/// The mesh in a file below `folder`.
fn read(folder: &Path, name: &str) -> NavMesh {
    MeshFile::read(folder.join("navmesh").join(name)).expect("a mesh").into_mesh()
}

/// With `GIVEWAY_DATA`, on a large mesh as well.
#[test]
fn straightened_ways_keep_their_speed() {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let mut worlds = vec![
        World::new("arena", read(&testdata, "arena.mesh"), 0.5, 1.0),
        World::new("merged arena", read(&testdata, "arena-merged.mesh"), 0.3, 0.75),
    ];
    worlds.extend((0..3).map(|seed| World::new(&format!("yard {seed}"), yard(seed), 0.4, 1.0)));
    if let Some(data) = std::env::var_os("GIVEWAY_DATA") {
        worlds.push(World::new("aurora", read(Path::new(&data), "aurora.mesh"), 2.0, 4.0));
    }
    // The least share of moves that are straightened ways, so that there is something to measure.
    type Run = (&'static str, fn(&World) -> Measured, f64);
    let alone = |world: &World| {
        let mut all = Measured::default();
        (10..20).for_each(|seed| all.add(world.solved(1, seed, false)));
        all
    };
    let runs: [Run; 4] = [
        ("alone", alone, 0.1),
        ("up to the goals", |world| world.solved(20, 2, false), 0.1),
        ("in windows", |world| world.solved(20, 3, true), 0.05),
        ("on patrol", |world| world.patrolled(30, 4), 0.02),
    ];
    for (name, run, least) in runs {
        let mut all = Measured::default();
        worlds.iter().for_each(|world| all.add(run(world)));
        #[allow(clippy::cast_precision_loss)] // small numbers
        let share = all.straightened as f64 / all.moves as f64;
        println!("{name}: {all:?}, {:.1} % of moves are straightened", 100.0 * share);
        assert_eq!(all.off_speed, 0, "{name}: {all:?}");
        assert!(share >= least, "{name}: {all:?}");
    }
}
