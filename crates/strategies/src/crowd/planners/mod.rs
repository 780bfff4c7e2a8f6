//! Planners: the ways to plan the agents of a crowd, behind one trait, over one context.
//!
//! A new one is a file here and a line in the table of `chain/planner.rs`.

mod context;
mod lacam;
mod pibt;
mod repair;
mod turns;
mod windowed;

use giveway_core::ReservationStore;

use super::chain::{Planner, with_planners};
use super::roster::Slot;
use super::state::{State, Unit};

pub(super) use context::Context;

/// What a planner does. It has no memory of its own: what it remembers of an agent stands in the [roster](super::roster).
pub(super) trait PlanAgents<R: ReservationStore> {
    /// Plans those whose turn it is to be planned by this with others, before anybody plans for itself.
    fn plan_together(&self, _context: &mut Context<'_, '_, R>) {}

    /// Whether `unit`, which this planner serves, ought to plan at this tick. By default, as by windows.
    fn is_due(&self, state: &State<'_, R>, unit: Unit<'_>) -> bool {
        windowed::is_due(state, unit)
    }

    /// Plans `slot`, whose turn it is; it knows its way, and there is work left. By default a window ahead.
    fn plan(&self, context: &mut Context<'_, '_, R>, slot: Slot) {
        windowed::plan(context, slot);
    }
}

/// Says what does the work of each planner.
macro_rules! planners_work {
    ($($(#[$doc:meta])* $planner:ident $(($parameters:ty))? => $served:ident, $key:literal, $by:path;)*) => {
        /// What does the work of `planner`.
        fn work_of<'r, R: ReservationStore + 'r>(planner: Planner) -> &'r (dyn PlanAgents<R> + 'r) {
            match planner {
                $(Planner::$planner { .. } => &$by,)*
            }
        }

        /// What does the work of each planner, in the order in which they plan together.
        fn work_of_all<'r, R: ReservationStore + 'r>() -> impl Iterator<Item = &'r (dyn PlanAgents<R> + 'r)> {
            let all: [&(dyn PlanAgents<R> + 'r); _] = [$(&$by),*];
            all.into_iter()
        }
    };
}
with_planners!(planners_work);

/// Lets everyone plan whose turn it is, for as long as there is work left; so much has gone into distances of earlier maps at this tick.
pub(super) fn plan_all<R: ReservationStore>(context: &mut Context<'_, '_, R>, renewed: u64) {
    for planner in work_of_all() {
        planner.plan_together(context);
    }
    turns::plan_in_turn(context, renewed);
}
