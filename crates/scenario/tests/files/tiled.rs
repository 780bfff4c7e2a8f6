//! Maps of the Tiled editor.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::write::{GzEncoder, ZlibEncoder};
use giveway_scenario::{AnyMapFile, FileError, TileLayout, TileMapFile, Walls};
use giveway_spaces::Stagger;

use crate::files::rejects;

/// Three rows of four cells, of which some are walls; some tiles are flipped.
const TILES: [u32; 12] = [0, 3, 0, 0x8000_0003, 0, 0, 0, 0, 0xF000_0001, 0, 2, 0];
const WALLS: [&str; 3] = [".@.@", "....", "@.@."];

fn csv(tiles: &[u32]) -> String {
    tiles.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

fn bytes(tiles: &[u32]) -> Vec<u8> {
    tiles.iter().flat_map(|tile| tile.to_le_bytes()).collect()
}

pub(super) fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(super) fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// A map of four columns and three rows with these layers.
fn map(layers: &str) -> String {
    map_with("orientation=\"orthogonal\" width=\"4\" height=\"3\" tilewidth=\"10\" tileheight=\"20\"", layers)
}

fn map_with(attributes: &str, layers: &str) -> String {
    format!("<?xml version=\"1.0\"?>\n<map {attributes}>\n{layers}</map>\n")
}

fn layer(name: &str, data: &str) -> String {
    format!("<layer name=\"{name}\" width=\"4\" height=\"3\">{data}</layer>\n")
}

/// A layer of the tiles above.
fn tiles(name: &str) -> String {
    layer(name, &format!("<data encoding=\"csv\">{}</data>", csv(&TILES)))
}

fn packed(compression: &str, bytes: &[u8]) -> String {
    format!("<data encoding=\"base64\" compression=\"{compression}\">\n {}\n</data>", STANDARD.encode(bytes))
}

fn parse(contents: &[u8]) -> Result<TileMapFile, FileError> {
    TileMapFile::parse(contents, "x.tmx")
}

/// The rows of the map; walls as `@`.
fn rows(map: &TileMapFile, walls: &str) -> Result<Vec<String>, FileError> {
    let walls = if walls.is_empty() { Walls::Default } else { walls.parse().unwrap() };
    Ok(map.map(&walls)?.to_string().lines().skip(4).map(str::to_owned).collect())
}

fn shown(contents: &str, walls: &str) -> Vec<String> {
    let map = parse(contents.as_bytes()).unwrap_or_else(|error| panic!("{error}: {contents}"));
    rows(&map, walls).unwrap_or_else(|error| panic!("{error}: {contents}"))
}

#[test]
fn every_way_to_write_tiles_is_read() {
    let elements: String = TILES.iter().fold(String::new(), |mut all, tile| {
        if *tile == 0 {
            all += "<tile/>";
        } else {
            write!(all, "<tile gid=\"{tile}\"/>").unwrap();
        }
        all
    });
    let data = bytes(&TILES);
    let plain = csv(&TILES);
    for data in [
        format!("<data>{elements}</data>"),
        format!("<data encoding=\"csv\">{plain}</data>"),
        format!("<data encoding=\"csv\">\n{},\n</data>", plain.replace(',', ",\n ")),
        format!("<data encoding=\"csv\"><!-- a --><![CDATA[{plain}]]></data>"),
        packed("", &data),
        packed("gzip", &gzip(&data)),
        packed("zlib", &zlib(&data)),
        packed("zstd", &zstd(&data)),
        packed("zlib", &zlib(&data)).replace("==\n", "\n").replace("=\n", "\n"),
    ] {
        let contents = map(&layer("Walls", &data));
        for contents in [contents.clone(), contents.replace('\n', "\r\n"), format!("\u{feff}{contents}")] {
            assert_eq!(shown(&contents, ""), WALLS, "{contents}");
            assert!(matches!(AnyMapFile::parse(&contents, "any"), Ok(AnyMapFile::Tiles(_))), "{contents}");
        }
    }
}

#[test]
fn layers_may_be_larger_or_smaller_than_the_map() {
    for (layer, expected) in [
        ("width=\"5\" height=\"1\"><data encoding=\"csv\">0,1,0,0,1</data>", [".@..", "....", "...."]),
        ("width=\"1\" height=\"4\"><data encoding=\"csv\">0,1,1,1</data>", ["....", "@...", "@..."]),
    ] {
        assert_eq!(shown(&map(&format!("<layer name=\"walls\" {layer}</layer>")), ""), expected);
    }
}

/// As the first versions of Tiled wrote it.
#[test]
fn a_document_type_without_entities_is_ignored() {
    let named = "<!DOCTYPE map SYSTEM \"http://mapeditor.org/dtd/1.0/map.dtd\">\n<map ";
    assert_eq!(shown(&map(&tiles("walls")).replace("<map ", named), ""), WALLS);
    let declared = "<!DOCTYPE map SYSTEM \"http://mapeditor.org/dtd/1.0/map.dtd\" [<!ENTITY a \"a\">]>\n<map ";
    let error = parse(map(&tiles("walls")).replace("<map ", declared).as_bytes()).unwrap_err();
    assert!(error.message().starts_with("expected XML without entities of its own"), "{error}");
}

#[test]
fn json_says_the_same() {
    let zlib = STANDARD.encode(zlib(&bytes(&TILES)));
    for data in [
        format!("\"data\":[{}]", csv(&TILES)),
        format!("\"encoding\":\"csv\", \"data\":[{}]", csv(&TILES)),
        format!("\"data\":\"{zlib}\",\"encoding\":\"base64\",\"compression\":\"zlib\""),
        format!("\"data\":\"{}\",\"encoding\":\"base64\",\"compression\":\"\"", STANDARD.encode(bytes(&TILES))),
    ] {
        let contents = format!(
            "{{\"type\":\"map\",\"orientation\":\"orthogonal\",\"width\":4,\"height\":3,\"tilewidth\":10,\"tileheight\":20,\
             \"infinite\":false,\"tilesets\":[{{\"firstgid\":1,\"name\":\"t\",\"tiles\":[{{\"id\":2,\"type\":\"rock\",\
             \"properties\":[{{\"name\":\"solid\",\"type\":\"bool\",\"value\":true}}]}}]}}],\n\"layers\":[\
             {{\"type\":\"group\",\"name\":\"World\",\"layers\":[{{\"type\":\"tilelayer\",\"name\":\"wall\",\"width\":4,\
             \"height\":3,{data}}}]}},\n{{\"type\":\"objectgroup\",\"name\":\"o\",\"objects\":[{{\"x\":0,\"y\":0,\"width\":10,\
             \"height\":20,\"rotation\":0}},{{\"x\":30,\"y\":40,\"polygon\":[{{\"x\":0,\"y\":0}},{{\"x\":10,\"y\":0}},\
             {{\"x\":0,\"y\":20}}]}},{{\"x\":15,\"y\":30,\"point\":true}}]}}]}}"
        );
        let map = TileMapFile::parse(&contents, "x.tmj").unwrap_or_else(|error| panic!("{error}: {contents}"));
        assert_eq!(map.layers().collect::<Vec<_>>(), ["World/wall", "o"]);
        assert_eq!(rows(&map, "").unwrap(), WALLS);
        assert_eq!(rows(&map, "o").unwrap(), ["@...", ".@..", "...@"]);
        for rocks in ["solid=true", "type=rock", "class=rock"] {
            assert_eq!(rows(&map, rocks).unwrap(), [".@.@", "....", "...."], "{rocks}");
        }
        assert!(matches!(AnyMapFile::parse(&contents, "any"), Ok(AnyMapFile::Tiles(_))));
    }
}

#[test]
fn walls_are_named_by_layer_or_by_property() {
    let set = "<tileset firstgid=\"1\" name=\"t\"><tile id=\"0\" class=\"rock\"/><tile id=\"1\"><properties>\
               <property name=\"height\" type=\"int\" value=\"3\"/></properties></tile>\
               <tile id=\"2\"><objectgroup><object id=\"1\" type=\"block\"/></objectgroup></tile></tileset>\n";
    let one = |at: usize| {
        let mut all = [0; 12];
        all[at] = 9;
        layer(["sand", "a=b", "Walled"][at], &format!("<data encoding=\"csv\">{}</data>", csv(&all)))
    };
    let contents = map(&format!(
        "{set}{}<group name=\"Deep\"><properties><property name=\"solid\">yes</property></properties>{}{}</group>{}",
        one(0),
        tiles("mixed"),
        one(1),
        one(2),
    ));
    for (walls, expected) in [
        ("", ["..@.", "....", "...."]),
        ("none", ["....", "....", "...."]),
        ("sand", ["@...", "....", "...."]),
        ("mixed", WALLS),
        ("Deep/mixed", WALLS),
        ("Deep", [".@.@", "....", "@.@."]),
        // The layer of this name, and no property.
        ("a=b", [".@..", "....", "...."]),
        ("class=rock", ["....", "....", "@..."]),
        ("type=rock", ["....", "....", "@..."]),
        ("height=3", ["....", "....", "..@."]),
        ("height=3.0", ["....", "....", "..@."]),
        // What the collision editor puts on a tile.
        ("type=block", [".@.@", "....", "...."]),
        ("solid=yes", [".@.@", "....", "@.@."]),
    ] {
        assert_eq!(shown(&contents, walls), expected, "{walls}");
    }
    let map = parse(contents.as_bytes()).unwrap();
    let layers = "the layers \"sand\", \"Deep/mixed\", \"Deep/a=b\", \"Walled\"";
    for (walls, message) in [
        ("San", format!("x.tmx: expected the layer \"San\", or property=value, found {layers}")),
        (
            "height=4",
            "x.tmx: expected a tile, an object or a layer with height=4, found height only as \"3\"".to_owned(),
        ),
        (
            "deep=4",
            format!(
                "x.tmx: expected a tile, an object or a layer with the property \"deep\", found the properties \"class\", \
                 \"height\", \"solid\", \"type\"; {layers}"
            ),
        ),
    ] {
        assert_eq!(rows(&map, walls).unwrap_err().to_string(), message);
    }
    let message = rows(&parse(self::map(&tiles("a")).as_bytes()).unwrap(), "").unwrap_err().to_string();
    assert!(message.ends_with("found the layers \"a\""), "{message}");
}

#[test]
fn properties_are_costs_and_marks_are_cells() {
    let set = "<tileset firstgid=\"1\"><tile id=\"0\"><properties><property name=\"cost\" type=\"float\" value=\"3\"/></properties>\
               </tile><tile id=\"1\"><properties><property name=\"cost\" value=\"5\"/></properties></tile></tileset>\n";
    let swamp = "<objectgroup name=\"swamp\"><properties><property name=\"cost\" value=\"4\"/></properties>\
                 <object x=\"0\" y=\"40\" width=\"30\" height=\"20\"/><object type=\"spawn\" x=\"31\" y=\"1\"><point/></object></objectgroup>";
    let contents = map(&format!("{set}{}{swamp}", tiles("a")));
    let map = parse(contents.as_bytes()).unwrap();
    assert_eq!(map.costs("cost").unwrap(), [1, 1, 1, 4, 1, 1, 1, 1, 4, 4, 5, 1]);
    assert_eq!(map.cells(&"type=spawn".parse().unwrap()).unwrap(), [[3, 0]]);
    assert!(map.costs("price").unwrap_err().to_string().contains("with the property \"price\", found the properties"));
    let wrong = parse(contents.replace("value=\"5\"", "value=\"dear\"").as_bytes()).unwrap();
    assert_eq!(
        wrong.costs("cost").unwrap_err().to_string(),
        "x.tmx: expected cost as a whole number from 1 to 1000, found \"dear\""
    );
}

#[test]
fn properties_are_one_ways() {
    use giveway_spaces::Direction::{East, North};
    let set = "<tileset firstgid=\"1\"><tile id=\"0\"><properties><property name=\"way\" value=\"East\"/></properties></tile>\
               <tile id=\"1\"><properties><property name=\"way\" value=\"up\"/></properties></tile></tileset>\n";
    let contents = map(&format!("{set}{}", tiles("a")));
    let ways = parse(contents.as_bytes()).unwrap().one_ways("way").unwrap();
    assert_eq!(ways.iter().filter(|way| way.is_some()).count(), 2);
    assert_eq!((ways[8], ways[10]), (Some(East), Some(North)));
    let wrong = parse(contents.replace("up", "onwards").as_bytes()).unwrap();
    assert_eq!(
        wrong.one_ways("way").unwrap_err().to_string(),
        "x.tmx: expected way as north, east, south or west, or as north-east, found \"onwards\""
    );
    let hexagonal = contents.replace("orthogonal", "hexagonal");
    assert_eq!(parse(hexagonal.as_bytes()).unwrap().one_ways("way").unwrap(), ways);
}

#[test]
fn groups_and_collision_layers_are_walls_by_default() {
    for layers in
        [tiles("COLLISIONS"), tiles("outer wall"), format!("<group name=\"walls\">{}</group>", tiles("north"))]
    {
        assert_eq!(shown(&map(&layers), ""), WALLS);
    }
}

/// Cells are 10 pixels wide and 20 high.
#[test]
fn objects_cover_the_cells_that_they_meet() {
    for (object, expected) in [
        ("x=\"10\" y=\"20\" width=\"20\" height=\"20\"", ["....", ".@@.", "...."]),
        ("x=\"9\" y=\"19\" width=\"2\" height=\"2\"", ["@@..", "@@..", "...."]),
        // A tile lies above its position; a turned one beside it.
        ("gid=\"1\" x=\"10\" y=\"40\" width=\"10\" height=\"20\"", ["....", ".@..", "...."]),
        ("x=\"20\" y=\"0\" width=\"20\" height=\"10\" rotation=\"90\"", [".@..", "....", "...."]),
        ("x=\"20\" y=\"20\" width=\"20\" height=\"20\" rotation=\"180\"", ["@@..", "....", "...."]),
        // Off the map, wholly or in part.
        ("x=\"-100\" y=\"20\" width=\"110\" height=\"20\"", ["....", "@...", "...."]),
        ("x=\"500\" y=\"500\" width=\"20\" height=\"20\"", ["....", "....", "...."]),
        ("x=\"-1e300\" y=\"-1e300\" width=\"2e300\" height=\"2e300\"", ["@@@@", "@@@@", "@@@@"]),
        // Without a size, it is a point.
        ("x=\"39.5\" y=\"59.5\"", ["....", "....", "...@"]),
        ("x=\"10\" y=\"20\"", ["....", ".@..", "...."]),
    ] {
        let contents = map(&format!("<objectgroup name=\"walls\"><object id=\"1\" {object}/></objectgroup>"));
        assert_eq!(shown(&contents, ""), expected, "{object}");
    }
    for (at, shape, expected) in [
        ("x=\"12\" y=\"30\"", "<point/>", ["....", ".@..", "...."]),
        // A cross of two strokes; its arms are inside, by the even-odd rule.
        ("x=\"0\" y=\"0\"", "<polygon points=\"0,0 40,0 0,60 40,60\"/>", ["@@@@", ".@@.", "@@@@"]),
        ("x=\"0\" y=\"0\"", "<polygon points=\"0,0 40,0 40,60 30,60 30,20 0,20\"/>", ["@@@@", "...@", "...@"]),
        ("x=\"5\" y=\"10\"", "<polyline points=\"0,0 30,0 30,40\"/>", ["@@@@", "...@", "...@"]),
        ("x=\"0\" y=\"0\"", "<polyline points=\"5,10 5,50\"/>", ["@...", "@...", "@..."]),
        ("x=\"0\" y=\"0\" width=\"40\" height=\"60\"", "<ellipse/>", ["@@@@", "@@@@", "@@@@"]),
        ("x=\"11\" y=\"21\" width=\"8\" height=\"18\"", "<ellipse/>", ["....", ".@..", "...."]),
        ("x=\"1\" y=\"21\" width=\"38\" height=\"18\"", "<capsule/>", ["....", "@@@@", "...."]),
        ("x=\"0\" y=\"0\" width=\"40\" height=\"60\"", "<text>No wall</text>", ["....", "....", "...."]),
    ] {
        let object = format!("<object id=\"1\" {at}>{shape}</object>");
        let contents = map(&format!("<objectgroup name=\"walls\">{object}</objectgroup>"));
        assert_eq!(shown(&contents, ""), expected, "{shape}");
        // An offset of the layer moves all of it.
        let moved = format!("<objectgroup name=\"walls\" offsetx=\"-10\" offsety=\"0\">{object}</objectgroup>");
        let left: Vec<String> = expected.iter().map(|row| format!("{}.", &row[1..])).collect();
        assert_eq!(shown(&map(&moved), ""), left, "{shape}");
    }
    // Only objects with the property.
    let contents =
        map("<objectgroup name=\"o\"><object x=\"1\" y=\"1\" type=\"wall\"/><object x=\"11\" y=\"1\"/></objectgroup>");
    assert_eq!(shown(&contents, "type=wall"), ["@...", "....", "...."]);
    // An isometric map: positions along its axes, where a cell is as long as a tile is high.
    let iso = "orientation=\"isometric\" width=\"4\" height=\"3\" tilewidth=\"64\" tileheight=\"32\"";
    let contents = map_with(
        iso,
        "<objectgroup name=\"walls\"><object x=\"32\" y=\"32\" width=\"64\" height=\"32\"/></objectgroup>",
    );
    assert_eq!(shown(&contents, ""), ["....", ".@@.", "...."]);
}

#[test]
fn a_layer_with_an_offset_lies_where_it_is_drawn() {
    for (offset, expected) in [
        ("offsetx=\"10\"", ["..@.", "....", ".@.@"]),
        ("offsetx=\"4\" offsety=\"-9\"", WALLS),
        ("offsetx=\"-10\" offsety=\"20\"", ["....", "@.@.", "...."]),
        ("offsetx=\"1e300\"", ["....", "....", "...."]),
    ] {
        let contents = map(&tiles("walls").replace("<layer", &format!("<layer {offset}")));
        assert_eq!(shown(&contents, ""), expected, "{offset}");
    }
    let contents = map(&format!(
        "<group name=\"a\" offsetx=\"4\">{}</group>",
        tiles("walls").replace("<layer", "<layer offsetx=\"3\"")
    ));
    assert_eq!(shown(&contents, ""), ["..@.", "....", ".@.@"]);
}

const INFINITE: &str =
    "orientation=\"orthogonal\" width=\"30\" height=\"30\" tilewidth=\"10\" tileheight=\"10\" infinite=\"1\"";

fn chunk(x: i64, y: i64, width: u32, height: u32, data: &str) -> String {
    format!("<chunk x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">{data}</chunk>")
}

#[test]
fn an_infinite_map_begins_at_its_least_cell() {
    let chunks = chunk(-2, 1, 2, 2, "1,0,0,0") + &chunk(0, -1, 1, 1, "1");
    let layers = format!(
        "<layer name=\"walls\"><data encoding=\"csv\">{chunks}</data></layer>\
         <objectgroup name=\"o\"><object x=\"-20\" y=\"-10\"/></objectgroup>"
    );
    let contents = map_with(INFINITE, &layers);
    let map = parse(contents.as_bytes()).unwrap();
    assert_eq!((map.origin(), map.width(), map.height()), ([-2, -1], 3, 4));
    assert_eq!(rows(&map, "").unwrap(), ["..@", "...", "@..", "..."]);
    assert_eq!(rows(&map, "o").unwrap(), ["@..", "...", "...", "..."]);
}

#[test]
fn extreme_chunks_are_refused() {
    let of_chunks = |chunks: &str| {
        map_with(INFINITE, &format!("<layer name=\"walls\"><data encoding=\"csv\">{chunks}</data></layer>"))
    };
    let far = chunk(0, 0, 1, 1, "1") + &chunk(2_147_483_647, -2_147_483_648, 1, 1, "1");
    rejects(
        &[
            (of_chunks(""), "x.tmx:2:1: expected an infinite map with a chunk of tiles, found none"),
            (of_chunks(&far), "x.tmx:2:31: expected a map of 1 to 16777216 cells, found 2147483648 x 2147483649"),
            (
                of_chunks(&chunk(0, 0, 4_294_967_295, 4_294_967_295, "1")),
                "x.tmx:3:42: expected at most 33554432 tiles on all layers, and 16777216 on one, found \
                 4294967295 x 4294967295 more",
            ),
            (
                of_chunks(&chunk(2_147_483_648, 0, 1, 1, "1")),
                "x.tmx:3:49: expected the x of <chunk> as a whole number from -2147483648 to 2147483647, found \"2147483648\"",
            ),
        ],
        parse,
    );
    // Chunks may be empty, and may lie on each other.
    let map =
        parse(of_chunks(&(chunk(5, 5, 0, 9, "") + &chunk(0, 0, 2, 1, "1,0") + &chunk(0, 0, 2, 1, "0,1"))).as_bytes())
            .unwrap();
    assert_eq!(rows(&map, "").unwrap(), ["@@"]);
}

#[test]
fn layouts_say_which_cells_are_shifted() {
    for (attributes, layout) in [
        ("hexagonal\" staggeraxis=\"y\" staggerindex=\"odd", TileLayout::Hexagonal(Stagger::OddRows)),
        ("hexagonal\" staggeraxis=\"x\" staggerindex=\"even", TileLayout::Hexagonal(Stagger::EvenColumns)),
        ("staggered\" staggeraxis=\"y\" staggerindex=\"even", TileLayout::Staggered(Stagger::EvenRows)),
        ("staggered\" staggeraxis=\"x", TileLayout::Staggered(Stagger::OddColumns)),
        ("isometric", TileLayout::Square),
        ("orthogonal", TileLayout::Square),
    ] {
        let attributes =
            format!("orientation=\"{attributes}\" width=\"4\" height=\"3\" tilewidth=\"9\" tileheight=\"9\"");
        let contents = map_with(&attributes, &tiles("walls"));
        assert_eq!(parse(contents.as_bytes()).unwrap().layout(), layout, "{attributes}");
        assert_eq!(shown(&contents, ""), WALLS);
    }
    // A map that begins at an odd row has its odd rows where the rows of the file are even.
    for (y, stagger) in [(0, Stagger::OddRows), (-1, Stagger::EvenRows), (7, Stagger::EvenRows), (-2, Stagger::OddRows)]
    {
        let chunk = chunk(1, y, 1, 1, "1");
        let contents = map_with(
            &INFINITE.replace("orthogonal\"", "hexagonal\" staggeraxis=\"y\" staggerindex=\"odd\""),
            &format!("<layer name=\"walls\"><data encoding=\"csv\">{chunk}</data></layer>"),
        );
        assert_eq!(parse(contents.as_bytes()).unwrap().layout(), TileLayout::Hexagonal(stagger), "{y}");
    }
}

#[test]
fn bad_maps_are_rejected_with_their_place() {
    let data = |data: &str| map(&layer("a", data));
    let entity = "<!DOCTYPE map [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n<map>&b;</map>";
    rejects(
        &[
            (String::new(), "x.tmx:1:1: expected well-formed XML: the document does not have a root node"),
            ("<map".to_owned(), "x.tmx:1:1: expected well-formed XML: the document does not have a root node"),
            ("<tileset name=\"a\"/>".to_owned(), "x.tmx:1:1: expected <map>, found <tileset>"),
            (
                entity.to_owned(),
                "x.tmx:1:1: expected XML without entities of its own, as Tiled writes it, found <!DOCTYPE",
            ),
            ("<map/>".to_owned(), "x.tmx:1:1: expected <map> with orientation, found none"),
            (
                "<map orientation=\"round\"/>".to_owned(),
                "x.tmx:1:6: expected the orientation orthogonal, isometric, staggered or hexagonal, found \"round\"",
            ),
            (
                "<map orientation=\"hexagonal\" staggeraxis=\"z\"/>".to_owned(),
                "x.tmx:1:30: expected the staggeraxis y or x, found \"z\"",
            ),
            (
                "<map orientation=\"orthogonal\"\n width=\"x\"/>".to_owned(),
                "x.tmx:2:2: expected the width of <map> as a whole number up to 4294967295, found \"x\"",
            ),
            (
                "<map orientation=\"orthogonal\" width=\"2\"/>".to_owned(),
                "x.tmx:1:1: expected <map> with height, found none",
            ),
            (
                "<map orientation=\"orthogonal\" width=\"0\" height=\"4\"/>".to_owned(),
                "x.tmx:1:31: expected a map of 1 to 16777216 cells, found 0 x 4",
            ),
            (
                "<map orientation=\"orthogonal\" width=\"60000\" height=\"60000\"/>".to_owned(),
                "x.tmx:1:31: expected a map of 1 to 16777216 cells, found 60000 x 60000",
            ),
            (data(""), "x.tmx:3:1: expected the data of the layer \"a\", found none"),
            (data("<data encoding=\"rot13\"/>"), "x.tmx:3:44: expected the encoding csv or base64, found \"rot13\""),
            (
                data("<data encoding=\"base64\" compression=\"lzma\"/>"),
                "x.tmx:3:62: expected the compression gzip, zlib or zstd, found \"lzma\"",
            ),
            (
                data("<data encoding=\"csv\" compression=\"zlib\"/>"),
                "x.tmx:3:44: expected the encoding base64 with a compression, found \"csv\"",
            ),
            (data("<data encoding=\"csv\">1,2,3</data>"), "x.tmx:3:59: expected 12 tiles, found 3"),
            (
                data("<data encoding=\"csv\">1,2,\n3,x4</data>"),
                "x.tmx:4:3: expected a tile as a whole number up to 4294967295, found \"x4\"",
            ),
            (
                data(&format!("<data encoding=\"csv\">{}</data>", csv(&[1; 13]))),
                "x.tmx:3:59: expected 12 tiles, found more",
            ),
            (
                data("<data><tile gid=\"-1\"/></data>"),
                "x.tmx:3:50: expected the gid of <tile> as a whole number up to 4294967295, found \"-1\"",
            ),
            (
                data(&packed("", &[1, 2, 3])),
                "x.tmx:3:77: expected tiles packed by base64, found a part of a tile at the end",
            ),
            (
                data("<data encoding=\"base64\">*</data>"),
                "x.tmx:3:62: expected base64, found Invalid symbol 42, offset 0.",
            ),
            (
                map(&layer("a", &format!("<data encoding=\"csv\">{}</data>", chunk(0, 0, 1, 1, "1")))),
                "x.tmx:3:59: expected chunks only in a map that is infinite, found a chunk",
            ),
            (
                map("<tileset source=\"missing.tsx\"/>"),
                "x.tmx:3:10: expected the tile set missing.tsx, found No such file or directory (os error 2)",
            ),
            (
                map("<objectgroup><object x=\"1e999\"/></objectgroup>"),
                "x.tmx:3:22: expected the x of <object> as a finite number, found \"1e999\"",
            ),
            (
                map("<objectgroup><object><polygon points=\"0,0 1\"/></object></objectgroup>"),
                "x.tmx:3:31: expected points as pairs of finite numbers, as in \"0,0 16,8\", found \"1\"",
            ),
        ],
        parse,
    );
    rejects(
        &[
            ("{\"type\":\"tileset\"}", "x.tmj:1:9: expected the type \"map\", found \"tileset\""),
            (
                "{\"orientation\":\"orthogonal\",\n \"width\":\"w\"}",
                "x.tmj:2:10: expected the width of <map> as a whole number up to 4294967295, found \"w\"",
            ),
            (
                "{\"orientation\":\"orthogonal\",\"width\":1,\"height\":1,\n\"layers\":[{\"type\":\"tilelayer\",\"data\":[1,2]}]}",
                "x.tmj:2:39: expected 1 tiles, found more",
            ),
            ("{\"layers\":[1", "x.tmj:1:12: EOF while parsing a list"),
            ("{\"layers\":[1]}", "x.tmj:1:12: invalid type: integer `1`, expected an object"),
        ],
        |contents| TileMapFile::parse(contents, "x.tmj"),
    );
}

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tiled").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("maps/sets")).unwrap();
    folder
}

#[test]
fn files_beside_the_map_are_read_and_no_others() {
    let root = folder("files");
    let set = "<tileset name=\"s\"><image source=\"absent.png\"/><tile id=\"2\" type=\"rock\"/></tileset>";
    fs::write(root.join("maps/sets/rocks.tsx"), set).unwrap();
    fs::write(root.join("maps/sets/rocks.tsj"), "{\"type\":\"tileset\",\"tiles\":[{\"id\":2,\"class\":\"rock\"}]}")
        .unwrap();
    fs::write(root.join("outside.tsx"), set).unwrap();
    fs::write(root.join("maps/no.tsx"), "<map/>").unwrap();
    fs::write(root.join("maps/wall.tx"), "<template><object type=\"wall\" width=\"20\" height=\"20\"/></template>")
        .unwrap();
    let file = root.join("maps/x.tmx");
    let of_set = |source: &str| map(&format!("<tileset firstgid=\"1\" source=\"{source}\"/>{}", tiles("a")));
    for source in ["sets/rocks.tsx", "./sets/../sets/rocks.tsx", "sets/rocks.tsj"] {
        let map = TileMapFile::parse(of_set(source), &file).unwrap();
        assert_eq!(rows(&map, "type=rock").unwrap(), [".@.@", "....", "...."], "{source}");
    }
    let absolute = root.join("maps/sets/rocks.tsx");
    for (source, message) in [
        ("../outside.tsx", "in the folder"),
        ("sets/../../outside.tsx", "in the folder"),
        (absolute.to_str().unwrap(), "in the folder"),
        ("/dev/zero", "in the folder"),
        ("sets", "found no file"),
        ("sets/gone.tsx", "found No such file"),
        ("no.tsx", "no.tsx:1:1: expected <tileset>, found <map>"),
        ("", "found no file"),
    ] {
        let error = TileMapFile::parse(of_set(source), &file).unwrap_err().to_string();
        assert!(error.contains(message), "{source}: {error}");
    }
    // A larger folder may be named.
    let map = TileMapFile::parse_in(of_set("../outside.tsx"), &file, &root).unwrap();
    assert_eq!(rows(&map, "type=rock").unwrap(), [".@.@", "....", "...."]);

    let objects = "<objectgroup name=\"o\"><object template=\"wall.tx\" x=\"0\" y=\"20\"/>\
                   <object template=\"wall.tx\" x=\"30\" y=\"0\" width=\"10\"/></objectgroup>";
    let map = TileMapFile::parse(self::map(objects), &file).unwrap();
    for walls in ["o", "type=wall"] {
        assert_eq!(rows(&map, walls).unwrap(), ["...@", "@@..", "...."]);
    }
}

#[test]
fn packed_bombs_are_refused_before_they_unpack() {
    let zeros = vec![0; 64 << 20];
    for (compression, bomb) in [("zlib", zlib(&zeros)), ("gzip", gzip(&zeros)), ("zstd", zstd(&zeros))] {
        let message = parse(map(&layer("a", &packed(compression, &bomb))).as_bytes()).unwrap_err().to_string();
        assert!(message.ends_with("expected 12 tiles, found more"), "{message}");
    }
    // Zstandard's window can be any size.
    let frame = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xFF, 0x01, 0x00, 0x00];
    let message = parse(map(&layer("a", &packed("zstd", &frame))).as_bytes()).unwrap_err().to_string();
    assert!(message.contains("expected tiles packed by zstd, found "), "{message}");
}

#[test]
fn large_tags_and_deep_groups_are_refused() {
    let attributes: String = (0..200_000).fold(String::new(), |mut all, number| {
        write!(all, " a{number}=\"&gt;\"").unwrap();
        all
    });
    let spaces: String = (0..30_000).fold(String::new(), |mut all, number| {
        write!(all, "<g xmlns:n{number}=\"u\">").unwrap();
        all
    });
    for (contents, message) in [
        (map(&format!("<layer{attributes}/>")), "x.tmx:3:1: expected a tag of Tiled, found more than 1000 attributes"),
        (map(&spaces), "expected at most 16 name spaces, found more"),
        (map(&("<group>".repeat(100) + &"</group>".repeat(100))), "expected elements in at most 64 others, found more"),
        (
            format!("{{\"layers\":{}", "[{\"layers\":".repeat(100) + "[]" + &"}]".repeat(100) + "}"),
            "expected objects in at most 64 others, found more",
        ),
    ] {
        let error = parse(contents.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// Each path of a layer has the names of the groups around it.
#[test]
fn long_names_and_many_layers_are_refused() {
    let named = |name: &str, layers: usize| {
        map(&format!("<group name=\"{name}\">{}</group>", "<objectgroup name=\"o\"/>".repeat(layers)))
    };
    let parsed = |contents: String| parse(contents.as_bytes()).map(|map| map.layers().count());
    assert_eq!(parsed(named(&"ä".repeat(200), 10_000)).unwrap(), 10_000);
    let error = parsed(named(&"ä".repeat(201), 1)).unwrap_err().to_string();
    assert!(error.starts_with("x.tmx:3:1: expected a name of at most 200 characters, found"), "{error}");
    let error = parsed(named("a", 10_001)).unwrap_err().to_string();
    assert!(error.ends_with("expected at most 10000 layers, found more"), "{error}");
}

#[test]
fn shapes_that_take_too_long_are_refused() {
    let zigzag: String = (0..40_000).fold(String::new(), |mut all, number| {
        write!(all, "{},{} ", number, if number % 2 == 0 { 0 } else { 9_000_000 }).unwrap();
        all
    });
    let size = "orientation=\"orthogonal\" width=\"4096\" height=\"4096\" tilewidth=\"1\" tileheight=\"1\"";
    let object = format!("<object x=\"0\" y=\"0\"><polygon points=\"{zigzag}\"/></object>");
    let contents = map_with(size, &format!("<objectgroup name=\"walls\">{object}</objectgroup>"));
    let error = rows(&parse(contents.as_bytes()).unwrap(), "").unwrap_err().to_string();
    assert_eq!(error, "x.tmx:3:1: expected objects with fewer corners, on fewer rows, found more than can be placed");
}

#[test]
fn the_maps_of_the_test_data_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/tiled");
    for (file, walls, size, origin, count) in [
        ("tiled_base64_zlib.tmx", "Tile Layer 1", [100, 100], [0, 0], 161),
        ("tiled_base64_zlib.tmx", "Object group", [100, 100], [0, 0], 121),
        ("tiled_base64_zlib_infinite.tmx", "Ground", [64, 64], [-32, 0], 273),
        ("tiled_base64_zlib_infinite.tmx", "none", [64, 64], [-32, 0], 0),
        ("islands.tmx", "walls", [24, 16], [0, 0], 55),
        ("islands.tmx", "class=stone", [24, 16], [0, 0], 35),
        ("terraces.tmj", "rock walls", [18, 14], [0, 0], 6),
        ("terraces.tmj", "collision", [18, 14], [0, 0], 26),
    ] {
        let map = TileMapFile::read(folder.join(file)).unwrap();
        assert_eq!(([map.width(), map.height()], map.origin()), (size, origin), "{file}");
        let rows = rows(&map, walls).unwrap().concat();
        assert_eq!(rows.matches('@').count(), count, "{file} {walls}");
    }
}
