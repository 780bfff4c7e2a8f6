//! Extents: the rectangle that a picture shows.

use giveway_core::{Trace, TracedPlace};

/// A rectangle in world units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Extent {
    pub(crate) min: [f64; 2],
    pub(crate) max: [f64; 2],
}

impl Extent {
    /// The least rectangle around `points`; `None` around nothing.
    pub(crate) fn around(points: impl IntoIterator<Item = [f64; 2]>) -> Option<Self> {
        points.into_iter().fold(None, |extent: Option<Self>, point| {
            let seen = Self { min: point, max: point };
            Some(extent.map_or(seen, |extent| extent.union(seen)))
        })
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            min: [self.min[0].min(other.min[0]), self.min[1].min(other.min[1])],
            max: [self.max[0].max(other.max[0]), self.max[1].max(other.max[1])],
        }
    }

    /// The rectangle `by` larger on every side.
    pub(crate) fn grown(self, by: f64) -> Self {
        Self { min: self.min.map(|side| side - by), max: self.max.map(|side| side + by) }
    }

    pub(crate) fn width(self) -> f64 {
        self.max[0] - self.min[0]
    }

    pub(crate) fn height(self) -> f64 {
        self.max[1] - self.min[1]
    }

    /// This one, grown by `margin` around whatever of `trace` lies outside.
    pub(crate) fn with_trace(self, trace: &Trace, margin: f64) -> Self {
        let places = trace.agents.iter().flat_map(|agent| {
            let ends = agent.moves.iter().map(|traced| &traced.to);
            let told = agent.orders.iter().flat_map(|order| &order.goals);
            std::iter::once(&agent.start).chain(&agent.goals).chain(told).chain(ends)
        });
        match Self::around(places.map(plane)) {
            None => self,
            Some(seen) => self.union(seen.grown(margin)),
        }
    }
}

/// Where a place lies in the picture's plane. What is not finite is shown at 0.
pub(crate) fn plane(place: &TracedPlace) -> [f64; 2] {
    point(place.position)
}

/// `position` in the picture's plane. What is not finite is shown at 0.
pub(crate) fn point(position: [f32; 3]) -> [f64; 2] {
    let [x, y, _] = position;
    [x, y].map(|side| if side.is_finite() { f64::from(side) } else { 0.0 })
}
