//! Cost layers: what an action costs in addition to the space's own cost.

use std::sync::Arc;

use num_traits::Zero;

use crate::reservation::Claim;
use crate::space::{MoveIn, SpaceGraph};
use crate::vocabulary::{Cost, Goals, NodeId, Span, Tick};

/// The agent that asks for a cost. All questions of one search have one asker.
#[derive(Clone, Copy, Debug)]
pub struct Asker<'a> {
    /// The agent and its rank.
    pub claim: Claim,
    /// Its goals.
    pub goals: &'a Goals,
    /// The tick at which its search begins.
    pub depart: Tick,
    /// Until this tick it must make way for agents that come where it rests; 0: it need not.
    pub yields_until: Tick,
}

/// What an action costs in addition to the space's own cost: direction maps, wait penalties, free pauses, dangers.
///
/// `()` is the empty layer. Layers compose: `(A, B)` applies `A`, then `B`.
///
/// # Contract
/// Surcharges and waits are not negative: distances computed without the layer must stay lower bounds.
pub trait CostLayer<S: SpaceGraph> {
    /// The cost added to `m` begun at `depart`.
    fn surcharge(&self, _space: &S, _m: &MoveIn<S>, _depart: Tick, _asker: &Asker<'_>) -> S::Cost {
        S::Cost::zero()
    }

    /// The cost of a wait on `node` for `span`, which costs `base` without this layer.
    fn wait(&self, _space: &S, _node: NodeId, _span: Span, base: S::Cost, _asker: &Asker<'_>) -> S::Cost {
        base
    }

    /// From this tick on, no cost of this layer depends on the tick. [`FOREVER`](crate::FOREVER) if there is no such
    /// tick; the search then needs a bound on time.
    fn settled_from(&self) -> Tick {
        0
    }

    /// Whether surcharges do not depend on the departure, and every wait costs its `base`. `false` by default.
    ///
    /// A search over [safe intervals](crate::TimeModel::SafeIntervals) finds cheapest paths only under timeless layers:
    /// where waiting costs more in one place than in another, the earliest departure may not be the cheapest.
    fn is_timeless(&self) -> bool {
        false
    }

    /// Tells the layer that a unit has made `m`, for layers that learn. Crowds call it when a move has ended, in the
    /// order in which their agents were added, and never for waits. Does nothing by default.
    fn moved(&self, _space: &S, _m: &MoveIn<S>) {}
}

impl<S: SpaceGraph> CostLayer<S> for () {
    #[inline]
    fn is_timeless(&self) -> bool {
        true
    }
}

impl<S: SpaceGraph, A: CostLayer<S>, B: CostLayer<S>> CostLayer<S> for (A, B) {
    #[inline]
    fn surcharge(&self, space: &S, m: &MoveIn<S>, depart: Tick, asker: &Asker<'_>) -> S::Cost {
        self.0.surcharge(space, m, depart, asker).plus(self.1.surcharge(space, m, depart, asker))
    }

    #[inline]
    fn wait(&self, space: &S, node: NodeId, span: Span, base: S::Cost, asker: &Asker<'_>) -> S::Cost {
        self.1.wait(space, node, span, self.0.wait(space, node, span, base, asker), asker)
    }

    fn settled_from(&self) -> Tick {
        self.0.settled_from().max(self.1.settled_from())
    }

    fn is_timeless(&self) -> bool {
        self.0.is_timeless() && self.1.is_timeless()
    }

    fn moved(&self, space: &S, m: &MoveIn<S>) {
        self.0.moved(space, m);
        self.1.moved(space, m);
    }
}

macro_rules! layer_behind {
    ($(#[$doc:meta])* $pointer:ty) => {
        $(#[$doc])*
        impl<S: SpaceGraph, L: CostLayer<S> + ?Sized> CostLayer<S> for $pointer {
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

            fn moved(&self, space: &S, m: &MoveIn<S>) {
                (**self).moved(space, m);
            }
        }
    };
}

layer_behind! {
    /// A borrowed layer, which may be of unknown type.
    &L
}
layer_behind! {
    /// A shared layer: between classes of one crowd, or with code that reads what the layer has learned.
    Arc<L>
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::vocabulary::{AgentId, Move};

    /// A space without places and moves.
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

    #[derive(Default)]
    struct Dear(AtomicU32);

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

        fn moved(&self, _space: &Nowhere, _m: &MoveIn<Nowhere>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_reference_to_a_layer_is_that_layer_and_layers_compose() {
        fn ask(layer: impl CostLayer<Nowhere>) -> (u32, u32, Tick) {
            let goals = Goals::one(NodeId(0));
            let asker = Asker { claim: Claim::plain(AgentId(0)), goals: &goals, depart: 0, yields_until: 0 };
            let m = Move { from: NodeId(0), to: NodeId(1), action: (), cost: 1000, length: 1.0 };
            let wait = layer.wait(&Nowhere, NodeId(0), Span::tick(0), 10, &asker);
            (layer.surcharge(&Nowhere, &m, 0, &asker), wait, layer.settled_from())
        }
        let dear = Dear::default;
        assert_eq!(ask(dear()), (1, 20, 3));
        let one = dear();
        assert_eq!(ask(&one), (1, 20, 3));
        assert_eq!(ask(&one as &dyn CostLayer<Nowhere>), (1, 20, 3));
        assert_eq!(ask(Arc::new(dear())), (1, 20, 3));
        assert_eq!(ask((&one, (dear(), ()))), (2, 40, 3));
    }

    #[test]
    fn all_layers_are_told_of_moves() {
        let (one, two) = (Arc::new(Dear::default()), Dear::default());
        let m = Move { from: NodeId(0), to: NodeId(1), action: (), cost: 1000, length: 1.0 };
        (Arc::clone(&one), (&two, &two)).moved(&Nowhere, &m);
        assert_eq!([&one.0, &two.0].map(|told| told.load(Ordering::Relaxed)), [1, 2]);
    }

    #[test]
    fn layers_are_timeless_if_all_of_them_are() {
        let timeless = |layer: &dyn CostLayer<Nowhere>| layer.is_timeless();
        assert!(timeless(&()) && timeless(&((), &())));
        let dear = Dear::default;
        assert!(!timeless(&dear()) && !timeless(&((), dear())) && !timeless(&(dear(), ())));
    }
}
