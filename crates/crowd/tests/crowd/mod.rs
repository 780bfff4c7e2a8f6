//! A crowd does what the sources say: small cases with exact numbers.

mod along;
mod corridors;
mod depth;
mod descent;
mod edits;
mod giving_way;
mod jams;
mod near;
mod orders;
pub(crate) mod run;
mod scale;
mod shared;
mod stuck;
mod turns;
mod window;
