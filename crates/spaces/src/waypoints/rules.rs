//! Rules: how far waypoints are from each other and from walls.

use giveway_core::{Ticks, whole_ticks};

use crate::nav_mesh::NavMesh;
use crate::space_error::SpaceError;

/// The properties of a body that waypoints depend on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mover {
    /// The largest distance from the position of the body to a point of the body, in world units.
    pub reach: f64,
    /// The distance that the body goes while a unit of speed 1 makes a plain step, in world units.
    pub pace: f64,
}

/// The rules for placing the waypoints of a body: see [`Waypoints`](super::Waypoints).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WaypointRules {
    /// The least distance of waypoints and moves from walls.
    pub(super) clearance: f64,
    /// The least distance of waypoints in the open.
    spacing: f64,
    /// How far the body goes in a plain step at speed 1.
    speed: f64,
}

/// In the open, waypoints are this many radii apart. So bodies on neighbouring waypoints do not touch, nor do they
/// share a cell of the ground if cells are half a radius wide.
const RADII_APART: f64 = 2.5;
/// Waypoints of points are at least so far apart, in world units: as far as the smallest bodies are wide.
const LEAST_SPACING: f64 = 1e-3;
/// Where the spacing would lead to more waypoints than this, it is larger.
const MOST_BY_DEFAULT: f64 = 200_000.0;
/// A spacing is at most this much larger than it need be, so that moves in the open take nearly whole numbers of ticks.
const LARGER: f64 = 1.1;
/// By the fewest ticks, moves in the open are no shorter, in ticks.
const SHORTEST: f64 = 12.0;

impl WaypointRules {
    /// The rules for `body` on `mesh`.
    ///
    /// Waypoints and moves keep a clearance from walls, so that the body fits under any heading: the clearance is the
    /// largest distance from the position of the body to a point of the body. On open ground, waypoints are about 2.5
    /// times the clearance apart. If there would be more than 200,000 waypoints, they are farther apart.
    pub fn new(mesh: &NavMesh, body: impl Into<Mover>) -> Self {
        let Mover { reach, pace: speed } = body.into();
        // Not a number is 0, too.
        let clearance = reach.max(0.0);
        let spacing = (RADII_APART * clearance).max((mesh.area() / MOST_BY_DEFAULT).sqrt()).max(LEAST_SPACING);
        Self { clearance, spacing, speed }
    }

    /// Sets the distance between waypoints on open ground, in world units. Set a large distance for bodies that are
    /// small compared with the open ground. The actual distance is up to a tenth larger than `spacing`. Lanes side by
    /// side are nearly as far apart.
    ///
    /// # Errors
    /// The spacing is less than a diameter of the body, less than 0.001, or more than 10^6.
    pub fn spacing(self, spacing: f32) -> Result<Self, SpaceError> {
        if !(self.least_spacing()..=1e6).contains(&spacing.into()) {
            return Err(SpaceError::Spacing { spacing, diameter: 2.0 * self.clearance });
        }
        Ok(Self { spacing: spacing.into(), ..self })
    }

    fn least_spacing(&self) -> f64 {
        (2.0 * self.clearance).max(LEAST_SPACING)
    }

    /// Whether the spacing and the clearance are numbers that waypoints can be placed by.
    pub(super) fn check(&self) -> Result<(), SpaceError> {
        let is_sound = self.clearance.is_finite() && self.spacing.is_finite();
        #[allow(clippy::cast_possible_truncation)] // for the message
        let spacing = self.spacing as f32;
        let error = SpaceError::Spacing { spacing, diameter: 2.0 * self.clearance };
        if is_sound { Ok(()) } else { Err(error) }
    }

    /// Whether `ticks_per_step` suits the waypoints: the exact duration of a move on open ground is nearly a whole
    /// number of ticks, and at least 12 ticks. Other numbers are permitted, too, but moves then take a little longer,
    /// because durations are rounded up.
    pub fn suits(&self, ticks_per_step: Ticks) -> bool {
        let least = self.spacing * f64::from(ticks_per_step) / self.speed;
        nearly_whole(least.max(SHORTEST), least * LARGER).is_some()
    }

    /// A good side length for the cells of a ground, in world units: bodies on neighbouring waypoints then share no
    /// cell. Bodies in lanes side by side share no cell either if the walls lie along the lines of the ground.
    #[allow(clippy::cast_possible_truncation)] // rounded once
    pub fn ground_cell(&self) -> f32 {
        (self.clearance / 2.0).max(self.spacing / 4.0).min(self.spacing - 2.0 * self.clearance).max(self.spacing / 64.0)
            as f32
    }

    /// The rules with `ticks_per_step`, at least 1.
    pub(super) fn paced(&self, ticks_per_step: Ticks) -> Paced {
        let ticks_per_step = ticks_per_step.max(1);
        let tick_length = self.speed / f64::from(ticks_per_step);
        let least = self.spacing / tick_length;
        let spacing = nearly_whole(least, least * LARGER).map_or(self.spacing, |ticks| ticks * tick_length);
        // Lanes do not get wider with the spacing: passages would have fewer of them.
        let lane = (2.0 * self.clearance).max(0.8 * self.spacing);
        Paced { clearance: self.clearance, lane, spacing, tick_length, ticks_per_step }
    }
}

/// Rules, at a resolution of time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Paced {
    pub(super) clearance: f64,
    /// The distance of lanes side by side.
    pub(super) lane: f64,
    /// The distance of waypoints in the open.
    pub(super) spacing: f64,
    /// How far the body goes in a tick.
    pub(super) tick_length: f64,
    pub(super) ticks_per_step: Ticks,
}

impl Paced {
    /// The ticks that the body takes for a way of this length: the nearest number if it is within 1 %, otherwise the
    /// next larger one.
    pub(super) fn ticks(&self, length: f64) -> Ticks {
        let nominal = length / self.tick_length;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // casts of floats saturate
        let longer = || (nominal - 1e-6).ceil().max(1.0) as Ticks;
        whole_ticks(nominal).unwrap_or_else(longer)
    }
}

/// The least whole number between `least` and `most` with which straight moves, diagonal moves and the moves of a
/// knight in chess take nearly whole numbers of ticks.
fn nearly_whole(least: f64, most: f64) -> Option<f64> {
    let first = (least - 1e-9).ceil().max(1.0);
    let numbers = (0..64).map(|more| first + f64::from(more)).take_while(|number| *number <= most + 1e-9);
    let suits = |number: f64| [2.0, 5.0_f64].iter().all(|square| whole_ticks(number * square.sqrt()).is_some());
    { numbers }.find(|number| suits(*number))
}
