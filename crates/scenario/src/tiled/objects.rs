//! Objects on layers of objects: what part of the plane they cover.

use std::sync::Arc;

use super::element::{Element, Source};
use super::files::Files;
use super::properties::Properties;
use crate::file_error::FileError;
use crate::lines::quoted;

/// An object. Positions are in pixels.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct MapObject {
    /// Its own, then those of its template.
    pub(super) properties: Vec<Properties>,
    position: [f64; 2],
    size: [f64; 2],
    /// Clockwise around the position, in degrees.
    rotation: f64,
    shape: ObjectShape,
}

#[derive(Clone, PartialEq, Debug)]
enum ObjectShape {
    Rectangle,
    Ellipse,
    Capsule,
    Point,
    /// A tile, whose position is its lower left corner.
    Tile,
    /// Corners, relative to the position.
    Polygon(Arc<[[f64; 2]]>),
    Polyline(Arc<[[f64; 2]]>),
    /// A text, which covers nothing.
    Text,
}

/// The part of the plane that an object covers.
pub(super) enum Covered {
    Nothing,
    Point([f64; 2]),
    /// What is inside, by the even-odd rule.
    Polygon(Vec<[f64; 2]>),
    Line(Vec<[f64; 2]>),
}

/// The corners of a polygon in place of an ellipse. They lie as far outside it as the middles of the sides inside.
const CORNERS: u32 = 64;

impl MapObject {
    /// The object; what it does not say itself, its template says, if it has one.
    pub(super) fn read(object: &Element<'_>, source: &Source<'_>, files: &mut Files<'_>) -> Result<Self, FileError> {
        let read = Self::of_template(object, source)?;
        let Some(field) = object.field("template") else { return Ok(read) };
        let template = files.template(&field.value, field.at, source)?;
        let is_given = |name: &str| object.field(name).is_some();
        let has_shape = object.children.iter().any(|child| child.name != "properties") || is_given("gid");
        let properties = [read.properties, template.properties.clone()].concat();
        let side = |axis: usize, name| if is_given(name) { read.size[axis] } else { template.size[axis] };
        Ok(Self {
            size: [side(0, "width"), side(1, "height")],
            rotation: if is_given("rotation") { read.rotation } else { template.rotation },
            shape: if has_shape { read.shape } else { template.shape.clone() },
            properties,
            ..read
        })
    }

    /// The object, without a template.
    pub(super) fn of_template(object: &Element<'_>, source: &Source<'_>) -> Result<Self, FileError> {
        let shape = if object.field("gid").is_some() {
            ObjectShape::Tile
        } else if let Some(polygon) = object.child("polygon") {
            ObjectShape::Polygon(points(polygon, source)?)
        } else if let Some(line) = object.child("polyline") {
            ObjectShape::Polyline(points(line, source)?)
        } else {
            let is = |name| object.child(name).is_some();
            match () {
                () if is("ellipse") => ObjectShape::Ellipse,
                () if is("capsule") => ObjectShape::Capsule,
                () if is("point") => ObjectShape::Point,
                () if is("text") => ObjectShape::Text,
                () => ObjectShape::Rectangle,
            }
        };
        let finite = |name| object.finite(source, name);
        Ok(Self {
            properties: vec![Properties::of(object, source)?],
            position: [finite("x")?, finite("y")?],
            size: [finite("width")?.abs(), finite("height")?.abs()],
            rotation: finite("rotation")?,
            shape,
        })
    }

    /// Whether the object has this property, or else its template.
    pub(super) fn has(&self, name: &str, value: &str) -> bool {
        self.properties.iter().find(|list| list.get(name).is_some()).is_some_and(|list| list.has(name, value))
    }

    /// The number of its corners, at most.
    pub(super) fn corners(&self) -> usize {
        match &self.shape {
            ObjectShape::Polygon(corners) | ObjectShape::Polyline(corners) => corners.len(),
            _ => CORNERS as usize,
        }
    }

    /// The part of the plane that the object covers. With `from_middle`, the position of a tile is the middle of its
    /// lower side.
    pub(super) fn covered(&self, from_middle: bool) -> Covered {
        let [width, height] = self.size;
        let has_extent = width > 0.0 && height > 0.0;
        let rectangle = |[x, y]: [f64; 2]| vec![[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
        match &self.shape {
            ObjectShape::Text => Covered::Nothing,
            ObjectShape::Point => Covered::Point(self.position),
            ObjectShape::Polygon(corners) => Covered::Polygon(self.turned(corners)),
            ObjectShape::Polyline(corners) => Covered::Line(self.turned(corners)),
            // Objects that were only clicked have no size.
            _ if !has_extent => Covered::Point(self.position),
            ObjectShape::Rectangle => Covered::Polygon(self.turned(&rectangle([0.0; 2]))),
            ObjectShape::Tile => {
                let left = if from_middle { -width / 2.0 } else { 0.0 };
                Covered::Polygon(self.turned(&rectangle([left, -height])))
            }
            ObjectShape::Ellipse => Covered::Polygon(self.turned(&rounded([width, height], [width, height]))),
            ObjectShape::Capsule => {
                let side = width.min(height);
                Covered::Polygon(self.turned(&rounded([width, height], [side, side])))
            }
        }
    }

    /// `corners`, turned around the position and moved to it.
    fn turned(&self, corners: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let (sin, cos) = match self.rotation.rem_euclid(360.0) {
            // Quarters are exact.
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            180.0 => (0.0, -1.0),
            270.0 => (-1.0, 0.0),
            degrees => libm::sincos(degrees.to_radians()),
        };
        let [left, top] = self.position;
        corners.iter().map(|[x, y]| [left + x * cos - y * sin, top + x * sin + y * cos]).collect()
    }
}

/// A rectangle of `size` whose corners are quarters of an ellipse with the axes `round`.
fn rounded(size: [f64; 2], round: [f64; 2]) -> Vec<[f64; 2]> {
    let step = std::f64::consts::TAU / f64::from(CORNERS);
    // Between a polygon inside and one around the ellipse.
    let outward = 2.0 / (1.0 + libm::cos(step / 2.0));
    let corner = |number: u32| {
        let (sin, cos) = libm::sincos((f64::from(number) + 0.5) * step);
        let side = |axis: usize, along: f64| {
            let rest = (size[axis] - round[axis]) / 2.0;
            size[axis] / 2.0 + rest.copysign(along) + round[axis] / 2.0 * along * outward
        };
        [side(0, cos), side(1, sin)]
    };
    (0..CORNERS).map(corner).collect()
}

/// The corners in the field `points`: pairs of numbers with a comma.
fn points(line: &Element<'_>, source: &Source<'_>) -> Result<Arc<[[f64; 2]]>, FileError> {
    const POINTS: &str = "points as pairs of finite numbers, as in \"0,0 16,8\"";
    let field = line.field("points").ok_or_else(|| line.without(source, "points"))?;
    let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
    let pair = |text: &str| {
        let both = text.split_once(',').and_then(|(x, y)| Some([number(x)?, number(y)?]));
        both.ok_or_else(|| source.expected(field.at, POINTS, quoted(text)))
    };
    let points = field.value.split_whitespace().map(pair).collect::<Result<Vec<_>, _>>()?;
    if points.is_empty() { Err(source.expected(field.at, POINTS, "none")) } else { Ok(points.into()) }
}
