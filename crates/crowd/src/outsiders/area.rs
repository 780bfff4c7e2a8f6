//! The places where an outsider may be within its margin, and when.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

use giveway_core::{Entry, FOREVER, NodeId, Span, Tick};
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
    let since = |node: NodeId, span: &Span| earliest.get(&node).map(|tick| span.start.max(*tick));
    for (node, spans) in &places {
        for span in spans {
            let Some(from) = since(*node, span).filter(|from| *from < span.end) else { continue };
            class.sweep(&Leg::resting(*node, from, span.end), &mut entries);
            for leg in moves.from(*node).iter() {
                let ticks = leg.arrive - leg.depart;
                for to in places.get(&leg.to).into_iter().flatten() {
                    let Some(there) = since(leg.to, to) else { continue };
                    let first = from.max(there.saturating_sub(ticks));
                    let end = span.end.min(to.end.saturating_sub(ticks));
                    if first < end {
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
    }
    joined(entries)
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
                let Some(span) = spans.iter().find(|span| span.end > arrive) else { continue };
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
