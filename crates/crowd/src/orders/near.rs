//! Orders to the nearest suitable place.

use std::f32::consts::TAU;

use giveway_core::{Agent, AgentId, Goals, NodeId};

use crate::calls::Call;
use crate::crowd::Crowd;
use crate::destinations::{Counts, Equals, Outward};
use crate::error::CrowdError;
use crate::standing::Beacons;
use crate::state::State;
use giveway_members::class_id::ClassId;
use giveway_members::roster::{Errand, Slot};

impl Crowd<'_> {
    /// Sends `agent` to `node`. If the agent cannot have `node`, it is sent to the nearest free place that it can
    /// reach. Returns the new goal of the agent.
    ///
    /// `node` may be any node of the class's space, even a node on which no unit of the class can stand: a wall, a
    /// closed node, a place that is too narrow. A place is reachable if moves of the class lead to it from the node
    /// where the agent stands, or where its present move ends. Other units do not count as obstacles; closed nodes do.
    ///
    /// # Which place
    /// The agent gets `node` itself if it can reach `node`, and if [`send`](Self::send) would give `node` to it.
    /// Bystanders make room. Otherwise the agent gets one of the places that it can reach and that are not the goal of
    /// another agent:
    ///
    /// 1. the place with the least straight-line distance to `node`, unless the class is [bare](crate::Class::bare);
    /// 2. among equals, the place with the least path cost from the agent, where the cost of each move is rounded to
    ///    thousandths of a plain step;
    /// 3. among equals again, the place with the lowest node id.
    ///
    /// If the class is bare, step 1 takes the place that is cheapest to reach from `node`, as `send` does.
    ///
    /// # Cost
    /// The first order in a connected part of the map takes time linear in that part. After that, reachability is known.
    /// After an edit, the first order takes time linear in the nodes that have changed and in those near them; if the
    /// space does not tell which nodes have changed, reachability is found anew. An order by which the agent gets `node`
    /// itself takes constant time. The first order by which an agent gets another place takes time linear in the nodes
    /// of the class, a later one mostly a small part of that time. If several places are equally near, a path search is
    /// added. In maps with one-way moves each order may take time linear in the places that the agent can reach.
    ///
    /// # Errors
    /// Nothing has changed if there is an error:
    /// * there is no such agent;
    /// * the node is beyond the bound of the space;
    /// * all places that the agent can reach are goals of other agents;
    /// * the class is bare, and no moves lead from `node` to a place that the agent can reach.
    ///
    /// ```
    /// use giveway_core::{Agent, Goals, Point};
    /// use giveway_spaces::Grid;
    /// use giveway_crowd::{Class, Crowd, CrowdSettings};
    ///
    /// // An island in a lake.
    /// let grid = Grid::from_ascii("
    ///     ......
    ///     ..@@@.
    ///     ..@.@.
    ///     ..@@@.
    /// ")?;
    /// let at = |x, y| grid.node(x, y).expect("on the grid");
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid)))?;
    /// let one = crowd.add(class, Agent::bystander(at(0, 2)))?;
    /// let two = crowd.add(class, Agent::bystander(at(0, 3)))?;
    /// // Three places on the shore are two cells from the island. This one is the cheapest to reach; then it is taken.
    /// assert_eq!(crowd.send_near(one, at(3, 2))?, Goals::one(at(1, 2)));
    /// assert_eq!(crowd.send_near(two, at(3, 2))?, Goals::one(at(3, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn send_near(&mut self, agent: AgentId, node: NodeId) -> Result<Goals, CrowdError> {
        self.note(|| Call::SendNear { agent, node });
        let slot = self.slot(agent)?;
        let State { world, roster, destinations, standing, clock, .. } = &mut self.state;
        let member = &roster[slot];
        let (from, _) = member.motion.free_at(clock.now);
        let beacons = &mut standing.beacons;
        let goals =
            Goals::one(destinations.assign_near(member, [from, node], Equals::Cheapest, world, roster, beacons)?);
        self.state.note_order(slot);
        self.state.set_goals(slot, Errand::Go, goals.clone());
        Ok(goals)
    }

    /// Puts `agent` on the free place nearest to `node`, as [`place`](Self::place) does. Returns this place.
    ///
    /// `node` may be any node of the class's space, as with [`send_near`](Self::send_near). The agent need not be able
    /// to reach the place by moves. A place is free for this call if no other agent is on it or under way to it. The
    /// nearest free place is the place with the least straight-line distance to `node`; among equals, the place with
    /// the lowest node id. If the class is [bare](crate::Class::bare), the place that is cheapest to reach from `node`
    /// is nearest.
    ///
    /// Time: constant if the agent can be put on `node`. Otherwise linear in the number of nearer places that are not
    /// free, and at the first call for a class in the nodes of the class.
    ///
    /// # Errors
    /// Nothing has changed if there is an error:
    /// * there is no such agent;
    /// * the node is beyond the bound of the space;
    /// * there is no free place for the agent;
    /// * the class is bare, and no moves lead out of `node`;
    /// * the agent is a bystander, and every place is the goal of another agent.
    pub fn place_near(&mut self, agent: AgentId, node: NodeId) -> Result<NodeId, CrowdError> {
        self.note(|| Call::PlaceNear { agent, node });
        let class = self.state.roster[self.slot(agent)?].class();
        let place = self.state.vacancy_near(agent, class, node)?;
        self.put(agent, place)?;
        Ok(place)
    }

    /// Puts `agent` on the node [nearest](Self::nearest_node) to `position`, which is in world units. If that node is
    /// not free, the agent is put [near](Self::place_near) that node. Call this method when physics has pushed a unit
    /// off its way, for example to a position between two nodes. A move under way is given up. Returns the node on
    /// which the agent now stands. The game has to move the body to this node, for example by drawing the next poses.
    ///
    /// If units turn, several nodes are at one place. If several free nodes are equally near, the agent gets the node
    /// whose heading is nearest to its present heading; among equals, the node with the lowest id. A move that is
    /// merely late needs no such call: see [`hold`](Self::hold) and [`done`](Self::done).
    ///
    /// ```
    /// use giveway_core::{Agent, Point};
    /// use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
    /// use giveway_spaces::Grid;
    ///
    /// let grid = Grid::open(8, 8)?;
    /// let at = |x, y| grid.node(x, y).expect("on the grid");
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// // A step takes 4 ticks.
    /// let class = crowd.add_class(Class::new(&grid, Point::timed(&grid, 4)?))?;
    /// let cart = crowd.add(class, Agent::new(at(0, 0), at(7, 0)))?;
    /// crowd.tick(Budget::unlimited());
    /// // An explosion throws the cart, which is under way.
    /// assert_eq!(crowd.place_at(cart, [1.4, 2.7, 0.0])?, at(1, 3));
    /// // It goes on to its goal from there.
    /// assert_eq!(crowd.is_home(cart), Some(false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`place_near`](Self::place_near); or the position is not finite; or the class of the agent is
    /// [bare](crate::Class::bare); or no node of the class is open. Nothing has changed.
    pub fn place_at(&mut self, agent: AgentId, position: [f32; 3]) -> Result<NodeId, CrowdError> {
        let slot = self.slot(agent)?;
        if position.iter().any(|axis| !axis.is_finite()) {
            return Err(CrowdError::NotFinite);
        }
        let heading = self.pose(agent, 1.0).map_or(0.0, |pose| pose.heading);
        let place = self.state.vacancy_at(slot, position, heading)?;
        self.place_near(agent, place)
    }

    /// [Adds](Self::add) `agent`, a unit of `class`, at its start. If the start is not free, the agent is added on the
    /// nearest free place, as in [`place_near`](Self::place_near). Use this method for spawn points on which another
    /// agent may stand.
    ///
    /// # Errors
    /// As for [`add`](Self::add) and [`place_near`](Self::place_near). Nothing has changed.
    pub fn add_near(&mut self, class: ClassId, agent: Agent) -> Result<AgentId, CrowdError> {
        self.note(|| Call::AddNear { class, agent: agent.clone() });
        if !self.has_class(class) {
            return Err(CrowdError::NoSuchClass(class));
        }
        let start = self.state.vacancy_near(self.next_id(), class, agent.start)?;
        self.enlist(class, Agent { start, ..agent })
    }
}

impl State<'_> {
    /// The node on which the agent at `slot` may be put now that is nearest to the node nearest to `position`; among
    /// equals the one whose heading is nearest to `heading`, then the lowest.
    fn vacancy_at(&mut self, slot: Slot, position: [f32; 3], heading: f32) -> Result<NodeId, CrowdError> {
        self.look_around();
        let mut beacons = std::mem::take(&mut self.standing.beacons);
        let vacancy = self.vacancy_among(&mut beacons, slot, position, heading);
        self.standing.beacons = beacons;
        vacancy
    }

    /// The [vacancy](Self::vacancy_at) among `beacons`.
    fn vacancy_among(
        &self,
        beacons: &mut Beacons,
        slot: Slot,
        position: [f32; 3],
        heading: f32,
    ) -> Result<NodeId, CrowdError> {
        let (member, now) = (&self.roster[slot], self.clock.now);
        let (agent, id, at) = (member.id(), member.class(), member.motion.node());
        let class = &self.world[id];
        let Some(nearest) = beacons.nearest(id, class, position) else {
            let is_bare = class.position(at).is_none();
            return Err(if is_bare { CrowdError::Bare(id) } else { CrowdError::NoRoom { near: at } });
        };
        // Turns of a heading from the one that it has now, to either side.
        let turn = |node: &NodeId| {
            let difference = (class.heading(*node) - heading).rem_euclid(TAU);
            difference.min(TAU - difference)
        };
        let mut rings = beacons.rings(id, class, class.position(nearest).unwrap_or(position));
        let free = rings.find_map(|mut ring| {
            ring.sort_by(|one, other| turn(one).total_cmp(&turn(other)).then(one.cmp(other)));
            ring.into_iter().find(|node| self.check_known_free(agent, id, *node, now).is_ok())
        });
        free.ok_or(CrowdError::NoRoom { near: nearest })
    }

    /// The place nearest to `node` on which `agent` of the class `id` may be put now.
    fn vacancy_near(&mut self, agent: AgentId, id: ClassId, node: NodeId) -> Result<NodeId, CrowdError> {
        let now = self.clock.now;
        let class = &self.world[id];
        if node.index() >= class.node_bound() {
            return Err(CrowdError::NoSuchNode(node));
        }
        let mut outward = match class.position(node) {
            Some(_) => Outward::by_line(node),
            None => Outward::by_cost(&[node]),
        };
        if self.check_free(agent, id, node, now).is_ok() {
            return Ok(node);
        }
        let mut index = 0;
        let mut place = |state: &mut Self, index| {
            let State { world, standing, .. } = state;
            outward.get(index, (id, &world[id]), Counts::All, &mut standing.beacons)
        };
        while let Some(place) = place(self, index) {
            if self.check_free(agent, id, place.node, now).is_ok() {
                return Ok(place.node);
            }
            index += 1;
        }
        let is_apart = index == 0 && matches!(outward, Outward::ByCost(_));
        Err(if is_apart { CrowdError::Bare(id) } else { CrowdError::NoRoom { near: node } })
    }
}
