//! Rotation: where agents fill most of the room, only some of them are under way at a time, and the others make way for
//! them. With all of them under way they would keep each other from going anywhere.

use crate::planners::context::Context;
use crate::state::State;
use giveway_members::roster::Slot;

/// From this share of the room on, in percent, agents take turns.
const FULL: usize = 60;

/// The number of agents that are under way at a time, in percent of the agents that would fill the room.
const UNDER_WAY: usize = 45;

/// The share of all places, in percent, below which the agents do not fill most of the room on any map.
const LEAST: usize = 20;

/// The agents of `order` that have to wait for their turn. The agents with the oldest orders go first; among equally
/// old orders, the agents with the lowest ids.
pub(super) fn those_that_wait(context: &mut Context<'_, '_>, order: &[Slot]) -> Vec<Slot> {
    if !context.state.settings.rotation {
        return Vec::new();
    }
    let State { world, roster, .. } = &mut *context.state;
    let places = world.cells().map_or(0, |cells| cells.places() as usize);
    if order.len() * 100 < places * LEAST {
        return Vec::new();
    }
    let (room, price) = world.room();
    let at_once = if order.len() * 100 > room * FULL { room * UNDER_WAY / 100 } else { order.len() };
    let under_way = order.iter().copied().filter(|slot| roster[*slot].is_under_way() && !roster[*slot].returns());
    let mut turns: Vec<_> = under_way.map(|slot| (roster[slot].journey.since(), slot)).collect();
    turns.sort_unstable();
    context.work.charge(price);
    turns.into_iter().skip(at_once).map(|(_, slot)| slot).collect()
}
