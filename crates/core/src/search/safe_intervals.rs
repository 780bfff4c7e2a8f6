//! Successors by safe intervals: the agent waits until a move can be made.
//!
//! Phillips & Likhachev, "SIPP: Safe Interval Path Planning for Dynamic Environments", ICRA 2011. A state is a node and
//! the tick of arrival. The tick until which the agent can rest there tells the safe interval of the state.
//!
//! Differs from the paper in three points. A node is all cells that the footprint covers there, and the safe interval
//! is common to all of them. A move may need many cells, each for its own ticks, and leaves when it may have all of
//! them. Costs are not times: a later arrival in a safe interval is kept if it costs less than arriving earlier and
//! waiting.

use std::ops::ControlFlow;

use super::query::TimeModel;
use super::scene::SceneParts;
use super::tree::{Cursor, EARLIEST, SearchTree, State, Stay};
use crate::estimate::Heuristic;
use crate::footprint::Footprint;
use crate::layer::CostLayer;
use crate::observer::Observer;
use crate::reservation::{Claim, FreeIntervals, ReservationStore};
use crate::space::SpaceGraph;
use crate::vocabulary::{Cost, Entry, FOREVER, Fuel, Motion, Move, NodeId, Span, Suspended, Tick, Ticks};

impl<A: Copy + Eq, C: Cost> SearchTree<A, C> {
    /// The store's free intervals, if the query wants safe intervals and can have them.
    pub(super) fn free_intervals<'s, W: SceneParts<Action = A, Cost = C>>(
        &self,
        scene: &'s W,
    ) -> Option<&'s dyn FreeIntervals> {
        let wanted = self.query.time == TimeModel::SafeIntervals && self.query.horizon == FOREVER;
        if wanted && self.period == 1 && scene.layer().is_timeless() {
            scene.reservations().free_intervals()
        } else {
            None
        }
    }

    /// Notes how long the agent may stay at its start.
    pub(super) fn stay_at_start<W: SceneParts<Action = A, Cost = C>>(&mut self, scene: &W, free: &dyn FreeIntervals) {
        let (start, depart) = (self.query.start, self.query.depart);
        let until = self.rests_until(scene, free, start, depart);
        self.stays.push(Stay { departed: depart, until, next: 0 });
        if let Err(vacancy) = self.seen.find(start, EARLIEST) {
            self.seen.insert(vacancy, 0);
        }
    }

    /// The last tick, as far as known, at which the agent can still be in the place of the state at `slot`. `tick` is
    /// the tick of that state.
    #[inline]
    pub(super) fn holds_out(&self, slot: u32, tick: Tick) -> Tick {
        self.stays.get(slot as usize).map_or(tick, |stay| stay.until)
    }

    /// Puts every useful successor of the state at `slot` on the open list, from the `cursor` on, and advances the
    /// cursor.
    #[allow(clippy::too_many_arguments)] // private, and each is one of the loop's own variables
    pub(super) fn expand_by_intervals<W: SceneParts<Action = A, Cost = C>>(
        &mut self,
        scene: &W,
        free: &dyn FreeIntervals,
        slot: u32,
        cursor: &mut Cursor<C>,
        heuristic: &mut impl Heuristic<W::Space>,
        fuel: &mut Fuel,
        observer: &mut impl Observer,
    ) -> Result<(), Suspended> {
        let (space, footprint) = (scene.space(), scene.footprint());
        let per_step = footprint.ticks_per_step().max(1);
        let (state, stay) = (self.states[slot as usize], self.stays[slot as usize]);
        let waited_before = self.price_of_waiting(state.tick, per_step);
        let mut skip = cursor.moves;
        space.moves(state.node).try_for_each(|m| {
            if skip > 0 {
                skip -= 1;
                return Ok(());
            }
            if let Some(duration) = footprint.duration(space, &m) {
                let cost = m.cost.plus(scene.layer().surcharge(space, &m, state.tick, &self.asker()));
                let mut from = cursor.depart.take().unwrap_or(state.tick);
                while let Some(depart) = self.first_departure(scene, free, &m, from, stay.until, observer) {
                    let arrive = depart.saturating_add(duration);
                    if arrive > self.query.latest || arrive == FOREVER {
                        self.limited = true;
                        break;
                    }
                    let waited = self.price_of_waiting(depart, per_step).minus(waited_before);
                    let child =
                        State::new(m.to, arrive, slot, Some(m.action), state.g.plus(waited).plus(cost), state.h);
                    let known = self.seen.find(m.to, EARLIEST).ok();
                    let until =
                        self.known_until(known, arrive).unwrap_or_else(|| self.rests_until(scene, free, m.to, arrive));
                    if !self.enter(child, depart, until, known, per_step, |node| {
                        heuristic.estimate(space, node, fuel).inspect_err(|_| cursor.depart = Some(depart))
                    })? {
                        break;
                    }
                    // A later departure that arrives in this interval is no better than waiting there.
                    if until == FOREVER {
                        break;
                    }
                    from = (depart + 1).max((until + 1).saturating_sub(duration));
                }
            }
            cursor.moves += 1;
            Ok(())
        })
    }

    /// The first tick in `from..=last` at which `m` can begin.
    fn first_departure<W: SceneParts<Action = A, Cost = C>>(
        &self,
        scene: &W,
        free: &dyn FreeIntervals,
        m: &Move<A, C>,
        from: Tick,
        last: Tick,
        observer: &mut impl Observer,
    ) -> Option<Tick> {
        let claim = self.query.claim;
        let mut depart = from;
        while depart <= last && depart < FOREVER {
            let mut later = depart;
            let sweep = scene.footprint().sweep(scene.space(), &Motion::Move(*m), depart, &mut |entry| {
                if scene.reservations().permits(&entry, claim) {
                    return ControlFlow::Continue(());
                }
                observer.blocked(m.from, depart, &entry);
                match first_start(free, &entry, claim) {
                    // Each entry waits for its own cell; the move waits for all entries.
                    Some(start) => {
                        let wait = start.saturating_sub(entry.span.start).max(1);
                        later = later.max(depart.saturating_add(wait));
                    }
                    None => return ControlFlow::Break(()),
                }
                ControlFlow::Continue(())
            });
            if sweep.is_break() {
                return None;
            }
            if later == depart {
                return Some(depart);
            }
            depart = later;
        }
        None
    }

    /// The last tick until which the agent may rest on `node` if it is there at `tick`; `tick` if it has to leave at
    /// once.
    fn rests_until<W: SceneParts<Action = A, Cost = C>>(
        &self,
        scene: &W,
        free: &dyn FreeIntervals,
        node: NodeId,
        tick: Tick,
    ) -> Tick {
        let mut until = FOREVER;
        let rest = Motion::Rest { node, ticks: 1 };
        let _ = scene.footprint().sweep(scene.space(), &rest, tick, &mut |Entry { cell, span }| {
            if span.is_empty() {
                return ControlFlow::Continue(());
            }
            // A rest that is `n` ticks longer holds each cell for `n` ticks longer.
            let end =
                free.free_from(cell, span.start, self.query.claim)
                    .filter(|free| free.start == span.start && free.end >= span.end)
                    .map_or(tick, |free| {
                        if free.is_endless() { FOREVER } else { tick.saturating_add(free.end - span.end + 1) }
                    });
            until = until.min(end);
            if until > tick { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        until
    }

    /// The states of the node of `first`.
    fn known(&self, first: Option<u32>) -> impl Iterator<Item = u32> {
        std::iter::successors(first, |slot| {
            let next = self.stays[*slot as usize].next;
            (next != *slot).then_some(next)
        })
    }

    /// The tick until which the agent may rest if it arrives at `arrive` at the node of `known`; `None` unless a known
    /// state lies in that safe interval.
    fn known_until(&self, known: Option<u32>, arrive: Tick) -> Option<Tick> {
        let interval = |slot: u32| Span::new(self.states[slot as usize].tick, self.stays[slot as usize].until);
        self.known(known).map(interval).find(|interval| interval.contains(arrive)).map(|interval| interval.end)
    }

    /// Puts `child` on the open list, unless one of the `known` states of its node is as good. `false`: the goals
    /// cannot be reached from there.
    #[inline]
    fn enter(
        &mut self,
        mut child: State<A, C>,
        departed: Tick,
        until: Tick,
        known: Option<u32>,
        per_step: Ticks,
        estimate: impl FnOnce(NodeId) -> Result<Option<C>, Suspended>,
    ) -> Result<bool, Suspended> {
        let mut same = None;
        for slot in self.known(known) {
            if self.is_as_good(slot, &child, per_step) {
                return Ok(true);
            }
            if self.is_same(&self.states[slot as usize], &child) {
                same = Some(slot);
            }
        }
        let h = match known {
            Some(slot) => self.states[slot as usize].h,
            None => match estimate(child.node)? {
                Some(h) => h,
                None => return Ok(false),
            },
        };
        child.h = h;
        if let Some(slot) = same {
            if !self.states[slot as usize].closed {
                self.states[slot as usize] = child;
                let stay = &mut self.stays[slot as usize];
                (stay.departed, stay.until) = (departed, until);
                self.open.push(child.g.plus(h), (child.g, slot));
            }
            return Ok(true);
        }
        let Ok(slot) = u32::try_from(self.states.len()) else {
            self.limited = true;
            return Ok(true);
        };
        self.states.push(child);
        self.stays.push(Stay { departed, until, next: known.unwrap_or(slot) });
        match self.seen.find(child.node, EARLIEST) {
            Ok(_) => self.seen.replace(child.node, EARLIEST, slot),
            Err(vacancy) => self.seen.insert(vacancy, slot),
        }
        self.open.push(child.g.plus(h), (child.g, slot));
        self.generated += 1;
        self.supersede(slot, per_step);
        Ok(true)
    }

    /// Removes the states of a node that its newest state, the one at `slot`, makes useless.
    fn supersede(&mut self, slot: u32, per_step: Ticks) {
        let mut last = slot;
        loop {
            let at = self.stays[last as usize].next;
            if at == last {
                return;
            }
            if self.is_as_good(slot, &self.states[at as usize], per_step) {
                self.states[at as usize].closed = true;
                let next = self.stays[at as usize].next;
                self.stays[last as usize].next = if next == at { last } else { next };
            } else {
                last = at;
            }
        }
    }

    /// Whether two states of one node are one: their ticks are equal, or nothing changes any more.
    #[inline]
    fn is_same(&self, a: &State<A, C>, b: &State<A, C>) -> bool {
        self.told_apart(a.tick) == self.told_apart(b.tick)
    }

    /// Whether the state at `slot` is as good as `other`, a state of the same node: arriving, and waiting if it is
    /// earlier, costs no more.
    #[inline]
    fn is_as_good(&self, slot: u32, other: &State<A, C>, per_step: Ticks) -> bool {
        let (state, stay) = (&self.states[slot as usize], &self.stays[slot as usize]);
        if self.is_same(state, other) {
            return state.g <= other.g;
        }
        if state.tick > other.tick || state.g > other.g {
            return false;
        }
        // Once nothing changes any more, waiting is not needed.
        let wait_until = other.tick.min(self.settled).max(state.tick);
        let waited = self.price_of_waiting(wait_until, per_step).minus(self.price_of_waiting(state.tick, per_step));
        wait_until <= stay.until && state.g.plus(waited) <= other.g
    }
}

/// The first tick from the start of `entry` on at which it could begin and be free for its whole length; `None`: never.
fn first_start(free: &dyn FreeIntervals, entry: &Entry, claim: Claim) -> Option<Tick> {
    let Span { start: mut from, end } = entry.span;
    let lasts: Ticks = end.saturating_sub(from);
    loop {
        let span = free.free_from(entry.cell, from, claim)?;
        if span.is_endless() || (end != FOREVER && span.end.saturating_sub(span.start) >= lasts) {
            return Some(span.start);
        }
        from = span.end;
    }
}
