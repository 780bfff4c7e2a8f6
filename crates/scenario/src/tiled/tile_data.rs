//! The tiles of a layer or of a chunk: elements, CSV, or base64 with or without compression.

use std::io::Read;

use base64::Engine as _;
use base64::engine::general_purpose::GeneralPurpose;
use base64::engine::{DecodePaddingMode, general_purpose};
use flate2::bufread::{GzDecoder, ZlibDecoder};
use ruzstd::decoding::StreamingDecoder;

use super::element::{Element, Source};
use crate::file_error::FileError;
use crate::lines::quoted;

/// How the tiles of a layer are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encoding {
    Elements,
    Csv,
    Base64(Compression),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compression {
    None,
    Gzip,
    Zlib,
    Zstd,
}

/// Zstandard files ask for a window before they have filled it. A window beyond this is refused, unless the tiles are
/// as large.
const WINDOW: u64 = 8 << 20;

/// The highest four bits of a tile say how it is flipped and turned.
const FLIPS: u32 = 0xF000_0000;

impl Encoding {
    /// The encoding of `data`.
    pub(super) fn of(data: &Element<'_>, source: &Source<'_>) -> Result<Self, FileError> {
        let compression = match data.field("compression").filter(|field| !field.value.is_empty()) {
            None => Compression::None,
            Some(field) => match &*field.value {
                "gzip" => Compression::Gzip,
                "zlib" => Compression::Zlib,
                "zstd" => Compression::Zstd,
                other => {
                    return Err(source.expected(field.at, "the compression gzip, zlib or zstd", quoted(other)));
                }
            },
        };
        match data.field("encoding") {
            None => Ok(Self::Elements),
            Some(field) => match &*field.value {
                "csv" if compression == Compression::None => Ok(Self::Csv),
                "csv" => Err(source.expected(field.at, "the encoding base64 with a compression", "\"csv\"")),
                "base64" => Ok(Self::Base64(compression)),
                other => Err(source.expected(field.at, "the encoding csv or base64", quoted(other))),
            },
        }
    }

    /// The `count` tiles in `element`, without flips: 0 for none, otherwise the global id of the tile.
    ///
    /// Memory is bounded by `count`, whatever the data unpacks to.
    pub(super) fn tiles(self, element: &Element<'_>, count: usize, source: &Source<'_>) -> Result<Vec<u32>, FileError> {
        let (text, at) = match &element.text {
            Some((text, at)) => (&**text, *at),
            None => ("", element.at),
        };
        let mut tiles = Tiles { tiles: Vec::new(), count };
        let complete = match self {
            Self::Elements => element.tiles.iter().all(|tile| tiles.add(*tile)),
            Self::Csv => tiles.of_csv(text, at, source)?,
            Self::Base64(compression) => {
                let packed = decode(text, at, source)?;
                let unpacked = tiles.unpack(&packed, compression);
                unpacked.map_err(|error| {
                    let name = match compression {
                        Compression::None => "base64",
                        Compression::Gzip => "gzip",
                        Compression::Zlib => "zlib",
                        Compression::Zstd => "zstd",
                    };
                    source.expected(at, format_args!("tiles packed by {name}"), error)
                })?
            }
        };
        if !complete {
            return Err(source.expected(at, format_args!("{count} tiles"), "more"));
        }
        if tiles.tiles.len() < count {
            return Err(source.expected(at, format_args!("{count} tiles"), tiles.tiles.len()));
        }
        Ok(tiles.tiles)
    }
}

/// Some of the tiles of a layer.
struct Tiles {
    tiles: Vec<u32>,
    count: usize,
}

impl Tiles {
    /// Adds a tile; `false`: there are too many.
    fn add(&mut self, tile: u32) -> bool {
        let room = self.tiles.len() < self.count;
        if room {
            self.tiles.push(tile & !FLIPS);
        }
        room
    }

    fn of_csv(&mut self, text: &str, at: usize, source: &Source<'_>) -> Result<bool, FileError> {
        let mut begin = at;
        let mut fields = text.split(',').peekable();
        while let Some(field) = fields.next() {
            let number = field.trim();
            // A comma after the last tile.
            if number.is_empty() && fields.peek().is_none() {
                break;
            }
            let tile = Some(number).filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
            let Some(tile) = tile.and_then(|number| number.parse().ok()) else {
                let space = field.len() - field.trim_start().len();
                return Err(source.expected(
                    begin + space,
                    "a tile as a whole number up to 4294967295",
                    quoted(number),
                ));
            };
            if !self.add(tile) {
                return Ok(false);
            }
            begin += field.len() + 1;
        }
        Ok(true)
    }

    fn unpack(&mut self, packed: &[u8], compression: Compression) -> Result<bool, String> {
        match compression {
            Compression::None => self.of_bytes(packed),
            Compression::Gzip => self.of_bytes(GzDecoder::new(packed)),
            Compression::Zlib => self.of_bytes(ZlibDecoder::new(packed)),
            Compression::Zstd => {
                let window = WINDOW.max((self.count as u64).saturating_mul(4).next_power_of_two());
                let decoder = StreamingDecoder::new_with_max_window_size(packed, window);
                self.of_bytes(decoder.map_err(|error| error.to_string())?)
            }
        }
    }

    /// Adds little-endian tiles, a few at a time.
    fn of_bytes(&mut self, mut bytes: impl Read) -> Result<bool, String> {
        let mut block = [0; 16 << 10];
        let mut filled = 0;
        loop {
            let read = bytes.read(&mut block[filled..]).map_err(|error| error.to_string())?;
            filled += read;
            let (tiles, rest) = block[..filled].as_chunks::<4>();
            if !tiles.iter().all(|tile| self.add(u32::from_le_bytes(*tile))) {
                return Ok(false);
            }
            let (whole, left) = (tiles.len() * 4, rest.len());
            block.copy_within(whole..whole + left, 0);
            filled = left;
            if read == 0 {
                return if left == 0 { Ok(true) } else { Err("a part of a tile at the end".to_owned()) };
            }
        }
    }
}

/// The bytes that `text` is in base64; white space does not count.
fn decode(text: &str, at: usize, source: &Source<'_>) -> Result<Vec<u8>, FileError> {
    const LENIENT: GeneralPurpose = GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        general_purpose::PAD.with_decode_padding_mode(DecodePaddingMode::Indifferent),
    );
    let dense: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    LENIENT.decode(&dense).map_err(|error| source.expected(at, "base64", error))
}
