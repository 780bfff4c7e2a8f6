//! Pictures, and the player in a browser. One program, as each more compiles all of the library anew.

mod browser;
mod flow_in_browser;
mod meshes;
mod meshes_in_browser;
mod pictures;
mod player_in_browser;
mod support;
mod worlds;
mod worlds_in_browser;
