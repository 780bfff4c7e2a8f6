//! Methods: how one of them runs on one scenario, and what comes of it.

use std::fmt;
use std::str::FromStr;

use anyhow::{Result, bail};
use giveway::heuristic::HeuristicSource;
use giveway::sim::{CrowdPatrols, PatrolMetrics, PatrolRules, Patrols};
use giveway::spaces::Grid;
use giveway::strategies::{Class, Crowd, Routing, SectorRouting, Whca};
use giveway::{Agent, Coherence, CostLayer, DirectionMap, DirectionRules, NodeId, Point, ReservationStore};
use serde::{Serialize, Serializer};

use super::hybrid::Hybrid;

/// By what agents plan.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) enum Method {
    /// Each alone, around those close by.
    #[default]
    AStar,
    /// The same under the costs of a direction map.
    DirectionMap(Variant),
    /// A crowd, whose units look so many steps ahead.
    Whca {
        /// Steps.
        window: u32,
    },
    /// The same under the costs of a direction map.
    Hybrid(Hybrid),
}

/// Where patrols go.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) grid: &'a Grid,
    pub(super) ends: &'a [[NodeId; 2]],
    /// Those of the next scenario.
    pub(super) next: &'a [[NodeId; 2]],
}

/// A kind of planning by a direction map.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Variant {
    /// Routes by sectors instead of whole ones.
    pub(super) sectors: Option<Sectors>,
    /// The cells around learn, too.
    pub(super) neighbours: bool,
    /// Another weight than that of the experiment.
    pub(super) weight: Option<f32>,
}

/// Sectors of so many cells each way, of whose routes so many percent are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sectors {
    pub(super) side: u32,
    pub(super) percent: u32,
}

impl Sectors {
    /// The paper does not say how much of a route is followed; half comes nearest to its figures.
    const PERCENT: u32 = 50;

    pub(super) const fn new(side: u32) -> Self {
        Self { side, percent: Self::PERCENT }
    }
}

/// At which rate the cells around learn, where they do. The paper does not print it.
pub(super) const NEIGHBOURS: f32 = 0.1;

/// How far agents see that plan alone, in steps.
pub(super) const RADIUS: f64 = 5.0;

/// What all methods of an experiment have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    pub(super) loops: u32,
    pub(super) rate: f32,
    pub(super) weight: f32,
    pub(super) seed: u64,
    /// How often to look at the coherence, in units of time.
    pub(super) interval: Option<f64>,
    /// When to give up, in units of time.
    pub(super) latest: f64,
}

/// What came of a method on a scenario.
pub(super) struct Outcome {
    pub(super) metrics: PatrolMetrics,
    /// Of the map at the end.
    pub(super) coherence: Option<f64>,
    /// After each interval, while it went on.
    pub(super) samples: Vec<Option<f64>>,
    pub(super) map: DirectionMap,
}

impl Method {
    /// The weight of the map where the experiment's is `common`; 0 if it only learns.
    pub(super) fn weight(self, common: f32) -> f32 {
        match self {
            Self::DirectionMap(variant) => variant.weight.unwrap_or(common),
            Self::Hybrid(hybrid) => hybrid.weight,
            Self::AStar | Self::Whca { .. } => 0.0,
        }
    }

    /// The weight of the map, if agents plan whole routes by it and neighbours do not learn: what figure 5 is about.
    pub(super) fn plain_weight(self, common: f32) -> Option<f32> {
        let is_plain = matches!(self, Self::DirectionMap(Variant { sectors: None, neighbours: false, .. }));
        is_plain.then(|| self.weight(common))
    }

    pub(super) fn sectors(self) -> Option<Sectors> {
        match self {
            Self::DirectionMap(variant) => variant.sectors,
            Self::AStar | Self::Whca { .. } | Self::Hybrid(_) => None,
        }
    }

    /// Runs patrols between `ends` until all are done.
    ///
    /// # Errors
    /// The patrols cannot begin, or go on for too long.
    pub(super) fn run(self, ground: &Ground<'_>, conditions: &Conditions) -> Result<Outcome> {
        if let Self::Hybrid(hybrid) = self {
            return hybrid.run(ground, conditions);
        }
        let grid = ground.grid;
        let neighbours = matches!(self, Self::DirectionMap(Variant { neighbours: true, .. }));
        let rules = DirectionRules::default()
            .rate(conditions.rate)
            .weight(self.weight(conditions.weight))
            .neighbours(if neighbours { NEIGHBOURS } else { 0.0 });
        let map = DirectionMap::blank(grid, rules);
        if let Self::Whca { window } = self {
            return by_crowd(Whca::new().window(window), ground, conditions, |class| class.layer(&map), &map);
        }
        let routing = self.sectors().map_or(Routing::Whole, |Sectors { side, percent }| {
            Routing::Sectors(SectorRouting::new(side).refine(percent))
        });
        let rules = PatrolRules::loops(conditions.loops).radius(RADIUS).routing(routing).seed(conditions.seed);
        watch(&mut Patrols::new(grid, &map, ground.ends, rules)?, grid, &map, conditions)
    }
}

/// Patrols of a crowd of points, made a class as `equip` says, and watched by what `seen` learns of them.
///
/// # Errors
/// They cannot begin, or go on for too long.
pub(super) fn by_crowd<'m, H, L>(
    whca: Whca,
    ground: &Ground<'m>,
    conditions: &Conditions,
    equip: impl FnOnce(Class<'m, Grid, Point>) -> Class<'m, Grid, Point, H, L>,
    seen: &DirectionMap,
) -> Result<Outcome>
where
    H: HeuristicSource<Grid> + Send + Sync + 'm,
    L: CostLayer<Grid> + Send + Sync + 'm,
{
    let mut crowd: Crowd<'m> = Crowd::new(whca);
    let class = crowd.class(equip(Class::new(ground.grid, Point::swap_rule(ground.grid))).embedded())?;
    let mut patrols = Vec::new();
    for ends in ground.ends {
        patrols.push((crowd.add(class, Agent::bystander(ends[0]))?, *ends));
    }
    watch(&mut CrowdPatrols::new(&mut crowd, &patrols, conditions.loops)?, ground.grid, seen, conditions)
}

/// Patrols of either kind.
pub(super) trait Going {
    /// Lets something happen; whether there was anything left to do.
    fn advance(&mut self) -> bool;
    fn now(&self) -> f64;
    fn metrics(&self) -> PatrolMetrics;
}

impl<L: CostLayer<Grid>> Going for Patrols<'_, Grid, L> {
    fn advance(&mut self) -> bool {
        self.advance()
    }

    fn now(&self) -> f64 {
        self.now()
    }

    fn metrics(&self) -> PatrolMetrics {
        self.metrics()
    }
}

impl<R: ReservationStore> Going for CrowdPatrols<'_, '_, R> {
    fn advance(&mut self) -> bool {
        self.advance().is_some()
    }

    fn now(&self) -> f64 {
        self.now()
    }

    fn metrics(&self) -> PatrolMetrics {
        self.metrics()
    }
}

/// Lets `patrols` go on to their end, and watches the `map` that they learn.
pub(super) fn watch(
    patrols: &mut impl Going,
    grid: &Grid,
    map: &DirectionMap,
    conditions: &Conditions,
) -> Result<Outcome> {
    let coherence = || Coherence::default().of(grid, map);
    let mut samples = Vec::new();
    let mut next = conditions.interval;
    loop {
        while let (Some(moment), Some(interval)) = (next, conditions.interval) {
            if moment > patrols.now() {
                break;
            }
            samples.push(coherence());
            next = Some(moment + interval);
        }
        if !patrols.advance() {
            break;
        }
        if patrols.now() > conditions.latest {
            bail!("no end in sight after {} units of time, at {} loops", patrols.now(), patrols.metrics().loops);
        }
    }
    Ok(Outcome { metrics: patrols.metrics(), coherence: coherence(), samples, map: map.snapshot() })
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
                if let Some(Sectors { side, percent }) = sectors {
                    write!(f, "-{side}")?;
                    if *percent != Sectors::PERCENT {
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
                Some((rest, weight)) => {
                    (rest, Some(weight.parse().ok().filter(|weight| (0.0..=1e6).contains(weight))?))
                }
            };
            let (rest, neighbours) = rest.strip_suffix("+n").map_or((rest, false), |rest| (rest, true));
            let sectors = match rest.strip_prefix('-') {
                None if rest.is_empty() => None,
                None => return None,
                Some(sectors) => Some(match sectors.split_once('/') {
                    None => Sectors::new(whole(sectors, 10_000)?),
                    Some((side, percent)) => Sectors { side: whole(side, 10_000)?, percent: whole(percent, 100)? },
                }),
            };
            Some(Self::DirectionMap(Variant { sectors, neighbours, weight }))
        };
        variant().ok_or(EXPECTED)
    }
}

/// The whole number from 1 to `most` that `text` spells.
pub(super) fn whole(text: &str, most: u32) -> Option<u32> {
    text.parse().ok().filter(|number| (1..=most).contains(number))
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
