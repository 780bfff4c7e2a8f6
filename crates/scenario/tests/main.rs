//! Files in and out, and made maps. One program, as each more compiles all of the library anew.

mod files;
mod generate;
