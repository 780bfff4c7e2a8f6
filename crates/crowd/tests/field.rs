//! Fields: grids with walls at random places.

use giveway_core::{NodeId, SpaceGraph as _};
use giveway_spaces::Grid;
use rand::Rng as _;
use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64Mcg;

/// A grid of 24x24 cells with up to `walls` walls, and its cells in two random orders.
pub(crate) fn field(walls: usize, seed: u128) -> (Grid, Vec<NodeId>, Vec<NodeId>) {
    let mut rng = Pcg64Mcg::new(seed);
    let mut is_wall = vec![vec![false; 24]; 24];
    for _ in 0..walls {
        is_wall[rng.random_range(0..24)][rng.random_range(0..24)] = true;
    }
    let rows: Vec<String> =
        is_wall.iter().map(|row| row.iter().map(|wall| if *wall { '@' } else { '.' }).collect()).collect();
    let grid = Grid::from_ascii(&rows.join("\n")).unwrap();
    let mut starts: Vec<NodeId> = grid.nodes().filter(|node| grid.contains(*node)).collect();
    let mut goals = starts.clone();
    starts.shuffle(&mut rng);
    goals.shuffle(&mut rng);
    (grid, starts, goals)
}
