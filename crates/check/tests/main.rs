//! The checkers, of plans, traces and bodies. One program, as each more compiles all of the library anew.

mod bodies;
mod imports;
mod plans;
mod turning_bodies;
