//! Layers: by reference, and several together.

use std::any::{Any, TypeId};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use giveway_core::{
    AgentId, Asker, Claim, Copies, CostLayer, Goals, Move, MoveIn, NodeId, SharedLayer, SpaceGraph, Span, Tick,
};

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

impl Clone for Dear {
    fn clone(&self) -> Self {
        Self(AtomicU32::new(self.0.load(Ordering::Relaxed)))
    }
}

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

    fn part(&self, kind: TypeId) -> Option<&dyn Any> {
        (kind == TypeId::of::<Self>()).then_some(self)
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

/// A copy of layers shares what these share, and nothing with them, also in pairs.
#[test]
fn shared_layers_are_copied_once() {
    fn told<L: CostLayer<Nowhere>>(layer: &L) -> u32 {
        let dear: Option<&Dear> = layer.part(TypeId::of::<Dear>()).and_then(|part| part.downcast_ref());
        dear.unwrap().0.load(Ordering::Relaxed)
    }
    let m = Move { from: NodeId(0), to: NodeId(1), action: (), cost: 1000, length: 1.0 };
    let (one, two) = (SharedLayer::new(Dear::default()), SharedLayer::new(Dear::default()));
    one.moved(&Nowhere, &m);
    let mut copies = Copies::new();
    let copied = |layers: &[SharedLayer<Dear>; 2], copies: &mut Copies| {
        let mut pair = ((), (layers[0].clone(), layers[1].clone()));
        pair.detach(copies);
        pair.1
    };
    let first = copied(&[one.clone(), two.clone()], &mut copies);
    let second = copied(&[two.clone(), one.clone()], &mut copies);
    let later = copied(&[one.clone(), two.clone()], &mut Copies::new());
    second.1.moved(&Nowhere, &m);
    assert_eq!([&first.0, &first.1, &second.0, &second.1].map(told), [2, 0, 0, 2]);
    assert_eq!([&one, &two, &later.0, &later.1].map(told), [1, 0, 1, 0]);
    // A layer behind an `Arc` is one for all.
    let mut other = Arc::new(Dear::default());
    let same = Arc::clone(&other);
    CostLayer::<Nowhere>::detach(&mut other, &mut copies);
    assert!(Arc::ptr_eq(&same, &other));
}

#[test]
fn layers_are_timeless_if_all_of_them_are() {
    let timeless = |layer: &dyn CostLayer<Nowhere>| layer.is_timeless();
    assert!(timeless(&()) && timeless(&((), &())));
    let dear = Dear::default;
    assert!(!timeless(&dear()) && !timeless(&((), dear())) && !timeless(&(dear(), ())));
}
