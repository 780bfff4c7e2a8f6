//! A thousand orders at one tick, within a budget that is too small for all windows.

use giveway::scenario::{Density, MapGenerator, MapKind};
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, Crowd, CrowdSettings};
use giveway::{Agent, AgentId, Goals, NodeId, Point, SpaceGraph};
use rand::seq::IndexedRandom;

use crate::worlds::{largest_part, random};

/// A crowd on a kind of map.
#[derive(Clone, Copy, Debug)]
pub struct Burst {
    /// Its name.
    pub name: &'static str,
    kind: MapKind,
    /// The share of walls; `None`: as is usual for the kind.
    walls: Option<f64>,
    size: [u32; 2],
    units: usize,
    /// Tenths of a unit of work for each unit and tick.
    work: u64,
}

/// All of them.
pub const BURSTS: [Burst; 5] = [
    Burst { name: "caves", kind: MapKind::Caves, walls: None, size: [192, 192], units: 1000, work: 35 },
    Burst { name: "rooms", kind: MapKind::Room, walls: None, size: [160, 160], units: 1000, work: 35 },
    Burst { name: "warehouse", kind: MapKind::Warehouse, walls: None, size: [176, 92], units: 1000, work: 35 },
    Burst { name: "scattered walls", kind: MapKind::Random, walls: None, size: [512, 512], units: 1000, work: 80 },
    Burst { name: "noise", kind: MapKind::Random, walls: Some(0.4), size: [256, 256], units: 1000, work: 55 },
];

impl Burst {
    /// Orders all units to places at random, and counts by tick the units that have come nearer by a move until then, by
    /// exact distances, or are there.
    #[must_use]
    pub fn run(&self, seed: u64, ticks: usize) -> Vec<usize> {
        let [width, height] = self.size;
        let generator = MapGenerator::new(self.kind, width, height).seed(seed);
        let generator = self.walls.and_then(Density::new).map_or(generator, |walls| generator.density(walls));
        let grid = generator.generate().expect("a map").grid();
        let grid = grid.expect("small");
        let places = largest_part(&grid);
        let mut random = random(seed);
        let mut crowd = Crowd::new(CrowdSettings::new());
        let class = crowd.add_class(Class::new(&grid, Point::swap_rule(&grid))).expect("the first class");
        let mut units: Vec<(AgentId, NodeId, Vec<u32>)> = Vec::new();
        while units.len() < self.units {
            let [start, goal] = [(); 2].map(|()| *places.choose(&mut random).expect("there are places"));
            if let Ok(unit) = crowd.add(class, Agent::bystander(start)) {
                units.push((unit, start, distances(&grid, goal)));
                crowd.send(unit, Goals::one(goal)).expect("the goal is there");
            }
        }
        let mut nearer = vec![false; self.units];
        let budget = Budget::work(self.units as u64 * self.work / 10);
        let by_tick = (0..ticks).map(|_| {
            crowd.tick(budget);
            for ((unit, last, left), nearer) in units.iter_mut().zip(&mut nearer) {
                let node = crowd.node(*unit).expect("it is there");
                *nearer |= left[node.index()] < left[last.index()] || left[node.index()] == 0;
                *last = node;
            }
            nearer.iter().filter(|nearer| **nearer).count()
        });
        by_tick.collect()
    }
}

/// By node, the number of moves to `goal`.
fn distances(grid: &Grid, goal: NodeId) -> Vec<u32> {
    let mut left = vec![u32::MAX; grid.node_bound()];
    left[goal.index()] = 0;
    let mut found = vec![goal];
    let mut next = 0;
    while let Some(node) = found.get(next).copied() {
        next += 1;
        for m in grid.moves(node) {
            if left[m.to.index()] == u32::MAX {
                left[m.to.index()] = left[node.index()] + 1;
                found.push(m.to);
            }
        }
    }
    left
}
