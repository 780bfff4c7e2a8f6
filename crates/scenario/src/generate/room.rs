//! Rooms: all of one size, with doors between neighbours, as in the benchmark's `room-64-64-8`.
//!
//! Doors are tried in random order. A door between rooms that are not connected yet is always made: Kruskal's
//! algorithm. The other doors are optional; the density is the share of them that is left out.

use std::ops::Range;

use rand::Rng as _;
use rand::seq::SliceRandom as _;

use super::chance::{Chance, Density, Draw};
use super::frame::Frame;

/// The distance from one wall to the next.
const PERIOD: u32 = 8;

pub(super) fn room(frame: Frame, density: Density, chance: &mut Chance) -> Vec<bool> {
    let mut free = frame.filled(true);
    let [columns, rows] = [rooms(frame.width), rooms(frame.height)];
    for y in 0..frame.height {
        for x in 0..frame.width {
            free[frame.index(x, y)] = !is_wall(x, columns) && !is_wall(y, rows);
        }
    }
    let mut doors: Vec<Door> = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (column, row)))
        .flat_map(|(column, row)| {
            let east = (column + 1 < columns).then_some(Door { column, row, leads: Leads::East });
            let south = (row + 1 < rows).then_some(Door { column, row, leads: Leads::South });
            east.into_iter().chain(south)
        })
        .collect();
    doors.shuffle(chance);
    let mut joined = Joined::new(columns * rows);
    let (needed, others): (Vec<Door>, Vec<Door>) = doors.into_iter().partition(|door| {
        let room = door.row * columns + door.column;
        joined.join(room, room + if door.leads == Leads::East { 1 } else { columns })
    });
    #[allow(clippy::cast_possible_truncation)] // there are fewer doors than cells
    let count = others.len() as u32;
    let mut left_out = Draw::new(density.of(count), count);
    let others: Vec<Door> = others.into_iter().filter(|_| !left_out.next(chance)).collect();
    for door in needed.into_iter().chain(others) {
        let (x, y) = door.cell(frame, chance);
        free[frame.index(x, y)] = true;
    }
    free
}

/// The number of rooms along a side. The last one takes the remaining 3 to 11 cells behind its wall.
fn rooms(side: u32) -> u32 {
    side.saturating_sub(4) / PERIOD + 1
}

/// Whether the column or row `line` is a wall between two of the rooms along a side.
fn is_wall(line: u32, rooms: u32) -> bool {
    line > 0 && line.is_multiple_of(PERIOD) && line / PERIOD < rooms
}

/// The columns or rows of room number `room` along a side.
fn span(room: u32, side: u32) -> Range<u32> {
    let begin = if room == 0 { 0 } else { room * PERIOD + 1 };
    begin..if room + 1 < rooms(side) { (room + 1) * PERIOD } else { side }
}

/// A door to the east or the south of a room.
#[derive(Clone, Copy)]
struct Door {
    column: u32,
    row: u32,
    leads: Leads,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Leads {
    East,
    South,
}

impl Door {
    /// A random cell of the wall for the door.
    fn cell(self, frame: Frame, chance: &mut Chance) -> (u32, u32) {
        match self.leads {
            Leads::East => ((self.column + 1) * PERIOD, chance.random_range(span(self.row, frame.height))),
            Leads::South => (chance.random_range(span(self.column, frame.width)), (self.row + 1) * PERIOD),
        }
    }
}

/// Connected rooms, as a forest: connected rooms are in one tree.
struct Joined(Vec<u32>);

impl Joined {
    fn new(rooms: u32) -> Self {
        Self((0..rooms).collect())
    }

    /// Connects two rooms. Returns whether they were not connected before.
    fn join(&mut self, one: u32, other: u32) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one as usize] = other;
        one != other
    }

    fn root(&mut self, mut room: u32) -> u32 {
        while self.0[room as usize] != room {
            // Halves the path for later calls.
            let parent = self.0[room as usize];
            self.0[room as usize] = self.0[parent as usize];
            room = parent;
        }
        room
    }
}
