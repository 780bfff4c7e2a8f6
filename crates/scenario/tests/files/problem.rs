//! Competition problems: their files, their errands, and what robots have done.

use std::path::Path;

use giveway_scenario::{
    Errand, FileError, MapFile, PlacesFile, Problem, ProblemAction, ProblemFile, ProblemLog, TaskAssignment,
};

use crate::files::rejects;

const HEAD: &str = "{\"mapFile\":\"maps/a.map\",\"agentFile\":\"a.agents\",\"taskFile\":\"a.tasks\",\n\"teamSize\":2,\
                    \"numTasksReveal\":1,\n \"taskAssignmentStrategy\":\"roundrobin\"}";
const MAP: &str = "type octile\nheight 2\nwidth 4\nmap\n.E@S\n....\n";

fn head(contents: &[u8]) -> Result<ProblemFile, FileError> {
    ProblemFile::parse(contents, "dir/x.json")
}

fn places(contents: &[u8]) -> Result<PlacesFile, FileError> {
    PlacesFile::parse(contents, "x.tasks")
}

fn problem(head: &str, agents: &str, tasks: &str) -> Result<Problem, FileError> {
    let map = MapFile::parse(MAP, "x.map").unwrap();
    let agents = PlacesFile::parse(agents, "x.agents").unwrap();
    Problem::new(&ProblemFile::parse(head, "x.json").unwrap(), map, &agents, &places(tasks.as_bytes()).unwrap())
}

#[test]
fn a_head_names_files_beside_it() {
    let read = head(HEAD.as_bytes()).unwrap();
    assert_eq!(read.files(), ["dir/maps/a.map", "dir/a.agents", "dir/a.tasks"].map(Path::new));
    assert_eq!((read.team_size(), read.tasks_revealed(), read.assignment()), (2, 1, TaskAssignment::RoundRobin));
    for (name, assignment) in
        [("roundrobin_fixed", TaskAssignment::RoundRobinFixed), ("greedy", TaskAssignment::Greedy)]
    {
        assert_eq!(head(HEAD.replace("roundrobin", name).as_bytes()).unwrap().assignment(), assignment);
    }
    let other = HEAD.replace("\"numTasksReveal\":1", "\"author\":[1, null]");
    assert_eq!(head(other.as_bytes()).unwrap(), read, "other keys are ignored");
}

#[test]
fn bad_heads_are_rejected_with_their_place() {
    let with = |from: &str, to: &str| HEAD.replace(from, to);
    let rows: Vec<(String, &str)> = vec![
        (String::new(), "dir/x.json:1: EOF while parsing a value"),
        ("[]".into(), "dir/x.json:1:1: expected an object, found an array"),
        ("7".into(), "dir/x.json:1:1: invalid type: integer `7`, expected an object"),
        (with("\"taskFile\"", "\"tasks\""), "dir/x.json:3:39: missing field `taskFile`"),
        (with("\"mapFile\":\"maps/a.map\",", ""), "dir/x.json:3:39: missing field `mapFile`"),
        (
            with("\"teamSize\":2", "\"teamSize\":0"),
            "dir/x.json:2:12: expected a whole number from 1 as teamSize, found 0",
        ),
        (with("\"teamSize\":2", "\"teamSize\":-1"), "dir/x.json:2:13: invalid value: integer `-1`, expected u32"),
        (
            with("Reveal\":1", "Reveal\":0"),
            "dir/x.json:2:31: expected a whole number from 1 as numTasksReveal, found 0",
        ),
        (with("maps/a.map", ""), "dir/x.json:1:12: expected the name of a file as mapFile, found nothing"),
        (
            with("roundrobin", "best"),
            "dir/x.json:3:27: expected \"roundrobin\", \"roundrobin_fixed\" or \"greedy\" as taskAssignmentStrategy, found \"best\"",
        ),
        (MAP.into(), "dir/x.json: expected a competition problem as JSON, found a Moving AI map"),
        (
            "{\"format\":\"giveway-trace\"}".into(),
            "dir/x.json: expected a competition problem as JSON, found a trace as JSON",
        ),
    ];
    rejects(&rows, head);
}

#[test]
fn places_are_read_with_their_lines() {
    for (contents, expected) in [
        ("2\n5\n0\n", vec![(5, 2), (0, 3)]),
        ("# tasks\n\n 2 \r\n#\n5\n\n\t0", vec![(5, 5), (0, 7)]),
        ("\u{feff}0\n#\n\n", vec![]),
        ("1\n4294967295\n# the end", vec![(u32::MAX, 2)]),
    ] {
        assert_eq!(places(contents.as_bytes()).unwrap().places(), expected, "{contents}");
    }
}

#[test]
fn bad_places_are_rejected_with_their_line() {
    let rows = [
        ("", "x.tasks:1: expected the number of places, found the end of the file"),
        ("# 3\n", "x.tasks:2: expected the number of places, found the end of the file"),
        ("x\n", "x.tasks:1:1: expected the number of places, found \"x\""),
        ("4294967296\n", "x.tasks:1:1: expected the number of places, found \"4294967296\""),
        ("4294967295\n1\n", "x.tasks:3: expected place 2 of 4294967295, a whole number, found the end of the file"),
        ("2\n1\n -2\n", "x.tasks:3:2: expected place 2 of 2, a whole number, found \"-2\""),
        ("1\n1 2\n", "x.tasks:2:1: expected place 1 of 1, a whole number, found \"1 2\""),
        ("1\n1\n#\n2\n", "x.tasks:4: expected the end of the file after 1 places, found \"2\""),
    ];
    rejects(&rows, places);
    rejects(&[(b"1\n\xff".as_slice(), "x.tasks:2:1: expected UTF-8 text, found the byte 0xFF")], places);
}

#[test]
fn problems_that_do_not_fit_together_are_rejected() {
    for (agents, tasks, message) in [
        ("1\n0\n", "1\n0\n", "x.agents:2: expected at least 2 starts, since teamSize is 2, found 1"),
        ("0\n", "1\n0\n", "x.agents:1: expected at least 2 starts, since teamSize is 2, found 0"),
        ("2\n0\n2\n", "1\n0\n", "x.agents:3: expected a free cell of the map, found the wall 2"),
        ("2\n8\n1\n", "1\n0\n", "x.agents:2: expected a cell of the map, from 0 to 7, found 8"),
        ("2\n3\n3\n", "1\n0\n", "x.agents:3: expected another start than in line 2, found 3"),
        ("2\n0\n1\n", "0\n", "x.tasks:1: expected at least one task, found none"),
        ("2\n0\n1\n", "3\n0\n1\n2\n", "x.tasks:4: expected a free cell of the map, found the wall 2"),
        ("2\n0\n1\n", "1\n4294967295\n", "x.tasks:2: expected a cell of the map, from 0 to 7, found 4294967295"),
    ] {
        assert_eq!(problem(HEAD, agents, tasks).unwrap_err().to_string(), message);
    }
    // Starts beyond the team do not matter.
    assert_eq!(problem(HEAD, "3\n7\n1\n2\n", "1\n0\n").unwrap().starts(), [7, 1]);
}

#[test]
fn tasks_are_given_in_the_order_of_the_strategy() {
    // The robots that ask, and the places that they get.
    let asked = [0, 1, 1, 1, 0, 0, 0, 7];
    for (strategy, expected) in [
        // Robot 1 gets the tasks 1, 3 and 5, which is 0 again; robot 0 the tasks 0, 2, 4 and 6.
        ("roundrobin", [Some(0), Some(1), Some(4), Some(0), Some(3), Some(1), Some(1), None]),
        ("roundrobin_fixed", [Some(0), Some(1), Some(4), None, Some(3), None, None, None]),
        ("greedy", [Some(0), Some(1), Some(3), Some(4), None, None, None, None]),
    ] {
        let tasks = if strategy == "roundrobin" { "5\n0\n1\n3\n4\n1\n" } else { "4\n0\n1\n3\n4\n" };
        let problem = problem(&HEAD.replace("roundrobin", strategy), "2\n0\n1\n", tasks).unwrap();
        let mut errands = problem.errands();
        let given: Vec<Option<Errand>> = asked.iter().map(|robot| errands.next(*robot)).collect();
        let places: Vec<Option<u32>> = given.iter().map(|errand| Some(errand.as_ref()?.place)).collect();
        let numbers: Vec<u32> = given.iter().flatten().map(|errand| errand.number).collect();
        assert!(numbers.iter().copied().eq(0..u32::try_from(numbers.len()).unwrap()));
        assert_eq!(places, expected, "{strategy}");
    }
}

const F: ProblemAction = ProblemAction::Forward;
const R: ProblemAction = ProblemAction::Clockwise;
const C: ProblemAction = ProblemAction::CounterClockwise;
const W: ProblemAction = ProblemAction::Wait;

#[test]
fn a_log_is_written_as_the_validator_reads_it() {
    let problem = problem(HEAD, "2\n0\n7\n", "2\n1\n6\n").unwrap();
    let mut log = ProblemLog::new(&problem, true).recorded();
    let mut errands = problem.errands();
    for robot in 0..2 {
        log.assign(robot, errands.next(robot).unwrap());
    }
    assert_eq!([log.place(0), log.place(1), log.place(2)], [Some(1), Some(6), None]);
    log.step([F, R], 0.5);
    log.finish(0);
    assert_eq!((log.place(0), log.finished()), (None, 1));
    log.assign(0, errands.next(0).unwrap());
    log.step([W, C], 0.25);
    log.finish(0);
    assert_eq!(log.faults(), []);
    let expected = "{\"actionModel\":\"MAPF_T\",\"AllValid\":\"Yes\",\"teamSize\":2,\"start\":[[0,0,\"E\"],[1,3,\"E\"]],\
                    \"numTaskFinished\":2,\"sumOfCost\":4,\"makespan\":2,\"actualPaths\":[\"F,W\",\"R,C\"],\
                    \"plannerPaths\":[\"F,W\",\"R,C\"],\"plannerTimes\":[0.5,0.25],\"errors\":[],\
                    \"events\":[[[0,0,\"assigned\"],[0,1,\"finished\"],[2,1,\"assigned\"],[2,2,\"finished\"]],\
                    [[1,0,\"assigned\"]]],\"tasks\":[[0,0,1],[1,1,2],[2,0,1]]}\n";
    assert_eq!(log.record().unwrap().to_string(), expected);
}

#[test]
fn what_is_against_the_rules_is_found() {
    use ProblemAction::{East, North, South, West};
    let faults = |turning: bool, starts: &str, actions: &[[ProblemAction; 2]]| -> Vec<String> {
        let problem = problem(HEAD, &format!("2\n{starts}\n"), "1\n0\n").unwrap();
        let [mut log, mut brief] = [ProblemLog::new(&problem, turning).recorded(), ProblemLog::new(&problem, turning)];
        for step in actions {
            log.step(*step, 0.0);
            brief.step(*step, 0.0);
        }
        assert_eq!(log.faults(), brief.faults());
        assert!(brief.record().is_none());
        let valid = if log.faults().is_empty() { "\"AllValid\":\"Yes\"" } else { "\"AllValid\":\"No\"" };
        assert!(log.record().unwrap().to_string().contains(valid));
        log.faults().iter().map(ToString::to_string).collect()
    };
    let none: [&str; 0] = [];
    // One follows the other; both turn.
    assert_eq!(faults(true, "4\n5", &[[F, F], [R, C], [C, R], [W, F]]), none);
    assert_eq!(
        faults(true, "1\n7", &[[F, W], [W, F]]),
        ["unallowed move of robot 0 in step 1", "unallowed move of robot 1 in step 2"]
    );
    assert_eq!(faults(true, "4\n5", &[[F, W]]), ["vertex conflict of robot 0 and robot 1 in step 1"]);
    assert_eq!(faults(true, "4\n5", &[[W, R], [W, R], [F, F]]), ["edge conflict of robot 0 and robot 1 in step 3"]);
    assert_eq!(faults(false, "4\n5", &[[East, West]]), ["edge conflict of robot 0 and robot 1 in step 1"]);
    assert_eq!(faults(false, "4\n5", &[[North, East], [South, East]]), none);
    assert_eq!(faults(false, "4\n3", &[[West, North]]).len(), 2);
    assert_eq!(faults(false, "4\n3", &[[F, R]]).len(), 2, "not of this model");
    // An errand is finished where it is.
    let problem = problem(HEAD, "2\n0\n7\n", "1\n1\n").unwrap();
    let mut log = ProblemLog::new(&problem, true);
    log.assign(0, Errand { number: 0, place: 1 });
    log.step([W], 0.0);
    log.finish(0);
    assert_eq!(log.faults()[0].to_string(), "errand finished elsewhere of robot 0 in step 1");
}
