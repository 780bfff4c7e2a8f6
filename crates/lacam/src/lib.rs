//! LaCAM: joint plans for the units of a knot, which block each other, up to whole crowds.
//!
//! Planning one after the other is quick and incomplete: two units that meet in a corridor with a bay can only be
//! planned together. [`plan_jointly`] does that in synchronous steps. It knows nothing of crowds: it asks a [`Field`]
//! which steps there are, and what they occupy.
//!
//! The search is LaCAM (Okumura, "LaCAM: Search-Based Algorithm for Quick Multi-Agent Pathfinding", AAAI 2023). It
//! searches configurations. Successors are generated under constraints that are added one at a time, so that in the end
//! every successor of every configuration is generated. PIBT finds the successor for a set of constraints (Okumura et
//! al., "Priority Inheritance with Backtracking for Iterative Multi-agent Path Finding", Artificial Intelligence 2022).
//! As in LaCAM2 (Okumura, "Improving LaCAM for Scalable Eventually Optimal Multi-Agent Pathfinding", IJCAI 2023), units
//! that face each other in a corridor exchange places where it begins, and a new transition between two known
//! configurations makes the ways to all later ones cheaper. Unlike there, the first plan is the last.
//!
//! Differs from the papers: there the search is depth first, and begins anew from the first configuration at random.
//! Here it dives, depth first for some configurations, from the configuration under which the fewest constraints were
//! tried (among equals, the one with the least cost so far plus estimate). Dives grow longer. Each breaks ties
//! otherwise.
//!
//! Games and simulations usually depend on the crate `giveway`, whose crowds use this crate where units block each
//! other.
//!
//! # Example
//!
//! Two units exchange the ends of a corridor by way of its bay.
//!
//! ```
//! use giveway_core::{CellId, ConflictRule, Entry, Fuel, NodeId, Span, Suspended};
//! use giveway_lacam::{Field, Step, plan_jointly};
//!
//! /// Places 0 - 1 - 2 in a row, and a bay, 3, at 1. Unit 0 goes from 0 to 2, unit 1 from 2 to 0.
//! struct Corridor;
//!
//! const TRACKS: [(u32, u32); 3] = [(0, 1), (1, 2), (1, 3)];
//!
//! impl Field for Corridor {
//!     fn units(&self) -> usize {
//!         2
//!     }
//!
//!     fn rule(&self) -> ConflictRule {
//!         ConflictRule::Swap
//!     }
//!
//!     fn kind(&self, _unit: usize) -> u32 {
//!         0
//!     }
//!
//!     fn start(&self, unit: usize) -> NodeId {
//!         [NodeId(0), NodeId(2)][unit]
//!     }
//!
//!     fn moves(&self, _kind: u32, from: NodeId, found: &mut Vec<(NodeId, u32)>) {
//!         for (track, (a, b)) in (0..).zip(TRACKS) {
//!             if from.0 == a || from.0 == b {
//!                 found.push((NodeId(a + b - from.0), track));
//!             }
//!         }
//!     }
//!
//!     // A move holds its track for a tick, and its end from then on.
//!     fn occupies(&self, _kind: u32, step: Step, entries: &mut Vec<Entry>) {
//!         if let Some(track) = step.action {
//!             entries.push(Entry { cell: CellId(4 + track), span: Span::tick(0) });
//!         }
//!         let arrival = u32::from(step.action.is_some());
//!         entries.push(Entry { cell: CellId(step.to.0), span: Span::endless(arrival) });
//!     }
//!
//!     fn is_blocked(&self, _entries: &[Entry]) -> bool {
//!         false
//!     }
//!
//!     fn distances(
//!         &mut self,
//!         unit: usize,
//!         nodes: &[NodeId],
//!         found: &mut Vec<Option<u32>>,
//!         _fuel: &mut Fuel,
//!     ) -> Result<(), Suspended> {
//!         let steps = [[2, 1, 0, 2], [0, 1, 2, 2]][unit];
//!         found.extend(nodes.iter().map(|node| Some(1000 * steps[node.index()])));
//!         Ok(())
//!     }
//!
//!     fn is_goal(&self, _unit: usize, _node: NodeId, distance: u32) -> bool {
//!         distance == 0
//!     }
//! }
//!
//! let steps = plan_jointly(&mut Corridor, &mut Fuel::unlimited())?;
//! // One of the two goes into the bay and waits there.
//! assert!(steps.iter().flatten().any(|step| step.to == NodeId(3)));
//! assert_eq!(steps.iter().map(|steps| steps.last().map(|step| step.to.0)).collect::<Vec<_>>(), [Some(2), Some(0)]);
//! # Ok::<(), giveway_core::NoPath>(())
//! ```

// Libraries are silent; only the command line and the examples print.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod choices;
mod exchange;
mod field;
mod generator;
mod holders;
mod moves;
mod search;
mod spots;
mod stepper;
#[cfg(test)]
mod tests;

use giveway_core::{Fuel, NoPath};

use search::Search;

pub use field::{Field, Step};
pub use stepper::Stepper;

/// A joint plan for all units of `field`: from their starts to a configuration in which each unit is on one of its
/// goals, for ever.
///
/// Returns the steps of each unit; all units have equally many. After these steps every unit stays on its goal for
/// ever, and nothing changes any more. Each generated configuration takes one unit of fuel, and
/// two for each unit. Deterministic. Memory grows with
/// the fuel burnt.
///
/// # Errors
/// [`NoPath::Exhausted`] if there is no plan, [`Suspended::OutOfFuel`](giveway_core::Suspended::OutOfFuel) if `fuel`
/// ran out before that was decided.
pub fn plan_jointly<F: Field>(field: &mut F, fuel: &mut Fuel) -> Result<Vec<Vec<Step>>, NoPath> {
    let mut search = Search::new(field, fuel)?;
    let end = search.solve(field, fuel)?;
    Ok(search.steps_to(end))
}

/// Like [`plan_jointly`], but if `fuel` runs out, a plan to the known configuration that is nearest to a final one, if
/// it has at least `least` steps. Nearest is where the units have the fewest steps left in sum; ties go to the
/// configuration that was known first.
///
/// # Errors
/// Those of [`plan_jointly`]; `OutOfFuel` only if such a plan is shorter.
pub fn plan_jointly_as_far<F: Field>(field: &mut F, least: usize, fuel: &mut Fuel) -> Result<Vec<Vec<Step>>, NoPath> {
    let mut search = Search::new(field, fuel)?;
    let why = match search.solve(field, fuel) {
        Ok(end) => return Ok(search.steps_to(end)),
        Err(NoPath::Exhausted) => return Err(NoPath::Exhausted),
        Err(why) => why,
    };
    let steps = search.steps_to(search.nearest());
    if steps.first().is_some_and(|steps| steps.len() >= least) { Ok(steps) } else { Err(why) }
}
