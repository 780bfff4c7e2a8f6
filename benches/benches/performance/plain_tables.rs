//! The unit of whole solves: plain breadth-first searches.

use giveway::spaces::Grid;
use giveway::{Agent, NodeId};

/// Not reached.
const FAR: u16 = u16::MAX;

/// A map with a wall around it, so that neighbours need no bounds.
pub(crate) struct PlainTables {
    stride: usize,
    free: Vec<bool>,
}

impl PlainTables {
    pub(crate) fn of(grid: &Grid) -> Self {
        let rows = 0..grid.height() + 2;
        let free = |x: u32, y: u32| x > 0 && y > 0 && grid.is_passable(x - 1, y - 1);
        Self {
            stride: grid.width() as usize + 2,
            free: rows.flat_map(|y| (0..grid.width() + 2).map(move |x| free(x, y))).collect(),
        }
    }

    /// For the goal of each agent, a table of the distances from all cells, with 4 neighbours.
    pub(crate) fn all(&self, grid: &Grid, agents: &[Agent]) -> Vec<Vec<u16>> {
        let mut queue = Vec::with_capacity(self.free.len());
        agents.iter().map(|agent| self.table(grid, agent.goals.nodes()[0], &mut queue)).collect()
    }

    /// The distances to `goal`. No way is longer than 2^16 - 2 steps on the maps that are measured.
    pub(crate) fn table(&self, grid: &Grid, goal: NodeId, queue: &mut Vec<usize>) -> Vec<u16> {
        let (x, y) = grid.xy(goal);
        let goal = (y as usize + 1) * self.stride + x as usize + 1;
        let mut distances = vec![FAR; self.free.len()];
        distances[goal] = 0;
        queue.clear();
        queue.push(goal);
        let mut next = 0;
        while let Some(&cell) = queue.get(next) {
            next += 1;
            let distance = distances[cell] + 1;
            for neighbour in [cell - self.stride, cell + 1, cell + self.stride, cell - 1] {
                if self.free[neighbour] && distances[neighbour] == FAR {
                    distances[neighbour] = distance;
                    queue.push(neighbour);
                }
            }
        }
        distances
    }
}
