//! Paged arrays as words.

use super::Paged;
use crate::vocabulary::{Garbled, WordReader, Words};

impl<T: Copy + Default, const PAGE: usize> Paged<T, PAGE> {
    /// Appends the pages in use to `words`; `put` appends one.
    pub fn write_to(&self, words: &mut Words, mut put: impl FnMut(&mut Words, &[T; PAGE])) {
        words.flag(!self.pages.is_empty());
        words.series(self.pages.iter().map(|page| page.is_some().into()));
        self.pages.iter().flatten().for_each(|page| put(words, page));
    }

    /// Reads an array for indices below `bound`, or one without room; `fill` reads a page.
    pub fn read_from(
        words: &mut WordReader<'_>,
        bound: usize,
        mut fill: impl FnMut(&mut WordReader<'_>, &mut [T; PAGE]) -> Result<(), Garbled>,
    ) -> Result<Self, Garbled> {
        let mut paged = Self::new();
        if !words.flag()? {
            return Ok(paged);
        }
        paged.reset(bound);
        let mut used = Vec::new();
        let mut index = 0;
        words.series(paged.pages.len(), |flag| {
            if flag == 1 {
                used.push(index);
            }
            index += PAGE;
            if flag <= 1 { Ok(()) } else { Err(Garbled::new("a page or none")) }
        })?;
        for first in used {
            let mut page = [T::default(); PAGE];
            fill(words, &mut page)?;
            for (place, value) in page.into_iter().enumerate() {
                if let Some(known) = paged.get_mut(first + place) {
                    *known = value;
                }
            }
        }
        Ok(paged)
    }
}

impl<const PAGE: usize> Paged<u16, PAGE> {
    /// [`write_to`](Self::write_to).
    pub fn write_numbers_to(&self, words: &mut Words) {
        self.write_to(words, |words, page| words.series(page.iter().map(|number| (*number).into())));
    }

    /// [`read_from`](Self::read_from).
    pub fn read_numbers_from(words: &mut WordReader<'_>, bound: usize) -> Result<Self, Garbled> {
        Self::read_from(words, bound, |words, page| {
            let mut places = page.iter_mut();
            words.series(PAGE, |number| {
                let number = u16::try_from(number).map_err(|_| Garbled::new("a number of 16 bits"))?;
                places.next().into_iter().for_each(|place| *place = number);
                Ok(())
            })
        })
    }
}

impl<const PAGE: usize> Paged<u32, PAGE> {
    /// [`write_to`](Self::write_to).
    pub fn write_numbers_to(&self, words: &mut Words) {
        self.write_to(words, |words, page| words.series(page.iter().copied()));
    }

    /// [`read_from`](Self::read_from).
    pub fn read_numbers_from(words: &mut WordReader<'_>, bound: usize) -> Result<Self, Garbled> {
        Self::read_from(words, bound, |words, page| {
            let mut places = page.iter_mut();
            words.series(PAGE, |number| {
                places.next().into_iter().for_each(|place| *place = number);
                Ok(())
            })
        })
    }
}
