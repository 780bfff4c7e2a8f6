//! Ready-made spaces and footprints for cooperative pathfinding with `giveway`.
//!
//! Choose a space (where units can go) and a footprint (what a unit occupies):
//!
//! | your world | space | footprint |
//! |---|---|---|
//! | a square grid with four or eight neighbours, walls and terrain; units of one cell | [`Grid`] | [`Point`](giveway_core::Point) |
//! | hexes, pointy or flat, with walls and terrain (feature `hexx`) | `HexGrid` | `Point` |
//! | cells of three dimensions: units that fly, or walk on blocks | [`Voxels`] | `Point` |
//! | several grids above each other: floors of a house, bridges above roads | [`Floors`] | `Point` |
//! | any of these, with stairs, lifts, portals, ferries | [`Linked`] around the space | `Point`, timed |
//! | a map of roads: lanes in which vehicles drive one behind the other, junctions | [`Roads`] | [`BodyFootprint`], by [`Body::on`] |
//! | a navigation mesh, or an outline with obstacles (feature `spade`); units of any size and speed | [`Waypoints`] on a [`NavMesh`] | [`BodyFootprint`], by [`Body::on`] |
//! | a grid; units that never turn, of any size, shape and speed | [`Clearance`], by [`Body::on`] | [`BodyFootprint`], by [`Body::on`] |
//! | a grid; vehicles that have headings and drive along curves | [`Lattice`], by [`Vehicle::on`] | [`BodyFootprint`], by [`Vehicle::on`] |
//! | a graph of the petgraph crate | [`GraphSpace`] | `Point` |
//! | nodes `0..n`, and a closure that lists the moves out of each node | [`FnSpace`] | `Point` |
//! | places with keys of your own: `(x, y, floor)`, entity ids, names | [`KeyedSpace`] | `Point` |
//! | any of these, or a space of your own, with positions; units of any size, shape and speed | [`GraphClearance`], by [`Body::on`] | [`BodyFootprint`], by [`Body::on`] |
//! | such a space; units that face along their way | `GraphClearance` around [`Facing`] | `BodyFootprint` |
//! | anything else | implement [`SpaceGraph`](giveway_core::SpaceGraph) | `Point`, or implement [`Footprint`](giveway_core::Footprint) |
//!
//! [`Grid`], `HexGrid`, [`Voxels`], [`Floors`], [`GraphSpace`], [`FnSpace`], [`KeyedSpace`], [`Waypoints`], [`Body`] and [`Vehicle`] each have an example. Units of different sizes,
//! shapes and speeds, in different spaces, can share one crowd if their footprints are on one [`Ground`].
//!
//! On a grid a plain step costs 1000 and is 1 world unit long; x grows to the right, y downwards, as in map files. For
//! graphs and closures you give the costs: 1000 for a plain step. You also give lengths if durations of moves should
//! differ.
//!
//! All of them but [`Facing`] and [`Roads`] can change while they are in use, node by node and by area, if they have positions: see [`Editable`].

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
mod segments;
mod space_error;
mod surfaces;
mod terrain;
mod voxels;
mod waypoints;

#[doc(no_inline)]
pub use giveway_core::{Editable, Embedding, Held, Origins, Stretch, SyncSpace, Trajectory, move_by_action};

#[doc(hidden)]
pub use adjacency::Adjacency;
pub use adjacency::Positions;
pub use directions::Direction;
pub use facing::{Facing, FacingAction};
pub use floors::{Floors, FloorsError};
pub use fn_space::FnSpace;
#[cfg(feature = "petgraph")]
pub use graph_space::GraphSpace;
pub use grid::{Connectivity, CornerCutting, Grid, GridError};
#[cfg(feature = "hexx")]
pub use hex_grid::{HexDistance, HexGrid, HexGridError};
pub use keyed_space::KeyedSpace;
pub use linked::{ByLinks, Link, LinkAction, Linked};
pub use nav_mesh::{NavMesh, NavMeshError};
pub use roads::{RoadRules, Roads};
pub use space_error::SpaceError;
#[doc(hidden)]
pub use surfaces::Surfaces;
pub use voxels::{VoxelStep, Voxels, VoxelsError};
pub use waypoints::{Mover, WaypointRules, Waypoints, WaypointsError};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
