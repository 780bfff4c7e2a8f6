//! Corridors one cell wide: with a bay two can pass, without one they neither pass nor hang.

use giveway_check::Checker;
use giveway_core::ConflictRule::{Following, Swap};
use giveway_crowd::{CrowdSettings, CrowdSolver};
use giveway_strategies::Instance;

use crate::crowd::run::Run;
use crate::world::{World, assert_paths_legal, pictures, point};

/// Seven cells, and a bay under the middle.
fn bay() -> World {
    pictures(["A.....B", "@@@.@@@"], ["b.....a", "@@@.@@@"])
}

/// The least sum of costs is 15 under the swap rule and 18 under the following rule, as conflict-based search finds.
#[test]
fn two_pass_each_other_at_a_bay_whoever_comes_first() {
    for (rule, optimum) in [(Swap, 15), (Following, 18)] {
        for world in [bay(), bay().reversed()] {
            let solution = world.solve(rule, |instance| CrowdSolver::whca_star().latest(200).solve(instance));
            let cost = solution.plan.sum_of_costs();
            assert!(solution.is_complete() && cost >= optimum && cost <= 4 * optimum, "{rule:?}: {cost}");
        }
    }
}

/// A wants to the far end, and B in between: there is no solution, and no end to trying.
#[test]
fn where_nobody_can_pass_nobody_hangs() {
    let world = pictures(["A.B....."], [".....b.a"]);
    for rule in [Swap, Following] {
        let mut run = Run::under(rule, &world, CrowdSettings::new());
        for tick in 0..1000 {
            assert_eq!(run.tick().tick, tick);
        }
        assert!(!run.crowd.is_at_rest());
        run.check();
        // Without a limit it gives up by itself.
        let point = point(&world.grid, rule);
        let instance = Instance::new(&world.grid, &point, world.agents.clone()).unwrap();
        let solution = CrowdSolver::whca_star().solve(&instance);
        assert!(!solution.is_complete(), "{rule:?}");
        assert_paths_legal(&Checker::new(&world.grid, rule).with_crossings(), 0, &solution.plan.paths);
    }
}
