//! `simulate --save-at` and `--resume`.

use std::fs;

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
