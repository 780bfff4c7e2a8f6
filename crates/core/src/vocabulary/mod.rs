//! The vocabulary: what all parts of giveway talk about, without searches, stores and footprints.

mod agent;
mod area;
mod cells;
mod cost;
mod digest;
mod edits;
mod fuel;
mod gate;
mod goals;
mod motion;
mod path;
mod plan;
pub mod plane;
mod time;
mod timing;
mod trace;
mod trajectory;
mod words;

pub use agent::{Agent, AgentId};
pub use area::{Area, AreaError, Change, Surface};
pub use cells::{CellId, Cells, CellsDiffer, ConflictRule, Entry, TooManyCells};
pub use cost::Cost;
pub use digest::Digest;
pub use edits::{Edits, Journal};
pub use fuel::{Fuel, Suspended};
pub use gate::Gate;
pub use goals::Goals;
pub use motion::{Motion, Move, NodeId};
pub use path::{AtEnd, Path, Step};
pub use plan::Plan;
pub use time::{FOREVER, Span, Tick, Ticks};
pub use timing::{TooCoarse, check_ticks, common_ticks, move_lengths, whole_ticks};
pub use trace::{Trace, TracedAgent, TracedBody, TracedChange, TracedMove, TracedOrder, TracedPlace, Trajectories};
pub use trajectory::{Stretch, Trajectory};
pub use words::{Garbled, WordReader, Words};
