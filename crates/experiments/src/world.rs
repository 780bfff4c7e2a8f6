//! Maps and scenarios: what is in their files.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use giveway_core::{NodeId, Point};
use giveway_scenario::{MapFile, Scenario};
use giveway_spaces::{Connectivity, Grid};
use giveway_strategies::{Instance, fewest_ticks};

use crate::setup::Setup;

/// The files of an experiment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Files {
    /// The map.
    pub map: PathBuf,
    /// The scenarios on it.
    pub scenarios: Vec<PathBuf>,
    /// Whether the scenarios are the first ones of the set that the experiment prescribes.
    pub are_prescribed: bool,
}

/// How many agents of a scenario take part: its first ones.
#[derive(Clone, Copy)]
enum AgentCount {
    /// So many, or it is an error.
    Exactly(u32),
    /// So many, or all if there are fewer.
    UpTo(u32),
}

/// A map, and patrols on it.
pub struct World {
    /// The name of the map.
    pub(crate) map: String,
    pub(crate) grid: Grid,
    pub(crate) scenarios: Vec<Patrolled>,
    /// How many agents were not taken, of all in the scenarios.
    pub(crate) left_out: usize,
    /// Whether the scenarios are the ones that the experiment prescribes.
    pub(crate) is_prescribed: bool,
}

/// A scenario: between which places each agent goes.
pub(crate) struct Patrolled {
    pub(crate) name: String,
    pub(crate) ends: Vec<[NodeId; 2]>,
    /// In how many actions the one with the longest way could do a loop if it was alone.
    pub(crate) fewest_actions: u32,
}

impl World {
    /// Reads `files`. The first `agents` agents of each scenario take part. With `None`, the number of agents is the
    /// one that the experiment prescribes; if a scenario has fewer agents, all of them take part.
    ///
    /// # Errors
    /// A file cannot be read; a scenario has no agents, or fewer than `agents`; or no way leads from the start of an
    /// agent to its goal.
    pub fn read(setup: &Setup, files: &Files, agents: Option<u32>) -> Result<Self> {
        let agents = agents.map_or(AgentCount::UpTo(setup.set.agents), AgentCount::Exactly);
        let grid = MapFile::read(&files.map)?.grid().with_context(|| files.map.display().to_string())?;
        let grid = grid.with_connectivity(Connectivity::Eight);
        let mut left_out = 0;
        let mut read = |file: &PathBuf| {
            let (patrolled, lines) = Patrolled::read(file, &grid, agents)?;
            left_out += lines - patrolled.ends.len();
            Ok(patrolled)
        };
        let scenarios = files.scenarios.iter().map(&mut read).collect::<Result<_>>()?;
        Ok(Self { map: name_of(&files.map), grid, scenarios, left_out, is_prescribed: files.are_prescribed })
    }

    /// The map.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The scenario after the one at `place`; after the last, the first.
    pub(crate) fn after(&self, place: usize) -> &Patrolled {
        &self.scenarios[(place + 1) % self.scenarios.len()]
    }

    /// How many agents there are in each scenario, from the fewest to the most.
    pub(crate) fn agents(&self) -> [usize; 2] {
        let counts = || self.scenarios.iter().map(|scenario| scenario.ends.len());
        [counts().min().unwrap_or(0), counts().max().unwrap_or(0)]
    }
}

impl Patrolled {
    /// The scenario in `file`, and how many agents that has.
    fn read(file: &Path, grid: &Grid, agents: AgentCount) -> Result<(Self, usize)> {
        let scenario = Scenario::read(file)?;
        let shown = || file.display().to_string();
        if scenario.entries().is_empty() {
            bail!("{}: expected at least one agent, found none", shown());
        }
        let lines = scenario.entries().len();
        let count = match agents {
            AgentCount::Exactly(count) => count as usize,
            AgentCount::UpTo(most) => lines.min(most as usize),
        };
        let agents = scenario.agents(count, grid)?;
        let point = Point::swap_rule(grid);
        let instance = Instance::new(grid, &point, agents).with_context(shown)?;
        let mut fewest_actions = 0;
        for (number, ticks) in fewest_ticks(&instance).into_iter().enumerate() {
            let ticks = ticks.with_context(|| format!("{}: no way for agent {number}", shown()))?;
            fewest_actions = fewest_actions.max(2 * ticks);
        }
        let ends = scenario.entries().iter().take(count).map(|entry| {
            let [start, goal] = [entry.start, entry.goal].map(|(x, y)| grid.node(x, y));
            Some([start?, goal?])
        });
        Ok((
            Self { name: name_of(file), ends: ends.collect::<Option<_>>().with_context(shown)?, fewest_actions },
            lines,
        ))
    }
}

/// The name of a file, without its ending.
fn name_of(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
