//! Which hexagons, or squares on a corner, shapes in pixels meet.

#![allow(clippy::cast_precision_loss)] // lines and columns are few

use giveway_spaces::Stagger;

use super::coverage::Coverage;

/// The cells of a hexagonal or staggered map, in pixels. They lie in lines, of which every other one is shifted by half
/// a cell: rows, or columns. Along the lines is x for rows, and y for columns.
///
/// The geometry is that of Tiled: a cell is a tile with its four corners cut off. The sides between the cuts of two
/// neighbours in a line are as long as the map's `hexsidelength`, and 0 on a staggered map. Sizes of tiles are rounded
/// down to even pixels.
pub(super) struct OffsetCells {
    stagger: Stagger,
    /// The size of a cell along a line, and from a line to the next one.
    pitch: [f64; 2],
    /// How far the cuts go across a line.
    cut: f64,
    /// The number of cells in a line, and of lines.
    count: [usize; 2],
    /// Where the box of the first cell begins, if it is not shifted.
    origin: [f64; 2],
}

/// Rounding leaves shapes that were drawn along the borders of cells this far beside them, in cells.
const SLACK: f64 = 1e-6;

impl OffsetCells {
    /// The cells of a map of `size` columns and rows, whose least cell is `origin` in the file; `None`: the cells are
    /// too small. `side` is the length of the sides between cuts.
    pub(super) fn new(stagger: Stagger, tile: [f64; 2], side: f64, size: [u32; 2], origin: [i32; 2]) -> Option<Self> {
        let turned = |pair: [f64; 2]| if stagger.is_of_rows() { pair } else { [pair[1], pair[0]] };
        let [along, across] = turned(tile.map(|side| (side / 2.0).floor() * 2.0));
        let cut = ((across - side) / 2.0).floor();
        let pitch = [along, cut + side];
        let is_sound = along >= 2.0 && side >= 0.0 && cut >= 0.0 && pitch[1] >= 1.0;
        let count = turned(size.map(f64::from));
        let first = turned(origin.map(f64::from));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // whole and small
        let count = count.map(|count| count as usize);
        is_sound.then(|| Self { stagger, pitch, cut, count, origin: [0, 1].map(|axis| first[axis] * pitch[axis]) })
    }

    /// No cell is covered.
    pub(super) fn coverage(&self) -> Coverage {
        Coverage::new(self.count[0], self.count[1])
    }

    /// The index, row by row, of each cell in the order of the coverage.
    pub(super) fn indices(&self) -> impl Iterator<Item = usize> {
        let ([along, lines], is_of_rows) = (self.count, self.stagger.is_of_rows());
        let index = move |line: usize, at: usize| if is_of_rows { line * along + at } else { at * lines + line };
        (0..lines).flat_map(move |line| (0..along).map(move |at| index(line, at)))
    }

    /// By how many pixels a line is shifted.
    fn shift(&self, line: usize) -> f64 {
        let is_odd = matches!(self.stagger, Stagger::OddRows | Stagger::OddColumns);
        if (line % 2 == 1) == is_odd { self.pitch[0] / 2.0 } else { 0.0 }
    }

    /// A point in pixels, along and across the lines, from the first cell on.
    fn placed(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [along, across] = if self.stagger.is_of_rows() { [x, y] } else { [y, x] };
        [along - self.origin[0], across - self.origin[1]]
    }

    /// What it takes, at most, to cover a shape: the cells that the edges of these corners may meet.
    pub(super) fn work(&self, corners: &[[f64; 2]]) -> u64 {
        let edges = corners.iter().zip(corners.iter().cycle().skip(1));
        let work = edges.map(|(from, to)| {
            let (from, to) = (self.placed(*from), self.placed(*to));
            // Lines are looked at for each edge across their middles, also where it is beside the map.
            let lines = self.lines(from[1].min(to[1]), from[1].max(to[1])).map_or(0, |(first, last)| last - first + 1);
            let cells = self.on_map(from, to).map_or(0.0, |[from, to]| (from[0] - to[0]).abs() / self.pitch[0]);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // on the map
            let cells = cells as u64;
            4 * lines as u64 + 2 * cells + 1
        });
        work.sum()
    }

    /// Covers the cells whose insides a polygon meets, by the even-odd rule.
    pub(super) fn add_polygon(&self, corners: &[[f64; 2]], coverage: &mut Coverage) {
        let edges = corners.iter().zip(corners.iter().cycle().skip(1));
        edges.for_each(|(from, to)| self.add_line(*from, *to, coverage));
        // In cells: the middle of line n is at n + 0.5.
        let in_cells = |corner: &[f64; 2]| {
            let [along, across] = self.placed(*corner);
            [along / self.pitch[0], (across - self.middle()) / self.pitch[1] + 0.5]
        };
        let corners: Vec<[f64; 2]> = corners.iter().map(in_cells).collect();
        coverage.fill(&corners, |line| self.shift(line) / self.pitch[0]);
    }

    /// Covers the cells whose insides the straight line between two points meets.
    pub(super) fn add_line(&self, from: [f64; 2], to: [f64; 2], coverage: &mut Coverage) {
        let Some([from, to]) = self.on_map(self.placed(from), self.placed(to)) else { return };
        let (low, high) = (from[1].min(to[1]), from[1].max(to[1]));
        let Some((first, last)) = self.lines(low, high) else { return };
        for line in first..=last {
            let top = line as f64 * self.pitch[1];
            // The part of the way beside this line.
            let Some([a, b]) = clipped([from, to], 1, [top, top + 2.0 * self.middle()]) else { continue };
            let begin = self.shift(line);
            let at = |along: f64| ((along - begin) / self.pitch[0]).floor();
            for cell in self.cells(at(a[0].min(b[0])), at(a[0].max(b[0]))) {
                if self.meets([begin + cell as f64 * self.pitch[0], top], [a, b]) {
                    coverage.add_run(line, cell as f64, cell as f64 + 1.0);
                }
            }
        }
    }

    /// Covers the cell that a point is in; of cells on whose border the point is, the last one.
    pub(super) fn add_point(&self, point: [f64; 2], coverage: &mut Coverage) {
        let [along, across] = self.placed(point);
        let Some((first, last)) = self.lines(across, across) else { return };
        for line in (first..=last).rev() {
            let (begin, top) = (self.shift(line), line as f64 * self.pitch[1]);
            let at = ((along - begin + SLACK * self.pitch[0]) / self.pitch[0]).floor();
            if let Some(cell) = self.cells(at, at).next() {
                let cut = self.depth([along - begin - cell as f64 * self.pitch[0], across - top]);
                if cut >= -SLACK {
                    coverage.add_run(line, at, at + 1.0);
                    return;
                }
            }
        }
    }

    /// How far the middle of a line is from its beginning.
    fn middle(&self) -> f64 {
        (self.pitch[1] + self.cut) / 2.0
    }

    /// The first and the last line that has a part between two ordinates.
    fn lines(&self, low: f64, high: f64) -> Option<(usize, usize)> {
        let first = ((low - 2.0 * self.middle()) / self.pitch[1]).floor().max(0.0);
        let last = (high / self.pitch[1]).floor().min(self.count[1] as f64 - 1.0);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within the lines
        (first <= last).then_some((first as usize, last as usize))
    }

    /// The cells of a line from `first` to `last`, as far as they are on the map.
    fn cells(&self, first: f64, last: f64) -> impl Iterator<Item = usize> + use<> {
        let count = self.count[0] as f64;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within the line
        let [begin, end] = [first, last + 1.0].map(|cell| cell.clamp(0.0, count) as usize);
        begin..end
    }

    /// How deep a point is in the cell whose box begins at (0, 0), in cells; below 0 outside.
    fn depth(&self, [along, across]: [f64; 2]) -> f64 {
        let sides = self.sides().map(|([a, b], c)| a * along + b * across + c);
        sides.into_iter().fold(f64::INFINITY, f64::min)
    }

    /// The half-planes of a cell whose box begins at (0, 0): coefficients of the coordinates, and a constant. Values
    /// are in cells, and at least 0 inside.
    fn sides(&self) -> [([f64; 2], f64); 6] {
        let ([along, _], extent) = (self.pitch, 2.0 * self.middle());
        // A cut goes from (0, cut) to (along / 2, 0). Without cuts the line begins at its side.
        let cut = if self.cut > 0.0 { [1.0 / along, 0.5 / self.cut] } else { [0.0, 1.0 / extent] };
        let end = if self.cut > 0.0 { 0.5 } else { 0.0 };
        let cuts = [[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]].map(|[right, down]: [f64; 2]| {
            let from = [if right > 0.0 { 0.0 } else { along }, if down > 0.0 { 0.0 } else { extent }];
            let (a, b) = (cut[0] * right, cut[1] * down);
            ([a, b], -a * from[0] - b * from[1] - end)
        });
        let [one, two, three, four] = cuts;
        [one, two, three, four, ([1.0 / along, 0.0], 0.0), ([-1.0 / along, 0.0], 1.0)]
    }

    /// Whether a straight way meets the inside of the cell whose box begins at `corner`.
    fn meets(&self, corner: [f64; 2], [from, to]: [[f64; 2]; 2]) -> bool {
        let (mut begin, mut end) = (0.0_f64, 1.0_f64);
        for ([a, b], c) in self.sides() {
            let value = |at: [f64; 2]| a * (at[0] - corner[0]) + b * (at[1] - corner[1]) + c - SLACK;
            let (first, last) = (value(from), value(to));
            match (first >= 0.0, last >= 0.0) {
                (true, true) => {}
                (false, false) => return false,
                (true, false) => end = end.min(first / (first - last)),
                (false, true) => begin = begin.max(first / (first - last)),
            }
        }
        begin <= end
    }

    /// The part of a straight way that is on the map or within a cell beside it.
    fn on_map(&self, from: [f64; 2], to: [f64; 2]) -> Option<[[f64; 2]; 2]> {
        let bounds = [0, 1].map(|axis| [-self.pitch[axis], (self.count[axis] as f64 + 2.0) * self.pitch[axis]]);
        clipped(clipped([from, to], 1, bounds[1])?, 0, bounds[0])
    }
}

/// The part of a straight way whose coordinate `axis` is between `low` and `high`.
fn clipped([from, to]: [[f64; 2]; 2], axis: usize, [low, high]: [f64; 2]) -> Option<[[f64; 2]; 2]> {
    if from[axis].max(to[axis]) < low || from[axis].min(to[axis]) > high {
        return None;
    }
    let cut = |end: [f64; 2], other: [f64; 2]| {
        let bound = end[axis].clamp(low, high);
        if bound.total_cmp(&end[axis]).is_eq() {
            return end;
        }
        let share = (bound - end[axis]) / (other[axis] - end[axis]);
        let mut at = end;
        at[axis] = bound;
        at[1 - axis] = end[1 - axis] + share * (other[1 - axis] - end[1 - axis]);
        at
    };
    Some([cut(from, to), cut(to, from)])
}
