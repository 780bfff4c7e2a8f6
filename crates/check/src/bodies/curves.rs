//! The depth of two shapes, and when they overlap, while at least one of them turns or drives along an arc.
//!
//! No formula gives the times, so intervals of time are halved until bounds at their middles suffice. The depth is the
//! least, over all directions, of how far the one shape reaches beyond the begin of the other. From its value in the
//! middle of an interval, three bounds follow:
//!
//! * the depth changes by no more than the points of both shapes move;
//! * the depth stays below the reach in the direction that decides in the middle. There each point moves by its
//!   velocity in the middle, plus at most what its greatest acceleration adds;
//! * the depth stays below the depth of two discs around the positions that contain the shapes under every heading.
//!
//! If corners face corners, shapes that are apart have a depth nearer to 0 than their distance; the upper bounds hold
//! all the same.

use std::cell::Cell;

use super::pieces::{Movement, Piece};
use super::shape::{Shape, Vector, contact, dot, length, minus, plus, times, turned_back};

/// Shorter intervals, in ticks, are not halved.
const SHORTEST: f64 = 1e-7;

/// The precision of the first and last times, in ticks.
const EXACT: f64 = 1e-9;

/// The precision of the greatest depth, in world units.
const NEAR: f64 = 1e-4;

/// The number of times evaluated in a search; fewer if there are more than a few pairs of corners.
const LOOKS: usize = 20_000;
const FEW: usize = 64;

/// If `LOOKS` is not enough, intervals are halved this often only.
const COARSE: u32 = 10;

/// If the times of all searches together are used up, each search has this many left, and halves intervals this often.
const LOOKS_LEFT: usize = 50;
const COARSE_LEFT: u32 = 4;

/// A shape and its motion in a piece.
#[derive(Clone, Copy)]
struct Mover<'a> {
    shape: &'a Shape,
    piece: &'a Piece,
    speed: f64,
    lever: f64,
    reach: f64,
    /// The greatest acceleration of its points.
    acceleration: f64,
}

impl<'a> Mover<'a> {
    fn new(shape: &'a Shape, piece: &'a Piece) -> Self {
        let (speed, lever, spin) = (length(piece.velocity), shape.lever(), piece.spin.abs());
        let acceleration = spin * (speed + spin * lever);
        Self { shape, piece, speed, lever, reach: shape.reach(), acceleration }
    }

    /// The greatest distance between its positions now and `ticks` before or after. On a circle, at most the diameter.
    fn way(&self, ticks: f64) -> f64 {
        let straight = self.speed * ticks;
        if self.piece.spin == 0.0 { straight } else { straight.min(2.0 * self.speed / self.piece.spin.abs()) }
    }

    /// The greatest distance between its points now and `ticks` before or after.
    fn change(&self, ticks: f64) -> f64 {
        self.way(ticks) + self.lever * (self.piece.spin.abs() * ticks).min(2.0)
    }
}

/// Two shapes during one piece of each.
pub(super) struct Meeting<'a> {
    movers: [Mover<'a>; 2],
    tolerance: f64,
    /// Intervals with tighter bounds than this, in world units, are not halved.
    grain: f64,
    looks: usize,
    /// The number of times left for this and all later searches.
    left: &'a Cell<usize>,
    /// What each evaluated time counts, and how often intervals are always halved.
    cost: usize,
    coarse: u32,
    /// The latest time so far that is known to be before the one searched for.
    before: f64,
}

impl<'a> Meeting<'a> {
    pub(super) fn new(shapes: [&'a Shape; 2], pieces: [&'a Piece; 2], tolerance: f64, left: &'a Cell<usize>) -> Self {
        let [a, b] = shapes;
        let movers = [Mover::new(a, pieces[0]), Mover::new(b, pieces[1])];
        let grain = (tolerance / 10.0).clamp(1e-5, 1e-4);
        let cost = a.corners().saturating_mul(b.corners()) / FEW + 1;
        let coarse = COARSE.saturating_sub(cost.ilog2());
        Self { movers, tolerance, grain, looks: 0, left, cost, coarse, before: 0.0 }
    }

    /// Counts an evaluated time.
    fn count(&mut self) {
        self.looks += self.cost;
        self.left.set(self.left.get().saturating_sub(self.cost));
    }

    /// Whether intervals that have been halved `level` times may be halved again.
    fn may_halve(&self, level: u32) -> bool {
        let (looks, coarse) =
            if self.left.get() > 0 { (LOOKS, self.coarse) } else { (LOOKS_LEFT, self.coarse.min(COARSE_LEFT)) };
        self.looks <= looks || level < coarse
    }

    fn movements(&self, time: f64) -> [Movement; 2] {
        self.movers.map(|mover| mover.piece.movement(time))
    }

    pub(super) fn depth(&self, time: f64) -> f64 {
        let [p, q] = self.movements(time);
        self.contact(&p, &q).0
    }

    fn is_deep(&self, time: f64) -> bool {
        self.depth(time) > self.tolerance
    }

    /// The depth, the position of the second shape seen from the first, and the deciding direction, in the frame of the
    /// first.
    fn contact(&self, p: &Movement, q: &Movement) -> (f64, Vector, Vector) {
        let seen = turned_back(minus(q.position, p.position), p.facing);
        let (depth, normal) =
            contact(self.movers[0].shape, self.movers[1].shape, seen, turned_back(q.facing, p.facing));
        (depth, seen, normal)
    }

    /// The depth at `time`, and its upper bound from `ticks` before to `ticks` after.
    fn look(&mut self, time: f64, ticks: f64) -> [f64; 2] {
        self.count();
        let [p, q] = self.movements(time);
        let (depth, seen, normal) = self.contact(&p, &q);
        let [a, b] = self.movers;
        let by_change = depth + self.change(ticks);
        let by_discs = a.reach + b.reach - length(seen) + a.way(ticks) + b.way(ticks);
        let closing = dot(normal, turned_back(minus(p.velocity, q.velocity), p.facing));
        let facing = turned_back(q.facing, p.facing);
        let reach = |ticks: f64| {
            // A turn adds the product with a perpendicular vector.
            let direction = |spin: f64| plus(normal, times([normal[1], -normal[0]], spin * ticks));
            let of_a = a.shape.support(direction(a.piece.spin));
            let of_b = b.shape.support(times(turned_back(direction(b.piece.spin), facing), -1.0));
            of_a + of_b - dot(normal, seen) + closing * ticks
        };
        let beyond = (a.acceleration + b.acceleration) * ticks * ticks / 2.0;
        // The function is convex in the time, so its ends are its greatest values.
        let by_direction = reach(ticks).max(reach(-ticks)) + beyond;
        [depth, by_change.min(by_discs).min(by_direction)]
    }

    fn change(&self, ticks: f64) -> f64 {
        self.movers[0].change(ticks) + self.movers[1].change(ticks)
    }

    /// Whether an interval is not halved, if bounds for it differ by `range` from its middle.
    fn is_fine(&self, range: f64, ticks: f64, level: u32) -> bool {
        range <= self.grain || ticks <= SHORTEST || !self.may_halve(level)
    }

    /// The first time in `begin..end` at which the shapes are deeper than the tolerance.
    pub(super) fn first(&mut self, begin: f64, end: f64) -> Option<f64> {
        if begin >= end {
            return None;
        }
        if self.is_deep(begin) {
            return Some(begin);
        }
        (self.looks, self.before) = (0, begin);
        self.first_within(begin, end, 0)
    }

    fn first_within(&mut self, begin: f64, end: f64, level: u32) -> Option<f64> {
        let (middle, ticks) = (f64::midpoint(begin, end), (end - begin) / 2.0);
        if middle <= begin || middle >= end {
            return None;
        }
        let [depth, most] = self.look(middle, ticks);
        if most <= self.tolerance {
            self.before = end;
            return None;
        }
        let fine = self.is_fine(most - depth, ticks, level);
        if depth > self.tolerance {
            let earlier = if fine { None } else { self.first_within(begin, middle, level + 1) };
            return earlier.or_else(|| Some(self.between(middle, true)));
        }
        if !fine {
            let found = self.first_within(begin, middle, level + 1);
            if found.is_some() {
                return found;
            }
        }
        self.before = middle;
        if fine { None } else { self.first_within(middle, end, level + 1) }
    }

    /// How long, `end` at most, the shapes stay deeper than the tolerance, if they are so at `begin`.
    pub(super) fn last(&mut self, begin: f64, end: f64) -> f64 {
        (self.looks, self.before) = (0, begin);
        self.last_within(begin, end, 0).unwrap_or(end)
    }

    fn last_within(&mut self, begin: f64, end: f64, level: u32) -> Option<f64> {
        let (middle, ticks) = (f64::midpoint(begin, end), (end - begin) / 2.0);
        if middle <= begin || middle >= end {
            return None;
        }
        self.count();
        let (depth, range) = (self.depth(middle), self.change(ticks));
        if depth - range > self.tolerance {
            self.before = end;
            return None;
        }
        let fine = self.is_fine(range, ticks, level);
        if depth > self.tolerance {
            if !fine {
                let found = self.last_within(begin, middle, level + 1);
                if found.is_some() {
                    return found;
                }
            }
            self.before = middle;
            return if fine { None } else { self.last_within(middle, end, level + 1) };
        }
        let earlier = if fine { None } else { self.last_within(begin, middle, level + 1) };
        earlier.or_else(|| Some(self.between(middle, false)))
    }

    /// The time at which being deep becomes `deep`; it is `deep` at `after` and not at `before`.
    fn between(&self, after: f64, deep: bool) -> f64 {
        let (mut before, mut after) = (self.before, after);
        while after - before > EXACT {
            let middle = f64::midpoint(before, after);
            if middle <= before || middle >= after {
                break;
            }
            if self.is_deep(middle) == deep {
                after = middle;
            } else {
                before = middle;
            }
        }
        after
    }

    /// The greatest depth from `begin` to `end`.
    pub(super) fn deepest(&mut self, begin: f64, end: f64) -> f64 {
        self.looks = 0;
        let ends = self.depth(begin).max(self.depth(end));
        let mut left = vec![(begin, end, 0)];
        let mut deepest = ends;
        while let Some((begin, end, level)) = left.pop() {
            let (middle, ticks) = (f64::midpoint(begin, end), (end - begin) / 2.0);
            let [depth, most] = self.look(middle, ticks);
            deepest = deepest.max(depth);
            let splits = most > deepest + NEAR && ticks > SHORTEST && self.may_halve(level);
            if splits && begin < middle && middle < end {
                left.extend([(begin, middle, level + 1), (middle, end, level + 1)]);
            }
        }
        deepest
    }
}
