//! Orders to goals that others have as well.

use std::collections::BTreeMap;

use giveway_core::{Agent, AgentId, ConflictRule, Goals, NodeId, Point};
use giveway_crowd::{Budget, Class, Crowd, CrowdError, CrowdSettings};
use giveway_spaces::{Direction, Grid, Robot, Robots};
use rand::Rng as _;
use rand_pcg::Pcg64Mcg;

use crate::crowd::run::Run;
use crate::world::{picture, point};

#[test]
fn all_who_share_a_goal_come_there_one_after_the_other() {
    for rule in [ConflictRule::Swap, ConflictRule::Following] {
        let grid = Grid::from_ascii(".......\n#.....#\n").unwrap();
        let mut run = Run::empty(&grid, rule, CrowdSettings::new());
        let goal = run.at(3, 0);
        let starts = [(0, 0), (6, 0), (1, 1), (5, 1)];
        let agents = starts.map(|(x, y)| run.crowd.add(run.class, Agent::bystander(grid.node(x, y).unwrap())).unwrap());
        for agent in agents {
            run.crowd.send_shared(agent, goal).unwrap();
            assert_eq!(run.crowd.goals(agent), Some(&Goals::one(goal)), "nobody is sent elsewhere");
        }
        let mut arrived: Vec<AgentId> = Vec::new();
        for _ in 0..60 {
            for agent in run.tick().arrived {
                if run.crowd.goals(agent) == Some(&Goals::one(goal)) {
                    assert_eq!(run.crowd.node(agent), Some(goal));
                    arrived.push(agent);
                    let home = starts[agent.index()];
                    run.crowd.send_shared(agent, run.at(home.0, home.1)).unwrap();
                }
            }
        }
        arrived.sort_unstable();
        assert_eq!(arrived, agents, "{rule:?}");
        assert!(run.crowd.is_at_rest());
        for (agent, (x, y)) in (0..).zip(starts) {
            assert_eq!(run.xy(agent), (x, y));
        }
    }
}

#[test]
fn a_shared_goal_is_kept_free_for_nobody_and_takes_none_away() {
    let world = picture(["A.B", "...", "..C"]);
    let mut run = Run::of(&world, CrowdSettings::new());
    let [a, b, c] = [0, 1, 2].map(AgentId);
    let (middle, corner) = (run.at(1, 1), run.at(2, 2));
    assert_eq!(run.crowd.send(a, middle).unwrap(), Goals::one(middle));
    run.crowd.send_shared(b, middle).unwrap();
    assert_eq!(run.crowd.goals(a), Some(&Goals::one(middle)), "whoever had the place keeps it");
    // A bystander is not sent elsewhere; it makes way, and has its place again when the other goes on.
    run.crowd.stop(c).unwrap();
    run.crowd.send_shared(b, corner).unwrap();
    assert_eq!((run.crowd.goals(c), run.crowd.is_bystander(c)), (Some(&Goals::one(corner)), Some(true)));
    let arrives = |run: &mut Run<'_>, agent| (0..20).any(|_| run.tick().arrived.contains(&agent));
    assert!(arrives(&mut run, b));
    // The place that was shared is given to one alone: it is nobody's.
    run.crowd.send(a, run.at(0, 2)).unwrap();
    run.crowd.send_shared(b, run.at(0, 0)).unwrap();
    run.until_rest(20);
    assert_eq!((run.crowd.node(c), run.crowd.node(b)), (Some(corner), Some(run.at(0, 0))));
    assert_eq!(run.crowd.send(a, run.at(0, 0)).unwrap(), Goals::one(run.at(0, 0)));
}

/// From a place of its own to a shared one, which is the same, and back.
#[test]
fn an_order_that_is_shared_gives_up_the_place_of_its_own() {
    let world = picture(["A.B", "..."]);
    let mut run = Run::of(&world, CrowdSettings::new());
    let (a, b, goal) = (AgentId(0), AgentId(1), run.at(1, 1));
    assert_eq!(run.crowd.send(a, goal).unwrap(), Goals::one(goal));
    assert_ne!(run.crowd.send(b, goal).unwrap(), Goals::one(goal));
    run.crowd.send_shared(a, goal).unwrap();
    assert_eq!(run.crowd.send(b, goal).unwrap(), Goals::one(goal));
    assert_ne!(run.crowd.send(a, goal).unwrap(), Goals::one(goal));
}

#[test]
fn the_goals_of_a_unit_stay_shared_in_another_class() {
    let grid = Grid::open(4, 4).unwrap();
    let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new());
    let other = run.crowd.add_class(Class::new(&grid, point(&grid, ConflictRule::Swap))).unwrap();
    let [a, b] = [(0, 0), (3, 3)].map(|(x, y)| run.crowd.add(run.class, Agent::bystander(run.at(x, y))).unwrap());
    let goal = run.at(2, 1);
    run.crowd.send_shared(a, goal).unwrap();
    run.crowd.change_class(a, other).unwrap();
    assert_eq!(run.crowd.send(b, goal).unwrap(), Goals::one(goal));
    assert_eq!(run.crowd.goals(a), Some(&Goals::one(goal)));
}

#[test]
fn orders_to_share_nothing_are_refused() {
    let grid = Grid::from_ascii("..#").unwrap();
    let mut run = Run::empty(&grid, ConflictRule::Swap, CrowdSettings::new());
    let agent = run.crowd.add(run.class, Agent::bystander(NodeId(0))).unwrap();
    for (told, goals, why) in [
        (agent, Goals::from_iter([]), CrowdError::NoGoal),
        (agent, Goals::one(NodeId(2)), CrowdError::NoSuchNode(NodeId(2))),
        (agent, [1, 3].into_iter().map(NodeId).collect(), CrowdError::NoSuchNode(NodeId(3))),
        (AgentId(7), Goals::one(NodeId(1)), CrowdError::NoSuchAgent(AgentId(7))),
    ] {
        assert_eq!(run.crowd.send_shared(told, goals), Err(why));
    }
    assert_eq!(run.crowd.is_bystander(agent), Some(true));
}

/// Robots, and points among them, all to a few places.
#[test]
fn robots_that_share_goals_never_meet() {
    let grid = Grid::from_fn(9, 9, |x, y| x % 3 != 1 || y % 4 != 1).unwrap();
    let robots = Robots::new(grid.clone());
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(&robots, Robot)).unwrap();
    let points = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid))).unwrap();
    let mut random = Pcg64Mcg::new(7);
    let free: Vec<NodeId> = NodeId::below(81).filter(|cell| grid.is_passable(cell.0 % 9, cell.0 / 9)).collect();
    let is_robot = |agent: AgentId| !agent.0.is_multiple_of(5);
    let mut cells: BTreeMap<AgentId, NodeId> = BTreeMap::new();
    for (agent, cell) in (0..25).map(AgentId).zip(free.iter().step_by(3)) {
        let added = if is_robot(agent) {
            crowd.add(class, Agent::bystander(robots.pose(*cell, Direction::East).unwrap()))
        } else {
            crowd.add(points, Agent::bystander(*cell))
        };
        assert_eq!(added, Ok(agent));
        cells.insert(agent, *cell);
    }
    let places: Vec<NodeId> = free.iter().copied().step_by(13).collect();
    let mut arrivals = 0;
    for tick in 0..300 {
        for agent in cells.keys() {
            if tick == 0 || crowd.is_home(*agent) == Some(true) {
                arrivals += u32::from(tick > 0);
                let place = places[random.random_range(0..places.len())];
                let goals = if is_robot(*agent) { robots.any_heading(place) } else { Goals::one(place) };
                crowd.send_shared(*agent, goals).unwrap();
            }
        }
        crowd.tick(Budget::unlimited());
        let now: BTreeMap<AgentId, NodeId> = cells
            .keys()
            .map(|agent| {
                let node = crowd.node(*agent).unwrap();
                (*agent, if is_robot(*agent) { robots.place(node) } else { node })
            })
            .collect();
        let mut taken: Vec<NodeId> = now.values().copied().collect();
        taken.sort_unstable();
        taken.dedup();
        assert_eq!(taken.len(), now.len(), "two in one cell at tick {tick}");
        for (one, from) in &cells {
            let exchanged = |(other, to): (&AgentId, &NodeId)| one != other && to == from && cells[other] == now[one];
            assert!(!now.iter().any(exchanged), "an exchange at tick {tick}");
        }
        cells = now;
    }
    assert!(arrivals > 100, "{arrivals} arrivals");
}
