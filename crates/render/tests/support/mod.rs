//! The common part of the tests of pictures.

#![allow(dead_code)] // each test file takes what it needs

pub(crate) mod layers;
pub(crate) mod markup;
pub(crate) mod meshes;

use std::f32::consts::{FRAC_PI_2, PI};

use giveway_core::{Stretch, Tick, Trace, TracedAgent, TracedBody, TracedMove, TracedOrder, TracedPlace, Trajectory};

/// On 4 x 3 cells, up to tick 13: a patrol with three goals that stands by in the end; one that is there from tick 5 to
/// tick 9; a bystander that is put elsewhere at tick 4, and one that steps aside and comes back.
pub(crate) fn running_world() -> Trace {
    let place = |x: u8, y: u8| TracedPlace::new(u32::from(y * 4 + x), [x.into(), y.into(), 0.0]);
    let step = |depart, x, y| TracedMove::new(depart, depart + 1, place(x, y));
    let order = |tick: Tick, goals: &[TracedPlace]| TracedOrder { tick, goals: goals.to_vec() };
    let (left, right) = (place(0, 0), place(3, 0));
    let moves = vec![
        step(0, 1, 0),
        step(1, 2, 0),
        step(2, 3, 0),
        step(3, 2, 0),
        step(4, 1, 0),
        step(5, 0, 0),
        step(7, 1, 0),
        step(8, 2, 0),
        step(9, 3, 0),
    ];
    let mut patrol = TracedAgent::new(left, vec![right], moves);
    patrol.orders = vec![order(3, &[left]), order(6, &[right]), order(10, &[])];
    let mut guest = TracedAgent::new(place(0, 2), vec![place(1, 2)], vec![step(6, 1, 2)]);
    (guest.appears, guest.vanishes) = (5, Some(9));
    let leap = TracedMove::new(4, 4, place(0, 1));
    let leaper = TracedAgent::new(place(3, 2), vec![], vec![leap]);
    let aside = TracedAgent::new(place(2, 1), vec![], vec![step(2, 2, 2), step(4, 2, 1)]);
    Trace { until: Some(13), ..Trace::new(1, vec![patrol, guest, leaper, aside]) }
}

/// On 12 x 8 cells, up to tick 40: a car that goes straight on, along a quarter of a circle, and backwards along
/// another; one that turns on the spot; a point that drives a curve; and a car of the first one's shape that stands by.
pub(crate) fn cars() -> Trace {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small cells of a map twelve wide
    let place =
        |x: f32, y: f32, heading: f32| TracedPlace { heading, ..TracedPlace::new((y * 12.0 + x) as u32, [x, y, 0.0]) };
    let by = |trajectory, depart, arrive, to| TracedMove {
        trajectory: Some(trajectory),
        ..TracedMove::new(depart, arrive, to)
    };
    let stretch = |share, length, turn| Stretch { share, length, turn };
    let trajectories = vec![
        Trajectory::new(vec![stretch(1.0, 2.0 * FRAC_PI_2, FRAC_PI_2)]),
        Trajectory::new(vec![stretch(0.25, -1.0, 0.0), stretch(0.75, -2.0 * FRAC_PI_2, FRAC_PI_2)]),
        Trajectory::new(vec![stretch(1.0, 0.0, -PI)]),
    ];
    let car = || {
        let corners = vec![[-0.9, -0.45], [0.9, -0.45], [0.9, 0.45], [-0.9, 0.45]];
        Some(TracedBody::Polygon { corners })
    };
    let moves = vec![
        TracedMove::new(0, 8, place(4.0, 2.0, 0.0)),
        by(0, 8, 16, place(6.0, 4.0, FRAC_PI_2)),
        // Back up along y, and on to the right; then it faces to the left.
        by(1, 20, 36, place(8.0, 1.0, PI)),
    ];
    let driver =
        TracedAgent { body: car(), ..TracedAgent::new(place(2.0, 2.0, 0.0), vec![place(8.0, 1.0, PI)], moves) };
    // Its heading goes below the heading at its start, and is told as one above.
    let spin = vec![by(2, 4, 12, place(2.0, 5.0, 1.5 * PI)), by(2, 12, 20, place(2.0, 5.0, FRAC_PI_2))];
    let body = Some(TracedBody::Polygon { corners: vec![[-0.5, -0.5], [1.5, -0.5], [1.5, 0.5], [-0.5, 0.5]] });
    let start = place(2.0, 5.0, FRAC_PI_2);
    let spinner = TracedAgent { body, ..TracedAgent::new(start, vec![start], spin) };
    let point = vec![by(0, 0, 40, place(11.0, 7.0, FRAC_PI_2))];
    let point = TracedAgent::new(place(9.0, 5.0, 0.0), vec![place(11.0, 7.0, FRAC_PI_2)], point);
    let parked = TracedAgent { body: car(), ..TracedAgent::new(place(5.0, 6.0, 0.0), vec![], vec![]) };
    Trace { trajectories, ..Trace::new(4, vec![driver, spinner, point, parked]) }
}

/// Traces that no program should make: trajectories without sense or without end, and numbers that are none.
pub(crate) fn hostile_cars() -> Vec<Trace> {
    let stretch = |share, length, turn| Stretch { share, length, turn };
    let trajectories = [
        vec![],
        vec![vec![]],
        vec![vec![stretch(0.0, 0.0, 0.0)], vec![stretch(0.0, 1.0, 1.0); 3], vec![stretch(-1.0, 1.0, 1.0)]],
        vec![
            vec![stretch(f32::NAN, 1.0, 1.0)],
            vec![stretch(1.0, f32::INFINITY, 1.0)],
            vec![stretch(1.0, 1.0, f32::NAN)],
        ],
        vec![
            vec![stretch(1.0, f32::MAX, f32::MAX); 3],
            vec![stretch(7.0, 1.0, -1e9)],
            vec![stretch(1e-40, 1e-40, 1e-40)],
        ],
    ];
    let traces = trajectories.into_iter().flat_map(|trajectories| {
        [0.0, f32::NAN, f32::NEG_INFINITY, f32::MAX].map(|heading| {
            let mut trace = cars();
            trace.trajectories = trajectories.iter().cloned().map(Trajectory::new).collect();
            for agent in &mut trace.agents {
                agent.start.heading = heading;
                for (number, traced) in (0..).zip(&mut agent.moves) {
                    traced.trajectory = Some(if number == 2 { u32::MAX } else { number });
                    traced.to.heading = -heading;
                }
                agent.moves.extend(agent.moves.clone());
            }
            trace.agents[0].start.position[0] = heading;
            trace
        })
    });
    traces.collect()
}
