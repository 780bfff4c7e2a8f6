//! Lives with lateness: what units did, recorded from the outside and checked without stores and footprints.

use giveway_bodies::{Body, CommonTicks, Granularity, Ground, Headings, Lattice, Primitives, Vehicle};
use giveway_check::{BodyChecker, Checker};
use giveway_core::{
    Agent, AgentId, ConflictRule, NodeId, Point, SpaceGraph, Ticks, Trace, TracedAgent, TracedMove, TracedPlace,
    Trajectories,
};
use giveway_crowd::{Budget, Class, ClassId, Crowd, CrowdSettings, Report};
use giveway_spaces::{Connectivity, Grid};
use rand::Rng as _;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand_pcg::Pcg64Mcg;

/// What kind of units there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Points under the swap rule, a tick for a step.
    Points,
    /// Points under the following rule that go diagonally, too, with several ticks for a step.
    TimedPoints,
    /// Discs of two sizes, on cells in eight directions.
    Discs,
    /// Squares of one and of two cells, of two speeds.
    Squares,
    /// Cars that turn along arcs.
    Vehicles,
}

pub(crate) const KINDS: [Kind; 5] = [Kind::Points, Kind::TimedPoints, Kind::Discs, Kind::Squares, Kind::Vehicles];

/// A crowd, and what it has done.
pub(crate) struct Life {
    pub(crate) crowd: Crowd<'static>,
    pub(crate) classes: Vec<ClassId>,
    grid: Grid,
    kind: Kind,
    traced: Vec<TracedAgent>,
    trajectories: Trajectories,
    /// When each move that is under way is to be held, and for how long.
    late: Vec<Option<(u32, Ticks)>>,
    pub(crate) random: Pcg64Mcg,
    pub(crate) counts: Counts,
}

/// What was counted in a life.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Counts {
    pub(crate) agent_ticks: u64,
    pub(crate) moves: u64,
    pub(crate) holds: u64,
    /// Units that were held because of another one.
    pub(crate) held_along: u64,
    pub(crate) arrivals: u64,
    pub(crate) stopped: u64,
    pub(crate) pauses: u64,
}

impl Life {
    /// A crowd without units on `grid`.
    pub(crate) fn new(kind: Kind, grid: &Grid, settings: CrowdSettings, seed: u64) -> Self {
        let mut crowd = Crowd::new(settings);
        let mut classes = Vec::new();
        let squares = [Body::square(1).unwrap(), Body::square(2).unwrap().speed(0.5).unwrap()];
        let discs = [Body::disc(0.4).unwrap(), Body::disc(0.9).unwrap().speed(0.75).unwrap()];
        let bodies: &[Body] = match kind {
            Kind::Discs => &discs,
            Kind::Squares => &squares,
            _ => &[],
        };
        let ticks = if bodies.is_empty() { 1 } else { CommonTicks::new().of(bodies, grid).fewest().unwrap() };
        for body in bodies {
            let class = Class::for_body(body, grid, Ground::from_grid(grid), ticks).unwrap();
            classes.push(crowd.add_class(class).unwrap());
        }
        match kind {
            Kind::Points => classes.push(crowd.add_class(Class::new(grid.clone(), Point::swap_rule(grid))).unwrap()),
            Kind::TimedPoints => {
                let point = Point::timed(grid, 12).unwrap();
                classes.push(crowd.add_class(Class::new(grid.clone(), point)).unwrap());
            }
            Kind::Vehicles => {
                let (lattice, footprint, outline) = car(grid);
                classes.push(crowd.add_class(Class::new(lattice, footprint).body(outline)).unwrap());
            }
            Kind::Discs | Kind::Squares => {}
        }
        Self {
            crowd,
            classes,
            grid: grid.clone(),
            kind,
            traced: Vec::new(),
            trajectories: Trajectories::default(),
            late: Vec::new(),
            random: Pcg64Mcg::new(u128::from(seed)),
            counts: Counts::default(),
        }
    }

    fn place(&self, class: ClassId, node: NodeId) -> TracedPlace {
        let position = self.crowd.position(class, node).unwrap();
        TracedPlace { heading: self.crowd.heading(class, node), ..TracedPlace::new(node.0, position) }
    }

    /// The nodes of the class of `agent`.
    pub(crate) fn nodes(&self, class: ClassId) -> Vec<NodeId> {
        let bound = match self.kind {
            Kind::Vehicles => self.crowd.space::<Lattice>(class).unwrap().node_bound(),
            _ => self.grid.node_bound(),
        };
        NodeId::below(bound).filter(|node| self.crowd.has_node(class, *node)).collect()
    }

    /// Adds a unit that stands by on `start`; `false`: there is no room.
    pub(crate) fn add(&mut self, class: ClassId, start: NodeId) -> bool {
        let is_added = self.crowd.add(class, Agent::bystander(start)).is_ok();
        if is_added {
            let body = self.crowd.body(class).cloned();
            let agent = TracedAgent { body, ..TracedAgent::new(self.place(class, start), vec![], vec![]) };
            self.traced.push(agent);
            self.late.push(None);
        }
        is_added
    }

    /// Adds about `units` units at random places, of all classes in turn.
    pub(crate) fn populate(&mut self, units: usize) {
        let nodes: Vec<Vec<NodeId>> = self.classes.clone().into_iter().map(|class| self.nodes(class)).collect();
        for attempt in 0..units * 6 {
            let which = attempt % self.classes.len();
            let start = *nodes[which].choose(&mut self.random).unwrap();
            if self.traced.len() < units {
                self.add(self.classes[which], start);
            }
        }
    }

    pub(crate) fn agents(&self) -> Vec<AgentId> {
        self.crowd.agents().collect()
    }

    /// Sends all that are home to places at random, in random order.
    pub(crate) fn send_idle(&mut self) {
        let mut agents = self.agents();
        agents.shuffle(&mut self.random);
        for agent in agents {
            if self.crowd.is_home(agent) == Some(true) {
                let class = self.crowd.class_of(agent).unwrap();
                let goal = *self.nodes(class).choose(&mut self.random).unwrap();
                let _ = self.crowd.send_near(agent, goal);
            }
        }
    }

    /// Lets a tick go by. `percent` of the moves that begin are late by 1 to 10 ticks.
    pub(crate) fn tick(&mut self, budget: Budget, percent: u32) -> Report {
        let report = self.crowd.tick(budget);
        let now = self.crowd.now();
        self.note(report.tick);
        for agent in self.agents() {
            let leg = self.crowd.last_leg(agent).unwrap();
            let late = &mut self.late[agent.index()];
            if leg.is_move() && leg.depart == report.tick && self.random.random_ratio(percent, 100) {
                let at = if leg.arrive > now { self.random.random_range(now..=leg.arrive) } else { now };
                *late = Some((at, self.random.random_range(1..=10)));
            }
            if let Some((at, ticks)) = *late
                && at <= now
            {
                *late = None;
                self.counts.holds += 1;
                self.hold(agent, ticks);
            }
        }
        self.counts.agent_ticks += self.traced.len() as u64;
        self.counts.moves += report.moves as u64;
        self.counts.arrivals += report.arrived.len() as u64;
        self.counts.stopped += report.stopped.len() as u64;
        report
    }

    /// Holds `agent`, and sees that it stays where it is, and so does everybody else.
    pub(crate) fn hold(&mut self, agent: AgentId, ticks: Ticks) {
        let now = self.crowd.now();
        let before = self.crowd.held_until(agent);
        let others = self.crowd.hold(agent, ticks).unwrap();
        self.counts.held_along += others.len() as u64;
        assert!(!others.contains(&agent) && others.is_sorted());
        assert_eq!(self.crowd.held_until(agent), Some(before.unwrap_or(now) + ticks));
        for other in others {
            assert!(self.crowd.last_leg(other).is_some_and(|leg| leg.is_move() && leg.arrive > now), "{other}");
            assert!(self.crowd.held_until(other) >= Some(now + ticks), "{other}");
        }
    }

    /// Notes the moves that began at `begun`, and those that take longer than they were to.
    pub(crate) fn note(&mut self, begun: u32) {
        for agent in self.agents() {
            let (leg, class) = (self.crowd.last_leg(agent).unwrap(), self.crowd.class_of(agent).unwrap());
            if !leg.is_move() {
                continue;
            }
            let to = self.place(class, leg.to);
            let trajectory = self.trajectories.number(self.crowd.trajectory(agent));
            let traced = &mut self.traced[agent.index()];
            if leg.depart == begun {
                assert_eq!(self.crowd.pauses(agent), []);
                traced.moves.push(TracedMove { trajectory, ..TracedMove::new(leg.depart, leg.arrive, to) });
                continue;
            }
            let last = traced.moves.last_mut().unwrap();
            assert_eq!((last.depart, last.to.node), (leg.depart, leg.to.0), "{agent} makes another move");
            let pauses = self.crowd.pauses(agent);
            let paused: u32 = pauses.iter().map(|pause| pause.end - pause.start).sum();
            let known: u32 = traced
                .pauses
                .iter()
                .filter(|pause| pause.start >= leg.depart)
                .map(|pause| pause.end - pause.start)
                .sum();
            assert_eq!(leg.arrive - last.arrive, paused - known, "{agent} is late for no reason");
            last.arrive = leg.arrive;
            while traced.pauses.pop_if(|pause| pause.start >= leg.depart).is_some() {}
            traced.pauses.extend_from_slice(pauses);
        }
    }

    /// Checks all that was done, by the rules and in continuous time, and that nobody stood somewhere else than the
    /// poses say.
    pub(crate) fn check(&mut self) {
        let trace = Trace {
            until: Some(self.crowd.now()),
            trajectories: self.trajectories.list().to_vec(),
            ..Trace::new(self.crowd.ticks_per_step(), self.traced.clone())
        };
        self.counts.pauses = self.traced.iter().map(|traced| traced.pauses.len() as u64).sum();
        match self.kind {
            Kind::Points => {
                let checker = Checker::new(&self.grid, ConflictRule::Swap).with_crossings();
                assert_eq!(checker.check_trace(&trace), []);
            }
            Kind::TimedPoints => {
                let checker = Checker::new(&self.grid, ConflictRule::Following).with_crossings();
                assert_eq!(checker.check_trace(&trace), []);
            }
            Kind::Discs | Kind::Squares | Kind::Vehicles => assert_eq!(BodyChecker::new().check(&trace), []),
        }
    }
}

/// Cars of a cell and a half, which drive in eight directions, and back.
fn car(grid: &Grid) -> (Lattice, giveway_bodies::BodyFootprint, giveway_core::TracedBody) {
    let primitives = Primitives::straight(Headings::Four, 1).unwrap().arcs(1.5).unwrap().reversing(2.0).unwrap();
    let body = Body::rectangle(1.4, 0.8).unwrap();
    let outline = body.outline();
    let vehicle = Vehicle::new(body, primitives);
    let ticks = CommonTicks::new().of([&vehicle], grid).fewest().unwrap();
    let (lattice, footprint) =
        vehicle.on(grid, Ground::from_grid(grid).granularity(Granularity::Finer(2)), ticks).unwrap();
    (lattice, footprint, outline)
}

/// An open map for `kind`.
pub(crate) fn open_map(kind: Kind, side: u32) -> Grid {
    let connectivity = match kind {
        Kind::Points | Kind::Squares => Connectivity::Four,
        Kind::TimedPoints | Kind::Discs | Kind::Vehicles => Connectivity::Eight,
    };
    Grid::open(side, side).unwrap().with_connectivity(connectivity)
}
