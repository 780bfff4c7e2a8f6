//! Rows worked out by hand.

use super::*;

#[test]
fn a_plank_turns_on_the_spot() {
    let quarter = [trajectory(&[[1.0, 0.0, FRAC_PI_2]]), trajectory(&[[1.0, 0.0, -FRAC_PI_2]])];
    let turns = |trajectory, to| {
        agent(rectangle(3.0, 1.0), place([0.0; 2], 0.0), &[step(2, 12, place([0.0; 2], to), trajectory)])
    };
    let (left, right) = (turns(0, FRAC_PI_2), turns(1, -FRAC_PI_2));
    let tick = |angle: f64| 2.0 + 10.0 * angle / QUARTER;

    // Its long side meets a disc whose middle, seen from the plank, is at (y sin a, y cos a).
    let still = agent(disc(0.3), at([0.0, 1.3]), &[]);
    let meets = (0.8_f64 / 1.3).acos();
    // It is deepest when it is as far from the end as from the side.
    let deepest = QUARTER / 2.0 + (1.0 / 1.3 / 2.0_f64.sqrt()).asin();
    assert_overlap(&quarter, [&left, &still], tick(meets), Some(1.8 - 1.3 * deepest.sin()));
    assert_overlap(
        &quarter,
        [&right, &agent(disc(0.3), at([0.0, -1.3]), &[])],
        tick(meets),
        Some(1.8 - 1.3 * deepest.sin()),
    );
    // As if the disc had an offset, and so turned with its agent: it stays where it is.
    let body = Some(TracedBody::Disc { center: [1.3, 0.0], radius: 0.3 });
    assert_overlap(&quarter, [&left, &agent(body.clone(), place([0.0; 2], FRAC_PI_2), &[])], tick(meets), None);
    let orbits = agent(body, place([0.0; 2], FRAC_PI_2), &[step(2, 12, place([0.0; 2], PI), 0)]);
    assert_apart(&quarter, [&left, &orbits]);

    // Its corner meets one that is farther off: the law of cosines.
    let corner = 2.5_f64.sqrt();
    let between = ((1.8_f64.powi(2) + 2.5 - 0.25_f64.powi(2)) / (2.0 * 1.8 * corner)).acos();
    let meets = 1.5_f64.atan2(0.5) - between;
    assert_overlap(&quarter, [&left, &agent(disc(0.25), at([0.0, 1.8]), &[])], tick(meets), None);

    // It sweeps as far as its corner, on its way, and there only.
    let seen = |distance: f64, angle: f64| agent(disc(0.25), at([distance * angle.cos(), distance * angle.sin()]), &[]);
    assert_apart(&quarter, [&left, &seen(corner + 0.2502, 1.0)]);
    assert_eq!(check(&quarter, [&left, &seen(corner + 0.2498, 1.0)], 0.0).len(), 1);
    assert_apart(&quarter, [&right, &seen(corner + 0.1, 1.0)]);
    assert_apart(&quarter, [&left, &seen(corner + 0.1, -1.0)]);
    // It is deepest as the corner passes: by 0.1.
    let [found] = check(&quarter, [&left, &seen(corner + 0.15, 1.0)], 0.0)[..] else { panic!("not one overlap") };
    assert!((found.depth - 0.1).abs() < 1.1e-4, "{found:?}");
}

#[test]
fn a_short_break_ends_the_stretch() {
    // A square whose corners reach into a wall but whose sides do not: what comes after the break is deeper.
    for gap in [0.02_f32, 0.005, 0.001] {
        let wall = agent(rectangle(1.0, 9.0), place([1.5 + gap, 0.0], 0.0), &[]);
        for end in 0..20_u8 {
            let end = 0.6 + 0.009 * f32::from(end);
            let turn = [trajectory(&[[1.0, 0.0, 0.285 + end]])];
            let square = agent(rectangle(2.0, 2.0), place([0.0; 2], -0.285), &[step(0, 10, place([0.0; 2], end), 0)]);
            let deepest = 0.285_f64.sin() + 0.285_f64.cos() - 1.0 - f64::from(gap);
            assert_overlap(&turn, [&square, &wall], 0.0, Some(deepest));
        }
    }
}

/// A plank of 2 by 1 on a circle of radius 2 to the left, from heading 0.
fn on_circle(ticks: u32, turn: f32) -> (Trajectory, TracedAgent) {
    let drive = step(0, ticks, place([2.0 * turn.sin(), 2.0 - 2.0 * turn.cos()], turn), 0);
    (trajectory(&[[1.0, 2.0 * turn, turn]]), agent(rectangle(2.0, 1.0), place([0.0; 2], 0.0), &[drive]))
}

#[test]
fn a_plank_drives_along_an_arc() {
    let (arc, plank) = on_circle(10, FRAC_PI_2);
    let arc = [arc];
    let around = |distance: f64, angle: f64| [distance * angle.sin(), 2.0 - distance * angle.cos()];
    // Its inner side is 1.5 from the middle of the circle, its outer corners are sqrt(2.5^2 + 1) from it.
    assert_apart(&arc, [&plank, &agent(disc(1.4999), at([0.0, 2.0]), &[])]);
    assert_overlap(&arc, [&plank, &agent(disc(1.51), at([0.0, 2.0]), &[])], 0.0, Some(0.01));
    let corner = 7.25_f64.sqrt();
    for angle in [0.5, 1.0, 1.5] {
        assert_apart(&arc, [&plank, &agent(None, at(around(corner + 1e-4, angle)), &[])]);
        assert_apart(&arc, [&plank, &agent(None, at(around(1.4999, angle)), &[])]);
    }
    // The front, one ahead, meets a point at the distance d as its part at sqrt(d^2 - 1) across comes by.
    for (distance, angle) in [(2.3_f64, 1.2), (2.69, 1.0), (1.9, 0.9)] {
        let across = (distance * distance - 1.0).sqrt();
        let tick = 10.0 * (angle - 1.0_f64.atan2(across)) / QUARTER;
        assert_overlap(&arc, [&plank, &agent(None, at(around(distance, angle)), &[])], tick, None);
    }
    // As driven in two moves: the first ends half way.
    let half =
        [step(0, 5, place([2.0_f32.sqrt(), 2.0 - 2.0_f32.sqrt()], FRAC_PI_4), 0), step(5, 10, plank.moves[0].to, 0)];
    let halves = agent(rectangle(2.0, 1.0), place([0.0; 2], 0.0), &half);
    let point = agent(None, at(around(2.3, 1.2)), &[]);
    let tick = 10.0 * (1.2 - 1.0_f64.atan2((2.3_f64 * 2.3 - 1.0).sqrt())) / QUARTER;
    assert_overlap(&[trajectory(&[[1.0, FRAC_PI_2, FRAC_PI_4]])], [&halves, &point], tick, None);
}

#[test]
fn a_car_reverses() {
    // Around (0, -2), from heading 0 to a quarter turn, tail first.
    let back = [trajectory(&[[1.0, -PI, FRAC_PI_2]])];
    let car = agent(rectangle(2.0, 1.0), place([0.0; 2], 0.0), &[step(0, 10, place([-2.0, -2.0], FRAC_PI_2), 0)]);
    // The tail, one behind, meets the disc as 2 sin(angle between them) is 1.25.
    let meets = 10.0 * (1.0 - 0.625_f64.asin() / QUARTER);
    assert_overlap(&back, [&car, &agent(disc(0.25), at([-2.0, -2.0]), &[])], meets, Some(0.75));
    assert_apart(&back, [&car, &agent(disc(0.25), at([-2.0, 2.0]), &[])]);
    assert_apart(&back, [&car, &agent(disc(0.25), at([2.0, 2.0]), &[])]);
}

#[test]
fn cars_follow_each_other_on_a_circle() {
    // On a circle of radius 4 around the origin, the inner corners of both are atan(1 / 3.5) ahead and behind.
    #[allow(clippy::cast_possible_truncation)]
    let on = |angle: f64| place([4.0 * angle.sin(), -4.0 * angle.cos()].map(|c| c as f32), angle as f32);
    let round = [trajectory(&[[1.0, 8.0 * PI, 2.0 * PI]]), trajectory(&[[1.0, PI, FRAC_PI_4]])];
    let car = |angle: f64, number| {
        let pieces = if number == 0 { 1 } else { 8 };
        let moves: Vec<TracedMove> = (1..=pieces)
            .map(|k| {
                step(
                    (k - 1) * 80 / pieces,
                    k * 80 / pieces,
                    on(angle + 4.0 * QUARTER * f64::from(k) / f64::from(pieces)),
                    number,
                )
            })
            .collect();
        agent(rectangle(2.0, 1.0), on(angle), &moves)
    };
    let touch = 2.0 * 1.0_f64.atan2(3.5);
    for (first, second) in [(0, 0), (1, 1), (0, 1)] {
        assert_apart(&round, [&car(0.3, first), &car(0.3 + touch + 1e-3, second)]);
        assert_overlap(&round, [&car(0.3, first), &car(0.3 + touch - 0.01, second)], 0.0, None);
        // Side by side, wall to wall, one on a circle that is 1 wider, is for the tolerance to tell.
        let tight = BodyChecker::new().check(&trace(&round, &[&car(0.3, first), &car(0.3 + touch, second)]));
        assert_eq!(tight, []);
    }
}

#[test]
fn parked_side_by_side() {
    for heading in [FRAC_PI_4, 1.0, -2.5] {
        let aside =
            |way: f32| agent(rectangle(3.0, 1.0), place([-way * heading.sin(), way * heading.cos()], heading), &[]);
        let stands = aside(0.0);
        assert_apart(&[], [&stands, &aside(1.0001)]);
        assert_overlap(&[], [&stands, &aside(0.999)], 0.0, Some(0.001));
        // In front of each other.
        let ahead =
            |way: f32| agent(rectangle(3.0, 1.0), place([way * heading.cos(), way * heading.sin()], heading), &[]);
        assert_apart(&[], [&stands, &ahead(3.0001)]);
        assert_overlap(&[], [&stands, &ahead(2.99)], 0.0, Some(0.01));
        // At right angles: half of the one's length, half of the other's width.
        let across = |way: f32| {
            agent(rectangle(3.0, 1.0), place([way * heading.cos(), way * heading.sin()], heading + FRAC_PI_2), &[])
        };
        assert_apart(&[], [&stands, &across(2.0001)]);
        assert_overlap(&[], [&stands, &across(1.99)], 0.0, Some(0.01));
    }
    // A plank askew reaches as far as its corner: (1.5 + 0.5) / sqrt 2.
    let askew = agent(rectangle(3.0, 1.0), place([0.0; 2], FRAC_PI_4), &[]);
    let reach = 2.0_f32.sqrt();
    assert_apart(&[], [&askew, &agent(rectangle(1.0, 4.0), place([reach + 0.5001, 0.0], 0.0), &[])]);
    assert_overlap(&[], [&askew, &agent(rectangle(1.0, 4.0), place([reach + 0.49, 0.0], 0.0), &[])], 0.0, Some(0.01));
    // It comes along x with that heading: so far off, at one unit in a tick.
    let comes = agent(
        rectangle(3.0, 1.0),
        place([-10.0, 0.0], FRAC_PI_4),
        &[TracedMove::new(0, 10, place([0.0; 2], FRAC_PI_4))],
    );
    let wall = agent(rectangle(1.0, 4.0), place([-2.5, 0.0], 0.0), &[]);
    assert_overlap(&[], [&comes, &wall], 7.0 - 2.0_f64.sqrt(), None);
}

#[test]
fn headings_without_trajectories() {
    // Straight on it keeps the heading of where it set out, and has the new one from its arrival on.
    let moves = [TracedMove::new(0, 4, place([4.0, 0.0], FRAC_PI_2)), TracedMove::new(6, 6, place([4.0, 0.0], 0.0))];
    let plank = agent(rectangle(3.0, 1.0), place([0.0; 2], 0.0), &moves);
    let above = agent(disc(0.3), place([4.0, 1.0], 0.0), &[]);
    assert_overlap(&[], [&plank, &above], 4.0, Some(0.8));
    // A leap turns it as well: what comes at 6 finds it turned back.
    assert_apart(&[], [&plank, &TracedAgent { appears: 6, ..above.clone() }]);
    assert_overlap(&[], [&plank, &TracedAgent { appears: 5, ..above.clone() }], 5.0, Some(0.8));
    assert_apart(&[], [&plank, &TracedAgent { vanishes: Some(4), ..above.clone() }]);
    // A trajectory that does not exist is none.
    let missing = TracedMove { trajectory: Some(1), ..moves[0] };
    let spin = [trajectory(&[[1.0, 0.0, 7.0]])];
    let misled = TracedAgent { moves: vec![missing, moves[1]], ..plank.clone() };
    assert_overlap(&spin, [&misled, &above], 4.0, Some(0.8));
    // A trajectory of nothing: it stands until it arrives.
    let nothing = [trajectory(&[])];
    let waits = TracedAgent { moves: vec![TracedMove { trajectory: Some(0), ..moves[0] }], ..plank.clone() };
    assert_overlap(&nothing, [&waits, &agent(disc(0.25), place([3.3, 0.0], 0.0), &[])], 4.0, None);
    assert_apart(
        &nothing,
        [&waits, &TracedAgent { vanishes: Some(4), ..agent(disc(0.25), place([3.3, 0.0], 0.0), &[]) }],
    );
}

#[test]
fn shares_of_all_kinds() {
    // It turns to the left on the spot, and drives on: the point 3 up is met when it has driven 3 - 1.
    let point = agent(None, place([0.0, 3.0], 0.0), &[]);
    let drive = |stretches: &[[f32; 3]], tick: f64| {
        let trajectories = [trajectory(stretches)];
        let car = agent(rectangle(2.0, 1.0), place([0.0; 2], 0.0), &[step(4, 12, place([9.0, 9.0], 0.0), 0)]);
        if tick < 0.0 {
            assert_apart(&trajectories, [&car, &point]);
        } else {
            assert_overlap(&trajectories, [&car, &point], tick, None);
        }
    };
    drive(&[[0.5, 0.0, FRAC_PI_2], [0.5, 4.0, 0.0]], 10.0);
    drive(&[[0.25, 0.0, FRAC_PI_2], [0.5, 4.0, 0.0]], 8.0);
    // Less than 1 in all: it stands at the end.
    drive(&[[0.25, 0.0, FRAC_PI_2], [0.25, 1.99, 0.0]], -1.0);
    drive(&[[0.25, 0.0, FRAC_PI_2], [0.25, 2.01, 0.0]], 6.0 + 2.0 * 2.0 / 2.01);
    // More than 1: cut off, on the way or before it starts.
    drive(&[[0.5, 0.0, FRAC_PI_2], [1.0, 4.2, 0.0]], 8.0 + 8.0 * 2.0 / 4.2);
    drive(&[[0.5, 0.0, FRAC_PI_2], [1.0, 3.9, 0.0]], -1.0);
    drive(&[[1.0, 0.0, FRAC_PI_2], [0.5, 4.0, 0.0]], -1.0);
    // No share, or less: it is turned at once.
    drive(&[[0.0, 0.0, FRAC_PI_2], [1.0, 4.0, 0.0]], 8.0);
    drive(&[[-3.0, 0.0, FRAC_PI_2], [1.0, 4.0, 0.0]], 8.0);
    drive(&[[0.5, 0.0, FRAC_PI_2], [0.0, 2.5, 0.0], [0.5, 1.0, 0.0]], 8.0);
    // Thirds add up to 1 but for rounding.
    drive(&[[1.0 / 3.0, 0.0, FRAC_PI_2], [1.0 / 3.0, 1.0, 0.0], [1.0 / 3.0, 2.0, 0.0]], 4.0 + 8.0 * 5.0 / 6.0);
    // What is not finite is not there, all the move long.
    for nowhere in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for number in 0..3 {
            let mut last = [0.5, 4.0, 0.0];
            last[number] = nowhere;
            drive(&[[0.5, 0.0, FRAC_PI_2], [0.0, 2.5, 0.0], last], -1.0);
        }
        let lost =
            agent(rectangle(2.0, 1.0), place([0.0, 3.0], nowhere), &[TracedMove::new(4, 6, place([0.0, 3.0], 0.0))]);
        assert_overlap(&[], [&lost, &point], 6.0, None);
    }
    // A move that begins before the one before has ended is seen from that end on, where it is by then.
    let trajectories = [trajectory(&[[1.0, 8.0, 0.0]]), trajectory(&[[1.0, 0.0, PI]])];
    let moves = [step(0, 6, place([0.0; 2], 0.0), 0), step(2, 10, place([0.0; 2], PI), 1)];
    let car = agent(rectangle(4.0, 0.5), place([0.0; 2], 0.0), &moves);
    let side = |angle: f64| agent(disc(0.25), at([1.5 * angle.cos(), 1.5 * angle.sin()]), &[]);
    assert_overlap(
        &trajectories,
        [&car, &side(0.75 * PI_64)],
        2.0 + 8.0 * (0.75 - (0.5_f64 / 1.5).asin() / PI_64),
        None,
    );
    assert_overlap(&trajectories, [&car, &side(0.5 * PI_64)], 6.0, None);
}

#[test]
fn a_ramp_is_on_all_its_levels() {
    // A quarter circle of radius 2 from floor 0 to floor 2, driven in 8 ticks of 10; then it waits for the end of the
    // move.
    let ramp = [trajectory(&[[0.8, PI, FRAC_PI_2]])];
    let at = |x: f32, y: f32, height: f32, heading| TracedPlace { heading, ..TracedPlace::new(0, [x, y, height]) };
    let climbs = agent(disc(0.5), at(0.0, 0.0, 0.0, 0.0), &[step(0, 10, at(2.0, 2.0, 2.0, FRAC_PI_2), 0)]);
    let found = |height: f32, from: u32, to: u32| {
        let appears =
            TracedAgent { appears: from, vanishes: Some(to), ..agent(disc(0.5), at(2.0, 2.0, height, 0.0), &[]) };
        let found = BodyChecker::new().levels(-0.5, 1.0, 4).check(&trace(&ramp, &[&climbs, &appears]));
        !found.is_empty()
    };
    for (height, in_motion, waiting, arrived) in
        [(0.0, true, true, false), (1.0, true, true, false), (2.0, true, true, true), (3.0, false, false, false)]
    {
        assert_eq!([found(height, 0, 8), found(height, 8, 10), found(height, 10, 20)], [in_motion, waiting, arrived]);
        assert!(!found(height, 0, 4));
    }
}
