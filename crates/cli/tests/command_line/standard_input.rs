//! `-` as a file that is read: standard input.

use std::fs::File;

use crate::command_line::folder::{Folder, Run};

const SOLVE: &str = "solve --map small.map --scen small.scen --agents 3";

/// A run with the file of this name as standard input.
fn fed(folder: &Folder, name: &str, arguments: &str) -> Run {
    let input = File::open(folder.path(name)).unwrap();
    let output = folder.command(arguments).stdin(input).output().unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    Run { code: output.status.code(), stdout, stderr }
}

#[test]
fn every_input_can_come_from_standard_input() {
    let folder = Folder::small("stdin_files")
        .with("yard.mesh", "mesh\n2\n4 1\n0 0 2 0 -1\n9 0 2 0 -1\n9 9 2 0 -1\n0 9 2 0 -1\n4 0 1 2 3 -1 -1 -1 -1\n")
        .with("agents.csv", "start_x,start_y,goal_x,goal_y\n2,2,7,7\n");
    let learn = "simulate --map small.map --scen small.scen --agents 3 --ticks 20 --strategy dm --learned m.json";
    for prepared in [format!("{SOLVE} --out plan.txt --trace t.json"), learn.to_owned()] {
        assert_eq!(folder.run(&prepared).code, Some(0), "{prepared}");
    }
    let simulate = "simulate --map small.map --scen small.scen --agents 3 --ticks 20";
    let on_mesh = "solve --map yard.mesh --agents-file agents.csv --radius 0.5 --strategy hca";
    let compare = "compare --map small.map --scen small.scen --agents 3 --strategies hca,ca";
    for (arguments, name) in [
        (SOLVE.to_owned(), "small.map"),
        (SOLVE.to_owned(), "small.scen"),
        (on_mesh.to_owned(), "yard.mesh"),
        (on_mesh.to_owned(), "agents.csv"),
        (simulate.to_owned(), "small.map"),
        (simulate.to_owned(), "small.scen"),
        (format!("{simulate} --strategy dm --direction-map m.json"), "m.json"),
        (compare.to_owned(), "small.map"),
        (compare.to_owned(), "small.scen"),
        ("check --map small.map --plan plan.txt".to_owned(), "plan.txt"),
        ("check --map small.map --plan plan.txt".to_owned(), "small.map"),
        ("check --map small.map --plan plan.txt --scen small.scen".to_owned(), "small.scen"),
        ("check --map small.map --trace t.json --radius 0.3".to_owned(), "t.json"),
        ("check --map small.map --trace t.json --radius 0.3".to_owned(), "small.map"),
        ("draw --map small.map --plan plan.txt --svg a.svg".to_owned(), "plan.txt"),
        ("draw --map small.map --plan plan.txt --svg a.svg".to_owned(), "small.map"),
        ("draw --map small.map --trace t.json --svg a.svg".to_owned(), "t.json"),
        ("draw --map small.map --direction-map m.json --svg a.svg".to_owned(), "m.json"),
        ("generate scen --map small.map --agents 2 --scen-out made.scen".to_owned(), "small.map"),
    ] {
        let by_name = folder.run(&arguments);
        let streamed = fed(&folder, name, &arguments.replacen(name, "-", 1));
        assert_eq!((by_name.code, streamed.code), (Some(0), Some(0)), "{arguments}: {streamed:#?}");
        // Names of maps and scenarios are the names of the files.
        let is_named = ["compare", "generate"].iter().any(|command| arguments.starts_with(command));
        assert!(is_named || streamed.redacted() == by_name.redacted(), "{arguments}: {streamed:#?}, {by_name:#?}");
    }
    // From standard input to standard output.
    let both = fed(&folder, "small.scen", "solve --map small.map --scen - --agents 3 --out -");
    assert_eq!((both.code, both.stdout), (Some(0), folder.read("plan.txt")));
}

#[test]
fn bad_contents_are_told_by_line_and_there_is_one_standard_input() {
    let folder = Folder::small("stdin_bad").with("plan.txt", "solution=\n0:(0,0),\nx\n");
    let run = fed(&folder, "plan.txt", "check --map small.map --plan -");
    assert!(run.code == Some(2) && run.stderr.starts_with("error: -:3: expected "), "{run:#?}");
    for (arguments, both) in [
        ("check --map - --plan -", "--map and --plan"),
        ("check --map small.map --plan - --scen -", "--scen and --plan"),
        ("solve --map - --scen - --agents 3", "--map and --scen"),
        ("compare --map small.map --scen - --scen - --agents 3", "--scen and --scen"),
        ("draw --map - --trace - --svg a.svg", "--map and --trace"),
    ] {
        let run = fed(&folder, "small.map", arguments);
        let error = format!("error: -: {both} cannot both be standard input; a file of that name is ./-\n");
        assert_eq!(run, Run { code: Some(2), stdout: String::new(), stderr: error }, "{arguments}");
    }
}
