//! Fields: grids with walls at random places.

use giveway_core::{Agent, ConflictRule, NodeId, SpaceGraph as _};
use giveway_crowd::CrowdSettings;
use giveway_spaces::Grid;
use rand::Rng as _;
use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64Mcg;

use crate::crowd::run::Run;

/// A square grid with walls.
pub(crate) struct Field {
    pub(crate) grid: Grid,
    /// The cells without walls, in two random orders.
    pub(crate) starts: Vec<NodeId>,
    pub(crate) goals: Vec<NodeId>,
}

impl Field {
    /// A field of `side` x `side` cells with up to `walls` walls.
    pub(crate) fn random(side: u32, walls: usize, seed: u128) -> Self {
        let mut rng = Pcg64Mcg::new(seed);
        let mut grid = Grid::open(side, side).unwrap();
        for _ in 0..walls {
            let [y, x] = [(); 2].map(|()| rng.random_range(0..side));
            grid.set_passable(x, y, false);
        }
        let mut starts: Vec<NodeId> = grid.nodes().filter(|node| grid.contains(*node)).collect();
        let mut goals = starts.clone();
        starts.shuffle(&mut rng);
        goals.shuffle(&mut rng);
        Self { grid, starts, goals }
    }

    /// A crowd of so many `units`, each with a goal, under the swap rule.
    pub(crate) fn crowd(&self, units: usize, settings: CrowdSettings) -> Run<'_> {
        let mut run = Run::empty(&self.grid, ConflictRule::Swap, settings);
        for (start, goal) in self.starts.iter().zip(&self.goals).take(units) {
            run.crowd.add(run.class, Agent::new(*start, *goal)).unwrap();
        }
        run
    }
}
