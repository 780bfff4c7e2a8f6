//! Pace: the least cost of distances in a space.

use std::f64::consts::SQRT_2;

/// The distance of two positions along each axis.
#[inline]
pub(super) fn offsets(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| (a[axis] - b[axis]).abs())
}

/// The octile distance over `offsets`: straight and diagonal steps in the plane of the first two coordinates, and steps
/// along the third.
#[inline]
pub(super) fn octile(offsets: [f64; 3]) -> f64 {
    Pace { straight: 1.0, diagonal: SQRT_2 }.least_cost(offsets)
}

/// The cost of one unit along an axis, and of one unit diagonally: no route is cheaper than such steps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Pace {
    straight: f64,
    /// Neither less than `straight` nor more than twice as much.
    diagonal: f64,
}

impl Pace {
    /// The cost along an axis, and diagonally.
    pub(super) fn numbers(self) -> [f64; 2] {
        [self.straight, self.diagonal]
    }

    pub(super) fn of([straight, diagonal]: [f64; 2]) -> Self {
        Self { straight, diagonal }
    }
}

/// The least prices of the moves of a space, each given by its offsets and its cost. First all moves are
/// [noted](Self::note), and then all are [fitted](Self::fit).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Prices {
    /// Of a unit along an axis.
    straight: Option<f64>,
    /// Of a diagonal unit.
    diagonal: Option<f64>,
    /// Of a move, in parts of what it costs at the prices of units.
    fits: Option<f64>,
}

fn keep_least(least: &mut Option<f64>, ratio: f64) {
    *least = Some(least.map_or(ratio, |least| if ratio.total_cmp(&least).is_lt() { ratio } else { least }));
}

impl Prices {
    /// Of a unit along an axis, diagonally, and of a move.
    pub(super) fn numbers(self) -> [Option<f64>; 3] {
        [self.straight, self.diagonal, self.fits]
    }

    pub(super) fn of([straight, diagonal, fits]: [Option<f64>; 3]) -> Self {
        Self { straight, diagonal, fits }
    }

    pub(super) fn note(&mut self, (offsets, cost): ([f64; 3], f64)) {
        for axis in 0..3 {
            let others = (0..3).filter(|other| *other != axis).all(|other| offsets[other] == 0.0);
            if others && offsets[axis] > 0.0 {
                keep_least(&mut self.straight, cost / offsets[axis]);
            }
        }
        let [x, y, z] = offsets;
        if x == y && x > 0.0 && z == 0.0 {
            keep_least(&mut self.diagonal, cost / x);
        }
    }

    pub(super) fn fit(&mut self, (offsets, cost): ([f64; 3], f64)) {
        if offsets != [0.0; 3] {
            let price = self.of_units().least_cost(offsets);
            keep_least(&mut self.fits, cost / price);
        }
    }

    fn of_units(self) -> Pace {
        let straight = self.straight.unwrap_or(self.diagonal.unwrap_or(SQRT_2) / SQRT_2);
        // Costs of a space that breaks its contract may be anything.
        let straight = if straight >= 0.0 { straight } else { 0.0 };
        let diagonal = self.diagonal.unwrap_or(f64::INFINITY).clamp(straight, 2.0 * straight);
        Pace { straight, diagonal }
    }

    /// The pace of the space. Exact if all moves are steps along axes and diagonals, with one price per unit for each
    /// of the two. For other moves it is the largest bound with the same ratio of the two prices.
    pub(super) fn pace(self) -> Pace {
        let Pace { straight, diagonal } = self.of_units();
        let fits = self.fits.unwrap_or(0.0).min(1.0);
        // Sums of whole numbers are exact; other sums might be rounded up.
        let is_exact = fits == 1.0 && straight.fract() == 0.0 && diagonal.fract() == 0.0;
        let factor = if is_exact { 1.0 } else { fits * A_HAIR_BELOW };
        // With moves that cost nothing, there is no bound.
        if factor.is_finite() {
            Pace { straight: straight * factor, diagonal: diagonal * factor }
        } else {
            Pace { straight: 0.0, diagonal: 0.0 }
        }
    }
}

impl Pace {
    /// A norm of `offsets`, and so consistent.
    #[inline]
    pub(super) fn least_cost(self, [x, y, z]: [f64; 3]) -> f64 {
        x.min(y) * self.diagonal + ((x - y).abs() + z) * self.straight
    }
}

/// Keeps rounding from lifting an estimate above a cost.
pub(super) const A_HAIR_BELOW: f64 = 1.0 - 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pace_is_exact_for_steps_and_scaled_for_other_moves() {
        let step = ([1.0, 0.0, 0.0], 1000.0);
        let up = ([0.0, 0.0, 2.0], 3000.0);
        let diagonal = ([1.0, 1.0, 0.0], 1414.0);
        let knight = ([1.0, 2.0, 0.0], 1207.0);
        type Moves<'a> = &'a [([f64; 3], f64)];
        let rows: [(Moves<'_>, [f64; 2]); 9] = [
            (&[], [0.0, 0.0]),
            (&[step], [1000.0, 2000.0]),
            (&[step, up], [1000.0, 2000.0]),
            (&[up], [1500.0, 3000.0]),
            (&[up, step, diagonal], [1000.0, 1414.0]),
            (&[diagonal, ([2.0, 2.0, 0.0], 600.0), step], [300.0, 300.0]),
            // Half of what 2414 would be.
            (&[step, diagonal, knight], [500.0, 707.0]),
            (&[diagonal], [1414.0 / SQRT_2, 1414.0]),
            (&[step, ([0.0, 0.0, 0.0], 1.0), ([0.0, 1.0, 0.0], 0.0)], [0.0, 0.0]),
        ];
        for (moves, expected) in rows {
            let mut prices = Prices::default();
            moves.iter().for_each(|m| prices.note(*m));
            moves.iter().for_each(|m| prices.fit(*m));
            let pace = prices.pace();
            for (found, expected) in [pace.straight, pace.diagonal].into_iter().zip(expected) {
                assert!(found <= expected && found >= expected * (1.0 - 2e-9), "{pace:?} for {moves:?}");
            }
            for (offsets, cost) in moves {
                assert!(pace.least_cost(*offsets) <= *cost, "{pace:?} for {moves:?}");
            }
        }
    }

    #[test]
    fn the_octile_distance_is_that_of_straight_and_diagonal_steps() {
        let rows = [([3.0, 0.0, 0.0], 3.0), ([2.0, 2.0, 0.0], 2.0 * SQRT_2), ([1.0, 3.0, 4.0], 6.0 + SQRT_2)];
        for (offsets, expected) in rows {
            assert!((octile(offsets) - expected).abs() < 1e-12, "{offsets:?}");
        }
        assert_eq!(offsets([1.0, 5.0, -2.0], [4.0, 1.0, 0.5]), [3.0, 4.0, 2.5]);
    }
}
