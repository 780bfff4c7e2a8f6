//! One step of all units, without a search.

use super::choices::{Choices, SpotId};
use super::field::{Field, Step};
use super::generator::{Generator, Ties};
use super::moves::NONE;
use super::spots::Hashed;

/// The moves of so many places for each unit are kept, and of so many at least. To find the moves of a place takes no
/// longer than to read what lies too far away in memory.
const PLACES_OF_EACH: usize = 2;
const LEAST_PLACES: usize = 1 << 10;

/// Finds a step of all units at once, by PIBT (Okumura et al., "Priority Inheritance with Backtracking for Iterative
/// Multi-agent Path Finding", Artificial Intelligence 2022), and the next step after it.
///
/// Remembers the kinds, moves and occupied entries of the places where units were, so the field must answer alike until
/// [`forget`](Self::forget). Moves out of more than 1,024 places, and of more than two for each unit, are forgotten at
/// the next step.
///
/// ```
/// use giveway_core::{CellId, ConflictRule, Entry, Fuel, NodeId, Span, Suspended};
/// use giveway_lacam::{Field, Step, Stepper};
///
/// /// A row of places. Each unit is on one, and goes to another one.
/// struct Row(Vec<[u32; 2]>);
///
/// impl Field for Row {
///     fn units(&self) -> usize {
///         self.0.len()
///     }
///
///     fn rule(&self) -> ConflictRule {
///         ConflictRule::Swap
///     }
///
///     fn kind(&self, _unit: usize) -> u32 {
///         0
///     }
///
///     fn start(&self, unit: usize) -> NodeId {
///         NodeId(self.0[unit][0])
///     }
///
///     fn moves(&self, _kind: u32, from: NodeId, found: &mut Vec<(NodeId, u32)>) {
///         found.push((NodeId(from.0 + 1), 0));
///         found.extend(from.0.checked_sub(1).map(|left| (NodeId(left), 1)));
///     }
///
///     // A move holds what lies between the places for a tick, and its end from then on.
///     fn occupies(&self, _kind: u32, step: Step, entries: &mut Vec<Entry>) {
///         if step.action.is_some() {
///             entries.push(Entry { cell: CellId(1000 + step.from.0.min(step.to.0)), span: Span::tick(0) });
///         }
///         entries.push(Entry { cell: CellId(step.to.0), span: Span::endless(u32::from(step.action.is_some())) });
///     }
///
///     fn is_blocked(&self, _entries: &[Entry]) -> bool {
///         false
///     }
///
///     fn distances(
///         &mut self,
///         unit: usize,
///         nodes: &[NodeId],
///         found: &mut Vec<Option<u32>>,
///         _fuel: &mut Fuel,
///     ) -> Result<(), Suspended> {
///         found.extend(nodes.iter().map(|node| Some(1000 * node.0.abs_diff(self.0[unit][1]))));
///         Ok(())
///     }
///
///     fn is_goal(&self, unit: usize, node: NodeId, _distance: u32) -> bool {
///         node.0 == self.0[unit][1]
///     }
/// }
///
/// // The first unit pushes the second one before it.
/// let mut row = Row(vec![[3, 9], [4, 4]]);
/// let mut steps = Vec::new();
/// Stepper::default().step(&mut row, |unit| [6000, 0][unit], &[0, 1], 7, &mut steps);
/// assert_eq!(steps.iter().map(|step| step.to.0).collect::<Vec<_>>(), [4, 5]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stepper {
    choices: Choices<Hashed>,
    generator: Generator,
    spots: Vec<SpotId>,
}

impl Stepper {
    /// Appends to `steps` a step of each unit of `field`. All steps can be taken at the same time if all units could
    /// stay at the same time. The units in `order` choose, the first one first: each takes the step that leads nearest
    /// to its goals, pushes other units out of its way, and takes the next best step where they cannot leave. Other
    /// units stay, unless they are pushed. Numbers in `order` that no unit has are passed by. `seed` decides between
    /// equals.
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
        let most = field.units().saturating_mul(PLACES_OF_EACH).max(LEAST_PLACES);
        if choices.moves.explored() > most {
            choices.moves.forget();
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
