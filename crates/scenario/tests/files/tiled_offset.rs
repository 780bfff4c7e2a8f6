//! Objects and one-ways on hexagonal and staggered maps of the Tiled editor.

use giveway_scenario::{TileMapFile, Walls};
use giveway_spaces::Direction;
use proptest::prelude::*;

/// A map: the axis and the index of its stagger, the size of its tiles, and the side of hexagons; `None`: staggered.
#[derive(Clone, Copy, Debug)]
struct Shape {
    axis: &'static str,
    index: &'static str,
    tile: [u32; 2],
    side: Option<u32>,
}

const COLUMNS: u32 = 5;
const ROWS: u32 = 4;

fn shape(axis: &'static str, index: &'static str, tile: [u32; 2], side: Option<u32>) -> Shape {
    Shape { axis, index, tile, side }
}

fn shapes() -> Vec<Shape> {
    let stagger = ["x", "y"].into_iter().flat_map(|axis| ["odd", "even"].map(|index| (axis, index)));
    let forms = [([14, 12], Some(6)), ([16, 16], Some(0)), ([12, 10], Some(10)), ([64, 32], None), ([9, 11], Some(4))];
    stagger.flat_map(|(axis, index)| forms.map(|(tile, side)| shape(axis, index, tile, side))).collect()
}

impl Shape {
    /// The map with these objects on a layer of walls.
    fn map(&self, objects: &str) -> String {
        let Self { axis, index, tile: [across, down], side } = self;
        let form = match side {
            Some(side) => format!("orientation=\"hexagonal\" hexsidelength=\"{side}\""),
            None => "orientation=\"staggered\"".to_owned(),
        };
        format!(
            "<map {form} staggeraxis=\"{axis}\" staggerindex=\"{index}\" width=\"{COLUMNS}\" height=\"{ROWS}\" \
             tilewidth=\"{across}\" tileheight=\"{down}\">\n<objectgroup name=\"walls\">{objects}</objectgroup>\n</map>\n"
        )
    }

    /// The corners of a cell, by the documentation of Tiled: the map is drawn tile by tile, and shifted rows or columns
    /// begin half a tile later.
    fn corners(&self, column: u32, row: u32) -> Vec<[f64; 2]> {
        let by_columns = self.axis == "x";
        let [width, height] = self.tile.map(|side| f64::from(side / 2 * 2));
        let (long, across) = if by_columns { (height, width) } else { (width, height) };
        let side = f64::from(self.side.unwrap_or(0));
        let cut = ((across - side) / 2.0).floor();
        let (at, line) = if by_columns { (row, column) } else { (column, row) };
        let is_shifted = (line % 2 == 0) == (self.index == "even");
        let [u, v] = [f64::from(at) * long + if is_shifted { long / 2.0 } else { 0.0 }, f64::from(line) * (cut + side)];
        let corners = [
            [u, v + cut],
            [u + long / 2.0, v],
            [u + long, v + cut],
            [u + long, v + cut + side],
            [u + long / 2.0, v + 2.0 * cut + side],
            [u, v + cut + side],
        ];
        corners.map(|[u, v]| if by_columns { [v, u] } else { [u, v] }).to_vec()
    }

    fn walls(&self, objects: &str) -> Vec<Vec<bool>> {
        let contents = self.map(objects);
        let map = TileMapFile::parse(&contents, "x.tmx").unwrap_or_else(|error| panic!("{error}: {contents}"));
        let cells = map.map(&Walls::Default).unwrap_or_else(|error| panic!("{error}: {contents}"));
        (0..ROWS).map(|y| (0..COLUMNS).map(|x| !cells.is_passable(x, y)).collect()).collect()
    }
}

/// The area of the part of a convex shape that is in another one (Sutherland and Hodgman).
fn common_area(shape: &[[f64; 2]], other: &[[f64; 2]]) -> f64 {
    let turn = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let area = |shape: &[[f64; 2]]| {
        let next = shape.iter().cycle().skip(1);
        shape.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>() / 2.0
    };
    let sign = area(other).signum();
    let mut part = shape.to_vec();
    for (number, a) in other.iter().enumerate() {
        let b = other[(number + 1) % other.len()];
        let inside = |at: [f64; 2]| turn(*a, b, at) * sign;
        let mut next = Vec::new();
        for (number, from) in part.iter().enumerate() {
            let to = part[(number + 1) % part.len()];
            let (first, last) = (inside(*from), inside(to));
            if first >= 0.0 {
                next.push(*from);
            }
            if (first > 0.0 && last < 0.0) || (first < 0.0 && last > 0.0) {
                let share = first / (first - last);
                next.push([0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis])));
            }
        }
        part = next;
    }
    area(&part).abs()
}

fn polygon(corners: &[[f64; 2]]) -> String {
    let points: Vec<String> = corners.iter().map(|[x, y]| format!("{x},{y}")).collect();
    format!("<object x=\"0\" y=\"0\"><polygon points=\"{}\"/></object>", points.join(" "))
}

fn middle(corners: &[[f64; 2]]) -> [f64; 2] {
    [0, 1].map(|axis| corners.iter().map(|corner| corner[axis]).sum::<f64>() / corners.len() as f64)
}

/// A cell covers itself and no other one, its middle is in it, and its outline a little inside meets it alone.
#[test]
fn each_cell_is_where_tiled_draws_it() {
    for shape in shapes() {
        for (row, column) in (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (row, column))) {
            let corners = shape.corners(column, row);
            let [x, y] = middle(&corners);
            let inner: Vec<[f64; 2]> = corners.iter().map(|[a, b]| [x + 0.98 * (a - x), y + 0.98 * (b - y)]).collect();
            let line: Vec<String> = inner.iter().map(|[x, y]| format!("{x},{y}")).collect();
            for objects in [
                format!("<object x=\"{x}\" y=\"{y}\"><point/></object>"),
                format!("<object x=\"{x}\" y=\"{y}\" width=\"0.2\" height=\"0.1\"/>"),
                format!("<object x=\"0\" y=\"0\"><polyline points=\"{}\"/></object>", line.join(" ")),
                polygon(&corners),
                polygon(&inner),
            ] {
                let walls = shape.walls(&objects);
                for (y, walls) in walls.iter().enumerate() {
                    for (x, is_wall) in walls.iter().enumerate() {
                        let expected = (x, y) == (column as usize, row as usize);
                        assert_eq!(*is_wall, expected, "({x},{y}) of {shape:?} with {objects}");
                    }
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn triangles_cover_the_cells_that_they_meet(
        shape in proptest::sample::select(shapes()),
        corners in proptest::array::uniform3(proptest::array::uniform2(-20.0..120.0_f64)),
    ) {
        let walls = shape.walls(&polygon(&corners));
        for (row, walls) in (0..ROWS).zip(walls) {
            for (column, is_wall) in (0..COLUMNS).zip(walls) {
                let area = common_area(&corners, &shape.corners(column, row));
                // A triangle that barely meets the cell may count or not.
                if !(1e-9..1e-4).contains(&area) {
                    prop_assert_eq!(is_wall, area > 1e-6, "({},{}) of {:?}: {}", column, row, shape, area);
                }
            }
        }
    }

    #[test]
    fn points_are_in_one_cell_that_has_them(
        shape in proptest::sample::select(shapes()),
        [x, y] in proptest::array::uniform2(-5.0..100.0_f64),
    ) {
        let walls = shape.walls(&format!("<object x=\"{x}\" y=\"{y}\"><point/></object>"));
        let near = [[x, y], [x + 1e-4, y], [x, y + 1e-4]];
        let on = |column, row| common_area(&near, &shape.corners(column, row)) > 0.0;
        let cells = (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (column, row)));
        let marked: Vec<(u32, u32)> = cells.clone().filter(|(x, y)| walls[*y as usize][*x as usize]).collect();
        prop_assert!(marked.len() <= 1);
        // Beside a border it may be either cell.
        let meant: Vec<(u32, u32)> = cells.filter(|(x, y)| on(*x, *y)).collect();
        prop_assert!(marked.iter().all(|cell| meant.contains(cell)), "{:?} {:?}", marked, meant);
        prop_assert!(!marked.is_empty() || meant.len() != 1, "{:?}", meant);
    }
}

/// Objects keep their places if a map is infinite, and its least cell in an odd row or column.
#[test]
fn objects_lie_where_they_lie_in_the_file() {
    for shape in shapes() {
        for (left, top) in [(1_u32, 1_u32), (2, 3)] {
            let object = polygon(&shape.corners(3, 2));
            let contents = shape.map(&object).replace("<map ", "<map infinite=\"1\" ");
            let chunk = format!(
                "<layer name=\"ground\"><data encoding=\"csv\"><chunk x=\"{left}\" y=\"{top}\" width=\"1\" \
                 height=\"1\">1</chunk><chunk x=\"4\" y=\"4\" width=\"1\" height=\"1\">1</chunk></data></layer></map>"
            );
            let map = TileMapFile::parse(contents.replace("</map>", &chunk), "x.tmx").unwrap();
            assert_eq!(map.origin(), [left, top].map(u32::cast_signed));
            let cells = map.cells(&Walls::Default).unwrap();
            let expected: Vec<[u32; 2]> = if top == 3 { Vec::new() } else { vec![[3 - left, 2 - top]] };
            assert_eq!(cells, expected, "{shape:?}");
        }
    }
}

#[test]
fn objects_cost_and_mark_as_on_other_maps() {
    let shape = shape("y", "odd", [16, 16], Some(8));
    let of = |column, row, class: &str| {
        let corners: Vec<String> = shape.corners(column, row).iter().map(|[x, y]| format!("{x},{y}")).collect();
        format!(
            "<object x=\"0\" y=\"0\" type=\"{class}\"><properties><property name=\"cost\" value=\"3\"/><property \
             name=\"way\" value=\"North-East\"/></properties><polygon points=\"{}\"/></object>",
            corners.join(" ")
        )
    };
    let contents = shape.map(&(of(1, 1, "mud") + &of(3, 2, "spawn")));
    let map = TileMapFile::parse(&contents, "x.tmx").unwrap();
    assert_eq!(map.cells(&"class=spawn".parse().unwrap()).unwrap(), [[3, 2]]);
    let (costs, ways) = (map.costs("cost").unwrap(), map.one_ways("way").unwrap());
    let at = |x: usize, y: usize| y * COLUMNS as usize + x;
    for index in 0..costs.len() {
        let is_meant = [at(1, 1), at(3, 2)].contains(&index);
        assert_eq!(costs[index], if is_meant { 3 } else { 1 });
        assert_eq!(ways[index], is_meant.then_some(Direction::NorthEast));
    }
    for (value, way) in [
        ("up", Some(Direction::North)),
        ("down-left", Some(Direction::SouthWest)),
        ("right-down", Some(Direction::SouthEast)),
        ("west-north", Some(Direction::NorthWest)),
        ("north-south", None),
        ("north-north", None),
        ("north-", None),
        ("onwards", None),
    ] {
        let map = TileMapFile::parse(contents.replace("North-East", value), "x.tmx").unwrap();
        match (map.one_ways("way"), way) {
            (Ok(ways), Some(way)) => assert_eq!(ways[at(1, 1)], Some(way), "{value}"),
            (Err(error), None) => assert_eq!(
                error.to_string(),
                format!("x.tmx: expected way as north, east, south or west, or as north-east, found {value:?}")
            ),
            (other, _) => panic!("{value}: {other:?}"),
        }
    }
}

#[test]
fn what_cannot_be_placed_is_said_with_its_place() {
    let hexes = shape("x", "odd", [16, 16], Some(8));
    for (side, message) in [
        ("17", "x.tmx:1:30: expected a hexsidelength from 0 to 16, the size of a tile, found \"17\""),
        ("-1", "x.tmx:1:30: expected a hexsidelength from 0 to 16, the size of a tile, found \"-1\""),
        ("x", "x.tmx:1:30: expected the hexsidelength of <map> as a finite number, found \"x\""),
    ] {
        let contents = hexes.map("").replace("hexsidelength=\"8\"", &format!("hexsidelength=\"{side}\""));
        assert_eq!(TileMapFile::parse(contents, "x.tmx").unwrap_err().to_string(), message);
    }
    let small = shape("x", "odd", [1, 1], None).map("<object x=\"1\" y=\"1\"/>");
    assert_eq!(
        TileMapFile::parse(small, "x.tmx").unwrap().map(&Walls::Default).unwrap_err().to_string(),
        "x.tmx:2:1: expected tiles of at least two pixels, to place objects, found smaller ones"
    );
    // A polygon whose edges go up and down a high map.
    let zigzag: Vec<[f64; 2]> = (0..40_000).map(|at| [-9.0, if at % 2 == 0 { 0.0 } else { 1e300 }]).collect();
    let contents = hexes.map(&polygon(&zigzag)).replace("width=\"5\" height=\"4\"", "width=\"4096\" height=\"4096\"");
    let error = TileMapFile::parse(contents, "x.tmx").unwrap().map(&Walls::Default).unwrap_err().to_string();
    assert_eq!(error, "x.tmx:2:1: expected objects with fewer corners, on fewer rows, found more than can be placed");
    // Huge and tiny ones.
    for corners in [
        [[-1e300, -1e300], [1e300, -1e300], [0.0, 1e300]],
        [[f64::MIN, f64::MIN], [f64::MAX, f64::MIN], [0.0, f64::MAX]],
        [[1e-300, 1e-300], [2e-300, 1e-300], [1e-300, 2e-300]],
    ] {
        hexes.walls(&polygon(&corners));
    }
    assert!(hexes.walls(&polygon(&[[-1e9, -1e9], [1e9, -1e9], [0.0, 1e9]])).iter().flatten().all(|is_wall| *is_wall));
}
