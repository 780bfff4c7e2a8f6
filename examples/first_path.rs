//! One unit, one path: spatial A* on a grid, printed over the map.

use giveway::Goals;
use giveway::heuristic::{Octile, ToGoals};
use giveway::search::{Fuel, SpatialSearch};
use giveway::spaces::{Connectivity, Grid};

const MAP: &str = "
    ..........
    .@@@@@@@..
    .......@..
    .@@@@@.@..
    .....@....
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_ascii(MAP)?.with_connectivity(Connectivity::Eight);
    let (start, goal) = (grid.node(0, 4).expect("on the grid"), grid.node(9, 0).expect("on the grid"));

    let goals = Goals::one(goal);
    let mut heuristic = ToGoals { metric: Octile { step: 1000, diagonal: 1414 }, goals: goals.clone() };
    let mut expanded = Vec::new(); // an observer that counts the expansions of each node
    let route =
        SpatialSearch::new().find_with(&grid, start, &goals, &mut heuristic, &mut Fuel::unlimited(), &mut expanded)?;

    let on_route = |node| node == start || route.moves.iter().any(|m| m.to == node);
    for y in 0..grid.height() {
        let row = (0..grid.width()).filter_map(|x| grid.node(x, y)).map(|node| match node {
            _ if on_route(node) => 'o',
            _ if !grid.is_passable(grid.xy(node).0, y) => '@',
            _ if expanded.get(node.index()).is_some_and(|count| *count > 0) => ',',
            _ => '.',
        });
        println!("{}", row.collect::<String>());
    }
    println!(
        "{} moves that cost {}; {} places expanded (o and ,)",
        route.moves.len(),
        route.cost,
        expanded.iter().sum::<u32>()
    );
    Ok(())
}
