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
        Self::of(grid, &mut rng)
    }

    /// Rooms of 7 x 7 cells, each with doors to the rooms beside it.
    pub(crate) fn rooms(side: u32, seed: u128) -> Self {
        let is_wall = |x: u32, y: u32| {
            let door_east = y % 8 == (x / 8 * 3 + y / 8 * 5) % 7;
            let door_south = x % 8 == (y / 8 * 2 + x / 8 * 3 + 1) % 7;
            x % 8 == 7 && !door_east || y % 8 == 7 && !door_south
        };
        let grid = Grid::from_fn(side, side, |x, y| !is_wall(x, y)).unwrap();
        Self::of(grid, &mut Pcg64Mcg::new(seed))
    }

    fn of(grid: Grid, rng: &mut Pcg64Mcg) -> Self {
        let mut starts: Vec<NodeId> = grid.nodes().filter(|node| grid.contains(*node)).collect();
        let mut goals = starts.clone();
        starts.shuffle(rng);
        goals.shuffle(rng);
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
