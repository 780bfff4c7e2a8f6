//! A watched search for one agent after the other, shared by the strategies for instances.

use giveway_core::heuristic::HeuristicSource;
use giveway_core::{
    Agent, CostLayer, Footprint, Fuel, Goals, Heuristic, NoPath, NodeId, PathIn, Query, ReservationStore, Scene,
    SpaceGraph, SpaceTimeSearch, Suspended,
};

use crate::no_plan::NoPlan;
use crate::watch::{Progress, Watch};

/// The expansions between two looks at the watch.
const FUEL_BETWEEN_LOOKS: u64 = 4096;

/// The agents whose distances may be found at once, on several threads, between two looks at the watch.
const AGENTS_BETWEEN_LOOKS: usize = 64;

/// A space-time search, and its progress so far.
pub(crate) struct WatchedSearch<'w, S: SpaceGraph> {
    search: SpaceTimeSearch<S::Action, S::Cost>,
    watch: &'w mut dyn Watch,
    /// Whether the watch has said no; it is not asked again.
    stopped: bool,
    /// The rounds of planning begun so far.
    pub(crate) rounds: u32,
    /// The agents that have a path in this round.
    planned: usize,
    agents: usize,
    /// The states expanded in all rounds.
    pub(crate) expansions: u64,
}

impl<'w, S: SpaceGraph> WatchedSearch<'w, S> {
    pub(crate) fn new(agents: usize, watch: &'w mut dyn Watch) -> Self {
        Self { search: SpaceTimeSearch::new(), watch, stopped: false, rounds: 0, planned: 0, agents, expansions: 0 }
    }

    /// Planning begins, or begins again.
    pub(crate) fn begin_round(&mut self) {
        self.rounds += 1;
        self.planned = 0;
    }

    /// Asks the watch. A stop is final.
    pub(crate) fn go_on(&mut self) -> Result<(), NoPlan> {
        let Self { rounds: round, planned, agents, expansions, .. } = *self;
        let progress = Progress::Planning { round, planned, agents, expansions };
        self.stopped = self.stopped || !self.watch.go_on(&progress);
        if self.stopped { Err(NoPlan::Stopped) } else { Ok(()) }
    }

    /// The estimate of each agent's start; `None`: its goals cannot be reached.
    pub(crate) fn distances(
        &mut self,
        space: &S,
        agents: &[Agent],
        heuristics: &mut impl HeuristicSource<S>,
    ) -> Result<Vec<Option<S::Cost>>, NoPlan> {
        let mut distances = Vec::with_capacity(agents.len());
        for agents in agents.chunks(AGENTS_BETWEEN_LOOKS) {
            let asks: Vec<(&Goals, NodeId)> = agents.iter().map(Agent::ask).collect();
            let before = heuristics.reverse_expanded();
            heuristics.prepare(space, &asks);
            if heuristics.reverse_expanded() > before {
                self.go_on()?;
            }
            for agent in agents {
                distances.push(self.distance(space, agent, heuristics)?);
            }
        }
        Ok(distances)
    }

    /// The estimate of the start of `agent`; `None`: its goals cannot be reached.
    fn distance<H: HeuristicSource<S>>(
        &mut self,
        space: &S,
        agent: &Agent,
        heuristics: &mut H,
    ) -> Result<Option<S::Cost>, NoPlan> {
        loop {
            let fuel = &mut Fuel::work(FUEL_BETWEEN_LOOKS);
            let found = heuristics.heuristic(space, &agent.goals, agent.start).estimate(space, agent.start, fuel);
            match found {
                Ok(distance) => return Ok(distance),
                Err(why) => self.look_or_make_room(why, &agent.goals, heuristics)?,
            }
        }
    }

    /// Asks the watch after a search for `goals` was suspended. If memory was short, gives up the distances of other
    /// agents.
    fn look_or_make_room<H: HeuristicSource<S>>(
        &mut self,
        why: Suspended,
        goals: &Goals,
        heuristics: &mut H,
    ) -> Result<(), NoPlan> {
        if why == Suspended::OutOfMemory {
            heuristics.keep_only(&mut |other| other == goals);
        }
        self.go_on()
    }

    /// The path through `scene` for `query`.
    pub(crate) fn path<F: Footprint<S>, R: ReservationStore, L: CostLayer<S>>(
        &mut self,
        scene: &Scene<'_, S, F, R, L>,
        query: Query<S::Cost>,
        heuristics: &mut impl HeuristicSource<S>,
    ) -> Result<PathIn<S>, NoPlan> {
        if self.stopped {
            return Err(NoPlan::Stopped);
        }
        let (goals, start) = (query.goals.clone(), query.start);
        self.search.begin(query);
        let expanded_before = self.expansions;
        let result = loop {
            let fuel = &mut Fuel::work(FUEL_BETWEEN_LOOKS);
            let result =
                self.search.advance(scene, &mut heuristics.heuristic(scene.space, &goals, start), fuel, &mut ());
            self.expansions = expanded_before + self.search.expanded();
            match result {
                Ok(path) => break Ok(path),
                Err(NoPath::Suspended(why)) => self.look_or_make_room(why, &goals, heuristics)?,
                Err(why) => break Err(why.into()),
            }
        };
        if result.is_ok() {
            self.planned += 1;
            // The path is found; a stop concerns only later agents.
            let _ = self.go_on();
        }
        result
    }
}
