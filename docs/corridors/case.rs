//! Cases: a picture of units in a narrow place, with lines above it that say what it cannot show.

use std::path::Path;

use giveway::NodeId;
use giveway::spaces::Grid;

/// One case, as a file of `testdata/corridors` tells it; the README there describes the format.
#[derive(Debug)]
pub(crate) struct Case {
    /// The file's name, without its extension.
    pub(crate) name: String,
    /// What it is about, in a sentence.
    pub(crate) what: String,
    /// The file without that sentence.
    pub(crate) picture: String,
    pub(crate) grid: Grid,
    /// In order of their letters, which is that of their ids.
    pub(crate) units: Vec<Unit>,
}

#[derive(Debug)]
pub(crate) struct Unit {
    letter: char,
    pub(crate) start: NodeId,
    /// `None`: it stands by.
    pub(crate) goal: Option<NodeId>,
    pub(crate) kind: Kind,
}

/// What units have in common that are of one class.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Kind {
    /// How many cells it has to a side.
    pub(crate) size: u32,
    /// How many cells it goes in a tick.
    pub(crate) speed: f32,
}

impl Kind {
    /// One cell, a step in a tick.
    pub(crate) const PLAIN: Self = Self { size: 1, speed: 1.0 };
}

/// The line, from 1, and what is wrong with it.
type Malformed = (usize, String);

/// A header line that speaks of a unit: its words after the keyword.
struct About<'a> {
    line: usize,
    keyword: &'a str,
    letter: char,
    value: &'a str,
}

/// Every case there is, by name.
pub(crate) fn read_all() -> Result<Vec<Case>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/corridors");
    let said = |why: std::io::Error| format!("{}: {why}", folder.display());
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(said)? {
        let path = entry.map_err(said)?.path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            let text = std::fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            cases.push(Case::parse(&name, &text)?);
        }
    }
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(cases)
}

impl Case {
    /// The case that `text` tells.
    ///
    /// # Errors
    /// The text is malformed: `name.txt:line: expected this, found that`.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, String> {
        Self::of_text(name, text).map_err(|(line, why)| format!("{name}.txt:{line}: {why}"))
    }

    fn of_text(name: &str, text: &str) -> Result<Self, Malformed> {
        let lines: Vec<&str> = text.lines().collect();
        let first = lines.first().ok_or_else(|| (1, "expected what .., found the end".to_owned()))?;
        let what = first.strip_prefix("what ").ok_or_else(|| (1, format!("expected what .., found {first:?}")))?;
        let header = lines.iter().position(|line| line.is_empty());
        let abouts = (2..).zip(&lines[1..header.unwrap_or(lines.len())]);
        let abouts = abouts.map(|(line, text)| About::parse(line, text)).collect::<Result<Vec<_>, _>>()?;
        let missing = || (lines.len() + 1, "expected an empty line and a picture, found the end".to_owned());
        let header = header.ok_or_else(missing)?;
        let rows = Rows { first: header + 2, rows: &lines[header + 1..] };
        let grid = rows.grid()?;
        let mut units = rows.units()?;
        for (index, about) in abouts.iter().enumerate() {
            if abouts[..index].iter().any(|other| (other.keyword, other.letter) == (about.keyword, about.letter)) {
                return Err(about.another());
            }
            about.apply(&mut units)?;
        }
        let picture = lines[1..].join("\n").trim_start().to_owned();
        Ok(Self { name: name.to_owned(), what: what.to_owned(), picture, grid, units })
    }

    /// The kinds of units there are, in the order in which they first occur.
    pub(crate) fn kinds(&self) -> Vec<Kind> {
        let mut kinds = Vec::new();
        for unit in &self.units {
            if !kinds.contains(&unit.kind) {
                kinds.push(unit.kind);
            }
        }
        kinds
    }
}

/// The picture.
struct Rows<'a> {
    /// The number of its first line.
    first: usize,
    rows: &'a [&'a str],
}

impl Rows<'_> {
    /// The map: letters are free cells. What is no cell at all is left for [`units`](Self::units) to find.
    fn grid(&self) -> Result<Grid, Malformed> {
        let cells: Vec<Vec<char>> = self.rows.iter().map(|row| row.chars().collect()).collect();
        let width = cells.first().map_or(0, Vec::len);
        if let Some((line, row)) = (self.first..).zip(&cells).find(|(_, row)| row.len() != width) {
            return Err((line, format!("expected {width} cells, found {}", row.len())));
        }
        let side = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        Grid::from_fn(side(width), side(cells.len()), |x, y| cells[y as usize][x as usize] != '@')
            .map_err(|why| (self.first, format!("expected a picture, found none: {why}")))
    }

    /// Those whose letters are in the picture.
    fn units(&self) -> Result<Vec<Unit>, Malformed> {
        let mut units: Vec<Unit> = Vec::new();
        let mut goals: Vec<(char, NodeId, usize)> = Vec::new();
        let numbered = (self.first..).zip(self.rows).flat_map(|(line, row)| row.chars().map(move |cell| (line, cell)));
        for ((line, cell), node) in numbered.zip((0..).map(NodeId)) {
            let known = units.iter().any(|unit| unit.letter == cell)
                || goals.iter().any(|(owner, ..)| owner.to_ascii_lowercase() == cell);
            match cell {
                '.' | '@' => {}
                _ if known => return Err((line, format!("expected {cell:?} once, found it again"))),
                'A'..='Z' => units.push(Unit { letter: cell, start: node, goal: None, kind: Kind::PLAIN }),
                'a'..='z' => goals.push((cell.to_ascii_uppercase(), node, line)),
                _ => return Err((line, format!("expected '.', '@' or a letter, found {cell:?}"))),
            }
        }
        for (letter, node, line) in goals {
            let unit = units.iter_mut().find(|unit| unit.letter == letter);
            unit.ok_or_else(|| (line, format!("expected {letter:?} somewhere, found only its goal")))?.goal =
                Some(node);
        }
        if units.is_empty() {
            return Err((self.first, "expected a unit, found none in the picture".to_owned()));
        }
        units.sort_by_key(|unit| unit.letter);
        Ok(units)
    }
}

impl<'a> About<'a> {
    fn parse(line: usize, text: &'a str) -> Result<Self, Malformed> {
        let malformed = || (line, format!("expected size A 2, speed A 1/2 or goal A B, found {text:?}"));
        let words: Vec<&str> = text.split(' ').collect();
        let [keyword @ ("size" | "speed" | "goal"), letter, value] = words[..] else {
            return Err(malformed());
        };
        let letter = one_letter(letter).ok_or_else(malformed)?;
        Ok(Self { line, keyword, letter, value })
    }

    fn apply(&self, units: &mut [Unit]) -> Result<(), Malformed> {
        let expected = |what: &str| (self.line, format!("expected {what}, found {:?}", self.value));
        let unit = units.iter().position(|unit| unit.letter == self.letter);
        let unit =
            unit.ok_or_else(|| (self.line, format!("expected a unit of the picture, found {:?}", self.letter)))?;
        match self.keyword {
            "size" => {
                units[unit].kind.size = number(self.value).ok_or_else(|| expected("a number of cells"))?.into();
            }
            "speed" => units[unit].kind.speed = fraction(self.value).ok_or_else(|| expected("a speed as 2 or 1/2"))?,
            _ if units[unit].goal.is_some() => return Err(self.another()),
            _ => {
                let place = one_letter(self.value).and_then(|letter| units.iter().find(|unit| unit.letter == letter));
                let goal = Some(place.ok_or_else(|| expected("the letter of a unit"))?.start);
                if let Some(other) = units.iter().find(|other| other.goal == goal) {
                    let both = format!("those of {:?} and {:?}", other.letter, self.letter);
                    return Err((self.line, format!("expected goals that differ, found {both} in one place")));
                }
                units[unit].goal = goal;
            }
        }
        Ok(())
    }

    fn another(&self) -> Malformed {
        (self.line, format!("expected one {} of {:?}, found another", self.keyword, self.letter))
    }
}

fn one_letter(word: &str) -> Option<char> {
    word.chars().next().filter(|letter| letter.is_ascii_uppercase() && word.len() == 1)
}

/// `2`, or `1/2`.
fn fraction(text: &str) -> Option<f32> {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    Some(f32::from(number(above)?) / f32::from(number(below)?))
}

/// Decimal digits and nothing else, above 0.
fn number(text: &str) -> Option<u16> {
    let digits = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    digits.parse().ok().filter(|number| *number > 0)
}
