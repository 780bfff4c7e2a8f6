//! Successors by quanta: the agent waits for one wait quantum at a time, and states are (node, tick) pairs.

use std::ops::Range;

use super::query::Scene;
use super::tree::{EARLIEST, SearchTree, State};
use crate::cost::Cost;
use crate::footprint::{Footprint, Motion, MoveIn};
use crate::fuel::{Fuel, Suspended};
use crate::heuristic::Heuristic;
use crate::layer::CostLayer;
use crate::observer::Observer;
use crate::reservation::ReservationStore;
use crate::space::{NodeId, SpaceGraph};
use crate::time::{FOREVER, Span, Tick};

/// On the open list, the mark of a note that a state will be due as it is after waiting.
pub(super) const WAITS: u32 = 1 << 31;

/// The moves from a state that are not due yet.
#[derive(Clone, Copy, Debug)]
struct Left<C> {
    /// The least f among their ends, and the g of the first one that has it.
    next: Option<(C, C)>,
}

impl<C: Cost> Default for Left<C> {
    fn default() -> Self {
        Self { next: None }
    }
}

impl<C: Cost> Left<C> {
    #[inline]
    fn note(&mut self, f: C, g: C) {
        if self.next.is_none_or(|(least, _)| f < least) {
            self.next = Some((f, g));
        }
    }

    /// What is left of both: of equal f, the one in `self`.
    #[inline]
    fn or(mut self, other: Self) -> Self {
        if let Some((f, g)) = other.next {
            self.note(f, g);
        }
        self
    }
}

impl<A: Copy + Eq, C: Cost> SearchTree<A, C> {
    /// Puts the successors of the state at `slot` whose f is at most `due` on the open list, unless an earlier call has done so, and the state itself
    /// if other successors are left. Most successors are never due: nobody looks for surcharges and reservations in their way.
    ///
    /// Partial expansion: Yoshizumi, Miura & Ishida, "A* with Partial Expansion for Large Branching Factor Problems", AAAI 2000.
    ///
    /// The first call for a state burns fuel. If the fuel runs out, no state has changed: call it again with `due` as it was.
    #[inline]
    #[allow(clippy::too_many_arguments)] // private, and each is one of the loop's own variables
    pub(super) fn expand_by_quanta<S, F, R, L>(
        &mut self,
        scene: &Scene<'_, S, F, R, L>,
        slot: u32,
        due: C,
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
        let space = scene.space;
        let state = self.states[slot as usize];
        // At the horizon, and the agent may not stay there.
        if state.tick >= self.query.horizon {
            return fuel.burn();
        }
        let (moves, is_noted) = match self.reached.moves(state.node) {
            Some(moves) => (moves, true),
            None => self.list_moves(space, state.node, heuristic, fuel)?,
        };
        // Until here nothing has changed but the list. So fuel, whenever it runs out, makes no difference.
        if !state.closed
            && let Err(out) = fuel.burn()
        {
            self.forget_unnoted(moves.start, is_noted);
            return Err(out);
        }
        let mut left = Left::default();
        let mut surcharged = Left::default();
        for index in moves.clone() {
            let (m, h) = &self.moves[index];
            let g = state.g.plus(m.cost);
            let f = g.plus(*h);
            if f > due {
                left.note(f, g);
                continue;
            }
            if state.closed && f <= state.done && !state.surcharged {
                continue;
            }
            let departs = |m: &MoveIn<S>| space.departs(m, state.tick);
            let Some(duration) = scene.footprint.duration(space, m).filter(|_| departs(m)) else { continue };
            let tick = state.tick.saturating_add(duration);
            if !self.reached.contains(m.to, self.told_apart(tick)) {
                self.offer_move(scene, (slot, &state), (index, tick), due, &mut surcharged, observer);
            }
        }
        self.forget_unnoted(moves.start, is_noted);
        if !state.closed {
            self.consider_waiting(scene, slot, due, observer);
        }
        self.states[slot as usize].done = due;
        if let Some((f, g)) = left.or(surcharged).next {
            self.open.push(f, (g, slot));
        }
        Ok(())
    }

    /// Lists the moves from `node`. Returns their place, and whether it has been noted.
    #[inline(never)]
    fn list_moves<S>(
        &mut self,
        space: &S,
        node: NodeId,
        heuristic: &mut impl Heuristic<S>,
        fuel: &mut Fuel,
    ) -> Result<(Range<usize>, bool), Suspended>
    where
        S: SpaceGraph<Action = A, Cost = C>,
    {
        let begin = self.moves.len();
        let listed = space.moves(node).try_for_each(|m| {
            self.moves.extend(heuristic.estimate(space, m.to, fuel)?.map(|h| (m, h)));
            Ok(())
        });
        if let Err(out) = listed {
            self.moves.truncate(begin);
            return Err(out);
        }
        let place = begin..self.moves.len();
        Ok((place.clone(), self.reached.note_moves(node, place)))
    }

    /// Takes moves off the list that begin at `begin`, unless their place was noted: nobody would find them again.
    #[inline]
    fn forget_unnoted(&mut self, begin: usize, is_noted: bool) {
        if !is_noted {
            self.moves.truncate(begin);
        }
    }

    /// Offers the end, at `tick`, of the move at `index` of the list from the state at `slot`, if no surcharge makes it wait.
    #[allow(clippy::too_many_arguments)] // as for `expand_by_quanta`
    fn offer_move<S, F, R, L>(
        &mut self,
        scene: &Scene<'_, S, F, R, L>,
        (slot, state): (u32, &State<A, C>),
        (index, tick): (usize, Tick),
        due: C,
        surcharged: &mut Left<C>,
        observer: &mut impl Observer,
    ) where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        R: ReservationStore,
        L: CostLayer<S>,
    {
        let (m, h) = self.moves[index];
        let surcharge = scene.layer.surcharge(scene.space, &m, state.tick, &self.asker());
        let g = state.g.plus(m.cost.plus(surcharge));
        let f = g.plus(h);
        if f > due {
            surcharged.note(f, g);
            self.states[slot as usize].surcharged = true;
        } else if !(state.closed && f <= state.done) {
            let action = Some(m.action);
            let child = State {
                node: m.to,
                tick,
                parent: slot,
                closed: false,
                surcharged: false,
                action,
                g,
                h,
                done: C::zero(),
            };
            self.offer(scene, &Motion::Move(m), child, observer);
        }
    }

    /// Offers what the state at `slot` becomes by waiting; until that is due, puts a note on the open list.
    #[inline]
    fn consider_waiting<S, F, R, L>(
        &mut self,
        scene: &Scene<'_, S, F, R, L>,
        slot: u32,
        due: C,
        observer: &mut impl Observer,
    ) where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        R: ReservationStore,
        L: CostLayer<S>,
    {
        let state = self.states[slot as usize];
        // Once everything is settled, waiting leads to a state that is already known, unless moves go by the clock.
        if state.tick >= self.settled && self.period == 1 {
            return;
        }
        let child = self.after_waiting(scene, slot);
        let f = child.g.plus(child.h);
        if self.reached.contains(child.node, self.told_apart(child.tick)) {
            // It would be left out when its turn comes, too.
        } else if f > due {
            self.open.push(f, (child.g, slot | WAITS));
        } else {
            self.wait(scene, child, observer);
        }
    }

    /// Offers what the state becomes by waiting whose note has come off the open list.
    pub(super) fn wait_at<S, F, R, L>(&mut self, scene: &Scene<'_, S, F, R, L>, note: u32, observer: &mut impl Observer)
    where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        R: ReservationStore,
        L: CostLayer<S>,
    {
        let child = self.after_waiting(scene, note & !WAITS);
        self.wait(scene, child, observer);
    }

    fn wait<S, F, R, L>(&mut self, scene: &Scene<'_, S, F, R, L>, child: State<A, C>, observer: &mut impl Observer)
    where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        R: ReservationStore,
    {
        if !self.reached.contains(child.node, self.told_apart(child.tick)) {
            let ticks = child.tick - self.states[child.parent as usize].tick;
            self.offer(scene, &Motion::Rest { node: child.node, ticks }, child, observer);
        }
    }

    /// The state at `slot` a wait later.
    #[inline]
    fn after_waiting<S, F, R, L>(&self, scene: &Scene<'_, S, F, R, L>, slot: u32) -> State<A, C>
    where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        L: CostLayer<S>,
    {
        let state = self.states[slot as usize];
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
        let span = Span::new(state.tick, arrive);
        let g = state.g.plus(scene.layer.wait(scene.space, state.node, span, base, &self.asker()));
        State { tick: arrive, parent: slot, closed: false, surcharged: false, action: None, g, ..state }
    }

    /// Puts `child`, which was not reached before, on the open list, if its motion is permitted.
    #[inline(always)]
    fn offer<S, F, R, L>(
        &mut self,
        scene: &Scene<'_, S, F, R, L>,
        motion: &Motion<A, C>,
        child: State<A, C>,
        observer: &mut impl Observer,
    ) where
        S: SpaceGraph<Action = A, Cost = C>,
        F: Footprint<S>,
        R: ReservationStore,
    {
        if child.tick > self.query.latest || child.tick > FOREVER - self.period {
            self.limited = true;
            return;
        }
        if self.settles(&child) && self.is_dominated(&child)
            || !self.permitted(scene, motion, &self.states[child.parent as usize], observer)
        {
            return;
        }
        let Some(slot) = u32::try_from(self.states.len()).ok().filter(|slot| *slot < WAITS) else {
            self.limited = true;
            return;
        };
        // States come in order of f: no later state of this node and tick costs less.
        self.reached.insert(child.node, self.told_apart(child.tick));
        self.states.push(child);
        self.generated += 1;
        if self.settles(&child) {
            self.note_earliest(&child, slot);
        }
        self.open.push(child.g.plus(child.h), (child.g, slot));
    }

    /// Whether `child` comes when nothing changes any more, though later ticks are told apart.
    #[inline]
    fn settles(&self, child: &State<A, C>) -> bool {
        child.tick >= self.settled && self.query.latest != FOREVER && self.query.horizon == FOREVER
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
