//! Planners: the table of them, and how many agents each of them serves.

use super::Lra;

/// Calls `$with` with the table of planners: how each is named, what its agents are counted as in [`Served`], there and in files, and what does
/// its work in `planners`. Files tell the counts in this order; the last planner plans first where planners plan several agents together.
macro_rules! with_planners {
    ($with:ident) => {
        $with! {
            /// WHCA*: a window ahead, around all that others have reserved; see [`CrowdSettings`](crate::CrowdSettings).
            Windowed => windowed, "windowed", windowed::Windowed;
            /// LRA*: the whole way as if alone, and around those next to it when they stand in the way; or [part of the way](Lra::routing) at a time,
            /// and around those [within sight](Lra::radius); see [`Lra`].
            LocalRepair(Lra) => local_repair, "local_repair", repair::Repair;
            /// PIBT: one step at a time, and whoever stands in the way is pushed on, and whoever is in its way in turn. For units of any size and
            /// speed; motions under way are not turned back. In open places, where everybody can go round somebody else, the one that ranks highest comes nearer
            /// with every step; in dead ends it need not.
            Pibt => pibt, "pushed", pibt::Pibt;
            /// LaCAM: together with those around, at most 16, of the same time for every move: one after the other to the end, in several orders, or
            /// else in all their configurations. Until all are there, or the first is 8 steps nearer if that is far, they follow that plan.
            Lacam => lacam, "jointly", lacam::Lacam;
        }
    };
}
pub(in crate::crowd) use with_planners;

macro_rules! name_planners {
    ($($(#[$doc:meta])* $planner:ident $(($parameters:ty))? => $served:ident, $key:literal, $by:path;)*) => {
        /// One way to plan an agent of a crowd.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        pub enum Planner {
            $($(#[$doc])* $planner $(($parameters))?,)*
        }

        /// How many agents do what which planner of their [chains](crate::Chain) planned; those who rest on their goals count to the first. In the report
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
            pub(in crate::crowd) fn note(&mut self, planner: Option<Planner>) {
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
with_planners!(name_planners);

impl Planner {
    /// Whether agents that have no other planner can be told to make way.
    pub(super) fn makes_way(self) -> bool {
        !matches!(self, Self::LocalRepair(_))
    }
}
