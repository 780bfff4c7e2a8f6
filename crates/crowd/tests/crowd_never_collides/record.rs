//! The record: the place and the motion of each agent, kept from the outside and checked without stores and footprints.

use std::collections::{BTreeMap, BTreeSet};

use giveway_check::Checker;
use giveway_core::{Agent, AgentId, AtEnd, Motion, NodeId, Path, PathIn, Plan, SpaceGraph, Step, Tick};
use giveway_crowd::Leg;
use giveway_spaces::Grid;

use crate::crowd_never_collides::scenario::{Rule, Scenario};

/// One agent, as far as one can see from the outside.
#[derive(Clone, Debug)]
struct Seen {
    node: NodeId,
    /// The motion under way, if it goes on after the present tick.
    motion: Option<Leg>,
    /// Its motions since the last event that no plan foresees.
    path: PathIn<Grid>,
}

impl Seen {
    fn at(node: NodeId) -> Self {
        Self { node, motion: None, path: Path::standing(node, 0, AtEnd::Stay) }
    }
}

#[derive(Debug)]
pub(crate) struct Record<'a> {
    scenario: &'a Scenario,
    seen: BTreeMap<AgentId, Seen>,
    now: Tick,
    /// When the present stretch began: from then on there was no event that no plan foresees.
    since: Tick,
    /// The pairs of agents that share a node, where that is permitted.
    overlapping: BTreeSet<[AgentId; 2]>,
}

impl<'a> Record<'a> {
    pub(crate) fn new(scenario: &'a Scenario) -> Self {
        Self { scenario, seen: BTreeMap::new(), now: 0, since: 0, overlapping: BTreeSet::new() }
    }

    pub(crate) fn agents(&self) -> Vec<AgentId> {
        self.seen.keys().copied().collect()
    }

    pub(crate) fn node(&self, agent: AgentId) -> NodeId {
        self.seen[&agent].node
    }

    /// Whether an agent other than `agent` is on `node`, or under way to or from it.
    pub(crate) fn is_taken(&self, node: NodeId, agent: Option<AgentId>) -> bool {
        let is_there =
            |seen: &Seen| seen.node == node || seen.motion.is_some_and(|leg| leg.from == node || leg.to == node);
        self.seen.iter().any(|(other, seen)| Some(*other) != agent && is_there(seen))
    }

    pub(crate) fn appear(&mut self, agent: AgentId, node: NodeId) {
        self.end_stretch();
        self.seen.insert(agent, Seen::at(node));
        self.overlapping.retain(|pair| !pair.contains(&agent));
    }

    pub(crate) fn vanish(&mut self, agent: AgentId) {
        self.end_stretch();
        self.seen.remove(&agent);
        self.overlapping.retain(|pair| !pair.contains(&agent));
    }

    /// Makes the moves that were under way end as late as they do in `legs`.
    pub(crate) fn hold_up(&mut self, legs: &BTreeMap<AgentId, Leg>) {
        for (agent, seen) in &mut self.seen {
            let (Some(motion), leg) = (seen.motion, legs[agent]) else { continue };
            let is_same = (motion.from, motion.to, motion.depart) == (leg.from, leg.to, leg.depart);
            if let Some(step) = seen.path.steps.last_mut().filter(|_| is_same && leg.arrive > motion.arrive) {
                step.arrive += leg.arrive - motion.arrive;
                seen.motion = Some(leg);
            }
        }
    }

    /// Notes what everyone did in a tick, and checks it by brute force. Returns the number of moves that began.
    pub(crate) fn pass(&mut self, legs: &BTreeMap<AgentId, Leg>, is_home: &dyn Fn(AgentId) -> bool) -> usize {
        assert!(legs.keys().eq(self.seen.keys()), "other agents than those that were added");
        let (now, begin) = (self.now, self.since);
        let grid = &self.scenario.grid;
        let mut moves = 0;
        for (agent, leg) in legs {
            let seen = self.seen.get_mut(agent).unwrap();
            if let Some(motion) = seen.motion {
                assert_eq!(*leg, motion, "{agent} does not finish its move");
            } else {
                assert_eq!((leg.from, leg.depart), (seen.node, now), "{agent} begins elsewhere: {leg:?}");
                if leg.is_move() {
                    let m = grid.moves(leg.from).find(|m| m.to == leg.to);
                    let m = m.unwrap_or_else(|| panic!("{agent} makes a move that there is not: {leg:?}"));
                    let ticks = match self.scenario.rule {
                        Rule::Timed(rate) => (f64::from(m.length) * f64::from(rate)).round().max(1.0),
                        _ => 1.0,
                    };
                    assert_eq!(f64::from(leg.arrive - leg.depart), ticks, "{agent} takes another time: {leg:?}");
                    assert_eq!(grid.moves(leg.from).nth(leg.action().unwrap()).unwrap().to, leg.to, "{agent}");
                    moves += 1;
                    let (depart, arrive) = (leg.depart - begin, leg.arrive - begin);
                    seen.path.steps.push(Step { motion: Motion::Move(m), depart, arrive });
                } else {
                    assert_eq!((leg.to, leg.arrive), (leg.from, now + 1), "{agent} rests in a strange way");
                    seen.path.push_rest(leg.from, now - begin, 1);
                }
            }
            seen.motion = Some(*leg).filter(|leg| leg.arrive > now + 1);
            if seen.motion.is_none() {
                seen.node = leg.to;
            }
        }
        self.now += 1;
        if self.scenario.soft {
            self.note_overlaps(legs, is_home);
        } else {
            self.check_tick(legs);
        }
        moves
    }

    /// No two on one node, no exchange, no crossing diagonals; under the following rule no agent follows another,
    /// either.
    fn check_tick(&self, legs: &BTreeMap<AgentId, Leg>) {
        let tick = self.now - 1;
        let mut held: BTreeMap<NodeId, AgentId> = BTreeMap::new();
        let mut middles: BTreeMap<(u32, u32), AgentId> = BTreeMap::new();
        for (agent, leg) in legs {
            let nodes = if self.scenario.rule == Rule::Swap || leg.from == leg.to {
                vec![leg.to]
            } else {
                vec![leg.from, leg.to]
            };
            for node in nodes {
                if let Some(other) = held.insert(node, *agent) {
                    panic!("{other} and {agent} are both on {node:?} at tick {tick}: {:?} {leg:?}", legs[&other]);
                }
            }
            if leg.is_move()
                && let Some(other) = middles.insert(self.middle(way(leg)), *agent)
            {
                panic!("{other} and {agent} pass through each other at tick {tick}: {:?} {leg:?}", legs[&other]);
            }
        }
    }

    /// Twice the middle of a move: two moves that have it in common are an exchange, or diagonals that cross.
    fn middle(&self, way: [NodeId; 2]) -> (u32, u32) {
        let [a, b] = way.map(|node| self.scenario.grid.xy(node));
        (a.0 + b.0, a.1 + b.1)
    }

    /// The pairs of agents that meet: an agent walks only into one that rests on its goal.
    fn note_overlaps(&mut self, legs: &BTreeMap<AgentId, Leg>, is_home: &dyn Fn(AgentId) -> bool) {
        let tick = self.now - 1;
        let mut overlapping = BTreeSet::new();
        let all: Vec<(AgentId, Leg)> = legs.iter().map(|(agent, leg)| (*agent, *leg)).collect();
        for (index, (a, one)) in all.iter().enumerate() {
            for (b, two) in &all[index + 1..] {
                let pair = [*a, *b];
                let is_easy = |agent: AgentId, leg: &Leg| !leg.is_move() && is_home(agent);
                if self.meet(way(one), way(two)) && !self.overlapping.contains(&pair) {
                    assert!(is_easy(*a, one) || is_easy(*b, two), "{pair:?} meet at tick {tick}: {one:?} {two:?}");
                }
                // Finished motions take no room any more.
                let left = |leg: &Leg| if leg.arrive > self.now { way(leg) } else { [leg.to; 2] };
                if self.meet(left(one), left(two)) {
                    overlapping.insert(pair);
                }
            }
        }
        self.overlapping = overlapping;
    }

    /// Whether two motions of one tick are a conflict.
    fn meet(&self, one: [NodeId; 2], two: [NodeId; 2]) -> bool {
        let following_rule = self.scenario.rule != Rule::Swap && one.iter().any(|node| two.contains(node));
        let both_move = one[0] != one[1] && two[0] != two[1];
        one[1] == two[1] || following_rule || both_move && self.middle(one) == self.middle(two)
    }

    pub(crate) fn overlaps(&self) -> usize {
        self.overlapping.len()
    }

    /// Checks the present stretch with the library's checker, which shares no code with its stores and footprints
    /// either.
    pub(crate) fn end_stretch(&mut self) {
        let began = std::mem::replace(&mut self.since, self.now);
        if began == self.now {
            return;
        }
        let now = self.now;
        let paths: Vec<PathIn<Grid>> = self.seen.values_mut().map(|seen| next_stretch(seen, now)).collect();
        if self.scenario.soft {
            return;
        }
        let grid = &self.scenario.grid;
        let agents: Vec<Agent> = paths.iter().map(|path| Agent::new(path.start, path.end())).collect();
        let checker = Checker::new(grid, self.scenario.conflict_rule()).with_crossings().at_most(3);
        let violations = checker.check(&agents, &Plan { paths });
        assert_eq!(violations, [], "in the stretch from tick {began} to tick {now}");
    }
}

fn way(leg: &Leg) -> [NodeId; 2] {
    [leg.from, leg.to]
}

/// Begins another stretch; returns the path of the one before. A motion under way is in both.
fn next_stretch(seen: &mut Seen, now: Tick) -> PathIn<Grid> {
    let mut next = Path::standing(seen.node, 0, AtEnd::Stay);
    if let (Some(motion), Some(step)) = (seen.motion, seen.path.steps.last()) {
        next.steps.push(Step { depart: 0, arrive: motion.arrive - now, ..*step });
    }
    std::mem::replace(&mut seen.path, next)
}
