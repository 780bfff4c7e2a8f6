//! Simulations. One program, as each more compiles all of the library anew.

mod apart;
mod bodies;
mod changes;
mod directions;
mod links;
mod mixed_spaces;
mod navmesh;
mod roads;
mod simulation;
