//! Broken contracts are found, and kept ones pass. One program, as each more compiles all of the library anew.

#[path = "../../core/tests/draws.rs"]
mod draws;
mod footprints;
mod heuristics;
mod landmarks;
#[path = "../../core/tests/roads.rs"]
mod roads;
mod spaces;
mod stores;
