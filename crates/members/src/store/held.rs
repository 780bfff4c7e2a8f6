//! What each agent holds, whatever the store.

use giveway_core::{AgentId, CellId, Claim, Entry, FOREVER, Probe, Rank, Span, Tick};
use rustc_hash::FxHashMap;

use super::{OwnStore, Store};
use crate::rank::RESTING;

/// What agents hold, each in ascending order of cells and ticks, and at which ranks.
pub(super) type Held = FxHashMap<AgentId, Vec<(Entry, Rank)>>;

impl Store {
    /// What `agents` hold in the cells below `bound` from `now` on.
    #[inline]
    pub fn held(&self, agents: impl Iterator<Item = AgentId>, bound: usize, now: Tick) -> Held {
        match self {
            Self::Default(table) => agents.map(|agent| (agent, table.held_by(agent, now))).collect(),
            Self::Own(own) => held_in(&**own, bound, now),
        }
    }
}

/// What agents hold in a store that can only be asked which agent is in the way.
fn held_in(store: &dyn OwnStore, bound: usize, now: Tick) -> Held {
    let mut held = Held::default();
    #[allow(clippy::cast_possible_truncation)] // ids of cells have 32 bits
    for cell in (0..bound as u32).map(CellId) {
        let mut from = now;
        while let Some(start) = first_held(store, cell, from) {
            let Probe::Blocked { by, until } = store.probe(&entry(cell, start, start + 1), stranger(RESTING)) else {
                break;
            };
            let rank = rank_at(store, cell, start);
            // Beyond the last change all ticks are alike.
            let last_change = store.settled_from().max(start);
            let is_alike = |tick: &Tick| rank_at(store, cell, *tick) == rank;
            let end = (start + 1..until.min(last_change.saturating_add(1))).find(|tick| !is_alike(tick));
            let end = end.unwrap_or(until);
            held.entry(by).or_default().push((entry(cell, start, end), rank));
            from = end;
            if end == FOREVER {
                break;
            }
        }
    }
    held
}

#[inline]
fn entry(cell: CellId, start: Tick, end: Tick) -> Entry {
    Entry { cell, span: Span::new(start, end) }
}

/// A claim of nobody.
#[inline]
fn stranger(rank: Rank) -> Claim {
    Claim { agent: AgentId(u32::MAX), rank }
}

/// The first tick from `from` on at which somebody holds `cell`.
#[inline]
fn first_held(store: &dyn OwnStore, cell: CellId, from: Tick) -> Option<Tick> {
    let is_free_until = |end: Tick| store.permits(&entry(cell, from, end), stranger(RESTING));
    if is_free_until(FOREVER) {
        return None;
    }
    let (mut free, mut held) = (from, FOREVER);
    while held - free > 1 {
        let middle = free + (held - free) / 2;
        if is_free_until(middle) { free = middle } else { held = middle }
    }
    Some(free)
}

/// The rank at which somebody holds `cell` at `tick`: the largest that is refused.
#[inline]
pub(super) fn rank_at(store: &dyn OwnStore, cell: CellId, tick: Tick) -> Rank {
    #[allow(clippy::cast_possible_truncation)] // the high and the low bits
    let rank = |number: u128| Rank((number >> u32::BITS) as u64, number as u32);
    let (mut refused, mut beyond) = (0_u128, 1 << (u64::BITS + u32::BITS));
    while beyond - refused > 1 {
        let middle = refused + (beyond - refused) / 2;
        let is_refused = !store.permits(&entry(cell, tick, tick + 1), stranger(rank(middle)));
        if is_refused { refused = middle } else { beyond = middle }
    }
    rank(refused)
}
