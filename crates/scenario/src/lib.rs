//! Files in and out of giveway: Moving AI maps and scenarios, Polyanya meshes, tile maps, pictures, graphs, agents as
//! CSV, plans as text, traces and direction maps as JSON, problems of the League of Robot Runners.
//!
//! | type | file | to read | to write |
//! |---|---|---|---|
//! | [`MapFile`] | Moving AI `.map` | a grid | a grid |
//! | [`MeshFile`] | Polyanya `.mesh` | a navigation mesh | a navigation mesh |
//! | `TileMapFile` (feature `tiled`) | Tiled `.tmx` and `.tmj` | cells, squares or hexagons | |
//! | `PictureFile` (feature `png`) | PNG | a grid, by brightness or by a table of `Colors` | |
//! | [`GraphFile`] | node-link JSON, as NetworkX writes it | a space with positions | |
//! | [`AnyMapFile`] | any of these maps | one of them | |
//! | `WorldFile` (feature `world`) | TOML: maps, classes, agents, links, areas, orders | a description of a world | |
//! | [`Scenario`] | Moving AI `.scen` | agents | entries |
//! | [`AgentsFile`] | CSV | starts and goals in world units | starts and goals |
//! | [`PlanText`] | the text format of mapf-visualizer | a plan to check | a plan |
//! | [`TraceFile`] | JSON, for what the plan text cannot express | a trace | a trace |
//! | [`ProblemFile`], [`PlacesFile`] | a problem of the League of Robot Runners: JSON, and lists of places | a [`Problem`] | a [`ProblemRecord`], its result |
//! | [`DirectionMapFile`], [`EdgeDirectionMapFile`], [`WorldDirectionMapFile`] | JSON | a learned direction map | a learned direction map |
//!
//! Each type has `parse` (from memory), `read` (from a path), and, if it can be written, `write` (to a path) and
//! `Display` (the text of the file).
//!
//! For any contents of a file, reading returns a value or a [`FileError`]. The error names the file and the line, and
//! says what was expected and what was found. Reading never panics, and takes at most a small multiple of the file's
//! size in memory. Pictures and tile maps may be packed: for them, the memory is at most a small multiple of the number
//! of cells, which is at most 2^24. Writing replaces the whole file, or leaves the old file as it is: see
//! [`Replacement`].
//!
//! [`MapGenerator`] makes maps of several kinds, and [`ScenarioGenerator`] makes scenarios on any map.
//!
//! ```
//! use giveway_scenario::{MapFile, Scenario};
//!
//! let map = "type octile\nheight 2\nwidth 4\nmap\n..@.\n....\n";
//! let grid = MapFile::parse(map, "small.map")?.grid()?;
//!
//! let scenario = "version 1\n0\tsmall.map\t4\t2\t0\t0\t3\t0\t4.0\n0\tsmall.map\t4\t2\t3\t1\t0\t1\t3.0\n";
//! let agents = Scenario::parse(scenario, "small.scen")?.agents(2, &grid)?;
//! assert_eq!(grid.xy(agents[1].start), (3, 1));
//!
//! let torn = MapFile::parse("type octile\nheight 2\nwidth 4\nmap\n..@.\n...\n", "torn.map");
//! assert_eq!(torn.unwrap_err().to_string(), "torn.map:6: expected 4 cells, found 3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Libraries are silent; only the command line and the examples speak.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod agents;
mod any_map;
#[cfg(any(feature = "png", feature = "world"))]
mod colors;
mod direction_map;
mod escaped;
mod file_error;
mod file_methods;
#[cfg(any(feature = "tiled", feature = "world"))]
mod folder;
mod generate;
mod graph;
mod json;
mod json_place;
mod kind;
mod lines;
mod map;
mod mesh;
mod moved_goal;
#[cfg(feature = "png")]
mod picture;
mod plan_text;
mod problem;
mod replacement;
mod scen;
#[cfg(feature = "tiled")]
mod tiled;
mod trace;
mod words;
#[cfg(feature = "world")]
mod world;

pub use agents::{AgentsEntry, AgentsFile};
pub use any_map::AnyMapFile;
#[cfg(any(feature = "png", feature = "world"))]
pub use colors::{Colors, InvalidColors};
pub use direction_map::{DirectionMapFile, EdgeDirectionMapFile, OtherSpace, WorldDirectionMapFile};
pub use escaped::Escaped;
pub use file_error::FileError;
pub use generate::{CannotGenerate, Density, MapGenerator, MapKind, ScenarioGenerator, WorldGenerator, WorldKind};
pub use graph::{GraphEdge, GraphFile, GraphNodeId};
pub use map::MapFile;
pub use mesh::MeshFile;
pub use moved_goal::{MovedGoal, WhyMoved};
#[cfg(feature = "png")]
pub use picture::PictureFile;
pub use plan_text::{PlanHeader, PlanText};
pub use problem::{
    Errand, Errands, PlacesFile, Problem, ProblemAction, ProblemFault, ProblemFile, ProblemLog, ProblemRecord,
    TaskAssignment,
};
pub use replacement::{Replaced, Replacement};
pub use scen::{Scenario, ScenarioEntry};
#[cfg(feature = "tiled")]
pub use tiled::{TileLayout, TileMapFile, Walls};
pub use trace::{InvalidTrace, TraceFile};
#[cfg(feature = "world")]
pub use world::{
    At, WorldAgents, WorldArea, WorldClass, WorldDocument, WorldFile, WorldGround, WorldLink, WorldLinkKind, WorldMap,
    WorldOrder, WorldPlace, WorldRoads, WorldShape, WorldSide, WorldStrategy, WorldTurning,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
