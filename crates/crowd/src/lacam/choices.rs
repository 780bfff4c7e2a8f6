//! Choices: the possible steps of each unit, asked of the field once.

use std::ops::Range;

use giveway_core::{Fuel, NodeId, Suspended};
use rustc_hash::FxHashMap;

use super::field::{Field, Step};

/// A unit and a node on which it can be, by number.
pub(super) type PlaceId = u32;

/// A unit and a step that it can take, by number.
pub(super) type ChoiceId = u32;

/// A unit on a node from which it can reach a goal.
#[derive(Clone, Debug)]
pub(super) struct Place {
    unit: usize,
    node: NodeId,
    /// In thousandths of a step.
    pub(super) distance: u32,
    pub(super) is_goal: bool,
    /// Empty until the place is explored; then staying is always among the choices.
    choices: Range<ChoiceId>,
    staying: ChoiceId,
}

impl Place {
    /// A lower bound on the steps to a goal.
    pub(super) fn steps_left(&self) -> u64 {
        u64::from(self.distance.div_ceil(1000))
    }
}

#[derive(Debug)]
struct Choice<D> {
    step: Step,
    doing: D,
    to: PlaceId,
    /// The distance after it, in thousandths of a step.
    distance: u32,
}

/// A field, with its places and choices numbered.
pub(super) struct Choices<'a, F: Field> {
    pub(super) field: &'a mut F,
    /// `None`: no goal can be reached from there.
    ids: FxHashMap<(usize, NodeId), Option<PlaceId>>,
    places: Vec<Place>,
    choices: Vec<Choice<F::Doing>>,
}

impl<'a, F: Field> Choices<'a, F> {
    pub(super) fn new(field: &'a mut F) -> Self {
        Self { field, ids: FxHashMap::default(), places: Vec::new(), choices: Vec::new() }
    }

    /// The place of `unit` on `node`. `None`: it cannot reach a goal from there, and so must not go there.
    pub(super) fn place(&mut self, unit: usize, node: NodeId, fuel: &mut Fuel) -> Result<Option<PlaceId>, Suspended> {
        if let Some(known) = self.ids.get(&(unit, node)) {
            return Ok(*known);
        }
        let distance = self.field.distance(unit, node, fuel)?;
        let id = distance.map(|distance| {
            let is_goal = self.field.is_goal(unit, node);
            self.places.push(Place { unit, node, distance, is_goal, choices: 0..0, staying: 0 });
            number(self.places.len() - 1)
        });
        self.ids.insert((unit, node), id);
        Ok(id)
    }

    pub(super) fn at(&self, place: PlaceId) -> &Place {
        &self.places[place as usize]
    }

    /// Finds the choices at `place`, once. Must come before [`of`](Self::of) and [`staying`](Self::staying).
    pub(super) fn explore(&mut self, place: PlaceId, fuel: &mut Fuel) -> Result<(), Suspended> {
        let Place { unit, node, distance, ref choices, .. } = self.places[place as usize];
        if !choices.is_empty() {
            return Ok(());
        }
        let mut moves = Vec::new();
        self.field.moves(unit, node, &mut moves);
        // Among equally near choices staying comes first: the sort is stable.
        let stay = Step::stay(node);
        let doing = self.field.doing(unit, stay);
        let mut found = vec![Choice { step: stay, doing, to: place, distance }];
        for (to, action) in moves {
            if let Some(id) = self.place(unit, to, fuel)? {
                let step = Step { from: node, to, action: Some(action) };
                let doing = self.field.doing(unit, step);
                found.push(Choice { step, doing, to: id, distance: self.at(id).distance });
            }
        }
        found.sort_by_key(|choice| choice.distance);
        let begin = self.choices.len();
        let staying = found.iter().position(|choice| choice.step.action.is_none()).unwrap_or(0);
        self.choices.append(&mut found);
        let explored = &mut self.places[place as usize];
        explored.choices = number(begin)..number(self.choices.len());
        explored.staying = number(begin + staying);
        Ok(())
    }

    /// The choices at `place`, the nearest to the goal first.
    pub(super) fn of(&self, place: PlaceId) -> Range<ChoiceId> {
        self.places[place as usize].choices.clone()
    }

    /// The choice to stay at `place`.
    pub(super) fn staying(&self, place: PlaceId) -> ChoiceId {
        self.places[place as usize].staying
    }

    pub(super) fn step(&self, choice: ChoiceId) -> Step {
        self.choices[choice as usize].step
    }

    /// The place where it leads.
    pub(super) fn to(&self, choice: ChoiceId) -> PlaceId {
        self.choices[choice as usize].to
    }

    /// The distance to the goal after it, in thousandths of a step.
    pub(super) fn distance(&self, choice: ChoiceId) -> u32 {
        self.choices[choice as usize].distance
    }

    /// Its part in the sum of costs.
    pub(super) fn cost(&self, choice: ChoiceId) -> u64 {
        let Choice { step, to, .. } = &self.choices[choice as usize];
        u64::from(step.action.is_some() || !self.at(*to).is_goal)
    }

    /// Whether two choices of different units exclude each other.
    pub(super) fn conflict(&self, a: ChoiceId, b: ChoiceId) -> bool {
        let [a, b] = [a, b].map(|choice| &self.choices[choice as usize]);
        self.field.conflict(&a.doing, &b.doing)
    }

    /// Whether agents outside the knot forbid it as the `at`-th step.
    pub(super) fn is_blocked(&self, choice: ChoiceId, at: u32) -> bool {
        self.field.is_blocked(&self.choices[choice as usize].doing, at)
    }
}

/// Places, choices and configurations are numbered by 32 bits; memory ends before the numbers do.
pub(super) fn number(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}
