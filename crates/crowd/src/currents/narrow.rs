//! Whether two agents that face each other could pass each other, if nobody else were there.

#![allow(clippy::cast_possible_truncation)] // places are few

use std::collections::{BTreeMap, BTreeSet};

use giveway_core::{AgentId, FOREVER, Fuel, NodeId};
use rustc_hash::FxHashMap;

use super::meeting::{Course, PATIENCE, course, stands};
use super::vectors::{dot, minus, unit};
use crate::ledger::Presence;
use crate::state::State;
use giveway_members::leg::Leg;
use giveway_members::roster::Slot;
use giveway_members::world::AnyClass;
use giveway_members::world::currents::squared;

/// The places around an agent are at most `FAR` moves away, and no more than `MOST_PLACES`.
const FAR: u32 = 12;
const MOST_PLACES: usize = 512;

/// So many agents beside the one in the way may block the way together with it.
const MOST_BESIDE: usize = 4;

/// The price of a look at a place, in units of work.
const PLACE: u64 = 4;

/// A current reaches so many steps beyond the places of an agent in the narrowest slice.
const BESIDE: f32 = 2.0;

/// A place that others block from side to side.
pub(super) struct Narrow {
    /// The middle of its narrowest slice.
    pub(super) at: [f32; 3],
    /// From the side of the agent that cannot pass to the other side; its length is 1.
    pub(super) axis: [f32; 3],
    pub(super) radius: f32,
}

/// The places around an agent, and which of them may be reached from which.
struct Around {
    nodes: Vec<NodeId>,
    /// Of each place, the places one move away, forth or back.
    beside: Vec<Vec<u32>>,
    /// From this place on, places lie at the edge: moves may lead on from them.
    edge: u32,
}

impl Around {
    /// Whether moves may lead on from `place` or from a place beside it.
    fn is_near_edge(&self, place: u32) -> bool {
        place >= self.edge || self.beside[place as usize].iter().any(|beside| *beside >= self.edge)
    }
}

/// Whether a look takes no more than a quarter of the work that is left.
pub(super) fn can_look(fuel: &Fuel) -> bool {
    fuel.left() / 4 >= PLACE * MOST_PLACES as u64
}

/// Where `other`, or `other` and the agents beside it that face `slot` too, part the places around `slot`, so that it
/// cannot pass. `None`: it can, or its class has no positions.
pub(super) fn between(
    state: &mut State<'_>,
    presence: &Presence,
    (slot, own): (Slot, &Course),
    (other, its): (Slot, &Course),
    fuel: &mut Fuel,
) -> Option<Narrow> {
    let around = around(state, slot);
    *fuel = Fuel::work(fuel.left().saturating_sub(PLACE * around.nodes.len() as u64));
    let held = held(state, presence, slot, &around);
    let mut blocked = vec![false; around.nodes.len()];
    for blocker in facing(state, own, (other, its), &held) {
        let agent = state.roster[blocker].id();
        held.iter().filter(|(_, by)| *by == agent).for_each(|(place, _)| blocked[*place] = true);
        if let Some((own, far)) = sides(&around, &blocked) {
            return part(state.class(slot), &around, &blocked, &own, &far);
        }
    }
    None
}

/// The places around `slot` that others hold, and by which agent each.
fn held(state: &State<'_>, presence: &Presence, slot: Slot, around: &Around) -> Vec<(usize, AgentId)> {
    let (class, agent, now) = (state.class(slot), state.roster[slot].id(), state.clock.now);
    let mut held = Vec::new();
    let mut entries = Vec::new();
    for (place, node) in around.nodes.iter().enumerate() {
        entries.clear();
        class.sweep(&Leg::resting(*node, now, FOREVER), &mut entries);
        held.extend(presence.all_met(agent, &entries).into_iter().map(|other| (place, other)));
    }
    held
}

/// `other`, and the nearest of the agents that hold places and face `slot`, too.
fn facing(state: &mut State<'_>, own: &Course, (other, its): (Slot, &Course), held: &[(usize, AgentId)]) -> Vec<Slot> {
    let holders: BTreeSet<AgentId> = held.iter().map(|(_, agent)| *agent).collect();
    // Three times as far away as the one that is in the way.
    let near = 9.0 * squared(own.at, its.at);
    let mut others = Vec::new();
    for holder in state.roster.slots_of(holders.into_iter().collect()) {
        if holder != other
            && stands(state, holder, PATIENCE / 2)
            && let Some(its) = course(state, holder)
            && own.faces(&its)
            && squared(own.at, its.at) <= near
        {
            others.push((squared(own.at, its.at), holder));
        }
    }
    // Agents as near as each other stay in the order of their ids.
    others.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let nearest = others.into_iter().map(|(_, holder)| holder).take(MOST_BESIDE);
    std::iter::once(other).chain(nearest).collect()
}

/// The narrowest place near those that are `blocked` and part `own` side from the `far` one. `None`: the class has no
/// positions.
fn part(class: &dyn AnyClass, around: &Around, blocked: &[bool], own: &[u32], far: &[u32]) -> Option<Narrow> {
    let positions: Option<Vec<[f32; 3]>> = around.nodes.iter().map(|node| class.position(*node)).collect();
    let positions = positions?;
    let of = |places: &[u32]| places.iter().map(|place| positions[*place as usize]).collect::<Vec<_>>();
    let block: Vec<[f32; 3]> =
        positions.iter().zip(blocked).filter(|(_, is_blocked)| **is_blocked).map(|(place, _)| *place).collect();
    let at = middle(&block);
    let reach = farthest(&block, at);
    let axis = minus(middle(&of(far)), middle(&of(own)));
    let step = around.beside[0].iter().map(|place| squared(positions[*place as usize], positions[0]));
    let step = step.filter(|length| *length > 0.0).min_by(f32::total_cmp)?.sqrt();
    if axis == [0.0; 3] || !step.is_finite() {
        return None;
    }
    let axis = unit(axis);
    // Slices across the axis, one step thick, from the middle of the block on, as far as it reaches.
    let most = ((reach / step).ceil() as i32).saturating_add(1).unsigned_abs();
    let wide = reach + step * BESIDE;
    let mut slices: BTreeMap<i32, Vec<([f32; 3], f32)>> = BTreeMap::new();
    for (position, place) in positions.iter().zip(0..) {
        let from_middle = minus(*position, at);
        let along = dot(from_middle, axis);
        let slice = (along / step).round() as i32;
        let beside = (dot(from_middle, from_middle) - along * along).max(0.0).sqrt();
        if slice.unsigned_abs() <= most && beside < wide + step {
            // Near the edge, others may lie beside it that are not known.
            let beside = if around.is_near_edge(place) { f32::INFINITY } else { beside };
            slices.entry(slice).or_default().push((*position, beside));
        }
    }
    // Another passage may lie in the slice, and open ground goes on beyond what is looked at.
    let slices = slices.into_iter().map(|(slice, places)| (slice, connected(&places, step)));
    let slices = slices.filter(|(_, places)| places.iter().all(|(_, beside)| *beside < wide));
    let (_, narrowest) = slices.min_by_key(|(slice, places)| (places.len(), slice.unsigned_abs()))?;
    let narrowest: Vec<[f32; 3]> = narrowest.into_iter().map(|(position, _)| position).collect();
    let at = middle(&narrowest);
    Some(Narrow { at, axis, radius: farthest(&narrowest, at) + step * BESIDE })
}

/// Those of `places` that can be reached from the one that is least far from the axis, from each to one a step away, or a
/// diagonal step. Each place is a position, and how far it is from the axis.
fn connected(places: &[([f32; 3], f32)], step: f32) -> Vec<([f32; 3], f32)> {
    let mut left = places.to_vec();
    let Some(first) = (0..left.len()).min_by(|one, other| left[*one].1.total_cmp(&left[*other].1)) else { return left };
    let mut connected = vec![left.swap_remove(first)];
    let mut next = 0;
    while let Some((position, _)) = connected.get(next).copied() {
        let is_near = |(other, _): &([f32; 3], f32)| squared(*other, position) < 2.25 * step * step;
        connected.extend(left.extract_if(.., |place| is_near(place)));
        next += 1;
    }
    connected
}

/// How far the farthest of positions is from `at`.
fn farthest(positions: &[[f32; 3]], at: [f32; 3]) -> f32 {
    positions.iter().map(|position| squared(*position, at)).fold(0.0, f32::max).sqrt()
}

/// The places around `slot`, its own first, by moves away.
fn around(state: &State<'_>, slot: Slot) -> Around {
    let class = state.class(slot);
    let (start, from) = state.roster[slot].motion.free_at(state.clock.now);
    let mut index: FxHashMap<NodeId, u32> = FxHashMap::from_iter([(start, 0)]);
    let mut around = Around { nodes: vec![start], beside: vec![Vec::new()], edge: 0 };
    let mut moves = vec![0];
    while (around.edge as usize) < around.nodes.len().min(MOST_PLACES) {
        let at = around.edge as usize;
        if moves[at] == FAR {
            break;
        }
        class.for_each_move(around.nodes[at], from, &mut |leg, _| {
            let count = around.nodes.len() as u32;
            let place = *index.entry(leg.to).or_insert(count);
            if place == count {
                around.nodes.push(leg.to);
                around.beside.push(Vec::new());
                moves.push(moves[at] + 1);
            }
            around.beside[at].push(place);
            around.beside[place as usize].push(at as u32);
        });
        around.edge += 1;
    }
    around
}

/// The places around an agent that it can reach without those that are `blocked`, and the largest part that it cannot
/// reach. `None`: one of them does not lead on, or its own place is blocked.
fn sides(around: &Around, blocked: &[bool]) -> Option<(Vec<u32>, Vec<u32>)> {
    let mut is_known = blocked.to_vec();
    let mut sides = (0..around.nodes.len()).filter_map(|first| side(around, first, &mut is_known));
    let leads_on = |side: &Vec<u32>| side.iter().any(|place| *place >= around.edge);
    let own = sides.next().filter(|side| side[0] == 0 && leads_on(side))?;
    let far = sides.filter(leads_on).max_by_key(Vec::len)?;
    Some((own, far))
}

/// The places that can be reached from `first`. `None`: it `is_known` already.
fn side(around: &Around, first: usize, is_known: &mut [bool]) -> Option<Vec<u32>> {
    if std::mem::replace(&mut is_known[first], true) {
        return None;
    }
    let mut side = vec![first as u32];
    let mut next = 0;
    while let Some(place) = side.get(next).copied() {
        next += 1;
        for beside in &around.beside[place as usize] {
            if !std::mem::replace(&mut is_known[*beside as usize], true) {
                side.push(*beside);
            }
        }
    }
    Some(side)
}

/// The mean of positions.
fn middle(positions: &[[f32; 3]]) -> [f32; 3] {
    let sum = |axis: usize| positions.iter().map(|position| f64::from(position[axis])).sum::<f64>();
    [0, 1, 2].map(|axis| (sum(axis) / positions.len() as f64) as f32)
}

#[cfg(test)]
mod tests {
    use giveway_bodies::{Body, Ground};
    use giveway_core::Agent;
    use giveway_spaces::Grid;

    use super::*;
    use crate::{Class, Crowd, CrowdSettings};

    /// The narrow place that one agent sees from `start`, if the places that `is_blocked` are taken.
    fn seen(grid: &Grid, start: (u32, u32), is_blocked: impl Fn([f32; 2]) -> bool) -> Option<Narrow> {
        let mut crowd = Crowd::new(CrowdSettings::new());
        let body = Class::for_body(&Body::square(1).unwrap(), grid, Ground::from_grid(grid), 1).unwrap();
        let class = crowd.add_class(body).unwrap();
        let agent = crowd.add(class, Agent::bystander(grid.node(start.0, start.1).unwrap())).unwrap();
        let state = &crowd.state;
        let around = around(state, state.roster.slot(agent).unwrap());
        let position = |node: &NodeId| state.world[class].position(*node).unwrap();
        let blocked: Vec<bool> = around.nodes.iter().map(position).map(|[x, y, _]| is_blocked([x, y])).collect();
        let (own, far) = sides(&around, &blocked).expect("the places part what is around");
        part(&state.world[class], &around, &blocked, &own, &far)
    }

    #[test]
    fn a_door_is_narrow() {
        let grid = Grid::from_fn(41, 41, |x, y| x != 20 || (19..22).contains(&y)).unwrap();
        let Narrow { at, axis, radius } = seen(&grid, (14, 20), |[x, y]| x == 20.0 && (y - 20.0).abs() < 1.5).unwrap();
        assert_eq!((at, radius), ([20.0, 20.0, 0.0], 3.0));
        assert!(axis[0] > 0.99, "{axis:?}");
    }

    /// A row of others beside a wall, at any angle, reaches farther than an agent looks.
    #[test]
    fn open_ground_beside_a_wall_is_not_narrow() {
        let grid = Grid::open(41, 41).unwrap();
        for rise in [-3.0, -2.0, -1.0, -0.6, -0.3, 0.0, 0.3, 0.6, 1.0, 2.0_f32] {
            let row = |[x, y]: [f32; 2]| (y - 14.0 - rise * x).abs() <= rise.abs().max(1.0);
            let narrow = seen(&grid, (0, 20), row);
            assert!(narrow.is_none(), "{rise}: {:?}", narrow.map(|narrow| (narrow.at, narrow.axis)));
        }
    }
}
