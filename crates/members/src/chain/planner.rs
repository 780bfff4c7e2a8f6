//! Planners: the table of all planners, and how many agents each of them serves.

use super::lra::Lra;

/// Calls `$with` with the table of planners. A line holds the planner's name; the field of [`Served`] that counts its
/// agents; the key of that count in files; and the struct in `planners` that does its work. Files list the counts in
/// this order. Where planners plan several agents together, the last planner of the table plans first.
#[doc(hidden)]
#[macro_export]
macro_rules! with_planners {
    ($with:ident) => {
        $with! {
            /// WHCA*: a plan for the next few steps, the window, around all reservations of other agents; see
            /// `CrowdSettings`.
            Windowed => windowed, "windowed", windowed::Windowed;
            /// LRA*: the agent follows a route to its goal as if it were alone, and searches for a new route when a
            /// neighbouring agent is in the way. Optionally, a route leads only [part of the way](Lra::routing), or
            /// around agents [within sight](Lra::radius). See [`Lra`].
            LocalRepair(Lra) => local_repair, "local_repair", repair::Repair;
            /// PIBT: one step at a time. The agent pushes aside each agent in its way; a pushed agent can push other
            /// agents in turn. PIBT plans units of any size and speed. It does not turn back motions under way. In open
            /// places, where every agent can go around every other agent, the agent of highest rank comes nearer to its
            /// goal with every step. In dead ends there is no such guarantee.
            Pibt => pibt, "pushed", pibt::Pibt;
            /// The step planner: EPIBT, priority inheritance with backtracking over operations. An operation is a few
            /// moves, and then a rest up to a common horizon. The horizon is at least four plain steps, or three if the
            /// budget is short, and at least two of the longest moves. At each tick each agent takes the best operation
            /// that is free. Agents of higher rank choose first, and may make agents of lower rank take other
            /// operations.
            ///
            /// The step planner plans units of any size and speed, within any budget. When the budget is used up, an
            /// agent carries out the operation that it has, and rests at the end of the operation.
            Step => step, "step", step::Step;
            /// LaCAM: one joint plan for a *knot*, which is the agent and agents around it. The moves of these agents
            /// must all take equally long. At first a knot has 4 agents. By the end of LaCAM's first turn the knot has
            /// grown to 16 agents, and in each further round of the chain its size doubles, up to 1024 agents. In a
            /// knot of at most 16 agents, the agents first plan one after the other, to their goals, in two orders. If
            /// neither order works, LaCAM searches the joint configurations of the agents. All agents of the knot
            /// follow the plan until they are at their goals. But if the goal of the agent is far away, they follow the
            /// plan only until the agent is 8 steps nearer.
            ///
            /// If LaCAM serves more than 16 agents under way, and at least a quarter of all agents, one joint plan
            /// leads all agents that can make way to their goals. So if the chain has only this planner, the whole
            /// crowd is planned jointly.
            ///
            /// An agent whose moves do not all take equally long fits into no knot. In the turn of LaCAM the [step
            /// planner](Self::Step) serves the agent. If the class of the agent has a step of its
            /// own (`Class::step`), and LaCAM is a fallback, LaCAM has no turn.
            ///
            /// In a *jam* LaCAM plans before its turn in the chain. There is a jam if two conditions hold. Agents that
            /// found no window have lately used about as much work as a joint plan takes, or a quarter of that soon
            /// after the last joint plan. And the agents under way with LaCAM in their chains are more than 16. Where
            /// they are less than a quarter of all agents, a joint plan takes more work in proportion, and there is none
            /// among more than 1,024 agents or where orders keep coming. If the budget of the tick has enough work left,
            /// all agents that can make way then get one joint plan, and follow it for 16 steps. The search takes at
            /// most twice that work. If the search finds no plan to all goals by then, the agents follow the best
            /// incomplete plan that is known, provided that it is long enough for that; among more than 64 agents it
            /// has to last for 16 steps. If the jam goes on, each further joint plan is followed up to twice as long as
            /// the plan before it. Among more than 64 agents, each agent then looks for a better way of its own through
            /// the joint plan.
            ///
            /// Every 32 steps the last agents, at most 32, plan to their goals one after the other if one of them comes
            /// no nearer, or comes back from where it was pushed. Their plans push agents at rest only if these agents
            /// come back again. Agents of any size and pace take part if LaCAM is in their chains.
            ///
            /// Where orders keep coming, a joint plan is soon out of date. If lately at least an eighth of all agents
            /// have got another order, or one in 32 of more than 64 agents, and nearly all agents in the jam take
            /// [steps while the budget is short](crate::Chain::with_steps_when_short), these steps end the jam instead,
            /// and earlier. Among more than 64 such agents, and in any crowd of more than 1,024 agents, a knot takes at
            /// most 32,768 units of work.
            Lacam => lacam, "jointly", lacam::Lacam;
        }
    };
}

macro_rules! name_planners {
    ($($(#[$doc:meta])* $planner:ident $(($parameters:ty))? => $served:ident, $key:literal, $by:path;)*) => {
        /// One way to plan an agent of a crowd.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
        #[non_exhaustive]
        pub enum Planner {
            $($(#[$doc])* $planner $(($parameters))?,)*
        }

        /// Agents executing a plan, counted by the planner of their [chain](crate::Chain) that made the plan. Agents
        /// that rest on their goals count for the first planner of their chain. The counts of one tick add up to the
        /// number of agents. Counts can be [added](std::ops::AddAssign) over several ticks; their unit is then
        /// agent-ticks.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[non_exhaustive]
        pub struct Served {
            $(
                #[doc = concat!("By [`Planner::", stringify!($planner), "`].")]
                #[cfg_attr(feature = "serde", serde(rename = $key))]
                pub $served: usize,
            )*
            /// Agents without a plan, which stand where they are.
            pub standing: usize,
        }

        /// A planner without its parameters.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Kind {
            $($planner,)*
        }

        impl From<Planner> for Kind {
            #[inline]
            fn from(planner: Planner) -> Self {
                match planner {
                    $(Planner::$planner { .. } => Self::$planner,)*
                }
            }
        }

        impl Served {
            /// Counts one more agent that executes a plan of a planner of this kind; `None`: the agent stands.
            #[doc(hidden)]
            #[inline]
            pub fn note(&mut self, kind: Option<Kind>) {
                match kind {
                    $(Some(Kind::$planner) => self.$served += 1,)*
                    None => self.standing += 1,
                }
            }

            /// Counts one agent less that executes a plan of a planner of this kind.
            #[doc(hidden)]
            #[inline]
            pub fn forget(&mut self, kind: Kind) {
                match kind {
                    $(Kind::$planner => self.$served -= 1,)*
                }
            }

            /// The number of agents that are served, by all planners together.
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

impl Kind {
    /// Whether the planner plans several agents together.
    #[inline]
    pub fn plans_together(self) -> bool {
        matches!(self, Self::Pibt | Self::Step | Self::Lacam)
    }
}

impl Planner {
    /// Whether an agent with this planner alone can be told to make way.
    #[inline]
    pub(super) fn makes_way(self) -> bool {
        !matches!(self, Self::LocalRepair(_))
    }
}
