//! Lives: crowds that get orders and edits at random.

use giveway_core::{Agent, AgentId, Goals, NodeId, Surface, Tick};
use giveway_crowd::{Budget, ClassId, Crowd, Follow, Formation, Leg, March, Margin, Planner, Report, Round, Stages};
use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_pcg::Pcg64Mcg;

use super::worlds::{World, nodes};

/// A crowd, and orders that are drawn for it.
#[derive(Clone)]
pub(super) struct Life<'w> {
    world: &'w World,
    pub(super) crowd: Crowd<'static>,
    nodes: Vec<Vec<NodeId>>,
    pub(super) random: Pcg64Mcg,
    /// Of 10 ticks, how many have a small budget.
    short: u32,
}

/// What happened in a tick, the last legs of all agents, the reverse expansions, and the hash of the state.
type Event = (Report, Vec<Leg>, u64, u64);

/// A priority for `agent`.
fn some_priority(agent: AgentId) -> i32 {
    i32::try_from(agent.0 % 5).unwrap_or(0) - 2
}

impl<'w> Life<'w> {
    pub(super) fn new(world: &'w World, seed: u64) -> Self {
        let random = Pcg64Mcg::new(u128::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835) | 1);
        let crowd = (world.build)();
        let nodes = nodes(&crowd);
        let mut life = Self { world, crowd, nodes, random, short: 0 };
        life.short = [0, 3, 10][life.random.random_range(0..3)];
        for unit in 0..world.units {
            life.add(ClassId(unit % u32::try_from(life.nodes.len()).unwrap()));
        }
        life
    }

    /// A life like this one from now on, of `crowd`.
    pub(super) fn with(&self, crowd: Crowd<'static>) -> Self {
        Self { crowd, nodes: self.nodes.clone(), random: self.random.clone(), ..*self }
    }

    fn any(&mut self, class: ClassId) -> NodeId {
        *self.nodes[class.0 as usize].choose(&mut self.random).unwrap()
    }

    /// Some places are taken, or closed.
    fn add(&mut self, class: ClassId) {
        let (start, goal) = (self.any(class), self.any(class));
        let priority = self.random.random_range(-1..2);
        let stands_by = self.random.random_ratio(1, 5);
        let agent = if stands_by { Agent::bystander(start) } else { Agent::new(start, goal) };
        let _ = self.crowd.add(class, Agent { priority, ..agent });
    }

    /// Some orders and edits at random; many are refused.
    pub(super) fn disturb(&mut self) {
        let agents: Vec<AgentId> = self.crowd.agents().collect();
        if agents.len() < self.world.units as usize {
            let class = self.random.random_range(0..u32::try_from(self.nodes.len()).unwrap());
            self.add(ClassId(class));
        }
        for agent in agents {
            let class = self.crowd.class_of(agent).unwrap();
            let is_home = self.crowd.is_home(agent) == Some(true);
            let node = self.any(class);
            match self.random.random_range(0..1000) {
                0..4 => {
                    self.crowd.remove(agent).unwrap();
                    self.add(class);
                }
                4..8 => drop(self.crowd.place(agent, node)),
                8..12 => drop(self.crowd.stop(agent)),
                12..16 => drop(self.crowd.send_near(agent, node)),
                16..20 => drop(self.crowd.send_shared(agent, Goals::one(node))),
                20..24 => {
                    let goals: Goals = (0..3).map(|_| self.any(class)).collect();
                    let _ = self.crowd.send(agent, goals);
                }
                24..26 => drop(self.crowd.set_chain(agent, Planner::Pibt)),
                26..28 => drop(self.crowd.set_depth(agent, giveway_crowd::Depth::Fixed(5))),
                28..30 => {
                    let other = ClassId((class.0 + 1) % u32::try_from(self.nodes.len()).unwrap());
                    let _ = self.crowd.change_class(agent, other);
                }
                30..33 => drop(self.crowd.explain(agent)),
                33..39 => {
                    // As it has planned, and later.
                    let late = self.random.random_range(0..4);
                    let moves = self.crowd.plan(agent).iter().filter(|leg| leg.is_move());
                    let stops: Vec<(Tick, NodeId)> = moves.map(|leg| (leg.depart + late, leg.to)).collect();
                    let _ = self.crowd.send_along(agent, &stops);
                }
                46..48 => {
                    let moves = self.crowd.plan(agent).iter().filter(|leg| leg.is_move());
                    let stops: Vec<(Tick, NodeId)> = moves.map(|leg| (leg.depart, leg.to)).collect();
                    let margin = Margin::new(agent.0 % 3).growing(4).at_most(3);
                    let _ = self.crowd.predict(agent, &stops, margin);
                }
                // Along what was planned once, or elsewhere.
                50..250 if self.crowd.is_outsider(agent) == Some(true) => {
                    let here = self.crowd.node(agent).map_or(0, |node| node.0);
                    let there = here.saturating_add_signed([1, -1][self.random.random_range(0..2)]);
                    let _ = self.crowd.walk(agent, NodeId(there));
                }
                250..330 if self.crowd.is_outsider(agent) == Some(true) => drop(self.crowd.stop(agent)),
                39..41 => drop(self.crowd.set_priority(agent, some_priority(agent))),
                41..44 => self.give_standing_order(agent, node),
                44..46 => drop(self.crowd.hold(agent, 1 + agent.0 % 9)),
                46.. if is_home && self.random.random_ratio(1, 6) => drop(self.crowd.send(agent, Goals::one(node))),
                _ => {}
            }
        }
        let Some(area) = self.world.areas.choose(&mut self.random) else { return };
        let node = self.any(ClassId(0));
        match self.random.random_range(0..60) {
            0 => drop(self.crowd.close(area)),
            1 => drop(self.crowd.vacate(area)),
            2..4 => drop(self.crowd.open(area)),
            4 => drop(self.crowd.set_open(ClassId(0), node, false)),
            5 => drop(self.crowd.set_open(ClassId(0), node, true)),
            6 => drop(self.crowd.resurface(area, Surface::new(3, 1.0).unwrap())),
            7 => drop(self.crowd.resurface(area, Surface::PLAIN)),
            _ => {}
        }
    }

    /// An order that goes on.
    fn give_standing_order(&mut self, agent: AgentId, node: NodeId) {
        let agents: Vec<AgentId> = self.crowd.agents().collect();
        let other = *agents.choose(&mut self.random).unwrap();
        let class = self.crowd.class_of(agent).unwrap();
        let stages: Stages = [node, self.any(class)].into();
        let steps = f64::from(self.random.random_range(0..4));
        let _ = match self.random.random_range(0..8) {
            0..2 => self.crowd.follow(agent, other, Follow::new().within(steps)),
            2 => self.crowd.follow(agent, other, Follow::new().trailing().once()),
            3 => self.crowd.aim(agent, node),
            4 => self.crowd.queue(agent, if steps > 1.0 { stages.waiting() } else { stages }),
            5 => self.crowd.patrol(agent, stages, if steps > 1.0 { Round::Around } else { Round::ToAndFro }),
            6 => self.crowd.send_within(agent, node, steps).map(drop),
            _ => {
                let at = self.crowd.position(class, node).unwrap_or_default();
                let block = Formation::block(2, 1.5).at(at, [1.0, 1.0]);
                let few = agents.len().min(5);
                self.crowd.send_group(&agents[..few], block, March::together(3.0)).map(drop)
            }
        };
    }

    /// Lives through `ticks` ticks.
    pub(super) fn live(&mut self, ticks: Tick) -> Vec<Event> {
        let mut events = Vec::new();
        for _ in 0..ticks {
            self.disturb();
            let is_short = self.random.random_range(0..10) < self.short;
            let report = self.crowd.tick(if is_short { Budget::work(self.world.work) } else { Budget::work(200_000) });
            let legs = self.crowd.agents().filter_map(|agent| self.crowd.last_leg(agent)).collect();
            let hash = self.crowd.state_hash();
            events.push((report, legs, self.crowd.reverse_expanded(), hash));
        }
        events
    }
}

pub(super) fn assert_equal(name: &str, [one, other]: [&[Event]; 2]) {
    assert_eq!(one.len(), other.len(), "{name}");
    for (one, other) in one.iter().zip(other) {
        assert_eq!(one, other, "{name}, tick {}", one.0.tick);
    }
    let moves: usize = one.iter().map(|(report, ..)| report.moves).sum();
    assert!(moves > 3, "{name}: only {moves} moves");
}
