//! Allocations, breadth-first searches, conformance suites, stores, searches, and the checker of bodies. One program, as each more compiles all of the library anew.

mod allocations;
mod bodies;
mod breadth_first;
mod conformance_footprints;
mod conformance_heuristics;
mod conformance_spaces;
mod fringe;
mod landmarks;
mod roads;
mod space_time;
mod spatial;
mod stores;
mod turning_bodies;
