//! Choices: the possible steps of each unit, asked of the field once.
//!
//! Units of one kind share their [moves](super::moves). What depends on the unit is kept by spot.

use std::ops::Range;

use giveway_core::{Fuel, NodeId, Suspended};

use super::field::{Field, Step};
use super::moves::{ChoiceId, Moves, NONE, PlaceId, number};
use super::spots::SpotsKnown;

/// A unit at a place, by number.
pub(super) type SpotId = u32;

/// A unit and a step that it can take, by number.
pub(super) type OptionId = u32;

/// A unit at a place from which it can reach a goal.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    unit: u32,
    pub(super) place: PlaceId,
    /// In thousandths of a step.
    pub(super) distance: u32,
    pub(super) is_goal: bool,
    /// Empty until the spot is explored. Then the nearest to the goal come first, and among equals staying.
    options: Range<OptionId>,
    staying: OptionId,
}

impl Spot {
    /// A lower bound on the steps to a goal.
    #[inline]
    pub(super) fn steps_left(&self) -> u64 {
        u64::from(self.distance.div_ceil(1000))
    }
}

/// A step that a unit can take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opt {
    pub(super) choice: ChoiceId,
    /// The place where it leads.
    pub(super) place: PlaceId,
    /// The distance to the goal after it, in thousandths of a step.
    pub(super) distance: u32,
    /// The spot where it leads; `NONE`: nobody has asked yet.
    to: SpotId,
}

/// The spots and options of the units of a field, numbered. `K` keeps the spots by unit and place.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices<K> {
    pub(super) moves: Moves,
    known: K,
    spots: Vec<Spot>,
    options: Vec<Opt>,
    /// Scratch.
    nodes: Vec<NodeId>,
    found: Vec<Option<u32>>,
}

impl<K: SpotsKnown> Choices<K> {
    /// Forgets all spots and options. The moves stay.
    pub(super) fn forget_spots(&mut self) {
        self.known.forget();
        self.spots.clear();
        self.options.clear();
    }

    /// The spot of `unit` on `node`. `None`: it cannot reach a goal from there, and so must not go there.
    pub(super) fn spot_on<F: Field>(
        &mut self,
        field: &mut F,
        unit: usize,
        node: NodeId,
        fuel: &mut Fuel,
    ) -> Result<Option<SpotId>, Suspended> {
        let place = self.moves.place(field.kind(unit), node);
        let Self { found, .. } = self;
        found.clear();
        field.distances(unit, &[node], found, fuel)?;
        let distance = found.first().copied().flatten();
        Ok(distance.map(|distance| self.spot(field, number(unit), place, distance)))
    }

    /// The spot of `unit` at `place`, at `distance` from its goals.
    #[inline]
    pub(super) fn spot<F: Field>(&mut self, field: &F, unit: u32, place: PlaceId, distance: u32) -> SpotId {
        let known = self.known.get(unit, place);
        if known != NONE {
            return known;
        }
        let is_goal = field.is_goal(unit as usize, self.moves.node(place), distance);
        self.spots.push(Spot { unit, place, distance, is_goal, options: 0..0, staying: 0 });
        let spot = number(self.spots.len() - 1);
        self.known.set(unit, place, spot);
        spot
    }

    #[inline]
    pub(super) fn at(&self, spot: SpotId) -> &Spot {
        &self.spots[spot as usize]
    }

    /// Finds the options at `spot`, once. Must come before [`options`](Self::options) and [`staying`](Self::staying).
    #[inline]
    pub(super) fn explore<F: Field>(&mut self, field: &mut F, spot: SpotId, fuel: &mut Fuel) -> Result<(), Suspended> {
        if self.spots[spot as usize].options.is_empty() { self.find_options(field, spot, fuel) } else { Ok(()) }
    }

    fn find_options<F: Field>(&mut self, field: &mut F, spot: SpotId, fuel: &mut Fuel) -> Result<(), Suspended> {
        let Spot { unit, place, distance, .. } = self.spots[spot as usize];
        let choices = self.moves.of(field, place);
        let Self { moves, nodes, found, options, .. } = self;
        nodes.clear();
        nodes.extend((choices.start + 1..choices.end).map(|choice| moves.node(moves.end(choice))));
        found.clear();
        field.distances(unit as usize, nodes, found, fuel)?;
        let begin = options.len();
        // Among equally near options staying comes first: the sort is stable.
        options.push(Opt { choice: choices.start, place, distance, to: spot });
        for (choice, distance) in (choices.start + 1..choices.end).zip(found) {
            let Some(distance) = *distance else { continue };
            if K::IS_FOR_ONE_STEP && moves.entries(choice).any(|entry| field.is_taken_now(&entry)) {
                continue;
            }
            options.push(Opt { choice, place: moves.end(choice), distance, to: NONE });
        }
        options[begin..].sort_by_key(|option| option.distance);
        let staying = options[begin..].iter().position(|option| option.choice == choices.start).unwrap_or(0);
        let end = number(options.len());
        let explored = &mut self.spots[spot as usize];
        explored.options = number(begin)..end;
        explored.staying = number(begin + staying);
        Ok(())
    }

    /// The options at `spot`, the nearest to the goal first.
    #[inline]
    pub(super) fn options(&self, spot: SpotId) -> Range<OptionId> {
        self.spots[spot as usize].options.clone()
    }

    /// The option to stay at `spot`.
    #[inline]
    pub(super) fn staying(&self, spot: SpotId) -> OptionId {
        self.spots[spot as usize].staying
    }

    #[inline]
    pub(super) fn option(&self, option: OptionId) -> &Opt {
        &self.options[option as usize]
    }

    /// The spot where an option at `from` leads.
    #[inline]
    pub(super) fn to<F: Field>(&mut self, field: &F, from: SpotId, option: OptionId) -> SpotId {
        let Opt { place, distance, to, .. } = self.options[option as usize];
        if to != NONE {
            return to;
        }
        let to = self.spot(field, self.spots[from as usize].unit, place, distance);
        self.options[option as usize].to = to;
        to
    }

    /// The distance of `unit` from `place`, if it is known without work. `None`: it is not, or no goal can be reached.
    pub(super) fn distance<F: Field>(&mut self, field: &mut F, unit: u32, place: PlaceId) -> Option<u32> {
        let spot = self.known.get(unit, place);
        if spot != NONE {
            return Some(self.at(spot).distance);
        }
        let Self { nodes, found, moves, .. } = self;
        nodes.clear();
        nodes.push(moves.node(place));
        found.clear();
        field.distances(unit as usize, nodes, found, &mut Fuel::none()).ok()?;
        let distance = found.first().copied().flatten()?;
        self.spot(field, unit, place, distance);
        Some(distance)
    }

    /// The step of an option at `from`.
    #[inline]
    pub(super) fn step(&self, from: SpotId, option: OptionId) -> Step {
        self.moves.step(self.at(from).place, self.option(option).choice)
    }

    /// The part of an option in the sum of costs; `to`: where it leads.
    #[inline]
    pub(super) fn cost(&self, option: OptionId, to: SpotId) -> u64 {
        let choice = self.option(option).choice;
        u64::from(self.moves.is_move(choice) || !self.at(to).is_goal)
    }
}
