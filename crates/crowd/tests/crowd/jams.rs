//! Jams: where windows are in vain, all plan together.

use giveway_core::{Agent, ConflictRule};
use giveway_crowd::{Budget, CrowdSettings, Report};

use crate::crowd::run::Run;
use crate::field::field;

/// The reports of `ticks` ticks, of a crowd of `units` in a field.
fn reports(units: usize, ticks: usize, budget: Budget, seed: u128) -> Vec<Report> {
    let (grid, starts, goals) = field(100, seed);
    let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new());
    for (start, goal) in starts.iter().zip(&goals).take(units) {
        run.crowd.add(run.class, Agent::new(*start, *goal)).unwrap();
    }
    let reports = (0..ticks).map(|_| run.tick_within(budget)).collect();
    run.check();
    reports
}

/// The ticks at which all of `units` plan together.
fn joint(units: usize, reports: &[Report]) -> Vec<u32> {
    let together = |report: &&Report| report.knots.iter().any(|knot| knot.len() == units);
    reports.iter().filter(together).map(|report| report.tick).collect()
}

#[test]
fn a_jam_ends_with_a_plan_for_all() {
    for seed in 1..=3 {
        let reports = reports(240, 200, Budget::unlimited(), seed);
        let joint = joint(240, &reports);
        assert!((1..=4).contains(&joint.len()), "seed {seed}: {joint:?}");
        let next = &reports[joint[0] as usize + 1];
        assert_eq!((next.served.lacam, next.searches), (240, 0), "all follow the joint plan");
        let late: usize = reports[150..].iter().map(|report| report.moves).sum();
        assert_eq!(late, 0, "seed {seed}: all are home");
    }
}

#[test]
fn where_there_is_room_nobody_plans_together() {
    for seed in 1..=3 {
        let reports = reports(60, 120, Budget::unlimited(), seed);
        assert_eq!(joint(60, &reports), [], "seed {seed}");
    }
}

#[test]
fn a_joint_plan_is_not_begun_without_work_for_all_of_it() {
    let reports = reports(240, 60, Budget::work(4000), 1);
    assert_eq!(joint(240, &reports), []);
    assert!(reports.iter().all(|report| report.work <= 4000));
}
