//! A graph of one's own: a train yard with switches and tracks of all lengths, which no grid could hold.

use giveway::strategies::Hca;
use giveway::{Agent, Checker, ConflictRule, Instance, Move, NodeId, Point, SpaceGraph};

/// Signals, at which trains may stand.
const SIGNALS: [&str; 8] = ["west", "gate", "loop", "main", "yard", "shed", "exit", "east"];
/// Tracks between signals, and their lengths in hundreds of metres. All are driven both ways, except the one out of the
/// shed, which is a run-off.
const TRACKS: [(u32, u32, u8); 8] =
    [(0, 1, 2), (1, 2, 3), (1, 3, 2), (2, 6, 3), (3, 6, 2), (3, 4, 1), (4, 5, 2), (6, 7, 2)];
const RUN_OFF: (u32, u32, u8) = (5, 6, 4);

struct Yard;

impl SpaceGraph for Yard {
    type Action = usize; // which track, and whether backwards
    type Cost = u32;

    fn node_bound(&self) -> usize {
        SIGNALS.len()
    }

    fn moves(&self, from: NodeId) -> impl Iterator<Item = Move<usize, u32>> {
        let backwards = TRACKS.map(|(a, b, length)| (b, a, length));
        let driven = TRACKS.into_iter().chain(backwards).chain([RUN_OFF]);
        driven.enumerate().filter(move |(_, (a, ..))| *a == from.0).map(move |(action, (_, b, length))| Move {
            from,
            to: NodeId(b),
            action,
            cost: 1000 * u32::from(length),
            length: length.into(),
        })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let signal = |name| NodeId((0..).zip(SIGNALS).find(|(_, it)| *it == name).map_or(u32::MAX, |(node, _)| node));
    let trips = [("express", "west", "east"), ("freight", "exit", "shed"), ("shunter", "yard", "west")];
    let trains = trips.map(|(_, start, goal)| Agent::new(signal(start), signal(goal))).to_vec();

    // A train holds both ends of a track while it is on it, for one tick per hundred metres.
    let train = Point::timed(&Yard, 1);
    let instance = Instance::new(&Yard, &train, trains)?;
    let plan = Hca::hca_star().solve(&instance).plan;
    assert!(Checker::new(&Yard, ConflictRule::Following).check(instance.agents(), &plan).is_empty());

    println!("tick {}", trips.map(|(name, ..)| format!("{name:>10}")).concat());
    for tick in 0..=plan.makespan() {
        let at = |path: &giveway::plan::PathIn<Yard>| format!("{:>10}", SIGNALS[path.node_at(tick).index()]);
        println!("{tick:>4} {}", plan.paths.iter().map(at).collect::<String>());
    }
    Ok(())
}
