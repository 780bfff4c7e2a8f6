//! Kinds of files: for clear errors when a file of another kind is expected.

use std::fmt;
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::file_error::FileError;

/// The `format` of traces as JSON.
pub(crate) const TRACE_FORMAT: &str = "giveway-trace";

/// The `format` of direction maps.
pub(crate) const DIRECTION_MAP_FORMAT: &str = "giveway-direction-map";

/// The `format` of direction maps of moves.
pub(crate) const EDGE_DIRECTION_MAP_FORMAT: &str = "giveway-edge-direction-map";

/// The `format` of direction maps of a raster.
pub(crate) const WORLD_DIRECTION_MAP_FORMAT: &str = "giveway-world-direction-map";

/// The names of the columns of agents.
pub(crate) const COLUMNS: [&str; 4] = ["start_x", "start_y", "goal_x", "goal_y"];

/// How PNG pictures begin.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The kinds of files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    Map,
    Mesh,
    TileMap,
    Picture,
    Graph,
    Scenario,
    Agents,
    Plan,
    Trace,
    DirectionMap,
    EdgeDirectionMap,
    WorldDirectionMap,
    Problem,
    World,
}

impl FileKind {
    /// The kind of JSON with this `format`.
    fn of_format(format: &str) -> Option<Self> {
        match format {
            TRACE_FORMAT => Some(Self::Trace),
            DIRECTION_MAP_FORMAT => Some(Self::DirectionMap),
            EDGE_DIRECTION_MAP_FORMAT => Some(Self::EdgeDirectionMap),
            WORLD_DIRECTION_MAP_FORMAT => Some(Self::WorldDirectionMap),
            _ => None,
        }
    }

    /// The kind of `contents`, judged by their beginning alone.
    pub(crate) fn of(contents: &[u8]) -> Option<Self> {
        if contents.starts_with(PNG) {
            return Some(Self::Picture);
        }
        let text = String::from_utf8_lossy(contents);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        if text.trim_start().starts_with('{') {
            #[derive(Deserialize)]
            #[serde(rename_all = "camelCase")]
            struct Header {
                format: Option<String>,
                map_file: Option<IgnoredAny>,
                task_file: Option<IgnoredAny>,
                layers: Option<IgnoredAny>,
                tilewidth: Option<IgnoredAny>,
                nodes: Option<IgnoredAny>,
                edges: Option<IgnoredAny>,
                links: Option<IgnoredAny>,
            }
            let header: Header = serde_json::from_str(text).ok()?;
            return match header {
                Header { format: Some(format), .. } => Self::of_format(&format),
                Header { map_file: Some(_), task_file: Some(_), .. } => Some(Self::Problem),
                Header { layers: Some(_), tilewidth: Some(_), .. } => Some(Self::TileMap),
                Header { nodes: Some(_), edges, links, .. } => edges.or(links).map(|_| Self::Graph),
                _ => None,
            };
        }
        if text.trim_start().starts_with('<') {
            // Behind the declaration of XML, and comments.
            return text.contains("<map").then_some(Self::TileMap);
        }
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let first: Vec<&str> = lines.next()?.split_whitespace().collect();
        let is_table = |line: &str| ["[[map]]", "[[class]]"].iter().any(|table| line.trim_start().starts_with(table));
        if text.lines().any(is_table) {
            return Some(Self::World);
        }
        match first[..] {
            ["type", "octile"] => Some(Self::Map),
            ["mesh", ..] => Some(Self::Mesh),
            ["version", "1" | "1.0"] => Some(Self::Scenario),
            // The name of the map, the second field, may contain spaces.
            [bucket, .., _, _, _, _, _, _, _] if first.len() >= 9 => {
                let is_number = |word: &&str| word.parse::<f64>().is_ok();
                let last = first.iter().rev().take(7);
                last.chain([&bucket]).all(is_number).then_some(Self::Scenario)
            }
            [word, ..] if word.starts_with("agents=") || word == "solution=" => Some(Self::Plan),
            _ if first.concat().split(',').eq(COLUMNS) => Some(Self::Agents),
            _ => None,
        }
    }

    /// `parsed`, the result of parsing `contents` as this kind. If `contents` are of another kind, the error says so.
    pub(crate) fn explain<T>(self, parsed: Result<T, FileError>, contents: &[u8], file: &Path) -> Result<T, FileError> {
        parsed.map_err(|error| match Self::of(contents) {
            Some(other) if other != self => FileError::expected(file, self, other),
            _ => error,
        })
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Map => "a Moving AI map",
            Self::Mesh => "a Polyanya mesh",
            Self::TileMap => "a tile map",
            Self::Picture => "a PNG picture",
            Self::Graph => "a graph as JSON",
            Self::Scenario => "a Moving AI scenario",
            Self::Agents => "agents as CSV",
            Self::Plan => "a plan as text",
            Self::Trace => "a trace as JSON",
            Self::DirectionMap => "a direction map as JSON",
            Self::EdgeDirectionMap => "a direction map of moves as JSON",
            Self::WorldDirectionMap => "a direction map of a world as JSON",
            Self::Problem => "a competition problem as JSON",
            Self::World => "a world as TOML",
        })
    }
}
