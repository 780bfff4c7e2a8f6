//! Lower bounds from the distances of planning, and by aimed searches, equal the bounds by a search for each agent.

use giveway_bodies::{Body, Ground};
use giveway_core::heuristic::{Euclidean, Metric, Zero};
use giveway_core::{Agent, Embedding, Footprint, NodeId, Point};
use giveway_distance::TrueDistances;
use giveway_spaces::{Connectivity, Grid};
use giveway_strategies::{Instance, fewest_ticks, fewest_ticks_by};

/// Draws numbers below `bound`: a linear congruential generator, whose high bits are random enough.
fn draws(seed: u64) -> impl FnMut(u32) -> u32 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move |bound| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(state >> 33).unwrap() % bound
    }
}

fn compare<S: Embedding, F: Footprint<S>>(space: &S, footprint: &F, draw: &mut impl FnMut(u32) -> u32, world: &str) {
    let bound = u32::try_from(space.node_bound()).unwrap();
    let mut free = (0..).map(|_| NodeId(draw(bound))).take(4000).filter(|node| space.contains(*node));
    let mut agents: Vec<Agent> = Vec::new();
    while let (Some(start), Some(goal), true) = (free.next(), free.next(), agents.len() < 12) {
        if agents.iter().all(|other| other.start != start && !other.goals.contains(goal)) {
            agents.push(Agent::new(start, goal));
        }
    }
    let Ok(instance) = Instance::new(space, footprint, agents) else { return };
    let expected = fewest_ticks(&instance);
    fn check<S: Embedding, F: Footprint<S>, M: Metric<S> + Clone>(
        instance: &Instance<'_, S, F>,
        mut distances: TrueDistances<S, M>,
    ) -> [Vec<Option<u32>>; 2] {
        // Again, when all distances are known.
        [(); 2].map(|()| fewest_ticks_by(instance, &mut distances))
    }
    let tables = TrueDistances::<S, Zero>::tables;
    assert_eq!(check(&instance, tables()), [(); 2].map(|()| expected.clone()), "{world}");
    assert_eq!(check(&instance, tables().keep_at_most(0)), [(); 2].map(|()| expected.clone()), "{world}");
    let aimed = TrueDistances::aimed(Euclidean::from_space(space));
    assert_eq!(check(&instance, aimed), [(); 2].map(|()| expected.clone()), "{world}");
}

#[test]
fn lower_bounds_do_not_depend_on_how_they_are_found() {
    for seed in 0..60 {
        let mut draw = draws(seed);
        let (width, height, walls) = (5 + draw(30), 5 + draw(30), draw(40));
        let grid = Grid::from_fn(width, height, |_, _| draw(100) >= walls).unwrap();
        for connectivity in [Connectivity::Four, Connectivity::Eight] {
            let grid = grid.clone().with_connectivity(connectivity);
            let slow = grid.clone().with_slowness(|x, y| [1.0, 2.0, 3.0][((x * y) % 3) as usize]).unwrap();
            let dear = grid.clone().with_terrain(|x, y| 1 + (x + y) % 3).unwrap();
            for (name, grid) in [("plain", &grid), ("slow", &slow), ("dear", &dear)] {
                let world = format!("{name}, {connectivity:?}, seed {seed}");
                compare(grid, &Point::swap_rule(grid), &mut draw, &format!("{world}, points"));
                compare(grid, &Point::timed(grid, 12).unwrap(), &mut draw, &format!("{world}, timed points"));
                let body = Body::disc(0.4).unwrap();
                let (space, footprint) = body.on(grid, Ground::from_grid(grid), 12).unwrap();
                compare(&space, &footprint, &mut draw, &format!("{world}, discs"));
            }
        }
    }
}
