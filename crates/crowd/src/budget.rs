//! Budgets: how much work a crowd may do in one tick, and how much of it is left.

use giveway_core::Fuel;

/// The work that a crowd may do in one tick, in units.
///
/// One unit takes some 200 ns: as long as one expansion of a search in space and time, for a point on a grid. The table
/// says, for each kind of work, how much of it one unit pays for, or how many units it takes. The times of all units
/// are within a factor of two, mostly. `giveway_sim::Calibration` measures a machine, and suggests a budget for a
/// number of milliseconds.
///
/// | work | units |
/// |---|---|
/// | searches, distances | the units in the table of [`Fuel`] |
/// | a window | 3, or one if it only extends the last plan; and one for each 8 entries that are reserved |
/// | a step of a [descent](super::CrowdSettings::descent) | one |
/// | a step of local repair | 4, and the units of its search |
/// | [sectors](giveway_strategies::SectorRouting) | 2.25 for each node, and one for each sector |
/// | PIBT | 8 for the decision of an agent |
/// | LaCAM | one for each expansion of a configuration, two for each of its agents, and one for each 2 places around them |
/// | the step planner: the choices of an agent | 6, and one for each 6 operations |
/// | the step planner: tests of operations | one for each 4; and 4 for each agent with a new operation |
/// | the step planner: new operations | one for each 6 of their entries |
/// | the step planner: going straight on | 6, one for each move tested, and one for each 8 entries of new moves |
/// | out of the way of an agent on a path of its own | 3, one for each place looked at, and one for each 8 entries that are reserved |
/// | after an edit | one for each 2 agents with old distances, and one for each changed node of a table |
///
/// Two limits hold whatever the budget. One attempt of an agent to plan a window takes at most 131,072 units. And at
/// each tick the *excess* of searches for windows has a limit. A search that finds no window adds all of its work to
/// the excess. A search that finds a window adds only its work beyond 96 units. When the excess is above 65,536 units,
/// and also above 128 units for each agent of the crowd, no more windows are planned at this tick.
///
/// The budget limits the work of planners, with one exception: LRA* looks at all places within its
/// [radius](crate::Lra::radius), whatever the budget. Other work takes time even at budget 0: motions, the execution
/// guard, and a look at each agent that is awake. [`Report::work`](super::Report::work) says how many units a tick has
/// used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Option<u64>", into = "Option<u64>"))]
pub struct Budget {
    work: u64,
}

impl Budget {
    /// A budget of at most `units` units of work.
    pub const fn work(units: u64) -> Self {
        Self { work: units }
    }

    /// A budget without a limit.
    pub const fn unlimited() -> Self {
        Self { work: u64::MAX }
    }

    /// The units of work; `u64::MAX` without a limit.
    pub const fn units(self) -> u64 {
        self.work
    }

    pub(super) fn fuel(self) -> Fuel {
        Fuel::work(self.work)
    }
}

/// `None`: without a limit.
impl From<Option<u64>> for Budget {
    fn from(units: Option<u64>) -> Self {
        units.map_or(Self::unlimited(), Self::work)
    }
}

/// `None`: without a limit.
impl From<Budget> for Option<u64> {
    fn from(budget: Budget) -> Self {
        Some(budget.work).filter(|units| *units < u64::MAX)
    }
}
