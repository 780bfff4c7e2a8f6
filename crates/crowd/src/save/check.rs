//! Whether the parts of a crowd that was read agree: whatever the words were, no units overlap, and no plan leads
//! through a wall or through what another agent has reserved.

use giveway_core::{Entry, FOREVER, Garbled, Span};

use crate::late::room_of_stay;
use crate::state::{State, Unit};
use giveway_members::leg::Leg;
use giveway_members::roster::Slot;
use giveway_members::world::Edited;

/// Checks `state`, and looks up how moves are driven.
pub(super) fn all(state: &mut State<'_>) -> Result<(), Garbled> {
    state.drive();
    let soft = state.settings.soft_rests.is_some();
    let edited: Vec<Option<Edited>> = state.world.ids().map(|class| state.world.edits_ahead(class)).collect();
    for slot in state.roster.slots() {
        state.check_motion(slot)?;
        let class = state.roster[slot].class();
        // What an edit concerns is looked at before anything moves.
        let edited = edited[class.0 as usize].as_ref();
        let is_edited = edited.is_some_and(|edited| state.is_concerned(slot, edited));
        state.check_plan(slot, soft, is_edited)?;
        state.check_sleep(slot)?;
    }
    if !soft && state.survey().meets_any(state.clock.now) {
        return Err(Garbled::new("agents beside each other"));
    }
    Ok(())
}

impl State<'_> {
    /// Looks up how members drive their moves.
    fn drive(&mut self) {
        for slot in self.roster.slots() {
            let member = &self.roster[slot];
            let leg = member.motion.as_planned();
            let class = &self.world[member.class_of_move()];
            if leg.is_move()
                && let Some(trajectory) = class.begin(&leg, &mut Vec::new())
            {
                self.roster.at_rest_or_not(slot).motion.set_trajectory(trajectory);
            }
        }
    }

    /// Checks that the member at `slot` occupies what its motion takes.
    fn check_motion(&self, slot: Slot) -> Result<(), Garbled> {
        let (member, now) = (&self.roster[slot], self.clock.now);
        let (class, body) = (&self.world[member.class_of_move()], &self.world[member.body_class(now)]);
        let is_whole = body.holds_whole_moves() && self.world[member.class()].holds_whole_moves();
        if member.motion.is_reported() && !is_whole {
            return Err(Garbled::new("a unit that cannot report its moves"));
        }
        let leg = &member.motion.as_planned();
        let (swept, is_moving) = (member.motion.swept(), member.motion.is_moving());
        let stays = member.motion.stays();
        // Units that are held may stand in an area that has to be left.
        let is_vacated = !body.edit_log().is_empty() && leg.to.index() < body.node_bound();
        if stays.is_some() && !body.contains(leg.to) && !is_vacated {
            return Err(Garbled::new("a stay in the space"));
        }
        let room = stays.map_or(Vec::new(), |span| room_of_stay(body, leg.to, span));
        // After an edit nobody knows what it was.
        if !leg.is_move() || class.allows(leg) {
            let mut entries = Vec::new();
            if leg.is_move() {
                class.begin(leg, &mut entries);
            }
            if !member.motion.is_left_of(&entries, &room, now) {
                return Err(Garbled::new("what a motion occupies"));
            }
            return Ok(());
        }
        let is_over = !is_moving && swept.is_empty();
        // It occupies something up to its end.
        let (_, end) = member.motion.free_at(now);
        let lasts = !is_moving || member.motion.is_reported() || swept.iter().any(|entry| entry.span.end >= end);
        let may_differ = !class.edit_log().is_empty() && !swept.is_empty() && lasts;
        if is_over || may_differ { Ok(()) } else { Err(Garbled::new("a motion in the space")) }
    }

    /// Checks that the plan of the member at `slot` leads on from where it is, through no wall, and is reserved.
    /// `is_edited`: an edit concerns it, so that it may lead through a wall by now, and takes other cells.
    fn check_plan(&self, slot: Slot, soft: bool, is_edited: bool) -> Result<(), Garbled> {
        let Unit { member, plan, .. } = self.unit(slot);
        let (class, now) = (self.class(slot), self.clock.now);
        let agent = member.id();
        let (mut node, mut tick) = member.motion.free_at(now);
        let mut entries = Vec::new();
        // A route goes by no clock.
        let is_possible = |leg: &Leg| {
            let departs = leg.depart..leg.depart.saturating_add(class.period().max(1));
            departs.into_iter().any(|depart| class.allows(&leg.begun_at(depart)))
        };
        if !is_edited && !member.itinerary.left().iter().all(is_possible) {
            return Err(Garbled::new("a route through no wall"));
        }
        for (index, leg) in plan.ahead().iter().enumerate() {
            let is_under_way = index == 0 && member.motion.is_moving() && leg == member.motion.last_move();
            // Waits of a sleeper pass once it is awake. In front of a move they would keep the move from beginning.
            let has_passed = !leg.is_move() && leg.arrive <= now && leg.from == node && !plan.has_moves();
            if is_under_way || has_passed {
                continue;
            }
            let begins = leg.depart >= tick || !leg.is_move() && leg.arrive > now && index == 0;
            if leg.from != node || !begins || !leg.is_move() && leg.to != node {
                return Err(Garbled::new("a plan that leads on"));
            }
            (node, tick) = (leg.to, leg.arrive);
            if is_edited {
                continue;
            }
            // An agent may stay where a wall is going to be, until it has left.
            if leg.depart >= now && leg.is_move() && !class.allows(leg) {
                return Err(Garbled::new("a plan through no wall"));
            }
            entries.clear();
            class.sweep(leg, &mut entries);
            if !soft && !self.ledger.holds(&entries, agent, now) {
                return Err(Garbled::new("a plan that is reserved"));
            }
        }
        if let Some(rest) = plan.rest.as_ref().filter(|_| !soft && !is_edited) {
            entries.clear();
            class.sweep(&Leg::resting(node, tick.max(now), FOREVER), &mut entries);
            if rest.from > tick.saturating_add(1).max(now) || !self.ledger.holds(&entries, agent, now) {
                return Err(Garbled::new("a rest that is reserved"));
            }
        }
        if member.motion.is_moving() {
            let (_, free_at) = member.motion.free_at(now);
            let under_way = Span::new(now, free_at);
            let of_move = |entry: &Entry| Entry { span: entry.span.intersection(under_way), ..*entry };
            let swept: Vec<Entry> = member.motion.swept().iter().map(of_move).collect();
            if !soft && !self.ledger.holds(&swept, agent, now) {
                return Err(Garbled::new("a motion that is reserved"));
            }
        }
        Ok(())
    }

    /// Checks that ticks may pass by the member at `slot` if it is asleep.
    fn check_sleep(&self, slot: Slot) -> Result<(), Garbled> {
        let Unit { member, plan, .. } = self.unit(slot);
        let may_sleep = member.may_sleep() && plan.rest.is_some() && !plan.has_moves();
        if self.roster.sleeps(slot) && !may_sleep { Err(Garbled::new("an agent that is awake")) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use giveway_core::{Agent, CellId, NodeId, Point, Tick};
    use giveway_spaces::Grid;

    use super::*;
    use crate::ledger::Schedule;
    use crate::{Budget, Class, ClassId, Crowd, CrowdSettings, SaveError};
    use giveway_members::rank::RESTING;

    /// Saves and loads a unit that goes along a row, arrives at tick 12, and has planned up to tick 48. It has lost all
    /// that it had reserved from tick `from` on, but for the ticks in `kept` of the place at which it is going to rest.
    fn without(from: Tick, kept: Option<Span>) -> Result<(), SaveError> {
        let grid = Grid::open(5, 1).unwrap();
        let build = || {
            let mut crowd = Crowd::new(CrowdSettings::new());
            crowd.add_class(Class::new(&grid, Point::rounded(&grid, 3))).unwrap();
            crowd
        };
        let mut crowd = build();
        let agent = crowd.add(ClassId(0), Agent::new(grid.node(0, 0).unwrap(), grid.node(4, 0).unwrap())).unwrap();
        crowd.tick(Budget::unlimited());
        let slot = crowd.state.roster.slot(agent).unwrap();
        let ends: Vec<Tick> = crowd.state.ledger.plan(slot).ahead().iter().rev().map(|leg| leg.arrive).collect();
        assert_eq!(ends[..2], [48, 12]);
        crowd.state.ledger.release(slot, from);
        let kept: Vec<Entry> = kept.into_iter().map(|span| Entry { cell: CellId(4), span }).collect();
        crowd.state.ledger.hold(slot, RESTING, &kept).unwrap();
        build().load(&crowd.save().unwrap())
    }

    /// After an edit nobody knows what a move takes, but it takes something up to its end.
    #[test]
    fn a_move_out_of_a_new_wall_takes_something_up_to_its_end() {
        let grid = Grid::open(5, 1).unwrap();
        let build = || {
            let mut crowd = Crowd::new(CrowdSettings::new());
            crowd.add_class(Class::new(grid.clone(), Point::rounded(&grid, 12)).editable()).unwrap();
            crowd
        };
        let mut crowd = build();
        let [here, goal] = [0, 4].map(|x| grid.node(x, 0).unwrap());
        let agent = crowd.add(ClassId(0), Agent::new(here, goal)).unwrap();
        crowd.tick(Budget::unlimited());
        crowd.set_open(ClassId(0), here, false).unwrap();
        assert_eq!(build().load(&crowd.save().unwrap()), Ok(()));
        let slot = crowd.state.roster.slot(agent).unwrap();
        let early = |entry: &Entry| Entry { span: Span::new(entry.span.start, entry.span.end.min(5)), ..*entry };
        let motion = &mut crowd.state.roster.at_rest_or_not(slot).motion;
        let swept: Vec<Entry> = motion.swept().iter().map(early).collect();
        motion.begin(*motion.last_move(), None, &swept, None, 1);
        let garbled = Err(SaveError::Garbled(Garbled::new("a motion in the space")));
        assert_eq!(build().load(&crowd.save().unwrap()), garbled);
    }

    /// Whoever is held stands in the space; after an edit, in what was the space before it.
    #[test]
    fn without_an_edit_nobody_is_held_in_a_wall() {
        let grid = Grid::from_fn(5, 2, |x, y| (x, y) != (2, 1)).unwrap();
        let build = || {
            let mut crowd = Crowd::new(CrowdSettings::new());
            crowd.add_class(Class::new(grid.clone(), Point::rounded(&grid, 1)).editable()).unwrap();
            crowd
        };
        let [here, wall] = [(0, 0), (2, 1)].map(|(x, y)| NodeId(y * 5 + x));
        for (node, outcome) in [(here, Ok(())), (wall, Err(SaveError::Garbled(Garbled::new("a stay in the space"))))] {
            let mut crowd = build();
            let agent = crowd.add(ClassId(0), Agent::bystander(here)).unwrap();
            let slot = crowd.state.roster.slot(agent).unwrap();
            let span = Span::new(0, 5);
            let room = room_of_stay(&crowd.state.world[ClassId(0)], node, span);
            let motion = &mut crowd.state.roster.at_rest_or_not(slot).motion;
            motion.put(node, 0);
            motion.stay(span, &room, &[]);
            assert_eq!(build().load(&crowd.save().unwrap()), outcome);
        }
    }

    /// A wait that has passed, in front of the next move, would keep the move from beginning, though all of it is held.
    #[test]
    fn no_wait_that_has_passed_is_in_front_of_a_move() {
        let grid = Grid::open(5, 1).unwrap();
        let build = || {
            let mut crowd = Crowd::new(CrowdSettings::new());
            crowd.add_class(Class::new(&grid, Point::rounded(&grid, 1))).unwrap();
            crowd
        };
        let [here, goal] = [0, 4].map(|x| grid.node(x, 0).unwrap());
        let refused = Err(SaveError::Garbled(Garbled::new("a plan that leads on")));
        for (is_in_front, outcome) in [(false, Ok(())), (true, refused)] {
            let mut crowd = build();
            let agent = crowd.add(ClassId(0), Agent::new(here, goal)).unwrap();
            crowd.tick(Budget::unlimited());
            let slot = crowd.state.roster.slot(agent).unwrap();
            let plan = crowd.state.ledger.plan(slot);
            let mut legs = plan.ahead().to_vec();
            if is_in_front {
                legs.insert(0, Leg::resting(legs[0].from, 0, 1));
            }
            let mut changed = Schedule::new(legs, plan.rest.clone());
            changed.by = plan.by;
            crowd.state.ledger.change_plan(slot, changed);
            assert_eq!(build().load(&crowd.save().unwrap()), outcome);
        }
    }

    #[test]
    fn plans_are_held_at_all_their_ticks() {
        let (plan, rest) = (Some("a plan that is reserved"), Some("a rest that is reserved"));
        for (from, kept, refused) in [
            (FOREVER, None, None),
            (12, Some(Span::endless(12)), None),
            // Not the cells of its last move beside the place.
            (9, Some(Span::endless(9)), plan),
            (2, None, plan),
            (11, None, plan),
            (12, Some(Span::endless(13)), plan),
            (12, Some(Span::new(12, 47)), plan),
            (12, Some(Span::new(12, 48)), rest),
            // Only the first ticks of the rest.
            (49, None, rest),
            (12, Some(Span::new(12, 100)), rest),
        ] {
            let expected = refused.map_or(Ok(()), |what| Err(SaveError::Garbled(Garbled::new(what))));
            assert_eq!(without(from, kept), expected, "from {from}, but for {kept:?}");
        }
    }
}
