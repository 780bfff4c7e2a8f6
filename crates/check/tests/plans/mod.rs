//! The checker on grids: every violation is planted and found, legal plans pass, and a slow twin names the same
//! conflicts.

mod routes;

mod conflicts;
mod limits;
mod paths;
pub(crate) mod pieces;
mod traces;
mod twin;
