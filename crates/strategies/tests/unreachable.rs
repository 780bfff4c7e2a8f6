//! Goals that cannot be reached: an agent with such a goal stands, the others arrive, and the search ends, whatever
//! guides it.

use crate::world::World;
use giveway_core::heuristic::{ByMetric, HeuristicSource, Manhattan, Zero};
use giveway_core::{Agent, ConflictRule, NodeId};
use giveway_distance::TrueDistances;
use giveway_spaces::Grid;
use giveway_strategies::{Cooperative, NoPlan};

/// A map that a wall cuts in two, and 40 agents: every third one has its goal on the other side.
fn cut_in_two() -> World {
    let row = format!("{0}#{0}", ".".repeat(15));
    let grid = Grid::from_ascii(&[row.as_str(); 20].join("\n")).unwrap();
    let at = |x: u32, y: u32| grid.node(x, y).unwrap();
    // Starts in two columns on each side, goals in two others, upside down.
    let place = |index: u32, columns: [u32; 2], y: u32| -> NodeId {
        let side = if index % 4 < 2 { 0 } else { 16 };
        at(side + columns[index as usize % 2], y)
    };
    let agents = (0..40).map(|index| {
        let y = index / 4 * 2;
        let side = if index % 3 == 0 { index + 2 } else { index };
        // Goals on the other side have rows of their own.
        let goal_y = if index % 3 == 0 { 18 - y + 1 } else { 18 - y };
        Agent::new(place(index, [1, 3], y), place(side, [10, 12], goal_y))
    });
    World { agents: agents.collect(), grid: grid.clone() }
}

fn check<H: HeuristicSource<Grid>>(name: &str, heuristics: impl Fn() -> H) {
    let world = cut_in_two();
    for rule in [ConflictRule::Swap, ConflictRule::Following] {
        let solution = world.solve(rule, |instance| Cooperative::new(heuristics()).solve(instance));
        let named: Vec<(u32, NoPlan)> = solution.unplanned.iter().map(|none| (none.agent.0, none.why)).collect();
        let expected: Vec<(u32, NoPlan)> = (0..40).step_by(3).map(|index| (index, NoPlan::Unreachable)).collect();
        assert_eq!((named.len(), named), (14, expected), "{name}, {rule:?}");
    }
}

#[test]
fn on_a_map_cut_in_two_whoever_can_arrive_does() {
    check("by true distances", TrueDistances::<Grid, Zero>::tables);
    check("by positions", || ByMetric(Manhattan { step: 1000 }));
    check("by nothing", || ByMetric(Zero));
}
