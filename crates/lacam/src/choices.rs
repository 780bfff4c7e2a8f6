//! Choices: the possible steps of each unit, asked of the field once.
//!
//! Units of one kind share their places, and what their steps occupy. What depends on the unit is kept by spot.

use std::ops::Range;

use giveway_core::{CellId, Fuel, NodeId, Span, Suspended};
use rustc_hash::FxHashMap;

use super::field::{Field, Step};

/// A node on which units of a kind can be, by number.
pub(super) type PlaceId = u32;

/// A step of units of a kind, by number.
pub(super) type ChoiceId = u32;

/// A unit at a place, by number.
pub(super) type SpotId = u32;

/// A unit and a step that it can take, by number.
pub(super) type OptionId = u32;

/// No number.
pub(super) const NONE: u32 = u32::MAX;

/// A cell that a step occupies, by number, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    pub(super) cell: u32,
    pub(super) span: Span,
}

/// A node on which units of a kind can be.
#[derive(Clone, Debug)]
struct Place {
    kind: u32,
    node: NodeId,
    /// The first choice is to stay. Empty until the place is explored.
    choices: Range<ChoiceId>,
}

/// A step of units of a kind.
#[derive(Clone, Debug)]
struct Choice {
    to: PlaceId,
    /// The position of the move among the moves out of its node. `None`: the unit stays.
    action: Option<u32>,
    holds: Range<u32>,
}

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

/// The spots of a unit by place. Only the pages in use take memory; places near each other have near numbers.
#[derive(Clone, Debug, Default)]
struct SpotsOf(Vec<Option<Box<[SpotId; PAGE]>>>);

const PAGE: usize = 64;

impl SpotsOf {
    /// `NONE`: there is no spot.
    #[inline]
    fn get(&self, place: PlaceId) -> SpotId {
        let page = self.0.get(place as usize / PAGE).and_then(Option::as_ref);
        page.map_or(NONE, |page| page[place as usize % PAGE])
    }

    #[inline]
    fn set(&mut self, place: PlaceId, spot: SpotId) {
        let page = place as usize / PAGE;
        self.0.resize_with(self.0.len().max(page + 1), || None);
        self.0[page].get_or_insert_with(|| Box::new([NONE; PAGE]))[place as usize % PAGE] = spot;
    }
}

/// The places, choices, spots and options of a field, numbered.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    cells: FxHashMap<CellId, u32>,
    place_of: FxHashMap<(u32, NodeId), PlaceId>,
    places: Vec<Place>,
    choices: Vec<Choice>,
    holds: Vec<Hold>,
    /// By unit.
    spots_of: Vec<SpotsOf>,
    spots: Vec<Spot>,
    options: Vec<Opt>,
    /// Scratch.
    nodes: Vec<NodeId>,
    found: Vec<Option<u32>>,
}

impl Choices {
    /// One more than the largest number of a cell, and of a place.
    #[inline]
    pub(super) fn bounds(&self) -> [usize; 2] {
        [self.cells.len(), self.places.len()]
    }

    #[inline]
    fn place(&mut self, kind: u32, node: NodeId) -> PlaceId {
        *self.place_of.entry((kind, node)).or_insert_with(|| {
            self.places.push(Place { kind, node, choices: 0..0 });
            number(self.places.len() - 1)
        })
    }

    /// The choices at `place`; to stay is the first one.
    pub(super) fn of<F: Field>(&mut self, field: &F, place: PlaceId) -> Range<ChoiceId> {
        let Place { kind, node, ref choices } = self.places[place as usize];
        if !choices.is_empty() {
            return choices.clone();
        }
        let mut moves = Vec::new();
        field.moves(kind, node, &mut moves);
        let begin = number(self.choices.len());
        let mut entries = Vec::new();
        let stay = Step::stay(node);
        let steps = moves.into_iter().map(|(to, action)| Step { from: node, to, action: Some(action) });
        for step in std::iter::once(stay).chain(steps) {
            entries.clear();
            field.occupies(kind, step, &mut entries);
            if step.action.is_some() && field.is_blocked(&entries) {
                continue;
            }
            let first = number(self.holds.len());
            for entry in &entries {
                let next = number(self.cells.len());
                let cell = *self.cells.entry(entry.cell).or_insert(next);
                // Two entries of one cell that follow each other are one.
                match self.holds[first as usize..].iter_mut().find(|hold| hold.cell == cell) {
                    Some(hold) if hold.span.end >= entry.span.start && entry.span.end >= hold.span.start => {
                        hold.span = Span::new(hold.span.start.min(entry.span.start), hold.span.end.max(entry.span.end));
                    }
                    _ => self.holds.push(Hold { cell, span: entry.span }),
                }
            }
            let to = self.place(kind, step.to);
            let holds = first..number(self.holds.len());
            self.choices.push(Choice { to, action: step.action, holds });
        }
        let choices = begin..number(self.choices.len());
        self.places[place as usize].choices = choices.clone();
        choices
    }

    /// What a choice occupies.
    #[inline]
    pub(super) fn holds(&self, choice: ChoiceId) -> &[Hold] {
        let Range { start, end } = self.choices[choice as usize].holds;
        &self.holds[start as usize..end as usize]
    }

    /// The place where a choice leads.
    #[inline]
    pub(super) fn end(&self, choice: ChoiceId) -> PlaceId {
        self.choices[choice as usize].to
    }

    /// Whether two choices of different units exclude each other.
    #[inline]
    pub(super) fn conflict(&self, a: ChoiceId, b: ChoiceId) -> bool {
        let meet = |one: &Hold, other: &Hold| one.cell == other.cell && one.span.overlaps(other.span);
        self.holds(a).iter().any(|one| self.holds(b).iter().any(|other| meet(one, other)))
    }

    /// The spot of `unit` on `node`. `None`: it cannot reach a goal from there, and so must not go there.
    pub(super) fn spot_on<F: Field>(
        &mut self,
        field: &mut F,
        unit: usize,
        node: NodeId,
        fuel: &mut Fuel,
    ) -> Result<Option<SpotId>, Suspended> {
        let place = self.place(field.kind(unit), node);
        let mut found = Vec::new();
        field.distances(unit, &[node], &mut found, fuel)?;
        let distance = found.first().copied().flatten();
        Ok(distance.map(|distance| self.spot(field, number(unit), place, distance)))
    }

    /// The spot of `unit` at `place`, at `distance` from its goals.
    fn spot<F: Field>(&mut self, field: &F, unit: u32, place: PlaceId, distance: u32) -> SpotId {
        if self.spots_of.len() <= unit as usize {
            self.spots_of.resize_with(unit as usize + 1, SpotsOf::default);
        }
        let known = self.spots_of[unit as usize].get(place);
        if known != NONE {
            return known;
        }
        let is_goal = field.is_goal(unit as usize, self.places[place as usize].node, distance);
        self.spots.push(Spot { unit, place, distance, is_goal, options: 0..0, staying: 0 });
        let spot = number(self.spots.len() - 1);
        self.spots_of[unit as usize].set(place, spot);
        spot
    }

    #[inline]
    pub(super) fn at(&self, spot: SpotId) -> &Spot {
        &self.spots[spot as usize]
    }

    /// Finds the options at `spot`, once. Must come before [`options`](Self::options) and [`staying`](Self::staying).
    pub(super) fn explore<F: Field>(&mut self, field: &mut F, spot: SpotId, fuel: &mut Fuel) -> Result<(), Suspended> {
        let Spot { unit, place, distance, ref options, .. } = self.spots[spot as usize];
        if !options.is_empty() {
            return Ok(());
        }
        let choices = self.of(field, place);
        let moves = choices.start + 1..choices.end;
        let Self { nodes, found, places, choices: all, options, .. } = self;
        let ends = all[moves.start as usize..moves.end as usize].iter().map(|choice| choice.to);
        nodes.clear();
        nodes.extend(ends.clone().map(|to| places[to as usize].node));
        found.clear();
        field.distances(unit as usize, nodes, found, fuel)?;
        let begin = options.len();
        // Among equally near options staying comes first: the sort is stable.
        options.push(Opt { choice: choices.start, place, distance, to: spot });
        for ((choice, place), distance) in moves.zip(ends).zip(found) {
            if let Some(distance) = *distance {
                options.push(Opt { choice, place, distance, to: NONE });
            }
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
        let spot = self.spots_of[unit as usize].get(place);
        if spot != NONE {
            return Some(self.at(spot).distance);
        }
        let Self { nodes, found, places, .. } = self;
        nodes.clear();
        nodes.push(places[place as usize].node);
        found.clear();
        field.distances(unit as usize, nodes, found, &mut Fuel::none()).ok()?;
        let distance = found.first().copied().flatten()?;
        self.spot(field, unit, place, distance);
        Some(distance)
    }

    /// The step of an option at `from`.
    #[inline]
    pub(super) fn step(&self, from: SpotId, option: OptionId) -> Step {
        let Opt { choice, place, .. } = self.options[option as usize];
        let node = |place: PlaceId| self.places[place as usize].node;
        Step { from: node(self.at(from).place), to: node(place), action: self.choices[choice as usize].action }
    }

    /// The part of an option in the sum of costs; `to`: where it leads.
    #[inline]
    pub(super) fn cost(&self, option: OptionId, to: SpotId) -> u64 {
        let choice = self.option(option).choice;
        u64::from(self.choices[choice as usize].action.is_some() || !self.at(to).is_goal)
    }
}

/// All is numbered by 32 bits; memory ends before the numbers do.
#[inline]
pub(super) fn number(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}
