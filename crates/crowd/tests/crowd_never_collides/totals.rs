//! Totals: how much was tried, so that the test cannot pass by trying nothing.

use std::collections::BTreeMap;

use giveway_crowd::{Report, Served};

use crate::crowd_never_collides::scenario::TRAITS;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Totals {
    pub(crate) runs: u64,
    pub(crate) agent_ticks: u64,
    pub(crate) moves: u64,
    pub(crate) stopped: u64,
    pub(crate) overridden: u64,
    pub(crate) promoted: u64,
    pub(crate) rolled_back: u64,
    pub(crate) pushed: u64,
    pub(crate) operations: u64,
    pub(crate) inheritances: u64,
    pub(crate) knots: u64,
    pub(crate) failed: u64,
    pub(crate) postponed: u64,
    pub(crate) unreachable: u64,
    pub(crate) arrived: u64,
    pub(crate) overlaps: u64,
    pub(crate) served: Served,
    pub(crate) refused: u64,
    pub(crate) explained: u64,
    pub(crate) cycles: u64,
    pub(crate) replayed: u64,
    /// How often each kind of call was accepted.
    pub(crate) calls: BTreeMap<&'static str, u64>,
    /// How many runs had each trait.
    pub(crate) traits: BTreeMap<&'static str, u64>,
}

impl Totals {
    pub(crate) fn note(&mut self, report: &Report) {
        self.stopped += report.stopped.len() as u64;
        self.overridden += report.overridden.len() as u64;
        self.promoted += report.promoted.len() as u64;
        self.rolled_back += u64::from(report.rolled_back);
        self.pushed += report.pushed.len() as u64;
        self.operations += report.operations;
        self.inheritances += report.inheritances;
        self.knots += report.knots.len() as u64;
        self.failed += report.failed.len() as u64;
        self.postponed += report.postponed.len() as u64;
        self.unreachable += report.unreachable.len() as u64;
        self.arrived += report.arrived.len() as u64;
        self.overlaps += report.overlaps as u64;
        self.served += report.served;
    }

    pub(crate) fn add(&mut self, other: &Self) {
        let sums = [
            (&mut self.runs, other.runs),
            (&mut self.agent_ticks, other.agent_ticks),
            (&mut self.moves, other.moves),
            (&mut self.stopped, other.stopped),
            (&mut self.overridden, other.overridden),
            (&mut self.promoted, other.promoted),
            (&mut self.rolled_back, other.rolled_back),
            (&mut self.pushed, other.pushed),
            (&mut self.operations, other.operations),
            (&mut self.inheritances, other.inheritances),
            (&mut self.knots, other.knots),
            (&mut self.failed, other.failed),
            (&mut self.postponed, other.postponed),
            (&mut self.unreachable, other.unreachable),
            (&mut self.arrived, other.arrived),
            (&mut self.overlaps, other.overlaps),
            (&mut self.refused, other.refused),
            (&mut self.explained, other.explained),
            (&mut self.cycles, other.cycles),
            (&mut self.replayed, other.replayed),
        ];
        self.served += other.served;
        sums.into_iter().for_each(|(sum, more)| *sum += more);
        for (own, others) in [(&mut self.calls, &other.calls), (&mut self.traits, &other.traits)] {
            others.iter().for_each(|(name, count)| *own.entry(name).or_default() += count);
        }
    }

    /// That enough has happened for `agent_ticks` agent-ticks to prove something.
    pub(crate) fn suffice(&self, agent_ticks: u64) {
        let least = |count: u64, of_a_million: u64, what: &str| {
            assert!(count >= of_a_million * agent_ticks / 1_000_000, "only {count} {what}: {self:#?}");
        };
        least(self.agent_ticks, 1_000_000, "agent-ticks");
        assert!(self.moves * 10 >= self.agent_ticks * 4, "only {} moves: {self:#?}", self.moves);
        least(self.stopped, 1000, "stops");
        least(self.overridden, 1000, "overrides");
        least(self.promoted, 1000, "promotions");
        least(self.rolled_back, 1000, "overrides that were taken back");
        least(self.pushed, 100, "pushed by PIBT");
        least(self.knots, 20, "knots");
        least(self.operations, 1000, "operations");
        least(self.inheritances, 100, "inheritances");
        least(self.failed, 1000, "failures");
        least(self.postponed, 1000, "postponed plans");
        least(self.unreachable, 100, "goals out of reach");
        least(self.arrived, 1000, "arrivals");
        least(self.refused, 500, "refusals");
        least(self.explained, 1000, "explanations");
        least(self.cycles, 20, "cycles");
        least(self.replayed, 100_000, "replayed agent-ticks");
        for call in ["add", "remove", "send", "send shared", "send along", "set priority", "stop", "place"] {
            least(self.calls.get(call).copied().unwrap_or(0), 500, call);
        }
        for name in TRAITS {
            assert!(self.traits.get(name).is_some_and(|runs| *runs >= 2), "hardly any run was {name}: {self:#?}");
        }
    }
}
