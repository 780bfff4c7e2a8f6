//! The layers of a map: tiles and objects.

use std::sync::Arc;

use super::element::{Element, Source};
use super::files::Files;
use super::objects::MapObject;
use super::properties::Properties;
use super::tile_data::Encoding;
use crate::file_error::FileError;
use crate::lines::quoted;

/// A map of more cells would take memory out of proportion to its file, which may be packed.
pub(super) const MOST_CELLS: u64 = 1 << 24;
/// All layers together.
const MOST_TILES: u64 = 1 << 25;

/// More layers, or longer names of layers and groups, are a mistake: paths of layers repeat the names of groups.
const MOST_LAYERS: usize = 10_000;
const LONGEST_NAME: usize = 200;

/// One layer. Layers of pictures have no place here.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Layer {
    pub(super) name: String,
    /// The group that it is in.
    around: Option<Arc<Group>>,
    /// Its own, and those of the groups around it.
    pub(super) properties: Vec<Properties>,
    /// How far it is shifted, in pixels.
    pub(super) offset: [f64; 2],
    /// The offset of the layer in the file.
    pub(super) at: usize,
    pub(super) contents: Contents,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Contents {
    Tiles(Vec<Chunk>),
    Objects(Vec<MapObject>),
}

/// A rectangle of tiles.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Chunk {
    /// The least cell.
    pub(super) least: [i32; 2],
    pub(super) width: u32,
    pub(super) height: u32,
    /// Row by row: 0 for none, otherwise the global id of the tile.
    pub(super) tiles: Vec<u32>,
}

/// A group of layers.
#[derive(PartialEq, Debug)]
struct Group {
    name: String,
    around: Option<Arc<Group>>,
}

impl Layer {
    /// The names of the layer and of the groups around it, from inside.
    fn names(&self) -> impl Iterator<Item = &str> {
        let groups = std::iter::successors(self.around.as_deref(), |group| group.around.as_deref());
        std::iter::once(self.name.as_str()).chain(groups.map(|group| group.name.as_str()))
    }

    /// The names of the groups around it, and its own, with slashes.
    pub(super) fn path(&self) -> String {
        let mut names: Vec<&str> = self.names().collect();
        names.reverse();
        names.join("/")
    }

    /// Whether the name of the layer, or of a group around it, contains one of `parts`, in capitals or not.
    pub(super) fn is_named_like(&self, parts: [&str; 2]) -> bool {
        self.names().map(str::to_lowercase).any(|name| parts.iter().any(|part| name.contains(part)))
    }

    /// Whether `name` is the name or the path of the layer, or of a group around it.
    pub(super) fn is_called(&self, name: &str) -> bool {
        let is_path = || {
            let path = self.path();
            path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.names().any(|known| known == name) || (name.contains('/') && is_path())
    }
}

/// What is around a layer.
struct Around<'a> {
    group: Option<&'a Arc<Group>>,
    properties: &'a [Properties],
    offset: [f64; 2],
}

/// The layers in `map`, in order; `size` is that of a map that is not infinite.
pub(super) fn layers(
    map: &Element<'_>,
    size: Option<[u32; 2]>,
    source: &Source<'_>,
    files: &mut Files<'_>,
) -> Result<Vec<Layer>, FileError> {
    let mut layers = Reader { source, files, size, tiles: 0, layers: Vec::new() };
    layers.group(map, &Around { group: None, properties: &[], offset: [0.0; 2] })?;
    Ok(layers.layers)
}

struct Reader<'s, 'f> {
    source: &'s Source<'s>,
    files: &'s mut Files<'f>,
    size: Option<[u32; 2]>,
    /// The number of tiles so far.
    tiles: u64,
    layers: Vec<Layer>,
}

impl Reader<'_, '_> {
    fn group(&mut self, group: &Element<'_>, around: &Around<'_>) -> Result<(), FileError> {
        for child in &group.children {
            if !matches!(child.name, "layer" | "objectgroup" | "group") {
                continue;
            }
            let name = child.value("name").unwrap_or_default().to_owned();
            if name.chars().count() > LONGEST_NAME {
                let expected = format!("a name of at most {LONGEST_NAME} characters");
                return Err(self.source.expected(child.at, expected, quoted(&name)));
            }
            if self.layers.len() >= MOST_LAYERS {
                return Err(self.source.expected(child.at, format_args!("at most {MOST_LAYERS} layers"), "more"));
            }
            let mut properties = around.properties.to_vec();
            properties.push(Properties::of(child, self.source)?);
            let shift = [child.finite(self.source, "offsetx")?, child.finite(self.source, "offsety")?];
            let offset = [around.offset[0] + shift[0], around.offset[1] + shift[1]];
            let contents = match child.name {
                "layer" => Contents::Tiles(self.chunks(child)?),
                "objectgroup" => {
                    let objects = child.named("object").map(|object| MapObject::read(object, self.source, self.files));
                    Contents::Objects(objects.collect::<Result<_, _>>()?)
                }
                _ => {
                    let group = Arc::new(Group { name, around: around.group.cloned() });
                    self.group(child, &Around { group: Some(&group), properties: &properties, offset })?;
                    continue;
                }
            };
            let around = around.group.cloned();
            self.layers.push(Layer { name, around, properties, offset, at: child.at, contents });
        }
        Ok(())
    }

    fn chunks(&mut self, layer: &Element<'_>) -> Result<Vec<Chunk>, FileError> {
        let source = self.source;
        let Some(data) = layer.child("data") else {
            let name = layer.value("name").unwrap_or_default();
            return Err(source.expected(layer.at, format_args!("the data of the layer {}", quoted(name)), "none"));
        };
        let encoding = Encoding::of(data, source)?;
        let mut parts: Vec<(&Element<'_>, [i32; 2], u32, u32)> = Vec::new();
        match self.size {
            None => {
                for chunk in data.named("chunk") {
                    const CELL: &str = "a whole number from -2147483648 to 2147483647";
                    let side =
                        |name| chunk.parse::<i32>(source, name, CELL)?.ok_or_else(|| chunk.without(source, name));
                    let least = [side("x")?, side("y")?];
                    let [width, height] = ["width", "height"].map(|name| chunk.require_whole(source, name));
                    parts.push((chunk, least, width?, height?));
                }
            }
            Some(size) => {
                // Mostly the size of the map; layers of old files may be smaller or larger.
                let side = |axis: usize, name| Ok(layer.whole(source, name)?.unwrap_or(size[axis]));
                let size = [side(0, "width")?, side(1, "height")?];
                if let Some(chunk) = data.child("chunk") {
                    return Err(source.expected(chunk.at, "chunks only in a map that is infinite", "a chunk"));
                }
                parts.push((data, [0, 0], size[0], size[1]));
            }
        }
        let mut chunks = Vec::new();
        for (element, least, width, height) in parts {
            let count = u64::from(width) * u64::from(height);
            self.tiles = self.tiles.saturating_add(count);
            if count > MOST_CELLS || self.tiles > MOST_TILES {
                let expected = format!("at most {MOST_TILES} tiles on all layers, and {MOST_CELLS} on one");
                return Err(source.expected(element.at, expected, format_args!("{width} x {height} more")));
            }
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            let tiles = encoding.tiles(element, count, source)?;
            chunks.push(Chunk { least, width, height, tiles });
        }
        Ok(chunks)
    }
}
