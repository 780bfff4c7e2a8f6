//! The floors of a world.

use giveway::area::{Area, AreaError};

use super::maps::WorldPart;

/// Floors of one height.
#[derive(Clone, Copy)]
pub(crate) struct Floors {
    lowest: i32,
    highest: i32,
    /// From floor to floor, in world units.
    pub(super) height: f32,
}

impl Floors {
    pub(super) fn of(maps: &[WorldPart], height: f32) -> Self {
        let floors = || maps.iter().map(|part| part.floor);
        Self { lowest: floors().min().unwrap_or(0), highest: floors().max().unwrap_or(0), height }
    }

    pub(super) fn count(self) -> u32 {
        (self.highest - self.lowest).unsigned_abs() + 1
    }

    pub(super) fn are_several(self) -> bool {
        self.highest > self.lowest
    }

    /// Where the lowest level of the ground begins, and how high levels are: floors are in their middle.
    #[allow(clippy::cast_precision_loss)] // at most 1000 floors
    pub(super) fn levels(self) -> [f32; 2] {
        [(self.lowest as f32 - 0.5) * self.height, self.height]
    }

    /// Whether `height` belongs to `floor`.
    #[allow(clippy::cast_precision_loss)] // at most 1000 floors
    pub(super) fn has(self, floor: i32, height: f32) -> bool {
        !self.are_several() && floor == self.lowest || (height / self.height - floor as f32).abs() < 0.5
    }

    /// `area` on `floor`; `None`: on all floors.
    #[allow(clippy::cast_precision_loss)] // at most 1000 floors
    pub(super) fn on(self, area: Area, floor: Option<i32>) -> Result<Area, AreaError> {
        match floor.filter(|_| self.are_several()) {
            Some(floor) => area.heights((floor as f32 - 0.49) * self.height, (floor as f32 + 0.49) * self.height),
            None => Ok(area),
        }
    }
}
