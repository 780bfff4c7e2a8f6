//! Proposals: changes of the ledger that are kept, or undone as a whole.

use giveway_core::{Entry, Mark, ReservationStore as _};

use super::{Account, Ledger, Schedule, Slot};
use giveway_members::leg::Leg;

/// Changes that are either [committed](Ledger::commit) or [rolled back](Ledger::roll_back).
#[must_use]
pub(crate) struct Proposal {
    mark: Mark,
    /// The agents with a new plan, and the plan that each had before, in the order of the changes.
    before: Vec<(Slot, Schedule)>,
}

impl Proposal {
    /// Notes that `slot` had the plan `before`.
    pub(crate) fn note(&mut self, slot: Slot, before: Schedule) {
        self.before.push((slot, before));
    }

    /// The agents with a new plan, in the order of the changes.
    pub(crate) fn slots(&self) -> impl Iterator<Item = Slot> {
        self.before.iter().map(|(slot, _)| *slot)
    }
}

/// Memory that is used again.
#[derive(Default)]
pub(super) struct Spare {
    /// Of former plans.
    legs: Vec<Vec<Leg>>,
    /// Of the last proposal.
    before: Vec<(Slot, Schedule)>,
    /// Of the last rest.
    pub(super) room: Vec<Entry>,
}

/// The number of plans whose memory is kept for reuse: a tick makes few more.
const MOST_SPARE: usize = 64;

impl Clone for Spare {
    /// Clones have their own.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Ledger {
    /// Begins changes that may be rolled back.
    pub(crate) fn propose(&mut self) -> Proposal {
        Proposal { mark: self.store.mark(), before: std::mem::take(&mut self.spare.before) }
    }

    /// Keeps the changes since `proposal` was begun.
    pub(crate) fn commit(&mut self, proposal: Proposal) {
        self.store.settle();
        let mut before = proposal.before;
        before.drain(..).for_each(|(_, plan)| self.reuse(plan));
        self.spare.before = before;
    }

    /// Undoes the changes since `proposal` was begun.
    pub(crate) fn roll_back(&mut self, proposal: Proposal) {
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
    pub(crate) fn copied(&mut self, legs: &[Leg]) -> Vec<Leg> {
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
    pub(crate) fn mark(&mut self) -> Mark {
        self.store.mark()
    }

    /// Undoes all reservations since `to` was taken, which stays valid.
    pub(crate) fn take_back(&mut self, to: Mark) {
        // No transaction has ended since the mark was taken.
        let _ = self.store.rollback(to);
    }

    /// Keeps all reservations since the first mark. No mark is valid any more.
    pub(crate) fn settle(&mut self) {
        self.store.settle();
    }

    /// Makes the agents of `slots` hold nothing. It is undone by a [roll-back](Self::roll_back), and then by
    /// [`put_back`](Self::put_back).
    pub(crate) fn set_aside(&mut self, slots: &[Slot]) {
        for slot in slots {
            let Account { agent, plan, .. } = &self.accounts[slot.index()];
            self.store.release(*agent, 0);
            plan.rest.iter().for_each(|rest| self.resters.forget(*agent, &rest.cells));
        }
    }

    /// Notes that the agents of `slots` are no longer [set aside](Self::set_aside).
    pub(crate) fn put_back(&mut self, slots: &[Slot]) {
        slots.iter().for_each(|slot| self.put_down(*slot));
    }

    /// Forgets what `slot` has reserved since its last plan, in attempts that were rolled back.
    pub(crate) fn forget_attempt(&mut self, slot: Slot) {
        let account = &mut self.accounts[slot.index()];
        account.taken = account.plan.rank;
    }
}
