//! A knot, as the joint search sees it.

use giveway_core::{AgentId, Entry, FOREVER, Fuel, Goals, NodeId, OutOfFuel, Tick, Ticks};
use rustc_hash::FxHashMap;

use crate::crowd::class::AnyClass;
use crate::crowd::execution::Presence;
use crate::crowd::leg::Leg;
use crate::joint::{Field, Step};

/// A unit of a knot.
pub(super) struct Unit {
    pub(super) agent: AgentId,
    /// The position of its class.
    pub(super) class: usize,
    pub(super) start: NodeId,
    pub(super) goals: Goals,
    /// How far from its goals it may end, in plain steps. 0: it is to come to one.
    pub(super) left: f64,
}

/// `step` begun at `depart`, that takes so many ticks.
pub(super) fn leg_of(step: Step, depart: Tick, ticks: Ticks) -> Leg {
    let arrive = depart.saturating_add(ticks);
    match step.action {
        None => Leg::resting(step.to, depart, arrive),
        Some(action) => Leg::moving(step.from, step.to, depart, arrive, action),
    }
}

/// The units of a knot. All others are where they are, and stay there.
pub(super) struct Knot<'k, 'a, R> {
    classes: &'k mut [Box<dyn AnyClass<R> + 'a>],
    others: &'k Presence,
    units: &'k [Unit],
    now: Tick,
    /// How long all of their moves take.
    step: Ticks,
    /// What units of a class occupy by a step and by staying after it, as if it began now.
    swept: FxHashMap<(usize, Step), Vec<Entry>>,
    /// How many thousandths of a step each unit has left from each node.
    left: FxHashMap<(usize, NodeId), Option<u32>>,
}

impl<'k, 'a, R> Knot<'k, 'a, R> {
    pub(super) fn new(
        classes: &'k mut [Box<dyn AnyClass<R> + 'a>],
        others: &'k Presence,
        units: &'k [Unit],
        now: Tick,
        step: Ticks,
    ) -> Self {
        Self { classes, others, units, now, step, swept: FxHashMap::default(), left: FxHashMap::default() }
    }

    /// Makes sure that it is known what `unit` occupies by `step`.
    fn look_up(&mut self, unit: usize, step: Step) {
        let Self { classes, units, now, step: ticks, swept, .. } = self;
        let class = units[unit].class;
        swept.entry((class, step)).or_insert_with(|| {
            let leg = leg_of(step, *now, *ticks);
            let mut entries = Vec::new();
            classes[class].sweep(&leg, &mut entries);
            classes[class].sweep(&Leg::resting(leg.to, leg.arrive, FOREVER), &mut entries);
            entries
        });
    }

    fn occupied(&self, unit: usize, step: Step) -> &[Entry] {
        self.swept.get(&(self.units[unit].class, step)).map_or(&[], Vec::as_slice)
    }
}

impl<R> Field for Knot<'_, '_, R> {
    fn units(&self) -> usize {
        self.units.len()
    }

    fn start(&self, unit: usize) -> NodeId {
        self.units[unit].start
    }

    fn moves(&self, unit: usize, from: NodeId, found: &mut Vec<(NodeId, u32)>) {
        self.classes[self.units[unit].class].for_each_move(from, self.now, &mut |leg, _| {
            if let Some(action) = leg.action().and_then(|action| u32::try_from(action).ok()) {
                found.push((leg.to, action));
            }
        });
    }

    fn distance(&mut self, unit: usize, node: NodeId, fuel: &mut Fuel) -> Result<Option<u32>, OutOfFuel> {
        let Unit { class, ref goals, left, .. } = self.units[unit];
        let distance = self.classes[class].distance(goals, node, fuel)?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // what is too far is as far as can be
        let thousandths = distance.is_finite().then(|| ((distance - left).max(0.0) * 1000.0).round() as u32);
        self.left.insert((unit, node), thousandths);
        Ok(thousandths)
    }

    fn is_goal(&self, unit: usize, node: NodeId) -> bool {
        let Unit { ref goals, left, .. } = self.units[unit];
        // How far places are is asked for first.
        if left > 0.0 { self.left.get(&(unit, node)) == Some(&Some(0)) } else { goals.contains(node) }
    }

    fn conflict(&mut self, a: (usize, Step), b: (usize, Step)) -> bool {
        self.look_up(a.0, a.1);
        self.look_up(b.0, b.1);
        let (first, second) = (self.occupied(a.0, a.1), self.occupied(b.0, b.1));
        first.iter().any(|one| second.iter().any(|other| one.cell == other.cell && one.span.overlaps(other.span)))
    }

    fn is_blocked(&mut self, unit: usize, step: Step, _at: u32) -> bool {
        self.look_up(unit, step);
        self.others.meets(self.units[unit].agent, self.occupied(unit, step)).is_some()
    }

    fn settled(&self) -> u32 {
        0
    }
}
