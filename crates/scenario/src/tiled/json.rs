//! Elements from JSON, `.tmj` and `.tsj`: named and nested as in XML.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::value::RawValue;

use super::element::{DEEPEST, Element, Field, Source};
use crate::file_error::FileError;
use crate::json;

/// The map or the tile set in `source`, by the `name` that it would have in XML.
pub(super) fn root<'a>(source: &Source<'a>, name: &'a str) -> Result<Element<'a>, FileError> {
    let whole: &RawValue = json::read(source.text, source.file)?;
    element(whole, name, source, 0)
}

/// The members of an object, in the order of the file.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some((Key(key), value)) = map.next_entry()? {
                    members.push((key, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

struct Key<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrowing;
        impl<'de> Visitor<'de> for Borrowing {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Borrowing)
    }
}

/// Parses a part of the text. Its errors have their place in the whole text.
fn part<'a, T: Deserialize<'a>>(raw: &'a RawValue, source: &Source<'a>) -> Result<T, FileError> {
    serde_json::from_str(raw.get()).map_err(|error| {
        let message = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let begin = source.offset(raw.get()).unwrap_or_default();
        source.error(begin, message.strip_suffix(&place).unwrap_or(&message))
    })
}

fn element<'a>(raw: &'a RawValue, name: &'a str, source: &Source<'a>, depth: usize) -> Result<Element<'a>, FileError> {
    let at = source.offset(raw.get()).unwrap_or_default();
    if depth > DEEPEST {
        return Err(source.expected(at, format_args!("objects in at most {DEEPEST} others"), "more"));
    }
    let Members(members) = part(raw, source)?;
    let mut element_of = Element::new(name, at);
    let mut data = Element::new("data", at);
    for (key, value) in &members {
        let text = value.get();
        let place = source.offset(text).unwrap_or(at);
        match (&**key, text.as_bytes().first()) {
            // In XML the tiles of a layer are an element of their own.
            ("data", Some(b'[')) => {
                let inside = text.get(1..text.len() - 1).unwrap_or_default();
                data.text = Some((Cow::Borrowed(inside), place + 1));
            }
            ("data", Some(b'"')) => data.text = Some((scalar(value, source)?, place + 1)),
            ("encoding" | "compression", _) if name == "layer" => {
                let field = Field { name: key.clone(), value: scalar(value, source)?, at: place };
                // An empty compression is none.
                data.fields.extend(Some(field).filter(|field| !field.value.is_empty()));
            }
            ("chunks", Some(b'[')) => {
                for item in part::<Vec<&RawValue>>(value, source)? {
                    let mut chunk = element(item, "chunk", source, depth + 1)?;
                    // What is in a chunk is its text.
                    let tiles = chunk.children.iter().position(|child| child.name == "data");
                    chunk.text = tiles.and_then(|tiles| chunk.children.swap_remove(tiles).text);
                    data.children.push(chunk);
                }
            }
            ("layers", Some(b'[')) => {
                for item in part::<Vec<&RawValue>>(value, source)? {
                    let mut layer = element(item, "layer", source, depth + 1)?;
                    layer.name = match layer.value("type") {
                        Some("objectgroup") => "objectgroup",
                        Some("imagelayer") => "imagelayer",
                        Some("group") => "group",
                        _ => "layer",
                    };
                    element_of.children.push(layer);
                }
            }
            ("properties", _) => element_of.children.push(properties(value, source, depth)?),
            ("objects" | "tilesets" | "tiles", Some(b'[')) => {
                let one = match &**key {
                    "objects" => "object",
                    "tilesets" => "tileset",
                    _ => "tile",
                };
                for item in part::<Vec<&RawValue>>(value, source)? {
                    element_of.children.push(element(item, one, source, depth + 1)?);
                }
            }
            ("polygon" | "polyline", Some(b'[')) => {
                let mut line = Element::new(if key == "polygon" { "polygon" } else { "polyline" }, place);
                let corners = part::<Vec<Corner>>(value, source)?;
                let points: Vec<String> = corners.iter().map(|Corner { x, y }| format!("{x},{y}")).collect();
                let value = Cow::Owned(points.join(" "));
                line.fields.push(Field { name: Cow::Borrowed("points"), value, at: place });
                element_of.children.push(line);
            }
            ("ellipse" | "point" | "capsule", Some(b't')) => {
                let shape = match &**key {
                    "ellipse" => "ellipse",
                    "point" => "point",
                    _ => "capsule",
                };
                element_of.children.push(Element::new(shape, place));
            }
            ("text", Some(b'{')) => element_of.children.push(Element::new("text", place)),
            // Nothing else with parts says where agents can go.
            (_, Some(b'[' | b'{' | b'n') | None) => {}
            _ => {
                let value = scalar(value, source)?;
                element_of.fields.push(Field { name: key.clone(), value, at: place });
            }
        }
    }
    if data.text.is_some() || !data.children.is_empty() {
        // A list of numbers is what XML calls CSV.
        if data.field("encoding").is_none() {
            data.fields.push(Field { name: Cow::Borrowed("encoding"), value: Cow::Borrowed("csv"), at });
        }
        element_of.children.push(data);
    }
    Ok(element_of)
}

#[derive(Deserialize)]
struct Corner {
    x: f64,
    y: f64,
}

/// A list of properties, each with a name and a value; in old files an object.
fn properties<'a>(raw: &'a RawValue, source: &Source<'a>, depth: usize) -> Result<Element<'a>, FileError> {
    let at = source.offset(raw.get()).unwrap_or_default();
    let mut list = Element::new("properties", at);
    if raw.get().starts_with('[') {
        for item in part::<Vec<&RawValue>>(raw, source)? {
            list.children.push(element(item, "property", source, depth + 1)?);
        }
    } else {
        for (key, value) in part::<Members<'_>>(raw, source)?.0 {
            let at = source.offset(value.get()).unwrap_or(at);
            let mut property = Element::new("property", at);
            property.fields.push(Field { name: Cow::Borrowed("name"), value: key, at });
            let value = scalar(value, source)?;
            property.fields.push(Field { name: Cow::Borrowed("value"), value, at });
            list.children.push(property);
        }
    }
    Ok(list)
}

/// A text without its quotes; a number, a truth value or anything else as it is written.
fn scalar<'a>(raw: &'a RawValue, source: &Source<'a>) -> Result<Cow<'a, str>, FileError> {
    let text = raw.get();
    if !text.starts_with('"') {
        return Ok(Cow::Borrowed(text));
    }
    part::<Key<'_>>(raw, source).map(|Key(text)| text)
}
