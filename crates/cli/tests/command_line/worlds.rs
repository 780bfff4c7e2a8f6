//! Worlds in one file: solved, run, compared, drawn and replayed; and the examples that are checked in.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::maps::{ROWS, dot_map, png, tmx};
use crate::command_line::folder::{Folder, Run};

/// Eight agents whose ways cross, as a table and as entries of a world.
const AGENTS: [[u32; 4]; 8] =
    [[0, 0, 7, 4], [7, 4, 0, 0], [3, 0, 3, 4], [3, 4, 3, 0], [0, 4, 7, 0], [7, 0, 0, 4], [4, 2, 0, 2], [0, 2, 4, 2]];

fn table() -> String {
    let rows = AGENTS.iter().map(|[a, b, c, d]| format!("{a},{b},{c},{d}\n"));
    format!("start_x,start_y,goal_x,goal_y\n{}", rows.collect::<String>())
}

fn entries() -> String {
    let of = |[a, b, c, d]: [u32; 4]| format!("[[agents]]\nclass = \"dot\"\nstart = [{a}, {b}]\ngoal = [{c}, {d}]\n");
    AGENTS.map(of).concat()
}

fn world(map: &str, class: &str) -> String {
    format!("[[map]]\n{map}\n[[class]]\nname = \"dot\"\n{class}\n{}", entries())
}

/// The folder with the examples.
fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/worlds")
}

fn write(folder: &Folder, world: impl AsRef<[u8]>) {
    std::fs::write(folder.path("w.toml"), world).unwrap();
}

fn fails_with(run: &Run, error: &str) {
    assert_eq!((run.code, run.stderr.as_str()), (Some(2), error), "{run:#?}");
}

fn json(run: &Run) -> Value {
    assert_eq!(run.code, Some(0), "{run:#?}");
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn a_grid_in_a_world_is_planned_as_on_its_own() {
    let folder = Folder::new("worlds_grid").with("a.map", dot_map()).with("agents.csv", table());
    for (neighbours, connectivity) in [("", ""), ("neighbours = 8", "--connectivity 8")] {
        write(&folder, world(&format!("file = \"a.map\"\n{neighbours}"), ""));
        for strategy in ["hca", "ca", "whca", "lra", "hca --order random --seed 3"] {
            let on = |instance: &str| {
                folder.run(&format!("solve {instance} --strategy {strategy} --out p.txt --json"));
                folder.read("p.txt")
            };
            let alone = on(&format!("--map a.map --agents-file agents.csv {connectivity}"));
            assert!(alone.contains("map_file=a.map\n") && alone.lines().count() > 12, "{alone}");
            assert_eq!(on("--world w.toml"), alone, "{strategy} {connectivity}");
        }
        let check = folder.run(&format!("check --map a.map --plan p.txt {connectivity}"));
        assert_eq!(check.code, Some(0), "{check:#?}");
    }
}

#[test]
fn one_map_in_every_form_gives_one_plan_in_a_world() {
    let folder = Folder::new("worlds_forms")
        .with("a.map", dot_map())
        .with("a.png", png())
        .with("a.tmx", tmx("orientation=\"orthogonal\"", "walls"));
    let cells = ROWS.join("\n");
    let plan = |map: &str| {
        write(&folder, world(map, ""));
        let run = folder.run("solve --world w.toml --out p.txt");
        assert_eq!(run.code, Some(0), "{map}: {run:#?}");
        folder.read("p.txt").lines().filter(|line| !line.starts_with("map_file=")).collect::<Vec<_>>().join("\n")
    };
    let first = plan("file = \"a.map\"");
    for map in ["file = \"a.png\"", "file = \"a.tmx\"", &format!("cells = '''\n{cells}\n'''")] {
        assert_eq!(plan(map), first, "{map}");
    }
}

#[test]
fn classes_of_all_kinds_run_without_conflict() {
    let graph = r#"{"directed": false, "nodes": [{"id": 0, "x": 0, "y": 0}, {"id": 1, "x": 16, "y": 0},
        {"id": 2, "x": 16, "y": 12}, {"id": 3, "x": 0, "y": 12}], "edges": [{"source": 0, "target": 1},
        {"source": 1, "target": 2}, {"source": 2, "target": 3}, {"source": 3, "target": 0}]}"#;
    let arena = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/navmesh/arena.mesh")).unwrap();
    let folder = Folder::new("worlds_kinds")
        .with("a.map", dot_map())
        .with("hex.tmx", tmx("orientation=\"hexagonal\" staggeraxis=\"y\" staggerindex=\"odd\"", "walls"))
        .with("one.tmx", tmx("orientation=\"orthogonal\"", "walls"))
        .with("roads.json", graph)
        .with("arena.mesh", arena);
    let open = "cells = '''\n.........\n.........\n.........\n.........\n.........\n.........\n'''";
    // Maps and classes, each class with so many agents.
    let rows: [(&str, &[(&str, u32)]); 14] = [
        ("file = \"a.map\"", &[("", 6)]),
        ("file = \"a.map\"\nneighbours = 8\noffset = [3, 2]", &[("", 6), ("priority = 1", 2)]),
        ("file = \"a.map\"\noffset = [-3, 0.5]", &[("", 6)]),
        ("file = \"a.map\"", &[("", 4), ("speed = 0.5", 3)]),
        (
            "file = \"a.map\"\nneighbours = 8",
            &[("shape = { disc = 0.4 }", 4), ("shape = { square = 1 }\nspeed = 0.5", 3)],
        ),
        ("file = \"a.map\"\noffset = [-3, 0.25]", &[("shape = { disc = 0.4 }", 4)]),
        (
            open,
            &[
                ("shape = { rectangle = [1.6, 0.8] }\nturning = { radius = 1, pivoting = 4 }", 2),
                ("shape = { disc = 0.3 }", 4),
            ],
        ),
        ("file = \"hex.tmx\"", &[("", 5)]),
        ("file = \"hex.tmx\"\noffset = [10, 4]", &[("shape = { disc = 0.35 }", 2)]),
        ("file = \"one.tmx\"\nwalls = \"none\"", &[("strategy = \"lra\"", 4), ("strategy = \"whca\"", 4)]),
        ("file = \"roads.json\"", &[("speed = 2", 2)]),
        (
            "file = \"roads.json\"\nroads = { spacing = 3, lane = 2, setback = 3 }",
            &[("shape = { rectangle = [2, 1] }", 5)],
        ),
        ("file = \"arena.mesh\"", &[("shape = { disc = 0.5 }", 8), ("shape = { disc = 0.9 }\nspeed = 0.5", 4)]),
        ("file = \"arena.mesh\"\noffset = [5, 7]\nfloor = 2", &[("shape = { disc = 0.6 }", 6)]),
    ];
    for (map, classes) in rows {
        let classes = classes.iter().enumerate().map(|(number, (class, count))| {
            format!("[[class]]\nname = \"c{number}\"\n{class}\n[[agents]]\nclass = \"c{number}\"\ncount = {count}\n")
        });
        let text = format!("[[map]]\n{map}\n{}", classes.collect::<String>());
        write(&folder, &text);
        let run = json(&folder.run("simulate --world w.toml --ticks 600 --trace t.json --html t.html --json"));
        assert!(run["arrivals"].as_u64().unwrap() > 3, "{text}: {run}");
        assert_eq!(run["conflicts"], 0, "{text}");
        if text.contains("shape") {
            let check = folder.run("check --trace t.json");
            assert_eq!(check.code, Some(0), "{text}: {check:#?}");
        }
        let check = folder.run("check --world w.toml --trace t.json");
        assert!(check.code == Some(0) && !check.stdout.contains("note"), "{text}: {check:#?}");
        // An agent that stays at its goal may close the way of another.
        let solved = folder.run("solve --world w.toml --strategy whca --json");
        assert!(solved.code.is_some_and(|code| code < 2), "{text}: {solved:#?}");
        let solved: Value = serde_json::from_str(&solved.stdout).unwrap();
        let costs = solved["sum_of_costs"].as_u64();
        assert!(costs.is_none() || costs >= solved["sum_of_costs_lower_bound"].as_u64(), "{solved}");
        let drawn = folder.run("draw --world w.toml --trace t.json --svg t.svg");
        assert_eq!(drawn.code, Some(0), "{text}: {drawn:#?}");
    }
}

/// Two floors of a corridor each, with a lift at the left and stairs at the right.
const HOUSE: &str = "\
floor_height = 4\n[[map]]\nname = 'low'\ncells = '''\n........\n........\n'''\n[[map]]\nname = 'high'\nfloor = 1\ncells = '''\n........\n........\n'''\n\
[[class]]\nname = 'a'\nSHAPE\n[[link]]\nkind = 'lift'\nfrom = [0, 0]\nto = [0, 0, 1]\nduration = 6\nLIFT\n\
[[link]]\nkind = 'stairs'\nfrom = [7, 0]\nto = [4, 0, 1]\nplaces = 0\none_way = true\n\
[[agents]]\nclass = 'a'\nstart = [1, 0]\ngoal = [1, 0, 1]\n";

#[test]
fn links_take_their_time() {
    // A step to the lift, six in it, and a step. By the stairs: six steps, five on the stairs, and three.
    for (shape, lift, steps) in [
        ("", "", 8.0),
        ("shape = { disc = 0.3 }", "", 8.0),
        ("shape = { disc = 0.3 }\nspeed = 2", "", 7.0),
        ("", "classes = []", 14.0),
        ("speed = 2", "classes = []", 7.0),
        ("shape = { disc = 0.3 }", "classes = []", 14.0),
    ] {
        let text = HOUSE.replace("SHAPE", shape).replace("LIFT", lift);
        let folder = Folder::new("worlds_links").with("w.toml", text.as_str());
        let solved = json(&folder.run("solve --world w.toml --trace t.json --html t.html --svg t.svg --json"));
        let trace: Value = serde_json::from_str(&folder.read("t.json")).unwrap();
        let ticks = trace["ticks_per_step"].as_f64().unwrap();
        let taken = solved["makespan"].as_f64().unwrap() / ticks;
        assert!((taken - steps).abs() < 0.2, "{text}: {taken} steps");
        let jumps = trace["agents"][0]["moves"].as_array().unwrap().iter().filter(|step| step.get("course").is_some());
        assert_eq!(jumps.count(), usize::from(lift.is_empty()), "{text}");
    }
}

#[test]
fn a_lift_carries_one_at_a_time() {
    for shape in ["", "shape = { disc = 0.3 }"] {
        let more = "[[agents]]\nclass = 'a'\nstart = [2, 0]\ngoal = [2, 0, 1]\n[[agents]]\nclass = 'a'\nstart = [3, 0, 1]\ngoal = [3, 0]\n";
        let text = HOUSE.replace("SHAPE", shape).replace("LIFT", "") + more;
        let folder = Folder::new("worlds_lift").with("w.toml", text.as_str());
        let run = folder.run("solve --world w.toml --strategy whca --trace t.json --json");
        assert_eq!(json(&run)["solved"], true);
        let trace: Value = serde_json::from_str(&folder.read("t.json")).unwrap();
        let rides = trace["agents"].as_array().unwrap().iter().flat_map(|agent| agent["moves"].as_array().unwrap());
        let mut rides: Vec<[u64; 2]> = rides
            .filter(|step| step.get("course").is_some())
            .map(|step| ["depart", "arrive"].map(|key| step[key].as_u64().unwrap()))
            .collect();
        rides.sort_unstable();
        assert!(!rides.is_empty() && rides.windows(2).all(|two| two[0][1] <= two[1][0]), "{rides:?}");
    }
}

/// A corridor with a door, and a way round that is six steps longer.
const DOOR: &str = "[[map]]\ncells = '''\n.........\n.###.###.\n.###.###.\n.........\n'''\n[[class]]\nname = 'a'\nSHAPE\n\
[[agents]]\nclass = 'a'\nname = 'one'\nstart = [4, 3]\ngoal = [4, 0]\n\
[[area]]\nname = 'door'\nrectangle = [[3.5, 0.5], [4.5, 2.5]]\nTIMES\n";

#[test]
fn areas_close_and_open_at_their_ticks() {
    for shape in ["", "shape = { disc = 0.3 }"] {
        // Open, closed for good, and closed when the agent is inside: it gets out first.
        for (times, steps) in [("", 3.0), ("closes = [0]", 11.0), ("closes = [1]\nopens = [900]", 3.0)] {
            let text = DOOR.replace("SHAPE", shape).replace("TIMES", times);
            let folder = Folder::new("worlds_areas").with("w.toml", text.as_str());
            let run = folder.run("solve --world w.toml --strategy whca --trace t.json --html t.html --json");
            let trace: Value = serde_json::from_str(&folder.read("t.json")).unwrap();
            let ticks = trace["ticks_per_step"].as_f64().unwrap();
            let solved = json(&run);
            let taken = solved["makespan"].as_f64().unwrap() / ticks;
            assert!((taken - steps).abs() < 1.01, "{text}: {taken} steps");
            assert_eq!(solved["conflicts"], 0);
        }
    }
    // Hca plans for a world that stays as it is.
    let text = DOOR.replace("SHAPE", "").replace("TIMES", "closes = [0]");
    let folder = Folder::new("worlds_areas_hca").with("w.toml", text.as_str());
    let error = "error: --strategy hca plans one class of agents, without a strategy in the file, in a world that does not change: choose whca or lra\n";
    fails_with(&folder.run("solve --world w.toml --strategy hca"), error);
}

#[test]
fn agents_get_orders_at_their_ticks() {
    for shape in ["", "shape = { disc = 0.3 }"] {
        let orders = "[[order]]\ntick = 2\nagent = 'one'\ngoal = [8, 3]\n[[order]]\ntick = 400\nagent = 'one'\n";
        let text = DOOR.replace("SHAPE", shape).replace("TIMES", "") + orders;
        let folder = Folder::new("worlds_orders").with("w.toml", text.as_str());
        let run = folder.run("simulate --world w.toml --ticks 1000 --trace t.json --json");
        assert_eq!(json(&run)["conflicts"], 0);
        let trace: Value = serde_json::from_str(&folder.read("t.json")).unwrap();
        let agent = &trace["agents"][0];
        let ticks: Vec<_> = agent["orders"].as_array().unwrap().iter().map(|order| order["tick"].clone()).collect();
        assert_eq!(ticks, [2, 400]);
        let last = agent["moves"].as_array().unwrap().last().unwrap();
        assert_eq!(last["to"]["position"], serde_json::json!([8.0, 3.0, 0.0]));
    }
}

#[test]
fn strategies_are_compared_in_a_world() {
    let folder = Folder::new("worlds_compare").with("a.map", dot_map()).with("w.toml", world("file = \"a.map\"", ""));
    let alone = folder.run("compare --world w.toml --csv r.csv");
    assert_eq!(alone.code, Some(0), "{alone:#?}");
    let rows: Vec<String> = folder.read("r.csv").lines().map(str::to_owned).collect();
    assert!(rows[1].starts_with("w,hca,8,true,") && rows[2].starts_with("w,whca,8,true,"), "{rows:?}");
    let two = world("file = \"a.map\"", "") + "[[class]]\nname = \"b\"\n[[agents]]\nclass = \"b\"\ncount = 2\n";
    let folder = folder.with("v.toml", two.as_str());
    let several = folder.run("compare --world v.toml --csv r.csv");
    assert_eq!(several.code, Some(0), "{several:#?}");
    assert!(folder.read("r.csv").lines().nth(1).unwrap().starts_with("v,whca,10,true,"));
    let error = "error: hca plans one class of agents, without a strategy in the file, in a world that does not change: choose whca or lra\n";
    fails_with(&folder.run("compare --world v.toml --strategies hca"), error);
}

/// A corridor of three lanes, in which two crowds go in opposite directions.
const CORRIDOR: &str = "[[map]]\ncells = '''\n................\n................\n................\n'''\n\
[[area]]\nname = 'left'\nrectangle = [[-0.5, -0.5], [2.5, 2.5]]\n[[area]]\nname = 'right'\nrectangle = [[12.5, -0.5], [15.5, 2.5]]\n\
[[class]]\nname = 'a'\nstrategy = 'dm'\nSHAPE\n\
[[agents]]\nclass = 'a'\ncount = 3\nfrom = ['left']\nto = ['left', 'right']\n\
[[agents]]\nclass = 'a'\ncount = 3\nfrom = ['right']\nto = ['left', 'right']\n";

#[test]
fn classes_learn_direction_maps() {
    for shape in ["", "shape = { disc = 0.4 }"] {
        let text = CORRIDOR.replace("SHAPE", shape);
        let other = "[[class]]\nname = 'b'\nSHAPE\n[[agents]]\nclass = 'b'\ncount = 2\n".replace("SHAPE", shape);
        for (text, is_alone) in [(text.clone(), true), (text + &other, false)] {
            let folder = Folder::new("worlds_dm").with("w.toml", text.as_str());
            let run = |text: &str| {
                write(&folder, text);
                let run =
                    json(&folder.run("simulate --world w.toml --ticks 2000 --trace t.json --record r.rec --json"));
                assert_eq!(run["conflicts"], 0);
                assert!(run["arrivals"].as_u64().unwrap() > 50, "{run}");
                let check = folder.run("check --world w.toml --trace t.json");
                assert_eq!(check.code, Some(0), "{check:#?}");
                let replay = folder.run("replay r.rec");
                assert_eq!(replay.code, Some(0), "{replay:#?}");
                folder.read("t.json")
            };
            let learned = run(&text);
            // It learns: other strategies go otherwise.
            assert!(run(&text.replace("strategy = 'dm'", "")) != learned && run(&text) == learned);
            let solved = folder.run("solve --world w.toml --json");
            assert!(solved.code.is_some_and(|code| code < 2), "{solved:#?}");
            let error = if is_alone { "class of agents, without a strategy in the file" } else { "class of agents" };
            let refused = folder.run("solve --world w.toml --strategy hca");
            assert!(refused.code == Some(2) && refused.stderr.contains(error), "{refused:#?}");
        }
    }
}

/// Carts on cells, and walkers on a mesh over them.
const SIDES: &str = "[sides]\ntown = { weight = 0.5, neighbours = 0.1LEARNED }\nothers = {}\n\
[[map]]\nname = 'field'\ncells = '''\n....................\n....................\n....................\n\
....................\n....................\n....................\n'''\n\
[[map]]\nname = 'park'\nvertices = [[-0.5, -0.5], [19.5, -0.5], [19.5, 5.5], [-0.5, 5.5]]\npolygons = [[0, 1, 2, 3]]\n\
[[class]]\nname = 'cart'\non = ['field']\nshape = { square = 2 }\nspeed = 0.5\nFIRST\n\
[[class]]\nname = 'walker'\non = ['park']\nshape = { disc = 0.3 }\nSECOND\n\
[[agents]]\nclass = 'cart'\ncount = 3\n[[agents]]\nclass = 'walker'\ncount = 5\n";

#[test]
fn classes_of_a_side_learn_together() {
    let folder = Folder::new("worlds_sides");
    let text = |first: &str, second: &str| {
        let side = |name: &str| if name.is_empty() { String::new() } else { format!("side = '{name}'") };
        SIDES.replace("FIRST", &side(first)).replace("SECOND", &side(second)).replace("LEARNED", "")
    };
    let run = |text: &str, more: &str| {
        write(&folder, text);
        let run = json(&folder.run(&format!("simulate --world w.toml --ticks 300 --trace t.json --json {more}")));
        assert_eq!(run["conflicts"], 0);
        assert!(run["arrivals"].as_u64().unwrap() > 5, "{run}");
        folder.read("t.json")
    };
    let together = text("town", "town").replace("others = {}\n", "");
    let runs = [
        run(&together, "--learned l.json --record r.rec --save-at 150 s.save --hashes all.txt"),
        run(&text("town", "others").replace("others = {}", "others = { weight = 0.5, neighbours = 0.1 }"), ""),
        run(&text("", ""), ""),
    ];
    assert!(runs[0] != runs[1] && runs[1] != runs[2] && runs[0] != runs[2]);
    // A saved run goes on with what was learned, and a recording goes as it was.
    let learned = folder.read("l.json");
    assert!(learned.contains("giveway-world-direction-map"));
    let resumed = folder.run("simulate --resume s.save --ticks 300 --hashes rest.txt --learned again.json --json");
    assert_eq!((resumed.code, resumed.stderr.as_str()), (Some(0), ""));
    assert!(folder.read("all.txt").ends_with(&folder.read("rest.txt")));
    assert_eq!(folder.read("again.json"), learned);
    assert_eq!(folder.run("replay r.rec").code, Some(0));
    // A later crowd begins with it.
    let rules = "weight = 0.5, neighbours = 0.1";
    let later = together.replace(rules, "learned = 'l.json'");
    assert_ne!(run(&later, ""), runs[0]);
    for (text, more, error) in [
        (
            text("", ""),
            "--learned l.json",
            "error: --learned writes what the one side of a world has learned, and this one has 2 sides\n",
        ),
        (
            text("", "").replace("others = {}", ""),
            "--learned l.json",
            "error: --learned writes what the one side of a world has learned, and this one has no class on its side\n",
        ),
        (together.clone(), "--weight 2", "error: --weight does nothing in a world: its sides say what moves cost\n"),
        (text("twon", ""), "", "error: w.toml:23:8: expected the name of a side, found \"twon\": is \"town\" meant?\n"),
        (
            together.replace("weight = 0.5", "weight = -1"),
            "",
            "error: w.toml:2:19: expected a weight in steps from 0 to 1000000, found -1\n",
        ),
        (
            together.replace("0.1", "0.1, learned = 'l.json'"),
            "",
            "error: w.toml:2:19: expected the rules of a direction map that was learned, found other rules\n",
        ),
        (later.replace("'l.json'", "'l.json', cell = 2"), "", "error: l.json: learned in another space: of "),
        (
            later.replace("l.json", "../l.json"),
            "",
            "error: w.toml:2:20: expected a file in the folder \".\", found \"../l.json\"\n",
        ),
        (
            together.replace("weight = 0.5", "cell = 0.001"),
            "",
            "error: w.toml:2:17: expected a raster of at most 65,536 columns, rows and levels, and at most 2^26 cells\n",
        ),
    ] {
        write(&folder, &text);
        let run = folder.run(&format!("simulate --world w.toml --ticks 10 {more}"));
        assert!(run.code == Some(2) && run.stderr.starts_with(error), "{error}{run:#?}");
    }
}

#[test]
fn places_have_names() {
    let text = "[[map]]\nnodes = { home = [0, 0], corner = [4, 0], shop = [4, 3] }\nedges = [['home', 'corner'], ['corner', 'shop']]\n\
                offset = [10, 0]\n[places]\nmarket = [14, 3]\n[[class]]\nname = 'a'\n\
                [[agents]]\nclass = 'a'\nname = 'anna'\nstart = 'home'\ngoal = 'shop'\n";
    let folder = Folder::new("worlds_names").with("w.toml", text);
    let positions = text.replace("start = 'home'", "start = [10, 0]").replace("goal = 'shop'", "goal = [14, 3]");
    let by_market = text.replace("goal = 'shop'", "goal = 'market'");
    let run = |text: &str| {
        write(&folder, text);
        let run = folder.run("solve --world w.toml --trace t.json");
        assert_eq!(run.code, Some(0), "{run:#?}");
        folder.read("t.json")
    };
    assert!(run(text) == run(&positions) && run(text) == run(&by_market));
    let far = by_market.replace("[14, 3]", "[90, 3]");
    for (text, error) in [
        (text.replace("'shop'\n", "'shp'\n"), "expected the name of a place, found \"shp\": is \"shop\" meant?"),
        (far, "expected a goal at most 1 from a place where an agent of class \"a\" fits, found \"market\""),
    ] {
        write(&folder, &text);
        fails_with(&folder.run("solve --world w.toml"), &format!("error: w.toml:13:8: {error}\n"));
    }
}

#[test]
fn a_run_in_a_world_is_replayed() {
    let text = DOOR.replace("SHAPE", "shape = { disc = 0.3 }").replace("TIMES", "closes = [20]\nopens = [60]");
    let text = text + "[[agents]]\nclass = 'a'\ncount = 3\n";
    let folder = Folder::new("worlds_replay").with("w.toml", text.as_str());
    let run = folder.run("simulate --world w.toml --ticks 200 --record r.rec");
    assert_eq!(run.code, Some(0), "{run:#?}");
    // All comes from the recording.
    let folder = folder.with("w.toml", "nothing");
    let replay = folder.run("replay r.rec");
    assert_eq!(replay.stdout, "200 ticks of 4 agents went as recorded.\n", "{replay:#?}");
}

#[test]
fn what_cannot_be_is_said_with_its_place() {
    let arena = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/navmesh/arena.mesh")).unwrap();
    let folder = Folder::new("worlds_errors").with("a.map", dot_map()).with("arena.mesh", arena);
    let base = "[[map]]\nfile = \"a.map\"\n[[class]]\nname = \"a\"\n";
    let rows: [(String, &str); 18] = [
        (format!("{base}strategy = \"dm\"\nspeed = 0.5\n"), "w.toml:5:12: expected a side, or a class on one map of square cells, without links, for the strategy dm, found links, a speed, or an offset"),
        ("[[map]]\nfile = \"arena.mesh\"\n[[class]]\nname = \"a\"\nshape = { disc = 0.5 }\nstrategy = \"dm\"\n".to_owned(), "w.toml:6:12: expected a side, or a class on one map of square cells, without links, for the strategy dm, found a navigation mesh"),
        (format!("{base}neighbours = 8\nshape = {{ rectangle = [0.8, 0.4] }}\nturning = {{ pivoting = 2 }}\nstrategy = \"dm\"\n").replace("[[class]]\nname = \"a\"\nneighbours = 8\n", "neighbours = 8\n[[class]]\nname = \"a\"\n"), "w.toml:8:12: expected a side, or a class on one map of square cells, without links, for the strategy dm, found a class that turns"),
        (base.to_owned(), "w.toml:5:1: expected at least one of [[agents]], found none"),
        (format!("{base}[[agents]]\nclass = \"a\"\ncount = 40"), "w.toml:7:9: expected room for 40 agents of class \"a\", found room for 32"),
        (format!("{base}[[agents]]\nclass = \"a\"\nstart = [3, 9]\n"), "w.toml:7:9: expected a start at most 1 from a place where an agent of class \"a\" fits, found (3,9)"),
        (format!("{base}[[agents]]\nclass = \"a\"\nstart = [3, 0]\n[[agents]]\nclass = \"a\"\nstart = [3, 0]\n"), "w.toml:10:9: expected a start beside the starts of others: no two agents hold one cell of the ground, or one node, found (3,0)"),
        (format!("{base}shape = {{ disc = 9 }}\n[[agents]]\nclass = \"a\"\ncount = 1\n"), "w.toml:3:1: class \"a\": "),
        (format!("{base}shape = {{ disc = -1 }}\n[[agents]]\nclass = \"a\"\ncount = 1\n"), "w.toml:5:9: "),
        (format!("{base}turning = {{ radius = 2 }}\n[[agents]]\nclass = \"a\"\ncount = 1\n"), "w.toml:5:11: expected a shape of a class that turns, as { rectangle = [1.8, 0.9] }, found points"),
        (format!("{base}[[class]]\nname = \"b\"\nshape = {{ disc = 0.3 }}\n[[agents]]\nclass = \"a\"\ncount = 1\n"), "w.toml:3:1: expected a shape, as class \"b\" has one: { disc = 0.2 } is small, found a class of points"),
        ("[[map]]\nfile = \"arena.mesh\"\n[[class]]\nname = \"a\"\n[[agents]]\nclass = \"a\"\ncount = 1\n".to_owned(), "w.toml:3:1: expected a shape, as { disc = 0.3 }, for agents on a navigation mesh, found points"),
        ("[[map]]\nfile = \"arena.mesh\"\n[[class]]\nname = \"a\"\nshape = { rectangle = [2, 1] }\nturning = { radius = 2 }\n".to_owned(), "w.toml:6:11: expected a class that turns on one map of cells, without links, found a navigation mesh"),
        ("[[map]]\nfile = \"a.map\"\nroads = { spacing = 1, lane = 1, setback = 1 }\n[[class]]\nname = \"a\"\n".to_owned(), "w.toml:3:9: expected roads of a graph, found another kind of map"),
        ("[[map]]\nfile = \"b.map\"\n[[class]]\nname = \"a\"\n".to_owned(), "w.toml:2:8: b.map: cannot be read: "),
        ("[[map]]\nfile = \"../a.map\"\n[[class]]\nname = \"a\"\n".to_owned(), "w.toml:2:8: expected a file in the folder \".\", found \"../a.map\""),
        (format!("{base}[[link]]\nkind = \"lift\"\nfrom = [0, 0]\nto = [20, 0]\nduration = 3\n"), "w.toml:8:6: expected a place at most 1 from a place of a map, found (20,0)"),
        (format!("ticks_per_step = 3\n{base}[[agents]]\nclass = \"a\"\ncount = 1\n"), "w.toml:1:18: expected 1 tick to a step, as for points on cells, found 3"),
    ];
    for (text, error) in rows {
        write(&folder, &text);
        let run = folder.run("simulate --world w.toml");
        assert_eq!(run.code, Some(2), "{text}: {run:#?}");
        assert!(run.stderr.starts_with(&format!("error: {error}")), "{text}\n{}\n{error}", run.stderr);
    }
    write(&folder, world("file = \"a.map\"", ""));
    for (command, error) in [
        ("simulate --world w.toml --map a.map", "'--world <FILE>' cannot be used with '--map <FILE>'"),
        ("simulate --world w.toml --task once", "cannot be used with"),
        ("solve --world w.toml --radius 1", "cannot be used with"),
        ("solve --world w.toml --strategy dm", "direction maps are learned on one map of cells"),
        ("draw --world w.toml --plan p.txt --svg a.svg", "cannot be used with"),
    ] {
        let run = folder.run(command);
        assert!(run.code == Some(2) && run.stderr.contains(error), "{command}: {run:#?}");
    }
}

#[test]
fn the_world_of_the_book_runs_and_its_errors_are_those_of_the_book() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/worlds.md")).unwrap();
    let world = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = Folder::new("worlds_book").with("yard.toml", world);
    for command in ["simulate --world yard.toml --ticks 2000 --json", "solve --world yard.toml --json"] {
        assert_eq!(json(&folder.run(command))["conflicts"], 0);
    }
    for (there, wrong) in
        [("speed = 0.5", "sped = 2"), ("count = 4", "count = 400"), ("start = [0, 0]", "start = [3, 9]")]
    {
        std::fs::write(folder.path("yard.toml"), world.replace(there, wrong)).unwrap();
        let run = folder.run("simulate --world yard.toml");
        let error = run.stderr.strip_prefix("error: ").unwrap().trim_end();
        assert!(page.contains(&format!("- `{error}`")), "{error}");
    }
}

#[test]
fn generated_worlds_run() {
    let folder = Folder::new("worlds_generated");
    for (kind, agents) in [("grid", 30), ("graph", 12), ("mesh", 24), ("mixed", 40)] {
        let made =
            folder.run(&format!("generate {kind}-world --size 30x20 --agents {agents} --seed 2 --world-out w.toml"));
        assert_eq!(made.code, Some(0), "{made:#?}");
        assert!(made.stdout.starts_with("Generated: a world of 30 x 20 cells, "), "{made:#?}");
        let run = json(&folder.run("simulate --world w.toml --ticks 400 --html t.html --json"));
        assert_eq!((&run["conflicts"], &run["agent_ticks"]), (&0.into(), &(400 * agents).into()), "{kind}: {run}");
        assert!(run["path_length"].as_u64().unwrap() > agents, "{kind}: {run}");
    }
    let error = "error: --density does nothing with a world, which is one file: expected --world-out\n";
    let run = folder.run("generate grid-world --size 30x20 --agents 3 --density 0.3 --world-out w.toml");
    fails_with(&run, error);
    let run = folder.run("generate open --size 30x20 --agents 3 --map-out a.map --world-out w.toml");
    fails_with(&run, "error: --world-out is for worlds, as mixed-world\n");
}

/// Runs the example `name` for so many ticks, and checks it. Returns the share of agents that move, in the mean.
fn run_example(name: &str, ticks: u32, levels: &str) -> f64 {
    let folder = Folder::new(&format!("worlds_{name}_{ticks}"));
    let world = examples().join(name).with_extension("toml");
    let run = folder.run(&format!("simulate --world {} --ticks {ticks} --trace t.json --json", world.display()));
    let told = json(&run);
    assert_eq!((&told["conflicts"], &told["ticks"]), (&0.into(), &ticks.into()), "{told}");
    let check = folder.run(&format!("check --trace t.json {levels}"));
    assert_eq!(check.code, Some(0), "{check:#?}");
    let check = folder.run(&format!("check --world {} --trace t.json", world.display()));
    assert!(check.code == Some(0) && !check.stdout.contains("note"), "{check:#?}");
    let trace: Value = serde_json::from_str(&folder.read("t.json")).unwrap();
    let agents = trace["agents"].as_array().unwrap();
    let moves = agents.iter().flat_map(|agent| agent["moves"].as_array().unwrap());
    let lasted = |step: &Value| step["arrive"].as_f64().unwrap() - step["depart"].as_f64().unwrap();
    moves.map(lasted).sum::<f64>() / (f64::from(ticks) * agents.len() as f64)
}

#[test]
fn the_depot_and_the_town_run_for_a_while() {
    for (name, levels) in [("depot", "--levels -2,4,2"), ("town", "")] {
        let share = run_example(name, 1800, levels);
        assert!(share > 0.85, "{name}: {share} of the agents move");
    }
}

/// 36 and 29 ticks are a step.
#[test]
#[ignore = "takes minutes"]
fn the_depot_and_the_town_run_for_a_thousand_steps() {
    for (name, ticks, levels) in [("depot", 36_000, "--levels -2,4,2"), ("town", 29_000, "")] {
        let share = run_example(name, ticks, levels);
        assert!(share > 0.85, "{name}: {share} of the agents move");
    }
}
