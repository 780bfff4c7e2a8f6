//! Extents: the rectangle that a picture shows.

use giveway_core::{Trace, TracedBody};

use crate::placement::{Placement, placements, turns};
use crate::plane::{plane, point};

/// A rectangle in world units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Extent {
    pub(crate) min: [f64; 2],
    pub(crate) max: [f64; 2],
}

impl Extent {
    /// The least rectangle around `points`; `None` without points.
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

    /// Whether `point` lies inside or at the rim.
    pub(crate) fn contains(self, [x, y]: [f64; 2]) -> bool {
        (self.min[0]..=self.max[0]).contains(&x) && (self.min[1]..=self.max[1]).contains(&y)
    }

    /// The rectangle, `by` larger on every side.
    pub(crate) fn grown(self, by: f64) -> Self {
        Self { min: self.min.map(|side| side - by), max: self.max.map(|side| side + by) }
    }

    pub(crate) fn width(self) -> f64 {
        self.max[0] - self.min[0]
    }

    pub(crate) fn height(self) -> f64 {
        self.max[1] - self.min[1]
    }

    /// The rectangle, extended to all of `trace`, with `margin` around what lay outside.
    pub(crate) fn with_trace(self, trace: &Trace, margin: f64) -> Self {
        let places = trace.agents.iter().flat_map(|agent| {
            let ends = agent.moves.iter().map(|traced| &traced.to);
            let told = agent.orders.iter().flat_map(|order| &order.goals);
            std::iter::once(&agent.start).chain(&agent.goals).chain(told).chain(ends)
        });
        let shapes =
            trace.agents.iter().flat_map(|agent| agent.bodies().into_iter().map(move |(_, body)| (agent, body)));
        let bodies = shapes.filter_map(|(agent, body)| {
            if turns(&trace.trajectories, agent) {
                let told = agent.orders.iter().flat_map(|order| &order.goals);
                let mut drawn = placements(&trace.trajectories, agent);
                drawn.extend(agent.goals.iter().chain(told).map(Placement::of));
                return match body {
                    Some(body) => Self::around(drawn.iter().flat_map(|placement| turned(body, placement))),
                    None => Self::around(drawn.iter().map(|placement| placement.at)).map(|seen| seen.grown(margin)),
                };
            }
            let ways = std::iter::once(&agent.start).chain(agent.moves.iter().map(|traced| &traced.to));
            let [middle, corners] = [Self::around(ways.map(plane))?, Self::around(reach(body?))?];
            let add = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
            Some(Self { min: add(middle.min, corners.min), max: add(middle.max, corners.max) })
        });
        let seen = Self::around(places.map(plane)).map(|seen| seen.grown(margin));
        seen.into_iter().chain(bodies).fold(self, Self::union)
    }
}

/// The farthest points of a body, relative to its position.
fn reach(body: &TracedBody) -> Vec<[f64; 2]> {
    match body {
        TracedBody::Disc { center: [x, y], radius } => [x - radius, x + radius]
            .into_iter()
            .flat_map(|x| [[x, y - radius], [x, y + radius]])
            .map(|[x, y]| point([x, y, 0.0]))
            .collect(),
        TracedBody::Polygon { corners } => corners.iter().map(|[x, y]| point([*x, *y, 0.0])).collect(),
    }
}

/// The farthest points of a body in `placement`.
fn turned(body: &TracedBody, placement: &Placement) -> Vec<[f64; 2]> {
    match body {
        TracedBody::Disc { center: [x, y], radius } => {
            let ([x, y], [radius, _]) = (placement.place(point([*x, *y, 0.0])), point([*radius, 0.0, 0.0]));
            vec![[x - radius, y - radius], [x + radius, y + radius]]
        }
        TracedBody::Polygon { .. } => reach(body).into_iter().map(|corner| placement.place(corner)).collect(),
    }
}
