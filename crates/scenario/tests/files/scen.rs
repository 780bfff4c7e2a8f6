//! Scenarios.

use giveway_core::{Agent, AgentId, NodeId};
use giveway_scenario::{Scenario, ScenarioEntry, WhyMoved};
use giveway_spaces::Grid;

use crate::files::{grid, rejects};

fn entry(start: (u32, u32), goal: (u32, u32), optimal: f64) -> ScenarioEntry {
    ScenarioEntry { bucket: 7, map: "a.map".into(), width: 3, height: 2, start, goal, optimal }
}

#[test]
fn every_way_to_write_a_scenario_is_read() {
    let same = [
        "version 1\n7\ta.map\t3\t2\t0\t0\t2\t1\t2.5\n7\ta.map\t3\t2\t1\t0\t0\t1\t0\n",
        "version 1.0\n7 a.map 3 2 0 0 2 1 2.5\n7 a.map 3 2 1 0 0 1 0\n",
        "7 a.map 3 2 0 0 2 1 2.50000000\n7\ta.map\t3\t2\t1\t0\t0\t1\t0.0",
        "version 1\r\n7\ta.map\t3\t2\t0\t0\t2\t1\t2.5\r\n7\ta.map\t3\t2\t1\t0\t0\t1\t0\r\n",
        "\n version  1 \n\n7\ta.map 3\t2\t0   0\t2\t1 2.5 \t\n\n 7 a.map 3 2 1 0 0 1 0e5\n\n",
        "\u{feff}version 1\n7\ta.map\t3\t2\t0\t0\t2\t1\t2.5\n7\ta.map\t3\t2\t1\t0\t0\t1\t0\r",
    ];
    let entries = [entry((0, 0), (2, 1), 2.5), entry((1, 0), (0, 1), 0.0)];
    for contents in same {
        assert_eq!(Scenario::parse(contents, "x.scen").unwrap().entries(), entries, "{contents}");
    }
}

#[test]
fn names_of_maps_are_free() {
    for (name, separator) in
        [("../../maps/local/test_s1_64.map", " "), ("C:\\maps\\my map.map", "\t"), ("Straße.map", " "), ("7", " ")]
    {
        let line = ["0", name, "3", "2", "0", "0", "1", "0", "1"].join(separator);
        let scenario = Scenario::parse(format!("version 1\n{line}\n"), "x.scen").unwrap();
        assert_eq!(scenario.entries()[0].map, name);
        assert_eq!(scenario.agents(1, &grid(&["...", "..."])).unwrap(), [Agent::new(NodeId(0), NodeId(1))]);
    }
}

#[test]
fn a_scenario_is_written_as_it_was_read() {
    let scenario = Scenario::new("x.scen", vec![entry((0, 0), (2, 1), 2.414_213_56)]);
    let contents = "version 1\n7\ta.map\t3\t2\t0\t0\t2\t1\t2.41421356\n";
    assert_eq!(scenario.to_string(), contents);
    assert_eq!(Scenario::parse(contents, "x.scen").unwrap(), scenario);
    let empty = Scenario::new("x.scen", Vec::new());
    assert_eq!(Scenario::parse(empty.to_string(), "x.scen").unwrap(), empty);
}

#[test]
fn bad_scenarios_are_rejected_with_their_place() {
    const NUMBER: &str = "as a whole number up to 4294967295";
    const FIELDS: &str = "9 fields (bucket, map, width, height, start x, start y, goal x, goal y, optimal length)";
    let table: Vec<(&[u8], String)> = vec![
        (b"", "1: expected \"version 1\" or an entry, found the end of the file".into()),
        (b"\n\r\n \n", "4: expected \"version 1\" or an entry, found the end of the file".into()),
        (b"version 2\n", "1: expected \"version 1\", found \"version 2\"".into()),
        (b"version\n", "1: expected \"version 1\", found \"version\"".into()),
        (b"version 1 1\n", "1: expected \"version 1\", found \"version 1 1\"".into()),
        (b"version -1\n", "1: expected \"version 1\", found \"version -1\"".into()),
        (b"hello\n", format!("1: expected {FIELDS}, found 1")),
        (b"version 1\nversion 1\n", format!("2: expected {FIELDS}, found 2")),
        (b"version 1\n\n0\ta\t3\t2\t0\t0\t2\t1\n", format!("3: expected {FIELDS}, found 8")),
        (b"version 1\n0 a 3 2 0 0 2 1 2.5 9\n", format!("2: expected {FIELDS}, found 10")),
        (b"0\ta\t3\t2\t0\t0\t2\t1\t2.5\t9\n", format!("1: expected {FIELDS}, found 10")),
        (b"0 my map 3 2 0 0 2 1 2.5\n", format!("1: expected {FIELDS}, found 10")),
        (b"0,a,3,2,0,0,2,1,2.5\n", format!("1: expected {FIELDS}, found 1")),
        (b"version 1\n0 a 3 2 0 0 2 1 2.5\n0 a 3 2 0 0 2", format!("3: expected {FIELDS}, found 7")),
        (b"-1 a 3 2 0 0 2 1 2.5\n", format!("1:1: expected the bucket {NUMBER}, found \"-1\"")),
        (b"0 a 4294967296 2 0 0 2 1 2.5\n", format!("1:5: expected the map's width {NUMBER}, found \"4294967296\"")),
        (b"0 a 3 2.0 0 0 2 1 2.5\n", format!("1:7: expected the map's height {NUMBER}, found \"2.0\"")),
        (b"version 1\n0\ta\t3\t2\t-1\t0\t2\t1\t2.5\n", format!("2:9: expected the start's x {NUMBER}, found \"-1\"")),
        (b"0 a 3 2 0 +1 2 1 2.5\n", format!("1:11: expected the start's y {NUMBER}, found \"+1\"")),
        (b"0 a 3 2 0 1 1e1 1 2.5\n", format!("1:13: expected the goal's x {NUMBER}, found \"1e1\"")),
        (b"0\ta\t3\t2\t0\t0\t2\t\t2.5\n", format!("1:15: expected the goal's y {NUMBER}, found nothing")),
        ("0 Straße 3 2 0 1 2 x 2.5\n".as_bytes(), format!("1:20: expected the goal's y {NUMBER}, found \"x\"")),
        (b"0 a 3 2 0 1 2 \x001 2.5\n", format!("1:15: expected the goal's y {NUMBER}, found \"\\01\"")),
        (b"0 a 3 2 0 0 2 1 far\n", "1:17: expected the optimal length as a number, found \"far\"".into()),
        (b"0 a 3 2 0 0 2 1 -1\n", "1:17: expected the optimal length as a number, found \"-1\"".into()),
        (b"0 a 3 2 0 0 2 1 NaN\n", "1:17: expected the optimal length as a number, found \"NaN\"".into()),
        (b"0 a 3 2 0 0 2 1 1e999\n", "1:17: expected the optimal length as a number, found \"1e999\"".into()),
        (b"version 1\n0 \xe9 3 2 0 0 2 1 2.5\n", "2:3: expected UTF-8 text, found the byte 0xE9".into()),
    ];
    let table: Vec<(&[u8], String)> =
        table.into_iter().map(|(contents, message)| (contents, format!("x.scen:{message}"))).collect();
    let table: Vec<(&[u8], &str)> = table.iter().map(|(c, m)| (*c, m.as_str())).collect();
    rejects(&table, |contents| Scenario::parse(contents, "x.scen"));
}

#[test]
fn entries_that_do_not_suit_the_map_are_rejected_with_their_line() {
    let first = "0 a 3 2 0 0 2 1 1";
    for (count, second, message) in [
        (3, "0 a 3 2 0 1 2 0 1", "4: expected at least 3 entries, found 2"),
        (1_000_000, "0 a 3 2 0 1 2 0 1", "4: expected at least 1000000 entries, found 2"),
        (2, "0 a 2 3 0 1 1 0 1", "4: expected the size of the map, 3 x 2, found 2 x 3"),
        (2, "0 a 3 2 3 1 2 0 1", "4: expected a start on the 3 x 2 map, found (3, 1)"),
        (2, "0 a 3 2 0 1 2 2 1", "4: expected a goal on the 3 x 2 map, found (2, 2)"),
        (
            2,
            "0 a 3 2 0 1 4294967295 4294967295 1",
            "4: expected a goal on the 3 x 2 map, found (4294967295, 4294967295)",
        ),
        (2, "0 a 3 2 1 0 2 0 1", "4: expected a start on a passable cell, found the wall (1, 0)"),
        (2, "0 a 3 2 0 1 1 0 1", "4: expected a goal on a passable cell, found the wall (1, 0)"),
        (2, "0 a 3 2 0 0 2 0 1", "4: expected a start that no other agent has, found (0, 0), the start on line 2"),
        (2, "0 a 3 2 0 1 2 1 1", "4: expected a goal that no other agent has, found (2, 1), the goal on line 2"),
    ] {
        let contents = format!("version 1\n{first}\n\n{second}\n");
        let scenario = Scenario::parse(contents, "x.scen").unwrap();
        let grid = grid(&[".@.", "..."]);
        let error = scenario.agents(count, &grid).unwrap_err();
        assert_eq!(error.to_string(), format!("x.scen:{message}"));
        // Entries beyond those asked for do not matter.
        assert_eq!(scenario.agents(1, &grid).unwrap().len(), 1);
        assert_eq!(scenario.agents(0, &grid).unwrap(), []);
    }
    let none = Scenario::parse("version 1\n", "x.scen").unwrap();
    assert_eq!(
        none.agents(1, &grid(&["."])).unwrap_err().to_string(),
        "x.scen:1: expected at least 1 entries, found 0"
    );
}

#[test]
fn the_goal_may_be_the_start() {
    let scenario = Scenario::parse("0 a 3 2 0 0 0 0 0\n0 a 3 2 1 0 1 0 0", "x.scen").unwrap();
    let agents = scenario.agents(2, &grid(&["...", "..."])).unwrap();
    assert_eq!(agents[1], Agent::new(NodeId(1), NodeId(1)));
}

/// A start and a goal.
type Ends = ((u32, u32), (u32, u32));

/// A scenario on the map of `rows` in which each goes from the first cell to the second.
fn on<const N: usize>(rows: [&str; N], ends: &[Ends]) -> (Grid, Scenario) {
    let grid = grid(&rows);
    let entry = |(start, goal): &Ends| ScenarioEntry {
        width: grid.width(),
        height: grid.height(),
        ..entry(*start, *goal, 0.0)
    };
    let scenario = Scenario::new("x.scen", ends.iter().map(entry).collect());
    (grid, scenario)
}

/// The goals that were moved: the agent, the new cell, the reason. All other goals are where they were.
fn moved<const N: usize>(rows: [&str; N], ends: &[Ends]) -> Vec<(u32, (u32, u32), WhyMoved)> {
    let (grid, scenario) = on(rows, ends);
    let (agents, moved) = scenario.agents_near(ends.len(), &grid).unwrap();
    for ((agent, (start, goal)), id) in agents.iter().zip(ends).zip(0..) {
        assert_eq!(grid.xy(agent.start), *start);
        let expected = match moved.iter().find(|moved| moved.agent.0 == id) {
            Some(moved) => {
                assert_eq!(grid.xy(moved.from), *goal);
                moved.to
            }
            None => grid.node(goal.0, goal.1).unwrap(),
        };
        assert_eq!(agent.goals.nodes(), [expected]);
    }
    moved.into_iter().map(|moved| (moved.agent.0, grid.xy(moved.to), moved.why)).collect()
}

#[test]
fn goals_that_will_not_do_are_moved_and_no_others() {
    use WhyMoved::{Taken, Unreachable, Wall};
    let open = ["....", "....", "...."];
    assert_eq!(moved(open, &[((0, 0), (3, 0)), ((1, 0), (3, 1))]), []);
    // An island, from both sides; the nearest place to it is the goal of the second agent, and stays that.
    let island = ["......", "..@@@.", "..@.@.", "..@@@."];
    let ends = [((0, 2), (3, 2)), ((5, 0), (1, 2)), ((5, 1), (3, 2))];
    assert_eq!(moved(island, &ends), [(0, (3, 0), Unreachable), (2, (5, 2), Unreachable)]);
    // A wall.
    assert_eq!(moved(["...@@"], &[((0, 0), (4, 0))]), [(0, (2, 0), Wall)]);
    // Three agents with one goal, which the first one cannot reach; the third one stands beside the goal.
    let by = AgentId(1);
    let ends = [((0, 0), (4, 1)), ((3, 0), (4, 1)), ((3, 1), (4, 1))];
    assert_eq!(moved([".@...", ".@..."], &ends), [(0, (0, 1), Unreachable), (2, (3, 1), Taken { by })]);
}

#[test]
fn goals_stay_within_reach_and_on_the_map() {
    let (grid, scenario) =
        on(["..@.", "@@@."], &[((0, 0), (3, 0)), ((1, 0), (3, 0)), ((3, 0), (1, 0)), ((3, 1), (0, 0))]);
    assert_eq!(scenario.agents_near(4, &grid).unwrap().1.len(), 4);
    // Nowhere to go but where it stands.
    let (grid, scenario) = on([".@", "@."], &[((0, 0), (1, 1)), ((1, 1), (0, 0))]);
    let cells: Vec<_> = scenario.agents_near(2, &grid).unwrap().1.iter().map(|moved| grid.xy(moved.to)).collect();
    assert_eq!(cells, [(0, 0), (1, 1)]);
    for (ends, fragment) in [
        (((0, 0), (9, 0)), "x.scen:2: expected a goal on the 2 x 1 map, found (9, 0)"),
        (((1, 0), (0, 0)), "x.scen:2: expected a start on a passable cell, found the wall (1, 0)"),
    ] {
        let (grid, scenario) = on([".@"], &[ends]);
        assert_eq!(scenario.agents_near(1, &grid).unwrap_err().to_string(), fragment);
    }
    let (grid, scenario) = on([".."], &[((0, 0), (1, 0))]);
    assert_eq!(
        scenario.agents_near(2, &grid).unwrap_err().to_string(),
        scenario.agents(2, &grid).unwrap_err().to_string()
    );
}
