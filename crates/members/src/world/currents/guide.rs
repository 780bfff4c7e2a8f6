//! The guide of one agent: by the heuristics of its class, or by distances at the price of currents.

use giveway_core::heuristic::{HeuristicSource, Zero};
use giveway_core::{Fuel, Heuristic, NodeId, SpaceGraph, Suspended};
use giveway_distance::PricedDistance;

use super::Charges;

/// The guide of one agent. Where there are currents, the agent goes by distances at their price as soon as these are
/// known, and by the heuristics of its class until then. Which of them it goes by is decided at the first question.
pub struct Guide<'a, S: SpaceGraph + 'a, H: HeuristicSource<S> + 'a> {
    own: H::Heuristic<'a>,
    priced: Option<PricedDistance<'a, S, Charges<S>, Zero>>,
    is_decided: bool,
}

impl<'a, S: SpaceGraph, H: HeuristicSource<S>> Guide<'a, S, H> {
    #[inline]
    pub(super) fn own(own: H::Heuristic<'a>) -> Self {
        Self { own, priced: None, is_decided: true }
    }

    #[inline]
    pub(super) fn either(own: H::Heuristic<'a>, priced: PricedDistance<'a, S, Charges<S>, Zero>) -> Self {
        Self { own, priced: Some(priced), is_decided: false }
    }

    /// Decides by which distances the agent at `node` goes. Returns whether these are at the price of currents.
    #[inline]
    pub fn is_priced(&mut self, space: &S, node: NodeId) -> bool {
        if !self.is_decided {
            self.decide(space, node);
        }
        self.priced.is_some()
    }

    #[inline(never)]
    fn decide(&mut self, space: &S, node: NodeId) {
        self.is_decided = true;
        self.priced.take_if(|priced| priced.estimate(space, node, &mut Fuel::none()).is_err());
    }
}

impl<S: SpaceGraph, H: HeuristicSource<S>> Heuristic<S> for Guide<'_, S, H> {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        if self.is_priced(space, node)
            && let Some(priced) = &mut self.priced
        {
            return priced.estimate(space, node, fuel);
        }
        self.own.estimate(space, node, fuel)
    }

    #[inline]
    fn reach(&mut self, space: &S, node: NodeId) -> Option<u32> {
        if self.is_priced(space, node)
            && let Some(priced) = &mut self.priced
        {
            return priced.reach(space, node);
        }
        self.own.reach(space, node)
    }

    #[inline]
    fn begin(&mut self, space: &S) -> impl Heuristic<S> {
        if self.is_decided && self.priced.is_none() { Begun::Own(self.own.begin(space)) } else { Begun::Whole(self) }
    }
}

/// A guide that is made ready for one search.
enum Begun<A, B> {
    Own(A),
    Whole(B),
}

impl<S: SpaceGraph, A: Heuristic<S>, B: Heuristic<S>> Heuristic<S> for Begun<A, B> {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        match self {
            Self::Own(own) => own.estimate(space, node, fuel),
            Self::Whole(whole) => whole.estimate(space, node, fuel),
        }
    }

    #[inline]
    fn reach(&mut self, space: &S, node: NodeId) -> Option<u32> {
        match self {
            Self::Own(own) => own.reach(space, node),
            Self::Whole(whole) => whole.reach(space, node),
        }
    }
}
