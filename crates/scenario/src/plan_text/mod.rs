//! Plans as text: the format of mapf-visualizer, one line per tick.

mod contents;
mod convert;
mod parse;

pub use contents::PlanText;
pub use convert::PlanHeader;
