//! No tile map, picture or graph panics, however broken, packed parts and check sums included.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use giveway_core::SpaceGraph as _;
use giveway_scenario::{AnyMapFile, Colors, GraphFile, PictureFile, TileMapFile, Walls};
use png::{BitDepth, ColorType};
use proptest::prelude::*;
use proptest::sample::Index;

use super::hostile::{edit, edited};
use super::picture::{crc, png};
use super::tiled::{zlib, zstd};

const ROUNDS: u32 = 500_000;

/// Tile maps in XML and in JSON, and a graph.
pub(super) const MAPS: [&str; 5] = [
    "<?xml version=\"1.0\"?>\n<map orientation=\"orthogonal\" width=\"3\" height=\"2\" tilewidth=\"8\" tileheight=\"8\" \
     infinite=\"0\">\n<tileset firstgid=\"1\" name=\"t\"><tile id=\"0\" type=\"rock\"><properties><property name=\"p\" \
     value=\"1\"/></properties><objectgroup><object x=\"1\" type=\"q\"/></objectgroup></tile></tileset>\n<group name=\"g\" \
     offsetx=\"8\"><layer name=\"wall\" width=\"3\" height=\"2\"><data encoding=\"csv\">\n1,0,0,\n0,2147483649,0</data></layer>\
     <layer name=\"b\"><data><tile gid=\"1\"/><tile/><tile/><tile/><tile/><tile/></data></layer></group>\n<objectgroup \
     name=\"collision\"><object x=\"0\" y=\"8\" width=\"8\" height=\"8\" rotation=\"30\"/><object x=\"9\" y=\"1\"><polygon \
     points=\"0,0 9,0 3,9\"/></object><object gid=\"1\" x=\"3\" y=\"3\" width=\"2\" height=\"2\"/><object x=\"1\" y=\"1\" \
     width=\"4\" height=\"9\"><ellipse/></object><object><polyline points=\"1,1 22,14\"/></object></objectgroup></map>",
    "<map orientation=\"hexagonal\" staggeraxis=\"x\" staggerindex=\"odd\" infinite=\"1\" tilewidth=\"8\" tileheight=\"8\"><layer \
     name=\"walls\"><data encoding=\"base64\"><chunk x=\"-2\" y=\"1\" width=\"1\" height=\"2\">AQAAAAAAAIA=</chunk><chunk x=\"0\" \
     y=\"0\" width=\"1\" height=\"1\">AQAAAA==</chunk></data></layer></map>",
    "{\"type\":\"map\",\"orientation\":\"isometric\",\"width\":2,\"height\":1,\"tilewidth\":8,\"tileheight\":4,\"infinite\":false,\
     \"tilesets\":[{\"firstgid\":1,\"tiles\":[{\"id\":1,\"class\":\"c\",\"properties\":[{\"name\":\"p\",\"value\":true}]}]}],\n\
     \"layers\":[{\"type\":\"group\",\"name\":\"wall\",\"layers\":[{\"type\":\"tilelayer\",\"name\":\"a\",\"data\":[1,2]}]},\
     {\"type\":\"objectgroup\",\"name\":\"w\",\"objects\":[{\"x\":1,\"y\":2.5,\"polygon\":[{\"x\":0,\"y\":0},{\"x\":3,\"y\":4}]}]}]}",
    "<map orientation=\"hexagonal\" staggeraxis=\"y\" staggerindex=\"even\" hexsidelength=\"4\" width=\"4\" height=\"3\" \
     tilewidth=\"8\" tileheight=\"9\"><objectgroup name=\"walls\" offsetx=\"2\"><object x=\"1\" y=\"8\" width=\"8\" height=\"8\" \
     rotation=\"30\"><properties><property name=\"p\" value=\"south-west\"/></properties></object><object x=\"9\" y=\"1\"><polygon \
     points=\"0,0 9,0 3,9\"/></object><object x=\"5\" y=\"5\"><point/></object><object><polyline points=\"1,1 22,14\"/></object>\
     </objectgroup></map>",
    "{\"directed\":false,\"multigraph\":false,\"graph\":{},\"nodes\":[{\"id\":\"a\",\"x\":0,\"y\":0},{\"id\":2,\"x\":3,\"y\":4.5}],\n\
     \"links\":[{\"source\":\"a\",\"target\":2,\"length\":6,\"cost\":2.5,\"duration\":1e3},{\"source\":2,\"target\":\"a\"}]}",
];

/// A table of colours.
const COLORS: &str = "#000000=wall,#040404=free,#8b4513=3,fcfcfc=1000";

/// Reads `text` as a table of colours.
fn read_as_colors(text: &[u8]) {
    if let Ok(colors) = String::from_utf8_lossy(text).parse::<Colors>() {
        let weight = colors.of([0; 3]).flatten();
        assert!(!colors.is_empty() && weight.is_none_or(|weight| (1..=1000).contains(&weight)));
    }
}

/// Reads `contents` as any kind of map, and does with what comes out whatever can be done.
pub(super) fn read_as_maps(contents: &[u8]) {
    if let Ok(map) = TileMapFile::parse(contents, "x") {
        let names: Vec<String> = map.layers().collect();
        for walls in [Walls::Default, Walls::None, Walls::Named("p=1".to_owned())]
            .into_iter()
            .chain(names.into_iter().map(Walls::Named))
        {
            if let Ok(cells) = map.map(&walls) {
                assert_eq!((cells.width(), cells.height()), (map.width(), map.height()));
                let _ = cells.grid();
            }
        }
        let _ = (map.layout(), map.costs("p"), map.one_ways("p"));
    }
    if let Ok(picture) = PictureFile::parse(contents, "x") {
        assert_eq!(picture.map().width(), picture.width());
        for colors in [COLORS, "#000000=wall,other=free"] {
            let colors: Colors = colors.parse().unwrap();
            assert_eq!(picture.map_of(&colors).is_ok(), picture.costs(&colors).is_ok());
        }
        let _ = picture.grid(|color| (color[0] != 0).then_some(u32::from(color[0])));
    }
    if let Ok(graph) = GraphFile::parse(contents, "x")
        && let Ok(space) = graph.space()
    {
        assert_eq!(space.node_bound(), graph.ids().len());
        assert_eq!(space.nodes().map(|node| space.moves(node).count()).sum::<usize>(), graph.edges().len());
    }
    let _ = AnyMapFile::parse(contents, "x");
}

/// A tile map whose only layer is packed.
fn packed(compression: &str, bytes: &[u8]) -> Vec<u8> {
    let data = STANDARD.encode(bytes);
    format!(
        "<map orientation=\"orthogonal\" width=\"9\" height=\"9\"><layer name=\"wall\"><data encoding=\"base64\" \
         compression=\"{compression}\">{data}</data></layer></map>"
    )
    .into_bytes()
}

/// Tiles that pack neither too well nor too badly.
fn tiles() -> Vec<u8> {
    (0..81_u32).flat_map(|cell| ((cell * cell) % 7).to_le_bytes()).collect()
}

fn edited_bytes(valid: &[u8], edits: &[(Index, Vec<u8>, usize)]) -> Vec<u8> {
    let mut contents = valid.to_vec();
    for (at, inserted, removed) in edits {
        let start = at.index(contents.len() + 1);
        let end = (start + removed).min(contents.len());
        contents.splice(start..end, inserted.iter().copied());
    }
    contents
}

/// `file` with the check sums that its chunks should have, as far as they can be found.
fn with_sums(mut file: Vec<u8>) -> Vec<u8> {
    let mut at = 8;
    while let Some(head) = file.get(at..at + 8) {
        let length = u32::from_be_bytes(head[..4].try_into().unwrap()) as usize;
        let end = at + 8 + length;
        if length > file.len() || end + 4 > file.len() {
            break;
        }
        let sum = crc(&file[at + 4..end]);
        file[end..end + 4].copy_from_slice(&sum.to_be_bytes());
        at = end + 4;
    }
    file
}

fn pictures() -> [Vec<u8>; 3] {
    let gray: Vec<u8> = (0..64).map(|pixel| pixel * 4).collect();
    let mut colors = Vec::new();
    (0..4).for_each(|_| colors.extend_from_slice(&gray));
    [
        png(8, 8, ColorType::Grayscale, BitDepth::Eight, &gray, &[]),
        png(8, 8, ColorType::Rgba, BitDepth::Eight, &colors, &[]),
        png(8, 8, ColorType::Indexed, BitDepth::Four, &gray[..32], &colors[..48]),
    ]
}

#[test]
fn valid_maps_are_read_and_cut_off_anywhere_do_not_panic() {
    for (valid, is_graph) in MAPS.iter().zip([false, false, false, false, true]) {
        assert_eq!(TileMapFile::parse(valid, "x").is_ok(), !is_graph, "{valid}");
        assert_eq!(GraphFile::parse(valid, "x").is_ok(), is_graph, "{valid}");
        for end in 0..valid.len() {
            read_as_maps(&valid.as_bytes()[..end]);
        }
    }
    for picture in pictures() {
        assert!(PictureFile::parse(&picture, "x").is_ok());
        for end in 0..picture.len() {
            read_as_maps(&picture[..end]);
        }
    }
    for (compression, bytes) in [("zlib", zlib(&tiles())), ("zstd", zstd(&tiles()))] {
        assert!(TileMapFile::parse(packed(compression, &bytes), "x").is_ok());
        (0..bytes.len()).for_each(|end| read_as_maps(&packed(compression, &bytes[..end])));
    }
}

/// Edits of `texts` in all, of packed tiles, and of pictures.
fn texts(edits: Vec<(Index, Vec<u8>, usize)>, valid: &str) {
    read_as_maps(&edited(valid, edits));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edited_maps_do_not_panic(
        valid in proptest::sample::select(&MAPS[..]),
        edits in proptest::collection::vec(edit(), 1..5),
    ) {
        texts(edits, valid);
    }

    #[test]
    fn edited_tables_of_colours_do_not_panic(edits in proptest::collection::vec(edit(), 1..5)) {
        read_as_colors(&edited(COLORS, edits));
    }

    #[test]
    fn edited_pictures_do_not_panic(
        valid in proptest::sample::select(pictures().to_vec()),
        edits in proptest::collection::vec(edit(), 1..5),
        sums in any::<bool>(),
    ) {
        let file = edited_bytes(&valid, &edits);
        read_as_maps(&if sums { with_sums(file) } else { file });
    }

    #[test]
    fn edited_packed_tiles_do_not_panic(
        compression in proptest::sample::select(vec!["zlib", "zstd"]),
        edits in proptest::collection::vec(edit(), 1..5),
    ) {
        let bytes = if compression == "zlib" { zlib(&tiles()) } else { zstd(&tiles()) };
        read_as_maps(&packed(compression, &edited_bytes(&bytes, &edits)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ROUNDS, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "takes minutes"]
    fn half_a_million_edited_tile_maps_do_not_panic(
        valid in proptest::sample::select(&MAPS[..4]),
        edits in proptest::collection::vec(edit(), 1..5),
    ) {
        texts(edits, valid);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn half_a_million_edited_graphs_do_not_panic(edits in proptest::collection::vec(edit(), 1..5)) {
        texts(edits, MAPS[4]);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn half_a_million_edited_tables_of_colours_do_not_panic(edits in proptest::collection::vec(edit(), 1..5)) {
        read_as_colors(&edited(COLORS, edits));
    }

    #[test]
    #[ignore = "takes minutes"]
    fn half_a_million_edited_pictures_do_not_panic(
        valid in proptest::sample::select(pictures().to_vec()),
        edits in proptest::collection::vec(edit(), 1..5),
    ) {
        read_as_maps(&with_sums(edited_bytes(&valid, &edits)));
    }

    #[test]
    #[ignore = "takes minutes"]
    fn half_a_million_edited_packed_tiles_do_not_panic(
        compression in proptest::sample::select(vec!["zlib", "zstd"]),
        edits in proptest::collection::vec(edit(), 1..5),
    ) {
        let bytes = if compression == "zlib" { zlib(&tiles()) } else { zstd(&tiles()) };
        read_as_maps(&packed(compression, &edited_bytes(&bytes, &edits)));
    }
}
