//! Reservation stores: three ways to store which agent holds which cell when, behind one transactional table.
//!
//! | store | a probe costs | memory grows with | suits |
//! |---|---|---|---|
//! | [`SparseTable`] | a hash lookup per tick | reservations | few agents on huge maps, one-tick steps |
//! | [`WindowTable`] | one mask test | cells x horizon / 64, and reservations | crowds on unit steps |
//! | [`IntervalTable`] | a binary search | reservations, and up to 12 bytes per cell | fine ticks, long spans, free intervals |

mod accounts;
mod blocks;
mod free;
mod interval;
mod moment;
mod occupancy;
mod packed;
mod sparse;
mod table;
mod unreserved;
mod window;

pub use interval::{IntervalTable, Intervals};
pub use occupancy::{HolderId, HolderVisitor, Holding, Occupancy};
pub use packed::Packed;
pub use sparse::{Sparse, SparseTable};
pub use table::ReservationTable;
pub use unreserved::Unreserved;
pub use window::{Window, WindowTable};
