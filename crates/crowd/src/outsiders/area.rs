//! The places where an outsider may be within its margin, and when.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

use giveway_core::{Entry, FOREVER, NodeId, Span, Tick, Ticks};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Prediction;
use crate::ledger::joined;
use crate::state::State;
use giveway_members::leg::Leg;
use giveway_members::roster::Slot;
use giveway_members::world::AnyClass;

/// At a tick an outsider may be at no more places than this; farther ones are left out.
const MOST_PLACES: usize = 1024;

/// Whether an outsider of `class` that is on `node` at `tick` is within the margin of `prediction`.
pub(super) fn is_within(class: &dyn AnyClass, prediction: &Prediction, node: NodeId, tick: Tick) -> bool {
    Moves::of(class).around(&prediction.centers(tick)).contains(&node)
}

/// What the outsider at `slot` takes wherever it may be from `start` on until `until`: a node, and when it is there.
pub(super) fn entries(
    state: &State<'_>,
    slot: Slot,
    prediction: &Prediction,
    start: (NodeId, Tick),
    until: Tick,
) -> Vec<Entry> {
    let class = state.class(slot);
    let mut moves = Moves::of(class);
    let places = places(&mut moves, prediction, (start, state.clock.ticks_per_step), until);
    let earliest = Reach { state, slot, places: &places, taken: FxHashMap::default() }.from(start, &mut moves);

    let mut entries = Vec::new();
    for (node, spans) in &places {
        let Some(reached) = earliest.get(node).copied() else { continue };
        let legs = moves.from(*node);
        for span in spans.iter().filter(|span| reached < span.end) {
            let from = span.start.max(reached);
            class.sweep(&Leg::resting(*node, from, span.end), &mut entries);
            for leg in legs.iter() {
                let Some((to, reached)) = places.get(&leg.to).zip(earliest.get(&leg.to)) else { continue };
                let ticks = leg.arrive - leg.depart;
                for Departures { first, end, there } in departures(Span::new(from, span.end), ticks, to, *reached) {
                    if first < there {
                        // When it sets out to there, nobody may be there any more.
                        class.sweep(&Leg::resting(leg.to, first, there), &mut entries);
                    }
                    let known = entries.len();
                    class.sweep(&leg.begun_at(first), &mut entries);
                    // It may begin at each tick until then.
                    entries[known..].iter_mut().for_each(|entry| {
                        entry.span.end = entry.span.end.saturating_add(end - 1 - first);
                    });
                }
            }
        }
    }
    joined(entries)
}

/// When an outsider may set out for a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Departures {
    /// The first tick.
    first: Tick,
    /// The first tick at which it may no longer set out.
    end: Tick,
    /// The first tick at which it may be there.
    there: Tick,
}

/// When an outsider that is on a node during `from` may set out for a place by a move of so many `ticks`. It may be
/// there during `to`, which are apart and in ascending order, but not before `reached`.
///
/// Looks only at spans of `to` that count: where a path leads to and fro, there are many.
fn departures(from: Span, ticks: Ticks, to: &[Span], reached: Tick) -> impl Iterator<Item = Departures> {
    let passed = to.partition_point(|span| span.end.saturating_sub(ticks) <= from.start);
    let departures = move |span: &Span| {
        let there = span.start.max(reached);
        let (first, end) = (from.start.max(there.saturating_sub(ticks)), from.end.min(span.end.saturating_sub(ticks)));
        Departures { first, end, there }
    };
    let to_come = to[passed..].iter().take_while(move |span| span.start.saturating_sub(ticks) < from.end);
    to_come.map(departures).filter(|found| found.first < found.end)
}

/// The nodes where an outsider may be, by its margin alone, and when. Where it is now it may be for two steps in any
/// case.
fn places(
    moves: &mut Moves<'_>,
    prediction: &Prediction,
    ((node, free), step): ((NodeId, Tick), Tick),
    until: Tick,
) -> BTreeMap<NodeId, Vec<Span>> {
    let mut places: BTreeMap<NodeId, Vec<Span>> = BTreeMap::new();
    let mut add = |nodes: &[NodeId], span: Span| {
        for node in nodes {
            let spans = places.entry(*node).or_default();
            match spans.last_mut() {
                Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
                _ => spans.push(span),
            }
        }
    };
    add(&[node], Span::new(free, free.saturating_add(step.saturating_mul(2)).min(FOREVER - 1)));
    let mut from = free;
    while from < until {
        let next = prediction.changes_after(from).map_or(until, |tick| tick.min(until));
        add(&moves.around(&prediction.centers(from)), Span::new(from, next));
        from = next;
    }
    places
}

/// A search for when an outsider can be where at the earliest.
struct Reach<'r, 'a> {
    state: &'r State<'a>,
    slot: Slot,
    places: &'r BTreeMap<NodeId, Vec<Span>>,
    /// By node, until when somebody is there at least.
    taken: FxHashMap<NodeId, Tick>,
}

impl Reach<'_, '_> {
    /// When it can be at each of its places at the earliest if it sets out from `start`. Where somebody is, it sets
    /// out only when they can have left.
    fn from(mut self, start: (NodeId, Tick), moves: &mut Moves<'_>) -> FxHashMap<NodeId, Tick> {
        let mut earliest: FxHashMap<NodeId, Tick> = FxHashMap::from_iter([start]);
        let mut open = BinaryHeap::from([Reverse((start.1, start.0))]);
        while let Some(Reverse((tick, node))) = open.pop() {
            if earliest.get(&node).is_some_and(|known| *known < tick) {
                continue;
            }
            for leg in moves.from(node).iter() {
                let Some(spans) = self.places.get(&leg.to) else { continue };
                let depart = tick.max(self.taken_until(leg.to));
                let arrive = depart.saturating_add(leg.arrive - leg.depart);
                let Some(span) = spans.get(spans.partition_point(|span| span.end <= arrive)) else { continue };
                let arrive = arrive.max(span.start);
                if earliest.get(&leg.to).is_none_or(|known| arrive < *known) {
                    earliest.insert(leg.to, arrive);
                    open.push(Reverse((arrive, leg.to)));
                }
            }
        }
        earliest
    }

    /// Until when somebody is on `node` at least: who stands there needs a step to leave.
    fn taken_until(&mut self, node: NodeId) -> Tick {
        let Self { state, slot, taken, .. } = self;
        *taken.entry(node).or_insert_with(|| {
            let (agent, class, now) = (state.roster[*slot].id(), state.class(*slot), state.clock.now);
            let Some(presence) = state.ledger.presence() else { return now };
            let room = class.room(node, now, FOREVER);
            let there = room.iter().flat_map(|entry| presence.in_cell(entry.cell)).filter(|(_, other)| *other != agent);
            let step = state.clock.ticks_per_step;
            there.map(|(span, _)| span.end.min(span.start.max(now).saturating_add(step))).max().unwrap_or(now)
        })
    }
}

/// The moves of a class, each looked up once.
struct Moves<'c> {
    class: &'c dyn AnyClass,
    from: FxHashMap<NodeId, Rc<[Leg]>>,
}

impl<'c> Moves<'c> {
    fn of(class: &'c dyn AnyClass) -> Self {
        Self { class, from: FxHashMap::default() }
    }

    /// The moves out of `node`, as if begun at tick 0.
    fn from(&mut self, node: NodeId) -> Rc<[Leg]> {
        let Self { class, from } = self;
        let legs = from.entry(node).or_insert_with(|| {
            let mut legs = Vec::new();
            class.for_each_move(node, 0, &mut |leg, _| legs.push(leg));
            legs.into()
        });
        Rc::clone(legs)
    }

    /// The nodes within so many moves of each center, the nearest first, each once.
    fn around(&mut self, centers: &[(NodeId, u32)]) -> Vec<NodeId> {
        let widest = centers.iter().map(|(_, off)| *off).max().unwrap_or(0);
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        let mut nodes: Vec<NodeId> = Vec::new();
        let mut front: Vec<NodeId> = Vec::new();
        for left in (0..=widest).rev() {
            front.extend(centers.iter().filter(|(_, off)| *off == left).map(|(node, _)| *node));
            front.retain(|node| seen.insert(*node));
            nodes.extend_from_slice(&front);
            if nodes.len() >= MOST_PLACES {
                nodes.truncate(MOST_PLACES);
                break;
            }
            let next: Vec<NodeId> =
                front.iter().flat_map(|node| self.from(*node).iter().map(|leg| leg.to).collect::<Vec<_>>()).collect();
            front = next;
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng as _;
    use rand_pcg::Pcg64Mcg;

    use super::*;

    /// Spans apart from each other, in ascending order.
    fn spans(random: &mut Pcg64Mcg) -> Vec<Span> {
        let mut at = 0;
        let mut next = |most: Tick| {
            at += random.random_range(1..most);
            at
        };
        (0..6).map(|_| Span::new(next(6), next(9))).collect()
    }

    /// All departures, by looking at each pair of spans.
    fn of_all(from: Span, ticks: Ticks, to: &[Span], reached: Tick) -> Vec<Departures> {
        let mut found = Vec::new();
        for span in to {
            let there = span.start.max(reached);
            let first = from.start.max(there.saturating_sub(ticks));
            let end = from.end.min(span.end.saturating_sub(ticks));
            if first < end {
                found.push(Departures { first, end, there });
            }
        }
        found
    }

    #[test]
    fn departures_are_those_of_all_pairs_of_spans() {
        let mut random = Pcg64Mcg::new(0xFACE);
        let mut found = 0;
        for _ in 0..2000 {
            let (own, to) = (spans(&mut random), spans(&mut random));
            let (ticks, reached) = (random.random_range(0..20), random.random_range(0..50));
            for from in own {
                let expected = of_all(from, ticks, &to, reached);
                let departures: Vec<Departures> = departures(from, ticks, &to, reached).collect();
                assert_eq!(departures, expected, "{from:?} {ticks} {to:?} {reached}");
                found += expected.len();
            }
        }
        assert!(found > 5000, "{found}");
    }
}
