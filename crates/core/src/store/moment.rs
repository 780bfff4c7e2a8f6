//! Moments: the holder of each cell at one tick.

use super::occupancy::HolderId;
use crate::vocabulary::CellId;

/// Who holds which cell at one tick: a hash table with open addressing. It is forgotten as a whole, and its memory is
/// used again for a later tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Moment {
    /// A power of two of places, or none. What is not where its hash says is in the next places, without a gap.
    places: Places,
    len: usize,
    /// The high bits of a hash say on which line of places a cell is: it is shifted by so many bits.
    shift: u32,
}

/// The places of a table. Where they wait for reuse, none is taken.
pub(super) type Places = Vec<(CellId, HolderId)>;

/// The holder of a place that is not taken.
const NOBODY: HolderId = HolderId(u32::MAX);
const EMPTY: (CellId, HolderId) = (CellId(0), NOBODY);

/// So many cells with ids side by side have places side by side, as many as fit into a line of the processor's cache.
/// Agents that plan one after the other are often near each other.
const PER_LINE: u32 = 8;

const FEWEST_PLACES: usize = 16;
/// Spare places are taken if they are at most so many times as many as necessary.
const MOST_MORE: usize = 8;
/// More than the sizes of the moments of a window: of each size there is one or a few.
const MOST_SPARE: usize = 64;

impl Moment {
    /// The place where `cell` is if no other cell took it before.
    #[inline]
    fn first_place(&self, cell: CellId) -> usize {
        // Multiplication by the golden ratio spreads blocks that lie side by side; the high bits are the best ones.
        let hash = (cell.0 / PER_LINE).wrapping_mul(0x9E37_79B9);
        (hash >> self.shift) as usize * PER_LINE as usize + (cell.0 % PER_LINE) as usize
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
        if self.len == 0 {
            return 0;
        }
        self.places.get(self.first_place(cell)).map_or(0, |(_, holder)| holder.0)
    }

    /// The holder of `cell`.
    #[inline]
    pub(super) fn get(&self, cell: CellId) -> Option<HolderId> {
        self.place_of(cell).map(|(_, holder)| holder)
    }

    /// The place of `cell`, and its holder.
    #[inline]
    pub(super) fn place_of(&self, cell: CellId) -> Option<(usize, HolderId)> {
        if self.len == 0 {
            return None;
        }
        let place = self.find(cell);
        let (_, holder) = self.places[place];
        (holder != NOBODY).then_some((place, holder))
    }

    /// All cells with holders, in no order.
    pub(super) fn held(&self) -> impl Iterator<Item = (CellId, HolderId)> {
        self.places.iter().copied().filter(|(_, holder)| *holder != NOBODY)
    }

    /// Sets the holder of `cell`. Returns whether there was one.
    #[inline(always)]
    pub(super) fn set(&mut self, cell: CellId, holder: HolderId, spare: &mut Vec<Places>) -> bool {
        // At most two thirds are taken.
        if 3 * self.len >= 2 * self.places.len() {
            self.grow(spare);
        }
        let place = self.find(cell);
        let was_held = self.places[place].1 != NOBODY;
        self.places[place] = (cell, holder);
        self.len += usize::from(!was_held);
        was_held
    }

    /// Doubles the places, so that a far tick, of which little is held, takes little memory. Takes more if they are
    /// spare: as much will be held as at a tick that has passed.
    #[cold]
    fn grow(&mut self, spare: &mut Vec<Places>) {
        let least = (2 * self.places.len()).max(FEWEST_PLACES);
        let fitting = (0..spare.len()).filter(|at| (least..=MOST_MORE * least).contains(&spare[*at].len()));
        let largest = fitting.max_by_key(|at| spare[*at].len());
        let places = largest.map_or_else(|| vec![EMPTY; least], |at| spare.swap_remove(at));
        let count = places.len();
        let mut before = std::mem::replace(&mut self.places, places);
        self.shift = u32::BITS - (count / PER_LINE as usize).ilog2();
        for (cell, holder) in before.iter().filter(|(_, holder)| *holder != NOBODY) {
            // Each cell comes once.
            let mut place = self.first_place(*cell);
            while self.places[place].1 != NOBODY {
                place = self.after(place);
            }
            self.places[place] = (*cell, *holder);
        }
        before.fill(EMPTY);
        Self::keep(before, spare);
    }

    fn keep(places: Places, spare: &mut Vec<Places>) {
        if !places.is_empty() && spare.len() < MOST_SPARE {
            spare.push(places);
        }
    }

    /// Removes the holder of `cell`. Returns whether there was one.
    #[inline]
    pub(super) fn remove(&mut self, cell: CellId) -> bool {
        let place = self.place_of(cell);
        place.into_iter().for_each(|(place, _)| self.vacate(place));
        place.is_some()
    }

    /// Removes the holder at `place`, where there is one.
    #[inline]
    pub(super) fn vacate(&mut self, mut place: usize) {
        let mut gap = place;
        self.len -= 1;
        // What the gap would separate from the place where its hash says moves up.
        let last = self.places.len().wrapping_sub(1);
        loop {
            place = (place + 1) & last;
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
    }

    /// Removes all holders. The memory goes to `spare`.
    pub(super) fn clear(&mut self, spare: &mut Vec<Places>) {
        self.places.fill(EMPTY);
        self.len = 0;
        Self::keep(std::mem::take(&mut self.places), spare);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_moment_is_as_a_map_is_while_cells_come_and_go() {
        let (mut moment, mut map, mut spare) = (Moment::default(), BTreeMap::new(), Vec::new());
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
                    assert_eq!(moment.set(cell, holder, &mut spare), map.insert(cell, holder).is_some());
                } else {
                    assert_eq!(moment.remove(cell), map.remove(&cell).is_some());
                }
            }
            (0..3000).map(CellId).for_each(|cell| assert_eq!(moment.get(cell), map.get(&cell).copied(), "{cell:?}"));
            if below(3) == 0 {
                moment.clear(&mut spare);
                map.clear();
            }
        }
        // One of each size from 16 to 4096.
        moment.clear(&mut spare);
        assert!(spare.len() <= 9 && spare.iter().map(Vec::len).sum::<usize>() < 8192, "{}", spare.len());
    }
}
