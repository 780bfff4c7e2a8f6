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
    /// The seed of random draws: of starts and of goals. 0 by default.
    #[serde(default)]
    pub seed: u64,
    /// The number of ticks of a step, from 1 to 4096. In a step, an agent of speed 1 goes one world unit. `None`: the
    /// reader chooses the smallest number that suits all classes.
    pub ticks_per_step: Option<At<u32>>,
    /// The side of a reservation cell, in world units, from 0.001 to 1024; for agents with shapes. `None`: the reader
    /// chooses. The command line takes about a third of the width of the narrowest shape; beside a map of cells, it
    /// takes a whole fraction of a cell of the map.
    pub cell: Option<At<f32>>,
    /// The height from one floor to the next, in world units, from 0.001 to 1000. 3 by default.
    #[serde(default = "three")]
    pub floor_height: At<f32>,
    /// The number of steps that agents plan ahead, from 1 to 10,000. `None`: the reader chooses. The command line takes
    /// the default of a crowd if all moves take one tick, and otherwise 8 steps.
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
    /// Stairs and lifts, between maps or between places of one map.
    #[serde(default, rename = "link")]
    pub links: Vec<At<WorldLink>>,
    /// Areas. An area may close and open at given ticks, or starts and goals may be drawn in it.
    #[serde(default, rename = "area")]
    pub areas: Vec<At<WorldArea>>,
    /// Places by their names.
    #[serde(default)]
    pub places: BTreeMap<String, At<WorldPlace>>,
    /// The sides by name: classes of one side learn a direction map together.
    #[serde(default)]
    pub sides: BTreeMap<String, At<WorldSide>>,
    /// Orders that agents get while the world runs.
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
    /// The name by which classes refer to the map. A world with several maps needs a name for each of them.
    pub name: Option<At<String>>,
    /// The file of the map, relative to the folder of the world.
    pub file: Option<At<PathBuf>>,
    /// The cells of the map, in place of a file. Each line is a row. `.`, `G`, `S` and `E` are free cells; `#`, `@`,
    /// `O`, `T` and `W` are walls.
    pub cells: Option<At<String>>,
    /// A graph in place of a file: the name and the position of each node.
    pub nodes: Option<At<BTreeMap<String, [f32; 2]>>>,
    /// The edges of the graph. Each edge is a straight line between the nodes of two names.
    pub edges: Option<Vec<At<[String; 2]>>>,
    /// Whether each edge leads only from its first node to its second node.
    #[serde(default)]
    pub directed: bool,
    /// A navigation mesh in place of a file: the positions of its vertices. Needs `polygons`.
    pub vertices: Option<At<Vec<[f32; 2]>>>,
    /// The convex polygons of the mesh. Each polygon lists indices of `vertices`, clockwise or counter-clockwise.
    pub polygons: Option<At<Vec<Vec<u32>>>>,
    /// The position of the map's origin in the world. (0, 0) by default.
    #[serde(default)]
    pub offset: Option<At<[f32; 2]>>,
    /// The floor on which the map lies. 0 by default.
    #[serde(default)]
    pub floor: i32,
    /// How many neighbours a square cell has: 4, the default, or 8.
    pub neighbours: Option<At<u8>>,
    /// The walls of a tile map, as the option `--walls` of the command line names them. Only for tile maps.
    pub walls: Option<String>,
    /// The tile property that has the cost of a step onto the tile. Only for tile maps.
    pub costs: Option<String>,
    /// The tile property that makes a tile a one-way. Only for tile maps.
    pub one_ways: Option<String>,
    /// The meaning of each colour of a picture, as for [`Colors`](crate::Colors). Only for the file of a picture.
    pub colors: Option<At<BTreeMap<String, At<WorldGround>>>>,
    /// Makes the edges of a graph roads with lanes. Only for graphs.
    pub roads: Option<At<WorldRoads>>,
    /// Whether the walls of this map are also walls for classes on the other maps of the floor. Only for maps of cells.
    #[serde(default)]
    pub solid: bool,
}

/// How the edges of a graph become roads: see `RoadRules` of `giveway-spaces`.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WorldRoads {
    /// The distance between two places on a lane, in world units: the length of a vehicle, and the gap to the next
    /// vehicle. From 0.001 to 1000, like the other lengths.
    pub spacing: f32,
    /// The width of a lane, in world units.
    pub lane: f32,
    /// The distance between a junction and the ends of the lanes before it, in world units.
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
    /// The name by which agents and links refer to the class.
    pub name: At<String>,
    /// The names of the maps on which the class moves. All maps by default.
    pub on: Option<Vec<At<String>>>,
    /// The shape. A point by default.
    pub shape: Option<At<WorldShape>>,
    /// The number of world units that an agent goes in a step, from 0.001 to 1000. 1 by default.
    pub speed: Option<At<f32>>,
    /// How the agents turn. Agents that turn are vehicles: they face along their way. A class of vehicles is on one map
    /// of cells, and takes no links. `None`: the agents do not turn.
    pub turning: Option<At<WorldTurning>>,
    /// Agents of a higher priority go first. 0 by default.
    #[serde(default)]
    pub priority: i32,
    /// The strategy of the class. `None`: the reader chooses. The command line takes its option `--strategy`, which is
    /// `whca` by default.
    pub strategy: Option<At<WorldStrategy>>,
    /// The number of steps that agents of the class plan ahead, from 1 to 10,000. It replaces the window of the world.
    /// `None`: the reader chooses. The command line takes 12 for vehicles, and otherwise the window of the world.
    pub window: Option<At<u32>>,
    /// The name of its side, with which it learns a direction map. None by default.
    pub side: Option<At<String>>,
}

/// A side: what its classes learn together.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WorldSide {
    /// The side of a cell of its direction map, in world units. 1 by default.
    pub cell: Option<At<f32>>,
    /// What a step against the direction map costs, in plain steps.
    pub weight: Option<At<f32>>,
    /// The rate at which cells around a step learn.
    pub neighbours: Option<At<f32>>,
    /// A direction map to begin with, with its own weight and rates.
    pub learned: Option<At<PathBuf>>,
}

/// The shape of a class.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WorldShape {
    /// A point: one agent fits on a cell, or on a node.
    Point,
    /// A disc of this radius, in world units.
    Disc(f32),
    /// A square with this number of cells along each side.
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
    /// The least radius of the vehicle's arcs, in cells. `None`: the vehicle drives no arcs.
    pub radius: Option<f32>,
    /// The time that the vehicle takes to drive a way backwards, divided by the time that it takes forwards. The
    /// command line accepts numbers from 0.01 to 100. `None`: the vehicle does not drive backwards.
    pub reversing: Option<f32>,
    /// The duration of a full turn on the spot: the number of cells that the vehicle drives in that time. `None`: it
    /// does not turn on the spot.
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
    /// Windows, with other planners as fallbacks for agents that come no nearer to their goals.
    Whca,
    /// Local repair: agents follow routes, and look only one step ahead.
    Lra,
    /// A direction map that the class or its side learns. Agents follow routes along this map, with windows as a
    /// fallback.
    Dm,
}

/// A place: x and y in world units, and the floor; or the name of a place.
#[derive(Clone, PartialEq, Debug)]
pub struct WorldPlace {
    /// The position, x and y, in world units.
    pub position: [f32; 2],
    /// The floor; 0 if the file does not say.
    pub floor: i32,
    /// The name by which the file refers to the place. `None`: the file gives the position of the place. The name is a
    /// name in [`WorldDocument::places`], or the name of a node of a graph in the file. If both exist, the name in
    /// `places` counts.
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

/// The meaning of a colour of a picture, as text: `wall`, `free`, or a cost from 1 to 1000.
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

/// An agent with a start, a number of agents that are drawn, or the agents of a table. Exactly one of `start`, `count`
/// and `file` is given.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WorldAgents {
    /// The name of the class.
    pub class: At<String>,
    /// The name by which orders refer to the agent. Only beside `start`.
    pub name: Option<At<String>>,
    /// Where the agent starts.
    pub start: Option<At<WorldPlace>>,
    /// The heading of a vehicle at its start, in degrees from x towards y. Only beside `start`. `None`: the command
    /// line takes the direction from the start to the first goal, or the direction of x if there is no goal. The
    /// vehicle gets the nearest heading under which it fits, preferably one from which it can drive away and come back.
    pub heading: Option<At<f32>>,
    /// The goal of the agent. Only beside `start`. Without a goal and without a tour, the agent goes from one drawn
    /// goal to the next.
    pub goal: Option<At<WorldPlace>>,
    /// The places that the agent visits one after the other, again and again. Only beside `start`, and in place of a
    /// goal.
    pub tour: Option<Vec<At<WorldPlace>>>,
    /// The number of agents to draw, in place of a start.
    pub count: Option<At<u32>>,
    /// The names of the areas in which drawn agents start. Only beside `count`. `None`: agents may start anywhere.
    pub from: Option<Vec<At<String>>>,
    /// The names of the areas in which goals are drawn. `None`: goals may be anywhere.
    pub to: Option<Vec<At<String>>>,
    /// The file of a table of agents, in place of a start: see [`AgentsFile`](crate::AgentsFile). The path is relative
    /// to the folder of the world. Starts and goals of the table are on the lowest floor of the class.
    pub file: Option<At<PathBuf>>,
}

/// A way that maps do not have: stairs, or a lift.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WorldLink {
    /// The kind of the link.
    pub kind: At<WorldLinkKind>,
    /// The place where the link begins, at most 1 world unit from a place of a map.
    pub from: At<WorldPlace>,
    /// The place where the link ends, at most 1 world unit from a place of a map.
    pub to: At<WorldPlace>,
    /// The time that an agent takes from end to end, in steps. A lift needs a duration. By default, an agent takes
    /// stairs at the speed of its class.
    pub duration: Option<At<f32>>,
    /// The cost of the whole link, in plain steps. By default, the cost for a point is the duration in steps. The cost
    /// for an agent with a shape is the distance that the agent goes in that time, in world units.
    pub cost: Option<At<f32>>,
    /// The number of places on stairs, between the two ends. Each place takes one agent. By default, one place for each
    /// two world units of length, rounded down. Only for stairs.
    pub places: Option<At<u32>>,
    /// Whether the link leads only from `from` to `to`.
    #[serde(default)]
    pub one_way: bool,
    /// The names of the classes that may take the link. By default, all classes that are on the maps of both ends.
    pub classes: Option<Vec<At<String>>>,
}

/// The kinds of links.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WorldLinkKind {
    /// Stairs: agents follow each other from place to place.
    Stairs,
    /// A lift: it takes one agent at a time. On its way, the agent is nowhere, so it is in the way of no other agent.
    Lift,
}

/// A part of the plane, on one floor or on all floors.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WorldArea {
    /// The name by which agents refer to the area.
    pub name: Option<At<String>>,
    /// Two opposite corners of a rectangle.
    pub rectangle: Option<At<[[f32; 2]; 2]>>,
    /// The corners of a convex polygon.
    pub polygon: Option<At<Vec<[f32; 2]>>>,
    /// A disc: x, y and the radius.
    pub disc: Option<At<[f32; 3]>>,
    /// The floor. All floors by default.
    pub floor: Option<i32>,
    /// The ticks at which the area closes. If agents are inside, they leave first.
    #[serde(default)]
    pub closes: Vec<u32>,
    /// The ticks at which the area opens.
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
    /// The place to which the agent goes. If the agent cannot have or reach the place, it goes to the nearest free
    /// place that it can reach. `None`: the agent stops.
    pub goal: Option<At<WorldPlace>>,
}
