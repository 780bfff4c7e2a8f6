//! What each experiment prescribes, and what of that was asked for otherwise.

use anyhow::{Result, bail};

use super::hybrid::{Hybrid, Lessons};
use super::method::{BySectors, Method, Variant};
use crate::arguments::{Experiment, ReproArguments, SetName};

/// Scenarios that belong together, and how they are run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct ScenarioSet {
    /// The files are `NAME_1.txt` to `NAME_10.txt`.
    pub(super) name: &'static str,
    /// The file is `MAP.map`.
    pub(super) map: &'static str,
    /// How many agents the paper has.
    pub(super) agents: u32,
    /// The paper prints none of these: its times fit 20 for tables 2 and 3, and 5 to 10 for table 1.
    pub(super) loops: u32,
    pub(super) rate: f32,
    /// How often figure 8 looks at the coherence, in units of time.
    pub(super) interval: f64,
}

impl SetName {
    pub(super) const fn set(self) -> ScenarioSet {
        match self {
            Self::Table1 => ScenarioSet {
                name: "Map1_L10_R10",
                map: "test_s1_ground",
                agents: 20,
                loops: 8,
                rate: 0.4,
                interval: 15.0,
            },
            Self::Table2 => ScenarioSet {
                name: "Map1Big_L50_R50",
                map: "test_s1_64",
                agents: 100,
                loops: 20,
                rate: 0.4,
                interval: 60.0,
            },
            Self::Table3 => ScenarioSet {
                name: "Map2_L50_R50",
                map: "test_s2_64",
                agents: 100,
                loops: 20,
                rate: 0.4,
                interval: 60.0,
            },
            Self::Figure5 => ScenarioSet {
                name: "MapEmpty_L100",
                map: "empty_64",
                agents: 100,
                loops: 10,
                rate: 0.6,
                interval: 15.0,
            },
        }
    }
}

/// An experiment as it is run.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Setup {
    pub(super) experiment: Experiment,
    pub(super) set: ScenarioSet,
    pub(super) loops: u32,
    pub(super) rate: f32,
    pub(super) weight: f32,
    /// Each once.
    pub(super) methods: Vec<Method>,
    /// What is not as it was for the paper's figures, in words.
    pub(super) changed: Vec<String>,
}

/// The weight of the paper's tables.
const WEIGHT: f32 = 10.0;
/// The weights of figure 5.
const WEIGHTS: [f32; 8] = [0.0, 1.0, 2.0, 3.0, 5.0, 10.0, 15.0, 20.0];

impl Setup {
    /// # Errors
    /// What is asked for makes no difference in this experiment.
    pub(super) fn new(arguments: &ReproArguments) -> Result<Self> {
        let experiment = arguments.experiment;
        if arguments.set.is_some() && !matches!(experiment, Experiment::Figure8 | Experiment::Hybrids) {
            bail!("--set: only figure8 and hybrids have a choice of scenarios");
        }
        let set = match experiment {
            Experiment::Table1 => SetName::Table1,
            Experiment::Table2 => SetName::Table2,
            Experiment::Table3 => SetName::Table3,
            Experiment::Figure5 => SetName::Figure5,
            Experiment::Figure8 | Experiment::Hybrids => arguments.set.unwrap_or(SetName::Table1),
        };
        let mut methods: Vec<Method> = Vec::new();
        let given = if arguments.methods.is_empty() { usual(experiment) } else { arguments.methods.clone() };
        for method in given {
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
        let depends = |method: &Method| method.weight(WEIGHT) != method.weight(WEIGHT + 1.0);
        if arguments.weight.is_some() && !methods.iter().any(depends) {
            bail!("--weight: none of the methods depends on it; \"dm\" would, in --methods");
        }
        let set = set.set();
        let mut setup = Self {
            experiment,
            set,
            loops: arguments.loops.unwrap_or(set.loops),
            rate: arguments.rate.unwrap_or(set.rate),
            weight: arguments.weight.unwrap_or(WEIGHT),
            methods,
            changed: Vec::new(),
        };
        if arguments.map.is_some() {
            setup.changed.push("other scenarios".to_owned());
        } else if arguments.files < 10 {
            setup.changed.push(format!("{} of 10 scenario files", arguments.files));
        }
        for (name, changed) in [
            ("loops", setup.loops != set.loops),
            ("rate", setup.rate.to_bits() != set.rate.to_bits()),
            ("weight", setup.weight.to_bits() != WEIGHT.to_bits()),
        ] {
            if changed {
                setup.changed.push(format!("another --{name}"));
            }
        }
        Ok(setup)
    }

    /// Whether its time is told per loop.
    pub(super) fn time_per_loop(&self) -> bool {
        self.experiment == Experiment::Table1
    }
}

/// The methods that an experiment compares.
fn usual(experiment: Experiment) -> Vec<Method> {
    let whca = Method::Whca { window: 4 };
    let plain = Method::DirectionMap(Variant::default());
    let by_sectors = |sectors| Method::DirectionMap(Variant { sectors: Some(sectors), ..Variant::default() });
    let sides = |sides: [u32; 2]| {
        let both = sides.into_iter().flat_map(|side| [BySectors::new(side), BySectors { side, percent: 100 }]);
        [Method::AStar, plain].into_iter().chain(both.map(by_sectors)).collect()
    };
    match experiment {
        Experiment::Table1 => vec![Method::AStar, plain, whca],
        Experiment::Table2 => sides([8, 12]),
        Experiment::Table3 => sides([8, 16]),
        Experiment::Figure5 => {
            let weighted = |weight| Method::DirectionMap(Variant { weight: Some(weight), ..Variant::default() });
            WEIGHTS.into_iter().map(weighted).collect()
        }
        Experiment::Figure8 => {
            let neighbours = Method::DirectionMap(Variant { neighbours: true, ..Variant::default() });
            vec![Method::AStar, plain, neighbours, whca]
        }
        Experiment::Hybrids => {
            let hybrid = Hybrid::new(4);
            let weighted = |weight| Hybrid { weight, ..hybrid };
            let taught = |lessons| Hybrid { lessons, ..hybrid };
            let online = Hybrid { lessons: Lessons::None, descent: false, ..hybrid };
            let hybrids = [
                Hybrid { weight: 1.0, ..online },
                online,
                Hybrid { descent: false, ..hybrid },
                weighted(0.0),
                weighted(1.0),
                hybrid,
                weighted(4.0),
                taught(Lessons::Next),
                taught(Lessons::Crowd),
            ];
            // What the lessons of the hybrids cost.
            let lessons = Method::DirectionMap(Variant { weight: Some(Hybrid::WEIGHT), ..Variant::default() });
            let before = [plain, lessons, whca, Method::Whca { window: 16 }];
            before.into_iter().chain(hybrids.map(Method::Hybrid)).collect()
        }
    }
}
