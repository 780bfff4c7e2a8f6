//! The graph kit: what searches over nodes are made of, whatever they search for.

pub(crate) mod flood;
mod groups;
pub(crate) mod held;
pub mod near;
pub(crate) mod open_list;
pub(crate) mod origins;
pub mod paged;
mod ring;
pub(crate) mod seen;
pub(crate) mod stamped;
