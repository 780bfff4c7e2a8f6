//! Cost: what a search minimises.

use std::fmt::Debug;

use num_traits::{ToPrimitive, Zero};
use ordered_float::OrderedFloat;

/// A non-negative price of moving and waiting.
///
/// `u32` is the default: a plain step costs 1000, a diagonal step 1414, so that diagonals, terrain and small
/// penalties are integers and equal on every platform. `u64`, `OrderedFloat<f32>` and `OrderedFloat<f64>` are
/// implemented too, with plain steps of 1000, 1.0 and 1.0.
///
/// Costs must not be negative or NaN: otherwise searches return paths that are not cheapest.
pub trait Cost: Copy + Ord + Zero + ToPrimitive + Debug + 'static {
    /// The cost of a plain step, and by default of waiting for as long as a plain step takes.
    const STEP: Self;

    /// The sum; the largest value if the sum does not fit. Never panics.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// The difference; zero if `other` is the larger.
    #[must_use]
    fn minus(self, other: Self) -> Self;

    /// `count` times this cost; the largest value if the product does not fit.
    #[must_use]
    fn times(self, count: u32) -> Self;

    /// This cost divided by `parts`; integers round down. 0 parts count as 1 part.
    #[must_use]
    fn part(self, parts: u32) -> Self;

    /// The largest cost not above `value`, for lower bounds from floating-point geometry. Negative values and NaN
    /// give zero.
    fn floor(value: f64) -> Self;
}

macro_rules! integer_cost {
    ($integer:ty) => {
        impl Cost for $integer {
            const STEP: Self = 1000;

            #[inline]
            fn plus(self, other: Self) -> Self {
                self.saturating_add(other)
            }

            #[inline]
            fn minus(self, other: Self) -> Self {
                self.saturating_sub(other)
            }

            #[inline]
            fn times(self, count: u32) -> Self {
                self.saturating_mul(Self::from(count))
            }

            #[inline]
            fn part(self, parts: u32) -> Self {
                self / Self::from(parts.max(1))
            }

            #[inline]
            fn floor(value: f64) -> Self {
                // A float-to-integer cast truncates, saturates, and takes NaN to zero, as the contract says.
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                {
                    value as Self
                }
            }
        }
    };
}

integer_cost!(u32);
integer_cost!(u64);

macro_rules! float_cost {
    ($float:ty) => {
        impl Cost for OrderedFloat<$float> {
            const STEP: Self = OrderedFloat(1.0);

            #[inline]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline]
            fn minus(self, other: Self) -> Self {
                OrderedFloat((self.0 - other.0).max(0.0))
            }

            #[inline]
            #[allow(clippy::cast_precision_loss)] // f32 has 24 bits; the price of a longer wait is rounded
            fn times(self, count: u32) -> Self {
                OrderedFloat(self.0 * count as $float)
            }

            #[inline]
            #[allow(clippy::cast_precision_loss)] // as above
            fn part(self, parts: u32) -> Self {
                OrderedFloat(self.0 / parts.max(1) as $float)
            }

            #[inline]
            #[allow(clippy::cast_possible_truncation)] // see the next line
            fn floor(value: f64) -> Self {
                // Rounding to f32 may go up by half a unit in the last place: step down by one unit to stay a lower
                // bound.
                let rounded = value.max(0.0) as $float;
                OrderedFloat(if f64::from(rounded) > value.max(0.0) { rounded.next_down() } else { rounded })
            }
        }
    };
}

float_cost!(f32);
float_cost!(f64);
