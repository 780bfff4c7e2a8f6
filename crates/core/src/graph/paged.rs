//! An array by node, or by cell; only the parts in use take memory.

mod written;

use crate::vocabulary::{Fuel, Suspended};

/// A value for each index below a bound. Every value is the default until it is set.
///
/// The array has pages of `PAGE` values. A page takes memory as soon as one of its values is set. The default of 256
/// suits reverse searches on grids: a search meets many cells of a row, and ids are consecutive along a row.
#[derive(Clone, Debug)]
pub struct Paged<T, const PAGE: usize = 256> {
    pages: Vec<Option<Box<[T; PAGE]>>>,
    bytes: usize,
}

/// The bytes that a page counts in the table of pages, on every platform.
const BYTES_PER_PAGE: usize = 8;

/// The number of entries in the table of pages that one expansion pays for.
const PAGES_PER_EXPANSION: usize = 512;

impl<T: Copy + Default, const PAGE: usize> Default for Paged<T, PAGE> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy + Default, const PAGE: usize> Paged<T, PAGE> {
    /// An empty array, with the bound 0.
    pub const fn new() -> Self {
        Self { pages: Vec::new(), bytes: 0 }
    }

    /// Forgets all values, and sets the bound to `bound`.
    pub fn reset(&mut self, bound: usize) {
        self.pages.clear();
        self.pages.resize(bound.div_ceil(PAGE), None);
        self.bytes = Self::directory(bound);
    }

    /// How many bytes the table of pages takes for indices below `bound`, before any value is set.
    pub const fn directory(bound: usize) -> usize {
        bound.div_ceil(PAGE) * BYTES_PER_PAGE
    }

    /// How many bytes it takes for indices below `bound` if all values are set.
    pub const fn most_bytes(bound: usize) -> usize {
        Self::directory(bound) + bound.div_ceil(PAGE) * size_of::<[T; PAGE]>()
    }

    /// Pays for the table of pages for indices below `bound`: one expansion per 4 KiB, but never the last unit of fuel.
    /// Fails without fuel, when the table would be of no use.
    pub fn pay(bound: usize, fuel: &mut Fuel, most_bytes: usize) -> Result<(), Suspended> {
        let left = fuel.left().checked_sub(1).ok_or(Suspended::OutOfFuel)?;
        let price = (bound.div_ceil(PAGE) / PAGES_PER_EXPANSION) as u64;
        if Self::directory(bound) >= most_bytes {
            return Err(Suspended::OutOfMemory);
        }
        *fuel = Fuel::work(fuel.left() - price.min(left));
        Ok(())
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The number of indices that have a place in a page: the bound, rounded up to whole pages.
    #[inline]
    pub fn room(&self) -> usize {
        self.pages.len() * PAGE
    }

    /// The value at `index`. The default if no value was set there, and for an index beyond the bound.
    #[inline]
    pub fn get(&self, index: usize) -> T {
        self.find(index).copied().unwrap_or_default()
    }

    /// The value at `index`; `None` if no value in its page has been set.
    #[inline]
    pub fn find(&self, index: usize) -> Option<&T> {
        self.pages.get(index / PAGE)?.as_ref().map(|page| &page[index % PAGE])
    }

    /// The values of the page of `index`; none if no value in the page has been set.
    #[inline]
    pub fn page(&self, index: usize) -> &[T] {
        match self.pages.get(index / PAGE) {
            Some(Some(page)) => &page[..],
            _ => &[],
        }
    }

    /// How many pages take memory.
    pub fn used_pages(&self) -> usize {
        (self.bytes - self.pages.len() * BYTES_PER_PAGE) / size_of::<[T; PAGE]>()
    }

    /// Gives back the pages for whose number `is_kept` is false: page `n` has the values from `n * PAGE` on, and they are
    /// the default again. It is asked about pages that take memory, in ascending order. Takes time for all pages.
    pub fn retain_pages(&mut self, mut is_kept: impl FnMut(usize) -> bool) {
        for (number, page) in self.pages.iter_mut().enumerate() {
            if page.is_some() && !is_kept(number) {
                *page = None;
                self.bytes -= size_of::<[T; PAGE]>();
            }
        }
    }

    /// The value at `index`, for changes; `None` beyond the last page.
    #[inline(always)]
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        let page = match self.pages.get_mut(index / PAGE)? {
            Some(page) => page,
            none => {
                self.bytes += size_of::<[T; PAGE]>();
                Self::put(none)
            }
        };
        Some(&mut page[index % PAGE])
    }

    /// Adds a page where there is none.
    #[cold]
    #[inline(never)]
    fn put(page: &mut Option<Box<[T; PAGE]>>) -> &mut [T; PAGE] {
        page.insert(Box::new([T::default(); PAGE]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_take_memory_when_a_value_in_them_is_set() {
        let mut paged = Paged::<u16>::new();
        assert_eq!((paged.bytes(), paged.get(0), paged.get_mut(0)), (0, 0, None));
        paged.reset(1000);
        assert_eq!(paged.bytes(), 4 * 8);
        let page = 256 * size_of::<u16>();
        for (index, pages) in [(0, 1), (255, 1), (256, 2), (999, 3), (300, 3)] {
            *paged.get_mut(index).unwrap() = 7;
            assert_eq!(paged.bytes(), Paged::<u16>::directory(1000) + pages * page);
        }
        let set = |paged: &Paged<u16>| (0..2000).filter(|index| paged.get(*index) == 7).collect::<Vec<usize>>();
        assert_eq!((set(&paged), paged.used_pages()), (vec![0, 255, 256, 300, 999], 3));
        let mut asked = Vec::new();
        paged.retain_pages(|number| {
            asked.push(number);
            number != 1
        });
        assert_eq!((asked, set(&paged), paged.used_pages()), (vec![0, 1, 3], vec![0, 255, 999], 2));
        assert_eq!(paged.bytes(), Paged::<u16>::directory(1000) + 2 * page);
        paged.reset(1000);
        *paged.get_mut(300).unwrap() = 7;
        let lengths = [0, 255, 256, 300, 511, 512, 5000].map(|index| paged.page(index).len());
        assert_eq!(lengths, [0, 0, 256, 256, 256, 0, 0]);
        assert_eq!((paged.page(300)[44], paged.room()), (7, 1024));
        assert_eq!(paged.get_mut(1024), None);
        paged.reset(10);
        assert_eq!((paged.get(0), paged.bytes()), (0, 8));
    }
}
