//! The true distance by an unaimed reverse search: breadth-first where all moves cost the same, else by buckets.

mod written;

use giveway_core::origins::Origins;
use giveway_core::{Cost, Fuel, Goals, Heuristic, NodeId, SpaceGraph, Suspended};
use num_traits::Zero as _;

use super::breadth_first::{BreadthFirst, Sought};
use super::buckets::Buckets;
use super::predecessors::PredecessorsIn;
use super::repair::Repair;
use super::view::View;

/// The true distance to a set of goals. A search from the goals outwards finds the distances. The search stops at the
/// node that was asked for, and goes on at the next question.
///
/// Expands more nodes than [`ReverseAStar`](super::ReverseAStar), but each expansion is cheaper, and much cheaper where
/// the space has a [uniform cost](giveway_core::Facts::uniform_cost). Suits agents that come from all sides.
///
/// # Memory
///
/// Memory is taken by the page, when the search meets the first node of the page.
///
/// With a uniform cost a page is 256 nodes with consecutive ids, at 2 bytes per node. Each page of the map takes 8 more
/// bytes, whether the search has met the page or not. On a [plain grid](giveway_core::Tiles) a page is 64 x 8 cells, at
/// 1 byte per cell. A cell takes 2 more bytes if it is over 30 moves farther from the goals than the nearest cells of
/// its 8 x 8 tile.
///
/// Where costs differ a page is 256 nodes, at 8 bytes per node for costs of 32 bits, and 16 bytes for costs of 64 bits.
/// An entry of the open list takes 8 bytes, or 16 bytes for costs of 64 bits; a node may have several entries.
///
/// # Time
///
/// With limited fuel, the first question costs one more expansion for each 2^17 nodes of the map.
#[derive(Debug)]
pub struct DistanceTable<S: SpaceGraph> {
    search: Search<S::Cost>,
    goals: Goals,
    predecessors: PredecessorsIn<S>,
    /// The revision of the space in which it was searched; `None`: in several ones, or in none yet.
    of: Option<u64>,
}

#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // asked at every expansion, and small against the tables
enum Search<C: Cost> {
    /// All moves cost the same.
    Uniform(BreadthFirst, C),
    Weighted(Buckets<C>),
}

impl<S: SpaceGraph> DistanceTable<S> {
    /// The distances to `goals`. Goals that do not exist are ignored. Nothing is searched yet.
    pub fn new(space: &S, predecessors: PredecessorsIn<S>, goals: Goals) -> Self {
        Self::through(space, predecessors, goals)
    }

    /// [`new`](Self::new) at the costs of a view.
    pub(super) fn through(space: &impl View<S>, predecessors: PredecessorsIn<S>, goals: Goals) -> Self {
        let search = match space.facts().uniform_cost {
            None => Search::Weighted(Buckets::new()),
            Some(cost) => Search::Uniform(BreadthFirst::new(), cost),
        };
        Self { search, goals, predecessors, of: None }
    }

    /// The number of nodes expanded.
    pub fn expanded(&self) -> u64 {
        match &self.search {
            Search::Uniform(frontier, _) => frontier.expanded(),
            Search::Weighted(buckets) => buckets.expanded(),
        }
    }

    /// The memory that the table takes, in bytes, without the memory that it shares with other tables.
    pub fn bytes(&self) -> usize {
        match &self.search {
            Search::Uniform(frontier, _) => frontier.bytes(),
            Search::Weighted(buckets) => buckets.bytes(),
        }
    }

    /// The estimate for `node`, if no search is needed.
    #[inline(always)]
    pub(super) fn known(&self, node: NodeId) -> Option<Option<S::Cost>> {
        match &self.search {
            Search::Uniform(frontier, cost) => match frontier.steps(node) {
                Some(steps) => Some(Some(cost.times(steps))),
                None => frontier.is_exhausted().then_some(None),
            },
            Search::Weighted(buckets) => buckets.known(node),
        }
    }

    /// The number of moves from `node` to a goal, if it is known and costs are uniform.
    pub(super) fn moves(&self, node: NodeId) -> Option<u32> {
        match &self.search {
            Search::Uniform(frontier, _) => frontier.steps(node),
            Search::Weighted(_) => None,
        }
    }

    /// [`Heuristic::estimate`], unless it would take more than `most_bytes` bytes.
    pub(super) fn estimate_within(
        &mut self,
        space: &impl View<S>,
        node: NodeId,
        fuel: &mut Fuel,
        most_bytes: usize,
    ) -> Result<Option<S::Cost>, Suspended> {
        let Self { search, goals, predecessors, of } = self;
        let bound = space.node_bound();
        let is_begun = match search {
            Search::Uniform(frontier, _) => frontier.is_begun(),
            Search::Weighted(buckets) => buckets.is_begun(),
        };
        // A unit on a goal needs no table.
        if !is_begun && goals.contains(node) && space.contains(node) {
            return Ok(Some(S::Cost::zero()));
        }
        *of = Some(space.revision()).filter(|present| !is_begun || *of == Some(*present));
        let existing = existing(goals, space);
        match search {
            Search::Uniform(frontier, cost) => {
                let origins = predecessors.origins(space);
                if !is_begun {
                    frontier.begin(bound, existing, origins.and_then(Origins::tiles), fuel, most_bytes)?;
                }
                if node.index() >= bound {
                    return Ok(None);
                }
                let sought = Sought {
                    node,
                    bound,
                    borders: |frontier: &BreadthFirst| space.moves(node).any(|m| frontier.steps(m.to).is_some()),
                    see_around: |frontier: &mut BreadthFirst, expanded| {
                        predecessors.for_each_move_into(space, expanded, |m| frontier.see(bound, m.from));
                    },
                };
                frontier.reach(&sought, origins, fuel, most_bytes)?;
                Ok(frontier.steps(node).map(|steps| cost.times(steps)))
            }
            Search::Weighted(buckets) => {
                if !is_begun {
                    buckets.begin(bound, existing, fuel, most_bytes)?;
                }
                if node.index() >= bound {
                    return Ok(None);
                }
                let see_around = |buckets: &mut Buckets<S::Cost>, expanded, onward| {
                    predecessors.for_each_move_into(space, expanded, |m| buckets.see(m.from, m.cost, onward));
                };
                buckets.reach(node, see_around, fuel, most_bytes)
            }
        }
    }

    /// Brings the table up to date after an edit of the `edited` nodes, without a search. Returns whether that was
    /// possible; if not, it is as good as before.
    pub(super) fn repair(&mut self, space: &impl View<S>, present: PredecessorsIn<S>, edited: &[NodeId]) -> bool {
        let Self { search: Search::Uniform(frontier, cost), goals, predecessors, of } = self else { return false };
        *of = None;
        let is_uniform = space.facts().uniform_cost == Some(*cost);
        let is_repaired = is_uniform && Repair { space, predecessors: &present, goals }.apply(frontier, edited);
        if is_repaired {
            *predecessors = present;
        }
        is_repaired
    }

    /// The breadth-first search, begun; `None` where costs differ.
    #[cfg(feature = "rayon")]
    pub(super) fn begun(&mut self, space: &S) -> Option<&mut BreadthFirst> {
        let Self { search: Search::Uniform(frontier, _), goals, predecessors, of } = self else { return None };
        if !frontier.is_begun() {
            let goals = existing(goals, space);
            let tiles = predecessors.origins(space).and_then(Origins::tiles);
            frontier.begin(space.node_bound(), goals, tiles, &mut Fuel::unlimited(), usize::MAX).ok()?;
            *of = Some(space.revision());
        }
        Some(frontier)
    }
}

/// Those of `goals` that exist in `space`.
fn existing(goals: &Goals, space: &impl SpaceGraph) -> impl Iterator<Item = NodeId> {
    goals.nodes().iter().copied().filter(|goal| space.contains(*goal))
}

impl<S: SpaceGraph> Clone for DistanceTable<S> {
    fn clone(&self) -> Self {
        let Self { search, goals, predecessors, of } = self;
        Self { search: search.clone(), goals: goals.clone(), predecessors: predecessors.clone(), of: *of }
    }
}

impl<S: SpaceGraph> Heuristic<S> for DistanceTable<S> {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        match self.known(node) {
            Some(known) => Ok(known),
            None => self.estimate_within(space, node, fuel, usize::MAX),
        }
    }
}
