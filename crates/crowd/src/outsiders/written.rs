//! What is expected of outsiders, as words.

use giveway_core::{AgentId, FOREVER, Garbled, WordReader, Words};

use super::{Margin, Prediction};
use crate::state::State;
use giveway_members::leg::{Before, Leg};

impl State<'_> {
    /// Appends what is expected of outsiders to `words`.
    pub(crate) fn write_outsiders(&self, words: &mut Words) {
        let now = self.clock.now;
        words.size(self.outsiders.len());
        for Prediction { agent, at, path, margin, since, reserved } in &self.outsiders {
            words.word(agent.0.into());
            words.word(at.0.into());
            margin.write_to(words);
            words.difference(now, *since);
            words.option(*reserved);
            words.size(path.len());
            path.iter().fold(Before(*at, now), |before, leg| leg.write_to(before, words));
        }
    }

    /// Reads what is expected of outsiders.
    pub(crate) fn read_outsiders(&mut self, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        let garbled = || Garbled::new("a prediction");
        let now = self.clock.now;
        self.outsiders.clear();
        for _ in 0..words.count()? {
            let agent = AgentId(words.word_32()?);
            let member = self.roster.get(agent).filter(|member| member.goes_along()).ok_or_else(garbled)?;
            let class = &self.world[member.class()];
            let bound = class.node_bound();
            // It has a move to begin at once, or none, and stands on no path.
            let plan = self.roster.slot(agent).map(|slot| self.ledger.plan(slot));
            let plans_ahead = plan.is_some_and(|plan| plan.ahead().iter().any(|leg| leg.depart > now));
            if plans_ahead || self.stopped_paths.iter().any(|(other, _)| *other == agent) {
                return Err(garbled());
            }
            let at = words.node(bound)?;
            let margin = Margin::read_from(words)?;
            let (since, reserved) = (words.difference(now)?, words.option()?);
            let mut path: Vec<Leg> = Vec::new();
            let mut before = Before(at, now);
            for _ in 0..words.count()? {
                let leg = Leg::read_from(before, bound, words)?;
                let (node, free) = path.last().map_or((at, 0), |last| (last.to, last.arrive));
                // After an edit nobody knows which moves there were.
                let is_known = class.allows(&leg) || !class.edit_log().is_empty();
                let takes_time = leg.depart < leg.arrive && leg.arrive < FOREVER;
                if leg.from != node || leg.depart < free || !takes_time || !leg.is_move() || !is_known {
                    return Err(garbled());
                }
                before = Before(leg.to, leg.arrive);
                path.push(leg);
            }
            let is_next = self.outsiders.last().is_none_or(|last| last.agent < agent);
            if !is_next || since > now || reserved.is_some_and(|tick| tick > now) {
                return Err(garbled());
            }
            self.outsiders.push(Prediction { agent, at, path, margin, since, reserved });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use giveway_core::{Agent, NodeId, Point};
    use giveway_spaces::Grid;

    use super::*;
    use crate::ledger::Schedule;
    use crate::{Class, ClassId, Crowd, CrowdSettings, SaveError};
    use giveway_members::roster::Slot;

    /// Saves and loads an outsider that is expected to go along a row and begins its first move, after `damage`.
    fn damaged(damage: fn(&mut State<'_>, Slot, Vec<Leg>)) -> Result<(), SaveError> {
        let grid = Grid::open(5, 2).unwrap();
        let build = || {
            let mut crowd = Crowd::new(CrowdSettings::new());
            crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).editable()).unwrap();
            crowd
        };
        let mut crowd = build();
        // After an edit nobody knows which moves there were.
        crowd.set_open(ClassId(0), NodeId(9), false).unwrap();
        let agent = crowd.add(ClassId(0), Agent::bystander(NodeId(0))).unwrap();
        crowd.predict(agent, &[(0, NodeId(1)), (1, NodeId(2)), (2, NodeId(3))], Margin::new(1)).unwrap();
        crowd.walk(agent, NodeId(1)).unwrap();
        let (slot, path) = (crowd.state.roster.slot(agent).unwrap(), crowd.state.outsiders[0].path.clone());
        damage(&mut crowd.state, slot, path);
        build().load(&crowd.save().unwrap())
    }

    #[test]
    fn what_no_outsider_can_do_is_refused() {
        type Row = (&'static str, fn(&mut State<'_>, Slot, Vec<Leg>), bool);
        let rows: [Row; 8] = [
            ("nothing", |_, _, _| {}, true),
            ("a shorter path", |state, _, path| state.outsiders[0].path = path[..2].to_vec(), true),
            ("a stopped path", |state, _, path| state.stopped_paths.push((AgentId(0), path)), false),
            ("no time", |state, _, _| state.outsiders[0].path[0].arrive = state.outsiders[0].path[0].depart, false),
            ("no end", |state, _, _| state.outsiders[0].path.last_mut().unwrap().arrive = FOREVER, false),
            ("a rest", |state, _, _| state.outsiders[0].path = vec![Leg::resting(NodeId(0), 1, 2)], false),
            ("a jump", |state, _, _| state.outsiders[0].path[0].to = NodeId(8), false),
            ("a plan", |state, slot, path| drop(state.ledger.change_plan(slot, Schedule::new(path, None))), false),
        ];
        for (name, damage, is_right) in rows {
            let expected = if is_right { Ok(()) } else { Err(SaveError::Garbled(Garbled::new("a prediction"))) };
            assert_eq!(damaged(damage), expected, "{name}");
        }
    }
}
