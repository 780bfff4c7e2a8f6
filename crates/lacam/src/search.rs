//! LaCAM: over configurations to a plan.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use giveway_core::{Fuel, NoPath, Suspended};
use rustc_hash::{FxHashMap, FxHashSet};

use super::choices::{Choices, OptionId, Spot, SpotId};
use super::field::{Field, Step};
use super::generator::Generator;
use super::moves::{NONE, number};
use super::spots::Paged;

/// The price of finding the step of one unit in a configuration, in units of work.
const PER_UNIT: usize = 2;

/// A dive ends after `REPEATS` configurations that were known before, and after `WAYS` times the steps of the longest
/// way. After every `DIVES` dives, both limits double.
const REPEATS: usize = 16;
const WAYS: usize = 4;
const DIVES: usize = 4;
const MOST_DOUBLINGS: usize = 20;

/// A configuration, by number.
type Known = u32;

/// A known configuration: a node of the high-level search.
#[derive(Clone, Debug)]
struct Record {
    spots: Box<[SpotId]>,
    /// The configuration of the same hash before it; `NONE`: there is none.
    same_hash: Known,
    /// The cheapest known way to it: its cost, and its last transition. The first configuration has none.
    cost: u64,
    via: Option<usize>,
    /// A lower bound on the remaining cost.
    estimate: u64,
    /// For how many steps each unit has been off its goals.
    away: Box<[u32]>,
    /// The order of right of way: units that have been off their goals longest come first; ties go to the unit that was
    /// farthest from its goals at first, then to the lower number. The distance at present would not do: of two units
    /// head on each would have the way in turn, for ever.
    order: Box<[u32]>,
    /// The transitions out of it.
    out: Vec<usize>,
    constraints: Constraints,
}

/// The constraints under which successors are generated: a tree, breadth first, in which a node of depth d constrains
/// the first d units of the order. The first node is empty.
#[derive(Clone, Debug, Default)]
struct Constraints {
    tree: Vec<Constraint>,
    /// The number of constraints, the empty one included, that have been tried.
    used: usize,
}

#[derive(Clone, Copy, Debug)]
struct Constraint {
    /// The position in the tree, from 1, of the constraint that it extends. 0: none.
    parent: usize,
    option: OptionId,
}

impl Constraints {
    #[inline]
    fn is_exhausted(&self) -> bool {
        self.used > self.tree.len()
    }

    /// The options in the constraint at a position, for the last unit first.
    #[inline]
    fn chain(&self, position: usize) -> impl Iterator<Item = OptionId> {
        let at = |position: usize| self.tree.get(position.checked_sub(1)?);
        std::iter::successors(at(position), move |constraint| at(constraint.parent)).map(|constraint| constraint.option)
    }
}

/// A step of all units, from one configuration to another.
#[derive(Clone, Debug)]
struct Transition {
    from: Known,
    to: Known,
    cost: u64,
    options: Box<[OptionId]>,
}

/// The urgency of a configuration: the least is the most urgent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Urgency {
    /// First by fewer constraints tried, so that every configuration has its turn;
    used: usize,
    /// then by where a plan may be cheaper.
    f: u64,
}

/// A search under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    choices: Choices<Paged>,
    generator: Generator,
    known: Vec<Record>,
    /// The last known configuration of each hash.
    by_hash: FxHashMap<u64, Known>,
    transitions: Vec<Transition>,
    /// From, to and cost of all transitions, so that none is kept twice.
    have: FxHashSet<(Known, Known, u64)>,
    /// Configurations to dive from. Entries that are out of date stay; their urgency shows it.
    open: BinaryHeap<Reverse<(Urgency, Known)>>,
    /// A final configuration, in which every unit can stay for ever.
    end: Option<Known>,
    /// The spots of the configuration that is being generated.
    next: Vec<SpotId>,
    /// The options of the constraint that is being tried.
    chosen: Vec<OptionId>,
    /// How many dives there have been.
    dives: usize,
    /// The longest way of a unit, in steps.
    longest: usize,
}

impl Search {
    /// A search from the starts.
    pub(super) fn new<F: Field>(field: &mut F, fuel: &mut Fuel) -> Result<Self, NoPath> {
        let mut search = Self::default();
        for unit in 0..field.units() {
            let start = field.start(unit);
            let spot = search.choices.spot_on(field, unit, start, fuel)?.ok_or(NoPath::Exhausted)?;
            search.next.push(spot);
        }
        let first = search.reach(field, None, fuel)?;
        search.known[first as usize].cost = 0;
        search.open(first);
        let ways = search.known[first as usize].spots.iter().map(|spot| search.choices.at(*spot).steps_left());
        search.longest = usize::try_from(ways.max().unwrap_or(0)).unwrap_or(usize::MAX / 2) + 16;
        Ok(search)
    }

    /// Goes on until a final configuration is known, and returns it.
    pub(super) fn solve<F: Field>(&mut self, field: &mut F, fuel: &mut Fuel) -> Result<Known, NoPath> {
        loop {
            if let Some(end) = self.end {
                return Ok(end);
            }
            if !self.dive(field, fuel)? {
                return Err(NoPath::Exhausted);
            }
        }
    }

    /// The known configuration with the fewest steps left; among equals, the configuration that was known first.
    #[inline]
    pub(super) fn nearest(&self) -> Known {
        (0..number(self.known.len())).min_by_key(|known| self.record(*known).estimate).unwrap_or(0)
    }

    /// Dives: expands the most urgent configuration, then the one that results, and so on. Where none results, goes
    /// back to the one before. Returns `false` if no configuration is left.
    fn dive<F: Field>(&mut self, field: &mut F, fuel: &mut Fuel) -> Result<bool, Suspended> {
        let mut from = loop {
            match self.open.pop() {
                None => return Ok(false),
                Some(Reverse((urgency, from))) if urgency == self.urgency(from) && self.has_constraints(from) => {
                    break from;
                }
                Some(_) => {}
            }
        };
        let doublings = (self.dives / DIVES).min(MOST_DOUBLINGS);
        let (mut repeats, length) = (REPEATS << doublings, (WAYS * self.longest) << doublings);
        self.generator.ties.free_first = self.dives.is_multiple_of(2);
        self.dives += 1;
        let mut passed = Vec::new();
        for _ in 0..length {
            self.generator.ties.seed = self.generator.ties.seed.wrapping_add(1);
            let expanded = self.expand(field, from, fuel);
            self.open(from);
            passed.push(from);
            match expanded? {
                _ if self.end.is_some() || repeats == 0 => break,
                Some((next, true)) => {
                    from = next;
                    continue;
                }
                Some((known, false)) => passed.push(known),
                None => {}
            }
            repeats -= 1;
            while passed.last().is_some_and(|last| !self.has_constraints(*last)) {
                passed.pop();
            }
            match passed.last() {
                Some(last) => from = *last,
                None => break,
            }
        }
        Ok(true)
    }

    /// Puts a configuration on the open list, with its present urgency.
    #[inline]
    fn open(&mut self, known: Known) {
        if self.has_constraints(known) {
            self.open.push(Reverse((self.urgency(known), known)));
        }
    }

    /// Whether the configuration has constraints left.
    #[inline]
    fn has_constraints(&self, known: Known) -> bool {
        !self.record(known).constraints.is_exhausted()
    }

    #[inline]
    fn urgency(&self, known: Known) -> Urgency {
        let record = self.record(known);
        Urgency { used: record.constraints.used, f: record.cost.saturating_add(record.estimate) }
    }

    /// The steps of each unit on the cheapest known way to `end`.
    #[inline]
    pub(super) fn steps_to(&self, end: Known) -> Vec<Vec<Step>> {
        let mut steps: Vec<Vec<Step>> = vec![Vec::new(); self.record(end).spots.len()];
        let mut at = end;
        while let Some(via) = self.record(at).via {
            let transition = &self.transitions[via];
            let from = &self.record(transition.from).spots;
            for ((steps, option), spot) in steps.iter_mut().zip(&transition.options).zip(from) {
                steps.push(self.choices.step(*spot, *option));
            }
            at = transition.from;
        }
        steps.iter_mut().for_each(|steps| steps.reverse());
        steps
    }

    /// Takes the next constraint of a configuration; there must be one left. Returns the configuration that results,
    /// and whether it is new.
    fn expand<F: Field>(
        &mut self,
        field: &mut F,
        from: Known,
        fuel: &mut Fuel,
    ) -> Result<Option<(Known, bool)>, Suspended> {
        fuel.burn()?;
        fuel.burn_at_most(price(self.record(from).spots.len()));
        let Some(options) = self.successor(field, from) else { return Ok(None) };
        self.next.clear();
        let mut cost = 0;
        for (spot, option) in self.known[from as usize].spots.iter().zip(&options) {
            let to = self.choices.to(field, *spot, *option);
            cost += self.choices.cost(*option, to);
            self.next.push(to);
        }
        let (to, is_new) = match self.find() {
            Some(to) => (to, false),
            None => (self.reach(field, Some(from), fuel)?, true),
        };
        if self.have.insert((from, to, cost)) {
            let via = self.transitions.len();
            self.known[from as usize].out.push(via);
            self.transitions.push(Transition { from, to, cost, options });
            self.relax(via);
        }
        Ok(Some((to, is_new)))
    }

    /// The options of all units under the next constraint of a configuration. Adds the longer constraints.
    fn successor<F: Field>(&mut self, field: &mut F, from: Known) -> Option<Box<[OptionId]>> {
        let Self { choices, generator, known, chosen, .. } = self;
        let Record { spots, order, constraints, .. } = known.get_mut(from as usize)?;
        let position = constraints.used;
        constraints.used += 1;
        chosen.clear();
        chosen.extend(constraints.chain(position));
        chosen.reverse();
        if let Some(unit) = order.get(chosen.len()) {
            for option in choices.options(spots[*unit as usize]) {
                let choice = choices.option(option).choice;
                let mut others = chosen.iter().map(|other| choices.option(*other).choice);
                if !others.any(|other| choices.moves.conflict(choice, other)) {
                    constraints.tree.push(Constraint { parent: position, option });
                }
            }
        }
        if constraints.is_exhausted() {
            *constraints = Constraints { tree: Vec::new(), used: 1 };
        }
        let chosen = order.iter().copied().zip(chosen.iter().copied());
        generator.generate((field, choices), spots, order, chosen).map(Into::into)
    }

    /// The known configuration of the spots that were generated.
    #[inline]
    fn find(&self) -> Option<Known> {
        let mut at = self.by_hash.get(&hash(&self.next)).copied().unwrap_or(NONE);
        while at != NONE && *self.record(at).spots != *self.next {
            at = self.record(at).same_hash;
        }
        (at != NONE).then_some(at)
    }

    /// Notes a new configuration, of the spots that were generated; `before` is the known one that leads to it, unless
    /// it is the first. No way to it is noted yet.
    fn reach<F: Field>(&mut self, field: &mut F, before: Option<Known>, fuel: &mut Fuel) -> Result<Known, Suspended> {
        for spot in &self.next {
            self.choices.explore(field, *spot, fuel)?;
        }
        let spots: Box<[SpotId]> = self.next.as_slice().into();
        let before = before.map(|before| &self.record(before).away);
        let here = spots.iter().map(|spot| self.choices.at(*spot));
        let away_since = |unit: usize| before.map_or(0, |before| before[unit].saturating_add(1));
        let away = here.clone().enumerate().map(|(unit, spot)| if spot.is_goal { 0 } else { away_since(unit) });
        let away: Box<[u32]> = away.collect();
        let estimate = here.map(Spot::steps_left).sum();
        let first = self.known.first().map_or(&spots, |first| &first.spots);
        let distance = |unit: u32| self.choices.at(first[unit as usize]).distance;
        let mut order: Box<[u32]> = (0..number(away.len())).collect();
        order.sort_by_key(|unit| (Reverse(away[*unit as usize]), Reverse(distance(*unit))));
        let known = number(self.known.len());
        if self.is_final(&spots) {
            self.end = Some(known);
        }
        let same_hash = self.by_hash.insert(hash(&spots), known).unwrap_or(NONE);
        self.known.push(Record {
            spots,
            same_hash,
            cost: u64::MAX,
            via: None,
            estimate,
            away,
            order,
            out: Vec::new(),
            constraints: Constraints::default(),
        });
        Ok(known)
    }

    /// Makes a transition the last one to its end, if that is cheaper, and likewise for all that follows: Dijkstra's
    /// algorithm along known transitions.
    #[inline]
    fn relax(&mut self, via: usize) {
        let cost_by = |search: &Self, via: usize| {
            let Transition { from, cost, .. } = search.transitions[via];
            search.record(from).cost.saturating_add(cost)
        };
        let mut queue = BinaryHeap::from([Reverse((cost_by(self, via), via))]);
        while let Some(Reverse((cost, via))) = queue.pop() {
            let to = self.transitions[via].to;
            let record = &mut self.known[to as usize];
            if cost >= record.cost {
                continue;
            }
            record.cost = cost;
            record.via = Some(via);
            queue.extend(self.record(to).out.iter().map(|via| Reverse((cost_by(self, *via), *via))));
            self.open(to);
        }
    }

    /// Whether every unit is on a goal, and can stay there from now on.
    #[inline]
    fn is_final(&self, spots: &[SpotId]) -> bool {
        if !spots.iter().all(|spot| self.choices.at(*spot).is_goal) {
            return false;
        }
        let staying = |spot: &SpotId| self.choices.option(self.choices.staying(*spot)).choice;
        let staying: Vec<_> = spots.iter().map(staying).collect();
        let free = |(unit, mine): (usize, &u32)| {
            staying[..unit].iter().all(|other| !self.choices.moves.conflict(*mine, *other))
        };
        staying.iter().enumerate().all(free)
    }

    #[inline]
    fn record(&self, known: Known) -> &Record {
        &self.known[known as usize]
    }
}

/// The price of generating a configuration of `units` units, in units of work, in addition to one unit.
#[inline]
fn price(units: usize) -> usize {
    units * PER_UNIT
}

/// The hash of a configuration. It does not depend on the platform.
#[inline]
fn hash(spots: &[SpotId]) -> u64 {
    let mix = |sum: u64, spot: &SpotId| (sum.rotate_left(5) ^ u64::from(*spot)).wrapping_mul(0x517c_c1b7_2722_0a95);
    spots.iter().fold(0, mix)
}
