//! Hybrids: crowds that plan by windows, under the costs of a direction map.

use std::fmt;

use anyhow::Result;
use giveway_core::NodeId;
use giveway_core::heuristic::{HeuristicSource, Zero};
use giveway_crowd::CrowdSettings;
use giveway_distance::{PricedDistances, TrueDistances};
use giveway_lanes::{DirectionMap, DirectionRules};
use giveway_spaces::Grid;

use crate::course::{Conditions, PatrolGround, PatrolOutcome, RADIUS, by_crowd, watch};
use crate::numbers::{weight, whole};
use crate::patrols::{PatrolRules, Patrols};

/// A crowd whose units plan in windows, and pay for moves against a direction map.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hybrid {
    pub(crate) window: u32,
    /// The weight of the crowd's map, and of the map of its lessons.
    pub(crate) weight: f32,
    pub(crate) lessons: Lessons,
    /// Whether units look straight down before they search.
    pub(crate) descent: bool,
}

/// The lessons of the map before the first tick. The map goes on learning; distances are at the price of the map at the
/// first tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lessons {
    /// None: the map is blank, and distances do without a map.
    None,
    /// Patrols of the same agents, each of which plans alone.
    Same,
    /// Patrols of other agents: the agents of the next scenario.
    Next,
    /// Patrols of the same agents, as a crowd of this kind that begins without lessons, and searches.
    Crowd,
}

impl Hybrid {
    /// The weight that did best.
    pub(crate) const WEIGHT: f32 = 2.0;

    pub(crate) const fn new(window: u32) -> Self {
        Self { window, weight: Self::WEIGHT, lessons: Lessons::Same, descent: true }
    }

    /// Runs its patrols.
    ///
    /// # Errors
    /// The patrols cannot begin, or go on for too long.
    pub(crate) fn run(self, ground: &PatrolGround<'_>, conditions: &Conditions) -> Result<PatrolOutcome> {
        let Some(learned) = self.lessons(ground, conditions)? else {
            let map = DirectionMap::blank(ground.grid, self.rules(conditions));
            return self.patrol(ground, conditions, &map, TrueDistances::<Grid, Zero>::tables());
        };
        let distances = PricedDistances::tables(learned.snapshot());
        self.patrol(ground, conditions, &learned, distances)
    }

    fn rules(self, conditions: &Conditions) -> DirectionRules {
        DirectionRules::paper().rate(conditions.rate).weight(self.weight)
    }

    /// The knowledge of the crowd before it begins.
    fn lessons(self, ground: &PatrolGround<'_>, conditions: &Conditions) -> Result<Option<DirectionMap>> {
        let map = DirectionMap::blank(ground.grid, self.rules(conditions));
        // The progress of the lessons is not watched.
        let conditions = &Conditions { interval: None, ..*conditions };
        let alone = |ends: &[[NodeId; 2]]| {
            let rules = PatrolRules::loops(conditions.loops).radius(RADIUS).seed(conditions.seed);
            watch(&mut Patrols::new(ground.grid, &map, ends, rules)?, ground.grid, &map, conditions)
        };
        match self.lessons {
            Lessons::None => return Ok(None),
            Lessons::Same => alone(ground.ends)?,
            Lessons::Next => alone(ground.next)?,
            Lessons::Crowd => {
                let untaught = Self { lessons: Lessons::None, descent: false, ..self };
                untaught.patrol(ground, conditions, &map, TrueDistances::<Grid, Zero>::tables())?
            }
        };
        Ok(Some(map))
    }

    /// Patrols under the costs of `map`, which learns. Another map, without costs, learns from them, too.
    fn patrol<H>(
        self,
        ground: &PatrolGround<'_>,
        conditions: &Conditions,
        map: &DirectionMap,
        distances: H,
    ) -> Result<PatrolOutcome>
    where
        H: HeuristicSource<Grid> + Clone + Send + Sync,
    {
        let seen = DirectionMap::blank(ground.grid, self.rules(conditions).weight(0.0));
        let settings = CrowdSettings::new().window(self.window).descent(self.descent);
        by_crowd(settings, ground, conditions, |class| class.heuristics(distances).layer((map, &seen)), &seen)
    }

    /// The hybrid of this name in lower case; `None`: there is none.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let (name, weight) = match name.split_once('@') {
            None => (name, Self::WEIGHT),
            Some((name, spelt)) => (name, weight(spelt)?),
        };
        let (name, descent) = name.strip_suffix("+search").map_or((name, true), |rest| (rest, false));
        let (window, lessons) =
            match name.strip_prefix("hybrid:").map(|rest| rest.split_once('-').unwrap_or((rest, ""))) {
                Some(parts) => parts,
                None => name
                    .strip_prefix("h(")?
                    .split_once(')')
                    .map(|(window, rest)| (window, rest.trim_start_matches('-')))?,
            };
        let lessons = match lessons {
            "" => Lessons::Same,
            "none" => Lessons::None,
            "next" => Lessons::Next,
            "crowd" => Lessons::Crowd,
            _ => return None,
        };
        Some(Self { window: whole(window, 10_000)?, weight, lessons, descent })
    }
}

impl fmt::Display for Hybrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { window, weight, lessons, descent } = self;
        let lessons = match lessons {
            Lessons::Same => "",
            Lessons::None => "-none",
            Lessons::Next => "-next",
            Lessons::Crowd => "-crowd",
        };
        write!(f, "H({window}){lessons}{}", if *descent { "" } else { "+search" })?;
        if weight.to_bits() == Self::WEIGHT.to_bits() { Ok(()) } else { write!(f, "@{weight}") }
    }
}
