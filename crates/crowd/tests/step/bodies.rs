//! Bodies of unlike sizes and speeds: the traces of what they do go through the checker of bodies, in continuous time.

use giveway_bodies::{Body, CommonTicks, Ground};
use giveway_check::BodyChecker;
use giveway_core::{Agent, AgentId, Goals, NodeId, Trace, TracedAgent, TracedMove, TracedPlace};
use giveway_crowd::{Budget, Chain, Class, ClassId, Crowd, CrowdSettings, Planner};
use giveway_spaces::{Connectivity, Grid};
use rand::Rng as _;
use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64Mcg;

/// A crowd of bodies, and what it has done.
struct Bodies {
    crowd: Crowd<'static>,
    classes: Vec<ClassId>,
    agents: Vec<(ClassId, TracedAgent)>,
    /// What was counted so far.
    arrived: usize,
    moves: usize,
    operations: u64,
    inheritances: u64,
    stopped: usize,
}

impl Bodies {
    fn new(grid: &Grid, bodies: &[Body], chain: impl Into<Chain>) -> Self {
        let ticks = CommonTicks::new().of(bodies, grid).fewest().unwrap();
        let mut crowd = Crowd::new(CrowdSettings::new().chain(chain));
        let class = |body: &Body| {
            let class = Class::for_body(body, grid, Ground::from_grid(grid), ticks).unwrap();
            crowd.add_class(class).unwrap()
        };
        let classes = bodies.iter().map(class).collect();
        Self { crowd, classes, agents: Vec::new(), arrived: 0, moves: 0, operations: 0, inheritances: 0, stopped: 0 }
    }

    fn place(&self, class: ClassId, node: NodeId) -> TracedPlace {
        TracedPlace::new(node.0, self.crowd.position(class, node).unwrap())
    }

    /// Adds a unit of the class, if there is room.
    fn add(&mut self, class: usize, agent: Agent) -> Option<AgentId> {
        let class = self.classes[class];
        let start = agent.start;
        let id = self.crowd.add(class, agent).ok()?;
        let body = self.crowd.body(class).cloned();
        self.agents.push((class, TracedAgent { body, ..TracedAgent::new(self.place(class, start), vec![], vec![]) }));
        Some(id)
    }

    fn tick(&mut self, budget: Budget) -> Vec<AgentId> {
        let report = self.crowd.tick(budget);
        for index in 0..self.agents.len() {
            let leg = self.crowd.last_leg(AgentId(u32::try_from(index).unwrap())).unwrap();
            if leg.is_move() && leg.depart == report.tick {
                let to = self.place(self.agents[index].0, leg.to);
                self.agents[index].1.moves.push(TracedMove::new(leg.depart, leg.arrive, to));
            }
        }
        self.arrived += report.arrived.len();
        self.moves += report.moves;
        self.operations += report.operations;
        self.inheritances += report.inheritances;
        self.stopped += report.stopped.len();
        report.arrived
    }

    fn until_rest(&mut self, most: u32) {
        while !self.crowd.is_at_rest() {
            assert!(self.crowd.now() < most, "not at rest by {most}");
            self.tick(Budget::unlimited());
        }
    }

    fn check(&self) {
        let agents = self.agents.iter().map(|(_, agent)| agent.clone()).collect();
        let ticks_per_step = self.crowd.ticks_per_step();
        let trace = Trace { ticks_per_step, until: Some(self.crowd.now()), trajectories: Vec::new(), agents };
        assert_eq!(BodyChecker::new().check(&trace), []);
    }
}

/// A cart of two by two cells goes straight through a crowd of units that stand by, and they come back.
#[test]
fn a_cart_pushes_points_aside() {
    let grid = Grid::open(12, 6).unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let bodies = [Body::square(1).unwrap(), Body::square(2).unwrap().speed(0.5).unwrap()];
    let mut run = Bodies::new(&grid, &bodies, Planner::Step);
    run.add(1, Agent::new(at(0, 2), at(10, 2))).unwrap();
    for (x, y) in [(3, 2), (3, 3), (4, 2), (5, 3), (7, 2), (7, 3), (8, 3)] {
        run.add(0, Agent::bystander(at(x, y))).unwrap();
    }
    run.until_rest(120);
    run.check();
    assert!(run.inheritances >= 6 && run.stopped == 0, "{}", run.inheritances);
    let ticks = run.crowd.now() / run.crowd.ticks_per_step();
    assert!((20..40).contains(&ticks), "{ticks}");
}

/// Diagonals take longer than straight moves, so that no knot can take a disc.
#[test]
fn who_fits_into_no_knot_takes_steps_in_the_turn_of_lacam() {
    let grid = Grid::open(6, 6).unwrap().with_connectivity(Connectivity::Eight);
    let at = |x, y| grid.node(x, y).unwrap();
    let mut run = Bodies::new(&grid, &[Body::disc(0.4).unwrap()], Planner::Lacam);
    for place in 0..6 {
        run.add(0, Agent::new(at(0, place), at(5, 5 - place))).unwrap();
    }
    run.until_rest(200);
    run.check();
    assert!(run.operations > 0 && run.stopped == 0);
}

/// A slow wagon in a corridor as wide as itself, with a bay: the quick unit in front of it makes way.
#[test]
fn a_slow_wagon_comes_through() {
    let grid = Grid::from_ascii("..........\n@@@@@.@@@@").unwrap();
    let at = |x, y| grid.node(x, y).unwrap();
    let bodies = [Body::square(1).unwrap(), Body::square(1).unwrap().speed(0.25).unwrap()];
    let mut run = Bodies::new(&grid, &bodies, Planner::Step);
    run.add(1, Agent::new(at(0, 0), at(9, 0))).unwrap();
    run.add(0, Agent::bystander(at(5, 0))).unwrap();
    run.until_rest(200);
    run.check();
    assert!(run.crowd.now() >= 36 && run.inheritances > 0, "{}", run.crowd.now());
}

/// Discs want through a gap, and slow carts before the gap want away from it. With little work only a few units have
/// their turn at a tick, and if those could push all others aside, units would undo each other's pushes for ever.
#[test]
fn with_little_work_slow_units_come_away_from_a_gap() {
    let grid = Grid::from_fn(21, 11, |x, y| x != 10 || y == 5).unwrap().with_connectivity(Connectivity::Eight);
    let bodies = [Body::disc(0.45).unwrap(), Body::square(2).unwrap().speed(0.5).unwrap()];
    for (chain, work) in [(Chain::new(Planner::Step), 5000), (Chain::default(), 2000)] {
        let mut run = Bodies::new(&grid, &bodies, chain);
        let at = |(x, y)| grid.node(x, y).unwrap();
        for (start, goal) in [((8, 5), (0, 0)), ((7, 7), (0, 8)), ((8, 2), (1, 4))] {
            run.add(1, Agent::new(at(start), at(goal))).unwrap();
        }
        let mut random = Pcg64Mcg::new(5);
        let mut starts: Vec<_> = (0..10).flat_map(|x| (0..11).map(move |y| (x, y))).collect();
        starts.shuffle(&mut random);
        let mut goals = starts.clone();
        goals.shuffle(&mut random);
        for (start, (x, y)) in starts.into_iter().zip(goals) {
            if run.agents.len() < 43 {
                run.add(0, Agent::new(at(start), at((x + 11, y))));
            }
        }
        assert_eq!(run.agents.len(), 43);
        while !run.crowd.is_at_rest() {
            assert!(run.crowd.now() < 300 * run.crowd.ticks_per_step(), "not at rest with {work}");
            run.tick(Budget::work(work));
        }
        run.check();
        assert_eq!(run.stopped, 0);
    }
}

#[test]
fn bodies_of_unlike_sizes_and_speeds_never_overlap() {
    let (mut arrived, mut inheritances, mut moves, mut operations) = (0, 0, 0, 0);
    for seed in 0..8 {
        let mut random = Pcg64Mcg::new(0xF10D_0000_0000_0000_0000_0000_CAFE_0001 ^ seed << 9);
        let walls = random.random_range(0..20);
        let cells: Vec<bool> = (0..14 * 14).map(|_| random.random_ratio(walls, 200)).collect();
        let grid = Grid::from_fn(14, 14, |x, y| !cells[(y * 14 + x) as usize]).unwrap();
        let grid = if seed % 2 == 0 { grid.with_connectivity(Connectivity::Eight) } else { grid };
        let bodies = [
            Body::disc(0.45).unwrap(),
            Body::square(2).unwrap().speed(0.5).unwrap(),
            Body::disc(0.9).unwrap().speed(if seed % 3 == 0 { 0.25 } else { 1.0 }).unwrap(),
        ];
        let chain = match seed % 4 {
            2 => Chain::default().with_steps(),
            3 => Chain::new(Planner::Windowed).fallback(Planner::Step, 3),
            _ => Chain::new(Planner::Step),
        };
        let mut run = Bodies::new(&grid, &bodies, chain);
        let any = |random: &mut Pcg64Mcg| NodeId(random.random_range(0..14 * 14));
        for _ in 0..24 {
            let (start, class) = (any(&mut random), random.random_range(0..3));
            run.add(class, Agent::bystander(start));
        }
        let agents: Vec<AgentId> = run.crowd.agents().collect();
        let mut send =
            |run: &mut Bodies, agent| (0..4).any(|_| run.crowd.send(agent, Goals::one(any(&mut random))).is_ok());
        for agent in &agents {
            send(&mut run, *agent);
        }
        let ticks = 60 * run.crowd.ticks_per_step();
        for tick in 0..ticks {
            let budget = if seed % 3 == 1 { Budget::work(u64::from(tick) * 37 % 600) } else { Budget::work(4000) };
            for agent in run.tick(budget) {
                send(&mut run, agent);
            }
        }
        run.check();
        (arrived, inheritances) = (arrived + run.arrived, inheritances + run.inheritances);
        (moves, operations) = (moves + run.moves, operations + run.operations);
    }
    println!("{arrived} arrived, {moves} moves, {operations} operations, {inheritances} inheritances");
    assert!(arrived > 80 && moves > 1000 && operations > 50_000 && inheritances > 500);
}
