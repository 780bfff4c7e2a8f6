//! Successors by quanta: the agent waits for one wait quantum at a time, and states are (node, tick) pairs.

use super::query::Scene;
use super::tree::{Cursor, EARLIEST, SearchTree, State};
use crate::cost::Cost;
use crate::footprint::{Footprint, Motion};
use crate::fuel::{Fuel, Suspended};
use crate::heuristic::Heuristic;
use crate::layer::CostLayer;
use crate::observer::Observer;
use crate::reservation::ReservationStore;
use crate::space::{NodeId, SpaceGraph};
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
            let arrive = state.tick.saturating_add(duration);
            let cost = m.cost.plus(layer.surcharge(space, &m, state.tick, &self.asker()));
            let child = State {
                node: m.to,
                tick: arrive,
                parent: slot,
                closed: false,
                action: Some(m.action),
                g: state.g.plus(cost),
                h: state.h,
            };
            self.offer(
                scene,
                &state,
                &Motion::Move(m),
                child,
                settled,
                |node| heuristic.estimate(space, node, fuel),
                observer,
            )?;
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
            let rest = Motion::Rest { node: state.node, ticks: quantum };
            self.offer(scene, &state, &rest, child, settled, |_| Ok(Some(state.h)), observer)?;
        }
        Ok(())
    }

    /// Puts `child` on the open list if it is new or better than before, and its motion is permitted.
    #[inline]
    #[allow(clippy::too_many_arguments)] // private, and each is one of the loop's own variables
    fn offer<S, F, R, L>(
        &mut self,
        scene: &Scene<'_, S, F, R, L>,
        from: &State<A, C>,
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
        if child.tick > self.query.latest || child.tick > FOREVER - self.period {
            self.limited = true;
            return Ok(());
        }
        let settles = child.tick >= settled && self.query.latest != FOREVER && self.query.horizon == FOREVER;
        if settles && self.is_dominated(&child) {
            return Ok(());
        }
        match self.seen.find(child.node, self.told_apart(child.tick, settled)) {
            Ok(known) => {
                let State { g, closed, h, .. } = self.states[known as usize];
                if child.g < g && !closed && self.permitted(scene, motion, from, observer) {
                    child.h = h;
                    self.states[known as usize] = child;
                    self.open.push(child.g.plus(h), child.g, known);
                }
            }
            Err(vacancy) => {
                if !self.permitted(scene, motion, from, observer) {
                    return Ok(());
                }
                let Some(h) = estimate(child.node)? else {
                    return Ok(());
                };
                let Ok(slot) = u32::try_from(self.states.len()) else {
                    self.limited = true;
                    return Ok(());
                };
                child.h = h;
                self.seen.insert(vacancy, slot);
                self.states.push(child);
                self.open.push(child.g.plus(h), child.g, slot);
                self.generated += 1;
                if settles {
                    self.note_earliest(&child, slot);
                }
            }
        }
        Ok(())
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
