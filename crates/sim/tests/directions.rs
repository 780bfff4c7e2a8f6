//! Direction maps: what they cost crowds that plan by windows.

use giveway_core::{Agent, NodeId, Point, SpaceGraph};
use giveway_crowd::{Budget, Class, Crowd, CrowdSettings};
use giveway_lanes::{DirectionMap, DirectionRules};
use giveway_sim::{Endpoints, Simulation, Task};
use giveway_spaces::Grid;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

/// The arrivals in 400 ticks of `agents` units with one goal after the other; under a map with `rules`, if there are
/// any.
fn arrivals(grid: &Grid, agents: usize, seed: u64, rules: Option<DirectionRules>) -> u64 {
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = Class::new(grid, Point::swap_rule(grid));
    let class = match rules {
        None => crowd.add_class(class),
        Some(rules) => crowd.add_class(class.layer(DirectionMap::blank(grid, rules))),
    };
    let mut nodes: Vec<NodeId> = (0..400).map(NodeId).filter(|node| grid.contains(*node)).collect();
    let places: Endpoints = nodes.clone().into();
    nodes.shuffle(&mut Pcg64Mcg::new(u128::from(seed) * 2 + 1));
    let mut simulation = Simulation::new(crowd);
    for start in nodes.into_iter().take(agents) {
        let task = Task::Lifelong { places: places.clone(), seed };
        simulation.add(class.unwrap(), Agent::bystander(start), task).unwrap();
    }
    simulation.run(400, Budget::unlimited());
    simulation.metrics().arrivals
}

/// By default hardly any unit is late because of a map, wherever the map is. With the paper's weight most units are,
/// since windows would rather wait.
fn does_no_harm_by_default(grid: &Grid, agents: usize) {
    let sum = |rules: Option<DirectionRules>| (1..5).map(|seed| arrivals(grid, agents, seed, rules)).sum::<u64>();
    let (without, default) = (sum(None), sum(Some(DirectionRules::default())));
    assert!(default * 100 >= without * 96, "{default} of {without} arrivals");
    let paper = sum(Some(DirectionRules::paper()));
    assert!(paper * 10 < without * 6, "{paper} of {without} arrivals under the paper's rules");
}

#[test]
fn a_direction_map_does_crowds_no_harm_on_open_ground() {
    does_no_harm_by_default(&Grid::open(16, 16).unwrap(), 40);
}

#[test]
fn a_direction_map_does_crowds_no_harm_between_shelves() {
    does_no_harm_by_default(&Grid::from_fn(19, 16, |x, y| x % 6 == 0 || y % 3 == 0).unwrap(), 25);
}

#[test]
fn a_direction_map_does_crowds_no_harm_in_rooms() {
    let is_free = |x, y| x % 8 == 4 || y % 8 == 4 || (x % 8 != 0 && y % 8 != 0);
    does_no_harm_by_default(&Grid::from_fn(17, 17, is_free).unwrap(), 30);
}
