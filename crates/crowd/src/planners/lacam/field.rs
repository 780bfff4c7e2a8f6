//! A knot, as LaCAM sees it.

use giveway_core::{AgentId, Cells, ConflictRule, Entry, FOREVER, Fuel, Goals, NodeId, Suspended, Tick, Ticks};
use rustc_hash::FxHashMap;

use crate::class_id::ClassId;
use crate::lacam::{Field, Step};
use crate::ledger::Presence;
use crate::leg::Leg;
use crate::roster::Slot;
use crate::world::World;

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
pub(super) fn leg_of(step: Step, depart: Tick, ticks: Ticks) -> Leg {
    let arrive = depart.saturating_add(ticks);
    match step.action {
        None => Leg::resting(step.to, depart, arrive),
        Some(action) => Leg::moving(step.from, step.to, depart, arrive, action),
    }
}

/// The entries of a step that begins now, and of the stay after it.
pub(super) struct Doing {
    entries: Vec<Entry>,
    /// One bit for each remainder of its cells modulo 64: most pairs have no bit in common.
    cells: u64,
    /// Whether an agent outside the knot is there.
    is_blocked: bool,
}

/// The units of a knot. All other agents are where they are, and stay there.
pub(super) struct Knot<'k, 'a> {
    world: &'k mut World<'a>,
    others: &'k Presence,
    units: &'k [KnotUnit],
    now: Tick,
    /// The duration of all their moves.
    step: Ticks,
    /// The remaining distance of each unit from each node, in thousandths of a step.
    left: FxHashMap<(usize, NodeId), Option<u32>>,
}

impl<'k, 'a> Knot<'k, 'a> {
    pub(super) fn new(
        world: &'k mut World<'a>,
        others: &'k Presence,
        units: &'k [KnotUnit],
        now: Tick,
        step: Ticks,
    ) -> Self {
        Self { world, others, units, now, step, left: FxHashMap::default() }
    }
}

impl Field for Knot<'_, '_> {
    type Doing = Doing;

    fn units(&self) -> usize {
        self.units.len()
    }

    fn rule(&self) -> ConflictRule {
        self.world.cells().map_or(ConflictRule::Following, Cells::rule)
    }

    fn start(&self, unit: usize) -> NodeId {
        self.units[unit].start
    }

    fn moves(&self, unit: usize, from: NodeId, found: &mut Vec<(NodeId, u32)>) {
        self.world[self.units[unit].class].for_each_move(from, self.now, &mut |leg, _| {
            if let Some(action) = leg.action().and_then(|action| u32::try_from(action).ok()) {
                found.push((leg.to, action));
            }
        });
    }

    fn distance(&mut self, unit: usize, node: NodeId, fuel: &mut Fuel) -> Result<Option<u32>, Suspended> {
        let KnotUnit { class, ref goals, left, .. } = self.units[unit];
        let distance = self.world[class].distance(goals, node, fuel)?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // what is too far is as far as can be
        let thousandths = distance.is_finite().then(|| ((distance - left).max(0.0) * 1000.0).round() as u32);
        self.left.insert((unit, node), thousandths);
        Ok(thousandths)
    }

    fn is_goal(&self, unit: usize, node: NodeId) -> bool {
        let KnotUnit { ref goals, left, .. } = self.units[unit];
        // The distance of a place has been asked for before.
        if left > 0.0 { self.left.get(&(unit, node)) == Some(&Some(0)) } else { goals.contains(node) }
    }

    fn doing(&mut self, unit: usize, step: Step) -> Doing {
        let KnotUnit { agent, class, .. } = self.units[unit];
        let leg = leg_of(step, self.now, self.step);
        let mut entries = Vec::new();
        self.world[class].sweep(&leg, &mut entries);
        self.world[class].sweep(&Leg::resting(leg.to, leg.arrive, FOREVER), &mut entries);
        let cells = entries.iter().fold(0, |bits, entry| bits | 1 << (entry.cell.0 % 64));
        Doing { cells, is_blocked: self.others.meets(agent, &entries).is_some(), entries }
    }

    fn conflict(&self, a: &Doing, b: &Doing) -> bool {
        let meet = |one: &Entry, other: &Entry| one.cell == other.cell && one.span.overlaps(other.span);
        a.cells & b.cells != 0 && a.entries.iter().any(|one| b.entries.iter().any(|other| meet(one, other)))
    }

    fn is_blocked(&self, doing: &Doing, _at: u32) -> bool {
        doing.is_blocked
    }

    fn settled(&self) -> u32 {
        0
    }
}
