//! Changes of the world by area, for all classes at once.

use giveway_core::{AgentId, Area, Change, Surface};

use crate::class_id::ClassId;
use crate::crowd::Crowd;
use crate::error::CrowdError;
use crate::roster::Slot;
use crate::state::State;
use crate::world::AnyClass;

impl Crowd<'_> {
    /// Closes `area` to all classes: a building is placed, a bridge is blown up. Returns whether a space changed.
    ///
    /// Nothing closes while a unit of any class stands inside, or has a move under way that ends inside. Ask
    /// [`inside`](Self::inside) for these units, or let them [leave](Self::vacate). Moves under way end as planned,
    /// even across the area. An agent whose goal is closed stands by: a bystander elsewhere, an agent under way when it
    /// next plans.
    ///
    /// A class that is added later has a map of its own, in which nothing has changed. Which places and moves an area
    /// covers is up to the [space](giveway_core::Editable) of each class. Takes time in proportion to the map, or, on
    /// irregular spaces, to the moves.
    ///
    /// A class that is not [editable](crate::Class::editable) keeps its map. That is no error if none of its nodes lies
    /// in the area: rails elsewhere do not prevent building. Its moves across the area stay. A
    /// [bare](crate::Class::bare) class that is not editable cannot tell where its nodes lie; then nothing changes
    /// anywhere.
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
    /// // Nothing is built. Now it is, and the unit is on its way out.
    /// assert_eq!(crowd.vacate(&house)?, [one]);
    /// while !crowd.inside(&house).is_empty() {
    ///     crowd.tick(giveway_crowd::Budget::unlimited());
    /// }
    /// assert_eq!(crowd.now(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A class is not [editable](crate::Class::editable), and it has a node inside; a bare class counts as having one.
    /// Or an agent is inside. The error names the first. Nothing has changed.
    pub fn close(&mut self, area: &Area) -> Result<bool, CrowdError> {
        self.state.check_editable(area)?;
        if let Some(slot) = self.state.slots_inside(area).next() {
            let member = &self.state.roster[slot];
            let (node, _) = member.motion.free_at(self.state.clock.now);
            return Err(CrowdError::Occupied { node, by: member.id() });
        }
        Ok(self.state.change(area, Change::Close))
    }

    /// [Closes](Self::close) `area` to all units outside. Units inside may leave. Returns the units inside.
    ///
    /// If the order of a unit inside leads out of the area, the unit goes on with it, and may cross the area on its
    /// way. Otherwise the unit goes to the nearest place outside, and stands by there. No unit may enter, unless it
    /// comes from an adjacent area that is also being vacated. The area closes for good once it is empty, and so are
    /// all adjacent areas that are being vacated. [`inside`](Self::inside) then returns no agents.
    /// [Opening](Self::open) the area calls that off. A unit that cannot get out stays. In a space that does not know
    /// how to let units [leave](Change::Vacate), the area stays open until it is empty.
    ///
    /// # Errors
    /// A class is not [editable](crate::Class::editable), and it has a node inside; a bare class counts as having one.
    /// Nothing has changed.
    pub fn vacate(&mut self, area: &Area) -> Result<Vec<AgentId>, CrowdError> {
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

    /// Opens all that `area` covers to all classes, whatever closed it: also walls of the map. Returns whether a space
    /// changed.
    ///
    /// # Errors
    /// A class is not [editable](crate::Class::editable), and it has a node inside; a bare class counts as having one.
    /// Nothing has changed.
    pub fn open(&mut self, area: &Area) -> Result<bool, CrowdError> {
        self.state.check_editable(area)?;
        // An open area does not close for good later.
        self.state.world.vacating.retain(|vacating| !vacating.is_near_to(area));
        Ok(self.state.change(area, Change::Open))
    }

    /// Gives `surface` to the places in `area`, for all classes: a road is paved, a meadow floods. Returns whether a
    /// space changed. Moves under way end as planned.
    ///
    /// # Errors
    /// A class is not [editable](crate::Class::editable), and it has a node inside; a bare class counts as having one.
    /// Or the ticks per step of an editable class are too few: on that surface the duration of a move would be wrong by
    /// more than 1 %. The error names a number of ticks per step that is enough, if there is one. Nothing has changed.
    pub fn resurface(&mut self, area: &Area, surface: Surface) -> Result<bool, CrowdError> {
        let state = &mut self.state;
        state.check_editable(area)?;
        for id in state.class_ids().filter(|id| state.world[*id].is_editable()) {
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
    fn class_ids(&self) -> impl Iterator<Item = ClassId> + use<> {
        let count = self.world.next_id().map_or(u32::MAX, |id| id.0);
        (0..count).map(ClassId)
    }

    /// Whether all classes with places in `area` can change.
    fn check_editable(&self, area: &Area) -> Result<(), CrowdError> {
        let is_fixed = |class: &dyn AnyClass| !class.is_editable() && class.may_have_nodes_in(area);
        match self.class_ids().find(|id| is_fixed(&self.world[*id])) {
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
        self.roster.iter().filter_map(move |(slot, member)| {
            let (node, _) = member.motion.free_at(self.clock.now);
            self.world[member.class()].is_inside(node, area).then_some(slot)
        })
    }

    /// Applies `change` to all spaces that are editable. Units at rest whose place is closed get another one.
    fn change(&mut self, area: &Area, change: Change) -> bool {
        let mut changed = false;
        for id in self.class_ids() {
            changed |= self.world[id].change(area, change);
        }
        if !changed {
            return false;
        }
        self.ledger.forget_presence();
        for slot in self.roster.slots() {
            let member = &self.roster[slot];
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
