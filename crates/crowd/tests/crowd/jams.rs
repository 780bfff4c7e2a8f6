//! Jams: where windows are in vain, all plan together.

use giveway_crowd::{Chain, CrowdSettings, Planner, Report};

use crate::field::Field;

/// The reports of `ticks` ticks, of a crowd of `units` in a field.
fn reports(units: usize, ticks: usize, seed: u128) -> Vec<Report> {
    let field = Field::random(24, 100, seed);
    let mut run = field.crowd(units, CrowdSettings::new());
    let reports = (0..ticks).map(|_| run.tick()).collect();
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
        let reports = reports(240, 200, seed);
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
        let reports = reports(60, 120, seed);
        assert_eq!(joint(60, &reports), [], "seed {seed}");
    }
}

/// Windows are in vain from the first tick on.
#[test]
fn a_tick_of_a_full_field_takes_so_much_work_only() {
    let alone = Chain::new(Planner::Windowed).fallback(Planner::Step, 24);
    for (chain, waits) in [(Chain::default(), false), (alone, true)] {
        for seed in 1..=3 {
            let field = Field::random(16, 0, seed);
            let mut run = field.crowd(243, CrowdSettings::new().chain(chain.clone()));
            let reports: Vec<Report> = (0..200).map(|_| run.tick()).collect();
            let most = reports.iter().map(|report| report.work).max();
            assert!(most < Some(320 * 243 * 4), "{chain:?}, seed {seed}: {most:?}");
            assert_eq!(reports[0].postponed.len() > 20, waits, "{chain:?}, seed {seed}: they plan at the next tick");
            assert!(waits || run.crowd.is_at_rest(), "seed {seed}");
            run.check();
        }
    }
}
