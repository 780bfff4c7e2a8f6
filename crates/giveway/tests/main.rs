//! The proof of the roles, and the golden hashes. One program, as each more compiles all of the library anew.

mod every_space;
mod golden;
mod roles;
