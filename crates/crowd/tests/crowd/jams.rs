//! Jams: where windows are in vain, all plan together.

use giveway_crowd::{Chain, CrowdSettings, Planner, Report};
use rand::seq::IndexedRandom as _;
use rand_pcg::Pcg64Mcg;

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

/// In a joint plan by LaCAM alone, agents step aside for others without need: then this takes 35,346 moves.
#[test]
fn a_joint_plan_has_few_detours() {
    let moves: usize = [1, 3, 5, 7, 9].iter().map(|seed| sum(&reports(240, 200, *seed), |report| report.moves)).sum();
    assert!(moves < 33_500, "{moves}");
}

/// The reports of `ticks` ticks in which each of `units` in `field` gets one order after the other.
fn one_order_after_the_other(field: &Field, units: usize, ticks: usize) -> Vec<Report> {
    let mut run = field.crowd(units, CrowdSettings::new());
    let mut random = Pcg64Mcg::new(1);
    let mut reports = Vec::new();
    for _ in 0..ticks {
        let report = run.tick();
        for agent in &report.arrived {
            // The place may be another agent's goal.
            let _ = run.crowd.send(*agent, *field.goals.choose(&mut random).unwrap());
        }
        reports.push(report);
    }
    run.check();
    reports
}

fn sum(reports: &[Report], of: impl Fn(&Report) -> usize) -> usize {
    reports.iter().map(of).sum()
}

/// A joint plan knows only the orders of today. Where agents get one order after the other, steps do better: without them
/// this crowd carries out 1,365 orders.
#[test]
fn where_orders_keep_coming_steps_end_a_jam() {
    let reports = one_order_after_the_other(&Field::random(24, 100, 1), 240, 200);
    let (orders, steps) = (sum(&reports, |report| report.arrived.len()), sum(&reports, |report| report.served.step));
    assert!(orders > 1600 && steps > 20_000, "{orders} orders, {steps} steps");
}

/// Who takes steps from the middle of a journey on stands where others are going to pass. Each such unit used to stop
/// others, and these again others: 24,000 unit-ticks, and fewer than half of the orders.
#[test]
fn who_begins_to_take_steps_gets_a_place_of_its_own() {
    let reports = one_order_after_the_other(&Field::random(28, 0, 1), 400, 200);
    let orders = sum(&reports, |report| report.arrived.len());
    let standing = sum(&reports, |report| report.served.standing);
    assert!(orders > 3000 && standing < 1200, "{orders} orders, {standing} unit-ticks without a plan");
}

/// Knots and windows in vain used to take up to 1,266,000 units of work at one tick.
#[test]
fn where_orders_keep_coming_no_tick_takes_long() {
    let reports = one_order_after_the_other(&Field::rooms(39, 5), 250, 300);
    let orders = sum(&reports, |report| report.arrived.len());
    let most = reports.iter().map(|report| report.work).max();
    assert!(orders > 1300 && most < Some(160_000), "{orders} orders, {most:?} units of work");
}

#[test]
fn where_there_is_room_nobody_plans_together() {
    for seed in 1..=3 {
        let reports = reports(60, 120, seed);
        assert_eq!(joint(60, &reports), [0; 0], "seed {seed}");
    }
}

/// At one tick the step planner tries to lower all scores until about so much work is done for each of 243 agents.
const STEPS: u64 = 32_768 + 2048 * 243;

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
            assert!(most < Some(if waits { STEPS } else { 320 * 243 * 4 }), "{chain:?}, seed {seed}: {most:?}");
            assert_eq!(reports[0].postponed.len() > 20, waits, "{chain:?}, seed {seed}: they plan at the next tick");
            assert!(waits || run.crowd.is_at_rest(), "seed {seed}");
            run.check();
        }
    }
}
