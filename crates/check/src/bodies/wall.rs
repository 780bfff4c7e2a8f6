//! Walls, for the checker.

use giveway_core::TracedBody;

/// A wall that stands for the whole time of a trace.
#[derive(Clone, PartialEq, Debug)]
pub struct Wall {
    /// The shape of the wall, in world units, relative to the origin of the world.
    pub shape: TracedBody,
    /// If the checker has [levels](super::BodyChecker::levels), the wall is on the level of this height. `None`: the
    /// wall is on all levels.
    pub height: Option<f32>,
}

impl Wall {
    /// A wall of this shape, on all levels.
    pub fn new(shape: TracedBody) -> Self {
        Self { shape, height: None }
    }

    /// The rectangle between two opposite corners, its sides along the axes, on all levels.
    pub fn rectangle([left, bottom]: [f32; 2], [right, top]: [f32; 2]) -> Self {
        Self::new(TracedBody::Polygon { corners: vec![[left, bottom], [right, bottom], [right, top], [left, top]] })
    }
}
