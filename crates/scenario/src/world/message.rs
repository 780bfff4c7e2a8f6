//! Errors of TOML in the words and with the places of all errors.

use std::path::Path;

use crate::file_error::FileError;
use crate::lines::quoted;

/// Adds to `error` the line and the column of `offset` in `text`.
pub(super) fn at(error: FileError, text: &str, offset: usize) -> FileError {
    let mut end = offset.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = text.get(..end).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    error.at_line(Some(line)).at_column(column)
}

/// `error`, which parsing `text` returned, as an error about `file`.
pub(super) fn explain(error: &toml::de::Error, text: &str, file: &Path) -> FileError {
    let told = error.message();
    let known = unknown_key(told).or_else(|| missing_key(told)).or_else(|| other_value(told));
    let known = known.map(|(expected, found)| FileError::expected(file, expected, found));
    let error_only = || FileError::new(file, told.lines().collect::<Vec<_>>().join("; "));
    let located = known.unwrap_or_else(error_only);
    match error.span() {
        Some(span) => at(located, text, span.start),
        None => located,
    }
}

/// What was expected in place of an unknown key or name, and what was found.
fn unknown_key(told: &str) -> Option<(String, String)> {
    let (kind, rest) = [("key", "unknown field `"), ("name", "unknown variant `")]
        .into_iter()
        .find_map(|(kind, prefix)| Some((kind, told.strip_prefix(prefix)?)))?;
    let (found, rest) = rest.split_once('`')?;
    let names: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
    let found_text = match nearest(found, names.iter().copied()) {
        Some(meant) => format!("{}: is {meant:?} meant?", quoted(found)),
        None => quoted(found).to_string(),
    };
    let list = names.join(", ");
    let expected = match (kind, names.contains(&"speed"), names.len()) {
        ("key", true, _) => "a key of a class".to_owned(),
        (_, _, 0) => "no key here".to_owned(),
        ("key", ..) => format!("one of the keys {list}"),
        _ => format!("one of {list}"),
    };
    Some((expected, found_text))
}

fn missing_key(told: &str) -> Option<(String, String)> {
    let key = told.strip_prefix("missing field `")?.strip_suffix('`')?;
    Some((format!("the key {key:?}"), "none".to_owned()))
}

/// `invalid type: string "x", expected u32`, and the like.
fn other_value(told: &str) -> Option<(String, String)> {
    let rest =
        ["invalid type: ", "invalid value: ", "invalid length "].into_iter().find_map(|it| told.strip_prefix(it))?;
    let (found, expected) = rest.rsplit_once(", expected ")?;
    let expected = match expected {
        "a string" | "path string" => "a text",
        "u32" | "u64" | "u8" => "a whole number from 0",
        "i32" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        other => other.strip_prefix("struct ").map_or(other, |_| "a table"),
    };
    Some((expected.to_owned(), found.replace('`', "")))
}

/// The name among `names` that is most like `name`, if it is like it at all: at most a third of it differs.
pub(super) fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Longer names are no slips.
    const LONGEST: usize = 40;
    let letters: Vec<char> = name.chars().take(LONGEST + 1).collect();
    let most = (letters.len() / 3).max(1);
    let all =
        names.into_iter().map(|known| (distance(&letters, &known.chars().take(LONGEST).collect::<Vec<_>>()), known));
    let near = all.filter(|(far, _)| *far <= most && letters.len() <= LONGEST);
    near.min_by_key(|(far, _)| *far).map(|(_, known)| known)
}

/// How many letters have to be added, left out, changed, or exchanged with the next one (optimal string alignment).
fn distance(one: &[char], other: &[char]) -> usize {
    let first: Vec<usize> = (0..=other.len()).collect();
    let (mut before, mut above) = (first.clone(), first);
    for (row, letter) in one.iter().enumerate() {
        let mut here = vec![row + 1];
        for (column, known) in other.iter().enumerate() {
            let changed = above[column] + usize::from(letter != known);
            let mut least = changed.min(above[column + 1] + 1).min(here[column] + 1);
            let is_swap = row > 0 && column > 0 && one[row - 1] == *known && *letter == other[column - 1];
            if is_swap {
                least = least.min(before[column - 1] + 1);
            }
            here.push(least);
        }
        before = std::mem::replace(&mut above, here);
    }
    above[other.len()]
}
