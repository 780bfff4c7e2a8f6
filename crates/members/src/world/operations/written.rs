//! Operations as words: which lists are known. They are made anew when they are read.

use giveway_core::{Garbled, NodeId, Ticks, WordReader, Words};
use rustc_hash::FxHashMap;

use super::{Key, MOST_BYTES, OperationList, Operations, World};
use crate::class_id::ClassId;
use std::sync::Arc;

/// Moves may have taken this many times as long before an edit as now, and this many ticks in any case.
const SLOWER: Ticks = 64;
const LEAST_BOUND: Ticks = 1 << 16;

impl Operations {
    /// Appends the operations to `words`.
    /// `of_use`: whether a list is of the space as it is.
    fn write_to(&self, of_use: impl Fn(&Key) -> bool + Copy, words: &mut Words) {
        write_keys(&self.lists, of_use, words);
        write_keys(&self.older, of_use, words);
        let mut revisions: Vec<(ClassId, u64)> = self.revisions.iter().map(|(class, of)| (*class, *of)).collect();
        revisions.sort_unstable();
        words.size(revisions.len());
        for (class, revision) in revisions {
            words.word(class.0.into());
            words.word(revision);
        }
        words.word(self.longest.into());
        words.flag(self.is_wide);
        words.flag(self.has_overlaps);
        words.flag(self.room.is_some());
        if let Some((revisions, room)) = &self.room {
            words.size(revisions.len());
            revisions.iter().for_each(|revision| words.word(*revision));
            words.size(*room);
        }
    }
}

fn write_keys(lists: &FxHashMap<Key, Arc<OperationList>>, of_use: impl Fn(&Key) -> bool, words: &mut Words) {
    let mut keys: Vec<Key> = lists.keys().copied().filter(of_use).collect();
    keys.sort_unstable();
    words.size(keys.len());
    let mut last = 0;
    for (class, node, end, begin, has_pauses) in keys {
        words.word(class.0.into());
        words.difference(last, node.0);
        words.word(end.into());
        words.word(begin.into());
        words.flag(has_pauses);
        last = node.0;
    }
}

impl World<'_> {
    /// Appends what is known of operations to `words`.
    pub fn write_operations_to(&self, words: &mut Words) {
        let revisions = &self.operations.revisions;
        let of_use = |key: &Key| revisions.get(&key.0) == Some(&self[key.0].revision());
        self.operations.write_to(of_use, words);
    }

    /// Reads what is known of operations. `window`: the ticks of the deepest window.
    pub fn read_operations_from(&mut self, window: Ticks, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        self.operations = Operations::default();
        let longest_move = self.most_of_moves();
        let longest = longest_move.saturating_add(window).saturating_mul(2).saturating_add(64);
        // What is made anew is nothing new.
        let longest_moves = self.longest_moves.clone();
        let lately = self.read_keys(longest, words)?;
        let before = self.read_keys(longest, words)?;
        let mut revisions = FxHashMap::default();
        for _ in 0..words.at_most(self.classes.len())? {
            let class = self.read_class(words)?;
            let revision = words.word()?;
            if revision > self[class].revision() || revisions.insert(class, revision).is_some() {
                return Err(Garbled::new("a revision of the space"));
            }
        }
        // Lists of an earlier revision are of no use.
        let is_of_use = |world: &Self, key: &Key| revisions.get(&key.0) == Some(&world[key.0].revision());
        let make = |world: &mut Self, mut keys: Vec<Key>| {
            keys.retain(|key| is_of_use(world, key));
            world.operations.lists.clear();
            world.operations.bytes = 0;
            for (class, node, end, begin, has_pauses) in keys {
                let bytes = world.operations.bytes;
                world.operations(class, node, begin, begin.saturating_add(end), has_pauses);
                if world.operations.bytes < bytes {
                    return Err(Garbled::new("operations that fit into memory"));
                }
            }
            Ok(std::mem::take(&mut world.operations.lists))
        };
        let older = make(self, before)?;
        let lists = make(self, lately)?;
        let bytes = lists.values().map(|list| list.bytes()).sum();
        if bytes > MOST_BYTES / 2 {
            return Err(Garbled::new("operations that fit into memory"));
        }
        self.longest_moves = longest_moves;
        let longest = words.word_32()?;
        if longest > longest_move {
            return Err(Garbled::new("a shorter move"));
        }
        let is_wide = words.flag()?;
        let has_overlaps = words.flag()?;
        let room = if words.flag()? {
            let count = words.at_most(self.classes.len())?;
            let revisions = (0..count).map(|_| words.word()).collect::<Result<Vec<u64>, Garbled>>()?;
            Some((revisions, words.at_most(u32::MAX as usize)?))
        } else {
            None
        };
        let Operations { scratch, gone, .. } = std::mem::take(&mut self.operations);
        self.operations =
            Operations { lists, bytes, older, gone, revisions, longest, is_wide, has_overlaps, room, scratch };
        Ok(())
    }

    /// More than the longest move of any class may ever have taken: surfaces, which edits change, may have made it
    /// slower.
    pub(in crate::world) fn most_of_moves(&self) -> Ticks {
        let mut longest = 0;
        for class in &self.classes {
            for node in NodeId::below(class.node_bound()).filter(|node| class.contains(*node)) {
                class.for_each_move(node, 0, &mut |leg, _| longest = longest.max(leg.arrive));
            }
        }
        longest.saturating_mul(SLOWER).max(LEAST_BOUND)
    }

    fn read_class(&self, words: &mut WordReader<'_>) -> Result<ClassId, Garbled> {
        #[allow(clippy::cast_possible_truncation)] // class ids have 32 bits
        Ok(ClassId(words.below(self.classes.len())? as u32))
    }

    fn read_keys(&self, longest: Ticks, words: &mut WordReader<'_>) -> Result<Vec<Key>, Garbled> {
        let (mut keys, mut last) = (Vec::new(), 0);
        for _ in 0..words.count()? {
            let class = self.read_class(words)?;
            last = words.difference(last)?;
            let (end, begin, has_pauses) = (words.word_32()?, words.word_32()?, words.flag()?);
            let space = &self[class];
            if last as usize >= space.node_bound() || end > longest || begin >= space.period().max(1) {
                return Err(Garbled::new("operations from a place"));
            }
            keys.push((class, NodeId(last), end, begin, has_pauses));
        }
        Ok(keys)
    }
}
