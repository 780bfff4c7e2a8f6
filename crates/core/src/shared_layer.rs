//! A layer that the classes of one crowd share, and that is copied once for all of them.

use std::any::{Any, TypeId};
use std::ops::Deref;
use std::sync::Arc;

use crate::layer::{Asker, CostLayer};
use crate::space::{MoveIn, SpaceGraph};
use crate::vocabulary::{Copies, Garbled, NodeId, Span, Tick, WordReader, Words};

/// A layer that several classes of one crowd share: what one class teaches the layer, all of them pay.
///
/// A clone of this value is the same layer: give a clone to each class. But a clone of the crowd, a snapshot, and a
/// crowd that was restored or loaded have a copy of the layer, which learns on its own. The copy is made once, and all
/// classes of that crowd share it. So the value that the program has kept is the layer of the first crowd only: ask a
/// crowd for its layer. A save contains the layer once.
///
/// A layer by value belongs to one class. A layer behind a `&` or an [`Arc`] is one layer for all clones of a crowd,
/// and does not go back with a snapshot.
///
/// Heuristics that look at the layer, `PricedDistances` of `giveway-distance`, take a clone of this value, too.
///
/// ```
/// use giveway_core::{Copies, CostLayer, Move, MoveIn, NodeId, SharedLayer, SpaceGraph};
/// use std::sync::atomic::{AtomicU32, Ordering};
///
/// # struct Row;
/// # impl SpaceGraph for Row {
/// #     type Action = ();
/// #     type Cost = u32;
/// #     fn node_bound(&self) -> usize { 2 }
/// #     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<(), u32>> {
/// #         (from.0 == 0).then_some(Move { from, to: NodeId(1), action: (), cost: 1000, length: 1.0 }).into_iter()
/// #     }
/// # }
/// /// Counts moves.
/// #[derive(Default)]
/// struct Counter(AtomicU32);
///
/// impl Clone for Counter {
///     fn clone(&self) -> Self {
///         Self(AtomicU32::new(self.0.load(Ordering::Relaxed)))
///     }
/// }
///
/// impl CostLayer<Row> for Counter {
///     fn moved(&self, _row: &Row, _m: &MoveIn<Row>) {
///         self.0.fetch_add(1, Ordering::Relaxed);
///     }
/// }
///
/// let walkers = SharedLayer::new(Counter::default());
/// let carts = walkers.clone();
/// // What a clone of a crowd does with its layers.
/// let mut copies = Copies::new();
/// let mut other = [walkers.clone(), carts.clone()];
/// other.iter_mut().for_each(|layer| CostLayer::<Row>::detach(layer, &mut copies));
///
/// let east = Row.moves(NodeId(0)).next().expect("a move");
/// walkers.moved(&Row, &east);
/// carts.moved(&Row, &east);
/// other[0].moved(&Row, &east);
/// let count = |layer: &SharedLayer<Counter>| layer.0.load(Ordering::Relaxed);
/// assert_eq!((count(&walkers), count(&carts)), (2, 2));
/// assert_eq!((count(&other[0]), count(&other[1])), (1, 1));
/// ```
#[derive(Debug, Default)]
pub struct SharedLayer<L>(Arc<L>);

impl<L> SharedLayer<L> {
    /// Shares `layer`.
    pub fn new(layer: L) -> Self {
        Self(Arc::new(layer))
    }
}

/// The clone is the same layer.
impl<L> Clone for SharedLayer<L> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<L> Deref for SharedLayer<L> {
    type Target = L;

    fn deref(&self) -> &L {
        &self.0
    }
}

impl<S: SpaceGraph, L: CostLayer<S> + Clone + Send + Sync + 'static> CostLayer<S> for SharedLayer<L> {
    #[inline]
    fn surcharge(&self, space: &S, m: &MoveIn<S>, depart: Tick, asker: &Asker<'_>) -> S::Cost {
        self.0.surcharge(space, m, depart, asker)
    }

    #[inline]
    fn wait(&self, space: &S, node: NodeId, span: Span, base: S::Cost, asker: &Asker<'_>) -> S::Cost {
        self.0.wait(space, node, span, base, asker)
    }

    fn settled_from(&self) -> Tick {
        self.0.settled_from()
    }

    fn is_timeless(&self) -> bool {
        self.0.is_timeless()
    }

    fn moved(&self, space: &S, m: &MoveIn<S>) {
        self.0.moved(space, m);
    }

    fn learns(&self) -> bool {
        self.0.learns()
    }

    fn learned(&self) -> u64 {
        self.0.learned()
    }

    fn write_to(&self, words: &mut Words) {
        words.once(&self.0, |words| self.0.write_to(words));
    }

    fn read_from(&self, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        words.once(&self.0, |words| self.0.read_from(words))
    }

    fn detach(&mut self, copies: &mut Copies) {
        self.0 = copies.of(&self.0);
    }

    fn part(&self, kind: TypeId) -> Option<&dyn Any> {
        if kind == TypeId::of::<L>() { Some(&*self.0) } else { self.0.part(kind) }
    }
}
