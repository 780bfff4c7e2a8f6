//! Stays: places that agents hold where their plans end, or where they have none.

use giveway_core::{AgentId, Claim, Entry, FOREVER, NodeId, Rank, Tick};

use super::{Ledger, Rest, Schedule, Slot};
use giveway_members::leg::Leg;
use giveway_members::rank::RESTING;
use giveway_members::world::AnyClass;

impl Ledger {
    /// Makes the rest at the end of the plan of `slot` last at least until `until`, and reserves it at `rank`. Agents
    /// that lose something are added to `evicted`. Returns whether that is permitted; if not, or if the plan does not
    /// end with a rest, nothing has changed.
    pub(crate) fn prolong(
        &mut self,
        slot: Slot,
        rank: Rank,
        class: &dyn AnyClass,
        until: Tick,
        evicted: &mut Vec<AgentId>,
    ) -> bool {
        let last = self.plan(slot).ahead().last().copied();
        let Some(last) = last.filter(|leg| !leg.is_move()) else { return false };
        if last.arrive >= until {
            return true;
        }
        let room = class.room(last.to, last.arrive, until);
        if self.take(slot, rank, &room, evicted).is_err() {
            return false;
        }
        self.changed_plans.note(slot);
        let account = &mut self.accounts[slot.index()];
        account.plan.prolong(until);
        account.plan.rank = rank;
        true
    }

    /// Gives `slot` room where it was just put, at the expense of all plans; from now on it rests there at `rank`.
    /// Returns the agents that lose something. No agent may be there, or under way there.
    pub(crate) fn occupy(&mut self, slot: Slot, rank: Rank, room: &[Entry], now: Tick) -> Vec<AgentId> {
        let agent = self.agent(slot);
        if let Some(presence) = &mut self.presence {
            presence.note(agent, room);
        }
        let evicted = self.evict(slot, room);
        self.release(slot, now);
        let rested = self.hold(slot, rank, room);
        let rest = rested.is_ok().then(|| Rest::new(now, room));
        self.change_plan(slot, Schedule::new(Vec::new(), rest));
        evicted
    }

    /// Replaces the plan of `slot` by a rest on `node` from `from` on at `rank`, for as long as the place is free.
    pub(crate) fn stand(&mut self, slot: Slot, rank: Rank, class: &dyn AnyClass, node: NodeId, from: Tick) {
        self.release(slot, from);
        let (until, room) = self.hold_while_free(slot, rank, class, node, from);
        let rest = (until == FOREVER).then(|| Rest::new(from, &room));
        self.change_plan(slot, Schedule::new(Vec::new(), rest));
    }

    /// Reserves that `slot` stays on `node` from `from` on at `rank`, for as long as the place is free. Overrides no
    /// reservation. Tries an endless rest, then halves of the longest window. Returns the end of the stay, and what it
    /// holds; an end at `from`: nothing.
    pub(crate) fn hold_while_free(
        &mut self,
        slot: Slot,
        rank: Rank,
        class: &dyn AnyClass,
        node: NodeId,
        from: Tick,
    ) -> (Tick, Vec<Entry>) {
        let mut ticks = self.longest_window;
        let mut until = FOREVER;
        let lowly = Claim { agent: self.agent(slot), rank: RESTING };
        loop {
            let room = class.room(node, from, until);
            let free = self.permits(&room, lowly);
            if free && self.hold(slot, rank, &room).is_ok() {
                return (until, room);
            }
            if ticks == 0 {
                return (from, Vec::new());
            }
            until = from.saturating_add(ticks);
            ticks /= 2;
        }
    }

    /// Reserves an endless rest on `node`, where the plan of `slot` ends at `arrive`, if no other agent holds any of
    /// it. The rest has the rank `rank` until it is [lowered](Self::lower_rest), so that pushed agents respect it.
    /// `moved`: the plan moves there. `soft`: others may walk through the rest from the tick after the arrival on.
    pub(crate) fn rest_at_end(
        &mut self,
        slot: Slot,
        rank: Rank,
        class: &dyn AnyClass,
        (node, arrive): (NodeId, Tick),
        moved: bool,
        soft: bool,
    ) -> Option<Rest> {
        let from = if moved { arrive.saturating_add(1) } else { arrive };
        let mut hold = |rank, begin, end| self.hold_for(slot, rank, class, &Leg::resting(node, begin, end));
        let mut holds = hold(RESTING, arrive, FOREVER);
        if holds && rank != RESTING {
            // By now the agent owns all of this, so no other agent loses anything.
            hold(rank, arrive, if soft { from } else { FOREVER });
            holds = hold(if soft { RESTING } else { rank }, from, FOREVER);
        }
        holds.then(|| Rest::new(from, &self.spare.room))
    }

    /// Makes `slot` [hold](Self::hold) what `leg` takes, if that is permitted at `rank`. Returns whether it is. The spare
    /// room is then what the leg takes.
    fn hold_for(&mut self, slot: Slot, rank: Rank, class: &dyn AnyClass, leg: &Leg) -> bool {
        let mut room = std::mem::take(&mut self.spare.room);
        room.clear();
        class.sweep(leg, &mut room);
        let holds = self.hold(slot, rank, &room).is_ok();
        self.spare.room = room;
        holds
    }

    /// Lets others plan through the rest of `slot` on `node`, the end of its plan. Only the tick of arrival keeps the
    /// plan's rank; otherwise two agents that want to arrive at one time could push each other aside for ever.
    pub(crate) fn lower_rest(&mut self, slot: Slot, class: &dyn AnyClass, node: NodeId) {
        let Some(rest) = self.plan(slot).rest.as_ref().filter(|rest| !rest.cells.is_empty()) else { return };
        let leg = Leg::resting(node, rest.from, FOREVER);
        let lowers = self.hold_for(slot, RESTING, class, &leg);
        debug_assert!(lowers, "agent {} does not hold its rest", self.accounts[slot.index()].agent.0);
        self.changed_plans.note(slot);
        self.accounts[slot.index()].plan.rank = RESTING;
    }
}
