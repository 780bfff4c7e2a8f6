//! The binary, as people and other tools meet it: what it prints where, the files it writes, its exit codes.

mod bad_input;
mod check;
mod compare;
mod demo;
mod draw;
mod files;
pub(crate) mod folder;
mod generate;
mod help;
mod learning;
mod maps;
mod navmesh;
mod numbers;
mod problem;
mod replay;
mod repro;
mod samples;
mod saved_runs;
mod simulate;
mod solve;
mod standard_input;
mod standard_output;
mod world_checks;
mod worlds;
