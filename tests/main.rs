//! What crosses crates: every space under every strategy, worlds of several spaces, golden cases. One program, as each
//! more compiles all of the library anew.

mod apart;
mod bodies;
mod budgets;
mod changes;
mod closing;
mod conflict_sets;
mod crowds_of_bodies;
mod dense_fields;
mod every_space;
mod floors;
mod fn_space;
mod golden;
mod graph_space;
mod hexes;
mod links;
mod living;
mod lower_bounds;
mod mixed_spaces;
mod navmesh;
mod roads;
mod route_landmarks;
mod straight_ways;
mod vehicles;
mod voxels;
mod ways;
