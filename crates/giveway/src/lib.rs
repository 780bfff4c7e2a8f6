//! Cooperative pathfinding on any graph: units that share a world plan in space **and** time, and give way to each
//! other.
//!
//! ```
//! use giveway::spaces::Grid;
//! use giveway::strategies::Hca;
//! use giveway::{Agent, Checker, ConflictRule, Instance, Point};
//!
//! // A corridor with a bay. One unit goes east, the other into the bay.
//! let grid = Grid::from_ascii("
//!     .......
//!     @@@.@@@
//! ")?;
//! let at = |x, y| grid.node(x, y).expect("on the grid");
//! let agents = vec![Agent::new(at(0, 0), at(6, 0)), Agent::new(at(6, 0), at(3, 1))];
//!
//! let point = Point::swap_rule(&grid);
//! let instance = Instance::new(&grid, &point, agents)?;
//! let solution = Hca::hca_star().solve(&instance);
//!
//! assert!(solution.is_complete());
//! // The second unit turns off into the bay: 4 ticks. The first unit gives way for one tick, then passes: 7 ticks.
//! assert_eq!((solution.plan.sum_of_costs(), solution.plan.makespan()), (11, 7));
//! let violations = Checker::new(&grid, ConflictRule::Swap).check(instance.agents(), &solution.plan);
//! assert!(violations.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where things are
//!
//! The root holds what most programs name: the roles, agents and instances, plans, the checker.
//!
//! | module | what |
//! |---|---|
//! | [`spaces`] | where agents move: grids, hexes, voxels, floors, roads, navigation meshes, closures, keys of your own, petgraph graphs; [`Facts`](spaces::Facts), which hold for all moves of a space; bodies of any size, shape and speed; vehicles on curves |
//! | [`strategies`] | from agents to plans by CA\* and HCA\*; and [`Crowd`](strategies::Crowd), whose agents get orders at any time and plan by WHCA\* or LRA\* |
//! | [`sim`] | a crowd over time: tasks, metrics, recordings |
//! | [`area`] | parts of the world by shape, and how the world changes there |
//! | [`plan`] | paths, plans and traces in detail |
//! | [`time`] | ticks and spans |
//! | [`footprint`] | what an agent occupies, for footprints of your own |
//! | [`search`] | the space-time A\* itself, and searches without time |
//! | [`heuristic`] | lower bounds on the remaining cost: metrics, landmarks, true distances |
//! | [`store`] | reservations, and the tables that keep them |
//! | [`check`] | the independent checkers and what they find |
//! | [`words`] | what heuristics and layers of your own write to the save of a crowd |
//! | [`direction`] | direction maps, a cost layer that learns; crossing patterns |
//! | `scenario` | files in and out: Moving AI maps and scenarios, navigation meshes, plans, traces, direction maps; generators of maps and scenarios |
//! | `render` | pictures of plans and searches, and a player for the browser |
//! | `conformance` | tests of whether your type keeps the contract of its trait |
//! | `trial` | one call that runs your space under every strategy, with every body that applies (feature `conformance`) |
//!
//! Data flows one way: map, space, search, plan or simulation, picture.
//!
//! # Features
//!
//! No feature is on by default.
//!
//! | feature | what it adds |
//! |---|---|
//! | `hexx` | `spaces::HexGrid`: grids of hexes, with the coordinates of the hexx crate |
//! | `petgraph` | `spaces::GraphSpace`: any graph of the petgraph crate as a space |
//! | `spade` | `spaces::NavMesh::from_outline`: navigation meshes from an outline with obstacles, triangulated by the spade crate |
//! | `rayon` | distances for many agents are searched on several threads, with equal results |
//! | `scenario` | the module `scenario` |
//! | `tiled` | maps of the Tiled editor in `scenario`, which it switches on |
//! | `world` | whole worlds in one file in `scenario`, which it switches on |
//! | `png` | pictures as maps in `scenario`, which it switches on |
//! | `render` | the module `render` |
//! | `serde` | `serde` for traces, metrics, calls and saves |
//! | `conformance` | the modules `conformance` and `trial` |

#[cfg(debug_assertions)]
mod compiled;
#[cfg(feature = "conformance")]
pub mod trial;

#[cfg(debug_assertions)]
#[doc(hidden)]
pub use compiled::points_on_a_grid;
#[doc(inline)]
pub use giveway_check::Checker;
#[doc(inline)]
pub use giveway_core::{
    Agent, AgentId, ConflictRule, CostLayer, Footprint, Goals, Heuristic, Move, NodeId, Plan, Point, ReservationStore,
    SpaceGraph,
};
#[doc(inline)]
pub use giveway_sim as sim;
#[doc(inline)]
pub use giveway_strategies::Instance;

#[cfg(feature = "conformance")]
#[doc(inline)]
pub use giveway_conformance as conformance;
#[cfg(feature = "render")]
#[doc(inline)]
pub use giveway_render as render;
#[cfg(feature = "scenario")]
#[doc(inline)]
pub use giveway_scenario as scenario;

/// Ready-made spaces, in which agents move; and bodies with their footprints.
pub mod spaces {
    #[doc(inline)]
    pub use giveway_bodies::*;
    #[doc(inline)]
    pub use giveway_spaces::*;
}

/// Strategies, which make plans for instances; routes in space alone; and crowds, whose agents get orders at any time.
pub mod strategies {
    #[doc(inline)]
    pub use giveway_crowd::{
        Budget, Call, Chain, Class, ClassId, Crowd, CrowdDetails, CrowdError, CrowdSettings, CrowdSolver, Current,
        Depth, Explanation, Follow, Formation, Lateness, Leg, Lra, March, Margin, Muster, News, OtherWorld, OutOfReach,
        Planner, Pose, Reason, Region, Replanning, Report, Reservation, Rewind, Round, Save, SaveError, Served,
        Snapshot, SoftRests, Stages, Target, WaitPenalty, Waiting,
    };
    #[doc(inline)]
    pub use giveway_strategies::{
        Cooperative, CooperativeDetails, Hca, Independent, NoPlan, Noise, Order, Progress, Restart, Router, Routing,
        SectorRouting, Solution, SolutionIn, Terrain, Trip, Unplanned, Watch,
    };
}

/// The independent checkers. One checks plans and traces by conflict rules; the other checks bodies in continuous time.
pub mod check {
    #[doc(inline)]
    pub use giveway_check::{BodyChecker, Checker, Enclosure, Excursion, Overlap, Violation, Wall, WallOverlap};
}

/// Numbers in a row: what sources of heuristics and layers of your own write to the [save](strategies::Save) of a
/// crowd.
pub mod words {
    #[doc(inline)]
    pub use giveway_core::{Garbled, WordReader, Words};
}

/// Areas: parts of the world, given by their shapes, and the changes that can be made to an area in all spaces at once.
pub mod area {
    #[doc(inline)]
    pub use giveway_core::{Area, AreaError, Change, Edits, Gate, Journal, Surface};
}

/// Direction maps: cost layers that learn in which directions agents move. Moves against the learned directions cost
/// more. Crisscross patterns: cost layers with lanes that alternate, without learning.
pub mod direction {
    #[doc(inline)]
    pub use giveway_lanes::{
        Blank, Coherence, Crisscross, CrossingMap, Crossings, DirectionMap, DirectionRules, Directions,
        EdgeDirectionMap, Ends, InvalidCell, InvalidDirection, InvalidRaster, InvalidValue, Moves, Places, Raster,
        Target, WorldDirectionMap,
    };
}

/// Footprints: which reservation cells an agent occupies, and when.
pub mod footprint {
    #[doc(inline)]
    pub use giveway_core::{
        ApartError, CellId, Cells, CellsDiffer, ConflictRule, Entry, EntryVisitor, Footprint, Motion, MotionIn, MoveIn,
        Point, Site, TooManyCells, WholeMoves,
    };
}

/// The input and output of strategies: agents, instances, paths, plans, and traces.
pub mod plan {
    #[doc(inline)]
    pub use giveway_core::{
        Agent, AtEnd, Goals, Path, PathIn, Plan, PlanIn, Step, Trace, TracedAgent, TracedBody, TracedChange,
        TracedMove, TracedOrder, TracedPlace, Trajectories,
    };
    #[doc(inline)]
    pub use giveway_strategies::{Instance, InstanceError, fewest_ticks, fewest_ticks_by};
}

/// Heuristics: lower bounds on the cost that is left.
///
/// [`Zero`](heuristic::Zero) always estimates 0. [`Manhattan`](heuristic::Manhattan), [`Octile`](heuristic::Octile) and
/// [`Euclidean`](heuristic::Euclidean) use positions. [`Landmarks`](heuristic::Landmarks) need none: they use distances
/// to a few nodes. [`DistanceTable`](heuristic::DistanceTable) and [`ReverseAStar`](heuristic::ReverseAStar) find true
/// distances, and [`TrueDistances`](heuristic::TrueDistances) shares them among agents. On large maps,
/// [`Hierarchy`](heuristic::Hierarchy) takes less work, but its estimates are not always lower bounds.
pub mod heuristic {
    #[doc(inline)]
    pub use giveway_core::heuristic::{
        ByMetric, Euclidean, Heuristic, HeuristicSource, Manhattan, Metric, Octile, ROUGH, ToGoals, Zero,
    };
    #[doc(inline)]
    pub use giveway_distance::{
        DistanceTable, Guided, Hierarchy, Landmarks, Predecessors, PredecessorsIn, PricedDistance, PricedDistances,
        ReverseAStar, TrueDistance, TrueDistances,
    };
}

/// Searches: the A\* in space and time; an A\* and a fringe search in space alone; queries; and bounds on work.
pub mod search {
    #[doc(inline)]
    pub use giveway_core::{
        Asker, Copies, Cost, CostLayer, Digest, FringeSearch, Fuel, NoPath, Observer, Query, Route, Scene, SceneParts,
        SharedLayer, SpaceTimeSearch, SpatialSearch, Suspended, TimeModel, near,
    };
}

/// Reservations of cells for agents, and the stores that keep reservations.
pub mod store {
    #[doc(inline)]
    pub use giveway_core::store::*;
    #[doc(inline)]
    pub use giveway_core::{AgentId, Claim, FreeIntervals, Mark, Probe, Rank, Refused, ReservationStore, StaleMark};
}

/// Time: ticks, and half-open spans of ticks.
pub mod time {
    #[doc(inline)]
    pub use giveway_core::{FOREVER, Span, Tick, Ticks, TooCoarse};
}
