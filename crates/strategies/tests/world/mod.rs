//! Worlds as pictures, in any cost type, and the check that every plan goes through.
//!
//! `A`..`N` are starts, `a`..`n` the goals of the same agents; an agent without a goal in the picture wants to stay.

#![allow(dead_code)] // each test file takes what it needs

use std::marker::PhantomData;

use approx::relative_eq;
use giveway_check::Checker;
use giveway_core::{
    Agent, ConflictRule, Cost, Embedding, Facts, Goals, Move, NodeId, PathIn, Plan, Point, SpaceGraph, Tick,
};
use giveway_spaces::{Connectivity, CornerCutting, Direction, Grid};
use giveway_strategies::{Instance, SolutionIn};
use ordered_float::OrderedFloat;

/// A cost type that can be told in thousandths of a step.
pub(crate) trait Price: Cost {
    fn thousandths(count: u32) -> Self;
}

impl Price for u32 {
    fn thousandths(count: u32) -> Self {
        count
    }
}

impl Price for u64 {
    fn thousandths(count: u32) -> Self {
        Self::from(count)
    }
}

impl Price for OrderedFloat<f64> {
    fn thousandths(count: u32) -> Self {
        Self(f64::from(count) / 1000.0)
    }
}

/// A cost in steps.
pub(crate) fn steps<C: Cost>(cost: C) -> f64 {
    cost.to_f64().unwrap() / C::STEP.to_f64().unwrap()
}

/// Whether two costs in steps are the same, but for the rounding of sums.
pub(crate) fn same(a: f64, b: f64) -> bool {
    relative_eq!(a, b, epsilon = 1e-9, max_relative = 1e-9)
}

/// The grid with another cost type, with or without its knowledge of the moves into a cell.
#[derive(Clone, Debug)]
pub(crate) struct Priced<C> {
    pub(crate) grid: Grid,
    pub(crate) tells_inverse: bool,
    cost: PhantomData<C>,
}

impl<C> Priced<C> {
    pub(crate) fn new(grid: Grid) -> Self {
        Self { grid, tells_inverse: true, cost: PhantomData }
    }

    pub(crate) fn without_inverse(self) -> Self {
        Self { tells_inverse: false, ..self }
    }
}

fn reprice<C: Price>(m: Move<Direction, u32>) -> Move<Direction, C> {
    Move { from: m.from, to: m.to, action: m.action, cost: C::thousandths(m.cost), length: m.length }
}

impl<C: Price> SpaceGraph for Priced<C> {
    type Action = Direction;
    type Cost = C;

    fn node_bound(&self) -> usize {
        self.grid.node_bound()
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<Direction, C>> {
        self.grid.moves(from).map(reprice)
    }

    fn moves_into(&self, to: NodeId) -> Option<impl Iterator<Item = Move<Direction, C>>> {
        let inverse = self.tells_inverse.then(|| self.grid.moves_into(to))?;
        inverse.map(|moves| moves.map(reprice))
    }

    fn contains(&self, node: NodeId) -> bool {
        self.grid.contains(node)
    }

    fn facts(&self) -> Facts<'_, C> {
        let Facts { uniform_cost, uniform_length: _, step, crossing_bound, period, origins: _ } = self.grid.facts();
        let uniform_cost = uniform_cost.map(C::thousandths);
        Facts { uniform_cost, uniform_length: None, step, crossing_bound, period, origins: None }
    }

    fn crossing(&self, m: &Move<Direction, C>) -> Option<u32> {
        let m = self.grid.moves(m.from).find(|known| known.action == m.action)?;
        self.grid.crossing(&m)
    }

    fn revision(&self) -> u64 {
        self.grid.revision()
    }
}

impl<C: Price> Embedding for Priced<C> {
    fn position(&self, node: NodeId) -> [f32; 3] {
        self.grid.position(node)
    }
}

/// A map, and the agents with their goals on it.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) grid: Grid,
    pub(crate) agents: Vec<Agent>,
}

/// Starts and goals in one picture.
pub(crate) fn picture<const N: usize>(rows: [&str; N]) -> World {
    pictures(rows, rows)
}

/// Starts in one picture and goals in another.
pub(crate) fn pictures<const N: usize>(starts: [&str; N], goals: [&str; N]) -> World {
    let grid = Grid::from_ascii(&starts.join("\n")).unwrap();
    let find = |rows: [&str; N], letter: char| {
        let row = rows.iter().position(|row| row.contains(letter))?;
        let (x, y) = (rows[row].find(letter)?, row);
        grid.node(u32::try_from(x).ok()?, u32::try_from(y).ok()?)
    };
    let agents = ('A'..='N').map_while(|letter| {
        let start = find(starts, letter)?;
        Some(Agent::new(start, find(goals, letter.to_ascii_lowercase()).unwrap_or(start)))
    });
    World { agents: agents.collect(), grid }
}

impl World {
    /// This map with eight neighbours.
    pub(crate) fn eight(self, corners: CornerCutting) -> Self {
        let grid = self.grid.with_connectivity(Connectivity::Eight).with_corner_cutting(corners);
        Self { grid, ..self }
    }

    /// These agents in reverse order.
    pub(crate) fn reversed(mut self) -> Self {
        self.agents.reverse();
        self
    }

    /// Lets `solve` make a solution under `rule`, which is checked.
    pub(crate) fn solve<D>(
        &self,
        rule: ConflictRule,
        solve: impl FnOnce(&Instance<'_, Grid, Point>) -> SolutionIn<Grid, D>,
    ) -> SolutionIn<Grid, D> {
        let point = point(&self.grid, rule);
        let solution = solve(&Instance::new(&self.grid, &point, self.agents.clone()).unwrap());
        assert_legal(&self.grid, rule, &self.agents, &solution);
        solution
    }

    /// The cells through which `path` goes, from tick to tick, as "x,y".
    pub(crate) fn cells(&self, path: &PathIn<Grid>) -> Vec<(u32, u32)> {
        (0..=path.arrival()).map(|tick| self.grid.xy(path.node_at(tick))).collect()
    }
}

/// A point under `rule`.
pub(crate) fn point(space: &impl SpaceGraph, rule: ConflictRule) -> Point {
    match rule {
        ConflictRule::Swap => Point::swap_rule(space),
        ConflictRule::Following => Point::following_rule(space),
    }
}

/// The tick at which each agent arrives for good.
pub(crate) fn arrivals<A: Copy, C: Cost>(plan: &Plan<A, C>) -> Vec<Tick> {
    plan.paths.iter().map(giveway_core::Path::arrival).collect()
}

/// Panics unless the agents that have a path obey `rule`, and everyone has a path or a reason why not.
pub(crate) fn assert_legal<S: Embedding, D>(
    space: &S,
    rule: ConflictRule,
    agents: &[Agent],
    solution: &SolutionIn<S, D>,
) {
    let unplanned: Vec<usize> = solution.unplanned.iter().map(|none| none.agent.index()).collect();
    assert!(unplanned.is_sorted_by(|a, b| a < b), "{unplanned:?}");
    assert_eq!(solution.plan.paths.len(), agents.len());
    for index in &unplanned {
        assert_eq!(solution.plan.paths[*index].start, agents[*index].start);
        assert_eq!(solution.plan.paths[*index].steps, []);
    }
    let planned = || (0..agents.len()).filter(|index| !unplanned.contains(index));
    let checker = Checker::new(space, rule).with_crossings();
    let violations = checker.check(
        &planned().map(|index| agents[index].clone()).collect::<Vec<_>>(),
        &Plan { paths: planned().map(|index| solution.plan.paths[index].clone()).collect() },
    );
    let named: Vec<String> = violations.iter().map(ToString::to_string).collect();
    assert!(named.is_empty(), "{named:#?}\nin {:?}", solution.plan);
}

/// Panics if a path that begins at tick 0 or later breaks a rule, alone or with the `others`.
pub(crate) fn assert_paths_legal<S: SpaceGraph>(checker: &Checker<'_, S>, begin: Tick, paths: &[PathIn<S>]) {
    let mut paths = paths.to_vec();
    for path in &mut paths {
        path.depart -= begin;
        for step in &mut path.steps {
            step.depart -= begin;
            step.arrive -= begin;
        }
    }
    let agents: Vec<Agent> = paths.iter().map(|path| Agent::new(path.start, Goals::one(path.end()))).collect();
    let violations = checker.check(&agents, &Plan { paths });
    let named: Vec<String> = violations.iter().map(ToString::to_string).collect();
    assert!(named.is_empty(), "{named:#?}");
}
