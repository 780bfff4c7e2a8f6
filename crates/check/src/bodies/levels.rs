//! Levels: spans of heights. What shares no level cannot meet.

/// Levels of one height, one above the other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Levels {
    lowest: f64,
    height: f64,
    last: f64,
}

impl Levels {
    /// `None` if there is no level, or one of the numbers makes no sense.
    pub(super) fn new(lowest: f32, height: f32, count: u32) -> Option<Self> {
        let last = f64::from(count.checked_sub(1)?);
        let is_sensible = lowest.is_finite() && height.is_finite() && height > 0.0;
        is_sensible.then(|| Self { lowest: lowest.into(), height: height.into(), last })
    }

    /// The level of a height, a whole number. NaN if the height is not finite.
    pub(super) fn of(&self, height: f32) -> f64 {
        if height.is_finite() {
            ((f64::from(height) - self.lowest) / self.height).floor().clamp(0.0, self.last)
        } else {
            f64::NAN
        }
    }
}
