//! Recordings of runs: a line of JSON for the command and its inputs, and a line for each tick.

use std::fmt::Write as _;
use std::iter;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use clap::Parser as _;
use giveway::AgentId;
use giveway::strategies::{Call, Crowd};
use giveway::time::Tick;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::arguments::{Arguments, Command, SimulateArguments};
use crate::input_file;

const FORMAT: &str = "giveway-recording";
const VERSION: u32 = 1;

/// The first line.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Header {
    format: String,
    version: u32,
    /// The version of the program that wrote the file.
    pub(crate) giveway: String,
    /// The arguments of the program.
    arguments: Vec<String>,
    /// The files that the program has read.
    inputs: Vec<Input>,
}

/// What a header begins with, whatever its version.
#[derive(Deserialize)]
struct Beginning {
    format: String,
    version: u64,
}

#[derive(Clone, Serialize, Deserialize)]
struct Input {
    file: String,
    #[serde(flatten)]
    contents: Contents,
}

/// The contents of a file.
#[derive(Clone, Serialize, Deserialize)]
enum Contents {
    /// A text.
    #[serde(rename = "contents")]
    Text(String),
    /// Anything else.
    #[serde(rename = "base64")]
    Bytes(#[serde(with = "in_base64")] Vec<u8>),
}

impl Contents {
    fn of(bytes: Vec<u8>) -> Self {
        String::from_utf8(bytes).map_or_else(|error| Self::Bytes(error.into_bytes()), Self::Text)
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.clone().into_bytes(),
            Self::Bytes(bytes) => bytes.clone(),
        }
    }
}

/// Bytes as a text in base64.
mod in_base64 {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD.decode(text).map_err(|_| D::Error::custom("expected bytes in base64"))
    }
}

/// The line of a tick.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ticked {
    /// The tick that goes by in this line.
    pub(crate) tick: Tick,
    /// What the crowd was told; the last one is the tick.
    pub(crate) calls: Vec<Call>,
    /// The state after the tick.
    pub(crate) hash: Hash,
    /// The last 12 bits of the hash of each agent, in the order in which they were added.
    pub(crate) agents: Marks,
}

/// A hash, written with 16 digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hash(pub(crate) u64);

/// Twelve bits for each agent, two letters of [`LETTERS`] each.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Marks(String);

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let is_hash = text.len() == 16 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        let hash = u64::from_str_radix(&text, 16).ok().filter(|_| is_hash);
        hash.map(Self).ok_or_else(|| D::Error::custom("expected a hash, 16 hexadecimal digits"))
    }
}

impl Marks {
    /// The marks of the agents of `crowd`.
    pub(crate) fn of(crowd: &Crowd<'_>) -> Self {
        let hashes = crowd.agents().filter_map(|agent| crowd.agent_hash(agent));
        #[allow(clippy::cast_possible_truncation)] // the lowest bits count
        let letter = |hash: u64, shift: u32| char::from(LETTERS[usize::from((hash >> shift) as u8 % 64)]);
        Self(hashes.flat_map(|hash| [letter(hash, 6), letter(hash, 0)]).collect())
    }

    /// The agents of `crowd` that have other marks here; `None`: there are as many as marks, and none differs, or there
    /// are more or fewer.
    pub(crate) fn differing(&self, crowd: &Crowd<'_>) -> Option<Vec<AgentId>> {
        let present = Self::of(crowd);
        let pairs = |marks: &Self| marks.0.as_bytes().chunks(2).map(<[u8]>::to_vec).collect::<Vec<_>>();
        let (here, there) = (pairs(self), pairs(&present));
        if here.len() != there.len() {
            return None;
        }
        let differ = crowd.agents().zip(here.iter().zip(&there)).filter(|(_, (here, there))| here != there);
        Some(differ.map(|(agent, _)| agent).collect())
    }
}

impl Header {
    /// The first line of a file of this `format` that the run of this program writes, because of `flag`. All inputs
    /// have been read, and were [kept](input_file::keep).
    pub(crate) fn of_this_run(format: &str, version: u32, flag: &str) -> Result<Self> {
        let mut arguments = Vec::new();
        for argument in std::env::args_os().skip(1) {
            let text = argument.into_string();
            arguments.push(text.ok().with_context(|| format!("{flag}: expected arguments in UTF-8"))?);
        }
        let inputs = input_file::kept().into_iter().map(|(file, contents)| Input {
            file: file.to_string_lossy().into_owned(),
            contents: Contents::of(contents),
        });
        let inputs = inputs.collect();
        let giveway = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Self { format: format.to_owned(), version, giveway, arguments, inputs })
    }

    /// The header in the line `first` of `file`. `what`: what a file of this `format` is.
    fn parse(first: &str, file: &Path, (format, version): (&str, u32), what: &str) -> Result<Self> {
        match serde_json::from_str::<Beginning>(first).ok() {
            Some(beginning) if beginning.format == format && beginning.version == u64::from(version) => {
                parse(first, file, 0)
            }
            Some(beginning) if beginning.format == format => {
                bail!("{}:1: expected version {version}, found {}", file.display(), beginning.version)
            }
            _ => bail!("{}:1: expected {what}", file.display()),
        }
    }

    /// The header of `file`, whose contents are `text`, and the arguments in it. The other lines come with the header.
    /// `what`: what a file of this `format` is.
    pub(crate) fn read<'t>(
        text: &'t str,
        file: &Path,
        format: (&str, u32),
        what: &str,
    ) -> Result<(Self, SimulateArguments, &'t str)> {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let header = Self::parse(first, file, format, what)?;
        let command = iter::once("giveway").chain(header.arguments.iter().map(String::as_str));
        match Arguments::try_parse_from(command).map(|arguments| arguments.command) {
            Ok(Command::Simulate(simulate)) if simulate.resume.is_none() => Ok((header, simulate, rest)),
            _ => bail!(
                "{}:1: expected the arguments of `giveway simulate`, with a map, a world or a problem",
                file.display()
            ),
        }
    }

    /// The inputs of the run.
    pub(crate) fn inputs(&self) -> Vec<input_file::Contents> {
        let contents = |input: &Input| (input.file.clone().into(), input.contents.bytes());
        self.inputs.iter().map(contents).collect()
    }
}

/// Writes down a run as it goes.
pub(crate) struct Recorder {
    text: String,
}

impl Recorder {
    /// The recorder of the run of this program. All inputs have been read, and were [kept](input_file::keep).
    pub(crate) fn begin() -> Result<Self> {
        let header = Header::of_this_run(FORMAT, VERSION, "--record")?;
        Ok(Self { text: serde_json::to_string(&header)? + "\n" })
    }

    /// Notes what `crowd` was told for the tick that has just gone by, and what came of it.
    pub(crate) fn note(&mut self, tick: Tick, crowd: &mut Crowd<'_>) -> Result<()> {
        let calls = crowd.take_calls();
        let line = Ticked { tick, calls, hash: Hash(crowd.state_hash()), agents: Marks::of(crowd) };
        writeln!(self.text, "{}", serde_json::to_string(&line)?)?;
        Ok(())
    }

    /// The recording.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}

/// The lines of a recording after the first one.
pub(crate) struct Recording<'a> {
    file: &'a Path,
    lines: iter::Enumerate<std::str::Lines<'a>>,
    /// The version of the program that recorded.
    pub(crate) giveway: String,
}

impl<'a> Recording<'a> {
    /// The recording with the contents `text` of `file`, and the arguments of the run. From now on inputs come from the
    /// recording.
    pub(crate) fn open(text: &'a str, file: &'a Path) -> Result<(SimulateArguments, Self)> {
        let what = "a recording, as `giveway simulate --record` writes one";
        let (header, arguments, rest) = Header::read(text, file, (FORMAT, VERSION), what)?;
        input_file::read_from(header.inputs(), "the recording");
        Ok((arguments, Self { file, lines: rest.lines().enumerate(), giveway: header.giveway }))
    }
}

impl Iterator for Recording<'_> {
    type Item = Result<Ticked>;

    fn next(&mut self) -> Option<Result<Ticked>> {
        let (number, line) = self.lines.next()?;
        Some(parse(line, self.file, number + 1))
    }
}

/// The value of the line with this number, from 0.
fn parse<'t, T: Deserialize<'t>>(line: &'t str, file: &Path, number: usize) -> Result<T> {
    serde_json::from_str(line).map_err(|error| {
        let message = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = message.strip_suffix(&place).unwrap_or(&message);
        anyhow::anyhow!("{}:{}:{}: {message}", file.display(), number + 1, error.column())
    })
}
