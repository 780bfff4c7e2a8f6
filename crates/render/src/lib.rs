//! Pictures of plans, as SVG or HTML. A picture is made from a trace, from counts or from arrows. No picture needs a
//! planner.
//!
//! | type | picture |
//! |---|---|
//! | [`PlanPicture`] | SVG: every agent's path over the map |
//! | [`AnimatedPicture`] | SVG that moves by itself, for pages without scripts |
//! | [`ExpansionPicture`] | SVG heat map: how often each place was expanded |
//! | [`FlowPicture`] | SVG: a direction map as arrows, which show which way units go |
//! | [`Player`] | one HTML file that plays a trace, and needs nothing else |
//!
//! A [`Backdrop`] is the map behind a picture: walls, places and the ways between them, roads. `Display` writes the
//! picture, and equal input gives equal bytes. Pictures lie in the plane of x and y, with y downwards; z is not shown.
//! A [`FloorPlan`] lays floors beside each other.
//!
//! ```
//! use giveway_core::{Agent, Point, Trace};
//! use giveway_strategies::Instance;
//! use giveway_render::{Backdrop, PlanPicture, Player};
//! use giveway_spaces::Grid;
//! use giveway_strategies::Hca;
//!
//! let grid = Grid::from_ascii("
//!     .....
//!     .#.##
//! ")?;
//! let node = |x, y| grid.node(x, y).unwrap();
//! let agents = vec![Agent::new(node(0, 0), node(4, 0)), Agent::new(node(4, 0), node(0, 0))];
//! let points = Point::swap_rule(&grid);
//! let plan = Hca::hca_star().solve(&Instance::new(&grid, &points, agents.clone())?).plan;
//!
//! let trace = Trace::from_plan(&grid, &agents, &plan, 1);
//! let backdrop = Backdrop::cells(grid.width(), grid.height(), |x, y| grid.is_passable(x, y));
//! let picture = PlanPicture::new(&trace, &backdrop).title("Two agents meet").to_string();
//! assert!(picture.starts_with("<svg"));
//! let page = Player::new(&trace, &backdrop).title("Two agents meet").to_string();
//! assert!(page.starts_with("<!doctype html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Libraries are silent; only the command line and the examples speak.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod animation;
mod arrow;
mod backdrop;
mod contour;
mod expansions;
mod extent;
mod floor_plan;
mod flow;
mod frame;
mod front;
mod instants;
mod journey;
mod markup;
mod outline;
mod palette;
mod placement;
mod plane;
mod player;
mod svg;
mod theme;

pub use animation::AnimatedPicture;
pub use arrow::{Arrow, Flow};
pub use backdrop::Backdrop;
pub use expansions::ExpansionPicture;
pub use floor_plan::FloorPlan;
pub use flow::FlowPicture;
pub use palette::Color;
pub use player::Player;
pub use svg::PlanPicture;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
