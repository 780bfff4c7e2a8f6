//! `simulate --hashes` and `--record`, and `giveway replay`.

use std::fs;

use crate::command_line::folder::{Folder, Run};

const LIFELONG: &str = "simulate --map small.map --scen small.scen --agents 3 --ticks 60 --seed 4";

/// The error, which must be one, with exit code 2 and nothing else printed.
fn error(run: &Run) -> &str {
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:#?}");
    run.stderr.strip_prefix("error: ").unwrap().trim_end()
}

#[test]
fn hashes_are_a_line_for_each_tick_and_equal_for_equal_runs() {
    let folder = Folder::small("hashes");
    let run = folder.run(&format!("{LIFELONG} --hashes one.txt --record one.rec"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.ends_with("Written: one.txt\nWritten: one.rec\n"), "{}", run.stdout);
    folder.run(&format!("{LIFELONG} --hashes two.txt --html view.html"));
    let hashes = folder.read("one.txt");
    assert_eq!(hashes, folder.read("two.txt"));
    for (tick, line) in hashes.lines().enumerate() {
        let (first, hash) = line.split_once(' ').unwrap();
        assert_eq!((first, hash.len()), (tick.to_string().as_str(), 16));
        assert!(folder.read("one.rec").contains(&format!("\"hash\":\"{hash}\"")));
    }
    assert_eq!(hashes.lines().count(), 60);
    let other = folder.run(&format!("{LIFELONG} --seed 5 --hashes -").replacen("--seed 4 ", "", 1));
    let differ = other.stdout.lines().zip(hashes.lines()).filter(|(one, other)| one != other).count();
    assert_eq!(differ, 60, "other goals: {}", other.stdout);
}

#[test]
fn a_recording_contains_all_that_its_replay_needs() {
    let mesh = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/navmesh/arena.mesh")).unwrap();
    let folder = Folder::small("replay")
        .with("arena.mesh", mesh)
        .with("a.png", super::maps::png())
        .with("w.toml", super::saved_runs::GATE)
        .with("yard.map", super::saved_runs::YARD)
        .with("agents.csv", "start_x,start_y,goal_x,goal_y\n5,5,40,40\n40,40,5,5\n");
    folder.run(&format!("{LIFELONG} --strategy dm --learned map.json"));
    for (name, command) in [
        ("plain", LIFELONG.to_owned()),
        ("a budget, with waits counted", format!("{LIFELONG} --budget 30 --csv ticks.csv")),
        ("a direction map", format!("{LIFELONG} --strategy dm --direction-map map.json --learned map.json")),
        ("routes", format!("{LIFELONG} --strategy lra --connectivity 8")),
        ("nearest, in random order", format!("{LIFELONG} --nearest --order random --task patrol")),
        ("settings", format!("{LIFELONG} --window 7 --interval 3 --at-once --wait-penalty --task once")),
        ("a picture", "simulate --map a.png --agents 4 --ticks 60".to_owned()),
        ("a world", "simulate --world w.toml --ticks 90".to_owned()),
        (
            "a mesh",
            "simulate --map arena.mesh --agents-file agents.csv --agents 2 --radius 0.4 --task patrol --ticks 60"
                .to_owned(),
        ),
    ] {
        goes_as_recorded(&folder, name, &command);
    }
    let folder = super::saved_runs::with_problem(Folder::new("replay_problem"));
    goes_as_recorded(&folder, "a problem", "simulate --problem small.json --ticks 60");
    goes_as_recorded(&folder, "without turning", "simulate --problem small.json --turning no --lanes yes --ticks 60");
}

/// Records the run of `command` in `folder`, and replays it elsewhere.
fn goes_as_recorded(folder: &Folder, name: &str, command: &str) {
    let run = folder.run(&format!("{command} --record run.rec"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{name}");
    // The replay reads nothing else.
    let elsewhere = folder.elsewhere().with("run.rec", folder.read("run.rec"));
    let replay = elsewhere.run("replay run.rec");
    assert_eq!((replay.code, replay.stderr.as_str()), (Some(0), ""), "{name}");
    assert!(replay.stdout.ends_with(" agents went as recorded.\n"), "{name}: {}", replay.stdout);
}

#[test]
fn a_flipped_order_is_found_at_its_tick() {
    let folder = Folder::small("replay_flipped");
    folder.run(&format!("{LIFELONG} --record run.rec"));
    let text = folder.read("run.rec");
    let lines: Vec<&str> = text.lines().collect();
    let is_order = |line: &&str| line.contains("{\"send\":{\"agent\":");
    let mut flipped = 0;
    for at in (1..lines.len()).filter(|at| is_order(&lines[*at])) {
        let line = lines[at];
        let order = &line[line.find("{\"send\":{\"agent\":").unwrap()..];
        let order = &order[..=order.find('}').unwrap()];
        let agent: u32 = order.split([':', ',']).nth(2).unwrap().parse().unwrap();
        // To its own place: an order that is never refused, unless another agent goes there.
        let other = format!("{{\"stop\":{{\"agent\":{agent}}}");
        let changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        let mut changed = changed;
        changed[at] = line.replacen(order, &other, 1);
        let run = folder.path("flipped.rec");
        fs::write(run, changed.join("\n")).unwrap();
        let replay = folder.run("replay flipped.rec");
        assert_eq!((replay.code, replay.stderr.as_str()), (Some(1), ""), "{}", changed[at]);
        let tick = at - 1;
        assert!(replay.stdout.starts_with(&format!("Tick {tick} went otherwise")), "{}", replay.stdout);
        let named = replay.stdout.lines().last().unwrap().strip_prefix("These of 3 agents differ: ").unwrap();
        assert!(named.trim_end_matches('.').split(", ").any(|name| name == agent.to_string()), "{}", replay.stdout);
        flipped += 1;
    }
    assert!(flipped > 5, "{flipped} orders");
    insta::assert_snapshot!(folder.run("replay run.rec").stdout, @"60 ticks of 3 agents went as recorded.");
}

#[test]
fn bad_recordings_get_clear_errors() {
    let folder = Folder::small("replay_bad");
    folder.run(&format!("{LIFELONG} --record run.rec"));
    let text = folder.read("run.rec");
    let (head, rest) = text.split_once('\n').unwrap();
    let refuse = |contents: String, expected: &str| {
        fs::write(folder.path("bad.rec"), contents).unwrap();
        let run = folder.run("replay bad.rec");
        assert_eq!(error(&run), expected);
    };
    refuse(String::new(), "bad.rec:1: expected a recording, as `giveway simulate --record` writes one");
    refuse("{}".to_owned(), "bad.rec:1: expected a recording, as `giveway simulate --record` writes one");
    refuse(text.replacen("\"version\":1", "\"version\":2", 1), "bad.rec:1: expected version 1, found 2");
    refuse(
        text.replacen("\"simulate\"", "\"solve\"", 1),
        "bad.rec:1: expected the arguments of `giveway simulate`, with a map, a world or a problem",
    );
    let arguments = &head[head.find("\"arguments\":[").unwrap()..head.find("],\"inputs\"").unwrap()];
    refuse(
        text.replacen(arguments, "\"arguments\":[\"simulate\",\"--resume\",\"run.save\"", 1),
        "bad.rec:1: expected the arguments of `giveway simulate`, with a map, a world or a problem",
    );
    refuse(
        text.replacen("{\"file\":\"small.map\"", "{\"file\":\"large.map\"", 1),
        "small.map: expected this input in the recording",
    );
    refuse(format!("{head}\n{{\"tick\":0}}\n"), "bad.rec:2:10: missing field `calls`");
    let hash = rest.split("\"hash\":\"").nth(1).unwrap().split('"').next().unwrap();
    let run = format!("{head}\n{}", rest.replacen(hash, "+00000000000000f", 1));
    fs::write(folder.path("bad.rec"), run).unwrap();
    assert!(error(&folder.run("replay bad.rec")).contains("expected a hash, 16 hexadecimal digits"));
    assert!(error(&folder.run("replay none.rec")).starts_with("none.rec: cannot be read: "));
    assert!(error(&folder.run("replay")).contains("required arguments were not provided"));
    let run = folder.run("simulate --resume x.save --record y.rec");
    assert!(error(&run).contains("cannot be used with"), "{run:#?}");

    // Cut off anywhere: the rest goes as recorded, or there is an error.
    for end in (0..text.len()).step_by(97) {
        fs::write(folder.path("bad.rec"), &text[..end]).unwrap();
        let run = folder.run("replay bad.rec");
        assert!(matches!(run.code, Some(0 | 2)), "{end}: {run:#?}");
    }
}
