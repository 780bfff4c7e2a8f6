//! Chance: random draws, equal on every platform for equal seeds. All draws are of 32-bit numbers.

use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg32;

/// The random number generator.
pub(super) type Chance = Pcg32;

/// The generator for the map of number `seed`.
pub(super) fn of_map(seed: u64) -> Chance {
    Pcg32::seed_from_u64(seed)
}

/// The generator for the scenario with the seed `seed`. Its numbers differ from the numbers for the map with this seed.
pub(super) fn of_scenario(seed: u64) -> Chance {
    Pcg32::seed_from_u64(seed ^ 0x5EED_0F5C_E4A2_1050)
}

/// A share, at least 0 and less than 1, stored as a multiple of 2^-32.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Density(u32);

impl Density {
    /// The density `share`, rounded down to a multiple of 2^-32. `None` if `share` is negative, 1 or more, or not a
    /// number.
    pub fn new(share: f64) -> Option<Self> {
        // A product with a power of two is exact.
        let scaled = share * 4_294_967_296.0;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it is rounded down, and below 2^32
        (0.0..1.0).contains(&share).then_some(Self(scaled as u32))
    }

    /// The density `part` / `whole`, which is below 1.
    pub(super) const fn ratio(part: u32, whole: u32) -> Self {
        #[allow(clippy::cast_possible_truncation)] // the quotient is below 2^32
        Self((((part as u64) << 32) / whole as u64) as u32)
    }

    /// This share of `whole`, rounded to the nearest whole number.
    pub(super) fn of(self, whole: u32) -> u32 {
        #[allow(clippy::cast_possible_truncation)] // it is at most `whole`
        let share = ((u64::from(self.0) * u64::from(whole) + (1 << 31)) >> 32) as u32;
        share
    }
}

/// Draws a random subset of a given size; all subsets are equally likely. Knuth's algorithm S.
pub(super) struct Draw {
    /// Things not asked about yet.
    left: u32,
    /// Things still to be drawn.
    wanted: u32,
}

impl Draw {
    pub(super) fn new(wanted: u32, of: u32) -> Self {
        Self { left: of, wanted }
    }

    /// Whether the next thing is drawn. After the last thing the answer is no.
    pub(super) fn next(&mut self, chance: &mut Chance) -> bool {
        // After the last thing there would be nothing to draw from.
        if self.wanted == 0 {
            return false;
        }
        let drawn = chance.random_range(0..self.left.max(1)) < self.wanted;
        self.left = self.left.saturating_sub(1);
        self.wanted -= u32::from(drawn);
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn densities_are_from_0_to_below_1() {
        for (share, density) in [
            (0.0, Some(0)),
            (-0.0, Some(0)),
            (0.5, Some(1 << 31)),
            (0.2, Some(858_993_459)),
            (1.0 - f64::EPSILON / 2.0, Some(u32::MAX)),
            (1.0, None),
            (-1e-300, None),
            (f64::NAN, None),
            (f64::INFINITY, None),
        ] {
            assert_eq!(Density::new(share), density.map(Density), "{share}");
        }
    }

    #[test]
    fn a_share_is_rounded_to_the_nearest() {
        for (share, whole, part) in [
            (0.0, 7, 0),
            (0.2, 1024, 205),
            (0.5, 3, 2),
            (0.45, 1, 0),
            (0.999_999_999_9, 1, 1),
            (0.25, u32::MAX, 1 << 30),
        ] {
            assert_eq!(Density::new(share).unwrap().of(whole), part, "{share} of {whole}");
        }
    }

    #[test]
    fn as_many_are_drawn_as_are_wanted() {
        for (wanted, of) in [(0, 0), (0, 5), (5, 5), (1, 1), (3, 10), (999, 1000)] {
            let mut draw = Draw::new(wanted, of);
            let mut chance = of_map(3);
            let drawn = (0..of).filter(|_| draw.next(&mut chance)).count();
            assert_eq!(drawn, wanted as usize, "{wanted} of {of}");
            assert!(!draw.next(&mut chance), "{wanted} of {of}");
        }
    }
}
