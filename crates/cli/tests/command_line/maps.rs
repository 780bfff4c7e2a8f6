//! Tile maps, pictures and graphs on the command line.

use serde_json::Value;

use crate::command_line::folder::Folder;

pub(super) const ROWS: [&str; 5] = ["........", ".@@.@@..", "...@....", ".@...@@.", "........"];
const SCEN: &str = "version 1\n0\ta\t8\t5\t0\t0\t7\t4\t9\n0\ta\t8\t5\t7\t4\t0\t0\t9\n0\ta\t8\t5\t3\t0\t3\t4\t9\n";

pub(super) fn tmx(head: &str, layer: &str) -> String {
    let tiles: Vec<&str> = ROWS.concat().chars().map(|cell| if cell == '@' { "3" } else { "0" }).collect::<Vec<_>>();
    format!(
        "<map {head} width=\"8\" height=\"5\" tilewidth=\"16\" tileheight=\"16\">\n<tileset firstgid=\"1\" name=\"t\">\
         <image source=\"absent.png\"/><tile id=\"2\" type=\"rock\"/></tileset>\n\
         <layer name=\"{layer}\" width=\"8\" height=\"5\"><data encoding=\"csv\">{}</data></layer>\n</map>\n",
        tiles.join(",")
    )
}

pub(super) fn dot_map() -> String {
    format!("type octile\nheight 5\nwidth 8\nmap\n{}\n", ROWS.join("\n"))
}

/// The picture of the map, as PNG.
pub(super) fn png() -> Vec<u8> {
    let pixels: Vec<u8> = ROWS.concat().bytes().map(|cell| if cell == b'@' { 20 } else { 230 }).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 8, 5);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    file
}

/// A square of one-way roads with a parking place at each corner.
const GRAPH: &str = r#"{"directed": true, "multigraph": false, "graph": {}, "nodes": [
{"id": "north", "x": 0, "y": 0}, {"id": "east", "x": 10, "y": 0}, {"id": "south", "x": 10, "y": 10}, {"id": 4, "x": 0, "y": 10},
{"id": "p1", "x": -3, "y": 0}, {"id": "p2", "x": 13, "y": 0}, {"id": "p3", "x": 13, "y": 10}, {"id": "p4", "x": -3, "y": 10}],
"links": [{"source": "north", "target": "east"}, {"source": "east", "target": "south"}, {"source": "south", "target": 4},
{"source": 4, "target": "north", "length": 12}, {"source": "p1", "target": "north"}, {"source": "north", "target": "p1"},
{"source": "p2", "target": "east"}, {"source": "east", "target": "p2"}, {"source": "p3", "target": "south"},
{"source": "south", "target": "p3"}, {"source": "p4", "target": 4}, {"source": 4, "target": "p4"}]}"#;

fn folder(name: &str) -> Folder {
    let hexagonal = "orientation=\"hexagonal\" staggeraxis=\"y\" staggerindex=\"odd\"";
    let staggered = "orientation=\"staggered\" staggeraxis=\"x\" staggerindex=\"even\"";
    Folder::new(name)
        .with("a.map", dot_map())
        .with("a.scen", SCEN)
        .with("a.png", png())
        .with("a.tmx", tmx("orientation=\"orthogonal\"", "Walls"))
        .with("b.tmx", tmx("orientation=\"orthogonal\"", "stones"))
        .with("hex.tmx", tmx(hexagonal, "walls"))
        .with("stag.tmx", tmx(staggered, "walls"))
        .with("roads.json", GRAPH)
}

#[test]
fn one_map_in_every_form_gives_one_plan() {
    let folder = folder("maps_one_plan");
    let plan = |map: &str, agents: &str| {
        let run = folder.run(&format!("solve --map {map} {agents} --out plan.txt --trace t.json"));
        assert_eq!(run.code, Some(0), "{map}: {run:#?}");
        let file = map.split(' ').next().unwrap();
        let check = folder.run(&format!("check --map {map} --plan plan.txt"));
        assert_eq!(check.code, Some(0), "{map}: {check:#?}");
        let check = folder.run(&format!("check --map {map} --trace t.json"));
        assert_eq!(check.code, Some(0), "{map}: {check:#?}");
        folder.read("plan.txt").replace(file, "") + &folder.read("t.json")
    };
    for agents in ["--scen a.scen --agents 3", "--agents 6 --seed 4", "--agents 6 --seed 5"] {
        let expected = plan("a.map", agents);
        for map in ["a.png", "a.tmx", "b.tmx --walls stones", "b.tmx --walls type=rock"] {
            assert_eq!(plan(map, agents), expected, "{map}");
        }
        assert_ne!(plan("b.tmx --walls none", agents), expected);
    }
}

#[test]
fn agents_are_drawn_on_every_map_and_the_check_agrees() {
    let folder = folder("maps_drawn");
    for map in ["a.map", "a.png", "a.tmx", "hex.tmx", "stag.tmx", "roads.json"] {
        for body in ["", "--radius 0.3", "--radius 0.3 --speed 0.5"] {
            let run = format!(
                "simulate --map {map} --agents 3 --seed 7 --ticks 300 {body} --trace t.json --html t.html --json"
            );
            let run = folder.run(&run);
            assert_eq!(run.code, Some(0), "{map} {body}: {run:#?}");
            let json: Value = serde_json::from_str(&run.stdout).unwrap();
            assert!(json["arrivals"].as_u64().unwrap() >= 3, "{map} {body}: {json}");
            let check = folder.run(&format!("check --map {map} --trace t.json"));
            assert_eq!(check.code, Some(0), "{map} {body}: {check:#?}");
            let drawn = folder.run(&format!("draw --map {map} --trace t.json --svg t.svg"));
            assert_eq!(drawn.code, Some(0), "{map}: {drawn:#?}");
        }
        let equal = |seed: u32| {
            let run = format!("solve --map {map} --agents 3 --seed {seed} --strategy whca --trace t.json");
            // An agent that stays at its goal may close a road.
            assert!(folder.run(&run).code.is_some_and(|code| code < 2), "{map}");
            folder.read("t.json")
        };
        assert_eq!(equal(3), equal(3));
        assert_ne!(equal(3), equal(4));
    }
}

#[test]
fn agents_come_from_a_file_on_every_map() {
    let folder = folder("maps_agents_file")
        .with("cells.csv", "start_x,start_y,goal_x,goal_y\n0.2,0,6.9,4.1\n7,4,0,0\n")
        .with("roads.csv", "start_x,start_y,goal_x,goal_y\n-3,0,13,10\n13,10,-3,0.5\n");
    let end = |map: &str, agents: &str, agent: usize| -> Value {
        let run = folder.run(&format!("solve --map {map} --agents-file {agents} --trace t.json"));
        assert_eq!(run.code, Some(0), "{map}: {run:#?}");
        let trace: Value = serde_json::from_str(&folder.read("t.json")).unwrap();
        trace["agents"][agent]["moves"].as_array().unwrap().last().unwrap()["to"]["position"].clone()
    };
    for map in ["a.map", "a.png", "a.tmx", "a.map --radius 0.4"] {
        assert_eq!(end(map, "cells.csv", 0), serde_json::json!([7.0, 4.0, 0.0]), "{map}");
        assert_eq!(end(map, "cells.csv", 1), serde_json::json!([0.0, 0.0, 0.0]), "{map}");
    }
    assert_eq!(end("hex.tmx", "cells.csv", 1), serde_json::json!([0.0, 0.0, 0.0]));
    assert_eq!(end("roads.json", "roads.csv", 1), serde_json::json!([-3.0, 0.0, 0.0]));
}

#[test]
fn nodes_keep_their_ids() {
    let folder = folder("maps_ids").with("a.csv", "start_x,start_y,goal_x,goal_y\n-3,0,13,0\n0,10,10,0\n");
    let run = folder.run("solve --map roads.json --agents-file a.csv --max-ticks 3 --trace t.json");
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert!(run.stdout.contains("from node p1 to node p2"), "{run:#?}");
    assert!(run.stdout.contains("from node 4 to node east"), "{run:#?}");
    let trace: Value = serde_json::from_str(&folder.read("t.json")).unwrap();
    assert_eq!(trace["node_ids"], serde_json::json!(["north", "east", "south", 4, "p1", "p2", "p3", "p4"]));
}

#[test]
fn a_trace_of_an_infinite_map_says_where_it_begins() {
    let chunk = "<chunk x=\"-3\" y=\"5\" width=\"2\" height=\"2\">0,0,0,1</chunk>";
    let head = "orientation=\"orthogonal\" infinite=\"1\" width=\"9\" height=\"9\" tilewidth=\"9\" tileheight=\"9\"";
    let map = format!("<map {head}><layer name=\"wall\"><data encoding=\"csv\">{chunk}</data></layer></map>");
    let folder = Folder::new("maps_infinite").with("a.tmx", map);
    assert_eq!(folder.run("solve --map a.tmx --agents 1 --trace t.json").code, Some(0));
    let trace: Value = serde_json::from_str(&folder.read("t.json")).unwrap();
    assert_eq!(trace["origin"], serde_json::json!([-3, 5]));
    // The file is read with it, and without it.
    assert_eq!(folder.run("check --map a.tmx --trace t.json").code, Some(0));
}

/// A corridor of two lanes: the upper one leads west, the lower one east. At both ends there is a square.
fn lanes() -> String {
    let rows = ["0000000000", "0033333300", "0044444400", "0000000000"];
    let tiles: Vec<String> = rows.concat().chars().map(|cell| cell.to_string()).collect();
    let way = |id: u32, way: &str| {
        format!("<tile id=\"{id}\"><properties><property name=\"way\" value=\"{way}\"/></properties></tile>")
    };
    let block = |y: u32| format!("<object x=\"20\" y=\"{y}\" width=\"60\" height=\"10\"/>");
    let square = |name: &str, x: u32| {
        format!("<objectgroup name=\"{name}\"><object x=\"{x}\" y=\"0\" width=\"20\" height=\"40\"/></objectgroup>")
    };
    format!(
        "<map orientation=\"orthogonal\" width=\"10\" height=\"4\" tilewidth=\"10\" tileheight=\"10\"><tileset firstgid=\"1\">\
         {}{}</tileset><layer name=\"lanes\"><data encoding=\"csv\">{}</data></layer>\
         <objectgroup name=\"walls\">{}{}</objectgroup>{}{}</map>",
        way(2, "west"),
        way(3, "east"),
        tiles.join(","),
        block(0),
        block(30),
        square("left", 0),
        square("right", 80),
    )
}

#[test]
fn drawn_agents_keep_to_marks_and_one_ways() {
    let folder = Folder::new("maps_lanes").with("lanes.tmx", lanes());
    let places = |agent: &Value| -> Vec<[f64; 2]> {
        let ends = agent["moves"].as_array().unwrap().iter().map(|step| &step["to"]);
        let all = std::iter::once(&agent["start"]).chain(ends);
        all.map(|place| [0, 1].map(|axis| place["position"][axis].as_f64().unwrap())).collect()
    };
    for (body, task) in [("", "once"), ("", "patrol"), ("--radius 0.3", "patrol")] {
        let marks = "--starts left --goals right";
        let run = format!(
            "simulate --map lanes.tmx {marks} --one-ways way {body} --agents 3 --seed 2 --task {task} --ticks 400"
        );
        let run = folder.run(&format!("{run} --trace t.json --json"));
        assert_eq!(run.code, Some(0), "{run:#?}");
        let json: Value = serde_json::from_str(&run.stdout).unwrap();
        assert!(json["arrivals"].as_u64().unwrap() >= 3, "{json}");
        let trace: Value = serde_json::from_str(&folder.read("t.json")).unwrap();
        for agent in trace["agents"].as_array().unwrap() {
            let places = places(agent);
            assert!(places[0][0] < 2.0 && agent["goals"][0]["position"][0].as_f64().unwrap() >= 8.0, "{agent}");
            for step in places.windows(2) {
                let along = step[1][0] - step[0][0];
                let in_lane = step.iter().any(|[x, _]| (2.0..8.0).contains(x));
                assert!(
                    !in_lane || (along <= 0.0 || step[0][1] == 2.0) && (along >= 0.0 || step[0][1] == 1.0),
                    "{step:?}"
                );
            }
        }
        let check = folder.run("check --map lanes.tmx --one-ways way --trace t.json");
        assert_eq!(check.code, Some(0), "{check:#?}");
    }
    // Without one-ways, agents go back as they came, and the check with one-ways notices.
    let run = folder.run(
        "simulate --map lanes.tmx --starts left --goals right --agents 1 --task patrol --ticks 200 --trace t.json",
    );
    assert_eq!(run.code, Some(0), "{run:#?}");
    let check = folder.run("check --map lanes.tmx --one-ways way --trace t.json");
    assert_eq!(check.code, Some(1), "{check:#?}");
    for (arguments, message) in [
        ("--agents 99 --starts left", "expected room for 99 agents, found room for 8"),
        ("--agents 2 --starts gone", "expected the layer \"gone\", or property=value"),
        ("--agents 2 --one-ways gone", "with the property \"gone\", found the properties \"way\""),
        ("--agents 2 --starts left --scen a.scen", "cannot be used with"),
    ] {
        let run = folder.run(&format!("solve --map lanes.tmx {arguments}"));
        assert!(run.code == Some(2) && run.stderr.contains(message), "{arguments}: {run:#?}");
    }
}

/// The maps of hexagons and of squares on a corner that are checked in, with all that objects say there.
#[test]
fn objects_and_one_ways_count_on_hexagonal_and_staggered_maps() {
    let maps = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/tiled");
    let read = |file: &str| std::fs::read_to_string(maps.join(file)).unwrap();
    let folder =
        Folder::new("maps_offset").with("islands.tmx", read("islands.tmx")).with("terraces.tmj", read("terraces.tmj"));
    for (map, marks, ways) in [
        ("islands.tmx", "--starts class=west --goals class=east --costs cost", "--one-ways way"),
        ("terraces.tmj", "--starts class=gate --goals class=terrace", ""),
    ] {
        for body in ["", "--radius 0.3"] {
            let run =
                format!("simulate --map {map} {marks} {ways} {body} --agents 10 --seed 5 --task patrol --ticks 600");
            let run = folder.run(&format!("{run} --trace t.json --html t.html --svg t.svg --json"));
            assert_eq!(run.code, Some(0), "{run:#?}");
            let json: Value = serde_json::from_str(&run.stdout).unwrap();
            assert!(json["arrivals"].as_u64().unwrap() >= 20 && json["conflicts"] == 0, "{json}");
            let check = folder.run(&format!("check --map {map} {ways} --trace t.json"));
            assert_eq!(check.code, Some(0), "{check:#?}");
            let check = folder.run(&format!("check --map {map} --walls class=stone --trace t.json"));
            assert_eq!(check.code, Some(if map == "islands.tmx" { 1 } else { 2 }), "{check:#?}");
        }
    }
    // Against the current the way is longer.
    let header = "start_x,start_y,goal_x,goal_y\n";
    let folder =
        folder.with("east.csv", format!("{header}7,13,18,13\n")).with("west.csv", format!("{header}18,13,7,13\n"));
    let costs = |file: &str, ways: &str| -> u64 {
        let run = folder.run(&format!("solve --map islands.tmx --agents-file {file} {ways} --trace t.json --json"));
        assert_eq!(run.code, Some(0), "{run:#?}");
        let check = folder.run(&format!("check --map islands.tmx {ways} --trace t.json"));
        assert_eq!(check.code, Some(0), "{check:#?}");
        serde_json::from_str::<Value>(&run.stdout).unwrap()["sum_of_costs"].as_u64().unwrap()
    };
    let ways = "--one-ways way";
    assert_eq!(costs("west.csv", ""), costs("west.csv", ways));
    assert!(costs("east.csv", ways) > costs("east.csv", ""));
    // The check notices who goes against it.
    let check = folder.run("check --map islands.tmx --one-ways way --trace t.json");
    assert_eq!(check.code, Some(1), "{check:#?}");
}

/// A garden: a hedge with a gate far away, mud before a dark gate, and free ground around.
fn garden() -> Vec<u8> {
    let rows = ["....#....", ".........", "....#....", "..mm#mm..", "..mmgmm..", "..mm#mm.."];
    let color = |cell: char| match cell {
        '#' => [0x20, 0x60, 0x20],
        'm' => [0x8b, 0x45, 0x13],
        'g' => [0x10, 0x10, 0x10],
        _ => [0xff, 0xff, 0xff],
    };
    let pixels: Vec<[u8; 3]> = rows.concat().chars().map(color).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 9, 6);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().unwrap().write_image_data(pixels.as_flattened()).unwrap();
    file
}

#[test]
fn colours_of_a_picture_are_walls_and_costs() {
    let table = "#206020=wall,#ffffff=free,#8b4513=9,#101010=free";
    let folder = Folder::new("maps_colors")
        .with("a.png", garden())
        .with("a.csv", "start_x,start_y,goal_x,goal_y\n1,4,7,4\n")
        .with("a.map", dot_map());
    let costs = |arguments: &str| -> u64 {
        let run =
            folder.run(&format!("solve --map a.png --agents-file a.csv {arguments} --trace t.json --out p.txt --json"));
        assert_eq!(run.code, Some(0), "{run:#?}");
        let check = folder.run(&format!("check --map a.png {arguments} --plan p.txt"));
        assert_eq!(check.code, Some(0), "{check:#?}");
        serde_json::from_str::<Value>(&run.stdout).unwrap()["sum_of_costs"].as_u64().unwrap()
    };
    // Mud is no wall, but dear: the way leads through the other gate, unless mud costs as much as grass.
    let cheap = table.replace("=9", "=1");
    assert_eq!((costs(&format!("--colors {table}")), costs(&format!("--colors {cheap}"))), (12, 6));
    let check =
        folder.run(&format!("check --map a.png --colors {} --plan p.txt", table.replace("101010=free", "101010=wall")));
    assert_eq!(check.code, Some(1), "{check:#?}");
    let world = |colors: &str| {
        let agents = "[[agents]]\nclass = 'a'\nstart = [1, 4]\ngoal = [7, 4]\n";
        format!("[[map]]\nfile = 'a.png'\n{colors}\n[[class]]\nname = 'a'\n{agents}")
    };
    let write = |colors: &str| std::fs::write(folder.path("w.toml"), world(colors)).unwrap();
    for (mud, expected) in [("9", 12), ("1", 6)] {
        write(&format!("colors = {{ '#206020' = 'wall', '#ffffff' = 'free', '#8b4513' = {mud}, '#101010' = 1 }}"));
        let run = folder.run("solve --world w.toml --json");
        assert_eq!(run.code, Some(0), "{run:#?}");
        assert_eq!(serde_json::from_str::<Value>(&run.stdout).unwrap()["sum_of_costs"], expected);
    }
    write("colors = { '#206020' = 'wall', '#ffffff' = 'free' }");
    let missing = "a.png: expected one of the 2 colours of the table, found #8b4513 at pixel (2,3)\n";
    for (command, error) in [
        ("solve --map a.png --agents 2 --colors #206020=wall,#ffffff=free", format!("error: {missing}")),
        ("solve --world w.toml", format!("error: w.toml:2:8: {missing}")),
        (
            "solve --map a.map --agents 2 --colors other=free",
            "error: --colors are for pictures (.png), and a.map is none\n".to_owned(),
        ),
    ] {
        let run = folder.run(command);
        assert_eq!((run.code, run.stderr), (Some(2), error), "{command}");
    }
    let run = folder.run("solve --map a.png --agents 2 --colors other=hedge");
    let message = "expected wall, free, or a whole number from 1 to 1000, found \"hedge\"";
    assert!(run.code == Some(2) && run.stderr.contains(message), "{run:#?}");
}

#[test]
fn costs_turn_agents_away() {
    let tiles = ["0", "3", "0", "0", "0", "0"].join(",");
    let map = format!(
        "<map orientation=\"orthogonal\" width=\"3\" height=\"2\" tilewidth=\"10\" tileheight=\"10\"><tileset firstgid=\"1\"><tile id=\"2\">\
         <properties><property name=\"mud\" type=\"int\" value=\"9\"/></properties></tile></tileset><layer name=\"ground\">\
         <data encoding=\"csv\">{tiles}</data></layer></map>"
    );
    let agents = "start_x,start_y,goal_x,goal_y\n0,0,2,0\n";
    let folder = Folder::new("maps_costs").with("a.tmx", map).with("a.csv", agents);
    let costs = |arguments: &str| -> Value {
        let run = folder.run(&format!("solve --map a.tmx --walls none --agents-file a.csv {arguments} --json"));
        assert_eq!(run.code, Some(0), "{run:#?}");
        serde_json::from_str::<Value>(&run.stdout).unwrap()["sum_of_costs"].clone()
    };
    assert_eq!((costs(""), costs("--costs mud")), (2.into(), 4.into()));
}

/// A trace is not right because another map has no wall there.
#[test]
fn checks_find_what_is_wrong_on_every_map() {
    let folder = folder("maps_wrong");
    for (run, map, message) in [
        ("simulate --map b.tmx --walls none --agents 9 --ticks 50", "a.tmx", "in the wall at"),
        ("simulate --map stag.tmx --walls none --agents 9 --ticks 50", "stag.tmx", "in a wall at"),
        ("simulate --map stag.tmx --agents 9 --ticks 50", "hex.tmx", "agent "),
        ("solve --map roads.json --agents 3 --strategy independent", "roads.json", "are both on node "),
    ] {
        let made = folder.run(&format!("{run} --trace t.json"));
        assert!(made.code.is_some_and(|code| code < 2), "{made:#?}");
        let check = folder.run(&format!("check --map {map} --trace t.json"));
        assert_eq!(check.code, Some(1), "{map}: {check:#?}");
        assert!(check.stdout.contains(message), "{map}: {check:#?}");
    }
}

#[test]
fn what_a_map_cannot_have_is_refused() {
    let folder = folder("maps_refused").with("a.csv", "start_x,start_y,goal_x,goal_y\n0,0,1,1\n");
    for (command, message) in [
        ("solve --map b.tmx --agents 2", "found the layers \"stones\""),
        ("solve --map b.tmx --agents 2 --walls rocks", "expected the layer \"rocks\", or property=value"),
        ("solve --map a.png --agents 2 --walls none", "--walls is for tile maps, and a.png is a picture"),
        ("solve --map a.map --agents 2 --walls none", "--walls is for tile maps, and a.map is a map of cells"),
        ("solve --map a.map --agents 2 --tile-sets .", "a.map: expected a tile map, found a Moving AI map"),
        ("solve --map a.map --agents 200", "a.map"),
        ("solve --map a.png", "a.png is a map of cells: expected --scen and --agents, or --agents-file"),
        ("solve --map a.png --agents 2 --speed 2", "--speed is for discs on cells"),
        ("solve --map hex.tmx --agents 2 --speed 2", "--speed is for discs on a map of hexagons"),
        (
            "solve --map hex.tmx --agents 2 --connectivity 8",
            "--connectivity is for maps of cells, and hex.tmx is a map of hexagons",
        ),
        ("solve --map hex.tmx --agents 2 --out p.txt", "--out is a plan of cells, and a map of hexagons has none"),
        (
            "solve --map roads.json --scen a.scen --agents 2",
            "--scen is for maps of square cells, and roads.json is a graph",
        ),
        (
            "solve --map roads.json --agents 2 --strategy dm",
            "direction maps are learned on cells, and a graph has none",
        ),
        ("solve --map roads.json --agents 9", "roads.json: expected room for 9 agents, found room for 8"),
        ("solve --map roads.json", "roads.json: expected --agents-file, or --agents with the number of agents to draw"),
        ("solve --map roads.json --agents-file a.csv", "a.csv:2: expected a goal on the map, at most 1 from"),
        ("solve --map a.map --agents-file a.csv --nearest", "--nearest is for a --scen"),
        ("solve --map a.map --agents 2 --radius 0.3 --strategy dm", "direction maps are learned on cells"),
        ("solve --map a.map --agents 2 --radius 3", "a.map"),
        ("check --map roads.json --plan a.scen", "roads.json: expected a map of square cells with --plan"),
        ("draw --map roads.json --plan a.scen --svg x.svg", "--plan is a plan of cells, and a graph has none"),
    ] {
        let run = folder.run(command);
        assert_eq!(run.code, Some(2), "{command}: {run:#?}");
        assert!(run.stderr.contains(message), "{command}: {run:#?}");
    }
}
