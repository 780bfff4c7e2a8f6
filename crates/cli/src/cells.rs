//! A map of cells, and the agents of a scenario on it.

use std::time::Instant;

use anyhow::{Context as _, Result};
use giveway::heuristic::{TrueDistances, Zero};
use giveway::plan::{PlanIn, Trace};
use giveway::render::Backdrop;
use giveway::scenario::{MapFile, MovedGoal, PlanHeader, PlanText, Scenario};
use giveway::sim::Endpoints;
use giveway::spaces::Grid;
use giveway::strategies::{Class, ClassId, Crowd, SolutionIn, Watch};
use giveway::time::Span;
use giveway::{Agent, Instance, NodeId, Point};

use crate::arguments::{CrowdArguments, InstanceArguments, LearningArguments, Strategy};
use crate::input_file;
use crate::learning::Directions;
use crate::pictures;
use crate::places::Places;
use crate::planning::{ChosenStrategy, Details, to_grid};
use crate::site::Site;
use crate::violation_text::Violations;

/// Agents on cells.
pub(crate) struct Cells<'a> {
    arguments: &'a InstanceArguments,
    begin: Instant,
    grid: Grid,
    point: Point,
    scenario: Scenario,
    agents: Vec<Agent>,
    moved_goals: Option<Vec<MovedGoal>>,
    directions: Option<Directions>,
}

impl<'a> Cells<'a> {
    /// The agents that `arguments` name, on `map`.
    pub(crate) fn new(
        map: &MapFile,
        arguments: &'a InstanceArguments,
        learning: &LearningArguments,
        strategy: Strategy,
    ) -> Result<Self> {
        let (scen, count, connectivity) = arguments.on_cells()?;
        let scenario = input_file::read(scen, Scenario::read, Scenario::parse)?;
        let begin = Instant::now();
        let grid = to_grid(map, arguments.map(), connectivity)?;
        let (agents, moved_goals) = if arguments.nearest {
            let (agents, moved) = scenario.agents_near(count as usize, &grid)?;
            (agents, Some(moved))
        } else {
            (scenario.agents(count as usize, &grid)?, None)
        };
        let directions = Directions::begin(learning, strategy, &grid)?;
        let point = Point::swap_rule(&grid);
        Ok(Self { arguments, begin, grid, point, scenario, agents, moved_goals, directions })
    }
}

impl Site for Cells<'_> {
    type Space = Grid;
    type Footprint = Point;
    type Metric = Zero;

    fn begin(&self) -> Instant {
        self.begin
    }

    fn instance(&self) -> Result<Instance<'_, Grid, Point>> {
        let scen = || self.arguments.scen.iter().map(|scen| scen.display().to_string()).collect::<String>();
        Instance::new(&self.grid, &self.point, self.agents.clone()).with_context(scen)
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

    /// The goals of the agents, which may have been moved, and the goals of all lines of the scenario that are no
    /// walls.
    fn goals(&self) -> Endpoints {
        let goals = self.scenario.entries().iter().map(|entry| entry.goal);
        let free = goals.filter(|(x, y)| self.grid.is_passable(*x, *y));
        let mut nodes: Vec<NodeId> = free.filter_map(|(x, y)| self.grid.node(x, y)).collect();
        nodes.extend(self.agents.iter().flat_map(|agent| agent.goals.nodes()));
        nodes.sort_unstable();
        nodes.into()
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

    fn backdrop(&self) -> Backdrop {
        pictures::backdrop(&self.grid)
    }

    fn places(&self) -> Places {
        Places::Cells(self.grid.clone())
    }

    fn moved_goals(&self) -> Option<Vec<MovedGoal>> {
        self.moved_goals.clone()
    }
}
