//! A graph of one's own: a train yard with switches, and tracks of all lengths.

use giveway::strategies::Hca;
use giveway::{Agent, Checker, ConflictRule, Instance, Move, NodeId, Point, SpaceGraph};

/// Trains may stand at a signal.
const SIGNALS: [&str; 8] = [
    // Nodes 0 to 7.
    "west", "gate", "loop", "main", "yard", "shed", "exit", "east",
];
/// Tracks between two signals, and their lengths in hundreds of metres.
/// Trains drive both ways on them.
const TRACKS: [(u32, u32, u8); 8] = [
    (0, 1, 2), // from west to gate: 200 metres
    (1, 2, 3),
    (1, 3, 2),
    (2, 6, 3),
    (3, 6, 2),
    (3, 4, 1),
    (4, 5, 2),
    (6, 7, 2),
];
/// The track out of the shed, which is driven one way.
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
        let tracks = TRACKS.into_iter().chain(backwards).chain([RUN_OFF]).enumerate();
        let out_of_here = tracks.filter(move |(_, (a, ..))| *a == from.0);
        out_of_here.map(move |(action, (_, b, length))| {
            let cost = 1000 * u32::from(length);
            Move { from, to: NodeId(b), action, cost, length: length.into() }
        })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let signal = |name| {
        let found = (0..).zip(SIGNALS).find(|(_, it)| *it == name);
        NodeId(found.map_or(u32::MAX, |(node, _)| node))
    };
    let trips = [
        ("express", "west", "east"), // name, start, goal
        ("freight", "exit", "shed"),
        ("shunter", "yard", "west"),
    ];
    let train = |(_, start, goal)| Agent::new(signal(start), signal(goal));
    let trains = trips.map(train).to_vec();

    // A train holds both ends of a track while it is on the track.
    // Each hundred metres take one tick.
    let footprint = Point::timed(&Yard, 1)?;
    let instance = Instance::new(&Yard, &footprint, trains)?;
    let plan = Hca::hca_star().solve(&instance).plan;
    let checker = Checker::new(&Yard, ConflictRule::Following);
    assert!(checker.check(instance.agents(), &plan).is_empty());

    println!("tick {}", trips.map(|(name, ..)| format!("{name:>10}")).concat());
    for tick in 0..=plan.makespan() {
        let at = |path: &giveway::plan::PathIn<Yard>| {
            let here = SIGNALS[path.node_at(tick).index()];
            format!("{here:>10}")
        };
        println!("{tick:>4} {}", plan.paths.iter().map(at).collect::<String>());
    }
    Ok(())
}
