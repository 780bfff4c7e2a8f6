//! One step of all units, by priority inheritance with backtracking.

use giveway_core::ConflictRule;

use super::choices::{ChoiceId, Choices, PlaceId};
use super::field::Field;

/// PIBT (Okumura et al., Artificial Intelligence 2022, section 4) for steps that may exclude each other in any way. A
/// unit is in the way of a step if it could not stay while the step is taken; there may be several such units.
///
/// As in the paper, a unit that was pushed and could not move is not pushed again for the same configuration. So one
/// configuration takes time polynomial in the units and their choices.
#[derive(Debug, Default)]
pub(super) struct Generator {
    decided: Vec<Option<ChoiceId>>,
    /// The decided units, in the order of the decisions.
    trail: Vec<usize>,
    stuck: Vec<bool>,
}

/// The effect of a step on undecided units.
enum Room {
    /// The step is forbidden, or excluded by what is decided.
    None,
    /// A unit would have to move away.
    Occupied,
    Free,
}

impl Generator {
    /// A choice for each unit, the `constraints` among them, such that no choices exclude each other and none is
    /// blocked as the `at`-th step. Earlier units in `order` have the way. `None` if there is none, or none was found.
    ///
    /// The constraints must be for different units, permitted and without conflict; `places` must be explored. With a
    /// constraint for every unit there is always an answer.
    pub(super) fn generate<F: Field>(
        &mut self,
        choices: &mut Choices<'_, F>,
        (places, at): (&[PlaceId], u32),
        order: &[usize],
        constraints: impl Iterator<Item = (usize, ChoiceId)>,
    ) -> Option<Vec<ChoiceId>> {
        self.decided.clear();
        self.decided.resize(places.len(), None);
        self.stuck.clear();
        self.stuck.resize(places.len(), false);
        self.trail.clear();
        for (unit, choice) in constraints {
            self.decide(unit, choice);
        }
        let mut turn = Turn { generator: self, choices, places, at };
        // A unit that cannot stay has to find something else; the others can stay in the worst case.
        for unit in order {
            if turn.generator.decided[*unit].is_none() && !turn.can_stay(*unit) && !turn.find(*unit) {
                return None;
            }
        }
        for unit in order {
            if turn.generator.decided[*unit].is_none() && !turn.find(*unit) {
                return None;
            }
        }
        self.decided.iter().copied().collect()
    }

    fn decide(&mut self, unit: usize, choice: ChoiceId) {
        self.decided[unit] = Some(choice);
        self.trail.push(unit);
    }

    /// Undoes all but the first `kept` decisions.
    fn undo(&mut self, kept: usize) {
        for unit in self.trail.drain(kept..) {
            self.decided[unit] = None;
        }
    }
}

/// A configuration under way.
struct Turn<'a, 'f, F: Field> {
    generator: &'a mut Generator,
    choices: &'a mut Choices<'f, F>,
    places: &'a [PlaceId],
    at: u32,
}

impl<F: Field> Turn<'_, '_, F> {
    /// Decides for `unit`, which is undecided, and for all that it pushes. If that fails, nothing is decided, and the
    /// unit is stuck.
    fn find(&mut self, unit: usize) -> bool {
        self.find_other_than(unit, None)
    }

    /// [`find`](Self::find), without the choice `left_out`.
    fn find_other_than(&mut self, unit: usize, left_out: Option<ChoiceId>) -> bool {
        let mut untried = self.choices.of(self.places[unit]);
        let mut occupied = Vec::new();
        while !untried.is_empty() {
            // Among equally near choices, choices that displace no unit come first.
            let distance = self.choices.distance(untried.start);
            while !untried.is_empty() && self.choices.distance(untried.start) == distance {
                let choice = untried.start;
                untried.start += 1;
                match self.room(unit, choice) {
                    Room::None => {}
                    _ if Some(choice) == left_out => {}
                    Room::Occupied => occupied.push(choice),
                    Room::Free => {
                        self.generator.decide(unit, choice);
                        return true;
                    }
                }
            }
            if occupied.drain(..).any(|choice| self.make_room(unit, choice)) {
                return true;
            }
        }
        self.generator.stuck[unit] = true;
        false
    }

    /// Decides that `unit` takes `choice`, which no decision excludes, if the units in its way can leave at the same
    /// time. Otherwise decides that `unit` stays, and that the units in its way leave first. If both fail, nothing is
    /// decided.
    fn make_room(&mut self, unit: usize, choice: ChoiceId) -> bool {
        let follows = self.choices.field.rule() == ConflictRule::Swap;
        if follows || !self.blocks_whatever_it_does(unit, choice) {
            self.push(unit, choice)
        } else {
            self.clear(unit, choice)
        }
    }

    /// Whether a unit is in the way of `choice` whatever it does: under the following rule a place is entered only
    /// after it was left.
    fn blocks_whatever_it_does(&mut self, unit: usize, choice: ChoiceId) -> bool {
        (0..self.places.len()).any(|other| {
            let undecided = other != unit && self.generator.decided[other].is_none();
            undecided
                && self.displaces(choice, other)
                && self.choices.of(self.places[other]).all(|way| self.choices.conflict(choice, way))
        })
    }

    /// Decides that `unit` stays for now, and that the units in the way of `choice` leave. If that fails, nothing is
    /// decided.
    fn clear(&mut self, unit: usize, choice: ChoiceId) -> bool {
        if !self.can_stay(unit) {
            return false;
        }
        let staying = self.choices.staying(self.places[unit]);
        self.displace(unit, staying, choice, Self::leave)
    }

    /// Decides that `unit` moves, or stays until the way of a move is clear. If that fails, nothing is decided, and the
    /// unit is stuck.
    fn leave(&mut self, unit: usize) -> bool {
        self.find_other_than(unit, Some(self.choices.staying(self.places[unit])))
    }

    /// Decides that `unit` takes `choice`, which no decision excludes, and decides for all that cannot stay then. If
    /// that fails, nothing is decided.
    fn push(&mut self, unit: usize, choice: ChoiceId) -> bool {
        self.displace(unit, choice, choice, Self::find)
    }

    /// Decides that `unit` takes `choice`, and by `decide` for every undecided unit that could not stay under `way`. If
    /// that fails, nothing is decided.
    fn displace(&mut self, unit: usize, choice: ChoiceId, way: ChoiceId, decide: fn(&mut Self, usize) -> bool) -> bool {
        let kept = self.generator.trail.len();
        self.generator.decide(unit, choice);
        for other in 0..self.places.len() {
            let undecided = self.generator.decided[other].is_none();
            if undecided && self.displaces(way, other) && (self.generator.stuck[other] || !decide(self, other)) {
                self.generator.undo(kept);
                return false;
            }
        }
        true
    }

    fn room(&mut self, unit: usize, choice: ChoiceId) -> Room {
        if self.choices.is_blocked(choice, self.at) || self.is_excluded(choice) {
            return Room::None;
        }
        let mut others = 0..self.places.len();
        let occupied = others
            .any(|other| other != unit && self.generator.decided[other].is_none() && self.displaces(choice, other));
        if occupied { Room::Occupied } else { Room::Free }
    }

    /// Whether `choice`, of an undecided unit, excludes what another unit has decided to do.
    fn is_excluded(&mut self, choice: ChoiceId) -> bool {
        let mut decided = self.generator.trail.iter().filter_map(|other| self.generator.decided[*other]);
        decided.any(|decided| self.choices.conflict(choice, decided))
    }

    /// Whether `other` could not stay.
    fn displaces(&mut self, choice: ChoiceId, other: usize) -> bool {
        let staying = self.choices.staying(self.places[other]);
        self.choices.conflict(choice, staying)
    }

    fn can_stay(&mut self, unit: usize) -> bool {
        let staying = self.choices.staying(self.places[unit]);
        !self.choices.is_blocked(staying, self.at) && !self.is_excluded(staying)
    }
}
