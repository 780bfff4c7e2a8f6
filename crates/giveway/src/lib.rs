//! stub

pub use giveway_core::*;
pub use giveway_scenario as scenario;
pub use giveway_spaces as spaces;
pub use giveway_strategies as strategies;
