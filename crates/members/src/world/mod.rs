//! The world: the classes of a crowd, the cells that they share, and what is known of distances. A class finds paths
//! around reservations. Which reservations there are, others decide.

mod any_class;
mod classes;
mod common;
pub mod currents;
mod descent;
mod distances;
mod operations;
mod parts;
mod typed;

pub use any_class::{Answer, AnyClass, Question};
pub use classes::{CannotAdd, Edited, World};
pub use distances::STANDS;
pub use operations::OperationList;
pub use parts::{Editing, Embedded, Parts};
pub use typed::{Copying, erase};
