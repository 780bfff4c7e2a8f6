//! A knot, as LaCAM sees it.

use giveway_core::{AgentId, Cells, ConflictRule, Entry, FOREVER, Fuel, Goals, NodeId, Suspended, Tick, Ticks};
use giveway_lacam::{Field, Step};

use crate::ledger::Presence;
use giveway_members::class_id::ClassId;
use giveway_members::leg::Leg;
use giveway_members::roster::Slot;
use giveway_members::world::World;

/// A unit of a knot.
pub(super) struct KnotUnit {
    pub(super) slot: Slot,
    pub(super) agent: AgentId,
    pub(super) class: ClassId,
    pub(super) start: NodeId,
    pub(super) goals: Goals,
    /// The distance from its goals at which it may end, in plain steps. 0: it has to reach a goal.
    pub(super) left: f64,
}

/// `step`, begun at `depart`, which takes `ticks` ticks.
pub(in crate::planners) fn leg_of(step: Step, depart: Tick, ticks: Ticks) -> Leg {
    let arrive = depart.saturating_add(ticks);
    match step.action {
        None => Leg::resting(step.to, depart, arrive),
        Some(action) => Leg::moving(step.from, step.to, depart, arrive, action),
    }
}

/// The units of a knot. All other agents are where they are, and stay there.
pub(super) struct Knot<'k, 'a> {
    world: &'k mut World<'a>,
    others: &'k Presence,
    units: &'k [KnotUnit],
    now: Tick,
    /// The duration of all their moves.
    step: Ticks,
    /// Distances that were asked for, in plain steps.
    found: Vec<Option<f64>>,
}

impl<'k, 'a> Knot<'k, 'a> {
    pub(super) fn new(
        world: &'k mut World<'a>,
        others: &'k Presence,
        units: &'k [KnotUnit],
        now: Tick,
        step: Ticks,
    ) -> Self {
        Self { world, others, units, now, step, found: Vec::new() }
    }
}

impl Field for Knot<'_, '_> {
    fn units(&self) -> usize {
        self.units.len()
    }

    fn rule(&self) -> ConflictRule {
        self.world.cells().map_or(ConflictRule::Following, Cells::rule)
    }

    /// The class.
    fn kind(&self, unit: usize) -> u32 {
        self.units[unit].class.0
    }

    fn start(&self, unit: usize) -> NodeId {
        self.units[unit].start
    }

    fn moves(&self, kind: u32, from: NodeId, found: &mut Vec<(NodeId, u32)>) {
        self.world[ClassId(kind)].for_each_move(from, self.now, &mut |leg, _| {
            if let Some(action) = leg.action().and_then(|action| u32::try_from(action).ok()) {
                found.push((leg.to, action));
            }
        });
    }

    fn occupies(&self, kind: u32, step: Step, entries: &mut Vec<Entry>) {
        let (class, leg) = (&self.world[ClassId(kind)], leg_of(step, self.now, self.step));
        class.sweep(&leg, entries);
        class.sweep(&Leg::resting(leg.to, leg.arrive, FOREVER), entries);
    }

    fn is_blocked(&self, entries: &[Entry]) -> bool {
        self.others.meets(NOBODY, entries).is_some()
    }

    fn distances(
        &mut self,
        unit: usize,
        nodes: &[NodeId],
        found: &mut Vec<Option<u32>>,
        fuel: &mut Fuel,
    ) -> Result<(), Suspended> {
        let Self { world, units, found: known, .. } = self;
        let KnotUnit { class, ref goals, left, .. } = units[unit];
        known.clear();
        world[class].distances(goals, nodes, known);
        for (node, known) in nodes.iter().zip(known) {
            let distance = match known {
                Some(distance) => *distance,
                None => world[class].distance(goals, *node, fuel)?,
            };
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // what is too far is as far as can be
            let thousandths = || ((distance - left).max(0.0) * 1000.0).round() as u32;
            found.push(distance.is_finite().then(thousandths));
        }
        Ok(())
    }

    fn is_goal(&self, unit: usize, node: NodeId, distance: u32) -> bool {
        let KnotUnit { ref goals, left, .. } = self.units[unit];
        if left > 0.0 { distance == 0 } else { goals.contains(node) }
    }
}

/// An agent that is in no knot, and nowhere else.
const NOBODY: AgentId = AgentId(u32::MAX);
