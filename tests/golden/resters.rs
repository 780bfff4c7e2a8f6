//! Units that rest, and others that have to get past them.

use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, ClassId, Crowd, CrowdSettings};
use giveway::{Agent, NodeId, Point};

use crate::golden::settings::manners;
use crate::golden::table::{Cases, Row};
use crate::golden::worlds::nodes;

pub(crate) fn run(cases: &mut Cases) {
    for (name, settings) in manners() {
        cases.run(format!("resters/bay/{name}"), |row| bay(row, &settings));
        cases.run(format!("resters/packed/{name}"), |row| packed(row, &settings));
    }
}

fn crowd<'g>(grid: &'g Grid, settings: &CrowdSettings) -> (Crowd<'g>, ClassId) {
    let mut crowd = Crowd::new(settings.clone());
    let class = crowd.add_class(Class::new(grid, Point::swap_rule(grid))).expect("one class");
    (crowd, class)
}

fn pass(row: &mut Row, crowd: &mut Crowd<'_>, ticks: u32) {
    for _ in 0..ticks {
        let report = crowd.tick(Budget::unlimited());
        row.tick(crowd, &report);
    }
}

/// Two come along a row, one behind the other. Three rest in it, two of them next to a bay.
fn bay(row: &mut Row, settings: &CrowdSettings) {
    let grid = Grid::from_ascii("..................\n@@@@@.@@@@@@.@.@@@").expect("a picture");
    let (mut crowd, class) = crowd(&grid, settings);
    for (start, goal) in [(0, Some(17)), (2, Some(16)), (5, None), (11, None), (13, None)] {
        let agent = goal.map_or(Agent::bystander(NodeId(start)), |goal| Agent::new(NodeId(start), NodeId(goal)));
        crowd.add(class, agent).expect("room");
    }
    pass(row, &mut crowd, 40);
}

/// A few cross a square on which there is hardly a free place.
fn packed(row: &mut Row, settings: &CrowdSettings) {
    let grid = Grid::open(13, 13).expect("small");
    let (mut crowd, class) = crowd(&grid, settings);
    let goals = [(0, 168), (12, 156), (168, 12), (84, 0), (78, 90)];
    for node in nodes(&grid).into_iter().filter(|node| node.0 % 17 != 8) {
        let goal = goals.iter().find(|(start, _)| *start == node.0);
        let agent = goal.map_or(Agent::bystander(node), |(_, goal)| Agent::new(node, NodeId(*goal)).priority(1));
        crowd.add(class, agent).expect("room");
    }
    pass(row, &mut crowd, 30);
}
