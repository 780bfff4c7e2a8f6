//! A world at random: a ground, classes on at least three kinds of space, and changes by area as it goes.

use std::sync::Arc;

use giveway_core::{
    Agent, AgentId, Area, Change, Editable, Embedding, Footprint, NodeId, Surface, SyncSpace, Ticks, Trace, TracedBody,
};
use giveway_sim::{Simulation, Task};
use giveway_spaces::{
    Body, CommonTicks, Connectivity, Facing, Granularity, GraphClearance, GraphFootprint, Grid, Ground, Headings,
    Primitives, Vehicle,
};
use giveway_strategies::{Budget, Class, ClassId, Crowd, CrowdSettings};
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_pcg::Pcg64Mcg;

use super::spaces::{Ring, roads, waypoints};

/// What worlds are like.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// Reserves room for half of each length only, on irregular moves.
    pub(super) halved: bool,
    pub(super) steps: u32,
}

pub(super) struct World {
    pub(super) simulation: Simulation<'static>,
    pub(super) changes: usize,
    random: Pcg64Mcg,
    kind: Kind,
    ticks: Ticks,
    size: [u32; 2],
    classes: Vec<(ClassId, Arc<[NodeId]>)>,
    /// Closed areas, and who was inside at the last tick, having been there when they were closed.
    closed: Vec<(Area, Vec<AgentId>)>,
}

/// A body at random, and the same with all of its lengths halved.
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
        let ground = ground(&mut random, &grid, kind);
        let exact = random.random_ratio(1, 10);
        let units = units(&mut random, extent, exact, kind);
        let common = units.iter().fold(CommonTicks::new(), |all, units| match units {
            Units::OnGrid(body, connectivity) => all.body(body, &grid.clone().with_connectivity(*connectivity)),
            Units::OnLattice(vehicle) => all.vehicle(vehicle, &grid),
            Units::OnWaypoints([body, _], space) => all.on_graph(body, &**space),
            Units::OnRoads([body, _], space) => all.on_graph(body, &**space),
            Units::Facing([body, _], space) => all.on_graph(body, &**space),
            Units::OnRing([body, _], space) => all.on_graph(body, &**space),
        });
        let ticks = common.fewest().expect("these speeds have one");

        let mut world = Self {
            simulation: Simulation::new(Crowd::new(CrowdSettings::new())),
            changes: 0,
            kind,
            ticks,
            size,
            classes: Vec::new(),
            closed: Vec::new(),
            random,
        };
        let mut crowd = Crowd::new(CrowdSettings::new().window(world.random.random_range(4..=12)));
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
            world.classes.extend(class);
        }
        world.simulation = Simulation::new(crowd).recorded();
        for (class, nodes) in world.classes.clone() {
            let mut starts = nodes.to_vec();
            starts.shuffle(&mut world.random);
            let most = if kind.halved { 20 } else { world.random.random_range(1..=6) };
            for start in starts.into_iter().take(most) {
                let task = Task::Lifelong { places: nodes.clone(), seed };
                // Not all find room.
                let _ = world.simulation.add(class, Agent::bystander(start), task);
            }
        }
        world
    }

    pub(super) fn trace(&self) -> Trace {
        self.simulation.trace().expect("it is recorded")
    }

    /// Lets the steps go by, with changes now and then.
    pub(super) fn run(&mut self) {
        for tick in 0..self.kind.steps * self.ticks {
            if !self.kind.halved && tick % (2 * self.ticks) == self.ticks {
                self.disturb();
            }
            // As much for a step, however fine its ticks are.
            self.simulation.tick(Budget::work(u64::from(3000 / self.ticks).max(100)));
            self.check_closed(tick);
        }
    }

    /// Nobody is inside a closed area but those that were, and have not left since, or came from another area that is being left.
    fn check_closed(&mut self, tick: u32) {
        let leaving: Vec<AgentId> = self.closed.iter().flat_map(|(_, left)| left.clone()).collect();
        for (area, left) in &mut self.closed {
            let inside = self.simulation.crowd().inside(area);
            let may_be = |agent: &AgentId| left.contains(agent) || !left.is_empty() && leaving.contains(agent);
            assert!(inside.iter().all(may_be), "tick {tick}: {inside:?} inside, {left:?} were");
            *left = inside;
        }
    }

    /// An area changes, or somebody is removed, put elsewhere, or sent; not all of that can be done.
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
        let area = area(random, *size);
        let surface = Surface::new(random.random_range(1..4), *[1.0, 2.0, 3.0, 0.5].choose(random).expect("some"));
        let changed = match what {
            0..3 => simulation.close(&area).inspect(|_| self.closed.push((area, Vec::new()))).is_ok(),
            3..5 => {
                let inside = simulation.vacate(&area).expect("all are editable");
                self.closed.push((area, inside));
                true
            }
            5..7 => {
                self.closed.clear();
                simulation.open(&area).expect("all are editable")
            }
            _ => simulation.resurface(&area, surface.expect("in range")).unwrap_or(false),
        };
        self.changes += usize::from(changed);
    }
}

fn area(random: &mut Pcg64Mcg, size: [u32; 2]) -> Area {
    let at = size.map(|side| random.random_range(0..side));
    let point = at.map(|side| side as f32 + random.random_range(-0.5..0.5_f32));
    let area = match random.random_range(0..3) {
        0 => Area::cells(at[0], at[1], random.random_range(1..5), random.random_range(1..5)),
        1 => Area::disc(point, random.random_range(0.3..2.5)),
        _ => Area::polygon(&[point, [point[0] + 2.5, point[1] + 0.7], [point[0] - 0.5, point[1] + 2.0]]),
    };
    area.expect("wide enough")
}

fn ground(random: &mut Pcg64Mcg, grid: &Grid, kind: Kind) -> Ground {
    let size = [grid.width(), grid.height()].map(|side| side as f32 + 3.0);
    let own = |cell| Ground::new([-2.0, -1.5], size, cell).expect("sensible");
    let map = Ground::from_grid(grid);
    match random.random_range(0..6) {
        0 => map,
        1 => map.granularity(Granularity::Finer(2)),
        2 => own(0.5),
        3 => own(0.4),
        // Room in coarse cells makes up for what is missing.
        4 if !kind.halved => own(2.0).levels(-1.0, 3.0, 2).expect("few"),
        _ => own(0.75),
    }
}

/// Bodies on at least three kinds of space.
fn units(random: &mut Pcg64Mcg, extent: [f32; 2], exact: bool, kind: Kind) -> Vec<Units> {
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
            2 => Units::OnWaypoints(bodies, Arc::new(waypoints(random, extent, exact))),
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
    let (mut clearance, whole): (GraphClearance<S>, GraphFootprint) =
        body.on_graph(Arc::clone(&space), ground, ticks).ok()?;
    // A bound on memory that is far too small changes nothing.
    let bytes = if ticks.is_multiple_of(2) { 0 } else { 1 << 20 };
    let footprint = if kind.halved { half.on_graph(space, ground, ticks).ok()?.1 } else { whole.keep_at_most(bytes) };
    if let Some(walls) = walls {
        clearance.change(walls, Change::Close);
    }
    Some(enlist(crowd, clearance, footprint, body.outline()))
}

pub(super) fn enlist<S: Editable + SyncSpace + 'static, F: Footprint<S> + Send + Sync + 'static>(
    crowd: &mut Crowd<'static>,
    space: S,
    footprint: F,
    outline: TracedBody,
) -> (ClassId, Arc<[NodeId]>) {
    let bound = u32::try_from(space.node_bound()).expect("small");
    let nodes = (0..bound).map(NodeId).filter(|node| space.contains(*node)).collect();
    (crowd.add_class(Class::new(space, footprint).embedded().editable().body(outline)).expect("one ground"), nodes)
}
