//! News: what has come of standing orders.

/// What has come of an order that [goes on](crate::Crowd::follow) without another call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum News {
    /// The agent is where it is to be: as near to the target that it [follows](crate::Crowd::follow) as it can or
    /// shall come, or within the [range](crate::Crowd::send_within) of its goals. A follower is within reach again only
    /// after the target has got away.
    InReach,
    /// The target has left the crowd, or has become a unit of a class in which it cannot be followed: a class of
    /// another space without positions. The agent stops.
    TargetGone,
    /// The agent has reached a goal of its [queue](crate::Crowd::queue) or [patrol](crate::Crowd::patrol).
    Reached {
        /// The position of the goal among all goals that the agent was given, from 0. On a patrol, the position in the
        /// round.
        stage: u32,
    },
    /// A goal of the queue or patrol cannot be reached, or is closed, or there is no free place. The agent goes on to
    /// the next goal.
    Skipped {
        /// As for [`Reached`](Self::Reached).
        stage: u32,
    },
    /// A goal of the queue or patrol cannot be reached, or is closed, or there is no free place. The agent stands by
    /// until that changes.
    Blocked {
        /// As for [`Reached`](Self::Reached).
        stage: u32,
    },
    /// The agent has reached or skipped the last goal of its queue.
    Ended,
    /// While the agent waited for its [group](crate::March::together), its place was closed, and no other place is free
    /// that the agent can reach. The agent stands by, and has left the group.
    NoPlace,
}
