//! Areas: parts of the world by shape, whatever the spaces in it; and how the world can change there.

mod written;

use std::fmt;

use crate::vocabulary::plane::{TOUCH, hull, length, point_to_segment, polygons_meet, width};

/// A part of the plane, in world units: rectangles, discs and convex polygons. An area has all heights, or heights from
/// one number to another.
///
/// A world [changes](Change) by area: a building is placed, a bridge is blown up, a meadow turns into a swamp. Each
/// space decides which of its places and moves the area covers.
///
/// ```
/// use giveway_core::Area;
///
/// // Six by six cells of a map, from column 4 and row 2 on, and a round tower at a corner.
/// let castle = Area::cells(4, 2, 6, 6)?.and(Area::disc([9.5, 7.5], 1.5)?);
/// assert!(castle.contains([9.0, 7.0, 0.0]) && castle.contains([10.5, 8.0, 0.0]) && !castle.contains([10.5, 3.0, 0.0]));
/// # Ok::<(), giveway_core::AreaError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<Given>", into = "Vec<Given>"))]
pub struct Area {
    parts: Vec<Part>,
}

/// A convex part of an area.
#[derive(Clone, PartialEq, Debug)]
struct Part {
    shape: Shape,
    /// The least and the greatest height.
    heights: [f64; 2],
}

#[derive(Clone, PartialEq, Debug)]
enum Shape {
    Disc {
        center: [f64; 2],
        radius: f64,
    },
    /// Corners in order, without corners inside edges.
    Polygon(Vec<[f64; 2]>),
}

/// A part of an area, as it is written.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Given {
    #[serde(flatten)]
    shape: GivenShape,
    /// `None`: all heights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    heights: Option<[f64; 2]>,
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum GivenShape {
    /// The center and the radius.
    Disc([f64; 3]),
    Polygon(Vec<[f64; 2]>),
}

#[cfg(feature = "serde")]
impl From<Area> for Vec<Given> {
    fn from(area: Area) -> Self {
        let given = |Part { shape, heights }| Given {
            shape: match shape {
                Shape::Disc { center: [x, y], radius } => GivenShape::Disc([x, y, radius]),
                Shape::Polygon(corners) => GivenShape::Polygon(corners),
            },
            heights: (heights != ALL_HEIGHTS).then_some(heights),
        };
        area.parts.into_iter().map(given).collect()
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Vec<Given>> for Area {
    type Error = AreaError;

    fn try_from(given: Vec<Given>) -> Result<Self, AreaError> {
        let mut area = Self { parts: Vec::new() };
        for Given { shape, heights } in given {
            let part = match shape {
                GivenShape::Disc([x, y, radius]) => Self::disc_at([x, y], radius)?,
                GivenShape::Polygon(corners) => Self::hull_of(corners)?,
            };
            let [low, high] = heights.unwrap_or(ALL_HEIGHTS);
            if heights.is_some() && !(low.is_finite() && high.is_finite() && low <= high) {
                return Err(AreaError::Heights);
            }
            area.parts.extend(part.parts.into_iter().map(|part| Part { heights: [low, high], ..part }));
        }
        // An area of no parts is no area.
        if area.parts.is_empty() { Err(AreaError::Narrow) } else { Ok(area) }
    }
}

/// Coordinates farther from the origin count as mistakes.
const FARTHEST: f64 = 1e9;
/// By default areas are at all heights.
const ALL_HEIGHTS: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
/// Narrower parts cover nothing.
const NARROWEST: f64 = 1e-3;

impl Area {
    /// `across` x `down` cells of a grid, from column `x` and row `y` on. Cell (x, y) of a grid is the square of side 1
    /// around (x, y).
    ///
    /// # Errors
    /// There is no cell, or a cell is farther than 10^9 from the origin.
    pub fn cells(x: u32, y: u32, across: u32, down: u32) -> Result<Self, AreaError> {
        let low = [x, y].map(|side| f64::from(side) - 0.5);
        Self::between(low, [low[0] + f64::from(across), low[1] + f64::from(down)])
    }

    /// The rectangle between two opposite corners.
    ///
    /// # Errors
    /// A coordinate is not finite or farther than 10^9 from the origin, or a side is shorter than 0.001.
    pub fn rectangle(one: [f32; 2], other: [f32; 2]) -> Result<Self, AreaError> {
        let pick = |pick: fn(f64, f64) -> f64| [0, 1].map(|axis| pick(one[axis].into(), other[axis].into()));
        Self::between(pick(f64::min), pick(f64::max))
    }

    /// The disc of `radius` world units around `center`.
    ///
    /// # Errors
    /// A number is not finite or above 10^9, or the radius is below 0.001.
    pub fn disc(center: [f32; 2], radius: f32) -> Result<Self, AreaError> {
        Self::disc_at(center.map(f64::from), radius.into())
    }

    fn disc_at(center: [f64; 2], radius: f64) -> Result<Self, AreaError> {
        near_enough(&[center, [radius, 0.0]])?;
        if radius >= NARROWEST { Ok(Self::of(Shape::Disc { center, radius })) } else { Err(AreaError::Narrow) }
    }

    /// The convex hull of `corners`.
    ///
    /// # Errors
    /// A coordinate is not finite or farther than 10^9 from the origin, or the hull is less than 0.001 wide.
    pub fn polygon(corners: &[[f32; 2]]) -> Result<Self, AreaError> {
        Self::hull_of(corners.iter().map(|corner| corner.map(f64::from)).collect())
    }

    fn between(low: [f64; 2], high: [f64; 2]) -> Result<Self, AreaError> {
        Self::hull_of(vec![low, [high[0], low[1]], high, [low[0], high[1]]])
    }

    fn hull_of(corners: Vec<[f64; 2]>) -> Result<Self, AreaError> {
        near_enough(&corners)?;
        let corners = hull(corners);
        if width(&corners) < NARROWEST { Err(AreaError::Narrow) } else { Ok(Self::of(Shape::Polygon(corners))) }
    }

    fn of(shape: Shape) -> Self {
        Self { parts: vec![Part { shape, heights: ALL_HEIGHTS }] }
    }

    /// The union of this area and `other`. Each of the two keeps its own heights.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.parts.extend(other.parts);
        self
    }

    /// Restricts the area to heights from `low` to `high`: one floor, or a bridge above a road. All heights by default.
    ///
    /// # Errors
    /// A height is not finite, or `low` is above `high`.
    pub fn heights(mut self, low: f32, high: f32) -> Result<Self, AreaError> {
        if !low.is_finite() || !high.is_finite() || low > high {
            return Err(AreaError::Heights);
        }
        for part in &mut self.parts {
            part.heights = [low.into(), high.into()];
        }
        Ok(self)
    }

    /// Whether the point (x, y, z), in world units, lies in the area or on its edge.
    #[must_use]
    pub fn contains(&self, [x, y, z]: [f32; 3]) -> bool {
        self.at([z.into(), z.into()]).any(|part| part.contains([x.into(), y.into()]))
    }

    /// Whether the area or its edge contains a point with the coordinates x and y of `position`, at any height from the
    /// first to the second of `heights`.
    #[must_use]
    pub fn contains_between(&self, position: [f32; 2], heights: [f64; 2]) -> bool {
        self.at(heights).any(|part| part.contains(position.map(f64::from)))
    }

    /// The parts that have a height between two, ends included.
    fn at(&self, [low, high]: [f64; 2]) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |part| low <= part.heights[1] && part.heights[0] <= high)
    }

    /// Whether the bounding box of a part of this area meets the bounding box of a part of `other`. Heights do not
    /// count.
    #[must_use]
    pub fn is_near_to(&self, other: &Self) -> bool {
        other.parts.iter().any(|part| {
            let [low, high] = part.extent();
            self.is_near(low, high)
        })
    }

    /// Whether the bounding box of a part of the area meets the box between the corners `least` and `most`. If not, the
    /// area does not meet that box.
    #[must_use]
    pub fn is_near(&self, least: [f64; 2], most: [f64; 2]) -> bool {
        self.parts.iter().any(|part| {
            let [low, high] = part.extent();
            (0..2).all(|axis| low[axis] <= most[axis] && least[axis] <= high[axis])
        })
    }

    /// The bounding boxes of the parts of the area, each as its least and its greatest corner. The area lies inside
    /// these boxes.
    pub fn boxes(&self) -> impl Iterator<Item = [[f64; 2]; 2]> {
        self.parts.iter().map(Part::extent)
    }

    /// Whether the area meets the inside of a convex polygon at any height from the first to the second of `heights`,
    /// both included. `corners` are the corners of the polygon in order, clockwise or counterclockwise. With fewer than
    /// three corners the polygon has no inside.
    #[must_use]
    pub fn meets_polygon(&self, corners: &[[f64; 2]], heights: [f64; 2]) -> bool {
        corners.len() > 2 && self.at(heights).any(|part| part.meets_polygon(corners))
    }

    /// Calls `each` with the column and the row of every square of a raster that the area meets. The raster has
    /// `columns` x `rows` squares of side `side`, and its least corner is `origin`. A square counts as met if the area
    /// meets the inside of the square at any height from the first to the second of `heights`, both included. A square
    /// that several parts of the area meet comes several times.
    ///
    /// Takes time in proportion to the squares in the bounding boxes of the parts.
    pub fn for_each_square(
        &self,
        heights: [f64; 2],
        origin: [f64; 2],
        side: f64,
        [columns, rows]: [u32; 2],
        mut each: impl FnMut(u32, u32),
    ) {
        // Without a size there are no squares.
        for part in self.at(heights).filter(|_| side > 0.0) {
            let [least, most] = part.extent();
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it is clamped
            let range = |axis: usize, count: u32| {
                let number = |coordinate: f64| ((coordinate - origin[axis]) / side).floor().clamp(-1.0, count.into());
                let (first, last) = (number(least[axis]).max(0.0), number(most[axis]));
                first as u32..if last < 0.0 { 0 } else { (last as u32).saturating_add(1).min(count) }
            };
            for row in range(1, rows) {
                for column in range(0, columns) {
                    let min = [origin[0] + f64::from(column) * side, origin[1] + f64::from(row) * side];
                    if part.meets_square(min, side) {
                        each(column, row);
                    }
                }
            }
        }
    }
}

fn near_enough(points: &[[f64; 2]]) -> Result<(), AreaError> {
    let is_far = |side: &f64| !side.is_finite() || side.abs() > FARTHEST;
    if points.as_flattened().iter().any(is_far) { Err(AreaError::Far) } else { Ok(()) }
}

impl Part {
    fn extent(&self) -> [[f64; 2]; 2] {
        match &self.shape {
            Shape::Disc { center, radius } => [center.map(|side| side - radius), center.map(|side| side + radius)],
            Shape::Polygon(corners) => {
                [(f64::INFINITY, f64::min as fn(f64, f64) -> f64), (f64::NEG_INFINITY, f64::max)]
                    .map(|(from, pick)| [0, 1].map(|axis| corners.iter().map(|corner| corner[axis]).fold(from, pick)))
            }
        }
    }

    fn contains(&self, [x, y]: [f64; 2]) -> bool {
        match &self.shape {
            Shape::Disc { center, radius } => length([x - center[0], y - center[1]]) <= *radius,
            Shape::Polygon(corners) => {
                edges(corners).all(|[a, b]| (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) >= 0.0)
            }
        }
    }

    fn meets_polygon(&self, corners: &[[f64; 2]]) -> bool {
        match &self.shape {
            Shape::Disc { center, radius } => {
                let [x, y] = *center;
                let sides = || edges(corners).map(|[a, b]| (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]));
                let is_inside = sides().all(|side| side >= 0.0) || sides().all(|side| side <= 0.0);
                is_inside || edges(corners).any(|edge| point_to_segment(*center, edge) < radius - TOUCH)
            }
            Shape::Polygon(own) => polygons_meet(own, corners),
        }
    }

    fn meets_square(&self, min: [f64; 2], side: f64) -> bool {
        let max = min.map(|least| least + side);
        match &self.shape {
            Shape::Disc { center, radius } => {
                let beyond = |axis: usize| (min[axis] - center[axis]).max(center[axis] - max[axis]).max(0.0);
                length([beyond(0), beyond(1)]) < radius - TOUCH
            }
            Shape::Polygon(corners) => polygons_meet(corners, &[min, [max[0], min[1]], max, [min[0], max[1]]]),
        }
    }
}

fn edges(corners: &[[f64; 2]]) -> impl Iterator<Item = [[f64; 2]; 2]> {
    corners.iter().zip(corners.iter().cycle().skip(1)).map(|(a, b)| [*a, *b])
}

/// How the world changes in an [area](Area).
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Change {
    /// The area becomes a wall: no unit can stand there, and no move leads into the area or out of it.
    Close,
    /// The free places of the area become a wall that units inside may leave: no move leads into the area, but moves
    /// lead out of the area, and from place to place inside.
    Vacate,
    /// The places that were to be [vacated](Self::Vacate) become a plain wall. Other places do not change.
    Seal,
    /// All places of the area become free, also walls.
    Open,
    /// The area gets a surface: moves that end there cost more, or take longer.
    Surface(Surface),
}

/// The ground of an area: factors for the cost and the duration of moves that end there.
///
/// ```
/// use giveway_core::Surface;
///
/// // Twice the time, and twice the price, so that units take a detour if it is short.
/// let swamp = Surface::new(2, 2.0)?;
/// assert_eq!((swamp.weight(), swamp.slowness()), (2, 2.0));
/// # Ok::<(), giveway_core::AreaError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "(u32, f32)", into = "(u32, f32)"))]
pub struct Surface {
    weight: u32,
    slowness: f32,
}

#[cfg(feature = "serde")]
impl From<Surface> for (u32, f32) {
    fn from(Surface { weight, slowness }: Surface) -> Self {
        (weight, slowness)
    }
}

#[cfg(feature = "serde")]
impl TryFrom<(u32, f32)> for Surface {
    type Error = AreaError;

    fn try_from((weight, slowness): (u32, f32)) -> Result<Self, AreaError> {
        Self::new(weight, slowness)
    }
}

impl Surface {
    /// Plain ground.
    pub const PLAIN: Self = Self { weight: 1, slowness: 1.0 };

    /// A surface where moves cost `weight` times as much as on plain ground, and take `slowness` times as long. The
    /// surface of the place where a move ends is the surface that counts for the move.
    ///
    /// # Errors
    /// The weight is not between 1 and 1000, or the slowness is not between 0.01 and 100.
    pub fn new(weight: u32, slowness: f32) -> Result<Self, AreaError> {
        if (1..=1000).contains(&weight) && (0.01..=100.0).contains(&slowness) {
            Ok(Self { weight, slowness })
        } else {
            Err(AreaError::Surface { weight, slowness })
        }
    }

    /// The factor of costs: the cost of a move to a place with this surface, divided by the cost on plain ground.
    #[inline]
    #[must_use]
    pub const fn weight(self) -> u32 {
        self.weight
    }

    /// The factor of durations: the duration of a move to a place with this surface, divided by the duration on plain
    /// ground.
    #[inline]
    #[must_use]
    pub const fn slowness(self) -> f32 {
        self.slowness
    }
}

impl Default for Surface {
    fn default() -> Self {
        Self::PLAIN
    }
}

/// Why an area or a surface cannot be made.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum AreaError {
    /// A number is not finite, or farther than 10^9 from 0.
    Far,
    /// A part is narrower than 0.001 world units.
    Narrow,
    /// The heights are not finite, or in the wrong order.
    Heights,
    /// The numbers of a surface are out of range.
    Surface {
        /// The factor of costs.
        weight: u32,
        /// The factor of durations.
        slowness: f32,
    },
}

impl fmt::Display for AreaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Far => f.write_str("expected finite numbers up to 10^9 for an area"),
            Self::Narrow => f.write_str("expected an area at least 0.001 wide"),
            Self::Heights => f.write_str("expected two finite heights, the lower one first"),
            Self::Surface { weight, slowness } => {
                write!(
                    f,
                    "expected a weight between 1 and 1000 and a slowness between 0.01 and 100, found {weight} and {slowness}"
                )
            }
        }
    }
}

impl std::error::Error for AreaError {}
