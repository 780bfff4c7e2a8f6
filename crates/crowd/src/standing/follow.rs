//! Following a target, and stopping within a range.

use giveway_core::{AgentId, Digest, NodeId, Tick};

/// What an agent follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Target {
    /// Another agent of the crowd.
    Agent(AgentId),
    /// A place, in the class of the agent that follows. The game moves it by [`Crowd::aim`](crate::Crowd::aim).
    Place(NodeId),
}

impl From<AgentId> for Target {
    fn from(agent: AgentId) -> Self {
        Self::Agent(agent)
    }
}

impl From<NodeId> for Target {
    fn from(place: NodeId) -> Self {
        Self::Place(place)
    }
}

/// How an agent [follows](crate::Crowd::follow).
///
/// Distances count in plain steps, as if the follower kept the pace of its fastest first move on the whole way. If
/// ground or speed differ along the way, distances are estimates. In a space with one-way moves, the way to the target
/// from a place beside the target may be long.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Follow {
    within: f64,
    intercepts: bool,
    once: bool,
}

impl Default for Follow {
    fn default() -> Self {
        Self { within: 0.0, intercepts: true, once: false }
    }
}

impl Follow {
    /// The default: the agent goes as near as it can to where the target is going to be, and follows until it gets
    /// another order.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps a distance: the agent stops when its way to the target is at most `steps` plain steps long, and goes on
    /// when the target has got away farther than that. If `steps` is 0, negative or not finite, the agent goes as near
    /// as it can, as by default.
    #[must_use]
    pub fn within(self, steps: f64) -> Self {
        let within = if steps.is_finite() && steps > 0.0 { steps } else { 0.0 };
        Self { within, ..self }
    }

    /// The agent goes to where the target is now. With this setting, the agent falls farther behind, and takes the way
    /// that the target has taken. Without this setting, the agent looks ahead in the plan of the target, and goes to
    /// the place where it expects to meet the target.
    #[must_use]
    pub fn trailing(self) -> Self {
        Self { intercepts: false, ..self }
    }

    /// The agent follows only until it is [within reach](crate::News::InReach) for the first time. Then it stops, and
    /// [has arrived](crate::Report::arrived).
    #[must_use]
    pub fn once(self) -> Self {
        Self { once: true, ..self }
    }

    /// The distance to keep, in plain steps; 0: as near as possible.
    pub(crate) fn steps(self) -> f64 {
        self.within
    }

    /// Whether it goes to where the target is going to be.
    pub(crate) fn intercepts(self) -> bool {
        self.intercepts
    }

    /// Whether it ends within reach.
    pub(crate) fn ends_in_reach(self) -> bool {
        self.once
    }

    /// The distance, and whether it intercepts and ends in reach.
    pub(super) fn parts(self) -> (f64, [bool; 2]) {
        (self.within, [self.intercepts, self.once])
    }

    /// Of these [parts](Self::parts).
    pub(super) fn of_parts(within: f64, [intercepts, once]: [bool; 2]) -> Self {
        Self { intercepts, once, ..Self::new() }.within(within)
    }
}

/// Where a follower goes: a node of its class, where the target is or is going to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Aim {
    pub(crate) node: NodeId,
    /// Whether the target stays there, by its plan, so that the follower has to stand beside it.
    pub(crate) stays: bool,
}

/// An agent that follows a target, and how far it has come.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Pursuit {
    pub(crate) target: Target,
    pub(crate) follow: Follow,
    /// Where it was last sent; `None`: nowhere yet.
    pub(crate) aim: Option<Aim>,
    /// It keeps its distance: the plain steps to the target when it stopped, and where the target was, as a node of the
    /// class of the follower.
    pub(crate) held: Option<(f64, NodeId)>,
    /// When it last looked for a place in vain; `None`: it has one.
    pub(crate) failed: Option<Tick>,
    /// Whether it is within reach, as far as it was told.
    pub(crate) in_reach: bool,
}

impl Pursuit {
    /// An agent that begins to follow `target`.
    pub(crate) fn new(target: Target, follow: Follow) -> Self {
        Self { target, follow, aim: None, held: None, failed: None, in_reach: false }
    }

    /// Makes the follower, which was put elsewhere, look where its target is from there.
    pub(crate) fn look_from_elsewhere(&mut self) {
        (self.aim, self.held, self.failed) = (None, None, None);
    }

    /// Makes the follower, now of a class with so many nodes, look for its target anew. Returns whether the class has
    /// the place that it follows.
    pub(super) fn look_anew(&mut self, bound: usize) -> bool {
        *self = Self::new(self.target, self.follow);
        !matches!(self.target, Target::Place(node) if node.index() >= bound)
    }

    /// Adds it to `digest`.
    pub(super) fn feed(&self, digest: &mut Digest) {
        let (kind, target) = match self.target {
            Target::Agent(agent) => (1, agent.0),
            Target::Place(node) => (2, node.0),
        };
        digest.pair(kind, target);
        let (within, [intercepts, once]) = self.follow.parts();
        digest.number(within);
        digest.pair(u32::from(intercepts) | u32::from(once) << 1, self.in_reach.into());
        digest.pair(self.aim.map_or(u32::MAX, |aim| aim.node.0), self.aim.is_some_and(|aim| aim.stays).into());
        digest.number(self.held.map_or(-1.0, |(steps, _)| steps));
        digest.pair(self.held.map_or(0, |(_, node)| node.0), self.failed.unwrap_or(Tick::MAX));
    }
}

/// An agent that stops within a range of its goals.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Approach {
    /// In plain steps.
    pub(crate) range: f64,
}

impl Approach {
    /// Adds it to `digest`.
    pub(super) fn feed(self, digest: &mut Digest) {
        digest.pair(4, 0);
        digest.number(self.range);
    }
}
