//! Searches: allocations, distances, and routes; areas, layers, and stores. One program, as each more compiles all of
//! the library anew.

#[cfg(feature = "rayon")]
mod ahead;
mod allocations;
mod area;
mod breadth_first;
mod cost;
mod fringe;
mod gate;
mod held;
mod journal;
mod layer;
mod near;
mod plane;
mod priced;
mod repair;
mod roads;
mod rows;
mod space_time;
mod spatial;
mod stamped;
mod stores;
mod timing;
mod true_distances;
