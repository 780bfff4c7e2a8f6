//! Crowds that are given orders between ticks, at random: worlds, settings and orders are those of a seed.

use giveway::heuristic::{Manhattan, TrueDistances, Zero};
use giveway::scenario::MapKind;
use giveway::spaces::{Connectivity, Grid};
use giveway::{Agent, AgentId, Goals, NodeId, Point, ReservationStore};
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

use crate::api::{self, Class, ClassId, Crowd, Lra, Routing, Settings};
use crate::digest::{self, Answer};
use crate::hashes::{Cases, Hash};
use crate::worlds::{generated, nodes, random};

/// How much work a tick may be.
#[derive(Clone, Copy)]
enum Work {
    Unlimited,
    AtMost(u64),
    /// Now this, now that: from nothing to enough.
    Changing,
}

/// What one crowd lives through.
struct Life {
    kind: MapKind,
    sides: [u32; 2],
    eight: bool,
    /// 0: the swap rule, 1: both cells, else so many ticks for a unit of length.
    ticks: u32,
    settings: Settings,
    work: Work,
    /// How many bytes the distances of a class may take.
    bytes: Option<usize>,
    agents: usize,
    length: u32,
    /// How often, of 1000 ticks, each kind of order is given.
    unrest: u32,
}

impl Life {
    fn new(kind: MapKind, side: u32, agents: usize) -> Self {
        Self {
            kind,
            sides: [side, side],
            eight: false,
            ticks: 0,
            settings: api::plain(),
            work: Work::Unlimited,
            bytes: None,
            agents,
            length: 100,
            unrest: 60,
        }
    }
}

pub(crate) fn run(cases: &mut Cases) {
    use MapKind::{Caves, Maze, Open, Random, Room, Warehouse};
    let life = Life::new;
    let lives = [
        ("open", life(Open, 10, 30)),
        ("random", life(Random, 14, 30)),
        ("room", life(Room, 18, 24)),
        ("maze", life(Maze, 15, 12)),
        ("warehouse", Life { sides: [26, 13], ..life(Warehouse, 0, 30) }),
        ("caves", life(Caves, 18, 24)),
        ("open-both-cells", Life { ticks: 1, ..life(Open, 10, 30) }),
        ("maze-both-cells", Life { ticks: 1, ..life(Maze, 15, 12) }),
        ("room-timed", Life { ticks: 3, ..life(Room, 14, 14) }),
        ("open-eight", Life { eight: true, ..life(Open, 10, 30) }),
        ("caves-eight-both-cells", Life { eight: true, ticks: 1, ..life(Caves, 18, 24) }),
        ("random-eight-timed", Life { eight: true, ticks: 2, ..life(Random, 12, 14) }),
        ("random-budget-50", Life { work: Work::AtMost(50), ..life(Random, 14, 20) }),
        ("room-budget-300", Life { work: Work::AtMost(300), ..life(Room, 18, 24) }),
        ("maze-budget-50", Life { work: Work::AtMost(50), ..life(Maze, 15, 12) }),
        ("caves-budget-changing", Life { work: Work::Changing, ..life(Caves, 18, 24) }),
        ("random-memory-20k", Life { bytes: Some(20_000), ..life(Random, 20, 30) }),
        ("room-memory-5k", Life { bytes: Some(5000), ..life(Room, 18, 20) }),
        ("caves-memory-8k-budget-300", Life { bytes: Some(8000), work: Work::AtMost(300), ..life(Caves, 18, 20) }),
        ("maze-memory-1", Life { bytes: Some(1), work: Work::Changing, ..life(Maze, 15, 10) }),
        ("open-quiet", Life { unrest: 5, length: 200, ..life(Open, 8, 40) }),
        ("maze-quiet", Life { unrest: 5, length: 250, ..life(Maze, 11, 16) }),
        ("room-restless", Life { unrest: 300, ..life(Room, 14, 20) }),
    ];
    for (seed, (name, life)) in (0..).zip(lives) {
        cases.run(format!("crowd/{name}"), |hash| live(hash, &life, seed, api::crowd(life.settings.clone())));
    }
    for (seed, (name, settings)) in (100..).zip(api::settings()) {
        let kind = [Maze, Random, Room, Caves][(seed % 4) as usize];
        let life =
            Life { ticks: (seed % 3 / 2) as u32, eight: seed % 5 == 0, settings, length: 60, ..life(kind, 13, 22) };
        cases.run(format!("crowd/settings/{name}"), |hash| live(hash, &life, seed, api::crowd(life.settings.clone())));
    }
    cases.run("crowd/on-intervals", |hash| {
        let life = Life { work: Work::AtMost(300), ..life(Room, 16, 24) };
        live(hash, &life, 200, api::crowd_on_intervals(life.settings.clone()));
    });
}

/// Lives through `life`, and hashes all of it.
fn live<R: ReservationStore>(hash: &mut Hash, life: &Life, seed: u64, mut crowd: Crowd<'static, R>) {
    let grid = generated(life.kind, life.sides, 1, seed).grid;
    let grid = if life.eight { grid.with_connectivity(Connectivity::Eight) } else { grid };
    let classes = enlist(&mut crowd, &grid, life);
    let nodes = nodes(&grid);
    let mut run = Run { hash, grid, classes, nodes, random: random(seed) };
    for _ in 0..life.agents {
        run.add(&mut crowd);
    }
    for _ in 0..life.length {
        run.disturb(&mut crowd, life.unrest);
        let work = match life.work {
            Work::Unlimited => None,
            Work::AtMost(expansions) => Some(expansions),
            Work::Changing => Some([0, 10, 100, 100, 3000][run.random.random_range(0..5)]),
        };
        let report = crowd.tick(api::budget(work));
        digest::tick(run.hash, &crowd, &report);
    }
}

/// Four classes: as the settings say, by repairs, guided by searches that are aimed, and by routes over sectors.
fn enlist<R: ReservationStore>(crowd: &mut Crowd<'static, R>, grid: &Grid, life: &Life) -> Vec<ClassId> {
    let point = || match life.ticks {
        0 => Point::swap_rule(grid),
        1 => Point::both_cells(grid),
        ticks => Point::timed(grid, ticks),
    };
    let bytes = life.bytes.unwrap_or(1 << 30);
    let class = || Class::new(grid.clone(), point()).embedded().editable();
    let class = || class().heuristics(TrueDistances::<Grid, Zero>::tables().keep_at_most(bytes));
    let repairs = api::chain(api::repair(Lra::new(11).radius(2000)), &[(api::WINDOWED, 5)]);
    let aimed = TrueDistances::aimed(Manhattan { step: 600 }).keep_at_most(bytes);
    let by_sectors = api::repair(Lra::new(12).routing(api::sectors(4, 60)));
    let one_by_one = api::repair(Lra::new(13).routing(Routing::Greedy));
    [
        crowd.class(class()),
        crowd.class(class().chain(repairs)),
        crowd.class(class().heuristics(aimed)),
        crowd.class(class().chain(api::chain(by_sectors, &[(api::PUSH, 6), (one_by_one, 4), (api::JOINT, 4)]))),
    ]
    .map(|class| class.expect("they share their cells"))
    .into()
}

struct Run<'h> {
    hash: &'h mut Hash,
    grid: Grid,
    classes: Vec<ClassId>,
    nodes: Vec<NodeId>,
    random: Pcg64Mcg,
}

impl Run<'_> {
    fn any_node(&mut self) -> NodeId {
        *self.nodes.choose(&mut self.random).expect("there are some")
    }

    /// Walls included.
    fn any_cell(&mut self) -> NodeId {
        NodeId(self.random.random_range(0..self.grid.width() * self.grid.height()))
    }

    fn any_class(&mut self) -> ClassId {
        // Half of all are plain.
        let index = self.random.random_range(0..2 * self.classes.len() - 2);
        self.classes.get(index).copied().unwrap_or(self.classes[0])
    }

    fn any_agent<R: ReservationStore>(&mut self, crowd: &Crowd<'_, R>) -> AgentId {
        let agents: Vec<AgentId> = crowd.agents().collect();
        agents.choose(&mut self.random).copied().unwrap_or(AgentId(0))
    }

    fn any_newcomer(&mut self) -> Agent {
        let (start, goal) = (self.any_node(), self.any_node());
        let agent = if self.random.random_ratio(1, 5) { Agent::bystander(start) } else { Agent::new(start, goal) };
        agent.priority(self.random.random_range(-1..3))
    }

    fn add<R: ReservationStore>(&mut self, crowd: &mut Crowd<'_, R>) {
        let (class, agent) = (self.any_class(), self.any_newcomer());
        crowd.add(class, agent).hash(self.hash);
    }

    /// Sends those who are there elsewhere, and gives other orders now and then.
    fn disturb<R: ReservationStore>(&mut self, crowd: &mut Crowd<'_, R>, unrest: u32) {
        let agents: Vec<AgentId> = crowd.agents().collect();
        for agent in agents {
            if crowd.is_home(agent) == Some(true) && self.random.random_ratio(1, 6) {
                let node = self.any_node();
                crowd.send(agent, node).hash(self.hash);
            }
        }
        for order in 0..ORDERS {
            if self.random.random_ratio(unrest, 1000) {
                self.tell(crowd, order);
            }
        }
    }

    fn tell<R: ReservationStore>(&mut self, crowd: &mut Crowd<'_, R>, order: u32) {
        let (agent, other) = (self.any_agent(crowd), self.any_agent(crowd));
        let (node, cell, class) = (self.any_node(), self.any_cell(), self.any_class());
        let hash = &mut *self.hash;
        match order {
            0 => self.add(crowd),
            1 => crowd.remove(agent).hash(hash),
            2 => crowd.send(agent, node).hash(hash),
            3 => crowd.send(agent, Goals::from_iter([node, cell, NodeId(node.0 / 2)])).hash(hash),
            4 => crowd.stop(agent).hash(hash),
            5 => crowd.place(agent, node).hash(hash),
            6 => crowd.send_near(agent, cell).hash(hash),
            7 => crowd.place_near(agent, cell).hash(hash),
            8 => {
                let newcomer = self.any_newcomer();
                let newcomer = Agent { start: cell, ..newcomer };
                crowd.add_near(class, newcomer).hash(self.hash);
            }
            9 => crowd.change_class(agent, class).hash(hash),
            10 => {
                let chains = api::chains();
                let (_, chain) = chains.choose(&mut self.random).expect("there are some");
                crowd.set_chain(agent, chain.clone()).hash(self.hash);
            }
            // To where somebody is.
            11 => {
                let there = crowd.node(other).unwrap_or(node);
                crowd.send(agent, there).hash(hash);
            }
            // Everybody there.
            12 => {
                for _ in 0..4 {
                    let agent = self.any_agent(crowd);
                    crowd.send_near(agent, cell).hash(self.hash);
                }
            }
            // A wall, or a gap, for everybody or for one class only.
            13 | 14 => {
                let (open, all) = (self.random.random_ratio(1, 2), self.random.random_ratio(3, 4));
                let classes = if all { self.classes.clone() } else { vec![class] };
                for class in classes {
                    crowd.set_open(class, if open { cell } else { node }, open).hash(self.hash);
                }
            }
            15 => digest::explanation(hash, &crowd.explain(agent)),
            16 => {
                let distance = crowd.distance(agent, api::budget(Some(40)));
                hash.number(distance.map_or(u64::MAX, f64::to_bits));
            }
            // Nonsense.
            _ => {
                crowd.send(AgentId(1_000_000), node).hash(hash);
                crowd.place(agent, NodeId(1_000_000)).hash(hash);
                crowd.change_class(agent, ClassId(77)).hash(hash);
                crowd.send(agent, Goals::from_iter([])).hash(hash);
                crowd.add(class, Agent::bystander(crowd.node(agent).unwrap_or(node))).hash(hash);
            }
        }
    }
}

const ORDERS: u32 = 18;
