//! Sources of heuristics: strategies ask them for the heuristic of each agent.

use super::metric::{Metric, ToGoals};
use crate::estimate::Heuristic;
use crate::space::SpaceGraph;
use crate::vocabulary::{Copies, Fuel, Garbled, Goals, NodeId, Suspended, WordReader, Words};

/// The [epoch](HeuristicSource::epoch) of rough estimates.
pub const ROUGH: u64 = u64::MAX;

/// Makes, or keeps, a heuristic for each set of goals. CA* is cooperative search with [`ByMetric`]; HCA* is cooperative
/// search with `TrueDistances` of the crate `giveway-distance`.
pub trait HeuristicSource<S: SpaceGraph> {
    /// The heuristic of one agent.
    type Heuristic<'a>: Heuristic<S>
    where
        Self: 'a;

    /// The heuristic for ways to `goals`. `origin` is the node of the asking agent.
    ///
    /// If the space has changed since the goals were first asked for, the heuristic may be of an [earlier
    /// revision](Self::revision). A heuristic of an earlier revision may not be a lower bound, but it never calls
    /// reachable goals unreachable.
    fn heuristic<'a>(&'a mut self, space: &S, goals: &Goals, origin: NodeId) -> Self::Heuristic<'a>;

    /// Forgets all heuristics, because the next question is about another space. Two spaces may have equal
    /// [revisions](SpaceGraph::revision), so a source cannot notice that by itself. Strategies call this method before
    /// they solve an instance.
    fn forget(&mut self) {}

    /// Tells which estimates will be asked for next, in this order. Each pair holds the goals, and the node of the
    /// asking agent.
    ///
    /// A source may find these estimates ahead of the questions, on several threads. This call does not change the
    /// answers and counts of the source. `TrueDistances` of the crate `giveway-distance` uses threads with the feature
    /// `rayon`.
    fn prepare(&mut self, _space: &S, _asks: &[(&Goals, NodeId)]) {}

    /// Reads what an estimate for `origin`, a node of the space of the last question, needs from memory. Nothing
    /// changes, and the answer means nothing. A caller that will soon ask for several estimates calls this method for
    /// all of them first, so that the processor need not wait for one read after the other. Reads nothing by default,
    /// nor for goals that nobody has asked for.
    fn touch(&self, _goals: &Goals, _origin: NodeId) -> bool {
        false
    }

    /// The epoch of the estimates of ways to `goals`, for an agent at `origin`. When the epoch changes, estimates may
    /// be larger than before, although the space has not changed. So compare estimates only within one epoch. The
    /// epoch [`ROUGH`] tells that estimates are rough, and that the source will find better ones when there is work
    /// for them. By default the epoch is always 0.
    fn epoch(&mut self, _space: &S, _goals: &Goals, _origin: NodeId) -> u64 {
        0
    }

    /// Tells the source that a tick begins. `work`: the units of work that the tick has, for all agents and all
    /// purposes; the sources of all classes are told of the whole. If many agents ask at once, the source may spread the
    /// work over several ticks. An agent gets rough estimates until its turn comes. Does nothing by default.
    fn begin_tick(&mut self, _work: u64) {}

    /// Tells the source that all agents have planned at this tick, and gives it the fuel that is left. A source that has
    /// given [rough](ROUGH) estimates at this tick may find better ones. `asks` are the goals and the nodes of agents
    /// with rough estimates, and the agents that need better ones most come first. Does nothing by default.
    fn end_tick(&mut self, _space: &S, _asks: &mut dyn Iterator<Item = (&Goals, NodeId)>, _fuel: &mut Fuel) {}

    /// Brings the heuristic for `goals` up to the present [revision](SpaceGraph::revision) of `space`, as far as an
    /// agent at `origin` needs the heuristic.
    ///
    /// # Errors
    /// The work needs more fuel or more memory. The work done is kept.
    fn renew(&mut self, space: &S, goals: &Goals, origin: NodeId, fuel: &mut Fuel) -> Result<(), Suspended> {
        self.heuristic(space, goals, origin).estimate(space, origin, fuel).map(drop)
    }

    /// The revision of `space` for which the heuristic for `goals` was made. If there is no such heuristic yet, the
    /// present revision.
    fn revision(&self, space: &S, _goals: &Goals) -> u64 {
        space.revision()
    }

    /// Makes room in memory after an estimate was [suspended](Suspended::OutOfMemory): the source may drop the
    /// distances to all goals for which `needed` returns `false`. A source that suspends estimates for lack of memory
    /// must make room here; otherwise these estimates stay suspended for ever.
    fn keep_only(&mut self, _needed: &mut dyn FnMut(&Goals) -> bool) {}

    /// Tells that no agent has `goals` any more. The source may drop the distances to `goals`, at once or later. By
    /// default it keeps these distances.
    fn release(&mut self, _goals: &Goals) {}

    /// Appends what the source remembers to `words`. In another program, a source like this one can
    /// [read](Self::read_from) the words. The source that has read the words then gives the estimates that this source
    /// would give, and needs as much further work for them. `space` is the space of the last question, in its present
    /// revision.
    ///
    /// By default nothing is written: right for a source that gives equal answers at any time, without work.
    fn write_to(&self, _space: &S, _words: &mut Words) {}

    /// Forgets all, and reads what a source like this one has [written](Self::write_to). `space` must be equal to the
    /// space for which the words were written.
    ///
    /// # Errors
    /// The words are not what such a source writes in this space, or take more memory than the source may have. Then
    /// the source is of no use any more. Never panics.
    fn read_from(&mut self, _space: &S, _words: &mut WordReader<'_>) -> Result<(), Garbled> {
        self.forget();
        Ok(())
    }

    /// Parts a clone of the source from what it still shares with the source that it was cloned from, as
    /// [`CostLayer::detach`](crate::CostLayer::detach) does with a layer. Does nothing by default.
    fn detach(&mut self, _copies: &mut Copies) {}

    /// The memory of all distances of this source, in bytes.
    fn bytes(&self) -> usize {
        0
    }

    /// The number of nodes that reverse searches have expanded so far.
    fn reverse_expanded(&self) -> u64 {
        0
    }
}

/// A source that gives one metric to every agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ByMetric<M>(pub M);

impl<S: SpaceGraph, M: Metric<S> + Clone> HeuristicSource<S> for ByMetric<M> {
    type Heuristic<'a>
        = ToGoals<M>
    where
        Self: 'a;

    fn heuristic(&mut self, _space: &S, goals: &Goals, _origin: NodeId) -> ToGoals<M> {
        ToGoals { metric: self.0.clone(), goals: goals.clone() }
    }
}

/// A borrowed source outlives the strategy that asks it: what has been found can be used afterwards.
impl<S: SpaceGraph, H: HeuristicSource<S> + ?Sized> HeuristicSource<S> for &mut H {
    type Heuristic<'a>
        = H::Heuristic<'a>
    where
        Self: 'a;

    fn heuristic<'a>(&'a mut self, space: &S, goals: &Goals, origin: NodeId) -> H::Heuristic<'a> {
        (**self).heuristic(space, goals, origin)
    }

    fn forget(&mut self) {
        (**self).forget();
    }

    fn prepare(&mut self, space: &S, asks: &[(&Goals, NodeId)]) {
        (**self).prepare(space, asks);
    }

    fn touch(&self, goals: &Goals, origin: NodeId) -> bool {
        (**self).touch(goals, origin)
    }

    fn epoch(&mut self, space: &S, goals: &Goals, origin: NodeId) -> u64 {
        (**self).epoch(space, goals, origin)
    }

    fn begin_tick(&mut self, work: u64) {
        (**self).begin_tick(work);
    }

    fn end_tick(&mut self, space: &S, asks: &mut dyn Iterator<Item = (&Goals, NodeId)>, fuel: &mut Fuel) {
        (**self).end_tick(space, asks, fuel);
    }

    fn renew(&mut self, space: &S, goals: &Goals, origin: NodeId, fuel: &mut Fuel) -> Result<(), Suspended> {
        (**self).renew(space, goals, origin, fuel)
    }

    fn revision(&self, space: &S, goals: &Goals) -> u64 {
        (**self).revision(space, goals)
    }

    fn keep_only(&mut self, needed: &mut dyn FnMut(&Goals) -> bool) {
        (**self).keep_only(needed);
    }

    fn release(&mut self, goals: &Goals) {
        (**self).release(goals);
    }

    fn write_to(&self, space: &S, words: &mut Words) {
        (**self).write_to(space, words);
    }

    fn read_from(&mut self, space: &S, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        (**self).read_from(space, words)
    }

    fn bytes(&self) -> usize {
        (**self).bytes()
    }

    fn reverse_expanded(&self) -> u64 {
        (**self).reverse_expanded()
    }
}
