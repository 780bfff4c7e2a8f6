//! Which courses come near each other: candidates by a raster, then exact distances.

use super::course::Course;
use super::site::ApartError;

/// More pairs would take gigabytes.
pub(super) const MOST_PAIRS: usize = 1 << 24;

/// This many distances of straight parts are computed at most.
const MOST_TESTS: usize = 1 << 28;

/// A course is at most about this many squares long; squares are made large enough for that.
const MOST_SQUARES: f64 = 64.0;

/// The pairs of courses on which units of `radius` would overlap, without the pairs that are `excluded` anyway.
/// Ascending; in a pair, the smaller number first. If `together`, units are compared at equal shares of their courses.
pub(super) fn near_pairs(
    courses: &[Course],
    radius: f64,
    together: bool,
    excluded: impl Fn([usize; 2]) -> bool,
) -> Result<Vec<[u32; 2]>, ApartError> {
    let side = side_of_squares(courses, radius);
    let mut squares: Vec<([i64; 2], u32)> = Vec::new();
    for (number, course) in (0..).zip(courses) {
        let mut own = Vec::new();
        for_each_square(course, radius, side, |square| own.push((square, number)));
        own.sort_unstable();
        own.dedup();
        squares.append(&mut own);
    }
    squares.sort_unstable();
    let (mut pairs, mut tests, mut candidates) = (Vec::new(), 0, Vec::new());
    for (number, course) in (0_u32..).zip(courses) {
        candidates.clear();
        for_each_square(course, radius, side, |square| {
            let first = squares.partition_point(|other| *other <= (square, number));
            let here = squares[first..].iter().take_while(|(other, _)| *other == square);
            candidates.extend(here.map(|(_, other)| *other));
        });
        candidates.sort_unstable();
        candidates.dedup();
        let parts = |other: &u32| courses[*other as usize].parts.len();
        tests += course.parts.len() * candidates.iter().map(parts).sum::<usize>();
        if tests > MOST_TESTS {
            return Err(ApartError::TooMany);
        }
        for other in &candidates {
            let near = 2.0 * radius + course.inexact + courses[*other as usize].inexact;
            let is_near = || course.square_apart(&courses[*other as usize], together) < near * near;
            if !excluded([number as usize, *other as usize]) && is_near() {
                pairs.push([number, *other]);
            }
        }
        if pairs.len() > MOST_PAIRS {
            return Err(ApartError::TooMany);
        }
    }
    Ok(pairs)
}

/// Squares as long as the parts of courses are in the mean, and no smaller than units; no course lies in too many of
/// them.
fn side_of_squares(courses: &[Course], radius: f64) -> f64 {
    let extent = |course: &Course| {
        let points = || course.parts.iter().flat_map(|part| part.ends);
        let range = |axis: usize| {
            let (low, high) = points().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), point| {
                (low.min(point[axis]), high.max(point[axis]))
            });
            (high - low).max(0.0)
        };
        range(0) + range(1)
    };
    let (mut sum, mut most) = (0.0, 0.0_f64);
    for course in courses {
        let extent = extent(course) + 4.0 * course.inexact;
        sum += extent;
        most = most.max(extent);
    }
    #[allow(clippy::cast_precision_loss)] // a size of squares need not be exact
    let mean = sum / courses.len().max(1) as f64;
    (4.0 * radius).max(mean).max(most / MOST_SQUARES).max(1e-6)
}

/// Calls `each` with the squares of side `side` that may have a point within `radius` of `course`; with some of them
/// more than once.
fn for_each_square(course: &Course, radius: f64, side: f64, mut each: impl FnMut([i64; 2])) {
    let far = (radius + course.inexact) * (1.0 + 1e-9);
    for part in &course.parts {
        let range = |axis: usize| {
            let (low, high) = (part.ends[0][axis].min(part.ends[1][axis]), part.ends[0][axis].max(part.ends[1][axis]));
            #[allow(clippy::cast_possible_truncation)] // saturates: what is so far away shares a square
            let number = |coordinate: f64| (coordinate / side).floor() as i64;
            number(low - far)..=number(high + far)
        };
        for column in range(0) {
            for row in range(1) {
                each([column, row]);
            }
        }
    }
}
