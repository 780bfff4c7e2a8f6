//! Bodies, vehicles and the ground that they share. One program, as each more compiles all of the library anew.

mod edits;
mod one_ground;
#[allow(dead_code)]
#[path = "../../spaces/tests/outline.rs"]
mod outline;
mod walls;
mod waypoints;
