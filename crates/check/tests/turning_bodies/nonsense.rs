//! Traces that make no sense, or are very long: checking them takes a while, and no harm is done.

use super::*;

#[test]
fn nonsense_takes_its_time_only() {
    let numbers = [1e30, -1e30, f32::MAX, 6e9, 1.0, 1e-30, 1e-45, 0.0];
    let mut trajectories = Vec::new();
    for share in [1.0, 0.5, 1e-45, 0.0, -1.0, f32::MAX] {
        for length in numbers {
            trajectories.extend(numbers.map(|turn| trajectory(&[[share, length, turn], [1.0 - share, 1.0, 1.0]])));
        }
    }
    // Next to a wall that they come near, but not to, as long as they turn on the spot.
    let wall = agent(rectangle(1.0, 4.0), place([2.0813, 0.0], 0.0), &[]);
    let mut all = vec![wall];
    for number in 0..u32::try_from(trajectories.len()).unwrap_or(0) {
        let moves = [step(0, 1, place([0.0; 2], 1.0), number), step(5, u32::MAX, place([0.0; 2], 0.0), number)];
        let (x, y) = (
            10.0 * f32::from(u8::try_from(number % 20).unwrap_or(0)),
            f32::from(u8::try_from(number / 20).unwrap_or(0)),
        );
        all.push(agent(rectangle(3.0, 1.0), place([x, 10.0 * y], 0.0), &moves));
    }
    let trace = trace(&trajectories, &all.iter().collect::<Vec<_>>());
    for tolerance in [0.0, 1e-3] {
        BodyChecker::new().tolerance(tolerance).check(&trace);
    }
    // A wheel just out of reach, and one that touches, a billion times.
    let spin = [trajectory(&[[1.0, 0.0, 6e9]])];
    let wheel = agent(rectangle(3.0, 1.0), place([0.0; 2], 0.0), &[step(0, 10, place([0.0; 2], 0.0), 0)]);
    assert_apart(&spin, [&wheel, &agent(rectangle(1.0, 4.0), place([2.082, 0.0], 0.0), &[])]);
    assert_eq!(check(&spin, [&wheel, &agent(rectangle(1.0, 4.0), place([1.99, 0.0], 0.0), &[])], 0.0).len(), 1);
}

#[test]
fn long_trajectories_are_not_multiplied() {
    // A trajectory of very many stretches, driven once, and one driven by very many moves.
    let turns = 100_000;
    let many = trajectory(&vec![[1e-5, 0.001, 0.0]; turns]);
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
    let trajectories = [
        trajectory(&[[1.0, 4.0 * PI, 2.0 * PI]]),
        trajectory(&[[1.0, 6.0 * PI, 2.0 * PI]]),
        trajectory(&[[1.0, 0.0, 60.0]]),
    ];
    let moves = |to, number| (0..100_u32).map(|k| step(10 * k, 10 * k + 10, to, number)).collect::<Vec<_>>();
    let (inner, outer) = (place([0.0, -2.0], 0.0), place([0.0, -3.0], 0.0));
    for offset in [0.0, 1e-3, -1e-4] {
        let discs = [agent(disc(0.5 + offset), inner, &moves(inner, 0)), agent(disc(0.5), outer, &moves(outer, 1))];
        assert_eq!(check(&trajectories, [&discs[0], &discs[1]], 1e-3 + 1e-5), []);
        check(&trajectories, [&discs[0], &discs[1]], 0.0);
        let wheel = agent(rectangle(3.0, 1.0), inner, &moves(inner, 2));
        let wall = agent(rectangle(1.0, 4.0), place([0.5 + 2.5_f32.sqrt() - offset, -2.0], 0.0), &[]);
        assert_eq!(check(&trajectories, [&wheel, &wall], 1e-3 + 1e-5), []);
        check(&trajectories, [&wheel, &wall], 0.0);
    }
}
