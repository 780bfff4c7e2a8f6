//! A river with two bridges, which bodies of unlike size and speed cross. All units get one goal after another. The
//! bridges are five cells wide, so that two units of three cells cannot pass each other.

use std::time::Duration;

use giveway::sim::{Endpoints, Simulation, Task};
use giveway::spaces::{Body, CommonTicks, Grid, Ground, Headings, Primitives, Vehicle};
use giveway::strategies::{Budget, Class, ClassId, Crowd, CrowdSettings};
use giveway::{Agent, AgentId, NodeId, SpaceGraph};
use rand::Rng as _;

use crate::cpu_time;
use crate::worlds::random;

/// A unit stands if it is under way and has been on one node for more steps than this.
const PATIENCE: u32 = 60;

/// The classes of a world, in this order.
pub const KINDS: [&str; 4] = ["1x1", "2x2 at half speed", "3x3", "wagons"];

/// The width of a bridge, in cells.
const BRIDGE: u32 = 5;

/// Where the river is, in cells.
#[derive(Clone, Copy, Debug)]
pub struct River {
    /// Width and height of the world.
    pub size: [u32; 2],
    /// The first column of the river, and the first one behind it.
    pub river: [u32; 2],
    /// The first row of each bridge.
    pub bridges: [u32; 2],
}

/// Eight cells wide, in a world of 128 x 128.
pub const LARGE: River = River { size: [128, 128], river: [60, 68], bridges: [30, 92] };

/// Four cells wide, in a world of 40 x 22.
pub const SMALL: River = River { size: [40, 22], river: [18, 22], bridges: [3, 14] };

/// How a run has gone.
#[derive(Debug)]
pub struct Crossed {
    /// How many units stand, in the mean over all steps.
    pub standing: f64,
    /// For how many steps a unit under way has stood at most.
    pub longest: u32,
    /// The orders carried out, by class.
    pub orders: [usize; KINDS.len()],
    /// The processor time of each tick.
    pub times: Vec<Duration>,
}

impl River {
    /// Runs `units` units for `steps` steps.
    ///
    /// # Panics
    /// The world cannot be made: a bug.
    pub fn cross(&self, units: u64, steps: u64, seed: u64, budget: Budget) -> Crossed {
        let mut random = random(seed);
        let (crowd, classes) = self.world();
        let mut simulation = Simulation::new(crowd);
        let ends: Vec<Endpoints> = classes.iter().map(|(_, places)| places.clone().into()).collect();
        let mut agents: Vec<(AgentId, usize)> = Vec::new();
        for kind in (0..KINDS.len()).cycle().take(usize::try_from(units).expect("few")) {
            let (class, places) = &classes[kind];
            let agent = std::iter::repeat_with(|| places[random.random_range(0..places.len())]).find_map(|place| {
                let task = Task::Lifelong { places: ends[kind].clone(), seed };
                simulation.add(*class, Agent::bystander(place), task).ok()
            });
            agents.extend(agent.map(|agent| (agent, kind)));
        }
        let mut crossed = Crossed { standing: 0.0, longest: 0, orders: [0; KINDS.len()], times: Vec::new() };
        let mut since = vec![(None, 0); agents.len()];
        for _ in 0..steps {
            for _ in 0..simulation.crowd().ticks_per_step() {
                let report = simulation.tick_by(|crowd| {
                    let begin = cpu_time();
                    let report = crowd.tick(budget);
                    crossed.times.push(cpu_time() - begin);
                    report
                });
                let arrived = agents.iter().filter(|(agent, _)| report.arrived.contains(agent));
                arrived.for_each(|(_, kind)| crossed.orders[*kind] += 1);
            }
            for ((agent, _), (known, stands)) in agents.iter().zip(&mut since) {
                let node = simulation.crowd().node(*agent);
                let is_under_way = simulation.crowd().is_home(*agent) == Some(false);
                *stands = if node == *known && is_under_way { *stands + 1 } else { 0 };
                *known = node;
                crossed.longest = crossed.longest.max(*stands);
                crossed.standing += f64::from(u8::from(*stands > PATIENCE));
            }
        }
        #[allow(clippy::cast_precision_loss, reason = "few")]
        let count = steps.max(1) as f64;
        Crossed { standing: crossed.standing / count, ..crossed }
    }

    /// A crowd without units, and its classes with all nodes of each.
    fn world(&self) -> (Crowd<'static>, Vec<(ClassId, Vec<NodeId>)>) {
        let Self { size: [width, height], river: [begin, end], bridges } = *self;
        let is_bridge = |y| bridges.iter().any(|first| (*first..first + BRIDGE).contains(&y));
        let is_open = |x, y| !(begin..end).contains(&x) || is_bridge(y);
        let grid = Grid::from_fn(width, height, is_open).expect("small");
        let slow = Body::square(2).and_then(|body| body.speed(0.5));
        let bodies = [Body::square(1), slow, Body::square(3)].map(|body| body.expect("a body"));
        let primitives = Primitives::straight(Headings::Eight, 1)
            .and_then(|straight| straight.arcs(2.0))
            .and_then(|arcs| arcs.reversing(2.0))
            .expect("primitives");
        let wagon = Vehicle::new(Body::rectangle(1.8, 0.9).expect("a body"), primitives);
        let ticks = CommonTicks::new().of(&bodies, &grid).of([&wagon], &grid).fewest().expect("few ticks");
        let size = self.size.map(|cells| cells as f32); // exact
        let ground = Ground::new([-0.5; 2], size, 0.5).expect("a ground");
        let mut crowd = Crowd::new(CrowdSettings::new());
        let mut classes = Vec::new();
        for body in &bodies {
            let (space, footprint) = body.on(&grid, ground, ticks).expect("it fits");
            let places = space.nodes().filter(|node| space.contains(*node)).collect();
            classes.push((crowd.add_class(Class::new(space, footprint)).expect("a few classes"), places));
        }
        let (space, footprint) = wagon.on(&grid, ground, ticks).expect("it fits");
        let places = space.nodes().filter(|node| space.contains(*node)).collect();
        classes.push((crowd.add_class(Class::new(space, footprint)).expect("a few classes"), places));
        (crowd, classes)
    }
}
