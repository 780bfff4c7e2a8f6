//! Searches: allocations, and routes; areas, layers, and stores. One program, as each more compiles all of
//! the library anew.

mod allocations;
mod area;
mod cost;
mod draws;
mod fringe;
mod gate;
mod held;
mod journal;
mod layer;
mod near;
mod plane;
mod roads;
mod rows;
mod shares;
mod space_time;
mod spatial;
mod stamped;
mod stores;
mod timing;
