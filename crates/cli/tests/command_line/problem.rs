//! `giveway simulate --problem`: errands, the result for the competition's tools, and damaged files.

use std::path::Path;

use serde_json::Value;

use crate::command_line::folder::{Folder, assert_asks_nothing_of_the_network};

const MAP: &str = "type octile\nheight 2\nwidth 4\nmap\n.E@S\n....\n";
const HEAD: &str = "{\"mapFile\":\"a.map\",\"agentFile\":\"a.agents\",\"taskFile\":\"a.tasks\",\"teamSize\":2,\n\
                    \"numTasksReveal\":1,\"taskAssignmentStrategy\":\"roundrobin\"}";

/// A folder with the problem of the test data.
fn small(name: &str) -> Folder {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/problems");
    ["small.json", "small.map", "small.agents", "small.tasks"]
        .into_iter()
        .fold(Folder::new(name), |folder, file| folder.with(file, std::fs::read(data.join(file)).unwrap()))
}

/// A folder with a problem of two robots on two rows.
fn tiny(name: &str, tasks: &str) -> Folder {
    let folder = Folder::new(name).with("a.json", HEAD).with("a.map", MAP);
    folder.with("a.agents", "2\n0\n7\n").with("a.tasks", tasks)
}

fn result(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.read(name)).unwrap()
}

#[test]
fn a_problem_is_played_and_its_result_written() {
    let folder = small("problem_small");
    let run = folder.run("simulate --problem small.json --ticks 40 --out result.json --trace t.json --html p.html");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(
        run.stdout.starts_with(
            "6 robots, 40 ticks: each robot has one errand after the other, and the check finds no fault.\n"
        )
    );
    assert!(run.stdout.ends_with("Written: result.json\nWritten: t.json\nWritten: p.html\n"), "{run:#?}");
    assert_asks_nothing_of_the_network(&folder.read("p.html"));
    assert!(folder.read("t.json").contains("\"heading\":1.570"));

    let mut result = result(&folder, "result.json");
    let times = result["plannerTimes"].as_array().unwrap();
    assert!(times.len() == 40 && times.iter().all(|time| time.as_f64().is_some_and(|time| time >= 0.0)));
    result["plannerTimes"] = Value::Array(Vec::new());
    insta::assert_snapshot!("problem_small", serde_json::to_string(&result).unwrap());
    // The drawing and checking commands read the trace.
    let check = folder.run("draw --map small.map --trace t.json --svg t.svg");
    assert_eq!((check.code, check.stderr.as_str()), (Some(0), ""));
}

#[test]
fn the_keys_of_json_are_in_the_help_in_this_order() {
    let folder = small("problem_json");
    let run = folder.run("simulate --problem small.json --ticks 40 --json");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let json = run.json();
    assert_eq!(
        (json["ticks"].as_u64(), json["agents"].as_u64(), json["conflicts"].as_u64()),
        (Some(40), Some(6), Some(0))
    );
    assert!(json["errands"].as_u64() > Some(15), "{}", run.stdout);
    let [median, p99, max] = ["tick_ms_median", "tick_ms_p99", "tick_ms_max"].map(|key| json[key].as_f64().unwrap());
    assert!(0.0 <= median && median <= p99 && p99 <= max);
    let help = folder.run("simulate --help").stdout;
    let (_, keys) = help.split_once("With --problem, the keys of --json").unwrap();
    let mut from = 0;
    for key in run.stdout.split(',').map(|part| part.split('"').nth(1).unwrap()) {
        from += keys[from..].find(key).unwrap_or_else(|| panic!("{key} is not in the help, or too early"));
    }
}

/// The result without the times.
fn paths(folder: &Folder, arguments: &str) -> (Value, Value) {
    let run = folder.run(&format!("{arguments} --out r.json"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{arguments}");
    let result = result(folder, "r.json");
    assert_eq!(result["AllValid"], "Yes");
    assert_eq!(result["actualPaths"], result["plannerPaths"]);
    (result["actualPaths"].clone(), result["events"].clone())
}

#[test]
fn an_errand_at_the_very_place_takes_a_step() {
    // Robot 0 is to be where it is, then below, then again where it was.
    let folder = tiny("problem_here", "6\n0\n7\n4\n7\n0\n7\n");
    let (_, events) = paths(&folder, "simulate --problem a.json --ticks 7");
    let of = |robot: usize| -> Vec<(u64, u64, String)> {
        let events = events[robot].as_array().unwrap().iter();
        let number = |value: &Value| value.as_u64().unwrap();
        events.map(|event| (number(&event[0]), number(&event[1]), event[2].as_str().unwrap().to_owned())).collect()
    };
    let expected = |rows: &[(u64, u64, &str)]| -> Vec<(u64, u64, String)> {
        rows.iter().map(|(task, step, what)| (*task, *step, (*what).to_owned())).collect()
    };
    // A turn and a step down; two turns and a step up.
    let (assigned, finished) = ("assigned", "finished");
    let first = &of(0)[..6];
    assert_eq!(first[..3], expected(&[(0, 0, assigned), (0, 1, finished), (2, 1, assigned)]));
    assert_eq!((first[3].1, first[5].1), (3, 6));
    // The other stands where all of its errands are, and finishes one in each step.
    assert_eq!(
        of(1).iter().filter(|event| event.2 == finished).map(|event| event.1).collect::<Vec<_>>(),
        [1, 2, 3, 4, 5, 6, 7]
    );
}

#[test]
fn robots_need_not_turn_and_have_no_errands_in_the_end() {
    let folder = tiny("problem_plain", "2\n1\n4\n");
    let fixed = HEAD.replace("roundrobin", "roundrobin_fixed");
    // A map that comes twice.
    let folder = folder
        .with("a.map", MAP.repeat(2))
        .with("fixed.json", &fixed)
        .with("greedy.json", HEAD.replace("roundrobin", "greedy"));
    for head in ["fixed.json", "greedy.json"] {
        let (actions, events) = paths(&folder, &format!("simulate --problem {head} --turning no --ticks 6"));
        assert_eq!(actions, serde_json::json!(["R,W,W,W,W,W", "L,L,L,W,W,W"]), "{head}");
        assert_eq!(events[1], serde_json::json!([[1, 0, "assigned"], [1, 3, "finished"]]));
        assert_eq!(result(&folder, "r.json")["actionModel"], "MAPF");
    }
    let (actions, _) = paths(&folder, "simulate --problem fixed.json --turning yes --ticks 3");
    assert_eq!(actions[0], "F,W,W");
}

#[test]
fn settings_reach_the_robots() {
    let folder = small("problem_settings");
    let plain = folder.run("simulate --problem small.json --ticks 60 --json").json();
    for flag in ["--window 4", "--strategy lra", "--budget 3"] {
        let run = folder.run(&format!("simulate --problem small.json --ticks 60 --json {flag}"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{flag}");
        let json = run.json();
        assert!(["expansions", "moves", "errands"].iter().any(|key| json[*key] != plain[*key]), "{flag}: {json:?}");
    }
    let run = folder.run("simulate --problem small.json --ticks 4000000 --time-limit 0.05");
    assert!(run.code == Some(1) && run.stdout.contains(", when the time limit came: "), "{run:#?}");
}

#[test]
fn robots_keep_to_lanes_unless_told_otherwise_or_short_of_work() {
    let folder = small("problem_lanes");
    let run = |flags: &str| {
        let run = folder.run(&format!("simulate --problem small.json --ticks 60 --out r.json {flags}"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{flags}");
        result(&folder, "r.json")["actualPaths"].clone()
    };
    assert_eq!(run(""), run("--lanes yes"));
    assert_ne!(run(""), run("--lanes no"));
    // 6 robots: less than 30 units of work for each.
    assert_eq!(run("--budget 179"), run("--budget 179 --lanes no"));
    assert_eq!(run("--budget 180"), run("--budget 180 --lanes yes"));
    assert_ne!(run("--budget 180"), run("--budget 180 --lanes no"));
}

#[test]
fn damaged_files_are_named() {
    let folder = tiny("problem_damaged", "1\n0\n").with("map.agents", "2\n0\n2\n").with("off.tasks", "1\n8\n");
    let head = |from: &str, to: &str| HEAD.replace(from, to);
    let folder = folder
        .with("torn.json", &HEAD[..90])
        .with("team.json", head(":2", ":3"))
        .with("strategy.json", head("roundrobin", "x"))
        .with("wall.json", head("a.agents", "map.agents"))
        .with("off.json", head("a.tasks", "off.tasks"))
        .with("none.json", head("a.map", "none.map"))
        .with("swapped.json", head("a.map", "a.tasks"))
        .with("many.agents", "4294967295\n0\n")
        .with("many.json", head("a.agents", "many.agents").replace(":2", ":4294967295"))
        .with("large.map", "type octile\nheight 4294967295\nwidth 4294967295\nmap\n..\n")
        .with("large.json", head("a.map", "large.map"));
    for (arguments, fragment) in [
        ("--problem torn.json", "torn.json:2:13: EOF while parsing a string"),
        ("--problem team.json", "a.agents:3: expected at least 3 starts, since teamSize is 3, found 2"),
        ("--problem strategy.json", "strategy.json:2:45: expected \"roundrobin\""),
        ("--problem wall.json", "map.agents:3: expected a free cell of the map, found the wall 2"),
        ("--problem off.json", "off.tasks:2: expected a cell of the map, from 0 to 7, found 8"),
        ("--problem none.json", "none.map: cannot be read"),
        ("--problem swapped.json", "a.tasks:1: expected \"type octile\", found \"1\""),
        ("--problem many.json", "many.agents:3: expected place 2 of 4294967295"),
        ("--problem large.json", "large.map:5: expected 4294967295 cells, found 2"),
        ("--problem a.map", "a.map: expected a competition problem as JSON, found a Moving AI map"),
        ("--problem no.json", "no.json: cannot be read"),
        ("--problem a.json --out a.tasks", "expected another file than the file of taskFile"),
        ("--problem a.json --out r --trace r", "expected another file than the file of --out"),
        ("--problem a.json --out - --json", "expected another file than the file of --json"),
        ("--problem a.json --map a.map", "cannot be used with"),
        ("--problem a.json --agents 2", "cannot be used with"),
        ("--problem a.json --task once", "cannot be used with"),
        ("--problem a.json --csv c", "cannot be used with"),
        ("--problem a.json --strategy dm", "--strategy dm does nothing with --problem"),
        ("--problem a.json --turning maybe", "invalid value 'maybe'"),
        ("--map a.map --scen a.scen --agents 1 --turning no", "--turning does nothing without --problem"),
        ("--map a.map --scen a.scen --agents 1 --lanes yes", "--lanes does nothing without --problem"),
        ("--map a.map --scen a.scen --agents 1 --out o", "--out does nothing without --problem"),
    ] {
        let before = folder.names();
        let run = folder.run(&format!("simulate {arguments}"));
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments}: {run:#?}");
        assert!(run.stderr.contains(fragment), "{arguments}: {run:#?}");
        assert_eq!(folder.names(), before, "{arguments}");
    }
    // From standard input, beside the files.
    let mut command = folder.command("simulate --problem - --ticks 5 --json");
    let json = std::fs::File::open(folder.path("a.json")).unwrap();
    assert!(command.stdin(json).output().unwrap().status.success());
}
