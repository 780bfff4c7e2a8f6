//! What a world file says: maps, classes, agents, links, areas and orders.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::at::At;

/// The contents of a [`WorldFile`](super::WorldFile).
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WorldDocument {
    /// The name of the world; the name of its file by default.
    pub name: Option<String>,
    /// The seed of agents and goals that are drawn. 0 by default.
    #[serde(default)]
    pub seed: u64,
    /// The ticks of a step, in which an agent of speed 1 goes a world unit. By default the fewest that suit all
    /// classes.
    pub ticks_per_step: Option<At<u32>>,
    /// The side of a reservation cell of bodies, in world units. By default about half the radius of the smallest body.
    pub cell: Option<At<f32>>,
    /// The height from floor to floor, in world units. 3 by default.
    #[serde(default = "three")]
    pub floor_height: At<f32>,
    /// How many steps agents plan ahead. By default as for a crowd.
    pub window: Option<At<u32>>,
    /// The maps; at least one.
    #[serde(default, rename = "map")]
    pub maps: Vec<At<WorldMap>>,
    /// The kinds of agents; at least one.
    #[serde(default, rename = "class")]
    pub classes: Vec<At<WorldClass>>,
    /// The agents, one by one or many at once.
    #[serde(default)]
    pub agents: Vec<At<WorldAgents>>,
    /// Ways between maps, and between places of a map.
    #[serde(default, rename = "link")]
    pub links: Vec<At<WorldLink>>,
    /// Areas, which close and open, or in which agents are drawn.
    #[serde(default, rename = "area")]
    pub areas: Vec<At<WorldArea>>,
    /// Places that have names.
    #[serde(default)]
    pub places: BTreeMap<String, At<WorldPlace>>,
    /// What agents are told later.
    #[serde(default, rename = "order")]
    pub orders: Vec<At<WorldOrder>>,
}

fn three() -> At<f32> {
    At { value: 3.0, at: 0 }
}

/// A map of a world: cells, a tile map, a picture, a graph, or a navigation mesh.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WorldMap {
    /// The name by which classes mean the map; needed if there are several.
    pub name: Option<At<String>>,
    /// The file of the map, relative to the folder of the world.
    pub file: Option<At<PathBuf>>,
    /// The cells of the map, in place of a file: a row to a line, `.` free and `@` or `#` not.
    pub cells: Option<At<String>>,
    /// A graph in place of a file: the names of its nodes, and where they lie.
    pub nodes: Option<At<BTreeMap<String, [f32; 2]>>>,
    /// The edges of `nodes`, each between two names. They are straight.
    pub edges: Option<Vec<At<[String; 2]>>>,
    /// Whether `edges` lead one way only.
    #[serde(default)]
    pub directed: bool,
    /// A navigation mesh in place of a file: its vertices.
    pub vertices: Option<At<Vec<[f32; 2]>>>,
    /// The convex polygons of the mesh, as indices of `vertices`, either way round.
    pub polygons: Option<At<Vec<Vec<u32>>>>,
    /// Where the origin of the map lies in the world. (0, 0) by default.
    #[serde(default)]
    pub offset: Option<At<[f32; 2]>>,
    /// The floor on which the map lies. 0 by default.
    #[serde(default)]
    pub floor: i32,
    /// How many neighbours a square cell has: 4, the default, or 8.
    pub neighbours: Option<At<u8>>,
    /// Of a tile map: the walls, as `--walls` names them.
    pub walls: Option<String>,
    /// Of a tile map: the property that says what a step onto a tile costs.
    pub costs: Option<String>,
    /// Of a tile map: the property that makes a tile a one-way.
    pub one_ways: Option<String>,
    /// Of a picture: what its colours are, as [`Colors`](crate::Colors) describes it.
    pub colors: Option<At<BTreeMap<String, At<WorldGround>>>>,
    /// Of a graph: its edges are roads with lanes.
    pub roads: Option<At<WorldRoads>>,
    /// Whether the walls of this map of cells are walls for classes on other maps of the floor, too.
    #[serde(default)]
    pub solid: bool,
}

/// How the edges of a graph become roads: see `RoadRules` of `giveway-spaces`.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WorldRoads {
    /// How far apart places on a lane are, in world units: as long as a vehicle with the gap to the next one.
    pub spacing: f32,
    /// The width of a lane, in world units.
    pub lane: f32,
    /// How far before a junction lanes end, in world units.
    pub setback: f32,
    /// Whether vehicles keep to the left.
    #[serde(default)]
    pub keeping_left: bool,
    /// Whether vehicles may turn round at junctions.
    #[serde(default)]
    pub turning_round: bool,
}

/// A kind of agents.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WorldClass {
    /// The name by which agents and links mean the class.
    pub name: At<String>,
    /// The names of the maps on which the class moves. All maps by default.
    pub on: Option<Vec<At<String>>>,
    /// The shape. A point by default.
    pub shape: Option<At<WorldShape>>,
    /// How many world units an agent goes in a step. 1 by default.
    pub speed: Option<At<f32>>,
    /// How the class turns: then it is a vehicle, which faces along its way. On one map of cells.
    pub turning: Option<At<WorldTurning>>,
    /// Agents of a higher priority go first. 0 by default.
    #[serde(default)]
    pub priority: i32,
    /// The strategy, as `--strategy` names it: `whca`, `lra` or `dm`. `whca` by default.
    pub strategy: Option<At<WorldStrategy>>,
    /// How many steps agents of the class plan ahead, in place of the world's.
    pub window: Option<At<u32>>,
}

/// The shape of a class.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WorldShape {
    /// No extent: one agent to a cell, or to a node.
    Point,
    /// A disc of this radius, in world units.
    Disc(f32),
    /// A square of so many cells.
    Square(u32),
    /// A rectangle of these lengths along x and y.
    Rectangle([f32; 2]),
    /// The convex hull of these corners, which are relative to the position of the agent.
    Polygon(Vec<[f32; 2]>),
}

/// How a vehicle turns.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WorldTurning {
    /// The number of headings: 4, 8 or 16. 8 by default.
    #[serde(default = "eight")]
    pub headings: u8,
    /// The least radius of its arcs, in cells; without it there are none.
    pub radius: Option<f32>,
    /// It also drives backwards, and so many times as slowly.
    pub reversing: Option<f32>,
    /// It also turns on the spot; a full turn takes as long as to drive so many cells.
    pub pivoting: Option<f32>,
}

const fn eight() -> u8 {
    8
}

/// How a class plans.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WorldStrategy {
    /// Windows, and what helps where windows lead nowhere.
    Whca,
    /// Local repair: a step at a time.
    Lra,
    /// Steps along a direction map that the class learns, and windows where these lead nowhere.
    Dm,
}

/// A place: x and y in world units, and the floor; or the name of a place.
#[derive(Clone, PartialEq, Debug)]
pub struct WorldPlace {
    /// In world units.
    pub position: [f32; 2],
    /// 0 if the file does not say.
    pub floor: i32,
    /// The name by which the file means the place: one of [`WorldDocument::places`], or a node of a graph in the file.
    pub name: Option<String>,
}

impl WorldPlace {
    /// A place without a name.
    pub const fn new(position: [f32; 2], floor: i32) -> Self {
        Self { position, floor, name: None }
    }

    #[allow(clippy::cast_possible_truncation)] // rounded once; a floor is checked
    fn of_numbers(numbers: &[f64]) -> Result<Self, String> {
        let expected = |found: String| Err(format!("expected a place as [x, y] or [x, y, floor], found {found}"));
        let (x, y, floor) = match *numbers {
            [x, y] => (x, y, 0.0),
            [x, y, floor] => (x, y, floor),
            _ => return expected(format!("{} numbers", numbers.len())),
        };
        let is_near = |side: f64| side.abs() <= super::FARTHEST;
        if !is_near(x) || !is_near(y) {
            return expected(format!("[{x}, {y}], which is beyond {}", super::FARTHEST));
        }
        if floor.fract() != 0.0 || floor.abs() > f64::from(super::MOST_FLOORS) {
            return expected(format!("the floor {floor}"));
        }
        Ok(Self::new([x as f32, y as f32], floor as i32))
    }
}

impl<'de> Deserialize<'de> for WorldPlace {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfPlace;

        impl<'de> Visitor<'de> for OfPlace {
            type Value = WorldPlace;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a place as [x, y] or [x, y, floor], or the name of a place")
            }

            /// Its position is found out when the whole file is known.
            fn visit_str<E: de::Error>(self, name: &str) -> Result<WorldPlace, E> {
                Ok(WorldPlace { name: Some(name.to_owned()), ..WorldPlace::new([f32::NAN; 2], 0) })
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<WorldPlace, A::Error> {
                let mut known = Vec::new();
                while let Some(number) = numbers.next_element()? {
                    known.push(number);
                }
                WorldPlace::of_numbers(&known).map_err(de::Error::custom)
            }
        }

        deserializer.deserialize_any(OfPlace)
    }
}

/// What a colour of a picture is: `wall`, `free`, or a weight, as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorldGround(pub String);

impl<'de> Deserialize<'de> for WorldGround {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfGround;

        impl Visitor<'_> for OfGround {
            type Value = WorldGround;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"wall\", \"free\", or a whole number from 1 to 1000")
            }

            fn visit_str<E: de::Error>(self, ground: &str) -> Result<WorldGround, E> {
                Ok(WorldGround(ground.to_owned()))
            }

            fn visit_i64<E: de::Error>(self, weight: i64) -> Result<WorldGround, E> {
                Ok(WorldGround(weight.to_string()))
            }
        }

        deserializer.deserialize_any(OfGround)
    }
}

/// An agent, or many.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WorldAgents {
    /// The name of the class.
    pub class: At<String>,
    /// The name by which orders mean the agent.
    pub name: Option<At<String>>,
    /// Where the agent starts.
    pub start: Option<At<WorldPlace>>,
    /// Where a vehicle faces at its start, in degrees from x towards y. By default as it fits.
    pub heading: Option<At<f32>>,
    /// Where the agent goes. Without a goal, goals are drawn, one after the other.
    pub goal: Option<At<WorldPlace>>,
    /// Where the agent goes, one place after the other, again and again.
    pub tour: Option<Vec<At<WorldPlace>>>,
    /// In place of a start: so many agents that are drawn.
    pub count: Option<At<u32>>,
    /// The areas where drawn agents start. Anywhere by default.
    pub from: Option<Vec<At<String>>>,
    /// The areas of goals that are drawn. Anywhere by default.
    pub to: Option<Vec<At<String>>>,
    /// In place of a start: the agents of a table, with starts and goals on the lowest floor of the class.
    pub file: Option<At<PathBuf>>,
}

/// A way that maps do not have: stairs, or a lift.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WorldLink {
    /// What it is.
    pub kind: At<WorldLinkKind>,
    /// Where it begins.
    pub from: At<WorldPlace>,
    /// Where it ends.
    pub to: At<WorldPlace>,
    /// How long an agent is on its way, in steps. Needed for a lift. The length of stairs, for an agent of speed 1, by
    /// default.
    pub duration: Option<At<f32>>,
    /// What it costs, in plain steps. The duration by default.
    pub cost: Option<At<f32>>,
    /// Of stairs: how many agents are on it one behind the other. By default one for each two world units.
    pub places: Option<At<u32>>,
    /// Whether it leads from the begin to the end only.
    #[serde(default)]
    pub one_way: bool,
    /// The names of the classes that may take it. All classes on both of its maps by default.
    pub classes: Option<Vec<At<String>>>,
}

/// The kinds of links.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WorldLinkKind {
    /// Agents follow each other from place to place.
    Stairs,
    /// One agent at a time, which is out of the way until it arrives.
    Lift,
}

/// A part of the plane, on one floor or on all floors.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WorldArea {
    /// The name by which agents mean the area.
    pub name: Option<At<String>>,
    /// Two opposite corners of a rectangle.
    pub rectangle: Option<At<[[f32; 2]; 2]>>,
    /// The corners of a convex polygon.
    pub polygon: Option<At<Vec<[f32; 2]>>>,
    /// A disc: x, y and the radius.
    pub disc: Option<At<[f32; 3]>>,
    /// The floor. All floors by default.
    pub floor: Option<i32>,
    /// The ticks at which it closes. Agents inside leave first.
    #[serde(default)]
    pub closes: Vec<u32>,
    /// The ticks at which it opens.
    #[serde(default)]
    pub opens: Vec<u32>,
}

/// What an agent is told at a tick.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WorldOrder {
    /// The tick.
    pub tick: u32,
    /// The name of the agent.
    pub agent: At<String>,
    /// Where it goes: to the nearest place there that it can reach and that is free. Without it, the agent stops.
    pub goal: Option<At<WorldPlace>>,
}
