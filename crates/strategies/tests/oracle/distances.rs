//! The cost of getting from everywhere to the nearest goal, by relaxing every move until nothing falls any more.

use giveway_core::{NodeId, SpaceGraph};

use crate::world::steps;

/// Per node, in steps; infinite where no goal can be reached.
pub(crate) fn to_goals<S: SpaceGraph>(space: &S, goals: &[NodeId]) -> Vec<f64> {
    let mut distances = vec![f64::INFINITY; space.node_bound()];
    for goal in goals.iter().filter(|goal| space.contains(**goal)) {
        distances[goal.index()] = 0.0;
    }
    loop {
        let mut fell = false;
        for node in (0..).map(NodeId).take(space.node_bound()) {
            for m in space.moves(node) {
                let through = steps(m.cost) + distances[m.to.index()];
                if through < distances[node.index()] {
                    distances[node.index()] = through;
                    fell = true;
                }
            }
        }
        if !fell {
            return distances;
        }
    }
}
