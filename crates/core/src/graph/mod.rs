//! The graph kit: what searches over nodes are made of, whatever they search for.

pub(crate) mod facts;
pub(crate) mod flood;
pub(crate) mod generation;
mod groups;
pub(crate) mod held;
pub mod near;
pub(crate) mod open_list;
pub(crate) mod origins;
pub mod paged;
mod ring;
pub mod rows;
pub(crate) mod seen;
pub mod stamped;
