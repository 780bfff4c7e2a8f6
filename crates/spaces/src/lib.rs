//! Ready-made spaces for cooperative pathfinding with `giveway`: where units can go.
//!
//! | your world | space |
//! |---|---|
//! | a square grid with four or eight neighbours, walls and terrain | [`Grid`] |
//! | hexes, pointy or flat, with walls and terrain (feature `hexx`) | `HexGrid` |
//! | a square grid for robots that go forward and turn on the spot | [`Robots`], with the footprint [`Robot`] |
//! | cells of three dimensions: units that fly, or walk on blocks | [`Voxels`] |
//! | several grids above each other: floors of a house, bridges above roads | [`Floors`] |
//! | any of these, with stairs, lifts, portals, ferries | [`Linked`] around the space |
//! | a map of roads: lanes in which vehicles drive one behind the other, junctions | [`Roads`] |
//! | a navigation mesh, or an outline with obstacles (feature `spade`) | [`Waypoints`] on a [`NavMesh`] |
//! | a graph of the petgraph crate | [`GraphSpace`] |
//! | nodes `0..n`, and a closure that lists the moves out of each node | [`FnSpace`] |
//! | places with keys of your own: `(x, y, floor)`, entity ids, names | [`KeyedSpace`] |
//! | any space with positions; units that face along their way | [`Facing`] around the space |
//! | anything else | implement [`SpaceGraph`](giveway_core::SpaceGraph) |
//!
//! Units of one cell, or of one node, are [`Point`](giveway_core::Point)s; on [`Robots`] they are [`Robot`]s. Units of
//! any size, shape and speed, and vehicles that drive along curves, are in `giveway-bodies`.
//!
//! On a grid a plain step costs 1000 and is 1 world unit long; x grows to the right, y downwards, as in map files. For
//! graphs and closures you give the costs: 1000 for a plain step. You also give lengths if durations of moves should
//! differ.
//!
//! Spaces with positions can change while they are in use, node by node and by area: see [`Editable`]. [`Facing`] and
//! [`Roads`] are exceptions: they cannot change.

// Libraries are silent; only the command line and the examples print.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod adjacency;
mod directions;
mod facing;
mod floors;
mod fn_space;
#[cfg(feature = "petgraph")]
mod graph_space;
mod grid;
#[cfg(feature = "hexx")]
mod hex_grid;
mod keyed_space;
mod linked;
mod nav_mesh;
mod network;
mod roads;
mod robots;
mod segments;
mod space_error;
mod stagger;
mod surfaces;
mod terrain;
mod voxels;
mod waypoints;

#[doc(no_inline)]
pub use giveway_core::{
    Editable, Embedding, Facts, Held, Origins, Stretch, SyncSpace, Trajectory, adapter, move_by_action,
};

#[doc(hidden)]
pub use adjacency::Adjacency;
pub use adjacency::Positions;
pub use directions::Direction;
pub use facing::{Facing, FacingAction};
pub use floors::Floors;
pub use fn_space::FnSpace;
#[cfg(feature = "petgraph")]
pub use graph_space::GraphSpace;
pub use grid::{Connectivity, CornerCutting, Grid};
#[cfg(feature = "hexx")]
pub use hex_grid::{HexDistance, HexGrid};
pub use keyed_space::KeyedSpace;
pub use linked::{ByLinks, Link, LinkAction, Linked};
pub use nav_mesh::NavMesh;
pub use roads::{RoadRules, Roads};
pub use robots::{Robot, RobotStep, Robots};
pub use space_error::{CellAt, SpaceError};
pub use stagger::Stagger;
#[doc(hidden)]
pub use surfaces::Surfaces;
pub use voxels::{VoxelStep, Voxels};
pub use waypoints::{Mover, WaypointRules, Waypoints};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
