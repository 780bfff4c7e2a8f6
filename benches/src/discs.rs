//! Discs of three sizes on ground of unlike granularity, within a small budget.

use std::ops::ControlFlow;

use giveway::footprint::Motion;
use giveway::sim::{Endpoints, Metrics, Simulation, Task};
use giveway::spaces::{Body, CommonTicks, Connectivity, Granularity, Ground};
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::{Agent, Footprint, NodeId, SpaceGraph};
use rand::seq::SliceRandom;

use crate::worlds::{WorldKind, largest_part, random};

/// How large the reservation cells are, and what that is called.
pub const GRANULARITIES: [(&str, Granularity); 4] = [
    ("2 x 2 cells of the map", Granularity::Coarser(2)),
    ("cells of the map", Granularity::Same),
    ("halves", Granularity::Finer(2)),
    ("quarters", Granularity::Finer(4)),
];

/// What up to 120 discs with one goal after the other do in so many plain `steps` on a scattered map, within 5,000
/// units of work per tick; and the mean number of entries of one of their moves. Both depend on `seed`.
#[must_use]
pub fn discs(granularity: Granularity, seed: u64, steps: u32) -> (Metrics, f64) {
    let grid = WorldKind::Scattered.grid(seed).with_connectivity(Connectivity::Eight);
    let ground = Ground::from_grid(&grid).granularity(granularity);
    let bodies = [0.2, 0.35, 0.5].map(|radius| Body::disc(radius).expect("small"));
    let ticks = CommonTicks::new().of(&bodies, &grid).fewest().expect("one speed");
    let places: Endpoints = largest_part(&grid).into();
    let mut starts: Vec<NodeId> = places.nodes().iter().copied().filter(|node| node.0 % 2 == 0).collect();
    starts.shuffle(&mut random(seed));
    let mut crowd = Crowd::new(CrowdSettings::new());
    let (mut classes, mut entries, mut moves) = (Vec::new(), 0_u32, 0_u32);
    for body in &bodies {
        let (space, footprint) = body.on(&grid, ground, ticks).expect("it fits");
        for m in starts.iter().flat_map(|node| space.moves(*node)) {
            moves += 1;
            let _ = footprint.sweep(&space, &Motion::Move(m), 0, &mut |_| {
                entries += 1;
                ControlFlow::Continue(())
            });
        }
        classes.push(crowd.add_class(Class::new(space, footprint)).expect("one ground"));
    }
    let mut simulation = Simulation::new(crowd);
    for (start, class) in starts.into_iter().take(120).zip(classes.into_iter().cycle()) {
        let task = Task::Lifelong { places: places.clone(), seed };
        // Some starts are in each other's way on coarse ground.
        let _ = simulation.add(class, Agent::bystander(start), task);
    }
    simulation.run(steps * ticks, Budget::work(5000));
    (simulation.metrics(), f64::from(entries) / f64::from(moves))
}
