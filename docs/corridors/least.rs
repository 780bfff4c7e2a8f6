//! The least sum of costs there is: Dijkstra's algorithm over the places of all units at once.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use giveway::spaces::Embedding;
use giveway::spaces::Grid;
use giveway::time::Ticks;
use giveway::{Footprint, NodeId, SpaceGraph};

use super::Anything;
use super::case::{Case, Unit};
use super::run::{Question, World, ask};

/// For more units than these there are too many ways to place them.
const MOST_UNITS: usize = 2;

/// Where a unit is between two ticks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    /// Whence its move leads; where it rests, if it does.
    from: NodeId,
    to: NodeId,
    /// How many ticks of the move come after this one.
    left: Ticks,
    /// Whether it is on its goal for good.
    home: bool,
}

/// The least sum of costs of any plan for `case`. `Some(None)`: there is no plan. `None`: there are too many units to
/// say.
pub(crate) fn least(case: &Case) -> Result<Option<Option<u64>>, Anything> {
    if case.units.len() > MOST_UNITS {
        return Ok(None);
    }
    ask(case, Least).map(Some)
}

struct Least;

impl Question for Least {
    type Answer = Option<u64>;

    fn ask<S, F>(self, case: &Case, worlds: &[World<S, F>]) -> Result<Option<u64>, Anything>
    where
        S: SpaceGraph<Cost = u32> + Embedding,
        F: Footprint<S>,
    {
        let here = |unit: &Unit| Place { from: unit.start, to: unit.start, left: 0, home: false };
        let begin = case.units.iter().map(|unit| or_home(unit, here(unit)).collect()).collect::<Vec<Vec<Place>>>();
        let mut open: BinaryHeap<_> =
            together(&begin, |_, _| true).into_iter().map(|joint| Reverse((0, joint))).collect();
        let mut closed: BTreeSet<Vec<Place>> = BTreeSet::new();
        let bodies = worlds.iter().any(|world| world.outline.is_some());
        while let Some(Reverse((cost, joint))) = open.pop() {
            let away = joint.iter().filter(|place| !place.home).count() as u64;
            if away == 0 {
                return Ok(Some(cost));
            }
            if !closed.insert(joint.clone()) {
                continue;
            }
            let next = case.units.iter().zip(&joint).map(|(unit, place)| {
                let world = worlds.iter().find(|world| world.kind == unit.kind).ok_or("every kind has its world")?;
                Ok(successors(world, unit, place))
            });
            let apart = |[a, b]: [usize; 2], [p, q]: [&Place; 2]| {
                if bodies { !overlap(&case.grid, [&case.units[a], &case.units[b]], [p, q]) } else { !meet(p, q) }
            };
            let next = together(&next.collect::<Result<Vec<_>, Anything>>()?, apart);
            open.extend(next.into_iter().map(|joint| Reverse((cost + away, joint))));
        }
        Ok(None)
    }
}

/// `place`, and the same for good, if that may be.
fn or_home(unit: &Unit, place: Place) -> impl Iterator<Item = Place> {
    let may_end = place.left == 0 && place.to == unit.goal.unwrap_or(unit.start);
    std::iter::once(place).chain(may_end.then_some(Place { home: true, ..place }))
}

/// Where the unit can be a tick after `place`.
fn successors<S: SpaceGraph, F: Footprint<S>>(world: &World<S, F>, unit: &Unit, place: &Place) -> Vec<Place> {
    let rests = Place { from: place.to, left: 0, ..*place };
    if place.home {
        return vec![rests];
    }
    if let Some(left) = place.left.checked_sub(1) {
        return or_home(unit, Place { left, ..*place }).collect();
    }
    let moves = world.space.moves(place.to).filter_map(|m| {
        let left = world.footprint.duration(&world.space, &m)?.checked_sub(1)?;
        Some(Place { from: m.from, to: m.to, left, home: false })
    });
    std::iter::once(rests).chain(moves).flat_map(|place| or_home(unit, place)).collect()
}

/// All ways to choose one of the options of each unit such that any two are `apart`, which is told whose they are.
fn together(options: &[Vec<Place>], apart: impl Fn([usize; 2], [&Place; 2]) -> bool) -> Vec<Vec<Place>> {
    options.iter().enumerate().fold(vec![vec![]], |chosen, (unit, options)| {
        let pairs = chosen.iter().flat_map(|chosen| options.iter().map(move |option| (chosen, option)));
        let fits =
            |chosen: &[Place], option| (0..).zip(chosen).all(|(other, place)| apart([other, unit], [place, option]));
        let fitting = pairs.filter(|(chosen, option)| fits(chosen, option));
        fitting.map(|(chosen, option)| [chosen.as_slice(), &[*option]].concat()).collect()
    })
}

/// The swap rule.
fn meet(p: &Place, q: &Place) -> bool {
    p.to == q.to || (p.from == q.to && p.to == q.from)
}

/// Whether two squares, each where it comes from or where it goes to, have a cell in common.
fn overlap(grid: &Grid, units: [&Unit; 2], places: [&Place; 2]) -> bool {
    let [a, b] = units.map(|unit| unit.kind.size);
    let close = |p: u32, q: u32| p < q + b && q < p + a;
    let [p, q] = places.map(|place| [place.from, place.to].map(|node| grid.xy(node)));
    p.iter().any(|p| q.iter().any(|q| close(p.0, q.0) && close(p.1, q.1)))
}
