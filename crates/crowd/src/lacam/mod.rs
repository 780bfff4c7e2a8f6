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

mod choices;
mod exchange;
mod field;
mod generator;
mod holders;
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
/// ever, and nothing changes any more. Each generated configuration takes one unit of fuel, and
/// two for each unit. Deterministic. Memory grows with
/// the fuel burnt.
///
/// # Errors
/// [`NoPath::Exhausted`] if there is no plan, [`Suspended::OutOfFuel`](giveway_core::Suspended::OutOfFuel) if `fuel`
/// ran out before that was decided.
pub(crate) fn plan_jointly<F: Field>(field: &mut F, fuel: &mut Fuel) -> Result<Vec<Vec<Step>>, NoPath> {
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
pub(crate) fn plan_jointly_as_far<F: Field>(
    field: &mut F,
    least: usize,
    fuel: &mut Fuel,
) -> Result<Vec<Vec<Step>>, NoPath> {
    let mut search = Search::new(field, fuel)?;
    let why = match search.solve(field, fuel) {
        Ok(end) => return Ok(search.steps_to(end)),
        Err(NoPath::Exhausted) => return Err(NoPath::Exhausted),
        Err(why) => why,
    };
    let steps = search.steps_to(search.nearest());
    if steps.first().is_some_and(|steps| steps.len() >= least) { Ok(steps) } else { Err(why) }
}
