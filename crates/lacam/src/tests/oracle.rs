//! The oracle: Dijkstra's algorithm over all joint configurations and steps.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use giveway_core::NodeId;

use super::board::Board;
use crate::Step;

/// The smallest sum of costs there is; `None`: there is no plan.
pub(super) fn least_sum_of_costs(board: &Board) -> Option<u64> {
    let starts: Vec<NodeId> = board.units.iter().map(|unit| unit.start).collect();
    let mut open = BinaryHeap::from([Reverse((0, starts))]);
    let mut closed: BTreeSet<Vec<NodeId>> = BTreeSet::new();
    while let Some(Reverse((cost, nodes))) = open.pop() {
        if !closed.insert(nodes.clone()) {
            continue;
        }
        let stays = |node: &NodeId| Step { from: *node, to: *node, action: None };
        let all_stay: Vec<Step> = nodes.iter().map(stays).collect();
        let there = board.units.iter().zip(&nodes).all(|(unit, node)| unit.goals.contains(node));
        if there && is_permitted(board, &all_stay) {
            return Some(cost);
        }
        let mut joint: Vec<Vec<Step>> = vec![Vec::new()];
        for from in &nodes {
            let moves = board.neighbours(*from);
            let moves = moves.iter().map(|(to, position)| Step { from: *from, to: *to, action: Some(*position) });
            let steps: Vec<Step> = moves.chain([stays(from)]).collect();
            let longer = |before: &Vec<Step>| {
                let before = before.clone();
                steps.iter().map(move |step| before.iter().copied().chain([*step]).collect()).collect::<Vec<_>>()
            };
            joint = joint.iter().flat_map(longer).collect();
        }
        for steps in joint {
            if is_permitted(board, &steps) {
                let pays =
                    |unit: usize, step: &Step| step.action.is_some() || !board.units[unit].goals.contains(&step.to);
                let paid = steps.iter().enumerate().filter(|(unit, step)| pays(*unit, step)).count();
                let nodes = steps.iter().map(|step| step.to).collect();
                open.push(Reverse((cost + paid as u64, nodes)));
            }
        }
    }
    None
}

fn is_permitted(board: &Board, steps: &[Step]) -> bool {
    steps.iter().enumerate().all(|(unit, step)| {
        !board.is_outside(*step) && steps[..unit].iter().all(|before| !board.conflict(step, before))
    })
}
