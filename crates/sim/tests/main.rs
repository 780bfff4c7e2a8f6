//! Simulations. One program, as each more compiles all of the library anew.

mod apart;
mod bodies;
mod budgets;
mod changes;
mod conflict_sets;
mod dense_fields;
mod directions;
mod links;
mod mixed_spaces;
mod navmesh;
mod roads;
mod simulation;
