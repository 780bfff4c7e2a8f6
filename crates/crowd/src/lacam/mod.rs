//! LaCAM: joint plans for the few units of a knot, which block each other.
//!
//! Planning one after the other is quick and incomplete: two units that meet in a corridor with a bay can only be
//! planned together. [`plan_jointly`] does that for up to about sixteen units, in synchronous steps. It knows nothing
//! of crowds: it asks a [`Field`] which steps there are, and which steps exclude each other.
//!
//! The search is LaCAM (Okumura, "LaCAM: Search-Based Algorithm for Quick Multi-Agent Pathfinding", AAAI 2023). It
//! searches configurations. Successors are generated under constraints that are added one at a time, so that in the end
//! every successor of every configuration is generated. PIBT finds the successor for a set of constraints (Okumura et
//! al., "Priority Inheritance with Backtracking for Iterative Multi-agent Path Finding", Artificial Intelligence 2022).
//! As in LaCAM* (Okumura, "Improving LaCAM for Scalable Eventually Optimal Multi-Agent Pathfinding", IJCAI 2023), a new
//! transition between two known configurations makes the ways to all later ones cheaper. Unlike there, the first plan
//! is the last.
//!
//! Differs from the papers: there the next configuration is the last one found. Here the search dives from the
//! configuration under which the fewest constraints were tried (among equals, the one with the least cost so far plus
//! estimate). It goes on while it finds new configurations, and then starts from another one. Some dense knots of
//! sixteen units took more than a million configurations depth first, and a few hundred by diving.

mod choices;
mod field;
mod generator;
mod search;
#[cfg(test)]
mod tests;

use giveway_core::{Fuel, NoPath};

use search::Search;

pub(crate) use field::{Field, Step};

/// A joint plan for all units of `field`: from their starts to a configuration in which each unit is on one of its
/// goals, for ever.
///
/// Returns the steps of each unit; all units have equally many. After these steps every unit stays on its goal for
/// ever, and nothing changes any more. Each generated configuration is one expansion. Deterministic. Memory grows with
/// the fuel burnt.
///
/// # Errors
/// [`NoPath::Exhausted`] if there is no plan, [`Suspended::OutOfFuel`](giveway_core::Suspended::OutOfFuel) if `fuel`
/// ran out before that was decided.
pub(crate) fn plan_jointly<F: Field>(field: &mut F, fuel: &mut Fuel) -> Result<Vec<Vec<Step>>, NoPath> {
    let mut search = Search::new(field, fuel)?;
    let end = search.solve(fuel)?;
    Ok(search.steps_to(end))
}
