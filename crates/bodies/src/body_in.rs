//! Bodies in spaces: what a body, or a vehicle, makes of a space.

use std::sync::Arc;

use giveway_core::{Embedding, Ticks, TracedBody, check_ticks, move_lengths};
use giveway_spaces::Grid;

use crate::body::Body;
use crate::body_error::BodyError;
use crate::clearance::Clearance;
use crate::footprint::{BodyFootprint, Stamped};
use crate::graph_clearance::GraphClearance;
use crate::ground::Ground;
use crate::lattice::{Lattice, Vehicle};
use crate::survey::Survey;

/// A unit that can be put into a space. `T` is the type of the argument that gives the space. For a [`Body`], `T` is a
/// `&Grid`, or an `&Arc` of any space with positions. For a [`Vehicle`], `T` is a `&Grid`.
pub trait BodyIn<T> {
    /// The part of the space in which the unit fits.
    type Space: Embedding + Stamped;

    /// The part of `space` in which the unit fits, and the footprint of the unit on `ground`: see [`Body::on`] and
    /// [`Vehicle::on`].
    ///
    /// # Errors
    /// As for [`Body::on`] and [`Vehicle::on`].
    fn put(&self, space: T, ground: Ground, ticks_per_step: Ticks) -> Result<(Self::Space, BodyFootprint), BodyError>;

    /// The exact durations of all moves in `space`, in plain steps at speed 1. Moves of length 0 do not count.
    fn times(&self, space: T) -> Vec<f64>;

    /// The shape under heading 0, for traces and pictures.
    fn outline(&self) -> TracedBody;
}

impl BodyIn<&Grid> for Body {
    type Space = Clearance;

    fn put(&self, grid: &Grid, ground: Ground, ticks_per_step: Ticks) -> Result<(Clearance, BodyFootprint), BodyError> {
        let ways = Clearance::ways(grid.connectivity());
        let (fit, footprint) = self.along(ways, grid, ground, ticks_per_step, true)?;
        Ok((Clearance::new(fit), footprint))
    }

    fn times(&self, grid: &Grid) -> Vec<f64> {
        self.nominal(&Clearance::ways(grid.connectivity()), grid)
    }

    fn outline(&self) -> TracedBody {
        self.outline()
    }
}

impl<S: Embedding> BodyIn<&Arc<S>> for Body {
    type Space = GraphClearance<S>;

    fn put(
        &self,
        space: &Arc<S>,
        ground: Ground,
        ticks_per_step: Ticks,
    ) -> Result<(GraphClearance<S>, BodyFootprint), BodyError> {
        check_ticks(self.times(space), ticks_per_step)?;
        let survey = Survey::new(Arc::new(self.shape.clone()), ground);
        let clearance = GraphClearance::new(Arc::clone(space), survey.clone())?;
        let footprint = BodyFootprint::by_move(survey, self.pace(ticks_per_step), &clearance);
        Ok((clearance, footprint))
    }

    fn times(&self, space: &Arc<S>) -> Vec<f64> {
        move_lengths(&**space).into_iter().map(|length| f64::from(length) / self.speed).collect()
    }

    fn outline(&self) -> TracedBody {
        self.outline()
    }
}

impl BodyIn<&Grid> for Vehicle {
    type Space = Lattice;

    fn put(&self, grid: &Grid, ground: Ground, ticks_per_step: Ticks) -> Result<(Lattice, BodyFootprint), BodyError> {
        self.on(grid, ground, ticks_per_step)
    }

    fn times(&self, grid: &Grid) -> Vec<f64> {
        self.nominal(grid)
    }

    fn outline(&self) -> TracedBody {
        self.outline()
    }
}
