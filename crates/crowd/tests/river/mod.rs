//! Carts that go to and fro over a river with bridges that two of them cannot pass each other on.

mod currents;
mod rows;

use giveway_bodies::{Body, CommonTicks, Ground};
use giveway_check::BodyChecker;
use giveway_core::{Agent, AgentId, NodeId, Trace, TracedAgent, TracedMove, TracedPlace};
use giveway_crowd::{Budget, Class, ClassId, Crowd, CrowdSettings, Current};
use giveway_spaces::Grid;
use rand::seq::IndexedRandom as _;
use rand_pcg::Pcg64Mcg;

const CARTS: ClassId = ClassId(0);

/// Two banks, with a river between them from `RIVER[0]` to `RIVER[1]`, and bridges that are five cells wide.
const RIVER: [u32; 2] = [18, 22];
const WIDTH: u32 = 40;
const HEIGHT: u32 = 22;

/// Carts of 3 x 3 cells, which go to and fro over the river.
#[derive(Clone)]
struct Life {
    crowd: Crowd<'static>,
    banks: [Vec<NodeId>; 2],
    random: Pcg64Mcg,
    work: u64,
    arrived: usize,
    starts: Vec<TracedPlace>,
    moves: Vec<Vec<TracedMove>>,
}

impl Life {
    /// `bridges`: the first row of each.
    fn new(bridges: &[u32], units: usize, settings: CrowdSettings) -> Self {
        let grid = Grid::from_fn(WIDTH, HEIGHT, |x, y| {
            !(RIVER[0]..RIVER[1]).contains(&x) || bridges.iter().any(|first| (*first..first + 5).contains(&y))
        });
        let (grid, cart) = (grid.unwrap(), Body::square(3).unwrap());
        let ticks = CommonTicks::new().of([&cart], &grid).fewest().unwrap();
        let mut crowd = Crowd::new(settings);
        crowd.add_class(Class::for_body(&cart, &grid, Ground::from_grid(&grid), ticks).unwrap().editable()).unwrap();
        let at = |node: &NodeId| crowd.position(CARTS, *node).unwrap()[0];
        let nodes = || (0..WIDTH * HEIGHT).map(NodeId).filter(|node| crowd.has_node(CARTS, *node));
        let banks =
            [nodes().filter(|node| at(node) < 15.0).collect(), nodes().filter(|node| at(node) > 24.0).collect()];
        let random = Pcg64Mcg::new(0xBEAD_0000_0000_0000_0000_0000_CAFE_0001);
        let mut life = Self { crowd, banks, random, work: 40_000, arrived: 0, starts: vec![], moves: vec![] };
        while life.moves.len() < units {
            let bank = life.moves.len() % 2;
            let start = *life.banks[bank].choose(&mut life.random).unwrap();
            if life.crowd.add(CARTS, Agent::bystander(start)).is_ok() {
                life.starts.push(place(&life.crowd, start));
                life.moves.push(Vec::new());
            }
        }
        life
    }

    /// Lets a tick go by. Whoever has arrived is sent over the river.
    fn tick(&mut self) {
        for agent in self.crowd.agents().collect::<Vec<AgentId>>() {
            if self.crowd.is_home(agent) == Some(true) {
                let node = self.crowd.node(agent).unwrap();
                let bank = usize::from(self.crowd.position(CARTS, node).unwrap()[0] < 20.0);
                let goal = *self.banks[bank].choose(&mut self.random).unwrap();
                let _ = self.crowd.send(agent, goal);
            }
        }
        let tick = self.crowd.now();
        let report = self.crowd.tick(Budget::work(self.work));
        self.arrived += report.arrived.len();
        for (agent, moves) in (0..).map(AgentId).zip(&mut self.moves) {
            let leg = self.crowd.last_leg(agent).unwrap();
            if leg.is_move() && leg.depart == tick {
                moves.push(TracedMove::new(leg.depart, leg.arrive, place(&self.crowd, leg.to)));
            }
        }
    }

    /// Lets so many ticks go by. Returns all currents that there were, each once.
    fn live(&mut self, ticks: u32) -> Vec<Current> {
        let mut all: Vec<Current> = Vec::new();
        for _ in 0..ticks {
            self.tick();
            let new: Vec<Current> = self.crowd.currents().filter(|current| !all.contains(current)).collect();
            all.extend(new);
        }
        all
    }

    /// Lets the checker see all that has happened.
    fn check(self) {
        let agents = self.starts.into_iter().zip(self.moves).map(|(start, moves)| TracedAgent {
            body: self.crowd.body(CARTS).cloned(),
            ..TracedAgent::new(start, vec![], moves)
        });
        let trace = Trace::new(self.crowd.ticks_per_step(), agents.collect());
        assert_eq!(BodyChecker::new().check(&Trace { until: Some(self.crowd.now()), ..trace }), []);
    }
}

fn place(crowd: &Crowd<'_>, node: NodeId) -> TracedPlace {
    TracedPlace::new(node.0, crowd.position(CARTS, node).unwrap())
}
