//! News: what has come of standing orders.

/// News of an order that [goes on](crate::Crowd::follow) without another call, such as an order to follow a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum News {
    /// The agent is within the [range](crate::Crowd::send_within) of its goals. Or it [follows](crate::Crowd::follow) a
    /// target, and has come as near as it can, or as near as its order says. A follower gets this news again only after
    /// the target has got away.
    InReach,
    /// The target has left the crowd, or can no longer be followed: target and follower are now of different classes,
    /// and one of the classes is [bare](crate::Class::bare). The agent stops.
    TargetGone,
    /// The agent has reached a goal of its [queue](crate::Crowd::queue) or [patrol](crate::Crowd::patrol).
    Reached {
        /// The number of the goal, from 0. In a queue, all goals are numbered in the order in which the agent was given
        /// them. On a patrol, the goals of a round are numbered.
        stage: u32,
    },
    /// A goal of the queue or patrol cannot be reached, or is closed, or there is no free place. The agent goes on to
    /// the next goal.
    Skipped {
        /// The number of the goal, as in [`Reached`](Self::Reached).
        stage: u32,
    },
    /// A goal of the queue or patrol cannot be reached, or is closed, or there is no free place. The agent stands by
    /// until that changes.
    Blocked {
        /// The number of the goal, as in [`Reached`](Self::Reached).
        stage: u32,
    },
    /// The agent has reached or skipped the last goal of its queue.
    Ended,
    /// The place of the agent was closed while the agent waited for its [group](crate::March::together). No other free
    /// place can be reached. So the agent has left the group, and stands by.
    NoPlace,
}
