//! `simulate --save-at` and `--resume`.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use giveway::strategies::Save;
use giveway::words::WordReader;

use super::maps::{png, tmx};
use crate::command_line::folder::{Folder, Run};

const LIFELONG: &str = "simulate --map small.map --scen small.scen --agents 3 --seed 4";

/// The error, which must be one, with exit code 2 and nothing else printed.
fn error(run: &Run) -> &str {
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:#?}");
    run.stderr.strip_prefix("error: ").unwrap().trim_end()
}

#[test]
fn a_run_that_was_saved_goes_on_as_if_nothing_had_happened() {
    let mesh = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/navmesh/arena.mesh")).unwrap();
    let folder = Folder::small("saved_runs")
        .with("arena.mesh", mesh)
        .with("agents.csv", "start_x,start_y,goal_x,goal_y\n5,5,40,40\n40,40,5,5\n");
    for (name, command) in [
        ("plain", LIFELONG.to_owned()),
        ("a budget", format!("{LIFELONG} --budget 30")),
        ("late moves", format!("{LIFELONG} --late 30")),
        ("a direction map", format!("{LIFELONG} --strategy dm")),
        ("routes", format!("{LIFELONG} --strategy lra --connectivity 8")),
        ("nearest, in random order", format!("{LIFELONG} --nearest --order random --task patrol")),
        ("a mesh", "simulate --map arena.mesh --agents-file agents.csv --radius 0.5 --task patrol".to_owned()),
    ] {
        let run = folder.run(&format!("{command} --ticks 90 --hashes whole.txt --json"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{name}");
        let saved = folder.run(&format!("{command} --ticks 40 --save-at 29 run.save"));
        assert!(saved.stdout.ends_with("Written: run.save\n"), "{name}: {saved:#?}");
        // Once more, from the middle.
        let again = folder.run("simulate --resume run.save --ticks 60 --save-at 49 run.save.2");
        assert_eq!((again.code, again.stderr.as_str()), (Some(0), ""), "{name}");
        for (file, first) in [("run.save", 30), ("run.save.2", 50)] {
            let resumed = folder.run(&format!("simulate --resume {file} --ticks 90 --hashes rest.txt --json"));
            assert_eq!((resumed.code, resumed.stderr.as_str()), (Some(0), ""), "{name}");
            let whole = folder.read("whole.txt");
            let rest: Vec<&str> = whole.lines().skip(first).collect();
            assert_eq!(folder.read("rest.txt").lines().collect::<Vec<_>>(), rest, "{name}, {file}");
            // What is measured differs.
            let counts = |run: &Run| run.stdout.split("\"milliseconds\"").next().map(str::to_owned);
            assert_eq!(counts(&resumed), counts(&run), "{name}, {file}");
        }
    }
}

/// Two classes on a floor with a gate, of which the second is larger; a gate that closes while a unit is in it, opens,
/// and closes again; and orders.
pub(super) const GATE: &str = r#"
seed = 3
[[map]]
name = "yard"
file = "yard.map"

[[class]]
name = "walker"
shape = { disc = 0.3 }
[[class]]
name = "cart"
shape = { rectangle = [1.4, 0.9] }
speed = 0.5

[[agents]]
class = "walker"
name = "first"
start = [0, 3]
goal = [13, 3]
[[agents]]
class = "cart"
start = [1, 1]
tour = [[12, 1], [1, 6]]
[[agents]]
class = "walker"
count = 6

[[area]]
name = "gate"
rectangle = [[5.5, 1.5], [8.5, 5.5]]
closes = [20, 60]
opens = [41]

[[order]]
agent = "first"
tick = 30
goal = [2, 7]
[[order]]
agent = "first"
tick = 50
"#;

pub(super) const YARD: &str = "type octile\nheight 8\nwidth 14\nmap\n..............\n..............\n..............\n\
    ......@@......\n......@@......\n..............\n..............\n..............\n";

/// Saves a run of `command`, which takes `ticks` ticks, after each tick of `at`, and compares it with the run that goes
/// on elsewhere, once more saved on its way.
fn goes_on(folder: &Folder, command: &str, ticks: u32, at: &[u32]) {
    let run = folder.run(&format!("{command} --ticks {ticks} --hashes whole.txt --json"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{command}: {run:#?}");
    let whole = folder.read("whole.txt");
    // What is measured differs.
    let counts = |run: &Run| {
        let lines = run
            .stdout
            .split(',')
            .filter(|entry| !["milliseconds", "tick_ms", "bytes"].iter().any(|key| entry.contains(key)));
        lines.collect::<Vec<_>>().join(",")
    };
    for at in at {
        let saved = folder.run(&format!("{command} --ticks {} --save-at {at} run.save", at + 1));
        assert!(saved.stdout.ends_with("Written: run.save\n"), "{command}: {saved:#?}");
        let elsewhere = folder.elsewhere().with("run.save", folder.read("run.save"));
        let middle = at + (ticks - at) / 2;
        for (save, first) in [("run.save", *at), ("again.save", middle)] {
            let again = if first == *at { format!("--save-at {middle} again.save") } else { String::new() };
            let resumed =
                elsewhere.run(&format!("simulate --resume {save} --ticks {ticks} --hashes rest.txt --json {again}"));
            assert_eq!((resumed.code, resumed.stderr.as_str()), (Some(0), ""), "{command}, {save} of {at}");
            let rest: Vec<&str> = whole.lines().skip(first as usize + 1).collect();
            assert_eq!(elsewhere.read("rest.txt").lines().collect::<Vec<_>>(), rest, "{command}, {save} of {at}");
            assert_eq!(counts(&resumed), counts(&run), "{command}, {save} of {at}");
        }
    }
}

#[test]
fn a_saved_run_in_a_world_goes_on_elsewhere() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/worlds");
    let files = ["depot.toml", "town.toml", "park.mesh", "streets.json"];
    let folder = Folder::new("saved_worlds").with("gate.toml", GATE).with("yard.map", YARD).with("a.png", png());
    let folder = files.iter().fold(folder, |folder, file| folder.with(file, fs::read(examples.join(file)).unwrap()));
    goes_on(&folder, "simulate --world gate.toml", 120, &[0, 19, 20, 21, 24, 29, 40, 45, 59, 60, 70]);
    goes_on(&folder, "simulate --world gate.toml --seed 8 --budget 400", 90, &[23, 63]);
    goes_on(&folder, "simulate --world depot.toml", 80, &[33]);
    goes_on(&folder, "simulate --world town.toml", 60, &[25]);
    // Areas that were closed before are drawn, too.
    folder.run("simulate --world gate.toml --ticks 40 --save-at 30 run.save");
    let drawn = folder.run("simulate --resume run.save --ticks 70 --svg rest.svg");
    assert_eq!((drawn.code, folder.read("rest.svg").matches("class=\"blocks\"").count()), (Some(0), 2), "{drawn:#?}");
    // A tile set in a file of its own, and a picture, which is no text.
    let whole = tmx("orientation=\"orthogonal\"", "walls");
    let (head, rest) = whole.split_once("<tileset firstgid=\"1\" ").unwrap();
    let (set, rest) = rest.split_once("</tileset>").unwrap();
    let folder = folder
        .with("a.tsx", format!("<tileset {set}</tileset>"))
        .with("a.tmx", format!("{head}<tileset firstgid=\"1\" source=\"a.tsx\"/>{rest}"))
        .with(
            "tiles.toml",
            "[[map]]\nfile = \"a.tmx\"\n[[class]]\nname = \"dot\"\n[[agents]]\nclass = \"dot\"\ncount = 5\n",
        );
    goes_on(&folder, "simulate --map a.tmx --agents 5", 40, &[20]);
    goes_on(&folder, "simulate --map a.tmx --tile-sets . --agents 5", 40, &[20]);
    let map = folder.path("a.tmx");
    goes_on(&folder, &format!("simulate --map {} --tile-sets . --agents 5", map.display()), 40, &[20]);
    goes_on(&folder, "simulate --world tiles.toml", 40, &[20]);
    goes_on(&folder, "simulate --map a.png --agents 5", 60, &[30]);
}

/// The files of the problem of the test data.
pub(super) fn with_problem(folder: Folder) -> Folder {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/problems");
    let files = ["small.json", "small.map", "small.agents", "small.tasks"];
    files.iter().fold(folder, |folder, file| folder.with(file, fs::read(data.join(file)).unwrap()))
}

#[test]
fn a_saved_problem_is_played_on_elsewhere() {
    let folder = with_problem(Folder::new("saved_problems"));
    let greedy = folder.read("small.json").replacen("roundrobin", "greedy", 1);
    let folder = folder.with("greedy.json", greedy);
    goes_on(&folder, "simulate --problem small.json", 80, &[0, 1, 7, 23, 38]);
    goes_on(&folder, "simulate --problem small.json --turning no --budget 60", 60, &[21]);
    goes_on(&folder, "simulate --problem greedy.json --lanes no --window 6", 60, &[30]);
    // What is written is of the ticks from now on, and the result, which is of the whole run, is not.
    folder.run("simulate --problem small.json --ticks 40 --save-at 29 run.save --out result.json");
    let names = folder.names();
    let resumed = folder.run("simulate --resume run.save --ticks 60 --trace t.json --html p.html");
    assert_eq!((resumed.code, resumed.stderr.as_str()), (Some(0), ""), "{resumed:#?}");
    assert!(resumed.stdout.starts_with("6 robots, 60 ticks: ") && resumed.stdout.contains("finds no fault"));
    assert_eq!(folder.names().len(), names.len() + 2);
    let trace: serde_json::Value = serde_json::from_str(&folder.read("t.json")).unwrap();
    let robot = &trace["agents"][0];
    assert_eq!((trace["until"].as_u64(), robot["appears"].as_u64()), (Some(60), Some(30)));
    assert!(robot["moves"].as_array().unwrap().iter().all(|step| step["depart"].as_u64() >= Some(30)));
    assert!(!robot["goals"].as_array().unwrap().is_empty());
    let drawn = folder.run("draw --map small.map --trace t.json --svg t.svg");
    assert_eq!((drawn.code, drawn.stderr.as_str()), (Some(0), ""));
    assert!(folder.run("simulate --resume run.save --out r.json").stderr.contains("cannot be used with"));
    for flag in ["--csv", "--learned"] {
        let run = folder.run(&format!("simulate --resume run.save --ticks 60 {flag} x"));
        assert_eq!(error(&run), format!("{flag} does nothing with --problem"));
    }
}

#[test]
fn what_is_around_a_crowd_is_of_the_tick_and_the_places_of_the_crowd() {
    let folder = with_problem(Folder::new("saved_around")).with("gate.toml", GATE).with("yard.map", YARD);
    let parts = |command: &str, tick: u32| {
        folder.run(&format!("simulate {command} --ticks 60 --save-at {tick} run.save"));
        let text = folder.read("run.save");
        let (head, save) = text.split_once('\n').unwrap();
        (head.to_owned(), Save::from_bytes(&STANDARD.decode(save.trim_end()).unwrap()).unwrap())
    };
    for (command, tick, around, expected) in [
        ("--problem small.json", 25, ("--problem small.json", 25), None),
        ("--problem small.json", 25, ("--problem small.json", 26), Some("a log of as many steps as the crowd has had")),
        (
            "--problem small.json",
            25,
            ("--problem small.json --lanes no --window 3", 25),
            Some("a log of robots where the crowd has them"),
        ),
        ("--world gate.toml", 22, ("--world gate.toml", 22), None),
        ("--world gate.toml", 22, ("--world gate.toml", 50), Some("ticks in order, at which an area was closed")),
    ] {
        let (head, mut save) = parts(command, tick);
        let (_, other) = parts(around.0, around.1);
        // What the simulation attaches remains, and the rest is of the other run.
        let of_simulation = |save: &Save| {
            let mut words = WordReader::new(save.attached());
            words.all_bytes().unwrap();
            save.attached().len() - words.bytes_left()
        };
        let [kept, taken] = [&save, &other].map(of_simulation);
        save.attach([&save.attached()[..kept], &other.attached()[taken..]].concat());
        fs::write(folder.path("mixed.save"), format!("{head}\n{}\n", STANDARD.encode(save.to_bytes()))).unwrap();
        let run = folder.run("simulate --resume mixed.save --ticks 60");
        match expected {
            None => assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{command}"),
            Some(expected) => {
                let error = error(&run);
                assert!(error.starts_with("mixed.save:2: ") && error.contains(expected), "{command}: {error}");
            }
        }
    }
}

#[test]
fn a_time_limit_before_the_save_loses_no_other_file() {
    let crowd = (Folder::small("saved_time_limit"), LIFELONG);
    let problem = (with_problem(Folder::new("saved_time_limit_of_problem")), "simulate --problem small.json");
    for (folder, command) in [crowd, problem] {
        let run = folder.run(&format!(
            "{command} --ticks 4000000000 --time-limit 0.01 --save-at 3999999999 run.save --hashes hashes.txt"
        ));
        assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{run:#?}");
        assert!(
            run.stdout.contains("Written: hashes.txt\nNot written: run.save: the time limit came after "),
            "{run:#?}"
        );
        assert!(run.stdout.ends_with(" ticks, before tick 3999999999 was over\n"), "{run:#?}");
        assert!(!folder.path("run.save").exists());
    }
}

#[test]
fn no_output_replaces_a_file_that_another_file_names() {
    let whole = tmx("orientation=\"orthogonal\"", "walls");
    let (head, rest) = whole.split_once("<tileset firstgid=\"1\" ").unwrap();
    let (set, rest) = rest.split_once("</tileset>").unwrap();
    let folder = with_problem(Folder::new("saved_over_inputs"))
        .with("gate.toml", GATE)
        .with("yard.map", YARD)
        .with("a.tsx", format!("<tileset {set}</tileset>"))
        .with("a.tmx", format!("{head}<tileset firstgid=\"1\" source=\"a.tsx\"/>{rest}"));
    for (command, input) in [
        ("simulate --world gate.toml --ticks 9 --csv", "yard.map"),
        ("simulate --world gate.toml --ticks 9 --record", "yard.map"),
        ("simulate --world gate.toml --ticks 9 --save-at 5", "yard.map"),
        ("simulate --world gate.toml --ticks 9 --svg", "yard.map"),
        ("simulate --map a.tmx --agents 2 --ticks 9 --trace", "a.tsx"),
        ("simulate --map a.tmx --agents 2 --ticks 9 --csv", "./a.tsx"),
        ("solve --map a.tmx --agents 2 --html", "a.tsx"),
        ("compare --world gate.toml --csv", "yard.map"),
        ("draw --map a.tmx --svg", "a.tsx"),
        ("simulate --problem small.json --ticks 9 --hashes", "small.tasks"),
    ] {
        let before = folder.read(input);
        let run = folder.run(&format!("{command} {input}"));
        assert!(error(&run).starts_with(&format!("{input}: expected another file than the ")), "{command}: {run:#?}");
        assert_eq!(folder.read(input), before, "{command}");
    }
    // A run that goes on reads the saved run, and not the file of this name.
    folder.run("simulate --world gate.toml --ticks 9 --save-at 5 run.save");
    let run = folder.run("simulate --resume run.save --ticks 9 --csv yard.map");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:#?}");
}

#[test]
fn an_input_that_is_read_twice_is_kept_once() {
    let folder = Folder::new("saved_once").with("yard.map", YARD).with(
        "twice.toml",
        "[[map]]\nname = \"a\"\nfile = \"yard.map\"\n[[map]]\nname = \"b\"\nfile = \"yard.map\"\nfloor = 1\n\
         [[class]]\nname = \"dot\"\n[[agents]]\nclass = \"dot\"\ncount = 2\n",
    );
    let run = folder.run("simulate --world twice.toml --ticks 20 --record run.rec");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:#?}");
    assert_eq!(folder.read("run.rec").matches("\"file\":\"yard.map\"").count(), 1);
    assert_eq!(folder.run("replay run.rec").code, Some(0));
}

#[test]
fn damaged_runs_of_worlds_and_problems_are_refused() {
    let folder = with_problem(Folder::new("saved_damaged")).with("gate.toml", GATE).with("yard.map", YARD);
    for (command, file, wall) in [
        ("simulate --world gate.toml", "yard.map", ["......@@......\\n", ".....@@@......\\n"]),
        ("simulate --problem small.json", "small.tasks", [".@@..@@.\\n", ".@@.@@@.\\n"]),
    ] {
        folder.run(&format!("{command} --ticks 30 --save-at 25 run.save"));
        let text = folder.read("run.save");
        let refused = |contents: String| {
            fs::write(folder.path("bad.save"), contents).unwrap();
            error(&folder.run("simulate --resume bad.save --ticks 60")).to_owned()
        };
        let lost = refused(text.replacen(&format!("\"file\":\"{file}\""), "\"file\":\"x\"", 1));
        assert!(lost.ends_with(&format!("{file}: expected this input in the saved run")), "{lost}");
        // Another map under the name of this one.
        let other = refused(text.replacen(wall[0], wall[1], 1));
        assert!(other.starts_with("bad.save:2: the save is of another crowd: the space of class 0 is"), "{other}");
        // The line of another run.
        let (head, _) = text.split_once('\n').unwrap();
        folder.run("simulate --problem small.json --ticks 9 --turning no --save-at 5 foreign.save");
        let foreign = folder.read("foreign.save");
        let error = refused(format!("{head}\n{}", foreign.split_once('\n').unwrap().1));
        assert!(error.starts_with("bad.save:2: "), "{error}");
    }
}

#[test]
fn what_is_no_saved_run_is_refused() {
    let folder = Folder::small("no_saved_run");
    folder.run(&format!("{LIFELONG} --ticks 40 --save-at 29 run.save"));
    let text = folder.read("run.save");
    let (first, second) = text.split_once('\n').unwrap();
    let version = first.replacen("\"version\":1", "\"version\":7", 1);
    let damaged = second.replacen(&second[400..408], "AAAABBBB", 1);
    let folder = folder
        .with("cut.save", format!("{first}\n{}\n", &second[..400]))
        .with("version.save", format!("{version}\n{second}"))
        .with("damaged.save", format!("{first}\n{damaged}"))
        .with("letters.save", format!("{first}\n???\n"));
    let run_in = |arguments: &str| folder.run(&format!("simulate {arguments}"));
    let whats = "expected a saved run, as `giveway simulate --save-at` writes one";
    assert_eq!(error(&run_in("--resume small.map")), format!("small.map:1: {whats}"));
    assert_eq!(error(&run_in("--resume version.save")), "version.save:1: expected version 1, found 7");
    assert_eq!(error(&run_in("--resume letters.save")), "letters.save:2: expected a save in base64");
    assert_eq!(error(&run_in("--resume damaged.save")), "damaged.save:2: the save is damaged: its checksum differs");
    let cut = run_in("--resume cut.save");
    assert!(error(&cut).starts_with("cut.save:2: expected a save of ") && error(&cut).ends_with(" bytes, found 300"));
    assert_eq!(
        error(&run_in("--resume run.save --ticks 30")),
        "--ticks: expected more than 30, the ticks that the saved run has had, found 30"
    );
    assert_eq!(
        error(&run_in("--resume run.save --ticks 50 --save-at 50 x.save")),
        "--save-at: expected a tick from 0 to 49, found '50'"
    );
    assert_eq!(
        error(&run_in("--map small.map --scen small.scen --agents 3 --task once --save-at 900 x.save")),
        "--save-at: expected a tick of the run, found 900: the run has ended after 8 ticks"
    );
    assert!(run_in("--resume run.save --map small.map").stderr.contains("cannot be used with '--map <FILE>'"));
    assert!(
        error(&run_in("--resume run.save --save-at 45 run.save")).contains("expected another file than the file of"),
    );
}
