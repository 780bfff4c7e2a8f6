//! Presence: where each agent is if no other move begins.

use giveway_core::{AgentId, CellId, Entry, Span, Tick};
use rustc_hash::FxHashMap;

/// Where each agent is from now on, if no other move begins.
///
/// Time alone makes no note wrong: an agent that is to stay in a cell is noted there without end, and notes that are
/// over concern no later tick. So a presence serves until an agent begins a move, or is put elsewhere. To note or to
/// forget an agent takes time for its own cells only.
#[derive(Clone, Debug, Default)]
pub(crate) struct Presence {
    /// The newest note of each cell that has one.
    newest: FxHashMap<CellId, u32>,
    /// All notes; freed positions are used again.
    notes: Vec<Note>,
    /// The positions in `notes` that are free.
    free: Vec<u32>,
    /// The notes of each agent.
    of: FxHashMap<AgentId, Vec<u32>>,
}

/// When an agent is in a cell.
#[derive(Clone, Copy, Debug)]
struct Note {
    entry: Entry,
    agent: AgentId,
    /// The note of the same cell before this one; [`NONE`]: there is none.
    before: u32,
}

/// The position of no note.
const NONE: u32 = u32::MAX;

impl Presence {
    /// Adds that `agent` is in `entries`.
    pub(crate) fn note(&mut self, agent: AgentId, entries: &[Entry]) {
        let own = self.of.entry(agent).or_default();
        for entry in entries {
            #[allow(clippy::cast_possible_truncation)] // 2^32 notes do not fit into memory
            let at = self.free.pop().unwrap_or(self.notes.len() as u32);
            let before = self.newest.insert(entry.cell, at).unwrap_or(NONE);
            let note = Note { entry: *entry, agent, before };
            match self.notes.get_mut(at as usize) {
                Some(free) => *free = note,
                None => self.notes.push(note),
            }
            own.push(at);
        }
    }

    /// Removes all notes of `agent`.
    pub(crate) fn forget(&mut self, agent: AgentId) {
        let Some(own) = self.of.get_mut(&agent) else { return };
        for at in own.drain(..) {
            let Note { entry, before, .. } = self.notes[at as usize];
            match self.newest.get(&entry.cell).copied() {
                Some(newest) if newest != at => {
                    let mut later = newest;
                    while self.notes[later as usize].before != at {
                        later = self.notes[later as usize].before;
                    }
                    self.notes[later as usize].before = before;
                }
                _ if before == NONE => drop(self.newest.remove(&entry.cell)),
                _ => drop(self.newest.insert(entry.cell, before)),
            }
            self.free.push(at);
        }
    }

    /// The agents that are in `cell` at some time, and when.
    pub(crate) fn in_cell(&self, cell: CellId) -> impl Iterator<Item = (Span, AgentId)> {
        self.notes_of(cell).map(|note| (note.entry.span, note.agent))
    }

    fn notes_of(&self, cell: CellId) -> impl Iterator<Item = &Note> {
        let newest = self.newest.get(&cell).map(|at| &self.notes[*at as usize]);
        std::iter::successors(newest, |note| self.notes.get(note.before as usize))
    }

    /// An agent that `agent` would meet in `entries`.
    pub(crate) fn meets(&self, agent: AgentId, entries: &[Entry]) -> Option<AgentId> {
        self.met(agent, entries).min()
    }

    /// All agents that `agent` would meet in `entries`, in ascending order.
    pub(crate) fn all_met(&self, agent: AgentId, entries: &[Entry]) -> Vec<AgentId> {
        let mut others: Vec<AgentId> = self.met(agent, entries).collect();
        others.sort_unstable();
        others.dedup();
        others
    }

    fn met(&self, agent: AgentId, entries: &[Entry]) -> impl Iterator<Item = AgentId> {
        let others = entries.iter().flat_map(move |entry| {
            let held = self.in_cell(entry.cell);
            held.filter(move |(span, other)| *other != agent && span.overlaps(entry.span))
        });
        others.map(|(_, other)| other)
    }

    /// The number of pairs of agents that share a place at `now`.
    pub(crate) fn overlaps(&self, now: Tick) -> usize {
        let mut pairs: Vec<[AgentId; 2]> = Vec::new();
        for at in self.notes() {
            let Note { entry, agent, .. } = self.notes[at as usize];
            if entry.span.contains(now) {
                let here = self.in_cell(entry.cell).filter(|(span, other)| *other > agent && span.contains(now));
                pairs.extend(here.map(|(_, other)| [agent, other]));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs.len()
    }

    /// The positions of all notes, in no order that may matter.
    fn notes(&self) -> impl Iterator<Item = u32> {
        self.of.values().flatten().copied()
    }

    /// Whether both presences agree about `now` and all later ticks.
    pub(crate) fn agrees_with(&self, other: &Self, now: Tick) -> bool {
        let since_now = |presence: &Self| {
            let kept = presence.notes().map(|at| presence.notes[at as usize]);
            let mut kept: Vec<_> = kept
                .filter(|note| note.entry.span.end > now)
                .map(|Note { entry: Entry { cell, span }, agent, .. }| (agent, cell, span.start.max(now), span.end))
                .collect();
            kept.sort_unstable();
            kept
        };
        since_now(self) == since_now(other)
    }
}

#[cfg(test)]
mod tests {
    use giveway_core::FOREVER;
    use proptest::prelude::*;

    use super::*;

    /// An agent, and what is noted of it; `None`: it is forgotten.
    type Change = (u32, Option<Vec<(u32, Tick, Tick)>>);

    fn changes() -> impl Strategy<Value = Vec<Change>> {
        let end = prop_oneof![1..12_u32, Just(FOREVER)];
        let noted = prop::collection::vec((0..5_u32, 0..8_u32, end), 0..4);
        prop::collection::vec((0..4_u32, prop::option::weighted(0.7, noted)), 0..40)
    }

    proptest! {
        #[test]
        fn a_presence_is_a_list_of_notes(changes in changes(), asked in (0..5_u32, 0..4_u32, 0..9_u32, 1..9_u32)) {
            let mut presence = Presence::default();
            let mut list: Vec<(AgentId, Entry)> = Vec::new();
            let mut most = 0;
            for (agent, noted) in changes {
                let agent = AgentId(agent);
                let Some(noted) = noted else {
                    presence.forget(agent);
                    list.retain(|(other, _)| *other != agent);
                    continue;
                };
                let entries = noted.into_iter().map(|(cell, start, end)| Entry { cell: CellId(cell), span: Span::new(start, end) });
                let entries: Vec<Entry> = entries.collect();
                presence.note(agent, &entries);
                list.extend(entries.into_iter().map(|entry| (agent, entry)));
                most = most.max(list.len());
            }
            let (cell, agent, start, ticks) = asked;
            let (cell, agent, span) = (CellId(cell), AgentId(agent), Span::lasting(start, ticks));
            let here = list.iter().filter(|(_, entry)| entry.cell == cell);
            let mut met: Vec<AgentId> = here
                .filter(|(other, entry)| *other != agent && entry.span.overlaps(span))
                .map(|(other, _)| *other)
                .collect();
            met.sort_unstable();
            met.dedup();
            let entry = [Entry { cell, span }];
            prop_assert_eq!(presence.meets(agent, &entry), met.first().copied());
            prop_assert_eq!(presence.all_met(agent, &entry), met);

            let at = |(agent, entry): &(AgentId, Entry)| entry.span.contains(start).then_some((*agent, entry.cell));
            let there: Vec<(AgentId, CellId)> = list.iter().filter_map(at).collect();
            let share = |a: u32, b: u32| there.iter().any(|one| {
                one.0 == AgentId(a) && there.iter().any(|other| other.0 == AgentId(b) && one.1 == other.1)
            });
            let pairs = (0..4).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|(a, b)| share(*a, *b)).count();
            prop_assert_eq!(presence.overlaps(start), pairs);

            prop_assert!(presence.notes.len() <= most);
            let mut anew = Presence::default();
            list.iter().for_each(|(agent, entry)| anew.note(*agent, std::slice::from_ref(entry)));
            prop_assert!(presence.agrees_with(&anew, start));
            anew.note(AgentId(9), &[Entry { cell, span: Span::tick(start) }]);
            prop_assert!(!presence.agrees_with(&anew, start) && presence.agrees_with(&anew, start + 1));
        }
    }
}
