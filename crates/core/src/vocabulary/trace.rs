//! Traces: what happened, for pictures and files; reading a trace needs no planner.

use std::collections::BTreeMap;

use crate::space::{Embedding, PlanIn};
use crate::vocabulary::agent::Agent;
use crate::vocabulary::motion::{Motion, NodeId};
use crate::vocabulary::time::{Span, Tick};
use crate::vocabulary::trajectory::{Stretch, Trajectory};

/// A record of the moves and orders of all agents, with positions.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Trace {
    /// The number of ticks that a plain step takes.
    pub ticks_per_step: u32,
    /// The tick at which the trace ends, if that is after the last move. `None`: the trace ends with the last move.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub until: Option<Tick>,
    /// The trajectories that moves refer to, if some moves are not straight.
    #[cfg_attr(feature = "serde", serde(rename = "courses", default, skip_serializing_if = "Vec::is_empty"))]
    pub trajectories: Vec<Trajectory>,
    /// The agents, by id.
    pub agents: Vec<TracedAgent>,
}

/// A record of the moves and orders of one agent.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TracedAgent {
    /// The tick at which the agent entered the world.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
    pub appears: Tick,
    /// The tick at which the agent left the world; `None`: the agent is still there at the end.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub vanishes: Option<Tick>,
    /// The shape of the agent when it appeared; `None`: a point.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub body: Option<TracedBody>,
    /// The later shapes of the agent, in order of ticks.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub changes: Vec<TracedChange>,
    /// The place of the agent when it appeared.
    pub start: TracedPlace,
    /// The first goals of the agent. Empty: the agent is a bystander.
    pub goals: Vec<TracedPlace>,
    /// The later orders to the agent, in order of ticks.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub orders: Vec<TracedOrder>,
    /// The moves of the agent, in order. Between two moves, and after the last move, the agent rests. A move that ends
    /// at the tick at which it begins is a leap: the agent was put elsewhere.
    pub moves: Vec<TracedMove>,
    /// The spans in which the agent was held up, and stood still during a move. They are in order of ticks, and do not
    /// touch each other. A move takes longer by its pauses. After a pause, the move goes on at the speed from before.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub pauses: Vec<Span>,
}

/// A change of the shape of an agent.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TracedChange {
    /// The tick at which the agent gets the shape.
    pub tick: Tick,
    /// The shape; `None`: a point.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub body: Option<TracedBody>,
}

/// The shape of an agent, in world units around its position, under heading 0. The shape turns with the agent.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum TracedBody {
    /// A disc.
    Disc {
        /// The position of the middle of the disc, relative to the agent, in world units.
        center: [f32; 2],
        /// The radius, in world units.
        radius: f32,
    },
    /// A convex polygon.
    Polygon {
        /// The corners in order, clockwise or counterclockwise, relative to the agent, in world units.
        corners: Vec<[f32; 2]>,
    },
}

#[cfg(feature = "serde")]
fn is_zero<N: num_traits::Zero>(number: &N) -> bool {
    number.is_zero()
}

/// An order to an agent.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TracedOrder {
    /// The tick of the order.
    pub tick: Tick,
    /// The goals from this tick on. Empty: the agent becomes a bystander at its place.
    pub goals: Vec<TracedPlace>,
}

/// A node, its position, and a heading.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TracedPlace {
    /// The id of the node.
    pub node: u32,
    /// The position of the node, in world units.
    pub position: [f32; 3],
    /// The heading of a unit there, in radians from x towards y.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
    pub heading: f32,
}

impl TracedPlace {
    /// A node and its position; the heading is 0.
    pub fn new(node: u32, position: [f32; 3]) -> Self {
        Self { node, position, heading: 0.0 }
    }

    /// The place of `node` in `space`.
    pub fn from_node<S: Embedding>(space: &S, node: NodeId) -> Self {
        Self { node: node.0, position: space.position(node), heading: space.heading(node) }
    }
}

/// One move of an agent.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TracedMove {
    /// The tick at which the move began.
    pub depart: Tick,
    /// The tick at which the move ended.
    pub arrive: Tick,
    /// The place where the move ended. The move began where the move before it had ended.
    pub to: TracedPlace,
    /// How the move was driven: an index into the [trajectories](Trace::trajectories). `None`: straight on, with the
    /// heading of the place where the move began.
    #[cfg_attr(feature = "serde", serde(rename = "course", default, skip_serializing_if = "Option::is_none"))]
    pub trajectory: Option<u32>,
}

impl TracedMove {
    /// A straight move.
    pub fn new(depart: Tick, arrive: Tick, to: TracedPlace) -> Self {
        Self { depart, arrive, to, trajectory: None }
    }
}

impl TracedAgent {
    /// An agent that is in the world from tick 0 to the end of the trace, without later orders.
    pub fn new(start: TracedPlace, goals: Vec<TracedPlace>, moves: Vec<TracedMove>) -> Self {
        let (changes, orders, pauses) = (Vec::new(), Vec::new(), Vec::new());
        Self { appears: 0, vanishes: None, body: None, changes, start, goals, orders, moves, pauses }
    }

    /// The [pauses](Self::pauses) of the move `traced` of this agent.
    pub fn pauses_of(&self, traced: &TracedMove) -> &[Span] {
        let from = self.pauses.partition_point(|pause| pause.start < traced.depart);
        let count = self.pauses[from..].partition_point(|pause| pause.end <= traced.arrive);
        &self.pauses[from..from + count]
    }

    /// The agent's shapes, one after the other, from tick 0 on. Each shape comes with the span in which the agent has
    /// this shape. `None` instead of a shape: a point. A shape that is replaced at the tick at which it begins is left
    /// out. The span of the last shape has no end, even if the agent vanishes.
    pub fn bodies(&self) -> Vec<(Span, Option<&TracedBody>)> {
        let mut bodies = vec![(Span::endless(0), self.body.as_ref())];
        for change in &self.changes {
            // A change that comes out of order counts from the change before it on.
            let from = bodies.last().map_or(0, |(span, _)| change.tick.max(span.start));
            if let Some((span, _)) = bodies.last_mut() {
                span.end = from;
            }
            bodies.push((Span::endless(from), change.body.as_ref()));
        }
        bodies.retain(|(span, _)| !span.is_empty());
        bodies
    }
}

impl Trace {
    /// A trace that ends with the last move.
    pub fn new(ticks_per_step: u32, agents: Vec<TracedAgent>) -> Self {
        Self { ticks_per_step, until: None, trajectories: Vec::new(), agents }
    }

    /// The trace of `plan` for `agents` in `space`, for units that take `ticks_per_step` ticks for a plain step.
    pub fn from_plan<S: Embedding>(space: &S, agents: &[Agent], plan: &PlanIn<S>, ticks_per_step: u32) -> Self {
        let mut trajectories = Trajectories::default();
        let traced = agents.iter().zip(&plan.paths).map(|(agent, path)| {
            let moves = path.steps.iter().filter_map(|step| match step.motion {
                Motion::Move(m) => Some(TracedMove {
                    trajectory: trajectories.number(space.trajectory(&m)),
                    ..TracedMove::new(step.depart, step.arrive, TracedPlace::from_node(space, m.to))
                }),
                Motion::Rest { .. } => None,
            });
            let goals = agent.goals.nodes().iter().map(|node| TracedPlace::from_node(space, *node));
            TracedAgent::new(TracedPlace::from_node(space, path.start), goals.collect(), moves.collect())
        });
        let agents = traced.collect();
        Self { trajectories: trajectories.into_list(), ..Self::new(ticks_per_step, agents) }
    }
}

/// A list of trajectories, for writing a trace. Each trajectory is in the list once.
#[derive(Clone, Debug, Default)]
pub struct Trajectories {
    list: Vec<Trajectory>,
    numbers: BTreeMap<Vec<[u32; 3]>, u32>,
}

impl Trajectories {
    /// The index of `trajectory` in the list; adds it if it is new. `None` if `trajectory` is `None`, or if the list
    /// has 2^32 trajectories.
    pub fn number(&mut self, trajectory: Option<&Trajectory>) -> Option<u32> {
        let trajectory = trajectory?;
        let bits = |stretch: &Stretch| [stretch.share, stretch.length, stretch.turn].map(f32::to_bits);
        let next = u32::try_from(self.list.len()).ok()?;
        let number = *self.numbers.entry(trajectory.stretches().iter().map(bits).collect()).or_insert(next);
        if number == next {
            self.list.push(trajectory.clone());
        }
        Some(number)
    }

    /// All trajectories so far, in order of their indices.
    pub fn list(&self) -> &[Trajectory] {
        &self.list
    }

    /// All trajectories, in order of their indices.
    pub fn into_list(self) -> Vec<Trajectory> {
        self.list
    }
}
