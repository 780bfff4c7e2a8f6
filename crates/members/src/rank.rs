//! Ranks: which reservations give way to which.
//!
//! Silver, "Cooperative Pathfinding", AI Game Programming Wisdom 3, 2006, ranks agents by their orders. Here delay
//! counts, too, and being pushed aside.
//!
//! A rank compares, in this order: promotion, the user's priority, the delay on the way to the goal, the id, and the
//! number of agents in the chain of pushes. So of two delayed agents one always outranks the other, and their order
//! stays for as long as neither comes nearer. Agents without delay are equals as long as their delays fall into one
//! grain; equals plan around each other.

use giveway_core::{AgentId, Rank, Tick, Ticks};

use crate::clock::Clock;

/// Reservations of agents that are not under way, and rests that others may plan through.
pub const RESTING: Rank = Rank(0, 0);
/// The lowest rank above that.
pub const ABOVE_RESTING: Rank = Rank(0, 1);
/// Plans of LaCAM, and operations of the step planner: no agent plans through them.
pub const JOINT: Rank = Rank(u64::MAX, u32::MAX - 3);
/// Pushes: no agent plans through them.
pub const PUSH: Rank = Rank(u64::MAX, u32::MAX - 2);
/// Reservations of agents that cannot be told to make way: they are never overridden, and override no others.
pub const FIRM: Rank = Rank(u64::MAX, u32::MAX - 1);
/// Motions that have begun: they are never overridden.
pub const BEGUN: Rank = Rank(u64::MAX, u32::MAX);

/// The largest priority, up or down; priorities beyond it count as this.
const MOST_PRIORITY: i32 = (1 << (PRIORITY_BITS - 1)) - 2;

/// Delays that differ by less than this, in steps, may count as equal.
const GRAIN: Ticks = 8;

// From the lowest bit of the second number up to the first number: depth, id, delay, priority, promotion.
const DEPTH_BITS: u32 = 6;
const DELAY_BITS: u32 = 29;
const PRIORITY_BITS: u32 = 12;

/// The longest chain of pushes that ranks tell apart.
const MOST_DEPTH: u32 = (1 << DEPTH_BITS) - 1;

/// The rank of an agent under way with the user's priority `user`. At `as_of` the agent would have been where it is now
/// if no other agent had been in its way.
#[inline]
pub fn under_way(agent: AgentId, user: i32, as_of: Tick, clock: Clock) -> Rank {
    let grain = clock.ticks(GRAIN);
    let priority = u64::from(user.clamp(-MOST_PRIORITY, MOST_PRIORITY).abs_diff(-MOST_PRIORITY - 1));
    let delay = u64::from((Tick::MAX - as_of) / grain);
    // Ids count only among delayed agents; lower ids rank higher.
    let late = clock.now.saturating_sub(as_of) >= grain;
    let id = if late { u32::MAX - agent.0 } else { 0 };
    let high_id = u64::from(id >> (u32::BITS - DEPTH_BITS));
    Rank((priority << DELAY_BITS | delay) << DEPTH_BITS | high_id, id << DEPTH_BITS | MOST_DEPTH)
}

/// The lowest rank of agents under way that are promoted as `rank` is, and have the user's priority of `rank`.
#[inline]
pub fn least_of_priority(rank: Rank) -> Rank {
    Rank(rank.0 >> (DEPTH_BITS + DELAY_BITS) << (DEPTH_BITS + DELAY_BITS), 0)
}

/// `rank`, raised above all agents that are not promoted.
#[inline]
pub fn promoted(rank: Rank) -> Rank {
    Rank(rank.0 | 1 << (DEPTH_BITS + DELAY_BITS + PRIORITY_BITS), rank.1 | MOST_DEPTH)
}

/// The rank of an agent that is pushed aside at the end of a chain of `depth` pushes; an agent of rank `initiator`
/// began the chain. A pushed agent never outranks the initiator.
#[inline]
pub fn pushed_aside(initiator: Rank, depth: u32) -> Rank {
    Rank(initiator.0, initiator.1.saturating_sub(depth.min(MOST_DEPTH)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rank at tick `now` of an agent, where a step takes a tick.
    fn at(now: Tick, (id, priority, as_of): (u32, i32, Tick)) -> Rank {
        under_way(AgentId(id), priority, as_of, Clock { now, ticks_per_step: 1 })
    }

    #[test]
    fn the_least_of_a_priority_is_above_all_lower_priorities() {
        let ranks = [(0, 4, 0), (7, 4, 992), (9, 4, 1000)].map(|agent| at(1000, agent));
        for rank in ranks {
            let least = least_of_priority(rank);
            assert!(ranks.iter().all(|other| *other >= least) && at(1000, (0, 3, 0)) < least, "{rank:?}");
            assert!(ranks.iter().all(|other| *other < least_of_priority(promoted(rank))), "{rank:?}");
        }
    }

    #[test]
    fn promotion_comes_before_priority_before_delay_before_id() {
        let now = 1000;
        let rows = [
            ("a priority", (9, 1, 1000), (0, 0, 0)),
            ("a lower priority", (9, 0, 1000), (0, -1, 0)),
            ("a delay", (9, 0, 992), (0, 0, 1000)),
            ("a longer delay", (9, 0, 500), (0, 0, 508)),
            ("an id", (3, 0, 500), (4, 0, 500)),
            ("an id that differs by 2^16 - 1", (3, 0, 500), (3 + 65_535, 0, 500)),
            ("an id that differs by 2^16", (3, 0, 500), (3 + 65_536, 0, 500)),
            ("an id with other high bits alone", (3, 0, 500), (3 + (1 << 26), 0, 500)),
            ("the first of all ids", (0, 0, 500), (1, 0, 500)),
            ("the last but one of all ids", (u32::MAX - 2, 0, 500), (u32::MAX - 1, 0, 500)),
        ];
        for (name, one, other) in rows {
            assert!(at(now, one) > at(now, other), "{name}");
            assert!(promoted(at(now, one)) > promoted(at(now, other)), "{name}, both promoted");
            assert!(promoted(at(now, other)) > at(now, one), "{name}, against promotion");
            // After many pushes an agent still outranks all agents that the initiator outranks.
            assert!(pushed_aside(at(now, one), u32::MAX) > at(now, other), "{name}, pushed aside");
        }
    }

    #[test]
    fn the_extremes_keep_their_places() {
        let most = promoted(at(Tick::MAX, (0, i32::MAX, 0)));
        let least = at(0, (u32::MAX, i32::MIN, Tick::MAX));
        let last_id = u32::MAX - 1;
        let [equal, late] = [0, GRAIN].map(|now| at(now, (last_id, i32::MIN, 0)));
        let rows = [RESTING, pushed_aside(least, u32::MAX), least, equal, late, most, JOINT, PUSH, FIRM, BEGUN];
        assert!(rows.is_sorted_by(|low, high| low < high), "{rows:?}");
        assert_eq!(at(9, (1, i32::MAX, 9)), at(9, (1, MOST_PRIORITY, 9)));
        assert_eq!(pushed_aside(RESTING, 7), RESTING);
    }

    #[test]
    fn who_is_pushed_by_the_pushed_ranks_below_them() {
        let first = at(100, (5, 0, 50));
        let row: Vec<Rank> = (0..=MOST_DEPTH).map(|depth| pushed_aside(first, depth)).collect();
        assert_eq!(row[0], first);
        assert!(row.is_sorted_by(|high, low| high > low));
        assert_eq!(pushed_aside(first, MOST_DEPTH + 1), row[MOST_DEPTH as usize]);
    }

    #[test]
    fn who_is_not_late_is_everybodys_equal_and_of_two_who_are_one_outranks_the_other() {
        for now in [100, 101, 107, 1000] {
            assert_eq!(at(now, (1, 0, now)), at(now, (2, 0, now)), "{now}");
            let late: Vec<(u32, i32, Tick)> = (0..60).map(|id| (id, 0, now - GRAIN - id * 7 % 23)).collect();
            let mut ranks: Vec<Rank> = late.iter().map(|agent| at(now, *agent)).collect();
            ranks.sort_unstable();
            assert!(ranks.is_sorted_by(|a, b| a < b), "two are equal at {now}");
        }
    }

    #[test]
    fn the_order_stays_while_nobody_comes_on() {
        let late: Vec<(u32, i32, Tick)> = (0..30).map(|id| (id, 0, 100 - id * 11 % 17)).collect();
        let order = |now: Tick| {
            let mut order: Vec<u32> = (0..30).collect();
            order.sort_by_key(|id| at(now, late[*id as usize]));
            order
        };
        for now in 109..600 {
            assert_eq!(order(now), order(108), "{now}");
        }
    }

    #[test]
    fn a_step_of_many_ticks_is_late_after_as_many_steps() {
        let slow = |id, as_of| under_way(AgentId(id), 0, as_of, Clock { now: 100, ticks_per_step: 4 });
        assert_eq!(slow(1, 69), slow(2, 69), "31 ticks are not 8 steps");
        assert!(slow(1, 68) > slow(2, 68));
    }
}
