//! Spaces, bodies, vehicles and the checker on them. One program, as each more compiles all of the library anew.

mod bodies;
mod checker;
mod closing;
mod conformance;
mod direction_maps;
mod floors;
mod fn_space;
mod graph_space;
mod grid;
mod hexes;
mod living;
mod lower_bounds;
mod one_ground;
mod outline;
mod vehicles;
mod voxels;
mod walls;
mod waypoints;
