//! Placing: where waypoints lie.
//!
//! First come the places that are asked for. Then, where ways have no choice: the narrowest places of passages, around
//! the ends of walls, and the lanes of wider places, which begin where ways round a corner end. Then rows across
//! passages, lane by lane, or beside a wall where there is no other wall near. Last the open, in a square pattern. A
//! candidate that is too near to a waypoint is left out.

use std::f64::consts::{PI, TAU};

use giveway_core::plane::length;

use super::room::{Room, foot};
use super::rules::Paced;
use crate::nav_mesh::NavMesh;
use crate::segments::{Segment, between};
use crate::space_error::SpaceError;

/// Passages with more lanes have no rows: waypoints of the open and beside the walls do.
const MOST_LANES: f64 = 4.0;
/// The side of a block of waypoints that lie beside each other in memory, in spacings.
const BLOCK: f64 = 8.0;
/// Waypoints in the open and in rows are at least this share of a lane apart.
const APART: f64 = 0.9;
/// The share for waypoints where ways have no choice.
const APART_IN_GATES: f64 = 0.3;
/// The share for waypoints around the corner of a bend with one lane.
const APART_IN_BENDS: f64 = 0.1;
/// A body that has less than this share of a lane to spare comes straight through a gate, and no other way.
const TIGHT: f64 = 0.1;
/// A way round the end of a wall turns by at most this much at a waypoint, in radians.
const MOST_TURN: f64 = PI / 4.0;
/// No more waypoints than this; more would not fit the memory of most machines.
const MOST_WAYPOINTS: usize = 1 << 22;

/// Waypoints, found by where they are.
pub(super) struct Placed {
    pub(super) points: Vec<[f64; 2]>,
    origin: [f64; 2],
    side: f64,
    size: [usize; 2],
    /// The first waypoint of each bucket, and, by waypoint, the next in its bucket.
    first: Vec<u32>,
    next: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Placed {
    fn new(mesh: &NavMesh, spacing: f64) -> Self {
        let [least, most] = mesh.bounds().map(|corner| corner.map(f64::from));
        let extent = [0, 1].map(|axis| most[axis] - least[axis]);
        // Not more buckets than there can be waypoints.
        #[allow(clippy::cast_precision_loss)]
        let side =
            spacing.max((extent[0] * extent[1] / MOST_WAYPOINTS as f64).sqrt()).max(extent[0].max(extent[1]) / 1e6);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let size = extent.map(|extent| (extent / side).floor() as usize + 1);
        Self { points: Vec::new(), origin: least, side, size, first: vec![NONE; size[0] * size[1]], next: Vec::new() }
    }

    /// Calls `each` with the number and the position of every waypoint that may be within `reach` of `point`.
    pub(super) fn for_each_near(&self, point: [f64; 2], reach: f64, mut each: impl FnMut(u32, [f64; 2])) {
        let [columns, rows] = [0, 1].map(|axis| {
            let number = |at: f64| {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // casts saturate
                let number = ((at - self.origin[axis]) / self.side).floor().max(0.0) as usize;
                number.min(self.size[axis] - 1)
            };
            number(point[axis] - reach)..=number(point[axis] + reach)
        });
        for row in rows {
            for column in columns.clone() {
                let mut number = self.first[row * self.size[0] + column];
                while number != NONE {
                    each(number, self.points[number as usize]);
                    number = self.next[number as usize];
                }
            }
        }
    }

    /// The waypoints block by block, so that neighbours have near numbers, and lie near each other in memory; the first
    /// `kept` stay.
    fn in_order(mut self, mesh: &NavMesh, spacing: f64, kept: usize) -> Result<Self, SpaceError> {
        let mut others = self.points.split_off(kept);
        // The bits of column and row, taken in turns: Morton's order.
        let key = |point: &[f64; 2]| {
            let spread = |axis: usize| {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // casts saturate
                let number = ((point[axis] - self.origin[axis]) / (BLOCK * spacing)).floor().max(0.0) as u32;
                (0..32).fold(0_u64, |bits, bit| bits | u64::from(number >> bit & 1) << (2 * bit))
            };
            spread(0) | spread(1) << 1
        };
        others.sort_by_cached_key(key);
        let mut placed = Self::new(mesh, spacing);
        self.points.iter().chain(&others).try_for_each(|point| placed.push(*point))?;
        Ok(placed)
    }

    fn is_near(&self, point: [f64; 2], apart: f64) -> bool {
        let mut is_near = false;
        self.for_each_near(point, apart, |_, other| {
            is_near |= length([other[0] - point[0], other[1] - point[1]]) < apart;
        });
        is_near
    }

    fn push(&mut self, point: [f64; 2]) -> Result<(), SpaceError> {
        let number = u32::try_from(self.points.len()).ok().filter(|number| (*number as usize) < MOST_WAYPOINTS);
        let number = number.ok_or(SpaceError::TooManyWaypoints { most: MOST_WAYPOINTS })?;
        let [column, row] = [0, 1].map(|axis| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // casts saturate
            let number = ((point[axis] - self.origin[axis]) / self.side).floor().max(0.0) as usize;
            number.min(self.size[axis] - 1)
        });
        let bucket = &mut self.first[row * self.size[0] + column];
        self.next.push(*bucket);
        *bucket = number;
        self.points.push(point);
        Ok(())
    }
}

/// A point as exactly as positions are kept.
#[allow(clippy::cast_possible_truncation)]
pub(super) fn rounded(point: [f64; 2]) -> [f64; 2] {
    point.map(|side| f64::from(side as f32))
}

/// The waypoints on `mesh`: first `places`, each a waypoint of its own, then all others.
pub(super) fn place(mesh: &NavMesh, room: &Room<'_>, rules: &Paced, places: &[[f64; 2]]) -> Result<Placed, SpaceError> {
    let mut placing = Placing { room, rules, placed: Placed::new(mesh, rules.spacing) };
    for point in places {
        placing.placed.push(*point)?;
    }
    let walls = room.walls().all();
    let corners = corners(walls);
    let mut apart = Vec::with_capacity(corners.len());
    for corner in &corners {
        // In a bend of one lane, nothing else leads round the corner; elsewhere waypoints in a heap are in each other's
        // way.
        let is_bend = placing.gates(corner, true)? > 1;
        apart.push(if is_bend { APART_IN_BENDS } else { APART_IN_GATES } * rules.lane);
    }
    for (corner, apart) in corners.iter().zip(apart) {
        placing.around(corner, apart)?;
    }
    // After the ways round corners: the lane beside a wall begins where such a way ends.
    for corner in &corners {
        placing.gates(corner, false)?;
    }
    for wall in walls {
        placing.rows(*wall)?;
    }
    placing.open(mesh)?;
    placing.placed.in_order(mesh, rules.spacing, places.len())
}

struct Placing<'a> {
    room: &'a Room<'a>,
    rules: &'a Paced,
    placed: Placed,
}

impl Placing<'_> {
    /// Adds `point` if there is room, and no waypoint nearer than `apart`. Returns whether there is room.
    fn add(&mut self, point: [f64; 2], apart: f64) -> Result<bool, SpaceError> {
        let point = rounded(point);
        if self.placed.is_near(point, apart) {
            return Ok(true);
        }
        if !self.room.is_at(point) {
            return Ok(false);
        }
        self.placed.push(point)?;
        Ok(true)
    }

    /// Whether no wall lies on `way`, other than its `own` walls. However near to the begin of the way a wall lies,
    /// beyond the wall there may be no ground.
    fn sees(&self, way: Segment, own: impl Fn(Segment) -> bool) -> bool {
        !self.room.walls().any_near(way, 0.0, |wall| !own(wall) && between(way, wall) <= 0.0)
    }

    /// How far from a wall lanes lie that have space: rounding leaves them room.
    fn beside(&self) -> f64 {
        self.room.clearance() + 2.0 * self.room.exact()
    }

    /// The number of lanes in a passage of this width; 0 if the body does not fit.
    fn lanes(&self, width: f64) -> f64 {
        let free = width - 2.0 * self.room.clearance();
        if free < -2.0 * self.room.exact() {
            0.0
        } else {
            ((free + 2.0 * self.room.exact()) / self.rules.lane).floor() + 1.0
        }
    }

    /// Adds the lanes of a passage: `width` wide, from `from` on, along the unit vector `across`. Returns whether any
    /// fits.
    fn across(&mut self, from: [f64; 2], across: [f64; 2], width: f64, apart: f64) -> Result<bool, SpaceError> {
        let lanes = self.lanes(width);
        let spare = (width - 2.0 * self.room.clearance() - (lanes - 1.0) * self.rules.lane).max(0.0);
        let first =
            if lanes == 1.0 { width / 2.0 } else { self.room.clearance() + (2.0 * self.room.exact()).min(spare / 2.0) };
        let mut fits = false;
        let mut lane = 0.0;
        while lane < lanes {
            let by = if lanes == 1.0 { first } else { first + (width - 2.0 * first) * lane / (lanes - 1.0) };
            fits |= self.add([0, 1].map(|axis| from[axis] + across[axis] * by), apart)?;
            lane += 1.0;
        }
        Ok(fits)
    }

    /// Whether a passage of this width has one lane, or two and nothing to spare.
    fn is_close(&self, width: f64) -> bool {
        let lanes = self.lanes(width);
        let spare = width - 2.0 * self.room.clearance() - self.rules.lane;
        lanes == 1.0 || lanes == 2.0 && spare < TIGHT * self.rules.lane
    }

    /// Lanes between `corner` and each wall that it sees so near that there is a narrow passage. `before`: the passages
    /// that come before the ways round corners; otherwise the passages that come after. Returns how many of them have
    /// one lane.
    ///
    /// [Close](Self::is_close) passages come before. So do passages at corners round which a waypoint lies right in the
    /// middle, farther from the corner than a lane may be.
    fn gates(&mut self, corner: &Corner, before: bool) -> Result<u32, SpaceError> {
        let in_the_middle = self.parts(corner) % 2.0 == 1.0;
        let reach = 2.0 * self.beside() + (MOST_LANES - 1.0) * self.rules.lane;
        let mut gates: Vec<[[f64; 2]; 2]> = Vec::new();
        let walls = self.room.walls();
        walls.for_each_near([corner.at, corner.at], reach, |_, wall| {
            let (at, far) = foot(corner.at, wall);
            if far <= reach && far > 0.0 && self.lanes(far) > 0.0 && (in_the_middle || self.is_close(far)) == before {
                gates.push([at, [0, 1].map(|axis| (at[axis] - corner.at[axis]) / far)]);
            }
        });
        let in_order = |one: &[[f64; 2]; 2], other: &[[f64; 2]; 2]| {
            let key = |gate: &[[f64; 2]; 2]| gate[0].map(|side| side + 0.0);
            key(one)[0].total_cmp(&key(other)[0]).then(key(one)[1].total_cmp(&key(other)[1]))
        };
        // A wall may come twice, and walls end at each other.
        gates.sort_unstable_by(in_order);
        gates.dedup_by(|one, other| in_order(one, other).is_eq());
        let mut with_one_lane = 0;
        for [at, across] in gates {
            let far = length([at[0] - corner.at[0], at[1] - corner.at[1]]);
            let before = [0, 1].map(|axis| corner.at[axis] + across[axis] * far * (1.0 - 1e-3));
            let is_first = || self.sees([corner.at, before], |wall| wall.contains(&corner.at));
            if corner.opens(across) && is_first() {
                let apart = APART_IN_GATES * self.rules.lane;
                self.across(corner.at, across, far, apart)?;
                with_one_lane += u32::from(self.lanes(far) == 1.0);
                if self.lanes(far) == 1.0 && far < 2.0 * self.room.clearance() + TIGHT * self.rules.lane {
                    for by in [-apart, apart] {
                        let middle = [0, 1].map(|axis| corner.at[axis] + across[axis] * far / 2.0);
                        self.add([middle[0] - across[1] * by, middle[1] + across[0] * by], 0.9 * apart)?;
                    }
                }
            }
        }
        Ok(with_one_lane)
    }

    /// How many waypoints a way round `corner` has.
    fn parts(&self, corner: &Corner) -> f64 {
        // Around a point all of them would be in one place.
        let parts = if self.room.clearance() * 8.0 < self.rules.spacing {
            1.0
        } else {
            (corner.turn / MOST_TURN - 1e-9).ceil().max(1.0)
        };
        // The end of a thin wall: no tangents meet halfway round.
        if corner.turn / parts > PI * 0.75 { 2.0 } else { parts }
    }

    /// Waypoints around `corner`, `apart` from others, so that straight ways between them keep their distance.
    fn around(&mut self, corner: &Corner, apart: f64) -> Result<(), SpaceError> {
        let parts = self.parts(corner);
        let radius = self.beside() / libm::cos(corner.turn / (2.0 * parts));
        let mut part = 0.0;
        while part < parts {
            let angle = corner.first - corner.turn * (part + 0.5) / parts;
            let by = [libm::cos(angle) * radius, libm::sin(angle) * radius];
            let at = [0, 1].map(|axis| corner.at[axis] + by[axis]);
            if self.sees([corner.at, at], |wall| wall.contains(&corner.at)) {
                self.add(at, apart)?;
            }
            part += 1.0;
        }
        Ok(())
    }

    /// Along `wall`, rows of lanes to the wall opposite, or a lane beside it.
    fn rows(&mut self, [from, to]: Segment) -> Result<(), SpaceError> {
        let along = [to[0] - from[0], to[1] - from[1]];
        let size = length(along);
        let inwards = [-along[1] / size, along[0] / size];
        let reach = 2.0 * self.room.clearance() + MOST_LANES * self.rules.lane;
        let rows = (size / self.rules.spacing).round().max(1.0);
        #[allow(clippy::cast_precision_loss)]
        let rows = rows.min(MOST_WAYPOINTS as f64);
        let mut row = 0.0;
        while row < rows {
            let base = [0, 1].map(|axis| from[axis] + along[axis] * (row + 0.5) / rows);
            row += 1.0;
            let beside = [0, 1].map(|axis| base[axis] + inwards[axis] * self.beside());
            if !self.sees([base, beside], |wall| wall == [from, to]) {
                continue;
            }
            let apart = APART * self.rules.lane;
            let width = self.room.walls().cast(base, inwards, reach);
            let fits = match width {
                Some(width) => self.across(base, inwards, width, apart)?,
                None => false,
            };
            if !fits {
                self.add(beside, apart)?;
            }
        }
        Ok(())
    }

    /// A square pattern over all polygons.
    fn open(&mut self, mesh: &NavMesh) -> Result<(), SpaceError> {
        let (spacing, origin) = (self.rules.spacing, self.placed.origin);
        let at = |number: f64, axis: usize| origin[axis] + (number + 0.5) * spacing;
        let corners_of = |polygon: &[u32]| {
            polygon.iter().map(|corner| mesh.vertices()[*corner as usize].map(f64::from)).collect::<Vec<_>>()
        };
        // Row by row in each polygon: a point between two polygons comes twice, and is left out the second time.
        for polygon in mesh.polygons() {
            let corners = corners_of(polygon);
            let [low, high] =
                [f64::min, f64::max].map(|pick| corners.iter().map(|at| at[1]).reduce(pick).unwrap_or(0.0));
            let mut row = ((low - origin[1]) / spacing - 0.5).ceil();
            while at(row, 1) <= high {
                let y = at(row, 1);
                let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
                for place in 0..corners.len() {
                    let [a, b] = [corners[place], corners[(place + 1) % corners.len()]];
                    if a[1].min(b[1]) <= y && y <= a[1].max(b[1]) {
                        let x = if a[1] == b[1] { a[0] } else { a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) };
                        (first, last) = (first.min(x), last.max(x));
                    }
                }
                let mut column = ((first - origin[0]) / spacing - 0.5).ceil();
                while at(column, 0) <= last {
                    self.add([at(column, 0), y], APART * self.rules.lane)?;
                    column += 1.0;
                }
                row += 1.0;
            }
        }
        Ok(())
    }
}

/// Where walls meet, and a way along them turns towards the walls.
struct Corner {
    at: [f64; 2],
    /// The direction away from the wall before the corner, in radians, and how far the way turns from there, clockwise.
    first: f64,
    turn: f64,
}

impl Corner {
    /// Whether the mesh lies in this direction.
    fn opens(&self, direction: [f64; 2]) -> bool {
        // From a quarter turn after `first`, clockwise by half a turn more than the way turns.
        let angle = (self.first + PI / 2.0 - libm::atan2(direction[1], direction[0])).rem_euclid(TAU);
        angle > 1e-6 && angle < PI + self.turn - 1e-6
    }
}

/// The corners where walls end at each other, in the order of places.
fn corners(walls: &[Segment]) -> Vec<Corner> {
    let direction = |[from, to]: Segment| libm::atan2(to[1] - from[1], to[0] - from[0]);
    // Zero has one sign.
    let key = |at: [f64; 2]| at.map(|side| (side + 0.0).to_bits());
    let mut out: Vec<([u64; 2], f64)> = walls.iter().map(|wall| (key(wall[0]), direction(*wall))).collect();
    out.sort_unstable_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
    let mut corners = Vec::new();
    for wall in walls {
        let at = wall[1];
        let heading = direction(*wall);
        let begin = out.partition_point(|(place, _)| *place < key(at));
        // The mesh lies between the wall back and the wall that goes on, clockwise from the first: to the left of both.
        let sectors = out[begin..].iter().take_while(|(place, _)| *place == key(at)).map(|(_, goes_on)| {
            let sector = (heading + PI - goes_on).rem_euclid(TAU);
            if sector < 1e-9 { TAU } else { sector }
        });
        let Some(sector) = sectors.reduce(f64::min) else {
            // Nothing goes on: around the end by half a turn.
            corners.push(Corner { at, first: heading + PI / 2.0, turn: PI });
            continue;
        };
        let turn = sector - PI;
        if turn > 0.01 {
            corners.push(Corner { at, first: heading + PI / 2.0, turn });
        }
    }
    corners
}
