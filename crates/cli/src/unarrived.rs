//! Agents that do not arrive, and why.

use std::fmt;

use giveway::strategies::{NoPlan, Unplanned};
use giveway::time::Tick;
use giveway::{Agent, AgentId, Footprint, Instance, NodeId, SpaceGraph};

use crate::places::{Place, Places};

/// An agent that does not arrive.
pub(crate) struct Unarrived {
    pub(crate) agent: AgentId,
    start: NodeId,
    goal: Option<NodeId>,
    /// The reason, for one agent.
    why: String,
    /// The reason, for several agents.
    why_many: String,
}

impl Unarrived {
    /// The agent `unplanned` of `instance`, where all agents had to arrive by tick `latest`.
    pub(crate) fn new<S: SpaceGraph, F: Footprint<S>>(
        unplanned: &Unplanned,
        instance: &Instance<'_, S, F>,
        latest: Option<Tick>,
    ) -> Self {
        let agent = &instance.agents()[unplanned.agent.index()];
        let (why, why_many) = match (unplanned.why, latest) {
            (NoPlan::TooLate, Some(latest)) => {
                let late = format!("no path arrives by tick {latest}");
                (late.clone(), late)
            }
            (NoPlan::Blocked | NoPlan::TooLate, _) => (
                "the agents planned before it left it none".to_owned(),
                "the agents planned before them left them none".to_owned(),
            ),
            (NoPlan::Stopped, _) => ("the time limit came first".to_owned(), "the time limit came first".to_owned()),
            (NoPlan::TimeUp, Some(latest)) => (
                format!("it was not on its goal at tick {latest}"),
                format!("they were not on their goals at tick {latest}"),
            ),
            (NoPlan::TimeUp, None) => {
                let stuck = "no agent came nearer to a goal any more".to_owned();
                (stuck.clone(), stuck)
            }
            (NoPlan::Unreachable, _) => {
                ("its goal cannot be reached".to_owned(), "their goals cannot be reached".to_owned())
            }
            (NoPlan::Refused(why), _) => {
                (format!("its reservations were refused: {why}"), "their reservations were refused".to_owned())
            }
            (why, _) => (why.to_string(), why.to_string()),
        };
        Self { agent: unplanned.agent, start: agent.start, goal: agent.goals.nodes().first().copied(), why, why_many }
    }

    /// The agent `id`, which was not on its goal at the tick `latest`.
    pub(crate) fn late(id: AgentId, agent: &Agent, latest: Tick) -> Self {
        let why = format!("it was not on its goal at tick {latest}");
        let why_many = format!("they were not on their goals at tick {latest}");
        Self { agent: id, start: agent.start, goal: agent.goals.nodes().first().copied(), why, why_many }
    }

    /// The reason of `agents` agents, one of which is this.
    fn clause(&self, agents: usize) -> &str {
        if agents == 1 { &self.why } else { &self.why_many }
    }
}

/// Why all of them do not arrive, to follow their number; the most frequent reason first.
pub(crate) struct Reasons<'a>(pub(crate) &'a [Unarrived]);

impl fmt::Display for Reasons<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut reasons: Vec<(usize, &Unarrived)> = Vec::new();
        for unarrived in self.0 {
            match reasons.iter_mut().find(|(_, other)| other.why_many == unarrived.why_many) {
                Some((count, _)) => *count += 1,
                None => reasons.push((1, unarrived)),
            }
        }
        reasons.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        if let [(count, reason)] = reasons[..] {
            return write!(f, ", since {}", reason.clause(count));
        }
        reasons.into_iter().enumerate().try_for_each(|(place, (count, reason))| {
            write!(f, "{} {count} since {}", if place == 0 { ":" } else { "," }, reason.clause(count))
        })
    }
}

/// The agent, its goal, and why it does not arrive.
pub(crate) struct UnarrivedText<'a>(pub(crate) &'a Places, pub(crate) &'a Unarrived);

impl fmt::Display for UnarrivedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(places, Unarrived { agent, start, goal, why, .. }) = self;
        write!(f, "{agent}, from {}", Place(places, *start))?;
        if let Some(goal) = goal {
            write!(f, " to {}", Place(places, *goal))?;
        }
        write!(f, ": {why}")
    }
}
