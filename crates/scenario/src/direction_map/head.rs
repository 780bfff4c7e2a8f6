//! The head of all direction maps: their rules, and the space that they are for.

use std::fmt;
use std::path::Path;

use giveway_lanes::{DirectionRules, Directions};
use serde::Serialize;

use crate::file_error::FileError;
use crate::json;
use crate::json_place::Selector;
use crate::lines::quoted;

/// The rules; and the space, by its fingerprint and its number of nodes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Head {
    pub(super) rules: DirectionRules,
    space: u64,
    nodes: u32,
}

impl Head {
    /// The head of the file of `map`.
    pub(super) fn of<K: Clone, const N: usize>(map: &Directions<K, N>) -> Self {
        let nodes = u32::try_from(map.node_bound()).unwrap_or(u32::MAX);
        Self { rules: *map.rules(), space: map.fingerprint(), nodes }
    }

    /// Parses the head from the `json` of a file.
    pub(super) fn parse(
        rules: DirectionRules,
        space: &str,
        nodes: u32,
        file: &Path,
        json: &str,
    ) -> Result<Self, FileError> {
        check_rules(&rules).map_err(|(key, message)| {
            let error = FileError::new(file, format!("rules: {message}"));
            json::at(error, json, &[Selector::Key("rules"), Selector::Key(key)])
        })?;
        let digits = Some(space).filter(|digits| digits.len() == 16 && !digits.starts_with('+'));
        let Some(fingerprint) = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()) else {
            let error = FileError::expected(file, "a space as 16 hexadecimal digits", quoted(space));
            return Err(json::at(error, json, &[Selector::Key("space")]));
        };
        Ok(Self { rules, space: fingerprint, nodes })
    }

    /// Checks that the file is for the space of `map`. Returns the error to use if something else does not fit.
    pub(super) fn check_space<K: Clone, const N: usize>(
        &self,
        map: &Directions<K, N>,
    ) -> Result<OtherSpace, OtherSpace> {
        let found = Self::of(map);
        let other = OtherSpace { expected: (self.nodes, self.space), found: (found.nodes, found.space) };
        if *self == found { Ok(other) } else { Err(other) }
    }

    /// Writes a file with this head, and the `items` in a list named `list`, one per line.
    pub(super) fn write<T: Serialize>(
        &self,
        f: &mut fmt::Formatter<'_>,
        [format, list]: [&str; 2],
        version: u32,
        items: &[T],
    ) -> fmt::Result {
        let Self { rules, space, nodes } = self;
        let rules = serde_json::to_string(rules).map_err(|_| fmt::Error)?;
        writeln!(f, "{{\"format\":\"{format}\",\"version\":{version},\"rules\":{rules},")?;
        write!(f, "\"space\":\"{space:016x}\",\"nodes\":{nodes},\"{list}\":[")?;
        json::write_items(f, items)
    }
}

/// A direction map cannot be used in the given space, because it was learned in another space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherSpace {
    /// The number of nodes and the fingerprint of the map's space.
    pub expected: (u32, u64),
    /// The number of nodes and the fingerprint of the given space.
    pub found: (u32, u64),
}

impl fmt::Display for OtherSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expected: (nodes, fingerprint), found: (found_nodes, found_fingerprint) } = self;
        write!(
            f,
            "learned in another space: of {nodes} nodes with the fingerprint {fingerprint:016x}, not of {found_nodes} with \
             {found_fingerprint:016x}"
        )
    }
}

impl std::error::Error for OtherSpace {}

/// The error is the key, and what was expected and found.
fn check_rules(rules: &DirectionRules) -> Result<(), (&'static str, String)> {
    let rows = [
        ("rate", "rate", rules.learning_rate(), 1.0),
        ("neighbours", "learning rate of neighbours", rules.neighbour_rate(), 1.0),
        ("weight", "weight", rules.weight_in_steps(), DirectionRules::HEAVIEST),
    ];
    match rows.into_iter().find(|(_, _, number, most)| !(0.0..=*most).contains(number)) {
        Some((key, name, number, most)) => Err((key, format!("expected a {name} from 0 to {most}, found {number}"))),
        None => Ok(()),
    }
}
