//! Cost layers: what an action costs in addition to the space's own cost.

use std::any::{Any, TypeId};
use std::sync::Arc;

use num_traits::Zero;

use crate::reservation::Claim;
use crate::space::{MoveIn, SpaceGraph};
use crate::vocabulary::{Copies, Cost, Garbled, Goals, NodeId, Span, Tick, WordReader, Words};

/// The agent that asks for a cost. All questions of one search have one asker.
#[derive(Clone, Copy, Debug)]
pub struct Asker<'a> {
    /// The agent and its rank.
    pub claim: Claim,
    /// The goals of the agent.
    pub goals: &'a Goals,
    /// The tick at which the search of the agent begins.
    pub depart: Tick,
    /// Until this tick the agent must make way, while it rests, for agents that come to its place. 0: it need not make
    /// way.
    pub yields_until: Tick,
}

/// Adds surcharges to the costs of moves, and sets the costs of waits. Examples are direction maps, dangerous places,
/// penalties for waits, and waits on the goal that cost nothing.
///
/// `()` is the empty layer. Layers compose: `(A, B)` applies `A`, then `B`.
///
/// # Contract
/// Surcharges and costs of waits must not be negative, because distances computed without the layer must be lower
/// bounds.
pub trait CostLayer<S: SpaceGraph> {
    /// The cost that the layer adds to `m`, if `m` begins at `depart`.
    fn surcharge(&self, _space: &S, _m: &MoveIn<S>, _depart: Tick, _asker: &Asker<'_>) -> S::Cost {
        S::Cost::zero()
    }

    /// The cost of a wait on `node` for `span`. Without this layer the wait would cost `base`.
    fn wait(&self, _space: &S, _node: NodeId, _span: Span, base: S::Cost, _asker: &Asker<'_>) -> S::Cost {
        base
    }

    /// From this tick on, no cost of this layer depends on the tick. If costs always depend on the tick, return
    /// [`FOREVER`](crate::FOREVER); a search then needs a [latest](crate::Query::latest) tick.
    fn settled_from(&self) -> Tick {
        0
    }

    /// Whether every surcharge is equal for all departures, and every wait costs its `base`. `false` by default.
    ///
    /// A search over [safe intervals](crate::TimeModel::SafeIntervals) finds cheapest paths only under timeless layers:
    /// where waiting costs more in one place than in another, the earliest departure may not be the cheapest.
    fn is_timeless(&self) -> bool {
        false
    }

    /// Tells the layer that a unit has made `m`. For layers that learn. Crowds call this method when a move has ended,
    /// never for a wait. If several moves end at one tick, the calls come in the order in which the agents were added.
    /// Does nothing by default.
    fn moved(&self, _space: &S, _m: &MoveIn<S>) {}

    /// Whether the layer wants to be [told](Self::moved) of moves; `true` by default.
    fn learns(&self) -> bool {
        true
    }

    /// A number for what the layer has learned, for [hashes](crate::Digest) of the state of a crowd. Two layers that
    /// charge equally much have equal numbers, on every platform. Two layers that have learned different things should
    /// have different numbers. By default the number is always 0, so hashes do not show what the layer has learned.
    fn learned(&self) -> u64 {
        0
    }

    /// Appends what the layer has learned to `words`, so that a layer like this one can [read](Self::read_from) it in
    /// another program. By default nothing is written: right for a layer that does not change.
    fn write_to(&self, _words: &mut Words) {}

    /// Reads what a layer like this one has [written](Self::write_to), and forgets what this layer has learned. Like
    /// [`moved`](Self::moved), the call changes a layer that is shared.
    ///
    /// # Errors
    /// The words are not what such a layer writes. Then nothing has changed. Never panics.
    fn read_from(&self, _words: &mut WordReader<'_>) -> Result<(), Garbled> {
        Ok(())
    }

    /// Parts a clone of the layer from what it still shares with the layer that it was cloned from. Crowds call this
    /// method on the layers of a clone of a crowd, with one `copies` for all of them, so that layers which [share
    /// something](crate::SharedLayer) share its copy. Does nothing by default: right for a layer whose clones are
    /// independent.
    fn detach(&mut self, _copies: &mut Copies) {}

    /// The layer, or a part of it, if that is of the type `kind`. For programs that look at what the layer of a crowd
    /// has learned. `None` by default.
    fn part(&self, _kind: TypeId) -> Option<&dyn Any> {
        None
    }
}

impl<S: SpaceGraph> CostLayer<S> for () {
    #[inline]
    fn is_timeless(&self) -> bool {
        true
    }

    #[inline]
    fn learns(&self) -> bool {
        false
    }
}

impl<S: SpaceGraph, A: CostLayer<S>, B: CostLayer<S>> CostLayer<S> for (A, B) {
    #[inline(always)] // as much as its parts
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

    fn learns(&self) -> bool {
        self.0.learns() || self.1.learns()
    }

    fn learned(&self) -> u64 {
        self.0.learned().rotate_left(1) ^ self.1.learned()
    }

    fn write_to(&self, words: &mut Words) {
        self.0.write_to(words);
        self.1.write_to(words);
    }

    fn read_from(&self, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        let mut before = Words::new();
        self.0.write_to(&mut before);
        self.0.read_from(words)?;
        self.1.read_from(words).inspect_err(|_| {
            // What was written just now can be read.
            let _ = self.0.read_from(&mut WordReader::new(&before.into_bytes()));
        })
    }

    fn detach(&mut self, copies: &mut Copies) {
        self.0.detach(copies);
        self.1.detach(copies);
    }

    fn part(&self, kind: TypeId) -> Option<&dyn Any> {
        self.0.part(kind).or_else(|| self.1.part(kind))
    }
}

macro_rules! layer_behind {
    ($(#[$doc:meta])* $pointer:ty) => {
        $(#[$doc])*
        impl<S: SpaceGraph, L: CostLayer<S> + ?Sized> CostLayer<S> for $pointer {
            #[inline(always)] // as for a tuple
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

            fn learns(&self) -> bool {
                (**self).learns()
            }

            fn learned(&self) -> u64 {
                (**self).learned()
            }

            fn write_to(&self, words: &mut Words) {
                (**self).write_to(words);
            }

            fn read_from(&self, words: &mut WordReader<'_>) -> Result<(), Garbled> {
                (**self).read_from(words)
            }

            fn part(&self, kind: TypeId) -> Option<&dyn Any> {
                (**self).part(kind)
            }
        }
    };
}

layer_behind! {
    /// A borrowed layer, which may be of unknown type.
    &L
}
layer_behind! {
    /// A layer that all owners share, also the clones of a crowd. For a layer that only the classes of one crowd share,
    /// see [`SharedLayer`](crate::SharedLayer).
    Arc<L>
}
