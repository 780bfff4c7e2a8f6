//! Cooperative pathfinding on any graph: the traits, the searches, and the stores of reservations.
//!
//! A pathfinder that knows only the map sends twenty units to one bridge, and the units block each other. Cooperative
//! pathfinding searches space *and* time: each unit reserves where it will be and when, and the other units plan around
//! these reservations.
//!
//! Games and simulations usually depend on the crate `giveway`, which re-exports this crate together with spaces,
//! strategies and crowds. Use `giveway-core` alone to plan paths of single agents, or to write a space, a footprint or
//! a strategy.
//!
//! # The five roles
//!
//! A search has five parts. Each part is a trait: implement it, or take a ready-made type.
//!
//! | trait | what it says | ready-made |
//! |---|---|---|
//! | [`SpaceGraph`] | which places there are, and which moves lead from one to another | the grids and graphs of `giveway-spaces` |
//! | [`Footprint`] | which reservation cells a unit occupies while it moves or rests, and for how long | [`Point`] |
//! | [`Heuristic`] | a lower bound on the cost that is left | [`heuristic`]; true distances in `giveway-distance` |
//! | [`ReservationStore`] | which agent holds which cell when, and at which rank | [`store`] |
//! | [`CostLayer`] | what actions cost in addition to the space's own costs | `()`: nothing; the direction maps of `giveway-lanes` |
//!
//! [`SpaceTimeSearch`] is the one space-time A* that uses all five. [`SpatialSearch`] is A* without time, and
//! [`FringeSearch`] is an alternative to it.
//!
//! # Example: two trains on a graph of your own
//!
//! Two trains share a single track with a siding. To describe the track, implement two methods of [`SpaceGraph`]. The
//! rest is ready-made: for each train, search a path, reserve it, and plan the next train around it.
//!
//! ```
//! use giveway_core::heuristic::Zero;
//! use giveway_core::store::SparseTable;
//! use giveway_core::{
//!     Agent, AgentId, Claim, ConflictRule, Footprint, Goals, Move, NodeId, Plan, Point, Query, ReservationStore,
//!     Scene, SpaceGraph, SpaceTimeSearch,
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
//!     let scene = Scene { space: &Railway, footprint: &point, reservations: &store, layer: &() };
//!     let query = Query::new(Claim::plain(id), train.start, train.goals.clone());
//!     let path = search.find(&scene, query, &mut Zero)?;
//!     store.reserve(Claim::plain(id), &path.entries(&Railway, &point))?;
//!     plan.paths.push(path);
//! }
//! // The first train drives straight through. The second train gives way: it waits on the siding.
//! assert_eq!(plan.paths[0].arrival(), 3);
//! assert_eq!(plan.paths[1].arrival(), 5);
//! assert_eq!(plan.paths[1].node_at(2), NodeId(4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The agent that plans first takes its best path, and may leave no path for the agents after it. Strategies solve that
//! problem: see `giveway-strategies`. The checker of `giveway-check` finds mistakes in plans.
//!
//! # Units
//!
//! * **Time** is in [ticks](Tick): integers, counted from the start of the world. You choose how long a tick is. A
//!   [`Point`] makes every move in one tick, unless it is [timed](Point::timed). [Spans](Span) are half-open.
//! * **Cost** is what searches minimise. Cost is not time: see [`Cost`]. With `u32` a plain step costs 1000, and a
//!   diagonal step 1414. A wait as long as a plain step costs [`Query::wait_cost`], by default 1000.
//! * **Length** is in world units, as `f32`. Only footprints use it, to find durations.
//! * **Work** is in expansions: see [`Fuel`].
//!
//! # Errors and panics
//!
//! Outcomes are values: [`NoPath`] says whether there is no path or the search stopped early. A call that fails changes
//! nothing. No input makes this crate panic, unless memory runs out. If a space or a footprint breaks the contract of
//! its trait, paths may be wrong and searches may never end: test your types with `giveway-conformance`.
//!
//! This crate does not print, and reads no files, clocks or random seeds. Equal calls give equal results on every
//! platform: of states with equal `f` and `g` a search expands the newest first, and no result depends on the order of
//! a hash table.
//!
//! # Sources
//!
//! * D. Silver, "Cooperative Pathfinding", AIIDE 2005: CA*, HCA*, WHCA*, the reservation table, reverse resumable A*.
//! * D. Silver, "Cooperative Pathfinding", AI Game Programming Wisdom 3, 2006: footprints, priorities, windows.
//! * M. Phillips, M. Likhachev, "SIPP: Safe Interval Path Planning for Dynamic Environments", ICRA 2011: [safe
//!   intervals](TimeModel::SafeIntervals).
//! * Y. Björnsson, M. Enzenberger, R. C. Holte, J. Schaeffer, "Fringe Search: Beating A* at Pathfinding on Game Maps",
//!   CIG 2005: [`FringeSearch`].
//! * M. R. Jansen, N. R. Sturtevant, "Direction Maps for Cooperative Pathfinding", AIIDE 2008: cost layers.
//! * R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and Benchmarks", SoCS 2019: conflicts and costs.

// Libraries are silent; only the command line and the examples print.
#![warn(clippy::print_stdout, clippy::print_stderr)]
pub mod adapter;
mod estimate;
mod footprint;
mod graph;
pub mod heuristic;
mod layer;
mod observer;
mod point;
mod reservation;
mod search;
mod shared_layer;
mod space;
pub mod store;
mod vocabulary;
mod whole_moves;

pub use estimate::Heuristic;
pub use footprint::{EntryVisitor, Footprint};
pub use graph::facts::Facts;
pub use graph::held::Held;
pub use graph::near;
pub use graph::origins::{Origins, Tiles};
#[doc(hidden)]
pub use graph::{generation, open_list, origins, paged, rows, stamped};
pub use layer::{Asker, CostLayer};
pub use observer::Observer;
pub use point::{ApartError, Point, Site};
pub use reservation::{Claim, FreeIntervals, Mark, Probe, Rank, Refused, ReservationStore, StaleMark};
pub use search::{FringeSearch, NoPath, Query, Route, Scene, SceneParts, SpaceTimeSearch, SpatialSearch, TimeModel};
pub use shared_layer::SharedLayer;
#[doc(hidden)]
pub use space::may_begin;
pub use space::{Editable, Embedding, MotionIn, MoveIn, PathIn, PlanIn, SpaceGraph, SyncSpace, move_by_action};
#[doc(hidden)]
pub use vocabulary::plane;
pub use vocabulary::{
    Agent, AgentId, Area, AreaError, AtEnd, CellId, Cells, CellsDiffer, Change, ConflictRule, Copies, Cost, Digest,
    Edits, Entry, FOREVER, Fuel, Garbled, Gate, Goals, Journal, Motion, Move, NodeId, Path, Plan, Span, Step, Stretch,
    Surface, Suspended, Tick, Ticks, TooCoarse, TooManyCells, Trace, TracedAgent, TracedBody, TracedChange, TracedMove,
    TracedOrder, TracedPlace, Trajectories, Trajectory, WordReader, Words,
};
#[doc(hidden)]
pub use vocabulary::{check_ticks, common_ticks, move_lengths, push_sparingly, whole_ticks};
pub use whole_moves::WholeMoves;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
