//! World files: every kind of entry is read, and every mistake is named with its place.

use giveway_scenario::{WorldFile, WorldGenerator, WorldKind, WorldLinkKind, WorldPlace, WorldShape, WorldStrategy};
use proptest::prelude::*;

use super::hostile::{edit, edited};

/// A world with every key that there is.
const WHOLE: &str = r##"name = "House"
seed = 7
ticks_per_step = 12
cell = 0.25
floor_height = 3.5
window = 8

[[map]]
name = "ground"
cells = """
..#..
.....
"""
offset = [2, 0.5]
neighbours = 8
solid = true

[[map]]
name = "upper"
file = "upper.tmx"
floor = 1
walls = "rocks"
costs = "mud"
one_ways = "lane"

[[map]]
name = "garden"
file = "garden.png"
colors = { "#000000" = "wall", "#8b4513" = 3, other = "free" }

[[map]]
name = "streets"
file = "streets.json"
roads = { spacing = 5.5, lane = 3, setback = 6.0, keeping_left = true, turning_round = true }

[[map]]
name = "paths"
nodes = { a = [0, 0], b = [4.5, 0], c = [4, 3] }
edges = [["a", "b"], ["b", "c"]]
directed = true

[[map]]
name = "meadow"
vertices = [[0, 0], [4, 0], [4, 3], [0, 3]]
polygons = [[0, 1, 2], [0, 2, 3]]

[[class]]
name = "walker"
on = ["ground", "upper"]
shape = { disc = 0.3 }
speed = 0.75
priority = -1
strategy = "lra"
window = 4

[[class]]
name = "lorry"
on = ["ground"]
shape = { rectangle = [1.8, 0.9] }
turning = { headings = 4, radius = 2, reversing = 2.0, pivoting = 6 }

[[class]]
name = "van"
shape = { polygon = [[0, 0], [1, 0], [0, 1.5]] }
on = ["streets"]

[[class]]
name = "block"
shape = { square = 2 }
[[class]]
name = "dot"
shape = "point"
strategy = "dm"

[[agents]]
class = "walker"
name = "anna"
start = [2, 1, 1]
goal = [0, 1]

[[agents]]
class = "lorry"
start = [3, 1]
heading = 90
tour = [[2, 1], "gate", "b"]

[[agents]]
class = "walker"
count = 20
from = ["door"]
to = ["door", "field"]

[[agents]]
class = "dot"
file = "dots.csv"

[[link]]
kind = "stairs"
from = [4, 1]
to = [4, 1, 1]
places = 3
cost = 7.5
one_way = true
classes = ["walker"]

[[link]]
kind = "lift"
from = [0, 1]
to = [0, 1, 1]
duration = 4

[[area]]
name = "door"
rectangle = [[1.5, 0.5], [2.5, 1.5]]
floor = 0
closes = [200, 400]
opens = [300]

[[area]]
name = "field"
polygon = [[0, 0], [4, 0], [4, 4]]

[[area]]
disc = [1, 1, 2.5]

[places]
gate = [4.5, 2, 1]

[[order]]
tick = 50
agent = "anna"
goal = [3, 1, 1]

[[order]]
tick = 60
agent = "anna"
"##;

#[test]
fn every_key_is_read() {
    let world = WorldFile::parse(WHOLE, "house.toml").unwrap();
    let document = world.document();
    assert_eq!((world.name(), document.seed, document.maps.len()), ("House".to_owned(), 7, 6));
    let cells = world.cells(&document.maps[0]).unwrap().unwrap();
    assert_eq!((cells.width(), cells.height(), cells.is_passable(2, 0)), (5, 2, false));
    assert_eq!(world.path(document.maps[1].file.as_ref().unwrap()).unwrap().to_str(), Some("upper.tmx"));
    assert!(document.maps[3].roads.as_ref().unwrap().keeping_left);
    let graph = world.graph(&document.maps[4]).unwrap().unwrap();
    assert_eq!((graph.ids().len(), graph.edges().len(), graph.edges()[0].duration), (3, 2, 4.5));
    assert_eq!(world.mesh(&document.maps[5]).unwrap().unwrap().walls().len(), 4);
    let walker = &document.classes[0];
    assert_eq!(walker.strategy.as_ref().unwrap().value, WorldStrategy::Lra);
    assert_eq!(walker.shape.as_ref().unwrap().value, WorldShape::Disc(0.3));
    assert_eq!(document.classes[3].shape.as_ref().unwrap().value, WorldShape::Square(2));
    let start = document.agents[0].start.as_ref().unwrap();
    assert_eq!((start.value.clone(), start.at), (WorldPlace::new([2.0, 1.0], 1), WHOLE.find("[2, 1, 1]").unwrap()));
    assert_eq!(
        document.links.iter().map(|link| link.kind.value).collect::<Vec<_>>(),
        [WorldLinkKind::Stairs, WorldLinkKind::Lift]
    );
    let colors = world.colors(&document.maps[2]).unwrap().unwrap();
    assert_eq!([[0; 3], [0x8b, 0x45, 0x13], [1; 3]].map(|color| colors.of(color).unwrap()), [None, Some(3), Some(1)]);
    assert_eq!(document.classes[4].strategy.as_ref().unwrap().value, WorldStrategy::Dm);
    // A place by its name, and a node of a graph.
    let tour = document.agents[1].tour.as_ref().unwrap();
    let at = |stop: usize| (tour[stop].position, tour[stop].floor, tour[stop].name.as_deref());
    assert_eq!((at(1), at(2)), (([4.5, 2.0], 1, Some("gate")), ([4.5, 0.0], 0, Some("b"))));
    assert_eq!((document.areas[0].closes.as_slice(), document.orders.len()), (&[200, 400][..], 2));
}

#[test]
fn a_name_is_that_of_the_file_if_there_is_no_other() {
    let world = WorldFile::parse(SMALL, "worlds/yard.toml").unwrap();
    assert_eq!((world.name(), world.document().floor_height.value), ("yard".to_owned(), 3.0));
}

/// The least world.
const SMALL: &str = "[[map]]\ncells = '..'\n[[class]]\nname = 'a'\n";

#[test]
fn mistakes_are_named_with_their_places() {
    // What follows the least world, and the error.
    let rows = [
        ("speed = ", "w:5:9: string values must be quoted, expected literal string"),
        ("sped = 1", "w:5:1: expected a key of a class, found \"sped\": is \"speed\" meant?"),
        ("qqqqqq = 1", "w:5:1: expected a key of a class, found \"qqqqqq\""),
        ("speed = 'x'", "w:5:9: expected a number, found string \"x\""),
        ("speed = 0", "w:5:9: expected a speed from 0.001 to 1000, found 0"),
        ("speed = nan", "w:5:9: expected a speed from 0.001 to 1000, found NaN"),
        ("window = 0", "w:5:10: expected a window from 1 to 10000, found 0"),
        (
            "shape = 'disk'",
            "w:5:9: expected one of point, disc, square, rectangle, polygon, found \"disk\": is \"disc\" meant?",
        ),
        ("shape = { disc = true }", "w:5:18: expected a number, found boolean true"),
        ("strategy = 'wcha'", "w:5:12: expected one of whca, lra, dm, found \"wcha\": is \"whca\" meant?"),
        ("on = ['b']", "w:5:7: expected the name of a map, found \"b\""),
        ("on = []", "w:4:8: expected a class on at least one map, found 0"),
        ("turning = { headings = 7 }", "w:5:11: expected 4, 8 or 16 headings, found 7"),
        ("[[class]]\nname = 'a'", "w:6:8: expected a name that no other class has, found \"a\""),
        ("[[class]]\nspeed = 1", "w:5:1: expected the key \"name\", found none"),
        ("[[map]]\ncells = '.'", "w:1:1: expected a name for each of several maps, found none"),
        (
            "[[agents]]\nclass = 'b'\nstart = [0, 0]",
            "w:6:9: expected the name of a class, found \"b\": is \"a\" meant?",
        ),
        ("[[agents]]\nclass = 'a'", "w:5:1: expected one of start, count and file, found none"),
        ("[[agents]]\nclass = 'a'\nstart = [0]", "w:7:9: expected a place as [x, y] or [x, y, floor], found 1 numbers"),
        (
            "[[agents]]\nclass = 'a'\nstart = [0, 0, 0.5]",
            "w:7:9: expected a place as [x, y] or [x, y, floor], found the floor 0.5",
        ),
        (
            "[[agents]]\nclass = 'a'\nstart = [0, 1e6]",
            "w:7:9: expected a place as [x, y] or [x, y, floor], found [0, 1000000], which is beyond 100000",
        ),
        (
            "[[agents]]\nclass = 'a'\nstart = 'gat'\n[places]\ngate = [0, 0]",
            "w:7:9: expected the name of a place, found \"gat\": is \"gate\" meant?",
        ),
        (
            "[[agents]]\nclass = 'a'\nstart = [0, 0]\ntour = [[0, 0], 'x']",
            "w:8:17: expected the name of a place, found \"x\"",
        ),
        ("[places]\na = [0, 0]\nb = 'a'", "w:7:5: expected a place as [x, y] or [x, y, floor], found \"a\""),
        (
            "[[agents]]\nclass = 'a'\nstart = 7",
            "w:7:9: expected a place as [x, y] or [x, y, floor], or the name of a place, found integer 7",
        ),
        ("[[agents]]\nclass = 'a'\ncount = 9000000", "w:5:1: expected at most 1048576 agents, found 9000000"),
        ("[[agents]]\nclass = 'a'\ncount = 2\ngoal = [0, 0]", "w:8:8: expected goal only beside start, found no start"),
        ("[[agents]]\nclass = 'a'\ncount = 2\nname = 'x'", "w:8:8: expected name only beside start, found no start"),
        (
            "[[agents]]\nclass = 'a'\nstart = [0, 0]\ncount = 2",
            "w:5:1: expected one of start, count and file, found several",
        ),
        ("[[agents]]\nclass = 'a'\nstart = [0, 0]\nfrom = ['x']", "w:8:9: expected the name of an area, found \"x\""),
        (
            "[[link]]\nkind = 'lift'\nfrom = [0, 0]\nto = [1, 0]",
            "w:5:1: expected the duration of a lift, in steps, found none",
        ),
        (
            "[[link]]\nkind = 'lift'\nfrom = [0, 0]\nto = [1, 0]\nduration = 1\nplaces = 2",
            "w:10:10: expected places of stairs only, found a lift, which takes one agent",
        ),
        (
            "[[link]]\nkind = 'stairs'\nfrom = [0, 0]\nto = [1, 0]\nplaces = 100000",
            "w:9:10: expected at most 10000 places, found 100000",
        ),
        ("[[area]]\ncloses = [1]", "w:5:1: expected a rectangle, a polygon or a disc, found none"),
        (
            "[[area]]\ndisc = [0, 0, 1]\nrectangle = [[0, 0], [1, 1]]",
            "w:5:1: expected one rectangle, polygon or disc, found 2",
        ),
        ("[[area]]\ndisc = [0, 0]", "w:6:8: expected an array of length 3, found 2"),
        ("[[order]]\ntick = 1\nagent = 'x'", "w:7:9: expected the name of an agent, found \"x\""),
        ("[[order]]\ntick = -1\nagent = 'x'", "w:6:8: expected a whole number from 0, found integer -1"),
        (
            "[[wall]]\n",
            "w:5:3: expected one of the keys name, seed, ticks_per_step, cell, floor_height, window, map, class, agents, link, area, places, sides, order, found \"wall\"",
        ),
    ];
    for (added, error) in rows {
        let found = WorldFile::parse(format!("{SMALL}{added}"), "w").map(|_| ()).unwrap_err().to_string();
        assert_eq!(found, error, "{added}");
    }
    let alone = [
        ("", "w:1:1: expected at least one [[map]], found none"),
        ("[[map]]\ncells = '.'", "w:2:12: expected at least one [[class]], found none"),
        (
            "[[map]]\n[[class]]\nname = 'a'",
            "w:1:1: expected a map of one of file, cells, nodes and vertices, found none",
        ),
        (
            "[[map]]\ncells = '.'\nfile = 'x'\n[[class]]\nname = 'a'",
            "w:1:1: expected a map of one of file, cells, nodes and vertices, found several",
        ),
        (
            "[[map]]\nnodes = { a = [0, 0] }\nedges = [['a', 'b']]\n[[class]]\nname = 'a'",
            "w:3:10: expected an edge between two nodes, found \"b\"",
        ),
        (
            "[[map]]\nname = 'a'\nnodes = { n = [0, 0] }\n[[map]]\nname = 'b'\nnodes = { n = [1, 0] }\n[[class]]\nname = 'a'\n\
             [[order]]\ntick = 1\nagent = 'x'\ngoal = 'n'\n[[agents]]\nclass = 'a'\nname = 'x'\nstart = [0, 0]",
            "w:12:8: expected a node of one graph, or a name in [places], found \"n\"",
        ),
        (
            "[[map]]\nfile = 'a.png'\ncolors = { '#00g' = 1 }\n[[class]]\nname = 'a'",
            "w:3:21: expected a colour as #8b4513, or other, found \"#00g\"",
        ),
        (
            "[[map]]\nfile = 'a.png'\ncolors = { '#000000' = 1001 }\n[[class]]\nname = 'a'",
            "w:3:24: expected wall, free, or a whole number from 1 to 1000, found \"1001\"",
        ),
        (
            "[[map]]\nfile = 'a.png'\ncolors = { '#000000' = true }\n[[class]]\nname = 'a'",
            "w:3:24: expected \"wall\", \"free\", or a whole number from 1 to 1000, found boolean true",
        ),
        (
            "[[map]]\nfile = 'a.png'\ncolors = { '#aaaaaa' = 1, '#AAAAAA' = 2 }\n[[class]]\nname = 'a'",
            "w:3:10: expected each colour once, found \"#aaaaaa\"",
        ),
        (
            "[[map]]\nfile = 'a.png'\ncolors = { }\n[[class]]\nname = 'a'",
            "w:3:10: expected at least one colour, found none",
        ),
        (
            "[[map]]\ncells = '.'\ncolors = { other = 1 }\n[[class]]\nname = 'a'",
            "w:3:10: expected colors only beside the file of a picture, found no file",
        ),
        ("[[map]]\nnodes = { }\n[[class]]\nname = 'a'", "w:2:9: expected at least one node, found none"),
        (
            "[[map]]\nvertices = []\n[[class]]\nname = 'a'",
            "w:2:12: expected vertices beside polygons, found no polygons",
        ),
        ("type octile\nheight 1\nwidth 1\nmap\n.\n", "w: expected a world as TOML, found a Moving AI map"),
    ];
    for (text, error) in alone {
        assert_eq!(WorldFile::parse(text, "w").map(|_| ()).unwrap_err().to_string(), error, "{text}");
    }
}

#[test]
fn cells_have_equal_rows_of_known_characters() {
    for (cells, error) in [
        ("", "w:2:9: expected rows of cells, found none"),
        ("..\\n.", "w:2:9: expected 2 cells in row 2 as in the first one, found 1"),
        (".x", "w:2:9: expected cells of .GSE#@OTW, found 'x' in row 1"),
    ] {
        let world = WorldFile::parse(format!("[[map]]\ncells = \"{cells}\"\n[[class]]\nname = 'a'\n"), "w").unwrap();
        assert_eq!(world.cells(&world.document().maps[0]).unwrap_err().to_string(), error);
    }
}

#[test]
fn files_lie_in_the_folder_of_the_world() {
    for name in ["../a.map", "/etc/passwd", "maps/../../a.map"] {
        let world =
            WorldFile::parse(format!("[[map]]\nfile = '{name}'\n[[class]]\nname = 'a'\n"), "worlds/w.toml").unwrap();
        let error = world.path(world.document().maps[0].file.as_ref().unwrap()).unwrap_err().to_string();
        assert_eq!(error, format!("worlds/w.toml:2:8: expected a file in the folder \"worlds\", found {name:?}"));
    }
    let world = WorldFile::parse("[[map]]\nfile = 'b/../a.map'\n[[class]]\nname = 'a'\n", "worlds/w.toml").unwrap();
    assert!(world.path(world.document().maps[0].file.as_ref().unwrap()).is_ok());
}

/// Reads `contents`, and does with what comes out whatever can be done.
fn read_as_world(contents: &[u8]) {
    let Ok(world) = WorldFile::parse(contents, "x/w.toml") else { return };
    for map in &world.document().maps {
        let cells = world.cells(map);
        assert!(cells.is_err() || map.cells.is_some() == cells.unwrap().is_some());
        let _ = map.file.as_ref().map(|file| world.path(file));
        assert_eq!(world.graph(map).unwrap().is_some(), map.nodes.is_some());
        let _ = world.mesh(map);
        assert_eq!(world.colors(map).unwrap().is_some(), map.colors.is_some());
    }
    let document = world.document();
    let starts = document.agents.iter().filter_map(|agents| agents.start.as_ref());
    let ends = document.links.iter().flat_map(|link| [&link.from, &link.to]);
    let all = starts.chain(ends).chain(document.orders.iter().filter_map(|order| order.goal.as_ref()));
    // Wherever a name leads.
    all.for_each(|place| assert!(place.position.iter().all(|side| side.is_finite()), "{place:?}"));
    assert!(world.document().agents.len() < 1 << 20);
}

#[test]
fn worlds_cut_off_anywhere_do_not_panic() {
    (0..WHOLE.len()).for_each(|end| read_as_world(&WHOLE.as_bytes()[..end]));
}

#[test]
fn deep_and_long_worlds_are_refused_without_much_memory() {
    let deep = format!("[[map]]\ncells = {}1{}\n", "[".repeat(100_000), "]".repeat(100_000));
    assert!(WorldFile::parse(deep, "w").is_err());
    let keys = format!("a{} = 1", ".a".repeat(100_000));
    assert!(WorldFile::parse(keys, "w").is_err());
    let many = format!("{SMALL}{}", "[[area]]\ndisc = [0, 0, 1]\n".repeat(10_001));
    assert_eq!(
        WorldFile::parse(many, "w").map(|_| ()).unwrap_err().message(),
        "expected at most 10000 areas, found 10001"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edited_worlds_do_not_panic(edits in proptest::collection::vec(edit(), 1..5)) {
        read_as_world(&edited(WHOLE, edits));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "takes minutes"]
    fn half_a_million_edited_worlds_do_not_panic(edits in proptest::collection::vec(edit(), 1..5)) {
        read_as_world(&edited(WHOLE, edits));
    }
}

#[test]
fn generated_worlds_are_worlds() {
    let kinds = [WorldKind::Grid, WorldKind::Graph, WorldKind::Mesh, WorldKind::Mixed];
    for (kind, seed) in kinds.iter().flat_map(|kind| (0..20).map(move |seed| (*kind, seed))) {
        for (width, height, agents) in [(8, 8, 4), (31, 17, 12), (64, 40, 30)] {
            let generator = WorldGenerator::new(kind, width, height).agents(agents).seed(seed);
            let text = generator.generate().unwrap();
            assert_eq!(generator.generate().unwrap(), text);
            let world = WorldFile::parse(&text, "w").unwrap_or_else(|error| panic!("{error}\n{text}"));
            let counts = world.document().agents.iter().map(|agents| agents.count.as_ref().unwrap().value);
            assert_eq!(counts.sum::<u32>(), agents, "{kind:?}");
            for map in &world.document().maps {
                let made = [world.cells(map).unwrap().is_some(), world.mesh(map).unwrap().is_some()];
                assert_eq!(made.contains(&true), world.graph(map).unwrap().is_none());
            }
        }
        let other = WorldGenerator::new(kind, 64, 40).seed(seed + 1).generate().unwrap();
        assert_ne!(WorldGenerator::new(kind, 64, 40).seed(seed).generate().unwrap(), other);
    }
    for (width, height, agents, error) in [
        (7, 9, 1, "a world of 7 x 9 cells is too small: expected at least 8 x 8 cells"),
        (9000, 9000, 1, "a map of 9000 x 9000 cells is too large: expected at most 1048576 cells"),
        (16, 16, 1000, "1000 agents are too many for a world of this size: expected at most 40"),
    ] {
        let found = WorldGenerator::new(WorldKind::Grid, width, height).agents(agents).generate();
        assert_eq!(found.unwrap_err().to_string(), error);
    }
}
