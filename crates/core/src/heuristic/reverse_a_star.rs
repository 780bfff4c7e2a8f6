//! The true distance by a reverse A* that stops when it knows enough, and resumes when it is asked for more.
//!
//! Silver, "Cooperative Pathfinding", 2006, section "Backwards Search" (RRA*, reverse resumable A*).

use super::metric::Metric;
use super::predecessors::PredecessorsIn;
use super::{Heuristic, Zero};
use crate::fuel::{Fuel, OutOfFuel};
use crate::goals::Goals;
use crate::search::Flood;
use crate::space::{Move, NodeId, SpaceGraph};

/// The true distance to a set of goals, found backwards from them by an A* that is aimed at where the agent was when the
/// search began.
///
/// It keeps its aim: an aim that followed the agent would make it inconsistent. A node whose distance is known is closed
/// for as long as the goals stand. With [`Zero`] as metric it is a resumable Dijkstra.
#[derive(Debug)]
pub struct ReverseAStar<S: SpaceGraph, M = Zero> {
    metric: M,
    goals: Goals,
    aim: NodeId,
    predecessors: PredecessorsIn<S>,
    flood: Flood<S::Action, S::Cost>,
    /// How many nodes had been closed when the aim was first reached.
    first_closed: Option<usize>,
    /// How many times as many nodes as the first way needed may be closed before the search has outgrown it.
    tolerance: usize,
    expanded: u64,
}

impl<S: SpaceGraph, M: Metric<S>> ReverseAStar<S, M> {
    /// The distances to `goals`, aimed at `aim`. Goals that do not exist are ignored. Nothing is searched yet.
    pub fn new(space: &S, predecessors: PredecessorsIn<S>, goals: Goals, aim: NodeId, metric: M) -> Self {
        let mut search = Self {
            metric,
            goals,
            aim,
            predecessors,
            flood: Flood::new(),
            first_closed: None,
            tolerance: 4,
            expanded: 0,
        };
        search.begin(space, aim);
        search
    }

    /// Begins again, aimed at `aim`; what was found is forgotten. The count of expansions goes on.
    pub fn restart(&mut self, space: &S, aim: NodeId) {
        self.tolerance = self.tolerance.saturating_mul(2);
        self.begin(space, aim);
    }

    fn begin(&mut self, space: &S, aim: NodeId) {
        self.aim = aim;
        self.first_closed = None;
        self.flood.reset(space.node_bound());
        for goal in self.goals.nodes() {
            if space.contains(*goal) {
                self.flood.seed(*goal, self.metric.distance(space, *goal, aim));
            }
        }
    }

    /// Whether so much more has been searched than the first way from the aim needed that it pays to
    /// [`restart`](Self::restart) from where the agent is now: more than four times as many nodes, and more than a tenth
    /// of the map. Twice as many after every restart: where many agents ask the same search from all sides, it settles down
    /// to one that covers the map.
    pub fn has_outgrown(&self, space: &S) -> bool {
        let closed = self.flood.closed();
        self.first_closed.is_some_and(|first| closed / self.tolerance > first) && closed > space.node_bound() / 10
    }

    /// How many nodes have been expanded, restarts included.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }
}

impl<S: SpaceGraph, M: Metric<S>> Heuristic<S> for ReverseAStar<S, M> {
    #[inline]
    fn estimate(&mut self, space: &S, node: NodeId, fuel: &mut Fuel) -> Result<Option<S::Cost>, OutOfFuel> {
        loop {
            if let Some(distance) = self.flood.distance(node) {
                return Ok(Some(distance));
            }
            let Some(closed) = self.flood.close_next(fuel, &mut ())? else {
                return Ok(None);
            };
            self.expanded += 1;
            if closed.node == self.aim {
                self.first_closed = Some(self.flood.closed());
            }
            // Backwards: a move into the closed node leads to where it comes from.
            let backwards =
                self.predecessors.moves_into(space, closed.node).map(|m| Move { from: m.to, to: m.from, ..m });
            let (metric, aim) = (&self.metric, self.aim);
            self.flood.relax(closed.slot, backwards, |to| Ok(Some(metric.distance(space, to, aim))))?;
        }
    }
}
