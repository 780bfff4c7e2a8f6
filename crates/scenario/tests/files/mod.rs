//! Permitted contents of files, and the errors for all other contents.

mod agents;
mod direction_map;
mod graph;
mod hostile;
mod hostile_maps;
mod kind;
mod map;
mod mesh;
mod picture;
mod plan_text;
mod problem;
mod replacement;
mod scen;
mod testdata;
mod tiled;
mod tiled_offset;
mod trace;
mod world;

use giveway_scenario::{FileError, MapFile};
use giveway_spaces::Grid;

/// Checks rows of (contents, message of the error).
fn rejects<T, B: AsRef<[u8]>>(rows: &[(B, &str)], parse: impl Fn(&[u8]) -> Result<T, FileError>) {
    for (contents, message) in rows {
        let contents = contents.as_ref();
        let shown = String::from_utf8_lossy(contents);
        match parse(contents) {
            Ok(_) => panic!("accepted: {shown}"),
            Err(error) => assert_eq!(error.to_string(), *message, "for: {shown}"),
        }
    }
}

/// The grid of a picture with `.` and `@`.
fn grid(rows: &[&str]) -> Grid {
    let width = rows.first().map_or(0, |row| row.len());
    let map = format!("type octile\nheight {}\nwidth {width}\nmap\n{}", rows.len(), rows.join("\n"));
    MapFile::parse(map, "picture").unwrap().grid().unwrap()
}
