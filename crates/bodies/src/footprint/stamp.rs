//! Stamps: the squares of a raster that a shape meets on its way, and when.

use super::sliding_disc::SlidingDisc;
use crate::shape::{Shape, Square, Swept};
use crate::trajectory::{Placement, Stroke, WayPart, parts};
use giveway_core::Ticks;

/// A square that is met: its position relative to the square where the way begins, and the shares of the way between
/// which it is met.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Print {
    pub(crate) column: i32,
    pub(crate) row: i32,
    pub(crate) begin: f64,
    pub(crate) end: f64,
}

/// The ticks of a motion of `duration` ticks between which a print is met.
pub(crate) fn ticks_met(print: &Print, duration: Ticks) -> [Ticks; 2] {
    let ticks = |share: f64| share * f64::from(duration);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // shares are between 0 and 1
    [ticks(print.begin).floor() as Ticks, (ticks(print.end).ceil() as Ticks).max(1)]
}

/// The number of parts into which ways are divided, per side of a square and of a map cell.
const PARTS: f64 = 8.0;

/// The longest part of a way for squares of side `side`. Tests of room use equal parts, so that a shape never meets a
/// square where there is no room.
pub(crate) fn longest_part(side: f64) -> f64 {
    side.min(1.0) / PARTS
}

/// The squares of side `side` that `shape` meets on its `way` from `start`, in rows; if `way` is empty, the shape
/// rests. `corner` is the least corner of the square where the way begins, relative to the start. No part of the way is
/// longer than `longest`.
pub(crate) fn stamp(
    shape: &Shape,
    start: Placement,
    way: &[Stroke],
    [side, longest]: [f64; 2],
    corner: [f64; 2],
) -> Vec<Print> {
    if let Shape::Disc { center, radius } = shape
        && let Some(disc) = SlidingDisc::new((*center, *radius), start, way, longest)
    {
        return disc.prints(side, corner);
    }
    stamp_in_parts(shape, start, way, [side, longest], corner)
}

/// [`stamp`] for all shapes and ways.
fn stamp_in_parts(
    shape: &Shape,
    start: Placement,
    way: &[Stroke],
    [side, longest]: [f64; 2],
    corner: [f64; 2],
) -> Vec<Print> {
    /// A part of the way, and the first and last columns and rows that its area can meet.
    struct SweptPart {
        swept: Swept,
        columns: [i32; 2],
        rows: [i32; 2],
        shares: [f64; 2],
    }
    let part = |swept: Swept, shares: [f64; 2]| {
        let [least, most] = swept.extent();
        #[allow(clippy::cast_possible_truncation)] // bodies are smaller than maps
        let range = |axis: usize| [least, most].map(|extent| ((extent[axis] - corner[axis]) / side).floor() as i32);
        SweptPart { columns: range(0), rows: range(1), swept, shares }
    };
    let rest = way.is_empty().then(|| part(shape.sweep(&WayPart::rest(start)), [0.0, 1.0]));
    let on_the_way = parts(start, way, longest).map(|piece| part(shape.sweep(&piece), piece.shares));
    let parts: Vec<SweptPart> = rest.into_iter().chain(on_the_way).collect();
    let within = |[first, last]: [i32; 2], number: i32| first <= number && number <= last;
    let span = |ranges: &dyn Fn(&SweptPart) -> [i32; 2]| {
        let least = parts.iter().map(|part| ranges(part)[0]).min().unwrap_or(0);
        let most = parts.iter().map(|part| ranges(part)[1]).max().unwrap_or(-1);
        least..=most
    };
    let columns = span(&|part| part.columns);
    let mut prints = Vec::new();
    for row in span(&|part| part.rows) {
        for column in columns.clone() {
            let min = [corner[0] + f64::from(column) * side, corner[1] + f64::from(row) * side];
            let is_met = |part: &&SweptPart| {
                within(part.rows, row) && within(part.columns, column) && part.swept.meets(Square { min, side })
            };
            // The first and the last part tell the span; the parts between them need not be looked at.
            if let Some(first) = parts.iter().find(is_met)
                && let Some(last) = parts.iter().rfind(is_met)
            {
                prints.push(Print { column, row, begin: first.shares[0], end: last.shares[1] });
            }
        }
    }
    prints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamped(shape: &Shape, by: [f64; 2]) -> Vec<Print> {
        stamp(shape, Placement::facing(0.0), &[Stroke::Slide(by)], [1.0, longest_part(1.0)], [-0.5, -0.5])
    }

    fn cells(shape: &Shape, by: [f64; 2], side: f64) -> Vec<(i32, i32)> {
        let way: &[Stroke] = if by == [0.0, 0.0] { &[] } else { &[Stroke::Slide(by)] };
        let prints = stamp(shape, Placement::facing(0.0), way, [side, longest_part(side)], [-0.5, -0.5]);
        prints.iter().map(|print| (print.column, print.row)).collect()
    }

    fn tile(side: f64, center: f64) -> Shape {
        let (low, high) = (center - side / 2.0, center + side / 2.0);
        Shape::Polygon(vec![[low, low], [high, low], [high, high], [low, high]])
    }

    #[test]
    fn a_unit_diagonal_meets_four_cells_for_as_long_as_it_lasts() {
        for shape in [tile(1.0, 0.0), Shape::Disc { center: [0.0; 2], radius: 0.5 }] {
            let prints = stamped(&shape, [1.0, 1.0]);
            let cells: Vec<(i32, i32)> = prints.iter().map(|print| (print.column, print.row)).collect();
            assert_eq!(cells, [(0, 0), (1, 0), (0, 1), (1, 1)]);
        }
        let whole = stamped(&tile(1.0, 0.0), [1.0, 1.0]);
        assert!(whole.iter().all(|print| (print.begin, print.end) == (0.0, 1.0)), "{whole:?}");
    }

    #[test]
    fn a_straight_step_meets_following_rule_and_a_rest_one() {
        assert_eq!(cells(&tile(1.0, 0.0), [1.0, 0.0], 1.0), [(0, 0), (1, 0)]);
        assert_eq!(cells(&tile(1.0, 0.0), [0.0, -1.0], 1.0), [(0, -1), (0, 0)]);
        assert_eq!(cells(&tile(1.0, 0.0), [0.0, 0.0], 1.0), [(0, 0)]);
        // A 2 x 2 unit reaches one cell farther to the right and down.
        assert_eq!(cells(&tile(2.0, 0.5), [0.0, 0.0], 1.0), [(0, 0), (1, 0), (0, 1), (1, 1)]);
        assert_eq!(cells(&tile(2.0, 0.5), [1.0, 0.0], 1.0).len(), 6);
        assert_eq!(cells(&tile(3.0, 0.0), [0.0, 0.0], 1.0).len(), 9);
        assert_eq!(cells(&tile(1.0, 0.0), [0.0, 0.0], 0.5).len(), 4);
    }

    #[test]
    fn discs_that_slide_meet_what_their_parts_meet() {
        // Numbers without a pattern, the same each time.
        let mut state = 1_u64;
        let mut next = |least: f64, most: f64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            least + (most - least) * f64::from(u32::try_from(state >> 33).unwrap()) / f64::from(1_u32 << 31)
        };
        for round in 0..3000 {
            let whole = |number: f64| if round % 3 == 0 { (number * 2.0).round() / 2.0 } else { number };
            let shape = Shape::Disc {
                center: if round % 2 == 0 { [0.0; 2] } else { [next(-1.0, 1.0), next(-1.0, 1.0)] },
                radius: whole(next(0.0, 2.0)).max(0.001),
            };
            let way = [Stroke::Slide([whole(next(-3.0, 3.0)), whole(next(-3.0, 3.0)) + 0.25])];
            let way = if round % 7 == 0 { &way[..0] } else { &way[..] };
            let side = whole(next(0.2, 1.5)).max(0.25);
            let start = Placement::facing(if round % 5 == 0 { 0.7 } else { 0.0 });
            let corner = [-whole(next(0.0, side)), -whole(next(0.0, side))];
            let raster = [side, longest_part(side)];
            let fast = stamp(&shape, start, way, raster, corner);
            assert_eq!(fast, stamp_in_parts(&shape, start, way, raster, corner), "{shape:?} {way:?} {side} {corner:?}");
            assert!(!fast.is_empty());
        }
    }

    #[test]
    fn a_small_disc_leaves_a_cell_before_its_step_ends() {
        let prints = stamped(&Shape::Disc { center: [0.0; 2], radius: 0.25 }, [1.0, 0.0]);
        // The unit enters the next cell when its middle is at 0.25, and has left the first at 0.75, to an eighth.
        let spans: Vec<(f64, f64)> = prints.iter().map(|print| (print.begin, print.end)).collect();
        assert_eq!(spans, [(0.0, 0.75), (0.25, 1.0)]);
    }
}
