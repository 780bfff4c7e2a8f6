//! Cooperative pathfinding on any graph: the traits, the search, the reservations, the checker.
//!
//! A pathfinder that knows only the map sends twenty units at one bridge and lets them bump. Cooperative pathfinding
//! searches space *and* time: each unit reserves where it will be and when, and the others plan around it.
//!
//! # The five roles
//!
//! A search is put together from five parts, each behind a trait. Users bring their own or take the ready-made ones.
//!
//! | role | says | ready-made |
//! |---|---|---|
//! | [`SpaceGraph`] | which places there are, and which moves between them | the grids and graphs of `giveway-spaces` |
//! | [`Footprint`] | what a class of units occupies while it moves and rests, and for how long | [`Point`] |
//! | [`Heuristic`] | how much is left to go, at least | [`heuristic`] |
//! | [`ReservationStore`] | who holds which cell when, at which rank | [`store`] |
//! | [`CostLayer`] | what actions cost beyond the space's own costs | `()`: nothing; [`DirectionMap`] |
//!
//! [`SpaceTimeSearch`] is the one space-time A* that runs over them; [`SpatialSearch`] is its sibling without time.
//!
//! # A graph of one's own, and two units on it
//!
//! Two trains on a single track with a siding. The space says how the places hang together; nothing else is needed.
//!
//! ```
//! use giveway_core::heuristic::{DistanceTable, Predecessors};
//! use giveway_core::store::SparseTable;
//! use giveway_core::{
//!     AgentId, Checker, Agent, Claim, ConflictRule, Footprint, Goals, Move, NodeId, Plan, Point, Query,
//!     ReservationStore, Scene, SpaceGraph, SpaceTimeSearch,
//! };
//!
//! /// Stations 0 - 1 - 2 - 3 in a row, and a siding, 4, that leaves at 1.
//! struct Railway;
//!
//! const TRACKS: [(u32, u32); 4] = [(0, 1), (1, 2), (2, 3), (1, 4)];
//!
//! impl SpaceGraph for Railway {
//!     type Action = usize; // which track
//!     type Cost = u32; // in thousandths of a step
//!
//!     fn node_bound(&self) -> usize {
//!         5
//!     }
//!
//!     fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<usize, u32>> {
//!         TRACKS.into_iter().enumerate().filter_map(move |(action, (a, b))| {
//!             let to = if from.0 == a { b } else if from.0 == b { a } else { return None };
//!             Some(Move { from, to: NodeId(to), action, cost: 1000, length: 1.0 })
//!         })
//!     }
//! }
//!
//! let point = Point::swap_rule(&Railway);
//! let mut store = SparseTable::new(point.cells(&Railway));
//! let mut search = SpaceTimeSearch::new();
//! let trains = [(3, 0), (0, 3)].map(|(start, goal)| Agent::new(NodeId(start), NodeId(goal)));
//! let mut plan = Plan { paths: Vec::new() };
//! for (train, id) in trains.iter().zip((0..).map(AgentId)) {
//!     let mut heuristic = DistanceTable::new(&Railway, Predecessors::from_space(&Railway), train.goals.clone());
//!     let scene = Scene { space: &Railway, footprint: &point, reservations: &store, layer: &() };
//!     let query = Query::new(Claim::plain(id), train.start, train.goals.clone());
//!     let path = search.find(&scene, query, &mut heuristic)?;
//!     store.reserve(Claim::plain(id), &path.entries(&Railway, &point))?;
//!     plan.paths.push(path);
//! }
//! // The first train goes straight through. The second gives way: it waits for it on the siding.
//! assert_eq!(plan.paths[0].arrival(), 3);
//! assert_eq!(plan.paths[1].arrival(), 5);
//! assert_eq!(plan.paths[1].node_at(2), NodeId(4));
//! assert_eq!(Checker::new(&Railway, ConflictRule::Swap).check(&trains, &plan), []);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Who plans first gets its way, and may leave no way for others: what to do about that is the business of the strategies,
//! in `giveway-strategies`. The [`Checker`] shares no code with stores and footprints, so that neither can hide its own
//! mistakes.
//!
//! # Units
//!
//! * **Time** is in [ticks](Tick), integers from the start of the world. What a tick lasts is the user's choice; for points
//!   it is the time of one step. [Spans](Span) are half-open.
//! * **Cost** is what searches minimise, and is not time: see [`Cost`]. With `u32` a plain step costs 1000, a diagonal
//!   1414, and waiting for one tick 1000 unless the [`Query`] says otherwise.
//! * **Length** is in world units, as `f32`, and only matters to footprints that move at a speed.
//! * **Work** is in units that are expansions, or take about as long: [`Fuel`].
//!
//! # Errors and panics
//!
//! Outcomes are values: [`NoPath`] tells "there is no path" from "we stopped looking". A call that fails changes nothing. No
//! input makes this crate panic, short of asking for more memory than there is; spaces and footprints that break their
//! traits' contracts get wrong paths, and in the worst case no end of them. [`conformance`] tells whether they do.
//!
//! Nothing here prints, reads a file or a clock, or draws a random number. The same calls give the same results on every
//! platform: ties are broken by age, never by the order of a hash table.
//!
//! # Sources
//!
//! * D. Silver, "Cooperative Pathfinding", AIIDE 2005: CA*, HCA*, WHCA*, the reservation table, reverse resumable A*.
//! * D. Silver, "Cooperative Pathfinding", AI Game Programming Wisdom 3, 2006: footprints, priorities, windows.
//! * M. Phillips, M. Likhachev, "SIPP: Safe Interval Path Planning for Dynamic Environments", ICRA 2011: the second
//!   [time model](TimeModel).
//! * M. R. Jansen, N. R. Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008: [`DirectionMap`].
//! * R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and Benchmarks", SoCS 2019: conflicts and costs.

// Libraries are silent; only the command line and the examples speak.
#![warn(clippy::print_stdout, clippy::print_stderr)]
mod bounds;
mod cells;
mod check;
pub mod conformance;
mod cost;
mod crossings;
mod direction;
mod footprint;
mod fuel;
mod goals;
mod held;
pub mod heuristic;
mod instance;
mod layer;
pub mod near;
mod observer;
mod paged;
mod path;
mod plan;
mod point;
mod reservation;
mod search;
mod space;
pub mod store;
mod time;
mod trace;
mod trajectory;

pub use bounds::fewest_ticks;
pub use cells::{CellId, CellKind, Cells, CellsDiffer, ConflictRule, TooManyCells};
pub use check::{BodyChecker, Checker, Overlap, Violation};
pub use cost::Cost;
pub use direction::{
    Blank, Coherence, DirectionMap, DirectionRules, EdgeDirectionMap, Ends, InvalidDirection, InvalidValue, Target,
};
pub use footprint::{Entry, EntryVisitor, Footprint, Motion, MotionIn, MoveIn};
pub use fuel::{Fuel, Suspended};
pub use goals::Goals;
pub use held::Held;
pub use heuristic::Heuristic;
pub use instance::{Agent, Instance, InstanceError};
pub use layer::{Asker, CostLayer};
pub use observer::Observer;
pub use path::{AtEnd, Path, PathIn, Step};
pub use plan::{Plan, PlanIn};
pub use point::Point;
pub use reservation::{AgentId, Claim, FreeIntervals, Probe, Rank, Refused, ReservationStore, StaleMark};
pub use search::{NoPath, Query, Route, Scene, SpaceTimeSearch, SpatialSearch, TimeModel};
pub use space::{Editable, Embedding, Move, NodeId, SpaceGraph, SyncSpace, move_by_action};
pub use time::{FOREVER, Span, Tick, Ticks};
pub use trace::{Trace, TracedAgent, TracedBody, TracedMove, TracedOrder, TracedPlace, Trajectories};
pub use trajectory::{Stretch, Trajectory};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
