//! Orders that go on: what agents with standing orders do at the end of a tick.

use super::following::Carried;
use crate::news::News;
use crate::report::Report;
use crate::standing::{Approach, Standing};
use crate::state::State;
use giveway_members::roster::Slot;

impl State<'_> {
    /// Carries out the standing orders of all agents that have some, after the moves of the tick of `report`.
    pub(crate) fn carry_out(&mut self, report: &mut Report) {
        if self.standing.is_empty() {
            return;
        }
        let (mut orders, marches) = self.standing.take();
        // A follower arrives where its target was: nobody's goal.
        let follows = |agent| {
            let index = orders.binary_search_by_key(&agent, |(agent, _)| *agent);
            index.is_ok_and(|index| matches!(orders[index].1, Standing::Follow(_)))
        };
        report.arrived.retain(|agent| !follows(*agent));
        orders.retain_mut(|(agent, order)| {
            let Some(slot) = self.roster.slot(*agent) else { return false };
            let carried = match order {
                Standing::Follow(pursuit) => self.chase(slot, pursuit, report),
                Standing::Route(route) => self.go_on(slot, route, report),
                Standing::Approach(approach) => self.come_within(slot, *approach, report),
            };
            carried == Carried::On
        });
        let marches = self.march(marches, report);
        self.standing.put_back(orders, marches);
    }

    /// Stops `slot` if what is left of its way is within its range.
    fn come_within(&mut self, slot: Slot, approach: Approach, report: &mut Report) -> Carried {
        let State { world, roster, .. } = self;
        let member = &roster[slot];
        let (agent, has_arrived) = (member.id(), member.order.has_arrived());
        if member.order.stands_by() {
            // It has lost its order.
            return Carried::Out;
        }
        let is_near = has_arrived || world.known_distance(member).is_some_and(|left| left <= approach.range);
        if !is_near || !has_arrived && self.stop(slot).is_err() {
            return Carried::On;
        }
        report.news.push((agent, News::InReach));
        if !has_arrived {
            report.arrived.push(agent);
        }
        Carried::Out
    }
}
