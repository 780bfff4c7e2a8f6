//! Simulations. One program, as each more compiles all of the library anew.

mod directions;
mod pieces;
mod simulation;
