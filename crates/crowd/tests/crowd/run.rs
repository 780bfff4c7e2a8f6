//! A crowd that is watched: where everyone was at each tick, checked when it is over.

use std::collections::BTreeMap;

use giveway_check::Checker;
use giveway_core::heuristic::HeuristicSource;
use giveway_core::{
    Agent, AgentId, AtEnd, ConflictRule, Footprint, Goals, Motion, NodeId, Path, PathIn, Plan, SpaceGraph, Step,
    SyncSpace, Tick,
};
use giveway_crowd::{Budget, Class, ClassId, Crowd, CrowdSettings, Report};
use giveway_spaces::Grid;

use crate::world::{World, point};

/// A crowd on a grid, and what it has done.
pub(crate) struct Run<'a> {
    pub(crate) crowd: Crowd<'a>,
    pub(crate) class: ClassId,
    pub(crate) grid: &'a Grid,
    rule: ConflictRule,
    /// The nodes of each agent since `since`.
    tracks: BTreeMap<AgentId, Vec<NodeId>>,
    since: Tick,
}

impl<'a> Run<'a> {
    pub(crate) fn empty(grid: &'a Grid, rule: ConflictRule, settings: CrowdSettings) -> Self {
        Self::of_class(grid, rule, settings, Class::new(grid, point(grid, rule)))
    }

    /// A crowd of units of `class`, in the space of `grid`.
    pub(crate) fn of_class<S, F, H>(
        grid: &'a Grid,
        rule: ConflictRule,
        settings: CrowdSettings,
        class: Class<'a, S, F, H>,
    ) -> Self
    where
        S: SyncSpace + 'a,
        F: Footprint<S> + Send + Sync + 'a,
        H: HeuristicSource<S> + Clone + Send + Sync + 'a,
    {
        let mut crowd = Crowd::new(settings);
        let class = crowd.add_class(class).unwrap();
        Self { crowd, class, grid, rule, tracks: BTreeMap::new(), since: 0 }
    }

    pub(crate) fn of(world: &'a World, settings: CrowdSettings) -> Self {
        Self::under(ConflictRule::Swap, world, settings)
    }

    pub(crate) fn under(rule: ConflictRule, world: &'a World, settings: CrowdSettings) -> Self {
        let mut run = Self::empty(&world.grid, rule, settings);
        for agent in &world.agents {
            run.crowd.add(run.class, agent.clone()).unwrap();
        }
        run
    }

    pub(crate) fn at(&self, x: u32, y: u32) -> NodeId {
        self.grid.node(x, y).unwrap()
    }

    pub(crate) fn xy(&self, agent: u32) -> (u32, u32) {
        self.grid.xy(self.crowd.node(AgentId(agent)).unwrap())
    }

    /// The ticks at which `agent` was not on `(x, y)`, since the last break.
    pub(crate) fn away_from(&self, agent: u32, x: u32, y: u32) -> Vec<Tick> {
        let track = &self.tracks[&AgentId(agent)];
        let away = track.iter().zip(self.since..).filter(|(node, _)| **node != self.at(x, y));
        away.map(|(_, tick)| tick).collect()
    }

    pub(crate) fn tick(&mut self) -> Report {
        self.tick_within(Budget::unlimited())
    }

    pub(crate) fn tick_within(&mut self, budget: Budget) -> Report {
        let agents: Vec<AgentId> = self.crowd.agents().collect();
        if !self.tracks.keys().eq(agents.iter()) {
            self.check();
        }
        if self.tracks.is_empty() {
            self.since = self.crowd.now();
            self.tracks = agents.iter().map(|agent| (*agent, vec![self.crowd.node(*agent).unwrap()])).collect();
        }
        let report = self.crowd.tick(budget);
        for (agent, track) in &mut self.tracks {
            track.push(self.crowd.node(*agent).unwrap());
        }
        report
    }

    /// Lets ticks go by until everyone stands where it wants to be; fails after `most`.
    pub(crate) fn until_rest(&mut self, most: Tick) -> Vec<Report> {
        let mut reports = Vec::new();
        while !self.crowd.is_at_rest() {
            assert!(self.crowd.now() < most, "not at rest by tick {most}: {:?}", self.crowd);
            reports.push(self.tick());
        }
        self.check();
        reports
    }

    /// Passes what was done since the last break to the checker, and begins anew: agents come, go or leap next.
    pub(crate) fn check(&mut self) {
        let path = |track: &Vec<NodeId>| {
            let mut path: PathIn<Grid> = Path::standing(track[0], 0, AtEnd::Stay);
            for (step, tick) in track.windows(2).zip(0..) {
                match self.grid.moves(step[0]).find(|m| m.to == step[1]) {
                    Some(m) => path.steps.push(Step { motion: Motion::Move(m), depart: tick, arrive: tick + 1 }),
                    None => {
                        assert_eq!(step[0], step[1], "no move leads there");
                        path.push_rest(step[0], tick, 1);
                    }
                }
            }
            path
        };
        let paths: Vec<PathIn<Grid>> = self.tracks.values().map(path).collect();
        let agents: Vec<Agent> = paths.iter().map(|path| Agent::new(path.start, Goals::one(path.end()))).collect();
        let violations = Checker::new(self.grid, self.rule).with_crossings().check(&agents, &Plan { paths });
        let named: Vec<String> = violations.iter().map(ToString::to_string).collect();
        assert!(named.is_empty(), "{named:#?}");
        self.tracks.clear();
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.check();
        }
    }
}

impl Run<'_> {
    pub(crate) fn grid_position(&self, x: u32, y: u32) -> [f32; 3] {
        giveway_core::Embedding::position(self.grid, self.at(x, y))
    }
}
