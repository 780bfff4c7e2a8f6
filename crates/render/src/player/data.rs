//! The data of the page: the trace and the map, small and exact, as JSON that cannot end its element.

use std::fmt;

use giveway_core::{FOREVER, Tick, Trace, TracedAgent, TracedBody, TracedOrder, TracedPlace, Trajectory};

use super::flow::{FlowData, list, rounded};
use crate::arrow::Flow;
use crate::backdrop::{Backdrop, Layer};
use crate::front::Front;
use crate::journey::{arrival, arrivals, errands, is_live, last_tick, stays};
use crate::markup::{Number, decimals_for};
use crate::palette::Color;
use crate::placement::{Placement, fronts, makes_sense, trajectory, turns};
use crate::plane::plane;

/// The JSON of a trace over a backdrop, in this form (without the line breaks):
///
/// ```json
/// {"version": 1, "ticks_per_step": 1, "last_tick": 57, "scale": 1,
///  "extent": [-0.5, -0.5, 31.5, 31.5], "pitch": 1, "cells": true,
///  "layers": [{"kind": "walls", "path": "M0 0h1v1h-1z"}],
///  "colors": ["#0072b2"],
///  "agents": [{"start": [5, 16, 517], "goals": [[5, 20, 645]], "arrival": 4, "moves": [0, 1, 0, 1, 4]}]}
/// ```
///
/// If there is a flow, `flow` stands before the agents: see [`FlowData`].
///
/// If agents appear, vanish or get orders, there is `"live": true` after the scale, and an agent is:
///
/// ```json
/// {"appears": 3, "vanishes": 90, "start": [5, 16, 517], "goals": [[5, 20, 645]], "orders": [[40, [[5, 16, 517]]]],
///  "arrivals": [7, 44], "stays": [7, 40, 44, null], "moves": [0, 1, 0, 1, 4, 33, 1, 0, -1, 4]}
/// ```
///
/// If agents turn, the trajectories are in `courses` before the agents, and an agent is:
///
/// ```json
/// {"polygon": [-0.9, -0.45, 0.9, -0.45, 0.9, 0.45, -0.9, 0.45], "front": [0.828, 0, 0.27],
///  "start": [5, 16, 517, 1.5707964], "goals": [[8, 20, 648, 0.5]], "arrival": 4, "moves": [0, 1, 0, 1, 3, 0, 1, 3, 1, 1],
///  "turns": [-1, 1.5707964, 3, 0, 0.5, 1]}
/// ```
///
/// * Positions of agents are whole numbers: `scale` of them are one world unit.
/// * A place is x, y and the node's id, and, unless it is 0, the heading there, in radians from x towards y.
/// * `moves` is a flat list of five numbers each: the ticks of rest before the move, the ticks of the move, the changes
///   of x and y, and how often this move repeats. Each move begins where and when the move before ended. The first rest
///   begins when the agent appears. A move that takes no time is a leap.
/// * `courses` are the trajectories of moves that are not straight. Each course is a flat list of three numbers per
///   stretch: the stretch's share of the move's time, its length along the heading (less than 0: backwards), and the
///   growth of the heading on the stretch. Each stretch has one speed and one curvature. The list is left out if no
///   move has a trajectory.
/// * `turns` is a flat list of three numbers each: the trajectory of a move, or -1 for straight on, together with the
///   heading at the move's begin; the heading at its end; and for how many moves in a row this holds. It is left out if
///   there is no trajectory, and the heading is always 0.
/// * `front` is the mark of the agent's heading, in world units under heading 0: x and y of its tip, and its length.
///   For an agent without a body the unit is the radius of the disc that is drawn. The front is left out if no agent of
///   that shape has trajectories or headings.
/// * `arrival` is null if the agent does not end at a goal.
/// * `appears` is left out if it is 0; `vanishes`, if the agent is there to the end. `orders`, each a tick and the new
///   goals, are left out if there are none. `arrivals` are the ticks at which orders were first fulfilled. `stays` are
///   the first ticks and the ends of rests on a goal of the present order; null means for ever.
/// * An agent with a body has `"disc"`: x, y and radius, or `"polygon"`: x and y of each corner, in world units around
///   the agent.
/// * An agent whose shape changes has `"changes"`: the later shapes, in order, each with its first `"tick"`.
/// * A layer's `path` is SVG path data in world units. `width` is the width of its lines; without it, the size of a
///   place decides. A layer that is not always there is shown `from` one tick `until` another. Readers skip kinds and
///   keys that they do not know.
pub(crate) struct Data<'a> {
    trace: &'a Trace,
    backdrop: &'a Backdrop,
    flow: &'a Flow,
    /// Whether the trace holds more than a plan could.
    live: bool,
    /// Which agents have a front.
    fronts: Vec<bool>,
    /// The number of position units in one world unit.
    scale: f64,
}

impl<'a> Data<'a> {
    pub(crate) fn new(trace: &'a Trace, backdrop: &'a Backdrop, flow: &'a Flow) -> Self {
        let whole = |place: &TracedPlace| plane(place).iter().all(|side| side.fract() == 0.0);
        let all_whole = trace.agents.iter().all(|agent| {
            let mut goals = errands(agent).flat_map(|(_, _, goals)| goals);
            whole(&agent.start) && goals.all(whole) && agent.moves.iter().all(|traced| whole(&traced.to))
        });
        let decimals = if all_whole { 0 } else { decimals_for(backdrop.pitch) };
        let scale = (0..decimals).fold(1.0, |scale, _| scale * 10.0);
        Self { trace, backdrop, flow, live: is_live(trace), fronts: fronts(trace), scale }
    }

    fn whole(&self, place: &TracedPlace) -> [i64; 2] {
        plane(place).map(|side| rounded(side * self.scale))
    }

    fn place(&self, place: &TracedPlace) -> String {
        let ([x, y], node) = (self.whole(place), place.node);
        match Placement::of(place).heading {
            0.0 => format!("[{x},{y},{node}]"),
            heading => format!("[{x},{y},{node},{}]", Shortest(heading)),
        }
    }

    fn agent(&self, f: &mut fmt::Formatter<'_>, agent: &TracedAgent, front: bool) -> fmt::Result {
        f.write_str("{")?;
        if agent.appears > 0 {
            write!(f, "\"appears\":{},", agent.appears)?;
        }
        if let Some(tick) = agent.vanishes {
            write!(f, "\"vanishes\":{tick},")?;
        }
        write_shape(f, agent.body.as_ref(), front)?;
        if !agent.changes.is_empty() {
            f.write_str("\"changes\":[")?;
            for (index, change) in agent.changes.iter().enumerate() {
                f.write_str(if index == 0 { "{" } else { ",{" })?;
                write_shape(f, change.body.as_ref(), front)?;
                write!(f, "\"tick\":{}}}", change.tick)?;
            }
            f.write_str("],")?;
        }
        write!(f, "\"start\":{},\"goals\":[{}]", self.place(&agent.start), self.places(&agent.goals))?;
        if self.live {
            self.write_orders(f, agent)?;
        } else {
            write!(f, ",\"arrival\":{}", OrNull(arrival(agent)))?;
        }
        let run = |([rest, takes, dx, dy], times): ([i64; 4], u32)| format!("{rest},{takes},{dx},{dy},{times}");
        write!(f, ",\"moves\":[{}]", list(self.runs(agent).into_iter().map(run)))?;
        self.turns(f, agent)?;
        f.write_str("}")
    }

    fn places(&self, places: &[TracedPlace]) -> String {
        list(places.iter().map(|place| self.place(place)))
    }

    /// The agent's later orders, and the ticks at which it fulfils them.
    fn write_orders(&self, f: &mut fmt::Formatter<'_>, agent: &TracedAgent) -> fmt::Result {
        if !agent.orders.is_empty() {
            let order = |order: &TracedOrder| format!("[{},[{}]]", order.tick, self.places(&order.goals));
            write!(f, ",\"orders\":[{}]", list(agent.orders.iter().map(order)))?;
        }
        let stay = |(begin, end)| format!("{begin},{}", OrNull(Some(end).filter(|end| *end < FOREVER)));
        let stays = list(stays(agent).into_iter().map(stay));
        write!(f, ",\"arrivals\":[{}],\"stays\":[{stays}]", list(arrivals(agent)))
    }

    /// The trajectories and headings of the moves, runs of equal ones as one with their number.
    fn turns(&self, f: &mut fmt::Formatter<'_>, agent: &TracedAgent) -> fmt::Result {
        let trajectories = &self.trace.trajectories;
        if !turns(trajectories, agent) {
            return Ok(());
        }
        let mut runs: Vec<(Option<u32>, f64, u32)> = Vec::new();
        for traced in &agent.moves {
            let (number, heading) = (
                traced.trajectory.filter(|_| trajectory(trajectories, traced).is_some()),
                Placement::of(&traced.to).heading,
            );
            match runs.last_mut() {
                Some((last, faced, times)) if (*last, *faced) == (number, heading) => *times += 1,
                _ => runs.push((number, heading, 1)),
            }
        }
        let run = |(number, heading, times): (Option<u32>, _, _)| {
            format!("{},{},{times}", number.map_or(-1, i64::from), Shortest(heading))
        };
        write!(f, ",\"turns\":[{}]", list(runs.into_iter().map(run)))
    }

    /// The moves as [rest before, duration, dx, dy], runs of equal ones as one with their number.
    fn runs(&self, agent: &TracedAgent) -> Vec<([i64; 4], u32)> {
        let mut runs: Vec<([i64; 4], u32)> = Vec::new();
        let (mut arrived, mut at) = (agent.appears, self.whole(&agent.start));
        for traced in &agent.moves {
            let to = self.whole(&traced.to);
            let moved = [
                i64::from(traced.depart) - i64::from(arrived),
                i64::from(traced.arrive) - i64::from(traced.depart),
                to[0] - at[0],
                to[1] - at[1],
            ];
            (arrived, at) = (traced.arrive, to);
            match runs.last_mut() {
                Some((last, times)) if *last == moved => *times += 1,
                _ => runs.push((moved, 1)),
            }
        }
        runs
    }
}

impl fmt::Display for Data<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { trace, backdrop, flow, live, fronts, scale } = self;
        let extent = backdrop.extent().with_trace(trace, backdrop.pitch / 2.0);
        let decimals = decimals_for(backdrop.pitch);
        let [left, top, right, bottom] =
            [extent.min[0], extent.min[1], extent.max[0], extent.max[1]].map(|side| Number(side, decimals));
        write!(
            f,
            "{{\"version\":1,\"ticks_per_step\":{},\"last_tick\":{},\"scale\":{scale},{}\
             \"extent\":[{left},{top},{right},{bottom}],\"pitch\":{},\"cells\":{},\"layers\":[",
            trace.ticks_per_step,
            last_tick(trace),
            if *live { "\"live\":true," } else { "" },
            Number(backdrop.pitch, decimals + 3),
            backdrop.is_cells()
        )?;
        let layer = |layer: &Layer| {
            let width = layer.width.map(|width| format!(",\"width\":{}", Number(width, decimals + 3)));
            let shown = layer.shown.map(|[from, until]| format!(",\"from\":{from},\"until\":{until}"));
            let [width, shown] = [width, shown].map(Option::unwrap_or_default);
            format!("{{\"kind\":\"{}\",\"path\":\"{}\"{width}{shown}}}", layer.kind.name(), layer.path)
        };
        let colors = Color::agents().map(|color| format!("\"{color}\""));
        write!(f, "{}],\"colors\":[{}],", list(backdrop.layers.iter().map(layer)), list(colors))?;
        if !trace.trajectories.is_empty() {
            write_trajectories(f, &trace.trajectories)?;
        }
        if !flow.is_empty() {
            write!(f, "\"flow\":{},", FlowData::new(flow, extent, backdrop.pitch))?;
        }
        f.write_str("\"agents\":[")?;
        for (index, (agent, front)) in trace.agents.iter().zip(fronts).enumerate() {
            f.write_str(if index == 0 { "\n" } else { ",\n" })?;
            self.agent(f, agent, *front)?;
        }
        f.write_str("]}")
    }
}

/// A shape and its front, each with a comma after it. Nothing for a point without a front.
fn write_shape(f: &mut fmt::Formatter<'_>, body: Option<&TracedBody>, front: bool) -> fmt::Result {
    match body {
        None => {}
        Some(TracedBody::Disc { center: [x, y], radius }) => {
            write!(f, "\"disc\":[{},{},{}],", short(*x), short(*y), short(*radius))?;
        }
        Some(TracedBody::Polygon { corners }) => {
            write!(f, "\"polygon\":[{}],", list(corners.as_flattened().iter().map(|side| short(*side))))?;
        }
    }
    if front {
        let Front { tip: [x, y], size } = body.map_or_else(|| Front::of_point(1.0), Front::of);
        write!(f, "\"front\":[{},{},{}],", Number(x, 4), Number(y, 4), Number(size, 4))?;
    }
    Ok(())
}

/// The trajectories by number, and the comma after them. An invalid one is empty, and no move uses it.
fn write_trajectories(f: &mut fmt::Formatter<'_>, trajectories: &[Trajectory]) -> fmt::Result {
    let course = |trajectory: &Trajectory| {
        let stretches = trajectory.stretches().iter().filter(|_| makes_sense(trajectory));
        let numbers = stretches.flat_map(|stretch| [stretch.share, stretch.length, stretch.turn]);
        format!("[{}]", list(numbers.map(|number| Shortest(number.into()))))
    };
    write!(f, "\"courses\":[{}],", list(trajectories.iter().map(course)))
}

/// A finite number that came from 32 bits, with the fewest digits that identify it among 32-bit numbers.
struct Shortest(f64);

impl fmt::Display for Shortest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[allow(clippy::cast_possible_truncation)] // it came from there
        match self.0 as f32 {
            0.0 => f.write_str("0"),
            number => write!(f, "{number}"),
        }
    }
}

/// A tick, or null.
struct OrNull(Option<Tick>);

impl fmt::Display for OrNull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(tick) => write!(f, "{tick}"),
            None => f.write_str("null"),
        }
    }
}

/// A length of a body in world units.
fn short(side: f32) -> Number {
    Number(side.into(), 4)
}

#[cfg(test)]
mod tests {
    use giveway_core::TracedMove;

    use super::*;

    fn place(x: f32, y: f32) -> TracedPlace {
        TracedPlace::new(7, [x, y, 0.0])
    }

    fn data(start: TracedPlace, moves: &[(u32, u32, TracedPlace)]) -> String {
        let moves = moves.iter().map(|(depart, arrive, to)| TracedMove::new(*depart, *arrive, *to));
        let agent = TracedAgent::new(start, vec![start], moves.collect());
        let trace = Trace::new(1, vec![agent]);
        Data::new(&trace, &Backdrop::cells(4, 1, |_, _| true), &Flow::new()).to_string()
    }

    #[test]
    fn moves_in_a_row_are_one_run() {
        let steps = [(0, 1, place(1.0, 0.0)), (1, 2, place(2.0, 0.0)), (4, 5, place(3.0, 0.0))];
        let written = data(place(0.0, 0.0), &steps);
        assert!(written.contains("\"moves\":[0,1,1,0,2,2,1,1,0,1]"), "{written}");
        assert!(written.contains("\"scale\":1,"), "{written}");
    }

    #[test]
    fn positions_between_cells_are_scaled() {
        let written = data(place(0.25, 0.0), &[(0, 1, place(1.0, -0.125))]);
        assert!(written.contains("\"scale\":1000,"), "{written}");
        assert!(written.contains("\"start\":[250,0,7]"), "{written}");
        assert!(written.contains("\"moves\":[0,1,750,-125,1]"), "{written}");
    }

    #[test]
    fn no_position_breaks_the_json() {
        for side in [f32::NAN, f32::INFINITY, f32::MAX, f32::MIN, f32::MIN_POSITIVE] {
            let written = data(place(side, 0.0), &[(9, 3, place(0.0, side))]);
            assert!(!written.contains("NaN") && !written.contains("inf"), "{written}");
        }
    }
}
