//! Files of another kind than expected are called what they are.

use giveway_scenario::{
    AgentsFile, DirectionMapFile, EdgeDirectionMapFile, FileError, GraphFile, MapFile, MeshFile, PlanText, ProblemFile,
    Scenario, TileMapFile, TraceFile,
};

/// The name of a kind of file, and a file of that kind.
const KINDS: [(&str, &str); 11] = [
    ("a Moving AI map", "type octile\nheight 1\nwidth 1\nmap\n.\n"),
    ("a Moving AI scenario", "0\ta map\t4\t3\t0\t0\t3\t2\t5.0\n"),
    ("a plan as text", "agents=1\nsolution=\n0:(0,0),\n"),
    ("a trace as JSON", "{\"format\":\"giveway-trace\",\"version\":1}"),
    ("a direction map as JSON", "\u{feff}\n{\"version\":1, \"format\":\"giveway-direction-map\"}"),
    ("a direction map of moves as JSON", "{\"format\":\"giveway-edge-direction-map\"}"),
    ("a Polyanya mesh", "\n mesh 2\n"),
    ("a competition problem as JSON", "{\"taskFile\":\"a\", \"mapFile\":\"b\"}"),
    ("a tile map", "<?xml version=\"1.0\"?>\n<map/>"),
    ("a graph as JSON", "{\"directed\":true,\"nodes\":[],\"links\":[]}"),
    ("agents as CSV", "start_x, start_y,goal_x,goal_y\n"),
];

/// The error in `contents`, read as the kind at this position.
fn refusal(kind: usize, contents: &str) -> Option<FileError> {
    match kind {
        0 => MapFile::parse(contents, "x").err(),
        1 => Scenario::parse(contents, "x").err(),
        2 => PlanText::parse(contents, "x").err(),
        3 => TraceFile::parse(contents, "x").err(),
        4 => DirectionMapFile::parse(contents, "x").err(),
        5 => EdgeDirectionMapFile::parse(contents, "x").err(),
        6 => MeshFile::parse(contents, "x").err(),
        7 => ProblemFile::parse(contents, "x").err(),
        8 => TileMapFile::parse(contents, "x").err(),
        9 => GraphFile::parse(contents, "x").err(),
        _ => AgentsFile::parse(contents, "x").err(),
    }
}

#[test]
fn every_kind_is_known_by_every_other() {
    for (expected, (name, _)) in KINDS.iter().enumerate() {
        for (found, (other, contents)) in KINDS.iter().enumerate() {
            let refusal = refusal(expected, contents).map(|error| error.to_string());
            if expected != found {
                assert_eq!(refusal, Some(format!("x: expected {name}, found {other}")));
            } else {
                assert!(refusal.is_none_or(|refusal| !refusal.contains(", found a ")), "{name}");
            }
        }
    }
}

/// With and without what tells a scenario and a plan.
#[test]
fn other_beginnings_are_known_too() {
    for (contents, name) in [
        ("version 1.0\n", "a Moving AI scenario"),
        ("0 a.map 4 3 0 0 3 2 5.0\n", "a Moving AI scenario"),
        ("\r\n\r\nsolution=\n", "a plan as text"),
        ("type octile", "a Moving AI map"),
    ] {
        assert_eq!(refusal(3, contents).unwrap().message(), format!("expected a trace as JSON, found {name}"));
    }
    for contents in
        ["", "\n", "nonsense", "type hex\n", "version 2\n", "a b c d e f g h i\n", "{}", "{\"format\":\"x\"}", "\0"]
    {
        assert!(!refusal(3, contents).unwrap().message().contains("found a "), "{contents}");
    }
}
