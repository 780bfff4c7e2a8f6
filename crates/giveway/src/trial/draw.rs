//! Starts and goals at random, from which agents can come to each other.

use std::collections::BTreeSet;

use giveway_core::near::{Nearest, Passable};
use giveway_core::{Agent, CellId, Footprint, Goals, Motion, NodeId, SpaceGraph};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::RngCore;

/// After this many draws in vain there is no room for another agent.
const PATIENCE: usize = 200;

/// A node as the goal of one agent.
pub(super) fn alone(node: NodeId) -> Goals {
    Goals::one(node)
}

/// Up to `count` agents. No two starts, and no two goals, are in each other's way; each agent can come to its goals,
/// and back. `goals` gives the places that count as one.
pub(super) fn agents<S: SpaceGraph, F: Footprint<S>>(
    space: &S,
    footprint: &F,
    count: usize,
    seed: u64,
    goals: impl Fn(NodeId) -> Goals,
) -> Vec<Agent> {
    let nodes: Vec<NodeId> = space.nodes().filter(|node| space.contains(*node)).collect();
    let mut random = Pcg64Mcg::new(u128::from(seed) << 1 | 1);
    #[allow(clippy::cast_possible_truncation)] // there are fewer nodes
    let mut draw = || nodes[(random.next_u64() % nodes.len() as u64) as usize];
    let room = |node: NodeId| {
        let entries = footprint.entries(space, &Motion::Rest { node, ticks: 1 }, 0);
        entries.into_iter().map(|entry| entry.cell).collect::<BTreeSet<CellId>>()
    };
    let (mut agents, mut starts, mut ends) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    let ground = Passable::new(space, |m| footprint.duration(space, m).is_some());
    let mut nearest = Nearest::new();
    let mut vain = 0;
    while agents.len() < count && vain < PATIENCE && !nodes.is_empty() {
        vain += 1;
        let (start, end) = (draw(), draw());
        let (first, last) = (room(start), room(end));
        let is_free = first.is_disjoint(&starts) && last.is_disjoint(&ends);
        let connected = |nearest: &mut Nearest, from, to| nearest.is_reachable(&ground, from, to);
        if start != end && is_free && connected(&mut nearest, start, end) && connected(&mut nearest, end, start) {
            starts.extend(first);
            ends.extend(last);
            agents.push(Agent::new(start, goals(end)));
            vain = 0;
        }
    }
    agents
}
