//! A crowd does what the sources say: small cases with exact numbers.

mod along;
mod corridors;
mod depth;
mod descent;
mod edits;
mod following;
mod giving_way;
mod groups;
mod homecoming;
mod jams;
mod near;
mod orders;
mod reservations;
pub(crate) mod run;
mod scale;
mod shared;
mod stages;
mod stuck;
mod turns;
mod window;
