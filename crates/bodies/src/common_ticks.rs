//! Common ticks: one resolution of time for all units of a world.

use giveway_core::{SpaceGraph, Ticks, common_ticks, move_lengths};
use giveway_spaces::WaypointRules;

use crate::body_error::BodyError;
use crate::body_in::BodyIn;

/// Finds the smallest number of ticks per plain step that suits all units of a world: in whole ticks, the duration of
/// every move is then within 1 % of its exact duration. Add all units, then ask for the [`fewest`](Self::fewest) ticks.
///
/// ```
/// use std::sync::Arc;
///
/// use giveway_bodies::{Body, CommonTicks};
/// use giveway_spaces::{FnSpace, Grid};
///
/// let grid = Grid::open(9, 9)?;
/// let roads = FnSpace::new(3, |node| [((node + 1) % 3, 1000)])?.with_lengths(|m| 2.0 + m.from.0 as f32 / 4.0)?;
/// let roads = Arc::new(roads.with_positions(|node| [node as f32, 0.0, 0.0])?);
/// let cart = Body::square(2)?.speed(0.5)?;
/// let ticks = CommonTicks::new().of([&cart], &grid).of([&cart], &roads).fewest()?;
/// assert_eq!(ticks, 2); // lengths are 2, 2.25 and 2.5: at half speed, these are 8, 9 and 10 ticks
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CommonTicks {
    /// The nominal times of moves, in plain steps at speed 1.
    nominal: Vec<f64>,
    rules: Vec<WaypointRules>,
}

impl CommonTicks {
    /// A value without units: add units, then ask for the [`fewest`](Self::fewest) ticks.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds bodies or vehicles in `space`, which is a `&Grid`, or an `&Arc` of any space with positions. On a grid,
    /// moves onto every kind of surface count. Moves of length 0 do not count.
    #[must_use]
    pub fn of<'u, U: BodyIn<T> + 'u, T: Copy>(mut self, units: impl IntoIterator<Item = &'u U>, space: T) -> Self {
        self.nominal.extend(units.into_iter().flat_map(|unit| unit.times(space)));
        self
    }

    /// Adds [timed points](giveway_core::Point::timed) in `space`.
    #[must_use]
    pub fn points<S: SpaceGraph>(mut self, space: &S) -> Self {
        self.nominal.extend(move_lengths(space).into_iter().map(f64::from));
        self
    }

    /// Adds bodies on waypoints: for each of `rules`, the body whose waypoints follow these rules. Make the waypoints
    /// with the number of ticks that [`fewest`](Self::fewest) finds. The exact duration of a move on open ground is
    /// then nearly a whole number of ticks, and at least 12 ticks.
    ///
    /// Waypoints can be made with any other number of ticks, too, but moves then take a little longer, because
    /// durations are rounded up.
    #[must_use]
    pub fn waypoints<'r>(mut self, rules: impl IntoIterator<Item = &'r WaypointRules>) -> Self {
        self.rules.extend(rules);
        self
    }

    /// The smallest number of ticks per plain step that suits all units. 1 if there are no units.
    ///
    /// A move that takes 50 ticks or more is always within 1 % of its exact duration. So without waypoints, the number
    /// is at most 50 divided by the shortest duration in plain steps.
    ///
    /// # Errors
    /// No number up to 4096 suits all units.
    pub fn fewest(&self) -> Result<Ticks, BodyError> {
        let suits = |ticks| self.rules.iter().all(|rules| rules.suits(ticks));
        common_ticks(self.nominal.iter().copied(), suits).ok_or(BodyError::NoCommonTicks)
    }
}
