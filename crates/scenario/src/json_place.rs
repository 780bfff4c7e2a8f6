//! The place of a value in JSON that has been parsed already: for errors in its meaning, not in its syntax.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

/// Selects one of the parts of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Selector {
    /// The value under this key of an object.
    Key(&'static str),
    /// The element at this position of an array, from 0.
    Element(usize),
}

/// The line and the column of the value to which `selectors` lead in `json`, as far as they lead; both from 1, the
/// column in bytes.
///
/// The function reads `json` again, so that reading a valid file costs nothing extra. `json` must be well-formed;
/// otherwise the place may be wrong.
pub(crate) fn line_and_column(json: &str, selectors: &[Selector]) -> (usize, usize) {
    let mut found = json.trim_start();
    for selector in selectors {
        let inside = match selector {
            Selector::Key(key) => {
                read::<HashMap<String, &RawValue>>(found).and_then(|object| object.get(*key).copied())
            }
            Selector::Element(position) => {
                read::<Vec<&RawValue>>(found).and_then(|array| array.get(*position).copied())
            }
        };
        let Some(inside) = inside else { break };
        found = inside.get();
    }
    let offset = found.as_ptr().addr() - json.as_ptr().addr();
    let before = json.as_bytes().get(..offset).unwrap_or_default();
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
    (line, column)
}

fn read<'a, T: Deserialize<'a>>(json: &'a str) -> Option<T> {
    serde_json::from_str(json).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Selector::{Element, Key};

    #[test]
    fn selectors_lead_to_a_line_and_a_column() {
        let json = "{\n \"a\\u0062\" : [1, {\"x\": \"]}\\\"\", \"y\": [[ ], 3.5e1]} ,null\n],\"c\":\ntrue }";
        for (selectors, place) in [
            (&[][..], (1, 1)),
            (&[Key("ab")], (2, 14)),
            (&[Key("ab"), Element(0)], (2, 15)),
            (&[Key("ab"), Element(1)], (2, 18)),
            (&[Key("ab"), Element(1), Key("x")], (2, 24)),
            (&[Key("ab"), Element(1), Key("y")], (2, 37)),
            (&[Key("ab"), Element(1), Key("y"), Element(0)], (2, 38)),
            (&[Key("ab"), Element(1), Key("y"), Element(1)], (2, 43)),
            (&[Key("ab"), Element(2)], (2, 52)),
            (&[Key("c")], (4, 1)),
            // A key that is missing: the place is as far as the selectors lead.
            (&[Key("d")], (1, 1)),
            (&[Key("ab"), Element(3)], (2, 14)),
            (&[Key("ab"), Element(1), Key("y"), Element(2)], (2, 37)),
            (&[Key("ab"), Element(1), Key("y"), Element(0), Element(0)], (2, 38)),
            (&[Key("c"), Key("x")], (4, 1)),
        ] {
            assert_eq!(line_and_column(json, selectors), place, "{selectors:?}");
        }
    }
}
