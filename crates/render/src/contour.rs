//! Contours: the outline of a set of cells as path data; a wall of any size is a few corners, without seams.

use std::fmt::Write as _;

/// East, south, west, north, with y downwards: each is a turn to the right of the one before.
const STEPS: [(i64, i64); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// The outline of the `filled` cells, row by row in rows of `width`. Cell (x, y) reaches half a unit around (x, y). The
/// outline runs clockwise around cells and anticlockwise around holes. Cells that touch only at a corner are kept
/// apart.
pub(crate) fn contours(width: usize, filled: &[bool]) -> String {
    let mut path = String::new();
    if width == 0 {
        return path;
    }
    let mut sides = Sides::of_cells(width, filled);
    for corner in 0..sides.leaving.len() {
        while sides.leaving[corner] & 1 != 0 {
            sides.follow(corner, &mut path);
        }
    }
    path
}

/// The sides between filled and other cells. For each corner of the lattice: the directions of the sides that leave it,
/// with the filled cell to the right.
struct Sides {
    /// Corners per row.
    width: usize,
    leaving: Vec<u8>,
}

impl Sides {
    fn of_cells(cells_per_row: usize, filled: &[bool]) -> Self {
        let width = cells_per_row + 1;
        let height = filled.len() / cells_per_row;
        let mut leaving = vec![0; width * (height + 1)];
        let cell = |x: usize, y: usize| x < cells_per_row && y < height && filled[y * cells_per_row + x];
        for y in 0..height {
            for x in (0..cells_per_row).filter(|x| cell(*x, y)) {
                let corner = y * width + x;
                let sides = [
                    (corner, y > 0 && cell(x, y - 1)),
                    (corner + 1, cell(x + 1, y)),
                    (corner + width + 1, cell(x, y + 1)),
                    (corner + width, x > 0 && cell(x - 1, y)),
                ];
                for (direction, (corner, inside)) in sides.into_iter().enumerate() {
                    if !inside {
                        leaving[corner] |= 1 << direction;
                    }
                }
            }
        }
        Self { width, leaving }
    }

    /// Follows the contour that leaves `start` eastwards, removes its sides and appends it to `path`. No side of the
    /// contour may lead eastwards into `start`.
    fn follow(&mut self, start: usize, path: &mut String) {
        let (x, y) = (start % self.width, start / self.width);
        let _ = write!(path, "M{} {}", half_below(x), half_below(y));
        let (mut corner, mut direction, mut length) = (start, 0, 0_i64);
        loop {
            let (dx, dy) = STEPS[direction];
            #[allow(clippy::cast_possible_wrap)] // a lattice fits memory
            let row = self.width as isize;
            #[allow(clippy::cast_possible_truncation)] // -1, 0 or 1
            let next = corner.wrapping_add_signed(dx as isize + dy as isize * row);
            length += 1;
            // Right first: cells that touch only at a corner are two contours.
            let turns = [1, 0, 3].map(|turn| (direction + turn) % 4);
            let onwards = turns.into_iter().find(|turn| self.leaving[next] & (1 << turn) != 0);
            // The first side is removed last; so the loop knows when the contour closes.
            if corner != start || direction != 0 {
                self.leaving[corner] &= !(1 << direction);
            }
            corner = next;
            match onwards {
                Some(turn) if turn == direction => continue,
                Some(turn) if corner != start || turn != 0 => {
                    let side = length * (dx + dy);
                    let _ = write!(path, "{}{side}", if dy == 0 { 'h' } else { 'v' });
                    (direction, length) = (turn, 0);
                }
                _ => break,
            }
        }
        path.push('z');
        self.leaving[start] &= !1;
    }
}

/// `coordinate` - 0.5
fn half_below(coordinate: usize) -> String {
    match coordinate.checked_sub(1) {
        None => "-.5".to_owned(),
        Some(below) => format!("{below}.5"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contours_of(rows: &[&str]) -> String {
        let filled: Vec<bool> = rows.iter().flat_map(|row| row.chars().map(|cell| cell == '#')).collect();
        contours(rows[0].len(), &filled)
    }

    #[test]
    fn walls_become_corners() {
        let cases: [(&[&str], &str); 6] = [
            (&["."], ""),
            (&["#"], "M-.5 -.5h1v1h-1z"),
            (&["###", "###"], "M-.5 -.5h3v2h-3z"),
            (&["#.", "##"], "M-.5 -.5h1v1h1v1h-2z"),
            // Cells that touch at a corner are two.
            (&["#.", ".#"], "M-.5 -.5h1v1h-1zM0.5 0.5h1v1h-1z"),
            // The hole runs the other way round.
            (&["###", "#.#", "###"], "M-.5 -.5h3v3h-3zM0.5 1.5h1v-1h-1z"),
        ];
        for (rows, expected) in cases {
            assert_eq!(contours_of(rows), expected, "{rows:?}");
        }
    }

    /// The area that a path encloses, by the shoelace formula, in half cells, so that all numbers are whole.
    fn area(path: &str) -> i64 {
        let mut twice = 0;
        for contour in path.split_terminator('z') {
            let (mut x, mut y) = (0, 0);
            let sides: Vec<(char, i64)> = contour
                .match_indices(['h', 'v'])
                .map(|(at, kind)| {
                    let rest = &contour[at + 1..];
                    let end = rest.find(['h', 'v']).unwrap_or(rest.len());
                    (kind.chars().next().unwrap(), rest[..end].parse().unwrap())
                })
                .collect();
            for (kind, side) in sides {
                let (from_x, from_y) = (x, y);
                if kind == 'h' {
                    x += side;
                } else {
                    y += side;
                }
                twice += from_x * y - x * from_y;
            }
        }
        twice / 2
    }

    #[test]
    fn contours_enclose_exactly_the_cells() {
        let mut state = 7_u32;
        for width in 1..20_usize {
            let filled: Vec<bool> = (0..width * 13)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    state >> 31 == 1
                })
                .collect();
            let cells = filled.iter().filter(|cell| **cell).count();
            assert_eq!(area(&contours(width, &filled)), i64::try_from(cells).unwrap());
        }
    }
}
