//! The ledger: what each agent has reserved, will do, and rests on. All three change together, and only here: no other
//! file of a crowd changes its reservation store.
//!
//! Changes that may have to be undone are a [`Proposal`], which is committed or rolled back as a whole.

mod board;
mod presence;
mod schedule;
mod written;

use giveway_core::{
    AgentId, Cells, Claim, ConflictRule, Entry, FOREVER, Mark, NodeId, Probe, Rank, Refused, ReservationStore as _,
    Span, Tick, Ticks,
};

use super::leg::Leg;
use super::manners::Resters;
use super::rank::{BEGUN, RESTING};
use super::roster::{Changes, Slot, push_sparingly, retain_by};
use super::store::{Kept, MakeStore, Store};
use super::world::AnyClass;

pub(super) use board::{Board, Holder, Marks};
pub(super) use presence::Presence;
pub(super) use schedule::{Rest, Schedule};
pub(super) use written::joined;

/// The reservations, the plan and the rest of each agent.
#[derive(Clone)]
pub(super) struct Ledger {
    make_store: MakeStore,
    store: Store,
    /// The ticks of the deepest window.
    longest_window: Ticks,
    /// By slot.
    accounts: Vec<Account>,
    resters: Resters,
    /// Where each agent is; `None`: not looked up since it was forgotten.
    presence: Option<Presence>,
    /// The tick at which the presence was last of use.
    last_look: Tick,
    /// The slots with plans changed since the last call of `changed`.
    changed: Vec<Slot>,
    /// For hashes.
    changed_plans: Changes,
    /// For use again.
    board: Board,
    spare: Spare,
}

/// Memory that is used again.
#[derive(Default)]
struct Spare {
    /// Of former plans.
    legs: Vec<Vec<Leg>>,
    /// Of the last proposal.
    before: Vec<(Slot, Schedule)>,
}

/// The number of plans whose memory is kept for reuse: a tick makes few more.
const MOST_SPARE: usize = 64;

impl Clone for Spare {
    /// Clones have their own.
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// A presence that was of no use for more ticks than this is forgotten.
const LONGEST_IDLE: Ticks = 8;

/// The account of one agent.
#[derive(Clone, Debug)]
struct Account {
    agent: AgentId,
    /// The rank of its last reservation, but for motions under way.
    taken: Rank,
    plan: Schedule,
}

/// Changes that are either [committed](Ledger::commit) or [rolled back](Ledger::roll_back).
#[must_use]
pub(super) struct Proposal {
    mark: Mark,
    /// The agents with a new plan, and the plan that each had before, in the order of the changes.
    before: Vec<(Slot, Schedule)>,
}

impl Proposal {
    /// Notes that `slot` had the plan `before`.
    pub(super) fn note(&mut self, slot: Slot, before: Schedule) {
        self.before.push((slot, before));
    }

    /// The agents with a new plan, in the order of the changes.
    pub(super) fn slots(&self) -> impl Iterator<Item = Slot> {
        self.before.iter().map(|(slot, _)| *slot)
    }
}

/// The plans; not the store, which may be large.
impl std::fmt::Debug for Ledger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ledger").field("accounts", &self.accounts).finish_non_exhaustive()
    }
}

impl Ledger {
    /// A ledger without accounts, on a store that `make_store` makes.
    pub(super) fn new(make_store: MakeStore) -> Self {
        Self {
            store: make_store(Cells::new(ConflictRule::Swap, 0, 0), 0),
            make_store,
            longest_window: 0,
            accounts: Vec::new(),
            resters: Resters::default(),
            presence: None,
            last_look: 0,
            changed: Vec::new(),
            changed_plans: Changes::default(),
            spare: Spare::default(),
            board: Board::default(),
        }
    }

    /// A copy without reservations, which has to be [restored](Self::restore) before it is of use, and what is
    /// reserved.
    pub(super) fn without_store(&self) -> (Self, Kept) {
        let copy = Self {
            longest_window: self.longest_window,
            accounts: self.accounts.clone(),
            resters: self.resters.clone(),
            last_look: self.last_look,
            changed: self.changed.clone(),
            ..Self::new(self.make_store.clone())
        };
        (copy, self.store.keep())
    }

    /// Makes a ledger that was without reservations reserve again what was `kept`, in `cells`.
    pub(super) fn restore(&mut self, kept: &Kept, cells: Option<Cells>) {
        if let Some(cells) = cells {
            self.store = (self.make_store)(cells, self.longest_window);
            self.store.take_back(kept);
        }
    }

    /// A board to try changes out. It is to be [given back](Self::give_back).
    pub(super) fn lend_board(&mut self) -> Board {
        std::mem::take(&mut self.board)
    }

    /// Takes back a board that was [lent](Self::lend_board), so that it takes no memory of its own next time.
    pub(super) fn give_back(&mut self, board: Board) {
        self.board = board;
    }

    /// The slots with plans changed since the last call.
    pub(super) fn changed(&mut self) -> impl Iterator<Item = Slot> {
        self.changed.drain(..)
    }

    /// Begins anew with a store for `cells`, and windows of up to `longest_window` ticks. No plan is reserved any more:
    /// every agent has to [stand](Self::stand).
    pub(super) fn begin_anew(&mut self, cells: Cells, longest_window: Ticks) {
        self.longest_window = longest_window;
        self.store = (self.make_store)(cells, longest_window);
        self.presence = None;
    }

    /// The ticks of the deepest window.
    pub(super) fn longest_window(&self) -> Ticks {
        self.longest_window
    }

    /// Opens an account for `agent`, at the last slot.
    pub(super) fn open(&mut self, agent: AgentId) {
        push_sparingly(&mut self.accounts, Account { agent, taken: RESTING, plan: Schedule::default() });
    }

    /// Keeps the accounts of the slots that `stay`, which move up.
    pub(super) fn pack(&mut self, stay: &[bool]) {
        retain_by(&mut self.accounts, stay);
        self.changed_plans.note_all();
    }

    /// Releases all that `slot` holds, at any tick, and drops its plan: the agent is no longer where it was.
    pub(super) fn clear(&mut self, slot: Slot) {
        let agent = self.agent(slot);
        self.store.release(agent, 0);
        if let Some(presence) = &mut self.presence {
            presence.forget(agent);
        }
        self.change_plan(slot, Schedule::default());
    }

    fn agent(&self, slot: Slot) -> AgentId {
        self.accounts[slot.index()].agent
    }

    /// The plan of `slot`.
    #[inline]
    pub(super) fn plan(&self, slot: Slot) -> &Schedule {
        &self.accounts[slot.index()].plan
    }

    /// All reservations, read-only.
    pub(super) fn reservations(&self) -> &Store {
        &self.store
    }

    /// Where agents rest that would have to be pushed aside.
    pub(super) fn resters(&self) -> &Resters {
        &self.resters
    }

    /// Whether `claim` may have all of `entries`.
    pub(super) fn permits(&self, entries: &[Entry], claim: Claim) -> bool {
        entries.iter().all(|entry| self.store.permits(entry, claim))
    }

    /// Whether `agent` holds all of `entries`, each for all its ticks from `now` on.
    pub(super) fn holds(&self, entries: &[Entry], agent: AgentId, now: Tick) -> bool {
        // To a stranger of the lowest rank everything that is held is refused, and the store tells until when.
        let stranger = Claim { agent: AgentId(u32::MAX), rank: RESTING };
        let is_held = |cell, span: Span| {
            let first = Entry { cell, span: Span::tick(span.start) };
            let probe = self.store.probe(&first, stranger);
            matches!(probe, Probe::Blocked { by, until } if by == agent && until >= span.end)
        };
        // Past reservations may be forgotten.
        let left = |entry: &Entry| (entry.cell, entry.span.intersection(Span::endless(now)));
        entries.iter().map(left).all(|(cell, span)| span.is_empty() || is_held(cell, span))
    }

    /// The agents that hold part of `entry`.
    pub(super) fn holders(&self, entry: &Entry) -> Vec<AgentId> {
        // To a stranger of the lowest rank everything that is held is refused.
        let stranger = Claim { agent: AgentId(u32::MAX), rank: RESTING };
        let mut holders = Vec::new();
        self.store.for_each_blocker(entry, stranger, &mut |by| {
            holders.push(by);
            true
        });
        holders
    }

    /// Where each agent is, if that was looked up.
    pub(super) fn presence(&self) -> Option<&Presence> {
        self.presence.as_ref()
    }

    /// Notes where each agent is. From now on the ledger must be told of all that changes that.
    pub(super) fn note_presence(&mut self, presence: Presence) {
        self.presence = Some(presence);
    }

    /// Takes the presence out, to be [noted](Self::note_presence) again.
    pub(super) fn take_presence(&mut self) -> Option<Presence> {
        self.presence.take()
    }

    /// Forgets where each agent is: agents will occupy something else from now on.
    pub(super) fn forget_presence(&mut self) {
        self.presence = None;
    }

    /// Notes that the presence is of use at `now`.
    pub(super) fn look(&mut self, now: Tick) {
        self.last_look = now;
    }

    /// Forgets where each agent is, if that has been of no use for long: to keep it up to date takes time at every
    /// move.
    pub(super) fn forget_presence_if_idle(&mut self, now: Tick) {
        if now.saturating_sub(self.last_look) > LONGEST_IDLE {
            self.presence = None;
        }
    }

    /// Begins changes that may be rolled back.
    pub(super) fn propose(&mut self) -> Proposal {
        Proposal { mark: self.store.mark(), before: std::mem::take(&mut self.spare.before) }
    }

    /// Keeps the changes since `proposal` was begun.
    pub(super) fn commit(&mut self, proposal: Proposal) {
        self.store.settle();
        let mut before = proposal.before;
        before.drain(..).for_each(|(_, plan)| self.reuse(plan));
        self.spare.before = before;
    }

    /// Undoes the changes since `proposal` was begun.
    pub(super) fn roll_back(&mut self, proposal: Proposal) {
        // No transaction has ended since the mark was taken.
        let _ = self.store.rollback(proposal.mark);
        let mut before = proposal.before;
        for (slot, plan) in before.drain(..).rev() {
            let undone = self.exchange(slot, plan);
            self.reuse(undone);
        }
        self.spare.before = before;
        self.store.settle();
    }

    /// A copy of `legs`, in memory of former plans.
    pub(super) fn copied(&mut self, legs: &[Leg]) -> Vec<Leg> {
        let mut copy = self.spare.legs.pop().unwrap_or_default();
        copy.reserve_exact(legs.len());
        copy.extend_from_slice(legs);
        copy
    }

    /// Keeps the memory of `plan`, which has ended.
    fn reuse(&mut self, plan: Schedule) {
        let mut legs = plan.into_legs();
        if legs.capacity() > 0 && self.spare.legs.len() < MOST_SPARE {
            legs.clear();
            self.spare.legs.push(legs);
        }
    }

    /// Begins reservations that may be [taken back](Self::take_back), also within others. Plans are not concerned.
    pub(super) fn mark(&mut self) -> Mark {
        self.store.mark()
    }

    /// Undoes all reservations since `to` was taken, which stays valid.
    pub(super) fn take_back(&mut self, to: Mark) {
        // No transaction has ended since the mark was taken.
        let _ = self.store.rollback(to);
    }

    /// Keeps all reservations since the first mark. No mark is valid any more.
    pub(super) fn settle(&mut self) {
        self.store.settle();
    }

    /// Makes the rest at the end of the plan of `slot` last at least until `until`, and reserves it at `rank`. Agents
    /// that lose something are added to `evicted`. Returns whether that is permitted; if not, or if the plan does not
    /// end with a rest, nothing has changed.
    pub(super) fn prolong(
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

    /// Releases what `slot` holds at tick `from` and later, before it reserves something else.
    pub(super) fn release(&mut self, slot: Slot, from: Tick) {
        self.store.release(self.agent(slot), from);
        self.accounts[slot.index()].taken = RESTING;
    }

    /// Removes `slot` from its own way while it looks for a plan from `from` on.
    pub(super) fn lift(&mut self, slot: Slot, from: Tick) {
        self.release(slot, from);
        let Account { agent, plan, .. } = &self.accounts[slot.index()];
        plan.rest.iter().for_each(|rest| self.resters.forget(*agent, &rest.cells));
    }

    /// Ends the search of a `slot` that was [lifted](Self::lift): until it has another plan, it keeps its own.
    pub(super) fn put_down(&mut self, slot: Slot) {
        let Account { agent, plan, .. } = &self.accounts[slot.index()];
        plan.rest.iter().for_each(|rest| self.resters.note(*agent, rest.from, &rest.cells));
    }

    /// Makes the agents of `slots` hold nothing. It is undone by a [roll-back](Self::roll_back), and then by
    /// [`put_back`](Self::put_back).
    pub(super) fn set_aside(&mut self, slots: &[Slot]) {
        for slot in slots {
            let Account { agent, plan, .. } = &self.accounts[slot.index()];
            self.store.release(*agent, 0);
            plan.rest.iter().for_each(|rest| self.resters.forget(*agent, &rest.cells));
        }
    }

    /// Notes that the agents of `slots` are no longer [set aside](Self::set_aside).
    pub(super) fn put_back(&mut self, slots: &[Slot]) {
        slots.iter().for_each(|slot| self.put_down(*slot));
    }

    /// Forgets what `slot` has reserved since its last plan, in attempts that were rolled back.
    pub(super) fn forget_attempt(&mut self, slot: Slot) {
        let account = &mut self.accounts[slot.index()];
        account.taken = account.plan.rank;
    }

    /// A store for all cells in which nobody holds anything.
    pub(super) fn empty_store(&self, cells: Cells) -> Store {
        (self.make_store)(cells, self.longest_window)
    }

    /// Reserves `entries` for `slot` at `rank`. Agents that lose something are added to `evicted`.
    ///
    /// # Errors
    /// Another agent holds part of `entries` at this rank or above. Nothing has changed.
    pub(super) fn take(
        &mut self,
        slot: Slot,
        rank: Rank,
        entries: &[Entry],
        evicted: &mut Vec<AgentId>,
    ) -> Result<(), Refused> {
        let claim = self.claim(slot, rank);
        self.store.commit(claim, entries, evicted)
    }

    /// The claim of `slot` at `rank`, which it is going to make.
    fn claim(&mut self, slot: Slot, rank: Rank) -> Claim {
        let account = &mut self.accounts[slot.index()];
        if rank != BEGUN {
            account.taken = rank;
        }
        Claim { agent: account.agent, rank }
    }

    /// [Takes](Self::take) `entries` where no agent loses anything, or losses need not be reported.
    pub(super) fn hold(&mut self, slot: Slot, rank: Rank, entries: &[Entry]) -> Result<(), Refused> {
        let claim = self.claim(slot, rank);
        self.store.reserve(claim, entries)
    }

    /// Gives `slot` a plan that is already reserved, and returns the plan before it.
    pub(super) fn change_plan(&mut self, slot: Slot, mut plan: Schedule) -> Schedule {
        plan.rank = self.accounts[slot.index()].taken;
        self.exchange(slot, plan)
    }

    fn exchange(&mut self, slot: Slot, plan: Schedule) -> Schedule {
        self.note_change(slot);
        let account = &mut self.accounts[slot.index()];
        let before = std::mem::replace(&mut account.plan, plan);
        before.rest.iter().for_each(|rest| self.resters.forget(account.agent, &rest.cells));
        account.plan.rest.iter().for_each(|rest| self.resters.note(account.agent, rest.from, &rest.cells));
        before
    }

    #[inline]
    fn note_change(&mut self, slot: Slot) {
        self.changed.push(slot);
        self.changed_plans.note(slot);
    }

    /// Appends the slots to `changed` with plans that have changed since the last call, but for legs that have passed;
    /// `false`: all may have changed.
    pub(super) fn take_changed_plans(&mut self, changed: &mut Vec<Slot>) -> bool {
        self.changed_plans.take(changed)
    }

    /// Forgets the distances from the ends of the moves of the plan of `slot`: they are of earlier goals or an earlier
    /// map.
    pub(super) fn forget_distances(&mut self, slot: Slot) {
        self.accounts[slot.index()].plan.forget_distances();
    }

    /// Adds `legs`, which are already reserved, to the plan of `slot`, which has no rest.
    pub(super) fn extend_plan(&mut self, slot: Slot, legs: &[Leg]) {
        self.note_change(slot);
        let Account { plan, taken, .. } = &mut self.accounts[slot.index()];
        plan.extend(legs);
        plan.rank = *taken;
    }

    /// Sets the rest at the end of the plan of `slot`, which has had none.
    pub(super) fn set_rest(&mut self, slot: Slot, rest: Option<Rest>) {
        self.note_change(slot);
        let account = &mut self.accounts[slot.index()];
        account.plan.rest = rest;
        account.plan.rank = account.taken;
        account.plan.rest.iter().for_each(|rest| self.resters.note(account.agent, rest.from, &rest.cells));
    }

    /// Gives `slot` room where it was just put, at the expense of all plans; from now on it rests there at `rank`.
    /// Returns the agents that lose something. No agent may be there, or under way there.
    pub(super) fn occupy(&mut self, slot: Slot, rank: Rank, room: &[Entry], now: Tick) -> Vec<AgentId> {
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

    /// Takes `room` for `slot` at the expense of all plans. Returns the agents that lose something. No agent may be
    /// there, or under way there.
    pub(super) fn evict(&mut self, slot: Slot, room: &[Entry]) -> Vec<AgentId> {
        let mut evicted = Vec::new();
        // No motion is in the way, so nothing can be refused.
        let taken = self.take(slot, BEGUN, room, &mut evicted);
        debug_assert!(taken.is_ok(), "{taken:?}");
        evicted
    }

    /// Notes that `slot` begins a move, and occupies `room` from now on.
    pub(super) fn move_presence(&mut self, slot: Slot, room: &[Entry]) {
        let agent = self.agent(slot);
        if let Some(presence) = &mut self.presence {
            presence.forget(agent);
            presence.note(agent, room);
        }
    }

    /// Notes that the motion of `slot` that occupies `swept` is under way: no agent overrides it.
    pub(super) fn begin_motion(&mut self, slot: Slot, swept: &[Entry]) {
        let kept = self.hold(slot, BEGUN, swept);
        debug_assert!(kept.is_ok(), "{kept:?}");
    }

    /// Replaces the plan of `slot` by a rest on `node` from `from` on at `rank`, for as long as the place is free.
    pub(super) fn stand(&mut self, slot: Slot, rank: Rank, class: &dyn AnyClass, node: NodeId, from: Tick) {
        self.release(slot, from);
        let (until, room) = self.hold_while_free(slot, rank, class, node, from);
        let rest = (until == FOREVER).then(|| Rest::new(from, &room));
        self.change_plan(slot, Schedule::new(Vec::new(), rest));
    }

    /// Reserves that `slot` stays on `node` from `from` on at `rank`, for as long as the place is free. Overrides no
    /// reservation. Tries an endless rest, then halves of the longest window. Returns the end of the stay, and what it
    /// holds; an end at `from`: nothing.
    pub(super) fn hold_while_free(
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
    /// it. `moved`: the plan moves there, at `rank`; the rest keeps that rank until it is [lowered](Self::lower_rest),
    /// so that pushed agents respect it. `soft`: others may walk through the rest from the tick after the arrival on.
    pub(super) fn rest_at_end(
        &mut self,
        slot: Slot,
        rank: Rank,
        class: &dyn AnyClass,
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
        // By now the agent owns all of this, so no other agent loses anything.
        hold(rank, arrive, if soft { from } else { FOREVER });
        hold(if soft { RESTING } else { rank }, from, FOREVER)
    }

    /// Lets others plan through the rest of `slot` on `node`, the end of its plan. Only the tick of arrival keeps the
    /// plan's rank; otherwise two agents that want to arrive at one time could push each other aside for ever.
    pub(super) fn lower_rest(&mut self, slot: Slot, class: &dyn AnyClass, node: NodeId) {
        let Some(rest) = self.plan(slot).rest.as_ref().filter(|rest| !rest.cells.is_empty()) else { return };
        let room = class.room(node, rest.from, FOREVER);
        let lowered = self.hold(slot, RESTING, &room);
        debug_assert!(lowered.is_ok(), "{lowered:?}");
        self.changed_plans.note(slot);
        self.accounts[slot.index()].plan.rank = RESTING;
    }

    /// Lets time go on to `now` for `slots`: legs that have ended are dropped.
    ///
    /// The next leg of each plan lies elsewhere in memory. In a loop that does nothing else the processor fetches many
    /// at a time.
    pub(super) fn pass(&mut self, slots: &[Slot], now: Tick) {
        for slot in slots {
            self.accounts[slot.index()].plan.pass(now);
        }
    }

    /// Forgets reservations of the past, which takes time for everything that is held.
    pub(super) fn forget_before(&mut self, now: Tick) {
        self.store.forget_before(now);
    }
}
