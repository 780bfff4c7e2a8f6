//! All agents at once: the least sum of costs there is, by Dijkstra's algorithm over the positions of all agents.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use giveway_core::{Agent, ConflictRule, NodeId, SpaceGraph};

/// Where an agent is, and whether it has arrived for good.
type Place = (NodeId, bool);

/// Where everyone is.
type Joint = Vec<Place>;

/// Whether a move to the node is compatible with the choices of the agents before.
type Compatible<'a> = dyn Fn(&[Place], NodeId) -> bool + 'a;

type Complete<'a> = dyn FnMut(&[Place]) + 'a;

/// The least sum over agents of the tick at which each arrives for good; `None`: there is no plan at all.
///
/// `meet` says whether an agent on the first way meets an agent on the second.
pub(crate) fn least_sum_of_costs<S: SpaceGraph>(
    space: &S,
    rule: ConflictRule,
    meet: &dyn Fn([NodeId; 2], [NodeId; 2]) -> bool,
    agents: &[Agent],
) -> Option<u64> {
    let mut open: BinaryHeap<Reverse<(u64, Joint)>> = BinaryHeap::new();
    let mut closed: BTreeSet<Joint> = BTreeSet::new();
    let options = |agent: &Agent, node: NodeId| {
        let may_end = agent.goals.contains(node);
        std::iter::once((node, false)).chain(may_end.then_some((node, true)))
    };
    let begin = agents.iter().map(|agent| options(agent, agent.start).collect()).collect::<Vec<Vec<_>>>();
    each_choice(&begin, &|_, _| true, &mut |joint| {
        open.push(Reverse((0, joint.to_vec())));
    });
    while let Some(Reverse((cost, joint))) = open.pop() {
        if joint.iter().all(|(_, arrived)| *arrived) {
            return Some(cost);
        }
        if !closed.insert(joint.clone()) {
            continue;
        }
        let next: Vec<Vec<Place>> = agents
            .iter()
            .zip(&joint)
            .map(|(agent, (node, arrived))| {
                if *arrived {
                    return vec![(*node, true)];
                }
                let moves = space.moves(*node).map(|m| m.to);
                std::iter::once(*node).chain(moves).flat_map(|node| options(agent, node)).collect()
            })
            .collect();
        let tick = joint.iter().filter(|(_, arrived)| !arrived).count() as u64;
        let compatible = |chosen: &[Place], to: NodeId| {
            let from = joint[chosen.len()].0;
            chosen.iter().zip(&joint).all(|((other_to, _), (other_from, _))| {
                let both_move = from != to && other_from != other_to;
                let meet = both_move && meet([from, to], [*other_from, *other_to]);
                !meet
                    && match rule {
                        ConflictRule::Swap => to != *other_to,
                        ConflictRule::Following => {
                            ![from, to].iter().any(|node| [other_from, other_to].contains(&node))
                        }
                    }
            })
        };
        each_choice(&next, &compatible, &mut |joint| {
            if !closed.contains(joint) {
                open.push(Reverse((cost + tick, joint.to_vec())));
            }
        });
    }
    None
}

/// Calls `complete` for each way to choose one option per agent such that each option is `compatible` with the options
/// before.
fn each_choice(options: &[Vec<Place>], compatible: &Compatible<'_>, complete: &mut Complete<'_>) {
    fn go(options: &[Vec<Place>], chosen: &mut Joint, compatible: &Compatible<'_>, complete: &mut Complete<'_>) {
        let Some(mine) = options.get(chosen.len()) else {
            complete(chosen);
            return;
        };
        for option in mine {
            if compatible(chosen, option.0) {
                chosen.push(*option);
                go(options, chosen, compatible, complete);
                chosen.pop();
            }
        }
    }
    go(options, &mut Vec::new(), compatible, complete);
}
