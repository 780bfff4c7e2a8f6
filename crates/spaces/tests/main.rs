//! Spaces. One program, as each more compiles all of the library anew.

mod conformance;
mod edits;
mod grid;
mod keyed_space;
mod outline;
mod robots;
mod stagger;
