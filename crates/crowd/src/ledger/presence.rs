//! Presence: where each agent is if no other move begins.

use giveway_core::paged::Paged;
use giveway_core::{AgentId, CellId, Entry, Span, Tick, push_sparingly};
use rustc_hash::FxHashMap;

/// Where each agent is from now on, if no other move begins.
///
/// Time alone makes no note wrong: an agent that is to stay in a cell is noted there without end, and notes that are
/// over concern no later tick. So a presence serves until an agent begins a move, or is put elsewhere. To note or to
/// forget an agent takes time for its own cells only.
#[derive(Clone, Debug)]
pub(crate) struct Presence {
    /// The newest note of each cell, as a link.
    newest: Paged<u32>,
    /// All notes; freed positions are used again.
    notes: Vec<Note>,
    /// The positions in `notes` that are free.
    free: Vec<u32>,
    /// The newest note of each agent that has one, as a link.
    of: FxHashMap<AgentId, u32>,
}

/// When an agent is in a cell.
#[derive(Clone, Copy, Debug)]
struct Note {
    entry: Entry,
    agent: AgentId,
    /// The note of the same cell before this one.
    before: u32,
    /// The note of the same agent before this one.
    of_agent: u32,
}

/// The link to no note. A link to a note is 1 + its position.
const NONE: u32 = 0;

impl Presence {
    /// The presence of no agent, in cells below `bound`.
    pub(crate) fn new(bound: usize) -> Self {
        let mut newest = Paged::new();
        newest.reset(bound);
        Self { newest, notes: Vec::new(), free: Vec::new(), of: FxHashMap::default() }
    }

    /// Adds that `agent` is in `entries`. Cells beyond the bound are left out.
    pub(crate) fn note(&mut self, agent: AgentId, entries: &[Entry]) {
        let Self { newest, notes, free, of } = self;
        let own = of.entry(agent).or_insert(NONE);
        for entry in entries {
            let Some(newest) = newest.get_mut(entry.cell.index()) else { continue };
            let note = Note { entry: *entry, agent, before: *newest, of_agent: *own };
            let link = match free.pop() {
                Some(link) => {
                    notes[link as usize - 1] = note;
                    link
                }
                None => {
                    push_sparingly(notes, note);
                    #[allow(clippy::cast_possible_truncation)] // 2^32 notes do not fit into memory
                    let link = notes.len() as u32;
                    link
                }
            };
            (*newest, *own) = (link, link);
        }
    }

    /// Removes all notes of `agent`.
    pub(crate) fn forget(&mut self, agent: AgentId) {
        let Self { newest, notes, free, of } = self;
        let mut link = of.remove(&agent).unwrap_or(NONE);
        while link != NONE {
            let Note { entry, before, of_agent, .. } = notes[link as usize - 1];
            if let Some(newest) = newest.get_mut(entry.cell.index()) {
                if *newest == link {
                    *newest = before;
                } else {
                    let mut later = *newest;
                    while notes[later as usize - 1].before != link {
                        later = notes[later as usize - 1].before;
                    }
                    notes[later as usize - 1].before = before;
                }
            }
            free.push(link);
            link = of_agent;
        }
    }

    /// The agents that are in `cell` at some time, and when.
    pub(crate) fn in_cell(&self, cell: CellId) -> impl Iterator<Item = (Span, AgentId)> {
        self.notes_of(cell).map(|note| (note.entry.span, note.agent))
    }

    fn notes_of(&self, cell: CellId) -> impl Iterator<Item = &Note> {
        let note = |link: u32| self.notes.get((link as usize).wrapping_sub(1));
        std::iter::successors(note(self.newest.get(cell.index())), move |newer| note(newer.before))
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

    /// Whether two agents share a place at some tick from `now` on.
    pub(crate) fn meets_any(&self, now: Tick) -> bool {
        self.notes().filter(|note| note.entry.span.end > now).any(|Note { entry, agent, .. }| {
            let left = Span::new(entry.span.start.max(now), entry.span.end);
            self.in_cell(entry.cell).any(|(span, other)| other != agent && span.overlaps(left))
        })
    }

    /// The number of pairs of agents that share a place at `now`.
    pub(crate) fn overlaps(&self, now: Tick) -> usize {
        let mut pairs: Vec<[AgentId; 2]> = Vec::new();
        for Note { entry, agent, .. } in self.notes() {
            if entry.span.contains(now) {
                let here = self.in_cell(entry.cell).filter(|(span, other)| *other > agent && span.contains(now));
                pairs.extend(here.map(|(_, other)| [agent, other]));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs.len()
    }

    /// All notes, in no order that may matter.
    fn notes(&self) -> impl Iterator<Item = Note> {
        let note = |link: u32| self.notes.get((link as usize).wrapping_sub(1)).copied();
        self.of.values().flat_map(move |newest| std::iter::successors(note(*newest), move |newer| note(newer.of_agent)))
    }

    /// Whether both presences agree about `now` and all later ticks.
    pub(crate) fn agrees_with(&self, other: &Self, now: Tick) -> bool {
        let since_now = |presence: &Self| {
            let kept = presence.notes();
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
            let mut presence = Presence::new(5);
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
            let mut anew = Presence::new(5);
            list.iter().for_each(|(agent, entry)| anew.note(*agent, std::slice::from_ref(entry)));
            prop_assert!(presence.agrees_with(&anew, start));
            anew.note(AgentId(9), &[Entry { cell, span: Span::tick(start) }]);
            prop_assert!(!presence.agrees_with(&anew, start) && presence.agrees_with(&anew, start + 1));
        }
    }
}
