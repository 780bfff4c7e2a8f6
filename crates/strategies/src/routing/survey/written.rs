//! Sectors, and a survey under way, as words.

use giveway_core::{Garbled, NodeId, WordReader, Words};

use super::{Forest, Pace, Prices, Sector, Sectors, Stage, Survey};
use crate::routing::sectors::NONE;

/// Where nodes lie.
type Place<'p> = &'p dyn Fn(NodeId) -> [f64; 3];

/// The sector of a node as a word: nodes without one are few, and have the first word.
fn write_map(sector: &[u32], words: &mut Words) {
    words.series(sector.iter().map(|sector| sector.wrapping_add(1)));
}

fn read_map(bound: usize, words: &mut WordReader<'_>) -> Result<Vec<u32>, Garbled> {
    let mut map = Vec::new();
    words.series(bound, |word| {
        map.push(word.wrapping_sub(1));
        Ok(())
    })?;
    Ok(map)
}

fn write_exits(sectors: &[Sector], words: &mut Words) {
    for sector in sectors {
        words.size(sector.exits.len());
        words.series(sector.exits.iter().copied());
    }
}

fn read_exits(sectors: &mut [Sector], bound: usize, words: &mut WordReader<'_>) -> Result<(), Garbled> {
    for sector in sectors {
        let count = words.at_most(bound)?;
        words.series(count, |exit| {
            sector.exits.push(exit);
            if (exit as usize) < bound { Ok(()) } else { Err(Garbled::new("a sector")) }
        })?;
    }
    Ok(())
}

impl Sectors {
    pub(in super::super) fn write_to(&self, words: &mut Words) {
        words.word(self.revision);
        write_map(&self.sector, words);
        words.size(self.sectors.len());
        write_exits(&self.sectors, words);
        self.pace.numbers().into_iter().for_each(|number| words.number(number));
    }

    /// Reads the sectors of nodes below `bound`.
    pub(in super::super) fn read_from(
        bound: usize,
        place: Place<'_>,
        words: &mut WordReader<'_>,
    ) -> Result<Self, Garbled> {
        let revision = words.word()?;
        let sector = read_map(bound, words)?;
        let count = words.count()?;
        let mut nodes = vec![Vec::new(); count];
        for (node, sector) in (0..).map(NodeId).zip(&sector).filter(|(_, sector)| **sector != NONE) {
            nodes.get_mut(*sector as usize).ok_or(Garbled::new("a sector"))?.push(node);
        }
        let mut sectors: Vec<Sector> = nodes.iter().map(|nodes| Sector::of(nodes, place)).collect();
        read_exits(&mut sectors, count, words)?;
        let pace = Pace::of([words.real()?, words.real()?]);
        Ok(Self { revision, sector, sectors, pace })
    }
}

impl Survey {
    pub(in super::super) fn write_to(&self, words: &mut Words) {
        words.word(self.revision);
        words.word(match self.stage {
            Stage::Join => 0,
            Stage::Number => 1,
            Stage::Gather => 2,
            Stage::Link => 3,
        });
        words.word(self.next.into());
        words.series(self.forest.parents.iter().copied());
        for price in self.prices.numbers() {
            words.flag(price.is_some());
            price.iter().for_each(|price| words.number(*price));
        }
        write_map(&self.sector, words);
        words.size(self.members.len());
        self.members.iter().for_each(|nodes| words.nodes(nodes));
        words.size(self.sectors.len());
        self.sectors.iter().for_each(|sector| words.nodes(sector.nodes.nodes()));
        write_exits(&self.sectors, words);
    }

    /// Reads a survey of nodes below `bound`.
    pub(in super::super) fn read_from(
        bound: usize,
        place: Place<'_>,
        words: &mut WordReader<'_>,
    ) -> Result<Self, Garbled> {
        let revision = words.word()?;
        let stage = match words.word()? {
            0 => Stage::Join,
            1 => Stage::Number,
            2 => Stage::Gather,
            3 => Stage::Link,
            _ => return Err(Garbled::new("a stage of a survey")),
        };
        let next = words.word_32()?;
        let mut parents = Vec::new();
        words.series(bound, |parent| {
            // The root of a tree is its smallest node.
            let is_before = parent as usize <= parents.len();
            parents.push(parent);
            if is_before { Ok(()) } else { Err(Garbled::new("a tree of nodes")) }
        })?;
        let mut price = || Ok(if words.flag()? { Some(words.real()?) } else { None });
        let prices = Prices::of([price()?, price()?, price()?]);
        let sector = read_map(bound, words)?;
        let count = words.count()?;
        let members = (0..count).map(|_| words.nodes(bound, bound)).collect::<Result<Vec<_>, Garbled>>()?;
        let is_known = |sector: &u32| *sector == NONE || (*sector as usize) < count;
        let mut sectors = Vec::new();
        for _ in 0..words.at_most(count)? {
            sectors.push(Sector::of(&words.nodes(bound, bound)?, place));
        }
        read_exits(&mut sectors, count, words)?;
        let is_gathered = match stage {
            Stage::Join | Stage::Number => sectors.is_empty(),
            Stage::Gather => sectors.len() == next as usize,
            Stage::Link => sectors.len() == count,
        };
        if !is_gathered || !sector.iter().all(is_known) || sectors.iter().any(|sector| sector.nodes.nodes().is_empty())
        {
            return Err(Garbled::new("a survey under way"));
        }
        Ok(Self { revision, stage, next, forest: Forest { parents }, prices, sector, members, sectors })
    }
}
