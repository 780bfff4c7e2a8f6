//! A unit follows another one that moves at random: by `Crowd::follow`, and by a new order whenever the target has moved.

use std::collections::VecDeque;

use giveway::spaces::{Embedding as _, Grid};
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings, Follow};
use giveway::{Agent, AgentId, NodeId, Point, SpaceGraph as _};
use rand::Rng as _;
use rand::seq::IndexedRandom as _;
use rand_pcg::Pcg64Mcg;

use crate::worlds::{largest_part, random};

const TARGET: AgentId = AgentId(0);
const FOLLOWER: AgentId = AgentId(1);

/// How the target moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// It goes to one random place after the other: it has plans.
    Travels,
    /// It goes straight on, step by step, and turns at random, at each eighth step: nobody knows its next step.
    Wanders,
    /// It takes each step in a random direction.
    Staggers,
}

/// How the follower gets its orders.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum How {
    /// There is no follower.
    Alone,
    /// It is sent to where the target is whenever that has changed.
    EachStep,
    /// It follows.
    Follows(Follow),
}

/// What it took in how many ticks, and how far behind the follower was.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Chase {
    /// Nodes and states that were expanded, for the target, too.
    pub expanded: u64,
    /// Steps from the follower to the target, summed over all ticks.
    pub behind: u64,
}

impl std::ops::AddAssign for Chase {
    fn add_assign(&mut self, other: Self) {
        self.expanded += other.expanded;
        self.behind += other.behind;
    }
}

/// Lets `ticks` ticks go by on `grid`.
pub fn chase(grid: &Grid, target: Target, how: How, ticks: u32, seed: u64) -> Chase {
    let places = largest_part(grid);
    let mut random = random(seed);
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(grid, Point::swap_rule(grid))).expect("the first class");
    let any = |random: &mut Pcg64Mcg| *places.choose(random).expect("a place");
    crowd.add(class, Agent::bystander(any(&mut random))).expect("room");
    let mut start = any(&mut random);
    while crowd.node(TARGET) == Some(start) {
        start = any(&mut random);
    }
    if how != How::Alone {
        crowd.add(class, Agent::bystander(start)).expect("room");
    }
    if let How::Follows(follow) = how {
        crowd.follow(FOLLOWER, TARGET, follow).expect("both are there");
    }
    let (mut outcome, mut last, mut direction) = (Chase::default(), None, 0);
    for _ in 0..ticks {
        let here = crowd.node(TARGET).expect("it is there");
        match target {
            Target::Travels if crowd.is_home(TARGET) == Some(true) => drop(crowd.send(TARGET, any(&mut random))),
            Target::Travels => {}
            Target::Wanders | Target::Staggers => {
                if target == Target::Staggers || random.random_ratio(1, 8) {
                    direction = random.random_range(0..4);
                }
                match step(grid, here, direction) {
                    Some(next) => drop(crowd.send(TARGET, next)),
                    None => direction = random.random_range(0..4),
                }
            }
        }
        if how == How::EachStep && last != Some(here) {
            // Where the target is, the follower may be sent unless it stays there.
            let _ = crowd.send(FOLLOWER, here);
            last = Some(here);
        }
        let report = crowd.tick(Budget::unlimited());
        outcome.expanded += report.expansions + report.reverse_expansions;
        if let Some((one, other)) = crowd.node(TARGET).zip(crowd.node(FOLLOWER)) {
            outcome.behind += steps(grid, one, other);
        }
    }
    outcome
}

/// The neighbour in one of four directions.
fn step(grid: &Grid, here: NodeId, direction: usize) -> Option<NodeId> {
    let [x, y, _] = grid.position(here);
    let offsets: [[f32; 2]; 4] = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    let [ahead, aside] = offsets[direction];
    grid.moves(here).map(|to| to.to).find(|to| grid.position(*to)[..2] == [x + ahead, y + aside])
}

/// The least number of steps between two places.
fn steps(grid: &Grid, from: NodeId, to: NodeId) -> u64 {
    let mut seen = vec![false; grid.node_bound()];
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((node, steps)) = queue.pop_front() {
        if node == to {
            return steps;
        }
        if !std::mem::replace(&mut seen[node.index()], true) {
            queue.extend(grid.moves(node).map(|to| (to.to, steps + 1)));
        }
    }
    unreachable!("both are in one part of the map")
}
