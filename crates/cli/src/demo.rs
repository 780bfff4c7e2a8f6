//! `giveway demo`: a crowd on a built-in map, and a player that shows it.

use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use giveway::heuristic::{TrueDistances, Zero};
use giveway::render::{AnimatedPicture, Player};
use giveway::spaces::{Grid, GridError};
use giveway::strategies::{Hca, Independent, SolutionIn};
use giveway::{Agent, Instance, Point, Tick, Trace, fewest_ticks};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg32;

use crate::arguments::DemoArguments;
use crate::count::Count;
use crate::fault_text::{Faults, is_of_standing};
use crate::output_file::{FileList, OutputFile};
use crate::pictures::backdrop;
use crate::table::Ratio;
use crate::verdict::Verdict;

/// Two banks, a river `~`, bridges `=`, pillars `#`. Units may start on all other cells; each ends on an `o`.
const MAP: &str = include_str!("demo/map.txt");

/// So many cells of the map are goals.
pub(crate) const MOST_UNITS: u32 = {
    let (mut goals, mut index) = (0, 0);
    while index < MAP.len() {
        if MAP.as_bytes()[index] == b'o' {
            goals += 1;
        }
        index += 1;
    }
    goals
};

/// Plans the crowd that `arguments` describe, and writes its player.
pub(crate) fn demo(arguments: &DemoArguments) -> Result<Verdict> {
    let out = OutputFile::claim(&arguments.out, &[])?;
    let svg = arguments.svg.as_deref();
    let svg = svg.map(|svg| OutputFile::claim(svg, &[("--out", &arguments.out)])).transpose()?;
    let path = out.path().map(Path::to_owned);
    let map = Map::new();
    let grid = map.grid()?;
    let agents = map.agents(&grid, arguments.agents as usize, arguments.seed);
    let point = Point::swap_rule(&grid);
    let instance = Instance::new(&grid, &point, agents)?;

    let begin = Instant::now();
    let solution = Hca::hca_star().solve(&instance);
    let planning = begin.elapsed();
    let conflicts = |solution: &SolutionIn<Grid>| {
        let faults = Faults::of(&solution.plan, instance.agents(), &grid).named;
        let stands = |id| solution.unplanned.iter().any(|unplanned| unplanned.agent == id);
        faults.iter().filter(|fault| !is_of_standing(fault, stands, stands)).count()
    };
    let independent = Independent::new(TrueDistances::<Grid, Zero>::tables()).solve(&instance);
    let outcome = Outcome {
        units: instance.agents().len(),
        solved: solution.is_complete() && conflicts(&solution) == 0,
        unplanned: solution.unplanned.len(),
        conflicts: conflicts(&solution),
        independent_conflicts: conflicts(&independent),
        sum_of_costs: solution.plan.sum_of_costs(),
        makespan: solution.plan.makespan(),
        fewest_ticks: fewest_ticks(&instance).into_iter().flatten().collect(),
        planning,
        written: FileList::of_options([&Some(arguments.out.clone()), &arguments.svg]),
        path,
    };
    let trace = Trace::of_plan(&grid, instance.agents(), &solution.plan, 1);
    let backdrop = backdrop(&grid);
    let player = Player::new(&trace, &backdrop).title(outcome.title()).caption(outcome.caption());
    let player = out.stage(&player)?;
    let picture = AnimatedPicture::new(&trace, &backdrop);
    let picture = svg.map(|svg| svg.stage(&picture)).transpose()?;
    let files = [Some(player), picture].into_iter().flatten().collect();
    Ok(Verdict { good: outcome.solved, text: Box::new(outcome), files })
}

/// The built-in map.
struct Map {
    rows: Vec<&'static [u8]>,
    width: u32,
    height: u32,
}

impl Map {
    fn new() -> Self {
        let rows: Vec<&[u8]> = MAP.lines().map(str::as_bytes).collect();
        let side = |cells: usize| u32::try_from(cells).unwrap_or(0);
        Self { width: side(rows.first().map_or(0, |row| row.len())), height: side(rows.len()), rows }
    }

    /// What is drawn at (x, y); water beyond the map.
    fn cell(&self, x: u32, y: u32) -> u8 {
        let row = self.rows.get(y as usize);
        row.and_then(|row| row.get(x as usize)).copied().unwrap_or(b'~')
    }

    fn grid(&self) -> Result<Grid, GridError> {
        Grid::from_fn(self.width, self.height, |x, y| !matches!(self.cell(x, y), b'~' | b'#'))
    }

    /// So many units: each starts on one bank and has its goal on the other, as `seed` decides.
    fn agents(&self, grid: &Grid, count: usize, seed: u64) -> Vec<Agent> {
        let cells = || (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        let east = |(x, _): &(u32, u32)| *x >= self.width / 2;
        let starts = cells().filter(|(x, y)| matches!(self.cell(*x, *y), b'.' | b'o'));
        let (mut eastern, mut western): (Vec<_>, Vec<_>) = starts.partition(east);
        let mut goals: Vec<_> = cells().filter(|(x, y)| self.cell(*x, *y) == b'o').collect();
        let mut chance = Pcg32::seed_from_u64(seed);
        for cells in [&mut eastern, &mut western, &mut goals] {
            cells.shuffle(&mut chance);
        }
        let (mut eastern, mut western) = (eastern.into_iter(), western.into_iter());
        let unit = |goal: (u32, u32)| {
            let start = if east(&goal) { western.next() } else { eastern.next() }?;
            let node = |(x, y)| grid.node(x, y);
            Some(Agent::new(node(start)?, node(goal)?))
        };
        goals.into_iter().filter_map(unit).take(count).collect()
    }
}

/// What came of it.
struct Outcome {
    units: usize,
    solved: bool,
    unplanned: usize,
    /// Between paths.
    conflicts: usize,
    /// Of the plan in which everyone goes as if alone.
    independent_conflicts: usize,
    sum_of_costs: u64,
    makespan: Tick,
    /// For each unit, if it were alone.
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

/// How planning together came out.
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

/// What to type into a browser to see the file at an absolute path.
struct Address<'a>(&'a Path);

impl fmt::Display for Address<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.as_os_str().as_encoded_bytes();
        // Elsewhere than on Unix, paths begin otherwise, and browsers take them as they are.
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
    fn every_crowd_crosses_and_is_solved() {
        let map = Map::new();
        let grid = map.grid().unwrap();
        let point = Point::swap_rule(&grid);
        let most = MOST_UNITS as usize;
        let crowds = (0..12).map(|seed| (most, seed)).chain((1..most).step_by(7).map(|count| (count, 0)));
        for (count, seed) in crowds {
            let agents = map.agents(&grid, count, seed);
            assert_eq!(agents.len(), count, "seed {seed}");
            let east = |node| grid.xy(node).0 >= map.width / 2;
            for agent in &agents {
                assert_ne!(east(agent.start), east(agent.goals.nodes()[0]), "seed {seed}, {agent:?}");
            }
            let instance = Instance::new(&grid, &point, agents).unwrap();
            let solution = Hca::hca_star().solve(&instance);
            assert!(solution.is_complete(), "{count} units, seed {seed}");
        }
    }

    #[test]
    fn addresses_have_no_characters_that_end_them() {
        let address = Address(Path::new("/a b/100%/ä#?.html")).to_string();
        assert_eq!(address, "file:///a%20b/100%25/%C3%A4%23%3F.html");
        assert_eq!(Address(Path::new("C:\\demo.html")).to_string(), "C:\\demo.html");
    }
}
