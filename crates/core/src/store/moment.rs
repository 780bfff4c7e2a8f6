//! Moments: who holds which cell at one tick.

use super::occupancy::HolderId;
use crate::vocabulary::CellId;

/// Who holds which cell at one tick: a hash table with open addressing. It is forgotten as a whole, and its memory is
/// used again for a later tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Moment {
    /// A power of two of places, or none. What is not where its hash says is in the next places, without a gap.
    places: Vec<Place>,
    len: usize,
}

type Place = (CellId, HolderId);

/// The holder of a place that is not taken.
const NOBODY: HolderId = HolderId(u32::MAX);
const EMPTY: Place = (CellId(0), NOBODY);

const FEWEST_PLACES: usize = 16;

impl Moment {
    /// Whether it has memory, be it in use or not.
    #[inline]
    pub(super) fn has_memory(&self) -> bool {
        !self.places.is_empty()
    }

    /// The place where `cell` is if no other cell took it before.
    #[inline]
    fn first_place(&self, cell: CellId) -> usize {
        // Multiplication by the golden ratio spreads cells that lie side by side; the high bits are the best ones.
        let hash = cell.0.wrapping_mul(0x9E37_79B9);
        ((u64::from(hash) * self.places.len() as u64) >> u32::BITS) as usize
    }

    #[inline]
    fn after(&self, place: usize) -> usize {
        (place + 1) & (self.places.len() - 1)
    }

    /// The place of `cell`, or the first free one from where it would be.
    #[inline]
    fn find(&self, cell: CellId) -> usize {
        let mut place = self.first_place(cell);
        while self.places[place].0 != cell && self.places[place].1 != NOBODY {
            place = self.after(place);
        }
        place
    }

    /// Reads where the holder of `cell` is to be found. The answer means nothing.
    #[inline]
    pub(super) fn touch(&self, cell: CellId) -> u32 {
        self.places.get(self.first_place(cell)).map_or(0, |(_, holder)| holder.0)
    }

    /// The holder of `cell`.
    #[inline]
    pub(super) fn get(&self, cell: CellId) -> Option<HolderId> {
        if self.len == 0 {
            return None;
        }
        let (_, holder) = self.places[self.find(cell)];
        (holder != NOBODY).then_some(holder)
    }

    /// Sets the holder of `cell`. Returns whether there was one.
    #[inline]
    pub(super) fn set(&mut self, cell: CellId, holder: HolderId) -> bool {
        // At most two thirds are taken.
        if 3 * self.len >= 2 * self.places.len() {
            self.grow();
        }
        let place = self.find(cell);
        let was_held = self.places[place].1 != NOBODY;
        self.places[place] = (cell, holder);
        self.len += usize::from(!was_held);
        was_held
    }

    #[cold]
    fn grow(&mut self) {
        let places = (2 * self.places.len()).max(FEWEST_PLACES);
        let before = std::mem::replace(&mut self.places, vec![EMPTY; places]);
        for (cell, holder) in before.into_iter().filter(|(_, holder)| *holder != NOBODY) {
            let place = self.find(cell);
            self.places[place] = (cell, holder);
        }
    }

    /// Removes the holder of `cell`. Returns whether there was one.
    #[inline]
    pub(super) fn remove(&mut self, cell: CellId) -> bool {
        if self.len == 0 {
            return false;
        }
        let mut gap = self.find(cell);
        if self.places[gap].1 == NOBODY {
            return false;
        }
        self.len -= 1;
        // What the gap would separate from the place where its hash says moves up.
        let last = self.places.len() - 1;
        let mut place = gap;
        loop {
            place = self.after(place);
            let (other, holder) = self.places[place];
            if holder == NOBODY {
                break;
            }
            let way = place.wrapping_sub(self.first_place(other)) & last;
            if way >= place.wrapping_sub(gap) & last {
                self.places[gap] = (other, holder);
                gap = place;
            }
        }
        self.places[gap] = EMPTY;
        true
    }

    /// Removes all holders. Keeps the memory, unless there was much too much of it.
    pub(super) fn clear(&mut self) {
        if self.places.len() > FEWEST_PLACES.max(16 * self.len) {
            self.places.truncate(self.places.len() / 2);
            self.places.shrink_to_fit();
        }
        self.places.fill(EMPTY);
        self.len = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_moment_is_as_a_map_is_while_cells_come_and_go() {
        let (mut moment, mut map) = (Moment::default(), BTreeMap::new());
        let mut random = 1_u64;
        let mut below = |bound: u32| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((random >> 33) % u64::from(bound)) as u32
        };
        for round in 0..40 {
            // Few cells at one time, many at another.
            let cells = [3, 12, 200, 3000][round % 4];
            for _ in 0..1000 {
                let (cell, holder) = (CellId(below(cells)), HolderId(below(9)));
                if below(2) == 0 {
                    assert_eq!(moment.set(cell, holder), map.insert(cell, holder).is_some());
                } else {
                    assert_eq!(moment.remove(cell), map.remove(&cell).is_some());
                }
            }
            (0..3000).map(CellId).for_each(|cell| assert_eq!(moment.get(cell), map.get(&cell).copied(), "{cell:?}"));
            assert!(moment.places.len() < 8000);
            if below(3) == 0 {
                moment.clear();
                map.clear();
            }
        }
        for _ in 0..20 {
            moment.clear();
        }
        assert_eq!(moment.places.len(), FEWEST_PLACES);
    }
}
