//! Places beside a target that is followed.

use giveway_core::{CellId, FOREVER, NodeId};

use super::Destinations;
use super::outward::{Counts, Outward};
use super::owners::taken_by;
use crate::standing::Beacons;
use giveway_members::roster::Member;
use giveway_members::world::{AnyClass, World};

/// So many places around a target are looked at.
const MOST: usize = 1024;
/// After the first free place so many are compared with it.
const MOST_EQUALS: usize = 8;
/// Places around a target count as equally near if their squared distances differ by less than this.
const EQUALLY: f64 = 1.01;
/// For units that turn so many are compared, under all headings, as far as so many world units beyond the first one.
const MOST_POSES: usize = 64;
const BEYOND: f64 = 1.0;
/// A heading that leads back from the target counts as so many world units.
const BACKWARDS: f64 = 6.0;

/// Where a follower is to stand.
pub(crate) struct Beside<'b> {
    /// The agent that follows, and where it stands when it can next decide.
    pub(crate) member: &'b Member,
    pub(crate) from: NodeId,
    /// Where the target is going to be.
    pub(crate) node: NodeId,
    /// The cells that the target keeps.
    pub(crate) kept: &'b [CellId],
}

impl Destinations {
    /// The place nearest to a target that its follower can reach, that is no other agent's goal, and that has none of
    /// the cells that the target keeps. Of places that are equally near, the one nearest to the follower; for units
    /// that turn, under a heading that leads to the target, if possible. Nobody makes room. `None`: there is none among
    /// the nearest ones. Changes nothing observable.
    pub(crate) fn assign_beside(
        &mut self,
        Beside { member, from, node, kept }: &Beside<'_>,
        world: &World<'_>,
        beacons: &mut Beacons,
    ) -> Option<NodeId> {
        let (agent, id, class) = (member.id(), member.class(), &world[member.class()]);
        let (from, node) = (*from, *node);
        let Self { of, reaches, .. } = self;
        let reachable = reaches.of(id, class);
        reachable.look_from(class, from)?;
        let is_free = |place: NodeId| {
            let room = class.room(place, 0, FOREVER);
            taken_by(of, agent, &room).is_none() && room.iter().all(|entry| !kept.contains(&entry.cell))
        };
        let is_open = class.contains(node) && reachable.has(node);
        if is_open && is_free(node) {
            return Some(node);
        }
        let is_near = |a: f64, b: f64| a <= b * EQUALLY;
        let square = |one, other| square_between(class, one, other);
        let to_agent = |place: &NodeId| square(from, *place).unwrap_or(f64::INFINITY);
        let turns = turns_at(class, from);
        let Some(position) = class.position(node).filter(|_| turns || !is_open) else {
            // By the cost of moves, so not behind a wall.
            let counts: Counts<'_> = reachable.counts();
            let mut outward = Outward::by_cost(&[node]);
            let mut places =
                (0..MOST).map_while(|index| outward.get(index, (id, class), counts, beacons)).map(|place| place.node);
            let first = places.find(|place| is_free(*place))?;
            let Some(least) = square(node, first) else { return Some(first) };
            let equals = places
                .take(MOST_EQUALS)
                .filter(|place| square(node, *place).is_some_and(|square| is_near(square, least)) && is_free(*place));
            return [first].into_iter().chain(equals).min_by(|one, other| to_agent(one).total_cmp(&to_agent(other)));
        };
        let places = beacons.outward(id, class, position).take(MOST);
        let mut places = places.filter(|place| reachable.has(*place) && is_free(*place));
        let first = places.next()?;
        let least = square(node, first)?;
        let most = if turns { (least.sqrt() + BEYOND).powi(2) } else { least * EQUALLY };
        let others = places.take(if turns { MOST_POSES } else { MOST_EQUALS });
        let others = others.take_while(|place| square(node, *place).is_some_and(|square| square <= most));
        let detour = |place: &NodeId| {
            let off = if turns { BACKWARDS * (1.0 - leads(class, *place, from, node)) / 2.0 } else { 0.0 };
            to_agent(place).sqrt() + off
        };
        let poses = [first].into_iter().chain(others).map(|place| (detour(&place), place));
        let best = poses.min_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        best.map(|(_, place)| place)
    }
}

/// Whether units turn: a move from `node` ends under another heading.
fn turns_at(class: &dyn AnyClass, node: NodeId) -> bool {
    let (heading, mut turns) = (class.heading(node), false);
    class.for_each_move(node, 0, &mut |leg, _| turns |= class.heading(leg.to) != heading);
    turns
}

/// The cosine of the angle between the first move out of `place` and the way from `from` to `node`.
fn leads(class: &dyn AnyClass, place: NodeId, from: NodeId, node: NodeId) -> f64 {
    let mut first = None;
    class.for_each_move(place, 0, &mut |leg, _| first = first.or(Some(leg.to)));
    let between = |one: NodeId, other: NodeId| {
        let [one, other] = [class.position(one)?, class.position(other)?];
        Some([0, 1].map(|axis| f64::from(other[axis]) - f64::from(one[axis])))
    };
    let Some((ahead, way)) = first.and_then(|first| between(place, first).zip(between(from, node))) else { return 0.0 };
    let length = |[x, y]: [f64; 2]| (x * x + y * y).sqrt();
    let both = length(ahead) * length(way);
    if both > 0.0 { (ahead[0] * way[0] + ahead[1] * way[1]) / both } else { 0.0 }
}

/// The square of the straight-line distance between two nodes. `None`: it is not known.
pub(super) fn square_between(class: &dyn AnyClass, one: NodeId, other: NodeId) -> Option<f64> {
    let [one, other] = [class.position(one)?, class.position(other)?];
    Some(one.iter().zip(other).map(|(a, b)| f64::from(*a) - f64::from(b)).map(|axis| axis * axis).sum())
}
