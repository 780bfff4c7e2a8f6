//! Agents in a space whose nodes have positions: points on a graph or on hexagons, and discs on these or on cells.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use giveway::area::{Area, Change};
use giveway::check::{BodyChecker, Violation, Wall};
use giveway::footprint::{ConflictRule, Motion};
use giveway::heuristic::{Euclidean, TrueDistances};
use giveway::plan::{PlanIn, Trace, TracedBody};
use giveway::render::Backdrop;
use giveway::scenario::MapFile;
use giveway::sim::Endpoints;
use giveway::spaces::{
    Body, BodyFootprint, Clearance, CommonTicks, Editable, Embedding, GraphClearance, Ground, SyncSpace,
};
use giveway::strategies::{Class, ClassId, Crowd, SolutionIn, Watch};
use giveway::time::{Span, Tick, Ticks};
use giveway::{Agent, AgentId, Checker, Footprint, Instance, NodeId, Point};

use crate::arguments::{Connectivity, CrowdArguments};
use crate::check::MapWalls;
use crate::node_map::{Labels, NodeFacts};
use crate::pictures;
use crate::places::Places;
use crate::placing::{Placed, Placing, read_agents};
use crate::planning::{ChosenStrategy, Details};
use crate::site::Site;
use crate::violation_text::{Conflict, MOST, Violations, size};
use crate::world::{CellMap, SiteArguments};

/// Agents in a space.
pub(crate) struct Roaming<S, F> {
    begin: Instant,
    space: S,
    footprint: F,
    agents: Vec<Agent>,
    goals: Vec<NodeId>,
    shape: Shape,
    ticks_per_step: Ticks,
    kind: &'static str,
    places: Places,
    backdrop: Backdrop,
    labels: Labels,
}

/// What agents are.
enum Shape {
    /// Points under a rule.
    Points(ConflictRule),
    /// Discs among walls.
    Discs { radius: f32, walls: Solid },
}

/// The walls of discs.
enum Solid {
    Cells(MapFile),
    Shapes(Vec<Wall>),
}

/// By default agents plan this many moves ahead, if moves take more than a tick.
const MOVES_AHEAD: Tick = 8;
/// A point may be put this far from the place that a file says.
const WITHIN: f32 = 1.0;
/// A disc of this many cells of the ground in its radius holds few cells that it does not meet.
const CELLS: f32 = 4.0;
/// A ground has at most this many columns and rows.
const MOST_ACROSS: f32 = 60_000.0;
/// Finer ticks make searches long.
const MOST_TICKS: Ticks = 4096;

impl<S: Embedding + SyncSpace> Roaming<S, Point> {
    /// Points in `space`.
    pub(crate) fn points(
        space: S,
        kind: &'static str,
        facts: &NodeFacts,
        arguments: &SiteArguments<'_>,
    ) -> Result<Self> {
        let instance = arguments.instance;
        let file = read_agents(instance)?;
        let begin = Instant::now();
        let (footprint, ticks_per_step) = match facts.rule {
            ConflictRule::Swap => (Point::swap_rule(&space), 1),
            ConflictRule::Following => {
                // Edges much longer than the shortest one would need more ticks: then durations are rounded.
                let ticks = CommonTicks::new().points(&space).fewest().unwrap_or(MOST_TICKS);
                (Point::timed(&space, ticks).unwrap_or_else(|_| Point::rounded(&space, ticks)), ticks)
            }
        };
        let (once, seed) = (arguments.once, arguments.seed);
        let marks = &facts.marks;
        let placing = Placing { arguments: instance, once, seed, marks, within: WITHIN, least: 0.0, enough: 0.0 };
        let Placed { agents, goals } = placing.place(file.as_ref(), &space, |_| Vec::new())?;
        let shape = Shape::Points(facts.rule);
        let NodeFacts { places, backdrop, labels, .. } = facts.clone();
        Ok(Self { begin, space, footprint, agents, goals, shape, ticks_per_step, kind, places, backdrop, labels })
    }
}

impl<S: Embedding + SyncSpace> Roaming<GraphClearance<S>, BodyFootprint> {
    /// Discs of `radius` in `space`.
    pub(crate) fn discs(
        space: S,
        kind: &'static str,
        facts: &NodeFacts,
        radius: f32,
        arguments: &SiteArguments<'_>,
    ) -> Result<Self> {
        let instance = arguments.instance;
        let file = read_agents(instance)?;
        let begin = Instant::now();
        let map = || instance.map().display().to_string();
        let body = Body::disc(radius)?.speed(instance.speed.unwrap_or(1.0))?;
        let (ground, cell) = ground(&space, radius).with_context(map)?;
        let space = Arc::new(space);
        let ticks = CommonTicks::new().of([&body], &space).fewest().with_context(map)?;
        let (mut space, footprint) = body.on(&space, ground, ticks).with_context(map)?;
        let walls = facts.walls.iter().filter_map(|corners| Area::polygon(corners).ok()).reduce(Area::and);
        if let Some(walls) = walls {
            space.change(&walls, Change::Close);
        }
        let walls = facts.walls.iter().map(|corners| Wall::new(TracedBody::Polygon { corners: corners.clone() }));
        let shape = Shape::Discs { radius, walls: Solid::Shapes(walls.collect()) };
        let Placed { agents, goals } =
            place_discs([radius, cell], file.as_ref(), &space, &footprint, &facts.marks, arguments)?;
        let NodeFacts { places, backdrop, labels, .. } = facts.clone();
        Ok(Self {
            begin,
            space,
            footprint,
            agents,
            goals,
            shape,
            ticks_per_step: ticks,
            kind,
            places,
            backdrop,
            labels,
        })
    }
}

impl Roaming<Clearance, BodyFootprint> {
    /// Discs on square cells.
    pub(crate) fn discs_on_cells(cells: &CellMap, radius: f32, arguments: &SiteArguments<'_>) -> Result<Self> {
        let instance = arguments.instance;
        arguments.refuse_learning("a space of discs")?;
        if instance.nearest {
            bail!("--nearest is for points on cells: discs go to the nearest place where they fit, anyway");
        }
        if instance.scen.is_some() && instance.agents.is_none() {
            bail!("expected --agents with --scen");
        }
        let file = read_agents(instance)?;
        let begin = Instant::now();
        let map = || instance.map().display().to_string();
        let grid = cells.grid(instance.map(), instance.connectivity.unwrap_or(Connectivity::Four))?;
        let body = Body::disc(radius)?.speed(instance.speed.unwrap_or(1.0))?;
        let ticks = CommonTicks::new().of([&body], &grid).fewest().with_context(map)?;
        let (space, footprint) = body.on(&grid, Ground::from_grid(&grid), ticks).with_context(map)?;
        let marks = cells.marked(&grid);
        let Placed { agents, goals } =
            place_discs([radius, 1.0], file.as_ref(), &space, &footprint, &marks, arguments)?;
        Ok(Self {
            begin,
            space,
            footprint,
            agents,
            goals,
            shape: Shape::Discs { radius, walls: Solid::Cells(cells.map.clone()) },
            ticks_per_step: ticks,
            kind: "a space of discs",
            backdrop: pictures::backdrop(&grid),
            places: Places::Cells(grid),
            labels: Labels { origin: cells.origin, ids: None },
        })
    }
}

/// Places discs of a radius on a ground of cells of this side.
fn place_discs<S: Embedding>(
    [radius, cell]: [f32; 2],
    file: Option<&giveway::scenario::AgentsFile>,
    space: &S,
    footprint: &impl Footprint<S>,
    marks: &[Option<Vec<NodeId>>; 2],
    arguments: &SiteArguments<'_>,
) -> Result<Placed> {
    let (once, seed) = (arguments.once, arguments.seed);
    let enough = 2.0 * radius + cell * std::f32::consts::SQRT_2;
    let placing =
        Placing { arguments: arguments.instance, once, seed, marks, within: 2.0 * radius, least: 2.0 * radius, enough };
    placing.place(file, space, |node| {
        let entries = footprint.entries(space, &Motion::Rest { node, ticks: 0 }, 0);
        entries.into_iter().map(|entry| entry.cell).collect()
    })
}

/// A ground for discs of `radius` under all of `space`, and the side of its cells.
fn ground<S: Embedding>(space: &S, radius: f32) -> Result<(Ground, f32)> {
    let (mut least, mut most) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
    for node in space.nodes() {
        let [x, y, _] = space.position(node);
        least = [least[0].min(x), least[1].min(y)];
        most = [most[0].max(x), most[1].max(y)];
    }
    let margin = radius * 1.01;
    let size = [0, 1].map(|axis| most[axis] - least[axis] + 2.0 * margin);
    let cell = (radius / CELLS).max(size[0].max(size[1]) / MOST_ACROSS);
    Ok((Ground::new(least.map(|side| side - margin), size, cell)?, cell))
}

impl<S, F> Site for Roaming<S, F>
where
    S: Embedding + SyncSpace + 'static,
    F: Footprint<S> + Send + Sync + 'static,
{
    type Space = S;
    type Footprint = F;
    type Metric = Euclidean;

    fn begin(&self) -> Instant {
        self.begin
    }

    fn instance(&self) -> Result<Instance<'_, S, F>> {
        Ok(Instance::new(&self.space, &self.footprint, self.agents.clone())?)
    }

    fn distances(&self) -> TrueDistances<S, Euclidean> {
        TrueDistances::aimed(Euclidean::from_space(&self.space))
    }

    fn crowd(&self, arguments: &CrowdArguments) -> CrowdArguments {
        if let Shape::Points(ConflictRule::Swap) = self.shape {
            return arguments.clone();
        }
        CrowdArguments { window: arguments.window.or(Some(MOVES_AHEAD)), ..arguments.clone() }
    }

    fn plan(
        &self,
        chosen: &ChosenStrategy,
        instance: &Instance<'_, S, F>,
        distances: &mut TrueDistances<S, Euclidean>,
        watch: &mut impl Watch,
    ) -> SolutionIn<S, Details> {
        chosen.plan_by(distances, Euclidean::from_space(&self.space), instance, watch)
    }

    fn add_class<'a>(&'a self, crowd: &mut Crowd<'a>) -> Result<ClassId> {
        Ok(crowd.add_class(Class::new(&self.space, &self.footprint))?)
    }

    fn goals(&self) -> Endpoints {
        self.goals.clone().into()
    }

    fn trace(&self, plan: &PlanIn<S>) -> Trace {
        self.traced(Trace::from_plan(&self.space, &self.agents, plan, self.ticks_per_step))
    }

    /// The recording with the bodies of agents, and steps in which an agent of speed 1 goes a world unit.
    fn traced(&self, mut recording: Trace) -> Trace {
        recording.ticks_per_step = self.ticks_per_step;
        if let Shape::Discs { radius, .. } = self.shape {
            let body = TracedBody::Disc { center: [0.0; 2], radius };
            recording.agents.iter_mut().for_each(|agent| agent.body = Some(body.clone()));
        }
        recording
    }

    /// Also agents that do not end on their goals.
    fn violations(&self, plan: &PlanIn<S>) -> Violations {
        if let Shape::Points(rule) = self.shape {
            let most = MOST + plan.paths.iter().map(|path| 1 + path.steps.len()).sum::<usize>();
            let named = Checker::new(&self.space, rule).at_most(most).check(&self.agents, plan);
            return Violations { cut: named.len() >= most, named: named.into_iter().map(Conflict::Rule).collect() };
        }
        let mut violations = self.violations_of_trace(&self.trace(plan), Span::endless(0));
        for (path, (agent, id)) in plan.paths.iter().zip(self.agents.iter().zip((0..).map(AgentId))) {
            if !agent.goals.contains(path.end()) {
                let wrong = Violation::WrongGoal { agent: id, found: path.end(), tick: path.arrival() };
                violations.named.push(Conflict::Rule(wrong));
            }
        }
        violations
    }

    fn violations_of_trace(&self, trace: &Trace, span: Span) -> Violations {
        let most = MOST + size(trace);
        let named = match &self.shape {
            Shape::Points(rule) => {
                let checker = Checker::new(&self.space, *rule).at_most(most).during(span);
                checker.check_trace(trace).into_iter().map(Conflict::Rule).collect()
            }
            Shape::Discs { walls, .. } => {
                let trace = self.traced(trace.clone());
                let checker = BodyChecker::new().at_most(most).during(span);
                let mut named: Vec<Conflict> = checker.check(&trace).into_iter().map(Conflict::Overlap).collect();
                let in_walls = match walls {
                    Solid::Cells(map) => checker.check_walls(&trace, MapWalls::new(map, &trace).walls()),
                    Solid::Shapes(walls) => checker.check_walls(&trace, walls),
                };
                named.extend(in_walls.into_iter().map(Conflict::InWall));
                named
            }
        };
        Violations { cut: named.len() >= most, named }
    }

    fn kind(&self) -> &'static str {
        self.kind
    }

    fn labels(&self) -> Labels {
        self.labels.clone()
    }

    fn backdrop(&self) -> Backdrop {
        self.backdrop.clone()
    }

    fn places(&self) -> Places {
        self.places.clone()
    }
}
