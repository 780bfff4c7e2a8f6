//! Agents as CSV.

use giveway_scenario::{AgentsEntry, AgentsFile, FileError};
use proptest::prelude::*;

use crate::files::rejects;

const HEADER: &str = "start_x,start_y,goal_x,goal_y";

fn parse(contents: &[u8]) -> Result<AgentsFile, FileError> {
    AgentsFile::parse(contents, "x.csv")
}

#[test]
fn every_way_to_write_agents_is_read() {
    let entry = |start, goal, line| AgentsEntry { start, goal, line };
    let rows = |lines: [usize; 2]| [entry([0.5, -1.0], [2.0, 3e10], lines[0]), entry([0.0; 2], [1.0; 2], lines[1])];
    for (contents, lines) in [
        (format!("{HEADER}\n0.5,-1,2,3e10\n0,0,1,1\n"), [2, 3]),
        (format!("{HEADER}\r\n0.5,-1,2,3e10\r\n0,0,1,1"), [2, 3]),
        (format!("\u{feff}{HEADER}\n\n\n0.5,-1,2,3e10\n , ,\t,\n\r\n0,0,1,1\n\n\n"), [4, 7]),
        (" start_x ,start_y, goal_x\t,goal_y\n\n .5,-1.0 , +2, 3E10 \n  \n\"0\",\"0.0\",1,1".to_owned(), [3, 5]),
        (format!("\n\n{HEADER}\n0.5,-1,2,3e10\n0,0,1,1"), [4, 5]),
    ] {
        assert_eq!(parse(contents.as_bytes()).unwrap().entries(), rows(lines), "{contents}");
    }
    assert_eq!(parse(HEADER.as_bytes()).unwrap().entries(), []);
}

#[test]
fn agents_are_written_as_they_were_read() {
    let agents = AgentsFile::new("x.csv", [[[0.5, -1.0], [2.0, 1e-7]]]);
    let contents = format!("{HEADER}\n0.5,-1,2,0.0000001\n");
    assert_eq!(agents.to_string(), contents);
    assert_eq!(parse(contents.as_bytes()).unwrap(), agents);
}

#[test]
fn bad_agents_are_rejected_with_their_line() {
    let header = format!("the header {HEADER:?}");
    let row = |row: &str| format!("{HEADER}\n1,2,3,4\n{row}\n");
    const FIELDS: &str = "4 fields (start_x, start_y, goal_x, goal_y)";
    let table: Vec<(String, String)> = vec![
        (String::new(), format!("1: expected {header}, found the end of the file")),
        ("\n\n".into(), format!("3: expected {header}, found the end of the file")),
        ("1,2,3,4\n".into(), format!("1: expected {header}, found \"1,2,3,4\"")),
        ("\nstart_x,start_y,goal_x\n".into(), format!("2: expected {header}, found \"start_x,start_y,goal_x\"")),
        (format!("{HEADER},radius\n"), format!("1: expected {header}, found \"{HEADER},radius\"")),
        (
            "start_y,start_x,goal_x,goal_y\n".into(),
            format!("1: expected {header}, found \"start_y,start_x,goal_x,goal_y\""),
        ),
        (
            "Start_x,start_y,goal_x,goal_y\n".into(),
            format!("1: expected {header}, found \"Start_x,start_y,goal_x,goal_y\""),
        ),
        (row("1,2,3"), format!("3: expected {FIELDS}, found 3")),
        (row("1,2,3,"), "3: expected goal_y as a finite number, found nothing".into()),
        (row("1,2,3,4,5"), format!("3: expected {FIELDS}, found 5")),
        (row("1;2;3;4"), format!("3: expected {FIELDS}, found 1")),
        (row("\n\n1,2,x,4"), "5: expected goal_x as a finite number, found \"x\"".into()),
        (row("1,2,3,inf"), "3: expected goal_y as a finite number, found \"inf\"".into()),
        (row("NaN,2,3,4"), "3: expected start_x as a finite number, found \"NaN\"".into()),
        (row("1,1e39,3,4"), "3: expected start_y as a finite number, found \"1e39\"".into()),
        (row("1,0x10,3,4"), "3: expected start_y as a finite number, found \"0x10\"".into()),
        (row("\"1,2,3,4"), format!("3: expected {FIELDS}, found 1")),
    ];
    let table: Vec<(String, String)> =
        table.into_iter().map(|(contents, message)| (contents, format!("x.csv:{message}"))).collect();
    let table: Vec<(&String, &str)> = table.iter().map(|(c, m)| (c, m.as_str())).collect();
    rejects(&table, parse);
    rejects(&[(b"start_x\n\xff".as_slice(), "x.csv:2:1: expected UTF-8 text, found the byte 0xFF")], parse);
}

#[test]
fn the_first_agents_are_told_by_line() {
    let agents = parse(format!("{HEADER}\n\n1,2,3,4\n5,6,7,8\n").as_bytes()).unwrap();
    assert_eq!(agents.first(1).unwrap(), &agents.entries()[..1]);
    assert_eq!(agents.first(3).unwrap_err().to_string(), "x.csv:4: expected at least 3 agents, found 2");
    assert_eq!(agents.first(usize::MAX).unwrap_err().line(), Some(4));
    let error = agents.error_at(agents.entries()[0].line, "a start on the mesh", "(1, 2)");
    assert_eq!(error.to_string(), "x.csv:3: expected a start on the mesh, found (1, 2)");
    let none = AgentsFile::new("x.csv", []);
    assert_eq!(none.first(1).unwrap_err().to_string(), "x.csv:1: expected at least 1 agents, found 0");
}

proptest! {
    #[test]
    fn numbers_are_kept_to_the_bit(numbers in prop::collection::vec(prop::array::uniform2(prop::array::uniform2(-1e30_f32..1e30)), 0..4)) {
        let agents = AgentsFile::new("x.csv", numbers);
        prop_assert_eq!(parse(agents.to_string().as_bytes()), Ok(agents));
    }
}
