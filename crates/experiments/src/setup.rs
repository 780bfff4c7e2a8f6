//! Setups: the prescriptions of each experiment, and changes to them.

use clap::ValueEnum;

use crate::hybrid::{Hybrid, Lessons};
use crate::method::{BySectors, Method, Variant};
use crate::metric::RunMetric;
use crate::numbers::counted;
use crate::world::World;

/// An experiment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Experiment {
    /// 20 agents that go round a wall on a 32 x 32 map: WHCA* and direction maps
    Table1,
    /// 100 agents that go round a wall on a 64 x 64 map, half of them each way: A*, direction maps, sectors
    Table2,
    /// As table2, on another map, where distances mislead less
    Table3,
    /// 100 agents on an empty 64 x 64 map: coherence and nodes, by the weight
    Figure5,
    /// Coherence over time, with and without a map, with neighbours, and of WHCA*
    Figure8,
    /// Beyond the paper: WHCA* under the costs of a direction map, WHCA* alone, and a direction map alone
    Hybrids,
}

impl Experiment {
    /// The scenarios that the experiment prescribes. `None`: the experiment runs on any scenarios.
    pub const fn own_set(self) -> Option<SetName> {
        match self {
            Self::Table1 => Some(SetName::Table1),
            Self::Table2 => Some(SetName::Table2),
            Self::Table3 => Some(SetName::Table3),
            Self::Figure5 => Some(SetName::Figure5),
            Self::Figure8 | Self::Hybrids => None,
        }
    }

    /// The metric that the plot of the experiment shows: `wanted`, or the usual metric if `wanted` is `None`.
    ///
    /// # Errors
    /// The plot cannot show the `wanted` metric. The error says why.
    pub fn plotted(self, wanted: Option<RunMetric>) -> Result<RunMetric, &'static str> {
        let usual = match self {
            Self::Table1 | Self::Table2 | Self::Table3 => RunMetric::Failed,
            Self::Figure5 | Self::Figure8 | Self::Hybrids => RunMetric::Coherence,
        };
        let wanted = wanted.unwrap_or(usual);
        if self == Self::Figure8 && wanted != RunMetric::Coherence {
            return Err("figure8 shows coherence over time, and nothing else");
        }
        if usual == RunMetric::Failed && wanted == RunMetric::Nodes {
            return Err("tables are plotted over the nodes expanded; anything else is over them");
        }
        Ok(wanted)
    }
}

/// The table or figure of the paper whose scenarios an experiment uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[allow(missing_docs)] // named after the table or figure
pub enum SetName {
    Table1,
    Table2,
    Table3,
    Figure5,
}

/// Scenarios that belong together, and how they are run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScenarioSet {
    /// The name of the set, NAME. The files of the scenarios are `NAME_1.txt` to `NAME_10.txt`.
    pub name: &'static str,
    /// The name of the map, MAP. The file of the map is `MAP.map`.
    pub map: &'static str,
    /// How many agents the paper has.
    pub(crate) agents: u32,
    /// The paper prints none of these: its times fit 20 for tables 2 and 3, and 5 to 10 for table 1.
    pub(crate) loops: u32,
    pub(crate) rate: f32,
    /// How often figure 8 looks at the coherence, in units of time.
    pub(crate) interval: f64,
}

impl SetName {
    const fn set(self) -> ScenarioSet {
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

/// Changes to the prescriptions of an experiment.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Settings {
    /// The table or figure whose scenarios are used if the experiment [prescribes none](Experiment::own_set). `None`:
    /// those of table 1.
    pub set: Option<SetName>,
    /// The methods to run. If the list is empty, the methods of the experiment are run.
    pub methods: Vec<Method>,
    /// How often each agent goes there and back. `None`: as prescribed, as for the next two settings.
    pub loops: Option<u32>,
    /// The learning rate.
    pub rate: Option<f32>,
    /// The cost of a move against the map, in steps.
    pub weight: Option<f32>,
    /// The seed of random steps.
    pub seed: u64,
}

/// An experiment as it is run.
#[derive(Clone, PartialEq, Debug)]
pub struct Setup {
    pub(crate) experiment: Experiment,
    pub(crate) set: ScenarioSet,
    pub(crate) loops: u32,
    pub(crate) rate: f32,
    pub(crate) weight: f32,
    pub(crate) seed: u64,
    /// Each once.
    pub(crate) methods: Vec<Method>,
}

/// The weight of the paper's tables.
const WEIGHT: f32 = 10.0;
/// The weights of figure 5.
const WEIGHTS: [f32; 8] = [0.0, 1.0, 2.0, 3.0, 5.0, 10.0, 15.0, 20.0];

impl Setup {
    /// The prescriptions of `experiment`, changed by `settings`.
    pub fn new(experiment: Experiment, settings: Settings) -> Self {
        let set = experiment.own_set().or(settings.set).unwrap_or(SetName::Table1).set();
        let given = if settings.methods.is_empty() { usual(experiment) } else { settings.methods };
        let mut methods: Vec<Method> = Vec::new();
        for method in given {
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
        Self {
            experiment,
            set,
            loops: settings.loops.unwrap_or(set.loops),
            rate: settings.rate.unwrap_or(set.rate),
            weight: settings.weight.unwrap_or(WEIGHT),
            seed: settings.seed,
            methods,
        }
    }

    /// The scenarios that the experiment runs.
    pub fn set(&self) -> &ScenarioSet {
        &self.set
    }

    /// The methods that the experiment runs, each once, in the order in which they were given.
    pub fn methods(&self) -> &[Method] {
        &self.methods
    }

    /// Whether the [weight](Settings::weight) makes a difference to any of the methods.
    pub fn depends_on_weight(&self) -> bool {
        self.methods.iter().any(|method| method.weight(WEIGHT) != method.weight(WEIGHT + 1.0))
    }

    /// Whether its time is told per loop.
    pub(crate) fn time_per_loop(&self) -> bool {
        self.experiment == Experiment::Table1
    }

    /// The differences from the setup of the paper's figures, in words.
    pub(crate) fn changed(&self, world: &World) -> Vec<String> {
        let mut changed = Vec::new();
        if !world.is_prescribed {
            changed.push("other scenarios".to_owned());
        } else if world.scenarios.len() < 10 {
            changed.push(format!("{} of 10 scenario files", world.scenarios.len()));
        }
        for (name, differs) in [
            ("loops", self.loops != self.set.loops),
            ("rate", self.rate.to_bits() != self.set.rate.to_bits()),
            ("weight", self.weight.to_bits() != WEIGHT.to_bits()),
        ] {
            if differs {
                changed.push(format!("another --{name}"));
            }
        }
        if world.left_out > 0 {
            let [_, most] = world.agents();
            changed.push(format!("the first {} of each scenario", counted(most, "agent")));
        }
        changed
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
            // The cost of the lessons of the hybrids.
            let lessons = Method::DirectionMap(Variant { weight: Some(Hybrid::WEIGHT), ..Variant::default() });
            let before = [plain, lessons, whca, Method::Whca { window: 16 }];
            before.into_iter().chain(hybrids.map(Method::Hybrid)).collect()
        }
    }
}
