//! Pictures as maps.

use giveway_scenario::{AnyMapFile, Colors, FileError, PictureFile};
use png::{BitDepth, ColorType};

/// A PNG of `width` x `height` pixels.
pub(super) fn png(width: u32, height: u32, color: ColorType, depth: BitDepth, data: &[u8], palette: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if !palette.is_empty() {
        encoder.set_palette(palette.to_vec());
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    file
}

fn parse(contents: &[u8]) -> Result<PictureFile, FileError> {
    PictureFile::parse(contents, "x.png")
}

#[test]
fn dark_is_wall_in_every_kind_of_picture() {
    use BitDepth::{Eight, One, Sixteen};
    use ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
    for (file, expected) in [
        (png(3, 1, Grayscale, Eight, &[127, 128, 0], &[]), "@.@"),
        (png(3, 1, Grayscale, Sixteen, &[0x7F, 0xFF, 0x80, 0, 0, 1], &[]), "@.@"),
        (png(3, 1, Grayscale, One, &[0b0100_0000], &[]), "@.@"),
        // Red and blue are dark, green is light.
        (png(3, 1, Rgb, Eight, &[255, 0, 0, 0, 255, 0, 0, 0, 255], &[]), "@.@"),
        // What is transparent shows white.
        (png(3, 1, Rgba, Eight, &[0, 0, 0, 255, 0, 0, 0, 100, 9, 9, 9, 255], &[]), "@.@"),
        (png(3, 1, GrayscaleAlpha, Eight, &[0, 255, 0, 0, 0, 200], &[]), "@.@"),
        (png(3, 1, Indexed, Eight, &[1, 0, 1], &[250, 250, 250, 5, 5, 5]), "@.@"),
    ] {
        let picture = parse(&file).unwrap();
        assert_eq!(picture.map().to_string(), format!("type octile\nheight 1\nwidth 3\nmap\n{expected}\n"));
        assert!(matches!(AnyMapFile::parse(&file, "any"), Ok(AnyMapFile::Picture(_))));
    }
}

#[test]
fn a_table_of_colours_says_what_each_pixel_is() {
    let file = png(
        3,
        2,
        ColorType::Rgb,
        BitDepth::Eight,
        [[0; 3], [0, 0, 255], [9; 3], [0; 3], [9; 3], [0; 3]].as_flattened(),
        &[],
    );
    let picture = parse(&file).unwrap();
    let of = |table: &str| -> Result<(String, Vec<u32>), FileError> {
        let colors: Colors = table.parse().unwrap_or_else(|error| panic!("{table}: {error}"));
        let map = picture.map_of(&colors)?.to_string().lines().skip(4).collect();
        Ok((map, picture.costs(&colors)?))
    };
    for (table, cells, costs) in [
        ("#000000=wall,#0000ff=7,#090909=free", "@..@.@", [1, 7, 1, 1, 1, 1]),
        ("000000 = 2, #0000FF=wall,other=wall", ".@@.@.", [2, 1, 1, 2, 1, 2]),
        ("other=5", "......", [5; 6]),
        ("#123456=wall,other= free", "......", [1; 6]),
    ] {
        assert_eq!(of(table).unwrap(), (cells.to_owned(), costs.to_vec()), "{table}");
    }
    for (table, error) in [
        ("#000000=wall,#090909=1", "x.png: expected one of the 2 colours of the table, found #0000ff at pixel (1,0)"),
        ("#0000ff=3", "x.png: expected the 1 colour of the table, found #000000 at pixel (0,0)"),
        ("#000000=1,#0000ff=3", "x.png: expected one of the 2 colours of the table, found #090909 at pixel (2,0)"),
    ] {
        assert_eq!(of(table).unwrap_err().to_string(), error);
    }
    for (table, error) in [
        ("", "expected a colour and what it is, as #000000=wall, found nothing"),
        ("#000000", "expected a colour and what it is, as #000000=wall, found \"#000000\""),
        ("#00000=1", "expected a colour as #8b4513, or other, found \"#00000\""),
        ("#+00000=1", "expected a colour as #8b4513, or other, found \"#+00000\""),
        ("##00000=1", "expected a colour as #8b4513, or other, found \"##00000\""),
        ("#äöü=1", "expected a colour as #8b4513, or other, found \"#äöü\""),
        ("black=1", "expected a colour as #8b4513, or other, found \"black\""),
        ("other=0", "expected wall, free, or a whole number from 1 to 1000, found \"0\""),
        ("other=1001", "expected wall, free, or a whole number from 1 to 1000, found \"1001\""),
        ("other=walls", "expected wall, free, or a whole number from 1 to 1000, found \"walls\""),
        ("#0000aa=1,0000AA=2", "expected each colour once, found \"0000AA\""),
        ("other=1,other=1", "expected each colour once, found \"other\""),
    ] {
        assert_eq!(table.parse::<Colors>().unwrap_err().to_string(), error);
    }
}

#[test]
fn colours_are_terrain_by_a_table() {
    let file = png(2, 2, ColorType::Rgb, BitDepth::Eight, &[0, 0, 0, 0, 0, 255, 1, 2, 3, 0, 0, 0], &[]);
    let picture = parse(&file).unwrap();
    let terrain = |color: [u8; 3]| match color {
        [0, 0, 0] => None,
        [0, 0, 255] => Some(7),
        _ => Some(1),
    };
    let grid = picture.grid(terrain).unwrap();
    let weights: Vec<_> =
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| grid.surface(grid.node(x, y).unwrap()).weight()).to_vec();
    let free: Vec<_> = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| grid.is_passable(x, y)).to_vec();
    assert_eq!((weights[1], weights[2], free), (7, 1, vec![false, true, true, false]));
    assert_eq!((picture.color(0, 1), picture.color(2, 0), picture.color(0, 2)), (Some([1, 2, 3]), None, None));
    assert!(picture.grid(|_| Some(0)).is_err());
}

#[test]
fn bad_pictures_are_rejected() {
    let good = png(9, 9, ColorType::Grayscale, BitDepth::Eight, &[200; 81], &[]);
    // The size stands in the header; its check sum follows.
    let of_size = |width: u32, height: u32| {
        let mut file = good.clone();
        file[16..20].copy_from_slice(&width.to_be_bytes());
        file[20..24].copy_from_slice(&height.to_be_bytes());
        let sum = crc(&file[12..29]);
        file[29..33].copy_from_slice(&sum.to_be_bytes());
        file
    };
    // The decoder would panic.
    let of_palette = |bytes: usize| {
        let file = png(3, 1, ColorType::Indexed, BitDepth::Eight, &[1, 0, 1], &[9; 6]);
        let at = file.windows(4).position(|name| name == b"PLTE").unwrap();
        let mut chunk = b"PLTE".to_vec();
        chunk.resize(4 + bytes, 7);
        let length = u32::try_from(bytes).unwrap().to_be_bytes();
        let sum = crc(&chunk).to_be_bytes();
        [&file[..at - 4], &length[..], &chunk, &sum, &file[at + 14..]].concat()
    };
    for (file, message) in [
        (of_palette(7), "x.png: expected a PNG picture, found a palette of 7 bytes"),
        (of_palette(1200), "x.png: expected a PNG picture, found "),
        (of_size(60_000, 60_000), "x.png: expected a picture of at most 16777216 pixels, found 60000 x 60000"),
        (of_size(4000, 4000), "bytes for 4000 x 4000 pixels"),
        (of_size(0, 9), "x.png: expected a PNG picture, found "),
        (good[..good.len() / 2].to_vec(), "x.png: expected a PNG picture, found "),
        (b"GIF89a".to_vec(), "x.png: expected a PNG picture, found "),
        (Vec::new(), "x.png: expected a PNG picture, found "),
        (b"mesh\n2\n".to_vec(), "x.png: expected a PNG picture, found a Polyanya mesh"),
    ] {
        let error = parse(&file).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// The check sum of a chunk of a PNG.
pub(super) fn crc(bytes: &[u8]) -> u32 {
    let mut sum = flate2::Crc::new();
    sum.update(bytes);
    sum.sum()
}
