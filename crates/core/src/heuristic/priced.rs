//! Distances at the price of a layer: true ones, if the layer does not change.

use super::metric::Metric;
use super::source::HeuristicSource;
use super::{Heuristic, TrueDistance, TrueDistances};
use crate::cost::Cost;
use crate::course::Course;
use crate::fuel::{Fuel, Suspended};
use crate::goals::Goals;
use crate::layer::{Asker, CostLayer};
use crate::reservation::{AgentId, Claim};
use crate::space::{Embedding, Move, NodeId, SpaceGraph};

/// A space whose moves cost what a layer asks for them besides, at tick 0 and of no agent in particular.
#[derive(Clone, Debug)]
pub struct Priced<S, L> {
    space: S,
    layer: L,
    nowhere: Goals,
}

impl<S, L> Priced<S, L> {
    /// `space` at the price of `layer`.
    pub fn new(space: S, layer: L) -> Self {
        Self { space, layer, nowhere: Goals::from_iter([]) }
    }
}

impl<S: SpaceGraph, L: CostLayer<S>> Priced<S, L> {
    #[inline]
    fn at_its_price(&self, m: Move<S::Action, S::Cost>) -> Move<S::Action, S::Cost> {
        let asker = Asker { claim: Claim::plain(AgentId(0)), goals: &self.nowhere, depart: 0, yields_until: 0 };
        Move { cost: m.cost.plus(self.layer.surcharge(&self.space, &m, 0, &asker)), ..m }
    }
}

impl<S: SpaceGraph, L: CostLayer<S>> SpaceGraph for Priced<S, L> {
    type Action = S::Action;
    type Cost = S::Cost;

    fn node_bound(&self) -> usize {
        self.space.node_bound()
    }

    #[inline]
    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<S::Action, S::Cost>> {
        self.space.moves(from).map(|m| self.at_its_price(m))
    }

    #[inline]
    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<S::Action, S::Cost>>> {
        Some(self.space.moves_into(to)?.map(|m| self.at_its_price(m)))
    }

    fn contains(&self, node: NodeId) -> bool {
        self.space.contains(node)
    }

    fn crossing(&self, m: &Move<S::Action, S::Cost>) -> Option<u32> {
        self.space.crossing(m)
    }

    fn crossing_bound(&self) -> usize {
        self.space.crossing_bound()
    }

    fn revision(&self) -> u64 {
        self.space.revision()
    }
}

impl<S: Embedding, L: CostLayer<S>> Embedding for Priced<S, L> {
    fn position(&self, node: NodeId) -> [f32; 3] {
        self.space.position(node)
    }

    fn heading(&self, node: NodeId) -> f32 {
        self.space.heading(node)
    }

    fn course(&self, m: &Move<S::Action, S::Cost>) -> Option<&Course> {
        self.space.course(m)
    }
}

/// [`TrueDistances`] at the price of a layer that does not change: a frozen [direction map](crate::DirectionMap::snapshot).
///
/// A search whose own layer asks at least as much finds cheapest paths by them, as by the true distances of the space; and with
/// far fewer expansions where the layer asks much, since those know nothing of it. A search whose layer asks less finds some path.
///
/// They are not lengths of ways: whoever takes them for such (how far an agent is, who is nearest, when to give up) counts what the layer asks as steps.
///
/// The space is kept, so that it must be cheap to clone: a reference, an [`Arc`](std::sync::Arc). When it has another
/// [revision](SpaceGraph::revision), it is cloned again.
///
/// ```
/// use giveway_core::heuristic::{HeuristicSource, PricedDistances};
/// use giveway_core::{CostLayer, DirectionMap, DirectionRules, Embedding, Fuel, Goals, Heuristic, Move, NodeId, SpaceGraph};
///
/// # struct Row;
/// # impl SpaceGraph for Row {
/// #     type Action = i32;
/// #     type Cost = u32;
/// #     fn node_bound(&self) -> usize { 5 }
/// #     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<i32, u32>> {
/// #         let to = [1, -1].map(|action| (action, from.0.checked_add_signed(action)));
/// #         to.into_iter().filter_map(move |(action, to)| {
/// #             Some(Move { from, to: NodeId(to.filter(|to| *to < 5)?), action, cost: 1000, length: 1.0 })
/// #         })
/// #     }
/// # }
/// # impl Embedding for Row {
/// #     fn position(&self, node: NodeId) -> [f32; 3] { [node.0 as f32, 0.0, 0.0] }
/// # }
/// let row = Row; // five places from west to east
/// let map = DirectionMap::blank(&row, DirectionRules::default().rate(1.0));
/// for x in 0..4 {
///     map.learn(&row, NodeId(x), NodeId(x + 1));
/// }
/// let mut distances = PricedDistances::tables(&row, map.snapshot());
/// let mut distance = |from, to| {
///     let to = Goals::one(NodeId(to));
///     distances.heuristic(&&row, &to, NodeId(from)).estimate(&&row, NodeId(from), &mut Fuel::unlimited())
/// };
/// assert_eq!(distance(0, 4), Ok(Some(4000)));
/// assert_eq!(distance(4, 0), Ok(Some(44_000)), "against the traffic");
/// ```
#[derive(Debug)]
pub struct PricedDistances<S: SpaceGraph, L: CostLayer<S>, M = super::Zero> {
    priced: Priced<S, L>,
    distances: TrueDistances<Priced<S, L>, M>,
    /// Whether the next question may be about another space, of whatever revision.
    forgotten: bool,
}

impl<S: SpaceGraph, L: CostLayer<S>> PricedDistances<S, L> {
    /// Tables through `space` at the price of `layer`: see [`TrueDistances::tables`].
    pub fn tables(space: S, layer: L) -> Self {
        Self { priced: Priced::new(space, layer), distances: TrueDistances::tables(), forgotten: false }
    }
}

impl<S: SpaceGraph, L: CostLayer<S>, M: Metric<Priced<S, L>> + Clone> PricedDistances<S, L, M> {
    /// Reverse searches through `space` at the price of `layer`, aimed by `metric`, which is about the space's own costs: see
    /// [`TrueDistances::aimed`].
    pub fn aimed(space: S, layer: L, metric: M) -> Self {
        Self { priced: Priced::new(space, layer), distances: TrueDistances::aimed(metric), forgotten: false }
    }
}

impl<S: SpaceGraph + Clone, L: CostLayer<S>, M> PricedDistances<S, L, M> {
    /// Prices the space that is asked about.
    fn keep_up(&mut self, space: &S) {
        if std::mem::take(&mut self.forgotten) || self.priced.space.revision() != space.revision() {
            self.priced.space = space.clone();
        }
    }
}

impl<S, L, M> HeuristicSource<S> for PricedDistances<S, L, M>
where
    S: SpaceGraph + Clone,
    L: CostLayer<S>,
    M: Metric<Priced<S, L>> + Clone,
{
    type Heuristic<'a>
        = PricedDistance<'a, S, L, M>
    where
        Self: 'a;

    fn heuristic<'a>(&'a mut self, space: &S, goals: &Goals, origin: NodeId) -> PricedDistance<'a, S, L, M> {
        self.keep_up(space);
        PricedDistance { priced: &self.priced, search: self.distances.to(&self.priced, goals, origin) }
    }

    fn forget(&mut self) {
        self.distances.forget();
        self.forgotten = true;
    }

    fn reverse_expanded(&self) -> u64 {
        self.distances.expanded()
    }

    fn bytes(&self) -> usize {
        self.distances.bytes()
    }

    fn renew(&mut self, space: &S, goals: &Goals, origin: NodeId, fuel: &mut Fuel) -> Result<(), Suspended> {
        self.keep_up(space);
        self.distances.renew(&self.priced, goals, origin, fuel)
    }

    fn revision(&self, space: &S, goals: &Goals) -> u64 {
        // The price is that of the space as it was when it was last asked about.
        self.distances.revision(&self.priced, goals).min(space.revision())
    }

    fn keep_only(&mut self, needed: &mut dyn FnMut(&Goals) -> bool) {
        self.distances.keep_only(needed);
    }
}

/// The heuristic of one agent by [`PricedDistances`].
#[derive(Debug)]
pub struct PricedDistance<'a, S: SpaceGraph, L: CostLayer<S>, M> {
    priced: &'a Priced<S, L>,
    search: TrueDistance<'a, Priced<S, L>, M>,
}

impl<S: SpaceGraph, L: CostLayer<S>, M: Metric<Priced<S, L>> + Clone> Heuristic<S> for PricedDistance<'_, S, L, M> {
    #[inline]
    fn estimate(&mut self, _space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        self.search.estimate(self.priced, node, fuel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places in a row, each so many thousandths of a step from the next.
    #[derive(Clone)]
    struct Row {
        step: u32,
        revision: u64,
    }

    impl SpaceGraph for Row {
        type Action = bool;
        type Cost = u32;

        fn node_bound(&self) -> usize {
            5
        }

        fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<bool, u32>> {
            let step = |to: Option<u32>, action| {
                let to = NodeId(to.filter(|to| *to < 5)?);
                Some(Move { from, to, action, cost: self.step, length: 1.0 })
            };
            step(from.0.checked_add(1), true).into_iter().chain(step(from.0.checked_sub(1), false))
        }

        fn uniform_cost(&self) -> Option<u32> {
            Some(self.step)
        }

        fn revision(&self) -> u64 {
            self.revision
        }
    }

    /// A toll on moves to the right.
    struct Toll;

    impl CostLayer<Row> for Toll {
        fn surcharge(&self, _row: &Row, m: &Move<bool, u32>, _depart: u32, _asker: &Asker<'_>) -> u32 {
            if m.action { 500 } else { 0 }
        }
    }

    #[test]
    fn the_space_is_the_one_that_is_asked_about() {
        let mut distances = PricedDistances::tables(Row { step: 1000, revision: 0 }, Toll);
        let mut ask = |row: Row, forget: bool| {
            if forget {
                distances.forget();
            }
            [(0, 4), (4, 0), (2, 2)].map(|(from, to)| {
                let fuel = &mut Fuel::unlimited();
                distances.renew(&row, &Goals::one(NodeId(to)), NodeId(from), fuel).unwrap();
                let mut heuristic = distances.heuristic(&row, &Goals::one(NodeId(to)), NodeId(from));
                heuristic.estimate(&row, NodeId(from), fuel).unwrap().unwrap()
            })
        };
        assert_eq!(ask(Row { step: 1000, revision: 0 }, false), [6000, 4000, 0]);
        assert_eq!(ask(Row { step: 2000, revision: 1 }, false), [10_000, 8000, 0], "edited");
        assert_eq!(ask(Row { step: 100, revision: 1 }, true), [2400, 400, 0], "another one");
    }
}
