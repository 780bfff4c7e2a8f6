//! Strategies, against exact cases, oracles and the checker. One program, as each more compiles all of the library
//! anew.

mod exact_cases;
mod oracle;
mod oracles;
mod orders;
mod routing;
mod unreachable;
mod world;
