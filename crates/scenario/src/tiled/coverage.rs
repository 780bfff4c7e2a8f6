//! Which cells of a grid shapes meet.

#![allow(clippy::cast_precision_loss)] // rows and columns are few

/// Counts, for each cell of a grid, the shapes that cover it. A shape takes time in proportion to the rows that it
/// meets, whatever the number of cells.
pub(super) struct Coverage {
    width: usize,
    height: usize,
    /// Row by row, with a column more than the grid has: by how much the count differs from the cell before.
    steps: Vec<i32>,
}

/// Rounding leaves shapes that were drawn along the lines between cells this far beside the lines, in cells.
const SLACK: f64 = 1e-6;

impl Coverage {
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self { width, height, steps: vec![0; (width + 1) * height] }
    }

    /// Whether each cell is covered, row by row.
    pub(super) fn cells(&self) -> impl Iterator<Item = bool> {
        self.steps.chunks(self.width + 1).flat_map(|row| {
            let counts = row[..row.len() - 1].iter().scan(0_i32, |count, step| {
                *count += step;
                Some(*count)
            });
            counts.map(|count| count > 0)
        })
    }

    /// The rows that the edges of these corners meet: what it takes to cover a shape.
    pub(super) fn work(&self, corners: &[[f64; 2]]) -> u64 {
        let edges = corners.iter().zip(corners.iter().cycle().skip(1));
        let rows = edges.filter_map(|(from, to)| rows([from[1], to[1]].into_iter(), self.height));
        rows.map(|(first, last)| (last - first) as u64 + 1).sum()
    }

    /// Covers the cells whose insides a polygon meets, by the even-odd rule. Cell (x, y) is the square from (x, y) to
    /// (x + 1, y + 1).
    pub(super) fn add_polygon(&mut self, corners: &[[f64; 2]]) {
        for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            self.add_line(*from, *to);
        }
        self.fill(corners, |_| 0.0);
    }

    /// Covers the cells whose middles are in a polygon, by the even-odd rule. `shift` says by how many cells a row is
    /// shifted to the right.
    pub(super) fn fill(&mut self, corners: &[[f64; 2]], shift: impl Fn(usize) -> f64) {
        let edges = || corners.iter().zip(corners.iter().cycle().skip(1));
        let Some((first, last)) = rows(corners.iter().map(|[_, y]| *y), self.height) else { return };
        // A cell that no edge meets is all inside or all outside, as its middle is. Each edge crosses the middles of
        // the rows from one on and up to, not including, another one.
        let middle_after = |y: f64| (y - 0.5).ceil().clamp(first as f64, last as f64 + 1.0);
        let mut coming: Vec<_> = edges()
            .map(|(from, to)| (middle_after(from[1].min(to[1])), middle_after(from[1].max(to[1])), *from, *to))
            .filter(|(begin, end, ..)| begin < end)
            .collect();
        coming.sort_by(|(begin, ..), (other, ..)| other.total_cmp(begin));
        let (mut active, mut crossed) = (Vec::new(), Vec::new());
        for row in first..=last {
            while let Some(edge) = coming.pop_if(|(begin, ..)| *begin <= row as f64) {
                active.push(edge);
            }
            active.retain(|(_, end, ..)| *end > row as f64);
            crossed.clear();
            crossed.extend(active.iter().map(|(.., [x0, y0], [x1, y1])| {
                let along = (row as f64 + 0.5 - y0) / (y1 - y0);
                x0 + along * (x1 - x0)
            }));
            crossed.sort_by(f64::total_cmp);
            let middle = 0.5 + shift(row);
            for pair in crossed.chunks_exact(2) {
                self.add_run(row, (pair[0] - middle).ceil(), (pair[1] - middle).ceil());
            }
        }
    }

    /// Covers the cells whose insides the straight line between two points meets.
    pub(super) fn add_line(&mut self, from: [f64; 2], to: [f64; 2]) {
        let Some((first, last)) = rows([from[1], to[1]].into_iter(), self.height) else { return };
        let ([x0, y0], [x1, y1]) = (from, to);
        for row in first..=last {
            let [top, bottom] = [row as f64, row as f64 + 1.0];
            // The part of the line in this row.
            let at = |y: f64| if (y1 - y0).abs() < SLACK { x0 } else { x0 + (y - y0) / (y1 - y0) * (x1 - x0) };
            let ends =
                if (y1 - y0).abs() < SLACK { [x0, x1] } else { [at(y0.clamp(top, bottom)), at(y1.clamp(top, bottom))] };
            let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            let (begin, end) = ((low + SLACK).floor(), (high - SLACK).ceil());
            // A line along the border of two columns is inside none of them.
            self.add_run(row, begin, end);
        }
    }

    /// Covers the cell that a point is in.
    pub(super) fn add_point(&mut self, [x, y]: [f64; 2]) {
        let row = (y + SLACK).floor();
        if row >= 0.0 && row < self.height as f64 {
            let column = (x + SLACK).floor();
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked just now
            self.add_run(row as usize, column, column + 1.0);
        }
    }

    /// Covers the cells from column `begin` up to, not including, `end`.
    pub(super) fn add_run(&mut self, row: usize, begin: f64, end: f64) {
        let width = self.width as f64;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within the width
        let [begin, end] = [begin, end].map(|column| column.clamp(0.0, width) as usize);
        if begin < end {
            let row = row * (self.width + 1);
            self.steps[row + begin] += 1;
            self.steps[row + end] -= 1;
        }
    }
}

/// The first and the last of `height` rows whose insides a shape with these ordinates meets.
fn rows(ordinates: impl Iterator<Item = f64> + Clone, height: usize) -> Option<(usize, usize)> {
    let low = ordinates.clone().fold(f64::INFINITY, f64::min);
    let high = ordinates.fold(f64::NEG_INFINITY, f64::max);
    let (first, end) = ((low + SLACK).floor().max(0.0), (high - SLACK).ceil().min(height as f64));
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within the height
    (first < end).then(|| (first as usize, end as usize - 1))
}
