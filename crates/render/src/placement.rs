//! Placements: the position and the heading of an agent on its way.

use std::f64::consts::PI;

use giveway_core::{Trace, TracedAgent, TracedBody, TracedMove, TracedPlace, Trajectory};

use crate::plane::{plane, point};

/// A position and a heading.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Placement {
    pub(crate) at: [f64; 2],
    /// In radians from x towards y.
    pub(crate) heading: f64,
}

impl Placement {
    /// The placement at `place`. Numbers that are not finite become 0.
    pub(crate) fn of(place: &TracedPlace) -> Self {
        Self { at: plane(place), heading: finite(place.heading) }
    }

    /// The point `[x, y]` of a body under heading 0, in this placement.
    pub(crate) fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (sin, cos) = self.heading.sin_cos();
        [self.at[0] + x * cos - y * sin, self.at[1] + x * sin + y * cos]
    }
}

/// The largest bend of a curve between two points that it is drawn through.
const BEND: f64 = PI / 24.0;

/// The largest number of points of one stretch of a trajectory, however often it goes round.
const MOST_POINTS: f64 = 480.0;

/// Placements nearer than this to an end of a move, in shares of its time, count as the end.
const NEAR: f64 = 1e-5;

fn finite(number: f32) -> f64 {
    if number.is_finite() { number.into() } else { 0.0 }
}

/// The trajectory of `traced`; `None` for straight on, for a leap, and if the trajectory is missing or invalid.
pub(crate) fn trajectory<'a>(trajectories: &'a [Trajectory], traced: &TracedMove) -> Option<&'a Trajectory> {
    let trajectory = trajectories.get(usize::try_from(traced.trajectory?).ok()?)?;
    (traced.arrive > traced.depart && makes_sense(trajectory)).then_some(trajectory)
}

/// Whether `trajectory` is valid: its numbers are finite, and no time goes backwards.
pub(crate) fn makes_sense(trajectory: &Trajectory) -> bool {
    let sane = |numbers: [f32; 3]| numbers.iter().all(|number| number.is_finite()) && numbers[0] >= 0.0;
    trajectory.stretches().iter().all(|stretch| sane([stretch.share, stretch.length, stretch.turn]))
}

/// The placements between the ends of `traced`, which began at `from`, each with the elapsed share of the move's time.
/// There are enough of them that lines between them look like the way; none if the way is straight.
pub(crate) fn between(trajectories: &[Trajectory], from: &TracedPlace, traced: &TracedMove) -> Vec<(f64, Placement)> {
    let mut placements = Vec::new();
    let Some(trajectory) = trajectory(trajectories, traced) else {
        return placements;
    };
    let [x, y, _] = from.position;
    let [x, y, heading] = [x, y, from.heading].map(|side| if side.is_finite() { side } else { 0.0 });
    let mut begin = 0.0;
    for stretch in trajectory.stretches() {
        let share = f64::from(stretch.share);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // clamped
        let parts = (f64::from(stretch.turn).abs() / BEND - 1e-6).ceil().clamp(1.0, MOST_POINTS) as u32;
        let progress = (1..=parts).map(|part| begin + share * f64::from(part) / f64::from(parts));
        placements.extend(progress.filter(|progress| (NEAR..1.0 - NEAR).contains(progress)).map(|progress| {
            #[allow(clippy::cast_possible_truncation)] // exact enough
            let ([x, y], heading) = trajectory.pose([x, y], heading, progress as f32);
            (progress, Placement { at: point([x, y, 0.0]), heading: finite(heading) })
        }));
        begin += share;
    }
    placements
}

/// All placements through which the way of `agent` is drawn, in order.
pub(crate) fn placements(trajectories: &[Trajectory], agent: &TracedAgent) -> Vec<Placement> {
    let mut placements = vec![Placement::of(&agent.start)];
    let mut from = &agent.start;
    for traced in &agent.moves {
        placements.extend(between(trajectories, from, traced).into_iter().map(|(_, placement)| placement));
        // On a straight way an agent keeps its heading to the end.
        placements.push(Placement { at: plane(&traced.to), heading: placements[placements.len() - 1].heading });
        placements.push(Placement::of(&traced.to));
        from = &traced.to;
    }
    placements
}

/// Whether `agent` follows a trajectory or has a heading other than 0 somewhere: then its headings are written.
pub(crate) fn turns(trajectories: &[Trajectory], agent: &TracedAgent) -> bool {
    has_headings(agent) || agent.moves.iter().any(|traced| trajectory(trajectories, traced).is_some())
}

/// Whether `agent` has a heading other than 0 somewhere.
fn has_headings(agent: &TracedAgent) -> bool {
    let goals = agent.orders.iter().flat_map(|order| &order.goals).chain(&agent.goals);
    let places = goals.chain([&agent.start]).chain(agent.moves.iter().map(|traced| &traced.to));
    { places }.any(|place| finite(place.heading) != 0.0)
}

/// Whether `agent` has a direction to show: it has headings, or a trajectory that is no jump.
fn faces(trajectories: &[Trajectory], agent: &TracedAgent) -> bool {
    let drives = |traced| trajectory(trajectories, traced).is_some_and(|trajectory| !trajectory.is_jump());
    has_headings(agent) || agent.moves.iter().any(drives)
}

/// Which agents have a front, by id: agents with a [direction](faces) to show, and all agents that have one of their
/// shapes.
pub(crate) fn fronts(trace: &Trace) -> Vec<bool> {
    let mut shapes: Vec<Option<&TracedBody>> = Vec::new();
    for agent in &trace.agents {
        if faces(&trace.trajectories, agent) {
            for (_, body) in agent.bodies() {
                if !shapes.contains(&body) {
                    shapes.push(body);
                }
            }
        }
    }
    let has_one = |agent: &TracedAgent| agent.bodies().iter().any(|(_, body)| shapes.contains(body));
    trace.agents.iter().map(has_one).collect()
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_PI_2;

    use giveway_core::Stretch;

    use super::*;

    fn stretch(share: f32, length: f32, turn: f32) -> Stretch {
        Stretch { share, length, turn }
    }

    fn drive(trajectory: Option<u32>) -> TracedMove {
        TracedMove { trajectory, ..TracedMove::new(0, 4, TracedPlace::new(1, [1.0, 0.0, 0.0])) }
    }

    #[test]
    fn curves_are_passed_in_many_poses_and_straight_ways_in_none() {
        let trajectories = [
            Trajectory::new(vec![stretch(1.0, FRAC_PI_2, FRAC_PI_2)]),
            Trajectory::new(vec![stretch(1.0, -2.0, 0.0)]),
            Trajectory::new(vec![stretch(0.25, 1.0, 0.0), stretch(0.0, 0.0, 0.0), stretch(0.75, -1.0, 0.0)]),
        ];
        let start = TracedPlace::new(0, [0.0; 3]);
        let arc = between(&trajectories, &start, &drive(Some(0)));
        assert_eq!(arc.len(), 11);
        for (progress, Placement { at: [x, y], heading }) in arc {
            assert!((x.hypot(y - 1.0) - 1.0).abs() < 1e-6 && (heading - progress * PI / 2.0).abs() < 1e-6);
        }
        for (trajectory, passed) in [(None, 0), (Some(1), 0), (Some(2), 2), (Some(3), 0), (Some(u32::MAX), 0)] {
            assert_eq!(between(&trajectories, &start, &drive(trajectory)).len(), passed, "{trajectory:?}");
        }
        // A leap follows no trajectory.
        assert!(between(&trajectories, &start, &TracedMove { arrive: 0, ..drive(Some(0)) }).is_empty());
    }

    #[test]
    fn senseless_trajectories_are_none() {
        for odd in [stretch(-0.5, 1.0, 0.0), stretch(f32::NAN, 1.0, 0.0), stretch(1.0, 1.0, f32::INFINITY)] {
            let trajectories = [Trajectory::new(vec![stretch(1.0, 1.0, 1.0), odd])];
            assert_eq!(trajectory(&trajectories, &drive(Some(0))), None);
        }
    }

    #[test]
    fn who_could_turn_has_a_front() {
        let disc = |radius| Some(TracedBody::Disc { center: [0.0; 2], radius });
        let place = |heading| TracedPlace { heading, ..TracedPlace::new(0, [0.0; 3]) };
        let stand = |body, heading| TracedAgent { body, ..TracedAgent::new(place(heading), vec![], vec![]) };
        let agents = vec![
            stand(disc(1.0), 0.0),
            stand(disc(1.0), 0.5),
            stand(disc(2.0), f32::NAN),
            stand(None, 0.0),
            TracedAgent { body: disc(3.0), ..TracedAgent::new(place(0.0), vec![], vec![drive(Some(0))]) },
            TracedAgent { body: disc(4.0), ..TracedAgent::new(place(0.0), vec![], vec![drive(Some(9))]) },
            TracedAgent { body: disc(5.0), ..TracedAgent::new(place(0.0), vec![place(1.0)], vec![]) },
            TracedAgent { body: disc(6.0), ..TracedAgent::new(place(0.0), vec![], vec![drive(Some(1))]) },
        ];
        let trajectories = vec![Trajectory::new(vec![stretch(1.0, -1.0, 0.0)]), Trajectory::JUMP];
        let trace = Trace { trajectories, ..Trace::new(1, agents) };
        assert_eq!(fronts(&trace), [true, true, false, false, true, false, true, false]);
    }
}
