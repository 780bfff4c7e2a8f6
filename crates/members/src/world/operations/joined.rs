//! What an operation occupies, each cell and tick once, out of what its moves and its rest occupy.
//!
//! A move begins when the one before it ends. So what an operation occupies of a cell is put together in the order of time,
//! without a sort for each cell.

use std::ops::Range;

use giveway_core::{CellId, Entry, Span, Tick};
use rustc_hash::FxHashMap;

/// Joins what the parts of an operation occupy.
#[derive(Debug, Default)]
pub(super) struct Joined {
    /// The number of each cell.
    numbers: FxHashMap<CellId, u32>,
    /// By position in the parts, the number of the cell.
    cells: Vec<u32>,
    /// By number of a cell, the operation that occupied it last, and where its last entry is.
    last: Vec<(u32, u32)>,
    operation: u32,
    /// Start and cell of each entry, the start first, and its end.
    entries: Vec<(u64, Tick)>,
}

impl Joined {
    /// For operations whose parts are in `parts`.
    #[allow(clippy::cast_possible_truncation)] // there are few cells
    pub(super) fn begin(&mut self, parts: &[Entry]) {
        let Self { numbers, cells, last, operation, .. } = self;
        numbers.clear();
        cells.clear();
        cells.extend(parts.iter().map(|entry| {
            let next = numbers.len() as u32;
            *numbers.entry(entry.cell).or_insert(next)
        }));
        last.clear();
        last.resize(numbers.len(), (0, 0));
        *operation = 0;
    }

    /// Sets `held` to what `ranges` of `parts`, one after the other in time, occupy: each cell and tick once, by the
    /// first tick, and then by the cell. Returns the number of entries that were looked at.
    #[allow(clippy::cast_possible_truncation)] // there are few entries
    pub(super) fn join(
        &mut self,
        parts: &[Entry],
        ranges: impl Iterator<Item = Range<usize>>,
        held: &mut Vec<Entry>,
    ) -> usize {
        let Self { cells, last, operation, entries, .. } = self;
        *operation += 1;
        entries.clear();
        let (mut seen, mut is_in_order) = (0, true);
        for range in ranges {
            seen += range.len();
            for (Entry { cell, span }, number) in parts[range.clone()].iter().zip(&cells[range]) {
                let (by, at) = &mut last[*number as usize];
                if by == operation {
                    let (key, end) = &mut entries[*at as usize];
                    let start = (*key >> 32) as Tick;
                    is_in_order &= start <= span.start;
                    if (start..=*end).contains(&span.start) {
                        *end = span.end.max(*end);
                        continue;
                    }
                }
                (*by, *at) = (*operation, entries.len() as u32);
                entries.push((u64::from(span.start) << 32 | u64::from(cell.0), span.end));
            }
        }
        // What comes back to a cell comes later, but for sweeps that list a cell out of order.
        if !is_in_order {
            entries.sort_unstable_by_key(|(key, end)| (*key as u32, *key >> 32, *end));
            entries.dedup_by(|(later, later_end), (key, end)| {
                let joins = *later as u32 == *key as u32 && (*later >> 32) as Tick <= *end;
                if joins {
                    *end = (*end).max(*later_end);
                }
                joins
            });
        }
        entries.sort_unstable_by_key(|(key, _)| *key);
        held.clear();
        held.extend(entries.iter().map(|(key, end)| {
            let [start, cell] = [(*key >> 32) as Tick, *key as u32];
            Entry { cell: CellId(cell), span: Span::new(start, *end) }
        }));
        seen
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Each cell and tick of `entries`.
    fn all(entries: &[Entry]) -> Vec<(u32, Tick)> {
        entries.iter().flat_map(|entry| (entry.span.start..entry.span.end).map(|tick| (entry.cell.0, tick))).collect()
    }

    /// Parts that begin in order or not, and overlap or not.
    #[test]
    fn what_is_joined_is_what_the_parts_occupy() {
        let mut bits = 7_u32;
        let mut draw = |below: u32| {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (bits >> 16) % below
        };
        // One serves all, as in a maker.
        let mut joined = Joined::default();
        for round in 0..2000 {
            let step = round % 3;
            let parts: Vec<Entry> = (0..draw(30))
                .map(|place| {
                    let start = place * step + draw(4);
                    Entry { cell: CellId(draw(6)), span: Span::new(start, start + 1 + draw(5)) }
                })
                .collect();
            let half = parts.len() / 2;
            joined.begin(&parts);
            let mut held = Vec::new();
            for ranges in [[0..half, half..parts.len()], [0..0, 0..half], [0..half, half..parts.len()]] {
                let of_parts: BTreeSet<_> = ranges.iter().flat_map(|range| all(&parts[range.clone()])).collect();
                joined.join(&parts, ranges.into_iter(), &mut held);
                let mut each = all(&held);
                each.sort_unstable();
                assert!(each.iter().copied().eq(of_parts), "each cell and tick once: {held:?} of {parts:?}");
                assert!(held.is_sorted_by_key(|entry| (entry.span.start, entry.cell)), "{held:?}");
            }
        }
    }
}
