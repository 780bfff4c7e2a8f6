//! The common part of the benchmarks: the maps to run on, and a fair way to time several contenders.

pub mod at_once;
mod cpu_time;
pub mod crowded;
mod data;
pub mod discs;
mod fast_map;
pub mod following;
mod kept;
pub mod lifelong;
mod point_search;
pub mod river;
mod table;
mod timing;
pub mod worlds;

pub use cpu_time::cpu_time;
pub use data::{Benchmark, PatrolScenario, benchmark, benchmarks, patrol_scenarios};
pub use fast_map::FastMap;
pub use kept::{Kept, WarmHca, warm_hca};
pub use point_search::{PointQuery, PointSearch};
pub use table::Table;
pub use timing::{Contender, Spread, Times, interleave};
