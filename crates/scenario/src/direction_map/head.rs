//! What all direction maps say of themselves: their rules, and for which space they are.

use std::fmt;
use std::path::Path;

use giveway_core::DirectionRules;
use serde::Serialize;

use crate::file_error::FileError;
use crate::json;
use crate::json_place::Selector;
use crate::lines::quoted;

/// The rules, and the space by its fingerprint and the number of its nodes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Head {
    pub(super) rules: DirectionRules,
    space: u64,
    nodes: u32,
}

impl Head {
    pub(super) fn new(rules: DirectionRules, space: u64, nodes: usize) -> Self {
        Self { rules, space, nodes: u32::try_from(nodes).unwrap_or(u32::MAX) }
    }

    /// The head that the `json` in a file says it has.
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

    /// Whether it is for a space of so many `nodes` with this `fingerprint`; how the error would be, if something else does not fit.
    pub(super) fn check_space(&self, nodes: usize, fingerprint: u64) -> Result<OtherSpace, OtherSpace> {
        let found = Self::new(self.rules, fingerprint, nodes);
        let other = OtherSpace { expected: (self.nodes, self.space), found: (found.nodes, found.space) };
        if *self == found { Ok(other) } else { Err(other) }
    }

    /// Writes a file with this head, and the `items` under the name of `list`, one per line.
    pub(super) fn write<T: Serialize>(
        &self,
        f: &mut fmt::Formatter<'_>,
        [format, list]: [&str; 2],
        version: u32,
        items: impl Iterator<Item = T>,
    ) -> fmt::Result {
        let Self { rules, space, nodes } = self;
        let rules = serde_json::to_string(rules).map_err(|_| fmt::Error)?;
        writeln!(f, "{{\"format\":\"{format}\",\"version\":{version},\"rules\":{rules},")?;
        write!(f, "\"space\":\"{space:016x}\",\"nodes\":{nodes},\"{list}\":[")?;
        for (index, item) in items.enumerate() {
            f.write_str(if index == 0 { "\n" } else { ",\n" })?;
            f.write_str(&serde_json::to_string(&item).map_err(|_| fmt::Error)?)?;
        }
        f.write_str("\n]}\n")
    }
}

/// A direction map is for another space than the one it was to be used in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherSpace {
    /// How many nodes the space of the map has, and its fingerprint.
    pub expected: (u32, u64),
    /// The same of the other space.
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

/// Otherwise, the key, what was expected and what was found.
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
