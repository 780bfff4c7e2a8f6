//! The order of each round: how the first order changes when an agent finds no path.

use giveway_core::{Agent, AgentId};

use crate::order::{Order, Promotion, Restart};

/// The number of failing rounds after which the first turn ends, unless it has ended before.
///
/// On benchmark sets that nearest first solves well, it takes up to 25 rounds.
const ROUNDS_OF_FIRST_TURN: u32 = 32;

/// The expansions per agent after which the first turn ends, unless it has ended before.
///
/// On benchmark sets that nearest first solves well, it expands up to 36 000 states per agent. Where nearest first
/// fails, farthest first solves all within 30 000.
const EXPANSIONS_OF_FIRST_TURN: u64 = 50_000;

/// The orders in which an instance is planned; they take turns.
#[derive(Debug)]
pub(crate) struct Attempts {
    restart: Restart,
    /// The restarts so far.
    restarts: u32,
    /// One order, or two that take turns, the present one first.
    orders: Vec<Candidate>,
    turn: Turn,
}

/// An order, as its last round left it.
#[derive(Debug)]
struct Candidate {
    agents: Vec<AgentId>,
    promotion: Promotion,
}

/// How long an order may go on failing before the other order gets its turn.
#[derive(Clone, Copy, Debug)]
struct Turn {
    rounds: u32,
    rounds_left: u32,
    expansions: u64,
    expansions_left: u64,
}

impl Turn {
    fn of(rounds: u32, expansions: u64) -> Self {
        Self { rounds, rounds_left: rounds, expansions, expansions_left: expansions }
    }

    /// The next turn, of the other order, with twice the limits.
    fn twice(self) -> Self {
        Self::of(self.rounds.saturating_mul(2), self.expansions.saturating_mul(2))
    }

    /// Counts a failing round of `expansions` expansions. Returns whether the turn has ended.
    fn spend(&mut self, expansions: u64) -> bool {
        self.rounds_left = self.rounds_left.saturating_sub(1);
        self.expansions_left = self.expansions_left.saturating_sub(expansions);
        self.rounds_left == 0 || self.expansions_left == 0
    }
}

impl Attempts {
    /// `order` and `restart` for `agents`, whose distances to their goals are `distances`; `None`: unreachable.
    pub(crate) fn new<C: Ord + Copy>(
        order: Order,
        restart: Restart,
        agents: &[Agent],
        distances: &[Option<C>],
    ) -> Self {
        let arranged = |order: Order, promotion| Candidate { agents: order.arrange(agents, distances), promotion };
        let mut orders = vec![arranged(order, Promotion::First)];
        if let (Order::NearestElseFarthest, Restart::FailedFirst { .. }) = (order, restart) {
            // The turn of farthest first comes when many agents fail one after the other. If each of them went first,
            // little would be left of the order: plans would cost more, and agents that were first before would fail.
            orders.push(arranged(Order::FarthestFirst, Promotion::Halfway));
        }
        let expansions = EXPANSIONS_OF_FIRST_TURN.saturating_mul(agents.len() as u64);
        Self { restart, restarts: 0, orders, turn: Turn::of(ROUNDS_OF_FIRST_TURN, expansions) }
    }

    /// The order of the present round.
    pub(crate) fn order(&self) -> &[AgentId] {
        self.orders.first().map_or(&[], |order| &order.agents)
    }

    /// Whether the present round is the last one.
    pub(crate) fn is_last(&self) -> bool {
        self.restarts >= self.restart.times()
    }

    /// Drops all agents that are not `kept`.
    pub(crate) fn retain(&mut self, kept: &dyn Fn(AgentId) -> bool) {
        for order in &mut self.orders {
            order.agents.retain(|agent| kept(*agent));
        }
    }

    /// Begins the next round. In the round before, which took `expansions`, `failed` found no path.
    pub(crate) fn again(&mut self, failed: AgentId, expansions: u64) {
        self.restarts += 1;
        if let Some(order) = self.orders.first_mut() {
            self.restart.reorder(&mut order.agents, failed, self.restarts, order.promotion);
        }
        if self.orders.len() > 1 && self.turn.spend(expansions) {
            self.orders.rotate_left(1);
            self.turn = self.turn.twice();
        }
    }
}

#[cfg(test)]
mod tests {
    use giveway_core::NodeId;

    use super::*;

    fn attempts(order: Order, restart: Restart) -> Attempts {
        let agents = vec![Agent::new(NodeId(0), NodeId(1)); 3];
        Attempts::new(order, restart, &agents, &[Some(1), Some(3), Some(2)])
    }

    fn ids<const N: usize>(ids: [u32; N]) -> Vec<AgentId> {
        ids.map(AgentId).to_vec()
    }

    /// The number of failing rounds of `expansions` each after which each turn ends.
    fn turns(expansions: u64) -> Vec<u32> {
        let mut attempts = attempts(Order::NearestElseFarthest, Restart::FailedFirst { times: 300 });
        let mut ends = Vec::new();
        while !attempts.is_last() {
            // The first agent fails: neither order changes.
            let before = attempts.order().to_vec();
            attempts.again(before[0], expansions);
            if attempts.order() != before {
                ends.push(attempts.restarts);
            }
        }
        ends
    }

    #[test]
    fn turns_end_by_rounds_or_by_expansions_and_double() {
        assert_eq!(turns(0), [32, 32 + 64, 32 + 64 + 128]);
        // Three agents: 150 000 in the first turn.
        assert_eq!(turns(15_000), [10, 10 + 20, 10 + 20 + 40, 10 + 20 + 40 + 80]);
        assert_eq!(turns(150_000)[..3], [1, 1 + 2, 1 + 2 + 4]);
    }

    #[test]
    fn each_order_goes_on_from_where_it_was() {
        let mut attempts = attempts(Order::NearestElseFarthest, Restart::FailedFirst { times: 300 });
        assert_eq!(attempts.order(), ids([0, 2, 1]));
        // Nearest first: an agent that fails goes first.
        attempts.again(AgentId(1), u64::MAX);
        assert_eq!(attempts.order(), ids([1, 2, 0]));
        // Farthest first: an agent that fails goes up halfway, and has the first place in two turns.
        for order in [[1, 0, 2], [0, 1, 2]] {
            attempts.again(AgentId(0), 0);
            assert_eq!(attempts.order(), ids(order));
        }
        attempts.again(AgentId(0), u64::MAX);
        assert_eq!(attempts.order(), ids([1, 0, 2]));
        attempts.retain(&|agent| agent != AgentId(0));
        assert_eq!(attempts.order(), ids([1, 2]));
        attempts.again(AgentId(2), u64::MAX);
        assert_eq!(attempts.order(), ids([1, 2]));
    }

    #[test]
    fn an_order_that_was_asked_for_is_the_only_one() {
        let restart = Restart::FailedFirst { times: 300 };
        for (order, first) in [(Order::NearestFirst, [0, 2, 1]), (Order::FarthestFirst, [1, 2, 0])] {
            let mut attempts = attempts(order, restart);
            for _ in 0..300 {
                assert_eq!(attempts.order(), ids(first));
                assert!(!attempts.is_last());
                attempts.again(AgentId(first[0]), u64::MAX);
            }
            assert!(attempts.is_last());
        }
    }
}
