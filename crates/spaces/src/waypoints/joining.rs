//! Joining: between which waypoints units go straight on.

use giveway_core::plane::length;
use giveway_core::{Move, NodeId};

use super::placing::Placed;
use super::room::Room;
use super::rules::Paced;

/// Moves are at most this many spacings long: to neighbours along rows, along diagonals, and by the moves of a knight
/// in chess.
const LONGEST: f64 = 2.3;
/// Parts that no such move joins are joined by moves of up to this many spacings.
const LONGEST_JOINT: f64 = 4.0;
/// The cosine of the least angle between two moves out of a waypoint that it chooses for itself.
const LEAST_ANGLE: f64 = 0.965;

/// The moves between the waypoints of `placed`, ordered by the waypoint where they begin, then by the waypoint where
/// they end.
pub(super) fn join(placed: &Placed, room: &Room<'_>, rules: &Paced) -> Vec<Move<NodeId, u32>> {
    let points = &placed.points;
    let far = |from: [f64; 2], to: [f64; 2]| length([to[0] - from[0], to[1] - from[1]]);
    let longest = LONGEST * rules.spacing;
    // How far each waypoint is from walls, as far as that matters.
    let enough = rules.clearance + longest;
    let distances: Vec<f64> = points.iter().map(|point| room.walls().distance([*point, *point], enough)).collect();
    let is_free = |from: usize, to: usize, far: f64| {
        let (from, to) = (from.min(to), from.max(to));
        distances[from].max(distances[to]) >= rules.clearance + far || room.is_along([points[from], points[to]])
    };
    let mut pairs: Vec<[u32; 2]> = Vec::new();
    let mut near: Vec<(f64, u32)> = Vec::new();
    let mut kept: Vec<[f64; 2]> = Vec::new();
    for (number, from) in points.iter().enumerate() {
        near.clear();
        placed.for_each_near(*from, longest, |other, to| {
            let far = far(*from, to);
            if far > 0.0 && far <= longest {
                near.push((far, other));
            }
        });
        near.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        kept.clear();
        for (far, other) in &near {
            let to = points[*other as usize];
            let unit = [0, 1].map(|axis| (to[axis] - from[axis]) / far);
            let is_new = kept.iter().all(|other| unit[0] * other[0] + unit[1] * other[1] < LEAST_ANGLE);
            if is_new && is_free(number, *other as usize, *far) {
                kept.push(unit);
                let number = u32::try_from(number).unwrap_or(u32::MAX);
                pairs.push([number.min(*other), number.max(*other)]);
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    join_parts(placed, &mut pairs, LONGEST_JOINT * rules.spacing, |from, to, far| {
        is_free(from as usize, to as usize, far)
    });
    let mut moves: Vec<Move<NodeId, u32>> = Vec::with_capacity(2 * pairs.len());
    for [one, other] in pairs {
        let ticks = rules.ticks(far(points[one as usize], points[other as usize]));
        // Like the cost of waiting: the ticks of a plain step cost as much as a plain step.
        let cost = u64::from(ticks) * 1000 / u64::from(rules.ticks_per_step);
        let cost = u32::try_from(cost).unwrap_or(u32::MAX).max(1);
        #[allow(clippy::cast_possible_truncation)] // lengths are as exact as positions
        let length = (f64::from(ticks) * rules.tick_length) as f32;
        for [from, to] in [[one, other], [other, one]] {
            moves.push(Move { from: NodeId(from), to: NodeId(to), action: NodeId(to), cost, length });
        }
    }
    moves.sort_unstable_by_key(|m| (m.from, m.to));
    moves
}

/// Adds the shortest free pairs, of up to `longest`, between parts that `pairs` do not join.
fn join_parts(placed: &Placed, pairs: &mut Vec<[u32; 2]>, longest: f64, is_free: impl Fn(u32, u32, f64) -> bool) {
    let mut parts = Parts((0..u32::MAX).take(placed.points.len()).collect());
    for [one, other] in pairs.iter() {
        parts.unite(*one, *other);
    }
    let mut apart: Vec<(f64, [u32; 2])> = Vec::new();
    for (number, from) in (0..u32::MAX).zip(&placed.points) {
        placed.for_each_near(*from, longest, |other, to| {
            let far = length([to[0] - from[0], to[1] - from[1]]);
            if number < other && far > 0.0 && far <= longest && parts.of(number) != parts.of(other) {
                apart.push((far, [number, other]));
            }
        });
    }
    apart.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    for (far, [one, other]) in apart {
        if parts.of(one) != parts.of(other) && is_free(one, other, far) {
            parts.unite(one, other);
            pairs.push([one, other]);
        }
    }
}

/// Which waypoints are joined: by waypoint, another one of its part, or itself if it stands for its part.
struct Parts(Vec<u32>);

impl Parts {
    fn of(&mut self, mut waypoint: u32) -> u32 {
        while self.0[waypoint as usize] != waypoint {
            // Half the way for the next question.
            self.0[waypoint as usize] = self.0[self.0[waypoint as usize] as usize];
            waypoint = self.0[waypoint as usize];
        }
        waypoint
    }

    fn unite(&mut self, one: u32, other: u32) {
        let (one, other) = (self.of(one), self.of(other));
        self.0[one.max(other) as usize] = one.min(other);
    }
}
