//! The footprint of a body: what a disc, a cart or a car holds while it moves and rests.
//!
//! `stamp.rs` finds the cells of the ground that a stretch of way meets, and when; `by_offset.rs` and `by_move.rs` keep
//! stamps and make entries of them, for as long as `pace.rs` says. `sliding_disc.rs` is the quick way for discs.

mod body_footprint;
pub(crate) mod by_move;
pub(crate) mod by_offset;
pub(crate) mod pace;
mod sliding_disc;
pub(crate) mod stamp;

pub use body_footprint::{BodyFootprint, Stamped};
