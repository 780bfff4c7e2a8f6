//! Repair: a table keeps up with an edit of a few nodes without a search, if only distances near them change.

use giveway_core::{Goals, NodeId, SpaceGraph};

use super::breadth_first::BreadthFirst;
use super::predecessors::PredecessorsIn;
use super::view::View;

/// The number of passes over the edited nodes after which a table is given up.
const MOST_PASSES: usize = 4;

/// The number of rounds, each one move farther from the edit, after which a table is given up.
const MOST_ROUNDS: usize = 8;

/// The number of nodes with distances that may be new, after which a table is given up.
const MOST_CHANGES: usize = 96;

/// Distances are right if each is one more than the least distance at the end of a move: they follow from the goals, as
/// every move costs the same. An edit changes moves at the edited nodes only. So the distances of the edited nodes are
/// found anew, from the distances of their neighbours. Then come the nodes from which moves lead to changed nodes,
/// until all distances are right again.
pub(super) struct Repair<'a, S: SpaceGraph, V> {
    pub(super) space: &'a V,
    pub(super) predecessors: &'a PredecessorsIn<S>,
    pub(super) goals: &'a Goals,
}

impl<S: SpaceGraph, V: View<S>> Repair<'_, S, V> {
    /// Brings `search` up to date after an edit of the `edited` nodes. Returns whether that was possible. If not, a few
    /// distances may be new.
    pub(super) fn apply(&self, search: &mut BreadthFirst, edited: &[NodeId]) -> bool {
        let Some(reach) = search.reach_of_steps() else { return true };
        // Mostly the search has not come that far, or nothing changes.
        if edited.iter().all(|node| reach.agrees(search.steps(*node), self.value(*node, |to| search.steps(to)))) {
            return true;
        }
        let mut changes: Vec<(NodeId, Option<u32>)> = edited.iter().map(|node| (*node, search.steps(*node))).collect();
        changes.sort_unstable();
        changes.dedup();
        for _ in 0..MOST_ROUNDS {
            if changes.len() > MOST_CHANGES || !self.settle(search, &mut changes) {
                return false;
            }
            let news = changes.iter().copied().filter(|(node, new)| !reach.agrees(search.steps(*node), *new));
            let news: Vec<(NodeId, Option<u32>)> = news.collect();
            if !news.iter().all(|(node, new)| reach.may_change(search.steps(*node)) && reach.may_change(*new)) {
                return false;
            }
            let steps = |node: NodeId| steps_of(&changes, search, node);
            let mut beyond: Vec<(NodeId, Option<u32>)> = Vec::new();
            for (node, _) in &news {
                self.predecessors.for_each_move_into(self.space, *node, |m| {
                    if !reach.agrees(steps(m.from), self.value(m.from, steps)) {
                        beyond.push((m.from, steps(m.from)));
                    }
                });
            }
            if beyond.is_empty() {
                return news.into_iter().all(|(node, new)| search.set_steps(node, new));
            }
            changes.extend(beyond);
            changes.sort_unstable();
            changes.dedup();
        }
        false
    }

    /// Finds the distances of `changes` from the distances of their neighbours. Returns whether the distances come to
    /// rest.
    fn settle(&self, search: &BreadthFirst, changes: &mut [(NodeId, Option<u32>)]) -> bool {
        for _ in 0..MOST_PASSES {
            let mut is_settled = true;
            for index in 0..changes.len() {
                let new = self.value(changes[index].0, |to| steps_of(changes, search, to));
                is_settled &= std::mem::replace(&mut changes[index].1, new) == new;
            }
            if is_settled {
                return true;
            }
        }
        false
    }

    /// The number of moves from `node` to a goal, by the `steps` of the nodes around it.
    fn value(&self, node: NodeId, steps: impl Fn(NodeId) -> Option<u32>) -> Option<u32> {
        if self.goals.contains(node) && self.space.contains(node) {
            return Some(0);
        }
        self.space.moves(node).filter_map(|m| steps(m.to)).min().map(|steps| steps.saturating_add(1))
    }
}

/// The steps of `node`, by `changes`, which are in order, or else by `search`.
fn steps_of(changes: &[(NodeId, Option<u32>)], search: &BreadthFirst, node: NodeId) -> Option<u32> {
    match changes.binary_search_by_key(&node, |(node, _)| *node) {
        Ok(index) => changes[index].1,
        Err(_) => search.steps(node),
    }
}

/// How far a search has come.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// The number of moves from the frontier to a goal: every nearer node is known, and expanded. `u32::MAX`:
    /// everything is known.
    pub(super) frontier: u32,
    /// Whether no node of the frontier has been expanded.
    pub(super) is_whole: bool,
}

impl Reach {
    /// Whether a node with the distance `old` in the search, which is `new` by the nodes around it, can stay as it is:
    /// beyond the frontier the search has yet to come.
    fn agrees(self, old: Option<u32>, new: Option<u32>) -> bool {
        let seen_next = self.frontier.saturating_add(u32::from(!self.is_whole));
        old == new || old.is_none() && new > Some(seen_next)
    }

    /// Whether the search may be told of a node at this distance, before it was changed or after.
    fn may_change(self, steps: Option<u32>) -> bool {
        steps.is_none_or(|steps| steps < self.frontier)
    }
}
