//! What guides CA\* and HCA\*, as one type: both are compiled once.

use giveway_core::heuristic::{ByMetric, HeuristicSource, Metric, ToGoals, Zero};
use giveway_core::{Fuel, Goals, Heuristic, NodeId, SpaceGraph, Suspended};
use giveway_distance::{TrueDistance, TrueDistances};

/// The heuristics of CA\* or HCA\*.
pub(super) enum Guide<S: SpaceGraph, M> {
    Metric(ByMetric<M>),
    Distances(TrueDistances<S, Zero>),
}

/// The heuristic of one agent.
pub(super) enum Guided<'a, S: SpaceGraph, M> {
    Metric(ToGoals<M>),
    Distances(TrueDistance<'a, S, Zero>),
}

impl<S: SpaceGraph, M: Metric<S> + Clone> HeuristicSource<S> for Guide<S, M> {
    type Heuristic<'a>
        = Guided<'a, S, M>
    where
        Self: 'a;

    fn heuristic<'a>(&'a mut self, space: &S, goals: &Goals, origin: NodeId) -> Guided<'a, S, M> {
        match self {
            Self::Metric(metric) => Guided::Metric(metric.heuristic(space, goals, origin)),
            Self::Distances(distances) => Guided::Distances(distances.heuristic(space, goals, origin)),
        }
    }

    fn prepare(&mut self, space: &S, asks: &[(&Goals, NodeId)]) {
        if let Self::Distances(distances) = self {
            distances.prepare(space, asks);
        }
    }

    fn keep_only(&mut self, needed: &mut dyn FnMut(&Goals) -> bool) {
        if let Self::Distances(distances) = self {
            distances.keep_only(needed);
        }
    }

    fn reverse_expanded(&self) -> u64 {
        match self {
            Self::Metric(_) => 0,
            Self::Distances(distances) => distances.expanded(),
        }
    }
}

impl<S: SpaceGraph, M: Metric<S>> Heuristic<S> for Guided<'_, S, M> {
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        match self {
            Self::Metric(metric) => metric.estimate(space, node, fuel),
            Self::Distances(distances) => distances.estimate(space, node, fuel),
        }
    }
}
