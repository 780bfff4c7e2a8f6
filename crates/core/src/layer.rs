//! Cost layers: what an action costs beyond the space's own cost.

use num_traits::Zero;

use crate::cost::Cost;
use crate::footprint::MoveIn;
use crate::goals::Goals;
use crate::reservation::Claim;
use crate::space::{NodeId, SpaceGraph};
use crate::time::{Span, Tick};

/// Who asks what an action costs: the same for all questions of one search.
#[derive(Clone, Copy, Debug)]
pub struct Asker<'a> {
    /// The agent, and its rank.
    pub claim: Claim,
    /// Where it wants to be.
    pub goals: &'a Goals,
    /// When its search begins.
    pub depart: Tick,
    /// Until when it must make way for somebody who comes where it rests; 0: for nobody.
    pub yields_until: Tick,
}

/// What an action costs beyond the space's own cost: direction maps, wait penalties, free pauses, dangers.
///
/// `()` is the empty layer. Layers compose: `(A, B)` is a layer, `A` first.
///
/// # Contract
/// Surcharges and waits are not negative, or distances computed without the layer stop being lower bounds.
pub trait CostLayer<S: SpaceGraph> {
    /// What is added to the cost of `m` begun at `depart`.
    fn surcharge(&self, _space: &S, _m: &MoveIn<S>, _depart: Tick, _asker: &Asker<'_>) -> S::Cost {
        S::Cost::zero()
    }

    /// What a wait on `node` for `span` costs, when it would cost `base` without this layer.
    fn wait(&self, _space: &S, _node: NodeId, _span: Span, base: S::Cost, _asker: &Asker<'_>) -> S::Cost {
        base
    }

    /// The tick from which on nothing here depends on the tick any more; [`FOREVER`](crate::FOREVER) if there is none,
    /// and then the search needs a bound on time.
    fn settled_from(&self) -> Tick {
        0
    }

    /// Whether time and place make no difference to waiting, nor time to moving: surcharges do not depend on the departure,
    /// and a wait costs its `base`. Only then does a search over [safe intervals](crate::TimeModel::SafeIntervals) find
    /// cheapest paths: where waiting is dearer in one place than in another, to leave as early as possible may not be
    /// the cheapest. `false` by default.
    fn is_timeless(&self) -> bool {
        false
    }
}

impl<S: SpaceGraph> CostLayer<S> for () {
    #[inline]
    fn is_timeless(&self) -> bool {
        true
    }
}

impl<S: SpaceGraph, A: CostLayer<S>, B: CostLayer<S>> CostLayer<S> for (A, B) {
    fn surcharge(&self, space: &S, m: &MoveIn<S>, depart: Tick, asker: &Asker<'_>) -> S::Cost {
        self.0.surcharge(space, m, depart, asker).plus(self.1.surcharge(space, m, depart, asker))
    }

    fn wait(&self, space: &S, node: NodeId, span: Span, base: S::Cost, asker: &Asker<'_>) -> S::Cost {
        self.1.wait(space, node, span, self.0.wait(space, node, span, base, asker), asker)
    }

    fn settled_from(&self) -> Tick {
        self.0.settled_from().max(self.1.settled_from())
    }

    fn is_timeless(&self) -> bool {
        self.0.is_timeless() && self.1.is_timeless()
    }
}

/// A layer that is borrowed, also one whose type is not known.
impl<S: SpaceGraph, L: CostLayer<S> + ?Sized> CostLayer<S> for &L {
    #[inline]
    fn surcharge(&self, space: &S, m: &MoveIn<S>, depart: Tick, asker: &Asker<'_>) -> S::Cost {
        (**self).surcharge(space, m, depart, asker)
    }

    #[inline]
    fn wait(&self, space: &S, node: NodeId, span: Span, base: S::Cost, asker: &Asker<'_>) -> S::Cost {
        (**self).wait(space, node, span, base, asker)
    }

    fn settled_from(&self) -> Tick {
        (**self).settled_from()
    }

    fn is_timeless(&self) -> bool {
        (**self).is_timeless()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reservation::AgentId;
    use crate::space::Move;

    /// No moves, no places.
    struct Nowhere;

    impl SpaceGraph for Nowhere {
        type Action = ();
        type Cost = u32;

        fn node_bound(&self) -> usize {
            0
        }

        fn moves(&self, _from: NodeId) -> impl Iterator<Item = Move<(), u32>> {
            std::iter::empty()
        }
    }

    struct Dear;

    impl CostLayer<Nowhere> for Dear {
        fn surcharge(&self, _space: &Nowhere, _m: &MoveIn<Nowhere>, _depart: Tick, _asker: &Asker<'_>) -> u32 {
            1
        }

        fn wait(&self, _space: &Nowhere, _node: NodeId, _span: Span, base: u32, _asker: &Asker<'_>) -> u32 {
            base * 2
        }

        fn settled_from(&self) -> Tick {
            3
        }
    }

    #[test]
    fn a_reference_to_a_layer_is_that_layer_and_layers_compose() {
        fn ask(layer: impl CostLayer<Nowhere>) -> (u32, u32, Tick) {
            let goals = Goals::one(NodeId(0));
            let asker = Asker { claim: Claim::plain(AgentId(0)), goals: &goals, depart: 0, yields_until: 0 };
            let m = Move { from: NodeId(0), to: NodeId(1), action: (), cost: 1000, length: 1.0 };
            let wait = layer.wait(&Nowhere, NodeId(0), Span::at(0), 10, &asker);
            (layer.surcharge(&Nowhere, &m, 0, &asker), wait, layer.settled_from())
        }
        assert_eq!(ask(Dear), (1, 20, 3));
        assert_eq!(ask(&Dear), (1, 20, 3));
        assert_eq!(ask(&Dear as &dyn CostLayer<Nowhere>), (1, 20, 3));
        assert_eq!(ask((&Dear, (Dear, ()))), (2, 40, 3));
    }

    #[test]
    fn layers_are_timeless_if_all_of_them_are() {
        let timeless = |layer: &dyn CostLayer<Nowhere>| layer.is_timeless();
        assert!(timeless(&()) && timeless(&((), &())));
        assert!(!timeless(&Dear) && !timeless(&((), Dear)) && !timeless(&(&Dear, ())));
    }
}
