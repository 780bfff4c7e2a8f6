//! Work: how much of the budget of a tick is left.

use giveway_core::Fuel;

/// The remaining budget of a tick, and the part of it that may still go into distances and routes.
#[derive(Debug)]
pub struct Work {
    pub fuel: Fuel,
    for_ways: u64,
}

impl Work {
    /// All of `fuel`; none of it is allotted to finding the way yet.
    #[inline]
    pub fn new(fuel: Fuel) -> Self {
        Self { fuel, for_ways: 0 }
    }

    /// No fuel: enough to look up what is already known.
    #[inline]
    pub fn none() -> Self {
        Self { fuel: Fuel::none(), for_ways: 0 }
    }

    /// Pays `units` for work that is done in one piece, or all units that are left if these are fewer.
    #[inline]
    pub fn charge(&mut self, units: u64) {
        self.fuel = Fuel::work(self.fuel.left().saturating_sub(units));
    }

    /// Lets at most `for_ways` go into finding the way from now on.
    #[inline]
    pub fn allot(&mut self, for_ways: u64) {
        self.for_ways = for_ways;
    }

    /// Runs `purpose` on the fuel that may go into finding the way.
    #[inline]
    pub fn find_way<T>(&mut self, purpose: impl FnOnce(&mut Fuel) -> T) -> T {
        let (outcome, burnt) = burn_part(&mut self.fuel, self.for_ways, purpose);
        self.for_ways -= burnt;
        outcome
    }
}

/// Runs `purpose` on at most `most` of `fuel`. Returns also how much it burnt.
#[inline]
pub fn burn_part<T>(fuel: &mut Fuel, most: u64, purpose: impl FnOnce(&mut Fuel) -> T) -> (T, u64) {
    let given = most.min(fuel.left());
    let mut part = Fuel::work(given);
    let outcome = purpose(&mut part);
    let burnt = given - part.left();
    *fuel = Fuel::work(fuel.left() - burnt);
    (outcome, burnt)
}
