//! The proof of the roles, the golden hashes, and straightened ways on meshes. One program, as each more compiles all of the library anew.

mod every_space;
mod golden;
mod roles;
mod straight_ways;
