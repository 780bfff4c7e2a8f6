//! Sectors as words.

use giveway_core::{Garbled, WordReader, Words};

use super::{Sector, Sectors};
use crate::hierarchy::route::Link;

/// Of a sector whose links are not known.
const UNKNOWN: usize = 0;

impl Sectors {
    /// Appends all of them to `words`.
    pub(in super::super) fn write_to(&self, words: &mut Words) {
        words.size(self.tiles.len());
        words.series(self.tiles.iter().map(|known| known.map_or(0, |(_, count)| 1 + u32::from(count))));
        words.series(self.tiles.iter().flatten().map(|(first, _)| *first));
        words.size(self.sectors.len());
        words.series(self.sectors.iter().map(|sector| sector.tile));
        for Sector { cells, centre, links, .. } in &self.sectors {
            words.bits(*cells);
            words.word((*centre).into());
            words.size(links.map_or(UNKNOWN, |(_, count)| 1 + usize::from(count)));
            for link in links.iter().flat_map(|(first, count)| &self.links[*first as usize..][..usize::from(*count)]) {
                words.word(link.to.into());
                words.word(link.length.into());
            }
        }
        words.word(self.owed);
    }

    /// Sets the work that is not paid for to what it is in `other`.
    pub(in super::super) fn owe_as(&mut self, other: &Self) {
        self.owed = other.owed;
    }

    /// Reads sectors.
    pub(in super::super) fn read_from(words: &mut WordReader<'_>, most_tiles: usize) -> Result<Self, Garbled> {
        let mut sectors = Self::default();
        let tiles = words.at_most(most_tiles)?;
        let mut counts = Vec::new();
        words.series(tiles, |count| {
            counts.push(count);
            if count <= 65 { Ok(()) } else { Err(Garbled::new("the sectors of a tile")) }
        })?;
        let known = counts.iter().filter(|count| **count > 0).count();
        let mut firsts = Vec::new();
        words.series(known, |first| {
            firsts.push(first);
            Ok(())
        })?;
        let mut firsts = firsts.into_iter();
        #[allow(clippy::cast_possible_truncation)] // at most 65
        let mut known = |count: u32| count.checked_sub(1).map(|count| (firsts.next().unwrap_or(0), count as u8));
        sectors.tiles = counts.into_iter().map(&mut known).collect();
        let count = words.count()?;
        let mut of_tiles = Vec::new();
        words.series(count, |tile| {
            of_tiles.push(tile);
            if (tile as usize) < tiles { Ok(()) } else { Err(Garbled::new("a tile of the map")) }
        })?;
        for tile in of_tiles {
            let cells = words.bits()?;
            #[allow(clippy::cast_possible_truncation)] // less than 64
            let centre = words.below(64)? as u8;
            let links = match words.at_most(1 + usize::from(u8::MAX))? {
                UNKNOWN => None,
                one_more => {
                    let first = u32::try_from(sectors.links.len()).map_err(|_| Garbled::new("fewer links"))?;
                    for _ in 1..one_more {
                        #[allow(clippy::cast_possible_truncation)] // there are fewer sectors than cells
                        let to = words.below(count)? as u32;
                        sectors.links.push(Link { to, length: words.word_32()? });
                    }
                    #[allow(clippy::cast_possible_truncation)] // at most 255
                    Some((first, (one_more - 1) as u8))
                }
            };
            sectors.sectors.push(Sector { tile, cells, centre, links });
        }
        let are_there = |(first, more): &(u32, u8)| *first as usize + usize::from(*more) <= count;
        if !sectors.tiles.iter().flatten().all(are_there) {
            return Err(Garbled::new("the sectors of a tile"));
        }
        sectors.owed = words.word_32()?.into();
        Ok(sectors)
    }
}
