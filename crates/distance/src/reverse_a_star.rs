//! The true distance by a reverse A* that stops when it knows enough, and resumes when more is asked.
//!
//! Silver, "Cooperative Pathfinding", 2006, section "Backwards Search" (RRA*, reverse resumable A*).

mod written;

use giveway_core::heuristic::{Metric, Zero};
use giveway_core::paged::Paged;
use giveway_core::{Fuel, Goals, Heuristic, Move, NodeId, SpaceGraph, Suspended};

use super::predecessors::PredecessorsIn;
use super::view::View;
use crate::flood::Flood;

/// The true distance to a set of goals, by A* from the goals. The search is aimed at the node where the agent was when
/// the search began.
///
/// The aim does not move with the agent: a moving aim would make the search inconsistent. A distance that has been
/// found stays valid, and no node is expanded twice. With [`Zero`] as metric the search is Dijkstra's algorithm.
///
/// # Memory
///
/// About 30 bytes for each node that the search has met. In addition, memory is taken by pages of 256 nodes with
/// consecutive ids: 4 bytes per node of each page that the search has met, and 8 bytes for each page of the map.
///
/// # Time
///
/// With limited fuel, the first question costs one more expansion for each 2^17 nodes of the map.
#[derive(Debug)]
pub struct ReverseAStar<S: SpaceGraph, M = Zero> {
    metric: M,
    goals: Goals,
    aim: NodeId,
    predecessors: PredecessorsIn<S>,
    flood: Flood<S::Cost>,
    /// Whether the goals have been put on the flood's open list.
    begun: bool,
    /// The revision of the space in which it was searched; `None`: in several ones.
    of: Option<u64>,
    /// The number of nodes closed when the aim was first reached.
    first_closed: Option<usize>,
    /// The search has outgrown its first way when it has closed more than this many times `first_closed` nodes.
    tolerance: usize,
    expanded: u64,
}

impl<S: SpaceGraph, M: Metric<S>> ReverseAStar<S, M> {
    /// The distances to `goals`, by a search that is aimed at the node `aim`, guided by `metric`. Goals that do not
    /// exist are ignored. Nothing is searched yet.
    pub fn new(predecessors: PredecessorsIn<S>, goals: Goals, aim: NodeId, metric: M) -> Self {
        let flood = Flood::new();
        Self {
            metric,
            goals,
            aim,
            predecessors,
            flood,
            begun: false,
            of: None,
            first_closed: None,
            tolerance: 4,
            expanded: 0,
        }
    }

    /// Forgets all distances found, and begins again, aimed at `aim`. The count of expansions goes on.
    pub fn restart(&mut self, aim: NodeId) {
        self.tolerance = self.tolerance.saturating_mul(2);
        (self.aim, self.first_closed) = (aim, None);
        (self.flood, self.begun) = (Flood::new(), false);
    }

    fn begin(&mut self, space: &impl View<S>) {
        (self.begun, self.of) = (true, Some(space.revision()));
        self.flood.reset(space.node_bound());
        for goal in self.goals.nodes() {
            if space.contains(*goal) {
                self.flood.seed(*goal, self.metric.distance(space.plain(), self.aim, *goal));
            }
        }
    }

    /// Whether it pays to [`restart`](Self::restart) the search, aimed at the present node of the agent.
    ///
    /// True if two conditions hold: the search has closed more than four times as many nodes as when it reached its
    /// aim, and it has closed more than a tenth of the nodes of the map. The factor of four doubles with every restart.
    /// So if many agents ask from all sides, restarts come to an end, and the search covers the map.
    pub fn has_outgrown(&self, space: &S) -> bool {
        self.has_outgrown_through(space)
    }

    /// [`has_outgrown`](Self::has_outgrown) at the costs of a view.
    pub(super) fn has_outgrown_through(&self, space: &impl View<S>) -> bool {
        let closed = self.flood.closed();
        self.first_closed.is_some_and(|first| closed / self.tolerance > first) && closed > space.node_bound() / 10
    }

    /// The number of nodes expanded, restarts included.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// The memory that the search takes, in bytes, without the memory that it shares with other searches.
    pub fn bytes(&self) -> usize {
        self.flood.bytes()
    }

    /// The estimate for `node`, if no search is needed.
    #[inline]
    pub(super) fn known(&self, node: NodeId) -> Option<Option<S::Cost>> {
        self.flood.distance(node).map(Some).or_else(|| (self.begun && self.flood.is_exhausted()).then_some(None))
    }

    /// [`Heuristic::estimate`], unless it would take more than `most_bytes` bytes.
    pub(super) fn estimate_within(
        &mut self,
        space: &impl View<S>,
        node: NodeId,
        fuel: &mut Fuel,
        most_bytes: usize,
    ) -> Result<Option<S::Cost>, Suspended> {
        if !self.begun {
            Paged::<u32>::pay(space.node_bound(), fuel, most_bytes)?;
            self.begin(space);
        }
        loop {
            if let Some(distance) = self.flood.distance(node) {
                return Ok(Some(distance));
            }
            if self.flood.bytes() >= most_bytes && !self.flood.is_exhausted() {
                return Err(Suspended::OutOfMemory);
            }
            if !self.close(space, fuel)? {
                return Ok(None);
            }
        }
    }

    /// Expands a node. `false`: there is none left.
    #[inline]
    fn close(&mut self, space: &impl View<S>, fuel: &mut Fuel) -> Result<bool, Suspended> {
        let Some(closed) = self.flood.close_next(fuel)? else { return Ok(false) };
        if self.of != Some(space.revision()) {
            self.of = None;
        }
        self.expanded += 1;
        if closed.node == self.aim {
            self.first_closed = Some(self.flood.closed());
        }
        // Backwards: a move into the closed node leads to the node where it begins.
        let backwards = self.predecessors.moves_into(space, closed.node).map(|m| Move { from: m.to, to: m.from, ..m });
        // The way that is still to be found leads from the aim to the node.
        let (metric, plain, aim) = (&self.metric, space.plain(), self.aim);
        self.flood.relax(closed.slot, backwards, |to| metric.distance(plain, aim, to));
        Ok(true)
    }

    /// Whether another search, in the present revision of `space`, comes to the same.
    pub(super) fn can_be_repeated(&self, space: &impl View<S>) -> bool {
        !self.begun || self.of == Some(space.revision())
    }
}

impl<S: SpaceGraph, M: Clone> Clone for ReverseAStar<S, M> {
    fn clone(&self) -> Self {
        Self {
            metric: self.metric.clone(),
            goals: self.goals.clone(),
            predecessors: self.predecessors.clone(),
            flood: self.flood.clone(),
            ..*self
        }
    }
}

impl<S: SpaceGraph, M: Metric<S>> Heuristic<S> for ReverseAStar<S, M> {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, Suspended> {
        self.estimate_within(space, node, fuel, usize::MAX)
    }
}
