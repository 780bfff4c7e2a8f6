//! Destinations: no two agents are sent to the same place.

mod beside;
#[cfg(test)]
mod nearest_oracle;
mod outward;
mod owners;
mod reaches;
mod vacancy;
mod written;

use giveway_core::near::{Listed, Part};
use giveway_core::{AgentId, CellId, Entry, FOREVER, Goals, NodeId};

use super::error::CrowdError;
use crate::standing::Beacons;
use giveway_members::class_id::ClassId;
use giveway_members::roster::{Errand, Member, Roster};
use giveway_members::world::{AnyClass, World};
use owners::{Owners, owners, taken_by};
use reaches::Reaches;
use vacancy::Vacancies;

pub(super) use beside::Beside;
use beside::square_between;
pub(super) use outward::{Counts, Outward};

/// The owner of each goal cell, and what is known of the places around goals.
#[derive(Clone, Default)]
pub(super) struct Destinations {
    of: Owners,
    searches: Searches,
    reaches: Reaches,
}

impl Destinations {
    pub(super) fn claim(&mut self, agent: AgentId, entries: &[Entry]) {
        self.of.extend(entries.iter().map(|entry| (entry.cell, agent)));
    }

    pub(super) fn give_up(&mut self, agent: AgentId, entries: &[Entry]) {
        for entry in entries {
            if self.of.get(&entry.cell) == Some(&agent) {
                self.of.remove(&entry.cell);
                self.searches.doubt(entry.cell);
            }
        }
    }

    /// The other agents that have a cell of `entries` as their goal.
    pub(super) fn owners(&self, agent: AgentId, entries: &[Entry]) -> Vec<AgentId> {
        owners(&self.of, agent, entries)
    }

    /// The goals that `agent` of the class `id` gets if it is sent to `goals`: the given goals that belong to no other
    /// agent, or else the nearest place that belongs to no other agent. An agent with an order may take the places of
    /// agents that stand by; an agent that shares its goals gets all of them. Changes nothing observable.
    pub(super) fn assign(
        &mut self,
        (agent, id): (AgentId, ClassId),
        errand: Errand,
        goals: &Goals,
        world: &World<'_>,
        roster: &Roster,
        beacons: &mut Beacons,
    ) -> Result<Goals, CrowdError> {
        let class = &world[id];
        let first = *goals.nodes().first().ok_or(CrowdError::NoGoal)?;
        if let Some(node) = goals.nodes().iter().find(|node| !class.contains(**node)) {
            return Err(CrowdError::NoSuchNode(*node));
        }
        let may_have = |node: NodeId| match errand {
            Errand::Go => make_room(&self.owners(agent, &class.room(node, 0, FOREVER)), roster),
            Errand::StandBy => self.owners(agent, &class.room(node, 0, FOREVER)).is_empty(),
            Errand::Share => true,
        };
        let free: Goals = goals.nodes().iter().copied().filter(|node| may_have(*node)).collect();
        if !free.nodes().is_empty() {
            return Ok(free);
        }
        let claimed = roster.get(agent).map_or(&[][..], |member| member.order.claimed());
        let around = Around { class: id, revision: class.revision(), goals: goals.clone(), part: None, by_line: false };
        let places = self.searches.nearest(&self.of, (agent, claimed), around, class, Counts::All, beacons);
        places.first().map(|place| Goals::one(place.node)).ok_or(CrowdError::NoFreePlace { goal: first })
    }

    /// The goal of `member`, which stands on `from` when it can next decide, if it is sent near `node`. Changes nothing
    /// observable.
    pub(super) fn assign_near(
        &mut self,
        member: &Member,
        [from, node]: [NodeId; 2],
        equals: Equals,
        world: &World<'_>,
        roster: &Roster,
        beacons: &mut Beacons,
    ) -> Result<NodeId, CrowdError> {
        let (agent, id, class) = (member.id(), member.class(), &world[member.class()]);
        if node.index() >= class.node_bound() {
            return Err(CrowdError::NoSuchNode(node));
        }
        // An agent always stands on a node of its class.
        let Self { of, searches, reaches } = self;
        let reachable = reaches.of(id, class);
        let part = reachable.look_from(class, from).ok_or(CrowdError::NoSuchNode(from))?;
        if class.contains(node)
            && reachable.has(node)
            && make_room(&owners(of, agent, &class.room(node, 0, FOREVER)), roster)
        {
            return Ok(node);
        }
        let by_line = class.position(node).is_some();
        let around =
            Around { class: id, revision: class.revision(), goals: Goals::one(node), part: Some(part), by_line };
        let counts = reachable.counts();
        let places = searches.nearest(of, (agent, member.order.claimed()), around, class, counts, beacons);
        let none = CrowdError::NoFreePlace { goal: node };
        if by_line {
            let best = match equals {
                Equals::Cheapest => reachable.cheapest(class, from, &places),
                Equals::Straight => straightest(class, from, &places),
            };
            return best.ok_or(none);
        }
        let mut is_apart = || Outward::by_cost(&[node]).get(0, (id, class), counts, beacons).is_none();
        let first = places.first().map(|place| place.node);
        first.ok_or_else(|| if is_apart() { CrowdError::Bare(id) } else { none })
    }
}

/// Which of several places that are equally near to a target an agent gets; among equals again, the lowest node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Equals {
    /// The place with the cheapest way from the agent. That takes a search, on a large map a long one.
    Cheapest,
    /// The place nearest to the agent by straight line.
    Straight,
}

/// The place of `places` that is nearest to `from` by straight line; among equals the lowest.
fn straightest(class: &dyn AnyClass, from: NodeId, places: &[Listed]) -> Option<NodeId> {
    let square = |place: &NodeId| square_between(class, from, *place).unwrap_or(f64::INFINITY);
    let nodes = places.iter().map(|place| place.node);
    nodes.min_by(|one, other| square(one).total_cmp(&square(other)).then(one.cmp(other)))
}

/// Whether all of `owners` stand by, and so make room for an agent with an order.
fn make_room(owners: &[AgentId], roster: &Roster) -> bool {
    owners.iter().all(|owner| roster.get(*owner).is_none_or(|owner| owner.order.stands_by()))
}

/// The number of searches for free places that are remembered.
const MOST_SEARCHES: usize = 8;

/// The searches for free places used last, the latest at the end.
#[derive(Clone, Debug, Default)]
struct Searches {
    kept: Vec<Search>,
}

/// A search for free places. It resumes where it stopped when another agent is sent to the same goals.
#[derive(Clone, Debug)]
struct Search {
    around: Around,
    outward: Outward,
    vacancies: Vacancies,
}

/// The question of a search for free places: the goals, and the kind of agent.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Around {
    class: ClassId,
    /// The revision of the class's space.
    revision: u64,
    goals: Goals,
    /// The part from which agents have to reach the place; `None`: from anywhere.
    part: Option<Part>,
    /// By straight-line distance, not by the cost of moves.
    by_line: bool,
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

impl Searches {
    /// Notes that `cell` was given up.
    fn doubt(&mut self, cell: CellId) {
        self.kept.iter_mut().for_each(|search| search.vacancies.doubt(cell));
    }

    /// The free places nearest to the goals of `around`. A place is free if it is the goal of no agent but `agent`,
    /// whose goal cells are `claimed`. By straight line all places of the least distance, else one. Empty: there is
    /// none.
    ///
    /// Takes time in proportion to the places not looked at by an earlier call of this kind, or given up since then.
    fn nearest(
        &mut self,
        of: &Owners,
        (agent, claimed): (AgentId, &[Entry]),
        around: Around,
        class: &dyn AnyClass,
        counts: Counts<'_>,
        beacons: &mut Beacons,
    ) -> Vec<Listed> {
        // Results in a space that has changed since are of no use.
        self.kept.retain(|search| search.around.class != around.class || search.around.revision == around.revision);
        let known = self.kept.iter().position(|search| search.around == around);
        let mut search = known.map_or_else(|| Search::new(around), |index| self.kept.remove(index));
        let Search { around, outward, vacancies } = &mut search;
        let own = claimed.iter().map(|entry| entry.cell).filter(|cell| of.get(cell) == Some(&agent));
        own.for_each(|cell| vacancies.doubt(cell));
        let found = vacancies.first(of, agent, |index| {
            let place = outward.get(index, (around.class, class), counts, beacons)?;
            Some(class.room(place.node, 0, FOREVER))
        });
        let mut places: Vec<Listed> = Vec::new();
        if let Some(index) = found {
            let mut next = index;
            while let Some(place) = outward.get(next, (around.class, class), counts, beacons) {
                if places.first().is_some_and(|first| first.square < place.square) {
                    break;
                }
                if next == index || taken_by(of, agent, &class.room(place.node, 0, FOREVER)).is_none() {
                    places.push(place);
                }
                if !around.by_line {
                    break;
                }
                next += 1;
            }
        }
        if self.kept.len() >= MOST_SEARCHES {
            self.kept.remove(0);
        }
        self.kept.push(search);
        places
    }
}
