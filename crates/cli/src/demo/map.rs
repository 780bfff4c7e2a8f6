//! The built-in map of the demo, and its agents.

use giveway::Agent;
use giveway::spaces::{Grid, SpaceError};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg32;

/// Two banks, a river `~`, bridges `=`, pillars `#`. Units may start on all other cells; each ends on an `o`.
const MAP: &str = include_str!("map.txt");

/// The number of goals on the map.
pub(crate) const MOST_UNITS: u32 = {
    let (mut goals, mut index) = (0, 0);
    while index < MAP.len() {
        if MAP.as_bytes()[index] == b'o' {
            goals += 1;
        }
        index += 1;
    }
    goals
};

/// The built-in map.
pub(super) struct DemoMap {
    rows: Vec<&'static [u8]>,
    width: u32,
    height: u32,
}

impl DemoMap {
    pub(super) fn new() -> Self {
        let rows: Vec<&[u8]> = MAP.lines().map(str::as_bytes).collect();
        let side = |cells: usize| u32::try_from(cells).unwrap_or(0);
        Self { width: side(rows.first().map_or(0, |row| row.len())), height: side(rows.len()), rows }
    }

    /// The character at (x, y); water beyond the map.
    fn cell(&self, x: u32, y: u32) -> u8 {
        let row = self.rows.get(y as usize);
        row.and_then(|row| row.get(x as usize)).copied().unwrap_or(b'~')
    }

    pub(super) fn grid(&self) -> Result<Grid, SpaceError> {
        Grid::from_fn(self.width, self.height, |x, y| !matches!(self.cell(x, y), b'~' | b'#'))
    }

    /// `count` units: each starts on one bank and has its goal on the other, by `seed`.
    pub(super) fn agents(&self, grid: &Grid, count: usize, seed: u64) -> Vec<Agent> {
        let cells = || (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        let east = |(x, _): &(u32, u32)| *x >= self.width / 2;
        let starts = cells().filter(|(x, y)| matches!(self.cell(*x, *y), b'.' | b'o'));
        let (mut eastern, mut western): (Vec<_>, Vec<_>) = starts.partition(east);
        let mut goals: Vec<_> = cells().filter(|(x, y)| self.cell(*x, *y) == b'o').collect();
        let mut chance = Pcg32::seed_from_u64(seed);
        for cells in [&mut eastern, &mut western, &mut goals] {
            cells.shuffle(&mut chance);
        }
        let (mut eastern, mut western) = (eastern.into_iter(), western.into_iter());
        let unit = |goal: (u32, u32)| {
            let start = if east(&goal) { western.next() } else { eastern.next() }?;
            let node = |(x, y)| grid.node(x, y);
            Some(Agent::new(node(start)?, node(goal)?))
        };
        goals.into_iter().filter_map(unit).take(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use giveway::strategies::Hca;
    use giveway::{Instance, Point};

    use super::*;

    #[test]
    fn every_crowd_crosses_and_is_solved() {
        let map = DemoMap::new();
        let grid = map.grid().unwrap();
        let point = Point::swap_rule(&grid);
        let most = MOST_UNITS as usize;
        let crowds = (0..12).map(|seed| (most, seed)).chain((1..most).step_by(7).map(|count| (count, 0)));
        for (count, seed) in crowds {
            let agents = map.agents(&grid, count, seed);
            assert_eq!(agents.len(), count, "seed {seed}");
            let east = |node| grid.xy(node).0 >= map.width / 2;
            for agent in &agents {
                assert_ne!(east(agent.start), east(agent.goals.nodes()[0]), "seed {seed}, {agent:?}");
            }
            let instance = Instance::new(&grid, &point, agents).unwrap();
            let solution = Hca::hca_star().solve(&instance);
            assert!(solution.is_complete(), "{count} units, seed {seed}");
        }
    }
}
