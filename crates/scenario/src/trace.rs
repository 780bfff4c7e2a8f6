//! Traces as JSON: the motions of all agents, with positions, for what the plan text cannot express.

use std::fmt;
use std::path::Path;

use giveway_core::{FOREVER, Span, Tick, Trace, TracedAgent, TracedBody, TracedMove, TracedPlace, Trajectory};
use serde::Deserialize;

use crate::file_error::FileError;
use crate::file_methods::file_methods;
use crate::graph::GraphNodeId;
use crate::json;
use crate::json_place::Selector;
use crate::kind::{FileKind, TRACE_FORMAT};
use crate::lines::decode;

const VERSION: u32 = 1;

/// The JSON form of a valid trace.
///
/// ```json
/// {"format": "giveway-trace", "version": 1, "ticks_per_step": 1, "agents": [
///   {"start": {"node": 0, "position": [0.0, 0.0, 0.0]},
///    "goals": [{"node": 2, "position": [2.0, 0.0, 0.0]}],
///    "moves": [
///      {"depart": 0, "arrive": 1, "to": {"node": 1, "position": [1.0, 0.0, 0.0]}},
///      {"depart": 4, "arrive": 5, "to": {"node": 2, "position": [2.0, 0.0, 0.0]}}]}]}
/// ```
///
/// | key | value |
/// |---|---|
/// | `format`, `version` | always `"giveway-trace"` and 1 |
/// | `ticks_per_step` | the number of ticks of a plain step, at least 1 |
/// | `until` | the tick at which the trace ends; optional if the trace ends with the last move |
/// | `origin` | the cell of the map's file that is cell (0, 0) here, if the map is infinite; optional if it is (0, 0) |
/// | `node_ids` | the ids that the nodes have in the file of a graph, by node; optional |
/// | `courses` | the trajectories of moves that are not straight: each is a list of stretches, driven one after the other, or an empty list for a jump, during which the agent stays where it is; optional |
/// | `share`, `length`, `turn` | the numbers of a stretch: its share of the move's time, at least 0 (all shares of a trajectory add up to 1); its length along the heading in world units, negative for backwards; and the change of the heading in radians from x towards y. With length 0 the agent turns on the spot |
/// | `agents` | the agents, by id |
/// | `appears`, `vanishes` | the ticks at which the agent appears and vanishes; `appears` is optional if it is 0, and `vanishes` if the agent stays to the end |
/// | `body` | the shape of the agent, relative to its position, under heading 0; the shape turns with the agent: `{"disc": {"center": [x, y], "radius": r}}` or `{"polygon": {"corners": [[x, y], ...]}}`, convex; optional for a point |
/// | `changes` | the later shapes of the agent, in order: each with a `body`, and the `tick` from which on the agent has it; optional |
/// | `start` | where the agent appears, as a place |
/// | `goals` | the goals of the agent, as places: it has to reach one of them; empty: the agent is a bystander |
/// | `orders` | the later orders to the agent, in order: each with a `tick` and the new `goals`; optional |
/// | `moves` | the moves of the agent, in order; between moves, and after the last move, the agent rests |
/// | `depart`, `arrive` | the ticks at which a move begins and ends: `arrive` is not before `depart`, and `depart` is not before the `arrive` of the move before; if `depart` and `arrive` are equal, the move is a leap |
/// | `pauses` | when the agent stood still on its moves, because it was held up: each with the `start` and the `end`, in order, apart from each other, within a move; the move goes on afterwards at the speed from before; optional |
/// | `to` | the place where the move ends; the move begins where the move before it ended |
/// | `course` | the index of the move's trajectory in `courses`, from 0; without this key, the move is straight, without turning |
/// | a tick | a number from 0 to 2^32 - 2; an agent has no moves and orders before it appears and after it vanishes |
/// | a place | `node`, an id in the space; `position`, three finite numbers in world units; and `heading`, in radians from x towards y, optional if 0 |
///
/// Other keys are ignored on reading.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceFile {
    trace: Trace,
    origin: Option<[i32; 2]>,
    node_ids: Vec<GraphNodeId>,
}

impl TraceFile {
    /// A file with `trace`, after a check that the trace is valid.
    ///
    /// # Errors
    /// * A number of a position, a heading, a shape or a trajectory is not finite; a radius is not above 0; or a
    ///   polygon has fewer than three corners.
    /// * A share of a trajectory is negative, or the sum of the shares differs from 1 by more than a thousandth.
    /// * The trajectory of a move does not exist.
    /// * A tick is 2^32 - 1, or an agent vanishes before it appears.
    /// * A move ends before it begins, or two moves of one agent overlap in time.
    /// * Moves, pauses, orders or changes of shape are not in order.
    /// * A pause is not within a move, or the pauses of a move take all its time.
    /// * An agent has a move or an order before it appears or after it vanishes, or a change of shape before it
    ///   appears.
    /// * A plain step takes 0 ticks.
    pub fn new(trace: Trace) -> Result<Self, InvalidTrace> {
        if trace.ticks_per_step == 0 {
            return Err(InvalidTrace::expected("at least 1 tick per step", 0).under("ticks_per_step"));
        }
        trace.until.map_or(Ok(()), check_tick).map_err(|invalid| invalid.of("until"))?;
        for (trajectory, stretches) in trace.trajectories.iter().enumerate() {
            check_trajectory(stretches).map_err(|invalid| invalid.of_item("course", "courses", trajectory))?;
        }
        for (agent, traced) in trace.agents.iter().enumerate() {
            check_agent(traced, trace.trajectories.len())
                .map_err(|invalid| invalid.of_item("agent", "agents", agent))?;
        }
        Ok(Self { trace, origin: None, node_ids: Vec::new() })
    }

    file_methods! {
        /// Parses a trace; `file` is its name in errors.
        ///
        /// # Errors
        /// `contents` is not JSON, not a trace of this version, or not a valid trace.
        parse: FileKind::Trace, Self::parse_json; write
    }

    fn parse_json(contents: &[u8], file: &Path) -> Result<Self, FileError> {
        let json = decode(contents, file)?;
        json::check_header(json, file, TRACE_FORMAT, VERSION)?;
        let Contents { ticks_per_step, until, origin, node_ids, trajectories, agents } = json::read(json, file)?;
        let read = Self::new(Trace { ticks_per_step, until, trajectories, agents })
            .map_err(|invalid| json::at(FileError::new(file, &invalid), json, &invalid.selectors()))?;
        Ok(Self { origin, node_ids, ..read })
    }

    /// Says which cell of the map's file is cell (0, 0) of the trace.
    #[must_use]
    pub fn with_origin(self, origin: [i32; 2]) -> Self {
        Self { origin: Some(origin), ..self }
    }

    /// Sets the ids that the nodes have in the file of the graph: `node_ids[n]` is the id of node `n`.
    #[must_use]
    pub fn with_node_ids(self, node_ids: Vec<GraphNodeId>) -> Self {
        Self { node_ids, ..self }
    }

    /// The cell of the map's file that is cell (0, 0) of the trace; `None`: the file does not say.
    pub fn origin(&self) -> Option<[i32; 2]> {
        self.origin
    }

    /// The ids that the nodes have in the file of the graph, by node. Empty if the trace does not say.
    pub fn node_ids(&self) -> &[GraphNodeId] {
        &self.node_ids
    }

    /// The trace.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The trace, by value.
    pub fn into_trace(self) -> Trace {
        self.trace
    }
}

/// The contents of a trace file: JSON, one agent per line.
impl fmt::Display for TraceFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Trace { ticks_per_step, until, trajectories, agents } = &self.trace;
        write!(f, "{{\"format\":\"{TRACE_FORMAT}\",\"version\":{VERSION},\"ticks_per_step\":{ticks_per_step},")?;
        if let Some(until) = until {
            write!(f, "\"until\":{until},")?;
        }
        if let Some([x, y]) = self.origin {
            write!(f, "\"origin\":[{x},{y}],")?;
        }
        if !self.node_ids.is_empty() {
            write!(f, "\"node_ids\":{},", serde_json::to_string(&self.node_ids).map_err(|_| fmt::Error)?)?;
        }
        if !trajectories.is_empty() {
            write!(f, "\"courses\":{},", serde_json::to_string(trajectories).map_err(|_| fmt::Error)?)?;
        }
        f.write_str("\"agents\":[")?;
        json::write_items(f, agents)
    }
}

/// Why a trace is not valid. The message says what was expected and what was found, and names the agent, if there is
/// one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidTrace {
    message: String,
    /// The value in the JSON form that is wrong; the last selector first.
    selectors: Vec<Selector>,
}

impl InvalidTrace {
    fn expected(expected: impl fmt::Display, found: impl fmt::Display) -> Self {
        Self { message: format!("expected {expected}, found {found}"), selectors: Vec::new() }
    }

    /// Puts the error under this key, without naming the key in the message.
    fn under(mut self, key: &'static str) -> Self {
        self.selectors.push(Selector::Key(key));
        self
    }

    /// Puts the error under this key.
    fn of(self, key: &'static str) -> Self {
        Self { message: format!("{key}: {}", self.message), ..self.under(key) }
    }

    /// Puts the error into the item at this position of the list under `key`.
    fn of_item(mut self, item: &str, key: &'static str, position: usize) -> Self {
        self.selectors.extend([Selector::Element(position), Selector::Key(key)]);
        Self { message: format!("{item} {position}: {}", self.message), ..self }
    }

    fn selectors(&self) -> Vec<Selector> {
        self.selectors.iter().rev().copied().collect()
    }
}

impl fmt::Display for InvalidTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for InvalidTrace {}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Contents {
    ticks_per_step: u32,
    #[serde(default)]
    until: Option<Tick>,
    #[serde(default)]
    origin: Option<[i32; 2]>,
    #[serde(default)]
    node_ids: Vec<GraphNodeId>,
    #[serde(rename = "courses", default)]
    trajectories: Vec<Trajectory>,
    agents: Vec<TracedAgent>,
}

fn check_agent(traced: &TracedAgent, trajectories: usize) -> Result<(), InvalidTrace> {
    let TracedAgent { appears, vanishes, body, changes, start, goals, orders, moves, pauses: _ } = traced;
    check_body(body.as_ref())?;
    check_place(start).map_err(|invalid| invalid.of("start"))?;
    check_goals(goals)?;
    check_tick(*appears).map_err(|invalid| invalid.of("appears"))?;
    let last = vanishes.unwrap_or(FOREVER - 1);
    check_tick(last).map_err(|invalid| invalid.of("vanishes"))?;
    if last < *appears {
        return Err(InvalidTrace::expected(
            format_args!("to vanish at tick {appears}, when it appears, or later"),
            last,
        )
        .under("vanishes"));
    }
    let (mut before, latest) = (*appears, FOREVER - 1);
    for (index, change) in changes.iter().enumerate() {
        // An agent may vanish on the way to the end of a move, where it would have changed.
        if change.tick < before || change.tick > latest {
            let invalid = InvalidTrace::expected(format_args!("a tick from {before} to {latest}"), change.tick);
            return Err(invalid.under("tick").of_item("change", "changes", index));
        }
        check_body(change.body.as_ref()).map_err(|invalid| invalid.of_item("change", "changes", index))?;
        before = change.tick;
    }
    let mut before = *appears;
    for (index, order) in orders.iter().enumerate() {
        if order.tick < before || order.tick > last {
            let invalid = InvalidTrace::expected(format_args!("a tick from {before} to {last}"), order.tick);
            return Err(invalid.under("tick").of_item("order", "orders", index));
        }
        check_goals(&order.goals).map_err(|invalid| invalid.of_item("order", "orders", index))?;
        before = order.tick;
    }
    let mut before = *appears;
    for (index, traced) in moves.iter().enumerate() {
        check_move(before, last, trajectories, traced).map_err(|invalid| invalid.of_item("move", "moves", index))?;
        before = traced.arrive;
    }
    check_pauses(traced)
}

/// Checks the pauses of an agent whose moves make sense.
fn check_pauses(traced: &TracedAgent) -> Result<(), InvalidTrace> {
    let (mut before, mut moves) = (0, traced.moves.iter().peekable());
    for (index, pause) in traced.pauses.iter().enumerate() {
        let span = format!("{} to {}", pause.start, pause.end);
        let of_pause = |invalid: InvalidTrace| invalid.of_item("pause", "pauses", index);
        if pause.start < before || pause.end <= pause.start {
            let expected = format!("a pause that begins at tick {before} or later, and ends after that");
            return Err(of_pause(InvalidTrace::expected(expected, span)));
        }
        while moves.next_if(|traced| traced.arrive < pause.end).is_some() {}
        let is_within = |step: &&TracedMove| {
            // Later pauses are not in order yet.
            let ticks = |pause: &Span| u64::from(pause.end.saturating_sub(pause.start));
            let paused = traced.pauses_of(step).iter().map(ticks).sum::<u64>();
            step.depart <= pause.start && paused < u64::from(step.arrive - step.depart)
        };
        // With the first one of each move, all of them are looked at.
        let is_first = moves.peek().is_some_and(|step| before <= step.depart);
        if !moves.peek().is_some_and(|step| if is_first { is_within(step) } else { step.depart <= pause.start }) {
            return Err(of_pause(InvalidTrace::expected("a pause within a longer move", span)));
        }
        // Pauses that touch each other are one.
        before = pause.end.saturating_add(1);
    }
    Ok(())
}

fn check_body(body: Option<&TracedBody>) -> Result<(), InvalidTrace> {
    body.map_or(Ok(()), check_shape).map_err(|invalid| invalid.of("body"))
}

fn check_shape(body: &TracedBody) -> Result<(), InvalidTrace> {
    let positive = |number: f32| if number > 0.0 && number.is_finite() { None } else { Some(number) };
    let (numbers, found) = match body {
        TracedBody::Disc { center, radius } => (center.to_vec(), positive(*radius)),
        TracedBody::Polygon { corners } => (corners.concat(), None),
    };
    match (numbers.iter().find(|number| !number.is_finite()), found, body) {
        (Some(number), ..) => Err(InvalidTrace::expected("finite coordinates", number)),
        (None, Some(radius), _) => Err(InvalidTrace::expected("a radius above 0", radius)),
        (None, None, TracedBody::Polygon { corners }) if corners.len() < 3 => {
            Err(InvalidTrace::expected("at least 3 corners", corners.len()))
        }
        _ => Ok(()),
    }
}

fn check_tick(tick: Tick) -> Result<(), InvalidTrace> {
    if tick < FOREVER { Ok(()) } else { Err(InvalidTrace::expected(format_args!("a tick before {FOREVER}"), tick)) }
}

fn check_goals(goals: &[TracedPlace]) -> Result<(), InvalidTrace> {
    let invalid = |(index, goal)| check_place(goal).map_err(|invalid| invalid.of_item("goal", "goals", index));
    goals.iter().enumerate().try_for_each(invalid)
}

/// Checks a move that may begin at tick `before` at the earliest, and must end by tick `last`. A move that ends when it
/// begins is a leap.
fn check_move(before: Tick, last: Tick, trajectories: usize, traced: &TracedMove) -> Result<(), InvalidTrace> {
    let TracedMove { depart, arrive, to, trajectory } = traced;
    if *depart < before {
        return Err(InvalidTrace::expected(
            format_args!("to depart at tick {before} or later, when it is there and the move before has ended"),
            depart,
        )
        .under("depart"));
    }
    if arrive < depart || *arrive > last {
        let invalid = InvalidTrace::expected(format_args!("to arrive at a tick from {depart} to {last}"), arrive);
        return Err(invalid.under("arrive"));
    }
    if let Some(number) = trajectory.filter(|number| *number as usize >= trajectories) {
        return Err(InvalidTrace::expected(format_args!("one of {trajectories} courses"), number).under("course"));
    }
    check_place(to).map_err(|invalid| invalid.under("to"))
}

fn check_trajectory(trajectory: &Trajectory) -> Result<(), InvalidTrace> {
    let stretches = trajectory.stretches();
    let numbers = stretches.iter().flat_map(|stretch| [stretch.share, stretch.length, stretch.turn]);
    let total = stretches.iter().fold(0.0, |total, stretch| total + stretch.share);
    if let Some(number) = { numbers }.find(|number| !number.is_finite()) {
        return Err(InvalidTrace::expected("finite numbers", number));
    }
    if let Some(stretch) = stretches.iter().find(|stretch| stretch.share < 0.0) {
        return Err(InvalidTrace::expected("a share of at least 0", stretch.share));
    }
    if !trajectory.is_jump() && (total - 1.0).abs() > 1e-3 {
        return Err(InvalidTrace::expected("shares that add up to 1", total));
    }
    Ok(())
}

fn check_place(place: &TracedPlace) -> Result<(), InvalidTrace> {
    match place.position.iter().find(|coordinate| !coordinate.is_finite()) {
        None if place.heading.is_finite() => Ok(()),
        None => Err(InvalidTrace::expected("a finite heading", place.heading)),
        Some(coordinate) => Err(InvalidTrace::expected("a finite position", coordinate)),
    }
}
