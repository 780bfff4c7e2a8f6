//! Direction maps.

use giveway_core::heuristic::Zero;
use giveway_core::store::Unreserved;
use giveway_core::{
    AgentId, Claim, CostLayer, Goals, NodeId, PathIn, Point, Query, Scene, SpaceGraph, SpaceTimeSearch,
};
use giveway_lanes::{Blank, DirectionMap, DirectionRules, EdgeDirectionMap, Ends, Raster, WorldDirectionMap};
use giveway_scenario::{DirectionMapFile, EdgeDirectionMapFile, WorldDirectionMapFile};
use giveway_spaces::{Connectivity, FnSpace, Grid};
use proptest::prelude::*;

use crate::files::{grid, rejects};

const SMALL: &str = "{\"format\":\"giveway-direction-map\",\"version\":1,\
    \"rules\":{\"rate\":0.4,\"neighbours\":0.0,\"ends\":\"both\",\"weight\":10.0,\"blank\":\"zero\"},\n\
    \"space\":\"d875ccb1b8745744\",\"nodes\":3,\"directions\":[\n\
    [0,0.4,0.0,0.0],\n\
    [1,0.64,0.0,0.0],\n\
    [2,0.4,0.0,0.0]\n]}\n";

/// Lets units walk over `grid` as `choices` say, each from where the one before ended.
fn walk(grid: &Grid, map: &DirectionMap, choices: &[usize]) {
    let mut node = NodeId(0);
    for choice in choices {
        let moves: Vec<_> = grid.moves(node).collect();
        let m = moves[choice % moves.len()];
        map.moved(grid, &m);
        node = m.to;
    }
}

/// The small map: a unit has gone from the first of three cells to the last.
fn learned() -> (Grid, DirectionMap) {
    let grid = grid(&["..."]);
    let map = DirectionMap::blank(&grid, DirectionRules::paper());
    for x in 0..2 {
        map.moved(&grid, &grid.moves(NodeId(x)).find(|m| m.to == NodeId(x + 1)).unwrap());
    }
    (grid, map)
}

fn bits(map: &DirectionMap) -> Vec<(NodeId, [u32; 3])> {
    map.directions().map(|(node, vector)| (node, vector.map(f32::to_bits))).collect()
}

#[test]
fn a_direction_map_is_written_one_direction_per_line() {
    let (grid, map) = learned();
    assert_eq!(DirectionMapFile::new(&map).to_string(), SMALL);
    let file = DirectionMapFile::parse(SMALL, "m.json").unwrap();
    assert_eq!(file, DirectionMapFile::new(&map));
    assert_eq!(file.rules(), map.rules());
    let read = file.map(&grid).unwrap();
    assert_eq!(read, map);
    map.freeze();
    assert!(!DirectionMapFile::new(&map).map(&grid).unwrap().is_frozen(), "it goes on learning");
}

#[test]
fn a_blank_map_comes_back_blank_with_its_rules() {
    let grid = grid(&[".@", ".."]);
    let rules = DirectionRules::paper().rate(0.25).neighbours(0.1).ends(Ends::Entered).weight(0.3).blank(Blank::Free);
    let map = DirectionMap::blank(&grid, rules);
    let text = DirectionMapFile::new(&map).to_string();
    assert!(text.contains(
        "\"rules\":{\"rate\":0.25,\"neighbours\":0.1,\"ends\":\"entered\",\"weight\":0.3,\"blank\":\"free\"},\n"
    ));
    assert!(text.ends_with("\"nodes\":4,\"directions\":[\n]}\n"), "{text}");
    assert_eq!(DirectionMapFile::parse(text, "m.json").unwrap().map(&grid).unwrap(), map);
}

#[test]
fn other_keys_and_layouts_are_read() {
    let json = SMALL.replace('{', "{\"note\": [1, {}], ").replace(',', " ,\r\n ");
    let file = DirectionMapFile::parse(format!("\u{feff}{json}"), "m.json").unwrap();
    assert_eq!(file.to_string(), SMALL);
}

#[test]
fn a_file_that_is_cut_off_anywhere_is_refused() {
    let end = SMALL.trim_end().len();
    for end in 0..end {
        let error = DirectionMapFile::parse(&SMALL[..end], "m.json").unwrap_err();
        assert!(error.to_string().starts_with("m.json:"), "{error}");
    }
    assert!(DirectionMapFile::parse(&SMALL[..end], "m.json").is_ok());
}

#[test]
fn what_is_no_direction_map_is_refused_with_its_place() {
    let with = |old: &str, new: &str| {
        assert!(SMALL.contains(old), "{old}");
        SMALL.replacen(old, new, 1)
    };
    let first = |new: &str| with("[0,0.4,0.0,0.0]", new);
    let table: Vec<(String, &str)> = vec![
        (String::new(), "m.json:1: EOF while parsing a value"),
        ("type octile\nheight 1\n".into(), "m.json: expected a direction map as JSON, found a Moving AI map"),
        ("[]".into(), "m.json:1:1: expected an object, found an array"),
        ("{}".into(), "m.json:1:2: missing field `format`"),
        (
            "{\"format\":\"giveway-trace\",\"version\":1,\"ticks_per_step\":1,\"agents\":[]}".into(),
            "m.json: expected a direction map as JSON, found a trace as JSON",
        ),
        (with("\"version\":1", "\"version\":2"), "m.json:1:45: expected version 1, found 2"),
        (with("\"nodes\":3,", ""), "m.json:6:2: missing field `nodes`"),
        (with("\"nodes\":3", "\"nodes\":4294967296"), "m.json:2:45: invalid value: integer `4294967296`, expected u32"),
        (with("\"nodes\":3", "\"nodes\":2"), "m.json:5:1: direction 2: expected one of 2 nodes, found 2"),
        (with("\"rate\":0.4,", ""), "m.json:1:115: missing field `rate`"),
        (with("0.4", "1.5"), "m.json:1:63: rules: expected a rate from 0 to 1, found 1.5"),
        (
            with("\"neighbours\":0.0", "\"neighbours\":-0.5"),
            "m.json:1:80: rules: expected a learning rate of neighbours from 0 to 1, found -0.5",
        ),
        (with("10.0", "1000001"), "m.json:1:107: rules: expected a weight from 0 to 1000000, found 1000001"),
        (with("10.0", "1e39"), "m.json:1:110: number out of range"),
        (with("10.0", "NaN"), "m.json:1:107: expected value"),
        (with("both", "neither"), "m.json:1:99: unknown variant `neither`, expected one of `both`, `entered`, `left`"),
        (with("zero", "dear"), "m.json:1:125: unknown variant `dear`, expected `zero` or `free`"),
        (
            with("d875ccb1b8745744", "+875ccb1b8745744"),
            "m.json:2:9: expected a space as 16 hexadecimal digits, found \"+875ccb1b8745744\"",
        ),
        (with("d875", "d8"), "m.json:2:9: expected a space as 16 hexadecimal digits, found \"d8ccb1b8745744\""),
        (with("d875", "d87ä"), "m.json:2:9: expected a space as 16 hexadecimal digits, found \"d87äccb1b8745744\""),
        (first("[3,0.4,0.0,0.0]"), "m.json:3:1: direction 0: expected one of 3 nodes, found 3"),
        (first("[1,0.4,0.0,0.0]"), "m.json:4:1: direction 1: expected a node after 1, found 1"),
        (first("[2,0.4,0.0,0.0]"), "m.json:4:1: direction 1: expected a node after 2, found 1"),
        (first("[-1,0.4,0.0,0.0]"), "m.json:3:3: invalid value: integer `-1`, expected u32"),
        (first("[0,0.4,0.0]"), "m.json:3:11: invalid length 3, expected a direction as [node, x, y, z]"),
        (first("[0,0.4,0.0,0.0,0.0]"), "m.json:3:16: trailing characters"),
        (first("7"), "m.json:3:1: invalid type: integer `7`, expected a direction as [node, x, y, z]"),
        (first("[0,null,0.0,0.0]"), "m.json:3:7: invalid type: null, expected f32"),
        (first("[0,NaN,0.0,0.0]"), "m.json:3:4: expected value"),
        (first("[0,1e39,0.0,0.0]"), "m.json:3:7: number out of range"),
        (
            first("[0,0.8,-0.7,0.0]"),
            "m.json:3:1: direction 0: expected a vector no longer than 1, found (0.8, -0.7, 0)",
        ),
        (format!("{SMALL} x"), "m.json:7:2: trailing characters"),
    ];
    rejects(&table, |contents| DirectionMapFile::parse(contents, "m.json"));
}

#[test]
fn a_map_is_for_its_own_space() {
    let file = DirectionMapFile::parse(SMALL, "m.json").unwrap();
    let learned = "learned in another space: of 3 nodes with the fingerprint d875ccb1b8745744, not of ";
    for (other, found) in [
        (grid(&["...."]), "4 with 46ccc2dc20697baf"),
        (grid(&["..@"]), "3 with a14e55d23de1e5e7"),
        (grid(&[".", ".", "."]), "3 with f1f69d43218d9414"),
    ] {
        assert_eq!(file.map(&other).unwrap_err().to_string(), format!("{learned}{found}"));
    }
    assert!(file.map(&grid(&["..."]).with_connectivity(Connectivity::Eight)).is_ok(), "the same moves");
    // An incredible number takes no memory.
    let vast = SMALL.replace("\"nodes\":3", "\"nodes\":4294967295");
    let vast = DirectionMapFile::parse(vast, "m.json").unwrap();
    let refused = vast.map(&grid(&["..."])).unwrap_err().to_string();
    assert!(refused.starts_with("learned in another space: of 4294967295 nodes"), "{refused}");
}

const ROADS: &str = "{\"format\":\"giveway-edge-direction-map\",\"version\":1,\
    \"rules\":{\"rate\":0.4,\"neighbours\":0.0,\"ends\":\"both\",\"weight\":10.0,\"blank\":\"zero\"},\n\
    \"space\":\"SPACE\",\"nodes\":3,\"moves\":[\n\
    [0,1,0.4],\n\
    [2,0,-0.4]\n]}\n";

/// Two roads from a junction, there and back.
fn roads() -> FnSpace<u32> {
    let ends = |node| if node == 0 { 1..3 } else { 0..1 };
    FnSpace::new(3, |node| ends(node).map(|to| (to, 1000))).unwrap()
}

fn learned_roads() -> (EdgeDirectionMap, String) {
    let roads = roads();
    let map = EdgeDirectionMap::blank(&roads, DirectionRules::paper());
    map.moved(&roads, &roads.moves(NodeId(0)).nth(1).unwrap());
    let text = ROADS.replace("SPACE", &format!("{:016x}", map.fingerprint()));
    (map, text)
}

#[test]
fn numbers_of_moves_are_written_one_per_line_and_come_back() {
    let (map, text) = learned_roads();
    assert_eq!(EdgeDirectionMapFile::new(&map).to_string(), text);
    let file = EdgeDirectionMapFile::parse(&text, "m.json").unwrap();
    assert_eq!((file.map(&roads()).unwrap(), file.rules()), (map, &DirectionRules::paper()));
    let other = FnSpace::new(3, |node| [((node + 1) % 3, 1000)]).unwrap();
    let refused = file.map(&other).unwrap_err().to_string();
    assert!(refused.starts_with("learned in another space: of 3 nodes with the fingerprint "), "{refused}");
    for end in 0..text.trim_end().len() {
        assert!(EdgeDirectionMapFile::parse(&text[..end], "m.json").is_err());
    }
}

const RASTER: &str = "{\"format\":\"giveway-world-direction-map\",\"version\":1,\
    \"rules\":{\"rate\":0.4,\"neighbours\":0.0,\"ends\":\"both\",\"weight\":10.0,\"blank\":\"zero\"},\n\
    \"space\":\"SPACE\",\"nodes\":12,\"cells\":[\n\
    [5,0.4,0.0,0.0],\n\
    [6,0.4,0.0,0.0]\n]}\n";

#[test]
fn a_map_of_a_raster_is_written_one_cell_per_line_and_comes_back() {
    let raster = Raster::new([-0.5, -0.5], [4.0, 3.0], 1.0).unwrap();
    let map = WorldDirectionMap::blank(raster, DirectionRules::paper());
    map.learn([1.0, 1.0, 0.0], [2.0, 1.0, 0.0]);
    let text = RASTER.replace("SPACE", &format!("{:016x}", map.fingerprint()));
    assert_eq!(WorldDirectionMapFile::new(&map).to_string(), text);
    let file = WorldDirectionMapFile::parse(&text, "m.json").unwrap();
    assert_eq!(file.map(raster).unwrap(), map);
    let others = [
        Raster::new([-0.5, -0.5], [4.0, 4.0], 1.0),
        Raster::new([-0.5, -0.5], [3.0, 4.0], 1.0),
        Raster::new([0.0, -0.5], [4.0, 3.0], 1.0),
        Raster::new([-0.5, -0.5], [8.0, 6.0], 2.0),
        raster.levels(0.0, 3.0, 1),
    ];
    for other in others {
        let refused = file.map(other.unwrap()).unwrap_err().to_string();
        assert!(refused.starts_with("learned in another space: of 12 nodes"), "{refused}");
    }
    for end in 0..text.trim_end().len() {
        assert!(WorldDirectionMapFile::parse(&text[..end], "m.json").is_err());
    }
    for (from, to, expected) in [
        ("[5,0.4", "[12,0.4", "m.json:3:1: cell 0: expected one of 12 cells, found 12"),
        ("[6,0.4", "[5,0.4", "m.json:4:1: cell 1: expected a cell after 5, found 5"),
        ("[6,0.4", "[6,1.4", "m.json:4:1: cell 1: expected a vector no longer than 1, found (1.4, 0, 0)"),
    ] {
        let error = WorldDirectionMapFile::parse(text.replace(from, to), "m.json").unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let error = DirectionMapFile::parse(&text, "m.json").unwrap_err().to_string();
    assert_eq!(error, "m.json: expected a direction map as JSON, found a direction map of a world as JSON");
}

#[test]
fn what_are_no_numbers_of_moves_is_refused_with_its_place() {
    let (_, text) = learned_roads();
    let with = |new: &str| text.replacen("[0,1,0.4]", new, 1);
    let table: Vec<(String, &str)> = vec![
        (SMALL.to_owned(), "m.json: expected a direction map of moves as JSON, found a direction map as JSON"),
        (with("[3,0,0.4]"), "m.json:3:1: move 0: expected one of 3 nodes, found 3"),
        (with("[2,0,0.4]"), "m.json:4:1: move 1: expected a move after the one before, found move 0 out of node 2"),
        (with("[0,1,-1.5]"), "m.json:3:1: move 0: expected a number from -1 to 1, found -1.5"),
        (with("[0,1]"), "m.json:3:5: invalid length 2, expected a move as [node, position, number]"),
    ];
    rejects(&table, |contents| EdgeDirectionMapFile::parse(contents, "m.json"));
    // A move that is not there: only the space knows.
    let beyond = EdgeDirectionMapFile::parse(with("[0,2,0.4]"), "m.json").unwrap();
    assert!(beyond.map(&roads()).is_err());
}

/// A cheapest way over `grid`, by what `map` charges.
fn route(grid: &Grid, map: &DirectionMap, from: u32, to: u32) -> PathIn<Grid> {
    let point = Point::swap_rule(grid);
    let scene = Scene { space: grid, footprint: &point, reservations: &Unreserved, layer: map };
    let query = Query::new(Claim::plain(AgentId(0)), NodeId(from), Goals::one(NodeId(to)));
    SpaceTimeSearch::new().find(&scene, query, &mut Zero).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever has been learned comes back bit for bit, and leads to the same routes.
    #[test]
    fn what_was_learned_comes_back(
        choices in prop::collection::vec(0..8_usize, 0..200),
        rate in 0.0_f32..=1.0,
        around in 0.0_f32..=1.0,
        weight in 0.0_f32..50.0,
        ends in prop::sample::select(vec![Ends::Both, Ends::Entered, Ends::Left]),
        free in any::<bool>(),
    ) {
        let grid = Grid::open(6, 5).unwrap().with_connectivity(Connectivity::Eight);
        let blank = if free { Blank::Free } else { Blank::Zero };
        let rules = DirectionRules::paper().rate(rate).neighbours(around).weight(weight).ends(ends).blank(blank);
        let map = DirectionMap::blank(&grid, rules);
        walk(&grid, &map, &choices);
        let text = DirectionMapFile::new(&map).to_string();
        let read = DirectionMapFile::parse(text, "m.json").unwrap().map(&grid).unwrap();
        prop_assert_eq!(bits(&read), bits(&map));
        prop_assert_eq!(read.rules(), map.rules());
        prop_assert_eq!(route(&grid, &read, 0, 29), route(&grid, &map, 0, 29));
        prop_assert_eq!(route(&grid, &read, 5, 24), route(&grid, &map, 5, 24));
    }

    /// However small a part is.
    #[test]
    fn every_number_comes_back_bit_for_bit(parts in prop::array::uniform3(any::<u32>())) {
        let grid = grid(&["."]);
        let map = DirectionMap::blank(&grid, DirectionRules::paper());
        // Numbers from 0 to 0.5, denormal ones among them.
        let vector = parts.map(|bits| f32::from_bits(bits & 0xBEFF_FFFF));
        map.set(NodeId(0), vector).unwrap();
        let text = DirectionMapFile::new(&map).to_string();
        let read = DirectionMapFile::parse(text, "m.json").unwrap().map(&grid).unwrap();
        prop_assert_eq!(bits(&read), bits(&map));
    }

    /// Unit vectors are a little longer than 1 as often as not.
    #[test]
    fn unit_vectors_come_back_bit_for_bit(angle in 0.0_f64..6.3, height in -1.0_f64..1.0) {
        let grid = grid(&["."]);
        let map = DirectionMap::blank(&grid, DirectionRules::paper());
        let flat = (1.0 - height * height).sqrt();
        #[allow(clippy::cast_possible_truncation)] // rounded to the nearest
        let vector = [flat * angle.cos(), flat * angle.sin(), height].map(|part| part as f32);
        map.set(NodeId(0), vector).unwrap();
        prop_assert_eq!(map.direction(NodeId(0)).map(f32::to_bits), vector.map(f32::to_bits));
        let text = DirectionMapFile::new(&map).to_string();
        let read = DirectionMapFile::parse(text, "m.json").unwrap().map(&grid).unwrap();
        prop_assert_eq!(bits(&read), bits(&map));
    }
}
