//! Rotation: where agents fill most of the room, only some of them are under way at a time, and the others make way for
//! them. With all of them under way they would keep each other from going anywhere.

use crate::planners::context::Context;
use crate::roster::Slot;
use crate::state::State;

/// From this share of the room on, in percent, agents take turns.
const FULL: usize = 60;

/// So many agents are under way at a time, in percent of the room that one agent each would fill.
const UNDER_WAY: usize = 45;

/// No map has walls on so much of its places that agents fill most of the room, but less than this share of all places,
/// in percent.
const LEAST: usize = 20;

/// Those of `order` that have to wait for their turn. Each order is carried out in its turn: the oldest ones first, and
/// of equally old ones those of the lowest ids.
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
