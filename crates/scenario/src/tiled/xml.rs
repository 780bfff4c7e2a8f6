//! Elements from XML: `.tmx` and `.tsx`.

use std::borrow::Cow;

use roxmltree::{Document, Error, Node, ParsingOptions};

use super::element::{DEEPEST, Element, Field, Source};
use crate::file_error::FileError;
use crate::lines::quoted;

/// The time to read a tag grows with the square of its attributes. Elements of Tiled have fewer than thirty.
const MOST_ATTRIBUTES: usize = 1000;
/// Each element keeps the name spaces of all around it. Tiled has none.
const MOST_NAME_SPACES: usize = 16;

/// The document in `source`. A document type that declares entities is refused, so these never expand; one that only
/// names the format, as old files have it, is ignored.
pub(super) fn document<'a>(source: &Source<'a>) -> Result<Document<'a>, FileError> {
    refuse_large_tags(source)?;
    let allow_dtd = !source.text.contains("<!ENTITY");
    let options = ParsingOptions { allow_dtd, ..ParsingOptions::default() };
    Document::parse_with_options(source.text, options).map_err(|error| {
        let place = error.pos();
        let (line, column) = (place.row as usize, place.col as usize);
        match error {
            Error::DtdDetected => {
                let at = source.text.find("<!DOCTYPE").unwrap_or_default();
                source.expected(at, "XML without entities of its own, as Tiled writes it", "<!DOCTYPE")
            }
            error => {
                let message = error.to_string();
                // The place goes to the front, as in all errors.
                let message = message.strip_suffix(&format!(" at {place}")).unwrap_or(&message);
                FileError::new(source.file, format_args!("expected well-formed XML: {message}"))
                    .at_line(Some(line))
                    .at_column(column)
            }
        }
    })
}

fn refuse_large_tags(source: &Source<'_>) -> Result<(), FileError> {
    if let Some((at, _)) = source.text.match_indices("xmlns").nth(MOST_NAME_SPACES) {
        return Err(source.expected(at, format_args!("at most {MOST_NAME_SPACES} name spaces"), "more"));
    }
    let mut at = 0_usize;
    for tag in source.text.split('<') {
        // A value cannot have a `<` in it.
        if tag.bytes().filter(|byte| *byte == b'=').count() > MOST_ATTRIBUTES {
            let values = tag
                .match_indices('=')
                .filter(|(end, _)| tag.get(end + 1..).is_some_and(|rest| rest.trim_start().starts_with(['"', '\''])));
            if values.count() > MOST_ATTRIBUTES {
                let found = format!("more than {MOST_ATTRIBUTES} attributes");
                return Err(source.expected(at.saturating_sub(1), "a tag of Tiled", found));
            }
        }
        at += tag.len() + 1;
    }
    Ok(())
}

/// The root of `document`.
pub(super) fn root<'a>(document: &'a Document<'a>, source: &Source<'a>) -> Result<Element<'a>, FileError> {
    element(document.root_element(), source, 0)
}

fn element<'a>(node: Node<'a, 'a>, source: &Source<'a>, depth: usize) -> Result<Element<'a>, FileError> {
    let at = node.range().start;
    if depth > DEEPEST {
        return Err(source.expected(at, format_args!("elements in at most {DEEPEST} others"), "more"));
    }
    let mut element_of = Element::new(node.tag_name().name(), at);
    element_of.fields.extend(node.attributes().map(|attribute| Field {
        name: Cow::Borrowed(attribute.name()),
        value: Cow::Borrowed(attribute.value()),
        at: attribute.range().start,
    }));
    for child in node.children() {
        if child.has_tag_name("tile") && matches!(element_of.name, "data" | "chunk") {
            element_of.tiles.push(tile(child, source)?);
        } else if child.is_element() {
            element_of.children.push(element(child, source, depth + 1)?);
        } else if let Some(text) = child.text().filter(|_| child.is_text()) {
            match &mut element_of.text {
                None => {
                    let at = source.offset(text).unwrap_or(child.range().start);
                    element_of.text = Some((Cow::Borrowed(text), at));
                }
                // After a comment or an element; indentation needs no room.
                Some((known, _)) if !text.trim().is_empty() => known.to_mut().push_str(text),
                Some(_) => {}
            }
        }
    }
    Ok(element_of)
}

/// The global id of a tile of a layer; 0 for none.
fn tile(node: Node<'_, '_>, source: &Source<'_>) -> Result<u32, FileError> {
    let Some(gid) = node.attribute_node("gid") else { return Ok(0) };
    let expected = "the gid of <tile> as a whole number up to 4294967295";
    gid.value().trim().parse().map_err(|_| source.expected(gid.range().start, expected, quoted(gid.value())))
}
