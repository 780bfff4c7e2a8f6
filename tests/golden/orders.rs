//! Orders that a crowd is given between ticks, at random, and what each of them and each tick came to.

use giveway::strategies::{Budget, ClassId, Crowd};
use giveway::{Agent, AgentId, Goals, NodeId};
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

use crate::golden::settings::chains;
use crate::golden::table::Row;

/// How much work a tick may be.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    Unlimited,
    AtMost(u64),
    /// Now this, now that: from nothing to enough.
    Changing,
}

/// How many kinds of orders there are.
const KINDS: u32 = 18;

/// A class, and where its units may be.
pub(crate) struct Enlisted {
    pub(crate) class: ClassId,
    pub(crate) nodes: Vec<NodeId>,
}

/// The calls to a crowd between ticks; the seed of the random numbers decides all of them.
pub(crate) struct Orders<'h> {
    row: &'h mut Row,
    classes: Vec<Enlisted>,
    random: Pcg64Mcg,
}

impl<'h> Orders<'h> {
    pub(crate) fn new(row: &'h mut Row, classes: Vec<Enlisted>, random: Pcg64Mcg) -> Self {
        Self { row, classes, random }
    }

    /// Lets one tick go by, after some orders: each kind of them in `unrest` of 1000 ticks.
    pub(crate) fn pass(&mut self, crowd: &mut Crowd<'_>, unrest: u32, work: Work) {
        self.disturb(crowd, unrest);
        let work = match work {
            Work::Unlimited => Budget::unlimited(),
            Work::AtMost(units) => Budget::work(units),
            Work::Changing => Budget::work([0, 10, 100, 100, 3000][self.random.random_range(0..5)]),
        };
        let report = crowd.tick(work);
        self.row.tick(crowd, &report);
    }

    /// A place of `class`.
    fn any_node(&mut self, class: ClassId) -> NodeId {
        let nodes = self.classes.iter().find(|enlisted| enlisted.class == class).map_or(&[][..], |found| &found.nodes);
        nodes.choose(&mut self.random).copied().unwrap_or(NodeId(0))
    }

    /// Between the places of `class`, or one of them: walls included.
    fn any_cell(&mut self, class: ClassId) -> NodeId {
        let most = self.any_node(class).0.max(self.any_node(class).0);
        NodeId(self.random.random_range(0..=most))
    }

    fn any_class(&mut self) -> ClassId {
        // Most agents are of the first class.
        let index = self.random.random_range(0..self.classes.len() + 2);
        self.classes.get(index).unwrap_or(&self.classes[0]).class
    }

    fn any_agent(&mut self, crowd: &Crowd<'_>) -> AgentId {
        let agents: Vec<AgentId> = crowd.agents().collect();
        agents.choose(&mut self.random).copied().unwrap_or(AgentId(0))
    }

    fn any_newcomer(&mut self, class: ClassId) -> Agent {
        let (start, goal) = (self.any_node(class), self.any_node(class));
        let agent = if self.random.random_ratio(1, 5) { Agent::bystander(start) } else { Agent::new(start, goal) };
        agent.priority(self.random.random_range(-1..3))
    }

    /// Adds an agent, if there is room where it begins.
    pub(crate) fn add(&mut self, crowd: &mut Crowd<'_>) {
        let class = self.any_class();
        let agent = self.any_newcomer(class);
        self.row.answer(&crowd.add(class, agent));
    }

    /// Sends agents that are home elsewhere, and gives other orders now and then.
    fn disturb(&mut self, crowd: &mut Crowd<'_>, unrest: u32) {
        let agents: Vec<AgentId> = crowd.agents().collect();
        for agent in agents {
            if crowd.is_home(agent) == Some(true) && self.random.random_ratio(1, 6) {
                let node = self.any_node(crowd.class_of(agent).unwrap_or(ClassId(0)));
                self.row.answer(&crowd.send(agent, node));
            }
        }
        for order in 0..KINDS {
            if self.random.random_ratio(unrest, 1000) {
                self.tell(crowd, order);
            }
        }
    }

    fn tell(&mut self, crowd: &mut Crowd<'_>, order: u32) {
        let (agent, other) = (self.any_agent(crowd), self.any_agent(crowd));
        let class = self.any_class();
        let own = crowd.class_of(agent).unwrap_or(class);
        let (node, cell) = (self.any_node(own), self.any_cell(own));
        let row = &mut *self.row;
        match order {
            0 => self.add(crowd),
            1 => row.answer(&crowd.remove(agent)),
            2 => row.answer(&crowd.send(agent, node)),
            3 => row.answer(&crowd.send(agent, Goals::from_iter([node, cell, NodeId(node.0 / 2)]))),
            4 => row.answer(&crowd.stop(agent)),
            5 => row.answer(&crowd.place(agent, node)),
            6 => row.answer(&crowd.send_near(agent, cell)),
            7 => row.answer(&crowd.place_near(agent, cell)),
            8 => {
                let newcomer = Agent { start: cell, ..self.any_newcomer(class) };
                self.row.answer(&crowd.add_near(class, newcomer));
            }
            9 => row.answer(&crowd.change_class(agent, class)),
            10 => {
                let chains = chains();
                let (_, chain) = chains.choose(&mut self.random).expect("there are some");
                self.row.answer(&crowd.set_chain(agent, chain.clone()));
            }
            // To where another agent is.
            11 => {
                let there = crowd.node(other).unwrap_or(node);
                row.answer(&crowd.send(agent, there));
            }
            // Everybody there.
            12 => {
                for _ in 0..4 {
                    let agent = self.any_agent(crowd);
                    self.row.answer(&crowd.send_near(agent, cell));
                }
            }
            // A wall, or a gap, for all classes or for one class only.
            13 | 14 => {
                let (open, all) = (self.random.random_ratio(1, 2), self.random.random_ratio(3, 4));
                let node = if open { cell } else { node };
                for class in self.classes.iter().map(|enlisted| enlisted.class).filter(|other| all || *other == class) {
                    self.row.answer(&crowd.set_open(class, node, open));
                }
            }
            15 => row.explanation(&crowd.explain(agent)),
            16 => row.distance(crowd.distance(agent, Budget::work(40))),
            // Nonsense.
            _ => {
                row.answer(&crowd.send(AgentId(1_000_000), node));
                row.answer(&crowd.place(agent, NodeId(1_000_000)));
                row.answer(&crowd.change_class(agent, ClassId(77)));
                row.answer(&crowd.send(agent, Goals::from_iter([])));
                row.answer(&crowd.add(class, Agent::bystander(crowd.node(agent).unwrap_or(node))));
            }
        }
    }
}
