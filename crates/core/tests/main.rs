//! Searches: allocations, breadth-first searches, and routes. One program, as each more compiles all of the library
//! anew.

mod allocations;
mod breadth_first;
mod fringe;
mod roads;
mod space_time;
mod spatial;
