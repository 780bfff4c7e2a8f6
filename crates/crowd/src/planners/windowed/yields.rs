//! Yields: until when an agent makes way for others that come to the place where it rests.

use giveway_core::{Claim, Entry, Probe, ReservationStore as _, Tick};

use giveway_members::roster::Member;
use giveway_members::store::Store;
use giveway_members::world::AnyClass;

/// Until when `member` must make way for agents that come to its resting place, even if it has already left the place
/// for them. 0: it need not.
pub(super) fn yields_until(
    class: &dyn AnyClass,
    store: &Store,
    member: &Member,
    claim: Claim,
    depart: Tick,
    horizon: Tick,
) -> Tick {
    let rests = member.order.has_arrived() || member.is_home() || member.order.stands_by();
    let place = match member.order.goals().nodes() {
        [only] => Some(*only),
        _ => member.is_home().then_some(member.motion.node()),
    };
    let Some(place) = place.filter(|_| rests) else {
        return 0;
    };
    let room = class.room(place, depart, horizon);
    room.into_iter().map(|entry| last_blocked(store, entry, claim)).max().unwrap_or(0)
}

/// The first tick after the last one of `entry` that `claim` may not have; 0: `claim` may have all of `entry`.
fn last_blocked(store: &Store, mut entry: Entry, claim: Claim) -> Tick {
    let mut last = 0;
    while let Probe::Blocked { until, .. } = store.probe(&entry, claim) {
        last = until;
        entry.span.start = until;
    }
    last
}
