//! Destinations: no two agents are sent to the same place.

use giveway_core::near::{Listed, Part};
use giveway_core::{AgentId, CellId, Entry, FOREVER, Goals, NodeId};
use rustc_hash::FxHashMap;

use super::ClassId;
use super::any_class::AnyClass;
use super::leg::Leg;
use super::outward::{Counts, Outward};
use super::vacancy::Vacancies;

/// How many searches for free places are remembered.
const MOST_SEARCHES: usize = 8;

/// Whose goal each cell belongs to.
#[derive(Clone, Debug, Default)]
pub(super) struct Destinations {
    of: Owners,
    /// The searches that were used last, the latest at the end.
    searches: Vec<Search>,
}

/// Whose goal each cell belongs to.
pub(super) type Owners = FxHashMap<CellId, AgentId>;

/// Around which goals a free place is looked for, and for whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Around {
    pub(super) class: ClassId,
    /// Of the class's space.
    pub(super) revision: u64,
    pub(super) goals: Goals,
    /// Where those come from who have to reach the place; `None`: that does not matter.
    pub(super) part: Option<Part>,
    /// By straight-line distance, not by the cost of moves.
    pub(super) by_line: bool,
}

/// A search for free places: goes on where it stopped when somebody else is sent to the same goals.
#[derive(Clone, Debug)]
struct Search {
    around: Around,
    outward: Outward,
    vacancies: Vacancies,
}

impl Search {
    fn new(around: Around) -> Self {
        let outward = match around.goals.nodes() {
            [only] if around.by_line => Outward::by_line(*only),
            goals => Outward::by_cost(goals),
        };
        Self { around, outward, vacancies: Vacancies::default() }
    }
}

impl Destinations {
    pub(super) fn claim(&mut self, agent: AgentId, entries: &[Entry]) {
        self.of.extend(entries.iter().map(|entry| (entry.cell, agent)));
    }

    pub(super) fn give_up(&mut self, agent: AgentId, entries: &[Entry]) {
        for entry in entries {
            if self.of.get(&entry.cell) == Some(&agent) {
                self.of.remove(&entry.cell);
                self.searches.iter_mut().for_each(|search| search.vacancies.doubt(entry.cell));
            }
        }
    }

    /// Who else has one of the cells of `entries` as its goal.
    pub(super) fn owners(&self, agent: AgentId, entries: &[Entry]) -> Vec<AgentId> {
        let mut owners: Vec<AgentId> = entries.iter().filter_map(|entry| self.of.get(&entry.cell)).copied().collect();
        owners.retain(|owner| *owner != agent);
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    /// The places around `around` that are nobody's goal but that of `agent`, which has `claimed`: the nearest one, and those that are as near by
    /// straight line. Empty: there is none.
    ///
    /// Time: that of the places that have not been looked at since the same was asked last, or that somebody has given up since.
    pub(super) fn nearest<R>(
        &mut self,
        agent: AgentId,
        claimed: &[Entry],
        around: Around,
        class: &dyn AnyClass<R>,
        counts: Counts<'_>,
    ) -> Vec<Listed> {
        // What was found in a space that has changed since is of no use to anybody.
        self.searches.retain(|search| search.around.class != around.class || search.around.revision == around.revision);
        let known = self.searches.iter().position(|search| search.around == around);
        let mut search = known.map_or_else(|| Search::new(around), |index| self.searches.remove(index));
        let Search { around, outward, vacancies } = &mut search;
        let own = claimed.iter().map(|entry| entry.cell).filter(|cell| self.of.get(cell) == Some(&agent));
        own.for_each(|cell| vacancies.doubt(cell));
        let found = vacancies.first(&self.of, agent, |index| {
            let place = outward.get(index, class, counts)?;
            Some(room_at(class, place.node))
        });
        let mut places: Vec<Listed> = Vec::new();
        if let Some(index) = found {
            let mut next = index;
            while let Some(place) = outward.get(next, class, counts) {
                if places.first().is_some_and(|first| first.square < place.square) {
                    break;
                }
                if next == index || taken_by(&self.of, agent, &room_at(class, place.node)).is_none() {
                    places.push(place);
                }
                if !around.by_line {
                    break;
                }
                next += 1;
            }
        }
        if self.searches.len() >= MOST_SEARCHES {
            self.searches.remove(0);
        }
        self.searches.push(search);
        places
    }
}

/// A cell of `room` that is the goal of somebody else than `agent`.
pub(super) fn taken_by(of: &Owners, agent: AgentId, room: &[Entry]) -> Option<CellId> {
    let is_taken = |cell: &CellId| of.get(cell).is_some_and(|owner| *owner != agent);
    room.iter().map(|entry| entry.cell).find(is_taken)
}

/// What an agent of `class` occupies while it stays on `node`.
pub(super) fn room_at<R>(class: &dyn AnyClass<R>, node: NodeId) -> Vec<Entry> {
    let mut entries = Vec::new();
    class.sweep(&Leg::resting(node, 0, FOREVER), &mut entries);
    entries
}
