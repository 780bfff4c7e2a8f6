//! What a crowd learns: the direction map that it begins with, how that changes, and what is left of it.

use std::path::Path;

use anyhow::{Result, anyhow};
use giveway::direction::{DirectionMap, DirectionRules};
use giveway::heuristic::PricedDistances;
use giveway::render::{Arrow, Flow};
use giveway::scenario::DirectionMapFile;
use giveway::spaces::Grid;
use giveway::strategies::{Progress, Watch};
use giveway::time::Tick;

use crate::arguments::{LearningArguments, Strategy};
use crate::output_file::{OutputFile, StagedFile};

/// The direction map of a crowd that learns.
pub(crate) struct Directions {
    pub(crate) map: DirectionMap,
    /// It is from a file, so that units look ahead at what it charges. A blank one, too: blanks charge the same everywhere, and whoever plans
    /// by windows and knows nothing of that would rather wait than move.
    is_known: bool,
}

impl Directions {
    /// What a move against a map costs in steps that nobody has given a weight: enough for lanes, and little enough for few detours.
    const WEIGHT: f32 = 2.0;

    /// A map without any direction yet, if a crowd that plans by `strategy` cannot do without one.
    pub(crate) fn blank(strategy: Strategy, weight: Option<f32>, grid: &Grid) -> Option<Self> {
        let rules = DirectionRules::default().weight(weight.unwrap_or(Self::WEIGHT));
        let map = (strategy == Strategy::Dm).then(|| DirectionMap::blank(grid, rules))?;
        Some(Self { map, is_known: false })
    }

    /// What a crowd begins with; `None`: it learns nothing.
    pub(crate) fn begin(arguments: &LearningArguments, strategy: Strategy, grid: &Grid) -> Result<Option<Self>> {
        let Some(file) = &arguments.direction_map else {
            return Ok(Self::blank(strategy, arguments.weight, grid));
        };
        let mut map = read(file, grid)?;
        if let Some(weight) = arguments.weight {
            let rules = map.rules().weight(weight);
            map = map.with_rules(rules);
        }
        if arguments.frozen {
            map.freeze();
        }
        Ok(Some(Self { map, is_known: true }))
    }

    /// Distances at the price of the map as it is now; `None`: there is nothing in it yet, and whatever is learned makes ways cheaper.
    pub(crate) fn distances(&self) -> Option<PricedDistances<Grid, DirectionMap>> {
        self.is_known.then(|| PricedDistances::tables(self.map.snapshot()))
    }
}

/// The direction map in `file`, which is for `grid`.
pub(crate) fn read(file: &Path, grid: &Grid) -> Result<DirectionMap> {
    let map = DirectionMapFile::read(file)?.map(grid);
    map.map_err(|other| {
        anyhow!("{}: {other}; it was learned on another map, or with another --connectivity", file.display())
    })
}

/// What a crowd has learned.
pub(crate) struct Learned<'a> {
    /// Which way its units went, as that changed, for a player.
    pub(crate) flow: Flow,
    /// In the end.
    pub(crate) directions: Option<&'a Directions>,
}

/// The file to write what was learned to, which may be the one that the crowd began with, and none of the `others`. Both become some of them.
pub(crate) fn claim<'a>(
    arguments: &'a LearningArguments,
    others: &mut Vec<(&'a str, &'a Path)>,
) -> Result<Option<OutputFile>> {
    let learned = OutputFile::claim_next("--learned", arguments.learned.as_deref(), others)?;
    others.extend(arguments.direction_map.as_deref().map(|file| ("--direction-map", file)));
    Ok(learned)
}

/// Writes `directions` to `file`, if there are both.
pub(crate) fn stage(file: Option<OutputFile>, directions: Option<&Directions>) -> Result<Option<StagedFile>> {
    let both = file.zip(directions);
    both.map(|(file, directions)| file.stage(&DirectionMapFile::new(&directions.map))).transpose()
}

/// Snapshots of a direction map as it changes, for a player: at equal distances, and not many.
pub(crate) struct FlowRecorder<'a> {
    grid: &'a Grid,
    map: &'a DirectionMap,
    /// The tick that is noted next.
    next: Tick,
    /// How many ticks lie between two snapshots.
    every: Tick,
    /// From tick 0 on.
    snapshots: Vec<Vec<Arrow>>,
}

impl<'a> FlowRecorder<'a> {
    /// When there are more, every other one is dropped.
    const MOST: usize = 50;

    pub(crate) fn new(grid: &'a Grid, directions: &'a Directions) -> Self {
        Self { grid, map: &directions.map, next: 0, every: 1, snapshots: Vec::new() }
    }

    /// Looks at the map as it is before the next tick, the first time before tick 0.
    pub(crate) fn note(&mut self) {
        if self.next.is_multiple_of(self.every) {
            self.snapshots.push(Arrow::from_map(self.grid, self.map));
        }
        self.next += 1;
        if self.snapshots.len() > Self::MOST {
            let mut even = false;
            self.snapshots.retain(|_| {
                even = !even;
                even
            });
            self.every *= 2;
        }
    }

    /// What was noted, and how the map is now that all ticks are over.
    pub(crate) fn flow(self) -> Flow {
        let ticks = (0..).map(|index: Tick| index * self.every);
        let flow = ticks.zip(self.snapshots).fold(Flow::new(), |flow, (tick, arrows)| flow.at(tick, arrows));
        flow.at(self.next, Arrow::from_map(self.grid, self.map))
    }
}

/// A watch that is asked before every tick, and lets a recorder look, too.
pub(crate) struct Recorded<'a, W> {
    pub(crate) watch: W,
    pub(crate) recorder: Option<FlowRecorder<'a>>,
}

impl<W> Recorded<'_, W> {
    /// What was noted, if anything was.
    pub(crate) fn flow(self) -> Flow {
        self.recorder.map_or_else(Flow::new, FlowRecorder::flow)
    }
}

impl<W: Watch> Watch for Recorded<'_, W> {
    fn go_on(&mut self, progress: &Progress) -> bool {
        let goes_on = self.watch.go_on(progress);
        if let Some(recorder) = self.recorder.as_mut().filter(|_| goes_on) {
            recorder.note();
        }
        goes_on
    }
}
