//! Lists by number: the moves of each node, the things in each bucket.

use std::ops::Range;

/// A list for each number below [`len`](Self::len). All lists lie in one piece of memory.
///
/// Holds at most 2^32 - 1 items in all; further items are dropped.
#[derive(Clone, PartialEq, Debug)]
pub struct Rows<T> {
    /// By number, where its list begins in `items`; one more element than lists.
    first: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Rows<T> {
    /// No lists.
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Rows<T> {
    /// No lists.
    pub fn new() -> Self {
        Self { first: vec![0], items: Vec::new() }
    }

    /// `len` lists of `items`. `number` gives the number of the list to which an item belongs. `items` must be sorted
    /// by this number.
    pub fn of_sorted(len: usize, items: Vec<T>, number: impl Fn(&T) -> usize) -> Self {
        let mut first = vec![0; len + 1];
        for item in &items {
            if let Some(count) = first.get_mut(number(item) + 1) {
                *count += 1;
            }
        }
        for number in 1..first.len() {
            first[number] += first[number - 1];
        }
        Self { first, items }
    }

    /// For each number below `len`, the positions in `numbers` where the number stands, ascending. All of `numbers`
    /// must be below `len`. Takes linear time.
    pub fn positions(len: usize, numbers: impl Iterator<Item = usize> + Clone) -> Rows<u32> {
        let mut first = vec![0; len + 1];
        let mut count = 0;
        for number in numbers.clone() {
            first[number + 1] += 1;
            count += 1;
        }
        for number in 1..first.len() {
            first[number] += first[number - 1];
        }
        let mut next = first.clone();
        let mut items = vec![0; count];
        for (position, number) in (0..).zip(numbers) {
            let place = &mut next[number];
            items[*place as usize] = position;
            *place += 1;
        }
        Rows { first, items }
    }

    /// Adds a list. Returns whether the whole list fits.
    pub fn push(&mut self, items: impl IntoIterator<Item = T>) -> bool {
        self.items.extend(items);
        let end = u32::try_from(self.items.len());
        self.first.push(end.unwrap_or(u32::MAX));
        end.is_ok()
    }

    /// Replaces each item by the result of `other` for the item. The lists keep their lengths.
    pub fn map<U>(self, other: impl FnMut(T) -> U) -> Rows<U> {
        Rows { first: self.first, items: self.items.into_iter().map(other).collect() }
    }

    /// A copy of these lists in which each item is replaced by the result of `other` for the item.
    pub fn each<U>(&self, other: impl FnMut(&T) -> U) -> Rows<U> {
        Rows { first: self.first.clone(), items: self.items.iter().map(other).collect() }
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// Whether there is no list.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The indices of the items of list `number` among all [items](Self::items). Empty if there is no such list.
    #[inline]
    pub fn range(&self, number: usize) -> Range<usize> {
        match self.first.get(number..) {
            Some([begin, end, ..]) => *begin as usize..*end as usize,
            _ => 0..0,
        }
    }

    /// The list `number`. Empty if there is no such list.
    #[inline]
    pub fn get(&self, number: usize) -> &[T] {
        self.items.get(self.range(number)).unwrap_or_default()
    }

    /// All lists, in order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.len()).map(|number| self.get(number))
    }

    /// The items of all lists, one list after the other.
    #[inline]
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The items of all lists, one list after the other.
    #[inline]
    pub fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// For each list, the index among all [items](Self::items) where the list begins; then, as the last element, the
    /// number of all items.
    #[inline]
    pub fn first(&self) -> &[u32] {
        &self.first
    }
}
