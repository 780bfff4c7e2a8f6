//! Navigation meshes.

use std::path::Path;

use giveway_scenario::{AnyMapFile, FileError, MeshFile};
use giveway_spaces::NavMesh;
use proptest::prelude::*;

use crate::files::rejects;

/// Two triangles that make a square, as the documentation of the format has them.
const SQUARE: &str =
    "mesh\n2\n4 2\n0 0 2 0 -1\n1.5 0 3 1 0 -1\n1.5 1.5 2 1 -1\n0 1.5 3 0 1 -1\n3 0 1 3 -1 -1 1\n3 1 2 3 0 -1 -1\n";

fn parse(contents: &[u8]) -> Result<MeshFile, FileError> {
    MeshFile::parse(contents, "x.mesh")
}

#[test]
fn every_way_to_write_a_mesh_is_read() {
    let vertices = vec![[0.0, 0.0], [1.5, 0.0], [1.5, 1.5], [0.0, 1.5]];
    let mesh = NavMesh::new(vertices, [[0, 1, 3], [1, 2, 3]]).unwrap();
    let version_1 =
        SQUARE.replace("mesh\n2", "mesh\n1").replace("-1 -1 1\n", "-1 1 -1\n").replace("0 -1 -1\n", "-1 -1 0\n");
    for contents in [
        SQUARE.to_owned(),
        version_1,
        SQUARE.replace('\n', " "),
        SQUARE.replace('\n', "\r\n"),
        SQUARE.replace(' ', "\n\n\t"),
        format!("\u{feff}\n  {SQUARE}\n\n"),
        SQUARE.trim_end().to_owned(),
        SQUARE.replace("1.5", "15e-1").replace("0 0 2", "-0 +0.0 2"),
        // The polygons are the geometry: it does not matter what is said to be around a vertex, or that nothing is
        // beyond an edge.
        SQUARE.replace("0 0 2 0 -1", "0 0 0").replace("3 0 -1 -1", "3 -1 -1 -1"),
    ] {
        assert_eq!(*MeshFile::parse(&contents, "x.mesh").unwrap().mesh(), mesh, "{contents}");
        assert!(matches!(AnyMapFile::parse(&contents, "any"), Ok(AnyMapFile::Mesh(_))), "{contents}");
    }
    assert_eq!(mesh.walls().count(), 4);
}

#[test]
fn a_mesh_is_written_as_it_was_read() {
    assert_eq!(parse(SQUARE.as_bytes()).unwrap().to_string(), SQUARE);
    // A square without its middle, a triangle in a corner of which it only touches it, and a vertex that no polygon
    // has.
    let vertices = [
        [0.0, 0.0],
        [3.0, 0.0],
        [3.0, 3.0],
        [0.0, 3.0],
        [1.0, 1.0],
        [2.0, 1.0],
        [2.0, 2.0],
        [1.0, 2.0],
        [4.0, 3.0],
        [4.0, 4.0],
        [9.0, 9.0_f32],
    ];
    let polygons: [&[u32]; 5] = [&[0, 1, 5, 4], &[1, 2, 6, 5], &[7, 6, 2, 3], &[4, 7, 3, 0], &[2, 8, 9]];
    let file = MeshFile::new(NavMesh::new(vertices.to_vec(), polygons).unwrap());
    let contents = "mesh\n2\n11 5\n0 0 3 0 3 -1\n3 0 3 1 0 -1\n3 3 5 4 -1 2 1 -1\n0 3 3 3 2 -1\n1 1 3 3 0 -1\n2 1 3 0 1 -1\n2 2 3 2 -1 1\n\
                    1 2 3 2 3 -1\n4 3 2 4 -1\n4 4 2 4 -1\n9 9 1 -1\n\
                    4 0 1 5 4 3 -1 1 -1\n4 1 2 6 5 0 -1 2 -1\n4 7 6 2 3 3 -1 1 -1\n4 4 7 3 0 0 -1 2 -1\n3 2 8 9 -1 -1 -1\n";
    let written = file.to_string();
    let sorted = |contents: &str| contents.lines().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(sorted(&written), sorted(contents));
    assert_eq!(parse(written.as_bytes()).unwrap(), file);
}

#[test]
fn bad_meshes_are_rejected_with_their_place() {
    const VERTICES: &str = "the number of vertices as a whole number up to 4294967295";
    const POLYGONS: &str = "the number of polygons as a whole number up to 4294967295";
    const CORNERS: &str = "the number of corners, at least 3";
    const VERTEX: &str = "one of the 4 vertices, from 0 on";
    const POLYGON: &str = "-1 or one of the 2 polygons, from 0 on";
    let beyond =
        |from: u32, to: u32| format!("another polygon that has the edge between vertices {from} and {to}, or -1");
    let with = |old: &str, new: &str| {
        assert!(SQUARE.contains(old), "{old}");
        SQUARE.replacen(old, new, 1)
    };
    let table: Vec<(String, String)> = vec![
        (String::new(), "1: expected \"mesh\", found the end of the file".into()),
        ("\n \n".into(), "3: expected \"mesh\", found the end of the file".into()),
        ("Mesh\n2\n".into(), "1:1: expected \"mesh\", found \"Mesh\"".into()),
        ("mesh2\n".into(), "1:1: expected \"mesh\", found \"mesh2\"".into()),
        ("mesh\n3\n".into(), "2:1: expected the version, 1 or 2, found \"3\"".into()),
        ("mesh".into(), "2: expected the version, 1 or 2, found the end of the file".into()),
        ("mesh 2 -4 2".into(), format!("1:8: expected {VERTICES}, found \"-4\"")),
        ("mesh 2 4 2.0".into(), format!("1:10: expected {POLYGONS}, found \"2.0\"")),
        ("mesh 2 4294967296 2".into(), format!("1:8: expected {VERTICES}, found \"4294967296\"")),
        ("mesh 2 4".into(), format!("2: expected {POLYGONS}, found the end of the file")),
        // Promises that the file does not keep.
        ("mesh 2 4294967295 4294967295".into(), "2: expected vertex 1 of 4294967295, found the end of the file".into()),
        ("mesh 2 0 4294967295".into(), "2: expected polygon 1 of 4294967295, found the end of the file".into()),
        (
            "mesh 2 1 1\n0 0 4294967295 0 -1\n".into(),
            "3: expected -1 or one of the 1 polygons, from 0 on, found the end of the file".into(),
        ),
        (
            "mesh 2 1 1\n0 0 0\n4294967295 0 0".into(),
            "4: expected one of the 1 vertices, from 0 on, found the end of the file".into(),
        ),
        (with("4 2", "5 2"), format!("8:7: expected {POLYGON}, found \"3\"")),
        (with("4 2", "4 3"), "10: expected polygon 3 of 3, found the end of the file".into()),
        (with("4 2", "3 1"), "5:9: expected -1 or one of the 1 polygons, from 0 on, found \"1\"".into()),
        // Vertices.
        (with("1.5 0 3", "x 0 3"), "5:1: expected x as a finite number, found \"x\"".into()),
        (with("1.5 0 3", "1.5 NaN 3"), "5:5: expected y as a finite number, found \"NaN\"".into()),
        (with("1.5 0 3", "1.5 inf 3"), "5:5: expected y as a finite number, found \"inf\"".into()),
        (with("1.5 0 3", "1e39 0 3"), "5:1: expected x as a finite number, found \"1e39\"".into()),
        (
            with("1.5 0 3", "0 1000001 3"),
            "5: vertex 1 is at (0, 1000001): expected finite coordinates up to 1000000".into(),
        ),
        (with("1.5 0 3", "1.5 0 -3"), "5:7: expected the number of polygons around the vertex, found \"-3\"".into()),
        (with("1.5 0 3 1 0 -1", "1.5 0 3 1 2 -1"), format!("5:11: expected {POLYGON}, found \"2\"")),
        (with("1.5 0 3 1 0 -1", "1.5 0 3 1 0 -2"), format!("5:13: expected {POLYGON}, found \"-2\"")),
        // Polygons.
        (with("3 0 1 3 -1 -1 1", "2 0 1 -1 -1"), format!("8:1: expected {CORNERS}, found \"2\"")),
        (with("3 0 1 3 -1 -1 1", "-3 0 1 3 -1 -1 1"), format!("8:1: expected {CORNERS}, found \"-3\"")),
        (with("3 0 1 3 -1 -1 1", "3 0 1 4 -1 -1 1"), format!("8:7: expected {VERTEX}, found \"4\"")),
        (with("3 0 1 3 -1 -1 1", "3 0 1 -1 -1 -1 1"), format!("8:7: expected {VERTEX}, found \"-1\"")),
        (with("3 0 1 3 -1 -1 1", "3 0 1 3 -1 -1 2"), format!("8:15: expected {POLYGON}, found \"2\"")),
        (with("3 0 1 3 -1 -1 1", "3 0 1 3 -1 -1 0"), format!("8:15: expected {}, found \"0\"", beyond(1, 3))),
        (with("3 0 1 3 -1 -1 1", "3 0 1 3 -1 1 -1"), format!("8:12: expected {}, found \"1\"", beyond(0, 1))),
        (with("3 1 2 3 0 -1 -1", "3 1 2 3 -1 -1 0"), format!("9:15: expected {}, found \"0\"", beyond(2, 3))),
        (with("mesh\n2", "mesh\n1"), format!("8:15: expected {}, found \"1\"", beyond(3, 0))),
        (
            with("3 1 2 3 0 -1 -1\n", "3 1 2 3 0 -1 -1\n0\n"),
            "10:1: expected the end of the file after 2 polygons, found \"0\"".into(),
        ),
        (
            "mesh 2 4 1\n0 0 0 4 0 0 1 1 0\n0 4 0\n\n4 0 1 2 3 -1 -1 -1 -1".into(),
            "5: polygon 0 is not convex, or crosses itself".into(),
        ),
        (
            "mesh\n2\n3\n1\n0 0 0 1 0 0 2 0 0\n3 0 1 2 -1 -1 -1".into(),
            "4: expected at least one polygon that has an area".into(),
        ),
        // One place twice, and a corner on the other side.
        (with("3 1 2 3 0 -1 -1", "3 0 1 3 -1 -1 -1"), "8: polygons 0 and 1 overlap: they are on lines 8 and 9".into()),
        ("mesh 2\n0 0".into(), "2: expected at least one polygon that has an area".into()),
    ];
    let table: Vec<(String, String)> =
        table.into_iter().map(|(contents, message)| (contents, format!("x.mesh:{message}"))).collect();
    let table: Vec<(&String, &str)> = table.iter().map(|(c, m)| (c, m.as_str())).collect();
    rejects(&table, parse);
    rejects(&[(b"mesh\n2\n1 \xff".as_slice(), "x.mesh:3:3: expected UTF-8 text, found the byte 0xFF")], parse);
}

#[test]
fn a_vertex_in_the_wrong_place_makes_polygons_overlap() {
    for (name, vertex, moved, expected) in [
        ("arena", "3 31", "35 31", "149: polygons 33 and 34 overlap: they are on lines 149 and 150"),
        ("arena-merged", "18 2", "35 31", "120: polygons 4 and 5 overlap: they are on lines 120 and 121"),
        ("arena-merged", "35 31", "3 31", "147: polygons 31 and 54 overlap: they are on lines 147 and 170"),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../testdata/navmesh/{name}.mesh"));
        let contents = std::fs::read_to_string(path).unwrap();
        let [from, to] = [vertex, moved].map(|vertex| format!("\n{vertex} "));
        assert!(contents.contains(&from), "{name}");
        rejects(&[(contents.replacen(&from, &to, 1), format!("x.mesh:{expected}").as_str())], parse);
    }
}

#[test]
fn a_map_may_be_of_any_kind() {
    let is_mesh =
        |contents: &str, file: &str| AnyMapFile::parse(contents, file).map(|map| matches!(map, AnyMapFile::Mesh(_)));
    let map = "type octile\nheight 1\nwidth 1\nmap\n.\n";
    assert_eq!(is_mesh(SQUARE, "x.map"), Ok(true));
    assert_eq!(is_mesh(map, "x.mesh"), Ok(false));
    for (contents, file, message) in [
        ("", "x.MESH", "x.MESH:1: expected \"mesh\", found the end of the file"),
        ("", "x.map", "x.map:1: expected \"type octile\", found the end of the file"),
        ("version 1\n", "x.mesh", "x.mesh: expected a Moving AI map, found a Moving AI scenario"),
    ] {
        assert_eq!(is_mesh(contents, file).unwrap_err().to_string(), message);
    }
}

proptest! {
    /// Cells of a grid, merged along rows, some of whose corners are more than one vertex.
    #[test]
    fn what_is_written_is_read(cells in prop::collection::vec(any::<bool>(), 1..40), step in 0.01_f32..9.0, split in any::<bool>()) {
        let at = |x: u16, y: u16| [f32::from(x) * step - 3.0, f32::from(y) * -step];
        let mut vertices: Vec<[f32; 2]> = (0..10).flat_map(|y| (0..7).map(move |x| at(x, y))).collect();
        let mut polygons = Vec::new();
        for (cell, _) in (0_u32..).zip(&cells).filter(|(_, free)| **free) {
            let (x, y) = (cell % 6, cell / 6);
            let mut corners = [[x, y], [x, y + 1], [x + 1, y + 1], [x + 1, y]].map(|[x, y]| y * 7 + x);
            if split && cell % 3 == 0 {
                corners[0] = u32::try_from(vertices.len()).unwrap();
                vertices.push(vertices[(y * 7 + x) as usize]);
            }
            polygons.push(corners);
        }
        prop_assume!(!polygons.is_empty());
        let file = MeshFile::new(NavMesh::new(vertices, polygons).unwrap());
        let written = file.to_string();
        let read = parse(written.as_bytes());
        prop_assert_eq!(read, Ok(file), "{}", written);
    }
}
