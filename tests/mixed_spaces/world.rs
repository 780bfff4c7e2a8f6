//! A world at random: a ground, classes on at least three kinds of space, and changes by area as it goes.

use std::sync::Arc;

use giveway_bodies::{
    Body, BodyFootprint, CommonTicks, Granularity, GraphClearance, Ground, Headings, Primitives, Vehicle,
};
use giveway_check::{BodyChecker, Overlap, Wall, WallOverlap};
use giveway_core::{
    Agent, AgentId, Area, Change, Editable, Embedding, Footprint, NodeId, Surface, SyncSpace, Tick, Ticks, Trace,
    TracedAgent, TracedBody,
};
use giveway_crowd::{Budget, Chain, Class, ClassId, Crowd, CrowdSettings, Lra, Planner};
use giveway_sim::{Endpoints, Simulation, Task};
use giveway_spaces::{Connectivity, Facing, Grid};
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_pcg::Pcg64Mcg;

use super::spaces::{Ring, roads, waypoints};

/// The kinds of worlds.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// Reserves room for half of each length only, on irregular moves.
    pub(super) halved: bool,
    pub(super) steps: u32,
}

pub(super) struct World {
    seed: u64,
    pub(super) simulation: Simulation<'static>,
    pub(super) changes: usize,
    random: Pcg64Mcg,
    kind: Kind,
    ticks: Ticks,
    size: [u32; 2],
    classes: Vec<(ClassId, Arc<[NodeId]>)>,
    closed: Vec<Closed>,
    /// From which tick on there were which walls.
    eras: Vec<(Tick, Vec<Wall>)>,
    /// The kinds of space with a class.
    pub(super) kinds: usize,
    checker: BodyChecker,
}

/// A wall of the map, or an area that was closed.
struct Closed {
    area: Area,
    shape: TracedBody,
    /// Who was inside at the last tick, having been there when it was closed; `None`: it is a wall of the map.
    left: Option<Vec<AgentId>>,
    /// Whether units leave it, or may pass through it as they leave another one.
    is_left: bool,
}

/// A body at random, and a body of half its lengths.
fn body(random: &mut Pcg64Mcg, largest: f32) -> [Body; 2] {
    let side = [0, 1].map(|_| random.random_range(0.3..largest));
    let corners: [[f32; 2]; 5] = std::array::from_fn(|_| [0, 1].map(|_| random.random_range(-0.5..0.5) * largest));
    let kind = random.random_range(0..4);
    let speed = *[1.0, 1.0, 0.5, 2.0 / 3.0, 2.0].choose(random).expect("there are some");
    let closed = random.random_ratio(1, 10);
    [1.0, 0.5].map(|scale: f32| {
        let body = match kind {
            0 => Body::disc(side[0] * 0.55 * scale),
            1 | 2 => Body::rectangle(side[0] * scale, side[1] * scale),
            _ => Body::polygon(&corners.map(|corner| corner.map(|side| side * scale)))
                .or_else(|_| Body::disc(largest * 0.4 * scale)),
        };
        let body = body.and_then(|body| body.speed(speed)).expect("lengths and speeds make sense");
        if closed { body.closed() } else { body }
    })
}

fn vehicle(random: &mut Pcg64Mcg) -> Vehicle {
    let headings = *[Headings::Four, Headings::Eight].choose(random).expect("some");
    let straight = Primitives::straight(headings, 1).expect("a step");
    let primitives = if random.random() { straight.arcs(2.0) } else { straight.pivoting(2.0) }.expect("a radius");
    let body = Body::rectangle(random.random_range(0.8..2.4), random.random_range(0.4..1.2));
    Vehicle::new(body.expect("sensible"), primitives.reversing(1.0).expect("as fast"))
}

/// A space and what is to be on it.
enum Units {
    OnGrid(Body, Connectivity),
    OnLattice(Vehicle),
    OnWaypoints([Body; 2], Arc<giveway_spaces::FnSpace<u32, giveway_spaces::Positions>>),
    OnRoads([Body; 2], Arc<giveway_spaces::GraphSpace<u32, giveway_spaces::Positions>>),
    Facing([Body; 2], Arc<Facing<giveway_spaces::GraphSpace<u32, giveway_spaces::Positions>>>),
    OnRing([Body; 2], Arc<Ring>),
}

impl World {
    pub(super) fn new(seed: u64, kind: Kind) -> Self {
        let mut random = Pcg64Mcg::new(u128::from(seed) * 2 + 1);
        let size: [u32; 2] = [0, 1].map(|_| random.random_range(9..16));
        let walls = if kind.halved { 0 } else { *[0, 0, 4, 8].choose(&mut random).expect("there are some") };
        let grid = Grid::from_fn(size[0], size[1], |_, _| !random.random_ratio(walls, 100)).expect("small");
        let extent = size.map(|side| side as f32);
        let (ground, has_levels) = ground(&mut random, &grid, kind);
        let exact = random.random_ratio(1, 10);
        let units = units(&mut random, extent, exact, kind, has_levels);
        let common = units.iter().fold(CommonTicks::new(), |all, units| match units {
            Units::OnGrid(body, connectivity) => all.of([body], &grid.clone().with_connectivity(*connectivity)),
            Units::OnLattice(vehicle) => all.of([vehicle], &grid),
            Units::OnWaypoints([body, _], space) => all.of([body], space),
            Units::OnRoads([body, _], space) => all.of([body], space),
            Units::Facing([body, _], space) => all.of([body], space),
            Units::OnRing([body, _], space) => all.of([body], space),
        });
        let ticks = common.fewest().expect("these speeds have one");

        let mut world = Self {
            seed,
            simulation: Simulation::new(Crowd::new(CrowdSettings::new())),
            changes: 0,
            kind,
            ticks,
            size,
            classes: Vec::new(),
            closed: map_walls(&grid),
            eras: Vec::new(),
            kinds: 0,
            checker: if has_levels { BodyChecker::new().levels(-1.0, 3.0, 2) } else { BodyChecker::new() },
            random,
        };
        let settings = CrowdSettings::new().window(world.random.random_range(4..=12));
        let windows = || Chain::new(Planner::Windowed);
        let mut crowd = Crowd::new(match world.random.random_range(0..6) {
            0 => settings.chain(Chain::from(Lra::new(7)).fallback(Planner::Windowed, 8)),
            1 => settings.chain(windows().fallback(Planner::Pibt, 2).fallback(Planner::Lacam, 4)),
            _ => settings,
        });
        let walls = grid.walls();
        for units in units {
            let class = match units {
                Units::OnGrid(body, connectivity) => {
                    let grid = grid.clone().with_connectivity(connectivity);
                    let made = body.on(&grid, ground, ticks);
                    made.ok().map(|(space, footprint)| enlist(&mut crowd, space, footprint, body.outline()))
                }
                Units::OnLattice(vehicle) => {
                    let made = vehicle.on(&grid, ground, ticks);
                    made.ok().map(|(space, footprint)| enlist(&mut crowd, space, footprint, vehicle.outline()))
                }
                Units::OnWaypoints(bodies, space) => on_graph(&mut crowd, &bodies, space, ground, ticks, &walls, kind),
                Units::OnRoads(bodies, space) => on_graph(&mut crowd, &bodies, space, ground, ticks, &walls, kind),
                Units::Facing(bodies, space) => on_graph(&mut crowd, &bodies, space, ground, ticks, &walls, kind),
                Units::OnRing(bodies, space) => on_graph(&mut crowd, &bodies, space, ground, ticks, &walls, kind),
            };
            // Some are too large for some maps.
            world.kinds += usize::from(class.is_some());
            world.classes.extend(class);
        }
        world.simulation = Simulation::new(crowd).recorded();
        world.note_walls();
        for (class, nodes) in world.classes.clone() {
            let mut starts = nodes.to_vec();
            starts.shuffle(&mut world.random);
            let places = Endpoints::from(&*nodes);
            let most = if kind.halved { 20 } else { world.random.random_range(1..=6) };
            for start in starts.into_iter().take(most) {
                let task = Task::Lifelong { places: places.clone(), seed };
                // Not all find room.
                let _ = world.simulation.add(class, Agent::bystander(start), task);
            }
        }
        world
    }

    pub(super) fn trace(&self) -> Trace {
        self.simulation.trace().expect("it is recorded")
    }

    /// The overlaps of agents, by the checker.
    pub(super) fn overlaps(&self) -> Vec<Overlap> {
        self.checker.clone().at_most(3).check(&self.trace())
    }

    /// The agents that were in walls, by the checker: from each change on until the next, without the moves that were
    /// under way.
    pub(super) fn in_walls(&self) -> Vec<WallOverlap> {
        let trace = self.trace();
        let ends = self.eras.iter().skip(1).map(|(tick, _)| *tick).chain([self.simulation.crowd().now()]);
        let eras = self.eras.iter().zip(ends);
        eras.flat_map(|((from, walls), until)| self.checker.check_walls(&part(&trace, *from, until), walls)).collect()
    }

    /// Notes that the walls are other ones from now on.
    fn note_walls(&mut self) {
        let now = self.simulation.crowd().now();
        let is_closed = |closed: &&Closed| !closed.is_left && closed.left.as_ref().is_none_or(Vec::is_empty);
        let walls = self.closed.iter().filter(is_closed).map(|closed| Wall::new(closed.shape.clone()));
        self.eras.push((now, walls.collect()));
    }

    /// Lets the steps go by, with changes now and then.
    pub(super) fn run(&mut self) {
        for tick in 0..self.kind.steps * self.ticks {
            if !self.kind.halved && tick % (2 * self.ticks) == self.ticks {
                self.disturb();
                self.note_walls();
            }
            // As much for a step, however fine its ticks are.
            let leaving = self.leaving();
            self.simulation.tick(Budget::work(u64::from(3000 / self.ticks).max(100)));
            self.check_closed(&leaving);
        }
    }

    /// The only units inside a closed area were inside before, or came from a place that they have to leave.
    fn check_closed(&mut self, leaving: &[AgentId]) {
        let crowd = self.simulation.crowd();
        for Closed { area, left, is_left, .. } in &mut self.closed {
            let Some(left) = left else { continue };
            let inside = crowd.inside(area);
            let may_be = |agent: &AgentId| left.contains(agent) || *is_left && leaving.contains(agent);
            assert!(inside.iter().all(may_be), "seed {}, tick {}: {inside:?}, {left:?} were", self.seed, crowd.now());
            *left = inside;
        }
        let is_empty = |closed: &Closed| closed.left.as_ref().is_none_or(Vec::is_empty);
        if self.leaving().is_empty() && self.closed.iter().filter(|closed| closed.is_left).all(is_empty) {
            self.closed.iter_mut().for_each(|closed| closed.is_left = false);
        }
    }

    /// The agents on places that do not exist any more.
    fn leaving(&self) -> Vec<AgentId> {
        let crowd = self.simulation.crowd();
        let has_to = |agent: &AgentId| {
            let place = crowd.class_of(*agent).zip(crowd.node(*agent));
            place.is_some_and(|(class, node)| !crowd.has_node(class, node))
        };
        crowd.agents().filter(has_to).collect()
    }

    /// An area changes, or an agent is removed, put elsewhere, or sent; some of these calls are refused.
    fn disturb(&mut self) {
        let Self { random, simulation, size, .. } = self;
        let agents: Vec<AgentId> = simulation.crowd().agents().collect();
        let what = random.random_range(0..12);
        if let (9.., Some(agent)) = (what, agents.choose(random).copied()) {
            let node = NodeId(random.random_range(0..60));
            let _ = match what {
                9 => simulation.remove(agent),
                10 => simulation.place_near(agent, node).map(drop),
                _ => simulation.send_near(agent, node).map(drop),
            };
            return;
        }
        let (area, shape) = area(random, *size);
        let surface = Surface::new(random.random_range(1..4), *[1.0, 2.0, 3.0, 0.5].choose(random).expect("some"));
        let changed = match what {
            0..3 => match simulation.crowd_mut().close(&area) {
                Ok(changed) => {
                    self.closed.push(Closed { area, shape, left: Some(Vec::new()), is_left: false });
                    changed
                }
                Err(_) => false,
            },
            3..5 => {
                let inside = simulation.crowd_mut().vacate(&area).expect("all are editable");
                let changed = !inside.is_empty();
                self.closed.push(Closed { area, shape, left: Some(inside), is_left: changed });
                changed
            }
            5..7 => {
                // Cells of the ground that both cover are opened, too.
                let [least, most] = extent(&shape);
                self.closed
                    .retain(|closed| !closed.area.is_near(least.map(|side| side - 1.1), most.map(|side| side + 1.1)));
                simulation.crowd_mut().open(&area).expect("all are editable")
            }
            _ => simulation.crowd_mut().resurface(&area, surface.expect("in range")).unwrap_or(false),
        };
        self.changes += usize::from(changed);
    }
}

/// The events from one tick until another. A move that was under way at the beginning is left out.
fn part(trace: &Trace, from: Tick, until: Tick) -> Trace {
    let agents = trace.agents.iter().map(|agent| {
        let (mut start, mut begin) = (agent.start, from.max(agent.appears));
        let mut moves = Vec::new();
        for step in &agent.moves {
            if step.depart < begin || step.arrive <= begin {
                (start, begin) = (step.to, begin.max(step.arrive));
            } else if step.depart < until {
                moves.push(*step);
            }
        }
        let vanishes = Some(agent.vanishes.unwrap_or(until).min(until).max(begin));
        TracedAgent {
            appears: begin,
            vanishes,
            start,
            moves,
            goals: Vec::new(),
            orders: Vec::new(),
            body: agent.body.clone(),
            changes: agent.changes.clone(),
            pauses: Vec::new(),
        }
    });
    Trace { until: Some(until), agents: agents.collect(), ..trace.clone() }
}

/// The least and the greatest coordinates of a shape.
fn extent(shape: &TracedBody) -> [[f64; 2]; 2] {
    let corners = match shape {
        TracedBody::Disc { center, radius } => [-1.0, 1.0].map(|sign| center.map(|side| side + sign * radius)).to_vec(),
        TracedBody::Polygon { corners } => corners.clone(),
    };
    let pick = |pick: fn(f32, f32) -> f32| {
        [0, 1].map(|axis| f64::from(corners.iter().map(|corner| corner[axis]).reduce(pick).expect("it has corners")))
    };
    [pick(f32::min), pick(f32::max)]
}

fn map_walls(grid: &Grid) -> Vec<Closed> {
    let cells = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| (x, y)));
    let walls = cells.filter(|(x, y)| !grid.is_passable(*x, *y));
    let wall = |(x, y)| Closed {
        area: Area::cells(x, y, 1, 1).expect("a cell"),
        shape: cells_from(x, y, [1, 1]),
        left: None,
        is_left: false,
    };
    walls.map(wall).collect()
}

fn cells_from(x: u32, y: u32, size: [u32; 2]) -> TracedBody {
    let [left, top] = [x, y].map(|side| side as f32 - 0.5);
    let [right, bottom] = [left + size[0] as f32, top + size[1] as f32];
    TracedBody::Polygon { corners: vec![[left, top], [right, top], [right, bottom], [left, bottom]] }
}

/// An area at random, and its shape.
fn area(random: &mut Pcg64Mcg, size: [u32; 2]) -> (Area, TracedBody) {
    let at = size.map(|side| random.random_range(0..side));
    let point = at.map(|side| side as f32 + random.random_range(-0.5..0.5_f32));
    let (area, shape) = match random.random_range(0..3) {
        0 => {
            let size = [0, 1].map(|_| random.random_range(1..5));
            (Area::cells(at[0], at[1], size[0], size[1]), cells_from(at[0], at[1], size))
        }
        1 => {
            let radius = random.random_range(0.3..2.5);
            (Area::disc(point, radius), TracedBody::Disc { center: point, radius })
        }
        _ => {
            let corners = vec![point, [point[0] + 2.5, point[1] + 0.7], [point[0] - 0.5, point[1] + 2.0]];
            (Area::polygon(&corners), TracedBody::Polygon { corners })
        }
    };
    (area.expect("wide enough"), shape)
}

/// A ground, and whether it has two levels.
fn ground(random: &mut Pcg64Mcg, grid: &Grid, kind: Kind) -> (Ground, bool) {
    let size = [grid.width(), grid.height()].map(|side| side as f32 + 3.0);
    let own = |cell| Ground::new([-2.0, -1.5], size, cell).expect("sensible");
    let map = Ground::from_grid(grid);
    match random.random_range(0..6) {
        0 => (map, false),
        1 => (map.granularity(Granularity::Finer(2)), false),
        2 => (own(0.5), false),
        3 => (own(0.4), false),
        // Room in coarse cells makes up for what is missing.
        4 if !kind.halved => (own(2.0).granularity(Granularity::Finer(2)).levels(-1.0, 3.0, 2).expect("few"), true),
        _ => (own(0.75), false),
    }
}

/// Bodies on at least three kinds of space.
fn units(random: &mut Pcg64Mcg, extent: [f32; 2], exact: bool, kind: Kind, has_levels: bool) -> Vec<Units> {
    let mut kinds: Vec<u32> = (0..6).collect();
    kinds.shuffle(random);
    kinds.truncate(random.random_range(3..=4));
    if kind.halved {
        kinds = vec![0, 2, 2, 3];
    }
    let make = |kind_of_space| {
        let bodies = if kind.halved {
            let disc = |radius| Body::disc(radius).expect("sensible");
            [disc(0.8), disc(0.4)]
        } else {
            body(random, 1.6)
        };
        match kind_of_space {
            0 => {
                let connectivity = if random.random_ratio(2, 3) { Connectivity::Four } else { Connectivity::Eight };
                let [body, _] = bodies;
                Units::OnGrid(body, connectivity)
            }
            1 => Units::OnLattice(vehicle(random)),
            2 => Units::OnWaypoints(bodies, Arc::new(waypoints(random, extent, exact, has_levels))),
            3 => Units::OnRoads(bodies, Arc::new(roads(random, extent, exact))),
            4 => {
                let roads = Arc::new(roads(random, extent, exact));
                Units::Facing(bodies, Arc::new(Facing::new(roads, 1.0).expect("few")))
            }
            _ => {
                let radius = extent[0].min(extent[1]) / 2.0 - 1.0;
                let middle = extent.map(|side| side / 2.0 - 0.5);
                Units::OnRing(bodies, Arc::new(Ring::new(middle, radius, (radius * 6.0) as u32)))
            }
        }
    };
    kinds.into_iter().map(make).collect()
}

fn on_graph<S: Embedding<Cost = u32> + SyncSpace + 'static>(
    crowd: &mut Crowd<'static>,
    [body, half]: &[Body; 2],
    space: Arc<S>,
    ground: Ground,
    ticks: Ticks,
    walls: &Option<Area>,
    kind: Kind,
) -> Option<(ClassId, Arc<[NodeId]>)> {
    let (mut clearance, whole): (GraphClearance<S>, BodyFootprint) = body.on(&space, ground, ticks).ok()?;
    // A bound on memory that is far too small changes nothing.
    let bytes = if ticks.is_multiple_of(2) { 0 } else { 1 << 20 };
    let footprint = if kind.halved { half.on(&space, ground, ticks).ok()?.1 } else { whole.keep_at_most(bytes) };
    if let Some(walls) = walls {
        clearance.change(walls, Change::Close);
    }
    Some(enlist(crowd, clearance, footprint, body.outline()))
}

pub(super) fn enlist<S: Editable + SyncSpace + Clone + 'static, F: Footprint<S> + Send + Sync + 'static>(
    crowd: &mut Crowd<'static>,
    space: S,
    footprint: F,
    outline: TracedBody,
) -> (ClassId, Arc<[NodeId]>) {
    let bound = u32::try_from(space.node_bound()).expect("small");
    let nodes = (0..bound).map(NodeId).filter(|node| space.contains(*node)).collect();
    (crowd.add_class(Class::new(space, footprint).editable().body(outline)).expect("one ground"), nodes)
}
