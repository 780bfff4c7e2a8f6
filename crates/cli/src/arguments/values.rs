//! What several commands take: pictures, connectivity, strategies, orders.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use giveway::direction::DirectionRules;
use giveway::scenario::Colors;
use giveway::spaces;
use giveway::time::Tick;

use super::numbers::whole;

/// Pictures of a plan.
#[derive(Args, Clone, Debug)]
pub(crate) struct PictureArguments {
    /// Write a player of the plan: one HTML file that shows it in any browser
    ///
    /// It needs no server and no network. Play, scrub, step, zoom; point at an agent to see its path.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) html: Option<PathBuf>,

    /// Write a picture of the plan: the path of every agent over the map, as SVG
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,
}

impl PictureArguments {
    /// The file of each kind.
    pub(crate) fn files(&self) -> [&Option<PathBuf>; 2] {
        [&self.html, &self.svg]
    }
}

/// What a map file leaves open.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct MapArguments {
    /// Of a tile map: the walls, as the name of a layer, as property=value, or none [default: the layers with wall or
    /// collision in their names]
    ///
    /// Any tile or object on the layer is a wall. With property=value, walls are the tiles and objects with a custom
    /// property of this value, or of this class with class=value, and all on layers with it. With none, there are no
    /// walls.
    #[arg(long, value_name = "WALLS", help_heading = "Map")]
    pub(crate) walls: Option<String>,

    /// Of a tile map: the property that says what a step onto a tile costs, a whole number from 1 to 1000 [default: all
    /// cost 1]
    ///
    /// It may be a property of tiles, of objects, or of layers; where there are several, the largest counts. A step
    /// still takes a tick.
    #[arg(long, value_name = "PROPERTY", help_heading = "Map")]
    pub(crate) costs: Option<String>,

    /// Of a tile map: the property that makes a tile a one-way, as north, east, south or west, or as north-east
    ///
    /// No step against the direction begins or ends on the tile; steps across it do. It may be a property of tiles, of
    /// objects, or of layers.
    #[arg(long, value_name = "PROPERTY", help_heading = "Map")]
    pub(crate) one_ways: Option<String>,

    /// Of a picture: what its colours are, as #000000=wall,#ffffff=free,#8b4513=3 [default: dark is wall]
    ///
    /// A colour is red, green and blue. It is a wall, free, or what a step there costs, a whole number from 1 to 1000;
    /// free is 1. A pixel of another colour is an error, unless `other` says what it is, as other=free.
    #[arg(long, value_name = "COLOURS", help_heading = "Map")]
    pub(crate) colors: Option<Colors>,

    /// Of a tile map: the folder in which its tile sets and templates must lie [default: the folder of the map]
    #[arg(long, value_name = "FOLDER", help_heading = "Map")]
    pub(crate) tile_sets: Option<PathBuf>,
}

/// Agents on a map.
#[derive(Args, Debug)]
pub(crate) struct InstanceArguments {
    /// The map: a Moving AI .map file, a tile map (.tmx, .tmj), a picture (.png), a graph (.json), or a navigation
    /// mesh, a Polyanya .mesh file
    ///
    /// Of a picture, dark pixels are walls. A graph is node-link JSON, as NetworkX writes it: nodes with id, x and y.
    #[arg(long, value_name = "FILE", required_unless_present = "world", help_heading = "Instance")]
    map: Option<PathBuf>,

    /// In place of a map and agents: a world, a TOML file with maps, classes, agents, links, areas and orders
    #[arg(long, value_name = "FILE", conflicts_with_all = IN_WORLDS, help_heading = "Instance")]
    pub(crate) world: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) of_map: MapArguments,

    /// On cells: where agents start and go, a Moving AI .scen file
    #[arg(long, value_name = "FILE", help_heading = "Instance")]
    pub(crate) scen: Option<PathBuf>,

    /// How many agents: the first N lines of the scenario or of the agents file [default: all of the agents file]
    ///
    /// Without a file, so many agents are drawn: --seed decides where they start and go. Needed with --scen.
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX), help_heading = "Instance")]
    pub(crate) agents: Option<u32>,

    /// How many neighbours a square cell has [default: 4]
    ///
    /// With 8, a diagonal step takes one tick, too. It counts 1414 where a straight one counts 1000, and cuts no
    /// corners: both cells at its sides must be free.
    #[arg(long, value_name = "4|8", hide_possible_values = true, help_heading = "Instance")]
    pub(crate) connectivity: Option<Connectivity>,

    /// Where agents start and go, as CSV with the header start_x,start_y,goal_x,goal_y, in world units
    ///
    /// Cell (x,y) of a map or a picture lies at (x,y). If an agent does not fit at its start or goal, the nearest place
    /// where it fits is taken: at most its diameter away, or 1 for a point.
    #[arg(long, value_name = "FILE", conflicts_with = "scen", help_heading = "Instance")]
    pub(crate) agents_file: Option<PathBuf>,

    /// Of a tile map: where agents that are drawn start, named as --walls are [default: anywhere]
    #[arg(long, value_name = "PLACES", conflicts_with_all = ["scen", "agents_file"], help_heading = "Instance")]
    pub(crate) starts: Option<String>,

    /// Of a tile map: where agents that are drawn go, named as --walls are [default: anywhere]
    #[arg(long, value_name = "PLACES", conflicts_with_all = ["scen", "agents_file"], help_heading = "Instance")]
    pub(crate) goals: Option<String>,

    /// Agents are discs of this radius, in world units [default: points]
    ///
    /// A cell is 1 wide, and neighbouring hexagons are 1 apart.
    #[arg(long, value_name = "R", value_parser = radius, help_heading = "Instance")]
    pub(crate) radius: Option<f32>,

    /// How many world units agents go in a step [default: 1]
    ///
    /// A trace says how many ticks a step has: enough that the duration of each move is close to its length. On cells,
    /// needs --radius.
    #[arg(long, value_name = "V", value_parser = speed, help_heading = "Instance")]
    pub(crate) speed: Option<f32>,

    /// Move goals that cannot be used to the nearest cell that can, and list them
    ///
    /// Moved are goals that are walls, that cannot be reached from the start, or that an agent earlier in the scenario
    /// has already. The nearest cell is the one at the least straight-line distance; among equals the one that is
    /// cheapest to reach from the start; then the first in reading order.
    #[arg(long, help_heading = "Instance")]
    pub(crate) nearest: bool,
}

/// What a world says itself.
const IN_WORLDS: [&str; 15] = [
    "map",
    "colors",
    "walls",
    "costs",
    "one_ways",
    "tile_sets",
    "scen",
    "agents",
    "connectivity",
    "agents_file",
    "starts",
    "goals",
    "radius",
    "speed",
    "nearest",
];

impl InstanceArguments {
    /// The map, or the world; an empty path if the instance is given otherwise.
    pub(crate) fn map(&self) -> &Path {
        self.map.as_deref().or(self.world.as_deref()).unwrap_or(Path::new(""))
    }

    /// The files that are read, each with its flag.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &Path)> {
        let [map, world] = [given("--map", &self.map), given("--world", &self.world)];
        let all = [map, world, given("--scen", &self.scen), given("--agents-file", &self.agents_file)];
        all.into_iter().flatten()
    }

    /// The marks of starts and of goals.
    pub(crate) fn marks(&self) -> [Option<&str>; 2] {
        [self.starts.as_deref(), self.goals.as_deref()]
    }

    /// Refuses what does nothing on `kind`, a map that does not have square cells.
    pub(crate) fn refuse_of_cells(&self, kind: &str) -> Result<()> {
        let map = self.map().display();
        if self.scen.is_some() {
            bail!("--scen is for maps of square cells, and {map} is {kind}: give --agents-file");
        }
        if self.connectivity.is_some() {
            bail!("--connectivity is for maps of cells, and {map} is {kind}");
        }
        if self.nearest {
            bail!("--nearest is for maps of cells: on {kind}, agents go to the nearest place where they fit, anyway");
        }
        Ok(())
    }
}

/// How a crowd plans.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct CrowdArguments {
    /// How many ticks ahead agents plan; if moves take their time, how many moves [default: 16, or 8 moves]
    #[arg(long, value_name = "TICKS", value_parser = whole(1..=LONGEST_WINDOW), help_heading = CROWD)]
    pub(crate) window: Option<Tick>,

    /// After how many ticks an agent plans again; if moves take their time, moves [default: half the window]
    #[arg(long, value_name = "TICKS", value_parser = whole(1..=Tick::MAX), help_heading = CROWD)]
    pub(crate) interval: Option<Tick>,

    /// Plan again all at one tick, instead of in turns
    #[arg(long, help_heading = CROWD)]
    pub(crate) at_once: bool,

    /// Let agents that rest in another agent's way step aside at once, not at the last moment
    #[arg(long, help_heading = CROWD)]
    pub(crate) wait_penalty: bool,
}

/// A unit expands at least as many states as its window has ticks.
pub(super) const LONGEST_WINDOW: Tick = 10_000;

const CROWD: &str = "Planning in windows (whca, and dm when it is stuck)";

/// What a crowd learns.
#[derive(Args, Debug)]
pub(crate) struct LearningArguments {
    /// With dm and whca: begin with this direction map, and go on learning
    ///
    /// The file also says what a move against the flow costs. The direction map must have been learned on this map,
    /// with this --connectivity.
    #[arg(long, value_name = "FILE", help_heading = LEARNING)]
    pub(crate) direction_map: Option<PathBuf>,

    /// Write the direction map as it is in the end
    ///
    /// It may be the file that the crowd began with. With whca there is one only if it began with one. In a world,
    /// `simulate` writes the map of its one side.
    #[arg(long, value_name = "FILE", help_heading = LEARNING)]
    pub(crate) learned: Option<PathBuf>,

    /// What a move against the direction map costs, in steps [default: the file's; 2 without one]
    ///
    /// At 0 the map learns, and agents ignore it. The larger the cost, the longer the detours that agents make to go
    /// along with others.
    #[arg(long, value_name = "STEPS", value_parser = weight, help_heading = LEARNING)]
    pub(crate) weight: Option<f32>,

    /// With --direction-map: learn nothing more
    #[arg(long, help_heading = LEARNING)]
    pub(crate) frozen: bool,
}

const LEARNING: &str = "Learning which way others go";

impl LearningArguments {
    /// Refuses in a world what its file says of its sides.
    pub(crate) fn refuse_in_worlds(&self, strategy: Strategy) -> Result<()> {
        if strategy == Strategy::Dm || self.direction_map.is_some() {
            bail!(
                "direction maps are learned on one map of cells, and in a world by its sides: choose another --strategy, or \
                 give classes a side"
            );
        }
        match [("--weight", self.weight.is_some()), ("--frozen", self.frozen)].into_iter().find(|(_, given)| *given) {
            Some((flag, _)) => bail!("{flag} does nothing in a world: its sides say what moves cost"),
            None => Ok(()),
        }
    }

    /// Refuses arguments that a crowd with `strategy` would ignore.
    pub(crate) fn refuse_idle(&self, strategy: Strategy) -> Result<()> {
        let Self { direction_map, learned, weight, frozen } = self;
        let given = [
            ("--direction-map", direction_map.is_some()),
            ("--learned", learned.is_some()),
            ("--weight", weight.is_some()),
            ("--frozen", *frozen),
        ];
        let Some((flag, _)) = given.into_iter().find(|(_, given)| *given) else {
            return Ok(());
        };
        match (strategy, direction_map) {
            (Strategy::Dm | Strategy::Whca, Some(_)) if *frozen && learned.is_some() => {
                bail!("--learned does nothing with --frozen, where nothing is learned")
            }
            (Strategy::Dm | Strategy::Whca, Some(_)) => Ok(()),
            (Strategy::Dm, None) if *frozen => bail!("--frozen does nothing without a --direction-map"),
            (Strategy::Dm, None) => Ok(()),
            (Strategy::Whca, None) => {
                bail!("{flag} does nothing with --strategy whca, unless it begins with a --direction-map")
            }
            _ => bail!("{flag} does nothing with --strategy {strategy}: only dm and whca follow others"),
        }
    }
}

impl CrowdArguments {
    /// The arguments, and whether each was given.
    pub(crate) fn given(&self) -> Vec<(&'static str, bool)> {
        let Self { window, interval, at_once, wait_penalty } = self;
        vec![
            ("--window", window.is_some()),
            ("--interval", interval.is_some()),
            ("--at-once", *at_once),
            ("--wait-penalty", *wait_penalty),
        ]
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Connectivity {
    #[value(name = "4")]
    Four,
    #[value(name = "8")]
    Eight,
}

impl From<Connectivity> for spaces::Connectivity {
    fn from(connectivity: Connectivity) -> Self {
        match connectivity {
            Connectivity::Four => Self::Four,
            Connectivity::Eight => Self::Eight,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum Strategy {
    #[default]
    Hca,
    Ca,
    Whca,
    Lra,
    Dm,
    Independent,
}

impl Strategy {
    /// Whether the strategy runs a crowd, whose agents go on planning while they move. Otherwise all agents plan once,
    /// and an agent without a path stands.
    pub(crate) fn is_crowd(self) -> bool {
        matches!(self, Self::Whca | Self::Lra | Self::Dm)
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| f.write_str(value.get_name()))
    }
}

pub(super) fn strategy(name: &str) -> Result<Strategy, &'static str> {
    Strategy::from_str(name, false)
        .map_err(|_| "expected \"hca\", \"ca\", \"whca\", \"lra\", \"dm\" or \"independent\"")
}

/// One of the strategies that run a crowd.
pub(super) fn crowd_strategy(name: &str) -> Result<Strategy, &'static str> {
    strategy(name).ok().filter(|strategy| strategy.is_crowd()).ok_or("expected \"whca\", \"lra\" or \"dm\"")
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Order {
    /// As in the scenario
    AsGiven,
    /// Shortest way first
    Nearest,
    /// Longest way first
    Farthest,
    /// As in the scenario, but each agent comes first in turn; only with whca, lra and dm
    Rotating,
    /// As `--seed` decides
    Random,
}

pub(super) fn weight(text: &str) -> Result<f32, &'static str> {
    let known = text.parse().ok().filter(|weight| (0.0..=DirectionRules::HEAVIEST).contains(weight));
    known.ok_or("expected a number of steps from 0 to 1000000")
}

/// Levels of one height, one above the other: from which height on, how high each is, and how many there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Levels {
    pub(crate) lowest: f32,
    pub(crate) height: f32,
    pub(crate) count: u32,
}

pub(super) fn levels(text: &str) -> Result<Levels, &'static str> {
    let known = match text.split(',').collect::<Vec<&str>>()[..] {
        [lowest, height, count] => {
            lowest.trim().parse().ok().zip(height.trim().parse().ok()).zip(count.trim().parse().ok())
        }
        _ => None,
    };
    let known = known.map(|((lowest, height), count)| Levels { lowest, height, count });
    let is_sensible = |levels: &Levels| {
        levels.lowest.is_finite() && levels.height.is_finite() && levels.height > 0.0 && levels.count > 0
    };
    known
        .filter(is_sensible)
        .ok_or("expected the lowest height, the height of a level and the number of levels, as -1,3,2")
}

pub(super) fn tolerance(text: &str) -> Result<f32, &'static str> {
    let known = text.parse().ok().filter(|tolerance: &f32| tolerance.is_finite() && *tolerance >= 0.0);
    known.ok_or("expected a number of world units from 0, as 0.001")
}

pub(super) fn radius(text: &str) -> Result<f32, &'static str> {
    let known = text.parse().ok().filter(|radius: &f32| radius.is_finite() && *radius > 0.0);
    known.ok_or("expected a number of world units above 0, as 0.5")
}

pub(super) fn speed(text: &str) -> Result<f32, &'static str> {
    let known = text.parse().ok().filter(|speed| (0.001..=1000.0).contains(speed));
    known.ok_or("expected a number of world units from 0.001 to 1000, as 1 or 0.5")
}

pub(super) fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds: f64 = text
        .parse()
        .ok()
        .filter(|seconds: &f64| seconds.is_finite() && *seconds > 0.0)
        .ok_or("expected a number of seconds above 0, as 10 or 0.5")?;
    // A limit beyond the largest duration is no limit.
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// A number from 0 to 100.
pub(super) fn percent(text: &str) -> Result<f64, &'static str> {
    let percent = text.parse().ok().filter(|percent: &f64| (0.0..=100.0).contains(percent));
    percent.ok_or("expected a number of percent from 0 to 100, as 5 or 0.5")
}

/// Refuses the first case that holds, in its words.
pub(super) fn refuse<const N: usize>(cases: [(bool, &str); N]) -> Result<()> {
    match cases.into_iter().find(|(holds, _)| *holds) {
        Some((_, why)) => bail!("{why}"),
        None => Ok(()),
    }
}

/// A file after its flag, if it is given.
pub(super) fn given<'a>(flag: &'static str, file: &'a Option<PathBuf>) -> Option<(&'static str, &'a Path)> {
    Some((flag, file.as_deref()?))
}
