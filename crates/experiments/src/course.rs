//! Patrols from start to end: their ground, their conditions, and their outcome.

use anyhow::{Result, bail};
use giveway_core::heuristic::HeuristicSource;
use giveway_core::{Agent, CostLayer, NodeId, Point};
use giveway_crowd::{Class, Crowd, CrowdSettings};
use giveway_lanes::{Coherence, DirectionMap};
use giveway_spaces::Grid;

use crate::patrols::{CrowdPatrols, PatrolMetrics, Patrols};

/// The ground of patrols.
#[derive(Clone, Copy)]
pub(crate) struct PatrolGround<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) ends: &'a [[NodeId; 2]],
    /// The ends of the patrols of the next scenario.
    pub(crate) next: &'a [[NodeId; 2]],
}

/// The distance that agents which plan alone can see, in steps.
pub(crate) const RADIUS: f64 = 5.0;

/// The conditions that all methods of an experiment share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditions {
    pub(crate) loops: u32,
    pub(crate) rate: f32,
    pub(crate) weight: f32,
    pub(crate) seed: u64,
    /// How often to look at the coherence, in units of time.
    pub(crate) interval: Option<f64>,
    /// When to give up, in units of time.
    pub(crate) latest: f64,
}

/// The outcome of a method on a scenario.
pub(crate) struct PatrolOutcome {
    pub(crate) metrics: PatrolMetrics,
    /// Of the map at the end.
    pub(crate) coherence: Option<f64>,
    /// After each interval, while it went on.
    pub(crate) samples: Vec<Option<f64>>,
    pub(crate) map: DirectionMap,
}

/// Patrols of a crowd of points. `equip` makes their class, and the map `seen` learns from them.
///
/// # Errors
/// They cannot begin, or go on for too long.
pub(crate) fn by_crowd<'m, H, L>(
    settings: CrowdSettings,
    ground: &PatrolGround<'m>,
    conditions: &Conditions,
    equip: impl FnOnce(Class<'m, Grid, Point>) -> Class<'m, Grid, Point, H, L>,
    seen: &DirectionMap,
) -> Result<PatrolOutcome>
where
    H: HeuristicSource<Grid> + Clone + Send + Sync + 'm,
    L: CostLayer<Grid> + Clone + Send + Sync + 'm,
{
    let mut crowd: Crowd<'m> = Crowd::new(settings);
    let class = crowd.add_class(equip(Class::new(ground.grid, Point::swap_rule(ground.grid))))?;
    let mut patrols = Vec::new();
    for ends in ground.ends {
        patrols.push((crowd.add(class, Agent::bystander(ends[0]))?, *ends));
    }
    watch(&mut CrowdPatrols::new(&mut crowd, &patrols, conditions.loops)?, ground.grid, seen, conditions)
}

/// Patrols of either kind.
pub(crate) trait Going {
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

impl Going for CrowdPatrols<'_, '_> {
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
pub(crate) fn watch(
    patrols: &mut impl Going,
    grid: &Grid,
    map: &DirectionMap,
    conditions: &Conditions,
) -> Result<PatrolOutcome> {
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
    Ok(PatrolOutcome { metrics: patrols.metrics(), coherence: coherence(), samples, map: map.snapshot() })
}
