//! `giveway repro`: the experiments on direction maps, on the scenarios of the test data.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command_line::folder::{Folder, Run};

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// Runs the binary in `folder` with `arguments` and the test data.
fn repro(folder: &Folder, arguments: &str) -> Run {
    folder.run_with(&format!("repro {arguments} --data"), &testdata())
}

#[test]
fn table_1_is_a_table_with_findings_and_notes() {
    let folder = Folder::new("repro_table");
    let run = repro(&folder, "table1 --files 2");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!("repro_table1", run.stdout);
}

/// Exact figures, and the same ones on any number of threads and at any time.
#[test]
fn a_run_is_a_line_and_threads_do_not_matter() {
    let folder = Folder::new("repro_csv");
    let methods = "astar,dm,dm@0,dm+n,dm-8,dm-8/100,whca:4";
    for threads in [1, 2, 5] {
        let run = repro(
            &folder,
            &format!(
                "table1 --files 1 --methods {methods} --threads {threads} --csv {threads}.csv --svg {threads}.svg --arrows {threads}-map.svg"
            ),
        );
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    }
    let csv = folder.read("1.csv");
    insta::assert_snapshot!("repro_csv", csv);
    for (one, other) in [("1.csv", "2.csv"), ("1.csv", "5.csv"), ("1.svg", "2.svg"), ("1-map.svg", "5-map.svg")] {
        assert!(folder.read(one) == folder.read(other), "{one} and {other} differ");
    }
    // With weight 0, the direction map is A*.
    let line = |method: &str| {
        let line = csv.lines().find(|line| line.split(',').nth(1) == Some(method)).unwrap();
        line.replace(method, "")
    };
    assert_eq!(line("A*"), line("DM@0"));
    // Other random steps.
    repro(&folder, "table1 --files 1 --methods astar --seed 1 --csv seed.csv");
    assert_ne!(folder.read("seed.csv").lines().nth(1), csv.lines().nth(1));
}

#[test]
fn json_says_what_the_table_says() {
    let folder = Folder::new("repro_json");
    let json = repro(&folder, "table1 --files 2 --methods dm,whca:4 --loops 2 --json").json();
    assert_eq!(json["experiment"], "table1");
    assert_eq!(json["scenarios"], serde_json::json!(["Map1_L10_R10_1", "Map1_L10_R10_2"]));
    assert_eq!(json["changed"], serde_json::json!(["2 of 10 scenario files", "another --loops"]));
    let path = &json["methods"][0]["figures"][2];
    assert_eq!((&path["metric"], &path["paper"]), (&"path length".into(), &76.44.into()));
    let [first, second] = [0, 1].map(|scenario| path["by_scenario"][scenario].as_f64().unwrap());
    let mean = path["mean"].as_f64().unwrap();
    assert!((mean - f64::midpoint(first, second)).abs() < 1e-9);
    assert!((path["ratio"].as_f64().unwrap() - mean / 76.44).abs() < 1e-9);
    assert_eq!(json["findings"][1]["holds"], serde_json::Value::Null, "the two clocks are not compared");
}

/// Coherence over time: a line per moment, a curve per method.
#[test]
fn figure_8_is_over_time() {
    let folder = Folder::new("repro_figure8");
    let run = repro(&folder, "figure8 --files 1 --loops 2 --csv curves.csv --svg curves.svg --json");
    let curves = run.json()["curves"].as_array().unwrap().clone();
    assert_eq!(curves.len(), 4);
    let csv = folder.read("curves.csv");
    assert_eq!(csv.lines().next(), Some("scenario,method,time,coherence"));
    let lines: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(lines[0][..3], ["Map1_L10_R10_1", "A*", "15.0"]);
    assert_eq!(lines.len(), curves.iter().map(|curve| curve["points"].as_array().unwrap().len()).sum::<usize>());
    // After 15 units of time, ten actions, everyone has gone nearly straight.
    let first = |curve: usize| curves[curve]["points"][0][1].as_f64().unwrap();
    assert_eq!(curves[0]["points"][0][0], 15.0);
    assert!((0.6..0.8).contains(&first(0)) && (0.4..0.6).contains(&first(2)), "{curves:?}");
    let svg = folder.read("curves.svg");
    assert!(["A*", "DM+N", "WHCA*(4)", "simulation time"].iter().all(|name| svg.contains(name)), "{svg}");
}

/// Figure 5 and the other tables on the map that is here: what they print is all there.
#[test]
fn every_experiment_runs_on_given_files() {
    let folder = Folder::new("repro_given").with("a.map", OPEN).with("a.txt", CROSSING);
    for (experiment, plot, axis) in [
        ("table2", "time", "Table 2: simulation time"),
        ("table3", "path", "Table 3: path length"),
        ("figure5", "nodes", "Figure 5: nodes expanded"),
    ] {
        let given = format!("repro {experiment} --map a.map --scen a.txt a.txt");
        let run = folder.run(&format!("{given} --loops 3 --svg plot.svg --plot {plot} --arrows map.svg"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        assert!(run.stdout.starts_with(&format!("{experiment}: a, 2 scenarios, 4 agents, 3 loops")), "{run:#?}");
        assert!(run.stdout.contains("Not as for the paper's figures: other scenarios, another --loops"), "{run:#?}");
        assert!(folder.read("plot.svg").contains(axis));
        assert!(folder.read("map.svg").contains(" arrows"));
    }
    // Nobody is in the way: 2 loops of 2 * 7 steps in 1.5 units of time each, with 8 nodes expanded on each way.
    let run = folder.run("repro table1 --map a.map --scen a.txt --loops 2 --methods astar --csv alone.csv");
    assert_eq!(run.code, Some(0), "{run:#?}");
    let csv = folder.read("alone.csv");
    let line = csv.lines().nth(1).unwrap();
    assert!(line.starts_with("a,A*,0.0,0.4,2,4,16.0,0.0,42.0,14.0,0.0,0.0,0.0,"), "{line}");
}

/// Seven steps each, in rows of their own.
const CROSSING: &str =
    "version 1.0\n0 a.map 8 16 0 1 7 1 0\n0 a.map 8 16 0 6 7 6 0\n0 a.map 8 16 0 10 7 10 0\n0 a.map 8 16 0 15 7 15 0\n";
const OPEN: &str = "type octile\nheight 16\nwidth 8\nmap\n........\n........\n........\n........\n........\n........\n........\n........\n........\n........\n........\n........\n........\n........\n........\n........\n";

/// By default all agents of the experiment: a thousand would take hours.
#[test]
fn of_a_long_scenario_the_first_lines_take_part() {
    let side = 40;
    let map =
        format!("type octile\nheight {side}\nwidth {side}\nmap\n{}", format!("{}\n", ".".repeat(side)).repeat(side));
    let mut scen = String::from("version 1\n");
    for agent in 0..1000 {
        let (x, y) = (agent % side, agent / side);
        writeln!(scen, "0\ta.map\t{side}\t{side}\t{x}\t{y}\t{}\t{}\t0", side - 1 - x, side - 1 - y).unwrap();
    }
    let folder = Folder::new("repro_long").with("a.map", map).with("a.scen", scen);
    let run =
        |flags: &str| folder.run(&format!("repro table1 --map a.map --scen a.scen --loops 1 --methods dm {flags}"));
    let usual = run("");
    assert_eq!((usual.code, usual.stderr.as_str()), (Some(0), ""));
    assert!(usual.stdout.starts_with("table1: a, 1 scenario, 20 agents, 1 loops"), "{usual:#?}");
    let changed =
        "Not as for the paper's figures: other scenarios, another --loops, the first 20 agents of each scenario\n";
    assert!(usual.stdout.contains(changed), "{usual:#?}");
    assert_eq!(run("--agents 20"), usual);
    assert!(run("--agents 5").stdout.contains(", 5 agents, 1 loops"));
}

/// Two agents that meet in a corridor never come past each other, by the paper's rules.
#[test]
fn a_run_without_an_end_is_given_up() {
    let scen = "0 a.map 4 1 0 0 3 0 0\n0 a.map 4 1 3 0 0 0 0\n";
    let folder =
        Folder::new("repro_endless").with("a.map", "type octile\nheight 1\nwidth 4\nmap\n....\n").with("a.scen", scen);
    for threads in [1, 5] {
        let run = folder.run(&format!(
            "repro table1 --map a.map --scen a.scen a.scen --methods astar,dm,dm@3 --csv a.csv --threads {threads}"
        ));
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:#?}");
        assert!(run.stderr.starts_with("error: A* on a: no end in sight after "), "{run:#?}");
    }
    assert_eq!(folder.names(), ["a.map", "a.scen"]);
}

/// A folder with what a clone has: the map and two scenarios of table 1.
fn clone(name: &str) -> Folder {
    let folder = Folder::new(name);
    for kind in ["maps", "scens"] {
        fs::create_dir_all(folder.path(&format!("testdata/direction-maps/{kind}"))).unwrap();
    }
    let scenarios = ["1", "2"].map(|number| format!("testdata/direction-maps/scens/Map1_L10_R10_{number}.txt"));
    let folder = folder.with("testdata/direction-maps/maps/test_s1_ground.map", OPEN);
    scenarios.iter().fold(folder, |folder, scenario| folder.with(scenario, CROSSING))
}

/// A clone has scenarios, and is found from anywhere in it; what the environment names goes first.
#[test]
fn the_scenarios_of_a_clone_are_found() {
    let folder = clone("repro_clone");
    fs::create_dir_all(folder.path("a/b")).unwrap();
    let run = |below: &str, data: Option<&Path>| {
        let mut command = folder.command("repro table1 --files 2 --loops 1 --methods dm");
        command.current_dir(folder.path(below));
        if let Some(data) = data {
            command.env("GIVEWAY_DATA", data);
        }
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    for below in [".", "a", "a/b", "testdata/direction-maps/maps"] {
        let (code, table) = run(below, None);
        assert_eq!(code, Some(0), "{below}");
        assert!(table.starts_with("table1: test_s1_ground, 2 scenarios, 4 agents"), "{below}: {table}");
    }
    // The scenarios of the test data have 20 agents; a folder without any changes nothing.
    assert!(run("a", Some(&testdata())).1.starts_with("table1: test_s1_ground, 2 scenarios, 20 agents"));
    assert!(run("a", Some(&folder.path("a"))).1.starts_with("table1: test_s1_ground, 2 scenarios, 4 agents"));
}

#[test]
fn hybrids_are_held_to_their_bounds() {
    let folder = Folder::new("repro_hybrids");
    let run = repro(&folder, "hybrids --files 1 --loops 2 --methods dm,whca:4,hybrid:4,hybrid:4-crowd+search@1");
    assert_eq!(run.code, Some(0), "{run:#?}");
    let findings: Vec<&str> = run.stdout.lines().filter(|line| line.contains(", DM and WHCA*(4): ")).collect();
    let [one, other] = findings[..] else { panic!("{run:#?}") };
    assert!(one.contains("H(4), DM") && one.contains("failed 0.00, coherence 0."), "{one}");
    assert!(other.contains("H(4)-crowd+search@1, DM"), "{other}");
    assert!(one.contains(" of 1"), "in how many scenarios: {one}");
    // In full, on the scenarios that are here: the hybrid that the book recommends keeps all bounds.
    let run = repro(&folder, "hybrids --files 2 --methods dm,whca:4,hybrid:4");
    assert!(run.stdout.contains("yes H(4), DM and WHCA*(4): "), "{run:#?}");
    // Without the methods for comparison, nothing is claimed.
    let run = repro(&folder, "hybrids --files 1 --loops 1 --methods hybrid:4-none");
    assert!(!run.stdout.contains("Whether no move fails"), "{run:#?}");
}

#[test]
fn what_cannot_be_run_is_refused() {
    let folder = clone("repro_refused")
        .with("a.map", OPEN)
        .with("a.txt", CROSSING)
        .with("walled.map", "type octile\nheight 1\nwidth 3\nmap\n.@.\n")
        .with("walled.txt", "0 walled.map 3 1 0 0 2 0 0\n")
        .with("empty.txt", "version 1\n");
    let before = folder.names();
    for (arguments, fragment) in [
        ("repro", "<EXPERIMENT>"),
        ("repro table4", "[possible values: table1, table2, table3, figure5, figure8, hybrids]"),
        ("repro table2", "set GIVEWAY_DATA to a folder with direction-maps/maps/test_s1_64.map and"),
        ("repro table2", "Map1Big_L50_R50_1.txt to _10.txt, which are part of https://github.com/nathansttt/hog2"),
        ("repro table2", "\n  GIVEWAY_DATA: not set\n"),
        ("repro table2", "testdata/direction-maps/maps/test_s1_64.map: not there\n"),
        ("repro table1", "Map1_L10_R10_3.txt: not there, and --files 2 takes fewer scenarios\n"),
        ("repro table1 --data .", "test_s1_ground.map: not there; it is part of https://github.com/nathansttt/hog2\n"),
        ("repro table1 --agents 3", "--map <FILE>"),
        ("repro table1 --map a.map --scen a.txt --agents 5", "a.txt:5: expected at least 5 entries, found 4"),
        ("repro table1 --files 11", "expected a whole number from 1 to 10"),
        ("repro table1 --map a.map", "--scen <FILE>"),
        ("repro table1 --map a.map --scen a.txt --files 2", "cannot be used with"),
        ("repro table1 --map a.map --scen none.txt", "none.txt: cannot be read"),
        ("repro table1 --map a.map --scen empty.txt", "empty.txt: expected at least one agent, found none"),
        ("repro table1 --map walled.map --scen walled.txt", "walled.txt: no way for agent 0"),
        ("repro table1 --map a.map --scen a.txt --set table2", "cannot be used with"),
        ("repro table1 --set table2", "--set: only figure8 and hybrids have a choice of scenarios"),
        ("repro table1 --methods dmx", "expected \"astar\", \"whca:WINDOW\", \"dm\""),
        ("repro hybrids --methods hybrid:4-later", "or \"hybrid:WINDOW\""),
        ("repro table1 --methods astar --weight 3", "--weight: none of the methods depends on it"),
        ("repro figure5 --weight 3", "--weight: none of the methods depends on it"),
        ("repro table1 --weight -1", "a number of steps from 0 to 1000000"),
        ("repro table1 --weight=-1", "a number of steps from 0 to 1000000"),
        ("repro table1 --rate 1.1", "a number from 0 to 1"),
        ("repro table1 --plot time", "--svg <FILE>"),
        ("repro table1 --svg a --plot nodes", "--plot: tables are plotted over the nodes"),
        ("repro figure8 --svg a --plot nodes", "--plot: figure8 shows coherence over time"),
        ("repro table1 --arrows a --arrows-of dm-8", "--arrows-of: DM-8 is not among the methods"),
        ("repro table1 --map a.map --scen a.txt --csv a.txt", "another file than the file of --scen"),
        ("repro table1 --map a.map --scen a.txt --csv b --svg b", "another file than the file of --csv"),
    ] {
        let run = folder.run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments}: {run:#?}");
        assert!(run.stderr.starts_with("error: ") && run.stderr.contains(fragment), "{arguments}: {run:#?}");
        assert_eq!(folder.names(), before, "{arguments}");
    }
    let run = repro(&folder, "table1 --files 3");
    assert!(
        run.stderr.contains("Map1_L10_R10_3.txt: not there")
            && run.stderr.contains("--files 2 takes fewer scenarios; it is part of"),
        "{run:#?}"
    );
}
