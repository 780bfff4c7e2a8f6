//! Agents that face each other.

use giveway_core::{AgentId, FOREVER, NodeId, Ticks};

use super::vectors::{dot, minus, unit};
use crate::ledger::Presence;
use crate::state::State;
use giveway_members::leg::Leg;
use giveway_members::roster::Slot;

/// An agent that has come no nearer for this many steps looks whether another one faces it, which has come no nearer for
/// half as many.
pub(super) const PATIENCE: Ticks = 8;

/// A course is seen so many moves far. Two agents face each other if the cosine of the angle between their courses is
/// less than `-OPPOSED`.
const FAR: usize = 12;
const OPPOSED: f32 = 0.5;

/// Whether `slot` is under way, and has come no nearer for so many steps.
pub(super) fn stands(state: &State<'_>, slot: Slot, steps: Ticks) -> bool {
    let patience = state.clock.ticks(steps);
    let member = &state.roster[slot];
    let stands_for = state.clock.now.saturating_sub(member.approach.no_nearer_since());
    member.is_under_way() && stands_for >= patience && !state.is_outsider(member.id())
}

/// Where an agent is, and where it would go if nobody else were there.
pub(super) struct Course {
    pub(super) at: [f32; 3],
    /// From there to where it would be after [`FAR`] moves.
    pub(super) way: [f32; 3],
    /// The moves that bring it nearer.
    pub(super) legs: Vec<Leg>,
}

impl Course {
    /// Whether `other` leads the other way.
    pub(super) fn faces(&self, other: &Course) -> bool {
        dot(unit(self.way), unit(other.way)) < -OPPOSED
    }
}

/// The course of `slot`. `None`: no move brings it nearer, as far as is known, or its class has no positions.
pub(super) fn course(state: &mut State<'_>, slot: Slot) -> Option<Course> {
    let State { world, roster, clock, .. } = state;
    let member = &roster[slot];
    let (start, from) = member.motion.free_at(clock.now);
    let class = &mut world[member.class()];
    let at = class.position(start)?;
    let mut first = Vec::new();
    let mut node = start;
    for _ in 0..FAR {
        let mut legs = Vec::new();
        class.for_each_move(node, from, &mut |leg, _| legs.push(leg));
        let nodes: Vec<NodeId> = std::iter::once(node).chain(legs.iter().map(|leg| leg.to)).collect();
        let mut known = Vec::new();
        class.distances(member.order.goals(), &nodes, &mut known);
        let Some(here) = known[0] else { break };
        let left = |(leg, left): (Leg, &Option<f64>)| Some(((*left)?, leg));
        let nearer = legs.into_iter().zip(&known[1..]).filter_map(left).filter(|(left, _)| *left < here);
        let nearer: Vec<(f64, Leg)> = nearer.collect();
        let Some((_, leg)) = nearer.iter().min_by(|(one, _), (other, _)| one.total_cmp(other)) else { break };
        node = leg.to;
        if first.is_empty() {
            first = nearer.into_iter().map(|(_, leg)| leg).collect();
        }
    }
    let to = class.position(node)?;
    (node != start).then(|| Course { at, way: minus(to, at), legs: first })
}

/// The agent in the way of `slot` that goes in the other direction, and the courses of both. It has come no nearer
/// for half of [`PATIENCE`] steps.
pub(super) fn faced_by(state: &mut State<'_>, slot: Slot, presence: &Presence) -> Option<(Course, Slot, Course)> {
    let own = course(state, slot)?;
    let mut entries = Vec::new();
    for leg in &own.legs {
        state.class(slot).sweep(leg, &mut entries);
        state.class(slot).sweep(&Leg::resting(leg.to, leg.arrive, FOREVER), &mut entries);
    }
    let met: Vec<AgentId> = presence.all_met(state.roster[slot].id(), &entries);
    for other in state.roster.slots_of(met) {
        if stands(state, other, PATIENCE / 2)
            && let Some(its) = course(state, other)
            && own.faces(&its)
        {
            return Some((own, other, its));
        }
    }
    None
}
