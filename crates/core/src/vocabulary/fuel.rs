//! Fuel: a bound on work.

use std::fmt;

/// How much work may still be done, in units. One unit takes some 200 ns: as long as one expansion of a search in space
/// and time, for a point on a grid. The table gives the units of each kind of work. Units of two kinds seldom differ in
/// time by more than a factor of two.
///
/// | work | units |
/// |---|---|
/// | searches in space and time | one for each expansion, and one for each 16 further looks |
/// | other searches | one for each expansion |
/// | tables where costs differ | one for each 4 nodes |
/// | routes through sectors | one for each 2 sectors, and one more for a sector that no route has met before |
/// | windows of ways | one for each 24 tiles of a step |
/// | breadth-first tables | one for each 64 nodes of a plain grid, or of robots that turn on one, one for each 8 nodes of another space |
///
/// Looks count in searches by [quanta](crate::TimeModel::Quanta): a search looks at moves and at entries. Ten looks are
/// paid with the expansion; the looks beyond ten are further looks.
///
/// A search that runs out of fuel returns [`Suspended::OutOfFuel`]. Searches in space and time and searches for
/// distances can then be continued with more fuel; searches for a [`Route`](crate::Route) are abandoned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fuel {
    left: u64,
}

impl Fuel {
    /// Fuel for `units` units of work.
    #[inline]
    pub const fn work(units: u64) -> Self {
        Self { left: units }
    }

    /// No fuel. A question whose answer is already known needs none.
    pub const fn none() -> Self {
        Self { left: 0 }
    }

    /// More fuel than any search can burn.
    pub const fn unlimited() -> Self {
        Self { left: u64::MAX }
    }

    /// The units of work left.
    #[inline]
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// Pays for one unit of work.
    ///
    /// # Errors
    /// [`Suspended::OutOfFuel`]: no fuel is left.
    #[inline]
    pub fn burn(&mut self) -> Result<(), Suspended> {
        self.left = self.left.checked_sub(1).ok_or(Suspended::OutOfFuel)?;
        Ok(())
    }

    /// Pays for `units` units of work, or for all that the fuel has left if that is less. Returns the number of units
    /// paid for.
    #[inline]
    pub fn burn_at_most(&mut self, units: usize) -> usize {
        let paid = usize::try_from(self.left).unwrap_or(usize::MAX).min(units);
        self.left -= paid as u64;
        paid
    }
}

/// Why work was suspended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suspended {
    /// The [`Fuel`] of the work ran out.
    OutOfFuel,
    /// The work would take more memory than the source of distances may have, as with `TrueDistances::keep_at_most` of
    /// `giveway-distance`. More fuel does not help: other searches must be
    /// [dropped](crate::heuristic::HeuristicSource::keep_only) first.
    OutOfMemory,
}

impl fmt::Display for Suspended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OutOfFuel => "the bound on work was reached before the search ended",
            Self::OutOfMemory => "the bound on memory was reached before the search ended",
        })
    }
}

impl std::error::Error for Suspended {}
