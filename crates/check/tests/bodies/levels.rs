//! Levels: rows worked out by hand, and a brute-force sampler.

use giveway_check::Wall;

use super::sampled::{any_agent, depth_at};
use super::*;

/// The place at (x, 0), at a height.
fn place(x: f32, height: f32) -> TracedPlace {
    TracedPlace::new(0, [x, 0.0, height])
}

/// A disc of radius 0.5.
fn agent(start: TracedPlace, moves: &[TracedMove]) -> TracedAgent {
    TracedAgent { body: disc(0.5), ..TracedAgent::new(start, vec![], moves.to_vec()) }
}

/// Three levels, of floors at 0, 3 and 6.
fn checker() -> BodyChecker {
    BodyChecker::new().tolerance(0.0).levels(-1.5, 3.0, 3)
}

/// The first time at which the two overlap, in hundredths of a tick, and the depth, in hundredths.
fn overlap(checker: &BodyChecker, [a, b]: [&TracedAgent; 2]) -> Option<(f64, f32)> {
    let [found, other] = [[a, b], [b, a]].map(|pair| {
        let found = checker.check(&Trace::new(1, pair.map(Clone::clone).to_vec()));
        found.first().map(|overlap| ((overlap.tick * 100.0).round(), (overlap.depth * 100.0).round()))
    });
    assert_eq!(found, other);
    found
}

#[test]
fn agents_meet_on_their_level() {
    for (height, level) in [
        (0.0, 0),
        (1.499, 0),
        (1.5, 1),
        (3.0, 1),
        (4.499, 1),
        (4.5, 2),
        (6.0, 2),
        // All below are on the lowest level, all above on the highest.
        (-1.5, 0),
        (-1.6, 0),
        (f32::MIN, 0),
        (7.5, 2),
        (99.0, 2),
        (f32::MAX, 2),
    ] {
        for (other, floor) in [0.0, 3.0, 6.0].into_iter().enumerate() {
            let pair = [&agent(place(0.0, height), &[]), &agent(place(0.5, floor), &[])];
            assert_eq!(overlap(&checker(), pair), (level == other).then_some((0.0, 50.0)), "{height} {floor}");
            // Without levels, heights are ignored.
            assert_eq!(overlap(&BodyChecker::new(), pair), Some((0.0, 50.0)), "{height} {floor}");
        }
    }
}

#[test]
fn agents_on_the_way_are_on_every_level_between() {
    let stands = [0.0, 3.0, 6.0].map(|height| agent(place(5.0, height), &[]));
    let met = |mover: &TracedAgent| [0, 1, 2].map(|level| overlap(&checker(), [mover, &stands[level]]));
    let climbs = |from, to| agent(place(0.0, from), &[TracedMove::new(0, 10, place(10.0, to))]);
    let meets = Some((400.0, 100.0));
    assert_eq!(met(&climbs(0.0, 0.0)), [meets, None, None]);
    assert_eq!(met(&climbs(0.0, 3.0)), [meets, meets, None]);
    assert_eq!(met(&climbs(6.0, 3.0)), [None, meets, meets]);
    assert_eq!(met(&climbs(0.0, 6.0)), [meets; 3]);
    assert_eq!(met(&climbs(9.0, -9.0)), [meets; 3]);
    // It waits at the foot of the ramp, and leaves the level as it arrives.
    let lift = |x| {
        let up = TracedMove::new(4, 8, place(x, 6.0));
        agent(place(x, 0.0), &[up, TracedMove::new(10, 10, place(x, 3.0))])
    };
    assert_eq!(met(&lift(5.0)), [Some((0.0, 100.0)), Some((400.0, 100.0)), Some((400.0, 100.0))]);
    let late = |level: usize, appears| TracedAgent { appears, ..stands[level].clone() };
    assert_eq!(overlap(&checker(), [&lift(5.0), &late(0, 7)]), Some((700.0, 100.0)));
    assert_eq!(overlap(&checker(), [&lift(5.0), &late(0, 8)]), None);
    assert_eq!(overlap(&checker(), [&lift(5.0), &late(1, 8)]), Some((1000.0, 100.0)));
    assert_eq!(overlap(&checker(), [&lift(5.0), &late(2, 10)]), None);
    // A leap passes no level between.
    let leaps = agent(place(5.0, 0.0), &[TracedMove::new(5, 5, place(5.0, 6.0))]);
    assert_eq!(met(&leaps), [Some((0.0, 100.0)), None, Some((500.0, 100.0))]);
    // Two that cross between levels.
    assert_eq!(overlap(&checker(), [&climbs(0.0, 3.0), &climbs(3.0, 6.0)]), Some((0.0, 100.0)));
    assert_eq!(overlap(&checker(), [&climbs(0.0, 0.0), &climbs(3.0, 6.0)]), None);
}

#[test]
fn leaving_the_level_ends_the_stretch() {
    // By a quarter on one level, then far in on the other, then far in on the first.
    let stands = agent(place(5.0, 0.0), &[]);
    let moves = [
        TracedMove::new(2, 2, place(5.0, 3.0)),
        TracedMove::new(4, 4, place(5.0, 0.0)),
        TracedMove::new(6, 6, place(9.0, 0.0)),
    ];
    assert_eq!(overlap(&checker(), [&agent(place(4.25, 0.0), &moves), &stands]), Some((0.0, 25.0)));
    // On the way up it is still on the first.
    let up = [TracedMove::new(2, 4, place(5.0, 3.0)), TracedMove::new(4, 4, place(9.0, 3.0))];
    assert_eq!(overlap(&checker(), [&agent(place(4.25, 0.0), &up), &stands]), Some((0.0, 100.0)));
}

#[test]
fn heights_that_are_not_finite_are_nowhere() {
    let stands = agent(place(5.0, 3.0), &[]);
    for nowhere in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let lost = agent(place(5.0, nowhere), &[]);
        assert_eq!(overlap(&checker(), [&lost, &stands]), None);
        assert_eq!(overlap(&BodyChecker::new(), [&lost, &stands]), Some((0.0, 100.0)));
        // It is there again once it is somewhere.
        let moves =
            [(2, nowhere), (4, 3.0), (6, nowhere)].map(|(tick, z)| TracedMove::new(tick - 1, tick, place(5.0, z)));
        assert_eq!(overlap(&checker(), [&agent(place(5.0, 0.0), &moves), &stands]), Some((400.0, 100.0)));
        assert_eq!(overlap(&checker(), [&agent(place(5.0, 6.0), &moves[..1]), &stands]), None);
    }
}

#[test]
fn levels_that_make_no_sense_are_none() {
    let pair = [&agent(place(0.0, -9.0), &[]), &agent(place(0.5, 9.0), &[])];
    for (lowest, height, count) in [
        (0.0, 1.0, 0),
        (0.0, 0.0, 3),
        (0.0, -1.0, 3),
        (0.0, f32::NAN, 3),
        (0.0, f32::INFINITY, 3),
        (f32::NAN, 1.0, 3),
        (f32::NEG_INFINITY, 1.0, 3),
    ] {
        let found = overlap(&BodyChecker::new().levels(lowest, height, count), pair);
        assert_eq!(found, Some((0.0, 50.0)), "{lowest} {height} {count}");
    }
    assert_eq!(overlap(&BodyChecker::new().levels(0.0, 1.0, 1), pair), Some((0.0, 50.0)));
    assert_eq!(overlap(&BodyChecker::new().levels(0.0, 1.0, u32::MAX), pair), None);
    assert_eq!(overlap(&BodyChecker::new().levels(0.0, 1.0, 2).levels(0.0, 1.0, 0), pair), Some((0.0, 50.0)));
}

#[test]
fn walls_stand_on_levels() {
    let wall = |height| Wall { height, ..Wall::rectangle([4.0, -1.0], [6.0, 1.0]) };
    let climbs = agent(place(0.0, 0.0), &[TracedMove::new(0, 10, place(10.0, 3.0))]);
    let found = |checker: &BodyChecker, agent: &TracedAgent, height| {
        let found = checker.check_walls(&Trace::new(1, vec![agent.clone()]), &[wall(height)]);
        found.first().map(|overlap| (overlap.tick * 100.0).round())
    };
    assert_eq!([0.0, 3.0, 6.0].map(|z| found(&checker(), &climbs, Some(z))), [Some(350.0), Some(350.0), None]);
    assert_eq!(found(&checker(), &climbs, None), Some(350.0));
    for height in [0.0, 3.0, 6.0] {
        assert_eq!(found(&checker(), &agent(place(5.0, height), &[]), None), Some(0.0));
    }
    assert_eq!(found(&BodyChecker::new(), &climbs, Some(6.0)), Some(350.0));
    let lost = agent(place(5.0, f32::NAN), &[]);
    assert_eq!(found(&checker(), &lost, None), None);
    assert_eq!(found(&BodyChecker::new(), &lost, Some(f32::NAN)), Some(0.0));
    assert_eq!(found(&checker(), &climbs, Some(f32::NAN)), None);
}

/// The levels on which a sensible agent is at `time`.
fn levels_at(agent: &TracedAgent, time: f64) -> [i32; 2] {
    // Levels begin at -1, 0, 1 and 2.
    #[allow(clippy::cast_possible_truncation)]
    let level = |place: &TracedPlace| (place.position[2].floor() as i32).clamp(-1, 2);
    let mut at = &agent.start;
    for step in &agent.moves {
        if time < step.depart.into() {
            break;
        }
        if time < step.arrive.into() {
            return [level(at).min(level(&step.to)), level(at).max(level(&step.to))];
        }
        at = &step.to;
    }
    [level(at); 2]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn samples_agree(
        agents in prop::collection::vec(any_agent(5, 4.0), 2..5),
        heights in prop::collection::vec(prop::collection::vec(-2.0_f32..4.0, 6), 5),
    ) {
        const SAMPLES: u32 = 50;
        // The fastest agents go 12 in a tick each: less deep than this, a break may hide between two samples.
        let hidden = 24.0 / f64::from(SAMPLES);
        let mut agents = agents;
        for (agent, heights) in agents.iter_mut().zip(&heights) {
            let places = std::iter::once(&mut agent.start).chain(agent.moves.iter_mut().map(|step| &mut step.to));
            places.zip(heights).for_each(|(place, height)| place.position[2] = *height);
        }
        let found = BodyChecker::new().levels(-1.0, 1.0, 4).check(&Trace::new(1, agents.clone()));
        for (i, a) in agents.iter().enumerate() {
            for (j, b) in agents.iter().enumerate().skip(i + 1) {
                if a.body.is_none() && b.body.is_none() {
                    continue;
                }
                let depth = |time: f64| {
                    let ([low, high], [other_low, other_high]) = (levels_at(a, time), levels_at(b, time));
                    depth_at(a, b, time).filter(|_| low <= other_high && other_low <= high)
                };
                let samples = (0..30 * SAMPLES).map(|sample| f64::from(sample) / f64::from(SAMPLES));
                let deep = samples.clone().find(|time| depth(*time).is_some_and(|depth| depth > 3e-3));
                let named = found.iter().find(|overlap| overlap.agents.map(|id| id.index()) == [i, j]);
                let Some(overlap) = named else {
                    prop_assert!(deep.is_none(), "{i} {j}: {deep:?}");
                    continue;
                };
                prop_assert!(deep.is_none_or(|time| time >= overlap.tick - 1e-6), "{deep:?} {overlap:?}");
                let first = depth(overlap.tick + 1e-7);
                prop_assert!(first.is_some_and(|depth| depth > 9e-4), "{overlap:?} {first:?}");
                let stretch = samples.skip_while(|time| *time < overlap.tick).map(|time| depth(time).unwrap_or(-1.0));
                let deepest = stretch.take_while(|depth| *depth > 3e-3 + hidden).fold(first.unwrap_or(0.0), f64::max);
                prop_assert!(f64::from(overlap.depth) >= deepest - 2e-3, "{overlap:?} {deepest}");
                prop_assert!(overlap.depth > 9e-4, "{overlap:?}");
            }
        }
    }
}
