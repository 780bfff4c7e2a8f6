//! Successors by quanta: the agent waits for one wait quantum at a time, and states are (node, tick) pairs.

use std::ops::Range;

use super::scene::SceneParts;
use super::tree::{EARLIEST, SearchTree, State};
use crate::estimate::Heuristic;
use crate::footprint::Footprint;
use crate::layer::CostLayer;
use crate::observer::Observer;
use crate::space::SpaceGraph;
use crate::vocabulary::{Cost, FOREVER, Fuel, Motion, Move, NodeId, Span, Suspended, Tick};

/// On the open list, the mark of a note: what the state becomes by waiting will be due.
pub(super) const WAITS: u32 = 1 << 31;

/// The number of looks, at moves and at entries of the store, that the unit of work of an expansion pays for: about as
/// many as a point needs. The time of this many looks is the time of an expansion.
const LOOKS_OF_AN_EXPANSION: usize = 10;
const LOOKS_PER_UNIT: usize = 16;

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
    /// Puts the successors of the state at `slot` whose f is at most `due` on the open list, unless an earlier call has
    /// done so. Puts the state itself there, too, if other successors are left. Most successors are never due: their
    /// surcharges and reservations are never looked up.
    ///
    /// Partial expansion: Yoshizumi, Miura & Ishida, "A* with Partial Expansion for Large Branching Factor Problems",
    /// AAAI 2000.
    ///
    /// The first call for a state burns fuel. If the fuel runs out, no state has changed: call it again with `due` as
    /// it was.
    #[inline]
    #[allow(clippy::too_many_arguments)] // private, and each is one of the loop's own variables
    pub(super) fn expand_by_quanta<W: SceneParts<Action = A, Cost = C>>(
        &mut self,
        scene: &W,
        slot: u32,
        due: C,
        heuristic: &mut impl Heuristic<W::Space>,
        fuel: &mut Fuel,
        observer: &mut impl Observer,
    ) -> Result<(), Suspended> {
        let space = scene.space();
        let state = self.states[slot as usize];
        // At the horizon, and the agent may not stay there.
        if state.tick >= self.query.horizon {
            return fuel.burn();
        }
        let (place, is_noted) = match self.reached.moves(state.node) {
            Some(moves) => (moves, true),
            None => self.list_moves(space, state.node, heuristic, fuel)?,
        };
        // Until here only the list has changed. So fuel, whenever it runs out, makes no difference.
        if !state.closed {
            if let Err(out) = fuel.burn() {
                self.forget_unnoted(place.start, is_noted);
                return Err(out);
            }
            let beyond = self.looked_at.saturating_sub(LOOKS_OF_AN_EXPANSION);
            fuel.burn_at_most(beyond / LOOKS_PER_UNIT);
            self.looked_at = beyond % LOOKS_PER_UNIT;
        }
        self.looked_at += place.len();
        let mut left = Left::default();
        let mut surcharged = Left::default();
        // Taken out, so that the loop may change the rest of the tree.
        let moves = std::mem::take(&mut self.moves);
        for (m, h) in &moves[place.clone()] {
            let g = state.g.plus(m.cost);
            let f = g.plus(*h);
            if f > due {
                left.note(f, g);
                continue;
            }
            if state.closed && f <= state.done && !state.surcharged {
                continue;
            }
            let departs = |m: &Move<A, C>| space.departs(m, state.tick);
            let Some(duration) = scene.footprint().duration(space, m).filter(|_| departs(m)) else { continue };
            let tick = state.tick.saturating_add(duration);
            let apart = self.told_apart(tick);
            if self.reached.contains(m.to, apart) {
                continue;
            }
            let surcharge = scene.layer().surcharge(space, m, state.tick, &self.asker());
            let g = state.g.plus(m.cost.plus(surcharge));
            let f = g.plus(*h);
            if f > due {
                surcharged.note(f, g);
                self.states[slot as usize].surcharged = true;
            } else if !(state.closed && f <= state.done) {
                let child = State::new(m.to, tick, slot, Some(m.action), g, *h);
                self.offer(scene, &Motion::Move(*m), &state, child, apart, observer);
            }
        }
        self.moves = moves;
        self.forget_unnoted(place.start, is_noted);
        if !state.closed {
            self.consider_waiting(scene, slot, &state, due, observer);
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
            if let Some(h) = heuristic.estimate(space, m.to, fuel)? {
                self.moves.push((m, h));
            }
            Ok(())
        });
        if let Err(out) = listed {
            self.moves.truncate(begin);
            return Err(out);
        }
        let place = begin..self.moves.len();
        Ok((place.clone(), self.reached.note_moves(node, place)))
    }

    /// Takes the moves from `begin` on off the list, unless their place was noted: without the note they are never
    /// found again.
    #[inline]
    fn forget_unnoted(&mut self, begin: usize, is_noted: bool) {
        if !is_noted {
            self.moves.truncate(begin);
        }
    }

    /// Offers what the state at `slot` becomes by waiting; until that is due, puts a note on the open list.
    #[inline]
    fn consider_waiting<W: SceneParts<Action = A, Cost = C>>(
        &mut self,
        scene: &W,
        slot: u32,
        state: &State<A, C>,
        due: C,
        observer: &mut impl Observer,
    ) {
        // Once everything is settled, waiting leads to a state that is already known, unless moves go by the clock.
        if state.tick >= self.settled && self.period == 1 {
            return;
        }
        let arrive = self.after_waiting(scene, state);
        let apart = self.told_apart(arrive);
        if self.reached.contains(state.node, apart) {
            // It would be left out when its turn comes, too.
            return;
        }
        let g = state.g.plus(self.price_of_wait(scene, state, arrive));
        let f = g.plus(state.h);
        if f > due {
            self.open.push(f, (g, slot | WAITS));
        } else {
            self.wait(scene, slot, state, (arrive, apart, g), observer);
        }
    }

    /// Offers what a state becomes by waiting; the note of that state, with the cost `g`, has come off the open list.
    #[inline]
    pub(super) fn wait_at<W: SceneParts<Action = A, Cost = C>>(
        &mut self,
        scene: &W,
        (g, note): (C, u32),
        observer: &mut impl Observer,
    ) {
        let slot = note & !WAITS;
        let state = self.states[slot as usize];
        let arrive = self.after_waiting(scene, &state);
        let apart = self.told_apart(arrive);
        if !self.reached.contains(state.node, apart) {
            self.wait(scene, slot, &state, (arrive, apart, g), observer);
        }
    }

    /// Offers what the state at `slot` becomes by waiting until `arrive`, at the cost `g`.
    #[inline]
    fn wait<W: SceneParts<Action = A, Cost = C>>(
        &mut self,
        scene: &W,
        slot: u32,
        state: &State<A, C>,
        (arrive, apart, g): (Tick, Tick, C),
        observer: &mut impl Observer,
    ) {
        let motion = Motion::Rest { node: state.node, ticks: arrive - state.tick };
        let child = State::new(state.node, arrive, slot, None, g, state.h);
        self.offer(scene, &motion, state, child, apart, observer);
    }

    /// When a wait that begins in `state` ends.
    #[inline]
    fn after_waiting<W: SceneParts<Action = A, Cost = C>>(&self, scene: &W, state: &State<A, C>) -> Tick {
        // Where moves go by the clock, a move may depart at any tick.
        state.tick.saturating_add(if self.period > 1 { 1 } else { scene.footprint().wait_quantum() })
    }

    /// The cost of waiting in `state` until `arrive`.
    #[inline]
    fn price_of_wait<W: SceneParts<Action = A, Cost = C>>(&self, scene: &W, state: &State<A, C>, arrive: Tick) -> C {
        let per_step = scene.footprint().ticks_per_step().max(1);
        let base = if self.query.horizon < FOREVER && self.query.goals.contains(state.node) {
            C::zero()
        } else if per_step == 1 {
            // No rounding and no division: points on unit steps.
            self.query.wait_cost.times(arrive - state.tick)
        } else {
            self.price_of_waiting(arrive, per_step).minus(self.price_of_waiting(state.tick, per_step))
        };
        scene.layer().wait(scene.space(), state.node, Span::new(state.tick, arrive), base, &self.asker())
    }

    /// Puts `child`, which was not reached before, on the open list, if its motion from the `parent` is permitted. The
    /// tick `apart` tells it from other states.
    #[inline(always)]
    fn offer<W: SceneParts<Action = A, Cost = C>>(
        &mut self,
        scene: &W,
        motion: &Motion<A, C>,
        parent: &State<A, C>,
        child: State<A, C>,
        apart: Tick,
        observer: &mut impl Observer,
    ) {
        if child.tick > self.query.latest || child.tick > FOREVER - self.period {
            self.limited = true;
            return;
        }
        let settles = self.settles(&child);
        if settles && self.is_dominated(&child) || !self.permitted(scene, motion, parent, observer) {
            return;
        }
        let Some(slot) = u32::try_from(self.states.len()).ok().filter(|slot| *slot < WAITS) else {
            self.limited = true;
            return;
        };
        // States come in order of f: no later state of this node and tick costs less.
        self.reached.insert(child.node, apart);
        self.states.push(child);
        self.generated += 1;
        if settles {
            self.note_earliest(&child, slot);
        }
        self.open.push(child.g.plus(child.h), (child.g, slot));
    }

    /// Whether `child` comes when nothing changes any more, though later ticks are told apart.
    #[inline]
    fn settles(&self, child: &State<A, C>) -> bool {
        child.tick >= self.settled && self.query.latest != FOREVER && self.query.horizon == FOREVER
    }

    /// Whether the node of `child` was reached before, as cheaply and as early, when nothing changes any more but by
    /// the clock. With a limit on ticks this test ends the search: a detour back to a node is a state of its own, and
    /// useless.
    fn is_dominated(&mut self, child: &State<A, C>) -> bool {
        let earliest = self.seen.find(child.node, self.earliest(child.tick)).ok();
        earliest.is_some_and(|slot| {
            let known = &self.states[slot as usize];
            known.g <= child.g && known.tick <= child.tick
        })
    }

    /// The tick under which the table of seen states keeps the earliest settled state of a node, among the states that
    /// arrive equally long after a departure of moves by the clock.
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
