//! Reverse searches of either kind, kept for later, and the searcher that begins and continues them.

use std::sync::Arc;

use giveway_core::heuristic::Metric;
use giveway_core::{Cost, Edits, Fuel, Goals, NodeId, SpaceGraph, Suspended};

use super::distance_table::DistanceTable;
use super::predecessors::{Predecessors, PredecessorsIn};
use super::reverse_a_star::ReverseAStar;
use super::view::View;

/// A resumable reverse search of either kind. Clones share it until one of them goes on.
#[derive(Debug)]
pub(super) enum ReverseSearch<S: SpaceGraph, M> {
    /// Unaimed; breadth-first where costs are uniform.
    Table(Arc<DistanceTable<S>>),
    /// Aimed at the first agent that asked since the search began.
    Aimed(Arc<ReverseAStar<S, M>>),
}

impl<S: SpaceGraph, M: Metric<S> + Clone> ReverseSearch<S, M> {
    pub(super) fn expanded(&self) -> u64 {
        match self {
            Self::Table(search) => search.expanded(),
            Self::Aimed(search) => search.expanded(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Table(search) => search.bytes(),
            Self::Aimed(search) => search.bytes(),
        }
    }

    #[inline(always)]
    pub(super) fn known(&self, node: NodeId) -> Option<Option<S::Cost>> {
        match self {
            Self::Table(search) => search.known(node),
            Self::Aimed(search) => search.known(node),
        }
    }

    pub(super) fn estimate_within(
        &mut self,
        space: &impl View<S>,
        node: NodeId,
        fuel: &mut Fuel,
        most_bytes: usize,
    ) -> Result<Option<S::Cost>, Suspended> {
        match self {
            Self::Table(search) => Arc::make_mut(search).estimate_within(space, node, fuel, most_bytes),
            Self::Aimed(search) => Arc::make_mut(search).estimate_within(space, node, fuel, most_bytes),
        }
    }

    /// The least cost from `node` by one move to a node whose distance is known.
    pub(super) fn by_one_move(&self, space: &impl View<S>, node: NodeId) -> Option<S::Cost> {
        space.moves(node).filter_map(|m| Some(self.known(m.to)??.plus(m.cost))).min()
    }
}

impl<S: SpaceGraph, M: Clone> Clone for ReverseSearch<S, M> {
    fn clone(&self) -> Self {
        match self {
            Self::Table(search) => Self::Table(Arc::clone(search)),
            Self::Aimed(search) => Self::Aimed(Arc::clone(search)),
        }
    }
}

/// A search, and its renewal if the space has changed since it began.
#[derive(Debug)]
pub(super) struct Kept<S: SpaceGraph, M> {
    pub(super) goals: Goals,
    /// The number of searches begun before it.
    pub(super) number: u64,
    pub(super) search: ReverseSearch<S, M>,
    /// The revision of the space when the search began.
    pub(super) revision: u64,
    /// The search that will replace it as soon as it reaches the asking agent, and the revision of the space when that
    /// search began.
    pub(super) renewal: Option<(ReverseSearch<S, M>, u64)>,
    /// The number of the question that last asked for it.
    pub(super) asked: u64,
}

impl<S: SpaceGraph, M: Metric<S> + Clone> Kept<S, M> {
    pub(super) fn bytes(&self) -> usize {
        self.search.bytes() + self.renewal.as_ref().map_or(0, |(search, _)| search.bytes())
    }
}

impl<S: SpaceGraph, M: Clone> Clone for Kept<S, M> {
    fn clone(&self) -> Self {
        Self { goals: self.goals.clone(), search: self.search.clone(), renewal: self.renewal.clone(), ..*self }
    }
}

/// After an edit of more nodes, a search begins again.
const MOST_REPAIRED: usize = 64;

/// Begins and continues the searches of one source, within the bound on their memory.
#[derive(Debug)]
pub(super) struct Searcher<S: SpaceGraph, M> {
    /// Aimed searches use this metric; without one, searches are tables.
    pub(super) aim_by: Option<M>,
    /// The predecessors, and the revision of the space for which they were made.
    pub(super) predecessors: Option<(PredecessorsIn<S>, u64)>,
    pub(super) most_bytes: usize,
    /// How many bytes the searches take together.
    pub(super) used: usize,
    /// The number of the search that may exceed the bound.
    pub(super) exceeding: Option<u64>,
    /// The number of searches begun, renewals excluded.
    pub(super) begun: u64,
    pub(super) expanded: u64,
}

impl<S: SpaceGraph, M: Metric<S> + Clone> Searcher<S, M> {
    /// A search for `goals` in the present revision of `space`.
    pub(super) fn begin(&mut self, space: &impl View<S>, goals: &Goals, origin: NodeId) -> ReverseSearch<S, M> {
        let predecessors = self.predecessors_in(space);
        match &self.aim_by {
            None => ReverseSearch::Table(Arc::new(DistanceTable::through(space, predecessors, goals.clone()))),
            Some(metric) => {
                ReverseSearch::Aimed(Arc::new(ReverseAStar::new(predecessors, goals.clone(), origin, metric.clone())))
            }
        }
    }

    /// The predecessors in the present revision of `space`.
    pub(super) fn predecessors_in(&mut self, space: &impl View<S>) -> PredecessorsIn<S> {
        let revision = space.revision();
        match &self.predecessors {
            Some((known, of)) if *of == revision => known.clone(),
            _ => self.predecessors.insert((Predecessors::from_space(space), revision)).0.clone(),
        }
    }

    /// Brings `kept` up to the present revision of `space` without a search, if few nodes have changed since and no
    /// distance beyond them has. A changed node costs as much fuel as an expansion. Returns whether it is up to date.
    pub(super) fn repair(&mut self, kept: &mut Kept<S, M>, space: &impl View<S>, fuel: &mut Fuel) -> bool {
        let (ReverseSearch::Table(table), Edits::Nodes(edited)) = (&mut kept.search, space.edits_since(kept.revision))
        else {
            return false;
        };
        if edited.len() > MOST_REPAIRED || fuel.left() <= edited.len() as u64 {
            return false;
        }
        fuel.burn_at_most(edited.len());
        let (predecessors, before) = (self.predecessors_in(space), table.bytes());
        let is_repaired = Arc::make_mut(table).repair(space, predecessors, edited);
        self.used = self.used - before + table.bytes();
        if is_repaired {
            kept.revision = space.revision();
        }
        is_repaired
    }

    /// Continues `search`, which belongs to the kept search with this `number`, until it knows the estimate for `node`.
    pub(super) fn go_on(
        &mut self,
        search: &mut ReverseSearch<S, M>,
        number: u64,
        space: &impl View<S>,
        node: NodeId,
        fuel: &mut Fuel,
    ) -> Result<Option<S::Cost>, Suspended> {
        let others = self.used - search.bytes();
        let before = search.expanded();
        let most = if self.exceeding == Some(number) { usize::MAX } else { self.most_bytes.saturating_sub(others) };
        let mut found = search.estimate_within(space, node, fuel, most);
        if found == Err(Suspended::OutOfMemory) && self.exceeding.is_none() {
            self.exceeding = Some(number);
            found = search.estimate_within(space, node, fuel, usize::MAX);
        }
        self.used = others + search.bytes();
        self.expanded += search.expanded() - before;
        found
    }
}

impl<S: SpaceGraph, M: Clone> Clone for Searcher<S, M> {
    fn clone(&self) -> Self {
        Self { aim_by: self.aim_by.clone(), predecessors: self.predecessors.clone(), ..*self }
    }
}
