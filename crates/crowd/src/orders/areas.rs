//! Changes of the world by area, for all classes at once.

use giveway_core::{AgentId, Area, Change, NodeId, Surface};

use crate::calls::Call;
use crate::crowd::Crowd;
use crate::error::CrowdError;
use crate::state::State;
use giveway_members::class_id::ClassId;
use giveway_members::roster::{Member, Slot};
use giveway_members::world::AnyClass;

impl Crowd<'_> {
    /// Closes `area` to all classes: a building is placed, a bridge is blown up. Returns whether a space changed.
    ///
    /// If a unit of any class stands inside, or has a move under way that ends inside, the call fails.
    /// [`inside`](Self::inside) lists these units; [`vacate`](Self::vacate) lets them leave. Moves under way end as
    /// planned, even across the area. An agent whose goal is closed becomes a bystander. If the agent is under way,
    /// this happens when it next plans.
    ///
    /// The space of a class that is added later is not changed. The [space](giveway_core::Editable) of each class
    /// decides which of its places and moves the area covers. Takes time in proportion to the map, or, in irregular
    /// spaces, to the moves.
    ///
    /// A class that is not [editable](crate::Class::editable) keeps its map, and its moves across the area stay. If a
    /// node of such a class lies in the area, the call fails. A [bare](crate::Class::bare) class that is not editable
    /// cannot tell where its nodes lie, so the call fails, too.
    ///
    /// ```
    /// use giveway_core::{Agent, Area, Point};
    /// use giveway_spaces::Grid;
    /// use giveway_crowd::{Class, Crowd, CrowdError, CrowdSettings};
    ///
    /// let grid = Grid::open(9, 9)?;
    /// let at = |x, y| grid.node(x, y).expect("on the grid");
    /// let mut crowd = Crowd::new(CrowdSettings::new());
    /// let class = crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).editable())?;
    /// let one = crowd.add(class, Agent::bystander(at(4, 4)))?;
    ///
    /// let house = Area::cells(3, 3, 3, 3)?;
    /// assert_eq!(crowd.close(&house), Err(CrowdError::Occupied { node: at(4, 4), by: one }));
    /// // The unit stands inside, so nothing has changed. Let the unit leave first.
    /// assert_eq!(crowd.vacate(&house)?, [one]);
    /// while !crowd.inside(&house).is_empty() {
    ///     crowd.tick(giveway_crowd::Budget::unlimited());
    /// }
    /// assert_eq!(crowd.now(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A class that is not [editable](crate::Class::editable) has a node inside, or is bare. Or an agent is inside; the
    /// error names the first such agent. Nothing has changed.
    pub fn close(&mut self, area: &Area) -> Result<bool, CrowdError> {
        self.note(|| Call::Close { area: area.clone() });
        self.state.check_editable(area)?;
        if let Some(slot) = self.state.slots_inside(area).next() {
            let member = &self.state.roster[slot];
            let (node, _) = member.motion.free_at(self.state.clock.now);
            return Err(CrowdError::Occupied { node, by: member.id() });
        }
        Ok(self.state.change(area, Change::Close))
    }

    /// [Closes](Self::close) `area` to all units outside. Units inside may leave. Returns the units inside. If no unit
    /// is inside, the area closes for good at once. To close areas of which one is the way out of another, vacate them
    /// in one call, [joined](Area::and) to one area.
    ///
    /// Suppose that the goal of a unit inside lies outside. Then the unit goes on to its goal, and may cross the area
    /// on its way. Every other unit inside goes to the nearest place outside, and stands by there. No unit may enter,
    /// except from an adjacent area that is also being vacated. A unit that cannot get out stays, and so does an
    /// [outsider](Self::predict) until the game moves it.
    ///
    /// If units are inside, the area closes for good when no unit is in this area or in an adjacent area that is being
    /// vacated: [`inside`](Self::inside) returns no agents for any of these areas. Two areas count as adjacent if their
    /// bounding boxes meet. If this area or an adjacent area is [opened](Self::open), the area does not close for good.
    ///
    /// In a class whose space does not know [`Change::Vacate`], nothing changes until the area closes for good: units
    /// may enter, and units inside are not sent away.
    ///
    /// # Errors
    /// A class that is not [editable](crate::Class::editable) has a node inside, or is bare. Nothing has changed.
    pub fn vacate(&mut self, area: &Area) -> Result<Vec<AgentId>, CrowdError> {
        self.note(|| Call::Vacate { area: area.clone() });
        self.state.check_editable(area)?;
        let inside = self.inside(area);
        if inside.is_empty() {
            self.state.change(area, Change::Close);
        } else {
            self.state.change(area, Change::Vacate);
            self.state.world.vacating.push(area.clone());
        }
        Ok(inside)
    }

    /// Opens all places in `area` to all classes, even walls of the map. If the bounding box of an area that is being
    /// [vacated](Self::vacate) meets `area`, that area will not close for good. Returns whether a space changed.
    ///
    /// # Errors
    /// A class that is not [editable](crate::Class::editable) has a node inside, or is bare. Nothing has changed.
    pub fn open(&mut self, area: &Area) -> Result<bool, CrowdError> {
        self.note(|| Call::Open { area: area.clone() });
        self.state.check_editable(area)?;
        // An open area does not close for good later.
        self.state.world.vacating.retain(|vacating| !vacating.is_near_to(area));
        Ok(self.state.change(area, Change::Open))
    }

    /// Gives `surface` to the places in `area`, for all classes: a road is paved, a meadow floods. Returns whether a
    /// space changed. Moves under way end as planned.
    ///
    /// # Errors
    /// A class that is not [editable](crate::Class::editable) has a node inside, or is bare. Or an editable class has
    /// too few ticks per step: on `surface` the duration of a move would be wrong by more than 1 %. The error names a
    /// number of ticks per step that is enough, if there is one. Nothing has changed.
    pub fn resurface(&mut self, area: &Area, surface: Surface) -> Result<bool, CrowdError> {
        self.note(|| Call::Resurface { area: area.clone(), surface });
        let state = &mut self.state;
        state.check_editable(area)?;
        for id in state.world.ids().filter(|id| state.world[*id].is_editable()) {
            let suits = state.world[id].check_slowness(surface.slowness());
            suits.map_err(|coarse| CrowdError::TooCoarse { class: id, coarse })?;
        }
        Ok(state.change(area, Change::Surface(surface)))
    }

    /// The agents that stand inside `area`, or have a move under way that ends inside, in the order in which they were
    /// added. Agents of classes that are not [editable](crate::Class::editable) are never inside.
    pub fn inside(&self, area: &Area) -> Vec<AgentId> {
        self.state.slots_inside(area).map(|slot| self.state.roster[slot].id()).collect()
    }
}

impl State<'_> {
    /// Whether all classes with places in `area` can change.
    fn check_editable(&self, area: &Area) -> Result<(), CrowdError> {
        let is_fixed = |class: &dyn AnyClass| !class.is_editable() && class.may_have_nodes_in(area);
        match self.world.ids().find(|id| is_fixed(&self.world[*id])) {
            Some(id) => Err(CrowdError::NotEditable(id)),
            None => Ok(()),
        }
    }

    /// Closes every vacated area for good that is empty, unless units may have to cross it to leave an adjacent area.
    pub(crate) fn seal_vacated(&mut self) {
        let areas = std::mem::take(&mut self.world.vacating);
        let is_empty = |area: &Area| self.slots_inside(area).next().is_none();
        let (empty, occupied): (Vec<Area>, Vec<Area>) = areas.into_iter().partition(is_empty);
        let (waiting, sealed): (Vec<Area>, Vec<Area>) =
            empty.into_iter().partition(|area| occupied.iter().any(|other| other.is_near_to(area)));
        self.world.vacating = occupied.into_iter().chain(waiting).collect();
        for area in sealed {
            self.change(&area, Change::Seal);
        }
    }

    fn slots_inside(&self, area: &Area) -> impl Iterator<Item = Slot> {
        let place = |(slot, member): (Slot, &Member)| (slot, member.class(), member.motion.free_at(self.clock.now).0);
        let places: Vec<(Slot, ClassId, NodeId)> = self.roster.iter().map(place).collect();
        // Members and positions lie apart in memory. In a loop that does nothing else the processor fetches many at a
        // time.
        for (_, class, node) in &places {
            let _ = self.world[*class].position(*node);
        }
        let inside = places.into_iter().filter(move |(_, class, node)| self.world[*class].is_inside(*node, area));
        inside.map(|(slot, ..)| slot)
    }

    /// Applies `change` to all spaces that are editable. Units at rest whose place is closed get another one.
    fn change(&mut self, area: &Area, change: Change) -> bool {
        let mut changed = false;
        for id in self.world.ids() {
            let before = self.world[id].revision();
            if self.world[id].change(area, change) {
                changed = true;
                self.note_edit_since(id, before);
            }
        }
        if !changed {
            return false;
        }
        for slot in self.roster.slots() {
            let member = &self.roster[slot];
            // The game moves it, and moves it out.
            if self.is_outsider(member.id()) {
                continue;
            }
            let class = &self.world[member.class()];
            // An agent outside finds out when its distances are renewed. An agent inside could still get to a goal that
            // is closed.
            let (node, _) = member.motion.free_at(self.clock.now);
            let stops = member.order.stands_by() || member.is_home() || !class.contains(node);
            if stops && member.order.goals().nodes().iter().all(|goal| !class.contains(*goal)) {
                // If there is no other place, the unit stays.
                let _ = self.stop(slot);
            }
        }
        true
    }
}
