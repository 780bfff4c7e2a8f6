//! `giveway draw`: pictures of an existing plan or direction map.

use std::fmt;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use giveway::direction::Coherence;
use giveway::plan::Trace;
use giveway::render::{Arrow, Flow, FlowPicture};
use giveway::scenario::PlanText;
use giveway::time::Tick;

use crate::arguments::DrawArguments;
use crate::check;
use crate::count::Count;
use crate::learning;
use crate::output_file::{FileList, OutputFile};
use crate::pictures::{self, Pictures};
use crate::planning::{read_map, to_grid};
use crate::verdict::Verdict;

/// Draws the plan or direction map that `arguments` name.
pub(crate) fn draw(arguments: &DrawArguments) -> Result<Verdict> {
    match (&arguments.plan, &arguments.direction_map) {
        (Some(plan), _) => draw_plan(arguments, plan),
        (None, Some(map)) => draw_direction_map(arguments, map),
        (None, None) => bail!("expected --plan or --direction-map"),
    }
}

fn draw_plan(arguments: &DrawArguments, file: &Path) -> Result<Verdict> {
    let inputs = vec![("--map", arguments.map.as_path()), ("--plan", file)];
    let pictures = Pictures::claim(&arguments.pictures, inputs)?;
    let grid = to_grid(&read_map(&arguments.map)?, &arguments.map, arguments.connectivity)?;
    let text = PlanText::read(file)?;
    if text.agents == 0 {
        bail!("{}: expected at least one agent, found none", file.display());
    }
    let other_map = check::other_map(&text, &arguments.map);
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
    let title = pictures::title(text.agents, &arguments.map, text.solver.as_deref());
    let files = pictures.stage(&grid, &trace, Flow::new(), &title, &drawing.caption())?;
    Ok(Verdict { good: true, text: Box::new(drawing), files })
}

fn draw_direction_map(arguments: &DrawArguments, file: &Path) -> Result<Verdict> {
    let mut inputs = vec![("--map", arguments.map.as_path()), ("--direction-map", file)];
    let svg = OutputFile::claim_next("--svg", arguments.pictures.svg.as_deref(), &mut inputs)?;
    let grid = to_grid(&read_map(&arguments.map)?, &arguments.map, arguments.connectivity)?;
    let map = learning::read(file, &grid)?;
    let arrows = Arrow::from_map(&grid, &map);
    let backdrop = pictures::backdrop(&grid);
    let title = format!("Which way units go on {}", pictures::map_name(&arguments.map));
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
