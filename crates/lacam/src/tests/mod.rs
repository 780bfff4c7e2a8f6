//! Tests of LaCAM: rows, and random boards against an oracle that tries everything.

mod board;
mod one_step;
mod oracle;
mod random;
mod rows;
mod steps;
mod ways;
