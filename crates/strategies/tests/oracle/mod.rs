//! Oracles: slow, plain programs that say what must come out. They share nothing with the library's searches, stores
//! and footprints; of a space they use its moves.

#![allow(dead_code)] // each test file takes what it needs

pub(crate) mod amid_others;
pub(crate) mod distances;
pub(crate) mod jointly;
