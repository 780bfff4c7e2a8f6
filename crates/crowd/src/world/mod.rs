//! The world: the classes of a crowd, the cells that they share, and what is known of distances. It knows nothing of
//! reservations.

mod any_class;
mod class;
mod classes;
mod common;
mod descent;
mod distances;
mod operations;
mod typed;

pub(super) use any_class::{Answer, AnyClass, Question};
pub use class::Class;
pub(super) use classes::{Edited, World};
pub(super) use operations::OperationList;
pub(super) use typed::Copying;
