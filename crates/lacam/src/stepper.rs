//! One step of all units, without a search.

use super::choices::{Choices, SpotId};
use super::field::{Field, Step};
use super::generator::{Generator, Ties};
use super::moves::NONE;
use super::spots::Hashed;

/// The moves of more places are not kept.
const MOST_PLACES: usize = 1 << 16;

/// Finds a step of all units at once, by PIBT, and the next step after it.
///
/// Remembers the moves of the places where units were, of 65,536 places at most.
#[derive(Clone, Debug, Default)]
pub struct Stepper {
    choices: Choices<Hashed>,
    generator: Generator,
    spots: Vec<SpotId>,
}

impl Stepper {
    /// Appends to `steps` a step of each unit of `field`. All steps can be taken at the same time. The units in `order`
    /// choose, the first one first: each takes the step that leads nearest to its goals, pushes other units out of its
    /// way, and takes the next best step where they cannot leave. Other units stay, unless they are pushed. `seed`
    /// decides between equals.
    ///
    /// A unit is at `left` thousandths of a step from its goals. Deterministic; in time mostly linear in the units.
    ///
    /// Burns no fuel: a unit whose distances [are not known](Field::distances) without fuel stays, and cannot be
    /// pushed.
    pub fn step<F: Field>(
        &mut self,
        field: &mut F,
        left: impl Fn(usize) -> u32,
        order: &[u32],
        seed: u32,
        steps: &mut Vec<Step>,
    ) {
        let Self { choices, generator, spots } = self;
        if choices.moves.bounds()[1] > MOST_PLACES {
            self.forget();
            return self.step(field, left, order, seed, steps);
        }
        choices.forget_spots();
        spots.clear();
        for unit in 0..field.units() {
            let place = choices.moves.place(field.kind(unit), field.start(unit));
            #[allow(clippy::cast_possible_truncation)] // memory ends before
            spots.push(choices.spot(field, unit as u32, place, left(unit)));
        }
        generator.ties = Ties { seed, free_first: false };
        let options = generator.step((field, choices), spots, order);
        let step = |(spot, option): (&SpotId, &u32)| match *option {
            NONE => Step::stay(choices.moves.node(choices.at(*spot).place)),
            option => choices.step(*spot, option),
        };
        steps.extend(spots.iter().zip(options).map(step));
    }

    /// Forgets the moves, because they have changed.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}
