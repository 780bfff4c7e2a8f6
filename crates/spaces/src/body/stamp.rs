//! Stamps: which squares of a raster a shape meets on its way, and when.

use super::shape::{Shape, Square};

/// A square that is met: where it lies, seen from the square in which the way begins, and from which share of the way to which.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Print {
    pub(super) column: i32,
    pub(super) row: i32,
    pub(super) begin: f64,
    pub(super) end: f64,
}

/// Ways are looked at in so many parts for each side of a square.
const PARTS: f64 = 8.0;

/// The squares of side `side` that `shape` meets as it goes by `by`, in rows. `corner` is where the square in which it begins has
/// its least coordinates, seen from where it begins.
pub(super) fn stamp(shape: &Shape, by: [f64; 2], side: f64, corner: [f64; 2]) -> Vec<Print> {
    let [least, most] = shape.extent();
    let range = |axis: usize| {
        let low = least[axis] + by[axis].min(0.0) - corner[axis];
        let high = most[axis] + by[axis].max(0.0) - corner[axis];
        #[allow(clippy::cast_possible_truncation)] // bodies are smaller than maps
        ((low / side).floor() as i32, (high / side).floor() as i32)
    };
    let ((left, right), (top, bottom)) = (range(0), range(1));
    let parts = (by[0].hypot(by[1]) / side * PARTS).ceil().max(1.0);
    let mut prints = Vec::new();
    for row in top..=bottom {
        for column in left..=right {
            let min = [corner[0] + f64::from(column) * side, corner[1] + f64::from(row) * side];
            let square = Square { min, side };
            if !shape.meets([[0.0, 0.0], by], square) {
                continue;
            }
            let (mut begin, mut end) = (1.0_f64, 0.0_f64);
            let mut part = 0.0;
            while part < parts {
                let shares = [part / parts, (part + 1.0) / parts];
                if shape.meets(shares.map(|share| [by[0] * share, by[1] * share]), square) {
                    (begin, end) = (begin.min(shares[0]), end.max(shares[1]));
                }
                part += 1.0;
            }
            // What is met so briefly that no part of the way sees it is met all the time.
            let (begin, end) = if begin < end { (begin, end) } else { (0.0, 1.0) };
            prints.push(Print { column, row, begin, end });
        }
    }
    prints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(shape: &Shape, by: [f64; 2], side: f64) -> Vec<(i32, i32)> {
        let prints = stamp(shape, by, side, [-0.5, -0.5]);
        prints.iter().map(|print| (print.column, print.row)).collect()
    }

    fn tile(side: f64, center: f64) -> Shape {
        let (low, high) = (center - side / 2.0, center + side / 2.0);
        Shape::Polygon(vec![[low, low], [high, low], [high, high], [low, high]])
    }

    #[test]
    fn a_unit_diagonal_meets_four_cells_for_as_long_as_it_lasts() {
        for shape in [tile(1.0, 0.0), Shape::Disc { center: [0.0; 2], radius: 0.5 }] {
            let prints = stamp(&shape, [1.0, 1.0], 1.0, [-0.5, -0.5]);
            let cells: Vec<(i32, i32)> = prints.iter().map(|print| (print.column, print.row)).collect();
            assert_eq!(cells, [(0, 0), (1, 0), (0, 1), (1, 1)]);
        }
        let whole = stamp(&tile(1.0, 0.0), [1.0, 1.0], 1.0, [-0.5, -0.5]);
        assert!(whole.iter().all(|print| (print.begin, print.end) == (0.0, 1.0)), "{whole:?}");
    }

    #[test]
    fn a_straight_step_meets_both_cells_and_a_rest_one() {
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
    fn a_small_disc_leaves_a_cell_before_its_step_ends() {
        let prints = stamp(&Shape::Disc { center: [0.0; 2], radius: 0.25 }, [1.0, 0.0], 1.0, [-0.5, -0.5]);
        // It enters the next cell when its middle is at 0.25 and has left the first at 0.75, to an eighth.
        let spans: Vec<(f64, f64)> = prints.iter().map(|print| (print.begin, print.end)).collect();
        assert_eq!(spans, [(0.0, 0.75), (0.25, 1.0)]);
    }
}
