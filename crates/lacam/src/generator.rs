//! One step of all units, by priority inheritance with backtracking.

use giveway_core::{ConflictRule, Fuel};

use super::choices::{Choices, OptionId, SpotId};
use super::field::Field;
use super::holders::Holders;
use super::moves::{NONE, PlaceId, number};
use super::spots::SpotsKnown;

/// At most this many units push each other in a row.
const LONGEST_CHAIN: usize = 256;

/// The field is told of so many units at once before they choose.
const TOUCHED_AT_ONCE: usize = 16;

/// PIBT (Okumura et al., Artificial Intelligence 2022, section 4) for steps that may exclude each other in any way. A
/// unit is in the way of a step if it could not stay while the step is taken; there may be several such units.
///
/// As in the paper, a unit that was pushed and could not move is not pushed again for the same configuration. So one
/// configuration takes time polynomial in the units and their options, and mostly linear: the cells that an option
/// occupies tell which units are in its way.
#[derive(Clone, Debug, Default)]
pub(super) struct Generator {
    /// By unit; `NONE`: undecided.
    decided: Vec<OptionId>,
    /// The decided units, in the order of the decisions, and how many notes there were before each.
    trail: Vec<(u32, u32)>,
    stuck: Vec<bool>,
    /// What each unit holds if it stays.
    here: Holders,
    /// What the decided units hold.
    taken: Holders,
    /// The unit at each place; `NONE`: there is none.
    occupant: Vec<u32>,
    /// The options of the units in the chain that is being tried, the best ones first.
    ranked: Vec<Ranked>,
    /// The units in the way of the options in this chain.
    met: Vec<u32>,
    chain: usize,
    pub(super) ties: Ties,
}

/// An option of a unit.
#[derive(Clone, Copy, Debug)]
struct Ranked {
    option: OptionId,
    /// Among equally near options the least comes first.
    ties: (u32, bool, bool, u32),
}

/// How ties are broken in a dive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Ties {
    pub(super) seed: u32,
    /// Whether options that displace nobody come first.
    pub(super) free_first: bool,
}

impl Generator {
    /// An option for each unit, the `constraints` among them, such that no options exclude each other. Earlier units in
    /// `order` have the way. `None` if there is none, or none was found.
    ///
    /// The constraints must be for different units, and without conflict; `spots` must be explored. With a constraint
    /// for every unit there is always an answer.
    pub(super) fn generate<F: Field, K: SpotsKnown>(
        &mut self,
        (field, choices): (&mut F, &mut Choices<K>),
        spots: &[SpotId],
        order: &[u32],
        constraints: impl Iterator<Item = (u32, OptionId)>,
    ) -> Option<&[OptionId]> {
        self.begin((field, choices), spots);
        let mut turn = Turn { generator: self, field, choices, spots };
        for (unit, option) in constraints {
            turn.decide(unit, option);
        }
        let constrained = turn.generator.trail.len();
        // Who cannot stay has to find something else; the others can stay in the worst case.
        let done = (constrained == 0
            || order.iter().all(|unit| turn.is_done(*unit) || turn.can_stay(*unit) || turn.find(*unit)))
            && order.iter().all(|unit| turn.is_done(*unit) || turn.find(*unit));
        self.end(choices, spots);
        done.then_some(&self.decided)
    }

    /// An option for each unit, such that no options exclude each other; `NONE`: the unit stays. The units in `order`
    /// choose, the first one first, and push others before them. The spots need not be explored.
    pub(super) fn step<F: Field, K: SpotsKnown>(
        &mut self,
        (field, choices): (&mut F, &mut Choices<K>),
        spots: &[SpotId],
        order: &[u32],
    ) -> &[OptionId] {
        self.begin((field, choices), spots);
        let mut turn = Turn { generator: self, field, choices, spots };
        let order: Vec<u32> = order.iter().copied().filter(|unit| (*unit as usize) < spots.len()).collect();
        for some in order.chunks(TOUCHED_AT_ONCE) {
            turn.field.touch(some);
            for unit in some {
                // Who finds nothing stays.
                let _ = turn.is_done(*unit) || turn.find(*unit);
            }
        }
        self.end(choices, spots);
        &self.decided
    }

    #[inline]
    fn begin<F: Field, K: SpotsKnown>(&mut self, (field, choices): (&F, &mut Choices<K>), spots: &[SpotId]) {
        self.decided.clear();
        self.decided.resize(spots.len(), NONE);
        self.stuck.clear();
        self.stuck.resize(spots.len(), false);
        for (unit, spot) in (0..).zip(spots) {
            let place = choices.at(*spot).place;
            let staying = choices.moves.of(field, place).start;
            let [cells, places] = choices.moves.bounds();
            self.here.grow(cells);
            self.here.note(unit, choices.moves.holds(staying));
            self.occupant.resize(places.max(self.occupant.len()), NONE);
            self.occupant[place as usize] = unit;
        }
        self.taken.grow(choices.moves.bounds()[0]);
    }

    #[inline]
    fn end<K: SpotsKnown>(&mut self, choices: &Choices<K>, spots: &[SpotId]) {
        self.here.keep(0);
        self.taken.keep(0);
        self.trail.clear();
        for spot in spots {
            self.occupant[choices.at(*spot).place as usize] = NONE;
        }
    }
}

/// A configuration under way.
pub(super) struct Turn<'a, F, K> {
    generator: &'a mut Generator,
    pub(super) field: &'a mut F,
    pub(super) choices: &'a mut Choices<K>,
    pub(super) spots: &'a [SpotId],
}

impl<F: Field, K: SpotsKnown> Turn<'_, F, K> {
    pub(super) fn is_done(&self, unit: u32) -> bool {
        self.generator.decided[unit as usize] != NONE
    }

    fn decide(&mut self, unit: u32, option: OptionId) {
        let Generator { decided, trail, taken, .. } = &mut *self.generator;
        decided[unit as usize] = option;
        trail.push((unit, number(taken.len())));
        taken.note(unit, self.choices.moves.holds(self.choices.option(option).choice));
    }

    /// Undoes all but the first `kept` decisions.
    fn undo(&mut self, kept: usize) {
        let Generator { decided, trail, taken, .. } = &mut *self.generator;
        while trail.len() > kept {
            if let Some((unit, notes)) = trail.pop() {
                decided[unit as usize] = NONE;
                taken.keep(notes as usize);
            }
        }
    }

    /// Decides for `unit`, which is undecided, and for all that it pushes. If that fails, nothing is decided, and the
    /// unit is stuck.
    fn find(&mut self, unit: u32) -> bool {
        self.find_other_than(unit, NONE)
    }

    /// [`find`](Self::find), without the option `left_out`.
    fn find_other_than(&mut self, unit: u32, left_out: OptionId) -> bool {
        let first = self.generator.ranked.len();
        self.generator.chain += 1;
        self.explore(unit);
        let mut ordered = self.rank(unit, left_out);
        let best = self.generator.ranked.get(first).map(|ranked| ranked.option);
        let pulled = self.exchange(unit, best);
        if pulled != NONE {
            while ordered < self.generator.ranked.len() {
                ordered = self.break_ties(unit, ordered);
            }
            self.generator.ranked[first..].reverse();
        }
        let mut found = false;
        if self.generator.chain <= LONGEST_CHAIN {
            for position in first..self.generator.ranked.len() {
                if position == ordered {
                    ordered = self.break_ties(unit, ordered);
                }
                let option = self.generator.ranked[position].option;
                if !self.is_excluded(option) && self.make_room(unit, option) {
                    found = true;
                    if position == first && pulled != NONE {
                        self.pull(pulled, self.choices.at(self.spots[unit as usize]).place);
                    }
                    break;
                }
            }
        }
        self.generator.ranked.truncate(first);
        self.generator.chain -= 1;
        self.generator.stuck[unit as usize] |= !found;
        found
    }

    /// Finds the options of `unit`. A unit whose options are not known without work has none.
    #[inline]
    fn explore(&mut self, unit: u32) {
        let _ = self.choices.explore(self.field, self.spots[unit as usize], &mut Fuel::none());
    }

    /// Appends the options of `unit` except `left_out`: the options nearest to the goal first. Returns the end of the
    /// nearest options, among which ties are broken.
    fn rank(&mut self, unit: u32, left_out: OptionId) -> usize {
        let options = self.choices.options(self.spots[unit as usize]);
        let first = self.generator.ranked.len();
        let ranked =
            options.filter(|option| *option != left_out).map(|option| Ranked { option, ties: (0, false, false, 0) });
        self.generator.ranked.extend(ranked);
        self.break_ties(unit, first)
    }

    /// Puts the options that are as near to the goal as the option at `begin` in order: first the options that hinder
    /// the fewest neighbours on their way. Returns where these options end.
    ///
    /// Okumura and Nagai, "Lightweight and Effective Preference Construction in PIBT for Large-Scale Multi-Agent
    /// Pathfinding", SoCS 2025.
    fn break_ties(&mut self, unit: u32, begin: usize) -> usize {
        let staying = self.choices.staying(self.spots[unit as usize]);
        let distance = |ranked: &Ranked| self.choices.option(ranked.option).distance;
        let Some(nearest) = self.generator.ranked.get(begin).map(distance) else { return begin };
        let equal = &self.generator.ranked[begin..];
        let end = begin + equal.iter().take_while(|ranked| distance(ranked) == nearest).count();
        if end - begin > 1 {
            for position in begin..end {
                let option = self.generator.ranked[position].option;
                let Ties { seed, free_first } = self.generator.ties;
                let displaces = free_first && self.displaced(unit, option).next().is_some();
                let hindered = self.hindered(unit, option);
                self.generator.ranked[position].ties = (hindered, displaces, option != staying, noise(seed, option));
            }
            self.generator.ranked[begin..end].sort_unstable_by_key(|ranked| ranked.ties);
        }
        end
    }

    /// The unit at `place`; `NONE`: there is none.
    pub(super) fn occupant(&self, place: PlaceId) -> u32 {
        self.generator.occupant.get(place as usize).copied().unwrap_or(NONE)
    }

    /// How many neighbours of `unit` would come nearer to their goals where `option` leads.
    fn hindered(&mut self, unit: u32, option: OptionId) -> u32 {
        let (here, there) = (self.choices.at(self.spots[unit as usize]).place, self.choices.option(option).place);
        let mut count = 0;
        for choice in self.choices.moves.of(self.field, here).skip(1) {
            let other = self.occupant(self.choices.moves.end(choice));
            if other != NONE && other != unit {
                let left = self.choices.at(self.spots[other as usize]).distance;
                count += u32::from(self.choices.distance(self.field, other, there).is_some_and(|to| to < left));
            }
        }
        count
    }

    /// The undecided units other than `unit` that could not stay if it took `option`.
    fn displaced(&self, unit: u32, option: OptionId) -> impl Iterator<Item = u32> {
        let Generator { decided, here, .. } = &*self.generator;
        let holders = here.of(self.choices.moves.holds(self.choices.option(option).choice));
        holders.filter(move |other| *other != unit && decided[*other as usize] == NONE)
    }

    /// Decides that `unit` takes `option`, which no decision excludes, if the units in its way can leave at the same
    /// time. Otherwise decides that `unit` stays, and that the units in its way leave first. If both fail, nothing is
    /// decided.
    fn make_room(&mut self, unit: u32, option: OptionId) -> bool {
        let first = self.generator.met.len();
        let mut met = std::mem::take(&mut self.generator.met);
        met.extend(self.displaced(unit, option));
        met[first..].sort_unstable();
        self.generator.met = met;
        let follows = self.field.rule() == ConflictRule::Swap;
        if !follows {
            for position in first..self.generator.met.len() {
                self.explore(self.generator.met[position]);
            }
        }
        let kept = self.generator.trail.len();
        let staying = self.choices.staying(self.spots[unit as usize]);
        let clears = !follows && self.blocks_whatever_it_does(first, option);
        let mut made = true;
        if clears && !self.can_stay(unit) {
            made = false;
        } else {
            self.decide(unit, if clears { staying } else { option });
        }
        for position in first..self.generator.met.len() {
            let other = self.generator.met[position];
            if !made || self.is_done(other) {
                continue;
            }
            let left_out = if clears { self.choices.staying(self.spots[other as usize]) } else { NONE };
            made = !self.generator.stuck[other as usize] && self.find_other_than(other, left_out);
        }
        if !made {
            self.undo(kept);
        }
        self.generator.met.truncate(first);
        made
    }

    /// Whether one of the units in the way, from the `first` one on, is in the way of `option` whatever it does: under
    /// the following rule a place is entered only after it was left.
    fn blocks_whatever_it_does(&self, first: usize, option: OptionId) -> bool {
        let choice = self.choices.option(option).choice;
        self.generator.met[first..].iter().any(|other| {
            let mut ways = self.choices.options(self.spots[*other as usize]);
            ways.all(|way| self.choices.moves.conflict(choice, self.choices.option(way).choice))
        })
    }

    /// Whether `option` excludes what a unit has decided to do.
    fn is_excluded(&self, option: OptionId) -> bool {
        self.generator.taken.of(self.choices.moves.holds(self.choices.option(option).choice)).next().is_some()
    }

    fn can_stay(&self, unit: u32) -> bool {
        !self.is_excluded(self.choices.staying(self.spots[unit as usize]))
    }

    /// Lets `other`, unless it is decided, follow to `place`, which was left, if it can.
    fn pull(&mut self, other: u32, place: PlaceId) {
        if self.is_done(other) {
            return;
        }
        self.explore(other);
        let mut options = self.choices.options(self.spots[other as usize]);
        let follows = options.find(|option| self.choices.option(*option).place == place && !self.is_excluded(*option));
        if let Some(option) = follows.filter(|option| self.displaced(other, *option).next().is_none()) {
            self.decide(other, option);
        }
    }
}

/// A number that decides between equals.
#[inline]
fn noise(seed: u32, option: OptionId) -> u32 {
    let bits = (u64::from(seed) << 32 ^ u64::from(option)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let bits = (bits ^ bits >> 31).wrapping_mul(0x94D0_49BB_1331_11EB) >> 32;
    #[allow(clippy::cast_possible_truncation)] // it is less than 2^32
    let noise = bits as u32;
    noise
}
