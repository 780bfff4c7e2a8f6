//! The true distance of one agent, by a search that it may share, in a space that may change.

use super::metric::Metric;
use super::priced::View;
use super::true_distances::Shared;
use super::{DistanceTable, Heuristic, ReverseAStar};
use crate::cost::Cost;
use crate::fuel::{Fuel, Suspended};
use crate::goals::Goals;
use crate::space::{NodeId, SpaceGraph};

/// A resumable reverse search, of one kind or the other.
#[derive(Debug)]
pub(super) enum ReverseSearch<S: SpaceGraph, M> {
    /// Unaimed; breadth-first where costs are uniform.
    Table(DistanceTable<S>),
    /// Aimed at the first agent that asked, or the first since it began again.
    Aimed(Box<ReverseAStar<S, M>>),
}

impl<S: SpaceGraph, M: Metric<S>> ReverseSearch<S, M> {
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
    fn known(&self, node: NodeId) -> Option<Option<S::Cost>> {
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
            Self::Table(search) => search.estimate_within(space, node, fuel, most_bytes),
            Self::Aimed(search) => search.estimate_within(space, node, fuel, most_bytes),
        }
    }

    /// The least cost from `node` by one move to where the rest is known.
    fn by_one_move(&self, space: &impl View<S>, node: NodeId) -> Option<S::Cost> {
        space.moves(node).filter_map(|m| Some(self.known(m.to)??.plus(m.cost))).min()
    }
}

impl<S: SpaceGraph, M: Clone> Clone for ReverseSearch<S, M> {
    fn clone(&self) -> Self {
        match self {
            Self::Table(search) => Self::Table(search.clone()),
            Self::Aimed(search) => Self::Aimed(search.clone()),
        }
    }
}

/// A search, and the one that is to take its place if the space has changed since it began.
#[derive(Debug)]
pub(super) struct Kept<S: SpaceGraph, M> {
    pub(super) goals: Goals,
    /// How many searches were begun before.
    pub(super) number: u64,
    pub(super) search: ReverseSearch<S, M>,
    /// Of which revision the space was when it began.
    pub(super) revision: u64,
    /// The search that takes its place as soon as it has come to whoever asks, and of which revision the space was when it began.
    pub(super) renewal: Option<(ReverseSearch<S, M>, u64)>,
    /// When it was last asked for: the number of that question.
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

/// The heuristic of one agent by [`TrueDistances`](super::TrueDistances).
#[derive(Debug)]
pub struct TrueDistance<'a, S: SpaceGraph, M> {
    pub(super) kept: &'a mut Kept<S, M>,
    pub(super) shared: &'a mut Shared<S, M>,
}

impl<S: SpaceGraph, M: Metric<S> + Clone> TrueDistance<'_, S, M> {
    /// [`Heuristic::estimate`] at some price, which is always the same.
    #[inline]
    pub(super) fn estimate_through(
        &mut self,
        space: &impl View<S>,
        node: NodeId,
        fuel: &mut Fuel,
    ) -> Result<Option<S::Cost>, Suspended> {
        match self.kept.search.known(node) {
            Some(Some(cost)) => Ok(Some(cost)),
            _ => self.extend(space, node, fuel),
        }
    }

    /// The estimate for a node of which nothing is known yet.
    #[inline(never)]
    fn extend(&mut self, space: &impl View<S>, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        let Self { kept, shared, .. } = self;
        let is_current = kept.revision == space.revision();
        if !is_current && let Some(cost) = kept.search.by_one_move(space, node) {
            return Ok(Some(cost));
        }
        let found = shared.go_on(&mut kept.search, kept.number, space, node, fuel)?;
        if is_current || found.is_some() {
            return Ok(found);
        }
        // What was searched in another map cannot say that there is no way in this one.
        self.renew(space, node, fuel)?;
        Ok(self.kept.search.known(node).flatten())
    }

    /// Searches the present revision of `space`, as far as to `origin`.
    pub(super) fn renew(&mut self, space: &impl View<S>, origin: NodeId, fuel: &mut Fuel) -> Result<(), Suspended> {
        let Self { kept, shared } = self;
        while kept.revision != space.revision() {
            // One that was begun before the last change goes on: else none would ever end in a map that changes all the time.
            let (search, revision) =
                kept.renewal.get_or_insert_with(|| (shared.begin(space, &kept.goals, origin), space.revision()));
            shared.go_on(search, kept.number, space, origin, fuel)?;
            kept.revision = *revision;
            if let Some((search, _)) = kept.renewal.take() {
                shared.used -= kept.search.bytes();
                kept.search = search;
            }
        }
        shared.go_on(&mut kept.search, kept.number, space, origin, fuel).map(drop)
    }
}

impl<S: SpaceGraph, M: Metric<S> + Clone> Heuristic<S> for TrueDistance<'_, S, M> {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        self.estimate_through(space, node, fuel)
    }
}
