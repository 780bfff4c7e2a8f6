//! Accounts: what each agent was given, and the short numbers that stand for an agent at a rank.

use rustc_hash::FxHashMap;

use super::occupancy::{HolderId, Holding};
use crate::reservation::{Claim, Rank};
use crate::vocabulary::{AgentId, CellId, Span, Tick, push_sparingly};

/// The account of each agent that holds something, or did so lately.
#[derive(Clone, Debug, Default)]
pub(super) struct Accounts {
    slots: FxHashMap<AgentId, Slot>,
    /// By slot.
    accounts: Vec<Account>,
    /// The slots without an agent.
    unused: Vec<Slot>,
    /// By holder id.
    holders: Vec<Holder>,
    /// The holder ids that stand for nobody.
    unused_ids: Vec<HolderId>,
    /// The slots whose lists of holders have become long.
    long: Vec<Slot>,
    /// Everything before is forgotten.
    past: Tick,
    /// With this many accounts it is time to look which are over.
    due: usize,
}

/// The position of an account.
pub(super) type Slot = u32;

#[derive(Clone, Debug)]
struct Account {
    agent: AgentId,
    /// The first of the agent's holder ids.
    first: Option<HolderId>,
    /// What the agent was given and has not given up. Other agents may have taken parts of it since.
    given: Vec<(CellId, Span)>,
}

/// Accounts in little memory.
#[derive(Clone, Debug)]
pub(super) struct PackedAccounts {
    /// The agent of each account, and the first of its holder ids.
    by_slot: Vec<(AgentId, Option<HolderId>)>,
    unused: Vec<Slot>,
    holders: Vec<Holder>,
    unused_ids: Vec<HolderId>,
    long: Vec<Slot>,
    /// Everything before is forgotten.
    pub(super) past: Tick,
    due: usize,
}

/// An agent at a rank.
#[derive(Clone, Copy, Debug)]
struct Holder {
    holding: Holding,
    /// From this tick on nothing is held under this id. The tick may be later than necessary.
    until: Tick,
    /// The next id of the same agent.
    next: Option<HolderId>,
}

/// An agent that holds at more ranks than this is looked at again after a transaction.
const MANY_RANKS: usize = 16;
/// With fewer accounts than this it is not worth while to look which are over.
const FEW_ACCOUNTS: usize = 64;

impl Accounts {
    /// The slot of `agent`, if it has one.
    #[inline]
    pub(super) fn find(&self, agent: AgentId) -> Option<Slot> {
        self.slots.get(&agent).copied()
    }

    /// The slot of `agent`.
    pub(super) fn open(&mut self, agent: AgentId) -> Slot {
        let Self { slots, accounts, unused, .. } = self;
        *slots.entry(agent).or_insert_with(|| {
            let account = Account { agent, first: None, given: Vec::new() };
            if let Some(slot) = unused.pop() {
                accounts[slot as usize] = account;
                return slot;
            }
            push_sparingly(accounts, account);
            // There is at most one account per agent, and agent ids have 32 bits.
            Slot::try_from(accounts.len() - 1).unwrap_or(Slot::MAX)
        })
    }

    /// Reads what the next reservation of `agent` needs from memory. The answer means nothing.
    pub(super) fn touch(&self, agent: AgentId) -> Tick {
        let Some(account) = self.find(agent).map(|slot| &self.accounts[slot as usize]) else { return 0 };
        let end = |given: Option<&(CellId, Span)>| given.map_or(0, |(_, span)| span.end);
        let until = account.first.map_or(0, |id| self.holders[id.index()].until);
        end(account.given.first()) ^ end(account.given.last()) ^ until
    }

    pub(super) fn given(&self, slot: Slot) -> &[(CellId, Span)] {
        &self.accounts[slot as usize].given
    }

    pub(super) fn given_mut(&mut self, slot: Slot) -> &mut Vec<(CellId, Span)> {
        &mut self.accounts[slot as usize].given
    }

    /// The accounts without the lists of what agents were given, which follow from what they hold.
    pub(super) fn pack(&self) -> PackedAccounts {
        PackedAccounts {
            by_slot: self.accounts.iter().map(|account| (account.agent, account.first)).collect(),
            unused: self.unused.clone(),
            holders: self.holders.clone(),
            unused_ids: self.unused_ids.clone(),
            long: self.long.clone(),
            past: self.past,
            due: self.due,
        }
    }

    /// The accounts that were `packed`, of agents that were given all of `held`.
    pub(super) fn unpack(
        packed: &PackedAccounts,
        held: impl Iterator<Item = (CellId, Span, HolderId)> + Clone,
    ) -> Self {
        let PackedAccounts { by_slot, unused, holders, unused_ids, long, past, due } = packed.clone();
        let mut slot_of = vec![Slot::MAX; holders.len()];
        let mut is_used = vec![true; by_slot.len()];
        unused.iter().for_each(|slot| is_used[*slot as usize] = false);
        let mut slots = FxHashMap::default();
        for ((slot, (agent, first)), is_used) in (0..).zip(&by_slot).zip(is_used) {
            if is_used {
                slots.insert(*agent, slot);
            }
            let mut next = *first;
            while let Some(id) = next {
                slot_of[id.index()] = slot;
                next = holders[id.index()].next;
            }
        }
        let at = |id: HolderId| slot_of[id.index()] as usize;
        let mut counts = vec![0; by_slot.len()];
        held.clone().for_each(|(.., by)| counts[at(by)] += 1);
        let empty = by_slot.into_iter().zip(counts);
        let empty = empty.map(|((agent, first), count)| Account { agent, first, given: Vec::with_capacity(count) });
        let mut accounts: Vec<Account> = empty.collect();
        held.for_each(|(cell, span, by)| accounts[at(by)].given.push((cell, span)));
        Self { slots, accounts, unused, holders, unused_ids, long, past, due }
    }

    /// Whether the list of `slot` has to grow for `more` elements.
    #[inline]
    pub(super) fn is_full(&self, slot: Slot, more: usize) -> bool {
        let given = &self.accounts[slot as usize].given;
        given.capacity() - given.len() < more
    }

    /// Forgets what `slot` was given and is over, and makes room for `more` elements.
    pub(super) fn make_room(&mut self, slot: Slot, more: usize) {
        let past = self.past;
        let given = self.given_mut(slot);
        given.retain(|(_, span)| span.end > past);
        if given.capacity() - given.len() < more {
            // By a quarter at least: doubled, the memory of all lists would be mostly unused.
            given.reserve_exact(more.max(given.len() / 4));
        }
    }

    /// Gives up everything that `slot` was given from `until` on, and forgets what is over.
    pub(super) fn cut(&mut self, slot: Slot, until: Tick) {
        let Self { accounts, holders, past, .. } = self;
        let account = &mut accounts[slot as usize];
        account.given.retain_mut(|(_, span)| {
            span.end = span.end.min(until);
            !span.is_empty() && span.end > *past
        });
        // Not earlier than after the next call of `forget_before`, which ends the transactions: until then, ids of
        // what was released may come back.
        let until = until.max(past.saturating_add(1));
        let mut next = account.first;
        while let Some(id) = next {
            let holder = &mut holders[id.index()];
            holder.until = holder.until.min(until);
            next = holder.next;
        }
    }

    /// The agent and the rank that `id` stands for, if something is held under `id`.
    #[inline]
    pub(super) fn holding(&self, id: HolderId) -> Holding {
        self.holders[id.index()].holding
    }

    /// Whether what is held under `id` yields to `claim`.
    #[inline]
    pub(super) fn yields(&self, id: HolderId, claim: Claim) -> bool {
        self.holding(id).yields_to(claim)
    }

    /// Notes that something is held under `id` until `end`.
    #[inline]
    pub(super) fn hold(&mut self, id: HolderId, end: Tick) {
        let until = &mut self.holders[id.index()].until;
        *until = end.max(*until);
    }

    /// The id of `slot` at `rank`, under which something is to be held until `end`.
    pub(super) fn id(&mut self, slot: Slot, rank: Rank, end: Tick) -> HolderId {
        let Self { accounts, holders, past, .. } = self;
        let account = &mut accounts[slot as usize];
        let holding = Holding { agent: account.agent, rank };
        let (mut over, mut ranks) = (None, 0);
        let mut next = account.first;
        while let Some(id) = next {
            let holder = &mut holders[id.index()];
            if holder.holding.rank == rank {
                holder.until = end.max(holder.until);
                return id;
            }
            if holder.until <= *past {
                over = Some(id);
            }
            next = holder.next;
            ranks += 1;
        }
        if let Some(id) = over {
            let holder = &mut holders[id.index()];
            (holder.holding, holder.until) = (holding, end);
            return id;
        }
        let holder = Holder { holding, until: end, next: account.first };
        let id = match self.unused_ids.pop() {
            Some(id) => {
                holders[id.index()] = holder;
                id
            }
            None => {
                push_sparingly(holders, holder);
                HolderId::at(holders.len() - 1)
            }
        };
        account.first = Some(id);
        if ranks >= MANY_RANKS && ranks.is_power_of_two() {
            self.long.push(slot);
        }
        id
    }

    /// A slot whose list of holders has become long since it was last asked about.
    #[inline]
    pub(super) fn next_long(&mut self) -> Option<Slot> {
        self.long.pop()
    }

    /// Notes that nothing is held under the ids of `slot`, except for what is [noted](Self::hold) from now on.
    pub(super) fn recount(&mut self, slot: Slot) {
        let mut next = self.accounts[slot as usize].first;
        while let Some(id) = next {
            let holder = &mut self.holders[id.index()];
            holder.until = 0;
            next = holder.next;
        }
    }

    /// Drops the ids of `slot` under which nothing is held.
    pub(super) fn drop_unused(&mut self, slot: Slot) {
        let mut next = self.accounts[slot as usize].first.take();
        while let Some(id) = next {
            let holder = &mut self.holders[id.index()];
            next = holder.next;
            if holder.until <= self.past {
                self.unused_ids.push(id);
            } else {
                holder.next = self.accounts[slot as usize].first.replace(id);
            }
        }
    }

    /// Forgets everything before `now`; no transaction is open. Looks at the accounts only if there are twice as many
    /// as were left the last time.
    pub(super) fn forget_before(&mut self, now: Tick) {
        self.past = now.max(self.past);
        if self.slots.len() < self.due.max(FEW_ACCOUNTS) {
            return;
        }
        let Self { slots, accounts, unused, holders, unused_ids, past, .. } = self;
        slots.retain(|_, slot| {
            let account = &mut accounts[*slot as usize];
            account.given.retain(|(_, span)| span.end > *past);
            if !account.given.is_empty() {
                return true;
            }
            // All that an agent holds, it was given.
            account.given = Vec::new();
            let mut next = account.first.take();
            while let Some(id) = next {
                unused_ids.push(id);
                next = holders[id.index()].next;
            }
            unused.push(*slot);
            false
        });
        self.due = 2 * self.slots.len();
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The number of accounts, and of holder ids that were ever needed at once.
    #[cfg(test)]
    pub(super) fn sizes(&self) -> (usize, usize) {
        (self.slots.len(), self.holders.len())
    }
}
