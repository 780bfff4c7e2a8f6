//! Fuel: a bound on work, counted in expansions.

use std::fmt;

/// How many more expansions may be made, forward and reverse searches together.
///
/// A search that runs out says so and can be continued with more; it never guesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fuel {
    left: u64,
}

impl Fuel {
    /// Enough for `expansions` expansions.
    pub const fn expansions(expansions: u64) -> Self {
        Self { left: expansions }
    }

    /// As much as one can ever burn.
    pub const fn unlimited() -> Self {
        Self { left: u64::MAX }
    }

    /// How many expansions are left.
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// Pays for one expansion.
    ///
    /// # Errors
    /// None is left.
    #[inline]
    pub fn burn(&mut self) -> Result<(), OutOfFuel> {
        self.left = self.left.checked_sub(1).ok_or(OutOfFuel)?;
        Ok(())
    }
}

/// The work stopped because its [`Fuel`] ran out. It may be continued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfFuel;

impl fmt::Display for OutOfFuel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bound on expansions was reached before the search ended")
    }
}

impl std::error::Error for OutOfFuel {}
