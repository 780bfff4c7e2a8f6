//! Conflicts: which agents hold one place, or meet between places, at one time.

use indexmap::{IndexMap, IndexSet};

use super::geometry::{StraightWay, crossing_ways};
use super::violation::Violation;
use crate::reservation::AgentId;
use crate::space::NodeId;
use crate::time::Tick;

/// An agent holds a place, a node or a way between two nodes, from `begin` up to, not including, `end`.
///
/// Ends have 64 bits, so that even the last tick has an end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Hold<P> {
    pub(super) begin: Tick,
    pub(super) place: P,
    pub(super) agent: AgentId,
    pub(super) end: u64,
}

/// An agent that is in a place, and until when.
struct Present {
    agent: AgentId,
    end: u64,
}

/// The agents of `list` that are still there at `tick`; forgets the others.
fn still_there(list: Option<&mut Vec<Present>>, tick: Tick) -> impl Iterator<Item = AgentId> {
    let list = list.map(|list| {
        list.retain(|present| present.end > u64::from(tick));
        &*list
    });
    list.into_iter().flatten().map(|present| present.agent)
}

/// Moves `own`, the holds of one agent in any order, to `holds`; joins holds of one place that overlap or touch.
pub(super) fn join_holds<P: Copy + Ord>(own: &mut Vec<Hold<P>>, holds: &mut Vec<Hold<P>>) {
    own.sort_unstable_by_key(|hold| (hold.place, hold.begin));
    for hold in own.drain(..) {
        match holds.last_mut() {
            Some(last) if (last.agent, last.place) == (hold.agent, hold.place) && u64::from(hold.begin) <= last.end => {
                last.end = last.end.max(hold.end);
            }
            _ => holds.push(hold),
        }
    }
}

/// Names the nodes that two agents hold at one time, in order of time, about `most` at most. The holds must be
/// [joined](join_holds).
pub(super) fn shared_nodes(mut holds: Vec<Hold<NodeId>>, most: usize, violations: &mut Vec<Violation>) {
    holds.sort_unstable();
    let end = violations.len().saturating_add(most);
    let mut held: IndexMap<NodeId, Vec<Present>> = IndexMap::new();
    for hold in holds {
        if violations.len() >= end {
            return;
        }
        let there = held.entry(hold.place).or_default();
        violations.extend(still_there(Some(there), hold.begin).map(|other| Violation::Vertex {
            agents: by_id((hold.agent, ()), (other, ())).0,
            node: hold.place,
            tick: hold.begin,
        }));
        there.push(Present { agent: hold.agent, end: hold.end });
    }
}

/// For each way, the ways that it crosses; a way is named by its two nodes, the smaller first.
pub(super) type Crossed = IndexMap<[NodeId; 2], Vec<[NodeId; 2]>>;

/// The ways of `rides` that cross, among the ways that `exists` accepts.
pub(super) fn crossed_ways(
    rides: &[Hold<[NodeId; 2]>],
    exists: impl Fn([NodeId; 2]) -> bool,
    position: impl Fn(NodeId) -> [f32; 3],
) -> Crossed {
    let ways: IndexSet<[NodeId; 2]> = rides.iter().map(|ride| sorted(ride.place)).collect();
    let ways: Vec<StraightWay> = ways
        .into_iter()
        .filter(|nodes| exists(*nodes))
        .map(|nodes| StraightWay { nodes, ends: nodes.map(&position) })
        .collect();
    let mut crossed = Crossed::new();
    crossing_ways(&ways, |a, b| {
        crossed.entry(a.nodes).or_default().push(b.nodes);
        crossed.entry(b.nodes).or_default().push(a.nodes);
    });
    crossed
}

/// Names pairs of agents that meet between nodes, in order of time, about `most` meetings at most: exchanges of
/// nodes if `exchanges` is true, and crossings of the ways in `crossed`. The rides, which are holds of ways, must
/// be [joined](join_holds).
pub(super) fn meetings(
    mut rides: Vec<Hold<[NodeId; 2]>>,
    exchanges: bool,
    crossed: &Crossed,
    most: usize,
    violations: &mut Vec<Violation>,
) {
    if !exchanges && crossed.is_empty() {
        return;
    }
    rides.sort_unstable();
    let end = violations.len().saturating_add(most);
    let mut under_way: IndexMap<[NodeId; 2], Vec<Present>> = IndexMap::new();
    for ride in rides {
        if violations.len() >= end {
            return;
        }
        let (tick, agent, [from, to]) = (ride.begin, ride.agent, ride.place);
        // To and fro along a loop is one way; both agents hold its one node.
        if exchanges && from != to {
            let opposite = still_there(under_way.get_mut(&[to, from]), tick);
            violations.extend(opposite.filter(|other| *other != agent).map(|other| {
                let (agents, nodes) = by_id((agent, from), (other, to));
                Violation::Swap { agents, nodes, tick }
            }));
        }
        for [a, b] in crossed.get(&sorted(ride.place)).into_iter().flatten().copied() {
            for nodes in [[a, b], [b, a]] {
                let others = still_there(under_way.get_mut(&nodes), tick);
                violations.extend(others.filter(|other| *other != agent).map(|other| {
                    let (agents, moves) = by_id((agent, ride.place), (other, nodes));
                    Violation::Crossing { agents, moves, tick }
                }));
            }
        }
        under_way.entry(ride.place).or_default().push(Present { agent, end: ride.end });
    }
}

fn sorted([a, b]: [NodeId; 2]) -> [NodeId; 2] {
    if a <= b { [a, b] } else { [b, a] }
}

/// Two agents with their values, the smaller id first.
fn by_id<T>((a, of_a): (AgentId, T), (b, of_b): (AgentId, T)) -> ([AgentId; 2], [T; 2]) {
    if a <= b { ([a, b], [of_a, of_b]) } else { ([b, a], [of_b, of_a]) }
}
