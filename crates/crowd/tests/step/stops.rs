//! A tick may stop after any unit of work: nobody is without a plan then, and nobody is in danger.

use giveway_core::{Agent, AgentId, ConflictRule, NodeId};
use giveway_crowd::{Budget, CrowdSettings, Planner};
use giveway_spaces::Grid;

use crate::crowd::run::Run;

/// Sixteen units in a room of 30 cells, all under way, after `before` ticks.
fn room(grid: &Grid, rule: ConflictRule, before: u32) -> Run<'_> {
    let mut run = Run::empty(grid, rule, CrowdSettings::new().chain(Planner::Step));
    let cells: Vec<NodeId> = (0..30).map(NodeId).collect();
    for (start, goal) in cells.iter().step_by(2).zip(cells.iter().rev().step_by(2)) {
        run.crowd.add(run.class, Agent::new(*start, *goal)).unwrap();
    }
    for _ in 0..before {
        run.tick();
    }
    run
}

#[test]
fn a_tick_may_stop_after_any_unit_of_work() {
    let grid = Grid::open(6, 5).unwrap();
    let (mut most, mut moved) = (0, 0);
    for rule in [ConflictRule::Swap, ConflictRule::Following] {
        for before in [0, 3] {
            let all = room(&grid, rule, before).tick().operations;
            most = most.max(all);
            // Beyond the first ones only some, to save time.
            for work in (0..all.min(60)).chain((60..all).step_by(97)) {
                let mut run = room(&grid, rule, before);
                // The distances are known, so that all work goes into operations.
                let agents: Vec<AgentId> = run.crowd.agents().collect();
                for agent in &agents {
                    run.crowd.distance(*agent, Budget::unlimited());
                }
                let report = run.tick_within(Budget::work(work));
                assert!(report.operations <= work, "{report:?}");
                moved += report.moves;
                // From now on nobody does any work: all carry out what they hold, rest at its end, and go on to do so.
                for _ in 0..8 {
                    let report = run.tick_within(Budget::work(0));
                    assert_eq!((report.stopped.len(), report.served.standing, report.operations), (0, 0, 0));
                    moved += report.moves;
                }
                assert_eq!(run.tick_within(Budget::work(0)).moves, 0, "all operations have ended");
                run.check();
            }
        }
    }
    println!("up to {most} operations in a tick, {moved} moves");
    assert!(most > 100 && moved > 1000);
}

#[test]
fn without_any_work_nobody_moves_and_nothing_breaks() {
    let grid = Grid::open(6, 5).unwrap();
    let mut run = room(&grid, ConflictRule::Swap, 0);
    for _ in 0..20 {
        let report = run.tick_within(Budget::work(0));
        assert_eq!((report.moves, report.stopped.len(), report.served.standing), (0, 0, 0));
    }
    run.check();
}
