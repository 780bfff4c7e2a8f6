//! Learning: the direction map of a crowd at the beginning, its changes, and its final state.

use std::path::Path;

use anyhow::{Result, anyhow};
use giveway::direction::{DirectionMap, DirectionRules, WorldDirectionMap};
use giveway::heuristic::PricedDistances;
use giveway::render::{Arrow, Flow};
use giveway::scenario::{DirectionMapFile, WorldDirectionMapFile};
use giveway::spaces::{Embedding, Grid};
use giveway::strategies::{Progress, Watch};
use giveway::time::Tick;

use crate::arguments::{LearningArguments, Strategy};
use crate::input_file;
use crate::output_file::{OutputFile, StagedFile};

/// The direction map of a crowd that learns.
pub(crate) struct Directions {
    pub(crate) map: DirectionMap,
    /// Whether the map is from a file: then units include its costs when they look ahead, even if the map is blank.
    /// Blanks charge everywhere alike, and a unit that plans by windows without these costs would rather wait than
    /// move.
    is_known: bool,
}

impl Directions {
    /// The default cost of a move against a map, in steps: enough for lanes, and small enough for few detours.
    const WEIGHT: f32 = 2.0;

    /// A blank map, if `strategy` needs one.
    pub(crate) fn blank(strategy: Strategy, weight: Option<f32>, grid: &Grid) -> Option<Self> {
        (strategy == Strategy::Dm).then(|| Self { map: Self::blank_map(grid, weight), is_known: false })
    }

    /// A blank map, with this cost of a move against it, in steps.
    pub(crate) fn blank_map<S: Embedding>(space: &S, weight: Option<f32>) -> DirectionMap {
        DirectionMap::blank(space, DirectionRules::default().weight(weight.unwrap_or(Self::WEIGHT)))
    }

    /// The direction map at the beginning; `None`: the crowd learns nothing.
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

    /// Distances at the present price of the map; `None`: the map is still empty, and learning makes ways only cheaper.
    pub(crate) fn distances(&self) -> Option<PricedDistances<Grid, DirectionMap>> {
        self.is_known.then(|| PricedDistances::tables(self.map.snapshot()))
    }
}

/// The direction map in `file`, which is for `grid`.
pub(crate) fn read(file: &Path, grid: &Grid) -> Result<DirectionMap> {
    let map = input_file::read(file, DirectionMapFile::read, DirectionMapFile::parse)?.map(grid);
    map.map_err(|other| {
        anyhow!("{}: {other}; it was learned on another map, or with another --connectivity", file.display())
    })
}

/// The result of a crowd's learning.
pub(crate) struct Learned<'a> {
    /// Which way units went, over time, for a player.
    pub(crate) flow: Flow,
    /// The final state.
    pub(crate) map: Option<LearnedMap<'a>>,
}

/// A direction map in its final state.
pub(crate) enum LearnedMap<'a> {
    OfGrid(&'a DirectionMap),
    OfSide(&'a WorldDirectionMap),
}

impl Learned<'_> {
    /// Nothing was learned.
    pub(crate) fn nothing() -> Self {
        Self { flow: Flow::new(), map: None }
    }
}

/// The file for the learned map. It may be the file that the crowd began with, but none of the `others`. Both become
/// part of the `others`.
pub(crate) fn claim<'a>(
    arguments: &'a LearningArguments,
    others: &mut Vec<(&'a str, &'a Path)>,
) -> Result<Option<OutputFile>> {
    let learned = OutputFile::claim_next("--learned", arguments.learned.as_deref(), others)?
        .map(|file| file.replacing(arguments.direction_map.as_deref()));
    let read = arguments.direction_map.as_deref().map(|file| ("--direction-map", file));
    others.extend(input_file::files(read));
    Ok(learned)
}

/// Writes `map` to `file`, if both are given.
pub(crate) fn stage(file: Option<OutputFile>, map: Option<LearnedMap<'_>>) -> Result<Option<StagedFile>> {
    let staged = file.zip(map).map(|(file, map)| match map {
        LearnedMap::OfGrid(map) => file.stage(&DirectionMapFile::new(map)),
        LearnedMap::OfSide(map) => file.stage(&WorldDirectionMapFile::new(map)),
    });
    staged.transpose()
}

/// Snapshots of a direction map over time, for a player: few, and at equal distances.
pub(crate) struct FlowRecorder<'a> {
    grid: &'a Grid,
    map: &'a DirectionMap,
    /// The tick of the next snapshot.
    next: Tick,
    /// The ticks between two snapshots.
    every: Tick,
    /// From tick 0 on.
    snapshots: Vec<Vec<Arrow>>,
}

impl<'a> FlowRecorder<'a> {
    /// The largest number of snapshots. Beyond it, every other one is dropped.
    const MOST: usize = 50;

    pub(crate) fn new((grid, directions): (&'a Grid, &'a Directions)) -> Self {
        Self { grid, map: &directions.map, next: 0, every: 1, snapshots: Vec::new() }
    }

    /// Notes the map before the next tick; the first call comes before tick 0.
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

    /// The snapshots, and the final state of the map after all ticks.
    pub(crate) fn flow(self) -> Flow {
        let ticks = (0..).map(|index: Tick| index * self.every);
        let flow = ticks.zip(self.snapshots).fold(Flow::new(), |flow, (tick, arrows)| flow.at(tick, arrows));
        flow.at(self.next, Arrow::from_map(self.grid, self.map))
    }
}

/// A watch that also calls a recorder before every tick.
pub(crate) struct Recorded<'a, W> {
    pub(crate) watch: W,
    pub(crate) recorder: Option<FlowRecorder<'a>>,
}

impl<W> Recorded<'_, W> {
    /// The snapshots, if there are any.
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
