//! Bodies: units of every size, shape and speed, as values.

#[cfg(doc)]
use giveway_core::Embedding;
use giveway_core::plane::{hull, width};
use giveway_core::{Ticks, TracedBody, check_ticks};
use giveway_spaces::{Grid, Mover};

use crate::body_error::{BodyError, LARGEST, MOST_CORNERS, SMALLEST, length_within};
use crate::body_in::BodyIn;
use crate::fit::{Fit, Way, WayTable};
use crate::footprint::BodyFootprint;
use crate::footprint::pace::Pace;
use crate::ground::Ground;
use crate::shape::Shape;

/// A unit's shape and speed. Lengths are in world units; a cell of a grid is one unit wide.
///
/// [`on`](Self::on) puts the body into a space. The result is the part of the space where the body fits, and a
/// footprint. Make a class of a crowd, or an instance, of these two. On a grid the body does not turn; for a body that
/// turns on a grid, see [`Vehicle`](crate::Vehicle).
///
/// ```
/// use giveway_bodies::{Body, CommonTicks, Ground};
/// use giveway_core::SpaceGraph;
/// use giveway_spaces::Grid;
///
/// let grid = Grid::from_ascii("
///     .......
///     .......
///     @@@.@@@
///     .......
/// ")?;
/// let ground = Ground::from_grid(&grid);
/// let (cart, scout) = (Body::square(2)?.speed(0.5)?, Body::disc(0.4)?);
/// let ticks = CommonTicks::new().of([&cart, &scout], &grid).fewest()?;
///
/// let gap = grid.node(3, 2).expect("on the grid");
/// // Two cells wide, the cart does not get through the gap; the scout does.
/// let (carts, _footprint) = cart.on(&grid, ground, ticks)?;
/// assert!(!carts.contains(gap));
/// let (scouts, _footprint) = scout.on(&grid, ground, ticks)?;
/// assert!(scouts.contains(gap));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Body {
    pub(crate) shape: Shape,
    pub(crate) speed: f64,
    closed: bool,
}

impl Body {
    /// A square of `cells` x `cells` cells. If `cells` is odd, the position is the middle of the square. If `cells` is
    /// even, the body reaches one cell farther to the right and down than to the left and up.
    ///
    /// # Errors
    /// `cells` is 0 or more than 1024.
    pub fn square(cells: u32) -> Result<Self, BodyError> {
        let side = length("side", f64::from(cells))?;
        let middle = if cells.is_multiple_of(2) { 0.5 } else { 0.0 };
        let (low, high) = (middle - side / 2.0, middle + side / 2.0);
        Ok(Self::of(Shape::Polygon(vec![[low, low], [high, low], [high, high], [low, high]])))
    }

    /// A rectangle with its position in the middle, `across` world units long in x and `down` world units long in y.
    ///
    /// # Errors
    /// A length is below 0.001, or above 1024.
    pub fn rectangle(across: f32, down: f32) -> Result<Self, BodyError> {
        let [x, y] = [length("length", across.into())? / 2.0, length("length", down.into())? / 2.0];
        Ok(Self::of(Shape::Polygon(vec![[-x, -y], [x, -y], [x, y], [-x, y]])))
    }

    /// A disc with its position in the middle.
    ///
    /// # Errors
    /// The radius is below 0.001, or above 1024.
    pub fn disc(radius: f32) -> Result<Self, BodyError> {
        Ok(Self::of(Shape::Disc { center: [0.0, 0.0], radius: length("radius", radius.into())? }))
    }

    /// The convex hull of `corners`, which are relative to the position of the body.
    ///
    /// # Errors
    /// The hull is less than 0.001 wide; there are more than 64 corners; or a coordinate of a corner is not finite, or
    /// beyond 1024.
    pub fn polygon(corners: &[[f32; 2]]) -> Result<Self, BodyError> {
        if corners.len() > MOST_CORNERS {
            return Err(BodyError::Corners(corners.len()));
        }
        if let Some(far) =
            corners.as_flattened().iter().find(|side| !side.is_finite() || f64::from(side.abs()) > LARGEST)
        {
            return Err(BodyError::Length { what: "coordinate", found: f64::from(*far), most: LARGEST });
        }
        let hull = hull(corners.iter().map(|corner| corner.map(f64::from)).collect());
        if width(&hull) < SMALLEST {
            return Err(BodyError::Flat);
        }
        Ok(Self::of(Shape::Polygon(hull)))
    }

    fn of(shape: Shape) -> Self {
        Self { shape, speed: 1.0, closed: false }
    }

    /// Sets the speed, in world units per plain step of time. The default is 1: the body moves one world unit in the
    /// [`ticks_per_step`](Self::on) ticks of a plain step.
    ///
    /// # Errors
    /// The speed is not between 0.001 and 1000.
    pub fn speed(self, speed: f32) -> Result<Self, BodyError> {
        let known = f64::from(speed);
        if (0.001..=1000.0).contains(&known) { Ok(Self { speed: known, ..self }) } else { Err(BodyError::Speed(known)) }
    }

    /// Makes each motion also hold its cells at its tick of arrival. A unit that follows another unit must then stay at
    /// least one tick farther behind. Silver's article in AI Game Programming Wisdom 3 uses this convention. Bodies
    /// with and without the convention may share a ground.
    #[must_use]
    pub fn closed(self) -> Self {
        Self { closed: true, ..self }
    }

    /// The shape, for traces and pictures.
    #[allow(clippy::cast_possible_truncation)] // for pictures
    pub fn outline(&self) -> TracedBody {
        let short = |[x, y]: [f64; 2]| [x as f32, y as f32];
        match &self.shape {
            Shape::Disc { center, radius } => TracedBody::Disc { center: short(*center), radius: *radius as f32 },
            Shape::Polygon(corners) => {
                TracedBody::Polygon { corners: corners.iter().map(|corner| short(*corner)).collect() }
            }
        }
    }

    /// The part of `space` in which the body fits, and the footprint of the body on `ground`. A plain step at speed 1
    /// takes `ticks_per_step` ticks. The body waits for a quarter of a step at a time. Call this method once for each
    /// class.
    ///
    /// `space` is one of these:
    ///
    /// * a [`&Grid`](Grid). The result is a [`Clearance`](crate::Clearance). Takes time in proportion to the number of
    ///   cells of the grid, times the number of cells of the body.
    /// * an `&Arc` of any space with [positions](Embedding): waypoints, roads, hexes, or a space of your own. The
    ///   result is a [`GraphClearance`](crate::GraphClearance). Takes time and memory in proportion to the number of
    ///   moves.
    ///
    /// In a space with positions, the body goes straight from position to position, or along the
    /// [trajectory](Embedding::trajectory) of a move. The body turns as [headings](Embedding::heading) and trajectories
    /// say. In a space without headings and trajectories, it never turns.
    ///
    /// The duration of a move is its [length](giveway_core::Move::length) divided by the speed of the body. Moves of
    /// length 0 take one tick. At first only the edge of the ground is a wall. [Close](giveway_core::Editable::change)
    /// areas to make further walls, for instance the walls of a [grid](Grid::walls).
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use giveway_core::{Area, Change, Editable, SpaceGraph};
    /// use giveway_bodies::{Body, CommonTicks, Ground};
    /// use giveway_spaces::FnSpace;
    ///
    /// // Four waypoints: a street from 0 to 2, and a way round by 3.
    /// let at = [[1.0, 2.0], [5.0, 2.0], [9.0, 2.0], [5.0, 5.0]];
    /// let ways = [(0, 1), (1, 2), (0, 3), (3, 2)];
    /// let near = |node| ways.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]).filter(move |way| way.0 == node);
    /// let waypoints = FnSpace::new(4, |node| near(node).map(|(_, to)| (to, 4000)))?
    ///     .with_positions(|node| [at[node as usize][0], at[node as usize][1], 0.0])?;
    ///
    /// let (waypoints, walker) = (Arc::new(waypoints), Body::disc(0.4)?);
    /// let ticks = CommonTicks::new().of([&walker], &waypoints).fewest()?;
    /// let ground = Ground::new([0.0, 0.0], [10.0, 7.0], 1.0)?;
    /// let (mut space, footprint) = walker.on(&waypoints, ground, ticks)?;
    /// // A barrier across the street; the way round passes at a distance.
    /// space.change(&Area::rectangle([5.0, 1.0], [6.0, 3.0])?, Change::Close);
    /// let ends = |node| space.moves(giveway_core::NodeId(node)).map(|m| m.to.0).collect::<Vec<u32>>();
    /// assert_eq!((ends(0), ends(3)), (vec![3], vec![0, 2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// * The body fits nowhere.
    /// * In whole ticks, the duration of a move would differ by more than 1 % from its exact duration. The error names
    ///   a number of ticks per step that is fine enough.
    /// * On a grid: the ground does not cover the grid, or the cells of the ground [do not fit](Ground::new) the cells
    ///   of the grid.
    /// * In other spaces: the body is more than 1024 cells of the ground wide; the trajectory of a move ends more than
    ///   1e-4 world units from the end of the move; the space has more than 2^32 - 1 nodes or moves; or a move leads to
    ///   a node beyond the bound of the space.
    pub fn on<T>(
        &self,
        space: T,
        ground: Ground,
        ticks_per_step: Ticks,
    ) -> Result<(<Self as BodyIn<T>>::Space, BodyFootprint), BodyError>
    where
        Self: BodyIn<T>,
    {
        self.put(space, ground, ticks_per_step)
    }

    /// The places on `grid` with room for the body, and the footprint of the body on `ground`. The body goes along
    /// `ways`; with `follows_grid`, the ways are the moves of the grid.
    pub(crate) fn along(
        &self,
        ways: WayTable,
        grid: &Grid,
        ground: Ground,
        ticks_per_step: Ticks,
        follows_grid: bool,
    ) -> Result<(Fit, BodyFootprint), BodyError> {
        if !ground.covers(grid) {
            return Err(BodyError::OtherGround);
        }
        let alignment = ground.columns_of_grid().ok_or(BodyError::GroundApart { side: ground.side() })?;
        check_ticks(self.nominal(&ways, grid), ticks_per_step)?;
        let nominal = ways.list.iter().map(|way| self.time(way) * f64::from(ticks_per_step));
        // On a grid without plain ground, no way need be exact there.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // casts of floats saturate
        let durations = nominal.map(|nominal| (nominal.round() as Ticks).max(1)).collect();
        if !self.shape.is_within([grid.width(), grid.height()], &ways.headings) {
            return Err(BodyError::FitsNowhere);
        }
        let fit = Fit::new(grid, &self.shape, ground, ways, follows_grid);
        if !fit.is_somewhere() {
            return Err(BodyError::FitsNowhere);
        }
        let pace = self.pace(ticks_per_step);
        let footprint = BodyFootprint::by_offset(&self.shape, ground, grid, alignment, pace, fit.ways(), durations);
        Ok((fit, footprint))
    }

    /// The pace of the body if a plain step at speed 1 takes `ticks_per_step` ticks.
    pub(crate) fn pace(&self, ticks_per_step: Ticks) -> Pace {
        let ticks_per_length = f64::from(ticks_per_step) / self.speed;
        Pace { ticks_per_step, ticks_per_length, after: self.closed.into() }
    }

    /// The time of `way`, in plain steps at speed 1.
    fn time(&self, way: &Way) -> f64 {
        way.counts() / self.speed
    }

    /// The times of its `ways` on each surface of `grid`, in plain steps at speed 1.
    pub(crate) fn nominal(&self, ways: &WayTable, grid: &Grid) -> Vec<f64> {
        let slownesses = grid.slownesses();
        let on_each = |way| slownesses.iter().map(move |slowness| self.time(way) * f64::from(*slowness));
        ways.list.iter().flat_map(on_each).collect()
    }
}

impl From<&Body> for Mover {
    fn from(body: &Body) -> Self {
        Self { reach: body.shape.reach(), pace: body.speed }
    }
}

fn length(what: &'static str, found: f64) -> Result<f64, BodyError> {
    length_within(LARGEST, what, found)
}
