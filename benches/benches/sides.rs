//! Do classes that share a direction map get into each other's way less than classes with a map each? Discs with eight
//! neighbours and carts of 2 x 2 cells go to and fro across a field of 40 x 24 cells. Counts, not times.
//!
//! `cargo bench --bench sides -- ROUTES` measures the planners whose names contain ROUTES.

use std::error::Error;
use std::fmt::Write as _;

use giveway::Agent;
use giveway::direction::{DirectionRules, Raster, WorldDirectionMap};
use giveway::search::SharedLayer;
use giveway::sim::{Simulation, Task};
use giveway::spaces::{Body, CommonTicks, Connectivity, Grid, Ground};
use giveway::strategies::{Budget, Chain, Class, Crowd, CrowdSettings, Lra, Planner};
use giveway_benches::Table;
use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

const SIZE: [f32; 2] = [40.0, 24.0];
const DISCS: u32 = 40;
const CARTS: u32 = 16;
/// Steps before the count begins, and while it goes on.
const STEPS: [u32; 2] = [200, 600];

fn main() -> Result<(), Box<dyn Error>> {
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with("--")).unwrap_or_default();
    let repair = Planner::LocalRepair(Lra::new(2008).noise(0).radius(5000));
    let planners = [
        ("windows", 0.5, Chain::default()),
        ("routes with a radius", 2.0, Chain::new(repair).fallback(Planner::Windowed, 16)),
    ];
    let mut table = Table::begin(&["planner", "maps", "seed", "discs", "carts", "waits"]);
    let mut raw = "planner,maps,seed,discs,carts,waits\n".to_owned();
    for (name, weight, chain) in planners.into_iter().filter(|(name, ..)| name.contains(&only)) {
        for (maps, weight, is_common) in [("none", 0.0, true), ("each", weight, false), ("common", weight, true)] {
            for seed in 1..=5 {
                let [discs, carts, waits] = cross(&chain, weight, is_common, seed)?;
                table.row(&[&name, &maps, &seed, &discs, &carts, &waits]);
                writeln!(raw, "{name},{maps},{seed},{discs},{carts},{waits}")?;
            }
        }
    }
    table.write_raw(env!("CARGO_TARGET_TMPDIR"), "sides", &raw);
    Ok(())
}

/// The arrivals of discs and of carts, and the steps that units have waited.
fn cross(chain: &Chain, weight: f32, is_common: bool, seed: u64) -> Result<[u64; 3], Box<dyn Error>> {
    let rules = DirectionRules::default().weight(weight).neighbours(0.1);
    let raster = Raster::new([-0.5, -0.5], SIZE, 1.0)?;
    let map = || SharedLayer::new(WorldDirectionMap::blank(raster, rules));
    let of_discs = map();
    let of_carts = if is_common { of_discs.clone() } else { map() };
    let grid = Grid::open(40, 24)?;
    let eight = grid.clone().with_connectivity(Connectivity::Eight);
    let (disc, cart) = (Body::disc(0.4)?, Body::square(2)?.speed(0.5)?);
    let ticks = CommonTicks::new().of([&disc], &eight).of([&cart], &grid).fewest()?;
    let ground = Ground::new([-0.5, -0.5], SIZE, 0.5)?;
    let mut crowd = Crowd::new(CrowdSettings::new().chain(chain.clone()).window(8));
    let classes = [
        (crowd.add_class(Class::for_body(&disc, &eight, ground, ticks)?.layer(of_discs))?, DISCS),
        (crowd.add_class(Class::for_body(&cart, &grid, ground, ticks)?.layer(of_carts))?, CARTS),
    ];
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut tasks = Vec::new();
    for (class, unit) in classes.into_iter().flat_map(|(class, count)| (0..count).map(move |unit| (class, unit))) {
        let mut place = |from: f32, to: f32| {
            let position = [random.random_range(from..to), random.random_range(0.0..SIZE[1] - 1.0), 0.0];
            crowd.nearest_node(class, position)
        };
        let (west, east) = (place(0.0, 8.0), place(SIZE[0] - 9.0, SIZE[0] - 1.0));
        let ends = west.zip(east).ok_or("no place")?;
        tasks.push((class, if unit % 2 == 0 { ends } else { (ends.1, ends.0) }));
    }
    let mut simulation = Simulation::new(crowd).nearest();
    for (class, (here, there)) in tasks {
        // Where there is no room, there is no unit.
        let _ = simulation.add(class, Agent::bystander(here), Task::Patrol(vec![there, here]));
    }
    simulation.run(STEPS[0] * ticks, Budget::unlimited());
    let before = simulation.metrics().waits;
    let mut arrivals = [0; 2];
    for _ in 0..STEPS[1] * ticks {
        let report = simulation.tick(Budget::unlimited());
        for agent in report.arrived {
            let is_cart = simulation.crowd().class_of(agent) == Some(classes[1].0);
            arrivals[usize::from(is_cart)] += 1;
        }
    }
    let waits = (simulation.metrics().waits - before) / u64::from(ticks);
    Ok([arrivals[0], arrivals[1], waits])
}
