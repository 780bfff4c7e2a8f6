//! The edits of a space since its class was added: a save contains them, and makes them again where it is loaded.

use std::sync::Arc;

use giveway_core::{Area, Change, Garbled, NodeId, WordReader, Words};

/// Edits in the order in which they were made, as words. Clones share them until one of them goes on.
#[derive(Clone, Debug, Default)]
pub(super) struct EditLog(Arc<Vec<u8>>);

/// An edit of a space.
pub(super) enum Edit {
    /// A node was opened or closed.
    SetOpen(NodeId, bool),
    /// The world has changed there.
    Change(Area, Change),
}

impl EditLog {
    /// The words.
    pub(super) fn words(&self) -> &[u8] {
        &self.0
    }

    /// Notes that `node` was opened or closed.
    pub(super) fn note_set_open(&mut self, node: NodeId, open: bool) {
        self.note(|words| {
            words.word(u64::from(open));
            words.word(node.0.into());
        });
    }

    /// Notes a change of the world.
    pub(super) fn note_change(&mut self, area: &Area, change: Change) {
        self.note(|words| {
            words.word(2);
            words.change(area, change);
        });
    }

    fn note(&mut self, write: impl FnOnce(&mut Words)) {
        let mut words = Words::new();
        write(&mut words);
        Arc::make_mut(&mut self.0).extend(words.into_bytes());
    }

    /// Reads the next edit.
    pub(super) fn next(words: &mut WordReader<'_>, bound: usize) -> Result<Edit, Garbled> {
        match words.word()? {
            open @ 0..2 => Ok(Edit::SetOpen(words.node(bound)?, open == 1)),
            2 => words.change().map(|(area, change)| Edit::Change(area, change)),
            _ => Err(Garbled::new("an edit of a space")),
        }
    }
}
