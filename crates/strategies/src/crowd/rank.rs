//! Ranks: whose reservations give way to whose.
//!
//! Silver, "Cooperative Pathfinding", AI Game Programming Wisdom 3, 2006, ranks agents by what they were told; here delay, and being
//! pushed aside by somebody, come in.
//!
//! A rank compares, in this order: whether the agent is promoted, its user's priority, how long it has been kept from its goal, its id,
//! and how many pushed one another aside before it came to it. So of two agents that are kept from their goals one always outranks the other,
//! and the same one for as long as neither comes on. Those that nobody keeps from their goals are equals, and plan around each other.

use giveway_core::{AgentId, Rank, Tick, Ticks};

/// Reservations of those who are not under way, and rests that others may plan through.
pub(super) const RESTING: Rank = Rank(0);
/// Motions that have begun: nobody overrides them.
pub(super) const BEGUN: Rank = Rank(u64::MAX);

/// What is planned jointly: nobody plans through it.
pub(super) const JOINT: Rank = Rank(u64::MAX - 3);
/// Reservations of those who cannot be told to make way: nobody overrides them, and they override nobody.
pub(super) const FIRM: Rank = Rank(u64::MAX - 1);
/// What is pushed: nobody plans through it.
pub(super) const PUSH: Rank = Rank(u64::MAX - 2);

/// Priorities beyond this, up or down, count as this.
const MOST_PRIORITY: i32 = (1 << 11) - 2;

/// Delays that differ by less, in steps, need not make a difference.
const GRAIN: Ticks = 8;

const DEPTH_BITS: u32 = 6;
const ID_BITS: u32 = 16;
const DELAY_BITS: u32 = 29;

/// How many may push each other aside in a row.
pub(super) const MOST_DEPTH: u32 = (1 << DEPTH_BITS) - 1;

/// What time it is, and how it is measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub(super) now: Tick,
    pub(super) ticks_per_step: Ticks,
}

/// The rank of an agent under way to which its user gave the priority `user`, and that is where it would have been at `as_of` if nobody had
/// been in its way.
pub(super) fn under_way(agent: AgentId, user: i32, as_of: Tick, clock: Clock) -> Rank {
    let grain = GRAIN.saturating_mul(clock.ticks_per_step);
    let priority = u64::from(user.clamp(-MOST_PRIORITY, MOST_PRIORITY).abs_diff(-MOST_PRIORITY - 1));
    let delay = u64::from((Tick::MAX - as_of) / grain) & ((1 << DELAY_BITS) - 1);
    // Ids count only among those who are late; lower ones for more. Ids that differ by a multiple of 2^16 - 1 are equal.
    let late = clock.now.saturating_sub(as_of) >= grain;
    let id = if late { u64::from(u16::MAX) - u64::from(agent.0 % u32::from(u16::MAX)) } else { 0 };
    Rank(((priority << DELAY_BITS | delay) << ID_BITS | id) << DEPTH_BITS | u64::from(MOST_DEPTH))
}

/// `rank`, but above all who are not promoted.
pub(super) fn promoted(rank: Rank) -> Rank {
    Rank(rank.0 | 1 << (DEPTH_BITS + ID_BITS + DELAY_BITS + 12))
}

/// The rank of those who are pushed aside by one of rank `initiator`, or by one whom that pushed aside, and so on, `depth` times. Nobody below
/// outranks the initiator.
pub(super) fn pushed_aside(initiator: Rank, depth: u32) -> Rank {
    if initiator == RESTING { RESTING } else { Rank(initiator.0 - u64::from(depth.min(MOST_DEPTH))) }
}
