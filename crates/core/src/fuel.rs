//! Fuel: a bound on work.

use std::fmt;

/// How much more work may be done. A unit of work is an expansion, of forward and reverse searches alike, or something that takes about as long.
///
/// A search that runs out says so and can be continued with more; it never guesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fuel {
    left: u64,
}

impl Fuel {
    /// Enough for so many units of work.
    pub const fn work(units: u64) -> Self {
        Self { left: units }
    }

    /// Nothing, which is enough to ask for what is known already.
    pub const fn none() -> Self {
        Self { left: 0 }
    }

    /// As much as one can ever burn.
    pub const fn unlimited() -> Self {
        Self { left: u64::MAX }
    }

    /// How many units of work are left.
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// Pays for one unit of work.
    ///
    /// # Errors
    /// [`Suspended::OutOfFuel`]: none is left.
    #[inline]
    pub fn burn(&mut self) -> Result<(), Suspended> {
        self.left = self.left.checked_sub(1).ok_or(Suspended::OutOfFuel)?;
        Ok(())
    }
}

/// Why work was suspended before it ended. It may be continued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suspended {
    /// Its [`Fuel`] ran out.
    OutOfFuel,
    /// It would take more memory than [there may be](crate::heuristic::TrueDistances::keep_at_most). Fuel does not help: something else has
    /// to be [given up](crate::heuristic::HeuristicSource::keep_only) first.
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
