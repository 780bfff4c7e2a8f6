//! Crowds, against exact cases and the checker. One program, as each more compiles all of the library anew.

mod bounds;
mod calls;
mod clones;
mod crowd;
mod crowd_never_collides;
mod field;
mod followers;
mod hashes;
mod hero;
mod landmarks;
mod late;
mod local_repair;
mod outsiders;
mod overrides;
mod rewind;
mod river;
mod saves;
mod sides;
mod step;
mod threads;
mod ways;
#[path = "../../strategies/tests/world/mod.rs"]
mod world;
