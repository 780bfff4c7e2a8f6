//! The place of a value in JSON that has been parsed already: for errors in its meaning, not in its syntax.

/// Selects one of the parts of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Selector {
    /// The value under this key of an object.
    Key(&'static str),
    /// The element at this position of an array, from 0.
    Element(usize),
}

/// The line and the column of the value to which `selectors` lead in `json`, as far as they lead; both from 1, the column in bytes.
///
/// It scans `json` again, so that reading a valid file costs nothing. `json` must be well-formed; otherwise the place may be wrong.
pub(crate) fn line_and_column(json: &str, selectors: &[Selector]) -> (usize, usize) {
    let mut remainder = Remainder { rest: json.as_bytes() };
    remainder.skip_space();
    let mut found = remainder;
    for selector in selectors {
        let inside = match selector {
            Selector::Key(key) => remainder.enter_key(key),
            Selector::Element(position) => remainder.enter_element(*position),
        };
        if inside.is_none() {
            break;
        }
        found = remainder;
    }
    let offset = json.len().saturating_sub(found.rest.len());
    let before = json.as_bytes().get(..offset).unwrap_or_default();
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
    (line, column)
}

/// The rest of the JSON. Scanning is not recursive, however deeply values are nested.
#[derive(Clone, Copy)]
struct Remainder<'a> {
    rest: &'a [u8],
}

impl<'a> Remainder<'a> {
    /// Goes from an object to the value under `key`; `None`: there is none.
    fn enter_key(&mut self, key: &str) -> Option<()> {
        self.take(b'{')?;
        loop {
            let begin = self.rest;
            self.skip_string()?;
            let spelt = begin.get(..begin.len() - self.rest.len())?;
            self.take(b':')?;
            if serde_json::from_slice::<String>(spelt).is_ok_and(|name| name == key) {
                return Some(());
            }
            self.skip_value()?;
            self.take(b',')?;
        }
    }

    /// Goes from an array to the element at `position`; `None`: there is none.
    fn enter_element(&mut self, position: usize) -> Option<()> {
        self.take(b'[')?;
        for _ in 0..position {
            self.skip_value()?;
            self.take(b',')?;
        }
        (self.rest.first()? != &b']').then_some(())
    }

    /// Skips `byte` and the space around it; `None`: something else comes next.
    fn take(&mut self, byte: u8) -> Option<()> {
        self.skip_space();
        self.rest = self.rest.strip_prefix(&[byte])?;
        self.skip_space();
        Some(())
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    fn skip_string(&mut self) -> Option<()> {
        self.rest = self.rest.strip_prefix(b"\"")?;
        loop {
            match self.next()? {
                b'"' => return Some(()),
                b'\\' => self.next().map(|_| ())?,
                _ => {}
            }
        }
    }

    /// Skips a value of any kind.
    fn skip_value(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.rest.first()? {
                b'"' => self.skip_string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.next();
                }
                b'}' | b']' if depth > 0 => {
                    depth -= 1;
                    self.next();
                }
                // The value is a number or a word, and ends here.
                b'}' | b']' | b',' if depth == 0 => return Some(()),
                _ => self.next().map(|_| ())?,
            }
            let ends =
                self.rest.first().is_none_or(|byte| matches!(byte, b',' | b'}' | b']') || byte.is_ascii_whitespace());
            if depth == 0 && ends {
                return Some(());
            }
        }
    }

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }
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

    #[test]
    fn what_is_not_well_formed_has_a_place_too() {
        let json = "{\"a\": [1, {\"b\": \"c\\\"\", \"d\": [2";
        for end in 0..=json.len() {
            let (line, column) = line_and_column(&json[..end], &[Key("a"), Element(1), Key("d"), Element(1)]);
            assert!(line == 1 && column <= end + 1, "{end}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(line_and_column(&format!("{{\"a\":{deep}"), &[Key("b")]), (1, 1));
    }
}
