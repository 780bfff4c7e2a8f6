//! The ticks of a crowd on an open grid: units at rest, and units under way.

use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::{Agent, NodeId, Point};
use giveway_benches::worlds::random;
use giveway_benches::{Contender, interleave};
use rand::seq::SliceRandom;

use super::record::{Record, Row};

const REPETITIONS: usize = 5;
const SIDE: u32 = 256;
const UNITS: [usize; 2] = [100, 1000];

/// The number of ticks after the first that are timed together. No unit under way arrives within them.
const TICKS: u32 = 64;

pub(crate) fn measure(record: &mut Record) {
    let grid = Grid::open(SIDE, SIDE).expect("small");
    for units in UNITS {
        let starts = starts(units);
        let standing: Vec<Agent> = starts.iter().map(|start| Agent::bystander(*start)).collect();
        let going: Vec<Agent> = starts.iter().map(|start| Agent::new(*start, opposite(*start))).collect();
        let (mut at_rest, mut under_way) = (crowd(&grid, &standing), crowd(&grid, &going));
        let times = interleave(
            REPETITIONS,
            3,
            &mut [
                Contender { name: "at rest", work: &mut |piece| work(piece, &mut at_rest, &grid, &standing) },
                Contender { name: "under way", work: &mut |piece| work(piece, &mut under_way, &grid, &going) },
            ],
        );
        for times in times {
            for (part, ticks, time) in [("first ticks", 1, times.pieces[1]), ("ticks", TICKS, times.pieces[2])] {
                record.keep(&Row {
                    part,
                    world: "open",
                    agents: Some(units),
                    neighbours: Some(4),
                    contender: times.name,
                    count: Some(units as u64 * u64::from(ticks)),
                    time: Some(time),
                    ..Row::default()
                });
            }
        }
    }
}

/// Piece 0 makes the crowd anew, piece 1 is its first tick, and piece 2 the others.
fn work<'a>(piece: usize, crowd: &mut Crowd<'a>, grid: &'a Grid, agents: &[Agent]) {
    match piece {
        0 => *crowd = self::crowd(grid, agents),
        1 => drop(crowd.tick(Budget::unlimited())),
        _ => {
            for _ in 0..TICKS {
                assert_eq!(crowd.tick(Budget::unlimited()).arrived, [], "all units go on as they are");
            }
        }
    }
}

fn crowd<'a>(grid: &'a Grid, agents: &[Agent]) -> Crowd<'a> {
    let mut crowd = Crowd::new(CrowdSettings::new());
    let class = crowd.add_class(Class::new(grid, Point::swap_rule(grid))).expect("the first class");
    for agent in agents {
        crowd.add(class, agent.clone()).expect("starts differ");
    }
    crowd
}

fn starts(units: usize) -> Vec<NodeId> {
    let mut nodes: Vec<NodeId> = (0..SIDE * SIDE).map(NodeId).collect();
    nodes.shuffle(&mut random(3));
    nodes.truncate(units);
    nodes
}

/// The place half a map away in both directions, around the edges: one way is as long as the other, and goals differ
/// where starts do.
fn opposite(node: NodeId) -> NodeId {
    let half = |side: u32| (side + SIDE / 2) % SIDE;
    NodeId(half(node.0 / SIDE) * SIDE + half(node.0 % SIDE))
}
