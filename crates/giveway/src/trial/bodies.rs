//! Discs and rectangles in a space with positions.

use std::collections::BTreeMap;
use std::sync::Arc;

use giveway_bodies::{Body, CommonTicks, Ground};
use giveway_check::{BodyChecker, Violation};
use giveway_core::heuristic::Euclidean;
use giveway_core::{ConflictRule, Embedding, Goals, NodeId, SyncSpace, Trace, TracedBody};
use giveway_spaces::Facing;

use super::run::{self, Found, Run};
use super::table::{Outcome, Row};
use super::{Trial, draw};

/// The radius of a disc, in shortest ways.
const RADIUS: f32 = 0.4;

/// The sides of a rectangle, in radii.
const SIDES: [f32; 2] = [1.7, 0.9];

/// A side of a cell of the ground, in radii.
const CELL: f32 = 0.5;

/// The ground has no more levels than this, and about as many cells at most.
const MOST_LEVELS: f32 = 64.0;
const MOST_CELLS: f32 = 1_048_576.0;

pub(super) fn disc<S: Embedding + SyncSpace>(trial: &Trial, space: &Arc<S>) -> Row {
    let disc = |radius| Body::disc(radius).map_err(|error| error.to_string());
    Row::new(
        &trial.name,
        "disc",
        Extent::of(&**space).and_then(|extent| extent.run(trial, space, &disc(extent.radius)?)),
    )
}

pub(super) fn rectangle<S: Embedding + SyncSpace>(trial: &Trial, space: &Arc<S>) -> Row {
    let outcomes = Extent::of(&**space).and_then(|extent| {
        let [length, width] = SIDES.map(|side| side * extent.radius);
        let body = Body::rectangle(length, width).map_err(|error| error.to_string())?;
        if extent.turns {
            return extent.run(trial, space, &body);
        }
        let facing = Facing::new(Arc::clone(space), extent.shortest).map_err(|error| error.to_string())?;
        extent.run(trial, &Arc::new(facing), &body)
    });
    Row::new(&trial.name, "rectangle", outcomes)
}

/// The size of a space, and of the units that fit into it.
#[derive(Clone, Copy, Debug)]
struct Extent {
    least: [f32; 3],
    most: [f32; 3],
    /// The shortest way between two places, in the plane if there is one there.
    shortest: f32,
    radius: f32,
    /// Whether units turn.
    turns: bool,
}

impl Extent {
    fn of<S: Embedding>(space: &S) -> Result<Self, String> {
        let nodes = || space.nodes().filter(|node| space.contains(*node));
        let (mut least, mut most) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        let (mut shortest, mut turns) = (f32::INFINITY, false);
        for node in nodes() {
            let at = space.position(node);
            (0..3).for_each(|axis| {
                least[axis] = least[axis].min(at[axis]);
                most[axis] = most[axis].max(at[axis]);
            });
            turns |= space.heading(node) != 0.0;
            for m in space.moves(node) {
                let to = space.position(m.to);
                let flat = ((to[0] - at[0]).powi(2) + (to[1] - at[1]).powi(2)).sqrt();
                let length = if flat > 0.0 { flat } else { (to[2] - at[2]).abs() };
                if length > 0.0 {
                    shortest = shortest.min(length);
                }
                turns |= space.trajectory(&m).is_some_and(|trajectory| !trajectory.is_jump());
            }
        }
        if !shortest.is_finite() {
            return Err("no way leads from one place to another".to_owned());
        }
        Ok(Self { least, most, shortest, radius: RADIUS * shortest, turns })
    }

    /// The level of the lowest place, the height of a level, and the number of levels.
    fn levels(&self) -> (f32, f32, u32) {
        let rise = self.most[2] - self.least[2];
        let height = (2.0 * self.radius).max(rise / MOST_LEVELS);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // there are few
        let count = (rise / height).round() as u32 + 1;
        (self.least[2] - height / 2.0, height, count)
    }

    fn ground(&self) -> Result<Ground, String> {
        let margin = 2.0 * self.shortest;
        let size = [0, 1].map(|axis| self.most[axis] - self.least[axis] + 2.0 * margin);
        let (lowest, height, count) = self.levels();
        #[allow(clippy::cast_precision_loss)] // there are few
        let cells = MOST_CELLS / count as f32;
        // As many along either axis, or fewer along a short one.
        let cell = (CELL * self.radius).max((size[0] * size[1] / cells).sqrt()).max(size[0].max(size[1]) / cells);
        let ground = Ground::new([0, 1].map(|axis| self.least[axis] - margin), size, cell);
        ground.and_then(|ground| ground.levels(lowest, height, count)).map_err(|error| error.to_string())
    }

    fn run<S: Embedding + SyncSpace>(
        &self,
        trial: &Trial,
        space: &Arc<S>,
        body: &Body,
    ) -> Result<Vec<Outcome>, String> {
        let told = |error: giveway_bodies::BodyError| error.to_string();
        let ticks = CommonTicks::new().of([body], space).fewest().map_err(told)?;
        let (clearance, footprint) = body.on(space, self.ground()?, ticks).map_err(told)?;
        // Whatever the heading is there, the goal is a place.
        let mut alike: BTreeMap<[u32; 3], Vec<NodeId>> = BTreeMap::new();
        for node in space.nodes().filter(|node| space.contains(*node)) {
            alike.entry(space.position(node).map(f32::to_bits)).or_default().push(node);
        }
        let goals = |node: NodeId| -> Goals {
            let place = space.position(node).map(f32::to_bits);
            alike.get(&place).into_iter().flatten().copied().collect()
        };
        let agents = draw::agents(&clearance, &footprint, trial.agents, trial.seed, goals);
        let metric = Euclidean::from_space(&clearance);
        let run = Run { space: &clearance, footprint: &footprint, metric, agents, seed: trial.seed };
        let (lowest, height, count) = self.levels();
        let checker = BodyChecker::new().levels(lowest, height, count);
        let outline: TracedBody = body.outline();
        run.outcomes(|agents, plan| {
            let mut trace = Trace::from_plan(&clearance, agents, plan, ticks);
            trace.agents.iter_mut().for_each(|agent| agent.body = Some(outline.clone()));
            let overlaps = checker.check(&trace).into_iter();
            let overlaps = overlaps.map(|overlap| Found { agents: overlap.agents.to_vec(), what: overlap.to_string() });
            // Places of bodies may overlap, so conflicts of places are not what counts.
            let steps = |violation: &Violation| {
                !matches!(violation, Violation::Vertex { .. } | Violation::Swap { .. } | Violation::Crossing { .. })
            };
            // Straight ways are the body's own, and no moves of the space.
            let steps = run::violations(&clearance, ConflictRule::Following, agents, plan, steps);
            overlaps.chain(steps).collect()
        })
    }
}
