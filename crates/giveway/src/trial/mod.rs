//! Trials: a space of your own under every strategy, with every body that applies, and all plans checked.
//!
//! One call runs everything and gives a table:
//!
//! ```
//! use std::sync::Arc;
//!
//! use giveway::spaces::FnSpace;
//! use giveway::trial::Trial;
//!
//! // A ring of eight stations, and a siding at each.
//! let stations = FnSpace::new(16, |node| {
//!     let (next, siding) = ((node + 1) % 8, node + 8);
//!     let to = if node < 8 { vec![next, (node + 7) % 8, siding] } else { vec![node - 8] };
//!     to.into_iter().map(|to| (to, 1000))
//! })?;
//! let table = Trial::new("stations").agents(4).of_points(&stations);
//! assert!(table.is_sound(), "{table}");
//! println!("{table}");
//!
//! // With positions, discs and rectangles are tried, too.
//! let stations = stations.with_positions(|node| {
//!     let angle = (node % 8) as f32 * std::f32::consts::FRAC_PI_4;
//!     let radius = if node < 8 { 8.0 } else { 12.0 };
//!     [radius * angle.cos(), radius * angle.sin(), 0.0]
//! })?;
//! let table = Trial::new("stations").agents(4).of_all(&Arc::new(stations));
//! assert_eq!(table.rows().len(), 3);
//! assert!(table.is_sound(), "{table}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bodies;
mod draw;
mod guide;
mod run;
mod table;

use std::sync::Arc;

use giveway_core::heuristic::{Euclidean, Zero};
use giveway_core::{ConflictRule, Embedding, Point, SyncSpace};

pub use table::{Outcome, Row, Table, TrialStrategy};

use run::Run;

/// A trial of a space. Five strategies plan agents with random starts and goals: CA\*, HCA\*, WHCA\*, LRA\*, and a
/// crowd that learns a direction map.
///
/// All plans are checked: points by the [`Checker`](crate::Checker), bodies by the
/// [`BodyChecker`](crate::check::BodyChecker). If CA\* or HCA\* finds no path for an agent, the agent stands at its
/// start, and other agents may pass through it: this does not count as a violation. Equal trials give equal tables.
///
/// The lower bound for an agent is the time that it would take without other agents, if all moves could begin at any
/// tick. A crowd is given up when no agent has come nearer to its goal for a long time: see
/// [`CrowdSolver`](crate::strategies::CrowdSolver).
#[derive(Clone, Debug)]
pub struct Trial {
    name: String,
    agents: usize,
    seed: u64,
}

impl Trial {
    /// A trial of a space called `name`, with 8 agents and seed 0.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), agents: 8, seed: 0 }
    }

    /// Sets the number of agents. If the space has too little room, the trial has fewer agents.
    #[must_use]
    pub fn agents(self, agents: usize) -> Self {
        Self { agents, ..self }
    }

    /// Sets the seed by which starts and goals are drawn.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Runs the trial with points in `space`, under the swap rule: each move takes one tick. The space needs no
    /// positions.
    ///
    /// Takes memory in proportion to the space and the number of agents. If two edges of the space cross and have no
    /// common [crossing](crate::SpaceGraph::crossing), a trial with points does not notice, because points have no
    /// extent. A trial with discs does: see [`of_all`](Self::of_all).
    pub fn of_points<S: SyncSpace>(&self, space: &S) -> Table {
        Table::new(vec![self.points(space, Zero)])
    }

    /// Runs the trial three times in `space`: with points, with discs and with rectangles.
    ///
    /// The radius of a disc is 0.4 times the shortest distance between two places with a move between them. The
    /// rectangles fit into these discs. Rectangles turn as the headings and trajectories of the space say. In a space
    /// without headings and trajectories, rectangles face along their moves and turn on the spot, as in
    /// [`Facing`](crate::spaces::Facing). If a kind of body cannot be tried, its row has the reason.
    ///
    /// Discs and rectangles reserve cells of a ground with at most about a million cells. Two bodies on different
    /// levels of this ground do not count as overlapping.
    pub fn of_all<S: Embedding + SyncSpace>(&self, space: &Arc<S>) -> Table {
        let points = self.points(&**space, Euclidean::from_space(&**space));
        Table::new(vec![points, bodies::disc(self, space), bodies::rectangle(self, space)])
    }

    fn points<S: SyncSpace, M>(&self, space: &S, metric: M) -> Row
    where
        M: giveway_core::heuristic::Metric<S> + Clone + Send + Sync,
    {
        let point = Point::swap_rule(space);
        let goals = draw::alone;
        let agents = draw::agents(space, &point, self.agents, self.seed, goals);
        let run = Run { space, footprint: &point, metric, agents, seed: self.seed };
        let check = |agents: &[_], plan: &_| run::violations(space, ConflictRule::Swap, agents, plan, |_| true);
        Row::new(&self.name, "point", run.outcomes(check))
    }
}
