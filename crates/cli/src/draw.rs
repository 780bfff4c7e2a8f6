//! `giveway draw`: pictures of an existing plan, trace, direction map or map.

use std::fmt;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use giveway::direction::Coherence;
use giveway::plan::{Trace, TracedBody};
use giveway::render::{Arrow, Backdrop, FloorPlan, Flow, FlowPicture};
use giveway::scenario::PlanText;
use giveway::spaces::Grid;
use giveway::time::Tick;

use crate::arguments::DrawArguments;
use crate::check;
use crate::count::Count;
use crate::input_file;
use crate::learning;
use crate::output_file::{FileList, OutputFile};
use crate::pictures::{self, Pictures};
use crate::traces::{self, end_of};
use crate::verdict::Verdict;
use crate::world::World;
use crate::worlds::LoadedWorld;

/// Draws what `arguments` name.
pub(crate) fn draw(arguments: &DrawArguments) -> Result<Verdict> {
    arguments.refuse_idle()?;
    match (&arguments.plan, &arguments.trace, &arguments.direction_map) {
        (Some(plan), _, _) => draw_plan(arguments, plan),
        (None, Some(trace), _) => draw_trace(arguments, trace),
        (None, None, Some(map)) => draw_direction_map(arguments, map),
        (None, None, None) => draw_map(arguments),
    }
}

/// The map behind a picture of `trace`, which may be empty, and how floors are drawn.
fn scene(arguments: &DrawArguments, trace: &Trace) -> Result<(Backdrop, Option<FloorPlan>)> {
    match &arguments.world {
        Some(path) => {
            let world = LoadedWorld::read_empty(path)?;
            Ok((world.backdrop([])?, world.plan()))
        }
        None => Ok((backdrop(arguments, trace)?, None)),
    }
}

/// The map behind a picture of `trace`, which may be empty.
fn backdrop(arguments: &DrawArguments, trace: &Trace) -> Result<Backdrop> {
    match World::read(arguments.map(), &arguments.of_map)? {
        World::Cells(cells) => Ok(pictures::backdrop(&cells.grid(arguments.map(), arguments.connectivity)?)),
        World::Nodes(nodes) => Ok(nodes.facts.backdrop),
        World::Mesh(mesh) => {
            let mesh = mesh.mesh();
            let [least, most] = mesh.bounds();
            let size = (most[0] - least[0]).max(most[1] - least[1]);
            let widths = trace.agents.iter().map(|agent| match &agent.body {
                Some(TracedBody::Disc { radius, .. }) => 2.0 * radius,
                _ => size / 100.0,
            });
            Ok(Backdrop::mesh(mesh.walls(), widths.reduce(f32::max).unwrap_or(size / 100.0)))
        }
    }
}

/// The grid of a map that must have one.
fn grid(arguments: &DrawArguments) -> Result<Grid> {
    match World::read(arguments.map(), &arguments.of_map)? {
        World::Cells(cells) => cells.grid(arguments.map(), arguments.connectivity),
        World::Mesh(_) => arguments.refuse_of_cells("a mesh"),
        World::Nodes(nodes) => arguments.refuse_of_cells(nodes.kind),
    }
}

fn draw_plan(arguments: &DrawArguments, file: &Path) -> Result<Verdict> {
    let inputs = input_file::files([arguments.input(), ("--plan", file)]);
    let pictures = Pictures::claim(&arguments.pictures, inputs)?;
    let grid = grid(arguments)?;
    let text = input_file::read(file, PlanText::read, PlanText::parse)?;
    if text.agents == 0 {
        bail!("{}: expected at least one agent, found none", file.display());
    }
    let other_map = check::other_map(&text, arguments.map());
    let plan = match (text.to_plan(&grid), other_map) {
        (Err(error), Some(other)) => return Err(error).context(other),
        (plan, _) => plan?,
    };
    let drawing = Drawing {
        agents: text.agents,
        solver: text.solver.clone(),
        sum_of_costs: plan.sum_of_costs(),
        makespan: plan.makespan(),
        written: FileList::of_options(arguments.pictures.files()),
    };
    let trace = Trace::from_plan(&grid, &text.to_agents(&grid)?, &plan, 1);
    let title = pictures::title(text.agents, arguments.map(), text.solver.as_deref());
    let files = pictures.stage(|| pictures::backdrop(&grid), &trace, Flow::new(), &title, &drawing.caption())?;
    Ok(Verdict { good: true, text: Box::new(drawing), files })
}

fn draw_trace(arguments: &DrawArguments, file: &Path) -> Result<Verdict> {
    let inputs = input_file::files([arguments.input(), ("--trace", file)]);
    let pictures = Pictures::claim(&arguments.pictures, inputs)?;
    let trace = traces::read(file, arguments.radius)?;
    let moves: usize = trace.agents.iter().map(|agent| agent.moves.len()).sum();
    let [agents, moves] = [Count(trace.agents.len() as u64, "agent"), Count(moves as u64, "move")];
    let summary = format!("Drawn, not checked: {agents}, {moves}, {}", Count(end_of(&trace).into(), "tick"));
    let title = pictures::title(trace.agents.len(), arguments.map(), None);
    let (backdrop, plan) = scene(arguments, &trace)?;
    let trace = plan.map_or(trace.clone(), |plan| plan.trace(&trace));
    let files = pictures.stage(|| backdrop, &trace, Flow::new(), &title, "Not checked")?;
    let drawn = Drawn { summary, written: FileList::of_options(arguments.pictures.files()) };
    Ok(Verdict { good: true, text: Box::new(drawn), files })
}

fn draw_map(arguments: &DrawArguments) -> Result<Verdict> {
    let pictures = Pictures::claim(&arguments.pictures, input_file::files([arguments.input()]))?;
    let title = pictures::map_name(arguments.map());
    let trace = Trace::new(1, Vec::new());
    let (backdrop, _) = scene(arguments, &trace)?;
    let files = pictures.stage(|| backdrop, &trace, Flow::new(), &title, "")?;
    let what = if arguments.world.is_some() { "world" } else { "map" };
    let summary = format!("Drawn: the {what} {title}");
    let drawn = Drawn { summary, written: FileList::of_options(arguments.pictures.files()) };
    Ok(Verdict { good: true, text: Box::new(drawn), files })
}

/// The summary of a drawing, as one line.
struct Drawn {
    summary: String,
    written: FileList,
}

impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.summary)?;
        self.written.fmt(f)
    }
}

fn draw_direction_map(arguments: &DrawArguments, file: &Path) -> Result<Verdict> {
    let mut inputs = input_file::files([arguments.input(), ("--direction-map", file)]);
    let svg = OutputFile::claim_next("--svg", arguments.pictures.svg.as_deref(), &mut inputs)?;
    let grid = grid(arguments)?;
    let map = learning::read(file, &grid)?;
    let arrows = Arrow::from_map(&grid, &map);
    let backdrop = pictures::backdrop(&grid);
    let title = format!("Which way units go on {}", pictures::map_name(arguments.map()));
    let picture = FlowPicture::new(&arrows, &backdrop).title(title);
    let files = svg.map(|svg| svg.stage(&picture)).transpose()?.into_iter().collect();
    let coherence = Coherence::default().of(&grid, &map);
    let lanes = Lanes { places: arrows.len(), coherence, written: FileList::of_options(arguments.pictures.files()) };
    Ok(Verdict { good: true, text: Box::new(lanes), files })
}

/// The drawn part of a direction map.
struct Lanes {
    places: usize,
    /// `None`: nothing has been learned.
    coherence: Option<f64>,
    written: FileList,
}

impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { places, coherence, written } = self;
        let coherence = coherence.map_or(String::new(), |coherence| format!(", coherence {coherence:.3}"));
        writeln!(f, "Drawn: {} with a direction{coherence}", Count(*places as u64, "place"))?;
        written.fmt(f)
    }
}

/// The drawn plan.
struct Drawing {
    agents: usize,
    /// The solver of the plan, as the plan states it.
    solver: Option<String>,
    sum_of_costs: u64,
    makespan: Tick,
    written: FileList,
}

impl Drawing {
    fn caption(&self) -> String {
        let (sum_of_costs, makespan) = (self.sum_of_costs, self.makespan);
        let solver = match &self.solver {
            Some(solver) => format!("Planned by {solver}: "),
            None => String::new(),
        };
        format!("{solver}sum of costs {sum_of_costs}, makespan {makespan}; not checked")
    }
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agents = Count(self.agents as u64, "agent");
        let [sum_of_costs, makespan] = [self.sum_of_costs, self.makespan.into()].map(|ticks| Count(ticks, "tick"));
        writeln!(f, "Drawn, not checked: {agents}, sum of costs {sum_of_costs}, makespan {makespan}")?;
        self.written.fmt(f)
    }
}
