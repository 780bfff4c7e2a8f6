//! Reading ahead: what the next agents need is read from memory for several agents at once. Where agents are many, little
//! of what they need is in the processor's cache; one after the other, they would wait for each of these reads.

use std::hint::black_box;

use giveway_core::Tick;

use crate::state::State;
use giveway_members::roster::Slot;

/// The memory of so many agents is read at once: about twenty lines of the cache for each.
const AT_ONCE: usize = 16;

/// Lets `touch` read for the next few of `items`, where it has not yet read for the item `at`. To be called for each
/// item in turn.
#[inline]
pub(crate) fn of<T>(items: &[T], at: usize, touch: impl FnOnce(&[T])) {
    if at.is_multiple_of(AT_ONCE) {
        touch(&items[at..items.len().min(at + AT_ONCE)]);
    }
}

/// Reads what windows of `slots` need.
pub(super) fn touch_for_windows(state: &State<'_>, slots: &[Slot]) {
    let State { world, roster, ledger, .. } = state;
    for slot in slots {
        black_box((ledger.touch(*slot), roster[*slot].window.is_stopped()));
    }
    touch_ways(state, slots.iter().copied());
    for slot in slots {
        let end = ledger.plan(*slot).ahead().last().map(|leg| leg.to);
        black_box(end.map(|end| world.touch(&roster[*slot], end)));
    }
}

/// Reads what the distances of `slots` from the ends of their moves need, if the moves begin at `now`, and their plans
/// do not tell the distances.
pub(crate) fn touch_ends(state: &State<'_>, slots: &[Slot], now: Tick) {
    let State { world, roster, ledger, .. } = state;
    for slot in slots {
        let leg = ledger.plan(*slot).move_at(now).filter(|leg| leg.left().is_none());
        black_box(leg.map(|leg| world.touch(&roster[*slot], leg.to)));
    }
}

/// Reads what the distances of `slots` from where they are need.
pub(super) fn touch_ways(state: &State<'_>, slots: impl Iterator<Item = Slot>) {
    let State { world, roster, .. } = state;
    for slot in slots {
        black_box(world.touch(&roster[slot], roster[slot].motion.node()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_read_once_and_before_its_turn() {
        for count in [0, 1, AT_ONCE - 1, AT_ONCE, 3 * AT_ONCE + 2] {
            let items: Vec<usize> = (0..count).collect();
            let mut read = Vec::new();
            for at in 0..count {
                of(&items, at, |soon| read.extend_from_slice(soon));
                assert!(read.contains(&at) && read.len() <= at + AT_ONCE);
            }
            assert_eq!(read, items);
        }
    }
}
