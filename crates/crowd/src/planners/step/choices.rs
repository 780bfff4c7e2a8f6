//! Choices: the operations of an agent, the best one first.

use std::sync::Arc;

use giveway_core::{AgentId, Entry, NodeId, Span, Tick, Ticks};

use super::Horizon;
use super::guests::host_of;
use crate::ledger::{Board, Mark, Marks};
use crate::state::{State, Unit};
use giveway_members::clock::Clock;
use giveway_members::leg::Leg;
use giveway_members::roster::{Member, Slot};
use giveway_members::world::OperationList;

/// What an agent has left is counted in parts of a tick.
const PARTS: f64 = 64.0;
pub(super) const TICK: i64 = 64;

/// The weight of the distance that is left at the end of an operation: as much as on `END` steps of the way.
const END: i64 = 8;

/// Distances beyond this many ticks, and endless ones, count as this.
const FAR: f64 = 1e8;

/// The lower, the better.
pub(super) type Score = i64;

/// The operations from which an agent chooses at this tick.
pub(super) struct Choices {
    pub(super) list: Arc<OperationList>,
    /// The units of work that it took to compare the operations.
    pub(super) price: u64,
    /// When the operations begin.
    pub(super) depart: Tick,
    /// The score of the operation that the agent holds.
    pub(super) held: Score,
    /// Score, noise and position of each operation. Of operations that occupy the same, only the best one is there.
    ranked: Vec<(Score, u32, u32)>,
    /// The number of entries of `ranked`, from the first, that are in order. All other entries rank after them.
    sorted: usize,
    /// Where the marks of the first operations are, one operation after the other.
    marks: Vec<Marks>,
    /// By operation, in order, where its marks end in `marks`.
    ends: Vec<u32>,
    /// By operation, in order: a mark whose holder made no way when the operation was last tried.
    obstacles: Vec<Option<Mark>>,
}

/// `COMPARED_AT_ONCE` operations are compared in the time of a unit of work. The work before the comparison takes
/// `LOOKED_UP` units.
const COMPARED_AT_ONCE: u64 = 6;
pub(super) const LOOKED_UP: u64 = 6;

/// Most agents take one of their best operations, so that the others need no order.
const SORTED_AT_ONCE: usize = 12;

impl Choices {
    /// The choices of `slot`. `is_idle`: the best one is to stay. `taken`: what it holds; `None`: its plan.
    pub(super) fn of(
        state: &mut State<'_>,
        slot: Slot,
        Horizon { until, has_pauses, .. }: Horizon,
        is_idle: bool,
        taken: Option<&[Leg]>,
    ) -> Self {
        let host = host_of(state, slot);
        let State { world, roster, ledger, clock, .. } = state;
        let (member, host, plan) = (&roster[slot], &roster[host], ledger.plan(slot));
        let (from, depart) = member.motion.free_at(clock.now);
        let (list, made) = world.operations(member.class(), from, depart, until, has_pauses);
        let class = &mut world[host.class()];
        let mut terms = Terms::of(host, *clock, until);
        terms.goes_on &= !is_idle;
        let mut left_at = |nodes: &[NodeId]| -> Vec<Option<i64>> {
            if is_idle {
                return nodes.iter().map(|node| Some(if *node == from { 0 } else { TICK })).collect();
            }
            let mut known = Vec::with_capacity(nodes.len());
            class.distances(host.order.goals(), nodes, &mut known);
            known.into_iter().map(|distance| distance.map(|distance| terms.left(distance))).collect()
        };
        let known = left_at(list.nodes());
        let here = known.first().copied().flatten();
        // Where the distance is not known, it is as far back as the agent has come.
        let guess = |arrive: Tick| {
            let back = TICK * i64::from(arrive.saturating_sub(depart));
            here.map_or(back, |here| here + back)
        };

        let mut on_the_way: Vec<Way> = Vec::with_capacity(list.operations().len());
        let mut best: Vec<(Score, u32, u32)> = vec![(Score::MAX, u32::MAX, 0); list.traces()];
        for (operation, position) in list.operations().iter().zip(0..) {
            let arrive = depart.saturating_add(operation.leg.arrive);
            let left = known[operation.end as usize].unwrap_or_else(|| guess(arrive));
            let way = if position == 0 {
                Way::begin(depart, left)
            } else {
                let begin = depart.saturating_add(operation.leg.depart);
                on_the_way[operation.before as usize].go(&terms, begin, arrive, left)
            };
            on_the_way.push(way);
            let kept = &mut best[operation.trace as usize];
            let score = way.score(&terms);
            if score <= kept.0 {
                *kept = (*kept).min((score, noise(member.id(), clock.now, position), position));
            }
        }

        let ahead = taken.unwrap_or_else(|| plan.ahead());
        let ahead: Vec<Leg> = ahead.iter().copied().filter(|leg| leg.depart >= depart && leg.is_move()).collect();
        let nodes: Vec<_> = ahead.iter().map(|leg| leg.to).collect();
        let mut way = Way::begin(depart, known[0].unwrap_or_else(|| guess(depart)));
        if !nodes.is_empty() {
            for (leg, left) in ahead.iter().zip(left_at(&nodes)) {
                let left = left.unwrap_or_else(|| guess(leg.arrive));
                way = way.go(&terms, leg.depart, leg.arrive.min(until), left);
            }
        }
        let price = LOOKED_UP + made + list.operations().len() as u64 / COMPARED_AT_ONCE;
        Self {
            list,
            price,
            depart,
            held: way.score(&terms),
            ranked: best,
            sorted: 0,
            marks: Vec::new(),
            ends: Vec::new(),
            obstacles: Vec::new(),
        }
    }

    /// A mark whose holder made no way when the operation at `place` was last tried.
    #[inline]
    pub(super) fn obstacle(&self, place: usize) -> Option<Mark> {
        self.obstacles.get(place).copied().flatten()
    }

    /// Notes a mark whose holder makes no way for the operation at `place`.
    #[inline]
    pub(super) fn note_obstacle(&mut self, place: usize, mark: Mark) {
        if self.obstacles.len() <= place {
            self.obstacles.resize(place + 1, None);
        }
        self.obstacles[place] = Some(mark);
    }

    /// Everything that `operation` occupies.
    pub(super) fn entries(&self, operation: u32, now: Tick) -> impl Iterator<Item = Entry> {
        // Where an agent is now, nobody else is.
        let [first, others] = self.list.entries(operation, self.depart > now);
        let depart = self.depart;
        first.iter().chain(others).map(move |entry| later(entry, depart))
    }

    /// Where the marks of the operation at `place` are, which is in order. Each is looked up once.
    #[inline]
    pub(super) fn marks(&mut self, place: usize, state: &State<'_>, board: &mut Board) -> &[Marks] {
        while self.ends.len() <= place {
            let operation = self.ranked[self.ends.len()].2;
            let [first, others] = self.list.entries(operation, self.depart > state.clock.now);
            for entry in first.iter().chain(others) {
                let entry = later(entry, self.depart);
                self.marks.push(board.marks((state.ledger.reservations(), &state.roster), &entry));
            }
            #[allow(clippy::cast_possible_truncation)] // they are few
            self.ends.push(self.marks.len() as u32);
        }
        let begin = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.marks[begin as usize..self.ends[place] as usize]
    }

    /// The score and the position of the operation at `place`, from the best one on.
    #[inline]
    pub(super) fn at(&mut self, place: usize) -> Option<(Score, u32)> {
        while place >= self.sorted && self.sorted < self.ranked.len() {
            let others = &mut self.ranked[self.sorted..];
            let next = SORTED_AT_ONCE.max(self.sorted).min(others.len());
            if next < others.len() {
                others.select_nth_unstable(next);
            }
            others[..next].sort_unstable();
            self.sorted += next;
        }
        self.ranked.get(place).map(|(score, _, operation)| (*score, *operation))
    }
}

/// `entry`, `ticks` ticks later.
fn later(entry: &Entry, ticks: Ticks) -> Entry {
    let Span { start, end } = entry.span;
    Entry { cell: entry.cell, span: Span::new(start.saturating_add(ticks), end.saturating_add(ticks)) }
}

/// The terms on which operations are compared.
pub(super) struct Terms {
    until: Tick,
    ticks_per_step: Ticks,
    /// Whether the agent goes on to somewhere else as soon as it has been on its goal.
    pub(super) goes_on: bool,
}

impl Terms {
    pub(super) fn of(member: &Member, clock: Clock, until: Tick) -> Self {
        let goes_on = member.is_under_way() && !member.returns();
        Self { until, ticks_per_step: clock.ticks_per_step, goes_on }
    }

    /// What is left at `distance`, in plain steps, from the goals.
    #[allow(clippy::cast_possible_truncation)] // it is not more than `FAR`
    pub(super) fn left(&self, distance: f64) -> i64 {
        ((distance * f64::from(self.ticks_per_step)).min(FAR) * PARTS).round() as i64
    }
}

/// A part of an operation: the sum over its ticks of what was left.
#[derive(Clone, Copy)]
struct Way {
    at: Tick,
    left: i64,
    sum: i64,
    /// The tick at which it came to the goal; from then on it is as good as any other way.
    reached: Option<Tick>,
}

impl Way {
    fn begin(at: Tick, left: i64) -> Self {
        Self { at, left, sum: 0, reached: None }
    }

    /// Waits until `depart`, and then moves until `arrive`, where `left` is left.
    fn go(self, terms: &Terms, depart: Tick, arrive: Tick, left: i64) -> Self {
        if self.reached.is_some() {
            return self;
        }
        let [wait, ticks] = [[self.at, depart], [depart, arrive]].map(|[from, to]| i64::from(to.saturating_sub(from)));
        let sum = self.sum + wait * self.left + ticks * left + TICK * ticks * (ticks - 1).max(0) / 2;
        let reached = (terms.goes_on && left == 0).then_some(arrive);
        Self { at: arrive, left, sum, reached }
    }

    /// The score with a rest until the end.
    fn score(self, terms: &Terms) -> Score {
        let ticks = i64::from(terms.until.saturating_sub(self.at));
        let (on_the_way, at_end) = match self.reached {
            Some(_) => (-TICK * ticks * (ticks + 1) / 2, -TICK * ticks),
            None => (ticks * self.left, self.left),
        };
        self.sum + on_the_way + (END - 1) * i64::from(terms.ticks_per_step) * at_end
    }
}

/// Decides between operations of equal score: differently for each agent and at each tick, so that no two agents go on
/// choosing each other's way.
pub(super) fn noise(agent: AgentId, now: Tick, operation: u32) -> u32 {
    let mut bits = u64::from(agent.0) << 32 | u64::from(now);
    bits = (bits ^ u64::from(operation).wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 29).wrapping_mul(0x94D0_49BB_1331_11EB);
    #[allow(clippy::cast_possible_truncation)] // the upper bits
    let noise = (bits >> 32) as u32;
    noise
}

/// Whether `unit` may be made to take another operation before `until`.
pub(super) fn can_make_way(state: &State<'_>, unit: Unit<'_>, until: Tick) -> bool {
    let (_, depart) = unit.member.motion.free_at(state.clock.now);
    unit.member.makes_way() && !unit.is_in_knot() && depart.saturating_add(1) < until
}
