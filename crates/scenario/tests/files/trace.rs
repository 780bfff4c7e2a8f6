//! Traces.

use giveway_core::{
    Span, Stretch, Tick, Trace, TracedAgent, TracedBody, TracedChange, TracedMove, TracedOrder, TracedPlace, Trajectory,
};
use giveway_scenario::{PlanText, TraceFile};

use crate::files::{grid, rejects};

const PLACE: &str = r#"{"node":0,"position":[0,0,0]}"#;

fn place(node: u32, x: f32) -> TracedPlace {
    TracedPlace::new(node, [x, 0.0, 0.0])
}

fn one_agent(moves: &[(u32, u32)]) -> Trace {
    let moves = moves.iter().map(|(depart, arrive)| TracedMove::new(*depart, *arrive, place(1, 0.1)));
    let goals = vec![place(1, 0.1), place(u32::MAX, f32::MIN_POSITIVE)];
    Trace::new(3, vec![TracedAgent::new(place(0, 0.0), goals, moves.collect())])
}

#[test]
fn a_trace_is_written_one_agent_per_line() {
    let trace = TraceFile::new(one_agent(&[(0, 3)])).unwrap();
    let json = "{\"format\":\"giveway-trace\",\"version\":1,\"ticks_per_step\":3,\"agents\":[\n\
        {\"start\":{\"node\":0,\"position\":[0.0,0.0,0.0]},\
        \"goals\":[{\"node\":1,\"position\":[0.1,0.0,0.0]},{\"node\":4294967295,\"position\":[1.1754944e-38,0.0,0.0]}],\
        \"moves\":[{\"depart\":0,\"arrive\":3,\"to\":{\"node\":1,\"position\":[0.1,0.0,0.0]}}]}\n]}\n";
    assert_eq!(trace.to_string(), json);
    assert_eq!(TraceFile::parse(json, "trace.json").unwrap(), trace);
}

#[test]
fn traces_come_back_as_they_were() {
    let mut two = one_agent(&[(0, 1), (1, 2), (7, 9)]);
    two.agents.push(two.agents[0].clone());
    for trace in [Trace::new(1, Vec::new()), one_agent(&[]), one_agent(&[(u32::MAX - 2, u32::MAX - 1)]), two] {
        let file = TraceFile::new(trace.clone()).unwrap();
        let read = TraceFile::parse(file.to_string(), "trace.json").unwrap();
        assert_eq!(read.trace(), &trace);
        assert_eq!(read.into_trace(), trace);
    }
}

#[test]
fn pauses_are_written_and_read_and_make_sense() {
    let with = |pauses: &[(u32, u32)]| {
        let mut trace = one_agent(&[(0, 6), (8, 20)]);
        trace.agents[0].pauses = pauses.iter().map(|&(start, end)| Span { start, end }).collect();
        TraceFile::new(trace)
    };
    let file = with(&[(1, 3), (10, 11), (15, 20)]).unwrap();
    assert!(file.to_string().contains("\"pauses\":[{\"start\":1,\"end\":3},"));
    assert_eq!(TraceFile::parse(file.to_string(), "trace.json").unwrap(), file);
    for (pauses, message) in [
        (&[(3, 3)][..], "pause 0: expected a pause that begins at tick 0 or later, and ends after that, found 3 to 3"),
        (
            &[(1, 3), (3, 4)],
            "pause 1: expected a pause that begins at tick 4 or later, and ends after that, found 3 to 4",
        ),
        (&[(5, 9)], "pause 0: expected a pause within a longer move, found 5 to 9"),
        (&[(0, 6)], "pause 0: expected a pause within a longer move, found 0 to 6"),
        (
            &[(9, 12), (16, 14)],
            "pause 1: expected a pause that begins at tick 13 or later, and ends after that, found 16 to 14",
        ),
        (&[(30, 31)], "pause 0: expected a pause within a longer move, found 30 to 31"),
    ] {
        assert_eq!(with(pauses).unwrap_err().to_string(), format!("agent 0: {message}"));
    }
}

#[test]
fn the_trace_of_a_plan_is_a_trace() {
    let grid = grid(&["..."]);
    let text = PlanText::parse("solution=\n0:(0,0)\n1:(0,0)\n2:(1,0)\n3:(2,0)", "plan.txt").unwrap();
    let (plan, agents) = (text.to_plan(&grid).unwrap(), text.to_agents(&grid).unwrap());
    let trace = TraceFile::new(Trace::from_plan(&grid, &agents, &plan, 1)).unwrap();
    assert_eq!(trace.trace().agents[0].moves.len(), 2);
    assert_eq!(TraceFile::parse(trace.to_string(), "t.json").unwrap(), trace);
}

#[test]
fn other_keys_and_layouts_are_read() {
    let json = format!(
        "\u{feff}{{\n \"agents\": [{{\"name\": \"x\", \"moves\": [], \"goals\": [], \"start\": {PLACE}}}],\r\n \
         \"made_by\": [1, {{}}], \"ticks_per_step\": 1, \"version\": 1, \"format\": \"giveway-trace\"}}"
    );
    assert_eq!(TraceFile::parse(json, "t.json").unwrap().trace().agents.len(), 1);
}

#[test]
fn senseless_traces_cannot_be_made() {
    for (moves, message) in [
        ([(0, 1), (3, 2)], "agent 0: move 1: expected to arrive at a tick from 3 to 4294967294, found 2"),
        ([(5, 4), (5, 6)], "agent 0: move 0: expected to arrive at a tick from 5 to 4294967294, found 4"),
        (
            [(0, 1), (1, u32::MAX)],
            "agent 0: move 1: expected to arrive at a tick from 1 to 4294967294, found 4294967295",
        ),
        (
            [(0, 2), (1, 3)],
            "agent 0: move 1: expected to depart at tick 2 or later, when it is there and the move before has ended, found 1",
        ),
    ] {
        let error = TraceFile::new(one_agent(&moves)).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    let places: [fn(&mut TracedAgent) -> &mut TracedPlace; 3] =
        [|agent| &mut agent.start, |agent| &mut agent.goals[1], |agent| &mut agent.moves[0].to];
    for ((position, found), (place, name)) in [(f32::NAN, "NaN"), (f32::INFINITY, "inf"), (f32::NEG_INFINITY, "-inf")]
        .into_iter()
        .zip(places.into_iter().zip(["start", "goal 1", "move 0"]))
    {
        let mut trace = one_agent(&[(0, 1)]);
        place(&mut trace.agents[0]).position[1] = position;
        assert_eq!(
            TraceFile::new(trace).unwrap_err().to_string(),
            format!("agent 0: {name}: expected a finite position, found {found}")
        );
    }
    let still = Trace::new(0, Vec::new());
    assert_eq!(TraceFile::new(still).unwrap_err().to_string(), "expected at least 1 tick per step, found 0");
}

#[test]
fn bad_traces_are_rejected_with_their_place() {
    let whole = |rest: &str| format!("{{\"format\":\"giveway-trace\",\"version\":1,\n{rest}}}");
    let agent = |rest: &str| whole(&format!("\"ticks_per_step\":1,\"agents\":[\n{{{rest}}}]"));
    let deep = "[".repeat(100_000);
    let table: Vec<(Vec<u8>, &str)> = vec![
        (b"".into(), "t.json:1: EOF while parsing a value"),
        (b"nonsense".into(), "t.json:1:2: expected ident"),
        (b"[]".into(), "t.json:1:1: expected an object, found an array"),
        (b"{}".into(), "t.json:1:2: missing field `format`"),
        (b"{\"format\":7}".into(), "t.json:1:11: invalid type: integer `7`, expected a string"),
        (
            b"{\"format\":\"geojson\",\"version\":1}".into(),
            "t.json:1:11: expected the format \"giveway-trace\", found \"geojson\"",
        ),
        (b"{\"format\":\"giveway-trace\"}".into(), "t.json:1:26: missing field `version`"),
        (b"{\"format\":\"giveway-trace\",\"version\":2}".into(), "t.json:1:37: expected version 1, found 2"),
        (
            b"{\"format\":\"giveway-trace\",\"version\":-1}".into(),
            "t.json:1:38: invalid value: integer `-1`, expected u64",
        ),
        (whole("").into(), "t.json:2:1: trailing comma"),
        (whole("\"agents\":[]").into(), "t.json:2:12: missing field `ticks_per_step`"),
        (
            whole("\"ticks_per_step\":4294967296,\"agents\":[]").into(),
            "t.json:2:27: invalid value: integer `4294967296`, expected u32",
        ),
        (whole("\"ticks_per_step\":0,\"agents\":[]").into(), "t.json:2:18: expected at least 1 tick per step, found 0"),
        (whole("\"ticks_per_step\":1,\"ticks_per_step\":1").into(), "t.json:2:35: duplicate field `ticks_per_step`"),
        (agent("").into(), "t.json:3:2: missing field `start`"),
        (agent("\"start\":{\"node\":-1}").into(), "t.json:3:19: invalid value: integer `-1`, expected u32"),
        (
            agent("\"start\":{\"node\":1,\"position\":[0,0]}").into(),
            "t.json:3:35: invalid length 2, expected an array of length 3",
        ),
        (
            agent("\"start\":{\"node\":1,\"position\":[0,0,null]}").into(),
            "t.json:3:39: invalid type: null, expected f32",
        ),
        (agent("\"start\":{\"node\":1,\"position\":[0,0,1e999]}").into(), "t.json:3:40: number out of range"),
        (
            agent("\"start\":{\"node\":1,\"position\":[0,0,1e39]},\"goals\":[],\"moves\":[]").into(),
            "t.json:3:39: number out of range",
        ),
        (
            agent(&format!("\"start\":{PLACE},\"goals\":[],\"moves\":[{{\"depart\":2,\"arrive\":1,\"to\":{PLACE}}}]"))
                .into(),
            "t.json:3:81: agent 0: move 0: expected to arrive at a tick from 2 to 4294967294, found 1",
        ),
        // Among the keys are others, and in them what looks like those.
        (
            agent(&format!(
                "\"note\":[{{\"moves\":[\"}}\"]}}],\"start\":{PLACE},\"goals\":[],\n\"moves\":[{{\"depart\":2,\"arrive\":3,\"to\":{PLACE}}},\n\
                 {{\"to\":{PLACE},\n\"arrive\":4,\"depart\":  2}}]"
            ))
            .into(),
            "t.json:6:23: agent 0: move 1: expected to depart at tick 3 or later, when it is there and the move before has ended, found 2",
        ),
        ((whole("\"ticks_per_step\":1,\"agents\":[]") + "\n\n x").into(), "t.json:4:2: trailing characters"),
        (format!("{{\"format\":{deep}").into(), "t.json:1:10: invalid type: sequence, expected a string"),
        (whole(&format!("\"agents\":{deep}")).into(), "t.json:2:100010: expected value"),
        (b"{\"format\":\"\xff\"}".into(), "t.json:1:12: expected UTF-8 text, found the byte 0xFF"),
    ];
    rejects(&table, |contents| TraceFile::parse(contents, "t.json"));
}

#[test]
fn agents_that_come_and_go_are_told_things_and_leap() {
    let mut trace = one_agent(&[(2, 3), (4, 4), (5, 8)]);
    trace.until = Some(20);
    let agent = &mut trace.agents[0];
    (agent.appears, agent.vanishes) = (2, Some(9));
    agent.orders = vec![
        TracedOrder { tick: 2, goals: vec![] },
        TracedOrder { tick: 9, goals: vec![place(5, 0.0), place(6, 1.0)] },
    ];
    let file = TraceFile::new(trace).unwrap();
    let text = file.to_string();
    assert!(
        text.starts_with("{\"format\":\"giveway-trace\",\"version\":1,\"ticks_per_step\":3,\"until\":20,"),
        "{text}"
    );
    assert!(text.contains("{\"appears\":2,\"vanishes\":9,\"start\":"), "{text}");
    assert!(text.contains("\"orders\":[{\"tick\":2,\"goals\":[]},{\"tick\":9,\"goals\":[{\"node\":5,"), "{text}");
    assert_eq!(TraceFile::parse(text, "t.json").unwrap(), file);
}

#[test]
fn nobody_moves_or_is_told_anything_while_it_is_not_there() {
    let order = |tick| TracedOrder { tick, goals: vec![] };
    /// When it appears and vanishes, moves, is told something, and what is wrong with that.
    type Row = (Tick, Option<Tick>, &'static [(Tick, Tick)], Vec<TracedOrder>, &'static str);
    let table: [Row; 7] = [
        (5, Some(4), &[], vec![], "expected to vanish at tick 5, when it appears, or later, found 4"),
        (0, Some(u32::MAX), &[], vec![], "vanishes: expected a tick before 4294967295, found 4294967295"),
        (
            5,
            None,
            &[(4, 5)],
            vec![],
            "move 0: expected to depart at tick 5 or later, when it is there and the move before has ended, found 4",
        ),
        (5, Some(7), &[(6, 8)], vec![], "move 0: expected to arrive at a tick from 6 to 7, found 8"),
        (5, None, &[], vec![order(4)], "order 0: expected a tick from 5 to 4294967294, found 4"),
        (0, Some(7), &[], vec![order(3), order(8)], "order 1: expected a tick from 3 to 7, found 8"),
        (0, None, &[], vec![order(3), order(2)], "order 1: expected a tick from 3 to 4294967294, found 2"),
    ];
    for (appears, vanishes, moves, orders, message) in table {
        let mut trace = one_agent(moves);
        let agent = &mut trace.agents[0];
        (agent.appears, agent.vanishes, agent.orders) = (appears, vanishes, orders);
        assert_eq!(TraceFile::new(trace).unwrap_err().to_string(), format!("agent 0: {message}"));
    }
    let mut trace = one_agent(&[]);
    trace.agents[0].orders = vec![TracedOrder { tick: 0, goals: vec![place(0, f32::NAN)] }];
    let message = "agent 0: order 0: goal 0: expected a finite position, found NaN";
    assert_eq!(TraceFile::new(trace).unwrap_err().to_string(), message);
}

#[test]
fn bodies_are_written_and_checked() {
    let disc = |center, radius| TracedBody::Disc { center, radius };
    let polygon = |corners: &[[f32; 2]]| TracedBody::Polygon { corners: corners.to_vec() };
    let with = |body| {
        let mut trace = one_agent(&[]);
        trace.agents[0].body = Some(body);
        TraceFile::new(trace)
    };
    let triangle = [[0.0, 0.0], [1.5, 0.0], [0.0, 1.0]];
    for (body, json) in [
        (disc([0.5, 0.0], 1.25), "{\"body\":{\"disc\":{\"center\":[0.5,0.0],\"radius\":1.25}},"),
        (polygon(&triangle), "{\"body\":{\"polygon\":{\"corners\":[[0.0,0.0],[1.5,0.0],[0.0,1.0]]}},"),
    ] {
        let file = with(body).unwrap();
        assert!(file.to_string().contains(json), "{file}");
        assert_eq!(TraceFile::parse(file.to_string(), "t.json").unwrap(), file);
    }
    for (body, message) in [
        (disc([f32::NAN, 0.0], 1.0), "expected finite coordinates, found NaN"),
        (disc([0.0, 0.0], 0.0), "expected a radius above 0, found 0"),
        (disc([0.0, 0.0], f32::INFINITY), "expected a radius above 0, found inf"),
        (polygon(&triangle[..2]), "expected at least 3 corners, found 2"),
        (polygon(&[[0.0, 0.0], [f32::INFINITY, 0.0], [0.0, 1.0]]), "expected finite coordinates, found inf"),
    ] {
        assert_eq!(with(body).unwrap_err().to_string(), format!("agent 0: body: {message}"));
    }
}

#[test]
fn changes_of_shape_are_written_and_checked() {
    let disc = |radius| Some(TracedBody::Disc { center: [0.0; 2], radius });
    let with = |changes: Vec<TracedChange>| {
        let mut trace = one_agent(&[]);
        trace.agents[0].changes = changes;
        TraceFile::new(trace)
    };
    let change = |tick, body| TracedChange { tick, body };
    let file = with(vec![change(3, disc(0.5)), change(9, None)]).unwrap();
    let json = "\"changes\":[{\"tick\":3,\"body\":{\"disc\":{\"center\":[0.0,0.0],\"radius\":0.5}}},{\"tick\":9}]";
    assert!(file.to_string().contains(json), "{file}");
    assert_eq!(TraceFile::parse(file.to_string(), "t.json").unwrap(), file);
    for (changes, message) in [
        (vec![change(3, disc(-1.0))], "agent 0: change 0: body: expected a radius above 0, found -1"),
        (vec![change(3, None), change(2, None)], "agent 0: change 1: expected a tick from 3 to 4294967294, found 2"),
    ] {
        assert_eq!(with(changes).unwrap_err().to_string(), message);
    }
}

/// A trace of one agent that drives forwards along a quarter of a circle, straight on, and backwards with a turn.
fn driven() -> Trace {
    let stretch = |share, length, turn| Stretch { share, length, turn };
    let place = |node, x, heading| TracedPlace { heading, ..place(node, x) };
    let moves = vec![
        TracedMove { trajectory: Some(0), ..TracedMove::new(0, 4, place(1, 1.0, 1.5707964)) },
        TracedMove::new(4, 6, place(2, 1.0, 1.5707964)),
        TracedMove { trajectory: Some(1), ..TracedMove::new(6, 9, place(3, 0.1, -0.5)) },
    ];
    let agent = TracedAgent::new(place(0, 0.0, 0.0), vec![place(3, 0.1, -0.5)], moves);
    let trajectories = vec![
        Trajectory::new(vec![stretch(1.0, 1.5707964, 1.5707964)]),
        Trajectory::new(vec![stretch(0.1, -1.25, 0.0), stretch(0.0, 0.0, 0.0), stretch(0.9, 0.0, -2.0707965)]),
    ];
    Trace { trajectories, ..Trace::new(1, vec![agent]) }
}

#[test]
fn trajectories_and_headings_are_written_and_come_back() {
    let json = "{\"format\":\"giveway-trace\",\"version\":1,\"ticks_per_step\":1,\
        \"courses\":[[{\"share\":1.0,\"length\":1.5707964,\"turn\":1.5707964}],\
        [{\"share\":0.1,\"length\":-1.25,\"turn\":0.0},{\"share\":0.0,\"length\":0.0,\"turn\":0.0},\
        {\"share\":0.9,\"length\":0.0,\"turn\":-2.0707965}]],\"agents\":[\n\
        {\"start\":{\"node\":0,\"position\":[0.0,0.0,0.0]},\
        \"goals\":[{\"node\":3,\"position\":[0.1,0.0,0.0],\"heading\":-0.5}],\
        \"moves\":[{\"depart\":0,\"arrive\":4,\"to\":{\"node\":1,\"position\":[1.0,0.0,0.0],\"heading\":1.5707964},\"course\":0},\
        {\"depart\":4,\"arrive\":6,\"to\":{\"node\":2,\"position\":[1.0,0.0,0.0],\"heading\":1.5707964}},\
        {\"depart\":6,\"arrive\":9,\"to\":{\"node\":3,\"position\":[0.1,0.0,0.0],\"heading\":-0.5},\"course\":1}]}\n]}\n";
    let file = TraceFile::new(driven()).unwrap();
    assert_eq!(file.to_string(), json);
    let read = TraceFile::parse(json, "t.json").unwrap();
    assert_eq!(read.trace(), &driven());
    assert_eq!(read.to_string(), json);
}

#[test]
fn senseless_trajectories_and_headings_are_named() {
    type Row = (fn(&mut Trace), &'static str);
    fn trajectory(trace: &mut Trace, stretches: &[(f32, f32, f32)]) {
        let stretches =
            stretches.iter().map(|(share, length, turn)| Stretch { share: *share, length: *length, turn: *turn });
        trace.trajectories[1] = Trajectory::new(stretches.collect());
    }
    let table: [Row; 13] = [
        (|trace| trace.agents[0].moves[2].trajectory = Some(2), "agent 0: move 2: expected one of 2 courses, found 2"),
        (
            |trace| trace.agents[0].moves[0].trajectory = Some(u32::MAX),
            "agent 0: move 0: expected one of 2 courses, found 4294967295",
        ),
        (|trace| trace.trajectories.clear(), "agent 0: move 0: expected one of 0 courses, found 0"),
        (|trace| trajectory(trace, &[(0.5, 1.0, 0.0)]), "course 1: expected shares that add up to 1, found 0.5"),
        (
            |trace| trajectory(trace, &[(0.75, 1.0, 0.0), (0.75, 1.0, 0.0)]),
            "course 1: expected shares that add up to 1, found 1.5",
        ),
        (
            |trace| trajectory(trace, &[(1.5, 1.0, 0.0), (-0.5, 1.0, 0.0)]),
            "course 1: expected a share of at least 0, found -0.5",
        ),
        (|trace| trajectory(trace, &[(f32::NAN, 1.0, 0.0)]), "course 1: expected finite numbers, found NaN"),
        (|trace| trajectory(trace, &[(1.0, f32::INFINITY, 0.0)]), "course 1: expected finite numbers, found inf"),
        (|trace| trajectory(trace, &[(1.0, 1.0, f32::NEG_INFINITY)]), "course 1: expected finite numbers, found -inf"),
        (|trace| trace.agents[0].start.heading = f32::NAN, "agent 0: start: expected a finite heading, found NaN"),
        (
            |trace| trace.agents[0].goals[0].heading = f32::INFINITY,
            "agent 0: goal 0: expected a finite heading, found inf",
        ),
        (
            |trace| trace.agents[0].moves[1].to.heading = f32::NEG_INFINITY,
            "agent 0: move 1: expected a finite heading, found -inf",
        ),
        (
            |trace| {
                let goals = vec![TracedPlace { heading: f32::NAN, ..place(0, 0.0) }];
                trace.agents[0].orders = vec![TracedOrder { tick: 3, goals }];
            },
            "agent 0: order 0: goal 0: expected a finite heading, found NaN",
        ),
    ];
    for (spoil, message) in table {
        let mut trace = driven();
        spoil(&mut trace);
        assert_eq!(TraceFile::new(trace).unwrap_err().to_string(), message);
    }
    // Shares are fractions of 32 bits, whose sum may miss 1 by a little.
    let mut thirds = driven();
    trajectory(&mut thirds, &[(0.333, 1.0, 0.0), (0.333, 1.0, 0.5), (0.3335, 1.0, 0.0)]);
    assert!(TraceFile::new(thirds).is_ok());
}

#[test]
fn bad_trajectories_in_files_are_rejected_with_their_place() {
    let with = |trajectories: &str, agent: &str| {
        format!(
            "{{\"format\":\"giveway-trace\",\"version\":1,\"ticks_per_step\":1,\n\"courses\":{trajectories},\n\"agents\":[{agent}]}}"
        )
    };
    let driving = |trajectory: &str| {
        format!(
            "{{\"start\":{PLACE},\"goals\":[],\"moves\":[{{\"depart\":0,\"arrive\":1,\"to\":{PLACE},\"course\":{trajectory}}}]}}"
        )
    };
    let turned = |heading: &str| {
        format!("{{\"start\":{{\"node\":0,\"position\":[0,0,0],\"heading\":{heading}}},\"goals\":[],\"moves\":[]}}")
    };
    let table = [
        (with("7", ""), "t.json:2:11: invalid type: integer `7`, expected a sequence"),
        (with("[[{}]]", ""), "t.json:2:14: missing field `share`"),
        (with("[[{\"share\":1,\"length\":1}]]", ""), "t.json:2:34: missing field `turn`"),
        (with("[[{\"share\":1e999,\"length\":1,\"turn\":0}]]", ""), "t.json:2:26: number out of range"),
        (with("[[{\"share\":1,\"length\":1e39,\"turn\":0}]]", ""), "t.json:2:36: number out of range"),
        (
            with("[[{\"share\":-1,\"length\":1,\"turn\":0}]]", ""),
            "t.json:2:12: course 0: expected a share of at least 0, found -1",
        ),
        (
            with("[[{\"share\":0,\"length\":1,\"turn\":0}]]", ""),
            "t.json:2:12: course 0: expected shares that add up to 1, found 0",
        ),
        (with("[]", &driving("0")), "t.json:3:137: agent 0: move 0: expected one of 0 courses, found 0"),
        (with("[]", &driving("-1")), "t.json:3:138: invalid value: integer `-1`, expected u32"),
        (with("[]", &turned("1e999")), "t.json:3:63: number out of range"),
        (with("[]", &turned("1e39")), "t.json:3:62: number out of range"),
    ];
    rejects(&table, |contents| TraceFile::parse(contents, "t.json"));
    // No trajectory, said aloud.
    assert_eq!(
        TraceFile::parse(with("[]", &driving("null")), "t.json").unwrap().trace().agents[0].moves[0].trajectory,
        None
    );
}
