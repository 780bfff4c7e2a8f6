//! How deep two shapes are in each other, and when, while at least one of them turns or drives along an arc.
//!
//! No formula tells the times, so intervals of time are halved until what is known at their middles tells enough. The depth
//! is the least, over all directions, of how far the one shape reaches beyond the begin of the other. So, from its value
//! in the middle of an interval,
//!
//! * it changes by no more than what the points of both shapes move by;
//! * it stays below how far they reach in the one direction that counts in the middle. Each point's way there is its way
//!   at its velocity in the middle, and no more beyond it than its greatest acceleration makes of it;
//! * it stays below the depth of two discs around the positions that hold the shapes under every heading.
//!
//! What is apart is deeper than told (nearer to 0) if corners face corners; bounds from above hold all the same.

use std::cell::Cell;

use super::pieces::{Movement, Piece};
use super::shape::{Shape, Vector, contact, dot, length, minus, plus, times, turned_back};

/// Intervals shorter than this, in ticks, are not halved.
const SHORTEST: f64 = 1e-7;

/// To how many ticks the first and last times are told.
const EXACT: f64 = 1e-9;

/// To how many world units the greatest depth is told.
const NEAR: f64 = 1e-4;

/// So many times are looked at in a search, fewer if pairs of corners are more than a few.
const LOOKS: usize = 20_000;
const FEW: usize = 64;

/// If these are not enough, intervals are halved so often only.
const COARSE: u32 = 10;

/// If those of all searches together are not enough, there are so many left for each, and intervals are halved so often.
const LOOKS_LEFT: usize = 50;
const COARSE_LEFT: u32 = 4;

/// A shape and what it does in a piece.
#[derive(Clone, Copy)]
struct Mover<'a> {
    shape: &'a Shape,
    piece: &'a Piece,
    speed: f64,
    lever: f64,
    reach: f64,
    /// How much its points accelerate, at most.
    acceleration: f64,
}

impl<'a> Mover<'a> {
    fn new(shape: &'a Shape, piece: &'a Piece) -> Self {
        let (speed, lever, spin) = (length(piece.velocity), shape.lever(), piece.spin.abs());
        let acceleration = spin * (speed + spin * lever);
        Self { shape, piece, speed, lever, reach: shape.reach(), acceleration }
    }

    /// How far its position is, at most, from where it is `ticks` before or after. On a circle, no more than across it.
    fn way(&self, ticks: f64) -> f64 {
        let straight = self.speed * ticks;
        if self.piece.spin == 0.0 { straight } else { straight.min(2.0 * self.speed / self.piece.spin.abs()) }
    }

    /// How far its points are, at most, from where they are `ticks` before or after.
    fn change(&self, ticks: f64) -> f64 {
        self.way(ticks) + self.lever * (self.piece.spin.abs() * ticks).min(2.0)
    }
}

/// Two shapes while both are in one piece each.
pub(super) struct Meeting<'a> {
    movers: [Mover<'a>; 2],
    tolerance: f64,
    /// What bounds know better than this is not looked at any closer, in world units.
    grain: f64,
    looks: usize,
    /// How many there may be in this and all later searches.
    left: &'a Cell<usize>,
    /// What each of them counts as, and how often intervals are always halved.
    cost: usize,
    coarse: u32,
    /// The latest time so far that is known to be on this side of what is searched.
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

    /// Counts a time that is looked at.
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

    /// The depth, where the second is seen from the first, and the direction that counts; in the frame of the first.
    fn contact(&self, p: &Movement, q: &Movement) -> (f64, Vector, Vector) {
        let seen = turned_back(minus(q.position, p.position), p.facing);
        let (depth, normal) =
            contact(self.movers[0].shape, self.movers[1].shape, seen, turned_back(q.facing, p.facing));
        (depth, seen, normal)
    }

    /// The depth at `time`, and how deep they are, at most, no more than `ticks` before or after it.
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
            // What grows with a turn is the product with a vector at right angles.
            let direction = |spin: f64| plus(normal, times([normal[1], -normal[0]], spin * ticks));
            let of_a = a.shape.support(direction(a.piece.spin));
            let of_b = b.shape.support(times(turned_back(direction(b.piece.spin), facing), -1.0));
            of_a + of_b - dot(normal, seen) + closing * ticks
        };
        let beyond = (a.acceleration + b.acceleration) * ticks * ticks / 2.0;
        // It is convex in the time, so the ends are its greatest values.
        let by_direction = reach(ticks).max(reach(-ticks)) + beyond;
        [depth, by_change.min(by_discs).min(by_direction)]
    }

    fn change(&self, ticks: f64) -> f64 {
        self.movers[0].change(ticks) + self.movers[1].change(ticks)
    }

    /// Whether an interval is looked at no closer, if bounds for it differ by `range` from its middle.
    fn is_fine(&self, range: f64, ticks: f64, level: u32) -> bool {
        range <= self.grain || ticks <= SHORTEST || !self.may_halve(level)
    }

    /// When they are first deeper than the tolerance from `begin` on, before `end`.
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

    /// Until when they are deeper than the tolerance from `begin` on, when they are so, no longer than to `end`.
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

    /// When being deep becomes `deep`, which it is at `after`, and is not at the time before.
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

    /// How deep they are, at most, from `begin` to `end`.
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
