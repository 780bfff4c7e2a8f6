//! Traces: what happened, in a form that pictures and files need no planner to read.

use std::collections::BTreeMap;

use crate::footprint::Motion;
use crate::instance::Agent;
use crate::plan::PlanIn;
use crate::space::{Embedding, NodeId};
use crate::time::Tick;
use crate::trajectory::{Stretch, Trajectory};

/// What every agent did, with positions.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Trace {
    /// How many ticks a plain step takes.
    pub ticks_per_step: u32,
    /// The tick at which it ends, if it goes on after the last move.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub until: Option<Tick>,
    /// The trajectories that moves name, if some are not straight on.
    #[cfg_attr(feature = "serde", serde(rename = "courses", default, skip_serializing_if = "Vec::is_empty"))]
    pub trajectories: Vec<Trajectory>,
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

/// The shape of an agent, in world units around its position, under heading 0. It turns with the agent.
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
fn is_zero<N: num_traits::Zero>(number: &N) -> bool {
    number.is_zero()
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
    /// The heading of who stands there, in radians from x towards y.
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
    /// How it was driven: one of the [trajectories](Trace::trajectories). `None`: straight on, with the heading of where it began.
    #[cfg_attr(feature = "serde", serde(rename = "course", default, skip_serializing_if = "Option::is_none"))]
    pub trajectory: Option<u32>,
}

impl TracedMove {
    /// A move straight on.
    pub fn new(depart: Tick, arrive: Tick, to: TracedPlace) -> Self {
        Self { depart, arrive, to, trajectory: None }
    }
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
        Self { ticks_per_step, until: None, trajectories: Vec::new(), agents }
    }

    /// The trace of `plan`, by `agents` in `space`, for units whose plain step takes `ticks_per_step`.
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

/// The trajectories of a trace as it is written: each is in the list once.
#[derive(Clone, Debug, Default)]
pub struct Trajectories {
    list: Vec<Trajectory>,
    numbers: BTreeMap<Vec<[u32; 3]>, u32>,
}

impl Trajectories {
    /// The number of `trajectory` in the list, to which it is added if need be. `None` for none, and beyond 2^32 of them.
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

    /// The list so far.
    pub fn list(&self) -> &[Trajectory] {
        &self.list
    }

    /// The list, for keeps.
    pub fn into_list(self) -> Vec<Trajectory> {
        self.list
    }
}
