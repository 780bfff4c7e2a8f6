//! Direction maps. One program, as each more compiles all of the library anew.

mod direction_maps;
mod world;
