//! Crowds on generated maps that get one goal after another.

use giveway::scenario::{MapGenerator, MapKind};
use giveway::sim::{Endpoints, Simulation, Task};
use giveway::spaces::{Body, CommonTicks, Connectivity, Ground};
use giveway::strategies::{Budget, Chain, Class, Crowd, CrowdSettings};
use giveway::{Agent, Point};
use rand::seq::SliceRandom as _;

use crate::worlds::{largest_part, random};

/// Windows alone take long where discs are dense.
const STEPS: u32 = 200;
const STEPS_OF_DISCS: u32 = 60;

/// A crowd on a kind of map.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its name.
    pub name: &'static str,
    kind: MapKind,
    size: [u32; 2],
    /// How many units there are.
    pub units: usize,
    /// Of discs with eight neighbours; otherwise of points with four.
    is_of_discs: bool,
}

/// All of them.
pub const PLACES: [Place; 7] = [
    Place { name: "rooms", kind: MapKind::Room, size: [32, 32], units: 60, is_of_discs: false },
    Place { name: "scattered walls", kind: MapKind::Random, size: [32, 32], units: 250, is_of_discs: false },
    Place { name: "scattered walls, wide", kind: MapKind::Random, size: [96, 96], units: 400, is_of_discs: false },
    Place { name: "caves", kind: MapKind::Caves, size: [96, 96], units: 150, is_of_discs: false },
    Place { name: "warehouse", kind: MapKind::Warehouse, size: [84, 44], units: 300, is_of_discs: false },
    Place { name: "discs, dense", kind: MapKind::Open, size: [32, 32], units: 260, is_of_discs: true },
    Place { name: "discs", kind: MapKind::Open, size: [32, 32], units: 100, is_of_discs: true },
];

/// What a crowd did.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    /// The orders carried out.
    pub arrivals: u64,
    /// The moves.
    pub moves: u64,
    /// How often a turn came too late for the budget.
    pub postponed: u64,
}

impl Place {
    /// Runs a crowd of `chain` for 200 steps, or 60 of discs. `work`: tenths of a unit for each agent and tick; 0: as
    /// much as they take.
    pub fn run(&self, chain: &Chain, seed: u64, work: u64) -> Done {
        let [width, height] = self.size;
        let grid = MapGenerator::new(self.kind, width, height).seed(seed).generate().expect("a map").grid();
        let grid = grid.expect("small").with_connectivity(self.connectivity());
        let places = largest_part(&grid);
        let mut crowd = Crowd::new(CrowdSettings::new().chain(chain.clone()));
        let class = if self.is_of_discs {
            let body = Body::disc(0.45).expect("a disc");
            let ticks = CommonTicks::new().of([&body], &grid).fewest().expect("one speed");
            crowd.add_class(Class::for_body(&body, &grid, Ground::from_grid(&grid), ticks).expect("it fits"))
        } else {
            let point = Point::swap_rule(&grid);
            crowd.add_class(Class::new(grid, point))
        };
        let class = class.expect("the first class");
        let steps = if self.is_of_discs { STEPS_OF_DISCS } else { STEPS };
        let ticks = steps * crowd.ticks_per_step();
        let mut simulation = Simulation::new(crowd);
        let mut starts = places.clone();
        starts.shuffle(&mut random(seed));
        let places = Endpoints::from(places);
        for start in starts.into_iter().take(self.units) {
            let task = Task::Lifelong { places: places.clone(), seed };
            simulation.add(class, Agent::bystander(start), task).expect("room for all");
        }
        let budget = if work == 0 { Budget::unlimited() } else { Budget::work(self.units as u64 * work / 10) };
        let mut done = Done { arrivals: 0, moves: 0, postponed: 0 };
        for _ in 0..ticks {
            let report = simulation.tick(budget);
            done.moves += report.moves as u64;
            done.postponed += report.postponed.len() as u64;
        }
        done.arrivals = simulation.metrics().arrivals;
        done
    }

    fn connectivity(&self) -> Connectivity {
        if self.is_of_discs { Connectivity::Eight } else { Connectivity::Four }
    }
}
