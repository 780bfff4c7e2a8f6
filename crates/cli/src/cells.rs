//! A map of cells, and the agents of a scenario on it.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use giveway::heuristic::{TrueDistances, Zero};
use giveway::plan::{PlanIn, Trace};
use giveway::render::Backdrop;
use giveway::scenario::{AgentsFile, MovedGoal, PlanHeader, PlanText, Scenario};
use giveway::sim::Endpoints;
use giveway::spaces::Grid;
use giveway::strategies::{Class, ClassId, Crowd, SolutionIn, Watch};
use giveway::time::Span;
use giveway::{Agent, Instance, NodeId, Point};

use crate::arguments::{Connectivity, CrowdArguments};
use crate::input_file;
use crate::learning::Directions;
use crate::node_map::Labels;
use crate::pictures;
use crate::places::Places;
use crate::placing::{Placing, drawn_scenario};
use crate::planning::{ChosenStrategy, Details};
use crate::site::Site;
use crate::violation_text::Violations;
use crate::world::{CellMap, SiteArguments};

/// Agents on cells.
pub(crate) struct Cells<'a> {
    /// The file with the agents.
    file: &'a Path,
    begin: Instant,
    grid: Grid,
    point: Point,
    agents: Vec<Agent>,
    /// The goals of the agents, which may have been moved, and the goals of all rows of the file that are no walls.
    goals: Vec<NodeId>,
    moved_goals: Option<Vec<MovedGoal>>,
    directions: Option<Directions>,
    origin: Option<[i32; 2]>,
    /// The file of the map, if the arguments do not name it.
    map_file: Option<PathBuf>,
}

impl<'a> Cells<'a> {
    /// The agents that `arguments` name, on `cells`.
    pub(crate) fn new(cells: &CellMap, arguments: &SiteArguments<'a>) -> Result<Self> {
        let instance = arguments.instance;
        let connectivity = instance.connectivity.unwrap_or(Connectivity::Four);
        let file = match (&instance.scen, &instance.agents_file, instance.agents) {
            (Some(scen), _, Some(count)) => {
                Rows::Scenario(input_file::read(scen, Scenario::read, Scenario::parse)?, count)
            }
            (None, Some(file), _) => Rows::Agents(input_file::read(file, AgentsFile::read, AgentsFile::parse)?),
            (None, None, Some(_)) if cells.marks.iter().any(Option::is_some) => Rows::Marked,
            (None, None, Some(count)) => {
                Rows::Scenario(drawn_scenario(&cells.map, instance.map(), count, arguments.seed)?, count)
            }
            _ => bail!(
                "{} is a map of cells: expected --scen and --agents, or --agents-file, or --agents alone to draw some",
                instance.map().display()
            ),
        };
        if instance.nearest && !matches!(file, Rows::Scenario(..)) {
            bail!("--nearest is for a --scen: other agents go to the nearest free cell, anyway");
        }
        let begin = Instant::now();
        let grid = cells.grid(instance.map(), connectivity)?;
        let point = Point::swap_rule(&grid);
        let mut moved_goals = None;
        let (agents, goals) = match &file {
            Rows::Scenario(scenario, count) => {
                let agents = if instance.nearest {
                    let (agents, moved) = scenario.agents_near(*count as usize, &grid)?;
                    moved_goals = Some(moved);
                    agents
                } else {
                    scenario.agents(*count as usize, &grid)?
                };
                let goals = scenario.entries().iter().map(|entry| entry.goal);
                let free = goals.filter(|(x, y)| grid.is_passable(*x, *y));
                let mut nodes: Vec<NodeId> = free.filter_map(|(x, y)| grid.node(x, y)).collect();
                nodes.extend(agents.iter().flat_map(|agent| agent.goals.nodes()));
                nodes.sort_unstable();
                (agents, nodes)
            }
            other => {
                let (once, seed, marks) = (arguments.once, arguments.seed, &cells.marked(&grid));
                let placing = Placing { arguments: instance, once, seed, marks, within: 1.0, least: 0.0, enough: 0.0 };
                let file = if let Rows::Agents(file) = other { Some(file) } else { None };
                let placed = placing.place(file, &grid, |_| Vec::new())?;
                (placed.agents, placed.goals)
            }
        };
        let directions = Directions::begin(arguments.learning, arguments.strategy, &grid)?;
        let origin = cells.origin;
        let file = instance.scen.as_deref().or(instance.agents_file.as_deref()).unwrap_or(instance.map());
        Ok(Self { file, begin, grid, point, agents, goals, moved_goals, directions, origin, map_file: None })
    }
}

impl<'a> Cells<'a> {
    /// The `agents` of the world in `file` on `grid`.
    pub(crate) fn of_world(file: &'a Path, grid: &Grid, agents: Vec<Agent>, map_file: Option<PathBuf>) -> Self {
        let mut goals: Vec<NodeId> = agents.iter().flat_map(|agent| agent.goals.nodes().to_vec()).collect();
        goals.sort_unstable();
        Self {
            file,
            begin: Instant::now(),
            grid: grid.clone(),
            point: Point::swap_rule(grid),
            agents,
            goals,
            moved_goals: None,
            directions: None,
            origin: None,
            map_file,
        }
    }
}

/// Where agents start and go.
enum Rows {
    /// The first agents of a scenario.
    Scenario(Scenario, u32),
    Agents(AgentsFile),
    /// Agents are drawn where the map has marks.
    Marked,
}

impl Site for Cells<'_> {
    type Space = Grid;
    type Footprint = Point;
    type Metric = Zero;

    fn begin(&self) -> Instant {
        self.begin
    }

    fn instance(&self) -> Result<Instance<'_, Grid, Point>> {
        Instance::new(&self.grid, &self.point, self.agents.clone()).with_context(|| self.file.display().to_string())
    }

    fn learning(&self) -> Option<(&Grid, &Directions)> {
        Some((&self.grid, self.directions.as_ref()?))
    }

    fn distances(&self) -> TrueDistances<Grid, Zero> {
        TrueDistances::tables()
    }

    fn crowd(&self, arguments: &CrowdArguments) -> CrowdArguments {
        arguments.clone()
    }

    fn plan(
        &self,
        chosen: &ChosenStrategy,
        instance: &Instance<'_, Grid, Point>,
        distances: &mut TrueDistances<Grid, Zero>,
        watch: &mut impl Watch,
    ) -> SolutionIn<Grid, Details> {
        chosen.plan(instance, self.directions.as_ref(), distances, watch)
    }

    fn add_class<'a>(&'a self, crowd: &mut Crowd<'a>) -> Result<ClassId> {
        let class = Class::new(&self.grid, &self.point);
        Ok(match self.directions.as_ref().map(|directions| (&directions.map, directions.distances())) {
            Some((map, Some(priced))) => crowd.add_class(class.heuristics(priced).layer(map))?,
            Some((map, None)) => crowd.add_class(class.layer(map))?,
            None => crowd.add_class(class)?,
        })
    }

    fn goals(&self) -> Endpoints {
        self.goals.clone().into()
    }

    fn trace(&self, plan: &PlanIn<Grid>) -> Trace {
        Trace::from_plan(&self.grid, &self.agents, plan, 1)
    }

    fn violations(&self, plan: &PlanIn<Grid>) -> Violations {
        Violations::of(plan, &self.agents, &self.grid)
    }

    fn violations_of_trace(&self, trace: &Trace, span: Span) -> Violations {
        Violations::of_trace(trace, span, &self.grid)
    }

    fn text(&self, plan: &PlanIn<Grid>, header: PlanHeader) -> Option<PlanText> {
        Some(PlanText::from_plan(&self.grid, &self.agents, plan, header))
    }

    fn kind(&self) -> &'static str {
        "a map of cells"
    }

    fn map_file(&self) -> Option<&Path> {
        self.map_file.as_deref()
    }

    fn has_text(&self) -> bool {
        true
    }

    fn backdrop(&self) -> Backdrop {
        pictures::backdrop(&self.grid)
    }

    fn places(&self) -> Places {
        Places::Cells(self.grid.clone())
    }

    fn labels(&self) -> Labels {
        Labels { origin: self.origin, ids: None }
    }

    fn moved_goals(&self) -> Option<Vec<MovedGoal>> {
        self.moved_goals.clone()
    }
}
