//! Successors by quanta: the agent waits for one wait quantum at a time, and states are (node, tick) pairs.

use super::query::Scene;
use super::seen::Vacancy;
use super::tree::{Cursor, EARLIEST, SearchTree, State};
use super::unborn::Child;
use crate::cost::Cost;
use crate::footprint::{Footprint, Motion};
use crate::fuel::{Fuel, Suspended};
use crate::heuristic::Heuristic;
use crate::layer::CostLayer;
use crate::observer::Observer;
use crate::reservation::ReservationStore;
use crate::space::{NodeId, SpaceGraph, move_by_action};
use crate::time::{FOREVER, Span, Tick};

impl<A: Copy + Eq, C: Cost> SearchTree<A, C> {
    /// Puts every legal successor of the state at `slot` on the open list, from the `cursor` on, and advances the cursor.
    #[inline]
    #[allow(clippy::too_many_arguments)] // as for `offer`
    pub(super) fn expand_by_quanta<S, F, R, L>(
        &mut self,
        scene: &Scene<'_, S, F, R, L>,
        slot: u32,
        settled: Tick,
        cursor: &mut Cursor,
        heuristic: &mut impl Heuristic<S>,
        fuel: &mut Fuel,
        observer: &mut impl Observer,
    ) -> Result<(), Suspended>
    where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        R: ReservationStore,
        L: CostLayer<S>,
    {
        let (space, layer) = (scene.space, scene.layer);
        let state = self.states[slot as usize];
        // At the horizon, and the agent may not stay there.
        if state.tick >= self.query.horizon {
            return Ok(());
        }
        let at_once = scene.footprint.has_few_entries();
        let mut skip = cursor.moves;
        space.moves(state.node).try_for_each(|m| {
            if skip > 0 {
                skip -= 1;
                return Ok(());
            }
            let Some(duration) = scene.footprint.duration(space, &m).filter(|_| space.departs(&m, state.tick)) else {
                cursor.moves += 1;
                return Ok(());
            };
            let mut child = State {
                node: m.to,
                tick: state.tick.saturating_add(duration),
                parent: slot,
                closed: false,
                action: Some(m.action),
                g: state.g.plus(m.cost),
                h: state.h,
            };
            if at_once {
                child.g = state.g.plus(m.cost.plus(layer.surcharge(space, &m, state.tick, &self.asker())));
                self.offer(
                    scene,
                    &Motion::Move(m),
                    child,
                    settled,
                    |node| heuristic.estimate(space, node, fuel),
                    observer,
                )?;
            } else if let Some(h) = heuristic.estimate(space, m.to, fuel)? {
                self.defer(scene, State { h, ..child }, settled, observer);
            }
            cursor.moves += 1;
            Ok(())
        })?;
        // Once everything is settled, waiting leads to a state that is already known, unless moves go by the clock.
        if state.tick < settled || self.period > 1 {
            // Where moves go by the clock, each tick may be that of a departure.
            let quantum = if self.period > 1 { 1 } else { scene.footprint.wait_quantum() };
            let arrive = state.tick.saturating_add(quantum);
            let per_step = scene.footprint.ticks_per_step().max(1);
            let base = if self.query.horizon < FOREVER && self.query.goals.contains(state.node) {
                C::zero()
            } else if per_step == 1 {
                // No rounding and no division: points on unit steps.
                self.query.wait_cost.times(quantum)
            } else {
                self.price_of_waiting(arrive, per_step).minus(self.price_of_waiting(state.tick, per_step))
            };
            let cost = layer.wait(space, state.node, Span::new(state.tick, arrive), base, &self.asker());
            let child =
                State { tick: arrive, parent: slot, closed: false, action: None, g: state.g.plus(cost), ..state };
            if at_once {
                let rest = Motion::Rest { node: state.node, ticks: quantum };
                self.offer(scene, &rest, child, settled, |_| Ok(Some(state.h)), observer)?;
            } else {
                self.defer(scene, child, settled, observer);
            }
        }
        Ok(())
    }

    /// The next state to expand.
    #[inline]
    pub(super) fn next_by_quanta<S, F, R, L>(
        &mut self,
        scene: &Scene<'_, S, F, R, L>,
        settled: Tick,
        observer: &mut impl Observer,
    ) -> Option<u32>
    where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        R: ReservationStore,
        L: CostLayer<S>,
    {
        while self.open.is_empty() && !self.unborn.is_empty() {
            let mut due = std::mem::take(&mut self.due);
            self.unborn.take_least(&mut due);
            for child in due.drain(..) {
                self.bear(scene, child, settled, observer);
            }
            self.due = due;
        }
        self.open.pop()
    }

    /// Puts `child` on the open list if it is new or better than before, and its motion is permitted.
    #[inline]
    fn offer<S, F, R, L>(
        &mut self,
        scene: &Scene<'_, S, F, R, L>,
        motion: &Motion<A, C>,
        mut child: State<A, C>,
        settled: Tick,
        estimate: impl FnOnce(NodeId) -> Result<Option<C>, Suspended>,
        observer: &mut impl Observer,
    ) -> Result<(), Suspended>
    where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        R: ReservationStore,
    {
        let Some(seen) = self.look_up(&child, settled) else { return Ok(()) };
        if !self.permitted(scene, motion, &self.states[child.parent as usize], observer) {
            return Ok(());
        }
        child.h = match seen {
            Ok(known) => self.states[known as usize].h,
            Err(_) => match estimate(child.node)? {
                Some(h) => h,
                None => return Ok(()),
            },
        };
        self.open(seen, child, settled);
        Ok(())
    }

    /// Puts `child`, whose surcharge is not known yet, on the open list if its f is due, and keeps it until then if not.
    #[inline]
    fn defer<S, F, R, L>(
        &mut self,
        scene: &Scene<'_, S, F, R, L>,
        child: State<A, C>,
        settled: Tick,
        observer: &mut impl Observer,
    ) where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        R: ReservationStore,
        L: CostLayer<S>,
    {
        let f = child.g.plus(child.h);
        let child = self.unborn.number(child);
        if f > self.open.f() {
            self.limited |= !self.unborn.push(f, child);
        } else {
            self.bear(scene, child, settled, observer);
        }
    }

    /// Puts `child`, whose f is due, on the open list as [`offer`](Self::offer) does, unless its surcharge makes it wait.
    fn bear<S, F, R, L>(
        &mut self,
        scene: &Scene<'_, S, F, R, L>,
        child: Child<A, C>,
        settled: Tick,
        observer: &mut impl Observer,
    ) where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        R: ReservationStore,
        L: CostLayer<S>,
    {
        let Child { state, .. } = child;
        let Some(seen) = self.look_up(&state, settled) else { return };
        let from = self.states[state.parent as usize];
        let motion = match state.action {
            None => Motion::Rest { node: state.node, ticks: state.tick - from.tick },
            Some(action) => {
                let Some(m) = move_by_action(scene.space, from.node, action) else { return };
                if !child.charged {
                    let surcharge = scene.layer.surcharge(scene.space, &m, from.tick, &self.asker());
                    if surcharge > C::zero() {
                        let state = State { g: from.g.plus(m.cost.plus(surcharge)), ..state };
                        self.limited |= !self.unborn.push(state.g.plus(state.h), child.charged(state));
                        return;
                    }
                }
                Motion::Move(m)
            }
        };
        if self.permitted(scene, &motion, &from, observer) {
            self.open(seen, state, settled);
        }
    }

    /// The slot of a state that `child` may replace, or the vacancy where it may go. `None`: it is of no use.
    #[inline]
    fn look_up(&mut self, child: &State<A, C>, settled: Tick) -> Option<Result<u32, Vacancy>> {
        if child.tick > self.query.latest || child.tick > FOREVER - self.period {
            self.limited = true;
            return None;
        }
        if self.settles(child, settled) && self.is_dominated(child) {
            return None;
        }
        let seen = self.seen.find(child.node, self.told_apart(child.tick, settled));
        if let Ok(known) = seen {
            let State { g, closed, .. } = self.states[known as usize];
            if closed || g <= child.g {
                return None;
            }
        }
        Some(seen)
    }

    /// Puts `child` on the open list.
    #[inline]
    fn open(&mut self, seen: Result<u32, Vacancy>, child: State<A, C>, settled: Tick) {
        let slot = match seen {
            Ok(known) => {
                self.states[known as usize] = child;
                known
            }
            Err(vacancy) => {
                let Ok(slot) = u32::try_from(self.states.len()) else {
                    self.limited = true;
                    return;
                };
                self.seen.insert(vacancy, slot);
                self.states.push(child);
                self.generated += 1;
                if self.settles(&child, settled) {
                    self.note_earliest(&child, slot);
                }
                slot
            }
        };
        self.open.push(child.g.plus(child.h), child.g, slot);
    }

    /// Whether `child` comes when nothing changes any more, though later ticks are told apart.
    #[inline]
    fn settles(&self, child: &State<A, C>, settled: Tick) -> bool {
        child.tick >= settled && self.query.latest != FOREVER && self.query.horizon == FOREVER
    }

    /// Whether the node of `child` was reached as cheaply and as early before, when nothing changes any more but by the clock. With a limit on
    /// ticks this test ends the search: a detour back to a node is a state of its own, and useless.
    fn is_dominated(&mut self, child: &State<A, C>) -> bool {
        let earliest = self.seen.find(child.node, self.earliest(child.tick)).ok();
        earliest.is_some_and(|slot| {
            let known = &self.states[slot as usize];
            known.g <= child.g && known.tick <= child.tick
        })
    }

    /// The tick under which the table of seen states keeps the earliest settled state of a node, of those that arrive as long after a departure of
    /// moves by the clock.
    fn earliest(&self, tick: Tick) -> Tick {
        EARLIEST - tick % self.period
    }

    fn note_earliest(&mut self, child: &State<A, C>, slot: u32) {
        match self.seen.find(child.node, self.earliest(child.tick)) {
            Ok(known) if self.states[known as usize].tick <= child.tick => {}
            Ok(_) => self.seen.replace(child.node, self.earliest(child.tick), slot),
            Err(vacancy) => self.seen.insert(vacancy, slot),
        }
    }
}
