//! What the colours of a picture are: walls, or ground of a weight.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::lines::quoted;

/// A table that says what colours mean. A colour means a wall, or ground with a weight.
///
/// The text form is `#000000=wall,#ffffff=free,#8b4513=3`. A colour has two hexadecimal digits for red, two for green
/// and two for blue; the `#` may be left out. `other` in place of a colour stands for all colours that are not listed.
/// The meaning of a colour is `wall`, `free` or a weight. A weight is a whole number from 1 to 1000; `free` is the
/// weight 1. A step onto a cell of weight 3 costs 3 times as much as on plain ground: see
/// [`Grid::with_terrain`](giveway_spaces::Grid::with_terrain).
///
/// ```
/// use giveway_scenario::Colors;
///
/// let colors: Colors = "#000000=wall,#FFFFFF=free,#8b4513=3".parse()?;
/// assert_eq!(colors.of([0, 0, 0]), Some(None));
/// assert_eq!(colors.of([0x8b, 0x45, 0x13]), Some(Some(3)));
/// assert_eq!(colors.of([1, 2, 3]), None);
/// # Ok::<(), giveway_scenario::InvalidColors>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Colors {
    known: BTreeMap<[u8; 3], Option<u32>>,
    /// What all other colours are; `None`: there are none.
    other: Option<Option<u32>>,
}

/// The largest weight of a cell.
const HEAVIEST: u32 = 1000;
/// The colour that stands for all others.
const OTHER: &str = "other";

impl Colors {
    /// The table of `entries`. An entry is a colour and its meaning, both as in the text form.
    ///
    /// # Errors
    /// There is no entry; a colour or a meaning is not written as in the text form; or a colour occurs twice.
    pub fn new<N: AsRef<str>, G: AsRef<str>>(entries: impl IntoIterator<Item = (N, G)>) -> Result<Self, InvalidColors> {
        let mut colors = Self::default();
        for (name, ground) in entries {
            colors.add(name.as_ref(), ground.as_ref())?;
        }
        if colors.is_empty() {
            return Err(InvalidColors::expected("at least one colour", "none"));
        }
        Ok(colors)
    }

    fn add(&mut self, name: &str, ground: &str) -> Result<(), InvalidColors> {
        let ground = ground_of(ground)?;
        let is_new = if name == OTHER {
            self.other.replace(ground).is_none()
        } else {
            self.known.insert(color_of(name)?, ground).is_none()
        };
        if is_new { Ok(()) } else { Err(InvalidColors::expected("each colour once", quoted(name))) }
    }

    /// The meaning of a colour, which is given as red, green and blue. `Some(Some(weight))`: ground with this weight.
    /// `Some(None)`: a wall. `None`: the table has neither this colour nor `other`.
    pub fn of(&self, color: [u8; 3]) -> Option<Option<u32>> {
        self.known.get(&color).copied().or(self.other)
    }

    /// The number of colours that are listed.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether the table says nothing.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty() && self.other.is_none()
    }
}

/// The wall, or the weight, that `text` names.
fn ground_of(text: &str) -> Result<Option<u32>, InvalidColors> {
    match text.trim() {
        "wall" => Ok(None),
        "free" => Ok(Some(1)),
        weight => {
            let weight = weight.parse().ok().filter(|weight| (1..=HEAVIEST).contains(weight)).map(Some);
            let expected = format!("wall, free, or a whole number from 1 to {HEAVIEST}");
            weight.ok_or_else(|| InvalidColors::expected(expected, quoted(text)))
        }
    }
}

fn color_of(text: &str) -> Result<[u8; 3], InvalidColors> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let part = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    let is_sound = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let color = if is_sound { part(0).zip(part(2)).zip(part(4)) } else { None };
    let color = color.map(|((red, green), blue)| [red, green, blue]);
    color.ok_or_else(|| InvalidColors::expected("a colour as #8b4513, or other", quoted(text)))
}

impl FromStr for Colors {
    type Err = InvalidColors;

    fn from_str(text: &str) -> Result<Self, InvalidColors> {
        let entry = |entry: &str| {
            let parts = entry.split_once('=').map(|(name, ground)| (name.trim().to_owned(), ground.to_owned()));
            parts.ok_or_else(|| InvalidColors::expected("a colour and what it is, as #000000=wall", quoted(entry)))
        };
        Self::new(text.split(',').map(entry).collect::<Result<Vec<_>, _>>()?)
    }
}

/// Why a text is no table of colours: what was expected, and what was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidColors(String);

impl InvalidColors {
    fn expected(expected: impl fmt::Display, found: impl fmt::Display) -> Self {
        Self(format!("expected {expected}, found {found}"))
    }
}

impl fmt::Display for InvalidColors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidColors {}
