//! Lattices: grids for vehicles, which have headings and drive along curves.

mod primitives;
mod space;
mod vehicle;
pub use primitives::{Headings, Primitives};
pub use space::Lattice;
pub use vehicle::Vehicle;
