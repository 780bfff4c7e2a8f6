//! The trait of planners.

use super::context::Context;
use super::{due, windowed};
use crate::state::{State, Unit};
use giveway_members::roster::Slot;

/// A planner of agents. A planner has no memory of its own: the [roster](giveway_members::roster) keeps all that it has to
/// remember of an agent.
pub(super) trait PlanAgents {
    /// Plans agents jointly, before any agent plans alone.
    fn plan_together(&self, _context: &mut Context<'_, '_>) {}

    /// Whether `unit`, which this planner serves, has to plan at this tick. By default, as by windows.
    fn is_due(&self, state: &State<'_>, unit: Unit<'_>) -> bool {
        due::is_due(state, unit)
    }

    /// Plans `slot`, which is due. The way of `slot` is known, and there is work left. By default plans a window ahead.
    fn plan(&self, context: &mut Context<'_, '_>, slot: Slot) {
        windowed::plan(context, slot);
    }
}
