//! Bodies: units of every size, shape and speed, as values.

mod clearance;
pub(crate) mod footprint;
mod ground;
mod plane;
pub(crate) mod room;
mod shape;
mod stamp;
pub(crate) mod trajectory;

use std::fmt;

use giveway_core::{NodeId, Ticks, TracedBody};

pub use clearance::Clearance;
pub use footprint::BodyFootprint;
pub use ground::{Granularity, Ground};

use crate::grid::Grid;
use plane::{hull, width};
use room::{Room, Way, WayTable};
use shape::Shape;
use stamp::longest_part;

/// A unit's shape and speed. Lengths are in world units; a cell of a grid is one unit wide.
///
/// [`on`](Self::on) turns the body and a grid into a space, the part of the grid where the body fits, and a footprint. A class of a crowd,
/// or an instance, is made of these two. The body does not turn; for a body that turns, see [`Vehicle`](crate::Vehicle).
///
/// ```
/// use giveway_core::{Agent, SpaceGraph};
/// use giveway_spaces::{Body, Grid, Ground};
/// use giveway_strategies::{Budget, Class, Crowd, CrowdSettings};
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
/// let mut crowd = Crowd::new(CrowdSettings::new());
/// let (space, footprint) = cart.on(&grid, ground, ticks)?;
/// // Two cells wide, it does not get through the gap.
/// assert!(!space.contains(grid.node(3, 2).expect("on the grid")));
/// let carts = crowd.add_class(Class::new(space, footprint).embedded().body(cart.outline()))?;
/// let (space, footprint) = scout.on(&grid, ground, ticks)?;
/// let scouts = crowd.add_class(Class::new(space, footprint).embedded().body(scout.outline()))?;
///
/// let at = |x, y| grid.node(x, y).expect("on the grid");
/// crowd.add(carts, Agent::new(at(0, 0), at(5, 0)))?;
/// crowd.add(scouts, Agent::new(at(6, 0), at(0, 3)))?;
/// while !crowd.is_at_rest() {
///     crowd.tick(Budget::unlimited());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Body {
    shape: Shape,
    speed: f64,
    closed: bool,
}

/// More sides, or longer ones, count as mistakes.
const MOST_CORNERS: usize = 64;
const LARGEST: f64 = 1024.0;
/// Smaller bodies would slip between the cells of a raster.
const SMALLEST: f64 = 1e-3;

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

    /// The smallest number of ticks per plain step at speed 1 with which every step of all `bodies` on `grid` takes its nominal time within
    /// 1 %.
    ///
    /// # Errors
    /// There is no such number up to 4096.
    pub fn common_ticks(bodies: &[Self], grid: &Grid) -> Result<Ticks, BodyError> {
        fewest_ticks(&bodies.iter().flat_map(|body| body.nominal(grid)).collect::<Vec<f64>>())
    }

    /// The space in which the body moves on `grid`, and its footprint on `ground`; a plain step at speed 1 takes `ticks_per_step` ticks. The
    /// body waits for a quarter of a step at a time.
    ///
    /// Call it once per class: it takes time in proportion to the cells of the grid times those of the body.
    ///
    /// # Errors
    /// The ground is that of a grid of another size; the body fits nowhere; or a step would differ from its nominal time by more than 1 %.
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

    /// [`on`](Self::on), with terrain. A step takes `slowness` times as long as on plain ground, where `slowness` is the mean of
    /// `slowness(x, y)` of the cells where the step begins and ends. The grid says what the step costs: see [`Grid::with_terrain`].
    ///
    /// # Errors
    /// As for [`on`](Self::on); or the slowness of a free cell is not between 0.01 and 100. Durations of steps across cells that are opened
    /// later are not checked.
    pub fn on_terrain(
        &self,
        grid: &Grid,
        ground: Ground,
        ticks_per_step: Ticks,
        slowness: impl Fn(u32, u32) -> f32,
    ) -> Result<(Clearance, BodyFootprint), BodyError> {
        let (clearance, footprint) = self.on(grid, ground, ticks_per_step)?;
        let footprint = footprint.on_terrain(&clearance, slowness)?;
        Ok((clearance, footprint))
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
        if !ground.is_of(grid) {
            return Err(BodyError::OtherGround);
        }
        let nominal: Vec<f64> = ways.list.iter().map(|way| self.time(way) * f64::from(ticks_per_step)).collect();
        let durations = nominal.iter().map(|nominal| whole_ticks(*nominal, ticks_per_step));
        let durations: Vec<Ticks> = durations.collect::<Result<_, _>>()?;
        if !self.shape.is_within([grid.width(), grid.height()], &ways.headings) {
            return Err(BodyError::FitsNowhere);
        }
        let room = Room::new(grid, &self.shape, longest_part(ground.side()), ways, offers);
        if !room.fits_somewhere() {
            return Err(BodyError::FitsNowhere);
        }
        let footprint = BodyFootprint::new(&self.shape, ground, ticks_per_step, room.ways(), nominal, durations);
        Ok((room, if self.closed { footprint.closed() } else { footprint }))
    }

    /// The time of `way`, in plain steps at speed 1.
    pub(crate) fn time(&self, way: &Way) -> f64 {
        way.counts() / self.speed
    }

    /// The times of its steps on `grid`, in plain steps at speed 1.
    pub(crate) fn nominal(&self, grid: &Grid) -> impl Iterator<Item = f64> {
        Clearance::ways(grid.connectivity()).list.into_iter().map(|way| self.time(&way))
    }
}

/// The smallest number of ticks per plain step with which every duration of `nominal` plain steps is exact within 1 %.
pub(crate) fn fewest_ticks(nominal: &[f64]) -> Result<Ticks, BodyError> {
    let fine = |ticks: &Ticks| nominal.iter().all(|steps| whole_ticks(steps * f64::from(*ticks), *ticks).is_ok());
    (1..=FINEST).find(fine).ok_or(BodyError::NoCommonTicks)
}

/// Durations differ from the nominal ones by at most this share.
const WITHIN: f64 = 0.01;
/// With more ticks per step, 2^32 ticks would be few steps.
const FINEST: Ticks = 4096;

/// The whole number of ticks nearest to the nominal duration, if it is within 1 %.
pub(crate) fn whole_ticks(nominal: f64, ticks_per_step: Ticks) -> Result<Ticks, BodyError> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // casts of floats saturate
    let whole = nominal.round() as Ticks;
    if whole > 0 && (f64::from(whole) / nominal - 1.0).abs() <= WITHIN {
        Ok(whole)
    } else {
        Err(BodyError::Coarse { nominal, ticks_per_step })
    }
}

fn length(what: &'static str, found: f64) -> Result<f64, BodyError> {
    length_within(LARGEST, what, found)
}

pub(crate) fn length_within(most: f64, what: &'static str, found: f64) -> Result<f64, BodyError> {
    if (SMALLEST..=most).contains(&found) { Ok(found) } else { Err(BodyError::Length { what, found, most }) }
}

/// Why a body cannot be made, or cannot be used on a ground.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum BodyError {
    /// A length is out of range.
    Length {
        /// The name of the length.
        what: &'static str,
        /// The length.
        found: f64,
        /// The largest length allowed.
        most: f64,
    },
    /// The polygon has too many corners; their number.
    Corners(usize),
    /// The corners of the polygon lie on a line, or nearly so.
    Flat,
    /// The speed is out of range.
    Speed(f64),
    /// The body fits nowhere on the map.
    FitsNowhere,
    /// The ground is that of a grid of another size.
    OtherGround,
    /// The duration of a step is not nearly a whole number of ticks.
    Coarse {
        /// The exact duration, in ticks.
        nominal: f64,
        /// The number of ticks that a plain step at speed 1 takes.
        ticks_per_step: Ticks,
    },
    /// The slowness of a cell is out of range.
    Slowness {
        /// The column.
        x: u32,
        /// The row.
        y: u32,
        /// The slowness: how many times as long a step takes there.
        found: f32,
    },
    /// The slowness of driving backwards is out of range.
    Backwards(f64),
    /// The stretches of a primitive are invalid.
    Stretches {
        /// The number of the heading where it begins.
        heading: u32,
    },
    /// A primitive does not end in the middle of a cell under a heading, or it ends where it begins.
    Astray {
        /// The number of the heading where it begins.
        heading: u32,
    },
    /// A heading has more than 32 primitives.
    TooManyWays {
        /// The number of the heading.
        heading: u32,
    },
    /// There are more poses than 32-bit ids.
    TooManyPoses {
        /// The number of poses.
        poses: u64,
    },
    /// No number of ticks up to 4096 suits all bodies.
    NoCommonTicks,
}

impl fmt::Display for BodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { what, found, most } => {
                write!(f, "expected a {what} between {SMALLEST} and {most}, found {found}")
            }
            Self::Corners(count) => write!(f, "expected at most {MOST_CORNERS} corners, found {count}"),
            Self::Flat => f.write_str("expected the corners of an area: these lie on a line, or nearly so"),
            Self::Speed(found) => {
                write!(f, "expected a speed between 0.001 and 1000 cells in a step's time, found {found}")
            }
            Self::FitsNowhere => {
                f.write_str("the body fits nowhere on this map: make it smaller, or the passages wider")
            }
            Self::OtherGround => {
                f.write_str("the ground is that of a map of another size: make one by Ground::from_grid")
            }
            Self::Coarse { nominal, ticks_per_step } => write!(
                f,
                "a step would have to take {nominal:.3} ticks, which is more than 1 % from a whole number: {ticks_per_step} \
                 ticks per step do not suit it, ask common_ticks, or slow it by another factor"
            ),
            Self::Slowness { x, y, found } => {
                write!(f, "expected a slowness between 0.01 and 100 in cell ({x}, {y}), found {found}")
            }
            Self::Backwards(found) => {
                write!(f, "expected driving backwards to take between 0.01 and 100 times as long, found {found}")
            }
            Self::Stretches { heading } => write!(
                f,
                "expected up to 100 stretches out of heading {heading}, with shares above 0 that add up to 1, lengths up to 64, and up \
                 to a full turn each"
            ),
            Self::Astray { heading } => write!(
                f,
                "expected a primitive that leads from heading {heading} to another place or heading of the lattice, within 1e-4"
            ),
            Self::TooManyWays { heading } => write!(f, "expected at most 32 primitives out of heading {heading}"),
            Self::TooManyPoses { poses } => {
                write!(f, "{poses} poses are more than ids can number: fewer headings, or a smaller map")
            }
            Self::NoCommonTicks => write!(
                f,
                "no number of ticks per step up to {FINEST} suits all of these speeds within 1 %: make them less different"
            ),
        }
    }
}

impl std::error::Error for BodyError {}
