//! Where the maps and scenarios are, and what is in them.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use giveway::scenario::Scenario;
use giveway::spaces::Grid;
use giveway::{Instance, NodeId, Point, fewest_ticks};

use super::setup::ScenarioSet;
use crate::arguments::{Connectivity, ReproArguments};
use crate::planning::{read_map, to_grid};

/// The files of an experiment.
pub(super) struct Files {
    pub(super) map: PathBuf,
    pub(super) scenarios: Vec<PathBuf>,
}

impl Files {
    /// Those that `arguments` name, or else of `set`.
    ///
    /// # Errors
    /// They are not there.
    pub(super) fn find(arguments: &ReproArguments, set: &ScenarioSet) -> Result<Self> {
        if let Some(map) = &arguments.map {
            return Ok(Self { map: map.clone(), scenarios: arguments.scen.clone() });
        }
        let variable = || std::env::var_os("GIVEWAY_DATA").filter(|folder| !folder.is_empty()).map(PathBuf::from);
        let Some(data) = arguments.data.clone().or_else(variable) else {
            bail!(
                "the scenarios of this experiment are not here: give --data DIR or set GIVEWAY_DATA to a folder with \
                 direction-maps/maps/{}.map and direction-maps/scens/{}_1.txt to _10.txt, which are part of \
                 https://github.com/nathansttt/hog2; or give other ones by --map and --scen",
                set.map,
                set.name
            );
        };
        let folder = data.join("direction-maps");
        let scenario = |number| folder.join(format!("scens/{}_{number}.txt", set.name));
        let files = Self {
            map: folder.join(format!("maps/{}.map", set.map)),
            scenarios: (1..=arguments.files).map(scenario).collect(),
        };
        let rows = files.scenarios.iter().map(|file| (file, ", and --files N takes fewer scenarios"));
        let missing = std::iter::once((&files.map, "")).chain(rows).find(|(file, _)| !file.is_file());
        if let Some((file, advice)) = missing {
            bail!("{}: not there; it is part of https://github.com/nathansttt/hog2{advice}", file.display());
        }
        Ok(files)
    }
}

/// A map, and patrols on it.
pub(super) struct World {
    pub(super) grid: Grid,
    pub(super) scenarios: Vec<Patrolled>,
}

/// A scenario: between which places each agent goes.
pub(super) struct Patrolled {
    pub(super) name: String,
    pub(super) ends: Vec<[NodeId; 2]>,
    /// In how many actions the one with the longest way could do a loop if it was alone.
    pub(super) fewest_actions: u32,
}

impl World {
    /// # Errors
    /// A file cannot be read, has no agents, or one whose ends no way connects.
    pub(super) fn read(files: &Files) -> Result<Self> {
        let grid = to_grid(&read_map(&files.map)?, &files.map, Connectivity::Eight)?;
        let scenarios = files.scenarios.iter().map(|file| Patrolled::read(file, &grid)).collect::<Result<_>>()?;
        Ok(Self { grid, scenarios })
    }

    /// The scenario after the one at `place`; after the last, the first.
    pub(super) fn after(&self, place: usize) -> &Patrolled {
        &self.scenarios[(place + 1) % self.scenarios.len()]
    }

    /// How many agents there are in each scenario, from the fewest to the most.
    pub(super) fn agents(&self) -> [usize; 2] {
        let counts = || self.scenarios.iter().map(|scenario| scenario.ends.len());
        [counts().min().unwrap_or(0), counts().max().unwrap_or(0)]
    }
}

impl Patrolled {
    fn read(file: &Path, grid: &Grid) -> Result<Self> {
        let scenario = Scenario::read(file)?;
        let shown = || file.display().to_string();
        if scenario.entries().is_empty() {
            bail!("{}: expected at least one agent, found none", shown());
        }
        let agents = scenario.agents(scenario.entries().len(), grid)?;
        let point = Point::swap_rule(grid);
        let instance = Instance::new(grid, &point, agents).with_context(shown)?;
        let mut fewest_actions = 0;
        for (number, ticks) in fewest_ticks(&instance).into_iter().enumerate() {
            let ticks = ticks.with_context(|| format!("{}: no way for agent {number}", shown()))?;
            fewest_actions = fewest_actions.max(2 * ticks);
        }
        let ends = scenario.entries().iter().map(|entry| {
            let [start, goal] = [entry.start, entry.goal].map(|(x, y)| grid.node(x, y));
            Some([start?, goal?])
        });
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, ends: ends.collect::<Option<_>>().with_context(shown)?, fewest_actions })
    }
}
