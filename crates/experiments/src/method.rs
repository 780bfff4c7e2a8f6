//! Methods: the ways to plan patrols, and their runs on a scenario.

use std::fmt;
use std::str::FromStr;

use anyhow::Result;
use giveway_crowd::CrowdSettings;
use giveway_lanes::{DirectionMap, DirectionRules};
use giveway_strategies::{Routing, SectorRouting};
use serde::{Serialize, Serializer};

use crate::course::{Conditions, PatrolGround, PatrolOutcome, RADIUS, by_crowd, watch};
use crate::hybrid::Hybrid;
use crate::numbers::{weight, whole};
use crate::patrols::{PatrolRules, Patrols};

/// The method by which agents plan.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Method {
    /// A*: each agent alone, around agents close by.
    #[default]
    AStar,
    /// Each agent alone, under the costs of a direction map.
    DirectionMap(Variant),
    /// A crowd whose units plan in windows.
    Whca {
        /// The depth of the windows, in steps.
        window: u32,
    },
    /// A crowd, under the costs of a direction map.
    Hybrid(Hybrid),
}

/// A kind of planning by a direction map.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Variant {
    /// Routes by sectors instead of whole ones.
    pub(crate) sectors: Option<BySectors>,
    /// The cells around learn, too.
    pub(crate) neighbours: bool,
    /// A weight in place of the experiment's.
    pub(crate) weight: Option<f32>,
}

/// The size of sectors in cells, and the followed part of their routes in percent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BySectors {
    pub(crate) side: u32,
    pub(crate) percent: u32,
}

impl BySectors {
    /// The paper does not say how much of a route is followed; half comes nearest to its figures.
    const PERCENT: u32 = 50;

    pub(crate) const fn new(side: u32) -> Self {
        Self { side, percent: Self::PERCENT }
    }
}

/// The rate at which the cells around learn, if they do. The paper does not print it.
pub(crate) const NEIGHBOURS: f32 = 0.1;

impl Method {
    /// The weight of the map where the experiment's is `common`; 0 if it only learns.
    pub(crate) fn weight(self, common: f32) -> f32 {
        match self {
            Self::DirectionMap(variant) => variant.weight.unwrap_or(common),
            Self::Hybrid(hybrid) => hybrid.weight,
            Self::AStar | Self::Whca { .. } => 0.0,
        }
    }

    /// The weight of the map, if agents plan whole routes by the map and neighbours do not learn: the subject of
    /// figure 5.
    pub(crate) fn plain_weight(self, common: f32) -> Option<f32> {
        let is_plain = matches!(self, Self::DirectionMap(Variant { sectors: None, neighbours: false, .. }));
        is_plain.then(|| self.weight(common))
    }

    pub(crate) fn sectors(self) -> Option<BySectors> {
        match self {
            Self::DirectionMap(variant) => variant.sectors,
            Self::AStar | Self::Whca { .. } | Self::Hybrid(_) => None,
        }
    }

    /// Runs patrols between `ends` until all are done.
    ///
    /// # Errors
    /// The patrols cannot begin, or go on for too long.
    pub(crate) fn run(self, ground: &PatrolGround<'_>, conditions: &Conditions) -> Result<PatrolOutcome> {
        if let Self::Hybrid(hybrid) = self {
            return hybrid.run(ground, conditions);
        }
        let grid = ground.grid;
        let neighbours = matches!(self, Self::DirectionMap(Variant { neighbours: true, .. }));
        let rules = DirectionRules::paper()
            .rate(conditions.rate)
            .weight(self.weight(conditions.weight))
            .neighbours(if neighbours { NEIGHBOURS } else { 0.0 });
        let map = DirectionMap::blank(grid, rules);
        if let Self::Whca { window } = self {
            return by_crowd(CrowdSettings::new().window(window), ground, conditions, |class| class.layer(&map), &map);
        }
        let routing = self.sectors().map_or(Routing::Whole, |BySectors { side, percent }| {
            Routing::Sectors(SectorRouting::new(side).refine(percent))
        });
        let rules = PatrolRules::loops(conditions.loops).radius(RADIUS).routing(routing).seed(conditions.seed);
        watch(&mut Patrols::new(grid, &map, ground.ends, rules)?, grid, &map, conditions)
    }
}

/// The paper's names where it has one.
impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AStar => write!(f, "A*"),
            Self::Whca { window } => write!(f, "WHCA*({window})"),
            Self::Hybrid(hybrid) => write!(f, "{hybrid}"),
            Self::DirectionMap(Variant { sectors, neighbours, weight }) => {
                write!(f, "DM")?;
                if let Some(BySectors { side, percent }) = sectors {
                    write!(f, "-{side}")?;
                    if *percent != BySectors::PERCENT {
                        write!(f, "/{percent}")?;
                    }
                }
                if *neighbours {
                    write!(f, "+N")?;
                }
                weight.map_or(Ok(()), |weight| write!(f, "@{weight}"))
            }
        }
    }
}

impl Serialize for Method {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Method {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected \"astar\", \"whca:WINDOW\", \"dm\" with any of \"-SIDE\" or \
                                \"-SIDE/PERCENT\", \"+n\" and \"@WEIGHT\" behind it, in this order, or \
                                \"hybrid:WINDOW\" with any of \"-none\", \"-next\" or \"-crowd\", \"+search\" and \"@WEIGHT\"";
        let name = name.to_lowercase();
        if let "a*" | "astar" = name.as_str() {
            return Ok(Self::AStar);
        }
        let window = name.strip_prefix("whca*(").and_then(|rest| rest.strip_suffix(')'));
        if let Some(window) = window.or_else(|| name.strip_prefix("whca:")) {
            return whole(window, 10_000).map(|window| Self::Whca { window }).ok_or(EXPECTED);
        }
        if let Some(hybrid) = Hybrid::named(&name) {
            return Ok(Self::Hybrid(hybrid));
        }
        let variant = || {
            let rest = name.strip_prefix("dm")?;
            let (rest, weight) = match rest.split_once('@') {
                None => (rest, None),
                Some((rest, spelt)) => (rest, Some(weight(spelt)?)),
            };
            let (rest, neighbours) = rest.strip_suffix("+n").map_or((rest, false), |rest| (rest, true));
            let sectors = match rest.strip_prefix('-') {
                None if rest.is_empty() => None,
                None => return None,
                Some(sectors) => Some(match sectors.split_once('/') {
                    None => BySectors::new(whole(sectors, 10_000)?),
                    Some((side, percent)) => BySectors { side: whole(side, 10_000)?, percent: whole(percent, 100)? },
                }),
            };
            Some(Self::DirectionMap(Variant { sectors, neighbours, weight }))
        };
        variant().ok_or(EXPECTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for name in [
            "A*",
            "DM",
            "DM-8",
            "DM-8/100",
            "DM+N",
            "DM@0.5",
            "DM-16/25+N@15",
            "WHCA*(4)",
            "H(4)",
            "H(8)-next+search@1.5",
        ] {
            let method: Method = name.parse().unwrap();
            assert_eq!(method.to_string(), name);
        }
        assert_eq!("whca:4".parse(), Ok(Method::Whca { window: 4 }));
        assert_eq!("astar".parse(), Ok(Method::AStar));
        assert_eq!("hybrid:4".parse(), Ok(Method::Hybrid(Hybrid::new(4))));
        assert_eq!("hybrid:4-none+search@1".parse::<Method>().unwrap().to_string(), "H(4)-none+search@1");
        for name in [
            "",
            "dmx",
            "dm-",
            "dm-0",
            "dm-8/0",
            "dm-8/101",
            "dm@",
            "dm@nan",
            "dm@-1",
            "whca",
            "whca:0",
            "hca",
            "hybrid",
            "hybrid:0",
            "hybrid:4-now",
        ] {
            assert!(name.parse::<Method>().is_err(), "{name}");
        }
    }
}
