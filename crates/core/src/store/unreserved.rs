//! No reservations at all: for an agent that ignores all others.

use crate::reservation::{Claim, FreeIntervals, Mark, Probe, Refused, ReservationStore, StaleMark};
use crate::vocabulary::{AgentId, CellId, Entry, Span, Tick};

/// A store that holds nothing: commits succeed, and leave all cells free. For planning without regard to other agents.
///
/// This store breaks the contract of [`ReservationStore`] on purpose: no agent blocks another agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unreserved;

impl ReservationStore for Unreserved {
    #[inline]
    fn probe(&self, _entry: &Entry, _claim: Claim) -> Probe {
        Probe::Free
    }

    fn commit(&mut self, _claim: Claim, _entries: &[Entry], _evicted: &mut Vec<AgentId>) -> Result<(), Refused> {
        Ok(())
    }

    fn release(&mut self, _agent: AgentId, _from: Tick) {}

    fn forget_before(&mut self, _now: Tick) {}

    fn clear(&mut self) {}

    #[inline]
    fn settled_from(&self) -> Tick {
        0
    }

    fn mark(&mut self) -> Mark {
        Mark(0)
    }

    fn rollback(&mut self, _to: Mark) -> Result<(), StaleMark> {
        Ok(())
    }

    fn settle(&mut self) {}

    #[inline]
    fn free_intervals(&self) -> Option<&dyn FreeIntervals> {
        Some(self)
    }
}

impl FreeIntervals for Unreserved {
    #[inline]
    fn next_free(&self, _cell: CellId, _from: Tick, _claim: Claim) -> Option<Span> {
        Some(Span::endless(0))
    }
}
