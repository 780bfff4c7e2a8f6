//! The table of every space, golden cases, and straightened ways on meshes. One program, as each more compiles all of the library anew.

mod every_space;
mod golden;
mod straight_ways;
