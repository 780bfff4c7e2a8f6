//! The order in which agents plan, and what happens when one of them finds no path.

use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use giveway_core::{Agent, AgentId};

/// The order in which agents plan: earlier agents are obstacles for later agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Order {
    /// By id.
    AsGiven,
    /// Agents with the longest way first, then by id.
    FarthestFirst,
    /// Agents with the shortest way first, then by id. Long ways are planned last: they have room for detours.
    NearestFirst,
    /// The orders [`NearestFirst`](Self::NearestFirst) and [`FarthestFirst`](Self::FarthestFirst), in turns.
    /// `NearestFirst` makes cheaper plans; `FarthestFirst` finds plans in dense instances.
    ///
    /// With [`Restart::FailedFirst`] the first turn goes to `NearestFirst`. The turn ends after 32 rounds without
    /// success, or when these rounds have expanded 50 000 states per agent. Each further turn goes to the other order,
    /// with twice the limits of the turn before. Each order goes on with the sequence of agents that its last turn
    /// ended with. In the turns of `FarthestFirst`, an agent that finds no path moves up in the sequence by half of its
    /// distance to the first place.
    ///
    /// With any other restart, and in a crowd, this order is the same as `NearestFirst`.
    #[default]
    NearestElseFarthest,
    /// Agents with the largest [priority](Agent::priority) first, then by id.
    ByPriority,
    /// By id. In a running crowd the first place rotates: each agent is first at some ticks. If 1,024 agents or more
    /// plan at one tick of a crowd, they plan by class, then by node.
    Rotating,
    /// At random.
    Random {
        /// Equal seeds give equal orders.
        seed: u64,
    },
}

/// The reaction when an agent finds no path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Restart {
    /// An agent that finds no path stands at its start, and all other agents plan around it.
    Never,
    /// All agents plan again, in a new round. The agent that found no path plans first, and the other agents keep their
    /// order. In some turns of [`Order::NearestElseFarthest`] this agent moves up only half of the way to the first
    /// place.
    FailedFirst {
        /// The largest number of restarts.
        times: u32,
    },
    /// All agents plan again in a random order.
    Shuffled {
        /// The largest number of restarts.
        times: u32,
        /// Equal seeds give equal orders.
        seed: u64,
    },
}

/// How far up the order an agent goes after it found no path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Promotion {
    /// To the first place.
    First,
    /// Half of the way to the first place, which keeps more of the order.
    Halfway,
}

impl Default for Restart {
    fn default() -> Self {
        Self::FailedFirst { times: 200 }
    }
}

impl Restart {
    /// The largest number of restarts.
    pub fn times(self) -> u32 {
        match self {
            Self::Never => 0,
            Self::FailedFirst { times } | Self::Shuffled { times, .. } => times,
        }
    }

    /// Changes `order` for restart number `round`, from 1, after `failed` found no path. `promotion` says how far an
    /// agent goes up.
    pub(crate) fn reorder(self, order: &mut [AgentId], failed: AgentId, round: u32, promotion: Promotion) {
        match self {
            Self::Never => {}
            Self::FailedFirst { .. } => {
                if let Some(position) = order.iter().position(|agent| *agent == failed) {
                    let place = match promotion {
                        Promotion::First => 0,
                        Promotion::Halfway => position / 2,
                    };
                    order[place..=position].rotate_right(1);
                }
            }
            Self::Shuffled { seed, .. } => {
                order.sort_unstable();
                order.shuffle(&mut random(seed.wrapping_add(u64::from(round))));
            }
        }
    }
}

impl Order {
    /// The order of `agents`, whose distances to their goals are `distances`; `None`: unreachable.
    pub(crate) fn arrange<C: Ord + Copy>(self, agents: &[Agent], distances: &[Option<C>]) -> Vec<AgentId> {
        let mut order: Vec<AgentId> = (0..).map(AgentId).take(agents.len()).collect();
        match self {
            Self::AsGiven | Self::Rotating => {}
            Self::FarthestFirst => order.sort_by_key(|id| std::cmp::Reverse(distances[id.index()])),
            Self::NearestFirst | Self::NearestElseFarthest => order.sort_by_key(|id| distances[id.index()]),
            Self::ByPriority => order.sort_by_key(|id| std::cmp::Reverse(agents[id.index()].priority)),
            Self::Random { seed } => order.shuffle(&mut random(seed)),
        }
        order
    }
}

#[doc(hidden)]
pub fn random(seed: u64) -> Pcg64Mcg {
    // The generator's state must not be small numbers that differ in a few bits only.
    Pcg64Mcg::new(u128::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835))
}

#[cfg(test)]
mod tests {
    use giveway_core::NodeId;

    use super::*;

    fn ids<const N: usize>(ids: [u32; N]) -> Vec<AgentId> {
        ids.map(AgentId).to_vec()
    }

    #[test]
    fn orders_break_ties_by_id() {
        let agents: Vec<Agent> =
            [0, 5, 5, 1].map(|priority| Agent::new(NodeId(0), NodeId(1)).priority(priority)).to_vec();
        let distances = [Some(2), Some(1), Some(2), Some(1)];
        let arranged = |order: Order| order.arrange(&agents, &distances);
        assert_eq!(arranged(Order::AsGiven), ids([0, 1, 2, 3]));
        assert_eq!(arranged(Order::FarthestFirst), ids([0, 2, 1, 3]));
        assert_eq!(arranged(Order::NearestFirst), ids([1, 3, 0, 2]));
        assert_eq!(arranged(Order::NearestElseFarthest), ids([1, 3, 0, 2]));
        assert_eq!(arranged(Order::ByPriority), ids([1, 2, 3, 0]));
    }

    #[test]
    fn a_random_order_is_a_permutation_that_the_seed_decides() {
        let agents = vec![Agent::new(NodeId(0), NodeId(1)); 50];
        let arranged = |seed| Order::Random { seed }.arrange::<u32>(&agents, &[]);
        let mut sorted = arranged(1);
        assert_eq!(arranged(1), sorted);
        assert_ne!(arranged(1), arranged(2));
        sorted.sort_unstable();
        assert_eq!(sorted, Order::AsGiven.arrange::<u32>(&agents, &[]));
    }

    #[test]
    fn who_fails_goes_first_and_the_rest_keep_their_order() {
        let mut order = ids([3, 1, 0, 2]);
        Restart::FailedFirst { times: 1 }.reorder(&mut order, AgentId(0), 1, Promotion::First);
        assert_eq!(order, ids([0, 3, 1, 2]));
    }

    #[test]
    fn who_goes_up_halfway_is_the_first_in_the_end() {
        let mut order = ids([4, 1, 5, 3, 2, 0]);
        for expected in [[4, 1, 0, 5, 3, 2], [4, 0, 1, 5, 3, 2], [0, 4, 1, 5, 3, 2], [0, 4, 1, 5, 3, 2]] {
            Restart::FailedFirst { times: 1 }.reorder(&mut order, AgentId(0), 1, Promotion::Halfway);
            assert_eq!(order, ids(expected));
        }
    }
}
