//! Changes: the slots that have changed since they were last asked for.

use super::Slot;

/// The slots that have changed since the last [call](Self::take), each once. Until the first call, all of them: whoever
/// never asks, pays nothing.
#[derive(Clone, Debug)]
pub struct Changes {
    is_all: bool,
    slots: Vec<Slot>,
    /// By slot, whether it is among `slots`.
    listed: Vec<bool>,
}

impl Default for Changes {
    fn default() -> Self {
        Self { is_all: true, slots: Vec::new(), listed: Vec::new() }
    }
}

impl Changes {
    /// Notes that `slot` has changed.
    #[inline]
    pub fn note(&mut self, slot: Slot) {
        if !self.is_all {
            self.list(slot);
        }
    }

    #[inline]
    fn list(&mut self, slot: Slot) {
        if self.listed.len() <= slot.index() {
            self.listed.resize(slot.index() + 1, false);
        }
        if !std::mem::replace(&mut self.listed[slot.index()], true) {
            self.slots.push(slot);
        }
    }

    /// Notes that slots have become others.
    #[inline]
    pub fn note_all(&mut self) {
        *self = Self::default();
    }

    /// Appends the slots that have changed to `changed`; `false`: all may have changed.
    #[inline]
    pub fn take(&mut self, changed: &mut Vec<Slot>) -> bool {
        let are_known = !std::mem::take(&mut self.is_all);
        for slot in self.slots.drain(..) {
            self.listed[slot.index()] = false;
            changed.push(slot);
        }
        are_known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_is_told_once() {
        let mut changes = Changes::default();
        let mut take = |notes: &[u32]| {
            notes.iter().for_each(|slot| changes.note(Slot::at(*slot)));
            let mut found = Vec::new();
            changes.take(&mut found).then(|| found.into_iter().map(Slot::index).collect::<Vec<_>>())
        };
        assert_eq!(take(&[1, 2]), None, "all are new");
        assert_eq!(take(&[5, 2, 5]), Some(vec![5, 2]));
        assert_eq!(take(&[5]), Some(vec![5]));
        assert_eq!(take(&[]), Some(vec![]));
        changes.note(Slot::at(3));
        changes.note_all();
        assert!(!changes.take(&mut Vec::new()));
    }
}
