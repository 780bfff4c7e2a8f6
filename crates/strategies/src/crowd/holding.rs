//! Holding: what an agent reserves when it has no plan, or has lost it.

use giveway_core::{AgentId, Claim, Entry, FOREVER, NodeId, ReservationStore, Tick};

use super::chain::Link;
use super::leg::Leg;
use super::member::{Member, Rest, Schedule};
use super::rank::RESTING;
use super::{ClassId, Crowd};

impl<R: ReservationStore> Crowd<'_, R> {
    /// Lets an agent whose search has just found no plan go where it can hold out longest, if that is longer than it can by its
    /// old plan: by then others may have moved.
    pub(super) fn hold_out(&mut self, agent: AgentId) {
        let now = self.now;
        let Some(member) = self.members.get(&agent) else {
            return;
        };
        let (_, depart) = member.free_at(now);
        let until = |legs: &[Leg]| legs.last().map_or(depart, |leg| leg.arrive);
        let class = &self.classes[member.class.0 as usize];
        let Some(found) = class.longest(agent).filter(|found| until(&found.legs) > until(member.plan.ahead())) else {
            return;
        };
        if member.plan.rest.is_some() {
            return;
        }
        let claim = member.claim(agent, self.clock());
        let mark = self.store.mark();
        let mut evicted = Vec::new();
        self.store.release(agent, depart);
        let had = self.store.commit(claim, &found.entries, &mut evicted);
        // It is no reason to push others aside.
        if had.is_ok() && evicted.is_empty() {
            self.store.settle();
            self.change_plan(agent, Schedule::new(found.legs, None).by(Link::Windowed));
        } else {
            self.put_back(mark, Vec::new());
        }
    }

    /// Makes an agent that found no plan hold the place where it will be when its old plan has run out.
    pub(super) fn hold_on(&mut self, agent: AgentId) {
        let now = self.now;
        let exhausted = |member: &&Member| !member.plan.covers(member.free_at(now).1);
        if self.members.get(&agent).filter(exhausted).is_some() {
            self.stand(agent);
        }
    }

    /// Makes `agent` give up its plan and stand where it is, or where its motion under way ends; it plans anew at `due`.
    pub(super) fn lose_plan(&mut self, agent: AgentId, due: Tick) {
        self.stand(agent);
        self.put_in_line(agent, due);
    }

    /// Replaces the plan of `agent` by a rest, for as long as the place is free.
    pub(super) fn stand(&mut self, agent: AgentId) {
        let now = self.now;
        let Some(member) = self.members.get(&agent) else {
            return;
        };
        let (node, from) = member.free_at(now);
        // Others may plan through one that has had no chance to plan yet; not through one that has found no plan.
        let claim = if member.is_new() { member.claim_at_rest(agent) } else { member.claim(agent, self.clock()) };
        let class = member.class;
        self.store.release(agent, from);
        let (until, room) = self.hold_while_free(claim, class, node, from);
        let rest = (until == FOREVER).then(|| Rest::of(from, &room));
        self.change_plan(agent, Schedule::new(Vec::new(), rest));
    }

    /// Reserves that whoever `claim`s stays on `node` from `from` on, for as long as that is free, by halves of the longest window, and at
    /// nobody's expense. Until when, and what it holds; until `from`: nothing.
    pub(super) fn hold_while_free(
        &mut self,
        claim: Claim,
        class: ClassId,
        node: NodeId,
        from: Tick,
    ) -> (Tick, Vec<Entry>) {
        let mut ticks = self.longest_window();
        let class = &self.classes[class.0 as usize];
        let store = &mut self.store;
        let mut room = Vec::new();
        let mut until = FOREVER;
        loop {
            class.sweep(&Leg::resting(node, from, until), &mut room);
            let free = room.iter().all(|entry| store.permits(entry, Claim { rank: RESTING, ..claim }));
            if free && store.reserve(claim, &room).is_ok() {
                return (until, room);
            }
            room.clear();
            if ticks == 0 {
                return (from, room);
            }
            until = from.saturating_add(ticks);
            ticks /= 2;
        }
    }

    /// Gives `agent` a plan, whose reservations are made, and returns the one that it had.
    pub(super) fn change_plan(&mut self, agent: AgentId, plan: Schedule) -> Schedule {
        let Some(member) = self.members.get_mut(&agent) else {
            return Schedule::default();
        };
        let before = std::mem::replace(&mut member.plan, plan);
        before.rest.iter().for_each(|rest| self.resters.forget(agent, rest));
        member.plan.rest.iter().for_each(|rest| self.resters.note(agent, rest));
        before
    }
}
