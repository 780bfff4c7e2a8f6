//! The vocabulary: what all parts of giveway talk about, without searches, stores and footprints.

pub(crate) mod agent;
pub(crate) mod area;
pub(crate) mod cells;
pub(crate) mod cost;
pub(crate) mod fuel;
pub(crate) mod gate;
pub(crate) mod goals;
pub(crate) mod motion;
pub(crate) mod path;
pub(crate) mod plan;
pub mod plane;
pub(crate) mod time;
pub(crate) mod timing;
pub(crate) mod trace;
pub(crate) mod trajectory;
