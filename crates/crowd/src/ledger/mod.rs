//! The ledger: what each agent has reserved, will do, and rests on. All three change together, and only here: no other
//! file of a crowd changes its reservation store.
//!
//! Changes that may have to be undone are a [`Proposal`], which is committed or rolled back as a whole.

mod board;
mod presence;
mod proposal;
mod schedule;
mod stays;
mod written;

use giveway_core::{
    AgentId, Cells, Claim, ConflictRule, Entry, Probe, Rank, Refused, ReservationStore as _, Span, Tick, Ticks,
    push_sparingly,
};

use giveway_members::leg::Leg;
use giveway_members::manners::Resters;
use giveway_members::rank::{BEGUN, RESTING};
use giveway_members::roster::{Changes, Slot, retain_by};
use giveway_members::store::{Kept, MakeStore, Store};

use proposal::Spare;

pub(super) use board::{Board, Holder, Mark, Marks};
pub(super) use presence::Presence;
pub(super) use proposal::Proposal;
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

    /// Reads what the next plan of `slot` needs from memory. The answer means nothing.
    pub(super) fn touch(&self, slot: Slot) -> u32 {
        let Account { agent, plan, .. } = &self.accounts[slot.index()];
        plan.ahead().first().map_or(0, |leg| leg.depart) ^ self.store.touch(*agent)
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
