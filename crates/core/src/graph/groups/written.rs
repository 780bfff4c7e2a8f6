//! Groups as words: as they lie in memory, so that they grow alike.

use std::cmp::Reverse;

use super::{Groups, Link, NONE};
use crate::vocabulary::{Cost, Garbled, WordReader, Words};

impl<C: Cost, T: Copy> Groups<C, T> {
    /// Appends the groups to `words`; `put` appends a state.
    pub(crate) fn write_to(&self, words: &mut Words, mut put: impl FnMut(&mut Words, T)) {
        let mut groups: Vec<(C, u32)> = self.groups.iter().map(|Reverse(group)| *group).collect();
        groups.sort_unstable();
        words.size(groups.len());
        for (f, first) in groups {
            words.cost(f);
            words.word(first.into());
        }
        words.size(self.links.len());
        for Link { state, next } in &self.links {
            put(words, *state);
            words.word(next.wrapping_add(1).into());
        }
        for (f, link) in &self.recent {
            words.cost(*f);
            words.word(link.wrapping_add(1).into());
        }
    }

    /// Reads groups; `get` reads a state.
    pub(crate) fn read_from(
        words: &mut WordReader<'_>,
        mut get: impl FnMut(&mut WordReader<'_>) -> Result<T, Garbled>,
    ) -> Result<Self, Garbled> {
        let mut read = Self::new();
        let mut firsts = Vec::new();
        for _ in 0..words.count()? {
            let (f, first) = (words.cost()?, words.word_32()?);
            read.groups.push(Reverse((f, first)));
            firsts.push(first);
        }
        for _ in 0..words.count()? {
            let state = get(words)?;
            read.links.push(Link { state, next: words.word_32()?.wrapping_sub(1) });
        }
        for recent in &mut read.recent {
            *recent = (words.cost()?, words.word_32()?.wrapping_sub(1));
        }
        // Each link is of one group.
        let mut seen = vec![false; read.links.len()];
        for first in firsts {
            let mut link = first;
            while link != NONE {
                let is_new = seen.get_mut(link as usize).is_some_and(|seen| !std::mem::replace(seen, true));
                if !is_new {
                    return Err(Garbled::new("a link of one group"));
                }
                link = read.links[link as usize].next;
            }
        }
        let is_open = |link: u32| link == NONE || seen.get(link as usize).copied().unwrap_or(false);
        if read.recent.iter().all(|(_, link)| is_open(*link)) { Ok(read) } else { Err(Garbled::new("a group")) }
    }
}
