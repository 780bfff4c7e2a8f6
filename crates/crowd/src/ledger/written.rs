//! The ledger as words. Reservations are told by what plans, rests and motions occupy, and at which rank each part of
//! that is held; what agents hold beside that is written as it is.

use giveway_core::{
    AgentId, CellId, Cells, Claim, Entry, FOREVER, Garbled, NodeId, Rank, ReservationStore as _, Span, Tick, Ticks,
    WordReader, Words,
};

use super::{Account, Ledger, MakeStore, Resters, Schedule, Slot};
use giveway_members::leg::Leg;
use giveway_members::rank::{BEGUN, FIRM, JOINT, PUSH, RESTING};
use giveway_members::roster::{Member, Roster};
use giveway_members::store::Store;
use giveway_members::world::{AnyClass, World};

/// Ranks that are written as one word.
const COMMON: [Rank; 5] = [RESTING, JOINT, PUSH, FIRM, BEGUN];

/// In place of the rank of an entry that is not held as a whole, at one rank.
const OTHERWISE: u32 = 0;

impl Ledger {
    /// Appends the ledger to `words`.
    pub(crate) fn write_to(&self, now: Tick, (world, roster): (&World<'_>, &Roster), words: &mut Words) {
        let bound = world.cells().map_or(0, Cells::bound);
        words.word(self.longest_window.into());
        // Nobody asks for ticks that have passed.
        words.word(self.store.settled_from().max(now).into());
        let agents = self.accounts.iter().map(|account| account.agent);
        let mut held = self.store.held(agents, bound, now);
        for (slot, member) in roster.iter() {
            let account = &self.accounts[slot.index()];
            let held = held.remove(&account.agent).unwrap_or_default();
            write_account(account, member, &world[member.class()], now, &held, words);
        }
        let by_plans = self.resters_by_plans();
        let is_plain = by_plans.agrees_with(&self.resters);
        words.flag(is_plain);
        if !is_plain {
            self.resters.write_to(now, words);
        }
        let mut changed: Vec<Slot> = self.changed.iter().copied().filter(|slot| roster.has(*slot)).collect();
        changed.sort_unstable();
        changed.dedup();
        words.size(changed.len());
        #[allow(clippy::cast_possible_truncation)] // slots have 32 bits
        words.series(changed.iter().map(|slot| slot.index() as u32));
    }

    /// Where agents rest, by their plans.
    fn resters_by_plans(&self) -> Resters {
        let mut resters = Resters::default();
        for Account { agent, plan, .. } in &self.accounts {
            plan.rest.iter().for_each(|rest| resters.note(*agent, rest.from, &rest.cells));
        }
        resters
    }

    /// Reads a ledger for the members of `roster`, on a store that `make_store` makes.
    pub(crate) fn read_from(
        now: Tick,
        (world, roster): (&World<'_>, &Roster),
        (make_store, longest_window): (MakeStore, Ticks),
        words: &mut WordReader<'_>,
    ) -> Result<Self, Garbled> {
        let mut ledger = Self::new(make_store);
        let bound = world.cells().map_or(0, Cells::bound);
        if let Some(cells) = world.cells() {
            ledger.begin_anew(cells, longest_window);
        }
        if words.word()? != u64::from(longest_window) {
            return Err(Garbled::new("the depth of windows"));
        }
        let settled_from = words.word_32()?;
        ledger.settle_from(settled_from, bound);
        ledger.store.forget_before(now);
        for index in 0..roster.bound() {
            #[allow(clippy::cast_possible_truncation)] // slots have 32 bits
            let slot = Slot::at(index as u32);
            if !roster.has(slot) {
                // Its account is of an agent that is gone.
                ledger.accounts.push(Account { agent: roster.id_at(slot), taken: RESTING, plan: Schedule::default() });
                continue;
            }
            let member = &roster[slot];
            let account = read_account(now, (member, &world[member.class()]), bound, &mut ledger.store, words)?;
            ledger.accounts.push(account);
        }
        if ledger.store.settled_from() != settled_from {
            return Err(Garbled::new("reservations up to a tick"));
        }
        ledger.resters = if words.flag()? { ledger.resters_by_plans() } else { Resters::read_from(now, bound, words)? };
        let count = words.at_most(roster.bound())?;
        words.series(count, |index| {
            let slot = Slot::at(index);
            let is_there = slot.index() < roster.bound() && roster.has(slot);
            ledger.changed.push(slot);
            if is_there { Ok(()) } else { Err(Garbled::new("an agent of the crowd")) }
        })?;
        Ok(ledger)
    }

    /// What makes its stores.
    pub(crate) fn store_maker(&self) -> MakeStore {
        self.make_store.clone()
    }

    /// Makes the store settled from `tick` on, as it was once.
    fn settle_from(&mut self, tick: Tick, bound: usize) {
        if tick > 0 && bound > 0 {
            let nobody = AgentId(u32::MAX);
            let last = [Entry { cell: CellId(0), span: Span::new(tick - 1, tick) }];
            // Nothing is held yet, so nothing is refused.
            let _ = self.store.reserve(Claim::plain(nobody), &last);
            self.store.release(nobody, 0);
        }
    }
}

/// What `plan` occupies, and the motion of `member`, from `now` on.
fn occupied(member: &Member, plan: &Schedule, class: &dyn AnyClass, now: Tick) -> Vec<Entry> {
    let mut entries = member.motion.swept().to_vec();
    let mut end = member.motion.free_at(now);
    for leg in plan.all_legs() {
        class.sweep(leg, &mut entries);
        end = (leg.to, leg.arrive);
    }
    if let Some(rest) = &plan.rest {
        let (node, arrive): (NodeId, Tick) = end;
        if rest.from > arrive {
            class.sweep(&Leg::resting(node, arrive, rest.from), &mut entries);
        }
        class.sweep(&Leg::resting(node, rest.from, FOREVER), &mut entries);
    }
    entries.iter_mut().for_each(|entry| entry.span.start = entry.span.start.max(now));
    entries.retain(|entry| !entry.span.is_empty());
    entries
}

fn write_account(
    account: &Account,
    member: &Member,
    class: &dyn AnyClass,
    now: Tick,
    held: &[(Entry, Rank)],
    words: &mut Words,
) {
    let Account { taken, plan, .. } = account;
    plan.write_to(now, member.motion.free_at(now).0, words);
    let mut ranks = vec![*taken, plan.rank];
    ranks.extend(held.iter().map(|(_, rank)| *rank));
    ranks.sort_unstable();
    ranks.dedup();
    words.size(ranks.len());
    for rank in &ranks {
        let common = COMMON.iter().position(|common| common == rank);
        words.size(common.map_or(0, |place| place + 1));
        if common.is_none() {
            let Rank(high, low) = *rank;
            words.word(high);
            words.word(low.into());
        }
    }
    let place = |rank: Rank| ranks.partition_point(|other| *other < rank);
    words.size(place(*taken));
    words.size(place(plan.rank));
    let mut told: Vec<Entry> = Vec::new();
    let occupied = occupied(member, plan, class, now);
    words.series(occupied.iter().map(|entry| {
        let first = held.partition_point(|(known, _)| (known.cell, known.span.end) <= (entry.cell, entry.span.start));
        let whole = held.get(first).filter(|(known, _)| known.cell == entry.cell && covers(known.span, entry.span));
        whole.map_or(OTHERWISE, |(_, rank)| {
            told.push(*entry);
            #[allow(clippy::cast_possible_truncation)] // there are few
            let place = place(*rank) as u32;
            place + 1
        })
    }));
    let others = beside(held, told);
    words.size(others.len());
    for (entry, rank) in others {
        words.word(entry.cell.0.into());
        words.span(now, entry.span);
        words.size(place(rank));
    }
}

fn covers(whole: Span, part: Span) -> bool {
    whole.start <= part.start && part.end <= whole.end
}

/// What is `held` beside what was `told`, which is held.
fn beside(held: &[(Entry, Rank)], mut told: Vec<Entry>) -> Vec<(Entry, Rank)> {
    told.sort_unstable_by_key(|entry| (entry.cell, entry.span.start));
    let mut others = Vec::new();
    let mut told = told.into_iter().peekable();
    for (Entry { cell, span }, rank) in held {
        let mut left = span.start;
        while let Some(entry) = told.next_if(|entry| entry.cell == *cell && entry.span.start < span.end) {
            if entry.span.start > left {
                others.push((Entry { cell: *cell, span: Span::new(left, entry.span.start) }, *rank));
            }
            left = left.max(entry.span.end);
        }
        if left < span.end {
            others.push((Entry { cell: *cell, span: Span::new(left, span.end) }, *rank));
        }
    }
    others
}

/// `entries`, each cell at each time in one of them: reservations are settled where one ends.
pub(crate) fn joined(mut entries: Vec<Entry>) -> Vec<Entry> {
    entries.sort_unstable_by_key(|entry| (entry.cell, entry.span.start));
    entries.dedup_by(|later, earlier| {
        let joins = later.cell == earlier.cell && later.span.start <= earlier.span.end;
        if joins {
            earlier.span.end = earlier.span.end.max(later.span.end);
        }
        joins
    });
    entries
}

fn read_account(
    now: Tick,
    (member, class): (&Member, &dyn AnyClass),
    bound: usize,
    store: &mut Store,
    words: &mut WordReader<'_>,
) -> Result<Account, Garbled> {
    let agent = member.id();
    let at = member.motion.free_at(now).0;
    let mut plan = Schedule::read_from(now, at, [class.node_bound(), bound], words)?;
    let mut ranks = Vec::new();
    for _ in 0..words.count()? {
        ranks.push(match words.at_most(COMMON.len())? {
            0 => Rank(words.word()?, words.word_32()?),
            place => COMMON[place - 1],
        });
    }
    let rank = |words: &mut WordReader<'_>| Ok(ranks[words.below(ranks.len())?]);
    let taken = rank(words)?;
    plan.rank = rank(words)?;
    let occupied = occupied(member, &plan, class, now);
    let mut entries = occupied.into_iter();
    let mut held: Vec<Vec<Entry>> = vec![Vec::new(); ranks.len()];
    words.series(entries.len(), |place| {
        let Some(entry) = entries.next() else { return Ok(()) };
        if place != OTHERWISE {
            held.get_mut(place as usize - 1).ok_or(Garbled::new("a rank"))?.push(entry);
        }
        Ok(())
    })?;
    for _ in 0..words.count()? {
        let cell = words.below(bound)?;
        let span = words.span(now)?;
        if span.is_empty() {
            return Err(Garbled::new("a reservation for some time"));
        }
        #[allow(clippy::cast_possible_truncation)] // ids of cells have 32 bits
        let entry = Entry { cell: CellId(cell as u32), span };
        held[words.below(ranks.len())?].push(entry);
    }
    let mut evicted = Vec::new();
    for (rank, entries) in ranks.into_iter().zip(held.into_iter().map(joined)) {
        let outcome =
            if entries.is_empty() { Ok(()) } else { store.commit(Claim { agent, rank }, &entries, &mut evicted) };
        if outcome.is_err() || !evicted.is_empty() {
            return Err(Garbled::new("reservations that exclude each other"));
        }
    }
    Ok(Account { agent, taken, plan })
}
