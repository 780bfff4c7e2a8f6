//! Maps.

use giveway_scenario::MapFile;
use giveway_spaces::Connectivity;

use crate::files::{grid, rejects};

fn parse(contents: &[u8]) -> Result<MapFile, giveway_scenario::FileError> {
    MapFile::parse(contents, "maps/x.map")
}

#[test]
fn every_way_to_write_a_map_is_read() {
    let same = [
        "type octile\nheight 2\nwidth 3\nmap\n.@.\nGTS\n",
        "type octile\nwidth 3\nheight 2\nmap\n.O.\n.W.\n",
        "type octile\nheight 2\nwidth 3\nmap\n.@.\n.@.",
        "type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.@.\r\n.@.\r\n",
        "type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.@.\r\n.@.\r",
        "type octile\nheight 2\nwidth 3\nmap\n.@.\n.@.\n\n\r\n \t\n",
        "type\toctile \nheight  2\n width\t3\nmap \n.@.\n.@.\n",
        "\u{feff}type octile\nheight 2\nwidth 3\nmap\n.@.\n.@.\n",
        "type octile\nheight 0002\nwidth 3\nmap\n.@.\n.@.\n",
    ];
    for contents in same {
        let map = MapFile::parse(contents, "x.map").unwrap();
        assert_eq!((map.width(), map.height()), (3, 2), "{contents}");
        for (x, y) in [(0, 0), (2, 0), (0, 1), (2, 1)] {
            assert!(map.is_passable(x, y), "{contents}");
        }
        for (x, y) in [(1, 0), (1, 1), (3, 0), (0, 2), (u32::MAX, u32::MAX)] {
            assert!(!map.is_passable(x, y), "{contents}");
        }
    }
}

#[test]
fn every_kind_of_cell_is_known() {
    let map = MapFile::parse("type octile\nheight 1\nwidth 8\nmap\n.GSE@OTW", "x.map").unwrap();
    let passable: Vec<bool> = (0..8).map(|x| map.is_passable(x, 0)).collect();
    assert_eq!(passable, [true, true, true, true, false, false, false, false]);
}

#[test]
fn a_map_is_written_as_it_was_read() {
    let contents = "type octile\nheight 2\nwidth 4\nmap\n.@..\n@..@\n";
    let map = MapFile::parse(contents, "x.map").unwrap();
    assert_eq!(map.to_string(), contents);
    let grid = map.grid().unwrap();
    assert_eq!(grid.connectivity(), Connectivity::Four);
    assert_eq!(MapFile::from_grid(&grid), map);
    assert_eq!(grid, crate::files::grid(&[".@..", "@..@"]));
}

#[test]
fn bad_maps_are_rejected_with_their_place() {
    const KEYS: &str = "\"height\", \"width\" or \"map\"";
    const SIDE: &str = "a whole number from 1 to 4294967295";
    let text = |line: &str| format!("type octile\nheight {line}\nwidth 2\nmap\n..\n");
    let rows = |rows: &str| format!("type octile\nheight 2\nwidth 3\nmap\n{rows}");
    let good = "type octile\nheight 2\nwidth 3\nmap\n";
    let table: Vec<(String, String)> = [
        // The header.
        (String::new(), "1: expected \"type octile\", found the end of the file".into()),
        ("\n\n".into(), "1: expected \"type octile\", found nothing".into()),
        ("type hex\n".into(), "1: expected \"type octile\", found \"type hex\"".into()),
        ("type octile please\n".into(), "1: expected \"type octile\", found \"type octile please\"".into()),
        ("....\n....\n".into(), "1: expected \"type octile\", found \"....\"".into()),
        ("type octile\n".into(), format!("2: expected {KEYS}, found the end of the file")),
        ("type octile\nheight 2\nwidth 3\n".into(), format!("4: expected {KEYS}, found the end of the file")),
        ("type octile\nmap\n..\n".into(), "2: expected \"width\" before \"map\", found \"map\"".into()),
        ("type octile\nwidth 2\nmap\n..\n".into(), "3: expected \"height\" before \"map\", found \"map\"".into()),
        ("type octile\ndepth 2\n".into(), format!("2: expected {KEYS}, found \"depth 2\"")),
        ("type octile\nheight\n".into(), format!("2: expected {KEYS}, found \"height\"")),
        ("type octile\nheight 2 3\n".into(), format!("2: expected {KEYS}, found \"height 2 3\"")),
        (
            "type octile\nheight 2\nheight 2\n".into(),
            "3: expected each of \"height\" and \"width\" once, found \"height 2\"".into(),
        ),
        (text("-3"), format!("2:8: expected {SIDE}, found \"-3\"")),
        (text("+3"), format!("2:8: expected {SIDE}, found \"+3\"")),
        (text("0"), format!("2:8: expected {SIDE}, found \"0\"")),
        (text("2.5"), format!("2:8: expected {SIDE}, found \"2.5\"")),
        (text("two"), format!("2:8: expected {SIDE}, found \"two\"")),
        (text("0x10"), format!("2:8: expected {SIDE}, found \"0x10\"")),
        (text("4294967296"), format!("2:8: expected {SIDE}, found \"4294967296\"")),
        (text("٣"), format!("2:8: expected {SIDE}, found \"٣\"")),
        // Promises that the rows do not keep.
        (
            "type octile\nheight 4294967295\nwidth 4294967295\nmap\n".into(),
            "5: expected row 1 of 4294967295, found the end of the file".into(),
        ),
        ("type octile\nheight 65536\nwidth 65536\nmap\n....".into(), "5: expected 65536 cells, found 4".into()),
        (text("4294967295"), "6: expected row 2 of 4294967295, found the end of the file".into()),
        (good.into(), "5: expected row 1 of 2, found the end of the file".into()),
        (rows("...\n"), "6: expected row 2 of 2, found the end of the file".into()),
        (rows("...\n\n"), "6: expected 3 cells, found 0".into()),
        (rows("...\n..\n"), "6: expected 3 cells, found 2".into()),
        (rows("....\n...\n"), "5: expected 3 cells, found 4".into()),
        (rows("...\n...\n...\n"), "7: expected the end of the file after 2 rows, found \"...\"".into()),
        (rows("...\n...\n\n\n@"), "9: expected the end of the file after 2 rows, found \"@\"".into()),
        // Cells.
        (rows("..#\n...\n"), "5:3: expected one of .GSE@OTW, found '#'".into()),
        (rows("...\n. .\n"), "6:2: expected one of .GSE@OTW, found ' '".into()),
        (rows("... \n...\n"), "5:4: expected one of .GSE@OTW, found ' '".into()),
        (rows(".\t.\n...\n"), "5:2: expected one of .GSE@OTW, found '\\t'".into()),
        (rows(".\0.\n...\n"), "5:2: expected one of .GSE@OTW, found '\\0'".into()),
        (rows("..s\n...\n"), "5:3: expected one of .GSE@OTW, found 's'".into()),
        (rows(".é.\n...\n"), "5:2: expected one of .GSE@OTW, found 'é'".into()),
        (rows("...\r...\r"), "5:4: expected one of .GSE@OTW, found '\\r'".into()),
    ]
    .into();
    let table: Vec<(String, String)> =
        table.into_iter().map(|(contents, message)| (contents, format!("maps/x.map:{message}"))).collect();
    let table: Vec<(&String, &str)> = table.iter().map(|(c, m)| (c, m.as_str())).collect();
    rejects(&table, parse);
}

#[test]
fn bytes_that_are_not_text_are_rejected_with_their_place() {
    rejects(
        &[
            (b"\xff\xfe".as_slice(), "maps/x.map:1:1: expected UTF-8 text, found the byte 0xFF"),
            (b"type octile\nheight \xc3".as_slice(), "maps/x.map:2:8: expected UTF-8 text, found the byte 0xC3"),
            (
                b"type octile\nheight 1\nwidth 3\nmap\n.\x80.\n".as_slice(),
                "maps/x.map:5:2: expected UTF-8 text, found the byte 0x80",
            ),
        ],
        parse,
    );
}

#[test]
fn long_lines_are_not_quoted_in_full() {
    let error = MapFile::parse("x".repeat(1 << 20), "x.map").unwrap_err();
    assert_eq!(error.to_string(), format!("x.map:1: expected \"type octile\", found \"{}\"..", "x".repeat(40)));
}

#[test]
fn files_that_cannot_be_read_or_written_are_named() {
    let read = MapFile::read("no/such.map").unwrap_err();
    assert_eq!(read.io_kind(), Some(std::io::ErrorKind::NotFound));
    assert!(read.to_string().starts_with("no/such.map: cannot be read: "), "{read}");
    let map = MapFile::from_grid(&grid(&["."]));
    let written = map.write("no/such.map").unwrap_err();
    assert!(written.to_string().starts_with("no/such.map: cannot be written: "), "{written}");
}

#[test]
fn the_error_can_be_taken_apart() {
    let error = MapFile::parse("type octile\nheight -1\n", "a/b.map").unwrap_err();
    assert_eq!(error.file().to_str(), Some("a/b.map"));
    assert_eq!((error.line(), error.column()), (Some(2), Some(8)));
    assert_eq!(error.message(), "expected a whole number from 1 to 4294967295, found \"-1\"");
    assert_eq!(error.io_kind(), None);
}
