//! The checker of shapes, for agents that turn and drive along curves: rows worked out by hand, a sampler that follows
//! random courses, and nonsense.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use giveway_core::{
    AgentId, BodyChecker, Course, Overlap, Stretch, Trace, TracedAgent, TracedBody, TracedMove, TracedPlace,
};
use proptest::prelude::*;

fn place([x, y]: [f32; 2], heading: f32) -> TracedPlace {
    TracedPlace { heading, ..TracedPlace::new(0, [x, y, 0.0]) }
}

fn step(depart: u32, arrive: u32, to: TracedPlace, course: u32) -> TracedMove {
    TracedMove { course: Some(course), ..TracedMove::new(depart, arrive, to) }
}

fn agent(body: Option<TracedBody>, start: TracedPlace, moves: &[TracedMove]) -> TracedAgent {
    TracedAgent { body, ..TracedAgent::new(start, vec![], moves.to_vec()) }
}

fn disc(radius: f32) -> Option<TracedBody> {
    Some(TracedBody::Disc { center: [0.0; 2], radius })
}

/// A rectangle around its position, `length` along the heading.
fn rectangle(length: f32, width: f32) -> Option<TracedBody> {
    let [x, y] = [length / 2.0, width / 2.0];
    Some(TracedBody::Polygon { corners: vec![[-x, -y], [x, -y], [x, y], [-x, y]] })
}

fn course(stretches: &[[f32; 3]]) -> Course {
    Course::new(
        stretches.iter().map(|[share, length, turn]| Stretch { share: *share, length: *length, turn: *turn }).collect(),
    )
}

fn trace(courses: &[Course], agents: &[&TracedAgent]) -> Trace {
    Trace { courses: courses.to_vec(), ..Trace::new(1, agents.iter().map(|agent| (*agent).clone()).collect()) }
}

fn check(courses: &[Course], agents: [&TracedAgent; 2], tolerance: f32) -> Vec<Overlap> {
    BodyChecker::new().tolerance(tolerance).check(&trace(courses, &agents))
}

/// Checks that the two overlap from `tick` on, by `depth` if it is told, whichever is first.
#[track_caller]
fn assert_overlap(courses: &[Course], [a, b]: [&TracedAgent; 2], tick: f64, depth: Option<f64>) {
    for agents in [[a, b], [b, a]] {
        let found = check(courses, agents, 0.0);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].agents, [AgentId(0), AgentId(1)]);
        assert!((found[0].tick - tick).abs() < 1e-5, "at {}, not {tick}", found[0].tick);
        if let Some(depth) = depth {
            assert!((f64::from(found[0].depth) - depth).abs() < 1.1e-4, "by {}, not {depth}", found[0].depth);
        }
    }
}

#[track_caller]
fn assert_apart(courses: &[Course], [a, b]: [&TracedAgent; 2]) {
    for tolerance in [0.0, 1e-3] {
        assert_eq!(check(courses, [a, b], tolerance), []);
        assert_eq!(check(courses, [b, a], tolerance), []);
    }
}

/// A place with heading 0, worked out in more digits than it has.
#[allow(clippy::cast_possible_truncation)]
fn at(position: [f64; 2]) -> TracedPlace {
    place(position.map(|c| c as f32), 0.0)
}

/// A quarter turn, as f64.
const QUARTER: f64 = std::f64::consts::FRAC_PI_2;

#[test]
fn a_plank_turns_on_the_spot() {
    let quarter = [course(&[[1.0, 0.0, FRAC_PI_2]]), course(&[[1.0, 0.0, -FRAC_PI_2]])];
    let turns =
        |course, to| agent(rectangle(3.0, 1.0), place([0.0; 2], 0.0), &[step(2, 12, place([0.0; 2], to), course)]);
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
            let turn = [course(&[[1.0, 0.0, 0.285 + end]])];
            let square = agent(rectangle(2.0, 2.0), place([0.0; 2], -0.285), &[step(0, 10, place([0.0; 2], end), 0)]);
            let deepest = 0.285_f64.sin() + 0.285_f64.cos() - 1.0 - f64::from(gap);
            assert_overlap(&turn, [&square, &wall], 0.0, Some(deepest));
        }
    }
}

/// A plank of 2 by 1 on a circle of radius 2 to the left, from heading 0.
fn on_circle(ticks: u32, turn: f32) -> (Course, TracedAgent) {
    let drive = step(0, ticks, place([2.0 * turn.sin(), 2.0 - 2.0 * turn.cos()], turn), 0);
    (course(&[[1.0, 2.0 * turn, turn]]), agent(rectangle(2.0, 1.0), place([0.0; 2], 0.0), &[drive]))
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
    assert_overlap(&[course(&[[1.0, FRAC_PI_2, FRAC_PI_4]])], [&halves, &point], tick, None);
}

#[test]
fn a_car_reverses() {
    // Around (0, -2), from heading 0 to a quarter turn, tail first.
    let back = [course(&[[1.0, -PI, FRAC_PI_2]])];
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
    let round = [course(&[[1.0, 8.0 * PI, 2.0 * PI]]), course(&[[1.0, PI, FRAC_PI_4]])];
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
fn headings_without_courses() {
    // Straight on it keeps the heading of where it set out, and has the new one from its arrival on.
    let moves = [TracedMove::new(0, 4, place([4.0, 0.0], FRAC_PI_2)), TracedMove::new(6, 6, place([4.0, 0.0], 0.0))];
    let plank = agent(rectangle(3.0, 1.0), place([0.0; 2], 0.0), &moves);
    let above = agent(disc(0.3), place([4.0, 1.0], 0.0), &[]);
    assert_overlap(&[], [&plank, &above], 4.0, Some(0.8));
    // A leap turns it as well: what comes at 6 finds it turned back.
    assert_apart(&[], [&plank, &TracedAgent { appears: 6, ..above.clone() }]);
    assert_overlap(&[], [&plank, &TracedAgent { appears: 5, ..above.clone() }], 5.0, Some(0.8));
    assert_apart(&[], [&plank, &TracedAgent { vanishes: Some(4), ..above.clone() }]);
    // A course that does not exist is none.
    let missing = TracedMove { course: Some(1), ..moves[0] };
    let spin = [course(&[[1.0, 0.0, 7.0]])];
    let misled = TracedAgent { moves: vec![missing, moves[1]], ..plank.clone() };
    assert_overlap(&spin, [&misled, &above], 4.0, Some(0.8));
    // A course of nothing: it stands until it arrives.
    let nothing = [course(&[])];
    let waits = TracedAgent { moves: vec![TracedMove { course: Some(0), ..moves[0] }], ..plank.clone() };
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
        let courses = [course(stretches)];
        let car = agent(rectangle(2.0, 1.0), place([0.0; 2], 0.0), &[step(4, 12, place([9.0, 9.0], 0.0), 0)]);
        if tick < 0.0 {
            assert_apart(&courses, [&car, &point]);
        } else {
            assert_overlap(&courses, [&car, &point], tick, None);
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
    let courses = [course(&[[1.0, 8.0, 0.0]]), course(&[[1.0, 0.0, PI]])];
    let moves = [step(0, 6, place([0.0; 2], 0.0), 0), step(2, 10, place([0.0; 2], PI), 1)];
    let car = agent(rectangle(4.0, 0.5), place([0.0; 2], 0.0), &moves);
    let side = |angle: f64| agent(disc(0.25), at([1.5 * angle.cos(), 1.5 * angle.sin()]), &[]);
    assert_overlap(&courses, [&car, &side(0.75 * PI_64)], 2.0 + 8.0 * (0.75 - (0.5_f64 / 1.5).asin() / PI_64), None);
    assert_overlap(&courses, [&car, &side(0.5 * PI_64)], 6.0, None);
}

const PI_64: f64 = std::f64::consts::PI;

/// Where an agent is at `time`, and its heading: along the circle of each stretch.
fn pose(courses: &[Course], agent: &TracedAgent, time: f64) -> Option<([f64; 2], f64)> {
    if time < agent.appears.into() || agent.vanishes.is_some_and(|tick| time >= tick.into()) {
        return None;
    }
    let known = |place: TracedPlace| ([place.position[0], place.position[1]].map(f64::from), f64::from(place.heading));
    let (mut here, mut heading) = known(agent.start);
    for step in &agent.moves {
        if time < step.depart.into() {
            break;
        }
        if time < step.arrive.into() {
            let progress = (time - f64::from(step.depart)) / f64::from(step.arrive - step.depart);
            let Some(course) = step.course else {
                let (to, _) = known(step.to);
                return Some(([0, 1].map(|axis| here[axis] * (1.0 - progress) + to[axis] * progress), heading));
            };
            return Some(along(&courses[course as usize], here, heading, progress));
        }
        (here, heading) = known(step.to);
    }
    Some((here, heading))
}

/// Where one is who has driven a part of a course.
fn along(course: &Course, [mut x, mut y]: [f64; 2], mut heading: f64, progress: f64) -> ([f64; 2], f64) {
    let mut left = progress;
    for stretch in course.stretches() {
        let [share, length, turn] = [stretch.share, stretch.length, stretch.turn].map(f64::from);
        let part = if share > 0.0 { (left / share).clamp(0.0, 1.0) } else { f64::from(u8::from(left >= 0.0)) };
        let end = heading + turn * part;
        if turn == 0.0 {
            x += length * part * heading.cos();
            y += length * part * heading.sin();
        } else {
            let radius = length / turn;
            x += radius * (end.sin() - heading.sin());
            y -= radius * (end.cos() - heading.cos());
        }
        heading = end;
        left -= share.max(0.0);
        if left < 0.0 {
            break;
        }
    }
    ([x, y], heading)
}

/// The corners of a body in the world, a disc's middle, and how far it reaches around them.
fn placed(body: Option<&TracedBody>, ([x, y], heading): ([f64; 2], f64)) -> (Vec<[f64; 2]>, f64) {
    let (sin, cos) = heading.sin_cos();
    let world = |[p, q]: [f64; 2]| [x + p * cos - q * sin, y + p * sin + q * cos];
    match body {
        None => (vec![[x, y]], 0.0),
        Some(TracedBody::Disc { center, radius }) => (vec![world(center.map(f64::from))], f64::from(*radius)),
        Some(TracedBody::Polygon { corners }) => (corners.iter().map(|c| world(c.map(f64::from))).collect(), 0.0),
    }
}

/// How deep two bodies are in each other: the least over all lines through two corners, of one or of both.
fn depth(a: &(Vec<[f64; 2]>, f64), b: &(Vec<[f64; 2]>, f64)) -> f64 {
    let mut least = f64::INFINITY;
    let mut along = |[x, y]: [f64; 2]| {
        let long = x.hypot(y);
        if long > 1e-9 {
            let most = |corners: &[[f64; 2]], sign: f64| {
                corners.iter().map(|[p, q]| sign * (p * x + q * y) / long).fold(f64::NEG_INFINITY, f64::max)
            };
            let [one, other] = [1.0, -1.0].map(|sign| most(&a.0, sign) + most(&b.0, -sign));
            least = least.min(one + a.1 + b.1).min(other + a.1 + b.1);
        }
    };
    for corners in [&a.0, &b.0] {
        for (i, [p, q]) in corners.iter().enumerate() {
            corners[i + 1..].iter().for_each(|[r, s]| along([s - q, p - r]));
        }
    }
    if a.1 + b.1 > 0.0 {
        for [p, q] in &a.0 {
            b.0.iter().for_each(|[r, s]| along([r - p, s - q]));
        }
    }
    least
}

fn depth_at(courses: &[Course], [a, b]: [&TracedAgent; 2], time: f64) -> Option<f64> {
    let [p, q] = [placed(a.body.as_ref(), pose(courses, a, time)?), placed(b.body.as_ref(), pose(courses, b, time)?)];
    Some(depth(&p, &q))
}

/// How fast the points of an agent move, at most.
fn fastest(courses: &[Course], agent: &TracedAgent) -> f64 {
    let (corners, around) = placed(agent.body.as_ref(), ([0.0; 2], 0.0));
    let reach = corners.iter().map(|[x, y]| x.hypot(*y)).fold(0.0, f64::max) + around;
    let mut here = agent.start;
    let mut most: f64 = 0.0;
    for step in &agent.moves {
        let ticks = f64::from(step.arrive.saturating_sub(step.depart).max(1));
        let way = [0, 1].map(|axis| f64::from(step.to.position[axis] - here.position[axis]));
        most = most.max(way[0].hypot(way[1]) / ticks);
        if let Some(course) = step.course {
            for Stretch { share, length, turn } in courses[course as usize].stretches() {
                most =
                    most.max((f64::from(length.abs()) + reach * f64::from(turn.abs())) / (f64::from(*share) * ticks));
            }
        }
        here = step.to;
    }
    most
}

fn any_body() -> impl Strategy<Value = Option<TracedBody>> {
    let corner = || [-1.0_f32..1.0, -1.0_f32..1.0];
    prop_oneof![
        1 => Just(None),
        2 => (corner(), 0.05_f32..1.0).prop_map(|(center, radius)| Some(TracedBody::Disc { center, radius })),
        1 => (0.05_f32..1.0).prop_map(disc),
        4 => (0.2_f32..4.0, 0.2_f32..1.5).prop_map(|(length, width)| rectangle(length, width)),
        3 => prop::collection::vec(corner(), 3..6).prop_map(|corners| Some(TracedBody::Polygon { corners })),
    ]
}

/// Courses of one to three stretches: straight on, curved, or on the spot, forwards and backwards.
fn any_courses() -> impl Strategy<Value = Vec<Course>> {
    let length = || prop_oneof![1 => Just(0.0_f32), 4 => -2.0_f32..4.0];
    let turn = || prop_oneof![1 => Just(0.0_f32), 1 => Just(FRAC_PI_2), 4 => -3.0_f32..3.0, 1 => -9.0_f32..9.0];
    let stretches = prop::collection::vec((0.2_f32..1.0, length(), turn()), 1..4);
    let one = stretches.prop_map(|stretches| {
        let sum: f32 = stretches.iter().map(|(share, ..)| share).sum();
        course(&stretches.iter().map(|(share, length, turn)| [share / sum, *length, *turn]).collect::<Vec<_>>())
    });
    prop::collection::vec(one, 4)
}

type Drive = (u32, u32, Option<u32>, [f32; 2], f32, bool);

/// An agent that drives along some of `courses`: most moves end where the course does, others anywhere.
fn driver(courses: &[Course], body: Option<TracedBody>, start: TracedPlace, drives: &[Drive]) -> TracedAgent {
    let (mut here, mut now) = (start, 0);
    let moves: Vec<TracedMove> = drives
        .iter()
        .map(|(pause, ticks, course, to, heading, leaps)| {
            let depart = now + pause;
            now = depart + ticks;
            let mut to = place(*to, *heading);
            if let (Some(course), false) = (course, leaps) {
                let position = [here.position[0], here.position[1]].map(f64::from);
                let (position, heading) = along(&courses[*course as usize], position, f64::from(here.heading), 1.0);
                #[allow(clippy::cast_possible_truncation)] // as places are
                let rounded = place(position.map(|c| c as f32), heading as f32);
                to = rounded;
            }
            here = to;
            TracedMove { course: *course, ..TracedMove::new(depart, now, to) }
        })
        .collect();
    agent(body, start, &moves)
}

fn any_pair(field: f32) -> impl Strategy<Value = (Vec<Course>, [TracedAgent; 2])> {
    let there = move || [-field..field, -field..field];
    let heading = || prop_oneof![1 => Just(0.0_f32), 1 => Just(FRAC_PI_4), 4 => -4.0_f32..4.0];
    let course = prop::option::weighted(0.8, 0..4_u32);
    let drive = (0..2_u32, 1..5_u32, course, there(), heading(), prop::bool::weighted(0.1));
    let one = move || (any_body(), there(), heading(), prop::collection::vec(drive.clone(), 0..4));
    (any_courses(), [one(), one()]).prop_map(|(courses, agents)| {
        let agents =
            agents.map(|(body, start, heading, drives)| driver(&courses, body, place(start, heading), &drives));
        (courses, agents)
    })
}

/// Checks that what `agents` do, as far as a sampler sees, is what the checker tells.
fn agrees(courses: &[Course], agents: [&TracedAgent; 2], tolerance: f32) -> Result<bool, TestCaseError> {
    let found = check(courses, agents, tolerance);
    let tolerance = f64::from(tolerance);
    let at = |time: f64| depth_at(courses, agents, time);
    let end = agents.iter().flat_map(|agent| &agent.moves).map(|step| step.arrive).max().unwrap_or(0) + 1;
    let deep = (0..60 * end)
        .map(|sample| f64::from(sample) / 60.0)
        .find(|time| at(*time).is_some_and(|d| d > tolerance + 1e-3));
    let Some(overlap) = found.first() else {
        prop_assert!(deep.is_none(), "not named: {deep:?} {:?}", deep.map(at));
        return Ok(false);
    };
    prop_assert!(deep.is_none_or(|time| overlap.tick <= time), "named late: {overlap:?} {deep:?}");
    // It is as deep as that, where it is said to be so.
    let speed = fastest(courses, agents[0]) + fastest(courses, agents[1]);
    let error = 1e-5 + 2e-6 * speed;
    let first = at(overlap.tick + 1e-7).unwrap_or(f64::NEG_INFINITY);
    prop_assert!(first > tolerance - error, "not so deep: {overlap:?} {first}");
    // Along the stretch, in steps that no gap hides in.
    let (mut time, mut deepest, mut deepest_at, mut unbroken) = (overlap.tick + 1e-7, first, overlap.tick, true);
    let mut certain = first;
    while time < f64::from(end) {
        let Some(depth) = at(time) else { break };
        unbroken &= depth > tolerance - error || time < overlap.tick + 1e-6;
        if depth < tolerance - 2e-4 - error {
            break;
        }
        if depth <= tolerance {
            unbroken = false;
        }
        if depth > deepest {
            (deepest, deepest_at) = (depth, time);
        }
        if unbroken {
            certain = certain.max(depth);
        }
        time += ((depth - tolerance).min(0.02) / speed.max(1e-3)).clamp(2e-4, 0.01);
    }
    let named = f64::from(overlap.depth);
    prop_assert!(named >= certain - 1.1e-4, "deeper: {overlap:?} {certain}");
    for sample in -500..=500 {
        let depth = at(deepest_at + f64::from(sample) * 2e-5).unwrap_or(deepest);
        deepest = deepest.max(depth);
    }
    prop_assert!(named <= deepest + 0.01 + 1e-4 * speed, "not that deep: {overlap:?} {deepest}");
    Ok(true)
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(3000) })]
    #[test]
    fn samples_agree(
        (courses, [a, b]) in any_pair(4.0),
        tolerance in prop::sample::select(vec![0.0_f32, 1e-3, 0.05, 0.3]),
    ) {
        if a.body.is_some() || b.body.is_some() {
            agrees(&courses, [&a, &b], tolerance)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(1000) })]
    #[test]
    fn planted_overlaps_are_found(
        (courses, [a, b]) in any_pair(200.0),
        time in 0.0_f64..10.0,
        apart in 0.9_f64..1.01,
    ) {
        // The second is moved as a whole so that the two only just touch, or nearly do: from the right.
        let [Some(p), Some(q)] = [&a, &b].map(|agent| pose(&courses, agent, time)) else { panic!("always there") };
        let [(first, around), (second, other)] = [placed(a.body.as_ref(), p), placed(b.body.as_ref(), q)];
        let right = first.iter().fold([f64::NEG_INFINITY; 2], |best, corner| if corner[0] > best[0] { *corner } else { best });
        let left = second.iter().fold([f64::INFINITY; 2], |best, corner| if corner[0] < best[0] { *corner } else { best });
        #[allow(clippy::cast_possible_truncation)] // its rounding is small against the depth
        let shift = [right[0] - left[0] + (around + other) * apart - (1.0 - apart), right[1] - left[1]].map(|c| c as f32);
        let mut b = b;
        for place in std::iter::once(&mut b.start).chain(b.moves.iter_mut().map(|step| &mut step.to)) {
            place.position[0] += shift[0];
            place.position[1] += shift[1];
        }
        prop_assume!(a.body.is_some() || b.body.is_some());
        for agents in [[&a, &b], [&b, &a]] {
            let found = agrees(&courses, agents, 1e-3)?;
            prop_assert!(found || depth_at(&courses, agents, time).is_none_or(|depth| depth <= 2e-3));
        }
    }

    #[test]
    fn nothing_makes_it_panic(
        courses in prop::collection::vec(prop::collection::vec(prop::array::uniform3(any::<f32>()), 0..5), 0..4),
        agents in prop::collection::vec(
            (
                prop::array::uniform2(any::<f32>()),
                prop::collection::vec((0..99_u32, any::<u32>(), [any::<f32>(), any::<f32>()], any::<f32>(), 0..5_u32), 0..4),
            ),
            0..5,
        ),
        tolerance in any::<f32>(),
    ) {
        let courses: Vec<Course> = courses.iter().map(|stretches| course(stretches)).collect();
        let agents: Vec<TracedAgent> = agents
            .into_iter()
            .map(|(start, moves)| {
                let moves: Vec<TracedMove> =
                    moves.into_iter().map(|(depart, arrive, to, heading, course)| step(depart, arrive, place(to, heading), course)).collect();
                agent(rectangle(3.0, 1.0), place(start, 1.0), &moves)
            })
            .collect();
        let trace = Trace { courses, ..Trace::new(1, agents) };
        let found = BodyChecker::new().tolerance(tolerance).check(&trace);
        prop_assert!(found.iter().all(|overlap| overlap.tick.is_finite() && overlap.depth >= 0.0));
    }
}

#[test]
fn nonsense_takes_its_time_only() {
    let numbers = [1e30, -1e30, f32::MAX, 6e9, 1.0, 1e-30, 1e-45, 0.0];
    let mut courses = Vec::new();
    for share in [1.0, 0.5, 1e-45, 0.0, -1.0, f32::MAX] {
        for length in numbers {
            courses.extend(numbers.map(|turn| course(&[[share, length, turn], [1.0 - share, 1.0, 1.0]])));
        }
    }
    // Next to a wall that they come near, but not to, as long as they turn on the spot.
    let wall = agent(rectangle(1.0, 4.0), place([2.0813, 0.0], 0.0), &[]);
    let mut all = vec![wall];
    for number in 0..u32::try_from(courses.len()).unwrap_or(0) {
        let moves = [step(0, 1, place([0.0; 2], 1.0), number), step(5, u32::MAX, place([0.0; 2], 0.0), number)];
        let (x, y) = (
            10.0 * f32::from(u8::try_from(number % 20).unwrap_or(0)),
            f32::from(u8::try_from(number / 20).unwrap_or(0)),
        );
        all.push(agent(rectangle(3.0, 1.0), place([x, 10.0 * y], 0.0), &moves));
    }
    let trace = trace(&courses, &all.iter().collect::<Vec<_>>());
    for tolerance in [0.0, 1e-3] {
        BodyChecker::new().tolerance(tolerance).check(&trace);
    }
    // A wheel just out of reach, and one that touches, a billion times.
    let spin = [course(&[[1.0, 0.0, 6e9]])];
    let wheel = agent(rectangle(3.0, 1.0), place([0.0; 2], 0.0), &[step(0, 10, place([0.0; 2], 0.0), 0)]);
    assert_apart(&spin, [&wheel, &agent(rectangle(1.0, 4.0), place([2.082, 0.0], 0.0), &[])]);
    assert_eq!(check(&spin, [&wheel, &agent(rectangle(1.0, 4.0), place([1.99, 0.0], 0.0), &[])], 0.0).len(), 1);
}

#[test]
fn long_courses_are_not_multiplied() {
    // A course of very many stretches, driven once, and one driven by very many moves.
    let turns = 100_000;
    let many = course(&vec![[1e-5, 0.001, 0.0]; turns]);
    let there = agent(disc(0.5), place([50.0, 0.0], 0.0), &[]);
    let drives = |count: u32| {
        let moves: Vec<TracedMove> =
            (0..count).map(|k| step(1000 * k, 1000 * (k + 1), place([0.0; 2], 0.0), 0)).collect();
        agent(rectangle(1.0, 1.0), place([0.0; 2], 0.0), &moves)
    };
    let found = check(std::slice::from_ref(&many), [&drives(1), &there], 1e-3);
    assert!((found[0].tick - 490.01).abs() < 0.1, "{found:?}");
    assert_apart(&[many], [&drives(20_000), &there]);
}

#[test]
fn wall_to_wall_for_long() {
    // Discs and planks that touch all along, on circles with one middle, and one that turns next to a wall.
    let courses =
        [course(&[[1.0, 4.0 * PI, 2.0 * PI]]), course(&[[1.0, 6.0 * PI, 2.0 * PI]]), course(&[[1.0, 0.0, 60.0]])];
    let moves = |to, number| (0..100_u32).map(|k| step(10 * k, 10 * k + 10, to, number)).collect::<Vec<_>>();
    let (inner, outer) = (place([0.0, -2.0], 0.0), place([0.0, -3.0], 0.0));
    for offset in [0.0, 1e-3, -1e-4] {
        let discs = [agent(disc(0.5 + offset), inner, &moves(inner, 0)), agent(disc(0.5), outer, &moves(outer, 1))];
        assert_eq!(check(&courses, [&discs[0], &discs[1]], 1e-3 + 1e-5), []);
        check(&courses, [&discs[0], &discs[1]], 0.0);
        let wheel = agent(rectangle(3.0, 1.0), inner, &moves(inner, 2));
        let wall = agent(rectangle(1.0, 4.0), place([0.5 + 2.5_f32.sqrt() - offset, -2.0], 0.0), &[]);
        assert_eq!(check(&courses, [&wheel, &wall], 1e-3 + 1e-5), []);
        check(&courses, [&wheel, &wall], 0.0);
    }
}
