//! Planners: the ways to plan the agents of a crowd, behind one trait, over one context.
//!
//! A new one is a file here, and a line in the [table](planners).

mod chain;
mod context;
mod lacam;
mod pibt;
mod repair;
mod turns;
mod windowed;

use giveway_core::ReservationStore;

use super::roster::Slot;
use super::state::{State, Unit};

pub use chain::Chain;
pub use repair::Lra;

pub(super) use context::Context;
pub(super) use repair::Itinerary;
pub(super) use windowed::WindowMemory;

/// What a planner does. It has no memory of its own: what it remembers of an agent is the [member](super::roster::Member)'s.
pub(super) trait PlanAgents<R: ReservationStore> {
    /// Whether agents that have no other planner can be told to make way.
    fn makes_way(&self) -> bool {
        true
    }

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

/// Lists the planners: each with what its agents are counted as in [`Served`], there and in files, and what does its work. They plan
/// together in the order of the table.
macro_rules! planners {
    ($($(#[$doc:meta])* $planner:ident $(($parameters:ty))? => $served:ident, $key:literal, $by:path;)*) => {
        /// One way to plan an agent of a crowd.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        pub enum Planner {
            $($(#[$doc])* $planner $(($parameters))?,)*
        }

        impl Planner {
            /// What does the work of this planner.
            fn by<'r, R: ReservationStore + 'r>(self) -> &'r (dyn PlanAgents<R> + 'r) {
                match self {
                    $(Self::$planner { .. } => &$by,)*
                }
            }
        }

        /// What does the work of each planner, in the order in which they plan together.
        fn all<'r, R: ReservationStore + 'r>() -> impl Iterator<Item = &'r (dyn PlanAgents<R> + 'r)> {
            let all: [&(dyn PlanAgents<R> + 'r); _] = [$(&$by),*];
            all.into_iter()
        }

        /// How many agents do what which planner of their [chains](Chain) planned; those who rest on their goals count to the first. In the report
        /// of a tick they sum to the number of agents; reports [sum](std::ops::AddAssign) to agent-ticks.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[non_exhaustive]
        pub struct Served {
            $(
                #[doc = concat!("By [`Planner::", stringify!($planner), "`].")]
                #[cfg_attr(feature = "serde", serde(rename = $key))]
                pub $served: usize,
            )*
            /// By none: they have no plan, and stand where they are.
            pub standing: usize,
        }

        impl Served {
            /// Notes one more agent that does what `planner` planned; `None`: it stands.
            pub(super) fn note(&mut self, planner: Option<Planner>) {
                match planner {
                    $(Some(Planner::$planner { .. }) => self.$served += 1,)*
                    None => self.standing += 1,
                }
            }

            /// How many there are together.
            pub fn total(&self) -> usize {
                self.standing $(+ self.$served)*
            }
        }

        impl std::ops::AddAssign for Served {
            fn add_assign(&mut self, other: Self) {
                self.standing += other.standing;
                $(self.$served += other.$served;)*
            }
        }
    };
}
planners! {
    /// WHCA*: a window ahead, around all that others have reserved; see [`CrowdSettings`](super::CrowdSettings).
    Windowed => windowed, "windowed", windowed::Windowed;
    /// LRA*: the whole way as if alone, and around those next to it when they stand in the way; or [part of the way](Lra::routing) at a time,
    /// and around those [within sight](Lra::radius); see [`Lra`].
    LocalRepair(Lra) => local_repair, "local_repair", repair::Repair;
    /// LaCAM: together with those around, at most 16, of the same time for every move: one after the other to the end, in several orders, or
    /// else in all their configurations. Until all are there, or the first is 8 steps nearer if that is far, they follow that plan.
    Lacam => lacam, "jointly", lacam::Lacam;
    /// PIBT: one step at a time, and whoever stands in the way is pushed on, and whoever is in its way in turn. For units of any size and
    /// speed; motions under way are not turned back. In open places, where everybody can go round somebody else, the one that ranks highest comes nearer
    /// with every step; in dead ends it need not.
    Pibt => pibt, "pushed", pibt::Pibt;
}

impl Planner {
    /// Whether agents that have no other planner can be told to make way.
    fn makes_way(self) -> bool {
        PlanAgents::<giveway_core::store::WindowTable>::makes_way(self.by())
    }
}

/// Lets everyone plan whose turn it is, for as long as there is work left; so much has gone into distances of earlier maps at this tick.
pub(super) fn plan_all<R: ReservationStore>(context: &mut Context<'_, '_, R>, renewed: u64) {
    for planner in all() {
        planner.plan_together(context);
    }
    turns::plan_in_turn(context, renewed);
}
