//! Coherence: how well the directions of a map continue each other.

use super::places::DirectionMap;
use super::vector::{Vector, direction, dot, length, unit};
use giveway_core::{Embedding, NodeId};

/// A measure of how coherently units travel: a number from 0 to 1, computed from a [`DirectionMap`].
///
/// Each place with a vector (each place that is not blank) points to a neighbour: the end of the legal move whose
/// direction agrees best with the vector. The vector of the place and the vector of the neighbour have an average,
/// which is a vector, too. Coherence is the mean length of these averages, over the places that have a vector and a
/// legal move. If several moves agree equally well, the first clockwise from north counts (N, NE, E, SE, S, SW, W, NW,
/// where y points south).
///
/// Jansen & Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008, *Experimental Results*. The paper
/// does not say how to treat ties and walls, so the methods of this type select variants.
///
/// ```
/// use giveway_core::{Embedding, Move, NodeId, SpaceGraph};
/// use giveway_lanes::{Coherence, DirectionMap, DirectionRules};
///
/// # struct Row;
/// # impl SpaceGraph for Row {
/// #     type Action = i32;
/// #     type Cost = u32;
/// #     fn node_bound(&self) -> usize { 5 }
/// #     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<i32, u32>> {
/// #         let to = [1, -1].map(|action| (action, from.0.checked_add_signed(action)));
/// #         to.into_iter().filter_map(move |(action, to)| {
/// #             Some(Move { from, to: NodeId(to.filter(|to| *to < 5)?), action, cost: 1000, length: 1.0 })
/// #         })
/// #     }
/// # }
/// # impl Embedding for Row {
/// #     fn position(&self, node: NodeId) -> [f32; 3] { [node.0 as f32, 0.0, 0.0] }
/// # }
/// let row = Row; // five places from west to east
/// let map = DirectionMap::blank(&row, DirectionRules::paper());
/// assert_eq!(Coherence::default().of(&row, &map), None);
/// map.set(NodeId(0), [0.5, 0.0, 0.0])?;
/// map.set(NodeId(1), [0.5, 0.0, 0.0])?;
/// // The first points at the second, the second at a blank.
/// assert_eq!(Coherence::default().of(&row, &map), Some((0.5 + 0.25) / 2.0));
/// # Ok::<(), giveway_lanes::InvalidDirection>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Coherence {
    target: Target,
    by_length: bool,
    blanks: bool,
}

/// The neighbour that a vector points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Target {
    /// The end of the legal move that agrees best with the vector.
    #[default]
    Legal,
    /// As `Legal`, but only if the direction of the move is within 22.5 degrees of the vector. Otherwise the vector
    /// points into a wall or off the map, and the neighbour counts as a blank place.
    Ahead,
}

/// The cosine of 22.5 degrees: half of the square root of (2 + the square root of 2).
const WITHIN_SIGHT: f64 = 0.923_879_532_511_286_7;

impl Coherence {
    /// Sets the choice of the neighbour.
    #[must_use]
    pub fn target(self, target: Target) -> Self {
        Self { target, ..self }
    }

    /// Weights places by the lengths of their vectors, so that well-used ways count more. Off by default.
    #[must_use]
    pub fn by_length(self, by_length: bool) -> Self {
        Self { by_length, ..self }
    }

    /// Counts blank places as 0 instead of skipping them, so that a map that is used in few places is less coherent.
    /// Off by default. Has no effect together with [`by_length`](Self::by_length), because blanks have length 0.
    #[must_use]
    pub fn blanks(self, blanks: bool) -> Self {
        Self { blanks, ..self }
    }

    /// The coherence of `map` over `space`. `None` if no place counts. Takes time linear in the moves.
    pub fn of<S: Embedding>(&self, space: &S, map: &DirectionMap) -> Option<f64> {
        let (mut sum, mut total) = (0.0, 0.0);
        for node in space.nodes() {
            let vector = map.vector(node);
            let is_blank = vector == [0.0; 3];
            if !space.contains(node) || (is_blank && !self.blanks) {
                continue;
            }
            let Some(target) = self.pointed_to(space, node, vector) else {
                continue;
            };
            let weight = if self.by_length { length(vector) } else { 1.0 };
            total += weight;
            if !is_blank {
                let next = target.map_or([0.0; 3], |target| map.vector(target));
                sum += weight * length([0, 1, 2].map(|axis| f64::midpoint(vector[axis], next[axis])));
            }
        }
        // Rounding may make vectors slightly longer than 1.
        (total > 0.0).then_some((sum / total).min(1.0))
    }

    /// The node that `vector` points to from `node`. Inner `None`: it points at nothing. Outer `None`: there is no
    /// legal move.
    fn pointed_to<S: Embedding>(&self, space: &S, node: NodeId, vector: Vector) -> Option<Option<NodeId>> {
        let mut best: Option<(f64, f64, NodeId)> = None;
        for m in space.moves(node) {
            let Some(heading) = direction(space, node, m.to) else {
                continue;
            };
            let (agreement, turn) = (dot(heading, vector), clockwise_from_north(heading));
            if best.is_none_or(|(most, first, _)| agreement > most || (agreement == most && turn < first)) {
                best = Some((agreement, turn, m.to));
            }
        }
        let (agreement, _, target) = best?;
        let straight = unit(vector).map_or(0.0, |_| agreement / length(vector));
        Some(Some(target).filter(|_| self.target == Target::Legal || straight >= WITHIN_SIGHT))
    }
}

/// A number from 0 to 4 that grows with the angle clockwise from north, without trigonometry.
fn clockwise_from_north([x, y, _]: Vector) -> f64 {
    let quarter = |along: f64, across: f64| across / (along + across).max(f64::MIN_POSITIVE);
    match (x >= 0.0, y <= 0.0) {
        (true, true) => quarter(-y, x),
        (true, false) => 1.0 + quarter(x, y),
        (false, false) => 2.0 + quarter(y, -x),
        (false, true) => 3.0 + quarter(-x, -y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_grow_clockwise() {
        let compass = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
        let turns = compass.map(|(x, y)| clockwise_from_north([f64::from(x), f64::from(y), 0.0]));
        assert_eq!(turns, [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5]);
    }
}
