//! Segments of the plane, found by where they are.

use std::ops::ControlFlow;

use giveway_core::plane::point_to_segment;
use giveway_core::rows::Rows;

/// A segment, from its first to its second point.
pub(crate) type Segment = [[f64; 2]; 2];

/// Segments in the buckets of a grid.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Segments {
    all: Vec<Segment>,
    buckets: Buckets,
    /// By bucket, its segments.
    numbers: Rows<u32>,
}

impl Segments {
    /// Takes time in proportion to `n` to the power 1.5, for `n` segments, and mostly to `n`. There are fewer than
    /// 2^32.
    pub(crate) fn new(all: Vec<Segment>) -> Self {
        let buckets = Buckets::new(all.as_flattened(), all.len());
        let mut segments = Self { all, buckets, numbers: Rows::new() };
        let mut placed: Vec<[u32; 2]> = Vec::new();
        for (number, segment) in (0..u32::MAX).zip(&segments.all) {
            let _ = segments.for_each_bucket(*segment, 0.0, |bucket| {
                placed.push([u32::try_from(bucket).unwrap_or(u32::MAX), number]);
                ControlFlow::Continue(())
            });
        }
        segments.numbers = segments.buckets.fill(placed);
        segments
    }

    pub(crate) fn get(&self, number: usize) -> Segment {
        self.all[number]
    }

    pub(crate) fn all(&self) -> &[Segment] {
        &self.all
    }

    /// Calls `each` with all buckets within `reach` of `segment`, row by row, until it breaks off.
    fn for_each_bucket(
        &self,
        segment: Segment,
        reach: f64,
        mut each: impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.buckets.rows(segment, reach).try_for_each(|(row, [first, last])| {
            (first..=last).try_for_each(|column| each(self.buckets.bucket([column, row])))
        })
    }

    /// Calls `each` with every segment that may be within `reach` of `segment`, and with some that are farther. A
    /// segment may come several times.
    pub(crate) fn for_each_near(&self, segment: Segment, reach: f64, mut each: impl FnMut(usize, Segment)) {
        let _ = self.for_each_bucket(segment, reach, |bucket| {
            self.numbers.get(bucket).iter().for_each(|number| each(*number as usize, self.all[*number as usize]));
            ControlFlow::Continue(())
        });
    }

    /// Whether one of the segments within `reach` of `segment` passes `test`, which farther ones must not pass.
    pub(crate) fn any_near(&self, segment: Segment, reach: f64, mut test: impl FnMut(Segment) -> bool) -> bool {
        let flow = self.for_each_bucket(segment, reach, |bucket| {
            let found = self.numbers.get(bucket).iter().any(|number| test(self.all[*number as usize]));
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        flow.is_break()
    }

    /// The distance from `segment` to the nearest of these segments, if it is less than `reach`; otherwise `reach`.
    pub(crate) fn distance(&self, segment: Segment, reach: f64) -> f64 {
        let mut least = reach;
        self.for_each_near(segment, reach, |_, other| least = least.min(between(segment, other)));
        least
    }

    /// How far from `from` in the direction `along`, of length 1, a segment is met first, up to `reach`. What begins at
    /// `from` does not count.
    pub(crate) fn cast(&self, from: [f64; 2], along: [f64; 2], reach: f64) -> Option<f64> {
        let to = [0, 1].map(|axis| from[axis] + along[axis] * reach);
        let mut first: Option<f64> = None;
        self.for_each_near([from, to], 0.0, |_, [a, b]| {
            let by = [b[0] - a[0], b[1] - a[1]];
            let sine = along[0] * by[1] - along[1] * by[0];
            if sine == 0.0 {
                return;
            }
            let away = [a[0] - from[0], a[1] - from[1]];
            let far = (away[0] * by[1] - away[1] * by[0]) / sine;
            let share = (away[0] * along[1] - away[1] * along[0]) / sine;
            if (0.0..=1.0).contains(&share)
                && far > reach * 1e-6
                && far <= reach
                && first.is_none_or(|first| far < first)
            {
                first = Some(far);
            }
        });
        first
    }
}

/// A grid of square buckets over some points.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Buckets {
    origin: [f64; 2],
    /// The side of a bucket.
    side: f64,
    size: [usize; 2],
}

impl Buckets {
    /// About two buckets for each of `count` things between `points`, and no row of more than that.
    pub(crate) fn new(points: &[[f64; 2]], count: usize) -> Self {
        let (mut least, mut most) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in points {
            for axis in 0..2 {
                least[axis] = least[axis].min(point[axis]);
                most[axis] = most[axis].max(point[axis]);
            }
        }
        if points.is_empty() {
            (least, most) = ([0.0; 2], [0.0; 2]);
        }
        let extent = [0, 1].map(|axis| (most[axis] - least[axis]).max(1e-3));
        #[allow(clippy::cast_precision_loss)]
        let wanted = (2 * count + 1) as f64;
        let side = (extent[0] * extent[1] / wanted).sqrt().max(extent[0].max(extent[1]) / wanted);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most the number wanted
        let size = extent.map(|extent| (extent / side).floor() as usize + 1);
        Self { origin: least, side, size }
    }

    /// The number of the bucket in a column and a row.
    pub(crate) fn bucket(&self, [column, row]: [usize; 2]) -> usize {
        row * self.size[0] + column
    }

    /// The column and the row of `point`, or of the nearest bucket.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // casts saturate
    pub(crate) fn place(&self, point: [f64; 2]) -> [usize; 2] {
        [0, 1].map(|axis| {
            let number = ((point[axis] - self.origin[axis]) / self.side).floor().max(0.0) as usize;
            number.min(self.size[axis] - 1)
        })
    }

    /// The rows within `reach` of a segment, and in each the first and the last column there.
    pub(crate) fn rows(&self, [a, b]: Segment, reach: f64) -> impl Iterator<Item = (usize, [usize; 2])> {
        // A little more, so that rounding loses no bucket.
        let reach = reach + self.side * 1e-6;
        let (low, high) = if a[1] <= b[1] { (a, b) } else { (b, a) };
        let rise = high[1] - low[1];
        let [first, last] = [low[1] - reach, high[1] + reach].map(|y| self.place([low[0], y])[1]);
        (first..=last).map(move |row| {
            // The part of the segment that is near this row.
            #[allow(clippy::cast_precision_loss)]
            let begin = self.origin[1] + row as f64 * self.side - reach;
            let end = begin + self.side + 2.0 * reach;
            let x_at = |y: f64| low[0] + (high[0] - low[0]) * ((y - low[1]) / rise).clamp(0.0, 1.0);
            let ends = if rise > 0.0 { [x_at(begin), x_at(end)] } else { [low[0], high[0]] };
            let columns = [ends[0].min(ends[1]) - reach, ends[0].max(ends[1]) + reach];
            (row, columns.map(|x| self.place([x, low[1]])[0]))
        })
    }

    /// The things in each bucket, ascending. `placed` has the bucket of each thing, and its number.
    pub(crate) fn fill(&self, mut placed: Vec<[u32; 2]>) -> Rows<u32> {
        placed.sort_unstable();
        Rows::of_sorted(self.size[0] * self.size[1], placed, |[bucket, _]| *bucket as usize).map(|[_, number]| number)
    }
}

/// The distance between two segments: 0 if they meet.
pub(crate) fn between(one: Segment, other: Segment) -> f64 {
    if meet(one, other) {
        return 0.0;
    }
    let ends = one.iter().map(|point| point_to_segment(*point, other));
    ends.chain(other.iter().map(|point| point_to_segment(*point, one))).fold(f64::INFINITY, f64::min)
}

/// Whether two segments cross, neither end of one on the line of the other.
fn meet([a, b]: Segment, [c, d]: Segment) -> bool {
    let side = |from: [f64; 2], to: [f64; 2], point: [f64; 2]| {
        (to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0])
    };
    let differ = |one: f64, other: f64| one < 0.0 && other > 0.0 || one > 0.0 && other < 0.0;
    differ(side(a, b, c), side(a, b, d)) && differ(side(c, d, a), side(c, d, b))
}
