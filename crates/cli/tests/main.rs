//! The command line, run as its users run it. One program, as each more compiles all of the library anew.

mod command_line;
mod direction_maps;
mod problem_promises;
mod promises;
