//! Traces: what happened, in a form that pictures and files need no planner to read.

use crate::footprint::Motion;
use crate::instance::Agent;
use crate::plan::PlanIn;
use crate::space::{Embedding, NodeId};
use crate::time::Tick;

/// What every agent did, with positions.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Trace {
    /// How many ticks a plain step takes.
    pub ticks_per_step: u32,
    /// The tick at which it ends, if it goes on after the last move.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub until: Option<Tick>,
    /// The agents, by id.
    pub agents: Vec<TracedAgent>,
}

/// What one agent did.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TracedAgent {
    /// When it entered the world.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_zero"))]
    pub appears: Tick,
    /// When it left; `None`: it is still there at the end.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub vanishes: Option<Tick>,
    /// Its shape; `None`: a point.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub body: Option<TracedBody>,
    /// Where it was when it appeared.
    pub start: TracedPlace,
    /// Where it wanted to be, at first. Empty: nowhere else, it stands by.
    pub goals: Vec<TracedPlace>,
    /// What it was told later, in order of ticks.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub orders: Vec<TracedOrder>,
    /// Its moves, in order. Between them, and after the last, it rests. One that ends when it begins is a leap: the agent
    /// was put there.
    pub moves: Vec<TracedMove>,
}

/// The shape of an agent, in world units around its position. It does not turn.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum TracedBody {
    /// A disc.
    Disc {
        /// Where its middle is, seen from the agent's position.
        center: [f32; 2],
        /// Its radius.
        radius: f32,
    },
    /// A convex polygon.
    Polygon {
        /// Its corners in order, either way round, seen from the agent's position.
        corners: Vec<[f32; 2]>,
    },
}

#[cfg(feature = "serde")]
#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks by reference
fn is_zero(tick: &Tick) -> bool {
    *tick == 0
}

/// An order to an agent.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TracedOrder {
    /// When it was given.
    pub tick: Tick,
    /// Where the agent wants to be from then on. Empty: where it is, it stands by.
    pub goals: Vec<TracedPlace>,
}

/// A node and where it lies.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TracedPlace {
    /// The node's id.
    pub node: u32,
    /// Its position in world units.
    pub position: [f32; 3],
}

/// One move of one agent.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TracedMove {
    /// When it began.
    pub depart: Tick,
    /// When it ended.
    pub arrive: Tick,
    /// Where it ended; it began where the move before ended.
    pub to: TracedPlace,
}

impl TracedAgent {
    /// An agent that is there from tick 0 to the end, and is told nothing more.
    pub fn new(start: TracedPlace, goals: Vec<TracedPlace>, moves: Vec<TracedMove>) -> Self {
        Self { appears: 0, vanishes: None, body: None, start, goals, orders: Vec::new(), moves }
    }
}

impl Trace {
    /// A trace that ends with the last move.
    pub fn new(ticks_per_step: u32, agents: Vec<TracedAgent>) -> Self {
        Self { ticks_per_step, until: None, agents }
    }

    /// The trace of `plan`, by `agents` in `space`, for units whose plain step takes `ticks_per_step`.
    pub fn of_plan<S: Embedding>(space: &S, agents: &[Agent], plan: &PlanIn<S>, ticks_per_step: u32) -> Self {
        let place = |node: NodeId| TracedPlace { node: node.0, position: space.position(node) };
        let traced = agents.iter().zip(&plan.paths).map(|(agent, path)| {
            let moves = path.steps.iter().filter_map(|step| match step.motion {
                Motion::Move(m) => Some(TracedMove { depart: step.depart, arrive: step.arrive, to: place(m.to) }),
                Motion::Rest { .. } => None,
            });
            let goals = agent.goals.nodes().iter().copied().map(place);
            TracedAgent::new(place(path.start), goals.collect(), moves.collect())
        });
        Self::new(ticks_per_step, traced.collect())
    }
}
