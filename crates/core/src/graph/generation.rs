//! Generations: what was noted in an earlier one is forgotten.

/// The number of a generation. A note with the stamp of an earlier generation counts as vacant, and so does zeroed
/// memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Generation(u32);

impl Generation {
    /// The first one.
    pub const FIRST: Self = Self(1);
    /// The last one.
    #[cfg(test)]
    pub const LAST: Self = Self(u32::MAX);

    /// What notes of this generation are stamped with; never 0. A plain number, because vectors of zeros are not
    /// written, and are not paid for until they are touched.
    #[inline(always)]
    pub fn stamp(self) -> u32 {
        self.0
    }

    /// Goes on to the next generation. `false`: after the last one the first one comes again, and all notes have to be
    /// wiped.
    #[inline]
    #[must_use]
    pub fn advance(&mut self) -> bool {
        *self = self.0.checked_add(1).map_or(Self::FIRST, Self);
        *self != Self::FIRST
    }
}
