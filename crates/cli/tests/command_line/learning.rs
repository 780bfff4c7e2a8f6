//! Crowds that learn which way others go: what they learn is written, read, shown and drawn.

use crate::command_line::folder::{Folder, assert_asks_nothing_of_the_network};

/// Three units patrol: two along one row, against each other, and one along another.
const PATROL: &str = "simulate --map small.map --scen small.scen --agents 3 --task patrol --strategy dm";

/// These three, once.
const SOLVE: &str = "solve --map small.map --scen small.scen --agents 3 --strategy dm";

/// The snapshots of the flow in a player, as ticks.
fn snapshots(html: &str) -> Vec<u32> {
    let (_, flow) = html.split_once("\"snapshots\":[[").expect("there is a flow");
    let (flow, _) = flow.split_once("]]]").unwrap();
    flow.split("]],[").map(|snapshot| snapshot.split(',').next().unwrap().parse().unwrap()).collect()
}

#[test]
fn what_a_crowd_learns_is_written_and_shown() {
    let folder = Folder::small("learning");
    let run = folder.run(&format!("{PATROL} --ticks 40 --learned m.json --html a.html"));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.contains("by local repair"), "{run:#?}");
    assert!(run.stdout.contains("  cells, for routes, and states, each a cell and a tick\n"), "{run:#?}");
    assert!(run.stdout.ends_with("\n\nWritten: m.json\nWritten: a.html\n"), "{run:#?}");
    let learned = folder.read("m.json");
    assert!(learned.starts_with(
        "{\"format\":\"giveway-direction-map\",\"version\":1,\
         \"rules\":{\"rate\":0.4,\"neighbours\":0.0,\"ends\":\"both\",\"weight\":2.0,\"blank\":\"zero\"},\n"
    ));
    assert!(learned.lines().count() > 8, "{learned}");
    let html = folder.read("a.html");
    assert_asks_nothing_of_the_network(&html);
    assert!(html.contains("<title>3 agents on small by dm</title>"));
    assert_eq!(snapshots(&html), (0..=40).collect::<Vec<u32>>());
    // Without a picture, this command learns an equal map.
    assert_eq!(folder.run(&format!("{PATROL} --ticks 40 --learned again.json")).code, Some(0));
    assert_eq!(folder.read("again.json"), learned);
}

#[test]
fn a_player_has_at_most_fifty_snapshots_and_the_last_state() {
    let folder = Folder::small("learning_snapshots");
    for (ticks, every) in [(50, 1), (51, 2), (100, 2), (101, 4), (1000, 32)] {
        assert_eq!(folder.run(&format!("{PATROL} --ticks {ticks} --html a.html")).code, Some(0));
        let expected: Vec<u32> = (0..ticks).step_by(every).chain([ticks]).collect();
        assert_eq!(snapshots(&folder.read("a.html")), expected, "{ticks}");
        assert!(expected.len() <= 51);
    }
}

#[test]
fn a_crowd_goes_on_where_another_one_ended() {
    let folder = Folder::small("learning_on");
    assert_eq!(folder.run(&format!("{PATROL} --ticks 30 --learned m.json")).code, Some(0));
    let first = folder.read("m.json");
    // Into the same file, once it has been read.
    let on = format!("{PATROL} --ticks 30 --direction-map m.json --learned m.json");
    let run = folder.run(&on);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let second = folder.read("m.json");
    assert_ne!(first, second);
    // By windows, too: the map is a price, and goes on learning.
    let whca = on.replace("--strategy dm", "--strategy whca").replace("--learned m.json", "--learned n.json");
    let run = folder.run(&whca);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(!run.stdout.contains("by local repair"), "{run:#?}");
    assert_ne!(folder.read("n.json"), second);
    assert_eq!(folder.read("m.json"), second);
    // Rules are the file's.
    let heavy = first.replace("\"weight\":2.0", "\"weight\":0.0");
    let folder = folder.with("light.json", heavy);
    let run = folder.run(&format!("{PATROL} --ticks 30 --direction-map light.json --learned light.json"));
    assert_eq!(run.code, Some(0), "{run:#?}");
    assert!(folder.read("light.json").contains("\"weight\":0.0"));
}

#[test]
fn a_map_in_use_changes_where_a_crowd_goes() {
    // Two ways round, of which the upper one is shorter. The map says that others go along it the other way, and
    // nothing of the lower one.
    let map = "type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n";
    let scen = "version 1\n0\ta.map\t5\t3\t0\t0\t4\t0\t4\n";
    let folder = Folder::new("learning_detour").with("a.map", map).with("a.scen", scen);
    let simulate = "simulate --map a.map --scen a.scen --agents 1 --task once --json";
    let run = folder.run(&format!("{simulate} --strategy dm --weight 10 --learned m.json"));
    assert_eq!(run.json()["path_length"], 4);
    let against = [("\n[1,", "\n[1,-"), ("\n[2,", "\n[2,-"), ("\n[3,", "\n[3,-"), ("zero", "free")]
        .iter()
        .fold(folder.read("m.json"), |text, (old, new)| text.replace(old, new));
    let folder = folder.with("m.json", against);
    for strategy in ["dm", "whca"] {
        let run = folder.run(&format!("{simulate} --strategy {strategy} --direction-map m.json"));
        assert_eq!(run.json()["path_length"], 8, "{strategy}");
        let solve = format!("solve --map a.map --scen a.scen --agents 1 --strategy {strategy} --json");
        let run = folder.run(&format!("{solve} --direction-map m.json --learned n.json --html a.html"));
        assert_eq!((run.code, run.json()["sum_of_costs"].as_u64()), (Some(0), Some(8)), "{strategy}");
        assert_eq!(snapshots(&folder.read("a.html")), (0..=8).collect::<Vec<u32>>());
        assert_ne!(folder.read("n.json"), folder.read("m.json"));
        assert_eq!(folder.run(&solve).json()["sum_of_costs"], 4, "{strategy}");
        // At a weight that is given instead of the file's, it pays to go against the map.
        let light = folder.run(&format!("{solve} --direction-map m.json --weight 0.5 --learned light.json"));
        assert_eq!(light.json()["sum_of_costs"], 4, "{strategy}");
        assert!(folder.read("light.json").contains("\"weight\":0.5"));
    }
}

#[test]
fn a_blank_map_has_the_weight_that_is_given() {
    let folder = Folder::small("learning_weight");
    for (command, flags, weight) in
        [(PATROL, "--ticks 9 --weight 7.5", "7.5"), (SOLVE, "--weight 0", "0.0"), (SOLVE, "", "2.0")]
    {
        assert_eq!(folder.run(&format!("{command} {flags} --learned m.json")).code, Some(0));
        assert!(folder.read("m.json").contains(&format!("\"weight\":{weight},")), "{command} {flags}");
    }
    // In a comparison, too.
    let folder = Folder::new("learning_weights").with_benchmark("random-32-32-20");
    let compare =
        "compare --map random-32-32-20.map --scen random-32-32-20.scen --agents 60 --strategies dm --csv a.csv";
    let costs = |flags: &str| {
        assert_eq!(folder.run(&format!("{compare} {flags}")).code, Some(0));
        folder.read("a.csv").lines().nth(1).unwrap().split(',').nth(4).unwrap().to_owned()
    };
    let given = costs("");
    assert_eq!(given, costs("--weight 2"));
    assert_ne!(given, costs("--weight 10"));
}

#[test]
fn a_frozen_map_does_not_learn() {
    let folder = Folder::small("learning_frozen");
    assert_eq!(folder.run(&format!("{PATROL} --ticks 30 --learned m.json")).code, Some(0));
    for (frozen, changes) in [("--frozen", 0), ("", 30)] {
        let run = folder.run(&format!("{PATROL} --ticks 30 --direction-map m.json {frozen} --html a.html"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        let html = folder.read("a.html");
        let (_, flow) = html.split_once("\"snapshots\":[[").unwrap();
        let (flow, _) = flow.split_once("]]]").unwrap();
        // Each but the first says only what has changed.
        let changed = flow.split("]],[").skip(1).filter(|snapshot| !snapshot.ends_with(",[")).count();
        assert_eq!(changed, changes, "{frozen}");
    }
}

#[test]
fn followers_solve_what_repairs_alone_do_not() {
    let folder = Folder::new("learning_solve").with_benchmark("random-32-32-20");
    let solve = "solve --map random-32-32-20.map --scen random-32-32-20.scen --agents 60 --json --out plan.txt";
    assert_eq!(folder.run(&format!("{solve} --strategy dm")).code, Some(0));
    let run = folder.run("check --map random-32-32-20.map --scen random-32-32-20.scen --plan plan.txt");
    assert_eq!(run.code, Some(0), "{run:#?}");
    let compare =
        "compare --map random-32-32-20.map --scen random-32-32-20.scen --agents 60 --strategies lra,dm --max-ticks 400";
    let table = folder.run(compare).stdout;
    let solved = |name: &str| table.lines().find(|line| line.trim_start().starts_with(name)).unwrap().contains("1/1");
    assert_eq!((solved("lra"), solved("dm")), (false, true), "{table}");
}

/// Who knows only how far it is, and not what it costs to get there, rather waits at the end of its window than pays.
#[test]
fn units_that_plan_by_windows_know_what_lies_ahead() {
    let folder = Folder::new("learning_ahead").with_benchmark("random-32-32-20");
    let patrol =
        "simulate --map random-32-32-20.map --scen random-32-32-20.scen --agents 40 --task patrol --ticks 200 --json";
    assert_eq!(folder.run(&format!("{patrol} --strategy dm --learned m.json")).code, Some(0));
    let arrivals = |flags: &str| folder.run(&format!("{patrol} {flags}")).json()["arrivals"].as_u64().unwrap();
    let (without, under) = (arrivals("--strategy whca"), arrivals("--strategy whca --direction-map m.json"));
    assert!(3 * under > 2 * without, "{under} arrivals under the map, {without} without");
    // The price of blanks, too.
    let learned = folder.read("m.json");
    let (head, _) = learned.split_once("[\n").unwrap();
    let folder = folder.with("blank.json", format!("{head}[]}}"));
    let blank = folder.run(&format!("{patrol} --strategy whca --direction-map blank.json --weight 10"));
    let blank = blank.json()["arrivals"].as_u64().unwrap();
    assert!(3 * blank > 2 * without, "{blank} arrivals under a blank map, {without} without");
}

#[test]
fn a_direction_map_is_drawn_as_arrows() {
    let folder = Folder::small("learning_drawn");
    assert_eq!(folder.run(&format!("{PATROL} --ticks 40 --learned m.json")).code, Some(0));
    let run = folder.run(&format!("{PATROL} --ticks 9 --direction-map m.json --frozen"));
    assert!(run.stdout.contains("  coherence                  0.266  of the direction map"), "{run:#?}");
    let coherence = folder.run(&format!("{PATROL} --ticks 40 --json")).json()["coherence"].as_f64().unwrap();
    assert_eq!(format!("{coherence:.3}"), "0.266");
    let run = folder.run("draw --map small.map --direction-map m.json --svg m.svg");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout, @"
    Drawn: 12 places with a direction, coherence 0.266
    Written: m.svg
    ");
    let svg = folder.read("m.svg");
    assert!(svg.starts_with("<svg") && svg.contains("Which way units go on small"), "{svg}");
    // Nothing has been learned: nothing to take the mean of.
    let learned = folder.read("m.json");
    let (head, _) = learned.split_once("[\n").unwrap();
    let folder = folder.with("blank.json", format!("{head}[]}}"));
    let run = folder.run("draw --map small.map --direction-map blank.json --svg m.svg");
    assert_eq!(run.stdout, "Drawn: 0 places with a direction\nWritten: m.svg\n");
    assert_ne!(folder.read("m.svg"), svg);
}

#[test]
fn what_is_no_direction_map_of_this_map_is_refused() {
    let folder = Folder::small("learning_refused").with("bay.map", crate::command_line::folder::BAY_MAP);
    let folder = folder.with("open.map", "type octile\nheight 3\nwidth 5\nmap\n.....\n.....\n.....\n");
    assert_eq!(folder.run(&format!("{PATROL} --ticks 9 --learned m.json --trace t.json")).code, Some(0));
    let learned = folder.read("m.json");
    let folder = folder.with("torn.json", learned.replace("\"nodes\":15", "\"nodes\":0"));
    let files = folder.names();
    for (arguments, message) in [
        (
            "draw --map bay.map --direction-map m.json --svg a.svg".to_owned(),
            "m.json: learned in another space: of 15 nodes with the fingerprint",
        ),
        (
            PATROL.replace("small.map", "open.map") + " --direction-map m.json --csv a.csv",
            "; it was learned on another map, or with another --connectivity\n",
        ),
        (
            format!("{PATROL} --direction-map t.json --csv a.csv"),
            "t.json: expected a direction map as JSON, found a trace as JSON",
        ),
        (
            format!("{PATROL} --direction-map small.map"),
            "small.map: expected a direction map as JSON, found a Moving AI map",
        ),
        (
            "draw --map m.json --direction-map m.json --svg a.svg".to_owned(),
            "m.json: expected a Moving AI map, found a direction map as JSON",
        ),
        (
            "draw --map small.map --direction-map torn.json --svg a.svg".to_owned(),
            "torn.json:3:1: direction 0: expected one of 0 nodes, found 0",
        ),
        (format!("{PATROL} --direction-map none.json"), "none.json: cannot be read"),
        (
            format!("{PATROL} --direction-map m.json --csv m.json"),
            "m.json: expected another file than the file of --direction-map",
        ),
        (format!("{PATROL} --learned a.json --csv a.json"), "a.json: expected another file than the file of --learned"),
        (
            PATROL.replace("dm", "lra") + " --direction-map m.json",
            "--direction-map does nothing with --strategy lra: only dm and whca follow others",
        ),
        (
            PATROL.replace("dm", "lra") + " --weight 1",
            "--weight does nothing with --strategy lra: only dm and whca follow others",
        ),
        (SOLVE.replace("dm", "hca") + " --frozen", "--frozen does nothing with --strategy hca: only dm and whca"),
        (
            PATROL.replace("dm", "whca") + " --weight 1",
            "--weight does nothing with --strategy whca, unless it begins with a --direction-map",
        ),
        (PATROL.replace("dm", "whca") + " --learned a.json", "--learned does nothing with --strategy whca, unless"),
        (format!("{PATROL} --frozen"), "--frozen does nothing without a --direction-map"),
        (
            format!("{PATROL} --direction-map m.json --frozen --learned a.json"),
            "--learned does nothing with --frozen, where nothing is learned",
        ),
        (format!("{PATROL} --weight=-1"), "expected a number of steps from 0 to 1000000"),
        (
            "compare --map small.map --scen small.scen --agents 3 --weight 1".to_owned(),
            "--weight does nothing without dm among the --strategies",
        ),
        (
            "draw --map small.map --direction-map m.json --html a.html".to_owned(),
            "'--direction-map <FILE>' cannot be used with '--html <FILE>'",
        ),
        (
            "draw --map small.map --direction-map m.json --svg m.json".to_owned(),
            "m.json: expected another file than the file of --direction-map",
        ),
    ] {
        let run = folder.run(&arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{arguments}: {run:#?}");
        assert!(run.stderr.contains(message), "{arguments}: {run:#?}");
        assert_eq!(folder.names(), files, "{arguments}");
    }
}
