//! Distances that include a layer's surcharges: exact, if the layer does not change.

use giveway_core::heuristic::{HeuristicSource, Metric, Zero};
use giveway_core::{
    AgentId, Asker, Claim, Copies, Cost, CostLayer, Facts, Fuel, Garbled, Goals, Heuristic, Move, MoveIn, NodeId,
    SpaceGraph, Suspended, WordReader, Words,
};

use super::true_distance::TrueDistance;
use super::true_distances::TrueDistances;
use super::view::View;

/// A space whose moves also cost a layer's surcharges, asked at tick 0 for no particular agent.
struct Priced<'a, S, L> {
    space: &'a S,
    layer: &'a L,
    nowhere: &'a Goals,
}

impl<S: SpaceGraph, L: CostLayer<S>> View<S> for Priced<'_, S, L> {
    #[inline]
    fn plain(&self) -> &S {
        self.space
    }
}

impl<S: SpaceGraph, L: CostLayer<S>> Priced<'_, S, L> {
    #[inline]
    fn at_its_price(&self, m: MoveIn<S>) -> MoveIn<S> {
        let asker = Asker { claim: Claim::plain(AgentId(0)), goals: self.nowhere, depart: 0, yields_until: 0 };
        Move { cost: m.cost.plus(self.layer.surcharge(self.space, &m, 0, &asker)), ..m }
    }
}

/// Only what reverse searches ask.
impl<S: SpaceGraph, L: CostLayer<S>> SpaceGraph for Priced<'_, S, L> {
    type Action = S::Action;
    type Cost = S::Cost;

    fn node_bound(&self) -> usize {
        self.space.node_bound()
    }

    #[inline]
    fn moves(&self, from: NodeId) -> impl Iterator<Item = MoveIn<S>> {
        self.space.moves(from).map(|m| self.at_its_price(m))
    }

    #[inline]
    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = MoveIn<S>>> {
        Some(self.space.moves_into(to)?.map(|m| self.at_its_price(m)))
    }

    fn contains(&self, node: NodeId) -> bool {
        self.space.contains(node)
    }

    fn facts(&self) -> Facts<'_, S::Cost> {
        let Facts { uniform_cost: _, uniform_length, step, crossing_bound: _, period, origins } = self.space.facts();
        Facts { uniform_cost: None, uniform_length, step, crossing_bound: 0, period, origins }
    }

    fn revision(&self) -> u64 {
        self.space.revision()
    }
}

/// [`TrueDistances`] that include the surcharges of a layer that does not change, such as a snapshot of a direction
/// map.
///
/// Use them in a search whose own layer charges at least as much as this layer: the search finds cheapest paths. If the
/// search's layer charges less than this layer, the path found may not be cheapest. Where surcharges are large, the
/// search needs far fewer expansions than with plain true distances, which leave surcharges out.
///
/// Surcharges are asked for at tick 0, and for no particular agent. The metric of [aimed](Self::aimed) distances sees
/// the space's own costs, without surcharges.
///
/// Do not use these distances as lengths of ways, for instance to find the nearest agent: they count surcharges as
/// steps.
///
/// ```
/// use giveway_core::heuristic::HeuristicSource;
/// use giveway_core::{Asker, CostLayer, Fuel, Goals, Heuristic, Move, NodeId, SpaceGraph};
/// use giveway_distance::PricedDistances;
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
/// /// Moves to the west cost 10,000 more.
/// struct WestWind;
///
/// impl CostLayer<Row> for WestWind {
///     fn surcharge(&self, _row: &Row, m: &Move<i32, u32>, _tick: u32, _asker: &Asker<'_>) -> u32 {
///         if m.action < 0 { 10_000 } else { 0 }
///     }
/// }
///
/// let row = Row; // five places from west to east
/// let mut distances = PricedDistances::tables(WestWind);
/// let mut distance = |from, to| {
///     let to = Goals::one(NodeId(to));
///     distances.heuristic(&row, &to, NodeId(from)).estimate(&row, NodeId(from), &mut Fuel::unlimited())
/// };
/// assert_eq!(distance(0, 4), Ok(Some(4000)));
/// assert_eq!(distance(4, 0), Ok(Some(44_000)), "against the wind");
/// ```
#[derive(Debug)]
pub struct PricedDistances<S: SpaceGraph, L, M = Zero> {
    layer: L,
    nowhere: Goals,
    distances: TrueDistances<S, M>,
}

impl<S: SpaceGraph, L: CostLayer<S>> PricedDistances<S, L> {
    /// Tables that include the surcharges of `layer`: see [`TrueDistances::tables`].
    pub fn tables(layer: L) -> Self {
        Self { layer, nowhere: Goals::from_iter([]), distances: TrueDistances::tables() }
    }
}

impl<S: SpaceGraph, L: CostLayer<S>, M: Metric<S> + Clone> PricedDistances<S, L, M> {
    /// Reverse searches that include the surcharges of `layer`, aimed by `metric`, which sees the space's own costs:
    /// see [`TrueDistances::aimed`].
    pub fn aimed(layer: L, metric: M) -> Self {
        Self { layer, nowhere: Goals::from_iter([]), distances: TrueDistances::aimed(metric) }
    }
}

impl<S: SpaceGraph, L, M: Metric<S> + Clone> PricedDistances<S, L, M> {
    /// Sets the bound on the memory of all searches together, in bytes: see [`TrueDistances::keep_at_most`].
    #[must_use]
    pub fn keep_at_most(self, bytes: usize) -> Self {
        Self { distances: self.distances.keep_at_most(bytes), ..self }
    }
}

/// The clone is independent, like a clone of [`TrueDistances`].
impl<S: SpaceGraph, L: Clone, M: Clone> Clone for PricedDistances<S, L, M> {
    fn clone(&self) -> Self {
        let Self { layer, nowhere, distances } = self;
        Self { layer: layer.clone(), nowhere: nowhere.clone(), distances: distances.clone() }
    }
}

impl<S: SpaceGraph, L: CostLayer<S>, M: Metric<S> + Clone> HeuristicSource<S> for PricedDistances<S, L, M> {
    type Heuristic<'a>
        = PricedDistance<'a, S, L, M>
    where
        Self: 'a;

    fn heuristic<'a>(&'a mut self, space: &S, goals: &Goals, origin: NodeId) -> PricedDistance<'a, S, L, M> {
        let Self { layer, nowhere, distances } = self;
        let search = distances.through(&Priced { space, layer: &*layer, nowhere: &*nowhere }, goals, origin);
        PricedDistance { layer, nowhere, search }
    }

    fn forget(&mut self) {
        self.distances.forget();
    }

    fn reverse_expanded(&self) -> u64 {
        self.distances.expanded()
    }

    fn bytes(&self) -> usize {
        self.distances.bytes()
    }

    fn write_to(&self, space: &S, words: &mut Words) {
        let Self { layer, nowhere, distances } = self;
        self.layer.write_to(words);
        distances.write_through(&Priced { space, layer, nowhere }, !layer.learns(), words);
    }

    fn read_from(&mut self, space: &S, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        let Self { layer, nowhere, distances } = self;
        layer.read_from(words)?;
        distances.read_through(&Priced { space, layer: &*layer, nowhere }, words)
    }

    fn detach(&mut self, copies: &mut Copies) {
        self.layer.detach(copies);
    }

    fn renew(&mut self, space: &S, goals: &Goals, origin: NodeId, fuel: &mut Fuel) -> Result<(), Suspended> {
        let Self { layer, nowhere, distances } = self;
        let priced = Priced { space, layer, nowhere };
        distances.through(&priced, goals, origin).renew(&priced, origin, fuel)
    }

    fn revision(&self, space: &S, goals: &Goals) -> u64 {
        self.distances.revision(space, goals)
    }

    fn keep_only(&mut self, needed: &mut dyn FnMut(&Goals) -> bool) {
        self.distances.keep_only(needed);
    }

    /// What a layer that learns charged may be out of date: the next agent with these goals has them searched anew.
    fn release(&mut self, goals: &Goals) {
        if self.layer.learns() {
            self.distances.renounce(goals);
        } else {
            self.distances.release(goals);
        }
    }
}

/// The heuristic that [`PricedDistances`] give to one agent.
#[derive(Debug)]
pub struct PricedDistance<'a, S: SpaceGraph, L, M> {
    layer: &'a L,
    nowhere: &'a Goals,
    search: TrueDistance<'a, S, M>,
}

impl<S: SpaceGraph, L: CostLayer<S>, M: Metric<S> + Clone> Heuristic<S> for PricedDistance<'_, S, L, M> {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        let Self { layer, nowhere, search } = self;
        search.estimate_through(&Priced { space, layer: *layer, nowhere }, node, fuel)
    }
}
