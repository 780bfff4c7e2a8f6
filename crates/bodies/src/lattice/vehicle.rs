//! Vehicles: bodies that turn as they drive.

use giveway_core::{Ticks, TracedBody};

use super::primitives::Primitives;
use super::space::Lattice;
use crate::body::Body;
use crate::body_error::BodyError;
use crate::fit::WayTable;
use crate::footprint::BodyFootprint;
use crate::ground::Ground;
use giveway_spaces::Grid;

/// A body that drives by motion primitives and turns as it drives: cars, tanks, ships. Under heading 0 the vehicle
/// faces along x.
///
/// [`on`](Self::on) puts the vehicle on a grid. The result is a space of poses and a footprint. Vehicles and all other
/// classes can share one ground.
///
/// ```
/// use giveway_bodies::{Body, CommonTicks, Ground, Headings, Primitives, Vehicle};
/// use giveway_core::heuristic::Zero;
/// use giveway_core::{Embedding, Goals, SpatialSearch};
/// use giveway_spaces::Grid;
///
/// let grid = Grid::open(12, 12)?;
/// let primitives = Primitives::straight(Headings::Eight, 1)?.arcs(2.0)?;
/// let car = Vehicle::new(Body::rectangle(2.4, 1.2)?, primitives);
/// let ticks = CommonTicks::new().of([&car], &grid).fewest()?;
///
/// let (space, _footprint) = car.on(&grid, Ground::from_grid(&grid), ticks)?;
/// // From the left side, facing right, to the far corner, facing down.
/// let [start, goal] = [(2, 2, 0), (9, 9, 2)].map(|(x, y, heading)| space.node(x, y, heading).expect("on the grid"));
/// let route = SpatialSearch::new().find(&space, start, &Goals::one(goal), &mut Zero)?;
/// assert_eq!(space.position(goal), [9.0, 9.0, 0.0]);
/// assert!((space.heading(goal) - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
/// // A quarter turn takes at least one arc.
/// assert!(route.moves.iter().any(|m| space.trajectory(m).is_some()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Vehicle {
    body: Body,
    primitives: Primitives,
}

impl Vehicle {
    /// A vehicle with the shape and the speed of `body`, which moves by `primitives`.
    pub fn new(body: Body, primitives: Primitives) -> Self {
        Self { body, primitives }
    }

    /// The shape under heading 0, for traces and pictures.
    pub fn outline(&self) -> TracedBody {
        self.body.outline()
    }

    /// The space in which the vehicle drives on `grid`, and the footprint of the vehicle on `ground`. A plain step at
    /// speed 1 takes `ticks_per_step` ticks. The vehicle waits for a quarter of a step at a time.
    ///
    /// Call this method once for each class: it takes time in proportion to the number of cells of the grid, times the
    /// number of primitives, times the number of cells that a primitive meets.
    ///
    /// # Errors
    /// The ground does not cover the grid, or the cells of the ground [do not fit](Ground::new) the cells of the grid;
    /// the vehicle fits nowhere; the duration of a primitive would differ by more than 1 % from its exact duration; or
    /// there are more than 2^32 - 1 poses.
    pub fn on(
        &self,
        grid: &Grid,
        ground: Ground,
        ticks_per_step: Ticks,
    ) -> Result<(Lattice, BodyFootprint), BodyError> {
        let headings = self.primitives.headings();
        let poses = u64::from(grid.width()) * u64::from(grid.height()) * u64::from(headings.count());
        if poses > u64::from(u32::MAX) {
            return Err(BodyError::TooManyPoses { poses });
        }
        let (fit, footprint) = self.body.along(self.ways(), grid, ground, ticks_per_step, false)?;
        Ok((Lattice::new(fit, headings), footprint))
    }

    /// The nominal times of its primitives on each surface of `grid`, in plain steps at speed 1.
    pub(crate) fn nominal(&self, grid: &Grid) -> Vec<f64> {
        self.body.nominal(&self.ways(), grid)
    }

    fn ways(&self) -> WayTable {
        let headings = self.primitives.headings();
        let angles = (0..headings.count()).map(|heading| headings.angle(heading)).collect();
        WayTable::new(angles, self.primitives.ways().to_vec())
    }
}
