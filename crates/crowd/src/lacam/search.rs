//! LaCAM: over configurations to a plan.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use giveway_core::{Fuel, NoPath, Suspended};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::choices::{ChoiceId, Choices, Place, PlaceId, number};
use super::field::{Field, Step};
use super::generator::Generator;

/// The place of each unit, and the step. All steps from the settled one on count as one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Configuration {
    places: Box<[PlaceId]>,
    at: u32,
}

/// A configuration, by number.
pub(super) type Known = u32;

/// A known configuration: a node of the high-level search.
#[derive(Debug)]
struct Record {
    /// The cheapest known way to it: its cost, and its last transition. The first configuration has none.
    cost: u64,
    via: Option<usize>,
    /// A lower bound on the remaining cost.
    estimate: u64,
    /// For how many steps each unit has been off its goals.
    away: Box<[u32]>,
    /// The order of right of way: units that have been off their goals longest come first; ties go to the unit farthest
    /// from its goals, then to the lower number.
    order: Box<[usize]>,
    /// The transitions out of it.
    out: Vec<usize>,
    constraints: Constraints,
}

/// The constraints under which successors are generated: a tree, breadth first, in which a node of depth d constrains
/// the first d units of the order. The first node is empty.
#[derive(Debug, Default)]
struct Constraints {
    tree: Vec<Constraint>,
    /// The number of constraints, the empty one included, that have been tried.
    used: usize,
}

#[derive(Clone, Copy, Debug)]
struct Constraint {
    /// The position in the tree, from 1, of the constraint that it extends. 0: none.
    parent: usize,
    choice: ChoiceId,
}

impl Constraints {
    fn is_exhausted(&self) -> bool {
        self.used > self.tree.len()
    }

    /// The choices in the constraint at a position, for the last unit first.
    fn chain(&self, position: usize) -> impl Iterator<Item = ChoiceId> {
        let at = |position: usize| self.tree.get(position.checked_sub(1)?);
        std::iter::successors(at(position), move |constraint| at(constraint.parent)).map(|constraint| constraint.choice)
    }
}

/// A step of all units, from one configuration to another.
#[derive(Debug)]
struct Transition {
    from: Known,
    to: Known,
    cost: u64,
    choices: Box<[ChoiceId]>,
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
pub(super) struct Search<'a, F: Field> {
    choices: Choices<'a, F>,
    settled: u32,
    generator: Generator,
    known: IndexMap<Configuration, Record, FxBuildHasher>,
    transitions: Vec<Transition>,
    /// From, to and cost of all transitions, so that none is kept twice.
    have: FxHashSet<(Known, Known, u64)>,
    /// Configurations to dive from. Entries that are out of date stay; their urgency shows it.
    open: BinaryHeap<Reverse<(Urgency, Known)>>,
    /// A final configuration, in which every unit can stay for ever.
    end: Option<Known>,
}

impl<'a, F: Field> Search<'a, F> {
    /// A search from the starts.
    pub(super) fn new(field: &'a mut F, fuel: &mut Fuel) -> Result<Self, NoPath> {
        let settled = field.settled();
        let mut choices = Choices::new(field);
        let mut places = Vec::new();
        for unit in 0..choices.field.units() {
            let start = choices.field.start(unit);
            places.push(choices.place(unit, start, fuel)?.ok_or(NoPath::Exhausted)?);
        }
        let mut search = Self {
            choices,
            settled,
            generator: Generator::default(),
            known: IndexMap::default(),
            transitions: Vec::new(),
            have: FxHashSet::default(),
            open: BinaryHeap::new(),
            end: None,
        };
        let first = Configuration { places: places.into(), at: 0 };
        let first = search.reach(first, None, fuel)?;
        search.known[first as usize].cost = 0;
        search.open(first);
        Ok(search)
    }

    /// Goes on until a final configuration is known, and returns it.
    pub(super) fn solve(&mut self, fuel: &mut Fuel) -> Result<Known, NoPath> {
        loop {
            if let Some(end) = self.end {
                return Ok(end);
            }
            if !self.dive(fuel)? {
                return Err(NoPath::Exhausted);
            }
        }
    }

    /// Dives: expands the most urgent configuration, then the new one that results, and so on. Returns `false` if no
    /// configuration is left.
    fn dive(&mut self, fuel: &mut Fuel) -> Result<bool, Suspended> {
        let mut from = loop {
            match self.open.pop() {
                None => return Ok(false),
                Some(Reverse((urgency, from))) if urgency == self.urgency(from) && self.has_constraints(from) => {
                    break from;
                }
                Some(_) => {}
            }
        };
        loop {
            let next = self.expand(from, fuel);
            self.open(from);
            match next? {
                Some(next) if self.end.is_none() => from = next,
                _ => return Ok(true),
            }
        }
    }

    /// Puts a configuration on the open list, with its present urgency.
    fn open(&mut self, known: Known) {
        if self.has_constraints(known) {
            self.open.push(Reverse((self.urgency(known), known)));
        }
    }

    /// Whether the configuration has constraints left.
    fn has_constraints(&self, known: Known) -> bool {
        !self.record(known).constraints.is_exhausted()
    }

    fn urgency(&self, known: Known) -> Urgency {
        let record = self.record(known);
        Urgency { used: record.constraints.used, f: record.cost.saturating_add(record.estimate) }
    }

    /// The steps of each unit on the cheapest known way to `end`.
    pub(super) fn steps_to(&self, end: Known) -> Vec<Vec<Step>> {
        let mut steps: Vec<Vec<Step>> = vec![Vec::new(); self.choices.field.units()];
        let mut at = end;
        while let Some(via) = self.record(at).via {
            let transition = &self.transitions[via];
            for (steps, choice) in steps.iter_mut().zip(&transition.choices) {
                steps.push(self.choices.step(*choice));
            }
            at = transition.from;
        }
        steps.iter_mut().for_each(|steps| steps.reverse());
        steps
    }

    /// Takes the next constraint of a configuration; there must be one left. Returns the configuration that results, if
    /// it is new.
    fn expand(&mut self, from: Known, fuel: &mut Fuel) -> Result<Option<Known>, Suspended> {
        fuel.burn()?;
        let Some((configuration, step)) = self.successor(from) else { return Ok(None) };
        let (to, is_new) = match self.known.get_index_of(&configuration) {
            Some(to) => (number(to), false),
            None => (self.reach(configuration, Some(from), fuel)?, true),
        };
        let cost = step.iter().map(|choice| self.choices.cost(*choice)).sum();
        if self.have.insert((from, to, cost)) {
            let via = self.transitions.len();
            self.known[from as usize].out.push(via);
            self.transitions.push(Transition { from, to, cost, choices: step.into() });
            self.relax(via);
        }
        Ok(is_new.then_some(to))
    }

    /// The choices of all units under the next constraint of a configuration, and the configuration to which they lead.
    /// Adds the longer constraints.
    fn successor(&mut self, from: Known) -> Option<(Configuration, Vec<ChoiceId>)> {
        let (Configuration { places, at }, record) = self.known.get_index_mut(from as usize)?;
        let constraints = &mut record.constraints;
        let position = constraints.used;
        constraints.used += 1;
        let mut chosen: Vec<ChoiceId> = constraints.chain(position).collect();
        chosen.reverse();
        if let Some(unit) = record.order.get(chosen.len()) {
            for choice in self.choices.of(places[*unit]) {
                let excluded = chosen.iter().any(|other| self.choices.conflict(choice, *other));
                if !excluded && !self.choices.is_blocked(choice, *at) {
                    constraints.tree.push(Constraint { parent: position, choice });
                }
            }
        }
        if constraints.is_exhausted() {
            *constraints = Constraints { tree: Vec::new(), used: 1 };
        }
        let chosen = record.order.iter().copied().zip(chosen);
        let step = self.generator.generate(&mut self.choices, (places, *at), &record.order, chosen)?;
        let places = step.iter().map(|choice| self.choices.to(*choice)).collect();
        Some((Configuration { places, at: at.saturating_add(1).min(self.settled) }, step))
    }

    /// Notes a new configuration; `before` is the known one that leads to it, unless it is the first. No way to it is
    /// noted yet.
    fn reach(
        &mut self,
        configuration: Configuration,
        before: Option<Known>,
        fuel: &mut Fuel,
    ) -> Result<Known, Suspended> {
        for place in &configuration.places {
            self.choices.explore(*place, fuel)?;
        }
        let is_final = self.is_final(&configuration);
        let before = before.map(|before| &self.record(before).away);
        let places = configuration.places.iter().map(|place| self.choices.at(*place));
        let away_since = |unit: usize| before.map_or(0, |before| before[unit].saturating_add(1));
        let away = places.clone().enumerate().map(|(unit, place)| if place.is_goal { 0 } else { away_since(unit) });
        let away: Box<[u32]> = away.collect();
        let mut order: Box<[usize]> = (0..away.len()).collect();
        let distance = |unit: usize| self.choices.at(configuration.places[unit]).distance;
        order.sort_by_key(|unit| (Reverse(away[*unit]), Reverse(distance(*unit))));
        let record = Record {
            cost: u64::MAX,
            via: None,
            estimate: places.map(Place::steps_left).sum(),
            away,
            order,
            out: Vec::new(),
            constraints: Constraints::default(),
        };
        let (position, _) = self.known.insert_full(configuration, record);
        if is_final {
            self.end = Some(number(position));
        }
        Ok(number(position))
    }

    /// Makes a transition the last one to its end, if that is cheaper, and likewise for all that follows: Dijkstra's
    /// algorithm along known transitions.
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
    fn is_final(&mut self, configuration: &Configuration) -> bool {
        let Configuration { ref places, at } = *configuration;
        if at < self.settled || !places.iter().all(|place| self.choices.at(*place).is_goal) {
            return false;
        }
        let staying: Vec<ChoiceId> = places.iter().map(|place| self.choices.staying(*place)).collect();
        staying.iter().enumerate().all(|(unit, mine)| {
            !self.choices.is_blocked(*mine, at)
                && staying[..unit].iter().all(|other| !self.choices.conflict(*mine, *other))
        })
    }

    fn record(&self, known: Known) -> &Record {
        &self.known[known as usize]
    }
}
