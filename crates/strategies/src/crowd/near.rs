//! Orders to the nearest place that will do.

use giveway_core::near::{Part, Parts, Reach, Ways};
use giveway_core::{Agent, AgentId, Goals, NodeId, ReservationStore};
use rustc_hash::FxHashMap;

use super::any_class::AnyClass;
use super::destination::{Around, room_at};
use super::error::CrowdError;
use super::member::Errand;
use super::outward::{Counts, Footing, Outward};
use super::{ClassId, Crowd};

/// What is known of where units can go, by class.
#[derive(Default)]
pub(super) struct Reaches {
    of: FxHashMap<ClassId, Reachable>,
}

/// What units of one class can reach, in a space that does not change.
#[derive(Default)]
struct Reachable {
    revision: u64,
    parts: Parts,
    /// What can be reached from the part that was asked for last.
    reach: Option<(Part, Reach)>,
    ways: Ways,
}

impl Reaches {
    fn of<R>(&mut self, class: ClassId, space: &dyn AnyClass<R>) -> &mut Reachable {
        let known = self.of.entry(class).or_default();
        if known.revision != space.revision() {
            *known = Reachable { revision: space.revision(), ..Reachable::default() };
        }
        known
    }
}

impl Reachable {
    /// Notes what can be reached from `node`; `None`: nobody can stand there.
    fn look_from<R>(&mut self, class: &dyn AnyClass<R>, node: NodeId) -> Option<Part> {
        let part = self.parts.part(&Footing(class), node)?;
        if self.reach.as_ref().is_none_or(|(of, _)| *of != part) {
            self.reach = Some((part, self.parts.reach(part)));
        }
        Some(part)
    }
}

impl<R: ReservationStore> Crowd<'_, R> {
    /// Sends `agent` to `node`, or if it cannot have or reach it, to the nearest place that it can. Returns where it will go.
    ///
    /// `node` may be any node of the class's space, also one on which no unit of the class can stand: a wall, a closed node, a
    /// place that is too narrow. Reachable means: by moves that units of the class can make, from where the agent next stands. Other units
    /// are not in the way, closed nodes are.
    ///
    /// # Which place
    /// `node` itself, if the agent can reach it and [`send`](Self::send) would give it to the agent: bystanders make room. Otherwise, of
    /// the places that the agent can reach and that are nobody else's goal:
    ///
    /// 1. the one with the least straight-line distance to `node`, where the class is [embedded](super::Class::embedded);
    /// 2. among equals, the one with the least path cost from the agent, each move in whole thousandths of a plain step;
    /// 3. among equals again, the lower node id.
    ///
    /// If the class is not embedded, the place is the one that is cheapest to reach from `node`, as with `send`, of those that the agent can
    /// reach, too.
    ///
    /// # Cost
    /// The first order in a part of the map takes time linear in that part, and so does the first one after an edit of the map. Then it is
    /// known which places each can reach. An order to a place that can be had takes constant time. Any other one takes time linear in the nodes of the
    /// class if nobody was sent to the same place shortly before, and a path search towards the place if several are as near. Where moves lead one
    /// way only, each order may take time linear in what the agent can reach.
    ///
    /// # Errors
    /// The agent does not exist; the node is beyond the bound of the space; all that the agent can reach is others' goals;
    /// the class would have to be embedded, as no moves lead from `node` to any place that the agent can reach. Nothing has changed.
    ///
    /// ```
    /// use giveway_core::{Agent, Goals, Point};
    /// use giveway_spaces::Grid;
    /// use giveway_strategies::{Class, Crowd, Whca};
    ///
    /// // An island in a lake.
    /// let grid = Grid::from_ascii("
    ///     ......
    ///     ..@@@.
    ///     ..@.@.
    ///     ..@@@.
    /// ")?;
    /// let at = |x, y| grid.node(x, y).expect("on the grid");
    /// let mut crowd = Crowd::new(Whca::new());
    /// let class = crowd.class(Class::new(&grid, Point::swap_rule(&grid)).embedded())?;
    /// let one = crowd.add(class, Agent::bystander(at(0, 2)))?;
    /// let two = crowd.add(class, Agent::bystander(at(0, 3)))?;
    /// // Three places on the shore are two cells from the island. The cheapest to reach is this one; then it is taken.
    /// assert_eq!(crowd.send_near(one, at(3, 2))?, Goals::one(at(1, 2)));
    /// assert_eq!(crowd.send_near(two, at(3, 2))?, Goals::one(at(3, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn send_near(&mut self, agent: AgentId, node: NodeId) -> Result<Goals, CrowdError> {
        let goals = Goals::one(self.assign_near(agent, node)?);
        self.set_goals(agent, Errand::Go, goals.clone());
        Ok(goals)
    }

    /// Puts `agent` on the place nearest to `node` on which it can be put: see [`place`](Self::place). Returns where that is.
    ///
    /// `node` may be any node of the class's space, as with [`send_near`](Self::send_near). The place need not be one that the agent could reach. It
    /// is the one with the least straight-line distance to `node` on which nobody is, and to which nobody is under way; among equals,
    /// the lower node id. If the class is not [embedded](super::Class::embedded), it is the one that is cheapest to reach from `node`.
    ///
    /// Time: constant if the agent can be put on `node`; otherwise linear in the nodes of the class, and in the places that are nearer and
    /// taken.
    ///
    /// # Errors
    /// The agent does not exist; the node is beyond the bound of the space; there is no place; the class would have to be embedded, as
    /// no moves lead from `node` anywhere. A bystander finds no place that is nobody's goal. Nothing has changed.
    pub fn place_near(&mut self, agent: AgentId, node: NodeId) -> Result<NodeId, CrowdError> {
        let class = self.members.get(&agent).ok_or(CrowdError::NoSuchAgent(agent))?.class;
        let place = self.vacancy_near(agent, class, node)?;
        self.place(agent, place)?;
        Ok(place)
    }

    /// [Adds](Self::add) an agent of `class` on the place nearest to its start on which it can be put, by the rule of
    /// [`place_near`](Self::place_near): a spawn point may be taken.
    ///
    /// # Errors
    /// As for [`add`](Self::add) and [`place_near`](Self::place_near). Nothing has changed.
    pub fn add_near(&mut self, class: ClassId, agent: Agent) -> Result<AgentId, CrowdError> {
        if !self.has_class(class) {
            return Err(CrowdError::NoSuchClass(class));
        }
        let start = self.vacancy_near(self.next_id(), class, agent.start)?;
        self.add(class, Agent { start, ..agent })
    }

    /// Where an agent goes that is sent near `node`. Changes nothing that can be seen.
    fn assign_near(&mut self, agent: AgentId, node: NodeId) -> Result<NodeId, CrowdError> {
        let member = self.members.get(&agent).ok_or(CrowdError::NoSuchAgent(agent))?;
        let (id, (from, _)) = (member.class, member.free_at(self.now));
        let class = &*self.classes[id.0 as usize];
        if node.index() >= class.node_bound() {
            return Err(CrowdError::NoSuchNode(node));
        }
        let reachable = self.reaches.of(id, class);
        // An agent always stands where it can.
        let part = reachable.look_from(class, from).ok_or(CrowdError::NoSuchNode(from))?;
        let (parts, ways) = (&reachable.parts, &mut reachable.ways);
        let counts = reachable.reach.as_ref().map_or(Counts::All, |(_, reach)| Counts::Within(parts, reach));
        if counts.has(node) {
            let owners = self.destinations.owners(agent, &room_at(class, node));
            let stands_by = |owner| self.members.get(owner).is_none_or(|owner| owner.errand == Errand::StandBy);
            if owners.iter().all(stands_by) {
                return Ok(node);
            }
        }
        let by_line = class.position(node).is_some();
        let around =
            Around { class: id, revision: class.revision(), goals: Goals::one(node), part: Some(part), by_line };
        let places = self.destinations.nearest(agent, &member.claimed, around, class, counts);
        let none = CrowdError::NoFreePlace { goal: node };
        if by_line {
            let cheapest = ways.cheapest(&Footing(class), parts.pace(), from, &places);
            return cheapest.ok_or(none);
        }
        let is_apart = || Outward::by_cost(&[node]).get(0, class, counts).is_none();
        places
            .first()
            .map(|place| place.node)
            .ok_or_else(|| if is_apart() { CrowdError::NotEmbedded(id) } else { none })
    }

    /// The place nearest to `node` on which `agent` of the class `id` may be put now.
    fn vacancy_near(&mut self, agent: AgentId, id: ClassId, node: NodeId) -> Result<NodeId, CrowdError> {
        let class = &*self.classes[id.0 as usize];
        if node.index() >= class.node_bound() {
            return Err(CrowdError::NoSuchNode(node));
        }
        let mut outward = match class.position(node) {
            Some(_) => Outward::by_line(node),
            None => Outward::by_cost(&[node]),
        };
        if self.check_free(agent, id, node, self.now).is_ok() {
            return Ok(node);
        }
        let mut index = 0;
        while let Some(place) = outward.get(index, &*self.classes[id.0 as usize], Counts::All) {
            if self.check_free(agent, id, place.node, self.now).is_ok() {
                return Ok(place.node);
            }
            index += 1;
        }
        let is_apart = index == 0 && matches!(outward, Outward::ByCost(_));
        Err(if is_apart { CrowdError::NotEmbedded(id) } else { CrowdError::NoRoom { near: node } })
    }
}
