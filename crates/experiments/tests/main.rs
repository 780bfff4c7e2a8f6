//! Patrols and charts.

mod charts;
mod patrols;

// Whether a picture is well-formed is asked of charts as of all others.
#[path = "../../render/tests/support/markup.rs"]
mod markup;
