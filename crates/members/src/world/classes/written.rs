//! Classes as words: what may change of them, and what is known of distances.

use giveway_core::{Area, Garbled, WordReader, Words};
use rustc_hash::FxHashMap;

use super::World;
use crate::class_id::ClassId;
use crate::roster::Roster;

impl<'a> World<'a> {
    /// The bound of the nodes of each class.
    pub fn node_bounds(&self) -> Vec<usize> {
        self.classes.iter().map(|class| class.node_bound()).collect()
    }

    /// A world with copies of the classes; `None`: they cannot be copied.
    pub fn copied(&self) -> Option<World<'a>> {
        let classes = self.copied_classes()?;
        let (revisions, longest_moves) = (self.revisions.clone(), self.longest_moves.clone());
        let sought = vec![FxHashMap::default(); classes.len()];
        let placed = revisions.clone();
        Some(Self { classes, cells: self.cells, revisions, placed, longest_moves, sought, ..Self::new() })
    }

    /// Appends what has changed of the classes to `words`, but for their spaces, layers and distances.
    pub fn write_to(&self, words: &mut Words) {
        words.size(self.vacating.len());
        self.vacating.iter().for_each(|area| area.write_to(words));
        for (revision, longest) in self.revisions.iter().zip(&self.longest_moves) {
            words.word(*revision);
            words.word((*longest).into());
        }
        for classes in [&self.to_renew, &self.short_of_memory] {
            words.size(classes.len());
            classes.iter().for_each(|class| words.word(class.0.into()));
        }
        words.word(self.renewed_last.0.into());
    }

    /// Reads what has changed of the classes. Their spaces are as they are going to be.
    pub fn read_from(&mut self, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        self.vacating = (0..words.count()?).map(|_| Area::read_from(words)).collect::<Result<_, Garbled>>()?;
        for index in 0..self.classes.len() {
            let revision = words.word()?;
            if revision > self.classes[index].revision() {
                return Err(Garbled::new("a revision of the space"));
            }
            (self.revisions[index], self.longest_moves[index]) = (revision, words.word_32()?);
        }
        self.placed.clone_from(&self.revisions);
        let most = self.most_of_moves();
        if self.longest_moves.iter().any(|longest| *longest > most) {
            return Err(Garbled::new("a shorter move"));
        }
        let classes = self.classes.len();
        #[allow(clippy::cast_possible_truncation)] // class ids have 32 bits
        let class = |words: &mut WordReader<'_>| Ok(ClassId(words.below(classes)? as u32));
        for place in 0..2 {
            let all = (0..words.at_most(classes)?).map(|_| class(words)).collect::<Result<_, Garbled>>()?;
            *(if place == 0 { &mut self.to_renew } else { &mut self.short_of_memory }) = all;
        }
        self.renewed_last = ClassId(words.word_32()?);
        Ok(())
    }

    /// Counts which goals the members of `roster` have.
    pub fn count_goals(&mut self, roster: &Roster) {
        self.sought.iter_mut().for_each(FxHashMap::clear);
        for member in roster.members() {
            self.seek(member.class(), member.order.goals());
        }
    }

    /// What has changed in the space of `class` since the last tick.
    pub fn edits_ahead(&self, class: ClassId) -> Option<super::Edited> {
        let (known, space) = (self.revisions[class.0 as usize], &self[class]);
        (known != space.revision()).then(|| super::Edited::of(space.edits_since(known)))
    }
}
