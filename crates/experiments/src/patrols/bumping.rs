//! Patrols by the paper's rules: agents plan alone, see agents close by, and bump.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use giveway_core::heuristic::{Octile, ToGoals};
use giveway_core::{
    AgentId, Claim, Cost, CostLayer, Embedding, Goals, MoveIn, NodeId, Point, SpaceGraph, Tick, Trace, TracedAgent,
    TracedMove, TracedOrder, TracedPlace,
};
use giveway_strategies::{Router, Terrain, Trip};
use num_traits::ToPrimitive;
use rand::Rng;
use rand_pcg::Pcg64Mcg;

use super::error::PatrolError;
use super::legs::{straight, towards};
use super::metrics::PatrolMetrics;
use super::rules::PatrolRules;

/// Agents that go back and forth between two places each, by the rules of the direction-map experiments.
///
/// * Agents act one after the other, in the given order, and see the actions of the agents before. An action takes 1.5
///   units of time, even if it is diagonal.
/// * An agent without a route plans one: A* under the costs of the layer, with the octile heuristic. (Routes are
///   cheapest only if neighbours are one unit apart, and a unit costs at least a plain step.) The route leads around
///   agents less than the [radius](PatrolRules::radius) away, but not around an agent on its goal. It leads through all
///   other agents. An agent that finds no route stands for 1 unit of time.
/// * An agent with a route makes the next step if no other agent stands there: the move succeeds, and the layer [is
///   told](CostLayer::moved). Otherwise the move fails. A failed move takes as long as any other action, and the agent
///   plans anew at its next action.
/// * If an agent is next to its goal, and another agent stands on the goal, the agent makes a random legal step to a
///   free place. If there is no free place, the agent stands for the time of an action.
/// * At an end an agent turns round at once; after its last loop it stays there, in the way of others.
///
/// Nothing is reserved. Agents that each plan on their own behave like this; [crowds](giveway_crowd::Crowd) are
/// measured against them. Two agents never share a place, since each moves to a free place.
///
/// ```
/// use giveway_lanes::{DirectionMap, DirectionRules};
/// use giveway_experiments::{PatrolRules, Patrols};
/// use giveway_spaces::{Connectivity, Grid};
///
/// let grid = Grid::open(20, 3)?.with_connectivity(Connectivity::Eight);
/// let at = |x, y| grid.node(x, y).expect("on the grid");
/// let map = DirectionMap::blank(&grid, DirectionRules::paper());
/// let ends = [[at(0, 1), at(19, 1)], [at(19, 0), at(0, 0)], [at(0, 2), at(19, 2)]];
/// let mut patrols = Patrols::new(&grid, &map, &ends, PatrolRules::loops(5))?;
/// while patrols.advance() {}
/// let metrics = patrols.metrics();
/// assert_eq!(metrics.loops, 15);
/// // Nineteen steps there and back, and a little more.
/// assert!((38.0..42.0).contains(&metrics.per_loop(metrics.path)));
/// assert!(map.directions().count() > 50);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Patrols<'a, S: SpaceGraph, L> {
    space: &'a S,
    layer: &'a L,
    footprint: Point,
    rules: PatrolRules,
    router: Router<S>,
    walkers: Vec<Walker<S>>,
    taken: Vec<bool>,
    /// The time of each agent's next action, in half units of time; agents that are done are left out.
    turns: BinaryHeap<Reverse<(u64, usize)>>,
    /// The end of the last action.
    time: u64,
    metrics: PatrolMetrics,
    random: Pcg64Mcg,
    trace: Option<Trace>,
}

#[derive(Debug)]
struct Walker<S: SpaceGraph> {
    ends: [NodeId; 2],
    node: NodeId,
    /// How often it has come to an end.
    legs: u64,
    /// The rest of its route, the next move last.
    route: Vec<MoveIn<S>>,
}

/// An action and a pause without a route, in half units of time.
const ACTION_HALVES: u64 = 3;
const PAUSE_HALVES: u64 = 2;

impl<'a, S: Embedding, L: CostLayer<S>> Patrols<'a, S, L> {
    /// Agents at the first of their `ends`, on their way to the second.
    ///
    /// # Errors
    /// An end does not exist, or two agents begin in one place.
    pub fn new(space: &'a S, layer: &'a L, ends: &[[NodeId; 2]], rules: PatrolRules) -> Result<Self, PatrolError> {
        let mut taken = vec![false; space.node_bound()];
        for (patrol, ends) in ends.iter().enumerate() {
            if let Some(node) = ends.iter().copied().find(|end| !space.contains(*end)) {
                return Err(PatrolError::NoSuchNode { patrol, node });
            }
            if std::mem::replace(&mut taken[ends[0].index()], true) {
                return Err(PatrolError::SameStart { patrol, node: ends[0] });
            }
        }
        let walker = |ends: &[NodeId; 2]| Walker { ends: *ends, node: ends[0], legs: 0, route: Vec::new() };
        // The generator's state must not be a small number.
        let state = (u128::from(rules.seed) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        let mut patrols = Self {
            space,
            layer,
            footprint: Point::swap_rule(space),
            rules,
            router: Router::embedded(rules.routing),
            walkers: ends.iter().map(walker).collect(),
            taken,
            turns: BinaryHeap::new(),
            time: 0,
            metrics: PatrolMetrics::default(),
            random: Pcg64Mcg::new(state),
            trace: None,
        };
        for index in 0..ends.len() {
            patrols.turn_round(index);
            if !patrols.is_done(index) {
                patrols.turns.push(Reverse((0, index)));
            }
        }
        Ok(patrols)
    }

    /// Records the patrols from now on: see [`trace`](Self::trace).
    #[must_use]
    pub fn recorded(self) -> Self {
        let place = |node| TracedPlace::from_node(self.space, node);
        let agent = |index: usize| TracedAgent::new(place(self.walkers[index].node), self.goals(index), Vec::new());
        let agents = (0..self.walkers.len()).map(agent).collect();
        let ticks_per_step = u32::try_from(ACTION_HALVES).unwrap_or(u32::MAX);
        Self { trace: Some(Trace::new(ticks_per_step, agents)), ..self }
    }

    /// The trace of the patrols, two ticks for each unit of time. `None` if the patrols are not
    /// [recorded](Self::recorded).
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_ref()
    }

    /// Lets the next action happen. Returns whether there was one: `false` if all agents are done.
    pub fn advance(&mut self) -> bool {
        let Some(Reverse((now, index))) = self.turns.pop() else {
            return false;
        };
        let until = now + self.act(index, now);
        self.time = self.time.max(until);
        if !self.is_done(index) {
            self.turns.push(Reverse((until, index)));
        }
        true
    }

    /// The time at which the next action begins, in units of time; if there is none, the end of the last action.
    pub fn now(&self) -> f64 {
        self.turns.peek().map_or(in_units(self.time), |Reverse((now, _))| in_units(*now))
    }

    /// The metrics so far.
    pub fn metrics(&self) -> PatrolMetrics {
        PatrolMetrics { time: in_units(self.time), ..self.metrics.clone() }
    }

    fn is_done(&self, index: usize) -> bool {
        self.walkers[index].legs >= 2 * u64::from(self.rules.loops)
    }

    /// Lets an agent act. Returns the duration in half units of time.
    fn act(&mut self, index: usize, now: u64) -> u64 {
        let walker = &self.walkers[index];
        let (node, goal) = (walker.node, towards(walker.ends, walker.legs));
        if self.taken[goal.index()] && self.space.moves(node).any(|m| m.to == goal) {
            self.step_aside(index, now);
            return ACTION_HALVES;
        }
        if walker.route.is_empty() && !self.plan(index, goal) {
            self.metrics.stood += 1;
            return PAUSE_HALVES;
        }
        let next = self.walkers[index].route.pop();
        if let Some(m) = next.filter(|m| !self.taken[m.to.index()]) {
            self.go(index, m, now);
        } else {
            self.metrics.failed += 1;
            self.walkers[index].route.clear();
        }
        ACTION_HALVES
    }

    /// A random legal step that is not taken.
    fn step_aside(&mut self, index: usize, now: u64) {
        self.metrics.random_steps += 1;
        let walker = &mut self.walkers[index];
        walker.route.clear();
        let free: Vec<MoveIn<S>> = self.space.moves(walker.node).filter(|m| !self.taken[m.to.index()]).collect();
        if !free.is_empty() {
            let drawn = self.random.random_range(0..free.len());
            self.go(index, free[drawn], now);
        }
    }

    /// Finds a route. Returns whether there is one.
    fn plan(&mut self, index: usize, goal: NodeId) -> bool {
        let start = self.walkers[index].node;
        let others = self.walkers.iter().map(|walker| walker.node).filter(|node| *node != start && *node != goal);
        let sees = |node: &NodeId| octile(self.space.position(*node), self.space.position(start)) < self.rules.radius;
        let walls: Vec<NodeId> = others.filter(sees).collect();
        let goals = Goals::one(goal);
        let agent = AgentId(u32::try_from(index).unwrap_or(u32::MAX));
        let trip = Trip { walls: &walls, ..Trip::new(Claim::plain(agent), start, &goals) };
        let terrain = Terrain { space: self.space, footprint: &self.footprint, layer: self.layer };
        let step = S::Cost::STEP;
        let diagonal = S::Cost::floor(step.to_f64().unwrap_or(0.0) * 1.414);
        let mut heuristic = ToGoals { metric: Octile { step, diagonal }, goals: goals.clone() };
        let route = self.router.route(&terrain, &trip, &mut heuristic);
        self.metrics.nodes += self.router.expanded();
        let Ok(route) = route else {
            return false;
        };
        let walker = &mut self.walkers[index];
        walker.route = route.moves;
        walker.route.reverse();
        true
    }

    /// Moves an agent, and turns it round if it has come to the end.
    fn go(&mut self, index: usize, m: MoveIn<S>, now: u64) {
        self.taken[m.from.index()] = false;
        self.taken[m.to.index()] = true;
        self.metrics.path += straight(self.space.position(m.from), self.space.position(m.to));
        self.walkers[index].node = m.to;
        self.layer.moved(self.space, &m);
        let (depart, arrive) = (in_ticks(now), in_ticks(now + ACTION_HALVES));
        if let Some(trace) = &mut self.trace {
            let moved = TracedMove::new(depart, arrive, TracedPlace::from_node(self.space, m.to));
            trace.agents[index].moves.push(moved);
        }
        let legs = self.walkers[index].legs;
        self.turn_round(index);
        let goals = self.goals(index);
        if let Some(trace) = self.trace.as_mut().filter(|_| self.walkers[index].legs != legs) {
            trace.agents[index].orders.push(TracedOrder { tick: arrive, goals });
        }
    }

    /// The goals of an agent, for the trace: its own place when it is done.
    fn goals(&self, index: usize) -> Vec<TracedPlace> {
        let walker = &self.walkers[index];
        let goal = Some(towards(walker.ends, walker.legs)).filter(|_| !self.is_done(index));
        vec![TracedPlace::from_node(self.space, goal.unwrap_or(walker.node))]
    }

    /// Sends an agent at its end back, unless it is done.
    fn turn_round(&mut self, index: usize) {
        let walker = &mut self.walkers[index];
        if walker.ends == [walker.node; 2] {
            // It has nowhere to go, and is done.
            self.metrics.loops += u64::from(self.rules.loops) - walker.legs / 2;
            walker.legs = 2 * u64::from(self.rules.loops);
        }
        while !self.is_done(index) {
            let walker = &mut self.walkers[index];
            if walker.node != towards(walker.ends, walker.legs) {
                return;
            }
            walker.legs += 1;
            walker.route.clear();
            self.metrics.loops += u64::from(walker.legs.is_multiple_of(2));
        }
    }
}

/// Straight and diagonal steps in the plane.
fn octile(a: [f32; 3], b: [f32; 3]) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|axis| (f64::from(a[axis]) - f64::from(b[axis])).abs());
    x.min(y) * std::f64::consts::SQRT_2 + (x - y).abs() + z
}

#[allow(clippy::cast_precision_loss)] // an experiment's clock
fn in_units(halves: u64) -> f64 {
    halves as f64 * (PatrolRules::ACTION / ACTION_HALVES as f64)
}

fn in_ticks(halves: u64) -> Tick {
    Tick::try_from(halves).unwrap_or(Tick::MAX)
}
