//! The ledger: what everybody has reserved, will do, and rests on. All three change together, and only here: no other file of a crowd changes
//! its reservation store.
//!
//! Whatever may have to be taken back is a [`Proposal`]: committed or rolled back as a whole.

mod presence;
mod schedule;

use giveway_core::{
    AgentId, Cells, Claim, ConflictRule, Entry, FOREVER, NodeId, Rank, Refused, ReservationStore, Tick, Ticks,
};

use super::manners::Resters;
use super::rank::{BEGUN, RESTING};
use super::roster::Slot;
use super::world::AnyClass;

pub(super) use presence::Presence;
pub(super) use schedule::{Rest, Schedule};

/// What everybody has reserved, will do, and rests on.
pub(super) struct Ledger<R> {
    make_store: fn(Cells, Ticks) -> R,
    store: R,
    /// How many ticks the deepest window lasts.
    longest_window: Ticks,
    /// By slot.
    accounts: Vec<Account>,
    resters: Resters,
    /// Who is where at this tick; `None`: not looked up since things last moved.
    presence: Option<Presence>,
}

/// What one agent will do.
#[derive(Debug)]
struct Account {
    agent: AgentId,
    plan: Schedule,
}

/// What is changed until it is [committed](Ledger::commit) or [rolled back](Ledger::roll_back).
#[must_use]
pub(super) struct Proposal<M> {
    mark: M,
    /// Who has another plan by it, and the one that it had, in the order in which they changed.
    before: Vec<(Slot, Schedule)>,
}

impl<M> Proposal<M> {
    /// Notes that `slot` had the plan `before`.
    pub(super) fn note(&mut self, slot: Slot, before: Schedule) {
        self.before.push((slot, before));
    }

    /// Who has another plan by it, in the order in which they changed.
    pub(super) fn slots(&self) -> impl Iterator<Item = Slot> {
        self.before.iter().map(|(slot, _)| *slot)
    }
}

/// The plans; not the store, which may be large.
impl<R> std::fmt::Debug for Ledger<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ledger").field("accounts", &self.accounts).finish_non_exhaustive()
    }
}

impl<R: ReservationStore> Ledger<R> {
    /// A ledger on a store that `make_store` makes, for nobody yet.
    pub(super) fn new(make_store: fn(Cells, Ticks) -> R) -> Self {
        Self {
            make_store,
            store: make_store(Cells::new(ConflictRule::Swap, 0, 0), 0),
            longest_window: 0,
            accounts: Vec::new(),
            resters: Resters::default(),
            presence: None,
        }
    }

    /// Begins anew with a store for `cells` and windows of so many ticks. Plans are not reserved any more: everybody has to
    /// [stand](Self::stand).
    pub(super) fn begin_anew(&mut self, cells: Cells, longest_window: Ticks) {
        self.longest_window = longest_window;
        self.store = (self.make_store)(cells, longest_window);
    }

    /// How many ticks the deepest window lasts.
    pub(super) fn longest_window(&self) -> Ticks {
        self.longest_window
    }

    /// Opens an account for `agent`, at the last slot.
    pub(super) fn open(&mut self, agent: AgentId) {
        self.accounts.push(Account { agent, plan: Schedule::default() });
    }

    /// Closes the account at `slot`: what it held is given up. Those after it move up by one.
    pub(super) fn close(&mut self, slot: Slot) {
        self.clear(slot);
        self.accounts.remove(slot.index());
    }

    /// Gives up all that `slot` holds, whenever that was, and its plan: it is not where it was.
    pub(super) fn clear(&mut self, slot: Slot) {
        self.store.release(self.agent(slot), 0);
        self.presence = None;
        self.change_plan(slot, Schedule::default());
    }

    fn agent(&self, slot: Slot) -> AgentId {
        self.accounts[slot.index()].agent
    }

    /// What `slot` will do.
    #[inline]
    pub(super) fn plan(&self, slot: Slot) -> &Schedule {
        &self.accounts[slot.index()].plan
    }

    /// All reservations, to be looked at.
    pub(super) fn reservations(&self) -> &R {
        &self.store
    }

    /// Where agents rest that have to be pushed aside.
    pub(super) fn resters(&self) -> &Resters {
        &self.resters
    }

    /// Whether `claim` may have all of `entries`.
    pub(super) fn permits(&self, entries: &[Entry], claim: Claim) -> bool {
        entries.iter().all(|entry| self.store.permits(entry, claim))
    }

    /// Who is where at this tick, if that was looked up.
    pub(super) fn presence(&self) -> Option<&Presence> {
        self.presence.as_ref()
    }

    /// Notes who is where at this tick.
    pub(super) fn note_presence(&mut self, presence: Presence) {
        self.presence = Some(presence);
    }

    /// Things have moved, or will occupy something else from now on.
    pub(super) fn forget_presence(&mut self) {
        self.presence = None;
    }

    /// Begins what may be rolled back.
    pub(super) fn propose(&mut self) -> Proposal<R::Mark> {
        Proposal { mark: self.store.mark(), before: Vec::new() }
    }

    /// Keeps what was done since `proposal` was begun.
    #[allow(clippy::needless_pass_by_value)] // it has ended
    pub(super) fn commit(&mut self, _proposal: Proposal<R::Mark>) {
        self.store.settle();
    }

    /// Takes back what was done since `proposal` was begun.
    pub(super) fn roll_back(&mut self, proposal: Proposal<R::Mark>) {
        // Nothing has ended transactions since.
        let _ = self.store.rollback(proposal.mark);
        for (slot, plan) in proposal.before.into_iter().rev() {
            self.change_plan(slot, plan);
        }
        self.store.settle();
    }

    /// Gives up what `slot` holds at tick `from` and later, before it reserves something else.
    pub(super) fn release(&mut self, slot: Slot, from: Tick) {
        self.store.release(self.agent(slot), from);
    }

    /// Takes `slot` out of its own way while it looks for a plan from `from` on.
    pub(super) fn lift(&mut self, slot: Slot, from: Tick) {
        self.release(slot, from);
        let Account { agent, plan } = &self.accounts[slot.index()];
        plan.rest.iter().for_each(|rest| self.resters.forget(*agent, &rest.cells));
    }

    /// Until it has another plan, a `slot` that was [lifted](Self::lift) keeps its own.
    pub(super) fn put_down(&mut self, slot: Slot) {
        let Account { agent, plan } = &self.accounts[slot.index()];
        plan.rest.iter().for_each(|rest| self.resters.note(*agent, rest.from, &rest.cells));
    }

    /// Reserves `entries` for `slot` at `rank`. Those who lose something by that are added to `evicted`.
    ///
    /// # Errors
    /// Somebody holds part of it at no lower rank. Nothing has changed.
    pub(super) fn take(
        &mut self,
        slot: Slot,
        rank: Rank,
        entries: &[Entry],
        evicted: &mut Vec<AgentId>,
    ) -> Result<(), Refused> {
        self.store.commit(Claim { agent: self.agent(slot), rank }, entries, evicted)
    }

    /// [Takes](Self::take) what nobody loses anything by, or what need not be told.
    pub(super) fn hold(&mut self, slot: Slot, rank: Rank, entries: &[Entry]) -> Result<(), Refused> {
        self.store.reserve(Claim { agent: self.agent(slot), rank }, entries)
    }

    /// Gives `slot` a plan, whose reservations are made, and returns the one that it had.
    pub(super) fn change_plan(&mut self, slot: Slot, plan: Schedule) -> Schedule {
        let account = &mut self.accounts[slot.index()];
        let before = std::mem::replace(&mut account.plan, plan);
        before.rest.iter().for_each(|rest| self.resters.forget(account.agent, &rest.cells));
        account.plan.rest.iter().for_each(|rest| self.resters.note(account.agent, rest.from, &rest.cells));
        before
    }

    /// Gives `slot` room where it was just put, at the expense of everybody's plans; from now on it rests there at `rank`. Returns who loses
    /// something. Nobody may be there, or under way to there.
    pub(super) fn occupy(&mut self, slot: Slot, rank: Rank, room: &[Entry], now: Tick) -> Vec<AgentId> {
        let agent = self.agent(slot);
        if let Some(presence) = &mut self.presence {
            presence.note(agent, room);
        }
        let mut evicted = Vec::new();
        // Nobody's motion is in the way, so nobody can refuse.
        let taken = self.take(slot, BEGUN, room, &mut evicted);
        debug_assert!(taken.is_ok(), "{taken:?}");
        self.release(slot, now);
        let rested = self.hold(slot, rank, room);
        let rest = rested.is_ok().then(|| Rest::new(now, room));
        self.change_plan(slot, Schedule::new(Vec::new(), rest));
        evicted
    }

    /// Notes that the motion of `slot` that occupies `swept` is under way: nobody overrides that.
    pub(super) fn begin_motion(&mut self, slot: Slot, swept: &[Entry]) {
        let kept = self.hold(slot, BEGUN, swept);
        debug_assert!(kept.is_ok(), "{kept:?}");
    }

    /// Replaces the plan of `slot` by a rest on `node` from `from` on at `rank`, for as long as the place is free.
    pub(super) fn stand(&mut self, slot: Slot, rank: Rank, class: &dyn AnyClass<R>, node: NodeId, from: Tick) {
        self.release(slot, from);
        let (until, room) = self.hold_while_free(slot, rank, class, node, from);
        let rest = (until == FOREVER).then(|| Rest::new(from, &room));
        self.change_plan(slot, Schedule::new(Vec::new(), rest));
    }

    /// Reserves that `slot` stays on `node` from `from` on at `rank`, for as long as that is free, by halves of the longest window, and at
    /// nobody's expense. Until when, and what it holds; until `from`: nothing.
    pub(super) fn hold_while_free(
        &mut self,
        slot: Slot,
        rank: Rank,
        class: &dyn AnyClass<R>,
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

    /// Reserves a rest without end on `node`, where the plan of `slot` ends at `arrive`, if nobody else holds any of it. `moved`: the plan moves
    /// there, at `rank`, and the rest is held at that rank, too, until it is [lowered](Self::lower_rest): those who are pushed aside
    /// respect it. `soft`: it may be walked through from the tick after the arrival on.
    pub(super) fn rest_at_end(
        &mut self,
        slot: Slot,
        rank: Rank,
        class: &dyn AnyClass<R>,
        (node, arrive): (NodeId, Tick),
        moved: bool,
        soft: bool,
    ) -> Option<Rest> {
        let from = if moved { arrive.saturating_add(1) } else { arrive };
        let mut hold = |rank, begin, end| {
            let room = class.room(node, begin, end);
            self.hold(slot, rank, &room).ok().map(|()| Rest::new(from, &room))
        };
        let rest = hold(RESTING, arrive, FOREVER)?;
        if !moved {
            return Some(rest);
        }
        // All of this is its own by now, so nobody loses anything.
        hold(rank, arrive, if soft { from } else { FOREVER });
        hold(if soft { RESTING } else { rank }, from, FOREVER)
    }

    /// From now on others may plan through the rest of `slot` on `node`, the end of its plan. Only the tick of arrival keeps the plan's rank,
    /// lest two that want to arrive at one time push each other aside for ever.
    pub(super) fn lower_rest(&mut self, slot: Slot, class: &dyn AnyClass<R>, node: NodeId) {
        let Some(rest) = self.plan(slot).rest.as_ref().filter(|rest| !rest.cells.is_empty()) else { return };
        let room = class.room(node, rest.from, FOREVER);
        let lowered = self.hold(slot, RESTING, &room);
        debug_assert!(lowered.is_ok(), "{lowered:?}");
    }

    /// It is `now`: what has passed is over.
    pub(super) fn pass(&mut self, now: Tick) {
        self.presence = None;
        for account in &mut self.accounts {
            account.plan.pass(now);
        }
    }

    /// Forgets reservations of the past, which takes time for everything that is held.
    pub(super) fn forget_before(&mut self, now: Tick) {
        self.store.forget_before(now);
    }
}
