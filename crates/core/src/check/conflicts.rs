//! Conflicts: which agents are in one place, or meet between places, at one time.

use indexmap::{IndexMap, IndexSet};

use super::geometry::{StraightWay, crossing_ways};
use super::violation::Violation;
use crate::reservation::AgentId;
use crate::space::NodeId;
use crate::time::Tick;

/// An agent holds a place, a node or a way between two, from `begin` up to, not including, `end`.
///
/// Ends are 64 bits wide: the last tick has one too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Hold<P> {
    pub(super) begin: Tick,
    pub(super) place: P,
    pub(super) agent: AgentId,
    pub(super) end: u64,
}

/// Who is in a place, and until when.
struct Present {
    agent: AgentId,
    end: u64,
}

/// Those of `list` who are still there at `tick`; forgets the others.
fn still_there(list: Option<&mut Vec<Present>>, tick: Tick) -> impl Iterator<Item = AgentId> {
    let list = list.map(|list| {
        list.retain(|present| present.end > u64::from(tick));
        &*list
    });
    list.into_iter().flatten().map(|present| present.agent)
}

/// Moves `own`, what one agent holds in any order, to `holds`; holds of one place that overlap or touch become one.
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

/// Names the nodes that two agents hold at one time, in order of time, about `most` of them at most. The
/// holds must be [joined](join_holds).
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

/// Which ways each way crosses; a way is named by its two nodes, the smaller first.
pub(super) type Crossed = IndexMap<[NodeId; 2], Vec<[NodeId; 2]>>;

/// Which of the ways of `rides` cross which. Only the ways that `exists` are considered.
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

/// Names who meets whom between nodes, in order of time, about `most` meetings at most: exchanges of nodes if
/// `exchanges` says so, and crossings of the ways that are `crossed`. The rides, holds of ways, must be
/// [joined](join_holds).
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
        // To and fro along a loop is the same way, and both are on its one node.
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

/// Two agents and what belongs to each, the smaller id first.
fn by_id<T>((a, of_a): (AgentId, T), (b, of_b): (AgentId, T)) -> ([AgentId; 2], [T; 2]) {
    if a <= b { ([a, b], [of_a, of_b]) } else { ([b, a], [of_b, of_a]) }
}
