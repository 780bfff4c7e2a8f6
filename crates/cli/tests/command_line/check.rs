//! `giveway check`: every violation by name, with its cells.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::command_line::folder::{Folder, Run};

const OPEN: &str = "type octile\nheight 3\nwidth 4\nmap\n....\n.@..\n....\n";

/// Checks `plan` on [`OPEN`].
fn check(plan: &str, flags: &str) -> Run {
    static CHECKS: AtomicU32 = AtomicU32::new(0);
    let name = format!("check-{}", CHECKS.fetch_add(1, Ordering::Relaxed));
    let folder = Folder::new(&name).with("open.map", OPEN).with("plan.txt", plan);
    let scen = "version 1\n0\topen.map\t4\t3\t0\t0\t2\t0\t2\n0\topen.map\t4\t3\t3\t2\t2\t2\t1\n";
    let folder = folder.with("open.scen", scen);
    let run = folder.run(&format!("check --map open.map --plan plan.txt {flags}"));
    assert_eq!(run.stderr, "", "{plan}");
    run
}

#[test]
fn a_valid_plan() {
    let plan = "agents=2\nstarts=(0,0),(3,2),\ngoals=(2,0),(2,2),\nsolution=\n0:(0,0),(3,2),\n1:(1,0),(2,2),\n2:(2,0),(2,2),\n";
    for flags in ["", "--scen open.scen", "--connectivity 8"] {
        let run = check(plan, flags);
        assert_eq!(run.code, Some(0), "{flags}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(run.stdout, @"valid: 2 agents, sum of costs 3 ticks, makespan 2 ticks");
        }
    }
}

#[test]
fn every_fault_is_named() {
    let invalid = |header: &str, solution: &str, flags: &str| {
        let run = check(&format!("{header}solution=\n{solution}"), flags);
        assert_eq!(run.code, Some(1), "{header}{solution}");
        run.stdout
    };
    // Two on one cell, for good.
    insta::assert_snapshot!(invalid("", "0:(0,0),(2,0),\n1:(1,0),(1,0),\n2:(1,0),(1,0),\n", ""), @"
    agent 0 and agent 1 are both on (1,0) at tick 1
    not valid, 1 violation: 2 agents, sum of costs 2 ticks, makespan 1 tick
    note: there is neither a scenario nor a line goals=, so agents may end anywhere
    ");
    // An exchange.
    insta::assert_snapshot!(invalid("goals=(1,0),(0,0),\n", "0:(0,0),(1,0),\n1:(1,0),(0,0),\n", ""), @"
    agent 0 and agent 1 exchange (0,0) and (1,0) at tick 0
    not valid, 1 violation: 2 agents, sum of costs 2 ticks, makespan 1 tick
    ");
    // Diagonals that cross.
    insta::assert_snapshot!(invalid("", "0:(2,0),(3,0),\n1:(3,1),(2,1),\n", "--connectivity 8"), @"
    agent 0, from (2,0) to (3,1), and agent 1, from (3,0) to (2,1), cross at tick 0
    not valid, 1 violation: 2 agents, sum of costs 2 ticks, makespan 1 tick
    note: there is neither a scenario nor a line goals=, so agents may end anywhere
    ");
    // No diagonals among four neighbours.
    insta::assert_snapshot!(invalid("", "0:(2,0),\n1:(3,1),\n", ""), @"
    agent 0 goes from (2,0) to (3,1) at tick 0, where no step leads
    not valid, 1 violation: 1 agent, sum of costs 1 tick, makespan 1 tick
    note: there is neither a scenario nor a line goals=, so agents may end anywhere
    ");
    // A corner cut.
    insta::assert_snapshot!(invalid("", "0:(1,0),\n1:(0,1),\n", "--connectivity 8"), @"
    agent 0 goes from (1,0) to (0,1) at tick 0, where no step leads
    not valid, 1 violation: 1 agent, sum of costs 1 tick, makespan 1 tick
    note: there is neither a scenario nor a line goals=, so agents may end anywhere
    ");
    // A jump, onto a wall and off it.
    insta::assert_snapshot!(invalid("", "0:(3,1),\n1:(1,1),\n2:(0,1),\n", ""), @"
    agent 0 goes from (3,1) to (1,1) at tick 0, where no step leads
    agent 0 goes from (1,1) to (0,1) at tick 1, where no step leads
    not valid, 2 violations: 1 agent, sum of costs 2 ticks, makespan 2 ticks
    note: there is neither a scenario nor a line goals=, so agents may end anywhere
    ");
    // Off the wall it starts on; nothing else.
    insta::assert_snapshot!(invalid("", "0:(1,1),\n", ""), @"
    agent 0 is on (1,1) at tick 0, which is a wall
    not valid, 1 violation: 1 agent, sum of costs 0 ticks, makespan 0 ticks
    note: there is neither a scenario nor a line goals=, so agents may end anywhere
    ");
    // Not at the goal of the header.
    insta::assert_snapshot!(invalid("goals=(2,0),\n", "0:(0,0),\n1:(1,0),\n", ""), @"
    agent 0 ends on (1,0) at tick 1, which is not its goal
    not valid, 1 violation: 1 agent, sum of costs 1 tick, makespan 1 tick
    ");
    // Not from the starts of the scenario, nor to its goals.
    insta::assert_snapshot!(invalid("", "0:(0,0),(3,1),\n1:(1,0),(3,2),\n", "--scen open.scen"), @"
    agent 1 is on (3,1) at tick 0, its start is (3,2)
    agent 0 ends on (1,0) at tick 1, which is not its goal
    agent 1 ends on (3,2) at tick 1, which is not its goal
    not valid, 3 violations: 2 agents, sum of costs 2 ticks, makespan 1 tick
    ");
    // To the scenario's goals, but the header has others.
    insta::assert_snapshot!(
        invalid("goals=(3,0),(2,2),\n", "0:(0,0),(3,2),\n1:(1,0),(2,2),\n2:(2,0),(2,2),\n", "--scen open.scen"),
        @"
        agent 0 has the goal (3,0) in the plan and (2,0) in the scenario
        not valid, 1 violation: 2 agents, sum of costs 3 ticks, makespan 2 ticks
        "
    );
    // Nothing was found.
    insta::assert_snapshot!(invalid("solved=0\nstarts=(0,0),\ngoals=(2,0),\n", "", ""), @"
    agent 0 ends on (0,0) at tick 0, which is not its goal
    not valid, 1 violation: 1 agent, sum of costs 0 ticks, makespan 0 ticks
    ");
}

#[test]
fn false_claims_are_noted_and_no_faults() {
    let plan = "solved=0\nsoc=7\nmakespan=1\ngoals=(2,0),\nsolution=\n0:(0,0),\n1:(1,0),\n2:(2,0),\n3:(2,0),\n";
    let run = check(plan, "");
    assert_eq!(run.code, Some(0));
    insta::assert_snapshot!(run.stdout, @"
    valid: 1 agent, sum of costs 2 ticks, makespan 2 ticks
    note: the plan says soc=7, found 2
    note: the plan says makespan=1, found 2
    note: the plan says solved=0, found it valid
    ");
    let run = check(&plan.replace("solved=0", "solved=1").replace("goals=(2,0)", "goals=(3,0)"), "");
    assert_eq!(run.code, Some(1));
    insta::assert_snapshot!(run.stdout, @"
    agent 0 ends on (2,0) at tick 2, which is not its goal
    not valid, 1 violation: 1 agent, sum of costs 2 ticks, makespan 2 ticks
    note: the plan says soc=7, found 2
    note: the plan says makespan=1, found 2
    note: the plan says solved=1, found it not valid
    ");
}

/// A plan for another map has violations of its own, and the name of the map explains them.
#[test]
fn a_plan_for_another_map_is_noted() {
    let fine = "goals=(1,0),\nsolution=\n0:(0,0),\n1:(1,0),\n";
    let note = "the plan was made for maze.map, and this is open.map";
    for name in ["maze.map", "maps/maze.map", "C:\\maps\\maze.map", " maze.map"] {
        let run = check(&format!("map_file={name}\n{fine}"), "");
        let expected = format!("valid: 1 agent, sum of costs 1 tick, makespan 1 tick\nnote: {note}\n");
        assert_eq!((run.code, run.stdout), (Some(0), expected), "{name}");
        let run = check(&format!("map_file={name}\n{}", fine.replace("1:(1,0)", "1:(2,0)")), "");
        assert!(run.code == Some(1) && run.stdout.starts_with(&format!("note: {note}\nagent 0 ")), "{run:#?}");
    }
    for name in ["open.map", "maps/open.map", "..\\open.map", "", "maps/"] {
        let run = check(&format!("map_file={name}\n{fine}"), "");
        assert!(run.code == Some(0) && !run.stdout.contains("note"), "{name}: {run:#?}");
    }
    // Too large for this map, in the solution, in the header, or for the scenario.
    let folder = Folder::new("check_other").with("open.map", OPEN).with("maze.scen", "0 m 9 9 0 0 1 0 1\n");
    for (plan, flags, error) in [
        (fine.replace("1:(1,0)", "1:(9,0)"), "", "plan.txt:5: expected agent 0 on the 4 x 3 map, found (9,0)"),
        (fine.replace("goals=(1,0)", "goals=(9,0)"), "", "plan.txt:2: expected agent 0 on the 4 x 3 map, found (9,0)"),
        (fine.to_owned(), "--scen maze.scen", "maze.scen:1: expected the size of the map, 4 x 3, found 9 x 9"),
    ] {
        for (name, context) in [("maze.map", format!("{note}: ")), ("open.map", String::new())] {
            fs::write(folder.path("plan.txt"), format!("map_file={name}\n{plan}")).unwrap();
            let run = folder.run(&format!("check --map open.map --plan plan.txt {flags}"));
            let expected = Run { code: Some(2), stdout: String::new(), stderr: format!("error: {context}{error}\n") };
            assert_eq!(run, expected);
        }
    }
    fs::write(folder.path("plan.txt"), format!("map_file=maze.map\n{}", fine.replace("1:(1,0)", "1:(9,0)"))).unwrap();
    let run = folder.run("draw --map open.map --plan plan.txt --svg a.svg");
    assert!(run.code == Some(2) && run.stderr.starts_with(&format!("error: {note}: plan.txt:5: ")), "{run:#?}");
}

/// A thousand agents on one cell are half a million pairs: the file must not decide how much is said of it.
#[test]
fn a_crowd_on_one_cell_is_cut_short() {
    let crowd = format!("solution=\n0:{}\n", "(0,0),".repeat(1000));
    let run = check(&crowd, "");
    assert_eq!(run.code, Some(1));
    let lines = run.stdout.lines().count();
    assert!((100_000..110_000).contains(&lines), "{lines}");
    assert!(run.stdout.contains("\nnot valid, at least 101000 violations, of which these are the first: 1000 agents"));
}

/// As `giveway check .. | head -1` does.
#[test]
fn a_reader_who_has_read_enough_is_no_error() {
    let crowd = format!("solution=\n0:{}\n", "(0,0),".repeat(1000));
    let folder = Folder::new("head").with("open.map", OPEN).with("plan.txt", crowd);
    let mut command = folder.command("check --map open.map --plan plan.txt");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "agent 0 and agent 1 are both on (0,0) at tick 0\n");
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(1), ""));
}

/// Many ticks, many agents: the work grows with the file, not with its square.
#[test]
fn a_long_plan_of_a_crowd_that_waits() {
    let mut plan = String::from("goals=(0,0),(1,0),(2,0),(3,0),(0,1),(2,1),\nsolution=\n");
    for tick in 0..20_000 {
        writeln!(plan, "{tick}:(0,0),(1,0),(2,0),(3,0),(0,1),(2,1),").unwrap();
    }
    assert_eq!(check(&plan, "").stdout, "valid: 6 agents, sum of costs 0 ticks, makespan 0 ticks\n");
}

/// A disc of radius 0.4 that goes from place to place, with a tick for each unit of way along an axis.
fn disc(way: &[[f32; 2]]) -> String {
    walker(r#""body":{"disc":{"center":[0,0],"radius":0.4}},"#, way)
}

fn square(way: &[[f32; 2]]) -> String {
    walker(r#""body":{"polygon":{"corners":[[-0.5,-0.5],[0.5,-0.5],[0.5,0.5],[-0.5,0.5]]}},"#, way)
}

fn point(way: &[[f32; 2]]) -> String {
    walker("", way)
}

fn walker(body: &str, way: &[[f32; 2]]) -> String {
    let place = |[x, y]: [f32; 2]| format!(r#"{{"node":0,"position":[{x},{y},0]}}"#);
    let mut now = 0.0;
    let moves = way.windows(2).map(|ends| {
        let depart = now;
        now += (ends[1][0] - ends[0][0]).abs().max((ends[1][1] - ends[0][1]).abs()).ceil();
        format!(r#"{{"depart":{depart},"arrive":{now},"to":{}}}"#, place(ends[1]))
    });
    let moves = moves.collect::<Vec<_>>().join(",");
    format!(r#"{{{body}"start":{},"goals":[],"moves":[{moves}]}}"#, place(way[0]))
}

fn trace(agents: &[String]) -> String {
    format!(r#"{{"format":"giveway-trace","version":1,"ticks_per_step":1,"agents":[{}]}}"#, agents.join(","))
}

/// Checks a trace of `agents`, with the map [`OPEN`] if `flags` say so.
fn check_trace(agents: &[String], flags: &str) -> Run {
    static CHECKS: AtomicU32 = AtomicU32::new(0);
    let name = format!("check-trace-{}", CHECKS.fetch_add(1, Ordering::Relaxed));
    let folder = Folder::new(&name).with("open.map", OPEN).with("trace.json", trace(agents));
    let run = folder.run(&format!("check --trace trace.json {flags}"));
    assert_eq!(run.stderr, "", "{agents:?}");
    assert_eq!(run.code, Some(i32::from(run.stdout.contains("not valid, "))), "{run:#?}");
    run
}

#[test]
fn floors_are_told_apart_if_asked() {
    let below = disc(&[[0.0, 0.0], [2.0, 0.0]]);
    let above = below.replace(",0]}", ",4]}");
    let agents = [below, above];
    assert!(check_trace(&agents, "").stdout.starts_with("agent 0 and agent 1 overlap by 0.8 from tick 0 on"));
    assert!(check_trace(&agents, "--levels -1,3,2").stdout.starts_with("valid: 2 agents"));
    assert!(check_trace(&agents, "--levels -1,9,2").stdout.starts_with("agent 0 and agent 1 overlap"));
}

#[test]
fn a_valid_trace() {
    let around = disc(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [0.0, 0.0]]);
    let beside = square(&[[3.0, 0.0], [3.0, 2.0]]);
    insta::assert_snapshot!(check_trace(&[around.clone(), beside], "--map open.map").stdout, @"valid: 2 agents, 5 moves, 8 ticks");
    insta::assert_snapshot!(check_trace(&[around], "").stdout, @"
    valid: 1 agent, 4 moves, 8 ticks
    note: there is no --map, so no walls were checked
    ");
    // Points may meet, and bodies without a map may go anywhere.
    let points = [point(&[[0.0, 0.0], [2.0, 0.0]]), point(&[[2.0, 0.0], [0.0, 0.0]])];
    insta::assert_snapshot!(check_trace(&points, "--map open.map").stdout, @"
    valid: 2 agents, 2 moves, 2 ticks
    note: no agent has a body, so nothing but walls was checked; check --plan checks the rules of points
    ");
    let [a, b] = points;
    insta::assert_snapshot!(check_trace(&[a, b, disc(&[[1.0, 1.0], [-9.0, 1.0]])], "").stdout, @"
    valid: 3 agents, 3 moves, 10 ticks
    note: there is no --map, so no walls were checked
    note: 2 agents have no body, so they were not checked against each other
    ");
}

#[test]
fn overlaps_of_a_trace_are_named() {
    // Two meet half way; a third scrapes along a wall.
    let agents =
        [disc(&[[0.0, 0.0], [3.0, 0.0]]), disc(&[[3.0, 0.0], [0.0, 0.0]]), square(&[[1.75, 2.0], [1.75, 1.0]])];
    insta::assert_snapshot!(check_trace(&agents, "--map open.map").stdout, @"
    agent 2 is 0.25 deep in the wall at (1,1) from tick 0.001 on
    agent 0 and agent 1 overlap by 0.8 from tick 1.1005 on
    not valid, 2 violations: 3 agents, 3 moves, 3 ticks
    ");
    insta::assert_snapshot!(check_trace(&agents, "").stdout, @"
    agent 0 and agent 1 overlap by 0.8 from tick 1.1005 on
    not valid, 1 violation: 3 agents, 3 moves, 3 ticks
    note: there is no --map, so no walls were checked
    ");
    insta::assert_snapshot!(check_trace(&agents, "--map open.map --tolerance 0.3").stdout, @"
    agent 0 and agent 1 overlap by 0.8 from tick 1.25 on
    not valid, 1 violation: 3 agents, 3 moves, 3 ticks
    ");
    insta::assert_snapshot!(check_trace(&agents, "--tolerance 1").stdout, @"
    valid: 3 agents, 3 moves, 3 ticks
    note: there is no --map, so no walls were checked
    ");
    // A point may be in no body, and in no wall.
    let points = [point(&[[3.0, 1.0], [0.0, 1.0]]), point(&[[0.0, 2.0], [3.0, 2.0]]), disc(&[[3.0, 2.0]])];
    insta::assert_snapshot!(check_trace(&points, "--map open.map").stdout, @"
    agent 0 is 0.5 deep in the wall at (1,1) from tick 1.501 on
    agent 1 and agent 2 overlap by 0.4 from tick 2.601 on
    not valid, 2 violations: 3 agents, 2 moves, 3 ticks
    note: 2 agents have no body, so they were not checked against each other
    ");
    insta::assert_snapshot!(check_trace(&points[..2], "--map open.map").stdout, @"
    agent 0 is 0.5 deep in the wall at (1,1) from tick 1.501 on
    not valid, 1 violation: 2 agents, 2 moves, 3 ticks
    note: no agent has a body, so nothing but walls was checked; check --plan checks the rules of points
    ");
}

#[test]
fn off_the_map_is_wall() {
    let sides = [
        square(&[[0.0, 1.0], [-2.0, 1.0]]),
        square(&[[3.0, 1.0], [5.0, 1.0]]),
        disc(&[[0.0, 0.0], [0.0, -1.0]]),
        disc(&[[3.0, 2.0], [3.0, 3.0]]),
        // At home elsewhere, and across a corner.
        disc(&[[-1e30, 7.0]]),
        disc(&[[1e6, 1e6], [1e6, 1e6 + 9.0]]),
        point(&[[2.0, 0.0], [4.0, -2.0]]),
    ];
    insta::assert_snapshot!(check_trace(&sides, "--map open.map").stdout, @"
    agent 4 is 1000000015047466219876688855040 off the map from tick 0 on
    agent 5 is 1000006.875 off the map from tick 0 on
    agent 0 is 2 off the map from tick 0.001 on
    agent 1 is 2 off the map from tick 0.001 on
    agent 2 is 0.9 off the map from tick 0.101 on
    agent 3 is 0.9 off the map from tick 0.101 on
    agent 6 is 1.5 off the map from tick 0.501 on
    not valid, 7 violations: 7 agents, 6 moves, 9 ticks
    ");
}

/// Walls that touch are one wall: no agent slips in along the border between two cells.
#[test]
fn borders_between_walls_are_in_walls() {
    let folder = Folder::new("check_borders")
        .with("block.map", "type octile\nheight 4\nwidth 5\nmap\n.....\n.@@..\n.@@..\n..@@@\n");
    for (way, cell, tick) in [
        // Between two rows, between two columns, through the middle, and along the border of the map.
        ([[0.0, 1.5], [3.0, 1.5]], "(1,2)", "0.501"),
        ([[1.5, 0.0], [1.5, 3.0]], "(2,1)", "0.501"),
        ([[3.0, 0.0], [0.0, 3.0]], "(2,1)", "0.501"),
        ([[1.0, 3.5], [4.0, 3.5]], "(2,3)", "0.501"),
        ([[4.5, 2.0], [4.5, 3.0]], "(4,3)", "0.501"),
        ([[3.0, 2.0], [1.0, 4.0]], "(2,3)", "0.501"),
    ] {
        let trace = trace(&[point(&way)]);
        fs::write(folder.path("trace.json"), trace).unwrap();
        let run = folder.run("check --map block.map --trace trace.json");
        let named = format!(" deep in the wall at {cell} from tick {tick} on\n");
        assert!(run.code == Some(1) && run.stdout.contains(&named), "{way:?} {named} {run:#?}");
    }
}

/// A recording of `simulate` passes: points that cut no corners, on walls that fill their cells.
#[test]
fn a_recorded_crowd_is_in_no_wall() {
    let folder = Folder::small("check_recorded");
    for connectivity in [4, 8] {
        let simulate = "simulate --map small.map --scen small.scen --agents 3 --trace crowd.json";
        assert_eq!(folder.run(&format!("{simulate} --connectivity {connectivity}")).code, Some(0));
        let run = folder.run("check --map small.map --trace crowd.json");
        assert!(run.code == Some(0) && run.stdout.starts_with("valid: 3 agents, "), "{run:#?}");
    }
}

/// A room of 6 by 6 with a pillar of 2 by 2 in the middle.
const ROOM: &str = "mesh\n2\n12 4\n0 0 0\n2 0 0\n4 0 0\n6 0 0\n0 6 0\n2 6 0\n4 6 0\n6 6 0\n2 2 0\n4 2 0\n2 4 0\n4 4 0\n\
    6 0 1 8 10 5 4 -1 -1 2 -1 3 -1\n6 2 3 7 6 11 9 2 -1 -1 -1 3 -1\n4 1 2 9 8 0 -1 1 -1\n4 10 11 6 5 0 -1 1 -1\n";

/// Checks a trace of `agents` on the mesh [`ROOM`], under the name of `map`.
fn check_on_mesh(name: &str, map: &str, agents: &[String], flags: &str) -> String {
    let folder = Folder::new(name).with(map, ROOM).with("trace.json", trace(agents));
    let run = folder.run(&format!("check --map {map} --trace trace.json {flags}"));
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(i32::from(run.stdout.contains("not valid, ")))), "{run:#?}");
    run.stdout
}

#[test]
fn whoever_leaves_a_mesh_is_named() {
    let agents = [
        // Around the pillar, exactly; through it; out of the room; not in it; along the tip of the pillar, which is
        // nearer than 0.4.
        disc(&[[0.4, 0.4], [5.6, 0.4], [5.6, 5.6]]),
        disc(&[[1.0, 3.0], [5.0, 3.0]]),
        point(&[[1.0, 5.0], [-1.0, 5.0]]),
        point(&[[9.0, 10.0]]),
        disc(&[[1.5, 2.2], [2.2, 1.5]]),
    ];
    insta::assert_snapshot!(check_on_mesh("check_mesh", "room.mesh", &agents, ""), @"
    agent 3 is 5 off the mesh at (9,10) from tick 0 on
    agent 4 is 0.187868 off the mesh at (2,2.099) from tick 0.144286 on
    agent 1 is 1.4 off the mesh at (2,3) from tick 0.601 on
    agent 2 is 1 off the mesh at (-0.001,5) from tick 1.001 on
    agent 0 and agent 1 overlap by 0.2 from tick 8.391188 on
    not valid, 5 violations: 5 agents, 5 moves, 12 ticks
    note: 2 agents have no body, so they were not checked against each other
    ");
    insta::assert_snapshot!(check_on_mesh("check_mesh_radius", "any.map", &agents[..1], "--radius 0.41"), @"
    agent 0 is 0.01 off the mesh at (0.4,0) from tick 0 on
    not valid, 1 violation: 1 agent, 2 moves, 12 ticks
    ");
    insta::assert_snapshot!(check_on_mesh("check_mesh_points", "room.mesh", &agents[..1], "--radius 0.4 --tolerance 0"), @"valid: 1 agent, 2 moves, 12 ticks");
    insta::assert_snapshot!(check_on_mesh("check_mesh_tip", "room.mesh", &agents[4..], "--radius 0.2"), @"valid: 1 agent, 1 move, 1 tick");
    insta::assert_snapshot!(check_on_mesh("check_mesh_none", "room.mesh", &[point(&[[2.0, 0.0], [2.0, 6.0]])], ""), @"
    valid: 1 agent, 1 move, 6 ticks
    note: no agent has a body, so nothing but the mesh was checked; --radius makes all agents discs
    ");
}

#[test]
fn all_agents_may_get_a_radius() {
    let agents = [point(&[[0.0, 0.0], [2.0, 0.0]]), square(&[[3.0, 0.0]])];
    insta::assert_snapshot!(check_trace(&agents, "--radius 0.6").stdout, @"
    agent 0 and agent 1 overlap by 0.2 from tick 1.801 on
    not valid, 1 violation: 2 agents, 1 move, 2 ticks
    note: there is no --map, so no walls were checked
    ");
    insta::assert_snapshot!(check_trace(&agents, "--radius 0.5").stdout, @"
    valid: 2 agents, 1 move, 2 ticks
    note: there is no --map, so no walls were checked
    ");
}

/// A thousand discs in one place are half a million pairs.
#[test]
fn a_crowd_of_bodies_in_one_place_is_cut_short() {
    let run = check_trace(&vec![disc(&[[-1.0, 0.0]]); 1000], "--map open.map");
    assert_eq!(run.stdout.lines().filter(|line| line.starts_with("agent ")).count(), 101_000);
    let last = run.stdout.lines().last().unwrap();
    assert_eq!(
        last,
        "not valid, at least 101000 violations, of which these are the first: 1000 agents, 0 moves, 0 ticks"
    );
}
