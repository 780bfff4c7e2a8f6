//! Conflicts: which agents hold one place, or meet between places, at one time.

use indexmap::IndexMap;

use super::by_number::sort_by_number;
use super::geometry::{StraightWay, crossing_ways};
use super::violation::Violation;
use giveway_core::{AgentId, NodeId, Span, Tick};

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

impl<P> Hold<P> {
    /// Whether it is there at some tick of `span`.
    pub(super) fn lasts_into(&self, span: Span) -> bool {
        begins_before(self.begin, span) && self.end > u64::from(span.start)
    }
}

/// Whether `tick` is in `span`. An endless span has the last of all ticks, too.
pub(super) fn is_during(tick: Tick, span: Span) -> bool {
    begins_before(tick, span) && tick >= span.start
}

fn begins_before(tick: Tick, span: Span) -> bool {
    tick < span.end || span.is_endless()
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
    let join = |hold: &mut Hold<P>, last: &mut Hold<P>| {
        let joins = last.place == hold.place && last.begin <= hold.begin && u64::from(hold.begin) <= last.end;
        last.end = if joins { last.end.max(hold.end) } else { last.end };
        joins
    };
    own.dedup_by(join);
    // On a path without gaps and overlaps, the agent holds one place after the other, and all that touches is joined.
    if !own.is_sorted_by(|last, hold| last.end <= u64::from(hold.begin)) {
        own.sort_unstable_by_key(|hold| (hold.place, hold.begin));
        own.dedup_by(join);
    }
    holds.append(own);
}

/// The holds that share a tick with another hold of an equal `place`, and the holds that `also` names. The holds must
/// be in order of places, then of time.
///
/// In a good plan these are few or none, so that what names violations may take its time.
fn contested<P: Copy, K: PartialEq>(
    holds: &[Hold<P>],
    place: impl Fn(P) -> K,
    also: impl Fn(&Hold<P>) -> bool,
) -> Vec<Hold<P>> {
    let mut contested = Vec::new();
    for group in holds.chunk_by(|a, b| place(a.place) == place(b.place)) {
        let mut until = 0;
        for (hold, next) in group.iter().zip(group.iter().skip(1).map(Some).chain([None])) {
            let is_shared = u64::from(hold.begin) < until || next.is_some_and(|next| u64::from(next.begin) < hold.end);
            until = until.max(hold.end);
            if is_shared || also(hold) {
                contested.push(*hold);
            }
        }
    }
    contested
}

/// Names the nodes that two agents hold at one time, where that begins within `during`, in order of time, about `most`
/// at most. The holds must be [joined](join_holds).
pub(super) fn shared_nodes(mut holds: Vec<Hold<NodeId>>, during: Span, most: usize, violations: &mut Vec<Violation>) {
    sort_by_number(&mut holds, |hold| hold.begin);
    sort_by_number(&mut holds, |hold| hold.place.0);
    let mut holds = contested(&holds, |node| node, |_| false);
    holds.sort_unstable();
    let end = violations.len().saturating_add(most);
    let mut held: IndexMap<NodeId, Vec<Present>> = IndexMap::new();
    for hold in holds {
        if violations.len() >= end {
            return;
        }
        let there = held.entry(hold.place).or_default();
        if is_during(hold.begin, during) {
            violations.extend(still_there(Some(there), hold.begin).map(|other| Violation::Vertex {
                agents: by_id((hold.agent, ()), (other, ())).0,
                node: hold.place,
                tick: hold.begin,
            }));
        }
        there.push(Present { agent: hold.agent, end: hold.end });
    }
}

/// Puts `rides` in order of their ways, whatever the direction, then of time.
pub(super) fn sort_by_way(rides: &mut Vec<Hold<[NodeId; 2]>>) {
    sort_by_number(rides, |ride| ride.begin);
    // Ids differ by few numbers, which have fewer digits than ids.
    sort_by_number(rides, |ride| ride.place[0].0.abs_diff(ride.place[1].0));
    sort_by_number(rides, |ride| ride.place[0].min(ride.place[1]).0);
}

/// For each way, the ways that it crosses; a way is named by its two nodes, the smaller first.
pub(super) type Crossed = IndexMap<[NodeId; 2], Vec<[NodeId; 2]>>;

/// The ways of `rides` that cross, among the ways that `exists` accepts. The rides must be [in order](sort_by_way).
pub(super) fn crossed_ways(
    rides: &[Hold<[NodeId; 2]>],
    exists: &dyn Fn([NodeId; 2]) -> bool,
    position: &dyn Fn(NodeId) -> [f32; 3],
) -> Crossed {
    let ways = rides.chunk_by(|a, b| sorted(a.place) == sorted(b.place)).filter_map(|group| group.first());
    let ways: Vec<StraightWay> = ways
        .map(|ride| sorted(ride.place))
        .filter(|nodes| exists(*nodes))
        .map(|nodes| StraightWay { nodes, ends: nodes.map(position) })
        .collect();
    let mut crossed = Crossed::new();
    crossing_ways(&ways, |a, b| {
        crossed.entry(a.nodes).or_default().push(b.nodes);
        crossed.entry(b.nodes).or_default().push(a.nodes);
    });
    crossed
}

/// Names pairs of agents that meet between nodes, where that begins within `during`, in order of time, about `most`
/// meetings at most: exchanges of nodes if `exchanges` is true, and crossings of the ways in `crossed`. The rides,
/// which are holds of ways, must be [joined](join_holds) and [in order](sort_by_way).
pub(super) fn meetings(
    rides: &[Hold<[NodeId; 2]>],
    exchanges: bool,
    crossed: &Crossed,
    during: Span,
    most: usize,
    violations: &mut Vec<Violation>,
) {
    if !exchanges && crossed.is_empty() {
        return;
    }
    let mut rides = contested(rides, sorted, |ride| !crossed.is_empty() && crossed.contains_key(&sorted(ride.place)));
    rides.sort_unstable();
    let end = violations.len().saturating_add(most);
    let mut under_way: IndexMap<[NodeId; 2], Vec<Present>> = IndexMap::new();
    for ride in rides {
        if violations.len() >= end {
            return;
        }
        let (tick, agent, [from, to]) = (ride.begin, ride.agent, ride.place);
        if is_during(tick, during) {
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
        }
        under_way.entry(ride.place).or_default().push(Present { agent, end: ride.end });
    }
}

/// Keeps the first `most` of the violations within `during`, each once, in the order of [reports](Violation).
pub(super) fn arrange(violations: &mut Vec<Violation>, during: Span, most: usize) {
    violations.retain(|violation| is_during(violation.tick(), during));
    violations.sort_unstable_by_key(|violation| (violation.tick(), *violation));
    violations.dedup();
    violations.truncate(most);
}

/// Keeps the holds that last into `during`.
pub(super) fn keep_during<P>(holds: &mut Vec<Hold<P>>, during: Span) {
    holds.retain(|hold| hold.lasts_into(during));
}

fn sorted([a, b]: [NodeId; 2]) -> [NodeId; 2] {
    if a <= b { [a, b] } else { [b, a] }
}

/// Two agents with their values, the smaller id first.
fn by_id<T>((a, of_a): (AgentId, T), (b, of_b): (AgentId, T)) -> ([AgentId; 2], [T; 2]) {
    if a <= b { ([a, b], [of_a, of_b]) } else { ([b, a], [of_b, of_a]) }
}
