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
    /// The agents, by id.
    pub agents: Vec<TracedAgent>,
}

/// What one agent did.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TracedAgent {
    /// Where it was at tick 0.
    pub start: TracedPlace,
    /// Where it wanted to be.
    pub goals: Vec<TracedPlace>,
    /// Its moves, in order. Between them, and after the last, it rests.
    pub moves: Vec<TracedMove>,
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

impl Trace {
    /// The trace of `plan`, by `agents` in `space`, for units whose plain step takes `ticks_per_step`.
    pub fn of_plan<S: Embedding>(space: &S, agents: &[Agent], plan: &PlanIn<S>, ticks_per_step: u32) -> Self {
        let place = |node: NodeId| TracedPlace { node: node.0, position: space.position(node) };
        let traced = agents.iter().zip(&plan.paths).map(|(agent, path)| TracedAgent {
            start: place(path.start),
            goals: agent.goals.nodes().iter().copied().map(place).collect(),
            moves: path
                .steps
                .iter()
                .filter_map(|step| match step.motion {
                    Motion::Move(m) => Some(TracedMove { depart: step.depart, arrive: step.arrive, to: place(m.to) }),
                    Motion::Rest { .. } => None,
                })
                .collect(),
        });
        Self { ticks_per_step, agents: traced.collect() }
    }
}
