//! Outlines: the shapes of agents as SVG paths.

use std::fmt;

use giveway_core::TracedBody;

use crate::markup::Number;

/// The shape of an agent around the origin, as path data, with this many pixels per world unit.
pub(crate) struct Outline<'a>(pub(crate) &'a TracedBody, pub(crate) f64);

impl fmt::Display for Outline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(body, scale) = self;
        let pixel = |side: f32| Number(f64::from(side) * scale, 2);
        match body {
            TracedBody::Disc { center: [x, y], radius } => {
                let (left, right) = (pixel(x - radius), pixel(radius * 2.0));
                let radius = pixel(*radius);
                write!(f, "M{left} {}a{radius} {radius} 0 1 0 {right} 0a{radius} {radius} 0 1 0 -{right} 0z", pixel(*y))
            }
            TracedBody::Polygon { corners } => {
                for (index, [x, y]) in corners.iter().enumerate() {
                    write!(f, "{}{} {}", if index == 0 { 'M' } else { 'L' }, pixel(*x), pixel(*y))?;
                }
                f.write_str(if corners.is_empty() { "" } else { "z" })
            }
        }
    }
}

/// A heading as an additional SVG transform; nothing for 0.
pub(crate) struct Turned(pub(crate) f64);

impl fmt::Display for Turned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0.0 => Ok(()),
            heading => write!(f, " rotate({})", Number(heading.to_degrees(), 2)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_are_paths() {
        let disc = TracedBody::Disc { center: [0.5, 0.0], radius: 0.25 };
        assert_eq!(Outline(&disc, 10.0).to_string(), "M2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z");
        let triangle = TracedBody::Polygon { corners: vec![[0.0, 0.0], [1.0, 0.0], [0.0, -1.5]] };
        assert_eq!(Outline(&triangle, 2.0).to_string(), "M0 0L2 0L0 -3z");
        assert_eq!(Outline(&TracedBody::Polygon { corners: vec![] }, 2.0).to_string(), "");
    }
}
