//! Distances: shared, searched ahead, repaired after edits, and at the price of a layer. One program, as each more
//! compiles all of the library anew.

#[cfg(feature = "rayon")]
mod ahead;
mod breadth_first;
mod priced;
mod repair;
mod true_distances;

#[path = "../../core/tests/draws.rs"]
mod draws;
