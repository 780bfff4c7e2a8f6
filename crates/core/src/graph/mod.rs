//! The graph kit: what searches over nodes are made of, whatever they search for.

pub(crate) mod facts;
pub mod generation;
mod groups;
pub(crate) mod held;
pub mod near;
pub mod open_list;
pub mod origins;
pub mod paged;
mod ring;
pub mod rows;
pub(crate) mod seen;
pub mod stamped;
