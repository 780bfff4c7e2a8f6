//! `giveway draw`: pictures of a plan that was made before.

use std::fmt;
use std::path::PathBuf;

use anyhow::{Result, bail};
use giveway::scenario::PlanText;
use giveway::{Tick, Trace};

use crate::arguments::DrawArguments;
use crate::count::Count;
use crate::output_file::StagedFile;
use crate::pictures::{self, Pictures};
use crate::planning::{read_map, to_grid};
use crate::verdict::Verdict;

/// Draws the plan that `arguments` name.
pub(crate) fn draw(arguments: &DrawArguments) -> Result<Verdict> {
    let inputs = vec![("--map", arguments.map.as_path()), ("--plan", arguments.plan.as_path())];
    let pictures = Pictures::claim(&arguments.pictures, inputs)?;
    let grid = to_grid(&read_map(&arguments.map)?, &arguments.map, arguments.connectivity)?;
    let text = PlanText::read(&arguments.plan)?;
    if text.agents == 0 {
        bail!("{}: expected at least one agent, found none", arguments.plan.display());
    }
    let plan = text.to_plan(&grid)?;
    let drawing = Drawing {
        agents: text.agents,
        solver: text.solver.clone(),
        sum_of_costs: plan.sum_of_costs(),
        makespan: plan.makespan(),
        written: arguments.pictures.files().into_iter().flatten().cloned().collect(),
    };
    let trace = Trace::of_plan(&grid, &text.to_agents(&grid)?, &plan, 1);
    let title = pictures::title(text.agents, &arguments.map);
    let staged = pictures.stage(&grid, &trace, &title, &drawing.caption())?;
    staged.into_iter().try_for_each(StagedFile::commit)?;
    Ok(Verdict { good: true, text: Box::new(drawing) })
}

/// What was drawn.
struct Drawing {
    agents: usize,
    /// Who made the plan, as it says itself.
    solver: Option<String>,
    sum_of_costs: u64,
    makespan: Tick,
    written: Vec<PathBuf>,
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
        self.written.iter().try_for_each(|file| writeln!(f, "Written: {}", file.display()))
    }
}
