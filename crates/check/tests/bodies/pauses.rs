//! Agents that stand still on their way.

use giveway_check::BodyChecker;
use giveway_core::{Span, Stretch, Trace, TracedAgent, TracedMove, TracedPlace, Trajectory};
use std::f32::consts::FRAC_PI_2;

use super::{disc, place};

/// A disc of radius 1 that goes from x = 0 to x = 10 in ten ticks, and stands still during `pauses`.
fn goes(pauses: &[(u32, u32)]) -> TracedAgent {
    let pauses: Vec<Span> = pauses.iter().map(|(start, end)| Span::new(*start, *end)).collect();
    let late: u32 = pauses.iter().map(|pause| pause.end - pause.start).sum();
    let moves = vec![TracedMove::new(0, 10 + late, place([10.0, 0.0]))];
    TracedAgent { body: disc(1.0), pauses, ..TracedAgent::new(place([0.0, 0.0]), vec![], moves) }
}

/// A disc of radius 1 that stands on the way, at x = 6, from tick `appears` on, until `vanishes`.
fn stands(appears: u32, vanishes: u32) -> TracedAgent {
    let agent = TracedAgent::new(place([6.0, 0.0]), vec![], vec![]);
    TracedAgent { body: disc(1.0), appears, vanishes: Some(vanishes), ..agent }
}

/// When the two overlap first.
fn overlaps(pauses: &[(u32, u32)], [appears, vanishes]: [u32; 2]) -> Option<f64> {
    let trace = Trace::new(1, vec![goes(pauses), stands(appears, vanishes)]);
    BodyChecker::new().tolerance(0.0).check(&trace).first().map(|overlap| overlap.tick)
}

#[test]
fn who_stands_still_comes_later() {
    let near = |found: Option<f64>, expected: f64| found.is_some_and(|tick| (tick - expected).abs() < 1e-6);
    assert!(near(overlaps(&[], [0, 99]), 4.0));
    assert!(near(overlaps(&[(3, 8)], [0, 99]), 9.0), "a pause before");
    assert!(near(overlaps(&[(1, 3), (5, 6)], [0, 99]), 7.0), "two pauses before");
    assert!(near(overlaps(&[(6, 9)], [0, 99]), 4.0), "a pause afterwards");
    // It waits beside a place until the other one is gone.
    assert_eq!(overlaps(&[(4, 20)], [0, 20]), None);
    assert!(near(overlaps(&[(5, 20)], [0, 20]), 4.0));
    assert!(near(overlaps(&[(4, 20)], [20, 99]), 20.0));
    // It is in the way for as long as it stands there.
    assert!(near(overlaps(&[(6, 30)], [25, 26]), 25.0));
    assert_eq!(overlaps(&[(2, 30)], [25, 26]), None);
    assert_eq!(overlaps(&[(2, 30)], [25, 33]).map(f64::floor), Some(32.0));
}

/// A pause at the end of a move, and one that is all of a move, are times in which the body is somewhere, too.
#[test]
fn who_stands_still_at_the_end_is_there() {
    let meets = |agent: TracedAgent, x: f32| {
        let post = TracedAgent::new(place([x, 0.0]), vec![], vec![]);
        let post = TracedAgent { body: disc(0.5), appears: 20, vanishes: Some(25), ..post };
        !BodyChecker::new().check(&Trace::new(1, vec![agent, post])).is_empty()
    };
    for pauses in [&[(10, 30)][..], &[(4, 8), (14, 30)], &[(10, 21), (21, 30)]] {
        assert!(meets(goes(pauses), 10.0), "{pauses:?}");
        assert!(!meets(goes(pauses), 6.0), "{pauses:?}");
    }
    // Its curve ends above; the place at which it arrives is elsewhere.
    let up = Trajectory::new(vec![Stretch { share: 1.0, length: 3.0 * FRAC_PI_2, turn: FRAC_PI_2 }]);
    let drives = TracedMove { trajectory: Some(0), ..TracedMove::new(0, 30, place([9.0, 9.0])) };
    let driver = TracedAgent {
        body: disc(0.5),
        pauses: vec![Span::new(10, 30)],
        ..TracedAgent::new(place([0.0, 0.0]), vec![], vec![drives])
    };
    for (post, expected) in [([3.0, 3.0], true), ([9.0, 9.0], false), ([0.0, 0.0], false)] {
        let post = TracedAgent::new(place(post), vec![], vec![]);
        let post = TracedAgent { body: disc(0.5), appears: 20, vanishes: Some(25), ..post };
        let trace = Trace { trajectories: vec![up.clone()], ..Trace::new(1, vec![driver.clone(), post]) };
        assert_eq!(!BodyChecker::new().check(&trace).is_empty(), expected);
    }
    let stays = TracedAgent { pauses: vec![Span::new(0, 30)], ..goes(&[(0, 20)]) };
    assert!(meets(stays.clone(), 0.0));
    assert!(!meets(stays, 10.0));
}

#[test]
fn pauses_that_make_no_sense_do_not_count() {
    let with = |pauses: Vec<Span>| {
        let trace = Trace::new(1, vec![TracedAgent { pauses, ..goes(&[]) }, stands(0, 99)]);
        BodyChecker::new().tolerance(0.0).check(&trace)
    };
    let plain = with(Vec::new());
    assert_eq!(with(vec![Span::new(5, 5), Span::new(8, 40)]), plain);
    assert_eq!(with(vec![Span::new(30, 40)]), plain);
}

/// A car that stands still on a curve stands under the heading that it has there.
#[test]
fn who_stands_still_on_a_curve_keeps_its_heading() {
    let corners = vec![[-2.0, -0.5], [2.0, -0.5], [2.0, 0.5], [-2.0, 0.5]];
    let arrives = TracedPlace { heading: FRAC_PI_2, ..place([3.0, 3.0]) };
    let drive = TracedMove { trajectory: Some(0), ..TracedMove::new(0, 28, arrives) };
    let car = TracedAgent {
        body: Some(giveway_core::TracedBody::Polygon { corners }),
        pauses: vec![Span::new(4, 24)],
        ..TracedAgent::new(place([0.0, 0.0]), vec![], vec![drive])
    };
    let quarter = Trajectory::new(vec![Stretch { share: 1.0, length: 3.0 * FRAC_PI_2, turn: FRAC_PI_2 }]);
    let check = |x: f32, y: f32| {
        let post = TracedAgent {
            body: disc(0.1),
            appears: 10,
            vanishes: Some(20),
            ..TracedAgent::new(place([x, y]), vec![], vec![])
        };
        let trace = Trace { trajectories: vec![quarter.clone()], ..Trace::new(1, vec![car.clone(), post]) };
        !BodyChecker::new().check(&trace).is_empty()
    };
    // Half of the quarter is behind it: it stands at 45 degrees.
    let (x, y) = (3.0 * 0.5_f32.sqrt(), 3.0 - 3.0 * 0.5_f32.sqrt());
    let ahead = |length: f32, side: f32| {
        let c = 0.5_f32.sqrt();
        [x + (length - side) * c, y + (length + side) * c]
    };
    for (length, side, meets) in [(1.9, 0.0, true), (2.2, 0.0, false), (-1.9, 0.4, true), (0.0, 0.7, false)] {
        let [x, y] = ahead(length, side);
        assert_eq!(check(x, y), meets, "{length} ahead, {side} beside");
    }
}
