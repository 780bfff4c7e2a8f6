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

/// A known configuration: a node of the high-level search. What a configuration says of each unit is in [`Rows`].
#[derive(Clone, Debug)]
struct Record {
    /// The configuration of the same hash before it; `NONE`: there is none.
    same_hash: Known,
    /// The cheapest known way to it: its cost, and its last transition. The first configuration has none.
    cost: u64,
    via: Option<usize>,
    /// A lower bound on the remaining cost.
    estimate: u64,
    /// The last transition out of it.
    out: Option<usize>,
    constraints: Constraints,
}

/// A number of each unit for each of many things, one thing after the other, in one piece of memory. There are three
/// rows for each known configuration, or one for each transition.
#[derive(Clone, Debug, Default)]
struct Rows {
    numbers: Vec<u32>,
    units: usize,
}

impl Rows {
    #[inline]
    fn row(&self, index: usize) -> &[u32] {
        &self.numbers[index * self.units..][..self.units]
    }

    /// The spots of a configuration.
    #[inline]
    fn spots(&self, known: Known) -> &[SpotId] {
        self.row(3 * known as usize)
    }

    /// For how many steps each unit has been off its goals in a configuration.
    #[inline]
    fn away(&self, known: Known) -> &[u32] {
        self.row(3 * known as usize + 1)
    }

    /// The order of right of way in a configuration: units that have been off their goals longest come first; ties go
    /// to the unit that was farthest from its goals at first, then to the lower number. The distance at present would
    /// not do: of two units head on each would have the way in turn, for ever.
    #[inline]
    fn order(&self, known: Known) -> &[u32] {
        self.row(3 * known as usize + 2)
    }
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
    /// The transition out of the same configuration before it.
    out_before: Option<usize>,
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
    /// Three rows for each known configuration: its spots, and how long units have been away, and their order.
    rows: Rows,
    /// The last known configuration of each hash.
    by_hash: FxHashMap<u64, Known>,
    transitions: Vec<Transition>,
    /// A row for each transition: the options that units take. After the last one may be a row that came to nothing.
    taken: Rows,
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
    /// Units in order of right of way, in the configuration that is being noted.
    order: Vec<u32>,
    /// Transitions that may be the last ones to their ends, with the cost up to there.
    queue: BinaryHeap<Reverse<(u64, usize)>>,
    /// How many dives there have been.
    dives: usize,
    /// The longest way of a unit, in steps.
    longest: usize,
}

impl Search {
    /// A search from the starts.
    pub(super) fn new<F: Field>(field: &mut F, fuel: &mut Fuel) -> Result<Self, NoPath> {
        let mut search = Self::default();
        (search.rows.units, search.taken.units) = (field.units(), field.units());
        for unit in 0..field.units() {
            let start = field.start(unit);
            let spot = search.choices.spot_on(field, unit, start, fuel)?.ok_or(NoPath::Exhausted)?;
            search.next.push(spot);
        }
        let first = search.reach(field, None, fuel)?;
        search.known[first as usize].cost = 0;
        search.open(first);
        let ways = search.rows.spots(first).iter().map(|spot| search.choices.at(*spot).steps_left());
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
        let mut steps: Vec<Vec<Step>> = vec![Vec::new(); self.rows.units];
        let mut at = end;
        while let Some(via) = self.record(at).via {
            let transition = &self.transitions[via];
            let from = self.rows.spots(transition.from);
            for ((steps, option), spot) in steps.iter_mut().zip(self.taken.row(via)).zip(from) {
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
        fuel.burn_at_most(price(self.rows.units));
        let via = self.transitions.len();
        // What a transition that came to nothing left.
        self.taken.numbers.truncate(via * self.taken.units);
        if !self.successor(field, from) {
            return Ok(None);
        }
        self.next.clear();
        let mut cost = 0;
        for (spot, option) in self.rows.spots(from).iter().zip(self.taken.row(via)) {
            let to = self.choices.to(field, *spot, *option);
            cost += self.choices.cost(*option, to);
            self.next.push(to);
        }
        let (to, is_new) = match self.find() {
            Some(to) => (to, false),
            None => (self.reach(field, Some(from), fuel)?, true),
        };
        if self.have.insert((from, to, cost)) {
            let out_before = self.known[from as usize].out.replace(via);
            self.transitions.push(Transition { from, to, cost, out_before });
            self.relax(via);
        }
        Ok(Some((to, is_new)))
    }

    /// Takes options for all units under the next constraint of a configuration. Adds the longer constraints. Returns
    /// `false` if there are no such options.
    fn successor<F: Field>(&mut self, field: &mut F, from: Known) -> bool {
        let Self { choices, generator, known, rows, taken, chosen, .. } = self;
        let (spots, order, constraints) = (rows.spots(from), rows.order(from), &mut known[from as usize].constraints);
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
        let Some(options) = generator.generate((field, choices), spots, order, chosen) else { return false };
        taken.numbers.extend_from_slice(options);
        true
    }

    /// The known configuration of the spots that were generated.
    #[inline]
    fn find(&self) -> Option<Known> {
        let mut at = self.by_hash.get(&hash(&self.next)).copied().unwrap_or(NONE);
        while at != NONE && *self.rows.spots(at) != *self.next {
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
        let Self { choices, known, rows, next, by_hash, order, .. } = self;
        let index = number(known.len());
        let here = next.iter().map(|spot| choices.at(*spot));
        let estimate = here.clone().map(Spot::steps_left).sum();
        rows.numbers.extend_from_slice(next);
        for (unit, spot) in here.enumerate() {
            let since = before.map_or(0, |before| rows.away(before)[unit].saturating_add(1));
            rows.numbers.push(if spot.is_goal { 0 } else { since });
        }
        order.clear();
        order.extend(0..number(next.len()));
        let (first, away) = (rows.spots(0), rows.away(index));
        let distance = |unit: u32| choices.at(first[unit as usize]).distance;
        order.sort_unstable_by_key(|unit| (Reverse(away[*unit as usize]), Reverse(distance(*unit)), *unit));
        rows.numbers.extend_from_slice(order);
        let same_hash = by_hash.insert(hash(next), index).unwrap_or(NONE);
        let constraints = Constraints::default();
        known.push(Record { same_hash, cost: u64::MAX, via: None, estimate, out: None, constraints });
        if self.is_final(index) {
            self.end = Some(index);
        }
        Ok(index)
    }

    /// Makes a transition the last one to its end, if that is cheaper, and likewise for all that follows: Dijkstra's
    /// algorithm along known transitions.
    #[inline]
    fn relax(&mut self, via: usize) {
        let cost_by = |search: &Self, via: usize| {
            let Transition { from, cost, .. } = search.transitions[via];
            search.record(from).cost.saturating_add(cost)
        };
        let mut queue = std::mem::take(&mut self.queue);
        queue.push(Reverse((cost_by(self, via), via)));
        while let Some(Reverse((cost, via))) = queue.pop() {
            let to = self.transitions[via].to;
            let record = &mut self.known[to as usize];
            if cost >= record.cost {
                continue;
            }
            record.cost = cost;
            record.via = Some(via);
            let last = self.record(to).out;
            let out = std::iter::successors(last, |via| self.transitions[*via].out_before);
            queue.extend(out.map(|via| Reverse((cost_by(self, via), via))));
            self.open(to);
        }
        self.queue = queue;
    }

    /// Whether every unit is on a goal, and can stay there from now on.
    #[inline]
    fn is_final(&self, known: Known) -> bool {
        let spots = self.rows.spots(known);
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
