//! Between the text of a plan and plans of paths.

use giveway_core::{Agent, AtEnd, Cost, Goals, Motion, Move, NodeId, Path, PathIn, PlanIn, SpaceGraph, Step};
use giveway_spaces::{Direction, Grid};

use super::contents::{Origin, PlanText};
use crate::file_error::FileError;

/// The lines of a plan's text that are not computed from the paths.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PlanHeader {
    /// The map's file name.
    pub map_file: String,
    /// The solver that found the plan.
    pub solver: String,
    /// Whether every agent arrives.
    pub solved: bool,
}

impl PlanText {
    /// The text of a plan of `agents` on `grid`, up to the tick at which the last agent arrives.
    ///
    /// All moves should take one tick. During a longer move, the text shows the agent on the node where the move began.
    /// If an agent has several goals, the text names the goal at the end of its path; if the path does not end on a
    /// goal, the goal with the smallest id. If the plan is not solved, the sum of costs and the makespan are left out.
    /// In the text, an agent that disappears at its goal stays on its goal.
    pub fn from_plan(grid: &Grid, agents: &[Agent], plan: &PlanIn<Grid>, header: PlanHeader) -> Self {
        let goal = |(agent, path): (&Agent, &PathIn<Grid>)| {
            let end = path.end();
            match agent.goals.nodes().first() {
                Some(first) if !agent.goals.contains(end) => *first,
                _ => end,
            }
        };
        let cells = |nodes: &mut dyn Iterator<Item = NodeId>| nodes.map(|node| grid.xy(node)).collect();
        let PlanHeader { map_file, solver, solved } = header;
        Self {
            agents: plan.paths.len(),
            map_file: Some(map_file),
            solver: Some(solver),
            solved: Some(solved),
            soc: solved.then(|| plan.sum_of_costs()),
            makespan: solved.then(|| plan.makespan()),
            starts: Some(cells(&mut plan.paths.iter().map(|path| path.start))),
            goals: Some(cells(&mut agents.iter().zip(&plan.paths).map(goal))),
            solution: (0..=plan.makespan())
                .map(|tick| cells(&mut plan.paths.iter().map(|path| path.node_at(tick))))
                .collect(),
            origin: Origin { file: "plan".into(), starts: None, goals: None, solution: None },
        }
    }

    /// The plan as paths on `grid`, for a checker; this method does not check whether the plan is valid.
    ///
    /// A step that is not a move of `grid` becomes a [`Move`], too: from the agent's cell to its next cell, at the cost
    /// of a plain step, with the nearest straight direction. A checker reports such a move, because the grid does not
    /// have it. A path may lead through walls; a checker reports that, too.
    ///
    /// Waits before the last move cost a plain step per tick. Waits after the last move are left out of the path.
    /// Without a solution, agents stand at their starts.
    ///
    /// # Errors
    /// A cell is not on the grid; or a list does not have the length `agents`, which can happen if the public fields
    /// were changed.
    pub fn to_plan(&self, grid: &Grid) -> Result<PlanIn<Grid>, FileError> {
        let mut ticks = self.solution.iter().zip(0_u32..);
        let (mut here, line) = match ticks.next() {
            Some((cells, _)) => (self.nodes(grid, cells, self.line_of(0))?, self.line_of(0)),
            None => {
                let starts = self.starts.as_deref().unwrap_or_default();
                (self.nodes(grid, starts, self.origin.starts)?, self.origin.starts)
            }
        };
        self.all_agents(here.len(), line)?;
        let mut paths: Vec<PathIn<Grid>> = here.iter().map(|start| Path::standing(*start, 0, AtEnd::Stay)).collect();
        for (cells, tick) in ticks {
            let next = self.nodes(grid, cells, self.line_of(tick))?;
            self.all_agents(next.len(), self.line_of(tick))?;
            for (path, (from, to)) in paths.iter_mut().zip(here.iter().zip(&next)) {
                if from != to {
                    append(grid, path, *from, *to, tick);
                }
            }
            here = next;
        }
        Ok(PlanIn::<Grid> { paths })
    }

    /// The agents of the plan, on `grid`. Starts and goals come from `starts=` and `goals=`. If such a line is missing,
    /// they come from the first and the last tick of the solution.
    ///
    /// The agents may not make a valid instance: for example, a start may be a wall.
    ///
    /// # Errors
    /// As for [`to_plan`](Self::to_plan).
    pub fn to_agents(&self, grid: &Grid) -> Result<Vec<Agent>, FileError> {
        let origin = &self.origin;
        let last = u32::try_from(self.solution.len().saturating_sub(1)).unwrap_or(u32::MAX);
        let listed = |list: &Option<Vec<(u32, u32)>>, line, tick: Option<&Vec<_>>, tick_line| {
            let (cells, line) = match (list, tick) {
                (Some(cells), _) => (cells.as_slice(), line),
                (None, Some(cells)) => (cells.as_slice(), tick_line),
                (None, None) => (&[][..], None),
            };
            self.all_agents(cells.len(), line)?;
            self.nodes(grid, cells, line)
        };
        let starts = listed(&self.starts, origin.starts, self.solution.first(), self.line_of(0))?;
        let goals = listed(&self.goals, origin.goals, self.solution.last(), self.line_of(last))?;
        let agents = starts.into_iter().zip(goals);
        Ok(agents.map(|(start, goal)| Agent::new(start, Goals::one(goal))).collect())
    }

    fn line_of(&self, tick: u32) -> Option<usize> {
        let ticks = usize::try_from(tick).ok()?;
        self.origin.solution?.checked_add(1)?.checked_add(ticks)
    }

    fn all_agents(&self, found: usize, line: Option<usize>) -> Result<(), FileError> {
        if found == self.agents {
            return Ok(());
        }
        let expected = format!("the cells of {} agents", self.agents);
        Err(FileError::expected(&self.origin.file, expected, found).at_line(line))
    }

    fn nodes(&self, grid: &Grid, cells: &[(u32, u32)], line: Option<usize>) -> Result<Vec<NodeId>, FileError> {
        let node = |(agent, (x, y)): (usize, &(u32, u32))| {
            grid.node(*x, *y).ok_or_else(|| {
                let (width, height) = (grid.width(), grid.height());
                let expected = format!("agent {agent} on the {width} x {height} map");
                FileError::expected(&self.origin.file, expected, format_args!("({x},{y})")).at_line(line)
            })
        };
        cells.iter().enumerate().map(node).collect()
    }
}

/// Appends to `path` the wait at `from`, and the step to another cell that ends at tick `arrive`.
fn append(grid: &Grid, path: &mut PathIn<Grid>, from: NodeId, to: NodeId, arrive: u32) {
    let depart = arrive.saturating_sub(1);
    let free_since = path.steps.last().map_or(path.depart, |step| step.arrive);
    let waited = depart.saturating_sub(free_since);
    if waited > 0 {
        path.push_rest(from, free_since, waited);
        path.cost = path.cost.plus(u32::STEP.times(waited));
    }
    let step = grid.moves(from).find(|m| m.to == to).unwrap_or_else(|| jump(grid, from, to));
    path.cost = path.cost.plus(step.cost);
    path.steps.push(Step { motion: Motion::Move(step), depart, arrive });
}

/// A move that `grid` does not have.
fn jump(grid: &Grid, from: NodeId, to: NodeId) -> Move<Direction, u32> {
    let ((from_x, from_y), (to_x, to_y)) = (grid.xy(from), grid.xy(to));
    let action = if from_x.abs_diff(to_x) >= from_y.abs_diff(to_y) {
        if to_x > from_x { Direction::East } else { Direction::West }
    } else if to_y > from_y {
        Direction::South
    } else {
        Direction::North
    };
    Move { from, to, action, cost: u32::STEP, length: 1.0 }
}
