//! The oracle: Dijkstra's algorithm over all joint configurations and steps.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use giveway_core::NodeId;

use super::super::{Field, Step};
use super::board::Board;

/// The smallest sum of costs there is; `None`: there is no plan.
pub(super) fn least_sum_of_costs(board: &mut Board) -> Option<u64> {
    let starts: Vec<NodeId> = board.units.iter().map(|unit| unit.start).collect();
    let mut open = BinaryHeap::from([Reverse((0, 0, starts))]);
    let mut closed: BTreeSet<(u32, Vec<NodeId>)> = BTreeSet::new();
    let settled = board.settled();
    while let Some(Reverse((cost, at, nodes))) = open.pop() {
        if !closed.insert((at, nodes.clone())) {
            continue;
        }
        let stays = |node: &NodeId| Step { from: *node, to: *node, action: None };
        let all_stay: Vec<Step> = nodes.iter().map(stays).collect();
        let there = (0..).zip(&nodes).all(|(unit, node)| board.is_goal(unit, *node));
        if at == settled && there && is_permitted(board, &all_stay, at) {
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
            if is_permitted(board, &steps, at) {
                let pays = |unit: usize, step: &Step| step.action.is_some() || !board.is_goal(unit, step.to);
                let paid = steps.iter().enumerate().filter(|(unit, step)| pays(*unit, step)).count();
                let nodes = steps.iter().map(|step| step.to).collect();
                open.push(Reverse((cost + paid as u64, settled.min(at + 1), nodes)));
            }
        }
    }
    None
}

fn is_permitted(board: &mut Board, steps: &[Step], at: u32) -> bool {
    steps.iter().enumerate().all(|(unit, step)| {
        !board.is_blocked(step, at) && steps[..unit].iter().all(|before| !board.conflict(step, before))
    })
}
