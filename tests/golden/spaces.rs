//! Spaces that are no grids: a graph of petgraph, closures, and a space of one's own.

use giveway::spaces::{FnSpace, GraphSpace};
use giveway::{Agent, Instance, Move, NodeId, Point, SpaceGraph};
use petgraph::graph::UnGraph;
use rand::Rng;

use crate::golden::plans::anywhere;
use crate::golden::table::{Cases, Row};
use crate::golden::worlds::random;

const NODES: u32 = 40;

pub(crate) fn run(cases: &mut Cases) {
    let ways = ways();
    let graph = UnGraph::<(), u32>::from_edges(ways.iter().map(|(a, b, cost)| (*a, *b, *cost)));
    let roads = GraphSpace::new(&graph, |edge| *edge.weight()).expect("costs");
    let by_length = GraphSpace::new(&graph, |edge| *edge.weight()).expect("costs");
    let by_length = by_length.with_lengths(|m| if m.cost > 2000 { 2.0 } else { 1.0 }).expect("lengths");
    let out = |node: u32| {
        let there = ways.iter().filter(move |(a, ..)| *a == node).map(|(_, b, cost)| (*b, *cost));
        let back = ways.iter().filter(move |(_, b, _)| *b == node).map(|(a, _, cost)| (*a, *cost + 100));
        there.chain(back).collect::<Vec<_>>()
    };
    let closure = FnSpace::new(NODES, out).expect("ends");
    cases.run("space/petgraph/swap", |row| solve(row, &roads, &Point::swap_rule(&roads), 12));
    cases.run("space/petgraph/timed", |row| solve(row, &by_length, &Point::rounded(&by_length, 2), 8));
    cases.run("space/closure/swap", |row| solve(row, &closure, &Point::swap_rule(&closure), 12));
    cases.run("space/closure/both-cells", |row| solve(row, &closure, &Point::following_rule(&closure), 10));
    cases.run("space/own/swap", |row| solve(row, &Helix, &Point::swap_rule(&Helix), 10));
    cases.run("space/own/timed", |row| solve(row, &Helix, &Point::rounded(&Helix, 1), 6));
}

/// A tree, and some ways more: both ends and a cost.
fn ways() -> Vec<(u32, u32, u32)> {
    let mut random = random(40);
    let mut cost = || 1000 + 250 * random.random_range(0..8);
    let tree: Vec<_> = (1..NODES).map(|node| (node, (node * 7 + 3) % node, cost())).collect();
    tree.into_iter().chain((0..20).map(|way| (way, NODES - 1 - way * 3 % 19, cost()))).collect()
}

fn solve<S>(row: &mut Row, space: &S, point: &Point, agents: u32)
where
    S: SpaceGraph<Action: Send + Sync, Cost: Send + Sync> + Send + Sync,
{
    let bound = u32::try_from(space.node_bound()).expect("few");
    let agents = (0..agents).map(|agent| Agent::new(NodeId(agent * 3 % bound), NodeId((agent * 3 + 17) % bound)));
    let instance = Instance::new(space, point, agents.collect()).expect("agents that fit");
    anywhere(row, &instance, 150, 16);
}

/// Two rings of one-way moves, with moves both ways between them, and parallel moves here and there.
struct Helix;

impl SpaceGraph for Helix {
    type Action = u8;
    type Cost = u32;

    fn node_bound(&self) -> usize {
        NODES as usize
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<u8, u32>> {
        let (ring, place) = (from.0 / 20, from.0 % 20);
        let on = if ring == 0 { place + 1 } else { place + 19 } % 20;
        let ahead = [(1, 20 * ring + on, 1000, 1.0)];
        let across = (place % 3 == 0).then_some((2, 20 * (1 - ring) + place, 1500, 1.0));
        let faster = (place % 5 == 0).then_some((3, 20 * ring + on, 900, 2.0));
        let moves = ahead.into_iter().chain(across).chain(faster);
        moves.map(move |(action, to, cost, length)| Move { from, to: NodeId(to), action, cost, length })
    }
}
