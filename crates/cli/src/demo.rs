//! `giveway demo`: a crowd on a built-in map, and a player that shows it.

pub(crate) mod map;

use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use giveway::heuristic::{TrueDistances, Zero};
use giveway::plan::{Trace, fewest_ticks};
use giveway::render::{AnimatedPicture, Player};
use giveway::spaces::Grid;
use giveway::strategies::{Hca, Independent, SolutionIn};
use giveway::time::Tick;
use giveway::{Instance, Point};

use crate::arguments::DemoArguments;
use crate::count::Count;
use crate::output_file::{FileList, OutputFile};
use crate::pictures::backdrop;
use crate::table::Ratio;
use crate::verdict::Verdict;
use crate::violation_text::{Violations, is_of_standing};

use map::DemoMap;

/// Plans the crowd that `arguments` describe, and writes its player.
pub(crate) fn demo(arguments: &DemoArguments) -> Result<Verdict> {
    let out = OutputFile::claim(&arguments.out, &[])?;
    let svg = arguments.svg.as_deref();
    let svg = svg.map(|svg| OutputFile::claim(svg, &[("--out", &arguments.out)])).transpose()?;
    let path = out.path().map(Path::to_owned);
    let map = DemoMap::new();
    let grid = map.grid()?;
    let agents = map.agents(&grid, arguments.agents as usize, arguments.seed);
    let point = Point::swap_rule(&grid);
    let instance = Instance::new(&grid, &point, agents)?;

    let begin = Instant::now();
    let solution = Hca::hca_star().solve(&instance);
    let planning = begin.elapsed();
    let independent = Independent::new(TrueDistances::<Grid, Zero>::tables()).solve(&instance);
    let found = conflicts(&solution, &instance);
    let outcome = Outcome {
        units: instance.agents().len(),
        solved: solution.is_complete() && found == 0,
        unplanned: solution.unplanned.len(),
        conflicts: found,
        independent_conflicts: conflicts(&independent, &instance),
        sum_of_costs: solution.plan.sum_of_costs(),
        makespan: solution.plan.makespan(),
        fewest_ticks: fewest_ticks(&instance).into_iter().flatten().collect(),
        planning,
        written: FileList::of_options([&Some(arguments.out.clone()), &arguments.svg]),
        path,
    };
    let trace = Trace::from_plan(&grid, instance.agents(), &solution.plan, 1);
    let backdrop = backdrop(&grid);
    let player = Player::new(&trace, &backdrop).title(outcome.title()).caption(outcome.caption());
    let player = out.stage(&player)?;
    let picture = AnimatedPicture::new(&trace, &backdrop);
    let picture = svg.map(|svg| svg.stage(&picture)).transpose()?;
    let files = [Some(player), picture].into_iter().flatten().collect();
    Ok(Verdict { good: outcome.solved, text: Box::new(outcome), files })
}

/// The number of conflicts in `solution`, except with agents that stand.
fn conflicts<D>(solution: &SolutionIn<Grid, D>, instance: &Instance<'_, Grid, Point>) -> usize {
    let violations = Violations::of(&solution.plan, instance.agents(), instance.space()).named;
    let stands = |id| solution.unplanned.iter().any(|unplanned| unplanned.agent == id);
    violations.iter().filter(|violation| !is_of_standing(violation, stands, stands)).count()
}

/// The result of the demo.
struct Outcome {
    units: usize,
    solved: bool,
    unplanned: usize,
    /// Between paths.
    conflicts: usize,
    /// Of the plan in which all agents plan as if alone.
    independent_conflicts: usize,
    sum_of_costs: u64,
    makespan: Tick,
    /// For each unit as if it were alone.
    fewest_ticks: Vec<Tick>,
    planning: Duration,
    written: FileList,
    /// Where it is; `None` if that is no file.
    path: Option<PathBuf>,
}

impl Outcome {
    fn title(&self) -> String {
        let units = Count(self.units as u64, "unit");
        let verb = if self.units == 1 { "gives" } else { "give" };
        format!("{units} {verb} way")
    }

    fn caption(&self) -> String {
        format!(
            "All want to cross the river. Each as if alone: {}. Planned together, by HCA*: {}",
            Count(self.independent_conflicts as u64, "conflict"),
            Together(self)
        )
    }
}

/// The outcome of cooperative planning.
struct Together<'a>(&'a Outcome);

impl fmt::Display for Together<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.unplanned {
            0 => {}
            unplanned => write!(f, "{unplanned} without a path, ")?,
        }
        match self.0.conflicts {
            0 => f.write_str("no conflicts"),
            conflicts => write!(f, "{}", Count(conflicts as u64, "conflict")),
        }
    }
}

/// The summary for people.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bounds = || self.fewest_ticks.iter().copied();
        let sum_bound: u64 = bounds().map(u64::from).sum();
        let makespan_bound = u64::from(bounds().max().unwrap_or(0));
        let independent = Count(self.independent_conflicts as u64, "conflict");
        let wants = if self.units == 1 { "wants" } else { "want" };
        writeln!(f, "{} {wants} to cross a river, which has two bridges.\n", Count(self.units as u64, "unit"))?;
        writeln!(f, "  each as if alone  {independent}")?;
        writeln!(f, "  planned together  {}, in {:.0} ms", Together(self), self.planning.as_secs_f64() * 1000.0)?;
        if self.solved {
            let sum_of_costs = Count(self.sum_of_costs, "tick");
            let makespan = Count(self.makespan.into(), "tick");
            writeln!(f, "  sum of costs      {sum_of_costs}{}", Ratio(self.sum_of_costs, sum_bound))?;
            writeln!(f, "  makespan          {makespan}{}", Ratio(self.makespan.into(), makespan_bound))?;
        }
        if !self.written.is_empty() {
            write!(f, "\n{}", self.written)?;
        }
        match &self.path {
            Some(path) => writeln!(f, "Open it in a browser: {}", Address(path)),
            None => Ok(()),
        }
    }
}

/// The address of the file at an absolute path, to type into a browser.
struct Address<'a>(&'a Path);

impl fmt::Display for Address<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.as_os_str().as_encoded_bytes();
        // Outside Unix, paths begin differently, and browsers accept them unchanged.
        if !bytes.starts_with(b"/") {
            return write!(f, "{}", self.0.display());
        }
        f.write_str("file://")?;
        bytes.iter().try_for_each(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                f.write_char(char::from(*byte))
            }
            _ => write!(f, "%{byte:02X}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_no_characters_that_end_them() {
        let address = Address(Path::new("/a b/100%/ä#?.html")).to_string();
        assert_eq!(address, "file:///a%20b/100%25/%C3%A4%23%3F.html");
        assert_eq!(Address(Path::new("C:\\demo.html")).to_string(), "C:\\demo.html");
    }
}
