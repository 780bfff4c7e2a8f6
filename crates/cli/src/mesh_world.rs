//! A navigation mesh, and the agents of a file on it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use giveway::check::{BodyChecker, Enclosure, Violation};
use giveway::footprint::{CellId, Motion};
use giveway::heuristic::{Euclidean, TrueDistances};
use giveway::plan::{PlanIn, Trace, TracedBody};
use giveway::render::Backdrop;
use giveway::scenario::{AgentsFile, MeshFile};
use giveway::sim::Endpoints;
use giveway::spaces::{Body, BodyFootprint, CommonTicks, GraphClearance, Ground, NavMesh, WaypointRules, Waypoints};
use giveway::strategies::{Class, ClassId, Crowd, SolutionIn, Watch};
use giveway::time::{Span, Tick, Ticks};
use giveway::{Agent, AgentId, Footprint as _, Instance, NodeId};

use crate::arguments::{CrowdArguments, InstanceArguments};
use crate::places::Places;
use crate::placing::{Placing, check_apart, check_cells, read_agents};
use crate::planning::{ChosenStrategy, Details};
use crate::site::Site;
use crate::violation_text::{Conflict, MOST, Violations, size};
use crate::world::SiteArguments;

/// The space of agents on a mesh.
pub(crate) type MeshSpace = GraphClearance<Waypoints>;

/// Agents on a mesh.
pub(crate) struct MeshWorld {
    begin: Instant,
    mesh: NavMesh,
    waypoints: Arc<Waypoints>,
    space: MeshSpace,
    footprint: BodyFootprint,
    agents: Vec<Agent>,
    /// The goals of all rows of the file; if each agent goes to its goal once, only the goals of the agents. Each goal
    /// is listed once.
    goals: Vec<NodeId>,
    /// `None`: points.
    body: Option<TracedBody>,
    /// The radius of points, so that no two of them are in one place.
    radius: f32,
    /// The ticks of a step, in which an agent of speed 1 goes a world unit.
    ticks_per_step: Ticks,
}

/// The radius of points.
const POINT: f32 = 0.001;
/// Points have places a unit apart, if there are not too few of these, nor too many.
const FEW: f64 = 400.0;
const MANY: f64 = 100_000.0;

/// By default agents plan this many moves in the open ahead.
const MOVES_AHEAD: Tick = 8;

impl MeshWorld {
    /// The agents that `site` names, or drawn ones, on `mesh`. If they go to their goals once and stay there, no two
    /// goals may be so near that agents there would overlap, and the goals of other rows do not count.
    ///
    /// # Errors
    /// Also, there are arguments for maps of cells.
    pub(crate) fn new(mesh: MeshFile, site: &SiteArguments<'_>) -> Result<Self> {
        let SiteArguments { instance: arguments, once, seed, .. } = *site;
        arguments.refuse_of_cells("a navigation mesh")?;
        site.refuse_learning("a mesh")?;
        let file = read_agents(arguments)?;
        let begin = Instant::now();
        let map = || arguments.map().display().to_string();
        let mesh = mesh.into_mesh();
        let radius = arguments.radius.unwrap_or(POINT);
        let speed = arguments.speed.unwrap_or(1.0);
        let body = Body::disc(radius)?.speed(speed)?;
        let mut rules = WaypointRules::new(&mesh, &body);
        if arguments.radius.is_none() {
            let spacing = (mesh.area() / FEW).sqrt().min(1.0).max((mesh.area() / MANY).sqrt());
            #[allow(clippy::cast_possible_truncation)] // rounded once
            let spacing = (spacing as f32).max(2.0 * POINT);
            rules = rules.spacing(spacing)?;
        }
        let ticks_per_step = CommonTicks::new().waypoints([&rules]).fewest()?;

        let taken = match &file {
            Some(file) => Taken::new(&mesh, rules, file, arguments, once)?,
            None => Taken::default(),
        };
        let waypoints = Waypoints::with_places(&mesh, rules, ticks_per_step, &taken.places).with_context(map)?;
        let waypoints = Arc::new(waypoints);
        let ground = Ground::of_mesh(&mesh, rules.ground_cell()).with_context(map)?;
        let (space, footprint) = body.on(&waypoints, ground, ticks_per_step).with_context(map)?;
        let node = |place: &usize| waypoints.place(*place).unwrap_or(NodeId(u32::MAX));
        let cells = |place: usize| {
            let entries = footprint.entries(&space, &Motion::Rest { node: node(&place), ticks: 0 }, 0);
            entries.into_iter().map(|entry| entry.cell).collect::<Vec<CellId>>()
        };
        // A cell of the ground is held by one agent at a time.
        let enough = 2.0 * radius + rules.ground_cell() * std::f32::consts::SQRT_2;
        let (agents, goals) = match &file {
            Some(file) => {
                let lines = lines(file, taken.agents.len());
                for (end, what) in ["start", "goal"].into_iter().enumerate().take(if once { 2 } else { 1 }) {
                    let (at, held) = (|agent| taken.at(agent, end), |agent: usize| cells(taken.agents[agent][end]));
                    check_cells(file, &lines, what, enough, at, held)?;
                }
                let agents = taken.agents.iter().map(|[start, goal]| Agent::new(node(start), node(goal))).collect();
                let mut goals: Vec<NodeId> = taken.goals.iter().map(node).collect();
                goals.sort_unstable();
                goals.dedup();
                (agents, goals)
            }
            None => {
                let (marks, least) = (&[None, None], 2.0 * radius);
                let placing = Placing { arguments, once, seed, marks, within: least, least, enough };
                let placed = placing.place(None, &space, |_| Vec::new())?;
                (placed.agents, placed.goals)
            }
        };
        let body = arguments.radius.map(|radius| TracedBody::Disc { center: [0.0; 2], radius });
        Ok(Self { begin, mesh, waypoints, space, footprint, agents, goals, body, radius, ticks_per_step })
    }
}

impl Site for MeshWorld {
    type Space = MeshSpace;
    type Footprint = BodyFootprint;
    type Metric = Euclidean;

    fn begin(&self) -> Instant {
        self.begin
    }

    fn instance(&self) -> Result<Instance<'_, MeshSpace, BodyFootprint>> {
        Ok(Instance::new(&self.space, &self.footprint, self.agents.clone())?)
    }

    /// Distances, as far as agents need them.
    fn distances(&self) -> TrueDistances<MeshSpace, Euclidean> {
        TrueDistances::aimed(Euclidean::from_space(&self.space))
    }

    fn crowd(&self, arguments: &CrowdArguments) -> CrowdArguments {
        CrowdArguments { window: arguments.window.or(Some(MOVES_AHEAD)), ..arguments.clone() }
    }

    fn plan(
        &self,
        chosen: &ChosenStrategy,
        instance: &Instance<'_, MeshSpace, BodyFootprint>,
        distances: &mut TrueDistances<MeshSpace, Euclidean>,
        watch: &mut impl Watch,
    ) -> SolutionIn<MeshSpace, Details> {
        chosen.plan_by(distances, Euclidean::from_space(&self.space), instance, watch)
    }

    fn add_class<'a>(&'a self, crowd: &mut Crowd<'a>) -> Result<ClassId> {
        let class = Class::new(&self.space, &self.footprint);
        Ok(crowd.add_class(class)?)
    }

    fn goals(&self) -> Endpoints {
        self.goals.clone().into()
    }

    fn trace(&self, plan: &PlanIn<MeshSpace>) -> Trace {
        self.traced(Trace::from_plan(&self.space, &self.agents, plan, self.ticks_per_step))
    }

    /// The recording with the bodies of agents, and steps in which an agent of speed 1 goes a world unit.
    fn traced(&self, mut recording: Trace) -> Trace {
        recording.ticks_per_step = self.ticks_per_step;
        recording.agents.iter_mut().for_each(|agent| agent.body.clone_from(&self.body));
        recording
    }

    /// Also agents that do not end on their goals.
    fn violations(&self, plan: &PlanIn<MeshSpace>) -> Violations {
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
        let mut trace = trace.clone();
        // Points, too, must not be in one place.
        let disc = TracedBody::Disc { center: [0.0; 2], radius: self.radius };
        trace.agents.iter_mut().for_each(|agent| agent.body = Some(disc.clone()));
        let most = MOST + size(&trace);
        // Positions are rounded: far away from the origin they are less exact.
        let far = self.mesh.bounds().as_flattened().iter().fold(0.0, |far: f32, side| far.max(side.abs()));
        let exact = (self.radius.min(1.0) * 1e-3).max(2.0 * far * f32::EPSILON);
        let checker = BodyChecker::new().tolerance(exact).at_most(most).during(span);
        let mut named: Vec<Conflict> = checker.check(&trace).into_iter().map(Conflict::Overlap).collect();
        let enclosure = Enclosure::new(self.mesh.outlines(), self.mesh.walls());
        named.extend(checker.check_enclosure(&trace, &enclosure).into_iter().map(Conflict::OffMesh));
        let cut = named.len() >= most;
        Violations { named, cut }
    }

    fn kind(&self) -> &'static str {
        "a mesh"
    }

    fn backdrop(&self) -> Backdrop {
        Backdrop::mesh(self.mesh.walls(), 2.0 * self.radius.max(self.waypoints.rules().ground_cell()))
    }

    fn places(&self) -> Places {
        Places::Mesh(Arc::clone(&self.waypoints))
    }
}

/// The places that agents take.
#[derive(Default)]
struct Taken {
    places: Vec<[f32; 2]>,
    /// The places of the start and the goal of each agent.
    agents: Vec<[usize; 2]>,
    /// The places of the goals of all rows.
    goals: Vec<usize>,
}

impl Taken {
    fn new(
        mesh: &NavMesh,
        rules: WaypointRules,
        file: &AgentsFile,
        arguments: &InstanceArguments,
        once: bool,
    ) -> Result<Self> {
        let within = arguments.radius.map_or(1.0, |radius| 2.0 * radius);
        let count = arguments.agents.map_or(file.entries().len(), |count| count as usize);
        let chosen = file.first(count)?.len();
        let mut taken = Self { places: Vec::new(), agents: Vec::new(), goals: Vec::new() };
        let mut known: BTreeMap<[u32; 2], usize> = BTreeMap::new();
        for (number, entry) in file.entries().iter().enumerate() {
            let mut place = |what: &str, at: [f32; 2]| -> Result<usize> {
                let Some(found) = rules.nearest_place(mesh, at, within) else {
                    let expected = format!("a {what} on the mesh, at most {within} from a place where the agent fits");
                    bail!(file.error_at(entry.line, expected, format_args!("({},{})", at[0], at[1])));
                };
                Ok(*known.entry(found.map(|side| (side + 0.0).to_bits())).or_insert_with(|| {
                    taken.places.push(found);
                    taken.places.len() - 1
                }))
            };
            if number >= chosen && once {
                break;
            }
            // Of rows beyond the agents only goals count, if they can be used.
            if number < chosen {
                let ends = [place("start", entry.start)?, place("goal", entry.goal)?];
                taken.goals.push(ends[1]);
                taken.agents.push(ends);
            } else if let Ok(goal) = place("goal", entry.goal) {
                taken.goals.push(goal);
            }
        }
        if taken.agents.is_empty() {
            bail!("{}: expected at least one agent, found none", path(arguments).display());
        }
        let least = arguments.radius.map_or(0.0, |radius| 2.0 * radius);
        let lines = lines(file, chosen);
        check_apart(file, &lines, "start", least, |agent| taken.at(agent, 0))?;
        if once {
            check_apart(file, &lines, "goal", least, |agent| taken.at(agent, 1))?;
        }
        Ok(taken)
    }

    /// Where an agent starts or goes.
    fn at(&self, agent: usize, end: usize) -> [f64; 2] {
        self.places[self.agents[agent][end]].map(f64::from)
    }
}

/// The lines of the first agents of `file`.
fn lines(file: &AgentsFile, count: usize) -> Vec<usize> {
    file.entries().iter().take(count).map(|entry| entry.line).collect()
}

fn path(arguments: &InstanceArguments) -> &Path {
    arguments.agents_file.as_deref().unwrap_or(arguments.map())
}
