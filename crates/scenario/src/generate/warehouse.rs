//! Warehouses: rows of shelves with aisles between them, and open floor at the sides, as in the benchmark's
//! `warehouse-10-20-10-2-1`.

use super::frame::Frame;

/// The columns of a shelf. If there is no room for them, each row has one shelf, as long as possible.
const LENGTH: u32 = 10;
/// The rows of a shelf.
const DEPTH: u32 = 2;
/// The width of an aisle, in cells.
const AISLE: u32 = 1;
/// The floor to the left, and to the right, is this part of the width.
const FLOOR: u32 = 6;

/// As many shelves as possible, in the middle of the map.
pub(super) fn warehouse(frame: Frame) -> Vec<bool> {
    let floor = (frame.width / FLOOR).max(1);
    let length = LENGTH.min(frame.width.saturating_sub(2 * floor));
    let columns = Shelves::new(frame.width, floor, length);
    let rows = Shelves::new(frame.height, AISLE, DEPTH);
    let is_free = |x, y| !(columns.stand_on(x) && rows.stand_on(y));
    (0..frame.height).flat_map(|y| (0..frame.width).map(move |x| (x, y))).map(|(x, y)| is_free(x, y)).collect()
}

/// The shelves along a side.
struct Shelves {
    /// The begin of the first shelf.
    begin: u32,
    count: u32,
    /// The length of each shelf.
    each: u32,
}

impl Shelves {
    /// As many shelves as possible, each of length `each`, with `margin` free cells at both ends.
    fn new(side: u32, margin: u32, each: u32) -> Self {
        let room = side.saturating_sub(2 * margin);
        let count = (room + AISLE) / (each + AISLE);
        let taken = (count * (each + AISLE)).saturating_sub(AISLE);
        Self { begin: (side - taken) / 2, count, each }
    }

    /// Whether a shelf stands on the column or row `line`.
    fn stand_on(&self, line: u32) -> bool {
        let period = self.each + AISLE;
        line.checked_sub(self.begin).is_some_and(|line| line / period < self.count && line % period < self.each)
    }
}
