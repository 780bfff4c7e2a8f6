//! The atlas as words. Ways within a piece are measured again.

use giveway_core::{Garbled, NodeId, SpaceGraph, WordReader, Words};

use super::{Atlas, LARGEST, MOST_LINKS, Member, NONE, Piece, Unit};
use crate::hierarchy::route::Link;
use crate::predecessors::PredecessorsIn;

impl Atlas {
    /// Appends all of it to `words`.
    pub(in super::super) fn write_to(&self, words: &mut Words) {
        words.flag(!self.numbers.is_empty());
        words.number(self.unit.0);
        words.size(self.pieces.len());
        for piece in &self.pieces {
            if piece.is_gone {
                words.size(0);
                continue;
            }
            let members = &self.members[piece.first as usize..][..usize::from(piece.count)];
            words.size(members.len());
            words.series(members.iter().map(|member| member.node.0));
            words.word(piece.centre.into());
            words.size(piece.links.map_or(0, |(_, count)| 1 + usize::from(count)));
            let links = piece.links.iter();
            for link in links.flat_map(|(first, count)| &self.links[*first as usize..][..usize::from(*count)]) {
                words.word(link.to.into());
                words.word(link.length.into());
            }
            words.flag(piece.has_more_exits);
        }
        words.size(self.links.len());
        words.word(self.done);
    }

    /// Reads an atlas of `space`.
    pub(in super::super) fn read_from<S: SpaceGraph>(
        space: &S,
        predecessors: impl FnOnce() -> PredecessorsIn<S>,
        words: &mut WordReader<'_>,
    ) -> Result<Self, Garbled> {
        let mut atlas = Self::default();
        let is_made = words.flag()?;
        let unit = Unit(words.real()?);
        if !(unit.0 > 0.0 && unit.0.is_finite()) {
            return Err(Garbled::new("a unit of lengths"));
        }
        atlas.reset(if is_made { space.node_bound() } else { 0 }, unit);
        let bound = atlas.numbers.len();
        let count = words.count()?;
        for piece in 0..count {
            let size = words.at_most(LARGEST)?;
            let first = u32::try_from(atlas.members.len()).map_err(|_| Garbled::new("fewer pieces"))?;
            let gone = Piece { first, count: 0, centre: 0, is_gone: true, links: None, has_more_exits: false };
            if size == 0 {
                atlas.pieces.push(gone);
                continue;
            }
            let (numbers, members) = (&mut atlas.numbers, &mut atlas.members);
            let mut number = u32::try_from(piece * 64).map_err(|_| Garbled::new("fewer pieces"))?;
            words.series(size, |node| {
                let known = numbers.get_mut(node as usize).filter(|known| **known == NONE);
                *known.ok_or(Garbled::new("a node of one piece"))? = number;
                number += 1;
                members.push(Member { node: NodeId(node), from_centre: NONE, to_centre: NONE });
                Ok(())
            })?;
            let centre = words.below(size)?;
            let links = match words.at_most(1 + usize::from(u16::MAX))? {
                0 => None,
                one_more => {
                    let first = u32::try_from(atlas.links.len()).map_err(|_| Garbled::new("fewer links"))?;
                    for _ in 1..one_more {
                        #[allow(clippy::cast_possible_truncation)] // as many as pieces
                        let to = words.below(count)? as u32;
                        atlas.links.push(Link { to, length: words.word_32()? });
                    }
                    #[allow(clippy::cast_possible_truncation)] // at most 2^16 - 1
                    Some((first, (one_more - 1) as u16))
                }
            };
            #[allow(clippy::cast_possible_truncation)] // at most 64
            let (count, centre) = (size as u8, centre as u8);
            atlas.pieces.push(Piece { count, centre, is_gone: false, links, has_more_exits: words.flag()?, ..gone });
            atlas.alive += 1;
        }
        // Links of earlier revisions count, too.
        let most = MOST_LINKS.saturating_mul(bound).saturating_add(1024).saturating_add(atlas.links.len() + (1 << 16));
        let links = words.at_most(most)?;
        if links < atlas.links.len() {
            return Err(Garbled::new("as many links as there are"));
        }
        atlas.links.resize(links, Link { to: 0, length: 0 });
        if atlas.alive > 0 {
            let predecessors = predecessors();
            let alive: Vec<usize> = (0..count).filter(|piece| !atlas.pieces[*piece].is_gone).collect();
            alive.into_iter().for_each(|piece| atlas.measure(piece, space, &predecessors));
        }
        atlas.done = words.word_32()?.into();
        Ok(atlas)
    }

    /// Sets the work that is not paid for to what it is in `other`.
    pub(in super::super) fn owe_as(&mut self, other: &Self) {
        self.done = other.done;
    }
}
