//! No contents of a file panic, however broken.

use giveway_scenario::{
    AgentsFile, AnyMapFile, DirectionMapFile, EdgeDirectionMapFile, GraphFile, MapFile, MeshFile, PlacesFile, PlanText,
    Problem, ProblemFile, ProblemLog, Scenario, TileMapFile, TraceFile, Walls,
};
use giveway_spaces::Grid;
use proptest::prelude::*;
use proptest::sample::Index;

use super::hostile_maps::MAPS;

const VALID: [&str; 11] = [
    "type octile\nheight 3\nwidth 4\nmap\n..@.\n.TGS\nOW..\n",
    "version 1\n0\ta.map\t4\t3\t0\t0\t3\t2\t5.0\n1\ta.map\t4\t3\t0\t1\t3\t1\t3.0\n2 a.map 4 3 3 0 2 1 2.41421356\n",
    "agents=2\nmap_file=a.map\nsolver=x\nsolved=1\nsoc=3\nmakespan=2\nstarts=(0,0),(3,2),\ngoals=(0,1),(2,1),\nsolution=\n\
     0:(0,0),(3,2),\n1:(0,1),(3,1),\n2:(0,1),(2,1),\n",
    "{\"format\":\"giveway-trace\",\"version\":1,\"ticks_per_step\":1,\"agents\":[\n\
     {\"start\":{\"node\":0,\"position\":[0.0,0.0,0.0]},\"goals\":[{\"node\":2,\"position\":[2.0,0.0,0.0]}],\
     \"moves\":[{\"depart\":0,\"arrive\":1,\"to\":{\"node\":1,\"position\":[1.0,0.0,0.0]}}]}\n]}\n",
    "{\"format\":\"giveway-trace\",\"version\":1,\"ticks_per_step\":1,\
     \"courses\":[[{\"share\":0.5,\"length\":-1.5,\"turn\":0.0},{\"share\":0.5,\"length\":0.0,\"turn\":1.5}]],\"agents\":[\n\
     {\"start\":{\"node\":0,\"position\":[0.0,0.0,0.0],\"heading\":0.25},\"goals\":[],\
     \"moves\":[{\"depart\":0,\"arrive\":4,\"to\":{\"node\":1,\"position\":[1.0,0.0,0.0],\"heading\":1.75},\"course\":0}]}\n]}\n",
    "{\"format\":\"giveway-direction-map\",\"version\":1,\
     \"rules\":{\"rate\":0.4,\"neighbours\":0.0,\"ends\":\"both\",\"weight\":10.0,\"blank\":\"zero\"},\n\
     \"space\":\"0123456789abcdef\",\"nodes\":12,\"directions\":[\n[0,0.4,0.0,0.0],\n[11,-0.6,0.8,0.0]\n]}\n",
    "mesh\n2\n5 2\n0 0 2 0 -1\n4 0 3 1 0 -1\n4 4 3 0 1 -1\n0 4.5 2 0 -1\n9 1 2 1 -1\n4 0 1 2 3 -1 -1 1 -1\n3 1 4 2 0 -1 -1\n",
    "mesh 1 3 1\n-1e2 0 0 1 0.25 0 .5 7 1 -1 3 0 1 2 -1 -1 -1",
    "start_x,start_y,goal_x,goal_y\n0.5,-1,2,3e10\n\n 0, 0,1,\"1\"\n",
    "{\"mapFile\":\"a.map\",\"agentFile\":\"a.agents\",\"taskFile\":\"a.tasks\",\"teamSize\":2,\n\
     \"numTasksReveal\":1,\"taskAssignmentStrategy\":\"roundrobin\"}\n",
    "# places\n3\n0\n11\n\n1\n",
];

/// Reads `contents` as everything, and does with what comes out whatever can be done.
fn read_as_everything(contents: &[u8], grid: &Grid) {
    if let Ok(map) = MapFile::parse(contents, "x") {
        assert_eq!(MapFile::parse(map.to_string(), "x").unwrap(), map);
        let _ = map.grid().map(|grid| MapFile::from_grid(&grid));
    }
    if let Ok(scenario) = Scenario::parse(contents, "x") {
        for count in 0..=scenario.entries().len() + 1 {
            let _ = scenario.agents(count, grid);
        }
        let again = Scenario::parse(scenario.to_string(), "x").unwrap();
        assert_eq!(again.entries().len(), scenario.entries().len());
    }
    if let Ok(plan) = PlanText::parse(contents, "x") {
        let _ = plan.to_agents(grid);
        if let Ok(paths) = plan.to_plan(grid) {
            assert_eq!(paths.paths.len(), plan.agents);
        }
        let again = PlanText::parse(plan.to_string(), "x").unwrap();
        assert_eq!(again.to_string(), plan.to_string());
    }
    if let Ok(trace) = TraceFile::parse(contents, "x") {
        assert_eq!(TraceFile::parse(trace.to_string(), "x").unwrap(), trace);
    }
    if let Ok(map) = DirectionMapFile::parse(contents, "x") {
        assert_eq!(DirectionMapFile::parse(map.to_string(), "x").unwrap(), map);
        let _ = map.map(grid);
    }
    if let Ok(mesh) = MeshFile::parse(contents, "x") {
        assert_eq!(MeshFile::parse(mesh.to_string(), "x").unwrap(), mesh);
        assert_eq!(AnyMapFile::parse(contents, "x").unwrap(), AnyMapFile::Mesh(mesh));
    }
    play_all(contents);
    if let Ok(agents) = AgentsFile::parse(contents, "x") {
        let again = AgentsFile::parse(agents.to_string(), "x").unwrap();
        assert!(
            again
                .entries()
                .iter()
                .map(|agent| (agent.start, agent.goal))
                .eq(agents.entries().iter().map(|agent| (agent.start, agent.goal)))
        );
        assert!(agents.entries().is_sorted_by_key(|agent| agent.line));
    }
}

/// Reads `contents` as each file of a problem whose other files are valid.
fn play_all(contents: &[u8]) {
    let head = ProblemFile::parse(contents, "x").or_else(|_| ProblemFile::parse(VALID[9], "x")).unwrap();
    let map = MapFile::parse(contents, "x").or_else(|_| MapFile::parse(VALID[0], "x")).unwrap();
    let valid = PlacesFile::parse(VALID[10], "x").unwrap();
    let places = PlacesFile::parse(contents, "x").unwrap_or_else(|_| valid.clone());
    for (agents, tasks) in [(&places, &valid), (&valid, &places)] {
        let Ok(problem) = Problem::new(&head, map.clone(), agents, tasks) else { continue };
        assert_eq!(problem.starts().len(), head.team_size() as usize);
        let (mut errands, mut log) = (problem.errands(), ProblemLog::new(&problem, true).recorded());
        for robot in 0..problem.starts().len() {
            while let Some(errand) = errands.next(robot).filter(|errand| errand.number < 9) {
                assert!(problem.map().is_passable(errand.place % map.width(), errand.place / map.width()));
                log.assign(robot, errand);
                log.step([], 0.0);
                log.finish(robot);
            }
        }
        let _ = (log.faults(), log.record().unwrap().to_string());
    }
}

fn grid() -> Grid {
    MapFile::parse(VALID[0], "x").unwrap().grid().unwrap()
}

/// The bytes to insert, and the number of bytes that they replace.
pub(super) fn edit() -> impl Strategy<Value = (Index, Vec<u8>, usize)> {
    const TOKENS: &[&str] = &[
        "",
        "0",
        "-1",
        "9",
        "4294967295",
        "4294967296",
        "1e999",
        "NaN",
        "\n",
        "\r",
        "\r\n",
        "\n\n",
        "\t",
        " ",
        ",",
        "(",
        ")",
        "=",
        ":",
        ".",
        "@",
        "#",
        "\0",
        "é",
        "\u{feff}",
        "\"",
        "[",
        "}",
        "null",
        "solution=\n",
        "map\n",
        "version 1\n",
        "-1",
        " 3 ",
        "mesh 2 ",
    ];
    let inserted = prop_oneof![
        proptest::sample::select(TOKENS).prop_map(|token: &str| token.as_bytes().to_vec()),
        any::<u8>().prop_map(|byte| vec![byte]),
    ];
    (any::<Index>(), inserted, 0..4_usize)
}

/// `valid` after some edits.
pub(super) fn edited(valid: &str, edits: Vec<(Index, Vec<u8>, usize)>) -> Vec<u8> {
    let mut contents = valid.as_bytes().to_vec();
    for (at, inserted, removed) in edits {
        let start = at.index(contents.len() + 1);
        let end = (start + removed).min(contents.len());
        contents.splice(start..end, inserted);
    }
    contents
}

fn finite() -> impl Strategy<Value = f32> {
    use proptest::num::f32::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO
}

#[test]
fn valid_contents_are_read() {
    let [map, scenario, plan, trace, driven, directions, mesh, older_mesh, agents, head, places] = VALID;
    let grid = MapFile::parse(map, "x").unwrap().grid().unwrap();
    assert_eq!(Scenario::parse(scenario, "x").unwrap().agents(3, &grid).unwrap().len(), 3);
    assert_eq!(PlanText::parse(plan, "x").unwrap().to_plan(&grid).unwrap().makespan(), 2);
    for trace in [trace, driven] {
        assert_eq!(TraceFile::parse(trace, "x").unwrap().to_string(), trace);
    }
    assert_eq!(DirectionMapFile::parse(directions, "x").unwrap().to_string(), directions);
    assert_eq!(MeshFile::parse(mesh, "x").unwrap().to_string(), mesh);
    assert_eq!(MeshFile::parse(older_mesh, "x").unwrap().mesh().walls().count(), 3);
    assert_eq!(AgentsFile::parse(agents, "x").unwrap().entries().len(), 2);
    assert_eq!(ProblemFile::parse(head, "x").unwrap().team_size(), 2);
    assert_eq!(PlacesFile::parse(places, "x").unwrap().places().len(), 3);
}

#[test]
fn valid_contents_cut_off_anywhere_do_not_panic() {
    let grid = grid();
    for valid in VALID {
        for end in 0..valid.len() {
            read_as_everything(&valid.as_bytes()[..end], &grid);
        }
    }
}

/// The answers of the readers of all kinds of files to `contents`.
fn refusals(contents: &str, grid: &Grid) -> impl Iterator<Item = String> {
    fn told<T, E: ToString>(result: Result<T, E>) -> Option<String> {
        Some(result.err()?.to_string())
    }
    let scenario = Scenario::parse(contents, "x");
    let all = [
        told(MapFile::parse(contents, "x")),
        scenario.as_ref().ok().and_then(|scenario| told(scenario.agents(scenario.entries().len(), grid))),
        told(scenario),
        told(PlanText::parse(contents, "x").and_then(|plan| plan.to_plan(grid))),
        told(TraceFile::parse(contents, "x")),
        told(DirectionMapFile::parse(contents, "x")),
        told(EdgeDirectionMapFile::parse(contents, "x")),
        told(AnyMapFile::parse(contents, "x")),
        told(MeshFile::parse(contents, "x")),
        told(TileMapFile::parse(contents, "x").and_then(|map| map.map(&Walls::Default))),
        told(TileMapFile::parse(contents, "x").and_then(|map| map.map(&Walls::Named("p=x".to_owned())))),
        told(GraphFile::parse(contents, "x")),
        told(AgentsFile::parse(contents, "x")),
        told(ProblemFile::parse(contents, "x")),
        told(PlacesFile::parse(contents, "x")),
    ];
    all.into_iter().flatten()
}

/// The writer of a file must not command the terminal of a reader of messages about the file: from U+007F to U+009F
/// there are commands, too.
#[test]
fn messages_have_no_control_characters() {
    let grid = grid();
    let commands = ["\u{1b}", "\u{7f}", "\u{85}", "\u{9b}", "\u{9f}", "\\u001b", "\\u007f", "\\u009b"];
    let mut messages = std::collections::BTreeSet::new();
    for valid in VALID.into_iter().chain(MAPS) {
        for (at, command) in (0..=valid.len()).flat_map(|at| commands.map(|command| (at, command))) {
            let (before, after) = valid.split_at(at);
            messages.extend(refusals(&format!("{before}{command}{after}"), &grid));
        }
    }
    let bad: Vec<&String> = messages.iter().filter(|message| message.contains(char::is_control)).collect();
    assert!(messages.len() > 1000 && bad.is_empty(), "{} of {}: {bad:#?}", bad.len(), messages.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_do_not_panic(contents in proptest::collection::vec(any::<u8>(), 0..200)) {
        read_as_everything(&contents, &grid());
    }

    #[test]
    fn edited_contents_do_not_panic(
        valid in proptest::sample::select(&VALID[..]),
        edits in proptest::collection::vec(edit(), 1..5),
    ) {
        read_as_everything(&edited(valid, edits), &grid());
    }

    #[test]
    fn positions_of_a_trace_are_kept_to_the_bit(x in finite(), y in finite(), z in finite()) {
        let position = [x, y, z];
        let start = giveway_core::TracedPlace::new(0, position);
        let agent = giveway_core::TracedAgent::new(start, Vec::new(), Vec::new());
        let trace = giveway_core::Trace::new(1, vec![agent]);
        let json = TraceFile::new(trace).unwrap().to_string();
        let read = TraceFile::parse(json, "x").unwrap().into_trace();
        prop_assert_eq!(read.agents[0].start.position.map(f32::to_bits), position.map(f32::to_bits));
    }

    #[test]
    fn headings_and_courses_of_a_trace_are_kept_to_the_bit(heading in finite(), length in finite(), turn in finite()) {
        let stretch = giveway_core::Stretch { share: 1.0, length, turn };
        let start = giveway_core::TracedPlace { heading, ..giveway_core::TracedPlace::new(0, [0.0; 3]) };
        let agent = giveway_core::TracedAgent::new(start, Vec::new(), Vec::new());
        let trajectories = vec![giveway_core::Trajectory::new(vec![stretch])];
        let trace = giveway_core::Trace { trajectories, ..giveway_core::Trace::new(1, vec![agent]) };
        let json = TraceFile::new(trace).unwrap().to_string();
        let read = TraceFile::parse(json, "x").unwrap().into_trace();
        let found = read.trajectories[0].stretches()[0];
        prop_assert_eq!([found.length, found.turn].map(f32::to_bits), [length, turn].map(f32::to_bits));
        // A heading of 0 is left out, with its sign.
        let found = read.agents[0].start.heading;
        prop_assert!(found.to_bits() == heading.to_bits() || (found == 0.0 && heading == 0.0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "takes minutes"]
    fn half_a_million_edited_meshes_do_not_panic(
        valid in proptest::sample::select(vec![VALID[6], VALID[7], include_str!("../../../../testdata/navmesh/arena-merged.mesh")]),
        edits in proptest::collection::vec(edit(), 1..5),
    ) {
        read_as_everything(&edited(valid, edits), &grid());
    }

    #[test]
    #[ignore = "takes minutes"]
    fn half_a_million_edited_agents_files_do_not_panic(edits in proptest::collection::vec(edit(), 1..5)) {
        read_as_everything(&edited(VALID[8], edits), &grid());
    }
}
