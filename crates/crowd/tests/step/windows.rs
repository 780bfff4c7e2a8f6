//! Steps under windows: units on windows and units on steps share one store, and take ticks from each other.

use giveway_crowd::{Chain, CrowdSettings, Planner};

use crate::field::Field;

/// Steps write what their board says is free. Whoever loses something to them all the same loses its plan: otherwise it
/// goes on without a reservation, and two are at one place.
#[test]
fn steps_take_no_tick_of_a_window_unseen() {
    let (mut by_steps, mut by_windows, mut inherited) = (0, 0, 0);
    for seed in 1..=3 {
        let field = Field::random(24, 100, seed);
        let chain = Chain::new(Planner::Windowed).fallback(Planner::Step, 4);
        let mut run = field.crowd(290, CrowdSettings::new().chain(chain));
        for _ in 0..60 {
            let report = run.tick();
            assert_eq!(report.overlaps, 0, "at {}", report.tick);
            by_steps += report.served.step;
            by_windows += report.served.windowed;
            inherited += report.inheritances;
        }
        run.check();
    }
    println!("{by_steps} by steps, {by_windows} by windows, {inherited} inheritances");
    assert!(by_steps > 1000 && by_windows > 1000 && inherited > 1000);
}
