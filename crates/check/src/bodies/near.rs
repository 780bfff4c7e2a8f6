//! Pairs of boxes that overlap in space and time.

/// A box: the first two coordinates are space, the third is time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Bounds {
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
}

const TIME: usize = 2;

/// Fewer boxes than this are not divided.
const FEW: usize = 40;

/// Boxes by their ranks on each axis, and a callback for pairs that overlap.
///
/// Zomorodian and Edelsbrunner, Fast Software for Box Intersections (International Journal of Computational Geometry &
/// Applications, 2002): a segment tree on one axis, never built, of problems on the other axes. Time is near linear in
/// the boxes and the pairs, however large, long-lived or crowded some boxes are.
pub(super) struct NearPairs<F> {
    boxes: Vec<Ranks>,
    /// The begins of all boxes, in order.
    begins: Vec<f64>,
    /// Boxes that begin at this rank or later do not matter.
    until: usize,
    found: F,
}

/// A box by ranks. A low coordinate is its rank among all low coordinates, of which no two are equal; a high coordinate
/// is the number of low coordinates below it.
#[derive(Clone, Copy, Default, Debug)]
struct Ranks {
    low: [usize; 3],
    high: [usize; 3],
}

impl<F: FnMut(usize, usize) -> f64> NearPairs<F> {
    /// Calls `found` once for each overlapping pair of boxes asked for; `found` returns the time from which on pairs no
    /// longer matter.
    pub(super) fn new(bounds: &[Bounds], found: F) -> Self {
        let mut boxes = vec![Ranks::default(); bounds.len()];
        let mut sorted: Vec<(f64, usize)> = Vec::new();
        for axis in 0..=TIME {
            sorted.clear();
            sorted.extend(bounds.iter().enumerate().map(|(id, bounds)| (bounds.low[axis], id)));
            sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for (rank, (_, id)) in sorted.iter().enumerate() {
                boxes[*id].low[axis] = rank;
                boxes[*id].high[axis] = sorted.partition_point(|(low, _)| *low < bounds[*id].high[axis]);
            }
        }
        let begins = sorted.into_iter().map(|(begin, _)| begin).collect();
        Self { until: boxes.len(), boxes, begins, found }
    }

    /// Finds the pairs within one set of boxes.
    pub(super) fn within(&mut self, set: &[usize]) {
        self.divide(set, set, 0, self.boxes.len(), TIME);
    }

    /// Finds the pairs of a box of `a` and a box of `b`; the sets must be disjoint.
    pub(super) fn between(&mut self, a: &[usize], b: &[usize]) {
        self.divide(a, b, 0, self.boxes.len(), TIME);
        self.divide(b, a, 0, self.boxes.len(), TIME);
    }

    /// Finds all pairs of a box of `outer` and a box of `inner` that overlap on the axes up to `axis`, where the inner
    /// box begins in the outer one. All boxes of `inner` begin in `low..high`.
    fn divide(&mut self, outer: &[usize], inner: &[usize], low: usize, high: usize, axis: usize) {
        if outer.is_empty() || inner.is_empty() {
            return;
        }
        if axis == 0 || outer.len().min(inner.len()) < FEW {
            return self.sweep(outer, inner, axis);
        }
        let lows = |id: &usize| self.boxes[*id].low[axis];
        let mut ranks: Vec<usize> = inner.iter().map(lows).collect();
        let half = ranks.len() / 2;
        let middle = *ranks.select_nth_unstable(half).1;
        drop(ranks);

        let spans = |id: &usize| {
            let it = &self.boxes[*id];
            it.low[axis] < low && it.high[axis] >= high
        };
        let whole = self.chosen(outer, spans);
        if !whole.is_empty() {
            let all = self.boxes.len();
            self.divide(&whole, inner, 0, all, axis - 1);
            self.divide(inner, &whole, 0, all, axis - 1);
        }
        drop(whole);
        for (low_part, high_part) in [(low, middle), (middle, high)] {
            let reaches = |id: &usize| {
                let it = &self.boxes[*id];
                let spans = it.low[axis] < low && it.high[axis] >= high;
                !spans && it.low[axis] < high_part && it.high[axis] > low_part
            };
            let outer = self.chosen(outer, reaches);
            let inner = self.chosen(inner, |id| (low_part..high_part).contains(&self.boxes[*id].low[axis]));
            self.divide(&outer, &inner, low_part, high_part, axis);
        }
    }

    /// The boxes of `ids` that matter and that `choose` accepts.
    fn chosen(&self, ids: &[usize], choose: impl Fn(&usize) -> bool) -> Vec<usize> {
        ids.iter().copied().filter(|id| self.matters(*id) && choose(id)).collect()
    }

    fn matters(&self, id: usize) -> bool {
        self.boxes[id].low[TIME] < self.until
    }

    /// Whether box `b` begins in box `a`.
    fn begins_in(&self, a: usize, b: usize, axis: usize) -> bool {
        let (a, b) = (&self.boxes[a], &self.boxes[b]);
        a.low[axis] < b.low[axis] && b.low[axis] < a.high[axis]
    }

    /// As [`divide`](Self::divide), by a sweep along the first axis.
    fn sweep(&mut self, outer: &[usize], inner: &[usize], axis: usize) {
        let sorted = |ids: &[usize]| {
            let mut ids = self.chosen(ids, |_| true);
            ids.sort_unstable_by_key(|id| self.boxes[*id].low[0]);
            ids
        };
        let (outer, inner) = (sorted(outer), sorted(inner));
        let mut next = 0;
        for a in &outer {
            next += inner[next..].iter().take_while(|b| self.boxes[**b].low[0] <= self.boxes[*a].low[0]).count();
            for b in &inner[next..] {
                if !self.matters(*a) || !self.begins_in(*a, *b, 0) {
                    break;
                }
                self.test(*a, *b, axis);
            }
        }
        if axis == 0 {
            return;
        }
        next = 0;
        for b in &inner {
            next += outer[next..].iter().take_while(|a| self.boxes[**a].low[0] <= self.boxes[*b].low[0]).count();
            for a in &outer[next..] {
                if !self.matters(*b) || !self.begins_in(*b, *a, 0) {
                    break;
                }
                self.test(*a, *b, axis);
            }
        }
    }

    /// Reports `a` and `b`, which overlap on the first axis, if they overlap on the others up to `axis`, where `b`
    /// begins in `a`.
    fn test(&mut self, a: usize, b: usize, axis: usize) {
        let overlap = |axis| self.begins_in(a, b, axis) || self.begins_in(b, a, axis);
        let near = (axis == 0 || self.begins_in(a, b, axis)) && (1..axis).all(overlap);
        if near && self.matters(a) && self.matters(b) {
            let time = (self.found)(a, b);
            if self.begins.get(self.until.saturating_sub(1)).is_some_and(|last| *last >= time) {
                self.until = self.begins.partition_point(|begin| *begin < time);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn overlap(a: &Bounds, b: &Bounds) -> bool {
        // A box without extent on an axis contains nothing, but may lie inside another.
        let on = |axis: usize| {
            let ([a, b], [c, d]) = ([a.low[axis], a.high[axis]], [b.low[axis], b.high[axis]]);
            a < d && c < b
        };
        (0..=TIME).all(on)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn finds_what_all_pairs_find(
            corners in prop::collection::vec((prop::array::uniform3(0_u8..60), prop::array::uniform3(0_u8..20)), 0..400),
            thick in any::<bool>(),
            two in any::<bool>(),
        ) {
            let bounds: Vec<Bounds> = corners
                .iter()
                .map(|(low, size)| {
                    let low = low.map(f64::from);
                    let mut high = low;
                    for (high, size) in high.iter_mut().zip(size) {
                        // Some boxes are as large as everything.
                        *high += if *size == 19 && thick { 60.0 } else { f64::from(*size % 8) };
                    }
                    Bounds { low, high }
                })
                .collect();
            let mut found = Vec::new();
            let mut near = NearPairs::new(&bounds, |a, b| {
                found.push([a.min(b), a.max(b)]);
                f64::INFINITY
            });
            let (some, others): (Vec<usize>, Vec<usize>) = (0..bounds.len()).partition(|id| !two || id % 2 == 0);
            near.within(&some);
            near.between(&some, &others);
            found.sort_unstable();
            let mut expected = Vec::new();
            for (i, a) in bounds.iter().enumerate() {
                for (j, b) in bounds.iter().enumerate().skip(i + 1) {
                    let asked = !two || i % 2 == 0 || j % 2 == 0;
                    if asked && overlap(a, b) {
                        expected.push([i, j]);
                    }
                }
            }
            // A box without extent that begins where another begins only touches it, and may or may not be reported.
            prop_assert!(found.is_sorted_by(|a, b| a < b), "named twice");
            found.retain(|[i, j]| overlap(&bounds[*i], &bounds[*j]));
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn what_begins_before_the_end_is_found(
            corners in prop::collection::vec((prop::array::uniform3(0_u8..30), prop::array::uniform3(1_u8..20)), 0..200),
            most in 1_usize..50,
        ) {
            let bounds: Vec<Bounds> = corners
                .iter()
                .map(|(low, size)| {
                    let [low, size] = [low, size].map(|c| c.map(f64::from));
                    Bounds { low, high: [low[0] + size[0], low[1] + size[1], low[2] + size[2]] }
                })
                .collect();
            let begin = |a: usize, b: usize| bounds[a].low[TIME].max(bounds[b].low[TIME]);
            let mut found: Vec<f64> = Vec::new();
            let all: Vec<usize> = (0..bounds.len()).collect();
            NearPairs::new(&bounds, |a, b| {
                found.push(begin(a, b));
                found.sort_unstable_by(f64::total_cmp);
                found.get(most - 1).copied().unwrap_or(f64::INFINITY)
            })
            .within(&all);
            let mut expected = Vec::new();
            for (i, a) in bounds.iter().enumerate() {
                expected.extend((i + 1..bounds.len()).filter(|j| overlap(a, &bounds[*j])).map(|j| begin(i, j)));
            }
            expected.sort_unstable_by(f64::total_cmp);
            expected.truncate(most);
            found.truncate(most);
            prop_assert_eq!(found, expected);
        }
    }
}
