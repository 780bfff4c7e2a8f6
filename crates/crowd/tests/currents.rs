//! Currents: units that cannot pass each other on a bridge go over it in one direction, and back over another one.

use giveway_bodies::{Body, CommonTicks, Ground};
use giveway_check::BodyChecker;
use giveway_core::{Agent, AgentId, Area, NodeId, Trace, TracedAgent, TracedMove, TracedPlace};
use giveway_crowd::{Budget, Class, ClassId, Crowd, CrowdSettings, Current, Save};
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
        let mut life = Self { crowd, banks, random, work: 20_000, arrived: 0, moves: Vec::new() };
        while life.moves.len() < units {
            let bank = life.moves.len() % 2;
            let start = *life.banks[bank].choose(&mut life.random).unwrap();
            if life.crowd.add(CARTS, Agent::bystander(start)).is_ok() {
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
        self.arrived += self.crowd.tick(Budget::work(self.work)).arrived.len();
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
}

fn place(crowd: &Crowd<'_>, node: NodeId) -> TracedPlace {
    TracedPlace::new(node.0, crowd.position(CARTS, node).unwrap())
}

/// Whether `current` leads straight over a bridge with its middle in row `middle`, and is no wider than the bridge.
fn is_over(current: &Current, middle: f32) -> bool {
    let [x, y, _] = current.at;
    let over = (16.0..24.0).contains(&x) && (y - middle).abs() <= 1.0;
    over && current.direction[0].abs() > 0.9 && current.radius <= 4.0
}

/// Two bridges serve one direction each, and more orders are carried out than without currents.
#[test]
fn two_bridges_serve_one_direction_each() {
    let mut life = Life::new(&[3, 14], 20, CrowdSettings::new());
    let starts: Vec<TracedPlace> =
        life.crowd.agents().map(|agent| place(&life.crowd, life.crowd.node(agent).unwrap())).collect();
    let mut together = 0;
    for _ in 0..600 {
        life.tick();
        let now: Vec<Current> = life.crowd.currents().collect();
        assert!(now.iter().all(|current| is_over(current, 5.0) || is_over(current, 16.0)), "{now:?}");
        let on = |middle| now.iter().find(|current| is_over(current, middle));
        if let (Some(one), Some(other)) = (on(5.0), on(16.0)) {
            assert!(one.direction[0] * other.direction[0] < 0.0, "{now:?}");
            together += 1;
        }
    }
    assert!(together > 300, "{together}");
    let mut without = Life::new(&[3, 14], 20, CrowdSettings::new().currents(false));
    assert_eq!(without.live(600), []);
    assert!(life.arrived >= without.arrived * 3 / 2, "{} and {}", life.arrived, without.arrived);

    let agents = starts.into_iter().zip(life.moves).map(|(start, moves)| TracedAgent {
        body: life.crowd.body(CARTS).cloned(),
        ..TracedAgent::new(start, vec![], moves)
    });
    let trace = Trace { until: Some(life.crowd.now()), ..Trace::new(life.crowd.ticks_per_step(), agents.collect()) };
    assert_eq!(BodyChecker::new().check(&trace), []);
}

/// Over a single bridge, all have to go in both directions.
#[test]
fn a_single_bridge_has_no_current() {
    let mut life = Life::new(&[8], 12, CrowdSettings::new());
    assert_eq!(life.live(300), []);
}

/// In the open, units pass each other.
#[test]
fn open_ground_has_no_current() {
    let mut life = Life::new(&[1, 6, 11, 16], 30, CrowdSettings::new());
    assert_eq!(life.live(300), []);
}

/// Once one of two bridges is gone, its current and the other one end when they would have been tried anew.
#[test]
fn a_current_without_another_way_ends() {
    let mut life = Life::new(&[3, 14], 20, CrowdSettings::new());
    while life.crowd.currents().count() < 2 {
        life.tick();
    }
    life.crowd.vacate(&Area::cells(RIVER[0], 14, RIVER[1] - RIVER[0], 5).unwrap()).unwrap();
    life.live(600);
    assert_eq!(life.crowd.currents().count(), 0);
}

/// Clones and saves of a crowd with currents go on as it does, also while it is being found out whether one may begin.
#[test]
fn clones_and_saves_have_the_currents() {
    let mut life = Life::new(&[3, 14], 20, CrowdSettings::new());
    life.work = 9000;
    let mut known = 0;
    for _ in 0..20 {
        life.live(20);
        known += life.crowd.currents().count();
        let mut copies = [life.clone(), Life::new(&[3, 14], 0, CrowdSettings::new())];
        let bytes = life.crowd.save().unwrap().to_bytes();
        copies[1].crowd.load(&Save::from_bytes(&bytes).unwrap()).unwrap();
        let mut original = life.clone();
        for _ in 0..12 {
            original.crowd.tick(Budget::work(life.work));
            for copy in &mut copies {
                copy.crowd.tick(Budget::work(life.work));
                assert_eq!(copy.crowd.state_hash(), original.crowd.state_hash());
            }
        }
    }
    assert!(known >= 10, "{known}");
}
