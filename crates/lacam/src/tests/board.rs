//! A field for tests: units on a small grid, and outsiders that stay where they are.

use std::collections::VecDeque;

use giveway_core::{CellId, ConflictRule, Entry, FOREVER, Fuel, NodeId, SpaceGraph, Span, Suspended};
use giveway_spaces::Grid;

use crate::{Field, Step};

/// The conflicts of two units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    /// End on a common cell, or exchange places. For units of one cell.
    Swap,
    /// Have a cell in common, of all that they cover before or after the step.
    Following,
}

#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) start: NodeId,
    pub(super) goals: Vec<NodeId>,
}

#[derive(Clone, Debug)]
pub(super) struct Board {
    pub(super) grid: Grid,
    pub(super) rule: Rule,
    /// How many cells a unit covers, from its node to the right.
    pub(super) width: u32,
    pub(super) units: Vec<Unit>,
    /// The cells of agents outside the knot.
    pub(super) outsiders: Vec<NodeId>,
    /// Steps from each cell to the goals, by unit.
    distances: Vec<Vec<Option<u32>>>,
}

impl Board {
    pub(super) fn new(grid: Grid, rule: Rule, width: u32, units: Vec<Unit>, outsiders: Vec<NodeId>) -> Self {
        let mut board = Self { grid, rule, width, units, outsiders, distances: Vec::new() };
        board.distances = (0..board.units.len()).map(|unit| board.flood(unit)).collect();
        board
    }

    /// Capital letters are starts, small ones goals; `@` is a wall.
    pub(super) fn pictures(starts: &[&str], goals: &[&str]) -> Self {
        let grid = Grid::from_ascii(&starts.join("\n")).unwrap();
        let find = |rows: &[&str], letter: char| -> Vec<NodeId> {
            let rows = (0..).zip(rows);
            let cells = rows.flat_map(|(y, row)| (0..).zip(row.chars()).map(move |(x, found)| (x, y, found)));
            cells.filter(|cell| cell.2 == letter).map(|(x, y, _)| grid.node(x, y).unwrap()).collect()
        };
        let units = ('A'..='N')
            .filter_map(|letter| {
                let start = *find(starts, letter).first()?;
                Some(Unit { start, goals: find(goals, letter.to_ascii_lowercase()) })
            })
            .collect();
        Self::new(grid, Rule::Swap, 1, units, Vec::new())
    }

    pub(super) fn rule(mut self, rule: Rule) -> Self {
        self.rule = rule;
        self
    }

    pub(super) fn wide(self, width: u32) -> Self {
        Self::new(self.grid, Rule::Following, width, self.units, self.outsiders)
    }

    /// An outsider in the cell at `(x, y)`.
    pub(super) fn outsider(mut self, (x, y): (u32, u32)) -> Self {
        self.outsiders.push(self.grid.node(x, y).unwrap());
        self
    }

    /// The units in the opposite order.
    pub(super) fn reversed(mut self) -> Self {
        self.units.reverse();
        self.distances.reverse();
        self
    }

    /// The cells of a unit on `node`, or `None` if it does not fit there.
    pub(super) fn covered(&self, node: NodeId) -> Option<Vec<NodeId>> {
        let (x, y) = self.grid.xy(node);
        (0..self.width).map(|right| self.grid.node(x + right, y).filter(|cell| self.grid.contains(*cell))).collect()
    }

    pub(super) fn neighbours(&self, from: NodeId) -> Vec<(NodeId, u32)> {
        let moves = (0..).zip(self.grid.moves(from)).map(|(position, m)| (m.to, position));
        moves.filter(|(to, _)| self.covered(*to).is_some()).collect()
    }

    /// Whether an outsider is where `step`, a move, leads.
    pub(super) fn is_outside(&self, step: Step) -> bool {
        step.action.is_some() && self.covered(step.to).unwrap().iter().any(|cell| self.outsiders.contains(cell))
    }

    /// Whether two units cannot take these steps at the same time.
    pub(super) fn conflict(&self, a: &Step, b: &Step) -> bool {
        let (row, reach) = (self.grid.width(), self.width);
        // In one row, at most this far from each other.
        let overlap = |a: NodeId, b: NodeId| a.0 / row == b.0 / row && a.0.abs_diff(b.0) < reach;
        let both = || [a.from, a.to].into_iter().any(|mine| overlap(mine, b.from) || overlap(mine, b.to));
        match self.rule {
            Rule::Swap => a.to == b.to || (a.from == b.to && a.to == b.from),
            Rule::Following => both(),
        }
    }

    fn flood(&self, unit: usize) -> Vec<Option<u32>> {
        let mut distances = vec![None; self.grid.node_bound()];
        let mut queue: VecDeque<(NodeId, u32)> = self.units[unit].goals.iter().map(|goal| (*goal, 0)).collect();
        while let Some((node, distance)) = queue.pop_front() {
            if distances[node.index()].is_none() {
                distances[node.index()] = Some(distance);
                queue.extend(self.neighbours(node).into_iter().map(|(to, _)| (to, distance + 1)));
            }
        }
        distances
    }

    /// The steps of all units together; to stay on a goal counts as none. Fails unless the units follow `plan` from
    /// their starts to their goals, without meeting any other unit.
    pub(super) fn sum_of_costs(&self, plan: &[Vec<Step>]) -> u64 {
        let (cost, at) = self.follow(plan);
        assert!(at.iter().zip(&self.units).all(|(node, unit)| unit.goals.contains(node)));
        cost
    }

    /// How many steps the units have left in sum, each on its shortest way from a node of `at`.
    pub(super) fn steps_left(&self, at: &[NodeId]) -> u32 {
        let left = |(unit, node): (usize, &NodeId)| self.flood(unit)[node.index()].unwrap();
        at.iter().enumerate().map(left).sum()
    }

    /// The steps of all units together, and the nodes to which `plan` leads. Fails unless the units follow `plan` from
    /// their starts, without meeting any other unit.
    pub(super) fn follow(&self, plan: &[Vec<Step>]) -> (u64, Vec<NodeId>) {
        let mut at: Vec<NodeId> = self.units.iter().map(|unit| unit.start).collect();
        let mut cost = 0;
        let length = plan.first().map_or(0, Vec::len);
        assert!(plan.len() == at.len() && plan.iter().all(|steps| steps.len() == length));
        for now in 0..length {
            let steps: Vec<Step> = plan.iter().map(|steps| steps[now]).collect();
            for (unit, step) in steps.iter().enumerate() {
                assert_eq!(step.from, at[unit]);
                match step.action {
                    Some(position) => assert!(self.neighbours(step.from).contains(&(step.to, position))),
                    None => assert_eq!(step.from, step.to),
                }
                assert!(!self.is_outside(*step), "{step:?}");
                for other in &steps[..unit] {
                    let ends = |node| self.covered(node).unwrap();
                    let together = ends(step.to).iter().any(|cell| ends(other.to).contains(cell));
                    let exchange = step.from == other.to && step.to == other.from;
                    let follow = [(step, other), (other, step)]
                        .iter()
                        .any(|(a, b)| ends(a.to).iter().any(|cell| ends(b.from).contains(cell)));
                    let behind = self.rule == Rule::Following && follow;
                    assert!(!together && !exchange && !behind, "{step:?} and {other:?}");
                }
                cost += u64::from(step.action.is_some() || !self.units[unit].goals.contains(&step.to));
                at[unit] = step.to;
            }
        }
        (cost, at)
    }
}

impl Field for Board {
    fn units(&self) -> usize {
        self.units.len()
    }

    fn rule(&self) -> ConflictRule {
        match self.rule {
            Rule::Swap => ConflictRule::Swap,
            Rule::Following => ConflictRule::Following,
        }
    }

    fn kind(&self, _unit: usize) -> u32 {
        0
    }

    fn start(&self, unit: usize) -> NodeId {
        self.units[unit].start
    }

    fn moves(&self, _kind: u32, from: NodeId, found: &mut Vec<(NodeId, u32)>) {
        found.extend(self.neighbours(from));
    }

    fn occupies(&self, _kind: u32, step: Step, entries: &mut Vec<Entry>) {
        let mut add = |cell, span| entries.push(Entry { cell: CellId(cell), span });
        match (self.rule, step.action) {
            (Rule::Swap, Some(_)) => {
                let (bound, [low, high]) = (self.grid.node_bound(), [step.from.min(step.to), step.from.max(step.to)]);
                add(u32::try_from(bound).unwrap() * (1 + low.0) + high.0, Span::tick(0));
                add(step.to.0, Span::endless(1));
            }
            (Rule::Swap, None) => add(step.to.0, Span::endless(0)),
            (Rule::Following, _) => {
                self.covered(step.from).unwrap().iter().for_each(|cell| add(cell.0, Span::tick(0)));
                self.covered(step.to).unwrap().iter().for_each(|cell| add(cell.0, Span::new(0, FOREVER)));
            }
        }
    }

    fn is_blocked(&self, entries: &[Entry]) -> bool {
        entries.iter().any(|entry| self.outsiders.contains(&NodeId(entry.cell.0)))
    }

    fn distances(
        &mut self,
        unit: usize,
        nodes: &[NodeId],
        found: &mut Vec<Option<u32>>,
        _fuel: &mut Fuel,
    ) -> Result<(), Suspended> {
        found.extend(nodes.iter().map(|node| self.distances[unit][node.index()].map(|steps| 1000 * steps)));
        Ok(())
    }

    fn is_goal(&self, unit: usize, node: NodeId, _distance: u32) -> bool {
        self.units[unit].goals.contains(&node)
    }
}
