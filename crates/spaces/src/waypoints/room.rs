//! Room: where a disc of some radius is clear of all walls of a mesh.

use giveway_core::plane::{length, point_to_segment};

use crate::nav_mesh::NavMesh;
use crate::segments::{Segment, Segments};

/// How far from walls there is room.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clear {
    clearance: f64,
    /// Positions are known this exactly.
    exact: f64,
}

impl Clear {
    /// Whether there is room between `walls` along `way`, which begins on the mesh.
    pub(super) fn is_along(self, walls: &Segments, way: Segment) -> bool {
        // Not nothing, so that what crosses a wall has no room.
        let least = (self.clearance - self.exact).max(self.clearance / 2.0);
        walls.distance(way, self.clearance) >= least
    }
}

/// A mesh, and how far from its walls there is room.
pub(super) struct Room<'a> {
    mesh: &'a NavMesh,
    clear: Clear,
}

impl<'a> Room<'a> {
    pub(super) fn new(mesh: &'a NavMesh, clearance: f64) -> Self {
        let far = mesh.bounds().as_flattened().iter().fold(0.0, |far: f32, side| far.max(side.abs()));
        Self { mesh, clear: Clear { clearance, exact: f64::from(far) * f64::from(f32::EPSILON) } }
    }

    pub(super) fn clear(&self) -> Clear {
        self.clear
    }

    pub(super) fn walls(&self) -> &Segments {
        self.mesh.segments()
    }

    pub(super) fn clearance(&self) -> f64 {
        self.clear.clearance
    }

    /// Distances to walls are not less than the clearance by more than this: positions are rounded.
    pub(super) fn exact(&self) -> f64 {
        self.clear.exact
    }

    /// Whether there is room at `point`, which is on the mesh if it is not in a wall.
    pub(super) fn is_at(&self, point: [f64; 2]) -> bool {
        self.is_along([point, point])
    }

    /// Whether there is room along `way`, which begins on the mesh.
    pub(super) fn is_along(&self, way: Segment) -> bool {
        self.clear.is_along(self.walls(), way)
    }

    /// Whether there is room at `point`, and it is on the mesh.
    pub(super) fn is_on_mesh(&self, point: [f64; 2]) -> bool {
        self.is_at(point) && self.mesh.is_on(point)
    }

    /// The point nearest to `point`, at most `within` away, where there is room on the mesh.
    ///
    /// It lies on the edge of the room: opposite `point` beside a wall or around an end of a wall, or where two such
    /// edges cross.
    pub(super) fn nearest(&self, point: [f64; 2], within: f64) -> Option<[f64; 2]> {
        if self.is_on_mesh(point) {
            return Some(point);
        }
        // A little farther from walls than need be, so that rounding leaves room.
        let radius = self.clear.clearance + self.clear.exact;
        let mut near: Vec<usize> = Vec::new();
        self.walls().for_each_near([point, point], within + 2.0 * radius, |number, _| near.push(number));
        near.sort_unstable();
        near.dedup();
        let mut edges: Vec<Edge> = Vec::new();
        for [a, b] in near.into_iter().map(|number| self.walls().get(number)) {
            let along = [b[0] - a[0], b[1] - a[1]];
            let size = length(along);
            if size > 0.0 {
                let by = [-along[1] / size * radius, along[0] / size * radius];
                edges.push(Edge::Line([a, b].map(|end| [end[0] + by[0], end[1] + by[1]])));
            }
            edges.extend([a, b].map(|center| Edge::Circle { center, radius }));
        }
        let mut best: Option<(f64, [f64; 2])> = None;
        let mut look = |found: [f64; 2]| {
            let far = length([found[0] - point[0], found[1] - point[1]]);
            let is_better = best.is_none_or(|(least, at)| (far, found[0], found[1]) < (least, at[0], at[1]));
            if far <= within && is_better && self.is_on_mesh(found) {
                best = Some((far, found));
            }
        };
        edges.iter().for_each(|edge| look(edge.nearest(point)));
        for (number, edge) in edges.iter().enumerate() {
            for other in &edges[number + 1..] {
                edge.crossings(other).into_iter().flatten().for_each(&mut look);
            }
        }
        best.map(|(_, found)| found)
    }
}

/// A part of what may be the edge of the room.
enum Edge {
    Line(Segment),
    Circle { center: [f64; 2], radius: f64 },
}

impl Edge {
    fn nearest(&self, point: [f64; 2]) -> [f64; 2] {
        match *self {
            Self::Line([a, b]) => {
                let along = [b[0] - a[0], b[1] - a[1]];
                let share = ((point[0] - a[0]) * along[0] + (point[1] - a[1]) * along[1])
                    / (along[0].powi(2) + along[1].powi(2));
                [0, 1].map(|axis| a[axis] + along[axis] * share.clamp(0.0, 1.0))
            }
            Self::Circle { center, radius } => {
                let away = [point[0] - center[0], point[1] - center[1]];
                let far = length(away);
                let unit = if far > 0.0 { away.map(|side| side / far) } else { [1.0, 0.0] };
                [0, 1].map(|axis| center[axis] + unit[axis] * radius)
            }
        }
    }

    /// Where two edges cross.
    fn crossings(&self, other: &Self) -> [Option<[f64; 2]>; 2] {
        match (self, other) {
            (Self::Line(one), Self::Line(two)) => [lines(*one, *two), None],
            (Self::Line(line), Self::Circle { center, radius })
            | (Self::Circle { center, radius }, Self::Line(line)) => line_and_circle(*line, *center, *radius),
            (Self::Circle { center: one, radius }, Self::Circle { center: two, .. }) => circles(*one, *two, *radius),
        }
    }
}

fn lines([a, b]: Segment, [c, d]: Segment) -> Option<[f64; 2]> {
    let (along, by) = ([b[0] - a[0], b[1] - a[1]], [d[0] - c[0], d[1] - c[1]]);
    let sine = along[0] * by[1] - along[1] * by[0];
    let share = ((c[0] - a[0]) * by[1] - (c[1] - a[1]) * by[0]) / sine;
    let found = [0, 1].map(|axis| a[axis] + along[axis] * share);
    // Where the lines go on beyond the walls, circles go round their ends.
    (sine != 0.0 && (0.0..=1.0).contains(&share)).then_some(found)
}

fn line_and_circle([a, b]: Segment, center: [f64; 2], radius: f64) -> [Option<[f64; 2]>; 2] {
    let along = [b[0] - a[0], b[1] - a[1]];
    let size = length(along);
    let middle = ((center[0] - a[0]) * along[0] + (center[1] - a[1]) * along[1]) / size;
    let away = ((center[0] - a[0]) * along[1] - (center[1] - a[1]) * along[0]) / size;
    let half = (radius * radius - away * away).sqrt();
    [middle - half, middle + half].map(|share| {
        let found = [0, 1].map(|axis| a[axis] + along[axis] / size * share);
        (half.is_finite() && (0.0..=size).contains(&share)).then_some(found)
    })
}

fn circles(one: [f64; 2], two: [f64; 2], radius: f64) -> [Option<[f64; 2]>; 2] {
    let by = [two[0] - one[0], two[1] - one[1]];
    let apart = length(by);
    let half = (radius * radius - apart * apart / 4.0).sqrt();
    [half, -half].map(|half| {
        let found = [one[0] + by[0] / 2.0 - by[1] / apart * half, one[1] + by[1] / 2.0 + by[0] / apart * half];
        (apart > 0.0 && half.is_finite()).then_some(found)
    })
}

/// The point of `wall` nearest to `point`, and how far it is.
pub(super) fn foot(point: [f64; 2], wall: Segment) -> ([f64; 2], f64) {
    (Edge::Line(wall).nearest(point), point_to_segment(point, wall))
}
