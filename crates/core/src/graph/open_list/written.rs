//! Open lists as words: as they lie in memory, so that they grow alike. Without the list of what is near.

use super::{Groups, OpenList, Ties};
use crate::vocabulary::{Cost, Garbled, WordReader, Words};

impl<C: Cost, T: Copy + Ord> OpenList<C, T> {
    /// Appends the list to `words`; `put` appends a state.
    pub fn write_to(&self, words: &mut Words, mut put: impl FnMut(&mut Words, T)) {
        words.cost(self.f);
        for states in [&self.present, &self.fresh] {
            words.size(states.len());
            states.iter().for_each(|state| put(words, *state));
        }
        words.size(self.unsorted);
        words.size(self.sorted);
        self.far.write_to(words, put);
    }

    /// Reads a [small](Self::small) list; `get` reads a state.
    pub fn read_from(
        ties: Ties,
        words: &mut WordReader<'_>,
        mut get: impl FnMut(&mut WordReader<'_>) -> Result<T, Garbled>,
    ) -> Result<Self, Garbled> {
        let mut list = Self::small(ties);
        list.f = words.cost()?;
        for place in 0..2 {
            for _ in 0..words.count()? {
                let state = get(words)?;
                if place == 0 { &mut list.present } else { &mut list.fresh }.push(state);
            }
        }
        list.unsorted = words.at_most(list.present.len())?;
        list.sorted = words.at_most(u32::MAX as usize / 2)?;
        list.far = Groups::read_from(words, get)?;
        let in_order = |states: &[T]| states.is_sorted();
        if in_order(&list.fresh) && in_order(&list.present[list.unsorted..]) {
            Ok(list)
        } else {
            Err(Garbled::new("what is open in order"))
        }
    }
}
