//! Budgets: how much work a crowd may do in one tick, and how much of it is left.

use giveway_core::Fuel;

/// The work that a crowd may do in one tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    work: u64,
}

impl Budget {
    /// At most `units` units of work. A unit takes some 200 ns: one expansion of a search, or one step of a
    /// [descent](super::CrowdSettings::descent), or one configuration of LaCAM, or 8 to 64 nodes of a table of distances;
    /// see [`Fuel`]. [`Report::work`](super::Report::work) says how many units a tick has used.
    pub const fn work(units: u64) -> Self {
        Self { work: units }
    }

    /// No limit.
    pub const fn unlimited() -> Self {
        Self { work: u64::MAX }
    }

    pub(super) fn fuel(self) -> Fuel {
        Fuel::work(self.work)
    }
}

/// The remaining budget of a tick, and the part of it that may still go into distances and routes.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) fuel: Fuel,
    for_ways: u64,
}

impl Work {
    /// All of `budget`; none of it is allotted to finding the way yet.
    pub(super) fn new(budget: Budget) -> Self {
        Self { fuel: budget.fuel(), for_ways: 0 }
    }

    /// No fuel: enough to look up what is already known.
    pub(super) fn none() -> Self {
        Self { fuel: Fuel::none(), for_ways: 0 }
    }

    /// Lets at most `for_ways` go into finding the way from now on.
    pub(super) fn allot(&mut self, for_ways: u64) {
        self.for_ways = for_ways;
    }

    /// Runs `purpose` on the fuel that may go into finding the way.
    pub(super) fn find_way<T>(&mut self, purpose: impl FnOnce(&mut Fuel) -> T) -> T {
        let (outcome, burnt) = burn_part(&mut self.fuel, self.for_ways, purpose);
        self.for_ways -= burnt;
        outcome
    }
}

/// Runs `purpose` on at most `most` of `fuel`. Returns also how much it burnt.
pub(super) fn burn_part<T>(fuel: &mut Fuel, most: u64, purpose: impl FnOnce(&mut Fuel) -> T) -> (T, u64) {
    let given = most.min(fuel.left());
    let mut part = Fuel::work(given);
    let outcome = purpose(&mut part);
    let burnt = given - part.left();
    *fuel = Fuel::work(fuel.left() - burnt);
    (outcome, burnt)
}
