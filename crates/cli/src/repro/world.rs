//! Where the maps and scenarios are, and what is in them.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use giveway::plan::fewest_ticks;
use giveway::scenario::Scenario;
use giveway::spaces::Grid;
use giveway::{Instance, NodeId, Point};

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
        let in_folder = |folder: &Path| Self::in_folder(folder, set, arguments.files);
        if let Some(folder) = &arguments.data {
            let files = in_folder(folder);
            return match files.missing() {
                None => Ok(files),
                Some(missing) => bail!("{missing}; it is part of {HOG2}"),
            };
        }
        let mut looked = String::new();
        for (nowhere, folder) in usual_folders() {
            let missing = match folder.as_deref().map(in_folder) {
                None => nowhere,
                Some(files) => match files.missing() {
                    None => return Ok(files),
                    Some(missing) => missing,
                },
            };
            looked += &format!("\n  {missing}");
        }
        bail!(
            "the scenarios of this experiment are not here: give --data DIR or set GIVEWAY_DATA to a folder with \
             direction-maps/maps/{}.map and direction-maps/scens/{}_1.txt to _10.txt, which are part of {HOG2}; or give other ones by \
             --map and --scen{looked}",
            set.map,
            set.name,
        );
    }

    /// The first `count` scenarios of `set` and their map below `folder`, there or not.
    fn in_folder(folder: &Path, set: &ScenarioSet, count: u8) -> Self {
        let folder = folder.join("direction-maps");
        let scenario = |number| folder.join(format!("scens/{}_{number}.txt", set.name));
        Self { map: folder.join(format!("maps/{}.map", set.map)), scenarios: (1..=count).map(scenario).collect() }
    }

    /// The first file that is not there, and what can be done.
    fn missing(&self) -> Option<String> {
        let file = std::iter::once(&self.map).chain(&self.scenarios).find(|file| !file.is_file())?;
        let advice = match self.scenarios.iter().take_while(|file| file.is_file()).count() {
            0 => String::new(),
            _ if *file == self.map => String::new(),
            there => format!(", and --files {there} takes fewer scenarios"),
        };
        Some(format!("{}: not there{advice}", file.display()))
    }
}

/// Who has all scenarios.
const HOG2: &str = "https://github.com/nathansttt/hog2";

/// What a clone of giveway has.
const CLONED: &str = "testdata/direction-maps";

/// Where to look if nobody says where: in `GIVEWAY_DATA`, and in the clone around the current folder; with what to say if there is none.
fn usual_folders() -> [(String, Option<PathBuf>); 2] {
    let variable = std::env::var_os("GIVEWAY_DATA").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let here = std::env::current_dir().unwrap_or_default();
    let clone = here.ancestors().find(|folder| folder.join(CLONED).is_dir()).map(|folder| folder.join("testdata"));
    [
        ("GIVEWAY_DATA: not set".to_owned(), variable),
        (format!("{}: neither here nor in a folder around it is there {CLONED}", here.display()), clone),
    ]
}

/// How many agents of a scenario take part: its first ones.
#[derive(Clone, Copy)]
pub(super) enum AgentCount {
    /// So many, or it is an error.
    Exactly(u32),
    /// So many, or all if there are fewer.
    UpTo(u32),
}

impl AgentCount {
    /// As `arguments` ask for, or else as in `set`.
    pub(super) fn new(arguments: &ReproArguments, set: &ScenarioSet) -> Self {
        arguments.agents.map_or(Self::UpTo(set.agents), Self::Exactly)
    }
}

/// A map, and patrols on it.
pub(super) struct World {
    pub(super) grid: Grid,
    pub(super) scenarios: Vec<Patrolled>,
    /// How many agents were not taken, of all in the scenarios.
    pub(super) left_out: usize,
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
    /// A file cannot be read, has no agents or fewer than asked for, or one whose ends no way connects.
    pub(super) fn read(files: &Files, agents: AgentCount) -> Result<Self> {
        let grid = to_grid(&read_map(&files.map)?, &files.map, Connectivity::Eight)?;
        let mut left_out = 0;
        let mut read = |file: &PathBuf| {
            let (patrolled, lines) = Patrolled::read(file, &grid, agents)?;
            left_out += lines - patrolled.ends.len();
            Ok(patrolled)
        };
        let scenarios = files.scenarios.iter().map(&mut read).collect::<Result<_>>()?;
        Ok(Self { grid, scenarios, left_out })
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
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok((Self { name, ends: ends.collect::<Option<_>>().with_context(shown)?, fewest_actions }, lines))
    }
}
