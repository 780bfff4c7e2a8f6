//! Common ticks: one resolution of time for all units of a world.

use giveway_core::{SpaceGraph, Ticks, common_ticks};

use super::clearance::Clearance;
use crate::body::Body;
use crate::error::BodyError;
use crate::lattice::Vehicle;
use giveway_spaces::Grid;

/// The units of a world, to find the smallest number of ticks per plain step that suits all of them: every move takes its nominal time within
/// 1 %.
///
/// ```
/// use giveway_bodies::{Body, CommonTicks};
/// use giveway_spaces::{FnSpace, Grid};
///
/// let grid = Grid::open(9, 9)?;
/// let roads = FnSpace::new(3, |node| [((node + 1) % 3, 1000)])?.with_lengths(|m| 2.0 + m.from.0 as f32 / 4.0)?;
/// let cart = Body::square(2)?.speed(0.5)?;
/// let ticks = CommonTicks::new().body(&cart, &grid).on_graph(&cart, &roads).fewest()?;
/// assert_eq!(ticks, 2); // lengths are 2, 2.25 and 2.5: at half speed, these are 8, 9 and 10 ticks
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CommonTicks {
    /// The nominal times of moves, in plain steps at speed 1.
    nominal: Vec<f64>,
}

impl CommonTicks {
    /// No units yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With `body` [on](Body::on) `grid`, on each of its surfaces.
    #[must_use]
    pub fn body(self, body: &Body, grid: &Grid) -> Self {
        self.and(body.nominal(&Clearance::ways(grid.connectivity()), grid))
    }

    /// With `vehicle` [on](Vehicle::on) `grid`, on each of its surfaces.
    #[must_use]
    pub fn vehicle(self, vehicle: &Vehicle, grid: &Grid) -> Self {
        self.and(vehicle.nominal(grid))
    }

    /// With `body` [on](Body::on_graph) the moves of `space`. Moves of length 0 do not count.
    #[must_use]
    pub fn on_graph<S: SpaceGraph>(self, body: &Body, space: &S) -> Self {
        self.and(body.times(space))
    }

    fn and(mut self, nominal: Vec<f64>) -> Self {
        self.nominal.extend(nominal);
        self
    }

    /// The smallest number of ticks. 1 if there are no units.
    ///
    /// A move that takes 50 ticks or more is always exact enough, so the number is at most 50 divided by the shortest time in plain steps.
    ///
    /// # Errors
    /// There is no such number up to 4096.
    pub fn fewest(&self) -> Result<Ticks, BodyError> {
        common_ticks(self.nominal.iter().copied()).ok_or(BodyError::NoCommonTicks)
    }
}
