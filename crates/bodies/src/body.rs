//! Bodies: units of every size, shape and speed, as values.

use giveway_core::plane::{hull, width};
use giveway_core::{NodeId, SpaceGraph, Ticks, TracedBody, check_ticks, move_lengths};

use giveway_spaces::{Grid, Mover};

use crate::clearance::Clearance;
use crate::common_ticks::CommonTicks;
use crate::error::{BodyError, LARGEST, MOST_CORNERS, SMALLEST, length_within};
use crate::footprint::{BodyFootprint, Pace};
use crate::ground::Ground;
use crate::room::{Room, Way, WayTable};
use crate::shape::Shape;

/// A unit's shape and speed. Lengths are in world units; a cell of a grid is one unit wide.
///
/// [`on`](Self::on) turns the body and a grid into a space, the part of the grid where the body fits, and a footprint. A class of a crowd,
/// or an instance, is made of these two. The body does not turn; for a body that turns, see [`Vehicle`](crate::Vehicle).
///
/// ```
/// use giveway_bodies::{Body, Ground};
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
/// let ticks = Body::common_ticks(&[cart.clone(), scout.clone()], &grid)?;
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
    speed: f64,
    closed: bool,
}

impl Body {
    /// A square of `cells` x `cells` cells. If the number is odd, the middle is the position; if it is even, the body reaches one cell
    /// farther to the right and down.
    ///
    /// # Errors
    /// `cells` is 0 or more than 1024.
    pub fn square(cells: u32) -> Result<Self, BodyError> {
        let side = length("side", f64::from(cells))?;
        let middle = if cells.is_multiple_of(2) { 0.5 } else { 0.0 };
        let (low, high) = (middle - side / 2.0, middle + side / 2.0);
        Ok(Self::of(Shape::Polygon(vec![[low, low], [high, low], [high, high], [low, high]])))
    }

    /// A rectangle around its position, `across` long in x and `down` long in y.
    ///
    /// # Errors
    /// A length is below 0.001, or above 1024.
    pub fn rectangle(across: f32, down: f32) -> Result<Self, BodyError> {
        let [x, y] = [length("length", across.into())? / 2.0, length("length", down.into())? / 2.0];
        Ok(Self::of(Shape::Polygon(vec![[-x, -y], [x, -y], [x, y], [-x, y]])))
    }

    /// A disc around its position.
    ///
    /// # Errors
    /// The radius is below 0.001, or above 1024.
    pub fn disc(radius: f32) -> Result<Self, BodyError> {
        Ok(Self::of(Shape::Disc { center: [0.0, 0.0], radius: length("radius", radius.into())? }))
    }

    /// The convex hull of `corners`, relative to the position.
    ///
    /// # Errors
    /// The hull is less than 0.001 wide; there are more than 64 corners; or a corner is not finite, or farther than 1024 away.
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

    /// Sets the speed: the world units that the body moves in the time in which a unit of speed 1, the default, moves one.
    ///
    /// # Errors
    /// The speed is not between 0.001 and 1000.
    pub fn speed(self, speed: f32) -> Result<Self, BodyError> {
        let known = f64::from(speed);
        if (0.001..=1000.0).contains(&known) { Ok(Self { speed: known, ..self }) } else { Err(BodyError::Speed(known)) }
    }

    /// Makes motions also hold their cells at the tick of their end, so that followers keep one step more distance: the convention of
    /// Silver's article in AI Game Programming Wisdom 3. Bodies with and without this convention may share a ground.
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

    /// The smallest number of ticks per plain step at speed 1 with which every step of all `bodies` on `grid`, on each of its surfaces, takes its
    /// nominal time within 1 %. [`CommonTicks`] knows of other spaces, too.
    ///
    /// # Errors
    /// There is no such number up to 4096.
    pub fn common_ticks(bodies: &[Self], grid: &Grid) -> Result<Ticks, BodyError> {
        bodies.iter().fold(CommonTicks::new(), |all, body| all.body(body, grid)).fewest()
    }

    /// The space in which the body moves on `grid`, and its footprint on `ground`; a plain step at speed 1 takes `ticks_per_step` ticks. The
    /// body waits for a quarter of a step at a time.
    ///
    /// Call it once per class: it takes time in proportion to the cells of the grid times those of the body.
    ///
    /// # Errors
    /// The ground does not cover the grid, or its cells [do not fit](Ground::new) the grid's; the body fits nowhere; or a step would differ from
    /// its nominal time by more than 1 %.
    pub fn on(
        &self,
        grid: &Grid,
        ground: Ground,
        ticks_per_step: Ticks,
    ) -> Result<(Clearance, BodyFootprint), BodyError> {
        let ways = Clearance::ways(grid.connectivity());
        let (room, footprint) = self.along(ways, grid, ground, ticks_per_step, Clearance::offers(grid))?;
        Ok((Clearance::new(grid.clone(), room), footprint))
    }

    /// The places on `grid` with room for the body, for those of `ways` that the grid `offers`, and its footprint on `ground`.
    pub(crate) fn along(
        &self,
        ways: WayTable,
        grid: &Grid,
        ground: Ground,
        ticks_per_step: Ticks,
        offers: impl Fn(NodeId, usize) -> bool,
    ) -> Result<(Room, BodyFootprint), BodyError> {
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
        let room = Room::new(grid, &self.shape, ground, ways, offers);
        if !room.fits_somewhere() {
            return Err(BodyError::FitsNowhere);
        }
        let pace = self.pace(ticks_per_step);
        let footprint = BodyFootprint::new(&self.shape, ground, grid, alignment, pace, room.ways(), durations);
        Ok((room, footprint))
    }

    /// The pace of the body if a plain step at speed 1 takes `ticks_per_step` ticks.
    pub(crate) fn pace(&self, ticks_per_step: Ticks) -> Pace {
        let ticks_per_length = f64::from(ticks_per_step) / self.speed;
        Pace { ticks_per_step, ticks_per_length, after: self.closed.into() }
    }

    /// The times of all moves of `space`, each once, in plain steps at speed 1. Moves of length 0 do not count.
    pub(crate) fn times<S: SpaceGraph>(&self, space: &S) -> Vec<f64> {
        move_lengths(space).into_iter().map(|length| f64::from(length) / self.speed).collect()
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
